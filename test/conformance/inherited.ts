/**
 * What an answer reads that its objects inherit: the names, of all that the source reads of any object, that change an answer once
 * somebody gives them to `Object.prototype`. Run as a program, it prints those of services, whose answers wait for other threads:
 * meanwhile a test runner would inherit them too.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { argv } from 'node:process'
import { fileURLToPath } from 'node:url'
import { DatabaseSync } from 'node:sqlite'
import { inspect } from 'node:util'
import * as lite from 'drizzle-orm/sqlite-core'
import ts from 'typescript'
import { memoryBackend } from '../../src/backends/memory/index.ts'
import { mongoBackend } from '../../src/backends/mongo/index.ts'
import { prismaBackend } from '../../src/backends/prisma/index.ts'
import {
  arrayColumn,
  childTable,
  column,
  jsonColumn,
  duckdb,
  mariadb,
  mysql,
  parentTable,
  postgres,
  sqlBackend,
  sqlite,
  table,
} from '../../src/backends/sql/index.ts'
import { fromCasl, fromCerbos, fromMongoQuery, policyOf } from '../../src/policies/index.ts'
import { fromDrizzle, toDrizzle } from '../../src/tools/drizzle/index.ts'
import { describe as sentenceOf, subsumes, trace } from '../../src/tools/explain/index.ts'
import { createListService, digestOf, keysAndBasic } from '../../src/service/index.ts'
import {
  defaultLimits,
  and,
  buildQuery,
  defineCollection,
  defineSchema,
  field,
  formatIssue,
  narrow,
  not,
  or,
  parseFilter,
  parseFilterOrThrow,
  parseQuery,
  parseQueryOrThrow,
  printFilter,
  printQuery,
  queryString,
  readReserved,
  restrict,
  pickFields,
  toPage,
  where,
  type FilterError,
  type Query,
} from '../../src/index.ts'
import {
  checkFilter,
  checkSupport,
  comparison,
  fold,
  map,
  match,
  membership,
  positionFilter,
  presence,
  sameFilter,
  some,
} from '../../src/tree.ts'
import { fromJsonSchema } from '../../src/tools/json-schema/index.ts'
import { openapi, operation, parameters, rowSchema } from '../../src/tools/openapi/index.ts'
import { issuesIn } from '../issues.ts'
import { byCompleteness } from '../effort.ts'

// --- The names that the source reads

const src = join(import.meta.dirname, '../../src')
const sources = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .map((name) => name.replaceAll('\\', '/'))
  .filter((name) => name.endsWith('.ts') && !/^kit\//.test(name))

/** Every name of a property that the source reads, declares, compares or lists as a text. */
function namesIn(text: string): string[] {
  const names: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAccessExpression(node)) names.push(node.name.text)
    if (ts.isStringLiteral(node) && !ts.isImportDeclaration(node.parent)) names.push(node.text)
    const declared = [
      ts.isPropertySignature,
      ts.isPropertyAssignment,
      ts.isShorthandPropertyAssignment,
      ts.isBindingElement,
    ]
    if (declared.some((is) => is(node))) {
      const { name, propertyName } = node as ts.BindingElement
      for (const one of [name, propertyName]) {
        if (one !== undefined && (ts.isIdentifier(one) || ts.isStringLiteral(one))) names.push(one.text)
      }
    }
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile('x.ts', text, ts.ScriptTarget.Latest, true))
  return names
}

/** What JavaScript itself, or a Web interface that is not ours, reads of any object: no program works with these. */
const ofJavaScript = ['then', 'toJSON', 'get', 'set']
export const names = [...new Set(sources.flatMap((file) => namesIn(readFileSync(join(src, file), 'utf8'))))]
  .filter((name) => /^\$?[\w-]+$/.test(name) && !(name in Object.prototype) && !ofJavaScript.includes(name))
  .sort()

const fn = () => 'x'
const entry = { name: 'x', start: 0, end: 1, seller: 'Ann' }
const values = byCompleteness<readonly unknown[]>([true, 1, 'x', 'string', fn, entry, ['x']], [entry])

// --- Calls of each import

const schemaOf = () =>
  defineSchema({
    id: field.integer(),
    seller: field.string(),
    status: field.enumeration(['paid', 'held', 'new']),
    total: field.number(),
    arrival: field.date(),
    paidAt: field.datetime(),
    gift: field.boolean(),
    tags: field.list(field.string()),
    customer: field.object({ name: field.string(), city: field.string() }),
    items: field.list(field.object({ product: field.string(), price: field.number() })),
  })
