/** What the load sends, and the right answer to each: the service's own over memory, of a status that is worked out by hand. */
import { hash } from 'node:crypto'
import * as fc from 'fast-check'
import { demoAccounts, makeAccounts } from '../../docs/demo/accounts.ts'
import { improperRequest, makeApp } from '../../docs/demo/app.ts'
import { experiences, orders } from '../../docs/demo/data.ts'
import { memoryStore, type Store } from '../../docs/demo/store.ts'
import { someQuery } from '../../src/kit/arbitraries.ts'
import { attacks, query as conditionOf, texting } from '../engines/attacks.ts'
import { paths } from './paths.ts'
import type { Listed } from './walk.ts'

const accounts = await makeAccounts(2)
/** The accounts whose queries may have every field. */
const knowing = demoAccounts.filter(({ seesTotal }) => seesTotal)
const service = makeApp(memoryStore(), accounts, (error) => {
  throw error
})

/** A `GET` with the key of an account, unless it has another method or caller. */
interface Parts {
  readonly method?: string
  readonly path: string
  readonly query?: string
  /** Header lines that identify the caller. */
  readonly caller?: readonly string[]
  readonly lines?: readonly string[]
  /** The bytes of the content, as letters. */
  readonly body?: string
  readonly version?: string
  readonly host?: string
  /** The status of the answer. Some attacks are queries, so theirs is left open. */
  readonly status?: number
  /** Who answers where the request does not reach the service. */
  readonly refused?: 'parser' | 'adapter'
}
/** Bytes that are no request at all. */
interface Noise {
  readonly bytes: Buffer
}

/** An answer as it is compared: by its body's digest. */
export interface Expected {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly length: number
  readonly digest: string
}
export interface Prepared {
  readonly kind: string
  readonly method: string
  readonly bytes: Buffer
  /** Its first line, cut, to be printed. */
  readonly line: string
  readonly expected: Expected
  /** Whether it reads rows of the store, so that it is a 503 while that fails. */
  readonly stored: boolean
  /** Whether nothing may follow on its connection. */
  readonly closes: boolean
  /** Whether it ends so early that the answer may be lost with what was still being sent. */
  readonly cutOff: boolean
}

export const digestOf = (body: Uint8Array): string => hash('sha1', body)

const [first, second] = demoAccounts.map(({ name }) => name) as [string, string]
const keyLine = (key: string) => `X-API-KEY: ${key}`
const basicLine = (text: string) => `Authorization: Basic ${Buffer.from(text).toString('base64')}`
const repeated = (count: number, make: (at: number) => string, by = '&') =>
  Array.from({ length: count }, (_, at) => make(at)).join(by)
