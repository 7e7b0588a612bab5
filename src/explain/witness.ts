/**
 * Finds a value for which some conditions are true and others are false, or proves that there is none. The values of a type
 * have an order in which each but the last has a next one, so the search goes from one candidate to the next, and leaps over
 * what a condition excludes.
 */
import type { Literal, LiteralType, Match } from '../ast/index.ts'
import type { Condition } from '../backends/issues.ts'
import { memoryBackend } from '../backends/memory/index.ts'
import { weakCache } from '../cache.ts'
import { casesOf, simpleLowerCase } from '../text/case.ts'
import { afterPrefix, compareCodePoints } from '../text/order.ts'
import { dayAfter, lastMoment, momentOf } from '../text/time.ts'

/** What must be true, and what must be false, of one value. The paths of the conditions are not read. */
export interface Demand {
  readonly wanted: readonly Condition[]
  readonly unwanted: readonly Condition[]
}

/** A value that meets a demand; `none` when there is provably none; `unknown` when the search gave up. */
export type Witness = { readonly value: unknown } | 'none' | 'unknown'

/** How much a search may still look at. */
export interface Budget {
  /** Rows, and entries of lists. */
  searches: number
  /** Tests of a value by a condition, and what takes as long. */
  tests: number
}

/** Whether a search must give up. */
export const isSpent = ({ searches, tests }: Budget): boolean => searches <= 0 || tests <= 0

/** More candidates than a real filter needs: each exclusion costs one. */
const mostCandidates = 10_000

/** What texts take, in tests of a short value, rounded up: to compare a letter with another one … */
const testsOfLetter = 1 / 32
/** … to look for a letter of one text at a letter of another one … */
const testsOfPairOfLetters = 1 / 256
/** … and to find the cases of a letter. */
const testsOfCases = 8
/** The memory backend looks for up to so many letters of a text at each letter of a value; longer texts take linear time. */
const longestPattern = 64

const { compile } = memoryBackend({ codegen: false })

// --- The order of a type

type Value = string | number | boolean

/** The values of a type in their order, from the smallest to the largest. Methods, so that one of texts is an order of values. */
interface Order<V extends Value = Value> {
  readonly first: V
  /** The smallest value after another one; `undefined` after the last. */
  next(value: V): V | undefined
  compare(a: V, b: V): number
}

const byNumber = (a: number, b: number): number => a - b

/** The next double. @see IEEE 754-2019, section 5.3.1, nextUp */
function nextUp(value: number): number | undefined {
  if (value === Number.MAX_VALUE) return undefined
  if (value === 0) return Number.MIN_VALUE
  const bits = new DataView(new ArrayBuffer(8))
  bits.setFloat64(0, value)
  bits.setBigInt64(0, bits.getBigInt64(0) + (value > 0 ? 1n : -1n))
  return bits.getFloat64(0) + 0
}

const ofText = (order: Order<string>): Order => order
const ofNumber = (order: Order<number>): Order => order
const orders: { readonly [T in Exclude<LiteralType, 'boolean'>]: Order } = {
  // No query has U+0000 in a text, but a stored row may.
  string: ofText({ first: '', next: (value) => `${value}\0`, compare: compareCodePoints }),
  integer: ofNumber({
    first: Number.MIN_SAFE_INTEGER,
    next: (value) => (value < Number.MAX_SAFE_INTEGER ? value + 1 : undefined),
    compare: byNumber,
  }),
  number: ofNumber({ first: -Number.MAX_VALUE, next: nextUp, compare: byNumber }),
  // Days and moments are texts of one length, in the order of time.
  date: ofText({ first: '0001-01-01', next: dayAfter, compare: compareCodePoints }),
  datetime: ofText({
    first: '0001-01-01T00:00:00.000Z',
    next: (value) => {
      const moment = momentOf(value)
      return moment < lastMoment ? new Date(moment + 1).toISOString() : undefined
    },
    compare: compareCodePoints,
  }),
}

// --- Leaps over texts

/** A prefix that texts must have, as the letters that each of its letters may be, in their order. */
type Forms = readonly (readonly string[])[]

