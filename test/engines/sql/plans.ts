/**
 * Which index serves which condition: many rows on each engine, the indexes that docs/reference/sql-indexes.md recommends, the plans.
 * `node test/engines/sql/plans.ts` prints the tables of that page; POSTGRES_URL, MARIADB_URL and MYSQL_URL say where the servers are.
 */
import { randomUUID } from 'node:crypto'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import {
  arrayColumn,
  childTable,
  column,
  jsonColumn,
  parentTable,
  postgres,
  sqlBackend,
  table,
  type ColumnOptions,
  type Dialect,
} from '../../../src/backends/sql/index.ts'
import {
  defineCollection,
  defineSchema,
  field,
  parseFilterOrThrow,
  parseQueryOrThrow,
  restrict,
  type Field,
  type OrderOptions,
  type Schema,
  type Query,
} from '../../../src/index.ts'
import { type LiteralType, type OperatorName } from '../../../src/tree.ts'
import { flatten, raw } from '../../../src/backends/sql/dialect/sql.ts'
import {
  enumOf,
  openMariadb,
  openMysql,
  openPostgres,
  openPostgres18,
  openSqlite,
  postgresColumns,
  postgresPlanning,
  wholeSqlite,
  type Engine,
} from './engines.ts'
import { own } from '../../../src/own.ts'
import { byCompleteness, byEffort, isFull } from '../../effort.ts'
import { advise, inspect, type Advice } from '../../../src/tools/inspect/index.ts'
import { newPglite } from './pglite.ts'

/** What operators are asked for: few rows, so that an index is the way to them. */
interface Operands {
  readonly one: string
  readonly some: string
  readonly span: string
  readonly low: string
  readonly high: string
}
const operandsOf = (one: string, some: string, span: string, low: string, high: string): Operands => ({
  ...{ one, some, span, low, high },
})
const uuid = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
const noon = (day: string, time = '12') => `2020-${day}T${time}:00:00Z`
const operands: Readonly<Record<LiteralType, Operands>> = {
  string: operandsOf('Guest 1234', 'Guest 1234,Guest 77', 'Guest 1234,Guest 1235', 'Guest 1000', 'Guest 9999'),
  integer: operandsOf('5', '5,6,7', '5,6', '3', '997'),
  bigint: operandsOf('5', '5,6,7', '5,6', '30', '199990'),
  decimal: operandsOf('5', '5,7.25', '50,60.25', '99.5', '49900'),
  number: operandsOf('5', '5,7.25', '50,60.25', '99.5', '49900'),
  boolean: operandsOf('true', '', '', '', ''),
  date: operandsOf('2020-02-02', '2020-02-02,2020-02-07', '2020-02-02,2020-02-03', '2020-01-03', '2022-09-24'),
  datetime: operandsOf(
    noon('02-02'),
    `${noon('02-02')},${noon('02-03')}`,
    `${noon('02-02')},${noon('02-02', '13')}`,
    noon('01-01'),
    noon('05-18'),
  ),
  time: operandsOf('01:00', '01:00,02:00:01', '01:00,01:00:10', '00:00:30', '23:59:30'),
  uuid: operandsOf(uuid(1_234), `${uuid(1_234)},${uuid(77)}`, `${uuid(1_234)},${uuid(1_235)}`, uuid(10), uuid(199_990)),
}
const askedFor: Readonly<Partial<Record<OperatorName, keyof Operands>>> = {
  equals: 'one',
  in: 'some',
  range: 'span',
  gt: 'high',
  gte: 'high',
  lt: 'low',
  lte: 'low',
}
const parts: Readonly<Partial<Record<OperatorName, string>>> = {
  startsWith: 'guest 1234',
  endsWith: '71234',
  contains: '71234',
  equalsIgnoreCase: 'guest 1234',
  startsWithExact: 'Guest 1234',
  endsWithExact: '71234',
  containsExact: '71234',
  exists: 'true',
}

/** Conditions that differ by operator, or one query, and the indexes that they are promised: none, with the reason. */
export interface Line {
  /** A field; without operators, a query. */
  readonly asked: string
  readonly operators?: readonly OperatorName[]
  /** Whether what the caller may see stands before it. */
  readonly restricted?: boolean
  readonly indexes: readonly string[]
  readonly note?: string
}
const order = 'gt gte lt lte range'
const plain = `equals ${order} in`
const line = (asked: string, operators: string, ...indexes: readonly string[]): Line => ({
  asked,
  operators: operators.split(' ') as OperatorName[],
  indexes,
})
const none = (asked: string, operators: string, note: string): Line => ({ ...line(asked, operators), note })
const query = (asked: string, ...indexes: readonly string[]): Line => ({ asked, indexes })
const noQuery = (asked: string, note: string): Line => ({ asked, indexes: [], note })

/** The indexes in which a plan looks for something: not those that it reads from end to end. */
export interface Used {
  readonly query: string
  /** Which of the engine's plans. */
  readonly plan: string
  readonly indexes: readonly string[]
  /** The indexes that it reads in place of their table. */
  readonly covering: readonly string[]
  readonly isSorted: boolean
}
export const isKept = ({ indexes }: Line, used: Omit<Used, 'query'>): boolean =>
  indexes.length === 0 ? used.indexes.length === 0 : indexes.every((index) => used.indexes.includes(index))

// --- Facets

/** The facet of a query, and the index that its statement reads in place of the table. */
export interface FacetLine {
  readonly asked: string
  readonly index: string
}
export const facets: readonly FacetLine[] = [
  { asked: 'facets=place', index: 'by_place' },
  { asked: 'area=a7&facets=kind', index: 'by_area_kind' },
  { asked: 'seller=s7&facets=items.product', index: 'order_items_order_product' },
]

// --- Pages

/** The rows of orders: planners choose at these sizes as the guide says. */
const total = byEffort(200_000, byCompleteness(100_000, 20_000))

/** How many rows a page has, and how many of ten are before it. */
const pageSize = 20
const depth = 0.9

/** What of the rows a page at that depth reads: how many at least and at most. */
const readings = {
  page: { words: 'the page', least: pageSize, most: pageSize + 10 },
  dropped: { words: 'the page, and what the filter drops', least: pageSize, most: 3 * pageSize },
  cached: {
    words: 'the page; while the table is not in memory, what the filter drops, too',
    least: pageSize,
    most: 11 * pageSize,
  },
  ranges: { words: 'the page, once from each range', least: pageSize, most: 4 * pageSize },
  /** MySQL also counts the rows of the ranges that it reads again to sort them. */
  'ranges, sorted': {
    words: 'the page, once from each range, and again to sort it',
    least: pageSize,
    most: 7 * pageSize,
  },
  /** Three ranges, each read into a table, and this one into another. */
  'three ranges, sorted': {
    words: 'the page, once from each range, and again to sort it',
    least: pageSize,
    most: 11 * pageSize,
  },
  equals: { words: 'the page, and up to all rows that an equality selects', least: total / 100, most: total / 2 },
} as const satisfies Record<string, { words: string; least: number; most: number }>
type Reading = keyof typeof readings

/** Orders that one index serves, or two. */
export interface PageLine {
  readonly sorts: readonly string[]
  readonly filter: string
  /** The key of the collection. */
  readonly key: string
  readonly indexes: readonly string[]
  readonly next: Reading
  readonly previous: Reading
}
const pages = (
  sorts: string,
  indexes: string,
  { filter = '', key = 'id', next = 'page', previous = next }: Partial<Omit<PageLine, 'sorts' | 'indexes'>> = {},
): PageLine => ({ sorts: sorts.split(' '), filter, key, indexes: indexes.split(' '), next, previous })

