/** The SQL types of each engine: the field of each, and the types of the dialect that read it. `check`, `pull` and `fromDrizzle` read this table. */
import type { LiteralType } from '../tree/index.ts'
import type { ColumnType } from '../backends/sql/index.ts'

/** A SQL type that a column of the dialect reads. */
export interface MappedType {
  /** The type of the field, by default. */
  readonly literal: LiteralType
  /** The type of the dialect for each type of a field. */
  readonly types: Readonly<Partial<Record<LiteralType, ColumnType>>>
  /** Further types of the dialect that read the column correctly. */
  readonly also?: readonly ColumnType[]
  /** The problem with all other types of the dialect. */
  readonly otherwise?: string
  /** The type of the field for another kind of value that Drizzle reads: `number`, `boolean` or `date`. */
  readonly readAs?: Readonly<Record<string, LiteralType>>
  /** The digits of a second if the SQL type names no precision. */
  readonly digits?: number
}
/** The usual type of JSON of an engine, or PostgreSQL's `json`. */
export type JsonType = 'usual' | 'json'
export const isJsonType = (type: unknown): type is JsonType => type === 'usual' || type === 'json'

/** A SQL type that no column of the dialect reads. */
export interface UnmappedType {
  readonly reason: string
  /** The type of the `jsonColumn` that reads it. */
  readonly jsonType?: JsonType
  /** The types of the dialect that read its text. */
  readonly also?: readonly ColumnType[]
}
export type SqlType = MappedType | UnmappedType

export const isUnmapped = (type: SqlType): type is UnmappedType => Object.hasOwn(type, 'reason')

export const noField: UnmappedType = { reason: 'no field holds it' }
export const ofJson: UnmappedType = { reason: 'jsonColumn alone reads its members', jsonType: 'usual' }

type Types = Readonly<Record<string, SqlType>>
/* @__NO_SIDE_EFFECTS__ */ const byName = (rows: readonly (readonly [SqlType, ...string[]])[]): Types =>
  Object.fromEntries(rows.flatMap(([type, ...names]) => names.map((name) => [name, type])))

const noComparison = 'the first filter is an error of the database'
const noTimeOfDay = 'it has a time of day, which a date lacks'
/** Of all engines with these types. */
const floats: MappedType = {
  literal: 'number',
  types: { number: 'real', integer: 'real' },
  otherwise: 'a value of 32 bits equals no operand of 64: equality finds nothing, and pages repeat',
}
const booleans: MappedType = { literal: 'boolean', types: { boolean: 'boolean' }, otherwise: noComparison }
const dates: MappedType = { literal: 'date', types: { date: 'date' }, otherwise: 'a date has no time of day' }
const times: MappedType = { literal: 'time', types: { time: 'time' }, otherwise: 'it has times of day' }
const years: MappedType = {
  literal: 'integer',
  types: { integer: 'year' },
  otherwise: 'the engine reads 20 as 2020 where it compares one with a number',
}
const uuids: MappedType = { literal: 'uuid', types: { uuid: 'uuid', string: 'uuid' }, otherwise: noComparison }

// --- PostgreSQL

