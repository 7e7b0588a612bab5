/** Rows in memory: the predicate of Q1, Q3 and Q6 against one written by hand, over 100,000 orders. */
import { memoryBackend } from '../src/backends/memory.ts'
import { parseFilterOrThrow } from '../src/index.ts'
import { compare } from './ratio.mjs'
import { orders } from './queries.mjs'

let state = 1
const below = (limit) => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0
  return Math.floor((state / 2 ** 32) * limit)
}
const day = () => new Date(Date.UTC(2024, 0, 1 + below(60))).toISOString().slice(0, 10)
const names = ['John', 'Joanna', 'Peter', 'Maria', 'JOE', 'Ann']
// Parsed, as rows mostly are: objects of a literal share a shape that the engine knows too well.
const rows = JSON.parse(
  JSON.stringify(
    Array.from({ length: 100_000 }, () => ({
      seller: below(2) === 0 ? 's-1' : `s-${below(200)}`,
      customerName: names[below(names.length)],
      status: ['paid', 'held', 'new'][below(3)],
      total: below(1000) / 10,
      items: Array.from({ length: 1 + below(3) }, () => ({ arrival: day() })),
    })),
  ),
)

const from = '2024-01-10'
const to = '2024-01-20'
const inSpan = (items) => {
  for (const { arrival } of items) if (arrival >= from && arrival <= to) return true
  return false
}
const byHand = {
  Q1: (row) => row.seller === 's-1',
  Q3: (row) => row.seller === 's-1' && inSpan(row.items),
  Q6: (row) =>
    row.seller === 's-1' &&
    inSpan(row.items) &&
    /^jo/i.test(row.customerName) &&
    (row.status === 'paid' || row.status === 'held') &&
    row.total > 10,
}
const span = `items.arrival[gte]=${from}&items.arrival[lte]=${to}`
const queries = {
  Q1: 'seller=s-1',
  Q3: `seller=s-1&${span}`,
  Q6: `seller=s-1&${span}&customerName[startsWith]=jo&status[in]=paid,held&total[gt]=10`,
}
for (const [name, query] of Object.entries(queries)) {
  const matches = memoryBackend().compile(parseFilterOrThrow(orders, query))
  const wrong = rows.filter((row) => matches(row) !== byHand[name](row))
  if (wrong.length > 0) throw new Error(`${name} disagrees on ${JSON.stringify(wrong[0])}`)
  compare(name, { 'by hand': byHand[name], memory: matches }, rows, {
    calls: rows.length,
    warmUp: rows.length,
    rounds: 21,
  })
}
