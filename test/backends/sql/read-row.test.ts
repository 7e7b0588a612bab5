/** Rows of drivers, read by functions and by generated code: both read the same, and refuse the same. */
import { expect, test } from 'vitest'
import { generateRowReader } from '../../../src/backends/sql/generated-row.ts'
import {
  objectOf,
  partOf,
  rowReader,
  type Beside,
  type ListShape,
  type ObjectShape,
  type ValueShape,
} from '../../../src/backends/sql/read-row.ts'
import { field } from '../../../src/index.ts'

const value = (at: number, name: string): ValueShape => ({
  ...{ kind: 'value', at, name, column: `column_${name}` },
  read: (raw) => (typeof raw === 'number' ? raw * 10 : undefined),
})
const list = (at: number, more: Partial<ListShape> = {}): ListShape => ({
  ...{ kind: 'list', at, name: 'list', isText: true, isNullable: false, cells: 1, most: Infinity, sortedBy: 0 },
  entry: value(0, 'list'),
  ...more,
})
const readersOf = (shape: ObjectShape, beside: Beside = []) => {
  const closed = rowReader(shape, beside)
  return [closed, generateRowReader(shape, beside, closed)!]
}
/** The answer of both readers, with the columns that they could not read. */
function read(shape: ObjectShape, row: object, beside: Beside = []): unknown {
  const [closed, generated] = readersOf(shape, beside).map((reader) => {
    const unreadable = new Set<ValueShape>()
    return [reader(row, unreadable), Array.from(unreadable, ({ column }) => column)]
  })
  expect(generated).toEqual(closed)
  expect(JSON.stringify(generated)).toBe(JSON.stringify(closed))
  return generated
}
const flat = objectOf(
  [
    ['id', value(0, 'id')],
    ['it"s \\ \u2028', value(1, 'it')],
  ],
  'always',
)

test('values are converted, NULL is null, and an unreadable value is null and named', () => {
  expect(read(flat, { c1: 1, c2: null })).toEqual([{ id: 10, 'it"s \\ \u2028': null }, []])
  expect(read(flat, { c1: 'x', c2: 2 })).toEqual([{ id: null, 'it"s \\ \u2028': 20 }, ['column_id']])
})

test('rows of each kind of object are read, and cells that they inherit are none', () => {
  class Row {
    c1 = 1
    c2 = 2
  }
  const ofNothing = Object.assign(Object.create(null) as object, { c1: 1, c2: 2 })
  for (const row of [new Row(), ofNothing]) expect(read(flat, row)).toEqual([{ id: 10, 'it"s \\ \u2028': 20 }, []])
  for (const reader of readersOf(flat)) {
    expect(() => reader({ c1: 1 })).toThrow(new TypeError(missing('c2', 'it')))
    expect(() => reader(Object.assign(Object.create({ c2: 2 }) as object, { c1: 1 }))).toThrow(missing('c2', 'it'))
  }
})
const missing = (cell: string, name: string) =>
  `a row has no ${cell}, which holds ${name}: give each row as the driver returns it for the text of the statement`

test('a cell that Object.prototype has is none of a row, and no setter of a name is called', () => {
  const prototype = Object.prototype as Record<string, unknown>
  const readers = readersOf(flat)
  prototype['c2'] = 2
  const fail = (): void => {
    throw new Error('it was set')
  }
  Object.defineProperty(prototype, 'id', { set: fail, configurable: true })
  try {
    for (const reader of readers) {
      expect(() => reader({ c1: 1 })).toThrow(missing('c2', 'it'))
      expect(JSON.stringify(reader({ c1: 1, c2: 3 }))).toBe(
        JSON.stringify([10, 30])
          .replace('[10', '{"id":10')
          .replace(',30]', `,${JSON.stringify('it"s \\ \u2028')}:30}`),
      )
    }
  } finally {
    delete prototype['c2']
    delete prototype['id']
  }
})

