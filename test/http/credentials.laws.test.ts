import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { digestOf } from '../../src/service/credentials.ts'

test('digestOf is SHA-256, in hexadecimal', async () => {
  for (const text of ['', 'north-key', 'schlüssel']) {
    expect(await digestOf(text)).toBe(createHash('sha256').update(text).digest('hex'))
  }
})
