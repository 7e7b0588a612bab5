/** Proofs and counter-examples: by hand, against rows drawn at random, and against all rows of a small world. */
import { describe, expect, test } from 'vitest'
import { subsumes } from '../../src/tools/explain/index.ts'
import { and, not, or, parseFilterOrThrow, type Filter } from '../../src/index.ts'
import { comparison, match, maxPathLength, membership, presence, some } from '../../src/tree.ts'
import type { ComparisonOperator } from '../../src/tree.ts'
import { orders } from '../orders.ts'
import { rowsIn } from '../rows.ts'
import {
  compile,
  text,
  number,
  integer,
  decimal,
  nil,
  max,
  starts,
  contains,
  is,
  entries,
  anything,
  nothing,
} from './subsumes.fixture.ts'

const read = (text: string) => parseFilterOrThrow(orders, text === '-' ? '' : text)
/** The pairs of queries in subsumes.txt. */
const pairs = (section: string) =>
  rowsIn(new URL('subsumes.txt', import.meta.url), section).map(({ cells: [wide, narrow, row = '{}'], place }) => ({
    ...{ wide: wide!, narrow: narrow!, place },
    row: JSON.parse(row) as unknown,
  }))
const boolean = (value: boolean) => comparison(['a'], 'eq', { type: 'boolean', value })
const date = (operator: ComparisonOperator, value: string) => comparison(['a'], operator, { type: 'date', value })
const datetime = (operator: ComparisonOperator, value: string) =>
  comparison(['a'], operator, { type: 'datetime', value })
const uuid = (operator: ComparisonOperator, value: string) => comparison(['a'], operator, { type: 'uuid', value })
const bigint = (operator: ComparisonOperator, value: string) => comparison(['a'], operator, { type: 'bigint', value })
const ends = (part: string) => match(['a'], 'suffix', part)
const startsExactly = (part: string) => match(['a'], 'prefixExact', part)
const endsExactly = (part: string) => match(['a'], 'suffixExact', part)
const containsExactly = (part: string) => match(['a'], 'substringExact', part)
const whole = (part: string) => match(['a'], 'whole', part)

