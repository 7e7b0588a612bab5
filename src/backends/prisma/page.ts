/** The parts of a `findMany` that a query adds to its `where`: the order, the page and the selected fields. */
import type { Path } from '../../tree/index.ts'
import type { Issue } from '../../issue/index.ts'
import {
  isComputed,
  movesNulls,
  readingDirection,
  readsAbsentFirst,
  pageWith,
  readIn,
  shownIn,
  isRequired,
} from '../../query/index.ts'
import type { Page, Query, SortKey, Chosen } from '../../query/index.ts'
import { own } from '../../own.ts'
import { nameOf, presencesOf, refusal, schemaIssues, throwIssues } from '../issues.ts'
import type { Mapping, StoredMember, StoredRow, StoredScalar } from './mapping.ts'
import type { PrismaWhere } from './provider.ts'
import { readerOf, sortValueReader } from './rows.ts'

/** A query, for `findMany` and `count` of a model. */
export interface PrismaQuery<Row = unknown> {
  readonly findMany: {
    readonly where: PrismaWhere
    readonly orderBy: { readonly [name: string]: unknown }[]
    /** One more than the page has: the extra row shows that another page exists. */
    readonly take: number
    readonly skip?: number
    /**
     * The fields of the query, or all of the schema's, without the hidden ones, and the sort keys. The client reads no others. It reads
     * the rows of a list in the order of their id.
     */
    readonly select: { readonly [name: string]: unknown }
  }
  /**
   * The argument of Prisma's `count`. `where` is the filter without the position. `take` is absent if the query counts all rows. Pass the
   * result of `count` to `countOf`.
   */
  readonly count: { readonly where: PrismaWhere; readonly take?: number }
  /**
   * Reads a row of `findMany`: the selected fields by their names in the schema, in the form of the schema, `null` for no value. JSON can
   * represent the result: bigints, decimals, dates and datetimes are canonical texts. It is for streams and exports. For a page, use
   * `page`.
   *
   * @throws TypeError when the row lacks a selected field: pass the row as the client returns it.
   */
  readonly read: (row: unknown) => Row
  /**
   * Makes the page from the rows of `findMany`: the fields of the query by their names in the schema, in the form of the schema, and the
   * cursors.
   *
   * @throws TypeError when a row lacks a selected field, when a required sort key has no value, and when `rows` has more than `take`.
   */
  readonly page: (rows: readonly unknown[]) => Page<Row>
}

/** The parts that a query adds to its `where`. */
export function readingOf(mapping: Mapping, query: Query): Omit<PrismaQuery['findMany'], 'where'> {
  const { schema, row } = mapping
  const { sort, limit, offset, fields = [], position } = query
  throwIssues(schemaIssues(presencesOf(query), schema))
  const issues: Issue[] = []
  const orderBy = sort.map((key) => orderOf(mapping, issues, key, position))
  for (const path of fields) {
    const name = nameOf('', path)
    if (schema.paths.has(name)) continue
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
  const select: Select = {}
  selectIn(select, row, readIn(shownIn(schema.fields, query), query))
  return { orderBy, take: limit + 1, ...(offset !== undefined && { skip: offset }), select }
}

/** Makes the functions that read the rows of a query. */
export function rowsOf<Row>(
  { schema: { fields }, row }: Mapping,
  query: Query,
): Pick<PrismaQuery<Row>, 'read' | 'page'> {
  const answerPaths = shownIn(fields, query)
  let whole: ReturnType<typeof readerOf> | undefined
  return {
    read: (one) => (whole ??= readerOf(row, fields, readIn(answerPaths, query)))(one, 'the row') as Row,
    page: (rows) => {
      const read = readerOf(row, fields, answerPaths) as (one: unknown, name: string) => Row
      const keys = query.sort.map((key) => sortValueReader(row, key))
      const readAll = <T>(readOne: (one: unknown, name: string) => T): T[] =>
        rows.map((one, at) => readOne(one, `rows[${at}]`))
      if (!Array.isArray(rows)) throw new TypeError('rows must be a list')
      // A page that needs no cursor shows the mistake too.
      const values = readAll((one, name) => keys.map((valueOf) => valueOf(one, name)))
      return pageWith(query, readAll(read), (at, one) => values[at]![one])
    },
  }
}

type Order = { readonly [name: string]: unknown }

/** A member of `orderBy`: the direction, in the relations that lead to the field. */
function orderOf({ provider, row }: Mapping, issues: Issue[], key: SortKey, position: Query['position']): Order {
  const sort = readingDirection(key, position) === 'ascending' ? 'asc' : 'desc'
  const refuse = (what: string): string => {
    const path = nameOf('', key.path)
    issues.push(refusal(`${path} ${what}`, key, path, path))
    return sort
  }
  const of = (stored: StoredMember, rest: Path, mayBeAbsent: boolean): unknown => {
    if (stored.kind === 'one') return within(stored.row, rest, mayBeAbsent || stored.isOptional)
    if (stored.kind === 'json') return refuse('is stored as Json, by which Prisma orders no rows')
    const { storage, isOptional } = stored as StoredScalar
    if (isComputed(key))
      return refuse('has an order by which Prisma orders no rows: its orderBy has no ignoreCase and no declared values')
    if (!storage.hasOrder) return refuse('is stored as an enum, whose order is that of its declaration')
    if (storage.isCut && key.type === 'datetime' && own(key, 'digits') === undefined) {
      return refuse('is stored to the microsecond and read to the millisecond, so no position is exact')
    }
    if (!(provider.placesNulls || movesNulls(key)) || isRequired(key) || !(isOptional || mayBeAbsent)) return sort
    if (isOptional) return { sort, nulls: readsAbsentFirst(key, position) ? 'first' : 'last' }
    return refuse('is required in a row that may be absent, so Prisma takes no place for NULL')
  }
  const within = ({ members }: StoredRow, [name, ...rest]: Path, mayBeAbsent: boolean): Order => {
    const stored = members.get(name!)!
    return { [stored.name]: of(stored, rest, mayBeAbsent) }
  }
  return within(row, key.path, false)
}

interface Select {
  [name: string]: true | { readonly select: Select; readonly orderBy?: Order[] }
}

/** Adds the chosen fields of a row to `select`. Two fields of the schema may be of one relation. */
function selectIn(select: Select, { members }: StoredRow, chosen: Chosen | 'all'): void {
  for (const [name, stored] of members) {
    const inner = chosen === 'all' ? chosen : own(chosen, name)
    if (inner === undefined) continue
    select[stored.name] = selectedOf(stored, inner, own(select, stored.name))
  }
}

function selectedOf(stored: StoredMember, chosen: Chosen | 'all', before: Select[string] | undefined): Select[string] {
  if (stored.kind !== 'one' && stored.kind !== 'many') return true
  const row = stored.kind === 'one' ? stored.row : stored.entry
  const { key } = stored.kind === 'one' ? stored.row : stored
  const select = typeof before === 'object' ? before.select : {}
  if (row.kind === 'row') selectIn(select, row, chosen)
  else select[row.name] = true
  // Prisma refuses to select nothing of a row.
  if (Object.keys(select).length === 0) select[key[0]!] = true
  return stored.kind === 'one' ? { select } : { select, orderBy: key.map((name) => ({ [name]: 'asc' })) }
}
