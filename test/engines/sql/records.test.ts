/** The index that serves a key of a record on PostgreSQL. */
import { PGlite } from '@electric-sql/pglite'
import { afterAll, expect, test } from 'vitest'
import { jsonColumn, postgres, sqlBackend, table } from '../../../src/backends/sql/index.ts'
import { defineSchema, field, where } from '../../../src/index.ts'

const database = new PGlite()
afterAll(() => database.close())

const schema = defineSchema({ id: field.integer(), attributes: field.record(field.string()) })
const { compile } = sqlBackend({
  dialect: postgres,
  table: table('products', { schema, key: 'id', columns: { attributes: jsonColumn('attributes') } }),
})

test('GIN serves an equality and a membership of any key', { timeout: 60_000 }, async () => {
  await database.exec(`CREATE TABLE products (id bigint PRIMARY KEY, attributes jsonb);
INSERT INTO products SELECT n, jsonb_build_object('color', 'c' || n % 1000, 'size', 's' || n) FROM generate_series(1, 20000) AS n;
CREATE INDEX products_attributes ON products USING gin (attributes jsonb_path_ops);
ANALYZE products`)
  const o = where(schema)
  for (const [filter, rows] of [
    [o.equals('attributes.color', 'c7'), 20],
    [o.in('attributes.size', ['s7', 's8']), 2],
  ] as const) {
    const { text, parameters } = compile(filter)
    const plan = await database.query(`EXPLAIN SELECT id FROM products WHERE ${text}`, parameters as unknown[])
    expect(JSON.stringify(plan.rows)).toContain('Bitmap Index Scan on products_attributes')
    const found = await database.query(`SELECT id FROM products WHERE ${text}`, parameters as unknown[])
    expect(found.rows).toHaveLength(rows)
  }
})
