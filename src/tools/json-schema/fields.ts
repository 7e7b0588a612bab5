/** The shapes of a JSON Schema → fields. */
import { collectField, promised, unsupported, Unsupported, type Collector } from '../foreign-fields.ts'
import {
  field,
  jsonTypes,
  maxDepth,
  type EntryField,
  type Field,
  type Fields,
  type RecordEntry,
} from '../../language/index.ts'
import { own } from '../../own.ts'
import { takesDates } from './libraries.ts'
import { isObject, namedTypes, shapeOf, type Around, type Shape } from './shape.ts'

/** Options of {@link fromJsonSchema}. Paths are dotted, through objects and lists. */
export interface JsonSchemaOptions {
  /** The paths to include, with all paths inside. Default: every path. A `writeOnly` property is included by its own path alone. */
  readonly pick?: readonly string[]
  /** The paths to leave out, with all paths inside. */
  readonly omit?: readonly string[]
  /** `'omit'` leaves out paths that cannot be a field. Default: these cause a TypeError. */
  readonly unsupported?: 'omit'
  /** Definitions by path. JSON Schema cannot express a `z.date()`: write `{ createdAt: field.datetime() }`. */
  readonly fields?: Readonly<Record<string, Field>>
  /** The document that local references (`#/components/schemas/…`) lead into. Default: the schema itself. */
  readonly document?: object
}

/** The conversion of one schema. */
export interface Conversion {
  readonly document: unknown
  readonly options: JsonSchemaOptions
  readonly collector: Collector
  /** How many alternatives of unions were read. */
  alternatives: number
}

/** Objects of an API may lead to each other without end. No query needs so many fields. */
const mostPaths = 5_000
/** Each alternative of a union may be another union. */
const mostAlternatives = 20_000

const isWithin = (path: string, outer: string): boolean => path === outer || path.startsWith(`${outer}.`)

/** Whether the options pick a path, a path in it, or one around it. */
function isPicked(path: string, { pick, omit = [] }: JsonSchemaOptions): boolean {
  if (omit.some((outer) => isWithin(path, outer))) return false
  return pick === undefined || pick.some((one) => isWithin(path, one) || isWithin(one, path))
}

/** Whether the options name a path itself, or one in it. */
const isNamed = (path: string, { pick = [], fields = {} }: JsonSchemaOptions): boolean =>
  [...pick, ...Object.keys(fields)].some((one) => isWithin(one, path))

/** Ends the reading of a property that no answer has. */
class WriteOnly extends Error {}

/** The fields of the properties of an object. */
export function fieldsOf({ properties, required, around }: Shape, outer: string, conversion: Conversion): Fields {
  const { options, collector } = conversion
  const { fields: overrides = {} } = options
  const fields: Record<string, Field> = {}
  for (const [name, schemas] of properties) {
    const path = outer === '' ? name : `${outer}.${name}`
    collector.paths.add(path)
    if (collector.paths.size > mostPaths) {
      throw new TypeError(`the schema has more than ${mostPaths} paths: name those that queries need with pick`)
    }
    if (!isPicked(path, options)) continue
    collectField(collector, name, path, () => {
      if (path.split('.').length > maxDepth) unsupported(`it nests deeper than ${maxDepth} levels`)
      try {
        fields[name] = own(overrides, path) ?? propertyOf(schemas, required.has(name), path, conversion, around)
      } catch (error) {
        if (!(error instanceof WriteOnly)) throw error
      }
    })
  }
  return fields
}

function propertyOf(
  schemas: readonly unknown[],
  isPresent: boolean,
  path: string,
  conversion: Conversion,
  around: Around,
): Field {
  const shape = shapeOf(schemas, conversion.document, around)
  const made = fieldOfShape(shape, path, conversion)
  return isPresent && !mayBeNull(shape, conversion) ? promised(made) : made
}

const has = (left: Shape['types'] | Shape['values'], value: unknown): boolean =>
  left === undefined || (left as ReadonlyMap<unknown, number>).has(value)

