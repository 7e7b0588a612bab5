/** Parses random texts of clients: each returns a query or issues, with spans in the client's text. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { memoryBackend } from '../../src/backends/memory/index.ts'
import { parseQuery, parseQueryOrThrow, printQuery, type Filter } from '../../src/index.ts'
import { jsonServer, reactAdmin, strapi, type Notation } from '../../src/clients/notations/index.ts'
import { checkQuery, fold, sameFilter } from '../../src/tree.ts'
import { byEffort } from '../effort.ts'
import { collection, idsOf, notations, rows, type Order } from './orders.ts'

const numRuns = byEffort(20_000, 500)

/** Pieces of the texts of each client. */
const pieces: Readonly<Record<string, readonly string[]>> = {
  jsonServer: [
    '_sort',
    '_order',
    '_start',
    '_end',
    '_limit',
    '_page',
    '_ne',
    '_like',
    '_gte',
    '_lte',
    'q',
    'desc',
    'total_gte',
  ],
  jsonServer1: [
    ...[
      '_sort',
      '-total',
      '_page',
      '_per_page',
      ':gt',
      ':ne',
      ':in',
      ':contains',
      '_where=',
      '{',
      '}',
      '[',
      ']',
      '"',
      ':',
    ],
    ...[
      '"or"',
      '"eq"',
      '"total"',
      '{"eq":5}',
      '{"total":{"gt":5}}',
      '_where={"or":[{"id":{"eq":1}},{"total":{"lt":9}}]}',
    ],
  ],
  reactAdmin: [
    'filter=',
    'range=',
    'sort=',
    '{',
    '}',
    '[',
    ']',
    '"',
    ':',
    '"status"',
    '"total_gte"',
    '"_q"',
    'null',
    'true',
    '\\u0041',
    '[0,9]',
    '["id","ASC"]',
    '{"status":["paid"]}',
  ],
  strapi: [
    'filters',
    '[$or]',
    '[$and]',
    '[$not]',
    '[0]',
    '[1]',
    '[]',
    '[status]',
    '[total]',
    '[customer]',
    '[name]',
    '[$eq]',
    '[$ne]',
    '[$in]',
    '[$null]',
    '[$between]',
    'sort',
    ':desc',
    'pagination[page]',
    'pagination[pageSize]',
    'fields[0]',
  ],
  jsonApi: [
    'filter',
    '[status]',
    '[total]',
    '[customer.name]',
    '[gte]',
    '[ne]',
    '[in]',
    'sort',
    '-total',
    'page[size]',
    'page[number]',
    'page[after]',
    'fields[orders]',
  ],
  nestPaginate: [
    'filter.',
    '$eq:',
    '$not:',
    '$in:',
    '$btw:',
    '$null',
    '$contains:',
    'sortBy',
    ':DESC',
    'page',
    'limit',
    'cursor',
    'select',
    'search',
  ],
}
const common = [
  'status',
  'total',
  'note',
  'tags',
  'customer.name',
  'id',
  'nope',
  '=',
  '=',
  '=',
  '&',
  '&',
  ',',
  'paid',
  'held',
  '5',
  '10',
  '1e2',
  '"',
  '\\',
  '(',
  ')',
  '%',
  '%2C',
  '%5B',
  '%5D',
  '%22',
  '%C3%A9',
  '%E2%82',
  '%00',
  '+',
  'é',
  '😀',
  '\ud800',
  '$',
  'or',
  'and=(',
  'apiKey',
  'limit',
  '',
  ' ',
]

const spansOf = (filter: Filter): readonly (Filter['span'] | undefined)[] =>
  fold<readonly (Filter['span'] | undefined)[]>(filter, {
    and: (all, { span }) => [...all.flat(), span],
    or: (all, { span }) => [...all.flat(), span],
    not: (inner, { span }) => [...inner, span],
    some: (inner, { span }) => [...inner, span],
    comparison: ({ span }) => [span],
    membership: ({ span }) => [span],
    match: ({ span }) => [span],
    presence: ({ span }) => [span],
    count: ({ span }) => [span],
  })

/** Checks the spans and the query of a text. @returns whether the text is valid. */
function check(notation: Notation, text: string): boolean {
  const result = parseQuery(collection, text, { notation, reserved: ['apiKey'] })
  const isInside = ({ start, end }: { readonly start: number; readonly end: number }) =>
    0 <= start && start <= end && end <= text.length
  if (result.ok) {
    const { query } = result
    const spans = [...spansOf(query.filter), ...query.sort.map(({ span }) => span)]
    expect(spans.every((span) => span === undefined || isInside(span))).toBe(true)
    expect(checkQuery(JSON.parse(JSON.stringify(query)))).toEqual(query)
    const printed = parseQueryOrThrow(collection, printQuery(collection, query))
    expect(sameFilter(printed.filter, query.filter)).toBe(true)
    expect({ ...printed, filter: undefined }).toMatchObject({ limit: query.limit, count: query.count })
    return true
  }
  for (const { span, suggestion, message, hint = '' } of result.issues) {
    expect(isInside(span!)).toBe(true)
    expect(message + hint).not.toMatch(/undefined|NaN|\[object/)
    if (suggestion === undefined) continue
    expect(isInside(suggestion.span)).toBe(true)
    const { start, end } = suggestion.span
    parseQuery(collection, text.slice(0, start) + suggestion.insert + text.slice(end), { notation })
  }
  return false
}

test.each(Object.entries(notations))('%s: pieces in any order', (name, notation) => {
  const piece = fc.constantFrom(...pieces[name]!, ...common)
  let queries = 0
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 14 }), (all) => {
      if (check(notation, all.join(''))) queries++
    }),
    { numRuns },
  )
  expect(queries).toBeGreaterThan(0)
})

