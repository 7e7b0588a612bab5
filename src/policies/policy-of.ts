/** Converts filters to policies of PostgreSQL's row-level security. */
import {
  canonicalOf,
  checkFilter,
  fold,
  isFolded,
  isObject,
  map,
  unchecked,
  type Filter,
  type Literal,
} from '../tree/index.ts'
import { readers, samples, type Fields } from '../language/index.ts'
import { sqlBackend, type Dialect, type Table } from '../backends/sql/index.ts'
import { checkOptions } from '../options.ts'
import { own } from '../own.ts'
import { isPlainText } from '../values/characters.ts'

/** Options of {@link policyOf}. */
export interface PolicyOptions {
  /** By the name of a setting of PostgreSQL: the operand that represents its value in the restriction. */
  readonly settings?: Readonly<Record<string, string | number | bigint | boolean | Date>>
  /** The name of the policy. Default: `restriction`. */
  readonly name?: string
}

const quotedText = (text: string): string =>
  // In E'…' a backslash escapes with every setting of standard_conforming_strings.
  text.includes('\\') ? `E'${text.replace(/['\\]/g, '$&$&')}'` : `'${text.replaceAll("'", "''")}'`

/** Writes the value of a setting. It is NULL if the setting is unset or empty. */
const settingOf = (name: string): string => `NULLIF(current_setting(${quotedText(name)}, true), '')`

/** Settings by the operands that represent them. */
type Settings = ReadonlyMap<Literal['value'], string>

const alone = (condition: Filter): readonly Filter[] => [condition]
/** Each condition of a filter, with the lists around it. */
const conditionsOf = (filter: Filter): readonly Filter[] =>
  fold<readonly Filter[]>(filter, {
    and: (filters) => filters.flat(),
    or: (filters) => filters.flat(),
    not: (conditions) => conditions,
    some: (conditions, { path }) => conditions.map((one) => unchecked.some(path, one)),
    comparison: alone,
    membership: alone,
    match: alone,
    presence: alone,
    count: alone,
  })

function literalsIn(condition: Filter): readonly Literal[] {
  switch (condition.kind) {
    case 'some':
      return literalsIn(condition.filter)
    case 'comparison':
      return [condition.operand]
    case 'membership':
      return condition.operands
    case 'match':
      return [{ type: 'string', value: condition.text }]
    default:
      return []
  }
}
const literalsOf = (filter: Filter): readonly Literal[] => conditionsOf(filter).flatMap(literalsIn)

/** Returns another literal of the type. */
const otherThan = ({ type, value }: Literal): Literal =>
  samples[type].map((text) => readers[type].fromText(text) as Literal).find((sample) => sample.value !== value)!

/** Replaces the operands that represent settings by other operands of their types. */
function withOthers(filter: Filter, settings: Settings): Filter {
  const changed = (literal: Literal) => (settings.has(literal.value) ? otherThan(literal) : literal)
  const refuse = (problem: string): never => {
    throw new TypeError(`options.settings must not name ${problem}`)
  }
  return map(filter, (node) => {
    switch (node.kind) {
      case 'comparison':
        if (changed(node.operand) !== node.operand && isFolded(node.operator))
          return refuse('an operand whose case is ignored')
        return unchecked.comparison(node.path, node.operator, changed(node.operand))
      case 'membership':
        return unchecked.membership(node.path, node.operands.map(changed))
      case 'match':
        return settings.has(node.text) ? refuse('a part of a text') : node
      default:
        return node
    }
  })
}

/**
 * Writes the policy of PostgreSQL's row-level security that allows the rows of a restriction, with all values as text.
 *
 * PostgreSQL applies the policies of other tables, too, when the restriction reads a child table or a parent table.
 *
 * @param dialect `postgres`, `postgres17`, or a dialect that is made of one.
 * @param options `settings` and `name`. An operand that equals a value of `settings` becomes `current_setting` in the type of the operand. A
 *   condition with a setting that is unset or empty selects no row, also below a `not`. A setting has the form that rows have.
 * @returns the text of `CREATE POLICY … ON … USING (…)`, without a semicolon.
 * @throws TypeError when the dialect is of another engine, an operand of `settings` does not occur in the restriction, two settings have one
 *   operand, or a setting would be a part of a text or of a JSON document.
 * @throws FilterError for a restriction that the table or the dialect cannot express exactly.
 * @see https://www.postgresql.org/docs/current/sql-createpolicy.html
 * @example
 * policyOf(postgres, orderTable, where(orders).equals('seller', 'S'), { settings: { 'app.seller': 'S' } })
 */
