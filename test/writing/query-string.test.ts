/** The texts of `queryString` read as the queries that `where` and `buildQuery` build of the same parts; wrong parts are refused. */
import { describe, expect, test, vi } from 'vitest'
import { and, defineCollection, defineSchema, field, parseQueryOrThrow, queryString } from '../../src/index.ts'
import type { Filter } from '../../src/index.ts'
import { operators, sameFilter, type OperatorName, type ResolvedField } from '../../src/tree.ts'
import { type collection, type Parts, names, written, filterOf, o, uuid } from './query-string.fixture.ts'

test('the parts are written in one order', () => {
  const parts: Parts = {
    ...{ cursor: 'abc', count: true, fields: ['id', 'customer.name'], offset: 40, limit: 20 },
    sort: ['-total', 'customerName'],
    filter: {
      'status[in]': ['paid', 'held'],
      'total[gte]': 100,
      customerName: 'Ana',
      'arrival[range]': ['2024-06-01', '2024-06-30'],
      'items.product[contains]': 'surf',
      'seller[exists]': false,
    },
  }
  expect(written(parts)).toBe(
    'status[in]=paid,held&total[gte]=100&customerName=Ana&arrival[range]=2024-06-01,2024-06-30' +
      '&items.product[contains]=surf&seller[exists]=false' +
      '&order=-total,customerName&limit=20&offset=40&fields=id,customer.name&count=true&cursor=abc',
  )
})

const texts: [parts: Parts, text: string][] = [
  [{}, ''],
  [{ filter: {} }, ''],
  // Without it, rows are not counted; and most collections refuse it.
  [{ count: false }, ''],
  // The first page has no cursor.
  [{ cursor: undefined }, ''],
  [{ limit: 1, offset: 0 }, 'limit=1&offset=0'],
  [{ cursor: 'a&b' }, 'cursor=a%26b'],
  [{ filter: { 'seller[equals]': 'a' } }, 'seller[equals]=a'],
  [{ filter: { 'tags[exists]': true, 'items[exists]': false } }, 'tags[exists]=true&items[exists]=false'],
  // The parameter has another name here.
  [{ filter: { sort: 'x' } }, 'sort=x'],
]
test.each(texts)('%j is %j', (parts, text) => expect(written(parts)).toBe(text))

test('a second copy of the library, such as that of the other format, writes the same', async () => {
  vi.resetModules()
  const copy = (await import('../../src/index.ts')).queryString as typeof loose
  for (const [parts, text] of texts) expect(copy(parts, names)).toBe(text)
  expect(copy({ filter: { 'seller[in]': ['a,b', 'c/d:e@f g'] }, sort: ['-total'] })).toBe(
    'seller[in]=%22a,b%22,c/d:e@f+g&sort=-total',
  )
  for (const [parts, message] of wrong) expect(() => copy(parts)).toThrow(new TypeError(message))
})
test('an object without a prototype is plain', () => {
  expect(written({ filter: Object.assign(Object.create(null) as object, { seller: 'x' }) })).toBe('seller=x')
})
test('parameters have the names that are given, encoded', () => {
  const given = { limit: 'page[size]', fields: 'a&b', sort: 'order' }
  expect(queryString<typeof collection>({ limit: 5, fields: ['id'], filter: { sort: 'x' } }, given)).toBe(
    'sort=x&page%5Bsize%5D=5&a%26b=id',
  )
})
test('paths are encoded in keys, and quoted in lists where they have a comma', () => {
  const odd = defineCollection(defineSchema({ id: field.integer(), 'a, "b"&=%+ é': field.string() }), {
    key: 'id',
    sort: true,
    fields: true,
  })
  const path = 'a, "b"&=%+ é'
  const text = queryString<typeof odd>({ filter: { [`${path}[in]`]: ['x'] }, sort: [`-${path}`], fields: [path] })
  expect(text).toBe(
    'a%2C%20%22b%22%26%3D%25%2B%20%C3%A9[in]=x&sort=%22-a,+%5C%22b%5C%22%26%3D%25%2B+%C3%A9%22' +
      '&fields=%22a,+%5C%22b%5C%22%26%3D%25%2B+%C3%A9%22',
  )
  const { filter, sort, fields } = parseQueryOrThrow(odd, text)
  expect(filter).toMatchObject({ kind: 'membership', path: [path] })
  expect(sort[0]).toMatchObject({ path: [path], direction: 'descending' })
  expect(fields).toEqual([[path]])
})

// --- Operands

