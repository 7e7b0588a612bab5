/** Filter → the pairs that express it without groups: a path has each operator once, so a search assigns operators to conditions. */
import { children, sameTree, unchecked } from '../tree/index.ts'
import type { And, Filter, Not, Or, Path, Some } from '../tree/index.ts'
import { operatorNamed, type OperatorRow, type ResolvedField, type Schema, type GroupWords } from '../language/index.ts'
import { combine, newCondition, type BoundCondition, type BoundMember } from '../query/index.ts'
import { isName } from '../writing/index.ts'
import { candidatesFor, type Allows, type Atom, type Conditions } from './candidates.ts'

/** Where a part of a filter is expressed. */
export interface Scope {
  /** The fields; in a group after the path of a list, those of its entries. */
  readonly schema: Schema
  readonly allows: Allows
  readonly words: GroupWords
  readonly isInGroup: boolean
  /** The number of groups around the part. */
  readonly depth: number
  /** Collects the filters that cannot be expressed. */
  readonly inexpressible: Filter[]
}

/** Whether members read as a filter. */
export const isExpressed = (members: readonly BoundMember[], filter: Filter): boolean =>
  sameTree(combine(members), filter)

/** The pairs that express a filter; `undefined` if pairs cannot. Collects the parts that no pair expresses in `inexpressible`. */
export function expressAsPairs(
  scope: Scope,
  filter: Filter,
  inexpressible?: Filter[],
): readonly BoundCondition[] | undefined {
  const pairs = expressAtoms(scope, atomsOf(scope, filter, []), inexpressible)
  // Only the whole shows the order of the conditions on a list, and the depth of an `and`.
  return isExpressed(pairs, filter) ? pairs : undefined
}

/** Pairs that express atoms, in the order of these. */
export function expressAtoms(scope: Scope, atoms: readonly Atom[], inexpressible: Filter[] = []): readonly Placed[] {
  const pairs: Placed[] = []
  // A schema makes the field of a record's key for each call of `get`.
  for (const own of Map.groupBy(atoms, (atom) => fieldOf(scope, atom)?.name).values()) {
    const field = fieldOf(scope, own[0]!)
    const assigned =
      field && (assignOperators(scope, field, own) ?? assignOperators(scope, field, ofTheirOwnEntries(own)))
    if (assigned !== undefined) pairs.push(...assigned)
    else inexpressible.push(...own.map(({ node }) => node))
  }
  return pairs.sort((a, b) => a.at - b.at)
}

/** Turns the conditions on an entry of a list into one that `all` expresses. A collection may offer `all` and not `equals`. */
function ofTheirOwnEntries(atoms: readonly Atom[]): readonly Conditions[] {
  const isOther = ({ lists, complement }: Atom) => lists.length === 0 || complement
  const groups = Map.groupBy(atoms, (atom) => (isOther(atom) ? atom.at : JSON.stringify(atom.lists)))
  return Array.from(groups.values(), (same): Conditions => {
    const first = same[0]!
    if (isOther(first)) return first
    // `all` of a day is one entry with both bounds of the day.
    const parts = same.flatMap((atom) => atom.parts)
    const entry = parts.length === 1 ? parts[0]! : unchecked.and(parts)
    return { ...first, parts: [unchecked.some(first.lists.at(-1)!, entry)] }
  })
}

/** The conditions of a filter, each with the lists around it. */
export function atomsOf(scope: Scope, filter: Filter, lists: readonly Path[], atoms: Atom[] = []): readonly Atom[] {
  const add = (lists: readonly Path[], parts: readonly Filter[], complement: boolean) =>
    atoms.push({ node: filter, lists, parts, complement, at: atoms.length })
  if (filter.kind === 'and') {
    const taken = entriesOfTheirOwn(scope, filter.filters, lists)
    for (const [at, member] of filter.filters.entries()) {
      const own = taken.get(at)
      if (own === undefined) atomsOf(scope, member, lists, atoms)
      else for (const atom of own) atoms.push({ ...atom, at: atoms.length })
    }
  } else if (filter.kind === 'some') {
    atomsOf(scope, filter.filter, [...lists, filter.path], atoms)
  } else if (filter.kind === 'not') {
    let inner = filter.filter
    const entered = [...lists]
    for (; inner.kind === 'some'; inner = inner.filter) entered.push(inner.path)
    add(entered, inner.kind === 'and' ? inner.filters : [inner], true)
  } else {
    add(lists, [filter], false)
  }
  return atoms
}

/**
 * Selects the filters of an `and` that compare separate entries of one list. An operator for lists, such as `all`, expresses them. One of
 * them can compare the entry that the other conditions share.
 *
 * @returns by index: the atoms of a run of neighbours at its first filter, and none at the others of the run.
 */
