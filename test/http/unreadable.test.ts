/** A value that the type of its column cannot read: the answer shows `null`, and `onError` names the column once. */
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { and, defineCollection, defineSchema, field } from '../../src/index.ts'
import { column, sqlBackend, sqlite, table } from '../../src/backends/sql/index.ts'
import type { Observed } from '../../src/service/index.ts'
import { createListService } from './form.ts'

const schema = defineSchema({ id: field.integer({ required: true }), paidAt: field.datetime(), done: field.boolean() })
const orders = defineCollection(schema, { key: 'id', sort: ['paidAt', 'done'], limit: { default: 1, max: 9 } })

/** CURRENT_TIMESTAMP has no `T` and no `Z`: the default type of a datetime cannot read it. */
function serviceOver(contents: string) {
  const database = new DatabaseSync(':memory:')
  database.exec(
    `CREATE TABLE orders (id INTEGER PRIMARY KEY, paid_at TEXT, done INTEGER); INSERT INTO orders VALUES ${contents}`,
  )
  const columns = { paidAt: column('paid_at') }
  const { select } = sqlBackend({ dialect: sqlite, table: table('orders', { schema, key: 'id', columns }) })
  const reports: [error: unknown, observed: Observed<{ name: string }>][] = []
  const service = createListService({
    authenticate: () => ({ name: 'a' }),
    collections: {
      orders: {
        collection: orders,
        restriction: () => and(),
        rows: {
          page: (query) => {
            const { text, parameters, page } = select(query)
            return page(database.prepare(text).all(...(parameters as string[])))
          },
        },
      },
    },
    onError: (...all) => void reports.push(all),
  })
  const list = async (query: string) => {
    const response = await service(new Request(`http://x/orders${query}`))
    return (await response.json()) as { data: readonly object[]; page: { next?: string } }
  }
  return { list, reports }
}

test('onError names the column once, with its fix, and the walk continues', async () => {
  const { list, reports } = serviceOver(
    `(1, '2024-02-29 10:00:00', 1), (2, '2024-02-29T10:00:00.000Z', 2), (3, NULL, 0)`,
  )
  const first = await list('?sort=paidAt&limit=2')
  expect(first.data).toEqual([
    { id: 3, paidAt: null, done: false },
    { id: 1, paidAt: null, done: true },
  ])
  // The answer names no column.
  expect(first.page).toEqual({ next: expect.any(String) as string })
  expect(reports.map(([error]) => error)).toEqual([
    new TypeError(
      "orders.paidAt is null in rows whose column paid_at has a value that its type in the mapping cannot read: give column('paid_at', { type }) the type of its values",
    ),
  ])
  expect(reports[0]![1]).toMatchObject({ status: 200, collection: 'orders', rows: 2 })
  const second = await list(`?sort=paidAt&cursor=${first.page.next}`)
  expect(second.data).toEqual([{ id: 2, paidAt: '2024-02-29T10:00:00.000Z', done: null }])
  await list('')
  expect(reports.map(([error]) => (error as TypeError).message.slice(0, 13))).toEqual([
    'orders.paidAt',
    'orders.done i',
  ])
})

test('onError is not called when the types read all values', async () => {
  const { list, reports } = serviceOver(`(1, '2024-02-29T10:00:00.000Z', 1), (2, NULL, NULL)`)
  expect((await list('?limit=9')).data).toHaveLength(2)
  expect(reports).toEqual([])
})
