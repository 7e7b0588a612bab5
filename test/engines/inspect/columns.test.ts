/**
 * Each SQL type of each engine, with each field and each type of the dialect: `check` has an error for the mapping, or the mapping is
 * right. A right mapping gives each row once in both orders and directions, and the value of a row selects the row. `columns.json` has
 * the right mappings. `UPDATE=1 COMPLETE=1` writes it. A quick run tries each fourth type.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { column, sqlBackend, table, type Dialect } from '../../../src/backends/sql/index.ts'
import { defineCollection, defineSchema, field, parseQueryOrThrow, type Field } from '../../../src/index.ts'
import { own } from '../../../src/own.ts'
import { check, inspect, type Database } from '../../../src/tools/inspect/index.ts'
import { heldBy } from '../../../src/tools/inspect/uses.ts'
import { literalTypes, type LiteralType } from '../../../src/tree.ts'
import { isComplete } from '../../effort.ts'
import { dialectOf, openAllEngines, type DialectName } from '../sql/all-engines.ts'
import type { Engine } from '../sql/engines.ts'

const engines = await openAllEngines(true)

const integers = ['0', '1', '-7', '20']
const decimals = ['0', '0.5', '-12.3', '1e3']
const days = ["'2024-02-29'", "'1999-12-31'"]
const moments = ["'2024-02-29 10:00:00'", "'1999-12-31 23:59:59'", "'2024-02-29 10:00:01'"]
const fineMoments = [...moments, "'2024-02-29 10:00:00.5'", "'2024-02-29 10:00:00.123456'"]
const texts = ["'a'", "'B'", "'ab'", "'Ä'", "'b '"]
const plain = ["'a'", "'B'", "'ab'"]
const uuids = ["'6fa459ea-ee8a-3ca4-894e-db77e160355e'", "'00000000-0000-4000-8000-000000000001'"]
const enumerated = ["'paid'", "'new'", "'held'"]
const json = [`'{"a": 1}'`, `'[1]'`]

type Line = readonly [declared: string, values: readonly string[]]
const of = (values: readonly string[], ...types: readonly string[]): readonly Line[] =>
  types.map((declared) => [declared, values])

const mysql: readonly Line[] = [
  ...of(integers, 'TINYINT', 'TINYINT(1)', 'SMALLINT', 'MEDIUMINT', 'INT', 'BIGINT', 'DECIMAL(10,0)'),
  ...of(['0', '1', '20'], 'INT UNSIGNED', 'BIGINT UNSIGNED', 'INT(5) ZEROFILL'),
  ...of(decimals, 'DECIMAL(10,2)', 'DECIMAL(30,5)', 'FLOAT', 'DOUBLE'),
  ...of(["b'0'", "b'1'"], 'BIT(1)', 'BIT(3)'),
  ...of(['1999', '2020', '0'], 'YEAR'),
  ...of(days, 'DATE'),
  ...of(moments, 'DATETIME', 'TIMESTAMP NULL'),
  ...of(fineMoments, 'DATETIME(3)', 'DATETIME(6)', 'TIMESTAMP(6) NULL'),
  ...of(["'10:00:00'", "'-1:00:00'"], 'TIME'),
  ...of(texts, 'VARCHAR(40)', 'CHAR(40)', 'TEXT', 'LONGTEXT', 'VARCHAR(40) COLLATE utf8mb4_bin'),
  ...of(plain, 'VARCHAR(40) CHARACTER SET latin1', 'VARCHAR(40) CHARACTER SET ascii'),
  ...of(plain, 'VARCHAR(40) CHARACTER SET utf8mb3', 'VARBINARY(40)', 'BLOB'),
  ...of(uuids, 'CHAR(36)'),
  ...of(["X'6FA459EAEE8A3CA4894EDB77E160355E'"], 'BINARY(16)'),
  ...of(enumerated, "ENUM('new', 'paid', 'held')", "SET('new', 'paid', 'held')"),
  ...of(json, 'JSON'),
]
const lines: Readonly<Record<DialectName, readonly Line[]>> = {
  postgres: [
    ...of(integers, 'smallint', 'integer', 'bigint'),
    ...of(decimals, 'numeric', 'numeric(10,2)', 'real', 'double precision'),
    ...of(['true', 'false'], 'boolean'),
    ...of(days, 'date'),
    ...of(fineMoments, 'timestamp', 'timestamp(3)', 'timestamptz', 'timestamptz(0)'),
    ...of(["'10:00:00'", "'23:59:59.5'"], 'time', 'timetz'),
    ...of(["'1 year'", "'360 days'"], 'interval'),
    ...of(texts, 'text', 'varchar(40)', 'char(40)', 'citext', 'name', 'bytea'),
    ...of(uuids, 'uuid', 'char(36)'),
    ...of(enumerated, 'ENUMERATION'),
    ...of(json, 'json', 'jsonb'),
    ...of(["'10.0.0.1'", "'10.0.0.0/8'"], 'inet'),
    ...of(["'1.5'"], 'money'),
    ...of(["'[1,2)'"], 'int4range'),
    ...of(["'101'"], 'bit(3)'),
    ...of(["'a b'"], 'tsvector'),
    ...of(["'(1,2)'"], 'point'),
  ],
  mysql,
  mariadb: [...mysql, ...of(uuids, 'UUID'), ...of(["'::1'"], 'INET6')],
  // The declared type does not limit the values. `check` compares the values with the mapping.
  sqlite: [
    ...of(integers, 'INTEGER', 'REAL', 'TEXT', 'BLOB'),
    ...of(['0', '1'], 'BOOLEAN', 'INTEGER'),
    ...of(['1700000000', '1700000001'], 'INTEGER', 'DATETIME'),
    ...of(['1700000000000', '1700000000001'], 'INTEGER'),
    ...of(decimals, 'REAL', 'NUMERIC', 'TEXT'),
    ...of(['2460000.5', '2460001.25'], 'REAL'),
    ...of(texts, 'TEXT', 'BLOB', 'TEXT COLLATE NOCASE'),
    ...of(uuids, 'TEXT'),
    ...of(["'6FA459EA-EE8A-3CA4-894E-DB77E160355E'"], 'TEXT'),
    ...of(days, 'TEXT', 'DATE'),
    ...of(moments, 'TEXT', 'DATETIME DEFAULT CURRENT_TIMESTAMP'),
    ...of(["'2024-02-29T10:00:00Z'", "'1999-12-31T23:59:59Z'"], 'TEXT'),
    ...of(["'2024-02-29T10:00:00.123Z'", "'1999-12-31T23:59:59.000Z'"], 'TEXT'),
    ...of(["'2024-02-29T10:00:00.123456Z'"], 'TEXT'),
    ...of(["'2024-02-29 10:00:00.123Z'", "'2024-02-29 10:00:00+01:00'"], 'TEXT'),
    ...of(["x'00'"], 'BLOB'),
    ...of(json, 'TEXT', 'JSON'),
  ],
  duckdb: [
    ...of(integers, 'TINYINT', 'SMALLINT', 'INTEGER', 'BIGINT', 'HUGEINT'),
    ...of(['0', '1', '20'], 'UTINYINT', 'UINTEGER', 'UBIGINT'),
    ...of(decimals, 'DECIMAL(10,2)', 'DECIMAL(18,3)', 'DECIMAL(38,5)', 'FLOAT', 'DOUBLE'),
    ...of(['true', 'false'], 'BOOLEAN'),
    ...of(days, 'DATE'),
    ...of(moments, 'TIMESTAMP_S'),
    ...of(fineMoments, 'TIMESTAMP', 'TIMESTAMP_MS', 'TIMESTAMP_NS', 'TIMESTAMPTZ'),
    ...of(["'10:00:00'"], 'TIME'),
    ...of(["'1 year'", "'360 days'"], 'INTERVAL'),
    ...of(texts, 'VARCHAR', 'VARCHAR COLLATE NOCASE'),
    ...of(plain, 'BLOB'),
    ...of(uuids, 'UUID'),
    ...of(enumerated, "ENUM('new', 'paid', 'held')"),
    ...of(json, 'JSON'),
    ...of(["'101'"], 'BIT'),
  ],
}

interface Mapping {
  readonly literal: LiteralType
  /** The type of the dialect. `undefined` maps the column by its name alone. */
  readonly type: string | undefined
}
const fieldOf = (literal: LiteralType): Field => (field[literal] as () => Field)()

