/** What reads MongoDB's documents here, and how a fixture gets into each. */
import { randomUUID } from 'node:crypto'
import { inspect } from 'node:util'
import { Query } from 'mingo'
import { BSON, Decimal128, UUID } from 'mongodb'
import sift from 'sift'
import { mongoBackend } from '../../../src/backends/mongo/index.ts'
import type { MongoDocument, MongoField, MongoOptions, MongoQuery } from '../../../src/backends/mongo/index.ts'
import type { FacetValues, Field, FieldType, Query as Asked, Schema } from '../../../src/index.ts'
import { simpleLowerCase } from '../../../src/values/case.ts'
import { bigintOf, decimalOf } from '../../../src/values/exact.ts'
import { momentOf } from '../../../src/values/time.ts'

type Row = Readonly<Record<string, unknown>>
export interface Collection {
  readonly find: (document: MongoDocument) => Promise<readonly Row[]>
  /** The documents of a query, in order, as the driver gives them with its options for promoting values. */
  readonly read: (query: MongoQuery, promoting?: BSON.DeserializeOptions) => Promise<readonly Row[]>
  /** The documents of a pipeline; absent where it would not be MongoDB's. */
  readonly aggregate?: (pipeline: readonly MongoDocument[]) => Promise<readonly Row[]>
  readonly drop: () => Promise<unknown>
}
export interface Engine {
  readonly name: string
  readonly fill: (rows: readonly Row[]) => Promise<Collection>
  readonly close: () => Promise<void>
}
export type Index = Readonly<Record<string, 1 | -1>>
/** What has indexes, and room for thousands of documents. */
export interface Server extends Engine {
  readonly fillIndexed: (rows: readonly Row[], indexes: readonly Index[]) => Promise<Indexed>
}
interface Indexed extends Collection {
  /** How many documents match, by the remainder of a field. */
  readonly countsOf: (document: MongoDocument, name: string, divisor: number) => Promise<ReadonlyMap<number, number>>
  readonly explain: (document: MongoDocument, reading?: Pick<MongoQuery, 'sort' | 'limit'>) => Promise<unknown>
  readonly explainPipeline: (pipeline: readonly MongoDocument[]) => Promise<unknown>
}
export const isServer = (engine: Engine): engine is Server => 'fillIndexed' in engine

/** Nothing of a value is left out. */
const whole = { depth: Infinity, maxArrayLength: Infinity, maxStringLength: Infinity }
/** MongoDB's Extended JSON, as the driver's classes write it. JSON has no bigints. */
export const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'bigint' ? { $numberLong: String(inner) } : inner))

const evaluator = (
  name: string,
  matcherOf: (document: MongoDocument) => (row: Row) => boolean,
  read: (rows: readonly Row[], query: MongoQuery) => readonly Row[],
): Engine => ({
  name,
  fill: (rows) =>
    Promise.resolve({
      find: async (document) => Promise.resolve(rows.filter(matcherOf(document))),
      read: async (query, promoting) => {
        const documents = read(rows, query)
        if (promoting === undefined) return Promise.resolve(documents)
        return Promise.resolve(documents.map((document) => BSON.deserialize(BSON.serialize(document), promoting)))
      },
      drop: () => Promise.resolve(),
    }),
  close: () => Promise.resolve(),
})
const mingo = evaluator(
  'mingo',
  (document) => {
    const query = new Query(document)
    return (row) => query.test(row)
  },
  (rows, { filter, sort, limit, skip = 0, projection = {} }) =>
    new Query(filter)
      // It copies what it projects by `constructor`, and a field of that name makes it go on for ever.
      .find<Row>([...rows], textOf(rows).includes('"constructor":') ? {} : projection)
      .sort(sort)
      .skip(skip)
      .limit(limit)
      .all(),
)

/** The options of a field, which may be called `constructor`. */
const optionAt = (fields: MongoOptions['fields'], path: string): MongoField | undefined =>
  fields !== undefined && Object.hasOwn(fields, path) ? fields[path] : undefined

/** By BSON's order, for fields that hold values of one type or nothing: sift matches documents, and does not order them. */
function compareStored(a: unknown, b: unknown): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null)
  if (typeof a === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b as string))
  return (a as number) < (b as number) ? -1 : Number((a as number) > (b as number))
}
const storedAt = (row: unknown, name: string): unknown =>
  name
    .split('.')
    .reduce<unknown>(
      (value, step) => (isObject(value) && Object.hasOwn(value, step) ? (value[step] ?? null) : null),
      row,
    )
