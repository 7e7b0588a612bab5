/** Filter and row → why: whether each node is true of the row. */
import { checkFilter, type Filter } from '../../tree/index.ts'
import { valueAt } from '../../query/index.ts'
import { memoryBackend } from '../../backends/memory/index.ts'

/** Whether a node of a filter is true for a row, or for an entry of a list. */
export interface Trace {
  readonly filter: Filter
  /** Whether the node is true. */
  readonly holds: boolean
  /**
   * The traces of the filters inside, in their order. Of a `some`: a trace of its filter for each entry, in the order of the
   * list, up to the first for which it is true.
   */
  readonly inner: readonly Trace[]
  /** Of a `some` that is true: the index of the entry. */
  readonly entry?: number
}

const { compile } = memoryBackend({ codegen: false })

/**
 * Explains why a filter selects a row, or why not: whether each node is true, and which entry of a list made it so.
 *
 * @param row in the form of the memory backend. The root of the result is true exactly if that backend selects the row.
 * @throws TypeError when `filter` is not a filter.
 * @example
 * const { inner } = trace(parseFilterOrThrow(orders, 'seller=s-1&total[gte]=50'), { seller: 's-1', total: 20 })
 * inner.map(({ holds }) => holds) // => [true, false]
 */
export function trace(filter: Filter, row: unknown): Trace {
  return traceOf(checkFilter(filter), row)
}

function traceOf(filter: Filter, value: unknown): Trace {
  switch (filter.kind) {
    case 'and':
    case 'or': {
      const inner = filter.filters.map((one) => traceOf(one, value))
      const holds = filter.kind === 'and' ? inner.every((one) => one.holds) : inner.some((one) => one.holds)
      return { filter, holds, inner }
    }
    case 'not': {
      const inner = traceOf(filter.filter, value)
      return { filter, holds: !inner.holds, inner: [inner] }
    }
    case 'some': {
      const list = valueAt(value, filter.path)
      const inner: Trace[] = []
      for (const entry of Array.isArray(list) ? (list as readonly unknown[]) : []) {
        const one = traceOf(filter.filter, entry)
        inner.push(one)
        if (one.holds) return { filter, holds: true, inner, entry: inner.length - 1 }
      }
      return { filter, holds: false, inner }
    }
    default:
      return { filter, holds: compile(filter)(value), inner: [] }
  }
}
