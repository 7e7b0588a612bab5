/** Filter → SQL. Negation is pushed to the leaves, where each has a form that is never NULL. */
import { checkFilter, kinds, literalTypes, make } from '../../ast.ts'
import type { Filter, Literal, LiteralType, Path, Some } from '../../ast.ts'
import type { Backend, Capabilities } from '../../backend.ts'
import { FilterError, type Issue } from '../../issue.ts'
import { checkOptions } from '../../options.ts'
import type { Field, Fields } from '../../schema.ts'
import { simpleLowerCase } from '../../text.ts'
import { compare, type Dialect, type StoredType } from './dialect.ts'
import { checkMapping, featuresOf, type Table } from './mapping.ts'
import { placesOf, type Scope } from './places.ts'
import { flatten, join, parameter, sql, type Parameter, type Sql } from './sql.ts'

/** A condition for a `WHERE` clause. */
export interface SqlCondition {
  /** A boolean expression: true or false for every row, never NULL. Safe behind AND, OR and NOT. */
  readonly text: string
  /** The values of its placeholders, in order: a new list each time, of the type that pg, PGlite and mysql2 take. */
  readonly parameters: any[]
  /** The text around the parameters, for tagged templates: one piece more than there are parameters. */
  readonly strings: TemplateStringsArray
}

export interface SqlOptions {
  readonly dialect: Dialect
  readonly table: Table
  /** What the statement calls the table, where it gives it another name. */
  readonly alias?: string
  /** The number of the first placeholder, for statements with parameters before these; 1 unless given. */
  readonly firstParameter?: number
}

/** A value that is NULL exactly where the field has none. */
interface Value {
  readonly value: Sql
  readonly type: StoredType
  /** A column itself, so that indexes serve it. */
  readonly isColumn: boolean
}

/** A test, and what stands around it: `unit`s need no parentheses in a group, `closed` ones nowhere. */
interface Test {
  readonly sql: Sql
  readonly form: 'closed' | 'unit' | 'and' | 'or'
  /** What must be there for the test not to be NULL: columns to look at, or more than one can say. */
  readonly unless?: readonly Sql[] | 'wrap'
}
const TRUE: Test = { sql: sql`TRUE`, form: 'closed' }
const FALSE: Test = { sql: sql`FALSE`, form: 'closed' }
const constant = (value: boolean): Test => (value ? TRUE : FALSE)

const unit = (test: Sql): Test => ({ sql: test, form: 'unit' })
const isPresent = (value: Sql, negated: boolean): Test =>
  unit(negated ? sql`${value} IS NULL` : sql`${value} IS NOT NULL`)

/** A test that is NULL where the value is, as it stands or as its complement. */
const tested = (test: Sql, { value, isColumn }: Value, negated: boolean): Test =>
  negated ? unit(sql`(${test}) IS NOT TRUE`) : { sql: test, form: 'unit', unless: isColumn ? [value] : 'wrap' }

const plain = (value: Parameter): Sql => sql`${value}`

/** A filter with a path, whose place is looked for. */
type Located = Filter & { readonly path: Path }

/**
 * Filters as conditions of SQL: one boolean expression, all values of the query in parameters.
 *
 * @returns a backend whose `compile` throws a FilterError (`backend_unmapped`, `backend_unsupported`) for what
 *   the table or the dialect cannot say exactly.
 * @throws TypeError that names the option which cannot be.
 * @example
 * const { text, parameters } = sqlBackend({ dialect: postgres, table: orders }).compile(filter)
 * await client.query(`SELECT * FROM "orders" WHERE ${text}`, parameters)
 */
