/** Counts and texts in interpreted and generated predicates, with results by hand. */
import { describe, expect, test } from 'vitest'
import type { MatchMode } from '../../../src/tree/index.ts'
import { memoryBackend } from '../../../src/backends/memory/index.ts'
import { and, not, or, type Filter } from '../../../src/index.ts'
import { count, match, some } from '../../../src/tree.ts'

/** Returns the common result of the interpreted and the generated predicate. */
function answer(filter: Filter, row: unknown): boolean {
  const [ofFunctions, generated] = [false, true].map((codegen) => memoryBackend({ codegen }).compile(filter)(row))
  expect(generated).toBe(ofFunctions)
  return ofFunctions!
}

describe('counts of entries', () => {
  const rows = [
    { tags: ['a', 'b', 'a'], entries: [{ tags: ['x'] }, { tags: ['x', 'y'] }] },
    { tags: ['a', null, 5], entries: [{}, null, 5] },
    { tags: [], entries: [] },
    { tags: 'abc', entries: { length: 5 } },
    {},
    null,
  ]
  const selected = (filter: Filter) => rows.flatMap((row, at) => (answer(filter, row) ? [at] : []))
  test.each<[operator: 'gte' | 'lte', operand: number, tags: readonly number[], entries: readonly number[]]>([
    ['gte', 0, [0, 1, 2, 3, 4, 5], [0, 1, 2, 3, 4, 5]],
    ['gte', 1, [0, 1], [0, 1]],
    ['gte', 2, [0], [0]],
    ['gte', 3, [0], []],
    ['gte', 4, [], []],
    ['lte', 0, [2, 3, 4, 5], [2, 3, 4, 5]],
    ['lte', 1, [1, 2, 3, 4, 5], [1, 2, 3, 4, 5]],
    ['lte', 2, [1, 2, 3, 4, 5], [0, 1, 2, 3, 4, 5]],
    ['lte', 3, [0, 1, 2, 3, 4, 5], [0, 1, 2, 3, 4, 5]],
  ])('%s %d: %j of texts, %j of objects', (operator, operand, tags, entries) => {
    expect(selected(count(['tags'], 'string', operator, operand))).toEqual(tags)
    expect(selected(count(['entries'], 'object', operator, operand))).toEqual(entries)
    const others = (ids: readonly number[]) => rows.flatMap((_, at) => (ids.includes(at) ? [] : [at]))
    expect(selected(not(count(['tags'], 'string', operator, operand)))).toEqual(others(tags))
  })
  test('in an entry, and beside another condition', () => {
    const inEntry = (filter: Filter) => selected(some(['entries'], filter))
    expect(inEntry(count(['tags'], 'string', 'gte', 2))).toEqual([0])
    expect(inEntry(count(['tags'], 'string', 'lte', 0))).toEqual([1])
    expect(selected(or(count(['tags'], 'string', 'gte', 3), count(['entries'], 'object', 'lte', 0)))).toEqual([
      ...[0, 2, 3, 4, 5],
    ])
    expect(selected(and(count(['tags'], 'string', 'gte', 1), count(['entries'], 'object', 'lte', 1)))).toEqual([1])
  })
  test('generated predicates of one shape keep the operand of each filter', () => {
    const made = [1, 2, 3, 0, 4].map((operand) =>
      memoryBackend({ codegen: true }).compile(count(['tags'], 'string', 'gte', operand)),
    )
    expect(made.map((matches) => matches(rows[0]))).toEqual([true, true, true, true, false])
    const most = [1, 2, 3].map((operand) =>
      memoryBackend({ codegen: true }).compile(count(['tags'], 'string', 'lte', operand)),
    )
    expect(most.map((matches) => matches(rows[0]))).toEqual([false, false, true])
    // The type and the list of a count are parts of the shape.
    const others = [
      count(['tags'], 'integer', 'gte', 1),
      count(['tags'], 'string', 'gte', 1),
      count(['counts'], 'string', 'gte', 1),
    ]
    expect(
      others.map((filter) => memoryBackend({ codegen: true }).compile(filter)({ tags: ['a'], counts: [] })),
    ).toEqual([...[false, true, false]])
  })
})

describe('texts in every mode', () => {
  /** Returns the values that a text matches. */
  const matched = (mode: MatchMode, text: string, ...values: readonly unknown[]) =>
    values.filter((value) => answer(match(['text'], mode, text), { text: value }))
  test.each<[mode: MatchMode, values: readonly string[]]>([
    ['prefix', ['Ab', 'AB', 'Abx', 'abX']],
    ['suffix', ['Ab', 'AB', 'xAb', 'XaB']],
    ['substring', ['Ab', 'AB', 'Abx', 'abX', 'xAb', 'XaB']],
    ['whole', ['Ab', 'AB']],
    ['prefixExact', ['Ab', 'Abx']],
    ['suffixExact', ['Ab', 'xAb']],
    ['substringExact', ['Ab', 'Abx', 'xAb']],
  ])('%s', (mode, expected) => {
    expect(matched(mode, 'Ab', 'Ab', 'AB', 'Abx', 'abX', 'xAb', 'XaB', 'A b', '', 5, null, undefined, ['Ab'])).toEqual(
      expected,
    )
    // 32 and 33 times `Ab` are on both sides of the longest text that becomes a regular expression.
    for (const length of [31, 32, 33, 1_000]) {
      const [text, other] = ['Ab'.repeat(length), 'aB'.repeat(length)]
      const long = (values: readonly string[]) =>
        values.map((value) => value.replace(/ab/i, (part) => (part === 'Ab' ? text : other)))
      const found = matched(mode, text, ...long(['Ab', 'aB', 'Abx', 'abX', 'xAb', 'XaB']), text.slice(1), 5)
      // An object with a length, and another text of the same length.
      expect(matched(mode, text, [text], { length: text.length }, 'Ax'.repeat(length))).toEqual([])
      const isExact = mode.endsWith('Exact')
      const wanted = { prefix: [0, 1, 2, 3], suffix: [0, 1, 4, 5], substring: [0, 1, 2, 3, 4, 5], whole: [0, 1] }
      const exact = { prefixExact: [0, 2], suffixExact: [0, 4], substringExact: [0, 2, 4] }
      const places = isExact ? exact[mode as keyof typeof exact] : wanted[mode as keyof typeof wanted]
      expect(found.length, `${mode} ${length}`).toBe(places.length)
    }
  })
  test('whole folds letters as toLowerCase does', () => {
    expect(matched('whole', 'k', 'k', 'K', '\u212a', 'kk')).toEqual(['k', 'K', '\u212a'])
    expect(matched('whole', 'i', 'i', 'I', '\u0130', '\u0131')).toEqual(['i', 'I', '\u0130'])
    expect(matched('whole', 'a.c', 'a.c', 'abc', 'a.c\n', '\na.c')).toEqual(['a.c'])
  })
})