type Scalar = Exclude<ResolvedField['type'], 'object' | 'record' | 'json'>
/** A field of each type, and two operands with their texts. */
const ofType: {
  readonly [T in Scalar]: readonly [path: string, a: unknown, aText: string, b: unknown, bText: string]
} = {
  string: ['seller', 'a b', 'a+b', 'ü', '%C3%BC'],
  enumeration: ['status', 'paid', 'paid', 'new', 'new'],
  uuid: ['uuid', 'AA000000-0000-4000-8000-000000000001', 'AA000000-0000-4000-8000-000000000001', uuid, uuid],
  bigint: ['big', 9007199254740993n, '9007199254740993', -5, '-5'],
  decimal: ['money', '1.10', '1.10', 12.5, '12.5'],
  integer: ['guests', -2, '-2', Number.MAX_SAFE_INTEGER, '9007199254740991'],
  number: ['total', -1.5, '-1.5', 1e21, '1e%2B21'],
  boolean: ['gift', true, 'true', false, 'false'],
  date: ['arrival', '2024-02-29', '2024-02-29', '9999-12-31', '9999-12-31'],
  datetime: [
    'paidAt',
    '2024-02-29T12:00:00+02:00',
    '2024-02-29T12:00:00%2B02:00',
    new Date(1),
    '1970-01-01T00:00:00.001Z',
  ],
  time: ['opens', '09:30', '09:30', '23:59:59.5', '23:59:59.5'],
}
/** The operators that do not take one operand of the field's type. */
const ofOperator: Partial<Record<OperatorName, 'range' | 'list' | 'flag'>> = {
  ...{ range: 'range', in: 'list', nin: 'list', exists: 'flag' },
}
const cells = Object.values(operators).flatMap(({ name, types, fields }) =>
  types.flatMap((type) =>
    type === 'object' || type === 'record' || type === 'json' || fields !== 'anywhere' ? [] : [[name, type] as const],
  ),
)
test.each(cells)('%s of %s', (name, type) => {
  const [path, a, aText, b, bText] = ofType[type]
  const form = ofOperator[name] ?? 'one'
  const forms = {
    one: [a, aText, b, bText],
    range: [[a, b], `${aText},${bText}`, [b, a], `${bText},${aText}`],
    list: [[a, b], `${aText},${bText}`, [b], bText],
    flag: [true, 'true', false, 'false'],
  } as const
  const [first, firstText, second, secondText] = forms[form]
  const both: readonly (readonly [unknown, string])[] = [
    [first, firstText],
    [second, secondText],
  ]
  for (const [value, text] of both) {
    const query = written({ filter: { [`${path}[${name}]`]: value } })
    expect(query).toBe(`${path}[${name}]=${text}`)
    const built = (o as unknown as Record<string, (...args: unknown[]) => Filter>)[name]!(
      path,
      ...(form === 'range' ? (value as unknown[]) : [value]),
    )
    expect(sameFilter(filterOf(query), built)).toBe(true)
  }
})

test.each([
  ['a&b', 'a%26b', 'a%26b'],
  ['a=b', 'a%3Db', 'a%3Db'],
  ['a,b', 'a,b', '%22a,b%22'],
  ['"a"', '%22a%22', '%22%5C%22a%5C%22%22'],
  ['a"', 'a%22', 'a%22'],
  ['\\', '%5C', '%5C'],
  ['\\,"', '%5C,%22', '%22%5C%5C,%5C%22%22'],
  ['%', '%25', '%25'],
  ['%26', '%2526', '%2526'],
  ['+', '%2B', '%2B'],
  ['(a)', '(a)', '(a)'],
  ['[a]', '%5Ba%5D', '%5Ba%5D'],
  ['#', '%23', '%23'],
  ['?/:@;', '%3F/:@%3B', '%3F/:@%3B'],
  ['é', '%C3%A9', '%C3%A9'],
  ['😀', '%F0%9F%98%80', '%F0%9F%98%80'],
  [' a ', '+a+', '+a+'],
  ['\t\n', '%09%0A', '%09%0A'],
  ['', '', '%22%22'],
  ['null', 'null', 'null'],
])('the text %j is %s, and %s in a list', (text, alone, item) => {
  const query = written({
    filter: { seller: text, 'seller[contains]': text, 'seller[nin]': ['x', text], 'tags[in]': [text] },
  })
  expect(query).toBe(`seller=${alone}&seller[contains]=${alone}&seller[nin]=x,${item}&tags[in]=${item}`)
  const built = and(
    o.equals('seller', text),
    o.contains('seller', text),
    o.nin('seller', ['x', text]),
    o.some('tags', (tag) => tag.in([text])),
  )
  expect(sameFilter(filterOf(query), built)).toBe(true)
})

test.each([
  [-0, '0'],
  [1e21, '1e%2B21'],
  [1e-7, '1e-7'],
  [5e-324, '5e-324'],
  [Number.MAX_VALUE, '1.7976931348623157e%2B308'],
  [0.1 + 0.2, '0.30000000000000004'],
])('the number %d is %s', (number, text) => {
  const query = written({ filter: { 'total[in]': [number] } })
  expect(query).toBe(`total[in]=${text}`)
  expect(filterOf(query)).toMatchObject({ operands: [{ type: 'number', value: number + 0 }] })
})

// --- What is wrong

/** As a program calls it that the compiler has not checked. */
const loose = queryString as (parts?: unknown, parameters?: unknown) => string
const lone = 'text without U+0000 and lone surrogates'
const operand = 'text, a finite number, a bigint, a boolean or a Date of the years 0001 to 9999'
const wrongs = (part: string, expected: string, values: readonly unknown[]) =>
  values.map((value): [unknown, string] => [{ [part]: value }, `${part} must be ${expected}`])
