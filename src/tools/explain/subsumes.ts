/** Whether one filter selects every row that another one selects: a proof, or a row that shows otherwise. */
import { checkFilter, presence, type EntryCount, type Filter, type Presence, type Some } from '../../tree/index.ts'
import { memoryBackend } from '../../backends/memory/index.ts'
import { typeOf, type Condition, type Leaf } from '../../backends/issues.ts'
import { isSpent, type Budget } from './demand.ts'
import { witnessOf, type Witness } from './witness.ts'

/** The result of {@link subsumes}: a proof for rows with valid values, a row as counter-example, or neither. */
export type Subsumption =
  { readonly subsumes: true } | { readonly subsumes: false; readonly row: unknown } | { readonly subsumes: undefined }

/** The most entries of a counter-example: a longer one is unreadable. */
const mostCounted = 1_000

/** A filter that must be true, or must be false. */
interface Goal<F extends Filter = Filter> {
  readonly filter: F
  readonly isWanted: boolean
}
/** How many combinations of alternatives, and entries of lists, a search tries before it gives up. */
const mostSearches = 10_000
/** How many tests of a value a search makes: a bound of a second or two for large filters of strangers. */
const mostTests = 20_000_000
/** The cost of a group or a condition, in tests, … */
const testsOfGoal = 50
/** … of each name of a path, … */
const testsOfName = 3
/** … and of each letter of a long name: the engine compares it with the names beside it. */
const testsOfLetterOfName = 1 / 512
const longestName = 1_000

const { compile } = memoryBackend({ codegen: false })

/**
 * Tests whether `wide` selects every row that `narrow` selects, for all possible rows: for tests of restrictions, for caches, for checks
 * of policies without data.
 *
 * A proof covers rows with valid values for the types in the filters, as the memory backend reads them. These values are not valid: a
 * text with a lone surrogate, an integer with a fraction or beyond ±(2^53 − 1), NaN, an infinity, a text that is not a uuid, the date
 * 2024-02-30, a time outside the years 0001 to 9999 in UTC. `narrow` can select a row with an invalid value that `wide` does not select.
 * A proof does not replace a restriction: compile `and(restriction, filter)`.
 *
 * It always finds an answer for conjunctions of comparisons, memberships, matches at the start of a text and presence, also inside one
 * entry of a list. It may return `undefined` for matches elsewhere in a text, for fields that a filter reads as several types, for
 * thousands of alternatives, and for filters that would need more than a second or two.
 *
 * @returns `subsumes` is `true`, `false` with a `row` that `narrow` selects and `wide` does not, or `undefined`.
 * @throws TypeError when an argument is not a filter.
 * @example
 * const o = where(orders)
 * subsumes(o.gte('total', 10), o.range('total', 20, 30)) // => { subsumes: true }
 * subsumes(o.range('total', 20, 30), o.gte('total', 10)) // => { subsumes: false, row: { total: 10 } }
 */
export function subsumes(wide: Filter, narrow: Filter): Subsumption {
  const [around, within] = [checkFilter(wide, 'wide'), checkFilter(narrow, 'narrow')]
  const goals = [
    { filter: within, isWanted: true },
    { filter: around, isWanted: false },
  ]
  const witness = search(goals, { searches: mostSearches, tests: mostTests })
  if (typeof witness === 'string') return { subsumes: witness === 'none' ? true : undefined }
  const row = witness.value
  return compile(within)(row) && !compile(around)(row) ? { subsumes: false, row } : { subsumes: undefined }
}

