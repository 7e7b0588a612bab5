import { describe, expect, test } from 'vitest'
import { isBasic, readBasic, sameDigest } from '../../src/service/credentials.ts'

describe('readBasic', () => {
  const basic = (text: string, scheme = 'Basic') => `${scheme} ${Buffer.from(text, 'utf8').toString('base64')}`
  test.each([
    [basic('north:secret'), { name: 'north', password: 'secret' }],
    [basic('north:se:cr:et'), { name: 'north', password: 'se:cr:et' }],
    [basic('north:'), { name: 'north', password: '' }],
    [basic(':secret'), { name: '', password: 'secret' }],
    [basic('jörg:pässword€'), { name: 'jörg', password: 'pässword€' }],
    [basic('\ufeffnorth:x'), { name: '\ufeffnorth', password: 'x' }],
    [basic('north:secret', 'bAsIc'), { name: 'north', password: 'secret' }],
    [basic('north:secret', 'BASIC   '), { name: 'north', password: 'secret' }],
    [basic('a:b').replace(/=+$/, ''), { name: 'a', password: 'b' }],
    [null, undefined],
    ['', undefined],
    ['Basic', undefined],
    ['Basic ', undefined],
    ['Basic !!!!', undefined],
    ['Basic YTpi YTpi', undefined],
    ['Basic YTpi, Basic YTpi', undefined], // sent twice
    ['Basic a', undefined],
    [basic('north'), undefined], // no colon
    [`Basic ${Buffer.from([0x61, 0x3a, 0xff]).toString('base64')}`, undefined], // no UTF-8
    [basic('a:b\0'), undefined],
    [basic('a\n:b'), undefined],
    [basic('a:b\x7f'), undefined],
    [`Bearer ${Buffer.from('a:b').toString('base64')}`, undefined],
    [`Basic${Buffer.from('a:b').toString('base64')}`, undefined],
  ])('%j', (header, expected) => expect(readBasic(header)).toEqual(expected))

  test('isBasic tells the scheme, well used or not', () => {
    expect(['Basic', 'basic x', 'BASIC YTpi'].every(isBasic)).toBe(true)
    expect([null, '', 'Bearer basic', 'Basicx'].some(isBasic)).toBe(false)
  })
})

describe('sameDigest', () => {
  test('is equality', () => {
    expect(sameDigest('abc', 'abc')).toBe(true)
    for (const other of ['abd', 'ab', 'abcd', '']) {
      expect([sameDigest('abc', other), sameDigest(other, 'abc')], other).toEqual([false, false])
    }
  })

  test('looks at every character, wherever the first difference is', () => {
    const digest = 'a'.repeat(64)
    const looked = (at: number) => {
      let count = 0
      const watched = { length: 64, charCodeAt: (index: number) => (count++, index === at ? 0x62 : 0x61) }
      expect(sameDigest(watched as unknown as string, digest)).toBe(at === 64)
      return count
    }
    expect([0, 31, 63, 64].map(looked)).toEqual([64, 64, 64, 64])
  })
})
