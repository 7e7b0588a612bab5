/** What documents look like, and what options and filters are refused. That they mean the right thing, cases.test.ts shows. */
import { Decimal128, Long, ObjectId, UUID } from 'mongodb'
import { describe, expect, test } from 'vitest'
import { complementOf } from '../../../src/backends/mongo/document.ts'
import { mongoBackend, type MongoOptions } from '../../../src/backends/mongo/index.ts'
import {
  and,
  checkBackend,
  defineCollection,
  defineSchema,
  field,
  FilterError,
  not,
  or,
  parseFilterOrThrow,
  parseQueryOrThrow,
  type Filter,
  type Query,
} from '../../../src/index.ts'
import { comparison, match, membership, presence, some, type Literal } from '../../../src/tree.ts'
import type { SortKey } from '../../../src/query/query.ts'
import { id, key, of } from '../../query/queries.ts'
import { documentOf, statements } from '../statements.ts'
import { schema, compile, upper, lower } from './compile.fixture.ts'
import { partsOfFilter } from '../../../src/query/index.ts'

test('its name', () => {
  expect(mongoBackend().name).toBe('mongo')
})

const date = (text: string) => new Date(text)

describe('the shortest exact form', () => {
  test.each(statements('mongo'))('%s', (query, document, _, place) => {
    expect(compile(query), place).toStrictEqual(documentOf(document))
  })
})

const string = (value: string): Literal => ({ type: 'string', value })
const is = (path: string, value: string) => comparison([path], 'eq', string(value))
const ordered = (path: string, operator: 'gt' | 'gte' | 'lte', value: string) =>
  comparison([path], operator, string(value))
const between = (path: string, low: string, high: string) => and(ordered(path, 'gte', low), ordered(path, 'lte', high))
const entry = (value: string) => comparison([], 'eq', string(value))
const entries = (count: number) => Array.from({ length: count }, (_, at) => entry(`${at}`))
const above = (value: number) => comparison([], 'gt', { type: 'integer', value })
const before = (value: string) => comparison([], 'lt', { type: 'datetime', value })

describe('groups', () => {
  test.each<[what: string, filter: Filter, document: object]>([
    ['true', and(), {}],
    ['false', or(), { $nor: [{}] }],
    ['not false', not(or()), {}],
    ['false and something', and(is('a', 'x'), or()), { $nor: [{}] }],
    ['an empty list', membership(['a'], []), { $nor: [{}] }],
    ['one or the other', or(is('a', 'x'), is('b', 'y')), { $or: [{ a: 'x' }, { b: 'y' }] }],
    ['neither', not(or(is('a', 'x'), is('b', 'y'))), { a: { $ne: 'x' }, b: { $ne: 'y' } }],
    ['not both', not(and(is('a', 'x'), is('b', 'y'))), { $nor: [{ a: 'x', b: 'y' }] }],
    [
      'not both, twice',
      and(not(and(is('a', 'x'), is('b', 'y'))), not(and(is('a', 'z'), is('b', 'y')))),
      { $nor: [{ a: 'x', b: 'y' }], $and: [{ $nor: [{ a: 'z', b: 'y' }] }] },
    ],
    ['one field, one operator', and(is('a', 'x'), is('a', 'y')), { a: 'x', $and: [{ a: 'y' }] }],
    ['one field, two operators', and(is('a', 'x'), not(is('a', 'y'))), { a: { $eq: 'x', $ne: 'y' } }],
    [
      'two alternatives',
      and(or(is('a', 'x'), is('b', 'x')), or(is('a', 'y'), is('b', 'y'))),
      { $or: [{ a: 'x' }, { b: 'x' }], $and: [{ $or: [{ a: 'y' }, { b: 'y' }] }] },
    ],
    [
      'groups that say one thing twice, together',
      and(and(is('a', 'x'), is('a', 'y')), not(and(and(is('b', 'x'), is('b', 'y'))))),
      { a: 'x', $and: [{ a: 'y' }], $nor: [{ b: 'x', $and: [{ b: 'y' }] }] },
    ],
    ['not a range', not(and(is('a', 'x'), not(is('a', 'y')))), { a: { $not: { $eq: 'x', $ne: 'y' } } }],
    ['the document itself', presence([], 'object'), {}],
    ['and it is no text', presence([], 'string'), { $nor: [{}] }],
    ['not twice true', not(and(presence([], 'object'), presence([], 'object'))), { $nor: [{}] }],
    ['false or something', or(is('a', 'x'), membership(['b'], [])), { a: 'x' }],
    ['false or false', or(membership(['a'], []), membership(['b'], [])), { $nor: [{}] }],
    [
      'not without a value',
      not(and(presence([], 'object'), not(presence(['a'], 'string')))),
      { a: { $type: 'string' } },
    ],
    [
      'none of two alternatives',
      not(and(presence([], 'object'), or(is('a', 'x'), is('b', 'y')))),
      { $nor: [{ $or: [{ a: 'x' }, { b: 'y' }] }] },
    ],
    [
      'one field twice, in two groups',
      and(not(or(is('a', 'x'), is('a', 'y'))), not(or(is('b', 'x'), is('b', 'y')))),
      { a: { $ne: 'x' }, b: { $ne: 'x' }, $and: [{ a: { $ne: 'y' } }, { b: { $ne: 'y' } }] },
    ],
    [
      'two patterns, one of them with options',
      and(match(['a'], 'substring', '5'), match(['a'], 'substring', 'x')),
      { a: { $regex: '5' }, $and: [{ a: { $regex: 'x', $options: 'i' } }] },
    ],
    ['a name that ends as operators begin', and(is('a$', 'x')), { a$: 'x' }],
    ['not an order', not(ordered('a', 'gt', 'x')), { $nor: [{ a: { $gt: 'x' } }] }],
    [
      'not an order, twice: MongoDB serves $nor of one condition by an index',
      and(not(ordered('a', 'gt', 'x')), not(ordered('b', 'gt', 'y'))),
      { $nor: [{ a: { $gt: 'x' } }], $and: [{ $nor: [{ b: { $gt: 'y' } }] }] },
    ],
    ['not between bounds', not(between('a', 'x', 'y')), { a: { $not: { $gte: 'x', $lte: 'y' } } }],
  ])('%s', (_, filter, document) => {
    expect(compile(filter)).toStrictEqual(document)
  })
})

