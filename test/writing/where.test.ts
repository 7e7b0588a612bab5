import { describe, expect, test, vi } from 'vitest'
import { and, defineSchema, field, parseFilterOrThrow, where, type Filter } from '../../src/index.ts'
import { sameFilter } from '../../src/tree.ts'
import { exact, orders } from '../orders.ts'

const o = where(orders)

const table: readonly (readonly [query: string, build: (builder: typeof o) => Filter])[] = [
  ['seller=x', (o) => o.equals('seller', 'x')],
  ['seller[notEqual]=x', (o) => o.notEqual('seller', 'x')],
  ['total[gt]=1.5', (o) => o.gt('total', 1.5)],
  ['total[gte]=1.5', (o) => o.gte('total', 1.5)],
  ['total[lt]=1.5', (o) => o.lt('total', 1.5)],
  ['total[lte]=1.5', (o) => o.lte('total', 1.5)],
  ['total[range]=10,20', (o) => o.range('total', 10, 20)],
  ['guests[in]=1,2', (o) => o.in('guests', [1, 2])],
  ['status[nin]=paid,held', (o) => o.nin('status', ['paid', 'held'])],
  ['seller[startsWith]=a', (o) => o.startsWith('seller', 'a')],
  ['seller[endsWith]=a', (o) => o.endsWith('seller', 'a')],
  ['seller[contains]=', (o) => o.contains('seller', '')],
  ['customer.name[doesNotContain]=a', (o) => o.doesNotContain('customer.name', 'a')],
  ['gift[exists]=true', (o) => o.exists('gift')],
  ['gift[exists]=true', (o) => o.exists('gift', true)],
  ['gift[exists]=false', (o) => o.exists('gift', false)],
  ['gift=true', (o) => o.equals('gift', true)],
  ['customer[exists]=true', (o) => o.exists('customer')],
  ['arrival=2024-02-29', (o) => o.equals('arrival', '2024-02-29')],
  ['paidAt=2024-02-29', (o) => o.equals('paidAt', '2024-02-29')],
  ['paidAt[notEqual]=2024-02-29', (o) => o.notEqual('paidAt', '2024-02-29')],
  ['paidAt=2024-02-29T00:00:00Z', (o) => o.equals('paidAt', new Date('2024-02-29'))],
  ['paidAt=2024-02-29T10:00:00Z', (o) => o.equals('paidAt', '2024-02-29T12:00:00+02:00')],
  ['paidAt[in]=2024-02-29,2024-03-01T00:00:00Z', (o) => o.in('paidAt', ['2024-02-29', new Date('2024-03-01')])],
  ['paidAt[range]=2024-02-29,9999-12-31', (o) => o.range('paidAt', '2024-02-29', '9999-12-31')],
  ['total=-0', (o) => o.equals('total', -0)],
  // Lists.
  ['tags=sea', (o) => o.some('tags', (tag) => tag.equals('sea'))],
  ['tags[exists]=true', (o) => o.exists('tags')],
  ['tags[exists]=false', (o) => o.exists('tags', false)],
  ['items[exists]=false', (o) => o.exists('items', false)],
  ['tags[all]=sea,vip', (o) => o.all('tags', ['sea', 'vip'])],
  ['tags[atMost]=3', (o) => o.atMost('tags', 3)],
  ['items[atLeast]=2', (o) => o.atLeast('items', 2)],
  ['tags[notEqual]=sea', (o) => o.none('tags', (tag) => tag.equals('sea'))],
  [
    'items.arrival[range]=2024-01-01,2024-01-03&items.product[contains]=surf',
    (o) => o.some('items', (i) => and(i.range('arrival', '2024-01-01', '2024-01-03'), i.contains('product', 'surf'))),
  ],
]
test.each(table)('%s', (query, build) => {
  expect(sameFilter(parseFilterOrThrow(orders, query), build(o))).toBe(true)
})
test('a second copy of the library, such as that of the other format, builds the same', async () => {
  vi.resetModules()
  const copy = (await import('../../src/index.ts')).where(orders)
  for (const [query, build] of table)
    expect(sameFilter(parseFilterOrThrow(orders, query), build(copy)), query).toBe(true)
  expect(() => copy.equals('seller', '\0')).toThrow('must be text without U+0000 and lone surrogates')
})

