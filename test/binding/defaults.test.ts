/** The default conditions of a collection, in every front-end. */
import { describe, expect, test } from 'vitest'
import {
  and,
  buildQuery,
  defineCollection,
  defineSchema,
  field,
  keyQuery,
  narrow,
  parseObject,
  parseQuery,
  parseQueryOrThrow,
  printQuery,
  restrict,
  toPage,
  where,
  type CollectionOptions,
} from '../../src/index.ts'
import { fromTanStackTable } from '../../src/clients/grids/index.ts'
import { jsonApi, nestPaginate } from '../../src/clients/notations/index.ts'
import { createListService } from '../../src/service/index.ts'
import { memoryBackend } from '../../src/backends/memory/index.ts'
import { toolSchema } from '../../src/tools/openapi/index.ts'
import { sameFilter } from '../../src/tree.ts'

const schema = defineSchema({
  id: field.integer({ required: true }),
  status: field.enumeration(['open', 'held', 'closed'], { required: true }),
  title: field.string(),
  createdAt: field.datetime(),
  tenant: field.string(),
  tags: field.list(field.string()),
  comments: field.list(field.object({ author: field.string(), votes: field.integer() })),
})
const options = {
  ...{ key: 'id', sort: ['createdAt'], groups: true, search: ['title'], facets: ['status', 'title'], timeZone: true },
  ...{ hidden: ['tenant'], offset: { max: 100 }, aliases: { fields: { state: 'status' } } },
} as const satisfies CollectionOptions<typeof schema.fields>
const plain = defineCollection(schema, options)
const withDefault = (defaults: string, more: object = {}) =>
  defineCollection(schema, { ...options, ...more, defaults } as CollectionOptions<typeof schema.fields>)
const open = withDefault('status=open')

const printed = (text: string, collection = open) => printQuery(collection, parseQueryOrThrow(collection, text))

describe('a query without a condition on the field has the default', () => {
  test.each([
    ['', 'status=open'],
    ['title=a', 'title=a&status=open'],
    ['or=(title=a,title=b)', 'or=(title=a,title=b)&status=open'],
    // The words of a search come last, wherever the text has them.
    ['search=jo&title=a', 'title=a&status=open&search=jo'],
    ['sort=-createdAt&limit=5', 'status=open&sort=-createdAt&limit=5'],
  ])('%s: %s', (text, meant) => {
    expect(printed(text)).toBe(meant)
    const [query, same] = [parseQueryOrThrow(open, text), parseQueryOrThrow(plain, meant)]
    expect(sameFilter(query.filter, same.filter)).toBe(true)
    expect(printQuery(open, parseQueryOrThrow(open, meant))).toBe(meant)
  })

  test('the condition of a default has no span', () => {
    expect(parseQueryOrThrow(open, 'title=a').asked.map((part) => ('span' in part ? part.span : null))).toEqual([
      { start: 0, end: 7 },
      undefined,
    ])
  })

  test('a facet leaves out the default on its own field', () => {
    const { facets = [] } = parseQueryOrThrow(open, 'facets=status,title')
    expect(sameFilter(facets[0]!.filter, parseQueryOrThrow(plain, '').filter)).toBe(true)
    expect(sameFilter(facets[1]!.filter, parseQueryOrThrow(plain, 'status=open').filter)).toBe(true)
  })
})

describe('a query that names the field leaves the default out', () => {
  test.each([
    ['status=closed'],
    ['status[in]=open,closed'],
    ['status[notEqual]=closed'],
    ['status[exists]=true'],
    ['or=(status=closed,title=a)'],
    ['not=(or(status=held,title=a))'],
    ['and=(status=held,title=a)'],
  ])('%s', (text) => expect(printed(text)).toBe(printed(text, plain)))

  test('by an alias, too', () => expect(printed('state=closed')).toBe('status=closed'))

  test('the words of a search name no field', () => {
    const titled = withDefault('title[contains]=a')
    expect(printed('search=jo', titled)).toBe('title[contains]=a&search=jo')
  })

  test.each([
    ['comments.votes[gte]=5', 'comments.author=jo', 'comments.votes[gte]=5&comments.author=jo'],
    ['comments.author=al', 'comments.author=jo', 'comments.author=al'],
    ['and=(comments(author=al,votes=1))', 'comments.author=jo', 'and=(comments(author=al,votes=1))'],
    ['and=(comments.none(author=al))', 'comments.author=jo', 'and=(comments.none(author=al))'],
    ['and=(comments.none(votes=1))', 'comments.author=jo', 'and=(comments.none(votes=1))&comments.author=jo'],
    ['tags=a', 'tags[all]=b,c', 'tags=a'],
    ['title=a', 'tags[all]=b,c', 'title=a&tags[all]=b,c'],
  ])('%s, with the default %s: %s', (text, defaults, meant) =>
    expect(
      sameFilter(parseQueryOrThrow(withDefault(defaults), text).filter, parseQueryOrThrow(plain, meant).filter),
    ).toBe(true),
  )

  test('each field has its own default, and two conditions on one field are one', () => {
    const both = withDefault('status=open&createdAt[gte]=2024-01-01&createdAt[lt]=2025-01-01')
    expect(printed('status=held', both)).toBe(
      'status=held&createdAt[gte]=2024-01-01&createdAt[lt]=2025-01-01&timeZone=UTC',
    )
    expect(printed('createdAt[lt]=2020-01-01', both)).toBe('createdAt[lt]=2020-01-01&status=open&timeZone=UTC')
  })
})