function mappingsOf(dialect: Dialect): readonly Mapping[] {
  const typed = Object.keys(dialect.types).flatMap((type) =>
    heldBy(dialect, type).map((literal) => ({ literal, type })),
  )
  const named = literalTypes.flatMap((literal) =>
    own(dialect.columnTypes, literal) === undefined ? [] : [{ literal, type: undefined }],
  )
  return [...named, ...typed]
}

/** @param native the native enumeration of PostgreSQL. */
function mapped(dialect: Dialect, name: string, { literal, type }: Mapping, native: string) {
  const schema = defineSchema({ id: field.integer({ required: true }), v: fieldOf(literal) })
  const more = { ...(type === 'scaled' && { digits: 2 }), ...(type === 'orderedEnum' && { name: native }) }
  const v = type === undefined ? 'v' : column<string>('v', { type, ...more })
  return {
    dialect,
    table: table(name, { schema, key: 'id', columns: { v } }),
    collection: defineCollection(schema, { key: 'id', sort: ['v'] }),
  }
}

interface Shown {
  readonly id: number
  readonly v: unknown
}

/** @returns the problem of a mapping for which `check` has no error; `undefined` for a right one. */
async function problemOf(
  engine: Engine,
  mapping: ReturnType<typeof mapped>,
  count: number,
): Promise<string | undefined> {
  const { select } = sqlBackend({ dialect: engine.dialect, table: mapping.table })
  const read = async (text: string) => {
    const { text: statement, parameters, page } = select(parseQueryOrThrow(mapping.collection, text))
    return page(await engine.run(statement, parameters))
  }
  try {
    const all = await read('')
    // `checkColumns` reads the rows, and has an error for these.
    if (all.unreadable !== undefined) return 'unreadable'
    const rows = all.rows as readonly Shown[]
    for (const sort of ['v', '-v']) {
      let page = await read(`sort=${sort}&limit=1`)
      const ids = (page.rows as readonly Shown[]).map(({ id }) => id)
      while (page.next !== undefined && ids.length <= count) {
        page = await read(`sort=${sort}&limit=1&cursor=${page.next}`)
        ids.push(...(page.rows as readonly Shown[]).map(({ id }) => id))
      }
      if (new Set(ids).size !== count || ids.length !== count) return `sort=${sort} gives ${ids.join()}`
    }
    const isInteger = mapping.table.schema!.paths.get('v')!.type === 'integer'
    for (const { id, v } of rows) {
      // A row may show a fraction for an integer, and a query accepts no such operand.
      if (v === null || (isInteger && !Number.isSafeInteger(v))) continue
      const selected = (await read(`v=${encodeURIComponent(String(v))}`)).rows as readonly Shown[]
      if (!selected.some((row) => row.id === id)) return `v=${String(v)} lacks row ${id}`
    }
    return undefined
  } catch (error) {
    return String(error).split('\n', 1)[0]
  }
}

