/**
 * The form in which the tests ask a service: requests of the Web, or data, where the environment has `FORM=data` (the projects of
 * vitest whose names end in `-as-data`). Both give Web answers to the tests.
 */
import { expect } from 'vitest'
import { responseOf } from '../../src/service/answer.ts'
import {
  createListService as create,
  type ListService,
  type RequestHead,
  type ServiceRequest,
} from '../../src/service/index.ts'

export const isData = process.env['FORM'] === 'data'

const pathOf = (url: string) => url.replace(/^https?:\/\/[^/]*/, '')

/** The request as a server of Node has it: a path with a query, headers in lower case, and chunks of content. */
function dataOf({ method, url, headers, body, signal }: Request): ServiceRequest {
  return {
    ...{ method, url: pathOf(url), headers: Object.fromEntries(headers), signal },
    ...(body !== null && { body: body.values({ preventCancel: true }) }),
  }
}

/** The functions of a service get the request of the Web itself, or the head of the data. */
export function expectHead(head: RequestHead, request: Request): void {
  if (!isData) return expect(head).toBe(request)
  const { method, url, headers, signal } = request
  expect(head).toEqual({ method, url: pathOf(url), headers: { get: expect.any(Function) as unknown }, signal })
  for (const [name, value] of headers) expect(head.headers.get(name.toUpperCase())).toBe(value)
}

/** A service that answers each Web request as data. */
function asData<Principal extends object>(service: ListService<Principal>): ListService<Principal> {
  const ask = async (request: Request, caller: object = {}) => {
    return responseOf(await service.answer({ ...dataOf(request), ...caller } as ServiceRequest<Principal>))
  }
  return Object.assign(ask, { answer: service.answer, described: service.described })
}

export const inForm = <Principal extends object>(service: ListService<Principal>): ListService<Principal> =>
  isData ? asData(service) : service

/** As that of `urlwhere/http`, in the form of the tests. */
export const createListService: typeof create = (options) => inForm(create(options))
