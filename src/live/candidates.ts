/**
 * A tree of the saved filters. A branch contains few filters, or divides them by their requirements. `visit` follows the requirements that a
 * row meets, and visits the filters at their ends. It visits a filter without requirements for every row.
 */
import type { Filter } from '../tree/index.ts'
import { rangesOf, type Ranges } from './ranges.ts'
import { alternativesOf, compareIn, isExact, keysIn, nameOf, unplaced } from './requirement.ts'
import type { Alternative, Range, Requirement } from './requirement.ts'

/** A saved filter, or one of its alternatives. */
export interface Candidate {
  readonly filter: Filter
  /** `undefined` if the filter has one alternative. The tree computes it again, which costs less than the memory. */
  readonly alternative: Alternative | undefined
}

interface Branch<C> {
  /** A candidate has a filter, so this tells a branch from a candidate. */
  readonly filter: undefined
  size: number
  /** The candidates that `visit` always visits in this branch. */
  readonly here: Set<C>
  /** Tables by the name of their requirement. A branch with few filters has none. */
  tables: Map<string, Table<C>> | undefined
}
type Bucket<C> = C | Branch<C>

/** The candidates of a branch that share the test and the place of a requirement, by its keys. */
interface Table<C> {
  readonly requirement: Requirement
  /** A candidate of several tables is in the earliest one, so that `delete` finds it. */
  readonly order: number
  readonly buckets: Map<unknown, Bucket<C>> | Ranges<Bucket<C>>
}

/** A branch with more candidates divides them. */
const mostUndivided = 16
/** The most buckets that contain one alternative: the product of the numbers of keys of its requirements. */
const mostBuckets = 1_024

/** A requirement with its name. */
interface Named {
  readonly name: string
  readonly requirement: Requirement
  /** The number of buckets that contain it. A text is in one, that of its rarest part, because a row must contain all parts. */
  readonly width: number
  /** A requirement of a smaller rank excludes more rows. */
  readonly rank: number
}

/** The requirements of a candidate that no outer branch uses, and the number of buckets that they may fill. */
interface Rest {
  readonly all: readonly Named[]
  readonly room: number
}

const restOf = ({ filter, alternative = alternativesOf(filter)[0]! }: Candidate): Rest => ({
  all: alternative.map((requirement) => {
    const { test, of, keys } = requirement
    const rank = test === 'range' ? 1 : of === 'presence' ? 2 : 0
    return { name: nameOf(requirement), requirement, width: test === 'part' ? 1 : keys.length, rank }
  }),
  room: mostBuckets,
})
const restAfter = ({ all, room }: Rest, used: string): Rest => ({
  all: all.filter(({ name }) => name !== used),
  room: room / (all.find(({ name }) => name === used)?.width ?? 1),
})

/** @param met the number of requirements of the candidate that the row surely meets. @returns whether to visit the next candidate. */
export type Receive<C> = (candidate: C, met: number) => boolean

/** Candidates in a tree. */
export interface Candidates<C> {
  add(candidate: C): void
  delete(candidate: C): void
  /**
   * Visits each candidate whose filter may select the row, some more than once, until `receive` returns false.
   *
   * @returns whether it visited all.
   */
  visit(row: unknown, receive: Receive<C>): boolean
}

