/** The part of a document that describes collections: its components, their names, its size, and the rows of callers. */
import { Validator } from '@seriousme/openapi-schema-validator'
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { experienceCollection, orderCollection } from '../../src/demo/data.ts'
import { createListService } from '../../src/http/index.ts'
import { and, defineCollection, defineSchema, field, parseQuery, type Collection } from '../../src/index.ts'
import {
  openapi,
  operation,
  type OpenApiCollection,
  type OpenApiDocument,
  type OpenApiOptions,
  type Parameter,
} from '../../src/openapi/index.ts'
import { documents } from './documents.ts'
import { faultsOfComponents, found, referencesIn } from './references.ts'
import { isInstalled, lint } from './tools.ts'

const must = { required: true } as const
const full = { sort: true, fields: true, count: true, groups: true } as const

/** Every type, odd names, narrowed operators, renamed parameters, a bounded count, an offset. */
const oddities = defineCollection(
  defineSchema({
    'd e': field.uuid(must),
    constructor: field.enumeration(['a,b', '"c"', '']),
    'a~b/c': field.bigint(),
    price: field.decimal(),
    größe: field.enumeration(['klein', 'groß']),
    価格: field.enumeration(['安い', '高い']),
    toString: field.object({ hasOwnProperty: field.enumeration(['x']), when: field.datetime() }),
    tags: field.list(field.enumeration(['x', 'y'])),
    closed: field.string(),
  }),
  {
    ...{ ...full, key: 'd e', count: { max: 100 }, offset: { max: 1000 } },
    operators: { closed: [], price: ['in', 'range'], 'toString.when': ['exists'] },
    parameters: { limit: 'page[size]', sort: 'order by' },
  },
)
const secrets = defineCollection(
  defineSchema({
    id: field.integer(),
    tenantId: field.integer(must),
    status: field.enumeration(['paid', 'secretlyPaid']),
    customer: field.object({ name: field.string(must), taxId: field.string() }, must),
    items: field.list(field.object({ price: field.number(must), cost: field.number() })),
  }),
  { ...full, key: 'id', hidden: ['tenantId', 'status', 'customer.taxId', 'items.cost'] },
)
const secret = /tenantId|secretlyPaid|taxId|cost/
const least = defineCollection(defineSchema({ id: field.integer() }), { key: 'id' })
const collections = {
  '/api/orders': { collection: orderCollection, name: 'Order' },
  '/api/experiences': { collection: experienceCollection },
  '/api/d e': { collection: oddities, reserved: ['view', 'utm_source'] },
  '/api/__proto__': { collection: least },
  '/api/constructor': { collection: least, name: 'constructor' },
  '/api/a~b/c': { collection: least, name: '__proto__' },
  '/sellers/{seller}/orders': { collection: secrets, name: 'Problem' },
  '/価格': { collection: oddities },
  '/~': { collection: least, row: z.object({ id: z.int(), next: z.lazy(() => z.unknown()) }) },
} satisfies Record<string, OpenApiCollection>

const whole = (described: OpenApiDocument) => ({
  ...described,
  info: { title: 'Bookings', version: '1.0.0', license: { name: 'MIT', url: 'https://opensource.org/license/mit' } },
  servers: [{ url: '/' }],
  security: [{ key: [] }],
  components: {
    ...described.components,
    securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-API-KEY' } },
  },
})
const parametersOf = ({ paths, components }: OpenApiDocument, path: string): Parameter[] =>
  paths[path]!.get.parameters!.map((one) =>
    '$ref' in one ? (found({ components }, one.$ref) as Parameter) : (one as Parameter),
  )

