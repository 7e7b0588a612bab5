/** Groups: each production, law and fault, worked out by hand from the design. */
import { describe, expect, test, vi } from 'vitest'
import { memoryBackend } from '../../src/backends/memory/index.ts'
import {
  and,
  defineCollection,
  defineSchema,
  field,
  FilterError,
  formatIssue,
  not,
  or,
  parseFilter,
  parseFilterOrThrow,
  parseQuery,
  parseQueryOrThrow,
  printFilter,
  printQuery,
  readReserved,
  where,
  type Filter,
  type Schema,
} from '../../src/index.ts'
import { checkFilter, comparison, maxFilterDepth, sameFilter, some } from '../../src/tree.ts'
import { issuesIn } from '../issues.ts'
import { orders } from '../orders.ts'
import { casesIn, rowsIn } from '../rows.ts'
import { o, groups, read, both, paid, meanings, reserved, issuesOf } from './groups.fixture.ts'
import { builtFor } from '../by-hand.ts'

/** As the types of Vitest want tables. */
const mutable = <T extends readonly unknown[]>(table: readonly T[]) =>
  table as unknown as { -readonly [K in keyof T]: T[K] }[]

describe('the meaning', () => {
  test.each(mutable(meanings))('of %s', (text, filter, printed = text) => {
    expect(sameFilter(read(text), filter)).toBe(true)
    expect(printFilter(orders, filter, groups)).toBe(printed)
    expect(sameFilter(read(printed), filter)).toBe(true)
    // Who knows no groups says the same, or nothing.
    if (!printed.includes('(')) expect(printFilter(orders, filter)).toBe(printed)
    else expect(() => printFilter(orders, filter)).toThrow('a query string cannot express')
  })

  test.each(mutable(meanings))('of %s, however it is encoded', (text, filter) => {
    const [, mark, pairs] = /^(\??)(.*)$/s.exec(text)!
    // Each value as a form writes it, where every mark is escaped; and a URL, which escapes quotes and spaces.
    const form = new URLSearchParams(
      pairs!.split('&').map((pair): [string, string] => {
        const equals = pair.indexOf('=')
        return [pair.slice(0, equals), decodeURIComponent(pair.slice(equals + 1).replaceAll('+', ' '))]
      }),
    )
    expect(sameFilter(read(form.toString()), filter)).toBe(true)
    expect(sameFilter(read(form.toString().replace(/%../g, (escape) => escape.toLowerCase())), filter)).toBe(true)
    expect(sameFilter(parseFilterOrThrow(orders, form, groups), filter)).toBe(true)
    expect(sameFilter(parseFilterOrThrow(orders, new URL(`http://host/?${pairs}`), groups), filter)).toBe(true)
    expect(mark).toMatch(/^\??$/)
  })

  test('of a quantifier requires a list', () => {
    const schema = defineSchema({
      id: field.integer(),
      non: field.list(field.integer()),
      box: field.object({ none: field.integer(), list: field.list(field.integer()) }),
    })
    const codes = (text: string) => {
      const result = parseFilter(schema, text, groups)
      return result.ok
        ? result.filter.kind
        : result.issues.map(({ code, span }) => [code, text.slice(span!.start, span!.end)])
    }
    expect(codes('and=(box.list.none([equals]=1))')).toBe('not')
    expect(codes('and=(none([equals]=1))')).toEqual([['field_unknown', 'none']])
    expect(codes('and=(box.every(none=1))')).toEqual([['field_unknown', 'box.every']])
    expect(codes('and=(box.none(none=1))')).toEqual([['operator_not_applicable', 'box.none']])
    expect(codes('and=(box.none=1)')).toBe('comparison')
    const isRead = (depth: number) =>
      parseFilter(schema, 'and=(box.list.none([equals]=1))', { ...groups, limits: { depth } }).ok
    expect([1, 2, 3].map(isRead)).toEqual([false, true, true])
    const taken = defineSchema({ list: field.list(field.object({ none: field.integer() })) })
    for (const _ of ['first', 'second'])
      expect(() => parseFilter(taken, '', groups)).toThrow('groups read list.none( as a quantifier')
    expect(parseFilter(taken, 'list.none=1').ok).toBe(true)
    expect(codes('and=(nope.none([equals]=1))')).toEqual([['field_unknown', 'nope.none']])
  })

  test('without members is not printed', () => {
    expect(printFilter(orders, and(), groups)).toBe('')
    expect(sameFilter(read(''), and())).toBe(true)
  })

  test('words may be encoded, in keys and in groups', () => {
    const filter = or(not(o.equals('total', 1)), paid)
    expect(sameFilter(read('%6Fr=(n%6ft(total=1),status=paid)'), filter)).toBe(true)
  })
})

