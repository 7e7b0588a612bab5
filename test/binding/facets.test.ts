/** The rows that a query counts for each facet, and the text of the query. */
import { describe, expect, test } from 'vitest'
import {
  and,
  buildQuery,
  defineCollection,
  defineSchema,
  field,
  narrow,
  parseObject,
  parseQuery,
  parseQueryOrThrow,
  printFilter,
  printQuery,
  queryString,
  restrict,
  where,
  type Issue,
  type Query,
} from '../../src/index.ts'
import { checkQuery } from '../../src/query/query.ts'
import { issuesIn, issuesOf } from '../issues.ts'
import { rowsIn } from '../rows.ts'

/** A query with its one condition twice. */
const askedTwice = (query: Query): Query => ({
  ...query,
  asked: [...query.asked, ...query.asked],
  filter: and(query.filter, query.filter),
})

const orders = defineSchema({
  id: field.integer(),
  seller: field.string(),
  status: field.enumeration(['paid', 'held', 'new']),
  total: field.decimal(),
  tags: field.list(field.string()),
  customer: field.object({ country: field.string(), name: field.string() }),
  items: field.list(
    field.object({ product: field.string(), arrival: field.date(), extras: field.list(field.string()) }),
  ),
  tenant: field.string(),
})
const collection = defineCollection(orders, {
  key: 'id',
  groups: true,
  hidden: ['tenant'],
  facets: ['status', 'tags', 'customer.country', 'items.product', 'items.extras', 'total'],
})
const o = where(orders)

const read = (text: string) => parseQueryOrThrow(collection, text)
/** The filters of facets, as text. */
const filtersOf = ({ facets = [] }: Query) =>
  facets.map(({ filter }) => printFilter(orders, filter, { groups: true }).replaceAll(/%(..)/g, decodeURIComponent))

describe('a facet has the filter of the query without the pairs on its own field', () => {
  test.each<[text: string, ...filters: string[]]>([
    ['facets=status', ''],
    ['status=paid&facets=status', ''],
    ['status=paid&facets=tags', 'status=paid'],
    ['status=paid&tags=a&facets=tags,status', 'status=paid', 'tags=a'],
    // Every pair on the field, its complements too.
    ['status[in]=paid,held&status[notEqual]=new&seller=s-1&facets=status', 'seller=s-1'],
    ['total[range]=1,5&total[exists]=true&facets=total', ''],
    // A pair on the object around a field, or on another field in it, is about another path.
    [
      'customer[exists]=true&customer.country=PT&customer.name=Jo&facets=customer.country',
      'customer[exists]=true&customer.name=Jo',
    ],
    // Of the conditions on one entry, that on the field alone goes.
    ['items.product=bed&items.arrival=2024-01-01&facets=items.product', 'items.arrival=2024-01-01'],
    ['items.product=bed&facets=items.product', ''],
    [
      'items.product=bed&items.extras=sea&items.extras[startsWith]=s&facets=items.extras,items.product',
      'items.product=bed',
      'items.extras=sea&items.extras[startsWith]=s',
    ],
    ['items.product[notEqual]=bed&items.arrival=2024-01-01&facets=items.product', 'items.arrival=2024-01-01'],
    // Groups stay.
    ['or=(status=paid,total[gte]=5)&status=paid&facets=status', 'or=(status=paid,total[gte]=5)'],
    ['and=(status=paid)&facets=status', 'status=paid'],
    ['not=(tags=gift)&tags=sea&facets=tags', 'tags[notEqual]=gift'],
    ['and=(items(product=bed))&items.product=tent&facets=items.product', 'items.product=bed'],
  ])('%s', (text, ...filters) => {
    expect(filtersOf(read(text))).toEqual(filters)
  })
  test('a facet has its lists, its path, its type and how many values it has', () => {
    const { facets } = read('facets=items.extras,customer.country,total')
    expect(facets).toEqual([
      { lists: [['items'], ['extras']], path: [], type: 'string', limit: 50, filter: and() },
      { lists: [], path: ['customer', 'country'], type: 'string', limit: 50, filter: and() },
      { lists: [], path: ['total'], type: 'decimal', limit: 50, filter: and() },
    ])
    expect(Object.isFrozen(facets)).toBe(true)
    const few = defineCollection(orders, { key: 'id', facets: ['status'], facetLimit: 3 })
    expect(parseQueryOrThrow(few, 'facets=status').facets![0]!.limit).toBe(3)
  })
  test('order, page and fields do not matter', () => {
    const paged = defineCollection(orders, { key: 'id', sort: ['total'], fields: true, facets: ['status'] })
    const { facets } = parseQueryOrThrow(paged, 'sort=-total&limit=3&fields=id&facets=status&seller=s-1')
    expect(facets).toEqual(
      parseQueryOrThrow(paged, 'facets=status&seller=s-1').facets!.map((facet) => ({
        ...facet,
        filter: facets![0]!.filter,
      })),
    )
  })
})

