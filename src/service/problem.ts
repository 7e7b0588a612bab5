/** Error answers: RFC 9457 problem details. */
import type { Issue, Issues } from '../issue/index.ts'
import { ownOf } from '../own.ts'
import { jsonAnswer, responseOf, type ServiceAnswer } from './answer.ts'

const titles = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  429: 'Too Many Requests',
  499: 'Client Closed Request', // https://www.rfc-editor.org/rfc/rfc9110 has none; nginx logs this one.
  500: 'Internal Server Error',
  503: 'Service Unavailable',
} as const

/** The codes of problems that the text of a query does not cause. `docs/concepts/errors.md` explains each. */
export const problemCodes = /* @__PURE__ */ Object.freeze([
  'path_unknown',
  'row_unknown',
  'method_not_allowed',
  'fragment_unexpected',
  'query_misplaced',
  'content_type_missing',
  'content_type_unsupported',
  'content_compressed',
  'content_incomplete',
  'content_not_utf8',
  'content_not_object',
  'caller_unknown',
  'key_missing',
  'key_unknown',
  'key_repeated',
  'key_different',
  'basic_required',
  'basic_refused',
  'basic_wrong',
  'checks_busy',
  'requests_busy',
  'client_gone',
  'time_exceeded',
  'data_unavailable',
  'service_failed',
] as const)
/** The kind of a problem without issues of a query. Codes are stable. */
export type ProblemCode = (typeof problemCodes)[number]

/** A fault of a request, before it becomes an answer. */
export interface Problem {
  readonly status: keyof typeof titles
  /** The end of the answer's `type`. Without a code and without issues, `type` is `about:blank`. */
  readonly code?: ProblemCode
  /** The problem in words, for people. */
  readonly detail: string
  /** The issues of the query. The code of the first is the end of the answer's `type`. */
  readonly issues?: Issues
  /** Further headers of the answer. */
  readonly headers?: Readonly<Record<string, string>>
}

/* @__NO_SIDE_EFFECTS__ */ export const newProblem = (
  status: Problem['status'],
  code: ProblemCode,
  detail: string,
  headers?: Problem['headers'],
): Problem => ({ status, code, detail, ...(headers && { headers }) })
export const queryProblem = (issues: Issues): Problem => ({ status: 400, detail: issues[0].message, issues })

/** Whether an answer of an authenticator is a problem. JavaScript may give any status of an HTTP error. */
export function isProblem(answer: object | null | undefined): answer is Problem {
  const { status, detail } = ownOf(answer ?? {}) as { readonly status?: unknown; readonly detail?: unknown }
  return Number.isInteger(status) && 400 <= (status as number) && (status as number) < 600 && typeof detail === 'string'
}

/** The page of the package that explains the codes. */
export const errorsPage = 'https://unpkg.com/urlwhere/docs/concepts/errors.md'

/** The members of an issue that answers contain, in this order. JSON leaves out those that are `undefined`. */
function bodyOfIssue(issue: Issue) {
  const { code, message, member, item, span, hint, path, operator, parameters, suggestion } = ownOf(issue)
  return { code, message, member, item, span, hint, path, operator, parameters, suggestion }
}

/**
 * Makes the answer for a problem, as `application/problem+json`: for an application's answers outside the service.
 *
 * @param problem the fault of the request.
 * @param types the page that explains the codes: `type` is this URI, `#` and the code.
 * @example
 * const response = problemResponse({ status: 404, code: 'path_unknown', detail: 'nothing is found at this path' })
 * response.status // => 404
 */
export function problemResponse(problem: Problem, types = errorsPage): Response {
  return responseOf(problemAnswer(problem, types))
}

/** As {@link problemResponse}, as data. */
export function problemAnswer(problem: Problem, types: string): ServiceAnswer {
  const { status, headers } = ownOf(problem)
  return jsonAnswer(status, bodyOf(problem, types), { 'content-type': 'application/problem+json', ...headers })
}

/** The members of a problem by RFC 9457. */
interface ProblemBody {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly issues?: readonly object[]
}

export function bodyOf(problem: Problem, types: string): ProblemBody {
  const { status, code, detail, issues } = ownOf(problem)
  const named = issues?.[0].code ?? code
  return {
    type: named === undefined ? 'about:blank' : `${types}#${named}`,
    title: titles[status],
    status,
    detail,
    ...(issues && { issues: issues.map(bodyOfIssue) }),
  }
}
