/** Query → query string, for a query made by hand, too. */
import { FilterError, type Issue } from '../issue/index.ts'
import { checkCollection, parameterNamesOf, type Collection } from '../language/index.ts'
import { checkQuery, type AskedPart, type Query } from '../query/index.ts'
import { queryText, refusals, type PrintQueryOptions } from '../writing/index.ts'
import { expressIn } from './in-collection.ts'
import { ownOf } from '../own.ts'

/**
 * Writes a query as a query string, in canonical form: `parseQuery` with the same collection reads the same query from it, unless the
 * text exceeds its limits. Values are absolute: relative times, and days of a zone other than UTC, become moments. The text does not
 * contain `query.clock`. If the collection allows `timeZone`, a text with days contains `timeZone=UTC`. The text omits the defaults and
 * the hidden fields of the collection, and the bound of its count.
 *
 * @param query a query, read or built.
 * @returns the query string without `?`, percent-encoded where a URL requires it.
 * @throws TypeError when an argument has the wrong type.
 * @throws FilterError with a `print_unsayable` issue for each part that the collection refuses or a query string cannot express.
 * @example
 * printQuery(orderCollection, parseQueryOrThrow(orderCollection, 'limit=5&sort=-total')) // => 'sort=-total&limit=5'
 */
export function printQuery(collection: Collection, query: Query, options: PrintQueryOptions = {}): string {
  checkCollection(collection)
  return queryText(collection, expressed(collection, checkQuery(query)), options)
}

/** A query with conditions in place of the filters that a program made. */
function expressed(collection: Collection, query: Query): Query {
  const { asked } = query
  if (asked.every(({ kind }) => kind !== 'filter')) return query
  const issues: Issue[] = []
  const members = asked.flatMap((part): readonly AskedPart[] => {
    if (part.kind !== 'filter') return [part]
    const { members = [part], issues: found = [] } = expressIn(
      collection,
      part.filter,
      parameterNamesOf(collection).words,
    )
    issues.push(...found)
    return members
  })
  const [first, ...rest] = [...issues, ...(issues.length > 0 ? refusals(collection, ownOf(query)) : [])]
  if (first !== undefined) throw new FilterError([first, ...rest])
  return { ...query, asked: members }
}
