/** One shop in the tables of each database that Drizzle has, as programs declare them; and rows of it. */
import { relations } from 'drizzle-orm'
import * as my from 'drizzle-orm/mysql-core'
import * as pg from 'drizzle-orm/pg-core'
import * as lite from 'drizzle-orm/sqlite-core'

const statuses = ['paid', 'held', 'new'] as const

// --- PostgreSQL

export const pgStatus = pg.pgEnum('order_status', statuses)
const pgCountries = pg.pgTable('countries', { code: pg.varchar({ length: 2 }).primaryKey(), name: pg.text().notNull() })
const pgCustomers = pg.pgTable('customers', {
  id: pg.integer().primaryKey(),
  name: pg.text('full_name').notNull(),
  tier: pg.text({ enum: ['gold', 'silver'] }),
  countryCode: pg.varchar('country_code', { length: 2 }).references(() => pgCountries.code),
})
const pgProfiles = pg.pgTable('profiles', {
  customerId: pg.integer('customer_id').notNull().unique(),
  bio: pg.text(),
})
const pgProducts = pg.pgTable('products', { id: pg.uuid().primaryKey(), name: pg.varchar({ length: 99 }) })
const pgOrders = pg.pgTable('orders', {
  id: pg.integer().primaryKey(),
  customerId: pg.integer('customer_id').references(() => pgCustomers.id),
  status: pgStatus(),
  total: pg.numeric({ precision: 12, scale: 2 }),
  guests: pg.bigint({ mode: 'number' }),
  gift: pg.boolean(),
  arrival: pg.date(),
  placedAt: pg.timestamp('placed_at', { withTimezone: true, precision: 3 }),
  meta: pg.jsonb(),
})
const pgItems = pg.pgTable('order_items', {
  id: pg.integer().primaryKey(),
  orderId: pg.integer('order_id').notNull(),
  productId: pg.uuid('product_id'),
  price: pg.doublePrecision(),
})
const pgLedger = pg.pgTable('ledger', {
  id: pg.uuid().primaryKey(),
  number: pg.bigint({ mode: 'bigint' }).notNull(),
  price: pg.numeric(),
  at: pg.timestamp({ withTimezone: true, mode: 'string' }).notNull(),
  kind: pgStatus().notNull(),
})
export const pgTables = {
  countries: pgCountries,
  customers: pgCustomers,
  profiles: pgProfiles,
  products: pgProducts,
  orders: pgOrders,
  items: pgItems,
  ledger: pgLedger,
  customersRelations: relations(pgCustomers, ({ one, many }) => ({
    country: one(pgCountries, { fields: [pgCustomers.countryCode], references: [pgCountries.code] }),
    profile: one(pgProfiles),
    orders: many(pgOrders),
  })),
  profilesRelations: relations(pgProfiles, ({ one }) => ({
    customer: one(pgCustomers, { fields: [pgProfiles.customerId], references: [pgCustomers.id] }),
  })),
  ordersRelations: relations(pgOrders, ({ one, many }) => ({
    customer: one(pgCustomers, { fields: [pgOrders.customerId], references: [pgCustomers.id] }),
    items: many(pgItems),
  })),
  itemsRelations: relations(pgItems, ({ one }) => ({
    order: one(pgOrders, { fields: [pgItems.orderId], references: [pgOrders.id] }),
    product: one(pgProducts, { fields: [pgItems.productId], references: [pgProducts.id] }),
  })),
}
export const pgDefinitions = [
  "CREATE TYPE order_status AS ENUM ('paid', 'held', 'new')",
  'CREATE TABLE countries (code varchar(2) PRIMARY KEY, name text NOT NULL)',
  'CREATE TABLE customers (id integer PRIMARY KEY, full_name text NOT NULL, tier text, country_code varchar(2))',
  'CREATE TABLE profiles (customer_id integer NOT NULL UNIQUE, bio text)',
  'CREATE TABLE products (id uuid PRIMARY KEY, name varchar(99))',
  `CREATE TABLE orders (id integer PRIMARY KEY, customer_id integer, status order_status, total numeric(12, 2), guests bigint,
    gift boolean, arrival date, placed_at timestamp(3) with time zone, meta jsonb)`,
  'CREATE TABLE order_items (id integer PRIMARY KEY, order_id integer NOT NULL, product_id uuid, price double precision)',
  `CREATE TABLE ledger (id uuid PRIMARY KEY, number bigint NOT NULL, price numeric, at timestamptz NOT NULL,
    kind order_status NOT NULL)`,
]

// --- MySQL

