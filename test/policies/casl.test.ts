/** Rules of CASL: which of them decides, and which are refused. */
import { describe, expect, test } from 'vitest'
import { memoryBackend } from '../../src/backends/memory/index.ts'
import { and, or } from '../../src/index.ts'
import { fromCasl, type CaslRule } from '../../src/policies/index.ts'
import { orders } from './orders.ts'

const rows = [
  { id: 1, tenant: 'a', name: 'x', total: 1 },
  { id: 2, tenant: 'a', name: 'y' },
  { id: 3, tenant: 'b', name: 'x', total: 9 },
]
class Order {}
const rule = (conditions?: object, more: Partial<CaslRule> = {}): CaslRule => ({
  action: 'read',
  subject: 'Order',
  ...(conditions !== undefined && { conditions }),
  ...more,
})
const forbids = { inverted: true }
const read = (rules: readonly CaslRule[], subject: string | typeof Order = 'Order') =>
  fromCasl(orders, rules, 'read', subject)
const idsOf = (rules: readonly CaslRule[]) => rows.filter(memoryBackend().compile(read(rules))).map(({ id }) => id)

test.each<[what: string, rules: readonly CaslRule[], ids: number[]]>([
  ['no rule', [], []],
  ['a rule without conditions', [rule()], [1, 2, 3]],
  ['empty conditions', [rule({})], [1, 2, 3]],
  ['a condition', [rule({ tenant: 'a' })], [1, 2]],
  ['two rules', [rule({ tenant: 'b' }), rule({ name: 'y' })], [2, 3]],
  ['a rule that forbids', [rule(), rule({ name: 'x' }, forbids)], [2]],
  ['a rule that forbids first', [rule({ name: 'x' }, forbids), rule()], [1, 2, 3]],
  ['a rule that forbids between', [rule({ tenant: 'a' }), rule({ name: 'x' }, forbids), rule({ tenant: 'b' })], [2, 3]],
  ['a rule that forbids all', [rule({ tenant: 'b' }), rule(undefined, forbids), rule({ name: 'y' })], [2]],
  ['a rule that forbids all last', [rule(), rule(undefined, forbids)], []],
  ['forbidden alone', [rule({ tenant: 'a' }, forbids)], []],
  ['a truthy word', [rule(), rule({ name: 'x' }, { inverted: 1 as never })], [2]],
  ['another action', [rule({}, { action: 'update' })], []],
  ['manage', [rule({ tenant: 'a' }, { action: 'manage' })], [1, 2]],
  ['several actions', [rule({ tenant: 'a' }, { action: ['update', 'read'] })], [1, 2]],
  ['another subject', [rule({}, { subject: 'User' })], []],
  ['all subjects', [rule({ tenant: 'a' }, { subject: 'all' })], [1, 2]],
  ['no subject', [{ action: 'manage' }], [1, 2, 3]],
  ['several subjects', [rule({ tenant: 'a' }, { subject: ['User', 'Order'] })], [1, 2]],
  // To CASL's evaluator, a missing value comes before every other.
  ['$lt', [rule({ total: { $lt: 5 } })], [1, 2]],
  ['$lte with $gte', [rule({ total: { $gte: 0, $lte: 5 } })], [1]],
  ['$lt that forbids', [rule(), rule({ total: { $lt: 5 } }, forbids)], [3]],
])('%s', (_, rules, ids) => {
  expect(idsOf(rules)).toEqual(ids)
})

test('fromCasl returns and() for all rows, and or() for none', () => {
  expect(read([rule()])).toEqual(and())
  expect(read([])).toEqual(or())
})

test('fromCasl compares classes by identity', () => {
  const rules = [rule({ tenant: 'a' }, { subject: Order })]
  expect(read(rules, Order)).toEqual(read([rule({ tenant: 'a' })]))
  expect(read(rules)).toEqual(or())
})

test('fromCasl reads the getters of rules', () => {
  class Stored {
    get action() {
      return 'read'
    }
    get inverted() {
      return true
    }
  }
  expect(read([rule(), new Stored()])).toEqual(or())
})

test('fromCasl asks an ability, and refuses one that reads an operator as a field', () => {
  const ability = (ast?: object) => ({
    possibleRulesFor: (action: string, subject: string) => [{ action, subject, conditions: { tenant: 'a' }, ast }],
  })
  expect(fromCasl(orders, ability(), 'read', 'Order')).toEqual(read([rule({ tenant: 'a' })]))
  const misread = { operator: 'and', value: [{ operator: 'eq', field: '$or', value: [] }] }
  expect(() => fromCasl(orders, ability(misread), 'read', 'Order')).toThrow(
    'rule.conditions has an operator that the ability reads as a field',
  )
})

describe('fromCasl refuses', () => {
  test.each<[message: string, rules: unknown]>([
    ['rules must be a list of rules, or an ability of CASL', undefined],
    ['rules must be a list of rules, or an ability of CASL', {}],
    ['rules[0] must be a rule with an action', [null]],
    ['rules[0] must be a rule with an action', [['read', 'Order']]],
    ['rules[1] must be a rule with an action', [rule(), { subject: 'Order', inverted: true }]],
    ['rules[0].fields is refused', [rule({}, { fields: ['name'] })]],
    ['rules[1].fields is refused', [rule(), rule({}, { fields: 'name', ...forbids })]],
    ['rules[0].conditions.$where must be $and, $or or a field', [rule({ $where: 'x' })]],
    ['rules[0].conditions must be an object', [rule('x' as never)]],
    ['rules[0].conditions.name.$in[0] must not be null', [rule({ name: { $in: [null] } })]],
    ['rules[0].conditions.customer.name must not be null: CASL', [rule({ 'customer.name': null })]],
    ['rules[0].conditions.name.$gt must not have letters from U+D800', [rule({ name: { $gt: '\uff5e' } })]],
    ['rules[0].conditions.items.price.$lt must not enter a list', [rule({ 'items.price': { $lt: 5 } })]],
    ['rules[0].conditions.items.price.$exists must not be false', [rule({ 'items.price': { $exists: false } })]],
  ])('%s', (message, rules) => {
    expect(() => read(rules as never)).toThrow(
      expect.objectContaining({ name: 'TypeError', message: expect.stringContaining(message) }),
    )
  })

  test('another action or subject', () => {
    expect(() => fromCasl(orders, [], undefined as never, 'Order')).toThrow('action must be a string')
    expect(() => fromCasl(orders, [], 'read', {} as never)).toThrow('subject must be the type of the rows')
  })

  test('null in a required object is a missing value', () => {
    expect(() => read([rule({ 'owner.name': null })])).not.toThrow()
  })
})
