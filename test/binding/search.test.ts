/** The parameter `search`: its words, their filter, and the fields that callers of a narrowed collection can search. */
import { describe, expect, test, vi } from 'vitest'
import {
  and,
  buildQuery,
  defineCollection,
  defineSchema,
  field,
  FilterError,
  narrow,
  not,
  or,
  parseQuery,
  parseQueryOrThrow,
  printQuery,
  queryString,
  restrict,
  toPage,
  where,
  type Query,
} from '../../src/index.ts'
import { memoryBackend } from '../../src/backends/memory/index.ts'
import { sameFilter } from '../../src/tree.ts'
import { issuesIn, issuesOf } from '../issues.ts'
import { byHand } from '../by-hand.ts'
import { combine, plainWords, searchMembers } from '../../src/query/index.ts'

const schema = defineSchema({
  id: field.integer(),
  name: field.string(),
  note: field.string(),
  status: field.enumeration(['paid', 'held']),
  tags: field.list(field.string()),
  items: field.list(field.object({ product: field.string(), price: field.number() })),
})
const options = { key: 'id', fields: true, count: true, sort: ['name'] } as const
const searched = ['name', 'note', 'tags', 'items.product'] as const
const collection = defineCollection(schema, { ...options, search: searched })
const grouped = defineCollection(schema, { ...options, search: searched, groups: true })
const one = defineCollection(schema, { ...options, search: ['name'] })

const rows = [
  { id: 1, name: 'Jo Smith', note: 'wants a surf lesson', tags: ['sea'], items: [{ product: 'board', price: 1 }] },
  { id: 2, name: 'JOANNA', note: null, tags: ['Surf', null], items: [] },
  { id: 3, name: 'Ann', note: 'jo called', tags: [], items: [{ product: 'bed' }, { product: 'Surf board' }] },
  { id: 4, name: 'Ann', note: 'a "surf" lesson', tags: ['jo surf'] },
  { id: 5, name: 'Äpfel, 100%_', note: 'back\\slash', tags: ['x'], items: [{ product: 'ham' }, { product: 'jam' }] },
  { id: 6 },
]
const idsOf = (query: Query) =>
  memoryBackend()
    .compileQuery(query)(rows)
    .rows.map((row) => (row as { id: number }).id)
const ids = (text: string, asked = collection) => idsOf(parseQueryOrThrow(asked, text))
const words = (text: string) => parseQueryOrThrow(one, text).search

const selections: readonly (readonly [text: string, ids: readonly number[]])[] = [
  ['search=jo', [1, 2, 3, 4]],
  ['search=jo+surf', [1, 2, 3, 4]],
  ['search=SURF%20jo', [1, 2, 3, 4]],
  ['search="jo+surf"', [4]],
  ['search=%22jo surf%22', [4]],
  ['search=jo+smith', [1]],
  ['search=ann', [2, 3, 4]],
  ['search=ann+jo&name=Ann', [3, 4]],
  // Two words, in two entries of one list.
  ['search=ham+jam', [5]],
  ['search=bed+board', [3]],
  ['search="bed board"', []],
  ['search=%C3%A4PFEL', [5]],
  // Every character means itself.
  ['search=%25_', [5]],
  ['search=100%25', [5]],
  ['search=_0', []],
  ['search=\\', [5]],
  ['search="\\"surf\\""', [4]],
  ['search=a"', []],
  ['search=zz', []],
]
test.each(selections)('%s selects %j', (text, expected) => expect(ids(text)).toEqual(expected))

