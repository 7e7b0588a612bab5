/** The rules for the types of each engine: the types of the dialect that read a column, and the field to make. `check` and `pull` read them. */
import type { LiteralType } from '../../tree/index.ts'
import type { ColumnType } from '../../backends/sql/index.ts'
import { own } from '../../own.ts'
import type { ColumnFacts, Engine, Session } from './database.ts'

/** The rule of a type. */
export interface Rule {
  /** The types of the dialect that read the column correctly. `pull` writes the first. */
  readonly types: readonly ColumnType[]
  /** The literal type of the field. It is `undefined` for JSON, and for a type that no field can contain. */
  readonly literal: LiteralType | undefined
  /** Whether `jsonColumn` reads the column. */
  readonly isJson?: true
  /** The problem with all other types. */
  readonly otherwise: string
}

const another = 'the engine compares it as another type'
const noComparison = 'the first filter is an error of the database'
const noField = 'no field holds it'
const of = (literal: LiteralType | undefined, types: readonly ColumnType[], otherwise = another): Rule => ({
  literal,
  types,
  otherwise,
})
const nothing: Rule = of(undefined, [], noField)
const json: Rule = {
  literal: undefined,
  types: [],
  isJson: true,
  otherwise: 'its members are read by jsonColumn alone',
}

const integers = ['bigint', 'numeric', 'double precision', 'bigintText', 'scaled', 'epochMs', 'epochS'] as const
/** A double represents 15 digits exactly. A decimal with more digits needs the exact type. */
const decimals = ({ precision, scale }: ColumnFacts, exact: readonly ColumnType[], double: ColumnType): Rule => {
  const isShort = precision !== undefined && precision <= 15
  const whole: readonly ColumnType[] = scale === 0 ? ['bigint'] : []
  return of('decimal', [...exact, ...whole, ...(isShort ? [double] : [])], 'an operand of 64 bits has 15 digits')
}
const floats = of(
  'number',
  ['real'],
  'a value of 32 bits equals no operand of 64: equality finds nothing, and pages repeat',
)
const dayOfMoment = 'it has a time of day, which a date lacks'

type Rules = Readonly<Record<string, Rule | ((facts: ColumnFacts, session: Session) => Rule)>>
/* @__NO_SIDE_EFFECTS__ */ const byName = (rows: readonly (readonly [Rules[string], ...string[]])[]): Rules =>
  Object.fromEntries(rows.flatMap(([rule, ...names]) => names.map((name) => [name, rule])))

const postgresRules = /* @__PURE__ */ byName([
  [/* @__PURE__ */ of('string', ['text'], noComparison), 'text', 'varchar', 'name'],
  [/* @__PURE__ */ of('string', ['char'], 'it pads values with spaces, which the text lacks'), 'bpchar'],
  [/* @__PURE__ */ of('string', ['citext'], 'its order ignores case, and a cursor does not: rows are lost'), 'citext'],
  [/* @__PURE__ */ of('uuid', ['uuid'], noComparison), 'uuid'],
  [/* @__PURE__ */ of('integer', integers), 'int2', 'int4'],
  [/* @__PURE__ */ of('bigint', integers), 'int8'],
  [(facts) => decimals(facts, ['numeric'], 'double precision'), 'numeric'],
  [floats, 'float4'],
  [/* @__PURE__ */ of('number', ['double precision', 'numeric']), 'float8'],
  [/* @__PURE__ */ of('boolean', ['boolean'], noComparison), 'bool'],
  [/* @__PURE__ */ of('date', ['date'], 'a date has no time of day'), 'date'],
  [/* @__PURE__ */ of('datetime', ['timestamptz'], dayOfMoment), 'timestamptz'],
  [
    (_, { timeZone = 'UTC' }) =>
      of('datetime', ['timestamp'], `PostgreSQL reads it in the zone of the session, here ${timeZone}: pages repeat`),
    'timestamp',
  ],
  [/* @__PURE__ */ of('string', ['time'], noComparison), 'time'],
  [json, 'jsonb'],
  [/* @__PURE__ */ of(undefined, [], 'PostgreSQL cannot compare it: make it jsonb'), 'json'],
  [nothing, 'bytea', 'xml', 'tsvector', 'tsquery', 'interval', 'timetz', 'money', 'inet', 'cidr', 'macaddr', 'bit'],
  [nothing, 'varbit', 'point', 'line', 'lseg', 'box', 'path', 'polygon', 'circle', 'hstore', 'geometry', 'geography'],
  [nothing, 'int4range', 'int8range', 'numrange', 'tsrange', 'tstzrange', 'daterange'],
])

