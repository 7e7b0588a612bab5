/** JSON Schema → schema: the fields that queries may ask for, and a list of what cannot be a field. */
import { nameDefect } from '../ast/index.ts'
import {
  defineSchema,
  field,
  maxDepth,
  type EntryField,
  type Field,
  type Fields,
  type Schema,
} from '../language/index.ts'
import { checkOptions } from '../options.ts'
import { member, own, ownOf } from '../own.ts'
import type { FieldsOf, StandardJsonSchema } from './infer.ts'

/** Options of {@link fromJsonSchema}. Paths are dotted, through objects and lists. */
export interface JsonSchemaOptions {
  /** The paths to take, with all that is in them. Every path, unless given. */
  readonly pick?: readonly string[]
  /** The paths to leave out, with all that is in them. */
  readonly omit?: readonly string[]
  /** Leaves out what cannot be a field. Without it, that is a TypeError. */
  readonly unsupported?: 'omit'
  /** Definitions by path. JSON Schema cannot express a `z.date()`: write `{ createdAt: field.datetime() }`. */
  readonly fields?: Readonly<Record<string, Field>>
  /** The document that local references (`#/components/schemas/…`) lead into. The schema itself, unless given. */
  readonly document?: object
}

type Json = Readonly<Record<string, unknown>>
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Why something cannot be a field. */
class Unsupported extends Error {}
const refuse = (reason: string): never => {
  throw new Unsupported(reason)
}

interface Context {
  readonly document: unknown
  readonly options: JsonSchemaOptions
  /** What cannot be a field, by path. */
  readonly problems: Map<string, string>
  /** Every path that was met, for options that name others. */
  readonly met: Set<string>
  /** How many alternatives of unions were met. */
  alternatives: number
}

/** What a schema is in, and has followed, outermost first: references and schemas. */
type Open = readonly ReadonlySet<unknown>[]

/** Objects of an API may lead to each other without end. Nobody asks for so many fields. */
const mostPaths = 5_000
/** Each alternative of a union may be another union. */
const mostAlternatives = 20_000
/** How deep schemas may be inside each other: a path of the greatest length has some for each of its names. */
const mostLevels = 200

/**
 * Makes a schema out of a JSON Schema (draft 2020-12, draft-07, OpenAPI 3.0 and 3.1), or out of a schema of zod, ArkType or
 * valibot (by its `toStandardJsonSchema`). Of those, the output counts: rows hold what was parsed.
 *
 * Texts with `format: date` are dates, with `format: date-time` datetimes. `enum`, `const` and unions of texts are
 * enumerations. `null` beside another type says nothing. Local references are followed, and `allOf` is joined.
 *
 * @param source write a JSON Schema `as const`, so that the compiler knows its fields.
 * @throws TypeError that lists every path that cannot be a field, with the reason: records, tuples, unions of several types,
 *   lists in lists, recursion, names that a query cannot say. `pick`, `omit`, `fields` and `unsupported` deal with them.
 * @see https://json-schema.org/draft/2020-12
 * @see https://standardschema.dev/json-schema
 * @example
 * const orders = fromJsonSchema({
 *   type: 'object',
 *   properties: { arrival: { type: 'string', format: 'date' }, status: { enum: ['paid', 'held'] } },
 * })
 * where(orders).equals('status', 'paid')
 */
export function fromJsonSchema<const S extends object>(
  source: S,
  options: JsonSchemaOptions = {},
): Schema<FieldsOf<S>> {
  const given = checkOptions(options, 'options', ['pick', 'omit', 'unsupported', 'fields', 'document'])
  if (given.unsupported !== undefined && given.unsupported !== 'omit') {
    throw new TypeError("options.unsupported must be 'omit'")
  }
  for (const name of ['pick', 'omit'] as const) {
    const { [name]: paths = [] as unknown } = given
    if (!Array.isArray(paths) || paths.some((path) => typeof path !== 'string')) {
      throw new TypeError(`options.${name} must be a list of paths`)
    }
  }
  for (const name of ['fields', 'document'] as const) {
    if (given[name] !== undefined && !isObject(given[name])) throw new TypeError(`options.${name} must be an object`)
  }
  const schema = jsonSchemaOf(source)
  const { document = schema } = given
  const context: Context = { document, options: given, problems: new Map(), met: new Set(), alternatives: 0 }
  const fields = rootFields(schema, context)

  const named = [...(given.pick ?? []), ...(given.omit ?? []), ...Object.keys(given.fields ?? {})]
  const unknown = named.filter((path) => !context.met.has(path))
  if (unknown.length > 0) throw new TypeError(`options name paths that the schema does not have: ${unknown.join(', ')}`)
  const { problems } = context
  if (problems.size > 0 && given.unsupported !== 'omit') {
    const list = Array.from(problems, ([path, reason]) => `\n  ${path}: ${reason}`).join('')
    throw new TypeError(
      `these paths of the schema cannot be fields:${list}\nName them in the options omit or fields, or leave all of them out with unsupported: 'omit'`,
    )
  }
  return defineSchema(fields) as Schema<FieldsOf<S>>
}

