/** Which conditions are searches. A front-end that only writes queries does not load it. */
import { own } from '../own.ts'
import type { OperatorName, OperatorRow } from './operators.ts'
import type { ResolvedField } from './schema.ts'

/**
 * Where a condition with an operator is a search: the database compares the text of every row. An index of a column serves prefixes,
 * but inside lists no index saves the database from reading the entries of every row.
 */
type Scans = 'nowhere' | 'in lists' | 'everywhere'

const scans: { readonly [N in OperatorName]?: Scans } = {
  startsWith: 'in lists',
  endsWith: 'everywhere',
  contains: 'everywhere',
  doesNotContain: 'everywhere',
  equalsIgnoreCase: 'in lists',
  startsWithExact: 'in lists',
  endsWithExact: 'everywhere',
  containsExact: 'everywhere',
  atLeast: 'everywhere',
  atMost: 'everywhere',
}

export const scansOf = (name: OperatorName): Scans => own(scans, name) ?? 'nowhere'

/**
 * How many searches a condition is. In a group, so is each condition on a list: the members of an `or` are not of one entry, and
 * each reads the list of every row again.
 *
 * @param values how many operands it has: an operator for lists enters the list once for each.
 * @param isInEntry whether the field's path begins at an entry of a list.
 */
export function searchesOf(
  { name, fields }: OperatorRow,
  { lists }: ResolvedField,
  values: number,
  { isInGroup, isInEntry }: { readonly isInGroup: boolean; readonly isInEntry: boolean },
): number {
  const scans = scansOf(name)
  if (scans === 'everywhere' || (scans === 'in lists' && (isInEntry || lists.length > 0))) return 1
  if (!isInGroup || lists.length === 0) return 0
  return fields === 'anywhere' ? 1 : values
}
