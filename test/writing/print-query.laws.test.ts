/** The texts of queries, which read back as the same queries, and refused queries. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { byEffort } from '../effort.ts'
import { printQuery, type Query } from '../../src/index.ts'
import { sameFilter } from '../../src/tree.ts'
import { collection, read } from './print-query.fixture.ts'

test('a printed text reads as the same query', () => {
  const sort = fc
    .subarray(['seller', 'total', 'id', 'odd, name'])
    .chain((names) => fc.tuple(...names.map((name) => fc.constantFrom(name, `-${name}`))))
    .map((names) => names.map((name) => (name.includes(',') ? encodeURIComponent(`"${name}"`) : name)))
  const asked = fc.record({ sort, limit: fc.integer({ min: 1, max: 100 }), count: fc.boolean(), seller: fc.string() })
  fc.assert(
    fc.property(asked, ({ sort, limit, count, seller }) => {
      const condition = /[\0\ud800-\udfff]/.test(seller) ? '' : `&seller=${encodeURIComponent(seller)}`
      const text = `page[size]=${limit}&count=${count}${sort.length === 0 ? '' : `&sort=${sort.join(',')}`}${condition}`
      const query = read(text)
      const again = read(printQuery(collection, query))
      const bare = ({ filter: _, asked, sort, ...rest }: Query) => ({
        ...rest,
        asked: asked.map((part) => ({ ...part, span: undefined })),
        sort: sort.map(({ span: __, ...key }) => key),
      })
      expect(bare(again)).toEqual(bare(query))
      expect(sameFilter(again.filter, query.filter)).toBe(true)
    }),
    { numRuns: byEffort(5_000, 33) },
  )
})
