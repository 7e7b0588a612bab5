/** Schemas of values: of rows in answers, and of operands in queries. */
import {
  checkSchema,
  isPromised,
  operatorWords,
  type Collection,
  valuesOf,
  type Field,
  type Fields,
  type OperatorRow,
  type ResolvedField,
  type Schema,
} from '../language/index.ts'
import { checkOptions } from '../options.ts'
import { own } from '../own.ts'
import { itemText } from '../query/encode.ts'
import type { Limits } from '../syntax/limits.ts'
import { checkVersion, type OpenApiVersion } from './options.ts'
import { itemPattern, listPattern, patterns } from './patterns.ts'

/** A Schema Object, with the keywords that descriptions use. */
export interface SchemaObject {
  readonly type?: string | readonly string[]
  readonly nullable?: boolean
  readonly format?: string
  readonly description?: string
  readonly enum?: readonly (string | null)[]
  readonly default?: unknown
  readonly pattern?: string
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly items?: SchemaObject
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
  readonly properties?: Readonly<Record<string, SchemaObject>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean
  readonly anyOf?: readonly SchemaObject[]
  readonly allOf?: readonly SchemaObject[]
  readonly not?: SchemaObject
}

/** The options of {@link rowSchema}. */
export interface RowOptions {
  /** The version of the document, `3.1` unless given: 3.0 has `nullable` in place of the type `null`. */
  readonly version?: OpenApiVersion
}

type ScalarType = Exclude<ResolvedField['type'], 'object'>

const stored: { readonly [T in ScalarType]: SchemaObject } = {
  string: { type: 'string' },
  enumeration: { type: 'string' },
  uuid: { type: 'string', format: 'uuid' },
  integer: { type: 'integer', format: 'int64' },
  bigint: { type: 'string', format: 'int64' },
  decimal: { type: 'string', format: 'decimal' },
  number: { type: 'number', format: 'double' },
  boolean: { type: 'boolean' },
  date: { type: 'string', format: 'date' },
  datetime: { type: 'string', format: 'date-time' },
}

/**
 * Describes the rows of a schema, for an OpenAPI document. A field that the schema requires is `required`, and not null. Every
 * other field may be missing or null, as in the rows. `bigint` and `decimal` are texts.
 *
 * @returns a Schema Object: plain JSON.
 * @throws TypeError when an argument is not of its type.
 * @example
 * rowSchema(notes) // => { type: 'object', properties: { id: { type: ['integer', 'null'], format: 'int64' }, total: { type: ['number', 'null'], format: 'double' } } }
 */
export function rowSchema(schema: Schema, options: RowOptions = {}): SchemaObject {
  checkSchema(schema)
  const { version } = checkOptions(options, 'options', ['version'] satisfies (keyof RowOptions)[])
  const shown = { version: checkVersion(version), at: '', isShown: () => true, isInKey: () => false, isWhole: true }
  return objectSchema(schema.fields, shown)
}

/** The rows of a collection's answers: only the fields that it shows. */
export function shownRowSchema({ visible, key, selectable }: Collection, version: OpenApiVersion): SchemaObject {
  const isAround = (path: string, names: readonly string[]) =>
    names.some((name) => name === path || name.startsWith(`${path}.`))
  const names = [...(selectable?.keys() ?? visible.paths.keys())]
  const keyNames = key.map(({ name }) => name)
  return objectSchema(visible.fields, {
    ...{ version, at: '', isWhole: selectable === undefined },
    isShown: (path) => isAround(path, names),
    isInKey: (path) => isAround(path, keyNames),
  })
}

/** What the schema of a value needs besides its definition. */
interface Described {
  readonly version: OpenApiVersion
  /** The path of the object around, and a dot. */
  readonly at: string
  readonly isShown: (path: string) => boolean
  /** Whether it is a field of the collection's key, or an object around one. */
  readonly isInKey: (path: string) => boolean
  /** Whether every row has all of its fields in the answer: a caller who names `fields` gets no others. */
  readonly isWhole: boolean
}

function objectSchema(fields: Fields, described: Described): SchemaObject {
  const { version, at, isShown, isInKey, isWhole } = described
  const shown = Object.entries(fields).filter(([name]) => isShown(at + name))
  const isPresent = (name: string, definition: Field) => isPromised(definition) || isInKey(at + name)
  const required = shown.filter(([name, definition]) => isWhole && isPresent(name, definition)).map(([name]) => name)
  const properties = shown.map(([name, definition]): [string, SchemaObject] => {
    const schema = valueSchema(definition, { ...described, at: `${at}${name}.` })
    return [name, isPresent(name, definition) ? schema : orNull(schema, version)]
  })
  return {
    type: 'object',
    ...(required.length > 0 && { required }),
    // `fromEntries` makes own properties, of `constructor` too.
    properties: Object.fromEntries(properties),
  }
}