const isObject = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value)
const inSift = evaluator(
  'sift',
  (document) => sift(document) as (row: Row) => boolean,
  (rows, { filter, sort, limit, skip = 0 }) => {
    const keys = Object.entries(sort)
    const order = (a: Row, b: Row): number => {
      for (const [name, sign] of keys) {
        const difference = compareStored(storedAt(a, name), storedAt(b, name))
        if (difference !== 0) return difference * sign
      }
      return 0
    }
    const found = rows.filter(sift(filter) as (row: Row) => boolean)
    return found.toSorted(order).slice(skip, skip + limit)
  },
)

/** What a server is, by its `buildInfo`: FerretDB 2 puts MongoDB's protocol before DocumentDB, FerretDB 1 has an engine of its own. */
export function productOf({ ferretdb, ferretdbVersion }: Readonly<Record<string, unknown>>): string {
  if (ferretdb !== undefined) return 'DocumentDB'
  return ferretdbVersion === undefined ? 'MongoDB' : 'FerretDB 1'
}
async function serverAt(url: string): Promise<Server> {
  const { MongoClient } = await import('mongodb')
  const client = new MongoClient(url)
  const database = client.db(`urlwhere_${randomUUID().replaceAll('-', '')}`)
  const buildInfo = await database.command({ buildInfo: 1 })
  const name = productOf(buildInfo)
  const fillIndexed: Server['fillIndexed'] = async (rows, indexes) => {
    const collection = database.collection(randomUUID())
    // The driver gives each an _id.
    if (rows.length > 0) await collection.insertMany(rows.map((row) => ({ ...row })))
    const named = indexes.map((key, at) => ({ key, name: `index_${at}` }))
    if (rows.length > 0 && named.length > 0) await collection.createIndexes(named)
    const known = new Map<string, Promise<Row[]>>()
    return {
      // The documents stay as they are.
      find: (document) => {
        const own = inspect(document, whole)
        const found = known.get(own) ?? collection.find(document).toArray()
        known.set(own, found)
        return found
      },
      read: ({ filter, sort, limit, skip = 0, projection = {} }, promoting) =>
        collection.find(filter, { sort, limit, skip, projection, ...promoting }).toArray(),
      aggregate: (pipeline) => collection.aggregate<Row>([...pipeline]).toArray(),
      countsOf: async (document, name, divisor) => {
        const remainder = { $mod: [`$${name}`, divisor] }
        const groups = collection.aggregate([{ $match: document }, { $group: { _id: remainder, count: { $sum: 1 } } }])
        return new Map((await groups.toArray()).map(({ _id, count }) => [_id as number, count as number]))
      },
      explain: (document, { sort, limit } = { sort: {}, limit: 0 }) =>
        collection.find(document, { sort, limit }).explain(),
      explainPipeline: (pipeline) => collection.aggregate([...pipeline]).explain(),
      // There is no collection without rows, for some.
      drop: async () => rows.length > 0 && collection.drop(),
    }
  }
  return {
    name,
    fill: (rows) => fillIndexed(rows, []),
    fillIndexed,
    close: async () => {
      await database.dropDatabase()
      await client.close()
    },
  }
}

/** The URLs of servers: `MONGODB_URL` has one or more, with spaces between them. */
export const urls = (process.env.MONGODB_URL ?? '').split(' ').filter((url) => url !== '')

export const openEngines = async (): Promise<Engine[]> => [mingo, inSift, ...(await Promise.all(urls.map(serverAt)))]

// --- Where fields are, and in which form.

/** Dates and datetimes as text, as BSON dates, or by field, each under another name. */
export const layouts = ['texts', 'dates', 'fields'] as const
export type Layout = (typeof layouts)[number]

