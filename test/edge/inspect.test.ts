/** `inspect` returns the same description for relatives of SQLite as for SQLite. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { sqlite } from '../../src/backends/sql/index.ts'
import { inspect, type Database, type Run } from '../../src/tools/inspect/index.ts'
import { isInstalled, openingInEachForm, startWorker } from './engines.ts'

/** Names are in lower case, because Turso lower-cases all names. */
const ddl = [
  `CREATE TABLE customers (a INT, b TEXT COLLATE NOCASE, "c d" TEXT UNIQUE, PRIMARY KEY (b, a))`,
  `CREATE TABLE orders (id INTEGER PRIMARY KEY, x TEXT, y INT, n TEXT DEFAULT 'it''s', at TEXT DEFAULT CURRENT_TIMESTAMP,
    r REAL NOT NULL DEFAULT 0, FOREIGN KEY (x, y) REFERENCES customers)`,
  `CREATE UNIQUE INDEX orders_n ON orders (n, y DESC)`,
  // A table of D1 has at most 100 columns.
  `CREATE TABLE wide (${Array.from({ length: 100 }, (_, at) => `c${at} TEXT COLLATE RTRIM`).join()})`,
  `INSERT INTO wide (c0, c99) VALUES (1, '2024-01-31')`,
  `CREATE TABLE strict_one (a TEXT PRIMARY KEY, b INT) STRICT`,
  `INSERT INTO orders (id, n, at, r) VALUES (1, '2024-01-31', '2024-01-31 10:00:00', 1.5), (2, '2024-01-31T10:00:00Z', '2024-01-31T10:00:00.123Z', 2.0),
    (3, '2024-01-31T10:00:00+01:00', '2024-01-31T10:00:00.123456Z', 2451545.5), (4, 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', '007', 3),
    (1700000000, '{"a": 1}', NULL, 0)`,
]
/** Statements with features that Turso lacks. */
const ddlWithoutTurso = [
  `CREATE TABLE pairs (k TEXT PRIMARY KEY, v INT, w INT AS (v + 1), s INT AS (v + 2) STORED) WITHOUT ROWID`,
  `CREATE INDEX pairs_i ON pairs (lower(k) COLLATE NOCASE DESC, substr(k, 1, ',')) WHERE v > 1`,
  `CREATE VIEW v AS SELECT n, at COLLATE NOCASE AS t, id + 1 AS m FROM orders`,
  `CREATE TABLE dropped (a INT)`,
  `CREATE VIEW broken AS SELECT a FROM dropped`,
  `DROP TABLE dropped`,
]
const tablesOf = async (run: Run): Promise<Database['tables']> => (await inspect(run, { dialect: sqlite })).tables

test.runIf(isInstalled).each(Object.entries(openingInEachForm))('%s', async (name, open) => {
  const statements = name === 'Turso' ? ddl : [...ddl, ...ddlWithoutTurso]
  const nodeSqlite = new DatabaseSync(':memory:')
  for (const statement of statements) nodeSqlite.exec(statement)
  const engine = await open()
  for (const statement of statements) await engine.run(statement)
  const run: Run = (text, parameters) => engine.run(text, parameters)
  const { session, schemas } = await inspect(run, { dialect: engine.dialect })
  const tables = await tablesOf(run)
  await engine.close()
  expect(tables).toEqual(
    await tablesOf((text, parameters) => nodeSqlite.prepare(text).all(...(parameters as string[]))),
  )
  expect([session.version !== undefined, schemas]).toEqual([name !== 'D1', [{ name: 'main', access: 'readable' }]])
})

test.runIf(isInstalled)('runs in a Worker with the line of docs/guides/d1.md', async () => {
  const root = join(import.meta.dirname, '../..')
  const page = await readFile(join(root, 'docs/guides/d1.md'), 'utf8')
  const [, run] = /(async \(text, values\) => \{[^]*?\.results\n +\})/.exec(page)!
  const { outputFiles } = await build({
    stdin: {
      contents: `import { d1 } from './src/backends/sql/index.ts'
        import { inspect } from './src/tools/inspect/index.ts'
        export default {
          async fetch(_, env) {
            const run = ${run}
            return Response.json(await inspect(run, { dialect: d1 }))
          },
        }`,
      resolveDir: root,
    },
    bundle: true,
    format: 'esm',
    write: false,
    conditions: ['worker'],
  })
  const worker = await startWorker(outputFiles[0]!.text)
  const database = await worker.getD1Database('DB')
  await database.batch(ddl.map((text) => database.prepare(text)))
  const described = (await (await worker.dispatchFetch('http://localhost', {})).json()) as Database
  await worker.dispose()
  const nodeSqlite = new DatabaseSync(':memory:')
  for (const statement of ddl) nodeSqlite.exec(statement)
  expect(described.tables).toEqual(
    await tablesOf((text, parameters) => nodeSqlite.prepare(text).all(...(parameters as string[]))),
  )
})
