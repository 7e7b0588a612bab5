/** Random pairs on every engine in every layout: `MONGO_PAIRS` says how many, `SEED` which. */
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { mongoBackend } from '../../src/backends/mongo/index.ts'
import { memoryBackend } from '../../src/backends/memory.ts'
import { defineSchema, field } from '../../src/index.ts'
import { someFilter, someRow, someSchema } from '../../src/testing/arbitraries.ts'
import { departuresOf } from './departures.ts'
import { layouts, openEngines, storeOf } from './engines.ts'

const engines = await openEngines()
afterAll(async () => {
  for (const engine of engines) await engine.close()
})

const filtersEach = 20
const runs = Math.ceil(Number(process.env.MONGO_PAIRS ?? 1_000) / filtersEach)
const inputs = someSchema.chain((inner) =>
  fc.record({
    schema: fc.constant(defineSchema({ ...inner.fields, id: field.integer() })),
    rows: fc
      .array(someRow(inner, mongoBackend().capabilities.features), { maxLength: 6 })
      .map((rows) => rows.map((row, index) => ({ ...row, id: index + 1 }))),
    filters: fc.array(someFilter(inner), { minLength: filtersEach, maxLength: filtersEach }),
  }),
)

const pairs = engines.flatMap((engine) => layouts.map((layout) => ({ engine, layout })))
describe.each(pairs)('$engine.name, $layout', ({ engine, layout }) => {
  test(`${runs * filtersEach} random pairs`, async () => {
    let compared = 0
    await fc.assert(
      fc.asyncProperty(inputs, async ({ schema, rows, filters }) => {
        const { backend, fill, documentsOf, select, drop } = storeOf(engine, schema, layout)
        const documents = documentsOf(rows)
        if (departuresOf(engine, {}, documents).length > 0) return
        await fill(rows)
        try {
          for (const filter of filters) {
            const document = backend.compile(filter)
            if (departuresOf(engine, document, documents).length > 0) continue
            const selected = await select(document)
            expect(
              selected.sort((a, b) => a - b),
              JSON.stringify(document),
            ).toEqual(rows.filter(memoryBackend().compile(filter)).map(({ id }) => id))
            compared++
          }
        } finally {
          await drop()
        }
      }),
      { numRuns: runs, ...(process.env.SEED !== undefined && { seed: Number(process.env.SEED) }) },
    )
    if (process.env.MONGO_PAIRS !== undefined) console.log(`${engine.name}, ${layout}: ${compared} pairs compared`)
    expect(compared).toBeGreaterThan(0.3 * runs * filtersEach)
  }, 600_000)
})
