/** Compares the expressions of filters with counts with expressions by hand, and the rows that mingo selects with rows by hand. */
import { Query } from 'mingo'
import { describe, expect, test, vi } from 'vitest'
import { mongoBackend } from '../../../src/backends/mongo/index.ts'
import { and, defineSchema, field, not, or, parseFilterOrThrow } from '../../../src/index.ts'
import { comparison, count, membership, presence, some } from '../../../src/tree.ts'

const schema = defineSchema({
  id: field.integer(),
  customer: field.object({ tags: field.list(field.string()) }),
  tags: field.list(field.string()),
  numbers: field.list(field.number()),
  items: field.list(
    field.object({
      name: field.string(),
      price: field.number(),
      serial: field.bigint(),
      gift: field.boolean(),
      at: field.datetime(),
      box: field.object({ size: field.integer() }),
      marks: field.list(field.string()),
    }),
  ),
})
const backend = mongoBackend({ schema })
const read = (text: string) => parseFilterOrThrow(schema, text, { groups: true })
const documentOf = (text: string) => backend.compile(read(text))

const entriesOf = (list: string) => ({ $cond: [{ $isArray: list }, list, []] })
const numberOf = (list: string, as: string, type: object) => ({
  $size: { $filter: { input: entriesOf(list), as, cond: type } },
})
const isText = (value: string) => ({ $eq: [{ $type: value }, 'string'] })
const anyItem = (inside: object) => ({
  $anyElementTrue: [{ $map: { input: entriesOf('$items'), as: 'e1', in: inside } }],
})
const numbers = ['int', 'long', 'double', 'decimal']
const marks = (operator: '$gte' | '$lte', operand: number) => ({
  [operator]: [numberOf('$$e1.marks', 'e2', isText('$$e2')), operand],
})

describe('a count', () => {
  const tags = numberOf('$tags', 'e1', isText('$$e1'))
  test.each<[text: string, expression: object]>([
    ['tags[atLeast]=2', { $gte: [tags, 2] }],
    ['tags[atMost]=2', { $lte: [tags, 2] }],
    ['not=(tags[atLeast]=2)', { $not: [{ $gte: [tags, 2] }] }],
    ['customer.tags[atLeast]=1', { $gte: [numberOf('$customer.tags', 'e1', isText('$$e1')), 1] }],
    ['numbers[atLeast]=1', { $gte: [numberOf('$numbers', 'e1', { $in: [{ $type: '$$e1' }, numbers] }), 1] }],
    ['items[atMost]=0', { $lte: [numberOf('$items', 'e1', { $eq: [{ $type: '$$e1' }, 'object'] }), 0] }],
    ['items.marks[atLeast]=2', anyItem(marks('$gte', 2))],
    ['not=(items.marks[atMost]=0)', { $not: [anyItem(marks('$lte', 0))] }],
    ['items.none(marks[atLeast]=1)', { $not: [anyItem(marks('$gte', 1))] }],
  ])('%s is an expression', (text, expression) => {
    expect(documentOf(text.includes('.none(') ? `and=(${text})` : text)).toEqual({ $expr: expression })
  })
  test('is an expression beside conditions without a count', () => {
    expect(documentOf('tags=a&items.price=5')).not.toHaveProperty('$expr')
    expect(documentOf('or=(id=1,not(tags[atLeast]=2))')).toEqual({
      $or: [{ id: 1 }, { $expr: { $not: [{ $gte: [tags, 2] }] } }],
    })
  })
})

