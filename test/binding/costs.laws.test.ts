/**
 * What a reader does for a faulty input neither grows with the number of fields, nor faster than the input. The engine counts how often
 * each block of `src` runs: a count is the same on every machine. Work inside the engine, such as that of patterns, is not counted:
 * test/package/patterns.test.ts is about patterns.
 */
import { Session } from 'node:inspector/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fromAgGrid, fromMuiX, fromRefine, fromTanStackDb, fromTanStackTable } from '../../src/clients/grids/index.ts'
import { defineCollection, defineSchema, field, parseObject, parseQuery, type Collection } from '../../src/index.ts'
import { jsonApi, jsonServer, nestPaginate, reactAdmin, strapi } from '../../src/clients/notations/index.ts'
import type { Notation } from '../../src/clients/notations/index.ts'
import { byCompleteness } from '../effort.ts'

/** A collection with so many fields: texts, numbers and enumerations in turn. */
function collectionOf(count: number): Collection {
  const types = [field.string(), field.number(), field.enumeration(['paid', 'held'])]
  const columns = Array.from({ length: count - 1 }, (_, at) => [`column${at}name`, types[at % types.length]!] as const)
  const options = {
    ...{ key: 'id', sort: true, offset: { max: 1_000 }, count: true },
    ...{ groups: true, fields: true },
  }
  return defineCollection(defineSchema({ id: field.integer(), ...Object.fromEntries(columns) }), options as never)
}

/** The `at`-th condition of an input: names of its own, similar to a field's. */
interface Told {
  readonly path: string
  readonly word: string
  readonly value: string
}
/** The faults: every condition has one. */
const faults: Readonly<Record<string, (at: number, words: readonly string[]) => Told>> = {
  'unknown fields': (at, [word]) => ({ path: `columnXn${at}`, word: word!, value: '1' }),
  'unknown operators': (at) => ({ path: `column${at % 12}name`, word: `gtx${at}`, value: '1' }),
  'wrong values': (at, words) => ({
    path: `column${(at % 4) * 3 + 1}name`,
    word: words[at % words.length]!,
    value: 'x',
  }),
}

type Read = (collection: Collection) => { readonly ok: boolean }
interface Reader {
  /** Operators with one operand of a number. */
  readonly words: readonly string[]
  readonly read: (told: readonly Told[]) => Read
  readonly sort: (paths: readonly string[]) => Read
}

const ofText = (
  notation: Notation | undefined,
  words: readonly string[],
  textOf: (told: readonly Told[]) => string,
  sortOf: (paths: readonly string[]) => string,
): Reader => {
  const read =
    (text: string): Read =>
    (collection) =>
      parseQuery(collection, text, { notation })
  return { words, read: (told) => read(textOf(told)), sort: (paths) => read(sortOf(paths)) }
}
const pairs = (pairOf: (told: Told) => string) => (told: readonly Told[]) => told.map(pairOf).join('&')
const memberOf = (told: readonly Told[], word: (one: Told) => string) =>
  Object.fromEntries(told.map((one) => [word(one), one.value === '1' ? 1 : one.value]))
const plainWords = ['gt', 'gte', 'lt', 'lte']
const dollars = plainWords.map((word) => `$${word}`)
const signed = (name: string) => (paths: readonly string[]) => `${name}=${paths.join(',')}`
const agTypes = ['greaterThan', 'lessThan']
const toAgGrid =
  (model: object): Read =>
  (collection) =>
    fromAgGrid(collection, model)
const agModel = ({ word, value }: Told) => ({ filterType: 'number', type: word, filter: value })
const val = (value: unknown) => ({ type: 'val', value })
const ref = (path: string) => ({ type: 'ref', path: [path] })

