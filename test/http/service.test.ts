/** The table of answers in docs/guides/list-service.md, on the demo's data and on stores that fail. */
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { demoAccounts, makeAccounts, type Principal } from '../../src/demo/accounts.ts'
import { orders } from '../../src/demo/data.ts'
import { makeService } from '../../src/demo/service.ts'
import { memoryStore } from '../../src/demo/store.ts'
import { createListService, type Accounts, type ListServiceOptions } from '../../src/http/index.ts'
import { and, defineSchema, field, FilterError, or, parseFilterOrThrow, where, type Filter } from '../../src/index.ts'

let accounts: Accounts<Principal>
let service: (request: Request) => Promise<Response>
beforeAll(async () => {
  accounts = await makeAccounts()
  service = makeService(memoryStore(), accounts, (error) => {
    throw error
  })
})

const origin = 'http://booking.example'
interface Sent {
  readonly method?: string
  readonly headers?: Record<string, string>
}
const ask = (path: string, { method = 'GET', headers = {} }: Sent = {}, to = service) =>
  to(new Request(origin + path, { method, headers }))
const as = (name: string): Sent => ({ headers: { 'X-API-KEY': `${name}-key` } })
const basic = (text: string): Sent => ({ headers: { authorization: `Basic ${Buffer.from(text).toString('base64')}` } })
const data = async (response: Promise<Response>) =>
  ((await (await response).json()) as { data: { id: number; seller: string }[] }).data
const problem = async (response: Promise<Response>) => {
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
  expect(body.type).toBe('about:blank')
  return { ...body, headers: answer.headers }
}

describe('lists', () => {
  test('200, what the caller may see, in order of id', async () => {
    const answer = await ask('/api/orders?total[gt]=100', as('north'))
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/json')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('warning')).toBeNull()
    const rows = await data(Promise.resolve(answer))
    expect(rows.length).toBeGreaterThan(100)
    expect(rows.every(({ seller }) => seller === 's-north')).toBe(true)
    expect(rows.map(({ id }) => id)).toEqual(rows.map(({ id }) => id).toSorted((a, b) => a - b))
  })

  test('of experiences too', async () => {
    expect(await data(ask('/api/experiences', as('office')))).toHaveLength(120)
    expect(await data(ask('/api/experiences', as('south')))).toHaveLength(30)
  })

  test('an empty query is everything that the caller may see', async () => {
    const [all, north, south] = await Promise.all(
      ['office', 'north', 'south'].map((name) => data(ask('/api/orders', as(name)))),
    )
    expect(all).toHaveLength(2400)
    expect(north).toEqual(all!.filter(({ seller }) => seller === 's-north'))
    expect(south).toEqual(all!.filter(({ seller }) => seller === 's-south'))
    expect(await data(ask('/api/orders?', as('north')))).toEqual(north)
    expect(await data(ask('/api/orders?&&', as('north')))).toEqual(north)
  })

  test('naming a seller that the caller may not see gives nothing, and no error', async () => {
    for (const query of [
      'seller=s-south',
      'seller[in]=s-south,s-east',
      'seller[notEqual]=s-north',
      'seller[exists]=false',
    ]) {
      expect(await data(ask(`/api/orders?${query}`, as('north'))), query).toEqual([])
    }
  })

  test('HEAD is GET without a body', async () => {
    for (const path of ['/api/orders?id=1', '/api/orders?nope=1', '/api/nope', '/api/apiKey']) {
      const [get, head] = await Promise.all([ask(path, as('office')), ask(path, { ...as('office'), method: 'HEAD' })])
      expect(head.status).toBe(get.status)
      expect(Object.fromEntries(head.headers)).toEqual(Object.fromEntries(get.headers))
      expect(head.headers.get('content-length')).toBe(String((await get.arrayBuffer()).byteLength))
      expect(await head.text()).toBe('')
    }
  })
})

