/** What the load asks for, drawn by a seed, and the right answer to each: the service's own over memory, held against rules. */
import { hash } from 'node:crypto'
import * as fc from 'fast-check'
import { demoAccounts, makeAccounts } from '../../src/demo/accounts.ts'
import { improperRequest, makeApp } from '../../src/demo/app.ts'
import { experienceCollection, orderCollection } from '../../src/demo/data.ts'
import { memoryStore, type Store } from '../../src/demo/store.ts'
import { parseQuery, type Collection } from '../../src/index.ts'
import { someQuery } from '../../src/testing/arbitraries.ts'
import { attacks, query as conditionOf, texting } from '../engines/attacks.ts'
import { paths } from './paths.ts'
import type { Listed } from './walk.ts'

const collections: Readonly<Record<string, Collection>> = {
  '/api/orders': orderCollection,
  '/api/experiences': experienceCollection,
}
const schemaOf = (path: string) => collections[path]!.schema

const accounts = await makeAccounts(2)
const service = makeApp(memoryStore(), accounts, (error) => {
  throw error
})

/** What a request says of who asks, and what that leads to: an account (200), or a refusal. */
interface Caller {
  readonly lines: readonly string[]
  readonly pairs: readonly string[]
  readonly status: 200 | 400 | 401
}
interface Parts {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly caller: Caller
  readonly lines?: readonly string[]
  /** The bytes of the content, as letters. */
  readonly body?: string
  /** HTTP/1.1 and a host, unless given. */
  readonly version?: string
  readonly host?: string
  /** What Node's parser or the adapter answers, before the service sees anything. */
  readonly refused?: { readonly by: 'parser' | 'adapter'; readonly status: number }
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
  /** Whether rows are asked of the store, so that it is a 503 while that fails. */
  readonly stored: boolean
  /** Whether nothing is to follow on its connection. */
  readonly closes: boolean
  /** Whether it ends so early that the answer may be lost with what was still being sent. */
  readonly cutOff: boolean
}

export const digestOf = (body: Uint8Array): string => hash('sha1', body)

// --- Who asks

const names = demoAccounts.map(({ name }) => name)
const someName = fc.constantFrom(...names)
const keyLine = (key: string) => `X-API-KEY: ${key}`
const keyPair = (key: string) => `apiKey=${encodeURIComponent(key)}`
const basicLine = (text: string) => `Authorization: Basic ${Buffer.from(text).toString('base64')}`
const caller = (status: Caller['status'], lines: readonly string[], pairs: readonly string[] = []): Caller => ({
  lines,
  pairs,
  status,
})

const someCaller = fc.oneof(
  { weight: 8, arbitrary: someName.map((name) => caller(200, [keyLine(`${name}-key`)])) },
  { weight: 1, arbitrary: someName.map((name) => caller(200, [], [keyPair(`${name}-key`)])) },
  { weight: 1, arbitrary: someName.map((name) => caller(200, [keyLine(`${name}-key`)], [keyPair(`${name}-key`)])) },
  {
    weight: 1,
    arbitrary: fc.tuple(someName, someName).map(([name, other]) =>
      // Basic says nothing to a list, whoever it is.
      caller(200, [basicLine(`${other}:${other}-password`), keyLine(`${name}-key`)]),
    ),
  },
)
/** Attacks that a header can have, as they are. Of two keys the service sees one with a comma. */
const headerAttacks = attacks.filter((text) => /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text))
const someStranger = fc.oneof(
  fc.constant(caller(401, [])),
  fc.constantFrom('', 'north', 'NORTH-KEY', 'north-key2', 'north-password').map((key) => caller(401, [keyLine(key)])),
  fc.constantFrom(...headerAttacks).map((key) => caller(key.includes(',') ? 400 : 401, [keyLine(key)])),
  fc.constantFrom(...attacks).map((key) => caller(401, [], [keyPair(key)])),
  someName.map((name) => caller(400, [keyLine(`${name}-key`), keyLine(`${name}-key`)])),
  someName.map((name) => caller(400, [], [keyPair(`${name}-key`), `%61piKey=${name}-key`])),
  someName.map((name) => caller(400, [keyLine(`${name}-key`)], [keyPair('other-key')])),
  someName.map((name) => caller(401, [basicLine(`${name}:${name}-password`)])),
)
const someNameAndPassword = fc.oneof(
  someName.map((name) => caller(200, [basicLine(`${name}:${name}-password`)])),
  fc.constantFrom(...attacks).map((text) => caller(401, [basicLine(`${text}:${text}`)])),
  fc
    .constantFrom('Basic', 'Basic !', 'Bearer x', 'Basic YTpi YTpi')
    .map((text) => caller(401, [`Authorization: ${text}`])),
  someStranger.map(({ lines, pairs }) =>
    caller(lines.some((line) => line.startsWith('Auth')) ? 200 : 401, lines, pairs),
  ),
)

