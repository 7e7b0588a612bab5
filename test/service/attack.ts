/**
 * Requests of three roles against a list service, and the oracle of each: a service that has the rows and the fields of the role alone.
 * Every answer, and every byte of it, must be the same. So nothing beyond the right is in an answer, whatever a role sends.
 * `npm run attack -- --requests 100000 --seed 1` prints what was sent and answered, and ends with 1 when something is wrong.
 */
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { isDeepStrictEqual, parseArgs } from 'node:util'
import * as fc from 'fast-check'
import { find } from 'mingo'
import { memoryBackend } from '../../src/backends/memory/index.ts'
import { mongoBackend } from '../../src/backends/mongo/index.ts'
import { jsonColumn, simpleLowerCase, sqlBackend, sqlite, table } from '../../src/backends/sql/index.ts'
import { makeOrders, randomNumbers } from '../../docs/demo/data.ts'
import { createListService, sqlRows, type ListService, type RequestHead, type Rows } from '../../src/service/index.ts'
import { and, defineCollection, defineSchema, field, narrow, restrict, toAnswer, where } from '../../src/index.ts'
import type { Collection, CollectionOptions, Fields, Filter, Query, Schema } from '../../src/index.ts'
import { operatorNamed } from '../../src/language/operators.ts'
import { fromAgGrid, fromMuiX, fromRefine, fromTanStackDb, fromTanStackTable } from '../../src/clients/grids/index.ts'
import type { GridResult } from '../../src/clients/grids/index.ts'
import {
  jsonApi,
  jsonServer,
  jsonServer1,
  nestPaginate,
  reactAdmin,
  strapi,
} from '../../src/clients/notations/index.ts'
import type { Notation } from '../../src/clients/notations/index.ts'
import { openapi } from '../../src/tools/openapi/index.ts'
import { someQuery } from '../../src/kit/arbitraries.ts'
import { attacks } from '../engines/attacks.ts'
import { attackGuides } from './attack-guides.ts'
import { gridRequests, notedRequests } from './noted.ts'
import { Counts, printed, type Table } from './tally.ts'
import { partsOfFilter } from '../../src/query/index.ts'

export type Row = Readonly<Record<string, unknown>>

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
export const schema = defineSchema(all)

