/** The tree that a query makes: lowering, grouping by list, order, spans. */
import { describe, expect, test, vi } from 'vitest'
import { and, not, or, readReserved, type Filter } from '../../src/index.ts'
import { comparison, map, match, membership, presence, sameFilter, some, type Literal } from '../../src/tree.ts'
import { defineSchema, field, parseFilter, parseFilterOrThrow, FilterError } from '../../src/index.ts'
import { orders } from '../orders.ts'

const strip = (filter: Filter): Filter => map(filter, ({ span: _, ...node }) => node)

const string = (value: string): Literal => ({ type: 'string', value })
const number = (value: number): Literal => ({ type: 'number', value })
const date = (value: string): Literal => ({ type: 'date', value })
const at = (value: string): Literal => ({ type: 'datetime', value })
const day = (value: string): Literal => at(`${value}T00:00:00.000Z`)

const from = (path: string, operand: Literal) => comparison([path], 'gte', operand)
const before = (path: string, operand: Literal) => comparison([path], 'lt', operand)

const table: readonly (readonly [text: string, filter: Filter])[] = [
  // Shape.
  ['', and()],
  ['seller=x', comparison(['seller'], 'eq', string('x'))],
  ['seller=x&total=1', and(comparison(['seller'], 'eq', string('x')), comparison(['total'], 'eq', number(1)))],
  ['customer.name=x', comparison(['customer', 'name'], 'eq', string('x'))],

  // Every operator.
  ['seller[equals]=x', comparison(['seller'], 'eq', string('x'))],
  ['seller[notEqual]=x', not(comparison(['seller'], 'eq', string('x')))],
  ['total[gt]=1', comparison(['total'], 'gt', number(1))],
  ['total[gte]=1', comparison(['total'], 'gte', number(1))],
  ['total[lt]=1', comparison(['total'], 'lt', number(1))],
  ['total[lte]=1', comparison(['total'], 'lte', number(1))],
  ['total[range]=1,2', and(comparison(['total'], 'gte', number(1)), comparison(['total'], 'lte', number(2)))],
  ['total[range]=2,1', and(comparison(['total'], 'gte', number(2)), comparison(['total'], 'lte', number(1)))],
  ['status[in]=paid,held', membership(['status'], [string('paid'), string('held')])],
  ['status[in]=paid', membership(['status'], [string('paid')])],
  ['status[in]=paid,paid', membership(['status'], [string('paid'), string('paid')])],
  ['status[nin]=paid,held', not(membership(['status'], [string('paid'), string('held')]))],
  ['seller[startsWith]=a%25', match(['seller'], 'prefix', 'a%')],
  ['seller[endsWith]="a",b', match(['seller'], 'suffix', '"a",b')],
  ['seller[contains]=A', match(['seller'], 'substring', 'A')],
  ['seller[doesNotContain]=a', not(match(['seller'], 'substring', 'a'))],
  ['gift[exists]=true', presence(['gift'], 'boolean')],
  ['gift[exists]=false', not(presence(['gift'], 'boolean'))],
  ['status[exists]=true', presence(['status'], 'string')],
  ['customer[exists]=true', presence(['customer'], 'object')],

  // Every type.
  ['guests=-0', comparison(['guests'], 'eq', { type: 'integer', value: 0 })],
  ['guests=9007199254740991', comparison(['guests'], 'eq', { type: 'integer', value: 9007199254740991 })],
  ['total=-0', comparison(['total'], 'eq', number(0))],
  ['total=-0.0e5', comparison(['total'], 'eq', number(0))],
  ['total=1E2', comparison(['total'], 'eq', number(100))],
  ['total=12345678901234567890', comparison(['total'], 'eq', number(12345678901234567000))],
  ['total=1e-400', comparison(['total'], 'eq', number(0))],
  ['gift=false', comparison(['gift'], 'eq', { type: 'boolean', value: false })],
  ['seller=', comparison(['seller'], 'eq', string(''))],
  ['seller=%2B1+01234', comparison(['seller'], 'eq', string('+1 01234'))],
  ['arrival=2024-02-29', comparison(['arrival'], 'eq', date('2024-02-29'))],
  ['arrival=0001-01-01', comparison(['arrival'], 'eq', date('0001-01-01'))],
  ['paidAt=2024-01-01T00:00:00Z', comparison(['paidAt'], 'eq', day('2024-01-01'))],
  ['paidAt=2024-01-01t12:30:00.5%2B02:00', comparison(['paidAt'], 'eq', at('2024-01-01T10:30:00.500Z'))],
  ['paidAt=2024-01-01T00:00:00-23:59', comparison(['paidAt'], 'eq', at('2024-01-01T23:59:00.000Z'))],
  ['paidAt=0000-12-31T23:00:00-01:00', comparison(['paidAt'], 'eq', day('0001-01-01'))],
  ['paidAt=9999-12-31T23:59:59.999z', comparison(['paidAt'], 'eq', at('9999-12-31T23:59:59.999Z'))],

  // A day, given for a datetime, is all of it.
  ['paidAt=2024-02-28', and(from('paidAt', day('2024-02-28')), before('paidAt', day('2024-02-29')))],
  ['paidAt[notEqual]=2024-12-31', not(and(from('paidAt', day('2024-12-31')), before('paidAt', day('2025-01-01'))))],
  ['paidAt[gt]=2024-01-01', from('paidAt', day('2024-01-02'))],
  ['paidAt[gte]=2024-01-01', from('paidAt', day('2024-01-01'))],
  ['paidAt[lt]=2024-01-01', before('paidAt', day('2024-01-01'))],
  ['paidAt[lte]=2024-01-01', before('paidAt', day('2024-01-02'))],
  ['paidAt[range]=2024-01-01,2024-01-03', and(from('paidAt', day('2024-01-01')), before('paidAt', day('2024-01-04')))],
  [
    'paidAt[range]=2024-01-01,2024-01-03T00:00:00Z',
    and(from('paidAt', day('2024-01-01')), comparison(['paidAt'], 'lte', day('2024-01-03'))),
  ],
  ['paidAt[in]=2024-01-01', and(from('paidAt', day('2024-01-01')), before('paidAt', day('2024-01-02')))],
  [
    'paidAt[in]=2024-01-01T01:00:00Z,2024-01-02,2024-01-01T02:00:00Z,9999-12-31',
    or(
      membership(['paidAt'], [at('2024-01-01T01:00:00.000Z'), at('2024-01-01T02:00:00.000Z')]),
      and(from('paidAt', day('2024-01-02')), before('paidAt', day('2024-01-03'))),
      from('paidAt', day('9999-12-31')),
    ),
  ],
  // The last day has no next.
  ['paidAt=9999-12-31', from('paidAt', day('9999-12-31'))],
  ['paidAt[gt]=9999-12-31', membership(['paidAt'], [])],
  ['paidAt[lte]=9999-12-31', presence(['paidAt'], 'datetime')],
  ['paidAt[range]=2024-01-01,9999-12-31', from('paidAt', day('2024-01-01'))],
  ['paidAt[notEqual]=9999-12-31', not(from('paidAt', day('9999-12-31')))],

  // Lists.
  ['tags=sea', some(['tags'], comparison([], 'eq', string('sea')))],
  ['tags[notEqual]=sea', not(some(['tags'], comparison([], 'eq', string('sea'))))],
  ['tags[exists]=true', some(['tags'], presence([], 'string'))],
  ['items[exists]=false', not(some(['items'], presence([], 'object')))],
  [
    'items.arrival[gte]=2024-01-01&seller=x&items.price[notEqual]=1&items.arrival[lte]=2024-01-03&items.product=p',
    and(
      some(
        ['items'],
        and(
          comparison(['arrival'], 'gte', date('2024-01-01')),
          comparison(['arrival'], 'lte', date('2024-01-03')),
          comparison(['product'], 'eq', string('p')),
        ),
      ),
      comparison(['seller'], 'eq', string('x')),
      not(some(['items'], comparison(['price'], 'eq', number(1)))),
    ),
  ],
  [
    'items.arrival[range]=2024-01-01,2024-01-03',
    some(
      ['items'],
      and(comparison(['arrival'], 'gte', date('2024-01-01')), comparison(['arrival'], 'lte', date('2024-01-03'))),
    ),
  ],
]

