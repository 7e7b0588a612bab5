/** Texts of many letters are decoded without a stack of their own. */
import { expect, test } from 'vitest'
import { decodingFault, sourceOf } from '../../src/asked/source.ts'
import { byEffort } from '../effort.ts'

test('millions of escaped letters have room: an expression that repeats a group had none', () => {
  const letters = '%C3%A9'.repeat(byEffort(16_000_000, 4_000_000))
  const text = `a=${letters}%ff`
  expect(decodingFault(sourceOf(text), { start: 2, end: text.length })).toEqual({
    kind: 'invalid_utf8',
    start: 2,
    end: text.length,
  })
})