const orders = schemaOf()
const rows = [
  { id: 1, seller: 'Ann', total: 10, tags: ['sea'], items: [{ product: 'a', price: 1 }], customer: { name: 'Jo' } },
  { id: 2, seller: 'bob', total: 20, arrival: '2024-01-01', gift: true, items: [], customer: {} },
  { id: 3, seller: 'Cy', status: 'paid', paidAt: '2024-01-02T00:00:00.000Z', tags: [], items: [{ price: 9 }] },
  { id: 4 },
]
const texts = [
  '',
  'seller=Ann',
  'total[gte]=5&total[lt]=50&seller[contains]=o&status[in]=paid,held&gift=true',
  'items.price[range]=1,9&items.product[exists]=true&tags[startsWith]=s&customer.name[notEqual]=x',
  'arrival=2024-01-01&paidAt[lte]=2024-01-05&tags[nin]=a,b&seller[doesNotContain]=q&status[exists]=false',
  'or=(seller=Ann,and(total[gt]=15,gift=true))&not=(items(price[gt]=5))',
  'arival=1&total[contains]=x&status=pad&items.price=x&seller=',
  'total=%zz&a[=1&&x',
  'or=(total=x,nope=1)&tags(price=1)&seller=a&seller=b',
]
const queries = [
  '',
  'sort=-total,seller&limit=2&offset=1&fields=id,items.price&count=true',
  'total[gte]=5&sort=total',
  'sort=nope&limit=0&offset=x&count=maybe&fields=no&cursor=x',
]
const collectionOf = () => [
  defineCollection(orders, { key: 'id' }),
  defineCollection(orders, {
    key: 'id',
    sort: ['total', 'seller'],
    defaultSort: '-total',
    limit: { max: 50 },
    offset: { max: 10 },
    fields: true,
    count: true,
    groups: true,
    operators: { seller: ['equals', 'contains', 'notEqual', 'doesNotContain'] },
    parameters: { limit: 'size' },
  }),
]
const all = defineCollection(orders, {
  key: 'id',
  sort: true,
  offset: { max: 10 },
  fields: true,
  count: true,
  groups: true,
})
const o = where(orders)
const filters = texts.flatMap((text) => {
  const result = parseFilter(orders, text, { groups: true })
  return result.ok ? [result.filter] : []
})
const built = [
  and(),
  or(),
  not(o.equals('seller', 'Ann')),
  o.some('items', (item) => and(item.gt('price', 2), item.contains('product', 'a'))),
  comparison(['seller'], 'eq', { type: 'string', value: 'Ann' }),
  membership(['id'], [{ type: 'integer', value: 1 }]),
  match(['customer', 'name'], 'prefix', 'j'),
  presence(['customer'], 'object'),
  membership(['id'], []),
  or(comparison(['id'], 'gt', { type: 'integer', value: 1 }), membership(['seller'], [])),
  some(['tags'], presence([], 'string')),
  some(['tags'], not(or(match([], 'substring', 's'), match([], 'suffix', 'k'), membership([], [])))),
  some(['items'], not(match(['product'], 'substring', 's'))),
  some(['items'], or(comparison(['product'], 'eq', { type: 'string', value: 'x' }), presence([], 'object'))),
  not(some(['items'], and(match(['product'], 'prefix', 's'), or(), and()))),
]
const everyFilter = [...filters, ...built]

/** What a call gives, or how it fails. */
function told<T>(call: () => T): unknown {
  try {
    return call()
  } catch (error) {
    const { name, message } = error as Error
    return { thrown: name, message, issues: Object.hasOwn(error as object, 'issues') && (error as FilterError).issues }
  }
}
const pagesOf = (queryOf: (collection: typeof all) => readonly Query[], read: (query: Query) => unknown) =>
  queryOf(all).map((query) => told(() => read(query)))
const someQueries = (): Query[] => {
  const first = parseQueryOrThrow(all, 'sort=total,seller&limit=2')
  const { next } = toPage(first, memoryBackend().compileQuery(first)(rows).rows)
  return [
    ...queries.flatMap((text) => {
      const result = parseQuery(all, text)
      return result.ok ? [result.query] : []
    }),
    parseQueryOrThrow(all, `sort=total,seller&limit=2&cursor=${next}`),
    buildQuery(all, { sort: ['-seller'], limit: 3 }),
    restrict(parseQueryOrThrow(all, 'total[gt]=1&sort=seller'), o.exists('seller')),
  ]
}