describe('lists in lists', () => {
  const nested = defineSchema({
    a: field.list(
      field.object({
        x: field.integer(),
        in: field.object({ b: field.list(field.object({ y: field.integer(), z: field.integer() })) }),
        c: field.list(field.integer()),
      }),
    ),
  })
  const n = where(nested)
  test.each<[text: string, filter: Filter, printed: string]>([
    // The way to the group's list is shared with the conditions beside it; the group's own entry is not.
    [
      'a.x=1&and=(a.x[gt]=0,a.in.b(y=1,z=2),a.in.b(y=3))',
      both(
        n.some('a', (a) => a.equals('x', 1)),
        n.some('a', (a) =>
          and(
            a.gt('x', 0),
            a.some('in.b', (b) => and(b.equals('y', 1), b.equals('z', 2))),
            a.some('in.b', (b) => b.equals('y', 3)),
          ),
        ),
      ),
      'a.x[all]=1&a.x[gt]=0&a.in.b.y=1&a.in.b.z=2&a.in.b.y[all]=3',
    ],
    [
      'and=(a(in.b.y=1,in.b.z=2,c=3,c([gt]=4)))',
      n.some('a', (a) =>
        and(
          a.some('in.b', (b) => and(b.equals('y', 1), b.equals('z', 2))),
          a.some('c', (c) => c.equals(3)),
          a.some('c', (c) => c.gt(4)),
        ),
      ),
      'a.in.b.y=1&a.in.b.z=2&a.c[all]=3&a.c[gt]=4',
    ],
    [
      'not=(a(c[nin]=(1,2)))',
      not(n.some('a', (a) => not(a.some('c', (c) => c.in([1, 2]))))),
      'and=(a.every(c[in]=(1,2)))',
    ],
  ])('%s', (text, filter, printed) => {
    const parsed = parseFilterOrThrow(nested, text, groups)
    expect(parsed).toMatchObject(filter as object)
    expect(printFilter(nested, parsed, groups)).toBe(printed)
    expect(sameFilter(parseFilterOrThrow(nested, printed, groups), parsed)).toBe(true)
  })
})

test('members span their text, groups from their word to their parenthesis', () => {
  const text = 'gift=true&or=(and(total=1,status=paid),items(price=1,product[notEqual]=x))'
  const at = (part: string) => ({ start: text.indexOf(part), end: text.indexOf(part) + part.length })
  expect(read(text)).toMatchObject({
    span: { start: 0, end: text.length },
    filters: [
      { span: at('gift=true') },
      {
        span: { start: 10, end: text.length },
        filters: [
          { span: at('and(total=1,status=paid)'), filters: [{ span: at('total=1') }, { span: at('status=paid') }] },
          {
            span: at('items(price=1,product[notEqual]=x)'),
            filter: {
              span: at('price=1,product[notEqual]=x'),
              filters: [{ span: at('price=1') }, { span: at('product[notEqual]=x') }],
            },
          },
        ],
      },
    ],
  })
})

test('the span of an entry covers all conditions on it', () => {
  const nested = defineSchema({ a: field.list(field.object({ x: field.integer(), b: field.list(field.integer()) })) })
  const text = 'or=(and(a.b([gt]=1),a.x=2),a.x=3)'
  expect(parseFilterOrThrow(nested, text, groups)).toMatchObject({
    filters: [{ kind: 'some', span: { start: text.indexOf('a.b'), end: text.indexOf('),a.x=3') } }, {}],
  })
})
const seen = (text: string, options?: object, parse?: typeof parseFilter) =>
  issuesOf(text, options, parse).map(({ code, span }) => [code, text.slice(span!.start, span!.end), span!.start])

