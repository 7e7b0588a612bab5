/** Schemas of values, and of the rows of answers. */
import { checkSchema, isPromised, jsonTypes, valuesOf } from '../../language/index.ts'
import type { Collection, Field, Fields, ResolvedField, ScalarType, Schema } from '../../language/index.ts'
import { checkOptions } from '../../options.ts'
import { own } from '../../own.ts'
import { keepInPlace, nameOfField, type AddPart } from './components.ts'
import type { SchemaObject } from './objects.ts'
import { checkVersion, type Described, type OpenApiVersion } from './options.ts'

/** The options of {@link rowSchema}. */
export interface RowOptions {
  /** The version of the document. Default: `3.1`. 3.0 has `nullable` in place of the type `null`. */
  readonly version?: OpenApiVersion
}

/**
 * Describes the rows of a schema, for an OpenAPI document. A field that the schema requires is `required`, and not null. Every other
 * field may be missing or null, as in the rows. `bigint` and `decimal` are texts.
 *
 * @returns a Schema Object: plain JSON.
 * @throws TypeError when an argument has the wrong type.
 * @example
 * rowSchema(notes) // => { type: 'object', properties: { id: { type: ['integer', 'null'], format: 'int64' }, total: { type: ['number', 'null'], format: 'double' } } }
 */
export function rowSchema(schema: Schema, options: RowOptions = {}): SchemaObject {
  checkSchema(schema)
  const { version } = checkOptions(options, 'options', ['version'] satisfies (keyof RowOptions)[])
  return objectSchema(schema.fields, {
    version: checkVersion(version),
    place: keepInPlace,
    row: '',
    at: '',
    isShown: () => true,
    isInKey: () => false,
    isWhole: true,
  })
}

/** Whether an answer of the collection shows the field at a path, or one below it. */
export function shownBy({ visible, selectable }: Collection): (path: string) => boolean {
  const names = [...(selectable?.keys() ?? visible.paths.keys())]
  return (path) => isAround(path, names)
}
/** Whether one of the names is a path, or below it. */
export const isAround = (path: string, names: readonly string[]) =>
  names.some((name) => name === path || name.startsWith(`${path}.`))

/** The rows of a collection's answers: only the fields that it shows. */
export function shownRowSchema(collection: Collection, { version, place, row }: Described): SchemaObject {
  const { visible, key, selectable } = collection
  const keyNames = key.map(({ name }) => name)
  return objectSchema(visible.fields, {
    version,
    place,
    row,
    at: '',
    isWhole: selectable === undefined,
    isShown: shownBy(collection),
    isInKey: (path) => isAround(path, keyNames),
  })
}

/** Facts that the schema of a value needs besides its definition. */
interface Around {
  readonly version: OpenApiVersion
  readonly place: AddPart
  readonly row: string
  /** The path of the object around, and a dot. */
  readonly at: string
  readonly isShown: (path: string) => boolean
  /** Whether it is a field of the collection's key, or an object around one. */
  readonly isInKey: (path: string) => boolean
  /** Whether every row has all of its fields in the answer: a caller who names `fields` gets no others. */
  readonly isWhole: boolean
}

function objectSchema(fields: Fields, around: Around): SchemaObject {
  const { version, at, isShown, isInKey, isWhole } = around
  const visible = Object.entries(fields).filter(([name]) => isShown(at + name))
  const isPresent = (name: string, definition: Field) => isPromised(definition) || isInKey(at + name)
  const required = visible.filter(([name, definition]) => isWhole && isPresent(name, definition)).map(([name]) => name)
  const properties = visible.map(([name, definition]): [string, SchemaObject] => {
    const schema = valueSchema(definition, { ...around, at: `${at}${name}.` })
    return [name, isPresent(name, definition) ? schema : orNull(schema, version)]
  })
  return {
    type: 'object',
    ...(required.length > 0 && { required }),
    // `fromEntries` makes own properties, of `constructor` too.
    properties: Object.fromEntries(properties),
  }
}

function valueSchema(definition: Field, around: Around): SchemaObject {
  const { version, place, row, at } = around
  if (definition.type === 'object') return objectSchema(definition.fields, around)
  if (definition.type === 'list') {
    return { type: 'array', items: orNull(valueSchema(definition.entry, around), version) }
  }
  if (definition.type === 'json') return {}
  if (definition.type === 'record')
    return { type: 'object', additionalProperties: orNull(valueSchema(definition.entry, around), version) }
  if (definition.type !== 'enumeration') return jsonTypes[definition.type]
  const schema = { ...jsonTypes.enumeration, enum: definition.values }
  // In 3.0 a reference cannot be nullable.
  return version === '3.0' ? schema : place('schemas', nameOfField(row, at), schema)
}

/** A value of a facet, or null. */
export const facetValueSchema = (field: ResolvedField, { version }: Described): SchemaObject => {
  const values = valuesOf(field)
  return orNull({ ...jsonTypes[field.type as ScalarType], ...(values && { enum: values }) }, version)
}

/** 3.0 has no type `null` (https://spec.openapis.org/oas/v3.0.4.html#data-types). An enumeration lists null in both versions. */
function orNull(schema: SchemaObject, version: OpenApiVersion): SchemaObject {
  // JSON has each value already.
  if (own(schema, 'type') === undefined && own(schema, '$ref') === undefined) return schema
  if (own(schema, '$ref') !== undefined) return { anyOf: [schema, { type: 'null' }] }
  const enumeration = own(schema, 'enum')
  const values = enumeration && { enum: [...enumeration, null] }
  const type = version === '3.0' ? { nullable: true } : { type: [schema.type as string, 'null'] }
  return { ...schema, ...type, ...values }
}
