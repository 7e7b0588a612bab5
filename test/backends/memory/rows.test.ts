/** Filters on one path are brought together by what the path says, not by which list it is. */
import { expect, test } from 'vitest'
import { comparison, not, or } from '../../../src/ast/index.ts'
import { byPath } from '../../../src/backends/memory/rows.ts'

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
  const many = Array.from({ length: 9 }, () => above(['a']))
  expect(byPath(many)).toHaveLength(9)
})
