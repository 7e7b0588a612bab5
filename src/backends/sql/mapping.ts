/** How fields are stored: in columns, in other tables, in JSON and in arrays. */
import { own, ownOf } from '../../own.ts'
import type { Field, Fields, ListField, ObjectField, Schema } from '../../language/index.ts'
import type { SortKey } from '../../query/index.ts'
import type { DuckdbType } from './dialect/duckdb.ts'
import type { MysqlType } from './dialect/mysql.ts'
import type { PostgresType } from './dialect/postgres.ts'
import type { SqliteType } from './dialect/sqlite.ts'

/** The types of columns that the package's dialects have. */
export type ColumnType = PostgresType | MysqlType | SqliteType | DuckdbType

/** The name of a table, alone or with its schema in the database: `['booking', 'orders']`. */
export type Name = string | readonly string[]

/**
 * Selects rows of a table by the values of its columns. A row needs all of them. `null` selects NULL. `{ not: null }` selects every value.
 * The database compares every other value by `=`. The columns have the names of the database.
 */
export type TableWhere = Readonly<Record<string, string | number | boolean | null | { readonly not: null }>>

/** The type that a column, or an array of its entries, declares. */
interface Typed extends Made {
  /** One of the dialect's `types`. Default: that of the dialect for the field. */
  readonly type?: string
  /** The digits after the point, for types that depend on them. */
  readonly digits?: number
  /** The name that the database gives to the type. */
  readonly typeName?: Name
}
/** A scalar, in a column; made by `column()`. */
export interface Column extends Typed {
  readonly kind: 'column'
  readonly name: string
  /** Whether the column is declared NOT NULL. */
  readonly notNull?: boolean
  /** `'null'` reads a value that the type cannot read as NULL. */
  readonly invalid?: 'null'
}
/** A list, an object or a scalar, as JSON in a column; made by `jsonColumn()`. */
export interface JsonColumn extends Made {
  readonly kind: 'json'
  readonly name: string
  /** The type of the column, if it differs from the usual JSON type of the engine. */
  readonly type?: 'json'
}
/** A list of scalars, stored as a native array. `arrayColumn()` makes it. */
export interface ArrayColumn extends Typed {
  readonly kind: 'array'
  readonly name: string
}
/** A list whose entries are rows of another table; made by `childTable()`. */
export interface ChildTable<Names = string, C = ColumnOptions> extends OtherTable<Names, C> {
  readonly kind: 'child'
  /** In a list of scalars: the column with the entry. */
  readonly value?: Column
  /** The columns that order the entries of a list. Default: the key. */
  readonly orderBy?: readonly string[]
  /** The table that has `foreignKey`, and refers to the entries. Without it, the table of the entries has `foreignKey`. */
  readonly through?: JoinTable
}
/** A join table. Each of its rows refers to one row and to one entry of the row's list. */
export interface JoinTable {
  readonly name: Name
  /** The columns that refer to the key of the entry. */
  readonly otherKey: readonly string[]
  readonly where?: TableWhere
}
/** An object, as the row of another table that this row refers to; made by `parentTable()`. */
export interface ParentTable<Names = string, C = ColumnOptions> extends OtherTable<Names, C> {
  readonly kind: 'parent'
}
interface OtherTable<Names, C> extends Made {
  readonly name: Name
  readonly key: readonly string[]
  readonly foreignKey: readonly string[]
  readonly where?: TableWhere
  /** Each `foreignKey` without a NULL finds its row. */
  readonly enforced?: true
  readonly columns: Columns
  /** For the compiler alone: the mapped fields, to compare with the schema. */
  readonly [mapped]?: { readonly fields: Names; readonly columns: C }
}
declare const mapped: unique symbol
/** An object, spread over columns; written as a plain object of columns. */
export interface Flattened {
  readonly kind: 'flattened'
  readonly columns: Columns
}
/** How a field is stored. */
export type Stored = Column | JsonColumn | ArrayColumn | ChildTable | ParentTable | Flattened
/** How each field is stored, by its name. */
export interface Columns {
  readonly [field: string]: Stored
}

/** For the compiler alone: no plain object has it. */
interface Made {
  readonly [made]?: true
}
declare const made: unique symbol

/** The mapping of a field: the name of a column, a plain object for the fields of an object, or the result of a function of this module. */
export type StoredAs<D extends Field> =
  D extends ObjectField<infer F>
    ? JsonColumn | ParentTable<keyof F, ColumnOptions<F>> | ColumnOptions<F>
    : D extends ListField<infer E>
      ? JsonColumn | (E extends ObjectField<infer F> ? ChildTable<keyof F, ColumnOptions<F>> : ChildTable | ArrayColumn)
      : string | Column | JsonColumn

/** How each field is stored, by its name: the name of a column, a plain object for the fields of an object, or a {@link Stored}. */
export type ColumnOptions<F extends Fields = Fields> = { readonly [K in keyof F]?: StoredAs<F[K]> } & {
  readonly [made]?: never
}

/** An order that an index has: its fields, first to last. The columns of the key follow. */
export type IndexedOrder = readonly Pick<SortKey, 'path' | 'direction'>[]

/** A table, and how it stores the fields of a schema; made by `table()`. */
export interface Table<F extends Fields = Fields> {
  readonly name: Name
  readonly key: readonly string[]
  readonly columns: Columns
  readonly schema?: Schema<F>
  readonly where?: TableWhere
  /** The orders that indexes have. */
  readonly orders: readonly IndexedOrder[]
}

/** Reads the mark of a column of the join table. `childTable` sets the mark, a property that the public type lacks. */
export const isJoined = (stored: Stored): boolean => own(stored as { readonly isJoined?: true }, 'isJoined') === true

/**
 * One table in the chain of joins from a row to its list or parent. The join compares `columns` of this table with `before` of the table
 * before it.
 */
export interface Tie {
  /** `child`: this table has the foreign key. `parent`: the table before it has the foreign key. */
  readonly kind: 'child' | 'parent'
  readonly name: Name
  readonly columns: readonly string[]
  readonly before: readonly string[]
  readonly where: TableWhere | undefined
}

/** Returns the chain of joins from a row to another table. The other table is the last one. @param key the key of the row. */
export function tiesTo(
  { kind, name, key: ofOther, foreignKey, ...other }: ChildTable | ParentTable,
  key: readonly string[],
): readonly [Tie, ...Tie[]] {
  const { where, through } = ownOf(other as Pick<ChildTable, 'where' | 'through'>)
  const toParent = (before: readonly string[]): Tie => ({ kind: 'parent', name, columns: ofOther, before, where })
  if (kind === 'parent') return [toParent(foreignKey)]
  const { name: child, where: ofChild } = through === undefined ? { name, where } : ownOf(through)
  const tie: Tie = { kind, name: child, columns: foreignKey, before: key, where: ofChild }
  return through === undefined ? [tie] : [tie, toParent(through.otherKey)]
}

/** The columns that a mapping has inside: those of another table, or of an object that is spread over columns. */
export const columnsIn = (stored: Stored): Columns | undefined =>
  own(stored as Extract<Stored, { columns: Columns }>, 'columns')
