/** Rows in memory: predicates against those written by hand and those of peers, and what it takes to make one. */
import { memoryBackend } from '../src/backends/memory/index.ts'
import { defineSchema, field, parseFilterOrThrow } from '../src/index.ts'
import { conditions, counts, orders } from './queries.mjs'
import { byHand, from, makeRows, newRandom, otherQueries, queries, to } from './rows.mjs'
import { check, newLoop, row, rowsOf, time } from './timing.mjs'

const limits = { length: Infinity, pairs: Infinity, list: Infinity, searches: Infinity, operand: Infinity }
const filterOf = (text) => parseFilterOrThrow(orders, text, { limits })

const closures = memoryBackend({ codegen: false }).compile

/** Generated code, as the backend makes it for a shape that it has seen. */
const usual = memoryBackend().compile
const known = (filter) => {
  usual(filter)
  return usual(filter)
}
const compilers = { closures, known }

function checkAnswers(predicate, hand, rows, what) {
  const wrong = rows.find((row) => Boolean(predicate(row)) !== hand(row))
  check(wrong === undefined, `${what} on ${JSON.stringify(wrong)}`)
}

/** All combinations of some properties' values. */
const product = (properties) =>
  Object.entries(properties).reduce(
    (cases, [name, values]) => cases.flatMap((one) => values.map((value) => ({ ...one, [name]: value }))),
    [{}],
  )
const contender = ['closures', 'known']
const query = ['Q1', 'Q3', 'Q6']

// --- memory

/** By data: the target and the moonshot. Nobody has set one for closures over sorted rows. */
const targets = {
  closures: { H: [1.3, 1.1], L: [1.7, 1.1], S: [] },
  'closures, polluted': { H: [1.6, 1.2], L: [2, 1.2] },
  known: { H: [1.1, 1], L: [1.1, 1], S: [1.1, 1] },
  'known, polluted': { H: [1.3, 1.1], L: [1.3, 1.1] },
}

const memory = {
  // One process for each: what the engine has seen of another predicate decides how it runs this one.
  cases: [
    ...product({ query, data: ['H', 'L', 'S'], dates: ['text'], contender, polluted: [false] }),
    ...product({ query, data: ['H', 'L'], dates: ['text'], contender, polluted: [true] }),
    ...product({ query: ['Q3', 'Q6'], data: ['H', 'L'], dates: ['Date', 'mixed'], contender, polluted: [false] }),
  ],
  processes: 3,
  run(one, settings) {
    const { query, data, dates, contender, polluted } = one
    const what = `${query} ${data}${dates === 'text' ? '' : `, days as ${dates}`}`
    const name = `${contender}${polluted ? ', polluted' : ''}`
    const rows = makeRows(100_000, { data, dates })
    const hand = byHand(dates)[query]
    const predicate = compilers[contender](filterOf(queries[query]))
    checkAnswers(predicate, hand, rows, what)
    const [target, moonshot] = targets[name][data]
    const comparison = { contender: name, base: 'by hand', target, moonshot }
    const contenders = { 'by hand': hand, [name]: predicate }
    if (!polluted) return rowsOf(time(contenders, { [what]: rows }, settings), [comparison])

    // A loop that has called fifty others calls everything in the slow way, what is written by hand too.
    const loop = newLoop()
    const some = rows.slice(0, 2_000)
    const others = otherQueries.map((text) => compilers[contender](filterOf(text)))
    for (let turn = 0; turn < 12; turn++) for (const other of others) loop(other, some, 1)
    const alone = 'by hand, loop of its own'
    const times = time({ ...contenders, [alone]: hand }, { [what]: rows }, settings, { 'by hand': loop, [name]: loop })
    return rowsOf(times, [comparison, { contender: name, base: alone }])
  },
}

// --- memory-peers

const document = {
  seller: { seller: 's-1' },
  span: { items: { $elemMatch: { arrival: { $gte: from, $lte: to } } } },
  rest: { customerName: { $regex: /^jo/i }, status: { $in: ['paid', 'held'] }, total: { $gt: 10 } },
}
const documents = {
  Q1: document.seller,
  Q3: { ...document.seller, ...document.span },
  Q6: { ...document.seller, ...document.span, ...document.rest },
}