describe('patterns are tried on the values that their field must equal', () => {
  const j = match(['a'], 'substring', 'J')
  const one = (...values: string[]) => membership(['a'], values.map(string))
  const numeric = (value: number): Literal => ({ type: 'number', value })
  const number = (value: number) => comparison(['a'], 'eq', numeric(value))
  test.each<[what: string, filter: Filter, document: object]>([
    ['a value that matches', and(is('a', 'xj'), j), { a: 'xj' }],
    ['one that does not', and(is('a', 'x'), j), { $nor: [{}] }],
    ['the pattern first', and(j, is('a', 'xj')), { a: 'xj' }],
    ['two patterns', and(j, match(['a'], 'prefix', 'x'), is('a', 'xj')), { a: 'xj' }],
    ['two patterns, one in vain', and(j, match(['a'], 'suffix', 'x'), is('a', 'xj')), { $nor: [{}] }],
    ['some of several values', and(one('xj', 'x', 'jx'), j), { a: { $in: ['xj', 'jx'] } }],
    ['one of several values', and(one('xj', 'x'), j), { a: 'xj' }],
    ['none of several values', and(one('y', 'x'), j), { $nor: [{}] }],
    ['equal bounds', and(between('a', 'x', 'x'), j), { $nor: [{}] }],
    [
      'equal bounds, the pattern between them',
      and(ordered('a', 'gte', 'xj'), j, ordered('a', 'lte', 'xj')),
      { a: 'xj' },
    ],
    ['equal bounds alone', between('a', 'x', 'x'), { a: 'x' }],
    ['other bounds', and(between('a', 'x', 'y'), j), { a: { $gte: 'x', $lte: 'y', $regex: 'j', $options: 'i' } }],
    ['what else is asked', and(is('a', 'xj'), j, not(is('a', 'k'))), { a: { $eq: 'xj', $ne: 'k' } }],
    ['a number', and(comparison(['a'], 'eq', { type: 'number', value: 1 }), j), { $nor: [{}] }],
    ['an equality aside', and(is('a', 'xj'), is('a', 'yj'), j), { a: 'xj', $and: [{ a: 'yj' }] }],
    ['another field', and(is('b', 'x'), j), { b: 'x', a: { $regex: 'j', $options: 'i' } }],
    ['not both', not(and(is('a', 'xj'), j)), { a: { $ne: 'xj' } }],
    ['in entries that are objects', some(['l'], and(is('a', 'xj'), j)), { l: { $elemMatch: { a: 'xj' } } }],
    ['a number that is written like one', and(number(5), match(['a'], 'prefix', '5')), { $nor: [{}] }],
    ['letters of the other case', and(is('a', 'ABo'), match(['a'], 'prefix', 'abo')), { a: 'ABo' }],
    ['an equality beside several values', and(is('a', 'xj'), one('y', 'z'), j), { a: { $eq: 'xj', $in: ['y', 'z'] } }],
    [
      'an equality beside equal bounds',
      and(is('a', 'xj'), between('a', 'yj', 'yj'), j),
      { a: { $eq: 'xj', $gte: 'yj', $lte: 'yj' } },
    ],
    [
      'no pattern',
      and(membership(['a'], [1, 2].map(numeric)), membership(['a'], [2, 3].map(numeric))),
      { a: { $in: [1, 2] }, $and: [{ a: { $in: [2, 3] } }] },
    ],
    [
      'not across alternatives',
      and(or(is('a', 'x'), is('a', 'y')), j),
      { $or: [{ a: 'x' }, { a: 'y' }], a: { $regex: 'j', $options: 'i' } },
    ],
  ])('%s', (_, filter, document) => {
    expect(compile(filter)).toStrictEqual(document)
  })
})

describe('entries, in words that no query has', () => {
  test.each<[what: string, filter: Filter, document: object]>([
    ['any', some(['l'], and()), { l: { $elemMatch: { $nin: [] } } }],
    ['none', not(some(['l'], and())), { l: { $not: { $elemMatch: { $nin: [] } } } }],
    ['that is not', some(['l'], not(entry('x'))), { l: { $elemMatch: { $ne: 'x' } } }],
    ['that is neither', some(['l'], not(or(entry('x'), entry('y')))), { l: { $elemMatch: { $nin: ['x', 'y'] } } }],
    [
      'either',
      some(['l'], or(entry('x'), entry('y'))),
      { $or: [{ l: { $elemMatch: { $eq: 'x' } } }, { l: { $elemMatch: { $eq: 'y' } } }] },
    ],
    [
      'neither entry',
      not(some(['l'], or(entry('x'), entry('y')))),
      { l: { $not: { $elemMatch: { $eq: 'x' } } }, $and: [{ l: { $not: { $elemMatch: { $eq: 'y' } } } }] },
    ],
    [
      'both at once',
      some(['l'], and(entry('x'), entry('y'))),
      { l: { $elemMatch: { $eq: 'x', $not: { $not: { $eq: 'y' } } } } },
    ],
    ['without a value', some(['l'], not(presence([], 'string'))), { l: { $elemMatch: { $not: { $type: 'string' } } } }],
    [
      'without a value of two types, and three patterns',
      some(
        ['l'],
        and(
          not(presence([], 'string')),
          not(presence([], 'number')),
          ...['x', 'y', 'z'].map((text) => match([], 'prefix', text)),
        ),
      ),
      {
        l: {
          $elemMatch: {
            ...{ $regex: '^x', $options: 'i', $in: [/^y/i] },
            $not: { $not: { $in: [/^z/i], $not: { $type: ['string', 'number'] } } },
          },
        },
      },
    ],
    [
      'between the narrower bounds',
      some(
        ['l'],
        and(
          ...['b', 'c', 'a'].flatMap((text) => [
            comparison([], 'gte', string(text)),
            comparison([], 'lt', string(`${text}z`)),
          ]),
        ),
      ),
      { l: { $elemMatch: { $gte: 'c', $lt: 'az' } } },
    ],
    [
      'not after: before, at, or no text',
      some(['l'], not(comparison([], 'gt', string('x')))),
      { $or: [{ l: { $elemMatch: { $lte: 'x' } } }, { l: { $elemMatch: { $not: { $type: 'string' } } } }] },
    ],
    [
      'without a text in it',
      some(['l'], and(not(match([], 'substring', 'x')), not(entry('y')))),
      { l: { $elemMatch: { $ne: 'y', $not: { $regex: 'x', $options: 'i' } } } },
    ],
    [
      'without two texts in it',
      some(['l'], not(or(match([], 'substring', 'x'), match([], 'substring', 'y')))),
      { l: { $elemMatch: { $nin: [/x/i, /y/i] } } },
    ],
    [
      'neither a text with it nor a number',
      some(['l'], not(or(match([], 'substring', 's'), presence([], 'number')))),
      { l: { $elemMatch: { $nin: [/[sS]/], $not: { $type: 'number' } } } },
    ],
    [
      'that ends otherwise',
      some(['l'], not(match([], 'suffix', 'x'))),
      { l: { $elemMatch: { $not: { $regex: 'x(?![\\s\\S])', $options: 'i' } } } },
    ],
    [
      'that ends so',
      some(['l'], match([], 'suffix', 'x')),
      { l: { $elemMatch: { $regex: 'x(?![\\s\\S])', $options: 'i' } } },
    ],
    [
      'an object without the value, or no object',
      some(['l'], not(is('a', 'x'))),
      { $or: [{ l: { $elemMatch: { a: { $ne: 'x' } } } }, { l: { $elemMatch: { $not: { $type: 'object' } } } }] },
    ],
    [
      'an object with the value',
      some(['l'], and(presence([], 'object'), is('a', 'x'))),
      { l: { $elemMatch: { a: 'x' } } },
    ],
    [
      'the value, or any object',
      some(['l'], or(presence([], 'object'), is('a', 'x'))),
      { l: { $elemMatch: { $type: 'object' } } },
    ],
    [
      'an object with a list that is empty',
      some(['l'], and(presence([], 'object'), not(some(['m'], and())))),
      { l: { $elemMatch: { m: { $not: { $elemMatch: { $nin: [] } } } } } },
    ],
    [
      'an object with a list that is empty, or no object',
      some(['l'], not(some(['m'], and()))),
      {
        $or: [
          { l: { $elemMatch: { m: { $not: { $elemMatch: { $nin: [] } } } } } },
          { l: { $elemMatch: { $not: { $type: 'object' } } } },
        ],
      },
    ],
    [
      'an object with the value, or a text',
      some(['l'], or(is('a', 'x'), presence([], 'string'))),
      {
        $or: [{ l: { $elemMatch: { a: 'x' } } }, { l: { $elemMatch: { $type: 'string', $not: { $type: 'object' } } } }],
      },
    ],
    [
      'that is none of two, nor a third',
      some(['l'], not(or(membership([], ['x', 'y'].map(string)), entry('z')))),
      { l: { $elemMatch: { $nin: ['x', 'y', 'z'] } } },
    ],
    ['above the higher number', some(['l'], and(above(1), above(3), above(2))), { l: { $elemMatch: { $gt: 3 } } }],
    [
      'before the earlier moment',
      some(['l'], and(before('2024-03-01T00:00:00.000Z'), before('2024-02-29T00:00:00.000Z'))),
      { l: { $elemMatch: { $lt: date('2024-02-29') } } },
    ],
  ])('%s', (_, filter, document) => {
    expect(compile(filter)).toStrictEqual(document)
  })

  test('an object and a scalar at once', () => {
    const filter = some(['l'], and(some(['m'], entry('x')), entry('y')))
    expect(compile(filter)).toEqual({ $nor: [{}] })
  })
  test('an object does not count as a scalar', () => {
    const either = or(presence([], 'string'), is('a', 'x'))
    expect(compile(some(['l'], either))).toEqual({
      $or: [{ l: { $elemMatch: { a: 'x' } } }, { l: { $elemMatch: { $type: 'string', $not: { $type: 'object' } } } }],
    })
  })
  test.each<[operands: string, filter: Filter, list: (document: ReturnType<typeof compile>) => unknown]>([
    ['alternatives', or(...entries(1_000)), ({ $or }) => $or],
    ['pairs of alternatives', and(or(...entries(25)), or(...entries(40))), ({ $or }) => $or],
    ['conditions', and(...entries(1_000).map(not)), ({ l }) => l.$elemMatch.$nin],
  ])('1,000 %s', (_, filter, list) => {
    expect(list(compile(some(['l'], filter)))).toHaveLength(1_000)
  })
  test.each<[what: string, filter: Filter]>([
    ['one of 1,001', or(...entries(1_001))],
    ['more than 1,000 together with one, or another', or(and(or(...entries(1_001)), entry('x')), entry('y'))],
    ['more than 1,000 together with one', and(or(...entries(1_001)), entry('x'))],
    ['one together with more than 1,000', and(entry('x'), or(...entries(1_001)))],
    ['7 × 11 × 13 pairs', and(or(...entries(7)), or(...entries(11)), or(...entries(13)))],
    ['1,001 at once', and(...entries(1_001).map(not))],
  ])('more than 1,000: %s', (_, filter) => {
    const message = 'l compares one entry by more than 1000 alternatives or conditions'
    expect(() => compile(some(['l'], filter))).toThrow(
      new FilterError([
        { code: 'backend_refused', fault: 'server', message, parameters: { problem: 'operand', field: 'l' } },
      ]),
    )
  })
})

