/** Conditions on parent tables: which rows a filter reads there, and which conditions read the same one. */
import type { And, EntryCount, Filter, Or, Path, Some } from '../../tree/index.ts'
import type { Leaf } from '../issues.ts'
import type { StoredParent } from './resolve.ts'
import { textOfPath } from '../../query/index.ts'
import { noPaths, type Scope } from './scope.ts'

/** The first parent table on the path of a filter. After it, the path starts anew. */
export interface ParentOnPath {
  readonly parent: StoredParent
  readonly path: Path
}

export function parentOnPath({ resolver, start }: Scope, filter: Filter): ParentOnPath | undefined {
  if (!hasPath(filter) || (filter.kind === 'count' && holdsOfNone(filter))) return undefined
  const on = resolver.parentOn(start, filter.path)
  const isInside = on && (on.length < filter.path.length || (filter.kind === 'presence' && filter.type === 'object'))
  return isInside ? { parent: on.parent, path: filter.path.slice(0, on.length) } : undefined
}

/** Whether a list without entries satisfies a count. A row without the parent then satisfies it, too. */
const holdsOfNone = ({ operator, operand }: EntryCount): boolean => operator === 'lte' || operand === 0

const hasPath = (filter: Filter): filter is Leaf | Some => Object.hasOwn(filter, 'path')
const isGroup = (filter: Filter): filter is And | Or => Object.hasOwn(filter, 'filters')

/** The paths of the conditions that every selected row passes. */
export const pathsOfAll = (filter: Filter): readonly Path[] => {
  if (hasPath(filter)) return [filter.path]
  return filter.kind === 'and' ? filter.filters.flatMap(pathsOfAll) : []
}

/** The dotted paths of the objects that every selected row has, because a condition is false of a row without the object. */
export function objectsOfAll(filter: Filter): ReadonlySet<string> {
  if (filter.kind === 'and') return new Set(filter.filters.flatMap((one) => [...objectsOfAll(one)]))
  if (filter.kind === 'count' || !hasPath(filter)) return noPaths
  return new Set(filter.path.slice(1).map((_, at) => textOfPath(filter.path.slice(0, at + 1))))
}

/** A filter, or a group of filters, without the first names of its paths. */
export function withoutNames(filter: Filter, count: number): Filter {
  if (hasPath(filter)) return { ...filter, path: filter.path.slice(count) }
  if (isGroup(filter)) return { ...filter, filters: filter.filters.map((member) => withoutNames(member, count)) }
  return filter
}

/** Members of a group that read the same row of a parent table, or one that reads none. */
interface Members {
  readonly on: ParentOnPath | undefined
  readonly filters: Filter[]
}

/** The members of a group by parent table: it has one row at most, so one EXISTS means the same as one for each member. */
export function byParent(scope: Scope, filters: readonly Filter[]): readonly Members[] {
  const all: Members[] = []
  const ofParent = new Map<StoredParent, Filter[]>()
  for (const filter of filters) {
    const on = parentOnPath(scope, filter)
    const others = on && ofParent.get(on.parent)
    if (others !== undefined) {
      others.push(filter)
      continue
    }
    const members: Members = { on, filters: [filter] }
    all.push(members)
    if (on !== undefined) ofParent.set(on.parent, members.filters)
  }
  return all
}