test('columns beside the fields keep the value of the driver, and __proto__ is a name like others', () => {
  const beside: Beside = [
    ['tenant', 2],
    ['__proto__', 1],
  ]
  const [row] = read(flat, { c1: 1, c2: 2, c3: 'x' }, beside) as [object]
  expect(Object.entries(row)).toEqual([
    ['id', 10],
    ['it"s \\ \u2028', 20],
    ['tenant', 'x'],
    ['__proto__', 2],
  ])
  for (const reader of readersOf(flat, beside)) expect(() => reader({ c1: 1, c2: 2 })).toThrow(missing('c3', 'tenant'))
})

test('an object exists always, by a cell, or by the members that have a value', () => {
  const [a, b] = [value(0, 'a'), value(1, 'b')]
  const inner = objectOf([['a', a]], 'always')
  const shape = (exists: ObjectShape['exists']) => objectOf([['o', objectOf([['a', a]], exists)]], 'always')
  expect(read(shape('always'), { c1: null })).toEqual([{ o: { a: null } }, []])
  expect(read(shape(2), { c1: 1, c3: null })).toEqual([{ o: null }, []])
  expect(read(shape(2), { c1: null, c3: 1 })).toEqual([{ o: { a: null } }, []])
  // The member b is not shown, and tells whether the object exists.
  for (const [test, exists] of [
    [[['b', b]], true],
    [[['o', objectOf([['b', b]], 'always')]], true],
    [[['o', objectOf([['b', b]], 1)]], true],
    [[['o', objectOf([['a', a]], [['b', b]])]], true],
    [[['a', a]], false],
    [[['o', inner]], false],
    [[], false],
  ] as const)
    expect(read(shape(test), { c1: null, c2: 1 })).toEqual([{ o: exists ? { a: null } : null }, []])
  expect(read(shape([['l', list(1)]]), { c1: null, c2: '[]' })).toEqual([{ o: null }, []])
  expect(read(shape([['l', list(1)]]), { c1: null, c2: '[[1]]' })).toEqual([{ o: { a: null } }, []])
})

test('lists and JSON are read from a text, or as the driver parsed them', () => {
  const pair = objectOf(
    [
      ['x', value(0, 'x')],
      ['y', value(1, 'y')],
    ],
    'always',
  )
  const shape = objectOf(
    [
      ['numbers', list(0)],
      ['pairs', list(1, { entry: pair, cells: 2, isNullable: true })],
      [
        'json',
        {
          ...{ kind: 'json', at: 2, name: 'json', isText: true, chosen: 'all' },
          field: field.object({ n: field.number(), s: field.string() }),
          form: (json) => json,
        },
      ],
    ],
    'always',
  )
  expect(read(shape, { c1: '[[1],[null],["x"]]', c2: '[[1,2]]', c3: '{"n":1}' })).toEqual([
    { numbers: [10, null, null], pairs: [{ x: 10, y: 20 }], json: { n: 1 } },
    ['column_list'],
  ])
  expect(read(shape, { c1: [[1]], c2: null, c3: null })).toEqual([{ numbers: [10], pairs: null, json: null }, []])
  // MariaDB writes an object in place of a list.
  expect(read(shape, { c1: '{"7":[1],"8":[2]}', c2: '[]', c3: '1' })).toEqual([
    { numbers: [10, 20], pairs: [], json: 1 },
    [],
  ])
  for (const reader of readersOf(shape))
    expect(() => reader({ c1: '[', c2: null, c3: null })).toThrow(
      new TypeError('a row has a text in c1, which holds list, that is not JSON'),
    )
  const part = partOf(shape, { json: { n: 'all' }, pairs: { y: 'all' } })
  expect(read(part, { c2: '[[1,2]]', c3: '{"n":1,"s":"x"}' })).toEqual([{ json: { n: 1 }, pairs: [{ y: 20 }] }, []])
})

test('entries are sorted by their first cells, and cells beyond the maximum of an engine are nested', () => {
  const sorted = list(0, { entry: value(1, 'n'), cells: 2, sortedBy: 1 })
  expect(read(objectOf([['l', sorted]], 'always'), { c1: '[["10",1],["9",2],[null,3]]' })).toEqual([
    { l: [30, 20, 10] },
    [],
  ])
  const nested = list(0, { entry: value(2, 'n'), cells: 3, most: 2 })
  expect(read(objectOf([['l', nested]], 'always'), { c1: '[[[1,2],[3]]]' })).toEqual([{ l: [30] }, []])
})