const isSeller = { '===': [{ var: 'seller' }, 's-1'] }
const hasItemInSpan = {
  some: [{ var: 'items' }, { and: [{ '>=': [{ var: 'arrival' }, from] }, { '<=': [{ var: 'arrival' }, to] }] }],
}
const rules = {
  Q1: isSeller,
  Q3: { and: [isSeller, hasItemInSpan] },
  Q6: {
    and: [
      isSeller,
      hasItemInSpan,
      { '===': [{ substr: [{ var: 'customerName' }, 0, 2] }, 'Jo'] },
      { in: [{ var: 'status' }, ['paid', 'held']] },
      { '>': [{ var: 'total' }, 10] },
    ],
  },
}

const expressions = {
  Q1: 'seller == "s-1"',
  Q3: 'seller == "s-1" and hasItemInSpan(items)',
  Q6: 'seller == "s-1" and hasItemInSpan(items) and startsWithJo(customerName) and status in ("paid", "held") and total > 10',
}
const extraFunctions = {
  hasItemInSpan: (items) => items.some(({ arrival }) => arrival >= from && arrival <= to),
  startsWithJo: (name) => /^jo/i.test(name),
}

/** Name → query → predicate. */
const peers = {
  sift: async (query) => (await import('sift')).default(documents[query]),
  mingo: async (query) => {
    const { Query } = await import('mingo')
    const criteria = new Query(documents[query])
    return (row) => criteria.test(row)
  },
  '@ucast/mongo2js': async (query) => (await import('@ucast/mongo2js')).guard(documents[query]),
  // It cannot ignore case: "Jo" is all that it looks for, which is all that these rows have.
  'json-logic-engine': async (query) => {
    const { LogicEngine } = await import('json-logic-engine')
    return new LogicEngine().build(rules[query])
  },
  // It knows no lists of objects and does not ignore case: both are functions written by hand.
  filtrex: async (query) => (await import('filtrex')).compileExpression(expressions[query], { extraFunctions }),
}

const memoryPeers = {
  cases: product({ peer: Object.keys(peers), query, data: ['H', 'L'] }),
  processes: 3,
  async run({ peer, query, data }, settings) {
    const what = `${query} ${data}`
    const rows = makeRows(100_000, { data })
    const hand = byHand()[query]
    const contenders = { [peer]: await peers[peer](query), closures: closures(filterOf(queries[query])) }
    for (const [name, predicate] of Object.entries(contenders)) {
      checkAnswers(predicate, hand, rows, `${name}, ${what}`)
    }
    const times = time(contenders, { [what]: rows }, settings)
    return rowsOf(times, [{ contender: 'closures', base: peer, target: 1, moonshot: 1 / 3 }])
  },
}

// --- compile

/**
 * How many filters are parsed before the first of them is compiled: the library remembers the last 256. `kinds` is how many
 * there are: all texts are new unless they come again.
 */
const batches = {
  'just parsed': { count: 200, kinds: Infinity },
  'just parsed, operands seen': { count: 128, kinds: 128 },
  'parsed before 1,000 others': { count: 1_000, kinds: Infinity },
}

const compile = {
  cases: [
    ...product({ query, contender, batch: ['just parsed'] }),
    ...product({ query, contender: ['known'], batch: ['just parsed, operands seen'] }),
    ...product({ query, contender: ['closures', 'known'], batch: ['parsed before 1,000 others'] }),
  ],
  processes: 3,
  execArgv: ['--expose-gc'],
  run(one, settings) {
    const { query, contender, batch } = one
    const what = `${query}, ${batch}`
    const { count, kinds } = batches[batch]
    let made = 0
    const next = () => {
      const at = made++ % kinds
      // Patterns too are new: the engine keeps those that it has seen.
      const parts = conditions(at).map((part) => part.replace('=jo', `=jo${at}`))
      return filterOf(parts.slice(0, counts[query]).join('&'))
    }
    const fresh = () => {
      const filters = Array.from({ length: count }, next)
      // What reading them left behind is not to be cleaned up by who is measured.
      gc({ type: 'minor' })
      return filters
    }
    const compile = contender === 'known' ? usual : compilers[contender]
    const times = time({ [contender]: compile }, { [what]: fresh }, settings)
    const isTarget = query === 'Q6' && contender === 'closures' && batch === 'just parsed'
    return rowsOf(times, [{ contender, judged: 'value', ...(isTarget && { target: 2_000, moonshot: 1_000 }) }])
  },
}

