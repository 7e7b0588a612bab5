/** `inspect` returns the facts that the statements of PostgreSQL and DuckDB declare, for tables with random names. */
import { DuckDBInstance, type DuckDBValue } from '@duckdb/node-api'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { duckdb, postgres, type Dialect } from '../../../src/backends/sql/index.ts'
import { inspect, type Run } from '../../../src/tools/inspect/index.ts'
import { someTables, sortedFactsOf, type Declaring } from '../../tools/inspect/some-tables.ts'
import { byCompleteness, byEffort } from '../../effort.ts'
import { newPglite } from '../sql/pglite.ts'

async function compareDescriptions(run: Run, dialect: Dialect, declaring: Declaring): Promise<void> {
  await fc.assert(
    fc.asyncProperty(someTables(declaring), async ({ ddl, drop, facts }) => {
      const describe = async () => {
        for (const statement of ddl) await run(statement, [])
        return inspect(run, { dialect })
      }
      const { tables } = await describe().finally(async () => {
        for (const statement of drop) await run(statement, [])
      })
      expect(sortedFactsOf(tables)).toEqual(facts)
    }),
    { numRuns: byEffort(500, byCompleteness(30, 10)) },
  )
}

test('PGlite', async () => {
  const client = await newPglite()
  const run: Run = async (text, parameters) => (await client.query<object>(text, parameters)).rows
  await compareDescriptions(run, postgres, {
    text: 'text',
    collations: [
      ['', 'default'],
      ['COLLATE "C"', 'C'],
      ['COLLATE "POSIX"', 'POSIX'],
    ],
    hasOrder: true,
  })
  await client.close()
})

test('DuckDB', async () => {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' })
  const connection = await instance.connect()
  const run: Run = async (text, parameters) =>
    (await connection.runAndReadAll(text, parameters as DuckDBValue[])).getRowObjectsJS()
  await compareDescriptions(run, duckdb, {
    text: 'VARCHAR',
    collations: [
      ['', 'default'],
      ['COLLATE NOCASE', 'nocase'],
      ['COLLATE nocase.noaccent', 'nocase.noaccent'],
    ],
    hasOrder: false,
  })
  connection.closeSync()
  instance.closeSync()
})
