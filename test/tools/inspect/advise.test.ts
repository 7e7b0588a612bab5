/** `advise` lists the indexes that a description lacks. The expectations are by hand. */
import { describe, expect, test } from 'vitest'
import {
  arrayColumn,
  childTable,
  column,
  duckdb,
  jsonColumn,
  mariadb,
  mysql,
  parentTable,
  postgres,
  postgres17,
  sqlite,
  table,
  type ColumnOptions,
  type Dialect,
} from '../../../src/backends/sql/index.ts'
import { defineCollection, defineSchema, field, type CollectionOptions, type Field } from '../../../src/index.ts'
import {
  advise,
  type AdviseOptions,
  type ColumnFacts,
  type Database,
  type IndexEntry,
  type IndexFacts,
  type TableFacts,
} from '../../../src/tools/inspect/index.ts'

type Facts = Partial<ColumnFacts>
/** A column by its type, its number of different values, and other facts. */
const of = (type: string, distinct: number, more: Facts = {}): Facts => ({
  type,
  typeName: type,
  distinct,
  notNull: true,
  ...more,
})
const collated = (name: string): Facts => ({ collation: { name } })

/** An entry of an index: the name of a column, or facts. */
type Entry = string | Partial<IndexEntry>
const index = (entries: readonly Entry[], more: Partial<IndexFacts> = {}): IndexFacts => ({
  name: 'i',
  method: 'btree',
  unique: false,
  primary: false,
  invalid: false,
  include: [],
  entries: entries.map((entry) => ({
    descending: false,
    nullsFirst: false,
    ...(typeof entry === 'string' ? { column: entry } : entry),
  })),
  ...more,
})
const primary = index(['id'], { name: 'orders_pkey', unique: true, primary: true })
const rowid = index(['id'], { name: 'rowid', method: 'rowid', unique: true, primary: true })

const tableOf = (
  name: string,
  columns: Readonly<Record<string, Facts>>,
  indexes: readonly IndexFacts[],
  more: Partial<TableFacts> = {},
): TableFacts => ({
  schema: 's',
  name,
  kind: 'table',
  rows: 20_000,
  readable: true,
  columns: Object.entries(columns).map(
    ([name, facts]) => ({ name, ...of('bigint', 20_000), readable: true, ...facts }) as ColumnFacts,
  ),
  keys: [],
  foreignKeys: [],
  indexes,
  ...more,
})

interface Case {
  readonly dialect?: Dialect
  /** The fields beside `id` and `tenant`. */
  readonly fields: Readonly<Record<string, Field>>
  readonly mapping?: ColumnOptions
  readonly columns: Readonly<Record<string, Facts>>
  /** Those that the mapping promises. */
  readonly orders?: readonly (readonly string[])[]
  readonly indexes?: readonly IndexFacts[]
  readonly others?: readonly TableFacts[]
  readonly options?: Partial<CollectionOptions>
  readonly table?: Partial<TableFacts>
  readonly session?: Partial<Database['session']>
  readonly advise?: Partial<AdviseOptions>
  /** One text for each advice: the statement or the reason, and the parts that it serves. */
  readonly expected: readonly string[]
}

function advised({ dialect = postgres, ...given }: Case): readonly string[] {
  const fields = { id: field.integer({ required: true }), tenant: field.integer({ required: true }), ...given.fields }
  const schema = defineSchema(fields)
  const collection = defineCollection(schema, {
    key: 'id',
    hidden: ['tenant'],
    ...given.options,
    operators: { id: [], ...given.options?.operators },
  } as CollectionOptions as never)
  const columns = { id: of('bigint', 20_000), tenant: of('bigint', 5), ...given.columns }
  const own = dialect.engine === 'sqlite' ? rowid : primary
  const database: Database = {
    engine: dialect.engine!,
    session: { searchPath: ['s'], ...given.session },
    schemas: [{ name: 's', access: 'readable' }],
    tables: [tableOf('orders', columns, [own, ...(given.indexes ?? [])], given.table), ...(given.others ?? [])],
  }
  const mapped = table('orders', {
    schema,
    key: 'id',
    columns: (given.mapping ?? {}) as never,
    orders: (given.orders ?? []) as never,
  })
  return advise(database, { dialect, table: mapped, collection, ...given.advise }).map(
    ({ statement, never, serves }) => `${statement ?? `never: ${never}`} <- ${serves.join(' | ')}`,
  )
}
const tenant = { advise: { restriction: ['tenant'] } } as const

const created = field.datetime({ required: true })
const byCreated = {
  fields: { created },
  columns: { created: of('timestamptz', 20_000) },
  options: { sort: ['created'], operators: { created: [] } },
} as const
const byCity = {
  fields: { customer: field.object({ city: field.string() }) },
  mapping: {
    customer: parentTable('customers', { key: 'id', foreignKey: { columns: 'customer_id', enforced: true } }),
  },
  columns: { customer_id: {} },
  options: { sort: ['customer.city'], operators: { 'customer.city': [] } },
} as const
const createdIndex =
  'CREATE INDEX CONCURRENTLY "orders_tenant_created_id" ON "s"."orders" ("tenant", "created", "id") <- sort=created'
const name = {
  fields: { name: field.string() },
  columns: { name: of('text', 20_000, { ...collated('default'), notNull: false }) },
} as const
const only = (...names: readonly string[]) => ({ options: { operators: { name: names } } }) as Pick<Case, 'options'>
const status = {
  fields: { status: field.string() },
  columns: { status: of('text', 4, collated('default')) },
  options: { operators: { status: ['equals'] } },
} as const
const statusIndex =
  'CREATE INDEX CONCURRENTLY "orders_tenant_status" ON "s"."orders" ("tenant", "status") <- status: equals'

