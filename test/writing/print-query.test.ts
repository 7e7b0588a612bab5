/** The texts of queries, which read back as the same queries, and refused queries. */
import { expect, test, vi } from 'vitest'
import {
  defineCollection,
  defineSchema,
  field,
  FilterError,
  parseQueryOrThrow,
  printQuery,
  toPage,
  type Query,
} from '../../src/index.ts'
import { issuesOf } from '../issues.ts'
import { schema, collection, read, query, names } from './print-query.fixture.ts'
import { builtFor } from '../by-hand.ts'

const texts: [text: string, printed: string][] = [
  ['', ''],
  ['sort=-total', ''],
  ['sort=-total,-id', ''],
  ['sort=total', 'sort=total'],
  ['sort=total,id', 'sort=total'],
  ['sort=total,-id', 'sort=total,-id'],
  ['sort=%22odd%2C+name%22', 'sort=%22odd,+name%22'],
  ['page%5Bsize%5D=20', ''],
  ['page[size]=5&seller=a', 'seller=a&page%5Bsize%5D=5'],
  ['count=false&offset=0', 'offset=0'],
  ['count=true&fields=items.price,id&total[gte]=1', 'total[gte]=1&fields=items.price,id&count=true'],
]
test.each(texts)('%s is %s', (text, printed) => expect(printQuery(collection, read(text))).toBe(printed))

test('a second copy of the library, such as that of the other format, prints the same', async () => {
  vi.resetModules()
  const copy = await import('../../src/index.ts')
  for (const [text, printed] of texts)
    expect(copy.printQuery(collection, copy.parseQueryOrThrow(collection, text))).toBe(printed)
  for (const [refused, message] of refusals) expect(() => copy.printQuery(collection, refused)).toThrow(message)
})

test.each([
  ['total[range]=1,5', 'total[range]=1,5'],
  ['total[range]=1,5&seller=a', 'total[range]=1,5&seller=a'],
  ['and=(total[range]=(1,5))', 'total[range]=1,5'],
  ['not=(total[range]=(1,5))', 'not=(total[range]=(1,5))'],
  ['or=(total[range]=(1,5),id=3)', 'or=(total[range]=(1,5),id=3)'],
  ['or=(and(total[range]=(1,5)),not(total[range]=(2,3)))', 'or=(total[range]=(1,5),not(total[range]=(2,3)))'],
])('a range is printed where the collection has no other operator, and groups: %s', (text, printed) => {
  const ranges = defineCollection(schema, { key: 'id', groups: true, operators: { total: ['range'] } })
  const query = parseQueryOrThrow(ranges, text)
  expect(printQuery(ranges, query)).toBe(text)
  expect(printQuery(ranges, builtFor(ranges, query, query.filter))).toBe(printed)
})

test('a position is its cursor', () => {
  const query = read('sort=total&page[size]=1')
  const { next } = toPage(query, [{ id: 1 }, { id: 2 }])
  expect(printQuery(collection, read(`sort=total&page[size]=1&cursor=${next}`))).toBe(
    `sort=total&page%5Bsize%5D=1&cursor=${next}`,
  )
})
const small = defineCollection(schema, { key: 'id' })
const wide = defineCollection(
  defineSchema({ id: field.integer(), ...Object.fromEntries(names.map((name) => [name, field.string()])) }),
  { key: 'id', sort: true },
)
const unnarrowed = parseQueryOrThrow(small, 'seller[contains]=x')
const refusals: [query: Query, message: string][] = [
  [{ ...query, asked: unnarrowed.asked, filter: unnarrowed.filter }, 'operator contains is not available for seller'],
  [{ ...query, limit: 101 }, 'limit 101 is more than 100'],
  [{ ...query, offset: 51 }, 'offset 51 is more than 50'],
  [{ ...query, fields: [['nope']] }, 'nope is not selectable'],
  [{ ...query, fields: [] }, 'fields is empty'],
  [{ ...query, sort: query.sort.slice(0, 1) }, 'the order does not end with the key of the collection'],
  [
    { ...query, sort: [{ ...query.sort[0]!, direction: 'ascending', nulls: 'last' }, query.sort[1]!] },
    'total has another order',
  ],
  [{ ...query, sort: [{ ...query.sort[0]!, type: 'string' }, query.sort[1]!] }, 'total has type number, not string'],
]
test.each(refusals)('%o is refused', (refused, message) => {
  expect(() => printQuery(collection, refused)).toThrow(FilterError)
  expect(() => printQuery(collection, refused)).toThrow(message)
})
test('the error has an issue for each part that the collection refuses', () => {
  const asked = { ...query, offset: 1, count: true, fields: [['id']] }
  const told = () => {
    try {
      printQuery(small, asked)
    } catch (error) {
      return (error as FilterError).issues.map(({ code, message }) => `${code}: ${message}`)
    }
    return []
  }
  expect(told()).toEqual([
    'print_unsayable: total is not sortable',
    'print_unsayable: offset is not allowed',
    'print_unsayable: count is not allowed',
    'print_unsayable: id is not selectable',
  ])
})
test('an offset of none is the most where the collection allows no more', () => {
  const none = defineCollection(schema, { key: 'id', offset: { max: 0 } })
  const printed = (offset: number) => printQuery(none, { ...parseQueryOrThrow(none, ''), offset })
  expect(printed(0)).toBe('offset=0')
  expect(() => printed(1)).toThrow('offset 1 is more than 0')
})
test('a refused offset has its number and the most as parameters', () => {
  const parametersOf = (asked: Query, of: typeof collection | typeof small = collection) =>
    (issuesOf(() => printQuery(of as typeof small, asked)) as FilterError['issues']).map(({ parameters }) => parameters)
  expect(parametersOf({ ...query, offset: 51 })).toEqual([{ problem: 'offset', found: 51, limit: 50 }])
  const asked = { ...parseQueryOrThrow(small, ''), offset: 5 }
  expect(parametersOf(asked, small)).toEqual([{ problem: 'offset', found: 5, limit: 0 }])
})
test('an object that is not a collection is refused', () => {
  expect(() => printQuery({ ...small }, query)).toThrow('collection must be made by defineCollection')
})

