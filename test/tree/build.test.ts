import { describe, expect, test } from 'vitest'
import { and, not, or, parseFilterOrThrow, type Filter } from '../../src/index.ts'
import { comparison, count, match, membership, presence, sameFilter, some } from '../../src/tree.ts'
import { unchecked } from '../../src/tree/build.ts'
import { checkFilter } from '../../src/tree/check.ts'
import { orders } from '../orders.ts'
import { a, b, everyKind } from './every-kind.ts'

describe('builders', () => {
  test('and, or: flat; a group of one is its member, an empty one is a constant', () => {
    expect(and()).toEqual({ kind: 'and', filters: [] })
    expect(or()).toEqual({ kind: 'or', filters: [] })
    expect(and(a)).toBe(a)
    expect(or(b)).toBe(b)
    expect(and(and(a, b), b)).toEqual({ kind: 'and', filters: [a, b, b] })
    expect(or(or(a, b), b)).toEqual({ kind: 'or', filters: [a, b, b] })
    expect(and(and(), a)).toBe(a)
    expect(or(or(), a)).toBe(a)
    expect(and(and())).toEqual(and())
    expect(and(or(), a)).toEqual({ kind: 'and', filters: [or(), a] })
    expect(or(and(), a)).toEqual({ kind: 'or', filters: [and(), a] })
  })

  test('every part is frozen, and the arguments are not', () => {
    const path = ['a']
    const operands = [{ type: 'integer' as const, value: 1 }]
    const node = membership(path, operands)
    path.push('b')
    operands.push({ type: 'integer', value: 2 })
    expect(node).toEqual({ kind: 'membership', path: ['a'], operands: [{ type: 'integer', value: 1 }] })
    const frozen = (value: unknown): boolean =>
      typeof value !== 'object' || value === null || (Object.isFrozen(value) && Object.values(value).every(frozen))
    expect(frozen(node)).toBe(true)
    expect(frozen(everyKind)).toBe(true)
    expect(
      frozen(parseFilterOrThrow(orders, 'seller=x&items.price[range]=1,2&status[nin]=paid&paidAt[in]=2024-01-01')),
    ).toBe(true)
  })

  const read = (query: string) => {
    const { span: _, ...rest } = parseFilterOrThrow(orders, query)
    return rest
  }
  test('a node has a span where it was read, and no property for one where it was built', () => {
    const operand = { type: 'string', value: 'x' } as const
    const nodes: readonly [Filter, string, object][] = [
      [
        comparison(['seller'], 'eq', operand),
        'seller=x',
        { kind: 'comparison', path: ['seller'], operator: 'eq', operand },
      ],
      [
        membership(['seller'], [operand]),
        'seller[in]=x',
        { kind: 'membership', path: ['seller'], operands: [operand] },
      ],
      [
        match(['seller'], 'prefix', 'x'),
        'seller[startsWith]=x',
        { kind: 'match', path: ['seller'], mode: 'prefix', text: 'x' },
      ],
      [presence(['seller'], 'string'), 'seller[exists]=true', { kind: 'presence', path: ['seller'], type: 'string' }],
    ]
    for (const [built, query, plain] of nodes) {
      expect(built).toStrictEqual(plain)
      expect(read(query)).toStrictEqual(plain)
      const span = { start: 0, end: query.length }
      expect(parseFilterOrThrow(orders, query)).toStrictEqual({ ...plain, span })
      const entry = { kind: 'some', path: ['tags'], filter: { ...plain, path: ['b'] } }
      expect(some(['tags'], { ...built, path: ['b'] } as Filter)).toStrictEqual(entry)
      expect(not(built)).toStrictEqual({ kind: 'not', filter: plain })
      expect(or(built, built)).toStrictEqual({ kind: 'or', filters: [plain, plain] })
      expect(and(built, built)).toStrictEqual({ kind: 'and', filters: [plain, plain] })
    }
  })

  test('filters are JSON', () => {
    const revived = JSON.parse(JSON.stringify(everyKind)) as Filter
    expect(revived).toEqual(everyKind)
    expect(sameFilter(revived, everyKind)).toBe(true)
  })

  test('leaf builders check their parts too', () => {
    const call =
      (builder: (...args: never[]) => unknown, ...args: unknown[]) =>
      () =>
        builder(...(args as never[]))
    expect(call(comparison, ['a'], 'ne', { type: 'string', value: 'x' })).toThrow(/^comparison\.operator/)
    expect(call(comparison, undefined, 'eq', { type: 'string', value: 'x' })).toThrow(
      /^comparison\.path must be a list/,
    )
    expect(call(comparison, ['a'], 'eq', { type: 'date', value: 'x' })).toThrow(/^comparison\.operand\.value/)
    expect(call(membership, ['a'], undefined)).toThrow(/^membership\.operands/)
    expect(call(match, ['a'], 'prefix', undefined)).toThrow(/^match\.text/)
    expect(call(presence, ['a'], 'text')).toThrow(/^presence\.type/)
    expect(call(count, ['a'], 'list', 'gte', 1)).toThrow(/^count\.type/)
    expect(call(count, ['a'], 'string', 'eq', 1)).toThrow(/^count\.operator must be gte or lte/)
    expect(call(count, ['a'], 'string', 'gte', -1)).toThrow(/^count\.operand/)
    expect(call(count, [], 'string', 'gte', 1)).toThrow(/^count\.path/)
    expect(count(['a'], 'string', 'gte', 1)).toStrictEqual({
      ...{ kind: 'count', path: ['a'], type: 'string', operator: 'gte', operand: 1 },
    })
    expect(call(some, [], a)).toThrow(/^some\.path/)
  })
})

