/** Whatever is asked as `north`: never a row of another seller, and no key in any answer. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { makeAccounts } from '../../src/demo/accounts.ts'
import { makeApp } from '../../src/demo/app.ts'
import { makeOrders, orders } from '../../src/demo/data.ts'
import { memoryStore } from '../../src/demo/store.ts'
import { FilterError, printFilter, type Filter } from '../../src/index.ts'
import { queryOf, someConditions, someFilter } from '../../src/testing/arbitraries.ts'
import { byEffort } from '../effort.ts'
import type { Listed } from './walk.ts'

const keys = /(?:north|south|office)-(?:key|password)/

const hostile = [
  '[',
  ']',
  '.',
  '=',
  '&',
  '%26',
  '%3D',
  '%5B',
  '%5d',
  '%2E',
  '%00',
  '%ff',
  '%',
  '+',
  '"',
  '\\',
  ',',
  '#',
  '?',
  ';',
  'or',
  'not',
  'or=(seller=s-south,id[gt]=0)',
  'not=(seller=s-north)',
  '(',
  '),',
  '$or',
  '$where',
  '__proto__',
  'seller',
  's-south',
  'seller[in]=s-north,s-south',
  'seller[notEqual]=s-north',
  'seller[exists]=false',
  'or[0][seller]=s-south',
  'apiKey=south-key',
  '%61piKey=office-key',
  'apiKey%3Doffice-key',
  'apiKey[office-key]=1',
  'apikey=office-key',
  'sort=-total',
  'limit=200&count=true',
  'fields=id,seller',
  "' OR 1=1 --",
  'é',
  '\u{1f600}',
]
const fragment = fc.array(fc.constantFrom(...hostile), { maxLength: 6 }).map((parts) => parts.join(''))
/** A filter in groups, `or` and `not` at every depth, where a query can say it. */
const grouped = (filter: Filter): string => {
  try {
    return printFilter(orders, filter, { groups: true })
  } catch (error) {
    if (error instanceof FilterError) return 'or=(seller=s-south,not(seller=s-north))'
    throw error
  }
}
const query = fc.oneof(
  { weight: 1, arbitrary: someFilter(orders).map(grouped) },
  { weight: 2, arbitrary: someConditions(orders).map(queryOf) },
  { weight: 1, arbitrary: fragment },
  {
    weight: 1,
    arbitrary: fc
      .tuple(someConditions(orders).map(queryOf), fc.shuffledSubarray(['sort=-total', 'limit=7', 'count=true']))
      .map(([text, parameters]) => [text, 'fields=id,seller', ...parameters].join('&')),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(someConditions(orders).map(queryOf), fragment, fc.nat(80))
      .map(([text, put, at]) => text.slice(0, at) + put + text.slice(at)),
  },
)
const headers = fc.constantFrom<Record<string, string>>(
  { 'X-API-KEY': 'north-key' },
  { 'X-API-KEY': 'north-key' },
  { 'X-API-KEY': 'north-key' },
  { 'x-api-key': ' north-key ' },
  { 'X-API-KEY': 'north-key', authorization: 'Basic b2ZmaWNlOm9mZmljZS1wYXNzd29yZA==' },
  { authorization: 'Basic b2ZmaWNlOm9mZmljZS1wYXNzd29yZA==' },
  { 'X-API-KEY': 'north-key, office-key' },
  {},
)
const path = fc.constantFrom(
  '/api/orders',
  '/api/orders',
  '/api/orders',
  '/api/experiences',
  '/api/../api/orders',
  '/api/nope',
)
const method = fc.constantFrom('GET', 'GET', 'GET', 'QUERY', 'HEAD', 'POST')

const count = byEffort(20_000, 4_000)
test(`${count} random requests`, async () => {
  const errors: unknown[] = []
  const service = makeApp(memoryStore(), await makeAccounts(2), (error) => errors.push(error))
  const statuses = new Map<number, number>()
  let rows = 0
  let counted = 0
  const visible = makeOrders().filter(({ seller }) => seller === 's-north').length

  await fc.assert(
    fc.asyncProperty(query, headers, path, method, async (query, headers, path, method) => {
      // With a key of another account in the query alone, the caller is that account: not what is asked here.
      const sent = 'X-API-KEY' in headers || 'x-api-key' in headers ? headers : { ...headers, 'X-API-KEY': 'north-key' }
      const isQuery = method === 'QUERY'
      const request = new Request(`http://booking.example${path}${isQuery ? '' : `?${query}`}`, {
        ...{ headers: { ...sent, 'content-type': 'application/x-www-form-urlencoded' }, method },
        ...(isQuery && { body: query }),
      })
      const response = await service(request)
      const body = await response.text()
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
      expect(keys.test(body)).toBe(false)
      expect(keys.test(JSON.stringify([...response.headers]))).toBe(false)
      expect([200, 400, 401, 404, 405]).toContain(response.status)
      if (response.status === 200 && method !== 'HEAD') {
        const { data, page } = JSON.parse(body) as Listed
        rows += data.length
        counted += Number(page.count !== undefined)
        expect(data.every(({ seller }) => seller === 's-north')).toBe(true)
        expect(page.count ?? 0).toBeLessThanOrEqual(visible)
      }
    }),
    { numRuns: count },
  )
  expect(errors).toEqual([])
  // Worth something: many were answered, with rows, and many refused.
  expect(statuses.get(200)).toBeGreaterThan(count * 0.15)
  expect(statuses.get(400)).toBeGreaterThan(count * 0.15)
  expect(rows).toBeGreaterThan(count * 0.5)
  expect(counted).toBeGreaterThan(count * 0.01)
})