test.each(table)('%s', (text, filter) => {
  const result = parseFilter(orders, text)
  expect(result.ok && strip(result.filter)).toEqual(strip(filter))
})

test('a second copy of the library, such as that of the other format, reads the same', async () => {
  vi.resetModules()
  const copy = await import('../../src/index.ts')
  for (const [text, filter] of table) expect(strip(copy.parseFilterOrThrow(orders, text)), text).toEqual(strip(filter))
  expect(() => copy.parseFilterOrThrow(orders, 'nope=1')).toThrow(FilterError)
})

describe('a key, however it is spelt', () => {
  test.each(['gte', '%67te'])('with the operator %s, is the same field', (operator) => {
    for (const [open, close] of ['[]', ['%5B', '%5D'], ['%5b', '%5d'], ['[', '%5D'], ['%5B', ']']] as const) {
      for (const path of ['total', '%74otal', 'tota%6C']) {
        expect(strip(parseFilterOrThrow(orders, `${path}${open}${operator}${close}=1`))).toEqual(
          comparison(['total'], 'gte', number(1)),
        )
      }
    }
  })

  test('with signs of the encoding in its name, is read as it is decoded', () => {
    const names = ['a', 'a b', 'a+b', 'a%5Bgt%5D', 'a%62', 'ab', 'ä']
    const schema = defineSchema(Object.fromEntries(names.map((name) => [name, field.integer()])))
    const nameIn = (key: string) => {
      const filter = parseFilterOrThrow(schema, `${key}=1`)
      return filter.kind === 'comparison' ? [filter.path[0], filter.operator] : filter
    }
    expect(nameIn('a+b')).toEqual(['a b', 'eq'])
    expect(nameIn('a b')).toEqual(['a b', 'eq'])
    expect(nameIn('a%2Bb[gt]')).toEqual(['a+b', 'gt'])
    expect(nameIn('a%5Bgt%5D')).toEqual(['a', 'gt'])
    expect(nameIn('a%255Bgt%255D')).toEqual(['a%5Bgt%5D', 'eq'])
    expect(nameIn('a%62')).toEqual(['ab', 'eq'])
    expect(nameIn('a%2562')).toEqual(['a%62', 'eq'])
    expect(nameIn('%C3%A4')).toEqual(['ä', 'eq'])
    expect(nameIn('ä')).toEqual(['ä', 'eq'])
    for (const name of names) {
      expect(nameIn(encodeURIComponent(name))).toEqual([name, 'eq'])
      expect(nameIn(new URLSearchParams([[`${name}[lt]`, '']]).toString().slice(0, -1))).toEqual([name, 'lt'])
    }
  })
})