export function policyOf<F extends Fields>(
  dialect: Dialect,
  table: Table<F>,
  restriction: Filter,
  options: PolicyOptions = {},
): string {
  const { settings: standIns = {}, name = 'restriction' } = checkOptions(options, 'options', ['settings', 'name'])
  if (!isObject(dialect) || own(dialect, 'engine') !== 'postgres')
    throw new TypeError('dialect must be of PostgreSQL: no other engine has policies of rows')
  const { compile } = sqlBackend({ dialect, table })
  if (typeof name !== 'string' || name === '') throw new TypeError('options.name must be a non-empty string')
  if (!isObject(standIns)) throw new TypeError('options.settings must be an object')
  const filter = checkFilter(restriction, 'restriction')
  const settings = settingsOf(literalsOf(filter), standIns)

  const usedIn = (node: Filter) => new Set(literalsOf(node).flatMap(({ value }) => settings.get(value) ?? []))

  const sqlOf = (condition: Filter): string => {
    const { strings, parameters } = compile(condition)
    const others = compile(withOthers(condition, settings))
    if (strings.join('?') !== others.strings.join('?')) throw new TypeError(unfit)
    return strings.reduce(
      (before, piece, at) => `${before}${written(settings, parameters[at - 1], others.parameters[at - 1])}${piece}`,
    )
  }
  /** @param isNegated whether a `not` surrounds the node. The text contains no NOT, because NOT of NULL selects no row. */
  const write = (node: Filter, isNegated: boolean): string => {
    const used = usedIn(node)
    if (used.size > 0 && node.kind === 'not') return write(node.filter, !isNegated)
    if (used.size > 0 && (node.kind === 'and' || node.kind === 'or')) {
      const word = (node.kind === 'and') === isNegated ? ' OR ' : ' AND '
      return `(${node.filters.map((member) => write(member, isNegated)).join(word)})`
    }
    const text = sqlOf(isNegated ? unchecked.not(node) : node)
    // `=` alone selects no NULL.
    if (used.size === 0 || (node.kind === 'comparison' && !isNegated)) return text
    return `(${Array.from(used, (one) => `${settingOf(one)} IS NOT NULL AND `).join('')}${text})`
  }
  // If no value of the column equals an operand, the SQL of the condition is a constant.
  for (const condition of conditionsOf(filter))
    for (const one of usedIn(condition)) if (!sqlOf(condition).includes(settingOf(one))) throw new TypeError(unfit)
  const quote = (one: string) => `"${one.replaceAll('"', '""')}"`
  const policy = `CREATE POLICY ${quote(name)} ON ${[table.name].flat().map(quote).join('.')} USING (${write(filter, false)})`
  if (!isPlainText(policy)) throw new TypeError('options must not contain U+0000 or a lone surrogate')
  return policy
}

const unfit = 'options.settings must not name an operand that the column does not store as it is'

/** @throws TypeError when a setting names no operand of the restriction, or that of another setting. */
function settingsOf(literals: readonly Literal[], standIns: NonNullable<PolicyOptions['settings']>): Settings {
  const settings = new Map<Literal['value'], string>()
  for (const [setting, value] of Object.entries(standIns)) {
    const place = `options.settings[${JSON.stringify(setting)}]`
    const literal = literals.find((one) => canonicalOf[one.type](value) === one.value)
    if (literal === undefined) throw new TypeError(`${place} must be an operand of the restriction`)
    if (settings.has(literal.value)) throw new TypeError(`${place} must not be the operand of another setting`)
    settings.set(literal.value, setting)
  }
  return settings
}

/** Writes a parameter as text. The texts of a setting and of a literal differ. */
function written(settings: Settings, value: unknown, other: unknown): string {
  if (Array.isArray(value))
    return `ARRAY[${value.map((one, at) => written(settings, one, (other as readonly unknown[])[at])).join(', ')}]`
  if (value === other) return quotedText(String(value))
  const setting = settings.get(value as Literal['value'])
  if (setting === undefined) throw new TypeError(unfit)
  return settingOf(setting)
}
