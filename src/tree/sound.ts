/** Remembers sound filters, for speed alone: a check costs more than parsing and compilation (docs/internals/performance.md). */
import { recentCache, weakCache } from '../cache.ts'
import { maxFilterDepth, maxFilterNodes, maxPathLength, type Filter } from './ast.ts'
import { isObject } from './read.ts'

/** Filters that are sound, constant and within the limits. To check one again finds the same. */
const trusted = /* @__PURE__ */ weakCache<object, true>()

/** The filters that were parsed last, and their uses. The weak cache gets those with several: an entry in it costs more. */
const parsed = /* @__PURE__ */ recentCache<object, { uses: number }>(256)

/** Whether a value is known to be a sound filter. */
export function isTrusted(value: unknown): value is Filter {
  if (!isObject(value)) return false
  if (trusted.get(value) === true) return true
  const used = parsed.get(value)
  if (used === undefined) return false
  if (++used.uses > 2) trusted.set(value, true)
  return true
}

/** Whether filters are known to be sound, and their group is within the limits. */
export const areTrusted = (filters: readonly unknown[]): filters is readonly Filter[] =>
  filters.every(isTrusted) && sizeOfGroup(filters, 2, 0) <= maxFilterNodes

/** Remembers a filter within the limits. This library has checked its parts, or made them of checked parts. */
export function trust<F extends Filter>(filter: F): F {
  trusted.set(filter, true)
  return filter
}

/**
 * As {@link trust}, for a filter that was read from text.
 *
 * @param isSmall whether the filter is within the limits for certain. Else its nodes are counted, and a filter beyond the limits
 *   is not remembered: its compilation checks and refuses it.
 */
export function trustParsed(filter: Filter, isSmall: boolean): Filter {
  if (isSmall || sizeOf(filter, 1, 0) <= maxFilterNodes) parsed.set(filter, { uses: 0 })
  return filter
}

/** How many nodes a sound filter has; `Infinity` beyond the limits of levels and names. */
export function sizeOf(filter: Filter, level: number, names: number): number {
  if (level > maxFilterDepth || names > maxPathLength) return Infinity
  switch (filter.kind) {
    case 'and':
    case 'or':
      return sizeOfGroup(filter.filters, level + 1, names)
    case 'not':
      return 1 + sizeOf(filter.filter, level + 1, names)
    case 'some':
      return 1 + sizeOf(filter.filter, level + 1, names + filter.path.length)
    default:
      return names + filter.path.length > maxPathLength ? Infinity : 1
  }
}

function sizeOfGroup(filters: readonly Filter[], level: number, names: number): number {
  let nodes = 1
  // By index: the engine does not inline the iterators of frozen arrays (docs/internals/performance.md).
  for (let at = 0; at < filters.length; at++) nodes += sizeOf(filters[at]!, level, names)
  return nodes
}