const lite1 = new DatabaseSync(':memory:')
lite1.exec(`
  CREATE TABLE orders (id INTEGER PRIMARY KEY, seller TEXT, status TEXT, total REAL, arrival TEXT, paidAt TEXT, gift INTEGER, tags TEXT, name TEXT, city TEXT);
  CREATE TABLE items (order_id INTEGER, product TEXT, price REAL);
`)
for (const row of rows) {
  const { id, seller, status, total, arrival, paidAt, gift, tags, customer, items } = row as Record<string, any>
  lite1
    .prepare('INSERT INTO orders VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
    .run(
      id,
      ...[seller, status, total, arrival, paidAt].map((value) => value ?? null),
      gift === undefined ? null : Number(gift),
      tags === undefined ? null : JSON.stringify(tags),
      customer?.name ?? null,
      customer?.city ?? null,
    )
  for (const { product, price } of items ?? []) {
    lite1.prepare('INSERT INTO items VALUES (?, ?, ?)').run(id, product ?? null, price ?? null)
  }
}
const sqliteTable = () =>
  table('orders', {
    schema: orders,
    key: 'id',
    columns: {
      id: column('id', { notNull: true }),
      tags: jsonColumn('tags'),
      customer: { name: 'name', city: 'city' },
      items: childTable('items', { foreignKey: 'order_id', columns: { product: 'product' } }),
    },
  })
const otherTable = () =>
  table(['shop', 'orders'], {
    schema: orders,
    key: 'id',
    columns: {
      tags: childTable('tags', { foreignKey: 'order_id', value: 'tag' }),
      customer: parentTable('customers', { key: 'id', foreignKey: 'customer_id' }),
      items: jsonColumn('items'),
    },
  })

const datamodel = `
datasource db {
  provider = "postgresql"
}
enum Status {
  paid
  held
  new
}
model Order {
  id Int @id
  seller String?
  status Status?
  total Float?
  arrival DateTime? @db.Date
  paidAt DateTime?
  gift Boolean?
  tags String[]
  customer Customer? @relation(fields: [customerId], references: [id])
  customerId Int?
  items Item[]
}
model Customer {
  id Int @id
  name String?
  city String?
  orders Order[]
}
model Item {
  id Int @id
  product String?
  price Float?
  order Order @relation(fields: [orderId], references: [id])
  orderId Int
}`

const drizzled = {
  orders: lite.sqliteTable('orders', {
    id: lite.integer().primaryKey(),
    seller: lite.text('seller_name').notNull(),
    total: lite.real(),
    gift: lite.integer({ mode: 'boolean' }),
  }),
}
const jsonSchema = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    arrival: { type: 'string', format: 'date' },
    status: { enum: ['paid', 'held'] },
    maybe: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    customer: { $ref: '#/$defs/customer' },
    items: { type: 'array', items: { allOf: [{ type: 'object', properties: { price: { type: 'number' } } }] } },
  },
  $defs: { customer: { type: 'object', properties: { name: { type: ['string', 'null'] } } } },
} as const

// --- Exact types and promises

const exactSchema = () =>
  defineSchema({
    id: field.bigint(),
    key: field.uuid({ required: true }),
    price: field.decimal(),
    at: field.datetime({ digits: 3 }),
    seen: field.datetime(),
    inner: field.object({ price: field.decimal({ required: true }) }, { required: true }),
  })