const readers: Readonly<Record<string, Reader>> = {
  text: ofText(
    undefined,
    plainWords,
    pairs(({ path, word, value }) => `${path}[${word}]=${value}`),
    signed('sort'),
  ),
  object: {
    words: plainWords,
    read: (told) => (collection) =>
      parseObject(
        collection,
        memberOf(told, ({ path, word }) => `${path}.${word}`),
      ),
    sort: (sort) => (collection) => parseObject(collection, { sort }),
  },
  jsonServer: ofText(
    jsonServer,
    ['_gte', '_lte'],
    pairs(({ path, word, value }) => `${path}${word}=${value}`),
    signed('_sort'),
  ),
  reactAdmin: ofText(
    reactAdmin,
    ['_gte', '_lte', '_lt', '_gt'],
    (told) => `filter=${JSON.stringify(memberOf(told, ({ path, word }) => path + word))}`,
    ([path]) => `sort=["${path}","ASC"]`,
  ),
  strapi: ofText(
    strapi,
    dollars,
    pairs(({ path, word, value }) => `filters[${path}][${word}]=${value}`),
    (paths) => paths.map((path, at) => `sort[${at}]=${path}`).join('&'),
  ),
  jsonApi: ofText(
    jsonApi,
    plainWords,
    pairs(({ path, word, value }) => `filter[${path}][${word}]=${value}`),
    signed('sort'),
  ),
  nestPaginate: ofText(
    nestPaginate,
    dollars,
    pairs(({ path, word, value }) => `filter.${path}=${word}:${value}`),
    (paths) => paths.map((path) => `sortBy=${path}:ASC`).join('&'),
  ),
  'AG Grid, columns': {
    words: agTypes,
    read: (told) => toAgGrid({ filterModel: Object.fromEntries(told.map((one) => [one.path, agModel(one)] as const)) }),
    sort: (paths) => toAgGrid({ sortModel: paths.map((colId) => ({ colId, sort: 'asc' })) }),
  },
  'AG Grid, advanced filter': {
    words: agTypes,
    read: (told) => {
      const conditions = told.map((one) => ({ ...agModel(one), colId: one.path }))
      return toAgGrid({ filterModel: { filterType: 'join', type: 'AND', conditions } })
    },
    sort: (paths) => toAgGrid({ sortModel: paths.map((colId) => ({ colId, sort: 'asc' })) }),
  },
  'MUI X': {
    words: ['>', '<'],
    read: (told) => {
      const items = told.map(({ path, word, value }, id) => ({ id, field: path, operator: word, value }))
      return (collection) => fromMuiX(collection, { filterModel: { items } })
    },
    sort: (paths) => (collection) =>
      fromMuiX(collection, { sortModel: paths.map((path) => ({ field: path, sort: 'asc' as const })) }),
  },
  Refine: {
    words: plainWords,
    read: (told) => {
      const filters = told.map(({ path, word, value }) => ({ field: path, operator: word, value }))
      return (collection) => fromRefine(collection, { filters })
    },
    sort: (paths) => (collection) =>
      fromRefine(collection, { sorters: paths.map((path) => ({ field: path, order: 'asc' as const })) }),
  },
  'TanStack DB': {
    words: plainWords,
    read: (told) => {
      const args = told.map(({ path, word, value }) => ({ type: 'func', name: word, args: [ref(path), val(value)] }))
      return (collection) => fromTanStackDb(collection, { where: { type: 'func', name: 'and', args } })
    },
    sort: (paths) => (collection) =>
      fromTanStackDb(collection, { orderBy: paths.map((path) => ({ expression: ref(path), compareOptions: {} })) }),
  },
  'TanStack Table': {
    words: [''],
    read: (told) => (collection) =>
      fromTanStackTable(collection, { columnFilters: told.map(({ path, value }) => ({ id: path, value: [value] })) }),
    sort: (paths) => (collection) =>
      fromTanStackTable(collection, { sorting: paths.map((id) => ({ id, desc: false })) }),
  },
}

const source = pathToFileURL(join(import.meta.dirname, '../../src/')).href
const session = new Session()
beforeAll(async () => {
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
})
afterAll(async () => {
  await session.post('Profiler.stopPreciseCoverage')
  session.disconnect()
})

/** Counts the blocks of `src` that run. The first run fills caches. */
async function stepsOf(read: Read, collection: Collection): Promise<number> {
  expect(read(collection).ok).toBe(false)
  await session.post('Profiler.takePreciseCoverage')
  read(collection)
  const { result } = await session.post('Profiler.takePreciseCoverage')
  return result
    .filter(({ url }) => url.startsWith(source) || url.startsWith(new URL(source).pathname))
    .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges.map(({ count }) => count)))
    .reduce((sum, count) => sum + count, 0)
}

const [narrow, wide] = [collectionOf(15), collectionOf(500)]
const numbered = <T>(count: number, make: (at: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, at) => make(at))
/** A quick run counts the steps of a reader of each kind. */
const counted = byCompleteness(Object.keys(readers), ['text', 'object', 'strapi', 'AG Grid, columns'])
const cases = Object.entries(readers)
  .filter(([name]) => counted.includes(name))
  .flatMap(([name, { words, read, sort }]) => [
    ...Object.entries(faults).map(
      ([fault, told]) => [name, fault, (count: number) => read(numbered(count, (at) => told(at, words)))] as const,
    ),
    [name, 'unknown orders', (count: number) => sort(numbered(count, (at) => `columnXn${at}`))] as const,
  ])
const others = Object.entries({ strapi, jsonApi, nestPaginate }).map(([name, notation]) => {
  const textOf = (count: number) => numbered(count, (at) => `columnXn${at}=1`).join('&')
  const readOf =
    (count: number): Read =>
    (collection) =>
      parseQuery(collection, textOf(count), { notation })
  return [name, 'unknown parameters', readOf] as const
})

/** Suggestions share a budget of 20,000 cells, and a cell is about three steps: what one more field or condition may cost ends there. */
const spare = 20_000

test.each([...cases, ...others])('%s: %s', async (_name, _fault, readOf) => {
  const [few, many] = [readOf(90), readOf(400)]
  const steps = await stepsOf(few, narrow)
  expect(await stepsOf(few, wide)).toBeLessThan(steps + spare)
  const more = await stepsOf(many, narrow)
  expect(more).toBeLessThan((steps * 400) / 90 + spare)
  expect(await stepsOf(many, wide)).toBeLessThan(more + spare)
})
