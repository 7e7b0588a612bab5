/** The engines that the tests run on, each loaded when it is opened, and how a fixture gets into each: tables, JSON or arrays. */
import { randomUUID } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import {
  arrayColumn,
  childTable,
  column,
  jsonColumn,
  mariadb,
  mysql,
  parentTable,
  postgres,
  postgres17,
  simpleLowerCase,
  sqlBackend,
  type SqlBackend,
  sqlite,
  table,
  type ColumnOptions,
  type Dialect,
  type Column,
  type ForeignKey,
  type JsonColumn,
  type OrderPaths,
  type Table,
  type SqlQuery,
} from '../../../src/backends/sql/index.ts'
import type { EntryField, FacetValues, Field, Fields, Page, Query, Schema } from '../../../src/index.ts'
import { isPromised } from '../../../src/language/index.ts'
import { literalTypes, type Feature, type LiteralType } from '../../../src/tree.ts'
import type { SqlWhere } from '../../../src/backends/sql/index.ts'
import { flatten, raw } from '../../../src/backends/sql/dialect/sql.ts'
import { between, together } from './together.ts'

/** PostgreSQL 18 has a Unicode of its own, version 16, for pg_c_utf8; for libc's locales it has the system's. */
const builtinOf18 = /[\ua7ce\ua7d2-\ua7d4\u{16ea0}-\u{16eb8}]/u
/** Letters that are newer than an engine's Unicode, which it leaves as they are: letters.test.ts asks it for every one. */
export const newerLetters: Readonly<Record<string, RegExp>> = {
  pglite:
    /[\u1c89\u24b6-\u24cf\u2c2f\ua7c0\ua7c7-\ua7dc\ua7f5\u{10570}-\u{10595}\u{10d50}-\u{10d65}\u{16ea0}-\u{16eb8}]/u,
  postgres: /[\u1c89\ua7cb-\ua7ce\ua7d2-\ua7d4\ua7da-\ua7dc\u{10d50}-\u{10d65}\u{16ea0}-\u{16eb8}]/u,
  'pglite, pg_c_utf8': builtinOf18,
  'postgres 18, pg_c_utf8': builtinOf18,
  'postgres 18, partitioned': builtinOf18,
}

export interface Engine {
  readonly name: string
  readonly dialect: Dialect
  /** What a column of a type is declared as. */
  readonly declared: Readonly<Record<LiteralType | 'json', string>>
  /** How a native enumeration is declared, and what makes and drops its type where that has a name. */
  readonly enumeration?: ((name: string, values: readonly string[]) => Enumeration) | undefined
  /** The end of CREATE TABLE. */
  readonly options: string
  /** What the driver is given for a value. */
  /** Maps a column with JSON; absent where it has the usual type of the engine. */
  readonly json?: (column: string) => JsonColumn
  readonly stored: (type: LiteralType | 'json', value: unknown) => unknown
  readonly run: (statement: string, parameters?: readonly unknown[]) => Promise<Record<string, unknown>[]>
  /** Other ways in which drivers send a statement and its parameters. */
  readonly protocols?: Readonly<Record<string, Engine['run']>>
  readonly close: () => Promise<void>
  /** The features that its columns, as they are declared here, keep its backend from. */
  readonly lacks?: readonly Feature[]
  /** How many times as long as on other engines a statement takes; 1 unless given. */
  readonly weight?: number
  /** The most SELECTs that the engine accepts in one UNION ALL. */
  readonly mostInUnion?: number
  /** The layouts in which the tests use the engine, where its faults break the other layouts. */
  readonly layouts?: readonly Layout[]
  /** How tables become ones at which a planner chooses. */
  readonly planning: Planning
  /** Whether each table has the key of the table at its root, as the first column of its keys: its rows are where these rows are. */
  readonly isSharded?: boolean
  /** Whether it has an error for a statement with a text, by data beside a test that proves the error. */
  readonly refuses?: (text: string) => boolean
}

export interface Enumeration {
  readonly declared: string
  readonly create?: string
  readonly drop?: string
}
interface NativeEnumeration {
  readonly enumeration: Enumeration
  readonly options: { readonly type: 'enum' } | { readonly type: 'orderedEnum'; readonly name: string }
}
export const enumOf = (values: readonly string[]) =>
  `ENUM (${values.map((value) => `'${value.replaceAll("'", "''")}'`).join(', ')})`
const postgresEnumeration: Engine['enumeration'] = (name, values) => ({
  declared: `"${name}"`,
  create: `CREATE TYPE "${name}" AS ${enumOf(values)}`,
  drop: `DROP TYPE "${name}"`,
})

/** Indexes, statistics and planners of an engine. */
export interface Planning {
  /** What a text is declared as that an index takes whole; as otherwise unless given. */
  readonly text?: string
  /** What stands behind the table in CREATE INDEX, for a column of texts and for what `startsWith` compares of it. */
  readonly textIndexes: (column: string, lowered: string) => readonly string[]
  /** The same for a column of lists; none unless given. */
  readonly listIndexes?: (column: string, type: 'json' | 'array') => readonly string[]
  readonly analyze: (table: string) => string
  /** Statements that turn another planner on, and off again. */
  readonly planners?: readonly { readonly on: string; readonly off: string }[]
}

