/** What the tests of subsumes and its laws share. */
import { memoryBackend } from '../../src/backends/memory/index.ts'
import { and, or } from '../../src/index.ts'
import { comparison, count, match, membership, presence } from '../../src/tree.ts'
import type { ComparisonOperator, Literal, Presence } from '../../src/tree.ts'

export const { compile } = memoryBackend()

/** Conditions on one field, which is `a` where nothing else is said. */
export const text = (operator: ComparisonOperator, value: string, name = 'a') =>
  comparison([name], operator, { type: 'string', value })
export const number = (operator: ComparisonOperator, value: number) =>
  comparison(['a'], operator, { type: 'number', value })
export const integer = (operator: ComparisonOperator, value: number, name = 'a') =>
  comparison([name], operator, { type: 'integer', value })
export const decimal = (operator: ComparisonOperator, value: string) =>
  comparison(['a'], operator, { type: 'decimal', value })
export const [nil, max] = ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff']
export const starts = (part: string) => match(['a'], 'prefix', part)
export const contains = (part: string) => match(['a'], 'substring', part)
export const is = (type: Presence['type'], ...path: string[]) => presence(path, type)
export const entries = (operator: 'gte' | 'lte', operand: number, type: Presence['type'] = 'string') =>
  count(['l'], type, operator, operand)
export const [anything, nothing] = [and(), or()]
/** One of the integers from 0 on. */
export const integers = (count: number) =>
  membership(
    ['a'],
    Array.from({ length: count }, (_, value): Literal => ({ type: 'integer', value })),
  )
