/** The JSON of `serve` → a list, by the library's own makers, which check it. */
import {
  arrayColumn,
  childTable,
  column,
  d1,
  duckdb,
  jsonColumn,
  libsql,
  mariadb,
  mysql,
  parentTable,
  postgres,
  postgres17,
  sqlite,
  table,
  turso,
  vitess,
  type ColumnOptions,
  type Dialect,
  type Table,
} from '../../src/backends/sql/index.ts'
import { defineCollection, defineSchema, type CollectionOptions, type Fields } from '../../src/index.ts'
import { columnsBy, type Make } from './stored.ts'
import type { SubjectOptions } from './subject.ts'

/** A list in `/playground.json`. src/cli/list-data.ts writes it. */
export interface ListData {
  readonly name: string
  readonly dialect: string
  readonly fields: Fields
  readonly collection: CollectionOptions
  readonly table: Pick<Table, 'name' | 'key' | 'columns' | 'where'>
}

/** The dialects by the names that the page shows. */
const dialects: Readonly<Record<string, Dialect>> = {
  PostgreSQL: postgres,
  'PostgreSQL 17+': postgres17,
  MySQL: mysql,
  MariaDB: mariadb,
  SQLite: sqlite,
  DuckDB: duckdb,
  ...{ libSQL: libsql, Turso: turso, D1: d1, Vitess: vitess },
}

const makers = { column, arrayColumn, jsonColumn, parentTable, childTable }
// The library checks each option, and refuses a type that the dialect lacks.
const make: Make = (maker, name, options) =>
  (makers[maker] as (name: unknown, options: object) => unknown)(name, options)

/** @throws TypeError for data that the library does not accept. */
export function revive(data: ListData): Pick<SubjectOptions, 'name' | 'collection' | 'options' | 'table' | 'dialects'> {
  const schema = defineSchema(data.fields)
  const { name, key, columns, where } = data.table
  const named = Object.entries(dialects).filter(([, one]) => one.name === data.dialect)
  if (named.length === 0) throw new TypeError(`the dialect ${data.dialect} is unknown`)
  return {
    name: data.name,
    collection: defineCollection(schema, data.collection),
    options: data.collection,
    table: table(name, { schema, key, columns: columnsBy(columns, make) as ColumnOptions, ...(where && { where }) }),
    dialects: Object.fromEntries(named),
  }
}