const stored: Engine['stored'] = (type, value) => (type === 'json' ? JSON.stringify(value) : value)

export const sqliteColumns: Engine['declared'] = {
  ...{ string: 'TEXT', integer: 'INTEGER', number: 'REAL', boolean: 'INTEGER' },
  ...{ uuid: 'TEXT', bigint: 'INTEGER', decimal: 'INTEGER' },
  ...{ date: 'TEXT', datetime: 'TEXT', time: 'TEXT', json: 'TEXT' },
}

/** @param functions of its own, by name: they count what a statement reads. */
export function openSqlite(
  dialect: Dialect = sqlite,
  functions: Readonly<Record<string, (value: unknown) => number>> = {},
): Engine {
  const database = new DatabaseSync(':memory:')
  for (const [name, own] of Object.entries(functions)) database.function(name, own)
  database.function('urlwhere_lower', { deterministic: true }, simpleLowerCase)
  return {
    name: 'sqlite',
    dialect,
    declared: sqliteColumns,
    options: ' STRICT',
    stored: (type, value) => {
      if (type === 'bigint') return BigInt(value as string)
      return typeof value === 'boolean' && type !== 'json' ? Number(value) : stored(type, value)
    },
    run: async (statement, parameters = []) =>
      Promise.resolve(database.prepare(statement).all(...(parameters as (string | number | bigint | null)[]))),
    close: async () => Promise.resolve(database.close()),
    planning: {
      textIndexes: (column, lowered) => [`(${column})`, `(${lowered})`],
      analyze: (table) => `ANALYZE ${table}`,
    },
  }
}
/** SQLite with the function that makes its lower-casing whole. */
export const wholeSqlite: Dialect = { ...sqlite, lower: 'urlwhere_lower' }

export const postgresColumns: Engine['declared'] = {
  string: 'text',
  uuid: 'uuid',
  integer: 'bigint',
  bigint: 'bigint',
  decimal: 'numeric',
  number: 'double precision',
  boolean: 'boolean',
  date: 'date',
  datetime: 'timestamptz',
  time: 'time',
  json: 'jsonb',
}

export const postgresPlanning: Planning = {
  textIndexes: (column, lowered) => [`(${column})`, `(${column} COLLATE "C")`, `(${lowered} COLLATE "C")`],
  listIndexes: (column, type) => [
    `USING gin (${column})`,
    ...(type === 'json' ? [`USING gin (${column} jsonb_path_ops)`] : []),
  ],
  analyze: (table) => `ANALYZE ${table}`,
  planners: [{ on: 'SET enable_seqscan = off', off: 'RESET enable_seqscan' }],
}

export async function openPglite(dialect: Dialect = postgres): Promise<Engine> {
  const { newPglite } = await import('./pglite.ts')
  const { citext } = await import('@electric-sql/pglite/contrib/citext')
  const { pg_trgm } = await import('@electric-sql/pglite/contrib/pg_trgm')
  const database = await newPglite({ extensions: { citext, pg_trgm } })
  return {
    name: 'pglite',
    dialect,
    declared: postgresColumns,
    enumeration: postgresEnumeration,
    options: '',
    stored,
    run: async (statement, parameters = []) =>
      (await database.query<Record<string, unknown>>(statement, [...parameters])).rows,
    close: () => database.close(),
    planning: postgresPlanning,
  }
}

export async function openPostgres(url: string, dialect: Dialect = postgres): Promise<Engine> {
  const { default: pg } = await import('pg')
  const client = new pg.Client(url)
  await client.connect()
  return {
    name: 'postgres',
    dialect,
    declared: postgresColumns,
    enumeration: postgresEnumeration,
    options: '',
    stored: (type, value) => (type === 'json' ? JSON.stringify(value) : value),
    run: async (statement, parameters = []) =>
      (await client.query<Record<string, unknown>>(statement, [...parameters])).rows,
    close: () => client.end(),
    planning: postgresPlanning,
  }
}

/** With the dialect for 17 and later; PGlite is PostgreSQL 18. */
const named = (name: string, engine: Engine): Engine => ({ ...engine, name })
/** It stores JSON as `json`, which the others store as `jsonb`. */
export const openPglite17 = async (): Promise<Engine> => ({
  ...(await openPglite(postgres17)),
  name: 'pglite, pg_c_utf8',
  declared: { ...postgresColumns, json: 'json' },
  json: (column) => jsonColumn(column, { type: 'json' }),
  planning: {
    ...postgresPlanning,
    listIndexes: (column, type) => postgresPlanning.listIndexes!(type === 'json' ? `(${column}::jsonb)` : column, type),
  },
})
export const openPostgres18 = async (url: string) => named('postgres 18', await openPostgres(url))
export const openPostgres18InC = async (url: string) =>
  named('postgres 18, pg_c_utf8', await openPostgres(url, postgres17))

