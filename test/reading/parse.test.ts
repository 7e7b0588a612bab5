/** Pieces of a text → syntax: pairs and lists, and which fault of a malformed pair is told. */
import { describe, expect, test } from 'vitest'
import { adviser } from '../../src/hints/index.ts'
import { report } from '../../src/issue/issue.ts'
import { sourceOf, valueOf } from '../../src/asked/index.ts'
import { parseGroup, parseList, parsePair } from '../../src/reading/parse.ts'
import type { SyntaxFinding } from '../../src/reading/syntax.ts'

/** The pairs of a text that are well-formed, and what is found in the others. */
function parse(text: string) {
  const source = sourceOf(text)
  const findings: SyntaxFinding[] = []
  return {
    source,
    pairs: source.pairs.flatMap((pair) => parsePair(source, pair, (finding) => findings.push(finding)) ?? []),
    findings,
  }
}

/** Pairs as text: path, operator, value. */
function read(text: string) {
  const { pairs } = parse(text)
  return pairs.map(({ path, operator, value }) => [path.text, operator?.text, value.text])
}

/** The value of the first pair as a list. */
function itemsOf(text: string) {
  const source = sourceOf(text)
  return parseList(source, valueOf(source.pairs[0]!)).map((item) => ({
    text: item.text,
    fault: item.quoteFault,
  }))
}

test('syntax is data: two parses of one text are equal, and a parse changes nothing of one before', () => {
  const text = 'a.b[c]=1&d[x]=2'
  const first = parse(text)
  const pairs = JSON.stringify(first.pairs)
  parse('x[y]=z&x=%ff')
  parseList(first.source, { start: 0, end: text.length })
  expect(JSON.stringify(first.pairs)).toBe(pairs)
  expect(JSON.stringify(parse(text).pairs)).toBe(pairs)
})

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
    ['"x"y', 'text_after'],
    ['"x""y"', 'text_after'],
  ])('%s is not well quoted', (value, fault) => {
    expect(itemsOf(`a=${value}`).at(-1)!.fault).toBe(fault)
  })
})

describe('malformed pairs', () => {
  test.each([
    ['a=\0', 'the character U+0000 is not allowed', 'remove the character'],
    [
      'a=\ud800',
      'lone surrogate: half of a surrogate pair is not a character',
      'do not cut a string inside a surrogate pair',
    ],
    ['a.b[]=1', 'empty brackets: expected an operator', 'write several values as one list: path[in]=a,b'],
    ['[]=1', 'missing field name', 'write a condition as path=value or path[operator]=value'],
    ['a.%6bey[]=1', 'empty brackets: expected an operator', 'write several values as one list: path[in]=a,b'],
    ['a%ff[]=1', 'percent-escapes are not valid UTF-8', 'encode the text with encodeURIComponent'],
    [
      'a[b][1x]=1',
      'unexpected second pair of brackets',
      'write nested fields with dots, and only an operator in brackets: path.path[operator]=value',
    ],
    [
      'a[b][x1]=1',
      'unexpected second pair of brackets',
      'write nested fields with dots, and only an operator in brackets: path.path[operator]=value',
    ],
    [
      'a[b][10]=1',
      'unexpected second pair of brackets',
      'write nested fields with dots, and only an operator in brackets: path.path[operator]=value',
    ],
    [
      'a[b][]=1',
      'unexpected second pair of brackets',
      'write nested fields with dots, and only an operator in brackets: path.path[operator]=value',
    ],
    ['k=%ff', 'percent-escapes are not valid UTF-8', 'encode the text with encodeURIComponent'],
    ['a[][0]=%ff', 'empty brackets: expected an operator', 'write several values as one list: path[in]=a,b'],
  ])('%j', (text, message, hint) => {
    expect(report(parse(text).findings, 9, adviser)).toEqual([expect.objectContaining({ message, hint })])
  })
  test('a pair is kept where its key is at fault and all of it can be read', () => {
    const pairOf = (text: string) => parse(text).findings[0]?.pair
    const pairIn = (group: string) => {
      const findings: SyntaxFinding[] = []
      const source = sourceOf(`or=${group}`)
      parseGroup(source, valueOf(source.pairs[0]!), new Map([['or', 'or']]), (finding) => findings.push(finding))
      return findings[0]?.pair
    }
    expect(pairOf('x=1&a[]=1')).toMatchObject({
      key: { start: 4, end: 7 },
      value: { start: 8, end: 9 },
      isInGroup: false,
      lists: [],
    })
    expect(pairOf('a>1')).toMatchObject({ key: { start: 0, end: 3 }, value: undefined })
    expect(pairIn('(l(or(a[]=1)))')).toMatchObject({
      key: { start: 9, end: 12 },
      isInGroup: true,
      lists: [{ start: 4, end: 5 }],
    })
    for (const text of ['a[]%ff=1', 'a[]=%ff', 'a=%ff', '=1']) expect(pairOf(text), text).toBeUndefined()
    for (const group of ['(a[]=%ff)', 'x']) expect(pairIn(group), group).toBeUndefined()
  })
})
