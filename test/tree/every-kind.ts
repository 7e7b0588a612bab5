/** A filter with a node of every kind. */
import { and, not, or } from '../../src/index.ts'
import { comparison, count, match, membership, presence, some } from '../../src/tree.ts'

export const a = comparison(['a'], 'eq', { type: 'string', value: 'x' })
export const b = presence(['b'], 'integer')
export const everyKind = and(
  or(a, b),
  not(match(['c'], 'prefix', 'y')),
  membership(['d'], [{ type: 'date', value: '2024-01-01' }]),
  some(['e'], a),
  count(['f'], 'object', 'gte', 2),
)
