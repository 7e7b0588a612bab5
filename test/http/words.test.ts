/** The service answers a search, and marks deprecated names. */
import { describe, expect, test } from 'vitest'
import { memoryBackend } from '../../src/backends/memory/index.ts'
import { defineCollection, narrow, where, type Query } from '../../src/index.ts'
import { keyed as orders } from '../orders.ts'
import { createListService } from './form.ts'

const stored = [
  { id: 1, seller: 's-1', customerName: 'Jo', note: 'surf' },
  { id: 2, seller: 's-1', customerName: 'Ann', note: 'Jo called' },
  { id: 3, seller: 's-2', customerName: 'Jo', note: 'secret' },
  { id: 4, seller: 's-1', customerName: 'Bo', note: null },
]
const wide = defineCollection(orders, {
  key: 'id',
  search: ['customerName', 'note', 'seller'],
  aliases: { fields: { customer_name: 'customerName', comment: 'note' }, operators: { eq: 'equals' } },
  deprecated: {
    customer_name: { since: '2024-01-01', sunset: '2026-06-30T12:00:00Z' },
    comment: { since: '2023-12-31T23:59:59.999Z' },
    seller: { since: '2025-01-01', sunset: '2026-01-01' },
  },
  lists: 'repeated',
})
const forGuests = narrow(wide, { fields: { hide: ['note'] } })
const service = createListService<{ readonly role: string }>({
  authenticate: ({ headers }) => ({ role: headers.get('x-role') ?? 'clerk' }),
  collections: {
    orders: {
      collection: ({ role }) => (role === 'guest' ? forGuests : wide),
      rows: { backend: memoryBackend(), find: (query: Query) => memoryBackend().compileQuery(query)(stored).rows },
      restriction: () => where(orders).equals('seller', 's-1'),
    },
  },
})
async function ask(query: string, init: RequestInit = {}) {
  const response = await service(new Request(`http://x/api/orders${query}`, init))
  const body = (await response.json()) as { data?: { id: number }[]; issues?: { code: string }[] }
  const { headers, status } = response
  const times = [headers.get('deprecation'), headers.get('sunset')]
  return { status, times, link: headers.get('link'), ids: body.data?.map(({ id }) => id), issues: body.issues }
}

test('a search finds rows that the restriction selects', async () => {
  expect((await ask('?search=jo')).ids).toEqual([1, 2])
  expect((await ask('?search=secret')).ids).toEqual([])
  expect((await ask('?search=jo', { headers: { 'x-role': 'guest' } })).ids).toEqual([1])
  const first = await ask('?search=jo&limit=1')
  expect(first.link).toMatch(/^<\?search=jo&limit=1&cursor=[\w-]+>; rel="next"$/)
  expect((await ask(/<(.*)>/.exec(first.link!)![1]!)).ids).toEqual([2])
  const content = new URLSearchParams({ search: '"jo called"' })
  expect((await ask('', { method: 'QUERY', body: content })).ids).toEqual([2])
})

describe('deprecated names', () => {
  // Seconds since 1970: date -d 2024-01-01T00:00:00Z +%s.
  test.each([
    ['', [null, null]],
    ['?customerName=Jo', [null, null]],
    ['?customer_name=Jo', ['@1704067200', 'Tue, 30 Jun 2026 12:00:00 GMT']],
    ['?customer_name[eq]=Jo&id=1', ['@1704067200', 'Tue, 30 Jun 2026 12:00:00 GMT']],
    ['?comment=surf', ['@1704067199', null]],
    ['?comment=surf&customer_name=Jo&seller=s-1', ['@1704067199', 'Thu, 01 Jan 2026 00:00:00 GMT']],
    ['?seller=s-1&seller=s-2', ['@1735689600', 'Thu, 01 Jan 2026 00:00:00 GMT']],
  ])('%s answers %j', async (query, times) => {
    expect(await ask(query)).toMatchObject({ status: 200, times })
    const content = {
      method: 'QUERY',
      body: query.slice(1),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    }
    expect(await ask('', content)).toMatchObject({ status: 200, times })
  })
  test('are told beside a fault, too, and not where they are hidden', async () => {
    expect(await ask('?customer_name=Jo&nope=1')).toMatchObject({
      ...{ status: 400, issues: [{ code: 'field_unknown' }] },
      times: ['@1704067200', 'Tue, 30 Jun 2026 12:00:00 GMT'],
    })
    expect(await ask('?comment=x', { headers: { 'x-role': 'guest' } })).toMatchObject({
      ...{ status: 400, times: [null, null] },
    })
  })
})
