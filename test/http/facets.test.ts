/** Facets in the answers of a service: counted by hand, restricted, narrowed, and refused where a store lacks them. */
import { describe, expect, test, vi } from 'vitest'
import { memoryBackend } from '../../src/backends/memory/index.ts'
import type { Observed, Rows } from '../../src/service/index.ts'
import { defineCollection, defineSchema, field, narrow, where, type Collection, type Query } from '../../src/index.ts'
import { parameters, operation } from '../../src/tools/openapi/index.ts'
import { keyed } from '../orders.ts'
import { createListService } from './form.ts'

const orders = defineSchema({ ...keyed.fields, total: field.decimal() })
const collection = defineCollection(orders, {
  key: 'id',
  count: { max: 2 },
  facets: ['status', 'tags', 'seller', 'total'],
})
const data = [
  { id: 1, seller: 'a', status: 'paid', tags: ['sea'], total: '1.50' },
  { id: 2, seller: 'a', status: 'paid', tags: ['sea', 'surf'], total: 1.5 },
  { id: 3, seller: 'a', status: 'held', tags: [], total: null },
  { id: 4, seller: 'b', status: 'new', tags: ['bed'], total: '99' },
]
const backend = memoryBackend()
const rows: Rows = {
  find: (query) => backend.compileQuery({ ...query, count: false })(data).rows,
  count: ({ filter }) => data.filter(backend.compile(filter)).length,
  facets: (query) => backend.facets(query)(data),
}
interface Caller {
  readonly seller: string
}
const serviceOf = (of: Collection | ((caller: Caller) => Collection), given: object = rows, more: object = {}) =>
  createListService<Caller>({
    authenticate: ({ headers }) => ({ seller: headers.get('x-seller') ?? 'a' }),
    collections: {
      orders: {
        collection: of,
        rows: given as Rows,
        restriction: ({ seller }) => where(orders).equals('seller', seller),
      },
    },
    ...more,
  })
const ask = async (service: ReturnType<typeof serviceOf>, query: string, seller = 'a') => {
  const response = await service(new Request(`http://x/orders?${query}`, { headers: { 'x-seller': seller } }))
  return { status: response.status, link: response.headers.get('link'), body: (await response.json()) as any }
}