describe('a hundred levels, and no more', () => {
  const levelsOf = (value: unknown): number =>
    typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(levelsOf)) : 0
  const message = 'the filter makes a document of more than 100 levels'
  const hint = 'ask for less at once: fewer conditions, shorter lists, fewer groups inside groups'
  const tooDeep = new FilterError([
    { code: 'backend_refused', fault: 'server', message, hint, parameters: { problem: 'size' } },
  ])
  /** Makes 98 levels. */
  const inside = (around: (inner: Filter) => Filter, filter: Filter) =>
    Array.from({ length: 49 }).reduce<Filter>(around, filter)
  const inEntries = (inner: Filter) => some(['l'], inner)

  test.each<[what: string, around: (inner: Filter) => Filter]>([
    ['alternatives', (inner) => and(is('b', 'x'), or(is('c', 'x'), inner))],
    ['complements', (inner) => not(and(is('b', 'x'), inner))],
    ['entries', inEntries],
  ])('%s', (_, around) => {
    expect(levelsOf(compile(inside(around, comparison(['a'], 'gt', string('x')))))).toBe(100)
    expect(() => compile(inside(around, some(['a'], entry('x'))))).toThrow(tooDeep)
  })

  test('several conditions on one entry', () => {
    expect(levelsOf(compile(some(['l'], and(...entries(49), not(presence([], 'number'))))))).toBe(100)
    expect(() => compile(some(['l'], and(...entries(50))))).toThrow(tooDeep)
  })

  test('values are none', () => {
    const options = { fields: { [`${'l.'.repeat(49)}a`]: { encode: () => new Date(0) } } }
    const documentsAround = (document: object) =>
      Array.from({ length: 49 }).reduce<object>(($elemMatch) => ({ l: { $elemMatch } }), document)
    const after = comparison(['a'], 'gt', string('x'))
    expect(compile(inside(inEntries, after), options)).toEqual(documentsAround({ a: { $gt: new Date(0) } }))
    const present = presence(['a'], 'string')
    expect(compile(inside(inEntries, present), options)).toEqual(documentsAround({ a: { $ne: null } }))
  })
})

describe('text', () => {
  test.each(statements('mongo, texts of seller'))('%s', (query, document, _, place) => {
    expect(compile(query.replaceAll('+', '%2B')), place).toStrictEqual(documentOf(document))
  })

  test('a pattern that MongoDB would not read is refused', () => {
    const pattern = (text: string) => compile(match(['a'], 'prefix', text)).a.$regex as string
    // Whatever its letters, within the language's own limit.
    expect(pattern('k'.repeat(1_024))).toHaveLength(1 + 5 * 1_024)
    expect(() => pattern('k'.repeat(1_025))).toThrow('a searches for a text that is too long for a pattern')
    expect(pattern('x'.repeat(4_096))).toHaveLength(4_097)
    expect(() => pattern('x'.repeat(4_097))).toThrow(FilterError)
    // A field of lower-cased text needs no classes.
    const lower = mongoBackend({ fields: { a: { lower: 'low' } } })
    const patternOfLower = (text: string) => lower.compile(match(['a'], 'prefix', text)).low.$regex as string
    expect(patternOfLower('k'.repeat(4_096))).toHaveLength(4_097)
    expect(() => patternOfLower('k'.repeat(4_097))).toThrow(FilterError)
  })
})

test('the complement of an order keeps documents without a value', () => {
  expect(complementOf({ $gt: 1 })).toEqual({ $not: { $gt: 1 } })
})

const exact = defineSchema({
  key: field.uuid(),
  number: field.bigint(),
  price: field.decimal(),
  at: field.datetime(),
  day: field.date(),
  keys: field.list(field.uuid()),
  numbers: field.list(field.bigint()),
  prices: field.list(field.decimal()),
  moments: field.list(field.datetime()),
  lines: field.list(field.object({ key: field.uuid(), number: field.bigint(), price: field.decimal() })),
})
const compileExact = (asked: string | Filter, options?: MongoOptions) =>
  mongoBackend({ schema: exact, ...options }).compile(
    typeof asked === 'string' ? parseFilterOrThrow(exact, asked) : asked,
  )
const nil = '00000000-0000-0000-0000-000000000000'
const decimal = (text: string) => Decimal128.fromString(text)
const long = 1234567890123456789012345678901234n

