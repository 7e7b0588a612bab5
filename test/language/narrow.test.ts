/** The collections that `narrow` makes, and the options that it refuses. */
import { describe, expect, test } from 'vitest'
import { buildQuery, defineCollection, defineSchema, field, narrow, type CollectionOptions } from '../../src/index.ts'
import type { Collection, NarrowOptions, Schema } from '../../src/index.ts'

const schema = defineSchema({
  id: field.integer(),
  seller: field.string({ required: true }),
  total: field.decimal({ required: true }),
  arrival: field.date(),
  customer: field.object({ name: field.string(), taxId: field.string() }),
  items: field.list(field.object({ price: field.number(), cost: field.number() })),
  tenantId: field.string(),
  owner: field.object({ team: field.string(), note: field.string() }),
})
const options: CollectionOptions = {
  key: 'id',
  sort: ['total', 'arrival', 'seller', 'customer.name', 'owner.note'],
  defaultSort: '-total,arrival',
  limit: { default: 25, max: 50 },
  offset: { max: 1000 },
  fields: ['id', 'seller', 'total', 'customer', 'items.price', 'owner'],
  count: { max: 500 },
  hidden: ['tenantId'],
  groups: true,
  operators: { seller: ['in', 'equals'], customer: ['exists'], 'customer.name': ['equals', 'startsWith'] },
  parameters: { limit: 'page[size]', or: 'any', count: 'total_count' },
}
const define = (schema: Schema, options: object) =>
  defineCollection(schema, options as unknown as CollectionOptions) as Collection
const wide = define(schema, options)
const plain = define(schema, { key: 'id' })

/** A collection as data. */
const dataOf = ({
  schema,
  visible,
  hidden,
  key,
  sortable,
  selectable,
  operators,
  parameters,
  ...rest
}: Collection) => ({
  ...{ ...rest, schema, visible: visible.fields, paths: [...visible.paths], hidden: hidden.map(String) },
  ...{ key: key.map(({ name }) => name), sortable: [...sortable], selectable: selectable && [...selectable] },
  ...{ operators: [...operators], parameters: [...parameters] },
})
const of = (given: object) => narrow(wide, given as NarrowOptions)
const sortOf = ({ defaultSort }: Collection) => defaultSort.map(({ field, direction }) => [field.name, direction])

test('without options, everything stays', () => {
  for (const collection of [wide, plain]) expect(dataOf(narrow(collection, {}))).toEqual(dataOf(collection))
})
test('a field without operators stays in the order and in facets', () => {
  const open = define(schema, { key: 'id', sort: ['total', 'arrival'], facets: ['total', 'seller'] })
  const left = narrow(open, { operators: { total: ['gte'], seller: [], arrival: [] } } as NarrowOptions)
  expect([...left.sortable.keys()]).toEqual(['total', 'id'])
  expect([...left.facets.keys()]).toEqual(['total'])
})
test('parameters keep their names, and narrow removes the names of disabled parameters', () => {
  const parameters = { offset: 'skip', count: 'n', facets: 'by', search: 'q', timeZone: 'tz', and: 'all', not: 'no' }
  const on = { offset: { max: 9 }, count: true, facets: ['total'], search: ['seller'], timeZone: true, groups: true }
  const named = define(schema, { key: 'id', ...on, parameters })
  expect([...narrow(named, {}).parameters]).toEqual([...named.parameters])
  for (const [option, gone] of [
    ['offset', ['offset']],
    ['count', ['count']],
    ['facets', ['facets']],
    ['search', ['search']],
    ['timeZone', ['timeZone']],
    ['groups', ['and', 'or', 'not']],
  ] as const)
    expect([...narrow(named, { [option]: false }).parameters], option).toEqual(
      [...named.parameters].filter(([name]) => !(gone as readonly string[]).includes(name)),
    )
  for (const option of ['search', 'timeZone', 'groups'])
    expect(() => narrow(named, { [option]: true } as never)).toThrow(`${option} must be false, or absent`)
})
test('the result equals a collection of defineCollection, and the first one stays unchanged', () => {
  const before = dataOf(wide)
  const narrowed = of({
    fields: { hide: ['total', 'customer.taxId', 'owner.note', 'owner.team'] },
    ...{ sort: ['seller'], limit: { default: 5, max: 10 }, offset: false, count: { max: 5 }, groups: false },
    ...{ operators: { seller: ['equals'] }, defaultSort: '-seller' },
  })
  const made = defineCollection(schema, {
    ...{ key: 'id', sort: ['seller'], defaultSort: '-seller', limit: { default: 5, max: 10 }, count: { max: 5 } },
    ...{
      fields: ['id', 'seller', 'customer', 'items.price'],
      hidden: ['tenantId', 'total', 'customer.taxId', 'owner'],
    },
    operators: { seller: ['equals'], customer: ['exists'], 'customer.name': ['equals', 'startsWith'] },
    parameters: { limit: 'page[size]', count: 'total_count' },
  } as unknown as CollectionOptions) as Collection
  expect(dataOf(narrowed)).toEqual(dataOf(made))
  expect(dataOf(wide)).toEqual(before)
  expect(Object.isFrozen(narrowed)).toBe(true)
})

