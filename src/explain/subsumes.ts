/** Whether one filter selects every row that another one selects: a proof, or a row that shows otherwise. */
import { checkFilter, presence, type Filter, type LiteralType, type Path, type Some } from '../ast/index.ts'
import { memoryBackend } from '../backends/memory/index.ts'
import { typeOf, witnessOf, type Budget, type Condition } from './witness.ts'

/** What {@link subsumes} found: a proof, a row that is a counter-example, or neither. */
export type Subsumption =
  { readonly subsumes: true } | { readonly subsumes: false; readonly row: unknown } | { readonly subsumes: undefined }

/** A filter that must be true, or must be false. */
interface Goal<F extends Filter = Filter> {
  readonly filter: F
  readonly isWanted: boolean
}
/** A value that meets goals; `none` when there is provably none; `unknown` when the search gave up. */
type Found = { readonly value: unknown } | 'none' | 'unknown'

/** So many combinations of alternatives, and entries of lists, are looked at before the search gives up. */
const mostSearches = 10_000
/** So many tests of a value are made: large filters of strangers take a second or two. */
const mostTests = 20_000_000
/** To look at a condition takes as long as so many tests. */
const testsOfGoal = 50

const { compile } = memoryBackend({ codegen: false })

/**
 * Whether every row that the filter `narrow` selects is selected by the filter `wide`, whatever the rows are: for tests of
 * restrictions, for caches, for checks of policies without data. Rows are as the memory backend reads them, with good
 * content for the types that the filters name.
 *
 * It always finds out for conjunctions of comparisons, memberships, matches at the start of a text and presence, also of
 * one entry of a list. It may find nothing out about matches elsewhere in a text, about fields that a filter reads as
 * several types, and about thousands of alternatives.
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
  const found = search(goals, { searches: mostSearches, tests: mostTests })
  if (typeof found === 'string') return { subsumes: found === 'none' ? true : undefined }
  const row = found.value
  return compile(within)(row) && !compile(around)(row) ? { subsumes: false, row } : { subsumes: undefined }
}

/** A row, or an entry of a list, that meets all goals. Groups are taken apart until conditions are left. */
function search(goals: readonly Goal[], budget: Budget): Found {
  if (isSpent(budget)) return 'unknown'
  budget.searches--
  // Searches in searches have a goal more each, so this also keeps them from nesting deeper than the stack.
  budget.tests -= testsOfGoal * goals.length
  const todo = [...goals]
  const conditions: Goal<Condition | Some>[] = []
  for (let goal = todo.pop(); goal !== undefined; goal = todo.pop()) {
    const { filter, isWanted } = goal
    switch (filter.kind) {
      case 'not':
        todo.push({ filter: filter.filter, isWanted: !isWanted })
        break
      case 'and':
      case 'or': {
        const parts = filter.filters.map((part) => ({ filter: part, isWanted }))
        if ((filter.kind === 'and') === isWanted) todo.push(...parts)
        else return firstOf(parts, budget, (part) => search([...conditions, ...todo, part], budget))
        break
      }
      case 'membership':
        if (filter.operands.length > 0) conditions.push({ filter, isWanted })
        else if (isWanted) return 'none'
        break
      default:
        conditions.push({ filter, isWanted })
    }
  }
  return rowOf(conditions, budget)
}

const isSpent = ({ searches, tests }: Budget): boolean => searches <= 0 || tests <= 0

/** The first alternative that can be met. */
function firstOf<T>(alternatives: readonly T[], budget: Budget, find: (alternative: T) => Found): Found {
  let all: Found = 'none'
  for (const alternative of alternatives) {
    if (isSpent(budget)) return 'unknown'
    const found = find(alternative)
    if (typeof found === 'object') return found
    if (found === 'unknown') all = 'unknown'
  }
  return all
}

/** What is asked of the value at one path. */
interface Place {
  readonly path: Path
  readonly goals: readonly Goal<Condition | Some>[]
  readonly isWanted: boolean
}

/** A row that meets conditions: the values at its paths do not depend on each other, but for objects and what is in them. */
function rowOf(conditions: readonly Goal<Condition | Some>[], budget: Budget): Found {
  const places: readonly Place[] = Array.from(
    Map.groupBy(conditions, ({ filter }) => JSON.stringify(filter.path)).values(),
    (goals) => ({ path: goals[0]!.filter.path, goals, isWanted: goals.some(({ isWanted }) => isWanted) }),
  )
  // Objects before what is in them.
  const wanted = places.filter(({ isWanted }) => isWanted).toSorted((a, b) => a.path.length - b.path.length)
  const around = new Set(wanted.flatMap(({ path }) => path.map((_, length) => JSON.stringify(path.slice(0, length)))))
  const outer = places.filter(({ path }) => around.has(JSON.stringify(path)))
  const found = [...wanted, ...outer.map(asObject)].map(({ goals }) => valueOf(goals, budget))
  if (found.includes('none')) return 'none'
  if (found.includes('unknown')) return 'unknown'

  // What is itself asked about, and has no value, must not be an object.
  const isNull = places.some(({ path }) => path.length === 0)
  const whole: Record<string, unknown> = { row: isNull ? null : {} }
  for (const [at, { path }] of wanted.entries())
    setValue(whole, ['row', ...path], (found[at] as { value: unknown }).value)
  return { value: whole.row }
}

/** What has a wanted field in it must be an object, too. */
const asObject = ({ path, goals }: Place): Pick<Place, 'goals'> => ({
  goals: [...goals, { filter: presence(path, 'object'), isWanted: true }],
})

/** A value for a place where something is wanted. */
function valueOf(goals: Place['goals'], budget: Budget): Found {
  const isSome = (goal: Goal<Condition | Some>): goal is Goal<Some> => goal.filter.kind === 'some'
  const lists = goals.filter(isSome)
  if (lists.length === goals.length) return listOf(lists, budget)
  if (lists.length > 0) return 'unknown'
  const of = (isWanted: boolean) =>
    (goals as readonly Goal<Condition>[]).flatMap((goal) => (goal.isWanted === isWanted ? [goal.filter] : []))
  const [wanted, unwanted] = [of(true), of(false)]
  const type = commonType(new Set([...wanted, ...unwanted].map(typeOf)))
  return type === undefined ? 'unknown' : witnessOf(type, { wanted, unwanted }, budget)
}

function commonType(types: ReadonlySet<LiteralType | 'object'>): LiteralType | 'object' | undefined {
  const [first, ...others] = types
  if (others.length === 0) return first
  return others.length === 1 && types.has('integer') && types.has('number') ? 'number' : undefined
}

/** A list with one entry for each wanted filter, of which none meets an unwanted one. Entries do not depend on each other. */
function listOf(goals: readonly Goal<Some>[], budget: Budget): Found {
  const inner = goals.map(({ filter, isWanted }) => ({ filter: filter.filter, isWanted }))
  const unwanted = inner.filter(({ isWanted }) => !isWanted)
  const entries = inner.filter(({ isWanted }) => isWanted).map((goal) => search([goal, ...unwanted], budget))
  if (entries.includes('none')) return 'none'
  if (entries.includes('unknown')) return 'unknown'
  return { value: entries.map((entry) => (entry as { value: unknown }).value) }
}

/** Puts a value at a path of an object. */
function setValue(object: Record<string, unknown>, [name, ...rest]: Path, value: unknown): void {
  if (rest.length === 0) object[name!] = value
  else setValue((Object.hasOwn(object, name!) ? object[name!] : (object[name!] = {})) as typeof object, rest, value)
}