describe('a text is refused', () => {
  const issuesOf = (text: string, of = collection as Parameters<typeof parseQuery>[0]) =>
    issuesIn(parseQuery(of, text)).map(({ code, span, hint }) => [code, text.slice(span!.start, span!.end), hint])
  test.each(rowsIn(new URL('facets.txt', import.meta.url), 'refused'))('$cells.0', ({ cells, place }) => {
    const [text, code, hint, at = ''] = cells
    expect(issuesOf(text!), place).toEqual([[code, at, hint === '-' ? undefined : hint]])
  })

  const five = 'status,tags,customer.country,items.product,items.extras'
  const contains = 'seller[contains]=a'
  const three = `${contains}&seller[endsWith]=a&customer.name[contains]=a`
  const items = (count: number) =>
    `or=(${Array.from({ length: count }, (_, at) => `items(arrival=2024-01-0${at + 1})`)})`
  test.each<[text: string, place?: string, message?: string, hint?: string]>([
    // Once for the page and once for each facet: 2, 6 and 9 of 10.
    [`${contains}&facets=status`],
    [`${contains}&facets=${five}`],
    [`${three}&facets=status,tags`],
    [
      `${three}&facets=status,tags,total`,
      'customer.name[contains]=a',
      'too many searches: 12, limit 10',
      'remove 1 of the conditions with endsWith, contains, or ask for at most 2 facets: each facet counts them again',
    ],
    [
      `facets=${five}&${contains}&seller[endsWith]=a`,
      'seller[endsWith]=a',
      'too many searches: 12, limit 10',
      'remove 1 of the conditions with endsWith, contains, or ask for at most 4 facets: each facet counts them again',
    ],
    // Facets that are refused count nothing: one mistake is one issue.
    [`${contains}&seller[endsWith]=a&facets=${five},total`, 'total', 'too many facets: 6, limit 5', ''],
    [`${items(5)}&facets=status`],
    [
      `${items(5)}&facets=status,tags`,
      'items(arrival=2024-01-04)',
      'too many searches: 15, limit 10',
      'remove 2 of the conditions on a list in a group, or ask for at most 1 facet: each facet counts them again',
    ],
    [
      `${items(6)}&${three}&facets=status`,
      'items(arrival=2024-01-06)',
      'too many searches: 18, limit 10',
      'remove 4 of the conditions with endsWith, contains, or on a list in a group, or ask for no facets: each facet counts them again',
    ],
    [
      `${items(9)}&${three}&facets=status`,
      'items(arrival=2024-01-06)',
      'too many searches: 24, limit 10',
      'remove 7 of the conditions with endsWith, contains, or on a list in a group',
    ],
  ])('the searches of %s', (text, place?: string, message?: string, hint: string = '') => {
    const seen = issuesIn(parseQuery(collection, text)).map((issue) => [
      text.slice(issue.span!.start, issue.span!.end),
      issue.message,
      issue.hint ?? '',
    ])
    expect(seen).toEqual(place === undefined ? [] : [[place, message, hint]])
  })
  test('limits of a service: facets beyond five, and searches beside them', () => {
    const all = `facets=${five},total`
    expect(parseQuery(collection, all, { limits: { facets: 6 } }).ok).toBe(true)
    expect(issuesOf(`${all}&${contains}`)).toEqual([['limit_facets', 'total', undefined]])
    expect(parseQuery(collection, `${all}&${contains}`, { limits: { facets: 6 } }).ok).toBe(true)
    expect(parseQuery(collection, `${all}&${contains}&seller[endsWith]=a`, { limits: { facets: 6 } }).ok).toBe(false)
    expect(parseQuery(collection, 'facets=status', { limits: { facets: 0 } }).ok).toBe(false)
  })
  test('an object holds the same limits', () => {
    const codes = (object: object) =>
      issuesIn(parseObject(collection, object)).map(({ code, member, item }) => [code, member, item])
    expect(codes({ facets: `${five},total`.split(',') })).toEqual([['limit_facets', 'facets', 5]])
    expect(codes({ 'seller[contains]': 'a', facets: five.split(',') })).toEqual([])
    expect(codes({ 'seller[contains]': 'a', 'seller[endsWith]': 'a', facets: five.split(',') })).toEqual([
      ['limit_searches', 'seller[endsWith]', undefined],
    ])
    expect(codes({ or: items(4).slice(3), facets: ['status', 'tags'] })).toEqual([['limit_searches', 'or', undefined]])
  })
  test('the example of a query that reads 100,000 rows for each of 22 facets and 50 conditions is refused twice', () => {
    const wide = defineSchema({
      id: field.integer(),
      items: field.list(field.object({ p: field.integer() })),
      ...Object.fromEntries(Array.from({ length: 22 }, (_, at) => [`f${at}`, field.string()])),
    })
    const names = Array.from({ length: 22 }, (_, at) => `f${at}`)
    const of = defineCollection(wide as never, { key: 'id', groups: true, facets: names as never })
    const text = `or=(${Array.from({ length: 50 }, () => 'items(p=1)')})&facets=${names}`
    expect(text.length).toBeLessThan(740)
    expect(issuesIn(parseQuery(of, text)).map(({ message }) => message)).toEqual([
      'too many searches: 50, limit 10',
      'too many facets: 22, limit 5',
    ])
  })
  test('parameters of issues: a duplicate among facets, and an example that keeps no operand', () => {
    const parametersOf = (text: string) => issuesIn(parseQuery(collection, text)).map(({ parameters }) => parameters)
    expect(parametersOf('facets=status,status')).toEqual([{ name: 'status', of: 'path', where: 'facets', advice: [] }])
    const names = ['status', 'tags', 'customer.country', 'items.product', 'items.extras', 'total']
    const choice = { kind: 'choose', from: 'facets', choices: { names, isCut: false } }
    const example = { kind: 'write', text: 'facets=…', reason: 'spelling', isExample: true }
    expect(parametersOf('facet=nope')).toEqual([
      {
        problem: 'name',
        name: 'facet',
        advice: [{ ...example, replaces: { start: 0, end: 10 }, operands: [] }, choice],
      },
    ])
  })
  test('a collection without facets has no such parameter', () => {
    const plain = defineCollection(orders, { key: 'id' })
    expect(issuesOf('facets=status', plain)).toEqual([
      ['field_unknown', 'facets', 'the parameters are sort, limit, cursor'],
    ])
  })
  test('the parameter can have another name', () => {
    const renamed = defineCollection(orders, { key: 'id', facets: ['status'], parameters: { facets: 'facet[fields]' } })
    const query = parseQueryOrThrow(renamed, 'facet[fields]=status')
    expect(query.facets).toHaveLength(1)
    expect(decodeURIComponent(printQuery(renamed, query))).toBe('facet[fields]=status')
  })
})

