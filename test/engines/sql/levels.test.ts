/** The levels of expressions are those that SQLite counts: for each statement, the lowest limit with which the engine prepares it. */
import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { levelsOf, levelsWithin } from '../../../src/backends/sql/dialect/levels.ts'
import { d1, sqlBackend, type Dialect, type Table } from '../../../src/backends/sql/index.ts'
import { defineCollection, defineSchema, field, type Filter, type Schema } from '../../../src/index.ts'
import { someCollectionQuery, someFilter, someSchemaOf } from '../../../src/kit/arbitraries.ts'
import { literalTypes } from '../../../src/tree.ts'
import { byHand } from '../../by-hand.ts'
import { byEffort } from '../../effort.ts'
import { seed } from '../../seed.ts'
import { openSqlite, storeOf, type Layout } from './engines.ts'

/** Its groups have the form of D1's, and nothing is refused. */
const unbounded: Dialect = {
  ...d1,
  ...{ maxParameters: Infinity, maxBytes: Infinity, maxColumns: Infinity },
  depthOf: () => 0,
}

/** The lowest limit with which a statement is prepared. */
function deepestIn(database: DatabaseSync, text: string): number {
  const { limits } = database
  const isTaken = (limit: number): boolean => {
    limits.exprDepth = limit
    try {
      database.prepare(text)
      return true
    } catch (error) {
      if (String(error).includes('Expression tree is too large')) return false
      throw error
    } finally {
      limits.exprDepth = 1_000
    }
  }
  let [low, high] = [1, 1_000]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (isTaken(middle)) high = middle
    else low = middle + 1
  }
  return low
}

const group = (kind: 'and' | 'or', filters: readonly Filter[]): Filter => ({ kind, filters })
/** The filters one by one, side by side, in pairs of groups, and in each other. */
const grouped = (filters: readonly Filter[]): Filter[] => [
  ...filters.slice(0, 5),
  group('or', filters),
  group('and', filters),
  group('and', [group('or', filters.slice(0, 9)), group('or', filters.slice(9))]),
  filters.reduce((inner, one, at) => group(at % 2 === 0 ? 'or' : 'and', at % 3 === 0 ? [inner, one] : [one, inner])),
]

/** All that backends write for a table. */
function statementsOf(schema: Schema, mapped: Table, filters: readonly Filter[], seed: number) {
  const backend = sqlBackend({ dialect: unbounded, table: mapped })
  const name = mapped.name as string
  const scalars = Array.from(schema.paths.values()).filter(({ literal }) => literal !== 'object')
  const facets = scalars.map(({ name }) => name)
  const collection = defineCollection(schema, { key: 'id', sort: true, facets } as never)
  const queries = fc.sample(someCollectionQuery(collection, []), { numRuns: 5, seed })
  return [
    ...grouped(filters).map((filter) => `SELECT 1 FROM ${name} WHERE ${backend.compile(filter).text}`),
    ...queries.flatMap((query, at) => {
      const asked = byHand(query, { filter: group('and', [query.filter, ...filters.slice(at, at + 3)]) })
      const selected = backend.select(asked)
      return [
        `SELECT * FROM ${name} ${backend.compileQuery(asked).text}`,
        ...[selected.text, selected.count.text],
        ...backend.facets(asked).map(({ text }) => text),
      ]
    }),
  ]
}

describe.each(['tables', 'parents', 'json'] satisfies Layout[])('in %s', (layout) => {
  test('random statements have no fewer levels than the engine counts, and few more', async () => {
    const database = new DatabaseSync(':memory:')
    // The keys of these tables have no index. An automatic index of the engine joins all conditions in one expression, which adds levels.
    database.exec('PRAGMA automatic_index = OFF')
    const engine = openSqlite(unbounded)
    const types = literalTypes.filter((type) => type !== 'decimal')
    const compared: { text: string; counted: number; deepest: number; bare: number }[] = []
    for (const [at, given] of fc.sample(someSchemaOf(types), { numRuns: byEffort(40, 3), seed }).entries()) {
      const schema = defineSchema({ ...given.fields, id: field.integer() })
      const store = storeOf(
        { ...engine, run: async (text) => Promise.resolve((text.startsWith('CREATE') && database.exec(text), [])) },
        schema,
        layout,
      )
      await store.fill([])
      const filters = fc.sample(someFilter(schema), { numRuns: 20, seed: seed + at })
      for (const text of statementsOf(schema, store.table, filters, seed + at))
        compared.push({
          ...{ text, counted: levelsOf(text), deepest: deepestIn(database, text) },
          // COLLATE hides the levels below it from the engine.
          bare: deepestIn(database, text.replaceAll(' COLLATE BINARY', '')),
        })
    }
    // Where the planner writes conditions anew, a statement of few levels has one or two more.
    const fewer = compared.filter(({ counted, deepest }) => counted < deepest - 2)
    const more = compared.filter(({ counted, bare }) => counted > 1.5 * bare + 2)
    expect({ seed, fewer, more }).toEqual({ seed, fewer: [], more: [] })
    for (const { text, counted } of compared) {
      // The bounds are the length, and that by the spaces and parentheses.
      for (const max of [Infinity, text.length - 1])
        expect(levelsWithin(text, max), text).toBeGreaterThanOrEqual(counted)
      expect(levelsWithin(text, 1), text).toBe(counted)
    }
    const near = compared.filter(({ counted, bare }) => counted - bare <= 3)
    expect(near.length / compared.length).toBeGreaterThan(0.9)
    expect(Math.max(...compared.map(({ deepest }) => deepest))).toBeGreaterThan(20)
    await engine.close()
    database.close()
  })
})

