/** Positions, cursors and pages, over rows in memory. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { memoryBackend } from '../../src/backends/memory/index.ts'
import { pageOf } from '../../src/backends/memory/page.ts'
import { and, comparison, type Filter, type Literal, type LiteralType } from '../../src/index.ts'
import {
  checkQuery,
  cursorOf,
  positionFilter,
  positionOfCursor,
  restrict,
  toPage,
  type Position,
  type Query,
  type SortKey,
} from '../../src/query/order.ts'

const key = (path: string, type: LiteralType, direction: SortKey['direction'] = 'ascending'): SortKey => ({
  path: path.split('.'),
  type,
  direction,
})
const id = key('id', 'integer')
const text = (value: string): Literal => ({ type: 'string', value })
const integer = (value: number): Literal => ({ type: 'integer', value })
const of = (sort: readonly SortKey[], more: Partial<Query> = {}): Query => ({
  ...{ filter: and(), sort, limit: 20, count: false },
  ...more,
})
const at = (toward: Position['toward'], ...values: (Literal | null)[]): { position: Position } => ({
  position: { toward, values },
})

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
  test.each<[string, SortKey[], Position['toward'], (Literal | null)[], string]>([
    ['one key', [id], 'next', [integer(5)], 'gt(id, 5)'],
    ['backwards', [id], 'previous', [integer(5)], 'or(lt(id, 5), not(presence(id)))'],
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
      'or(eq(f, false), not(presence(f)), and(eq(f, true), or(lt(id, 2), not(presence(id)))))',
    ],
  ])('%s', (_, sort, toward, values, expected) => {
    expect(short(positionFilter(of(sort, at(toward, ...values))))).toBe(expected)
  })
  test('no position is every row', () => expect(positionFilter(of([id]))).toEqual(and()))
})

describe('cursors', () => {
  const sort = [key('name', 'string', 'descending'), key('when', 'datetime'), key('flag', 'boolean'), id]
  const isKey = ({ path }: SortKey) => path[0] === 'id'
  const position: Position = {
    toward: 'next',
    values: [text('Jörg 🏄 "x"'), { type: 'datetime', value: '2024-01-01T00:00:00.000Z' }, null, integer(7)],
  }
  test('read back what was written', () => {
    const cursor = cursorOf(sort, position)
    expect(cursor).toMatch(/^[\w-]+$/)
    expect(positionOfCursor(cursor, sort, isKey)).toEqual(position)
  })
  test('name their order and its directions', () => {
    const cursor = cursorOf(sort, position)
    expect(positionOfCursor(cursor, sort.toSpliced(0, 1, key('name', 'string')), isKey)).toBeUndefined()
    expect(positionOfCursor(cursor, sort.slice(1), isKey)).toBeUndefined()
    expect(positionOfCursor(cursor, sort.toSpliced(0, 1, key('name', 'integer', 'descending')), isKey)).toBeUndefined()
  })
  const forged = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const order = ['-name', '+when', '+flag', '+id']
  test.each<[string, string]>([
    ['nothing', ''],
    ['no base64', '%%%'],
    ['padding', `${cursorOf(sort, position)}=`],
    ['no JSON', Buffer.from('{').toString('base64url')],
    ['no UTF-8', Buffer.from([0xff, 0xfe]).toString('base64url')],
    ['another form', forged({ toward: 'next' })],
    ['null', forged(null)],
    ['another version', forged([2, 'next', order, ['a', null, null, 1]])],
    ['another direction', forged([1, 'sideways', order, ['a', null, null, 1]])],
    ['too few values', forged([1, 'next', order, ['a', null, null]])],
    ['too many values', forged([1, 'next', order, ['a', null, null, 1, 1]])],
    ['a value of another type', forged([1, 'next', order, [1, null, null, 1]])],
    ['a moment that is not canonical', forged([1, 'next', order, ['a', '2024-01-01', null, 1]])],
    ['a key without a value', forged([1, 'next', order, ['a', null, null, null]])],
    ['U+0000', forged([1, 'next', order, ['\0', null, null, 1]])],
    ['half of a surrogate pair', forged([1, 'next', order, ['\ud800', null, null, 1]])],
    ['no safe integer', forged([1, 'next', order, ['a', null, null, 1e300]])],
    ['-0', Buffer.from('[1,"next",["-name","+when","+flag","+id"],["a",null,null,-0]]').toString('base64url')],
    ['spaces', Buffer.from('[1, "next",["-name","+when","+flag","+id"],["a",null,null,0]]').toString('base64url')],
    ['more behind it', forged([1, 'next', order, ['a', null, null, 1], 1])],
    ['an object for a value', forged([1, 'next', order, [{ $gt: '' }, null, null, 1]])],
  ])('of strangers: %s', (_, cursor) => expect(positionOfCursor(cursor, sort, isKey)).toBeUndefined())
  test('of strangers never throw', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json().map((json) => Buffer.from(json).toString('base64url')),
        ),
        (cursor) => {
          expect(positionOfCursor(cursor, sort, isKey)).toBeUndefined()
        },
      ),
      { numRuns: 5_000 },
    )
  })
})

describe('toPage', () => {
  const rows = [{ id: 1 }, { id: 2 }, { id: 3 }]
  const cursor = (toward: Position['toward'], value: number) => cursorOf([id], { toward, values: [integer(value)] })
  test.each<[string, Partial<Query>, object]>([
    ['the first of several', {}, { rows: rows.slice(0, 2), next: cursor('next', 2) }],
    ['the only one', { limit: 3 }, { rows }],
    [
      'one in the middle',
      at('next', integer(0)),
      { rows: rows.slice(0, 2), next: cursor('next', 2), previous: cursor('previous', 1) },
    ],
    ['the last', { limit: 3, ...at('next', integer(0)) }, { rows, previous: cursor('previous', 1) }],
    [
      'the first, read backwards',
      { limit: 3, ...at('previous', integer(9)) },
      { rows: rows.toReversed(), next: cursor('next', 1) },
    ],
    [
      'one in the middle, read backwards',
      at('previous', integer(9)),
      { rows: [{ id: 2 }, { id: 1 }], next: cursor('next', 1), previous: cursor('previous', 2) },
    ],
  ])('%s', (_, more, expected) => expect(toPage(of([id], { limit: 2, ...more }), rows)).toEqual(expected))
  test('an empty page has no cursors', () => {
    expect(toPage(of([id], at('next', integer(3))), [])).toEqual({ rows: [] })
    expect(toPage(of([id], at('previous', integer(3))), [])).toEqual({ rows: [] })
  })
  test('more rows than a backend reads are refused', () => {
    expect(() => toPage(of([id], { limit: 1 }), rows)).toThrow('rows must be at most 2')
  })

  const valueOf = (type: LiteralType, value: unknown) => {
    const { next } = toPage(of([key('a.b', type), id], { limit: 1 }), [{ id: 1, a: { b: value } }, { id: 2 }])
    return positionOfCursor(next!, [key('a.b', type), id], () => false)!.values[0]?.value ?? null
  }
  test.each<[LiteralType, unknown, unknown]>([
    ['string', 'x', 'x'],
    ['string', null, null],
    ['string', undefined, null],
    ['integer', 5, 5],
    ['integer', '-9007199254740991', -9007199254740991],
    ['integer', 7n, 7],
    ['number', '12.50', 12.5],
    ['number', '0.1', 0.1],
    ['number', '-0.00', 0],
    ['number', '1000000000000000000000', 1e21],
    ['number', '0.0000001', 1e-7],
    ['number', '-0.00000015', -1.5e-7],
    ['number', '123456789012345690000000.0', 1.2345678901234569e23],
    ['boolean', false, false],
    ['date', '2024-02-29', '2024-02-29'],
    ['date', new Date('2024-02-29T23:59:59.999Z'), '2024-02-29'],
    ['datetime', '2024-02-29T01:00:00+02:00', '2024-02-28T23:00:00.000Z'],
    ['datetime', new Date(0), '1970-01-01T00:00:00.000Z'],
  ])('writes the %s %o', (type, value, expected) => expect(valueOf(type, value)).toBe(expected))
  test.each<[LiteralType, unknown]>([
    ['string', 5],
    ['string', '\ud800'],
    ['string', ['x']],
    ['integer', 1.5],
    ['integer', '1.5'],
    ['integer', '9007199254740993'],
    ['integer', 2n ** 60n],
    ['number', NaN],
    ['number', '1.00000000000000000001'],
    ['number', '9007199254740993'],
    ['number', '1e5'],
    ['boolean', 1],
    ['date', '2024-02-30'],
    ['date', '2024-02-29T00:00:00Z'],
    ['date', new Date(NaN)],
    ['datetime', '2024-02-29'],
    ['datetime', 0],
    ['datetime', {}],
  ])('refuses %o %o, and names the field', (type, value) => {
    expect(() => valueOf(type, value)).toThrow(TypeError)
    expect(() => valueOf(type, value)).toThrow(`rows must hold ${type} values in a.b; found a`)
  })
})

describe('a query revived from JSON', () => {
  const good = of([id], { fields: [['a']], offset: 3 })
  test('is what it was, frozen, without what a query does not declare', () => {
    const revived = checkQuery({ ...JSON.parse(JSON.stringify(good)), other: 1 })
    expect(revived).toEqual(good)
    expect(Object.isFrozen(revived)).toBe(true)
    expect(Object.isFrozen(revived.sort[0])).toBe(true)
  })
  test.each<[object, string]>([
    [{ filter: undefined }, 'query.filter must be a filter'],
    [{ sort: [] }, 'query.sort must end with the key'],
    [{ sort: [id, id] }, 'query.sort has id twice'],
    [{ sort: [{ ...id, path: [] }] }, 'query.sort[0].path must not be empty'],
    [{ sort: [{ ...id, direction: 'up' }] }, 'query.sort[0].direction must be ascending or descending'],
    [{ sort: [{ ...id, type: 'object' }] }, 'query.sort[0].type must be'],
    [{ limit: 0 }, 'query.limit must be a whole number of at least 1'],
    [{ limit: '5' }, 'query.limit must be a whole number of at least 1'],
    [{ offset: -1 }, 'query.offset must be a whole number of at least 0'],
    [{ count: 1 }, 'query.count must be true or false'],
    [{ fields: 'a' }, 'query.fields must be a list'],
    [{ offset: undefined, ...at('next') }, 'query.position.values must have one value for each sort key'],
    [{ offset: undefined, ...at('next', text('x')) }, 'query.position.values[0].type must be integer'],
    [
      { offset: undefined, position: { toward: 'up', values: [null] } },
      'query.position.toward must be next or previous',
    ],
    [at('next', integer(1)), 'query must not have position and offset'],
  ])('%o cannot be', (change, message) => {
    expect(() => checkQuery({ ...good, ...change })).toThrow(TypeError)
    expect(() => checkQuery({ ...good, ...change })).toThrow(message)
  })
  test('a restriction that is undefined never vanishes', () => {
    expect(() => restrict(good, undefined as never)).toThrow('restriction must be a filter')
    const restriction = comparison(['a'], 'eq', text('x'))
    expect(restrict(good, restriction).filter).toEqual(restriction)
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
    return toPage(query, pageOf(checkQuery(query), compile(query.filter), compile(positionFilter(query)))(rows).rows)
  }
  const walk = (query: Query, rows: readonly unknown[], toward: Position['toward'], cursor?: string) => {
    const pages: (readonly unknown[])[] = []
    for (;;) {
      const position = cursor === undefined ? undefined : positionOfCursor(cursor, query.sort, () => false)
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
          const next = read({ ...query, position: positionOfCursor(page.next, sort, () => false)! }, rows)
          expect(next.previous).toBeDefined()
          const back = read({ ...query, position: positionOfCursor(next.previous!, sort, () => false)! }, rows)
          expect(back.rows).toEqual(page.rows)
          page = next
        }
      }),
      { numRuns: 300 },
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
      { numRuns: 500 },
    )
  })
})
