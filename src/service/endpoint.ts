/** An endpoint of a collection: the queries of its callers, the store of its rows, and the fields of its answers. */
import type { Filter } from '../tree/index.ts'
import { checkCollection, defaultsOf, type Collection } from '../language/index.ts'
import { checkZone, type Notation } from '../reading/index.ts'
import type { RowCount, FacetValues, Page, Query } from '../query/index.ts'
import { checkReservedQuery } from '../binding/index.ts'
import type { Backend } from '../backends/backend.ts'
import { weakCache } from '../cache.ts'
import { checkReading } from '../tools/check-backend.ts'
import { checkOptions } from '../options.ts'
import { member } from '../own.ts'
import type { Awaitable } from './awaitable.ts'
import type { RequestHead } from './request.ts'

/** The context of a query: the second argument of `read`, `find`, `page`, `count` and `facets`. */
export interface RowsContext<Principal extends object = object> {
  /** The caller, as `authenticate` found it. */
  readonly principal: Principal
  /** The request as it came, a `Request` in the Web form. The service has already read the content of a `QUERY`. */
  readonly request: RequestHead
  /** Aborts when the client disconnects, or after `timeout`. Pass it to operations that you can cancel. */
  readonly signal: AbortSignal
  /** The decoded values of the pairs that the collection's `reserved` names, in the order of the query. */
  readonly reserved: ReadonlyMap<string, readonly string[]>
}

/**
 * The rows of a collection, by `read`, as {@link sqlRows} makes it, by `find` or by `page`. A rejection becomes a 503. A fault of the program becomes a 500: a `TypeError` without a
 * `cause`, or a `ReferenceError`.
 */
export type Rows<Principal extends object = object> = ReadRows<Principal> | FoundRows<Principal> | FoundPages<Principal>

interface CountedRows<Principal extends object> {
  /**
   * Returns how many rows the filter of the query selects on all pages. A collection with `count` needs it. If `query.count` has a `max`,
   * it may stop at `max + 1`, and may return `{ atLeast: max }`, for example from `countOf`. The answer has `{ atLeast: max }` for every
   * greater number.
   */
  readonly count?: (query: Query, context: RowsContext<Principal>) => Awaitable<RowCount>
  /**
   * Returns the values of each facet of the query, by its dotted path, as `facets` of a backend makes them. A collection with `facets`
   * needs it.
   */
  readonly facets?: (query: Query, context: RowsContext<Principal>) => Awaitable<FacetValues>
  /**
   * The backend that `read`, `find` or `page` compiles with. With it, {@link createListService} throws if the backend refuses a part of the
   * collection: see `checkBackend`. For `find`, it tries `compileQuery`, otherwise `select`, if the backend has it. Without `backend`, a
   * query that the backend refuses gives a 500.
   */
  readonly backend?: Backend<unknown>
}

/**
 * Rows that one call reads: the page, the number of rows and the facets, of one snapshot of the data where the store can. The service
 * calls neither `count` nor `facets`.
 */
export interface ReadRows<Principal extends object = object> extends CountedRows<Principal> {
  /** Returns the parts that the query requests. */
  readonly read: (query: Query, context: RowsContext<Principal>) => Awaitable<RowsAnswer>
  readonly find?: undefined
  readonly page?: undefined
}

/** The result of {@link ReadRows.read}. */
export interface RowsAnswer {
  /** The result of `page(rows)` of a compiled query, or of `toPage`. */
  readonly page: Page<unknown>
  /** The number of rows that the filter selects, where `query.count` is not `false`. */
  readonly count?: RowCount
  /** The values of each facet, where the query has `facets`. */
  readonly facets?: FacetValues
}

/** Rows as a backend reads them. The service makes the pages. */
export interface FoundRows<Principal extends object = object> extends CountedRows<Principal> {
  /**
   * Returns the rows that `compileQuery` of a backend reads: in the order of reading, at most `query.limit + 1`. They are JSON
   * values in the form of the schema, with the fields of the key and of the order. A `bigint` or a `decimal` may be a bigint or a
   * number, too: the answer has its canonical text.
   */
  readonly find: (query: Query, context: RowsContext<Principal>) => Awaitable<readonly unknown[]>
  readonly read?: undefined
  readonly page?: undefined
}

/** Rows in pages, for SQL: the compiled query makes the page from the driver's rows. */
export interface FoundPages<Principal extends object = object> extends CountedRows<Principal> {
  /**
   * Returns the result of `page(rows)` of a compiled query, or of `toPage`. You may change the rows afterwards, if they stay JSON values
   * in the form of the schema.
   */
  readonly page: (query: Query, context: RowsContext<Principal>) => Awaitable<Page<unknown>>
  readonly read?: undefined
  readonly find?: undefined
}

