/** Proofs and counter-examples: by hand, against rows drawn at random, and against all rows of a small world. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { memoryBackend } from '../../src/backends/memory/index.ts'
import { subsumes } from '../../src/explain/index.ts'
import {
  and,
  comparison,
  match,
  membership,
  not,
  or,
  parseFilterOrThrow,
  presence,
  some,
  type ComparisonOperator,
  type Filter,
  type Literal,
} from '../../src/index.ts'
import { someFilter, someRow, someSchema } from '../../src/testing/arbitraries.ts'
import { byEffort } from '../effort.ts'
import { orders } from '../orders.ts'

const { compile } = memoryBackend()
const read = (text: string) => parseFilterOrThrow(orders, text)

describe('proofs', () => {
  test.each([
    ['', 'seller=a'],
    ['seller=a', 'seller=a&total=1'],
    ['seller[in]=a,b', 'seller=a'],
    ['seller[notEqual]=c', 'seller[in]=a,b'],
    ['seller[exists]=true', 'seller[notEqual]=c&seller[gte]=a'],
    ['seller[gt]=a', 'seller[startsWith]=b&seller[gt]=ab'],
    ['total[gte]=10', 'total[range]=20,30'],
    ['total[gte]=10', 'total[range]=30,20'],
    ['guests[gte]=3', 'guests[gt]=2'],
    ['guests=3', 'guests[gt]=2&guests[lt]=4'],
    ['gift=true', 'gift[notEqual]=false&gift[exists]=true'],
    ['arrival[gt]=2024-02-28', 'arrival[gte]=2024-02-29'],
    ['arrival[gte]=2024-02-29', 'arrival[gt]=2024-02-28'],
    ['paidAt[gte]=2024-01-01', 'paidAt=2024-01-05'],
    ['paidAt[gt]=2024-01-01T00:00:00Z', 'paidAt[gte]=2024-01-01T00:00:00.001Z'],
    ['customerName[startsWith]=jo', 'customerName[startsWith]=JOh'],
    ['customerName[contains]=oh', 'customerName[startsWith]=joh'],
    ['customerName[endsWith]=x', 'customerName[endsWith]=ox'],
    ['customerName[startsWith]=K', 'customerName=\u212aelvin'],
    ['customer[exists]=true', 'customer.name=x'],
    ['items.price[gte]=5&items.product=bed', 'items.price[gte]=6&items.product=bed'],
    ['items.price[gte]=5', 'items.price[gte]=5&items.product=bed'],
    ['items[exists]=true', 'items.price=1'],
    ['tags[nin]=a', 'tags[nin]=a,b'],
    ['tags[startsWith]=a', 'tags=abc'],
  ])('%s includes %s', (wide, narrow) => expect(subsumes(read(wide), read(narrow))).toEqual({ subsumes: true }))
})

describe('counter-examples', () => {
  test.each<[string, string, unknown]>([
    ['seller=a', '', {}],
    ['seller=a', 'seller[in]=a,b', { seller: 'b' }],
    ['seller[notEqual]=b', 'seller[in]=a,b', { seller: 'b' }],
    ['seller[exists]=true', 'seller[notEqual]=c', {}],
    ['seller[gt]=a', 'seller[gte]=a', { seller: 'a' }],
    ['seller[gte]=b', 'seller[gt]=a', { seller: 'a\u0001' }],
    ['total[range]=20,30', 'total[gte]=10', { total: 10 }],
    ['total[gte]=3', 'total[gt]=2', { total: 2.0000000000000004 }],
    ['guests[gte]=4', 'guests[gt]=2', { guests: 3 }],
    ['gift=true', 'gift[notEqual]=false', {}],
    ['arrival[gte]=2024-03-01', 'arrival[gt]=2024-02-28', { arrival: '2024-02-29' }],
    ['customerName[startsWith]=joh', 'customerName[startsWith]=jo', { customerName: 'JO' }],
    ['customer.name=x', 'customer[exists]=true', { customer: {} }],
    ['customer.name[exists]=true', 'customer.email=x', { customer: { email: 'x' } }],
    [
      'items.price[gte]=5&items.product=bed',
      'items.price[gte]=4&items.product=bed',
      { items: [{ product: 'bed', price: 4 }] },
    ],
    ['tags[nin]=a,b', 'tags[nin]=a', { tags: ['b'] }],
    ['tags=a', 'tags[exists]=true', { tags: [''] }],
  ])('%s does not include %s', (wide, narrow, row) =>
    expect(subsumes(read(wide), read(narrow))).toEqual({ subsumes: false, row }),
  )
  test('two entries are not one', () => {
    const price = (value: number) => some(['items'], comparison(['price'], 'eq', { type: 'number', value }))
    expect(subsumes(read('items.price=1&items.product=x'), and(price(1), read('items.product=x')))).toMatchObject({
      subsumes: false,
      row: { items: expect.arrayContaining([{ product: 'x' }, { price: 1 }]) as unknown },
    })
  })
  test('names of Object.prototype are ordinary', () => {
    const text = (name: string) => comparison([name], 'eq', { type: 'string', value: 'x' })
    const { row } = subsumes(text('toString'), text('constructor')) as { row: object }
    expect(Object.hasOwn(row, 'constructor')).toBe(true)
    expect(compile(text('constructor'))(row)).toBe(true)
  })
})

describe('neither', () => {
  const one: Literal = { type: 'integer', value: 1 }
  test.each<[string, Filter, Filter]>([
    ['a field of two types', comparison(['a'], 'eq', one), and(presence(['a'], 'string'), presence(['a'], 'date'))],
    ['a list that is a text', or(), and(some(['a'], and()), presence(['a'], 'string'))],
    ['more alternatives than are looked at', or(), many()],
  ])('%s', (_, wide, narrow) => expect(subsumes(wide, narrow)).toEqual({ subsumes: undefined }))

  /** 22^3 combinations, none of which can be. */
  function many(): Filter {
    const is = (name: string, value: number) => comparison([name], 'eq', { type: 'integer', value })
    const alternatives = (name: string) => or(...Array.from({ length: 22 }, (_, at) => is(name, at)))
    return and(alternatives('a'), alternatives('b'), alternatives('c'), is('z', 1), is('z', 2))
  }
})

