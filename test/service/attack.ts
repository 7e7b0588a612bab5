/**
 * Requests of three roles against a list service, and the oracle of each: a service that has the rows and the fields of the role alone.
 * Every answer, and every byte of it, must be the same. So nothing beyond the right is in an answer, whatever a role sends.
 * `npm run attack -- --requests 100000 --seed 1` prints what was sent and answered, and ends with 1 when something is wrong.
 */
import { isDeepStrictEqual, parseArgs } from 'node:util'
import * as fc from 'fast-check'
import { memoryBackend } from '../../src/backends/memory/index.ts'
import { makeOrders, randomNumbers } from '../../src/demo/data.ts'
import { createListService, type ListService } from '../../src/http/index.ts'
import {
  and,
  defineCollection,
  defineSchema,
  field,
  narrow,
  where,
  type Collection,
  type CollectionOptions,
  type Fields,
  type Query,
  type Schema,
} from '../../src/index.ts'
import { operatorNamed } from '../../src/language/operators.ts'
import { openapi } from '../../src/openapi/index.ts'
import { someQuery } from '../../src/testing/arbitraries.ts'
import { attacks } from '../engines/attacks.ts'
import { Counts, printed, type Table } from './tally.ts'

type Row = Readonly<Record<string, unknown>>

// --- Rows whose every value of a secret has a mark, which no answer without the right may have

const open = {
  id: field.integer(),
  seller: field.string({ required: true }),
  customerName: field.string(),
  status: field.enumeration(['paid', 'held', 'new']),
  guests: field.integer(),
  tags: field.list(field.string()),
}
const items = { product: field.string(), price: field.number() }
const all = {
  ...open,
  total: field.number(),
  customer: field.object({ name: field.string(), email: field.string() }),
  items: field.list(field.object({ ...items, margin: field.number() })),
  // No role knows these.
  purchasePrice: field.number(),
  internalNote: field.string(),
}
const forAll = {
  ...open,
  total: field.number(),
  customer: field.object({ name: field.string(), email: field.string() }),
  items: field.list(field.object(items)),
}
const forDesk = {
  ...open,
  customer: field.object({ name: field.string() }),
  items: field.list(field.object(items)),
}
const schema = defineSchema(all)

const stored: readonly Row[] = makeOrders()
  .slice(0, 60)
  .map(({ id, seller, status, guests, tags, items }) => ({
    ...{ id, seller, status, guests, tags },
    customerName: `row-${seller}-${id}`,
    total: id! % 7 === 0 ? null : id! * 10 + 0.424242,
    customer: { name: `name ${id}`, email: `mail-canary-${id}@example.org` },
    items: items?.map((item) => ({ product: item?.product ?? null, price: item?.price ?? null, margin: 535353 + id! })),
    purchasePrice: 515151 + id!,
    internalNote: `note-canary-${id}`,
    // No schema has it.
    passwordHash: `hash-canary-${id}`,
  }))

const asked = {
  key: 'id',
  sort: true,
  limit: { default: 5, max: 20 },
  offset: { max: 30 },
  fields: true,
  count: true,
  groups: true,
  timeZone: true,
} as const
const searched = ['customerName', 'customer.name', 'customer.email'] as const
const counted = ['status', 'seller', 'total', 'customer.email', 'tags', 'items.product', 'items.price'] as const
const aliases = { sum: 'total', mail: 'customer.email', buyer: 'customer', lines: 'items', state: 'status' } as const
const since = '2024-01-01'
const whole = defineCollection(schema, {
  ...{ ...asked, search: searched, facets: counted, aliases: { fields: aliases } },
  deprecated: { sum: { since }, mail: { since }, state: { since } },
  hidden: ['purchasePrice', 'internalNote', 'items.margin'],
})
const withoutTotal = narrow(whole, { fields: { hide: ['total', 'customer.email'] } })

