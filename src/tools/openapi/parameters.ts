/** The parameters that a query of a collection has. */
import {
  checkCollection,
  defaultOperator,
  isOfForm,
  longestKey,
  parameterNamesOf,
  operatorNamed,
  operatorsFor,
  operatorWords,
  parameterRows,
  pathsOfAlias,
  samples,
  valuesOf,
  type Collection,
  type OperatorName,
  type OperatorRow,
  type ParameterOf,
  type PlainName,
  type ResolvedField,
  type ValueName,
} from '../../language/index.ts'
import { own, ownOf } from '../../own.ts'
import { encode, encodeItems, encodeKey, itemText } from '../../values/encode.ts'
import { pascal } from './components.ts'
import type { Parameter, SchemaObject } from './objects.ts'
import { checkDescribed, type Described, type OpenApiOptions, type ParameterStyle } from './options.ts'
import { conditionsSchema, fieldsOf, flatSchema, keyPatterns, outerOf, unfilled } from './operands.ts'
import { offeredIn, parameterSchema, type Items } from './parameter-schema.ts'
import { zoneSchema } from './scalars.ts'

/**
 * Describes the parameters of a query, for an OpenAPI document: the conditions, with the operators of each field, and the parameters that
 * the collection allows. It leaves out groups, because no schema can express their grammar.
 *
 * @param collection made by `defineCollection`.
 * @param options the style, and the version and the limits of the service.
 * @returns Parameter Objects: plain JSON.
 * @throws TypeError when an argument has the wrong type.
 * @example
 * parameters(orderCollection).map(({ name }) => name).slice(0, 3) // => ['id', 'seller', 'arrival']
 * parameters(orderCollection, { style: 'flat' }).map(({ name }) => name).slice(0, 3) // => ['id', 'id[notEqual]', 'id[gt]']
 */
export function parameters(collection: Collection, options: OpenApiOptions = {}): Parameter[] {
  checkCollection(collection)
  return describedParameters(collection, checkDescribed(options)).map(({ parameter }) => parameter)
}

/** A parameter, and the name of its component, where collections share it. */
export interface DescribedParameter {
  readonly parameter: Parameter
  readonly shared: string | undefined
}

/** As {@link parameters}, with checked options. */
export function describedParameters(collection: Collection, described: Described): DescribedParameter[] {
  const isDeprecated = ({ name }: ResolvedField) =>
    Array.from(collection.deprecated.keys()).some((one) => name === one || name.startsWith(`${one}.`))
  const conditions = fieldsOf(collection).flatMap((field) => {
    const made = own(field, 'isKey')
      ? keyConditions(field, field.name, collection, described)
      : conditionsOf[described.style](field, collection, described)
    const current = isDeprecated(field) ? made.map((one) => ({ ...one, deprecated: true })) : made
    const aliased = aliasesOf(collection, field).flatMap((alias) =>
      made.map((one) => ({
        ...(own(field, 'isKey')
          ? keyConditions(field, alias, collection, described)[0]!
          : { ...one, name: alias + one.name.slice(field.name.length) }),
        description: `Deprecated: use ${one.name}.`,
        deprecated: true,
      })),
    )
    return [...current, ...aliased]
  })
  const { limits, place, row } = described
  const items: Items = (name, schema) => place('schemas', row + name, schema)
  const asked = Array.from(parameterNamesOf(collection).parameters, ([name, parameter]) => {
    const { description, ...schema } = parameterSchema(parameter, collection, limits, items, itemText)
    const { example, ...keywords } = ownOf(inUrl(parameter, collection, described))
    const exampleText = example === undefined ? '' : ` Example: \`${encodeKey(name)}=${example}\`.`
    const isList = isOfForm(parameter, 'paths')
    return {
      parameter: newParameter(name, description! + exampleText, { ...schema, ...keywords }, isList),
      // Lists name fields of the collection.
      shared: isList ? undefined : pascal(parameter),
    }
  })
  return allowingEmpty(collection, [...conditions.map((parameter) => ({ parameter, shared: undefined })), ...asked])
}

/** Allows parameters without a value, where the collection ignores those. */
export const allowingEmpty = ({ empty }: Collection, all: readonly DescribedParameter[]): DescribedParameter[] =>
  empty === undefined
    ? [...all]
    : all.map(({ parameter, shared }) => ({ parameter: { ...parameter, allowEmptyValue: true }, shared }))

/** The deprecated aliases of a field. Other aliases are in no description. */
const aliasesOf = ({ aliases, deprecated }: Collection, { name }: ResolvedField): readonly string[] =>
  Array.from(aliases.fields).flatMap(([alias, target]) =>
    deprecated.has(alias) ? Array.from(pathsOfAlias(alias, target.name, [name]), ([path]) => path) : [],
  )

/** A parameter that the service reads itself. */
export const reservedParameter = (name: string): DescribedParameter => ({
  parameter: newParameter(name, 'A parameter that the service reads itself.', { type: 'string' }, false),
  shared: undefined,
})

export function newParameter(name: string, description: string, schema: SchemaObject, isList: boolean): Parameter {
  // Lists are joined by commas, not repeated. Single values need no keyword.
  const serialisation = isList ? ({ style: 'form', explode: false } as const) : {}
  return { name, in: 'query', description, ...serialisation, schema }
}