/** As a request line can have it: what it cannot is escaped, so is what would end the query. */
const raw = (text: string) => text.replace(/[^\x21-\x7e]|#/gu, (character) => encodeURIComponent(character))
const at = (path: string, status: number, queries: readonly string[]): Parts[] =>
  queries.map((query) => ({ path, query, status }))

// --- Queries

/** Orders of each list, from its beginning and at the cursors of its second page. */
async function pagesOf(path: string, sorts: readonly string[]): Promise<readonly Parts[]> {
  const all: string[] = []
  for (const sort of sorts) {
    const pageOf = async (rest: string): Promise<Listed['page']> => {
      const request = new Request(`http://x${path}?${sort}&limit=40${rest}`, { headers: { 'X-API-KEY': 'office-key' } })
      return ((await (await service(request)).json()) as Listed).page
    }
    const { next } = await pageOf('')
    const { previous } = await pageOf(`&cursor=${next}`)
    for (const cursor of ['', `&cursor=${next}`, `&cursor=${previous}`])
      all.push(`${sort}&limit=7${cursor}`, `seller[notEqual]=s-east&${sort}&count=true${cursor}`)
  }
  return at(path, 200, all)
}
const sorts = ['sort=id', 'sort=-id', 'sort=seller', 'sort=-seller,id']
const orderSorts = ['sort=customerName', 'sort=-total,arrival', 'sort=gift,-paidAt', 'sort=-customer.email,status']

const faulty = [
  ...['nope=1', '=1', 'seller', 'seller[', 'seller]=1', 'seller[gte]x=1', 'seller[[in]]=a', 'seller[nope]=1'],
  ...['total=x', 'total[range]=1', 'total[in]=1,,2', 'status=lost', 'arrival=2024-02-30', 'gift=yes', 'a.b.c.d=1'],
  ...['seller=a&seller=b', 'seller[in]=%22a', 'sort=nope', 'sort=', 'limit=201', 'limit=x', 'fields=nope', 'count=yes'],
  ...['offset=1', 'cursor=x', 'cursor=WzEsMl0', 'sort=-id&cursor=WzEsMl0', 'seller=%', 'seller=%z', 'seller=%0'],
  ...['seller=%00', 'seller=%ff', 'seller=%c3', 'seller=%c3%28', 'seller=%ed%a0%80', 'seller=%f4%90%80%80'],
]
const escaped = ['%25', '%2525', '%5B', '%26', '%3D', '%23', '+', '%0d%0a', '%e2%80%ae', '%F0%9F%8F%84']
const overlong = [
  ...[`seller=${'x'.repeat(16_400)}`, `seller=${'%78'.repeat(20_000)}`, `${'['.repeat(50_000)}=1`],
  ...[`seller=${'x'.repeat(1_025)}`, `seller[in]=${repeated(501, String, ',')}`, repeated(101, (n) => `id[gt]=${n}`)],
  ...[repeated(99, (n) => `x${n}=1`), `${repeated(9, () => 'seller', '.')}=1`, `${repeated(4_000, () => 'a', '.')}=1`],
  `seller[${'in]['.repeat(3_000)}]=1`,
]
/** Each attack as an operand, as a path and as an operator. */
const attacking = attacks.flatMap((text, which): Parts[] => {
  const key = encodeURIComponent(text)
  const operator = texting[which % texting.length]!
  return [
    { path: '/api/orders', query: conditionOf('customerName', operator, text) },
    { path: '/api/orders', query: `customerName[${operator.name}]=${raw(text)}` },
    { path: '/api/experiences', query: `${key}=${key}`, status: 400 },
    { path: '/api/orders', query: `seller[${key}]=1` },
  ]
})

// --- Callers

/** Attacks that a header can have, as they are. Of two keys the service sees one with a comma. */
const headerAttacks = attacks.filter((text) => /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text))
const asCaller = (status: number, caller: readonly string[], query = ''): Parts => ({
  ...{ path: '/api/orders', status, caller, query },
})
const strangers = [
  asCaller(401, []),
  ...['', 'north', 'NORTH-KEY', 'north-key2', 'north-password'].map((key) => asCaller(401, [keyLine(key)])),
  ...headerAttacks.map((key) => asCaller(key.includes(',') ? 400 : 401, [keyLine(key)])),
  ...attacks.map((key) => asCaller(401, [], `apiKey=${encodeURIComponent(key)}`)),
  asCaller(400, [keyLine(`${first}-key`), keyLine(`${first}-key`)]),
  asCaller(400, [], `apiKey=${first}-key&%61piKey=${first}-key`),
  asCaller(400, [keyLine(`${first}-key`)], 'apiKey=other-key'),
  asCaller(401, [basicLine(`${first}:${first}-password`)]),
  asCaller(200, [], `apiKey=${first}-key`),
  asCaller(200, [keyLine(`${first}-key`)], `apiKey=${first}-key`),
  // A list ignores Basic credentials of any account.
  asCaller(200, [basicLine(`${second}:${second}-password`), keyLine(`${first}-key`)]),
]
const keyEndpoint = (status: number, caller: readonly string[]): Parts => ({ path: '/api/apiKey', status, caller })