describe.each(documents)('$version, $style', (options) => {
  const document = openapi(collections, options)

  test('is valid for both validators, by itself and with each collection alone', { timeout: 60_000 }, async () => {
    const each = Object.entries(collections).map(([path, one]) => openapi({ [path]: one }, options))
    for (const one of [document, ...each]) {
      const validator = new Validator()
      expect(await validator.validate(structuredClone(whole(one)))).toEqual({ valid: true })
      expect(validator.version).toBe(options.version)
      if (isInstalled) expect(await lint(whole(one))).toEqual([])
    }
  })
  test('refers to what is there, has nothing that nothing refers to, and names that are allowed', () => {
    expect(referencesIn(document).length).toBeGreaterThan(100)
    expect(faultsOfComponents(document)).toEqual([])
    for (const [path, one] of Object.entries(collections)) {
      expect(faultsOfComponents(openapi({ [path]: one }, options)), path).toEqual([])
    }
  })
  test('is plain JSON, and the same each time', () => {
    expect(JSON.parse(JSON.stringify(document))).toEqual(document)
    expect(openapi(collections, options)).toEqual(document)
  })
  test('has no name of anything hidden', () => {
    const one = openapi({ '/secrets': { collection: secrets } }, options)
    expect(JSON.stringify(one)).not.toMatch(secret)
    expect(JSON.stringify(one)).toContain('customer.name')
  })
  test('has an example of each parameter, which the collection takes, and names its operators', () => {
    for (const path of Object.keys(collections) as (keyof typeof collections)[]) {
      const { collection } = collections[path]
      const examples = parametersOf(document, path).flatMap(({ name, description }) => {
        const [, example] = /Example: `(.*)`\.$/.exec(description) ?? []
        if (example === undefined) expect(['cursor', 'view', 'utm_source']).toContain(name)
        return example === undefined ? [] : [example]
      })
      expect(examples.length).toBeGreaterThan(2)
      for (const example of examples) {
        const result = parseQuery(collection as Collection, example)
        expect(result.ok ? [] : result.issues, example).toEqual([])
      }
    }
  })
})

describe('sizes, in bytes of JSON', () => {
  const size = (part: unknown) => new TextEncoder().encode(JSON.stringify(part)).length
  const orders = { '/api/orders': { collection: orderCollection, name: 'Order' } }
  /** The most bytes of a document with the orders, and of what in it is theirs alone: their path, and components with their name. */
  const most = {
    ...{ '3.0 compact': [20_500, 10_500], '3.1 compact': [20_500, 10_500], '3.2 compact': [24_000, 14_500] },
    ...{ '3.0 flat': [44_500, 39_500], '3.1 flat': [44_500, 39_500], '3.2 flat': [58_000, 53_000] },
  }
  test.each(documents)('$version, $style', (options) => {
    const { paths, components, openapi: _ } = openapi(orders, options)
    const ofOrders = Object.entries(components.schemas).filter(([name]) => name.startsWith('Order'))
    const sizes = [size({ paths, components }), size({ paths, schemas: Object.fromEntries(ofOrders) })]
    const [whole, own] = most[`${options.version} ${options.style}`]
    expect(sizes[0]).toBeLessThan(whole!)
    expect(sizes[1]).toBeLessThan(own!)
  })
})

describe('names', () => {
  const named = (given: Readonly<Record<`/${string}`, OpenApiCollection>>, options: OpenApiOptions = {}) =>
    Object.keys(openapi(given, options).components.schemas)
  test('of rows and pages: from the path unless given; of conditions: from the type, or the field', () => {
    const schema = defineSchema({
      id: field.integer(),
      total: field.number(),
      status: field.enumeration(['paid', 'held']),
      note: field.string(),
    })
    const some = defineCollection(schema, { key: 'id', operators: { note: ['equals', 'exists'] } })
    expect(
      named({ '/api/big-orders': { collection: some }, '/api/orders': { collection: least, name: 'Order' } }),
    ).toEqual([
      ...[
        'Order',
        'BigOrders',
        'BigOrdersStatus',
        'IntegerOperand',
        'IntegerRange',
        'IntegerList',
        'IntegerConditions',
      ],
      ...['NumberOperand', 'NumberRange', 'NumberList', 'NumberConditions'],
      ...['BigOrdersStatusList', 'BigOrdersStatusConditions'],
      ...['StringOperand', 'BigOrdersNoteConditions', 'BigOrdersSort', 'BigOrdersPage'],
      ...['ProblemSpan', 'ProblemIssue', 'Problem', 'OrderSort', 'OrderPage'],
    ])
  })
})