// --- match

/** Letters on whose case everybody agrees. */
const alphabets = {
  ASCII: ['abcdefghijklmnopqrstuvwxyz  ', 'jones'],
  'Latin-1': ['abcdefghijklmnopqrstuvwxyzäöüéèñçåø  ', 'jörgé'],
  'two-byte': ['абвгдежзийклмнопрстуфхцчшщыэюя  ', 'жанна'],
}
const methods = { startsWith: 'startsWith', endsWith: 'endsWith', contains: 'includes' }
const patterns = { startsWith: (text) => `^${text}`, endsWith: (text) => `${text}$`, contains: (text) => text }
const places = {
  startsWith: () => 0,
  endsWith: (room) => room,
  contains: (room, below) => below(room + 1),
}

/** A quarter of them match, in whatever case. */
function makeTexts(operator, letters, needle, length) {
  const below = newRandom()
  const random = (text) => (below(3) === 0 ? text.toUpperCase() : text)
  return Array.from({ length: 1_000 }, () => {
    const characters = Array.from({ length }, () => random(letters[below(letters.length)]))
    if (below(4) === 0) {
      characters.splice(places[operator](length - needle.length, below), needle.length, ...Array.from(needle, random))
    }
    return characters.join('')
  })
}

const match = {
  cases: product({ operator: Object.keys(methods), alphabet: Object.keys(alphabets), length: [20, 2_000] }),
  processes: 1,
  run({ operator, alphabet, length }, settings) {
    const [letters, needle] = alphabets[alphabet]
    const what = `${operator}, ${alphabet}, ${length} characters`
    const texts = makeTexts(operator, letters, needle, length)
    const rows = JSON.parse(JSON.stringify(texts.map((note) => ({ note }))))
    const method = methods[operator]
    const pattern = new RegExp(patterns[operator](needle), 'iu')
    const contenders = {
      closures: closures(filterOf(`note[${operator}]=${encodeURIComponent(needle)}`)),
      toLowerCase: {
        startsWith: ({ note }) => note.toLowerCase().startsWith(needle),
        endsWith: ({ note }) => note.toLowerCase().endsWith(needle),
        includes: ({ note }) => note.toLowerCase().includes(needle),
      }[method],
      '/iu': ({ note }) => pattern.test(note),
    }
    for (const [name, predicate] of Object.entries(contenders)) {
      checkAnswers(predicate, contenders.toLowerCase, rows, `${name}, ${what}`)
    }
    return rowsOf(time(contenders, { [what]: rows }, settings), [
      { contender: 'closures', base: 'toLowerCase', target: 1 },
      { contender: 'closures', base: '/iu', moonshot: 1 },
    ])
  },
}

// --- in

/** Field, and how the values are written in the query and in a program. */
const valueTypes = {
  texts: { field: 'seller', valueOf: (at) => `s-${at}` },
  numbers: { field: 'total', valueOf: (at) => at },
}

const chain = (field, values) =>
  new Function('row', `return ${values.map((value) => `row.${field} === ${JSON.stringify(value)}`).join(' || ')}`)

const membership = {
  cases: product({ values: Object.keys(valueTypes), count: [1, 10, 1_000, 10_000], contender }),
  processes: 3,
  run(one, settings) {
    const { values: type, count, contender } = one
    const what = `${count} ${type}`
    const { field, valueOf } = valueTypes[type]
    const below = newRandom()
    const rows = Array.from({ length: 100_000 }, () => ({ [field]: valueOf(below(20_000)) }))
    const values = Array.from({ length: count }, (_, at) => valueOf(at))
    const set = new Set(values)
    const contenders = {
      [contender]: compilers[contender](filterOf(`${field}[in]=${values.join(',')}`)),
      Set: field === 'seller' ? (row) => set.has(row.seller) : (row) => set.has(row.total),
      ...(count <= 10 && { '===': chain(field, values) }),
    }
    const parsed = JSON.parse(JSON.stringify(rows))
    for (const [name, predicate] of Object.entries(contenders)) {
      checkAnswers(predicate, contenders.Set, parsed, `${name}, ${what}`)
    }
    const [samples] = Object.values(time(contenders, { [what]: parsed }, settings))
    const lines = Object.keys(contenders)
      .filter((name) => name !== contender)
      .map((base) => row(samples[contender], samples[base], { what, contender, base }))
    // The faster of the two by hand is the one to be near.
    const [best, ...others] = lines.sort((a, b) => a.baseValue - b.baseValue)
    return [{ ...best, target: 1.5, moonshot: 1.1 }, ...others]
  },
}

