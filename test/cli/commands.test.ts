/** The command line on files and without a database: its stdout, its stderr and its exit codes. */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { command, exitOf, newProject, root } from './project.ts'

const head = `
import { defineCollection, defineSchema, field } from 'urlwhere'
import { childTable, column, table } from 'urlwhere/sql'
`
const schema = `
const schema = defineSchema({ id: field.integer({ required: true }), name: field.string(), paidAt: field.datetime() })`
const collection = `export const orders = defineCollection(schema, { key: 'id', sort: ['paidAt'] })`
const mapped = (paidAt: string) =>
  `export const ordersTable = table('orders', { schema, key: 'id', columns: { paidAt: ${paidAt} } })`
const right = mapped(`column('paid_at', { type: 'sqlText' })`)

const project = newProject(
  {
    'orders.ts': [head, schema, collection, mapped(`'paid_at'`)].join('\n'),
    'right.ts': [head, schema, collection, right].join('\n'),
    'table.ts': [head, schema, mapped(`'paid_at'`)].join('\n'),
    'schemas.ts': [head, schema.replace('const', 'export const'), collection].join('\n'),
    'tables.ts': `import { table } from 'urlwhere/sql'; import { schema } from './schemas.ts'\n${mapped(`'paid_at'`)}`,
    'default.ts': [head, schema, collection, right, 'export default { orders, ordersTable }']
      .join('\n')
      .replaceAll('export const', 'const'),
    'common.cjs': [head, schema, collection, right, 'module.exports = { orders, ordersTable }']
      .join('\n')
      .replaceAll(/import (\{.*\}) from ('.*')/g, 'const $1 = require($2)')
      .replaceAll('export const', 'const'),
    'lists.ts': [
      head,
      `const schema = defineSchema({ id: field.integer({ required: true }), lines: field.list(field.object({ product: field.string() })) })`,
      `export const orders = defineCollection(schema, { key: 'id' })`,
      `const lines = childTable('lines', { key: 'id', foreignKey: 'order_id' })`,
      `export const ordersTable = table('orders', { schema, key: 'id', columns: { lines } })`,
    ].join('\n'),
    'visits.ts': [
      head,
      `const schema = defineSchema({ id: field.integer({ required: true }), tenant: field.integer({ required: true }),
        total: field.integer({ required: true }), note: field.string() })`,
      `export const visits = defineCollection(schema, { key: 'id', sort: ['total'], hidden: ['tenant'], operators: { note: ['contains'] } })`,
      `export const visitsTable = table('visits', { schema, key: 'id' })`,
    ].join('\n'),
    'hostile.ts': [
      head,
      `const name = 'a\\n.shell ls\\u001b[2J'`,
      `const schema = defineSchema({ id: field.integer({ required: true }), total: field.integer({ required: true }) })`,
      `export const visits = defineCollection(schema, { key: 'id', sort: ['total'], operators: { total: [] } })`,
      `export const visitsTable = table(name, { schema, key: 'id', columns: { total: name } })`,
    ].join('\n'),
    'unmapped.ts': [head, schema, collection, mapped(`column('paid_at', { type: 'latin1' })`)].join('\n'),
    'empty.ts': 'export const nothing = { name: 1 }',
    'wrong.ts': 'throw new Error("no configuration")',
    'holding.ts': `${[head, schema, collection, right].join('\n')}\nsetInterval(() => undefined, 1_000)`,
    'run.ts': `
      import { DatabaseSync } from 'node:sqlite'
      const database = new DatabaseSync('app.db', { readOnly: true })
      export default (text: string, parameters: any[]) => database.prepare(text).all(...parameters)
      setInterval(() => undefined, 1_000)`,
    'waiting.ts': `
      setInterval(() => undefined, 1_000)
      export default () => { console.error('waits'); return new Promise(() => undefined) }`,
    'no-run.ts': 'export const run = () => []',
    'text.db': 'This is not a database.',
    'other.json': '{ "engine": "oracle", "tables": [] }',
  },
  ['@duckdb/node-api'],
)
/** A project without a driver. */
const bare = newProject({})
const ddl = `
  CREATE TABLE orders (id INTEGER NOT NULL PRIMARY KEY, name TEXT COLLATE NOCASE, paid_at TEXT DEFAULT CURRENT_TIMESTAMP);
  CREATE INDEX orders_name ON orders (name);
  CREATE TABLE lines (id INTEGER NOT NULL PRIMARY KEY, order_id INTEGER NOT NULL REFERENCES orders (id), product TEXT);
  INSERT INTO orders VALUES (1, 'Ada', '2024-01-31 10:00:00'), (2, 'ada', '2024-02-01 11:30:00')`