describe('uuids, whole numbers of 64 bits, decimals', () => {
  const encodeUuid = (text: string) => new UUID(text)
  const fields: MongoOptions['fields'] = {
    ...{ price: { type: 'decimal', encode: decimal }, prices: { type: 'decimal', encode: decimal } },
    'lines.price': { encode: decimal },
  }
  const encodedFields: MongoOptions['fields'] = {
    ...{ key: { type: 'binData', encode: encodeUuid }, keys: { type: 'binData', encode: encodeUuid } },
    number: { encode: Long.fromString, type: 'long' },
  }
  test.each<[query: string, document: object]>([
    [`key=${upper}`, { key: lower }],
    [`key[notEqual]=${upper}`, { key: { $ne: lower } }],
    [`key[in]=${upper},${nil}`, { key: { $in: [lower, nil] } }],
    [`key[nin]=${upper},${nil}`, { key: { $nin: [lower, nil] } }],
    [`key[gt]=${upper}`, { key: { $gt: lower } }],
    [`key[gte]=${upper}`, { key: { $gte: lower } }],
    [`key[lt]=${upper}`, { key: { $lt: lower } }],
    [`key[lte]=${upper}`, { key: { $lte: lower } }],
    [`key[range]=${nil},${upper}`, { key: { $gte: nil, $lte: lower } }],
    ['key[exists]=true', { key: { $type: 'string' } }],
    ['key[exists]=false', { key: { $not: { $type: 'string' } } }],
    [`keys=${upper}`, { keys: { $elemMatch: { $eq: lower } } }],
    ['number=9007199254740993', { number: 9007199254740993n }],
    ['number[notEqual]=-0', { number: { $ne: 0n } }],
    ['number[in]=9223372036854775807,-9223372036854775808', { number: { $in: [2n ** 63n - 1n, -(2n ** 63n)] } }],
    ['number[nin]=1,2', { number: { $nin: [1n, 2n] } }],
    ['number[gt]=9223372036854775807', { number: { $gt: 2n ** 63n - 1n } }],
    ['number[gte]=-9223372036854775808', { number: { $gte: -(2n ** 63n) } }],
    ['number[lt]=5', { number: { $lt: 5n } }],
    ['number[lte]=5', { number: { $lte: 5n } }],
    ['number[range]=5,6', { number: { $gte: 5n, $lte: 6n } }],
    ['number[range]=5,5', { number: 5n }],
    ['number[exists]=true', { number: { $type: 'number' } }],
    ['number[exists]=false', { number: { $not: { $type: 'number' } } }],
    ['numbers[in]=1,2', { numbers: { $elemMatch: { $in: [1n, 2n] } } }],
    ['price=1.10', { price: decimal('1.1') }],
    ['price[notEqual]=-0.0', { price: { $ne: decimal('0') } }],
    ['price[in]=1.10,0.1', { price: { $in: [decimal('1.1'), decimal('0.1')] } }],
    ['price[nin]=1.10,0.1', { price: { $nin: [decimal('1.1'), decimal('0.1')] } }],
    [`price[gt]=${long}`, { price: { $gt: decimal(String(long)) } }],
    ['price[gte]=0.1', { price: { $gte: decimal('0.1') } }],
    ['price[lt]=0.1', { price: { $lt: decimal('0.1') } }],
    ['price[lte]=0.1', { price: { $lte: decimal('0.1') } }],
    ['price[range]=0.1,0.2', { price: { $gte: decimal('0.1'), $lte: decimal('0.2') } }],
    ['price[exists]=true', { price: { $type: 'decimal' } }],
    ['price[exists]=false', { price: { $not: { $type: 'decimal' } } }],
    ['prices=1.10', { prices: { $elemMatch: { $eq: decimal('1.1') } } }],
    [
      `lines.key=${upper}&lines.number[gt]=1&lines.price=1.10`,
      { lines: { $elemMatch: { key: lower, number: { $gt: 1n }, price: decimal('1.1') } } },
    ],
  ])('%s', (query, document) => {
    expect(compileExact(query, { fields })).toStrictEqual(document)
  })
  test.each<[query: string, document: object]>([
    [`key=${upper}`, { key: new UUID(lower) }],
    [`key[nin]=${upper},${nil}`, { key: { $nin: [new UUID(lower), new UUID(nil)] } }],
    [`key[gte]=${upper}`, { key: { $gte: new UUID(lower) } }],
    ['key[exists]=true', { key: { $type: 'binData' } }],
    [`keys=${upper}`, { keys: { $elemMatch: { $eq: new UUID(lower) } } }],
    ['number[lt]=9007199254740993', { number: { $lt: Long.fromString('9007199254740993') } }],
    ['number[exists]=false', { number: { $not: { $type: 'long' } } }],
  ])('as what encode makes: %s', (query, document) => {
    expect(compileExact(query, { fields: encodedFields })).toEqual(document)
  })

  test('a uuid in a field that is text by its options', () => {
    expect(compileExact(`key=${upper}`, { fields: { key: { type: 'string', name: '_id' } } })).toEqual({ _id: lower })
  })
  const number = (value: bigint): Literal => ({ type: 'bigint', value: String(value) })
  test('the narrower bounds of entries, to the unit', () => {
    const bounds = [2n ** 53n, 2n ** 53n + 1n].flatMap((value) => [
      comparison([], 'gte', number(value)),
      comparison([], 'lte', number(value)),
    ])
    const narrowest = { numbers: { $elemMatch: { $gte: 2n ** 53n + 1n, $lte: 2n ** 53n } } }
    expect(compileExact(some(['numbers'], and(...bounds)))).toEqual(narrowest)
    expect(compileExact(some(['numbers'], and(...bounds.toReversed())))).toEqual(narrowest)
  })
  test('two bounds of decimals are both written', () => {
    const bounds = ['1', '2'].map((value) => comparison([], 'gt', { type: 'decimal', value }))
    expect(compileExact(some(['prices'], and(...bounds)), { fields })).toEqual({
      prices: { $elemMatch: { $gt: decimal('1'), $not: { $not: { $gt: decimal('2') } } } },
    })
  })

  test.each(['price=1.1', 'price[nin]=1.1', 'price[lt]=1.1', 'price[exists]=true', 'prices=1', 'lines.price=1'])(
    'without encode, a decimal is refused: %s',
    (query) => {
      const why = /is a decimal: give its field an encode, such as Decimal128\.fromString, and type: 'decimal'$/
      expect(() => compileExact(query)).toThrow(why)
      expect(() => compileExact(query, { fields: { price: { type: 'string' } } })).toThrow(FilterError)
    },
  )
  test('a uuid is no date, and a whole number of 64 bits no text', () => {
    const options: MongoOptions = { fields: { key: { type: 'date' }, number: { type: 'string' } } }
    expect(() => compileExact(`key=${nil}`, options)).toThrow('key is stored as date, which holds no uuid')
    expect(() => compileExact('number=1', options)).toThrow('number is stored as string, which holds no bigint')
  })
  test('a decimal of more digits than Decimal128 has is refused', () => {
    const more: Literal = { type: 'decimal', value: `${long}.5` }
    const why = 'price has no stored form for the operand'
    for (const operator of ['eq', 'gt', 'lte'] as const) {
      expect(() => compileExact(comparison(['price'], operator, more), { fields })).toThrow(why)
    }
  })
  test('a decimal that encode has no form for equals nothing', () => {
    const cents = (text: string) => (/\.\d{3}/.test(text) ? undefined : Long.fromNumber(Math.round(Number(text) * 100)))
    const options: MongoOptions = { fields: { price: { type: 'long', encode: cents } } }
    expect(compileExact('price[in]=1.5,1.234', options)).toEqual({ price: Long.fromNumber(150) })
    expect(compileExact('price=1.234', options)).toEqual({ $nor: [{}] })
    expect(() => compileExact('price[gt]=1.234', options)).toThrow('price has no stored form for the operand')
  })
})