/** A row, or an entry of a list, that meets all goals. The search replaces groups by their members until only conditions are left. */
function search(goals: readonly Goal[], budget: Budget): Witness {
  if (isSpent(budget)) return 'unknown'
  budget.searches--
  // Searches in searches have a goal more each, so this also keeps them from nesting deeper than the stack.
  budget.tests -= testsOfGoal * goals.length
  const todo = [...goals]
  const conditions: Goal<Leaf | Some>[] = []
  for (let goal = todo.pop(); goal !== undefined; goal = todo.pop()) {
    const { filter, isWanted } = goal
    switch (filter.kind) {
      case 'not':
        todo.push({ filter: filter.filter, isWanted: !isWanted })
        break
      case 'and':
      case 'or':
        if ((filter.kind === 'and') !== isWanted) {
          const find = (part: Filter) => search([...conditions, ...todo, { filter: part, isWanted }], budget)
          return firstOf(filter.filters, budget, find)
        }
        budget.tests -= testsOfGoal * filter.filters.length
        for (const part of filter.filters) todo.push({ filter: part, isWanted })
        break
      case 'membership':
        if (filter.operands.length > 0) conditions.push({ filter, isWanted })
        else if (isWanted) return 'none'
        break
      case 'count': {
        const { operator, operand } = filter
        if (operator === 'lte')
          todo.push({ filter: { ...filter, operator: 'gte', operand: operand + 1 }, isWanted: !isWanted })
        else if (operand > 0) conditions.push({ filter, isWanted })
        else if (!isWanted) return 'none'
        break
      }
      default:
        conditions.push({ filter, isWanted })
    }
  }
  return rowOf(conditions, budget)
}

/** A value for the first alternative that has one. */
function firstOf<T>(alternatives: readonly T[], budget: Budget, find: (alternative: T) => Witness): Witness {
  let all: Witness = 'none'
  for (const alternative of alternatives) {
    if (isSpent(budget)) return 'unknown'
    const witness = find(alternative)
    if (typeof witness === 'object') return witness
    if (witness === 'unknown') all = 'unknown'
  }
  return all
}

/** A list of values, one for each demand. */
function allOf<T>(demands: readonly T[], budget: Budget, find: (demand: T) => Witness): Witness {
  const values: unknown[] = []
  let isKnown = true
  for (const demand of demands) {
    if (isSpent(budget)) return 'unknown'
    const witness = find(demand)
    if (witness === 'none') return 'none'
    if (witness === 'unknown') isKnown = false
    else values.push(witness.value)
  }
  return isKnown ? { value: values } : 'unknown'
}

/**
 * The goals of the value at one path.
 *
 * @param around the index of the place around. The row has -1.
 */
const newPlace = (name: string, around: number) => ({
  name,
  around,
  /** The indexes of the places inside, by name. */
  inside: new Map<string, number>(),
  goals: [] as Goal<Leaf | Some>[],
  /** Whether one of the goals needs a value here. */
  isWanted: false,
  /** Whether a place inside needs a value, and so this one an object. */
  isObject: false,
})
type ValueGoals = ReturnType<typeof newPlace>

/** The places of conditions: the row first, and each object before the places inside. */
function placesOf(conditions: readonly Goal<Leaf | Some>[], budget: Budget): readonly ValueGoals[] {
  const places = [newPlace('', -1)]
  for (const goal of conditions) {
    let at = 0
    for (const name of goal.filter.path) {
      const { inside } = places[at]!
      budget.tests -= testsOfName
      if (name.length > longestName) budget.tests -= testsOfLetterOfName * name.length * inside.size
      const next = inside.get(name)
      if (next === undefined) inside.set(name, places.push(newPlace(name, at)) - 1)
      at = next ?? places.length - 1
    }
    const place = places[at]!
    place.goals.push(goal)
    place.isWanted ||= goal.isWanted
  }
  for (const { around, isWanted, isObject } of places.toReversed())
    if (around >= 0 && (isWanted || isObject)) places[around]!.isObject = true
  return places
}

/** A row that meets conditions. Only an object and the values inside depend on each other. */
function rowOf(conditions: readonly Goal<Leaf | Some>[], budget: Budget): Witness {
  const places = placesOf(conditions, budget)
  const witness = allOf(places, budget, (place) => valueAt(place, budget))
  if (typeof witness === 'string') return witness
  const values = witness.value as readonly unknown[]
  for (const [at, { name, around }] of places.entries())
    if (around >= 0 && values[at] !== undefined) (values[around] as Record<string, unknown>)[name] = values[at]
  // A row whose goals exclude objects is null.
  return { value: values[0] ?? (places[0]!.goals.length > 0 ? null : {}) }
}