export interface Role {
  readonly name: string
  readonly sees: (row: Row) => boolean
  readonly collection: Collection
  /** The fields that the role knows, as a schema. */
  readonly fields: Fields
  /** No answer to the role matches it. */
  readonly canaries: RegExp
  readonly hidden: readonly string[]
}
const never = /(?:note|hash)-canary|515\d{3}\b|5353\d\d|5354\d\d|passwordHash|purchasePrice|internalNote|margin/i
const hiddenFromAll = ['purchasePrice', 'internalNote', 'items.margin']
export const roles: readonly Role[] = [
  {
    name: 'north',
    sees: ({ seller }) => seller === 's-north',
    collection: whole,
    fields: forAll,
    canaries: new RegExp(`${never.source}|row-s-(?!north)`, 'i'),
    hidden: hiddenFromAll,
  },
  {
    name: 'desk',
    sees: () => true,
    collection: withoutTotal,
    fields: forDesk,
    canaries: new RegExp(`${never.source}|424242|mail-canary|total|email`, 'i'),
    hidden: [...hiddenFromAll, 'total', 'customer.email'],
  },
  {
    name: 'office',
    sees: () => true,
    collection: whole,
    fields: forAll,
    canaries: never,
    hidden: hiddenFromAll,
  },
]
const roleNamed = new Map(roles.map((role) => [role.name, role]))

// --- The service, and the oracle of each role

/** The deliberate fault of a service. */
export type Wrong = 'rows' | 'fields' | 'facets'
type Named = { readonly role: string }

const { compile, compileQuery, facets } = memoryBackend()
/** The number of calls of the store. */
export const calls = { count: 0 }
const rowsOf = (rows: readonly unknown[]) => ({
  find: (query: Query) => (calls.count++, compileQuery({ ...query, count: false })(rows).rows),
  count: ({ filter }: Query) => (calls.count++, rows.filter(compile(filter)).length),
  facets: (query: Query) => (calls.count++, facets(query)(rows)),
})
/** Forgets the filter of each facet. */
const countEverybody = (query: Query) =>
  facets({ ...query, facets: query.facets!.map((facet) => ({ ...facet, filter: and() })) })(stored)
const common = {
  authenticate: ({ headers }: Request): Named | undefined => {
    const name = /^Bearer (\w+)$/.exec(headers.get('authorization') ?? '')?.[1]
    return name !== undefined && roleNamed.has(name) ? { role: name } : undefined
  },
  basePath: '/api',
  cache: { maxAge: 0, vary: ['Authorization'] },
}

export function makeAttacked(onError: (error: unknown) => void, wrong?: Wrong): ListService<Named> {
  const visible = where(schema)
  return createListService<Named>({
    ...common,
    onError,
    collections: {
      orders: {
        collection: ({ role }) => (wrong === 'fields' ? whole : roleNamed.get(role)!.collection),
        rows: wrong === 'facets' ? { ...rowsOf(stored), facets: countEverybody } : rowsOf(stored),
        restriction: ({ role }) => (role === 'north' && wrong !== 'rows' ? visible.equals('seller', 's-north') : and()),
      },
    },
  })
}

/** A row with the fields of a schema alone. */
function cut(row: unknown, { fields }: { readonly fields: Fields }): unknown {
  if (typeof row !== 'object' || row === null) return row
  return Object.fromEntries(
    Object.entries(fields).map(([name, one]) => {
      const value = (row as Row)[name]
      if (one.type === 'list' && one.entry.type === 'object' && Array.isArray(value)) {
        const { entry } = one
        return [name, value.map((item) => cut(item, entry))]
      }
      return [name, one.type === 'object' ? cut(value, one) : value]
    }),
  )
}

function makeOracle(role: Role, onError: (error: unknown) => void): ListService<Named> {
  const own = defineSchema(role.fields)
  const isKnown = (path: string) => own.paths.has(path)
  const known = Object.entries(aliases).filter(([, path]) => isKnown(path))
  const left = {
    ...{ search: searched.filter(isKnown), facets: counted.filter(isKnown) },
    aliases: { fields: Object.fromEntries(known) },
    deprecated: Object.fromEntries(
      ['sum', 'mail', 'state'].flatMap((name) => (known.some(([alias]) => alias === name) ? [[name, { since }]] : [])),
    ),
  }
  return createListService<Named>({
    ...common,
    onError,
    collections: {
      orders: {
        collection: defineCollection(own, { ...asked, ...left } as CollectionOptions),
        rows: rowsOf(stored.filter(role.sees).map((row) => cut(row, { fields: role.fields }))),
        restriction: () => and(),
      },
    },
  })
}

// --- Requests

interface Asked {
  readonly kind: string
  readonly path: string
  readonly query: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
}

const base64url = (text: string) => Buffer.from(text).toString('base64url')
const textsOf = (one: Schema) => [...one.paths.keys()]

