/** Schemas: the fields of a resource, and their types. */
import { keyDefect, nameDefect, type LiteralType, type Path, type Presence } from '../tree/index.ts'
import { readOnly } from '../read-only.ts'
import { checkOptions } from '../options.ts'
import { own, refuseArgument } from '../own.ts'
import { isPlainText } from '../values/characters.ts'
import { literalTypeOf, type Values } from './types.ts'

/** Options of `field.string` and the other methods of `field`, except `list`. */
export interface FieldOptions {
  /**
   * Promises a value in every row; inside an object, in every row that has the object; inside a list, in every entry that is an object.
   * The entries themselves cannot be required.
   */
  readonly required?: boolean
}
/** The definition of a field that is required, as the compiler knows it. */
export interface RequiredField {
  readonly required: true
}

/** A field with a single value: a text, a number, a boolean, a date or a datetime. */
export interface ScalarField<T extends LiteralType = LiteralType> {
  readonly type: T
  readonly required?: true
  /** For a datetime: the most fractional digits of seconds, if not 6. */
  readonly digits?: 3
}
/** A field with one of a few values. Made by `field.enumeration`. */
export interface EnumerationField<V extends string = string> {
  readonly type: 'enumeration'
  readonly values: readonly V[]
  readonly required?: true
}
/** A field with a list of scalars or of objects. Made by `field.list`. */
export interface ListField<D extends EntryField = EntryField> {
  readonly type: 'list'
  readonly entry: D
}
/** A field with an object and its fields. Made by `field.object`. */
export interface ObjectField<F extends Fields = Fields> {
  readonly type: 'object'
  readonly fields: F
  readonly required?: true
}
/** A field with any JSON value, of which only the presence can be queried. Made by `field.json`. */
export interface JsonField {
  readonly type: 'json'
  readonly required?: true
}
/** A field with keys that no schema declares, and values of one scalar type. Made by `field.record`. */
export interface RecordField<D extends RecordEntry = RecordEntry> {
  readonly type: 'record'
  readonly entry: D
  readonly required?: true
}
/** A value of a record. */
export type RecordEntry = ScalarField | EnumerationField
/** An entry of a list. It cannot be a list, because no path reaches the entries of a list in a list. */
export type EntryField = ScalarField | EnumerationField | ObjectField
/** The definition of a field, made with {@link field}. */
export type Field = EntryField | ListField | JsonField | RecordField
/** Fields by name, for {@link defineSchema} and `field.object`. */
export interface Fields {
  readonly [name: string]: Field
}
/** The type of a field: a scalar type, `list`, `object`, `record` or `json`. */
export type FieldType = Field['type']

/** A field, with the lists around it. The path of a list leads to its entries. */
export interface ResolvedField {
  /** The dotted path. */
  readonly name: string
  /** The lists around the field, outermost first. The path of each starts at an entry of the list before it. */
  readonly lists: readonly Path[]
  /** The path of the field from an entry of the innermost list. `[]` is the entry itself. */
  readonly path: Path
  readonly type: Exclude<FieldType, 'list'>
  /** The type of its literals. `'object'` and `'json'` have none. */
  readonly literal: Presence['type']
  /** The values of an enumeration. */
  readonly values?: readonly string[]
  /** The values of a record. */
  readonly entry?: RecordEntry
  /** Whether it is a key of a record. */
  readonly isKey?: true
  /** Whether every row has a value in the field; inside a list, every entry of the innermost list. */
  readonly required?: true
  /** For a datetime: the most fractional digits of seconds, if not 6. */
  readonly digits?: 3
}

/** The fields of one resource, made with {@link defineSchema}. Nobody can change them. */
export interface Schema<F extends Fields = Fields> {
  readonly fields: F
  /**
   * Every field, also inside objects and lists, by its dotted path. Its `set` throws. `get` and `has` also know each key of a record,
   * which the iteration does not list.
   */
  readonly paths: ReadonlyMap<string, ResolvedField>
}