const myCountries = my.mysqlTable('countries', {
  code: my.varchar({ length: 2 }).primaryKey(),
  name: my.text().notNull(),
})
const myCustomers = my.mysqlTable('customers', {
  id: my.int().primaryKey(),
  name: my.varchar('full_name', { length: 99 }).notNull(),
  tier: my.mysqlEnum(['gold', 'silver']),
  countryCode: my.varchar('country_code', { length: 2 }),
})
const myProfiles = my.mysqlTable('profiles', {
  customerId: my.int('customer_id').notNull().unique(),
  bio: my.text(),
})
const myProducts = my.mysqlTable('products', { id: my.char({ length: 36 }).primaryKey(), name: my.text() })
const myOrders = my.mysqlTable('orders', {
  id: my.int().primaryKey(),
  customerId: my.int('customer_id'),
  status: my.mysqlEnum(statuses),
  total: my.decimal({ precision: 12, scale: 2 }),
  guests: my.bigint({ mode: 'number' }),
  gift: my.boolean(),
  arrival: my.date({ mode: 'string' }),
  placedAt: my.datetime('placed_at', { fsp: 3 }),
  meta: my.json(),
})
const myItems = my.mysqlTable('order_items', {
  id: my.int().primaryKey(),
  orderId: my.int('order_id').notNull(),
  productId: my.char('product_id', { length: 36 }),
  price: my.double(),
})
const myLedger = my.mysqlTable('ledger', {
  id: my.char({ length: 36 }).primaryKey(),
  number: my.bigint({ mode: 'bigint' }).notNull(),
  price: my.decimal({ precision: 40, scale: 20 }),
  at: my.datetime({ fsp: 6, mode: 'string' }).notNull(),
  kind: my.mysqlEnum(statuses).notNull(),
})
export const mysqlTables = {
  countries: myCountries,
  customers: myCustomers,
  profiles: myProfiles,
  products: myProducts,
  orders: myOrders,
  items: myItems,
  ledger: myLedger,
  customersRelations: relations(myCustomers, ({ one, many }) => ({
    country: one(myCountries, { fields: [myCustomers.countryCode], references: [myCountries.code] }),
    profile: one(myProfiles),
    orders: many(myOrders),
  })),
  profilesRelations: relations(myProfiles, ({ one }) => ({
    customer: one(myCustomers, { fields: [myProfiles.customerId], references: [myCustomers.id] }),
  })),
  ordersRelations: relations(myOrders, ({ one, many }) => ({
    customer: one(myCustomers, { fields: [myOrders.customerId], references: [myCustomers.id] }),
    items: many(myItems),
  })),
  itemsRelations: relations(myItems, ({ one }) => ({
    order: one(myOrders, { fields: [myItems.orderId], references: [myOrders.id] }),
    product: one(myProducts, { fields: [myItems.productId], references: [myProducts.id] }),
  })),
}
export const mysqlDefinitions = [
  'CREATE TABLE countries (code varchar(2) PRIMARY KEY, name text NOT NULL) CHARACTER SET utf8mb4',
  `CREATE TABLE customers (id int PRIMARY KEY, full_name varchar(99) NOT NULL, tier enum('gold', 'silver'),
    country_code varchar(2)) CHARACTER SET utf8mb4`,
  'CREATE TABLE profiles (customer_id int NOT NULL UNIQUE, bio text) CHARACTER SET utf8mb4',
  'CREATE TABLE products (id char(36) PRIMARY KEY, name text) CHARACTER SET utf8mb4',
  `CREATE TABLE orders (id int PRIMARY KEY, customer_id int, status enum('paid', 'held', 'new'), total decimal(12, 2),
    guests bigint, gift boolean, arrival date, placed_at datetime(3), meta json) CHARACTER SET utf8mb4`,
  'CREATE TABLE order_items (id int PRIMARY KEY, order_id int NOT NULL, product_id char(36), price double) CHARACTER SET utf8mb4',
  `CREATE TABLE ledger (id char(36) PRIMARY KEY, number bigint NOT NULL, price decimal(40, 20), at datetime(6) NOT NULL,
    kind enum('paid', 'held', 'new') NOT NULL) CHARACTER SET utf8mb4`,
]

// --- SQLite