describe('a collection is refused', () => {
  test.each<[options: object, message: string]>([
    [{ facets: ['stat'] }, 'facets has stat, which is not a field of the schema'],
    [{ facets: ['customer'] }, 'facets has customer, which has type object: name a field in it'],
    [{ facets: ['items'] }, 'facets has items, which has type object: name a field in it'],
    [{ facets: ['tenant'], hidden: ['tenant'] }, 'facets has tenant, which is hidden: callers know nothing of it'],
    [{ facets: ['status', 'status'] }, 'facets has status twice'],
    [{ facets: true }, 'facets must be a list of paths'],
    [{ facets: null }, 'facets must be a list of paths'],
    [{ facets: { stat: true } }, 'facets has stat, which is not a field of the schema'],
    [{ facets: { status: false } }, 'facets.status must be an object'],
    [{ facets: { status: [] } }, 'facets.status must be an object'],
    [{ facets: { status: { maxx: 1 } } }, 'facets.status.maxx is unknown; did you mean max? (available: max, label)'],
    [{ facets: { status: { max: 0 } } }, 'facets.status.max must be a whole number of at least 1'],
    [{ facets: { status: { max: '5' } } }, 'facets.status.max must be a whole number of at least 1'],
    [{ facets: { status: { label: 'x' } } }, 'facets.status.label has x, which is not a field of the schema'],
    [{ facets: { status: { label: 5 } } }, 'facets.status.label has 5, which is not a field of the schema'],
    [
      { facets: { status: { label: 'tenant' } }, hidden: ['tenant'] },
      'facets.status.label has tenant, which is hidden: callers know nothing of it',
    ],
    ...['total', 'customer', 'tags', 'items.product'].map((label): [object, string] => [
      { facets: { status: { label } } },
      `facets.status.label has ${label}: a label is a text, and neither it nor status is in a list`,
    ]),
    [
      { facets: { tags: { label: 'seller' } } },
      'facets.tags.label has seller: a label is a text, and neither it nor tags is in a list',
    ],
    [{ facets: ['status'], facetLimit: 0 }, 'facetLimit must be a whole number of at least 1'],
    [{ facetLimit: 5 }, 'facetLimit needs facets'],
    [{ parameters: { facets: 'f' } }, 'parameters.facets has a name, but the collection does not allow it'],
    [
      { facets: ['status'], parameters: { facets: 'total' } },
      'the parameter total is a field of the schema: rename it by parameters.facets',
    ],
  ])('%o', (options, message) => {
    expect(() => defineCollection(orders, { key: 'id', ...options } as never)).toThrow(new TypeError(message))
  })
  test('a field called facets, where facets are allowed', () => {
    const schema = defineSchema({ id: field.integer(), facets: field.string() })
    expect(() => defineCollection(schema, { key: 'id', facets: ['facets'] })).toThrow(/parameter facets is a field/)
    expect(defineCollection(schema, { key: 'id' }).facets.size).toBe(0)
  })
})

