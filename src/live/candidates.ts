/**
 * The saved filters as a tree: a branch has few filters, or divides them by their requirements. A row is led to the filters of which it
 * meets a requirement on each level, and these are asked. A filter that requires nothing is asked for every row.
 */
import type { Filter } from '../tree/index.ts'
import { rangesOf, type Ranges } from './ranges.ts'
import { alternativesOf, compareIn, keysIn, nameOf, unplaced } from './requirement.ts'
import type { Alternative, Range, Requirement } from './requirement.ts'

/** A saved filter, or one of its alternatives. */
export interface Candidate {
  readonly filter: Filter
  /** `undefined` where the filter has one: to read it again costs less than the memory. */
  readonly alternative: Alternative | undefined
}

interface Branch<C> {
  /** A candidate has one. */
  readonly filter: undefined
  size: number
  /** Those that are asked here. */
  readonly here: Set<C>
  /** By the name of the requirement; absent where the branch has few filters. */
  tables: Map<string, Table<C>> | undefined
}
type Bucket<C> = C | Branch<C>

/** The candidates of a branch that share the test and the place of a requirement, by its keys. */
interface Table<C> {
  readonly requirement: Requirement
  /** The earliest table gets a candidate of several, so that it is found again. */
  readonly order: number
  readonly buckets: Map<unknown, Bucket<C>> | Ranges<Bucket<C>>
}

/** More candidates than this divide a branch. */
const mostUndivided = 16
/** An alternative is in so many buckets at most: the product of the keys of its requirements. */
const mostBuckets = 1_024

/** A requirement with its name. */
interface Named {
  readonly name: string
  readonly requirement: Requirement
  /** In how many buckets it is. A text has all of its parts: the rarest one finds it. */
  readonly width: number
  /** Requirements of a smaller rank exclude more. */
  readonly rank: number
}

/** The requirements of a candidate that no branch around it uses, and how many buckets they may fill. */
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

/** Candidates in a tree. */
export interface Candidates<C> {
  add(candidate: C): void
  delete(candidate: C): void
  /** Visits each candidate whose filter may select the row, some more than once. */
  visit(row: unknown, ask: (candidate: C) => void): void
}

export function candidates<C extends Candidate>(): Candidates<C> {
  const newBranch = (...here: C[]): Branch<C> => ({
    ...{ filter: undefined, size: here.length, here: new Set(here), tables: undefined },
  })
  const isBranch = (bucket: Bucket<C>): bucket is Branch<C> => bucket.filter === undefined
  const sizeOf = (bucket: Bucket<C> | undefined): number =>
    bucket === undefined ? 0 : isBranch(bucket) ? bucket.size : 1
  let order = 0

  /** The requirement by which a divided branch divides a candidate. */
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

  /** @param used the names of the requirements that lead to the branch. */
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

  /** Divides a branch: first by the requirement with the most keys. */
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

  /** @returns whether it was there. */
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

  function visit(bucket: Bucket<C>, row: unknown, ask: (candidate: C) => void): void {
    if (!isBranch(bucket)) return ask(bucket)
    const inner = (one: Bucket<C> | undefined): void => {
      if (one !== undefined) visit(one, row, ask)
    }
    bucket.here.forEach(ask)
    bucket.tables?.forEach(({ requirement, buckets }) => {
      for (const key of keysIn(row, requirement))
        if (key === undefined) continue
        else if (key === unplaced) buckets.forEach(inner)
        else if (requirement.test === 'range') (buckets as Ranges<Bucket<C>>).around(key, inner)
        else inner(buckets.get(key as Range))
    })
  }

  const root = newBranch()
  return {
    add: (candidate) => add(root, candidate, restOf(candidate), []),
    delete: (candidate) => void remove(root, candidate, restOf(candidate)),
    visit: (row, ask) => visit(root, row, ask),
  }
}
