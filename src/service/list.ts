/** Answers a request for a list: it finds the caller, reads the query, adds the restriction and writes the page. */
import { map, or } from '../tree/index.ts'
import { FilterError, report, type Issue, type Issues } from '../issue/index.ts'
import type { Collection } from '../language/index.ts'
import { readText, type Notation, type ReadText } from '../reading/index.ts'
import {
  countOf,
  restrict,
  toAnswer,
  toPage,
  withKey,
  checkPage,
  nameOfFacet,
  type Count,
  type Facet,
  type FacetValue,
  type FacetValues,
  type Query,
} from '../query/index.ts'
import { bindObject, bindQuery, namedFor, readObject, type ReadObject } from '../binding/index.ts'
import { printQuery } from '../writing/index.ts'
import { own } from '../own.ts'
import { authenticationOf, readAuthentication, type Awaitable, type FoundCaller } from './authenticator.ts'
import { faultResponse, notedPage } from './answers.ts'
import { cachedAnswer } from './caching.ts'
import { limitByKey } from './concurrency.ts'
import { readQueryContent } from './content.ts'
import { deprecationHeaders } from './deprecation.ts'
import { holdsSecret, linkHeader } from './links.ts'
import type { Listed, RowsContext, RowValidator } from './listed.ts'
import type { Notes } from './observe.ts'
import type { Service } from './options.ts'
import { isProblem, jsonResponse, type Problem } from './problem.ts'

/** A request for a list, and what is known of it. */
export interface ListRequest<Principal extends object> {
  readonly request: Request
  /** The query of the URL, without the question mark. */
  readonly search: string
  /** Aborts when nobody waits for the answer any longer. */
  readonly signal: AbortSignal
  /** The second argument of the service. */
  readonly caller: Partial<FoundCaller<Principal>> | undefined
  readonly notation: Notation | undefined
  readonly notes: Notes<Principal>
}

const tooMany: Problem = {
  status: 429,
  code: 'requests_busy',
  detail: 'too many requests of this caller run at once: try again when one of them has ended',
  headers: { 'retry-after': '1' },
}