export async function openMariadb(url: string, dialect: Dialect = mariadb): Promise<Engine> {
  const { default: driver } = await import('mariadb')
  const { default: mysql2 } = await import('mysql2/promise')
  const connection = await driver.createConnection(url)
  // mysql2 has other options.
  const other = await mysql2.createConnection(url.replace('mariadb:', 'mysql:').replace(/\?.*/, ''))
  const rowsOf = (rows: unknown) => (Array.isArray(rows) ? (rows as Record<string, unknown>[]) : [])
  return {
    name: dialect.name,
    dialect,
    declared: {
      string: 'TEXT',
      uuid: 'CHAR(36)',
      integer: 'BIGINT',
      bigint: 'BIGINT',
      decimal: 'DECIMAL(65, 30)',
      number: 'DOUBLE',
      boolean: 'BOOLEAN',
      date: 'DATE',
      datetime: 'DATETIME(6)',
      time: 'TIME(6)',
      json: 'JSON',
    },
    enumeration: (_, values) => ({ declared: enumOf(values) }),
    options: ' CHARACTER SET utf8mb4',
    stored: (type, value) =>
      type === 'json'
        ? JSON.stringify(value)
        : type === 'datetime'
          ? (value as string).slice(0, -1).replace('T', ' ')
          : value,
    run: async (statement, parameters = []) => rowsOf(await connection.query(statement, [...parameters])),
    protocols: {
      prepared: async (statement, parameters = []) => rowsOf(await connection.execute(statement, [...parameters])),
      mysql2: async (statement, parameters = []) => rowsOf((await other.query(statement, [...parameters]))[0]),
      'mysql2, prepared': async (statement, parameters = []) =>
        rowsOf((await other.execute(statement, [...parameters] as (string | number | null)[]))[0]),
    },
    close: async () => {
      await connection.end()
      await other.end()
    },
    planning: {
      text: 'VARCHAR(255) COLLATE utf8mb4_nopad_bin',
      textIndexes: (column) => [`(${column})`],
      analyze: (table) => `ANALYZE TABLE ${table}`,
    },
  }
}

/** Of MySQL, also behind Vitess. */
export const planningOfMysql: Engine['planning'] = {
  text: 'VARCHAR(255) COLLATE utf8mb4_0900_bin',
  textIndexes: (column, lowered) => [`(${column})`, `((${lowered}))`],
  analyze: (table) => `ANALYZE TABLE ${table}`,
}

export async function openMysql(url: string): Promise<Engine> {
  const engine = await openMariadb(url, mysql)
  const switched = (state: string) => `SET optimizer_switch = 'hypergraph_optimizer=${state}'`
  // Builds may lack it.
  const hasHypergraph = await engine.run(switched('on')).then(
    () => true,
    () => false,
  )
  await engine.run(switched('off'))
  // docs/guides/sql-engines.md: with 26 conditions on lists, the default plans for more than five minutes.
  await engine.run('SET optimizer_search_depth = 0')
  return {
    ...engine,
    planning: {
      ...planningOfMysql,
      planners: hasHypergraph ? [{ on: switched('on'), off: switched('off') }] : [],
    },
  }
}

/**
 * How the fields of a schema are stored; in `parents`, as in `tables`, but objects are rows of parent tables, enumerations are native,
 * and every other list is behind a join table, which has every other column of its entries.
 */
export type Layout = 'tables' | 'parents' | 'json' | 'arrays'

interface Plan {
  readonly name: string
  readonly role: 'root' | 'child' | 'parent' | 'join'
  /** The columns of a child table that refer to its owner. */
  readonly owner: readonly string[]
  /** Name, declaration and the way to each column's value in a row. */
  readonly columns: {
    readonly name: string
    readonly type: LiteralType | 'json' | 'array'
    readonly entry?: LiteralType
    /** Of a native enumeration. */
    readonly enumeration?: Enumeration
    readonly path: readonly string[]
    /** Whether every row has a value: then it is declared NOT NULL, and texts in the order of their column. */
    readonly isPresent?: boolean
    /** Whether the schema promises a value in every row: then it is declared NOT NULL. */
    readonly isRequired?: boolean
    /** Of decimals that are integers: how many of their digits are after the point. */
    readonly scale?: number
  }[]
  readonly children: { readonly path: readonly string[]; readonly plan: Plan; readonly isScalar: boolean }[]
  readonly parents: { readonly path: readonly string[]; readonly plan: Plan; readonly foreignKey: readonly string[] }[]
  /** Lists behind a join table. Its `owner` ends with a column that is NULL in the rows of the list. */
  readonly links: (Plan['children'][number] & { readonly join: Plan })[]
}
type Keys = Readonly<Record<Plan['role'] | 'owner', readonly string[]>>
/** The columns of each table's own key, and of a child table's owner. Keys of parent tables are composite. */
const ownKeys: Keys = {
  root: ['id'],
  child: ['key'],
  parent: ['key', 'half'],
  join: [],
  owner: ['owner', 'owner_half'],
}
/** With the key of the table at the root in each table. */
const shardedKeys: Keys = {
  root: ownKeys.root,
  child: ['root', ...ownKeys.child],
  parent: ['root', ...ownKeys.parent],
  join: [],
  owner: ['root', ...ownKeys.owner],
}
const keysIn = ({ isSharded = false }: Engine): Keys => (isSharded ? shardedKeys : ownKeys)

const holdsList = (definition: Field): boolean =>
  definition.type === 'list' || (definition.type === 'object' && Object.values(definition.fields).some(holdsList))

/** Whether a child table belongs to a row of another child table. */
const nestsLists = ({ children, parents, links }: Plan, isInList = false): boolean =>
  [...children, ...links].some(({ plan }) => isInList || nestsLists(plan, true)) ||
  parents.some(({ plan }) => nestsLists(plan, isInList))