/** Of `pgEnum`. Its SQL type is a name of the program. */
export const pgEnum: MappedType = {
  literal: 'string',
  types: { string: 'enum' },
  also: ['orderedEnum'],
  otherwise: 'it has no comparison with a text: the first filter is an error',
}
const pgInteger: MappedType = {
  literal: 'integer',
  types: { integer: 'bigint', bigint: 'bigint', number: 'numeric', decimal: 'numeric' },
  also: ['double precision', 'bigintText', 'scaled', 'epochMs', 'epochS'],
}
/* @__NO_SIDE_EFFECTS__ */ const pgMoment = (type: 'timestamp' | 'timestamptz'): MappedType => ({
  literal: 'datetime',
  types: { datetime: type },
  otherwise: noTimeOfDay,
  digits: 6,
})
const postgres = /* @__PURE__ */ byName([
  [
    {
      literal: 'string',
      types: { string: 'text', uuid: 'text', date: 'text', datetime: 'text', time: 'text' },
      otherwise: noComparison,
    },
    ...['text', 'varchar', 'character varying', 'name'],
  ],
  [
    {
      literal: 'string',
      types: { string: 'char', uuid: 'char' },
      otherwise: 'it pads values with spaces, which the text lacks',
    },
    ...['char', 'character', 'bpchar'],
  ],
  [
    {
      literal: 'string',
      types: { string: 'citext' },
      otherwise: 'its order ignores case, and a cursor does not: rows are lost',
    },
    'citext',
  ],
  [uuids, 'uuid'],
  [pgInteger, 'smallint', 'integer', 'int', 'int2', 'int4', 'smallserial', 'serial'],
  [
    {
      // A number in JavaScript where the option `mode` sets it; the column has greater values.
      literal: 'bigint',
      readAs: { number: 'integer' },
      types: { ...pgInteger.types, string: 'bigintText', datetime: 'epochMs' },
      also: ['double precision', 'scaled', 'epochS'],
    },
    ...['bigint', 'int8', 'bigserial'],
  ],
  [
    {
      literal: 'decimal',
      readAs: { number: 'number' },
      types: { decimal: 'numeric', number: 'numeric', integer: 'numeric', bigint: 'numeric' },
      otherwise: 'an operand of 64 bits has 15 digits',
    },
    ...['numeric', 'decimal'],
  ],
  [
    { literal: 'number', types: { number: 'double precision', integer: 'double precision' }, also: ['numeric'] },
    ...['double precision', 'float8'],
  ],
  [floats, 'real', 'float4'],
  [booleans, 'boolean', 'bool'],
  [dates, 'date'],
  [{ ...times, types: { time: 'time', string: 'time' }, otherwise: noComparison }, 'time', 'time without time zone'],
  [/* @__PURE__ */ pgMoment('timestamp'), 'timestamp', 'timestamp without time zone'],
  [/* @__PURE__ */ pgMoment('timestamptz'), 'timestamptz', 'timestamp with time zone'],
  [ofJson, 'jsonb'],
  [{ reason: 'PostgreSQL compares jsonb alone: make it jsonb, or name the type', jsonType: 'json' }, 'json'],
  [noField, 'time with time zone', 'timetz', 'interval', 'inet', 'cidr', 'macaddr', 'macaddr8'],
  [noField, 'money', 'bytea', 'xml', 'tsvector', 'tsquery', 'bit', 'bit varying', 'varbit', 'hstore', 'ltree'],
  [noField, 'point', 'line', 'lseg', 'box', 'path', 'polygon', 'circle', 'geometry', 'geography'],
  [noField, 'vector', 'halfvec', 'sparsevec'],
  [noField, 'int4range', 'int8range', 'numrange', 'tsrange', 'tstzrange', 'daterange'],
])

// --- MySQL and MariaDB

const mysqlInteger: MappedType = {
  literal: 'integer',
  types: { integer: 'bigint', bigint: 'bigint', number: 'bigint', boolean: 'boolean' },
  also: ['double', 'decimal', 'nonzero', 'bigintText', 'scaled', 'epochMs', 'epochS'],
}
const mysql = /* @__PURE__ */ byName([
  [
    {
      literal: 'string',
      types: { string: 'text', uuid: 'uuidText', date: 'text', datetime: 'text', time: 'text' },
      also: ['orderedText', 'enum'],
    },
    ...['text', 'tinytext', 'mediumtext', 'longtext', 'varchar', 'char'],
  ],
  [{ literal: 'string', types: { string: 'enum' }, also: ['text'] }, 'enum'],
  [{ literal: 'uuid', types: { uuid: 'uuid' } }, 'uuid'],
  [mysqlInteger, 'tinyint', 'smallint', 'mediumint', 'int', 'integer'],
  [
    {
      literal: 'bigint',
      readAs: { number: 'integer' },
      types: { integer: 'bigint', bigint: 'bigint', number: 'bigint', string: 'bigintText', datetime: 'epochMs' },
      also: ['double', 'decimal', 'boolean', 'nonzero', 'scaled', 'epochS'],
    },
    ...['bigint', 'serial'],
  ],
  [
    {
      literal: 'decimal',
      readAs: { number: 'number' },
      types: { decimal: 'decimal', number: 'decimal', integer: 'decimal' },
      otherwise: 'an operand of 64 bits has 15 digits',
    },
    ...['decimal', 'numeric'],
  ],
  [
    { literal: 'number', types: { number: 'double', integer: 'double' }, also: ['decimal'] },
    ...['double', 'double precision', 'real'],
  ],
  [floats, 'float'],
  [years, 'year'],
  [booleans, 'boolean', 'bool'],
  [dates, 'date'],
  [
    { literal: 'datetime', types: { datetime: 'datetime' }, otherwise: noTimeOfDay, digits: 0 },
    ...['datetime', 'timestamp'],
  ],
  [ofJson, 'json'],
  [times, 'time'],
  [noField, 'bit', 'set', 'binary', 'varbinary', 'tinyblob', 'blob', 'mediumblob', 'longblob'],
  [noField, 'inet4', 'inet6', 'vector'],
  [noField, 'geometry', 'point', 'linestring', 'polygon', 'multipoint', 'multilinestring', 'multipolygon'],
  [noField, 'geometrycollection', 'geomcollection'],
])

