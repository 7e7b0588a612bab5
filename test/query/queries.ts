/** Short ways to write the parts of queries, for the tests of this folder. */
import { and } from '../../src/index.ts'
import { type Literal, type LiteralType } from '../../src/tree.ts'
import type { Position, Query, SortKey } from '../../src/query/query.ts'
import { partsOfFilter } from '../../src/query/index.ts'

export const key = (path: string, type: LiteralType, direction: SortKey['direction'] = 'ascending'): SortKey => ({
  path: path.split('.'),
  type,
  direction,
})
export const id: SortKey = { ...key('id', 'integer'), required: true }
export const text = (value: string): Literal => ({ type: 'string', value })
export const integer = (value: number): Literal => ({ type: 'integer', value })
export const of = (sort: readonly SortKey[], more: Partial<Query> = {}): Query => ({
  ...{ ...partsOfFilter(more.filter ?? and()), sort, limit: 20, count: false as const },
  ...more,
})
export const at = (toward: Position['toward'], ...values: (Literal | null)[]): { position: Position } => ({
  position: { toward, values },
})