const file = new URL('groups.txt', import.meta.url)
const faults = casesIn(file, 'faults').map(({ text, expected, place }) => ({
  ...{ text, place },
  expected: expected.map(([code, under, at]) => [code, under, at === undefined ? text.indexOf(under!) : Number(at)]),
}))

describe('faults', () => {
  test.each(faults)('of $text', ({ text, expected, place }) => {
    expect(seen(text), place).toEqual(expected)
    // The same, escaped: where a mark is one character longer by two, the same pieces are at fault.
    const codes = issuesOf(text).map(({ code }) => code)
    const escaped = text.replace(/^([^=]*=)(.*)$/s, (_, key: string, value: string) => {
      return key + value.replace(/[(),="[\]\\]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
    })
    if (!text.includes('&')) expect(issuesOf(escaped).map(({ code }) => code)).toEqual(codes)
  })

  /** The message and the hint of the only issue. */
  const told = (text: string, options?: object, parse?: typeof parseFilter) =>
    issuesOf(text, options, parse).map(({ message, hint }) => [message, hint])
  const tellings = rowsIn(file, 'what is said').map(({ cells: [text, ...words], place }) => ({
    text: text!,
    words,
    place,
  }))
  test.each(tellings)('$text', ({ text, words, place }) => expect(told(text)[0], place).toEqual(words))
  test('are the same for a second copy of the library, such as that of the other format', async () => {
    vi.resetModules()
    const { parseFilter: parse } = await import('../../src/index.ts')
    for (const { text, expected, place } of faults) expect(seen(text, {}, parse), place).toEqual(expected)
    for (const { text, words, place } of tellings) expect(told(text, {}, parse)[0], place).toEqual(words)
    expect(issuesOf(`or=${'(not'.repeat(8)}(x=1${')'.repeat(9)}`, {}, parse)).toMatchObject([
      {
        code: 'limit_depth',
        fault: 'client',
        message: 'group too deep: limit 8',
        hint: 'join conditions in one group where you can',
      },
    ])
  })

  test('an issue names the whole path of its field', () => {
    expect(issuesOf('or=(items(price[gte]=x))')).toMatchObject([{ path: 'items.price', operator: 'gte' }])
    expect(issuesOf('or=(customer(x=1))')).toMatchObject([{ path: 'customer' }])
  })

  test('no issue contains a value that may be reserved', () => {
    for (const text of [
      'or=(apiKey=secret,total=x)',
      'or=(total=x,apikey%3Dsecret)',
      'or=%28apiKey%3Dsecret%29',
      'or=(apiKey(secret=1))',
    ]) {
      for (const issue of issuesOf(text)) expect(formatIssue(text, issue, { reserved })).not.toContain('secret')
    }
    expect(formatIssue('total=x=(b=1', issuesOf('total=x=(b=1')[0]!, { reserved })).toContain('b=1')
    expect(formatIssue('or=(total=x,gift=true)', issuesOf('or=(total=x,gift=true)')[0]!, { reserved })).toContain(
      'gift=true',
    )
  })
})

describe('limits', () => {
  const nest = (depth: number, inner = 'gift=true') => `or=${'(not'.repeat(depth - 1)}(${inner}${')'.repeat(depth)}`
  test('groups nest at most 8 deep, the outermost counted', () => {
    expect(issuesOf(nest(8))).toEqual([])
    const text = nest(10)
    expect(issuesOf(text)).toEqual([
      {
        code: 'limit_depth',
        fault: 'client',
        message: 'group too deep: limit 8',
        hint: 'join conditions in one group where you can',
        span: { start: text.indexOf('(not(gift'), end: text.length - 8 },
        parameters: { of: 'groups', limit: 8 },
      },
    ])
    expect(issuesOf(text, { limits: { depth: Infinity } })).toHaveLength(1)
    // Parentheses in quotes do not make a group.
    expect(issuesOf(nest(8, 'seller="((("'))).toEqual([])
    expect(issuesOf(nest(9, 'seller="))),nope=1"'))).toMatchObject([{ code: 'limit_depth' }])
    // What comes after is read.
    expect(seen(`or=(and${nest(9).slice(3)},nope=1)`)).toEqual([
      ['limit_depth', '(not(gift=true))', expect.any(Number)],
      ['field_unknown', 'nope', expect.any(Number)],
    ])
  })

  test('every condition in a group counts as a pair, a group as none', () => {
    const limits = { pairs: 3 }
    expect(issuesOf('gift=true&or=(total=1,and(total=2))', { limits })).toEqual([])
    const text = 'gift=true&or=(total=1,and(total=2,not(status=paid)))&seller=a'
    expect(seen(text, { limits })).toEqual([['limit_pairs', 'status=paid)))&seller=a', text.indexOf('status')]])
    expect(seen('gift=true&apiKey=1&total=1&or=(seller=a)', { limits })).toEqual([['limit_pairs', 'seller=a)', 31]])
    // Malformed ones count; empty ones do not, as empty pairs do not.
    expect(seen('or=(a,,b,c,d)', { limits })).toEqual([['limit_pairs', 'd)', 11]])
    expect(seen('or=(a,,b,c)', { limits }).length).toBe(4)
    expect(seen('or=(,)', { limits: { pairs: 0 } })).toHaveLength(2)
    expect(seen('or=(tags(a=1))', { limits: { pairs: 0 } })).toEqual([['limit_pairs', 'a=1))', 9]])
    const result = parseFilter(orders, 'apiKey=k&or=(a=1,b=2,c=3)', { ...groups, reserved, limits })
    expect(result.reserved.get('apiKey')).toEqual(['k'])
  })

  test('searches count wherever they are', () => {
    const limits = { searches: 2 }
    expect(seen('or=(seller[contains]=a,not(tags[startsWith]=a),seller[startsWith]=a)', { limits })).toEqual([])
    // In a group after a list, a path begins at the entry: it is in the list all the same.
    const text =
      'seller[contains]=a&or=(tags([startsWith]=a),items(product[startsWith]=a,arrival=2024-01-01))&tags[endsWith]=a'
    expect(seen(text, { limits })).toEqual([['limit_searches', 'product[startsWith]=a', text.indexOf('product')]])
    const [issue] = issuesOf(text, { limits })
    expect(issue).toMatchObject({
      message: 'too many searches: 4, limit 2',
      path: 'items.product',
      operator: 'startsWith',
    })
    const stall = `or=(${Array.from({ length: 95 }, (_, at) => `items(product[contains]=z${at}q)`).join(',')})`
    expect(stall).toHaveLength(2_844)
    expect(issuesOf(stall).map(({ message }) => message)).toEqual(['too many searches: 95, limit 10'])
  })

  test.each<[text: string, searches: number]>([
    // Without a group, conditions on one list are about one entry.
    ['items.product=a&items.arrival=2024-01-01&tags=a&tags[all]=a,b,c', 0],
    ['and=(seller=a,total=1)', 0],
    ['or=(tags=a,tags[nin]=(b,c),items.product=a)', 3],
    // A group of conditions on one entry reads the list once, or once for each search in it.
    ['or=(items(product=a,arrival=2024-01-01),items.none(product=b))', 2],
    ['and=(items(product[contains]=a,product[startsWith]=b,arrival=2024-01-01))', 2],
    ['and=(not(items.every(or(product=a,product=b))))', 1],
    // Each value is about its own entry.
    ['or=(tags[all]=(a,b,c),total=1)', 3],
  ])('%s has %i searches', (text, searches) => {
    expect(issuesOf(text, { limits: { searches } })).toEqual([])
    if (searches > 0)
      expect(issuesOf(text, { limits: { searches: searches - 1 } })).toMatchObject([
        { code: 'limit_searches', parameters: { found: searches, limit: searches - 1 } },
      ])
  })

  test('a printed text has as many searches as its filter, and its reader checks the limit', () => {
    const eleven = or(...Array.from({ length: 11 }, (_, at) => o.contains('seller', String(at))))
    const text = printFilter(orders, eleven, groups)
    expect(issuesOf(text).map(({ code }) => code)).toEqual(['limit_searches'])
    expect(sameFilter(parseFilterOrThrow(orders, text, { ...groups, limits: { searches: 11 } }), eleven)).toBe(true)
  })

  test('lists, operands and issues have theirs', () => {
    expect(seen('or=(seller[in]=(a,b,c))', { limits: { list: 2 } })).toEqual([['limit_list', 'c)', 20]])
    expect(seen('or=(seller=abc,seller="abc")', { limits: { operand: 2 } })).toEqual([
      ['limit_operand', 'abc', 11],
      ['limit_operand', '"abc"', 22],
    ])
    expect(issuesOf(`or=(${'a,'.repeat(50)}a)`)).toHaveLength(20)
  })

  test('no text nests deeper than the limit of filters', () => {
    // As deep as schemas go: each level a list.
    const deep = (level: number): ReturnType<typeof field.object> =>
      field.object({ l: level === 32 ? field.list(field.datetime()) : field.list(deep(level + 1)), x: field.integer() })
    const schema = defineSchema(deep(1).fields)
    const way = (from: number, to: number) => Array.from({ length: to - from }, () => 'l').join('.')
    const inner = `not(${way(0, 25)}[nin]=(2024-01-01,2024-01-02),x=1)`
    const text = `not=(x=1,${['l(x=1,', 'l(x=1,', 'l(x=1,', 'l(x=1,', 'l(x=1,', 'l(x=1,'].join('')}${inner.replace(way(0, 25), way(0, 26))}${')'.repeat(6)})`
    const filter = parseFilterOrThrow(schema, text, { ...groups, limits: { depth: Infinity } })
    expect(maxFilterDepth).toBe(100)
    expect(() => checkFilter(structuredClone(filter))).not.toThrow()
  })
})

describe('where groups are turned on', () => {
  const bare = defineCollection(defineSchema({ id: field.integer(), seller: field.string() }), { key: 'id' })
  const schema = defineSchema({
    id: field.integer(),
    seller: field.string(),
    total: field.number(),
    or: field.string(),
    tags: field.list(field.string()),
  })
  const renamed = defineCollection(schema, {
    key: 'id',
    groups: true,
    operators: { seller: ['equals', 'startsWith'], tags: ['startsWith'] },
    parameters: { and: 'all', or: 'any.of', not: 'none' },
  })
  const codes = (collection: Parameters<typeof parseQuery>[0], text: string, parse = parseQuery) =>
    issuesIn(parse(collection, text)).map(({ code, hint }) => [code, hint])

  test('else the words are unknown fields', () => {
    for (const word of ['and', 'or', 'not']) {
      expect(codes(bare, `${word}=(id=1)`)).toEqual([['field_unknown', 'groups are not turned on here']])
      expect(parseFilter(orders, `${word}=(gift=true)`)).toMatchObject({
        issues: [{ code: 'field_unknown', hint: 'groups are not turned on here' }],
      })
    }
    expect(parseFilter(orders, 'or=(gift=true)', { groups: false })).toMatchObject({ ok: false })
  })

  test('words are renamed inside groups, too', () => {
    const query = parseQueryOrThrow(renamed, 'or=x&any.of=(id=1,all(or=y,none(id=2)),total=3)')
    const w = where(schema)
    const filter = and(
      w.equals('or', 'x'),
      or(w.equals('id', 1), and(w.equals('or', 'y'), not(w.equals('id', 2))), w.equals('total', 3)),
    )
    expect(sameFilter(query.filter, filter)).toBe(true)
    expect(codes(renamed, 'any.of=(not(id=1),id=2)')).toEqual([
      ['field_unknown', 'a group begins with all, any.of, none, tags'],
    ])
    expect(codes(renamed, 'and=(id=1)')).toEqual([['field_unknown', 'write a group as all=(…)']])
  })

  test('the operators of a collection hold inside groups', () => {
    expect(codes(renamed, 'any.of=(seller[contains]=x,id=1)')).toEqual([
      ['operator_not_applicable', 'available operators for seller: equals, startsWith'],
    ])
    expect(codes(renamed, 'any.of=(tags=x,tags([equals]=x,[startsWith]=y))')).toEqual([
      ['operator_not_applicable', 'available operators for tags: startsWith'],
      ['operator_not_applicable', 'available operators for tags: startsWith'],
    ])
  })

  test('parameters are none in groups', () => {
    expect(codes(renamed, 'any.of=(limit=1,id=1)')).toEqual([
      ['field_unknown', 'the parameters are sort, limit, cursor, all, any.of, none'],
    ])
    expect(parseQueryOrThrow(renamed, 'any.of=(id=1,id=2)&limit=3').limit).toBe(3)
  })

  test('a second copy of the library, such as that of the other format, takes the same names', async () => {
    vi.resetModules()
    const { parseQuery: parse } = await import('../../src/index.ts')
    expect(codes(renamed, 'any.of=(limit=1,id=1)', parse)).toEqual([
      ['field_unknown', 'the parameters are sort, limit, cursor, all, any.of, none'],
    ])
    expect(codes(renamed, 'any.of=(id=1,all(id=1,none(id=2)))', parse)).toEqual([])
    expect(codes(renamed, 'seller[contains]=x', parse)).toEqual([
      ['operator_not_applicable', 'available operators for seller: equals, startsWith'],
    ])
  })

  test('a wrong program is a TypeError', () => {
    const named = defineSchema({ or: field.string() })
    const message = 'the word or of groups is a field of the schema: a collection can rename it'
    expect(() => parseFilter(named, '', groups)).toThrow(new TypeError(message))
    expect(() => printFilter(named, and(), groups)).toThrow(new TypeError(message))
    expect(() => parseFilter(orders, '', { groups: 1 } as never)).toThrow(
      new TypeError('options.groups must be a boolean'),
    )
    expect(() => printFilter(orders, and(), { groups: 1 } as never)).toThrow(
      new TypeError('options.groups must be a boolean'),
    )
    expect(() => printFilter(orders, and(), { group: true } as never)).toThrow(
      new TypeError('options.group is unknown; did you mean groups? (available: groups, timeZone)'),
    )
    expect(() => parseFilter(orders, '', { ...groups, reserved: ['not'] })).toThrow(
      new TypeError('reserved name not is a word of groups'),
    )
    expect(() => parseQuery(renamed, '', { reserved: ['all'] })).toThrow(
      new TypeError('reserved has all, which is a parameter of the collection'),
    )
    expect(() => parseQuery(renamed, '', { groups: true } as never)).toThrow(
      new TypeError('options.groups is unknown (available: reserved, limits, timeZone, now, notation)'),
    )
    for (const name of ['any(', 'a)', 'a,b', 'a=b', 'page[or]']) {
      expect(() => defineCollection(schema, { key: 'id', groups: true, parameters: { or: name } })).toThrow(
        new TypeError(`parameters.or is ${name}, but a word of groups must not have ( ) [ ] , or = in it`),
      )
    }
  })

  test('reserved values are read beside groups', () => {
    expect(readReserved('apiKey=k&or=(', { ...groups, reserved }).reserved.get('apiKey')).toEqual(['k'])
    expect(parseFilter(orders, 'or=(apiKey=1,gift=true)&apiKey=k', { ...groups, reserved })).toMatchObject({
      ok: false,
    })
  })
})

test('a group selects the rows of its filter', () => {
  const rows = [
    {
      id: 1,
      items: [
        { arrival: '2024-01-01', product: 'bed' },
        { arrival: '2024-01-05', product: 'sea' },
      ],
    },
    { id: 2, items: [{ arrival: '2024-01-01' }, { arrival: '2024-01-05', product: 'bed' }] },
    { id: 3, items: [{ arrival: '2024-01-05', product: 'bed' }] },
    { id: 4, total: 100, tags: ['a', 'ab'] },
    { id: 5, status: 'paid', tags: ['ab'] },
    { id: 6, tags: [], total: 5 },
  ]
  const ids = (text: string) => rows.filter(memoryBackend().compile(read(text))).map(({ id }) => id)
  expect(ids('and=(items(arrival=2024-01-01),items(arrival=2024-01-05,product=bed))')).toEqual([2])
  expect(ids('items.arrival=2024-01-01&and=(items.product=bed)')).toEqual([1, 2])
  expect(ids('items.arrival=2024-01-01&items.product=bed')).toEqual([1])
  expect(ids('or=(status=paid,total[gte]=100)')).toEqual([4, 5])
  expect(ids('and=(tags([startsWith]=a,[notEqual]=ab))')).toEqual([4])
  expect(ids('not=(total[gte]=100)')).toEqual([1, 2, 3, 5, 6])
  expect(ids('not=(or(total[exists]=true,items[exists]=true))')).toEqual([5])
})

describe('filters without words for their groups are refused', () => {
  const hint =
    'a query string has no empty groups and no empty lists, only operators that its fields take, and groups at most 8 deep'
  const refusal = (schema: Schema, filter: Filter) => {
    try {
      return printFilter(schema, filter, groups)
    } catch (error) {
      expect(error).toBeInstanceOf(FilterError)
      return (error as FilterError).issues
    }
  }
  const nested = (depth: number): Filter => (depth === 0 ? paid : not(both(o.equals('gift', true), nested(depth - 1))))
  test.each<[what: string, filter: Filter, kind: string]>([
    ['false', or(), 'or'],
    ['true inside', both(paid, and()), 'and'],
    ['not true', not(and()), 'and'],
    ['any entry at all', o.some('items', () => and()), 'and'],
    ['membership in nothing', o.in('seller', []), 'membership'],
    ['membership in nothing, in a group', or(paid, o.in('seller', [])), 'membership'],
    ['a field that is not there', or(paid, comparison(['nope'], 'eq', { type: 'string', value: 'x' })), 'comparison'],
    ['a list that is none', some(['customer'], comparison(['name'], 'eq', { type: 'string', value: 'x' })), 'some'],
    [
      'a scalar in place of a list, in a group',
      or(paid, some(['customer'], comparison(['name'], 'eq', { type: 'string', value: 'x' }))),
      'some',
    ],
    [
      'a list that is not there',
      or(paid, some(['nope'], comparison([], 'eq', { type: 'string', value: 'x' }))),
      'some',
    ],
    [
      'a path through a list',
      or(paid, comparison(['items', 'price'], 'eq', { type: 'number', value: 1 })),
      'comparison',
    ],
    [
      'an order on an enumeration',
      or(paid, comparison(['status'], 'gt', { type: 'string', value: 'paid' })),
      'comparison',
    ],
    ['nine groups', nested(9), 'not'],
  ])('%s', (_, filter, kind) => {
    expect(refusal(orders, filter)).toEqual([
      {
        code: 'print_unsayable',
        fault: 'server',
        message: `a query string cannot express this filter of kind ${kind} here`,
        parameters: { problem: 'filter', kind, hasGroups: true },
        hint,
      },
    ])
  })
  test('eight groups are not', () => {
    expect(sameFilter(read(printFilter(orders, nested(8), groups)), nested(8))).toBe(true)
  })
  test('an entry takes two groups, for only a word begins one in a query', () => {
    const entry = (depth: number): Filter => {
      const price = (operator: 'gt' | 'lt') => comparison(['price'], operator, { type: 'number', value: 1 })
      const inside = (level: number): Filter => (level === 0 ? price('lt') : not(both(price('gt'), inside(level - 1))))
      return some(['items'], inside(depth))
    }
    const text = printFilter(orders, entry(6), groups)
    expect(text.split('(')).toHaveLength(9)
    expect(sameFilter(read(text), entry(6))).toBe(true)
    expect(refusal(orders, entry(7))).toMatchObject([
      { message: 'a query string cannot express this filter of kind some here' },
    ])
  })
  test('a second condition on a field whose name has a mark of groups', () => {
    const schema = defineSchema({ 'a,b': field.integer() })
    const is = (value: number) => comparison(['a,b'], 'gt', { type: 'integer', value })
    expect(printFilter(schema, is(1), groups)).toBe('a%2Cb[gt]=1')
    expect(refusal(schema, both(is(1), is(2)))).toMatchObject([
      { message: 'a query string cannot express this filter of kind comparison here' },
    ])
  })
  test('all of it at once, each where it was read', () => {
    const [first, second] = [o.in('seller', []), or()]
    expect(
      refusal(
        orders,
        or(paid, { ...first, span: { start: 1, end: 2 } }, not({ kind: 'and', filters: [second, paid] })),
      ),
    ).toMatchObject([
      { span: { start: 1, end: 2 } },
      { message: 'a query string cannot express this filter of kind or here' },
    ])
  })

  test('names with marks of groups are printed outside of groups only', () => {
    const schema = defineSchema({
      'a,b': field.string(),
      'c(d': field.list(field.string()),
      not: field.object({ and: field.list(field.object({ x: field.integer() })) }),
      l: field.list(field.object({ and: field.list(field.integer()) })),
    })
    const x = { type: 'string', value: 'x' } as const
    const odd = comparison(['a,b'], 'eq', x)
    const collection = defineCollection(schema, { key: 'a,b', groups: true, parameters: { not: 'no' } })
    const query = (filter: Filter) => builtFor(collection, parseQueryOrThrow(collection, ''), filter)
    const some1 = some(['l'], not(some(['and'], not(comparison([], 'eq', { type: 'integer', value: 1 })))))
    expect(printQuery(collection, query(odd))).toBe('a%2Cb=x')
    expect(() => printQuery(collection, query(or(odd, not(odd))))).toThrow('cannot express')
    expect(() => printQuery(collection, query(some(['c(d'], not(comparison([], 'eq', x)))))).toThrow('cannot express')
    const through = some(['l', 'and'], not(comparison([], 'eq', { type: 'integer', value: 1 })))
    expect(() => printQuery(collection, query(or(odd, through)))).toThrow('of kind or here')
    expect(() => printQuery(collection, query(both(odd, through)))).toThrow('of kind and here')
    // The word wins over a list of its name.
    expect(() => printQuery(collection, query(some1))).toThrow('cannot express')
    const inner = some(['not', 'and'], not(comparison(['x'], 'eq', { type: 'integer', value: 1 })))
    expect(printQuery(collection, query(inner))).toBe('and=(not.and(x[notEqual]=1))')
  })
})

test('queries are printed with the words and the operators of their collection', () => {
  const schema = defineSchema({ id: field.integer(), seller: field.string(), total: field.number() })
  const w = where(schema)
  const collection = defineCollection(schema, {
    key: 'id',
    groups: true,
    operators: { seller: ['equals', 'startsWith'], total: ['range', 'gt'] },
    parameters: { and: 'all of', or: 'any', not: 'none' },
  })
  const query = (filter: Filter) => builtFor(collection, parseQueryOrThrow(collection, 'limit=5'), filter)
  for (const [filter, text] of [
    [or(w.equals('seller', 'a'), w.gt('total', 1)), 'any=(seller=a,total[gt]=1)&limit=5'],
    // The field does not take notEqual, but a group says it.
    [not(w.equals('seller', 'a')), 'none=(seller=a)&limit=5'],
    [and(w.gt('total', 1), w.gt('total', 2)), 'total[gt]=1&all%20of=(total[gt]=2)&limit=5'],
    [or(w.range('total', 1, 2), w.equals('id', 1)), 'any=(total[range]=(1,2),id=1)&limit=5'],
  ] as const) {
    expect(printQuery(collection, query(filter))).toBe(text)
    expect(sameFilter(parseQueryOrThrow(collection, text).filter, filter)).toBe(true)
  }
  expect(() => printQuery(collection, query(or(w.gte('total', 1), w.contains('seller', 'a'))))).toThrow(
    'operator gte is not available for total',
  )
  expect(() => printQuery(collection, query(or(w.gte('total', 1), w.gt('total', 1), w.equals('id', 1))))).toThrow(
    /^operator gte is not available for total$/,
  )
  expect(() => printQuery(collection, query(both(w.gte('total', 1), or())))).toThrow('cannot express')
  const bare = defineCollection(schema, { key: 'id' })
  expect(() => printQuery(bare, query(or(w.equals('id', 1), w.equals('id', 2))))).toThrow('cannot express')
})
