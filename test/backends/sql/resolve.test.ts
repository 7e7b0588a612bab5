/** The text for a filter is the same whatever was compiled before, and whichever lists its paths are. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { and, comparison, not, some, type Filter } from '../../../src/ast/index.ts'
import { childTable, jsonColumn, postgres, sqlBackend, sqlite, table } from '../../../src/backends/sql/index.ts'
import { defineSchema, field } from '../../../src/language/index.ts'

const schema = defineSchema({
  seller: field.string(),
  total: field.number(),
  extra: field.object({ note: field.string() }),
  items: field.list(field.object({ price: field.number(), codes: field.list(field.string()) })),
})
const columns = {
  extra: jsonColumn('extra'),
  items: childTable('order_items', {
    key: 'id',
    foreignKey: 'order_id',
    columns: { codes: childTable('item_codes', { foreignKey: 'item_id', value: 'code' }) },
  }),
}
const backendsOf = () =>
  [postgres, sqlite].flatMap((dialect) => [
    sqlBackend({ dialect, table: table('orders', { schema, key: 'id', columns }) }),
    sqlBackend({ dialect, table: table('orders', { key: 'id', columns }) }),
  ])

const total: readonly string[] = Object.freeze(['total'])
const above = (path: readonly string[]) => comparison(path, 'gt', { type: 'number', value: 1 })
const is = (path: readonly string[]) => comparison(path, 'eq', { type: 'string', value: 'x' })
const filters: readonly Filter[] = [
  above(total),
  and(above(total), not(above(['total']))),
  and(above(total), above(total), is(['seller'])),
  is(['extra', 'note']),
  some(['items'], and(above(['price']), above(['price']))),
  not(some(['items'], some(['codes'], is([])))),
]

describe('SQL text', () => {
  test('does not depend on what was compiled before', () => {
    const alone = filters.map((filter) => backendsOf().map((backend) => backend.compile(filter).text))
    fc.assert(
      fc.property(fc.array(fc.nat(filters.length - 1), { maxLength: 12 }), (order) => {
        const backends = backendsOf()
        for (const at of order) {
          expect(backends.map((backend) => backend.compile(filters[at]!).text)).toEqual(alone[at])
        }
      }),
      { numRuns: 50 },
    )
  })
  test('does not depend on which lists are the paths', () => {
    for (const filter of filters) {
      const revived = JSON.parse(JSON.stringify(filter)) as Filter
      for (const backend of backendsOf()) expect(backend.compile(revived)).toEqual(backend.compile(filter))
    }
  })
  test('asks a column once whether it is NULL', () => {
    for (const backend of backendsOf()) {
      const filter = and(above(['total']), above([...total]))
      expect(backend.compile(filter).text.match(/IS NOT NULL/g)).toHaveLength(1)
    }
  })
})
