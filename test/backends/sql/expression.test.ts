/** Groups of SQL: their words, their parentheses, and how deep a parser nests them. */
import { describe, expect, test } from 'vitest'
import { raw, flatten } from '../../../src/backends/sql/dialect/sql.ts'
import { allOf, anyOf, exists, term, type BooleanSql, type Expression } from '../../../src/backends/sql/expression.ts'
import { postgres } from '../../../src/backends/sql/index.ts'

const named = (name: string, more: Partial<BooleanSql> = {}): BooleanSql => ({ ...term(raw(name)), ...more })
const deep = (depth: number, more: Partial<BooleanSql> = {}) => named('deep', { depth, ...more })
const [a, b, c] = [named('a'), named('b'), named('c')]
const names = (count: number) => Array.from({ length: count }, (_, at) => `x${at}`)
const told = (expression: Expression) => {
  const { sql, members, depth } = expression as BooleanSql
  return { text: flatten(sql).strings.join('?'), members, depth }
}
const guarding = { dialect: postgres, nullIsFalse: false }
const inWhere = { dialect: postgres, nullIsFalse: true }
const all = (...expressions: BooleanSql[]) => told(allOf(guarding, expressions))

describe('a group', () => {
  // Its deepest member and a level for each member make 100 levels at most.
  test.each<[string, BooleanSql[], string, number, number]>([
    ['is flat', [a, b, c], 'a AND b AND c', 3, 4],
    ['is flat up to 100 levels', [deep(97), a, b], 'deep AND a AND b', 3, 100],
    ['joins what is less deep first', [deep(98), a, b], 'deep AND (a AND b)', 2, 99],
    ['joins it before, too', [a, b, deep(98)], '(a AND b) AND deep', 2, 99],
    ['joins what is deep last', [a, deep(98), b, c], '(a AND deep) AND (b AND c)', 2, 100],
    ['of two has no parentheses', [deep(99), a], 'deep AND a', 2, 100],
    ['counts the members of a member', [deep(97, { members: 3, form: 'and' }), a], '(deep) AND a', 2, 98],
  ])('%s', (_, expressions, text, members, depth) => {
    expect(all(...expressions)).toEqual({ text, members, depth })
  })
  test('of 99 is flat, and one of 100 is a tree of 8 levels', () => {
    const terms = names(100).map((name) => named(name))
    expect(all(...terms.slice(1))).toEqual({ text: names(100).slice(1).join(' AND '), members: 99, depth: 100 })
    const { text, members, depth } = all(...terms)
    expect({ members, depth }).toEqual({ members: 2, depth: 8 })
    expect(text.replace(/[()]/g, '')).toBe(names(100).join(' AND '))
    expect(text).toMatch(/^\({6}x0 AND x1\) AND \(x2 AND x3\)\) AND \(\(x4 AND x5\) AND \(x6 AND x7\)\)\)/)
  })
  test('in a group of the other word has parentheses', () => {
    const either = anyOf(inWhere, [a, b]) as BooleanSql
    expect(all(either, c)).toEqual({ text: '(a OR b) AND c', members: 2, depth: 5 })
    expect(told(anyOf(inWhere, [allOf(guarding, [a, b]), c]))).toEqual({
      text: '(a AND b) OR c',
      members: 2,
      depth: 5,
    })
  })
  test('of one is its member, and of none a constant', () => {
    expect(allOf(guarding, [a, true])).toBe(a)
    expect(allOf(guarding, [a, false])).toBe(false)
    expect(allOf(guarding, [])).toBe(true)
    expect(anyOf(inWhere, [a, false])).toBe(a)
    expect(anyOf(inWhere, [a, true])).toBe(true)
    expect(anyOf(inWhere, [])).toBe(false)
  })
})

test('what may be NULL, as nobody can tell, is made false in a group, and alone where it is all', () => {
  const maybe = named('maybe', { nullable: 'unknown' })
  expect(all(maybe, a).text).toBe('(maybe) IS TRUE AND a')
  expect(told(anyOf(guarding, [maybe, a])).text).toBe('(maybe) IS TRUE OR a')
  expect(told(anyOf(inWhere, [maybe, a])).text).toBe('maybe OR a')
  expect(allOf(guarding, [maybe])).toBe(maybe)
})

test('EXISTS takes four levels, and needs no parentheses as every database has it', () => {
  const from = raw('t')
  expect(exists(from, true, false)).toMatchObject({ form: 'closed', depth: 5, nullable: 'never' })
  expect(exists(from, deep(7), true)).toMatchObject({ form: 'closed', depth: 11 })
  expect(exists(from, true, false, () => raw('1 IN (…)'))).toMatchObject({ form: 'term', depth: 5 })
  expect(exists(from, false, true)).toBe(true)
})
