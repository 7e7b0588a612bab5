import { describe, expect, test, vi } from 'vitest'
import { formatIssue } from '../../src/index.ts'
import { issue, pictures, reserved } from './picture.fixture.ts'

describe('formatIssue', () => {
  test('text, carets, message, hint', () => {
    expect(pictures('seller=x&arival[gte]=2024-01-01')).toEqual([
      'seller=x&arival[gte]=2024-01-01\n' +
        '         ^^^^^^\n' +
        'unknown field "arival"\n' +
        'hint: did you mean arrival?',
    ])
  })

  test('the question mark is shown once', () => {
    expect(formatIssue('?a=1&nope=1', issue(5, 9))).toBe('?a=1&nope=1\n     ^^^^\nm')
  })

  test('an empty span has one caret, also behind the text', () => {
    expect(pictures('a..b=1')[0]!.split('\n').slice(0, 2)).toEqual(['a..b=1', '  ^'])
    expect(pictures('status[in]=')[0]!.split('\n').slice(0, 2)).toEqual(['status[in]=', '           ^'])
    expect(formatIssue('?', issue(1, 1))).toBe('?\n ^\nm')
  })

  test('an issue without a span, or without a hint, has its other lines', () => {
    expect(formatIssue('x', { code: 'backend_unsupported', fault: 'server', message: 'm', parameters: {} })).toBe('m')
    expect(
      formatIssue('x', { code: 'backend_unsupported', fault: 'server', message: 'm', hint: 'h', parameters: {} }),
    ).toBe('m\nhint: h')
  })

  test('accepts the texts that parseFilter accepts', () => {
    expect(formatIssue(new URL('http://h/?nope=1'), issue(1, 5))).toBe('?nope=1\n ^^^^\nm')
    expect(formatIssue(new URLSearchParams('nope=1'), issue(0, 4))).toBe('nope=1\n^^^^\nm')
  })

  test('characters that would move, hide or break the line are escaped', () => {
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

test('a wrong argument is a TypeError that names it', () => {
  const issue = {
    code: 'field_unknown',
    fault: 'client',
    message: 'unknown field',
    span: { start: 0, end: 1 },
    parameters: { problem: 'name', name: null, advice: [] },
  } as const
  expect(() => formatIssue(issue as never, undefined as never)).toThrow(/^text must be/)
  expect(() => formatIssue('a=1', undefined as never)).toThrow(new TypeError('issue must be one that parsing returned'))
  for (const reserved of ['apiKey', null, [5]]) {
    expect(() => formatIssue('a=1', issue, { reserved } as never)).toThrow(
      new TypeError('options.reserved must be an array of strings'),
    )
  }
  expect(() => formatIssue('a=1', [issue] as never)).toThrow(new TypeError('issue must be one that parsing returned'))
})

test('an option that does not exist is a TypeError: nothing of a reserved value is shown by mistake', () => {
  const show = () => formatIssue('apiKey=s3cret', issue(0, 6), { reservd: ['apiKey'] } as never)
  expect(show).toThrow(new TypeError('options.reservd is unknown; did you mean reserved? (available: reserved)'))
})

test('a second copy of the library, such as that of the other format, draws the same', async () => {
  vi.resetModules()
  const copy = await import('../../src/issue/index.ts')
  const text = '?a\nb\u202e\ud800\u2028\u2029=1&apiKey=s3cret'
  expect(copy.formatIssue(text, issue(2, 3), { reserved })).toBe(
    '?a\\u{a}b\\u{202e}\\u{d800}\\u{2028}\\u{2029}=1&apiKey=…\n  ^^^^^\nm',
  )
})