describe('proofs', () => {
  test.each(pairs('proofs'))('$wide includes $narrow', ({ wide, narrow, place }) =>
    expect(subsumes(read(wide), read(narrow)), place).toEqual({ subsumes: true }),
  )

  const lastMoment = '9999-12-31T23:59:59.999999Z'
  const [leastBigint, mostBigint] = ['-9223372036854775808', '9223372036854775807']
  test.each<[string, Filter, Filter]>([
    ['entries that none can be', nothing, and(some(['l'], nothing), entries('gte', 1))],
    ['a long text, whatever its case is', whole('ab'.repeat(20)), whole('AB'.repeat(20))],
    ['the start of a long text', starts('ab'), whole('AB'.repeat(20))],
    ['the end of a long text', ends('ab'), whole('AB'.repeat(20))],
    ['one of no values', nothing, membership(['a'], [])],
    ['after the last integer', nothing, integer('gt', Number.MAX_SAFE_INTEGER)],
    ['after the last number', nothing, number('gt', Number.MAX_VALUE)],
    ['after the last day', nothing, date('gt', '9999-12-31')],
    ['after the last day, and on or after another', nothing, and(date('gte', '2024-01-01'), date('gt', '9999-12-31'))],
    ['after the last day, and after another', nothing, and(date('gt', '9999-12-31'), date('gt', '2024-01-01'))],
    ['after the last moment', nothing, datetime('gt', lastMoment)],
    // Between two neighbours is nothing.
    [
      'between two moments',
      nothing,
      and(datetime('gt', '2024-01-01T00:00:00.999999Z'), datetime('lt', '2024-01-01T00:00:01.000Z')),
    ],
    [
      'a moment of six digits is after its millisecond',
      datetime('gt', '2024-01-01T00:00:00.123Z'),
      datetime('eq', '2024-01-01T00:00:00.123456Z'),
    ],
    ['and before the next', datetime('lt', '2024-01-01T00:00:00.124Z'), datetime('eq', '2024-01-01T00:00:00.123999Z')],
    [
      'no moment',
      nothing,
      and(datetime('gt', '2024-01-01T00:00:00.123Z'), datetime('lte', '2024-01-01T00:00:00.123Z')),
    ],
    ['the least uuid', uuid('gte', nil), is('uuid', 'a')],
    ['the largest uuid', uuid('lte', max), is('uuid', 'a')],
    ['after the last uuid', nothing, uuid('gt', max)],
    ['before the first uuid', nothing, uuid('lt', nil)],
    [
      'between two uuids',
      nothing,
      and(uuid('gt', '00000000-0000-0000-0000-00000000ffff'), uuid('lt', '00000000-0000-0000-0000-000000010000')),
    ],
    [
      'between uuids over all groups',
      nothing,
      and(uuid('gt', '0fffffff-ffff-ffff-ffff-ffffffffffff'), uuid('lt', '10000000-0000-0000-0000-000000000000')),
    ],
    ['the least bigint', bigint('gte', leastBigint), is('bigint', 'a')],
    ['the largest bigint', bigint('lte', mostBigint), is('bigint', 'a')],
    ['after the last bigint', nothing, bigint('gt', mostBigint)],
    ['before the first bigint', nothing, bigint('lt', leastBigint)],
    ['between two bigints', nothing, and(bigint('gt', '9007199254740992'), bigint('lt', '9007199254740993'))],
    ['between -1 and 0', nothing, and(bigint('gt', '-1'), bigint('lt', '0'))],
    ['bigints by value, not by text', bigint('gt', '9'), bigint('eq', '10')],
    [
      'no bigint but one',
      bigint('eq', '9007199254740993'),
      and(bigint('gt', '9007199254740992'), bigint('lte', '9007199254740993')),
    ],
    ['decimals by value, not by text', decimal('gt', '9.5'), decimal('eq', '10')],
    ['negative decimals', decimal('lt', '-0.25'), decimal('lte', '-0.3')],
    ['a decimal and its bounds', decimal('eq', '1.1'), and(decimal('gte', '1.1'), decimal('lte', '1.1'))],
    ['no decimal', nothing, and(decimal('gt', '1.1'), decimal('lte', '1.1'))],
    ['no decimal, the wrong way', nothing, and(decimal('gt', '2'), decimal('lt', '-2'))],
    [
      'not above and not below',
      decimal('eq', '0'),
      and(is('decimal', 'a'), not(decimal('gt', '0')), not(decimal('lt', '0'))),
    ],
    [
      'a decimal is before, at or after',
      or(decimal('lt', '0'), decimal('eq', '0'), decimal('gt', '0')),
      is('decimal', 'a'),
    ],
    ['the last letter on', starts('\u{10ffff}'), text('gte', '\u{10ffff}')],
    ['a beginning that is past', nothing, and(starts('joh'), text('gte', 'joz'))],
    ['a beginning that is past at its first letter', nothing, and(starts('joh'), text('gte', 'k'))],
    ['any beginning', starts(''), ends('x')],
    ['any end', ends(''), starts('x')],
    ['any part', contains(''), ends('x')],
    ['any part that minds case', containsExactly(''), ends('x')],
    ['any end that minds case', endsExactly(''), contains('x')],
    ['a whole text that is past', nothing, and(whole('joh'), text('gte', 'joi'))],
    ['a whole text between its spellings', nothing, and(whole('jo'), text('gt', 'Jo'), text('lt', 'jO'))],
    ['two whole texts', nothing, and(whole('jo'), whole('joh'))],
    ['a whole text without its spellings', nothing, and(whole('j'), not(text('eq', 'j')), not(text('eq', 'J')))],
    ['a whole text with an end that it lacks', nothing, and(whole('jo'), ends('h'))],
    ['a whole text with a part that it lacks', nothing, and(whole('jo'), containsExactly('x'))],
    ['a beginning in another case', nothing, and(startsExactly('Jo'), startsExactly('JO'))],
    ['a whole text with a beginning in one case', startsExactly('JO'), and(whole('jo'), startsExactly('JO'))],
    ['no beginning that it must have', starts('jo'), and(ends('n'), starts('john'))],
    ['an integer is a number', number('gte', 1), integer('eq', 2)],
    ['true or false', or(boolean(false), boolean(true)), is('boolean', 'a')],
    ['an object is itself', is('object', 'a'), is('object', 'a')],
    ['what has a field is an object', is('object', 'a'), is('string', 'a', 'b', 'c')],
    ['no entry is both', nothing, some(['l'], and(is('object'), is('string', 'a'), not(is('object'))))],
    ['one condition of several on an entry', nothing, and(some(['l'], integer('eq', 1)), some(['l'], nothing))],
  ])('%s', (_, wide, narrow) => expect(subsumes(wide, narrow)).toEqual({ subsumes: true }))
})