describe('moments between two milliseconds', () => {
  const at = '2024-01-31T10:00:00.123'
  const fine = `${at}456Z`
  const whole = date(`${at}Z`)
  const nothing = { $nor: [{}] }
  const lines: readonly [query: string, document: object][] = [
    [`at=${fine}`, nothing],
    [`at[notEqual]=${fine}`, {}],
    [`at[gt]=${fine}`, { at: { $gt: whole } }],
    [`at[gte]=${fine}`, { at: { $gt: whole } }],
    [`at[lt]=${fine}`, { at: { $lte: whole } }],
    [`at[lte]=${fine}`, { at: { $lte: whole } }],
    [`at[range]=${fine},${at}999Z`, { at: { $gt: whole, $lte: whole } }],
    [`at[in]=${at}Z,${fine}`, { at: whole }],
    [`at[in]=${fine},${at}457Z`, nothing],
    [`at[nin]=${at}Z,${fine}`, { at: { $ne: whole } }],
    [`at[nin]=${fine}`, {}],
    [`at=${at}000Z`, { at: whole }],
    ['at[gt]=1969-12-31T23:59:59.999999Z', { at: { $gt: date('1969-12-31T23:59:59.999Z') } }],
    [`moments=${fine}`, nothing],
    [`moments[gte]=${fine}`, { moments: { $elemMatch: { $gt: whole } } }],
  ]
  test.each(lines)('%s', (query, document) => {
    expect(compileExact(query)).toStrictEqual(document)
    const encode = (text: string) => new Date(text)
    const options: MongoOptions = { fields: { at: { type: 'date', encode }, moments: { type: 'date', encode } } }
    expect(compileExact(query, options)).toStrictEqual(document)
  })
  test.each(lines)('as text: %s', (query, document) => {
    const texts = JSON.parse(JSON.stringify(document)) as object
    expect(compileExact(query, { datetimes: 'string' })).toStrictEqual(texts)
  })
  test('the complement in an entry', () => {
    const after = comparison([], 'gte', { type: 'datetime', value: fine })
    expect(compileExact(some(['moments'], not(after)))).toEqual({
      $or: [{ moments: { $elemMatch: { $lte: whole } } }, { moments: { $elemMatch: { $not: { $type: 'date' } } } }],
    })
  })
  test('an encode of six digits gets all of them', () => {
    const encode = (text: string) => (text.length === 24 ? text.replace('Z', '000Z') : text)
    const options: MongoOptions = { fields: { at: { type: 'string', encode } } }
    expect(compileExact(`at[gte]=${fine}`, options)).toEqual({ at: { $gte: fine } })
    expect(compileExact(`at[in]=${at}Z,${fine}`, options)).toEqual({ at: { $in: [`${at}000Z`, fine] } })
  })
  test('an encode whose Date has lost them has no form for the operand', () => {
    const options: MongoOptions = { fields: { at: { encode: (text: string) => new Date(text) } } }
    expect(compileExact(`at=${fine}`, options)).toEqual(nothing)
    expect(compileExact(`at[in]=${at}Z,${fine}`, options)).toEqual({ at: whole })
    expect(() => compileExact(`at[gt]=${fine}`, options)).toThrow('at has no stored form for the operand')
  })
})

describe('a required field', () => {
  const promises = { required: true } as const
  const { compile } = mongoBackend({
    schema: defineSchema({
      seller: field.string(promises),
      price: field.decimal(promises),
      total: field.number(),
      customer: field.object({ name: field.string(promises) }, promises),
      address: field.object({ city: field.string(promises) }),
      items: field.list(field.object({ code: field.string(promises) })),
    }),
    fields: { price: { encode: decimal } },
  })
  const present = (...path: string[]) => presence(path, 'string')
  test.each<[what: string, filter: Filter, document: object]>([
    ['has a value', present('seller'), {}],
    ['never has none', not(present('seller')), { $nor: [{}] }],
    ['has a value, encoded', presence(['price'], 'decimal'), {}],
    ['has a value in an object that is required', present('customer', 'name'), {}],
    ['is an object', presence(['customer'], 'object'), {}],
    ['needs its object', present('address', 'city'), { 'address.city': { $type: 'string' } }],
    ['is beside one that is not required', presence(['total'], 'number'), { total: { $type: 'number' } }],
    [
      'of an entry needs the entry',
      some(['items'], present('code')),
      { items: { $elemMatch: { code: { $type: 'string' } } } },
    ],
  ])('%s', (_, filter, document) => {
    expect(compile(filter)).toEqual(document)
  })
})

