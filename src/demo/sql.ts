/** The store of the demo in SQL, whatever the engine: where the fields are, and the statements that list rows. */
import { childTable, column, jsonColumn, sqlBackend, table, type SqlPiece, type Table } from '../backends/sql/index.ts'
import type { Query } from '../index.ts'
import { experiences, orders } from './data.ts'
import type { CountedRows, Store } from './store.ts'
import { fillingStatements, type Engine, type Row } from './tables.ts'

/** A store in tables, which are made anew. */
export async function sqlStore(engine: Engine): Promise<Store> {
  try {
    await engine.fill(fillingStatements(engine))
    return storeOf(engine)
  } catch (error) {
    await engine.close()
    throw error
  }
}

function storeOf(engine: Engine): Store {
  const nameOf = (table: string) => (engine.namespace + table).split('.')
  const id = column('id', { notNull: true })
  const mappedOrders = table(nameOf('orders'), {
    schema: orders,
    key: 'id',
    columns: {
      id,
      customerName: 'customer_name',
      paidAt: 'paid_at',
      tags: jsonColumn('tags'),
      customer: { name: 'contact_name', email: 'contact_email' },
      items: childTable(nameOf('order_items'), { foreignKey: 'order_id' }),
    },
  })
  const mappedExperiences = table(nameOf('experiences'), { schema: experiences, columns: { id } })

  /** One statement is enough: the condition contains restriction, filter and position. */
  const rowsOf = (alias: string, mapped: Table, columns: string, made: (row: Row) => unknown): CountedRows => {
    const backend = sqlBackend({ dialect: engine.dialect, table: mapped, alias })
    const { compileQuery } = backend
    const from = `FROM ${[mapped.name].flat().join('.')} AS ${alias}`
    const select = (what: string, { text, parameters }: SqlPiece) =>
      engine.select({ text: `SELECT ${what} ${from} ${text}`, parameters })
    return {
      backend,
      find: async (query: Query) => (await select(columns, compileQuery(query))).map(made),
      count: async (query: Query) => {
        const { count } = compileQuery(query)
        const [row] = await select('count(*) AS number', { ...count, text: `WHERE ${count.text}` })
        // A text or a bigint from some drivers.
        return Number(row!.number)
      },
    }
  }
  return {
    orders: rowsOf('orders', mappedOrders, orderColumns(engine), orderOf),
    experiences: rowsOf('experiences', mappedExperiences, 'id, seller, name, price', (row) => row),
    close: engine.close,
  }
}

/** What an order is made of. The items are one object by position: aggregates come in no order on some engines. */
const orderColumns = ({ namespace, date, datetime, object, objectOf }: Engine): string => {
  const item = `${object}('arrival', ${date('i.arrival')}, 'product', i.product, 'price', i.price)`
  return `id, seller, ${date('arrival')} AS arrival, customer_name, status, total, guests,
    ${datetime('paid_at')} AS paid_at, gift, tags, contact_name, contact_email,
    (SELECT ${objectOf}(i.position, ${item}) FROM ${namespace}order_items AS i WHERE i.order_id = orders.id) AS items`
}

const orderOf = (row: Row) => ({
  id: row.id,
  seller: row.seller,
  arrival: row.arrival,
  customerName: row.customer_name,
  status: row.status,
  total: row.total,
  guests: row.guests,
  paidAt: row.paid_at,
  gift: row.gift === null ? null : Boolean(row.gift),
  tags: parsed(row.tags),
  // Columns cannot tell an object without a value from none.
  customer:
    row.contact_name === null && row.contact_email === null
      ? null
      : { name: row.contact_name, email: row.contact_email },
  // In order of position, as JavaScript has keys that are whole numbers. MySQL sorts the members of each item.
  items: Object.values((parsed(row.items) ?? {}) as Row).map((item) => {
    const { arrival, product, price } = item as Row
    return { arrival, product, price }
  }),
})

/** JSON that some drivers have parsed already. */
const parsed = (json: unknown): object | null => (typeof json === 'string' ? JSON.parse(json) : json) as object | null
