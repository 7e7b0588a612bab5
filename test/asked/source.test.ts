/** Decoding, and what cannot be decoded. */
import { describe, expect, test } from 'vitest'
import {
  codeAt,
  decode,
  decodeClear,
  decodingFault,
  mayHoldSecret,
  sourceOf,
  startOfPair,
  widthAt,
} from '../../src/asked/source.ts'

const whole = (text: string) => ({ start: 0, end: text.length })

test.each([
  ['', ''],
  ['abc', 'abc'],
  ['a+b', 'a b'],
  ['a%2Bb+', 'a+b '],
  ['%C3%A9%f0%9F%98%80', 'é\u{1f600}'],
  ['%2541', '%41'],
])('%s is decoded once', (text, expected) => {
  expect(decode(sourceOf(text), whole(text))).toBe(expected)
  expect(decode(sourceOf(`%20+${text}=`), { start: 4, end: 4 + text.length })).toBe(expected)
})

test.each([
  ['a', 0x61, 1],
  ['%5b', 0x5b, 3],
  ['%5B', 0x5b, 3],
  ['é', 0xe9, 1],
])('the character at the start of %s', (text, code, width) => {
  expect([codeAt(text, 0), widthAt(text, 0)]).toEqual([code, width])
})
test.each(['%', '%5', '%g1', '%1g', '%é1', '%1é'])('%s is an escape of no character', (text) => {
  expect(codeAt(text, 0) <= 0xff).toBe(false)
})

describe('pieces that cannot be decoded', () => {
  test.each([
    ['a%', 'malformed_escape', 1, 2],
    ['a%zz', 'malformed_escape', 1, 2],
    ['a%1z', 'malformed_escape', 1, 3],
    ['%41%00', 'null_character', 3, 6],
    ['a\0', 'null_character', 1, 2],
    ['%C3%A9%FFx', 'invalid_utf8', 0, 9],
    ['x%C3%41', 'invalid_utf8', 1, 4],
    ['%80', 'invalid_utf8', 0, 3],
    ['%80%80', 'invalid_utf8', 0, 6],
    // A run of escapes ends before ASCII, and before what is no escape.
    ['%C3%A9%FF%41', 'invalid_utf8', 0, 9],
    ['%FF%zz', 'invalid_utf8', 0, 3],
    ['\u{1f600}\ud800', 'lone_surrogate', 2, 3],
    ['a\udfff', 'lone_surrogate', 1, 2],
    ['\udc00', 'lone_surrogate', 0, 1],
  ])('%j: %s', (text, kind, start, end) => {
    expect(decodeClear(sourceOf(text), whole(text))).toBeUndefined()
    expect(decodingFault(sourceOf(text), whole(text))).toEqual({ kind, start, end })
  })

  test('every escape of a byte and every UTF-16 unit has a fault, or is decoded', () => {
    const hex = (code: number) => `%${code.toString(16).padStart(2, '0')}`
    const isWrong = (code: number) => code === 0 || (code >= 0xd800 && code <= 0xdfff)
    const texts = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code))
    const failing = texts.filter((text, code) => {
      const expected = isWrong(code) ? undefined : text
      return !'%+'.includes(text) && decodeClear(sourceOf(text), whole(text)) !== expected
    })
    expect(failing).toEqual([])
    for (let code = 0; code < 0x100; code++) {
      const expected = code === 0 || code >= 0x80 ? undefined : String.fromCharCode(code)
      expect(decodeClear(sourceOf(hex(code)), whole(hex(code))), hex(code)).toBe(expected)
    }
  })
})

test.each([
  ['a=1&b=2', 0, 0],
  ['a=1&b=2', 3, 0],
  ['a=1&b=2', 4, 4],
  ['?a=1&&b=2', 3, 1],
  ['?a=1&&b=2', 9, 6],
])('in %s, offset %i is in the pair that begins at %i', (text, at, start) => {
  expect(startOfPair(sourceOf(text), at)).toBe(start)
})

test.each([
  ['apiKey[x]', true],
  ['apikey%3Ds', true],
  ['%61piKey', true],
  ['seller', false],
  ['resort', false],
])('%s may hold the value of a reserved pair: %s', (text, expected) => {
  expect(mayHoldSecret(sourceOf(text), whole(text), ['apiKey', 'sort'])).toBe(expected)
})
