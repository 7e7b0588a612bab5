/** What `npm run differential` does, for a few pairs; that it finds what is wrong, and how it ends. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { memoryBackend } from '../../src/backends/memory/index.ts'
import {
  and,
  defineCollection,
  defineSchema,
  field,
  FilterError,
  not,
  parseFilterOrThrow,
  parseQueryOrThrow,
  type Filter,
  type Query,
  type Schema,
} from '../../src/index.ts'
import { partsOfFilter } from '../../src/query/index.ts'
import { map, operators, some } from '../../src/tree.ts'
import { byCompleteness, byEffort, isComplete, isFull } from '../effort.ts'
import { orders } from '../orders.ts'
import { seed } from '../seed.ts'
import { openContenders, plainEngines, type Contender } from './contenders.ts'
import { laws } from './laws.ts'
import { filters } from './filters.ts'
import { queries } from './queries.ts'
import { idsOf } from './reference.ts'
import { caseOf, Disagreed, run, type Disagreement, type Subject } from './run.ts'

const { contenders, close } = await openContenders(byCompleteness(undefined, plainEngines))
afterAll(close)
const contenderNamed = (name: string) => contenders.find((contender) => contender.name === name)!

/**
 * A full run tries each layout alone, too. Other runs draw a layout for each column of each SQL engine, and one layout for every other
 * engine: test/conformance/cases.test.ts has the cases by hand in most of them. A quick run tries no second engine of a backend but
 * PGlite.
 */
const isTried = ({ name, engine }: Contender) =>
  isFull ||
  byCompleteness(
    engine === 'memory' || /, (?:mixed|texts|relations)$/.test(name),
    ['memory', 'sqlite, mixed', 'pglite, mixed', 'mingo, texts'].includes(name),
  )
const tried = contenders.filter(isTried)

/** For each product, shared by its layouts and settings; slower ones have a smaller share. */
const { PAIRS = byEffort('5000', byCompleteness('170', '60')) } = process.env
const productOf = ({ engine }: Contender) => engine.split(',', 1)[0]!
const shareOf = (contender: Contender) =>
  Math.ceil(
    Number(PAIRS) / contender.weight / contenders.filter((other) => productOf(other) === productOf(contender)).length,
  )
/** Of fewer pairs, few may have laws by chance. */
const leastPairs = byEffort(100, byCompleteness(34, 20))
test.each(
  tried.map((contender) => ({
    contender,
    name: contender.name,
    wanted: Math.max(leastPairs, shareOf(contender)),
  })),
)(
  `$name: $wanted pairs, and the laws, by the seed ${seed}`,
  async ({ contender, wanted }) => {
    const { pairs, laws, disagreements } = await run(contender, filters, { pairs: wanted, seed })
    expect(disagreements.map(caseOf)).toEqual([])
    expect(pairs).toBeGreaterThanOrEqual(wanted)
    // Of 600 runs of 100 or 200 pairs, none had fewer than 0.23 laws for each pair, and half of them had more than 0.6.
    expect(laws).toBeGreaterThan(pairs / 10)
  },
  600_000,
)

const { QUERIES = byEffort('2000', byCompleteness('34', '12')) } = process.env
const withPages = contenders.filter(({ hasPages }) => hasPages)
const shareOfQueries = (contender: Contender) =>
  Math.ceil(
    Number(QUERIES) / contender.weight / withPages.filter((other) => productOf(other) === productOf(contender)).length,
  )
test.each(
  withPages
    .filter(isTried)
    .map((contender) => ({ contender, name: contender.name, wanted: shareOfQueries(contender) })),
)(
  `$name: $wanted pages of queries, and the laws of pages, by the seed ${seed}`,
  async ({ contender, wanted }) => {
    const { pairs, disagreements } = await run(contender, queries, { pairs: wanted, seed })
    expect(disagreements.map(caseOf)).toEqual([])
    expect(pairs).toBeGreaterThanOrEqual(wanted)
  },
  600_000,
)