export interface AttackOptions {
  readonly requests: number
  readonly seed: number
  readonly wrong?: Wrong
}
export interface AttackReport {
  readonly faults: readonly string[]
  readonly sent: number
  /** How often each kind of request got each status. */
  readonly kinds: Counts
  readonly roles: Counts
  readonly tables: readonly Table[]
}

/** Makes requests without end, out of all that the answers so far have told. */
function requestMaker(seed: number) {
  const random = randomNumbers(seed)
  const below = (limit: number) => Math.floor(random() * limit)
  const pick = <T>(from: readonly T[]): T => from[below(from.length)]!
  const chance = (share: number) => random() < share
  /** Cursors and tags that any role has got. */
  const cursors: string[] = ['']
  const tags: string[] = ['*']
  const queries = fc.sample(someQuery(schema, { groups: true }), { seed, numRuns: 2_000 })
  const names = [
    ...textsOf(schema),
    ...Object.keys(aliases),
    ...['buyer.email', 'buyer.name', 'lines.margin', 'lines.price'],
    'passwordHash',
    'seller_id',
    'customer.phone',
    'items.cost',
    '__proto__',
    'constructor',
  ]
  const operators = [...operatorNamed.keys(), 'nope', 'like', '$gt', '']
  const operands = [
    ...[
      '1',
      '0',
      '-1',
      '10.424242',
      '515152',
      '535354',
      'true',
      's-north',
      's-south',
      'row-s-south-2',
      'note-canary-2',
    ],
    ...[
      'mail-canary-2@example.org',
      'paid',
      'null',
      '""',
      '%00',
      'a,b',
      '1,2',
      '2024-01-01',
      ...attacks.map(encodeURIComponent),
    ],
  ]
  /** A name that is nearly another, as hints look for it. */
  const misspelt = (name: string): string => {
    const at = below(name.length)
    return pick([
      name.slice(0, at) + name.slice(at + 1),
      name.slice(0, at) + 'abet'[below(4)]! + name.slice(at),
      name.slice(0, at) + 'abet'[below(4)]! + name.slice(at + 1),
      name.toUpperCase(),
      name.replace('.', '_'),
      `${name}.${pick(['x', 'length', 'id'])}`,
      name.split('.').at(-1)!,
      name.slice(0, Math.max(1, at)),
    ])
  }
  const known = textsOf(defineSchema(forDesk))
  const name = () => (chance(0.6) ? pick(known) : chance(0.5) ? pick(names) : misspelt(pick(names)))
  /** Conditions that a query may have, when the role knows the field. */
  const proper = [
    ...[
      'id[lte]=40',
      'seller=s-north',
      'seller=s-south',
      'status[in]=paid,held',
      'guests[gt]=2',
      'tags=sea',
      'tags[exists]=false',
    ],
    ...[
      'customerName[startsWith]=row-s-s',
      'customer[exists]=true',
      'customer.name[contains]=1',
      'items.price[lt]=100',
    ],
    ...[
      'items(product[contains]=surf)',
      'total[gte]=10.424242',
      'total[exists]=false',
      'customer.email[contains]=canary',
    ],
  ]
  const condition = (): string => {
    if (chance(0.55)) return pick(proper)
    const operator = pick(operators)
    return `${name()}${operator === '' ? '' : `[${operator}]`}=${pick(operands)}`
  }
  const list = () => Array.from({ length: 1 + below(2) }, () => (chance(0.2) ? '-' : '') + name()).join(',')
  const cursor = (): string => {
    const own = pick(cursors)
    if (chance(0.4)) return own
    const text = Buffer.from(own, 'base64url').toString()
    const forged = pick([
      () => text.replace(/"[+-][\w.]+"/, `"+${name()}"`),
      () =>
        text.replace(
          /\[[^[\]]*\](?=[^[\]]*\]$)/,
          `[${pick(['1', 'null', '"a"', '10.424242', '"note-canary-2",2', '""'])}]`,
        ),
      () => text.replace(/^\[\d/, `[${pick([1, 2, 3, 4])}`),
      () => text.replace(/\]$/, `,${pick([0, 7, 31, 51, 1e9, -1, 0.5])}]`),
      () => JSON.stringify([1, 'next', [`+${name()}`, '+id'], [pick([null, 1, 'a', 424242]), below(60)]]),
      () => JSON.stringify([2, pick(['next', 'previous']), ['+id'], [], below(100)]),
      () => text.slice(0, below(text.length + 1)),
    ])()
    return base64url(forged)
  }
  const group = (): string => {
    const inner = Array.from({ length: 1 + below(3) }, () => (chance(0.2) ? `not(${condition()})` : condition())).join(
      ',',
    )
    return `${pick(['or', 'and', 'not'])}=(${chance(0.3) ? `${pick(['items', 'tags', 'customer', name()])}(${inner})` : inner})`
  }
  const sort = () => `sort=${list()}`
  const kinds: Readonly<Record<string, () => string>> = {
    'random queries': () => pick(queries),
    filters: () => Array.from({ length: 1 + below(3) }, condition).join('&'),
    groups: () => [group(), ...(chance(0.3) ? [condition()] : [])].join('&'),
    orders: () => `${sort()}&limit=${1 + below(8)}`,
    fields: () => `fields=${list()}${chance(0.5) ? `&${sort()}` : ''}`,
    counts: () => `${condition()}&count=true&limit=1`,
    facets: () => `facets=${chance(0.5) ? `${pick(counted)},tags` : list()}&${condition()}`,
    searches: () =>
      `search=${pick(['canary', 'mail-canary-2', '424242', 'name+1', 'row-s-south', 'hash'])}${chance(0.5) ? `&${condition()}` : ''}`,
    zones: () => `timeZone=${pick(['UTC', 'Asia/Tokyo', '%2B01:00', 'Mars/Olympus'])}&${condition()}`,
    cursors: () =>
      `${chance(0.6) ? `sort=${pick(['total', '-total', 'id', 'customer.email', 'guests', name()])}&` : ''}cursor=${cursor()}`,
    offsets: () => `offset=${pick([0, 3, 30, 31, 1e9, -1])}&${sort()}`,
    'bytes changed': () => {
      const text = pick([pick(queries), condition(), sort(), group()])
      const at = below(text.length + 1)
      return (
        text.slice(0, at) +
        pick(['[', ']', '%', '=', '&', '(', ')', ',', '.', '#', '%00', '"', '+', '']) +
        text.slice(at + below(3))
      )
    },
    'pages in order': () =>
      `sort=${pick(['total', '-total', 'customer.email', '-guests', 'customerName', 'id'])}&limit=${1 + below(4)}`,
  }
  const kindNames = Object.keys(kinds)
  return {
    next(): Asked {
      const kind = pick(kindNames)
      const method = pick(['GET', 'GET', 'GET', 'HEAD', 'QUERY'])
      const headers = chance(0.1) ? { 'if-none-match': pick(tags) } : {}
      const path = chance(0.98)
        ? '/api/orders'
        : pick(['/api/Orders', '/api/orders/1', '/api/margin', '/orders', '/api/'])
      return { kind, path, method, headers, query: kinds[kind]!().replaceAll('#', '%23') }
    },
    learn(text: string, headers: Headers): void {
      for (const [, found] of text.matchAll(/"(?:next|previous)":"([\w-]+)"/g)) {
        if (cursors.length < 500) cursors.push(found!)
        else cursors[below(500)] = found!
      }
      const tag = headers.get('etag')
      if (tag !== null) tags[tags.length < 50 ? tags.length : below(50)] = tag
    },
    pickRole: () => pick(roles),
  }
}