// --- types

const digits = (at, count) => String(at).padStart(count, '0')
const moment = (at) => `2024-01-${10 + (at % 20)}T10:00:00.${digits(at % 1000, 3)}`

/** How rows have a value of a type, and what somebody compares who knows that all rows have it so. */
const types = {
  string: { valueOf: (at) => `s-${digits(at, 5)}` },
  uuid: { valueOf: (at) => `ad2b1c4e-0000-4000-8000-${digits(at, 12)}` },
  integer: { valueOf: (at) => at },
  bigint: { valueOf: (at) => `90071992547${digits(at, 5)}`, compared: BigInt },
  number: { valueOf: (at) => at / 10 },
  decimal: { valueOf: (at) => (at / 10).toFixed(2), compared: Number },
  date: { valueOf: (at) => moment(at).slice(0, 10) },
  datetime: { valueOf: (at) => `${moment(at)}Z` },
  'datetime, six digits': { valueOf: (at) => `${moment(at)}456Z` },
  'datetime, an offset': { valueOf: (at) => `${moment(at)}+00:00`, compared: Date.parse },
}

const typed = {
  cases: product({ type: Object.keys(types), contender }),
  processes: 3,
  run({ type, contender }, settings) {
    const { valueOf, compared = (value) => value } = types[type]
    const below = newRandom()
    const rows = JSON.parse(JSON.stringify(Array.from({ length: 100_000 }, () => ({ value: valueOf(below(20_000)) }))))
    const operand = valueOf(10_000)
    const bound = compared(operand)
    const schema = defineSchema({ value: field[type.split(',')[0]]() })
    const filter = parseFilterOrThrow(schema, `value[gte]=${encodeURIComponent(operand)}`)
    const hand = ({ value }) => compared(value) >= bound
    const contenders = { 'by hand': hand, [contender]: compilers[contender](filter) }
    checkAnswers(contenders[contender], hand, rows, type)
    return rowsOf(time(contenders, { [type]: rows }, settings), [{ contender, base: 'by hand' }])
  },
}

// --- rows

const growth = {
  cases: product({ query, count: [10_000, 100_000, 1_000_000], contender }),
  processes: 1,
  execArgv: ['--expose-gc', '--max-old-space-size=6000', '--max-semi-space-size=128', '--min-semi-space-size=128'],
  run(one, settings) {
    const { query, count, contender } = one
    const what = `${query} H, ${count.toLocaleString('en')} rows`
    const rows = makeRows(count, { data: 'H' })
    const predicate = compilers[contender](filterOf(queries[query]))
    const hand = byHand()[query]
    checkAnswers(predicate, hand, rows, what)
    const times = time({ 'by hand': hand, [contender]: predicate }, { [what]: rows }, settings)
    const loop = newLoop()
    loop(predicate, rows, 2_000_000 / count) // Until nothing is compiled any more.
    let bytes = 0
    // In slices, so that nothing is collected in between.
    for (let at = 0; at < count; at += 100_000) {
      const slice = rows.slice(at, at + 100_000)
      gc()
      const before = process.memoryUsage().heapUsed
      loop(predicate, slice, 1)
      bytes += process.memoryUsage().heapUsed - before
    }
    const [target, moonshot] = targets[contender].H
    return [
      ...rowsOf(times, [{ contender, base: 'by hand', target, moonshot }]),
      // What asking takes, some kilobytes, is in it: of ten thousand rows that says nothing about one.
      {
        what,
        contender,
        value: bytes / count,
        unit: 'B/row',
        judged: 'value',
        ...(count > 10_000 && { target: 1 }),
      },
    ]
  },
}

export const groups = {
  memory,
  'memory-peers': memoryPeers,
  compile,
  match,
  in: membership,
  types: typed,
  rows: growth,
}