test('narrow keeps nulls of an order', () => {
  const sort = { arrival: { nulls: 'last' }, 'customer.name': { nulls: 'first' }, total: true } as const
  const placed = defineCollection(schema, { key: 'id', sort, defaultSort: 'arrival' })
  const narrowed = narrow(placed, { sort: ['total', 'arrival'] })
  expect([...narrowed.sortable.keys()]).toEqual(['total', 'arrival', 'id'])
  expect([...narrowed.orders]).toEqual([['arrival', { nulls: 'last' }]])
  expect(buildQuery(narrowed, {}).sort).toEqual(buildQuery(placed, {}).sort)
  expect([...narrow(placed, { limit: { max: 5 } }).orders]).toEqual([...placed.orders])
  expect([...narrow(placed, { fields: { hide: ['arrival'] } }).orders]).toEqual([['customer.name', { nulls: 'first' }]])
})
describe('fields', () => {
  test('a list has the fields that callers may choose, each with all of its members', () => {
    expect([...of({ fields: ['customer', 'items.price'] }).selectable!.keys()]).toEqual([
      ...['customer', 'customer.name', 'customer.taxId', 'items.price'],
    ])
    expect([...of({ fields: [] }).selectable!.keys()]).toEqual([])
    expect([...of({ fields: ['id'] }).visible.paths]).toEqual([...wide.visible.paths])
  })
  test('hidden fields leave every option of the collection', () => {
    const narrowed = of({ fields: { hide: ['total', 'customer', 'owner.note'] } })
    expect(narrowed.hidden).toEqual([['total'], ['customer'], ['tenantId'], ['owner', 'note']])
    expect([...narrowed.visible.paths.keys()]).toEqual([
      ...['id', 'seller', 'arrival', 'items', 'items.price', 'items.cost', 'owner', 'owner.team'],
    ])
    expect([...narrowed.sortable.keys()]).toEqual(['arrival', 'seller', 'id'])
    expect(sortOf(narrowed)).toEqual([['arrival', 'ascending']])
    expect([...narrowed.selectable!.keys()]).toEqual(['id', 'seller', 'items.price', 'owner', 'owner.team'])
    expect([...narrowed.operators.keys()]).toEqual(['seller'])
    expect(narrowed.schema).toBe(schema)
    expect(buildQuery(narrowed).hidden).toEqual(narrowed.hidden)
  })
  test('an object whose fields are all hidden is hidden, whoever hid them', () => {
    const both = narrow(of({ fields: { hide: ['owner.note'] } }), { fields: { hide: ['owner.team'] } } as NarrowOptions)
    expect(both.hidden).toEqual([['tenantId'], ['owner']])
    expect([...both.selectable!.keys()]).not.toContain('owner')
  })
  test('a hidden field can be hidden again', () => {
    expect(dataOf(of({ fields: { hide: ['tenantId'] } }))).toEqual(dataOf(wide))
  })
  test('without the option fields, hiding does not add it', () => {
    const narrowed = narrow(plain, { fields: { hide: ['total'] } } as NarrowOptions)
    expect(narrowed.selectable).toBeUndefined()
    expect(narrowed.parameters.has('fields')).toBe(false)
  })
})