/** Reads an answer: its status, headers and body, and the texts of the cursors in it. */
async function told(response: Response) {
  const body = await response.text()
  const headers = [...response.headers].map((pair) => pair.join(': ')).join('\n')
  const inside = Array.from(`${body}\n${headers}`.matchAll(/[\w-]{16,}/g), ([text]) =>
    Buffer.from(text, 'base64url').toString('latin1'),
  )
  return { status: response.status, headers, body, inside: inside.join('\n') }
}

const requestOf = ({ path, query, method, headers }: Asked, role: string): Request => {
  const authorization = `Bearer ${role}`
  if (method !== 'QUERY')
    return new Request(`http://x${path}?${query}`, { method, headers: { ...headers, authorization } })
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  return new Request(`http://x${path}`, { method, headers: { ...headers, ...type, authorization }, body: query })
}

export async function attack({ requests, seed, wrong }: AttackOptions): Promise<AttackReport> {
  const faults: string[] = []
  const blame = (what: string) => faults.length < 10 && faults.push(what)
  const onError = (error: unknown) => blame(`a fault of the service: ${String(error)}`)
  const service = makeAttacked(onError, wrong)
  const oracles = new Map(roles.map((role) => [role.name, makeOracle(role, onError)]))
  const [kinds, perRole] = [new Counts(), new Counts()]

  for (const role of roles) {
    const principal = { role: role.name }
    const describedBy = (one: ListService<Named>) => JSON.stringify(openapi(one, principal))
    const [own, right] = [describedBy(service), describedBy(oracles.get(role.name)!)]
    if (own !== right || role.canaries.test(own)) blame(`${role.name}: the description has more than the role knows`)
  }

  const maker = requestMaker(seed)
  for (let at = 0; at < requests; at++) {
    const asked = maker.next()
    const role = maker.pickRole()
    const response = await service(requestOf(asked, role.name))
    const own = await told(response)
    const right = await told(await oracles.get(role.name)!(requestOf(asked, role.name)))
    maker.learn(own.body, response.headers)
    kinds.add(asked.kind, String(own.status))
    perRole.add(role.name, String(own.status))
    const line = `${role.name}: ${asked.method} ${asked.path}?${asked.query}`
    if (!isDeepStrictEqual(own, right))
      blame(
        `${line}\n  is   ${own.status} ${own.body.slice(0, 400)}\n  not  ${right.status} ${right.body.slice(0, 400)}`,
      )
    // An answer can repeat texts of its request.
    const said =
      asked.query + decodeURIComponent(asked.query.replace(/%(?![\da-f]{2})/gi, '%25').replace(/%[89a-f][\da-f]/gi, ''))
    if (!role.canaries.test(said) && asked.kind !== 'cursors') {
      for (const part of [own.body, own.headers, own.inside]) {
        if (role.canaries.test(part)) blame(`${line} tells ${role.canaries.exec(part)![0]}`)
      }
    }
  }
  const statuses = ['200', '400'].filter((status) => kinds.total(status) === 0)
  if (statuses.length > 0) blame(`no answer was a ${statuses.join(' or a ')}`)
  return { faults, sent: requests, kinds, roles: perRole, tables: [kinds.table('kind'), perRole.table('role')] }
}

