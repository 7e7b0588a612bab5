/** Finds the filters that select a row, and compares a change of a row with filters. */
import { memoryBackend, type Predicate } from '../backends/memory/index.ts'
import { checkFilter, type Filter } from '../tree/index.ts'
import { candidates, type Candidate } from './candidates.ts'
import { alternativesOf, isConjunction } from './requirement.ts'

/** The ids of the filters that a change of a row concerns, in any order. */
export interface Changes<Id> {
  /** Of the filters that select the row after the change alone. */
  readonly entered: readonly Id[]
  /** Of the filters that select the row before the change alone. */
  readonly left: readonly Id[]
  /** Of the filters that select the row before and after the change. */
  readonly stayed: readonly Id[]
}

/** Filters by id. */
export interface Matcher<Id> {
  /** The number of filters. */
  readonly size: number
  /**
   * Adds a filter, or replaces the filter of the id. Ids are compared as keys of a `Map` are.
   *
   * @throws TypeError when `filter` is not a filter. Then the id keeps its filter.
   */
  add(id: Id, filter: Filter): void
  /** @returns whether the id had a filter. */
  delete(id: Id): boolean
  /** @returns the ids whose filters select the row, each once, in any order. */
  match(row: unknown): Id[]
  /**
   * @param before the row before the change; `undefined` for an insert.
   * @param after the row after the change; `undefined` for a delete.
   */
  changes(before: unknown, after: unknown): Changes<Id>
}

/** A saved filter. If it has one alternative, it is the candidate of the tree, and has no `places`. */
interface Saved<Id> extends Place<Id> {
  readonly id: Id
  readonly matches: Predicate
  readonly places: readonly Place<Id>[] | undefined
  /** The number of requirements that make the filter select a row; -1 if the matcher has to evaluate the filter. */
  readonly enough: number
  /** The number of the last call that evaluated it, so that each call evaluates it once. */
  lastCall: number
}
interface Place<Id> extends Candidate {
  /** The filter of the place. `undefined` if the place is the saved filter. */
  readonly saved: Saved<Id> | undefined
}

const compile = (filter: Filter): Predicate => memoryBackend().compile(filter)

/**
 * Finds the filters that select a row. It evaluates only those whose conditions the row may satisfy, so that thousands of saved filters
 * cost little more than those that select the row. The result is that of `memoryBackend().compile(filter)(row)`.
 *
 * @typeParam Id the type of the ids: any value.
 * @example
 * const saved = matcher<string>()
 * saved.add('alert-7', where(orders).gte('total', 100))
 * saved.match({ total: 120 }) // => ['alert-7']
 * saved.changes({ total: 120 }, { total: 90 }).left // => ['alert-7']
 */
export function matcher<Id = string>(): Matcher<Id> {
  const byId = new Map<Id, Saved<Id>>()
  const tree = candidates<Place<Id>>()
  let calls = 0

  const placesOf = (saved: Saved<Id>): readonly Place<Id>[] => saved.places ?? [saved]
  const remove = (id: Id): boolean => {
    const saved = byId.get(id)
    if (saved !== undefined) placesOf(saved).forEach(tree.delete)
    return byId.delete(id)
  }
  const match = (row: unknown): Id[] => {
    const call = ++calls
    const found: Id[] = []
    let left = Math.max(16, byId.size / 16)
    const add = (saved: Saved<Id>, isSure: boolean): void => {
      saved.lastCall = call
      if (isSure || saved.matches(row)) found.push(saved.id)
    }
    const isWhole = tree.visit(row, (place, met) => {
      const saved = place.saved ?? (place as Saved<Id>)
      if (saved.lastCall !== call) add(saved, met === saved.enough)
      return --left > 0
    })
    // For so many, asking all in the order of adding is faster: a processor reads consecutive memory ahead.
    if (!isWhole) for (const saved of byId.values()) if (saved.lastCall !== call) add(saved, false)
    return found
  }
  const idsIn = (row: unknown): ReadonlySet<Id> => new Set(row === undefined ? [] : match(row))

  return {
    get size() {
      return byId.size
    },
    add(id, filter) {
      const checked = checkFilter(filter)
      const matches = compile(checked)
      const all = alternativesOf(checked)
      const places: Place<Id>[] | undefined = all.length === 1 ? undefined : []
      const saved: Saved<Id> = {
        id,
        matches,
        places,
        enough: isConjunction(checked) && all.length === 1 ? all[0]!.length : -1,
        lastCall: 0,
        filter: checked,
        alternative: undefined,
        saved: undefined,
      }
      if (places !== undefined) for (const alternative of all) places.push({ filter: checked, alternative, saved })
      remove(id)
      byId.set(id, saved)
      placesOf(saved).forEach(tree.add)
    },
    delete: remove,
    match,
    changes(before, after) {
      const [old, now] = [idsIn(before), idsIn(after)]
      return {
        entered: [...now].filter((id) => !old.has(id)),
        left: [...old].filter((id) => !now.has(id)),
        stayed: [...now].filter((id) => old.has(id)),
      }
    },
  }
}

/** How a change concerns a filter. `outside`: the filter selects the row neither before nor after the change. */
export type Transition = 'entered' | 'left' | 'stayed' | 'outside'

/**
 * Compares a change of a row with one filter.
 *
 * @param before the row before the change; `undefined` for an insert.
 * @param after the row after the change; `undefined` for a delete.
 * @throws TypeError when `filter` is not a filter.
 * @example transition(where(orders).gte('total', 100), { total: 90 }, { total: 120 }) // => 'entered'
 */
export function transition(filter: Filter, before: unknown, after: unknown): Transition {
  const matches = compile(filter)
  const [was, is] = [before, after].map((row) => row !== undefined && matches(row))
  return was ? (is ? 'stayed' : 'left') : is ? 'entered' : 'outside'
}