beforeAll(async () => {
  const database = new DatabaseSync(join(project.folder, 'app.db'))
  database.exec(ddl)
  database.close()
  const shop = new DatabaseSync(join(project.folder, 'shop.db'))
  shop.exec(`
    CREATE TABLE visits (id INTEGER NOT NULL PRIMARY KEY, tenant INTEGER NOT NULL, total INTEGER NOT NULL, note TEXT);
    INSERT INTO visits SELECT value, value % 3, value % 999, value FROM json_each('${JSON.stringify(Array.from({ length: 3_000 }, (_, at) => at))}');
    CREATE TABLE "a\n.shell ls\u001b[2J" (id INTEGER NOT NULL PRIMARY KEY, "a\n.shell ls\u001b[2J" INTEGER NOT NULL);
    INSERT INTO "a\n.shell ls\u001b[2J" SELECT id, id FROM visits; ANALYZE`)
  shop.close()
  const duckdb = await DuckDBInstance.create(join(project.folder, 'app.duckdb'))
  const connection = await duckdb.connect()
  await connection.run(`CREATE TABLE orders (id INTEGER PRIMARY KEY, name VARCHAR, paid_at TIMESTAMP_NS)`)
  await connection.run(`INSERT INTO orders VALUES (1, 'Ada', '2024-01-31 10:00:00')`)
  connection.closeSync()
  duckdb.closeSync()
  const { stdout } = await project.urlwhere(['inspect', 'app.db'])
  writeFileSync(join(project.folder, 'db.json'), stdout)
})
afterAll(() => [project, bare].forEach(({ remove }) => remove()))

const sentence =
  'orders.paid_at holds YYYY-MM-DD HH:MM:SS, as CURRENT_TIMESTAMP writes in 2 of 2 values (all 2 rows), and the mapping reads isoText'
const asText = (table: string) =>
  `  error    paidAt  ${sentence}  stored_form
                   write column('paid_at', { type: 'sqlText' })

1 error in 1 table
`.replace(/^/, `${table} → main.orders (SQLite VERSION)\n`)
const overview = `Usage: urlwhere COMMAND [options]

Commands:
  check    Compare the tables and collections of modules with a database.
  advise   Print the indexes that the queries of modules lack, as SQL.
  inspect  Print the description of a database as JSON.
  pull     Write the schemas, mappings and collections of a database.
  explain  Print the sentence and the SQL of a query.
  serve    Serve a playground and an API of a database on this machine.
  help     Print the help of a command.

Options:
  --help     Print this help.
  --version  Print the version.

Exit codes:
  0  No finding is an error.
  1  A finding is an error, there are too many warnings, an index is missing with --strict, or a query is invalid.
  2  The arguments are wrong, or a module does not load.
  3  There is no driver, no connection or no right to read.

Findings go to stdout. Everything else goes to stderr. No command writes to a database.
`
const helpOfExplain = `Usage: urlwhere explain MODULE 'QUERY' [options]

Print the sentence and the SQL of a query.

With --url or --driver, explain also prints the plan of the database.
Without them, it asks no database, and the dialect is postgres.

Options:
  --table NAME     The export that has the table or the collection.
  --dialect NAME   The dialect of the mapping. Default: that of the database.
  --url URL|FILE   The database: a URL of PostgreSQL, MySQL or MariaDB, or a file of SQLite or DuckDB.
  --driver MODULE  A module whose default export runs a statement. It needs --dialect.
  --help           Print this help.
`

