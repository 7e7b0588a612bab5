/** Rows of documents, worked out by hand: every type in every setting of the driver, names, projections, pages, and what is refused. */
import { Decimal128, Long } from 'mongodb'
import { expect, test } from 'vitest'
import { field } from '../../../src/index.ts'
import { decimal128, found, readerOf } from './rows.fixture.ts'

test('500 fields, and 10,000 entries', () => {
  const names = Array.from({ length: 500 }, (_, at) => `f${at}`)
  const fields = Object.fromEntries(names.map((name) => [name, field.decimal()]))
  const { read, projection } = readerOf(
    { ...fields, items: field.list(field.object({ n: field.bigint() })) },
    {
      fields: Object.fromEntries(names.map((name, at) => [name, { ...decimal128, name: `stored.s${at % 7}.${name}` }])),
    },
  )
  const stored: Record<string, Record<string, unknown>> = {}
  for (const [at, name] of names.entries()) (stored[`s${at % 7}`] ??= {})[name] = new Decimal128(`${at}.50`)
  const items = Array.from({ length: 10_000 }, (_, at) => ({ n: Long.fromString(`9007199254740993`).add(at), x: 1 }))
  const row = read(found({ key: 1, stored, items }, {}))
  expect(names.map((name) => row[name])).toEqual(names.map((_, at) => `${at}.5`))
  expect(row.items).toEqual(items.map(({ n }) => ({ n: String(n) })))
  expect(Object.keys(projection!)).toHaveLength(503)
  expect(projection).toMatchObject({ 'stored.s0.f0': 1, 'stored.s2.f499': 1, items: 1, key: 1, _id: 0 })
})
