/** The properties `asked` and `restriction` of queries: as JSON, revived from JSON, restricted and printed. */
import { describe, expect, test } from 'vitest'
import { and, defineCollection, or, parseQueryOrThrow, printQuery, restrict, where } from '../../src/index.ts'
import { defineSchema, field, type Query } from '../../src/index.ts'
import { printNotation, strapi } from '../../src/clients/notations/index.ts'
import { memoryBackend } from '../../src/backends/memory/index.ts'
import { checkQuery } from '../../src/query/query.ts'
import { partsOfFilter } from '../../src/query/index.ts'
import { byHand } from '../by-hand.ts'

const schema = defineSchema({
  id: field.integer(),
  seller: field.string(),
  status: field.enumeration(['paid', 'held']),
  at: field.datetime(),
  items: field.list(
    field.object({
      price: field.integer(),
      at: field.datetime(),
      parts: field.list(field.object({ n: field.integer(), at: field.datetime() })),
    }),
  ),
})
const options = {
  key: 'id',
  groups: true,
  search: ['seller'],
  facets: ['status'],
  offset: { max: 100 },
  count: true,
} as const
const collection = defineCollection(schema, options)
const o = where(schema)
const mine = o.equals('seller', 's-1')
const read = (text: string) => parseQueryOrThrow(collection, text)
const revived = (query: object): Query => JSON.parse(JSON.stringify(query)) as Query

test('the JSON of a query has its conditions, its groups and the words of its search', () => {
  const { asked, search, restriction } = restrict(read('id[gte]=5&or=(status=paid,items(price=1))&search=jo'), mine)
  expect(JSON.parse(JSON.stringify(asked))).toEqual([
    {
      kind: 'condition',
      lists: [],
      path: ['id'],
      literal: 'integer',
      operator: 'gte',
      operands: [{ type: 'integer', value: 5 }],
      span: { start: 0, end: 9 },
    },
    {
      kind: 'or',
      lists: [],
      members: [
        {
          kind: 'condition',
          lists: [],
          path: ['status'],
          literal: 'string',
          operator: 'equals',
          operands: [{ type: 'string', value: 'paid' }],
          span: { start: 14, end: 25 },
        },
        {
          kind: 'some',
          lists: [['items']],
          members: [
            {
              kind: 'condition',
              lists: [],
              path: ['price'],
              literal: 'integer',
              operator: 'equals',
              operands: [{ type: 'integer', value: 1 }],
              span: { start: 32, end: 39 },
            },
          ],
          span: { start: 26, end: 40 },
        },
      ],
      span: { start: 10, end: 41 },
    },
    {
      kind: 'or',
      lists: [],
      members: [
        {
          kind: 'condition',
          lists: [],
          path: ['seller'],
          literal: 'string',
          operator: 'contains',
          operands: [{ type: 'string', value: 'jo' }],
          span: { start: 49, end: 51 },
        },
      ],
      span: { start: 49, end: 51 },
    },
  ])
  expect(search).toEqual(['jo'])
  expect(restriction).toEqual(mine)
})

test('a change of query.asked does not change query.filter, and printQuery refuses the query', () => {
  const query = read('id=1')
  ;(query.asked as unknown[]).pop()
  expect(query.filter).toMatchObject({ kind: 'comparison', path: ['id'] })
  expect(() => printQuery(collection, query)).toThrow('a query string cannot express this filter')
  expect(() => checkQuery(revived(query))).toThrow('query.filter must be what query.asked')
})

test.each([
  '',
  'status=paid',
  'status=paid&facets=status',
  'at=2024-01-01&search=jo+x&facets=status',
  'or=(status=paid,items.every(price=1))&items.at[all]=2024-01-01,2024-01-02',
])('a query survives JSON, restricted or not: %s', (text) => {
  const query = read(text)
  for (const one of [query, restrict(query, mine), restrict(restrict(query, mine), or()), restrict(query, and())]) {
    expect(checkQuery(revived(one))).toEqual(one)
    expect(printQuery(collection, revived(one))).toBe(printQuery(collection, query))
    expect(restrict(revived(one), mine)).toEqual(restrict(one, mine))
  }
})