test('names with commas and signs are distinguished from orders', () => {
  const names = ['a', 'b', '-a', 'a,b']
  const some = defineSchema({ id: field.integer(), ...Object.fromEntries(names.map((name) => [name, field.string()])) })
  const key = (name: string, direction: 'ascending' | 'descending' = 'ascending') =>
    ({ path: [name], type: name === 'id' ? 'integer' : 'string', direction }) as const
  const printed = (defaultSort: string, ...sort: Query['sort']) => {
    const asked = defineCollection(some, { key: 'id', sort: true, defaultSort })
    const query = { ...parseQueryOrThrow(asked, ''), sort: [...sort, key('id', sort.at(-1)!.direction)] }
    const text = printQuery(asked, query)
    const back = parseQueryOrThrow(asked, text).sort.map(({ path, type, direction }) => ({ path, type, direction }))
    expect(back).toEqual(query.sort)
    return text
  }
  expect(printed('a,b', key('a'), key('b'))).toBe('')
  expect(printed('a,b', key('a,b'))).toBe('sort=%22a,b%22')
  expect(printed('--a', key('-a', 'descending'))).toBe('')
  expect(printed('-a', key('-a', 'descending'))).toBe('sort=--a')
  for (const defaultSort of ['id', '-a']) {
    expect(() => printed(defaultSort, key('-a'))).toThrow('sort=-a means descending order')
  }
})

test('more sort keys than a text may have are refused', () => {
  const key = (name: string) => ({ path: [name], type: 'string', direction: 'ascending' }) as const
  const of = (asked: readonly string[]): Query => ({
    ...parseQueryOrThrow(wide, ''),
    sort: [...asked.map(key), { path: ['id'], type: 'integer', direction: 'ascending' }],
  })
  expect(parseQueryOrThrow(wide, printQuery(wide, of(names.slice(1)))).sort).toHaveLength(17)
  expect(() => printQuery(wide, of(names))).toThrow('too many sort keys: 17, limit 16')
})

test.each(['tags[all]=sea', 'tags[all]=sea,vip', 'not=(tags([nin]=(sea)))'])(
  'a collection with all and nin alone prints %s',
  (text) => {
    const tags = defineSchema({ id: field.integer(), tags: field.list(field.string()) })
    const narrowed = defineCollection(tags, { key: 'id', groups: true, operators: { tags: ['all', 'nin'] } })
    const query = parseQueryOrThrow(narrowed, text)
    expect(printQuery(narrowed, query)).toBe(text)
    expect(printQuery(narrowed, builtFor(narrowed, query, query.filter))).toBe(text)
  },
)

test.each([
  // A day is two bounds, and the collection has no operator for one of them.
  ['paid=2024-01-01&name[exists]=true&and=(name[exists]=true)'],
  // Two pairs of two bounds each: the second takes operators that the first leaves.
  ['paid=2024-01-01&paid[range]=2024-01-01,2024-01-01&name[exists]=true&and=(name[exists]=true)'],
  // A group separates one bound, and not two.
  ['and=(at[range]=(2024-01-03,9999-12-31))&at[range]=2024-01-01,2024-01-01'],
  ['or=(id=1,and(paid=2024-01-01,name[exists]=true,and(name[exists]=true)))'],
  ['days[all]=2024-01-01'],
  ['days[all]=2024-01-01&name[exists]=true'],
  ['not=(days[all]=(2024-01-01))'],
  ['not=(days[all]=(2024-01-01T01:00:00.000Z))'],
  ['id=1&not=(days[all]=(2024-01-01))'],
  // Of the two entries, only the name has an operator for a plain condition: a day needs two bounds.
  ['visits.at[all]=2024-01-01&visits.name=a'],
])('a collection with few operators prints %s', (text) => {
  const dated = defineSchema({
    id: field.integer(),
    name: field.string(),
    paid: field.datetime(),
    at: field.datetime(),
    days: field.list(field.datetime()),
    visits: field.list(field.object({ at: field.datetime(), name: field.string() })),
  })
  const narrowed = defineCollection(dated, {
    key: 'id',
    groups: true,
    operators: { paid: ['equals', 'range'], at: ['range'], days: ['all', 'gt'], 'visits.at': ['gte', 'all'] },
  })
  const query = parseQueryOrThrow(narrowed, text)
  expect(printQuery(narrowed, query)).toBe(text)
  expect(printQuery(narrowed, builtFor(narrowed, query, query.filter))).toBe(text)
})
