/** The first stage: a request → its query, as a text or an object. It knows neither the caller nor a collection. */
import { report } from '../issue/index.ts'
import type { Source } from '../asked/index.ts'
import { readText, type Notation, type TextRequest } from '../reading/index.ts'
import { readObject, type ReadObject } from '../binding/index.ts'
import type { Limits } from '../language/index.ts'
import type { Awaitable } from './awaitable.ts'
import { readQueryContent } from './content.ts'
import { isProblem, newProblem, queryProblem, type Problem } from './problem.ts'
import type { AskedRequest } from './request.ts'
import type { Service } from './options.ts'

/** The query of a request, before the caller is known. */
export interface RequestQuery {
  readonly inUrl: TextRequest
  /** The text that contains the query: that of the URL or of the content. */
  readonly text: TextRequest
  /** The object in the content. `text` is written from it. */
  readonly object: ReadObject | undefined
  /** The notation of the answer: an object is in the language of this library, and so is its answer. */
  readonly notation: Notation | undefined
  /** The text that spans of a problem count in; `undefined` for an object. */
  readonly source: Source | undefined
  /** The advice to callers with a credential in the query. */
  readonly warning: string | undefined
  /** Why the query is not read. */
  readonly problem: Problem | undefined
}

/** @param reserved the names of pairs beside the query, credentials among them. */
export function readRequest(
  { queryCredentials, limits }: Pick<Service<object>, 'queryCredentials' | 'limits'>,
  reserved: readonly string[],
  asked: Pick<AskedRequest<object>, 'head' | 'content'>,
  search: string,
  notation: Notation | undefined,
): Awaitable<RequestQuery> {
  const options = { reserved, limits }
  const inUrl = readText(search, options, undefined, 0)
  const credentials = Object.keys(queryCredentials)
  const credential = credentials.find((name) => inUrl.reserved.has(name))
  const query: RequestQuery = {
    inUrl,
    text: inUrl,
    object: undefined,
    notation,
    source: inUrl.source,
    problem: undefined,
    warning: credential === undefined ? undefined : queryCredentials[credential],
  }
  // A text that is too long is not parsed, so its credentials are unknown and the caller too.
  if (inUrl.tooLong !== undefined) return { ...query, problem: queryProblem(report([inUrl.tooLong], limits.issues)) }
  if (asked.head.method !== 'QUERY') return query
  const values = credentials.flatMap((name) => inUrl.reserved.get(name) ?? [])
  if (inUrl.source.pairs.length > values.length) return { ...query, problem: misplacedQuery(credentials) }
  return withContent(query, asked, options)
}

async function withContent(
  query: RequestQuery,
  { head, content: contentOf }: Pick<AskedRequest<object>, 'head' | 'content'>,
  options: { readonly reserved: readonly string[]; readonly limits: Limits },
): Promise<RequestQuery> {
  const { limits } = options
  const content = await readQueryContent(head.headers, contentOf(), limits.length)
  if (isProblem(content)) return { ...query, problem: content }
  if (content.text !== undefined) {
    const text = readText(content.text, options, undefined, 0)
    return { ...query, text, source: text.source }
  }
  const object = readObject(content.object, options)
  const text = object.read
  const ofObject = { ...query, text, object, notation: undefined, source: undefined }
  if (text.tooLong === undefined) return ofObject
  // The caller never sees the text that is written for an object, so the issue has no span. A text of the caller has another limit.
  const [{ span: _, ...issue }] = report([text.tooLong], limits.issues)
  return { ...ofObject, problem: queryProblem([issue]) }
}

const misplacedQuery = (credentials: readonly string[]): Problem => {
  const none = `takes no query${['', ...credentials].join(' but ')}`
  return newProblem(400, 'query_misplaced', `the URL of a QUERY request ${none}: send all of the query as content`)
}