describe('literals that are shared', () => {
  const operandOf = (text: string) => {
    const filter = parseFilterOrThrow(orders, text)
    return filter.kind === 'comparison' ? filter.operand : undefined
  }
  test('are those of equal values only', () => {
    const numbers = [0, 1, 1.5, -1, -1.5, 1_024, 2 ** 30, 2 ** 30 - 1, 2 ** 31, 2 ** 32, 2 ** 32 + 1, -(2 ** 32) - 1]
    for (const value of [...numbers, ...numbers.toReversed()]) {
      expect(operandOf(`total=${value}`)).toEqual({ type: 'number', value })
      if (Number.isInteger(value)) expect(operandOf(`guests=${value}`)).toEqual({ type: 'integer', value })
    }
    for (const value of ['2024-01-02', '2025-01-01', '2024-02-01', '2024-01-31', '2023-12-31', '2024-01-02'])
      expect(operandOf(`arrival=${value}`)).toEqual({ type: 'date', value })
  })
  test('are found where they were read before', () => {
    for (const text of ['total=0', 'total=7', 'guests=0', 'guests=7', 'arrival=2024-01-31'])
      expect(operandOf(text)).toBe(operandOf(text))
  })
})

test('lists inside lists: the rule applies again, a complement goes in on its own', () => {
  const schema = defineSchema({
    a: field.object({
      list: field.list(field.object({ x: field.integer(), inner: field.list(field.object({ y: field.integer() })) })),
    }),
  })
  const integer = (value: number): Literal => ({ type: 'integer', value })
  const y = (operator: 'gt' | 'lt', value: number) => comparison(['y'], operator, integer(value))
  const result = parseFilterOrThrow(
    schema,
    'a.list.inner.y[gt]=1&a.list.x=2&a.list.inner.y[lt]=3&a.list.inner.y[notEqual]=4',
  )
  expect(strip(result)).toEqual(
    strip(
      and(
        some(['a', 'list'], and(some(['inner'], and(y('gt', 1), y('lt', 3))), comparison(['x'], 'eq', integer(2)))),
        not(some(['a', 'list'], some(['inner'], comparison(['y'], 'eq', integer(4))))),
      ),
    ),
  )
})