/** Values that JSON Schema cannot say, such as dates, are to be schemas without a type. Each library has its own option. */
const libraryOptions = { unrepresentable: 'any', errorMode: 'ignore' }

function jsonSchemaOf(source: unknown): unknown {
  // ArkType's schemas are functions.
  const standard = member((source ?? {}) as Partial<StandardJsonSchema>, '~standard')
  if (standard === undefined) return source
  if (typeof standard.jsonSchema?.output !== 'function') {
    throw new TypeError('source must say its JSON Schema; with valibot, pass toStandardJsonSchema(schema)')
  }
  return standard.jsonSchema.output({ target: 'draft-2020-12', libraryOptions })
}

function rootFields(schema: unknown, context: Context): Fields {
  try {
    const { properties, open } = shapeOf([schema], context, [new Set(['#'])])
    if (properties.size > 0) return fieldsOf(properties, '', context, open)
    return refuse('not an object with properties')
  } catch (error) {
    if (!(error instanceof Unsupported)) throw error
    throw new TypeError(`source must be the schema of an object with properties: ${error.message}`, { cause: error })
  }
}

// --- Fields

/** Things of a list, with their places: to look one up does not take longer in a long list. */
type Listed<T> = ReadonlyMap<T, number>

/** What schemas that hold together say of one value. */
interface Shape {
  /** The types that are left; `undefined` where none is named. */
  readonly types: Listed<string> | undefined
  /** The names of those formats that are types of fields. */
  readonly formats: ReadonlySet<unknown>
  /** The values that are left. */
  readonly values: Listed<unknown> | undefined
  readonly properties: ReadonlyMap<string, readonly unknown[]>
  readonly items: readonly unknown[]
  readonly isTuple: boolean
  /** Alternatives that say a type: each holds together with everything else. */
  readonly alternatives: readonly unknown[] | undefined
  /** With what was followed for it. */
  readonly open: Open
}

const isWithin = (path: string, outer: string): boolean => path === outer || path.startsWith(`${outer}.`)

/** Whether the options take a path, something in it, or something around it. */
function isTaken(path: string, { pick, omit = [] }: JsonSchemaOptions): boolean {
  if (omit.some((outer) => isWithin(path, outer))) return false
  return pick === undefined || pick.some((one) => isWithin(path, one) || isWithin(one, path))
}

function fieldsOf(
  properties: ReadonlyMap<string, readonly unknown[]>,
  around: string,
  context: Context,
  open: Open,
): Fields {
  const { fields: given = {} } = context.options
  const fields: Record<string, Field> = {}
  for (const [name, schemas] of properties) {
    const path = around === '' ? name : `${around}.${name}`
    context.met.add(path)
    if (context.met.size > mostPaths) {
      throw new TypeError(`the schema has more than ${mostPaths} paths: name those that queries need with pick`)
    }
    if (!isTaken(path, context.options)) continue
    try {
      const defect = nameDefect(name)
      if (defect !== undefined) refuse(`the name ${defect}`)
      if (path.split('.').length > maxDepth) refuse(`it nests deeper than ${maxDepth} levels`)
      const own = Object.hasOwn(given, path) ? given[path] : undefined
      fields[name] = own ?? fieldOf(schemas, path, context, open)
    } catch (error) {
      if (!(error instanceof Unsupported)) throw error
      context.problems.set(path, error.message)
    }
  }
  return fields
}

const fieldOf = (schemas: readonly unknown[], path: string, context: Context, open: Open): Field =>
  fieldOfShape(shapeOf(schemas, context, open), path, context)

function fieldOfShape(shape: Shape, path: string, context: Context): Field {
  if (shape.alternatives !== undefined) return unionOf(shape, shape.alternatives, path, context)
  if (shape.values !== undefined) return fieldOfValues([...shape.values.keys()].filter((value) => value !== null))
  const types = namedTypes(shape)
  if (types === undefined) return refuse('any value: the schema has no type')
  const [type, ...others] = types
  if (type === undefined) return refuse('no value: the types exclude each other')
  if (others.length > 0) return refuse(`a union of several types: ${types.join(', ')}`)
  return Object.hasOwn(fieldsByType, type)
    ? fieldsByType[type]!(shape, path, context)
    : refuse(`a type that JSON Schema does not have: ${type}`)
}