describe('stored forms', () => {
  const fields: MongoOptions['fields'] = {
    id: { name: '_id', encode: (text: string) => (ObjectId.isValid(text) ? new ObjectId(text) : undefined) },
    total: { type: 'decimal', encode: (value: number) => Decimal128.fromString(String(value)) },
    day: { type: 'date' },
    paidAt: { type: 'string', name: 'paid_at' },
    days: { name: 'dates', type: 'date' },
    customer: { name: 'contact.person' },
    'customer.name': { name: 'full name' },
    items: { name: 'lines' },
    'items.price': { name: 'cents', encode: (price: number) => Math.round(price * 100) },
    'items.options': { name: 'extras' },
    'items.options.code': { name: 'c' },
    gift: { encode: (gift: boolean) => (gift ? 1 : 0), type: 'int' },
    'customer.email': { lower: 'email_lower' },
    'items.product': { lower: 'small.product' },
    seller: { lower: 'seller_lower', encode: Buffer.from },
    tags: { lower: 'of no use for entries' },
  }
  const id = '65f000000000000000000001'
  test.each<[query: string, document: object]>([
    [`id=${id}`, { _id: new ObjectId(id) }],
    [`id[in]=${id},x`, { _id: new ObjectId(id) }],
    [`id[gt]=${id}`, { _id: { $gt: new ObjectId(id) } }],
    ['seller[contains]=', { seller: { $ne: null } }],
    ['id=x', { $nor: [{}] }],
    ['id[notEqual]=x', {}],
    ['id[in]=x,y', { $nor: [{}] }],
    ['id[nin]=x,y', {}],
    ['id[exists]=true', { _id: { $ne: null } }],
    ['id[exists]=false', { _id: null }],
    ['total[gte]=0.1', { total: { $gte: Decimal128.fromString('0.1') } }],
    ['total[exists]=true', { total: { $type: 'decimal' } }],
    ['day=2024-02-29', { day: date('2024-02-29T00:00:00.000Z') }],
    ['day[exists]=true', { day: { $type: 'date' } }],
    ['paidAt=2024-02-29T12:00:00%2B01:00', { paid_at: '2024-02-29T11:00:00.000Z' }],
    ['days=2024-02-29', { dates: { $elemMatch: { $eq: date('2024-02-29') } } }],
    ['days[exists]=true', { dates: { $elemMatch: { $type: 'date' } } }],
    ['customer.name=Jo&customer.email=x', { 'contact.person.full name': 'Jo', 'contact.person.email': 'x' }],
    ['customer[exists]=true', { 'contact.person': { $type: 'object' } }],
    ['items.price=1.5', { lines: { $elemMatch: { cents: 150 } } }],
    ['items.options.code=x', { lines: { $elemMatch: { extras: { $elemMatch: { c: 'x' } } } } }],
    ['gift=true', { gift: 1 }],
    ['guests=5', { guests: 5 }],
    ['customer.email[startsWith]=Ask.', { 'contact.person.email_lower': { $regex: '^ask\\.' } }],
    ['customer.email[doesNotContain]=İ', { 'contact.person.email_lower': { $not: { $regex: 'i' } } }],
    ['customer.email[contains]=', { 'contact.person.email': { $type: 'string' } }],
    ['customer.email=Ask', { 'contact.person.email': 'Ask' }],
    ['items.product[endsWith]=X', { lines: { $elemMatch: { 'small.product': { $regex: 'x(?![\\s\\S])' } } } }],
    ['seller[startsWith]=X', { seller_lower: { $regex: '^x' } }],
    ['seller[equalsIgnoreCase]=Xİ', { seller_lower: 'xi' }],
    ['seller[equalsIgnoreCase]=', { seller_lower: '' }],
    ['customer.email[startsWithExact]=X', { 'contact.person.email': { $regex: '^X' } }],
    ['tags[equalsIgnoreCase]=X', { tags: { $elemMatch: { $regex: '^x(?![\\s\\S])', $options: 'i' } } }],
    ['tags[startsWith]=X', { tags: { $elemMatch: { $regex: '^x', $options: 'i' } } }],
  ])('%s', (query, document) => {
    expect(compile(query, { fields })).toEqual(document)
  })

  test('dates as BSON dates, datetimes as text', () => {
    expect(compile('day=2024-02-29&paidAt[lt]=2024-02-29', { dates: 'date', datetimes: 'string' })).toStrictEqual({
      day: date('2024-02-29'),
      paidAt: { $lt: '2024-02-29T00:00:00.000Z' },
    })
  })

  test('entries that are encoded', () => {
    const options = { fields: { l: { encode: (text: string) => new ObjectId(text) } } }
    expect(compile(some(['l'], not(comparison([], 'gt', string(id)))), options)).toEqual({
      $or: [{ l: { $elemMatch: { $lte: new ObjectId(id) } } }, { l: { $elemMatch: { $eq: null } } }],
    })
    expect(compile(some(['l'], presence([], 'string')), options)).toEqual({ l: { $elemMatch: { $ne: null } } })
    expect(compile(some(['l'], not(presence([], 'string'))), options)).toEqual({ l: { $elemMatch: { $eq: null } } })
  })

  test.each<[what: string, query: string, message: string, code?: string, fault?: string]>([
    ['text in what is encoded', 'id[startsWith]=6', 'id is not stored as text'],
    ['text in what is encoded as text', 'customer.email[contains]=x', 'customer.email is not stored as text'],
    ['the empty text', 'id[contains]=', 'id is not stored as text'],
    ['a text in a field of dates', 'seller=x', 'seller is stored as date, which holds no string'],
    ['a number in a field of texts', 'guests=5', 'guests is stored as string, which holds no integer'],
    ['presence of one', 'guests[exists]=true', 'guests is stored as string, which holds no integer'],
    [
      'an order with what has no stored form',
      'id[gt]=x',
      'id has no stored form for the operand',
      'backend_refused',
      'client',
    ],
    ['its complement too', 'id[lte]=y', 'id has no stored form for the operand', 'backend_refused', 'client'],
    ['an entry', 'tags[contains]=6', 'an entry is not stored as text'],
  ])('%s is refused, where it stands', (_, query, message, code = 'backend_unsupported', fault = 'server') => {
    const options = {
      fields: {
        ...fields,
        seller: { type: 'date' },
        guests: { type: 'string' },
        tags: { encode: () => 'x' },
        'customer.email': { type: 'string', encode: String },
      },
    } as const
    const found = (() => {
      try {
        compile(`total=1&${query}`, options)
      } catch (error) {
        return error
      }
      return undefined
    })() as FilterError
    expect(found).toBeInstanceOf(FilterError)
    expect(found.issues).toMatchObject([{ code, fault, message, span: { start: 8 } }])
  })

  test('case is in no field of small letters: a match that minds it needs the text itself', () => {
    for (const operator of ['startsWithExact', 'endsWithExact', 'containsExact'])
      expect(() => compile(`seller[${operator}]=X`, { fields })).toThrow('seller is not stored as text')
  })

  test('an operand that encode throws for', () => {
    const options = { fields: { id: { encode: (text: string) => new ObjectId(text) } } }
    expect(() => compile('id[notEqual]=x', options)).toThrow(
      new FilterError([
        {
          code: 'backend_refused',
          fault: 'client',
          message: 'id has no stored form for the operand',
          parameters: { problem: 'operand', field: 'id' },
          span: { start: 0, end: 14 },
        },
      ]),
    )
    expect(() => compile('id[in]=x,y', options)).toThrow('id has no stored form for the operand')
  })

  test('a value and none at once', () => {
    const encode = (value: string) => value
    const filter = and(comparison(['seller'], 'eq', string('x')), not(presence(['seller'], 'string')))
    expect(compile(filter, { fields: { seller: { encode } } })).toEqual({ seller: 'x', $and: [{ seller: null }] })
  })

  test('texts compared with stored dates', () => {
    const options: MongoOptions = { fields: { seller: { type: 'date' } } }
    const issues = [expect.objectContaining({ message: 'seller is stored as date, which holds no string' })]
    for (const filter of ['seller=x', 'seller[in]=x,y', 'seller[startsWith]=x'])
      expect(() => compile(filter, options)).toThrow(expect.objectContaining({ issues }))
  })

  test('all refusals at once', () => {
    const refused = () => compile('id[startsWith]=6&id[contains]=7', { fields })
    expect(refused).toThrow(expect.objectContaining({ issues: [expect.anything(), expect.anything()] }))
  })

  test.each([
    ['null', null],
    ['a list', ['x']],
    ['a key of MongoDB', Object.assign(Object.create({}) as object, { _bsontype: 'MinKey' })],
    ['an object', { $ne: '' }],
    ['a pattern', /x/],
    ['a pattern of BSON', Object.assign(Object.create({}) as object, { _bsontype: 'BSONRegExp' })],
    ['a function', () => true],
    ['a symbol', Symbol('x')],
    ['an object without a prototype', Object.create(null) as object],
  ])('an encode that makes %s', (_, value) => {
    const made = () => compile('customer.name=x', { fields: { 'customer.name': { encode: () => value } } })
    const message = 'encode of customer.name must make a scalar of BSON, or undefined where there is none'
    expect(made).toThrow(new TypeError(message))
  })
})

test('entries that are encoded have no text, with a field in small letters beside their list or not', () => {
  for (const lower of [{}, { lower: 'small' }]) {
    const contains = () => compile('tags[contains]=x', { fields: { tags: { encode: (value) => value, ...lower } } })
    expect(contains).toThrow('an entry is not stored as text')
  }
})
test('bounds of different types are both written', () => {
  const encode = (value: unknown) => (value === 1 ? 1 : new Date(0))
  expect(compile('total[gt]=1&total[gte]=2', { fields: { total: { encode } } })).toEqual({
    total: { $gt: 1, $gte: new Date(0) },
  })
  expect(compile('total[gte]=1&total[range]=2,3', { fields: { total: { encode } } })).toEqual({
    total: { $gte: 1, $lte: new Date(0) },
    $and: [{ total: { $gte: new Date(0) } }],
  })
})
test.each<[what: string, values: readonly [unknown, unknown]]>([
  ['different types', [1, new Date(0)]],
  ['a type without an order of its own here', [new ObjectId('1'.repeat(24)), new ObjectId('2'.repeat(24))]],
])('an entry between bounds of %s has both asked for', (_, values) => {
  const options = { fields: { l: { encode: (at: number) => values[at] } } }
  expect(compile(some(['l'], and(above(0), above(1))), options)).toEqual({
    l: { $elemMatch: { $gt: values[0], $not: { $not: { $gt: values[1] } } } },
  })
})

