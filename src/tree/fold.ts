/** Visits a filter from the leaves to the root: to make something else, to change it, to compare it. */
import { member, own } from '../own.ts'
import type { And, Comparison, EntryCount, Filter, Match, Membership, Not, Or, Presence, Some } from './ast.ts'
import { unchecked } from './build.ts'
import { checkFilter } from './check.ts'
import { isObject } from './read.ts'

/**
 * A function for each kind of node. It receives the results of the filters inside the node, and the node. Without `count`, which a
 * later version added, {@link fold} throws a TypeError for a filter that counts.
 */
export interface Algebra<R> {
  readonly and: (filters: readonly R[], node: And) => R
  readonly or: (filters: readonly R[], node: Or) => R
  readonly not: (filter: R, node: Not) => R
  readonly some: (filter: R, node: Some) => R
  readonly comparison: (node: Comparison) => R
  readonly membership: (node: Membership) => R
  readonly match: (node: Match) => R
  readonly presence: (node: Presence) => R
  readonly count?: (node: EntryCount) => R
}

/**
 * Computes a result from a filter, from the leaves to the root, for example SQL. The compiler reports a kind without a function.
 *
 * @param filter the filter; it is checked first.
 * @param algebra one function for each kind.
 * @returns the result of the function for the root's kind.
 * @throws TypeError when `filter` is not a filter; see {@link checkFilter}. Also when the filter has a `count` and `algebra` has no
 *   function for it.
 * @example
 * // How many conditions a filter has.
 * const one = () => 1
 * const sum = (counts: readonly number[]) => counts.reduce((a, b) => a + b, 0)
 * fold(filter, {
 *   and: sum, or: sum, not: (count) => count, some: (count) => count,
 *   comparison: one, membership: one, match: one, presence: one, count: one,
 * })
 */
export function fold<R>(filter: Filter, algebra: Algebra<R>): R {
  const visit = (node: Filter): R => {
    switch (node.kind) {
      case 'and':
        return algebra.and(node.filters.map(visit), node)
      case 'or':
        return algebra.or(node.filters.map(visit), node)
      case 'not':
        return algebra.not(visit(node.filter), node)
      case 'some':
        return algebra.some(visit(node.filter), node)
      case 'comparison':
        return algebra.comparison(node)
      case 'membership':
        return algebra.membership(node)
      case 'match':
        return algebra.match(node)
      case 'presence':
        return algebra.presence(node)
      case 'count': {
        if (member(algebra, 'count') === undefined) {
          throw new TypeError('algebra.count must be a function: the filter counts the entries of a list')
        }
        return algebra.count!(node)
      }
    }
  }
  return visit(checkFilter(filter))
}

/**
 * Rebuilds a filter from the leaves to the root.
 *
 * @param change receives each node, after it changed the filters inside, and returns the node that replaces it.
 * @returns a frozen filter. Spans stay, so `map(filter, (node) => node)` is an equal filter.
 * @throws TypeError when `filter` or a result of `change` is not a filter.
 * @example
 * // Renames a field.
 * map(filter, (node) => (node.kind === 'comparison' ? { ...node, path: ['price'] } : node))
 */
export function map(filter: Filter, change: (node: Filter) => Filter): Filter {
  const result = fold<Filter>(filter, {
    and: (filters, node) => change(unchecked.and(filters, own(node, 'span'))),
    or: (filters, node) => change(unchecked.or(filters, own(node, 'span'))),
    not: (inner, node) => change(unchecked.not(inner, own(node, 'span'))),
    some: (inner, node) => change(unchecked.some(node.path, inner, own(node, 'span'))),
    comparison: change,
    membership: change,
    match: change,
    presence: change,
    count: change,
  })
  return checkFilter(result)
}

/**
 * Tests whether two filters are the same tree. It ignores spans, and compares the order of filters and operands.
 *
 * @throws TypeError when an argument is not a filter.
 * @example sameFilter(parseFilterOrThrow(orders, 'seller=s-1'), where(orders).equals('seller', 's-1')) // => true
 */
export function sameFilter(a: Filter, b: Filter): boolean {
  return sameTree(checkFilter(a), checkFilter(b))
}

/** As {@link sameFilter}, for filters that are sound. */
export const sameTree = (a: Filter, b: Filter): boolean => sameParts(a, b)

/**
 * Whether values of sound filters are the same: texts, numbers, booleans, lists, or objects of the same names. What two
 * filters have in one place are two objects, or none.
 */
function sameParts(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (!isObject(a)) return false
  const other = b as object
  const names = namesOf(a)
  if (names.length !== namesOf(other).length) return false
  return names.every((name) => Object.hasOwn(other, name) && sameParts(Reflect.get(a, name), Reflect.get(other, name)))
}
const namesOf = (value: object): readonly string[] => Object.keys(value).filter((name) => name !== 'span')
