/** The fields of a JSON Schema, as the compiler knows them. */
import type { EnumerationField, Fields, Field, JsonField, ObjectField, ScalarField } from '../../language/index.ts'
import type { Fit, ListOf, Promised } from '../foreign-fields.ts'

/**
 * A schema of zod or ArkType, or the result of valibot's `toStandardJsonSchema`.
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

/** The definition of a member: that of the options comes first. */
type Chosen<Given, K, F extends Field> = K extends keyof Given ? (Given[K] extends Field ? Given[K] : F) : F
/** The definitions of the options below a member. They end, also where a schema refers to itself. */
type Inside<Given, K extends string> = [Extract<keyof Given, `${K}.${string}`>] extends [never]
  ? {}
  : { readonly [P in keyof Given as P extends `${K}.${infer Rest}` ? Rest : never]: Given[P] }

// --- From the type of parsed rows

/**
 * The definition of a field with values of a type; `never` where there is none. Dates, datetimes, uuids and decimals are texts to
 * the compiler, unless the options define them.
 */
type FieldOfValue<T, Given> =
  IsAny<T> extends true
    ? JsonField
    : unknown extends T
      ? JsonField
      : [T] extends [never]
        ? never
        : [T] extends [string]
          ? string extends T
            ? ScalarField<'string'>
            : EnumerationField<T>
          : [T] extends [number]
            ? ScalarField<'number'>
            : [T] extends [bigint]
              ? ScalarField<'bigint'>
              : [T] extends [boolean]
                ? ScalarField<'boolean'>
                : [T] extends [Date]
                  ? ScalarField<'datetime'>
                  : [T] extends [readonly (infer E)[]]
                    ? ListOf<FieldOfValue<NonNullable<E>, Given>>
                    : [T] extends [object]
                      ? string extends keyof T
                        ? never
                        : ObjectField<FieldsOfValue<T, Given>>
                      : never

/** The fields of rows of a type. */
type FieldsOfValue<T, Given> = {
  readonly [K in keyof T & string as [Member<T, K, Given>] extends [never] ? never : K]: Member<T, K, Given>
}
type Member<T, K extends keyof T & string, Given> = Chosen<
  Given,
  K,
  Promised<FieldOfValue<NonNullable<T[K]>, Inside<Given, K>>, IsAlways<T, K>>
>
type IsAlways<T, K extends keyof T> =
  {} extends Pick<T, K> ? false : undefined extends T[K] ? false : null extends T[K] ? false : true

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

/** The formats of texts that are types of fields. */
interface Formats {
  readonly date: 'date'
  readonly 'date-time': 'datetime'
  readonly 'time-local': 'time'
  readonly uuid: 'uuid'
  readonly int64: 'bigint'
  readonly decimal: 'decimal'
}
type TextOf<S> = S extends { readonly format: infer N extends keyof Formats }
  ? ScalarField<Formats[N]>
  : ScalarField<'string'>

type FieldOfType<T, S, Root, Given> = T extends 'string'
  ? TextOf<S>
  : T extends 'integer' | 'number' | 'boolean'
    ? ScalarField<T>
    : T extends 'object'
      ? S extends { readonly properties: infer P }
        ? ObjectField<FieldsOfProperties<P, RequiredOf<S>, Root, Given>>
        : never
      : T extends 'array'
        ? S extends { readonly items: infer I }
          ? ListOf<FieldOfSchema<I, Root, Given>>
          : never
        : never

type FieldOfSchema<S, Root, Given> = S extends { readonly $ref: infer R }
  ? FieldOfSchema<Referred<R, Root>, Root, Given>
  : S extends { readonly enum: readonly (infer V)[] }
    ? [NonNullable<V>] extends [string]
      ? EnumerationField<NonNullable<V> & string>
      : FieldOfValue<NonNullable<V>, Given>
    : S extends { readonly const: infer V }
      ? [V] extends [string]
        ? EnumerationField<V>
        : FieldOfValue<V, Given>
      : S extends { readonly anyOf: infer A } | { readonly oneOf: infer A }
        ? FieldOfAlternatives<Alternatives<A>, Root, Given>
        : S extends { readonly type: readonly (infer T)[] }
          ? FieldOfType<Exclude<T, 'null'>, S, Root, Given>
          : S extends { readonly type: infer T }
            ? FieldOfType<T, S, Root, Given>
            : S extends { readonly properties: unknown }
              ? FieldOfType<'object', S, Root, Given>
              : [keyof S] extends [never]
                ? JsonField
                : never

type FieldOfAlternatives<A, Root, Given> = A extends readonly [infer One]
  ? FieldOfSchema<One, Root, Given>
  : A extends readonly { readonly const: infer V }[]
    ? [V] extends [string]
      ? EnumerationField<V>
      : never
    : never

/** The names of the properties that are always there, as far as the compiler knows them. */
type RequiredOf<S> = S extends { readonly required: readonly (infer N)[] } ? (string extends N ? never : N) : never

/** Whether a schema excludes null, as far as the compiler knows. */
type IsNeverNull<S, Root> = S extends
  { readonly nullable: true } | { readonly writeOnly: true } | { readonly allOf: unknown }
  ? false
  : S extends { readonly $ref: infer R }
    ? IsNeverNull<Referred<R, Root>, Root>
    : S extends { readonly enum: readonly (infer V)[] } | { readonly const: infer V }
      ? null extends V
        ? false
        : true
      : S extends
            | { readonly anyOf: infer A extends readonly unknown[] }
            | { readonly oneOf: infer A extends readonly unknown[] }
        ? AreNeverNull<A, Root>
        : S extends { readonly type: infer T }
          ? 'null' extends (T extends readonly (infer One)[] ? One : T)
            ? false
            : true
          : false
type AreNeverNull<A, Root> = A extends readonly [infer First, ...infer Rest]
  ? IsNeverNull<First, Root> extends true
    ? AreNeverNull<Rest, Root>
    : false
  : true

type FieldsOfProperties<P, Names, Root, Given> = {
  readonly [K in keyof P & string as [Property<P, K, Names, Root, Given>] extends [never] ? never : K]: Property<
    P,
    K,
    Names,
    Root,
    Given
  >
}
type Property<P, K extends keyof P & string, Names, Root, Given> = P[K] extends { readonly writeOnly: true }
  ? [Extract<keyof Given, K | `${K}.${string}`>] extends [never]
    ? never
    : PropertyField<P, K, Names, Root, Given>
  : PropertyField<P, K, Names, Root, Given>
type PropertyField<P, K extends keyof P & string, Names, Root, Given> = Chosen<
  Given,
  K,
  Promised<FieldOfSchema<P[K], Root, Inside<Given, K>>, K extends Names ? IsNeverNull<P[K], Root> : false>
>

type FieldsOfObject<F> = F extends ObjectField<infer G> ? G : Fields

/**
 * The fields of a JSON Schema, or of a schema of zod, valibot or ArkType. It lacks fields that the compiler cannot know. For a JSON
 * Schema that is not `as const`, it is {@link Fields}.
 *
 * `Given` are the definitions of the option `fields`, by path, and the paths of the option `pick`.
 */
export type FieldsOf<S, Given = {}> = string extends keyof S
  ? Fields
  : S extends { readonly '~standard': { readonly types?: infer T } }
    ? NonNullable<T> extends { readonly output: infer O }
      ? Fit<FieldsOfValue<O, Given>>
      : Fields
    : Fit<FieldsOfObject<FieldOfSchema<S, S, Given>>>