// --- What is asked

const somePath = fc.constantFrom('/api/orders', '/api/orders', '/api/orders', '/api/experiences')
const drawn = somePath.chain((path) => someQuery(schemaOf(path)).map((query) => ({ path, query })))
const ordinary = (asked: fc.Arbitrary<{ path: string; query: string }>, who = someCaller): fc.Arbitrary<Parts> =>
  fc
    .record({ asked, caller: who, method: fc.constantFrom('GET', 'GET', 'GET', 'GET', 'GET', 'HEAD') })
    .map(({ asked, ...parts }) => ({ ...asked, ...parts }))

/** As a request line can have it: what it cannot is escaped, so is what would end the query. */
const raw = (text: string) => text.replace(/[^\x21-\x7e]|#/gu, (character) => encodeURIComponent(character))
const put = (text: string, where: number, part: string, lost = 0) => {
  const at = where % (text.length + 1)
  return text.slice(0, at) + part + text.slice(at + lost)
}
const stringPaths = (path: string) =>
  Array.from(schemaOf(path).paths.values())
    .filter(({ type }) => type === 'string')
    .map(({ name }) => name)

const faulty = fc
  .tuple(
    drawn,
    fc.nat(200),
    fc.constantFrom('[', ']', '.', '=', '&', '"', '\\', ',', '[[', ']=', 'x', '$', '?', ''),
    fc.nat(3),
  )
  .map(([{ path, query }, at, part, lost]) => ({ path, query: put(query, at, part, lost) }))
const attacking = fc
  .tuple(somePath, fc.constantFrom(...attacks), fc.constantFrom(...texting), fc.nat(20), fc.nat(6))
  .map(([path, text, operator, which, form]) => {
    const fields = stringPaths(path)
    const field = fields[which % fields.length]!
    const key = encodeURIComponent(text)
    const queries = [
      conditionOf(field, operator, text),
      conditionOf(field, operator, text),
      `${field}[${operator.name}]=${raw(text)}`,
      `${key}=${key}`,
      `${raw(text)}=1`,
      `${field}[${key}]=1`,
      `${field}.${key}[${operator.name}]=${key}&${key}[${key}]`,
    ]
    return { path, query: queries[form]! }
  })
const escaping = fc
  .tuple(
    drawn,
    fc.nat(200),
    fc.constantFrom(
      ...[
        '%',
        '%z',
        '%0',
        '%00',
        '%ff',
        '%c3',
        '%c3%28',
        '%e2%82',
        '%ed%a0%80',
        '%f4%90%80%80',
        '%c0%af',
        '%u0041',
        '%%',
      ],
      ...['%25', '%2525', '%5B', '%5D=', '%26', '%3D', '%23', '+', '%0d%0a', '%e2%80%ae', '%F0%9F%8F%84'],
    ),
  )
  .map(([{ path, query }, at, part]) => ({ path, query: put(query, at, part) }))
const many = (count: number, make: (at: number) => string, by = '&') =>
  Array.from({ length: count }, (_, at) => make(at)).join(by)
const overlong = fc
  .tuple(
    somePath,
    fc.constantFrom(
      `seller=${'x'.repeat(16_400)}`,
      `seller=${'%78'.repeat(20_000)}`,
      `${'['.repeat(50_000)}=1`,
      `seller=${'x'.repeat(1_025)}`,
      `seller[in]=${many(501, String, ',')}`,
      `seller[in]=${many(500, String, ',')}`,
      many(101, (at) => `id[gt]=${at}`),
      many(99, (at) => `x${at}=1`),
      many(2_000, () => '', '&'),
      `${many(9, () => 'seller', '.')}=1`,
      `${many(4_000, () => 'a', '.')}=1`,
      `seller[${'in]['.repeat(3_000)}]=1`,
      `name[contains]=${'%22'.repeat(400)}`,
    ),
  )
  .map(([path, query]) => ({ path, query }))

/** Orders, and a cursor of each: of the second page of the office, and of the page before that. */
const sorts = ['', 'sort=-id', 'sort=seller', 'sort=-seller,id']
const orderSorts = ['sort=customerName', 'sort=-total,arrival', 'sort=gift,-paidAt', 'sort=-customer.email,status']
async function cursorsOf(path: string, sort: string): Promise<readonly string[]> {
  const pageOf = async (rest: string): Promise<Listed['page']> => {
    const request = new Request(`http://x${path}?${sort}&limit=40${rest}`, { headers: { 'X-API-KEY': 'office-key' } })
    return ((await (await service(request)).json()) as Listed).page
  }
  const { next } = await pageOf('')
  const { previous } = await pageOf(`&cursor=${next}`)
  return ['', `cursor=${next}`, `cursor=${previous}`]
}
const asked: { readonly path: string; readonly sort: string; readonly cursor: string }[] = []
for (const path of Object.keys(collections)) {
  for (const sort of path === '/api/orders' ? [...sorts, ...orderSorts] : sorts) {
    for (const cursor of await cursorsOf(path, sort)) asked.push({ path, sort, cursor })
  }
}
const paged = fc
  .record({
    asked: fc.constantFrom(...asked),
    // Now and then a fault: another order than the cursor's, another cursor.
    other: fc.oneof(
      { weight: 6, arbitrary: fc.constant('') },
      {
        weight: 1,
        arbitrary: fc.constantFrom(
          ...[
            'sort=id',
            'sort=nope',
            'cursor=x',
            'cursor=WzEsMl0',
            'offset=1',
            'limit=201',
            'fields=nope',
            'count=yes',
          ],
        ),
      },
    ),
    condition: fc.constantFrom('', '', 'seller[notEqual]=s-east', 'id[gt]=30'),
    rest: fc.shuffledSubarray(['limit=7', 'fields=id,seller', 'count=true']),
  })
  .map(({ asked: { path, sort, cursor }, other, condition, rest }) => ({
    path,
    query: [condition, sort, ...rest, cursor, other].filter((pair) => pair !== '').join('&'),
  }))

const listed = fc.constantFrom(...paths).map((target) => {
  const [path = '', query = ''] = target.split('?')
  return { path, query: raw(query) }
})
const simple = fc.constantFrom(
  ...['id[lte]=3', 'id=5', 'seller=s-north&id[lt]=9', 'nope=1'].map((query) => ({ path: '/api/orders', query })),
)

const longHeaders = fc
  .tuple(
    ordinary(simple),
    fc.constantFrom<readonly [lines: string[], refused: boolean]>(
      [[`X-Long: ${'x'.repeat(60_000)}`], false],
      [many(900, (at) => `X-${at}: y`, '\n').split('\n'), false],
      [[`X-Long: ${'x'.repeat(70_000)}`], true],
      [[`Cookie: ${'x=y; '.repeat(40_000)}`], true],
      [[`X-${'x'.repeat(70_000)}: 1`], true],
    ),
  )
  .map(([parts, [lines, refused]]): Parts => ({
    ...parts,
    lines,
    ...(refused && { refused: { by: 'parser', status: 431 } }),
  }))

const elsewhere = fc
  .constantFrom(
    ...['/', '/api', '/api/', '/api/orders/', '//api/orders', '/api/%6frders', '/API/orders'],
    ...attacks.map((text) => `/api/${encodeURIComponent(text)}`),
  )
  .map((path) => ({ path }))
const strange = fc.constantFrom<Partial<Parts>>(
  { path: '/api/../api/./orders' },
  { path: '/api/x/../orders' },
  { query: 'id=1#' },
  { query: 'id=1#&total=1' },
  { method: 'DELETE' },
  { method: 'OPTIONS' },
  { method: 'TRACE' },
  { method: 'SEARCH' },
  { method: 'POST', lines: ['Content-Length: 5'], body: 'hello' },
  { method: 'PUT', lines: ['Content-Length: 100000'], body: 'x'.repeat(100_000) },
  { method: 'PATCH', lines: ['Transfer-Encoding: chunked'], body: '5\r\nhello\r\n0\r\n\r\n' },
  { lines: ['Content-Length: 5'], body: 'hello' },
  { lines: ['Expect: 100-continue'] },
  { lines: ['__proto__: x', 'constructor: y', 'Connection: keep-alive, close'] },
  { lines: ['X-Bytes: \x80\xff\xa0'] },
  { lines: ['Upgrade: h2c', 'Connection: Upgrade', 'HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA'] },
  { version: '1.0' },
  { host: 'b\xfccher.example', refused: { by: 'adapter', status: 400 } },
  { host: 'a b', refused: { by: 'adapter', status: 400 } },
  { host: 'x/api/experiences?', refused: { by: 'adapter', status: 400 } },
  { host: '', refused: { by: 'adapter', status: 400 } },
  { path: '/api\\orders', refused: { by: 'adapter', status: 400 } },
  ...[
    { query: 'seller=J\xf6rg' },
    { query: 'seller=a b' },
    { query: 'seller=a\tb' },
    { query: 'seller=a\0b' },
    { query: 'seller=a\x7fb' },
    { lines: ['X Y: 1'] },
    { lines: ['X-Y: a\x01'] },
    { lines: ['X-Y: 1', ' folded'] },
    { lines: ['Content-Length: 5', 'Content-Length: 6'], body: 'hello' },
    { lines: ['Content-Length: 5', 'Transfer-Encoding: chunked'], body: '0\r\n\r\n' },
    { method: 'BREW' },
    { version: '3.0' },
  ].map((parts): Partial<Parts> => ({ ...parts, refused: { by: 'parser', status: 400 } })),
)
const strangely = fc
  .tuple(ordinary(simple), fc.oneof({ weight: 3, arbitrary: strange }, { weight: 1, arbitrary: elsewhere }))
  .map(([parts, other]): Parts => ({ ...parts, ...other }))

// --- What is asked by content

const form = 'Content-Type: application/x-www-form-urlencoded'
const asContent = ({ query, body = query, lines = [form], ...parts }: Parts): Parts => ({
  ...parts,
  ...{ method: 'QUERY', query: '', lines: [...lines, `Content-Length: ${body.length}`], body },
})
const contents = ordinary(fc.oneof(drawn, paged, faulty, escaping)).map(asContent)
const longContents = ordinary(overlong, fc.oneof(someCaller, someStranger)).map(asContent)
const strangeContents = fc
  .tuple(
    ordinary(simple),
    fc.constantFrom<Partial<Parts>>(
      { lines: [] },
      { lines: ['Content-Type: application/json'] },
      { lines: [`${form}; charset=UTF-8`] },
      { lines: [`${form}; charset=latin1`] },
      { lines: [form, form] },
      { lines: [form, 'Content-Encoding: gzip'] },
      { lines: [form, 'Content-Encoding: identity'] },
      { body: '' },
      { body: 'customerName=J\xc3\xb6rg' },
      { body: 'customerName=J\xf6rg' },
      { body: 'id=1&apiKey=north-key' },
      { path: '/api/apiKey' },
      { path: '/api/nope' },
    ),
    fc.constantFrom('', '', '', 'id=1', 'limit=3', '&&', 'x'),
  )
  .map(([parts, other, query]): Parts => ({ ...asContent({ ...parts, ...other }), query }))

/** No letter and no line break first: no method begins so, and the parser says so at once. */
const noise = fc.oneof(
  fc
    .tuple(fc.constantFrom(0x00, 0x16, 0x20, 0x7b, 0x80, 0xff), fc.uint8Array({ minLength: 1, maxLength: 400 }))
    .map(([first, rest]): Noise => ({ bytes: Buffer.from([first, ...rest]) })),
  fc
    .constantFrom('hello\r\n\r\n', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', '*1\r\n$4\r\nPING\r\n')
    .map((text): Noise => ({ bytes: Buffer.from(text) })),
)

const kinds: Readonly<Record<string, { readonly weight: number; readonly arbitrary: fc.Arbitrary<Parts | Noise> }>> = {
  'paths of the stores': { weight: 20, arbitrary: ordinary(listed) },
  pages: { weight: 15, arbitrary: ordinary(paged) },
  'random queries': { weight: 15, arbitrary: ordinary(drawn) },
  contents: { weight: 8, arbitrary: contents },
  'over-long contents': { weight: 4, arbitrary: longContents },
  'strange contents': { weight: 4, arbitrary: strangeContents },
  'faulty queries': { weight: 10, arbitrary: ordinary(faulty) },
  attacks: { weight: 15, arbitrary: ordinary(attacking) },
  escapes: { weight: 6, arbitrary: ordinary(escaping) },
  'over-long queries': { weight: 3, arbitrary: ordinary(overlong, fc.oneof(someCaller, someStranger)) },
  'over-long headers': { weight: 2, arbitrary: longHeaders },
  'strange callers': { weight: 9, arbitrary: ordinary(fc.oneof(drawn, faulty, listed), someStranger) },
  // Few: a password takes as long as a hundred lists.
  'key endpoint': {
    weight: 0.4,
    arbitrary: ordinary(fc.constant({ path: '/api/apiKey', query: '' }), someNameAndPassword),
  },
  'strange requests': { weight: 7, arbitrary: strangely },
  'raw bytes': { weight: 2.6, arbitrary: noise },
}
export const kindNames = Object.keys(kinds)

// --- What is answered

/** What must be said of a request, whatever the service's code says: docs/guides/list-service.md, "Answers". */
function ruleOf({ path, query, method, caller, lines = [], body = '' }: Parts): {
  readonly status: number
  readonly codes?: readonly string[]
} {
  const url = new URL(`http://x${path}?${query}`)
  // The preflight of CORS, whatever the path.
  if (method === 'OPTIONS') return { status: 204 }
  // The playground, as it is.
  if (url.pathname === '/') return { status: method === 'GET' || method === 'HEAD' ? 200 : 405 }
  const collection = Object.hasOwn(collections, url.pathname) ? collections[url.pathname] : undefined
  if (collection === undefined && url.pathname !== '/api/apiKey') return { status: 404 }
  const isContent = method === 'QUERY' && collection !== undefined
  if (method !== 'GET' && method !== 'HEAD' && !isContent) return { status: 405 }
  if (url.hash !== '') return { status: 400 }
  if (collection === undefined) return { status: caller.status }
  if (isContent) {
    const keys = url.search.slice(1).split('&')
    if (keys.some((pair) => pair !== '' && !/^(?:a|%61)piKey=/.test(pair))) return { status: 400 }
    const types = lines.filter((line) => line.startsWith('Content-Type:'))
    if (types.length === 0) return { status: 400 }
    if (types.length > 1 || !/^application\/x-www-form-urlencoded(?:; charset=UTF-8)?$/.test(types[0]!.slice(14))) {
      return { status: 415 }
    }
    if (lines.includes('Content-Encoding: gzip')) return { status: 415 }
    if (body.length > 16_384) return { status: 413, codes: ['limit_length'] }
    if (body.includes('\xf6')) return { status: 400 }
  }
  const text = isContent ? Buffer.from(body, 'latin1').toString() : url.search.slice(1)
  // After the "?" of a URL, another one is a character.
  const parsed = parseQuery(collection, text.startsWith('?') ? `?${text}` : text, { reserved: ['apiKey'] })
  const codes = parsed.ok ? [] : parsed.issues.map(({ code }) => code)
  if (codes[0] === 'limit_length') return { status: 400, codes }
  const more = isContent ? (parsed.reserved.get('apiKey') ?? []) : []
  if (more.length > 0) {
    // The key of another account, or twice.
    const known = new Set([...caller.lines, ...caller.pairs].map((line) => /\w+-key$/.exec(line)?.[0]))
    if (caller.pairs.length > 0 || caller.status === 400) return { status: 400 }
    if (caller.lines.some((line) => line.startsWith('X-API-KEY')) && !known.has(more[0])) return { status: 400 }
  } else if (caller.status !== 200) return { status: caller.status }
  return codes.length > 0 ? { status: 400, codes } : { status: 200 }
}

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
  const find = () => Promise.reject(new Error('SELECT'))
  const failing: Store = { orders: { find, count: find }, experiences: { find, count: find }, close: find }
  const app = makeApp(failing, accounts, () => {})
  const answer = await expectedOf(
    await app(new Request('http://x/api/orders', { headers: { 'X-API-KEY': 'office-key' } })),
  )
  const told =
    '{"type":"/docs/concepts/errors.md#data_unavailable","title":"Service Unavailable","status":503,"detail":"the data is unavailable at the moment: try again later"}'
  if (answer.status !== 503 || answer.text !== told) throw new Error(`another answer: ${answer.text}`)
  return answer
})()