describe('operators', () => {
  const operatorsOf = (operators: object) => Object.fromEntries(of({ operators }).operators)
  test('are those of the option, and others stay', () => {
    expect(operatorsOf({ seller: ['equals'], total: ['gte', 'lte'] })).toEqual({
      ...{ seller: ['equals'], total: ['gte', 'lte'] },
      ...{ customer: ['exists'], 'customer.name': ['equals', 'startsWith'], 'customer.taxId': ['exists'] },
    })
  })
  test('of an object narrow its members, within the operators of the collection', () => {
    expect(operatorsOf({ customer: [] })).toMatchObject({ customer: [], 'customer.name': [], 'customer.taxId': [] })
    expect(operatorsOf({ customer: ['exists'] })).toMatchObject({ 'customer.name': [], 'customer.taxId': ['exists'] })
    expect(operatorsOf({ customer: [], 'customer.name': ['equals'] })).toMatchObject({ 'customer.name': ['equals'] })
    expect(operatorsOf({ items: ['exists'] })).toMatchObject({
      ...{ items: ['exists'], 'items.price': ['exists'], 'items.cost': ['exists'] },
    })
  })
  test('that close a field close its order, unless it is listed', () => {
    const closed = of({ operators: { total: [] } })
    expect([...closed.sortable.keys()]).toEqual(['arrival', 'seller', 'customer.name', 'owner.note', 'id'])
    expect(sortOf(closed)).toEqual([['arrival', 'ascending']])
    const listed = of({ operators: { total: [] }, sort: ['total'] })
    expect([...listed.sortable.keys()]).toEqual(['total', 'id'])
    expect(sortOf(listed)).toEqual([['total', 'descending']])
    expect([...of({ operators: { customer: ['exists'] } }).sortable.keys()]).not.toContain('customer.name')
    expect([...of({ operators: { owner: [] } }).sortable.keys()]).not.toContain('owner.note')
    // The key ends every order.
    expect([...of({ operators: { id: [] } }).sortable.keys()]).toContain('id')
  })
  test('that were closed before leave the order as it was', () => {
    const before = of({ operators: { total: [] }, sort: ['total'] })
    expect([...narrow(before, { limit: { max: 5 } }).sortable.keys()]).toEqual(['total', 'id'])
  })
})

test('defaultSort can be any order of the fields that are left', () => {
  expect(sortOf(of({ defaultSort: 'seller,-total' }))).toEqual([
    ['seller', 'ascending'],
    ['total', 'descending'],
  ])
  expect(sortOf(of({ sort: ['seller'] }))).toEqual([])
  expect(sortOf(of({ sort: ['seller'], defaultSort: '-id' }))).toEqual([['id', 'descending']])
})
test('limit, offset and count are smaller, or off', () => {
  expect(of({ limit: { max: 10 } }).limit).toEqual({ default: 10, max: 10 })
  expect(of({ limit: { default: 40 } }).limit).toEqual({ default: 40, max: 50 })
  expect(of({ limit: { default: 1, max: 50 } }).limit).toEqual({ default: 1, max: 50 })
  expect(of({ offset: { max: 0 } }).maxOffset).toBe(0)
  expect(of({ offset: false }).parameters.has('offset')).toBe(false)
  expect(of({ count: { max: 500 } }).count).toEqual({ max: 500 })
  expect(of({ count: false }).parameters.has('count')).toBe(false)
  const counting = defineCollection(schema, { key: 'id', count: true })
  expect(narrow(counting, { count: { max: 7 } }).count).toEqual({ max: 7 })
  expect(narrow(counting, {}).count).toBe(true)
})
test('the names of parameters stay, without those that are off', () => {
  expect([...of({}).parameters]).toEqual([...wide.parameters])
  expect([...of({ offset: false, count: false, groups: false }).parameters]).toEqual([
    ...[
      ['sort', 'sort'],
      ['limit', 'page[size]'],
      ['fields', 'fields'],
      ['cursor', 'cursor'],
    ],
  ])
  expect([...narrow(plain, { offset: false, count: false, groups: false }).parameters]).toEqual([...plain.parameters])
})

