/** Derives the field and the mapping of a column. */
import type { LiteralType } from '../../tree/index.ts'
import type { Dialect } from '../../backends/sql/index.ts'
import { own } from '../../own.ts'
import type { ColumnFacts, Database } from './database.ts'
import { choiceFor, formsOf } from './forms.ts'
import { jsonColumnText, ruleOf } from './rules.ts'
import type { SampleForm } from './sample.ts'

/** The field and the mapping of a column. */
export interface PulledField {
  readonly literal: LiteralType | 'json'
  /** The values of a native enumeration. */
  readonly values?: readonly string[]
  /** The options of `column`. They are empty if the default type of the dialect reads the column. */
  readonly options: { readonly type?: string; readonly digits?: number; readonly name?: string | readonly string[] }
  readonly isArray: boolean
  /** The code that maps JSON. */
  readonly mapped?: string
  /** The reason why the field can be wrong. */
  readonly guess?: string
}

/** A column without a field. */
export interface Omission {
  readonly reason: string
}

export const isOmission = (field: PulledField | Omission): field is Omission => Object.hasOwn(field, 'reason')

/** Derives the field of a column, or returns the reason why no field can contain it. */
export function fieldOf(database: Database, dialect: Dialect, facts: ColumnFacts): PulledField | Omission {
  if (!facts.readable) return { reason: 'this user may not read it' }
  return database.engine === 'sqlite' ? fieldOfForms(dialect, facts) : fieldOfType(database, dialect, facts)
}

function fieldOfType({ engine, session }: Database, dialect: Dialect, facts: ColumnFacts): PulledField | Omission {
  const rule = ruleOf(engine, facts, session)
  if (rule === undefined) return { reason: `${facts.type} has no rule: define the field yourself` }
  if (rule.jsonType !== undefined) {
    const mapped = jsonColumnText(facts.name, rule.jsonType)
    return { literal: 'json', isArray: false, options: {}, mapped, guess: 'no condition reads its content' }
  }
  const [type] = rule.types
  if (rule.literal === undefined || type === undefined) return { reason: `${facts.type}: ${rule.otherwise}` }
  const isArray = own(facts, 'entry') !== undefined
  const values = own(facts, 'enum')
  const guess = guessOf(facts)
  const literal = guess?.literal ?? rule.literal
  const isNamed = engine === 'postgres' && values !== undefined
  const name = own(facts, 'typeSchema') === 'public' ? facts.typeName : [facts.typeSchema ?? 'public', facts.typeName]
  return {
    literal,
    isArray,
    ...(values !== undefined && { values }),
    options: isNamed ? { type: 'orderedEnum', name } : optionsFor(dialect, literal, guess?.type ?? type),
    ...(guess && { guess: guess.reason }),
  }
}

/** Leaves out the type if it is the default of the dialect. */
const optionsFor = (dialect: Dialect, literal: LiteralType, type: string, digits?: number): PulledField['options'] => ({
  ...(own(dialect.columnTypes, literal) !== type && { type }),
  ...(digits !== undefined && { digits }),
})

/** Guesses booleans and uuids. MySQL has no types for them, and MariaDB has one for uuids only. */
function guessOf({ type, typeName, length }: ColumnFacts) {
  if (/^tinyint\(1\)/.test(type)) return { literal: 'boolean', type: 'boolean', reason: `${type} may count` } as const
  if (typeName === 'binary' && length === 16) {
    return { literal: 'uuid', type: 'uuidBytes', reason: `${type} may hold other bytes` } as const
  }
  return undefined
}

/** The literal type for the name of a declared type of SQLite. */
const declared: readonly (readonly [RegExp, LiteralType])[] = [
  [/bool/i, 'boolean'],
  [/date_?time|timestamp/i, 'datetime'],
  [/\bdate\b/i, 'date'],
  [/\btime\b/i, 'time'],
  [/uuid|guid/i, 'uuid'],
]
const ofAffinity: Readonly<Record<string, LiteralType>> = {
  INTEGER: 'integer',
  REAL: 'number',
  NUMERIC: 'number',
  TEXT: 'string',
  ANY: 'string',
}

/** SQLite: derives the field from the sampled values, or from the declared type if the sample is empty. */
function fieldOfForms(dialect: Dialect, facts: ColumnFacts): PulledField | Omission {
  const found = (Object.keys(own(facts, 'sample')?.forms ?? {}) as SampleForm[]).filter((form) => form !== 'null')
  const promised = declared.find(([pattern]) => pattern.test(facts.type))?.[1] ?? own(ofAffinity, facts.typeName)
  if (found.includes('blob') || (promised === undefined && found.length === 0))
    return { reason: `${facts.type || 'a column without a type'} holds bytes` }
  for (const literal of candidates(promised, found)) {
    const choice: { readonly type?: string | undefined; readonly digits?: number } | undefined =
      found.length === 0 ? { type: withoutRows(facts, literal) } : choiceFor(literal, found)
    const type = choice?.type ?? own(dialect.columnTypes, literal)
    if (choice === undefined && !readsAll(type, literal, found)) continue
    const digits = choice && own(choice, 'digits')
    return { literal, isArray: false, options: optionsFor(dialect, literal, type!, digits) }
  }
  return { reason: `its values have several forms: ${found.join(', ')}` }
}

const readsAll = (type: string | undefined, literal: LiteralType, found: readonly SampleForm[]): boolean =>
  type !== undefined && found.every((form) => formsOf(type, literal, undefined)?.includes(form) === true)

/** The literal types to try, in order: that of the declared type, then those of the values. */
function candidates(promised: LiteralType | undefined, found: readonly SampleForm[]): readonly LiteralType[] {
  const isText = found.some((form) => !numberForms.includes(form))
  const ofValues: readonly LiteralType[] = isText
    ? ['uuid', 'date', 'datetime', 'time', 'string']
    : found.includes('large')
      ? ['bigint']
      : ['integer', 'number']
  const first: readonly LiteralType[] = promised === undefined || promised === 'string' ? [] : [promised]
  return found.length === 0 ? [promised ?? 'string'] : [...first, ...ofValues.filter((one) => !first.includes(one))]
}
const numberForms: readonly SampleForm[] = [
  ...([
    'bit',
    'minusOne',
    'seconds',
    'milliseconds',
    'integer',
    'large',
    'whole',
    'real',
    'julianDay',
    'infinite',
  ] as const),
]

/** The type of a column if the sample is empty. */
function withoutRows({ default: text = '' }: ColumnFacts, literal: LiteralType): string | undefined {
  return literal === 'datetime' && /current_timestamp|datetime\s*\(/i.test(text) ? 'sqlText' : undefined
}