export function optionsOf(schema: Schema, layout: Layout): MongoOptions {
  if (layout !== 'fields') {
    const form = layout === 'texts' ? 'string' : 'date'
    const decimals = Array.from(schema.paths.values()).filter(({ type }) => type === 'decimal')
    return {
      ...{ dates: form, datetimes: form },
      ...(decimals.length > 0 && { fields: Object.fromEntries(decimals.map(({ name }) => [name, asDecimal128])) }),
    }
  }
  const fields = Array.from(schema.paths.values(), ({ name, type }, at): [string, MongoField] => {
    const last = name.slice(name.lastIndexOf('.') + 1)
    const form = at % 2 === 0 ? 'date' : 'string'
    return [
      name,
      {
        name: name === 'id' ? '_id' : `${last} of mine`,
        ...(isDate(type) && { type: form }),
        ...(type === 'decimal' && asDecimal128),
        ...(type === 'uuid' && { type: 'binData', encode: (text: string) => new UUID(text) }),
        ...(type === 'string' && { lower: `${last} in small letters` }),
      },
    ]
  })
  return { fields: Object.fromEntries(fields) }
}
const asDecimal128: MongoField = { type: 'decimal', encode: (text: string) => Decimal128.fromString(text) }
const isDate = (type: string): type is 'date' | 'datetime' => type === 'date' || type === 'datetime'

/** How what JSON has no value for is stored, by its field; `undefined` for what has another form. */
const storedExactly: Partial<Record<FieldType, (value: unknown, field: MongoField | undefined) => unknown>> = {
  uuid: (value, field) => (typeof value !== 'string' ? undefined : (field?.encode?.(value) ?? value)),
  decimal: (value) => {
    const text = decimalOf(value)
    return text === undefined ? undefined : Decimal128.fromString(text)
  },
  // The driver writes safe integers as int or double, and bigints as long. A number that is neither may not be there: it is text.
  bigint: (value) => {
    const number = bigintOf(value)
    if (number === undefined) return typeof value === 'number' ? String(value) : undefined
    return number % 3n !== 0n && Number.isSafeInteger(Number(number)) ? Number(number) : number
  },
}

/** A value as it is stored. What has another form than its field's stays as it is. */
function stored(options: MongoOptions, definition: Field, value: unknown, path: string): unknown {
  const { type } = definition
  if (isDate(type) && (typeof value === 'string' || value instanceof Date)) {
    const { dates = 'string', datetimes = 'date', fields = {} } = options
    const form = optionAt(fields, path)?.type ?? { date: dates, datetime: datetimes }[type]
    const moment = typeof value === 'string' ? momentOf(type === 'date' ? `${value}T00:00:00Z` : value) : +value
    const text = new Date(moment).toISOString()
    if (type === 'datetime') return form === 'date' ? new Date(text) : text
    return form === 'date' ? new Date(text.slice(0, 10)) : text.slice(0, 10)
  }
  const exactly = storedExactly[type]?.(value, optionAt(options.fields, path))
  if (exactly !== undefined) return exactly
  if (type === 'list' && Array.isArray(value)) {
    return value.map((entry) => stored(options, definition.entry, entry ?? null, path))
  }
  if (type === 'object' && typeof value === 'object' && value !== null && !Array.isArray(value)) {
    const entries = Object.entries(value).flatMap(([name, inner]: [string, unknown]) => {
      const at = path === '' ? name : `${path}.${name}`
      const field = Object.hasOwn(definition.fields, name) ? definition.fields[name] : undefined
      const { name: own = name, lower } = optionAt(options.fields, at) ?? {}
      const entry = [own, field === undefined ? inner : stored(options, field, inner, at)]
      return lower !== undefined && typeof inner === 'string' ? [entry, [lower, simpleLowerCase(inner)]] : [entry]
    })
    return Object.fromEntries(entries)
  }
  if (type === 'record' && typeof value === 'object' && value !== null && !Array.isArray(value)) {
    const keys = Object.entries(value) as [string, unknown][]
    return Object.fromEntries(keys.map(([key, inner]) => [key, stored(options, definition.entry, inner, `${path}.`)]))
  }
  return value
}

