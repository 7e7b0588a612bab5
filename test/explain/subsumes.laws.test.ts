/** Proofs and counter-examples: by hand, against rows drawn at random, and against all rows of a small world. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { subsumes } from '../../src/tools/explain/index.ts'
import { and, not, or, type Filter } from '../../src/index.ts'
import { comparison, match, membership, presence, some, type ComparisonOperator, type Literal } from '../../src/tree.ts'
import { someFilter, someRow, someSchema } from '../../src/kit/arbitraries.ts'
import { byCompleteness, byEffort } from '../effort.ts'
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
  integers,
} from './subsumes.fixture.ts'

describe('neither', () => {
  const both = and(is('string', 'a'), is('date', 'a'))
  test.each<[string, Filter, Filter]>([
    ['a field of two types', integer('eq', 1), both],
    ['a field of two types, one of them unwanted', is('date', 'a'), is('string', 'a')],
    ['an integer that is a text', is('integer', 'a'), is('string', 'a')],
    ['a number that is a text', is('number', 'a'), is('string', 'a')],
    ['a bigint that is an integer', is('integer', 'a'), is('bigint', 'a')],
    ['a decimal that is a number', is('decimal', 'a'), number('eq', 1)],
    ['a uuid that is a text', is('string', 'a'), is('uuid', 'a')],
    ['a field of three types', or(is('integer', 'a'), is('number', 'a')), is('string', 'a')],
    ['a list that is a text', nothing, and(some(['a'], anything), is('string', 'a'))],
    ['an object that is a text', is('string', 'a'), is('string', 'a', 'b')],
    ['an object that is a text or none', or(is('string', 'a'), is('object', 'a')), is('string', 'a', 'b')],
    ['an entry of two types', nothing, some(['l'], both)],
    ['a list that is a text, and has an entry', nothing, and(entries('gte', 1), is('string', 'l'))],
    ['entries of two types', nothing, and(entries('gte', 1), entries('gte', 1, 'date'))],
    ['more entries than are made', entries('gte', 1_002), entries('gte', 1_001)],
    ['entries that satisfy more than one condition', entries('gte', 1), some(['l'], is('string'))],
    ['a part of a small text', nothing, and(contains('x'), text('lt', ' '))],
    ['more values than are looked at', integers(20_000), integer('gte', 0)],
  ])('%s, alone or in an alternative', (_, wide, narrow) => {
    expect(subsumes(wide, narrow)).toEqual({ subsumes: undefined })
    const never = membership(['z'], [])
    expect(subsumes(wide, or(narrow, never))).toEqual({ subsumes: undefined })
    expect(subsumes(wide, or(not(and(not(narrow), not(never))), never))).toEqual({ subsumes: undefined })
    expect(subsumes(wide, or(narrow, text('eq', 'x', 'z')))).toEqual({ subsumes: false, row: { z: 'x' } })
  })

  test('more alternatives than are looked at', () => expect(subsumes(nothing, many())).toEqual({ subsumes: undefined }))

  /** 22^3 combinations, none of which can be. */
  function many(): Filter {
    const alternatives = (name: string) => or(...Array.from({ length: 22 }, (_, at) => integer('eq', at, name)))
    return and(alternatives('a'), alternatives('b'), alternatives('c'), integer('eq', 1, 'z'), integer('eq', 2, 'z'))
  }
})

