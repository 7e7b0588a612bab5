/** Queries as `findMany` and `count`, by hand. */
import { describe, expect, test } from 'vitest'
import { prismaBackend } from '../../../src/backends/prisma/index.ts'
import { and, defineCollection, defineSchema, field, parseQueryOrThrow, toPage } from '../../../src/index.ts'
import type { Query } from '../../../src/index.ts'
import { issuesOf } from '../../issues.ts'
import { partsOfFilter } from '../../../src/query/index.ts'

const schema = defineSchema({
  id: field.integer(),
  name: field.string(),
  total: field.number(),
  status: field.enumeration(['paid', 'held']),
  customer: field.object({ name: field.string(), city: field.string() }),
  owner: field.object({ city: field.string() }),
  tags: field.list(field.string()),
  items: field.list(field.object({ price: field.number(), product: field.string() })),
})
const datamodelOf = (provider: string) => `
datasource db {
  provider = "${provider}"
}
model Order {
  id Int @id
  fullName String
  total Float?
  status Status?
  secret String
  customer Customer?
  owner Customer
  tags Tag[]
  items Item[]
}
model Customer {
  name String?
  city String
}
model Tag {
  orderId Int
  text String
  @@id([orderId, text])
}
model Item {
  id Int @id
  price Float?
  product String?
}
enum Status {
  paid
  held
}
`
const fields = { name: { name: 'fullName' }, tags: { value: 'text' } }
const backendOf = (provider: string) =>
  prismaBackend({
    schema,
    datamodel: datamodelOf(provider),
    model: 'Order',
    fields,
    ...(provider === 'mysql' && { collation: 'utf8mb4_0900_bin' }),
  })
const collection = defineCollection(schema, {
  key: 'id',
  sort: ['name', 'total', 'status', 'customer.name', 'customer.city', 'owner.city'],
  offset: { max: 100 },
  fields: true,
})
const pageOf = (text: string, provider = 'postgresql') =>
  backendOf(provider).compileQuery(parseQueryOrThrow(collection, text))
const whole = {
  id: true,
  fullName: true,
  total: true,
  status: true,
  customer: { select: { name: true, city: true } },
  owner: { select: { city: true } },
  tags: { select: { text: true }, orderBy: [{ orderId: 'asc' }, { text: 'asc' }] },
  items: { select: { price: true, product: true }, orderBy: [{ id: 'asc' }] },
}

