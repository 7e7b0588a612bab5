/** Text → all that the page shows of it: every form of one query of the demo's orders, made by the library. */
import { memoryBackend } from '../../src/backends/memory/index.ts'
import { mongoBackend, type MongoQuery } from '../../src/backends/mongo/index.ts'
import {
  childTable,
  column,
  jsonColumn,
  mariadb,
  mysql,
  postgres,
  postgres17,
  sqlBackend,
  sqlite,
  table,
  type Dialect,
  type SqlQuery,
} from '../../src/backends/sql/index.ts'
import { makeOrders, orderOptions, orders, type Order } from '../demo/data.ts'
import { describe } from '../../src/tools/explain/index.ts'
import {
  defineCollection,
  FilterError,
  parseQuery,
  printQuery,
  pickFields,
  toPage,
  type FacetValues,
  type Issues,
  type Page,
  type Query,
} from '../../src/index.ts'
import {
  jsonApi,
  jsonServer,
  nestPaginate,
  printNotation,
  reactAdmin,
  strapi,
  type Notation,
} from '../../src/clients/notations/index.ts'
import { withParameter } from './pairs.ts'

/** The rows of the demo. The first has the `id` 1, and so on. */
export const rows: readonly Order[] = makeOrders()

/** The collection of the demo with `offset`: most notations require this option. */
export const orderCollection = defineCollection(orders, { ...orderOptions, offset: { max: rows.length } })

/** The notations by the names that the page shows. `urlwhere` is the language of this library. */
const notations: Readonly<Record<string, Notation | undefined>> = {
  ...{ urlwhere: undefined, 'JSON:API': jsonApi, 'react-admin': reactAdmin, 'json-server': jsonServer },
  ...{ Strapi: strapi, 'nestjs-paginate': nestPaginate },
}
export const notationNames: readonly string[] = Object.keys(notations)
/** The name of the language of this library. */
export const ownNotation = notationNames[0]!

/** Where the demo's SQL databases keep an order. */
const ordersTable = table('orders', {
  schema: orders,
  key: 'id',
  columns: {
    id: column('id', { notNull: true }),
    customerName: 'customer_name',
    paidAt: 'paid_at',
    tags: jsonColumn('tags'),
    customer: { name: 'contact_name', email: 'contact_email' },
    items: childTable('order_items', { key: 'id', foreignKey: 'order_id' }),
  },
})

/** The dialects of the package, as the page calls them. */
const dialects: Readonly<Record<string, Dialect>> = {
  PostgreSQL: postgres,
  'PostgreSQL 17+': postgres17,
  MySQL: mysql,
  MariaDB: mariadb,
  SQLite: sqlite,
}
export const dialectNames: readonly string[] = Object.keys(dialects)
const sqlBackends = Object.entries(dialects).map(
  ([name, dialect]) => [name, sqlBackend({ dialect, table: ordersTable, alias: 'o' })] as const,
)
const mongo = mongoBackend({ schema: orders })
// The page has a Content Security Policy.
const memory = memoryBackend({ codegen: false })

/** What a backend gives for a query, or why it refuses it. */
export type Compiled<Output> = { readonly output: Output } | { readonly refusal: Issues }

export const hasOutput = <Output>(compiled: Compiled<Output>): compiled is { readonly output: Output } =>
  Object.hasOwn(compiled, 'output')

export interface Statement {
  readonly text: string
  readonly parameters: readonly unknown[]
}

/** A query in every form. */
export interface Answer {
  readonly text: string
  readonly query: Query
  readonly sentence: string
  /** The text of the query in each notation. The text of `urlwhere` is canonical. */
  readonly texts: Readonly<Record<string, Compiled<string>>>
  readonly sql: Readonly<Record<string, Compiled<Statement>>>
  /** The statement of `select`, which reads nested rows and names every column. */
  readonly whole: (dialect: string) => Compiled<Statement>
  readonly mongo: Compiled<Omit<MongoQuery, 'read' | 'page'>>
  /** How many rows the filter selects, on all pages. */
  readonly count: number
  /** The rows of the page, whole; `cut` keeps the selected fields. */
  readonly page: Page<Order>
  readonly cut: (row: Order) => Partial<Order>
  /** The facets that the text names; those of the collection where it names none. With them, the query may pass a limit. */
  readonly facets: Compiled<FacetValues>
}

export type Result = { readonly ok: true; readonly answer: Answer } | { readonly ok: false; readonly issues: Issues }

/** @throws whatever is no FilterError: that would be a fault of the library. */
function compiled<Output>(make: () => Output): Compiled<Output> {
  try {
    return { output: make() }
  } catch (error) {
    if (error instanceof FilterError) return { refusal: error.issues }
    throw error
  }
}

/** Writes a query in a notation. Quotes stay unescaped, because every parser accepts them. */
function textIn(name: string, query: Query): string {
  const notation = notations[name]
  if (notation === undefined) return printQuery(orderCollection, query)
  return printNotation(orderCollection, query, notation, { name: 'orders' }).replaceAll('%22', '"')
}

/** Parses a text in the library's language, and writes the query in a notation. */
export function translated(text: string, name: string): Compiled<string> {
  const result = parseQuery(orderCollection, text)
  if (!result.ok) return { refusal: result.issues }
  return name === ownNotation ? { output: text } : compiled(() => textIn(name, result.query))
}

/** Parses a text in a notation, and compiles the query with every backend. */
export function answerTo(text: string, name = ownNotation): Result {
  const result = parseQuery(orderCollection, text, { notation: notations[name] })
  if (!result.ok) return result
  const { query } = result
  const read = memory.compileQuery({ ...query, count: true })(rows)
  const texts = Object.fromEntries(notationNames.map((one) => [one, compiled(() => textIn(one, query))]))
  return {
    ok: true,
    answer: {
      text,
      query,
      sentence: describe(query.filter),
      texts,
      sql: Object.fromEntries(
        sqlBackends.map(([name, backend]) => [name, compiled(() => statementOf(backend.compileQuery(query), query))]),
      ),
      whole: (dialect) => {
        const [, backend] = sqlBackends.find(([name]) => name === dialect)!
        return compiled(() => backend.select(query))
      },
      mongo: compiled(() => {
        const { read: _, page: __, ...shown } = mongo.compileQuery(query)
        return shown
      }),
      // Without a maximum, all are counted.
      count: read.count as number,
      page: toPage(query, read.rows as readonly Order[]),
      facets: facetsOf(name === ownNotation ? { output: text } : texts[ownNotation]!, query),
      cut: query.fields === undefined ? (row) => row : (pickFields(query.fields) as (row: Order) => Partial<Order>),
    },
  }
}

/** The values of facets, whose filters the parser decides. */
function facetsOf(text: Compiled<string>, query: Query): Compiled<FacetValues> {
  if (query.facets !== undefined) return { output: memory.facets(query)(rows) }
  if (!hasOutput(text)) return text
  const result = parseQuery(
    orderCollection,
    withParameter(text.output, 'facets', [...orderCollection.facets.keys()].join(',')),
  )
  return result.ok ? { output: memory.facets(result.query)(rows) } : { refusal: result.issues }
}

/** The statement around what the backend gives: it names columns where the query selects fields. */
function statementOf({ text, parameters, columns }: SqlQuery, { fields }: Query): Statement {
  // The first column is `"o"."id"`, in the quotes of the dialect.
  const [alias] = columns[0]!.split('.')
  const quote = alias!.at(-1)!
  const selected = fields === undefined ? `${alias}.*` : columns.join(', ')
  return { text: `SELECT ${selected} FROM ${quote}orders${quote} AS ${alias} ${text}`, parameters }
}
