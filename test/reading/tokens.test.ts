/** What the scanner cuts, token by token. That tokens touch is in grammar.test.ts. */
import { expect, test } from 'vitest'
import { scanGroup, scanKey, scanList, vocabulary, type Token } from '../../src/reading/tokens.ts'

/** Name, all of the token, and what it holds where that is less. */
const shown = (text: string, tokens: readonly Token[]) =>
  tokens.map(({ tokenType, startOffset, endOffset, start, end }) => {
    const all = text.slice(startOffset, endOffset)
    const held = text.slice(start, end)
    return `${tokenType.name} ${all}${held === all ? '' : ` (${held})`}`
  })

test('has every token in its vocabulary', () => {
  expect(vocabulary.map(({ name }) => name).join(' ')).toBe(
    'Path Operator Open Close Comma Quote Backslash Text Equals GroupOpen ListOpen Closing TooDeep Rest',
  )
})

test.each([
  ['', ['Path ']],
  ['a.b', ['Path a.b']],
  ['a[b.c]', ['Path a', 'Operator [b.c] (b.c)']],
  ['a%5Bb%5d', ['Path a', 'Operator %5Bb%5d (b)']],
  ['[]', ['Path ', 'Operator [] ()']],
  ['a[b', ['Path a', 'Open [ ()', 'Path b']],
  ['a[b.', ['Path a', 'Open [ ()', 'Path b.']],
  ['a[b[c]', ['Path a', 'Open [ ()', 'Path b', 'Operator [c] (c)']],
  ['a]b.', ['Path a', 'Close ]', 'Path b.']],
  ['a[b].c', ['Path a', 'Operator [b] (b)', 'Path .c']],
  ['a%3D%26', ['Path a%3D%26']],
])('the key %s', (text, expected) => {
  expect(shown(text, scanKey(text, 0, text.length))).toEqual(expected)
  // What follows the key is no part of it, marks least of all.
  const within = `x&${text}=1].y`
  expect(shown(within, scanKey(within, 2, 2 + text.length))).toEqual(expected)
})

test.each([
  ['', 1, 0],
  ['a', 1, undefined],
  ['a.b%2Ec', 3, undefined],
  ['.a', 2, 0],
  ['a..b', 3, 2],
  ['a.%2E', 3, 2],
  ['a.', 2, 2],
])('the path %s has %i names, of which the one at %s is the first that is missing', (text, names, missing) => {
  expect(scanKey(text, 0, text.length)).toMatchObject([{ names, missing }])
})

test.each([
  ['', ['Text ']],
  ['a,b', ['Text a', 'Comma ,', 'Text b']],
  [',', ['Text ', 'Comma ,', 'Text ']],
  ['"a",', ['Quote "', 'Text a', 'Quote "', 'Comma ,', 'Text ']],
  ['a"\\', ['Text a', 'Quote "', 'Backslash \\']],
  ['%22a%5C%22%2c', ['Quote %22', 'Text a', 'Backslash %5C', 'Quote %22', 'Comma %2c', 'Text ']],
  ['\\', ['Text ', 'Backslash \\']],
])('the list %s', (text, expected) => {
  expect(shown(text, scanList(text, 0, text.length))).toEqual(expected)
  const within = `x=${text}&y`
  expect(shown(within, scanList(within, 2, 2 + text.length))).toEqual(expected)
})

