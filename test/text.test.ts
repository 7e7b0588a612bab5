import { describe, expect, test, vi } from 'vitest'
import { anyCase, simpleLowerCase } from '../src/text/case.ts'
import { escapePattern, isPlainText } from '../src/text/characters.ts'
import { compareCodePoints } from '../src/text/order.ts'
import {
  canonicalDateTime,
  dayAfter,
  dayBefore,
  dayNumber,
  isCanonicalDateTime,
  isDateTime,
  isDay,
  momentOf,
  startOfDay,
  utcDay,
} from '../src/text/time.ts'
import { byEffort } from './effort.ts'

/** Every code point that is a character; without `FULL=1` those below U+20000, which are all that have case. */
function* codePoints(): Generator<string> {
  for (let code = 0; code <= byEffort(0x10ffff, 0x1ffff); code++) {
    if (code < 0xd800 || code > 0xdfff) yield String.fromCodePoint(code)
  }
}

/** From UnicodeData.txt, field 13; those without an entry stay. */
const lowered: [unknown, unknown][] = [
  ['ΟΔΟΣ ΣΑΣ', 'οδοσ σασ'],
  ['ς', 'ς'],
  ['ΣΣ', 'σσ'],
  ['İ', 'i'],
  ['İI', 'ii'],
  ['ı', 'ı'],
  ['ß', 'ß'],
  ['ẞ', 'ß'],
  ['\u212a', 'k'],
  ['\u2126', 'ω'],
  ['\u212b', 'å'],
  ['ſ', 'ſ'],
  ['ǅ', 'ǆ'],
  ['\u{10400}', '\u{10428}'],
  ['Ꭰ', 'ꭰ'],
  ['É', 'é'],
  ['\ud800A', '\ud800a'],
  // A value that is not a text is returned unchanged.
  [null, null],
  [undefined, undefined],
  [5, 5],
]

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
const anyCases: [string, string][] = [
  ['a', '[aA]'],
  ['ß1', '[ßẞ]1'],
  ['.', '\\.'],
  // Deseret letters are pairs of surrogates.
  ['\u{10428}', '(?:\u{10428}|\u{10400})'],
]

describe('simpleLowerCase', () => {
  const changed = [...codePoints()].filter((character) => simpleLowerCase(character) !== character)

  test('maps code point by code point, whatever stands around', () => {
    // A letter before it, and none after, is where the final-sigma rule of full lower-casing applies.
    const dependent = changed.filter((character) => {
      const lower = simpleLowerCase(character)
      return (
        simpleLowerCase(`a${character}`) !== `a${lower}` ||
        simpleLowerCase(`${character} ${character}a`) !== `${lower} ${lower}a`
      )
    })
    expect(dependent).toEqual([])
    expect(changed.length).toBeGreaterThan(1_400)
  })

  test('keeps the number of code points and of UTF-16 units, and is done after once', () => {
    const wrong = changed.filter((character) => {
      const lower = simpleLowerCase(character)
      return Array.from(lower).length !== 1 || lower.length !== character.length || simpleLowerCase(lower) !== lower
    })
    expect(wrong).toEqual([])
  })

  test('differs from toLowerCase of one character in İ alone', () => {
    const different = [...codePoints()].filter((character) => simpleLowerCase(character) !== character.toLowerCase())
    expect(different).toEqual(['İ'])
  })

  test.each(lowered)('%s', (text, lower) => expect(simpleLowerCase(text)).toBe(lower))
})

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

test('isPlainText', () => {
  expect(['', 'a', '\u{1f600}', '\u0001'].every(isPlainText)).toBe(true)
  expect(['\0', 'a\0b', '\ud800', '\udc00\ud800'].some(isPlainText)).toBe(false)
})

describe('days', () => {
  test.each(days)('%s is one', (day) => {
    expect(isDay(day)).toBe(true)
    expect(utcDay(startOfDay(day))).toBe(day)
    expect(dayNumber(day)).toBe(Number(day.replaceAll('-', '')))
  })
  test.each(notDays)('%j is none', (text) => expect(isDay(text)).toBe(false))

  test('every day to the last has its next, and that its day before', () => {
    // From the first day; in a quick run those of the last 400 years, after which the calendar repeats itself.
    let day: string | undefined = byEffort('0001-01-01', '9599-12-31')
    let count = 1
    for (let next = dayAfter(day); next !== undefined; next = dayAfter(day)) {
      if (count % 1000 === 0) expect(isDay(next) && dayBefore(next) === day && next > day).toBe(true)
      day = next
      count++
    }
    expect(day).toBe('9999-12-31')
    expect(count).toBe(byEffort(3_652_059, 146_098)) // in the proleptic Gregorian calendar
    expect(dayBefore('0001-01-01')).toBeUndefined()
  })
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

test.each(anyCases)('%s in any case is %s', (text, pattern) => expect(anyCase(text)).toBe(pattern))
test('a pattern has no line break', () => expect(escapePattern('a\n(b)')).toBe('a\\n\\(b\\)'))

test('a second copy of the module, such as that of the other format, says the same', async () => {
  vi.resetModules()
  const copy = {
    ...(await import('../src/text/case.ts')),
    ...(await import('../src/text/characters.ts')),
    ...(await import('../src/text/time.ts')),
  }
  for (const [text, lower] of lowered) expect(copy.simpleLowerCase(text)).toBe(lower)
  for (const day of days) expect(copy.isDay(day), day).toBe(true)
  for (const text of notDays) expect(copy.isDay(text), text).toBe(false)
  for (const [text, moment] of moments) expect(copy.momentOf(text), text).toBe(moment)
  for (const text of notMoments) expect(copy.isDateTime(text), text).toBe(false)
  for (const [text, pattern] of anyCases) expect(copy.anyCase(text)).toBe(pattern)
  expect(copy.escapePattern('a\n(b)')).toBe('a\\n\\(b\\)')
  expect(copy.canonicalDateTime(0)).toBe('1970-01-01T00:00:00.000Z')
})