describe('options of facets', () => {
  const facets = { status: true, seller: { label: 'customer.name', max: 2 }, total: { max: 9 } } as const
  const wide = defineCollection(orders, { key: 'id', fields: true, facets })
  const optionsOf = ({ facets }: { facets: typeof wide.facets }) =>
    Array.from(facets, ([name, { max, label }]) => [name, max, label?.name])

  test('a list of paths has none', () => {
    expect(optionsOf(wide)).toEqual([
      ['status', undefined, undefined],
      ['seller', 2, 'customer.name'],
      ['total', 9, undefined],
    ])
    const listed = defineCollection(orders, { key: 'id', facets: ['status'] })
    expect(listed.facets).toEqual(defineCollection(orders, { key: 'id', facets: { status: true } }).facets)
    expect(defineCollection(orders, { key: 'id', facets: {} }).parameters.has('facets')).toBe(false)
  })
  test('the facets of a query have them, and its text reads as the same query', () => {
    const query = parseQueryOrThrow(wide, 'facets=status,seller')
    expect(query.facets).toEqual([
      { lists: [], path: ['status'], type: 'string', limit: 50, filter: and() },
      { lists: [], path: ['seller'], type: 'string', limit: 50, max: 2, label: ['customer', 'name'], filter: and() },
    ])
    expect(checkQuery(JSON.parse(JSON.stringify(query)))).toEqual(query)
    expect(buildQuery(wide, { facets: ['status', 'seller'] })).toEqual(query)
    expect(printQuery(wide, query)).toBe('facets=status,seller')
  })
  test('no text has another bound or label', () => {
    const query = parseQueryOrThrow(wide, 'facets=seller')
    const [{ max: _, label: __, ...plain }] = query.facets! as [NonNullable<Query['facets']>[number]]
    for (const given of [plain, { ...plain, max: 2 }, { ...plain, label: ['customer', 'name'] }])
      expect(() => printQuery(wide, { ...query, facets: [given] })).toThrow('seller has no such facet')
  })
  test.each<[options: object, ...left: unknown[]]>([
    [{}, ['status', undefined, undefined], ['seller', 2, 'customer.name'], ['total', 9, undefined]],
    [{ facets: ['seller'] }, ['seller', 2, 'customer.name']],
    // Callers get no label that they may not see, or filter by.
    [{ fields: { hide: ['customer.name', 'total'] } }, ['status', undefined, undefined], ['seller', 2, undefined]],
    [{ fields: { hide: ['customer'] }, facets: ['seller'] }, ['seller', 2, undefined]],
    [{ fields: ['id', 'seller'] }, ['seller', 2, undefined]],
    [{ fields: ['seller', 'customer'] }, ['seller', 2, 'customer.name']],
    [{ operators: { 'customer.name': [] }, facets: ['seller'] }, ['seller', 2, undefined]],
  ])('narrow keeps what callers may see: %o', (options, ...left) => {
    const narrowed = narrow(wide, options as never)
    expect(optionsOf(narrowed as typeof wide)).toEqual(left)
    expect(optionsOf(narrow(narrowed, {}) as typeof wide)).toEqual(left)
  })
})

