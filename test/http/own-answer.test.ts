/** A body that the endpoint makes: `answer.page`, and its description. */
import { expect, test } from 'vitest'
import { memoryBackend } from '../../src/backends/memory/index.ts'
import { jsonServer } from '../../src/clients/notations/index.ts'
import { defineCollection, defineSchema, field, narrow, where } from '../../src/index.ts'
import { memoryRows, type AnswerOptions, type ListServiceOptions } from '../../src/service/index.ts'
import { openapi } from '../../src/tools/openapi/index.ts'
import { createListService } from './form.ts'

const schema = defineSchema({
  id: field.integer({ required: true }),
  status: field.enumeration(['open', 'held']),
  cost: field.number(),
  tenant: field.string(),
})
const whole = defineCollection(schema, {
  ...{ key: 'id', sort: ['status'], fields: true, facets: ['status'], count: true, offset: { max: 10 } },
  hidden: ['tenant'],
})
const collection = narrow(whole, { fields: { hide: ['cost'] } })
const rows = memoryRows(memoryBackend(), () => [
  { id: 1, status: 'open', cost: 9, tenant: 'a' },
  { id: 2, status: 'held', cost: 9, tenant: 'a' },
  { id: 3, status: 'open', cost: 9, tenant: 'b' },
])
type Caller = { readonly name: string }
const errors: unknown[] = []
const serviceOf = (answer: AnswerOptions<Caller>, more: Partial<ListServiceOptions<Caller>> = {}) =>
  createListService<Caller>({
    authenticate: () => ({ name: 'al' }),
    collections: { orders: { collection, rows, restriction: () => where(schema).equals('tenant', 'a'), answer } },
    onError: (error) => errors.push(error),
    ...more,
  })
const page: NonNullable<AnswerOptions<Caller>['page']> = (
  { data, page: { next, count }, facets },
  { principal, query },
) => ({
  ...{ items: data, total: count, cursor: next, size: query.limit, for: principal.name },
  ...(facets && { statuses: facets['status'] }),
})
const bodyOf = async (answer: AnswerOptions<Caller>, path: string, more?: Partial<ListServiceOptions<Caller>>) => {
  const response = await serviceOf(answer, more)(new Request(`http://x/${path}`))
  return [response.status, await response.json()]
}

test('a page has the body that the endpoint makes of the rows as the caller may see them', async () => {
  expect(await bodyOf({ page }, 'orders?count=true&facets=status')).toEqual([
    200,
    {
      ...{
        items: [
          { id: 1, status: 'open' },
          { id: 2, status: 'held' },
        ],
        total: 2,
        size: 20,
        for: 'al',
      },
      statuses: [
        { value: 'held', count: 1 },
        { value: 'open', count: 1 },
      ],
    },
  ])
  const [, { cursor }] = (await bodyOf({ page }, 'orders?limit=1')) as [number, { cursor: string }]
  expect(await bodyOf({ page }, `orders?limit=1&cursor=${cursor}`)).toEqual([
    200,
    { items: [{ id: 2, status: 'held' }], size: 1, for: 'al' },
  ])
})
test('an own body keeps the header Link and the ETag', async () => {
  const service = serviceOf({ page }, { cache: { maxAge: 0, vary: ['x-key'] } })
  const response = await service(new Request('http://x/orders?limit=1'))
  expect(response.headers.get('link')).toContain('rel="next"')
  const tag = response.headers.get('etag')!
  const again = await service(new Request('http://x/orders?limit=1', { headers: { 'if-none-match': tag } }))
  expect(again.status).toBe(304)
})
test('answer.page may return a list, null or a promise', async () => {
  expect(await bodyOf({ page: ({ data }) => data.length }, 'orders')).toEqual([200, 2])
  expect(await bodyOf({ page: () => null }, 'orders')).toEqual([200, null])
  expect(await bodyOf({ page: async ({ data }) => data }, 'orders?fields=id')).toEqual([200, [{ id: 1 }, { id: 2 }]])
})
test('the service does not call answer.page for one row, a notation or a problem', async () => {
  expect(await bodyOf({ page }, 'orders/1')).toEqual([200, { data: { id: 1, status: 'open' } }])
  expect(await bodyOf({ page }, 'orders?_limit=1', { notation: jsonServer })).toEqual([
    200,
    [{ id: 1, status: 'open' }],
  ])
  const [status, problem] = await bodyOf({ page }, 'orders?cost=9')
  expect([status, (problem as { title: string }).title]).toEqual([400, 'Bad Request'])
})
test('the rows that answer.page reads contain the columns', async () => {
  const versioned = memoryRows(memoryBackend(), () => [{ id: 1, status: 'open', tenant: 'a', version: 7 }])
  const answer: AnswerOptions<Caller> = { columns: ['version'], page: ({ data }) => data }
  const restriction = () => where(schema).equals('tenant', 'a')
  const collections = { orders: { collection, rows: versioned, restriction, answer } }
  expect(await bodyOf(answer, 'orders', { collections })).toEqual([200, [{ id: 1, status: 'open', version: 7 }]])
})
test.each([
  ['undefined', undefined],
  ['function', () => 1],
  ['symbol', Symbol('a')],
])('%s is no body: a 500', async (type, value) => {
  const [status] = await bodyOf({ page: () => value }, 'orders')
  expect([status, errors.splice(0)]).toEqual([
    500,
    [new TypeError(`answer.page must return a JSON value, not ${type}`)],
  ])
})

test('openapi has the schema of the body, any body without a schema, and the columns of a row', () => {
  const body = {
    type: 'object',
    properties: { items: { type: 'array', items: { $ref: '#/components/schemas/Order' } } },
  }
  const described = (answer: AnswerOptions<Caller>) =>
    openapi(serviceOf(answer), { name: 'al' }, { rows: { orders: { name: 'Order' } } }).components.schemas as Record<
      string,
      { readonly required?: readonly string[]; readonly properties?: object }
    >
  expect(described({ page, schema: body })['OrderPage']).toEqual(body)
  expect(described({ page })['OrderPage']).toEqual({})
  expect(described({})['OrderPage']?.required).toEqual(['data', 'page'])
  const { required, properties } = described({ columns: ['version'] })['Order']!
  expect([required, Object.keys(properties!)]).toEqual([['version'], ['id', 'status', 'version']])
})

test.each<[answer: unknown, message: string]>([
  [{ page: {} }, 'collections.orders.answer.page must be a function'],
  [{ schema: {} }, 'collections.orders.answer.schema must be the JSON Schema of the body that answer.page makes'],
  [{ page, schema: [] }, 'collections.orders.answer.schema must be the JSON Schema of the body that answer.page makes'],
])('%o: TypeError', (answer, message) => expect(() => serviceOf(answer as never)).toThrow(new TypeError(message)))
