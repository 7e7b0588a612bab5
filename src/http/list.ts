/** Answers a request for a list: it finds the caller, reads the query, adds the restriction and writes the page. */
import { map, or } from '../ast/index.ts'
import { FilterError, report, type Issue, type Issues } from '../issue/index.ts'
import { own } from '../own.ts'
import {
  bindQuery,
  countOf,
  readQueryText,
  restrict,
  shownBy,
  toPage,
  type Count,
  type Page,
  type Query,
  type ReadText,
} from '../query/index.ts'
import { readAuthentication, type Awaitable } from './authenticator.ts'
import { readContent } from './content.ts'
import { linkHeader } from './links.ts'
import { jsonRowOf } from './json-rows.ts'
import type { ListedCollection, Rows, Service } from './options.ts'
import { isProblem, jsonResponse, problemResponse, type Problem } from './problem.ts'

/** Makes the function that lists a collection. Its `search` is the query of the URL, without the question mark. */
export function listerOf<Principal extends object>(
  { authenticator, pairs, limits, problemTypes }: Service<Principal>,
  { collection, restriction, rows }: ListedCollection<Principal>,
): (request: Request, search: string) => Promise<Response> {
  const reserved = Object.keys(pairs)
  const cutTo = shownBy(collection)
  const jsonRow = jsonRowOf(collection.visible.fields)

  return async (request, search) => {
    const inUrl = readQueryText(collection, search, { reserved, limits }, 0)
    const advice = reserved.find((name) => inUrl.reserved.has(name))
    const headers = advice === undefined ? {} : { warning: `299 - "${pairs[advice]}"` }
    const refuseWell = (problem: Problem) =>
      problemResponse({ ...problem, headers: { ...headers, ...own(problem, 'headers') } }, problemTypes)
    const badQuery = (issues: Issues) => refuseWell({ status: 400, detail: issues[0].message, issues })
    // A text that is too long is not parsed, so its credentials are unknown and the caller too.
    if (inUrl.tooLong !== undefined) return badQuery(report([inUrl.tooLong], limits.issues))

    const read = request.method === 'QUERY' ? await readContentText(request, inUrl) : inUrl
    if (isProblem(read)) return refuseWell(read)

    const texts = [...new Set([inUrl, read])]
    const valuesOf = (name: string) => texts.flatMap((text) => text.reserved.get(name) ?? [])
    const credentials = new Map(reserved.map((name) => [name, valuesOf(name)]))
    const caller = readAuthentication(await fromStore(() => authenticator.authenticate(request, credentials)))
    if (isProblem(caller)) return refuseWell(caller)
    // After authentication: neither the answer nor its timing reveals the schema to strangers.
    const parsed = bindQuery(collection, read)
    if (!parsed.ok) return badQuery(parsed.issues)

    // A caller without a restriction sees nothing. Spans are about the query's text, so the restriction has none.
    const visible = map((await restriction(caller.principal)) ?? or(), ({ span: _, ...node }) => node)
    const query = restrict(parsed.query, visible)
    try {
      const [found, count] = await Promise.all([
        pageOf(rows, query),
        query.count ? fromStore(() => rows.count!(query)) : undefined,
      ])
      const { rows: onPage, ...cursors } = found
      const page = { ...cursors, ...(count !== undefined && { count: checkCount(query, count) }) }
      // The content of a QUERY may be meant for no log: it is in no URL.
      const link = read === inUrl ? linkHeader(collection, inUrl.source, reserved, query, page) : undefined
      const data = onPage.map(cutTo(own(query, 'fields'))).map(jsonRow)
      return jsonResponse(200, { data, page }, { ...headers, ...(link && { link }) })
    } catch (error) {
      if (error instanceof FilterError && error.issues.every(isOfClient)) return badQuery(error.issues)
      throw error
    }
  }

  /** The query in the content of a request, or why it is not read. */
  async function readContentText(request: Request, inUrl: ReadText): Promise<ReadText | Problem> {
    const credentials = reserved.flatMap((name) => inUrl.reserved.get(name) ?? [])
    if (inUrl.source!.pairs.length > credentials.length) {
      const detail = `the URL of a QUERY request takes no query${['', ...reserved].join(' but ')}: send all of the query as content`
      return { status: 400, code: 'query_misplaced', detail }
    }
    const content = await readContent(request, limits.length)
    return isProblem(content) ? content : readQueryText(collection, content.text, { reserved, limits }, 0)
  }
}

/**
 * Whether a backend refuses the client's query. Issues of other codes are about texts that `find` parses itself: the query's own
 * text has none here. An issue without a fault counts as the service's.
 */
const isOfClient = (issue: Issue): boolean => own(issue, 'fault') === 'client' && issue.code.startsWith('backend_')

/** Carries what a store threw: it tells a failure of the store from an error of the service. */
export class StoreFailure extends Error {}

export async function fromStore<T>(call: () => Awaitable<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    throw error instanceof FilterError ? error : new StoreFailure(undefined, { cause: error })
  }
}

async function pageOf(rows: Rows, query: Query): Promise<Page<unknown>> {
  if (rows.find !== undefined) return toPage(query, await fromStore(() => rows.find(query)))
  return checkPage(await fromStore(() => rows.page(query)), query)
}

/** Refuses what only looks like a page: the result of a driver has `rows` too, and no cursors. */
function checkPage(page: Page<unknown>, { limit }: Query): Page<unknown> {
  const isPage =
    typeof page === 'object' &&
    page !== null &&
    Object.entries(page).every(([name, value]) =>
      name === 'rows'
        ? Array.isArray(value) && value.length <= limit
        : ['next', 'previous'].includes(name) && typeof value === 'string',
    ) &&
    Object.hasOwn(page, 'rows')
  if (isPage) return page
  throw new TypeError('rows.page must return the page that page(rows) of a compiled query makes, or toPage')
}

/** Drivers give numbers of rows as texts and bigints too. */
function checkCount(query: Query, count: Count): Count {
  if (Number.isSafeInteger(count) && (count as number) >= 0) return countOf(query, count as number)
  const max = typeof query.count === 'object' ? query.count.max : undefined
  if (max === undefined) throw new TypeError('rows.count must return a whole number')
  if (typeof count === 'object' && count !== null && own(count, 'atLeast') === max) return { atLeast: max }
  throw new TypeError(`rows.count must return a whole number, or { atLeast: ${max} }: the maximum of the query`)
}
