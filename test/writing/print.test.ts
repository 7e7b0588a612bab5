import { describe, expect, test, vi } from 'vitest'
import {
  and,
  defineCollection,
  defineSchema,
  field,
  FilterError,
  formatIssue,
  not,
  or,
  parseFilterOrThrow,
  parseQueryOrThrow,
  printFilter,
  printQuery,
  where,
  type Filter,
  type Schema,
} from '../../src/index.ts'
import { comparison, match, membership, presence, sameFilter, some, type Kind } from '../../src/tree.ts'
import { exact, orders } from '../orders.ts'
import { rowsIn } from '../rows.ts'
import { builtFor } from '../by-hand.ts'

const o = where(orders)

/** Texts of print.txt, and the canonical text of the filter that they mean. */
const texts = (section: string) =>
  rowsIn(new URL('print.txt', import.meta.url), section).map(
    ({ cells: [text, canonical], place }) => [text!, canonical === '=' ? text! : canonical!, place] as const,
  )
const canonicalTexts = texts('the canonical text')
const id = '01890a5d-ac96-774b-bcce-b302099a8057'
test.each(texts('exact types'))('the canonical text of exact types: %s', (text, canonical, place) => {
  const filter = parseFilterOrThrow(exact, text)
  expect(printFilter(exact, filter), place).toBe(canonical)
  expect(sameFilter(parseFilterOrThrow(exact, canonical), filter)).toBe(true)
})
test.each([
  // A stored value may have so many digits, and an operand may not.
  ['a decimal of 35 digits', comparison(['money'], 'eq', { type: 'decimal', value: '1'.repeat(35) })],
  ['a bigint for a decimal', comparison(['money'], 'eq', { type: 'bigint', value: '1' })],
  ['a text for a uuid', comparison(['ref'], 'eq', { type: 'string', value: id })],
  ['an integer for a bigint', comparison(['serial'], 'eq', { type: 'integer', value: 1 })],
])('%s is not printed', (_, filter) => expect(() => printFilter(exact, filter)).toThrow(FilterError))

describe('the canonical text', () => {
  test.each(canonicalTexts)('of %s', (text, canonical, place) => {
    const filter = parseFilterOrThrow(orders, text)
    const printed = printFilter(orders, filter)
    expect(printed, place).toBe(canonical)
    expect(sameFilter(parseFilterOrThrow(orders, printed), filter)).toBe(true)
    expect(printFilter(orders, parseFilterOrThrow(orders, printed))).toBe(printed)
    // It survives a URL, untouched but for what browsers encode.
    expect(sameFilter(parseFilterOrThrow(orders, new URL(`http://host/?${printed}`)), filter)).toBe(true)
  })

  test('a second copy of the library, such as that of the other format, writes the same', async () => {
    vi.resetModules()
    const copy = await import('../../src/index.ts')
    for (const [text, canonical] of canonicalTexts)
      expect(copy.printFilter(orders, copy.parseFilterOrThrow(orders, text))).toBe(canonical)
    expect(() => copy.printFilter(orders, or())).toThrow(FilterError)
  })

  test('field names are escaped', () => {
    const names = ['a b', 'é', 'a=b&c', '%41', '?', '+', '#', "it's", '"']
    const schema = defineSchema(Object.fromEntries(names.map((name) => [name, field.string()])))
    for (const name of names) {
      const filter = comparison([name], 'eq', { type: 'string', value: 'x' })
      const printed = printFilter(schema, filter)
      expect(printed).toMatch(/^[!-~]+$/)
      expect(sameFilter(parseFilterOrThrow(schema, printed), filter), printed).toBe(true)
    }
  })

  test('of the design’s example', () => {
    const filter = and(
      o.equals('seller', 's-1'),
      o.in('status', ['paid', 'held']),
      o.range('total', 10, 20),
      o.exists('gift', true),
      o.some('items', (i) => and(i.gte('arrival', '2024-01-01'), i.contains('product', 'surf'))),
      o.some('tags', (t) => t.equals('sea')),
    )
    expect(printFilter(orders, filter)).toBe(
      'seller=s-1&status[in]=paid,held&total[range]=10,20&gift[exists]=true&items.arrival[gte]=2024-01-01&items.product[contains]=surf&tags=sea',
    )
  })
})