test('the laws of pages and of facets are checked', async () => {
  const { pairs, leftOut, laws } = await run(contenderNamed('memory'), queries, {
    pairs: byCompleteness(500, 150),
    seed: 1,
  })
  expect(leftOut).toBe(0)
  expect(laws).toBeGreaterThan(pairs / 3)
})

test('every law claims something of a query, and of filters', () => {
  const conditions = ['total[range]=1,2', 'items.arrival[in]=2024-01-01,"2024-01-02"', 'tags[nin]=a'].map((text) => {
    const [, name, operator, value] = /^(.*)\[(.*)\]=(.*)$/.exec(text)!
    return { field: orders.paths.get(name!)!, operator: operators[operator as keyof typeof operators], value: value! }
  })
  const filters = ['seller=s', 'gift=true'].map((query) => parseFilterOrThrow(orders, query))
  const given = { schema: orders, filters, conditions }
  expect(laws.filter((law) => law.claims(given).length === 0)).toEqual([])
})

// --- What it finds.

/** Shrinking a disagreement is several times slower on SQLite than in memory. */
const mistakenEngines = byEffort(['sqlite, tables', 'sqlite, mixed', 'mingo, texts'], ['mingo, texts'])
const enginesOfMistakenPages = byEffort(['memory', 'sqlite, tables'], ['memory'])

/** A contender that compiles another filter. */
const mistaken = (contender: Contender, change: (node: Filter) => Filter): Contender => ({
  ...contender,
  stores: contender.stores.map((storeOf) => (schema) => {
    const store = storeOf(schema)
    const compile = (filter: Filter) => store.backend.compile(map(filter, change))
    return { ...store, backend: { ...store.backend, compile } }
  }),
})
const mistakes: Readonly<Record<string, (node: Filter) => Filter>> = {
  'drops not': (node) => (node.kind === 'not' ? node.filter : node),
  'binds an entry by condition': (node) =>
    node.kind === 'some' && node.filter.kind === 'and' && node.filter.filters.length > 0
      ? and(...node.filter.filters.map((filter) => some(node.path, filter)))
      : node,
}
/** The first disagreement. */
async function findIn<Situation>(contender: Contender, subject: Subject<Situation>, seed = 1): Promise<Disagreement> {
  const found = new AbortController()
  const { disagreements } = await run(contender, subject, {
    pairs: 20_000,
    seed,
    signal: found.signal,
    onProgress: ({ disagreements }) => disagreements.length > 0 && found.abort(),
  })
  return disagreements[0]!
}

interface Pasted {
  readonly schema: Schema
  readonly rows: readonly { readonly id: number }[]
  readonly filter: Filter
  readonly query: Query
  readonly expected: readonly number[]
  readonly selected: readonly number[]
}
/** What a printed case defines: of `filter` and `query`, the one that it is about. */
const paste = (source: string, about: 'filter' | 'query' = 'filter'): Pasted => {
  const names = { defineSchema, field, parseFilterOrThrow }
  const body = `${source}\nreturn { schema, rows, ${about}, expected, selected }`
  return (new Function(...Object.keys(names), body) as (...values: unknown[]) => Pasted)(...Object.values(names))
}

describe.each(Object.entries(mistakes))('an engine that %s', (_, change) => {
  test.each(mistakenEngines)('differs from memory: %s', async (name) => {
    const disagreement = await findIn(mistaken(contenderNamed(name), change), filters)
    const { schema, rows, filter, expected, selected } = paste(caseOf(disagreement))
    expect(rows.filter(memoryBackend().compile(filter)).map(({ id }) => id)).toEqual(expected)
    expect(rows.filter(memoryBackend().compile(map(filter, change))).map(({ id }) => id)).toEqual(selected)
    expect(selected).not.toEqual(expected)
    expect(rows.length).toBeLessThanOrEqual(2)
    expect(schema.paths.size).toBeLessThanOrEqual(6)
  })

  test('breaks laws by itself', async () => {
    const disagreement = await findIn(mistaken(contenderNamed('memory'), change), filters)
    expect(disagreement.law).toBeDefined()
    const { schema, rows, expected, selected } = paste(caseOf(disagreement))
    expect(selected).not.toEqual(expected)
    expect(rows.length).toBeLessThanOrEqual(2)
    expect(schema.paths.size).toBeLessThanOrEqual(6)
  })
})

