/** Pages that follow changes: expected results by hand. */
import { describe, expect, test } from 'vitest'
import { defineCollection, defineSchema, field, parseQueryOrThrow, restrict, toPage, where } from '../../src/index.ts'
import { livePage } from '../../src/live/index.ts'

const orders = defineSchema({
  id: field.integer(),
  tenant: field.string(),
  total: field.number({ required: true }),
  note: field.string(),
})
const collection = defineCollection(orders, {
  key: 'id',
  sort: ['total'],
  hidden: ['tenant'],
  fields: ['id', 'total', 'note'],
  offset: { max: 100 },
})
const ofTenant = (text: string) => restrict(parseQueryOrThrow(collection, text), where(orders).equals('tenant', 't-1'))
const row = (id: number, total: number, more: object = {}) => ({
  id,
  tenant: 't-1',
  total,
  note: `note ${id}`,
  ...more,
})
const shown = (id: number, total: number, note = `note ${id}`) => ({ id, total, note })
const nothing = { entered: [], left: [], changed: [], stale: false }

describe('sort=-total&limit=2', () => {
  const query = ofTenant('sort=-total&limit=2')
  const three = [row(1, 30), row(2, 20), row(3, 10)]

  test('is the page of the reading, without hidden fields', () => {
    const live = livePage(query, three)
    expect(live.page).toEqual({ rows: [shown(1, 30), shown(2, 20)], next: toPage(query, three).next })
    expect(live.stale).toBe(false)
  })

  test('a new row pushes the last one off the page', () => {
    const live = livePage(query, three)
    expect(live.change(undefined, row(4, 25))).toEqual({
      entered: [shown(4, 25)],
      left: [{ id: 2 }],
      changed: [],
      stale: false,
    })
    expect(live.page.rows).toEqual([shown(1, 30), shown(4, 25)])
    // The same once more.
    expect(live.change(undefined, row(4, 25))).toEqual(nothing)
    live.change(row(4, 25), undefined)
    expect(live.page.rows).toEqual([shown(1, 30), shown(2, 20)])
  })

  test('a row that leaves makes the page stale, because the row after the reading is unknown', () => {
    const live = livePage(query, three)
    expect(live.change(row(1, 30), undefined)).toEqual({
      entered: [shown(3, 10)],
      left: [{ id: 1 }],
      changed: [],
      stale: true,
    })
    expect(live.read([row(2, 20), row(3, 10), row(5, 5)])).toEqual(nothing)
    expect(live.stale).toBe(false)
  })

  test('a row that moves behind the reading leaves, and one that moves within it is changed', () => {
    expect(livePage(query, three).change(row(1, 30), row(1, 5))).toEqual({
      entered: [shown(3, 10)],
      left: [{ id: 1 }],
      changed: [],
      stale: true,
    })
    const live = livePage(query, three)
    expect(live.change(row(1, 30), row(1, 19))).toEqual({ ...nothing, changed: [shown(1, 19)] })
    expect(live.page.rows).toEqual([shown(2, 20), shown(1, 19)])
  })

  test('a reading of fewer rows is whole: it is never stale', () => {
    const live = livePage(query, three.slice(0, 2))
    expect(live.change(undefined, row(3, 10))).toEqual(nothing)
    expect(live.page.next).toBeDefined()
    expect(live.change(row(1, 30), undefined)).toEqual({
      ...nothing,
      entered: [shown(3, 10)],
      left: [{ id: 1 }],
    })
    expect(live.page.next).toBeUndefined()
  })

  test('a change of a hidden field, or of a foreign row, changes nothing', () => {
    const live = livePage(query, three)
    expect(live.change(row(9, 99, { tenant: 't-2' }), row(9, 98, { tenant: 't-2' }))).toEqual(nothing)
    expect(live.change(row(3, 10), row(3, 10, { note: 'not on the page' }))).toEqual(nothing)
  })

  test('a row that the caller may no longer see is named by its key alone', () => {
    const live = livePage(query, three)
    const { left, entered } = live.change(row(1, 30), row(1, 1_000, { tenant: 't-2', note: 'secret' }))
    expect({ left, entered }).toEqual({ left: [{ id: 1 }], entered: [shown(3, 10)] })
  })

  test('the row before the change may be its key alone, and the key may change', () => {
    const live = livePage(query, three)
    expect(live.change({ id: 2 }, row(7, 21))).toEqual({ ...nothing, entered: [shown(7, 21)], left: [{ id: 2 }] })
  })

  test('a program may change its objects', () => {
    const own = three.map((one) => ({ ...one }))
    const live = livePage(query, own)
    const before = { ...own[0]! }
    own[0]!.total = 5
    expect(live.change(before, own[0]).left).toEqual([{ id: 1 }])
    expect(live.page.rows).toEqual([shown(2, 20), shown(3, 10)])
  })

  test('a row without a key is refused, and the page stays', () => {
    const live = livePage(query, three)
    expect(() => live.change({}, undefined)).toThrow(new TypeError('before has no value in id'))
    expect(() => live.change(undefined, { ...row(1, 30), id: null as never })).toThrow(
      new TypeError('after has no value in id'),
    )
    expect(() => live.read([{ id: 1 } as never])).toThrow(/rows\[0\] has no value in total/)
    expect(() => live.read(null as never)).toThrow(new TypeError('rows must be a list'))
    expect(live.page.rows).toEqual([shown(1, 30), shown(2, 20)])
  })
})