const spellings: readonly (readonly [text: string, words: readonly string[] | undefined])[] = [
  ['search=jo', ['jo']],
  ['search=+jo++surf+', ['jo', 'surf']],
  ['search=jo%20surf', ['jo', 'surf']],
  ['search=jo surf', ['jo', 'surf']],
  ['limit=5&search=jo', ['jo']],
  ['search=jo%09surf%0D%0Asea', ['jo', 'surf', 'sea']],
  ['search=jo%C2%A0surf%e3%80%80sea\u3000x\u00a0y', ['jo', 'surf', 'sea', 'x', 'y']],
  ['search=jo%2Bsurf', ['jo+surf']],
  ['search="jo  surf"+sea', ['jo  surf', 'sea']],
  ['search=%22jo%E3%80%80surf%22', ['jo\u3000surf']],
  ['search="a,b",c', undefined],
  ['search=a,b', ['a,b']],
  ['search=5"+x"y"', ['5"', 'x"y"']],
  ['search=a\\b', ['a\\b']],
  ['search="a\\\\b\\""', ['a\\b"']],
  ['search="+"', [' ']],
  ['search=jo+jo', ['jo', 'jo']],
  ['search=a+b+c+d+e+f+g+h', ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']],
]
test.each(spellings)('%s has the words %j', (text, expected) => {
  if (expected === undefined) expect(parseQuery(one, text).ok).toBe(false)
  else expect(words(text)).toEqual(expected)
})

const details: readonly (readonly [text: string, limits: object, ...issues: readonly (readonly [string, object])[]])[] =
  [
    ['search=""', {}, ['operand_empty', { of: 'search', allowsEmptyText: false, parameter: 'search' }]],
    ['search=+', {}, ['operand_empty', { of: 'search', allowsEmptyText: false, parameter: 'search' }]],
    ['search="jo', {}, ['operand_quote', { problem: 'unterminated' }]],
    ['search=a+b+c+d+e+f+g+h+i', {}, ['limit_list', { of: 'parameter', found: 9, limit: 8 }]],
    ['search=abcd', { operand: 4 }],
    ['search=abcde', { operand: 4 }, ['limit_operand', { found: 5, limit: 4 }]],
    // The parser counts the words of a valid search, and parses only the first search.
    ['search=a+"jo', { searches: 1 }, ['operand_quote', { problem: 'unterminated' }]],
    ['search="jo&name[contains]=x', { searches: 1 }, ['operand_quote', { problem: 'unterminated' }]],
    ['search=a&search=', {}, ['parameter_duplicate', { parameter: 'search', advice: [] }]],
    ['search=a&sort=nam&limit=x', {}, ['field_unknown', {}], ['parameter_invalid', {}]],
  ]
const expectDetails = (parse: typeof parseQuery, of: typeof one) => {
  for (const [text, limits, ...issues] of details) {
    const result = parse(of, text, { limits })
    const expected = issues.map(([code, parameters]) => ({ code, parameters }))
    expect(result.ok ? [] : result.issues, text).toMatchObject(expected)
    expect(result.ok ? 0 : result.issues.length, text).toBe(expected.length)
  }
}
test('each fault has one issue with parameters', () => expectDetails(parseQuery, one))

test('a second copy of the library, such as the CommonJS format, reads the same words', async () => {
  vi.resetModules()
  const copy = await import('../../src/index.ts')
  const own = copy.defineSchema(schema.fields as never)
  const both = ['name', searched].map((search) =>
    copy.defineCollection(own, { ...options, search: [search].flat() } as never),
  ) as unknown as readonly [typeof one, typeof collection]
  for (const [text, expected] of spellings) {
    const result = copy.parseQuery(both[0], text)
    expect(result.ok ? result.query.search : undefined, text).toEqual(expected)
    if (result.ok)
      expect(copy.printQuery(both[0], result.query), text).toBe(printQuery(one, parseQueryOrThrow(one, text)))
  }
  expectDetails(copy.parseQuery, both[0])
  for (const [text, expected] of selections)
    expect(idsOf(copy.parseQueryOrThrow(both[1], text)), text).toEqual(expected)
})

const fault = (text: string, asked = one, limits = {}) =>
  issuesIn(parseQuery(asked, text, { limits })).map(({ code, span }) => [code, text.slice(span!.start, span!.end)])

test.each([
  ['search=', 'operand_empty', ''],
  ['search=+%20', 'operand_empty', '+%20'],
  ['search=""', 'operand_empty', '""'],
  ['search=a+%22%22', 'operand_empty', '%22%22'],
  ['search="jo', 'operand_quote', '"jo'],
  ['search=a+"jo b', 'operand_quote', '"jo b'],
  ['search="jo"x', 'operand_quote', '"jo"x'],
  ['search="jo""x"', 'operand_quote', '"jo""x"'],
  ['search="a\\b"', 'operand_quote', '"a\\b"'],
  ['search=a+b+c+d+e+f+g+h+i+j', 'limit_list', 'i+j'],
  ['search=a&search=b', 'parameter_duplicate', 'search'],
  ['search', 'syntax_missing_equals', 'search'],
  ['search[contains]=a', 'field_unknown', 'search'],
  ['search=%zz', 'syntax_encoding', '%'],
])('%s is %s at %s', (text, code, place) => {
  expect(fault(text)).toEqual([[code, place]])
})

test('a limit of lists bounds the words, and that of operands bounds each word', () => {
  expect(fault('search=a+b+c', one, { list: 2 })).toEqual([['limit_list', 'c']])
  expect(fault('search=a+bcd+"e+f+g"', one, { operand: 2 })).toEqual([
    ['limit_operand', 'bcd'],
    ['limit_operand', '"e+f+g"'],
  ])
  expect(fault(`search=${'a'.repeat(1_025)}`)).toEqual([['limit_operand', 'a'.repeat(1_025)]])
})

test('the words of a search do not count as searches of the caller: there are at most 8, for any number of fields', () => {
  expect(fault('search=a+b+c+d+e+f+g+h', collection)).toEqual([])
  expect(fault('search=a+b', collection, { searches: 0 })).toEqual([])
  const two = 'name[contains]=x&note[contains]=y'
  expect(fault(`${two}&search=a+b+c`, collection, { searches: 2 })).toEqual([])
  expect(fault(`${two}&search=a+b+c&name[endsWith]=z`, collection, { searches: 2 })).toEqual([
    ['limit_searches', 'name[endsWith]=z'],
  ])
  const result = parseQuery(collection, 'name[contains]=x&search=a+b+c', { limits: { searches: 0 } })
  expect(result.ok ? undefined : result.issues.map(({ hint }) => hint)).toEqual([
    'remove 1 of the conditions with contains',
  ])
})

test('the filter is an and of ors of contains, after all other conditions', () => {
  const w = where(schema)
  const word = (text: string) =>
    or(
      w.contains('name', text),
      w.contains('note', text),
      w.some('tags', (tag) => tag.contains(text)),
      w.some('items', (item) => item.contains('product', text)),
    )
  const expected = and(w.equals('status', 'paid'), word('jo'), word('surf'))
  expect(sameFilter(parseQueryOrThrow(collection, 'search=jo+surf&status=paid').filter, expected)).toBe(true)
  expect(sameFilter(parseQueryOrThrow(collection, 'search=jo').filter, word('jo'))).toBe(true)
  expect(parseQueryOrThrow(one, 'search=jo').filter).toEqual({
    kind: 'or',
    filters: [{ kind: 'match', path: ['name'], mode: 'substring', text: 'jo', span: { start: 7, end: 9 } }],
    span: { start: 7, end: 9 },
  })
})

test('the span of the filter covers the search, which comes last in it, wherever the text has it', () => {
  for (const [text, start, end] of [
    ['search=jo&id=1', 7, 14],
    ['search=jo&id=1&note=a', 7, 21],
    ['id=1&search=jo', 0, 14],
    ['id=1&search=jo+x&note=a', 0, 23],
  ] as const) {
    const { filter } = parseQueryOrThrow(one, text)
    expect([text, filter.span]).toEqual([text, { start, end }])
  }
})

test('without the option, and by another name, the parameter is unknown', () => {
  const off = defineCollection(schema, options)
  expect(fault('search=jo', off)).toEqual([['field_unknown', 'search']])
  const renamed = defineCollection(schema, { ...options, search: ['name'], parameters: { search: 'q' } })
  expect(ids('q=jo', renamed)).toEqual([1, 2])
  const result = parseQuery(renamed, 'search=jo')
  expect(result.ok ? undefined : result.issues[0]).toMatchObject({
    code: 'field_unknown',
    hint: 'write q=…',
    suggestion: { span: { start: 0, end: 7 }, insert: 'q=' },
  })
  expect(printQuery(renamed, parseQueryOrThrow(renamed, 'q=jo'))).toBe('q=jo')
})

test.each([
  ['q=jo', [{ start: 2, end: 4 }]],
  // Words that have a fault are not kept.
  ['q="jo', []],
  ['q=', []],
  ['q=a+b+c+d+e+f+g+h+i', []],
])('the search of another API has a hint, which keeps words without a fault: %s', (text, operands) => {
  const result = parseQuery(one, text)
  const example = { kind: 'write', text: 'search=…', reason: 'spelling', isExample: true }
  expect(result.ok ? [] : result.issues.map(({ parameters }) => parameters)).toEqual([
    { problem: 'name', name: 'q', advice: [{ ...example, replaces: { start: 0, end: text.length }, operands }] },
  ])
})

describe('defineCollection refuses', () => {
  test.each([
    [['total'], 'search has total, which is not a field of the schema'],
    [['status'], 'search has status, which has type enumeration, not string'],
    [['id'], 'search has id, which has type integer, not string'],
    [['items'], 'search has items, which has type object, not string'],
    [['name', 'name'], 'search has name twice'],
    [[], 'search must have a field'],
    [true, 'search must be a list of paths'],
    ['name', 'search must be a list of paths'],
  ])('search: %j', (search, message) => {
    expect(() => defineCollection(schema, { ...options, search: search as never })).toThrow(new TypeError(message))
  })
  test('a hidden field, a name of a field, and a name without the option', () => {
    expect(() => defineCollection(schema, { ...options, hidden: ['note'], search: ['note'] } as never)).toThrow(
      'search has note, which is hidden: callers know nothing of it',
    )
    const clash = defineSchema({ id: field.integer(), search: field.string() })
    expect(() => defineCollection(clash, { key: 'id', search: ['search'] })).toThrow(
      'the parameter search is a field of the schema: rename it by parameters.search',
    )
    // Without the option, a field can have the name.
    expect(parseQuery(defineCollection(clash, { key: 'id' }), 'search=x').ok).toBe(true)
    expect(() => defineCollection(schema, { ...options, parameters: { search: 'q' } })).toThrow(
      'parameters.search has a name, but the collection does not allow it',
    )
  })
})

describe('printing', () => {
  test.each([
    ['search=jo', 'search=jo'],
    ['search=jo++surf&status=paid', 'status=paid&search=jo+surf'],
    ['search="jo surf"+a%22&count=true&limit=5', 'limit=5&count=true&search=%22jo+surf%22+a%22'],
    ['search="\\"a"+"a"', 'search=%22%5C%22a%22+a'],
    ['search="a%C2%A0b"', 'search=%22a%C2%A0b%22'],
    ['search=a,b(c)&sort=-name', 'sort=-name&search=a,b(c)'],
    ['search=a%2Bb', 'search=a%2Bb'],
  ])('%s is %s', (text, printed) => {
    for (const asked of [collection, grouped]) {
      const query = parseQueryOrThrow(asked, text)
      expect(printQuery(asked, query)).toBe(printed)
      const again = parseQueryOrThrow(asked, printed)
      expect(again.search).toEqual(query.search)
      expect(sameFilter(again.filter, query.filter)).toBe(true)
      expect(printQuery(asked, JSON.parse(JSON.stringify(query)) as Query)).toBe(printed)
    }
  })
  test.each([
    ['or=(name=a,note=b)&search=jo', 'or=(name=a,note=b)&search=jo'],
    ['and=(name=a,note=b)&search=jo+x', 'and=(name=a,note=b)&search=jo+x'],
    ['and=(name=a)&search=jo', 'and=(name=a)&search=jo'],
    ['or=(name[contains]=jo,note[contains]=jo)&search=jo', 'or=(name[contains]=jo,note[contains]=jo)&search=jo'],
    ['and=(items(price=1),items(price=2))&search=jo', 'and=(items.price=1,and(items.price=2))&search=jo'],
  ])('beside groups, %s is %s', (text, printed) => {
    const query = parseQueryOrThrow(grouped, text)
    const again = printQuery(grouped, query)
    expect(sameFilter(parseQueryOrThrow(grouped, again).filter, query.filter)).toBe(true)
    if (!text.includes('items')) expect(again).toBe(printed)
  })
  test('a search of a field that no group can name stays a search', () => {
    const named = defineSchema({ id: field.integer(), 'a(b': field.string(), status: field.string() })
    const asked = defineCollection(named, { key: 'id', groups: true, search: ['a(b'] })
    for (const text of ['search=jo', 'status=paid&search=jo+x', 'or=(status=a,id=1)&search=jo'])
      expect(printQuery(asked, parseQueryOrThrow(asked, text))).toBe(text)
  })
  test('a group that means the same as a search stays a group', () => {
    const text = 'or=(name[contains]=jo,note[contains]=jo,tags[contains]=jo,items.product[contains]=jo)'
    const query = parseQueryOrThrow(grouped, text)
    expect(query.search).toBeUndefined()
    expect(printQuery(grouped, query)).toBe(text)
  })
  const refusalsOf = (asked: typeof collection, query: Query) =>
    (issuesOf(() => printQuery(asked, query)) as FilterError['issues']).map(({ parameters }) => parameters)
  test('a collection that means something else by the words refuses them', () => {
    const query = parseQueryOrThrow(collection, 'search=jo')
    expect(refusalsOf(one as never, query)).toContainEqual({ problem: 'search' })
    const words = 'a b c d e f g h i'.split(' ')
    const asked = searchMembers(grouped, plainWords(words))
    expect(refusalsOf(grouped, { ...query, asked, filter: combine(asked), search: words })).toContainEqual({
      problem: 'search',
      found: 9,
      limit: 8,
    })
    const off = defineCollection(schema, { ...options, groups: true })
    expect(refusalsOf(off as never, query)).toContainEqual({ problem: 'search' })
  })
  test.each([['joe'], ['jo x'], ['x surf'], ['surf jo'], ['jo jo']])(
    'query.asked does not end with the words of the search: %s',
    (words) => {
      const query = { ...parseQueryOrThrow(collection, 'search=jo+surf'), search: words.split(' ') }
      expect(() => printQuery(grouped, query)).toThrow('query.asked must end with the conditions of query.search')
    },
  )
  test('without its words, the filter stays whole', () => {
    const { search: _, ...rest } = parseQueryOrThrow(grouped, 'search=jo&name=a')
    expect(printQuery(grouped, rest)).toBe(
      'name=a&or=(name[contains]=jo,note[contains]=jo,tags[contains]=jo,items.product[contains]=jo)',
    )
    expect(() => printQuery(collection, rest)).toThrow(FilterError)
  })
})

test.each([[[]], ['jo'], [['']], [['a', 5]], [['\0']], [['\ud800']], [[null]]])(
  'a revived query has a search of texts, not %j',
  (search) => {
    const query = { ...parseQueryOrThrow(collection, 'search=jo'), search }
    expect(() => restrict(query as never, and())).toThrow(/^query\.search/)
  },
)

test('a restriction keeps the search, is in no text, and joins rows to nothing', () => {
  const w = where(schema)
  for (const text of ['search=jo+surf', 'search=jo&status=paid', 'search=jo&note=x&status=paid']) {
    const query = parseQueryOrThrow(grouped, text)
    const restricted = restrict(query, or(w.equals('id', 1), w.equals('id', 4)))
    expect(restricted.search).toEqual(query.search)
    expect(idsOf(restricted)).toEqual(idsOf(query).filter((id) => id === 1 || id === 4))
    expect(printQuery(grouped, restricted)).toBe(printQuery(grouped, query))
    expect(sameFilter(restricted.filter, and(query.filter, or(w.equals('id', 1), w.equals('id', 4))))).toBe(true)
  }
  // More words than the query has members, as a forged query may have.
  for (const filter of [and(), not(w.equals('id', 1)), and(w.equals('id', 1), w.equals('name', 'Jo Smith'))]) {
    const forged = byHand(parseQueryOrThrow(grouped, ''), { filter, search: ['a', 'b', 'c', 'd', 'e'] })
    expect(() => restrict(forged, w.equals('id', 2))).toThrow('query.asked must end with')
  }
})

test('pages walk through a search', () => {
  const text = 'search=jo&limit=1&sort=-name'
  const seen: number[] = []
  for (let cursor = ''; seen.length < 10;) {
    const query = parseQueryOrThrow(collection, `${text}${cursor && `&cursor=${cursor}`}`)
    const page = toPage(query, memoryBackend().compileQuery(query)(rows).rows)
    seen.push(...page.rows.map((row) => (row as { id: number }).id))
    if (page.next === undefined) break
    cursor = page.next
  }
  expect(seen).toEqual([1, 2, 4, 3])
})

test('facets leave out their own conditions, and keep the search', () => {
  const counted = defineCollection(schema, {
    ...options,
    search: ['name', 'note'],
    groups: true,
    facets: ['status', 'tags'],
  })
  const text = 'status=paid&tags=sea&search=jo+surf&facets=status,tags'
  const query = parseQueryOrThrow(counted, text)
  const filters = [query.filter, ...query.facets!.map(({ filter }) => filter)]
  const expected = ['status=paid&tags=sea', 'tags=sea', 'status=paid'].map(
    (rest) => parseQueryOrThrow(counted, `${rest}&search=jo+surf`).filter,
  )
  for (const [at, filter] of filters.entries()) expect(sameFilter(filter, expected[at]!)).toBe(true)
  expect(printQuery(counted, query)).toBe(text)
  const built = buildQuery(counted, {
    filter: parseQueryOrThrow(counted, 'status=paid&tags=sea').filter,
    search: ['jo', 'surf'],
    facets: ['status', 'tags'],
  })
  expect(printQuery(counted, built)).toBe(text)
  for (const [at, { filter }] of built.facets!.entries()) expect(sameFilter(filter, expected[at + 1]!)).toBe(true)
  // A restriction is in the filter of each facet, and in no text.
  const mine = where(schema).equals('id', 1)
  const restricted = restrict(query, mine)
  expect(printQuery(counted, restricted)).toBe(text)
  for (const [at, { filter }] of restricted.facets!.entries())
    expect(sameFilter(filter, and(query.facets![at]!.filter, mine))).toBe(true)
})

describe('code', () => {
  test('buildQuery has the words of a search', () => {
    const built = buildQuery(collection, {
      filter: where(schema).equals('status', 'paid'),
      search: ['jo', 'surf board'],
    })
    const read = parseQueryOrThrow(collection, 'status=paid&search=jo+"surf+board"')
    expect(built.search).toEqual(['jo', 'surf board'])
    expect(sameFilter(built.filter, read.filter)).toBe(true)
    expect(printQuery(collection, built)).toBe('status=paid&search=jo+%22surf+board%22')
    const hard = ['100%', 'a+b&c=d', '"', 'x"', '\\', ' ', 'a,b', '"a" b']
    const printed = printQuery(one, buildQuery(one, { search: hard }))
    expect(words(printed)).toEqual(hard)
    const w = where(schema)
    const nested = and(w.equals('name', 'a'), w.equals('note', 'b'))
    expect(printQuery(collection, buildQuery(collection, { filter: nested, search: ['x'] }))).toBe(
      'name=a&note=b&search=x',
    )
  })
  test.each(['', 'jo', [], [''], ['a', ''], [5], null, ['\0'], ['\ud800']])('buildQuery refuses %j', (search) => {
    expect(() => buildQuery(collection, { search: search as never })).toThrow(TypeError)
  })
  test('buildQuery refuses a search that the collection does not allow, and too many words', () => {
    expect(() => buildQuery(defineCollection(schema, options), { search: ['jo'] })).toThrow('search is not allowed')
    expect(() => buildQuery(one, { search: 'a b c d e f g h i'.split(' ') })).toThrow(
      'the search has 9 words, more than 8',
    )
  })
  test('a narrowed collection builds its search beside its own conditions', () => {
    const closed = defineCollection(schema, { ...options, search: ['note'], operators: { note: [] } })
    expect(printQuery(closed, buildQuery(closed, { search: ['jo'] }))).toBe('search=jo')
    expect(() => buildQuery(closed, { filter: where(schema).contains('note', 'jo'), search: ['jo'] })).toThrow(
      'operator contains is not available for note',
    )
    expect(fault('note[contains]=jo', closed)).toEqual([['operator_not_applicable', 'contains']])
    expect(ids('search=called', closed)).toEqual([3])
  })
  test('queryString writes the text as it is', () => {
    expect(queryString<typeof collection>({ filter: { status: 'paid' }, search: 'jo "surf board" 100%' })).toBe(
      'status=paid&search=jo+%22surf+board%22+100%25',
    )
    expect(queryString({ search: 'jo' }, { search: 'q' })).toBe('q=jo')
    expect(queryString({ search: undefined })).toBe('')
    expect(() => queryString({ search: '' })).toThrow('search must be text with a word or more: leave it out for none')
    expect(() => queryString({ search: 5 as never })).toThrow(TypeError)
  })
  test('the compiler knows the paths of texts', () => {
    // @ts-expect-error a number is not searched
    expect(() => defineCollection(schema, { ...options, search: ['items.price'] })).toThrow(TypeError)
    // @ts-expect-error no such field
    expect(() => defineCollection(schema, { ...options, search: ['nme'] })).toThrow(TypeError)
  })
})

describe('narrow', () => {
  const names = (asked: { readonly search: readonly { readonly name: string }[] }) =>
    asked.search.map(({ name }) => name)
  test('a hidden field leaves the search', () => {
    expect(names(narrow(collection, { fields: { hide: ['note'] } }))).toEqual(['name', 'tags', 'items.product'])
    expect(names(narrow(collection, { fields: { hide: ['items'] } }))).toEqual(['name', 'note', 'tags'])
    expect(ids('search=called', narrow(collection, { fields: { hide: ['note'] } }) as never)).toEqual([])
  })
  test('a field without contains leaves the search', () => {
    expect(names(narrow(collection, { operators: { note: [], name: ['equals'] } }))).toEqual(['tags', 'items.product'])
    expect(names(narrow(collection, { operators: { note: ['contains'], items: ['exists'] } }))).toEqual([
      'name',
      'note',
      'tags',
    ])
  })
  test('fields that a collection searches but does not filter by stay', () => {
    const closed = defineCollection(schema, { ...options, search: ['note', 'name'], operators: { note: [] } })
    expect(names(narrow(closed, {}))).toEqual(['note', 'name'])
    expect(names(narrow(closed, { operators: { name: [] } }))).toEqual(['note'])
    expect(names(narrow(closed, { operators: { note: [] } }))).toEqual(['name'])
  })
  test('the parameter is off where nothing is left, and with false', () => {
    const renamed = defineCollection(schema, { ...options, search: ['note'], parameters: { search: 'q' } })
    for (const off of [
      narrow(renamed, { fields: { hide: ['note'] } }),
      narrow(renamed, { search: false }),
      narrow(renamed, { operators: { note: [] } }),
    ]) {
      expect(off.parameters.has('search')).toBe(false)
      expect(fault('q=jo', off as never)).toEqual([['field_unknown', 'q']])
      expect(names(narrow(off, {}))).toEqual([])
    }
    expect(ids('q=called', narrow(renamed, { limit: { max: 5 } }) as never)).toEqual([3])
  })
  test.each([true, ['note'], undefined, null])('search: %j is refused', (search) => {
    expect(() => narrow(collection, { search: search as never })).toThrow(TypeError)
  })
})
