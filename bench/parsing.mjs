/** Text → filter: against peers, when it is rejected, as it grows, and where the time goes. */
import { Session } from 'node:inspector/promises'
import { inspect } from 'node:util'
import qs from 'qs'
import { defineSchema, field, parseFilter } from '../src/index.ts'
import { conditions, counts, dayFrom, dayTo, encode, fieldCounts, flat, orders, textsOf } from './queries.mjs'
import { stages } from './stages.mjs'
import { check, row, rowsOf, time } from './timing.mjs'

const raw = textsOf(conditions)
const encoded = Object.fromEntries(Object.entries(raw).map(([name, texts]) => [name, texts.map(encode)]))

/** Every query raw and encoded, with a function of its name. */
const ofEach = (inputsOf) =>
  Object.fromEntries(
    Object.keys(counts).flatMap((name) => [
      [`${name} raw`, inputsOf(raw[name])],
      [`${name} encoded`, inputsOf(encoded[name])],
    ]),
  )

// --- parse

const parse = {
  cases: [{}],
  processes: 3,
  run(_, settings) {
    const sets = ofEach((texts) => texts)
    for (const [what, texts] of Object.entries(sets)) {
      const count = fieldCounts[what.slice(0, 2)]
      for (const text of texts) {
        check(parseFilter(orders, text).ok, `parseFilter, ${text}`)
        check(Object.keys(qs.parse(text)).length === count, `qs, ${text}`)
      }
    }
    const contenders = { 'qs.parse': (text) => qs.parse(text), parseFilter: (text) => parseFilter(orders, text) }
    const first = Object.entries(stages).slice(0, 2)
    return rowsOf(time({ ...contenders, ...Object.fromEntries(first) }, sets, settings), [
      { contender: 'parseFilter', base: 'qs.parse', target: 0.5, moonshot: 0.4 },
      ...first.map(([contender]) => ({ contender, base: 'qs.parse' })),
    ])
  },
}

// --- parse-peers

/** What two of them read, whose operators are signs; neither can say that one item is after one day and before another. */
const signs = (at) => [
  `seller=s-${at}`,
  `items.arrival>=${dayFrom(at)}`,
  `items.arrival<=${dayTo(at)}`,
  'customerName=/^jo/i',
  'status=paid,held',
  `total>${at}`,
]

/**
 * The same conditions in everybody's notation; what a peer cannot say is left out, to its favour. None of them knows
 * a schema: fields, operators and types are taken as they come.
 */
const peers = {
  'api-query-params': {
    load: async () => (await import('api-query-params')).default,
    notation: signs,
  },
  'query-to-mongo': {
    load: async () => (await import('query-to-mongo')).default,
    notation: signs,
  },
  // It has no lambdas (it drops them without a word), so the items are left out; a day is a text like any other.
  'odata-filter-parser': {
    load: async () => (await import('odata-filter-parser')).Parser.parse,
    notation: (at) => [
      `seller eq 's-${at}'`,
      `arrival ge '${dayFrom(at)}'`,
      `arrival le '${dayTo(at)}'`,
      "startswith(customerName,'jo')",
      "status in ('paid','held')",
      `total gt ${at}`,
    ],
    glue: ' and ',
  },
  // All values stay texts, and whether case counts is left to the reader of the tree.
  '@rsql/parser': {
    load: async () => (await import('@rsql/parser')).parse,
    notation: (at) => [
      `seller==s-${at}`,
      `items.arrival>=${dayFrom(at)}`,
      `items.arrival<=${dayTo(at)}`,
      'customerName==jo*',
      'status=in=(paid,held)',
      `total>${at}`,
    ],
    glue: ';',
  },
  // It compares numbers only, so a day is one; it has no lists of values.
  liqe: {
    load: async () => (await import('liqe')).parse,
    notation: (at) => [
      `seller:"s-${at}"`,
      `items.arrival:>=${dayFrom(at).replaceAll('-', '')}`,
      `items.arrival:<=${dayTo(at).replaceAll('-', '')}`,
      'customerName:jo*',
      '(status:paid OR status:held)',
      `total:>${at}`,
    ],
    glue: ' AND ',
  },
}

