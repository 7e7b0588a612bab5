/** For the compiler: the rows that backends read, in the form of a schema that JSON can have. */
import type {
  Behind,
  EnumerationField,
  Fields,
  First,
  ListField,
  ObjectField,
  RequiredField,
  ScalarField,
} from './schema.ts'

type ScalarValue = {
  string: string
  uuid: string
  integer: number
  bigint: string
  number: number
  decimal: string
  boolean: boolean
  date: string
  datetime: string
}
type Scalar<D> = D extends EnumerationField<infer V> ? V : D extends ScalarField<infer T> ? ScalarValue[T] : never
type OrNull<D, V> = D extends RequiredField ? V : V | null

/** All of a row. */
type Whole<F extends Fields> = { readonly [K in keyof F]: OrNull<F[K], WholeValue<F[K]>> }
type WholeValue<D> =
  D extends ListField<infer E>
    ? readonly (WholeValue<E> | null)[]
    : D extends ObjectField<infer F>
      ? Whole<F>
      : Scalar<D>

/** What paths name of a row. */
type Named<F extends Fields, P extends string> = {
  readonly [K in keyof F & First<P>]: OrNull<F[K], K extends P ? WholeValue<F[K]> : NamedValue<F[K], Behind<P, K>>>
}
type NamedValue<D, P extends string> =
  D extends ListField<infer E>
    ? readonly (NamedValue<E, P> | null)[]
    : D extends ObjectField<infer F>
      ? Named<F, P>
      : Scalar<D>

/** A row without what is at some paths. */
type Without<F extends Fields, P extends string> = {
  readonly [K in Exclude<keyof F, P>]: OrNull<
    F[K],
    K extends First<P> ? ValueWithout<F[K], Behind<P, K>> : WholeValue<F[K]>
  >
}
type ValueWithout<D, P extends string> =
  D extends ListField<infer E>
    ? readonly (ValueWithout<E, P> | null)[]
    : D extends ObjectField<infer F>
      ? Without<F, P>
      : Scalar<D>

/** Some of a row: only the running program knows which fields it has. */
type Some<F extends Fields> = { readonly [K in keyof F]?: OrNull<F[K], SomeValue<F[K]>> }
type SomeValue<D> =
  D extends ListField<infer E> ? readonly (SomeValue<E> | null)[] : D extends ObjectField<infer F> ? Some<F> : Scalar<D>

/**
 * A row that a backend reads: each field of the query, `null` where it has no value. A required field has one. Uuids, bigints,
 * decimals, dates and datetimes are canonical text, and so JSON can have every value.
 *
 * @typeParam Asked the paths of the fields that a query names; `undefined` for all. A union of both leaves every field optional.
 * @typeParam Hidden the paths of what the query hides.
 */
export type ReadRow<
  F extends Fields,
  Asked extends string | undefined = undefined,
  Hidden extends string = never,
> = string extends keyof F
  ? // The compiler does not know the fields.
    { readonly [name: string]: unknown }
  : [Asked] extends [undefined]
    ? [Hidden] extends [never]
      ? Whole<F>
      : string extends Hidden
        ? Some<F>
        : Without<F, Hidden>
    : undefined extends Asked
      ? Some<F>
      : Named<F, Asked & string>