describe('filters that the language cannot express are refused', () => {
  const string = (value: string) => ({ type: 'string', value }) as const
  const unsayable = (kind: Kind) => ({
    code: 'print_unsayable',
    fault: 'server',
    message: `a query string cannot express this filter of kind ${kind} here`,
    parameters: { problem: 'filter', kind, hasGroups: false },
    hint: 'without groups, a query string joins conditions with "and", uses each operator once per field, negates single conditions, and filters one entry of each list',
  })
  /** The issues with which a filter is refused. */
  const refusal = (schema: Schema, filter: Filter) => {
    try {
      return printFilter(schema, filter)
    } catch (error) {
      expect(error).toBeInstanceOf(FilterError)
      return (error as FilterError).issues
    }
  }
  // The parts with an issue: the conditions of a field, or the whole filter if each of its conditions can be expressed.
  const [sellerA, sellerB] = [o.equals('seller', 'a'), o.equals('seller', 'b')]
  const [atLeast, atMost] = [(total: number) => o.gte('total', total), (total: number) => o.lte('total', total)]
  const entry = (make: Parameters<typeof o.some<'items'>>[1]) => o.some('items', make)
  const [priced, named] = [entry((i) => i.gt('price', 1)), entry((i) => i.gt('product', 'x'))]
  const day = (date: string) => o.equals('paidAt', date)
  const number = { type: 'number', value: 1 } as const
  const apart = [atLeast(1), atMost(2), o.equals('gift', true), atLeast(3), atMost(4), atLeast(5)]
  test.each<[string, Filter, ...Kind[]]>([
    ['or', or(sellerA, sellerB), 'or'],
    ['false', or(), 'or'],
    ['true inside', { kind: 'and', filters: [and(), sellerA] }, 'and'],
    ['a nested and', { kind: 'and', filters: [and(sellerA, o.gt('total', 1)), o.exists('gift')] }, 'and'],
    ['and of one', { kind: 'and', filters: [sellerA] }, 'and'],
    ['not of an order', not(o.gt('total', 1)), 'not'],
    ['not of a prefix', not(o.startsWith('seller', 'a')), 'not'],
    ['not of not', not(not(sellerA)), 'not'],
    ['not of not beside another condition of its field', and(atMost(5), not(not(atLeast(1)))), 'not'],
    ['not of an and', not(and(sellerA, o.equals('total', 1))), 'not'],
    ['not of a range', not(o.range('total', 1, 2)), 'not'],
    ['membership in nothing', o.in('seller', []), 'membership'],
    ['not in nothing', o.nin('seller', []), 'not'],
    ['membership in nothing, of a date', membership(['arrival'], []), 'membership'],
    ['one operator twice', and(sellerA, sellerB), 'comparison', 'comparison'],
    ['three lower bounds', and(atLeast(1), atLeast(2), atLeast(3)), 'comparison', 'comparison', 'comparison'],
    // Those of `total`; the other is fine.
    ['bounds of a range that stand apart', and(...apart), ...Array<Kind>(5).fill('comparison')],
    ['two entries of a list', and(priced, named), 'and'],
    ['a list’s group in two places', and(priced, o.exists('gift'), named), 'and'],
    ['a complement inside an entry', entry((i) => i.notEqual('price', 1)), 'some'],
    ['any entry at all', entry(() => and()), 'some'],
    ['an or inside an entry', entry((i) => or(i.equals('price', 1), i.equals('price', 2))), 'or'],
    ['no entry with two things', not(entry((i) => and(i.equals('price', 1), i.equals('product', 'x')))), 'not'],
    ['a field that is not there', comparison(['nope'], 'eq', string('x')), 'comparison'],
    ['an entry itself, at the root', comparison([], 'eq', string('x')), 'comparison'],
    ['a path that crosses a list by itself', comparison(['items', 'price'], 'eq', number), 'comparison'],
    ['a list that is none', some(['customer'], comparison(['name'], 'eq', string('x'))), 'comparison'],
    ['a literal of another type', comparison(['total'], 'eq', { type: 'integer', value: 1 }), 'comparison'],
    ['a text for a number', comparison(['total'], 'eq', string('1')), 'comparison'],
    ['a value outside the enumeration', comparison(['status'], 'eq', string('x')), 'comparison'],
    ['one among others', membership(['status'], [string('paid'), string('x')]), 'membership'],
    ['presence of another type', presence(['total'], 'string'), 'presence'],
    ['a match on a number', match(['total'], 'prefix', 'x'), 'match'],
    ['an order on an enumeration', comparison(['status'], 'gt', string('paid')), 'comparison'],
    ['an or of another field’s days', or(day('2024-01-01'), day('2024-01-02'), o.equals('gift', true)), 'or'],
    ['a day or anything', or(day('2024-01-01'), and()), 'or'],
  ])('%s', (_, filter, ...kinds) => {
    expect(refusal(orders, filter)).toStrictEqual(kinds.map(unsayable))
  })

  test('lists that are one in the schema', () => {
    const schema = defineSchema({ a: field.object({ b: field.list(field.object({ c: field.string() })) }) })
    const leaf = comparison(['c'], 'eq', string('x'))
    expect(printFilter(schema, some(['a', 'b'], leaf))).toBe('a.b.c=x')
    expect(refusal(schema, some(['a'], some(['b'], leaf)))).toStrictEqual([unsayable('comparison')])
  })

  test('a filter that cannot be expressed is refused in time, for any number of candidates', () => {
    const day = o.equals('paidAt', '2024-01-01')
    for (const times of [5, 6, 7, 50]) {
      const filter = and(...Array.from({ length: times }, () => day))
      if (times > 5) expect(() => printFilter(orders, filter)).toThrow(FilterError)
      else
        expect(parseFilterOrThrow(orders, printFilter(orders, filter))).toMatchObject({
          filters: { length: 2 * times },
        })
    }
  })

  test.each(['in', 'nin'])('a day of a long %s is worked out a few times, not by each operator', (operator) => {
    const days = Array.from({ length: 400 }, (_, at) => new Date(at * 86_400_000).toISOString().slice(0, 10))
    const text = `paidAt[${operator}]=${days.join(',')}`
    const filter = parseFilterOrThrow(orders, text)
    const toText = vi.spyOn(Date.prototype, 'toISOString')
    try {
      expect(printFilter(orders, filter)).toBe(text)
      // Once to find the day of an interval, to read its text back, to compare its filter, and to compare the whole.
      expect(toText.mock.calls.length).toBeLessThan(5 * days.length)
    } finally {
      toText.mockRestore()
    }
  })
  test('an or of days is an in', () => {
    expect(printFilter(orders, or(o.equals('paidAt', '2024-01-01'), o.equals('paidAt', '2024-01-02')))).toBe(
      'paidAt[in]=2024-01-01,2024-01-02',
    )
  })

  test('the issue has the span of its node, where it was read from text', () => {
    const text = 'total=1&gift[exists]=true'
    const read = parseFilterOrThrow(orders, text)
    const schema = defineSchema({ gift: field.boolean() })
    try {
      printFilter(schema, read)
    } catch (error) {
      expect((error as FilterError).issues.map(({ span }) => span)).toEqual([{ start: 0, end: 7 }])
      expect(formatIssue(text, (error as FilterError).issues[0])).toMatch(
        /^total=1&gift\[exists\]=true\n\^{7}\na query string cannot express/,
      )
    }
  })

  test('a wrong program is a TypeError', () => {
    expect(() => printFilter({} as typeof orders, and())).toThrow(TypeError)
    expect(() => printFilter(orders, undefined as never)).toThrow(new TypeError('filter must be a filter'))
  })
})

