/** From a filter to a `where`: groups, relations, lists. Negation goes down to the conditions: Prisma's NOT leaves out NULL. */
import type { And, EntryCount, Filter, Or, Path, Some } from '../../tree/index.ts'
import { dotted, hasSpan, ofServer, type Condition } from '../issues.ts'
import type { StoredMany, StoredMember, StoredOne, StoredRow } from './mapping.ts'
import type { PrismaWhere } from './provider.ts'
import { joined, onScalar, onScalarList, unsupported, type Draft, type Scope } from './scalars.ts'

/** `{}` is every row, and no row is one of none. */
export const whereOf = (draft: Draft): PrismaWhere => (typeof draft === 'boolean' ? (draft ? {} : { OR: [] }) : draft)

export function emit(scope: Scope, filter: Filter, negated: boolean): Draft {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return group(scope, filter, negated)
    case 'not':
      return emit(scope, filter.filter, !negated)
    case 'some':
      return some(scope, filter, negated)
    case 'count':
      return uncounted(scope, filter)
    default:
      return condition(scope, filter, negated)
  }
}

/** Prisma cannot count entries, whatever the mapping: the issue is the client's. */
function uncounted({ issues, list }: Scope, filter: EntryCount): false {
  const field = dotted(list, filter.path)
  const message = `${field} is a list, whose entries Prisma does not count in a filter`
  const issue = ofServer('backend_unsupported', message, filter, { problem: 'kind', kind: filter.kind, field }, field)
  issues.push({ ...issue, fault: hasSpan(filter) ? 'client' : 'server' })
  return false
}

const group = (scope: Scope, { kind, filters }: And | Or, negated: boolean): Draft =>
  joined(
    (kind === 'and') !== negated ? 'AND' : 'OR',
    filters.map((member) => emit(scope, member, negated)),
  )

/** A comparison, membership, match or presence. */
function condition(scope: Scope, filter: Condition, negated: boolean): Draft {
  const { start } = scope
  const { path } = filter
  if (start.kind === 'scalar') return onScalar(scope, filter, start, negated)
  // The row itself, or an entry: it is there, and an object. A membership without operands may have its path, too.
  if (path.length === 0) return (filter.kind === 'presence') !== negated
  return within(start, path, negated, (stored) => {
    if (stored.kind === 'scalar') return onScalar(scope, filter, stored, negated)
    if (stored.kind === 'json') return inJson(scope, filter)
    if (filter.kind !== 'presence') return negated
    // The schema refuses a list in its place.
    return (negated ? isAbsent : isThere)(stored as StoredOne)
  })
}

const inJson = (scope: Scope, filter: Filter): false =>
  unsupported(scope, filter, 'is stored as Json, in which Prisma compares no value exactly')

/** The condition on the field at the end of a path, or on the Json field that contains it. A complement is also true where a row on the path is missing. */
function within(
  { members }: StoredRow,
  [name, ...rest]: Path,
  negated: boolean,
  draftOf: (stored: StoredMember) => Draft,
): Draft {
  const stored = members.get(name!)!
  if (rest.length === 0 || stored.kind === 'json') return draftOf(stored)
  // The schema refuses a path through anything else.
  const one = stored as StoredOne
  const inside = within(one.row, rest, negated, draftOf)
  if (inside === true) return negated || isThere(one)
  return joined('OR', [inside && { [one.name]: { is: inside } }, negated && isAbsent(one)])
}
const isThere = ({ name, isOptional }: StoredOne): Draft => !isOptional || { [name]: { isNot: null } }
const isAbsent = ({ name, isOptional }: StoredOne): Draft => isOptional && { [name]: { is: null } }

function some(scope: Scope, filter: Some, negated: boolean): Draft {
  // The schema refuses a list in an entry that is a scalar.
  return within(scope.start as StoredRow, filter.path, negated, (stored) => {
    const list = dotted(scope.list, filter.path)
    if (stored.kind === 'json') return inJson(scope, filter)
    if (stored.kind === 'list') return onScalarList({ ...scope, list }, filter.filter, stored, negated)
    const { name, entry } = stored as StoredMany
    const draft = emit({ ...scope, start: entry, list }, filter.filter, false)
    if (draft === false) return negated
    return { [name]: { [negated ? 'none' : 'some']: draft === true ? {} : draft } }
  })
}
