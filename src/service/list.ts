/** Answers a request for a list, or for one row: read → admit → bind → restrict → fetch → shape → answer. */
import { checkFilter, map, or, type Filter } from '../tree/index.ts'
import { FilterError } from '../issue/index.ts'
import { mayHoldSecret, sourceOf } from '../asked/index.ts'
import { noReserved, type Notation, type Reserved } from '../reading/index.ts'
import { restrict, withKey } from '../query/index.ts'
import { own } from '../own.ts'
import { authenticate, tooManyRequests, type Admit } from './admit.ts'
import type { ServiceAnswer } from './answer.ts'
import { answerFault, answerPage } from './answers.ts'
import { bindRequest, logText } from './bind.ts'
import { deprecationHeaders } from './deprecation.ts'
import type { Endpoint } from './endpoint.ts'
import { fetchRows } from './fetch.ts'
import type { Observation } from './observe.ts'
import type { Service } from './options.ts'
import { isProblem, newProblem, queryProblem, type Problem } from './problem.ts'
import { readRequest } from './read.ts'
import type { AskedRequest } from './request.ts'
import { checkJson, shapePage, shapeRows, type ListPage } from './shape.ts'

export interface ListRequest<Principal extends object> extends AskedRequest<Principal> {
  /** The query of the URL, without the question mark. */
  readonly search: string
  /** The key of one row, as the path has it; `undefined` for a list. */
  readonly key: string | undefined
  /** Aborts when nobody waits for the answer any longer. */
  readonly signal: AbortSignal
  readonly notation: Notation | undefined
  readonly observation: Observation<Principal>
}

/** One answer, whether the row does not exist or the caller may not see it. */
const unknownRow = newProblem(404, 'row_unknown', 'no row that you may see has this key')

/** Makes an error for each column with values that its type cannot read, once for each column. */
function errorsOf(name: string, unreadable: ListPage['unreadable'], reported: Set<string>): readonly Error[] {
  return unreadable
    .filter(({ column }) => !reported.has(column) && reported.add(column))
    .map(({ path, column }) => {
      const told = `${name}.${path} is null in rows whose column ${column} has a value that its type in the mapping cannot read`
      return new TypeError(`${told}: give column('${column}', { type }) the type of its values`)
    })
}

/** The values of the pairs with these names. */
function ownValues(names: readonly string[], reserved: Reserved): Reserved {
  if (names.length === 0) return noReserved
  const values = new Map<string, readonly string[]>()
  for (const name of names) {
    const list = reserved.get(name)
    if (list !== undefined) values.set(name, list)
  }
  return values
}

/** A checked filter without spans: itself if it has none, as all filters that a program builds. */
function withoutSpans(restriction: Filter): Filter {
  const checked = checkFilter(restriction, 'restriction')
  return hasSpan(checked) ? map(checked, ({ span: _, ...node }) => node) : checked
}

function hasSpan(filter: Filter): boolean {
  if (own(filter, 'span') !== undefined) return true
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.filters.some(hasSpan)
    case 'not':
    case 'some':
      return hasSpan(filter.filter)
    default:
      return false
  }
}

/** Makes the function that lists a collection, and reads one row of it. */
export function listerOf<Principal extends object>(
  service: Service<Principal>,
  name: string,
  endpoint: Endpoint<Principal>,
  admit: Admit<Principal>,
): (asked: ListRequest<Principal>) => Promise<ServiceAnswer> {
  const credentials = Object.keys(service.queryCredentials)
  const reserved = [...credentials, ...endpoint.reserved]
  const reported = new Set<string>()
  const isShaped =
    endpoint.row !== undefined || endpoint.validateRows !== undefined || endpoint.answer.columns.length > 0

  return async (asked) => {
    const { head, search, key, signal, notation, observation } = asked
    const reading = readRequest(service, reserved, asked, search, notation)
    const read = reading instanceof Promise ? await reading : reading
    const { text, warning } = read
    const warned = warning === undefined ? {} : { warning: `299 - "${warning}"` }
    const refuse = (problem: Problem, headers: Readonly<Record<string, string>> = warned) => {
      const issues = own(problem, 'issues')
      if (issues !== undefined) observation.issues = issues
      const whole = { ...problem, headers: { ...headers, ...own(problem, 'headers') } }
      return answerFault(whole, service.problemTypes, read.notation, { source: read.source, credentials })
    }
    if (read.problem !== undefined) return refuse(read.problem)

    const authentication = await authenticate(service, asked, read, signal)
    if (isProblem(authentication)) return refuse(authentication)
    signal.throwIfAborted()
    const { principal } = authentication
    observation.principal = principal

    // After authentication: neither the answer nor its timing reveals the schema to strangers.
    const bound = bindRequest(endpoint, name, read, principal, key)
    const { collection, parsed } = bound
    const headers = { ...warned, ...deprecationHeaders(parsed.deprecated) }
    if (!parsed.ok) return refuse(queryProblem(parsed.issues), headers)
    if (key === undefined || !mayHoldSecret(sourceOf(key), { start: 0, end: key.length }, credentials)) {
      observation.key = key
      observation.query = () => logText(bound, parsed.query, read, credentials)
    }

    const leave = admit(principal)
    if (leave === undefined) return refuse(tooManyRequests, headers)
    let isFetching = false
    try {
      // A caller without a restriction sees nothing. Spans are about the query's text, so the restriction has none.
      const visible = withoutSpans((await endpoint.restriction(principal)) ?? or())
      signal.throwIfAborted()
      const query = restrict(parsed.query, visible)
      const keyed = read.notation === undefined ? query : withKey(collection, query)
      const context = { principal, request: head, signal, reserved: ownValues(endpoint.reserved, text.reserved) }
      isFetching = true
      const answers = await fetchRows(endpoint, { query, keyed }, context, leave)
      if (answers instanceof FilterError) return refuse(queryProblem(answers.issues), headers)
      signal.throwIfAborted()
      const shown = read.notation?.key === 'inside' ? keyed : query
      const list = shapePage(endpoint, collection, query, shown, answers)
      const { rows, page, facets } = list
      if (key !== undefined && rows.length === 0) return refuse(unknownRow, headers)
      const data = isShaped ? await shapeRows(endpoint, collection, list, principal) : list.data
      const makePage = key === undefined && read.notation === undefined ? endpoint.answer.page : undefined
      const parts = { data, page, ...(facets && { facets }) }
      observation.rows = data.length
      observation.problems = errorsOf(name, list.unreadable, reported)
      return await answerPage(service.cache, head, read, {
        name,
        collection,
        isOne: key !== undefined,
        query,
        credentials,
        headers,
        rows,
        data,
        page,
        facets,
        body: makePage && checkJson(await makePage(parts, { principal, query }), 'answer.page'),
      })
    } finally {
      if (!isFetching) leave()
    }
  }
}