const isMissing = (value: unknown): boolean => value === undefined || value === null

const literalOf = (type: string): LiteralType => (type === 'enumeration' ? 'string' : (type as LiteralType))

/**
 * How the next field is stored, whether the engine has lists in JSON, how many digits its decimals have where it has
 * integers alone, and which keys tables have.
 */
interface Next {
  (): Layout
  readonly hasJsonLists: boolean
  readonly json: (column: string) => JsonColumn
  /** Whether the next list in `parents` is behind a join table. */
  readonly isLinked: () => boolean
  readonly keys: Keys
  /** Declares a native enumeration, and names the type and the options of its columns. */
  readonly enumeration: ((values: readonly string[]) => NativeEnumeration) | undefined
  readonly scale: number | undefined
  /** Whether each foreign key without a NULL has its row. */
  readonly isEnforced: boolean
}
/** The fields that every row has a value for, and the type of those that are texts. */
interface Present {
  readonly names: readonly string[]
  readonly text?: string | undefined
}

const promised = (columns: readonly string[], { isEnforced }: Next): ForeignKey =>
  isEnforced ? { columns, enforced: true } : columns

/** Orders of two columns, each in both directions. A test needs no indexes for them: these decide how fast a statement is. */
function ordersIn(columns: ColumnOptions): OrderPaths[] {
  const names = Object.keys(columns).filter((name) => (columns[name] as Column).kind === 'column')
  return names.flatMap((first) =>
    names.flatMap((second) => (first === second ? [] : [[first, second] as const, [first, `-${second}`] as const])),
  )
}

/** A mapping for a schema, and the tables that it speaks of. */
function planOf(
  name: string,
  role: Plan['role'],
  owner: Plan['owner'],
  fields: Fields,
  next: Next,
  present: Present = { names: [] },
): { plan: Plan; columns: ColumnOptions } {
  const plan: Plan = { name, role, owner, columns: [], children: [], parents: [], links: [] }
  const { keys } = next
  const ownerOf = keys.owner.slice(0, keys[role].length)
  const referring = (path: readonly string[], root = keys[role][0]!) =>
    keys.parent.map((name) => (name === 'root' ? root : `${name}_${path.join('_')}`))
  const visit = (fields: Fields, path: readonly string[], isThere: boolean): ColumnOptions =>
    Object.fromEntries(
      Object.entries(fields).map(([field, definition]): [string, ColumnOptions[string]] => {
        const own = [...path, field]
        const stored = `c_${own.join('_')}`
        const isPresent = own.length === 1 && present.names.includes(field)
        const isRequired = isThere && isPromised(definition)
        if (field === 'id' && own.length === 1 && role === 'root') {
          plan.columns.push({ name: 'id', type: 'integer', path: own, isPresent })
          return [field, column('id', { notNull: isPresent })]
        }
        const layout = next()
        if (
          definition.type === 'json' ||
          definition.type === 'record' ||
          (layout === 'json' && (next.hasJsonLists || !holdsList(definition)))
        ) {
          plan.columns.push({ name: stored, type: 'json', path: own, isRequired })
          return [field, next.json(stored)]
        }
        if (definition.type === 'object' && layout === 'parents') {
          const parentName = `${name}_${own.join('_')}`
          const { plan: parent, columns } = planOf(parentName, 'parent', [], definition.fields, next)
          const foreignKey = referring(own)
          plan.parents.push({ path: own, plan: parent, foreignKey })
          return [field, parentTable(parentName, { key: keys.parent, foreignKey: promised(foreignKey, next), columns })]
        }
        if (definition.type === 'object') return [field, visit(definition.fields, own, isRequired)]
        if (definition.type !== 'list') {
          const { planned, mapped } = scalarOf(stored, own, definition, layout, next, isPresent ? present : undefined)
          plan.columns.push({ ...planned, isRequired })
          return [field, mapped]
        }
        if (layout === 'arrays' && definition.entry.type !== 'object') {
          plan.columns.push({ name: stored, type: 'array', entry: literalOf(definition.entry.type), path: own })
          return [field, arrayColumn(stored)]
        }
        const childName = `${name}_${own.join('_')}`
        const { entry } = definition
        const isLinked = layout === 'parents' && next.isLinked()
        const [as, ownerOfChild] = isLinked ? (['parent', []] as const) : (['child', ownerOf] as const)
        const isScalar = entry.type !== 'object'
        const child = isScalar
          ? valuePlan(childName, as, ownerOfChild, scalarOf('value', [], entry, layout, next))
          : planOf(childName, as, ownerOfChild, entry.fields, next)
        const foreignKey = promised(ownerOf, next)
        const value = isScalar ? { value: child.columns.value as Column } : {}
        if (!isLinked) {
          plan.children.push({ path: own, plan: child.plan, isScalar })
          const columns = isScalar ? {} : child.columns
          return [field, childTable(childName, { key: keys.child, foreignKey, columns, ...value })]
        }
        const { columns, joinColumns, moved } = halved(isScalar ? {} : child.columns, child.plan)
        const otherKey = referring(['other'], 'root')
        const owner = [...ownerOf, ...otherKey, 'gone']
        const join: Plan = {
          name: `${childName}_j`,
          role: 'join',
          owner,
          columns: moved,
          children: [],
          parents: [],
          links: [],
        }
        plan.links.push({ path: own, plan: child.plan, isScalar, join })
        const through = { table: join.name, foreignKey, otherKey, where: { gone: null } }
        return [field, childTable(childName, { key: keys.parent, through, columns, joinColumns, ...value })]
      }),
    )
  return { plan, columns: visit(fields, [], true) }
}
/** The table of a list of scalars. */
function valuePlan(
  name: string,
  role: Plan['role'],
  owner: Plan['owner'],
  { planned, mapped }: ReturnType<typeof scalarOf>,
): ReturnType<typeof planOf> {
  const plan: Plan = { name, role, owner, columns: [planned], children: [], parents: [], links: [] }
  return { plan, columns: { value: mapped } }
}
/** Moves every other column of the entries to the join table. */
function halved(columns: ColumnOptions, plan: Plan) {
  const names = Object.keys(columns).filter((name) => plan.columns.some(({ path }) => path.join() === name))
  const isMoved = (name: string) => names.indexOf(name) % 2 === 1
  const moved = plan.columns.filter(({ path }) => isMoved(path.join()))
  plan.columns.splice(0, Infinity, ...plan.columns.filter((one) => !moved.includes(one)))
  const part = (wanted: boolean) =>
    Object.fromEntries(Object.entries(columns).filter(([name]) => isMoved(name) === wanted)) as Record<string, Column>
  return { columns: part(false) as ColumnOptions, joinColumns: part(true), moved }
}
function scalarOf(
  name: string,
  path: readonly string[],
  definition: EntryField,
  layout: Layout,
  next: Next,
  present?: Present,
) {
  const isPresent = present !== undefined
  const planned = { name, type: literalOf(definition.type), path, isPresent }
  if (definition.type === 'enumeration' && layout === 'parents' && next.enumeration !== undefined) {
    const { enumeration, options } = next.enumeration(definition.values)
    return { planned: { ...planned, enumeration }, mapped: column(name, { ...options, notNull: isPresent }) }
  }
  if (planned.type === 'decimal' && next.scale !== undefined) {
    const { scale } = next
    const mapped = column(name, { type: 'scaled', digits: scale, notNull: isPresent })
    return { planned: { ...planned, scale }, mapped }
  }
  const text = planned.type === 'string' && present?.text !== undefined ? { type: present.text } : {}
  return { planned, mapped: column<string>(name, { notNull: isPresent, ...text }) }
}

