/** Filter → the pairs that express it without groups: a path has each operator once, so a search assigns operators to conditions. */
import { sameTree, type Filter, type Path } from '../../ast/index.ts'
import { operatorNamed, type OperatorRow, type ResolvedField, type Schema } from '../../language/index.ts'
import { combine, newPair, type BoundMember, type BoundPair } from '../combine.ts'
import type { GroupWords } from '../group-words.ts'
import { candidatesFor, type Allows, type Atom } from './candidates.ts'

/** Where a part of a filter is expressed. */
export interface Scope {
  /** The fields; in a group after the path of a list, those of its entries. */
  readonly schema: Schema
  readonly allows: Allows
  readonly words: GroupWords
  readonly isInGroup: boolean
  /** The number of groups around the part. */
  readonly depth: number
  /** Collects what nothing expresses. */
  readonly inexpressible: Filter[]
}

/** Whether members read as a filter. */
export const isExpressed = (members: readonly BoundMember[], filter: Filter): boolean =>
  sameTree(combine(members), filter)

/**
 * The pairs that express a filter; `undefined` where pairs alone cannot.
 *
 * @param inexpressible collects what no pair expresses.
 */
export function expressAsPairs(
  scope: Scope,
  filter: Filter,
  inexpressible?: Filter[],
): readonly BoundPair[] | undefined {
  const pairs = expressAtoms(scope, atomsOf(filter, []), inexpressible)
  // Only the whole shows the order of the conditions on a list, and the depth of an `and`.
  return isExpressed(pairs, filter) ? pairs : undefined
}

/** Pairs that express atoms, in the order of these. */
export function expressAtoms(scope: Scope, atoms: readonly Atom[], inexpressible: Filter[] = []): readonly Placed[] {
  const pairs: Placed[] = []
  for (const [field, own] of Map.groupBy(atoms, (atom) => fieldOf(scope, atom))) {
    const found = field && assignOperators(scope, field, own)
    if (found !== undefined) pairs.push(...found)
    else inexpressible.push(...own.map(({ node }) => node))
  }
  return pairs.sort((a, b) => a.at - b.at)
}

/** The conditions of a filter, each with the lists around it. */
export function atomsOf(filter: Filter, lists: readonly Path[], atoms: Atom[] = []): readonly Atom[] {
  const add = (lists: readonly Path[], parts: readonly Filter[], complement: boolean) =>
    atoms.push({ node: filter, lists, parts, complement, at: atoms.length })
  if (filter.kind === 'and') {
    for (const member of filter.filters) atomsOf(member, lists, atoms)
  } else if (filter.kind === 'some') {
    atomsOf(filter.filter, [...lists, filter.path], atoms)
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

/** Whether a path may stand in a group, where these characters are marks even with escapes. */
export const isName = (path: string): boolean => !/[(),=]/.test(path)

/** The field of an atom, where the schema has it in the same lists. */
function fieldOf({ schema, isInGroup }: Scope, { lists, parts }: Atom): ResolvedField | undefined {
  let [leaf] = parts
  while (leaf?.kind === 'and' || leaf?.kind === 'or') [leaf] = leaf.filters
  if (leaf === undefined || leaf.kind === 'not') return undefined
  const name = [...lists.flat(), ...leaf.path].join('.')
  const field = isInGroup && !isName(name) ? undefined : schema.paths.get(name)
  const place = (lists: readonly Path[], path: Path) => JSON.stringify([lists, path])
  return field !== undefined && place(field.lists, field.path) === place(lists, leaf.path) ? field : undefined
}

/** A pair with the place of its atom. */
interface Placed extends BoundPair {
  readonly at: number
}

/**
 * Pairs that express all atoms of a field, each with an operator of its own. `gte=2&range=1,5` gives two lower bounds, of which `gte`
 * expresses one: the search tries which.
 */
function assignOperators(scope: Scope, field: ResolvedField, atoms: readonly Atom[]): readonly Placed[] | undefined {
  // One operator expresses two atoms at most.
  if (atoms.length > 2 * operatorNamed.size) return undefined
  const candidates = atoms.map((atom, at) => candidatesFor(scope.allows, field, atom, atoms.at(at + 1)))
  const assign = (at: number, used: readonly OperatorRow[]): readonly Placed[] | undefined => {
    if (at === atoms.length) return []
    for (const { operator, operands, atoms: count } of candidates[at]!) {
      const others = used.includes(operator) ? undefined : assign(at + count, [...used, operator])
      if (others !== undefined)
        return [{ ...newPair(field, operator, operands, undefined), at: atoms[at]!.at }, ...others]
    }
    return undefined
  }
  return assign(0, [])
}
