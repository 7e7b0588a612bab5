/** Documents of MongoDB: the rows that each operator selects, and the documents that are refused. */
import { describe, expect, test } from 'vitest'
import { memoryBackend } from '../../src/backends/memory/index.ts'
import { defineSchema, field, where } from '../../src/index.ts'
import { fromMongoQuery } from '../../src/policies/index.ts'
import { sameFilter } from '../../src/tree.ts'
import { orders } from './orders.ts'

const rows = [
  {
    id: 1,
    tenant: 'a',
    name: 'x',
    total: 1,
    tags: ['p', 'q'],
    customer: { name: 'x' },
    items: [{ product: 'k', price: 1 }],
  },
  {
    id: 2,
    tenant: 'a',
    name: 'y',
    total: 5,
    tags: ['p'],
    customer: {},
    items: [{ product: 'l', price: 5 }, { price: 1 }],
  },
  { id: 3, tenant: 'b', name: null, total: null, tags: null, customer: null, items: null },
  { id: 4, tenant: 'b', tags: [], items: [] },
]
const idsOf = (query: object) => rows.filter(memoryBackend().compile(fromMongoQuery(orders, query))).map(({ id }) => id)

test.each<[query: object, ids: number[]]>([
  [{}, [1, 2, 3, 4]],
  [{ name: 'x' }, [1]],
  [{ name: { $eq: 'x' } }, [1]],
  [{ name: { $ne: 'x' } }, [2, 3, 4]],
  [{ name: null }, [3, 4]],
  [{ name: { $ne: null } }, [1, 2]],
  [{ name: { $in: ['x', 'z'] } }, [1]],
  [{ name: { $in: ['x', null] } }, [1, 3, 4]],
  [{ name: { $in: [] } }, []],
  [{ name: { $nin: ['x'] } }, [2, 3, 4]],
  [{ name: { $nin: ['x', null] } }, [2]],
  [{ name: { $nin: [] } }, [1, 2, 3, 4]],
  [{ total: { $gt: 1 } }, [2]],
  [{ total: { $gte: 1 } }, [1, 2]],
  [{ total: { $lt: 5 } }, [1]],
  [{ total: { $lte: 5 } }, [1, 2]],
  [{ total: { $gt: 1, $lt: 5 } }, []],
  [{ total: { $not: { $lt: 5 } } }, [2, 3, 4]],
  [{ total: { $not: { $gte: 1, $lt: 5 } } }, [2, 3, 4]],
  [{ total: { $exists: true } }, [1, 2]],
  [{ total: { $exists: false } }, [3, 4]],
  [{ 'customer.name': null }, [2, 3, 4]],
  [{ 'customer.name': { $exists: true } }, [1]],
  [{ customer: { $exists: false } }, [3, 4]],
  [{ tags: 'p' }, [1, 2]],
  [{ tags: { $ne: 'q' } }, [2, 3, 4]],
  [{ tags: { $in: ['q'] } }, [1]],
  [{ tags: { $nin: ['q'] } }, [2, 3, 4]],
  [{ tags: { $all: ['p', 'q'] } }, [1]],
  [{ tags: { $size: 1 } }, [2]],
  [{ tags: { $elemMatch: { $gt: 'p', $lt: 'r' } } }, [1]],
  [{ tags: { $not: { $elemMatch: { $eq: 'q' } } } }, [2, 3, 4]],
  [{ 'items.price': { $gt: 1 } }, [2]],
  [{ 'items.price': { $lt: 2 } }, [1, 2]],
  [{ 'items.product': { $exists: true } }, [1, 2]],
  // Each of the conditions is true of an entry, not of one.
  [{ 'items.product': 'l', 'items.price': 1 }, [2]],
  [{ items: { $elemMatch: { product: 'l', price: 1 } } }, []],
  [{ items: { $elemMatch: { product: null } } }, [2]],
  [{ items: { $elemMatch: { $or: [{ product: 'k' }, { price: { $gt: 4 } }] } } }, [1, 2]],
  [{ $or: [{ name: 'x' }, { tenant: 'b' }] }, [1, 3, 4]],
  [{ $and: [{ tenant: 'a' }, { total: { $gt: 1 } }] }, [2]],
  [{ tenant: 'a', $or: [{ name: 'x' }, { name: 'y', total: 1 }] }, [1]],
])('%j selects %j', (query, ids) => {
  expect(idsOf(query)).toEqual(ids)
})