/** The types that are left, without `null`, and without `integer` beside `number`. */
const namedTypes = ({ types }: Shape): readonly string[] | undefined =>
  types && [...types.keys()].filter((type) => type !== 'null' && !(type === 'integer' && types.has('number')))

const formats = new Map<unknown, () => Field>([
  ['date', field.date],
  ['date-time', field.datetime],
])

const fieldsByType: Readonly<Record<string, (shape: Shape, path: string, context: Context) => Field>> = {
  string: (shape) => {
    const [format, ...others] = shape.formats
    if (others.length > 0) return refuse(`no value: the formats exclude each other: ${[...shape.formats].join(', ')}`)
    return (formats.get(format) ?? field.string)()
  },
  integer: field.integer,
  number: field.number,
  boolean: field.boolean,
  object: ({ properties, open }, path, context) =>
    properties.size === 0
      ? refuse('a record: the schema has no names of properties')
      : field.object(fieldsOf(properties, path, context, open)),
  array: ({ items, isTuple, open }, path, context) => {
    if (isTuple) return refuse('a tuple: its entries have several meanings')
    if (items.length === 0) return refuse('a list of any values: the schema has no items')
    const entry = fieldOf(items, path, context, open)
    return entry.type === 'list' ? refuse('a list right in a list') : field.list(entry as EntryField)
  },
}

function fieldOfValues(values: readonly unknown[]): Field {
  if (values.length === 0) return refuse('no value: the values exclude each other')
  if (values.every((value) => typeof value === 'boolean')) return field.boolean()
  if (values.every((value) => typeof value === 'number')) {
    return values.every(Number.isSafeInteger) ? field.integer() : field.number()
  }
  if (!values.every((value) => typeof value === 'string')) return refuse('a union of several types, by its values')
  try {
    return field.enumeration([...new Set(values)])
  } catch (error) {
    return refuse((error as Error).message)
  }
}

/** The field of alternatives that are one type, or texts to choose from. */
function unionOf(shape: Shape, alternatives: readonly unknown[], path: string, context: Context): Field {
  context.alternatives += alternatives.length
  if (context.alternatives > mostAlternatives) {
    throw new TypeError(
      `the schema has more than ${mostAlternatives} alternatives: name the paths that queries need with pick`,
    )
  }
  const named = alternatives.filter((one) => !isNull(one))
  if (named.length === 0) return refuse('no value but null')
  const all = named.map((one) => shapeOf([one], context, shape.open, shape))
  if (all.length === 1) return fieldOfShape(all[0]!, path, context)
  // What objects and lists hold is not looked at: schemas of APIs let each object lead to most others.
  const types = [...new Set(all.map(typeOf))]
  if (!types.every((type) => scalarTypes.has(type))) return refuse(`a union of several types: ${types.join(', ')}`)
  const fields = all.map((one) => fieldOfShape(one, path, context))
  if (fields.every(({ type }) => type === 'enumeration')) {
    return fieldOfValues(fields.flatMap((one) => (one.type === 'enumeration' ? one.values : [])))
  }
  const found = [...new Set(fields.map(({ type }) => type))]
  if (found.length === 1) return fields[0]!
  if (found.every((type) => type === 'integer' || type === 'number')) return field.number()
  return refuse(`a union of several types: ${found.join(', ')}`)
}

const scalarTypes: ReadonlySet<string> = new Set(['string', 'integer', 'number', 'boolean', 'values', 'union'])
/** What a schema is about, without a look inside. */
const typeOf = (shape: Shape): string =>
  shape.alternatives !== undefined
    ? 'union'
    : shape.values !== undefined
      ? 'values'
      : (namedTypes(shape)?.join(', ') ?? 'any')

const isNull = (schema: unknown): boolean =>
  isObject(schema) && (own(schema, 'type') === 'null' || own(schema, 'const') === null)

// --- Shapes

/** The parts of a conjunction: references are followed, `allOf` is taken apart. */
function partsOf(
  schemas: readonly unknown[],
  context: Context,
  open: Open,
): { readonly parts: readonly Json[]; readonly open: Open } {
  if (open.length > mostLevels) refuse(`it nests deeper than ${mostLevels} levels`)
  const parts: Json[] = []
  const own = new Set<unknown>()
  /** Whether a part is new: a base of two parts says nothing more the second time. */
  const isNew = (part: unknown): boolean => {
    if (open.some((followed) => followed.has(part))) refuse('recursion: it refers to what it is in')
    return own.size < own.add(part).size
  }
  const todo = [...schemas]
  for (let at = 0; at < todo.length; at++) {
    if (todo[at] === false) refuse('no value: the schema is false')
    // In a document whose references are resolved, an object may be in itself.
    if (!isObject(todo[at]) || !isNew(todo[at])) continue
    const schema = ownOf(todo[at] as Json)
    parts.push(schema)
    if (Array.isArray(schema.allOf)) for (const part of schema.allOf as unknown[]) todo.push(part)
    if (schema.$ref === undefined) continue
    const ref = String(schema.$ref)
    if (isNew(ref)) todo.push(referred(ref, context.document))
  }
  return { parts, open: [...open, own] }
}