describe('options that cannot be', () => {
  test.each<[options: unknown, message: string]>([
    [null, 'options must be an object'],
    [[], 'options must be an object'],
    [{ datetime: 'string' }, 'options.datetime is unknown; did you mean datetimes?'],
    [{ Fields: {} }, 'options.Fields is unknown; did you mean fields?'],
    [{ collection: 'orders' }, 'options.collection is unknown (available: schema, dates, datetimes, fields)'],
    [{ fields: { a: { nmae: '_id' } } }, 'fields["a"].nmae is unknown; did you mean name?'],
    [{ fields: { a: { encoder: String } } }, 'fields["a"].encoder is unknown; did you mean encode?'],
    [{ fields: { a: ['name'] } }, 'fields["a"] must be an object'],
    [{ schema: {} }, 'schema must be made by defineSchema'],
    [{ schema: null }, 'schema must be made by defineSchema'],
    [{ schema: { ...schema } }, 'schema must be made by defineSchema'],
    [{ schema, fields: { Seler: {} } }, 'fields["Seler"] is not a path of the schema; did you mean seller?'],
    [
      { schema, fields: { 'items.prices': {} } },
      'fields["items.prices"] is not a path of the schema; did you mean items.price?',
    ],
    [{ schema, fields: { elsewhere: {} } }, 'fields["elsewhere"] is not a path of the schema'],
    [{ schema, fields: { constructor: {} } }, 'fields["constructor"] is not a path of the schema'],
    [{ dates: 'text' }, "dates must be 'string' or 'date'"],
    [{ datetimes: null }, "datetimes must be 'string' or 'date'"],
    [{ fields: [] }, 'fields must be an object of fields by their path'],
    [{ fields: null }, 'fields must be an object of fields by their path'],
    [{ fields: 5 }, 'fields must be an object of fields by their path'],
    [{ fields: { a: 'b' } }, 'fields["a"] must be an object'],
    [{ fields: { a: null } }, 'fields["a"] must be an object'],
    [{ fields: { 'a..b': {} } }, 'fields["a..b"] is of no possible path'],
    [{ fields: { $a: {} } }, 'fields["$a"] is of no possible path'],
    [{ fields: { a: { name: '$where' } } }, 'fields["a"].name must be'],
    [{ fields: { a: { name: '' } } }, 'fields["a"].name must be'],
    [{ fields: { a: { name: 'b.$ne' } } }, 'fields["a"].name must be'],
    [{ fields: { a: { name: 'b..c' } } }, 'fields["a"].name must be'],
    [{ fields: { a: { name: 'b\0' } } }, 'fields["a"].name must be'],
    [{ fields: { a: { name: '__proto__' } } }, 'fields["a"].name must be'],
    [{ fields: { a: { name: 5 } } }, 'fields["a"].name must be'],
    [{ fields: { a: { lower: '$a' } } }, 'fields["a"].lower must be'],
    [{ fields: { a: { notNull: 1 } } }, 'fields["a"].notNull must be a boolean'],
    [{ fields: { a: { encode: 'x' } } }, 'fields["a"].encode must be a function'],
    [{ fields: { a: { type: 'objectId' } } }, 'fields["a"].type must be one of string, date, or have an encode'],
    [{ fields: { a: { type: 'text', encode: String } } }, 'fields["a"].type must be one of string, date, number,'],
  ])('%#: $1', (options, message) => {
    expect(() => mongoBackend(options as MongoOptions)).toThrow(TypeError)
    expect(() => mongoBackend(options as MongoOptions)).toThrow(message)
  })
  test('the types that an encode may have are told', () => {
    const types = 'string, date, number, double, int, long, decimal, bool, objectId, binData'
    const typed = () => mongoBackend({ fields: { a: { type: 'text', encode: String } } } as unknown as MongoOptions)
    expect(typed).toThrow(new TypeError(`fields["a"].type must be one of ${types}`))
  })
  test('and a value other than a filter', () => {
    const operator = { ...is('a', 'x'), operand: { type: 'string', value: { $ne: null } } }
    for (const filter of [undefined, null, {}, [], { ...is('a', 'x'), path: ['$where'] }, operator])
      expect(() => compile(filter as unknown as Filter)).toThrow(TypeError)
  })
})

describe('a field that every document has a value for', () => {
  const { compile, compileQuery } = mongoBackend({
    fields: { id: { name: '_id', notNull: true }, total: { notNull: true }, 'items.price': { notNull: true } },
  })
  test('is present', () => {
    expect(compile(presence(['total'], 'number'))).toEqual({})
    expect(compile(not(presence(['total'], 'number')))).toEqual({ $nor: [{}] })
    expect(compile(presence(['guests'], 'integer'))).toEqual({ guests: { $type: 'number' } })
  })
  test('may be missing in an entry of a list', () => {
    const filter = some(['items'], presence(['price'], 'number'))
    expect(compile(filter)).toEqual({ items: { $elemMatch: { price: { $type: 'number' } } } })
  })
  test('is not the field of an entry that has its name', () => {
    const filter = some(['items'], presence(['total'], 'number'))
    expect(compile(filter)).toEqual({ items: { $elemMatch: { total: { $type: 'number' } } } })
  })
  test('has one bound in a page, in both directions', () => {
    const sort = [
      { path: ['total'], type: 'number', direction: 'descending' },
      { path: ['id'], type: 'string', direction: 'descending' },
    ] as const
    const values = [
      { type: 'number', value: 5 },
      { type: 'string', value: 'x' },
    ] as const
    const filterOf = (toward: 'next' | 'previous') =>
      compileQuery({ ...partsOfFilter(and()), sort, limit: 20, count: false, position: { toward, values } }).filter
    expect(filterOf('next')).toEqual({
      total: { $lte: 5 },
      $or: [{ total: { $lt: 5 } }, { total: 5, _id: { $lt: 'x' } }],
    })
    expect(filterOf('previous')).toEqual({
      total: { $gte: 5 },
      $or: [{ total: { $gt: 5 } }, { total: 5, _id: { $gt: 'x' } }],
    })
  })
})

