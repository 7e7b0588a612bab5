/**
 * Queries of known shapes, which are most queries of a service, and of shapes never seen: from the text to what a store
 * takes. The other groups measure the parts.
 */
import qs from 'qs'
import { postgres, sqlBackend, table } from '../src/backends/sql/index.ts'
import { defineSchema, field, parseFilter, parseFilterOrThrow, printFilter } from '../src/index.ts'
import { sameFilter } from '../src/tree.ts'
import { groups as emitting } from './emitting.mjs'
import { groups as evaluating } from './evaluating.mjs'
import { groups as paging } from './paging.mjs'
import { groups as parsing } from './parsing.mjs'
import { conditions, flat, orders, textsOf } from './queries.mjs'
import { newRandom } from './rows.mjs'
import { check, row, rowsOf, time } from './timing.mjs'

/** Cases of another group, with a target of their own. */
const from = (group, isWanted, contender, target, moonshot) =>
  Object.fromEntries(
    group.cases
      .filter(isWanted)
      .map((one) => [
        [contender, ...Object.values(one)].join(', '),
        async (settings) =>
          (await group.run(one, settings))
            .filter((row) => row.contender === contender)
            .map((row) => ({ ...row, ...((row.target || row.judged === 'value') && { target, moonshot }) })),
      ]),
  )

// --- Texts that are never the same

const fieldCount = 198
const many = defineSchema(
  Object.fromEntries(Array.from({ length: fieldCount }, (_, at) => [`field${at}`, field.number()])),
)
const operators = ['', '[gt]', '[gte]', '[lt]', '[lte]', '[in]']
const below = newRandom()

/** Six of 1,188 keys, in any order. */
const newShape = () =>
  flat(
    Array.from(
      { length: 6 },
      (_, at) => `field${below(fieldCount / 6) * 6 + at}${operators[below(operators.length)]}=${below(1000)}`,
    ).join('&'),
  )
/** Keys of which any letter may be escaped for no reason. */
const newSpelling = () =>
  flat(
    conditions(below(32))
      .join('&')
      .replace(/\w+(?==)|\w+(?=\[)/g, (name) =>
        name.replace(/\w/g, (letter) => (below(3) === 0 ? `%${letter.charCodeAt(0).toString(16)}` : letter)),
      ),
  )
const strange = {
  'six known keys, never seen together': { schema: many, next: newShape },
  'six keys never seen': { schema: orders, next: newSpelling },
}
const batch = 500

const unknown = (settings) =>
  Object.entries(strange).flatMap(([what, { schema, next }]) => {
    const fresh = () => Array.from({ length: batch }, next)
    for (const text of fresh()) check(parseFilter(schema, text).ok, text)
    const times = time(
      { 'qs.parse': (text) => qs.parse(text), parseFilter: (text) => parseFilter(schema, text) },
      { [what]: fresh },
      settings,
    )
    return rowsOf(times, [{ contender: 'parseFilter', base: 'qs.parse' }])
  })

// --- Back to text

function print(settings) {
  const sets = Object.fromEntries(
    Object.entries(textsOf(conditions)).map(([name, texts]) => [
      `${name} to text`,
      texts.map((text) => ({ text, filter: parseFilterOrThrow(orders, text) })),
    ]),
  )
  for (const { text, filter } of Object.values(sets).flat())
    check(sameFilter(parseFilterOrThrow(orders, printFilter(orders, filter)), filter), text)
  const contenders = {
    parseFilter: ({ text }) => parseFilter(orders, text),
    printFilter: ({ filter }) => printFilter(orders, filter),
  }
  return rowsOf(time(contenders, sets, settings), [{ contender: 'printFilter', base: 'parseFilter' }])
}

// --- Memory

const heap = () => {
  gc()
  return process.memoryUsage().heapUsed
}

function memory() {
  const backend = sqlBackend({ dialect: postgres, table: table('many', { schema: many, key: 'field0' }) })
  for (let at = 0; at < 10_000; at++) parseFilter(many, newShape())
  const before = heap()
  for (let at = 0; at < 500_000; at++) {
    backend.compile(parseFilterOrThrow(many, newShape()))
    parseFilter(orders, newSpelling())
  }
  const value = heap() - before
  const what = 'kept after a million shapes never seen'
  return [{ ...row([value]), what, contender: 'urlwhere', unit: 'B', judged: 'value', target: 16 * 1024 ** 2 }]
}

const isPolluted = ({ contender, data, polluted }) => contender === 'known' && data !== 'S' && polluted

const runs = {
  ...from(parsing.parse, () => true, 'parseFilter', 0.5, 0.3),
  unknown,
  ...from(paging['parse-query'], () => true, 'parseQuery', 0.9),
  ...from(emitting.sql, () => true, 'urlwhere', 0.5),
  ...from(evaluating.memory, isPolluted, 'known, polluted', 1.3),
  ...from(evaluating.compile, ({ contender }) => contender === 'known', 'known', 1_000),
  print,
  memory,
}

export const groups = {
  shapes: {
    cases: Object.keys(runs).map((what) => ({ what })),
    processes: 3,
    execArgv: ['--expose-gc'],
    run: ({ what }, settings) => runs[what](settings),
  },
}
