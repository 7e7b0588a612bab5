/** Converts rules of CASL to filters. */
import { checkFilter, isObject, joined, unchecked, type Filter } from '../tree/index.ts'
import { checkSchema, type Fields, type Schema } from '../language/index.ts'
import { member, ownOf } from '../own.ts'
import { filterOf } from './document.ts'

/** A rule of CASL: a raw rule, or one of an ability. */
export interface CaslRule {
  readonly action: string | readonly string[]
  /** Types of subjects: names or classes. Default: `'all'`. */
  readonly subject?: any
  readonly conditions?: any
  readonly fields?: string | readonly string[] | undefined
  /** Whether the rule forbids. */
  readonly inverted?: boolean
}

/** An ability of CASL with conditions in MongoDB's language, for example of `createMongoAbility`. */
export interface CaslAbility {
  possibleRulesFor(...args: any[]): readonly object[]
}

/** A rule, and its place for messages. */
type NamedRule = readonly [rule: CaslRule, argument: string]

const isAmong = (names: unknown, name: unknown, any: string): boolean =>
  [names].flat().some((one) => one === name || one === any)

const valueOf = <K extends keyof CaslRule>(rule: CaslRule, name: K): CaslRule[K] | undefined =>
  member(rule, name) ?? undefined

/** Selects the rules for an action on a subject. The first one that a row satisfies decides. */
function rulesFor(source: object, action: string, subject: unknown): readonly NamedRule[] {
  if (!Array.isArray(source)) {
    const ability = source as CaslAbility
    if (typeof member(ability, 'possibleRulesFor') !== 'function')
      throw new TypeError('rules must be a list of rules, or an ability of CASL')
    const rules = ability.possibleRulesFor(action, subject)
    return rules.map((rule): NamedRule => [rule as CaslRule, 'rule'])
  }
  return source
    .map((rule: unknown, at): NamedRule => {
      const actions = isObject(rule) ? [valueOf(rule as CaslRule, 'action')].flat() : []
      // To skip a malformed rule could skip one that forbids.
      if (actions.length === 0 || !actions.every((one) => typeof one === 'string'))
        throw new TypeError(`rules[${at}] must be a rule with an action`)
      return [rule as CaslRule, `rules[${at}]`]
    })
    .filter(
      ([rule]) =>
        isAmong(valueOf(rule, 'action'), action, 'manage') &&
        isAmong(valueOf(rule, 'subject') || 'all', subject, 'all'),
    )
    .toReversed()
}

/** Tests whether a matcher has read `$or` or `$and` as a field. CASL's own matcher does, because it lacks them. */
const isMisread = (ast: unknown): boolean => {
  if (!isObject(ast)) return false
  const { field, value } = ownOf(ast as { readonly field?: unknown; readonly value?: unknown })
  return (typeof field === 'string' && field.startsWith('$')) || [value].flat().some(isMisread)
}

/**
 * Makes a filter out of rules of CASL: it selects the rows of which `ability.can(action, row)` is true.
 *
 * Conditions have the laws of CASL's evaluator. They differ from MongoDB's in one: `$lt` and `$lte` select rows without a value. A `null` in
 * a row is a missing value.
 *
 * @param rules raw rules, or an ability. An ability resolves its aliases of actions; a raw rule with `manage` is for every action,
 *   and one with `all` for every subject.
 * @param subject the type of the rows: a name, or a class.
 * @returns `or()` when no rule allows anything, and `and()` when all rows are allowed.
 * @throws TypeError that names the rule and the part of its conditions that a filter cannot express exactly; and for a rule with
 *   `fields`, because a filter selects whole rows.
 * @see https://casl.js.org
 * @example
 * fromCasl(orders, [
 *   { action: 'read', subject: 'Order', conditions: { seller: 's-1' } },
 *   { action: 'read', subject: 'Order', conditions: { status: 'held' }, inverted: true },
 * ], 'read', 'Order')
 */
export function fromCasl<F extends Fields>(
  schema: Schema<F>,
  rules: readonly CaslRule[] | CaslAbility,
  action: string,
  subject: string | (abstract new (...args: any[]) => unknown),
): Filter {
  checkSchema(schema)
  if (!isObject(rules)) throw new TypeError('rules must be a list of rules, or an ability of CASL')
  if (typeof action !== 'string') throw new TypeError('action must be a string')
  if (typeof subject !== 'string' && typeof subject !== 'function')
    throw new TypeError('subject must be the type of the rows: a name or a class')
  const allowed: Filter[] = []
  const forbidden: Filter[] = []
  for (const [rule, argument] of rulesFor(rules, action, subject)) {
    if (valueOf(rule, 'fields') !== undefined)
      throw new TypeError(`${argument}.fields is refused: a filter selects whole rows`)
    const conditions: unknown = valueOf(rule, 'conditions')
    if (isMisread(member(rule as { readonly ast?: unknown }, 'ast')))
      throw new TypeError(`${argument}.conditions has an operator that the ability reads as a field`)
    const filter =
      conditions === undefined ? unchecked.and([]) : filterOf(schema, conditions, 'CASL', `${argument}.conditions`)
    if (valueOf(rule, 'inverted')) forbidden.push(unchecked.not(filter))
    else allowed.push(joined('and', [filter, ...forbidden]))
    // Every row satisfies this rule, so the later rules decide nothing.
    if (conditions === undefined) break
  }
  return checkFilter(joined('or', allowed), 'rules')
}