describe('counter-examples', () => {
  test.each(pairs('counter-examples'))('$wide does not include $narrow', ({ wide, narrow, row, place }) =>
    expect(subsumes(read(wide), read(narrow)), place).toEqual({ subsumes: false, row }),
  )
  test('a list of the row has as many entries as its conditions need', () => {
    const row = { tags: Array.from({ length: 1_000 }, () => '') }
    expect(subsumes(read('tags[atLeast]=1001'), read('tags[atLeast]=1000'))).toEqual({ subsumes: false, row })
  })

  const moment = (milliseconds: string) => `2024-01-01T00:00:00.${milliseconds}Z`
  test.each<[string, Filter, Filter, unknown]>([
    // Values next to others.
    ['one of no values', membership(['a'], []), text('eq', 'x'), { a: 'x' }],
    [
      'a bound in the case of a long text',
      nothing,
      and(whole('ab'.repeat(20)), text('gte', 'Ab'.repeat(20))),
      { a: 'Ab'.repeat(20) },
    ],
    ['the integer after', integer('lte', 5), is('integer', 'a'), { a: 6 }],
    ['the integer itself', integer('lt', 5), is('integer', 'a'), { a: 5 }],
    ['true', boolean(false), is('boolean', 'a'), { a: true }],
    ['false', boolean(true), is('boolean', 'a'), { a: false }],
    ['the number before zero', number('gt', 0), number('gt', -Number.MIN_VALUE), { a: 0 }],
    ['the number after zero', number('gt', Number.MIN_VALUE), number('gt', 0), { a: Number.MIN_VALUE }],
    ['the next negative number', number('gt', -1), number('gt', -2), { a: -1.9999999999999998 }],
    ['the last integer', nothing, integer('gt', Number.MAX_SAFE_INTEGER - 1), { a: Number.MAX_SAFE_INTEGER }],
    // Every database can store a whole millisecond.
    ['the next moment', datetime('gte', moment('002')), datetime('gt', moment('000')), { a: moment('001') }],
    ['the next microsecond', datetime('gte', moment('001')), datetime('gt', moment('000')), { a: moment('000001') }],
    [
      'the last microsecond',
      nothing,
      datetime('gt', '9999-12-31T23:59:59.999998Z'),
      { a: '9999-12-31T23:59:59.999999Z' },
    ],
    [
      'the last microsecond of a millisecond',
      nothing,
      and(datetime('gt', moment('000998')), datetime('lt', moment('001'))),
      { a: moment('000999') },
    ],
    ['the moment after 999 microseconds', nothing, datetime('gt', moment('000999')), { a: moment('001') }],
    [
      'the moment after a second',
      nothing,
      datetime('gt', '2023-12-31T23:59:59.999999Z'),
      { a: '2024-01-01T00:00:00.000Z' },
    ],
    [
      'a millisecond before a moment of six digits',
      nothing,
      and(datetime('gte', moment('123')), datetime('lte', moment('123456'))),
      { a: moment('123') },
    ],
    ['the first uuid', nothing, is('uuid', 'a'), { a: nil }],
    ['the next uuid', nothing, uuid('gt', nil), { a: '00000000-0000-0000-0000-000000000001' }],
    [
      'the next uuid, with a carry',
      nothing,
      uuid('gt', '01890a5d-ac96-774b-bfff-ffffffffffff'),
      { a: '01890a5d-ac96-774b-c000-000000000000' },
    ],
    ['the last uuid', nothing, uuid('gte', max), { a: max }],
    [
      'another uuid',
      uuid('eq', nil),
      and(uuid('gte', nil), uuid('lt', max)),
      { a: '00000000-0000-0000-0000-000000000001' },
    ],
    ['the first bigint', nothing, is('bigint', 'a'), { a: '-9223372036854775808' }],
    ['the next bigint', bigint('lte', '9007199254740992'), bigint('gt', '9007199254740991'), { a: '9007199254740993' }],
    ['the bigint after -1', nothing, and(bigint('gt', '-1'), bigint('lt', '1')), { a: '0' }],
    ['the last bigint', nothing, bigint('gt', '9223372036854775806'), { a: '9223372036854775807' }],
    ['any decimal', nothing, is('decimal', 'a'), { a: '0' }],
    ['a decimal between two', nothing, and(decimal('gt', '1'), decimal('lt', '1.1')), { a: '1.01' }],
    ['a decimal between two negative ones', nothing, and(decimal('gt', '-1.1'), decimal('lt', '-1')), { a: '-1.01' }],
    ['a decimal between signs', nothing, and(decimal('gt', '-0.5'), decimal('lt', '0.5')), { a: '0' }],
    [
      'a decimal between signs that is not zero',
      decimal('eq', '0'),
      and(decimal('gt', '-0.5'), decimal('lt', '0.5')),
      { a: '0.01' },
    ],
    ['a decimal before zero', nothing, and(decimal('gt', '-0.5'), decimal('lt', '0')), { a: '-0.01' }],
    ['a decimal after the largest', nothing, decimal('gt', '99999999999999999999'), { a: '99999999999999999999.1' }],
    ['a decimal before the least', nothing, decimal('lt', '-99999999999999999999'), { a: '-99999999999999999999.1' }],
    ['a decimal before a positive one', nothing, decimal('lt', '5'), { a: '0' }],
    ['the decimal itself', decimal('lt', '1.1'), decimal('lte', '1.1'), { a: '1.1' }],
    ['another decimal than those', decimal('eq', '1'), and(not(decimal('gt', '1')), is('decimal', 'a')), { a: '0' }],
    [
      'one of several decimals',
      decimal('lte', '2'),
      membership(
        ['a'],
        [
          { type: 'decimal', value: '1' },
          { type: 'decimal', value: '3' },
        ],
      ),
      { a: '3' },
    ],
    ['a number with a fraction', integer('eq', 2), number('gt', 2), { a: 2.0000000000000004 }],

    // Beginnings of texts: capitals come before small letters, and a text before what continues it.
    ['a text that goes on', nothing, and(starts('joh'), text('gte', 'J')), { a: 'JOH' }],
    ['the small letter next', nothing, and(starts('joh'), text('gt', 'j')), { a: 'jOH' }],
    ['a small letter for a capital', nothing, and(starts('joh'), text('gte', 'JOz')), { a: 'JoH' }],
    [
      'a longer text',
      nothing,
      and(starts('joh'), text('gt', 'joh'), not(text('lt', 'joh\u0001\u0001'))),
      { a: 'joh\u0001\u0001' },
    ],
    ['the letter after, of a longer text', starts('joh'), and(starts('jo'), text('gte', 'joh')), { a: 'joi' }],
    ['the letter after, from further on', starts('abc'), text('gte', 'abcx'), { a: 'abd' }],
    ['the letter after', starts('abc'), text('gte', 'abc'), { a: 'abd' }],
    ['the letter after, where one is the last', starts('a\u{10ffff}'), text('gte', 'a\u{10ffff}'), { a: 'b' }],
    ['no half of a letter', starts('\ud7ff'), text('gte', '\ud7ff'), { a: '\ue000' }],
    [
      'another beginning than the excluded one',
      starts('b'),
      and(text('gte', 'a'), not(text('eq', 'a'))),
      { a: 'a\u0001' },
    ],
    ['a text at the end only', starts('hn'), starts('john'), { a: 'JOHN' }],
    ['a capital, and no end', ends('x'), and(starts('b'), text('lt', 'a')), { a: 'B' }],
    ['a capital, and more', text('eq', 'B'), and(starts('b'), text('lt', 'b')), { a: 'B\u0001' }],

    // Texts that must have parts.
    ['all parts', nothing, and(starts('j'), contains('oh'), ends('n')), { a: 'john' }],
    ['the longer beginning', nothing, and(starts('jo'), starts('j'), contains('h')), { a: 'joh' }],
    ['the longer beginning, the other way', nothing, and(starts('j'), starts('jo'), contains('h')), { a: 'joh' }],
    ['no beginning', nothing, and(contains('h'), ends('n')), { a: 'hn' }],
    ['small letters', nothing, and(ends('N'), text('gte', 'a')), { a: 'n' }],
    [
      'all parts in their case',
      nothing,
      and(startsExactly('J'), containsExactly('Oh'), endsExactly('N')),
      { a: 'JOhN' },
    ],
    [
      'a spelling of a whole text with all parts',
      nothing,
      and(whole('john'), endsExactly('hN'), contains('oh')),
      { a: 'JOhN' },
    ],
    ['a text at the start only', starts('j'), ends('jo'), { a: '  jo' }],
    ['a part that is not the beginning', starts('o'), contains('oh'), { a: ' oh ' }],
    ['a beginning without a part', contains('x'), starts('j'), { a: 'J' }],
    ['parts with a space between', contains('jo'), and(starts('j'), ends('o')), { a: 'j  o' }],
    [
      'parts in one another',
      or(contains('oo'), contains(' ')),
      and(starts('jo'), contains('oh'), ends('hn')),
      { a: 'john' },
    ],
    [
      'a part that has the beginning',
      or(contains('jj'), contains(' ')),
      and(starts('j'), contains('joh')),
      { a: 'joh' },
    ],

    // Objects, and what is in them.
    [
      'an object and a field',
      nothing,
      and(is('object', 'a'), text('eq', 'x', 'b'), is('string', 'a', 'b')),
      { a: { b: '' }, b: 'x' },
    ],
    ['a field and an object', nothing, and(is('string', 'a', 'b'), is('object', 'a')), { a: { b: '' } }],
    ['another object', is('object', 'c'), is('string', 'a', 'b'), { a: { b: '' } }],
    ['no object in the object', is('object', 'a', 'b'), is('string', 'a', 'c'), { a: { c: '' } }],
    ['an entry of another type', some(['l'], is('object')), some(['l'], anything), { l: [null] }],
    [
      'an entry of another type has no field',
      some(['l'], or(is('string', 'x'), is('object'), is('string', 'y'))),
      some(['l'], anything),
      { l: [null] },
    ],
    ['an object as an entry', some(['l'], is('string', 'x')), some(['l'], is('object')), { l: [{}] }],
    ['an entry with a field', nothing, some(['l'], and(is('object'), is('string', 'x'))), { l: [{ x: '' }] }],
    ['a field of an entry', nothing, some(['l'], and(is('string', 'x'), is('object'))), { l: [{ x: '' }] }],
  ])('%s', (_, wide, narrow, row) => expect(subsumes(wide, narrow)).toEqual({ subsumes: false, row }))
  // No query has U+0000 in a text, but a stored row may.
  test.each<[string, Filter, Filter, unknown]>([
    ['the next text', text('gte', 'a\u0001'), text('gt', 'a'), { a: 'a\0' }],
    ['the next text after the next', text('gte', 'a\u0001'), and(text('gt', 'a'), not(text('eq', 'b'))), { a: 'a\0' }],
    [
      'the next text with a beginning',
      or(text('eq', 'ab'), text('gte', 'ab\u0001')),
      and(starts('ab'), text('gt', 'aa')),
      { a: 'ab\0' },
    ],
    ['an entry of a list', some(['l'], text('gte', 'a\u0001')), some(['l'], text('gt', 'a')), { l: [{ a: 'a\0' }] }],
    ['only where no other text is one', text('gte', 'b'), text('gt', 'a'), { a: 'a\u0001' }],
  ])('with U+0000: %s', (_, wide, narrow, row) => expect(subsumes(wide, narrow)).toEqual({ subsumes: false, row }))
  test('parts that must not touch', () => {
    const { row } = subsumes(or(contains('ab'), contains('ba')), and(contains('a'), contains('b'))) as { row: unknown }
    expect([{ a: 'a b' }, { a: 'b a' }]).toContainEqual(row)
  })
  test('two entries are not one', () => {
    const price = (value: number) => some(['items'], comparison(['price'], 'eq', { type: 'number', value }))
    expect(subsumes(read('items.price=1&items.product=x'), and(price(1), read('items.product=x')))).toMatchObject({
      subsumes: false,
      row: { items: expect.arrayContaining([{ product: 'x' }, { price: 1 }]) as unknown },
    })
  })
  const empty = some(['l'], not(is('string')))
  test.each<[string, Filter, Filter, number]>([
    ['beside an entry without one', nothing, and(empty, entries('gte', 1)), 2],
    ['of which a row has none', entries('gte', 1), empty, 1],
    ['of which a row may have none', or(entries('gte', 1), some(['l'], is('string'))), empty, 1],
  ])('entries with a value, %s', (_, wide, narrow, length) => {
    const { subsumes: isProof, row } = subsumes(wide, narrow) as { subsumes?: boolean; row: { l: unknown[] } }
    expect(isProof).toBe(false)
    expect(row.l).toHaveLength(length)
    expect([compile(wide)(row), compile(narrow)(row)]).toEqual([false, true])
  })
  test('names of Object.prototype are ordinary', () => {
    const { row } = subsumes(text('eq', 'x', 'toString'), text('eq', 'x', 'constructor')) as { row: object }
    expect(Object.hasOwn(row, 'constructor')).toBe(true)
    expect(compile(text('eq', 'x', 'constructor'))(row)).toBe(true)
  })
})

