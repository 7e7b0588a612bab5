/** Schemas: the fields of a resource, and their types. */
import { nameDefect, type LiteralType, type Path } from '../ast/index.ts'
import { readOnly } from '../read-only.ts'
import { own } from '../own.ts'
import { isPlainText } from '../text/characters.ts'

/** A field with a single value: a string, a number, a boolean, a date or a datetime. */
export interface ScalarField<
  T extends 'string' | 'integer' | 'number' | 'boolean' | 'date' | 'datetime' = LiteralType,
> {
  readonly type: T
}
/** A field with one of a few values. Made by `field.enumeration`. */
export interface EnumerationField<V extends string = string> {
  readonly type: 'enumeration'
  readonly values: readonly V[]
}
/** A field with a list of scalars or of objects. Made by `field.list`. */
export interface ListField<D extends EntryField = EntryField> {
  readonly type: 'list'
  readonly entry: D
}
/** A field with an object, which has fields of its own. Made by `field.object`. */
export interface ObjectField<F extends Fields = Fields> {
  readonly type: 'object'
  readonly fields: F
}
/** An entry of a list: anything but a list, whose entries no path could reach. */
export type EntryField = ScalarField | EnumerationField | ObjectField
/** The definition of a field, made with {@link field}. */
export type Field = EntryField | ListField
/** Fields by name, for {@link defineSchema} and `field.object`. */
export interface Fields {
  readonly [name: string]: Field
}
/** The type of a field: a scalar type, `list` or `object`. */
export type FieldType = Field['type']

/** A field, with the lists around it. The path of a list leads to its entries. */
export interface ResolvedField {
  /** The dotted path. */
  readonly name: string
  /** The lists around it, outermost first. The path of each starts at an entry of the list before it. */
  readonly lists: readonly Path[]
  /** Its path from an entry of the innermost list. `[]` is the entry itself. */
  readonly path: Path
  readonly type: Exclude<FieldType, 'list'>
  /** The type of its literals. An object has no literals: `'object'`. */
  readonly literal: LiteralType | 'object'
  /** The values of an enumeration. */
  readonly values?: readonly string[]
}

/** The fields of one resource, made with {@link defineSchema}. Nobody can change them. */
export interface Schema<F extends Fields = Fields> {
  readonly fields: F
  /** Every field, those inside objects and lists included, by its dotted path. Its `set` throws. */
  readonly paths: ReadonlyMap<string, ResolvedField>
}

/* @__NO_SIDE_EFFECTS__ */ const scalar = <T extends LiteralType>(type: T): (() => ScalarField<T>) => {
  const definition = Object.freeze({ type })
  return () => definition
}

/**
 * Makes definitions of fields: plain frozen objects, which schemas may share.
 *
 * @example
 * field.list(field.object({ arrival: field.date(), price: field.number() }))
 */
export const field = /* @__PURE__ */ Object.freeze({
  /** Any text. */
  string: scalar('string'),
  /** A whole number within ±(2^53 − 1). */
  integer: scalar('integer'),
  /** A finite number, an IEEE 754 double. */
  number: scalar('number'),
  /** `true` or `false`. */
  boolean: scalar('boolean'),
  /** A calendar date of the years 0001 to 9999, `YYYY-MM-DD`. */
  date: scalar('date'),
  /** A moment of the years 0001 to 9999 in UTC, to the millisecond. */
  datetime: scalar('datetime'),

  /**
   * One of some strings.
   *
   * @throws TypeError when there are no values, one is repeated, or one is not a well-formed string.
   * @example field.enumeration(['paid', 'held', 'new'])
   */
  enumeration<const V extends string>(values: readonly V[]): EnumerationField<V> {
    if (!Array.isArray(values) || values.length === 0)
      throw new TypeError('values must be a list of at least one string')
    const seen = new Set<string>()
    for (const value of values) {
      if (typeof value !== 'string' || !isPlainText(value)) {
        throw new TypeError('values must be strings without U+0000 and lone surrogates')
      }
      if (seen.size === seen.add(value).size) throw new TypeError(`values must not repeat ${value}`)
    }
    return Object.freeze({ type: 'enumeration', values: Object.freeze([...values]) })
  },

  /**
   * Any number of entries: scalars or objects. The objects may contain lists.
   *
   * @throws TypeError when the entries are lists.
   * @example field.list(field.string())
   */
  list<const D extends EntryField>(entry: D): ListField<D> {
    checkField(entry, 'entry')
    if ((entry as Field).type === 'list')
      throw new TypeError('entry must not be a list; use a list of objects that hold lists')
    return Object.freeze({ type: 'list', entry })
  },

  /**
   * An object with fields of its own, which paths name with dots.
   *
   * @throws TypeError when a field cannot have its name; see {@link defineSchema}.
   * @example field.object({ name: field.string(), email: field.string() }) // customer.name, customer.email
   */
  object<const F extends Fields>(fields: F): ObjectField<F> {
    return Object.freeze({ type: 'object', fields: checkFields(fields) })
  },
})