/** How a page is read, and whether it is the one that is there by OFFSET. */
export interface UsedPage extends Used {
  readonly toward: 'next' | 'previous'
  readonly isRight: boolean
  readonly rows: number
}
/** Whether a page is read as its line says. For the range of one first value, a planner may read another index with this value. */
export function isPageKept(line: PageLine, { toward, isRight, rows, isSorted, indexes }: UsedPage): boolean {
  const { least, most } = readings[line[toward]]
  const isNamed = (index: string) => line.indexes.includes(index)
  // The statement sorts the rows of the ranges.
  const hasRanges = line[toward].includes('ranges')
  const isSought = hasRanges ? indexes.some(isNamed) : !isSorted && indexes.length > 0 && indexes.every(isNamed)
  return isRight && rows >= least && rows <= most && isSought
}

interface Column {
  readonly field: Field
  readonly declared: string
  /** Of row `n`, in SQL. */
  readonly value: string
  readonly place?: (name: string) => ColumnOptions[string]
  readonly operands?: Operands
}
const columnOf = (type: LiteralType, declared: string, value: string, stored?: string): Column => ({
  field: (field[type] as () => Field)(),
  declared,
  value,
  ...(stored !== undefined && { place: (name) => column<string>(name, { type: stored }) }),
})

/** An enumeration of the engine. It lacks a value, unless the mapping names it. */
const stateIn = (declared: string, cast = '', isNamed = false): Column => ({
  field: field.enumeration(isNamed ? states : [...states, 'lost']),
  declared,
  value: `concat('state ', n % 200)${cast}`,
  place: (name) => column(name, { type: 'enum', ...(isNamed && { name: declared }) }),
  operands: { ...operands.string, one: 'state 7', some: isNamed ? 'state 7,state 8' : 'state 7,state 8,lost' },
})
const states = Array.from({ length: 200 }, (_, at) => `state ${at}`)
const stateType = enumOf(states)

/** What engines differ in. */
interface Kind {
  /** A place of its own for the tables, and how it goes. */
  readonly open: readonly string[]
  readonly drop: readonly string[]
  /** In FROM: columns `n`, from 1 to `total`, and `k`, 0 and 1. */
  readonly rows: string
  readonly text: string
  readonly date: (number: string) => string
  readonly datetime: string
  /** Of 86,400 rows, another second for each. */
  readonly time: string
  /** Of row `n`, another for each. */
  readonly uuid: string
  /** The moment of ten rows, with microseconds. */
  readonly created: Pick<Column, 'declared' | 'value' | 'place'>
  /** How a type is stored, where that is not the default. */
  readonly stored?: {
    readonly [T in (typeof types)[number]]?: Partial<Pick<Column, 'declared' | 'value' | 'place'>>
  }
  readonly json: string
  readonly columns: Readonly<Record<string, Column>>
  /** What stands after ON, by name. A column for which there is none here has a plain one. */
  readonly indexes: Readonly<Record<string, string>>
  readonly analyze: readonly string[]
  readonly lines: readonly Line[]
  /** What {@link commonPages} are not, for this engine. */
  readonly pages: readonly PageLine[]
  /** The index of the primary key, as plans call it. */
  readonly primary: string
  readonly orderedText?: string
  readonly explain: (
    statement: string,
    parameters: readonly unknown[],
    isKept: (used: Omit<Used, 'query'>) => boolean,
  ) => Promise<Omit<Used, 'query'>[]>
  /** How many rows, or entries of an index, a statement reads. `column` is one that it is ordered by. */
  readonly reads: (statement: string, parameters: readonly unknown[], column: string) => Promise<number>
}

export interface Plans {
  readonly name: string
  readonly dialect: string
  readonly columns: Readonly<Record<string, Column>>
  readonly indexes: Readonly<Record<string, string>>
  readonly lines: readonly Line[]
  readonly pages: readonly PageLine[]
  readonly load: () => Promise<void>
  readonly used: (line: Line) => Promise<readonly Used[]>
  readonly usedPages: (line: PageLine) => Promise<readonly UsedPage[]>
  readonly usedFacets: (line: FacetLine) => Promise<readonly Used[]>
  /** What `advise` says of these tables with these indexes. */
  readonly advised: () => Promise<readonly Advice[]>
  readonly close: () => Promise<void>
}

/** Values of row `n` that every engine writes alike. */
const values = {
  string: `concat('Guest ', (n * 7919) % 200000)`,
  integer: '(n * 31) % 1000',
  number: '(n * 7919) % 200000 * 0.25',
  bigint: 'n',
  decimal: '(n * 7919) % 200000 * 0.25',
  boolean: 'n % 500 = 0',
  epochMs: '1577836800000 + n * 60000.0',
  epochS: '1577836800 + n * 60',
  /** A float of 32 bits stores each of these values exactly. */
  float: '(n * 7919) % 200000 * 0.25',
}
const types = [
  ...(['string', 'integer', 'number', 'boolean', 'date', 'datetime'] as const),
  ...(['uuid', 'bigint', 'decimal', 'time'] as const),
]
/** A field of each type, and one that few rows have a value for. */
const dense = ['name', 'guests', 'total', 'gift', 'arrival', 'paid', 'ref', 'acct', 'amount', 'open']
const sparse = ['note', 'rating', 'refund', 'vip', 'departure', 'cancelled', 'coupon', 'parcel', 'tip', 'close']

const common: readonly Line[] = [
  ...['guests', 'total', 'arrival', 'paid', 'ref', 'acct', 'amount', 'open'].map((name) =>
    line(name, plain, `orders_${name}`),
  ),
  query('paid=2020-02-02', 'orders_paid'),
  line('gift', 'equals', 'orders_gift'),
  ...sparse.map((name) => line(name, 'exists', `orders_${name}`)),
  {
    asked: 'items.arrival[gte]=2020-02-02',
    restricted: true,
    indexes: ['orders_seller', 'order_items_order_arrival'],
  },
  { asked: 'arrival=2020-02-02&customer[exists]=false', restricted: true, indexes: ['customers_id'] },
]

/** Values that rows are ordered by: 1,000 places and days, 3 kinds, 2 booleans; each score and label once. Some rows have no stars, and no grade. */
const sortValues = {
  score: ['number', '(n * 7919) % 200000 * 0.25'],
  place: ['integer', '(n * 31) % 1000'],
  label: ['string', `concat('Guest ', (n * 7919) % 200000)`],
  kind: ['string', `CASE n % 3 WHEN 0 THEN 'held' WHEN 1 THEN 'new' ELSE 'paid' END`],
  held: ['boolean', 'n % 2 = 0'],
  due: ['date', ''],
  area: ['string', `concat('a', n % 10)`],
  stars: ['integer', 'CASE WHEN n % 20 > 0 THEN (n * 31) % 1000 END'],
  grade: ['integer', 'CASE WHEN n % 20 > 0 THEN (n * 31) % 1000 END'],
} as const satisfies Record<string, readonly [LiteralType, string]>

/** The values of `level`, as rows are ordered by them. */
const ranks = ['new', 'paid', 'held']
/** The place of a value among them, as the statements write it. */
const rankIn = (collated: string): string =>
  `(CASE ${collated} ${ranks.map((value, at) => `WHEN '${value}' THEN ${at}`).join(' ')} END)`

const mayBeAbsent: readonly string[] = ['stars', 'grade']

const orders: Readonly<Record<string, OrderOptions>> = {
  grade: { nulls: 'last' },
  title: { ignoreCase: true },
  level: { declared: true },
  step: { declared: true },
}

