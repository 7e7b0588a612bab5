/** Queries as data: their check, and restrictions. */
import { describe, expect, test, vi } from 'vitest'
import { comparison } from '../../src/tree.ts'
import { checkQuery, countOf, restrict } from '../../src/query/query.ts'
import { at, id, integer, key, of, text } from './queries.ts'

describe('a query revived from JSON', () => {
  const good = of([id], { fields: [['a']], offset: 3 })
  test('is equal to the query, frozen, without unknown properties', () => {
    const revived = checkQuery({ ...JSON.parse(JSON.stringify(good)), other: 1 })
    expect(revived).toEqual(good)
    expect(Object.isFrozen(revived)).toBe(true)
    expect(Object.isFrozen(revived.sort[0])).toBe(true)
  })
  test('may have required sort keys and sort keys with 3 digits', () => {
    const promised = { ...good, sort: [{ ...key('at', 'datetime'), required: true as const, digits: 3 as const }, id] }
    expect(checkQuery(JSON.parse(JSON.stringify(promised)))).toStrictEqual(promised)
  })
  test('may have hidden fields, and a bound of its count', () => {
    const hiding = { ...good, hidden: [['b'], ['a', 'c']], count: { max: 1000 } }
    const revived = checkQuery(JSON.parse(JSON.stringify({ ...hiding, count: { max: 1000, other: 1 } })))
    expect(revived).toStrictEqual(hiding)
    expect([revived.hidden, revived.hidden![0], revived.count].every(Object.isFrozen)).toBe(true)
    // A restriction may name hidden fields, and a shown field may contain hidden ones.
    expect(restrict(revived, comparison(['b'], 'eq', text('x'))).hidden).toEqual(hiding.hidden)
  })
  test('may have spans, as one that was read', () => {
    const read = { ...good, sort: [{ ...id, span: { start: 5, end: 7 } }] }
    expect(checkQuery(JSON.parse(JSON.stringify(read)))).toStrictEqual(read)
    expect(checkQuery(good)).toStrictEqual(good)
  })
  test.each([null, 5, 'query', undefined])('%o is not a query', (value) => {
    expect(() => checkQuery(value)).toThrow(new TypeError('query must be an object'))
  })
  const spanOf = (span: unknown) => ({ sort: [{ ...id, span }] })
  const wrong: [change: object, message: string][] = [
    [{ sort: [null] }, 'query.sort[0] must be an object'],
    [spanOf(5), 'query.sort[0].span must be the start and the end of a piece of text'],
    [spanOf({ start: -1, end: 2 }), 'query.sort[0].span must be the start and the end of a piece of text'],
    [spanOf({ start: 3, end: 2 }), 'query.sort[0].span must be the start and the end of a piece of text'],
    [{ offset: undefined, position: 5 }, 'query.position must be an object'],
    [{ offset: undefined, position: { toward: 'next' } }, 'query.position.values must be a list'],
    [{ filter: undefined }, 'query.filter must be a filter'],
    [{ sort: [] }, 'query.sort must end with the key'],
    [{ sort: [id, id] }, 'query.sort has id twice'],
    [{ sort: [{ ...id, path: [] }] }, 'query.sort[0].path must not be empty'],
    [{ sort: [{ ...id, direction: 'up' }] }, 'query.sort[0].direction must be ascending or descending'],
    [
      { sort: [{ ...id, type: 'object' }] },
      'query.sort[0].type must be string, uuid, integer, bigint, number, decimal, boolean, date, datetime or time',
    ],
    [{ sort: [{ ...id, required: false }] }, 'query.sort[0].required must be true'],
    [{ sort: [{ ...id, digits: 6 }] }, 'query.sort[0].digits must be 3'],
    [{ limit: 0 }, 'query.limit must be a whole number of at least 1'],
    [{ limit: '5' }, 'query.limit must be a whole number of at least 1'],
    [{ offset: -1 }, 'query.offset must be a whole number of at least 0'],
    [{ count: 1 }, 'query.count must be true, false or { max: … }'],
    [{ count: {} }, 'query.count.max must be a whole number of at least 1'],
    [{ count: { max: 0 } }, 'query.count.max must be a whole number of at least 1'],
    [{ count: null }, 'query.count must be true, false or { max: … }'],
    [{ hidden: 'a' }, 'query.hidden must be a list'],
    [{ hidden: ['a'] }, 'query.hidden[0] must be a list'],
    [{ hidden: [[]] }, 'query.hidden[0] must not be empty'],
    [{ hidden: [['id']] }, 'query.hidden has id, which query.sort, query.fields or query.facets has, too'],
    [{ hidden: [['a']] }, 'query.hidden has a, which query.sort, query.fields or query.facets has, too'],
    [
      { hidden: [['a']], fields: [['a', 'b']] },
      'query.hidden has a.b, which query.sort, query.fields or query.facets has, too',
    ],
    [{ fields: 'a' }, 'query.fields must be a list'],
    [
      { offset: undefined, ...at('next', integer(1), null) },
      'query.position.values must have one value for each sort key',
    ],
    [{ offset: undefined, ...at('next', text('x')) }, 'query.position.values[0].type must be integer'],
    [
      { offset: undefined, position: { toward: 'up', values: [null] } },
      'query.position.toward must be next or previous',
    ],
  ]
  test.each(wrong)('%o cannot be', (change, message) => {
    expect(() => checkQuery({ ...good, ...change })).toThrow(TypeError)
    expect(() => checkQuery({ ...good, ...change })).toThrow(message)
  })
  test('is the same for a second copy of the library, such as that of the other format', async () => {
    vi.resetModules()
    const copy = await import('../../src/query/query.ts')
    const query = of([key('a', 'string', 'descending'), id], { count: true, ...at('previous', text('x'), null) })
    expect(copy.checkQuery(query)).toStrictEqual(query)
    expect(copy.checkQuery(good)).toStrictEqual(good)
    for (const [change, message] of wrong) expect(() => copy.checkQuery({ ...good, ...change })).toThrow(message)
  })
  test('may be counted from its position, or from an end of the order', () => {
    for (const place of [at('next', integer(1)), at('next'), at('previous')]) {
      expect(checkQuery({ ...good, ...place, offset: 3 })).toMatchObject({ ...place, offset: 3 })
    }
  })
  test('a restriction that is undefined never vanishes', () => {
    expect(() => restrict(good, undefined as never)).toThrow('restriction must be a filter')
    const restriction = comparison(['a'], 'eq', text('x'))
    expect(restrict(good, restriction).filter).toEqual(restriction)
  })
})

describe('the count of the rows that a store found', () => {
  test.each([
    [true, 0, 0],
    [true, 5_000_000, 5_000_000],
    [false, 7, 7],
    [{ max: 3 }, 0, 0],
    [{ max: 3 }, 2, 2],
    [{ max: 3 }, 3, 3],
    [{ max: 3 }, 4, { atLeast: 3 }],
    [{ max: 3 }, 99, { atLeast: 3 }],
  ])('where the query counts %j, %j is %j', (count, found, counted) =>
    expect(countOf({ count }, found)).toEqual(counted),
  )
  test.each([-1, 1.5, NaN, Infinity, '3', 3n, null, undefined, { atLeast: 3 }])('%o is no number of rows', (found) => {
    expect(() => countOf({ count: { max: 3 } }, found as number)).toThrow('found must be a whole number of at least 0')
  })
})
