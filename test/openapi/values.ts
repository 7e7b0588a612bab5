/** Values that a description allows, and the query strings that OpenAPI's rules make of them. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import fc from 'fast-check'
import type { Parameter, SchemaObject } from '../../src/tools/openapi/index.ts'

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, strictTypes: false })
addFormats.default(ajv, { keywords: false })
// https://spec.openapis.org/registry/format/decimal: annotations alone.
ajv.addFormat('decimal', true)
// Of OpenAPI 3.0.
ajv.addKeyword('example')
const validators = new WeakMap<SchemaObject, ValidateFunction>()

/** Whether a value is as a schema says, by a validator that is not ours. */
export function isValid(schema: SchemaObject, value: unknown): boolean {
  let validate = validators.get(schema)
  if (validate === undefined) validators.set(schema, (validate = ajv.compile(schema)))
  return validate(value)
}
export const faultsOf = (schema: SchemaObject, value: unknown): string =>
  isValid(schema, value) ? '' : ajv.errorsText(validators.get(schema)!.errors)

const unlimited = (schema: SchemaObject): fc.Arbitrary<unknown> => {
  const { type, enum: values, anyOf, items, properties, pattern, minimum, maximum, minItems, maxItems } = schema
  const { patternProperties } = schema
  if (values !== undefined) return fc.constantFrom(...values)
  if (anyOf !== undefined) return fc.oneof(...anyOf.map((one) => unlimited({ ...schema, anyOf: undefined!, ...one })))
  switch (type) {
    case 'boolean':
      return fc.boolean()
    case 'integer':
      return fc.bigInt({ min: BigInt(minimum!), max: BigInt(maximum!) }).map(Number)
    case 'number':
      return fc.double({ min: minimum!, max: maximum!, noNaN: true })
    case 'array':
      return fc.array(unlimited(items!), { minLength: minItems!, maxLength: Math.min(4, maxItems!) })
    case 'object':
      if (patternProperties !== undefined)
        return fc.array(memberOf(patternProperties), { maxLength: 2 }).map(Object.fromEntries)
      return fc.record(
        Object.fromEntries(Object.entries(properties!).map(([name, schema]) => [name, unlimited(schema)])),
        { requiredKeys: [] },
      )
    default:
      if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern, 'u'))
      return fc
        .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
        .map((date) => date.toISOString().slice(0, 10))
  }
}
/** A member of an object with patterns of names. No pattern counts UTF-16 units. */
const memberOf = (patterns: Readonly<Record<string, SchemaObject>>): fc.Arbitrary<[string, unknown]> =>
  fc.constantFrom(...Object.entries(patterns)).chain(([pattern, schema]) =>
    fc.tuple(
      fc.stringMatching(new RegExp(pattern, 'u')).filter((name) => name.isWellFormed() && name.length < 128),
      unlimited(schema),
    ),
  )
/** A value that a schema allows. */
export const someValue = (schema: SchemaObject): fc.Arbitrary<unknown> =>
  unlimited(schema).filter((value) => isValid(schema, value))

const encode = (value: unknown): string => encodeURIComponent(String(value))

/** A pair for each value, as the serialisation of the parameter says (https://spec.openapis.org/oas/v3.1.1.html#style-values). */
export function serialised({ name, style, explode }: Parameter, value: unknown): string[] {
  if (style === 'deepObject') {
    return Object.entries(value as object).map(([key, one]) => `${encode(name)}[${encode(key)}]=${encode(one)}`)
  }
  if (typeof value === 'object' && !Array.isArray(value)) {
    return Object.entries(value as object).map(([key, one]) => `${encode(key)}=${encode(one)}`)
  }
  if (!Array.isArray(value)) return [`${encode(name)}=${encode(value)}`]
  if (explode !== false) return value.map((one) => `${encode(name)}=${encode(one)}`)
  return [`${encode(name)}=${value.map(encode).join(',')}`]
}
