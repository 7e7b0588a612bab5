/** Spellings of other APIs: each gets a hint, and what the hint says to write is valid and means the same. */
import { beforeAll, describe, expect, test, vi } from 'vitest'
import {
  defineCollection,
  defineSchema,
  field,
  parseFilter,
  parseQuery,
  type Collection,
  type Issue,
} from '../../src/index.ts'
import { applied } from '../issue/suggestions.ts'
import { followed, writtenIn } from './follow.ts'
import { cursor, issuesOf, rows } from './foreign.fixture.ts'
import { collection, options, schema } from './spellings.ts'

/** The first hint, and the text that it says to write with values of the client: all of it, or a word in place of the span. */
function suggestion(text: string, issues: readonly Issue[], of: Collection = collection): string | undefined {
  const { hint = '', span } = issues.find(({ hint }) => hint !== undefined) ?? {}
  const written = writtenIn(hint)
  if (written !== undefined) return followed(written, of.schema, of, cursor!)
  const word = /^did you mean (\S+)\?$/.exec(hint)?.[1]
  if (word !== undefined) return text.slice(0, span!.start) + word + text.slice(span!.end)
  return /remove the parameter$/.test(hint) ? '' : undefined
}
/** What a text asks for, whatever the operands of its conditions are. */
const shapeOf = (text: string) =>
  text
    .replace('…', cursor!)
    .split('&')
    .map((pair) => {
      const [key, value] = pair.split('=', 2) as [string, string]
      if (key === 'or') return pair.replaceAll(/=[^(,)]+/g, '=')
      return schema.paths.has(key.replace(/\[.*/, '')) && !/^(?:true|false)$/.test(value) ? key : pair
    })
    .sort()

test('there are more than fifty, of the usual APIs', () => {
  expect(rows.length).toBeGreaterThan(80)
  expect(new Set(rows.map(({ there }) => there)).size).toBe(rows.length)
})

describe.each(rows)('$api: $there', ({ there, here }) => {
  test('is not read as something else', () => {
    expect(issuesOf(collection, there).length).toBeGreaterThan(0)
    expect(issuesOf(collection, here.replace('…', cursor!))).toEqual([])
  })

  test('has a hint that works and means the same', () => {
    const written = suggestion(there, issuesOf(collection, there))
    expect(written).toBeDefined()
    expect(issuesOf(collection, written!)).toEqual([])
    expect(shapeOf(written!)).toEqual(shapeOf(here))
  })

  test('has one that works where parameters have other names', () => {
    const names = {
      sort: 'by',
      limit: 'top[n]',
      offset: 'from row',
      fields: 'pick',
      cursor: 'at',
      count: 'all&',
      or: 'any',
    }
    const renamed = defineCollection(schema, { ...options, parameters: names })
    const written = suggestion(there, issuesOf(renamed, there), renamed)
    // Without its name, a parameter is one more unknown field.
    if (/^(?:limit|sort|count)=/.test(there)) return
    expect(issuesOf(renamed, written!)).toEqual([])
  })

  test('has one that works where least is turned on', () => {
    const bare = defineCollection(schema, { key: 'id' })
    const issues = issuesOf(bare, there)
    const written = suggestion(there, issues, bare)
    if (written !== undefined) expect(issuesOf(bare, written)).toEqual([])
    else
      expect(issues.find(({ hint }) => hint !== undefined)?.hint).toMatch(
        /^(?:the parameters are|groups are not|sortable fields)/,
      )
  })

  test('has the same one of parseFilter, where it is a condition', () => {
    const isCondition = schema.paths.has(/^[\w.]+/.exec(here)![0])
    const result = parseFilter(schema, there)
    const hint = result.ok ? undefined : result.issues.find(({ hint }) => hint !== undefined)?.hint
    if (isCondition) expect(hint).toBe(issuesOf(collection, there).find((issue) => issue.hint !== undefined)?.hint)
    else expect(hint).toMatch(/^(?:paging and sorting|groups are not)/)
  })
})

describe('in a group', () => {
  test.each([
    ['or=(total_gte=5)', 'total[gte]=…'],
    ['or=(items[price][gte]=5)', 'items.price[gte]=…'],
    ['or=(status[]=paid)', 'status[in]=(paid)'],
    ['or=(total=gte.5)', 'total[gte]=…'],
    ['or=(items(price_gte=5))', 'price[gte]=…'],
    ['or=(items(price[x][gte]=5))', undefined],
    ['or=(items(price[][gte]=5))', 'price[gte]=…'],
    ['or=(items(arrival[]=x))', 'arrival[in]=(…,…)'],
    ['or=(nope(total[]=1))', undefined],
    ['or=(total>5)', 'total[gt]=…'],
    ['or=(total=null)', 'total[exists]=false'],
    ['or=(tags(0=a))', '[equals]=…'],
    ['or=(items(0.price=1))', 'price=…'],
    ['or=(gift)', undefined],
    ['or=(items.length=3)', 'items[atLeast]=…,items[atMost]=…'],
    ['or=(tags[size]=3)', 'tags[atLeast]=…,tags[atMost]=…'],
    ['or=(items.count[gte]=3)', 'items[atLeast]=…'],
  ])('%s: %s', (text, written) => {
    const issues = issuesOf(collection, text).filter(({ code }) => code !== 'field_unknown' || !text.includes('nope'))
    expect(/write (\S+=[^\s;]*)(?:;|$)/.exec(issues[0]?.hint ?? '')?.[1]).toBe(written)
    if (written === undefined) return
    const inside = /^or=\((items|tags)\(/.exec(text)?.[1]
    const sent = followed(written, schema).replace(/^(.*\[in\]=)([^(].*)$/, '$1($2)')
    expect(issuesOf(collection, inside === undefined ? `or=(${sent})` : `or=(${inside}(${sent}))`)).toEqual([])
  })
})

describe('quantifiers of other languages', () => {
  test.each([
    ['or=(items.any(price=5),gift=true)', 'did you mean items?', 'or=(items(price=5),gift=true)'],
    ['or=(items.some(price=5))', 'did you mean items?', 'or=(items(price=5))'],
    ['or=(items.$all(price=5))', 'did you mean items.every?', 'or=(items.every(price=5))'],
    ['or=(items.has(price=5))', 'did you mean items?', 'or=(items(price=5))'],
    ['or=(items.exists(price=5))', 'did you mean items?', 'or=(items(price=5))'],
    ['or=(items.each(price=5))', 'did you mean items.every?', 'or=(items.every(price=5))'],
    ['or=(items.not(price=5))', 'did you mean items.none?', 'or=(items.none(price=5))'],
    ['or=(items.no(price=5))', 'did you mean items.none?', 'or=(items.none(price=5))'],
    ['or=(items.not_any(price=5))', 'did you mean items.none?', 'or=(items.none(price=5))'],
    ['or=(tags.any([equals]=a))', 'did you mean tags?', 'or=(tags([equals]=a))'],
  ])('in a group: %s', (text, hint, mended) => {
    const [issue] = issuesOf(collection, text)
    expect(issue!.hint).toBe(hint)
    expect(applied(text, issue!.suggestion!)).toBe(mended)
    expect(issuesOf(collection, mended)).toEqual([])
  })
  test.each([
    ['items(price=5)', 'and=(items(…))'],
    ['items.any(price=5)', 'and=(items(…))'],
    ['items.some=(price=5)', 'and=(items(…))'],
    ['items.all=(price=5)', 'and=(items.every(…))'],
    ['items.none(price=5)', 'and=(items.none(…))'],
    ['items.every=(price=5)', 'and=(items.every(…))'],
  ])('without a group around: %s', (text, written) => {
    expect(issuesOf(collection, text)[0]!.hint).toBe(`write a group as ${written}`)
    expect(issuesOf(collection, written.replace('…', 'price=5'))).toEqual([])
    expect(issuesOf(defineCollection(schema, { key: 'id' }), text)[0]!.hint).toBe('groups are not turned on here')
    const renamed = defineCollection(schema, { ...options, parameters: { and: 'all' } })
    expect(issuesOf(renamed, text)[0]!.hint).toBe(`write a group as ${written.replace('and', 'all')}`)
  })
  test('they are words of lists alone', () => {
    expect(issuesOf(collection, 'or=(customer.any(name=a))')[0]!.hint).toMatch(/^a group begins with/)
    expect(issuesOf(collection, 'customer.any=(name=a)')[0]!.hint).not.toMatch(/group/)
    expect(issuesOf(collection, 'items.any=5')[0]!.hint).toBe('available operators for items: exists, atLeast, atMost')
    expect(issuesOf(collection, 'nope.any(price=5)')[0]!.hint).toBeUndefined()
    // Entries of a list of scalars contain no list: the hint lists no quantifiers.
    expect(issuesOf(collection, 'and=(tags(nope([equals]=a)))')[0]!.hint).toBe('a group begins with and, or, not')
  })
})

describe('parameters that are turned on', () => {
  const onOptions = { ...options, search: ['note'], facets: ['status', 'tags'], timeZone: true } as const
  const on = defineCollection(schema, onOptions)
  const hinted: readonly (readonly [text: string, written: string, mended?: string | undefined])[] = [
    ...['q', 'query', 'term', 'keyword', 'keywords', 'text', 'fulltext', '$search'].map(
      (name) => [`${name}=jo+surf`, 'search=…', 'search=jo+surf'] as const,
    ),
    // The edit keeps words that the parameter accepts.
    ['q=a+b+c+d+e+f+g+h', 'search=…', 'search=a+b+c+d+e+f+g+h'],
    ['q=a+b+c+d+e+f+g+h+i', 'search=…', undefined],
    ['q="jo"', 'search=…', 'search="jo"'],
    ['q="jo', 'search=…', undefined],
    ['q=jo+"x', 'search=…', undefined],
    ['q=', 'search=…', undefined],
    ...['facet', 'facetField', 'facetfields', 'aggs', 'aggregations', 'facets[]'].map(
      (name) => [`${name}=tags`, 'facets=tags', 'facets=tags'] as const,
    ),
    ['facet=nope', 'facets=…; facets: status, tags', undefined],
    ['facet=tags,nope', 'facets=tags', undefined],
    ...['tz', 'zone', 'timezone'].map((name) => [`${name}=Asia/Tokyo`, 'timeZone=…', 'timeZone=Asia/Tokyo'] as const),
    ['tz=', 'timeZone=…', undefined],
    ['q=+', 'search=…', undefined],
  ]
  const expectHint = (of: Collection, text: string, written: string, mended?: string, parse = parseQuery) => {
    const [issue] = issuesOf(of, text, parse)
    expect(issue!.hint, text).toBe(`write ${written}`)
    expect(issue!.suggestion && applied(text, issue!.suggestion), text).toBe(mended)
  }
  test.each(hinted.map(([text, written, mended]) => [text, written, mended] as const))(
    '%s',
    (text, written, mended) => {
      expectHint(on, text, written, mended)
      const sent = followed(writtenIn(`write ${written}`)!, schema, on)
      for (const one of [sent, mended ?? sent]) expect(issuesOf(on, one)).toEqual([])
      expect(issuesOf(collection, text)[0]!.hint).not.toContain(written)
    },
  )
  test('in a group, the hint is a condition or the list of parameters', () => {
    expect(issuesOf(on, 'or=(q=jo)')[0]!.hint).toMatch(/write seller\[contains\]=…$/)
    for (const text of ['or=(facet=status)', 'or=(tz=x)'])
      expect(issuesOf(on, text)[0]!.hint).toMatch(/^the parameters are sort, limit, .*, search, facets, timeZone/)
  })
  let copy: typeof import('../../src/index.ts')
  beforeAll(async () => {
    vi.resetModules()
    copy = await import('../../src/index.ts')
  })
  test('a second copy of the library, such as the CommonJS format, returns the same hints', () => {
    const own = copy.defineCollection(copy.defineSchema(schema.fields as never), onOptions as never) as Collection
    for (const [text, written, mended] of hinted) expectHint(own, text, written, mended, copy.parseQuery)
  })
})

test.each([
  // A comma is a plain character in one text, and a separator in a list.
  ['seller__eq=a,b', 'seller=…', 'seller=a,b'],
  ['seller__contains=a,b', 'seller[contains]=…', 'seller[contains]=a,b'],
  ['seller__in=a', 'seller[in]=…,…', 'seller[in]=a'],
  ['seller__in=a,b', 'seller[in]=…,…', undefined],
  ['seller__in=a%2cb', 'seller[in]=…,…', undefined],
  ['seller__in=%22a%22', 'seller[in]=…,…', undefined],
  ['seller__eq=', 'seller=…', undefined],
  // The value changes the operator.
  ['total[eq]=null', 'total[exists]=false', 'total[exists]=false'],
  ['total[ne]=null', 'total[exists]=true', 'total[exists]=true'],
  ['total[eq]=1,2', 'total[in]=…,…', 'total[in]=1,2'],
  ['tags__all=a', 'tags[all]=…,…', 'tags[all]=a'],
  ['tags__minItems=3', 'tags[atLeast]=…', 'tags[atLeast]=3'],
  ['items__minItems=3', 'items[atLeast]=…', 'items[atLeast]=3'],
  ['tags__maxCount=', 'tags[atMost]=…', undefined],
])('an edit keeps the operand where it is one: %s', (text, written, mended) => {
  const [issue] = issuesOf(collection, text)
  expect(issue!.hint).toBe(`write ${written}`)
  expect(issue!.suggestion && applied(text, issue!.suggestion)).toBe(mended)
})

test.each([
  ['note[in]=a,,b', 'operand_empty', { of: 'list', allowsEmptyText: true }],
  ['total[in]=1,,2', 'operand_empty', { of: 'list', allowsEmptyText: false }],
  ['or=(note[startsWith]=,gift=true)', 'operand_empty', { of: 'value', allowsEmptyText: true }],
  ['or=(note=,gift=true)', 'operand_empty', { of: 'value', allowsEmptyText: true }],
  ['or=(tags[atLeast]=,gift=true)', 'operand_empty', { of: 'value', allowsEmptyText: false }],
  ['or=(note[exists]=,gift=true)', 'operand_empty', { of: 'value', allowsEmptyText: false }],
  ['note[exists]=', 'operand_invalid', { expected: { kind: 'type', type: 'boolean' } }],
  ['total[exists]=x', 'operand_invalid', { expected: { kind: 'type', type: 'boolean' } }],
  ['tags[atLeast]=x', 'operand_invalid', { expected: { kind: 'type', type: 'integer' } }],
  ['items[atMost]=x', 'operand_invalid', { expected: { kind: 'type', type: 'integer' } }],
])('%s is %s with %j', (text, code, parameters) => {
  expect(issuesOf(collection, text)).toMatchObject([{ code, parameters }])
})

describe('the number of entries', () => {
  const listed = (operators: object) => defineCollection(schema, { ...options, operators } as never) as Collection
  test('has a hint where the collection allows both operators', () => {
    for (const text of ['items.length=3', 'or=(items.length=3)']) {
      expect(issuesOf(collection, text)[0]!.hint).toContain('items[atLeast]=…')
      const [issue] = issuesOf(listed({ items: ['atLeast'] }), text)
      expect([issue!.hint, issue!.suggestion]).toEqual(['available operators for items: atLeast', undefined])
    }
    expect(issuesOf(listed({ items: ['atLeast'] }), 'items[size]=3')[0]!.hint).toBe(
      'available operators for items: atLeast',
    )
  })
  test('has a hint with examples that keep no operand', () => {
    const example = { kind: 'write', reason: 'spelling', isExample: true, operands: [] }
    const of = { problem: 'name', name: 'items.length' }
    expect(issuesOf(collection, 'items.length=3')[0]!.parameters).toEqual({
      ...of,
      advice: [{ ...example, text: 'items[atLeast]=…&items[atMost]=…', replaces: { start: 0, end: 14 } }],
    })
    expect(issuesOf(collection, 'or=(items.length=3)')[0]!.parameters).toEqual({
      ...of,
      advice: [{ ...example, text: 'items[atLeast]=…,items[atMost]=…', replaces: { start: 4, end: 18 } }],
    })
  })
  test('has no escaped operand: an edit would keep a text that it cannot read', () => {
    const example = { kind: 'write', text: 'items[atLeast]=…', reason: 'spelling', isExample: true }
    for (const list of ['items', 'tags'])
      for (const [value, operands] of [
        ['3', [{ start: list.length + 12, end: list.length + 13 }]],
        ['%33', []],
      ] as const) {
        const text = `${list}.count[gte]=${value}`
        const advice = [{ ...example, text: `${list}[atLeast]=…`, replaces: { start: 0, end: text.length }, operands }]
        expect(issuesOf(collection, text)[0]!.parameters, text).toMatchObject({ advice })
      }
  })
  test('a list of operators leaves out names that begin with another name in the list', () => {
    const note = ['equals', 'equalsIgnoreCase', 'contains', 'containsExact', 'startsWithExact', 'gt', 'gte']
    expect(issuesOf(listed({ note }), 'note[nope]=x')[0]!.hint).toBe(
      'available operators for note: equals, contains, startsWithExact, gt, gte',
    )
  })
})

test('hints about times appear only for values of date and datetime', () => {
  for (const text of ['total=now', 'total=today', 'gift=now', 'arrival[exists]=now', 'total=2024-01-01', 'paidAt=x'])
    expect(issuesOf(collection, text)[0]!.hint, text).toBeUndefined()
  for (const text of ['paidAt[exists]=2024-01-01', 'gift=2024-01-01', 'items[atLeast]=now'])
    expect(issuesOf(collection, text)[0]!.hint, text).toBeUndefined()
})

test('an edit does not keep a text with a comma as an operand of a list', () => {
  const advice = (operands: readonly object[], end: number) => [
    { kind: 'write', text: 'note[in]=…,…', reason: 'spelling', isExample: true, replaces: { start: 0, end }, operands },
  ]
  expect(issuesOf(collection, 'note_in=a,b')[0]!.parameters).toMatchObject({ advice: advice([], 11) })
  expect(issuesOf(collection, 'note_in=c')[0]!.parameters).toMatchObject({ advice: advice([{ start: 8, end: 9 }], 9) })
})

const ofTexts =
  'equals, notEqual, gt, gte, lt, lte, range, in, nin, startsWith, endsWith, contains, doesNotContain, exists'
test.each([
  ['or=(note(contains=x))', `available operators for note: ${ofTexts}`],
  ['note[mtaches]=a', `available operators for note: ${ofTexts}`],
  ['or=(note[mtaches]=a)', `available operators for note: ${ofTexts}`],
  ['note[atLeast]=1', `available operators for note: ${ofTexts}`],
  ['tags[mtaches]=a', `available operators for tags: ${ofTexts}, all, atLeast, atMost`],
  ['total[mtaches]=1', 'available operators for total: equals, notEqual, gt, gte, lt, lte, range, in, nin, exists'],
  ['note[containing]=a', 'did you mean contains?'],
  ['note[xstartsWithx]=a', 'did you mean startsWith?'],
])('a hint lists all operators of a field, unless one is near: %s', (text, hint) => {
  expect(issuesOf(collection, text)[0]!.hint).toBe(hint)
})

describe('names that a query must escape or quote', () => {
  const odd = defineSchema({
    id: field.integer(),
    'a&b': field.number(),
    'c+d e': field.object({ 'x%': field.number() }),
    größe: field.number(),
    '-z': field.number(),
    'p,q': field.enumeration(['x,y', '"z"', 'é']),
    'list(s)': field.list(field.string()),
  })
  const strange = defineCollection(odd, { key: 'id', sort: true, fields: true })
  test.each([
    'a%26b_gte=5',
    'c%2Bd+e[x%25][gte]=5',
    'größe__gte=5',
    '-z_gte=5',
    'p,q[]=x',
    'p,q=é,é',
    'list(s)[0]=a',
    '$select=a%26b',
    'filter[a%26b]=5',
    '_sort=-z',
    'sort=größe:desc',
    'fields=id;p',
  ])('%s', (text) => {
    const issues = issuesOf(strange, text)
    const written = suggestion(text, issues, strange)
    expect(written, JSON.stringify(issues)).toBeDefined()
    expect(issuesOf(strange, written!), written).toEqual([])
  })
  test.each([
    ['a%26c=5', 'did you mean a&b?'],
    ['p,r=x', 'did you mean p,q?'],
    ['lists=a', 'did you mean list(s)?'],
  ])('a name with a mark is in no edit of a misspelt one: %s', (text, hint) => {
    const [issue] = issuesOf(strange, text)
    expect([issue!.hint, issue!.suggestion]).toEqual([hint, undefined])
  })
  test('the order by a path that begins with "-" is listed as sort accepts it', () => {
    const [issue] = issuesOf(strange, 'sort=nope')
    const listed = /^sortable fields: (.*)$/.exec(issue!.hint!)![1]!
    expect(listed).toBe('id, a&b, "c+d e.x%", größe, --z, "p,q"')
    expect(issuesOf(strange, 'sort=--z')).toEqual([])
    expect(issuesOf(strange, 'sort=-z')[0]!.hint).toBe(issue!.hint)
  })
})

describe('names that a collection narrows away', () => {
  const own = defineSchema({
    id: field.integer(),
    secret: field.string(),
    status: field.enumeration(['paid', 'held']),
    total: field.number(),
    vault: field.object({ secretCode: field.string(), open: field.string() }),
    secrets: field.list(field.string()),
    doors: field.list(field.object({ secretLock: field.number() })),
  })
  const operators = {
    secret: [],
    vault: [],
    'vault.secretCode': [],
    'vault.open': [],
    secrets: [],
    doors: [],
    'doors.secretLock': [],
    total: ['gte', 'lte'],
  } as const
  const narrow = defineCollection(own, { key: 'id', sort: ['total'], groups: true, operators })
  const hintsOf = (text: string, of: Collection = narrow) =>
    issuesOf(of, text).map(({ message, hint = '' }) => `${message} ${hint}`)

  test.each([
    ...['secrt=1', 'Secret=1', 'x.secret=1', 'secret_=1', 'secret_gte=1', 'secret.x=1', 'filter[secret]=1', 'secret:a'],
    ...[
      '$filter=secret eq 1',
      'secret[x][y]=1',
      'secret[]=1',
      'vault.secretCod=1',
      'secretCode=1',
      'vault[secretCode]=1',
    ],
    ...['secretLock=1', 'doors[0].secretLock=1', 'or=(secrts([equals]=a))', 'or=(dors(a=1))', 'or=(nope(a=1))'],
    ...[
      'vault=1',
      'vault[exists]=true',
      'q=1',
      'sort=secrt',
      'sort=nope',
      'fields=secret',
      'doors=1',
      '!secret',
      'secret>1',
    ],
  ])('%s: no hint has one', (text) => {
    const found = hintsOf(text)
    expect(found.length).toBeGreaterThan(0)
    // What the caller wrote may be repeated, and a path that was written exactly may be named.
    for (const hint of issuesOf(narrow, text).map((issue) => issue.hint ?? '')) {
      const named = hint.replace(/^(?:vault|doors|secret) cannot be filtered$/, '')
      expect(named).not.toMatch(/secret|vault|door/i)
    }
  })

  test('a path that is written exactly cannot be filtered', () => {
    for (const text of ['secret=a', 'secret[equals]=a', 'secret[like]=a'])
      expect(issuesOf(narrow, text)[0]!.hint, text).toBe('secret cannot be filtered')
  })

  test('no hint has an operator that is narrowed away', () => {
    for (const text of [
      'total=eq.5',
      'total_in=1,2',
      'total[]=1',
      'total=null',
      'total=1,2',
      'total[gte]=1&total[gte]=2',
      'total',
    ])
      expect(hintsOf(text).join(), text).not.toMatch(/write total(?!\[[gl]te\])/)
    expect(issuesOf(narrow, 'total=ge.5')[0]!.hint).toBe('available operators for total: gte, lte')
    expect(issuesOf(narrow, 'total_min=5')[0]!.hint).toBe('write total[gte]=…')
  })

  test('the hint names the paths that sort and fields accept', () => {
    const shown = defineCollection(own, { key: 'id', sort: ['secret'], fields: ['secret'], operators: { secret: [] } })
    for (const parameter of ['sort', 'fields'])
      expect(issuesOf(shown, `${parameter}=secrt`)[0]!.hint).toBe('did you mean secret?')
    expect(issuesOf(shown, 'secrt=1')[0]!.hint).not.toBe('did you mean secret?')
    expect(issuesOf(shown, '_sort=secret')[0]!.hint).toBe('write sort=secret')
  })
})

test('a hint has no text of the caller but names and values of the schema', () => {
  for (const text of [
    'total=gte.777',
    'status=paid,zzz7',
    '$filter=total gt 777',
    'filter[status]=zzz7',
    'limit=777',
    '_sort=zzz7',
  ])
    expect(
      issuesOf(collection, text)
        .map(({ hint }) => hint)
        .join(),
      text,
    ).not.toMatch(/777|zzz7/)
})

test('keys and values that are too long to be a spelling of anything get no such hint', () => {
  const long = 'x_'.repeat(300)
  for (const text of [`${long}total_gte=1`, `total=${long}`, `sort=${long}total:desc`, `${long}[a][b]=1`])
    expect(issuesOf(collection, text)[0]?.hint ?? '', text.slice(0, 20)).not.toMatch(/total\[/)
})

describe('each word of another language for some, none or all of the entries has a hint', () => {
  const words: Readonly<Record<string, readonly string[]>> = {
    items: ['any', 'some', 'has', 'exists'],
    'items.every': ['all', 'each'],
    'items.none': ['not', 'no', 'notAny', 'not_any'],
  }
  const expectHints = (parse: typeof parseFilter) => {
    for (const [list, all] of Object.entries(words))
      for (const word of all) {
        const hintOf = (text: string) => {
          const result = parse(schema, text, { groups: true })
          return result.ok ? undefined : result.issues[0].hint
        }
        expect([word, hintOf(`items.${word}(price=5)`)]).toEqual([word, `write a group as and=(${list}(…))`])
        expect([word, hintOf(`or=(items.${word}(price=5))`)]).toEqual([word, `did you mean ${list}?`])
      }
  }
  test('by this copy of the library', () => expectHints(parseFilter))
  test('by a second copy, such as that of the other format', async () => {
    vi.resetModules()
    expectHints((await import('../../src/index.ts')).parseFilter)
  })
})