/** An index on each field that an operator may ask for, and one on all scalars of the document, and of the entries of each list. */
function indexesOf(schema: Schema, options: MongoOptions): Index[] {
  const nameOf = (path: string) => {
    const steps = path.split('.')
    const names = steps.map((step, at) => optionAt(options.fields, steps.slice(0, at + 1).join('.'))?.name ?? step)
    const lower = optionAt(options.fields, path)?.lower
    const own = names.join('.')
    return lower === undefined ? [own] : [own, [...names.slice(0, -1), lower].join('.')]
  }
  const groups = new Map<string, string[]>()
  for (const { name, lists, path, type } of schema.paths.values()) {
    if (type === 'object' && lists.length === 0) continue
    const list = name.split('.').slice(0, path.length === 0 ? undefined : -path.length)
    const group = lists.length === 0 ? '' : list.join('.')
    const members = groups.get(group) ?? []
    groups.set(group, members)
    if (name !== 'id') members.push(...nameOf(name))
  }
  const single = [...groups.values()].flat().map((name): Index => ({ [name]: 1 }))
  const compound = [...groups].flatMap(([group, names]) => {
    // A list and what is in its entries make no index together.
    const others = names.filter((name) => nameOf(group)[0] !== name)
    return others.length < 2 ? [] : [Object.fromEntries(others.slice(0, 4).map((name) => [name, 1])) as Index]
  })
  return [...single, ...compound]
}

/** How many documents planners get to choose among. */
const many = 3_000
/** A place for the rows of a schema, and so many copies of each, with indexes, that planners choose. */
export function indexedStoreOf(server: Server, schema: Schema, layout: Layout) {
  const { backend, documentsOf, options, id } = storeOf(server, schema, layout)
  let collection: Indexed | undefined
  let copies = 0
  let divisor = 1
  return {
    backend,
    documentsOf,
    fill: async (rows: readonly Row[]) => {
      copies = Math.ceil(many / Math.max(rows.length, 1))
      divisor = Math.max(0, ...rows.map((row) => row.id as number)) + 1
      const documents = documentsOf(rows)
      const all = Array.from({ length: copies }, (_, copy) =>
        documents.map((row) => ({ ...row, [id]: (row[id] as number) + copy * divisor })),
      )
      collection = await server.fillIndexed(all.flat(), indexesOf(schema, options))
    },
    /** @throws Error when some copies of a row are selected, and others not. */
    select: async (document: MongoDocument) => {
      const counts = [...(await collection!.countsOf(document, id, divisor))]
      const halved = counts.find(([, count]) => count !== copies)
      if (halved !== undefined) throw new Error(`${halved[1]} of ${copies} copies of ${halved[0]} are selected`)
      return counts.map(([own]) => own)
    },
    drop: async () => collection?.drop(),
  }
}

/** As in a service that has seen the shape: the third document is a copy, which a plan fills. */
const known =
  <G, D>(compile: (given: G) => D) =>
  (given: G): D => {
    compile(given)
    compile(given)
    return compile(given)
  }

/** A place for the rows of a schema, and the backend that finds them there; `present` is what every row has a value for. */
export function storeOf(engine: Engine, schema: Schema, layout: Layout, present: readonly string[] = []) {
  const { fields = {}, ...forms } = optionsOf(schema, layout)
  const notNull = present.map((path): [string, MongoField] => [path, { ...optionAt(fields, path), notNull: true }])
  const options = { ...forms, fields: { ...fields, ...Object.fromEntries(notNull) } }
  const id = options.fields?.id?.name ?? 'id'
  const documentsOf = (rows: readonly Row[]) =>
    rows.map((row) => stored(options, { type: 'object', fields: schema.fields }, row, '') as Row)
  let collection: Collection | undefined
  const backend = mongoBackend({ ...options, schema })
  return {
    options,
    id,
    backend: { ...backend, compile: known(backend.compile), compileQuery: known(backend.compileQuery) },
    documentsOf,
    fill: async (rows: readonly Row[]) => {
      collection = await engine.fill(documentsOf(rows))
    },
    select: async (document: MongoDocument) => (await collection!.find(document)).map((row) => row[id] as number),
    /** The ids of the rows of a query, in order. */
    read: async (query: MongoQuery) => (await collection!.read(query)).map((row) => row[id] as number),
    documents: async (query: MongoQuery, promoting: BSON.DeserializeOptions) => collection!.read(query, promoting),
    count: async ({ count }: MongoQuery) => (await collection!.find(count)).length,
    /** The values of the facets of a query, where the engine is a server. */
    ...(isServer(engine) && {
      facets: async (query: Asked): Promise<FacetValues> => {
        const values: Record<string, FacetValues[string]> = {}
        for (const { path, pipeline, read } of backend.facets(query))
          values[path] = read(await collection!.aggregate!(pipeline))
        return values
      },
    }),
    drop: async () => collection?.drop(),
  }
}