const ofAll = 'CREATE INDEX CONCURRENTLY "orders_created_id" ON "s"."orders" ("created", "id") <- sort=created'
const uncounted = { rows: undefined } as unknown as Partial<TableFacts>
const items = (...indexes: readonly IndexFacts[]) =>
  tableOf('items', { id: {}, order_id: of('bigint', 10_000), product: of('text', 9_000, collated('default')) }, indexes)
const ofItems = {
  fields: { items: field.list(field.object({ product: field.string() })) },
  mapping: { items: childTable('items', { key: 'id', foreignKey: 'order_id' }) },
  columns: {},
  options: { operators: { 'items.product': ['equals'] } },
} as const
const itemsOrder = 'CREATE INDEX CONCURRENTLY "items_order_id" ON "s"."items" ("order_id") <- the list items'
const itemsProduct = 'CREATE INDEX CONCURRENTLY "items_product" ON "s"."items" ("product") <- items.product: equals'
const customers = (...indexes: readonly IndexFacts[]) =>
  tableOf('customers', { id: {}, city: of('text', 9_000, collated('default')) }, [primary, ...indexes])
const ofCustomer = {
  fields: { customer: field.object({ city: field.string() }) },
  mapping: { customer: parentTable('customers', { key: 'id', foreignKey: 'customer_id' }) },
  columns: { customer_id: of('bigint', 5_000) },
  options: { operators: { 'customer.city': ['equals'] } },
} as const

const long = 'long'.repeat(20)

const promised = { ...byCreated, options: { operators: { created: [] } }, orders: [['tenant', '-created']] } as const
const promisedIndex = 'CREATE INDEX CONCURRENTLY "orders_tenant_created_id" ON "s"."orders" ("tenant", "created", "id")'