/** Makes the function that lists a collection. */
export function listerOf<Principal extends object>(
  service: Service<Principal>,
  name: string,
  { rows, finds, restriction, zoneOf, offerTo, reserved, row, validateRows }: Listed<Principal>,
  admit: ReturnType<typeof admissionOf<Principal>>,
): (asked: ListRequest<Principal>) => Promise<Response> {
  const { authenticator, challenge, pairs, limits, cache, problemTypes } = service
  const credentialNames = Object.keys(pairs)
  const textOptions = { reserved: [...credentialNames, ...reserved], limits }

  return async ({ request, caller, search, signal, notes, notation }) => {
    const inUrl = readText(search, textOptions, undefined, 0)
    let told = inUrl.source
    let form = notation
    const advice = credentialNames.find((name) => inUrl.reserved.has(name))
    const headers: Record<string, string> = advice === undefined ? {} : { warning: `299 - "${pairs[advice]}"` }
    const refuseWell = (problem: Problem) => {
      const issues = own(problem, 'issues')
      if (issues !== undefined) notes.issues = issues
      return faultResponse({ ...problem, headers: { ...headers, ...own(problem, 'headers') } }, problemTypes, form, {
        source: told,
        credentials: credentialNames,
      })
    }
    const badQuery = (issues: Issues) => refuseWell({ status: 400, detail: issues[0].message, issues })
    // A text that is too long is not parsed, so its credentials are unknown and the caller too.
    if (inUrl.tooLong !== undefined) return badQuery(report([inUrl.tooLong], limits.issues))

    const content =
      request.method === 'QUERY' ? await readOfContent(request, inUrl) : { read: inUrl, object: undefined }
    if (isProblem(content)) return refuseWell(content)
    const { read, object } = content
    told = object === undefined ? read.source : undefined
    // An object uses the language of this library, so its answer uses this language, too.
    if (object !== undefined) form = undefined
    // The caller never sees the text that is written for an object, so the issue has no span. Another text is not too long here.
    if (read.tooLong !== undefined) {
      const [{ span: _, ...issue }] = report([read.tooLong], limits.issues)
      return badQuery([issue])
    }

    const texts = [...new Set([inUrl, read])]
    const valuesOf = (name: string) => texts.flatMap((text) => text.reserved.get(name) ?? [])
    const credentials = new Map(credentialNames.map((name) => [name, valuesOf(name)]))
    const found =
      authenticationOf(caller, challenge) ??
      readAuthentication(await fromStore(() => authenticator.authenticate(request, credentials, signal)))
    if (isProblem(found)) return refuseWell(found)
    signal.throwIfAborted()
    const { principal } = found
    notes.principal = principal
    // After authentication: neither the answer nor its timing reveals the schema to strangers.
    const { collection, checkNotation } = offerTo(principal)
    checkNotation(form)
    const timeZone = zoneOf(principal)
    const parsed =
      object === undefined
        ? bindQuery(collection, { ...namedFor(collection, read), timeZone, notation, resource: name })
        : bindObject(collection, { ...object, read: { ...read, timeZone } })
    Object.assign(headers, deprecationHeaders(parsed.deprecated))
    if (!parsed.ok) return badQuery(parsed.issues)
    const answered = { name, collection, credentials: credentialNames }
    const isSecret = () => holdsSecret(read.source!, credentialNames)
    notes.query = () => (isSecret() ? undefined : textOf(collection, parsed.query, timeZone))

    const leave = admit(principal)
    if (leave === undefined) return refuseWell(tooMany)
    let ended: Promise<unknown> = Promise.resolve()
    try {
      // A caller without a restriction sees nothing. Spans are about the query's text, so the restriction has none.
      const visible = map((await restriction(principal)) ?? or(), ({ span: _, ...node }) => node)
      signal.throwIfAborted()
      const query = restrict(parsed.query, visible)
      // The answer in a notation identifies each row.
      const keyed = form === undefined ? query : withKey(collection, query)
      const values = new Map(
        reserved.flatMap((name) => (read.reserved.has(name) ? [[name, read.reserved.get(name)!]] : [])),
      )
      const counted = own(query, 'facets')
      const context: RowsContext<Principal> = { principal, request, signal, reserved: values }
      const calls = [
        fromStore((): Awaitable<unknown> => (finds ? rows.find!(keyed, context) : rows.page!(keyed, context))),
        query.count ? fromStore(() => rows.count!(query, context)) : Promise.resolve(undefined),
        counted === undefined ? Promise.resolve(undefined) : fromStore(() => rows.facets!(query, context)),
      ] as const
      ended = Promise.allSettled(calls)
      const answers = await Promise.all(calls).catch(refusalOf)
      if (!Array.isArray(answers)) return badQuery(answers.issues)
      signal.throwIfAborted()
      const [given, count, facets] = answers
      const found = finds
        ? toPage(query, given as readonly unknown[])
        : checkPage(given, query, 'rows.page must return')
      const { data: shown, page: cursors } = toAnswer(collection, form?.key === 'inside' ? keyed : query, found)
      const page = { ...cursors, ...(count !== undefined && { count: checkCount(query, count) }) }
      // The content of a QUERY may be meant for no log: it is in no URL.
      const isLinked = read === inUrl && form === undefined
      const link = isLinked ? linkHeader(collection, inUrl.source, credentialNames, query, page) : undefined
      const data =
        row === undefined ? shown : await Promise.all(shown.map(async (one) => checkRow(await row(one, { principal }))))
      if (validateRows !== undefined) await checkRows(validateRows, data)
      notes.rows = data.length
      const answer =
        form === undefined
          ? jsonResponse(
              200,
              { data, page, ...(counted && { facets: checkFacets(counted, facets) }) },
              { ...headers, ...(link && { link }) },
            )
          : notedPage(
              form,
              { ...answered, query, source: read === inUrl ? inUrl.source : undefined, page, found: found.rows, data },
              headers,
            )
      // A URL with a key in it is for no cache.
      const isCached = cache !== undefined && read === inUrl && advice === undefined && !isSecret()
      return isCached ? cachedAnswer(answer, request, cache) : answer
    } finally {
      // Where one call fails, or the time is over, the other may still run.
      void ended.then(leave)
    }
  }

  /** The query in the content of a request, or why it is not read. */
  async function readOfContent(request: Request, inUrl: ReadText): Promise<FoundQuery | Problem> {
    const credentials = credentialNames.flatMap((name) => inUrl.reserved.get(name) ?? [])
    if (inUrl.source!.pairs.length > credentials.length) {
      const detail = `the URL of a QUERY request takes no query${['', ...credentialNames].join(' but ')}: send all of the query as content`
      return { status: 400, code: 'query_misplaced', detail }
    }
    const content = await readQueryContent(request, limits.length)
    if (isProblem(content)) return content
    if (content.text !== undefined)
      return { read: readText(content.text, textOptions, undefined, 0), object: undefined }
    const object = readObject(content.object, textOptions)
    return { read: object.read, object }
  }
}

