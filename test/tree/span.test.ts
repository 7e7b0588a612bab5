import { describe, expect, test } from 'vitest'
import { newSpan } from '../../src/tree/index.ts'

describe('newSpan', () => {
  // 2^15 offsets make one small integer with another; beyond, each span is made anew.
  test.each([
    [0, 0],
    [3, 7],
    [7, 3_000],
    [32_766, 32_767],
    [0, 32_768],
    [1, 32_768],
    [40_000, 1_000_000],
  ])('has the offsets %i and %i, and is frozen', (start, end) => {
    for (const span of [newSpan(start, end), newSpan(start, end)]) {
      expect(span).toEqual({ start, end })
      expect(Object.isFrozen(span)).toBe(true)
    }
  })
  test('spans that are equal and near the beginning are one', () => {
    expect(newSpan(3, 7)).toBe(newSpan(3, 7))
    expect(newSpan(0, 32_767)).toBe(newSpan(0, 32_767))
    expect(newSpan(0, 32_768)).not.toBe(newSpan(0, 32_768))
  })
  test('spans that differ are not one', () => {
    expect(newSpan(1, 0)).not.toBe(newSpan(0, 32_768))
    expect(newSpan(0, 5)).not.toBe(newSpan(5, 5))
  })
})