/** A contender that compiles another query. */
const mistakenPages = (contender: Contender, change: (query: Query) => Query): Contender => ({
  ...contender,
  stores: contender.stores.map((storeOf) => (schema) => {
    const { pages, ...store } = storeOf(schema)
    return { ...store, pages: { ...pages!, compile: (query) => pages!.compile(change(query)) } }
  }),
})
const mistakesOfPages: Readonly<Record<string, (query: Query) => Query>> = {
  'forgets the end of the key': ({ position, ...query }) => {
    const sort = query.sort.slice(0, Math.max(1, query.sort.length - 1))
    return {
      ...query,
      sort,
      ...(position && { position: { ...position, values: position.values.slice(0, sort.length) } }),
    }
  },
  'takes previous for next': ({ position, ...query }) => ({
    ...query,
    ...(position && { position: { ...position, toward: 'next' } }),
  }),
  'drops the position': ({ position: _, ...query }) => query,
  'drops the offset': ({ offset: _, ...query }) => query,
  'reads no row more than the page has': (query) => ({ ...query, limit: Math.max(1, query.limit - 1) }),
}
// To shrink a disagreement takes most of the time: `npm test` has one of five.
const triedMistakes = Object.entries(mistakesOfPages).filter(([name]) => isComplete || /drops the position/.test(name))
describe.each(triedMistakes)('an engine that %s', (_, change) => {
  test.each(enginesOfMistakenPages)('is found: %s', async (name) => {
    const disagreement = await findIn(mistakenPages(contenderNamed(name), change), queries)
    const { rows, query, expected, selected } = paste(caseOf(disagreement), 'query')
    if (disagreement.law === undefined) expect(idsOf(query, rows)).toEqual(expected)
    expect(selected).not.toEqual(expected)
    expect(rows.length).toBeLessThanOrEqual(3)
    expect(caseOf(disagreement)).toMatch(/ --queries$/)
  })
})

test.runIf(isComplete)('an engine whose laws fail is found by them', async () => {
  // What is compared is stored once; the laws store other rows in its place.
  const { stores, ...memory } = contenderNamed('memory')
  const forgetful: Contender = {
    ...memory,
    stores: stores.map((storeOf) => (schema) => {
      const store = storeOf(schema)
      let fills = 0
      return { ...store, fill: (rows) => store.fill(fills++ === 0 ? rows : rows.slice(1)) }
    }),
  }
  const { law } = await findIn(forgetful, queries)
  expect(law).toBe('rows that come and go between pages change nothing about the others')
})

/** Four alternatives each: no value, or a value before or after the day. */
const outsideDay = (day: number): Filter => {
  const bound = (operator: 'gte' | 'lt', at: number): Filter => ({
    kind: 'comparison',
    path: [],
    operator,
    operand: { type: 'datetime', value: `2024-01-0${at}T00:00:00.000Z` },
  })
  return not(and(bound('gte', day), bound('lt', day + 1)))
}
const outsideDays = (count: number) =>
  some(['at'], and(...Array.from({ length: count }, (_, at) => outsideDay(at + 1))))

