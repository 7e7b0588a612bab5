/** The parts of a `find` that a query adds to its filter: sort, limit, skip and projection. */
import type { Path } from '../../tree/index.ts'
import type { OrderOption } from '../../language/index.ts'
import { orderOptionsOf, readingDirection, mostCounted, textOfPath } from '../../query/index.ts'
import type { Page, Query, SortKey } from '../../query/index.ts'
import { refusal, hasSpan, throwIssues } from '../issues.ts'
import type { MongoDocument } from './document.ts'
import { fieldOf, nameOf, type Storage } from './options.ts'
import { projectionOf, type RowReading } from './rows.ts'

/** A query, for `find(filter, { sort, limit, skip, projection })`, and the functions that read its documents. */
export interface MongoQuery<Row = unknown> {
  readonly filter: MongoDocument
  /** Stored names; 1 is ascending, -1 descending. Documents without a value come before all values. */
  readonly sort: Readonly<Record<string, 1 | -1>>
  /** One more than the page has: the extra row shows that another page exists. */
  readonly limit: number
  readonly skip?: number
  /**
   * The stored names of the fields that rows contain, and of the sort keys. It contains `_id: 0` if no field is stored as `_id`, because
   * MongoDB adds that. It is absent if the backend has no schema and the query names no fields.
   */
  readonly projection?: Readonly<Record<string, 0 | 1>>
  /** The filter without the position, for `countDocuments`. */
  readonly count: MongoDocument
  /** The options of `countDocuments`, if the query counts up to a maximum. Pass the number found to `countOf`. */
  readonly countOptions?: { readonly limit: number }
  /**
   * Converts a document to the form of the schema, which JSON can represent: the fields of the query, or all, and the sort keys. Each is
   * a property by its name in the schema, `null` for no value. Bigints, decimals, dates, datetimes and uuids are canonical text.
   *
   * @param document as the driver gives it, with any of its options for promoting values. With Mongoose, use `lean()`.
   * @throws TypeError when the backend has no schema, when `document` is not a plain object, and when a field has an `encode` whose
   *   values need a `decode`.
   */
  readonly read: (document: object) => Row
  /**
   * Makes the page from the documents of `find`: rows in the form of `read`, with only the fields of the query and without hidden fields,
   * and the cursors.
   *
   * @param documents in the order of reading, at most `limit`, with the projection.
   * @throws TypeError for the reasons of `read`, and when a required sort key has no value.
   */
  readonly page: (documents: readonly object[]) => Page<Row>
}

/** The reason why `find` refuses each option of an order. */
const unordered: { readonly [O in OrderOption]: string } = {
  nulls: 'move the rows without',
  ignoreCase: 'without a field lower ignore the case of',
  declared: 'order by declared values of',
}

/** Returns the name of the stored field that `find` sorts by for a sort key. */
function sortedBy(storage: Storage, key: SortKey): string {
  const { path } = key
  const { lower } = fieldOf(storage, '', path)
  const options = orderOptionsOf(key)
  const option = options.find((one) => one !== 'ignoreCase' || lower === undefined)
  if (option !== undefined) {
    const name = textOfPath(path)
    throwIssues([refusal(`find cannot ${unordered[option]} ${name}`, key, name, name)])
  }
  return nameOf(storage, '', path, options.includes('ignoreCase') ? lower : undefined)
}

/**
 * @throws FilterError when an object cannot have the sort keys in their order: it has names that are whole numbers first. Also when the
 *   order has an option.
 */
function sortOf(storage: Storage, { sort, position }: Query): MongoQuery['sort'] {
  const keys = sort.map((key) => {
    const sign: 1 | -1 = readingDirection(key, position) === 'ascending' ? 1 : -1
    return [sortedBy(storage, key), sign] as const
  })
  const document = Object.fromEntries(keys)
  const names = Object.keys(document)
  const moved = names.find((name, at) => name !== keys[at]![0])
  if (moved !== undefined) {
    const key = sort[keys.findIndex(([name]) => name === moved)]!
    // The key of a collection has no span. A client that chose the keys before it can choose others.
    const chosen = [key, ...sort].find(hasSpan) ?? key
    throwIssues([
      refusal(
        `a field whose name is a whole number, ${moved}, cannot be ordered by after another field`,
        chosen,
        moved,
      ),
    ])
  }
  return document
}

export function readingOf(
  storage: Storage,
  query: Query,
  rows: RowReading | undefined,
): Omit<MongoQuery, 'filter' | 'count'> {
  const { sort, limit, offset, fields } = query
  const most = mostCounted(query)
  const projectionTo = (paths: readonly Path[]) => projectionOf(paths.map((path) => nameOf(storage, '', path)))
  const projection = fields && projectionTo([...fields, ...sort.map(({ path }) => path)])
  return {
    sort: sortOf(storage, query),
    limit: limit + 1,
    ...(offset !== undefined && { skip: offset }),
    ...(most !== undefined && { countOptions: { limit: most } }),
    ...(projection && { projection }),
    ...(rows ?? { read: refuseToRead, page: refuseToRead }),
  }
}

const refuseToRead = (): never => {
  throw new TypeError('rows are read by the schema: give it to mongoBackend({ schema })')
}