describe('filters of strangers', () => {
  /** So many alternatives for one field; or so many pairs of them, for fields of their own. */
  const choices = (count: number) => or(...Array.from({ length: count }, (_, at) => integer('eq', 2 * at)))
  const pairs = (count: number) =>
    and(...Array.from({ length: count }, (_, at) => or(integer('eq', 1, `a${at}`), integer('eq', 1, `b${at}`))))
  /** So many filters of one kind. */
  const each = (count: number, make: (at: number) => Filter) => Array.from({ length: count }, (_, at) => make(at))
  const long = 'aB'.repeat(50_000)
  type Hostile = readonly [string, () => readonly [wide: Filter, narrow: Filter]]
  const few: readonly Hostile[] = [
    ['alternatives in alternatives', () => [choices(4_000), choices(4_000)]],
    ['pairs of pairs', () => [pairs(300), pairs(300)]],
    ['thousands of groups', () => [nothing, and(pairs(5_000), integer('eq', 1), integer('eq', 2))]],
    [
      'parts of long texts',
      () => [or(...each(100, (at) => contains(`b${'a'.repeat(50_000 + at)}`))), contains('a'.repeat(100_000))],
    ],
  ]
  /** Each spends the whole budget, which costs about a second. */
  const others: readonly Hostile[] = [
    [
      'alternatives of an entry, for each of many entries',
      () => [
        some(['l'], or(...each(40_000, (at) => integer('eq', at)))),
        and(...each(9_000, (at) => some(['l'], integer('eq', at, 'b')))),
      ],
    ],
    [
      'a long list in each alternative',
      () => {
        const list = integers(20_000)
        return [nothing, or(...each(9_000, (at) => and(list, integer('lt', -at))))]
      },
    ],
    [
      'parts of texts',
      () => [or(...each(20_000, (at) => contains(`a${at}`))), and(...each(20_000, (at) => contains(`b${at}`)))],
    ],
    [
      'beginnings of long texts',
      () => {
        const beginning = (at: number) => 'a'.repeat(20_000) + String.fromCodePoint(0x3041 + at)
        return [or(...each(1_000, (at) => starts(beginning(at)))), and(text('gte', beginning(0)), starts('a'))]
      },
    ],
    [
      'decimals of many digits',
      () => {
        const after = each(2_000, (at) => decimal('gt', `${2_000 - at}.${'1'.repeat(10_000)}`))
        return [nothing, and(decimal('lt', '1000'), ...after)]
      },
    ],
    [
      'long names',
      () => {
        const filter = and(
          ...each(300, (at) => or(integer('eq', 1, `${long}${at}`), integer('eq', 1, `${long}${at}b`))),
        )
        return [filter, filter]
      },
    ],
  ]
  test.each(byCompleteness([...few, ...others], few))(
    'give up in time: %s',
    (_, filters) => expect(subsumes(...filters())).toEqual({ subsumes: undefined }),
    // On an idle machine it takes less than one second, and without a bound a minute and more.
    20_000,
  )
  test(
    'hundreds of deep fields are read',
    () => {
      const deep = (first: string) => [first, ...Array.from({ length: 31 }, (_, at) => `n${at}`)]
      const fields = and(...each(byEffort(300, 60), (at) => presence(deep(`a${at}`), 'string')))
      expect(subsumes(fields, fields)).toEqual({ subsumes: true })
      expect(subsumes(and(fields, text('eq', 'x')), fields)).toMatchObject({ subsumes: false })
    },
    // On an idle machine it takes a tenth of a second. To write the beginning of each path as text would take ten.
    5_000,
  )
})

// --- At random

const related = someSchema.chain((schema) => {
  const filter = someFilter(schema)
  const pair = fc.oneof(
    fc.tuple(filter, filter),
    fc.tuple(filter, filter).map(([a, b]): [Filter, Filter] => [a, and(a, b)]),
    fc.tuple(filter, filter).map(([a, b]): [Filter, Filter] => [or(b, a), a]),
    fc.tuple(filter, filter).map(([a, b]): [Filter, Filter] => [a, and(b, not(a))]),
  )
  return fc.tuple(pair, fc.array(someRow(schema), { minLength: 20, maxLength: 20 }))
})

test('is never wrong', () => {
  const seen = { true: 0, false: 0, undefined: 0 }
  fc.assert(
    fc.property(related, ([[wide, narrow], rows]) => {
      const result = subsumes(wide, narrow)
      seen[`${result.subsumes}`]++
      const isCounterExample = (row: unknown) => compile(narrow)(row) && !compile(wide)(row)
      if (result.subsumes === false) expect(isCounterExample(result.row)).toBe(true)
      if (result.subsumes === true) expect(rows.filter(isCounterExample)).toEqual([])
    }),
    { numRuns: byEffort(3_000, 33) },
  )
  expect(seen.true).toBeGreaterThan(byEffort(300, 5))
  expect(seen.false).toBeGreaterThan(byEffort(300, 5))
})

