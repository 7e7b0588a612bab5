/** Groups: each production, law and fault, worked out by hand from the design. */
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { FilterError, not, or, parseFilter, parseFilterOrThrow, printFilter } from '../../src/index.ts'
import type { Filter, Schema } from '../../src/index.ts'
import { checkFilter, children, sameFilter } from '../../src/tree.ts'
import { someFilter, someSchema } from '../../src/kit/arbitraries.ts'
import { byEffort } from '../effort.ts'
import { orders } from '../orders.ts'
import { groups, read, both, paid, held, meanings, issuesOf } from './groups.fixture.ts'

describe('the meaning', () => {
  test('is the same for a second copy of the library, such as that of the other format', async () => {
    vi.resetModules()
    const copy = await import('../../src/index.ts')
    for (const [text, filter, printed = text] of meanings) {
      expect(sameFilter(copy.parseFilterOrThrow(orders, text, groups), filter), text).toBe(true)
      expect(copy.printFilter(orders, filter, groups)).toBe(printed)
    }
  })
})

describe('limits', () => {
  test('8 nested groups are printed; each deeper one is an issue', () => {
    const word = fc.constantFrom('and', 'or', 'not')
    const nested = fc.array(word, { minLength: 8, maxLength: 8 }).map(([first, ...inner]) => {
      const text = inner.reduceRight((rest, one, at) => `seller=${at},${one}(total=1,${rest})`, 'gift=true')
      return `${first}=(${text})`
    })
    fc.assert(
      fc.property(nested, (text) => {
        const filter = read(text)
        expect(sameFilter(read(printFilter(orders, filter, groups)), filter), text).toBe(true)
      }),
      { numRuns: byEffort(2_000, 20) },
    )
    const deep = (depth: number): Filter => (depth === 0 ? paid : or(not(deep(depth - 1)), held))
    const print = (filter: Filter) => printFilter(orders, filter, groups)
    expect(sameFilter(read(print(deep(4))), deep(4))).toBe(true)
    try {
      expect(print(or(deep(5), not(deep(4))))).toBe('refused')
    } catch (error) {
      expect((error as FilterError).issues.map(({ message }) => message)).toEqual([
        'a query string cannot express this filter of kind or here',
        'a query string cannot express this filter of kind or here',
      ])
    }
  })

  test.each([
    ['(', '('],
    ['%28', '%28'],
    ['not(', 'not('],
    ['not%28', 'not%28'],
    ['a=(', 'a=('],
    [')', ')'],
    [',', ','],
    ['"', '"'],
    ['tags=("', 'tags=("'],
    ['and(a=1,', 'and(a=1,'],
    ['()', '()'],
    ['\\', '\\'],
  ])('16 kB of %s are read without a stack of their own', (_, part) => {
    for (const before of ['or=', 'or=(', 'or=(seller=', 'or=(seller="']) {
      const text = (before + part.repeat(16_384)).slice(0, 16_384)
      for (const one of [text, text.slice(0, -100) + ')'.repeat(100)]) {
        const issues = issuesOf(one, { limits: { pairs: Infinity, depth: Infinity } })
        for (const { span } of issues) expect(span!.start <= span!.end && span!.end <= one.length).toBe(true)
        expect(issues.length).toBeGreaterThan(0)
      }
    }
  })
})

describe('whatever the text', () => {
  const parts = [
    ...['(', ')', ',', '=', '"', '\\', '[', ']', '.', '&', '%28', '%29', '%2C', '%3D', '%22', '%5c', '%', '%ff', '+'],
    ...[
      'and',
      'or',
      'not',
      'or=(',
      'and(',
      'not(',
      'items(',
      'tags(',
      'items',
      'price',
      'total',
      'tags',
      '1',
      'a',
      'é',
    ],
    ...['[gte]', '[in]', '[range]', '=1', 'total=1', 'price=1', '[in]=(1,2)', 'seller="a,b"', '\ud800', '\0'],
  ]
  const someText = fc.array(fc.constantFrom(...parts), { maxLength: 40 }).map((given) => given.join(''))
  test('it gives a filter, or issues with spans inside the text', () => {
    fc.assert(
      fc.property(fc.constantFrom('', 'or=', 'or=(', 'and=(items('), someText, (before, rest) => {
        const text = before + rest
        const result = parseFilter(orders, text, groups)
        if (result.ok) {
          expect(() => checkFilter(structuredClone(result.filter))).not.toThrow()
          expect(sameFilter(read(printFilter(orders, result.filter, groups)), result.filter)).toBe(true)
          return
        }
        for (const { span } of result.issues) {
          expect(span!.start).toBeGreaterThanOrEqual(0)
          expect(span!.start).toBeLessThanOrEqual(span!.end)
          expect(span!.end).toBeLessThanOrEqual(text.length)
        }
      }),
      { numRuns: byEffort(3_000, 33) },
    )
  })
})

describe('whatever the filter', () => {
  /** What no builder makes: groups of one, and groups in groups of their kind. */
  const someTree = (schema: Schema): fc.Arbitrary<Filter> => {
    const tree = (depth: number): fc.Arbitrary<Filter> => {
      const leaf = someFilter(schema)
      if (depth === 0) return leaf
      const inner = tree(depth - 1)
      const members = fc.array(inner, { minLength: 1, maxLength: 3 })
      return fc.oneof(
        { weight: 3, arbitrary: leaf },
        { weight: 1, arbitrary: inner.map(not) },
        { weight: 2, arbitrary: members.map((filters) => both(...filters)) },
        { weight: 2, arbitrary: members.map((filters): Filter => ({ kind: 'or', filters })) },
      )
    }
    return tree(2)
  }
  const isEmpty = (filter: Filter): boolean =>
    ('filters' in filter && filter.filters.length === 0) ||
    (filter.kind === 'membership' && filter.operands.length === 0)
  const hasEmpty = (filter: Filter): boolean => isEmpty(filter) || children(filter).some(hasEmpty)
  /** At most so many parentheses are inside one another. */
  const levels = (filter: Filter): number =>
    (children(filter).length === 1 ? 2 : 1) + Math.max(0, ...children(filter).map(levels))

  test('it is printed, and read as the same filter', () => {
    const counts = { said: 0, refused: 0 }
    fc.assert(
      fc.property(
        someSchema.chain((schema) => fc.tuple(fc.constant(schema), someTree(schema))),
        ([schema, filter]) => {
          let text
          try {
            text = printFilter(schema, filter, groups)
          } catch (error) {
            expect(error).toBeInstanceOf(FilterError)
            expect(hasEmpty(filter) || levels(filter) > 8).toBe(true)
            counts.refused++
            return
          }
          const most = { length: Infinity, pairs: Infinity, list: Infinity, searches: Infinity }
          const limits = { ...most, depth: Infinity, operand: Infinity }
          for (const one of [text, new URLSearchParams(text)]) {
            const parsed = parseFilterOrThrow(schema, one, { ...groups, limits })
            expect(sameFilter(parsed, filter), text).toBe(true)
          }
          counts.said++
        },
      ),
      { numRuns: byEffort(1_500, 50) },
    )
    // A third is refused.
    expect(counts.said).toBeGreaterThan(counts.refused)
  })
})
