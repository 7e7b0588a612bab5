/**
 * Finds a value for which some conditions are true and others are false, or proves that there is none. The values of a type
 * have an order in which each but the last has a next one, so the search goes from one candidate to the next, and leaps over
 * what a condition excludes.
 */
import type { Comparison, LiteralType, Match, Membership, Presence } from '../ast/index.ts'
import { memoryBackend } from '../backends/memory/index.ts'
import { weakCache } from '../cache.ts'
import { casesOf, compareCodePoints, dayAfter, lastMoment, momentOf, simpleLowerCase } from '../text.ts'

/** A condition on the value itself: its path is not looked at. */
export type Condition = Comparison | Membership | Match | Presence

/** What must be true, and what must be false, of one value. */
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
  /** Tests of a value by a condition. */
  tests: number
}

/** More candidates than a real filter needs: each exclusion costs one. */
const mostCandidates = 10_000

const { compile } = memoryBackend({ codegen: false })

/** The type of the values that a condition is about. */
export const typeOf = (condition: Condition): LiteralType | 'object' => {
  switch (condition.kind) {
    case 'comparison':
      return condition.operand.type
    case 'membership':
      return condition.operands[0]!.type
    case 'match':
      return 'string'
    case 'presence':
      return condition.type
  }
}

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
  string: ofText({ first: '', next: (value) => `${value}\u0001`, compare: compareCodePoints }),
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

/** The smallest text after all that begin with the given one; `undefined` after the last. */
function afterAll(prefix: string): string | undefined {
  const letters = Array.from(prefix)
  while (letters.length > 0) {
    const code = letters.pop()!.codePointAt(0)!
    // Surrogates are no characters of a text.
    if (code < 0x10ffff) return letters.join('') + String.fromCodePoint(code === 0xd7ff ? 0xe000 : code + 1)
  }
  return undefined
}

/** The smallest text from another one on whose lower case begins with a prefix; `undefined` where there is none. */
function firstWithPrefix(prefix: string, from: string): string | undefined {
  const forms = Array.from(prefix, (letter) => casesOf(letter).toSorted(compareCodePoints))
  const given = Array.from(from)
  const smallest = (start: number) => forms.slice(start).map(([form]) => form!)
  /** The longest common beginning, and then a larger letter. */
  let larger: string | undefined
  for (let at = 0; at < forms.length; at++) {
    const letter = given.at(at)
    if (letter === undefined) return [...given, ...smallest(at)].join('')
    const next = forms[at]!.find((form) => compareCodePoints(form, letter) > 0)
    if (next !== undefined) larger = [...given.slice(0, at), next, ...smallest(at + 1)].join('')
    if (!forms[at]!.includes(letter)) return larger
  }
  return from
}

/** The next candidate from a text on, as far as one wanted or unwanted match on the start of the text can tell. */
function leap(text: string, { wanted, unwanted }: Demand): string | undefined {
  for (const prefix of textsOf(wanted, 'prefix')) {
    const next = firstWithPrefix(simpleLowerCase(prefix), text)
    if (next !== text) return next
  }
  for (const prefix of textsOf(unwanted, 'prefix'))
    if (simpleLowerCase(text).startsWith(simpleLowerCase(prefix))) return afterAll(text.slice(0, prefix.length))
  return text
}

/** What texts must match in a mode. */
const textsOf = (conditions: readonly Condition[], mode: Match['mode']): readonly string[] =>
  conditions.flatMap((one) => (one.kind === 'match' && one.mode === mode ? [one.text] : []))

/** Whether every text that a match is true of is one that another match is true of. */
function implies(one: Match, other: Match): boolean {
  const [text, part] = [simpleLowerCase(one.text), simpleLowerCase(other.text)]
  if (other.mode === 'substring') return text.includes(part)
  if (one.mode !== other.mode) return part === ''
  return other.mode === 'prefix' ? text.startsWith(part) : text.endsWith(part)
}

// --- The search

/** The values that a demand names, where it wants one of a few. */
function namedValues({ wanted }: Demand): readonly Value[] | undefined {
  for (const one of wanted) {
    if (one.kind === 'comparison' && one.operator === 'eq') return [one.operand.value]
    if (one.kind === 'membership') return one.operands.map(({ value }) => value)
  }
  return undefined
}

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
function guesses({ wanted }: Demand): readonly string[] {
  const parts = (mode: Match['mode']) => textsOf(wanted, mode)
  const longest = (texts: readonly string[]) => texts.toSorted((a, b) => b.length - a.length).at(0) ?? ''
  const [start, middle, end] = [longest(parts('prefix')), parts('substring').join(' '), longest(parts('suffix'))]
  const text = start + middle + end
  return [text, simpleLowerCase(text), `${start} ${middle} ${end}`, start + end, middle]
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
  const meets = (value: unknown): boolean =>
    wantedTests.every((test) => test(value)) && !unwantedTests.some((test) => test(value))

  const named = type === 'boolean' ? [false, true] : namedValues(demand)
  if (named !== undefined) {
    const value = named.find(meets)
    return value === undefined ? 'none' : { value }
  }
  const matches = (conditions: readonly Condition[]) => conditions.filter((one) => one.kind === 'match')
  if (matches(wanted).some((one) => matches(unwanted).some((other) => implies(one, other)))) return 'none'
  if (unwanted.some((one) => one.kind === 'presence')) return 'none'

  const order = orders[type as keyof typeof orders]
  const modes = new Set(matches([...wanted, ...unwanted]).map(({ mode }) => mode))
  let candidate = startOf(order, demand)
  for (let tries = 0; tries < mostCandidates && budget.tests > 0; tries++) {
    // Bounds are looked at, too.
    budget.tests -= 2 * (wanted.length + unwanted.length)
    if (candidate === undefined || isBeyond(order, candidate, demand)) return 'none'
    if (meets(candidate)) return { value: candidate }
    // Only texts have matches: every other value stays.
    const leapt: Value | undefined = modes.size === 0 ? candidate : leap(candidate as string, demand)
    // Only text that must end or go on in some way is found in no such order.
    if (leapt === candidate && (modes.has('suffix') || modes.has('substring'))) break
    candidate = leapt === candidate ? order.next(candidate) : leapt
  }
  const value = guesses(demand).find(meets)
  return value === undefined ? 'unknown' : { value }
}

type Test = (value: unknown) => boolean

/** To make a test takes longer than to make a search with it. */
const tests = /* @__PURE__ */ weakCache<Condition, Test>()

/** The condition as a predicate over the value itself. */
function testOf(condition: Condition): Test {
  let test = tests.get(condition)
  if (test === undefined) tests.set(condition, (test = compile({ ...condition, path: [] })))
  return test
}