test('a page reads one row more, and the fields of the schema alone', () => {
  expect(pageOf('name=a&sort=-total,name&limit=5')).toMatchObject({
    findMany: {
      where: { fullName: { equals: 'a' } },
      orderBy: [{ total: { sort: 'desc', nulls: 'last' } }, { fullName: 'asc' }, { id: 'asc' }],
      take: 6,
      select: whole,
    },
    count: { where: { fullName: { equals: 'a' } } },
  })
})
test('a bounded count takes one row more than its maximum', () => {
  const bounded = defineCollection(schema, { key: 'id', count: { max: 1000 } })
  const countOf = (text: string) => backendOf('postgresql').compileQuery(parseQueryOrThrow(bounded, text)).count
  expect(countOf('name=a&count=true')).toEqual({ where: { fullName: { equals: 'a' } }, take: 1001 })
  expect(countOf('name=a')).toEqual({ where: { fullName: { equals: 'a' } } })
})
test('only PostgreSQL has to be told where NULL stands', () => {
  expect(pageOf('sort=total').findMany.orderBy[0]).toEqual({ total: { sort: 'asc', nulls: 'first' } })
  for (const provider of ['mysql', 'sqlite']) {
    expect(pageOf('sort=total', provider).findMany.orderBy[0]).toEqual({ total: 'asc' })
  }
})
test('the orderBy of each provider contains nulls where the collection moves them', () => {
  const last = { nulls: 'last' } as const
  const sort = { total: last, 'customer.name': last, 'customer.city': last, 'owner.city': last }
  const placed = defineCollection(schema, { key: 'id', sort })
  for (const provider of ['postgresql', 'mysql', 'sqlite']) {
    const { compileQuery } = backendOf(provider)
    const orderOf = (text: string) => compileQuery(parseQueryOrThrow(placed, text)).findMany.orderBy[0]
    expect(orderOf('sort=total')).toEqual({ total: { sort: 'asc', nulls: 'last' } })
    expect(orderOf('sort=customer.name')).toEqual({ customer: { name: { sort: 'asc', nulls: 'last' } } })
    expect(orderOf('sort=owner.city')).toEqual({ owner: { city: 'asc' } })
    expect(() => orderOf('sort=customer.city')).toThrow('customer.city is required in a row that may be absent')
    const query = { ...parseQueryOrThrow(placed, 'sort=total'), position: { toward: 'previous' as const, values: [] } }
    expect(compileQuery(query).findMany.orderBy[0]).toEqual({ total: { sort: 'desc', nulls: 'first' } })
  }
})
test('a required sort key has no NULL to place, whatever its field is declared', () => {
  for (const [key, orderBy, where] of [
    ['total', { total: 'desc' }, { total: { gt: 5 } }],
    ['customer.city', { customer: { city: 'desc' } }, { customer: { is: { city: { gt: 'x' } } } }],
  ] as const) {
    const { sort } = parseQueryOrThrow(defineCollection(schema, { key, sort: [key] }), `sort=-${key}`)
    const value = key === 'total' ? ({ type: 'number', value: 5 } as const) : ({ type: 'string', value: 'x' } as const)
    const query: Query = {
      ...partsOfFilter(and()),
      sort,
      position: { toward: 'previous', values: [value] },
      limit: 2,
      count: false,
    }
    const { findMany } = backendOf('postgresql').compileQuery(query)
    expect(findMany.where).toEqual(where)
    expect(
      backendOf('postgresql').compileQuery({ ...query, position: { toward: 'next', values: [] } }).findMany.orderBy,
    ).toEqual([orderBy])
  }
})
test('a row beside is ordered by', () => {
  expect(pageOf('sort=customer.name').findMany.orderBy[0]).toEqual({
    customer: { name: { sort: 'asc', nulls: 'first' } },
  })
  expect(pageOf('sort=-owner.city').findMany.orderBy[0]).toEqual({ owner: { city: 'desc' } })
  expect(pageOf('sort=customer.city', 'sqlite').findMany.orderBy[0]).toEqual({ customer: { city: 'asc' } })
})
test('an offset is skipped', () => {
  expect(pageOf('offset=7').findMany).toMatchObject({ skip: 7, take: 21 })
  expect(pageOf('').findMany).not.toHaveProperty('skip')
})
test('a position is a filter, and not in the count; towards the previous page, the order is turned round', () => {
  const first = parseQueryOrThrow(collection, 'total[gt]=0&sort=total&limit=1')
  const { next } = toPage(first, [
    { id: 1, total: 2 },
    { id: 2, total: 3 },
  ])
  const { findMany, count } = pageOf(`total[gt]=0&sort=total&limit=1&cursor=${next}`)
  expect(findMany.where).toEqual({
    AND: [
      { total: { gt: 0 } },
      { total: { gte: 2 } },
      { OR: [{ total: { gt: 2 } }, { AND: [{ total: { equals: 2 } }, { id: { gt: 1 } }] }] },
    ],
  })
  expect(count.where).toEqual({ total: { gt: 0 } })
  const back: Query = { ...first, position: { toward: 'previous', values: [null, { type: 'integer', value: 1 }] } }
  expect(backendOf('postgresql').compileQuery(back).findMany).toMatchObject({
    where: { AND: [{ total: { gt: 0 } }, { total: null }, { id: { lt: 1 } }] },
    orderBy: [{ total: { sort: 'desc', nulls: 'last' } }, { id: 'desc' }],
  })
})
test('fields are selected with the sort keys, an object or a list whole where its path ends', () => {
  expect(pageOf('fields=name,items.price,customer&sort=owner.city').findMany.select).toEqual({
    id: true,
    fullName: true,
    items: { select: { price: true }, orderBy: [{ id: 'asc' }] },
    customer: { select: { name: true, city: true } },
    owner: { select: { city: true } },
  })
  expect(pageOf('fields=items.price,items.product,tags').findMany.select).toEqual({
    id: true,
    items: { select: { price: true, product: true }, orderBy: [{ id: 'asc' }] },
    tags: { select: { text: true }, orderBy: [{ orderId: 'asc' }, { text: 'asc' }] },
  })
})
test('hidden fields are not selected, and of a row without any other its key', () => {
  const hiding = defineCollection(schema, {
    key: 'id',
    sort: ['customer.name'],
    fields: true,
    hidden: ['name', 'customer.city', 'items'],
  })
  const { findMany } = backendOf('sqlite').compileQuery(parseQueryOrThrow(hiding, 'fields=id,customer,tags'))
  expect(findMany.select).toEqual({ id: true, customer: { select: { name: true } }, tags: whole.tags })
  const { fullName: _, items: __, ...left } = whole
  expect(backendOf('sqlite').compileQuery(parseQueryOrThrow(hiding, 'sort=customer.name')).findMany.select).toEqual({
    ...left,
    customer: { select: { name: true } },
  })
  const query: Query = {
    ...parseQueryOrThrow(collection, 'fields=items'),
    hidden: [
      ['items', 'price'],
      ['items', 'product'],
    ],
  }
  expect(backendOf('sqlite').compileQuery(query).findMany.select).toEqual({
    id: true,
    items: { select: { id: true }, orderBy: [{ id: 'asc' }] },
  })
})