/** Of dialects that have no decimals. */
const scale = 2
/** @throws SyntaxError where a value has more digits. */
function scaledOf(value: unknown, digits: number): string {
  const [whole, fraction = ''] = (value as string).split('.')
  if (fraction.length > digits) throw new SyntaxError(`${value as string} has more than ${digits} digits`)
  return BigInt(whole! + fraction.padEnd(digits, '0')).toString()
}

/** The types that an engine can store in each of some layouts. */
export const typesOf = ({ dialect: { columnTypes, types, json } }: Engine, layouts: readonly Layout[]): LiteralType[] =>
  literalTypes.filter((type) =>
    layouts.every((layout) => {
      if (layout === 'json') return json?.types[type] !== undefined
      return columnTypes[type] !== undefined || (type === 'decimal' && types.scaled !== undefined)
    }),
  )

const valueAt = (row: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (value, name) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, name)
        ? (value as Record<string, unknown>)[name]
        : undefined,
    row,
  )

const quote = (engine: Engine, name: string) => {
  const mark = engine.dialect.quote
  return mark + name.replaceAll(mark, mark + mark) + mark
}

/** Test files run side by side, on one server. */
const own = randomUUID().slice(0, 8)
let tables = 0
export interface Store {
  readonly table: Table
  readonly backend: SqlBackend
  readonly fill: (rows: readonly object[]) => Promise<void>
  readonly select: (condition: SqlWhere) => Promise<number[]>
  /** The ids of the rows of a query, in order. */
  readonly read: (query: SqlQuery) => Promise<number[]>
  readonly count: (query: SqlQuery) => Promise<number>
  /** The page of a whole statement, and its count; absent where the dialect selects no rows of the schema. */
  readonly answer?: (query: Query) => Promise<Answer>
  /** The values of the facets of a query. */
  readonly facets: (query: Query) => Promise<FacetValues>
  readonly drop: () => Promise<void>
}

export interface Answer {
  readonly page: Page<unknown>
  readonly count: number | { readonly atLeast: number }
}

/** How large tables are, and whether everything that an operator may look in has an index. */
export interface Size {
  readonly copies: number
  readonly isIndexed: boolean
}
/** The rows as they are. */
export const asGiven: Size = { copies: 1, isIndexed: false }
const keyOfParameter = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'bigint' ? `${inner}n` : inner))
/** Between the ids of a row and of its next copy. */
const span = 1_000_000

/** A backend that declares the types that its engine stores here, and not what its columns keep it from. */
const declaring = <B extends Store['backend']>(
  backend: B,
  types: readonly LiteralType[],
  lacks: Engine['lacks'] = [],
): B => ({
  ...backend,
  capabilities: {
    ...backend.capabilities,
    types,
    features: backend.capabilities.features.filter((feature) => !lacks.includes(feature)),
  },
})
/** Of a schema with a type that the engine cannot store: a backend that declares the others. */
function storeWithout({ dialect, lacks }: Engine, types: readonly LiteralType[]): Store {
  const mapped = table('t', { key: 'id' })
  const none = () => Promise.reject(new Error('the engine does not store every type of the schema'))
  return {
    table: mapped,
    backend: declaring(sqlBackend({ dialect, table: mapped }), types, lacks),
    ...{ fill: none, select: none, read: none, count: none, facets: none, drop: () => Promise.resolve() },
  }
}