test('a range is the same tree as its two bounds', () => {
  const tree = (text: string) => parseFilterOrThrow(orders, text)
  for (const [path, low, high] of [
    ['total', '1', '5'],
    ['items.price', '1', '5'],
    ['paidAt', '2024-01-01', '2024-01-05'],
  ]) {
    const range = tree(`seller=x&${path}[range]=${low},${high}&gift=true`)
    expect(sameFilter(range, tree(`seller=x&${path}[gte]=${low}&${path}[lte]=${high}&gift=true`)), path).toBe(true)
  }
})

describe('spans', () => {
  const text = 'seller=x&items.price=1&gift[notEqual]=true&items.product=p&total[range]=1,2'
  const under = ({ span }: Filter) => span && text.slice(span.start, span.end)
  const filter = parseFilterOrThrow(orders, text)

  test('a condition has its pair, a group all from its first pair to its last', () => {
    if (filter.kind !== 'and') throw new Error('an and')
    expect(under(filter)).toBe(text)
    expect(filter.filters.map(under)).toEqual([
      'seller=x',
      'items.price=1&gift[notEqual]=true&items.product=p',
      'gift[notEqual]=true',
      'total[range]=1,2',
      'total[range]=1,2',
    ])
  })
  test('a part that was not read has none', () => {
    expect(parseFilterOrThrow(orders, '')).toEqual({ kind: 'and', filters: [] })
  })
  test('they are exact in texts of any length', () => {
    // A short one, and the long ones that a number of 14 bits for the end would take for it.
    expect(parseFilterOrThrow(orders, '?seller=x').span).toEqual({ start: 1, end: 9 })
    for (const end of [2 ** 14 - 1, 2 ** 14, 2 ** 14 + 1, 2 ** 14 + 9, 2 ** 15 + 9]) {
      const query = `seller=${'x'.repeat(end - 'seller='.length)}`
      const limits = { length: Infinity, operand: Infinity }
      expect(parseFilterOrThrow(orders, query, { limits }).span).toEqual({ start: 0, end })
    }
  })
  test('they count in the text as it was given', () => {
    expect(parseFilterOrThrow(orders, '?seller=x').span).toEqual({ start: 1, end: 9 })
    expect(parseFilterOrThrow(orders, new URL('http://h/p?seller=x')).span).toEqual({ start: 1, end: 9 })
    expect(parseFilterOrThrow(orders, new URLSearchParams('?seller=x')).span).toEqual({ start: 0, end: 8 })
  })
})

