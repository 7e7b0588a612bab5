/** Forged cursors as `north`: whatever is in them, rows of `north` or a 400, the same from memory as from SQLite. */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeAccounts } from '../../src/demo/accounts.ts'
import { makeOrders, orderCollection } from '../../src/demo/data.ts'
import { makeService } from '../../src/demo/service.ts'
import { memoryStore, type Store } from '../../src/demo/store.ts'
import { openStore } from '../../src/demo/stores.ts'
import type { LiteralType } from '../../src/tree.ts'
import { byEffort } from '../effort.ts'
import type { Listed } from './walk.ts'

const errors: unknown[] = []
let sqlite: Store
const ask: ((path: string, account?: string) => Promise<Response>)[] = []
beforeAll(async () => {
  sqlite = await openStore('sqlite')
  const accounts = await makeAccounts()
  for (const store of [memoryStore(), sqlite]) {
    const service = makeService(store, accounts, (error) => errors.push(error))
    ask.push((path, account = 'north') =>
      service(new Request(`http://x${path}`, { headers: { 'X-API-KEY': `${account}-key` } })),
    )
  }
})
afterAll(() => sqlite.close())

// --- Orders

/** Every field in both directions, alone and before another. */
const fields = Array.from(orderCollection.sortable.values(), ({ name, literal }) => ({
  name,
  type: literal as LiteralType,
}))
const someSort = fc
  .tuple(fc.constantFrom(...fields), fc.option(fc.constantFrom(...fields)), fc.boolean(), fc.boolean())
  .map(([first, second, down, downToo]) => {
    const asked = [{ ...first, sign: down ? '-' : '+' }]
    if (second !== null && second.name !== first.name) asked.push({ ...second, sign: downToo ? '-' : '+' })
    const text = asked.map(({ name, sign }) => (sign === '-' ? `-${name}` : name)).join(',')
    if (asked.every(({ name }) => name !== 'id')) asked.push({ name: 'id', type: 'integer', sign: asked.at(-1)!.sign })
    return { text, keys: asked }
  })
type Sort = typeof someSort extends fc.Arbitrary<infer S> ? S : never

// --- Cursors

// JSON can say numbers that no double holds.
const textOf = (parts: unknown) => Buffer.from(JSON.stringify(parts).replace('"∞"', '1e400')).toString('base64url')
const orderOf = ({ keys }: Sort) => keys.map(({ name, sign }) => sign + name)
/** The cursor of a row as the docs describe it: version, direction, order, values. */
const cursorOf = (toward: unknown, sort: Sort, values: readonly unknown[]) => textOf([1, toward, orderOf(sort), values])

const rows = makeOrders() as unknown as readonly Readonly<Record<string, unknown>>[]
const valueAt = (row: unknown, path: string): unknown =>
  path.split('.').reduce((value, name) => (value as Record<string, unknown> | null)?.[name] ?? null, row)

/** Values that fit a type, at its ends too. */
const fitting: Readonly<Record<LiteralType, readonly unknown[]>> = {
  string: [
    '',
    's-north',
    's-south',
    's-',
    'z',
    '\u{10ffff}',
    '\uffff',
    '\u{1F3C4}',
    "'; --",
    '%',
    '\\',
    'x'.repeat(3_000),
  ],
  integer: [0, 1, -1, 8, 2_147_483_648, -2_147_483_649, 9_007_199_254_740_991, -9_007_199_254_740_991],
  number: [0, 0.1, 450.25, -1, 1e308, -1e308, 5e-324, 2 ** 53],
  boolean: [true, false],
  date: ['0001-01-01', '2024-02-29', '2024-06-30', '9999-12-31'],
  datetime: ['0001-01-01T00:00:00.000Z', '2024-06-30T12:00:00.000Z', '9999-12-31T23:59:59.999Z'],
}
/** Values that fit none, or not all. */
const misfits: readonly unknown[] = [
  ...[0.5, '∞', '1', 'true', 'soon', '2024-02-30', '2024-06-30', '2024-06-30T12:00:00Z', '10000-01-01', '\0', '\ud800'],
  ...[undefined, [], {}, [1], { $gt: '' }, { type: 'string', value: 'x' }, { toString: 1 }, -0, 2 ** 53],
]
const someToward = fc.constantFrom('next', 'previous')

const ofRow = (sort: Sort) =>
  fc.tuple(someToward, fc.constantFrom(...rows)).map(([toward, row]) =>
    cursorOf(
      toward,
      sort,
      sort.keys.map(({ name }) => valueAt(row, name)),
    ),
  )
const ofValues = (sort: Sort) =>
  fc
    .tuple(someToward, ...sort.keys.map(({ type }) => fc.constantFrom(...fitting[type], null)))
    .map(([toward, ...values]) => cursorOf(toward, sort, values))
const ofMisfits = (sort: Sort) =>
  fc
    .tuple(someToward, ...sort.keys.map(({ type }) => fc.constantFrom(...fitting[type], ...misfits)))
    .map(([toward, ...values]) => cursorOf(toward, sort, values))
