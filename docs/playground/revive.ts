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

type Stored = Table['columns'][string]

const columnsOf = (columns: Table['columns']): ColumnOptions =>
  Object.fromEntries(Object.entries(columns).map(([name, stored]) => [name, storedOf(stored)]))

const typeOf = ({ type, digits, typeName }: Extract<Stored, { readonly kind: 'column' | 'array' }>) => ({
  // The dialect refuses a type that it lacks.
  ...(type !== undefined && { type: type as never }),
  ...(digits !== undefined && { digits }),
  ...(typeName !== undefined && { name: typeName }),
})

function storedOf(stored: Stored): NonNullable<ColumnOptions[string]> {
  switch (stored.kind) {
    case 'column':
      return column(stored.name, { ...typeOf(stored), notNull: stored.notNull === true })
    case 'array':
      return arrayColumn(stored.name, typeOf(stored))
    case 'json':
      return jsonColumn(stored.name)
    case 'flattened':
      return columnsOf(stored.columns)
    case 'parent': {
      const { name, key, foreignKey, columns, where } = stored
      return parentTable(name, { key, foreignKey, columns: columnsOf(columns), ...(where && { where }) })
    }
    case 'child': {
      const { name, key, foreignKey, columns, value, orderBy, where } = stored
      return childTable(name, {
        key,
        foreignKey,
        columns: columnsOf(columns),
        ...(value !== undefined && { value: column(value.name, typeOf(value)) }),
        ...(orderBy !== undefined && { orderBy }),
        ...(where && { where }),
      })
    }
  }
}

/** @throws TypeError for data that the library does not accept. */
export function revive(data: ListData): Pick<SubjectOptions, 'name' | 'collection' | 'table' | 'dialects'> {
  const schema = defineSchema(data.fields)
  const { name, key, columns, where } = data.table
  const named = Object.entries(dialects).filter(([, one]) => one.name === data.dialect)
  if (named.length === 0) throw new TypeError(`the dialect ${data.dialect} is unknown`)
  return {
    name: data.name,
    collection: defineCollection(schema, data.collection),
    table: table(name, { schema, key, columns: columnsOf(columns), ...(where && { where }) }),
    dialects: Object.fromEntries(named),
  }
}
