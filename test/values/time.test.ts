/** Datetimes and times of day to the microsecond. Days and milliseconds: days.test.ts. */
import { expect, test } from 'vitest'
import { literalOf } from '../../src/tree/index.ts'
import {
  canonicalDateTime,
  canonicalDateTimeOf,
  canonicalDateTimeOfSql,
  canonicalTime,
  compareDateTimes,
  microsOf,
} from '../../src/values/time.ts'

const isCanonicalDateTime = (text: string) => literalOf('datetime', text) !== undefined
const at = (rest: string) => `2024-01-31T10:00:00${rest}`

test.each([
  ['Z', 0],
  ['.1Z', 0],
  ['.123Z', 0],
  ['.1234Z', 400],
  ['.12345Z', 450],
  ['.123456Z', 456],
  ['.000001Z', 1],
  ['.123056Z', 56],
  ['.1239999999Z', 999],
  ['+02:00', 0],
  ['.5+02:00', 0],
  ['.123+02:34', 0],
  ['.1234-05:30', 400],
  ['.123456789+05:30', 456],
])('2024-01-31T10:00:00%s has %i microseconds after its millisecond', (rest, micros) =>
  expect(microsOf(at(rest))).toBe(micros),
)

test.each([
  [at('Z'), at('.000Z')],
  [at('.123000Z'), at('.123Z')],
  [at('.1234Z'), at('.123400Z')],
  [at('.123456+02:00'), '2024-01-31T08:00:00.123456Z'],
  [at('.123456999Z'), at('.123456Z')],
  ['1969-12-31T23:59:59.9999999Z', '1969-12-31T23:59:59.999999Z'],
  ['0001-01-01T00:00:00.000001Z', '0001-01-01T00:00:00.000001Z'],
  ['9999-12-31T23:59:59.999999Z', '9999-12-31T23:59:59.999999Z'],
  ['9999-12-31T23:59:59.999999-00:01', undefined],
  ['2024-01-31', undefined],
  ['soon', undefined],
])('%s is %s', (text, canonical) => expect(canonicalDateTimeOf(text)).toBe(canonical))

test('canonical text has six digits only where the last three are not zero', () => {
  expect(canonicalDateTime(0, 0)).toBe('1970-01-01T00:00:00.000Z')
  expect(canonicalDateTime(0, 7)).toBe('1970-01-01T00:00:00.000007Z')
  expect([at('.123Z'), at('.123456Z'), at('.000001Z')].every(isCanonicalDateTime)).toBe(true)
  expect(
    [at('.123000Z'), at('.1234Z'), at('.123456'), at('.12345 Z'), at('.123456z'), at('.1234567Z')].some(
      isCanonicalDateTime,
    ),
  ).toBe(false)
})

test('canonical texts are compared by time', () => {
  const ordered = [
    ...[at('.122999Z'), at('.123Z'), at('.123001Z'), at('.123456Z'), at('.123999Z'), at('.124Z')],
    ...['2024-01-31T10:00:01.000Z', '2024-01-31T10:00:01.000001Z', '2024-02-01T00:00:00.000Z'],
  ]
  for (const [left, a] of ordered.entries()) {
    for (const [right, b] of ordered.entries()) {
      expect(Math.sign(compareDateTimes(a, b)), `${a} and ${b}`).toBe(Math.sign(left - right))
    }
  }
})

test.each([
  ['2024-01-31 10:00:00', at('.000Z')],
  ['2024-01-31 10:00:00.12', at('.120Z')],
  ['2024-01-31 10:00:00.123456', at('.123456Z')],
  ['2024-01-31 10:00:00.123456+00', at('.123456Z')],
  ['2024-01-31 12:00:00.123456+02', at('.123456Z')],
  ['2024-01-31 15:30:00+05:30', at('.000Z')],
  ['2024-01-30 22:00:00-12', at('.000Z')],
  ['0044-03-15 00:00:00+00 BC', undefined],
  ['infinity', undefined],
  ['2024-02-30 00:00:00', undefined],
  ['2024-01-31', undefined],
  [at('Z'), undefined],
])('what SQL writes as %s is %s', (text, canonical) => expect(canonicalDateTimeOfSql(text)).toBe(canonical))

test.each([
  ['00:00', '00:00:00'],
  ['09:30', '09:30:00'],
  ['09:30:00', '09:30:00'],
  ['09:30:00.500', '09:30:00.5'],
  ['09:30:00.000000', '09:30:00'],
  ['09:30:00.050', '09:30:00.05'],
  ['09:30:10.0', '09:30:10'],
  ['23:59:59.999999', '23:59:59.999999'],
  ['24:00', undefined],
  ['23:60', undefined],
  ['23:59:60', undefined],
  ['9:30', undefined],
  ['0930', undefined],
  ['09:30.5', undefined],
  ['09:30:00.', undefined],
  ['09:30:00.0000001', undefined],
  ['09:30:00Z', undefined],
  ['09:30:00+02:00', undefined],
  ['09:30:00\n', undefined],
  ['-01:00:00', undefined],
  ['T09:30', undefined],
  ['', undefined],
])('%j is the time of day %s', (text, canonical) => expect(canonicalTime(text)).toBe(canonical))