/** A definition as its options make it: with `required: true`, the compiler knows that no value is missing. */
type Defined<D, O> = O extends { readonly required: true } ? D & RequiredField : D

/** Makes the definitions of one scalar type. */
type ScalarMaker<T extends LiteralType> = <const O extends FieldOptions = {}>(options?: O) => Defined<ScalarField<T>, O>
type JsonMaker = <const O extends FieldOptions = {}>(options?: O) => Defined<JsonField, O>

/** The properties that the options of a field add to its definition. */
function promised(options: FieldOptions = {}, known: readonly string[] = ['required']): { readonly required?: true } {
  const { required = false } = checkOptions(options, 'options', known)
  if (typeof required !== 'boolean') refuseArgument('options.required must be a boolean')
  return required ? { required } : {}
}

/* @__NO_SIDE_EFFECTS__ */ const scalar = <T extends LiteralType>(type: T): ScalarMaker<T> => {
  const definition = Object.freeze({ type })
  const make = (options?: FieldOptions) =>
    options === undefined ? definition : Object.freeze({ type, ...promised(options) })
  return make as ScalarMaker<T>
}

/** Options of `field.datetime`. */
export interface DateTimeOptions extends FieldOptions {
  /**
   * The most fractional digits of seconds in the values: 3, for milliseconds. Default: 6. `toPage` refuses a `Date` in a datetime of the
   * order without `digits: 3`, because a `Date` has no microseconds.
   */
  readonly digits?: 3
}

/**
 * Makes definitions of fields: plain frozen objects, which schemas may share. `{ required: true }` promises that every row has a value in
 * the field: `docs/concepts/semantics.md` lists the consequences.
 *
 * @example
 * field.list(field.object({ arrival: field.date({ required: true }), price: field.number() }))
 */