/** What a local reference leads to; `#` alone is followed from the start. @see RFC 6901, JSON Pointer */
function referred(ref: string, document: unknown): unknown {
  if (!ref.startsWith('#/')) return refuse(`a reference to another document: ${ref}`)
  const names = ref.split('/').slice(1)
  const found = names.reduce<unknown>((value, name) => {
    const key = decoded(name).replaceAll('~1', '/').replaceAll('~0', '~')
    return typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? (value as Json)[key] : undefined
  }, document)
  return found ?? refuse(`a reference that leads nowhere: ${ref}`)
}

/** Decodes a name in the fragment of a URI. Returns a name with a malformed escape unchanged. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

/** `number` has the integers in it. */
const typesOf = (schema: Json): readonly string[] | undefined => {
  const { type } = schema
  if (type !== undefined) {
    const named = new Set([type].flat().map(String))
    return [...(named.has('number') ? named.add('integer') : named)]
  }
  if (schema.properties !== undefined) return ['object']
  return schema.items === undefined && schema.prefixItems === undefined ? undefined : ['array']
}

function listed<T>(list: readonly T[] | undefined): Listed<T> | undefined {
  if (list === undefined) return undefined
  const places = new Map<T, number>()
  for (const [place, one] of list.entries()) if (!places.has(one)) places.set(one, place)
  return places
}

/** What both say, where both say something, in the order of the first. Takes as long as the shorter one is. */
function common<T>(a: Listed<T> | undefined, b: Listed<T> | undefined): Listed<T> | undefined {
  if (a === undefined || b === undefined) return a ?? b
  const [few, many] = a.size <= b.size ? [a, b] : [b, a]
  const both = [...few.keys()].filter((one) => many.has(one)).sort((one, other) => a.get(one)! - a.get(other)!)
  return new Map(both.map((one) => [one, a.get(one)!]))
}

/** Alternatives that only say what is required beside each other say nothing here. */
const saysType = (schema: unknown): boolean =>
  isObject(schema) &&
  ['type', 'const', 'enum', '$ref', 'properties', 'items', 'anyOf', 'oneOf', 'allOf'].some((name) =>
    Object.hasOwn(schema, name),
  )

const saysNothing: Omit<Shape, 'open'> = {
  types: undefined,
  formats: new Set(),
  values: undefined,
  properties: new Map(),
  items: [],
  isTuple: false,
  alternatives: undefined,
}

/**
 * @param beside what holds together with the schemas, and has been read: a union would read it again for each of its
 *   alternatives. Its own alternatives do not count.
 */
function shapeOf(schemas: readonly unknown[], context: Context, around: Open, beside = saysNothing): Shape {
  const { parts, open } = partsOf(schemas, context, around)
  let { types, values, isTuple } = beside
  const known = new Set(beside.formats)
  const properties = new Map<string, unknown[]>()
  const items: unknown[] = []
  const alternatives: unknown[][] = []
  for (const part of parts) {
    types = common(types, listed(typesOf(part)))
    if (part.enum !== undefined && !Array.isArray(part.enum)) refuse('its enum is not a list')
    values = common(values, listed(part.enum as readonly unknown[] | undefined))
    if (part.const !== undefined) values = common(values, listed([part.const]))
    if (formats.has(part.format)) known.add(part.format)
    for (const [name, schema] of Object.entries(isObject(part.properties) ? part.properties : {})) {
      const schemas = properties.get(name)
      if (schemas === undefined) properties.set(name, [schema])
      else schemas.push(schema)
    }
    if (part.items !== undefined && part.items !== true) items.push(part.items)
    isTuple ||= Array.isArray(part.items) || part.prefixItems !== undefined
    for (const union of [part.anyOf, part.oneOf]) {
      if (Array.isArray(union) && union.some(saysType)) alternatives.push(union as unknown[])
    }
  }
  if (alternatives.length > 1) refuse('several unions at once')
  return {
    types,
    formats: known,
    values,
    properties: properties.size > 0 ? merged(beside.properties, properties) : beside.properties,
    items: [...beside.items, ...items],
    isTuple,
    alternatives: alternatives.at(0),
    open,
  }
}

/** The schemas of each property, those of the first map first. */
function merged(a: Shape['properties'], b: Shape['properties']): Shape['properties'] {
  if (a.size === 0) return b
  const both = new Map(a)
  for (const [name, schemas] of b) both.set(name, [...(a.get(name) ?? []), ...schemas])
  return both
}
