/** What a backend over a table can tell apart. */
import { own } from '../../own.ts'
import type { Feature } from '../backend.ts'
import { columnsIn, type Columns, type Table } from './mapping.ts'

/** The features of a backend over the table. Only JSON can hold other forms; an object over columns cannot be empty. */
export function featuresOf(table: Table, lowersAll: boolean): Feature[] {
  // A field that is not mapped is a column; only a schema names these.
  const { key, columns } = table
  const fields = Object.keys(own(table, 'schema')?.fields ?? {}).filter((field) => !key.includes(field))
  const isAllJson = fields.length > 0 && fields.every((field) => columns[field]?.kind === 'json')
  return [
    'queries',
    ...(lowersAll ? (['unicode-case'] as const) : []),
    ...(isAllJson ? (['other-forms', 'misplaced-lists', 'sorted-other-forms'] as const) : []),
    ...(hasFlattened(columns) ? [] : (['empty-objects'] as const)),
  ]
}

/** Whether an object is spread over columns, in the table or in one beside it. */
const hasFlattened = (columns: Columns): boolean =>
  Object.values(columns).some((stored) => stored.kind === 'flattened' || hasFlattened(columnsIn(stored) ?? {}))
