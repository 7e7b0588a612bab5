/** Descriptions in documents: validators of others accept them, and the demo answers as they say. */
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { makeAccounts } from '../../docs/demo/accounts.ts'
import { orderCollection, orders } from '../../docs/demo/data.ts'
import { makeService } from '../../docs/demo/service.ts'
import { memoryStore } from '../../docs/demo/store.ts'
import { defineCollection, defineSchema, field } from '../../src/index.ts'
import { operation, parameters, rowSchema } from '../../src/tools/openapi/index.ts'
import type { Operation, OperationOptions, SchemaObject } from '../../src/tools/openapi/index.ts'
import { documentOf, documents } from './documents.ts'
import { faultsOf } from './values.ts'

test.each(documents)('a document of $version, $style, is valid', async (options) => {
  const validator = new Validator()
  const { valid, errors } = await validator.validate({ ...documentOf(options) })
  expect(errors).toBeUndefined()
  expect(valid).toBe(true)
  expect(validator.version).toBe(options.version)
})
test('a document that is not valid is refused', async () => {
  const document = structuredClone(documentOf({ version: '3.0' })) as { paths: Record<string, { get: object }> }
  Object.assign(document.paths['/api/orders']!.get, { parameters: [{ name: 'a', in: 'nowhere' }] })
  expect((await new Validator().validate(document)).valid).toBe(false)
})

describe('rows', () => {
  test('3.1 and 3.2 have the type null, 3.0 the word nullable', () => {
    const schema = defineSchema({
      id: field.integer(),
      status: field.enumeration(['paid', 'held']),
      at: field.datetime(),
      constructor: field.boolean(),
      items: field.list(field.object({ price: field.number(), day: field.date() })),
    })
    const row = {
      type: 'object',
      properties: {
        id: { type: ['integer', 'null'], format: 'int64' },
        status: { type: ['string', 'null'], enum: ['paid', 'held', null] },
        at: { type: ['string', 'null'], format: 'date-time' },
        constructor: { type: ['boolean', 'null'] },
        items: {
          type: ['array', 'null'],
          items: {
            type: ['object', 'null'],
            properties: {
              price: { type: ['number', 'null'], format: 'double' },
              day: { type: ['string', 'null'], format: 'date' },
            },
          },
        },
      },
    }
    expect(rowSchema(schema)).toEqual(row)
    expect(rowSchema(schema, { version: '3.2' })).toEqual(row)
    const { properties } = rowSchema(schema, { version: '3.0' })
    expect(properties!.status).toEqual({ type: 'string', nullable: true, enum: ['paid', 'held', null] })
    expect(properties!.items).toMatchObject({
      type: 'array',
      nullable: true,
      items: { type: 'object', nullable: true },
    })
  })
  test('a required field is not null; entries may be, and so may a field that contains fields', () => {
    const must = { required: true } as const
    const schema = defineSchema({
      id: field.uuid(must),
      views: field.bigint(must),
      price: field.decimal(),
      status: field.enumeration(['paid', 'held'], must),
      customer: field.object({ name: field.string(must), email: field.string() }, must),
      seller: field.object({ name: field.string(must) }),
      items: field.list(field.object({ price: field.decimal(must), day: field.date() })),
      tags: field.list(field.uuid()),
    })
    const row = {
      type: 'object',
      required: ['id', 'views', 'status', 'customer'],
      properties: {
        id: { type: 'string', format: 'uuid' },
        views: { type: 'string', format: 'int64' },
        price: { type: ['string', 'null'], format: 'decimal' },
        status: { type: 'string', enum: ['paid', 'held'] },
        customer: {
          type: 'object',
          required: ['name'],
          properties: { name: { type: 'string' }, email: { type: ['string', 'null'] } },
        },
        seller: { type: ['object', 'null'], required: ['name'], properties: { name: { type: 'string' } } },
        items: {
          type: ['array', 'null'],
          items: {
            type: ['object', 'null'],
            required: ['price'],
            properties: {
              price: { type: 'string', format: 'decimal' },
              day: { type: ['string', 'null'], format: 'date' },
            },
          },
        },
        tags: { type: ['array', 'null'], items: { type: ['string', 'null'], format: 'uuid' } },
      },
    }
    expect(rowSchema(schema)).toEqual(row)
    expect(rowSchema(schema, { version: '3.2' })).toEqual(row)
    const { required, properties } = rowSchema(schema, { version: '3.0' })
    expect(required).toEqual(['id', 'views', 'status', 'customer'])
    expect(properties).toMatchObject({
      status: { type: 'string', enum: ['paid', 'held'] },
      price: { type: 'string', nullable: true, format: 'decimal' },
      seller: { type: 'object', nullable: true, required: ['name'] },
      items: { items: { nullable: true, required: ['price'], properties: { price: { type: 'string' } } } },
    })
    for (const name of ['id', 'status', 'customer']) expect(properties![name]).not.toHaveProperty('nullable')
  })
  const rowOf = (options: Operation) =>
    options.responses['200']!.content!['application/json']!.schema.properties!.data!.items!
  const places = defineSchema({
    place: field.object({ country: field.string(), note: field.string() }),
    name: field.string({ required: true }),
    total: field.number(),
  })
  test('of a collection: its key is required, and what is around it', () => {
    expect(rowOf(operation(defineCollection(places, { key: ['place.country', 'name'] })))).toEqual({
      type: 'object',
      required: ['place', 'name'],
      properties: {
        place: {
          type: 'object',
          required: ['country'],
          properties: { country: { type: 'string' }, note: { type: ['string', 'null'] } },
        },
        name: { type: 'string' },
        total: { type: ['number', 'null'], format: 'double' },
      },
    })
  })
  test('of a collection with fields: a caller may leave each out, but none is null that is required', () => {
    const some = defineCollection(places, { key: 'place.country', fields: ['place', 'name'] })
    expect(rowOf(operation(some))).toEqual({
      type: 'object',
      properties: {
        place: { type: 'object', properties: { country: { type: 'string' }, note: { type: ['string', 'null'] } } },
        name: { type: 'string' },
      },
    })
  })
  test('a wrong schema, or version, is refused', () => {
    expect(() => rowSchema(orders, { versoin: '3.0' } as object)).toThrow(/^options\.versoin is unknown/)
    expect(() => rowSchema({ ...orders })).toThrow(new TypeError('schema must be made by defineSchema'))
    expect(() => rowSchema(orders, { version: '4' as '3.1' })).toThrow(/^options\.version must be 3\.0, 3\.1 or 3\.2$/)
  })
})