describe('a query whose parts contradict one another is refused', () => {
  const whole = revived(restrict(read('status=paid&id=1&search=jo&facets=status'), mine)) as Query & { asked: object[] }
  const filterOf = (text: string) => read(text).filter
  const [facet] = whole.facets!
  const condition = whole.asked[0] as { operands: object[] }
  const message = (place: string) =>
    `query.${place} must be what query.asked and query.restriction mean: restrict adds conditions to a query`
  const { restriction: _, ...unrestricted } = whole
  const { asked: __, search: ___, ...unasked } = whole
  const made = { ...unasked, ...partsOfFilter(and(whole.filter)) }
  const wrong: readonly (readonly [what: string, query: object, message: string])[] = [
    ['a filter with the restriction, without query.restriction', unrestricted, message('filter')],
    [
      'a filter without the restriction',
      { ...whole, filter: filterOf('status=paid&id=1&search=jo') },
      message('filter'),
    ],
    ['a filter without a condition', { ...whole, filter: and(filterOf('id=1&search=jo'), mine) }, message('filter')],
    ['a filter of every row', { ...whole, filter: and() }, message('filter')],
    ['one more condition in the filter', { ...whole, filter: and(whole.filter, mine) }, message('filter')],
    ['another restriction', { ...whole, restriction: o.equals('seller', 's-2') }, message('filter')],
    ['a restriction that selects all', { ...whole, restriction: and() }, message('filter')],
    ['no conditions', { ...whole, asked: [] }, 'query.asked must end with the conditions of query.search'],
    ['one condition less', { ...whole, asked: whole.asked.slice(1) }, message('filter')],
    [
      'another operand',
      { ...whole, asked: [{ ...condition, operands: [{ type: 'string', value: 'held' }] }, ...whole.asked.slice(1)] },
      message('filter'),
    ],
    [
      'a facet without the restriction',
      { ...whole, facets: [{ ...facet, filter: filterOf('id=1&search=jo') }] },
      message('facets[0].filter'),
    ],
    [
      'a facet with its own condition',
      { ...whole, facets: [{ ...facet, filter: whole.filter }] },
      message('facets[0].filter'),
    ],
    ['other words', { ...whole, search: ['joe'] }, 'query.asked must end with the conditions of query.search'],
    ['without query.asked', unasked, 'query.asked must be a list'],
    ['built by a program, a filter without the restriction', { ...made, filter: and() }, message('filter')],
    [
      'built by a program, a facet without the restriction',
      { ...made, filter: and(whole.filter, mine), facets: [{ ...facet, filter: and() }] },
      message('facets[0].filter'),
    ],
    [
      'an invalid filter of a program',
      { ...whole, asked: [{ kind: 'filter', filter: { kind: 'nor' } }] },
      'query.asked[0].filter.kind must be',
    ],
    ['an invalid restriction', { ...whole, restriction: null }, 'query.restriction must be a filter'],
    ['an object in place of the list of conditions', { ...whole, asked: {} }, 'query.asked must be a list'],
    ['null in place of a condition', { ...whole, asked: [null] }, 'query.asked[0] must be an object'],
    [
      'an unknown kind',
      { ...whole, asked: [{ ...condition, kind: 'nor' }] },
      'query.asked[0].kind must be and, or, not, some, none or every',
    ],
    [
      'a condition without operands',
      { ...whole, asked: [{ ...condition, operands: [] }] },
      'query.asked[0] must have the operands that',
    ],
    [
      'an empty group',
      { ...whole, asked: [{ kind: 'and', lists: [], members: [] }, ...whole.asked] },
      'query.asked[0].members must not be empty',
    ],
    [
      'an unknown operator',
      { ...whole, asked: [{ ...condition, operator: 'like' }] },
      'query.asked[0].operator must be equals,',
    ],
    [
      'a path of an operator of MongoDB',
      { ...whole, asked: [{ ...condition, path: ['$where'] }] },
      "query.asked[0].path[0] must not begin with '$'",
    ],
  ]
  test.each(wrong)('%s', (_, query, message) => {
    for (const use of [
      checkQuery,
      (one: Query) => restrict(one, mine),
      (one: Query) => printQuery(collection, one),
      (one: Query) => memoryBackend().compileQuery(one),
      (one: Query) => printNotation(collection, one, strapi),
    ]) {
      expect(() => use(query as Query)).toThrow(TypeError)
      expect(() => use(query as Query)).toThrow(message)
    }
  })
  test('groups nested deeper than the limit', () => {
    const deep = Array.from({ length: 40 }).reduce<object>(
      (inner) => ({ kind: 'and', lists: [], members: [inner] }),
      condition,
    )
    expect(() => checkQuery({ ...whole, asked: [deep] })).toThrow(/ must be in at most \d+ groups$/)
  })
  test('a program can build any filter before the restriction', () => {
    const query = restrict(byHand(read('status=paid'), { filter: or(mine, o.gt('id', 5)) }), mine)
    expect(checkQuery(revived(query))).toEqual(query)
    expect(() => printQuery(collection, query)).toThrow('a query string cannot express this filter of kind or')
    expect(() => printNotation(collection, query, strapi)).toThrow('a query string cannot express this filter')
  })
})

