import { describe, expect, test, vi } from 'vitest'
import { formatIssue } from '../../src/index.ts'
import { printable, quoteName, secretStart } from '../../src/issue/secrets.ts'
import { issue, pictures, reserved } from './picture.fixture.ts'

describe('pictures', () => {
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
    ['one of which a letter has several bytes', ['clé'], 'cl%C3%A9=s3cret', 'cl%C3%A9=…'],
    ['one with a space', ['api key'], 'api+key=s3cret', 'api+key=…'],
    ['one whose bytes are not UTF-8', ['%ff'], '%ff=s3cret', '%ff=…'],
  ])('of reserved names, %s', (_, reserved, text, line) => {
    expect(formatIssue(text, issue(0, 1), { reserved }).split('\n')[0]).toBe(line)
  })

  test('a name that only has a reserved one in it is shown', () => {
    const shown = (text: string, reserved: string[], path?: string, at = 0) => {
      const [line] = formatIssue(text, { ...issue(at, at), ...(path && { path }) }, { reserved }).split('\n')
      return line
    }
    expect(shown('resorts=1&homepages.x=1', ['sort', 'page'])).toBe('resorts=1&homepages.x=1')
    expect(shown('resort=1&homepage.x=1', ['sort', 'page'])).toBe('resort…&homepage…')
    expect(shown('resort=1', ['sort'], 'resort')).toBe('resort=1')
    expect(shown('re%73ort%5Bzz%5D=1', ['sort'], 'resort')).toBe('re%73ort%5Bzz%5D=1')
    expect(shown('resorts=1&frequency=1', ['sort', 'q'])).toBe('resorts=1&frequency=1')
    expect(shown('customerName[zz]=hello', ['me'], 'customerName')).toBe('customerName[zz]=hello')
    expect(shown('customerName[zz]=hello&me=x', ['me'], 'customerName')).toBe('customerName[zz]=hello&me=…')
    // Only the pair that the issue is about is known to be no reserved one: up to its very end.
    expect(shown('customerName[in]=', ['me'], 'customerName', 17)).toBe('customerName[in]=')
    expect(shown('a=1&customerName[zz]=hello', ['me'], 'a')).toBe('a=1&customerName…')
    expect(shown('customerName[zz]=hello&a=1', ['me'], 'a', 23)).toBe('customerName…&a=1')
  })

  test('nor the text after a reserved name in a value', () => {
    const text = 'seller=apiKey:x&=apiKey:x&sort=total,api_key=s3cret'
    expect(formatIssue(text, issue(0, 6), { reserved })).toBe('seller=apiKey…&=apiKey…&sort=total,api_key…\n^^^^^^\nm')
    expect(formatIssue(text, { ...issue(0, 6), path: 'seller' }, { reserved })).toMatch(/^seller=apiKey…&/)
  })

  test('a span inside a secret points at the …', () => {
    expect(pictures('apiKey[gte]=s3cret&arival=1')).toEqual([
      'apiKey…&arival=1\n^^^^^^\nunknown field',
      expect.stringMatching(/^apiKey…&arival=1\n {8}\^{6}\nunknown field "arival"/),
    ])
    expect(formatIssue('apiKey=s3cret', issue(9, 11), { reserved })).toBe('apiKey=…\n       ^\nm')
  })
})

const within: [text: string, end: number][] = [
  ['=aapiKeyb=', 0],
  ['apiKey', 6],
  ['x=apiKeyb', 8],
  ['xapiKey=', 7],
  ['xapiKey', 0],
  ['xapiKey1', 0],
  ['1apiKeyx', 0],
  ['xapiKey_', 7],
  ['.apiKeyx', 7],
  ['_apiKeyx', 7],
  ['api_keyx', 7],
  ['x-API-KEY', 9],
  ['x-API-KEYs', 9],
  ['api key', 7],
  ['api[key]', 7],
  ['a.P.i.K.e.y=s', 11],
  ['apiKe', 0],
  ['apiKe,y', 0],
  // Decoded once, twice, three times; then the offset is that of the decoded text.
  ['%61piKey=s', 6],
  ['%2561piKey=s', 6],
  ['%252561piKey=s', 6],
  ['%25252561piKey=s', 0],
  ['api%5FKey=s', 7],
  ['xapiKeyx=apiKey=s', 15],
  ['xapiKeyapiKey=s', 13],
  // The first letter may be in the escape.
  ['%apiKeyx', 7],
  ['%5apiKeyx', 8],
  ['%gapiKeyx', 0],
  ['\u0130-\u0130.apiKey]s', 10],
]
test.each(within)('a reserved name within %s may be one where a name ends or begins: %i', (text, end) => {
  expect(secretStart(text, ['apiKey'])).toBe(end)
})

test('unprintable characters are escaped', () => {
  expect(printable('a\nb\u202e\ud800c')).toBe('a\\u{a}b\\u{202e}\\u{d800}c')
})

test('a quoted name is cut after 64 characters, not UTF-16 units', () => {
  expect(quoteName('\u{1f600}'.repeat(64))).toBe(`"${'\u{1f600}'.repeat(64)}"`)
  expect(quoteName('x'.repeat(65))).toBe(`"${'x'.repeat(64)}…"`)
})

test('a second copy of the library, such as that of the other format, keeps the same secret', async () => {
  vi.resetModules()
  const copy = await import('../../src/issue/secrets.ts')
  for (const [text, end] of within) expect(copy.secretStart(text, ['apiKey']), text).toBe(end)
})

test.each([
  [['😀a'], 'x😀😀a=s', 6],
  [['a.b'], 'a.b=s', 3],
  [['a*b'], 'aab=s', 0],
  [['a*b'], 'a*b=s', 3],
  [['X-API-KEY'], 'xapikey=s', 7],
  [['-'], 'a-=s', 2],
  [['$()*+/?\\^{|}'], '$()*+/?\\^{|}=s', 12],
  [['token', 'apiKey'], 'apiKey:token', 6],
  [[], 'apiKey=s', 0],
])('of the reserved names %j, in %s one ends at %i', (names, text, end) => {
  expect(secretStart(text, names)).toBe(end)
})

test('the search takes linear time', () => {
  const timeOf = (text: string) => {
    const start = performance.now()
    expect(secretStart(text, ['apiKey'])).toBe(0)
    return performance.now() - start
  }
  for (const part of ['apiKe', 'a-', 'a%2525', '%25', 'xapiKeyx', '-'])
    expect(timeOf(part.repeat(20_000))).toBeLessThan(500)
})