describe('an operation', () => {
  test('has the parameters, and the answers', () => {
    const { parameters: own, responses } = operation(orderCollection, { style: 'flat' })
    expect(own).toEqual(parameters(orderCollection, { style: 'flat' }))
    expect(Object.keys(responses)).toEqual(['200', '400', '401', '503'])
  })
  test('accepts of an object in JSON each path of an order once, and no empty group', () => {
    const { requestBody } = operation(orderCollection, { version: '3.2', method: 'query' })
    const accepts = new Ajv2020({ strict: false }).compile(requestBody!.content['application/json']!.schema)
    const objects: [object: object, accepted: boolean][] = [
      [{ sort: ['id', '-total'], or: '(id=1)' }, true],
      [{ sort: ['id', '-id'] }, false],
      [{ sort: ['-total', 'id', 'total'] }, false],
      [{ or: '()' }, false],
    ]
    for (const [object, accepted] of objects) expect(accepts(object), JSON.stringify(object)).toBe(accepted)
  })
  test('answers with a page of rows, or says what is wrong', () => {
    const numbers = defineCollection(defineSchema({ id: field.integer() }), {
      key: 'id',
      limit: { default: 10, max: 50 },
      count: true,
    })
    const { 200: page, 400: faults, 401: refused } = operation(numbers).responses
    const description = expect.any(String) as string
    const text = { type: 'string', description }
    expect(page).toEqual({
      description,
      headers: { Link: { description, schema: { type: 'string' } } },
      content: {
        'application/json': {
          schema: {
            type: 'object',
            required: ['data', 'page'],
            properties: {
              data: {
                type: 'array',
                maxItems: 50,
                items: {
                  type: 'object',
                  required: ['id'],
                  properties: { id: { type: 'integer', format: 'int64' } },
                },
              },
              page: {
                type: 'object',
                properties: { next: text, previous: text, count: { type: 'integer', minimum: 0, description } },
              },
            },
          },
        },
      },
    })
    const { schema } = faults!.content!['application/problem+json']!
    expect(schema).toMatchObject({ type: 'object', required: ['type', 'title', 'status', 'detail'] })
    expect(refused!.headers).toEqual({
      'WWW-Authenticate': { description, required: true, schema: { type: 'string' } },
    })
    expect(refused!.content).toEqual(faults!.content)
  })
  test.each<OperationOptions>([{}, { style: 'flat' }, { version: '3.2', method: 'query' }])(
    'says in words what each part is: %j',
    (options) => {
      const described = (part: unknown): string[] =>
        typeof part !== 'object' || part === null
          ? []
          : Object.entries(part).flatMap(([name, value]) =>
              name === 'description' ? [value as string] : described(value),
            )
      const all = described(operation(orderCollection, options))
      expect(all.length).toBeGreaterThan(20)
      expect(all.filter((text) => !/^\w[^]*\w/.test(text))).toEqual([])
    },
  )
  test('says what is special about lists and groups, by their names', () => {
    const { description } = operation(orderCollection)
    expect(description).toContain('notEqual, nin, doesNotContain and exists=false select rows without a value, too.')
    expect(description).toContain('Conditions on one list apply to the same entry.')
    expect(description).toContain('The parameters and, or and not take groups, as in or=(a=1,b[gt]=2)')
    const renamed = defineCollection(defineSchema({ id: field.integer() }), {
      key: 'id',
      groups: true,
      parameters: { or: 'any' },
    })
    expect(operation(renamed).description).toContain('and, any and not take groups, as in any=(')
    expect(operation(renamed).description).not.toContain('list')
    expect(operation(defineCollection(orders, { key: 'id' })).description).not.toContain('groups')
    expect(operation(renamed).description).toMatch(
      /^Lists the rows that meet every condition\. notEqual, .*, too\. The parameters .*; OpenAPI cannot describe them\.$/,
    )
  })
  test('omits the count where the collection has none', () => {
    const pageOf = (options: Operation) =>
      options.responses['200']!.content!['application/json']!.schema.properties!.page!.properties!
    expect(Object.keys(pageOf(operation(orderCollection)))).toEqual(['next', 'previous', 'count'])
    expect(Object.keys(pageOf(operation(defineCollection(orders, { key: 'id' }))))).toEqual(['next', 'previous'])
  })
  test('counts rows by facets, and tells since when names are deprecated', () => {
    const counting = defineCollection(
      defineSchema({
        id: field.integer(),
        status: field.enumeration(['paid', 'held']),
        tags: field.list(field.string()),
      }),
      { key: 'id', facets: ['status', 'tags'], facetLimit: 7, deprecated: { tags: { since: '2024-01-01' } } },
    )
    const { headers, content } = operation(counting).responses['200']!
    expect(Object.keys(headers!)).toEqual(['Link', 'Deprecation', 'Sunset'])
    const values = (value: object) => ({
      type: 'array',
      maxItems: 7,
      items: {
        ...{ type: 'object', required: ['value', 'count'] },
        properties: { value, count: { type: 'integer', minimum: 1 } },
      },
    })
    expect(content!['application/json']!.schema.properties!.facets).toEqual({
      type: 'object',
      description: 'How many rows have each value, if it was asked for: first those of the most rows.',
      properties: {
        status: values({ type: ['string', 'null'], enum: ['paid', 'held', null] }),
        tags: values({ type: ['string', 'null'] }),
      },
      additionalProperties: false,
    })
    const plain = operation(defineCollection(defineSchema({ id: field.integer() }), { key: 'id' })).responses['200']!
    expect(Object.keys(plain.headers!)).toEqual(['Link'])
    expect(Object.keys(plain.content!['application/json']!.schema.properties!)).toEqual(['data', 'page'])
  })
  test('by the method QUERY: the parameters are members of a form', () => {
    const {
      parameters: none,
      description,
      requestBody,
      responses,
    } = operation(orderCollection, { version: '3.2', method: 'query' })
    expect(none).toBeUndefined()
    // By itself it has the words of GET, to which one in a document refers.
    expect(description).toBe(operation(orderCollection).description)
    const { schema, encoding } = requestBody!.content['application/x-www-form-urlencoded']!
    expect(requestBody!.required).toBe(true)
    expect(schema).toMatchObject({
      type: 'object',
      additionalProperties: false,
      properties: {
        limit: { type: 'integer', description: 'Rows of a page: 1 to 200, 20 unless given. Example: `limit=20`.' },
      },
    })
    expect(Object.keys(schema.properties!)).toEqual(parameters(orderCollection).map(({ name }) => name))
    expect(encoding!.status).toEqual({ style: 'deepObject', explode: true })
    expect(encoding!.sort).toEqual({ style: 'form', explode: false })
    expect(encoding).not.toHaveProperty('limit')
    expect(Object.keys(responses)).toEqual(['200', '400', '401', '413', '415', '503'])
    expect(responses['200']!.headers).toEqual({})
  })
  test('a value other than a collection is refused', () => {
    expect(() => operation({ ...orderCollection })).toThrow('collection must be made by defineCollection')
  })
  test.each([
    [{ method: 'query' }, "options.method is query, which needs the version '3.2'"],
    [{ method: 'post' }, 'options.method must be get or query'],
    [{ metod: 'get' }, 'options.metod is unknown; did you mean method? (available: version, style, limits, method)'],
  ])('options %j are refused', (options, message) => {
    expect(() => operation(orderCollection, options as OperationOptions)).toThrow(new TypeError(message))
  })
})