/** Whether every operand of the six conditions came through, however it is written down. */
const readsAll = (result, at) => {
  const seen = inspect(result, { depth: null }).replaceAll(/(\d{4})-?(\d\d)-?(\d\d)(?:T[\d:.]+Z)?/g, '$1-$2-$3')
  return [`s-${at}`, dayFrom(at), dayTo(at), 'jo', 'paid', 'held', String(at)].every((operand) =>
    seen.includes(operand),
  )
}

const parsePeers = {
  cases: Object.keys(peers).map((peer) => ({ peer })),
  processes: 3,
  async run({ peer }, settings) {
    const { load, notation, glue } = peers[peer]
    const read = await load()
    const texts = textsOf(notation, glue)
    for (const [at, text] of texts.Q6.entries()) {
      check(readsAll(read(text), at), `${peer}, ${text}`)
      check(readsAll(parseFilter(orders, raw.Q6[at]), at), `parseFilter, ${raw.Q6[at]}`)
    }
    const sets = Object.fromEntries(
      Object.keys(counts).map((name) => [name, raw[name].map((own, at) => ({ own, foreign: texts[name][at] }))]),
    )
    const contenders = { [peer]: ({ foreign }) => read(foreign), parseFilter: ({ own }) => parseFilter(orders, own) }
    return rowsOf(time(contenders, sets, settings), [
      { contender: 'parseFilter', base: peer, target: 1, moonshot: 0.5 },
    ])
  },
}

// --- rejected

/** One fault in the last of six conditions. */
const faults = {
  'unknown operator': (text) => text.replace('total[gt]', 'total[gr]'),
  'unknown field': (text) => text.replace('total[gt]', 'totl[gt]'),
  'bad number': (text) => `${text}x`,
  'missing "="': (text) => text.replace(/(total\[gt\])=.*/, '$1'),
  'unclosed bracket': (text) => text.replace('total[gt]', 'total[gt'),
}

const rejected = {
  cases: [{}],
  processes: 3,
  run(_, settings) {
    const sets = Object.fromEntries(
      Object.entries(faults).map(([name, spoil]) => [name, raw.Q6.map((good) => ({ good, bad: flat(spoil(good)) }))]),
    )
    for (const pairs of Object.values(sets)) {
      for (const { bad } of pairs) check(parseFilter(orders, bad).issues?.length === 1, `parseFilter, ${bad}`)
    }
    const contenders = {
      accepted: ({ good }) => parseFilter(orders, good),
      rejected: ({ bad }) => parseFilter(orders, bad),
    }
    return rowsOf(time(contenders, sets, settings), [
      { contender: 'rejected', base: 'accepted', target: 4.5, moonshot: 1.2 },
    ])
  },
}

// --- growth

const limits = Object.fromEntries(
  ['length', 'pairs', 'list', 'searches', 'depth', 'operand', 'issues'].map((name) => [name, Infinity]),
)
const repeat = (part, length, glue = '') => {
  const parts = []
  for (let at = 0, size = 0; size < length; at++) {
    parts.push(part(at))
    size += parts.at(-1).length + glue.length
  }
  return parts.join(glue)
}
const many = (length) => repeat((at) => `f${at}=${at}`, length, '&')

/** Texts of about any length, and what reads them. Only unknown fields are rejected. */
const shapes = {
  'one long operand': { text: (length) => `seller=${repeat(() => 'abcdefghij', length)}` },
  'one long operand, encoded': { text: (length) => `seller=${repeat(() => '%C3%A9%20', length)}` },
  'one long list': { text: (length) => `seller[in]=${repeat((at) => `s-${at}`, length, ',')}` },
  'one long quoted item': { text: (length) => `seller[in]="${repeat(() => 'abc,\\"def', length)}"` },
  'many reserved pairs': { text: (length) => repeat((at) => `page=${at}`, length, '&'), reserved: ['page'] },
  'many pairs, a field each': {
    text: many,
    schemaOf: (text) =>
      defineSchema(Object.fromEntries(text.split('&').map((pair) => [pair.split('=')[0], field.string()]))),
  },
  'many unknown fields': { text: many, rejected: true },
}
const lengths = { '1 k': 1_000, '10 k': 10_000, '100 k': 100_000, '1 M': 1_000_000 }

