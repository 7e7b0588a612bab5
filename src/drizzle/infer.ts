/** The options and the result of `fromDrizzle`, as the compiler knows them. */
import type {
  Column,
  ExtractTablesWithRelations,
  FindTableByDBName,
  Many,
  One,
  Relation,
  TableRelationalConfig,
  TablesRelationalConfig,
} from 'drizzle-orm'
import type {
  EntryField,
  EnumerationField,
  Field,
  Fields,
  ListField,
  ObjectField,
  RequiredField,
  ScalarField,
  Schema,
} from '../language/index.ts'
import type { Table } from '../backends/sql/index.ts'
import type { columnTypes } from './columns.ts'

/**
 * The columns and relations to include, in the form of the options of `findMany`.
 *
 * @example const shape = { columns: { margin: false }, with: { customer: true, items: { columns: { product: true } } } }
 */
export type DrizzleShape<Ts extends TablesRelationalConfig, T extends TableRelationalConfig> = {
  /** `true` includes a column and leaves out the others; `false` leaves out a column. Default: every column. */
  readonly columns?: { readonly [K in keyof T['columns']]?: boolean }
  /** The relations to include: `many` is a list, `one` an object. Default: none. */
  readonly with?: { readonly [K in keyof T['relations']]?: true | DrizzleShape<Ts, Related<Ts, T['relations'][K]>> }
}

/** Options of {@link fromDrizzle}. */
export type DrizzleOptions<Ts extends TablesRelationalConfig, T extends TableRelationalConfig> = DrizzleShape<Ts, T> & {
  /** Definitions by dotted path. Drizzle does not know the content of a JSON column, or that a text is a date. */
  readonly fields?: Readonly<Record<string, Field>>
  /** The `casing` of `drizzle()`, for columns that are declared without a name. */
  readonly casing?: 'snake_case' | 'camelCase'
}

/** The options without unknown names: the constraint of a type parameter lets an unknown name beside known ones pass. */
export type Exact<
  Ts extends TablesRelationalConfig,
  T extends TableRelationalConfig,
  O,
  Also extends string = never,
> = {
  readonly [K in keyof O]: K extends 'columns'
    ? { readonly [C in keyof O[K]]: C extends keyof T['columns'] ? O[K][C] : never }
    : K extends 'with'
      ? {
          readonly [R in keyof O[K]]: R extends keyof T['relations']
            ? O[K][R] extends true
              ? true
              : Exact<Ts, Related<Ts, T['relations'][R]>, O[K][R]>
            : never
        }
      : K extends Also
        ? O[K]
        : never
}

/** A table of `urlwhere/sql` with its schema; made by {@link fromDrizzle}. */
export interface DrizzleTable<F extends Fields = Fields> extends Table {
  readonly schema: Schema<F>
}

type Related<Ts extends TablesRelationalConfig, R> = R extends Relation
  ? FindTableByDBName<Ts, R['referencedTableName']> extends infer T extends TableRelationalConfig
    ? T
    : never
  : never

type Scalar<C extends { readonly columnType: unknown; readonly enumValues: unknown }> =
  C['columnType'] extends keyof typeof columnTypes
    ? C['enumValues'] extends readonly (infer V extends string)[]
      ? string extends V
        ? ScalarField<(typeof columnTypes)[C['columnType']]['field']>
        : EnumerationField<V>
      : ScalarField<(typeof columnTypes)[C['columnType']]['field']>
    : never

type ColumnField<C extends Column> = C['_']['baseColumn'] extends infer Entry
  ? [Entry] extends [never]
    ? Promised<Scalar<C['_']>, C['_']['notNull']>
    : Entry extends Column
      ? ListOf<Scalar<Entry['_']>>
      : never
  : never
type Promised<F extends Field, IsNotNull> = IsNotNull extends true ? F & RequiredField : F
type ListOf<F> = [F] extends [never] ? never : F extends EntryField ? ListField<F> : never

/** The field of a column. A definition in the options comes first. */
type FieldOf<C extends Column, Path extends string, Given> = Path extends keyof Given ? Given[Path] : ColumnField<C>

type Taken<Columns, S> = S extends { readonly columns: infer Asked }
  ? [keyof Asked] extends [never]
    ? never
    : true extends Asked[keyof Asked]
      ? { [K in keyof Asked]: Asked[K] extends true ? K : never }[keyof Asked] & keyof Columns
      : Exclude<keyof Columns, keyof Asked>
  : keyof Columns

type RelationField<Ts extends TablesRelationalConfig, R, S, Path extends string, Given> =
  R extends Many<string>
    ? ListField<ObjectField<Fit<TableFields<Ts, Related<Ts, R>, S, Path, Given>>>>
    : R extends One
      ? ObjectField<Fit<TableFields<Ts, Related<Ts, R>, S, Path, Given>>>
      : never

type TableFields<Ts extends TablesRelationalConfig, T extends TableRelationalConfig, S, Path extends string, Given> = {
  readonly [
    K in (Taken<T['columns'], S> | TakenRelations<S>) & string as [MemberField<Ts, T, S, K, Path, Given>] extends [
      never,
    ]
      ? never
      : K
  ]: MemberField<Ts, T, S, K, Path, Given>
}
type TakenRelations<S> = S extends { readonly with: infer W } ? keyof W : never

type MemberField<
  Ts extends TablesRelationalConfig,
  T extends TableRelationalConfig,
  S,
  K extends string,
  Path extends string,
  Given,
> = S extends { readonly with: { readonly [R in K]: infer Inner } }
  ? RelationField<Ts, T['relations'][K], Inner, `${Path}${K}.`, Given>
  : K extends keyof T['columns']
    ? FieldOf<T['columns'][K], `${Path}${K}`, Given>
    : never

type Fit<F> = F extends Fields ? F : Fields

/** The fields that the options make from a table. */
export type DrizzleFields<Ts extends TablesRelationalConfig, T extends TableRelationalConfig, O> = Fit<
  TableFields<Ts, T, O, '', O extends { readonly fields: infer G } ? G : {}>
>

export type TablesOf<S extends Record<string, unknown>> = ExtractTablesWithRelations<S>