/** Whether null is left. `fieldOfShape` has bounded how many alternatives there are. */
const mayBeNull = (shape: Shape, conversion: Conversion): boolean =>
  shape.isNullable ||
  shape.isWriteOnly ||
  (has(shape.types, 'null') &&
    has(shape.values, null) &&
    (shape.alternatives?.some((one) => mayBeNull(alternativeOf(shape, one, conversion), conversion)) ?? true))

/** An alternative of a shape, together with the rest of the shape. */
const alternativeOf = (shape: Shape, alternative: unknown, { document }: Conversion): Shape =>
  shapeOf([alternative], document, shape.around, shape)

function fieldOfShape(shape: Shape, path: string, conversion: Conversion): Field {
  if (shape.isWriteOnly && !isNamed(path, conversion.options)) throw new WriteOnly()
  if (shape.alternatives !== undefined) return unionOf(shape, shape.alternatives, path, conversion)
  if (shape.values !== undefined) return fieldOfValues([...shape.values.keys()].filter((value) => value !== null))
  const types = namedTypes(shape)
  if (types === undefined) return field.json()
  const [type, ...others] = types
  if (type === undefined) return unsupported('no value: the types exclude each other')
  if (others.length > 0) return unsupported(`a union of several types: ${types.join(', ')}`)
  return Object.hasOwn(fieldsByType, type)
    ? fieldsByType[type]!(shape, path, conversion)
    : unsupported(`a type that JSON Schema does not have: ${type}`)
}

/** The formats of texts that a type of field has. */
const formats = new Map<unknown, () => Field>(
  Object.entries(jsonTypes).flatMap(([type, json]: [string, { readonly type: string; readonly format?: string }]) => {
    const format = json.type === 'string' ? own(json, 'format') : undefined
    return format === undefined ? [] : [[format, field[type as 'string']]]
  }),
)

const mixedDates =
  'dates as texts of several forms, which sort in another order: write field.datetime(), field.date() or field.string() in the option fields, as the rows are'
const isOfDates = (pattern: unknown): boolean => takesDates((text) => new RegExp(String(pattern), 'u').test(text))

const fieldsByType: Readonly<Record<string, (shape: Shape, path: string, conversion: Conversion) => Field>> = {
  string: (shape) => {
    const names = [...shape.formats].filter((format) => formats.has(format))
    if (names.length > 1) return unsupported(`no value: the formats exclude each other: ${names.join(', ')}`)
    if (names.length === 0 && shape.patterns.some(isOfDates)) return unsupported(mixedDates)
    return (formats.get(names[0]) ?? field.string)()
  },
  integer: () => field.integer(),
  number: () => field.number(),
  boolean: () => field.boolean(),
  object: (shape, path, conversion) =>
    shape.properties.size === 0 ? recordOf(shape, path, conversion) : field.object(fieldsOf(shape, path, conversion)),
  // The names that libraries.ts gives to the types that JSON Schema lacks.
  date: () => unsupported('a Date: write field.datetime() in the option fields, or field.date() where it is a day'),
  bigint: () => unsupported('a bigint: write field.bigint() in the option fields'),
  dates: () => unsupported(mixedDates),
  transform: () => unsupported('the result of a transform: no schema says its type'),
  array: ({ items, isTuple, around }, path, conversion) => {
    if (isTuple) return unsupported('a tuple: its entries have several meanings')
    if (items.length === 0) return unsupported('a list of any values: the schema has no items')
    const entry = asEntry(() => fieldOfShape(shapeOf(items, conversion.document, around), path, conversion))
    if (entry.type === 'json') return entry
    return entry.type === 'list' ? unsupported('a list right in a list') : field.list(entry as EntryField)
  },
}