/**
 * A validator of rows, such as a schema of zod, Valibot or ArkType. It is the part of a Standard Schema that the service needs
 * (https://standardschema.dev).
 */
export interface RowValidator {
  readonly '~standard': {
    readonly validate: (value: unknown) => Awaitable<{ readonly issues?: readonly RowIssue[] | undefined }>
  }
}
interface RowIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/** The form of the answers of an endpoint. */
export interface AnswerOptions<Principal extends object = object> {
  /** The names of columns that the schema lacks and each row of an answer contains, for example `['version']`. */
  readonly columns?: readonly string[]
  /**
   * Makes the body of a page and returns a JSON value. Default: `{ data, page, facets }`. The service calls it neither for one row by its
   * key nor for a request in a notation.
   */
  readonly page?: (
    parts: AnswerParts,
    context: { readonly principal: Principal; readonly query: Query },
  ) => Awaitable<unknown>
  /**
   * The JSON Schema of the body that `page` makes. `openapi` copies it into the document. It can refer to the schema of a row:
   * `{ $ref: '#/components/schemas/Order' }`. Default: the document allows any body.
   */
  readonly schema?: object
}

/** The parts of a page: the rows as the caller may see them, the cursors, the number of rows and the facets. */
export interface AnswerParts {
  readonly data: readonly unknown[]
  readonly page: { readonly next?: string; readonly previous?: string; readonly count?: RowCount }
  /** The values of each facet that the query names. */
  readonly facets?: FacetValues
}

/** An endpoint: the collection that it lists, its rows, and the restriction of each caller. */
export interface EndpointOptions<Principal extends object> {
  /**
   * Made by `defineCollection`; or a function that returns the collection of a caller. Make these once with `narrow`, not for each
   * request.
   */
  readonly collection: Collection | ((principal: Principal) => Collection)
  /** Where the rows are. */
  readonly rows: Rows<Principal>
  /**
   * A filter for the rows that a caller may see. The service adds it to every query with `and`. `undefined`: the caller sees no rows.
   * `and()`: all rows.
   */
  readonly restriction: (principal: Principal) => Awaitable<Filter | undefined>
  /**
   * The time zone of days and relative times in a query: an IANA name such as `Europe/Berlin`, an offset such as `+01:00`, or a function
   * that returns the zone of a caller. The parameter `timeZone` overrides it, if the collection allows the parameter. Default: UTC.
   * Restrictions do not depend on it.
   */
  readonly timeZone?: string | ((principal: Principal) => string | undefined)
  /** The names of other parameters of the URL, for example `['view', 'utm_source']`. `find` receives their values. Links repeat them. */
  readonly reserved?: readonly string[]
  /**
   * Changes a row of the answer: it receives the fields that the answer contains, and returns a JSON value. The function reads columns
   * that the schema lacks by their names: `row.version` of `columns` in `sqlBackend`. A spread and JSON leave them out.
   */
  readonly row?: (row: unknown, context: { readonly principal: Principal }) => unknown
  /** The form of the answers. */
  readonly answer?: AnswerOptions<Principal>
  /** Checks every row of an answer, in development. If it refuses a row, the answer is a 500. It does not change rows. */
  readonly validateRows?: RowValidator
}

/** An endpoint with checked options. */
export interface Endpoint<Principal extends object> extends Required<
  Pick<EndpointOptions<Principal>, 'rows' | 'restriction' | 'reserved'>
> {
  /** The function of `rows` that reads a page. */
  readonly reader: 'read' | 'find' | 'page'
  /** The collection of a caller, checked. */
  readonly viewOf: (principal: Principal) => CallerView
  /** The zone of a caller; `undefined` where the entry names none. */
  readonly zoneOf: (principal: Principal) => string | undefined
  readonly row: EndpointOptions<Principal>['row']
  readonly answer: {
    /** The names of the columns beside the fields that answers contain. */
    readonly columns: readonly string[]
    readonly page: AnswerOptions<Principal>['page']
    /** The JSON Schema of a page; `undefined` where the page has the form of this library. */
    readonly schema: object | undefined
  }
  readonly validateRows: RowValidator | undefined
}

/** A collection as a caller sees it, checked. */
export interface CallerView {
  readonly collection: Collection
  /** @throws TypeError when the notation of a request requires an option that the collection lacks. */
  readonly checkNotation: (notation: Notation | undefined) => void
}

const names = ['collection', 'rows', 'restriction', 'timeZone', 'reserved', 'row', 'answer', 'validateRows'] as const

/**
 * @param credentials names of pairs with credentials.
 * @throws TypeError that names the fault, after `argument`.
 */
