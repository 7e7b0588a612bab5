/** Reads from a filter the conditions that each selected row meets. */
import { canonicalOf, compareOf, hasForm, isFolded, type Filter, type LiteralType, type Path } from '../tree/index.ts'
import { valueAt } from '../query/index.ts'
import { simpleLowerCase } from '../values/case.ts'

/** Each row that a filter selects has one of these keys at this place. If the keys are parts of a text, the row has all of them. */
export interface Requirement {
  readonly test: 'value' | 'part' | 'range'
  /** The form in which `keysIn` reads the value of a row. For a part of a text, the length of the part. */
  readonly of: LiteralType | 'lowerCase' | 'presence' | number
  /** The paths of the lists around the place, outermost first, and the path in the innermost one. */
  readonly steps: readonly Path[]
  readonly keys: readonly unknown[]
}

/** The values from `lower` to `upper`, both included; `undefined` for no bound. */
export interface Range {
  readonly lower: unknown
  readonly upper: unknown
}

/** Requirements that a row meets all at once. */
export type Alternative = readonly Requirement[]

/** Whether a row that has a key of the requirement meets its condition. A value of another type than the field has the key of presence. */
export const isExact = ({ test, of, steps }: Requirement): boolean =>
  test !== 'part' && of !== 'presence' && steps.length === 1

/** Whether a filter selects each row that meets all its requirements. */
export const isConjunction = (filter: Filter): boolean =>
  filter.kind === 'and'
    ? filter.filters.every(isConjunction)
    : ['comparison', 'membership', 'presence'].includes(filter.kind)

const anything: readonly Alternative[] = [[]]
const only = (
  test: Requirement['test'],
  of: Requirement['of'],
  path: Path,
  ...keys: readonly unknown[]
): readonly Alternative[] => [[{ test, of, steps: [path], keys }]]
const present = ({ path }: { readonly path: Path }) => only('value', 'presence', path, true)

/** The most alternatives into which an `or` beside other requirements divides a filter. */
const mostAlternatives = 16
/** The length of the parts that identify a text. A shorter text is its own part. */
const longestPart = 3
const mostParts = 32
const partsOf = (text: string, length: number): string[] =>
  Array.from({ length: Math.max(0, text.length - length + 1) }, (_, at) => text.slice(at, at + length))

/**
 * A row that the filter selects meets at least one alternative. A filter that selects no row has none. A filter that requires nothing has
 * one without requirements.
 */
export function alternativesOf(filter: Filter): readonly Alternative[] {
  switch (filter.kind) {
    case 'and':
      return joined(filter.filters.map(alternativesOf))
    case 'or': {
      const all = filter.filters.flatMap(alternativesOf)
      return all.some(({ length }) => length === 0) ? anything : all
    }
    case 'some':
      return alternativesOf(filter.filter).flatMap((inner) =>
        inner.length === 0
          ? present(filter)
          : [inner.map((one): Requirement => ({ ...one, steps: [filter.path, ...one.steps] }))],
      )
    case 'membership': {
      const { path, operands } = filter
      const keys = new Set(operands.map(({ value }) => value))
      return keys.size === 0 ? [] : only('value', operands[0]!.type, path, ...keys)
    }
    case 'comparison': {
      const { path, operator, operand } = filter
      const { type, value } = operand
      if (operator === 'eq') return only('value', type, path, value)
      const of = isFolded(operator) ? 'lowerCase' : type
      const bound = of === type ? value : simpleLowerCase(value)
      const [lower, upper] = operator.startsWith('g') ? [bound] : [undefined, bound]
      return only('range', of, path, { lower, upper } satisfies Range)
    }
    case 'match': {
      const text = simpleLowerCase(filter.text)
      if (filter.mode === 'whole') return only('value', 'lowerCase', filter.path, text)
      const length = Math.min(longestPart, text.length)
      return length === 0
        ? present(filter)
        : only('part', length, filter.path, ...partsOf(text, length).slice(0, mostParts))
    }
    case 'presence':
      return present(filter)
    case 'count':
      return filter.operator === 'gte' && filter.operand > 0 ? present(filter) : anything
    case 'not':
      return anything
  }
}