interface Case {
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly code: number
  /** The whole of stdout. */
  readonly stdout?: string
  /** The whole of stderr after `urlwhere: `. */
  readonly stderr?: string
}
const file = ['--url', 'app.db']
const shop = ['--url', 'shop.db']
const cases: Readonly<Record<string, Case>> = {
  version: { args: ['--version'], code: 0, stdout: `${manifest.version}\n` },
  help: { args: ['help'], code: 0, stdout: overview },
  '--help': { args: ['--help'], code: 0, stdout: overview },
  'help of a command': { args: ['help', 'explain'], code: 0, stdout: helpOfExplain },
  'a command with --help': { args: ['explain', '-h'], code: 0, stdout: helpOfExplain },

  'a finding that is an error': { args: ['check', 'orders.ts', ...file], code: 1, stdout: asText('orders.ts  orders') },
  DATABASE_URL: {
    args: ['check', 'orders.ts'],
    env: { DATABASE_URL: 'file:./app.db' },
    code: 1,
    stdout: asText('orders.ts  orders'),
  },
  'a pipe, with FORCE_COLOR': {
    args: ['check', 'orders.ts', ...file],
    env: { FORCE_COLOR: '1' },
    code: 1,
    stdout: asText('orders.ts  orders'),
  },
  'no finding': {
    args: ['check', 'right.ts', ...file],
    code: 0,
    stdout: 'right.ts  orders → main.orders (SQLite VERSION)\n\nno findings in 1 table\n',
  },
  'a table without a collection': {
    args: ['check', 'table.ts', ...file],
    code: 1,
    stdout: asText('table.ts  ordersTable'),
  },
  'a pair of two modules': {
    args: ['check', 'schemas.ts', 'tables.ts', ...file],
    code: 1,
    stdout: asText('tables.ts  orders'),
  },
  'a default export': {
    args: ['check', 'default.ts', ...file],
    code: 0,
    stdout: 'default.ts  orders → main.orders (SQLite VERSION)\n\nno findings in 1 table\n',
  },
  'a module of CommonJS': {
    args: ['check', 'common.cjs', ...file],
    code: 0,
    stdout: 'common.cjs  orders → main.orders (SQLite VERSION)\n\nno findings in 1 table\n',
  },
  'a module that keeps its process running': {
    args: ['check', 'holding.ts', ...file],
    code: 0,
    stdout: 'holding.ts  orders → main.orders (SQLite VERSION)\n\nno findings in 1 table\n',
  },
  'two modules': {
    args: ['check', 'right.ts', 'default.ts', ...file],
    code: 0,
    stdout: `right.ts  orders → main.orders (SQLite VERSION)\n\ndefault.ts  orders → main.orders (SQLite VERSION)\n\nno findings in 2 tables\n`,
  },
  'a module as the driver': {
    args: ['check', 'orders.ts', '--driver', 'run.ts', '--dialect', 'libsql'],
    code: 1,
    stdout: asText('orders.ts  orders'),
  },
  'all rows': {
    args: ['check', 'orders.ts', ...file, '--sample', 'all'],
    code: 1,
    stdout: asText('orders.ts  orders'),
  },
  'one row': {
    args: ['check', 'orders.ts', ...file, '--sample', '1'],
    code: 1,
    stdout: asText('orders.ts  orders').replace('2 of 2 values (all 2 rows)', '1 of 1 values (the first 1 rows)'),
  },
  'a description': {
    args: ['check', 'orders.ts', '--against', 'db.json'],
    code: 1,
    stdout: asText('orders.ts  orders'),
  },
  'a description, with a database in the environment': {
    args: ['check', 'orders.ts', '--against', 'db.json'],
    env: { DATABASE_URL: 'postgres://127.0.0.1:1/x' },
    code: 1,
    stdout: asText('orders.ts  orders'),
  },
  github: {
    args: ['check', 'orders.ts', ...file, '--format', 'github'],
    code: 1,
    stdout: `::error file=orders.ts,title=stored_form::${sentence}. Write column('paid_at', { type: 'sqlText' })\n`,
  },
  json: {
    args: ['check', 'orders.ts', ...file, '--format', 'json'],
    code: 1,
    stdout: `${JSON.stringify(
      [
        {
          file: 'orders.ts',
          table: 'ordersTable',
          collection: 'orders',
          level: 'error',
          code: 'stored_form',
          message: sentence,
          fix: `column('paid_at', { type: 'sqlText' })`,
          path: 'paidAt',
          column: { schema: 'main', table: 'orders', name: 'paid_at' },
        },
      ],
      null,
      2,
    )}\n`,
  },
  'json without findings': { args: ['check', 'right.ts', ...file, '--format', 'json'], code: 0, stdout: '[]\n' },

  'a sentence and a statement': {
    args: ['explain', 'orders.ts', 'name=Ada&sort=-paidAt', '--dialect', 'mariadb'],
    code: 0,
    stdout: `name is "Ada"

SELECT \`orders\`.\`id\` AS c1, \`orders\`.\`name\` AS c2, CAST(\`orders\`.\`paid_at\` AS CHAR) AS c3 FROM \`orders\` WHERE \`orders\`.\`name\` = ? COLLATE utf8mb4_nopad_bin ORDER BY \`orders\`.\`paid_at\` DESC, \`orders\`.\`id\` DESC LIMIT 21
-- 1: "Ada"
`,
  },
  'a plan': {
    args: ['explain', 'orders.ts', 'id=1', ...file],
    code: 0,
    stdout: `id is 1

SELECT CAST("orders"."id" AS TEXT) AS c1, "orders"."name" AS c2, "orders"."paid_at" AS c3 FROM "orders" WHERE "orders"."id" = ? ORDER BY "orders"."id" ASC LIMIT CAST(? AS INTEGER)
-- 1: 1
-- 2: 21

SEARCH orders USING INTEGER PRIMARY KEY (rowid=?)
`,
  },
  'an invalid query': {
    args: ['explain', 'orders.ts', 'nme=Ada'],
    code: 1,
    stdout: 'nme=Ada\n^^^\nunknown field "nme"\nhint: did you mean name?\n',
  },

  'missing indexes': {
    args: ['advise', 'visits.ts', ...shop, '--restriction', 'tenant'],
    code: 0,
    stdout: `-- visits.ts  visits → main.visits (SQLite VERSION, about 3000 rows)
-- sort=total; total: equals, gt, gte, lt, lte, range, in: a page reads about 3000 rows without it
CREATE INDEX "main"."visits_tenant_total" ON "visits" ("tenant", "total"); ANALYZE "main"."visits";
-- sort=id: a page reads about 1000 rows without it
CREATE INDEX "main"."visits_tenant" ON "visits" ("tenant"); ANALYZE "main"."visits";
-- never: note: contains: no index finds a part of a text
`,
  },
  'missing indexes, without a restriction': {
    args: ['advise', 'visits.ts', ...shop, '--strict'],
    code: 1,
    stdout: `-- No restriction is named. If each query compares a field by equality, such as a tenant, name it: --restriction tenant

-- visits.ts  visits → main.visits (SQLite VERSION, about 3000 rows)
-- sort=total; total: equals, gt, gte, lt, lte, range, in: a page reads about 3000 rows without it
CREATE INDEX "main"."visits_total" ON "visits" ("total"); ANALYZE "main"."visits";
-- never: note: contains: no index finds a part of a text
`,
  },
  'names with line ends and control characters': {
    args: ['advise', 'hostile.ts', ...shop],
    code: 0,
    stdout: `-- No restriction is named. If each query compares a field by equality, such as a tenant, name it: --restriction tenant

-- hostile.ts  visits → main.a\\u{a}.shell ls\\u{1b}[2J (SQLite VERSION, about 3000 rows)
-- sort=total: a page reads about 3000 rows without it
-- A name contains control characters. Write this yourself: CREATE INDEX "main"."a_shell_ls_2j_a_shell_ls_2j" ON "a\\u{a}.shell ls\\u{1b}[2J" ("a\\u{a}.shell ls\\u{1b}[2J"); ANALYZE "main"."a\\u{a}.shell ls\\u{1b}[2J"
`,
  },
  'no missing index, because the table is small': {
    args: ['advise', 'right.ts', '--against', 'db.json', '--strict'],
    code: 0,
    stdout: `-- No restriction is named. If each query compares a field by equality, such as a tenant, name it: --restriction tenant

-- right.ts  orders → main.orders (SQLite VERSION)
-- no index is missing
`,
  },
  'missing indexes of a small table': {
    args: ['advise', 'lists.ts', '--against', 'db.json', '--all'],
    code: 0,
    stdout: `-- No restriction is named. If each query compares a field by equality, such as a tenant, name it: --restriction tenant

-- lists.ts  orders → main.orders (SQLite VERSION)
-- the list lines: a page reads about 0 rows without it
CREATE INDEX "main"."lines_order_id" ON "lines" ("order_id"); ANALYZE "main"."lines";
`,
  },
  'a restriction that no table has': {
    args: ['advise', 'visits.ts', ...shop, '--restriction', 'owner'],
    code: 2,
    stderr: '--restriction names owner, which no table has\n',
  },
  'a table that the database lacks': {
    args: ['advise', 'visits.ts', ...file],
    code: 2,
    stderr:
      'the database has no table visits, or this user may not read it. Name its schema by --schema, or run check\n',
  },
  'advise without a module': { args: ['advise', ...file], code: 2, stderr: 'advise takes one module or more\n' },
  'advise on a database and a description': {
    args: ['advise', 'visits.ts', ...shop, '--against', 'db.json'],
    code: 2,
    stderr: '--against takes the place of a database: leave out --url and --driver\n',
  },

  'no command': { args: [], code: 2, stderr: `a command is missing.\n\n${overview}` },
  'an unknown command': {
    args: ['improve'],
    code: 2,
    stderr: 'there is no command improve. Commands: check, advise, inspect, pull, explain, serve, help\n',
  },
  'a name that objects inherit': {
    args: ['constructor'],
    code: 2,
    stderr: 'there is no command constructor. Commands: check, advise, inspect, pull, explain, serve, help\n',
  },
  'help of an unknown command': {
    args: ['help', 'improve'],
    code: 2,
    stderr: 'there is no command improve. Commands: check, advise, inspect, pull, explain, serve, help\n',
  },
  'an unknown option': {
    args: ['check', 'orders.ts', '--bad'],
    code: 2,
    stderr: `Unknown option '--bad'. See: urlwhere help check\n`,
  },
  'an option of another command': {
    args: ['inspect', '--format', 'json'],
    code: 2,
    stderr: `Unknown option '--format'. See: urlwhere help inspect\n`,
  },
  'check without a module': { args: ['check', ...file], code: 2, stderr: 'check takes one module or more\n' },
  'no database': {
    args: ['check', 'orders.ts'],
    code: 2,
    stderr: 'no database: write --url URL or --url FILE, or set DATABASE_URL\n',
  },
  'an unknown format': {
    args: ['check', 'orders.ts', ...file, '--format', 'xml'],
    code: 2,
    stderr: '--format takes text, json, github, not xml\n',
  },
  'a negative number of warnings': {
    args: ['check', 'orders.ts', ...file, '--max-warnings', '-1'],
    code: 2,
    stderr: `Option '--max-warnings' argument is ambiguous. See: urlwhere help check\n`,
  },
  'a sample that is not a number': {
    args: ['inspect', ...file, '--sample', 'some'],
    code: 2,
    stderr: '--sample takes a whole number, not some\n',
  },
  'a sample of 0 rows': {
    args: ['check', 'orders.ts', ...file, '--sample', '0'],
    code: 2,
    stderr: '--sample of check takes a number from 1 on\n',
  },
  'two databases': {
    args: ['inspect', 'app.db', ...file],
    code: 2,
    stderr: 'inspect takes one database: a FILE or --url\n',
  },
  'a database and a description': {
    args: ['check', 'orders.ts', ...file, '--against', 'db.json'],
    code: 2,
    stderr: '--against takes the place of a database: leave out --url and --driver\n',
  },
  'a description of another engine': {
    args: ['check', 'orders.ts', '--against', 'other.json'],
    code: 2,
    stderr: 'other.json is not a description from inspect\n',
  },
  'an unknown dialect': {
    args: ['explain', 'orders.ts', '', '--dialect', 'oracle'],
    code: 2,
    stderr:
      'there is no dialect oracle. Dialects: d1, duckdb, libsql, mariadb, mysql, postgres, postgres17, sqlite, turso, vitess\n',
  },
  'a module that throws': {
    args: ['check', 'wrong.ts', ...file],
    code: 2,
    stderr: 'wrong.ts does not load: no configuration\n',
  },
  'a module without a table': {
    args: ['check', 'empty.ts', ...file],
    code: 2,
    stderr: 'no table in the exports of empty.ts\n',
  },
  'explain without a pair': {
    args: ['explain', 'table.ts', 'id=1'],
    code: 2,
    stderr: 'table.ts exports no table and collection with the same schema\n',
  },
  'explain of an unknown table': {
    args: ['explain', 'orders.ts', 'id=1', '--table', 'items'],
    code: 2,
    stderr: 'explain needs one table. Choose it by --table: orders\n',
  },
  'explain without a query': {
    args: ['explain', 'orders.ts'],
    code: 2,
    stderr: 'explain takes a module and a query\n',
  },
  'a mapping that the library rejects': { args: ['check', 'unmapped.ts', ...file], code: 2 },
  'a driver without a dialect': {
    args: ['check', 'orders.ts', '--driver', 'run.ts'],
    code: 2,
    stderr: '--driver needs --dialect\n',
  },
  'a driver without a default export': {
    args: ['check', 'orders.ts', '--driver', 'no-run.ts', '--dialect', 'd1'],
    code: 2,
    stderr: 'no-run.ts has no default export that is a function\n',
  },
  'a scheme without a driver': {
    args: ['inspect', '--url', 'oracle://scott:tiger@db/x'],
    code: 2,
    stderr: 'the scheme oracle: is unknown. For another driver, write --driver MODULE and --dialect NAME\n',
  },
  'a URL without a scheme': {
    args: ['inspect', '--url', 'my_user:tiger@db/x'],
    code: 2,
    stderr: 'the scheme my_user: is unknown. For another driver, write --driver MODULE and --dialect NAME\n',
  },

  'a missing file': {
    args: ['inspect', 'no.db'],
    code: 3,
    stderr: `no.db does not open: ENOENT: no such file or directory, open 'no.db'\n`,
  },
  'a file of another format': {
    args: ['inspect', 'text.db'],
    code: 3,
    stderr: 'text.db is not a database of SQLite or DuckDB\n',
  },
}

