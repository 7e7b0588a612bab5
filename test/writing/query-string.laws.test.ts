/** The texts of `queryString` read as the queries that `where` and `buildQuery` build of the same parts; wrong parts are refused. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { and, type Filter } from '../../src/index.ts'
import { sameFilter } from '../../src/tree.ts'
import { byEffort } from '../effort.ts'
import { written, filterOf, o } from './query-string.fixture.ts'

// --- The law

const someText = fc.string({
  unit: fc.constantFrom(...Array.from('&=,"\\%+()[]#;?/.:@\' \t\ré😀aB\uffff\u{10ffff}')),
  maxLength: 6,
})
test('a written text reads as the built query', () => {
  const numbers = fc.double({ noNaN: true, noDefaultInfinity: true })
  const moments = fc.date({
    min: new Date('0001-01-01T00:00:00Z'),
    max: new Date('9999-12-31T23:59:59.999Z'),
    noInvalidDate: true,
  })
  fc.assert(
    fc.property(
      fc.array(someText, { minLength: 1, maxLength: 4 }),
      fc.tuple(numbers, numbers),
      moments,
      fc.array(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), { minLength: 1, maxLength: 3 }),
      fc.tuple(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.stringMatching(/^\d{1,10}$/)),
      fc.uuid(),
      ([text = '', ...others], [low, high], moment, bigints, [whole, fraction], uuid) => {
        const money = `${whole}.${fraction}`
        const query = written({
          filter: {
            'seller[contains]': text,
            'tags[in]': [text, ...others],
            'total[range]': [low, high],
            'paidAt[gte]': moment,
            'big[in]': bigints,
            'money[lt]': money,
            uuid,
          },
        })
        const built = and(
          o.contains('seller', text),
          o.some('tags', (tag) => tag.in([text, ...others])),
          o.range('total', low, high),
          o.gte('paidAt', moment),
          o.in('big', bigints),
          o.lt('money', money),
          o.equals('uuid', uuid),
        )
        expect(filterOf(query)).toSatisfy((filter: Filter) => sameFilter(filter, built))
      },
    ),
    { numRuns: byEffort(5_000, 67) },
  )
})