function joined(members: readonly (readonly Alternative[])[]): readonly Alternative[] {
  const all = withRanges(members.flatMap((ways) => (ways.length === 1 ? ways[0]! : [])))
  const [fewest] = members.filter((ways) => ways.length !== 1).sort((a, b) => a.length - b.length)
  if (fewest === undefined || (all.length > 0 && fewest.length > mostAlternatives)) return [all]
  return fewest.map((one) => withRanges([...all, ...one]))
}

/** Joins the ranges of a place into one. It does not join ranges in a list, because different entries may meet them. */
function withRanges(all: Alternative): Alternative {
  const left = new Map<unknown, Requirement>()
  for (const one of all) {
    const name = one.test === 'range' && one.steps.length === 1 ? nameOf(one) : one
    const before = left.get(name)
    left.set(name, before === undefined ? one : { ...one, keys: [inBoth(before, one)] })
  }
  return [...left.values()]
}

/** The test and the place of a requirement. */
export const nameOf = ({ test, of, steps }: Requirement): string => JSON.stringify([test, of, steps])

/** Negative, zero or positive. */
export type Compare = (a: unknown, b: unknown) => number

/** The order of the values of a range. */
export const compareIn = ({ of }: Requirement): Compare =>
  compareOf[of === 'lowerCase' ? 'string' : (of as LiteralType)] as Compare

function inBoth(a: Requirement, b: Requirement): Range {
  const [one, other] = [a, b].map(({ keys }) => keys[0] as Range) as [Range, Range]
  const inner = (x: unknown, y: unknown, sign: 1 | -1): unknown =>
    x === undefined || (y !== undefined && compareIn(a)(x, y) * sign < 0) ? y : x
  return { lower: inner(one.lower, other.lower, 1), upper: inner(one.upper, other.upper, -1) }
}

/** The key of a value that has no order here, and that a comparison may select: a text that is not a day, a fraction in a field of integers. */
export const unplaced = Symbol('unplaced')

function keyOf({ test, of }: Requirement, value: unknown): unknown {
  if (of === 'presence') return true
  if (of === 'lowerCase') return typeof value === 'string' ? simpleLowerCase(value) : undefined
  const type = of as LiteralType
  // The evaluator compares these texts without converting them.
  if (typeof value === 'string' && (type === 'string' || type === 'time')) return value
  if (test === 'value') return canonicalOf[type](value)
  return canonicalOf[type](value) ?? (hasForm[type](value) ? unplaced : undefined)
}

/** Converts a `Date` of another realm or class. It returns other values unchanged. */
function withoutClass(value: unknown): unknown {
  if (typeof value !== 'object') return value
  try {
    return new Date(Date.prototype.getTime.call(value))
  } catch {
    return value
  }
}

/** Reads the keys of a row for a requirement, each once. The caller ignores `undefined`. */
export function keysIn(row: unknown, requirement: Requirement): Iterable<unknown> {
  const { test, of, steps } = requirement
  const read = (outer: unknown): readonly unknown[] => {
    const value = valueAt(outer, steps.at(-1)!)
    if (test === 'part') return typeof value === 'string' ? partsOf(simpleLowerCase(value), of as number) : []
    return value === undefined || value === null ? [] : [keyOf(requirement, withoutClass(value))]
  }
  if (steps.length === 1 && test !== 'part') return read(row)
  let values = [row]
  for (let at = 0; at < steps.length - 1; at++)
    values = values.flatMap((value) => {
      const list = valueAt(value, steps[at]!)
      return Array.isArray(list) ? (list as unknown[]) : []
    })
  return new Set(values.flatMap(read))
}