const liteCountries = lite.sqliteTable('countries', { code: lite.text().primaryKey(), name: lite.text().notNull() })
const liteCustomers = lite.sqliteTable('customers', {
  id: lite.integer().primaryKey(),
  name: lite.text('full_name').notNull(),
  tier: lite.text({ enum: ['gold', 'silver'] }),
  countryCode: lite.text('country_code'),
})
const liteProfiles = lite.sqliteTable('profiles', {
  customerId: lite.integer('customer_id').notNull().unique(),
  bio: lite.text(),
})
const liteProducts = lite.sqliteTable('products', { id: lite.text().primaryKey(), name: lite.text() })
const liteOrders = lite.sqliteTable('orders', {
  id: lite.integer().primaryKey(),
  customerId: lite.integer('customer_id'),
  status: lite.text({ enum: statuses }),
  total: lite.real(),
  guests: lite.integer(),
  gift: lite.integer({ mode: 'boolean' }),
  arrival: lite.text(),
  placedAt: lite.integer('placed_at', { mode: 'timestamp_ms' }),
  meta: lite.text({ mode: 'json' }),
})
const liteItems = lite.sqliteTable('order_items', {
  id: lite.integer().primaryKey(),
  orderId: lite.integer('order_id').notNull(),
  productId: lite.text('product_id'),
  price: lite.real(),
})
export const sqliteTables = {
  countries: liteCountries,
  customers: liteCustomers,
  profiles: liteProfiles,
  products: liteProducts,
  orders: liteOrders,
  items: liteItems,
  customersRelations: relations(liteCustomers, ({ one, many }) => ({
    country: one(liteCountries, { fields: [liteCustomers.countryCode], references: [liteCountries.code] }),
    profile: one(liteProfiles),
    orders: many(liteOrders),
  })),
  profilesRelations: relations(liteProfiles, ({ one }) => ({
    customer: one(liteCustomers, { fields: [liteProfiles.customerId], references: [liteCustomers.id] }),
  })),
  ordersRelations: relations(liteOrders, ({ one, many }) => ({
    customer: one(liteCustomers, { fields: [liteOrders.customerId], references: [liteCustomers.id] }),
    items: many(liteItems),
  })),
  itemsRelations: relations(liteItems, ({ one }) => ({
    order: one(liteOrders, { fields: [liteItems.orderId], references: [liteOrders.id] }),
    product: one(liteProducts, { fields: [liteItems.productId], references: [liteProducts.id] }),
  })),
}
export const sqliteDefinitions = [
  'CREATE TABLE countries (code TEXT PRIMARY KEY, name TEXT NOT NULL) STRICT',
  'CREATE TABLE customers (id INTEGER PRIMARY KEY, full_name TEXT NOT NULL, tier TEXT, country_code TEXT) STRICT',
  'CREATE TABLE profiles (customer_id INTEGER NOT NULL UNIQUE, bio TEXT) STRICT',
  'CREATE TABLE products (id TEXT PRIMARY KEY, name TEXT) STRICT',
  `CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER, status TEXT, total REAL, guests INTEGER, gift INTEGER,
    arrival TEXT, placed_at INTEGER, meta TEXT) STRICT`,
  'CREATE TABLE order_items (id INTEGER PRIMARY KEY, order_id INTEGER NOT NULL, product_id TEXT, price REAL) STRICT',
]

// --- What is in them

const kayak = '00000000-0000-4000-8000-00000000000a'
const ski = '00000000-0000-4000-8000-00000000000b'
/** Rows by table, in an order in which they can be inserted. */
export const stored = {
  countries: [
    { code: 'AT', name: 'Austria' },
    { code: 'DE', name: 'Germany' },
  ],
  customers: [
    { id: 1, name: 'Kim Öztürk', tier: 'gold', countryCode: 'AT' },
    { id: 2, name: 'İbrahim' },
    { id: 3, name: 'kim', tier: 'silver', countryCode: 'DE' },
  ],
  profiles: [{ customerId: 1, bio: 'Likes to surf' }, { customerId: 2 }],
  products: [
    { id: kayak, name: 'Kayak' },
    { id: ski, name: 'Ski' },
  ],
  orders: [
    {
      ...{ id: 1, customerId: 1, status: 'paid', total: '120.50', guests: 2, gift: true, arrival: '2024-06-01' },
      ...{ placedAt: new Date('2024-05-30T10:00:00.123Z'), meta: { source: 'web', steps: ['seen', 'paid'] } },
    },
    {
      ...{ id: 2, customerId: 2, status: 'held', total: '80.00', gift: false, arrival: '2024-06-03' },
      ...{ placedAt: new Date('2024-06-01T00:00:00.000Z'), meta: { source: 'shop' } },
    },
    { id: 3, status: 'paid', guests: 9_007_199_254_740_991 },
    { id: 4, customerId: 3, total: '95.00' },
  ],
  items: [
    { id: 1, orderId: 1, productId: kayak, price: 60 },
    { id: 2, orderId: 1, productId: ski, price: 12.5 },
    { id: 3, orderId: 2, productId: kayak, price: 20 },
    { id: 4, orderId: 4 },
  ],
  ledger: [
    {
      ...{ id: 'f0000000-0000-4000-8000-000000000001', number: 2n ** 53n, price: '1.10' },
      ...{ at: '2024-05-30T10:00:00.123456Z', kind: 'paid' },
    },
    {
      ...{ id: '00000000-0000-4000-8000-000000000002', number: 2n ** 53n + 1n, price: '-0.30' },
      ...{ at: '2024-05-30T10:00:00.123000Z', kind: 'held' },
    },
    {
      ...{ id: 'A0000000-0000-4000-8000-00000000000F', number: -(2n ** 63n), price: null },
      ...{ at: '2024-05-30T10:00:00.123456Z', kind: 'paid' },
    },
    {
      ...{
        id: '90000000-0000-4000-8000-000000000004',
        number: 2n ** 63n - 1n,
        price: '12345678901234567890.12345678901234',
      },
      ...{ at: '2024-05-30T10:00:00.124000Z', kind: 'new' },
    },
  ],
} as const
