/**
 * Entries of lists of scalars. `$elemMatch` takes operators there, and no groups: each way in which an entry can pass is an
 * `$elemMatch` of its own, and an operator that is needed twice is in `$not: { $not: … }`.
 */
import { compareCodePoints } from '../../text/order.ts'
import type { Filter } from '../../ast/index.ts'
import { typeOf, type Condition } from '../issues.ts'
import { operatorsOf, type Context } from './condition.ts'
import {
  complementOf,
  expressionOf,
  has,
  isOrder,
  opposites,
  sharesKey,
  type Dependence,
  type Operators,
} from './document.ts'

/** How many ways there may be, and how many conditions in each. */
export const maxAlternatives = 1_000

/** One way to pass: conditions that hold together, each of one operator, or `$not` with a pattern or a type in it. */
export type Alternative = readonly Operators[]
/** All the ways to pass; none means that no entry does. */
type Alternatives = readonly Alternative[] | 'too many'

const always: Alternatives = [[]]
const never: Alternatives = []

// --- The ways to pass

/** The ways in which a scalar entry satisfies a filter; negated, in which it does not. */
export function alternativesOf(context: Context, filter: Filter, negated: boolean): Alternatives {
  switch (filter.kind) {
    case 'not':
      return alternativesOf(context, filter.filter, !negated)
    case 'and':
    case 'or': {
      const members = filter.filters.map((member) => alternativesOf(context, member, negated))
      return (filter.kind === 'or') !== negated ? oneOf(members) : members.reduce(together, always)
    }
    case 'some':
      return negated ? always : never
    default:
      return ofCondition(context, filter, negated)
  }
}

function ofCondition(context: Context, condition: Condition, negated: boolean): Alternatives {
  // A scalar has no fields.
  const operators = condition.path.length === 0 ? operatorsOf(context, condition) : undefined
  if (operators === undefined) return negated ? always : never
  if (!negated) return [[operators]]
  const operator = Object.keys(operators)[0]!
  if (!isOrder(operator)) return [[complementOf(operators)]]
  const present = operatorsOf(context, { kind: 'presence', path: condition.path, type: typeOf(condition)! })!
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

/** Every way of one with every way of the other. */
function together(some: Alternatives, others: Alternatives): Alternatives {
  if (some.length === 0 || others.length === 0) return never
  if (some === 'too many' || others === 'too many') return 'too many'
  const conditions = some.at(0)!.length + others.at(0)!.length
  if (some.length * others.length > maxAlternatives || conditions > maxAlternatives) return 'too many'
  return some.flatMap((one) => others.map((other) => [...one, ...other]))
}

// --- One way, as the operators of an $elemMatch

export const isObject: Operators = /* @__PURE__ */ Object.freeze({ $type: 'object' })
export const isNoObject: Operators = /* @__PURE__ */ Object.freeze({ $not: isObject })

/** Whether the way asks for an object. */
export const asksForObject = (alternative: Alternative): boolean =>
  alternative.some((operators) => has(operators, '$type') && operators.$type === 'object')

/** All conditions of a way in one object. */
export function entryOperators(alternative: Alternative, dependence: Dependence): Operators {
  const first: Operators = {}
  // Operators side by side; each further object is in a double $not, for an operator that is said twice.
  const links = [first]
  // What is denied, for $ne and $nin, and for $not.
  const values: unknown[] = []
  const types = new Set<unknown>()
  const patterns: Operators[] = []
  for (const operators of alternative) {
    const operator = Object.keys(operators)[0]!
    const operand: unknown = operators[operator]
    if (operator === '$nin') {
      dependence.isByValue = true
      for (const value of operand as unknown[]) values.push(value)
    } else if (operator === '$ne') values.push(operand)
    else if (operator === '$not') {
      const denied = operand as Operators
      if (has(denied, '$type')) types.add(denied.$type)
      else patterns.push(denied)
    } else if (!narrowed(first, operator, operand, dependence)) {
      // A second pattern is an $in of one: Mongoose reads no $not in a $not.
      const isSecond = operator === '$regex' && has(first, operator)
      if (isSecond) dependence.isByValue = true
      const own = isSecond ? asChoice(operators) : operators
      const link = links.find((one) => !sharesKey(one, own))
      if (link === undefined) links.push({ ...own })
      else Object.assign(link, own)
    }
  }
  const last = links.at(-1)!
  // There is one $not: for the types, or for a single pattern. $nin takes all other patterns.
  if (types.size > 0) last.$not = { $type: types.size === 1 ? [...types][0] : [...types] }
  else if (patterns.length === 1) last.$not = patterns.pop()
  if (patterns.length > 0) dependence.isByValue = true
  values.push(...patterns.map(expressionOf))
  // An empty $nin denies nothing: it asks for an entry alone.
  if (values.length > 1 || alternative.length === 0 || values.at(0) instanceof RegExp) last.$nin = values
  else if (values.length === 1) last.$ne = values[0]
  return links.reduceRight((inner, link) => Object.assign(link, { $not: { $not: inner } }))
}

/** Whether the operators have such a bound already, and can keep the narrower one of the two. */
function narrowed(operators: Operators, operator: string, bound: unknown, dependence: Dependence): boolean {
  if (!isOrder(operator) || !has(operators, operator)) return false
  dependence.isByValue = true
  const own: unknown = operators[operator]
  if (typeof own !== typeof bound || !isComparable(own) || !isComparable(bound)) return false
  const order = typeof own === 'string' ? compareCodePoints(own, bound as string) : Number(own) - Number(bound)
  if (operator.startsWith('$g') ? order < 0 : order > 0) operators[operator] = bound
  return true
}
const isComparable = (value: unknown): boolean =>
  typeof value === 'string' || typeof value === 'number' || value instanceof Date

// --- Patterns as regular expressions, which $in and $nin take

const lineSeparators = /[\u2028\u2029]/
/** JavaScript writes line separators in an expression as escapes, which PCRE2 refuses: those stay a $regex. */
const asChoice = (operators: Operators): Operators =>
  lineSeparators.test(operators.$regex as string) ? operators : { $in: [expressionOf(operators)] }

/** Whether a denied pattern has an escape that PCRE2 refuses. */
export const isUnreadable = (operators: Operators): boolean =>
  has(operators, '$nin') &&
  (operators.$nin as unknown[]).some((value) => value instanceof RegExp && /\\u202[89]/.test(value.source))
