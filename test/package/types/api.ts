/** What the compiler must accept and refuse. Checked by `tsc`; never run. */
import {
  and,
  buildQuery,
  defineCollection,
  defineSchema,
  field,
  formatIssue,
  narrow,
  parseFilter,
  parseQueryOrThrow,
  queryString,
  toPage,
  where,
  type AnswerPage,
  type Collection,
  type CollectionOptions,
  type Filter,
  type InferRow,
  type Issue,
  type IssueCode,
  type QueryStringParts,
  type RowCount,
  type Schema,
} from '../../../src/index.ts'
import { fold, type Algebra, type Backend, type OperatorName } from '../../../src/tree.ts'
import { memoryBackend } from '../../../src/backends/memory/index.ts'
import { arrayColumn, column } from '../../../src/backends/sql/index.ts'
import type { SqlBackend, SqlCondition, SqlQuery, SqlWhere } from '../../../src/backends/sql/index.ts'
import { createListService, keysAndBasic, memoryRows, sqlRows, type RequestHead } from '../../../src/service/index.ts'
import type { Accounts, Authenticate, Authenticator, EndpointOptions, Rows } from '../../../src/service/index.ts'

/** Holds when the two types are the same. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const same = <A, B>(_: Same<A, B>): void => {}

const orders = defineSchema({
  seller: field.string(),
  arrival: field.date(),
  status: field.enumeration(['paid', 'held']),
  total: field.number(),
  guests: field.integer(),
  paidAt: field.datetime(),
  gift: field.boolean(),
  tags: field.list(field.string()),
  counts: field.list(field.integer()),
  kinds: field.list(field.enumeration(['a', 'b'])),
  flags: field.list(field.boolean()),
  customer: field.object({ name: field.string(), address: field.object({ city: field.string() }) }),
  items: field.list(
    field.object({ price: field.number(), options: field.list(field.object({ code: field.string() })) }),
  ),
})

// Rows.
type Order = InferRow<typeof orders>
same<Order['seller'], string | null | undefined>(true)
same<Order['arrival'], string | Date | null | undefined>(true)
same<Order['status'], 'paid' | 'held' | null | undefined>(true)
same<Order['guests'], number | null | undefined>(true)
same<Order['gift'], boolean | null | undefined>(true)
same<Order['tags'], readonly (string | null)[] | null | undefined>(true)
same<NonNullable<NonNullable<Order['customer']>['address']>['city'], string | null | undefined>(true)
same<NonNullable<NonNullable<Order['items']>[number]>['price'], number | null | undefined>(true)
const row: Order = { seller: 's-1', arrival: new Date(), status: 'paid', items: [null, { price: 1 }], customer: null }
// @ts-expect-error no such value
const badStatus: Order = { status: 'new' }
// @ts-expect-error no such field
const badField: Order = { nope: 1 }

// What a schema promises, and the key of a collection.
const sales = defineSchema({
  id: field.uuid(),
  serial: field.bigint({ required: true }),
  total: field.decimal({ required: true }),
  paidAt: field.datetime({ required: true, digits: 3 }),
  seenAt: field.datetime({ digits: 3 }),
  status: field.enumeration(['paid', 'held'], { required: true }),
  note: field.string({ required: false }),
  customer: field.object({
    id: field.bigint(),
    name: field.string({ required: true }),
    address: field.object({ city: field.string({ required: true }) }, { required: true }),
  }),
  items: field.list(field.object({ price: field.decimal({ required: true }), product: field.string() })),
  refs: field.list(field.uuid()),
})
type Sale = InferRow<typeof sales>
same<Sale['id'], string | null | undefined>(true)
same<Sale['serial'], bigint | number | string>(true)
same<Sale['total'], string | number | bigint>(true)
same<Sale['paidAt'], string | Date>(true)
same<Sale['seenAt'], string | Date | null | undefined>(true)
same<Sale['status'], 'paid' | 'held'>(true)
same<Sale['note'], string | null | undefined>(true)
same<Sale['refs'], readonly (string | null)[] | null | undefined>(true)
// In an object that may be absent, and in the entries of a list, which may be null.
type SaleCustomer = { readonly name: string; readonly address: { readonly city: string } }
const customer: SaleCustomer | null | undefined = {} as Sale['customer']
const price: string | number | bigint = (({} as Sale).items ?? [])[0]?.price ?? 0
// Every row has the key, and the objects around it.
const salesByKey = defineCollection(sales, { key: ['id', 'customer.id'] })
type KeyedSale = InferRow<typeof salesByKey>
same<KeyedSale['id'], string>(true)
same<KeyedSale['customer']['id'], bigint | number | string>(true)
same<KeyedSale['note'], string | null | undefined>(true)
const keyed: KeyedSale = {
  ...{ id: 'x', serial: 1, total: '1.10', paidAt: new Date(), status: 'paid' },
  customer: { id: 1n, name: 'Ana', address: { city: 'Wien' } },
}
const sale: Sale = keyed
// @ts-expect-error the key is missing
const keyless: KeyedSale = { ...keyed, id: undefined }
// @ts-expect-error it is required
const noTotal: Sale = { ...sale, total: null }
// @ts-expect-error it is required where its object is there
const noName: Sale = { ...sale, customer: { address: { city: 'Wien' } } }
// Callers know nothing of what is hidden. The rows of the store have it.
const hiding = defineCollection(sales, {
  ...{ key: 'id', sort: true, fields: true },
  hidden: ['serial', 'customer.name', 'items.price', 'refs'],
})
same<InferRow<typeof hiding>['serial'], bigint | number | string>(true)
buildQuery(hiding, { sort: ['-total', 'customer.address.city'], fields: ['customer', 'items'] })
queryString<typeof hiding>({ filter: { 'customer[exists]': true, 'items.product[contains]': 'x' }, sort: ['note'] })
// @ts-expect-error hidden
buildQuery(hiding, { sort: ['-serial'] })
// @ts-expect-error hidden
buildQuery(hiding, { fields: ['customer.name'] })
// @ts-expect-error hidden
queryString<typeof hiding>({ filter: { serial: 1 } })
// @ts-expect-error hidden
queryString<typeof hiding>({ filter: { 'items.price[gt]': 1 } })
// @ts-expect-error hidden
queryString<typeof hiding>({ filter: { 'refs[exists]': true } })
// @ts-expect-error hidden
queryString<typeof hiding>({ sort: ['customer.name'] })
// @ts-expect-error no such field
defineCollection(sales, { key: 'id', hidden: ['tenantId'] })
const hidesAll = defineCollection(sales, { key: 'id', fields: true, hidden: ['customer'] })
// @ts-expect-error inside what is hidden
buildQuery(hidesAll, { fields: ['customer.address'] })
// @ts-expect-error inside what is hidden
queryString<typeof hidesAll>({ filter: { 'customer.address.city': 'Wien' } })
// What is hidden is in no other option, and neither is what is in it: `defineCollection` throws.
const hides = { key: 'id', hidden: ['total', 'customer', 'note'] } as const
defineCollection(sales, {
  ...{ key: ['id'], sort: ['paidAt'], fields: ['status', 'items'], facets: ['status'], search: ['items.product'] },
  ...{ hidden: ['total', 'customer', 'note'], operators: { status: ['in'], items: [] }, defaultSort: '-paidAt' },
})
// @ts-expect-error hidden
defineCollection(sales, { ...hides, key: 'total' })
// @ts-expect-error hidden
defineCollection(sales, { ...hides, key: ['id', 'customer.id'] })
// @ts-expect-error hidden
defineCollection(sales, { ...hides, sort: ['paidAt', 'total'] })
// @ts-expect-error inside what is hidden
defineCollection(sales, { ...hides, sort: ['customer.id'] })
// @ts-expect-error hidden
defineCollection(sales, { ...hides, sort: true, defaultSort: '-total' })
// @ts-expect-error hidden
defineCollection(sales, { ...hides, fields: ['customer'] })
// @ts-expect-error inside what is hidden
defineCollection(sales, { ...hides, fields: ['id', 'customer.address.city'] })
// @ts-expect-error hidden
defineCollection(sales, { ...hides, facets: ['status', 'total'] })
// @ts-expect-error hidden
defineCollection(sales, { ...hides, search: ['note'] })
// @ts-expect-error inside what is hidden
defineCollection(sales, { ...hides, search: ['customer.name'] })
// @ts-expect-error hidden
defineCollection(sales, { ...hides, operators: { total: [] } })
// Which paths these are, only the running program knows.
declare const someOptions: CollectionOptions<(typeof sales)['fields']>
defineCollection(sales, someOptions)

// A narrowed collection has the paths that are left.
const allSales = defineCollection(sales, {
  ...{ key: 'id', sort: true, hidden: ['refs'] },
  fields: ['serial', 'total', 'customer', 'items'],
})
const forSellers = narrow(allSales, {
  fields: { hide: ['serial', 'customer.name', 'items.price'] },
  operators: { total: ['gte', 'lte'], note: [], items: ['exists'] },
  ...{ limit: { max: 50 }, offset: false, count: false, groups: false, defaultSort: '-total,id' },
})
same<
  typeof forSellers,
  Collection<
    typeof sales,
    'id' | 'total' | 'paidAt' | 'seenAt' | 'status' | 'note' | 'customer.id' | 'customer.address.city',
    'total' | 'customer' | 'customer.id' | 'customer.address' | 'customer.address.city' | 'items' | 'items.product',
    'id',
    'refs' | 'serial' | 'customer.name' | 'items.price',
    never
  >
>(true)
same<InferRow<typeof forSellers>, InferRow<typeof allSales>>(true)
buildQuery(forSellers, { sort: ['-total', 'customer.address.city'], fields: ['customer', 'items.product'] })
queryString<typeof forSellers>({ filter: { 'total[gte]': 5, 'customer[exists]': true }, sort: ['-total'] })
// @ts-expect-error hidden
buildQuery(forSellers, { sort: ['serial'] })
// @ts-expect-error hidden
buildQuery(forSellers, { fields: ['customer.name'] })
// @ts-expect-error hidden before
queryString<typeof forSellers>({ filter: { 'refs[exists]': true } })
// @ts-expect-error hidden
queryString<typeof forSellers>({ filter: { serial: 1 } })
const hidesTotal = { fields: { hide: ['total', 'customer'] } } as const
// @ts-expect-error hidden
narrow(allSales, { ...hidesTotal, sort: ['paidAt', 'total'] })
// @ts-expect-error inside what is hidden
narrow(allSales, { ...hidesTotal, sort: ['customer.id'] })
// @ts-expect-error hidden
narrow(allSales, { ...hidesTotal, defaultSort: '-total' })
// @ts-expect-error hidden
narrow(allSales, { ...hidesTotal, operators: { total: [] } })
// @ts-expect-error hidden before
narrow(allSales, { ...hidesTotal, operators: { refs: [] } })
const withFacets = defineCollection(sales, { key: 'id', facets: ['status', 'total'] })
narrow(withFacets, { ...hidesTotal, facets: ['status'] })
// @ts-expect-error hidden
narrow(withFacets, { ...hidesTotal, facets: ['status', 'total'] })
const withOptions = defineCollection(sales, {
  key: 'id',
  facets: { total: { max: 5, label: 'customer.name' }, note: true },
})
queryString<typeof withOptions>({ facets: ['total', 'note'] })
// @ts-expect-error It has no such facet.
queryString<typeof withOptions>({ facets: ['status'] })
same<keyof NonNullable<AnswerPage<typeof withOptions>['facets']>, 'total' | 'note'>(true)
type FacetsOfAnswer = Required<NonNullable<AnswerPage<typeof withOptions>['facets']>>
same<FacetsOfAnswer['total'][number]['count'], RowCount>(true)
same<FacetsOfAnswer['note'][number]['count'], number>(true)
same<FacetsOfAnswer['total'][number]['label'], string | null | undefined>(true)
const narrowedOptions = narrow(withOptions, { facets: ['total'] })
same<Required<NonNullable<AnswerPage<typeof narrowedOptions>['facets']>>['total'][number]['count'], RowCount>(true)
// @ts-expect-error no such field
defineCollection(sales, { key: 'id', facets: { total: true, totl: true } })
// @ts-expect-error no text
defineCollection(sales, { key: 'id', facets: { total: { label: 'customer.nam' } } })
// @ts-expect-error no option
defineCollection(sales, { key: 'id', facets: { total: { most: 5 } } })
// @ts-expect-error hidden
defineCollection(sales, { ...hides, facets: { status: true, total: true } })
// Lists are what is left, and stay where they are left out.
const forGuests = narrow(allSales, {
  fields: ['total', 'customer.id'],
  sort: ['total', 'note'],
  defaultSort: 'note,-total',
})
same<typeof forGuests, Collection<typeof sales, 'id' | 'total' | 'note', 'total' | 'customer.id', 'id', 'refs', never>>(
  true,
)
const unchanged = narrow(allSales, {})
same<typeof unchanged, typeof allSales>(true)
const twice = narrow(forGuests, { fields: { hide: ['note'] }, sort: ['total'] })
same<typeof twice, Collection<typeof sales, 'id' | 'total', 'total' | 'customer.id', 'id', 'refs' | 'note', never>>(
  true,
)
// A service has one of several.
const ofCaller = (role: 'office' | 'seller'): Collection => (role === 'office' ? allSales : forSellers)
// A collection that the compiler does not know accepts any path.
narrow(ofCaller('office'), { fields: { hide: ['total'] }, sort: ['note'], operators: { total: ['gt'] } })
// @ts-expect-error no such field
narrow(allSales, { fields: { hide: ['nope'] } })
// @ts-expect-error the collection does not offer it
narrow(allSales, { fields: ['note'] })
// @ts-expect-error the collection does not sort by it
narrow(allSales, { sort: ['items.price'] })
// @ts-expect-error not left
narrow(forGuests, { sort: ['paidAt'] })
// @ts-expect-error not left
narrow(allSales, { sort: ['total'], defaultSort: '-note' })
// @ts-expect-error a decimal is no text to search
narrow(allSales, { operators: { total: ['contains'] } })
// @ts-expect-error nothing is given
narrow(allSales, { groups: true })
// @ts-expect-error a misspelt option
narrow(allSales, { hide: ['total'] })

// A collection whose key the compiler does not know promises nothing more than its schema.
declare const unknownKey: Collection<typeof sales>
same<InferRow<typeof unknownKey>, Sale>(true)
// Rows keep their type on a page.
const pageOfSales = toPage(parseQueryOrThrow(salesByKey, ''), [keyed])
same<typeof pageOfSales.rows, readonly KeyedSale[]>(true)

// Options that the compiler does not know promise nothing.
declare const isRequired: boolean
const perhaps = defineSchema({
  a: field.string({ required: isRequired }),
  b: field.object({}, { required: isRequired }),
})
same<InferRow<typeof perhaps>['a'], string | null | undefined>(true)
// @ts-expect-error not a boolean
field.string({ required: 1 })
// @ts-expect-error a misspelt option
field.string({ requierd: true })
// @ts-expect-error six digits are what there is without it
field.datetime({ digits: 6 })
// @ts-expect-error only datetimes have digits
field.date({ digits: 3 })
// @ts-expect-error a list may be empty
field.list(field.string(), { required: true })

// Operands of the exact types.
const s = where(sales)
s.equals('id', '01890a5d-ac96-774b-bcce-b302099a8057')
s.in('serial', [1, 2n, '3'])
s.range('total', '0.10', 100n)
s.gt('paidAt', '2024-01-31T12:00:00.123456Z')
s.some('refs', (ref) => ref.in(['01890a5d-ac96-774b-bcce-b302099a8057']))
s.some('items', (item) => item.gte('price', 0.5))
// @ts-expect-error a uuid has no parts
s.contains('id', '0189')
// @ts-expect-error a bigint is no text to search
s.startsWith('serial', '1')
// @ts-expect-error a uuid is a text
s.equals('id', 5)
// @ts-expect-error a Date is no number
s.lt('total', new Date())
queryString<typeof salesByKey>({
  filter: {
    id: 'x',
    'serial[in]': [1n, '2', 3],
    'total[range]': ['0.10', 5],
    'items.price[gt]': 1n,
    'refs[nin]': ['x'],
  },
})
// @ts-expect-error a uuid is a text
queryString<typeof salesByKey>({ filter: { id: 5 } })
// @ts-expect-error a decimal has no parts
queryString<typeof salesByKey>({ filter: { 'total[contains]': '5' } })
buildQuery(defineCollection(sales, { key: 'id', sort: true }), { sort: ['-total', 'serial', 'paidAt', 'id'] })
// @ts-expect-error uuids have no contains
defineCollection(sales, { key: 'id', operators: { id: ['contains'] } })
export { customer, keyless, noName, noTotal, price }

// The builder: paths.
const o = where(orders)
o.equals('seller', 's-1')
o.equals('customer.address.city', 'Wien')
o.exists('customer')
o.exists('customer.address', false)
o.exists('items')
// @ts-expect-error no such path
o.equals('sellr', 's-1')
// @ts-expect-error no such path in the object
o.equals('customer.nam', 'x')
// @ts-expect-error an object has no value of its own
o.equals('customer', 'x')
// @ts-expect-error a list is entered by some
o.equals('tags', 'sea')
// @ts-expect-error a path does not cross a list
o.equals('items.price', 1)
// @ts-expect-error nor does exists
o.exists('items.price')

// Operands.
o.equals('total', 1)
o.range('paidAt', '2024-01-01', new Date())
o.in('status', ['paid', 'held'])
o.equals('gift', true)
// @ts-expect-error a text for a number
o.equals('total', '1')
// @ts-expect-error outside the enumeration
o.equals('status', 'new')
// @ts-expect-error outside the enumeration
o.in('status', ['paid', 'new'])
// @ts-expect-error a Date for a date
o.equals('arrival', new Date())
// @ts-expect-error undefined is no operand
o.equals('seller', undefined)
// @ts-expect-error nor is null
o.equals('seller', null)
// @ts-expect-error one bound is no range
o.range('total', 1)
// @ts-expect-error a list is no operand
o.equals('seller', ['a'])

// Operators.
// @ts-expect-error enumerations have no order
o.gt('status', 'paid')
// @ts-expect-error booleans have no order
o.lt('gift', true)
// @ts-expect-error booleans have no in
o.in('gift', [true])
// @ts-expect-error numbers do not contain text
o.contains('total', '1')
// @ts-expect-error nor do enumerations
o.startsWith('status', 'p')

// Lists.
o.some('tags', (tag) => and(tag.contains('sea'), tag.notEqual('Sea')))
o.some('counts', (count) => count.range(1, 2))
o.some('kinds', (kind) => kind.in(['a']))
o.some('items', (item) =>
  and(
    item.gt('price', 1),
    item.some('options', (option) => option.equals('code', 'x')),
  ),
)
// @ts-expect-error not a list
o.some('seller', () => and())
// @ts-expect-error numbers do not contain text
o.some('counts', (count) => count.contains('1'))
// @ts-expect-error outside the enumeration
o.some('kinds', (kind) => kind.equals('c'))
// @ts-expect-error enumerations have no order
o.some('kinds', (kind) => kind.gt('a'))
// @ts-expect-error booleans have no in
o.some('flags', (flag) => flag.in([true]))
// @ts-expect-error paths inside start at the entry
o.some('items', (item) => item.gt('items.price', 1))
// @ts-expect-error a filter must come back
o.some('items', () => {})
// @ts-expect-error undefined must not vanish
and(o.equals('seller', 'x'), undefined)

// Results.
const result = parseFilter(orders, 'seller=x', { reserved: ['apiKey'], limits: { list: 5 } })
if (result.ok) {
  same<typeof result.filter, Filter>(true)
  // @ts-expect-error a good result has no issues
  result.issues
} else {
  same<(typeof result.issues)[0], Issue>(true)
  formatIssue('seller=x', result.issues[0], { reserved: ['apiKey'] })
  // @ts-expect-error a bad result has no filter
  result.filter
}
same<typeof result.reserved, ReadonlyMap<string, readonly string[]>>(true)
parseFilter(orders, new URL('http://host/?seller=x'))
parseFilter(orders, new URLSearchParams('seller=x'))
// @ts-expect-error no such limit
parseFilter(orders, '', { limits: { lenght: 1 } })
// @ts-expect-error what a framework parsed is not what the client sent
parseFilter(orders, { seller: 'x' })
// @ts-expect-error not a code
const code: IssueCode = 'syntax_oops'

// A fold must know every kind.
const leaf = () => 1
const algebra: Algebra<number> = {
  and: (members) => members.length,
  or: leaf,
  not: leaf,
  some: leaf,
  comparison: leaf,
  membership: leaf,
  match: leaf,
  presence: leaf,
}
fold(and(), algebra)
// @ts-expect-error presence is missing
fold<number>(and(), { and: leaf, or: leaf, not: leaf, some: leaf, comparison: leaf, membership: leaf, match: leaf })

// Filters are read only.
const filter: Filter = and()
// @ts-expect-error read only
filter.kind = 'or'

// Backends.
const backend: Backend<(row: unknown) => boolean> = memoryBackend()

// Rows in memory keep their type on a page.
const orderRows: readonly InferRow<typeof orders>[] = []
const asked = parseQueryOrThrow(defineCollection(orders, { key: 'seller' }), '')
const read = memoryBackend().compileQuery(asked)(orderRows)
same<typeof read.rows, readonly InferRow<typeof orders>[]>(true)
const page = toPage(asked, read.rows)
same<typeof page.rows, readonly InferRow<typeof orders>[]>(true)
;[row].filter(backend.compile(filter))

// A schema whose fields are not known to the compiler still builds filters, unchecked.
const loose = defineSchema({ a: field.string() } as Record<string, ReturnType<typeof field.string>>)
where(loose).equals('anything', 'x')
// @ts-expect-error a path is a text
where(loose).exists(5)

// @ts-expect-error a list in a list
defineSchema({ a: field.list(field.list(field.string())) })
// @ts-expect-error what is no definition
defineSchema({ a: 'string' })

// The service: the principal of the accounts is the restriction's.
const listed = { collection: defineCollection(orders, { key: 'seller' }), rows: { find: () => [] } }
createListService<{ seller: string }>({
  accounts: { byKeyDigest: () => undefined, byPassword: async () => ({ apiKey: 'k', principal: { seller: 's-1' } }) },
  basePath: '/api',
  collections: {
    orders: { ...listed, restriction: ({ seller }) => o.equals('seller', seller) },
  },
})
createListService<{ seller: string }>({
  accounts: { byKeyDigest: () => undefined, byPassword: () => undefined },
  basePath: '/api',
  collections: {
    // @ts-expect-error the principal has no tenant
    orders: { ...listed, restriction: ({ tenant }) => o.equals('seller', tenant) },
  },
})
createListService<{ seller: string }>({
  accounts: { byKeyDigest: () => undefined, byPassword: () => undefined },
  basePath: '/api',
  collections: {
    // @ts-expect-error a collection, not its schema
    orders: { schema: orders, rows: { find: () => [] }, restriction: () => undefined },
  },
})
// @ts-expect-error its key endpoint needs an exact path
createListService({ accounts: { byKeyDigest: () => undefined, byPassword: () => undefined }, collections: {} })
// Its principal is what `authenticate` finds.
const signedIn = async ({ headers }: RequestHead) => (headers.get('cookie') !== null ? { seller: 's-1' } : undefined)
createListService({
  authenticate: signedIn,
  collections: { orders: { ...listed, restriction: ({ seller }) => o.equals('seller', seller) } },
})
createListService({
  authenticate: signedIn,
  // @ts-expect-error the principal has no tenant
  collections: { orders: { ...listed, restriction: ({ tenant }) => o.equals('seller', tenant) } },
})
// @ts-expect-error somebody must authenticate
createListService({ collections: {} })

// It is the principal of everything that gets one.
const pages = defineCollection(orders, { key: 'seller' })
const roleOf = new Map([['t-1', { seller: 's-1', role: 'clerk' as const }]])
const listService = createListService({
  authenticate: ({ headers }) => roleOf.get(headers.get('authorization') ?? ''),
  collections: {
    orders: {
      collection: ({ role }) => (role === 'clerk' ? pages : pages),
      rows: {
        find: (query, { principal, request, signal, reserved }) => [
          ...[principal.seller, request.url, signal.aborted, reserved.get('view')?.[0], query.limit],
        ],
        count: (_, { principal }) => principal.role.length,
      },
      restriction: ({ seller }) => o.equals('seller', seller),
      row: (row, { principal }) => ({ ...(row as object), for: principal.role }),
    },
    pages: {
      collection: pages,
      rows: { page: async (_, { principal, signal }) => ({ rows: [principal.seller, signal.reason] }) },
      // @ts-expect-error the principal has no tenant
      restriction: ({ tenant }) => o.equals('seller', tenant),
    },
  },
  concurrency: { max: 1, key: ({ seller }) => seller },
  onRequest: ({ principal, query, rows }) => console.log(principal?.role.length, query?.length, rows.toFixed()),
})
createListService({
  authenticate: signedIn,
  collections: { orders: { ...listed, restriction: () => and() } },
  // @ts-expect-error the principal has no tenant
  concurrency: { max: 1, key: ({ tenant }) => tenant },
})
// Rows of any caller are rows of these.
const anyRows: Rows = { find: (query, { principal, signal }) => [query.limit, principal, signal.aborted] }
const theirRows: Rows<{ seller: string }> = anyRows
createListService({
  authenticate: signedIn,
  collections: { orders: { ...listed, rows: theirRows, restriction: () => and() } },
})
createListService({
  // @ts-expect-error its rows need callers with a seller
  authenticate: async () => ({}),
  collections: { orders: { ...listed, rows: theirRows, restriction: () => and() } },
})
// Rows of a backend leave the principal to `authenticate`.
createListService({
  authenticate: ({ headers }) => roleOf.get(headers.get('authorization') ?? ''),
  collections: {
    orders: {
      collection: ({ role }) => (role === 'clerk' ? pages : pages),
      rows: memoryRows(memoryBackend(), () => []),
      // @ts-expect-error the principal has no tenant
      restriction: ({ tenant }) => o.equals('seller', tenant),
    },
  },
})
const ofSellers = sqlRows<{ seller: string }>({} as SqlBackend, async (text, parameters, { principal, signal }) => [
  ...[text, ...parameters, principal.seller, signal.aborted],
  // @ts-expect-error the principal has no tenant
  principal.tenant,
])
createListService({
  // @ts-expect-error its rows need callers with a seller
  authenticate: async () => ({}),
  collections: { orders: { ...listed, rows: ofSellers, restriction: () => and() } },
})
// The service is a handler of runtimes, and takes the caller of a framework.
export const worker: { fetch(request: Request, env: { DB: string }, context: object): Promise<Response> } = {
  fetch: listService,
}
export const route: (request: Request, context: { params: Promise<object> }) => Promise<Response> = listService
void listService(new Request('http://x'), { principal: { seller: 's-1', role: 'clerk' } })
void listService(new Request('http://x'), { principal: undefined })
// @ts-expect-error a caller without a role
void listService(new Request('http://x'), { principal: { seller: 's-1' } })
// @ts-expect-error a name
void listService(new Request('http://x'), { principal: 's-1' })
same<Parameters<typeof listService.described>, [principal: { seller: string; role: 'clerk' }]>(true)

// A principal is an object.
const everybody = { orders: { ...listed, restriction: () => and() } }
createListService({ authenticate: () => ({ seller: 's-1' }), collections: everybody })
createListService({ authenticate: () => new (class User {})(), collections: everybody })
createListService({ authenticate: async () => undefined, collections: everybody })
// @ts-expect-error a comparison
createListService({ authenticate: ({ headers }) => headers.get('authorization') === 'x', collections: everybody })
// @ts-expect-error a promise of a comparison
createListService({ authenticate: async ({ headers }) => headers.get('x') === 'x', collections: everybody })
// @ts-expect-error a name
createListService({ authenticate: ({ headers }) => headers.get('x') ?? undefined, collections: everybody })
// @ts-expect-error a number
createListService({ authenticate: () => 7, collections: everybody })
// @ts-expect-error false for nobody
createListService({ authenticate: ({ url }) => url === 'x' && { seller: 's-1' }, collections: everybody })
// @ts-expect-error true
createListService<true>({ authenticate: () => true, collections: everybody })
// @ts-expect-error a name from an object that authenticates
createListService({ authenticate: { authenticate: () => ({ principal: 'guest' }) }, collections: everybody })
// @ts-expect-error a name from accounts
keysAndBasic({ byKeyDigest: (keyDigest) => ({ keyDigest, principal: 'north' }), byPassword: () => undefined })
// @ts-expect-error no principal from accounts
keysAndBasic<object>({ byKeyDigest: (keyDigest) => ({ keyDigest, principal: undefined }), byPassword: () => undefined })
createListService({
  accounts: {
    byKeyDigest: () => undefined,
    // @ts-expect-error a name from accounts of the service
    byPassword: () => ({ apiKey: 'k', principal: 'north' }),
  },
  basePath: '/api',
  collections: everybody,
})
// @ts-expect-error a name
export type ByName = Authenticate<string> | Authenticator<string> | Accounts<string> | EndpointOptions<string>
export { badField, badStatus, code }

// Collections.
const all = defineCollection(orders, { key: 'seller', sort: true, fields: true })
const some = defineCollection(orders, {
  key: ['seller', 'arrival'],
  sort: ['total', 'customer.address.city'],
  fields: ['customer', 'items'],
  operators: { 'items.price': ['gte'], tags: ['contains'] },
})
// @ts-expect-error no such path
defineCollection(orders, { key: 'sellr' })
// @ts-expect-error a list has no order
defineCollection(orders, { key: 'seller', sort: ['tags'] })
// @ts-expect-error an object has no order
defineCollection(orders, { key: 'seller', sort: ['customer'] })
// @ts-expect-error no such path
defineCollection(orders, { key: 'seller', fields: ['items.prize'] })
// @ts-expect-error no such path
defineCollection(orders, { key: 'seller', operators: { nope: ['equals'] } })
// @ts-expect-error no such operator
defineCollection(orders, { key: 'seller', operators: { total: ['like'] } })
// @ts-expect-error a misspelt option
defineCollection(orders, { key: 'seller', sorts: true })

// Default orders.
defineCollection(orders, { key: 'seller', sort: true, defaultSort: '-arrival' })
defineCollection(orders, {
  key: 'seller',
  sort: ['arrival', 'customer.name'],
  defaultSort: 'customer.name,-arrival,seller',
})
defineCollection(orders, { key: 'seller', defaultSort: '-seller' })
// @ts-expect-error a misspelt path
defineCollection(orders, { key: 'seller', sort: true, defaultSort: '-arival' })
// @ts-expect-error a misspelt path after others
defineCollection(orders, { key: 'seller', sort: true, defaultSort: '-arrival,total,custmer.name' })
// @ts-expect-error a space
defineCollection(orders, { key: 'seller', sort: true, defaultSort: 'arrival, total' })
// @ts-expect-error nothing
defineCollection(orders, { key: 'seller', sort: true, defaultSort: '' })
// @ts-expect-error a list has no order
defineCollection(orders, { key: 'seller', sort: true, defaultSort: 'tags' })
const placed = defineCollection(orders, {
  key: 'seller',
  sort: { arrival: { nulls: 'last' }, 'customer.name': true, total: {} },
  defaultSort: '-arrival,customer.name',
})
buildQuery(placed, { sort: ['-arrival', 'customer.name', 'total', 'seller'] })
// @ts-expect-error the collection does not sort by it
buildQuery(placed, { sort: ['customer.address.city'] })
narrow(placed, { sort: ['arrival'] })
// @ts-expect-error the collection does not sort by it
narrow(placed, { sort: ['customer.address.city'] })
// @ts-expect-error no such path
defineCollection(orders, { key: 'seller', sort: { arrival: true, arival: true } })
// @ts-expect-error a list has no order
defineCollection(orders, { key: 'seller', sort: { tags: true } })
defineCollection(orders, { key: 'seller', sort: { 'customer.name': { ignoreCase: true, nulls: 'last' } } })
// @ts-expect-error no such place
defineCollection(orders, { key: 'seller', sort: { arrival: { nulls: 'middle' } } })
// @ts-expect-error no such option
defineCollection(orders, { key: 'seller', sort: { arrival: { null: 'last' } } })
// @ts-expect-error a hidden path
defineCollection(orders, { key: 'seller', sort: { arrival: true, total: true }, hidden: ['total'] })
// @ts-expect-error callers may not sort by it
defineCollection(orders, { key: 'seller', sort: { arrival: true }, defaultSort: 'total' })
// @ts-expect-error callers may not sort by it
defineCollection(orders, { key: 'seller', sort: ['arrival'], defaultSort: 'total' })
// @ts-expect-error nor where nothing but the key is sortable
defineCollection(orders, { key: 'seller', defaultSort: '-arrival' })
// A text that the compiler does not know is checked when the program starts.
declare const text: string
declare const either: 'arrival' | '-total'
defineCollection(orders, { key: 'seller', sort: true, defaultSort: text })
defineCollection(orders, { key: 'seller', sort: true, defaultSort: `-${text}` })
defineCollection(orders, { key: 'seller', sort: true, defaultSort: either })
// @ts-expect-error one of them is not sortable
defineCollection(orders, { key: 'seller', sort: ['arrival'], defaultSort: either })
defineCollection(loose, { key: 'anything', sort: true, defaultSort: '-whatever' })

// Operators of fields.
defineCollection(orders, {
  key: 'seller',
  operators: {
    seller: ['equals', 'startsWith'],
    arrival: ['range'],
    status: ['in', 'exists'],
    total: ['gte', 'lte'],
    gift: ['equals'],
    tags: ['contains', 'exists'],
    counts: ['gt'],
    kinds: ['nin'],
    flags: ['notEqual'],
    customer: ['exists'],
    'customer.address.city': ['endsWith'],
    items: ['exists'],
    'items.price': ['range'],
    'items.options.code': ['contains'],
    paidAt: [],
  },
})
// @ts-expect-error numbers do not contain text
defineCollection(orders, { key: 'seller', operators: { total: ['contains'] } })
// @ts-expect-error nor does one of several
defineCollection(orders, { key: 'seller', operators: { total: ['gte', 'contains'] } })
// @ts-expect-error enumerations have no order
defineCollection(orders, { key: 'seller', operators: { status: ['gt'] } })
// @ts-expect-error booleans have no in
defineCollection(orders, { key: 'seller', operators: { gift: ['in'] } })
// @ts-expect-error the entries are numbers
defineCollection(orders, { key: 'seller', operators: { counts: ['startsWith'] } })
// @ts-expect-error an object has no value of its own
defineCollection(orders, { key: 'seller', operators: { customer: ['equals'] } })
// @ts-expect-error nor have objects in a list
defineCollection(orders, { key: 'seller', operators: { items: ['equals'] } })
// @ts-expect-error a number in a list
defineCollection(orders, { key: 'seller', operators: { 'items.price': ['contains'] } })
declare const names: readonly OperatorName[]
// @ts-expect-error operators that the compiler does not know may be of other types
defineCollection(orders, { key: 'seller', operators: { total: names } })
defineCollection(loose, { key: 'a', operators: { a: ['contains'] } })
declare const anyFields: Schema
defineCollection(anyFields, { key: 'a', sort: ['b'], defaultSort: '-b', operators: { a: ['contains'], b: names } })

// Types of columns.
column('a', { type: 'uuid' })
column('a', { type: 'decimal', notNull: true })
column('a', { type: 'isoText' })
arrayColumn('a', { type: 'epochMs' })
// @ts-expect-error a misspelt type
column('a', { type: 'nummeric' })
// @ts-expect-error a misspelt type of entries
arrayColumn('a', { type: 'nummeric' })
// A dialect of your own has types of its own.
column<'hugeint'>('a', { type: 'hugeint' })
column<'hugeint'>('a', { type: 'numeric' })
arrayColumn<'hugeint'>('a', { type: 'hugeint' })
// @ts-expect-error a misspelt type beside them
column<'hugeint'>('a', { type: 'hugint' })
// @ts-expect-error any text
column('a', { type: text })
column<string>('a', { type: text })

// Queries.
buildQuery(all, {
  filter: o.equals('seller', 's-1'),
  sort: ['-arrival', 'customer.name'],
  fields: ['items.options.code'],
})
buildQuery(some, { sort: ['-total', 'arrival'], fields: ['customer.name', 'items'] })
// @ts-expect-error not offered
buildQuery(some, { sort: ['paidAt'] })
// @ts-expect-error not offered
buildQuery(some, { fields: ['total'] })
// @ts-expect-error undefined must not vanish
buildQuery(some, { filter: undefined })
// @ts-expect-error nothing may be chosen
buildQuery(defineCollection(orders, { key: 'seller' }), { fields: ['seller'] })

// Query strings by the type of a collection.
queryString<typeof some>({
  filter: {
    seller: 's-1',
    'status[in]': ['paid', 'held'],
    'total[range]': [1, 2],
    'guests[nin]': [1],
    paidAt: '2024-01-01',
    'paidAt[gte]': new Date(),
    gift: true,
    'tags[contains]': 'sea',
    'counts[gt]': 1,
    kinds: 'a',
    'customer.address.city[startsWith]': 'W',
    'items.price[lt]': 10,
    'items.options.code[equals]': 'x',
    'items.options[exists]': false,
    'customer[exists]': true,
  },
  sort: ['-total', 'arrival'],
  fields: ['customer.name', 'items'],
  cursor: undefined,
})
type Written = NonNullable<QueryStringParts<typeof some>['filter']>
same<Written['status[in]'], readonly ('paid' | 'held')[] | undefined>(true)
same<Written['paidAt[range]'], readonly [string | Date, string | Date] | undefined>(true)
same<Written['items[exists]'], boolean | undefined>(true)
// @ts-expect-error no such path
queryString<typeof some>({ filter: { sellr: 's-1' } })
// @ts-expect-error no such path in the entries
queryString<typeof some>({ filter: { 'items.prize': 1 } })
// @ts-expect-error an object has no value of its own
queryString<typeof some>({ filter: { customer: 'x' } })
// @ts-expect-error no such operator
queryString<typeof some>({ filter: { 'seller[like]': 'x' } })
// @ts-expect-error enumerations have no order
queryString<typeof some>({ filter: { 'status[gt]': 'paid' } })
// @ts-expect-error the entries are numbers, which do not contain text
queryString<typeof some>({ filter: { 'counts[contains]': '1' } })
// @ts-expect-error a text for a number
queryString<typeof some>({ filter: { total: '1' } })
// @ts-expect-error outside the enumeration
queryString<typeof some>({ filter: { 'kinds[in]': ['c'] } })
// @ts-expect-error a Date for a date
queryString<typeof some>({ filter: { arrival: new Date() } })
// @ts-expect-error a list for one operand
queryString<typeof some>({ filter: { seller: ['a'] } })
// @ts-expect-error one operand for a list
queryString<typeof some>({ filter: { 'seller[in]': 'a' } })
// @ts-expect-error one bound is not a range
queryString<typeof some>({ filter: { 'total[range]': [1] } })
// @ts-expect-error undefined must not vanish
queryString<typeof some>({ filter: { seller: undefined } })
// @ts-expect-error undefined must not vanish
queryString<typeof some>({ filter: undefined })
// @ts-expect-error not a parameter of a collection
queryString<typeof some>({ filter: {} }, { limt: 'page[size]' })
// @ts-expect-error not offered
queryString<typeof some>({ sort: ['paidAt'] })
// @ts-expect-error not offered
queryString<typeof some>({ fields: ['total'] })
// @ts-expect-error groups are for printQuery
queryString<typeof some>({ or: [{ seller: 'a' }] })
// @ts-expect-error without a collection, there are no fields
queryString({ filter: { 'seller[exists]': true } })
// @ts-expect-error a schema is not a collection
queryString<typeof orders>({ filter: { seller: 'a' } })

// What follows WHERE is no condition for NOT; a condition may follow WHERE.
declare const sqlQuery: SqlQuery
declare const sqlCondition: SqlCondition
const takesWhere = ({ text }: SqlWhere) => text
const takesCondition = ({ text }: SqlCondition) => `NOT ${text}`
takesWhere(sqlQuery.where)
takesWhere(sqlQuery.count)
takesWhere(sqlCondition)
takesCondition(sqlCondition)
// @ts-expect-error it may be NULL
takesCondition(sqlQuery.where)
// @ts-expect-error it may be NULL
takesCondition(sqlQuery.count)
// @ts-expect-error a statement is no condition
takesWhere(sqlQuery)

// Keys that no schema declares.
const measured = defineSchema({ attributes: field.record(field.string()), metrics: field.record(field.number()) })
type Measured = InferRow<typeof measured>
same<NonNullable<Measured['metrics']>[string], number | null | undefined>(true)
same<NonNullable<Measured['attributes']>, { readonly [key: string]: string | null | undefined }>(true)
where(measured).gte('metrics.cpu', 0.9)
where(measured).contains('attributes.color', 'red')
// @ts-expect-error a number contains no text
where(measured).contains('metrics.cpu', '9')
// @ts-expect-error not a number
where(measured).gte('metrics.cpu', 'much')
// @ts-expect-error the record itself has no order
where(measured).gte('metrics', 5)
const readings = defineCollection(measured, { key: [] as never })
queryString<typeof readings>({ filter: { 'attributes.color': 'red', 'metrics.cpu[gte]': 5 } })