describe('narrow removes facets', () => {
  const namesOf = ({
    facets,
    parameters,
  }: {
    facets: ReadonlyMap<string, unknown>
    parameters: ReadonlyMap<string, string>
  }) => [...facets.keys(), ...(parameters.has('facets') ? ['on'] : [])]
  const wide = defineCollection(orders, {
    key: 'id',
    fields: true,
    facets: ['status', 'tags', 'customer.country'],
    facetLimit: 7,
  })
  test.each<[options: object, ...left: string[]]>([
    [{}, 'status', 'tags', 'customer.country', 'on'],
    [{ facets: ['tags'] }, 'tags', 'on'],
    [{ facets: [] }],
    [{ facets: false }],
    // Hidden fields leave them.
    [{ fields: { hide: ['customer'] } }, 'status', 'tags', 'on'],
    [{ fields: { hide: ['customer', 'tags', 'status'] } }],
    // A facet has values of a field: where callers may not see or filter by it, it must be listed.
    [{ fields: ['id', 'customer'] }, 'customer.country', 'on'],
    [{ fields: ['id'], facets: ['status'] }, 'status', 'on'],
    [{ operators: { status: [] } }, 'tags', 'customer.country', 'on'],
    [{ operators: { status: [] }, facets: ['status'] }, 'status', 'on'],
  ])('%o', (options, ...left) => {
    const narrowed = narrow(wide, options as never)
    expect(namesOf(narrowed)).toEqual(left)
    expect(narrowed.facetLimit).toBe(7)
  })
  test.each<[options: object, message: string]>([
    [{ facets: ['seller'] }, 'facets has seller, which the collection does not have'],
    [{ facets: true }, 'facets must be false or a list of paths'],
    [{ facets: undefined }, 'options.facets is undefined: leave the option out to keep what the collection has'],
    [{ facets: ['tags'], fields: { hide: ['tags'] } }, 'facets has tags, which is hidden: callers know nothing of it'],
  ])('%o is refused', (options, message) => {
    expect(() => narrow(wide, options as never)).toThrow(new TypeError(message))
  })
})

describe('a restriction', () => {
  const restriction = o.equals('seller', 's-1')
  test('is joined to the filter and to each facet, on the field of the facet too', () => {
    const query = restrict(read('status=paid&facets=status,tags'), and(restriction, o.equals('status', 'held')))
    expect(filtersOf(query)).toEqual(['seller=s-1&status=held', 'status=paid&seller=s-1&and=(status=held)'])
  })
  test('is joined to the facets of a query revived from JSON', () => {
    const revived = JSON.parse(JSON.stringify(read('status=paid&facets=status,tags'))) as Query
    expect(filtersOf(restrict(revived, restriction))).toEqual(['seller=s-1', 'status=paid&seller=s-1'])
  })
  test('a query of an older version has no facets', () => {
    const { facets: _, ...older } = JSON.parse(JSON.stringify(read('status=paid'))) as Query
    expect(restrict(older, restriction)).not.toHaveProperty('facets')
  })
})

