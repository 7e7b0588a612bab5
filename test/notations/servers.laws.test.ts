/** Compares the rows of the service with the rows of json-server and FakeRest. */
import { join } from 'node:path'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { byEffort } from '../effort.ts'
import { idsOf, isInstalled, rows, startServer } from './orders.ts'

const load = createRequire(join(import.meta.dirname, 'package.json'))
let server: Awaited<ReturnType<typeof startServer>>
beforeAll(async () => void (server = await startServer()))
afterAll(() => server.stop())

/** Returns the rows of the service; `undefined` where it refuses two conditions with the same meaning on one field. */
async function ours(notation: string, query: string): Promise<readonly number[] | undefined> {
  const answer = await fetch(`${server.url}/${notation}/orders?${query}`)
  const body: unknown = await answer.json()
  if (answer.status === 200) return idsOf(body as readonly unknown[])
  const { issues } = body as { readonly issues: readonly { readonly code: string }[] }
  expect(issues.map(({ code }) => code)).toEqual(issues.map(() => 'duplicate_condition'))
  return undefined
}

const number = fc.integer({ min: 0, max: 50 }).map(String)
const word = fc.constantFrom('Surf', 'kayak', 'Surf 2', 'kayak 1', '4')
const status = fc.constantFrom('paid', 'held', 'new')
const pick = <T>(values: fc.Arbitrary<T>) => fc.array(values, { minLength: 1, maxLength: 3 })
const page = fc.integer({ min: 0, max: 5 })

describe.skipIf(!isInstalled)('json-server', () => {
  interface App {
    use(...handlers: unknown[]): void
    listen(port: number, done: () => void): { address(): AddressInfo; close(): void }
  }
  let url: string
  let close: () => void
  beforeAll(async () => {
    const jsonServer = load('json-server') as { create(): App; router(data: object): unknown }
    const app = jsonServer.create()
    app.use(jsonServer.router({ orders: rows.map((row) => ({ ...row })) }))
    await new Promise<void>((done) => {
      const listening = app.listen(0, done)
      url = `http://127.0.0.1:${listening.address().port}`
      close = () => listening.close()
    })
  })
  afterAll(() => close())

  const pairs = fc.record(
    {
      status: pick(status),
      status_ne: pick(status),
      note: pick(word),
      note_ne: pick(word),
      note_like: word.map((text) => [text]),
      total_lte: number.map((text) => [text]),
      day_gte: fc.constantFrom('2024-01-05', '2024-01-20').map((text) => [text]),
      // A text of json-server: a payment at midnight comes after the day.
      paidAt_gte: fc.constantFrom('2024-01-05', '2024-01-06').map((text) => [text]),
      paidAt_lte: fc.constantFrom('2024-01-13', '2024-01-15', '2024-01-21').map((text) => [text]),
      'customer.name': pick(fc.constantFrom('Ann', 'Smith, John', 'Änne')),
    },
    { requiredKeys: [] },
  )
  test('the same rows in the same order', async () => {
    await fc.assert(
      fc.asyncProperty(pairs, page, fc.constantFrom('asc', 'desc'), async (given, at, order) => {
        const query = new URLSearchParams([
          ...Object.entries(given).flatMap(([name, values]) => values!.map((value): [string, string] => [name, value])),
          ...[
            ['_sort', 'day,id'],
            ['_order', `${order},asc`],
            ['_start', `${at * 10}`],
            ['_end', `${at * 10 + 10}`],
          ],
        ] as [string, string][])
        const theirs = await fetch(`${url}/orders?${query}`)
        const expected = idsOf((await theirs.json()) as readonly unknown[])
        const answer = await fetch(`${server.url}/jsonServer/orders?${query}`)
        expect(idsOf((await answer.json()) as readonly unknown[]), String(query)).toEqual(expected)
        expect(answer.headers.get('x-total-count')).toBe(theirs.headers.get('x-total-count'))
      }),
      { numRuns: byEffort(2_000, 50) },
    )
  })
})

describe.skipIf(!isInstalled)('FakeRest', () => {
  interface FakeServer {
    handle(request: object): Promise<{ readonly body: unknown; readonly headers: Readonly<Record<string, string>> }>
  }
  let fake: FakeServer
  beforeAll(() => {
    const { SimpleRestServer } = load('fakerest') as { SimpleRestServer: new (options: object) => FakeServer }
    fake = new SimpleRestServer({ baseUrl: 'http://x', data: { orders: rows.map((row) => ({ ...row })) } })
  })

  const day = fc.constantFrom('2024-01-05', '2024-01-20')
  const tag = pick(fc.constantFrom('sea', 'vip'))
  const small = fc.integer({ min: 0, max: 50 })
  const one = (name: string, value: fc.Arbitrary<unknown>) => value.map((given) => ({ [name]: given }))
  const filters = fc
    .array(
      fc.oneof(
        one('status', fc.oneof(status, pick(status))),
        one('status_eq_any', pick(status)),
        one('note', fc.oneof(word, fc.constant(null))),
        one('note_eq', word),
        one('note_neq', word),
        one('note_neq_any', pick(word)),
        one('total_lt', small),
        one('total_gt', small),
        one('total_lte', small),
        one('day_gte', day),
        one('gift', fc.boolean()),
        ...['paidAt_lt', 'paidAt_lte', 'paidAt_gt', 'paidAt_gte'].map((name) =>
          one(name, fc.constantFrom('2024-01-05', '2024-01-06', '2024-01-13')),
        ),
        one('tags', tag),
        one('tags_inc', tag),
        one('customer', fc.record({ name: fc.constantFrom('Ann', 'Smith, John') })),
      ),
      { maxLength: 3 },
    )
    .map((all): object => Object.assign({}, ...all))
  test('the same rows in the same order', async () => {
    let compared = 0
    await fc.assert(
      fc.asyncProperty(filters, page, fc.constantFrom('ASC', 'DESC'), async (filter, at, order) => {
        const params = { filter: { ...filter }, sort: ['id', order], range: [at * 10, at * 10 + 9] }
        const { body } = await fake.handle({ url: 'http://x/orders', method: 'GET', headers: new Headers(), params })
        const query = new URLSearchParams(Object.entries(params).map(([name, value]) => [name, JSON.stringify(value)]))
        const found = await ours('reactAdmin', String(query))
        if (found === undefined) return
        compared++
        expect(found, String(query)).toEqual(idsOf(body as readonly unknown[]))
      }),
      { numRuns: byEffort(2_000, 50) },
    )
    expect(compared).toBeGreaterThan(byEffort(1_500, 34))
  })
})