const exactTexts = [
  'key[gt]=0A1B2C3D-4E5F-4789-8ABC-DEF012345678&sort=price,-at&limit=1',
  'id[in]=9007199254740993,1&price[lt]=1.105&sort=-id&limit=1',
  'at[gte]=2024-01-01T00:00:00.123456Z&seen=2024-01-01T00:00:00.123456Z&sort=seen&limit=1',
  'inner.price=1.10&inner[exists]=true&sort=inner.price,key&limit=1',
  'key={}&id=1.0&price=1e3',
]
const exactRows = [
  {
    ...{ id: 9007199254740993n, key: '0A1B2C3D-4E5F-4789-8ABC-DEF012345679', price: 1.1, inner: { price: '1.10' } },
    ...{ at: new Date('2024-01-01T00:00:00.124Z'), seen: '2024-01-01T00:00:00.123456Z' },
  },
  { id: '1', key: 'ffffffff-ffff-4fff-bfff-fffffffffffe', inner: { price: 2n }, at: null },
]
const exactTables = (schema: ReturnType<typeof exactSchema>) => [
  [postgres, table('t', { schema, key: 'id', columns: { inner: jsonColumn('inner') } })] as const,
  [
    sqlite,
    table('t', {
      ...{ schema, key: 'id' },
      columns: {
        price: column('price', { type: 'scaled', digits: 2 }),
        seen: column('seen', { digits: 6 }),
        inner: { price: column('inner_price', { type: 'scaled', digits: 2 }) },
      },
    }),
  ] as const,
]

const keyDigest = await digestOf('k-1')
class Store {
  byKeyDigest(digest: string) {
    return digest === keyDigest ? { keyDigest, principal: { seller: 'Ann' } } : undefined
  }
  byPassword(name: string, password: string) {
    return name === 'a' && password === 'b' ? { apiKey: 'k-1', principal: { seller: 'Ann' } } : undefined
  }
}
const listed = () => ({
  orders: {
    collection: all,
    rows: {
      find: (query: Query) => memoryBackend().compileQuery(query)(rows).rows,
      count: ({ filter }: Query) => rows.filter(memoryBackend().compile(filter)).length,
    },
    restriction: () => o.exists('id'),
  },
})
/** Requests are made, and answers read, while nothing is polluted: `fetch` reads its own options as any program does. */
const form = { 'content-type': 'application/x-www-form-urlencoded' }
const requests = (): Request[] => [
  new Request('http://x/api/orders?total[gte]=5&sort=-total&limit=1&count=true', { headers: { 'X-API-KEY': 'k-1' } }),
  new Request('http://x/api/orders?arival=1', { headers: { 'X-API-KEY': 'k-1' } }),
  new Request('http://x/api/orders?apiKey=k-1&limit=1'),
  new Request('http://x/api/orders', { headers: { 'X-API-KEY': 'k-2' } }),
  new Request('http://x/api/orders'),
  new Request('http://x/api/apiKey', { headers: { authorization: `Basic ${btoa('a:b')}` } }),
  new Request('http://x/api/apiKey', { headers: { authorization: `Basic ${btoa('a:c')}` } }),
  new Request('http://x/api/nope'),
  new Request('http://x/api/orders', { method: 'DELETE' }),
  new Request('http://x/api/orders?limit=1', { method: 'HEAD', headers: { 'X-API-KEY': 'k-1', token: 't' } }),
  new Request('http://x/api/orders', {
    method: 'QUERY',
    headers: { ...form, 'X-API-KEY': 'k-1', token: 't' },
    body: 'id=1',
  }),
  new Request('http://x/api/orders', { method: 'QUERY', headers: { 'X-API-KEY': 'k-1', token: 't' } }),
  new Request('http://x/api/orders?limit=2', { headers: { token: 't' } }),
]
const services = () => [
  createListService({ authenticate: keysAndBasic(new Store()), basePath: '/api', collections: listed() }),
  createListService({ accounts: new Store(), basePath: '/api', collections: listed() }),
  createListService({
    authenticate: keysAndBasic(new Store()),
    basePath: '/api',
    collections: { orders: { ...listed().orders, collection: () => all, reserved: ['view'], row: (row) => row } },
    ...{
      timeout: 60_000,
      cache: { maxAge: 1, vary: ['token'] },
      concurrency: { max: 9, key: () => 'k' },
      onRequest: () => {},
    },
  }),
  createListService({
    authenticate: ({ headers }) => (headers.get('token') === 't' ? { seller: 'Ann' } : undefined),
    collections: listed(),
  }),
  createListService({
    authenticate: {
      authenticate: ({ headers }) => (headers.get('token') === 't' ? { principal: {} } : { status: 403, detail: 'no' }),
    },
    collections: listed(),
  }),
]