/** Pages that all engines read alike. */
const commonPages: readonly PageLine[] = [
  pages('id -id', 'id'),
  pages('ref -ref', 'orders_ref', { key: 'ref' }),
  pages('acct -acct', 'orders_acct', { key: 'acct' }),
  pages('created -created', 'by_created', { key: 'ref' }),
  pages('score -score', 'by_score'),
  pages('place -place', 'by_place'),
  pages('label -label', 'by_label'),
  pages('kind -kind', 'by_kind'),
  pages('due -due', 'by_due'),
  pages('due,score -due,-score', 'by_due_score'),
  pages('score -score', 'by_score', { filter: 'held=true', next: 'dropped' }),
]

/** Of engines with indexes of expressions. */
const byExpressions: readonly PageLine[] = [pages('title -title', 'by_title'), pages('level -level', 'by_level')]

function plansOf({ name, dialect, declared, options, ...engine }: Engine, kind: Kind): Plans {
  const { integer, date, json } = declared
  const valueOf = {
    ...values,
    ...{ date: kind.date('n % 1000'), datetime: kind.datetime, time: kind.time, uuid: kind.uuid },
    ...(kind.stored?.decimal?.value !== undefined && { decimal: kind.stored.decimal.value }),
  }
  const ownTypes = { ...declared, string: kind.text }
  const columnFor = (type: (typeof types)[number], value: string): Column => ({
    ...columnOf(type, ownTypes[type], value),
    ...kind.stored?.[type],
    value,
  })
  const { orderedText: ofText } = kind
  const orderedText = ofText === undefined ? undefined : (name: string) => column<string>(name, { type: ofText })
  const columns: Record<string, Column> = {
    id: columnOf('integer', `${integer} PRIMARY KEY`, 'n'),
    seller: columnOf('string', kind.text, `concat('s', n % 500)`),
    ...Object.fromEntries(types.map((type, at) => [dense[at]!, columnFor(type, valueOf[type])])),
    ...Object.fromEntries(
      types.map((type, at) => [sparse[at]!, columnFor(type, `CASE WHEN n % 500 = 7 THEN ${valueOf[type]} END`)]),
    ),
    ...kind.columns,
    ...Object.fromEntries(
      Object.entries(sortValues).map(([name, [type, value]]): [string, Column] => [
        name,
        {
          field: field[type](mayBeAbsent.includes(name) ? {} : { required: true }),
          declared: mayBeAbsent.includes(name) ? ownTypes[type] : `${ownTypes[type]} NOT NULL`,
          value: value === '' ? valueOf.date : value,
          ...(type === 'string' && orderedText !== undefined && { place: orderedText }),
        },
      ]),
    ),
    title: {
      field: field.string({ required: true }),
      declared: `${kind.text} NOT NULL`,
      value: sortValues.label[1],
      ...(orderedText && { place: orderedText }),
    },
    level: {
      field: field.enumeration(ranks, { required: true }),
      declared: `${kind.text} NOT NULL`,
      value: sortValues.kind[1],
      ...(orderedText && { place: orderedText }),
    },
    created: { field: field.datetime({ required: true }), ...kind.created },
    tags: { field: field.list(field.string()), declared: json, value: kind.json, place: jsonColumn },
  }
  const ordered = ['id', 'created', 'title', 'level', 'step', ...Object.keys(sortValues)]
  const indexes: Record<string, string> = {
    ...Object.fromEntries(
      Object.entries(columns)
        .filter(([name, { field }]) => field.type !== 'list' && !ordered.includes(name))
        .map(([name]) => [`orders_${name}`, `orders (${name})`]),
    ),
    orders_customer: 'orders (customer_id)',
    order_visitors_order: 'order_visitors (order_id)',
    order_visitors_customer: 'order_visitors (customer_id)',
    customers_id: 'customers (id)',
    customers_name: 'customers (name)',
    order_items_order_arrival: 'order_items (order_id, arrival)',
    order_items_order_product: 'order_items (order_id, product)',
    by_area_kind: 'orders (area, kind)',
    ...kind.indexes,
  }

  const schema = defineSchema({
    ...Object.fromEntries(Object.entries(columns).map(([name, { field }]) => [name, field])),
    customer: field.object({ name: field.string() }),
    items: field.list(field.object({ arrival: field.date(), product: field.string() })),
    visitors: field.list(field.object({ name: field.string() })),
  })
  const places: ColumnOptions = Object.fromEntries(
    Object.entries(columns).map(([name, { place = (name: string) => name }]) => [name, place(name)]),
  )
  const customer = parentTable('customers', { key: 'id', foreignKey: 'customer_id' })
  const items = childTable('order_items', { key: 'id', foreignKey: 'order_id' })
  const through = { table: 'order_visitors', foreignKey: 'order_id', otherKey: 'customer_id' }
  const visitors = childTable('customers', { key: 'id', through })
  const mapped = table('orders', { schema, key: 'id', columns: { ...places, customer, items, visitors } })
  const backend = sqlBackend({ dialect, table: mapped })
  const sortable = defineCollection(schema as Schema, { key: 'id', sort: true }).sortable
  const sort = Object.fromEntries(
    Array.from(sortable.keys(), (name): [string, true | OrderOptions] => [name, own(orders, name) ?? true]),
  )
  const collectionBy = (key: string) =>
    defineCollection(schema as Schema, {
      key,
      sort,
      offset: { max: 200_000 },
      groups: true,
      search: ['name', 'note'],
      ...{ fields: true, count: true },
      facets: ['place', 'kind', 'items.product'],
    })
  const restriction = parseFilterOrThrow(schema, 'seller=s7')
  const queriesOf = ({ asked, operators }: Line): readonly string[] => {
    if (operators === undefined) return [asked]
    const { one, ...others } = columns[asked]?.operands ?? operands[schema.paths.get(asked)!.literal as LiteralType]
    return operators.map((name) => {
      // A uuid begins with itself.
      const operand = name.startsWith('startsWith') && columns[asked]?.operands !== undefined ? one : parts[name]
      return `${asked}[${name}]=${operand ?? { one, ...others }[askedFor[name]!]}`
    })
  }

  const run = async (statements: readonly string[]): Promise<void> => {
    for (const statement of statements) await engine.run(statement)
  }
  const declarations = Object.entries(columns).map(([name, { declared }]) => `${name} ${declared}`)
  const row = Object.values(columns).map(({ value }) => value)
  const keys = `id ${integer} PRIMARY KEY, order_id ${integer}`
  const item = `2 * n + k, n, ${kind.date('(n * 7 + k * 100) % 1000')}, concat('p', (n * 3 + k * 11) % 2000)`

  return {
    name,
    dialect: dialect.name,
    columns,
    indexes,
    lines: [...kind.lines, ...common],
    pages: [...commonPages, ...kind.pages].map((line) => ({
      ...line,
      indexes: line.indexes.map((index) => (index === 'id' ? kind.primary : index)),
    })),
    load: () =>
      run([
        ...kind.open,
        `CREATE TABLE orders (${declarations.join(', ')}, customer_id ${integer})${options}`,
        `CREATE TABLE customers (id ${integer}, name ${kind.text})${options}`,
        `CREATE TABLE order_items (${keys}, arrival ${date}, product ${kind.text})${options}`,
        `CREATE TABLE order_visitors (order_id ${integer}, customer_id ${integer})${options}`,
        `INSERT INTO orders SELECT ${row.join(', ')}, n % 20000 FROM ${kind.rows} WHERE k = 0`,
        `INSERT INTO customers SELECT n, concat('Guest ', n) FROM ${kind.rows} WHERE k = 0 AND n < 20000`,
        `INSERT INTO order_items SELECT ${item} FROM ${kind.rows}`,
        `INSERT INTO order_visitors SELECT n, (n * 7) % 20000 FROM ${kind.rows} WHERE k = 0`,
        ...Object.entries(indexes).map(([name, on]) => `CREATE INDEX ${name} ON ${on}`),
        ...kind.analyze,
      ]),
    advised: async () => {
      const database = await inspect((text, parameters) => engine.run(text, parameters), { dialect })
      return advise(database, { dialect, table: mapped, collection: collectionBy('id') })
    },
    used: async (line) => {
      const used: Used[] = []
      for (const query of queriesOf(line)) {
        const asked = parseQueryOrThrow(collectionBy('id'), query)
        const whole = line.restricted === true ? restrict(asked, restriction) : asked
        for (const { text, parameters } of [backend.compile(whole.filter), backend.compileQuery(whole).where]) {
          const statement = `SELECT * FROM orders WHERE ${text}`
          const plans = await kind.explain(statement, parameters, (plan) => isKept(line, plan))
          used.push(...plans.map((plan) => ({ query, ...plan })))
        }
      }
      return used
    },
    usedFacets: async ({ asked, index }) => {
      const [facet] = backend.facets(parseQueryOrThrow(collectionBy('id'), asked))
      const isCovered = ({ covering }: Omit<Used, 'query'>) => covering.includes(index)
      const plans = await kind.explain(facet!.text, facet!.parameters, isCovered)
      return plans.map((plan) => ({ query: asked, ...plan }))
    },
    usedPages: async (line) => {
      const used: UsedPage[] = []
      const collection = collectionBy(line.key)
      for (const sort of line.sorts) {
        // Columns that the index of the page lacks.
        const asked = `${line.filter}&sort=${sort}&limit=${pageSize}&fields=id,name,total`
        const compiled = (cursor: string | undefined) => {
          const query = parseQueryOrThrow(collection, `${asked}&cursor=${cursor}`)
          return { query, ...backend.select(query) }
        }
        // By OFFSET: a page, with one row before it, and the next page, with one row after it.
        const { count } = backend.select(parseQueryOrThrow(collection, asked))
        const [counted] = await engine.run(count.text, count.parameters)
        const skipped = Math.floor(Number(count.read(counted)) * depth)
        const first = parseQueryOrThrow(collection, `${asked}&offset=${skipped}`)
        const { text, parameters, read } = backend.select({ ...first, limit: 2 * pageSize + 1 })
        const rows = await engine.run(text, parameters)
        const pageOf = (query: Query, from: number, to?: number) => backend.select(query).page(rows.slice(from, to))
        const next = compiled(pageOf(first, 1, pageSize + 2).next)
        const previous = compiled(pageOf(next.query, pageSize + 1).previous)
        const expected = { next: rows.slice(pageSize + 1), previous: rows.slice(0, pageSize + 1).toReversed() }
        const idsOf = (some: readonly object[]) => String(some.map((row) => (read(row) as Row).id))
        for (const [toward, { text, parameters }] of Object.entries({ next, previous })) {
          const way = toward as 'next' | 'previous'
          const isRight = idsOf(await engine.run(text, parameters)) === idsOf(expected[way])
          const reads = await kind.reads(text, parameters, first.sort[0]!.path[0]!)
          const plans = await kind.explain(text, parameters, () => true)
          used.push(...plans.map((plan) => ({ query: asked, toward: way, isRight, rows: reads, ...plan })))
        }
      }
      return used
    },
    close: async () => {
      await run(kind.drop)
      await engine.close()
    },
  }
}

