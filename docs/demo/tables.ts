/** The tables of the demo: the statements that make and fill them, on any engine. */
import type { Dialect } from '../../src/backends/sql/index.ts'
import type { RowsContext, SqlTransaction } from '../../src/service/index.ts'
import type { LiteralType } from '../../src/tree.ts'
import type { Principal } from './accounts.ts'
import { makeExperiences, makeOrders } from './data.ts'

export type ColumnType = LiteralType | 'json'

export interface Statement {
  readonly text: string
  readonly parameters: readonly unknown[]
}
export type Row = Readonly<Record<string, unknown>>
/** The caller of a statement, and the signal that ends it. */
export type Asked = Pick<RowsContext<Principal>, 'principal' | 'signal'>

/** A database, and what is its own in SQL. */
export interface Engine {
  readonly dialect: Dialect
  /** Stands before the names of tables, where they are not alone: a schema and its point, or the start of a name. */
  readonly namespace: string
  readonly declared: Readonly<Record<ColumnType, string>>
  /** The end of CREATE TABLE. */
  readonly options: string
  /** What an index has for the operators that ignore case; undefined where indexes have columns only. */
  readonly lowered: ((column: string) => string) | undefined
  /** Runs statements one after the other: all of them or none, where the engine can. */
  readonly fill: (statements: readonly Statement[]) => Promise<void>
  /** The rows that a statement selects. Where the engine can, the signal ends the statement in the database. */
  readonly select: (statement: Statement, asked: Asked) => readonly Row[] | Promise<readonly Row[]>
  /** Runs all statements of a request in a transaction, where the engine has policies for its caller. */
  readonly transaction?: SqlTransaction<Principal>
  readonly close: () => Promise<void>
}

interface TableDefinition {
  readonly key: string
  readonly columns: Readonly<Record<string, ColumnType>>
  /** Columns that are never NULL. */
  readonly required: readonly string[]
  readonly indexed: readonly string[]
  /** Columns that are searched with case ignored. */
  readonly searched: readonly string[]
}

const tables: Readonly<Record<string, TableDefinition>> = {
  // Before the orders: PostgreSQL drops no table that a policy of another one names.
  order_items: {
    key: 'order_id, position',
    columns: { order_id: 'integer', position: 'integer', arrival: 'date', product: 'string', price: 'number' },
    required: ['order_id', 'position'],
    indexed: ['arrival'],
    searched: [],
  },
  orders: {
    key: 'id',
    columns: {
      id: 'integer',
      seller: 'string',
      arrival: 'date',
      customer_name: 'string',
      status: 'string',
      total: 'number',
      guests: 'integer',
      paid_at: 'datetime',
      gift: 'boolean',
      tags: 'json',
      contact_name: 'string',
      contact_email: 'string',
    },
    required: ['id', 'seller'],
    indexed: ['seller', 'arrival'],
    searched: ['customer_name'],
  },
  experiences: {
    key: 'id',
    columns: { id: 'integer', seller: 'string', name: 'string', price: 'number' },
    required: ['id', 'seller', 'name'],
    indexed: ['seller'],
    searched: ['name'],
  },
}

function makeRows(): Readonly<Record<keyof typeof tables, readonly Row[]>> {
  const orders = makeOrders()
  return {
    orders: orders.map(({ customerName, paidAt, customer, items: _, ...same }) => ({
      ...same,
      customer_name: customerName,
      paid_at: paidAt,
      contact_name: customer?.name,
      contact_email: customer?.email,
    })),
    order_items: orders.flatMap(({ id, items }) =>
      (items ?? []).map((item, position) => ({ order_id: id, position, ...item })),
    ),
    experiences: makeExperiences(),
  }
}

/** Makes the tables anew; it touches none but these. */
export function fillingStatements({ dialect, namespace, declared, options, lowered }: Engine): Statement[] {
  /** What the driver is given for a value: the dialect knows for its types. */
  const encoded = (type: ColumnType, value: unknown): unknown => {
    if (value === null || value === undefined) return null
    if (type === 'json') return JSON.stringify(value)
    const { encode } = dialect.types[dialect.columnTypes[type] ?? 'text']!
    return encode === undefined ? value : encode(value as string)
  }
  const plain = (text: string): Statement => ({ text, parameters: [] })
  const rows = makeRows()

  return Object.entries(tables).flatMap(([table, { key, columns, required, indexed, searched }]) => {
    const name = namespace + table
    const entries = Object.entries(columns)
    const insert = (some: readonly Row[]): Statement => {
      const parameters = some.flatMap((row) => entries.map(([column, type]) => encoded(type, row[column])))
      const marks = some.map((_, at) => {
        const own = entries.map((_, column) => dialect.placeholder(at * entries.length + column + 1))
        return `(${own.join(', ')})`
      })
      const names = Object.keys(columns).join(', ')
      return { text: `INSERT INTO ${name} (${names}) VALUES ${marks.join(', ')}`, parameters }
    }
    const nullness = (column: string) => (required.includes(column) ? ' NOT NULL' : '')
    const declarations = entries.map(([column, type]) => `${column} ${declared[type]}${nullness(column)}`).join(', ')
    return [
      plain(`DROP TABLE IF EXISTS ${name}`),
      plain(`CREATE TABLE ${name} (${declarations}, PRIMARY KEY (${key}))${options}`),
      ...chunks(rows[table]!, 200).map(insert),
      ...indexed.map((column) => plain(`CREATE INDEX ${table}_${column} ON ${name} (${column})`)),
      ...(lowered === undefined
        ? []
        : searched.map((column) => plain(`CREATE INDEX ${table}_${column} ON ${name} (${lowered(column)})`))),
    ]
  })
}

/** Many rows in one statement, within what engines allow of parameters. */
const chunks = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, at) => all.slice(at * size, (at + 1) * size))
