/** Finds a value that meets a demand, or proves that none does: it leaps through the values of a type in their order. */
import { isLiteralType, type Literal, type LiteralType, type MatchMode, type Presence } from '../../tree/index.ts'
import type { Condition } from '../../backends/issues.ts'
import { memoryBackend } from '../../backends/memory/index.ts'
import { weakCache } from '../../cache.ts'
import { own } from '../../own.ts'
import { simpleLowerCase } from '../../values/case.ts'
import { isSpent, testsOfLetter, testsOfPairOfLetters, type Budget, type Demand } from './demand.ts'
import { isContradiction, leapOf, matchesOf } from './text-leaps.ts'
import { decimalsAround, orderOf, type Order, type Value } from './value-order.ts'

/** A value that meets a demand; `none` when there is provably none; `unknown` when the search gave up. */
export type Witness = { readonly value: unknown } | 'none' | 'unknown'

/** More candidates than a real filter needs: each exclusion costs one. */
const mostCandidates = 10_000
/** The memory backend compares up to so many letters of a text at each letter of a value. Longer texts cost linear time. */
const longestPattern = 64

const { compile } = memoryBackend({ codegen: false })

const booleans: readonly Value[] = [false, true]

const operandsOf = (one: Condition): readonly Literal[] =>
  one.kind === 'comparison' ? [one.operand] : one.kind === 'membership' ? one.operands : []

/** Values among which is one that meets the demand, if any value does; `undefined` where a search by order finds them. */
function fewValues(type: LiteralType, { wanted, unwanted }: Demand): Iterable<Value> | undefined {
  if (type === 'boolean') return booleans
  for (const one of wanted) {
    if (one.kind === 'membership' || (one.kind === 'comparison' && one.operator === 'eq'))
      return operandsOf(one).map(({ value }) => value)
  }
  if (type !== 'decimal') return undefined
  return decimalsAround([...wanted, ...unwanted].flatMap(operandsOf).map(({ value }) => String(value)))
}

/** The smallest value that no lower bound excludes. The search starts there. */
function startOf(order: Order, { wanted, unwanted }: Demand): Value | undefined {
  let start: Value | undefined = order.first
  const bounds = [
    ...wanted.map((one) => ({ one, after: 'gt', from: 'gte' })),
    // A value that is not `lt` an operand starts at it, and one that is not `lte` after it.
    ...unwanted.map((one) => ({ one, after: 'lte', from: 'lt' })),
  ]
  for (const { one, after, from } of bounds) {
    if (one.kind !== 'comparison' || start === undefined) continue
    const { value } = one.operand
    const bound = one.operator === from ? value : one.operator === after ? order.next(value) : order.first
    if (bound === undefined || order.compare(bound, start) > 0) start = bound
  }
  return start
}

/** Whether an upper bound excludes a value, and so all after it. */
function isBeyond(order: Order, value: Value, { wanted, unwanted }: Demand): boolean {
  const beyond = (one: Condition, at: string, after: string): boolean =>
    one.kind === 'comparison' &&
    ((one.operator === at && order.compare(value, one.operand.value) >= 0) ||
      (one.operator === after && order.compare(value, one.operand.value) > 0))
  return wanted.some((one) => beyond(one, 'lt', 'lte')) || unwanted.some((one) => beyond(one, 'gte', 'gt'))
}

/** Guesses where the search by order does not end: all texts that must be in the value, joined. */
function guesses({ wanted }: Demand): readonly Value[] {
  const parts = (...modes: readonly MatchMode[]) => matchesOf(wanted, modes).map(({ text }) => text)
  // Of texts of one length, the first: one that compares case.
  const longest = (texts: readonly string[]) => texts.toSorted((a, b) => b.length - a.length).at(0) ?? ''
  const start = longest([...parts('prefixExact'), ...parts('prefix')])
  const middle = parts('substring', 'substringExact').join(' ')
  const end = longest([...parts('suffixExact'), ...parts('suffix')])
  const text = start + middle + end
  return [text, simpleLowerCase(text), `${start} ${middle} ${end}`, start + end, middle]
}