export const stored: readonly Row[] = makeOrders()
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
export const whole = defineCollection(schema, {
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
const never = /(?:note|hash)-canary|515\d{3}\b|535(?:3[5-9]|4[01])\d|passwordHash|purchasePrice|internalNote|margin/i
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
export type Wrong = 'rows' | 'fields' | 'facets' | 'rows in a notation' | 'columns'
type Named = { readonly role: string; readonly isNoted: boolean }
/**
 * What is attacked: the language over rows in memory, the notations over pages of SQLite, pages of SQLite, documents in other forms than
 * the schema, by `find` and by pages of MongoDB, and states of grids, whose answers `toAnswer` makes.
 */
export const targets = ['memory', 'notations', 'SQLite', 'documents', 'MongoDB', 'grids'] as const
export type Target = (typeof targets)[number]
const notations: Readonly<Record<string, Notation>> = {
  jsonServer,
  jsonServer1,
  reactAdmin,
  strapi,
  jsonApi,
  nestPaginate,
}

/** Documents in other forms: objects and lists in place of scalars and of each other, with secrets. */
const documents = stored.map((row): Row => {
  const id = row['id'] as number
  const secret = { token: `hash-canary-${id}`, passwordHash: `hash-canary-${id}` }
  const forms: readonly Row[] = [
    { customerName: secret, total: [secret], customer: { name: secret, ...secret } },
    { guests: secret, tags: ['sea', secret, [secret]], customer: [secret], items: secret },
    { status: [secret], tags: secret, customer: `hash-canary-${id}`, items: [secret, `hash-canary-${id}`, [secret]] },
    { total: secret, customer: { name: [secret] }, items: [{ product: secret, price: [secret] }, secret] },
  ]
  return id % 2 === 0 ? row : { ...row, ...forms[(id >> 1) % 4] }
})

const { compile, compileQuery, facets } = memoryBackend()
/** The number of calls of the store. */
export const calls = { count: 0 }
const rowsOf = (rows: readonly unknown[]) => ({
  find: (query: Query) => (calls.count++, compileQuery({ ...query, count: false })(rows).rows),
  count: ({ filter }: Query) => (calls.count++, rows.filter(compile(filter)).length),
  facets: (query: Query) => (calls.count++, facets(query)(rows)),
})
const isJson = (one: Fields[string]) => one.type === 'list' || one.type === 'object'
const columnTypes: Readonly<Record<string, string>> = { integer: 'INTEGER', number: 'REAL' }

/** Pages of SQLite. The table has a column that the schema lacks. */
function pagesOf(schema: Schema, rows: readonly Row[]): Rows {
  const fields = Object.entries(schema.fields)
  const database = new DatabaseSync(':memory:')
  database.function('urlwhere_lower', { deterministic: true }, simpleLowerCase)
  const columns = fields.map(([name, { type }]) => `"${name}" ${columnTypes[type] ?? 'TEXT'}`)
  database.exec(`CREATE TABLE orders (${columns.join()}, "passwordHash" TEXT) STRICT`)
  const insert = database.prepare(`INSERT INTO orders VALUES (${columns.map(() => '?').join()}, ?)`)
  for (const row of rows) {
    const values = fields.map(([name, one]) => (isJson(one) ? JSON.stringify(row[name] ?? null) : (row[name] ?? null)))
    insert.run(...(values as SQLInputValue[]), (row['passwordHash'] ?? null) as SQLInputValue)
  }
  const json = fields.flatMap(([name, one]) => (isJson(one) ? [[name, jsonColumn(name)] as const] : []))
  const mapping = table('orders', { schema, key: 'id', columns: Object.fromEntries(json) })
  const backend = sqlBackend({ dialect: { ...sqlite, lower: 'urlwhere_lower' }, table: mapping })
  return sqlRows(backend, (text, parameters) => (calls.count++, database.prepare(text).all(...parameters)))
}

/** Pages of MongoDB's documents; counts and facets of the same in memory. */
function documentsOf(schema: Schema, rows: readonly Row[]): Rows {
  const backend = mongoBackend({ schema })
  const page: Rows['page'] = (query) => {
    const { filter, sort, limit, skip = 0, projection, page: pageOf } = (calls.count++, backend.compileQuery(query))
    return pageOf(
      find<Row>([...rows], filter, projection)
        .sort(sort)
        .skip(skip)
        .limit(limit)
        .all(),
    )
  }
  const { count, facets: counted } = rowsOf(rows)
  return { page, count, facets: counted }
}
const storeOf = (target: Target, own: Schema, rows: readonly Row[]): Rows =>
  target === 'SQLite' || target === 'notations'
    ? pagesOf(own, rows)
    : target === 'MongoDB'
      ? documentsOf(own, rows)
      : rowsOf(rows)
const storedIn = (target: Target) => (['documents', 'MongoDB', 'grids'].includes(target) ? documents : stored)

/** Forgets the filter of each facet, and those with which the library compares it. */
const countEverybody = ({ restriction: _, search: __, ...query }: Query) =>
  facets({ ...query, ...partsOfFilter(and()), facets: query.facets!.map((facet) => ({ ...facet, filter: and() })) })(
    stored,
  )
const common = {
  authenticate: ({ headers }: RequestHead): Named | undefined => {
    const name = /^Bearer (\w+)$/.exec(headers.get('authorization') ?? '')?.[1]
    const isNoted = headers.get('x-notation') !== null
    return name !== undefined && roleNamed.has(name) ? { role: name, isNoted } : undefined
  },
  basePath: '/api',
  cache: { maxAge: 0, vary: ['Authorization'] },
  notation: ({ headers }: RequestHead) => notations[headers.get('x-notation') ?? ''],
}

export function makeAttacked(
  onError: (error: unknown) => void,
  wrong?: Wrong,
  target: Target = 'memory',
): ListService<Named> {
  const visible = where(schema)
  const rows = storeOf(target, schema, storedIn(target))
  const forgets = ({ isNoted }: Named) => wrong === 'rows' || (wrong === 'rows in a notation' && isNoted)
  return createListService<Named>({
    ...common,
    onError,
    collections: {
      orders: {
        collection: ({ role }) => (wrong === 'fields' ? whole : roleNamed.get(role)!.collection),
        rows: wrong === 'facets' ? { ...rows, facets: countEverybody } : rows,
        restriction: (caller) =>
          caller.role === 'north' && !forgets(caller) ? visible.equals('seller', 's-north') : and(),
        // Whoever answers the stored row in place of the shown one.
        ...(wrong === 'columns' && { row: (row) => ({ ...stored[0], ...(row as object) }) }),
      },
    },
  })
}

const grids: Readonly<Record<string, (collection: Collection, state: never) => GridResult<Query>>> = {
  ...{
    agGrid: fromAgGrid,
    muiX: fromMuiX,
    refine: fromRefine,
    tanStackDb: fromTanStackDb,
    tanStackTable: fromTanStackTable,
  },
}
type Asking = (request: Request) => Promise<Response>

/** A handler of its own, for states of grids. */
function gridsOver(
  rows: readonly Row[],
  collectionOf: (role: string) => Collection,
  restrictionOf: (role: string) => Filter,
): Asking {
  const { find: read, count } = rowsOf(rows)
  return async ({ url, headers }) => {
    const { searchParams } = new URL(url)
    const role = headers.get('authorization')!.slice('Bearer '.length)
    const collection = collectionOf(role)
    const result = grids[searchParams.get('grid')!]!(collection, JSON.parse(searchParams.get('state')!) as never)
    if (!result.ok) return Response.json(result.issues, { status: 400 })
    const query = restrict(result.query, restrictionOf(role))
    const { data, page } = toAnswer(collection, query, read(query))
    return Response.json({ data, page: { ...page, ...(query.count !== false && { count: count(query) }) } })
  }
}

/** A value with what its definition has alone: `null` where it has another form. */
export function cut(value: unknown, definition: Fields[string]): unknown {
  if (value === undefined) return undefined
  if (definition.type === 'list') return Array.isArray(value) ? value.map((one) => cut(one, definition.entry)) : null
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  if (definition.type !== 'object') return typeof value === 'object' ? null : value
  if (!isObject) return null
  const members = Object.entries(definition.fields)
  return Object.fromEntries(members.map(([name, one]) => [name, cut((value as Row)[name], one)]))
}

/** The collection of a role, of the fields that it knows alone. */
export function offerOf(role: Role): Collection {
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
  return defineCollection(own, { ...asked, ...left } as CollectionOptions)
}
/** The rows that a role may see, with these fields. */
const rowsFor = (role: Role, target: Target): readonly Row[] =>
  storedIn(target)
    .filter(role.sees)
    .map((row) => cut(row, { type: 'object', fields: role.fields }) as Row)

function makeOracle(role: Role, onError: (error: unknown) => void, target: Target): ListService<Named> {
  const collection = offerOf(role)
  const rows = storeOf(target, collection.schema, rowsFor(role, target))
  return createListService<Named>({
    ...common,
    onError,
    collections: { orders: { collection, rows, restriction: () => and() } },
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
  readonly target?: Target
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
export function requestMaker(seed: number, target: Target) {
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
    'one row': () => besideKey(),
    'pages in order': () =>
      `sort=${pick(['total', '-total', 'customer.email', '-guests', 'customerName', 'id'])}&limit=${1 + below(4)}`,
  }
  /** The last part of a path: most are keys of rows, also of those that a role may not see. */
  const key = (): string =>
    chance(0.7)
      ? String(1 + below(70))
      : chance(0.7)
        ? encodeURIComponent(pick(operands))
        : pick([`${below(60)},1`, '%31', '01', '+1', '1e0', '', '.', '1/', 'orders', '9'.repeat(2_000)])
  const besideKey = () => pick(['', '', '', `fields=${list()}`, 'timeZone=Asia/Tokyo', condition()])
  const parts = { pick, chance, below, name, operands, cursor: () => pick(cursors) }
  const [noted, ofGrids] = [notedRequests(parts), gridRequests(parts)]
  const kindNames = Object.keys(target === 'notations' ? noted : target === 'grids' ? ofGrids : kinds)
  return {
    next(): Asked {
      const kind = pick(kindNames)
      const method = pick(['GET', 'GET', 'GET', 'HEAD', 'QUERY'])
      const headers = chance(0.1) ? { 'if-none-match': pick(tags) } : {}
      if (target === 'grids') return { kind, path: '/', method: 'GET', headers: {}, query: ofGrids[kind]!() }
      if (target === 'notations') {
        const own = { ...headers, 'x-notation': kind.split(' ')[0]! }
        const asked = { kind, path: '/api/orders', method, headers: own, query: noted[kind]!().replaceAll('#', '%23') }
        return chance(0.8) ? asked : { ...asked, path: `/api/orders/${key()}`, ...(chance(0.7) && { query: '' }) }
      }
      const path =
        kind === 'one row'
          ? `/api/orders/${key()}`
          : chance(0.98)
            ? '/api/orders'
            : pick(['/api/Orders', '/api/orders/1', '/api/margin', '/orders', '/api/'])
      return { kind, path, method, headers, query: kinds[kind]!().replaceAll('#', '%23') }
    },
    learn(text: string, headers: Headers): void {
      for (const [, found] of text.matchAll(/(?:"(?:next|previous)":"|(?:after|before)%5D=|cursor=)([\w-]+)/g)) {
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

type Told = Awaited<ReturnType<typeof told>>
/**
 * What must be the same in an answer and in that of the oracle. A cursor counts rows where a value has another form. MongoDB orders such values by
 * their type.
 */
function comparedIn(target: Target, own: Told, right: Told): readonly [unknown, unknown] {
  if (target === 'MongoDB') return [own.status, right.status]
  if (target !== 'documents' && target !== 'grids') return [own, right]
  const rowsIn = ({ status, body }: Told) => [status, body.replace(/("(?:next|previous)":")[\w-]+/g, '$1')]
  return [rowsIn(own), rowsIn(right)]
}

/** An answer without the names of a notation's own: the number of rows is called `total`. */
const withoutEnvelope = (target: Target, text: string): string =>
  target === 'notations' ? text.replace(/"total(?:Items|Pages)?":\d*(?![\d.])|x-total-count/gi, '') : text

export async function attack({ requests, seed, wrong, target = 'memory' }: AttackOptions): Promise<AttackReport> {
  const faults: string[] = []
  const blame = (what: string) => faults.length < 10 && faults.push(what)
  const onError = (error: unknown) => blame(`a fault of the service: ${String(error)}`)
  const isGrid = target === 'grids'
  const collectionOf = (role: string) => (wrong === 'fields' ? whole : roleNamed.get(role)!.collection)
  const restrictionOf = (role: string) =>
    role === 'north' && wrong !== 'rows' ? where(schema).equals('seller', 's-north') : and()
  const service = makeAttacked(onError, wrong, target)
  const asking: Asking = isGrid ? gridsOver(documents, collectionOf, restrictionOf) : service
  const oracles = new Map(roles.map((role) => [role.name, makeOracle(role, onError, target)]))
  const rightly = new Map<string, Asking>(
    roles.map((role) => {
      if (!isGrid) return [role.name, oracles.get(role.name)!]
      const own = offerOf(role)
      return [
        role.name,
        gridsOver(
          rowsFor(role, target),
          () => own,
          () => and(),
        ),
      ]
    }),
  )
  const [kinds, perRole] = [new Counts(), new Counts()]

  for (const role of roles) {
    const principal = { role: role.name, isNoted: false }
    const describedBy = (one: ListService<Named>) => JSON.stringify(openapi(one, principal))
    const [own, right] = [describedBy(service), describedBy(oracles.get(role.name)!)]
    if (own !== right || role.canaries.test(own)) blame(`${role.name}: the description has more than the role knows`)
  }

  const maker = requestMaker(seed, target)
  for (let at = 0; at < requests; at++) {
    const asked = maker.next()
    const role = maker.pickRole()
    const response = await asking(requestOf(asked, role.name))
    const own = await told(response)
    const right = await told(await rightly.get(role.name)!(requestOf(asked, role.name)))
    maker.learn(own.body, response.headers)
    kinds.add(asked.kind, String(own.status))
    perRole.add(role.name, String(own.status))
    const line = `${role.name}: ${asked.method} ${asked.path}?${asked.query}`
    if (!isDeepStrictEqual(...comparedIn(target, own, right)))
      blame(
        `${line}\n  is   ${own.status} ${own.body.slice(0, 400)}\n  not  ${right.status} ${right.body.slice(0, 400)}`,
      )
    if (/"(?:undefined|\[object \w+\])"/.test(own.body))
      blame(`${line} shows a missing value as text: ${own.body.slice(0, 400)}`)
    // An answer can repeat texts of its request.
    const said =
      asked.query + decodeURIComponent(asked.query.replace(/%(?![\da-f]{2})/gi, '%25').replace(/%[89a-f][\da-f]/gi, ''))
    if (!role.canaries.test(said) && asked.kind !== 'cursors') {
      for (const part of [own.body, own.headers, own.inside].map((text) => withoutEnvelope(target, text))) {
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
  const faults: string[] = []
  for (const target of targets) {
    // Most of the requests are in the language of the library; each other target gets a fifth of as many.
    const share = target === 'memory' ? 1 : 0.2
    const report = await attack({ requests: Math.ceil(Number(requests) * share), seed: Number(seed), target })
    console.log(`\n${target}: ${report.sent} requests, ${report.faults.length} faults`)
    for (const table of report.tables) console.log(`\n${printed(table)}`)
    faults.push(...report.faults)
  }
  const guides = await attackGuides(Math.ceil(Number(requests) / 200), Number(seed))
  console.log(
    `\nguides: ${guides.sent} requests, ${guides.faults.length} faults\n\n${printed(guides.servers.table('server'))}`,
  )
  faults.push(...guides.faults)
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
