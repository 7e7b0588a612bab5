/** Rows and pages that generated clients read, against those in memory: random schemas, rows and queries, each with fields of its own. */
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { memoryBackend } from '../../src/backends/memory/index.ts'
import { defineCollection, defineSchema, field, FilterError, toPage } from '../../src/index.ts'
import type { Collection, Field, Fields, Query } from '../../src/index.ts'
import { positionOfCursor } from '../../src/query/cursor.ts'
import { partsOfPageStart } from '../../src/query/query.ts'
import { someCollectionQuery, someRow, someSchemaOf } from '../../src/kit/arbitraries.ts'
import { literalTypes } from '../../src/tree.ts'
import { byCompleteness, byEffort } from '../effort.ts'
import { seed } from '../seed.ts'
import { isInstalled, opening } from '../prisma/client.ts'
import { storesOf, type Layout } from '../prisma/stores.ts'

type Row = Readonly<Record<string, unknown>> & { readonly id: number }
const layouts: Readonly<Record<string, Layout>> = {
  relations: { hasScalarLists: false, hasLower: true, hasEnums: true },
  'scalar lists': { hasScalarLists: true, hasLower: true, hasEnums: true },
}
const { QUERIES = byEffort('1000', byCompleteness('70', '24')) } = process.env
/** How many queries of one set of rows. */
const each = 40

/** What the form of the schema is, by docs/guides/prisma.md alone. The values of random rows are canonical. */
function formOf(definition: Field, value: unknown, path: string, isShown: (path: string) => boolean): unknown {
  if (definition.type === 'list') {
    const entries = Array.isArray(value) ? (value as unknown[]) : []
    return entries.map((entry) => formOf(definition.entry, entry, path, isShown))
  }
  if (value === undefined || value === null) return null
  if (definition.type !== 'object') return value
  return shownOf(definition.fields, value as Record<string, unknown>, path === '' ? '' : `${path}.`, isShown)
}
const shownOf = (
  fields: Fields,
  row: Readonly<Record<string, unknown>>,
  above: string,
  isShown: (path: string) => boolean,
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, definition]) =>
      isShown(above + name)
        ? [[name, formOf(definition, Object.hasOwn(row, name) ? row[name] : null, above + name, isShown)]]
        : [],
    ),
  )

/** Whether a field is in an answer: asked for, in one that is, or with one in it; and not hidden. */
const isShownIn = ({ fields, hidden = [] }: Query): ((path: string) => boolean) => {
  const isIn = (path: string, outer: string) => path === outer || path.startsWith(`${outer}.`)
  const asked = fields?.map((path) => path.join('.'))
  return (path) =>
    !hidden.some((one) => isIn(path, one.join('.'))) &&
    (asked === undefined || asked.some((one) => isIn(path, one) || isIn(one, path)))
}

