/** PostgreSQL databases of every locale provider: which of them each dialect is right in, as its preconditions say. */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { memoryBackend } from '../../../src/backends/memory/index.ts'
import { postgres, postgres17, sqlBackend, table, type Dialect } from '../../../src/backends/sql/index.ts'
import { sql } from '../../../src/backends/sql/dialect/index.ts'
import { defineSchema, field, parseFilterOrThrow } from '../../../src/index.ts'
import { openPostgres, storeOf, type Engine, type Store } from './engines.ts'
import { newPglite } from './pglite.ts'

const { POSTGRES_URL, POSTGRES18_URL } = process.env

/** As docs/guides/sql-engines.md has it, for servers that are older than pg_c_utf8. */
const postgresInLibc: Dialect = {
  ...postgres,
  textRules: { ...postgres.textRules, cased: (value) => sql`${value} COLLATE "C.utf8"` },
}

interface Database {
  readonly locale: string
  readonly url: string | undefined
  /** The end of CREATE DATABASE. @see https://www.postgresql.org/docs/18/sql-createdatabase.html */
  readonly options: string
  /** Dialects, and whether the database meets their preconditions. */
  readonly dialects: readonly (readonly [string, Dialect, boolean])[]
}
const of18 = (locale: string, options: string, isMet: boolean): Database => ({
  locale: `PostgreSQL 18, ${locale}`,
  url: POSTGRES18_URL,
  options,
  dialects: [
    ['postgres', postgres, isMet],
    ['postgres17', postgres17, true],
  ],
})
const of15 = (locale: string, options: string, isMet: boolean): Database => ({
  locale: `PostgreSQL 15, ${locale}`,
  url: POSTGRES_URL,
  options,
  dialects: [
    ['postgres', postgres, isMet],
    ['postgres with COLLATE "C.utf8"', postgresInLibc, true],
  ],
})
const databases: readonly Database[] = [
  of18('libc C.UTF-8', `LOCALE_PROVIDER libc LOCALE 'C.UTF-8'`, true),
  of18('libc C', `LOCALE_PROVIDER libc LOCALE 'C'`, false),
  of18('builtin C.UTF-8', `LOCALE_PROVIDER builtin BUILTIN_LOCALE 'C.UTF-8' LOCALE 'C.UTF-8'`, true),
  of18('builtin C', `LOCALE_PROVIDER builtin BUILTIN_LOCALE 'C' LOCALE 'C.UTF-8'`, false),
  of18('builtin PG_UNICODE_FAST', `LOCALE_PROVIDER builtin BUILTIN_LOCALE 'PG_UNICODE_FAST' LOCALE 'C.UTF-8'`, false),
  of18('ICU und', `LOCALE_PROVIDER icu ICU_LOCALE 'und' LOCALE 'C.UTF-8'`, false),
  of18('ICU tr', `LOCALE_PROVIDER icu ICU_LOCALE 'tr' LOCALE 'C.UTF-8'`, false),
  of15('libc C.UTF-8', `LOCALE_PROVIDER libc LOCALE 'C.UTF-8'`, true),
  of15('ICU en', `LOCALE_PROVIDER icu ICU_LOCALE 'en' LOCALE 'C.UTF-8'`, false),
  of15('ICU tr', `LOCALE_PROVIDER icu ICU_LOCALE 'tr' LOCALE 'C.UTF-8'`, false),
]

// Final sigmas, the letters i of Turkish, letters that lower to another length, and orders that differ by locale.
const texts =
  'ΟΔΟΣ ΟΔΟς οδος οδοσ ΟΔΟΣ-Α Σ ς İSTANBUL istanbul ISTANBUL ıstanbul I i İ ı ß ẞ SS ss É é e Ǆ ǅ ǆ K k K a B Z \uff5e \u{1f600}'.split(
    ' ',
  )
const schema = defineSchema({
  id: field.integer(),
  text: field.string(),
  tags: field.list(field.string()),
})
const rows = texts.map((text, at) => ({ id: at + 1, text, tags: [text, 'other'] }))
const matching = ['startsWith', 'endsWith', 'contains', 'doesNotContain', 'equalsIgnoreCase']
const minding = ['startsWithExact', 'endsWithExact', 'containsExact']
const others = ['equals', 'notEqual', 'gt', 'gte', 'lt', 'lte', 'in', 'nin', ...minding]