test.each([
  ['(a.b[c]=d)', ['GroupOpen (', 'Path a.b', 'Operator [c] (c)', 'Equals =', 'Text d', 'Closing )']],
  ['%28a%5Bc%5d%3Dd%29', ['GroupOpen %28', 'Path a', 'Operator %5Bc%5d (c)', 'Equals %3D', 'Text d', 'Closing %29']],
  ['', ['Rest ']],
  ['a(', ['Rest a(']],
  ['(', ['GroupOpen (', 'Path ']],
  ['()x)', ['GroupOpen (', 'Path ', 'Closing )', 'Rest x)']],
  ['(a', ['GroupOpen (', 'Path a']],
  ['(a,', ['GroupOpen (', 'Path a', 'Comma ,', 'Path ']],
  [
    '(a(b)c,d)',
    ['GroupOpen (', 'Path a', 'GroupOpen (', 'Path b', 'Closing )', 'Rest c', 'Comma ,', 'Path d', 'Closing )'],
  ],
  // A bare operand ends before a comma or the parenthesis that closes.
  ['(a==b(c"[d,', ['GroupOpen (', 'Path a', 'Equals =', 'Text =b(c"[d', 'Comma ,', 'Path ']],
  ['(a=,', ['GroupOpen (', 'Path a', 'Equals =', 'Text ', 'Comma ,', 'Path ']],
  ['(a=b%29', ['GroupOpen (', 'Path a', 'Equals =', 'Text b', 'Closing %29']],
  // In quotes only quotes and backslashes are marks.
  [
    '(a="b),(\\"%22c)',
    [
      'GroupOpen (',
      'Path a',
      'Equals =',
      'Quote "',
      'Text b),(',
      'Backslash \\',
      'Quote "',
      'Quote %22',
      'Text c',
      'Closing )',
    ],
  ],
  ['(a="\\\\"', ['GroupOpen (', 'Path a', 'Equals =', 'Quote "', 'Backslash \\', 'Backslash \\', 'Quote "']],
  [
    '(a="\\\\",b',
    ['GroupOpen (', 'Path a', 'Equals =', 'Quote "', 'Backslash \\', 'Backslash \\', 'Quote "', 'Comma ,', 'Path b'],
  ],
  ['(a="\\n', ['GroupOpen (', 'Path a', 'Equals =', 'Quote "', 'Backslash \\', 'Text n']],
  ['(a="', ['GroupOpen (', 'Path a', 'Equals =', 'Quote "']],
  // Lists.
  ['(a=(b,)', ['GroupOpen (', 'Path a', 'Equals =', 'ListOpen (', 'Text b', 'Comma ,', 'Text ', 'Closing )']],
  [
    '(a=("b"c,(d',
    ['GroupOpen (', 'Path a', 'Equals =', 'ListOpen (', 'Quote "', 'Text b', 'Quote "', 'Text c', 'Comma ,', 'Text (d'],
  ],
  ['(a=(b)c)', ['GroupOpen (', 'Path a', 'Equals =', 'ListOpen (', 'Text b', 'Closing )', 'Rest c', 'Closing )']],
  // After brackets a parenthesis is a list without its "=".
  ['(a[b](c)', ['GroupOpen (', 'Path a', 'Operator [b] (b)', 'ListOpen (', 'Text c', 'Closing )']],
  ['(a](c)', ['GroupOpen (', 'Path a', 'Close ]', 'ListOpen (', 'Text c', 'Closing )']],
  // Beyond two groups, in this test.
  ['(a(b(c(d)),e', ['GroupOpen (', 'Path a', 'GroupOpen (', 'Path b', 'TooDeep (c(d))', 'Comma ,', 'Path e']],
  ['(a(b(c=")("),d', ['GroupOpen (', 'Path a', 'GroupOpen (', 'Path b', 'TooDeep (c=")(")', 'Comma ,', 'Path d']],
  ['(a(b(c)d', ['GroupOpen (', 'Path a', 'GroupOpen (', 'Path b', 'TooDeep (c)', 'Rest d']],
  ['(a(b(c', ['GroupOpen (', 'Path a', 'GroupOpen (', 'Path b', 'TooDeep (c']],
])('the group %s', (text, expected) => {
  expect(shown(text, scanGroup(text, 0, text.length, 2))).toEqual(expected)
  const within = `x=${text}&y)"`
  expect(shown(within, scanGroup(within, 2, 2 + text.length, 2))).toEqual(expected)
})