const available = '(available: filter, sort, limit, offset, fields, count, search, facets, timeZone, cursor)'

const wrong: [parts: unknown, message: string][] = [
  ...[undefined, null, [], 'limit=5', new Map([['limit', 5]])].map((parts): [unknown, string] => [
    parts,
    'parts must be a plain object',
  ]),
  [{ limt: 5 }, `parts.limt is unknown ${available}`],
  [{ position: 5 }, `parts.position is unknown ${available}`],
  [{ or: [] }, `parts.or is unknown ${available}`],
  ...wrongs('filter', 'a plain object', [undefined, null, [], 'status=paid', new Map([['status', 'paid']])]),
  ...wrongs('filter', 'a plain object', [new URLSearchParams('status=paid'), Object.create({ status: 'paid' })]),
  ...wrongs('sort', 'a list of at least one item', [undefined, 'total', []]),
  [{ sort: ['id', 5] }, `sort[1] must be ${lone}`],
  [{ sort: new Array(1) }, `sort[0] must be ${lone}`],
  [{ sort: ['a\0'] }, `sort[0] must be ${lone}`],
  ...wrongs('fields', 'a list of at least one item', [undefined, []]),
  [{ fields: [true] }, `fields[0] must be ${lone}`],
  ...wrongs('limit', 'a whole number of at least 1', [undefined, null, '5', 0, 1.5, NaN, 2 ** 53]),
  ...wrongs('offset', 'a whole number of at least 0', [undefined, -1, Infinity]),
  ...wrongs('count', 'true or false', [undefined, 'true']),
  ...wrongs('cursor', lone, [null, 5, '\ud800']),
]
describe('a wrong part is a TypeError that names it', () => {
  test.each(wrong)('%j', (parts, message) => expect(() => loose(parts)).toThrow(new TypeError(message)))

  test.each<[unknown, string]>([
    [undefined, operand],
    [null, operand],
    [NaN, operand],
    [-Infinity, operand],
    [Symbol('x'), operand],
    [() => 'x', operand],
    [{ gte: 5 }, operand],
    [/x/, operand],
    [new String('x'), operand],
    [new Date(NaN), operand],
    [new Date('+010000-01-01T00:00:00Z'), operand],
    [new Date('0000-12-31T23:59:59.999Z'), operand],
    ['a\0', lone],
    ['\ud800', lone],
    ['a\udfff', lone],
  ])('the operand %s', (value, expected) => {
    expect(() => loose({ filter: { seller: value } })).toThrow(new TypeError(`filter['seller'] must be ${expected}`))
    const inList = { filter: { id: 1, 'seller[in]': ['x', value] } }
    expect(() => loose(inList)).toThrow(new TypeError(`filter['seller[in]'][1] must be ${expected}`))
  })
  test.each([[[]], [new Array(2)], [[['a']]]])('the list %j', (list) => {
    const message =
      list.length === 0
        ? `filter['a[in]'] must be a list of at least one item`
        : `filter['a[in]'][0] must be ${operand}`
    expect(() => loose({ filter: { 'a[in]': list } })).toThrow(new TypeError(message))
  })
  test.each(['a\0', '\ud800[in]'])('the key %j', (key) => {
    expect(() => loose({ filter: { [key]: 'x' } })).toThrow(new TypeError(`filter['${key}'] must be ${lone}`))
  })

  test.each(['sort', 'limit', 'cursor', 'offset', 'fields', 'count', 'and', 'or', 'not'])(
    'the key %s, which is a parameter',
    (name) => {
      const message = `filter['${name}'] is a parameter: for a field of that name, write ${name}[equals]`
      expect(() => loose({ filter: { [name]: 'x' } })).toThrow(new TypeError(message))
      expect(loose({ filter: { [`${name}[equals]`]: 'x' } })).toBe(`${name}[equals]=x`)
      // Under another name.
      expect(loose({ filter: { [name]: 'x' } }, { [name]: 'other' })).toBe(`${name}=x`)
      expect(() => loose({ filter: { other: 'x' } }, { [name]: 'other' })).toThrow("filter['other'] is a parameter")
    },
  )
  test('a field that has the name of a parameter', () => {
    const counted = defineCollection(defineSchema({ id: field.integer(), count: field.integer() }), { key: 'id' })
    const text = queryString<typeof counted>({ filter: { 'count[equals]': 5 } })
    expect(parseQueryOrThrow(counted, text).filter).toMatchObject({ path: ['count'], operator: 'eq' })
  })

  test.each<[unknown, string]>([
    [null, 'parameters must be a plain object'],
    ['sort', 'parameters must be a plain object'],
    [
      { srt: 'order' },
      'parameters.srt is unknown (available: sort, limit, offset, fields, count, search, facets, timeZone, cursor, and, or, not)',
    ],
    [{ sort: 5 }, `parameters.sort must be ${lone}`],
    [{ sort: '\0' }, `parameters.sort must be ${lone}`],
  ])('the parameters %j', (parameters, message) => {
    expect(() => loose({}, parameters)).toThrow(new TypeError(message))
  })
})
