/** The grammar is sound, and it accepts every sequence of tokens that the scanner makes. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { GroupParser, QueryParser } from '../../src/syntax/grammar.ts'
import { scan, scanGroup, scanList } from '../../src/syntax/tokens.ts'
import { byEffort } from '../effort.ts'

describe('Chevrotain', () => {
  test('finds the grammar sound: no ambiguity, no left recursion, no unreachable alternative', () => {
    // It validates when the parser is built, and throws.
    expect(() => new QueryParser()).not.toThrow()
    expect(Object.keys(new QueryParser().getGAstProductions())).toEqual(['stray', 'tail', 'quoted', 'query', 'list'])
    expect(Object.keys(new GroupParser().getGAstProductions())).toEqual([
      ...['stray', 'tail', 'quoted'],
      ...['groupValue', 'rest', 'group', 'member', 'operand', 'operandList', 'operandItem'],
    ])
  })

  const parser = new QueryParser()
  const groupParser = new GroupParser()
  const marks = ['a', '.', '[', ']', '=', '&', ',', '"', '\\', '%5B', '%2c', '%22', '%5c', '%zz', 'é', ' ']

  /** Tokens touch, from the first character to the last, and every query and every list of them is one of the grammar. */
  function checkTotal(text: string): void {
    for (const [tokens, rule] of [
      [scan(text, 0), 'query'],
      [scanList(text, 0, text.length), 'list'],
    ] as const) {
      let end = 0
      for (const token of tokens) {
        expect(token.startOffset).toBe(end)
        end = token.endOffset
      }
      expect(end).toBe(text.length)
      parser.input = tokens
      parser[rule]()
      expect(parser.errors, text).toEqual([])
    }
  }

  const most = byEffort(4, 3)
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
      { numRuns: byEffort(5_000, 2_000) },
    )
  })

  test('accepts random texts of marks', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...marks), { maxLength: 60 }), (parts) => checkTotal(parts.join(''))),
      { numRuns: byEffort(5_000, 2_000) },
    )
  })
})