// --- Requests

const long = (refused: boolean, lines: readonly string[]): Parts => ({
  ...{ path: '/api/orders', query: 'id[lte]=3', status: 200, lines },
  ...(refused && { refused: 'parser', status: 431 }),
})
const list = { path: '/api/orders', query: 'id=5' }
const strange: readonly Parts[] = [
  { ...list, path: '/api/../api/./orders', status: 200 },
  { ...list, path: '/api/x/../orders', status: 200 },
  { ...list, query: 'id=1#', status: 200 },
  { ...list, query: 'id=1#&total=1', status: 400 },
  { ...list, method: 'HEAD', status: 200 },
  ...['DELETE', 'TRACE', 'SEARCH'].map((method) => ({ ...list, method, status: 405 })),
  { ...list, method: 'OPTIONS', status: 204 },
  { ...list, method: 'POST', lines: ['Content-Length: 5'], body: 'hello', status: 405 },
  { ...list, method: 'PUT', lines: ['Content-Length: 100000'], body: 'x'.repeat(100_000), status: 405 },
  { ...list, method: 'PATCH', lines: ['Transfer-Encoding: chunked'], body: '5\r\nhello\r\n0\r\n\r\n', status: 405 },
  { ...list, lines: ['Content-Length: 5'], body: 'hello', status: 200 },
  { ...list, lines: ['Expect: 100-continue'], status: 200 },
  { ...list, lines: ['__proto__: x', 'constructor: y', 'Connection: keep-alive, close'], status: 200 },
  { ...list, lines: ['X-Bytes: \x80\xff\xa0'], status: 200 },
  { ...list, lines: ['Upgrade: h2c', 'Connection: Upgrade', 'HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA'], status: 200 },
  { ...list, version: '1.0', status: 200 },
  { path: '/', status: 200 },
  ...['/api', '/api/', '/api/orders/', '//api/orders', '/api/%6frders', '/API/orders'].map((path) => ({
    ...{ path, status: 404 },
  })),
  ...attacks.map((text) => ({ path: `/api/${encodeURIComponent(text)}` })),
  ...['b\xfccher.example', 'a b', 'x/api/experiences?', ''].map((host): Parts => ({
    ...list,
    host,
    refused: 'adapter',
    status: 400,
  })),
  { ...list, path: '/api\\orders', refused: 'adapter', status: 400 },
  ...[
    ...['seller=J\xf6rg', 'seller=a b', 'seller=a\tb', 'seller=a\0b', 'seller=a\x7fb'].map((query) => ({ query })),
    ...[['X Y: 1'], ['X-Y: a\x01'], ['X-Y: 1', ' folded']].map((lines) => ({ lines })),
    { lines: ['Content-Length: 5', 'Content-Length: 6'], body: 'hello' },
    { lines: ['Content-Length: 5', 'Transfer-Encoding: chunked'], body: '0\r\n\r\n' },
    ...[{ method: 'BREW' }, { version: '3.0' }],
  ].map((parts): Parts => ({ ...list, ...parts, refused: 'parser', status: 400 })),
]