test.each(Object.entries(notations))('%s: any text', (_, notation) => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => void check(notation, text)),
    { numRuns: numRuns / 5 },
  )
})

test('reactAdmin: any JSON', () => {
  fc.assert(
    fc.property(
      fc.json({ maxDepth: 4 }),
      (json) => void check(reactAdmin, `filter=${encodeURIComponent(json.toWellFormed())}`),
    ),
    { numRuns },
  )
})

describe('the value of a reserved pair', () => {
  test.each(Object.entries(notations))('is in no issue of %s', (_, notation) => {
    for (const text of [
      'apiKey=secret-1&apikey_gte=secret-1',
      'status=x&apiKey%3Dsecret-1=5',
      'filters[apiKey=secret-1]=1',
    ]) {
      const result = parseQuery(collection, text, { notation, reserved: ['apiKey'] })
      expect(result.ok).toBe(false)
      expect(JSON.stringify(!result.ok && result.issues)).not.toContain('secret-1')
    }
  })
})

// --- Rows

const { compile } = memoryBackend()
const rowsOf = (notation: Notation, text: string): readonly number[] =>
  idsOf(rows.filter(compile(parseQueryOrThrow(collection, text, { notation }).filter)))

/** Three-valued logic: `undefined` is unknown. */
type Truth = boolean | undefined
interface Said {
  readonly text: (parent: string) => string
  readonly holds: (order: Order) => Truth
}
/** A condition in the logic of SQL: unknown without a value. */
const known =
  <V>(value: (order: Order) => V | undefined, test: (value: V) => boolean) =>
  (order: Order): Truth => {
    const found = value(order)
    return found === undefined ? undefined : test(found)
  }
const total = ({ total: value }: Order) => value
const note = ({ note: value }: Order) => value
const some = (name: string, word: string, value: string, holds: Said['holds']): Said => ({
  text: (parent) => `filters${parent}[${name}]${word}=${encodeURIComponent(value)}`,
  holds,
})
const integer = fc.integer({ min: 0, max: 50 })
const word = fc.constantFrom('Surf', 'surf', 'kayak', 'Surf 2', 'kayak 1', '4', '')
const leaf: fc.Arbitrary<Said> = fc.oneof(
  integer.map((n) =>
    some(
      'total',
      '[$gt]',
      `${n}`,
      known(total, (value) => value > n),
    ),
  ),
  integer.map((n) =>
    some(
      'total',
      '[$lte]',
      `${n}`,
      known(total, (value) => value <= n),
    ),
  ),
  integer.map((n) =>
    some(
      'total',
      '[$ne]',
      `${n}`,
      known(total, (value) => value !== n),
    ),
  ),
  integer.map((n) =>
    some(
      'total',
      '[$eq]',
      `${n}`,
      known(total, (value) => value === n),
    ),
  ),
  word.map((text) =>
    some(
      'note',
      '[$contains]',
      text,
      known(note, (value) => value.includes(text)),
    ),
  ),
  word.map((text) =>
    some(
      'note',
      '[$notContains]',
      text,
      known(note, (value) => !value.includes(text)),
    ),
  ),
  word.map((text) =>
    some(
      'note',
      '[$startsWith]',
      text,
      known(note, (value) => value.startsWith(text)),
    ),
  ),
  word.map((text) =>
    some(
      'note',
      '[$in][0]',
      text,
      known(note, (value) => value === text),
    ),
  ),
  word.map((text) =>
    some(
      'note',
      '[$notIn][0]',
      text,
      known(note, (value) => value !== text),
    ),
  ),
  fc.constant(some('note', '[$null]', 'true', (order) => order.note === undefined)),
  fc.constant(some('total', '[$notNull]', 'true', (order) => order.total !== undefined)),
)
const not = (truth: Truth): Truth => (truth === undefined ? undefined : !truth)
const and = (all: readonly Truth[]): Truth => (all.includes(false) ? false : all.includes(undefined) ? undefined : true)
const { said } = fc.letrec<{ said: Said }>((tie) => {
  const several = fc.array(tie('said'), { minLength: 1, maxLength: 3 })
  const joined = (name: string, holds: (all: readonly Truth[]) => Truth) =>
    several.map((all): Said => ({
      text: (parent) => all.map((one, at) => one.text(`${parent}[$${name}][${at}]`)).join('&'),
      holds: (order) => holds(all.map((one) => one.holds(order))),
    }))
  return {
    said: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      leaf,
      joined('and', and),
      joined('or', (all) => not(and(all.map(not)))),
      tie('said').map((one) => ({
        text: (parent: string) => one.text(`${parent}[$not]`),
        holds: (order: Order) => not(one.holds(order)),
      })),
    ),
  }
})

