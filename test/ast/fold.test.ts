import { describe, expect, test } from 'vitest'
import { and, not, or, parseFilterOrThrow, type Filter } from '../../src/index.ts'
import { children, comparison, fold, map, match, membership, presence, sameFilter, some } from '../../src/tree.ts'
import { orders } from '../orders.ts'

const a = comparison(['a'], 'eq', { type: 'string', value: 'x' })
const b = presence(['b'], 'integer')
const everyKind = and(
  or(a, b),
  not(match(['c'], 'prefix', 'y')),
  membership(['d'], [{ type: 'date', value: '2024-01-01' }]),
  some(['e'], a),
)

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
    })
    expect(text).toBe('((a eq | b ?) & !c prefix & d in & some e a eq)')
  })

  test('map: identity is an equal tree, spans included', () => {
    const read = parseFilterOrThrow(
      orders,
      'seller=x&items.price[range]=1,2&status[nin]=paid&gift[exists]=true&seller[contains]=y',
    )
    expect(map(read, (node) => node)).toEqual(read)
    expect(map(everyKind, (node) => node)).toEqual(everyKind)
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

describe('nodes made anew', () => {
  const leaf = { kind: 'presence', path: ['a'], type: 'string' } as const
  const nodes: readonly Filter[] = [
    { kind: 'and', filters: [leaf, leaf] },
    { kind: 'or', filters: [leaf, leaf] },
    { kind: 'not', filter: leaf },
    { kind: 'some', path: ['a'], filter: leaf },
    { kind: 'comparison', path: ['a'], operator: 'eq', operand: { type: 'string', value: 'x' } },
    { kind: 'membership', path: ['a'], operands: [{ type: 'string', value: 'x' }] },
    { kind: 'match', path: ['a'], mode: 'prefix', text: 'x' },
    leaf,
  ]
  const isFrozen = (value: unknown): boolean =>
    typeof value !== 'object' || (Object.isFrozen(value) && Object.values(value!).every(isFrozen))

  test.each(nodes.map((node) => [node.kind, node] as const))(
    '%s has a span where it had one, and is frozen',
    (_, node) => {
      for (const own of [node, { ...node, span: { start: 1, end: 2 } }]) {
        const anew = map(own, (inner) => inner)
        expect(anew).toStrictEqual(own)
        const { span, ...rest } = anew
        expect(Object.isFrozen(anew) && Object.values(rest).every(isFrozen)).toBe(true)
        expect(span).toStrictEqual(own.span)
      }
    },
  )
})
