/** The answer to a query: the fields of each row, worked out by hand. */
import { describe, expect, test } from 'vitest'
import { memoryBackend } from '../../src/backends/memory/index.ts'
import {
  buildQuery,
  defineCollection,
  defineSchema,
  field,
  narrow,
  parseQueryOrThrow,
  toAnswer,
  toPage,
  type Field,
} from '../../src/index.ts'

const secret = { email: 'jo@example.com', passwordHash: 'hash' }
const day = new Date('2024-06-01T22:30:00.000Z')
class Digits {
  readonly d = [12, 5]
  toJSON() {
    return '12.50'
  }
}
const person = field.object({ name: field.string(), card: field.object({ code: field.string() }) })
const people = field.list(person)
const texts = field.list(field.string())
const scalars = [
  field.string(),
  field.enumeration(['a']),
  field.uuid(),
  field.integer(),
  field.bigint(),
  field.number(),
  field.decimal(),
  field.boolean(),
  field.date(),
  field.datetime(),
]

describe('the value of a field', () => {
  const answered = (definition: Field, value: unknown): unknown => {
    const collection = defineCollection(defineSchema({ id: field.integer(), it: definition }), { key: 'id' })
    const { data } = toAnswer(collection, parseQueryOrThrow(collection, ''), [{ id: 1, it: value }])
    return (data[0] as { readonly it?: unknown }).it
  }

  test.each<[string, Field, unknown, unknown]>([
    [
      'an object without fields that the schema lacks',
      person,
      { name: 'Jo', ...secret, card: secret },
      { name: 'Jo', card: {} },
    ],
    ['a text where an object is', person, '{"passwordHash":"hash"}', null],
    ['a list where an object is', person, [secret], null],
    ['an object in a scalar of an object', person, { name: secret, card: [secret] }, { name: null, card: null }],
    ['entries', people, [{ name: 'Jo', ...secret }, null, 'Jo', [secret]], [{ name: 'Jo' }, null, null, null]],
    ['an object where a list is', people, { 0: secret, length: 1 }, null],
    ['an object where a list of texts is', texts, secret, null],
    ['a text where a list is', texts, 'a,b', null],
    ['objects among texts', texts, ['a', secret, [secret], null], ['a', null, null, null]],
    ['a member that is absent', person, { card: null }, { card: null }],
    ['null', person, null, null],
    ['a text', field.string(), 'hash', 'hash'],
    ['an integer', field.integer(), 7, 7],
    ['a boolean', field.boolean(), false, false],
    ['a bigint', field.bigint(), 2n ** 62n, '4611686018427387904'],
    ['a number for a bigint', field.bigint(), 7, '7'],
    ['a decimal', field.decimal(), '1.50', '1.5'],
    ['the digits of an object of a driver', field.decimal(), new Digits(), '12.5'],
    ['content that is none of the type', field.date(), 'soon', 'soon'],
    ['a Date for a day', field.date(), day, '2024-06-01'],
    ['a Date for a moment', field.datetime(), day, '2024-06-01T22:30:00.000Z'],
    ['an invalid Date', field.datetime(), new Date(NaN), null],
    ['a Date for a text', field.string(), day, null],
  ])('%s', (_, definition, value, expected) => expect(answered(definition, value)).toEqual(expected))

  test.each(scalars.map((definition) => [definition.type, definition] as const))(
    'a %s is null for an object and a list',
    (_, definition) => {
      const made = Object.assign(Object.create({ toJSON: () => secret }) as object, secret)
      for (const value of [
        secret,
        {},
        [],
        [1],
        [secret],
        { toJSON: () => secret },
        made,
        new Map([['a', secret]]),
        /a/,
      ])
        expect(answered(definition, value)).toBe(null)
    },
  )

  test('is an own property', () => {
    const row = Object.assign(Object.create({ it: 'inherited' }) as object, { id: 1 })
    const collection = defineCollection(defineSchema({ id: field.integer(), it: field.string() }), { key: 'id' })
    expect(toAnswer(collection, parseQueryOrThrow(collection, ''), [row]).data).toEqual([{ id: 1 }])
  })
})

