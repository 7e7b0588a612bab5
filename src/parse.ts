/** `urlwhere/parse`: the parsers of `urlwhere` without hints, for small bundles. They do not recognize the syntax of other APIs. */
import type { Filter } from './tree/index.ts'
import { FilterError, type QueryText } from './issue/index.ts'
import { checkSchema, type Collection, type Schema } from './language/index.ts'
import { noOptions, readText, type ParseOptions, type QueryOptions } from './reading/index.ts'
import type { QueryOf } from './query/index.ts'
import { bindObject, bindQuery, bindText, readQueryObject, readQueryText } from './binding/index.ts'
import type { ObjectOptions, ObjectResult, ParseResult, QueryResult } from './binding/index.ts'

export type { DeprecatedUse, Limits } from './language/index.ts'
export type { ParseOptions, QueryOptions, Reserved } from './reading/index.ts'
export type { DeprecatedMember, ObjectOptions, ObjectResult, ParseResult, QueryResult } from './binding/index.ts'

/** Parses a query string into a filter, as `parseFilter` of `urlwhere` does. Its issues have no hints. */
export function parseFilter(schema: Schema, text: QueryText, options: ParseOptions = noOptions): ParseResult {
  checkSchema(schema)
  return bindText(schema, readText(text, options))
}

/** Parses a query string into a filter. Throws a `FilterError` for an invalid text. Its issues have no hints. */
export function parseFilterOrThrow(schema: Schema, text: QueryText, options?: ParseOptions): Filter {
  const result = parseFilter(schema, text, options)
  if (!result.ok) throw new FilterError(result.issues)
  return result.filter
}

/** Parses a query string for a collection, as `parseQuery` of `urlwhere` does. Its issues have no hints. */
export function parseQuery<C extends Collection>(
  collection: C,
  text: QueryText,
  options: QueryOptions = noOptions,
): QueryResult<QueryOf<C>> {
  return bindQuery(collection, readQueryText(collection, text, options))
}

/** Parses a query string for a collection. Throws a `FilterError` for an invalid text. Its issues have no hints. */
export function parseQueryOrThrow<C extends Collection>(
  collection: C,
  text: QueryText,
  options?: QueryOptions,
): QueryOf<C> {
  const result = parseQuery(collection, text, options)
  if (!result.ok) throw new FilterError(result.issues)
  return result.query
}

/** Parses an object for a collection, as `parseObject` of `urlwhere` does. Its issues have no hints. */
export function parseObject<C extends Collection>(
  collection: C,
  object: object,
  options: ObjectOptions = noOptions,
): ObjectResult<QueryOf<C>> {
  return bindObject(collection, readQueryObject(collection, object, options))
}