const e = where(exact)
const id = '01890a5d-ac96-774b-bcce-b302099a8057'
test.each<[query: string, built: Filter]>([
  [`ref=${id}`, e.equals('ref', id.toUpperCase())],
  [`ref[nin]=${id}`, e.nin('ref', [id])],
  [`ref[range]=${id},${id}`, e.range('ref', id, id)],
  ['serial=9007199254740993', e.equals('serial', 9007199254740993n)],
  ['serial=9007199254740993', e.equals('serial', '9007199254740993')],
  ['serial=-5', e.equals('serial', -5)],
  ['serial=0', e.equals('serial', -0)],
  ['serial=0', e.equals('serial', '-0')],
  ['serial[in]=1,2,-9223372036854775808', e.in('serial', [1n, '2', -(2n ** 63n)])],
  ['money=1.1', e.equals('money', '1.10')],
  ['money=1.1', e.equals('money', 1.1)],
  ['money=0', e.equals('money', -0)],
  ['money[range]=0.0000001,1000000000000000000000', e.range('money', 1e-7, 1e21)],
  ['money[gt]=0.00000015', e.gt('money', '1.5e-7')],
  ['money[lt]=9007199254740993', e.lt('money', 9007199254740993n)],
  ['at[gt]=2024-01-31T12:00:00.123456Z', e.gt('at', '2024-01-31T12:00:00.123456Z')],
  ['at=2024-01-31T12:00:00.123Z', e.equals('at', new Date('2024-01-31T12:00:00.123Z'))],
  [`refs=${id}`, e.some('refs', (ref) => ref.equals(id))],
  ['items.amount[gte]=0.5', e.some('items', (item) => item.gte('amount', 0.5))],
])('of exact types, %s', (query, built) => expect(sameFilter(parseFilterOrThrow(exact, query), built)).toBe(true))
test.each<[name: string, args: readonly unknown[], must: string]>([
  ['equals', ['ref', id.replaceAll('-', '')], 'a uuid, 8-4-4-4-12 hexadecimal digits'],
  ['equals', ['ref', 5], 'a uuid, 8-4-4-4-12 hexadecimal digits'],
  ...[2 ** 53, 1.5, NaN, 2n ** 63n, '1.0', '00', '1e3', '', true, null].map((value): [string, unknown[], string] => [
    'gt',
    ['serial', value],
    'a whole number from −2^63 to 2^63 − 1, as a bigint, a safe integer or a text of digits',
  ]),
  ...['1'.repeat(35), 10n ** 34n, NaN, Infinity, '1.', '.5', '', ' 1', true, undefined].map(
    (value): [string, unknown[], string] => [
      'lte',
      ['money', value],
      'a decimal number of at most 34 digits, as a text, a number or a bigint',
    ],
  ),
  ['equals', ['at', '2024-01-31T12:00:00.1234567Z'], 'a date, YYYY-MM-DD, or an RFC 3339 datetime with Z or an offset'],
])('of exact types, %s %o is refused', (name, args, must) => {
  const call = () => (e as unknown as Record<string, (...args: readonly unknown[]) => Filter>)[name]!(...args)
  expect(call).toThrow(TypeError)
  expect(call).toThrow(`operand of ${name} on ${String(args[0])} must be ${must}`)
})

test('a flag that is undefined is a mistake; one that is left out is true', () => {
  expect(() => o.exists('gift', undefined)).toThrow(TypeError)
})
test('the error about too many operands has the right number', () => {
  const call = (name: 'range' | 'equals', ...operands: unknown[]) => Reflect.apply(o[name], o, ['total', ...operands])
  expect(() => call('range', 1, 2, 3)).toThrow('too many operands for range: expected two')
  expect(() => call('equals', 1, 2)).toThrow('too many operands for equals: expected one')
})
test('of an enumeration, a message lists twenty values', () => {
  const values = Array.from({ length: 21 }, (_, at) => `v${at}`)
  const told = (count: number) => () =>
    where(defineSchema({ status: field.enumeration(values.slice(0, count)) })).equals('status', 'x')
  expect(told(20)).toThrow(/one of v0, v1, .*, v18, v19$/)
  expect(told(21)).toThrow(/one of v0, v1, .*, v18, v19, …$/)
})

test('an empty list of operands is membership in nothing', () => {
  expect(o.in('seller', [])).toEqual({ kind: 'membership', path: ['seller'], operands: [] })
})

test('lists in lists, objects in entries', () => {
  const schema = defineSchema({
    a: field.object({ list: field.list(field.object({ b: field.object({ days: field.list(field.date()) }) })) }),
  })
  const filter = where(schema).some('a.list', (entry) => entry.some('b.days', (day) => day.gte('2024-01-01')))
  expect(sameFilter(filter, parseFilterOrThrow(schema, 'a.list.b.days[gte]=2024-01-01'))).toBe(true)
})

