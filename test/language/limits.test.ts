/** Which limits there are, and where a text exceeds them. What the issues say is in test/query/bind.test.ts. */
import { describe, expect, test } from 'vitest'
import { checkLimits, defaultLimits, lengthFinding } from '../../src/language/limits.ts'

describe('checkLimits', () => {
  test('replaces the defaults', () => {
    expect(checkLimits()).toBe(defaultLimits)
    expect(Object.isFrozen(defaultLimits)).toBe(true)
    expect(checkLimits({})).toEqual(defaultLimits)
    expect(checkLimits({ list: 0, depth: Infinity, pairs: undefined as never })).toEqual({
      ...defaultLimits,
      list: 0,
      depth: Infinity,
    })
  })
  test.each([
    [{ lenght: 1 }, 'limits.lenght is unknown; did you mean length?'],
    [{ list: -1 }, 'limits.list must be a whole number of at least 0, or Infinity'],
    [{ list: 1.5 }, 'limits.list must be'],
    [{ list: NaN }, 'limits.list must be'],
    [{ list: '9' }, 'limits.list must be'],
    [{ issues: 0 }, 'limits.issues must be a whole number of at least 1, or Infinity'],
    [null, 'limits must be an object'],
  ])('refuses %o', (limits, message) => {
    expect(() => checkLimits(limits as never)).toThrow(TypeError)
    expect(() => checkLimits(limits as never)).toThrow(message)
  })
})

test.each([
  ['', 0, undefined],
  ['ab', 2, undefined],
  ['ab', 1, { start: 1, end: 2 }],
  ['a\u{1f600}', 2, { start: 2, end: 3 }],
])('the length of %j, limited to %i', (text, limit, span) => {
  expect(lengthFinding(text.length, limit)?.span).toEqual(span)
})
