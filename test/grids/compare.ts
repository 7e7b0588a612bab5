/**
 * Random states of table components: the component's own code and the memory backend must select the same rows, or the function of
 * `urlwhere/grids` refuses the state. `GRID_STATES=20000` sets how many states each component gets.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { memoryBackend } from '../../src/backends/memory/index.ts'
import { defineCollection, defineSchema, field, parseQuery, printQuery, type Query } from '../../src/index.ts'
import type { GridResult } from '../../src/clients/grids/index.ts'
import { byEffort, isComplete } from '../effort.ts'

export const schema = defineSchema({
  id: field.integer({ required: true }),
  name: field.string(),
  title: field.string({ required: true }),
  status: field.enumeration(['paid', 'held', 'unpaid', 'On hold']),
  code: field.uuid(),
  guests: field.integer(),
  total: field.number(),
  rank: field.integer({ required: true }),
  price: field.decimal(),
  serial: field.bigint(),
  gift: field.boolean(),
  arrival: field.date(),
  paidAt: field.datetime(),
  tags: field.list(field.string()),
  sizes: field.list(field.integer()),
  customer: field.object({ city: field.string() }),
})
export const collection = defineCollection(schema, {
  key: 'id',
  sort: true,
  search: ['name', 'title'],
  groups: true,
  count: true,
  limit: { default: 100, max: 100 },
  offset: { max: 1000 },
  aliases: { fields: { town: 'customer.city' } },
})

/** A package of a component. Without it, a test says so. */
export function packageOf(component: string, name: string) {
  const folder = join(import.meta.dirname, 'node_modules', name)
  const isInstalled = existsSync(folder)
  test(`${component} is installed`, ({ skip }) => {
    if (isInstalled) return
    expect(isComplete, 'npm --prefix test/grids ci').toBe(false)
    skip(`Nothing was compared with ${component}: npm --prefix test/grids ci installs it`)
  })
  return { folder, isInstalled }
}

/** The number of random states for each component. */
export const states = Number(process.env['GRID_STATES'] ?? byEffort(2000, 140))

export interface Random {
  /** Returns a whole number from 0 to `n` − 1. */
  readonly below: (n: number) => number
  readonly pick: <T>(items: readonly T[]) => T
  readonly chance: (probability: number) => boolean
  /** Returns up to `most` random items, with repetitions. */
  readonly some: <T>(items: readonly T[], most: number) => T[]
}
/** mulberry32: https://gist.github.com/tommyettinger/46a874533244883189143505d203312c */
export function randomOf(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
  const below = (n: number) => Math.floor(next() * n)
  const pick = <T>(items: readonly T[]) => items[below(items.length)]!
  return {
    below,
    pick,
    chance: (probability) => next() < probability,
    some: (items, most) => Array.from({ length: below(most + 1) }, () => pick(items)),
  }
}

/** Few values, because conditions must match some rows. Other tests cover letters that the components fold in another way. */
export const values = {
  name: [
    'Jo',
    'jo',
    'JOE',
    'Jörg',
    'jörg',
    'a b',
    ' a',
    '',
    ' ',
    '10',
    '9',
    'x%y',
    'x_y',
    '.*',
    'a\\b',
    'Ab',
    'B',
    '(x',
    'null',
    '0',
    'é',
    'e',
    'Ж',
    'ж',
  ],
  status: ['paid', 'held', 'unpaid', 'On hold'],
  code: ['00000000-0000-4000-8000-00000000000a', 'abcdefab-0000-4000-8000-00000000000b'],
  number: [0, 1, -1, 5, 5.5, -2.25, 10, 100, 1e6],
  integer: [0, 1, -1, 5, 10, -7, 100],
  date: ['2024-01-01', '2024-01-02', '2024-02-29', '2023-12-31', '1999-06-15'],
  datetime: [
    '2024-01-01T00:00:00.000Z',
    '2024-01-01T10:30:00.000Z',
    '2024-01-01T10:30:15.250Z',
    '2024-01-01T10:30:15.251Z',
    '2024-01-02T00:00:00.000Z',
    '1999-06-15T23:59:59.999Z',
    '2024-01-01T10:31:00.000Z',
  ],
  tags: ['a', 'b', 'A', '', 'a b', 'ab'],
} as const

export type Row = Readonly<Record<string, unknown>> & { readonly id: number }

