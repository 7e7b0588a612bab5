/** The options and the result of `fromDrizzle`, as the compiler knows them. */
import type { Column } from 'drizzle-orm'
import type { LiteralType } from '../../tree/index.ts'
import type {
  EnumerationField,
  Field,
  Fields,
  JsonField,
  ListField,
  ObjectField,
  ScalarField,
  Schema,
} from '../../language/index.ts'
import type { Table } from '../../backends/sql/index.ts'
import type { Fit, ListOf, Promised } from '../foreign-fields.ts'

// --- Tables and relations, by their form: the versions of Drizzle name them differently.

interface AnyTable {
  readonly _: { readonly brand: 'Table'; readonly name: string; readonly columns: Record<string, Column> }
}
/** The result of `relations()`. */
interface Declared<Name extends string = string, Relations = unknown> {
  readonly $brand: 'Relations'
  readonly table: { readonly _: { readonly name: Name } }
  readonly config: (helpers: never) => Relations
}
/** A table of `defineRelations()`. */
interface Defined {
  readonly table: AnyTable
  readonly relations: object
}

/** A table of a program, with its relations. */
export interface TableTypes {
  readonly name: string
  readonly columns: Record<string, Column>
  readonly relations: unknown
}
export type TablesTypes = Record<string, TableTypes>

export type TablesOf<S> = {
  [K in keyof S as S[K] extends AnyTable | Defined ? K : never]: S[K] extends AnyTable
    ? { name: S[K]['_']['name']; columns: S[K]['_']['columns']; relations: DeclaredOf<S, S[K]['_']['name']> }
    : S[K] extends Defined
      ? { name: K & string; columns: S[K]['table']['_']['columns']; relations: S[K]['relations'] }
      : never
}
type DeclaredOf<S, Name extends string> = Or<
  { [K in keyof S]: S[K] extends Declared<infer N, infer R> ? ([N] extends [Name] ? R : never) : never }[keyof S],
  {}
>
type Or<T, None> = [T] extends [never] ? None : T

type Related<Ts extends TablesTypes, R> = R extends { readonly targetTableName: infer N extends keyof Ts }
  ? Ts[N]
  : R extends { readonly referencedTableName: infer N }
    ? { [K in keyof Ts]: [N] extends [Ts[K]['name']] ? Ts[K] : never }[keyof Ts]
    : never
/** Only a relation with `one` of `relations()` may be null. */
type IsMany<R> = R extends { readonly relationType: infer T }
  ? T extends 'many'
    ? true
    : false
  : R extends { readonly isNullable: boolean }
    ? false
    : true

// --- Options

/**
 * The columns and relations to include, in the form of the options of `findMany`.
 *
 * @example const shape = { columns: { margin: false }, with: { customer: true, items: { columns: { product: true } } } }
 */
export type DrizzleShape<Ts extends TablesTypes, T extends TableTypes> = {
  /** `true` includes a column and leaves out the others; `false` leaves out a column. Default: every column. */
  readonly columns?: { readonly [K in keyof T['columns']]?: boolean }
  /** The relations to include: `many` is a list, `one` an object. Default: none. */
  readonly with?: { readonly [K in keyof T['relations']]?: true | DrizzleShape<Ts, Related<Ts, T['relations'][K]>> }
}

/** Options of {@link fromDrizzle}. */
export type DrizzleOptions<Ts extends TablesTypes, T extends TableTypes> = DrizzleShape<Ts, T> & {
  /** Definitions by dotted path. Drizzle does not know the content of a JSON column, or that a text is a date. */
  readonly fields?: Readonly<Record<string, Field>>
  /** The `casing` of `drizzle()`, for columns that are declared without a name. */
  readonly casing?: 'snake_case' | 'camelCase'
}

