/** What the tests of service and its laws share. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { makeAccounts, type Principal } from '../../docs/demo/accounts.ts'
import { orderCollection } from '../../docs/demo/data.ts'
import { makeService } from '../../docs/demo/service.ts'
import { memoryStore } from '../../docs/demo/store.ts'
import { problemCodes, type AccountListServiceOptions, type Rows } from '../../src/service/index.ts'
import { and, issueCodes, type Filter } from '../../src/index.ts'
import { walk, type Listed } from '../service/walk.ts'
import { createListService, inForm } from './form.ts'

export const accounts = await makeAccounts(2)
/** One for all tests: its 2,400 orders are made once, and no test changes them. */
export const store = memoryStore()
/** Without the backend, whose check takes more time than a request. */
export const { backend: _, ...orderRows } = store.orders
/** The service of the demo, made anew. */
export const demo = () =>
  inForm(
    makeService(store, accounts, (error) => {
      throw error
    }),
  )
export const usual = demo()

export const errorsPage = readFileSync(join(import.meta.dirname, '../../docs/concepts/errors.md'), 'utf8')

export const origin = 'http://booking.example'
export interface Sent {
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly body?: RequestInit['body']
}
export const ask = (path: string, { method = 'GET', headers = {}, body = null }: Sent = {}, to = usual) =>
  to(new Request(origin + path, { method, headers, body }))
export const as = (name: string): Sent => ({ headers: { 'X-API-KEY': `${name}-key` } })
export const basic = (text: string): Sent => ({
  headers: { authorization: `Basic ${Buffer.from(text).toString('base64')}` },
})
export const listed = async (response: Promise<Response>) => (await (await response).json()) as Listed
export const data = async (response: Promise<Response>) => (await listed(response)).data
export const walkAs = (name: string, path: string, to = usual) => walk((at) => ask(at, as(name), to), path)
/** The rows of all pages. */
export const all = async (name: string, path: string) => {
  const { forwards } = await walkAs(name, path)
  return forwards.flatMap((page) => page.data)
}
export const problem = async (response: Promise<Response>) => {
  const answer = await response
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  expect(answer.headers.get('content-type')).toBe('application/problem+json')
  expect(answer.headers.get('cache-control')).toBe('no-store')
  const body = (await answer.json()) as {
    status: number
    title: string
    type: string
    detail: string
    issues?: { code: string; span: object }[]
  }
  expect(body.status).toBe(answer.status)
  // The page of the demo or of the package, and the code: of the first issue, where there are some.
  const [, page, code] = /^(.*errors\.md)#(\w+)$/.exec(body.type)!
  expect(['/docs/concepts/errors.md', 'https://unpkg.com/urlwhere/docs/concepts/errors.md']).toContain(page)
  expect(body.issues === undefined ? problemCodes : issueCodes).toContain(code)
  if (body.issues !== undefined) expect(code).toBe(body.issues[0]!.code)
  else expect(errorsPage).toContain(`\n### ${code}\n\nStatus ${body.status}. `)
  return { ...body, code, headers: answer.headers }
}

/** The orders of the demo, with other options. */
export function customService(
  options: Partial<AccountListServiceOptions<Principal>>,
  rows: Rows = orderRows,
  restriction: (principal: Principal) => unknown = () => and(),
) {
  return createListService<Principal>({
    accounts,
    basePath: '/api',
    collections: { orders: { collection: orderCollection, rows, restriction: restriction as () => Filter } },
    ...options,
  })
}

/** The status of an answer while `Object.prototype` has a property. */
export async function statusWith(name: string, value: unknown, to: ReturnType<typeof demo>, sent: Sent = {}) {
  const prototype = Object.prototype as unknown as Record<string, unknown>
  const request = new Request(`${origin}/api/orders?limit=1`, { headers: sent.headers ?? {} })
  try {
    prototype[name] = value
    return (await to(request)).status
  } finally {
    delete prototype[name]
  }
}