const fieldTypes: readonly unknown[] = /* @__PURE__ */ Object.keys(field)

function checkField(definition: unknown, where: string): void {
  if (typeof definition !== 'object' || definition === null || !fieldTypes.includes(own(definition as Field, 'type'))) {
    throw new TypeError(`${where} must be made with field.string(), field.list() and the like`)
  }
}

function checkFields<F extends Fields>(fields: F): F {
  const prototype: unknown = typeof fields === 'object' && fields !== null ? Object.getPrototypeOf(fields) : undefined
  // `{ __proto__: field.string() }` sets the prototype, and has no field.
  if (prototype !== Object.prototype && prototype !== null) throw new TypeError('fields must be a plain object')
  for (const [name, definition] of Object.entries(fields)) {
    const defect = nameDefect(name)
    if (defect !== undefined) throw new TypeError(`the field name ${JSON.stringify(name)} ${defect}`)
    checkField(definition, `fields.${name}`)
  }
  return Object.freeze({ ...fields })
}

/** How deep objects and lists may nest. For each level of a schema, a filter has at most three. */
export const maxDepth = 32

/**
 * Declares the fields of a resource. Queries may name these fields and no others; each operand is read by its
 * field's type.
 *
 * @throws TypeError that names the field which is wrong. A name must not be empty or `__proto__`, contain `.`, `[`, `]`,
 *   U+0000 or a lone surrogate, or begin with `$`. Fields must not nest deeper than 32 levels.
 * @example
 * const orders = defineSchema({
 *   seller: field.string(),
 *   items: field.list(field.object({ arrival: field.date() })),
 * })
 */
export function defineSchema<const F extends Fields>(fields: F): Schema<F> {
  const named = checkFields(fields)
  const paths = new Map<string, ResolvedField>()
  const visit = (definition: Field, names: Path, lists: readonly Path[], path: Path): void => {
    if (names.length > maxDepth)
      throw new TypeError(`the field ${names.join('.')} nests deeper than ${maxDepth} levels`)
    if (definition.type === 'list') return visit(definition.entry, names, [...lists, Object.freeze(path)], [])
    paths.set(
      names.join('.'),
      Object.freeze(resolve(definition, names.join('.'), Object.freeze(lists), Object.freeze(path))),
    )
    if (definition.type === 'object') visitAll(definition.fields, names, lists, path)
  }
  const visitAll = (fields: Fields, names: Path, lists: readonly Path[], path: Path): void => {
    for (const [name, definition] of Object.entries(fields)) visit(definition, [...names, name], lists, [...path, name])
  }
  visitAll(named, [], [], [])
  const schema = Object.freeze({ fields: named, paths: readOnly(paths) })
  schemas.add(schema)
  return schema
}

// An object of this shape may come from JSON. A registered symbol lets the ESM and the CommonJS build share the set.
const key = Symbol.for('urlwhere.schemas')
const shared = globalThis as { [key]?: WeakSet<object> }
const schemas = /* @__PURE__ */ (() => (shared[key] ??= new WeakSet()))()

/** The {@link ResolvedField} of a definition. */
export function resolve(definition: EntryField, name: string, lists: readonly Path[], path: Path): ResolvedField {
  if (definition.type === 'enumeration') {
    return { name, lists, path, type: 'enumeration', literal: 'string', values: definition.values }
  }
  return { name, lists, path, type: definition.type, literal: definition.type }
}

/** The values of a field that is an enumeration. */
export const valuesOf = (field: ResolvedField): readonly string[] | undefined => own(field, 'values')

/** @throws TypeError when the value was not made with {@link defineSchema}. */
export function checkSchema(schema: Schema): void {
  if (!schemas.has(schema)) throw new TypeError('schema must be made by defineSchema')
}

/** Whether a field may have a value of a literal's type, or of a presence's. Integers and numbers are one type here. */
export function holdsLiteral(definition: Field, type: LiteralType | 'object'): boolean {
  const own = definition.type === 'enumeration' ? 'string' : definition.type
  return own === type || (numeric.has(own) && numeric.has(type))
}
const numeric: ReadonlySet<string> = new Set(['integer', 'number'])

type ScalarValue = {
  string: string
  integer: number
  number: number
  boolean: boolean
  date: string | Date
  datetime: string | Date
}
type ValueOf<D> =
  D extends EnumerationField<infer V>
    ? V
    : D extends ListField<infer E>
      ? readonly (ValueOf<E> | null)[]
      : D extends ObjectField<infer F>
        ? RowOf<F>
        : D extends ScalarField<infer T>
          ? ScalarValue[T]
          : never
type RowOf<F extends Fields> = { readonly [K in keyof F]?: ValueOf<F[K]> | null | undefined }

/**
 * The type of the rows that a schema describes. Every field may be missing or null.
 *
 * @example type Order = InferRow<typeof orders> // { seller?: string | null, … }
 */
export type InferRow<S extends Schema> = RowOf<S['fields']>
