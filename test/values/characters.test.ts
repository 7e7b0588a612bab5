/** Characters that no store has, and those that a pattern escapes. */
import { expect, test, vi } from 'vitest'
import { escapePattern, isPlainText } from '../../src/values/characters.ts'

test('isPlainText', () => {
  expect(['', 'a', '\u{1f600}', '\u0001'].every(isPlainText)).toBe(true)
  expect(['\0', 'a\0b', '\ud800', '\udc00\ud800'].some(isPlainText)).toBe(false)
})

test('a pattern has no line break', () => expect(escapePattern('a\n(b)')).toBe('a\\n\\(b\\)'))

test('a second copy of the module gives the same', async () => {
  vi.resetModules()
  const copy = await import('../../src/values/characters.ts')
  expect(copy.escapePattern('a\n(b)')).toBe('a\\n\\(b\\)')
  expect(['a', '\0', '\ud800'].map(copy.isPlainText)).toEqual([true, false, false])
})
