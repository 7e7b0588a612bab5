/**
 * The levels that dialects count are those of their engines, whose limits cannot be set: behind how many NOTs an engine still takes
 * a random condition, and behind how many the dialect does.
 */
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { levelsInTurso, symbolsOf } from '../../src/backends/sql/dialect/levels.ts'
import { sqlBackend, type Dialect } from '../../src/backends/sql/index.ts'
import { defineSchema, field, type Filter } from '../../src/index.ts'
import { someFilter, someSchemaOf } from '../../src/kit/arbitraries.ts'
import { literalTypes } from '../../src/tree.ts'
import { byEffort } from '../effort.ts'
import { seed } from '../seed.ts'
import { isInReach, layoutsOf, storeOf, type Engine } from '../engines/sql/engines.ts'
import { isInstalled, openD1, openLibsql, openTurso } from './engines.ts'

const group = (kind: 'and' | 'or', filters: readonly Filter[]): Filter => ({ kind, filters })
const grouped = (filters: readonly Filter[]): Filter[] => [
  ...filters.slice(0, 3),
  group('or', filters),
  group('and', filters),
  filters.reduce((inner, one, at) => group(at % 2 === 0 ? 'or' : 'and', at % 3 === 0 ? [inner, one] : [one, inner])),
]

/** The most levels around a condition, up to 101, with which it is taken; -1 where it is not taken without one. */
async function mostOf(isTaken: (levels: number) => Promise<boolean>): Promise<number> {
  let [low, high] = [-1, 101]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (await isTaken(middle)) low = middle
    else high = middle - 1
  }
  return low
}

/** Whether an engine takes a statement: `false` where it has too many levels. */
const isTaken = (run: Engine['run'], statement: string): Promise<boolean> =>
  run(statement).then(
    () => true,
    (error: unknown) => {
      if (/maximum depth|parser stack overflow/.test(String(error))) return false
      throw error
    },
  )

const engines: readonly Engine[] = isInstalled ? [await openD1(), await openLibsql(), await openTurso()] : []
afterAll(async () => {
  for (const engine of engines) await engine.close()
})

describe.runIf(isInstalled)('random conditions', () => {
  test.each(engines)('$name', async (engine) => {
    const { maxDepth, depthOf } = engine.dialect
    const unbounded: Dialect = {
      ...engine.dialect,
      ...{ maxParameters: Infinity, maxBytes: Infinity },
      depthOf: () => 0,
    }
    const types = literalTypes.filter((type) => type !== 'decimal')
    const differences: { text: string; taken: number; bare: number; counted: number }[] = []
    for (const [at, given] of fc.sample(someSchemaOf(types), { numRuns: byEffort(5, 1), seed }).entries()) {
      const schema = defineSchema({ ...given.fields, id: field.integer() })
      const filters = fc.sample(someFilter(schema), { numRuns: 12, seed: seed + at })
      for (const layout of layoutsOf(engine)) {
        if (layout === 'json' && !isInReach(engine, schema)) continue
        const store = storeOf({ ...engine, dialect: unbounded }, schema, layout)
        await store.fill([])
        const { compile } = sqlBackend({ dialect: unbounded, table: store.table })
        for (const filter of grouped(filters)) {
          // Without parameters, there are never too many.
          const { text } = compile(filter)
          const behind = (nots: number, condition = text) =>
            'NOT ('.repeat(nots) + condition.replaceAll('?', '1') + ')'.repeat(nots)
          const from = `SELECT 1 FROM ${store.table.name as string}`
          const takenOf = (condition: string) =>
            mostOf((nots) => isTaken(engine.run, `${from} WHERE ${behind(nots, condition)}`))
          const counted = await mostOf(async (nots) => Promise.resolve(depthOf!(behind(nots), maxDepth!) <= maxDepth!))
          // COLLATE hides the levels below it from the engine.
          const bare = await takenOf(text.replaceAll(' COLLATE BINARY', ''))
          differences.push({ text, taken: await takenOf(text), bare, counted })
        }
        await store.drop()
      }
    }
    expect({ seed, late: differences.filter(({ taken, counted }) => counted > taken) }).toEqual({ seed, late: [] })
    const early = differences.filter(({ bare, counted }) => counted < bare - 12)
    expect({ seed, early }).toEqual({ seed, early: [] })
    const near = differences.filter(({ bare, counted }) => counted >= bare - 5)
    expect(near.length / differences.length).toBeGreaterThan(0.8)
  })
})