describe('a query revived from JSON is checked', () => {
  const facet = {
    lists: [['items']],
    path: ['product'],
    type: 'string',
    limit: 5,
    filter: { kind: 'and', filters: [] },
  }
  const query = (facets: unknown, more: object = {}) => ({ ...read(''), facets, ...more })
  test('its copy is frozen, without unknown parts', () => {
    const checked = checkQuery(query([{ ...facet, other: 1 }]))
    expect(checked.facets).toEqual([facet])
    expect(Object.isFrozen(checked.facets![0])).toBe(true)
  })
  test.each<[facets: unknown, message: string]>([
    [5, 'query.facets must be a list'],
    [[5], 'query.facets[0] must be an object'],
    [[{}], 'query.facets[0].lists must be a list'],
    [[{ ...facet, lists: [[]] }], 'query.facets[0].lists[0] must not be empty'],
    [[{ ...facet, path: ['$where'] }], "query.facets[0].path[0] must not begin with '$', as MongoDB's operators do"],
    [
      [{ ...facet, type: 'object' }],
      'query.facets[0].type must be string, uuid, integer, bigint, number, decimal, boolean, date, datetime or time',
    ],
    [[{ ...facet, max: 0 }], 'query.facets[0].max must be a whole number of at least 1'],
    [[{ ...facet, lists: [], label: [] }], 'query.facets[0].label must not be empty'],
    [[{ ...facet, label: ['seller'] }], 'query.facets must have no label in lists'],
    [[{ ...facet, limit: 0 }], 'query.facets[0].limit must be a whole number of at least 1'],
    [[facet, { ...facet, path: ['other'], filter: undefined }], 'query.facets[1].filter must be a filter'],
    [[facet, { ...facet, lists: [], path: ['items', 'product'] }], 'query.facets has items.product twice'],
    [[{ ...facet, lists: [], path: [] }], 'query.facets must have a path, or lists'],
  ])('%o', (facets, message) => {
    expect(() => checkQuery(query(facets))).toThrow(new TypeError(message))
  })
  test('no label is a hidden field', () => {
    const labelled = { ...facet, lists: [], label: ['tenant'] }
    expect(() => checkQuery(query([labelled], { hidden: [['tenant']] }))).toThrow('query.hidden has tenant, which')
  })
  test('no facet counts a hidden field', () => {
    expect(() => checkQuery(query([facet], { hidden: [['items']] }))).toThrow(
      'query.hidden has items.product, which query.sort, query.fields or query.facets has, too',
    )
  })
})

