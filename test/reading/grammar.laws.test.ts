/** The grammar is sound, and it accepts every sequence of tokens that the scanner makes. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { GroupParser, KeyParser } from '../../src/reading/grammar.ts'
import { scanGroup, scanKey, scanList } from '../../src/reading/tokens.ts'
import { byEffort } from '../effort.ts'

describe('Chevrotain', () => {
  test('finds the grammar sound: no ambiguity, no left recursion, no unreachable alternative', () => {
    // It validates when the parser is built, and throws.
    expect(() => new KeyParser()).not.toThrow()
    expect(Object.keys(new KeyParser().getGAstProductions())).toEqual(['key', 'stray'])
    expect(Object.keys(new GroupParser().getGAstProductions())).toEqual([
      ...['key', 'stray', 'list', 'item', 'tail', 'quoted'],
      ...['groupValue', 'group', 'member', 'items'],
    ])
  })

  const parser = new KeyParser()
  const groupParser = new GroupParser()
  const marks = ['a', '.', '[', ']', '=', '&', ',', '"', '\\', '%5B', '%2c', '%22', '%5c', '%zz', 'é', ' ']

  /** Tokens touch, from the first character to the last, and every key and every list of them is one of the grammar. */
  function checkTotal(text: string): void {
    const key = scanKey(text, 0, text.length)
    const list = scanList(text, 0, text.length)
    for (const tokens of [key, list]) {
      let end = 0
      for (const token of tokens) {
        expect(token.startOffset).toBe(end)
        end = token.endOffset
      }
      expect(end).toBe(text.length)
    }
    parser.input = key
    parser.key()
    expect(parser.errors, text).toEqual([])
    groupParser.input = list
    groupParser.list()
    expect(groupParser.errors, text).toEqual([])
  }

  const most = byEffort(4, 2)
  test(`accepts every text of up to ${most} marks`, () => {
    let texts = ['']
    for (let length = 0; length <= most; length++) {
      texts.forEach(checkTotal)
      if (length < most) texts = texts.flatMap((text) => marks.map((mark) => text + mark))
    }
  }, 120_000)

  /** As above, for the value of a group. */
  function checkGroup(text: string): void {
    const tokens = scanGroup(text, 0, text.length, 3)
    expect(tokens.map(({ startOffset }) => startOffset)).toEqual([
      0,
      ...tokens.slice(0, -1).map(({ endOffset }) => endOffset),
    ])
    expect(tokens.at(-1)!.endOffset).toBe(text.length)
    groupParser.input = tokens
    groupParser.groupValue()
    expect(groupParser.errors, text).toEqual([])
  }
  const groupMarks = ['a', '(', ')', ',', '=', '[', ']', '"', '\\', '.', '%28', '%zz']
  test(`accepts every group of up to ${most} marks`, () => {
    let texts = ['', '(']
    for (let length = 0; length <= most; length++) {
      texts.forEach(checkGroup)
      if (length < most) texts = texts.flatMap((text) => groupMarks.map((mark) => text + mark))
    }
  }, 120_000)
  test('accepts random groups of marks', () => {
    const marks = fc.array(fc.constantFrom(...groupMarks, 'a=', 'a=(', 'and(', ')', ')', ','), { maxLength: 60 })
    fc.assert(
      fc.property(marks, (parts) => checkGroup(`(${parts.join('')}`)),
      { numRuns: byEffort(5_000, 100) },
    )
  })

  test('accepts random texts of marks', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...marks), { maxLength: 60 }), (parts) => checkTotal(parts.join(''))),
      { numRuns: byEffort(5_000, 100) },
    )
  })
})