const formsOf = (prefix: string): Forms =>
  Array.from(simpleLowerCase(prefix), (letter) => casesOf(letter).toSorted(compareCodePoints))

/** The smallest text from another one on that begins with a prefix; `undefined` where there is none. */
function firstWithPrefix(forms: Forms, from: string): string | undefined {
  const given = Array.from(from)
  const formAfter = (at: number) => forms[at]!.find((form) => compareCodePoints(form, given[at]!) > 0)
  const smallest = (start: number) => forms.slice(start).map(([form]) => form!)
  /** Where the letter after the longest common beginning can be a larger one. */
  let larger: number | undefined
  for (let at = 0; at < forms.length; at++) {
    if (at === given.length) return [...given, ...smallest(at)].join('')
    if (formAfter(at) !== undefined) larger = at
    if (forms[at]!.includes(given[at]!)) continue
    return larger === undefined
      ? undefined
      : [...given.slice(0, larger), formAfter(larger)!, ...smallest(larger + 1)].join('')
  }
  return from
}

const lettersOf = (texts: readonly { readonly length: number }[]): number =>
  texts.reduce((sum, { length }) => sum + length, 0)

/** The next candidate from a text on, as far as one wanted or unwanted prefix can tell. */
type Leap = (text: string) => string | undefined

function leapOf({ wanted, unwanted }: Demand, budget: Budget): Leap {
  const all = textsOf(wanted, 'prefix').map(formsOf)
  const none = textsOf(unwanted, 'prefix').map((prefix) => simpleLowerCase(prefix))
  const letters = lettersOf(all)
  budget.tests -= testsOfCases * letters + testsOfLetter * lettersOf(none)
  return (text) => {
    budget.tests -= text.length + letters + none.length
    for (const forms of all) {
      const next = firstWithPrefix(forms, text)
      if (next !== text) return next
    }
    const small = simpleLowerCase(text)
    for (const prefix of none) if (small.startsWith(prefix)) return afterPrefix(text.slice(0, prefix.length))
    return text
  }
}

/** What texts must match in a mode. */
const textsOf = (conditions: readonly Condition[], mode: Match['mode']): readonly string[] =>
  conditions.flatMap((one) => (one.kind === 'match' && one.mode === mode ? [one.text] : []))

/** Matches as they compare texts: in small letters. */
type SmallMatch = Pick<Match, 'mode' | 'text'>

const smallMatches = (conditions: readonly Condition[]): readonly SmallMatch[] =>
  conditions.flatMap((one) => (one.kind === 'match' ? [{ mode: one.mode, text: simpleLowerCase(one.text) }] : []))

/** Whether every text that a match is true of is one that another match is true of. */
function implies(one: SmallMatch, other: SmallMatch): boolean {
  if (other.mode === 'substring') return one.text.includes(other.text)
  if (one.mode !== other.mode) return other.text === ''
  return other.mode === 'prefix' ? one.text.startsWith(other.text) : one.text.endsWith(other.text)
}

/** Whether a wanted match implies an unwanted one. */
function isContradiction({ wanted, unwanted }: Demand, budget: Budget): boolean {
  const [all, none] = [smallMatches(wanted), smallMatches(unwanted)]
  budget.tests -= testsOfLetter * lettersOf([...all, ...none].map(({ text }) => text))
  for (const one of all) {
    for (const other of none) {
      if (isSpent(budget)) return false
      // The engine may look for each letter of one text at each letter of the other.
      budget.tests -= 1 + one.text.length * other.text.length * testsOfPairOfLetters
      if (implies(one, other)) return true
    }
  }
  return false
}

// --- The search

/** A value to try: an operand, or a guess. */
type Named = Pick<Literal, 'value'>

/** The operands that a demand names, where it wants one of a few. */
function namedOperands({ wanted }: Demand): readonly Named[] | undefined {
  for (const one of wanted) {
    if (one.kind === 'comparison' && one.operator === 'eq') return [one.operand]
    if (one.kind === 'membership') return one.operands
  }
  return undefined
}
const booleans: readonly Named[] = [{ value: false }, { value: true }]

