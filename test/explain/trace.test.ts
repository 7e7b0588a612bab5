/** Traces: by hand, and the same answer as the predicate at every node. */
import { expect, test } from 'vitest'
import { trace, type Trace } from '../../src/tools/explain/index.ts'
import { and, not, or, parseFilterOrThrow } from '../../src/index.ts'
import { some } from '../../src/tree.ts'
import { exact, orders } from '../orders.ts'

/** A trace in short: `+` or `-`, the index of the entry, what is inside. */
const short = ({ holds, inner, entry }: Trace): string =>
  `${holds ? '+' : '-'}${entry ?? ''}${inner.length === 0 ? '' : `(${inner.map(short).join(' ')})`}`
const read = (text: string) => parseFilterOrThrow(orders, text)
const row = { seller: 's-1', total: 20, tags: ['a', 'b'], items: [{ price: 1 }, { price: 7 }, { price: 8 }] }

test.each([
  ['', '+'],
  ['seller=s-1', '+'],
  ['seller=s-2', '-'],
  ['seller=s-1&total[gte]=50', '-(+ -)'],
  ['total[notEqual]=20', '-(+)'],
  ['items.price[gte]=5', '+1(- +)'],
  ['items.price[gte]=9', '-(- - -)'],
  ['items.price[gte]=5&items.price[lt]=8', '+1(-(- +) +(+ +))'],
  ['tags=a', '+0(+)'],
  ['tags[nin]=b', '-(+1(- +))'],
  ['customer.name=x', '-'],
  ['items.product[exists]=true', '-(- - -)'],
])('%s is %s', (query, expected) => expect(short(trace(read(query), row))).toBe(expected))

const exactRow = {
  ref: '01890A5D-AC96-774B-BCCE-B302099A8057',
  serial: 9007199254740993n,
  at: '2024-01-31T12:00:00.123456Z',
  items: [{ amount: '1.09' }, { amount: '1.10' }, { amount: 12.5 }],
}
test.each([
  ['ref=01890a5d-ac96-774b-bcce-b302099a8057&serial=9007199254740992', '-(+ -)'],
  ['serial[gt]=9007199254740992', '+'],
  ['items.amount=1.1', '+1(- +)'],
  ['items.amount[gt]=9', '+2(- - +)'],
  ['at[gt]=2024-01-31T12:00:00.123Z&at[lt]=2024-01-31T12:00:00.124Z', '+(+ +)'],
])('of exact types, %s is %s', (query, expected) =>
  expect(short(trace(parseFilterOrThrow(exact, query), exactRow))).toBe(expected),
)

test('groups show every filter, also those after the one that decides', () => {
  const [yes, no] = [read('seller=s-1'), read('seller=s-2')]
  expect(short(trace(or(yes, no, yes), row))).toBe('+(+ - +)')
  expect(short(trace(and(no, yes), row))).toBe('-(- +)')
  expect(short(trace(not(or(no, no)), row))).toBe('+(-(- -))')
})

test.each([[{}], [{ l: 'x' }], [{ l: null }]])('%o has no list, and so no entry', (other) =>
  expect(short(trace(some(['l'], and()), other))).toBe('-'),
)

test('each trace has its filter', () => {
  const filter = read('seller=s-1&items.price=1')
  const traced = trace(filter, row)
  expect(traced.filter).toBe(filter)
  expect(traced.inner[1]!.inner[0]!.filter).toMatchObject({ kind: 'comparison', path: ['price'] })
})

test.each([
  [null],
  [5],
  ['text'],
  [[]],
  [{ items: { length: 1 } }],
  [{ items: 'x' }],
  [Object.create({ seller: 's-1' })],
])('of %o nothing holds', (other) => expect(trace(read('seller=s-1&items.price=1'), other).holds).toBe(false))
