/** Cursors: texts of positions, our own and those of strangers. */
import { describe, expect, test, vi } from 'vitest'
import { memoryBackend } from '../../src/backends/memory/index.ts'
import { defineCollection, defineSchema, field, parseQueryOrThrow, printQuery, toPage } from '../../src/index.ts'
import type { Page, Query } from '../../src/index.ts'
import { cursorOf, positionOfCursor } from '../../src/query/cursor.ts'
import type { Literal, LiteralType } from '../../src/tree.ts'
import type { Position } from '../../src/query/query.ts'
import { id, integer, key, text } from './queries.ts'

describe('cursors', () => {
  const sort = [key('name', 'string', 'descending'), key('when', 'datetime'), key('flag', 'boolean'), id]
  const position: Position = {
    toward: 'next',
    values: [text('Jörg 🏄 "x"'), { type: 'datetime', value: '2024-01-01T00:00:00.000Z' }, null, integer(7)],
  }
  test('read back the position that was written', () => {
    const cursor = cursorOf(sort, position)
    expect(cursor).toMatch(/^[\w-]+$/)
    expect(positionOfCursor(cursor, sort)).toEqual(position)
  })
  test.each(['a', 'ab', 'abc', 'abcd', '>>>???'])('read back texts of every length: %s', (name) => {
    const value = { ...position, values: [text(name), ...position.values.slice(1)] }
    const cursor = cursorOf(sort, value)
    expect(positionOfCursor(cursor, sort)).toEqual(value)
    // The last bits of a text may belong to no byte: then four texts or sixteen have the same bytes.
    for (const last of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'.replace(cursor.at(-1)!, '')) {
      expect(positionOfCursor(cursor.slice(0, -1) + last, sort)).toBeUndefined()
    }
  })
  test('read back places that are counted from a row, or from an end of the order', () => {
    for (const place of [
      { ...position, offset: 1 },
      { ...position, toward: 'previous' as const, offset: 2 ** 53 - 1 },
      { toward: 'next' as const, values: [], offset: 0 },
      { toward: 'previous' as const, values: [], offset: 7 },
      { ...position, offset: 0, inclusive: true as const },
      { ...position, offset: 3, inclusive: true as const },
    ]) {
      expect(positionOfCursor(cursorOf(sort, place), sort)).toEqual(place)
    }
    expect(cursorOf(sort, { ...position, offset: 0 })).toBe(cursorOf(sort, position))
  })
  const exact: [type: LiteralType, value: string, others: readonly unknown[]][] = [
    [
      'uuid',
      'ad2b1c4e-0000-4000-8000-00000000000a',
      ['AD2B1C4E-0000-4000-8000-00000000000A', 'ad2b1c4e00004000800000000000000a', 5],
    ],
    ['bigint', '9007199254740993', [9007199254740992, '01', '-0', '9223372036854775808', '1.0', '1e3']],
    ['decimal', '-0.5', [-0.5, '1.10', '-0', '1e3', 'NaN']],
    ['decimal', '12345678901234567890123456789012345678.9', []],
    [
      'datetime',
      '2024-01-01T00:00:00.123456Z',
      ['2024-01-01T00:00:00.123000Z', '2024-01-01T00:00:00.1234Z', '2024-01-01 00:00:00.123456'],
    ],
  ]
  test.each(exact)('have the canonical text of a %s and no other: %s', (type, value, others) => {
    const order = [key('v', type), id]
    const place = { toward: 'next' as const, values: [{ type, value } as Literal, integer(7)] }
    expect(positionOfCursor(cursorOf(order, place), order)).toEqual(place)
    for (const other of others) {
      const values = [{ type, value: other } as Literal, integer(7)]
      expect(positionOfCursor(cursorOf(order, { ...place, values }), order), String(other)).toBeUndefined()
    }
  })
  test('name their order and its directions', () => {
    const cursor = cursorOf(sort, position)
    expect(positionOfCursor(cursor, sort.toSpliced(0, 1, key('name', 'string')))).toBeUndefined()
    expect(positionOfCursor(cursor, sort.slice(1))).toBeUndefined()
    expect(positionOfCursor(cursor, sort.toSpliced(0, 1, key('name', 'integer', 'descending')))).toBeUndefined()
  })
  test('cursors contain ignoreCase and the declared values of an order', () => {
    const order = (options: object) => [{ ...key('a', 'string'), ...options }, id]
    const place = { toward: 'next' as const, values: [{ type: 'string' as const, value: 'b' }, integer(7)] }
    const orders = [{}, { ignoreCase: true }, { declared: ['a', 'b'] }, { declared: ['b', 'a'] }].map(order)
    for (const one of orders) {
      const cursor = cursorOf(one, place)
      expect(orders.filter((other) => positionOfCursor(cursor, other) !== undefined)).toEqual([one])
      expect(positionOfCursor(cursor, one)).toEqual(place)
    }
    const names = JSON.parse(Buffer.from(cursorOf(orders[1]!, place), 'base64url').toString())[2]
    expect(names).toEqual([['+a', '{"ignoreCase":true}'], '+id'])
  })
  test('a cursor of declared values has no other value', () => {
    const declared = [{ ...key('a', 'string'), declared: ['a', 'b'] }, id]
    const place = { toward: 'next' as const, values: [{ type: 'string' as const, value: 'c' }, integer(7)] }
    expect(positionOfCursor(cursorOf(declared, place), declared)).toBeUndefined()
  })
  test('cursors contain nulls of an order', () => {
    const order = (nulls?: 'first' | 'last') => [{ ...key('a', 'integer'), ...(nulls && { nulls }) }, id]
    const place = { toward: 'next' as const, values: [null, integer(7)] }
    const [usual, first, last] = [order(), order('first'), order('last')].map((one) => cursorOf(one, place))
    expect(first).toBe(usual)
    expect(JSON.parse(Buffer.from(last!, 'base64url').toString())).toEqual([
      1,
      'next',
      [['+a', '{"nulls":"last"}'], '+id'],
      [null, 7],
    ])
    expect(positionOfCursor(last!, order('last'))).toEqual(place)
    expect(positionOfCursor(last!, order())).toBeUndefined()
    expect(positionOfCursor(usual!, order('last'))).toBeUndefined()
    expect(
      positionOfCursor(forged([1, 'next', [['+a', '{"nulls":"first"}'], '+id'], [null, 7]]), order('last')),
    ).toBeUndefined()
    expect(positionOfCursor(forged([1, 'next', [['+a'], '+id'], [null, 7]]), order())).toBeUndefined()
  })
  const forged = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const order = ['-name', '+when', '+flag', '+id']
  const strangers: [what: string, cursor: string][] = [
    ['nothing', ''],
    ['no base64', '%%%'],
    ['padding', `${cursorOf(sort, position)}=`],
    ['one character too many', `${forged([1, 'next', order, ['abc', null, null, 1]])}AAAAA`.slice(0, -1)],
    [
      'the alphabet of base64',
      cursorOf(sort, { ...position, values: [text('???>>>'), ...position.values.slice(1)] })
        .replaceAll('-', '+')
        .replaceAll('_', '/'),
    ],
    ['a space, which atob skips', `${cursorOf(sort, position)} `],
    [
      'a byte order mark',
      Buffer.from(`\ufeff${JSON.stringify([1, 'next', order, ['ä', null, null, 1]])}`).toString('base64url'),
    ],
    ['no JSON', Buffer.from('{').toString('base64url')],
    ['no UTF-8', Buffer.from([0xff, 0xfe]).toString('base64url')],
    [
      'no UTF-8 in a value',
      Buffer.from(JSON.stringify([1, 'next', order, ['\xff', null, null, 1]]), 'latin1').toString('base64url'),
    ],
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
    ['an object for the order', forged([1, 'next', Object.assign({ length: 4 }, order), ['a', null, null, 1]])],
    ['an object for the values', forged([1, 'next', order, Object.assign({ length: 4 }, ['a', null, null, 1])])],
    ['a count of none', forged([2, 'next', order, ['a', null, null, 1], 0])],
    ['a count below none', forged([2, 'next', order, ['a', null, null, 1], -1])],
    ['a count that is not a whole number', forged([2, 'next', order, ['a', null, null, 1], 0.5])],
    ['a count that is not a safe integer', forged([2, 'next', order, ['a', null, null, 1], 2 ** 53])],
    ['a count as a text', forged([2, 'next', order, ['a', null, null, 1], '1'])],
    ['a count without a value for the key', forged([2, 'next', order, ['a', null, null, null], 1])],
    ['a count from too few values', forged([2, 'next', order, ['a'], 1])],
    ['more behind a count', forged([2, 'next', order, ['a', null, null, 1], 1, 1])],
    ['the row of no values', forged([3, 'next', order, [], 1])],
    ['the row itself, without a count', forged([3, 'next', order, ['a', null, null, 1]])],
    ['no values', forged([1, 'next', order, []])],
    ['no order', forged([1, 'next', null, ['a', null, null, 1]])],
    ['an object for a value', forged([1, 'next', order, [{ $gt: '' }, null, null, 1]])],
  ]
  test.each(strangers)('of strangers: %s', (_, cursor) => expect(positionOfCursor(cursor, sort)).toBeUndefined())
  test('lead a walk through long values past the largest offset, and print', () => {
    const schema = defineSchema({ id: field.integer(), name: field.string() })
    const collection = defineCollection(schema, {
      key: 'id',
      sort: ['name'],
      limit: { default: 2, max: 2 },
      offset: { max: 4 },
    })
    const rows = Array.from({ length: 11 }, (_, id) => ({ id, name: 'x'.repeat(9_000) }))
    const found: unknown[] = []
    let text: string | undefined = 'sort=name'
    while (text !== undefined) {
      const query: Query = parseQueryOrThrow(collection, text)
      expect(printQuery(collection, query)).toBe(text)
      const page: Page<unknown> = toPage(query, memoryBackend().compileQuery(query)(rows).rows)
      found.push(...page.rows)
      text = page.next && `sort=name&cursor=${page.next}`
    }
    expect(found).toEqual(rows)
  })
  test('are the same for a second copy of the library, such as that of the other format', async () => {
    vi.resetModules()
    const copy = await import('../../src/query/cursor.ts')
    const cursor = forged([1, 'next', order, ['Jörg 🏄 "x"', '2024-01-01T00:00:00.000Z', null, 7]])
    expect(copy.cursorOf(sort, position)).toBe(cursor)
    expect(copy.positionOfCursor(cursor, sort)).toEqual(position)
    for (const length of [1, 2, 3, 4]) {
      const value = { ...position, values: [text('x'.repeat(length)), ...position.values.slice(1)] }
      expect(copy.positionOfCursor(copy.cursorOf(sort, value), sort)).toEqual(value)
    }
    for (const [what, cursor] of strangers) expect(copy.positionOfCursor(cursor, sort), what).toBeUndefined()
  })
})