const shown = (text: string) => text.replaceAll(/(SQLite|DuckDB) v?[\d.]+/g, '$1 VERSION')

test.each(Object.entries(cases))('%s', async (_, { args, env, code, stdout = '', stderr }) => {
  const result = await project.urlwhere(args, env)
  expect([result.code, shown(result.stdout)]).toEqual([code, stdout])
  if (code < 2) expect(result.stderr).toBe('')
  else if (stderr === undefined) expect(result.stderr).toMatch(/^urlwhere: unmapped\.ts, ordersTable: .*latin1/)
  else expect(result.stderr).toBe(`urlwhere: ${stderr.trimEnd()}\n`)
})

test('a database executes the output of advise, and no index is missing then', async () => {
  const args = ['advise', 'visits.ts', '--url', 'copy.db', '--restriction', 'tenant']
  copyFileSync(join(project.folder, 'shop.db'), join(project.folder, 'copy.db'))
  const database = new DatabaseSync(join(project.folder, 'copy.db'))
  database.exec((await project.urlwhere(args)).stdout)
  database.close()
  const { code, stdout } = await project.urlwhere([...args, '--strict'])
  expect([code, stdout.includes('CREATE')]).toEqual([0, false])
})

describe('warnings', () => {
  test.each([
    [[], 0],
    [['--max-warnings', '1'], 0],
    [['--max-warnings', '0'], 1],
  ] as const)('%j: %i', async (args, code) => {
    const result = await project.urlwhere(['check', 'lists.ts', ...file, ...args])
    expect(result.stdout).toContain('has no index')
    expect([result.code, result.stdout.trimEnd().split('\n').at(-1)]).toEqual([code, '1 warning in 1 table'])
  })
})