export const scenarios: Readonly<Record<string, () => unknown>> = {
  schema: () => {
    const schema = schemaOf()
    const narrowed = collectionOf().flatMap((collection) => [
      narrow(collection, {}),
      narrow(collection, {
        fields: { hide: ['total'] },
        limit: { default: 5 },
        groups: false,
        offset: false,
        count: false,
      }),
    ])
    const refused = [{ fields: {} }, { limit: { max: 1_000 } }, { offset: {} }, { count: {} }, { sort: ['nope'] }].map(
      (given) => told(() => narrow(all, given as never)),
    )
    return [
      schema.fields,
      [...schema.paths],
      collectionOf(),
      narrowed,
      refused,
      told(() => defineSchema({ a: {} } as never)),
    ]
  },
  'exact types and promises': () => {
    const schema = exactSchema()
    const collection = defineCollection(schema, { key: 'id', sort: true })
    const backends = [memoryBackend(), mongoBackend({ schema })]
    const statements = exactTables(schema).map(([dialect, table]) => sqlBackend({ dialect, table }))
    return [
      [...schema.paths],
      rowSchema(schema),
      exactTexts.map((text) => {
        const result = parseQuery(collection, text)
        if (!result.ok) return result.issues
        const { query } = result
        const page = toPage(query, memoryBackend().compileQuery(query)(exactRows).rows)
        const following = Object.hasOwn(page, 'next') ? [parseQuery(collection, `${text}&cursor=${page.next}`)] : []
        return [
          ...[
            query,
            page,
            following,
            printQuery(collection, query),
            exactRows.map(memoryBackend().compile(query.filter)),
          ],
          ...statements.map((backend) => told(() => ({ ...backend.compileQuery(query), page: null }))),
          told(() => backends[1]!.compileQuery!(query)),
          told(() => toPage(query, exactRows)),
        ]
      }),
    ]
  },
  'options that are wrong': () => [
    told(() => defineCollection(orders, {} as never)),
    told(() => defineCollection(orders, { key: 'id', offset: {} } as never)),
    told(() => createListService({} as never)),
    told(() => createListService({ collections: {} } as never)),
    told(() => keysAndBasic({} as never)),
    told(() => sqlBackend({} as never)),
    told(() => table('t', { columns: { seller: {} } }).columns),
    told(() => prismaBackend({} as never)),
    told(() => toPage({} as never, [])),
    told(() => checkFilter({} as never)),
    told(() => formatIssue('a=1', {} as never)),
    told(() => childTable('t', {} as never)),
    told(() => childTable('t', { through: {} } as never)),
    told(() => parentTable('t', {} as never)),
    told(() => mongoBackend().compileQuery({} as never)),
    told(() => restrict({} as never, and())),
    told(() => fromJsonSchema({})),
    told(() => buildQuery(all, { filter: undefined } as never)),
  ],
  parse: () =>
    texts.map((text) => {
      const schema = schemaOf()
      return [
        parseFilter(schema, text, { groups: true, reserved: ['apiKey'] }),
        parseFilter(schema, `${text}&apiKey=x`, { reserved: ['apiKey'], limits: { pairs: 4, issues: 3 } }),
        parseFilter(schema, text),
        readReserved(`${text}&apiKey=x`, { reserved: ['apiKey'] }),
        told(() => parseFilterOrThrow(orders, text)),
      ]
    }),
  queries: () =>
    collectionOf().map((collection) =>
      [...queries, ...texts].map((text) => [
        parseQuery(collection, text),
        parseQuery(collection, text.replace('limit', 'size'), { limits: { list: 2 } }),
      ]),
    ),
  pictures: () =>
    texts.map((text) => issuesIn(parseFilter(orders, text, { groups: true })).map((issue) => formatIssue(text, issue))),
  'printed filters': () =>
    everyFilter.map((filter) => [
      told(() => printFilter(orders, filter)),
      told(() => printFilter(orders, filter, { groups: true })),
    ]),
  'printed queries': () => [
    pagesOf(someQueries, (query) => printQuery(all, query)),
    told(() => printQuery(all, parseQueryOrThrow(all, ''))),
    queryString<typeof all>({}),
    queryString<typeof all>({ filter: { seller: 'Ann', 'total[gte]': 5 }, limit: 5 }),
    queryString<typeof all>({ sort: ['-total'] }, { sort: 'order' }),
  ],
  trees: () => [
    and(...built),
    or(...built),
    everyFilter.map((filter) => [
      checkFilter(JSON.parse(JSON.stringify(filter)) as typeof filter),
      checkFilter({ ...filter }),
      map(filter, (node) => node),
      map(filter, ({ span: _, ...node }) => node),
      sameFilter(filter, and(filter)),
      everyFilter.map((other) => sameFilter(filter, other)),
      checkSupport(filter, { kinds: [], types: [], features: [], preconditions: [] }),
      fold<string>(filter, {
        and: (members) => `(${members.join('&')})`,
        or: (members) => `(${members.join('|')})`,
        not: (member) => `!${member}`,
        some: (member) => `some ${member}`,
        comparison: ({ operator }) => operator,
        membership: ({ operands }) => JSON.stringify(operands),
        match: ({ mode }) => mode,
        presence: ({ type }) => type,
      }),
    ]),
    o.range('total', 1, 2),
    o.in('status', ['paid']),
    o.exists('gift', false),
    someQueries(),
    someQueries().map((query) => positionFilter(query)),
  ],
  memory: () =>
    [undefined, true, false].map((codegen) => {
      const backend = memoryBackend(codegen === undefined ? {} : { codegen })
      return [
        backend.capabilities,
        everyFilter.map((filter) => rows.filter(backend.compile(filter)).map(({ id }) => id)),
        someQueries().map((query) => {
          const read = backend.compileQuery(query)(rows)
          const { rows: found, ...cursors } = toPage(query, read.rows)
          return [read, cursors, found.map(pickFields(Object.hasOwn(query, 'fields') ? query.fields : undefined))]
        }),
      ]
    }),
  SQLite: () => {
    const backend = sqlBackend({ dialect: sqlite, table: sqliteTable() })
    const read = (text: string, values: readonly unknown[]) =>
      lite1
        .prepare(text)
        .all(...(values as string[]))
        .map((row) => (row as { id: number }).id)
    return [
      everyFilter.map((filter) =>
        told(() => {
          const { text, parameters: values } = backend.compile(filter)
          return [text, values, read(`SELECT id FROM orders WHERE ${text} ORDER BY id`, values)]
        }),
      ),
      pagesOf(someQueries, (query) => {
        const compiled = backend.compileQuery(query)
        return [compiled, read(`SELECT id FROM orders ${compiled.text}`, compiled.parameters)]
      }),
    ]
  },
  'other dialects': () =>
    [postgres, mysql, mariadb, sqlite, duckdb].map((dialect) => [
      told(() => sqlBackend({ dialect, table: table('t', { columns: { tags: arrayColumn('tags') } }) }).capabilities),
      [sqliteTable(), otherTable(), table('plain')].map((mapped) => {
        const backend = sqlBackend({ dialect, table: mapped, alias: 't' })
        return [
          backend.capabilities,
          everyFilter.map((filter) => told(() => backend.compile(filter))),
          pagesOf(someQueries, (query) => backend.compileQuery(query)),
        ]
      }),
    ]),
  mongo: () =>
    [
      mongoBackend(),
      mongoBackend({
        schema: orders,
        dates: 'date',
        fields: { id: { name: '_id' }, seller: {}, total: { encode: String } },
      }),
    ].map((backend) => [
      backend.capabilities,
      everyFilter.map((filter) => told(() => backend.compile(filter))),
      pagesOf(someQueries, (query) => backend.compileQuery(query)),
    ]),
  prisma: () => {
    const backend = prismaBackend({ schema: orders, datamodel, model: 'Order', fields: { seller: {} } })
    return [
      backend.capabilities,
      everyFilter.map((filter) => told(() => backend.compile(filter))),
      pagesOf(someQueries, (query) => backend.compileQuery(query)),
    ]
  },
  explain: () =>
    everyFilter.map((filter) => [
      told(() => sentenceOf(filter)),
      rows.map((row) => trace(filter, row)),
      built.map((other) => told(() => subsumes(filter, other))),
    ]),
  openapi: () =>
    collectionOf().map((collection) => [
      operation(collection),
      operation(collection, { version: '3.2', method: 'query', style: 'flat' }),
      parameters(collection, { version: '3.0' }),
      openapi({ '/x': { collection }, '/y': { collection, row: jsonSchema } }, { version: '3.2', style: 'flat' }),
      openapi(
        {
          described: () => ({
            basePath: undefined,
            limits: defaultLimits,
            collections: [{ name: 'x', collection, reserved: [] }],
          }),
        },
        {},
      ),
      rowSchema(orders),
    ]),
  'JSON Schema': () => [
    fromJsonSchema(jsonSchema),
    fromJsonSchema(jsonSchema, { omit: ['items'], fields: { maybe: field.date() } }),
    told(() =>
      fromJsonSchema({
        type: 'object',
        properties: { a: {}, b: { type: 'array' }, c: { type: ['string', 'number'] } },
      }),
    ),
  ],
  policies: () => {
    const schema = schemaOf()
    const total = { name: 'request.resource.attr.total' }
    const small = { operator: 'lt', operands: [total, { value: 5 }] }
    return [
      told(() => fromMongoQuery(schema, { seller: { $ne: 'a' }, $or: [{ total: { $lt: 5 } }, { total: null }] })),
      told(() => fromMongoQuery(schema, { seller: {} })),
      told(() => fromCasl(schema, [{ action: 'read', conditions: { total: { $lt: 5 } } }], 'read', 'Order')),
      told(() => fromCasl(schema, [{} as never], 'read', 'Order')),
      told(() => fromCerbos(schema, { kind: 'KIND_CONDITIONAL', condition: small })),
      told(() => fromCerbos(schema, { kind: 'KIND_CONDITIONAL', condition: { operator: 'not', operands: [small] } })),
      told(() => fromCerbos(schema, { kind: 'KIND_CONDITIONAL', condition: {} })),
      told(() => fromCerbos(schema, {})),
      told(() => policyOf(postgres, table('t', { schema }), where(schema).equals('seller', 'T'))),
      told(() => policyOf({} as never, table('t', { schema }), and())),
    ]
  },
  drizzle: () => {
    const mapped = fromDrizzle(drizzled, 'orders')
    const { where: condition } = sqlBackend({ dialect: sqlite, table: mapped }).compileQuery(
      parseQueryOrThrow(all, 'seller=a'),
    )
    return [mapped, fromDrizzle(drizzled, 'orders', { columns: { total: false } }), toDrizzle(condition)]
  },
}
const prototype = Object.prototype as unknown as Record<string, unknown>
const shown = (outcome: unknown): string =>
  inspect(outcome, { depth: Infinity, maxArrayLength: Infinity, maxStringLength: Infinity })

