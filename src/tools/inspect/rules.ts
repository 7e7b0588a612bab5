/** The rule for the type of a column: the row of the table of SQL types, with the facts that the name of a type does not contain. */
import type { ColumnType } from '../../backends/sql/index.ts'
import type { LiteralType } from '../../tree/index.ts'
import { own } from '../../own.ts'
import { isUnmapped, noField, ofJson, pgEnum, sqlTypes } from '../sql-types.ts'
import type { MappedType, JsonType, SqlType } from '../sql-types.ts'
import type { ColumnFacts, Engine, Session } from './database.ts'

/** The rule of a type. */
export interface Rule {
  /** The types of the dialect that read the column correctly. `pull` writes the first. */
  readonly types: readonly ColumnType[]
  /** The literal type of the field. It is `undefined` for JSON, and for a type that no field can contain. */
  readonly literal: LiteralType | undefined
  /** The type of the `jsonColumn` that reads the column. */
  readonly jsonType: JsonType | undefined
  /** The problem with all other types. */
  readonly otherwise: string
}

/** The code for a column with JSON. */
export const jsonColumnText = (name: string, type: JsonType): string =>
  type === 'usual' ? `jsonColumn('${name}')` : `jsonColumn('${name}', { type: '${type}' })`

const another = 'the engine compares it as another type'

function ruleFor(type: SqlType): Rule {
  if (isUnmapped(type)) {
    return { types: type.also ?? [], literal: undefined, jsonType: own(type, 'jsonType'), otherwise: type.reason }
  }
  const { literal, types, also = [], otherwise = another } = type
  const all = new Set([types[literal]!, ...Object.values(types), ...also])
  return { types: [...all], literal, jsonType: undefined, otherwise }
}

/** Finds the rule of a column. Returns `undefined` for a type without a row, such as a type of an extension. */
export function ruleOf(engine: Engine, facts: ColumnFacts, session: Session): Rule | undefined {
  // SQLite does not limit the values of a column by its declared type: see forms.ts.
  if (engine === 'sqlite') return undefined
  if (engine === 'postgres' && facts.enum !== undefined) return ruleFor(pgEnum)
  // PostgreSQL's "char" is a byte.
  if (facts.type === '"char"') return undefined
  const type = own(sqlTypes[engine], engine === 'duckdb' ? facts.typeName.toLowerCase() : facts.typeName)
  return type && ruleFor(refine[engine](type, facts, session))
}

/** A double represents 15 digits exactly. A decimal with more digits needs the exact type. */
function withDigits(type: SqlType, { precision, scale }: ColumnFacts, double: ColumnType): SqlType {
  if (isUnmapped(type) || type.literal !== 'decimal') return type
  const isShort = precision !== undefined && precision <= 15
  return { ...type, also: [...(scale === 0 ? (['bigint'] as const) : []), ...(isShort ? [double] : [])] }
}

function inPostgres(type: SqlType, facts: ColumnFacts, { timeZone = 'UTC' }: Session): SqlType {
  if (facts.typeName !== 'timestamp' || isUnmapped(type)) return withDigits(type, facts, 'double precision')
  return { ...type, otherwise: `PostgreSQL reads it in the zone of the session, here ${timeZone}: pages repeat` }
}

const refine: Readonly<
  Record<Exclude<Engine, 'sqlite'>, (type: SqlType, facts: ColumnFacts, session: Session) => SqlType>
> = {
  postgres: inPostgres,
  mysql: inMysql,
  mariadb: inMysql,
  duckdb: (type, facts) => withDigits(type, facts, 'double precision'),
}

const characterSets = ['ascii', 'latin1', 'utf8mb3'] as const
const bit: MappedType = { literal: 'boolean', types: { boolean: 'boolean' } }
const bytesOfUuid: MappedType = { literal: 'uuid', types: { uuid: 'uuidBytes' } }

function inMysql(type: SqlType, facts: ColumnFacts): SqlType {
  const { typeName, charset = 'utf8mb4' } = facts
  if (facts.type === 'bit(1)') return bit
  if (typeName === 'binary') return facts.length === 16 ? bytesOfUuid : noField
  // MariaDB stores JSON as a text.
  if (typeName === 'json' && facts.charset !== undefined) return { ...ofJson, also: ['text', 'orderedText'] }
  if (isUnmapped(type) || charset === 'utf8mb4' || !/^(?:text|enum)$/.test(type.types.string ?? ''))
    return withDigits(type, facts, 'double')
  const [set] = characterSets.filter((name) => name === charset)
  return {
    literal: 'string',
    types: { ...(set && { string: set }), uuid: 'uuidText' },
    otherwise: `it is in ${charset}: ORDER BY is an error of the engine (1253)`,
  }
}
