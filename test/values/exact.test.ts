/** Whole numbers of 64 bits and decimals, as texts. The expected texts are worked out by hand. */
import { describe, expect, test } from 'vitest'
import { literalOf } from '../../src/tree/index.ts'
import {
  bigintOf,
  canonicalBigint,
  canonicalDecimal,
  compareDecimals,
  decimalOf,
  significantDigits,
} from '../../src/values/exact.ts'

describe('bigints', () => {
  test.each([
    ['0', '0'],
    ['-0', '0'],
    ['9007199254740993', '9007199254740993'],
    ['9223372036854775807', '9223372036854775807'],
    ['-9223372036854775808', '-9223372036854775808'],
    ...['', '-', '00', '01', '+1', '1.0', '1e3', ' 1', '1n', '0x1', '٣', '--1'].map((text) => [text, undefined]),
    ...['9223372036854775808', '-9223372036854775809', '9'.repeat(100_000)].map((text) => [text, undefined]),
  ])('%.30s', (text, canonical) => expect(canonicalBigint(text!)).toBe(canonical))
  test.each([
    [7n, 7n],
    [-(2n ** 63n), -(2n ** 63n)],
    [2n ** 63n, undefined],
    [2 ** 53 - 1, 2n ** 53n - 1n],
    [2 ** 53, undefined],
    [-0, 0n],
    [0.5, undefined],
    [NaN, undefined],
    ['9007199254740993', 9007199254740993n],
    ['x', undefined],
    ...[null, undefined, true, {}, [1]].map((value) => [value, undefined]),
  ])('a row has %o', (value, number) => expect(bigintOf(value)).toBe(number))
})

describe('decimals', () => {
  test.each([
    ['0', '0'],
    ['-0', '0'],
    ['-0.00', '0'],
    ['0e5', '0'],
    ['1.10', '1.1'],
    ['1.00', '1'],
    ['100', '100'],
    ['-0.50', '-0.5'],
    ['12.5e1', '125'],
    ['12.5e0', '12.5'],
    ['12.5e-1', '1.25'],
    ['12.5e-4', '0.00125'],
    ['-1.5E+3', '-1500'],
    ['0.05e1', '0.5'],
    ['0.05e3', '50'],
    ['100e-2', '1'],
    ['1e400', `1${'0'.repeat(400)}`],
    ['1e-400', `0.${'0'.repeat(399)}1`],
    ...[
      '',
      '-',
      '.',
      '.5',
      '5.',
      '01',
      '00',
      '+1',
      '1e',
      '1e+',
      'e1',
      '1,5',
      ' 1',
      'NaN',
      'Infinity',
      '0x1',
      '1_000',
    ].map((text) => [text, undefined]),
    ['1e200001', undefined],
    [`1e${'9'.repeat(400)}`, undefined],
    ['0e999999', '0'],
  ])('%s is %.30s', (text, canonical) => expect(canonicalDecimal(text!)).toBe(canonical))
  test('long ones are read in linear time', () => {
    const zeros = '0'.repeat(500_000)
    expect(canonicalDecimal(`1.${zeros}`)).toBe('1')
    expect(canonicalDecimal(`1.${zeros}1`)).toBe(`1.${zeros}1`)
    expect(canonicalDecimal(`1${zeros}.5`)).toBe(`1${zeros}.5`)
    expect(canonicalDecimal(`0.${zeros}1e200000`)).toBe(`0.${'0'.repeat(300_000)}1`)
    expect(significantDigits(`0.${zeros}1`)).toBe(1)
    expect(compareDecimals(`1${zeros}`, `1${zeros}.1`)).toBeLessThan(0)
  })
  test.each([
    [1.1, '1.1'],
    [1e21, '1000000000000000000000'],
    [1e-7, '0.0000001'],
    [-0, '0'],
    [5e-324, canonicalDecimal('5e-324')],
    [12n, '12'],
    [10n ** 40n, `1${'0'.repeat(40)}`],
    ['1e2', '100'],
    ...[NaN, Infinity, -Infinity, 'x', '', null, undefined, true, {}, ['1']].map((value) => [value, undefined]),
  ])('a row has %o', (value, text) => expect(decimalOf(value)).toBe(text))
  test('canonical texts', () => {
    const isCanonicalDecimal = (text: string) => literalOf('decimal', text) !== undefined
    expect(['0', '1.1', '-0.5', '10'].every(isCanonicalDecimal)).toBe(true)
    expect(['-0', '1.10', '1.', '1e3', '01', 'x'].some(isCanonicalDecimal)).toBe(false)
  })
  test.each([
    ['0', 1],
    ['0.001', 1],
    ['-100', 3],
    ['1.5', 2],
    ['1234567890123456789012345678901234', 34],
    ['0.01234567890123456789012345678901234', 34],
  ])('%s has %i significant digits', (text, count) => expect(significantDigits(text)).toBe(count))
  test('are ordered by value', () => {
    const ordered = [
      ...['-100', '-99.99', '-11', '-2', '-1.1', '-1.09', '-1.01', '-1', '-0.5', '-0.05'],
      ...['0', '0.05', '0.5', '1', '1.01', '1.09', '1.1', '2', '11', '99.99', '100'],
      ...['1234567890123456789012345678901233', '1234567890123456789012345678901234'],
      '1234567890123456789012345678901234.5',
    ]
    for (const [at, a] of ordered.entries()) {
      for (const [beside, b] of ordered.entries()) {
        expect(Math.sign(compareDecimals(a, b)), `${a} and ${b}`).toBe(Math.sign(at - beside))
      }
    }
  })
})
