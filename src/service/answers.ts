/** Writes pages and problems in the form that a client of a notation expects. */
import type { Collection } from '../language/index.ts'
import { decode, decodeClear, keyOf, mayHoldSecret, type Source } from '../asked/index.ts'
import type { AnswerValues, Notation } from '../reading/index.ts'
import { keyOfRow, type Query } from '../query/index.ts'
import { own, ownOf } from '../own.ts'
import { cachedAnswer, type CacheOptions } from './caching.ts'
import { holdsSecret, linkHeader, queryOf } from './links.ts'
import { jsonAnswer, type ServiceAnswer } from './answer.ts'
import type { Awaitable } from './awaitable.ts'
import { bodyOf, errorsPage, problemAnswer, type Problem } from './problem.ts'
import type { RequestHead } from './request.ts'
import type { RequestQuery } from './read.ts'
import type { ListPage } from './shape.ts'

/** A page of rows, and the request that it answers. */
export interface PageAnswer extends Omit<ListPage, 'unreadable'> {
  readonly name: string
  readonly collection: Collection
  /** Whether the answer is one row, and not a list. */
  readonly isOne: boolean
  /** The body that the endpoint makes; `undefined` where it makes none. */
  readonly body: unknown
  readonly query: Query
  /** The query string of the URL; `undefined` for a query in the content, because a link has no content. */
  readonly source: Source | undefined
  /** The names of pairs with credentials: links leave these pairs out. */
  readonly credentials: readonly string[]
  readonly headers: Readonly<Record<string, string>>
}

/** Writes a page, or one row: in the form of the client if the request has a notation, else `{ data, page, facets }`. */
export function answerPage(
  cache: CacheOptions | undefined,
  { headers: ofRequest }: RequestHead,
  { inUrl, text, notation, warning }: RequestQuery,
  answer: Omit<PageAnswer, 'source'>,
): Awaitable<ServiceAnswer> {
  const { collection, isOne, query, credentials, headers, data, page, facets, body } = answer
  // No link contains the content of a QUERY: URLs are logged.
  const source = text === inUrl ? inUrl.source : undefined
  const write = () => {
    if (notation !== undefined) {
      const names = text?.source?.pairs.map((pair) => decode(text.source!, keyOf(pair))) ?? []
      return notedPage(
        notation,
        { ...answer, source },
        names.some((one) => notation.paging.includes(one)),
      )
    }
    if (isOne) return jsonAnswer(200, { data: data[0] }, headers)
    const link = source && linkHeader(collection, source, credentials, query, page)
    const content = body === undefined ? { data, page, ...(facets && { facets }) } : body
    return jsonAnswer(200, content, { ...headers, ...(link && { link }) })
  }
  // No cache keeps a URL that contains a key.
  const isCached =
    cache !== undefined && source !== undefined && warning === undefined && !holdsSecret(source, credentials)
  return isCached ? cachedAnswer(write(), ofRequest, cache) : write()
}

/** The key of a row as one text. In a key of several fields, a backslash escapes commas and itself, so no two keys are equal. */
function idOf(collection: Collection, row: unknown, at: number): string {
  const texts = keyOfRow(collection, row, at).map(String)
  return texts.length === 1 ? texts[0]! : texts.map((text) => text.replace(/[\\,]/g, '\\$&')).join(',')
}

/** Returns the members of a row without its key. JSON:API puts them in `attributes`. */
function besideKey({ key }: Collection, row: unknown): unknown {
  if (typeof row !== 'object' || row === null || Array.isArray(row)) return row
  return Object.fromEntries(
    Object.entries(row).filter(([name]) => !key.some(({ name: one }) => one === name && one === 'id')),
  )
}

/** @param isPaged whether the request chooses a page. */
export function notedPage(notation: Notation, answer: PageAnswer, isPaged = true): ServiceAnswer {
  const { name, collection, isOne, query, page, rows, data, headers } = answer
  const { limit } = query
  const offset = own(query, 'offset') ?? 0
  const count = own(page, 'count')
  const pages = typeof count === 'number' ? Math.ceil(count / limit) : undefined
  const number = own(query, 'position') === undefined ? Math.floor(offset / limit) + 1 : undefined
  const values: AnswerValues = {
    name,
    limit,
    offset,
    count,
    pages,
    number,
    // Page numbers for clients without links. A list without rows has one page there.
    before: number === undefined || number === 1 ? null : number - 1,
    after: number === undefined || pages === undefined || number >= pages ? null : number + 1,
    end: Math.max(1, pages ?? 1),
    isPaged,
    places: data.length === 0 ? '*' : `${offset}-${offset + data.length - 1}`,
    order: query.sort.map(({ path, direction }) => [path.join('.'), direction === 'ascending' ? 'ASC' : 'DESC']),
    ...linksOf(notation, answer, number, pages),
    items: data.map((row, at) => ({
      row,
      id: idOf(collection, rows[at], at),
      attributes: besideKey(collection, row),
    })),
  }
  const { body, headers: added } = isOne ? notation.row(values) : notation.answer(values)
  return jsonAnswer(200, body, { ...headers, ...added })
}