export const field = /* @__PURE__ */ Object.freeze({
  /** Any text. */
  string: scalar('string'),
  /** A uuid of any version (RFC 9562). Filters accept it in any case, and compare its lower case. */
  uuid: scalar('uuid'),
  /** A whole number within ±(2^53 − 1). */
  integer: scalar('integer'),
  /** A whole number from −2^63 to 2^63 − 1. In rows it is a bigint, a safe integer or a text of digits. */
  bigint: scalar('bigint'),
  /** A finite number, an IEEE 754 double. */
  number: scalar('number'),
  /**
   * A decimal number with exact digits, for amounts of money. In rows it is a text, a number or a bigint. An operand has at most 34
   * significant digits.
   */
  decimal: scalar('decimal'),
  /** `true` or `false`. */
  boolean: scalar('boolean'),
  /** A calendar date of the years 0001 to 9999, `YYYY-MM-DD`. */
  date: scalar('date'),
  /**
   * A moment of the years 0001 to 9999 in UTC, to the microsecond.
   *
   * @param options `required`, and `digits`: 3 for values of whole milliseconds.
   * @throws TypeError that names the wrong option.
   */
  datetime<const O extends DateTimeOptions = {}>(options?: O): Defined<ScalarField<'datetime'>, O> {
    const made = { type: 'datetime', ...promised(options, dateTimeOptions) }
    const digits = options && own(options, 'digits')
    if (digits === undefined) return Object.freeze(made) as Defined<ScalarField<'datetime'>, O>
    if (digits !== 3) refuseArgument('options.digits must be 3, or absent')
    return Object.freeze({ ...made, digits }) as Defined<ScalarField<'datetime'>, O>
  },
  /** A time of day without a zone, from `00:00:00` to `23:59:59.999999`: `HH:MM:SS`, with the digits of a fraction that does not end in 0. */
  time: scalar('time'),

  /**
   * Any JSON value, for answers. Queries can only test whether it exists, and JSON's `null` counts as no value. In SQL, the field is a
   * `jsonColumn`.
   */
  json: scalar('json' as LiteralType) as unknown as JsonMaker,

  /**
   * One of some strings.
   *
   * @throws TypeError when there are no values, or a value is repeated or not a well-formed string.
   * @example field.enumeration(['paid', 'held', 'new'])
   */
  enumeration<const V extends string, const O extends FieldOptions = {}>(
    values: readonly V[],
    options?: O,
  ): Defined<EnumerationField<V>, O> {
    if (!Array.isArray(values) || values.length === 0) refuseArgument('values must be a list of at least one string')
    const seen = new Set<string>()
    for (const value of values) {
      if (typeof value !== 'string' || !isPlainText(value)) {
        refuseArgument('values must be text without U+0000 and lone surrogates')
      }
      if (seen.size === seen.add(value).size) refuseArgument(`values must not repeat ${value}`)
    }
    const made = { type: 'enumeration', values: Object.freeze([...values]), ...promised(options) }
    return Object.freeze(made) as Defined<EnumerationField<V>, O>
  },

  /**
   * Any number of entries: scalars or objects. The objects may contain lists.
   *
   * @throws TypeError when the entries are lists, or required: a list may have an entry without a value.
   * @example field.list(field.string())
   */
  list<const D extends EntryField>(entry: D): ListField<D> {
    checkEntry(entry, 'a scalar or an object', 'object')
    return Object.freeze({ type: 'list', entry })
  },

  /**
   * An object with fields, which paths name with dots.
   *
   * @throws TypeError when a field cannot have its name; see {@link defineSchema}.
   * @example field.object({ name: field.string(), email: field.string() }) // customer.name, customer.email
   */
  object<const F extends Fields, const O extends FieldOptions = {}>(
    fields: F,
    options?: O,
  ): Defined<ObjectField<F>, O> {
    const made = { type: 'object', fields: checkFields(fields), ...promised(options) }
    return Object.freeze(made) as Defined<ObjectField<F>, O>
  },

  /**
   * An object whose keys nobody declares, with values of one scalar type. A path names a key: `attributes.color=red`. A value of another
   * type counts as no value. Keys have no order and no facets. In SQL, the field is a `jsonColumn`.
   *
   * @throws TypeError when the values are lists, objects, JSON or required.
   * @example field.record(field.string())
   */
  record<const D extends RecordEntry, const O extends FieldOptions = {}>(
    entry: D,
    options?: O,
  ): Defined<RecordField<D>, O> {
    checkEntry(entry, 'a scalar')
    return Object.freeze({ type: 'record', entry, ...promised(options) }) as unknown as Defined<RecordField<D>, O>
  },
})

const dateTimeOptions = ['required', 'digits']

/** Whether a definition promises a value in every object or entry that contains the field. Only this function reads `required`. */
export const isPromised = (definition: Field): boolean => own(definition as ScalarField, 'required') === true

/** How many digits of a second the values of a datetime have; `undefined` where they may have six. */
export const digitsOf = (definition: Field): 3 | undefined => own(definition as ScalarField, 'digits')

const fieldTypes: readonly unknown[] = /* @__PURE__ */ Object.keys(field)

function checkField(definition: unknown, where: string): void {
  if (typeof definition !== 'object' || definition === null || !fieldTypes.includes(own(definition as Field, 'type'))) {
    refuseArgument(`${where} must be made with field.string(), field.list() and the like`)
  }
}

/** Refuses an entry that is neither a scalar nor allowed beside scalars, or that promises a value: no list and no record can. */
function checkEntry(entry: Field, expected: string, other?: FieldType): void {
  checkField(entry, 'entry')
  if (isPromised(entry) || (entry.type !== other && /list|object|json|record/.test(entry.type)))
    refuseArgument(`entry must be ${expected} and not required`)
}

