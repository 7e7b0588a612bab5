import { describe, expect, test } from 'vitest'
import { FilterError, formatIssue, parseFilter, type Issue } from '../../src/index.ts'
import { secretStart } from '../../src/issue/issue.ts'
import { orders } from '../orders.ts'

const reserved = ['apiKey']
/** The pictures of a text's issues. */
function pictures(text: string): string[] {
  const result = parseFilter(orders, text, { reserved })
  return result.ok ? [] : result.issues.map((issue) => formatIssue(text, issue, { reserved }))
}
const issue = (start: number, end: number): Issue => ({ code: 'field_unknown', message: 'm', span: { start, end } })

describe('formatIssue', () => {
  test('text, carets, message, hint', () => {
    expect(pictures('seller=x&arival[gte]=2024-01-01')).toEqual([
      'seller=x&arival[gte]=2024-01-01\n' +
        '         ^^^^^^\n' +
        'unknown field "arival"\n' +
        'hint: did you mean arrival?',
    ])
  })

  test('an empty span has one caret, also behind the text', () => {
    expect(pictures('a..b=1')[0]!.split('\n').slice(0, 2)).toEqual(['a..b=1', '  ^'])
    expect(pictures('status[in]=')[0]!.split('\n').slice(0, 2)).toEqual(['status[in]=', '           ^'])
    expect(formatIssue('?', issue(1, 1))).toBe('?\n ^\nm')
  })

  test('an issue without a span, or without a hint, has its other lines', () => {
    expect(formatIssue('x', { code: 'backend_unsupported', message: 'm' })).toBe('m')
    expect(formatIssue('x', { code: 'backend_unsupported', message: 'm', hint: 'h' })).toBe('m\nhint: h')
  })

  test('takes what parseFilter takes', () => {
    expect(formatIssue(new URL('http://h/?nope=1'), issue(1, 5))).toBe('?nope=1\n ^^^^\nm')
    expect(formatIssue(new URLSearchParams('nope=1'), issue(0, 4))).toBe('nope=1\n^^^^\nm')
  })

  test('values of reserved pairs are not shown', () => {
    const shown = (text: string) => formatIssue(text, issue(0, 1), { reserved }).split('\n')[0]
    expect(shown('apiKey=s3cret&seller=x')).toBe('apiKey=…&seller=x')
    expect(shown('seller=x&%61piKey=s3cret')).toBe('seller=x&%61piKey=…')
    expect(shown('?apiKey=s3cret')).toBe('?apiKey=…')
    expect(shown('&apiKey=s3cret')).toBe('&apiKey=…')
    expect(shown('apiKey=')).toBe('apiKey=')
    expect(shown('apiKey')).toBe('apiKey')
    // Nor what follows a name that begins like one.
    expect(shown('apiKeys')).toBe('apiKey…')
    expect(shown('apiKey[s3cret]=s3cret')).toBe('apiKey…')
    expect(shown('apikey=s3cret')).toBe('apikey…')
    expect(shown('xapiKey%3Ds3cret=1')).toBe('xapiKey…')
    expect(shown('xapiKey[s3cret]=1')).toBe('xapiKey…')
    expect(shown('%5apiKey[s3cret]=1')).toBe('%5apiKey…')
    expect(shown(':apiKeys3cret=1')).toBe(':apiKey…')
    expect(shown('x:apiKeys3cret=1')).toBe('x:apiKey…')
    expect(shown('apiKey:s3cret,apiKey=1')).toBe('apiKey…')
    expect(shown('%5apiKeys3cret=1')).toBe('%5apiKey…')
    expect(shown('a%3Db%26apiKey%3Ds3cret=1')).not.toContain('s3cret')
    expect(shown('apiKey%3Ds3cret')).toBe('apiKey…')
    expect(shown('?apiKey%ff=s3cret')).toBe('?apiKey…')
    expect(formatIssue('apiKey=s3cret', issue(0, 1))).toContain('s3cret') // without the names nobody knows
  })

  test.each([
    ['the first of several', ['token', 'apiKey'], 'apiKey:s3cret,token=1', 'apiKey…'],
    ['one with a space', ['api key'], 'api+key=s3cret', 'api+key=…'],
    ['one that is no UTF-8 when it is decoded', ['%ff'], '%ff=s3cret', '%ff=…'],
  ])('of reserved names, %s', (_, reserved, text, line) => {
    expect(formatIssue(text, issue(0, 1), { reserved }).split('\n')[0]).toBe(line)
  })

  test('a name that only has a reserved one in it is shown', () => {
    const shown = (text: string, reserved: string[], path?: string, at = 0) => {
      const [line] = formatIssue(text, { ...issue(at, at), ...(path && { path }) }, { reserved }).split('\n')
      return line
    }
    expect(shown('resort=1&homepage.x=1', ['sort', 'page'])).toBe('resort=1&homepage…')
    expect(shown('resort=1&frequency=1', ['sort', 'q'])).toBe('resort=1&frequency=1')
    expect(shown('customerName[zz]=hello', ['me'], 'customerName')).toBe('customerName[zz]=hello')
    expect(shown('customerName[zz]=hello&me=x', ['me'], 'customerName')).toBe('customerName[zz]=hello&me=…')
    // Only the pair that the issue is about is known to be no reserved one: up to its very end.
    expect(shown('customerName[in]=', ['me'], 'customerName', 17)).toBe('customerName[in]=')
    expect(shown('a=1&customerName[zz]=hello', ['me'], 'a')).toBe('a=1&customerName…')
    expect(shown('customerName[zz]=hello&a=1', ['me'], 'a', 23)).toBe('customerName…&a=1')
  })

  test('what other pairs hold is shown', () => {
    const text = 'seller=apiKey:x&=apiKey:x'
    expect(formatIssue(text, issue(0, 6), { reserved })).toBe(`${text}\n^^^^^^\nm`)
  })

  test('a span inside what is not shown points at the …', () => {
    expect(pictures('apiKey[gte]=s3cret&arival=1')).toEqual([
      'apiKey…&arival=1\n^^^^^^\nunknown field',
      expect.stringMatching(/^apiKey…&arival=1\n {8}\^{6}\nunknown field "arival"/),
    ])
    expect(formatIssue('apiKey=s3cret', issue(9, 11), { reserved })).toBe('apiKey=…\n       ^\nm')
  })

  test('what would move, hide or break the line is escaped', () => {
    const text = 'a\nb\u202e\u0007\ud800\u2028=1'
    expect(formatIssue(text, issue(1, 2)).split('\n')).toEqual([
      'a\\u{a}b\\u{202e}\\u{7}\\u{d800}\\u{2028}=1',
      ' ^^^^^',
      'm',
    ])
  })

  test('carets count columns, not UTF-16 units', () => {
    expect(formatIssue('é\u0301\u{1f600}山=x', issue(5, 6))).toBe('é\u0301\u{1f600}山=x\n     ^\nm')
    expect(formatIssue('山田=x', issue(0, 2))).toBe('山田=x\n^^^^\nm')
  })

  test('a long text is cut around the span', () => {
    const cut = (text: string, start: number, end: number) => {
      const [line, carets] = formatIssue(text, issue(start, end)).split('\n') as [string, string]
      expect(line.length).toBeLessThanOrEqual(82)
      return [line, line.slice(carets.indexOf('^'), carets.length)]
    }
    const text = 'x'.repeat(200) + 'FAULT' + 'y'.repeat(200)
    expect(cut(text, 200, 205)).toEqual(['…' + 'x'.repeat(38) + 'FAULT' + 'y'.repeat(37) + '…', 'FAULT'])
    expect(cut('FAULT' + text, 0, 5)).toEqual(['FAULT' + 'x'.repeat(75) + '…', 'FAULT'])
    expect(cut(text + 'FAULT', 405, 410)).toEqual(['…' + 'y'.repeat(75) + 'FAULT', 'FAULT'])
    expect(cut(text, 405, 405)[0]).toBe('…' + 'y'.repeat(80))
    expect(cut(text, 0, 405)).toEqual(['x'.repeat(80) + '…', 'x'.repeat(80)])
    expect(cut('x'.repeat(80), 0, 1)[0]).toBe('x'.repeat(80))
  })
})

test('an option that does not exist is a TypeError: nothing of a reserved value is shown by mistake', () => {
  const show = () => formatIssue('apiKey=s3cret', issue(0, 6), { reservd: ['apiKey'] } as never)
  expect(show).toThrow(new TypeError('options.reservd is unknown; did you mean reserved? (available: reserved)'))
})

test('FilterError carries its issues, the first in its message', () => {
  const one = new FilterError([issue(0, 1)])
  expect(one.message).toBe('m')
  expect(one.issues).toHaveLength(1)
  expect(Object.prototype.toString.call(one)).toBe('[object Error]')
})

test.each([
  ['=aapiKeyb=', 0],
  ['apiKey', 6],
  ['x=apiKeyb', 8],
  ['xapiKey=', 7],
])('a reserved name within %s may be one where a name ends or begins: %i', (text, end) => {
  expect(secretStart(text, text, ['apiKey'])).toBe(end)
})
