/** Conditions that the members of an OR make together, so that an index serves them. */
import { isFolded, isSamePath, joined } from '../../tree/index.ts'
import type { Comparison, Filter, Membership, Path, Some } from '../../tree/index.ts'
import { typeOf } from '../issues.ts'
import { mergedOf, partsOf } from '../shape.ts'

type Equality = Comparison | Membership

const isRange = (filter: Filter): filter is Comparison =>
  filter.kind === 'comparison' && filter.operator !== 'eq' && !isFolded(filter.operator)
const isEquality = (filter: Filter): filter is Equality =>
  filter.kind === 'comparison' ? filter.operator === 'eq' : filter.kind === 'membership' && filter.operands.length > 0
const isOfOne = (a: Equality, b: Equality): boolean => typeOf(a) === typeOf(b) && isSamePath(a.path, b.path)

/** The members of an OR, with one membership for all equalities of a field. */
export function withMemberships(filters: readonly Filter[]): readonly Filter[] {
  const all: Filter[] = []
  for (const filter of filters) {
    const at = isEquality(filter) ? all.findIndex((other) => isEquality(other) && isOfOne(other, filter)) : -1
    if (at < 0) all.push(filter)
    else all[at] = mergedOf([...partsOf(all[at] as Equality), filter as Equality])
  }
  return all
}

/**
 * The members of an OR, with one condition for all those on entries of the same child table: one entry passes any of them.
 */
export function withOneSome(filters: readonly Filter[], isChild: (path: Path) => boolean): readonly Filter[] {
  const all: Filter[] = []
  for (const filter of filters) {
    const at =
      filter.kind === 'some' && isChild(filter.path)
        ? all.findIndex((other) => other.kind === 'some' && isSamePath(other.path, filter.path))
        : -1
    if (at < 0) all.push(filter)
    else
      all[at] = {
        ...(all[at] as Some),
        filter: joined(
          'or',
          [all[at] as Some, filter as Some].map((one) => one.filter),
        ),
      }
  }
  return all
}

/** Bounds of a field, and the comparison with the outermost of them that every row passes. */
interface Envelope {
  readonly bounds: Membership
  readonly operator: 'gt' | 'gte' | 'lt' | 'lte'
}

/** The envelopes of an OR: of a field that all members bound on a side, some of them as a range. */
export function envelopesOf(filters: readonly Filter[], path: Path): readonly Envelope[] {
  const conditions = filters.map(comparisonsIn)
  const ranges = conditions
    .flat()
    .filter(isRange)
    .filter((one) => isSamePath(one.path, path))
  return ranges.flatMap((range) => {
    const side = range.operator.slice(0, 2)
    const bounds = conditions.flatMap(
      (ofMember) =>
        ofMember.find((one) => isOfOne(range, one) && (!isRange(one) || one.operator.startsWith(side))) ?? [],
    )
    // All ranges of a field and a side have one envelope: it is made at the first of them.
    if (bounds.length < filters.length || bounds.find(isRange) !== range) return []
    const isStrict = bounds.every((one) => one.kind === 'comparison' && one.operator === side)
    return [{ bounds: mergedOf(bounds), operator: `${side}${isStrict ? '' : 'e'}` as Envelope['operator'] }]
  })
}

/** The conditions on values that every row of a filter passes. */
function comparisonsIn(filter: Filter): readonly Equality[] {
  if (filter.kind === 'and') return filter.filters.flatMap(comparisonsIn)
  return isRange(filter) || isEquality(filter) ? [filter] : []
}