describe('the demo answers as described:', async () => {
  const service = makeService(memoryStore(), await makeAccounts(16), () => {})
  const ask = (search: string, headers: Readonly<Record<string, string>> = { 'X-API-KEY': 'office-key' }) =>
    service(new Request(`http://localhost/api/orders${search}`, { headers }))

  test.each([
    ['?sort=-total&limit=50', 200],
    ['?status[in]=paid,held&limit=1&count=true', 200],
    ['?fields=id,customer.name&id[lt]=0', 200],
    ['?arival=2024-01-01&total[contains]=5&status=piad&limit=0&sort=tags', 400],
    ['?or=(', 400],
  ])('%s, %d', async (search, status) => {
    const response = await ask(search)
    expect(response.status).toBe(status)
    expect(await faultsOfAnswer(response)).toBe('')
  })
  test.each([{}, { 'X-API-KEY': 'no-key' }, { authorization: 'Basic x' }])('401 to %j', async (headers) => {
    const response = await ask('', headers)
    expect(response.status).toBe(401)
    expect(await faultsOfAnswer(response)).toBe('')
  })
  test('one changed description is found', async () => {
    const response = await ask('?sort=-total')
    const wrong: SchemaObject = structuredClone(described['200']!.content!['application/json']!.schema)
    Object.assign(wrong.properties!.data!.items!.properties!.total!, { type: 'string' })
    expect(faultsOf(wrong, await response.json())).toContain('must be string')
  })

  const described = operation(orderCollection).responses
  async function faultsOfAnswer(response: Response): Promise<string> {
    const { content, headers = {} } = described[String(response.status)]!
    for (const [name, { required }] of Object.entries(headers)) {
      if (required && !response.headers.has(name)) return `${name} is missing`
    }
    const media = content?.[response.headers.get('content-type')!]
    return media === undefined ? 'another content type' : faultsOf(media.schema, await response.json())
  }
})