/**
 * Tables of their own for a schema's rows: in one layout, or each field in the next of several. Of several copies of a row,
 * each planner of the engine selects all or none.
 */
export function storeOf(
  engine: Engine,
  schema: Schema,
  layouts: Layout | readonly Layout[],
  { copies, isIndexed }: Size = asGiven,
  present: readonly string[] = [],
): Store {
  const name = `t${own}_${++tables}`
  // Every second store makes the promises of a mapping, and keeps them.
  const isEnforced = tables % 2 === 0
  const turns = [layouts].flat()
  let turn = 0
  let lists = 0
  let enums = 0
  const { types, columnTypes } = engine.dialect
  const known = typesOf(engine, turns)
  if (
    !Array.from(schema.paths.values(), ({ literal }) => literal).every(
      (one) => one === 'object' || one === 'json' || known.includes(one),
    )
  )
    return storeWithout(engine, known)
  const next: Next = Object.assign(() => turns[turn++ % turns.length]!, {
    enumeration:
      engine.enumeration &&
      ((values: readonly string[]): NativeEnumeration => {
        const typeName = `${name}_enum${enums++}`
        const isOrdered = isEnforced && types.orderedEnum !== undefined
        return {
          enumeration: engine.enumeration!(typeName, values),
          options: isOrdered ? { type: 'orderedEnum', name: typeName } : { type: 'enum' },
        }
      }),
    hasJsonLists: engine.dialect.json?.entries !== undefined,
    json: jsonIn(engine),
    isLinked: () => lists++ % 2 === 0,
    keys: keysIn(engine),
    scale: columnTypes.decimal === undefined ? scale : undefined,
    isEnforced,
  })
  const { plan, columns } = planOf(name, 'root', [], schema.fields, next, {
    names: present,
    text: Object.keys(types).find((type) => types[type]!.isOrdered),
  })
  const mapped = table(name, { schema, key: 'id', columns, ...(isEnforced && { orders: ordersIn(columns) }) })
  const q = (name: string) => quote(engine, name)
  const plans = (plan: Plan): Plan[] => [
    plan,
    ...[...plan.children, ...plan.parents, ...plan.links].flatMap((other) => plans(other.plan)),
    ...plan.links.map(({ join }) => join),
  ]
  const keyOf = keysIn(engine)
  /** The columns of keys and foreign keys, the own key first. The key of the table at the root is a field. */
  const keyColumns = ({ role, owner, parents }: Plan): string[] => {
    const all = new Set([...keyOf[role], ...owner, ...parents.flatMap(({ foreignKey }) => foreignKey)])
    all.delete('id')
    return [...all]
  }
  /** The keys of copies are moved; a half is the same in each. */
  const movesNulls = (column: string) => ['id', 'root', 'owner'].includes(column) || /^key(_|$)/.test(column)

  const { dialect, planning } = engine
  const declared = { ...engine.declared, ...(isIndexed && planning.text !== undefined && { string: planning.text }) }
  const presentAs = (type: LiteralType | 'json') =>
    `${type === 'string' ? (planning.text ?? declared[type]) : declared[type]} NOT NULL`

  const enumerations: Enumeration[] = []
  const declarationOf = ({ isRequired = false, ...column }: Plan['columns'][number]): string =>
    typeDeclared(column) + (isRequired && column.isPresent !== true ? ' NOT NULL' : '')
  const typeDeclared = ({ type, entry, enumeration, scale, isPresent = false }: Plan['columns'][number]): string => {
    if (type === 'array') return `${declared[entry!]}[]`
    if (scale !== undefined) return declared.bigint
    if (enumeration === undefined) return isPresent ? presentAs(type) : declared[type]
    enumerations.push(enumeration)
    return enumeration.declared
  }

  const create = async (): Promise<void> => {
    for (const one of plans(plan)) {
      const made = enumerations.length
      const declarations = one.columns.map((column) => `${q(column.name)} ${declarationOf(column)}`)
      const keys = keyColumns(one).map((name) => `${q(name)} ${declared.integer}`)
      for (const { create } of enumerations.slice(made)) if (create !== undefined) await engine.run(create)
      await engine.run(`CREATE TABLE ${q(one.name)} (${[...keys, ...declarations].join(', ')})${engine.options}`)
    }
  }
  let key = 0
  /** What refers to no row, in turn. */
  const dangling = [
    [null, null],
    [-1, 0],
    [null, 1],
    [1, -1],
  ] as const
  let missing = 0
  const insert = async (
    one: Plan,
    row: unknown,
    root: number,
    owner: readonly (number | null)[] = [],
  ): Promise<readonly number[]> => {
    const { role } = one
    const id = role === 'root' ? root : ++key
    const values: Readonly<Record<string, number>> = { id, root, key: id, half: id % 2 }
    const own = keyOf[role].map((name) => values[name]!)
    const keys = new Map<string, number | null>()
    for (const { path, plan: parent, foreignKey } of one.parents) {
      const object = valueAt(row, path)
      const refers = isMissing(object)
        ? [root, ...dangling[isEnforced ? 0 : missing++ % dangling.length]!].slice(-foreignKey.length)
        : await insert(parent, object, root)
      for (const [at, name] of foreignKey.entries()) keys.set(name, refers[at]!)
    }
    for (const [at, name] of one.owner.entries()) keys.set(name, owner[at]!)
    for (const [at, name] of keyOf[role].entries()) keys.set(name, own[at]!)
    const fields = one.columns.map(({ type, entry, path, scale }) => {
      const value = valueAt(row, path)
      if (isMissing(value)) return null
      if (scale !== undefined) return engine.stored('bigint', scaledOf(value, scale))
      if (type !== 'array') return engine.stored(type, value)
      return (value as unknown[]).map((item) => (isMissing(item) ? null : engine.stored(entry!, item)))
    })
    const columns = keyColumns(one)
    const all = [...columns.map((name) => keys.get(name)!), ...fields]
    const names = [...columns, ...one.columns.map(({ name }) => name)]
    const marks = all.map((_, at) => engine.dialect.placeholder(at + 1)).join(', ')
    await engine.run(`INSERT INTO ${q(one.name)} (${names.map(q).join(', ')}) VALUES (${marks})`, all)
    const entriesOf = ({ path, isScalar, plan: { name } }: Plan['children'][number]): readonly unknown[] => {
      const entries = valueAt(row, path)
      const all = Array.isArray(entries) ? (entries as unknown[]) : []
      if (!isScalar && all.includes(null)) throw new Error(`a row of ${name} cannot be null`)
      return all
    }
    for (const child of one.children) for (const entry of entriesOf(child)) await insert(child.plan, entry, root, own)
    for (const link of one.links) await insertLinks(link, entriesOf(link), root, own)
    return own
  }
  /** Entries that rows share behind join tables, and their keys. */
  interface Linked {
    readonly entry: unknown
    readonly refers: readonly number[]
  }
  const linked = new Map<Plan, Map<string, Linked>>()
  /** Entries behind a join table. Beside them are rows of the join table that belong to no list. */
  const insertLinks = async (
    { plan, join }: Plan['links'][number],
    entries: readonly unknown[],
    root: number,
    own: readonly number[],
  ): Promise<void> => {
    const known = linked.get(plan) ?? new Map<string, Linked>()
    linked.set(plan, known)
    const keyAt = keyOf.parent.indexOf('key')
    // A list is in the order of the keys.
    let last = 0
    for (const entry of entries) {
      const text = (engine.isSharded === true ? `${root} ` : '') + keyOfParameter(entry)
      const before = known.get(text)
      const isAfter = before !== undefined && before.refers[keyAt]! > last
      const refers = isAfter ? before.refers : await insert(plan, entry, root)
      known.set(text, { entry, refers })
      last = refers[keyAt]!
      await insert(join, entry, root, [...own, ...refers, null])
    }
    const [other] = known.values()
    if (other === undefined) return
    const { entry, refers } = other
    await insert(join, entry, root, [...own, ...refers, 1])
    await insert(join, entry, root, [...own, ...[root, 0, -1].slice(-refers.length), null])
    if (!isEnforced) await insert(join, entry, root, [...[root, 0, -1].slice(-own.length), ...refers, null])
  }

  /** Doubles the rows until there are enough. */
  const multiply = async (one: Plan): Promise<void> => {
    const columns = [...keyColumns(one), ...one.columns.map(({ name }) => name)]
    const [own] = [...keyOf[one.role], ...one.owner]
    for (let made = 1; made < copies; made *= 2) {
      const moved = columns.map((name) => (movesNulls(name) ? `${q(name)} + ${made * span}` : q(name)))
      await engine.run(
        `INSERT INTO ${q(one.name)} (${columns.map(q).join(', ')}) SELECT ${moved.join(', ')} FROM ${q(one.name)}
          WHERE ${q(own!)} < ${(copies - made) * span}`,
      )
    }
  }
  const index = async (one: Plan): Promise<void> => {
    const { cased = (value) => value } = dialect.textRules
    const lowered = (column: string) => `${dialect.lower}(${flatten(cased(raw(column))).strings[0]!})`
    const indexes = [
      ...keyColumns(one).map((name) => `(${q(name)})`),
      ...one.columns.flatMap(({ name, type, enumeration }) => {
        const column = q(name)
        if (type === 'json' || type === 'array') return planning.listIndexes?.(column, type) ?? []
        return type === 'string' && enumeration === undefined
          ? planning.textIndexes(column, lowered(column))
          : [`(${column})`]
      }),
    ]
    for (const [at, on] of indexes.entries())
      await engine.run(`CREATE INDEX ${q(`${one.name}_i${at}`)} ON ${q(one.name)} ${on}`)
    await engine.run(planning.analyze(q(one.name)))
  }

  /** The rows of which all copies are selected. */
  const whole = (ids: readonly number[]): number[] => {
    if (copies === 1) return [...ids]
    return Array.from(
      Map.groupBy(ids, (id) => id % span),
      ([id, { length }]) => {
        if (length !== copies) throw new Error(`selects ${length} of ${copies} copies of row ${id}`)
        return id
      },
    )
  }
  /** The ids of the rows of a condition, by a planner. The rows stay as they are, so that it runs each statement once. */
  const asking = (run: Engine['run']) => {
    const send = together(engine, run)
    const known = new Map<string, Promise<number[]>>()
    return async (condition: SqlWhere): Promise<number[]> => {
      const own = [condition.text, ...(condition.parameters as unknown[])].map(keyOfParameter).join()
      const selected =
        known.get(own) ?? send(between(`SELECT ${q('id')} FROM ${q(name)} WHERE `, condition)).then(idsOf)
      known.set(own, selected)
      return [...(await selected)]
    }
  }
  const idsOf = (rows: Record<string, unknown>[]) => whole(rows.map(({ id }) => Number(id)))
  const ask = asking(engine.run)
  const others = (isIndexed ? (planning.planners ?? []) : []).map(({ on, off }) => ({
    on,
    ask: asking(async (statement, parameters) => {
      await engine.run(on)
      return engine.run(statement, parameters).finally(() => engine.run(off))
    }),
  }))

  const backend = declaring(sqlBackend({ dialect, table: mapped }), known, engine.lacks)
  const canSelect = dialect.select !== undefined && (dialect.select.nested !== false || !nestsLists(plan))
  return {
    table: mapped,
    backend,
    ...(canSelect && {
      answer: async (query) => {
        const statement = backend.select(query)
        const { count } = statement
        return {
          page: statement.page(await engine.run(statement.text, statement.parameters)),
          count: count.read((await engine.run(count.text, count.parameters))[0]),
        }
      },
    }),
    fill: async (rows) => {
      await create()
      linked.clear()
      for (const row of rows) await insert(plan, row, (row as { id: number }).id)
      for (const one of plans(plan)) {
        await multiply(one)
        if (isIndexed) await index(one)
      }
    },
    select: async (condition) => {
      const selected = await ask(condition)
      for (const { on, ask } of others) {
        const again = await ask(condition)
        const [first, second] = [selected, again].map((ids) => String(ids.toSorted((a, b) => a - b)))
        if (first !== second) throw new Error(`selects ${first}, but ${second} after ${on}`)
      }
      return selected
    },
    read: async ({ text, parameters }) => {
      const rows = await engine.run(`SELECT ${q('id')} FROM ${q(name)} ${text}`, parameters)
      return rows.map(({ id }) => Number(id))
    },
    count: async ({ count: { text, parameters } }) => {
      const [row] = await engine.run(`SELECT COUNT(*) AS n FROM ${q(name)} WHERE ${text}`, parameters)
      return Number(row!.n)
    },
    facets: async (query) => {
      const values: Record<string, FacetValues[string]> = {}
      for (const { path, text, parameters, read } of backend.facets(query))
        values[path] = read(await engine.run(text, parameters))
      return values
    },
    drop: async () => {
      for (const { name } of plans(plan).toReversed()) await engine.run(`DROP TABLE ${q(name)}`)
      for (const { drop } of enumerations.splice(0)) if (drop !== undefined) await engine.run(drop)
    },
  }
}

