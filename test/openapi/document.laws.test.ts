/** The part of a document that describes collections: its components, their names, its size, and the rows of callers. */
import { Validator } from '@seriousme/openapi-schema-validator'
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { experienceCollection, orderCollection } from '../../docs/demo/data.ts'
import { createListService } from '../../src/service/index.ts'
import { and, defineCollection, defineSchema, field, narrow, parseQuery, type Collection } from '../../src/index.ts'
import { openapi, operation } from '../../src/tools/openapi/index.ts'
import type { OpenApiCollection, OpenApiDocument, OpenApiOptions, Parameter } from '../../src/tools/openapi/index.ts'
import { issuesIn } from '../issues.ts'
import { isComplete } from '../effort.ts'
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
    'a place': field.object({ hasOwnProperty: field.enumeration(['x']), when: field.datetime() }),
    tags: field.list(field.enumeration(['x', 'y'])),
    closed: field.string(),
  }),
  {
    ...{ ...full, key: 'd e', count: { max: 100 }, offset: { max: 1000 } },
    // The compiler finds a `constructor` in every object, and refuses it as a list of operators.
    operators: { closed: [], price: ['in', 'range'], 'a place.when': ['exists'] } as never,
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

  test('is valid for both validators', { timeout: 60_000 }, async () => {
    const each = isComplete ? Object.entries(collections).map(([path, one]) => openapi({ [path]: one }, options)) : []
    for (const one of [document, ...each]) {
      const validator = new Validator()
      expect(await validator.validate(structuredClone(whole(one)))).toEqual({ valid: true })
      expect(validator.version).toBe(options.version)
      if (isInstalled) expect(await lint(whole(one))).toEqual([])
    }
  })
  test('refers to parts that exist, has no unused part, and names that are allowed', () => {
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
  test('has no name of anything that narrow takes away', () => {
    const collection = narrow(orderCollection, {
      fields: { hide: ['total', 'customer'] },
      operators: { seller: ['equals'] },
      sort: ['arrival'],
    })
    const row = z.object({ id: z.int(), total: z.number(), customer: z.object({ email: z.string() }) })
    for (const entry of [{ collection }, { collection, row }]) {
      const one = openapi({ '/api/orders': { ...entry, name: 'Order' } }, options)
      expect(JSON.stringify(one)).not.toMatch(/\btotal\b|customer\b|email|-guests|-seller/)
      expect(JSON.stringify(one)).toContain('"-arrival"')
      expect(parametersOf(one, '/api/orders').filter(({ name }) => name.startsWith('seller'))).toHaveLength(1)
      expect(faultsOfComponents(one)).toEqual([])
    }
  })
  test('has an example of each parameter, which the collection takes, and names its operators', () => {
    for (const path of Object.keys(collections) as (keyof typeof collections)[]) {
      const { collection } = collections[path]
      const examples = parametersOf(document, path).flatMap(({ name, description, style, schema }) => {
        if (style === 'deepObject') {
          const { properties } = found(document, schema.$ref!) as { properties: object }
          const operators = Object.keys(properties).join(', ')
          expect(description.startsWith(`Conditions on ${name}: ${operators}. Example: `), description).toBe(true)
        }
        const [, example] = /Example: `(.*)`\.$/.exec(description) ?? []
        if (example === undefined) expect(['cursor', 'view', 'utm_source']).toContain(name)
        return example === undefined ? [] : [example]
      })
      expect(examples.length).toBeGreaterThan(2)
      for (const example of examples) {
        expect(issuesIn(parseQuery(collection as Collection, example)), example).toEqual([])
      }
    }
  })
})

describe('sizes, in bytes of JSON', () => {
  const size = (part: unknown) => new TextEncoder().encode(JSON.stringify(part)).length
  const orders = { '/api/orders': { collection: orderCollection, name: 'Order' } }
  /** The most bytes of a document with the orders, and of what in it is theirs alone: their path, and components with their name. */
  const most = {
    ...{ '3.0 compact': [28_630, 12_050], '3.1 compact': [28_630, 12_050], '3.2 compact': [37_900, 19_580] },
    ...{ '3.0 flat': [52_740, 46_310], '3.1 flat': [52_740, 46_310], '3.2 flat': [74_250, 66_020] },
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
  const schema = defineSchema({
    id: field.integer(),
    total: field.number(),
    status: field.enumeration(['paid', 'held']),
    note: field.string(),
  })
  const some = defineCollection(schema, { key: 'id', operators: { note: ['equals', 'exists'] } })
  test('of rows and pages: from the path unless given; of conditions: from the type, or the field', () => {
    expect(
      named({ '/api/big-orders': { collection: some }, '/api/orders': { collection: least, name: 'Order' } }),
    ).toEqual([
      ...['Order', 'BigOrders', 'BigOrdersStatus', 'IntegerOperand', 'IntegerRange', 'IntegerList'],
      ...['IntegerConditions', 'NumberOperand', 'NumberRange', 'NumberList', 'NumberConditions'],
      ...['BigOrdersStatusList', 'BigOrdersStatusConditions', 'StringOperand', 'BigOrdersNoteConditions'],
      ...['BigOrdersSort', 'BigOrdersPage', 'ProblemSpan', 'ProblemIssue', 'Problem', 'OrderSort', 'OrderPage'],
    ])
  })
  test('collections share equal parts, and numbers tell the others apart', () => {
    const shared = openapi({ '/a': { collection: least }, '/b': { collection: least } }).components
    expect(Object.keys(shared.parameters)).toEqual(['Limit', 'Cursor'])
    expect(Object.keys(shared.responses)).toEqual(['Problem400', 'Problem401', 'Problem503'])
    const other = defineCollection(least.schema, { key: 'id', limit: { max: 5, default: 5 } })
    const { paths, components } = openapi({ '/a': { collection: least }, '/b': { collection: other } })
    expect(Object.keys(components.parameters)).toEqual(['Limit', 'Cursor', 'Limit2'])
    expect(paths['/b']!.get.parameters).toContainEqual({ $ref: '#/components/parameters/Limit2' })
  })
  test('a given name comes first: what has it otherwise has a number', () => {
    const one = openapi({
      '/x/orders': { collection: least },
      '/y/orders': { collection: least },
      '/z': { collection: some, name: 'Orders' },
      '/problems': { collection: least, name: 'Problem' },
      '/pages': { collection: least, name: 'ZPage' },
      '/zs': { collection: least, name: 'Z' },
    })
    const { schemas, responses } = one.components
    expect(Object.keys(schemas).slice(0, 6)).toEqual(['Orders', 'Problem', 'ZPage', 'Z', 'Orders2', 'Orders3'])
    expect(schemas.Orders!.properties).toHaveProperty('total')
    expect(schemas.Orders2).toEqual(schemas.Z)
    expect(Object.keys(schemas)).toEqual(expect.arrayContaining(['Problem2', 'ZPage2', 'ZPagePage']))
    expect(responses.Problem400!.content!['application/problem+json']!.schema).toEqual({
      $ref: '#/components/schemas/Problem2',
    })
    expect(Object.values(one.paths).map(({ get }) => get.operationId)).toEqual([
      ...['listOrders', 'listOrders2', 'listZ', 'listProblems', 'listPages', 'listZs'],
    ])
    expect(faultsOfComponents(one)).toEqual([])
  })
  test.each([
    [{ x: { collection: least } }, /^collections\["x"\] must have a path that begins with a slash$/],
    [{ '/x': { collection: {} } }, /^collections\["\/x"\]\.collection must be made by defineCollection$/],
    [{ '/x': { collection: least, nmae: 'X' } }, /^collections\["\/x"\]\.nmae is unknown; did you mean name\?/],
    [{ '/x': { collection: least, reserved: 'view' } }, /^collections\["\/x"\]\.reserved must be a list of names$/],
    [{ '/x': { collection: least, name: 'a b' } }, /^collections\["\/x"\]\.name must have letters, digits, /],
    [{ '/x': { collection: least, name: '' } }, /^collections\["\/x"\]\.name must have letters, digits, /],
    [
      { '/x': { collection: least, name: 'X' }, '/y': { collection: least, name: 'X' } },
      /^collections\["\/y"\]\.name must differ from that of collections\["\/x"\]: both are X$/,
    ],
  ])('what is none is refused: %#', (given, message) => {
    expect(() => openapi(given as never)).toThrow(TypeError)
    expect(() => openapi(given as never)).toThrow(message)
  })
  test('a part of a path in braces is a parameter of the path', () => {
    const { paths } = openapi({ '/sellers/{seller}/orders': { collection: least } })
    expect(paths['/sellers/{seller}/orders']!.parameters).toEqual([
      { name: 'seller', in: 'path', required: true, schema: { type: 'string' } },
    ])
    expect(paths['/sellers/{seller}/orders']!.get.operationId).toBe('listOrders')
  })
})

describe('a description by itself', () => {
  /** A document without references, as far as nothing refers to what it is in. */
  const resolved = (part: unknown, document: object): unknown => {
    if (typeof part !== 'object' || part === null) return part
    if (Array.isArray(part)) return part.map((one) => resolved(one, document))
    if ('$ref' in part) {
      const { $ref, ...beside } = part
      return { ...(resolved(found(document, $ref as string), document) as object), ...beside }
    }
    return Object.fromEntries(Object.entries(part).map(([name, one]) => [name, resolved(one, document)]))
  }
  const withoutWords = (part: unknown): unknown => {
    if (typeof part !== 'object' || part === null) return part
    if (Array.isArray(part)) return part.map(withoutWords)
    const words = (name: string, value: unknown) => name === 'description' && typeof value === 'string'
    return Object.fromEntries(
      Object.entries(part).flatMap(([name, one]) => (words(name, one) ? [] : [[name, withoutWords(one)]])),
    )
  }
  test.each(documents)('is the document, $version, $style, with its references resolved', (options) => {
    for (const collection of [experienceCollection, oddities, secrets] as Collection[]) {
      const described = openapi({ '/x': { collection } }, options)
      const { operationId: _, summary: __, ...get } = described.paths['/x']!.get
      const alone = operation(collection, options)
      const [inDocument, byItself] = [resolved(get, described), alone].map(withoutWords) as [object, object]
      // Rows differ in how an enumeration may be null.
      expect({ ...inDocument, responses: 0 }).toEqual({ ...byItself, responses: 0 })
    }
  })
})

describe('the rows of the caller', () => {
  const rowSchemas = (
    given: Omit<OpenApiCollection, 'collection'>,
    collection: Collection = least,
    options: OpenApiOptions = {},
  ) => {
    const one = openapi({ '/rows': { collection, name: 'Row', ...given } }, options)
    expect(faultsOfComponents(one)).toEqual([])
    return one.components.schemas as Record<string, unknown>
  }
  test('zod: definitions are components, recursion is a reference', () => {
    const Customer = z.object({ name: z.string() }).meta({ id: 'a~b/c d' })
    const Row = z.object({
      id: z.int(),
      customer: Customer,
      buyer: Customer,
      get children() {
        return z.array(Row)
      },
    })
    for (const version of ['3.0', '3.1', '3.2'] as const) {
      const { Row: row, RowABCD: customer } = rowSchemas({ row: Row }, least, { version })
      expect(row).toMatchObject({
        type: 'object',
        properties: {
          customer: { $ref: '#/components/schemas/RowABCD' },
          buyer: { $ref: '#/components/schemas/RowABCD' },
          children: { type: 'array', items: { $ref: '#/components/schemas/Row' } },
        },
        required: ['id', 'customer', 'buyer', 'children'],
      })
      expect(customer).toEqual({
        type: 'object',
        properties: { name: { type: 'string' } },
        required: ['name'],
        additionalProperties: false,
      })
    }
  })
  test('valibot, ArkType, and a JSON Schema', () => {
    const properties = { id: { type: 'integer' } }
    const schemas = [
      toStandardJsonSchema(v.object({ id: v.pipe(v.number(), v.integer()) })),
      type({ id: 'number.integer' }),
      { type: 'object', properties, required: ['id'] },
    ]
    for (const row of schemas) {
      expect(rowSchemas({ row }).Row).toEqual({ type: 'object', properties, required: ['id'] })
    }
  })
  test('references by pointers, encoded; definitions that nothing refers to are left out', () => {
    const row = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: 'https://example.org/row',
      type: 'object',
      properties: {
        id: { type: 'integer', const: { $ref: '#/nowhere' } },
        $ref: { type: 'string' },
        one: { $ref: '#/$defs/a~1b~0c%20d' },
        other: { $ref: '#/properties/id' },
        more: { anyOf: [{ $ref: '#/$defs/a~1b~0c d' }, { type: 'array', items: { $ref: '#' } }] },
        foreign: { $ref: '#/components/schemas/Order' },
      },
      $defs: { 'a/b~c d': { type: 'string', title: 'one' }, unused: { type: 'string' } },
    }
    const { components } = openapi({
      '/rows': { collection: least, name: 'Row', row },
      '/orders': { collection: least, name: 'Order' },
    })
    expect(components.schemas.Row).toEqual({
      type: 'object',
      properties: {
        id: { type: 'integer', const: { $ref: '#/nowhere' } },
        $ref: { type: 'string' },
        one: { $ref: '#/components/schemas/RowABCD' },
        other: { $ref: '#/components/schemas/RowId' },
        more: {
          anyOf: [
            { $ref: '#/components/schemas/RowABCD' },
            { type: 'array', items: { $ref: '#/components/schemas/Row' } },
          ],
        },
        foreign: { $ref: '#/components/schemas/Order' },
      },
    })
    expect(components.schemas.RowABCD).toEqual({ type: 'string', title: 'one' })
    expect(JSON.stringify(components)).not.toContain('unused')
  })
  test('a component that the document has already: rows are a reference to it', () => {
    const row = { $ref: '#/components/schemas/TheirOrder' }
    const { components } = openapi({ '/orders': { collection: least, name: 'Order', row } })
    expect(components.schemas).not.toHaveProperty('Order')
    expect(components.schemas.OrderPage!.properties!.data!.items).toEqual(row)
  })
  const Hiding = z.object({
    id: z.int(),
    tenantId: z.int(),
    status: z.enum(['paid', 'secretlyPaid']),
    customer: z.object({ name: z.string(), taxId: z.string() }).meta({ id: 'Customer' }),
    items: z.array(z.object({ price: z.number(), cost: z.number() })),
    total: z.number(),
  })
  test('without the hidden fields, at any depth; properties that the schema lacks stay', () => {
    const { fields: _, ...rest } = full
    const hidden = ['tenantId', 'status', 'customer.taxId', 'items.cost'] as const
    const collection = defineCollection(secrets.schema, { ...rest, key: 'id', hidden })
    const row = Hiding.meta({ examples: [{ tenantId: 1 }] })
    const { Row, RowCustomer } = rowSchemas({ row }, collection)
    expect(JSON.stringify([Row, RowCustomer])).not.toMatch(secret)
    expect(Row).toMatchObject({
      required: ['id', 'customer', 'items', 'total'],
      properties: { items: { items: { properties: { price: { type: 'number' } }, required: ['price'] } } },
    })
    expect(RowCustomer).toMatchObject({ required: ['name'] })
  })
  test('of a collection with fields: a caller may leave each of them out', () => {
    const { Row, RowCustomer } = rowSchemas({ row: Hiding }, secrets)
    expect(JSON.stringify([Row, RowCustomer])).not.toMatch(secret)
    expect(Row).toMatchObject({ required: ['total'] })
    expect(RowCustomer).not.toHaveProperty('required')
    const chosen = defineCollection(secrets.schema, { key: 'id', fields: ['id', 'customer.name'] })
    expect(Object.keys((rowSchemas({ row: Hiding }, chosen).Row as { properties: object }).properties)).toEqual([
      ...['id', 'customer', 'total'],
    ])
  })
  test.each([
    [null, /^collections\["\/rows"\]\.row must be a JSON Schema, or a schema of zod, ArkType or valibot$/],
    ['Order', /must be a JSON Schema/],
    [v.object({ id: v.number() }), /\.row must have a JSON Schema; with valibot, pass toStandardJsonSchema\(schema\)$/],
    [{ properties: { a: { $ref: '#/$defs/b' } } }, /\.row refers to "#\/\$defs\/b", which leads nowhere$/],
    [{ properties: { a: { $ref: '#/toString' } } }, /\.row refers to "#\/toString", which leads nowhere$/],
  ])('what is none is refused: %#', (row, message) => {
    expect(() => rowSchemas({ row })).toThrow(TypeError)
    expect(() => rowSchemas({ row })).toThrow(message)
  })
  test('a library without a form for 3.0 is named', () => {
    expect(() => rowSchemas({ row: type({ id: 'number' }) }, least, { version: '3.0' })).toThrow(
      /\.row has no form for OpenAPI 3\.0: pass a JSON Schema, or another version$/,
    )
  })
})

describe('a service', () => {
  interface Caller {
    readonly isStaff: boolean
  }
  const ofStaff = defineCollection(secrets.schema, { key: 'id' })
  const service = createListService<Caller>({
    authenticate: () => ({ isStaff: false }),
    limits: { operand: 77 },
    collections: {
      'big-orders': {
        collection: ({ isStaff }) => (isStaff ? ofStaff : secrets),
        rows: { find: () => [], count: () => 0 },
        restriction: () => and(),
        reserved: ['view'],
      },
      constructor: { collection: least, rows: { find: () => [] }, restriction: () => and() },
    },
  })
  test.each(documents)('$version, $style: is described as its collections are, for each principal', (options) => {
    const rows = { 'big-orders': { name: 'Order', row: z.object({ id: z.int() }) } }
    for (const [isStaff, collection] of [
      [true, ofStaff],
      [false, secrets],
    ] as const) {
      const described = openapi(service, { isStaff }, { ...options, basePath: '/api', rows })
      // The rows of a service have paths of their own.
      const paths = Object.entries(described.paths).filter(([path]) => !path.includes('{'))
      const { Problem404: _, ...responses } = described.components.responses
      expect({
        ...described,
        paths: Object.fromEntries(paths),
        components: { ...described.components, responses },
      }).toEqual(
        openapi(
          {
            '/api/big-orders': { collection, reserved: ['view'], ...rows['big-orders'] },
            '/api/constructor': { collection: least },
          },
          { ...options, limits: { operand: 77 } },
        ),
      )
      expect(secret.test(JSON.stringify(described))).toBe(isStaff)
      expect(parametersOf(described, '/api/big-orders').at(-1)).toEqual({
        name: 'view',
        in: 'query',
        description: 'A parameter that the service reads itself.',
        schema: { type: 'string' },
      })
    }
  })
  test.each(documents)('$version, $style: its options name the answers that they add', (options) => {
    const listed = { collection: least, rows: { find: () => [] }, restriction: () => and() }
    const statusesWith = (more: object) => {
      const one = createListService<Caller>({
        authenticate: () => ({ isStaff: true }),
        collections: { least: listed },
        ...more,
      })
      const { paths, components } = openapi(one, { isStaff: true }, options)
      const { get, query } = paths['/least']!
      const of = (operation = get) => Object.keys(operation.responses)
      return { get: of(), query: query && of(query), answers: get.responses, components }
    }
    const cache = { maxAge: 60, vary: ['Authorization'] }
    const concurrency = { max: 2, key: () => 'all' }
    const usual = statusesWith({})
    expect(usual.get).toEqual(['200', '400', '401', '503'])
    const both = statusesWith({ cache, concurrency })
    expect(both.get).toEqual(['200', '304', '400', '401', '429', '503'])
    // A QUERY is for no cache.
    if (both.query !== undefined) expect(both.query).toEqual(['200', '400', '401', '413', '415', '429', '503'])
    expect(statusesWith({ cache }).get).toEqual(['200', '304', '400', '401', '503'])
    expect(statusesWith({ concurrency }).get).toEqual(['200', '400', '401', '429', '503'])
    expect(both.answers).toMatchObject({
      200: { headers: { Link: {}, ETag: {} } },
      304: { headers: { ETag: {} } },
      429: { $ref: '#/components/responses/Problem429' },
    })
    expect(both.components.responses!.Problem429!.headers).toEqual({
      'Retry-After': { description: 'The seconds after which to try again.', schema: { type: 'string' } },
    })
    expect(both.answers).not.toHaveProperty('304.content')
  })
  test.each(documents)('$version, $style: one row has the parameters of its key, a 404, and no order', (options) => {
    const key = ['tenant', 'kind', 'size'] as const
    const schema = defineSchema({ tenant: field.uuid(), kind: field.enumeration(['a', 'b']), size: field.bigint() })
    const collection = defineCollection(schema, { ...full, key, timeZone: true })
    const one = createListService<Caller>({
      authenticate: () => ({ isStaff: true }),
      basePath: '/api',
      cache: { maxAge: 0, vary: ['Authorization'] },
      collections: {
        sizes: { collection, reserved: ['view'], rows: { find: () => [], count: () => 0 }, restriction: () => and() },
      },
    })
    const { paths, components } = openapi(one, { isStaff: true }, { ...options, rows: { sizes: { name: 'Size' } } })
    const { parameters, get, query } = paths['/api/sizes/{tenant},{kind},{size}']!
    expect(parameters).toEqual([
      { name: 'tenant', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } },
      { name: 'kind', in: 'path', required: true, schema: { type: 'string', enum: ['a', 'b'] } },
      { name: 'size', in: 'path', required: true, schema: { type: 'string', format: 'int64' } },
    ])
    expect([query, get.operationId, get.summary]).toEqual([undefined, 'getSize', 'Reads one of sizes'])
    expect(get.parameters!.map((each) => ('name' in each ? each.name : each.$ref))).toEqual([
      'fields',
      '#/components/parameters/TimeZone',
      'view',
    ])
    expect(Object.keys(get.responses)).toEqual(['200', '304', '400', '401', '404', '503'])
    const answer = get.responses['200'] as { headers: object; content: object }
    expect(Object.keys(answer.headers)).toEqual(['ETag'])
    expect(answer.content).toEqual({
      'application/json': {
        schema: { type: 'object', required: ['data'], properties: { data: { $ref: '#/components/schemas/Size' } } },
      },
    })
    expect(components.responses['Problem404']!.description).toBe('No row that the caller may see has this key.')
  })
  test('its paths begin with its own base path, with that of the options, or with nothing', () => {
    const principal = { isStaff: true }
    const bothOf = (path: string) => [path, `${path}/{id}`]
    const pathsOf = (one: Parameters<typeof openapi<Caller>>[0], options = {}) =>
      Object.keys(openapi(one, principal, options).paths)
    expect(pathsOf(service)).toEqual([...bothOf('/big-orders'), ...bothOf('/constructor')])
    const based = { described: (caller: Caller) => ({ ...service.described(caller), basePath: '/v1' }) }
    expect(pathsOf(based)).toEqual([...bothOf('/v1/big-orders'), ...bothOf('/v1/constructor')])
    expect(pathsOf(based, { basePath: '/proxy/v1' })).toEqual([
      ...bothOf('/proxy/v1/big-orders'),
      ...bothOf('/proxy/v1/constructor'),
    ])
  })
  test.each([
    [{ limits: {} }, /^options\.limits is unknown/],
    [{ basePath: 'api' }, /^options\.basePath must begin with a slash and not end with one$/],
    [{ basePath: '/api/' }, /^options\.basePath must begin with a slash and not end with one$/],
    [{ rows: { orders: {} } }, /^options\.rows\.orders is unknown \(available: big-orders, constructor\)$/],
    [{ rows: null }, /^options\.rows must be an object$/],
    [{ rows: { 'big-orders': { title: 'X' } } }, /^options\.rows\.big-orders\.title is unknown/],
    [{ rows: { 'big-orders': { name: '#' } } }, /^options\.rows\.big-orders\.name must have letters/],
    [{ rows: { 'big-orders': { row: 1 } } }, /^options\.rows\.big-orders\.row must be a JSON Schema/],
    [{ style: 'deep' }, /^options\.style must be compact or flat$/],
  ])('options %j are refused', (options, message) => {
    expect(() => openapi(service, { isStaff: true }, options as never)).toThrow(TypeError)
    expect(() => openapi(service, { isStaff: true }, options as never)).toThrow(message)
  })
})
