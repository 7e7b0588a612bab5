import { expect, test } from 'vitest'
import { and, not, or } from '../../src/index.ts'
import { children, kinds, match, presence, some } from '../../src/tree.ts'

const a = match(['a'], 'prefix', 'y')
const b = presence(['b'], 'integer')

test('children are the filters directly inside', () => {
  expect(children(and(a, b, or(a, b)))).toEqual([a, b, or(a, b)])
  expect(children(or(a, b))).toEqual([a, b])
  expect(children(not(a))).toEqual([a])
  expect(children(some(['x'], a))).toEqual([a])
  expect(children(a)).toEqual([])
})

test('there are eight kinds', () => {
  expect(kinds).toEqual(['and', 'or', 'not', 'comparison', 'membership', 'match', 'presence', 'some'])
})
