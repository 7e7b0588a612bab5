/** Random schemas, rows, layouts and filters: the engines select what the predicate in memory selects. */
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { memoryBackend } from '../../src/backends/memory.ts'
import {
  and,
  defineSchema,
  field,
  not,
  or,
  parseFilterOrThrow,
  type Field,
  type Filter,
  type Schema,
} from '../../src/index.ts'
import { queryOf, someConditions, someRow, someSchema } from '../arbitraries.ts'
import { layoutsOf, openEngines, storeOf, type Layout } from './engines.ts'

const engines = await openEngines()
afterAll(async () => {
  for (const engine of engines) await engine.close()
})

/** As stored: dates are text, and in tables an object without a value is none. */
function asStored(definition: Field, value: unknown, layout: Layout): unknown {
  if (value === null || value === undefined) return value
  switch (definition.type) {
    case 'date':
      return value instanceof Date ? value.toISOString().slice(0, 10) : value
    case 'datetime':
      return value instanceof Date ? value.toISOString() : value
    case 'list':
      return Array.isArray(value) ? value.map((entry) => asStored(definition.entry, entry, layout) ?? null) : value
    case 'object': {
      if (typeof value !== 'object' || Array.isArray(value)) return value
      const entries = Object.entries(value).map(([name, inner]: [string, unknown]) => [
        name,
        Object.hasOwn(definition.fields, name) ? asStored(definition.fields[name]!, inner, layout) : inner,
      ])
      const object = Object.fromEntries(entries) as object
      return layout === 'json' || hasValue(object) ? object : null
    }
    default:
      return value
  }
}
const hasValue = (value: unknown): boolean =>
  typeof value === 'object' && value !== null
    ? Object.values(value).some(hasValue)
    : value !== null && value !== undefined

const someFilter = (schema: Schema): fc.Arbitrary<Filter> => {
  const said = someConditions(schema).map((conditions) => parseFilterOrThrow(schema, queryOf(conditions)))
  return fc.oneof(
    { weight: 3, arbitrary: said },
    { weight: 1, arbitrary: fc.tuple(said, said).map(([a, b]) => or(a, not(b))) },
    { weight: 1, arbitrary: fc.tuple(said, said, said).map(([a, b, c]) => not(and(a, or(b, c)))) },
  )
}
const withId = (schema: Schema) => defineSchema({ ...schema.fields, id: field.integer() })

const filtersEach = 20
const runs = Math.ceil(Number(process.env.SQL_PAIRS ?? 1_000) / filtersEach)

const layouts = engines.flatMap((engine) => layoutsOf(engine).map((layout) => ({ engine, layout })))

describe.each(layouts)('$engine.name, $layout', ({ engine, layout }) => {
  test(`${runs * filtersEach} random pairs`, async () => {
    const cases = someSchema.chain((inner) => {
      const schema = withId(inner)
      const row = someRow(inner, layout === 'json')
      return fc.record({
        schema: fc.constant(schema),
        rows: fc.array(row, { maxLength: 6 }).map((rows) =>
          rows.map((row, index): { id: number } => ({
            ...(asStored(field.object(inner.fields), row, layout) as object | null),
            id: index + 1,
          })),
        ),
        filters: fc.array(someFilter(inner), { minLength: filtersEach, maxLength: filtersEach }),
      })
    })
    await fc.assert(
      fc.asyncProperty(cases, async ({ schema, rows, filters }) => {
        const store = storeOf(engine, schema, layout)
        const lowersAll = store.backend.capabilities.features.includes('unicode-case')
        await store.fill(rows)
        try {
          for (const filter of filters) {
            if (!lowersAll && hasMatch(filter) && !isAscii([filter, rows])) continue
            const matches = memoryBackend().compile(filter)
            const condition = store.backend.compile(filter)
            const selected = await store.select(condition)
            expect(
              selected.sort((a, b) => a - b),
              condition.text,
            ).toEqual(rows.filter(matches).map(({ id }) => id))
          }
        } finally {
          await store.drop()
        }
      }),
      { numRuns: runs, ...(process.env.SEED !== undefined && { seed: Number(process.env.SEED) }) },
    )
  }, 600_000)
})

/** Whether a filter ignores case, which some dialects do for ASCII alone. */
const hasMatch = (filter: Filter): boolean => JSON.stringify(filter).includes('"kind":"match"')
const isAscii = (values: unknown): boolean => /^[\0-\x7f]*$/.test(JSON.stringify(values))
