/** The position as a filter, and the laws of pages over rows in memory. */
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { byEffort } from '../../effort.ts'
import { memoryBackend } from '../../../src/backends/memory/index.ts'
import { pageOf } from '../../../src/backends/memory/page.ts'
import { and, type Filter } from '../../../src/index.ts'
import type { Literal, LiteralType } from '../../../src/tree.ts'
import { cursorOf, positionOfCursor } from '../../../src/query/page/cursor.ts'
import { mostSortKeys, partsOfPosition, positionFilter, readingDirection } from '../../../src/query/page/order.ts'
import { toPage } from '../../../src/query/page/page.ts'
import { checkQuery, type Position, type Query, type SortKey } from '../../../src/query/page/query.ts'
import { at, id, integer, key, of } from './queries.ts'

/** A filter in short. */
function short(filter: Filter): string {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return `${filter.kind}(${filter.filters.map(short).join(', ')})`
    case 'not':
      return `not(${short(filter.filter)})`
    case 'presence':
      return `presence(${filter.path.join('.')})`
    case 'comparison':
      return `${filter.operator}(${filter.path.join('.')}, ${filter.operand.value})`
    default:
      return filter.kind
  }
}

describe('the position as a filter', () => {
  const a = key('a', 'integer')
  const b = key('b', 'integer', 'descending')
  const flag = key('f', 'boolean')
  const yes: Literal = { type: 'boolean', value: true }
  const no: Literal = { type: 'boolean', value: false }
  const positions: [string, SortKey[], Position['toward'], (Literal | null)[], string][] = [
    ['one key', [id], 'next', [integer(5)], 'gt(id, 5)'],
    ['backwards', [a], 'previous', [integer(5)], 'or(lt(a, 5), not(presence(a)))'],
    ['a required key, backwards', [id], 'previous', [integer(5)], 'lt(id, 5)'],
    [
      'required keys, backwards',
      [{ ...a, required: true }, id],
      'previous',
      [integer(1), integer(5)],
      'and(lte(a, 1), or(lt(a, 1), and(eq(a, 1), lt(id, 5))))',
    ],
    [
      'two keys, the second descending',
      [a, b],
      'next',
      [integer(1), integer(2)],
      'and(gte(a, 1), or(gt(a, 1), and(eq(a, 1), or(lt(b, 2), not(presence(b))))))',
    ],
    [
      'two keys, backwards',
      [a, b],
      'previous',
      [integer(1), integer(2)],
      'and(or(lte(a, 1), not(presence(a))), or(lt(a, 1), not(presence(a)), and(eq(a, 1), gt(b, 2))))',
    ],
    ['no value, ascending', [a, id], 'next', [null, integer(2)], 'or(presence(a), and(not(presence(a)), gt(id, 2)))'],
    ['no value, descending', [b, id], 'next', [null, integer(2)], 'and(not(presence(b)), gt(id, 2))'],
    ['false', [flag, id], 'next', [no, integer(2)], 'or(eq(f, true), and(eq(f, false), gt(id, 2)))'],
    ['true', [flag, id], 'next', [yes, integer(2)], 'and(eq(f, true), gt(id, 2))'],
    [
      'true, backwards',
      [flag, id],
      'previous',
      [yes, integer(2)],
      'or(eq(f, false), not(presence(f)), and(eq(f, true), lt(id, 2)))',
    ],
  ]
  test.each(positions)('%s', (_, sort, toward, values, expected) => {
    expect(short(positionFilter(of(sort, at(toward, ...values))))).toBe(expected)
  })
  test('is the same for a second copy of the library, such as that of the other format', async () => {
    vi.resetModules()
    const copy = await import('../../../src/query/page/order.ts')
    for (const [what, sort, toward, values, expected] of positions)
      expect(short(copy.positionFilter(of(sort, at(toward, ...values)))), what).toBe(expected)
  })
  test('read backwards, the directions are turned round', () => {
    const { position } = at('previous', integer(1))
    expect([a, b].map((one) => readingDirection(one, position))).toEqual(['descending', 'ascending'])
    expect([a, b].map((one) => readingDirection(one, undefined))).toEqual(['ascending', 'descending'])
  })
  test('no position is every row', () => expect(positionFilter(of([id]))).toEqual(and()))
  test('a position in more keys than a text may ask for is refused where its filter nests too deep', () => {
    const keys = (count: number) => Array.from({ length: count }, (_, place) => key(`k${place}`, 'integer'))
    const partsOf = (count: number) =>
      partsOfPosition(of(keys(count), at('next', ...keys(count).map((_, place) => integer(place)))))
    expect(partsOf(mostSortKeys)).toHaveLength(2)
    expect(partsOf(mostSortKeys + 1)).toHaveLength(2)
    expect(() => partsOf(60)).toThrow(/^query\.position/)
  })
})