describe('parseFilter', () => {
  test('reads strings, URLs and parameters alike', () => {
    const query = 'customerName[startsWith]=J%C3%B6&status[in]=paid,held'
    const expected = parseFilterOrThrow(orders, query)
    for (const text of [`?${query}`, new URL(`https://host/path?${query}#fragment`), new URLSearchParams(query)]) {
      expect(sameFilter(parseFilterOrThrow(orders, text), expected)).toBe(true)
    }
  })

  test('a fault that a URL changed is still reported', () => {
    const result = parseFilter(orders, new URL('https://host/?seller=%zz'))
    expect(result.ok || result.issues[0].code).toBe('syntax_encoding')
  })

  test('reserved values come with a good result and with a bad one', () => {
    const options = { reserved: ['apiKey', 'page[size]'] }
    for (const text of ['apiKey=k&page[size]=5&seller=x&apiKey=l', 'apiKey=k&nope=1&page%5Bsize%5D=5&apiKey=l']) {
      const { reserved } = parseFilter(orders, text, options)
      expect(Object.fromEntries(reserved)).toEqual({ apiKey: ['k', 'l'], 'page[size]': ['5'] })
    }
  })

  test('are also read alone, from any text', () => {
    const options = { reserved: ['apiKey', 'page[size]'] }
    const read = (text: string) => readReserved(text, options)
    for (const text of [
      'apiKey=k&page[size]=5&seller=x&apiKey=l',
      '?apiKey=k&nope=1&page%5Bsize%5D=5&apiKey=l',
      'apiKey=k&&a[b][c]=1&%zz&page[size]=5&%61piKey=l',
      `apiKey=k&page[size]=5&apiKey=l${'&a'.repeat(200)}`,
    ]) {
      const result = read(text)
      expect(result.ok).toBe(true)
      expect(Object.fromEntries(result.reserved)).toEqual({ apiKey: ['k', 'l'], 'page[size]': ['5'] })
      expect(result.reserved).toEqual(parseFilter(orders, text, options).reserved)
    }
    expect(read('')).toEqual({ ok: true, reserved: new Map() })
    expect(read('apiKey=%zz')).toEqual({ ok: true, reserved: new Map() })
    const long = `apiKey=k&seller=${'x'.repeat(16_384)}`
    expect(read(long)).toEqual(parseFilter(orders, long, options))
    expect(read(long)).toMatchObject({ ok: false, issues: [{ code: 'limit_length' }], reserved: new Map() })
    expect(() => readReserved('', { reserve: ['apiKey'] } as never)).toThrow(/did you mean reserved/)
    expect(() => readReserved('', { reserved: 'apiKey' } as never)).toThrow(/reserved must be/)
    expect(() => readReserved(5 as never, options)).toThrow(/text must be/)
  })

  test('a wrong program is a TypeError that names the argument', () => {
    const call =
      (...args: unknown[]) =>
      () =>
        (parseFilter as (...args: unknown[]) => unknown)(...args)
    expect(call({}, '')).toThrow(new TypeError('schema must be made by defineSchema'))
    expect(call(undefined, '')).toThrow(/schema/)
    expect(call(orders, undefined)).toThrow(
      new TypeError(
        'text must be a query string, a URL or a URLSearchParams, not the object that a framework makes of it',
      ),
    )
    expect(call(orders, { search: '' })).toThrow(/text/)
    expect(call(orders, '', { reserve: ['apiKey'] })).toThrow(
      new TypeError(
        'options.reserve is unknown; did you mean reserved? (available: reserved, limits, timeZone, now, groups)',
      ),
    )
    expect(call(orders, '', null)).toThrow(new TypeError('options must be an object'))
    expect(call(orders, '', ['apiKey'])).toThrow(new TypeError('options must be an object'))
    expect(call(orders, '', { limits: null })).toThrow(new TypeError('limits must be an object'))
    expect(call(orders, '', { limits: 5 })).toThrow(/limits must be/)
    expect(call(orders, '', { reserved: 'apiKey' })).toThrow(/reserved/)
    expect(call(orders, '', { reserved: [''] })).toThrow(/reserved/)
    expect(call(orders, '', { reserved: ['apiKey', 5] })).toThrow(
      new TypeError('options.reserved must be an array of non-empty strings'),
    )
    for (const name of ['seller', 'customer', 'customer.name', 'items', 'items.price', 'total[gte]', 'total[x]']) {
      expect(call(orders, '', { reserved: ['apiKey', name] })).toThrow(
        new TypeError(`reserved name ${name} is a field of the schema`),
      )
    }
    expect(call(orders, '', { reserved: ['price', 'arrival.x', 'page[size]', '[gte]'] })).not.toThrow()
    expect(call(orders, '', { limits: { lenght: 1 } })).toThrow(/limits\.lenght/)
    expect(call(orders, '', { limits: { list: -1 } })).toThrow(
      new TypeError('limits.list must be a whole number of at least 0, or Infinity'),
    )
    expect(call(orders, '', { limits: { list: 0 } })).not.toThrow()
    expect(call(orders, '', { limits: { list: 1.5 } })).toThrow(/limits\.list/)
    expect(call(orders, '', { limits: { list: NaN } })).toThrow(/limits\.list/)
    expect(call(orders, '', { limits: { list: '9' } })).toThrow(/limits\.list/)
    expect(call(orders, '', { limits: { issues: 0 } })).toThrow(
      new TypeError('limits.issues must be a whole number of at least 1, or Infinity'),
    )
    expect(call(orders, '', { limits: { list: undefined } })).not.toThrow()
  })

  test('parseFilterOrThrow throws all issues', () => {
    try {
      parseFilterOrThrow(orders, 'nope=1&gift=x')
      throw new Error('did not throw')
    } catch (error) {
      expect(error).toBeInstanceOf(FilterError)
      expect(error).toBeInstanceOf(Error)
      expect((error as FilterError).name).toBe('FilterError')
      expect((error as FilterError).issues.map(({ code }) => code)).toEqual(['field_unknown', 'operand_invalid'])
      expect((error as FilterError).message).toBe('unknown field "nope" (and 1 more)')
    }
  })
})

