/** The order of texts. */
import { describe, expect, test } from 'vitest'
import { compareCodePoints } from '../../src/values/order.ts'

describe('compareCodePoints', () => {
  const ordered = [
    '',
    ' ',
    'A',
    'Z',
    'a',
    'a ',
    'aa',
    'ab',
    'b',
    'é',
    '\u{d7ff}',
    '\u{e000}',
    '\u{ffff}',
    '\u{10000}',
    '\u{10000}a',
    '\u{103fe}', // Their second halves are U+DFFE and U+DFFF, the last surrogate of all.
    '\u{103ff}',
    '\u{1f600}',
    '\u{10ffff}',
  ]
  test('orders by code point', () => {
    for (const [at, left] of ordered.entries()) {
      for (const [beside, right] of ordered.entries()) {
        expect(Math.sign(compareCodePoints(left, right)), `${left} ${right}`).toBe(Math.sign(at - beside))
      }
    }
  })
  test('as an array of code points does', () => {
    expect(ordered.toSorted(compareCodePoints)).toEqual(ordered)
    expect(ordered.toSorted()).not.toEqual(ordered) // UTF-16 order puts the astral planes before U+E000.
  })
})
