import { describe, expect, test } from 'vitest'
import { and, not, or, parseFilterOrThrow, type Filter } from '../../src/index.ts'
import { children, comparison, fold, kinds, map, sameFilter, some } from '../../src/tree.ts'
import { orders } from '../orders.ts'
import { a, b, everyKind } from './every-kind.ts'

describe('fold, map', () => {
  test('fold gives members first, and the node', () => {
    const text = fold<string>(everyKind, {
      and: (members) => `(${members.join(' & ')})`,
      or: (members) => `(${members.join(' | ')})`,
      not: (member) => `!${member}`,
      some: (member, { path }) => `some ${path.join('.')} ${member}`,
      comparison: ({ path, operator }) => `${path.join('.')} ${operator}`,
      membership: ({ path }) => `${path.join('.')} in`,
      match: ({ path, mode }) => `${path.join('.')} ${mode}`,
      presence: ({ path }) => `${path.join('.')} ?`,
      count: ({ path, operator, operand }) => `${path.join('.')} ${operator} ${operand}`,
    })
    expect(text).toBe('((a eq | b ?) & !c prefix & d in & some e a eq & f gte 2)')
  })

  test('an algebra of an earlier version, without count, folds filters without count, and names the missing function', () => {
    const one = () => 1
    const sum = (members: readonly number[]) => members.reduce((a, b) => a + b, 0)
    const earlier = {
      ...{ and: sum, or: sum, not: (inner: number) => inner, some: (inner: number) => inner },
      ...{ comparison: one, membership: one, match: one, presence: one },
    }
    expect(fold(and(a, b), earlier)).toBe(2)
    expect(() => fold(everyKind, earlier)).toThrow(
      new TypeError('algebra.count must be a function: the filter counts the entries of a list'),
    )
    class Counting {
      and = sum
      or = sum
      not = (inner: number) => inner
      some = (inner: number) => inner
      comparison = one
      membership = one
      match = one
      presence = one
      two = 2
      count() {
        return this.two
      }
    }
    expect(fold(everyKind, new Counting())).toBe(7)
  })

  test('map: identity is an equal tree, spans of every kind included', () => {
    const read = parseFilterOrThrow(
      orders,
      'seller=x&items.price[range]=1,2&status[nin]=paid&gift[exists]=true&seller[contains]=y&paidAt[in]=2024-01-01,2024-01-02&items[atLeast]=2',
    )
    const located = new Set<string>()
    const same = map(read, (node) => {
      if (node.span !== undefined) located.add(node.kind)
      return node
    })
    expect(same).toStrictEqual(read)
    expect([...located].sort()).toEqual([...kinds].sort())
    expect(map(everyKind, (node) => node)).toStrictEqual(everyKind)
  })

  test('map changes from the leaves up, and freezes', () => {
    const renamed = map(everyKind, (node) =>
      node.kind === 'comparison' ? { ...node, path: ['z', ...node.path] } : node,
    )
    expect(JSON.stringify(renamed)).toBe(JSON.stringify(everyKind).replaceAll('["a"]', '["z","a"]'))
    expect(Object.isFrozen(children(children(renamed)[0]!)[0])).toBe(true)
  })

  test('map makes a filter revived from JSON frozen', () => {
    const revived = map(JSON.parse(JSON.stringify(everyKind)) as Filter, (node) => node)
    expect(Object.isFrozen(revived) && Object.isFrozen(children(revived)[0])).toBe(true)
  })
})

describe('sameFilter', () => {
  test('spans and the order of keys do not count', () => {
    const read = parseFilterOrThrow(orders, 'seller=x')
    expect(sameFilter(read, comparison(['seller'], 'eq', { type: 'string', value: 'x' }))).toBe(true)
    const turned = { operand: { value: 'x', type: 'string' }, path: ['a'], operator: 'eq', kind: 'comparison' } as const
    expect(sameFilter(turned, a)).toBe(true)
  })
  test('all else does', () => {
    expect(sameFilter(a, b)).toBe(false)
    expect(sameFilter(and(a, b), and(b, a))).toBe(false)
    expect(sameFilter(and(), or())).toBe(false)
    expect(sameFilter(a, comparison(['a'], 'eq', { type: 'string', value: 'X' }))).toBe(false)
    // Lists of which one begins as the other does.
    expect(sameFilter(and(a, b), and(a, b, a))).toBe(false)
    expect(sameFilter(and(a, b, a), and(a, b))).toBe(false)
  })
})

test('children are the filters directly inside', () => {
  expect(children(and(a, b, or(a, b)))).toEqual([a, b, or(a, b)])
  expect(children(or(a, b))).toEqual([a, b])
  expect(children(not(a))).toEqual([a])
  expect(children(some(['x'], a))).toEqual([a])
  expect(children(a)).toEqual([])
})

test('there are nine kinds', () => {
  expect(kinds).toEqual(['and', 'or', 'not', 'comparison', 'membership', 'match', 'presence', 'some', 'count'])
})
