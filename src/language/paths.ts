/** The dotted paths of a schema, as the compiler knows them. `test/package/types/cost.test.ts` bounds their cost. */
import type { OperatorName, OperatorRows } from './operators.ts'
import type { Field, Fields, FieldType, ListField, ObjectField, RecordField } from './schema.ts'
import type { ScalarType } from './types.ts'

/** The texts after the name of a field, by its type. The type of a record's keys is `key`. */
type Ends = {
  readonly string: '[string'
  readonly uuid: '[uuid'
  readonly integer: '[integer'
  readonly bigint: '[bigint'
  readonly number: '[number'
  readonly decimal: '[decimal'
  readonly boolean: '[boolean'
  readonly date: '[date'
  readonly datetime: '[datetime'
  readonly time: '[time'
  readonly enumeration: '[enumeration'
  readonly list: '[list'
  readonly object: '[object'
  readonly json: '[json'
  readonly record: '[record' | `.${string}[key`
}

/** Paths with the type of their field, `customer.name[string]`, through objects and records; a list is where they end. */
type TypedPath<F extends Fields> = {
  [K in keyof F & string]: F[K] extends { readonly fields: infer G }
    ? G extends Fields
      ? `${K}[object]` | `${K}.${TypedPath<G>}`
      : never
    : `${K}${Ends[F[K]['type']]}]`
}[keyof F & string]

/**
 * Paths with the type of their field, through objects and lists; of a list, the type of its entries. A path in a list occurs a second
 * time with `!` after the type, and the path of a list a third time with `!!`.
 */
type TypedPathThrough<F extends Fields, Mark extends '' | '!' = ''> = {
  [K in keyof F & string]: F[K] extends ListField<infer D>
    ? | `${K}[${D['type']}${'' | '!' | '!!'}]`
      | (D extends ObjectField<infer G> ? `${K}.${TypedPathThrough<G, '!'>}` : never)
    : F[K] extends { readonly fields: infer G }
      ? G extends Fields
        ? `${K}[object${'' | Mark}]` | `${K}.${TypedPathThrough<G, Mark>}`
        : never
      : `${K}${Ends[F[K]['type']]}${'' | Mark}]`
}[keyof F & string]

/**
 * Paths by their type. Keys of a mapped type that are equal merge, so one pass over the paths serves all types. `[]` is the path of
 * no type: a type without properties would have each optional property of `OfType`.
 */
type ByType<P extends string> = {
  [Typed in P | '[]' as Typed extends `${string}[${infer T}]` ? T : never]: Typed extends `${infer Path}[${string}`
    ? Path
    : never
}

type OfType<Paths, T extends string> = Paths extends { readonly [X in T]?: infer P } ? P & string : never

/** Dotted paths of fields of the types `T`, through objects. */
export type PathTo<F extends Fields, T extends FieldType | 'key'> = OfType<ByType<TypedPath<F>>, T>

/** Dotted paths of fields of the types `T`, through objects and lists. For a list, the type of its entries counts. */
export type PathThrough<F extends Fields, T extends FieldType | 'key' = FieldType> = OfType<
  ByType<TypedPathThrough<F>>,
  T
>

/** Dotted paths of lists, and of fields in lists, with entries of the types `T`. */
export type PathInList<F extends Fields, T extends FieldType> = OfType<ByType<TypedPathThrough<F>>, `${T}!`>

/** Dotted paths of lists with entries of the types `T`. */
export type ListPath<F extends Fields, T extends FieldType> = OfType<ByType<TypedPathThrough<F>>, `${T}!!`>

/** Dotted paths of fields, through objects. A path ends at a list. */
export type PathOf<F extends Fields> = PathTo<F, FieldType>

/** Paths of the fields that rows are ordered by: scalars outside lists. */
export type OrderedPath<F extends Fields> = PathTo<F, ScalarType>

/** Paths of scalars, in lists too. */
export type ScalarPath<F extends Fields> = PathThrough<F, ScalarType>

/** The definition of the field at a path. */
export type FieldAt<F extends Fields, P extends string> = P extends keyof F
  ? F[P]
  : P extends `${infer K}.${infer Rest}`
    ? F[K] extends ObjectField<infer G>
      ? FieldAt<G, Rest>
      : F[K] extends RecordField<infer D>
        ? D
        : never
    : never

/** The definition of the field at a path through objects and lists; for a list, that of its entries. */
export type EntryAt<F extends Fields, P extends string> = P extends keyof F
  ? F[P] extends ListField<infer D>
    ? D
    : F[P]
  : P extends `${infer K}.${infer Rest}`
    ? F[K] extends ObjectField<infer G> | ListField<ObjectField<infer G>>
      ? EntryAt<G, Rest>
      : F[K] extends RecordField<infer D>
        ? D
        : never
    : never

/** Where the field of an operator may be: see {@link Operator.fields}. */
export type PlaceOf<N extends OperatorName> = OperatorRows[N] extends { readonly fields: infer Place }
  ? Place
  : 'anywhere'

/** The places of the field at a path, as `OperatorRow.fields` names them: anywhere, in a list, or a list. */
type PlacesAt<F extends Fields, P extends string, Places = 'anywhere'> = P extends keyof F
  ? F[P] extends ListField
    ? 'anywhere' | 'in lists' | 'lists'
    : Places
  : P extends `${infer K}.${infer Rest}`
    ? F[K] extends ListField<ObjectField<infer G>>
      ? PlacesAt<G, Rest, 'anywhere' | 'in lists'>
      : F[K] extends ObjectField<infer G>
        ? PlacesAt<G, Rest, Places>
        : Places
    : never

/** The operators that the field at a path accepts; of a list, those that its entries accept; of a record, also those of its keys. All, of a field that the compiler does not know. */
export type OperatorAt<F extends Fields, P extends string> =
  Field extends EntryAt<F, P>
    ? OperatorName
    : {
        [N in OperatorName]: PlaceOf<N> extends PlacesAt<F, P>
          ? EntryAt<F, P> extends
              | { readonly type: OperatorRows[N]['types'][number] }
              | { readonly entry: { readonly type: OperatorRows[N]['types'][number] } }
            ? N
            : never
          : never
      }[OperatorName]

/**
 * A text in the syntax of `sort` with these paths: the text itself, or a correct text up to its first wrong item. A text that the
 * compiler does not know, for example `string`, stays unchanged.
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