test('DuckDB: the description, and a wrong mapping', async () => {
  const described = await project.urlwhere(['inspect', 'app.duckdb'])
  const { engine, tables } = JSON.parse(described.stdout) as { engine: string; tables: { name: string }[] }
  expect([described.code, engine, tables.map(({ name }) => name)]).toEqual([0, 'duckdb', ['orders']])
  const checked = await project.urlwhere(['check', 'orders.ts', '--url', 'app.duckdb'])
  expect([checked.code, checked.stderr]).toEqual([1, ''])
  expect(checked.stdout).toContain(`column('paid_at', { type: 'timestampOther' })`)
  const explained = await project.urlwhere(['explain', 'orders.ts', 'name[in]=Ada,Bob', '--url', 'app.duckdb'])
  expect([explained.code, explained.stderr]).toEqual([0, ''])
  expect(explained.stdout).toMatch(/^name is "Ada" or "Bob"\n\nSELECT [^]*\n\n[^]*SEQ_SCAN/)
})

test('inspect prints the same description twice', async () => {
  const [first, second] = await Promise.all([1, 2].map(() => project.urlwhere(['inspect', '--url', 'app.db'])))
  expect(first).toEqual(second)
  expect(first!.stdout).toBe(readFileSync(join(project.folder, 'db.json'), 'utf8'))
})

