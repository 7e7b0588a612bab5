/** The parsers of `urlwhere`: the functions of `binding/` with the advisers of this room. */
import type { Filter } from '../tree/index.ts'
import { FilterError, type QueryText } from '../issue/index.ts'
import { checkSchema, type Collection, type Schema } from '../language/index.ts'
import { noOptions, readText, type ParseOptions, type QueryOptions } from '../reading/index.ts'
import type { QueryOf } from '../query/index.ts'
import { bindObject, bindQuery, bindText, readQueryObject, readQueryText } from '../binding/index.ts'
import type { ObjectOptions, ObjectResult, ParseResult, QueryResult } from '../binding/index.ts'
import { adviser, objectAdviser } from './advise.ts'

/**
 * Parses a query string into a filter. The text never causes an exception, and the parser ignores no part of it: the result is a filter,
 * or every issue of the text. The empty text becomes `and()`, which selects every row.
 *
 * @param schema the fields that the query may use.
 * @param text the query string with or without its `?`, a `URL`, or a `URLSearchParams`.
 * @param options reserved names, limits, groups, time zone.
 * @returns the filter, or all issues in the order of the text. When there are more than `limits.issues`, the last one is `limit_issues`.
 * @throws TypeError when an argument has a wrong type, or when a reserved name or a word of groups is a field of the schema.
 * @example
 * const result = parseFilter(orders, 'seller=s-1&items.arrival[gte]=2024-01-01')
 * if (result.ok) rows.filter(memoryBackend().compile(result.filter))
 */
export function parseFilter(schema: Schema, text: QueryText, options: ParseOptions = noOptions): ParseResult {
  checkSchema(schema)
  return bindText(schema, readText(text, options), adviser)
}

/**
 * Parses a query string into a filter, as {@link parseFilter} does, and throws when there are issues.
 *
 * @param schema the fields that the query may use.
 * @param text the query string with or without its `?`, a `URL`, or a `URLSearchParams`.
 * @param options reserved names, limits, groups, time zone.
 * @returns the filter. The reserved values are not returned: use {@link parseFilter} or {@link readReserved} for them.
 * @throws FilterError with all issues of the text in `issues`.
 * @throws TypeError when an argument has a wrong type, or when a reserved name or a word of groups is a field of the schema.
 * @example
 * const filter = parseFilterOrThrow(orders, new URL(request.url, 'http://localhost'))
 */
export function parseFilterOrThrow(schema: Schema, text: QueryText, options?: ParseOptions): Filter {
  const result = parseFilter(schema, text, options)
  if (!result.ok) throw new FilterError(result.issues)
  return result.filter
}

/**
 * Reads a query string as a query of a collection: its filter, order, page and fields.
 *
 * @param collection made by `defineCollection`.
 * @param text the query string with or without its `?`, a `URL`, or a `URLSearchParams`.
 * @returns the query, or every issue in the order of the text. Both have the reserved values.
 * @throws TypeError when an argument has the wrong type, or a reserved name is a field or a parameter. The text never causes it.
 * @example
 * const result = parseQuery(orderCollection, 'status=paid&sort=-arrival&limit=50')
 * if (result.ok) result.query.limit // => 50
 */
export function parseQuery<C extends Collection>(
  collection: C,
  text: QueryText,
  options: QueryOptions = noOptions,
): QueryResult<QueryOf<C>> {
  return bindQuery(collection, readQueryText(collection, text, options), adviser)
}

/**
 * Reads a query string as a query of a collection, as {@link parseQuery} does, and throws when there are issues.
 *
 * @returns the query. The reserved values are not returned: use {@link parseQuery} for them.
 * @throws FilterError with all issues of the text in `issues`.
 * @throws TypeError when an argument has the wrong type, or a reserved name is a field or a parameter.
 * @example parseQueryOrThrow(orderCollection, 'status=paid&sort=-arrival&limit=50').limit // => 50
 */
export function parseQueryOrThrow<C extends Collection>(
  collection: C,
  text: QueryText,
  options?: QueryOptions,
): QueryOf<C> {
  const result = parseQuery(collection, text, options)
  if (!result.ok) throw new FilterError(result.issues)
  return result.query
}

/**
 * Parses an object as a query of a collection: the arguments of a tool call, or the JSON of a request. `toolSchema` describes the members:
 * a condition is `path` for equality or `path[operator]`, with a value of the JSON type of the field. Operators with several operands,
 * `sort`, `fields` and `facets` require arrays. A group is a text. `path.operator` means `path[operator]`, unless a field has this
 * path. A restriction, limits and hidden fields apply as in `parseQuery`.
 *
 * @param collection made by `defineCollection`.
 * @param object the object. The parser ignores inherited members.
 * @param options the options of `parseQuery` without `notation`, and `strict`, which ignores members with the value `null`.
 * @returns the query, or every issue in the order of the members. An issue contains its `member`, and for an array the index `item`.
 * @throws TypeError when `object` is not an object with members, an argument has the wrong type, or a reserved name is a field or a
 *   parameter; never because of the members.
 * @example
 * const result = parseObject(orderCollection, { 'total[gte]': 5, sort: ['-total'], limit: 20 })
 * if (result.ok) result.query.limit // => 20
 */
export function parseObject<C extends Collection>(
  collection: C,
  object: object,
  options: ObjectOptions = noOptions,
): ObjectResult<QueryOf<C>> {
  return bindObject(collection, readQueryObject(collection, object, options), objectAdviser)
}
