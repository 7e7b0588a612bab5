/** For the compiler: the rows that statements read, in the form of a schema that JSON can have. */
import type { EnumerationField, Fields, ListField, ObjectField, RequiredField, ScalarField } from './schema.ts'

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
type ReadValue<D> =
  D extends EnumerationField<infer V>
    ? V
    : D extends ListField<infer E>
      ? readonly (ReadValue<E> | null)[]
      : D extends ObjectField<infer F>
        ? ReadRow<F>
        : D extends ScalarField<infer T>
          ? ScalarValue[T]
          : never

/**
 * A row that a backend reads: every field of the schema, `null` where it has no value. A required field has one. Uuids, bigints,
 * decimals, dates and datetimes are canonical text, and so JSON can have every value.
 */
export type ReadRow<F extends Fields> = string extends keyof F
  ? // The compiler does not know the fields.
    { readonly [name: string]: unknown }
  : { readonly [K in keyof F]: F[K] extends RequiredField ? ReadValue<F[K]> : ReadValue<F[K]> | null }
