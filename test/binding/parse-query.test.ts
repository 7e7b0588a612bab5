/** What each parameter takes, and every fault of one: code, place, words. */
import { describe, expect, test, vi } from 'vitest'
import { memoryBackend } from '../../src/backends/memory/index.ts'
import { mongoBackend } from '../../src/backends/mongo/index.ts'
import { sqlBackend, sqlite, table } from '../../src/backends/sql/index.ts'
import {
  and,
  defineCollection,
  defineSchema,
  field,
  FilterError,
  parseQuery,
  parseQueryOrThrow,
  toPage,
  type CollectionOptions,
} from '../../src/index.ts'
import { issuesIn } from '../issues.ts'
import { casesIn } from '../rows.ts'

const schema = defineSchema({
  id: field.integer(),
  seller: field.string(),
  arrival: field.date(),
  total: field.number(),
  customerName: field.string(),
  customer: field.object({ name: field.string() }),
  items: field.list(field.object({ price: field.number() })),
})
const options: CollectionOptions = {
  key: 'id',
  sort: ['arrival', 'total', 'customer.name'],
  defaultSort: '-arrival',
  offset: { max: 100 },
  fields: true,
  count: true,
  operators: { customerName: ['equals', 'startsWith'] },
}
const collection = defineCollection(schema, options)
const read = (text: string) => parseQueryOrThrow(collection, text)
const orderOf = (text: string) =>
  read(text).sort.map(({ path, direction }) => (direction === 'ascending' ? '' : '-') + path.join('.'))

test('the filter is that of the other pairs; reserved values are read beside it', () => {
  const text = 'limit=5&seller=s-1&apiKey=k&sort=total&total[gte]=3'
  const result = parseQuery(collection, text, { reserved: ['apiKey'] })
  expect(result).toMatchObject({ ok: true, reserved: new Map([['apiKey', ['k']]]) })
  expect(result.ok && result.query.filter).toMatchObject({
    kind: 'and',
    filters: [
      { operator: 'eq', span: { start: 8, end: 18 } },
      { operator: 'gte', span: { start: 39, end: 51 } },
    ],
  })
})
test('an empty text is the first page of everything, in the default order', () => {
  expect(parseQuery(collection, '')).toStrictEqual({
    ok: true,
    deprecated: [],
    query: {
      filter: and(),
      asked: [],
      sort: [
        { path: ['arrival'], type: 'date', direction: 'descending' },
        { path: ['id'], type: 'integer', direction: 'descending', required: true },
      ],
      limit: 20,
      count: false,
    },
    reserved: new Map(),
  })
})
test('a query is frozen, and survives JSON', () => {
  const query = read('sort=total&limit=3&fields=items.price&seller=a')
  expect([query, query.sort, query.sort[0], query.fields].every(Object.isFrozen)).toBe(true)
  expect(JSON.parse(JSON.stringify(query))).toEqual(query)
})

describe('sort', () => {
  test.each([
    ['sort=total', ['total', 'id']],
    ['sort=-total', ['-total', '-id']],
    ['sort=%2Dtotal', ['-total', '-id']],
    ['sort=total,-arrival', ['total', '-arrival', '-id']],
    ['sort=total%2C-arrival', ['total', '-arrival', '-id']],
    ['sort=-id', ['-id']],
    ['sort=-id,total', ['-id', 'total']],
    ['sort=customer.name', ['customer.name', 'id']],
    ['limit=1', ['-arrival', '-id']],
  ])('%s', (text, order) => expect(orderOf(text)).toEqual(order))
  test.each([
    ['sort=-total,arrival', 11],
    ['sort=%2Dtotal,arrival', 13],
    ['sort="-total",arrival', 13],
  ])('has the span of each item: %s', (text, end) => {
    expect(read(text).sort.map(({ span }) => span)).toEqual([
      { start: 5, end },
      { start: end + 1, end: end + 8 },
      undefined,
    ])
  })
})

test('a property of Object.prototype does not become a parameter', () => {
  const parameter = { parameter: 'limit', key: { start: 0, end: 5 }, value: { start: 6, end: 7 } }
  const expected = parseQuery(collection, 'total[gt]=1')
  for (const name of ['sort', 'limit', 'cursor', 'offset', 'fields', 'count']) {
    Object.defineProperty(Object.prototype, name, { value: parameter, configurable: true, writable: true })
    try {
      expect(parseQuery(collection, 'total[gt]=1')).toEqual(expected)
    } finally {
      Reflect.deleteProperty(Object.prototype, name)
    }
  }
})

