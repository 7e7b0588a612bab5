/** Whatever answers filters here, as one interface: each engine in each layout, and the predicate in memory. */
import fc from 'fast-check'
import { memoryBackend, type MemoryOptions, type Predicate } from '../../src/backends/memory/index.ts'
import type { MongoDocument, MongoQuery } from '../../src/backends/mongo/index.ts'
import { simpleLowerCase } from '../../src/backends/sql/index.ts'
import type { SqlCondition, SqlPiece, SqlQuery, SqlWhere } from '../../src/backends/sql/index.ts'
import type { PrismaQuery, PrismaWhere } from '../../src/backends/prisma/index.ts'
import { defineSchema, field, FilterError } from '../../src/index.ts'
import type { FacetValues, Filter, Query, Schema } from '../../src/index.ts'
import { literalTypes, type Backend, type Feature, type LiteralType } from '../../src/tree.ts'
import { someSchemaOf } from '../../src/kit/arbitraries.ts'
import { cases, queryCases } from '../../src/kit/index.ts'
import { departuresOf } from '../engines/mongo/departures.ts'
import * as edge from '../edge/engines.ts'
import * as mongo from '../engines/mongo/engines.ts'
import * as sql from '../engines/sql/engines.ts'
import { between } from '../engines/sql/together.ts'
import * as prisma from '../prisma/client.ts'
import { storesOf, type Layout } from '../prisma/stores.ts'
import { literalTypeOf } from '../../src/language/types.ts'
import { partsOfFilter, withTieBreakers } from '../../src/query/index.ts'

export type Row = Readonly<Record<string, unknown>> & { readonly id: number }

/**
 * Why an engine may answer otherwise than memory: letters that its dialect declares to leave as they are, with which every law
 * still holds, or a departure in `test/engines/mongo/departures.ts` or `test/engines/sql/vitess.ts`, for which laws may fail.
 * What a backend refuses has no answer.
 */
export type Exception = 'letters' | 'departure' | 'refusal'

/** How the pages of queries are read. */
export interface Pages<Page = unknown> {
  compile(query: Query): Page
  /** The ids of the rows that a query reads, in order. */
  read(page: Page): Promise<readonly number[]>
  /** How many rows its filter selects. */
  count(page: Page): Promise<number>
  /** The page as an adopter makes it of whole statements, and the number of all rows; absent where nothing reads rows. */
  readonly answer?: ((query: Query) => Promise<sql.Answer>) | undefined
  /** The values of the facets of a query; absent where nothing counts them. */
  readonly facets?: ((query: Query) => Promise<FacetValues>) | undefined
  /** Whether it refuses facets in lists. */
  readonly refusesLists?: boolean
  excepts(query: Query, rows: readonly Row[], page: Page): Exception | undefined
  /** As `show` of filters. */
  show(page: Page): unknown
}
/** Where the rows of one schema are. */
export interface Store<Output = unknown> {
  /** How its fields are stored, for reports. */
  readonly layout: string
  readonly backend: Backend<Output>
  fill(rows: readonly Row[]): Promise<void>
  /** The ids of the rows that an output selects, in any order. */
  select(output: Output): Promise<readonly number[]>
  /** What selects all other rows, in the engine's own words. */
  negated(output: Output): Output
  drop(): Promise<unknown>
  excepts(filter: Filter, rows: readonly Row[], output: Output): Exception | undefined
  /** An output for reports: the same in each run. */
  show(output: Output): unknown
  /** Absent where each row is stored many times: no order puts all copies of it in one place. */
  readonly pages?: Pages
}
export interface Contender<Output = unknown> {
  /** The engine and its layout. */
  readonly name: string
  readonly engine: string
  /** The others are compared with it, so only the laws run on it. */
  readonly isReference: boolean
  /** How many times slower it is than others of its product, because it stores thousands of rows. */
  readonly weight: number
  /** Whether its stores have pages. */
  readonly hasPages: boolean
  /** Whether the backend declares a refusal; others compile every filter. */
  readonly mayRefuse?: (refusal: FilterError) => boolean
  /** The schemas that it has stores for. A store may be made for some fields of one alone. */
  readonly schemas: fc.Arbitrary<Schema>
  /** What makes its stores: always the same, or one of several mappings. */
  readonly stores: fc.Arbitrary<(schema: Schema) => Store<Output>>
  /** It, where it is always the same. */
  readonly storeOf?: (schema: Schema) => Store<Output>
}