test('what is no filter is refused', () => {
  expect(() => subsumes(undefined as never, and())).toThrow('wide must be a filter')
  expect(() => subsumes(and(), {} as never)).toThrow('narrow')
})

// --- At random

const related = someSchema.chain((schema) => {
  const filter = someFilter(schema)
  const pair = fc.oneof(
    fc.tuple(filter, filter),
    fc.tuple(filter, filter).map(([a, b]): [Filter, Filter] => [a, and(a, b)]),
    fc.tuple(filter, filter).map(([a, b]): [Filter, Filter] => [or(b, a), a]),
    fc.tuple(filter, filter).map(([a, b]): [Filter, Filter] => [a, and(b, not(a))]),
  )
  return fc.tuple(pair, fc.array(someRow(schema), { minLength: 20, maxLength: 20 }))
})

test('is never wrong', () => {
  const seen = { true: 0, false: 0, undefined: 0 }
  fc.assert(
    fc.property(related, ([[wide, narrow], rows]) => {
      const result = subsumes(wide, narrow)
      seen[`${result.subsumes}`]++
      const isCounterExample = (row: unknown) => compile(narrow)(row) && !compile(wide)(row)
      if (result.subsumes === false) expect(isCounterExample(result.row)).toBe(true)
      if (result.subsumes === true) expect(rows.filter(isCounterExample)).toEqual([])
    }),
    { numRuns: byEffort(20_000, 300) },
  )
  expect(seen.true).toBeGreaterThan(50)
  expect(seen.false).toBeGreaterThan(50)
})

/** Fields whose values are few, or have few that tell filters apart. */
const worlds: readonly { readonly literals: readonly Literal[]; readonly values: readonly unknown[] }[] = [
  {
    literals: [1, 2, 4].map((value) => ({ type: 'integer', value })),
    values: [undefined, 0, 1, 2, 3, 4, 5],
  },
  {
    literals: [1, 1.5, 2].map((value) => ({ type: 'number', value })),
    values: [undefined, 0, 1, 1.25, 1.5, 1.75, 2, 3],
  },
  {
    literals: ['2024-02-28', '2024-02-29', '2024-03-02'].map((value) => ({ type: 'date', value })),
    values: [undefined, '2024-02-27', '2024-02-28', '2024-02-29', '2024-03-01', '2024-03-02', '2024-03-03'],
  },
  {
    literals: ['a', 'B', 'ab', 'b'].map((value) => ({ type: 'string', value })),
    // Between two texts there are others: a text and what follows it.
    values: [
      undefined,
      ...['', 'A', 'AB', 'Ab', 'B', 'C', 'a', 'aB', 'ab', 'b', 'c'].flatMap((text) => [
        text,
        `${text}\u0001`,
        `${text}z`,
      ]),
    ],
  },
]
const operators: readonly ComparisonOperator[] = ['eq', 'gt', 'gte', 'lt', 'lte']

/** A condition on a field, or its complement. */
function conditionOn(path: string, { literals }: (typeof worlds)[number]): fc.Arbitrary<Filter> {
  const [{ type }] = literals as [Literal]
  const literal = fc.constantFrom(...literals)
  const condition = fc.oneof(
    fc
      .tuple(fc.constantFrom(...operators), literal)
      .map(([operator, operand]) => comparison([path], operator, operand)),
    fc.uniqueArray(literal, { minLength: 1, selector: ({ value }) => value }).map((all) => membership([path], all)),
    fc.constant(presence([path], type)),
    ...(type === 'string' ? [literal.map(({ value }) => match([path], 'prefix', String(value)))] : []),
  )
  return fc.oneof(condition, condition.map(not))
}

test('conjunctions on scalar fields: it always finds out, and as all rows of a small world show', () => {
  const seen = { true: 0, false: 0 }
  const asked = fc.constantFrom(...worlds).chain((world) => {
    const conjunction = fc
      .array(fc.oneof(conditionOn('a', world), conditionOn('b', world)), { maxLength: 5 })
      .map((all) => and(...all))
    return fc.tuple(fc.constant(world), conjunction, conjunction)
  })
  fc.assert(
    fc.property(asked, ([{ values }, wide, narrow]) => {
      const result = subsumes(wide, narrow)
      const [isWide, isNarrow] = [compile(wide), compile(narrow)]
      const rows = values.flatMap((a) => values.map((b) => ({ a, b })))
      const shown = rows.some((row) => isNarrow(row) && !isWide(row))
      expect(result.subsumes).toBe(!shown)
      if (result.subsumes === false) expect(isNarrow(result.row) && !isWide(result.row)).toBe(true)
      seen[`${!shown}`]++
    }),
    { numRuns: byEffort(200_000, 1_000) },
  )
  expect(seen.true).toBeGreaterThan(100)
})
