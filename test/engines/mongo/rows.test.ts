/**
 * Rows and pages of random queries: what `page` makes of documents is what memory's rows are, as JSON text, with the cursors of
 * `toPage`. The form of the schema is written here by hand. `ROWS` is how many queries are asked in process; a server gets a tenth.
 */
import type { BSON } from 'mongodb'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { memoryBackend } from '../../../src/backends/memory/index.ts'
import type { MongoQuery } from '../../../src/backends/mongo/index.ts'
import { defineCollection, defineSchema, field, toPage } from '../../../src/index.ts'
import type { Field, Fields, Page, Query, Schema } from '../../../src/index.ts'
import { positionOfCursor } from '../../../src/query/cursor.ts'
import { partsOfPageStart } from '../../../src/query/query.ts'
import { someCollectionQuery, someRow, someSchema } from '../../../src/kit/arbitraries.ts'
import { byCompleteness, byEffort } from '../../effort.ts'
import { seed } from '../../seed.ts'
import { departuresOf } from './departures.ts'
import { isServer, layouts, openEngines, storeOf, textOf } from './engines.ts'

type Row = Readonly<Record<string, unknown>>
type Path = readonly string[]

/** The options of the driver that change the classes of values. */
const settings: readonly BSON.DeserializeOptions[] = [
  {},
  { promoteLongs: false },
  { useBigInt64: true },
  { promoteValues: false },
  { promoteBuffers: true },
  { promoteBuffers: true, useBigInt64: true },
]

// --- The form of the schema, by hand

const isText = (value: unknown): value is string => typeof value === 'string'
const text = (value: unknown) => (isText(value) ? value : null)
const number = (value: unknown) => (Number.isFinite(value) ? (value as number) + 0 : null)
const scalars: Readonly<Record<string, (value: unknown) => unknown>> = {
  ...{ string: text, enumeration: text, integer: number, number, date: text, datetime: text, time: text, uuid: text },
  boolean: (value) => (typeof value === 'boolean' ? value : null),
  bigint: (value) => (isText(value) ? String(BigInt(value)) : null),
  decimal: (value) => (isText(value) ? (value.includes('.') ? value.replace(/\.?0+$/, '') : value) : null),
}
const isWithin = (outer: Path, inner: Path): boolean => outer.every((name, at) => inner[at] === name)

function formOf(definition: Field, value: unknown, path: Path, { fields, hidden = [] }: Query): unknown {
  if (definition.type === 'list') {
    const query = { fields, hidden } as Query
    return Array.isArray(value) ? value.map((entry) => formOf(definition.entry, entry, path, query)) : null
  }
  if (definition.type !== 'object' && definition.type !== 'record') return scalars[definition.type]!(value)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
  const members: readonly (readonly [string, Field])[] =
    definition.type === 'object'
      ? Object.entries(definition.fields)
      : Object.keys(value).map((key) => [key, definition.entry])
  return Object.fromEntries(
    members.flatMap(([name, inner]) => {
      const at = [...path, name]
      const isAsked = fields === undefined || fields.some((one) => isWithin(one, at) || isWithin(at, one))
      if (!isAsked || hidden.some((one) => isWithin(one, at))) return []
      const member = Object.hasOwn(value, name) ? (value as Row)[name] : null
      return [[name, formOf(inner, member, at, { fields, hidden } as Query)]]
    }),
  )
}

/** Whether a filter has a key that begins with `$`, which the backend refuses. */
const namesOperator = ({ filter }: Query): boolean => /"path":\[[^\]]*"\$/.test(JSON.stringify(filter))

/** The page of memory. */
function expectedPage(schema: Schema, rows: readonly Row[], query: Query): Page<unknown> {
  const page = toPage(query, memoryBackend().compileQuery({ ...query, count: false })(rows).rows)
  const root = { type: 'object', fields: schema.fields } as Field
  return { ...page, rows: page.rows.map((row) => formOf(root, row, [], query)) }
}

// --- What is random