const growth = {
  cases: Object.keys(shapes).map((shape) => ({ shape })),
  processes: 1,
  run({ shape }, settings) {
    const { text: textOf, schemaOf = () => orders, reserved = [], rejected = false } = shapes[shape]
    const sets = Object.fromEntries(
      Object.entries(lengths).map(([name, length]) => {
        const text = flat(textOf(length))
        const schema = schemaOf(text)
        check(parseFilter(schema, text, { reserved, limits }).ok === !rejected, `${shape}, ${name}`)
        return [name, [{ schema, text }]]
      }),
    )
    const contenders = { parseFilter: ({ schema, text }) => parseFilter(schema, text, { reserved, limits }) }
    const times = time(contenders, sets, settings)
    const perCharacter = Object.fromEntries(
      Object.entries(times).map(([name, { parseFilter }]) => [
        name,
        parseFilter.map((spent) => spent / sets[name][0].text.length),
      ]),
    )
    // Of a thousand characters, what every call takes is a part; they are not what the others are measured against.
    const base = '10 k'
    return Object.entries(perCharacter).map(([contender, samples]) => ({
      ...row(samples, perCharacter[base], { what: shape, contender, base, unit: 'ns/char' }),
      ...(lengths[contender] > lengths[base] && { target: 2, moonshot: 1.1 }),
    }))
  },
}

// --- phases

/** Where a function of a profile stands: its file, or what the engine does on its own. */
const placeOf = ({ url, functionName }) =>
  url.includes('chevrotain')
    ? 'chevrotain'
    : url.includes('/src/')
      ? url.slice(url.indexOf('/src/') + 1)
      : url.includes('/bench/')
        ? 'the loop that measures'
        : url === ''
          ? functionName || 'the engine'
          : url

async function profile(run, milliseconds) {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.setSamplingInterval', { interval: 100 })
  await session.post('Profiler.start')
  for (const until = performance.now() + milliseconds; performance.now() < until;) run()
  const { profile } = await session.post('Profiler.stop')
  session.disconnect()
  return profile.nodes
}

const largest = (shares, least) =>
  Object.entries(shares)
    .filter(([, share]) => share >= least)
    .sort(([, a], [, b]) => b - a)

const phases = {
  cases: Object.keys(ofEach(() => undefined))
    .filter((what) => what.startsWith('Q6'))
    .map((what) => ({ what })),
  processes: 1,
  async run({ what }, settings) {
    const texts = ofEach((texts) => texts)[what]
    const whole = (text) => parseFilter(orders, text)
    const times = time({ ...stages, parseFilter: whole }, { [what]: texts }, settings)
    const prefixes = rowsOf(
      times,
      Object.keys(stages).map((contender) => ({ contender, base: 'parseFilter' })),
    )
    const all = row(times[what].parseFilter, undefined, { what, contender: 'parseFilter' })

    const nodes = await profile(() => texts.forEach(whole), settings.warmUp / 1e5)
    const total = nodes.reduce((sum, { hitCount }) => sum + hitCount, 0)
    const files = {}
    const functions = {}
    for (const { callFrame, hitCount } of nodes) {
      const file = placeOf(callFrame)
      const name = `${file} ${callFrame.functionName || '(anonymous)'}`
      files[file] = (files[file] ?? 0) + (100 * hitCount) / total
      if (callFrame.url !== '') functions[name] = (functions[name] ?? 0) + (100 * hitCount) / total
    }
    const share =
      (kind) =>
      ([contender, value]) => ({ what: `${what}, ${kind}`, contender, value, unit: '%' })
    return [
      all,
      ...prefixes,
      ...largest(files, 0.5).map(share('self time by file')),
      ...largest(functions, 2).map(share('self time by function')),
    ]
  },
}

export const groups = { parse, 'parse-peers': parsePeers, rejected, growth, phases }
