/** What holds for every text, whatever it is. Each law can be broken: `fuzz.test.ts` shows by what. */
import { memoryBackend } from '../../src/backends/memory/index.ts'
import { Decimal128 } from 'mongodb'
import { mongoBackend } from '../../src/backends/mongo/index.ts'
import {
  childTable,
  column,
  jsonColumn,
  duckdb,
  mariadb,
  mysql,
  postgres,
  sqlBackend,
  sqlite,
  table,
} from '../../src/backends/sql/index.ts'
import { defaultLimits, FilterError, formatIssue, issueCodes, not } from '../../src/index.ts'
import { checkFilter, children, map, sameFilter } from '../../src/tree.ts'
import { parseFilter, printFilter } from '../../src/index.ts'
import type { Filter, Issue, Limits, ParseOptions, ParseResult } from '../../src/index.ts'
import { readPlainly } from './reading.ts'
import { schema } from './schema.ts'

/** What every text is read with. */
export const settings: readonly ParseOptions[] = [
  { reserved: ['apiKey', 'page[size]', 'é'] },
  { reserved: ['apiKey'], limits: { length: 80, pairs: 4, list: 2, searches: 1, depth: 2, operand: 10, issues: 3 } },
  { reserved: ['apiKey'], groups: true },
]

/** A text that was read. */
interface Reading {
  readonly library: Library
  readonly text: string
  readonly options: ParseOptions
  readonly result: ParseResult
  /** Reads another text with the same options, but for some limits. */
  readonly read: (text: string, limits?: Partial<Limits>) => ParseResult
}
/** What is wrong, be it an empty text; nothing where the law holds. */
type Law = (reading: Reading) => string | false | undefined

const pairsOf = (text: string) => (text.startsWith('?') ? text.slice(1) : text).split('&')
const codesOf = (result: ParseResult) => (result.ok ? [] : result.issues.map(({ code }) => code))
const placesOf = (result: ParseResult) =>
  result.ok ? [] : result.issues.map(({ code, span }) => [span!.start, span!.end, code] as const)
const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
const sameResult = (a: ParseResult, b: ParseResult) =>
  same([...a.reserved], [...b.reserved]) && (a.ok && b.ok ? sameFilter(a.filter, b.filter) : a.ok === b.ok)

/** The whole text decoded, where it can be. */
function decoded(text: string): string | undefined {
  try {
    return text.isWellFormed() ? decodeURIComponent(text.replaceAll('+', ' ')) : undefined
  } catch {
    return undefined
  }
}

/** The definition that a text is read by once more knows no groups, and what is in one is no value of a pair. */
const hasGroups = (text: string, { groups = false }: ParseOptions): boolean =>
  groups && pairsOf(text).some((pair) => ['and', 'or', 'not'].includes(decoded(pair.split('=', 1)[0]!) ?? ''))

// --- Places

const frozenAndPlaced = (filter: Filter, text: string, start = 0, end = text.length): boolean => {
  const { span } = filter
  if (!Object.values(filter).concat(filter).every(Object.isFrozen)) return false
  if (span === undefined) return filter.kind === 'and' && filter.filters.length === 0
  const isPair = children(filter).length > 0 || !text.slice(span.start, span.end).includes('&')
  const isInside = span.start >= start && span.start < span.end && span.end <= end
  return isPair && isInside && children(filter).every((inner) => frozenAndPlaced(inner, text, span.start, span.end))
}