function valueSchema(definition: Field, described: Described): SchemaObject {
  const { version } = described
  if (definition.type === 'object') return objectSchema(definition.fields, described)
  if (definition.type === 'list') {
    return { type: 'array', items: orNull(valueSchema(definition.entry, described), version) }
  }
  return definition.type === 'enumeration'
    ? { ...stored.enumeration, enum: definition.values }
    : stored[definition.type]
}

/** 3.0 has no type `null` (https://spec.openapis.org/oas/v3.0.4.html#data-types). An enumeration lists null in both versions. */
function orNull(schema: SchemaObject, version: OpenApiVersion): SchemaObject {
  const listed = own(schema, 'enum')
  const values = listed && { enum: [...listed, null] }
  const type = version === '3.0' ? { nullable: true } : { type: [schema.type as string, 'null'] }
  return { ...schema, ...type, ...values }
}

/** One operand of each type, as the language reads it. */
const operands: { readonly [T in ScalarType]: SchemaObject } = {
  string: { ...stored.string, pattern: `^${patterns.string}$` },
  enumeration: stored.enumeration,
  integer: { ...stored.integer, minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
  number: { ...stored.number, minimum: -Number.MAX_VALUE, maximum: Number.MAX_VALUE },
  // Formats that others know allow more: `urn:uuid:`, numbers of any length.
  uuid: { ...stored.uuid, pattern: `^${patterns.uuid}$` },
  bigint: { ...stored.bigint, pattern: `^${patterns.bigint}$` },
  // At most 34 digits: in 35 characters there are a point or a sign, or both.
  decimal: { ...stored.decimal, pattern: '^-?(?:0|[1-9][0-9]{0,33}|(?:0|[1-9][0-9]*)\\.[0-9]+)$', maxLength: 35 },
  boolean: stored.boolean,
  date: stored.date,
  datetime: {
    type: 'string',
    // RFC 3339 allows what the language refuses: finer fractions, leap seconds, an unknown offset, the year 0000.
    anyOf: [{ format: 'date-time', pattern: `^${patterns.moment}$` }, { format: 'date' }],
  },
}

const maxLength = ({ operand }: Limits): SchemaObject => (operand === Infinity ? {} : { maxLength: operand })

/** The schema of an operand: a value of the field, a text, or a flag. */
function operandSchema({ reads }: OperatorRow, field: ResolvedField, limits: Limits): SchemaObject {
  const { type } = field
  const values = valuesOf(field)
  if (reads === 'flag') return operands.boolean
  if (values !== undefined) return { ...operands.enumeration, enum: values }
  const schema = operands[type as ScalarType]
  return type === 'string' ? { ...schema, ...maxLength(limits) } : schema
}

const howToQuote =
  'Write an item that is empty or contains a comma in double quotes, with \\" for a quote and \\\\ for a backslash.'

/** The value after `field[operator]=`, where lists are arrays. */
export function flatSchema(operator: OperatorRow, field: ResolvedField, limits: Limits): SchemaObject {
  const one = operandSchema(operator, field, limits)
  if (operator.operands === 'one') return one
  const isText = field.type === 'string'
  const values = valuesOf(field)
  const items: SchemaObject =
    values !== undefined
      ? { ...one, enum: values.map(itemText) }
      : isText
        ? { ...one, pattern: `^${itemPattern(field)}$`, description: howToQuote }
        : one
  if (operator.operands === 'two') return { type: 'array', items, minItems: 2, maxItems: 2 }
  return { type: 'array', items, minItems: 1, ...(limits.list === Infinity ? {} : { maxItems: limits.list }) }
}

/** The value after `field[operator]=`, where lists are texts: a deepObject has no arrays in it. */
export function compactSchema(operator: OperatorRow, field: ResolvedField, limits: Limits): SchemaObject {
  if (operator.operands === 'one')
    return { ...operandSchema(operator, field, limits), description: operatorWords[operator.name].doc }
  const description = `${operatorWords[operator.name].doc}. Separate them with commas.${field.type === 'string' ? ` ${howToQuote}` : ''}`
  return { type: 'string', pattern: listPattern(field, operator.operands), description }
}