test('an empty page fills', () => {
  const live = livePage(ofTenant('limit=1'), [row(0, 0)].slice(1))
  expect(live.page).toEqual({ rows: [] })
  expect(live.change(undefined, row(2, 1)).entered).toEqual([shown(2, 1)])
  expect(live.change(undefined, row(1, 1))).toEqual({ ...nothing, entered: [shown(1, 1)], left: [{ id: 2 }] })
})

test('a page after a cursor ignores the rows before it, in both directions', () => {
  const all = [row(1, 10), row(2, 20), row(3, 30), row(4, 40)]
  const first = ofTenant('sort=total&limit=2')
  const { next } = toPage(first, all.slice(0, 3))
  const second = ofTenant(`sort=total&limit=2&cursor=${next}`)
  const forward = livePage(second, [all[2]!, all[3]!])
  expect(forward.change(undefined, row(5, 15))).toEqual(nothing)
  expect(forward.change(undefined, row(6, 25)).left).toEqual([{ id: 4 }])

  const { previous } = toPage(second, [all[2]!, all[3]!])
  const back = livePage(ofTenant(`sort=total&limit=2&cursor=${previous}`), [all[1]!, all[0]!])
  expect(back.page.rows).toEqual([shown(1, 10), shown(2, 20)])
  expect(back.change(undefined, row(5, 15)).left).toEqual([{ id: 1 }])
  expect(back.page.rows).toEqual([shown(5, 15), shown(2, 20)])
  expect(back.page.previous).toBeDefined()
})

test('fields alone are shown and compared', () => {
  const live = livePage(ofTenant('fields=id,note&limit=2'), [row(1, 10)])
  expect(live.page.rows).toEqual([{ id: 1, note: 'note 1' }])
  expect(live.change(row(1, 10), row(1, 11))).toEqual(nothing)
  expect(live.change(row(1, 11), row(1, 11, { note: 'new' })).changed).toEqual([{ id: 1, note: 'new' }])
})

test('a key of several fields identifies a row', () => {
  const lines = defineSchema({ order: field.integer(), line: field.integer(), total: field.number({ required: true }) })
  const keyed = defineCollection(lines, { key: ['order', 'line'], sort: ['total'] })
  const query = parseQueryOrThrow(keyed, 'sort=total,line')
  // A stored query means the same.
  for (const one of [query, JSON.parse(JSON.stringify(query)) as typeof query]) {
    const live = livePage(one, [
      { order: 1, line: 1, total: 1 },
      { order: 2, line: 1, total: 2 },
    ])
    expect(live.change({ order: 2, line: 1 }, undefined).left).toEqual([{ line: 1, order: 2 }])
  }
})

test('a query with an offset is refused', () => {
  expect(() => livePage(ofTenant('offset=1'), [])).toThrow(
    new TypeError('query.offset must be absent: the rows before the page are unknown'),
  )
})
