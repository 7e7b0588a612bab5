/** Engines in a collation that pads, with a dialect that compares bytes: the cases of the kit, and pairs. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mariadb, sqlBackend, table, type Dialect } from '../../../src/backends/sql/index.ts'
import { compare, sql } from '../../../src/backends/sql/dialect/index.ts'
import { defineSchema, field, parseFilterOrThrow } from '../../../src/index.ts'
import { runBackend, runQueries } from '../../../src/kit/index.ts'
import type { Case, CaseResult, Fixture, QueryCase } from '../../../src/kit/index.ts'
import { failures } from '../../conformance/cases.ts'
import { openMariadb, storeOf, type Engine, type Store } from './engines.ts'
import { inBytes } from './padding.ts'

const padding = inBytes(mariadb)
const { MARIADB_URL } = process.env
describe.runIf(MARIADB_URL)('MariaDB with utf8mb4_bin', () => {
  let engine: Engine
  beforeAll(async () => {
    const opened = await openMariadb(MARIADB_URL!, padding)
    engine = { ...opened, declared: { ...opened.declared, string: 'TEXT COLLATE utf8mb4_bin' } }
  })
  afterAll(() => engine.close())

  test('the column pads: a dialect that compares texts as they are finds a text with a space more', async () => {
    const name = `padding_${Math.random().toString(36).slice(2)}`
    await engine.run(`CREATE TABLE ${name} (id BIGINT, v TEXT COLLATE utf8mb4_bin) CHARACTER SET utf8mb4`)
    await engine.run(`INSERT INTO ${name} VALUES (1, 'a'), (2, 'a '), (3, 'A'), (4, 'b'), (5, NULL)`)
    const schema = defineSchema({ id: field.integer(), v: field.string() })
    const plain: Dialect = {
      ...padding,
      textRules: { ...padding.textRules, compare, differs: (value, text) => sql`NOT (${value} <=> ${text})` },
    }
    const found = async (dialect: Dialect, query: string) => {
      const { compile } = sqlBackend({ dialect, table: table(name, { schema, key: 'id' }) })
      const { text, parameters } = compile(parseFilterOrThrow(schema, query))
      const rows = await engine.run(`SELECT id FROM ${name} WHERE ${text} ORDER BY id`, parameters)
      return rows.map(({ id }) => Number(id))
    }
    expect(await found(plain, 'v=a')).toEqual([1, 2])
    expect(await found(plain, 'v[notEqual]=a')).toEqual([3, 4, 5])
    for (const [query, ids] of [
      ['v=a', [1]],
      ['v=a%20', [2]],
      ['v[notEqual]=a', [2, 3, 4, 5]],
      ['v[in]=a,b', [1, 4]],
      ['v[nin]=a,b', [2, 3, 5]],
      ['v[gt]=a', [2, 4]],
      ['v[lte]=a', [1, 3]],
      ['v[endsWith]=%20', [2]],
      ['v[startsWith]=a', [1, 2, 3]],
      ['v[equalsIgnoreCase]=a', [1, 3]],
    ] as const)
      expect(await found(padding, query), query).toEqual(ids)
    await engine.run(`DROP TABLE ${name}`)
  })

  describe.each(['tables', 'json'] as const)('%s', (layout) => {
    const stores = new Map<Fixture, Store>()
    const storeFor = (fixture: Fixture): Store => {
      const store = stores.get(fixture) ?? storeOf(engine, fixture.schema, layout)
      stores.set(fixture, store)
      return store
    }
    const load = async (fixture: Fixture): Promise<Store> => {
      await storeFor(fixture).fill(fixture.rows)
      return storeFor(fixture)
    }
    const failed = (results: readonly CaseResult<Case | QueryCase>[]) =>
      failures(results).map(({ case: { name, expected }, selected, error }) => ({ name, expected, selected, error }))

    test('the cases of the kit pass', async () => {
      const results = await runBackend({
        backend: (fixture) => storeFor(fixture).backend,
        load,
        select: (store, condition) => store.select(condition),
      })
      expect(failed(results)).toEqual([])
      expect(results.filter(({ outcome }) => outcome === 'passed').length).toBeGreaterThan(1_500)
    }, 300_000)

    test('and its queries', async () => {
      const results = await runQueries({
        backend: (fixture) => storeFor(fixture).backend,
        load,
        read: (store, query) => store.read(query),
      })
      expect(failed(results)).toEqual([])
      expect(results.filter(({ outcome }) => outcome === 'passed').length).toBeGreaterThan(250)
    }, 300_000)
  })
})
