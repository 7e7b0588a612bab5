/** For the compiler: the rows that backends read, in the form of a schema that JSON can have. */
import type {
  Behind,
  EnumerationField,
  Fields,
  First,
  ListField,
  ObjectField,
  RecordField,
  RequiredField,
} from './schema.ts'
import type { Values } from './types.ts'

type ReadValue<D> =
  D extends EnumerationField<infer V>
    ? V
    : D extends ListField<infer E>
      ? readonly (ReadValue<E> | null)[]
      : D extends ObjectField<infer F>
        ? ReadRow<F>
        : D extends { readonly type: infer T extends keyof Values }
          ? Values[T]['read']
          : D extends RecordField<infer E>
            ? { readonly [key: string]: ReadValue<E> | null | undefined }
            : never

/**
 * A row that a backend reads. It has every field of the schema, `null` for no value. A required field is never `null`. Uuids, bigints,
 * decimals, dates and datetimes are canonical text, so JSON can represent every value.
 */
export type ReadRow<F extends Fields> = string extends keyof F
  ? // The compiler does not know the fields.
    { readonly [name: string]: unknown }
  : { readonly [K in keyof F]: F[K] extends RequiredField ? ReadValue<F[K]> : ReadValue<F[K]> | null }

// --- Rows of queries that name fields, or hide some

/** The part of a row that paths name. */
type Named<Row, P extends string> = {
  readonly [K in keyof Row as K & First<P>]: K extends P ? Row[K] : NamedIn<Row[K], Behind<P, K>>
}
type NamedIn<V, P extends string> = V extends readonly (infer E)[]
  ? readonly NamedIn<E, P>[]
  : V extends object
    ? Named<V, P>
    : V

/** A row without the values at some paths. */
type Without<Row, P extends string> = {
  readonly [K in keyof Row as Exclude<K, P>]: K extends First<P> ? WithoutIn<Row[K], Behind<P, K>> : Row[K]
}
type WithoutIn<V, P extends string> = V extends readonly (infer E)[]
  ? readonly WithoutIn<E, P>[]
  : V extends object
    ? Without<V, P>
    : V

/** A row of which only the running program knows the fields. */
type Some<Row> = { readonly [K in keyof Row]?: SomeIn<Row[K]> }
type SomeIn<V> = V extends readonly (infer E)[] ? readonly SomeIn<E>[] : V extends object ? Some<V> : V

/**
 * A row as a query reads it.
 *
 * @typeParam Row the whole row: see {@link ReadRow}.
 * @typeParam Asked the paths of the fields that the query names; `undefined` for all. A union of both leaves every field optional.
 * @typeParam Hidden the paths that the query hides.
 */
export type RowOf<Row, Asked extends string | undefined, Hidden extends string> = string extends Hidden
  ? [Asked] extends [string]
    ? Named<Row, Asked>
    : Some<Row>
  : AskedOf<Visible<Row, Hidden>, Asked>
type AskedOf<Row, Asked extends string | undefined> = [Asked] extends [undefined]
  ? Row
  : undefined extends Asked
    ? Some<Row>
    : Named<Row, Asked & string>
/** A row without hidden fields, also in the objects that a query names. */
type Visible<Row, Hidden extends string> = [Hidden] extends [never] ? Row : Without<Row, Hidden>