describe('text of a query', () => {
  test.each([
    'facets=status',
    'status=paid&facets=status,items.product',
    'and=(status=paid)&facets=status',
    'and=(status=paid)&facets=tags',
    'and=(status=paid)&and=(status[exists]=true)&facets=status',
    'total[gte]=1&and=(total[lte]=5)&facets=total',
    'and=(items(product=bed,arrival=2024-01-01))&facets=items.product,items.extras',
    'and=(tags[notEqual]=a)&tags=b&facets=tags',
    'or=(status=paid,total=5)&facets=status,total',
    // The facet has one of two equal conditions.
    'and=(status=paid)&status=paid&facets=status',
    'seller=a&and=(status=paid)&status=paid&facets=status',
  ])('%s reads as the same query', (text) => {
    const query = read(text)
    const printed = printQuery(collection, query)
    const again = read(printed)
    expect(withoutSpans(again)).toEqual(withoutSpans(query))
    expect(printQuery(collection, again)).toBe(printed)
  })
  test.each([
    // The facet has both conditions, so `tags[all]=a,b` would not do.
    'and=(tags=a)&and=(tags=b)&facets=tags',
    'status=paid&and=(status=paid)&facets=status',
    // The facet has one of two equal conditions, so `tags[all]=a,a` would not do.
    'and=(tags=a)&tags=a&facets=tags',
    // One bound is in the facet and one is not, so `total[range]=1,5` would not do.
    'and=(total[gte]=1)&total[lte]=5&seller=a&and=(seller=a)&facets=total',
    'total[gte]=1&and=(total[lte]=5)&seller=a&and=(seller=a)&facets=total',
  ])('%s is printed as it is', (text) => expect(printQuery(collection, read(text))).toBe(text))
  test('a condition that no group can name is refused, and not the facet that has it', () => {
    const named = defineSchema({ id: field.integer(), 'a(b': field.string() })
    const counted = defineCollection(named, { key: 'id', groups: true, facets: ['a(b'] })
    const twice = askedTwice(parseQueryOrThrow(counted, 'a(b[gte]=x&facets=a(b'))
    const issues = issuesOf(() => printQuery(counted, twice)) as readonly Issue[]
    expect(issues.map(({ parameters }) => parameters)).toEqual([
      { problem: 'filter', kind: 'comparison', hasGroups: true },
    ])
  })
  test('no text has the restriction', () => {
    for (const text of ['facets=status', 'status=held&facets=status,tags', 'and=(status=paid)&facets=status']) {
      const query = restrict(read(text), o.equals('status', 'paid'))
      expect(printQuery(collection, query)).toBe(text)
      expect(printQuery(collection, JSON.parse(JSON.stringify(query)) as Query)).toBe(text)
    }
  })
  test('no text has another filter, field or limit of a facet', () => {
    const query = read('facets=status')
    const [facet] = query.facets!
    const printed = (given: object) => () => printQuery(collection, { ...query, facets: [{ ...facet!, ...given }] })
    expect(printed({ filter: o.equals('seller', 'a') })).toThrow('query.facets[0].filter must be what query.asked')
    expect(printed({ path: ['seller'], type: 'string' })).toThrow('seller has no such facet')
    expect(printed({ type: 'integer' })).toThrow('status has no such facet')
    expect(printed({ limit: 5 })).toThrow('a facet has 50 values at most, not 5')
    expect(() => printQuery(collection, { ...query, facets: [] })).toThrow('facets is empty')
    // The facet leaves out the second condition, too, which a text has in a group.
    const twice = askedTwice(read('status=paid&facets=status'))
    expect(() => printQuery(collection, twice)).toThrow('a query string cannot express the facet of status')
  })
  test('a refusal has the field and the numbers as parameters', () => {
    const query = read('facets=status')
    const [facet] = query.facets!
    const parametersOf = (facets: readonly unknown[]) =>
      (issuesOf(() => printQuery(collection, { ...query, facets } as Query)) as readonly Issue[]).map(
        ({ parameters }) => parameters,
      )
    const withFacet = (given: object) => parametersOf([{ ...facet!, ...given }])
    expect(withFacet({ type: 'integer' })).toContainEqual({ problem: 'facet', field: 'status' })
    expect(withFacet({ lists: [], path: ['items', 'product'] })).toContainEqual({
      problem: 'facet',
      field: 'items.product',
    })
    expect(withFacet({ path: ['nope'] })).toContainEqual({ problem: 'facet', field: 'nope' })
    expect(withFacet({ limit: 5 })).toEqual([{ problem: 'facet_limit', found: 5, limit: 50 }])
    expect(parametersOf([])).toEqual([{ problem: 'no_facets' }])
  })
  test('buildQuery builds the query that parseQuery reads', () => {
    const filter = and(
      o.equals('status', 'paid'),
      o.some('items', (i) => and(i.equals('product', 'bed'), i.gte('arrival', '2024-01-01'))),
    )
    const built = buildQuery(collection, { filter, facets: ['items.product', 'status'] })
    const text = 'status=paid&items.product=bed&items.arrival[gte]=2024-01-01&facets=items.product,status'
    expect(built).toEqual(withoutSpans(read(text)))
    expect(printQuery(collection, built)).toBe(text)
    expect(() => buildQuery(collection, { facets: ['seller' as 'status'] })).toThrow(
      new TypeError('seller has no facet'),
    )
    expect(() => buildQuery(collection, { facets: [] })).toThrow(new TypeError('facets is empty'))
    expect(() => buildQuery(collection, { filter: o.equals('tenant', 'a'), facets: ['status'] })).toThrow(
      'tenant is hidden from callers: only a restriction can name it',
    )
  })
  test('queryString writes facets', () => {
    expect(queryString<typeof collection>({ filter: { status: 'paid' }, facets: ['status', 'customer.country'] })).toBe(
      'status=paid&facets=status,customer.country',
    )
    // @ts-expect-error seller has no facet
    expect(queryString<typeof collection>({ facets: ['seller'] })).toBe('facets=seller')
  })
})

/** A query without the spans of its parts. */
const withoutSpans = (query: Query): unknown =>
  JSON.parse(JSON.stringify(query, (name, value: unknown) => (name === 'span' ? undefined : value)))