test('limit, offset, count and fields', () => {
  expect(read('limit=100&offset=100&count=true&fields=id,customer,items.price')).toMatchObject({
    limit: 100,
    offset: 100,
    count: true,
    fields: [['id'], ['customer'], ['items', 'price']],
  })
})
test('a cursor is the position of the page that it came with', () => {
  const query = read('sort=total&limit=1&seller=s')
  const { next } = toPage(query, [
    { id: 3, total: 1.5 },
    { id: 4, total: 2 },
  ])
  expect(read(`sort=total&limit=1&cursor=${next}`).position).toEqual({
    toward: 'next',
    values: [
      { type: 'number', value: 1.5 },
      { type: 'integer', value: 3 },
    ],
  })
  expect(parseQuery(collection, `sort=-total&cursor=${next}`)).toMatchObject({
    ok: false,
    issues: [{ code: 'parameter_invalid' }],
  })
})
test('the limit of operands does not bind a cursor', () => {
  const long = 'x'.repeat(2_000)
  const query = read('sort=customer.name&limit=1')
  const { next } = toPage(query, [{ id: 1, customer: { name: long } }, { id: 2 }])
  expect(read(`sort=customer.name&cursor=${next}`).position?.values[0]?.value).toBe(long)
})

const faulty = casesIn(new URL('parameters.txt', import.meta.url), 'faults')
function told(text: string, faults: readonly string[][], parse = parseQuery) {
  return issuesIn(parse(collection, text)).map(({ code, span, message, hint }, at) => [
    code,
    text.slice(span!.start, span!.end),
    message,
    ...(faults[at]?.[3] === undefined ? [] : [hint]),
  ])
}
test.each(faulty)('$text', ({ text, expected, place }) => expect(told(text, expected), place).toEqual(expected))
test('a second copy of the library, such as that of the other format, gives the same issues', async () => {
  vi.resetModules()
  const copy = await import('../../src/index.ts')
  for (const { text, expected, place } of faulty) expect(told(text, expected, copy.parseQuery), place).toEqual(expected)
})

