/** A filter that a program built → conditions and groups of a collection. */
import type { Filter, Path } from '../tree/index.ts'
import type { Issue } from '../issue/index.ts'
import { noWords, usualWords, type Collection, type GroupWords } from '../language/index.ts'
import { textOfPath, type BoundMember } from '../query/index.ts'
import { noOperator, takes, unsayable } from '../writing/index.ts'
import { expressFilter, type Expressed } from './express.ts'

/** Expresses a filter with the operators that a collection allows. */
function expressIn(collection: Collection, filter: Filter, words: GroupWords): Expressed {
  const { visible, operators } = collection
  const allowed = expressFilter(visible, filter, words, (...of) => takes(collection, of[0], of[1]))
  if (allowed.members !== undefined || operators.size === 0) return allowed
  const { members = [] } = expressFilter(visible, filter, words)
  const [first, ...rest] = members.flatMap((member) => refusedIn(collection, member))
  return first === undefined ? allowed : { members: undefined, issues: [first, ...rest] }
}

/**
 * Converts a filter to conditions, and to groups only if conditions do not suffice.
 *
 * @returns no members if no query string expresses the filter, and the issue if hidden fields or narrowed operators are the reason.
 */
export function expressByHand(
  collection: Collection,
  filter: Filter,
): { readonly members: readonly BoundMember[] | undefined; readonly issues: readonly Issue[] } {
  const { schema, visible, operators } = collection
  const paths = pathsIn(filter)
  const hidden =
    visible === schema ? undefined : paths.find((path) => schema.paths.has(path) && !visible.paths.has(path))
  if (hidden !== undefined) {
    const message = `${hidden} is hidden from callers: only a restriction can name it`
    return { members: undefined, issues: [unsayable('hidden', message, { field: hidden })] }
  }
  const flat = expressFilter(visible, filter, noWords, (...of) => takes(collection, of[0], of[1]))
  const { members, issues = [] } = flat.members === undefined ? expressIn(collection, filter, usualWords) : flat
  if (members !== undefined) return { members, issues }
  const narrowed = issues.filter(
    ({ parameters }) => (parameters as { readonly problem?: string }).problem === 'operator',
  )
  const field = paths.find((path) => operators.has(path))
  if (narrowed.length > 0 || field === undefined) return { members, issues: narrowed }
  const message = `a query string cannot express the filter on ${field}, which is narrowed`
  return { members, issues: [unsayable('narrowed', message, { field })] }
}

/** The dotted paths of all conditions of a filter. */
function pathsIn(filter: Filter, list = ''): readonly string[] {
  if (filter.kind === 'and' || filter.kind === 'or') return filter.filters.flatMap((member) => pathsIn(member, list))
  if (filter.kind === 'not') return pathsIn(filter.filter, list)
  const path = [list, ...filter.path].filter((name) => name !== '').join('.')
  return filter.kind === 'some' ? [path, ...pathsIn(filter.filter, path)] : [path]
}

/** An issue for each operator of a member that the collection does not allow. */
function refusedIn(collection: Collection, member: BoundMember, around: Path = []): readonly Issue[] {
  const lists = [...around, ...member.lists.flat()]
  if (member.kind !== 'condition') return member.members.flatMap((one) => refusedIn(collection, one, lists))
  const name = textOfPath([...lists, ...member.path])
  return collection.operators.get(name)?.includes(member.operator) === false ? [noOperator(name, member.operator)] : []
}
