/** Filters on one path are brought together by what the path says, not by which list it is. */
import { expect, test, vi } from 'vitest'
import { comparison, not, or } from '../../../src/ast/index.ts'
import { memoryBackend } from '../../../src/backends/memory/index.ts'
import { at, byPath, readerAt } from '../../../src/backends/memory/rows.ts'

const above = (path: readonly string[]) => comparison(path, 'gt', { type: 'integer', value: 1 })

test('paths that say the same are one, whichever lists they are', () => {
  const groups = byPath([above(['a', 'b']), above(['a']), above(['a', 'b']), above(['a', 'c'])])
  expect(groups.map(({ path, filters }) => [path.join('.'), filters.length])).toEqual([
    ['a.b', 2],
    ['a', 1],
    ['a.c', 1],
  ])
})
test('groups are about the row itself', () => {
  const groups = byPath([or(), above([]), not(above(['a']))])
  expect(groups.map(({ path, filters }) => [path, filters.length])).toEqual([[[], 3]])
})
test('a property is read once for all filters on it', () => {
  const filters = [above(['a']), above(['a'])]
  expect(byPath(filters)).toHaveLength(1)
  const groupsOf = (count: number) => byPath(Array.from({ length: count }, () => above(['a']))).length
  expect([groupsOf(8), groupsOf(9)]).toEqual([1, 9])
})

/** What a function says, and how many objects it asks whether a property is their own. */
function asked<Answer>(work: () => Answer): readonly [answer: Answer, objects: number] {
  const spy = vi.spyOn(Object, 'hasOwn')
  try {
    return [work(), spy.mock.calls.length]
  } finally {
    spy.mockRestore()
  }
}
const compiled = (codegen: boolean) => memoryBackend({ codegen }).compile(above(['a', 'b']))
const isTwo = (value: unknown) => value === 2
test.each<[string, () => (row: unknown) => unknown]>([
  ['functions', () => compiled(false)],
  ['generated code', () => compiled(true)],
  ['at', () => at(['a', 'b'], isTwo)],
  ['readerAt', () => (row) => readerAt(['a', 'b'])(row) === 2],
])('%s: plain objects are not asked whether what they have is their own, others are', (_, make) => {
  class Inner {
    b = 2
  }
  const isSelected = make()
  expect(asked(() => isSelected({ a: { b: 2 } }))).toEqual([true, 0])
  expect(asked(() => isSelected({ a: {} }))).toEqual([false, 0])
  expect(asked(() => isSelected({ a: new Inner() }))).toEqual([true, 1])
  expect(asked(() => isSelected({ a: Object.create({ b: 2 }) as object }))).toEqual([false, 1])
})
test('a name that every object inherits is asked for', () => {
  const toText = at(['toString'], (value) => typeof value === 'function')
  expect(asked(() => toText({}))).toEqual([false, 1])
  expect(asked(() => readerAt(['toString'])({}))).toEqual([undefined, 1])
})

type Rows = typeof import('../../../src/backends/memory/rows.ts')
let loads = 0
const proto = Object.getOwnPropertyDescriptor(Object.prototype, '__proto__')!
const throwing = { get: () => expect.fail('it was read'), configurable: true }
const set = (descriptor: PropertyDescriptor | undefined) =>
  descriptor === undefined
    ? Reflect.deleteProperty(Object.prototype, '__proto__')
    : Reflect.defineProperty(Object.prototype, '__proto__', descriptor)
test.each<[is: string, descriptor: PropertyDescriptor | undefined, has: boolean]>([
  ['as usual', proto, true],
  ['gone', undefined, false],
  ['one that throws', throwing, false],
])(
  'where __proto__ is %s, own properties are read, and objects are asked where need be',
  async (_, descriptor, has) => {
    const rows = [{ a: { b: 2 } }, { a: { b: 3 } }, { a: Object.create({ b: 2 }) as object }, { a: null }, {}, null]
    set(descriptor)
    try {
      // A module of its own: what a process has is looked at once.
      const own = (await import(/* @vite-ignore */ `../../../src/backends/memory/rows.ts?${loads++}`)) as Rows
      const isSelected = own.at(['a', 'b'], isTwo)
      const read = own.readerAt(['a', 'b'])
      const seen = rows.map((row) => [asked(() => isSelected(row)), asked(() => read(row))])
      const [hasPrototypes, isPlain, groups] = [own.hasPrototypes, own.isPlain({}), own.byPath([or()])]
      const inherited = ['a', 'toString'].map(own.isInherited)
      set(proto)
      expect([hasPrototypes, isPlain, groups[0]!.path, inherited]).toEqual([has, has, [], [false, true]])
      expect(seen.map((both) => both.map(([answer]) => answer))).toEqual([
        ...[
          [true, 2],
          [false, 3],
          [false, undefined],
        ],
        ...[
          [false, undefined],
          [false, undefined],
          [false, undefined],
        ],
      ])
      // Objects in which a name was looked for: all, or those that are not plain.
      const counts = has ? [0, 0, 1, 0, 0, 0] : [2, 2, 2, 1, 1, 0]
      expect(seen.map((both) => both.map(([, objects]) => objects))).toEqual(counts.map((count) => [count, count]))
    } finally {
      set(proto)
    }
  },
)