export function checkEndpoint<Principal extends object>(
  options: EndpointOptions<Principal>,
  argument: string,
  credentials: readonly string[],
  notation?: Notation,
): Endpoint<Principal> {
  const {
    collection,
    rows,
    restriction,
    timeZone,
    row,
    answer = {},
    validateRows,
    reserved = [],
  } = checkOptions(options, argument, names)
  if (!Array.isArray(reserved) || reserved.some((name) => typeof name !== 'string' || name === '')) {
    throw new TypeError(`${argument}.reserved must be a list of names`)
  }
  const taken = reserved.find((name, at) => credentials.includes(name) || reserved.indexOf(name) !== at)
  if (taken !== undefined) throw new TypeError(`${argument}.reserved has ${taken}, which is reserved already`)
  const { columns = [], page, schema } = checkOptions(answer, `${argument}.answer`, ['columns', 'page', 'schema'])
  if (!Array.isArray(columns) || columns.some((name) => typeof name !== 'string' || name === '')) {
    throw new TypeError(`${argument}.answer.columns must be a list of names`)
  }
  if (page !== undefined && typeof page !== 'function')
    throw new TypeError(`${argument}.answer.page must be a function`)
  if (schema !== undefined && (page === undefined || !isSchema(schema)))
    throw new TypeError(`${argument}.answer.schema must be the JSON Schema of the body that answer.page makes`)
  const zoneOf = zonesOf(timeZone, `${argument}.timeZone`)
  const isFunction = typeof collection === 'function'
  const checkNames = (one: Collection, noted: Notation | undefined) => {
    if (noted === undefined) checkReservedQuery(one, [...credentials, ...reserved])
    else noted.check(one, [...credentials, ...reserved])
  }
  const checkAsked = (one: Collection) => {
    checkCollection(one, `${argument}.collection${isFunction ? '(principal)' : ''}`)
    checkNames(one, notation)
  }
  if (!isFunction) checkAsked(collection)
  // A list has functions of these names.
  const reads = (name: 'read' | 'find' | 'page' | 'count' | 'facets') =>
    typeof rows === 'object' && rows !== null && !Array.isArray(rows) && typeof member(rows, name) === 'function'
  const reader = (['read', 'find', 'page'] as const).find(reads)
  if (reader === undefined) throw new TypeError(`${argument}.rows must have the function read, find or page`)
  if (typeof restriction !== 'function') throw new TypeError(`${argument}.restriction must be a function`)
  if (row !== undefined && typeof row !== 'function') throw new TypeError(`${argument}.row must be a function`)
  if (validateRows !== undefined && typeof validateRows?.['~standard']?.validate !== 'function') {
    throw new TypeError(`${argument}.validateRows must be a Standard Schema, such as one of zod`)
  }

  const view = (one: Collection): CallerView => {
    checkAsked(one)
    defaultsOf(one)
    const field = columns.find((name) => Object.hasOwn(one.schema.fields, name))
    if (field !== undefined)
      throw new TypeError(`${argument}.answer.columns has ${field}, which is a field of the schema`)
    for (const name of ['count', 'facets'] as const) {
      if (one.parameters.has(name) && reader !== 'read' && !reads(name))
        throw new TypeError(`${argument}.rows must have the function ${name}, which the collection allows`)
    }
    const backend = member(rows, 'backend')
    // `find` returns the rows of `compileQuery`.
    if (backend !== undefined) checkReading(one, backend, `${argument}.rows.backend`, reader !== 'find')
    return {
      collection: one,
      checkNotation: (noted) => checkNames(one, noted),
    }
  }
  return {
    ...{ rows, reader, restriction, zoneOf, reserved, row, validateRows },
    answer: { columns, page, schema: page && (schema ?? {}) },
    viewOf: viewsOf(collection, view),
  }
}

const isSchema = (schema: unknown): boolean => typeof schema === 'object' && schema !== null && !Array.isArray(schema)

/** A zone for all callers is checked at once; one of a caller with each request. */
function zonesOf<Principal extends object>(
  timeZone: EndpointOptions<Principal>['timeZone'],
  argument: string,
): Endpoint<Principal>['zoneOf'] {
  if (typeof timeZone === 'function')
    return (principal) => checkZone(timeZone(principal) ?? 'UTC', `${argument}(principal)`)
  const only = checkZone(timeZone, argument)
  return () => only
}

/** A collection for all callers is checked at once; one of a caller when the first of them comes. */
function viewsOf<Principal extends object>(
  collection: EndpointOptions<Principal>['collection'],
  view: (collection: Collection) => CallerView,
): Endpoint<Principal>['viewOf'] {
  if (typeof collection !== 'function') {
    const only = view(collection)
    return () => only
  }
  const views = weakCache<Collection, CallerView>()
  return (principal) => {
    const own = collection(principal)
    const before = typeof own === 'object' && own !== null ? views.get(own) : undefined
    if (before !== undefined) return before
    const made = view(own)
    views.set(own, made)
    return made
  }
}