/** Whether a contender declares the refusal that was thrown. */
export const isRefusal = ({ mayRefuse }: Pick<Contender, 'mayRefuse'>, error: unknown): boolean =>
  error instanceof FilterError && mayRefuse?.(error) === true

/** One whose stores are always the same. */
const withStore = <Output>(
  engine: string,
  layout: string,
  types: readonly LiteralType[],
  storeOf: (schema: Schema) => Store<Output>,
  features: readonly Feature[] = ['records'],
): Contender<Output> => ({
  name: layout === '' ? engine : `${engine}, ${layout}`,
  engine,
  isReference: engine === 'memory',
  weight: 1,
  hasPages: true,
  schemas: someSchemaOf(types, features),
  stores: fc.constant(storeOf),
  storeOf,
})

type MemoryReader = ReturnType<ReturnType<typeof memoryBackend>['compileQuery']>
const inMemory = (layout: string, types: readonly LiteralType[], options: MemoryOptions) =>
  withStore<Predicate>('memory', layout, types, () => {
    let rows: readonly Row[] = []
    const backend = memoryBackend(options)
    return {
      layout: 'rows',
      backend,
      fill: async (given) => Promise.resolve(void (rows = given)),
      select: async (matches) => Promise.resolve(rows.filter(matches).map(({ id }) => id)),
      negated: (matches) => (row) => !matches(row),
      drop: () => Promise.resolve(),
      excepts: () => undefined,
      show: () => 'a predicate',
      pages: {
        compile: backend.compileQuery,
        read: async (page: MemoryReader) => Promise.resolve((page(rows).rows as readonly Row[]).map(({ id }) => id)),
        count: async (page: MemoryReader) => Promise.resolve((page(rows).count as number | undefined) ?? NaN),
        facets: async (query) => Promise.resolve(backend.facets(query)(rows)),
        excepts: () => undefined,
        show: () => 'a function of rows',
      },
    }
  })