/** The text with every character escaped that may be, and where each of its offsets then is. */
function escaped(text: string): { text: string; moved: readonly number[] } {
  const moved: number[] = []
  let made = ''
  let isKey = true
  for (const { 0: found, index } of text.matchAll(/%[\da-f]{2}|[^]/giu)) {
    moved[index] = made.length
    const isMark = found === '&' || (found === '=' && isKey) || (found === '?' && index === 0)
    if (found === '&' || found === '=') isKey = found === '&'
    if (isMark || found.startsWith('%')) made += found
    else made += found === '+' ? '%20' : hex(found)
  }
  moved[text.length] = made.length
  return { text: made, moved }
}
const hex = (character: string) =>
  Array.from(new TextEncoder().encode(character), (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')

// --- Secrets

/** Nothing that the library has words for. */
const mark = 'Qz7x'
/** The text with a mark in the values of some pairs, and in the names that begin with a reserved one. */
function marked(text: string, reserved: readonly string[], isChosen: (name: string) => boolean): string {
  const pairs = pairsOf(text).map((pair) => {
    const [key] = pair.split('=', 1) as [string]
    const name = decoded(key) ?? key
    const own = reserved.some((one) => name.startsWith(one) && !reserved.includes(name)) ? mark : ''
    return isChosen(name) && pair !== '' ? `${key}${own}${pair.slice(key.length)}${key === pair ? '' : mark}` : pair
  })
  return `?${pairs.join('&')}`
}
const told = ({ message, hint = '' }: Issue) => message + hint

// --- Backends

const rooms = childTable('rooms', {
  key: 'id',
  foreignKey: 'order_id',
  columns: {
    lead: { name: 'lead_name', flags: jsonColumn('flags') },
    nights: childTable('nights', { foreignKey: 'room_id', value: 'night' }),
    guests: childTable('guests', { key: 'id', foreignKey: 'room_id', columns: { seen: jsonColumn('seen') } }),
  },
})
const tags = childTable('tags', { foreignKey: 'order_id', value: 'tag' })
const items = childTable('items', { foreignKey: 'order_id' })
/** SQLite has no decimals, in JSON neither. */
const amount = column('amount', { type: 'scaled', digits: 2 })
const fees = childTable('fees', { foreignKey: 'order_id', columns: { amount } })
const json = { fees, tags: jsonColumn('tags'), items: jsonColumn('items'), rooms: jsonColumn('rooms') }
const tables = [
  table('orders', { schema, key: 'id', columns: { ...json, customer: jsonColumn('customer') } }),
  table('orders', {
    schema,
    key: 'id',
    columns: { fees, tags, items, rooms, customer: { name: 'name', email: 'email' } },
  }),
]
const statements = [postgres, mysql, mariadb, sqlite, duckdb].flatMap((dialect) =>
  tables.map((table) => ({ dialect, backend: sqlBackend({ dialect, table }) })),
)
const fields = { 'fees.amount': { type: 'decimal', encode: (text: string) => Decimal128.fromString(text) } } as const
const documents = [mongoBackend({ fields }), mongoBackend({ dates: 'date', datetimes: 'string', fields })]

/** What the laws are about; a test puts something broken in its place. */
export const library = {
  parseFilter,
  printFilter,
  matches: memoryBackend().compile,
  /** The same filter on each dialect, by columns and child tables and by JSON. */
  statements: (filter: Filter) =>
    statements.map(({ dialect, backend }) => ({ ...backend.compile(filter), placeholder: dialect.placeholder(1) })),
  documents: (filter: Filter) => documents.map(({ compile }) => compile(filter)),
}
export type Library = typeof library

/** Literals and quoted names, in which a question mark is no placeholder. */
const quoted = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`/g
const known = /^\$(?:and|or|nor|not|eq|ne|gt|gte|lt|lte|in|nin|regex|options|type|elemMatch)$/

const keysIn = (value: unknown): string[] =>
  typeof value === 'object' && value !== null && !(value instanceof Date)
    ? Object.entries(value).flatMap(([key, inner]) => [...(Array.isArray(value) ? [] : [key]), ...keysIn(inner)])
    : []

const entry = { arrival: '2024-01-01', product: 'a', price: 1 }
const guest = { age: 1, seen: ['2024-01-01T00:00:00.000Z', null] }
const row = { seller: 'a', status: 'paid', total: 1, guests: 0, gift: true, tags: ['a', ''], items: [entry, {}] }
const exact = {
  reference: '123E4567-e89b-12d3-a456-426614174000',
  number: '9223372036854775807',
  fees: [{ amount: '1.10', at: '2024-01-01T00:00:00.123Z' }, { amount: 5 }],
}
const names = { customerName: '\u{1f600}', customer: { name: '\uff5e' } }
const rows: readonly unknown[] = [
  {},
  { ...row, ...names, ...exact, paidAt: new Date(0), rooms: [{ nights: ['2024-01-01'], guests: [guest] }] },
  {
    ...row,
    paidAt: '9999-12-31T23:59:59.999999Z',
    arrival: 'x',
    customer: [],
    rooms: [null, { lead: { flags: [true] } }],
  },
]

// --- The laws

export const laws: Readonly<Record<string, Law>> = {
  'it is read as the definition of the language says': ({ text, options, result }) => {
    if (hasGroups(text, options)) return false
    const { faults, reserved, filter } = readPlainly(text, options)
    if (!same(placesOf(result), faults)) return `${JSON.stringify(placesOf(result))} for ${JSON.stringify(faults)}`
    if (!same([...result.reserved], [...reserved])) return 'reserved values'
    return result.ok && filter !== undefined && !sameFilter(result.filter, filter) && JSON.stringify(result.filter)
  },

  'issues stand inside of the text, in order': ({ text, options, result }) => {
    if (result.ok) return false
    const most = options.limits?.issues ?? defaultLimits.issues
    if (result.issues.length < 1 || result.issues.length > most) return `${result.issues.length} issues`
    const wrong = result.issues.find(({ code, fault, span }, at) => {
      const { start, end } = span!
      const last = result.issues[at - 1]?.span ?? { start: 0, end: 0 }
      const isBehind = start > last.start || (start === last.start && end >= last.end)
      const isOfText = issueCodes.includes(code) && !/^(?:backend|print)_/.test(code) && fault === 'client'
      return !(isBehind && isOfText && start <= end && end <= text.length)
    })
    return wrong && JSON.stringify(wrong)
  },

  'no issue tells a value, and no statement holds one': ({ library, text, options, read }) => {
    if (text.includes(mark) || hasGroups(text, options)) return false
    const result = read(marked(text, options.reserved ?? [], () => true))
    if (!result.ok) return result.issues.map(told).find((told) => told.includes(mark))
    const texts = library.statements(result.filter).map(({ text }) => text)
    return [...texts, ...keysIn(library.documents(result.filter))].find((text) => text.includes(mark))
  },

  'nothing shows a reserved value': ({ text, options: { reserved = [] }, read }) => {
    if (text.includes(mark)) return false
    const secret = marked(text, reserved, (name) => reserved.some((one) => name.startsWith(one)))
    const result = read(secret)
    if (result.ok) return JSON.stringify(result.filter).includes(mark) && 'the filter'
    return result.issues.map((issue) => formatIssue(secret, issue, { reserved })).find((shown) => shown.includes(mark))
  },

  'a filter is sound and frozen, and stands where its text does': ({ text, result }) => {
    if (!result.ok) return false
    checkFilter(JSON.parse(JSON.stringify(result.filter)))
    return !frozenAndPlaced(result.filter, text) && JSON.stringify(result.filter)
  },

  'what is printed is read as the same filter, and printed the same': ({ library, options, result, read }) => {
    if (!result.ok) return false
    const { groups = false } = options
    const printed = library.printFilter(schema, result.filter, { groups })
    const again = read(printed, { length: Infinity })
    const isSame = again.ok && sameFilter(again.filter, result.filter)
    return !(isSame && library.printFilter(schema, again.filter, { groups }) === printed) && printed
  },

  'escapes change nothing but places': ({ text, result, read }) => {
    if (decoded(text) === undefined || codesOf(result).includes('limit_length')) return false
    const other = escaped(text)
    const again = read(other.text, { length: Infinity })
    const moved = placesOf(result).map(([start, end, code]) => [other.moved[start], other.moved[end], code])
    return !(sameResult(result, again) && same(moved, placesOf(again))) && other.text
  },

  'the order of pairs changes nothing but order': ({ text, read }) => {
    const all = { length: Infinity, pairs: Infinity, issues: Infinity }
    const results = [pairsOf(text), pairsOf(text).reverse()].map((pairs) => read(`?${pairs.join('&')}`, all))
    const [one, other] = results.map((result) => ({
      reserved: [...result.reserved].map(([name, values]) => [name, [...values].sort()]).sort(),
      filter: result.ok && unordered(result.filter),
      // The hint for a condition that is there twice has the values in their order.
      issues:
        result.ok ||
        result.issues
          .map(({ code, message, hint }) => [code, message, code === 'duplicate_condition' || hint].join())
          .sort(),
    }))
    return !same(one, other) && JSON.stringify([one, other])
  },

  'a predicate holds where its complement does not': ({ library, result }) => {
    if (!result.ok) return false
    const [is, isNot] = [library.matches(result.filter), library.matches(not(result.filter))]
    const wrong = rows.find((row) => is(row) !== !isNot(row))
    return wrong !== undefined && JSON.stringify(wrong)
  },

  'statements have as many parameters as placeholders': ({ library, result }) => {
    if (!result.ok) return false
    const wrong = library.statements(result.filter).find(({ text, parameters, strings, placeholder }) => {
      const count = text.replace(quoted, '').match(placeholder === '$1' ? /\$\d+/g : /\?/g)?.length ?? 0
      return count !== parameters.length || strings.length !== count + 1
    })
    return wrong?.text
  },

  'documents are made of known operators': ({ library, result }) =>
    result.ok && keysIn(library.documents(result.filter)).find((key) => key.startsWith('$') && !known.test(key)),
}

/** A filter as text whose groups have no order. */
const unordered = (filter: Filter): string =>
  JSON.stringify(
    map(filter, (node) =>
      node.kind === 'and'
        ? { ...node, filters: node.filters.toSorted((a, b) => (plain(a) < plain(b) ? -1 : 1)) }
        : node,
    ),
    withoutSpans,
  )
const withoutSpans = (key: string, value: unknown) => (key === 'span' ? undefined : value)
const plain = (filter: Filter) => JSON.stringify(filter, withoutSpans)

/** The first law that a text breaks, and how. */
export function brokenLaw(text: string, tried = library, names = Object.keys(laws)): string | undefined {
  for (const options of settings) {
    for (const name of names) {
      const found = breach(laws[name]!, text, options, tried)
      if (typeof found === 'string') return `${name}, with ${JSON.stringify(options)}: ${found}`
    }
  }
  return undefined
}

function breach(law: Law, text: string, options: ParseOptions, library: Library): ReturnType<Law> {
  const read: Reading['read'] = (text, limits) =>
    library.parseFilter(schema, text, { ...options, limits: { ...options.limits, ...limits } })
  try {
    return law({ library, text, options, read, result: read(text) })
  } catch (error) {
    return `${(error as Error).stack}${error instanceof FilterError ? JSON.stringify(error.issues) : ''}`
  }
}