const orders = defineSchema({
  id: field.integer(),
  seller: field.string({ required: true }),
  total: field.number(),
  customer: field.object({ name: field.string(), taxId: field.string() }),
  items: field.list(field.object({ product: field.string(), margin: field.number() })),
})
const row = (id: number) => ({
  ...{ id, seller: 's-1', total: id * 10, passwordHash: 'hash' },
  customer: { name: 'Jo', taxId: 't', ...secret },
  items: [{ product: 'surf', margin: 3, cost: 4 }],
})
const stored = [1, 2, 3].map(row)
const rows: readonly unknown[] = stored

describe('the answer to a query', () => {
  const options = { key: 'id', sort: true, limit: { default: 2 } } as const
  const hidden = ['seller', 'customer.taxId', 'items.margin'] as const
  const whole = defineCollection(orders, { ...options, fields: true })
  const hiding = defineCollection(orders, { ...options, fields: true, hidden })
  const listing = defineCollection(orders, { ...options, fields: ['id', 'customer.name'] })
  const open = { id: 1, total: 10, customer: { name: 'Jo' }, items: [{ product: 'surf' }] }
  const all = { ...open, seller: 's-1', customer: { name: 'Jo', taxId: 't' }, items: [{ product: 'surf', margin: 3 }] }

  test.each([
    ['all fields of the schema', whole, '', all],
    ['those that it names', whole, 'fields=total,items.product', { total: 10, items: [{ product: 'surf' }] }],
    ['without the order', whole, 'fields=customer.name&sort=total', { customer: { name: 'Jo' } }],
    ['without the hidden ones', hiding, '', open],
    ['an object without the hidden ones', hiding, 'fields=customer', { customer: { name: 'Jo' } }],
    ['those that the collection lists', listing, '', { id: 1, customer: { name: 'Jo' } }],
    ['of these, those that it names', listing, 'fields=customer.name', { customer: { name: 'Jo' } }],
  ] as const)('has %s', (_, collection, text, first) => {
    const query = parseQueryOrThrow(collection, text)
    const { data, page } = toAnswer(collection, query, memoryBackend().compileQuery(query)(rows).rows)
    expect([data.length, data[0]]).toEqual([2, first])
    expect(page).toEqual({ next: toPage(query, rows).next })
    // A page, as the compiled query of SQL or MongoDB makes it, has the same answer.
    expect(toAnswer(collection, query, toPage(query, rows))).toEqual({ data, page })
  })

  test('turns a page toward `previous` round, with both cursors', () => {
    const read = (text: string) => {
      const query = parseQueryOrThrow(whole, `fields=id&limit=1${text}`)
      return toAnswer(whole, query, memoryBackend().compileQuery(query)(rows).rows)
    }
    const second = read(`&cursor=${read('').page.next}`)
    expect(second).toEqual({ data: [{ id: 2 }], page: { next: expect.any(String), previous: expect.any(String) } })
    expect(read(`&cursor=${second.page.previous}`).data).toEqual([{ id: 1 }])
  })

  test('hides the fields that the collection or the query hides', () => {
    const narrowed = narrow(whole, { fields: { hide: ['total'] } })
    const query = parseQueryOrThrow(narrowed, '')
    const { total: _, ...rest } = all
    expect(toAnswer(whole, query, rows).data[0]).toEqual(rest)
    expect(toAnswer(narrowed, parseQueryOrThrow(whole, 'fields=id,total'), rows).data[0]).toEqual({ id: 1 })
    expect(toAnswer(whole, JSON.parse(JSON.stringify(query)) as typeof query, rows).data[0]).toEqual(rest)
  })

  test('refuses an argument that is not a collection, a query, rows or a page', () => {
    const query = buildQuery(whole, {})
    const refused = (given: unknown, of: unknown = query, collection: unknown = whole) =>
      expect(() => toAnswer(collection as typeof whole, of as typeof query, given as readonly unknown[]))
    refused([], query, { ...whole }).toThrow('collection must be made by defineCollection')
    refused([], null).toThrow('query must be an object')
    refused([...stored, row(4)]).toThrow('rows must be at most 3, one more than query.limit')
    refused([{ total: 1 }]).toThrow('rows[0] has no value in id: select it')
    const page = 'rows must be a list of rows, or the page that page(rows) of a compiled query makes, or toPage'
    for (const given of [
      undefined,
      null,
      'rows',
      {},
      { rows: stored },
      { rows: [], count: 1 },
      { rows: [], rowCount: 0 },
    ])
      refused(given).toThrow(page)
  })
})