export function sqlBackend(options: SqlOptions): Backend<SqlCondition> {
  checkOptions(options, 'options', ['dialect', 'table', 'alias', 'firstParameter'])
  const { dialect, table, alias, firstParameter = 1 } = options
  checkMapping(dialect, table, alias)
  if (!Number.isSafeInteger(firstParameter) || firstParameter < 1) {
    throw new TypeError('firstParameter must be a whole number from 1')
  }
  const { root, placeOf, entriesOf } = placesOf(dialect, table, alias)
  const { textRules } = dialect
  const { cased = asIs } = textRules
  const lower = [`${dialect.lower}(`, ')']
  const unlowered = dialect.unlowered[dialect.lower]
  const lowerCase = (text: string) =>
    unlowered === undefined
      ? simpleLowerCase(text)
      : Array.from(text, (character) => (unlowered.test(character) ? character : simpleLowerCase(character))).join('')

  const refuse = (
    issues: Issue[],
    code: 'backend_unmapped' | 'backend_unsupported',
    { path, span }: Located,
    why: string,
  ) => {
    issues.push({ code, message: `${path.join('.') || 'an entry'} ${why}`, ...(span && { span }) })
    return FALSE
  }
  const unmapped = (issues: Issue[], node: Located): Test =>
    refuse(issues, 'backend_unmapped', node, `is not stored where ${dialect.name} can reach it`)

  /** The value of a leaf as its literal's type, or the refusal. */
  const valueOf = (issues: Issue[], scope: Scope, node: Located, type: LiteralType): Value | Test => {
    const place = placeOf(scope, node.path)
    if (place?.kind === 'json' && dialect.json !== undefined) {
      const { types, [readAs[type]]: read } = dialect.json
      return { value: read(place.value), type: dialect.types[types[type]]!, isColumn: false }
    }
    if (place?.kind !== 'column') return unmapped(issues, node)
    const stored = dialect.types[place.type ?? dialect.columnTypes[type]]!
    if (stored.holds.includes(type)) return { value: place.value, type: stored, isColumn: true }
    return refuse(issues, 'backend_unsupported', node, `is stored as ${place.type}, which holds no ${type}`)
  }
  /** A value as text, where its type compares otherwise. */
  const textOf = (of: Value): Value =>
    of.type.asText === undefined ? of : { value: of.type.asText(of.value), type: dialect.types.text!, isColumn: false }

  const someOf = (issues: Issue[], node: Some, scope: Scope, negated: boolean, depth: number): Test => {
    const entries = entriesOf(placeOf(scope, node.path), depth)
    if (entries === undefined) return unmapped(issues, node)
    const { from, tie } = entries
    const inner = visit(issues, node.filter, entries.scope, false, depth + 1)
    if (inner === FALSE) return constant(negated)
    const where = all(tie === undefined ? [inner] : [unit(tie), inner])
    const exists = negated ? 'NOT EXISTS (SELECT 1 FROM ' : 'EXISTS (SELECT 1 FROM '
    const pieces = where === TRUE ? sql`${from})` : sql`${from} WHERE ${where.sql})`
    return { sql: { strings: [exists, ''], values: [pieces] }, form: 'closed' }
  }

  const visit = (issues: Issue[], node: Filter, scope: Scope, negated: boolean, depth: number): Test => {
    switch (node.kind) {
      case 'and':
      case 'or': {
        const tests = node.filters.map((member) => visit(issues, member, scope, negated, depth))
        return (node.kind === 'and') !== negated ? all(tests) : any(tests, depth > 0)
      }
      case 'not':
        return visit(issues, node.filter, scope, !negated, depth)
      case 'some':
        return someOf(issues, node, scope, negated, depth)

      case 'comparison': {
        const { operator, operand } = node
        let of = valueOf(issues, scope, node, operand.type)
        if ('form' in of) return of
        if (operator !== 'eq') of = textOf(of)
        const { encode, cast = plain, isText } = of.type
        const encoded: unknown = encode === undefined ? operand.value : encode(operand.value)
        if (encoded === undefined) return constant(negated)
        const other = cast(parameter(encoded))
        if (negated && operator === 'eq') return unit((isText ? textRules.differs : dialect.differs)(of.value, other))
        return tested((isText ? textRules.compare : compare)(of.value, operator, other), of, negated)
      }

      case 'membership': {
        const first = node.operands[0]
        if (first === undefined) return constant(negated)
        const of = valueOf(issues, scope, node, first.type)
        if ('form' in of) return of
        const { encode = same } = of.type
        const values = node.operands.map(({ value }) => encode(value)).filter((value) => value !== undefined)
        return values.length === 0 ? constant(negated) : tested(dialect.among(of.value, values, of.type), of, negated)
      }

      case 'match': {
        const found = valueOf(issues, scope, node, 'string')
        if ('form' in found) return found
        const of = textOf(found)
        // Every text has the empty one in it.
        if (node.text === '') return isPresent(of.value, negated)
        const { cast = plain } = of.type
        const match = textRules[node.mode]
        return tested(
          match(sql(lower, cased(of.value)), lowerCase(node.text), (text) => cast(parameter(text))),
          of,
          negated,
        )
      }

      case 'presence': {
        if (node.type !== 'object') {
          const of = valueOf(issues, scope, node, node.type)
          return 'form' in of ? of : isPresent(of.value, negated)
        }
        const place = placeOf(scope, node.path)
        if (place?.kind === 'json' && dialect.json !== undefined) {
          const test = dialect.json.isObject(place.value)
          return unit(negated ? sql`NOT (${test})` : test)
        }
        // Columns cannot tell an empty object from none: it is there when something in it is.
        if (place?.kind !== 'object' || place.fields === undefined) return unmapped(issues, node)
        return visit(issues, make.or(presences(place.fields, node.path)), scope, negated, depth)
      }
    }
  }

  /** Each is made once. */
  const placeholders: string[] = []
  const placeholder = (at: number) => (placeholders[at] ??= dialect.placeholder(firstParameter + at - 1))

  const compile = (filter: Filter): SqlCondition => {
    const issues: Issue[] = []
    const whole = settled(visit(issues, checkFilter(filter), root, false, 0))
    if (issues.length > 0) throw new FilterError([issues[0]!, ...issues.slice(1)])
    const { strings, parameters } = flatten(whole.form === 'closed' ? whole.sql : sql`(${whole.sql})`)
    let text = strings[0]!
    for (let at = 1; at < strings.length; at++) text += placeholder(at) + strings[at]!
    const template = strings as string[] & { raw: string[] }
    template.raw = strings.slice()
    return { text, parameters, strings: template }
  }

  const capabilities: Capabilities = Object.freeze({
    kinds,
    types: literalTypes,
    features: Object.freeze(featuresOf(table, unlowered === undefined)),
    preconditions: dialect.preconditions,
  })
  return { name: dialect.name, capabilities, compile }
}