/** Writes the links to other pages, with page numbers or with cursors. */
function linksOf(
  { links, paging }: Notation,
  { source, credentials, page, collection, query }: PageAnswer,
  number: number | undefined,
  pages: number | undefined,
): AnswerValues {
  if (links === undefined || source === undefined || holdsSecret(source, credentials)) return {}
  const names = source.pairs.map((pair) => decode(source, keyOf(pair)))
  const start = own(links, 'start')
  const isByStart = start !== undefined && names.includes(start)
  const isNumbered = isByStart || names.includes(links.page) || (links.isNumbered && !names.includes(links.next))
  const to = (parameter?: string, value?: string | number): string =>
    `?${queryOf(source, [...credentials, ...paging], parameter === undefined ? [] : [[parameter, String(value)]])}`
  const { next, previous } = page
  const self = `?${queryOf(source, credentials, [])}`
  if (!isNumbered || number === undefined)
    return {
      self,
      first: to(),
      ...(next !== undefined && { next: to(links.next, next) }),
      ...(previous !== undefined && { previous: to(links.previous, previous) }),
    }
  const { limit } = query
  const offset = own(query, 'offset') ?? 0
  /** The link to the page after a number of rows. */
  const at = (rows: number) => (isByStart ? to(start, rows) : to(links.page, rows / limit + 1))
  const isAllowed = (rows: number) => rows <= (collection.maxOffset ?? 0)
  const after = offset + limit
  const last = ((pages ?? 0) - 1) * limit
  return {
    self,
    first: at(0),
    // Behind the largest offset, the link has a cursor in place of a number.
    ...(next !== undefined && { next: isAllowed(after) ? at(after) : to(links.next, next) }),
    ...(offset > 0 && { previous: at(Math.max(0, offset - limit)) }),
    ...(last >= 0 && isAllowed(last) && { last: at(last) }),
  }
}

/** The query string of a request, and the names of its pairs with credentials. */
interface QueryText {
  readonly source: Source | undefined
  readonly credentials: readonly string[]
}

/** Finds the parameter at an offset of the text; `undefined` where its name can contain a credential. */
function parameterAt({ source, credentials }: QueryText, offset: number): string | undefined {
  const pair = source?.pairs.findLast(({ start }) => start <= offset) ?? source?.pairs[0]
  if (source === undefined || pair === undefined || mayHoldSecret(source, keyOf(pair), credentials)) return undefined
  return decodeClear(source, keyOf(pair))
}

const messageOf = (issue: { readonly message: string; readonly hint?: string }): string => {
  const hint = own(issue, 'hint')
  return hint === undefined ? issue.message : `${issue.message}: ${hint}`
}

/** Writes a problem: in the form of the client if the request has a notation, else by RFC 9457. */
export function answerFault(
  problem: Problem,
  types = errorsPage,
  notation?: Notation,
  text?: QueryText,
): ServiceAnswer {
  if (notation === undefined) return problemAnswer(problem, types)
  const { status, detail, issues, code, headers } = ownOf(problem)
  const body = bodyOf(problem, types)
  const items = issues?.map((issue) => {
    const span = own(issue, 'span')
    const parameter = text && span && parameterAt(text, span.start)
    const source = parameter === undefined ? {} : { source: { parameter } }
    return { problem: issue.code, detail: messageOf(issue), ...source }
  })
  const noted = notation.fault({
    status,
    code: String(status),
    title: body.title,
    problem: body,
    message: issues?.map(messageOf).join('; ') ?? detail,
    items: items ?? [{ problem: code, detail }],
  })
  return jsonAnswer(status, noted.body, { 'content-type': 'application/problem+json', ...noted.headers, ...headers })
}
