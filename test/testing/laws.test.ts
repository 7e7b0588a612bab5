/** The laws of pages hold for what reads right, and each finds what reads wrong. */
import { describe, expect, test } from 'vitest'
import { memoryBackend } from '../../src/backends/memory/index.ts'
import { and, defineCollection, defineSchema, field, parseQueryOrThrow, where } from '../../src/index.ts'
import type { Filter, Query } from '../../src/index.ts'
import { map } from '../../src/tree.ts'
import { byHand } from '../by-hand.ts'
import { queryLaws, type FixtureRow, type LawInput } from '../../src/kit/index.ts'

const schema = defineSchema({ id: field.integer(), name: field.string(), seller: field.string() })
const collection = defineCollection(schema, { key: 'id', sort: true })
const rows: readonly FixtureRow[] = [
  { id: 1, name: 'b', seller: 's-1' },
  { id: 2, name: 'a', seller: 's-2' },
  { id: 3, name: null, seller: 's-1' },
  { id: 4, name: 'a', seller: 's-1' },
  { id: 5, seller: 's-1' },
  { id: 6, name: 'c', seller: 's-2' },
  { id: 7, name: 'B', seller: 's-1' },
]
const firstOf = (filter: Filter) => (filter.kind === 'and' ? (filter.filters[0] ?? and()) : filter)
const without = (...ids: number[]) => rows.filter(({ id }) => !ids.includes(id))

type Reader = (query: Query, stored: readonly FixtureRow[]) => readonly FixtureRow[]
const isAfterFirst = ({ position }: Query) => position !== undefined
const isBackwards = ({ position }: Query) => position?.toward === 'previous'
const inMemory: Reader = (query, stored) => memoryBackend().compileQuery(query)(stored).rows as readonly FixtureRow[]

/** What the laws say of a reader. */
async function brokenBy(reader: Reader, text: string, given: Partial<LawInput> = {}) {
  let stored = given.rows ?? rows
  const input: LawInput = {
    query: given.query ?? parseQueryOrThrow(collection, text),
    rows,
    read: (query) => Promise.resolve(reader(query, stored)),
    fill: (state) => Promise.resolve(void (stored = state)),
    moves: ['next', 'next', 'previous', 'next', 'previous', 'previous', 'previous', 'next'],
    states: [rows, without(3), without(2, 7), without(6)],
    restriction: where(schema).equals('seller', 's-1'),
    ...given,
  }
  const found: string[] = []
  for (const { name, check } of queryLaws) if ((await check(input)) !== undefined) found.push(name)
  expect(stored).toBe(input.rows)
  return found
}

const [forwards, backwards, zigzag, changes, restriction, position] = queryLaws.map(({ name }) => name)

describe('a backend that reads right breaks no law', () => {
  test.each([
    'limit=1',
    'sort=name&limit=2',
    'sort=-name&limit=1',
    'sort=seller,-name&limit=3',
    'sort=name&limit=7',
    'sort=-seller,name&limit=100',
    'seller=s-1&sort=name&limit=2',
    'name[exists]=true&sort=-name&limit=2',
    'name=none&limit=2',
  ])('%s', async (text) => {
    expect(await brokenBy(inMemory, text)).toEqual([])
    expect(await brokenBy(inMemory, text, { states: [], moves: [] })).toEqual([])
    expect(await brokenBy(inMemory, text, { rows: [], states: [[]], read: () => Promise.resolve([]) })).toEqual([])
  })
})

test('a law reads the fields of its query, and no position if the query has none', async () => {
  const choosing = defineCollection(schema, { key: 'id', fields: true })
  for (const [text, fields] of [
    ['limit=2', []],
    ['limit=2&fields=name', ['fields']],
  ] as const) {
    const asked: Query[] = []
    const read = (query: Query) => (asked.push(query), Promise.resolve(inMemory(query, rows)))
    expect(await brokenBy(inMemory, text, { query: parseQueryOrThrow(choosing, text), read })).toEqual([])
    const parts = asked.map((query) =>
      Object.keys(query).filter((name) => !['filter', 'asked', 'sort', 'limit', 'count'].includes(name)),
    )
    const [first, ...others] = [...new Set(parts.map((names) => names.sort().join()))].sort()
    expect([first, ...others]).toEqual([fields.join(), [...fields, 'position'].join()])
    expect(asked.every((query) => query.position !== undefined || !('position' in query))).toBe(true)
  }
})

const looser = (node: Filter): Filter =>
  node.kind === 'comparison' && node.operator === 'gt' ? { ...node, operator: 'gte' } : node

/** Reads rows by how many came before: right as long as none comes and none goes. */
function byOffset(): Reader {
  const places = new Map<number, number>()
  return (query, stored) => {
    const { position: asked, ...rest } = query
    const all = inMemory({ ...rest, limit: 100 }, stored)
    const id = asked?.values.at(-1)?.value as number
    const at = asked === undefined ? 0 : places.get(id)!
    const read = asked?.toward === 'previous' ? all.slice(0, at).reverse() : all.slice(asked === undefined ? 0 : at + 1)
    const page = read.slice(0, query.limit + 1)
    for (const row of page) places.set(row.id, all.indexOf(row))
    return page
  }
}