// --- Time

/** The time and the calls of the store for a hidden name, and for one that does not exist, in turn: medians in microseconds. */
export async function effortOf(name: string, absent: string, rounds: number) {
  const service = makeAttacked(() => {})
  const times: Readonly<Record<'hidden' | 'absent', number[]>> = { hidden: [], absent: [] }
  calls.count = 0
  for (let at = 0; at < rounds; at++) {
    for (const [kind, path] of at % 2 === 0
      ? ([
          ['hidden', name],
          ['absent', absent],
        ] as const)
      : ([
          ['absent', absent],
          ['hidden', name],
        ] as const)) {
      for (const query of [`${path}=1`, `sort=${path}`, `fields=${path}`, `or=(${path}[gt]=1,id=1)`]) {
        const request = new Request(`http://x/api/orders?${query}`, { headers: { authorization: 'Bearer desk' } })
        const began = performance.now()
        await service(request)
        times[kind].push(performance.now() - began)
      }
    }
  }
  const median = (all: readonly number[]) => all.toSorted((a, b) => a - b)[all.length >> 1]! * 1_000
  return { hidden: median(times.hidden), absent: median(times.absent), calls: calls.count }
}

if (import.meta.main) {
  const string = { type: 'string' } as const
  const { values } = parseArgs({ options: { requests: string, seed: string } })
  const { requests = '100000', seed = String(Date.now() % 1_000_000) } = values
  console.log(`seed ${seed}`)
  const { faults, tables } = await attack({ requests: Number(requests), seed: Number(seed) })
  for (const table of tables) console.log(`\n${printed(table)}`)
  const pairs = [
    ['total', 'potal'],
    ['customer.email', 'customer.umail'],
    ['internalNote', 'anternalNote'],
    ['purchasePrice', 'xurchasePrice'],
  ] as const
  const efforts: (string | number)[][] = []
  for (const [name, absent] of pairs) {
    const { calls, ...times } = await effortOf(name, absent, 1_000)
    efforts.push([name, times.hidden.toFixed(1), times.absent.toFixed(1), calls])
  }
  console.log(`\n${printed([['hidden name', 'µs', 'absent name, µs', 'calls of the store'], ...efforts])}`)
  console.log(faults.length === 0 ? '\nall is well' : `\nwrong:\n${faults.join('\n')}`)
  process.exitCode = faults.length === 0 ? 0 : 1
}