export function candidates<C extends Candidate>(): Candidates<C> {
  const newBranch = (...here: C[]): Branch<C> => ({
    ...{ filter: undefined, size: here.length, here: new Set(here), tables: undefined },
  })
  const isBranch = (bucket: Bucket<C>): bucket is Branch<C> => bucket.filter === undefined
  const sizeOf = (bucket: Bucket<C> | undefined): number =>
    bucket === undefined ? 0 : isBranch(bucket) ? bucket.size : 1
  let order = 0

  /** Selects the requirement by which a branch files a candidate. */
  function chosen({ tables }: Branch<C>, { all, room }: Rest): Named | undefined {
    if (tables === undefined) return undefined
    const orderOf = ({ name }: Named) => tables.get(name)?.order ?? Infinity
    let best: Named | undefined
    for (const one of all)
      if (one.width <= room && (best === undefined || (one.rank - best.rank || orderOf(one) - orderOf(best)) < 0))
        best = one
    return best
  }

  function tableOf({ tables }: Branch<C>, { name, requirement }: Named): Table<C> {
    const before = tables!.get(name)
    if (before !== undefined) return before
    const buckets = requirement.test === 'range' ? rangesOf<Bucket<C>>(compareIn(requirement)) : new Map()
    const table: Table<C> = { requirement, order: order++, buckets }
    tables!.set(name, table)
    return table
  }

  /** Adds a candidate to a branch. @param used the names of the requirements of the outer branches. */
  function add(branch: Branch<C>, candidate: C, rest: Rest, used: readonly string[]): void {
    branch.size++
    const by = chosen(branch, rest)
    if (by === undefined) {
      branch.here.add(candidate)
      if (branch.tables === undefined && branch.size > mostUndivided) divide(branch, used)
      return
    }
    const { buckets } = tableOf(branch, by)
    const { test, keys } = by.requirement
    const at = (key: unknown) => buckets.get(key as Range)
    const rarest = () => keys.reduce((best, key) => (sizeOf(at(key)) < sizeOf(at(best)) ? key : best))
    for (const key of test === 'part' ? [rarest()] : keys) {
      const bucket = at(key)
      const inner = bucket === undefined || isBranch(bucket) ? bucket : newBranch(bucket)
      if (inner !== undefined) add(inner, candidate, restAfter(rest, by.name), [...used, by.name])
      if (inner !== bucket || bucket === undefined) buckets.set(key as Range, inner ?? candidate)
    }
  }

  /** Divides a branch. The table of the requirement with the most keys comes first. */
  function divide(branch: Branch<C>, used: readonly string[]): void {
    const rests = Array.from(
      branch.here,
      (candidate) => [candidate, used.reduce(restAfter, restOf(candidate))] as const,
    )
    const named = rests.flatMap(([, { all }]) => all)
    const keys = Map.groupBy(named, ({ name }) => name)
    const keysOf = ({ name }: Named): number =>
      new Set(keys.get(name)!.flatMap(({ requirement, width }) => requirement.keys.slice(0, width))).size
    branch.tables = new Map()
    for (const [one] of [...keys.values()].sort(([a], [b]) => keysOf(b!) - keysOf(a!))) tableOf(branch, one!)
    branch.here.clear()
    branch.size = 0
    for (const [candidate, rest] of rests) add(branch, candidate, rest, used)
    for (const [name, { buckets }] of branch.tables) if (buckets.size === 0) branch.tables.delete(name)
  }

  /** Removes a candidate. @returns whether the branch contained it. */
  function remove(branch: Branch<C>, candidate: C, rest: Rest): boolean {
    let isThere = branch.here.delete(candidate)
    const by = chosen(branch, rest)
    const buckets = by && branch.tables!.get(by.name)?.buckets
    if (!isThere && buckets !== undefined) {
      for (const key of by!.requirement.keys as readonly Range[]) {
        const bucket = buckets.get(key)
        if (bucket === candidate) buckets.delete(key)
        else if (bucket === undefined || !isBranch(bucket) || !remove(bucket, candidate, restAfter(rest, by!.name)))
          continue
        else if (bucket.size === 0) buckets.delete(key)
        isThere = true
      }
      if (buckets.size === 0) branch.tables!.delete(by!.name)
    }
    if (isThere && --branch.size === 0) branch.tables = undefined
    return isThere
  }

  function visit(bucket: Bucket<C>, row: unknown, met: number, receive: Receive<C>): boolean {
    if (!isBranch(bucket)) return receive(bucket, met)
    for (const one of bucket.here) if (!receive(one, met)) return false
    for (const { requirement, buckets } of bucket.tables?.values() ?? []) {
      const isSure = isExact(requirement)
      const inner = (one: Bucket<C> | undefined, isMet: boolean): boolean =>
        one === undefined || visit(one, row, isMet && isSure ? met + 1 : met, receive)
      for (const key of keysIn(row, requirement)) {
        if (key === undefined) continue
        const isWhole =
          key === unplaced
            ? Array.from(buckets.values()).every((one) => inner(one, false))
            : requirement.test === 'range'
              ? (buckets as Ranges<Bucket<C>>).around(key, inner)
              : inner(buckets.get(key as Range), true)
        if (!isWhole) return false
      }
    }
    return true
  }

  const root = newBranch()
  return {
    add: (candidate) => add(root, candidate, restOf(candidate), []),
    delete: (candidate) => void remove(root, candidate, restOf(candidate)),
    visit: (row, receive) => visit(root, row, 0, receive),
  }
}
