/** A live page is the page of a new reading after each change, and its changes lead from one page to the next. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { memoryBackend } from '../../src/backends/memory/index.ts'
import { defineCollection, defineSchema, field, pickFields, toPage, type Query } from '../../src/index.ts'
import { livePage, type PageChange } from '../../src/live/index.ts'
import { someCollectionQuery, someRow } from '../../src/kit/arbitraries.ts'
import { byEffort } from '../effort.ts'

/** The changes that a run compares. */
const changes = Number(process.env.CHANGES ?? byEffort(100_000, 1_000))
const each = 100

const schema = defineSchema({
  id: field.integer(),
  tenant: field.string(),
  name: field.string(),
  status: field.enumeration(['new', 'paid', 'held']),
  total: field.number({ required: true }),
  amount: field.decimal(),
  at: field.datetime(),
  gift: field.boolean(),
  tags: field.list(field.string()),
  customer: field.object({ name: field.string(), secret: field.string() }),
})
const collection = defineCollection(schema, {
  key: 'id',
  sort: {
    ...{ id: true, gift: true, total: true, amount: { nulls: 'first' }, at: { nulls: 'last' } },
    ...{ name: { ignoreCase: true }, status: { declared: true, nulls: 'last' } },
  },
  fields: ['id', 'name', 'total', 'status', 'customer'],
  hidden: ['tenant', 'customer.secret'],
  limit: { max: 8 },
})
const someId = fc.integer({ min: 1, max: 25 })
type Row = Readonly<Record<string, unknown>> & { readonly id: number }
/** `toPage` refuses a `Date` and a bigint, which a reading in the form of the schema has not. */
const asJson = (one: object): unknown =>
  JSON.parse(JSON.stringify(one, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)))
const row = fc
  .tuple(someRow(schema), someId, fc.constantFrom(1, 2, 3))
  .map(([one, id, total]): Row => ({ ...(asJson(one) as Row), id, total }))
const someCase = fc.array(row, { maxLength: 25 }).chain((rows) =>
  fc.tuple(
    fc.constant(rows),
    someCollectionQuery(collection, rows),
    fc.array(fc.tuple(row, fc.constantFrom('set', 'set', 'set', 'move', 'delete'), someId), {
      minLength: each,
      maxLength: each,
    }),
  ),
)

test('equals the page of a new reading after each change', () => {
  let stale = 0
  let moved = 0
  fc.assert(
    fc.property(someCase, ([first, drawn, moves]) => {
      const { offset: _, fields, ...rest } = drawn
      const query: Query =
        fields === undefined ? rest : { ...rest, fields: [['id'], ...fields.filter(([one]) => one !== 'id')] }
      const store = new Map(first.map((one) => [one.id, one]))
      const found = () => memoryBackend().compileQuery(query)([...store.values()]).rows
      const pick = pickFields(query.fields, query.hidden)
      const fresh = () => {
        const page = toPage(query, found())
        return { ...page, rows: page.rows.map(pick) as Row[] }
      }
      const live = livePage(query, found())
      expect(live.page).toEqual(fresh())
      const client = new Map<unknown, unknown>(fresh().rows.map((one) => [one.id, one]))
      const follow = ({ entered, left, changed, stale }: PageChange<unknown>) => {
        moved += entered.length + left.length + changed.length
        for (const one of entered as Row[]) expect(client.has(one.id)).toBe(false)
        for (const one of changed as Row[]) expect(client.get(one.id)).not.toEqual(one)
        for (const one of left as Row[]) expect(client.delete(one.id)).toBe(true)
        for (const one of [...entered, ...changed] as Row[]) client.set(one.id, one)
        expect(live.stale).toBe(stale)
        expect(client).toEqual(new Map((live.page.rows as Row[]).map((one) => [one.id, one])))
      }
      for (const [drawnRow, move, id] of moves) {
        const before = store.get(move === 'set' ? drawnRow.id : id)
        const after = move === 'delete' ? undefined : drawnRow
        if (after === undefined && before === undefined) continue
        // A row moves to a free id.
        if (after !== undefined && after.id !== before?.id && store.has(after.id)) continue
        const readBefore = found()
        if (before !== undefined) store.delete(before.id)
        if (after !== undefined) store.set(after.id, after)
        follow(live.change(before, after))
        if (live.stale) {
          // A row left a reading of one more than the page.
          expect(readBefore.length).toBe(query.limit + 1)
          expect(readBefore.every((one) => found().includes(one))).toBe(false)
          stale++
          follow(live.read(found()))
        }
        expect(live.stale).toBe(false)
        expect(live.page).toEqual(fresh())
      }
    }),
    { numRuns: Math.ceil(changes / each), endOnFailure: true },
  )
  expect(moved).toBeGreaterThan(changes / 20)
  expect(stale).toBeGreaterThan(changes / 100)
})