test('MongoDB refuses an order with nulls when the program starts', () => {
  const schema = defineSchema({ id: field.integer(), total: field.integer() })
  const collection = defineCollection(schema, { key: 'id', sort: { total: { nulls: 'last' } } })
  const backend = mongoBackend({ schema })
  const message = 'find cannot move the rows without total'
  expect(() => backend.compileQuery(parseQueryOrThrow(collection, 'sort=total'))).toThrow(message)
  // Last is where `find` places them.
  expect(backend.compileQuery(parseQueryOrThrow(collection, 'sort=-total')).sort).toEqual({ total: -1, id: -1 })
  expect(() => checkBackend(collection, backend)).toThrow(
    `backend, mongo, refuses 1 of the operators, orders, fields and facets that the collection offers: ${message} (sort=total)`,
  )
  expect(backend.capabilities.features).not.toContain('placed-nulls')
})
describe('an order that ignores case', () => {
  const schema = defineSchema({ id: field.integer(), guest: field.object({ name: field.string() }) })
  const options = { key: 'id', sort: { 'guest.name': { ignoreCase: true } } } as const
  const fields = { guest: { name: 'g' }, 'guest.name': { name: 'n', lower: 'small' } }
  const backend = mongoBackend({ schema, fields })
  const read = (text: string, position?: Query['position']) =>
    backend.compileQuery({
      ...parseQueryOrThrow(defineCollection(schema, options), text),
      ...(position && { position }),
    })
  const values = [
    { type: 'string', value: 'Jo' },
    { type: 'integer', value: 7 },
  ] as const
  test('sorts by the field in lower case, then by the text', () => {
    expect(Object.entries(read('sort=-guest.name').sort)).toEqual([
      ['g.small', -1],
      ['g.n', -1],
      ['id', -1],
    ])
    expect(read('sort=guest.name&limit=5').projection).toEqual({ 'g.n': 1, id: 1, _id: 0 })
  })
  test('compares the position with both', () => {
    expect(read('sort=guest.name', { toward: 'next', values }).filter).toEqual({
      'g.small': { $gte: 'jo' },
      $or: [
        { 'g.small': { $gt: 'jo' } },
        { 'g.small': 'jo', $or: [{ 'g.n': { $gt: 'Jo' } }, { 'g.n': 'Jo', id: { $gt: 7 } }] },
      ],
    })
  })
  test('is a feature of a backend with a field in lower case', () => {
    checkBackend(defineCollection(schema, options), backend)
    expect(backend.capabilities.features).toContain('ignored-case')
    expect(mongoBackend({ schema }).capabilities.features).not.toContain('ignored-case')
  })
  test('compares a field of an entry in lower case, but not the entry', () => {
    const names = defineSchema({
      names: field.list(field.string()),
      guests: field.list(field.object({ name: field.string() })),
    })
    const { compile } = mongoBackend({
      schema: names,
      fields: { 'guests.name': { lower: 'small' }, names: { lower: 'small' } },
    })
    const after = (path: readonly string[]) => comparison(path, 'ltIgnoreCase', { type: 'string', value: 'B' })
    expect(compile(some(['guests'], after(['name'])))).toEqual({ guests: { $elemMatch: { small: { $lt: 'b' } } } })
    expect(() => compile(some(['names'], after([])))).toThrow('an entry is not stored in lower case')
  })
})
test('MongoDB refuses an order that ignores case without a field in lower case, and one of declared values', () => {
  const schema = defineSchema({ id: field.integer(), name: field.string(), state: field.enumeration(['new', 'held']) })
  const sort = { name: { ignoreCase: true }, state: { declared: true } } as const
  const collection = defineCollection(schema, { key: 'id', sort })
  expect(() => checkBackend(collection, mongoBackend({ schema }))).toThrow(
    'find cannot without a field lower ignore the case of name (sort=name, sort=-name); find cannot order by declared values of state (sort=state, sort=-state)',
  )
  const folded = comparison(['name'], 'gtIgnoreCase', { type: 'string', value: 'b' })
  expect(() => mongoBackend({ schema }).compile(folded)).toThrow('name is not stored in lower case')
})
describe('a field whose name is a whole number', () => {
  const numbered = defineSchema({ id: field.integer(), 7: field.string(), '07': field.string(), b: field.string() })
  const collection = defineCollection(numbered, { key: 'id', sort: true })
  const { compileQuery } = mongoBackend({ schema: numbered })
  const sortOf = (text: string) => Object.entries(compileQuery(parseQueryOrThrow(collection, text)).sort)
  test('is the first sort key', () => {
    expect(sortOf('sort=-7,b')).toEqual([
      ['7', -1],
      ['b', 1],
      ['id', 1],
    ])
    expect(sortOf('sort=b,07')).toEqual([
      ['b', 1],
      ['07', 1],
      ['id', 1],
    ])
  })
  test('cannot come after another: objects have such names first', () => {
    const issue = {
      code: 'backend_refused',
      fault: 'client',
      message: 'a field whose name is a whole number, 7, cannot be ordered by after another field',
      parameters: { problem: 'order', field: '7' },
      span: { start: 7, end: 9 },
    }
    const refused = () => sortOf('sort=b,-7&limit=5')
    expect(refused).toThrow(FilterError)
    expect(refused).toThrow(expect.objectContaining({ issues: [issue] }))
  })
  test('cannot be the key of an order by another one: the fault is whose order it is', () => {
    const message = 'a field whose name is a whole number, 7, cannot be ordered by after another field'
    const issueOf = (text: string, defaultSort?: string) => {
      const keyed = defineCollection(numbered, { key: '7' as 'id', sort: ['b'], ...(defaultSort && { defaultSort }) })
      try {
        return compileQuery(parseQueryOrThrow(keyed, text)).sort
      } catch (error) {
        return (error as FilterError).issues
      }
    }
    const issue = { code: 'backend_refused', message, parameters: { problem: 'order', field: '7' } }
    expect(issueOf('sort=b')).toEqual([{ ...issue, fault: 'client', span: { start: 5, end: 6 } }])
    expect(issueOf('b=x', 'b')).toEqual([{ ...issue, fault: 'server' }])
    expect(issueOf('')).toEqual({ 7: 1 })
  })
})

describe('a document belongs to the caller', () => {
  const filter = parseFilterOrThrow(
    schema,
    'seller[in]=a,b&customer.name[endsWith]=x&tags[in]=a,b&items.price[gt]=1&items.price=2',
  )
  const { compile } = mongoBackend()
  test('and may be changed', () => {
    expect(Object.isFrozen(compile(and()))).toBe(false)
    const first = compile(filter)
    const text = JSON.stringify(first)
    const change = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return
      Object.values(value).forEach(change)
      Object.assign(value, { changed: true })
      if (Array.isArray(value)) value.push('more')
    }
    change(first)
    expect(JSON.stringify(compile(filter))).toBe(text)
  })

  test('is refused where MongoDB cannot read several patterns of one entry', () => {
    const both = (text: string) =>
      some(['l'], and(...['a', 'b'].map((letter) => not(match([], 'substring', `${letter}${text}`)))))
    expect(compile(both(''))).toEqual({ l: { $elemMatch: { $nin: [/a/i, /b/i] } } })
    const message = 'l excludes several patterns of one entry, and one of them contains a line separator'
    for (const text of ['\u2028', '\u2029']) expect(() => compile(both(text))).toThrow(message)
    const twice = some(['l'], and(match([], 'prefix', 'a'), match([], 'suffix', '\u2028')))
    expect(JSON.stringify(compile(twice))).toContain('"$not":{"$not":{"$regex":"\u2028(')
  })
})

describe('the projection of a query', () => {
  const { compileQuery } = mongoBackend({ fields: { a: { name: 'alpha' } } })
  test('contains all fields, from the first row, by default', () => {
    expect(Object.keys(compileQuery(of([id])))).not.toContain('projection')
    expect(Object.keys(compileQuery(of([id])))).not.toContain('skip')
    expect(compileQuery(of([id], { offset: 0 })).skip).toBe(0)
    expect(compileQuery(of([id], { offset: 7 })).skip).toBe(7)
  })
  test('a bounded count stops at one document more than its maximum', () => {
    expect(compileQuery(of([id], { count: { max: 1000 } })).countOptions).toEqual({ limit: 1001 })
    for (const count of [true, false]) expect(compileQuery(of([id], { count }))).not.toHaveProperty('countOptions')
  })
  test.each<[string[], SortKey[], object]>([
    [['s'], [id], { s: 1, id: 1 }],
    [['a'], [key('n', 'integer'), id], { alpha: 1, n: 1, id: 1 }],
    // MongoDB refuses a path beside one that begins it.
    [['a', 'a.b', 'ab'], [id], { alpha: 1, ab: 1, id: 1 }],
    [['a.b', 'a.c'], [key('a', 'integer'), id], { alpha: 1, id: 1 }],
    [['c.d', 'c.e'], [id], { 'c.d': 1, 'c.e': 1, id: 1 }],
  ])('%j in the order of %j', (fields, sort, projection) => {
    const query = of(sort, { fields: fields.map((name) => name.split('.')) })
    expect(compileQuery(query).projection).toEqual(projection)
  })
  test('must be fields of the schema', () => {
    const schema = defineSchema({ id: field.integer(), s: field.string() })
    const strict = mongoBackend({ schema })
    expect(() => strict.compileQuery(of([key('s', 'string'), id]))).not.toThrow()
    expect(() => strict.compileQuery(of([key('nope', 'string'), id]))).toThrow(FilterError)
    expect(() => strict.compileQuery(of([key('s', 'integer'), id]))).toThrow(FilterError)
    expect(() => mongoBackend({ schema, fields: { zzzzzzz: { name: 'z' } } as never })).toThrow(
      /^fields\["zzzzzzz"\] is not a path of the schema$/,
    )
  })
})
