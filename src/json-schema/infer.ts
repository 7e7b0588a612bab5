/** The fields of a JSON Schema, as the compiler knows them. */
import type { EnumerationField, Fields, ListField, EntryField, ObjectField, ScalarField } from '../language/index.ts'

/**
 * What zod, ArkType and valibot's `toStandardJsonSchema` make.
 *
 * @see https://standardschema.dev/json-schema
 */
export interface StandardJsonSchema<Output = unknown> {
  readonly '~standard': {
    readonly types?: { readonly output: Output } | undefined
    readonly jsonSchema: {
      readonly output: (options: {
        readonly target: 'draft-2020-12'
        readonly libraryOptions?: Record<string, unknown> | undefined
      }) => Record<string, unknown>
    }
  }
}

type IsAny<T> = 0 extends 1 & T ? true : false

// --- From the type of parsed rows

/** The definition of a field with values of a type; `never` where there is none. Dates and datetimes are texts to the compiler. */
type FieldOfValue<T> =
  IsAny<T> extends true
    ? never
    : unknown extends T
      ? never
      : [T] extends [never]
        ? never
        : [T] extends [string]
          ? string extends T
            ? ScalarField<'string'>
            : EnumerationField<T>
          : [T] extends [number]
            ? ScalarField<'number'>
            : [T] extends [boolean]
              ? ScalarField<'boolean'>
              : [T] extends [Date]
                ? ScalarField<'datetime'>
                : [T] extends [readonly (infer E)[]]
                  ? ListOf<FieldOfValue<NonNullable<E>>>
                  : [T] extends [object]
                    ? string extends keyof T
                      ? never
                      : ObjectField<FieldsOfValue<T>>
                    : never
type ListOf<F> = [F] extends [never] ? never : F extends EntryField ? ListField<F> : never

/** The fields of rows of a type. */
type FieldsOfValue<T> = {
  readonly [K in keyof T & string as [FieldOfValue<NonNullable<T[K]>>] extends [never] ? never : K]: FieldOfValue<
    NonNullable<T[K]>
  >
}

// --- From a literal JSON Schema

/** The part of a document that a local reference names. */
type Referred<Ref, Root> = Ref extends `#/$defs/${infer N}`
  ? Root extends { readonly $defs: { readonly [K in N]: infer D } }
    ? D
    : never
  : Ref extends `#/definitions/${infer N}`
    ? Root extends { readonly definitions: { readonly [K in N]: infer D } }
      ? D
      : never
    : never

/** The members of a union, without those that are null. */
type Alternatives<A> = A extends readonly [infer First, ...infer Rest]
  ? First extends { readonly type: 'null' }
    ? Alternatives<Rest>
    : [First, ...Alternatives<Rest>]
  : []

type TextOf<S> = S extends { readonly format: 'date' }
  ? ScalarField<'date'>
  : S extends { readonly format: 'date-time' }
    ? ScalarField<'datetime'>
    : ScalarField<'string'>

type FieldOfType<T, S, Root> = T extends 'string'
  ? TextOf<S>
  : T extends 'integer' | 'number' | 'boolean'
    ? ScalarField<T>
    : T extends 'object'
      ? S extends { readonly properties: infer P }
        ? ObjectField<FieldsOfProperties<P, Root>>
        : never
      : T extends 'array'
        ? S extends { readonly items: infer I }
          ? ListOf<FieldOfSchema<I, Root>>
          : never
        : never

type FieldOfSchema<S, Root> = S extends { readonly $ref: infer R }
  ? FieldOfSchema<Referred<R, Root>, Root>
  : S extends { readonly enum: readonly (infer V)[] }
    ? [NonNullable<V>] extends [string]
      ? EnumerationField<NonNullable<V> & string>
      : FieldOfValue<NonNullable<V>>
    : S extends { readonly const: infer V }
      ? [V] extends [string]
        ? EnumerationField<V>
        : FieldOfValue<V>
      : S extends { readonly anyOf: infer A } | { readonly oneOf: infer A }
        ? FieldOfAlternatives<Alternatives<A>, Root>
        : S extends { readonly type: readonly (infer T)[] }
          ? FieldOfType<Exclude<T, 'null'>, S, Root>
          : S extends { readonly type: infer T }
            ? FieldOfType<T, S, Root>
            : S extends { readonly properties: unknown }
              ? FieldOfType<'object', S, Root>
              : never

type FieldOfAlternatives<A, Root> = A extends readonly [infer One]
  ? FieldOfSchema<One, Root>
  : A extends readonly { readonly const: infer V }[]
    ? [V] extends [string]
      ? EnumerationField<V>
      : never
    : never

type FieldsOfProperties<P, Root> = {
  readonly [K in keyof P & string as [FieldOfSchema<P[K], Root>] extends [never] ? never : K]: FieldOfSchema<P[K], Root>
}

type FieldsOfObject<F> = F extends ObjectField<infer G> ? G : Fields

/**
 * The fields of a JSON Schema, or of a schema of zod, valibot or ArkType. Fields that the compiler cannot know are not in it.
 * Of a JSON Schema whose literals it does not see, it knows nothing: {@link Fields}.
 */
export type FieldsOf<S> = S extends { readonly '~standard': { readonly types?: infer T } }
  ? NonNullable<T> extends { readonly output: infer O }
    ? Fit<FieldsOfValue<O>>
    : Fields
  : string extends keyof S
    ? Fields
    : Fit<FieldsOfObject<FieldOfSchema<S, S>>>

type Fit<F> = F extends Fields ? F : Fields