/** The options without unknown names: the constraint of a type parameter lets an unknown name beside known ones pass. */
export type Exact<Ts extends TablesTypes, T extends TableTypes, O, Also extends string = never> = {
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

// --- Columns

/** The column types of Drizzle up to 0.45, by their fields. */
interface ColumnTypes {
  readonly string:
    'PgText' | 'PgVarchar' | 'PgChar' | 'MySqlText' | 'MySqlVarChar' | 'MySqlChar' | 'SQLiteText' | EnumTypes
  readonly uuid: 'PgUUID'
  readonly integer:
    | `Pg${'SmallInt' | 'Integer' | 'SmallSerial' | 'Serial' | 'BigInt53' | 'BigSerial53'}`
    | `MySql${'TinyInt' | 'SmallInt' | 'MediumInt' | 'Int' | 'Serial' | 'BigInt53' | 'Year'}`
    | 'SQLiteInteger'
  readonly bigint: 'PgBigInt64' | 'PgBigSerial64' | 'MySqlBigInt64'
  readonly decimal: 'PgNumeric' | 'PgNumericBigInt' | 'MySqlDecimal' | 'MySqlDecimalBigInt'
  readonly number:
    | 'PgNumericNumber'
    | 'PgDoublePrecision'
    | 'PgReal'
    | `MySql${'DecimalNumber' | 'Double' | 'Real' | 'Float'}`
    | `SQLite${'Real' | 'Numeric' | 'NumericNumber' | 'NumericBigInt'}`
  readonly boolean: 'PgBoolean' | 'MySqlBoolean' | 'SQLiteBoolean'
  readonly time: 'PgTime' | 'MySqlTime'
  readonly date: 'PgDate' | 'PgDateString' | 'MySqlDate' | 'MySqlDateString'
  readonly datetime:
    | 'PgTimestamp'
    | 'PgTimestampString'
    | `MySql${'DateTime' | 'DateTimeString' | 'Timestamp' | 'TimestampString'}`
    | 'SQLiteTimestamp'
  readonly json: 'PgJson' | 'PgJsonb' | 'MySqlJson' | 'SQLiteTextJson'
}
type EnumTypes = `${'Pg' | 'MySql'}Enum${'Column' | 'ObjectColumn'}`

/** The data types of Drizzle 1.0, by their fields. `object date` may be a date. */
interface DataTypes {
  readonly string: 'string' | 'string enum'
  readonly uuid: 'string uuid'
  readonly integer: `number ${'int' | 'uint'}${number}` | 'number year'
  readonly bigint: 'bigint int64' | 'bigint uint64' | 'string int64' | 'string uint64'
  readonly decimal: 'string numeric'
  readonly number: 'number' | `number ${'double' | 'float' | 'ufloat'}`
  readonly boolean: 'boolean'
  readonly date: 'string date'
  readonly time: 'string time'
  readonly datetime: 'object date' | 'string timestamp' | 'string datetime'
  readonly json: 'object json'
}
/** The field of a custom type: to the compiler, uuids and decimals in texts are texts. */
type FieldOfData<T> = [T] extends [string]
  ? 'string'
  : [T] extends [number]
    ? 'number'
    : [T] extends [bigint]
      ? 'bigint'
      : [T] extends [boolean]
        ? 'boolean'
        : [T] extends [Date]
          ? 'datetime'
          : never

type Named<Types, Name> = { [K in keyof Types]: Name extends Types[K] ? K : never }[keyof Types] &
  (LiteralType | 'json')
/** The types of a column. */
interface Typed {
  readonly data: unknown
  readonly dataType: string
  readonly enumValues: unknown
  readonly columnType?: unknown
}
type TypeOf<C extends Typed> = C['dataType'] extends 'custom'
  ? FieldOfData<EntryData<C>>
  : C extends { readonly columnType: infer T extends string }
    ? Named<ColumnTypes, T>
    : Named<DataTypes, C['dataType']>
/** The data of one entry, where Drizzle 1.0 has those of an array. */
type EntryData<C extends Typed> = C['data'] extends readonly (infer E)[] ? E : C['data']

type Scalar<C extends Typed> = [TypeOf<C>] extends [LiteralType] ? ScalarOf<C, TypeOf<C>> : JsonField
type ScalarOf<C extends Typed, T extends LiteralType> = [T] extends [never]
  ? never
  : C['enumValues'] extends readonly (infer V extends string)[]
    ? string extends V
      ? ScalarField<T>
      : EnumerationField<V>
    : ScalarField<T>

type ColumnField<C extends Column> = C['_'] extends { readonly baseColumn: infer Entry }
  ? [Entry] extends [never]
    ? Promised<Scalar<C['_']>, C['_']['notNull']>
    : Entry extends Column
      ? ListOf<Scalar<Entry['_']>>
      : never
  : C['_']['data'] extends readonly unknown[]
    ? ListOf<Scalar<C['_']>>
    : Promised<Scalar<C['_']>, C['_']['notNull']>

/** The field of a column. A definition in the options comes first. */
type FieldOf<C extends Column, Path extends string, Given> = Path extends keyof Given ? Given[Path] : ColumnField<C>

type Taken<Columns, S> = S extends { readonly columns: infer Asked }
  ? [keyof Asked] extends [never]
    ? never
    : true extends Asked[keyof Asked]
      ? { [K in keyof Asked]: Asked[K] extends true ? K : never }[keyof Asked] & keyof Columns
      : Exclude<keyof Columns, keyof Asked>
  : keyof Columns

type RelationField<Ts extends TablesTypes, R, S, Path extends string, Given> =
  IsMany<R> extends true
    ? ListField<ObjectField<Fit<TableFields<Ts, Related<Ts, R>, S, Path, Given>>>>
    : ObjectField<Fit<TableFields<Ts, Related<Ts, R>, S, Path, Given>>>

type TableFields<Ts extends TablesTypes, T extends TableTypes, S, Path extends string, Given> = {
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
  Ts extends TablesTypes,
  T extends TableTypes,
  S,
  K extends string,
  Path extends string,
  Given,
> = S extends { readonly with: { readonly [R in K]: infer Inner } }
  ? RelationField<Ts, T['relations'][K & keyof T['relations']], Inner, `${Path}${K}.`, Given>
  : K extends keyof T['columns']
    ? FieldOf<T['columns'][K], `${Path}${K}`, Given>
    : never

/** The fields that the options make from a table. */
export type DrizzleFields<Ts extends TablesTypes, T extends TableTypes, O> = Fit<
  TableFields<Ts, T, O, '', O extends { readonly fields: infer G } ? G : {}>
>