describe('filters of strangers', () => {
  test('the longest path is read', () => {
    const path = Array.from({ length: maxPathLength }, (_, at) => `n${at}`)
    const [here, inList] = [presence(path, 'string'), some(path.slice(1), presence(path.slice(0, 1), 'string'))]
    for (const filter of [here, inList, and(here, inList)]) {
      expect(subsumes(filter, filter)).toEqual({ subsumes: true })
      const { row } = subsumes(nothing, filter) as { row: unknown }
      expect(compile(filter)(row)).toBe(true)
    }
  })
})

test('a value other than a filter is refused', () => {
  expect(() => subsumes(undefined as never, and())).toThrow('wide must be a filter')
  expect(() => subsumes(and(), {} as never)).toThrow('narrow')
})

describe('a proof is of good content: it misses', () => {
  const least = Number.MIN_SAFE_INTEGER
  const [first, last] = ['0001-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999999Z']
  test.each<[content: string, value: unknown, wide: Filter, narrow: Filter]>([
    ['a half of a letter', '\ud800', starts('\uffff'), and(text('gte', '\uffff'), text('lt', '\u{10000}'))],
    ['the other half', '\udfff', text('lt', '\u{10ffff}'), and(is('string', 'a'), not(starts('\u{10ffff}')))],
    ['a fraction', 2.5, integer('gte', 3), integer('gt', 2)],
    ['2^53', 2 ** 53, integer('lte', Number.MAX_SAFE_INTEGER), is('integer', 'a')],
    ['-2^53', -(2 ** 53), integer('gte', least), is('integer', 'a')],
    ['NaN', NaN, or(number('lt', 0), number('gte', 0)), is('number', 'a')],
    ['an infinity', Infinity, number('lte', Number.MAX_VALUE), is('number', 'a')],
    ['the other infinity', -Infinity, number('gte', -Number.MAX_VALUE), is('number', 'a')],
    ['a text that is not a uuid', 'soon', uuid('lte', max), is('uuid', 'a')],
    ['a text that is not a day', 'soon', date('lte', '9999-12-31'), is('date', 'a')],
    ['a day that is none', '2024-02-30', date('lte', '2024-02-29'), date('lt', '2024-03-01')],
    ['a day with more', '2024-02-28T12:00', date('lte', '2024-02-28'), date('lt', '2024-02-29')],
    ['a Date without a time', new Date(NaN), date('gte', '0001-01-01'), is('date', 'a')],
    ['a Date of the year 10000', new Date(253_402_300_800_000), date('lte', '9999-12-31'), is('date', 'a')],
    ['a text that is not a moment', 'soon', datetime('gte', first), is('datetime', 'a')],
    [
      'a moment whose offset ends before the first',
      '0001-01-01T00:00:00+23:59',
      datetime('gte', first),
      is('datetime', 'a'),
    ],
    [
      'a moment whose offset begins after the last',
      '9999-12-31T23:59:59-23:59',
      datetime('lte', last),
      is('datetime', 'a'),
    ],
  ])('%s', (_, value, wide, narrow) => {
    expect(subsumes(wide, narrow)).toEqual({ subsumes: true })
    const row = { a: value }
    expect([compile(narrow)(row), compile(wide)(row)]).toEqual([true, false])
  })
})