type Row = Record<string, unknown>

/** Every object in a plan. */
const nodesOf = (plan: unknown): Record<string, unknown>[] =>
  typeof plan !== 'object' || plan === null
    ? []
    : [plan as Record<string, unknown>, ...Object.values(plan).flatMap(nodesOf)]

const scratch = `plans_${randomUUID().slice(0, 8)}`

/** Lines of PostgreSQL, MariaDB and MySQL. */
const onServers: readonly Line[] = [
  query('paid[in]=2020-02-02,2020-02-04', 'orders_paid'),
  line('items.arrival', plain, 'order_items_arrival'),
  query('items.arrival[gte]=2020-02-02&items.arrival[lte]=2020-02-03', 'order_items_arrival'),
  query('items.product=p7', 'order_items_product'),
  query('items.product[all]=p7,p18', 'order_items_product'),
  line('customer.name', 'equals in', 'customers_name', 'orders_customer'),
  query('visitors.name=Guest 7', 'customers_name', 'order_visitors_customer'),
]
/** Of databases with an index that looks into lists. */
const onLists = (column: string): readonly Line[] => [
  query(`${column}=t7`, `orders_${column}`),
  query(`${column}[in]=t7,t8`, `orders_${column}`),
  query(`${column}[all]=t7,u3`, `orders_${column}`),
]
/** Lists of JSON in which each is a list of one object. */
const labelled = (declared: string, value: string): Column => ({
  field: field.list(field.object({ label: field.string(), n: field.integer() })),
  declared,
  value,
  place: jsonColumn,
})