/** Conditions, the symbols that they put on the stack of libSQL's parser, and their levels in Turso. */
const byHand: readonly (readonly [condition: string, symbols: number, levels: number])[] = [
  ['a', 9, 1],
  ['a AND b OR c AND d', 13, 3],
  ['a OR b AND c = ?', 15, 4],
  ['a AND b OR c', 11, 3],
  ['a OR b OR c OR d', 11, 4],
  ['(a AND b OR c) AND d', 12, 5],
  ['NOT NOT a', 11, 3],
  ['"t"."a"', 10, 2],
  ['CASE WHEN a = b THEN NOT c END', 17, 3],
  ['(SELECT lower(lower(lower(lower(t.a)))) FROM t JOIN u ON e WHERE b)', 26, 7],
  ['(SELECT count(*) FROM t JOIN json_each(lower(lower(t.a))) AS j ON j.value)', 26, 5],
  ['a AND NOT b = c', 14, 4],
  ['a IS NOT NULL AND b', 12, 3],
  ['a IS NOT lower(b)', 15, 3],
  ['CAST(a AS INTEGER)', 14, 2],
  ['a BETWEEN ? AND ? AND lower(b)', 14, 3],
  ['a BETWEEN ? AND lower(b)', 16, 3],
  ['a BETWEEN -1 AND lower(b) AND c', 18, 5],
  ['instr(a, lower(b)) > 0', 17, 4],
  ['CASE a WHEN 1 THEN b ELSE c END', 15, 2],
  ['CASE WHEN a THEN lower(b) END = c', 18, 4],
  ['a IN (?, lower(b))', 17, 4],
  ['a IN (SELECT "value" FROM json_each(?))', 21, 3],
  ['EXISTS (SELECT 1 FROM t WHERE a AND b = ?)', 21, 4],
  ['a AND EXISTS (SELECT 1 FROM t WHERE a OR b AND EXISTS (SELECT 1 FROM t WHERE a))', 32, 6],
  ['(SELECT a FROM t LIMIT 1)', 19, 3],
  ['(SELECT a FROM t LIMIT 1 OFFSET lower(2))', 24, 3],
  ['(SELECT a FROM t GROUP BY lower(b))', 21, 3],
  ['(SELECT a FROM t ORDER BY b, lower(c))', 25, 3],
  ['(SELECT a FROM t ORDER BY lower(b) LIMIT 1)', 23, 3],
  ['(SELECT json_array(a, lower(b)) FROM t)', 21, 4],
  ['(SELECT count(*) FROM t JOIN u ON t.a = u.e)', 22, 5],
  ['(SELECT count(*) FROM t LEFT JOIN u ON t.a = u.e AND e WHERE a)', 22, 6],
  ['(SELECT a FROM (SELECT lower(b) AS a FROM t) AS s WHERE a)', 23, 3],
  ['(SELECT a FROM (SELECT a FROM (SELECT b AS a FROM t) AS r) AS s)', 30, 2],
  ["a = '((' || '''('", 13, 3],
  ['"a(" = ?', 11, 2],
  ['EXISTS (SELECT 1 FROM (SELECT 1 FROM t UNION ALL SELECT lower(e) FROM u) AS s)', 27, 3],
  ["EXISTS (SELECT 1 FROM json_each(CASE WHEN json_valid(a) THEN a ELSE '[]' END))", 30, 4],
]
describe('conditions by hand', () => {
  test.each(byHand)('%s has %d symbols, and %d levels in Turso', (text, symbols, levels) => {
    expect([symbolsOf(text), levelsInTurso(text, 0)]).toEqual([symbols, levels])
  })

  // The parser of libSQL has room for up to six symbols more than are counted, and Turso for up to three levels.
  test.runIf(isInstalled).each([
    ['libsql', 1, 6],
    ['turso', 2, 3],
  ] as const)('%s takes no fewer parentheses around them than are counted', async (name, at, most) => {
    const { run } = engines.find((engine) => engine.name === name)!
    await run('CREATE TABLE t (a, b, c, d, "a(")')
    await run('CREATE TABLE u (e)')
    for (const condition of byHand) {
      const text = condition[0].replaceAll('?', '1')
      const taken = await mostOf((levels) =>
        isTaken(run, `SELECT 1 FROM t WHERE ${'('.repeat(levels)}${text}${')'.repeat(levels)}`),
      )
      const spare = taken - (100 - condition[at])
      expect(spare, text).toBeGreaterThanOrEqual(0)
      expect(spare, text).toBeLessThanOrEqual(most)
    }
  })
})