describe('every front-end has the default', () => {
  const filterOf = (text: string) => parseQueryOrThrow(plain, text).filter
  const sameAs = (result: ReturnType<typeof parseObject>, text: string) =>
    expect(result.ok && sameFilter(result.query.filter, filterOf(text))).toBe(true)

  test('objects', () => {
    sameAs(parseObject(open, { title: 'a' }), 'title=a&status=open')
    sameAs(parseObject(open, { 'status[in]': ['held'] }), 'status[in]=held')
  })
  test('notations', () => {
    sameAs(parseQuery(open, 'filter[title]=a', { notation: jsonApi }) as never, 'title=a&status=open')
    const counted = withDefault('status=open', { count: true })
    sameAs(parseQuery(counted, 'filter.status=$eq:held', { notation: nestPaginate }) as never, 'status=held')
    sameAs(parseQuery(counted, 'filter.title=$eq:a', { notation: nestPaginate }) as never, 'title=a&status=open')
  })
  test('grids', () => {
    sameAs(fromTanStackTable(open, { columnFilters: [] }) as never, 'status=open')
    const titled = fromTanStackTable(withDefault('title=a'), { columnFilters: [{ id: 'title', value: 'b' }] })
    expect(titled.ok && titled.query.asked).toHaveLength(1)
  })
  test('but one row by its key, and a query of a program, have none', () => {
    const row = keyQuery(open, '5')
    expect(row.ok && sameFilter(row.query.filter, filterOf('id=5'))).toBe(true)
    expect(buildQuery(open, { filter: where(schema).equals('title', 'a') }).asked).toHaveLength(1)
  })
})

describe('the values', () => {
  test.each([
    ['title=a%2Cb+c', 'title=a,b+c&status=held'],
    ['title[in]="a,b","","c\\"d\\\\",e"f', 'title[in]=%22a,b%22,%22%22,c%22d%5C,e%22f&status=held'],
    ['title[in]=%22a%2Cb%22%2Cc', 'title[in]=%22a,b%22,c&status=held'],
    ['title=', 'title=&status=held'],
    ['createdAt[range]=2024-01-01,2024-01-31', 'createdAt[range]=2024-01-01,2024-01-31&status=held'],
    ['comments[exists]=false', 'comments[exists]=false&status=held'],
    ['tags[atLeast]=2', 'tags[atLeast]=2&status=held'],
  ])('%s', (defaults, meant) => {
    const query = parseQueryOrThrow(withDefault(defaults), 'status=held')
    expect(
      sameFilter(query.filter, parseQueryOrThrow(plain, `status=held&${meant.replace('&status=held', '')}`).filter),
    ).toBe(true)
  })

  const recent = withDefault('createdAt[gte]=today')
  const at = (text: string, now: string, more: object = {}) =>
    parseQueryOrThrow(recent, text, { now: new Date(now), ...more })

  test('a time that is relative to now is read with the clock of the query', () => {
    const query = at('', '2024-06-01T23:30:00Z', { timeZone: 'Asia/Tokyo' })
    expect(query.clock).toEqual({ timeZone: 'Asia/Tokyo', now: '2024-06-01T15:00:00.000Z' })
    expect(sameFilter(query.filter, where(schema).gte('createdAt', '2024-06-01T15:00:00Z'))).toBe(true)
    const chosen = at('timeZone=Asia/Tokyo', '2024-06-01T23:30:00Z')
    expect(sameFilter(chosen.filter, query.filter)).toBe(true)
  })

  test('and the next page has the clock of the first', () => {
    const first = at('limit=1', '2024-06-01T23:30:00Z')
    const { next } = toPage(first, [
      { id: 1, status: 'open', createdAt: '2024-06-01T12:00:00Z' },
      { id: 2, status: 'open', createdAt: '2024-06-01T12:00:00Z' },
    ])
    const second = at(`limit=1&cursor=${next}`, '2024-06-02T00:30:00Z')
    expect(sameFilter(second.filter, first.filter)).toBe(true)
  })
})

