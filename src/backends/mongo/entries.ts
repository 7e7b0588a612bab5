/**
 * Entries of lists of scalars. `$elemMatch` takes operators there, no groups: alternatives get one each, and what an
 * operator says twice is said behind `$not: { $not: … }`.
 */
import { compareCodePoints } from '../../text.ts'
import { complementOf, sharesKey, type Condition } from './document.ts'

/** How many ways to hold an entry of a list of scalars may have, each an `$elemMatch` of its own, and each of them conditions. */
export const maxAlternatives = 1_000

/** Where a value is of the type, and only there. */
const otherSides: ReadonlyMap<string, string> = new Map([
  ['$gt', '$lte'],
  ['$gte', '$lt'],
  ['$lt', '$gte'],
  ['$lte', '$gt'],
])

/** Conditions that hold together for an entry: each of one operator, or `$not` with a pattern or a type in it. */
export type Alternative = readonly Condition[]

export const noObject: Condition = Object.freeze({ $not: Object.freeze({ $type: 'object' }) })
export const isOfObject = (condition: Condition): boolean =>
  Object.hasOwn(condition, '$type') && condition.$type === 'object'

/** More than there may be. */
const tooMany: readonly Alternative[] = Object.freeze(Array.from({ length: maxAlternatives + 1 }, () => []))

export const together = (some: readonly Alternative[], others: readonly Alternative[]): readonly Alternative[] =>
  some.length * others.length > maxAlternatives ||
  (some.at(0)?.length ?? 0) + (others.at(0)?.length ?? 0) > maxAlternatives
    ? tooMany
    : some.flatMap((one) => others.map((other) => [...one, ...other]))

/** What denies a condition, in one way or in two; `present` says that there is a value of its type. */
export function denied(condition: Condition, present: Condition): readonly Alternative[] {
  const operator = Object.keys(condition)[0]!
  switch (operator) {
    case '$regex':
    case '$type':
      return [[{ $not: condition }]]
    case '$eq':
    case '$ne':
    case '$in':
      return [[complementOf(condition)]]
    default:
      return [[{ [otherSides.get(operator)!]: condition[operator] }], ...denied(present, present)]
  }
}

/** All of them as one condition. */
export function entryCondition(alternative: Alternative): Condition {
  const links: Condition[] = [{}]
  const values: unknown[] = []
  const types = new Set<unknown>()
  const patterns: Condition[] = []
  for (const condition of alternative) {
    const [operator] = Object.keys(condition)
    const operand: unknown = condition[operator!]
    if (operator === '$nin') for (const value of operand as unknown[]) values.push(value)
    else if (operator === '$ne') values.push(operand)
    else if (operator === '$not' && Object.hasOwn(operand as object, '$type')) types.add((operand as Condition).$type)
    else if (operator === '$not') patterns.push(operand as Condition)
    else if (!narrowed(links[0]!, operator!, operand)) {
      // A second pattern, as an only choice: Mongoose reads no $not in $not.
      const own = operator === '$regex' && Object.hasOwn(links[0]!, '$regex') ? asChoice(condition) : condition
      let link = links.find((link) => !sharesKey(link, own))
      if (link === undefined) links.push((link = {}))
      Object.assign(link, own)
    }
  }
  const last = links.at(-1)!
  if (types.size > 0) last.$not = { $type: types.size === 1 ? [...types][0] : [...types] }
  else if (patterns.length === 1) last.$not = patterns.pop()
  values.push(...patterns.map(patternOf))
  // A list that is empty leaves nothing out: an entry is all that is asked for.
  if (values.length > 1 || alternative.length === 0 || values.at(0) instanceof RegExp) last.$nin = values
  else if (values.length === 1) last.$ne = values[0]
  return links.reduceRight((inner, link) => Object.assign(link, { $not: { $not: inner } }))
}

const lineSeparators = /[\u2028\u2029]/
/** A JavaScript expression writes those as escapes that PCRE2 refuses. */
const asChoice = (condition: Condition): Condition =>
  lineSeparators.test(condition.$regex as string) ? condition : { $in: [patternOf(condition)] }

/** Whether a condition has the bound of another like it, the narrower one of the two. */
function narrowed(condition: Condition, operator: string, bound: unknown): boolean {
  const side = sides.get(operator)
  const own: unknown = condition[operator]
  if (side === undefined || !Object.hasOwn(condition, operator) || !isComparable(own) || !isComparable(bound))
    return false
  if (typeof own !== typeof bound) return false
  const order = typeof own === 'string' ? compareCodePoints(own, bound as string) : Number(own) - Number(bound)
  if (order * side < 0) condition[operator] = bound
  return true
}
const sides: ReadonlyMap<string, number> = new Map([
  ['$gt', 1],
  ['$gte', 1],
  ['$lt', -1],
  ['$lte', -1],
])
const isComparable = (value: unknown): boolean =>
  typeof value === 'string' || typeof value === 'number' || value instanceof Date

/** Whether there is a pattern among those that are denied which MongoDB could not read. */
export const isUnreadable = (condition: Condition): boolean =>
  Object.hasOwn(condition, '$nin') &&
  (condition.$nin as unknown[]).some((value) => value instanceof RegExp && /\\u202[89]/.test(value.source))

/** As `$in` and `$nin` take it. */
function patternOf(condition: Condition): RegExp {
  const [pattern, options] = Object.values(condition) as [string, string?]
  return new RegExp(pattern, options)
}
