/** What the load asks for, drawn by a seed, and the right answer to each: the service's own over memory, held against rules. */
import { hash } from 'node:crypto'
import * as fc from 'fast-check'
import { demoAccounts, makeAccounts } from '../../src/demo/accounts.ts'
import { experiences, orders } from '../../src/demo/data.ts'
import { improperRequest, makeService } from '../../src/demo/service.ts'
import { memoryStore } from '../../src/demo/store.ts'
import { parseFilter, type Schema } from '../../src/index.ts'
import { someQuery } from '../../src/testing/arbitraries.ts'
import { attacks, query as conditionOf, texting } from '../engines/attacks.ts'
import { paths } from './paths.ts'

const schemas: Readonly<Record<string, Schema>> = { '/api/orders': orders, '/api/experiences': experiences }

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
const drawn = somePath.chain((path) => someQuery(schemas[path]!).map((query) => ({ path, query })))
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
  Array.from(schemas[path]!.paths.values())
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
  { method: 'QUERY' },
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
  'random queries': { weight: 25, arbitrary: ordinary(drawn) },
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
function ruleOf({ path, query, method, caller }: Parts): {
  readonly status: number
  readonly codes?: readonly string[]
} {
  const url = new URL(`http://x${path}?${query}`)
  const schema = Object.hasOwn(schemas, url.pathname) ? schemas[url.pathname] : undefined
  if (schema === undefined && url.pathname !== '/api/apiKey') return { status: 404 }
  if (method !== 'GET' && method !== 'HEAD') return { status: 405 }
  if (url.hash !== '') return { status: 400 }
  if (schema === undefined) return { status: caller.status }
  const parsed = parseFilter(schema, url.search.slice(1), { reserved: ['apiKey'] })
  const codes = parsed.ok ? [] : parsed.issues.map(({ code }) => code)
  if (codes[0] === 'limit_length') return { status: 400, codes }
  if (caller.status !== 200) return { status: caller.status }
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

const service = makeService(memoryStore(), await makeAccounts(), (error) => {
  throw error
})
/** What the service says over memory, in this process. */
async function answerTo({ method, path, query, caller, lines = [] }: Parts): Promise<Expected> {
  const headers = [...caller.lines, ...lines]
    .map((line): [string, string] => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()])
    .filter(([name]) => name === 'X-API-KEY' || name === 'Authorization')
  // Web requests know not every method; one is as good as another here.
  const known = ['GET', 'HEAD'].includes(method) ? method : 'POST'
  const { text, ...expected } = await expectedOf(
    await service(new Request(`http://x${path}?${query}`, { method: known, headers })),
  )
  const { codes, status } = ruleOf({ method, path, query, caller })
  const own =
    method === 'HEAD' || codes === undefined
      ? codes
      : (JSON.parse(text) as { issues: { code: string }[] }).issues.map(({ code }) => code)
  if (status !== expected.status || String(own) !== String(codes)) {
    throw new Error(
      `the rules and the service differ on ${path}?${query}: ${status} ${codes}, ${expected.status} ${own}`,
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
    stored: expected.status === 200 && path !== '/api/apiKey',
    // What is behind a wish for another protocol Node does not read, and its Continue gets into answers that wait for others.
    closes: refused?.by === 'parser' || version === '1.0' || /close|Upgrade|Expect/.test(String(lines)),
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
