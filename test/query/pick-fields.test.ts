/** What of a row is chosen. */
import { expect, test } from 'vitest'
import { pickFields } from '../../src/index.ts'

const row = {
  id: 1,
  seller: 's',
  customer: { name: 'Jo', email: 'jo@example.com' },
  items: [{ price: 1, product: 'a' }, null, 'odd'],
  tags: ['x', 'y'],
  nothing: null,
}
test.each([
  [[['id'], ['tags']], { id: 1, tags: ['x', 'y'] }],
  [[['customer', 'name']], { customer: { name: 'Jo' } }],
  [[['customer', 'name'], ['customer']], { customer: { name: 'Jo', email: 'jo@example.com' } }],
  [[['items', 'price']], { items: [{ price: 1 }, null, null] }],
  [[['nothing', 'inner'], ['missing']], { nothing: null }],
  [[['toString'], ['constructor', 'name']], {}],
  [[], {}],
])('%j', (fields, expected) => expect(pickFields(fields)(row)).toEqual(expected))
test('rows stay unchanged without a query', () => expect(pickFields(undefined)(row)).toBe(row))