/** Whether a match may meet a letter that the dialect, or the engine's Unicode, leaves and memory does not. */
function meetsUnlowered({ name, dialect }: sql.Engine, asked: object, rows: readonly Row[]): boolean {
  return meetsLetters(dialect.unlowered[dialect.lower] ?? sql.newerLetters[name], asked, rows)
}
/** @param asked the filter, or the filter with its order. */
function meetsLetters(left: RegExp | undefined, asked: object, rows: readonly Row[]): boolean {
  if (left === undefined) return false
  const text = JSON.stringify(asked)
  if (!/"mode":"(?:prefix|suffix|substring|whole)"|"ignoreCase":true|IgnoreCase"/.test(text)) return false
  return Array.from(text + JSON.stringify(rows)).some((mark) => left.test(mark) && simpleLowerCase(mark) !== mark)
}

/** A filter in both forms; behind NOT in one of them alone. */
interface Forms extends SqlCondition {
  readonly where?: SqlWhere
}
const byId: Omit<Query, 'filter' | 'asked'> = {
  sort: [{ path: ['id'], type: 'integer', direction: 'ascending', required: true }],
  limit: 1,
  count: false,
}

function inSql(engine: sql.Engine, size: sql.Size, types: readonly LiteralType[]): Contender<Forms>[] {
  const { weight = 1 } = engine
  const hasPages = size.copies === 1
  // Random filters reach the limits of engines at the edge.
  const declared = edge.hasLowLimits(engine) ? { mayRefuse: isTooLarge } : {}
  const storeIn =
    (layouts: readonly sql.Layout[]) =>
    (schema: Schema): Store<Forms> => {
      const store = sql.storeOf(engine, schema, layouts, size)
      // Tables have names of their own in each run; those of children begin with their parent's.
      const show = ({ text, parameters }: SqlPiece) => ({
        text: text.replaceAll(store.table.name as string, 't'),
        parameters,
      })
      const excepts = (asked: object, rows: readonly Row[], text: string): Exception | undefined =>
        engine.refuses?.(text) === true ? 'departure' : meetsUnlowered(engine, asked, rows) ? 'letters' : undefined
      const pages: Pages<SqlQuery> = {
        compile: store.backend.compileQuery,
        read: store.read,
        count: store.count,
        answer: store.answer,
        facets: store.facets,
        refusesLists: engine.dialect.countsLists === false,
        excepts: ({ filter, sort, position }, rows, { text }) => excepts({ filter, sort, position }, rows, text),
        show,
      }
      const { compile, compileQuery } = store.backend
      return {
        ...store,
        layout: layouts.join(', '),
        backend: {
          ...store.backend,
          compile: (filter: Filter): Forms => ({
            ...compile(filter),
            where: compileQuery({ ...byId, ...partsOfFilter(filter) }).where,
          }),
        },
        select: async (forms: Forms) => {
          const { where = forms } = forms
          const [selected, again] = await Promise.all([store.select(forms), store.select(where)])
          const [first, second] = [selected, again].map((ids) => String(ids.toSorted((a, b) => a - b)))
          if (first !== second) throw new Error(`selects ${first}, but ${second} by ${where.text}`)
          return selected
        },
        negated: ({ where: _, ...condition }: Forms): Forms => between('NOT ', condition),
        excepts: (filter: Filter, rows: readonly Row[], { text }: Forms) => excepts(filter, rows, text),
        show,
        ...(hasPages && { pages }),
      }
    }
  const typesIn = (layouts: readonly sql.Layout[]) =>
    sql.typesOf(engine, layouts).filter((type) => types.includes(type))
  const layouts = sql.layoutsOf(engine).filter((layout) => typesIn([layout]).length > 0)
  const records = engine.dialect.json?.readsKeys === true ? (['records'] as const) : []
  // Records are JSON in every layout.
  const isStored = (schema: Schema) =>
    Array.from(schema.paths.values()).every(
      ({ entry }) => entry === undefined || inRecords.includes(literalTypeOf(entry.type)),
    )
  const schemasIn = (layouts: readonly sql.Layout[]) => {
    const schemas = someSchemaOf(typesIn(layouts), records).filter(isStored)
    return layouts.includes('json') ? schemas.filter((schema) => sql.isInReach(engine, schema)) : schemas
  }
  const inRecords: readonly string[] = sql.typesOf(engine, ['json'])
  const mixed = fc.array(fc.constantFrom(...layouts), { minLength: 1, maxLength: 5 })
  return [
    ...layouts.map((layout) => ({
      ...withStore(engine.name, layout, typesIn([layout]), storeIn([layout])),
      ...{ weight, hasPages, ...declared, schemas: schemasIn([layout]) },
    })),
    ...(layouts.length === 0
      ? []
      : [
          {
            name: `${engine.name}, mixed`,
            engine: engine.name,
            isReference: false,
            ...{ weight, hasPages, ...declared },
            schemas: schemasIn(layouts),
            stores: mixed.map(storeIn),
          },
        ]),
  ]
}

const isTooLarge = ({ issues }: FilterError): boolean =>
  issues.every(({ code, parameters }) => code === 'backend_refused' && parameters.problem === 'size')

/** The limit of groups on entries in docs/guides/mongodb.md, which random filters reach. */
const isTooManyAlternatives = ({ issues }: FilterError): boolean =>
  issues.every(
    ({ code, message }) =>
      code === 'backend_refused' &&
      message.endsWith(' compares one entry by more than 1000 alternatives or conditions'),
  )

/** Random keys of records begin with `$`, too. */
const isOperator = ({ issues }: FilterError): boolean =>
  issues.every(({ code, message }) => code === 'backend_refused' && message.endsWith(' has a name that begins with $'))

/** Each engine in each layout; a server also with indexes and so many documents that its planner chooses. */
function inMongo(engine: mongo.Engine, types: readonly LiteralType[]): Contender<MongoDocument>[] {
  type Small = ReturnType<typeof mongo.storeOf>
  type StoreOf = (schema: Schema, layout: mongo.Layout) => ReturnType<typeof mongo.indexedStoreOf> | Small
  const inLayouts = (name: string, indexed: boolean, storeOf: StoreOf) =>
    mongo.layouts.map((layout) => ({
      ...withStore(name, layout, types, (schema: Schema) => {
        const store = storeOf(schema, layout)
        const departs = (document: MongoDocument, rows: readonly Row[]) =>
          departuresOf({ name: engine.name, indexed }, document, store.documentsOf(rows)).length > 0
            ? ('departure' as const)
            : undefined
        return {
          ...store,
          layout,
          negated: (document: MongoDocument) => ({ $nor: [document] }),
          excepts: (_: Filter, rows: readonly Row[], output: MongoDocument) => departs(output, rows),
          show: (output: MongoDocument) => output,
          ...('read' in store && {
            pages: {
              compile: store.backend.compileQuery,
              read: store.read,
              count: store.count,
              facets: 'facets' in store ? store.facets : undefined,
              // To order texts is to compare them.
              excepts: (query: Query, rows: readonly Row[], page: MongoQuery) => {
                const { sort } = withTieBreakers(query)
                const texts = Object.keys(page.sort).filter((_, at) => sort[at]!.type === 'string')
                return departs(
                  { $and: [page.filter, page.count, ...texts.map((name) => ({ [name]: { $gt: '' } }))] },
                  rows,
                )
              },
              show: (page: MongoQuery) => page,
            } satisfies Pages<MongoQuery>,
          }),
        }
      }),
      weight: indexed ? 4 : 1,
      hasPages: !indexed,
      // No option encodes the values of a record, which are decimals for MongoDB by an `encode` alone.
      schemas: someSchemaOf(types, ['records']).filter(({ paths }) =>
        Array.from(paths.values()).every(({ entry }) => entry?.type !== 'decimal'),
      ),
      mayRefuse: (refusal: FilterError) => isTooManyAlternatives(refusal) || isOperator(refusal),
    }))
  const small = inLayouts(engine.name, false, (schema, layout) => mongo.storeOf(engine, schema, layout))
  if (!mongo.isServer(engine)) return small
  const indexed: StoreOf = (schema, layout) => mongo.indexedStoreOf(engine, schema, layout)
  return [...small, ...inLayouts(`${engine.name}, indexed`, true, indexed)]
}

/** By database, the letters that its ILIKE or LIKE leaves as they are. */
const unloweredInPrisma: Readonly<Record<prisma.Database['provider'], RegExp | undefined>> = {
  postgresql: sql.newerLetters.postgres,
  mysql: undefined,
  sqlite: /[^\0-\x7f]/,
}
const layoutsInPrisma: Readonly<Record<string, Layout>> = {
  relations: { hasScalarLists: false, hasLower: false, hasEnums: true },
  'relations, small letters': { hasScalarLists: false, hasLower: true, hasEnums: false },
  'scalar lists': { hasScalarLists: true, hasLower: false, hasEnums: false },
}
const fixtures = Array.from(new Set([...cases, ...queryCases].map(({ fixture }) => fixture)), ({ schema }) => schema)
/** A client is generated for all schemas at once, so random ones are always the same. The name of a field has the number of its schema. */
function poolOf(types: readonly LiteralType[]) {
  const pool = fc
    .sample(someSchemaOf(types), { seed: 1, numRuns: 30 })
    .map(({ fields }, at) =>
      Object.fromEntries(Object.entries(fields).map(([name, field]) => [`${name}_${at}`, field])),
    )
  const stored = pool.map((fields) => defineSchema({ ...fields, part: field.string(), id: field.integer() }))
  return {
    schemas: pool.map((fields) => defineSchema(fields)),
    stored,
    storedOf: (schema: Schema): Schema => {
      const [at = '0'] = Object.keys(schema.fields).flatMap((name) => /_(\d+)$/.exec(name)?.[1] ?? [])
      return stored[Number(at)]!
    },
  }
}

/** The types that a database of Prisma stores: its decimals on SQLite are doubles. */
const typesInPrisma = (database: string): readonly LiteralType[] =>
  literalTypes.filter((type) => type !== 'decimal' || database !== 'sqlite')

/** Prisma's generated clients. */
async function inPrisma(name: string, types: readonly LiteralType[]) {
  const databaseName = name.replace('prisma ', '')
  const open = prisma.opening[databaseName]!
  const inDatabase = typesInPrisma(databaseName)
  const isStored = ({ paths }: Schema): boolean =>
    Array.from(paths.values()).every(
      ({ literal, entry }) =>
        entry === undefined && (literal === 'object' || (literal !== 'json' && inDatabase.includes(literal))),
    )
  const pool = poolOf(types.filter((type) => inDatabase.includes(type)))
  const stored = fixtures.filter(isStored)
  const closing: (() => Promise<void>)[] = []
  const contenders: Contender<PrismaWhere>[] = []
  for (const [layoutName, layout] of Object.entries(layoutsInPrisma)) {
    const database = await open()
    const { provider } = database
    // The others have no scalar lists.
    if (layout.hasScalarLists && provider !== 'postgresql') {
      await database.close()
      continue
    }
    const ofCases = storesOf(database, layout, 'case', stored)
    const ofPool = storesOf(database, layout, 'pool', pool.stored)
    closing.push(async () => {
      await ofCases.close()
      await ofPool.close()
      await database.close()
    })
    const left = layout.hasLower ? undefined : unloweredInPrisma[provider]
    const excepts = (filter: Filter, rows: readonly Row[]) =>
      meetsLetters(left, filter, rows) ? ('letters' as const) : undefined
    const show = (output: object): unknown =>
      JSON.parse(JSON.stringify(output, (_, value) => (typeof value === 'bigint' ? `${value}n` : (value as unknown))))
    const storeOf = (schema: Schema): Store<PrismaWhere> => {
      // The backend declares neither the type nor records, so the cases are left out.
      if (!isStored(schema)) return storeOf(stored[0]!)
      const store = stored.includes(schema) ? ofCases.storeOf(schema) : ofPool.storeOf(schema, pool.storedOf(schema))
      let ids: readonly number[] = []
      const pages: Pages<PrismaQuery> = {
        compile: (query) => store.backend.compileQuery(query),
        read: store.read,
        count: store.count,
        excepts: ({ filter }, rows) => excepts(filter, rows),
        show,
      }
      return {
        ...store,
        layout: layoutName,
        fill: async (rows) => {
          ids = rows.map(({ id }) => id)
          await store.fill(rows)
        },
        // Its own NOT leaves out the rows where a field is null: there is no word for all others.
        negated: (where) => ({ 'all but': where }),
        select: async (where) => {
          if (!Object.hasOwn(where, 'all but')) return store.select(where)
          const selected = await store.select(where['all but'] as PrismaWhere)
          return ids.filter((id) => !selected.includes(id))
        },
        excepts,
        show,
        pages,
      }
    }
    const schemas = fc.constantFrom(...pool.schemas)
    contenders.push({ ...withStore(name, layoutName, types, storeOf), weight: 4, mayRefuse: () => true, schemas })
  }
  return { contenders, close: async () => void (await Promise.all(closing.map((close) => close()))) }
}
/** The names of the databases that Prisma runs on; none where it is not installed. */
export const prismaEngines: readonly string[] = prisma.isInstalled
  ? Object.keys(prisma.opening).map((name) => `prisma ${name}`)
  : []

const { CHDB_PYTHON, OCEANBASE_URL, POSTGRES18_URL, RQLITE_URL, VITESS_URL } = process.env
/** The engines of SQL in process, and the servers that the environment points to. */
const inTables: Readonly<Record<string, () => Promise<sql.Engine>>> = {
  ...sql.opening,
  ...edge.opening,
  duckdb: async () => (await import('../engines/sql/duckdb.ts')).openDuckdb(),
  'duckdb, lower-casing whole': async () => {
    const { openDuckdb, wholeDuckdb } = await import('../engines/sql/duckdb.ts')
    return openDuckdb(wholeDuckdb)
  },
  ...(POSTGRES18_URL !== undefined && {
    'postgres 18, partitioned': async () =>
      (await import('../engines/sql/partitions.ts')).openPartitioned(POSTGRES18_URL),
  }),
  ...(CHDB_PYTHON !== undefined && {
    clickhouse: async () => (await import('../engines/sql/clickhouse.ts')).openClickhouse(CHDB_PYTHON),
  }),
  ...(OCEANBASE_URL !== undefined && {
    oceanbase: async () => (await import('../engines/sql/padding.ts')).openOceanbase(OCEANBASE_URL),
  }),
  ...(RQLITE_URL !== undefined && {
    rqlite: async () => (await import('../edge/rqlite.ts')).openRqlite(RQLITE_URL),
  }),
  ...(VITESS_URL !== undefined && {
    vitess: async () => (await import('../engines/sql/vitess.ts')).openVitess(VITESS_URL),
  }),
}
/** The names of the engines of SQL that are present. */
export const tableEngines: readonly string[] = Object.keys(inTables)
/** Without those that run SQLite in another driver, and those that have a setting. */
export const plainEngines: readonly string[] = [
  ...tableEngines.filter((name) => !name.includes(',') && !Object.hasOwn(edge.opening, name)),
  ...prismaEngines,
]

export interface Opened {
  readonly contenders: readonly Contender[]
  /** The names of all engines that are present, opened or not. */
  readonly engines: readonly string[]
  readonly close: () => Promise<void>
}
/**
 * Those of some engines, or of all. What some engines of SQL and clients of Prisma take to open is saved; a server of MongoDB has a name only then.
 * Tables of SQL have the size that is given, and random schemas fields of the types that are given.
 */
export async function openContenders(
  asked: readonly string[] = [...tableEngines, ...prismaEngines],
  size: sql.Size = sql.asGiven,
  types: readonly LiteralType[] = literalTypes,
): Promise<Opened> {
  const isAsked = (engine: string) => asked.some((name) => `${name}, `.startsWith(`${engine}, `))
  const tables: sql.Engine[] = []
  for (const [engine, open] of Object.entries(inTables)) if (isAsked(engine)) tables.push(await open())
  const documents = await mongo.openEngines()
  const clients: Awaited<ReturnType<typeof inPrisma>>[] = []
  for (const engine of prismaEngines) {
    const stored = typesInPrisma(engine.replace('prisma ', ''))
    if (isAsked(engine) && types.some((type) => stored.includes(type))) clients.push(await inPrisma(engine, types))
  }
  return {
    contenders: [
      inMemory('', types, { codegen: false }),
      inMemory('generated', types, { codegen: true }),
      ...tables.flatMap((engine) => inSql(engine, size, types)),
      ...documents.flatMap((engine) => inMongo(engine, types)),
      ...clients.flatMap(({ contenders }) => contenders),
    ],
    engines: [
      'memory',
      ...tableEngines,
      ...prismaEngines,
      ...documents.flatMap((engine) => [engine.name, ...(mongo.isServer(engine) ? [`${engine.name}, indexed`] : [])]),
    ],
    close: async () => {
      for (const { close } of [...tables, ...documents, ...clients]) await close()
    },
  }
}