describe('a TypeError names the part that the collection does not have', () => {
  test.each([
    [{ hide: ['total'] }, 'options.hide is unknown'],
    [{ fields: { hidden: ['total'] } }, 'fields.hidden is unknown (available: hide)'],
    [{ fields: {} }, 'fields.hide must be a list of paths'],
    [{ fields: { hide: undefined } }, 'fields.hide must be a list of paths'],
    [{ fields: true }, 'fields must be an object'],
    [{ fields: undefined }, 'options.fields is undefined: leave the option out to keep what the collection has'],
    [{ fields: ['nope'] }, 'fields has nope, which the collection does not have'],
    [{ fields: ['items'] }, 'fields has items, which the collection does not have'],
    [{ fields: ['arrival'] }, 'fields has arrival, which the collection does not have'],
    [{ fields: ['tenantId'] }, 'fields has tenantId, which the collection does not have'],
    [{ fields: ['id', 'id'] }, 'fields has id twice'],
    [{ fields: { hide: ['nope'] } }, 'fields.hide has nope, which is not a field of the schema'],
    [{ fields: { hide: ['total', 'total'] } }, 'fields.hide has total twice'],
    [{ fields: { hide: ['id'] } }, 'fields.hide has id, which the key needs: cursors contain the values of the key'],
    [{ sort: ['nope'] }, 'sort has nope, which the collection does not have'],
    [{ sort: ['tenantId'] }, 'sort has tenantId, which the collection does not have'],
    [{ sort: ['customer.taxId'] }, 'sort has customer.taxId, which the collection does not have'],
    [{ sort: true }, 'sort must be a list of paths'],
    [{ sort: ['total'], fields: { hide: ['total'] } }, 'sort has total, which is hidden: callers know nothing of it'],
    [{ defaultSort: 'customer.taxId' }, 'defaultSort has customer.taxId, which callers may not sort by'],
    [{ defaultSort: 'total', sort: ['seller'] }, 'defaultSort has total, which callers may not sort by'],
    [{ defaultSort: null }, "defaultSort must be text such as '-arrival,total'"],
    [{ operators: { seller: ['startsWith'] } }, 'operators.seller has startsWith, which the collection does not have'],
    [{ operators: { 'customer.name': ['exists'] } }, 'operators.customer.name has exists, which the collection'],
    [{ operators: { total: ['contains'] } }, 'operators.total has contains, which decimal does not take'],
    [{ operators: { total: ['nope'] } }, 'operators.total has nope, which is not an operator'],
    [{ operators: { total: undefined } }, 'operators.total must be a list of operators'],
    [{ operators: { tenantId: [] } }, 'operators has tenantId, which is hidden: callers know nothing of it'],
    [{ operators: { nope: [] } }, 'operators.nope is unknown'],
    [{ operators: { total: [] }, fields: { hide: ['total'] } }, 'operators has total, which is hidden'],
    [{ limit: { max: 51 } }, 'limit.max is 51, more than the 50 of the collection'],
    [{ limit: { default: 51 } }, 'limit.max is 50, below limit.default, 51'],
    [{ limit: { max: 0 } }, 'limit.max must be a whole number of at least 1'],
    [{ limit: { max: NaN } }, 'limit.max must be a whole number of at least 1'],
    [{ limit: { max: undefined } }, 'limit.max is undefined'],
    [{ limit: 5 }, 'limit must be an object'],
    [{ offset: { max: 1001 } }, 'offset.max is 1001, more than the 1000 of the collection'],
    [{ offset: {} }, 'offset.max must be a whole number of at least 0'],
    [{ offset: true }, 'offset must be false or { max: … }'],
    [{ count: { max: 501 } }, 'count.max is 501, more than the 500 of the collection'],
    [{ count: {} }, 'count.max must be a whole number of at least 1'],
    [{ count: true }, 'count must be false or { max: … }'],
    [{ groups: true }, 'groups must be false, or absent'],
    [{ key: 'id' }, 'options.key is unknown'],
  ])('%j', (given, message) => {
    expect(() => of(given)).toThrow(TypeError)
    expect(() => of(given)).toThrow(message)
  })
  test.each([
    [{ offset: { max: 1 } }, 'offset must be false: the collection does not allow offset'],
    [{ count: { max: 1 } }, 'count must be false: the collection does not allow count'],
    [
      { fields: ['id'] },
      'fields must be { hide: [ … ] }: a list is a part of the option fields, which the collection does not have',
    ],
    [{ sort: ['total'] }, 'sort has total, which the collection does not have'],
  ])('%j, of a collection with the least', (given, message) => {
    expect(() => narrow(plain, given as NarrowOptions)).toThrow(message)
  })
  test('a collection, and options', () => {
    expect(() => narrow({ ...wide }, {})).toThrow('collection must be made by defineCollection')
    for (const given of [undefined, null, [], 'fields'])
      expect(() => of(given as never)).toThrow('options must be an object')
  })
  test('an object around the key', () => {
    const nested = defineCollection(schema, { key: ['id', 'owner.team'] }) as Collection
    expect(() => narrow(nested, { fields: { hide: ['owner'] } } as NarrowOptions)).toThrow(
      'fields.hide has owner, which',
    )
  })
})