function postgresPlans(engine: Engine): Plans {
  const look = async (plan: string, statement: string, parameters: readonly unknown[] = []) => {
    const [row] = await engine.run(`EXPLAIN (FORMAT JSON) ${statement}`, parameters)
    const nodes = nodesOf(row!['QUERY PLAN'])
    const searches = nodes.filter((node) => 'Index Cond' in node)
    const isSorted = nodes.some((node) => /Sort$/.test(String(node['Node Type'])))
    const alone = nodes.filter((node) => node['Node Type'] === 'Index Only Scan')
    const [indexes, covering] = [searches, alone].map((found) => found.map((node) => String(node['Index Name'])))
    return { plan, isSorted, indexes: indexes!, covering: covering! }
  }
  return plansOf(engine, {
    open: [
      `CREATE SCHEMA ${scratch}`,
      `SET search_path TO ${scratch}, public`,
      'CREATE EXTENSION IF NOT EXISTS pg_trgm',
      `CREATE TYPE order_state AS ${stateType}`,
      `CREATE TYPE order_step AS ${enumOf(ranks)}`,
    ],
    drop: [`DROP SCHEMA IF EXISTS ${scratch} CASCADE`],
    rows: `generate_series(1, ${total}) AS n, generate_series(0, 1) AS k`,
    text: 'text',
    date: (number) => `date '2020-01-01' + (${number})`,
    datetime: `timestamptz '2020-01-01T00:00Z' + n * interval '1 minute'`,
    time: `time '00:00' + n * interval '1 second'`,
    uuid: `concat('00000000-0000-4000-8000-', lpad(n::text, 12, '0'))::uuid`,
    created: {
      declared: 'timestamptz NOT NULL',
      value: `timestamptz '2020-01-01T00:00:00.123456Z' + n % 20000 * interval '7 microseconds'`,
    },
    json: `jsonb_build_array(concat('t', n % 500), concat('u', n % 7))`,
    columns: {
      code: columnOf('string', 'text COLLATE "C"', values.string),
      state: stateIn('order_state', '::order_state'),
      phase: stateIn('order_state', '::order_state', true),
      step: {
        field: field.enumeration(ranks, { required: true }),
        declared: 'order_step NOT NULL',
        value: `(${sortValues.kind[1]})::order_step`,
        place: (name) => column(name, { type: 'orderedEnum', name: 'order_step' }),
      },
      token: {
        ...columnOf('string', 'uuid NOT NULL', `concat('00000000-0000-4000-8000-', lpad(n::text, 12, '0'))::uuid`),
        place: (name) => column(name, { type: 'uuid', notNull: true }),
        operands: operands.uuid,
      },
      seats: columnOf('integer', 'integer', values.integer),
      price: columnOf('number', 'numeric', values.number, 'numeric'),
      fee: columnOf('number', 'numeric', values.number),
      nights: columnOf('number', 'integer', values.integer, 'numeric'),
      local: columnOf('datetime', 'timestamp', `timestamp '2020-01-01T00:00' + n * interval '1 minute'`, 'timestamp'),
      ms: columnOf('datetime', 'bigint', values.epochMs, 'epochMs'),
      seconds: columnOf('datetime', 'bigint', values.epochS, 'epochS'),
      weight: columnOf('number', 'real', values.float, 'real'),
      padded: columnOf('string', 'char(20)', values.string, 'char'),
      labels: {
        field: field.list(field.string()),
        declared: 'text[]',
        value: `ARRAY[concat('t', n % 500), concat('u', n % 7)]`,
        place: arrayColumn,
      },
      marks: {
        field: field.list(field.string()),
        declared: 'jsonb',
        value: `jsonb_build_array(concat('t', n % 500), concat('u', n % 7))`,
        place: jsonColumn,
      },
      parts: labelled('jsonb', `jsonb_build_array(jsonb_build_object('label', concat('t', n % 500), 'n', n))`),
      facts: {
        field: field.object({ label: field.string(), size: field.integer() }),
        declared: 'jsonb',
        value: `jsonb_build_object('label', concat('t', n % 500), 'size', n % 7)`,
        place: jsonColumn,
      },
    },
    indexes: {
      orders_name_order: 'orders (name COLLATE "C")',
      orders_name_lower: 'orders (lower(name) COLLATE "C")',
      orders_name_small: 'orders (lower(name))',
      orders_name_trigrams: 'orders USING gin (lower(name) gin_trgm_ops)',
      orders_name_exact_trigrams: 'orders USING gin (name gin_trgm_ops)',
      orders_note_trigrams: 'orders USING gin (lower(note COLLATE "default") gin_trgm_ops)',
      // Lower-cased by the database's collation, which a column of another says.
      orders_code_lower: 'orders (lower(code COLLATE "default") COLLATE "C")',
      orders_token_lower: 'orders (lower(token::text) COLLATE "C")',
      orders_token_trigrams: 'orders USING gin (lower(token::text) gin_trgm_ops)',
      by_token: 'orders ((token::text) COLLATE "C", id)',
      by_padded: 'orders ((padded::text) COLLATE "C", id)',
      by_created: 'orders (created, ref)',
      by_score: 'orders (score, id)',
      by_place: 'orders (place, id)',
      by_label: 'orders (label COLLATE "C", id)',
      by_kind: 'orders (kind COLLATE "C", id)',
      by_held: 'orders (held, id)',
      by_due: 'orders (due, id)',
      by_due_score: 'orders (due, score, id)',
      by_due_score_mixed: 'orders (due, score DESC, id DESC)',
      by_area_score: 'orders (area, score, id)',
      by_stars: 'orders (stars NULLS FIRST, id)',
      by_grade: 'orders (grade, id)',
      by_title: 'orders (lower(title) COLLATE "C", title COLLATE "C", id)',
      by_level: `orders (${rankIn('level COLLATE "C"')}, id)`,
      by_step: 'orders (step, id)',
      orders_tags: 'orders USING gin (tags)',
      orders_labels: 'orders USING gin (labels)',
      orders_marks: 'orders USING gin (marks jsonb_path_ops)',
      orders_parts: 'orders USING gin (parts jsonb_path_ops)',
      orders_facts: 'orders USING gin (facts jsonb_path_ops)',
      order_items_arrival: 'order_items (arrival)',
      order_items_product: 'order_items (product)',
    },
    // VACUUM marks the pages whose rows an index can answer for.
    analyze: ['VACUUM ANALYZE orders', 'ANALYZE customers, order_visitors', 'VACUUM ANALYZE order_items'],
    lines: [
      line('name', 'equals in', 'orders_name'),
      line('name', `${order} startsWithExact`, 'orders_name_order'),
      line('name', 'startsWith', 'orders_name_lower'),
      line('name', 'equalsIgnoreCase', 'orders_name_small'),
      line('name', 'contains endsWith', 'orders_name_trigrams'),
      line('name', 'containsExact endsWithExact', 'orders_name_exact_trigrams'),
      line('code', `${plain} startsWithExact`, 'orders_code'),
      line('code', 'startsWith', 'orders_code_lower'),
      line('state', 'equals in', 'orders_state'),
      line('phase', 'equals in', 'orders_phase'),
      line('token', 'equals in', 'orders_token'),
      line('token', `${order} startsWithExact`, 'by_token'),
      line('token', 'startsWith', 'orders_token_lower'),
      line('token', 'contains endsWith', 'orders_token_trigrams'),
      line('padded', 'equals in', 'orders_padded'),
      line('padded', `${order} startsWithExact`, 'by_padded'),
      ...['seats', 'price', 'local', 'ms', 'seconds', 'weight'].map((name) => line(name, plain, `orders_${name}`)),
      none('fee', plain, 'it is compared as `double precision`, until the mapping says `numeric`'),
      none('nights', plain, 'an integer is compared with fractions as `numeric`'),
      ...onServers,
      ...['tags', 'marks', 'labels'].flatMap(onLists),
      query('parts.label=t7', 'orders_parts'),
      query('parts.label=t7&parts.n[lt]=100000', 'orders_parts'),
      ...['facts.label=t7', 'facts.label[in]=t7,t8', 'facts.label=t7&facts.size=3'].map((asked) =>
        query(asked, 'orders_facts'),
      ),
      {
        asked: 'search=7123 1234',
        indexes: ['orders_name_trigrams', 'orders_note_trigrams'],
        note: '`search` has `name` and `note`',
      },
      noQuery('or=(name[contains]=7123,code[contains]=7123)', 'a row may have the word in `code`, which has none'),
    ],
    primary: 'orders_pkey',
    pages: [
      pages('token -token', 'by_token'),
      pages('held -held', 'by_held'),
      pages('due,-score -due,score', 'by_due_score_mixed', { next: 'ranges' }),
      pages('score -score', 'by_area_score', { filter: 'area=a7' }),
      pages('score -score', 'by_area_score', { filter: 'area[in]=a7' }),
      ...byExpressions,
      pages('step -step', 'by_step'),
      pages('grade', 'by_grade', { next: 'ranges', previous: 'page' }),
      pages('stars', 'by_stars', { previous: 'ranges' }),
      pages('-stars', 'by_stars', { next: 'ranges', previous: 'page' }),
    ],
    reads: async (statement, parameters) => {
      const [row] = await engine.run(`EXPLAIN (ANALYZE, FORMAT JSON) ${statement}`, parameters)
      return nodesOf(row!['QUERY PLAN'])
        .filter((node) => /^(?!Subquery).*Scan$/.test(String(node['Node Type'])))
        .reduce((sum, node) => sum + Number(node['Actual Rows']) + Number(node['Rows Removed by Filter'] ?? 0), 0)
    },
    explain: async (statement, parameters, isKept) => {
      const custom = await look('custom', statement, parameters)
      await engine.run(`PREPARE prepared AS ${statement}`)
      await engine.run('SET plan_cache_mode = force_generic_plan')
      const execute = parameters.length === 0 ? 'EXECUTE prepared' : `EXECUTE prepared(${parameters.map(() => 'NULL')})`
      let generic = await look('generic', execute)
      if (!isKept(generic)) {
        // A plan that is made keeps to the settings that it was made with.
        for (const one of ['SET enable_seqscan = off', 'DISCARD PLANS']) await engine.run(one)
        generic = await look('generic, told not to scan', execute)
      }
      for (const one of ['DEALLOCATE prepared', 'RESET plan_cache_mode', 'RESET enable_seqscan']) await engine.run(one)
      return [custom, generic]
    },
  })
}

