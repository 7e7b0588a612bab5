/** Filters and queries of one shape: they differ in nothing but their operands. */
import fc from 'fast-check'
import type { Filter, FilterError, Query } from '../../src/index.ts'
import type { Literal, LiteralType } from '../../src/tree.ts'

/** What a filter becomes where no other was compiled before: the answer, or the issues. */
export const outcome = <T>(compile: (given: T) => unknown, given: T): unknown => {
  try {
    return compile(given)
  } catch (error) {
    return (error as FilterError).issues
  }
}

const lists = (value: fc.Arbitrary<Literal['value']>) => fc.array(value, { minLength: 1, maxLength: 9 })
const texts = fc.oneof(
  fc.constantFrom('', 'a', 'Jo', '\u{10ffff}', 'x\u{10ffff}', '%_\\!', 'İΣ', '0', '12', '012', '-0', 'ab\ud7ff'),
  fc.constantFrom('9223372036854775807', '9223372036854775808', '123e4567-e89b-42d3-a456-426614174000', 'paid'),
)
const valuesOf: { readonly [T in LiteralType]: fc.Arbitrary<Literal['value']> } = {
  string: texts,
  integer: fc.constantFrom(0, -0, 1, 2 ** 53 - 1, -5),
  number: fc.constantFrom(0, 0.1, -1e300, 5e-324, 7),
  boolean: fc.boolean(),
  date: fc.constantFrom('0000-01-01', '2024-02-29', '9999-12-31'),
  datetime: fc.constantFrom('0000-01-01T00:00:00.000Z', '2024-02-29T23:59:59.999Z'),
}

/** Filters of the same shape with other operands. */
export function likes(filter: Filter): fc.Arbitrary<Filter> {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return fc.tuple(...filter.filters.map(likes)).map((filters) => ({ ...filter, filters }))
    case 'not':
    case 'some':
      return likes(filter.filter).map((inner) => ({ ...filter, filter: inner }))
    case 'comparison': {
      const { type } = filter.operand
      return valuesOf[type].map((value) => ({ ...filter, operand: { type, value } as Literal }))
    }
    case 'membership': {
      const type = filter.operands[0]?.type
      if (type === undefined) return fc.constant(filter)
      return lists(valuesOf[type]).map((values) => ({
        ...filter,
        operands: values.map((value) => ({ type, value }) as Literal),
      }))
    }
    case 'match':
      return texts.map((text) => ({ ...filter, text }))
    case 'presence':
      return fc.constant(filter)
  }
}
/** Queries of the same shape, with other operands, positions and numbers of rows. */
export const likesOfQuery = (query: Query): fc.Arbitrary<Query> => {
  const { position } = query
  const valueLike = (literal: Literal | null): fc.Arbitrary<Literal | null> =>
    literal === null
      ? fc.constant(null)
      : fc.option(
          valuesOf[literal.type].map((value) => ({ type: literal.type, value }) as Literal),
          { freq: 9 },
        )
  return fc
    .record({
      filter: likes(query.filter),
      values: fc.tuple(...(position?.values ?? []).map(valueLike)),
      limit: fc.nat(99),
    })
    .map(({ filter, values, limit }) => ({
      ...query,
      filter,
      limit: limit + 1,
      ...(position && { position: { ...position, values } }),
    }))
}

/** One that is arbitrary, and three like it. */
export const familiesOf = <T>(some: fc.Arbitrary<T>, likesOf: (one: T) => fc.Arbitrary<T>): fc.Arbitrary<T[]> =>
  some.chain((one) => fc.array(likesOf(one), { minLength: 3, maxLength: 3 }).map((others) => [one, ...others]))
