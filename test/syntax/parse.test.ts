/** The syntax tree, and what the parser must never do. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { QueryParser } from '../../src/syntax/grammar.ts'
import { parseSyntax } from '../../src/syntax/parse.ts'
import { scan, scanList, vocabulary } from '../../src/syntax/tokens.ts'

/** Pairs as text: path, operator, value. */
function read(text: string, reserved: readonly string[] = []) {
  const syntax = parseSyntax(text, reserved)
  return syntax.pairs.map((pair) => [
    syntax.read(pair.path),
    pair.operator && syntax.read(pair.operator),
    syntax.read(pair.value),
  ])
}

/** The value of the only pair as a list. */
function itemsOf(text: string) {
  const { pairs, items, readItem } = parseSyntax(text, [])
  return items(pairs[0]!.value).map((item) => ({ text: readItem(item), fault: item.quoteFault }))
}

describe('pairs', () => {
  test.each([
    ['', []],
    ['?', []],
    ['&&', []],
    ['a=1', [['a', undefined, '1']]],
    ['?a=1', [['a', undefined, '1']]],
    ['??a=1', [['?a', undefined, '1']]],
    ['a=', [['a', undefined, '']]],
    ['a==b=', [['a', undefined, '=b=']]],
    [
      'a.b[c]=1&&d=2&',
      [
        ['a.b', 'c', '1'],
        ['d', undefined, '2'],
      ],
    ],
    ['a[b.c]=1', [['a', 'b.c', '1']]],
    ['a+b=c+d%2B', [['a b', undefined, 'c d+']]],
    ['a%20b%3D%26=%3D%26%23;', [['a b=&', undefined, '=&#;']]],
    ['a=1?b#c', [['a', undefined, '1?b#c']]],
    ['%C3%A9.\u{1f600}=%F0%9F%98%80é', [['é.\u{1f600}', undefined, '\u{1f600}é']]],
    ['a=[x].y]', [['a', undefined, '[x].y]']]],
    ['a,"b=1', [['a,"b', undefined, '1']]],
    ['a%2Cb=1', [['a,b', undefined, '1']]],
    ['a=%', []], // malformed: an issue instead
  ])('%j', (text, expected) => expect(read(text)).toEqual(expected))

  test('percent-encoded marks are the marks, whatever the case of their digits', () => {
    const raw = 'items.arrival[in]=a,"b,c",d\\e'
    const encoded = raw.replace(/[.[\],"\\]/g, (mark) => '%' + mark.charCodeAt(0).toString(16).toUpperCase())
    expect(read(encoded)).toEqual([['items.arrival', 'in', 'a,"b,c",d\\e']])
    expect(itemsOf(encoded)).toEqual(itemsOf(raw))
    expect(itemsOf(encoded.toLowerCase())).toEqual(itemsOf(raw))
    expect(read(encoded.replace(/%../g, (escape) => escape.toLowerCase()))).toEqual(read(encoded))
    expect(read(new URLSearchParams([['items.arrival[in]', 'a,"b,c",d\\e']]).toString())).toEqual(read(encoded))
  })

  test('an escape is decoded once', () => {
    expect(read('a%255Bb%255D=%2541')).toEqual([['a%5Bb%5D', undefined, '%41']])
  })
})

describe('items', () => {
  test.each([
    ['', ['']],
    ['x', ['x']],
    ['x,y', ['x', 'y']],
    [',', ['', '']],
    ['x,', ['x', '']],
    ['"x,y",z', ['x,y', 'z']],
    ['""', ['']],
    ['"a\\"b\\\\c"', ['a"b\\c']],
    ['x"y","z"', ['x"y"', 'z']],
    ['x\\,y', ['x\\', 'y']],
    ['\\"x', ['\\"x']],
    ['"%2C%26"', [',&']],
    ['+"x"', [' "x"']],
    ['a%26b,=', ['a&b', '=']],
  ])('%s', (value, expected) => expect(itemsOf(`a=${value}&b=y,z`)).toEqual(expected.map((text) => ({ text }))))

  test.each([
    ['"x', 'unterminated'],
    ['"x\\"', 'unterminated'],
    ['"x\\n"', 'escape'],
    ['"x\\,"', 'escape'],
    ['"x\\n', 'unterminated'],
    ['"x"y', 'text after'],
    ['"x""y"', 'text after'],
  ])('%s is not well quoted', (value, fault) => {
    expect(itemsOf(`a=${value}`).at(-1)!.fault).toBe(fault)
  })
})

describe('reserved pairs', () => {
  const reserved = (text: string, names: readonly string[]) => Object.fromEntries(parseSyntax(text, names).reserved)
  test('are taken out and decoded, in order', () => {
    expect(reserved('k=1&a=x&%6B=%32&k=a%2Bb+c', ['k', 'l'])).toEqual({ k: ['1', '2', 'a+b c'] })
    expect(read('k=1&a=x&k=2', ['k'])).toEqual([['a', undefined, 'x']])
  })
  test('are told by their whole key', () => {
    expect(reserved('page[size]=1&page%5Bno%5D=2&sort..=3', ['page[size]', 'page[no]', 'sort..'])).toEqual({
      'page[size]': ['1'],
      'page[no]': ['2'],
      'sort..': ['3'],
    })
    expect(reserved('k[gte]=1&k.x=2&K=3', ['k'])).toEqual({})
  })
  test('whose names are not well-formed text are no names', () => {
    expect(reserved('k%ff=1&%6b%00=2', ['k'])).toEqual({})
  })
})

describe('malformed pairs', () => {
  test.each([
    ['a=\0', [], 'the character U+0000, which no text may hold', 'leave it out'],
    ['a=\ud800', [], 'half of a surrogate pair, which is no character', expect.anything()],
    ['a.b[]=1', [], 'brackets without an operator', 'several values are one list: "a.b[in]=a,b"'],
    ['[]=1', [], 'a name is missing here', expect.anything()],
    ['apiKey[]=1', ['apiKey'], 'brackets without an operator', 'a condition is path=value or path[operator]=value'],
    ['a.%6bey[]=1', ['key'], 'brackets without an operator', 'a condition is path=value or path[operator]=value'],
    ['a%ff[]=1', [], 'percent-escapes that are no UTF-8', expect.anything()],
    ['a[][0]=%ff', [], 'brackets without an operator', 'several values are one list: "a[in]=a,b"'],
  ])('%j, of which %j is reserved', (text, reserved, message, hint) => {
    const told = parseSyntax(text, reserved).findings.map(({ tell }) => tell())
    expect(told).toEqual([expect.objectContaining({ message, hint })])
  })
  test('a key that cannot be read is not shown', () => {
    const { findings } = parseSyntax('a[]%ff=1', [])
    expect(findings[0]!.tell().hint).toBe('a condition is path=value or path[operator]=value')
  })
})

test('sixteen million escaped letters have room: an expression that repeats a group had none', () => {
  const letters = '%C3%A9'.repeat(16_000_000)
  const [fault] = parseSyntax(`a=${letters}%ff`, []).findings
  expect(fault).toMatchObject({ code: 'syntax_encoding', span: { start: 2, end: letters.length + 5 } })
})

describe('Chevrotain', () => {
  test('finds the grammar sound: no ambiguity, no left recursion, no unreachable alternative', () => {
    // It validates when the parser is built, and throws.
    expect(() => new QueryParser()).not.toThrow()
    expect(Object.keys(new QueryParser().getGAstProductions())).toEqual(['query', 'stray', 'list', 'tail', 'quoted'])
  })

  const parser = new QueryParser()
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

  test('accepts every text of up to four marks', () => {
    let texts = ['']
    for (let length = 0; length <= 4; length++) {
      texts.forEach(checkTotal)
      if (length < 4) texts = texts.flatMap((text) => marks.map((mark) => text + mark))
    }
  }, 120_000)

  test('accepts random texts of marks', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...marks), { maxLength: 60 }), (parts) => checkTotal(parts.join(''))),
      { numRuns: 5_000 },
    )
  })

  test('has every token in its vocabulary', () => {
    expect(vocabulary.map(({ name }) => name).join(' ')).toBe(
      'Ampersand Path Operator Open Close Value Comma Quote Backslash Text',
    )
  })
})