describe.each(['mingo, fields', 'mingo, dates', 'sift, texts'])('a refusal that is declared: %s', (name) => {
  const contender = contenderNamed(name)
  const schema = defineSchema({ at: field.list(field.datetime()), id: field.integer() })
  const rows = [
    { at: ['2024-01-01T12:00:00.000Z'], id: 1 },
    { at: ['2024-01-09T00:00:00.000Z'], id: 2 },
  ]
  // 4 × 4 × 4 × 4 alternatives, and four times as many.
  const asked = [outsideDays(4), outsideDays(5), outsideDays(4)]
  const situation = { storeOf: contender.storeOf!, schema, rows }
  const order = parseQueryOrThrow(defineCollection(schema, { key: 'id', sort: true }), 'sort=id')
  const checkBoth = async (contender: Contender) => [
    await filters.check(contender, { ...situation, filters: asked, conditions: [] }),
    await queries.check(contender, {
      ...situation,
      queries: asked.map((filter) => ({ ...order, ...partsOfFilter(filter) })),
      ...{ restriction: outsideDays(5), moves: [], states: [] },
    }),
  ]

  test('is left out and counted, for filters and for queries', async () => {
    expect(await checkBoth(contender)).toMatchObject([
      { pairs: 2, leftOut: 1 },
      { pairs: 2, leftOut: 1 },
    ])
  })
  test('is a disagreement where no contender declares it', async () => {
    const { mayRefuse: _, ...strict } = contender
    await expect(checkBoth(strict)).rejects.toThrow(Disagreed)
  })
  test('leaves out no other refusal', () => {
    const other = new FilterError([
      { code: 'backend_refused', fault: 'server', message: 'at has no form to compare', parameters: {} },
    ])
    expect(contender.mayRefuse!(other)).toBe(false)
  })
})

test('an engine that fails is told, too', async () => {
  const sqlite = contenderNamed('sqlite, tables')
  const failing: Contender = {
    ...sqlite,
    stores: sqlite.stores.map((storeOf) => (schema) => ({
      ...storeOf(schema),
      fill: () => Promise.reject(new Error('no room')),
    })),
  }
  expect((await findIn(failing, filters)).selected).toBe('Error: no room')
})

test('a seed gives the same report again, of five disagreements; that of one begins with it', async () => {
  const contender = mistaken(contenderNamed(byEffort('sqlite, tables', 'memory')), mistakes['drops not']!)
  const [first, again] = [
    await run(contender, filters, { pairs: 1_500, seed: 2 }),
    await run(contender, filters, { pairs: 1_500, seed: 2 }),
  ]
  expect(first.disagreements).toHaveLength(5)
  const told = ({ pairs, leftOut, laws, disagreements }: typeof first) => [
    { pairs, leftOut, laws },
    ...disagreements.map(caseOf),
  ]
  expect(told(again)).toEqual(told(first))

  const later = first.disagreements[1]!
  const alone = await run(contender, filters, { pairs: later.before + 1, seed: later.seed })
  expect(caseOf(alone.disagreements[0]!)).toBe(caseOf(later))
})

// --- The command.

const main = join(import.meta.dirname, 'main.ts')

test('an interrupt ends the command with a table of what it has', async () => {
  const child = spawn(process.execPath, [main, '--engine', 'memory', '--pairs', '1000000000', '--seed', '1'])
  let printed = ''
  child.stdout.on('data', (text: Buffer) => (printed += text.toString()))
  while (!printed.includes('seed 1\n')) await once(child.stdout, 'data')
  // Twice, as from a terminal through npm.
  child.kill('SIGINT')
  child.kill('SIGINT')
  expect(await once(child, 'close')).toEqual([130, null])
  expect(printed).toMatch(/^seed 1\n\n\| engine +\|.*\n\| -.*\n\| memory +\|.*\n\| all +\|.*\n$/)
})

test('an engine that is not there ends it with a line', async () => {
  const ended = await new Promise((resolve) =>
    execFile(process.execPath, [main, '--engine', 'oracle'], (error, stdout, stderr) =>
      resolve({ code: error?.code, stdout, stderr }),
    ),
  )
  expect(ended).toMatchObject({ code: 2, stdout: '' })
  expect((ended as { stderr: string }).stderr).toMatch(
    /^no engine "oracle" is present; there are memory; sqlite; .*\n$/,
  )
})