/** The smallest value that no lower bound excludes: none is missed by starting there. */
function startOf(order: Order, { wanted, unwanted }: Demand): Value | undefined {
  let start: Value | undefined = order.first
  const bounds = [
    ...wanted.map((one) => ({ one, after: 'gt', from: 'gte' })),
    // What is not below a value is at it or after it.
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

/** Texts that are worth a try where the search by order does not end: all that must be in the text, in a row. */
function guesses({ wanted }: Demand): readonly Named[] {
  const parts = (mode: Match['mode']) => textsOf(wanted, mode)
  const longest = (texts: readonly string[]) => texts.toSorted((a, b) => b.length - a.length).at(0) ?? ''
  const [start, middle, end] = [longest(parts('prefix')), parts('substring').join(' '), longest(parts('suffix'))]
  const text = start + middle + end
  return [text, simpleLowerCase(text), `${start} ${middle} ${end}`, start + end, middle].map((value) => ({ value }))
}

/**
 * A value for which all that is wanted is true, and all that is unwanted is false. All conditions are about values of one
 * type, and something is wanted.
 */
export function witnessOf(type: LiteralType | 'object', demand: Demand, budget: Budget): Witness {
  const { wanted, unwanted } = demand
  if (type === 'object') return unwanted.length > 0 ? 'none' : { value: {} }
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
  const firstOf = (values: readonly Named[]) => values.find(({ value }) => isSpent(budget) || meets(value))

  const named = type === 'boolean' ? booleans : namedOperands(demand)
  if (named !== undefined) {
    const found = firstOf(named)
    return isSpent(budget) ? 'unknown' : found === undefined ? 'none' : { value: found.value }
  }
  if (isContradiction(demand, budget) || unwanted.some((one) => one.kind === 'presence')) return 'none'

  const order = orders[type as keyof typeof orders]
  const modes = new Set([...wanted, ...unwanted].flatMap((one) => (one.kind === 'match' ? [one.mode] : [])))
  // Only texts have matches: every other value stays.
  const leap = modes.size === 0 ? undefined : leapOf(demand, budget)
  let candidate = startOf(order, demand)
  for (let tries = 0; tries < mostCandidates && !isSpent(budget); tries++) {
    if (candidate === undefined) return 'none'
    // Bounds are looked at, too.
    budget.tests -= 2 * (wanted.length + unwanted.length) * (1 + lengthOf(candidate) * testsOfLetter)
    if (isBeyond(order, candidate, demand)) return 'none'
    if (meets(candidate)) return { value: storable(candidate, meets) }
    const leapt: Value | undefined = leap === undefined ? candidate : leap(candidate as string)
    // Only text that must end or go on in some way is found in no such order.
    if (leapt === candidate && (modes.has('suffix') || modes.has('substring'))) break
    candidate = leapt === candidate ? order.next(candidate) : leapt
  }
  const found = firstOf(guesses(demand))
  return isSpent(budget) || found === undefined ? 'unknown' : { value: found.value }
}

const lengthOf = (value: Value): number => (typeof value === 'string' ? value.length : 0)

/** The value with a character that every database can store in place of U+0000, if that meets the demand too. */
function storable(value: Value, meets: (value: Value) => boolean): Value {
  if (typeof value !== 'string' || !value.includes('\0')) return value
  const other = value.replaceAll('\0', '\u0001')
  return meets(other) ? other : value
}

/** A condition as a predicate over the value itself. */
interface Test {
  readonly holds: (value: unknown) => boolean
  /** For each letter of the value. */
  readonly testsOfEach: number
}

/** To make a test takes longer than to make a search with it. */
const tests = /* @__PURE__ */ weakCache<Condition, Test>()

function testOf(condition: Condition): Test {
  const known = tests.get(condition)
  if (known !== undefined) return known
  const tried = condition.kind === 'match' ? Math.min(condition.text.length, longestPattern) : 0
  const test = {
    holds: compile({ ...condition, path: [] }),
    testsOfEach: testsOfLetter + tried * testsOfPairOfLetters,
  }
  tests.set(condition, test)
  return test
}