function checkFields<F extends Fields>(fields: F): F {
  const prototype: unknown = typeof fields === 'object' && fields !== null ? Object.getPrototypeOf(fields) : undefined
  // `{ __proto__: field.string() }` sets the prototype, and has no field.
  if (prototype !== Object.prototype && prototype !== null) refuseArgument('fields must be a plain object')
  for (const [name, definition] of Object.entries(fields)) {
    const defect = nameDefect(name)
    if (defect !== undefined) refuseArgument(`the field name ${JSON.stringify(name)} ${defect}`)
    checkField(definition, `fields.${name}`)
  }
  return Object.freeze({ ...fields })
}

/** How deep objects and lists may nest. For each level of a schema, a filter has at most three. */
export const maxDepth = 32

/**
 * Declares the fields of a resource. Queries may name these fields and no others; each operand is read by its field's type.
 *
 * @throws TypeError that names the wrong field. A name must not be empty or `__proto__`, contain `.`, `[`, `]`, U+0000 or a lone
 *   surrogate, or begin with `$`. Fields must not nest deeper than 32 levels.
 * @example
 * const orders = defineSchema({
 *   seller: field.string(),
 *   items: field.list(field.object({ arrival: field.date() })),
 * })
 */
export function defineSchema<const F extends Fields>(fields: F): Schema<F> {
  const named = checkFields(fields)
  const paths = new Map<string, ResolvedField>()
  /** @param isThere whether every row, or every entry that is an object, has the object around the field. */
  const visit = (definition: Field, names: Path, lists: readonly Path[], path: Path, isThere: boolean): void => {
    const name = names.join('.')
    if (names.length > maxDepth) refuseArgument(`the field ${name} nests deeper than ${maxDepth} levels`)
    if (definition.type === 'list') return visit(definition.entry, names, [...lists, Object.freeze(path)], [], false)
    const isRequired = isThere && isPromised(definition)
    const resolved = resolve(definition, name, Object.freeze(lists), Object.freeze(path))
    paths.set(name, Object.freeze(isRequired ? { ...resolved, required: true } : resolved))
    if (definition.type === 'object') visitAll(definition.fields, names, lists, path, isRequired || path.length === 0)
  }
  const visitAll = (fields: Fields, names: Path, lists: readonly Path[], path: Path, isThere: boolean): void => {
    for (const [name, definition] of Object.entries(fields)) {
      visit(definition, [...names, name], lists, [...path, name], isThere)
    }
  }
  visitAll(named, [], [], [], true)
  const schema = Object.freeze({ fields: named, paths: withKeys(paths) })
  schemas.add(schema)
  return schema
}

// An object of this shape may come from JSON. A registered symbol lets the ESM and the CommonJS build share the set.
const key = Symbol.for('urlwhere.schemas')
const shared = globalThis as { [key]?: WeakSet<object> }
const schemas = /* @__PURE__ */ (() => (shared[key] ??= new WeakSet()))()

/** The most UTF-16 units of a record's key. */
export const longestKey = 128

/** The values of a record, if a definition is one and can have the key. */
export const entryAt = (definition: Pick<Field, 'type'> | undefined, key: string): RecordEntry | undefined =>
  definition?.type === 'record' && key.length <= longestKey && keyDefect(key) === undefined
    ? (definition as RecordField).entry
    : undefined

/** A field, and one key of a record, which represents all of its keys. */
export const fieldAndKey = ({ paths }: Pick<Schema, 'paths'>, field: ResolvedField): readonly ResolvedField[] =>
  field.type === 'record' ? [field, paths.get(`${field.name}.key`)!] : [field]

/** A Map of fields by path, which finds the field of a record's key, too. */
export function withKeys(fields: ReadonlyMap<string, ResolvedField>): Schema['paths'] {
  return readOnly(fields, (record, key) => {
    const entry = entryAt(record as RecordField, key)
    const { name, lists, path } = record
    return (
      entry && Object.freeze({ ...resolve(entry, `${name}.${key}`, lists, Object.freeze([...path, key])), isKey: true })
    )
  })
}

/** The field at a path that the schema declares; `undefined` for a key of a record. */
export function declared({ paths }: Pick<Schema, 'paths'>, path: string): ResolvedField | undefined {
  const field = paths.get(path)
  return field && own(field, 'isKey') ? undefined : field
}

