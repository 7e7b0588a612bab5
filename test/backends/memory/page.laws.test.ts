/** Pages in memory: rows that have the wrong form too, in the order that values have. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Literal } from '../../../src/tree/index.ts'
import { byEffort } from '../../effort.ts'
import { key, text } from '../../query/queries.ts'
import { number, pages, read } from './page.fixture.ts'

describe('at random', () => {
  const types = { name: 'string', total: 'number', gift: 'boolean', day: 'date', when: 'datetime' } as const
  const row = fc.record({
    name: fc.constantFrom('a', 'A', '\u{1F3C4}', '\uffee', '', null, 5),
    total: fc.constantFrom(1, 2, -0.5, 0, -0, NaN, Infinity, -Infinity, '1', null, undefined),
    gift: fc.constantFrom(true, false, null, 'true'),
    day: fc.constantFrom('2024-01-01', '2024-01-02', new Date('2024-01-02T12:00:00Z'), new Date(NaN), 'late', null),
    when: fc.constantFrom('2024-01-01T00:00:00Z', '2024-01-01T01:00:00+01:00', new Date(0), 'late', null),
  })
  const sort = fc
    .shuffledSubarray(Object.keys(types) as (keyof typeof types)[], { minLength: 1 })
    .chain((names) =>
      fc.tuple(
        ...names.map((name) =>
          fc
            .constantFrom('ascending', 'descending')
            .map((direction) => key(name, types[name], direction as 'ascending')),
        ),
      ),
    )
  test('a page of few rows is the beginning of a page of all', () => {
    fc.assert(
      fc.property(fc.array(row, { maxLength: 40 }), sort, fc.integer({ min: 1, max: 5 }), (rows, sort, limit) => {
        expect(read(rows, { sort, limit })).toEqual(read(rows, { sort }).slice(0, limit + 1))
      }),
      { numRuns: byEffort(3_000, 33) },
    )
  })
  test('a position parts the rows in those before it, those at it and those after it', () => {
    const literals: Readonly<Record<string, Literal>> = {
      name: text('\uffee'),
      total: number(1),
      gift: { type: 'boolean', value: true },
      day: { type: 'date', value: '2024-01-02' },
      when: { type: 'datetime', value: '2024-01-01T00:00:00.000Z' },
    }
    fc.assert(
      fc.property(fc.array(row, { maxLength: 40 }), sort, fc.func(fc.boolean()), (rows, sort, isNull) => {
        const values = sort.map(({ path }) => (isNull(path) ? null : literals[path[0]!]!))
        const [after, before] = pages(rows, sort, values)
        const all = read(rows, { sort })
        expect(after).toEqual(after!.length === 0 ? [] : all.slice(-after!.length))
        // Of equal rows the earlier one is read first in either direction.
        expect(new Set(before)).toEqual(new Set(all.slice(0, before!.length)))
        const at = all.slice(before!.length, all.length - after!.length)
        for (const one of at) expect(pages([one], sort, values)).toEqual([[], []])
      }),
      { numRuns: byEffort(3_000, 33) },
    )
  })
})