/** A record of `additionalProperties`, if these are scalars. */
function recordOf({ others, around }: Shape, path: string, conversion: Conversion): Field {
  if (others.length === 0) return unsupported('a record: the schema has no names of properties')
  const entry = fieldOfShape(shapeOf(others, conversion.document, around), path, conversion)
  return ['list', 'object', 'json', 'record'].includes(entry.type)
    ? unsupported(
        `a record of ${entry.type === 'json' ? 'any JSON' : `${entry.type}s`}: write field.json() in the option fields`,
      )
    : field.record(entry as RecordEntry)
}

/** The advice for an entry is about the list that a program defines. */
function asEntry(make: () => Field): Field {
  try {
    return make()
  } catch (error) {
    if (!(error instanceof Unsupported)) throw error
    return unsupported(error.message.replaceAll(/\bfield\.\w+\(\)/g, 'field.list($&)'))
  }
}

function fieldOfValues(values: readonly unknown[]): Field {
  if (values.length === 0) return unsupported('no value: the values exclude each other')
  if (values.every((value) => typeof value === 'boolean')) return field.boolean()
  if (values.every((value) => typeof value === 'number')) {
    return values.every(Number.isSafeInteger) ? field.integer() : field.number()
  }
  if (!values.every((value) => typeof value === 'string')) return unsupported('a union of several types, by its values')
  try {
    return field.enumeration([...new Set(values)])
  } catch (error) {
    return unsupported((error as Error).message)
  }
}

/** The field of alternatives that are one type, or texts to choose from. */
function unionOf(shape: Shape, alternatives: readonly unknown[], path: string, conversion: Conversion): Field {
  conversion.alternatives += alternatives.length
  if (conversion.alternatives > mostAlternatives) {
    throw new TypeError(
      `the schema has more than ${mostAlternatives} alternatives: name the paths that queries need with pick`,
    )
  }
  const others = alternatives.filter((one) => !isNull(one))
  if (others.length === 0) return unsupported('no value but null')
  const all = others.map((one) => alternativeOf(shape, one, conversion))
  if (all.length === 1) return fieldOfShape(all[0]!, path, conversion)
  // The contents of objects and lists stay unread: in schemas of APIs each object leads to most others.
  const types = [...new Set(all.flatMap(summaryOf))]
  if (!types.every((type) => scalarTypes.has(type))) {
    const [type, ...others] = types
    if (others.length > 0) return unsupported(`a union of several types: ${types.join(', ')}`)
    return Object.hasOwn(severalOf, type!) ? unsupported(severalOf[type!]!) : fieldOfShape(all[0]!, path, conversion)
  }
  // ArkType has two uuids beside the pattern of the others.
  const isOfUuids = all.every(({ formats }) => formats.has('uuid')) && types.includes('string')
  if (isOfUuids && types.every((type) => type === 'string' || type === 'values')) return field.uuid()
  const fields = all.map((one) => fieldOfShape(one, path, conversion))
  if (fields.every(({ type }) => type === 'enumeration')) {
    return fieldOfValues(fields.flatMap((one) => (one.type === 'enumeration' ? one.values : [])))
  }
  const fieldTypes = [...new Set(fields.map(({ type }) => type))]
  if (fieldTypes.length === 1) return fields[0]!
  if (fieldTypes.every((type) => type === 'integer' || type === 'number')) return field.number()
  return unsupported(`a union of several types: ${fieldTypes.join(', ')}`)
}

const scalarTypes: ReadonlySet<string> = new Set(['string', 'integer', 'number', 'boolean', 'values', 'union'])
const severalOf: Readonly<Record<string, string>> = {
  object: 'a union of several objects',
  array: 'a union of several lists',
}
/** Summarises a shape, without its contents. */
const summaryOf = (shape: Shape): readonly string[] =>
  shape.alternatives !== undefined
    ? ['union']
    : shape.values !== undefined
      ? ['values']
      : (namedTypes(shape) ?? ['any'])

const isNull = (schema: unknown): boolean =>
  isObject(schema) && (own(schema, 'type') === 'null' || own(schema, 'const') === null)
