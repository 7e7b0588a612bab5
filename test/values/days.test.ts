/** Days, and moments to the millisecond. */
import { describe, expect, test, vi } from 'vitest'
import { literalOf } from '../../src/tree/index.ts'
import { canonicalDateTime, dayNumber, isDateTime, isDay, momentOf, startOfDay, utcDay } from '../../src/values/time.ts'

const isCanonicalDateTime = (text: string) => literalOf('datetime', text) !== undefined

const days = ['0001-01-01', '2024-02-29', '2000-02-29', '2023-12-31', '9999-12-31', '2024-04-30']
const notDays = [
  '',
  '0000-12-31',
  '2023-02-29',
  '1900-02-29',
  '2024-02-30',
  '2024-04-31',
  '2024-13-01',
  '2024-00-01',
  '2024-01-00',
  '2024-1-01',
  '2024-01-1',
  '2024-01-011',
  ' 2024-01-01',
  '2024-01-01 ',
  '2024/01/01',
  '2024/01-01',
  '2024-01/01',
  '2024-01-1/', // one before "0"
  '2024-01-0:', // one after "9"
  '-024-01-01',
  '+024-01-01',
  '２024-01-0',
  '2024-01-0x',
  '20240-1-01',
]
const moments: [string, number][] = [
  ['2024-02-29T12:34:56Z', Date.UTC(2024, 1, 29, 12, 34, 56)],
  ['2024-02-29t12:34:56.7z', Date.UTC(2024, 1, 29, 12, 34, 56, 700)],
  ['2024-02-29T12:34:56.789123Z', Date.UTC(2024, 1, 29, 12, 34, 56, 789)],
  ['2024-02-29T12:34:56+05:30', Date.UTC(2024, 1, 29, 7, 4, 56)],
  ['2024-02-29T00:00:00-00:00', Date.UTC(2024, 1, 29)],
  ['2024-02-29T12:34:56-23:59', Date.UTC(2024, 2, 1, 12, 33, 56)],
  ['0001-01-01T00:00:00Z', -62_135_596_800_000],
  ['0000-12-31T23:59:00-00:01', -62_135_596_800_000],
]
const notMoments = [
  '',
  'soon',
  '2024-02-30T00:00:00Z',
  '2024-01-01',
  '2024-01-01T00:00:00',
  '2024-01-01 00:00:00Z',
  '2024-01-01T24:00:00Z',
  '2024-01-01T00:60:00Z',
  '2024-01-01T00:00:60Z',
  '2024-01-01T00:00:00+24:00',
  '2024-01-01T00:00Z',
  '12024-01-01T00:00:00Z',
  '2024-01-01T00:00:00ZZ',
  '2024-01-01 2024-01-01T00:00:00Z',
]

describe('days', () => {
  test.each(days)('%s is one', (day) => {
    expect(isDay(day)).toBe(true)
    expect(utcDay(startOfDay(day))).toBe(day)
    expect(dayNumber(day)).toBe(Number(day.replaceAll('-', '')))
  })
  test.each(notDays)('%j is none', (text) => expect(isDay(text)).toBe(false))
})

describe('moments', () => {
  test.each(moments)('%s', (text, moment) => expect(momentOf(text)).toBe(moment))
  test.each(notMoments)('%j names none', (text) => {
    expect(momentOf(text)).toBeNaN()
    expect(isDateTime(text)).toBe(false)
  })

  test('engines are given upper-case T and Z, which all of them read', () => {
    const parse = vi.spyOn(Date, 'parse')
    momentOf('2024-02-29t12:34:56.7z')
    expect(parse.mock.calls).toEqual([['2024-02-29T12:34:56.7Z']])
    parse.mockRestore()
  })

  test('canonical text', () => {
    expect(canonicalDateTime(0)).toBe('1970-01-01T00:00:00.000Z')
    expect(canonicalDateTime(momentOf('0001-01-01T00:00:00Z'))).toBe('0001-01-01T00:00:00.000Z')
    expect(canonicalDateTime(momentOf('0001-01-01T00:00:00Z') - 1)).toBeUndefined()
    expect(canonicalDateTime(momentOf('9999-12-31T23:59:59.999Z') + 1)).toBeUndefined()
    expect(canonicalDateTime(NaN)).toBeUndefined()
    expect(isCanonicalDateTime('9999-12-31T23:59:59.999Z')).toBe(true)
    for (const text of [
      '2024-01-01T00:00:00Z',
      '2024-01-01T00:00:00.000z',
      '2024-01-01t00:00:00.000Z',
      '2024-02-30T00:00:00.000Z',
      '0000-01-01T00:00:00.000Z',
      '2024-01-01T25:00:00.000Z',
      '2024-01-01T00:00:00+00:00',
    ]) {
      expect(isCanonicalDateTime(text), text).toBe(false)
    }
  })
})

test('a second copy of the module gives the same', async () => {
  vi.resetModules()
  const copy = await import('../../src/values/time.ts')
  for (const day of days) expect(copy.isDay(day), day).toBe(true)
  for (const text of notDays) expect(copy.isDay(text), text).toBe(false)
  for (const [text, moment] of moments) expect(copy.momentOf(text), text).toBe(moment)
  for (const text of notMoments) expect(copy.isDateTime(text), text).toBe(false)
  expect(copy.canonicalDateTime(0)).toBe('1970-01-01T00:00:00.000Z')
})
