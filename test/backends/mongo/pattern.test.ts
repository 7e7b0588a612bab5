/** The operators of each mode, from a new copy of the module: the module makes its table at load time. */
import { expect, test, vi } from 'vitest'
import type { Match } from '../../../src/tree.ts'

const end = '(?![\\s\\S])'
test.each<[mode: Match['mode'], text: string, ofAnyCase: object, ofLower: object]>([
  ['prefix', 'Ab.', { $regex: '^ab\\.', $options: 'i' }, { $regex: '^ab\\.' }],
  ['suffix', 'Ab', { $regex: `ab${end}`, $options: 'i' }, { $regex: `ab${end}` }],
  ['substring', 'Ab', { $regex: 'ab', $options: 'i' }, { $regex: 'ab' }],
  ['whole', 'Ab', { $regex: `^ab${end}`, $options: 'i' }, { $eq: 'ab' }],
  ['whole', '1.', { $eq: '1.' }, { $eq: '1.' }],
  ['prefixExact', 'Ab.', { $regex: '^Ab\\.' }, { $regex: '^Ab\\.' }],
  ['suffixExact', 'Ab', { $regex: `Ab${end}` }, { $regex: `Ab${end}` }],
  ['substringExact', 'Ik', { $regex: 'Ik' }, { $regex: 'Ik' }],
  ['prefix', '12', { $regex: '^12' }, { $regex: '^12' }],
])('%s of %s', async (mode, text, ofAnyCase, ofLower) => {
  vi.resetModules()
  const { matchOf } = await import('../../../src/backends/mongo/pattern.ts')
  const match: Match = { kind: 'match', path: ['a'], mode, text }
  expect(matchOf(match, false)).toEqual(ofAnyCase)
  expect(matchOf(match, true)).toEqual(ofLower)
})

test('a letter that MongoDB folds to another letter becomes a class, and a whole text with such a letter becomes a pattern', async () => {
  vi.resetModules()
  const { matchOf } = await import('../../../src/backends/mongo/pattern.ts')
  const { $regex, $options } = matchOf({ kind: 'match', path: ['a'], mode: 'whole', text: 'k' }, false) as Record<
    string,
    string
  >
  expect($options).toBeUndefined()
  for (const text of ['k', 'K', '\u212a']) expect(new RegExp($regex!, 'u').test(text), text).toBe(true)
  for (const text of ['', 'kk', 'x', 'k\n']) expect(new RegExp($regex!, 'u').test(text), text).toBe(false)
})