test('an answer has the values beside its rows and its page', async () => {
  const { body, link } = await ask(serviceOf(collection), 'status=paid&limit=1&count=true&facets=status,tags,total')
  expect(body.data).toHaveLength(1)
  expect(body.page.count).toBe(2)
  expect(Object.keys(body)).toEqual(['data', 'page', 'facets'])
  expect(body.facets).toEqual({
    status: [
      { value: 'paid', count: 2 },
      { value: 'held', count: 1 },
    ],
    tags: [
      { value: 'sea', count: 2 },
      { value: 'surf', count: 1 },
    ],
    total: [{ value: '1.5', count: 2 }],
  })
  // The next page has them too.
  expect(link).toContain('facets=status,tags,total')
  expect((await ask(serviceOf(collection), '')).body).not.toHaveProperty('facets')
})
test('no facet counts rows that the restriction hides', async () => {
  const hidden = ['new', 'bed', '99', '"b"']
  for (const query of [
    'facets=status,tags,seller,total',
    'seller=b&facets=seller',
    'seller=b&status=new&facets=status,seller,tags',
  ]) {
    const text = JSON.stringify((await ask(serviceOf(collection), query)).body)
    for (const value of hidden) expect(text).not.toContain(value)
  }
  expect((await ask(serviceOf(collection), 'facets=seller', 'b')).body.facets).toEqual({
    seller: [{ value: 'b', count: 1 }],
  })
})
test('a narrowed caller has the facets that are left', async () => {
  const few = narrow(collection, { facets: ['status'] })
  const none = narrow(collection, { facets: false })
  const service = serviceOf(({ seller }) => (seller === 'a' ? few : none))
  expect((await ask(service, 'facets=status')).body.facets.status).toHaveLength(2)
  expect((await ask(service, 'facets=tags')).body.issues[0]).toMatchObject({
    code: 'field_not_counted',
    hint: 'facets: status',
  })
  expect((await ask(service, 'facets=status', 'b')).body.issues[0]).toMatchObject({ code: 'field_unknown' })
})
test('onRequest gets them in the text of the query', async () => {
  const onRequest = vi.fn<(observed: Observed<Caller>) => void>()
  await ask(serviceOf(collection, rows, { onRequest }), 'facets=tags,status&status=paid')
  expect(onRequest.mock.calls[0]![0].query).toBe('status=paid&facets=tags,status')
})
test('a service holds the limits of facets and of the searches that they repeat', async () => {
  const service = serviceOf(collection, rows, { limits: { facets: 1, searches: 1 } })
  const codesOf = async (text: string) => {
    const { status, body } = await ask(service, text)
    return status === 200 ? [] : (body as any).issues.map(({ code }: { code: string }) => code)
  }
  expect(await codesOf('facets=status')).toEqual([])
  expect(await codesOf('facets=status,tags')).toEqual(['limit_facets'])
  expect(await codesOf('tags[contains]=a')).toEqual([])
  expect(await codesOf('tags[contains]=a&facets=status')).toEqual(['limit_searches'])
})
test('a store without facets is found at the start', () => {
  const { facets: _, ...others } = rows
  expect(() => serviceOf(collection, others)).toThrow(
    new TypeError('collections.orders.rows must have the function facets, which the collection allows'),
  )
  const { facets: __, ...filtering } = backend
  expect(() => serviceOf(collection, { ...rows, backend: filtering })).toThrow(
    'refuses 4 of the operators, orders, fields and facets that the collection offers: this backend counts no facets (facets=status',
  )
})
test('the time of an answer is over for facets too', async () => {
  let aborted = false
  const slow = {
    ...rows,
    facets: (_: unknown, { signal }: { signal: AbortSignal }) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          aborted = true
          reject(signal.reason as Error)
        })
      }),
  }
  expect((await ask(serviceOf(collection, slow, { timeout: 20 }), 'facets=status')).status).toBe(503)
  expect(aborted).toBe(true)
})
describe('an answer of the store without valid values is a 500', () => {
  test.each<[given: unknown]>([
    [undefined],
    [null],
    ['status'],
    [[]],
    [{}],
    [{ status: [{ value: 'paid' }] }],
    [{ status: [null] }],
    [{ status: [undefined] }],
    [{ status: ['paid'] }],
    [{ status: [() => 'paid'] }],
    [{ status: [{ value: 'paid', count: 1 }, { value: 'held' }] }],
    [{ status: [{ value: undefined, count: 1 }] }],
    [{ status: [{ value: {}, count: 1 }] }],
    [{ status: [{ value: 'paid', count: 1.5 }] }],
    [{ status: [{ value: 5n, count: 1 }] }],
    [{ status: [{ value: 'paid', count: '1' }] }],
    [{ status: [{ value: 'paid', count: -1 }] }],
    [{ status: [{ value: NaN, count: 1 }] }],
    [{ status: [{ value: -Infinity, count: 1 }] }],
    [{ status: [Object.create({ value: 'paid', count: 1 })] }],
    [{ status: Array.from({ length: 51 }, (_, at) => ({ value: String(at), count: 1 })) }],
    [Object.create({ status: [] })],
  ])('%o', async (given) => {
    const onError = vi.fn<(error: unknown) => void>()
    const service = serviceOf(collection, { ...rows, facets: () => given }, { onError })
    expect((await ask(service, 'facets=status')).status).toBe(500)
    expect(onError.mock.calls[0]![0]).toEqual(
      new TypeError('rows.facets must return the values of status, at most 50: [{ value, count }]'),
    )
  })
})
test.each<[given: readonly object[]]>([
  [[]],
  [[{ value: null, count: 1 }]],
  [
    [
      { value: true, count: 2 },
      { value: false, count: 0 },
    ],
  ],
  [
    [
      { value: 'paid', count: 1 },
      { value: 5, count: 1 },
    ],
  ],
  [Array.from({ length: 50 }, (_, at) => ({ value: String(at), count: 1 }))],
])('valid values of the store are the answer: %j', async (given) => {
  const service = serviceOf(collection, { ...rows, facets: () => ({ status: given, other: 5 }) })
  expect((await ask(service, 'facets=status')).body.facets).toEqual({ status: given })
})
describe('facets with a bound and a label', () => {
  const named = defineCollection(orders, {
    key: 'id',
    facets: { seller: { max: 2, label: 'customerName' }, status: true },
  })
  const people = [
    { id: 1, seller: 'a', status: 'paid', customerName: 'Jo' },
    { id: 2, seller: 'a', status: 'paid', customerName: 'Al' },
    { id: 3, seller: 'b', status: 'held', customerName: null },
    { id: 4, seller: 'b', status: 'held', customerName: null },
    { id: 5, seller: 'b', status: 'held', customerName: null },
  ]
  const ofPeople = {
    find: (query: Query) => backend.compileQuery({ ...query, count: false })(people).rows,
    facets: (query: Query) => backend.facets(query)(people),
  }
  test('are in the answer', async () => {
    const service = serviceOf(named, ofPeople)
    expect((await ask(service, 'facets=seller,status')).body.facets).toEqual({
      seller: [{ value: 'a', label: 'Al', count: 2 }],
      status: [{ value: 'paid', count: 2 }],
    })
    expect((await ask(service, 'facets=seller', 'b')).body.facets).toEqual({
      seller: [{ value: 'b', label: null, count: { atLeast: 2 } }],
    })
  })
  test('callers who may not see the label get none, whatever the store answers', async () => {
    const hiding = narrow(named, { fields: { hide: ['customerName'] } })
    const given = { seller: [{ value: 'a', label: 'Al', count: 2 }] }
    for (const facets of [ofPeople.facets, () => given]) {
      const { body } = await ask(serviceOf(hiding, { ...ofPeople, facets }), 'facets=seller')
      expect(body.facets).toEqual({ seller: [{ value: 'a', count: 2 }] })
    }
  })
  test.each<[values: object, isValid: boolean]>([
    [{ seller: [{ value: 'a', label: 'Al', count: { atLeast: 2 } }] }, true],
    [{ seller: [{ value: 'a', label: 'Al', count: 1 }] }, true],
    [{ seller: [{ value: 'a', label: 5, count: 1 }] }, false],
    [{ seller: [{ value: 'a', label: 'Al', count: { atLeast: '2' } }] }, false],
    [{ seller: [{ value: 'a', label: 'Al', count: {} }] }, false],
    [{ seller: [{ value: 'a', label: 'Al', count: null }] }, false],
    [{ seller: [{ value: 'a', label: 'Al', count: Object.create({ atLeast: 2 }) as object }] }, false],
    [{ status: [{ value: 'paid', count: { atLeast: 2 } }] }, false],
  ])('a store may answer %j: %s', async (values, isValid) => {
    const [path] = Object.keys(values)
    const service = serviceOf(named, { ...ofPeople, facets: () => values }, { onError: () => {} })
    const { status, body } = await ask(service, `facets=${path}`)
    expect(status).toBe(isValid ? 200 : 500)
    if (isValid) expect(body.facets).toEqual(values)
  })
  test('are in OpenAPI', () => {
    const { responses } = operation(named) as any
    const { seller } = responses[200].content['application/json'].schema.properties.facets.properties
    expect(seller.items).toEqual({
      type: 'object',
      required: ['value', 'label', 'count'],
      properties: {
        value: { type: ['string', 'null'] },
        label: { type: ['string', 'null'] },
        count: {
          anyOf: [
            { type: 'integer', minimum: 1, maximum: 2 },
            {
              type: 'object',
              required: ['atLeast'],
              properties: { atLeast: { type: 'integer', minimum: 1, maximum: 2 } },
            },
          ],
        },
      },
    })
  })
})
test('OpenAPI has the parameter, and the values in the answer', () => {
  expect(parameters(collection).find(({ name }) => name === 'facets')).toMatchObject({
    explode: false,
    schema: { type: 'array', items: { enum: ['status', 'tags', 'seller', 'total'] }, maxItems: 4, uniqueItems: true },
  })
  const { responses } = operation(collection) as any
  const { facets } = responses[200].content['application/json'].schema.properties
  expect(facets.properties.status).toEqual({
    type: 'array',
    maxItems: 50,
    items: {
      type: 'object',
      required: ['value', 'count'],
      properties: {
        value: { type: ['string', 'null'], enum: ['paid', 'held', 'new', null] },
        count: { type: 'integer', minimum: 1 },
      },
    },
  })
  expect(facets.properties.total.items.properties.value).toEqual({ type: ['string', 'null'], format: 'decimal' })
  const plain = defineCollection(orders, { key: 'id' })
  // The code of an issue stays in the list of all codes.
  expect(JSON.stringify([parameters(plain), operation(plain)]).replaceAll('limit_facets', '')).not.toMatch(/facets/i)
})
