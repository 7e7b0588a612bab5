import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { digestOf, readBasic } from '../../src/service/credentials.ts'

test('digestOf is SHA-256, in hexadecimal', async () => {
  for (const text of ['', 'north-key', 'schlüssel']) {
    expect(await digestOf(text)).toBe(createHash('sha256').update(text).digest('hex'))
  }
})

test('a header of a megabyte is read fast', () => {
  expect(readBasic('Basic ' + 'A'.repeat(1_000_000))).toBeUndefined()
  expect(readBasic('Basic ' + ' '.repeat(1_000_000) + '!')).toBeUndefined()
})