describe('a wrong program is a TypeError that names the argument', () => {
  // As JavaScript, or a type assertion, would call it.
  const loose = o as unknown as Record<string, (...args: unknown[]) => Filter>
  test.each<[string, readonly unknown[], RegExp]>([
    ['equals', ['nope', 'x'], /^path nope is not in the schema$/],
    ['equals', ['customer.nope', 'x'], /^path customer\.nope is not in the schema$/],
    ['equals', ['seller.x', 'x'], /^path seller\.x is not in the schema$/],
    ['equals', ['toString', 'x'], /^path toString is not in the schema$/],
    ['equals', ['customer.constructor', 'x'], /not in the schema/],
    ['equals', [undefined, 'x'], /^path must be a string/],
    ['equals', [['seller'], 'x'], /^path must be a string/],
    [
      'equals',
      ['items.price', 1],
      /^path items\.price crosses the list items: use some\(path, filter\) for its entries$/,
    ],
    ['equals', ['tags', 'sea'], /^path tags is a list: use some\(path, filter\) for its entries$/],
    ['equals', ['customer', 'x'], /^operator equals is not available for customer$/],
    ['gt', ['status', 'paid'], /^operator gt is not available for status$/],
    ['in', ['gift', [true]], /^operator in is not available for gift$/],
    ['contains', ['total', '1'], /^operator contains is not available for total$/],
    ['equals', ['seller'], /^operand of equals on seller must be text without U\+0000 and lone surrogates$/],
    ['equals', ['seller', undefined], /^operand of equals on seller must be text without U\+0000 and lone surrogates$/],
    ['equals', ['seller', null], /^operand of equals/],
    ['equals', ['seller', 'a\0'], /^operand of equals/],
    ['contains', ['seller', '\ud800'], /^operand of contains/],
    ['contains', ['seller', /x/], /^operand of contains/],
    ['equals', ['total', '1'], /^operand of equals on total must be a finite number/],
    ['equals', ['total', NaN], /^operand of equals on total/],
    ['equals', ['guests', 1.5], /^operand of equals on guests must be a whole number/],
    ['equals', ['gift'], /^operand of equals on gift must be true or false$/],
    ['equals', ['gift', 'true'], /^operand of equals on gift must be true or false$/],
    ['equals', ['status', 'piad'], /^operand of equals on status must be one of paid, held, new$/],
    ['equals', ['arrival', new Date()], /^operand of equals on arrival must be a date of the years/],
    ['equals', ['arrival', '2024-02-30'], /^operand of equals on arrival must be a date of the years/],
    ['equals', ['paidAt', new Date(NaN)], /^operand of equals on paidAt/],
    ['equals', ['paidAt', 0], /^operand of equals on paidAt/],
    ['equals', ['paidAt', new Date('+010000-01-01T00:00:00Z')], /^operand of equals on paidAt/],
    ['range', ['total', 1], /^high of range on total/],
    ['range', ['total', undefined, 1], /^low of range on total/],
    ['range', ['total', [1, 2]], /^low of range on total/],
    ['in', ['seller', 'x'], /^operands of in must be a list$/],
    ['in', ['seller', undefined], /^operands of in must be a list$/],
    [
      'in',
      ['seller', ['a', undefined]],
      /^operands\[1\] of in on seller must be text without U\+0000 and lone surrogates$/,
    ],
    ['in', ['seller', new Array(1)], /^operands\[0\] of in/],
    ['exists', ['gift', undefined], /^operand of exists on gift must be true or false$/],
    ['exists', ['gift', 'false'], /^operand of exists/],
    ['equals', ['seller', 'a', 'b'], /^too many operands for equals: expected one$/],
    ['some', ['seller', () => and()], /^path seller is not a list$/],
    ['some', ['nope', () => and()], /^path nope is not in the schema$/],
    ['some', ['items', undefined], /^filter must be a function$/],
    ['some', ['items', () => undefined], /^some\.filter must be a filter$/],
    ['some', ['items', (i: typeof loose) => i.equals!('seller', 'x')], /^path seller is not in the schema$/],
    [
      'some',
      ['tags', (t: typeof loose) => t.equals!(1)],
      /^operand of equals on the entry must be text without U\+0000 and lone surrogates$/,
    ],
  ])('%s %j', (name, args, message) => {
    expect(() => loose[name]!(...args)).toThrow(TypeError)
    expect(() => loose[name]!(...args)).toThrow(message)
  })
  test('a list that is crossed is named by its whole path', () => {
    const schema = defineSchema({ a: field.object({ list: field.list(field.object({ b: field.date() })) }) })
    const call = where(schema) as unknown as typeof loose
    const message = 'path a.list.b crosses the list a.list: use some(path, filter) for its entries'
    expect(() => call.equals!('a.list.b', '2024-01-01')).toThrow(new TypeError(message))
  })
  test.each([{}, undefined, null, 'orders'])('where(%j)', (schema) => {
    expect(() => where(schema as typeof orders)).toThrow(new TypeError('schema must be made by defineSchema'))
  })
})

test('entries have the operators of their type alone, and a refusal names the quantifier', () => {
  expect(() => o.some('items', () => 5 as never)).toThrow('some.filter must be a filter')
  expect(() => o.none('items', () => 5 as never)).toThrow('none.filter.filter must be a filter')
  expect(() => o.every('items', () => 5 as never)).toThrow('every.filter.filter.filter must be a filter')
  o.some('tags', (tag) => {
    expect(Object.keys(tag)).toContain('startsWith')
    for (const name of ['all', 'atLeast', 'atMost']) expect(tag).not.toHaveProperty(name)
    return tag.equals('a')
  })
})