const form = 'Content-Type: application/x-www-form-urlencoded'
const asContent = (body: string, status: number, { lines = [form], ...parts }: Partial<Parts> = {}): Parts => ({
  ...{ path: '/api/orders', method: 'QUERY', status, body, ...parts },
  lines: [...lines, `Content-Length: ${body.length}`],
})
const strangeContents = [
  ...[[], [`${form}; charset=latin1`], [form, form], [form, 'Content-Encoding: gzip']].map((lines, which) =>
    asContent('id=5', which === 0 ? 400 : 415, { lines }),
  ),
  asContent('id=5', 415, { lines: ['Content-Type: application/xml'] }),
  ...['id=5', '', '[5]', '{"id":5,"id":5}', '{"id":"5"}', '{"nope":5}', '{"id":null}'].map((body) =>
    asContent(body, 400, { lines: ['Content-Type: application/json'] }),
  ),
  asContent('{"id":5}', 200, { lines: ['Content-Type: application/json'] }),
  asContent('id=5', 200, { lines: [`${form}; charset=UTF-8`] }),
  asContent('id=5', 200, { lines: [form, 'Content-Encoding: identity'] }),
  asContent('', 200),
  asContent('customerName=J\xc3\xb6rg', 200),
  asContent('customerName=J\xf6rg', 400),
  asContent('id=1&apiKey=other-key', 400),
  asContent('id=5', 405, { path: '/api/apiKey' }),
  asContent('id=5', 404, { path: '/api/nope' }),
  ...['id=1', 'limit=3', 'x'].map((query) => asContent('id=5', 400, { query })),
  asContent('id=5', 200, { query: '&&' }),
]

/** No letter and no line break first: no method begins so, and the parser refuses it at once. */
const noise = [
  ...[0x00, 0x16, 0x20, 0x7b, 0x80, 0xff].map((first) => Buffer.from([first, ...Array(300).keys()])),
  ...['hello\r\n\r\n', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', '*1\r\n$4\r\nPING\r\n'].map((text) => Buffer.from(text)),
].map((bytes): Noise => ({ bytes }))

/** Random queries by a seed; all other requests are the same in every run. */
const kindsOf = async (seed: number): Promise<Readonly<Record<string, readonly (Parts | Noise)[]>>> => ({
  'paths of the stores': paths.map((target) => {
    const [path = '', query = ''] = target.split('?')
    return { path, query: raw(query), status: 200 }
  }),
  pages: [
    ...(await pagesOf('/api/orders', [...sorts, ...orderSorts])),
    ...(await pagesOf('/api/experiences', sorts.slice(0, 2))),
  ],
  'random queries': [
    ...at('/api/orders', 200, fc.sample(someQuery(orders), { seed, numRuns: 100 })),
    ...at('/api/experiences', 200, fc.sample(someQuery(experiences), { seed, numRuns: 30 })),
  ],
  contents: fc.sample(someQuery(orders), { seed, numRuns: 50 }).map((query) => asContent(query, 200)),
  'over-long contents': overlong.map((query) => asContent(query, query.length > 16_384 ? 413 : 400)),
  'strange contents': strangeContents,
  'faulty queries': at('/api/orders', 400, faulty),
  attacks: attacking,
  escapes: at(
    '/api/orders',
    200,
    escaped.map((text) => `customerName=${text}`),
  ),
  'over-long queries': at('/api/orders', 400, overlong),
  'over-long headers': [
    long(false, [`X-Long: ${'x'.repeat(60_000)}`]),
    long(false, repeated(900, (n) => `X-${n}: y`, '\n').split('\n')),
    long(true, [`X-Long: ${'x'.repeat(70_000)}`]),
    long(true, [`Cookie: ${'x=y; '.repeat(40_000)}`]),
    long(true, [`X-${'x'.repeat(70_000)}: 1`]),
  ],
  'strange callers': strangers,
  // Few: a password costs as much as a hundred lists.
  'key endpoint': [
    keyEndpoint(200, [basicLine(`${first}:${first}-password`)]),
    keyEndpoint(401, [basicLine(`${first}:${second}-password`)]),
    keyEndpoint(401, ['Authorization: Bearer x']),
    keyEndpoint(401, [keyLine(`${first}-key`)]),
  ],
  'strange requests': strange,
  'raw bytes': noise,
})

// --- Answers

async function expectedOf(response: Response): Promise<Expected & { readonly text: string }> {
  const body = Buffer.from(await response.arrayBuffer())
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    length: body.length,
    digest: digestOf(body),
    text: body.toString(),
  }
}
const bare = (status: number): Expected => ({ status, headers: {}, length: 0, digest: digestOf(Buffer.alloc(0)) })
const improper = await expectedOf(improperRequest())