describe('nodes of parts that are sound', () => {
  const path = Object.freeze(['a'])
  const operand = Object.freeze({ type: 'string', value: 'x' } as const)
  const span = Object.freeze({ start: 1, end: 2 })
  test.each<[object, (span?: typeof a.span) => Filter]>([
    [{ kind: 'and', filters: [a, b] }, (span) => unchecked.and([a, b], span)],
    [{ kind: 'or', filters: [a, b] }, (span) => unchecked.or([a, b], span)],
    [{ kind: 'not', filter: a }, (span) => unchecked.not(a, span)],
    [{ kind: 'some', path, filter: a }, (span) => unchecked.some(path, a, span)],
    [{ kind: 'comparison', path, operator: 'gt', operand }, (span) => unchecked.comparison(path, 'gt', operand, span)],
    [{ kind: 'membership', path, operands: [operand] }, (span) => unchecked.membership(path, [operand], span)],
    [{ kind: 'match', path, mode: 'prefix', text: 'x' }, (span) => unchecked.match(path, 'prefix', 'x', span)],
    [{ kind: 'presence', path, type: 'date' }, (span) => unchecked.presence(path, 'date', span)],
    [
      { kind: 'count', path, type: 'date', operator: 'lte', operand: 2 },
      (span) => unchecked.count(path, 'date', 'lte', 2, span),
    ],
  ])('%j', (parts, make) => {
    expect(make()).toStrictEqual(parts)
    expect(make(span)).toStrictEqual({ ...parts, span })
    for (const node of [make(), make(span)])
      expect([node, ...Object.values(node)].every((part) => Object.isFrozen(part))).toBe(true)
  })

  test('a span may be of no length', () => {
    const given = { ...b, span: { start: 3, end: 3 } }
    expect(checkFilter(given)).toStrictEqual(given)
  })

  test('a frozen node with a part that is undefined is copied without it', () => {
    const given = Object.freeze({ ...b, path, more: undefined })
    expect(checkFilter(given)).toStrictEqual({ kind: 'presence', path: ['a'], type: 'integer' })
  })
})