describe('refused', () => {
  test('an order by an enum, everywhere', () => {
    for (const provider of ['postgresql', 'mysql', 'sqlite']) {
      expect(issuesOf(() => pageOf('sort=-status', provider))).toEqual([
        {
          code: 'backend_refused',
          fault: 'client',
          message: 'status is stored as an enum, whose order is that of its declaration',
          parameters: { problem: 'order', field: 'status' },
          span: { start: 5, end: 12 },
          path: 'status',
        },
      ])
    }
  })
  test('an order by what is required in a row that may be absent, where NULL would come last', () => {
    expect(issuesOf(() => pageOf('sort=customer.city'))).toEqual([
      {
        code: 'backend_refused',
        fault: 'client',
        message: 'customer.city is required in a row that may be absent, so Prisma takes no place for NULL',
        parameters: { problem: 'order', field: 'customer.city' },
        span: { start: 5, end: 18 },
        path: 'customer.city',
      },
    ])
  })
  test('sort keys and fields that the schema does not have', () => {
    const query = parseQueryOrThrow(collection, '')
    const { compileQuery } = backendOf('sqlite')
    const sort: Query['sort'] = [{ path: ['secret'], type: 'string', direction: 'ascending' }]
    expect(issuesOf(() => compileQuery({ ...query, sort }))).toMatchObject([
      { code: 'backend_unmapped', fault: 'server' },
    ])
    for (const path of [['secret'], ['items', 'secret'], ['name', 'x'], ['tags', 'text']]) {
      expect(issuesOf(() => compileQuery({ ...query, fields: [path] }))).toEqual([
        {
          code: 'backend_unmapped',
          fault: 'server',
          message: `the schema has no field ${path.join('.')}`,
          parameters: { problem: 'no_field', field: path.join('.') },
          path: path.join('.'),
        },
      ])
    }
  })
  test('a value other than a query is a TypeError', () => {
    expect(() => backendOf('sqlite').compileQuery({} as never)).toThrow(TypeError)
  })
})