const same = (value: Literal['value']): unknown => value
const asIs = (value: Sql): Sql => value

const readAs: Readonly<Record<LiteralType, 'text' | 'number' | 'boolean'>> = {
  string: 'text',
  date: 'text',
  datetime: 'text',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
}

/** A group that holds where all of its tests do; what they may be NULL for is looked at once. */
function all(tests: readonly Test[]): Test {
  const members: Sql[] = []
  const unless: Sql[] = []
  let last = TRUE
  for (const test of tests) {
    if (test === FALSE) return FALSE
    if (test === TRUE) continue
    last = test
    const one = test.unless === 'wrap' && tests.length > 1 ? settled(test) : test
    members.push(one.form === 'or' ? sql`(${one.sql})` : one.sql)
    if (one.unless === undefined) continue
    for (const column of one.unless as readonly Sql[]) if (!unless.includes(column)) unless.push(column)
  }
  if (members.length < 2) return last
  const group = join(members, ' AND ')
  return unless.length === 0 ? { sql: group, form: 'and' } : { sql: group, form: 'and', unless }
}

/** A group that holds where one of its tests does. In EXISTS, NULL is as good as false. */
function any(tests: readonly Test[], inside: boolean): Test {
  const members = tests.filter((test) => test !== FALSE)
  if (members.includes(TRUE)) return TRUE
  if (members.length < 2) return members[0] ?? FALSE
  const each = inside ? members : members.map(settled)
  return {
    sql: join(
      each.map(({ sql: own, form }) => (form === 'and' ? sql`(${own})` : own)),
      ' OR ',
    ),
    form: 'or',
  }
}

/** A test that is never NULL. */
function settled(test: Test): Test {
  const { unless } = test
  if (unless === undefined) return test
  if (unless === 'wrap') return { sql: sql`(${test.sql}) IS TRUE`, form: 'unit' }
  const pieces = [test.sql]
  for (const value of unless) pieces.push({ strings: notNull, values: [value] })
  return { sql: join(pieces, ' AND '), form: 'and' }
}
const notNull = ['', ' IS NOT NULL']

/** That something in an object has a value, as filters. */
function presences(fields: Fields, path: Path): Filter[] {
  return Object.entries(fields).map(([name, field]): Filter => {
    const own = [...path, name]
    const presence = (definition: Field, at: Path): Filter =>
      definition.type === 'list'
        ? make.some(at, presence(definition.entry, []))
        : make.presence(at, definition.type === 'enumeration' ? 'string' : definition.type)
    return presence(field, own)
  })
}