/** What a call gives while every object inherits a value by these names. */
async function inheriting(group: readonly string[], value: unknown, call: () => unknown): Promise<unknown> {
  for (const name of group) prototype[name] = value
  try {
    return await call()
  } catch (error) {
    return error
  } finally {
    for (const name of group) delete prototype[name]
  }
}

/** The names that change what a call gives, one of them alone. All at once are tried first, which is fast where none does. */
async function readBy(
  ask: (group: readonly string[], value: unknown) => Promise<string>,
  others: readonly string[] = [],
): Promise<string[]> {
  const clean = await ask([], undefined)
  // The first call fills caches, and makes the parsers.
  if ((await ask([], undefined)) !== clean) throw new Error('the answers differ by themselves')
  const found = new Set(others)
  const search = async (group: readonly string[], value: unknown): Promise<void> => {
    if (group.length === 0 || (await ask(group, value)) === clean) return
    if (group.length === 1) {
      found.add(group[0]!)
      return
    }
    const half = group.length >> 1
    await search(group.slice(0, half), value)
    await search(group.slice(half), value)
  }
  for (const value of values) {
    await search(
      names.filter((name) => !found.has(name)),
      value,
    )
  }
  return [...found].filter((name) => !others.includes(name)).sort()
}

/** The names that a scenario reads. */
export const readByScenario = (scenario: () => unknown): Promise<string[]> =>
  readBy(async (group, value) => shown(await inheriting(group, value, scenario)))

async function askServices(group: readonly string[], value: unknown): Promise<string> {
  const sent = services().map(requests)
  const answers = (await inheriting(group, value, () =>
    Promise.all(services().map((service, at) => Promise.all(sent[at]!.map((request) => service(request))))),
  )) as Response[][]
  if (!Array.isArray(answers)) return shown(answers)
  const told = answers.flat().map(async (answer) => {
    const { status, statusText, headers } = answer
    return [status, statusText, [...headers], await answer.text()]
  })
  return shown(await Promise.all(told))
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const answers = await askServices([], undefined)
  // Node reads `required` in its own converters of options, of Response too.
  const read = await readBy(askServices, ['required'])
  console.log(JSON.stringify({ answers, read }))
}