describe('laws of pages, at random', () => {
  const row = fc.record({
    name: fc.constantFrom('a', 'A', 'b', '\u{1F3C4}', '\uffff', 'ä', null, 5),
    total: fc.constantFrom(1, 2, -0.5, null, undefined),
    gift: fc.constantFrom(true, false, null),
    day: fc.constantFrom('2024-01-01', '2024-01-02', new Date('2024-01-02T12:00:00Z'), null),
    when: fc.constantFrom('2024-01-01T00:00:00Z', '2024-01-01T01:00:00+01:00', new Date(0), null),
  })
  const types = { name: 'string', total: 'number', gift: 'boolean', day: 'date', when: 'datetime' } as const
  const directions = fc.constantFrom('ascending', 'descending')
  const sortOf = fc
    .subarray(Object.keys(types) as (keyof typeof types)[])
    .chain((names) =>
      fc.tuple(
        fc.shuffledSubarray(names, { minLength: names.length }),
        fc.array(directions, { minLength: 6, maxLength: 6 }),
      ),
    )
    .map(([names, ways]) => [
      ...names.map((name, at) => key(name, types[name], ways[at]!)),
      key('id', 'integer', ways[names.length]!),
    ])
  /** Rows whose sort values have the type of their field: a cursor cannot express other values. */
  const clean = (rows: readonly object[]) =>
    rows.map((one, at) => ({ ...one, ...('name' in one && one.name === 5 ? { name: null } : {}), id: at }))

  const read = (query: Query, rows: readonly unknown[]) => {
    const { compile } = memoryBackend()
    return toPage(query, pageOf(checkQuery(query), compile(query.filter))(rows).rows)
  }
  const walk = (query: Query, rows: readonly unknown[], toward: Position['toward'], cursor?: string) => {
    const pages: (readonly unknown[])[] = []
    for (;;) {
      const position = cursor === undefined ? undefined : positionOfCursor(cursor, query.sort)
      const page = read({ ...query, ...(position && { position }) }, rows)
      if (toward === 'next') pages.push(page.rows)
      else pages.unshift(page.rows)
      cursor = toward === 'next' ? page.next : page.previous
      if (cursor === undefined) return pages.flat()
    }
  }
  test('walks forwards, backwards and back and forth give each row once, in order', () => {
    fc.assert(
      fc.property(fc.array(row, { maxLength: 30 }), sortOf, fc.integer({ min: 1, max: 7 }), (given, sort, limit) => {
        const rows = clean(given)
        const query = of(sort, { limit })
        const all = read(of(sort, { limit: 1_000 }), rows).rows
        expect(all).toHaveLength(rows.length)
        expect(walk(query, rows, 'next')).toEqual(all)
        const end = cursorOf(sort, {
          toward: 'previous',
          values: sort.map(({ type, direction }) => (direction === 'ascending' ? last[type] : null)),
        })
        const endIsBeyond = sort.every(({ direction }) => direction === 'ascending')
        if (endIsBeyond) expect(walk(query, rows, 'previous', end)).toEqual(all)
        // From each page back to the one before it.
        let page = read(query, rows)
        while (page.next !== undefined) {
          const next = read({ ...query, position: positionOfCursor(page.next, sort)! }, rows)
          expect(next.previous).toBeDefined()
          const back = read({ ...query, position: positionOfCursor(next.previous!, sort)! }, rows)
          expect(back.rows).toEqual(page.rows)
          page = next
        }
      }),
      { numRuns: byEffort(2_000, 40) },
    )
  })
  const last: Readonly<Record<LiteralType, Literal>> = {
    string: { type: 'string', value: '\u{10ffff}' },
    integer: { type: 'integer', value: 1_000 },
    number: { type: 'number', value: 1_000 },
    boolean: { type: 'boolean', value: true },
    date: { type: 'date', value: '9999-12-31' },
    datetime: { type: 'datetime', value: '9999-12-31T00:00:00.000Z' },
  }
  test('the order is the one that sorting by hand gives', () => {
    fc.assert(
      fc.property(fc.array(row, { maxLength: 30 }), sortOf, fc.integer({ min: 1, max: 9 }), (given, sort, limit) => {
        const rows = clean(given)
        const plain = (value: unknown, type: LiteralType): string | number | undefined => {
          if (value === null || value === undefined) return undefined
          if (type === 'date') return value instanceof Date ? value.toISOString().slice(0, 10) : String(value)
          if (type === 'datetime') return new Date(value as string).getTime()
          if (type === 'string') return Buffer.from(value as string, 'utf8').toString('hex') // UTF-8 bytes are in order of code points.
          return Number(value)
        }
        const expected = rows.toSorted((a, b) => {
          for (const { path, type, direction } of sort) {
            const [left, right] = [a, b].map((one) => plain((one as Record<string, unknown>)[path[0]!], type))
            if (left === right) continue
            const less = left === undefined || (right !== undefined && left < right)
            return less === (direction === 'ascending') ? -1 : 1
          }
          return 0
        })
        expect(read(of(sort, { limit }), rows).rows).toEqual(expected.slice(0, limit))
      }),
      { numRuns: byEffort(2_000, 100) },
    )
  })
})