// --- SQLite

/** An integer of a moment counts milliseconds, or in the mode `timestamp` of Drizzle seconds. */
/* @__NO_SIDE_EFFECTS__ */ export const sqliteInteger = (datetime: 'epochMs' | 'epochS'): MappedType => ({
  literal: 'integer',
  readAs: { boolean: 'boolean', date: 'datetime' },
  types: { integer: 'integer', bigint: 'integer', number: 'integer', boolean: 'boolean', datetime },
  digits: 3,
})
const sqlite = /* @__PURE__ */ byName([
  [
    {
      literal: 'string',
      types: { string: 'text', uuid: 'text', date: 'isoText', datetime: 'isoText', time: 'isoText' },
    },
    ...['text', 'varchar', 'char'],
  ],
  [/* @__PURE__ */ sqliteInteger('epochMs'), 'integer', 'int', 'bigint'],
  [{ literal: 'number', types: { number: 'real', integer: 'integer' } }, 'real', 'double', 'numeric', 'decimal'],
  [noField, 'blob'],
])

// --- DuckDB

/* @__NO_SIDE_EFFECTS__ */ const duckdbInteger = (literal: 'integer' | 'bigint'): MappedType => ({
  literal,
  types: pgInteger.types,
  also: [...pgInteger.also!, 'decimal'],
})
const duckdb = /* @__PURE__ */ byName([
  [{ literal: 'string', types: { string: 'text' } }, 'varchar'],
  [{ literal: 'uuid', types: { uuid: 'uuid' } }, 'uuid'],
  [
    {
      literal: 'string',
      types: { string: 'enum' },
      otherwise: 'DuckDB orders it as it is declared, and a cursor compares texts',
    },
    'enum',
  ],
  [/* @__PURE__ */ duckdbInteger('integer'), 'tinyint', 'smallint', 'integer', 'utinyint', 'usmallint', 'uinteger'],
  [/* @__PURE__ */ duckdbInteger('bigint'), 'bigint', 'ubigint'],
  [{ literal: 'decimal', types: { decimal: 'decimal' }, otherwise: 'an operand of 64 bits has 15 digits' }, 'decimal'],
  [floats, 'float'],
  [{ literal: 'number', types: { number: 'double precision' } }, 'double'],
  [booleans, 'boolean'],
  [dates, 'date'],
  [
    { literal: 'datetime', types: { datetime: 'timestamptz' }, also: ['timestamp'], otherwise: noTimeOfDay },
    ...['timestamp', 'timestamp with time zone'],
  ],
  [
    {
      literal: 'datetime',
      types: { datetime: 'timestampOther' },
      otherwise: 'it has other digits than microseconds: equality finds nothing',
    },
    ...['timestamp_s', 'timestamp_ms', 'timestamp_ns'],
  ],
  [ofJson, 'json'],
  [times, 'time'],
  [noField, 'blob', 'bit', 'interval', 'time with time zone', 'struct', 'map', 'union', 'hugeint', 'uhugeint'],
])

/** The SQL types of each engine, by their names in lower case. */
export const sqlTypes = /* @__PURE__ */ (() => ({ postgres, mysql, mariadb: mysql, sqlite, duckdb }))()
