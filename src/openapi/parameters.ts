/** The parameters that a query of a collection has. */
import {
  checkCollection,
  defaultOperator,
  operatorsFor,
  operatorWords,
  type Collection,
  type ParameterName,
  type ResolvedField,
} from '../language/index.ts'
import { own } from '../own.ts'
import { itemText } from '../query/encode.ts'
import { mostSortKeys } from '../query/page/order.ts'
import type { Limits } from '../syntax/limits.ts'
import { checkDescribed, type Described, type OpenApiOptions, type ParameterStyle } from './options.ts'
import { compactSchema, flatSchema, type SchemaObject } from './schemas.ts'

/** A Parameter Object of a query. */
export interface Parameter {
  readonly name: string
  readonly in: 'query'
  readonly description: string
  readonly style?: 'form' | 'deepObject'
  readonly explode?: boolean
  readonly schema: SchemaObject
}

/**
 * Describes what a query of a collection may have, for an OpenAPI document: the conditions, with the operators that each
 * field has, and the parameters that the collection allows. Groups are not among them: no schema can express their grammar.
 *
 * @param collection made by `defineCollection`.
 * @param options the style, and the version and the limits of the service.
 * @returns Parameter Objects: plain JSON.
 * @throws TypeError when an argument is not of its type.
 * @example
 * parameters(orderCollection).map(({ name }) => name).slice(0, 3) // => ['id', 'seller', 'arrival']
 * parameters(orderCollection, { style: 'flat' }).map(({ name }) => name).slice(0, 3) // => ['id', 'id[notEqual]', 'id[gt]']
 */
export function parameters(collection: Collection, options: OpenApiOptions = {}): Parameter[] {
  checkCollection(collection)
  return describedParameters(collection, checkDescribed(options))
}

/** As {@link parameters}, with checked options. */
export function describedParameters(collection: Collection, { style, limits }: Described): Parameter[] {
  const fields = Array.from(collection.visible.paths.values())
  const conditions = fields.flatMap((field) => conditionsOf[style](field, collection, limits))
  const asked = Array.from(collection.parameters).flatMap(([parameter, name]) => {
    const schema = own(schemaOf, parameter)?.(collection, limits)
    return schema === undefined ? [] : [newParameter(name, ...schema)]
  })
  return [...conditions, ...asked]
}

function newParameter(name: string, description: string, schema: SchemaObject): Parameter {
  // Lists are joined by commas, not repeated; it is no question of single values.
  const serialisation = schema.type === 'array' ? ({ style: 'form', explode: false } as const) : {}
  return { name, in: 'query', description, ...serialisation, schema }
}

/** The parameters of the conditions on a field, in each style. */
const conditionsOf: {
  readonly [S in ParameterStyle]: (field: ResolvedField, collection: Collection, limits: Limits) => Parameter[]
} = {
  compact(field, collection, limits) {
    const operators = operatorsFor(field, collection)
    if (operators.length === 0) return []
    const properties = Object.fromEntries(
      operators.map((operator) => [operator.name, compactSchema(operator, field, limits)]),
    )
    const schema: SchemaObject = { type: 'object', properties, additionalProperties: false }
    const description = `Conditions on ${field.name}.`
    return [{ name: field.name, in: 'query', description, style: 'deepObject', explode: true, schema }]
  },
  flat: (field, collection, limits) =>
    operatorsFor(field, collection).map((operator) => {
      const name = operator === defaultOperator ? field.name : `${field.name}[${operator.name}]`
      return newParameter(
        name,
        `${field.name}: ${operatorWords[operator.name].doc}.`,
        flatSchema(operator, field, limits),
      )
    }),
}

const listOf = (values: readonly string[], most: number): SchemaObject => ({
  type: 'array',
  items: { type: 'string', enum: values },
  minItems: 1,
  maxItems: Math.min(values.length, most),
  uniqueItems: true,
})

/** An item of the list is one of these; without `contains`, which 3.0 has not. */
const has = (value: string): SchemaObject => ({ not: { items: { not: { enum: [value] } } } })

/** The parameters beside the conditions: what each does, and its values. A schema cannot express the grammar of groups. */
const schemaOf: {
  readonly [P in ParameterName]?: (
    collection: Collection,
    limits: Limits,
  ) => readonly [description: string, schema: SchemaObject]
} = {
  sort({ sortable, defaultSort, key }, limits) {
    const paths = [...sortable.keys()]
    const descending = (path: string) => itemText(`-${path}`)
    const usual = defaultSort.length === 0 ? key.map((field) => ({ field, direction: 'ascending' })) : defaultSort
    const list = listOf(
      paths.flatMap((path) => [itemText(path), descending(path)]),
      Math.min(paths.length, mostSortKeys, limits.list),
    )
    return [
      'The order of the rows: paths, with "-" before one for descending order. A path occurs once.',
      {
        ...list,
        // One path in both directions.
        not: { anyOf: paths.map((path) => ({ allOf: [has(itemText(path)), has(descending(path))] })) },
        default: usual.map(({ field: { name }, direction }) =>
          direction === 'descending' ? descending(name) : itemText(name),
        ),
      },
    ]
  },
  limit: ({ limit }) => [
    'How many rows a page has at most.',
    { type: 'integer', minimum: 1, maximum: limit.max, default: limit.default },
  ],
  cursor: () => [
    'The cursor of a page, "next" or "previous" of an earlier answer in the same order.',
    { type: 'string', pattern: '^[A-Za-z0-9_-]+$' },
  ],
  offset: ({ maxOffset = 0 }) => [
    'How many rows are left out before the page. It cannot be used together with a cursor.',
    { type: 'integer', minimum: 0, maximum: maxOffset, default: 0 },
  ],
  fields: ({ selectable = new Map<string, unknown>() }, limits) => [
    'The fields that rows have in the answer, each with all that is in it. Every field, unless given.',
    listOf(Array.from(selectable.keys(), itemText), limits.list),
  ],
  count: ({ count }) => [
    `Whether the answer has the number of rows on all pages${typeof count === 'object' ? `, counted up to ${count.max}` : ''}.`,
    { type: 'boolean', default: false },
  ],
}
