/** Entries of lists of scalars. `$elemMatch` has operators but no groups there: a filter becomes alternatives, each with an `$elemMatch`. */
import { compareCodePoints } from '../../values/order.ts'
import type { Filter } from '../../tree/index.ts'
import { typeOf, type Condition } from '../issues.ts'
import { operatorsOf, type Scope } from './condition.ts'
import { complementOf, expressionOf, has, isOrder, opposites, sharesKey, type Operators } from './document.ts'

/** The most alternatives, and the most conditions in each. */
export const maxAlternatives = 1_000

/** Conditions joined by `and`, each of one operator, or `$not` with a pattern or a type in it. */
export type Alternative = readonly Operators[]
/** Alternatives joined by `or`; without any, no entry passes. */
type Alternatives = readonly Alternative[] | 'too many'

const always: Alternatives = [[]]
const never: Alternatives = []

/** The alternatives of a filter over a scalar entry; of its complement where `negated`. */
export function alternativesOf(scope: Scope, filter: Filter, negated: boolean): Alternatives {
  switch (filter.kind) {
    case 'not':
      return alternativesOf(scope, filter.filter, !negated)
    case 'and':
    case 'or': {
      const members = filter.filters.map((member) => alternativesOf(scope, member, negated))
      return (filter.kind === 'or') !== negated ? oneOf(members) : members.reduce(together, always)
    }
    case 'some':
      return negated ? always : never
    default:
      // No filter with a count reaches this function: its caller compiles it as an expression.
      return ofCondition(scope, filter as Condition, negated)
  }
}

function ofCondition(scope: Scope, condition: Condition, negated: boolean): Alternatives {
  // A scalar has no fields.
  const operators = condition.path.length === 0 ? operatorsOf(scope, condition) : undefined
  if (operators === undefined) return negated ? always : never
  if (!negated) return [[operators]]
  const operator = Object.keys(operators)[0]!
  if (!isOrder(operator)) return [[complementOf(operators)]]
  const present = operatorsOf(scope, { kind: 'presence', path: condition.path, type: typeOf(condition)! })!
  return [[{ [opposites[operator]!]: operators[operator] }], [complementOf(present)]]
}

function oneOf(members: readonly Alternatives[]): Alternatives {
  const all: Alternative[] = []
  for (const member of members) {
    if (member === 'too many') return member
    for (const alternative of member) all.push(alternative)
  }
  return all.length > maxAlternatives ? 'too many' : all
}

/** Every alternative of one with every alternative of the other. */
function together(some: Alternatives, others: Alternatives): Alternatives {
  if (some.length === 0 || others.length === 0) return never
  if (some === 'too many' || others === 'too many') return 'too many'
  const conditions = some.at(0)!.length + others.at(0)!.length
  if (some.length * others.length > maxAlternatives || conditions > maxAlternatives) return 'too many'
  return some.flatMap((one) => others.map((other) => [...one, ...other]))
}

// --- An alternative as the operators of an $elemMatch

export const isObject: Operators = /* @__PURE__ */ Object.freeze({ $type: 'object' })
export const isNoObject: Operators = /* @__PURE__ */ Object.freeze({ $not: isObject })

/** Whether only an object passes. */
export const requiresObject = (alternative: Alternative): boolean =>
  alternative.some((operators) => has(operators, '$type') && operators.$type === 'object')

/** All conditions of an alternative in one object. */
export function entryOperators(alternative: Alternative): Operators {
  const first: Operators = {}
  // Operators side by side. An operator that occurs again goes into a further object, inside a double $not.
  const links = [first]
  // The operands of $ne and $nin, and those of $not.
  const values: unknown[] = []
  const types = new Set<unknown>()
  const patterns: Operators[] = []
  for (const operators of alternative) {
    const operator = Object.keys(operators)[0]!
    const operand: unknown = operators[operator]
    if (operator === '$nin') {
      for (const value of operand as unknown[]) values.push(value)
    } else if (operator === '$ne') values.push(operand)
    else if (operator === '$not') {
      const denied = operand as Operators
      if (has(denied, '$type')) types.add(denied.$type)
      else patterns.push(denied)
    } else if (!narrowed(first, operator, operand)) {
      // A second pattern is an $in of one: Mongoose reads no $not in a $not.
      const isSecond = operator === '$regex' && has(first, operator)
      const own = isSecond ? asChoice(operators) : operators
      const link = links.find((one) => !sharesKey(one, own))
      if (link === undefined) links.push({ ...own })
      else Object.assign(link, own)
    }
  }
  const last = links.at(-1)!
  // One $not has the types, or a single pattern. $nin has all other patterns.
  if (types.size > 0) last.$not = { $type: types.size === 1 ? [...types][0] : [...types] }
  else if (patterns.length === 1) last.$not = patterns.pop()
  values.push(...patterns.map(expressionOf))
  // An empty $nin passes every entry.
  if (values.length > 1 || alternative.length === 0 || values.at(0) instanceof RegExp) last.$nin = values
  else if (values.length === 1) last.$ne = values[0]
  return links.reduceRight((inner, link) => Object.assign(link, { $not: { $not: inner } }))
}

/** Whether the operators have a bound of that operator already, and keep the narrower of the two. */
function narrowed(operators: Operators, operator: string, bound: unknown): boolean {
  if (!isOrder(operator) || !has(operators, operator)) return false
  const own: unknown = operators[operator]
  if (typeof own !== typeof bound || !isComparable(own) || !isComparable(bound)) return false
  const order = typeof own === 'string' ? compareCodePoints(own, bound as string) : differenceOf(own, bound as number)
  if (operator.startsWith('$g') ? order < 0 : order > 0) operators[operator] = bound
  return true
}
/** Numbers of 64 bits have no exact difference as doubles. */
const differenceOf = (a: number | bigint | Date, b: number | bigint | Date): number => Number(a > b) - Number(a < b)
const isComparable = (value: unknown): value is string | number | bigint | Date =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint' || value instanceof Date

// --- Patterns as regular expressions, for $in and $nin

const lineSeparators = /[\u2028\u2029]/
/** JavaScript writes line separators in an expression as escapes, which PCRE2 refuses: those stay a $regex. */
const asChoice = (operators: Operators): Operators =>
  lineSeparators.test(operators.$regex as string) ? operators : { $in: [expressionOf(operators)] }

/** Whether a denied pattern has an escape that PCRE2 refuses. */
export const isUnreadable = (operators: Operators): boolean =>
  has(operators, '$nin') &&
  (operators.$nin as unknown[]).some((value) => value instanceof RegExp && /\\u202[89]/.test(value.source))
