/** What all of a program shares cannot be changed: neither the exports, nor what schemas, collections and mappings hold. */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { entry } from '../../rollup.config.ts'
import { arrayColumn, childTable, column, jsonColumn, table } from '../../src/backends/sql/index.ts'
import { defineCollection, defineSchema, field, parseFilter, parseQueryOrThrow } from '../../src/index.ts'

const changes = ['set', 'add', 'delete', 'clear'] as const

/** What can be changed among all that is reachable from a value. */
function changeable(value: unknown, name: string, seen: Set<unknown>): readonly string[] {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value)) return []
  seen.add(value)
  const found = typeof value === 'object' && !Object.isFrozen(value) ? [name] : []
  if (value instanceof Map || value instanceof Set) {
    for (const change of changes) {
      const method = (value as unknown as Record<string, ((...args: unknown[]) => unknown) | undefined>)[change]
      try {
        method?.call(value, 'nothing', 'nothing')
        if (method !== undefined) found.push(`${name}.${change}()`)
      } catch {
        // As it should be.
      }
    }
    for (const [key, one] of value.entries()) found.push(...changeable(one, `${name}.get(${String(key)})`, seen))
  }
  for (const key of Reflect.ownKeys(value)) {
    // `printQuery` compares what was asked with the filter (test/query/asked.test.ts).
    if (key === 'asked' && name === 'a query') continue
    if (typeof value === 'function' && key === 'prototype') continue
    const { value: part } = Object.getOwnPropertyDescriptor(value, key)! as { value?: unknown }
    found.push(...changeable(part, `${name}.${String(key)}`, seen))
  }
  return found
}

// The cases in `urlwhere/testing` hold rows, which a store under test may change.
const doors = Object.entries(entry).filter(([door]) => door !== 'testing' && door !== 'arbitraries')
test.each(doors)('the exports of %s', async (_, file) => {
  const exports = (await import(join(import.meta.dirname, '../..', file))) as Record<string, unknown>
  const seen = new Set<unknown>()
  const found = Object.entries(exports).flatMap(([name, value]) => changeable(value, name, seen))
  expect(found).toEqual([])
})

const schema = defineSchema({
  id: field.integer(),
  status: field.enumeration(['paid', 'held']),
  customer: field.object({ name: field.string() }),
  tags: field.list(field.string()),
  items: field.list(field.object({ arrival: field.date(), marks: field.list(field.string()) })),
})
const collection = defineCollection(schema, {
  key: 'id',
  sort: true,
  defaultSort: '-status',
  offset: { max: 10 },
  fields: true,
  count: true,
  groups: true,
  operators: { status: ['in'] },
})
const columns = {
  customer: { name: column('name', { type: 'text' }) },
  tags: arrayColumn('tags'),
  items: childTable('items', { key: 'id', foreignKey: ['order'], columns: { marks: jsonColumn('marks') } }),
}
test.each<[string, unknown]>([
  ['a schema', schema],
  ['a collection', collection],
  ['a table', table(['a', 'orders'], { schema, key: 'id', columns, orders: [['status', '-customer.name']] })],
  ['a query', parseQueryOrThrow(collection, 'status[in]=paid&tags[contains]=a&sort=id&fields=items&limit=5')],
  ['the reserved values of texts without any', parseFilter(schema, '').reserved],
])('%s', (name, value) => expect(changeable(value, name, new Set())).toEqual([]))

test('the walk finds what can be changed', () => {
  const found = (value: unknown) => changeable(value, 'it', new Set())
  expect(found({ a: Object.freeze([{}]) })).toEqual(['it', 'it.a.0'])
  expect(found(Object.freeze(new Map([['a', {}]])))).toEqual(['it.set()', 'it.delete()', 'it.clear()'])
  expect(found(Object.freeze(new Set()))).toEqual(['it.add()', 'it.delete()', 'it.clear()'])
  expect(found(Object.assign(() => 1, { a: {} }))).toEqual(['it.a'])
})