describe('a field of times of day', () => {
  const shops = defineSchema({ opens: field.time() })
  const time = (value: string): Literal => ({ type: 'time', value })
  test.each<[string, Filter]>([
    ['opens=09:30', comparison(['opens'], 'eq', time('09:30:00'))],
    ['opens[gt]=09:30:00.50', comparison(['opens'], 'gt', time('09:30:00.5'))],
    ['opens[in]=00:00,23:59:59.999999', membership(['opens'], [time('00:00:00'), time('23:59:59.999999')])],
    ['opens[exists]=true', presence(['opens'], 'time')],
  ])('%s', (text, filter) => expect(strip(parseFilterOrThrow(shops, text))).toEqual(filter))

  test.each(['24:00', '9:30', '09:30Z', 'now', 'today', '2024-01-31T09:30:00Z', '09:30:00.1234567', ''])(
    'refuses %j',
    (text) => {
      const result = parseFilter(shops, `opens=${text}`)
      expect(result).toMatchObject({ ok: false, issues: [{ code: 'operand_invalid' }] })
      if (!result.ok) expect(result.issues[0].message).toContain('a time of day without a zone, such as 09:30')
    },
  )

  test('an operator of texts does not apply', () =>
    expect(parseFilter(shops, 'opens[startsWith]=09')).toMatchObject({ issues: [{ code: 'operator_not_applicable' }] }))
})