const four = (between: string) => Array.from({ length: 4 }, () => 'EXISTS (SELECT 1 FROM t WHERE a)').join(between)
/** Conditions, their levels, and those that the engine counts where these are fewer. */
test.each<[text: string, levels: number, deepest?: number]>([
  ['a', 1],
  ['"t"."a"', 2],
  ['"t"."a" = ?', 3],
  ['a AND b AND c', 3],
  ['a AND b OR c AND d', 3],
  ['((a))', 1],
  ['NOT NOT a', 3],
  ['a IS NOT NULL', 2],
  ['a IS NOT b AND c', 3],
  ["'(((' = ?", 2],
  ['"a(" = ?', 2],
  ['a BETWEEN 1 AND 2 AND b', 3],
  ['lower(a) = ?', 3],
  ['a IN (CAST(? AS INTEGER))', 4],
  ['CASE a WHEN 1 THEN b ELSE c END', 2],
  ['EXISTS (SELECT 1 FROM t WHERE a AND b)', 5],
  ['EXISTS (SELECT 1 FROM t WHERE EXISTS (SELECT 1 FROM t WHERE a))', 6],
  ['json_array(a = b, NOT c)', 3],
  ['CASE WHEN a = b AND c THEN NOT c OR d END', 4],
  // Names that begin or end as a word of SQL does.
  ['a_ON AND ON_a AND a_AS AND AS_a AND a_OR AND OR_a', 6],
  ['a_NOT = b', 2],
  ['NOT_a = b', 2],
  // The engine joins the subqueries that must be true.
  [four(' AND '), 9],
  [four(' OR '), 6],
  [`${four(' AND ')} OR b`, 7],
  [`b OR ${four(' AND ')}`, 7],
  [`(${four(' AND ')}) AND b`, 10],
  [`(${four(' OR ')}) AND b`, 7],
  [`NOT (${four(' AND ')})`, 7],
  [`NOT ${four(' AND NOT ')}`, 7],
  [`lower(${four(' AND ')})`, 7],
  ['EXISTS (SELECT 1 FROM json_each(lower(lower(a))))', 7, 5],
  ['(SELECT count(*) FROM t JOIN json_each(lower(lower(t.a))) AS j ON j.value)', 10, 6],
  ['(SELECT count(*) FROM t JOIN u ON lower(lower(t.a)) = u.e JOIN u AS v ON v.e WHERE b)', 15, 9],
  ['(SELECT count(*) FROM t JOIN u ON e WHERE lower(lower(b)))', 9, 8],
  ['(SELECT a FROM t JOIN u ON e ORDER BY lower(lower(b)))', 7],
  ['(SELECT a FROM (SELECT lower(lower(b)) AS a FROM t) AS s)', 5],
  ['(SELECT EXISTS (SELECT 1 FROM u WHERE lower(e)) FROM t WHERE lower(lower(lower(lower(b)))))', 12, 11],
  ['(SELECT lower(lower(lower(lower(t.a)))) FROM t JOIN u ON e WHERE b)', 13],
])('%s has %d', (text, levels, deepest = levels) => {
  expect(levelsOf(text)).toBe(levels)
  expect(levelsWithin(text, levels)).toBe(levels)
  expect(levelsWithin(text, Infinity)).toBeGreaterThanOrEqual(levels)
  const database = new DatabaseSync(':memory:')
  database.exec(
    'CREATE TABLE t (a, b, c, d, "a(", a_ON, ON_a, a_AS, AS_a, a_OR, OR_a, a_NOT, NOT_a); CREATE TABLE u (e)',
  )
  expect(deepestIn(database, `SELECT 1 FROM t WHERE ${text}`)).toBe(deepest)
  database.close()
})

test.each([
  ['aaaaaaaaaaaaaaaa = ?', 4],
  ['lower(aaaaaaaaaaa) = ?', 6],
  ['a = ? AND (b)', 8],
  ['(SELECT aaaaaaaaaaaaaaaa) = ?', 14],
])('%s, which is longer than the maximum, has no more than %d by its spaces and parentheses', (text, bound) => {
  expect(levelsWithin(text, text.length - 1)).toBe(bound)
  expect(levelsWithin(text, bound)).toBe(bound)
  expect(levelsWithin(text, bound - 1)).toBe(levelsOf(text))
  expect(levelsWithin(text, text.length)).toBe(text.length)
})
