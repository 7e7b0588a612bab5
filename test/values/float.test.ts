/** PostgreSQL 18 prints each float as its decimal. */
import { expect, test } from 'vitest'
import { shortestOfFloat } from '../../src/values/float.ts'

test.each([
  [0, 0],
  [1, 1],
  [12.300000190734863, 12.3],
  [0.10000000149011612, 0.1],
  // Two decimals of eight digits are equally near: the result is the one whose last digit is even.
  [-1_929_800.25, -1_929_800.2],
  [1_929_800.75, 1_929_800.8],
  // 98788300 has fewer digits, but lies in the middle between two floats.
  [98_788_304, 98_788_304],
  // Powers of two: the floats below them are closer than those above.
  [2 ** 24, 16_777_216],
  [2 ** -96, 1.2621775e-29],
  [2 ** 90, 1.2379401e27],
  [1.401298464324817e-45, 1e-45],
  [3.4028234663852886e38, 3.4028235e38],
])('the float %f is printed as %f', (float, decimal) => expect(shortestOfFloat(float)).toBe(decimal))