test('strapi: groups select the rows that the logic of SQL selects', () => {
  let selected = 0
  fc.assert(
    fc.property(said, (one) => {
      const text = one.text('')
      const expected = idsOf(rows.filter((order) => one.holds(order) === true))
      expect(rowsOf(strapi, text), text).toEqual(expected)
      if (expected.length > 0 && expected.length < rows.length) selected++
    }),
    { numRuns },
  )
  expect(selected).toBeGreaterThan(numRuns / 4)
})

test('jsonServer: values of any text are literal', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 8 }), { minLength: 1, maxLength: 4 }), (values) => {
      const text = values.map((value) => `note=${encodeURIComponent(value)}`).join('&')
      const { filter } = parseQueryOrThrow(collection, text, { notation: jsonServer })
      const row = (value: string) => compile(filter)({ note: value })
      expect(values.every(row)).toBe(true)
      expect(row(`${values.join('')}x`)).toBe(false)
    }),
    { numRuns: numRuns / 5 },
  )
})

test('reactAdmin: values of any text are literal', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 8 }), (value) => {
      const text = new URLSearchParams({ filter: JSON.stringify({ note: value }) })
      const { filter } = parseQueryOrThrow(collection, text, { notation: reactAdmin })
      expect(compile(filter)({ note: value })).toBe(true)
      expect(compile(filter)({ note: `${value}x` })).toBe(false)
    }),
    { numRuns: numRuns / 5 },
  )
})

describe('the span of an issue contains exactly the faulty piece', () => {
  type Piece = readonly [path: string, word: string, value: string]
  const written: Readonly<
    Record<string, { readonly word: string; readonly value?: string; readonly text: (all: readonly Piece[]) => string }>
  > = {
    jsonServer: { word: '_zz', text: (all) => all.map(([path, word, value]) => `${path}${word}=${value}`).join('&') },
    jsonServer1: { word: ':zz', text: (all) => all.map(([path, word, value]) => `${path}${word}=${value}`).join('&') },
    reactAdmin: {
      ...{ word: '_zz', value: '"wrong"' },
      text: (all) => `filter={${all.map(([path, word, value]) => `"${path}${word}":"${value}"`).join(', ')}}`,
    },
    strapi: {
      word: '$zz',
      text: (all) =>
        all.map(([path, word, value]) => `filters[${path}]${word === '' ? '' : `[${word}]`}=${value}`).join('&'),
    },
    jsonApi: {
      word: 'zz',
      text: (all) =>
        all.map(([path, word, value]) => `filter[${path}]${word === '' ? '' : `[${word}]`}=${value}`).join('&'),
    },
    nestPaginate: {
      word: '$zz',
      text: (all) =>
        all.map(([path, word, value]) => `filter.${path}=${word === '' ? '' : `${word}:`}${value}`).join('&'),
    },
  }
  const valid: readonly Piece[] = [
    ['id', '', '1'],
    ['status', '', 'paid'],
    ['note', '', 'a b'],
    ['gift', '', 'true'],
    ['day', '', '2024-01-05'],
    ['customer.name', '', 'é😀'],
  ]
  /** The unchanged text, the text with the usual escapes, and the text with every character escaped. */
  const encodings: readonly ((text: string) => string)[] = [
    (text) => text,
    (text) => text.replace(/[^&=]+/g, encodeURIComponent),
    (text) =>
      text.replace(/[^&=]/gu, (one) =>
        encodeURIComponent(one).replace(/^[\w.~!*'()-]$/, (plain) => `%${plain.charCodeAt(0).toString(16)}`),
      ),
  ]
  test.each(Object.entries(notations))('%s', (name, notation) => {
    const { word, value = 'wrong', text } = written[name]!
    const faults = [
      { piece: ['nope', '', '1'], at: 'nope', code: 'field_unknown' },
      { piece: ['total', word, '1'], at: word, code: 'operator_unknown' },
      { piece: ['total', '', 'wrong'], at: value, code: 'operand_invalid' },
    ] as const
    fc.assert(
      fc.property(
        fc.shuffledSubarray([...valid]),
        fc.constantFrom(...faults),
        fc.nat({ max: 5 }),
        fc.constantFrom(...encodings),
        (others, fault, place, encoded) => {
          const whole = encoded(text(others.toSpliced(place, 0, fault.piece)))
          const result = parseQuery(collection, whole, { notation })
          expect(
            !result.ok &&
              result.issues.map(({ code, span }) => [code, decodeURIComponent(whole.slice(span!.start, span!.end))]),
            whole,
          ).toEqual([[fault.code, fault.at]])
        },
      ),
      { numRuns: numRuns / 2 },
    )
  })
})