describe('beside a count in an entry, a condition becomes an expression', () => {
  const least = marks('$gte', 1)
  const inside = (condition: string) => documentOf(`and=(items(marks[atLeast]=1,${condition}))`)
  const beside = (...expressions: object[]) => ({ $expr: anyItem({ $and: [least, ...expressions] }) })
  const literal = (value: unknown) => ({ $literal: value })
  const ordered = (operator: string, value: string, operand: unknown) => ({
    $and: [
      {
        $or: [
          { $eq: [{ $type: value }, { $type: literal(operand) }] },
          { $and: [{ $in: [{ $type: value }, numbers] }, { $in: [{ $type: literal(operand) }, numbers] }] },
        ],
      },
      { [operator]: [value, literal(operand)] },
    ],
  })
  const matched = (value: string, match: object) => ({
    $cond: [isText(value), { $regexMatch: { input: value, ...match } }, false],
  })
  test.each<[condition: string, expression: object]>([
    ['price=5', { $eq: ['$$e1.price', literal(5)] }],
    ['name[in]=(a,b)', { $in: ['$$e1.name', literal(['a', 'b'])] }],
    ['price[gte]=5', ordered('$gte', '$$e1.price', 5)],
    ['price[gt]=5', ordered('$gt', '$$e1.price', 5)],
    ['name[lt]=b', ordered('$lt', '$$e1.name', 'b')],
    ['price[exists]=true', { $in: [{ $type: '$$e1.price' }, numbers] }],
    ['name[exists]=true', isText('$$e1.name')],
    ['box[exists]=true', { $eq: [{ $type: '$$e1.box' }, 'object'] }],
    ['box.size=1', { $eq: ['$$e1.box.size', literal(1)] }],
    ['name[startsWith]=ab', matched('$$e1.name', { regex: '^ab', options: 'i' })],
    ['name[startsWithExact]=ab', matched('$$e1.name', { regex: '^ab' })],
    ['name[equalsIgnoreCase]=1', { $eq: ['$$e1.name', literal('1')] }],
    ['not(price=5)', { $not: [{ $eq: ['$$e1.price', literal(5)] }] }],
    ['or(price=5,gift=true)', { $or: [{ $eq: ['$$e1.price', literal(5)] }, { $eq: ['$$e1.gift', literal(true)] }] }],
    [
      'marks([equals]=x)',
      {
        $anyElementTrue: [{ $map: { input: entriesOf('$$e1.marks'), as: 'e2', in: { $eq: ['$$e2', literal('x')] } } }],
      },
    ],
  ])('%s', (condition, expression) => expect(inside(condition)).toEqual(beside(expression)))
  test('a value of any stored type is present unless it is null or missing', () => {
    const open = mongoBackend({ schema, fields: { 'items.name': { encode: (text: string) => text } } })
    const filter = some(['items'], and(count(['marks'], 'string', 'gte', 1), presence(['name'], 'string')))
    const present = { $not: [{ $in: [{ $type: '$$e1.name' }, ['null', 'missing', 'undefined']] }] }
    expect(open.compile(filter)).toEqual(beside(present))
    const query = new Query(open.compile(filter))
    const rows = [{ name: 'a' }, { name: 5 }, { name: null }, {}].map((item) => ({
      items: [{ ...item, marks: ['x'] }],
    }))
    expect(rows.map((row) => query.test(row))).toEqual([true, true, false, false])
  })
  test('a condition that no value satisfies is false', () => {
    const filter = some(['items'], and(count(['marks'], 'string', 'gte', 1), membership(['name'], [])))
    for (const row of [{ items: [{ name: 'a', marks: ['x'] }] }, { items: [{ marks: ['x'] }] }])
      expect(new Query(backend.compile(filter)).test(row)).toBe(false)
  })
})

describe('selects', () => {
  const rows = [
    { id: 1, tags: ['a', 'b'], customer: { tags: ['x'] }, items: [{ name: 'a', price: 5, marks: ['x', 'y'] }] },
    {
      id: 2,
      tags: ['a', null, 5],
      customer: null,
      items: [
        { name: 'Ab', price: '5', marks: [] },
        { name: 'b', marks: 'x' },
      ],
    },
    { id: 3, tags: 'a', items: { name: 'a', marks: ['x'] } },
    { id: 4, tags: [], items: [null, 5, { name: 'ab', price: 7, marks: ['x'], box: { size: 1 } }] },
    { id: 5 },
  ]
  const selections: [text: string, ids: readonly number[]][] = [
    ['tags[atLeast]=0', [1, 2, 3, 4, 5]],
    ['tags[atLeast]=1', [1, 2]],
    ['tags[atLeast]=2', [1]],
    ['tags[atMost]=0', [3, 4, 5]],
    ['tags[atMost]=1', [2, 3, 4, 5]],
    ['not=(tags[atMost]=1)', [1]],
    ['customer.tags[atLeast]=1', [1]],
    ['items[atLeast]=1', [1, 2, 4]],
    ['items[atLeast]=2', [2]],
    ['items.marks[atLeast]=1', [1, 4]],
    ['items.marks[atMost]=0', [2, 4]],
    ['and=(items(marks[atLeast]=1,price[gte]=5))', [1, 4]],
    ['and=(items(marks[atLeast]=1,price[gt]=5))', [4]],
    ['and=(items(marks[atLeast]=2,price=5))', [1]],
    ['and=(items(marks[atMost]=0,name[startsWith]=a))', [2]],
    ['and=(items(marks[atMost]=0,name[startsWithExact]=a))', []],
    ['and=(items(marks[atMost]=0,price[exists]=true))', []],
    ['and=(items(marks[atLeast]=1,box.size[exists]=true))', [4]],
    ['and=(items(marks[atLeast]=1,or(price=7,name[in]=(a,b))))', [1, 4]],
    ['and=(items(marks[atMost]=0,not(name=b)))', [2, 4]],
    ['and=(items.none(marks[atLeast]=1))', [2, 3, 5]],
    ['and=(items.every(marks[atLeast]=1))', [1, 3, 5]],
  ]
  const idsOf = (document: object) => rows.filter((row) => new Query(document).test(row)).map(({ id }) => id)
  test.each(selections)('%s: %j', (text, ids) => expect(idsOf(documentOf(text))).toEqual(ids))
  test('the same rows with a second copy of the library, such as the CommonJS format', async () => {
    vi.resetModules()
    const copy = (await import('../../../src/backends/mongo/index.ts')).mongoBackend()
    for (const [text, ids] of selections) expect(idsOf(copy.compile(read(text))), text).toEqual(ids)
  })
  test('the complement of filters with counts', () => {
    const price = comparison(['price'], 'gte', { type: 'number', value: 5 })
    const filter = some(['items'], or(not(price), count(['marks'], 'string', 'lte', 0)))
    expect(idsOf(backend.compile(filter))).toEqual([2, 4])
    expect(idsOf(backend.compile(not(filter)))).toEqual([1, 3, 5])
  })
})