const { POSTGRES_URL, POSTGRES18_URL, MARIADB_URL, MYSQL_URL } = process.env
/** The engines in process, and the servers that the environment points to. */
export const opening: Readonly<Record<string, () => Promise<Engine>>> = {
  sqlite: () => Promise.resolve(openSqlite()),
  'sqlite, lower-casing whole': () =>
    Promise.resolve({ ...openSqlite(wholeSqlite), name: 'sqlite, lower-casing whole' }),
  pglite: openPglite,
  'pglite, pg_c_utf8': openPglite17,
  ...(POSTGRES_URL !== undefined && { postgres: () => openPostgres(POSTGRES_URL) }),
  ...(POSTGRES18_URL !== undefined && {
    'postgres 18': () => openPostgres18(POSTGRES18_URL),
    'postgres 18, pg_c_utf8': () => openPostgres18InC(POSTGRES18_URL),
  }),
  ...(MARIADB_URL !== undefined && { mariadb: () => openMariadb(MARIADB_URL) }),
  ...(MYSQL_URL !== undefined && { mysql: () => openMysql(MYSQL_URL) }),
}

/** All of them, or those that are asked for. */
export async function openEngines(isAsked: (name: string) => boolean = () => true): Promise<Engine[]> {
  const engines: Engine[] = []
  for (const [name, open] of Object.entries(opening)) if (isAsked(name)) engines.push(await open())
  return engines
}

/** Whether JSON of a schema has no member name that the engine does not find. */
export const isInReach = ({ dialect: { json } }: Engine, { paths }: Schema): boolean =>
  !Array.from(paths.keys(), (name) => name.split('.'))
    .flat()
    .some((name) => json?.isOutOfReach?.(name) === true)

/** Maps a column of the type that the engine declares for JSON. */
export const jsonIn = ({ json = jsonColumn }: Engine): NonNullable<Engine['json']> => json

/** Every way in which an engine stores lists. */
export const layoutsOf = (engine: Engine): readonly Layout[] =>
  engine.layouts !== undefined
    ? engine.layouts
    : engine.dialect.array === undefined
      ? ['tables', 'parents', 'json']
      : ['tables', 'parents', 'json', 'arrays']