describe('every answer says that its type is what it is', () => {
  const failing = { find: () => Promise.reject(new Error('gone')) }
  const throwing = () => {
    throw new Error('policy')
  }
  test.each<[number, string, Sent, () => typeof service]>([
    [200, '/api/orders?id=1', as('north'), () => service],
    [200, '/api/apiKey', basic('north:north-password'), () => service],
    [400, '/api/orders?nope=1', as('north'), () => service],
    [401, '/api/orders', {}, () => service],
    [404, '/api/nope', {}, () => service],
    [405, '/api/orders', { method: 'POST' }, () => service],
    [500, '/api/orders', as('north'), () => customService({}, undefined, throwing)],
    [503, '/api/orders', as('north'), () => customService({}, failing)],
  ])('%i %s', async (status, path, sent, to) => {
    for (const method of sent.method === undefined ? ['GET', 'HEAD'] : [sent.method]) {
      const answer = await ask(path, { ...sent, method }, to())
      expect(answer.status).toBe(status)
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    }
  })
})

describe('a bad query is a 400', () => {
  test('with every issue; spans count after the ?', async () => {
    const { status, issues, detail } = await problem(ask('/api/orders?arival=1&total[contains]=2', as('north')))
    expect(status).toBe(400)
    expect(detail).toBe('unknown field "arival"')
    expect(issues).toEqual([
      {
        code: 'field_unknown',
        message: 'unknown field "arival"',
        span: { start: 0, end: 6 },
        hint: 'did you mean arrival?',
      },
      expect.objectContaining({ code: 'operator_not_applicable', span: { start: 15, end: 23 } }),
    ])
  })

  test('an issue names the field and the operator that it is about, where they are known', async () => {
    const query = 'items.arrival[gte]=soon&total[contains]=2&seller[is]=x&arival=1'
    const { issues } = await problem(ask(`/api/orders?${query}`, as('north')))
    expect(issues).toEqual([
      {
        code: 'operand_invalid',
        message: expect.any(String) as string,
        span: { start: 19, end: 23 },
        path: 'items.arrival',
        operator: 'gte',
      },
      expect.objectContaining({ code: 'operator_not_applicable', path: 'total', operator: 'contains' }),
      expect.objectContaining({ code: 'operator_unknown', path: 'seller' }),
      expect.objectContaining({ code: 'field_unknown' }),
    ])
    expect(issues![2]).not.toHaveProperty('operator')
    expect(issues![3]).not.toHaveProperty('path')
  })

  test('in the text of the URL as the Request has it', async () => {
    // Request normalises: the quote becomes %22.
    const { issues } = await problem(ask('/api/orders?status[in]="paid', as('north')))
    expect(issues).toMatchObject([{ code: 'operand_quote', span: { start: 11, end: 18 } }])
  })

  test('but only to those who may ask: nobody learns the schema without a key', async () => {
    const { status, issues } = await problem(ask('/api/orders?arival=1'))
    expect(status).toBe(401)
    expect(issues).toBeUndefined()
  })

  test('nor by the time that an answer takes: nothing is looked for in the schema before the caller is known', async () => {
    const look = vi.spyOn(orders.paths, 'get')
    try {
      await ask('/api/orders?seller=x&arival=1')
      await ask('/api/orders?seller=x&arival=1', as('nobody'))
      expect(look).not.toHaveBeenCalled()
      await ask('/api/orders?seller=x&arival=1', as('north'))
      expect(look).toHaveBeenCalled()
    } finally {
      look.mockRestore()
    }
  })

  test('an over-long one is answered before anybody is known', async () => {
    const long = 'seller=' + 'x'.repeat(16_384 - 7)
    expect((await problem(ask(`/api/orders?${long}`))).status).toBe(401)
    for (const sent of [{}, as('north'), as('nobody')]) {
      const { status, issues } = await problem(ask(`/api/orders?${long}x`, sent))
      expect(status).toBe(400)
      expect(issues).toMatchObject([{ code: 'limit_length', span: { start: 16_384, end: 16_385 } }])
    }
  })

  test('too many pairs: the key among them still counts', async () => {
    const many = Array.from({ length: 101 }, (_, at) => `x${at}=1`).join('&')
    expect((await problem(ask(`/api/orders?${many}`))).status).toBe(401)
    expect((await problem(ask(`/api/orders?${many}&apiKey=north-key`))).issues).toMatchObject([{ code: 'limit_pairs' }])
  })

  test('a fragment would cut the query off', async () => {
    const { status, detail } = await problem(ask('/api/orders?seller=x#&total=1', as('north')))
    expect([status, detail]).toEqual([400, 'unexpected fragment in the URL: write "#" as %23'])
  })
})