export function entriesOfTheirOwn(
  scope: Scope,
  filters: readonly Filter[],
  lists: readonly Path[],
): ReadonlyMap<number, readonly Atom[]> {
  const taken = new Map<number, readonly Atom[]>()
  const places = filters.flatMap((filter, at) => (filter.kind === 'some' ? [{ filter, at }] : []))
  for (const some of Map.groupBy(places, ({ filter }) => JSON.stringify(filter.path)).values()) {
    if (some.length < 2) continue
    const runs: Run[] = []
    for (const { filter, at } of some) {
      const atom: Atom = { node: filter, lists, parts: [filter], complement: false, at }
      const field = fieldOf(scope, atom)
      if (field === undefined || candidatesFor(scope.allows, field, atom, undefined).length === 0) continue
      const last = runs.at(-1)
      if (last?.field.name !== field.name || last.at.at(-1) !== at - 1) runs.push({ atom, field, at: [at], filter })
      else {
        last.at.push(at)
        last.atom = { ...last.atom, parts: [...last.atom.parts, filter] }
      }
    }
    const isShared = runs.reduce((sum, run) => sum + run.at.length, 0) === some.length
    const shared = isShared ? sharedOf(scope, lists, runs) : undefined
    for (const run of runs) {
      if (run === shared) continue
      for (const at of run.at) taken.set(at, at === run.at[0] ? [run.atom] : [])
    }
  }
  return taken
}

/** Neighbours that each compare a separate entry. */
interface Run {
  atom: Atom
  readonly field: ResolvedField
  readonly at: number[]
  /** The first of the filters. */
  readonly filter: Some
}

/** Chooses the run that becomes a plain condition: one filter, preferably of a field with two runs, because an operator occurs once on a path. */
function sharedOf(scope: Scope, lists: readonly Path[], runs: readonly Run[]): Run | undefined {
  // A collection may narrow away the operators of plain conditions.
  const isPlain = ({ filter }: Run): boolean =>
    atomsOf(scope, filter, lists).every((atom) => {
      const field = fieldOf(scope, atom)
      return field !== undefined && candidatesFor(scope.allows, field, atom, undefined).length > 0
    })
  const alone = runs.filter((run) => run.at.length === 1 && isPlain(run))
  return alone.find((run) => runs.some((other) => other !== run && other.field.name === run.field.name)) ?? alone[0]
}

/** Whether a filter contains filters. */
export const hasParts = (filter: Filter): filter is And | Or | Not | Some =>
  ['and', 'or', 'not', 'some'].includes(filter.kind)

/** The field of an atom, where the schema has it in the same lists. */
function fieldOf({ schema, isInGroup }: Scope, { lists, parts }: Atom): ResolvedField | undefined {
  let [leaf] = parts
  const around = [...lists]
  while (leaf !== undefined && hasParts(leaf)) {
    if (leaf.kind === 'not') return undefined
    if (leaf.kind === 'some') around.push(leaf.path)
    ;[leaf] = children(leaf)
  }
  if (leaf === undefined) return undefined
  // A count is about a list: about its entries, as the schema has them.
  const [all, path] = leaf.kind === 'count' ? [[...around, leaf.path], []] : [around, leaf.path]
  const name = [...all.flat(), ...path].join('.')
  const field = isInGroup && !isName(name) ? undefined : schema.paths.get(name)
  const place = (lists: readonly Path[], path: Path) => JSON.stringify([lists, path])
  return field !== undefined && place(field.lists, field.path) === place(all, path) ? field : undefined
}

type Placed = BoundCondition & {
  readonly at: number
}

/**
 * Pairs that express all atoms of a field, each with another operator. `gte=2&range=1,5` gives two lower bounds, of which `gte`
 * expresses one: the search tries which.
 */
function assignOperators(
  scope: Scope,
  field: ResolvedField,
  atoms: readonly Conditions[],
): readonly Placed[] | undefined {
  // One operator expresses two atoms at most.
  if (atoms.length > 2 * operatorNamed.size) return undefined
  const candidates = atoms.map((atom, at) => candidatesFor(scope.allows, field, atom, atoms.at(at + 1)))
  const assign = (at: number, used: readonly OperatorRow[]): readonly Placed[] | undefined => {
    if (at === atoms.length) return []
    for (const { operator, operands, atoms: count } of candidates[at]!) {
      const others = used.includes(operator) ? undefined : assign(at + count, [...used, operator])
      if (others !== undefined) return [{ ...newCondition(field, operator, operands), at: atoms[at]!.at }, ...others]
    }
    return undefined
  }
  return assign(0, [])
}
