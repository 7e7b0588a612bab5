/** What the tests of pages and their laws share. */
import { memoryBackend } from '../../../src/backends/memory/index.ts'
import { and } from '../../../src/index.ts'
import type { Literal } from '../../../src/tree/index.ts'
import type { Position, Query, SortKey } from '../../../src/query/query.ts'
import { partsOfFilter } from '../../../src/query/index.ts'

export const read = (rows: readonly unknown[], { filter = and(), ...query }: Partial<Query> & Pick<Query, 'sort'>) =>
  memoryBackend().compileQuery({ ...partsOfFilter(filter), limit: 1_000, count: false, ...query } as Query)(rows).rows
export const pages = (rows: readonly unknown[], sort: readonly SortKey[], values: Position['values']) =>
  (['next', 'previous'] as const).map((toward) => read(rows, { sort, position: { toward, values } }))

export const number = (value: number): Literal => ({ type: 'number', value })