const file = join(import.meta.dirname, 'columns.json')
const recorded = JSON.parse(readFileSync(file, 'utf8')) as Record<string, Record<string, string>>
const isUpdated = process.env.UPDATE !== undefined

describe.each(engines)('$name', (engine) => {
  const { dialect, run } = engine
  const prefix = `m${Math.random().toString(36).slice(2)}`
  const dialectName = dialectOf(engine)
  const tables = lines[dialectName]
    .map(([declared, values], at) => ({ declared, values, name: `${prefix}_${at}` }))
    .filter((_, at) => isComplete || at % 4 === 0)
  let database: Database
  beforeAll(async () => {
    if (dialectName === 'postgres') {
      await run('CREATE EXTENSION IF NOT EXISTS citext')
      await run(`CREATE TYPE ${prefix} AS ENUM ('new', 'paid', 'held')`)
    }
    for (const { declared, values, name } of tables) {
      const type = declared === 'ENUMERATION' ? prefix : declared
      await run(`CREATE TABLE ${name} (id INTEGER NOT NULL PRIMARY KEY, v ${type})`)
      const rows = [...values, 'NULL'].map((value, id) => `(${id}, ${value})`)
      await run(`INSERT INTO ${name} (id, v) VALUES ${rows.join(', ')}`)
    }
    database = await inspect(run, { dialect })
  })
  afterAll(async () => {
    for (const { name } of tables) await run(`DROP TABLE ${name}`)
    if (dialectName === 'postgres') await run(`DROP TYPE ${prefix}`)
  })

  test.each(tables)('$declared with $values', async ({ declared, values, name }) => {
    const right: string[] = []
    const wrong: string[] = []
    let refused = 0
    for (const mapping of mappingsOf(dialect)) {
      const options = mapped(dialect, name, mapping, prefix)
      const label = `${mapping.literal}${mapping.type === undefined ? '' : ` as ${mapping.type}`}`
      if (check(database, options).some(({ level }) => level === 'error')) {
        refused++
        continue
      }
      const problem = await problemOf(engine, options, values.length + 1)
      if (problem === undefined) right.push(label)
      else if (problem === 'unreadable') refused++
      else wrong.push(`${label}: ${problem}`)
    }
    expect(wrong).toEqual([])
    const line = `${right.join(', ') || 'no field'} (${refused} others are errors)`
    const row = `${declared}: ${values.join(', ')}`
    if (isUpdated) (recorded[dialectName] ??= {})[row] = line
    else expect(recorded[dialectName]![row]).toBe(line)
  })
})
if (isUpdated) afterAll(() => writeFileSync(file, `${JSON.stringify(recorded, null, 2)}\n`))
