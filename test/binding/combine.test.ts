/** How bound pairs make one filter. What queries mean is in parse-filter.test.ts. */
import { describe, expect, test } from 'vitest'
import { operatorNamed, type Operand, type ResolvedField } from '../../src/language/index.ts'
import { combine } from '../../src/query/combine.ts'
import { newCondition, type BoundCondition } from '../../src/query/conditions.ts'

const integer = (value: number): Operand => ({ type: 'integer', value })
/** A field with new arrays for every path. */
const fieldAt = (lists: readonly string[][], path: readonly string[]): ResolvedField => ({
  name: [...lists.flat(), ...path].join('.'),
  lists: lists.map((list) => [...list]),
  path: [...path],
  type: 'integer',
  literal: 'integer',
})
const pair = (field: ResolvedField, operator: string, value: number, start?: number): BoundCondition =>
  newCondition(
    field,
    operatorNamed.get(operator)!,
    [integer(value)],
    start === undefined ? undefined : { start, end: start + 1 },
  )
const eq = (name: string, value: number) => ({
  kind: 'comparison',
  path: [name],
  operator: 'eq',
  operand: integer(value),
})
const some = (list: string, filter: unknown) => ({ kind: 'some', path: [list], filter })
const and = (...filters: unknown[]) => ({ kind: 'and', filters })
const not = (filter: unknown) => ({ kind: 'not', filter })

test('no pair is true, one is itself, several are one flat and', () => {
  const a = fieldAt([], ['a'])
  expect(combine([])).toEqual(and())
  expect(combine([pair(a, 'equals', 1)])).toEqual(eq('a', 1))
  expect(combine([pair(a, 'equals', 1), pair(a, 'notEqual', 2)])).toEqual(and(eq('a', 1), not(eq('a', 2))))
})

describe('lists', () => {
  const x = () => fieldAt([['list']], ['x'])
  const y = () => fieldAt([['list']], ['y'])
  test('are the same by the names of their paths, not by their arrays', () => {
    expect(combine([pair(x(), 'equals', 1), pair(y(), 'equals', 2)])).toEqual(some('list', and(eq('x', 1), eq('y', 2))))
  })
  test('of different paths are apart, also where one begins as the other', () => {
    const paths = [['a'], ['a', 'b'], ['b', 'a'], ['a', 'c']]
    const filter = combine(paths.map((path) => pair(fieldAt([path], ['x']), 'equals', 1)))
    expect(filter).toEqual(and(...paths.map((path) => ({ kind: 'some', path, filter: eq('x', 1) }))))
  })
  test('inside lists are grouped in the entry around them', () => {
    const inner = (name: string) => fieldAt([['list'], ['inner']], [name])
    const outer = (name: string) => fieldAt([['inner']], [name])
    expect(
      combine([
        pair(inner('x'), 'equals', 1),
        pair(outer('x'), 'equals', 2),
        pair(y(), 'equals', 3),
        pair(inner('y'), 'equals', 4),
      ]),
    ).toEqual(and(some('list', and(some('inner', and(eq('x', 1), eq('y', 4))), eq('y', 3))), some('inner', eq('x', 2))))
  })
  test('of complements are never shared', () => {
    expect(combine([pair(x(), 'notEqual', 1), pair(x(), 'equals', 2), pair(y(), 'notEqual', 3)])).toEqual(
      and(not(some('list', eq('x', 1))), some('list', eq('x', 2)), not(some('list', eq('y', 3)))),
    )
  })
})

test('a group spans from its first pair to its last, and has no span without theirs', () => {
  const [a, x] = [fieldAt([], ['a']), fieldAt([['list']], ['x'])]
  expect(combine([pair(x, 'gt', 1, 0), pair(a, 'equals', 2, 2), pair(x, 'lt', 3, 4)])).toMatchObject({
    span: { start: 0, end: 5 },
    filters: [
      { kind: 'some', span: { start: 0, end: 5 }, filter: { span: { start: 0, end: 5 } } },
      { span: { start: 2, end: 3 } },
    ],
  })
  expect(JSON.stringify(combine([pair(x, 'gt', 1), pair(a, 'equals', 2), pair(x, 'lt', 3)]))).not.toContain('span')
})

test('every part of the filter is frozen', () => {
  const isFrozen = (value: unknown): boolean =>
    typeof value !== 'object' || value === null || (Object.isFrozen(value) && Object.values(value).every(isFrozen))
  const frozen = (field: ResolvedField): ResolvedField => ({
    ...field,
    lists: field.lists.map((list) => Object.freeze(list)),
    path: Object.freeze(field.path),
  })
  const operand = Object.freeze(integer(1))
  const pairs = ['equals', 'notEqual', 'range'].map((name) =>
    newCondition(frozen(fieldAt([['list']], ['x'])), operatorNamed.get(name)!, [operand, operand], undefined),
  )
  expect(isFrozen(combine(pairs))).toBe(true)
})
