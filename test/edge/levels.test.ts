/**
 * The levels that dialects count are those of their engines, whose limits cannot be set: behind how many NOTs an engine still takes
 * a random condition, and behind how many the dialect does.
 */
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { sqlBackend, type Dialect } from '../../src/backends/sql/index.ts'
import { defineSchema, field, type Filter } from '../../src/index.ts'
import { someFilter, someSchemaOf } from '../../src/testing/arbitraries.ts'
import { literalTypes } from '../../src/tree.ts'
import { byEffort } from '../effort.ts'
import { isInReach, layoutsOf, storeOf, type Engine } from '../engines/sql/engines.ts'
import { isInstalled, openD1, openLibsql, openTurso } from './engines.ts'

const group = (kind: 'and' | 'or', filters: readonly Filter[]): Filter => ({ kind, filters })
const grouped = (filters: readonly Filter[]): Filter[] => [
  ...filters.slice(0, 3),
  group('or', filters),
  group('and', filters),
  filters.reduce((inner, one, at) => group(at % 2 === 0 ? 'or' : 'and', at % 3 === 0 ? [inner, one] : [one, inner])),
]

/** The most NOTs, up to 101, with which a condition is taken; -1 where it is not taken without one. */
async function mostNots(isTaken: (nots: number) => Promise<boolean>): Promise<number> {
  let [low, high] = [-1, 101]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (await isTaken(middle)) low = middle
    else high = middle - 1
  }
  return low
}

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
    const seed = Number(process.env.SEED ?? Math.trunc(Math.random() * 0x7fffffff))
    const differences: { text: string; taken: number; counted: number }[] = []
    for (const [at, given] of fc.sample(someSchemaOf(types), { numRuns: byEffort(5, 2), seed }).entries()) {
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
          const behind = (nots: number) => 'NOT ('.repeat(nots) + text.replaceAll('?', '1') + ')'.repeat(nots)
          const taken = await mostNots((nots) =>
            engine.run(`SELECT 1 FROM ${store.table.name as string} WHERE ${behind(nots)}`).then(
              () => true,
              (error: unknown) => {
                if (/maximum depth|parser stack overflow/.test(String(error))) return false
                throw error
              },
            ),
          )
          const counted = await mostNots(async (nots) =>
            Promise.resolve(depthOf!(behind(nots), maxDepth!) <= maxDepth!),
          )
          differences.push({ text, taken, counted })
        }
        await store.drop()
      }
    }
    expect({ seed, late: differences.filter(({ taken, counted }) => counted > taken) }).toEqual({ seed, late: [] })
    const early = differences.filter(({ taken, counted }) => counted < taken - 12)
    expect({ seed, early }).toEqual({ seed, early: [] })
    const near = differences.filter(({ taken, counted }) => counted >= taken - 5)
    expect(near.length / differences.length).toBeGreaterThan(0.8)
  })
})