/**
 * A value for which all that is wanted is true, and all that is unwanted is false. All conditions are about values of one
 * type, and something is wanted.
 */
export function witnessOf(type: Presence['type'], demand: Demand, budget: Budget): Witness {
  const { wanted, unwanted } = demand
  if (!isLiteralType(type)) return unwanted.length > 0 ? 'none' : { value: {} }
  const wantedTests = wanted.map(testOf)
  const unwantedTests = unwanted.map(testOf)
  const meets = (value: Value): boolean => {
    const passes = ({ holds, testsOfEach }: Test): boolean => {
      budget.tests -= 1 + lengthOf(value) * testsOfEach
      return holds(value)
    }
    return wantedTests.every(passes) && !unwantedTests.some(passes)
  }
  /** The first value that meets the demand; `undefined` when there is none, or the search gives up. */
  const firstOf = (values: Iterable<Value>): Value | undefined => {
    for (const value of values) if (isSpent(budget) || meets(value)) return value
    return undefined
  }

  const few = fewValues(type, demand)
  if (few !== undefined) {
    const value = firstOf(few)
    return isSpent(budget) ? 'unknown' : value === undefined ? 'none' : { value }
  }
  if (isContradiction(demand, budget) || unwanted.some((one) => one.kind === 'presence')) return 'none'

  const order = orderOf(type as Exclude<typeof type, 'boolean' | 'decimal'>)
  const modes = new Set([...wanted, ...unwanted].flatMap((one) => (one.kind === 'match' ? [one.mode] : [])))
  const leap = modes.size === 0 ? undefined : leapOf(demand, budget)
  const isWhole = matchesOf(wanted, ['whole']).length > 0
  let candidate = startOf(order, demand)
  for (let tries = 0; tries < mostCandidates && !isSpent(budget); tries++) {
    if (candidate === undefined) return 'none'
    budget.tests -= 2 * (wanted.length + unwanted.length) * (1 + lengthOf(candidate) * testsOfLetter)
    if (isBeyond(order, candidate, demand)) return 'none'
    if (meets(candidate)) return { value: storable(order, candidate, meets) }
    const leapt: Value | undefined = leap === undefined ? candidate : leap(candidate as string)
    // The order of texts does not lead to one with a given end or middle. A whole text has few spellings.
    if (leapt === candidate && !isWhole && endless.some((mode) => modes.has(mode))) break
    candidate = leapt === candidate ? order.next(candidate) : leapt
  }
  const value = firstOf(guesses(demand))
  return isSpent(budget) || value === undefined ? 'unknown' : { value }
}

const endless: readonly MatchMode[] = ['suffix', 'substring', 'suffixExact', 'substringExact']
const lengthOf = (value: Value): number => (typeof value === 'string' ? value.length : 0)

/** A value that every database can store, in place of one that meets the demand, if it meets that too. */
function storable(order: Order, value: Value, meets: (value: Value) => boolean): Value {
  const other = own(order, 'storable')?.(value) ?? value
  return other === value || meets(other) ? other : value
}

/** A condition as a predicate over the value itself. */
interface Test {
  readonly holds: (value: unknown) => boolean
  /** For each letter of the value. */
  readonly testsOfEach: number
}

/** Tests by condition, for speed alone: to compile a condition costs more than a search with it. */
const tests = /* @__PURE__ */ weakCache<Condition, Test>()

function testOf(condition: Condition): Test {
  const before = tests.get(condition)
  if (before !== undefined) return before
  const tried = condition.kind === 'match' ? Math.min(condition.text.length, longestPattern) : 0
  const test = {
    holds: compile({ ...condition, path: [] }),
    testsOfEach: testsOfLetter + tried * testsOfPairOfLetters,
  }
  tests.set(condition, test)
  return test
}
