/** Random rules: an ability of CASL allows the same rows, or a rule is refused. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fromCasl, type CaslAbility, type CaslRule } from '../../src/policies/index.ts'
import { byEffort, isComplete } from '../effort.ts'
import { document, operatorsIn } from './documents.ts'
import { isInstalled, load, order, orders, selects, unlessRefused, type Order } from './orders.ts'

const numRuns = byEffort(100_000, 2_000)

interface Casl {
  readonly Ability: new (
    rules: readonly CaslRule[],
    options: object,
  ) => CaslAbility & { can(action: string, row: object): boolean }
  readonly createAliasResolver: (aliases: object) => unknown
  readonly fieldPatternMatcher: unknown
  readonly subject: (type: string, row: object) => object
}
interface Ucast {
  readonly guard: (query: unknown) => unknown
}

const rule: fc.Arbitrary<CaslRule> = fc.record(
  {
    action: fc.oneof(fc.constantFrom('read', 'read', 'manage', 'update', 'change'), fc.constant(['update', 'read'])),
    subject: fc.oneof(fc.constantFrom('Order', 'Order', 'all', 'Other'), fc.constant(['Other', 'Order'])),
    inverted: fc.boolean(),
    conditions: fc.option(document, { freq: 4, nil: undefined }),
  },
  { requiredKeys: ['action'], noNullPrototype: true },
)

test(`${numRuns} lists of rules`, async ({ skip }) => {
  if (!isInstalled) {
    expect(isComplete, 'npm --prefix test/policies ci').toBe(false)
    return skip('npm --prefix test/policies ci installs CASL')
  }
  const [casl, ucast] = (await Promise.all([load('@casl/ability'), load('@ucast/mongo2js')])) as [Casl, Ucast]
  const resolveAction = casl.createAliasResolver({ change: ['read', 'update'] })
  const isParsed = (conditions: unknown): boolean => {
    try {
      ucast.guard(conditions)
      return true
    } catch {
      return false
    }
  }
  const used = new Map<string, number>()
  let accepted = 0
  fc.assert(
    fc.property(fc.array(rule, { maxLength: 3 }), fc.array(order, { minLength: 1, maxLength: 6 }), (rules, rows) => {
      const options = { conditionsMatcher: ucast.guard, fieldMatcher: casl.fieldPatternMatcher, resolveAction }
      // ucast refuses `$or` right in `$elemMatch`.
      if (!rules.every(({ conditions }) => conditions === undefined || isParsed(conditions))) return
      const ability = new casl.Ability(rules, options)
      const canRead = (row: Order) => ability.can('read', casl.subject('Order', { ...row }))
      const filter = unlessRefused(() => fromCasl(orders, ability, 'read', 'Order'))
      if (filter === undefined) return
      accepted++
      for (const operator of operatorsIn(rules)) used.set(operator, (used.get(operator) ?? 0) + 1)
      for (const row of rows) expect(selects(filter, row)).toBe(canRead(row))
      if (!JSON.stringify(rules).includes('change')) expect(fromCasl(orders, rules, 'read', 'Order')).toEqual(filter)
    }),
    { numRuns },
  )
  expect(accepted).toBeGreaterThan(numRuns / 4)
  const often = [...used].filter(([, times]) => times > numRuns / 200).map(([operator]) => operator)
  expect(often.toSorted()).toEqual(
    '$all $and $elemMatch $eq $exists $gt $gte $in $lt $lte $ne $nin $not $or $size'.split(' '),
  )
})