/** The value at a place, without the places inside; `undefined` where no goal needs one. */
function valueAt({ goals, isWanted, isObject }: ValueGoals, budget: Budget): Witness {
  if (goals.length === 0) return { value: isObject ? {} : undefined }
  const demands = [...(isWanted ? [goals] : []), ...(isObject ? [[...goals, isAnObject]] : [])]
  const witness = allOf(demands, budget, (demand) => valueOf(demand, budget))
  return typeof witness === 'string' ? witness : { value: (witness.value as readonly unknown[]).at(-1) }
}

/** A place with a wanted field inside must be an object, too. */
const isAnObject: Goal<Condition> = { filter: /* @__PURE__ */ presence([], 'object'), isWanted: true }

/** A value for a place with wanted goals. */
function valueOf(goals: ValueGoals['goals'], budget: Budget): Witness {
  const lists = goals.filter((goal) => goal.filter.kind === 'some') as readonly Goal<Some>[]
  const counts = goals.filter((goal) => goal.filter.kind === 'count') as readonly Goal<EntryCount>[]
  if (lists.length + counts.length === goals.length) return listFor(lists, counts, budget)
  if (lists.length + counts.length > 0) return 'unknown'
  const of = (isWanted: boolean) =>
    (goals as readonly Goal<Condition>[]).flatMap((goal) => (goal.isWanted === isWanted ? [goal.filter] : []))
  const [wanted, unwanted] = [of(true), of(false)]
  const type = commonType(new Set([...wanted, ...unwanted].map((condition) => typeOf(condition)!)))
  return type === undefined ? 'unknown' : witnessOf(type, { wanted, unwanted }, budget)
}

function commonType(types: ReadonlySet<Presence['type']>): Presence['type'] | undefined {
  const [first, ...others] = types
  if (others.length === 0) return first
  return others.length === 1 && types.has('integer') && types.has('number') ? 'number' : undefined
}

/**
 * A list with one entry for each wanted filter, of which none meets an unwanted one. Entries do not depend on each other.
 *
 * @param counts with `gte`: a wanted one adds entries that have a value.
 */
function listFor(goals: readonly Goal<Some>[], counts: readonly Goal<EntryCount>[], budget: Budget): Witness {
  const inner = goals.map(({ filter, isWanted }) => ({ filter: filter.filter, isWanted }))
  const unwanted = inner.filter(({ isWanted }) => !isWanted)
  const witness = allOf(
    inner.filter(({ isWanted }) => isWanted),
    budget,
    (goal) => search([goal, ...unwanted], budget),
  )
  const [first] = counts
  if (typeof witness === 'string' || first === undefined) return witness
  const { type } = first.filter
  if (counts.some(({ filter }) => filter.type !== type)) return 'unknown'
  const operands = (isWanted: boolean) =>
    counts.flatMap((goal) => (goal.isWanted === isWanted ? [goal.filter.operand] : []))
  const [least, tooMany] = [Math.max(0, ...operands(true)), Math.min(Infinity, ...operands(false))]
  if (least >= tooMany) return 'none'
  const present = presence([], type)
  const values = witness.value as readonly unknown[]
  const missing = Math.max(0, least - values.filter(compile(present)).length)
  if (missing > mostCounted) return 'unknown'
  const added = missing === 0 ? witness : search([{ filter: present, isWanted: true }, ...unwanted], budget)
  if (typeof added === 'string') return added
  const list = [...values, ...Array.from({ length: missing }, () => added.value)]
  // One entry may do for two wanted filters.
  return list.filter(compile(present)).length < tooMany ? { value: list } : 'unknown'
}