describe.skipIf(!isInstalled).each(Object.entries(opening))('Prisma on %s', async (name, open) => {
  const database = await open()
  const { provider } = database
  const types = literalTypes.filter((type) => provider !== 'sqlite' || type !== 'decimal')
  // One client is generated for all schemas, which are always the same.
  const pool = fc.sample(someSchemaOf(types), { seed: 7, numRuns: 20 })
  const stored = pool.map(({ fields }) => defineSchema({ ...fields, part: field.string(), id: field.integer() }))
  const used = Object.entries(layouts).filter(([, { hasScalarLists }]) => !hasScalarLists || provider === 'postgresql')
  const stores = used.map(
    ([layoutName, layout], at) => [layoutName, layout, storesOf(database, layout, `rows${at}`, stored)] as const,
  )
  afterAll(async () => {
    for (const [, , { close }] of stores) await close()
    await database.close()
  })

  // Its driver adapter reads the years 1 to 99 as others.
  const inYears = (row: object) =>
    provider === 'mysql' ? (JSON.parse(JSON.stringify(row).replaceAll('"0001-', '"0101-')) as object) : row
  const situations = fc.nat(pool.length - 1).chain((at) => {
    const schema = stored[at]!
    const paths = Array.from(schema.paths.keys()).filter((path) => path !== 'id' && path !== 'part')
    return fc
      .record({
        key: fc.constantFrom(['id'], ['part', 'id']),
        hidden: fc.subarray(paths, { maxLength: Math.min(2, paths.length) }),
        isHiding: fc.boolean(),
      })
      .chain(({ key, hidden, isHiding }) => {
        const collection: Collection = defineCollection(schema, {
          ...{ key, sort: true, limit: { max: 20 }, offset: { max: 10 }, fields: true },
          ...(isHiding && { hidden }),
        } as never)
        const base = someRow(pool[at]!, ['empty-objects'])
        return fc.array(base, { minLength: 1, maxLength: 8 }).chain((bases) => {
          const rows = bases.map((row, at) => ({ ...inYears(row), part: 'abA'[at % 3]!, id: ((at * 5) % 8) + 1 }))
          return fc.record({
            schema: fc.constant(schema),
            rows: fc.constant(rows as readonly Row[]),
            queries: fc
              .array(someCollectionQuery(collection, rows), { minLength: each, maxLength: each })
              .map((queries) =>
                queries.map((query): Query =>
                  collection.hidden.length > 0 ? { ...query, hidden: collection.hidden } : query,
                ),
              ),
          })
        })
      })
  })

  test.each(stores)(
    `the rows and the pages of random queries: %s, by the seed ${seed}`,
    async (_, layout, { storeOf }) => {
      const wanted = Math.ceil(Number(QUERIES) / each)
      let compared = 0
      let refused = 0
      let walked = 0
      let counted = 0
      await fc.assert(
        fc.asyncProperty(situations, async ({ schema, rows, queries }) => {
          const { backend, fill, found, drop } = storeOf(schema)
          const held = (row: Row): Row =>
            layout.hasScalarLists ? (withoutNulls({ type: 'object', fields: schema.fields }, row) as Row) : row
          await fill(rows)
          const expectedOf = (query: Query) => {
            const page = toPage(query, memoryBackend().compileQuery(query)(rows).rows as readonly Row[])
            return { ...page, rows: page.rows.map((row) => shownOf(schema.fields, held(row), '', isShownIn(query))) }
          }
          const pageOf = async (query: Query) => {
            const compiled = backend.compileQuery(query)
            return compiled.page(await found(compiled))
          }
          try {
            for (const query of queries) {
              let page: Awaited<ReturnType<typeof pageOf>>
              try {
                page = await pageOf(query)
              } catch (error) {
                if (!(error instanceof FilterError)) throw error
                refused++
                continue
              }
              const expected = expectedOf(query)
              expect(JSON.stringify(page.rows)).toBe(JSON.stringify(expected.rows))
              expect('next' in page).toBe('next' in expected)
              // A double that the client would round has no position, and the cursor counts.
              if (query.sort.every(({ type }) => type !== 'number')) {
                expect({ next: page.next, previous: page.previous }).toEqual({
                  next: expected.next,
                  previous: expected.previous,
                })
              }
              compared++
              if (query.offset !== undefined || query.position !== undefined) continue
              walked++
              const all = expectedOf({ ...query, limit: 20 }).rows
              const read = [...page.rows]
              let before = page
              while (before.next !== undefined) {
                const place = positionOfCursor(before.next, query.sort)!
                if (place.values.length === 0 || place.offset !== undefined) counted++
                const next = await pageOf({ ...query, ...partsOfPageStart(place) })
                read.push(...next.rows)
                const back = await pageOf({
                  ...query,
                  ...partsOfPageStart(positionOfCursor(next.previous!, query.sort)!),
                })
                expect(JSON.stringify(back.rows)).toBe(JSON.stringify(before.rows))
                before = next
              }
              expect(JSON.stringify(read)).toBe(JSON.stringify(all))
            }
          } finally {
            await drop()
          }
        }),
        { numRuns: wanted, seed },
      )
      console.info(`${name}: ${compared} queries, ${refused} refused, ${walked} walks, ${counted} counted cursors`)
      expect(compared).toBeGreaterThan(refused)
    },
    3_000_000,
  )
})

/** What a column of a scalar list holds: no null. */
function withoutNulls(definition: Field, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (definition.type === 'list') {
    const entries = (value as unknown[]).map((one) => withoutNulls(definition.entry, one))
    return definition.entry.type === 'object' ? entries : entries.filter((one) => one !== null && one !== undefined)
  }
  if (definition.type !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name,
      name in definition.fields ? withoutNulls(definition.fields[name]!, one) : one,
    ]),
  )
}