describe('without a connection', () => {
  test.each([
    ['postgres', 'pg, or postgres'],
    ['postgresql', 'pg, or postgres'],
    ['mysql', 'mysql2, or mariadb'],
    ['mariadb', 'mysql2, or mariadb'],
  ])('no driver for %s: the message names the packages', async (scheme, names) => {
    expect(await bare.urlwhere(['inspect', '--url', `${scheme}://u:tiger@127.0.0.1:1/x`])).toEqual({
      code: 3,
      stdout: '',
      stderr: `urlwhere: the project has no driver for this database: npm install ${names}\n`,
    })
  })

  const passwords = ['tiger-7', 'ti:ger@7', 'ti%3Ager%407']
  test.each(
    ['pg', 'postgres', 'mysql2', 'mariadb'].flatMap((driver) =>
      passwords.map((password) => [driver, password] as const),
    ),
  )('%s does not connect: the message does not contain the password %s', async (driver, password) => {
    const other = newProject({}, [driver])
    const scheme = /^(?:pg|postgres)$/.test(driver) ? 'postgres' : 'mariadb'
    const url = `${scheme}://u:${password}@127.0.0.1:1/x`
    const { code, stdout, stderr } = await other.urlwhere(['inspect'], { DATABASE_URL: url })
    other.remove()
    expect([code, stdout]).toEqual([3, ''])
    expect(stderr).toMatch(/^urlwhere: no connection to \w+:\/\/u:\*\*\*@127\.0\.0\.1:1\/x by /)
    expect(stderr).not.toMatch(/ti.*ger/)
  })
})