/** Fields with few different values, so random filters on them often include one another. */
const worlds: readonly { readonly literals: readonly Literal[]; readonly values: readonly unknown[] }[] = [
  {
    literals: [1, 2, 4].map((value) => ({ type: 'integer', value })),
    values: [undefined, 0, 1, 2, 3, 4, 5],
  },
  {
    literals: [1, 1.5, 2].map((value) => ({ type: 'number', value })),
    values: [undefined, 0, 1, 1.25, 1.5, 1.75, 2, 3],
  },
  {
    literals: ['2024-02-28', '2024-02-29', '2024-03-02'].map((value) => ({ type: 'date', value })),
    values: [undefined, '2024-02-27', '2024-02-28', '2024-02-29', '2024-03-01', '2024-03-02', '2024-03-03'],
  },
  {
    literals: ['9007199254740992', '9007199254740993', '9007199254740995'].map((value) => ({ type: 'bigint', value })),
    values: [undefined, ...[1, 2, 3, 4, 5, 6].map((last) => 9007199254740990n + BigInt(last))],
  },
  {
    literals: ['-0.5', '0', '9.5', '10'].map((value) => ({ type: 'decimal', value })),
    values: [undefined, '-1', '-0.50', '-0.2', 0, '5', '9.5', '9.75', 10n, '10.5'],
  },
  {
    literals: ['00000000-0000-0000-0000-000000000009', 'ffffffff-ffff-ffff-ffff-fffffffffffe', max].map((value) => ({
      type: 'uuid',
      value,
    })),
    values: [
      undefined,
      ...[nil, '00000000-0000-0000-0000-000000000009', '00000000-0000-0000-0000-00000000000A'],
      ...['ffffffff-ffff-ffff-ffff-fffffffffffd', 'FFFFFFFF-ffff-ffff-ffff-fffffffffffe', max],
    ],
  },
  {
    literals: ['00.123Z', '00.123456Z', '00.123457Z', '01.000Z'].map((end) => ({
      type: 'datetime',
      value: `2024-01-01T00:00:${end}`,
    })),
    values: [
      undefined,
      ...['00Z', '00.123Z', '00.1231Z', '00.123456Z', '00.123457Z', '00.1235Z', '01Z', '01.000001Z'].map(
        (end) => `2024-01-01T00:00:${end}`,
      ),
    ],
  },
  {
    literals: ['a', 'B', 'a\u0001', 'ab', 'b'].map((value) => ({ type: 'string', value })),
    // Between two texts there are others: a text and what follows it.
    values: [
      undefined,
      ...['', 'A', 'AB', 'Ab', 'B', 'C', 'a', 'aB', 'ab', 'b', 'c'].flatMap((text) => [
        text,
        `${text}\0`,
        `${text}\u0001`,
        `${text}\u0001\0`,
        `${text}z`,
      ]),
    ],
  },
]
const operators: readonly ComparisonOperator[] = ['eq', 'gt', 'gte', 'lt', 'lte']

/** A condition on a field, or its complement. */
function conditionOn(path: string, { literals }: (typeof worlds)[number]): fc.Arbitrary<Filter> {
  const [{ type }] = literals as [Literal]
  const literal = fc.constantFrom(...literals)
  const condition = fc.oneof(
    fc
      .tuple(fc.constantFrom(...operators), literal)
      .map(([operator, operand]) => comparison([path], operator, operand)),
    fc.uniqueArray(literal, { minLength: 1, selector: ({ value }) => value }).map((all) => membership([path], all)),
    fc.constant(presence([path], type)),
    ...(type === 'string'
      ? (['prefix', 'prefixExact', 'whole'] as const).map((mode) =>
          literal.map(({ value }) => match([path], mode, String(value))),
        )
      : []),
  )
  return fc.oneof(condition, condition.map(not))
}

test('conjunctions on scalar fields: it always finds out, and as all rows of a small world show', () => {
  const seen = { true: 0, false: 0 }
  const asked = fc.constantFrom(...worlds).chain((world) => {
    const conjunction = fc
      .array(fc.oneof(conditionOn('a', world), conditionOn('b', world)), { maxLength: 5 })
      .map((all) => and(...all))
    return fc.tuple(fc.constant(world), conjunction, conjunction)
  })
  fc.assert(
    fc.property(asked, ([{ values }, wide, narrow]) => {
      const result = subsumes(wide, narrow)
      const [isWide, isNarrow] = [compile(wide), compile(narrow)]
      const rows = values.flatMap((a) => values.map((b) => ({ a, b })))
      const shown = rows.some((row) => isNarrow(row) && !isWide(row))
      expect(result.subsumes).toBe(!shown)
      if (result.subsumes === false) expect(isNarrow(result.row) && !isWide(result.row)).toBe(true)
      seen[`${!shown}`]++
    }),
    { numRuns: byEffort(20_000, 100) },
  )
  expect(seen.true).toBeGreaterThan(byEffort(1_000, 10))
})