describe('a backend that reads wrong breaks laws', () => {
  test.each<[what: string, reader: () => Reader, broken: readonly (string | undefined)[]]>([
    ['by how many rows came before', byOffset, [changes]],
    [
      'the row at a position again',
      () => (query, stored) => {
        const id = query.position?.values.at(-1)?.value
        const again = stored.filter((row) => row.id === id)
        return [...again, ...inMemory(query, stored)].slice(0, query.limit + 1)
      },
      [forwards, backwards, zigzag, changes],
    ],
    [
      'pages toward previous from the far end',
      () => (query, stored) =>
        isBackwards(query)
          ? inMemory({ ...query, limit: 100 }, stored).slice(-query.limit - 1)
          : inMemory(query, stored),
      [backwards, zigzag, changes],
    ],
    [
      'pages toward previous in the asked order',
      () => (query, stored) => (isBackwards(query) ? inMemory(query, stored).toReversed() : inMemory(query, stored)),
      [backwards, zigzag, changes],
    ],
    [
      'no rows without a value after a position',
      () => (query, stored) =>
        inMemory(query, isAfterFirst(query) ? stored.filter(({ name }) => name != null) : stored),
      [forwards, backwards, zigzag, changes],
    ],
    [
      'nothing at a position',
      () => (query, stored) => (isAfterFirst(query) ? [] : inMemory(query, stored)),
      [forwards, backwards, zigzag, changes],
    ],
    [
      'the first member of a conjunction alone',
      () => (query, stored) => inMemory(byHand(query, { filter: firstOf(query.filter) }), stored),
      [restriction, position],
    ],
    [
      'bounds of filters as if they were not strict',
      () => (query, stored) => inMemory(byHand(query, { filter: map(query.filter, looser) }), stored),
      [position],
    ],
  ])('%s', async (_, reader, broken) => {
    const found = new Set<string>()
    for (const text of ['sort=name&limit=2', 'sort=-name&limit=1', 'seller[in]=s-1,s-2&sort=seller&limit=2'])
      for (const name of await brokenBy(reader(), text)) found.add(name)
    expect([...found].sort()).toEqual([...(broken as string[])].sort())
  })

  const told = (reader: Reader, text: string, law = forwards) => {
    const { check } = queryLaws.find(({ name }) => name === law)!
    return check({
      query: parseQueryOrThrow(collection, text),
      rows,
      read: (query) => Promise.resolve(reader(query, rows)),
      ...{ fill: () => Promise.resolve(), moves: [], states: [], restriction: and() },
    })
  }

  test('a row twice, though it does not stay', async () => {
    const twice: Reader = (query, stored) => {
      const isAfter = query.position?.toward === 'next' && query.position.values[0]?.value === 2
      return [...stored.filter(({ id }) => isAfter && id === 2), ...inMemory(query, stored)].slice(0, query.limit + 1)
    }
    expect(await brokenBy(twice, 'limit=2')).toEqual([forwards, zigzag, changes])
    expect(await told(twice, 'limit=2', changes)).toEqual({
      expected: [1, 2, 3, 4, 5, 6, 7],
      found: [1, 2, 2, 3, 4, 5, 6, 7],
    })
  })

  test('the last rows alone, as a filter', async () => {
    // Asked for what comes after row 5 by a filter, the reader leaves out row 7.
    const isAsked = (query: Query) =>
      JSON.stringify(query.filter).includes('"operator":"gt","operand":{"type":"integer","value":5}')
    const forgetful: Reader = (query, stored) => inMemory(query, isAsked(query) ? without(7) : stored)
    expect(await brokenBy(forgetful, 'limit=2')).toEqual([position])
  })

  test('gives the expected and the found ids', async () => {
    const short: Reader = (query, stored) => inMemory(query, stored).slice(0, query.limit)
    expect(await told(short, 'limit=3')).toEqual({ expected: [1, 2, 3, 4, 5, 6, 7], found: [1, 2, 3] })
  })
  test('as many rows in another order are not the same', async () => {
    const turned: Reader = (query, stored) => {
      const read = inMemory(query, stored)
      const isFirstPage = query.limit === 3 && query.position === undefined
      return isFirstPage ? [...read.slice(0, 2).reverse(), ...read.slice(2)] : read
    }
    expect(await told(turned, 'limit=3')).toEqual({ expected: [1, 2, 3, 4, 5, 6, 7], found: [2, 1, 3, 4, 5, 6, 7] })
  })

  test('a walk that does not end breaks a law, too', async () => {
    const endless: Reader = (query, stored) => inMemory({ ...query, position: undefined! }, stored)
    expect(await brokenBy(endless, 'limit=1')).toContain(forwards)
  })
})
