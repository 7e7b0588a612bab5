/** JSON Schema → schema, with a list of the properties that cannot be fields. */
import { checkPaths, checkReasons, newCollector, Unsupported } from '../foreign-fields.ts'
import { defineSchema, type Fields, type Schema } from '../../language/index.ts'
import { checkOptions } from '../../options.ts'
import { member } from '../../own.ts'
import { fieldsOf, type Conversion, type JsonSchemaOptions } from './fields.ts'
import type { FieldsOf, StandardJsonSchema } from './infer.ts'
import { libraryOptions } from './libraries.ts'
import { isObject, shapeOf } from './shape.ts'

/**
 * Makes a schema out of a JSON Schema (draft 2020-12, draft-07, OpenAPI 3.0 and 3.1), or out of a schema of zod, ArkType or valibot (by
 * its `toStandardJsonSchema`). It reads their output type, because rows contain parsed values.
 *
 * Texts with the format `date`, `date-time`, `time-local`, `uuid`, `int64` or `decimal` are dates, datetimes, times, uuids, bigints and decimals. `enum`,
 * `const` and unions of texts are enumerations. A property that is listed in `required` and cannot be null is required. Local references
 * are followed, and `allOf` is joined.
 *
 * @param source write a JSON Schema `as const`, so that the compiler knows its fields.
 * @throws TypeError that lists every path that cannot be a field, with the reason: records, tuples, unions of several types, lists in
 *   lists, recursion, names that a query cannot contain. `pick`, `omit`, `fields` and `unsupported` deal with them.
 * @see https://json-schema.org/draft/2020-12
 * @see https://standardschema.dev/json-schema
 * @example
 * const orders = fromJsonSchema({
 *   type: 'object',
 *   properties: { arrival: { type: 'string', format: 'date' }, status: { enum: ['paid', 'held'] } },
 * })
 * where(orders).equals('status', 'paid')
 */
export function fromJsonSchema<const S extends object, const O extends JsonSchemaOptions = {}>(
  source: S,
  options?: O,
): Schema<FieldsOf<S, Defined<O>>> {
  const checked: JsonSchemaOptions = checkOptions<JsonSchemaOptions>(options === undefined ? {} : options, 'options', [
    'pick',
    'omit',
    'unsupported',
    'fields',
    'document',
  ])
  if (checked.unsupported !== undefined && checked.unsupported !== 'omit') {
    throw new TypeError("options.unsupported must be 'omit'")
  }
  for (const name of ['pick', 'omit'] as const) {
    const { [name]: paths = [] as unknown } = checked
    if (!Array.isArray(paths) || paths.some((path) => typeof path !== 'string')) {
      throw new TypeError(`options.${name} must be a list of paths`)
    }
  }
  for (const name of ['fields', 'document'] as const) {
    if (checked[name] !== undefined && !isObject(checked[name]))
      throw new TypeError(`options.${name} must be an object`)
  }
  const schema = jsonSchemaOf(source)
  const { document = schema, pick = [], omit = [], fields: defined = {}, unsupported: unfit } = checked
  const conversion: Conversion = { document, options: checked, collector: newCollector(), alternatives: 0 }
  const fields = rootFields(schema, conversion)
  const names = [...pick, ...omit, ...Object.keys(defined)]
  checkPaths(conversion.collector, names, 'options name paths that the schema does not have')
  if (unfit !== 'omit') {
    checkReasons(
      conversion.collector,
      'paths of the schema',
      "Name them in the options omit or fields, or leave all of them out with unsupported: 'omit'",
    )
  }
  return defineSchema(fields) as Schema<FieldsOf<S, Defined<O>>>
}

/** The definitions and the paths of `pick` of the options, as far as the compiler knows them. */
type Defined<O> = (O extends { readonly fields: infer Given } ? (string extends keyof Given ? {} : Given) : {}) &
  (O extends { readonly pick: readonly (infer P extends string)[] }
    ? string extends P
      ? {}
      : { readonly [K in P]: 'picked' }
    : {})

/** A JSON Schema of rows has one of these. Schemas of libraries have none; their `type` is a name of the library. */
const keywords = ['$schema', '$ref', 'properties', 'allOf', 'anyOf', 'oneOf'] as const

function jsonSchemaOf(source: unknown): unknown {
  // The result of `z.toJSONSchema` has a hidden `~standard`, which ignores its options.
  if (isObject(source) && keywords.some((keyword) => Object.hasOwn(source, keyword))) return source
  // ArkType's schemas are functions.
  const standard = member((source ?? {}) as Partial<StandardJsonSchema>, '~standard')
  if (standard === undefined) return source
  if (typeof standard.jsonSchema?.output !== 'function') {
    throw new TypeError('source must say its JSON Schema; with valibot, pass toStandardJsonSchema(schema)')
  }
  return standard.jsonSchema.output({ target: 'draft-2020-12', libraryOptions })
}

function rootFields(schema: unknown, conversion: Conversion): Fields {
  let reason = 'not an object with properties'
  try {
    const shape = shapeOf([schema], conversion.document, [new Set(['#'])])
    if (shape.properties.size > 0) return fieldsOf(shape, '', conversion)
  } catch (error) {
    if (!(error instanceof Unsupported)) throw error
    reason = error.message
  }
  throw new TypeError(`source must be the schema of an object with properties: ${reason}`)
}