/** Of MariaDB and MySQL. MySQL takes an `INTEGER PRIMARY KEY` for a column like others. */
const mysqlIndexes = {
  by_created: 'orders (created, ref)',
  by_score: 'orders (score, id)',
  by_place: 'orders (place, id)',
  by_label: 'orders (label, id)',
  by_kind: 'orders (kind, id)',
  by_held: 'orders (held, id)',
  by_due: 'orders (due, id)',
  by_due_score: 'orders (due, score, id)',
  by_due_score_mixed: 'orders (due, score DESC, id DESC)',
  by_area_score: 'orders (area, score, id)',
  by_stars: 'orders (stars, id)',
  by_grade: 'orders (grade, id)',
  orders_remark: 'orders (remark(100))',
  order_items_arrival: 'order_items (arrival)',
  order_items_product: 'order_items (product)',
}
/** What MariaDB and MySQL have alike. The handler counts no entries that are dropped inside the index, so nothing is dropped there. */
function mysqlKind(
  { name, run }: Engine,
  kind: Readonly<Record<'title' | 'binary' | 'folding', string>>,
  prefix: Line,
) {
  const { title, binary, folding } = kind
  const database = `${scratch}_${name}`
  return {
    open: [`CREATE DATABASE ${database} CHARACTER SET utf8mb4`, `USE ${database}`],
    drop: [`DROP DATABASE IF EXISTS ${database}`],
    text: `VARCHAR(100) COLLATE ${binary}`,
    date: (number: string) => `DATE_ADD('2020-01-01', INTERVAL ${number} DAY)`,
    datetime: `DATE_ADD('2020-01-01', INTERVAL n MINUTE)`,
    time: 'SEC_TO_TIME(n % 86400)',
    uuid: `UNHEX(concat('00000000000040008000', lpad(n, 12, '0')))`,
    stored: { uuid: { declared: 'BINARY(16)', place: (name: string) => column(name, { type: 'uuidBytes' }) } },
    created: {
      declared: 'DATETIME(6) NOT NULL',
      value: `DATE_ADD('2020-01-01T00:00:00.123456', INTERVAL 7 * (n % 20000) MICROSECOND)`,
    },
    // MySQL fills a multi-valued index row by row: two entries in every row take it minutes.
    json: `IF(n % 500 = 7, JSON_ARRAY(concat('t', n % 500), concat('u', n % 7)), JSON_ARRAY(concat('t', n % 500)))`,
    columns: {
      remark: columnOf('string', `TEXT COLLATE ${binary}`, values.string),
      nick: columnOf('string', `VARCHAR(100) COLLATE ${folding}`, values.string),
      state: stateIn(stateType),
      guid: {
        ...columnOf('uuid', `CHAR(36) COLLATE ${binary}`, `concat('00000000-0000-4000-8000-', lpad(n, 12, '0'))`),
        place: (name: string) => column(name, { type: 'orderedText' }),
      },
      seats: columnOf('integer', 'INT', values.integer),
      price: columnOf('number', 'DECIMAL(12, 2)', values.number, 'decimal'),
      ms: columnOf('datetime', 'BIGINT', values.epochMs, 'epochMs'),
      seconds: columnOf('datetime', 'BIGINT', values.epochS, 'epochS'),
      weight: columnOf('number', 'FLOAT', values.float, 'real'),
      latin: columnOf('string', 'VARCHAR(100) CHARACTER SET latin1', values.string, 'latin1'),
    },
    primary: 'PRIMARY',
    orderedText: 'orderedText',
    lines: [
      line('name', `${plain} startsWithExact`, 'orders_name'),
      prefix,
      none(
        'name',
        'contains endsWith containsExact endsWithExact',
        `${title} has no index that finds a part of a text`,
      ),
      line('remark', `${plain} startsWithExact`, 'orders_remark'),
      line('nick', 'equals in', 'orders_nick'),
      line('state', 'equals in', 'orders_state'),
      none('nick', `${order} startsWithExact`, 'the index has the order of the column’s own collation'),
      line('latin', 'equals in', 'orders_latin'),
      none('latin', `${order} startsWithExact`, 'the index has the order of the column’s own collation'),
      ...['guid', 'seats', 'price', 'ms'].map((name) => line(name, plain, `orders_${name}`)),
      { ...line('seconds', plain, 'orders_seconds'), note: 'the type is `epochS`' },
      { ...line('weight', plain, 'orders_weight'), note: 'the type is `real`' },
      ...onServers,
    ],
    reads: async (statement: string, parameters: readonly unknown[]) => {
      await run(`SET optimizer_switch = 'index_condition_pushdown=off'`)
      await run('FLUSH STATUS')
      await run(statement, parameters)
      const counted = await run(`SHOW SESSION STATUS LIKE 'Handler_read_%'`)
      await run(`SET optimizer_switch = 'index_condition_pushdown=on'`)
      return counted.reduce((sum, { Value }) => sum + Number(Value), 0)
    },
  }
}

