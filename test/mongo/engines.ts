/** What reads MongoDB's documents here, and how a fixture gets into each. */
import { randomUUID } from 'node:crypto'
import { Query } from 'mingo'
import type { Db } from 'mongodb'
import sift from 'sift'
import { mongoBackend, type MongoDocument, type MongoField, type MongoOptions } from '../../src/backends/mongo/index.ts'
import { type Field, type Schema } from '../../src/index.ts'
import { momentOf, simpleLowerCase } from '../../src/text.ts'

type Row = Readonly<Record<string, unknown>>
export interface Collection {
  readonly find: (document: MongoDocument) => Promise<readonly Row[]>
  readonly drop: () => Promise<unknown>
}
export interface Engine {
  readonly name: string
  readonly fill: (rows: readonly Row[]) => Promise<Collection>
  readonly close: () => Promise<void>
}

const evaluator = (name: string, matcherOf: (document: MongoDocument) => (row: Row) => boolean): Engine => ({
  name,
  fill: (rows) =>
    Promise.resolve({
      find: async (document) => Promise.resolve(rows.filter(matcherOf(document))),
      drop: () => Promise.resolve(),
    }),
  close: () => Promise.resolve(),
})
const mingo = evaluator('mingo', (document) => {
  const query = new Query(document)
  return (row) => query.test(row)
})
const inSift = evaluator('sift', (document) => sift(document) as (row: Row) => boolean)

/** What a server is, by what it says. */
export async function productOf(database: Db): Promise<string> {
  const { ferretdbVersion, gitVersion } = await database.command({ buildInfo: 1 })
  return ferretdbVersion !== undefined ? 'FerretDB' : gitVersion === undefined ? 'mongo-java-server' : 'MongoDB'
}
async function serverAt(url: string): Promise<Engine> {
  const { MongoClient } = await import('mongodb')
  const client = new MongoClient(url)
  const database = client.db(`urlwhere_${randomUUID().replaceAll('-', '')}`)
  const name = await productOf(database)
  return {
    name,
    fill: async (rows) => {
      const collection = database.collection(randomUUID())
      // The driver gives each an _id.
      if (rows.length > 0) await collection.insertMany(rows.map((row) => ({ ...row })))
      // There is no collection without rows, for some.
      return {
        find: (document) => collection.find(document).toArray(),
        drop: async () => rows.length > 0 && collection.drop(),
      }
    },
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
  if (layout === 'texts') return { dates: 'string', datetimes: 'string' }
  if (layout === 'dates') return { dates: 'date', datetimes: 'date' }
  const fields = Array.from(schema.paths.values(), ({ name, type }, at): [string, MongoField] => {
    const last = name.slice(name.lastIndexOf('.') + 1)
    const form = at % 2 === 0 ? 'date' : 'string'
    return [
      name,
      {
        name: name === 'id' ? '_id' : `${last} of mine`,
        ...(isDate(type) && { type: form }),
        ...(type === 'string' && at % 2 === 0 && { lower: `${last} in small letters` }),
      },
    ]
  })
  return { fields: Object.fromEntries(fields) }
}
const isDate = (type: string): type is 'date' | 'datetime' => type === 'date' || type === 'datetime'

/** A value as it is stored. What has another form than its field's stays as it is. */
function stored(options: MongoOptions, definition: Field, value: unknown, path: string): unknown {
  const { type } = definition
  if (isDate(type) && (typeof value === 'string' || value instanceof Date)) {
    const { dates = 'string', datetimes = 'date', fields = {} } = options
    const form = fields[path]?.type ?? { date: dates, datetime: datetimes }[type]
    const moment = typeof value === 'string' ? momentOf(type === 'date' ? `${value}T00:00:00Z` : value) : +value
    const text = new Date(moment).toISOString()
    if (type === 'datetime') return form === 'date' ? new Date(text) : text
    return form === 'date' ? new Date(text.slice(0, 10)) : text.slice(0, 10)
  }
  if (type === 'list' && Array.isArray(value)) {
    return value.map((entry) => stored(options, definition.entry, entry ?? null, path))
  }
  if (type === 'object' && typeof value === 'object' && value !== null && !Array.isArray(value)) {
    const entries = Object.entries(value).flatMap(([name, inner]: [string, unknown]) => {
      const at = path === '' ? name : `${path}.${name}`
      const field = Object.hasOwn(definition.fields, name) ? definition.fields[name] : undefined
      const { name: own = name, lower } = options.fields?.[at] ?? {}
      const entry = [own, field === undefined ? inner : stored(options, field, inner, at)]
      return lower !== undefined && typeof inner === 'string' ? [entry, [lower, simpleLowerCase(inner)]] : [entry]
    })
    return Object.fromEntries(entries)
  }
  return value
}

/** A place for the rows of a schema, and the backend that finds them there. */
export function storeOf(engine: Engine, schema: Schema, layout: Layout) {
  const options = optionsOf(schema, layout)
  const id = options.fields?.id?.name ?? 'id'
  const documentsOf = (rows: readonly Row[]) =>
    rows.map((row) => stored(options, { type: 'object', fields: schema.fields }, row, '') as Row)
  let collection: Collection | undefined
  return {
    backend: mongoBackend(options),
    documentsOf,
    fill: async (rows: readonly Row[]) => {
      collection = await engine.fill(documentsOf(rows))
    },
    select: async (document: MongoDocument) => (await collection!.find(document)).map((row) => row[id] as number),
    drop: async () => collection?.drop(),
  }
}