describe('printQuery refuses a query of another collection', () => {
  const query = read('status=paid&items.price=1')
  const others = {
    'with a field that the collection lacks': defineSchema({
      id: field.integer(),
      status: field.enumeration(['paid']),
    }),
    'with a field of another type': defineSchema({
      id: field.integer(),
      status: field.integer(),
      items: field.list(field.object({ price: field.integer() })),
    }),
    'with a field outside its list': defineSchema({
      id: field.integer(),
      status: field.string(),
      items: field.object({ price: field.integer() }),
    }),
    'with a value that the enumeration lacks': defineSchema({
      id: field.integer(),
      status: field.enumeration(['held']),
      items: field.list(field.object({ price: field.integer() })),
    }),
  }
  test.each(Object.entries(others))('%s', (_, other) => {
    const of = defineCollection(other as typeof schema, { key: 'id' })
    expect(() => printQuery(of, query)).toThrow('a query string cannot express this filter of kind')
    expect(() => printNotation(of, query, strapi)).toThrow()
  })
  test('with a group or an operator that the collection does not allow', () => {
    const plain = defineCollection(schema, { key: 'id' })
    expect(() => printQuery(plain, read('or=(id=1,id=2)'))).toThrow(
      'a query string cannot express this filter of kind or here',
    )
    const few = defineCollection(schema, { key: 'id', groups: true, operators: { status: ['in'] } })
    expect(() => printQuery(few, read('not=(status=paid)'))).toThrow('operator equals is not available for status')
    expect(() => printQuery(few, read('and=(items(price[gt]=1))'))).not.toThrow()
  })
  test('a repeated condition goes into a group', () => {
    const [one] = read('id[gt]=1').asked
    const forged = { ...read('id[gt]=1'), asked: [one!, one!], filter: and(o.gt('id', 1), o.gt('id', 1)) }
    expect(printQuery(collection, forged)).toBe('id[gt]=1&and=(id[gt]=1)')
    expect(() => printQuery(defineCollection(schema, { key: 'id' }), forged)).toThrow('cannot express')
  })
})

describe('days of another time zone are printed as moments', () => {
  const inTokyo = (text: string) =>
    printQuery(collection, parseQueryOrThrow(collection, text, { timeZone: 'Asia/Tokyo' })).replaceAll(
      'T15:00:00.000Z',
      '',
    )
  test.each([
    ['at=2024-01-02', 'at[gte]=2024-01-01&at[lt]=2024-01-02'],
    ['at[gt]=2024-01-02', 'at[gte]=2024-01-02'],
    ['at[lte]=2024-01-02&id=1', 'at[lt]=2024-01-02&id=1'],
    ['at[range]=2024-01-02,2024-01-03', 'at[gte]=2024-01-01&at[lt]=2024-01-03'],
    ['at[notEqual]=2024-01-02', 'not=(at[gte]=2024-01-01,at[lt]=2024-01-02)'],
    [
      'at[in]=2024-01-02,2024-01-05',
      'or=(and(at[gte]=2024-01-01,at[lt]=2024-01-02),and(at[gte]=2024-01-04,at[lt]=2024-01-05))',
    ],
    ['at[nin]=2024-01-02', 'not=(at[gte]=2024-01-01,at[lt]=2024-01-02)'],
    ['at=2024-01-02&at[lt]=2024-01-05', 'at[gte]=2024-01-01&at[lt]=2024-01-02&and=(at[lt]=2024-01-04)'],
    ['or=(at=2024-01-02,id=1)', 'or=(and(at[gte]=2024-01-01,at[lt]=2024-01-02),id=1)'],
    ['items.at=2024-01-02&items.price=1', 'items.at[gte]=2024-01-01&items.at[lt]=2024-01-02&items.price=1'],
    ['items.at[all]=2024-01-02', 'and=(items(at[gte]=2024-01-01,at[lt]=2024-01-02))'],
    [
      'items.at[in]=2024-01-02,2024-01-03',
      'and=(items(or(and(at[gte]=2024-01-01,at[lt]=2024-01-02),and(at[gte]=2024-01-02,at[lt]=2024-01-03))))',
    ],
    ['and=(items(at[notEqual]=2024-01-02))', 'and=(items(not(at[gte]=2024-01-01,at[lt]=2024-01-02)))'],
    // The entry with the price is the entry with the day.
    [
      'items.at[in]=2024-01-02,2024-01-03&id=1&items.price=1',
      'and=(items(or(and(at[gte]=2024-01-01,at[lt]=2024-01-02),and(at[gte]=2024-01-02,at[lt]=2024-01-03)),price=1))&id=1',
    ],
    [
      'items.price=1&items.at=2024-01-02&items.at[lt]=2024-01-05',
      'and=(items(price=1,at[gte]=2024-01-01,at[lt]=2024-01-02,and(at[lt]=2024-01-04)))',
    ],
    [
      'items.price=1&items.parts.at[in]=2024-01-02,2024-01-03&items.parts.n=2&items.at[notEqual]=2024-01-02',
      'and=(items(price=1,parts(or(and(at[gte]=2024-01-01,at[lt]=2024-01-02),and(at[gte]=2024-01-02,at[lt]=2024-01-03)),n=2)))&not=(items.at[gte]=2024-01-01,items.at[lt]=2024-01-02)',
    ],
    [
      'items.parts.at[all]=2024-01-02&items.price=1&items.parts.n=2',
      'and=(items(parts(at[gte]=2024-01-01,at[lt]=2024-01-02),price=1,parts.n=2))',
    ],
  ])('%s is %s', (text, printed) => expect(inTokyo(text)).toBe(printed))
  test('a day that starts before year 1 is refused', () => {
    expect(() => inTokyo('at[lt]=0001-01-01')).toThrow('cannot express')
  })
})