describe('paths and methods come first', () => {
  test.each([
    '/',
    '/api',
    '/api/',
    '/api/nope',
    '/api/orders/',
    '/api/orders/1',
    '/API/orders',
    '/api/Orders',
    '/api/constructor',
    '/api/__proto__',
    '/api/%6Frders',
    '/apiorders',
    '/x/api/orders',
  ])('404 %s', async (path) => {
    for (const method of ['GET', 'POST', 'HEAD']) {
      const answer = await ask(path, { ...as('north'), method })
      expect(answer.status).toBe(404)
    }
    expect((await problem(ask(path))).detail).toBe('nothing is found at this path')
  })
  test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('405 %s', async (method) => {
    for (const path of ['/api/orders', '/api/experiences', '/api/apiKey']) {
      const { status, headers, detail } = await problem(ask(path, { ...as('north'), method }))
      expect([status, detail]).toEqual([405, 'method not allowed: use GET or HEAD'])
      expect(headers.get('allow')).toBe('GET, HEAD')
    }
  })
})

describe('the key', () => {
  const id = 'id[lte]=5'
  test('in the query works, with advice', async () => {
    const answer = await ask(`/api/orders?${id}&%61piKey=office%2Dkey`)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('warning')).toContain('X-API-KEY')
    expect(await data(Promise.resolve(answer))).toHaveLength(5)
  })
  test('advice comes with problems too', async () => {
    expect((await problem(ask('/api/orders?nope=1&apiKey=office-key'))).headers.get('warning')).toContain('X-API-KEY')
    expect((await problem(ask('/api/orders?apiKey=wrong'))).headers.get('warning')).toContain('X-API-KEY')
  })
  test('in both places, equal, is fine', async () => {
    expect((await ask('/api/orders?apiKey=north-key', as('north'))).status).toBe(200)
  })
  const twice = 'more than one API key in the request: send one'
  test.each([
    ['different', '?apiKey=south-key', 'north-key', 'the API key in the header differs from the one in the query'],
    ['twice in the query', '?apiKey=north-key&apiKey=north-key', undefined, twice],
    ['twice in the query, and in the header', '?apiKey=north-key&apiKey=north-key', 'north-key', twice],
    ['twice in the header', '', 'north-key, north-key', twice],
  ])('%s is a 400', async (_, query, header, expected) => {
    const { status, issues, detail, headers } = await problem(
      ask(`/api/orders${query}`, header === undefined ? {} : { headers: { 'X-API-KEY': header } }),
    )
    expect([status, detail]).toEqual([400, expected])
    expect(issues).toBeUndefined()
    expect(headers.get('www-authenticate')).toBeNull()
  })
  const none = 'send an API key in the X-API-KEY header'
  const unknown = 'unknown API key'
  test.each([
    ['none', '', undefined, none],
    ['an unknown one', '', 'nobody-key', unknown],
    ['an empty one', '', '', unknown],
    ['an empty one in the query', '?apiKey=', undefined, unknown],
    ['one in other case', '', 'NORTH-KEY', unknown],
    ['the name of the account', '', 'north', unknown],
    ['a malformed one', '?apiKey=%zz', undefined, none],
    ['one with brackets', '?apiKey[equals]=north-key', undefined, none],
    ['one in a field of almost that name', '?apikey=north-key', undefined, none],
  ])('%s is a 401', async (_, query, header, expected) => {
    const { status, headers, detail } = await problem(
      ask(`/api/orders${query}`, header === undefined ? {} : { headers: { 'x-api-key': header } }),
    )
    expect([status, detail]).toEqual([401, expected])
    expect(headers.get('www-authenticate')).toBe('ApiKey realm="urlwhere"')
  })
  test('a key that the store found by other means than its digest is not accepted', async () => {
    const sloppy: Accounts<Principal> = {
      ...accounts,
      byKeyDigest: async () => ({ keyDigest: 'another', principal: demoAccounts[2]! }),
    }
    expect(
      (
        await ask(
          '/api/orders',
          as('north'),
          makeService(memoryStore(), sloppy, () => {}),
        )
      ).status,
    ).toBe(401)
  })
})