/** The right cursor, changed in a letter or two. */
const mutated = (sort: Sort) =>
  fc
    .tuple(
      ofRow(sort),
      fc.nat(),
      fc.nat(2),
      fc.constantFrom('', 'A', '_', '-', '=', '+', '/', 'zz', '%00', '.', '\u00e9'),
    )
    .map(([cursor, at, lost, put]) => {
      const place = at % (cursor.length + 1)
      return cursor.slice(0, place) + encodeURIComponent(put) + cursor.slice(place + lost)
    })
const misshapen = (sort: Sort) =>
  fc.tuple(fc.constantFrom(...rows), fc.nat(15)).map(([row, which]) => {
    const order = orderOf(sort)
    const values = sort.keys.map(({ name }) => valueAt(row, name))
    const shapes = [
      ...[
        [2, 'next', order, values],
        ['1', 'next', order, values],
        [1, 'NEXT', order, values],
        [1, '__proto__', order, values],
      ],
      ...[
        [1, 'next', order, values.slice(1)],
        [1, 'next', order, [...values, 1]],
        [1, 'next', order, { 0: values[0], 1: values[1] }],
      ],
      ...[
        [1, 'next', order],
        [1, 'next', order, values, 1],
        [1, 'next', [...order].reverse().concat('x'), values],
      ],
      ...[[1, 'next', null, values], [1, 'next', order, null], {}, null, 'next', [[1, 'next', order, values]]],
    ]
    return textOf(shapes[which])
  })
const noise = fc.oneof(
  fc.uint8Array({ minLength: 1, maxLength: 80 }).map((bytes) => Buffer.from(bytes).toString('base64url')),
  fc.string({ unit: 'binary', maxLength: 40 }).map((text) => encodeURIComponent(text.toWellFormed())),
  fc.constantFrom('', '%00', '%ff', '%', 'null', 'W10', '[]', 'undefined', 'A'.repeat(9_000)),
)

const asked = someSort.chain((sort) =>
  fc
    .record({
      cursor: fc.oneof(
        { weight: 4, arbitrary: ofRow(sort) },
        { weight: 4, arbitrary: ofValues(sort) },
        { weight: 3, arbitrary: ofMisfits(sort) },
        { weight: 4, arbitrary: mutated(sort) },
        { weight: 2, arbitrary: misshapen(sort) },
        { weight: 2, arbitrary: someSort.chain(ofRow) },
        { weight: 2, arbitrary: noise },
      ),
      condition: fc.constantFrom('', '', 'seller=s-south&', 'total[gte]=100&', 'seller[notEqual]=s-north&'),
      rest: fc.constantFrom('', '&count=true', '&fields=id,seller', '&limit=7'),
    })
    .map(({ cursor, condition, rest }) => `/api/orders?${condition}sort=${sort.text}${rest}&cursor=${cursor}`),
)

const count = byEffort(20_000, 3_000)
test(`${count} forged cursors`, async () => {
  const statuses: Record<number, number> = {}
  let listed = 0
  await fc.assert(
    fc.asyncProperty(asked, async (path) => {
      const [fromMemory, fromSqlite] = await Promise.all(ask.map((asks) => asks(path)))
      const body = await fromMemory!.text()
      statuses[fromMemory!.status] = (statuses[fromMemory!.status] ?? 0) + 1
      expect([fromSqlite!.status, await fromSqlite!.text()]).toEqual([fromMemory!.status, body])
      if (fromMemory!.status === 200) {
        const { data } = JSON.parse(body) as Listed
        listed += data.length
        expect(data.every(({ seller }) => seller === 's-north')).toBe(true)
      } else {
        const { status, issues } = JSON.parse(body) as { status: number; issues: { code: string }[] }
        expect(status).toBe(400)
        for (const { code } of issues) expect(code).toMatch(/^(?:parameter_invalid|syntax_encoding|syntax_character)$/)
      }
      expect(errors).toEqual([])
    }),
    { numRuns: count },
  )
  // Worth something: many cursors were taken for positions, and many refused, and there were rows to be seen.
  expect(Object.keys(statuses)).toEqual(['200', '400'])
  expect(statuses[200]).toBeGreaterThan(count * 0.3)
  expect(statuses[400]).toBeGreaterThan(count * 0.3)
  expect(listed).toBeGreaterThan(count)
}, 600_000)

test('a cursor of another account is a place in the order, and shows none of its rows', async () => {
  for (const account of ['south', 'office']) {
    for (const sort of ['id', '-total', 'customerName,-arrival', '-seller', 'gift']) {
      const first = (await (await ask[0]!(`/api/orders?sort=${sort}&limit=5`, account)).json()) as Listed
      for (const asks of ask) {
        const path = `/api/orders?sort=${sort}&limit=5&cursor=${first.page.next}`
        const { data } = (await (await asks(path)).json()) as Listed
        expect(data.filter(({ seller }) => seller !== 's-north')).toEqual([])
        expect(data.length).toBeGreaterThan(0)
      }
    }
  }
})
