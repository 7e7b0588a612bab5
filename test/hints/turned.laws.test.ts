/** The laws of hints and suggestions, on random texts in the spellings of other APIs. */
import { describe, expect, test } from 'vitest'
import { defineCollection, defineSchema, field, parseQuery, type Filter } from '../../src/index.ts'
import { memoryBackend } from '../../src/backends/memory/index.ts'
import { byEffort } from '../effort.ts'
import { consequences, endsIn, lossOf, randomFrom, sample, selects, rows, type Library } from './meanings.ts'
import { keyed } from '../orders.ts'

const schema = defineSchema({ ...keyed.fields, createdAt: field.datetime() })
const memory = memoryBackend()

const libraryWith = (groups: boolean): Library => {
  const collection = defineCollection(schema, {
    ...{ key: 'id', sort: ['id', 'total', 'createdAt'], fields: true, facets: ['status', 'total', 'note'] },
    ...{ search: ['note'], offset: { max: 100 }, groups },
  })
  return {
    ...{ collection, schema, parse: (text) => parseQuery(collection, text) },
    matches: (filter: Filter, row) => memory.compile(filter)(row),
  }
}

describe.each([true, false])('with groups: %s', (groups) => {
  const library = libraryWith(groups)
  const random = randomFrom(47)
  const samples = Array.from({ length: byEffort(100_000, 1_000) }, () => sample(random))

  test('hints and suggestions keep negations, directions and bounds', () => {
    let led = 0
    const lost: string[] = []
    for (const one of samples)
      for (const text of consequences(library, one)) {
        led++
        const loss = lossOf(library, one.meaning, text)
        if (loss !== undefined) lost.push(`${one.text} → ${text}: ${loss}`)
      }
    expect(lost).toEqual([])
    expect(led).toBeGreaterThan(samples.length / 2)
  })
  test('suggestions end', () => {
    const pairs = samples.map(({ text }, at) => (at % 3 === 0 ? `${text}&${samples[at - 1]?.text ?? 'totl=1'}` : text))
    expect(pairs.filter((text) => !endsIn(library.parse, text))).toEqual([])
  })
})

test('the oracle finds a loss of each kind', () => {
  const library = libraryWith(true)
  const condition = { path: 'total', relation: 'gt', operands: ['5'], isNegated: false } as const
  const lossIn = (meaning: Parameters<typeof lossOf>[1], text: string) => lossOf(library, meaning, text)
  expect(lossIn({ kind: 'condition', condition }, 'total[gt]=5')).toBe(undefined)
  expect(lossIn({ kind: 'condition', condition }, 'total=5')).toBe('bound')
  expect(lossIn({ kind: 'condition', condition }, 'total[gte]=5')).toBe('bound')
  expect(lossIn({ kind: 'condition', condition: { ...condition, isNegated: true } }, 'total[gt]=5')).toBe('negation')
  expect(lossIn({ kind: 'order', path: 'total', isDescending: true }, 'sort=total')).toBe('direction')
  expect(lossIn({ kind: 'order', path: 'note', isDescending: true }, 'note=desc')).toBe('direction')
  expect(lossIn({ kind: 'without', path: 'total' }, 'fields=total')).toBe('negation')
  expect(
    endsIn(
      (text) =>
        ({
          ...library.parse(text),
          ok: false,
          issues: [{ suggestion: { span: { start: 0, end: 1 }, insert: text[0]! } }],
        }) as never,
      'a=1',
    ),
  ).toBe(false)
  expect(rows.some((row) => selects(condition, row)) && rows.some((row) => !selects(condition, row))).toBe(true)
})