test('names that Object.prototype has are fields like others', () => {
  const odd = defineSchema({ id: field.integer(), constructor: field.string(), valueOf: field.string() })
  const operators = { valueOf: ['equals'] }
  const collection = define(odd, { key: 'id', sort: true, fields: true, operators })
  expect(Object.fromEntries(narrow(collection, {}).operators)).toEqual({ valueOf: ['equals'] })
  const hiding = narrow(collection, { fields: { hide: ['constructor'] }, operators: { valueOf: [] } } as NarrowOptions)
  expect([...hiding.sortable.keys()]).toEqual(['id'])
  expect([...hiding.visible.paths.keys()]).toEqual(['id', 'valueOf'])
})

describe('narrowing twice', () => {
  const first = of({ fields: { hide: ['total'] }, sort: ['arrival', 'seller'], limit: { max: 10 }, groups: false })
  test('removes the fields that either call removes', () => {
    const both = narrow(first, { operators: { seller: [] }, limit: { max: 5 } } as NarrowOptions)
    expect([...both.sortable.keys()]).toEqual(['arrival', 'id'])
    expect(both).toMatchObject({ limit: { default: 5, max: 5 }, hidden: [['total'], ['tenantId']] })
    expect(both.parameters.has('or')).toBe(false)
  })
  test.each([
    [{ sort: ['total'] }, 'sort has total, which the collection does not have'],
    [{ fields: ['total'] }, 'fields has total, which the collection does not have'],
    [{ operators: { total: ['gt'] } }, 'operators has total, which is hidden'],
    [{ defaultSort: '-total' }, 'defaultSort has total, which callers may not sort by'],
    [{ limit: { max: 11 } }, 'limit.max is 11, more than the 10 of the collection'],
  ])('gives nothing back: %j', (given, message) => {
    expect(() => narrow(first, given as NarrowOptions)).toThrow(message)
  })
})