describe.each(databases.filter(({ url }) => url !== undefined))('$locale', ({ url, options, dialects }) => {
  const name = `urlwhere_${randomUUID().replaceAll('-', '')}`
  let server: Engine
  let engine: Engine
  beforeAll(async () => {
    server = await openPostgres(url!)
    await server.run(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8' ${options}`)
    const own = new URL(url!)
    own.pathname = `/${name}`
    engine = await openPostgres(own.href)
  }, 60_000)
  afterAll(async () => {
    await engine.close()
    await server.run(`DROP DATABASE ${name}`)
    await server.close()
  })

  /** Queries that select other rows than in memory. */
  const wrongIn = async (store: Store, operators: readonly string[]): Promise<string[]> => {
    const wrong: string[] = []
    for (const query of ['text', 'tags'].flatMap((name) =>
      operators.flatMap((operator) => texts.map((text) => `${name}[${operator}]=${encodeURIComponent(text)}`)),
    )) {
      const filter = parseFilterOrThrow(schema, query)
      const expected = rows.filter(memoryBackend().compile(filter)).map(({ id }) => id)
      const selected = (await store.select(store.backend.compile(filter))).sort((a, b) => a - b)
      if (String(selected) !== String(expected)) wrong.push(decodeURIComponent(query))
    }
    return wrong
  }

  describe.each(dialects)('%s', (_, dialect, isMet) => {
    test.each(['tables', 'json', 'arrays'] as const)('%s', async (layout) => {
      const store = storeOf({ ...engine, dialect }, schema, layout)
      await store.fill(rows)
      expect(await wrongIn(store, others)).toEqual([])
      // What the preconditions leave out is indeed wrong there.
      const wrong = await wrongIn(store, matching)
      if (isMet) expect(wrong).toEqual([])
      else expect(wrong).not.toEqual([])
      await store.drop()
    })
  })
})

describe('indexes for postgres17, as docs/reference/sql-indexes.md recommends them', async () => {
  const database = await newPglite({ extensions: { pg_trgm } })
  afterAll(() => database.close())
  const columns = { name: 'text COLLATE "pg_c_utf8"', note: 'text' }
  const page = readFileSync(join(import.meta.dirname, '../../../docs/reference/sql-indexes.md'), 'utf8')
  const [, section] = /^### PostgreSQL 17 and later\n([^]*?)^## /m.exec(page)!
  const lines = Array.from(
    section!.matchAll(/^\| `(.+?)` +\| (.*?) +\| `orders (.*)` +\|$/gm),
    ([, declared, operators, on]) => ({
      column: Object.entries(columns).find(([, other]) => other === declared)![0],
      operators: operators!.split(', '),
      on: on!,
    }),
  )
  const operands: Readonly<Record<string, string>> = {
    range: 'Guest 1000,Guest 1001',
    lt: 'Guest 1',
    lte: 'Guest 1',
    gt: 'Guest 9999',
    gte: 'Guest 9999',
    in: 'Guest 1000,Guest 1001',
  }
  beforeAll(async () => {
    const declared = Object.entries(columns).map(([name, type]) => `${name} ${type}`)
    await database.exec(`
      CREATE EXTENSION pg_trgm;
      CREATE TABLE orders (${declared.join(', ')});
      INSERT INTO orders SELECT 'Guest ' || n, 'Guest ' || n FROM generate_series(1, 20000) AS n`)
  }, 60_000)

  test('all text operators are asked of both columns', () => {
    const inOrder = ['gt', 'gte', 'lt', 'lte', 'range', 'startsWithExact']
    const ignoring = ['startsWith', 'equalsIgnoreCase', 'contains', 'endsWith']
    const asked = ['equals', 'in', ...inOrder, ...ignoring, 'containsExact', 'endsWithExact']
    for (const column of Object.keys(columns)) {
      const operators = lines.filter((line) => line.column === column).flatMap((line) => line.operators)
      expect(operators).toEqual(asked)
    }
  })
  test.each(lines)('$on: $operators', async ({ column, operators, on }) => {
    const { compile } = sqlBackend({ dialect: postgres17, table: table('orders') })
    await database.exec(`CREATE INDEX asked ON orders ${on}; ANALYZE orders`)
    const missing: string[] = []
    for (const operator of operators) {
      const operand = operands[operator] ?? 'Guest 12345'
      const filter = parseFilterOrThrow(
        defineSchema({ name: field.string(), note: field.string() }),
        `${column}[${operator}]=${encodeURIComponent(operand)}`,
      )
      const { text, parameters } = compile(filter)
      const { rows } = await database.query<{ 'QUERY PLAN': string }>(
        `EXPLAIN SELECT * FROM orders WHERE ${text}`,
        parameters,
      )
      if (!rows.some((row) => row['QUERY PLAN'].includes('Index Cond: '))) missing.push(operator)
    }
    await database.exec('DROP INDEX asked')
    expect(missing).toEqual([])
  })
})