describe('a pair without a value', () => {
  const form = withDefault('status=open', { empty: 'ignore' })
  test('of its field leaves the default out', () => {
    expect(parseQueryOrThrow(form, 'status=').asked).toEqual([])
    expect(parseQueryOrThrow(form, 'state=').asked).toEqual([])
    expect(parseQueryOrThrow(form, 'status[in]=&title=').asked).toEqual([])
    expect(printed('title=', form)).toBe('status=open')
    const ofObject = parseObject(form, { status: '' })
    expect(ofObject.ok && ofObject.query.asked).toEqual([])
    const repeated = withDefault('status=open', { empty: 'ignore', lists: 'repeated' })
    expect(parseQueryOrThrow(repeated, 'status=').asked).toEqual([])
    expect(parseQueryOrThrow(repeated, 'status[]=').asked).toEqual([])
  })
  test('prints a query without a condition', () => {
    expect(printed('status=&title=a', form)).toBe('title=a&status=')
    const twice = withDefault('status[notEqual]=held&status[nin]=closed', { empty: 'ignore' })
    expect(printed('status=', twice)).toBe('status=')
    const built = buildQuery(form, { filter: where(schema).equals('title', 'a'), search: ['jo'] })
    expect(printQuery(form, built)).toBe('title=a&status=&search=jo')
  })
  test('a collection without empty refuses to print that query', () => {
    const built = buildQuery(open, { filter: where(schema).equals('title', 'a') })
    expect(() => printQuery(open, built)).toThrow(
      'a text without a condition on status has that of the option defaults',
    )
  })
})

describe('narrow leaves out the defaults that its callers may not write', () => {
  const both = withDefault('status=open&title=a')
  test.each([
    [{ fields: { hide: ['status'] } }, 'title=a'],
    [{ operators: { status: ['in'] } }, 'title=a'],
    [{ operators: { status: [] } }, 'title=a'],
    [{ operators: { status: ['equals'] } }, 'status=open&title=a'],
    [{ limit: { max: 5 } }, 'status=open&title=a'],
  ] as const)('%j: %s', (narrowing, meant) => {
    const narrowed = narrow(both, narrowing as never)
    expect(printed('', narrowed as never)).toBe(meant)
    expect(printed('', narrow(narrowed, { search: false }) as never)).toBe(meant)
  })
})

test('a restriction stays, whatever the client names', () => {
  const query = restrict(parseQueryOrThrow(open, 'status=closed'), where(schema).equals('tenant', 't-1'))
  const rows = [
    { id: 1, status: 'closed', tenant: 't-1' },
    { id: 2, status: 'closed', tenant: 't-2' },
    { id: 3, status: 'open', tenant: 't-1' },
  ]
  expect(memoryBackend().compileQuery(query)(rows).rows).toEqual([rows[0]])
})

test('descriptions name the default', () => {
  expect(toolSchema(open).description).toContain('Without a condition on status, `status=open` applies.')
})

test.each([
  [5, "defaults must be conditions: 'status=open'"],
  ['', "defaults must be conditions: 'status=open'"],
  ['status', 'defaults has status: expected path=value or path[operator]=value'],
  ['status=open&', 'defaults has , which is not a field of the schema'],
  ['[in]=a', 'defaults has , which is not a field of the schema'],
  ['status[]=open', 'defaults has status[]=open: expected path=value or path[operator]=value'],
  ['title=%zz', 'defaults has title=%zz: a % begins no escape'],
  ['stauts=open', 'defaults has stauts, which is not a field of the schema'],
  ['tenant=a', 'defaults has tenant, which is hidden: callers know nothing of it'],
  ['or=(status=open)', 'defaults has or, which is not a field of the schema'],
  ['limit=5', 'defaults has limit, which is not a field of the schema'],
  ['status[gte]=open', 'defaults has status[gte]=open: callers may not use gte for status'],
  ['status[is]=open', 'defaults has status[is]=open: is is not an operator'],
  ['status=opn', 'defaults has status=opn: expected one of open, held, closed'],
  ['createdAt[gte]=soon', 'defaults has createdAt[gte]=soon: expected '],
  ['status=open&status=held', 'defaults has status=held: the path and its operator come twice'],
  [
    'createdAt[range]=2024-01-01',
    'defaults has createdAt[range]=2024-01-01: expected two values with commas between them',
  ],
  ['status[in]=open,,held', 'defaults has status[in]=open,,held: expected values with commas between them'],
  ['status[in]="open', 'defaults has status[in]="open: expected values with commas between them'],
])('defaults %j: TypeError', (defaults, message) => {
  // `defineCollection` knows the paths. A front-end that only writes queries does not load the readers of values.
  const read = () => parseQuery(withDefault(defaults as string), '')
  expect(read).toThrow(TypeError)
  expect(read).toThrow(message)
})

test('a service and narrow refuse a wrong value at once', () => {
  const wrong = withDefault('status=opn')
  const rows = { find: () => [] }
  const serve = () =>
    createListService({
      authenticate: () => ({}),
      collections: { tickets: { collection: wrong, rows, restriction: () => and() } },
    })
  for (const make of [serve, () => narrow(wrong, { search: false })])
    expect(make).toThrow(new TypeError('defaults has status=opn: expected one of open, held, closed'))
})

test('the default counts neither for the pairs of a text nor for its searches', () => {
  const limits = { pairs: 1, searches: 1 }
  const searched = withDefault('title[contains]=a&status=open')
  expect(parseQuery(searched, 'tags[contains]=b', { limits }).ok).toBe(true)
})