/** `script` of util-linux runs the command in a terminal. */
test.each([
  ['colours on a terminal', {}, true],
  ['no colours with NO_COLOR', { NO_COLOR: '1' }, false],
])('%s', async (_, variables, isColoured) => {
  // With CI in the environment, Node reports a terminal without colours.
  const { CI: _____, NO_COLOR: __, FORCE_COLOR: ___, ...env } = process.env
  const line = [process.execPath, command, 'check', 'orders.ts', ...file].join(' ')
  const options = { cwd: project.folder, env: { ...env, TERM: 'xterm', ...variables } }
  const { stdout } = await promisify(execFile)('script', ['-qc', line, '/dev/null'], options)
  expect(stdout).toContain('write column')
  expect(stdout.includes('\u001b[31merror')).toBe(isColoured)
})

test('Ctrl-C exits with code 130', async () => {
  const child = project.start(['inspect', '--driver', 'waiting.ts', '--dialect', 'd1'])
  await once(child.stderr!, 'data')
  child.kill('SIGINT')
  expect(await exitOf(child)).toMatchObject({ code: 130, stdout: '' })
})

test('prints no error when the reader closes the pipe first', async () => {
  const child = project.start(['inspect', 'app.db'])
  child.stdout!.destroy()
  const chunks: string[] = []
  child.stderr!.on('data', (chunk: Buffer) => chunks.push(chunk.toString()))
  await once(child, 'exit')
  expect(chunks).toEqual([])
})