const mysqlIntegers = [
  ...(['bigint', 'double', 'decimal', 'boolean', 'nonzero', 'bigintText', 'scaled', 'epochMs', 'epochS'] as const),
] as const
const characterSets = ['ascii', 'latin1', 'utf8mb3'] as const
const mysqlText = ({ charset = 'utf8mb4' }: ColumnFacts): Rule => {
  if (charset === 'utf8mb4') return of('string', ['text', 'orderedText', 'uuidText', 'enum'])
  const set = characterSets.filter((name) => name === charset)
  return of('string', [...set, 'uuidText'], `it is in ${charset}: ORDER BY is an error of the engine (1253)`)
}
const mysqlRules = /* @__PURE__ */ byName([
  [mysqlText, 'char', 'varchar', 'tinytext', 'text', 'mediumtext', 'longtext'],
  [/* @__PURE__ */ of('string', ['enum', 'text']), 'enum'],
  [/* @__PURE__ */ of('uuid', ['uuid']), 'uuid'],
  [
    ({ typeName }) => of(typeName === 'bigint' ? 'bigint' : 'integer', mysqlIntegers),
    ...['tinyint', 'smallint', 'mediumint', 'int', 'bigint'],
  ],
  [({ precision, type }) => (precision === 1 || type === 'bit(1)' ? of('boolean', ['boolean']) : nothing), 'bit'],
  [(facts) => decimals(facts, ['decimal'], 'double'), 'decimal'],
  [floats, 'float'],
  [/* @__PURE__ */ of('number', ['double', 'decimal']), 'double'],
  [/* @__PURE__ */ of('integer', ['year'], 'the engine reads 20 as 2020 where it compares one with a number'), 'year'],
  [/* @__PURE__ */ of('date', ['date'], 'a date has no time of day'), 'date'],
  [/* @__PURE__ */ of('datetime', ['datetime'], dayOfMoment), 'datetime', 'timestamp'],
  [({ type }) => ({ ...json, types: type === 'longtext' ? ['text', 'orderedText'] : [] }), 'json'],
  [({ length }) => (length === 16 ? of('uuid', ['uuidBytes']) : nothing), 'binary'],
  [nothing, 'varbinary', 'tinyblob', 'blob', 'mediumblob', 'longblob', 'time', 'set', 'geometry', 'point'],
])

const duckdbRules = /* @__PURE__ */ byName([
  [/* @__PURE__ */ of('string', ['text']), 'VARCHAR'],
  [/* @__PURE__ */ of('uuid', ['uuid']), 'UUID'],
  [/* @__PURE__ */ of('string', ['enum'], 'DuckDB orders it as it is declared, and a cursor compares texts'), 'ENUM'],
  [
    ({ typeName }) => of(/^U?BIGINT$/.test(typeName) ? 'bigint' : 'integer', [...integers, 'decimal']),
    ...['TINYINT', 'SMALLINT', 'INTEGER', 'BIGINT', 'UTINYINT', 'USMALLINT', 'UINTEGER', 'UBIGINT'],
  ],
  [(facts) => decimals(facts, ['decimal'], 'double precision'), 'DECIMAL'],
  [floats, 'FLOAT'],
  [/* @__PURE__ */ of('number', ['double precision']), 'DOUBLE'],
  [/* @__PURE__ */ of('boolean', ['boolean']), 'BOOLEAN'],
  [/* @__PURE__ */ of('date', ['date']), 'DATE'],
  [/* @__PURE__ */ of('datetime', ['timestamptz', 'timestamp'], dayOfMoment), 'TIMESTAMP', 'TIMESTAMP WITH TIME ZONE'],
  [
    /* @__PURE__ */ of('datetime', ['timestampOther'], 'it has other digits than microseconds: equality finds nothing'),
    ...['TIMESTAMP_S', 'TIMESTAMP_MS', 'TIMESTAMP_NS'],
  ],
  [json, 'JSON'],
  [nothing, 'BLOB', 'BIT', 'INTERVAL', 'TIME', 'TIME WITH TIME ZONE', 'STRUCT', 'MAP', 'UNION', 'HUGEINT', 'UHUGEINT'],
])

/** SQLite has no rules, because its declared types do not limit the values: see forms.ts. */
const rules: Readonly<Record<Engine, Rules>> = {
  postgres: postgresRules,
  mysql: mysqlRules,
  mariadb: mysqlRules,
  duckdb: duckdbRules,
  sqlite: {},
}

const nativeEnum: Rule = /* @__PURE__ */ of(
  'string',
  ['enum'],
  'it has no comparison with a text: the first filter is an error',
)

/** Finds the rule of a column. Returns `undefined` for a type without a rule, such as a type of an extension. */
export function ruleOf(engine: Engine, facts: ColumnFacts, session: Session): Rule | undefined {
  if (engine === 'postgres' && facts.enum !== undefined) return nativeEnum
  const rule = own(rules[engine], facts.typeName)
  return typeof rule === 'function' ? rule(facts, session) : rule
}