const lists = defineSchema({
  id: field.integer(),
  total: field.number(),
  tags: field.list(field.string()),
  times: field.list(field.datetime()),
  items: field.list(
    field.object({
      product: field.string(),
      price: field.number(),
      extras: field.list(field.string()),
      parts: field.list(field.object({ name: field.string(), code: field.string() })),
    }),
  ),
})

test.each(texts('entries of their own'))('entries of their own: %s', (text, canonical, place) => {
  const filter = parseFilterOrThrow(lists, text)
  expect(sameFilter(parseFilterOrThrow(lists, canonical), filter)).toBe(true)
  for (const groups of [false, true])
    expect(decodeURIComponent(printFilter(lists, filter, { groups })), place).toBe(canonical)
})

const withoutEquals = 'entries of their own, where a collection leaves out equals'
test.each(texts(withoutEquals))(`${withoutEquals}: %s`, (text, canonical, place) => {
  const collection = defineCollection(lists, { key: 'id', operators: { 'items.product': ['all'] } })
  const query = parseQueryOrThrow(collection, text)
  expect(printQuery(collection, query), place).toBe(text)
  expect(printQuery(collection, builtFor(collection, query, query.filter)), place).toBe(canonical)
})

const besideEquals = 'entries of their own beside equal conditions'
test.each(texts(besideEquals))(`${besideEquals}: %s`, (text, canonical, place) => {
  const filter = parseFilterOrThrow(lists, text, { groups: true })
  expect(printFilter(lists, filter, { groups: true }), place).toBe(canonical)
  expect(sameFilter(parseFilterOrThrow(lists, canonical, { groups: true }), filter)).toBe(true)
})

test.each(['or=(total=1,total=2)&tags[all]=a,b', 'not=(total=1,id=2)&tags[all]=a,b&id=3'])(
  'entries of their own after a group: %s',
  (text) => expect(printFilter(lists, parseFilterOrThrow(lists, text, { groups: true }), { groups: true })).toBe(text),
)

test('a day of UTC is one in every name of UTC, and in no other zone', () => {
  const filter = parseFilterOrThrow(lists, 'times=2024-01-01')
  const printIn = (timeZone: string | undefined) => printFilter(lists, filter, { timeZone })
  for (const zone of [undefined, 'UTC', 'utc', 'Etc/UTC', 'etc/utc']) expect(printIn(zone)).toBe('times=2024-01-01')
  for (const zone of ['xutc', 'utcx', 'Europe/Berlin'])
    expect(printIn(zone)).toBe('times[gte]=2024-01-01T00:00:00.000Z&times[lt]=2024-01-02T00:00:00.000Z')
  expect(() => printIn('a zone')).toThrow(new TypeError('options.timeZone must be the name of a time zone'))
})
