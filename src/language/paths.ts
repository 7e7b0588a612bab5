/** The paths of a schema, as the compiler knows them. */
import type { OperatorName, OperatorRows } from './operators.ts'
import type { EnumerationField, Field, Fields, ListField, ObjectField, ScalarField } from './schema.ts'

// Texts made of keys, for the compiler prints those as the paths that there are; of other types it prints the alias and the schema.

/** Dotted paths of fields, through objects; a list is where they end. */
export type PathOf<F extends Fields> = `${keyof {
  [K in keyof F & string as K | (F[K] extends ObjectField<infer G> ? `${K}.${PathOf<G>}` : never)]: unknown
}}`

/** Dotted paths of fields, through objects and lists. */
export type PathThrough<F extends Fields> = `${keyof {
  [
    K in keyof F & string as
      K | (F[K] extends ObjectField<infer G> | ListField<ObjectField<infer G>> ? `${K}.${PathThrough<G>}` : never)
  ]: unknown
}}`

/** The definition of the field at a path. */
export type FieldAt<F extends Fields, P extends string> = P extends keyof F
  ? F[P]
  : P extends `${infer K}.${infer Rest}`
    ? F[K] extends ObjectField<infer G>
      ? FieldAt<G, Rest>
      : never
    : never

/** The definition of the field at a path through objects and lists; of a list, that of its entries. */
export type EntryAt<F extends Fields, P extends string> = P extends keyof F
  ? F[P] extends ListField<infer D>
    ? D
    : F[P]
  : P extends `${infer K}.${infer Rest}`
    ? F[K] extends ObjectField<infer G> | ListField<ObjectField<infer G>>
      ? EntryAt<G, Rest>
      : never
    : never

/** Paths of the fields of some definition. */
export type PathTo<F extends Fields, D extends Field> = `${keyof {
  [P in PathOf<F> as FieldAt<F, P> extends D ? P : never]: unknown
}}`

/** Paths of the fields that rows are ordered by: scalars outside lists. Any text, of a schema that the compiler does not know. */
export type OrderedPath<F extends Fields> = string extends keyof F ? string : PathTo<F, ScalarField | EnumerationField>

/** The operators that the field at a path takes; of a list, those that its entries take. All, of a field that the compiler does not know. */
export type OperatorAt<F extends Fields, P extends string> =
  Field extends EntryAt<F, P>
    ? OperatorName
    : {
        [N in OperatorName]: EntryAt<F, P> extends { readonly type: OperatorRows[N]['types'][number] } ? N : never
      }[OperatorName]

/**
 * A text as `sort` takes it, of these paths: the text itself, or what it should be, up to the first item that is wrong. A text that
 * the compiler does not know, such as `string`, is taken as it is.
 */
export type OrderText<T extends string, P extends string> = T extends string
  ? {} extends Record<T, 1>
    ? T
    : T extends `${infer Item},${infer Rest}`
      ? Item extends P | `-${P}`
        ? `${Item},${OrderText<Rest, P>}`
        : P | `-${P}`
      : P | `-${P}`
  : never
