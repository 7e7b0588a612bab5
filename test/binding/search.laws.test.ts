/** The parameter `search`: its words, their filter, and the fields that callers of a narrowed collection can search. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { defineCollection, parseQueryOrThrow, printQuery } from '../../src/index.ts'
import { memoryBackend } from '../../src/backends/memory/index.ts'
import { sameFilter } from '../../src/tree.ts'
import { byEffort } from '../effort.ts'
import { keyed as schema } from '../orders.ts'

const options = { key: 'id', fields: true, count: true, sort: ['name'] } as const
const one = defineCollection(schema, { ...options, search: ['name'] })
const words = (text: string) => parseQueryOrThrow(one, text).search

test('every space of Unicode separates words, raw and encoded, and nothing else does', () => {
  const space = /\p{White_Space}/u
  for (let code = 1; code <= 0xffff; code++) {
    const mark = String.fromCharCode(code)
    if (!mark.isWellFormed() || '"+&%'.includes(mark)) continue
    const expected = space.test(mark) ? ['a', 'b'] : [`a${mark}b`]
    if (!space.test(mark) && code > 0x3000 && code % 97 !== 0) continue
    expect(words(`search=${encodeURIComponent(`a${mark}b`)}`)).toEqual(expected)
    expect(words(`search=a${mark}b`)).toEqual(expected)
  }
})

test('random searches select the rows that have each word in at least one text, print and read back', () => {
  const letter = fc.constantFrom('j', 'o', 'S', 'u', ' ', '"', '\\', '\u00a0', 'ä', 'İ', '%', '_', '+', ',')
  const text = fc.string({ unit: letter, maxLength: 4 })
  const word = fc.string({ unit: letter, minLength: 1, maxLength: 3 })
  const row = fc.record({
    id: fc.nat(),
    name: fc.option(text),
    note: text,
    tags: fc.array(fc.option(text), { maxLength: 2 }),
  })
  const small = defineCollection(schema, { ...options, search: ['name', 'note', 'tags'] })
  fc.assert(
    fc.property(fc.array(row, { maxLength: 4 }), fc.array(word, { minLength: 1, maxLength: 3 }), (some, words) => {
      const box = words.map((one) => `"${one.replace(/["\\]/g, '\\$&')}"`).join(' ')
      const query = parseQueryOrThrow(small, new URLSearchParams({ search: box }))
      expect(query.search).toEqual(words)
      const has = (value: string | null, one: string) => value?.toLowerCase().includes(one.toLowerCase()) === true
      const expected = some.filter(({ name, note, tags }) =>
        words.every((one) => [name, note, ...tags].some((value) => has(value, one))),
      )
      expect(some.filter(memoryBackend().compile(query.filter))).toEqual(expected)
      const again = parseQueryOrThrow(small, printQuery(small, query))
      expect(again.search).toEqual(words)
      expect(sameFilter(again.filter, query.filter)).toBe(true)
    }),
    { numRuns: byEffort(5_000, 100) },
  )
})