const cases: Readonly<Record<string, Case>> = {
  // --- Orders that the mapping promises
  'a promised order without an index': { ...promised, expected: [`${promisedIndex} <- the order tenant,-created`] },
  'a promised order, and a sort in a restriction': {
    ...promised,
    ...tenant,
    options: byCreated.options,
    expected: [`${promisedIndex} <- the order tenant,-created | sort=created`],
  },
  'a promised order with an index in the other direction': {
    ...promised,
    indexes: [index(['tenant', 'created', 'id'])],
    expected: [],
  },
  'a promised order with an index of its other fields': {
    ...promised,
    indexes: [index(['created', 'tenant', 'id']), index(['tenant', 'id', 'created'])],
    expected: [`${promisedIndex} <- the order tenant,-created`],
  },
  // The first field is compared in the collation of its column, and only the others are sorted in that of code points.
  'a promised order of texts': {
    ...promised,
    fields: { ...name.fields, status: field.string() },
    columns: { ...name.columns, status: of('text', 4, collated('default')) },
    options: { operators: { name: [], status: [] } },
    orders: [['status', 'name']],
    expected: [
      'CREATE INDEX CONCURRENTLY "orders_status_name_id" ON "s"."orders" ("status", "name" COLLATE "C" NULLS FIRST, "id") <- the order status,name',
    ],
  },
  'a promised order that MariaDB has no index for': {
    ...promised,
    dialect: mariadb,
    ...name,
    options: { operators: { name: [] } },
    orders: [['tenant', 'name']],
    columns: { name: of('varchar', 20_000, { length: 50, ...collated('utf8mb4_general_ci') }) },
    expected: [
      "never: no index has the order of name: declare it COLLATE utf8mb4_nopad_bin, and map it as column('name', { type: 'orderedText' }) <- the order tenant,name",
    ],
  },
  // --- Orders
  'an order without an index': { ...byCreated, ...tenant, expected: [createdIndex] },
  'an order, its reverse and a condition by one index': {
    ...byCreated,
    ...tenant,
    options: { sort: ['created'], defaultSort: '-created' },
    expected: [
      createdIndex.replace(
        '<- sort=created',
        '<- sort=-created | sort=created | created: equals, gt, gte, lt, lte, range, in',
      ),
    ],
  },
  'an index of the order': { ...byCreated, ...tenant, indexes: [index(['tenant', 'created', 'id'])], expected: [] },
  'an index of the reverse order': {
    ...byCreated,
    ...tenant,
    indexes: [
      index(['tenant', ...['created', 'id'].map((column) => ({ column, descending: true, nullsFirst: true }))]),
    ],
    expected: [],
  },
  'an index in two directions': {
    ...byCreated,
    ...tenant,
    columns: { created: of('timestamptz', 5) },
    indexes: [index(['tenant', { column: 'created', descending: true, nullsFirst: true }, 'id'])],
    expected: [createdIndex],
  },
  'the order without the restriction, which has few values': {
    ...byCreated,
    ...tenant,
    indexes: [index(['created', 'id'])],
    expected: [],
  },
  'the order without the restriction, which has many values': {
    ...byCreated,
    ...tenant,
    columns: { ...byCreated.columns, tenant: of('bigint', 100) },
    indexes: [index(['created', 'id'])],
    expected: [
      createdIndex,
      'CREATE INDEX CONCURRENTLY "orders_tenant_id" ON "s"."orders" ("tenant", "id") <- sort=id',
    ],
  },
  'many tenants with few rows: an index of the tenant serves all': {
    fields: { created, name: field.string() },
    columns: { created: {}, name: of('text', 20_000, collated('default')), tenant: of('bigint', 101) },
    options: { sort: ['created', 'name'] },
    ...tenant,
    expected: [
      'CREATE INDEX CONCURRENTLY "orders_tenant_created_id" ON "s"."orders" ("tenant", "created", "id") <- sort=created | sort=name | sort=id | created: equals, gt, gte, lt, lte, range, in | name: equals, in | name: startsWith | name: endsWith, contains',
    ],
  },
  'many tenants with few rows, on SQLite': {
    ...byCreated,
    ...tenant,
    dialect: sqlite,
    mapping: { created: column('created', { digits: 3 }) },
    columns: { created: {}, tenant: of('INTEGER', 101) },
    indexes: [index(['tenant', 'other'])],
    expected: [],
  },
  'the order without the restriction on SQLite, which finds the tenant and sorts': {
    ...byCreated,
    ...tenant,
    dialect: sqlite,
    mapping: { created: column('created', { digits: 3 }) },
    indexes: [index(['created'])],
    expected: [
      'CREATE INDEX "s"."orders_tenant_created" ON "orders" ("tenant", "created"); ANALYZE "s"."orders" <- sort=created',
      'CREATE INDEX "s"."orders_tenant" ON "orders" ("tenant"); ANALYZE "s"."orders" <- sort=id',
    ],
  },
  'an index on SQLite ends with the rowid': {
    ...byCreated,
    ...tenant,
    dialect: sqlite,
    mapping: { created: column('created', { digits: 3 }) },
    indexes: [index(['tenant', 'created']), index(['tenant'])],
    expected: [],
  },
  'an index of InnoDB ends with the primary key': {
    ...byCreated,
    ...tenant,
    dialect: mysql,
    indexes: [index(['tenant', 'created'])],
    expected: [],
  },
  'PostgreSQL sorts few rows with the same value': { ...byCreated, indexes: [index(['created'])], expected: [] },
  'PostgreSQL sorts many rows with the same value': {
    ...byCreated,
    columns: { created: of('timestamptz', 50) },
    indexes: [index(['created'])],
    expected: ['CREATE INDEX CONCURRENTLY "orders_created_id" ON "s"."orders" ("created", "id") <- sort=created'],
  },
  'a nullable key needs NULLS FIRST': {
    fields: { stars: field.integer() },
    columns: { stars: of('bigint', 20_000, { notNull: false }) },
    options: { sort: ['stars'], operators: { stars: [] } },
    indexes: [index(['stars', 'id'])],
    expected: ['CREATE INDEX CONCURRENTLY "orders_stars_id" ON "s"."orders" ("stars" NULLS FIRST, "id") <- sort=stars'],
  },
  'a nullable key with NULLS FIRST': {
    fields: { stars: field.integer() },
    columns: { stars: of('bigint', 20_000, { notNull: false }) },
    options: { sort: ['stars'], operators: { stars: [] } },
    indexes: [index([{ column: 'stars', nullsFirst: true }, 'id'])],
    expected: [],
  },
  'two directions': {
    ...byCreated,
    columns: { created: of('timestamptz', 50) },
    options: { sort: ['created'], defaultSort: '-created,id', operators: { created: [] } },
    expected: [
      'CREATE INDEX CONCURRENTLY "orders_created_id" ON "s"."orders" ("created", "id" DESC) <- sort=-created,id',
      'CREATE INDEX CONCURRENTLY "orders_created_id_2" ON "s"."orders" ("created", "id") <- sort=created',
    ],
  },
  'a text in the order of code points': {
    ...name,
    options: { sort: ['name'], operators: { name: [] } },
    indexes: [index([{ column: 'name', collation: 'default', nullsFirst: true }, 'id'])],
    expected: [
      'CREATE INDEX CONCURRENTLY "orders_name_id" ON "s"."orders" ("name" COLLATE "C" NULLS FIRST, "id") <- sort=name',
    ],
  },
  'a text in a column with the order of code points': {
    ...name,
    columns: { name: of('text', 20_000, collated('C')) },
    options: { sort: ['name'], operators: { name: ['equals'] } },
    expected: [
      'CREATE INDEX CONCURRENTLY "orders_name_id" ON "s"."orders" ("name" NULLS FIRST, "id") <- sort=name | name: equals',
    ],
  },
  'the order of a type by its text': {
    ...name,
    columns: { name: of('uuid', 20_000) },
    mapping: { name: column('name', { type: 'uuid' }) },
    options: { sort: ['name'], operators: { name: ['equals'] } },
    expected: [
      'CREATE INDEX CONCURRENTLY "orders_name_id" ON "s"."orders" (("name"::text) COLLATE "C" NULLS FIRST, "id") <- sort=name',
      'CREATE INDEX CONCURRENTLY "orders_name" ON "s"."orders" ("name") <- name: equals',
    ],
  },
  'MySQL orders no text by the collation of its column': {
    ...name,
    dialect: mysql,
    columns: { name: of('varchar', 20_000, { ...collated('utf8mb4_0900_ai_ci'), length: 50 }) },
    options: { sort: ['name'], operators: { name: [] } },
    expected: [
      `never: no index has the order of name: declare it COLLATE utf8mb4_0900_bin, and map it as column('name', { type: 'orderedText' }) <- sort=name`,
    ],
  },
  'MySQL has no order of the texts of an ENUM': {
    ...name,
    dialect: mysql,
    columns: { name: of('enum', 20_000, { ...collated('utf8mb4_0900_bin'), enum: ['a'] }) },
    options: { sort: ['name'], operators: { name: [] } },
    expected: ['never: no index has the order of name <- sort=name'],
  },
  'MySQL has no order of another character set': {
    ...name,
    dialect: mysql,
    mapping: { name: column('name', { type: 'latin1' }) },
    columns: { name: of('varchar', 20_000, { ...collated('latin1_swedish_ci'), charset: 'latin1' }) },
    options: { sort: ['name'], operators: { name: [] } },
    expected: ['never: no index has the order of CONVERT(`name` USING utf8mb4) <- sort=name'],
  },
  'PostgreSQL has no index of the text of an enumeration': {
    ...name,
    mapping: { name: column('name', { type: 'enum' }) },
    columns: { name: of('state', 20_000, { enum: ['a'] }) },
    options: { sort: ['name'], operators: { name: ['equals', 'startsWith'] } },
    expected: [
      'CREATE INDEX CONCURRENTLY "orders_name" ON "s"."orders" ("name") <- name: equals',
      'never: no index contains the text of an enumeration <- sort=name | name: startsWith',
    ],
  },
  'MySQL has no index of an expression of a TEXT': {
    ...name,
    ...only('startsWith'),
    dialect: mysql,
    columns: { name: of('text', 20_000, collated('utf8mb4_0900_bin')) },
    expected: ['never: no index contains an expression of a long text: make the column VARCHAR <- name: startsWith'],
  },
  'lower() of a type without a collation': {
    ...name,
    ...only('startsWith'),
    mapping: { name: column('name', { type: 'uuid' }) },
    columns: { name: of('uuid', 20_000) },
    indexes: [index([{ expression: 'lower(name::text)', collation: 'C' }])],
    expected: [],
  },
  'MySQL indexes the start of a TEXT': {
    ...name,
    dialect: mysql,
    mapping: { name: column('name', { type: 'orderedText' }) },
    columns: { name: of('text', 20_000, collated('utf8mb4_0900_bin')) },
    options: { sort: ['name'], operators: { name: ['equals'] } },
    expected: [
      'CREATE INDEX `orders_name` ON `s`.`orders` (`name`(100)) <- name: equals',
      'never: an index contains only the start of name, which is text <- sort=name',
    ],
  },
  'an index of the start serves equality, and no order': {
    ...name,
    dialect: mysql,
    mapping: { name: column('name', { type: 'orderedText' }) },
    columns: { name: of('varchar', 20_000, { ...collated('utf8mb4_0900_bin'), length: 50 }) },
    options: { sort: ['name'], operators: { name: ['equals'] } },
    indexes: [index([{ column: 'name', prefix: 10, collation: 'utf8mb4_0900_bin', nullsFirst: true }])],
    expected: ['CREATE INDEX `orders_name_id` ON `s`.`orders` (`name`, `id`) <- sort=name'],
  },
  'a field of another table has no order': {
    fields: { customer: field.object({ city: field.string() }) },
    mapping: { customer: parentTable('customers', { key: 'id', foreignKey: 'customer_id' }) },
    columns: { customer_id: {} },
    options: { sort: ['customer.city'], operators: { 'customer.city': [] } },
    expected: ['never: customer.city is in another table <- sort=customer.city'],
  },
  // docs/reference/sql-indexes.md
  'a field of another table has an order in the index of that table, where the foreign key is enforced': {
    ...byCity,
    others: [tableOf('customers', { id: {}, city: of('text', 9) }, [primary])],
    expected: [
      'CREATE INDEX CONCURRENTLY "customers_city_id" ON "s"."customers" ("city" COLLATE "C" NULLS FIRST, "id" NULLS FIRST) <- sort=customer.city',
      'CREATE INDEX CONCURRENTLY "orders_customer_id" ON "s"."orders" ("customer_id") <- sort=customer.city',
    ],
  },
  'a field of another table on MySQL, whose collation the mapping does not name': {
    ...byCity,
    dialect: mysql,
    columns: { customer_id: of('bigint', 2_000) },
    others: [tableOf('customers', { id: {}, city: of('varchar', 9, collated('utf8mb4_0900_bin')) }, [])],
    expected: [
      "never: no index has the order of city: declare it COLLATE utf8mb4_0900_bin, and map it as column('city', { type: 'orderedText' }) <- sort=customer.city",
    ],
  },
  'a field of another table, which has the index': {
    ...byCity,
    dialect: sqlite,
    indexes: [index(['customer_id'])],
    others: [tableOf('customers', { id: of('INTEGER', 20_000), city: of('TEXT', 9) }, [rowid, index(['city'])])],
    expected: [],
  },
  'a field of another table beside a restriction, by which all rows are sorted': {
    ...byCity,
    ...tenant,
    others: [tableOf('customers', { id: {}, city: of('text', 9) }, [])],
    expected: [],
  },
  'a field of another table behind another one': {
    fields: { customer: field.object({ country: field.object({ code: field.string() }) }) },
    mapping: {
      customer: parentTable('customers', {
        ...{ key: 'id', foreignKey: { columns: 'customer_id', enforced: true } },
        columns: { country: parentTable('countries', { key: 'id', foreignKey: { columns: 'c', enforced: true } }) },
      }),
    },
    columns: { customer_id: {} },
    options: { sort: ['customer.country.code'], operators: { 'customer.country.code': [] } },
    expected: [
      'CREATE INDEX CONCURRENTLY "orders_customer_id" ON "s"."orders" ("customer_id") <- conditions on customer',
      'never: customer.country.code is in another table <- sort=customer.country.code',
    ],
  },
  'MySQL sorts all rows where an index lacks a key': {
    ...byCreated,
    dialect: mysql,
    fields: { created, total: field.integer({ required: true }) },
    columns: { created: of('datetime', 20_000), total: {} },
    options: { sort: ['created', 'total'], defaultSort: 'created,total', operators: { created: [], total: [] } },
    indexes: [index(['created'])],
    expected: [
      'CREATE INDEX `orders_created_total_id` ON `s`.`orders` (`created`, `total`, `id`) <- sort=created,total',
      'CREATE INDEX `orders_total_id` ON `s`.`orders` (`total`, `id`) <- sort=total',
    ],
  },
  'two directions on SQLite, whose rowid ascends': {
    ...byCreated,
    dialect: sqlite,
    mapping: { created: column('created', { digits: 3 }) },
    columns: { created: of('TEXT', 50) },
    options: { sort: ['created'], defaultSort: '-created,id', operators: { created: [] } },
    indexes: [index(['created'])],
    expected: [
      'CREATE INDEX "s"."orders_created_id" ON "orders" ("created", "id" DESC); ANALYZE "s"."orders" <- sort=-created,id',
    ],
  },
  'a primary key on SQLite that is not the rowid': {
    ...byCreated,
    dialect: sqlite,
    mapping: { created: column('created', { digits: 3 }) },
    table: { indexes: [primary, index(['created'])] },
    expected: [
      'CREATE INDEX "s"."orders_created_id" ON "orders" ("created", "id"); ANALYZE "s"."orders" <- sort=created',
    ],
  },
  'a table of SQLite without a rowid': {
    ...byCreated,
    dialect: sqlite,
    mapping: { created: column('created', { digits: 3 }) },
    table: { indexes: [primary, index(['created'])], withoutRowid: true },
    expected: [],
  },
  'a key that contains the restriction': {
    ...byCreated,
    ...tenant,
    options: { key: ['tenant', 'id'], hidden: [], sort: ['created'], operators: { created: [], tenant: [] } } as never,
    indexes: [index(['tenant', 'id'])],
    expected: [createdIndex],
  },

  // --- Indexes that serve nothing
  'a partial index': {
    ...byCreated,
    indexes: [index(['created', 'id'], { predicate: 'deleted IS NULL' })],
    expected: [createdIndex.replace('tenant_', '').replace('"tenant", ', '')],
  },
  'a partial unique index': {
    ...byCreated,
    indexes: [index(['created', 'id'], { unique: true, predicate: 'deleted IS NULL' })],
    expected: [createdIndex.replace('tenant_', '').replace('"tenant", ', '')],
  },
  'an invalid or ignored index': {
    ...byCreated,
    indexes: [index(['created', 'id'], { invalid: true })],
    expected: [createdIndex.replace('tenant_', '').replace('"tenant", ', '')],
  },
  'an index of another method': {
    ...byCreated,
    indexes: [index(['created', 'id'], { method: 'brin' })],
    expected: [createdIndex.replace('tenant_', '').replace('"tenant", ', '')],
  },

  // --- Conditions
  'a column with few values': { ...status, ...tenant, expected: [] },
  'a column with few values, and all': {
    ...status,
    advise: { restriction: ['tenant'], all: true },
    expected: ['CREATE INDEX CONCURRENTLY "orders_tenant_id" ON "s"."orders" ("tenant", "id") <- sort=id', statusIndex],
  },
  'a column with few values, and many tenants': {
    ...status,
    ...tenant,
    columns: { ...status.columns, tenant: of('bigint', 30) },
    expected: [statusIndex],
  },
  'an enumeration without statistics': {
    ...status,
    fields: { status: field.enumeration(['a', 'b']) },
    columns: { status: of('text', 4, { ...collated('default'), distinct: undefined as never }) },
    expected: [],
  },
  'an index in another collation finds no value': {
    ...name,
    ...only('equals'),
    indexes: [index([{ column: 'name', collation: 'C' }])],
    expected: ['CREATE INDEX CONCURRENTLY "orders_name" ON "s"."orders" ("name") <- name: equals'],
  },
  'a GIN index of a column finds no value': {
    ...name,
    ...only('equals'),
    indexes: [index([{ column: 'name', collation: 'default' }], { method: 'gin' })],
    expected: ['CREATE INDEX CONCURRENTLY "orders_name" ON "s"."orders" ("name") <- name: equals'],
  },
  'MySQL compares ranges in the collation of the column alone': {
    ...name,
    ...only('gt'),
    dialect: mysql,
    columns: { name: of('varchar', 20_000, collated('utf8mb4_0900_ai_ci')) },
    expected: [
      `never: no index has the order of name: declare it COLLATE utf8mb4_0900_bin, and map it as column('name', { type: 'orderedText' }) <- name: gt`,
    ],
  },
  'MySQL finds a range in the order of code points': {
    ...name,
    ...only('gt'),
    dialect: mysql,
    columns: { name: of('varchar', 20_000, collated('utf8mb4_0900_bin')) },
    expected: ['CREATE INDEX `orders_name` ON `s`.`orders` (`name`) <- name: gt'],
  },
  'MariaDB finds equal values in each collation': {
    ...name,
    ...only('equals', 'in'),
    dialect: mariadb,
    columns: { name: of('varchar', 20_000, collated('utf8mb4_general_ci')) },
    indexes: [index([{ column: 'name', collation: 'utf8mb4_general_ci' }])],
    expected: [],
  },
  'MySQL finds equal values in each collation': {
    ...name,
    ...only('equals', 'in'),
    dialect: mysql,
    columns: { name: of('varchar', 20_000, collated('utf8mb4_0900_ai_ci')) },
    indexes: [index([{ column: 'name', collation: 'utf8mb4_0900_ai_ci' }])],
    expected: [],
  },
  'a condition behind some columns of the restriction': {
    ...name,
    ...only('equals'),
    ...tenant,
    indexes: [index(['tenant', { column: 'name', collation: 'default' }, 'id'])],
    expected: [],
  },
  'a condition behind another column': {
    ...name,
    ...only('equals'),
    ...tenant,
    indexes: [index(['id', { column: 'name', collation: 'default' }])],
    expected: ['CREATE INDEX CONCURRENTLY "orders_tenant_name" ON "s"."orders" ("tenant", "name") <- name: equals'],
  },
  'an index of the expression alone, beside a restriction': {
    ...name,
    ...only('startsWith'),
    ...tenant,
    indexes: [index([{ expression: 'lower(name)', collation: 'C' }])],
    expected: [],
  },
  'an index of the expression of a varchar, as PostgreSQL prints it': {
    ...name,
    ...only('startsWith'),
    indexes: [index([{ expression: 'lower(name::text)', collation: 'C' }])],
    expected: [],
  },
  'an index of the expression in another collation': {
    ...name,
    ...only('startsWith'),
    ...tenant,
    indexes: [index([{ expression: 'lower(name)', collation: 'default' }])],
    expected: [
      'CREATE INDEX CONCURRENTLY "orders_tenant_lower_name" ON "s"."orders" ("tenant", (lower("name" COLLATE "default")) COLLATE "C") <- name: startsWith',
    ],
  },
  'lower() in the collation of another column': {
    ...name,
    ...only('equalsIgnoreCase'),
    columns: { name: of('text', 20_000, collated('C')) },
    indexes: [index([{ expression: 'lower(name)', collation: 'C' }])],
    expected: [
      'CREATE INDEX CONCURRENTLY "orders_lower_name" ON "s"."orders" ((lower("name" COLLATE "default"))) <- name: equalsIgnoreCase',
    ],
  },
  'lower() in the collation of the dialect for PostgreSQL 17': {
    ...name,
    ...only('startsWith', 'equalsIgnoreCase'),
    dialect: postgres17,
    indexes: [index([{ expression: 'lower(name COLLATE pg_c_utf8)', collation: 'pg_c_utf8' }])],
    expected: [],
  },
  'the expression of MySQL, as it prints it': {
    ...name,
    ...only('startsWith'),
    dialect: mysql,
    columns: { name: of('varchar', 20_000, collated('utf8mb4_0900_bin')) },
    indexes: [
      index([
        {
          expression:
            "lower(replace(replace((convert(`name` using utf8mb4) collate utf8mb4_0900_bin),_utf8mb4'\u00c8\u00ba',_utf8mb4'\u00e2\u00b1\u00a5'),_utf8mb4'\u00c8\u00be',_utf8mb4'\u00e2\u00b1\u00a6'))",
        },
      ]),
    ],
    expected: [],
  },
  'parts of a text': {
    ...name,
    ...only('contains', 'endsWith'),
    ...tenant,
    expected: [
      'CREATE EXTENSION IF NOT EXISTS pg_trgm <- name: contains, endsWith',
      'CREATE INDEX CONCURRENTLY "orders_lower_name" ON "s"."orders" USING gin ((lower("name" COLLATE "default")) gin_trgm_ops) <- name: contains, endsWith',
    ],
  },
  'an index of the parts of a text': {
    ...name,
    ...only('contains'),
    session: { extensions: { pg_trgm: '1.6' } },
    indexes: [index([{ expression: 'lower(name)', collation: 'default', class: 'gin_trgm_ops' }], { method: 'gin' })],
    expected: [],
  },
  'only usual operators, unless the collection names others': {
    ...name,
    session: { extensions: { pg_trgm: '1.6' } },
    indexes: [index([{ column: 'name', collation: 'default' }])],
    expected: [
      'CREATE INDEX CONCURRENTLY "orders_lower_name" ON "s"."orders" ((lower("name" COLLATE "default")) COLLATE "C") <- name: startsWith',
      'CREATE INDEX CONCURRENTLY "orders_lower_name_2" ON "s"."orders" USING gin ((lower("name" COLLATE "default")) gin_trgm_ops) <- name: endsWith, contains',
    ],
  },
  'MariaDB has no expressions and no parts': {
    ...name,
    dialect: mariadb,
    columns: { name: of('varchar', 20_000, collated('utf8mb4_nopad_bin')) },
    indexes: [index([{ column: 'name', collation: 'utf8mb4_nopad_bin' }])],
    expected: [
      'never: MariaDB has no index of an expression <- name: startsWith, equalsIgnoreCase',
      'never: no index finds a part of a text <- name: endsWith, contains',
    ],
  },
  'an index of the expression on SQLite': {
    ...name,
    ...only('startsWith'),
    dialect: sqlite,
    columns: { name: of('TEXT', 20_000, collated('NOCASE')) },
    indexes: [index([{ expression: 'lower(name)', collation: 'BINARY' }])],
    expected: [],
  },
  'SQLite has no parts': {
    ...name,
    ...only('startsWith', 'contains', 'endsWith'),
    dialect: sqlite,
    columns: { name: of('TEXT', 20_000, collated('NOCASE')) },
    expected: [
      'CREATE INDEX "s"."orders_lower_name" ON "orders" ((lower("name"))); ANALYZE "s"."orders" <- name: startsWith',
      'never: no index finds a part of a text <- name: contains, endsWith',
    ],
  },
  'SQLite compares in BINARY, whatever the collation of the column': {
    ...name,
    ...only('equals'),
    dialect: sqlite,
    columns: { name: of('TEXT', 20_000, collated('NOCASE')) },
    indexes: [index([{ column: 'name', collation: 'NOCASE' }])],
    expected: [
      'CREATE INDEX "s"."orders_name" ON "orders" ("name" COLLATE "BINARY"); ANALYZE "s"."orders" <- name: equals',
    ],
  },
  'the expression of a type': {
    fields: { gift: field.boolean() },
    dialect: sqlite,
    mapping: { gift: column('gift', { type: 'nonzero' }) },
    columns: { gift: of('INTEGER', 20_000) },
    options: { operators: { gift: ['equals'] } },
    expected: ['CREATE INDEX "s"."orders_gift" ON "orders" (("gift" <> 0)); ANALYZE "s"."orders" <- gift: equals'],
  },
  'DuckDB has no order': {
    ...byCreated,
    dialect: duckdb,
    options: { sort: ['created'] },
    expected: [
      'never: no index of DuckDB has an order, and DuckDB scans tables fast <- sort=created | sort=id | created: equals, gt, gte, lt, lte, range, in',
    ],
  },

  // --- Tables
  'a small table': { ...byCreated, table: { rows: 999 }, expected: [] },
  'a small table, and all': { ...byCreated, table: { rows: 999 }, advise: { all: true }, expected: [ofAll] },
  'a table that a sample contains': {
    ...byCreated,
    table: { ...uncounted, sampledRows: 999, wholeTable: true },
    expected: [],
  },
  'a table that nobody has counted': {
    ...byCreated,
    table: { ...uncounted, sampledRows: 1_000, wholeTable: false },
    expected: [ofAll],
  },
  'a view': { ...byCreated, table: { kind: 'view' }, expected: [] },
  'a partitioned table': {
    ...byCreated,
    table: { kind: 'partitioned' },
    expected: [ofAll.replace('CONCURRENTLY ', '')],
  },
  'names with quotes and other signs': {
    fields: { 'a"; DROP': field.integer({ required: true }), 'a_ drop': field.integer({ required: true }) },
    columns: { 'a"; DROP': {}, 'a_ drop': {} },
    options: { sort: ['a"; DROP', 'a_ drop'], operators: { 'a"; DROP': [], 'a_ drop': [] } },
    expected: [
      'CREATE INDEX CONCURRENTLY "orders_a_drop_id" ON "s"."orders" ("a""; DROP", "id") <- sort=a"; DROP',
      'CREATE INDEX CONCURRENTLY "orders_a_drop_id_2" ON "s"."orders" ("a_ drop", "id") <- sort=a_ drop',
    ],
  },
  'a long name': {
    fields: { [long]: field.integer() },
    columns: { [long]: {} },
    options: { operators: { [long]: ['equals'] } },
    expected: [
      `CREATE INDEX CONCURRENTLY "orders_${long.slice(0, 48)}" ON "s"."orders" ("${long}") <- ${long}: equals`,
    ],
  },
  'a name that another index has': {
    ...byCreated,
    indexes: [index(['tenant'], { name: 'Orders_created_id' })],
    expected: [ofAll.replace('created_id', 'created_id_2')],
  },

  // --- Lists
  'rows of another table': { ...ofItems, ...tenant, others: [items()], expected: [itemsOrder, itemsProduct] },
  'rows of another table with indexes': {
    ...ofItems,
    ...tenant,
    others: [items(index(['order_id', 'id']), index([{ column: 'product', collation: 'default' }]))],
    expected: [],
  },
  'SQLite finds the entries of a row by their foreign key': {
    ...ofItems,
    dialect: sqlite,
    others: [items()],
    expected: ['CREATE INDEX "s"."items_order_id" ON "items" ("order_id"); ANALYZE "s"."items" <- the list items'],
  },
  'JSON in rows of another table': {
    fields: { items: field.list(field.object({ meta: field.object({ a: field.string() }) })) },
    mapping: {
      items: childTable('items', { key: 'id', foreignKey: 'order_id', columns: { meta: jsonColumn('meta') } }),
    },
    columns: {},
    options: { operators: { 'items.meta.a': ['equals'] } },
    others: [tableOf('items', { id: {}, order_id: {}, meta: of('jsonb', 9) }, [index(['order_id'])])],
    expected: [
      'CREATE INDEX CONCURRENTLY "items_meta" ON "s"."items" USING gin ("meta" jsonb_path_ops) <- items.meta.a: equals',
    ],
  },
  'a table that does not exist': { ...ofItems, expected: [] },
  'a row of another table': {
    ...ofCustomer,
    ...tenant,
    others: [customers()],
    expected: [
      'CREATE INDEX CONCURRENTLY "orders_tenant_customer_id" ON "s"."orders" ("tenant", "customer_id") <- conditions on customer',
      'CREATE INDEX CONCURRENTLY "customers_city" ON "s"."customers" ("city") <- customer.city: equals',
    ],
  },
  'a row of a table that another table refers to': {
    fields: { customer: field.object({ country: field.object({ code: field.string() }) }) },
    mapping: {
      customer: parentTable('customers', {
        key: 'id',
        foreignKey: 'customer_id',
        columns: { country: parentTable('countries', { key: 'id', foreignKey: 'country_id' }) },
      }),
    },
    columns: { customer_id: {} },
    options: { operators: { 'customer.country.code': ['equals'] } },
    ...tenant,
    others: [
      tableOf('customers', { id: {}, country_id: {} }, [primary]),
      tableOf('countries', { id: {}, code: of('text', 9_000, collated('default')) }, [primary]),
    ],
    expected: [
      'CREATE INDEX CONCURRENTLY "orders_tenant_customer_id" ON "s"."orders" ("tenant", "customer_id") <- conditions on customer',
      'CREATE INDEX CONCURRENTLY "customers_country_id" ON "s"."customers" ("country_id") <- conditions on customer.country',
      'CREATE INDEX CONCURRENTLY "countries_code" ON "s"."countries" ("code") <- customer.country.code: equals',
    ],
  },
  'a row of another table without conditions': {
    ...ofCustomer,
    options: { operators: { 'customer.city': [] } },
    others: [customers()],
    expected: [],
  },
  'a row of a small table': {
    ...ofCustomer,
    others: [{ ...customers(), rows: 50 }],
    indexes: [index(['customer_id'])],
    expected: [],
  },
  'an array': {
    fields: { tags: field.list(field.string()) },
    mapping: { tags: arrayColumn('tags') },
    columns: { tags: of('text[]', 9, { typeName: 'text' }) },
    options: { operators: { tags: ['equals', 'in', 'all'] } },
    ...tenant,
    expected: ['CREATE INDEX CONCURRENTLY "orders_tags" ON "s"."orders" USING gin ("tags") <- tags: equals, in, all'],
  },
  'an array with an index of its whole values': {
    fields: { tags: field.list(field.string()) },
    mapping: { tags: arrayColumn('tags') },
    columns: { tags: of('text[]', 9, { typeName: 'text' }) },
    options: { operators: { tags: ['equals'] } },
    indexes: [index(['tags'])],
    expected: ['CREATE INDEX CONCURRENTLY "orders_tags" ON "s"."orders" USING gin ("tags") <- tags: equals'],
  },
  'an array of another type': {
    fields: { sizes: field.list(field.integer()) },
    mapping: { sizes: arrayColumn('sizes') },
    columns: { sizes: of('integer[]', 9, { typeName: 'int4' }) },
    options: { operators: { sizes: ['equals'] } },
    indexes: [index(['sizes'], { method: 'gin' })],
    expected: [
      'CREATE INDEX CONCURRENTLY "orders_sizes" ON "s"."orders" USING gin (("sizes"::bigint[])) <- sizes: equals',
    ],
  },
  'a list in JSON': {
    fields: { tags: field.list(field.string()) },
    mapping: { tags: jsonColumn('tags') },
    columns: { tags: of('jsonb', 9) },
    options: { operators: { tags: ['equals', 'contains'] } },
    expected: [
      'CREATE INDEX CONCURRENTLY "orders_tags" ON "s"."orders" USING gin ("tags" jsonb_path_ops) <- tags: equals',
      'never: its values are read from each row: a column or a child table has an index <- tags: contains',
    ],
  },
  'a list in JSON on MySQL': {
    fields: { tags: field.list(field.string()), parts: field.list(field.object({ n: field.integer() })) },
    mapping: { tags: jsonColumn('tags'), parts: jsonColumn('parts') },
    dialect: mysql,
    columns: { tags: of('json', 9), parts: of('json', 9) },
    options: { operators: { tags: ['equals'], 'parts.n': ['equals'] } },
    indexes: [index([{ expression: 'cast(`tags` as char(40) array)' }])],
    expected: [
      `CREATE INDEX \`orders_cast_parts\` ON \`s\`.\`orders\` ((CAST(JSON_EXTRACT(\`parts\`, '$[*]."n"') AS SIGNED ARRAY))) <- parts.n: equals`,
    ],
  },
  'a value in JSON': {
    fields: { meta: field.object({ a: field.string() }) },
    mapping: { meta: jsonColumn('meta') },
    columns: { meta: of('jsonb', 9) },
    options: { sort: ['meta.a'], operators: { 'meta.a': ['equals'] } },
    expected: [
      'CREATE INDEX CONCURRENTLY "orders_meta" ON "s"."orders" USING gin ("meta" jsonb_path_ops) <- meta.a: equals',
      'never: no index orders values in JSON <- sort=meta.a',
    ],
  },
}