const parts = ['a', 'A', 'b']
/** No option encodes the values of a record, so none are decimals. */
const someStored = someSchema.filter(({ paths }) =>
  Array.from(paths.values()).every(({ entry }) => entry?.type !== 'decimal'),
)
/** Values of other forms are in no field that rows are sorted by: MongoDB orders types before values. */
const situation = fc.tuple(someStored, fc.boolean()).chain(([inner, isMixed]) => {
  const fields: Fields = { ...inner.fields, part: field.string(), id: field.integer() }
  const schema = defineSchema(fields)
  const names = Array.from(inner.paths.keys())
  return fc.subarray(names, { maxLength: Math.min(2, names.length) }).chain((hidden) => {
    const collection = defineCollection(schema, {
      ...{ key: ['part', 'id'], sort: isMixed ? ['part', 'id'] : true, offset: { max: 10 }, limit: { max: 20 } },
      ...{ fields: true, hidden },
    })
    const features = ['empty-objects', 'long-decimals', ...(isMixed ? (['other-forms'] as const) : [])] as const
    return fc.array(someRow(inner, features), { minLength: 1, maxLength: 8 }).chain((bases) => {
      const rows = bases.map((row, at): Row => ({ ...row, part: parts[at % 3]!, id: at + 1 }))
      return fc.record({
        schema: fc.constant(schema),
        rows: fc.constant(rows),
        queries: fc.array(
          someCollectionQuery(collection, rows).map((query): Query => ({ ...query, hidden: collection.hidden })),
          { minLength: 1, maxLength: 20, size: 'max' },
        ),
        layout: fc.constantFrom(...layouts),
        setting: fc.constantFrom(...settings),
      })
    })
  })
})

const engines = (await openEngines()).filter(({ name }) => name !== 'sift')
afterAll(async () => void (await Promise.all(engines.map((engine) => engine.close()))))
const inProcess = Number(process.env.ROWS ?? byEffort('20000', byCompleteness('140', '48')))

describe.each(engines)('$name', (engine) => {
  const wanted = isServer(engine) ? Math.ceil(inProcess / 10) : inProcess
  test(`${wanted} queries, by the seed ${seed}`, async () => {
    let asked = 0
    let leftOut = 0
    let walked = 0
    const ask = async ({
      schema,
      rows,
      queries,
      layout,
      setting,
    }: typeof situation extends fc.Arbitrary<infer S> ? S : never) => {
      const store = storeOf(engine, schema, layout)
      const stored = store.documentsOf(rows)
      const departs = (document: object) =>
        departuresOf({ name: engine.name, indexed: false }, document, stored).length > 0
      // The driver reads lists of such a name as raw bytes: it looks the name up in an object that inherits it.
      const isRaw = isServer(engine) && textOf(stored).includes('"constructor":[')
      if (departs({}) || isRaw) return
      await store.fill(rows)
      try {
        for (const query of queries.filter((one) => !namesOperator(one))) {
          /** Every page from this one on. */
          let next: Query | undefined = query
          for (let at = 0; at < 30 && next !== undefined; at++) {
            const compiled: MongoQuery = store.backend.compileQuery(next)
            const texts = Object.keys(compiled.sort).filter((_, at) => query.sort[at]!.type === 'string')
            if (departs({ $and: [compiled.filter, ...texts.map((name) => ({ [name]: { $gt: '' } }))] })) {
              leftOut++
              break
            }
            const documents = await store.documents(compiled, setting)
            const page = compiled.page(documents)
            expect(JSON.stringify(page)).toBe(JSON.stringify(expectedPage(schema, rows, next)))
            if (query.fields === undefined) {
              const read = documents.map(compiled.read)
              expect(
                JSON.stringify(
                  next.position?.toward === 'previous'
                    ? read.slice(0, next.limit).reverse()
                    : read.slice(0, next.limit),
                ),
              ).toBe(JSON.stringify(page.rows))
            }
            asked++
            walked += Number(at > 0)
            const place = page.next === undefined ? undefined : positionOfCursor(page.next, query.sort)!
            const { position: _, offset: __, ...rest } = next
            // One walk in two ends after its first page.
            next = place === undefined || asked % 2 === 0 ? undefined : { ...rest, ...partsOfPageStart(place) }
          }
        }
      } finally {
        await store.drop()
      }
    }
    for (let run = 0; asked < wanted; run++) {
      await fc.assert(fc.asyncProperty(situation, ask), { seed: seed + run, numRuns: 20 })
    }
    console.info(`${engine.name}: ${asked} pages, ${walked} of them by a cursor, ${leftOut} left out`)
    expect(walked).toBeGreaterThan(wanted / 20)
    expect(leftOut).toBeLessThan(asked)
  }, 3_000_000)
})
