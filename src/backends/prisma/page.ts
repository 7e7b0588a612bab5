/** The parts of a `findMany` that a query adds to its `where`: order, page, and what is read. */
import type { Path } from '../../ast/index.ts'
import type { Issue } from '../../issue/index.ts'
import { own } from '../../own.ts'
import { readingDirection } from '../../query/page/order.ts'
import { isRequired, type Query, type SortKey } from '../../query/page/query.ts'
import { nameOf, presencesOf, refusal, schemaIssues, throwIssues } from '../issues.ts'
import type { Mapping, StoredMember, StoredRow, StoredScalar } from './mapping.ts'

/** A `where` of Prisma's client: a plain object, with a `Date` or a `bigint` where the field has one. */
export interface PrismaWhere {
  readonly [name: string]: unknown
}

/** A query, for `findMany` and `count` of a model. */
export interface PrismaQuery {
  readonly findMany: {
    readonly where: PrismaWhere
    readonly orderBy: { readonly [name: string]: unknown }[]
    /** One more than the page has: it tells whether there is another page. */
    readonly take: number
    readonly skip?: number
    /** The fields of the query, or all of the schema's, and the sort keys. The client reads no others. */
    readonly select: { readonly [name: string]: unknown }
  }
  /** The filter without the position. */
  readonly count: { readonly where: PrismaWhere }
}

export function readingOf(mapping: Mapping, query: Query): Omit<PrismaQuery['findMany'], 'where'> {
  const { schema, row } = mapping
  const { sort, limit, offset, fields, position } = query
  throwIssues(schemaIssues(presencesOf(query), schema))
  const issues: Issue[] = []
  const orderBy = sort.map((key) => orderOf(mapping, issues, key, readingDirection(key, position)))
  const select: Select = {}
  const chosen = fields ?? [...row.members.keys()].map((name) => [name])
  for (const path of [...chosen, ...sort.map(({ path }) => path)]) {
    if (selectIn(select, row, path) !== undefined) continue
    const name = nameOf('', path)
    const parameters = { problem: 'no_field', field: name }
    issues.push({
      code: 'backend_unmapped',
      fault: 'server',
      message: `the schema has no field ${name}`,
      parameters,
      path: name,
    })
  }
  throwIssues(issues)
  return { orderBy, take: limit + 1, ...(offset !== undefined && { skip: offset }), select }
}

type Order = { readonly [name: string]: unknown }

/** A member of `orderBy`: the direction, in the relations that lead to the field. */
function orderOf({ provider, row }: Mapping, issues: Issue[], key: SortKey, direction: SortKey['direction']): Order {
  const sort = direction === 'ascending' ? 'asc' : 'desc'
  const refuse = (what: string): string => {
    const path = nameOf('', key.path)
    issues.push(refusal(`${path} ${what}`, key, path, path))
    return sort
  }
  const of = (stored: StoredMember, rest: Path, mayBeAbsent: boolean): unknown => {
    if (stored.kind === 'one') return within(stored.row, rest, mayBeAbsent || stored.isOptional)
    const { storage, isOptional } = stored as StoredScalar
    if (!storage.hasOrder) return refuse('is stored as an enum, whose order is that of its declaration')
    if (!provider.placesNulls || isRequired(key) || !(isOptional || mayBeAbsent)) return sort
    if (isOptional) return { sort, nulls: direction === 'ascending' ? 'first' : 'last' }
    return refuse('is required in a row that may be absent, so Prisma takes no place for NULL')
  }
  const within = ({ members }: StoredRow, [name, ...rest]: Path, mayBeAbsent: boolean): Order => {
    const stored = members.get(name!)!
    return { [stored.name]: of(stored, rest, mayBeAbsent) }
  }
  return within(row, key.path, false)
}

interface Select {
  [name: string]: true | { readonly select: Select }
}

/** Adds a field to what is selected: all of it where the path ends. `undefined` where the schema has no such field. */
function selectIn(into: Select, { members }: StoredRow, [name, ...rest]: Path): Select | undefined {
  const stored = members.get(name!)
  if (stored === undefined) return undefined
  const row = rowOf(stored)
  if (row === undefined) {
    if (rest.length > 0) return undefined
    into[stored.name] = stored.kind === 'many' ? { select: { [(stored.entry as StoredScalar).name]: true } } : true
    return into
  }
  const before = own(into, stored.name)
  const select = typeof before === 'object' ? before.select : {}
  into[stored.name] = { select }
  if (rest.length > 0) return selectIn(select, row, rest)
  for (const member of row.members.keys()) selectIn(select, row, [member])
  return into
}

/** The fields of the row that a relation leads to; none where its rows are scalars of a list. */
function rowOf(stored: StoredMember): StoredRow | undefined {
  if (stored.kind === 'one') return stored.row
  return stored.kind === 'many' && stored.entry.kind === 'row' ? stored.entry : undefined
}