describe('docs/guides/your-tables.md', () => {
  const page = readFileSync(join(root, 'docs/guides/your-tables.md'), 'utf8')
  const commands = Array.from(page.matchAll(/^```console\n([^]*?)^```$/gm), ([, code]) => code!).flatMap((code) =>
    code.split(/^\$ npx urlwhere /m).slice(1),
  )
  test.each(commands.map((one) => [one.split('\n')[0]!, one] as const))('%s', async (line, one) => {
    const [words, target] = line.split(' > ')
    const args = Array.from(words!.matchAll(/'([^']*)'|(\S+)/g), ([, quoted, word]) => quoted ?? word!)
    const { stdout, stderr } = await project.urlwhere(args)
    expect(stderr).toBe('')
    if (target === undefined) expect(shown(stdout)).toBe(shown(one.slice(line.length + 1)))
    else expect(stdout).toBe(readFileSync(join(project.folder, target), 'utf8'))
  })
  test('has five commands', () => expect(commands).toHaveLength(5))
})

describe('pull', () => {
  const text = (name: string) => readFileSync(join(project.folder, name), 'utf8')
  const codeAndStderr = ({ code, stderr }: { readonly code: number | null; readonly stderr: string }) => [code, stderr]

  test('writes a file without findings of check, and replaces it only with --force', async () => {
    const { stdout, stderr } = await project.urlwhere(['pull', 'app.db'])
    expect(stdout).toContain("paidAt: column('paid_at', { type: 'sqlText' }),")
    expect(stderr).toBe('2 tables and views, 0 notes in the comments\n')
    expect((await project.urlwhere(['pull', 'app.db', '--out', 'pulled.ts'])).stdout).toBe('')
    expect(text('pulled.ts')).toBe(stdout)
    const checked = await project.urlwhere(['check', 'pulled.ts', ...file])
    expect(checked.stdout).toContain('no findings in 2 tables')
    const again = await project.urlwhere(['pull', 'app.db', '--include', 'ord*', '--out', 'pulled.ts'])
    expect(codeAndStderr(again)).toEqual([2, 'urlwhere: pulled.ts exists. Use --force to replace it\n'])
    expect(text('pulled.ts')).toBe(stdout)
    await project.urlwhere(['pull', 'app.db', '--include', 'ord*', '--out', 'pulled.ts', '--force'])
    expect(text('pulled.ts')).not.toContain('linesTable')
  })
  test('creates the folder of --out', async () => {
    for (const name of ['common/lists.ts', 'common/lists.mts']) {
      await project.urlwhere(['pull', 'app.db', '--out', name])
      writeFileSync(join(project.folder, 'common/package.json'), '{ "type": "commonjs" }')
    }
    const refused = await project.urlwhere(['check', 'common/lists.ts', ...file])
    expect(refused.code).toBe(2)
    expect(refused.stderr).toContain(
      'common/lists.ts does not load: its package.json makes it CommonJS: end its name with .mts or .mjs\n',
    )
    expect((await project.urlwhere(['check', 'common/lists.mts', ...file])).stdout).toContain('no findings in 2 tables')
  })
  test('writes a list, and rejects an unknown one', async () => {
    const { stdout } = await project.urlwhere(['pull', 'app.db', '--with', 'orders.lines'])
    expect(stdout).toContain('lines: field.list(field.object(linesFields)),')
    const wrong = await project.urlwhere(['pull', 'app.db', '--with', 'orders.items'])
    expect(codeAndStderr(wrong)).toEqual([
      2,
      'urlwhere: --with contains orders.items: the lists of these tables are orders.lines\n',
    ])
  })
})