describe('hidden fields and bounded counts', () => {
  const shown = { id: field.integer(), tags: field.list(field.string()) }
  const usual = { key: 'id', sort: true, groups: true } as const
  const hidden = ['tenantId', 'customer.taxId', 'items.cost'] as const
  const whole = defineSchema({
    ...shown,
    tenantId: field.integer({ required: true }),
    customer: field.object({ name: field.string(), taxId: field.string({ required: true }) }, { required: true }),
    items: field.list(field.object({ cost: field.number() })),
  })
  const plain = defineSchema({ ...shown, customer: field.object({ name: field.string() }, { required: true }) })
  test.each(documents)('$version, $style: nothing is told of hidden fields', (options) => {
    const { method: _, ...rest }: OperationOptions = options
    for (const fields of [undefined, true, ['customer'] as const] as const) {
      const chosen = fields === undefined ? usual : ({ ...usual, fields } as { key: 'id'; fields: true })
      const told = operation(defineCollection(whole, { ...chosen, hidden }), rest)
      expect(told).toEqual(operation(defineCollection(plain, chosen), rest))
      expect(JSON.stringify(told)).not.toMatch(/tenant|taxId|cost/)
    }
  })
  const countOf = (count: boolean | { max: number }, version: '3.0' | '3.1' = '3.1') => {
    const described = operation(defineCollection(defineSchema(shown), { key: 'id', count }), { version })
    const page = described.responses['200']!.content!['application/json']!.schema.properties!['page']!
    return page.properties!['count']
  }
  test.each(['3.0', '3.1'] as const)('%s: a bounded count is a number, or at least its maximum', (version) => {
    const description = 'The number of rows on all pages, if it was asked for.'
    expect(countOf(true, version)).toEqual({ type: 'integer', minimum: 0, description })
    expect(countOf(false, version)).toBeUndefined()
    const schema = countOf({ max: 5 }, version)!
    expect(schema).toEqual({
      description: `${description} Where there are more than 5: at least so many.`,
      anyOf: [
        { type: 'integer', minimum: 0, maximum: 5 },
        { type: 'object', required: ['atLeast'], properties: { atLeast: { type: 'integer', minimum: 5, maximum: 5 } } },
      ],
    })
    for (const count of [0, 5, { atLeast: 5 }]) expect(faultsOf(schema, count)).toBe('')
    for (const count of [6, -1, {}, { atLeast: 4 }, '5', null]) expect(faultsOf(schema, count)).not.toBe('')
  })
  test('the parameter tells the bound', () => {
    const bounded = defineCollection(defineSchema(shown), { key: 'id', count: { max: 5 } })
    const { description } = parameters(bounded).find(({ name }) => name === 'count')!
    expect(description).toBe(
      'Whether the answer has the number of rows on all pages, counted up to 5. Example: `count=true`.',
    )
  })
})