/** The one answer while the store fails: nothing of why. */
export const unavailable = await (async () => {
  const read = () => Promise.reject(new Error('SELECT'))
  const failing: Store = { orders: { read }, experiences: { read }, close: read }
  const app = makeApp(failing, accounts, () => {})
  const answer = await expectedOf(
    await app(new Request('http://x/api/orders', { headers: { 'X-API-KEY': 'office-key' } })),
  )
  const told =
    '{"type":"/docs/concepts/errors.md#data_unavailable","title":"Service Unavailable","status":503,"detail":"the data is unavailable at the moment: try again later"}'
  if (answer.status !== 503 || answer.text !== told) throw new Error(`another answer: ${answer.text}`)
  return answer
})()

/** The answer of the service over memory, in this process. */
async function answerTo({
  method,
  path,
  query,
  lines,
  body,
  status,
}: Required<Omit<Parts, 'status' | 'refused' | 'caller' | 'version' | 'host'>> & {
  status: number | undefined
}): Promise<Expected> {
  const headers = lines
    .map((line): [string, string] => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()])
    .filter(([name]) => ['X-API-KEY', 'Authorization', 'Content-Type', 'Content-Encoding'].includes(name))
  // Web requests know not every method; one is as good as another here.
  const known = ['GET', 'HEAD', 'QUERY', 'OPTIONS'].includes(method) ? method : 'POST'
  const content = method === 'QUERY' ? { body: Buffer.from(body, 'latin1') } : {}
  const request = new Request(`http://x${path}?${query}`, { method: known, headers, ...content })
  const { text, ...expected } = await expectedOf(await service(request))
  if (status !== undefined && status !== expected.status)
    throw new Error(`${method} ${path}?${query} ${body} is ${expected.status}, not ${status}: ${text}`)
  return expected
}

const line = (text: string) => JSON.stringify(text.length > 300 ? `${text.slice(0, 300)}…` : text)
async function prepared(kind: string, parts: Parts | Noise, which: number): Promise<Prepared> {
  if ('bytes' in parts) {
    const { bytes } = parts
    const own = { method: 'GET', stored: false, closes: true, cutOff: true }
    return { kind, bytes, line: line(bytes.toString('latin1')), expected: bare(400), ...own }
  }
  const account = knowing[which % knowing.length]!.name
  const { method = 'GET', path, query = '', caller = [keyLine(`${account}-key`)], body = '', refused, status } = parts
  const { version = '1.1', host = 'booking.example' } = parts
  const lines = [...caller, ...(parts.lines ?? [])]
  const first = `${method} ${path}${query === '' ? '' : `?${query}`}`
  const head = [`${first} HTTP/${version}`, `Host: ${host}`, ...lines, '', '']
  const expected =
    refused === undefined
      ? await answerTo({ method, path, query, lines, body, status })
      : refused === 'adapter'
        ? improper
        : bare(status!)
  return {
    kind,
    method,
    bytes: Buffer.from(head.join('\r\n') + body, 'latin1'),
    line: line(first),
    expected,
    stored: expected.status === 200 && !['/', '/api/apiKey'].includes(path),
    // What is behind a wish for another protocol Node does not read, and its Continue gets into answers that wait for others.
    // So does content that is not read to its end.
    closes:
      refused === 'parser' ||
      version === '1.0' ||
      expected.status === 413 ||
      /close|Upgrade|Expect/.test(String(parts.lines)),
    cutOff: refused === 'parser',
  }
}

/** All requests, with the random queries of a seed. */
export async function makeRequests(seed: number): Promise<readonly Prepared[]> {
  const all: Prepared[] = []
  for (const [kind, requests] of Object.entries(await kindsOf(seed)))
    for (const [which, parts] of requests.entries()) all.push(await prepared(kind, parts, which))
  return all
}