/** The {@link ResolvedField} of a definition. */
export function resolve(
  definition: Exclude<Field, ListField>,
  name: string,
  lists: readonly Path[],
  path: Path,
): ResolvedField {
  const { required: _, fields: __, ...more } = definition as Partial<ObjectField> & Exclude<Field, ListField>
  return { ...more, name, lists, path, literal: literalTypeOf(more.type) }
}

/** The values of a field that is an enumeration. */
export const valuesOf = (field: ResolvedField): readonly string[] | undefined => own(field, 'values')

/** @throws TypeError when the value was not made with {@link defineSchema}. */
export function checkSchema(schema: Schema): void {
  if (!schemas.has(schema)) refuseArgument('schema must be made by defineSchema')
}

/** Whether a field may have a value of a literal's type, or of a presence's. Integers and numbers are one type here. */
export function holdsLiteral(definition: Field, type: Presence['type']): boolean {
  const own = definition.type === 'list' ? undefined : literalTypeOf(definition.type)
  return own === type || (numeric.has(own) && numeric.has(type))
}
const numeric: ReadonlySet<unknown> = new Set(['integer', 'number'])

type ValueOf<D, Key extends string = never> =
  D extends EnumerationField<infer V>
    ? V
    : D extends ListField<infer E>
      ? readonly (ValueOf<E> | null)[]
      : D extends ObjectField<infer F>
        ? RowOf<F, Key>
        : D extends { readonly type: infer T extends keyof Values }
          ? Values[T]['stored']
          : D extends RecordField<infer E>
            ? { readonly [key: string]: ValueOf<E> | null | undefined }
            : never

/** The first names of a key's paths, and the names behind one of them. */
export type First<Key extends string> = Key extends `${infer Name}.${string}` ? Name : Key
export type Behind<Key extends string, Name> = Name extends string
  ? Key extends `${Name}.${infer Rest}`
    ? Rest
    : never
  : never
/** The fields that every row has: those that are required, and those of the key. */
type RequiredName<F extends Fields, Key extends string> =
  { [K in keyof F]: F[K] extends RequiredField ? K : never }[keyof F] | First<Key>
/**
 * The check for required fields comes first: the rows of most schemas then cost as much as without the promise. The last mapping
 * makes one object type of two, as the compiler prints it.
 */
type RowOf<F extends Fields, Key extends string = never> = [Extract<F[keyof F], RequiredField> | Key] extends [never]
  ? { readonly [K in keyof F]?: ValueOf<F[K]> | null | undefined }
  : { readonly [K in RequiredName<F, Key>]: ValueOf<F[K], Behind<Key, K>> } & {
        readonly [K in Exclude<keyof F, RequiredName<F, Key>>]?: ValueOf<F[K]> | null | undefined
      } extends infer Row
    ? { [K in keyof Row]: Row[K] }
    : never

/** A collection, as far as the type of its rows goes: `keyPath` is for the compiler alone. */
interface Keyed {
  readonly schema: Schema
  readonly [keyPath]?: string
}
/** For the compiler alone: the paths of a collection's key. */
export declare const keyPath: unique symbol
/** For the compiler alone: the paths that a collection hides. */
export declare const hiddenPath: unique symbol

/**
 * The type of the rows of a schema or a collection. A required field and the key of a collection have a value. Every other field may be
 * missing or null. These are the rows of the store: they contain the hidden fields, which the answers of a service leave out.
 *
 * @example type Order = InferRow<typeof orderCollection> // { id: number, seller?: string | null, … }
 */
export type InferRow<S extends Schema | Keyed> = S extends Schema
  ? RowOf<S['fields']>
  : S extends { readonly schema: Schema<infer F>; readonly [keyPath]?: infer Key extends string }
    ? // The compiler does not know the key.
      string extends Key
      ? RowOf<F>
      : RowOf<F, Key>
    : never