/** What the service says over memory, in this process. */
async function answerTo(parts: Parts): Promise<Expected> {
  const { method, path, query, caller, lines = [], body = '' } = parts
  const headers = [...caller.lines, ...lines]
    .map((line): [string, string] => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()])
    .filter(([name]) => ['X-API-KEY', 'Authorization', 'Content-Type', 'Content-Encoding'].includes(name))
  // Web requests know not every method; one is as good as another here.
  const known = ['GET', 'HEAD', 'QUERY', 'OPTIONS'].includes(method) ? method : 'POST'
  const content = method === 'QUERY' ? { body: Buffer.from(body, 'latin1') } : {}
  const { text, ...expected } = await expectedOf(
    await service(new Request(`http://x${path}?${query}`, { method: known, headers, ...content })),
  )
  const { codes, status } = ruleOf(parts)
  const own =
    method === 'HEAD' || codes === undefined
      ? codes
      : (JSON.parse(text) as { issues: { code: string }[] }).issues.map(({ code }) => code)
  if (status !== expected.status || String(own) !== String(codes)) {
    throw new Error(
      `the rules and the service differ on ${method} ${path}?${query} ${body}: ${status} ${codes}, ${expected.status} ${own}`,
    )
  }
  return expected
}

const line = (text: string) => JSON.stringify(text.length > 300 ? `${text.slice(0, 300)}…` : text)
async function prepared(kind: string, parts: Parts | Noise): Promise<Prepared> {
  if ('bytes' in parts) {
    const { bytes } = parts
    const own = { method: 'GET', stored: false, closes: true, cutOff: true }
    return { kind, bytes, line: line(bytes.toString('latin1')), expected: bare(400), ...own }
  }
  const query = [...parts.caller.pairs, parts.query].filter((text) => text !== '').join('&')
  const { method, path, caller, lines = [], body = '', version = '1.1', host = 'booking.example', refused } = parts
  const first = `${method} ${path}${query === '' ? '' : `?${query}`}`
  const head = [`${first} HTTP/${version}`, `Host: ${host}`, ...caller.lines, ...lines, '', '']
  const expected =
    refused === undefined
      ? await answerTo({ ...parts, query })
      : refused.by === 'adapter'
        ? improper
        : bare(refused.status)
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
      refused?.by === 'parser' ||
      version === '1.0' ||
      expected.status === 413 ||
      /close|Upgrade|Expect/.test(String(lines)),
    cutOff: refused?.by === 'parser',
  }
}

/** So many requests: the same for the same seed. Each kind is among them. */
export async function makeRequests(seed: number, count: number): Promise<readonly Prepared[]> {
  const total = Object.values(kinds).reduce((sum, { weight }) => sum + weight, 0)
  const all: Prepared[] = []
  for (const [kind, { weight, arbitrary }] of Object.entries(kinds)) {
    const numRuns = Math.ceil((count * weight) / total)
    for (const parts of fc.sample(arbitrary, { seed, numRuns })) all.push(await prepared(kind, parts))
  }
  return all
}