test('offset and cursor together: the fault is at the later one', () => {
  const { next } = toPage(read('limit=1'), [{ id: 1 }, { id: 2 }])
  for (const text of [`cursor=${next}&offset=3`, `offset=3&cursor=${next}`]) {
    expect(issuesIn(parseQuery(collection, text))).toEqual([
      {
        code: 'parameter_invalid',
        fault: 'client',
        message: 'cursor and offset cannot be used together',
        parameters: {
          parameter: text.includes('=3&') ? 'cursor' : 'offset',
          expected: { kind: 'one_of', parameters: ['cursor', 'offset'] },
          advice: [],
        },
        span: { start: text.lastIndexOf('=') + 1, end: text.length },
      },
    ])
  }
})
test('a parameter that is not allowed is an unknown field, and the hint lists the allowed ones', () => {
  const bare = defineCollection(schema, { key: 'id', parameters: { limit: 'page[size]' } })
  const next = 'write page[size]=…; each page has the cursor of the next page'
  for (const [name, hint] of [
    ['offset', `there is no offset: ${next}`],
    ['limit', 'write page[size]=…'],
    ['count', 'the parameters are sort, page[size], cursor'],
    ['fields', 'the parameters are sort, page[size], cursor'],
    ['page', `there are no page numbers: ${next}`],
  ]) {
    expect(issuesIn(parseQuery(bare, `${name}=1`))).toMatchObject([{ code: 'field_unknown', hint }])
  }
  expect(parseQueryOrThrow(bare, 'page%5Bsize%5D=7').limit).toBe(7)
})
test('the hint for a second list has the parameter’s other name, and a second number has no hint', () => {
  const renamed = defineCollection(schema, { key: 'id', fields: true, parameters: { sort: 'order', fields: 'select' } })
  const hintOf = (text: string) => {
    const result = parseQuery(renamed, text)
    return result.ok ? 'no issue' : result.issues[0].hint
  }
  expect(hintOf('select=id&select=total')).toBe('join the paths with commas: select=…,…')
  expect(hintOf('order=id&order=total')).toBe('join the paths with commas: order=…,…')
  expect(hintOf('limit=1&limit=2')).toBeUndefined()
})
test('fields that are not offered have another issue than unknown ones', () => {
  const bare = defineCollection(schema, { key: 'id', fields: ['seller', 'customer'] })
  expect(issuesIn(parseQuery(bare, 'fields=seller,total,nope'))).toMatchObject([
    {
      code: 'field_not_selectable',
      message: 'total is not selectable',
      hint: 'selectable fields: seller, customer, customer.name',
    },
    { code: 'field_unknown', message: 'unknown field "nope"' },
  ])
})
test('a field without operators can be sorted by and chosen, but not filtered', () => {
  const shown = defineCollection(schema, { key: 'id', sort: ['total'], fields: true, operators: { total: [] } })
  const hintOf = (text: string) => {
    const result = parseQuery(shown, text)
    return result.ok ? undefined : result.issues[0].hint
  }
  expect(hintOf('sort=total&fields=total')).toBeUndefined()
  for (const text of ['total=1', 'total[gte]=1', 'total[equal-to]=1', 'total[exists]=true'])
    expect(hintOf(text)).toBe('total cannot be filtered')
})
test('a cursor has a value for every field of the key', () => {
  const pair = defineCollection(schema, { key: ['seller', 'id'], sort: ['total'] })
  const cursor = (...values: unknown[]) =>
    Buffer.from(JSON.stringify([1, 'next', ['+total', '+seller', '+id'], values])).toString('base64url')
  expect(parseQuery(pair, `sort=total&cursor=${cursor(null, 's', 1)}`)).toMatchObject({ ok: true })
  expect(parseQuery(pair, `sort=total&cursor=${cursor(1, null, 1)}`)).toMatchObject({ ok: false })
  expect(parseQuery(pair, `sort=total&cursor=${cursor(1, 's', null)}`)).toMatchObject({ ok: false })
})
test('a reserved name that is a field is a TypeError', () => {
  expect(() => parseQuery(collection, '', { reserved: ['seller'] })).toThrow(
    'reserved name seller is a field of the schema',
  )
})
test('a reserved name that is a parameter is a TypeError', () => {
  expect(() => parseQuery(collection, '', { reserved: ['sort'] })).toThrow(
    'reserved has sort, which is a parameter of the collection',
  )
  expect(() => parseQuery({ ...collection }, '')).toThrow('collection must be made by defineCollection')
})
test('parseQueryOrThrow throws the issues', () => {
  expect(() => parseQueryOrThrow(collection, 'limit=0')).toThrow(FilterError)
})
test('texts that are too long or have too many pairs are refused whole', () => {
  expect(parseQuery(collection, 'limit=1&sort=id', { limits: { pairs: 1 } })).toMatchObject({
    ok: false,
    issues: [{ code: 'limit_pairs' }],
  })
  expect(parseQuery(collection, 'limit=1', { limits: { length: 3 } })).toMatchObject({
    ok: false,
    issues: [{ code: 'limit_length' }],
  })
  const searches = 'seller[contains]=a&limit=0&seller[endsWith]=a'
  expect(parseQuery(collection, searches, { limits: { searches: 1 } })).toMatchObject({
    ok: false,
    issues: [{ code: 'parameter_invalid' }, { code: 'limit_searches', span: { start: 27, end: 45 } }],
  })
  for (const third of ['arrival', 'unknown']) {
    expect(issuesIn(parseQuery(collection, `sort=id,total,${third}`, { limits: { list: 2 } }))).toMatchObject([
      { code: 'limit_list', span: { start: 14, end: 21 } },
    ])
  }
  // What is wrong with the items would hide the limit.
  for (const parameter of ['sort', 'fields']) {
    expect(issuesIn(parseQuery(collection, `${parameter}=${','.repeat(15_000)}`))).toMatchObject([
      { code: 'limit_list' },
    ])
  }
})
test('a value of a reserved name in a path is not quoted', () => {
  expect(issuesIn(parseQuery(collection, 'sort=apiKey', { reserved: ['apiKey'] }))).toMatchObject([
    { code: 'field_unknown', message: 'unknown field' },
  ])
})

test('an order has at most 16 keys: a position of more would nest too deep for a filter', () => {
  const names = Array.from({ length: 60 }, (_, at) => `f${at}`)
  const wide = defineSchema({
    id: field.integer(),
    ...Object.fromEntries(names.map((name) => [name, field.integer()])),
  })
  const all = defineCollection(wide, { key: 'id', sort: true })
  expect(parseQuery(all, `sort=${names.slice(0, 17).join(',')}`)).toMatchObject({
    ok: false,
    issues: [{ code: 'limit_list', message: 'too many items: 17, limit 16' }],
  })
  const text = `limit=1&sort=${names.slice(0, 16).join(',')}`
  const { next } = toPage(parseQueryOrThrow(all, text), [{ id: 1 }, { id: 2 }])
  const query = parseQueryOrThrow(all, `${text}&cursor=${next}`)
  for (const { compileQuery } of [
    memoryBackend(),
    mongoBackend(),
    sqlBackend({ dialect: sqlite, table: table('t') }),
  ]) {
    expect(() => compileQuery(query)).not.toThrow()
  }
})