describe('the key endpoint', () => {
  test('tells the key to whom the account is', async () => {
    for (const { name } of demoAccounts) {
      const answer = await ask('/api/apiKey', basic(`${name}:${name}-password`))
      expect(answer.status).toBe(200)
      expect(answer.headers.get('cache-control')).toBe('no-store')
      expect(await answer.json()).toEqual({ apiKey: `${name}-key` })
    }
  })
  test.each([
    ['nothing', {}],
    ['a wrong password', basic('north:wrong')],
    ['an empty password', basic('north:')],
    ['another account’s password', basic('north:south-password')],
    ['an unknown name', basic('nobody:north-password')],
    ['a key', as('north')],
    ['no colon', basic('north')],
    ['another scheme', { headers: { authorization: 'Bearer north-key' } }],
  ])('%s is a 401', async (_, sent) => {
    const { status, headers, detail } = await problem(ask('/api/apiKey', sent))
    expect([status, detail]).toEqual([401, 'send the name and the password of an account by HTTP Basic'])
    expect(headers.get('www-authenticate')).toBe('Basic realm="urlwhere", charset="UTF-8"')
  })
})

describe('password checks', () => {
  /** Accounts whose checks end when they are told to. */
  function slowAccounts(end: (name: string) => { apiKey: string; principal: Principal } | undefined) {
    const waiting: (() => void)[] = []
    let running = 0
    let most = 0
    const byPassword = async (name: string) => {
      most = Math.max(most, ++running)
      await new Promise<void>((resolve) => waiting.push(resolve)).finally(() => running--)
      return end(name)
    }
    const settle = () => new Promise((resolve) => setImmediate(resolve))
    return {
      accounts: { ...accounts, byPassword },
      most: () => most,
      endAll: async () => {
        for (await settle(); waiting.length > 0; await settle()) waiting.shift()!()
      },
    }
  }
  const places = 18
  const account = { apiKey: 'k', principal: demoAccounts[2]! }

  const busy = async (response: Promise<Response>) => {
    const { status, title, detail, headers } = await problem(response)
    expect([status, title]).toEqual([429, 'Too Many Requests'])
    expect(detail).toBe('too many password checks at once: try again in a moment')
    expect(headers.get('retry-after')).toBe('1')
    expect(headers.get('www-authenticate')).toBeNull()
  }

  test.each<[string, string, Partial<ListServiceOptions<Principal>>]>([
    ['the key endpoint', '/api/apiKey', {}],
    ['lists, where Basic is allowed', '/api/orders?id=1', { allowBasic: true }],
  ])('%s: two at once, sixteen wait, 429 beyond', async (_, path, options) => {
    const slow = slowAccounts(() => account)
    const to = customService({ ...options, accounts: slow.accounts })
    const admitted = Array.from({ length: places }, () => ask(path, basic('a:b'), to))
    await busy(ask(path, basic('a:b'), to))
    expect((await ask(path, { ...basic('a:b'), method: 'HEAD' }, to)).status).toBe(429)
    // Keys, and what is no password at all, do not stand in the queue.
    expect((await ask('/api/orders?id=1', as('north'), to)).status).toBe(200)
    expect((await ask(path, { headers: { authorization: 'Basic' } }, to)).status).toBe(401)
    await slow.endAll()
    expect((await Promise.all(admitted)).map(({ status }) => status)).toEqual(Array(places).fill(200))
    expect(slow.most()).toBe(2)
  })

  test('both ways to check a password share the places', async () => {
    const slow = slowAccounts(() => account)
    const to = customService({ allowBasic: true, accounts: slow.accounts })
    const paths = ['/api/apiKey', '/api/orders?id=1']
    const admitted = Array.from({ length: places }, (_, at) => ask(paths[at % 2]!, basic('a:b'), to))
    for (const path of paths) await busy(ask(path, basic('a:b'), to))
    await slow.endAll()
    for (const answer of await Promise.all(admitted)) expect(answer.status).toBe(200)
  })

  test('a check that fails frees its place', async () => {
    const slow = slowAccounts(() => {
      throw new Error('secrets')
    })
    const to = customService({ accounts: slow.accounts })
    for (let round = 0; round < 2; round++) {
      const admitted = Array.from({ length: places }, () => ask('/api/apiKey', basic('a:b'), to))
      await slow.endAll()
      expect((await Promise.all(admitted)).map(({ status }) => status)).toEqual(Array(places).fill(503))
    }
  })

  test('four good passwords at once all succeed', async () => {
    const answers = await Promise.all(
      ['north', 'south', 'office', 'north'].map((name) => ask('/api/apiKey', basic(`${name}:${name}-password`))),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  })

  test('of 200 wrong passwords at once, 18 are checked', async () => {
    const answers = await Promise.all(Array.from({ length: 200 }, () => ask('/api/apiKey', basic('north:wrong'))))
    const count = (status: number) => answers.filter((answer) => answer.status === status).length
    expect([count(401), count(429)]).toEqual([places, 200 - places])
  })

  test('an account of a store may have members of its own', async () => {
    const byPassword = () => ({ ...account, status: 'active' })
    const to = customService({ allowBasic: true, accounts: { ...accounts, byPassword } })
    expect(await (await ask('/api/apiKey', basic('a:b'), to)).json()).toEqual({ apiKey: 'k' })
    expect((await ask('/api/orders?id=1', basic('a:b'), to)).status).toBe(200)
  })
})

describe('Basic on a list request', () => {
  test('is a 401 that says to fetch the key first', async () => {
    const { status, detail } = await problem(ask('/api/orders', basic('north:north-password')))
    expect(status).toBe(401)
    expect(detail).toBe(
      'Basic authentication works only for GET /api/apiKey: fetch the key there, then send it in X-API-KEY',
    )
  })
  test('is not looked at beside a key', async () => {
    const both = { headers: { ...as('north').headers, ...basic('south:wrong').headers } }
    expect((await ask('/api/orders?id=1', both)).status).toBe(200)
  })
  test('works where the service allows it', async () => {
    const lenient = customService({ allowBasic: true })
    expect(await data(ask('/api/orders?id[lte]=9', basic('office:office-password'), lenient))).toHaveLength(9)
    const wrong = await problem(ask('/api/orders', basic('office:wrong'), lenient))
    expect([wrong.status, wrong.detail]).toEqual([401, 'wrong name or password'])
    expect(wrong.headers.get('www-authenticate')).toBe(
      'ApiKey realm="urlwhere", Basic realm="urlwhere", charset="UTF-8"',
    )
    expect((await problem(ask('/api/orders', { headers: { authorization: 'Basic' } }, lenient))).status).toBe(401)
    expect((await problem(ask('/api/orders?apiKey=wrong', basic('office:office-password'), lenient))).status).toBe(401)
    const repeated = ask('/api/orders?apiKey=office-key&apiKey=office-key', basic('office:office-password'), lenient)
    expect((await problem(repeated)).status).toBe(400)
  })
  test('tells the restriction who asks, as a key does', async () => {
    const seen: Principal[] = []
    const lenient = customService({ allowBasic: true }, undefined, (principal) => (seen.push(principal), and()))
    await ask('/api/orders', as('south'), lenient)
    await ask('/api/orders', basic('south:south-password'), lenient)
    expect(seen.map((principal) => principal.name)).toEqual(['south', 'south'])
  })
})

/** The orders of the demo, with other options. */
function customService(
  options: Partial<ListServiceOptions<Principal>>,
  rows = memoryStore().orders,
  restriction: (principal: Principal) => unknown = () => and(),
) {
  return createListService<Principal>({
    accounts,
    collections: { orders: { schema: orders, rows, restriction: restriction as () => Filter } },
    ...options,
  })
}

describe('the restriction', () => {
  const all = and()
  const o = where(orders)
  test.each<[string, unknown]>([
    ['missing', undefined],
    ['null', null],
    ['or()', or()],
    ['a promise of nothing', Promise.resolve(undefined)],
    ['in nothing', o.in('seller', [])],
  ])('%s: nothing is seen', async (_, restriction) => {
    expect(
      await data(
        ask(
          '/api/orders',
          as('north'),
          customService({}, undefined, () => restriction),
        ),
      ),
    ).toEqual([])
  })

  test.each<[string, unknown]>([
    ['no filter', {}],
    ['a list', []],
    ['with an undefined part', { kind: 'and', filters: [undefined] }],
    ['true', true],
    ['a function', () => all],
  ])('%s: a 500, and nothing is seen', async (_, restriction) => {
    const errors: unknown[] = []
    const broken = customService({ onError: (error) => errors.push(error) }, undefined, () => restriction)
    expect((await problem(ask('/api/orders', as('north'), broken))).status).toBe(500)
    expect(errors[0]).toBeInstanceOf(TypeError)
  })

  test('stands at the root, outside anything that the query says', async () => {
    let received: Filter | undefined
    const rows = { find: (filter: Filter) => ((received = filter), []) }
    await ask(
      '/api/orders?total[gte]=1&total[lte]=2',
      as('north'),
      customService({}, rows, () => o.equals('seller', 's-north')),
    )
    expect(received).toMatchObject({
      kind: 'and',
      filters: [{ path: ['seller'] }, { operator: 'gte' }, { operator: 'lte' }],
    })
    await ask(
      '/api/orders',
      as('north'),
      customService({}, rows, () => or(o.equals('seller', 'a'), o.exists('gift'))),
    )
    expect(received).toMatchObject({ kind: 'or' })
    await ask(
      '/api/orders?total=1',
      as('north'),
      customService({}, rows, () => or(o.equals('seller', 'a'), o.exists('gift'))),
    )
    expect(received).toMatchObject({ kind: 'and', filters: [{ kind: 'or' }, { path: ['total'] }] })
  })
})

describe('failures', () => {
  const failing = { find: () => Promise.reject(new Error('SELECT * FROM secrets')) }
  test.each<[string, () => ReturnType<typeof customService>, Sent, string]>([
    ['rows that reject', () => customService({}, failing), as('north'), '/api/orders'],
    [
      'rows that throw',
      () =>
        customService(
          {},
          {
            find: () => {
              throw new Error('secrets')
            },
          },
        ),
      as('north'),
      '/api/orders',
    ],
    [
      'accounts by key',
      () => customService({ accounts: { ...accounts, byKeyDigest: () => Promise.reject(new Error('secrets')) } }),
      as('north'),
      '/api/orders',
    ],
    [
      'accounts by password',
      () =>
        customService({
          accounts: {
            ...accounts,
            byPassword: () => {
              throw new Error('secrets')
            },
          },
        }),
      basic('a:b'),
      '/api/apiKey',
    ],
  ])('of stores are a 503 without internals: %s', async (_, make, sent, path) => {
    const { status, detail, issues } = await problem(ask(path, sent, make()))
    expect([status, detail]).toEqual([503, 'the data is unavailable at the moment: try again later'])
    expect(issues).toBeUndefined()
  })

  test('are told to onError, with their cause', async () => {
    const errors: unknown[] = []
    await ask('/api/orders', as('north'), customService({ onError: (error) => errors.push(error) }, failing))
    expect(errors).toEqual([new Error('SELECT * FROM secrets')])
  })

  test('of ours are a 500', async () => {
    const unwritable = { find: () => [{ id: 1n }] }
    const { status, detail } = await problem(ask('/api/orders', as('north'), customService({}, unwritable)))
    expect([status, detail]).toEqual([500, 'the service failed to answer the request'])
    const broken = () => {
      throw new Error('policy')
    }
    expect((await problem(ask('/api/orders', as('north'), customService({}, undefined, broken)))).status).toBe(500)
  })

  test('of a backend that cannot say the query are a 400; that cannot say the restriction, a 500', async () => {
    const refuse = (...spans: object[]) => ({
      find: () => {
        const [first, ...rest] = spans.map((span) => ({
          code: 'backend_unsupported' as const,
          message: 'no such thing',
          ...span,
        }))
        throw new FilterError([first!, ...rest])
      },
    })
    const ofQuery = { span: { start: 0, end: 9 } }
    const { status, issues } = await problem(
      ask('/api/orders?gift=true', as('north'), customService({}, refuse(ofQuery))),
    )
    expect([status, issues]).toEqual([
      400,
      [{ code: 'backend_unsupported', message: 'no such thing', span: { start: 0, end: 9 } }],
    ])
    expect((await problem(ask('/api/orders', as('north'), customService({}, refuse({}))))).status).toBe(500)
    const ofBoth = customService({}, refuse({}, ofQuery))
    expect((await problem(ask('/api/orders?gift=true', as('north'), ofBoth))).status).toBe(500)

    // A restriction that was parsed has spans of another text: they are not the query's.
    const found: Filter[] = []
    const remember = { find: (filter: Filter) => (found.push(filter), []) }
    const parsed = () => parseFilterOrThrow(orders, 'seller=s-north')
    await ask('/api/orders?gift=true', as('north'), customService({}, remember, parsed))
    expect(found).toEqual([and(where(orders).equals('seller', 's-north'), parseFilterOrThrow(orders, 'gift=true'))])
  })
})

describe('options', () => {
  test('basePath, realm, limits', async () => {
    const other = customService({ basePath: '/v2/x', realm: 'Booking', limits: { pairs: 1 } })
    expect((await ask('/v2/x/orders?id=1', as('north'), other)).status).toBe(200)
    expect((await ask('/api/orders', as('north'), other)).status).toBe(404)
    expect((await ask('/v2/x/orders', {}, other)).headers.get('www-authenticate')).toBe('ApiKey realm="Booking"')
    expect((await ask('/v2/x/orders?id=1&gift=true', as('north'), other)).status).toBe(400)
    expect((await ask('/orders?id=1', as('north'), customService({ basePath: '' }))).status).toBe(200)
  })

  test.each<[string, object, RegExp]>([
    ['collections', { collections: undefined }, /^collections must be/],
    ['no collections', { collections: null }, /^collections must be/],
    ['a collection called apiKey', { collections: { apiKey: {} } }, /^collections\.apiKey must/],
    ['a collection with a slash', { collections: { 'a/b': {} } }, /^collections\.a\/b must/],
    ['a schema', { collections: { a: { schema: {} } } }, /^schema must/],
    [
      'a field called apiKey',
      { collections: { a: { schema: defineSchema({ apiKey: field.string() }) } } },
      /^reserved name apiKey is a field/,
    ],
    ['rows', { collections: { a: { schema: orders } } }, /^collections\.a\.rows must/],
    [
      'a restriction',
      { collections: { a: { schema: orders, rows: { find: () => [] } } } },
      /^collections\.a\.restriction must/,
    ],
    ['accounts', { accounts: {} }, /^accounts must/],
    ['accounts by key alone', { accounts: { byKeyDigest: () => undefined } }, /^accounts must/],
    ['accounts by password alone', { accounts: { byPassword: () => undefined } }, /^accounts must/],
    ['no accounts', { accounts: undefined }, /^accounts must/],
    ['basePath', { basePath: 'api/' }, /^basePath must/],
    ['realm', { realm: 'a"b' }, /^realm must/],
    ['a realm that is not ASCII', { realm: 'Hotel Zürich' }, /^realm must/],
    ['limits', { limits: { pairs: 'x' } }, /^limits\.pairs must/],
    ['an option that does not exist', { allowbasic: true }, /^options\.allowbasic is unknown/],
  ])('%s, wrong, is a TypeError', (_, options, message) => {
    expect(() => customService(options)).toThrow(TypeError)
    expect(() => customService(options)).toThrow(message)
  })
})