/** @param missing the representations of a missing value. */
export function rowsOf(random: Random, count: number, missing: readonly unknown[] = [undefined, null]): Row[] {
  const { pick, chance, some } = random
  const maybe = <T>(items: readonly T[]): unknown => (chance(0.2) ? pick(missing) : pick(items))
  return Array.from({ length: count }, (_, id) => ({
    id,
    name: maybe(values.name),
    title: pick(values.name),
    status: maybe(values.status),
    code: maybe(values.code),
    guests: maybe(values.integer),
    total: maybe(values.number),
    rank: pick(values.integer),
    price: maybe(values.number),
    serial: maybe(values.integer),
    gift: maybe([true, false]),
    arrival: maybe(values.date),
    paidAt: maybe(values.datetime),
    tags: chance(0.2) ? pick(missing) : some(values.tags, 3),
    sizes: chance(0.2) ? pick(missing) : some(values.integer, 3),
    customer: chance(0.2) ? pick(missing) : { city: maybe(values.name) },
  }))
}

/** With the option `blank`: components count a text of spaces as blank, and queries do not. */
export const withoutSpaces = (row: Row): Row =>
  JSON.parse(JSON.stringify(row, (_, value: unknown) => (value === ' ' ? 'x' : value))) as Row

// Each state has another filter: generated code would be compiled for one use.
const backend = memoryBackend({ codegen: false })

/** Returns the ids of the selected rows in the order of the query. Ignores its page. */
export function idsOf(query: Query, rows: readonly Row[]): number[] {
  const matches = backend.compile(query.filter)
  const { rows: sorted } = backend.compileQuery({ ...query, limit: 1000, offset: 0, count: false } as Query)(rows)
  const ids = sorted.map((row) => (row as Row).id)
  expect([...ids].sort((a, b) => a - b)).toEqual(rows.filter(matches).map(({ id }) => id))
  return ids
}

/** The counts of compared and refused states. */
interface Tally {
  compared: number
  /** The number of compared states that select some rows, but not all. */
  telling: number
  refused: Map<string, number>
}

/** What a law of a component needs: random input, a comparison of a state, and the report at the end. */
export function comparisonOf(component: string, seed: number) {
  const tally: Tally = { compared: 0, telling: 0, refused: new Map() }
  return {
    random: randomOf(seed),
    compare: compare.bind(undefined, tally),
    report: (telling = states / 8) => {
      report(component, tally)
      expect(tally.telling).toBeGreaterThan(telling)
    },
  }
}

/** Compares a state. `theirs` returns the ids of the component in its order. */
function compare(
  tally: Tally,
  result: GridResult,
  state: unknown,
  rows: readonly Row[],
  theirs: () => readonly number[],
  /** Returns the sort key of a row as a text. */
  sortedBy: (row: Row) => string = () => '',
): void {
  const shown = () => JSON.stringify(state, (_, value: unknown) => (value === undefined ? 'undefined' : value))
  if (!result.ok) {
    for (const { message, member } of result.issues) {
      expect(member).toBeTypeOf('string')
      const kind = message
        .replace(/^(?:invalid value for).*: /, 'value: ')
        .replace(/".*"/, '…')
        .replace(/ is not available for .*/, ' is not available for a type')
      tally.refused.set(kind, (tally.refused.get(kind) ?? 0) + 1)
      break
    }
    return
  }
  const ids = idsOf(result.query, rows)
  const expected = theirs()
  const byId = (list: readonly number[]) => [...list].sort((a, b) => a - b)
  expect(byId(ids), shown()).toEqual(byId(expected))
  const keys = (list: readonly number[]) => list.map((id) => sortedBy(rows[id]!))
  expect(keys(ids), shown()).toEqual(keys(expected))
  const text = printQuery(collection, result.query)
  const read = parseQuery(collection, text)
  if (!read.ok) throw new Error(`${shown()}: ${text}: ${read.issues[0].message}`)
  expect(idsOf(read.query, rows), text).toEqual(ids)
  tally.compared++
  if (ids.length > 0 && ids.length < rows.length) tally.telling++
}

/** Checks that few states are refused, and prints the counts if `GRID_STATES` is set. */
function report(name: string, { compared, telling, refused }: Tally): void {
  const all = [...refused.values()].reduce((sum, count) => sum + count, 0)
  expect(all, 'refused states').toBeLessThan((compared + all) / 5)
  if (process.env['GRID_STATES'] === undefined) return
  const lines = [...refused].sort((a, b) => b[1] - a[1]).map(([message, count]) => `  ${count} ${message}`)
  process.stdout.write(
    [`${name}: ${compared} states the same (${telling} of them telling), ${all} refused`, ...lines, ''].join('\n'),
  )
}