/** The query of a request: its text, and the object from which the text is written. */
interface FoundQuery {
  readonly read: ReadText
  readonly object: ReadObject | undefined
}

/** The text of a query for logs, with absolute values; `undefined` where these need groups, which the collection lacks. */
function textOf(collection: Collection, query: Query, timeZone: string | undefined): string | undefined {
  try {
    return printQuery(collection, query, { timeZone })
  } catch {
    // No log is worth an answer.
    return undefined
  }
}

/** The gate of a service for the requests of each caller: it returns what ends one, or nothing where too many run. */
export function admissionOf<Principal extends object>({
  concurrency,
}: Service<Principal>): (principal: Principal) => (() => void) | undefined {
  if (concurrency === undefined) return () => () => {}
  const admit = limitByKey(concurrency.max)
  return (principal) => {
    const key = concurrency.key(principal)
    if (typeof key === 'string') return admit(key)
    throw new TypeError('concurrency.key must return a text')
  }
}

/**
 * Whether a backend refuses the client's query. Issues of other codes are about texts that `find` parses itself: the query's own
 * text has none here. An issue without a fault counts as the service's.
 */
const isOfClient = (issue: Issue): boolean => own(issue, 'fault') === 'client' && issue.code.startsWith('backend_')

/** @throws the error, where the client's query is not at fault. */
function refusalOf(error: unknown): FilterError {
  if (error instanceof FilterError && error.issues.every(isOfClient)) return error
  throw error
}

/** Carries what a store threw: it tells a failure of the store from an error of the service. */
export class StoreFailure extends Error {}

/**
 * Whether every request of the kind meets the error again. `fetch` rejects with a TypeError too where it reaches no server: that one has a
 * cause.
 */
const isOfProgram = (error: unknown): boolean =>
  (error instanceof TypeError || error instanceof ReferenceError) && own(error, 'cause') === undefined

export async function fromStore<T>(call: () => Awaitable<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    throw error instanceof FilterError || isOfProgram(error) ? error : new StoreFailure(undefined, { cause: error })
  }
}

/** Drivers give numbers of rows as texts and bigints too. */
function checkCount(query: Query, count: Count): Count {
  if (Number.isSafeInteger(count) && (count as number) >= 0) return countOf(query, count as number)
  const max = typeof query.count === 'object' ? query.count.max : undefined
  if (max === undefined) throw new TypeError('rows.count must return a whole number')
  if (typeof count === 'object' && count !== null && own(count, 'atLeast') === max) return { atLeast: max }
  throw new TypeError(`rows.count must return a whole number, or { atLeast: ${max} }: the maximum of the query`)
}

/** Refuses other values than those of facets. A SQL backend's `facets` returns statements, which look similar. */
function checkFacets(facets: readonly Facet[], values: FacetValues | undefined): FacetValues {
  const isOne = (one: unknown): boolean => {
    if (typeof one !== 'object' || one === null) return false
    const [value, count] = [own(one as FacetValue, 'value'), own(one as FacetValue, 'count')]
    // JSON has null in place of NaN and of an infinity.
    const isValue = value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)
    return isValue && Number.isSafeInteger(count) && count! >= 0
  }
  return Object.fromEntries(
    facets.map((facet) => {
      const path = nameOfFacet(facet)
      const list: unknown = typeof values === 'object' && values !== null ? own(values, path) : undefined
      if (Array.isArray(list) && list.length <= facet.limit && list.every(isOne))
        return [path, (list as readonly FacetValue[]).map(({ value, count }) => ({ value, count }))]
      throw new TypeError(`rows.facets must return the values of ${path}, at most ${facet.limit}: [{ value, count }]`)
    }),
  )
}

/** JSON has `null` in place of `undefined`, functions and symbols: the row would be lost. */
function checkRow(row: unknown): unknown {
  if (['undefined', 'function', 'symbol'].includes(typeof row)) {
    throw new TypeError(`row must return what the answer has in place of the row, not ${typeof row}`)
  }
  return row
}

async function checkRows({ '~standard': standard }: RowValidator, rows: readonly unknown[]): Promise<void> {
  for (const [at, row] of rows.entries()) {
    const issue = (await standard.validate(row)).issues?.[0]
    if (issue === undefined) continue
    const path = [at, ...(issue.path ?? [])].map((part) => String(typeof part === 'object' ? part.key : part)).join('.')
    throw new TypeError(`validateRows refuses the row ${path}: ${issue.message}`)
  }
}