describe('fromMongoQuery refuses', () => {
  const cyclic: { $and: object[] } = { $and: [] }
  cyclic.$and.push(cyclic)
  const deep = JSON.parse(`${'{"$or":['.repeat(120)}{}${']}'.repeat(120)}`) as object
  const missing = 'rows of SQL do not tell a missing list from an empty one'

  test.each<[message: string, query: unknown]>([
    ['document must be an object', null],
    ['document must be an object', []],
    ['document must be an object', new Map([['name', 'x']])],
    ['document.other is not a field of the schema', { other: 1 }],
    ['document.tags.0 is not a field of the schema', { 'tags.0': 'p' }],
    ['document.__proto__ is not a field of the schema', JSON.parse('{"__proto__":{"$eq":1}}')],
    ['document.$where must be $and, $or or a field', { $where: 'true' }],
    ['document.$nor must be $and, $or or a field', { $nor: [{}] }],
    ['document.$not must be $and, $or or a field', { $not: { name: 'x' } }],
    ['document.name.$regex must be one of $eq, $ne, $in', { name: { $regex: '^x' } }],
    ['document.name.$or must be one of $eq, $ne, $in', { name: { $or: [] } }],
    ['document.name.toString must be one of $eq, $ne, $in', { name: { toString: 1 } }],
    ['document.name.x must be one of $eq, $ne, $in', { name: { $eq: 'x', x: 1 } }],
    ['document.name must have an operator', { name: {} }],
    ['document.name.$not must have an operator', { name: { $not: {} } }],
    ['document.name.$not must be an object', { name: { $not: /x/ } }],
    ['document.name must be a value of name', { name: /x/ }],
    ['document.name must be a value of name', { name: undefined }],
    ['document.name must be a value of name', { name: 5 }],
    ['document.name must be a value of name', { name: ['x'] }],
    ['document.name.$ne must be a value of name', { name: { $ne: undefined } }],
    ['document.name.$in must be a list', { name: { $in: 'x' } }],
    ['document.name.$in[1] must be a value of name', { name: { $in: ['x', 1] } }],
    ['document.status must be a value of status', { status: 'gone' }],
    ['document.total must be a value of total', { total: '5' }],
    ['document.total.$gt must be a value of total', { total: { $gt: NaN } }],
    ['document.guests must be a value of guests', { guests: 1.5 }],
    ['document.ref must be a value of ref', { ref: '0190A5D2-0000-7000-8000-000000000000' }],
    ['document.day must be a value of day', { day: new Date(0) }],
    ['document.at must be a value of at', { at: '2024-01-01' }],
    ['document.at must be a value of at', { at: '2024-01-01T00:00:00+02:00' }],
    ['document.price compares price, a decimal', { price: 5 }],
    ['document.open.$gt does not apply to open', { open: { $gt: false } }],
    ['document.status.$lt does not apply to status', { status: { $lt: 'paid' } }],
    ['document.customer.name must be one of $eq, $ne, $in', { customer: { name: 'x' } }],
    ['document.customer.$eq does not apply to customer', { customer: { $eq: { name: 'x' } } }],
    ['document.extra does not apply to extra', { extra: 1 }],
    ['document.total.$exists must be true or false', { total: { $exists: 1 } }],
    ['document.total.$all applies to lists', { total: { $all: [1] } }],
    ['document.total.$elemMatch applies to lists', { total: { $elemMatch: { $gt: 1 } } }],
    ['document.items.price.$size applies to lists', { 'items.price': { $size: 1 } }],
    ['document.tags.$all must be a list of at least one value', { tags: { $all: [] } }],
    ['document.$and must be a list of at least one value', { $and: [] }],
    ['document.$or must be a list of at least one value', { $or: {} }],
    ['document.$or[1] must be an object', { $or: [{}, 'x'] }],
    ['document.tags.$elemMatch must have an operator', { tags: { $elemMatch: {} } }],
    [missing, { tags: null }],
    [missing, { tags: { $in: ['p', null] } }],
    [missing, { 'items.price': null }],
    [missing, { tags: { $exists: true } }],
    [missing, { tags: { $elemMatch: { $exists: true } } }],
    [missing, { tags: { $size: 0 } }],
    ['nests deeper than 100 levels', cyclic],
    ['nests deeper than 100 levels', deep],
  ])('%s', (message, query) => {
    expect(() => fromMongoQuery(orders, query as object)).toThrow(
      expect.objectContaining({ name: 'TypeError', message: expect.stringContaining(message) }),
    )
  })

  test('a schema of another make', () => {
    expect(() => fromMongoQuery({ fields: {}, paths: new Map() } as never, {})).toThrow('schema must be made')
  })
})

test('fromMongoQuery reads own properties alone, and operands in the form of rows', () => {
  const query = Object.assign(Object.create({ name: 'inherited' }) as object, { tenant: 'a' })
  expect(() => fromMongoQuery(orders, query)).toThrow('document must be an object')
  expect(idsOf(Object.assign(Object.create(null) as object, { tenant: 'a' }))).toEqual([1, 2])
  const schema = defineSchema({ at: field.datetime(), big: field.bigint() })
  const o = where(schema)
  const at = new Date(5)
  expect(sameFilter(fromMongoQuery(schema, { at: { $gt: at } }), o.gt('at', at))).toBe(true)
  expect(sameFilter(fromMongoQuery(schema, { big: 5n }), o.equals('big', 5n))).toBe(true)
})