describe('advise', () => {
  test.each(Object.entries(cases))('%s', (_, one) => {
    expect(advised(one)).toEqual(one.expected)
  })

  const schema = defineSchema({
    id: field.integer(),
    tags: field.list(field.string()),
    items: field.list(field.object({ id: field.integer() })),
    customer: field.object({ city: field.string() }),
  })
  const mapped = table('orders', {
    schema,
    key: 'id',
    columns: {
      tags: arrayColumn('tags'),
      items: childTable('items', { foreignKey: 'order_id' }),
      customer: parentTable('customers', { key: 'id', foreignKey: 'customer_id' }),
    },
  })
  const database: Database = {
    engine: 'postgres',
    session: { searchPath: ['s'], extensions: { pg_trgm: '1.6' } },
    schemas: [],
    tables: [tableOf('orders', { id: {}, tags: of('text[]', 9) }, []), items()],
  }

  test('estimates the rows that a page reads, and needs no collection', () => {
    expect(advise(database, { dialect: postgres, table: mapped }).map(({ reads }) => reads)).toEqual([
      400_000,
      20_000,
      20_000,
      20_000,
      undefined,
    ])
  })

  test('lists nothing for a table that does not exist', () => {
    expect(advise({ ...database, tables: [] }, { dialect: postgres, table: mapped, restriction: ['id'] })).toEqual([])
  })

  test.each([
    [['total'], 'options.restriction has total, which is not a column of orders'],
    [['tags'], 'options.restriction has tags, which is not a column of orders'],
    [['customer.city'], 'options.restriction has customer.city, which is not a column of orders'],
    [['items.id'], 'options.restriction has items.id, which is not a column of orders'],
    ['id', 'options.restriction must be a list of paths'],
  ])('refuses the restriction %s', (restriction, message) => {
    expect(() => advise(database, { dialect: postgres, table: mapped, restriction: restriction as string[] })).toThrow(
      message,
    )
  })
})
