/** What the demo's accounts do for a name and a password: the same work for an unknown name as for a wrong password, counted. */
import { beforeEach, expect, test, vi } from 'vitest'
import { demoAccounts, makeAccounts } from '../../docs/demo/accounts.ts'
import { digestOf } from '../../src/service/index.ts'

const work = vi.hoisted((): string[] => [])
vi.mock('node:crypto', async (original) => {
  const crypto = await original<typeof import('node:crypto')>()
  const scrypt = (...args: Parameters<typeof crypto.scrypt>) => {
    const [, salt, length] = args
    work.push(`scrypt, ${salt.toString().length > 0 ? 'salted' : 'not salted'}, ${length} bytes`)
    crypto.scrypt(...args)
  }
  const timingSafeEqual = (a: NodeJS.ArrayBufferView, b: NodeJS.ArrayBufferView) => {
    work.push(`comparison of ${a.byteLength} with ${b.byteLength} bytes`)
    return crypto.timingSafeEqual(a, b)
  }
  return { ...crypto, scrypt, timingSafeEqual }
})

const accounts = await makeAccounts()
beforeEach(() => void work.splice(0))

const whole = ['scrypt, salted, 32 bytes', 'comparison of 32 with 32 bytes']
test.each([
  ['the right password', 'north', 'north-password', true],
  ['a wrong password', 'north', 'south-password', false],
  ['no password', 'north', '', false],
  ['an unknown name', 'nobody', 'north-password', false],
  ['no name', '', '', false],
  ['a name that objects inherit', '__proto__', 'x', false],
  ['a long password', 'nobody', 'x'.repeat(10_000), false],
])('%s: one hash, one comparison of all of it', async (_, name, password, isRight) => {
  const found = await accounts.byPassword(name, password)
  expect(found !== undefined).toBe(isRight)
  expect(work).toEqual(whole)
})

test('a key is looked for by its digest, without a hash of its own', async () => {
  const keyDigest = await digestOf('south-key')
  expect((await accounts.byKeyDigest(keyDigest))?.principal).toBe(demoAccounts[1])
  expect(await accounts.byKeyDigest(keyDigest.replace(/.$/, 'x'))).toBe(undefined)
  expect(work).toEqual([])
})