function mariadbPlans(engine: Engine): Plans {
  const kind = { title: 'MariaDB', binary: 'utf8mb4_nopad_bin', folding: 'utf8mb4_general_ci' }
  const why = 'MariaDB has no index of an expression, and 10.11 no use for one of a generated column'
  const own = mysqlKind(engine, kind, none('name', 'startsWith equalsIgnoreCase', why))
  return plansOf(engine, {
    ...own,
    lines: [...own.lines, noQuery('tags=t7', 'entries of JSON are compared one by one, which no index does')],
    rows: `(SELECT a.seq AS n, b.seq AS k FROM seq_1_to_${total} AS a, seq_0_to_1 AS b) AS numbers`,
    indexes: mysqlIndexes,
    pages: [
      pages('guid -guid', 'orders_guid', { key: 'guid' }),
      pages('held -held', 'by_held'),
      pages('due,-score -due,score', 'by_due_score_mixed'),
      pages('score -score', 'by_area_score', { filter: 'area=a7', previous: 'equals' }),
      pages('grade', 'by_grade', { next: 'three ranges, sorted' }),
      pages('stars', 'by_stars'),
      pages('-stars', 'by_stars'),
    ],
    analyze: [
      'ALTER TABLE orders ADD name_lower VARCHAR(100) COLLATE utf8mb4_nopad_bin AS (LOWER(name)) VIRTUAL',
      'CREATE INDEX orders_name_lower ON orders (name_lower)',
      'ANALYZE TABLE orders, customers, order_items, order_visitors',
    ],
    explain: async (statement, parameters) => {
      const explained = `EXPLAIN FORMAT=JSON ${statement}`
      const marks = parameters.length === 0 ? '' : ` USING ${parameters.map(() => '?')}`
      const answers = {
        text: await engine.run(explained, parameters),
        prepared: await engine.run(`EXECUTE IMMEDIATE ?${marks}`, [explained, ...parameters]),
      }
      return Object.entries(answers).map(([plan, [row]]) => {
        // MariaDB writes the bytes of an operand as they are, which is not JSON.
        const plain = String(row!.EXPLAIN).replace(/_condition": ".*"/g, '_condition": ""')
        const nodes = nodesOf(JSON.parse(plain))
        const searches = nodes.filter(
          // A table in <> was made for the statement, with a key of its own; the type `index` reads all of one.
          ({ table_name, key, access_type }) =>
            key !== undefined && !String(table_name).startsWith('<') && access_type !== 'index',
        )
        const isSorted = nodes.some((node) => 'filesort' in node)
        const alone = nodes.filter(({ using_index }) => using_index === true)
        const [indexes, covering] = [searches, alone].map((found) => found.map(({ key }) => String(key)))
        return { plan, isSorted, indexes: indexes!, covering: covering! }
      })
    },
  })
}

function mysqlPlans(engine: Engine): Plans {
  const lowered = (column: string) => {
    const { cased = (value) => value } = engine.dialect.textRules
    return `(${engine.dialect.lower}(${flatten(cased(raw(column))).strings[0]!}))`
  }
  const look = async (plan: string, [row]: Record<string, unknown>[]) => {
    const nodes = nodesOf(JSON.parse(String(row!.EXPLAIN)))
    const searches = nodes.filter(
      ({ access_type, index_name, index_access_type }) =>
        access_type === 'index' && index_name !== undefined && index_access_type !== 'index_scan',
    )
    const isSorted = nodes.some(({ access_type }) => access_type === 'sort')
    const alone = nodes.filter(({ covering }) => covering === true)
    const [indexes, covering] = [searches, alone].map((found) => found.map(({ index_name }) => String(index_name)))
    return { plan, isSorted, indexes: indexes!, covering: covering! }
  }
  const own = mysqlKind(
    engine,
    { title: 'MySQL', binary: 'utf8mb4_0900_bin', folding: 'utf8mb4_0900_ai_ci' },
    line('name', 'startsWith equalsIgnoreCase', 'orders_name_lower'),
  )
  return plansOf(engine, {
    ...own,
    columns: {
      ...own.columns,
      parts: labelled('JSON', `JSON_ARRAY(JSON_OBJECT('label', concat('t', n % 500), 'n', n))`),
    },
    lines: [
      ...own.lines,
      ...onLists('tags'),
      query('parts.label=t7', 'orders_parts'),
      query('parts.label=t7&parts.n[lt]=100000', 'orders_parts'),
    ],
    open: [...own.open, 'SET cte_max_recursion_depth = 200000', 'SET explain_json_format_version = 2'],
    rows: `(WITH RECURSIVE counted(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < ${total})
      SELECT n, k FROM counted, (SELECT 0 AS k UNION SELECT 1) AS two) AS numbers`,
    indexes: {
      ...mysqlIndexes,
      orders_name_lower: `orders (${lowered('name')})`,
      orders_tags: 'orders ((CAST(tags AS CHAR(40) ARRAY)))',
      orders_parts: `orders ((CAST(JSON_EXTRACT(parts, '$[*]."label"') AS CHAR(40) ARRAY)))`,
      by_due_score_opposite: 'orders (due DESC, score, id)',
      by_title: `orders (${lowered('title')}, title, id)`,
      by_level: `orders (${rankIn('level')}, id)`,
    },
    pages: [
      pages('guid -guid', 'orders_guid', { key: 'guid' }),
      pages('held -held', 'by_held'),
      // MySQL reads an index of both directions forwards only.
      pages('due,-score -due,score', 'by_due_score_mixed by_due_score_opposite', { next: 'ranges, sorted' }),
      // InnoDB doubles its estimate of a long range, and MySQL prices a row out of memory as four in memory.
      pages('score -score', 'by_area_score by_score', { filter: 'area=a7', previous: 'cached' }),
      ...byExpressions,
      pages('grade', 'by_grade', { next: 'three ranges, sorted' }),
      pages('stars', 'by_stars'),
      pages('-stars', 'by_stars'),
    ],
    analyze: ['ANALYZE TABLE orders, customers, order_items, order_visitors'],
    explain: async (statement, parameters) => {
      const explained = `EXPLAIN FORMAT=JSON ${statement}`
      return [
        await look('text', await engine.run(explained, parameters)),
        await look('prepared', await engine.protocols!.prepared!(explained, parameters)),
      ]
    },
  })
}

export function sqlitePlans(dialect?: Dialect, analyze: readonly string[] = ['ANALYZE']): Plans {
  let visits = 0
  const engine = openSqlite(dialect, { visit: (_) => ++visits })
  return plansOf(engine, {
    open: [],
    drop: [],
    rows: `(WITH RECURSIVE counted(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < ${total})
      SELECT n, k FROM counted, (SELECT 0 AS k UNION SELECT 1))`,
    text: 'TEXT',
    date: (number) => `date('2020-01-01', concat(${number}, ' days'))`,
    datetime: `strftime('%Y-%m-%dT%H:%M:00.000Z', '2020-01-01', concat(n, ' minutes'))`,
    time: `time(n % 86400, 'unixepoch')`,
    uuid: `concat('00000000-0000-4000-8000-', printf('%012d', n))`,
    created: {
      declared: 'TEXT NOT NULL',
      value: `printf('2020-01-01T00:00:00.%06dZ', 123456 + 7 * (n % 20000))`,
      place: (name) => column(name, { digits: 6 }),
    },
    stored: {
      decimal: { value: '(n * 7919) % 200000 * 25', place: (name) => column(name, { type: 'scaled', digits: 2 }) },
      datetime: { place: (name) => column(name, { digits: 3 }) },
    },
    json: `json_array(concat('t', n % 500), concat('u', n % 7))`,
    columns: {
      nick: columnOf('string', 'TEXT COLLATE NOCASE', values.string),
      alias: columnOf('string', 'TEXT COLLATE NOCASE', values.string),
      nights: columnOf('number', 'INTEGER', values.integer, 'integer'),
      ms: columnOf('datetime', 'INTEGER', values.epochMs, 'epochMs'),
      seconds: columnOf('datetime', 'INTEGER', values.epochS, 'epochS'),
      stamp: columnOf('datetime', 'TEXT', `datetime(${values.epochS}, 'unixepoch')`, 'sqlText'),
      mixed: columnOf('datetime', 'TEXT', `datetime(${values.epochS}, 'unixepoch') || '+00:00'`, 'anyText'),
      counted: columnOf('boolean', 'INTEGER', '(n % 500 = 0) * 7', 'nonzero'),
    },
    indexes: {
      orders_name_lower: `orders (${engine.dialect.lower}(name))`,
      orders_alias: 'orders (alias COLLATE BINARY)',
      by_created: 'orders (created, ref)',
      by_score: 'orders (score)',
      by_place: 'orders (place)',
      by_label: 'orders (label)',
      by_kind: 'orders (kind)',
      by_held: 'orders (held)',
      by_due: 'orders (due)',
      by_due_score: 'orders (due, score)',
      by_due_score_mixed: 'orders (due, score DESC, id DESC)',
      by_area_score: 'orders (area, score)',
      by_stars: 'orders (stars)',
      by_grade: 'orders (grade)',
      by_title: `orders (${engine.dialect.lower}(title), title)`,
      by_level: `orders (${rankIn('level COLLATE BINARY')})`,
      orders_mixed: `orders (strftime('%Y-%m-%dT%H:%M:%fZ', mixed))`,
      orders_counted: 'orders ((counted <> 0))',
      // A whole index does not serve IS NOT NULL.
      ...Object.fromEntries(sparse.map((name) => [`orders_${name}`, `orders (${name}) WHERE ${name} IS NOT NULL`])),
    },
    analyze,
    primary: 'INTEGER PRIMARY KEY',
    pages: [
      pages('held -held', 'by_held'),
      pages('due,-score -due,score', 'by_due_score_mixed', { next: 'ranges' }),
      pages('score -score', 'by_area_score', { filter: 'area=a7' }),
      ...byExpressions.map((line) => ({ ...line, next: 'ranges', previous: 'ranges' }) as const),
      pages('grade', 'by_grade', { next: 'ranges', previous: 'page' }),
      pages('stars', 'by_stars', { previous: 'ranges' }),
      pages('-stars', 'by_stars', { next: 'ranges', previous: 'page' }),
    ],
    reads: async (statement, parameters, column) => {
      const counted = statement.replaceAll('WHERE ', `WHERE visit(${column}) > 0 AND `)
      visits = 0
      await engine.run(counted, parameters)
      return visits
    },
    lines: [
      line('name', `${plain} startsWithExact`, 'orders_name'),
      line('name', 'startsWith equalsIgnoreCase', 'orders_name_lower'),
      none('name', 'contains endsWith containsExact endsWithExact', 'SQLite has no index that finds a part of a text'),
      none('nick', `${plain} startsWithExact`, 'the index has the column’s own collation'),
      line('alias', `${plain} startsWithExact`, 'orders_alias'),
      ...['nights', 'ms', 'seconds', 'stamp', 'mixed'].map((name) => line(name, plain, `orders_${name}`)),
      line('counted', 'equals', 'orders_counted'),
      query('ms[in]=2020-02-02,2020-02-04', 'orders_ms'),
      query('paid[in]=2020-02-02,2020-02-04', 'orders_paid'),
      { ...line('items.arrival', plain, 'order_items_order_arrival'), note: 'once for each order' },
      {
        ...query('items.arrival[gte]=2020-02-02&items.arrival[lte]=2020-02-03', 'order_items_order_arrival'),
        note: 'once for each order',
      },
      ...['items.product=p7', 'items.product[all]=p7,p18'].map((asked) => ({
        ...query(asked, 'order_items_order_product'),
        note: 'once for each order',
      })),
      { ...line('customer.name', 'equals in', 'customers_id'), note: 'once for each order' },
      { ...query('visitors.name=Guest 7', 'order_visitors_order'), note: 'once for each order' },
      noQuery('tags=t7', 'entries of JSON are compared one by one, which no index does'),
    ],
    explain: async (statement, parameters) => {
      const rows = await engine.run(`EXPLAIN QUERY PLAN ${statement}`, parameters)
      const details = rows.map(({ detail }) => String(detail))
      const searches = details.map((detail) =>
        /^SEARCH .*USING (?:(?:COVERING )?INDEX )?(\w+|INTEGER PRIMARY KEY) \(/.exec(detail),
      )
      const isSorted = details.some((detail) => detail.startsWith('USE TEMP B-TREE'))
      const alone = details.map((detail) => /USING COVERING INDEX (\w+)/.exec(detail))
      const [indexes, covering] = [searches, alone].map((found) => found.flatMap((one) => one?.[1] ?? []))
      return [{ plan: 'only', isSorted, indexes: indexes!, covering: covering! }]
    },
  })
}

/** PostgreSQL in process, with the extension that the recommended indexes need. */
async function openPglite(): Promise<Engine> {
  const database = await newPglite({ extensions: { pg_trgm } })
  return {
    name: 'pglite',
    dialect: postgres,
    declared: postgresColumns,
    options: '',
    stored: (_, value) => value,
    run: async (statement, parameters = []) =>
      (await database.query<Record<string, unknown>>(statement, [...parameters])).rows,
    close: () => database.close(),
    planning: postgresPlanning,
  }
}

/** More of the same dialects: PostgreSQL 18, and in a full run PostgreSQL in process beside a server, if the environment points to them. */
export async function openOtherPlans(): Promise<Plans[]> {
  const { POSTGRES_URL, POSTGRES18_URL } = process.env
  // Its own function is in the index, and the planner knows nothing of the values: it takes an equality for the best of all.
  const plain = sqlitePlans(wholeSqlite, [])
  return [
    ...(!isFull || POSTGRES_URL === undefined ? [] : [postgresPlans(await openPglite())]),
    ...(POSTGRES18_URL === undefined ? [] : [postgresPlans(await openPostgres18(POSTGRES18_URL))]),
    {
      ...plain,
      name: 'sqlite, lower-casing whole, without ANALYZE',
      pages: plain.pages.filter(({ filter }) => filter !== 'held=true'),
    },
  ]
}

/** PostgreSQL, from where the environment points or in process; MariaDB and MySQL, if the environment points to them; SQLite. */
export async function openPlans(): Promise<Plans[]> {
  const { POSTGRES_URL, MARIADB_URL, MYSQL_URL } = process.env
  return [
    postgresPlans(POSTGRES_URL === undefined ? await openPglite() : await openPostgres(POSTGRES_URL)),
    ...(MARIADB_URL === undefined ? [] : [mariadbPlans(await openMariadb(MARIADB_URL))]),
    ...(MYSQL_URL === undefined ? [] : [mysqlPlans(await openMysql(MYSQL_URL))]),
    sqlitePlans(),
  ]
}

/** The promises as a table; fields that are alike but for their names stand in one row. */
export function markdown({ lines, columns, indexes }: Plans): string {
  const cells = lines.map(({ asked, operators, restricted = false, indexes: promised, note }) => {
    const words = (name: string) => indexes[name]!.split(/\b/).map((word) => (word === asked ? '…' : word))
    const definitions = promised.map((name) => `\`${words(name).join('')}\``)
    const index = definitions.length === 0 ? 'none' : definitions.join(' and ')
    const declared = columns[asked] === undefined ? '' : ` (${columns[asked].declared.replace(/ \('.*'\)/, '')})`
    return {
      what: `\`${restricted ? 'seller=s7` and `' : ''}${asked}\`${declared}`,
      operators: operators?.join(', ') ?? '',
      index: note === undefined ? index : `${index}: ${note}`,
    }
  })
  const rows = Map.groupBy(cells, ({ what, operators, index }) => (operators === '' ? what : operators + index))
  return [
    '| condition | operators | index |',
    '| --- | --- | --- |',
    ...Array.from(rows.values(), (alike) => {
      const { operators, index } = alike[0]!
      return `| ${alike.map(({ what }) => what).join(', ')} | ${operators} | ${index} |`
    }),
  ].join('\n')
}

/** The same of facets, alike in every dialect: SQLite's indexes end with the key, which others name. */
export function facetsMarkdown({ indexes }: Plans): string {
  const rows = facets.map(({ asked, index }) => `| \`${asked}\` | \`${indexes[index]!.replace(', id)', ')')}\` |`)
  return ['| query | index |', '| --- | --- |', ...rows].join('\n')
}

/** The same of pages. */
export function pagesMarkdown({ pages, indexes }: Plans): string {
  const rows = pages.map(({ sorts, filter, indexes: promised, next, previous }) => {
    const index = promised.map((name) => (indexes[name] === undefined ? 'the primary key' : `\`${indexes[name]}\``))
    const asked = sorts.map((sort) => `\`${filter === '' ? '' : `${filter}&`}sort=${sort}\``).join(', ')
    return `| ${[asked, index.join(' and '), readings[next].words, readings[previous].words].join(' | ')} |`
  })
  return [
    '| query | index | the next page reads | the previous page reads |',
    '| --- | --- | --- | --- |',
    ...rows,
  ].join('\n')
}

if (import.meta.main) {
  for (const plans of await openPlans()) {
    try {
      await plans.load()
      for (const line of plans.lines) {
        const broken = (await plans.used(line)).filter((used) => !isKept(line, used))
        for (const used of broken) console.error(plans.name, 'is promised', line.indexes, 'but has', used)
        if (broken.length > 0) process.exitCode = 1
      }
      for (const line of plans.pages) {
        const broken = (await plans.usedPages(line)).filter((used) => !isPageKept(line, used))
        for (const used of broken) console.error(plans.name, 'is promised', line, 'but has', used)
        if (broken.length > 0) process.exitCode = 1
      }
      console.log(`### ${plans.name}\n\n${markdown(plans)}\n\n${pagesMarkdown(plans)}\n`)
    } finally {
      await plans.close()
    }
  }
}