/** The parameters of the conditions on a field, in each style. */
const conditionsOf: {
  readonly [S in ParameterStyle]: (field: ResolvedField, collection: Collection, described: Described) => Parameter[]
} = {
  compact(field, collection, described) {
    const text = conditionsText(field, collection)
    if (text === undefined) return []
    const description = `Conditions on ${field.name}: ${text}`
    const schema = conditionsSchema(field, collection, described)
    return [{ name: field.name, in: 'query', description, style: 'deepObject', explode: true, schema }]
  },
  flat: (field, collection, described) =>
    operatorsFor(field, collection).map((operator) => {
      const name = operator === defaultOperator ? field.name : `${field.name}[${operator.name}]`
      const example = `${encodeKey(name)}=${exampleOf(operator, field)}`
      const description = `${sentence(operatorWords[operator.name].doc)} Example: \`${example}\`.`
      return newParameter(name, description, flatSchema(operator, field, described), operator.operands !== 'one')
    }),
}

/** The operators of a field, and an example; `undefined` for a field without operators. */
function conditionsText(field: ResolvedField, collection: Collection): string | undefined {
  const names = operatorsFor(field, collection).map(({ name }) => name)
  if (names.length === 0) return undefined
  const usual = telling.find((name) => names.includes(name)) ?? names[0]!
  const example = `${encodeKey(`${field.name}[${usual}]`)}=${exampleOf(operatorNamed.get(usual)!, field)}`
  return `${names.join(', ')}. Example: \`${example}\`.`
}

/**
 * The conditions on the keys of a record, which have no names: an object whose properties are parameters of their own
 * (https://spec.openapis.org/oas/v3.1.1.html#style-values, `form` with `explode`). 3.0 has no patterns of names.
 *
 * The service refuses the name of the parameter, so that no client sends it by mistake.
 *
 * @param name the path of the key, which may begin with an alias.
 */
function keyConditions(
  field: ResolvedField,
  name: string,
  collection: Collection,
  described: Described,
): readonly Parameter[] {
  const text = conditionsText(field, collection)
  if (text === undefined) return []
  const record = outerOf(name)
  const patterns = keyPatterns(field, name, collection, described)
  return [
    {
      name: `${record}.[key]`,
      in: 'query',
      description: `Conditions on keys of ${record}, each a parameter ${record}.key or ${record}.key[operator], for any key of at most ${longestKey} characters: ${text}`,
      style: 'form',
      explode: true,
      schema: {
        type: 'object',
        ...(described.version === '3.0'
          ? { additionalProperties: { anyOf: Object.values(patterns) } }
          : { patternProperties: patterns, additionalProperties: false }),
        ...unfilled(described),
      },
    },
  ]
}

export const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

/** The operators that an example shows best, the best first. */
const telling: readonly OperatorName[] = ['contains', 'gte', 'in', 'equals']

/** An operand, as a URL has it. */
function exampleOf({ operands, operandKind }: OperatorRow, field: ResolvedField): string {
  if (operandKind === 'flag') return 'true'
  if (operandKind === 'count') return '1'
  const texts = valuesOf(field) ?? samples[field.type as keyof typeof samples]
  return operands === 'one' ? encode(texts[0]!) : encodeItems(texts.slice(0, 2))
}

/** No item of the list is this; 3.0 lacks `contains`. */
const lacks = (value: string): SchemaObject => ({ items: { not: { enum: [value] } } })

/** A list that has one path in both directions. */
export const bothDirections = (paths: readonly string[], textOf: (item: string) => string): SchemaObject => ({
  description: 'One path in both directions.',
  anyOf: paths.map((path) => ({ not: { anyOf: [lacks(textOf(path)), lacks(textOf(`-${path}`))] } })),
})

/** More keywords of a schema, and a value, as a URL has it. */
interface InUrl extends SchemaObject {
  readonly example?: string
}

function inUrl(parameter: ValueName, collection: Collection, described: Described): InUrl {
  if (isOfForm(parameter, 'flag')) return { example: 'true', default: false }
  if (!isOfForm(parameter, 'positive', 'natural')) return inUrls[parameter](collection, described)
  const { default: usual } = collection.limit
  const example = String(Math.min(parameterRows[parameter].most(collection), usual))
  return { example, default: parameter === 'limit' ? usual : 0 }
}

const exampleOfList = (parameter: ParameterOf<'paths'>) => (collection: Collection) => ({
  example: encodeItems(offeredIn(parameter, collection).slice(0, 2)),
})
const inUrls: {
  readonly [P in Exclude<ValueName, PlainName>]: (collection: Collection, described: Described) => InUrl
} = {
  sort({ sortable, defaultSort, key }, { place, row }) {
    const paths = [...sortable.keys()]
    const usual = defaultSort.length === 0 ? key.map((field) => ({ field, direction: 'ascending' })) : defaultSort
    return {
      example: encodeItems([`-${paths[0]!}`, ...paths.slice(1, 2)]),
      ...(paths.length > 1 && { not: place('schemas', `${row}SortTwice`, bothDirections(paths, itemText)) }),
      default: usual.map(({ field: { name }, direction }) => itemText(direction === 'descending' ? `-${name}` : name)),
    }
  },
  fields: exampleOfList('fields'),
  search: () => ({ example: 'jo+%22two+words%22' }),
  facets: exampleOfList('facets'),
  timeZone: () => ({ ...zoneSchema, example: 'Europe/Berlin' }),
  cursor: () => ({ pattern: '^[A-Za-z0-9_-]+$' }),
}
