/** Text in lower case and in any case, code point by code point. */
import { describe, expect, test, vi } from 'vitest'
import { anyCase, simpleLowerCase } from '../../src/values/case.ts'
import { byEffort } from '../effort.ts'

/** In a full run every code point that is a character; otherwise those below U+20000, which are all that have case. */
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

test.each(anyCases)('%s in any case is %s', (text, pattern) => expect(anyCase(text)).toBe(pattern))

test('a second copy of the module gives the same', async () => {
  vi.resetModules()
  const copy = await import('../../src/values/case.ts')
  for (const [text, lower] of lowered) expect(copy.simpleLowerCase(text)).toBe(lower)
  for (const [text, pattern] of anyCases) expect(copy.anyCase(text)).toBe(pattern)
})
