/** Whole statements of lists, from the text of a query, and the pages that are made of their rows. */
import { and, asc, desc, eq, gt, gte, inArray, lt, lte, or, sql as drizzleSql } from 'drizzle-orm'
import { integer, QueryBuilder, real, sqliteTable, text as textColumn } from 'drizzle-orm/sqlite-core'
import { DummyDriver, Kysely, sql, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/sqlite'
import qs from 'qs'
import { parseQueryOrThrow } from '../src/index.ts'
import { openSqlite, variants } from './orders.mjs'
import { flat } from './queries.mjs'
import { check, rowsOf, time } from './timing.mjs'

const limit = 20
const conditions = (at) => [
  `seller=s-${at}`,
  `total[gte]=${100 + at}`,
  `total[lte]=${9000 + at}`,
  'customerName[startsWith]=jo',
  'status[in]=paid,held',
  `day[gt]=2024-01-0${1 + (at % 9)}`,
]
const counts = { Q1: 1, Q3: 3, Q6: 6 }
const each = (make) => Array.from({ length: 32 }, (_, at) => make(at))

// --- By hand: what an endpoint writes that reads the object of qs

const escaped = (text) => text.replace(/[\\%_]/g, String.raw`\$&`)
const positionOf = (cursor) => JSON.parse(Buffer.from(cursor, 'base64url').toString())
export const cursorOf = ({ total, id }) => Buffer.from(JSON.stringify([total, id])).toString('base64url')
const limitOf = ({ limit = '20' }) => Math.min(Number(limit), 100) + 1

const db = new Kysely({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
})
const all = ['id', 'seller', 'customer_name as customerName', 'status', 'total', 'note', 'day']
const kyselyColumns = { id: 'id', status: 'status', total: 'total', note: 'note', day: 'day', seller: 'seller' }
const kyselySelects = {
  plain: (query) => query.select(all),
  hidden: (query) => query.select(all.filter((column) => column !== 'note')),
  fields: (query, { fields }) => query.select(fields.split(',').map((name) => kyselyColumns[name])),
  children: (query) =>
    query.select((eb) => [
      ...all,
      jsonArrayFrom(
        eb
          .selectFrom('order_items')
          .select(['product', 'price'])
          .whereRef('order_items.order_id', '=', 'orders.id')
          .orderBy('order_items.id'),
      ).as('items'),
    ]),
}
function byKysely({ byHand, variant }) {
  const asked = qs.parse(byHand)
  const { seller, total, customerName, status, day, cursor } = asked
  let query = kyselySelects[variant](db.selectFrom('orders'), asked)
  if (seller !== undefined) query = query.where('seller', '=', seller)
  if (total?.gte !== undefined) query = query.where('total', '>=', Number(total.gte))
  if (total?.lte !== undefined) query = query.where('total', '<=', Number(total.lte))
  if (customerName?.startsWith !== undefined)
    query = query.where(sql`customer_name like ${`${escaped(customerName.startsWith)}%`} escape '\\'`)
  if (status?.in !== undefined) query = query.where('status', 'in', status.in.split(','))
  if (day?.gt !== undefined) query = query.where('day', '>', day.gt)
  const isDown = asked.sort === '-total'
  if (cursor !== undefined) {
    const [last, id] = positionOf(cursor)
    const beyond = isDown ? '<' : '>'
    query = query.where((eb) => eb(eb.refTuple('total', 'id'), beyond, eb.tuple(last, id)))
  }
  const direction = isDown ? 'desc' : 'asc'
  const { sql: text, parameters } = query
    .orderBy('total', direction)
    .orderBy('id', direction)
    .limit(limitOf(asked))
    .compile()
  return { text, parameters }
}

const orders = sqliteTable('orders', {
  id: integer().primaryKey(),
  seller: textColumn().notNull(),
  customerName: textColumn('customer_name'),
  status: textColumn().notNull(),
  total: real().notNull(),
  note: textColumn(),
  day: textColumn().notNull(),
})
const { id, seller, customerName, status, total, note, day } = orders
const shown = { id, seller, customerName, status, total, note, day }
const { note: _, ...withoutNote } = shown
const items = drizzleSql`(select json_group_array(json_object('product', product, 'price', price)) from (select product, price from order_items where order_items.order_id = orders.id order by order_items.id))`
const drizzleSelects = {
  plain: () => shown,
  hidden: () => withoutNote,
  fields: ({ fields }) => Object.fromEntries(fields.split(',').map((name) => [name, shown[name]])),
  children: () => ({ ...shown, items }),
}
const builder = new QueryBuilder()
function byDrizzle({ byHand, variant }) {
  const asked = qs.parse(byHand)
  const where = []
  if (asked.seller !== undefined) where.push(eq(seller, asked.seller))
  if (asked.total?.gte !== undefined) where.push(gte(total, Number(asked.total.gte)))
  if (asked.total?.lte !== undefined) where.push(lte(total, Number(asked.total.lte)))
  if (asked.customerName?.startsWith !== undefined)
    where.push(drizzleSql`${customerName} like ${`${escaped(asked.customerName.startsWith)}%`} escape '\\'`)
  if (asked.status?.in !== undefined) where.push(inArray(status, asked.status.in.split(',')))
  if (asked.day?.gt !== undefined) where.push(gt(day, asked.day.gt))
  const isDown = asked.sort === '-total'
  if (asked.cursor !== undefined) {
    const [last, lastId] = positionOf(asked.cursor)
    const beyond = isDown ? lt : gt
    where.push(or(beyond(total, last), and(eq(total, last), beyond(id, lastId))))
  }
  const direction = isDown ? desc : asc
  const { sql: text, params: parameters } = builder
    .select(drizzleSelects[variant](asked))
    .from(orders)
    .where(and(...where))
    .orderBy(direction(total), direction(id))
    .limit(limitOf(asked))
    .toSQL()
  return { text, parameters }
}

// --- statement: from the text of a query to text and parameters

function byUrlwhere({ own, variant }) {
  const { collection, backend } = variants[variant]
  const { text, parameters } = backend.select(parseQueryOrThrow(collection, own))
  return { text, parameters }
}

const idsOf = (rows) => rows.map(({ id }) => id).join()
/** The values without their names, which Drizzle takes from the place of a column. A driver gives a list of rows as its JSON. */
const valuesOf = (row) =>
  JSON.stringify(Object.values(row).map((value) => (String(value).startsWith('[{') ? JSON.parse(value) : value)))
const textOfRows = (rows) => rows.slice(0, limit).map(valuesOf).join()

/** Adds the texts of a query for one variant, and checks that all statements read the same rows. */
function inputOf(database, variant, count, at, hasCursor) {
  const { collection, backend, fields } = variants[variant]
  const read = ({ text, parameters }) => database.prepare(text).all(...parameters)
  const asked = [...conditions(at).slice(0, count), 'sort=-total', `limit=${limit}`]
  if (fields !== undefined) asked.push(`fields=${fields}`)
  const first = flat(asked.join('&'))
  const firstPage = backend.select(parseQueryOrThrow(collection, first))
  const { next, rows } = firstPage.page(read(firstPage))
  const own = hasCursor ? flat(`${first}&cursor=${next}`) : first
  const byHand = hasCursor ? flat(`${first}&cursor=${cursorOf(rows.at(-1))}`) : first
  const input = { own, byHand, variant }
  const statement = backend.select(parseQueryOrThrow(collection, own))
  const page = statement.page(read(statement))
  check(page.rows.length === limit && (!hasCursor || idsOf(page.rows) !== idsOf(rows)), own)
  for (const contender of [byKysely, byDrizzle])
    check(textOfRows(read(contender(input))) === textOfRows(page.rows), `${contender.name}, ${variant}, ${own}`)
  return input
}

const count = 20_000
const asked = {
  plain: ['plain'],
  hidden: ['hidden'],
  fields: ['fields'],
  cursor: ['plain', true],
  children: ['children'],
}
const statement = {
  cases: [{}],
  processes: 3,
  run(_, settings) {
    const database = openSqlite(count)
    const sets = {}
    for (const [name, [variant, hasCursor]] of Object.entries(asked))
      for (const [query, conditions] of Object.entries(counts))
        sets[`${name}, ${query}`] = each((at) => inputOf(database, variant, conditions, at, hasCursor))
    database.close()
    const contenders = { 'qs, Kysely': byKysely, 'qs, Drizzle': byDrizzle, urlwhere: byUrlwhere }
    return rowsOf(time(contenders, sets, settings), [
      { contender: 'urlwhere', base: 'qs, Kysely', target: 0.5 },
      { contender: 'urlwhere', base: 'qs, Drizzle' },
    ])
  },
}

// --- page: from the rows of the driver to the rows of the answer, and its cursors

const mapsByHand = {
  plain: (row) => ({
    id: Number(row.c1),
    seller: row.c2,
    customerName: row.c3,
    status: row.c4,
    total: row.c5,
    note: row.c6,
    day: row.c7,
  }),
  hidden: (row) => ({
    id: Number(row.c1),
    seller: row.c2,
    customerName: row.c3,
    status: row.c4,
    total: row.c5,
    day: row.c6,
  }),
  fields: (row) => ({ id: Number(row.c1), status: row.c2, total: row.c3 }),
  children: (row) => ({
    id: Number(row.c1),
    seller: row.c2,
    customerName: row.c3,
    status: row.c4,
    total: row.c5,
    note: row.c6,
    day: row.c7,
    items: JSON.parse(row.c8).map(([product, price]) => ({ product, price })),
  }),
}
const pageByHand =
  (map) =>
  ({ rows, limit }) => {
    const mapped = rows.slice(0, limit).map(map)
    return { rows: mapped, next: rows.length > limit ? cursorOf(mapped.at(-1)) : undefined }
  }
const pageOf = ({ statement, rows }) => statement.page(rows)
const sizes = [20, 100]

function pagesOf(database, variant) {
  const { collection, backend, fields } = variants[variant]
  const more = fields === undefined ? '' : `&fields=${fields}`
  return Object.fromEntries(
    sizes.map((limit) => [
      `${limit} rows, ${variant}`,
      each((at) => {
        const query = parseQueryOrThrow(collection, `seller=s-${at}&sort=-total&limit=${limit}${more}`)
        const statement = backend.select(query)
        const rows = database.prepare(statement.text).all(...statement.parameters)
        const page = statement.page(rows)
        const byHand = pageByHand(mapsByHand[variant])({ rows, limit })
        check(JSON.stringify(page.rows) === JSON.stringify(byHand.rows), `by hand, ${JSON.stringify(rows[0])}`)
        check(
          page.rows.length === limit && page.next !== undefined && byHand.next !== undefined,
          `a next page, ${variant}`,
        )
        return { statement, rows, limit, made: page.rows }
      }),
    ]),
  )
}
const page = {
  cases: Object.keys(variants).map((variant) => ({ variant })),
  processes: 3,
  run({ variant }, settings) {
    const database = openSqlite(count)
    // A process has several lists: this one is not the first that it reads.
    for (const other of Object.keys(variants))
      for (const input of Object.values(pagesOf(database, other)).flat())
        for (let pass = 0; pass < 20; pass++) pageOf(input)
    const contenders = {
      'JSON.stringify': ({ made }) => JSON.stringify(made),
      'by hand': pageByHand(mapsByHand[variant]),
      urlwhere: pageOf,
    }
    return rowsOf(time(contenders, pagesOf(database, variant), settings), [
      { contender: 'urlwhere', base: 'JSON.stringify', target: 0.6 },
      { contender: 'urlwhere', base: 'by hand' },
    ])
  },
}

export const groups = { statement, page }
