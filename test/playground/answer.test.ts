/** The page says what the library says, and its address says what it shows. */
import { expect, test } from 'vitest'
import { stateOf } from '../../docs/playground/address.ts'
import { orderSubject, rows } from '../../docs/playground/orders.ts'
import { withParameter } from '../../docs/playground/pairs.ts'
import { answerOf, partsFor } from './asked.ts'

const { collection } = orderSubject

test('a query in every form', () => {
  const answer = answerOf('status=paid&total[gte]=890&sort=-total&limit=2&fields=id,total')
  const { count, page } = partsFor(answer)
  expect(answer.sentence).toBe('status is "paid", and total is at least 890')
  expect(answer.texts['urlwhere']).toEqual({ output: 'status=paid&total[gte]=890&sort=-total&limit=2&fields=id,total' })
  expect(count).toBe(rows.filter(({ status, total }) => status === 'paid' && total != null && total >= 890).length)
  expect(page.rows.length).toBe(2)
  expect(answer.cut(page.rows[0]!)).toEqual({ id: page.rows[0]!.id, total: page.rows[0]!.total })
  expect(answer.sql('PostgreSQL')).toMatchObject({
    output: { text: expect.stringMatching(/^SELECT "o"\."id", "o"\."total" FROM "orders" AS "o" WHERE/) },
  })
  expect(answer.sql('MySQL')).toMatchObject({ output: { text: expect.stringMatching(/^SELECT `o`/) } })

  expect(answer.whole('SQLite')).toMatchObject({
    output: {
      text: expect.stringMatching(
        /^SELECT CAST\("o"\."id" AS TEXT\) AS c1, "o"\."total" AS c2 FROM "orders" AS "o" WHERE/,
      ),
    },
  })

  const next = partsFor(answerOf(withParameter(collection, answer.text, 'cursor', page.next!)))
  expect(next.page.rows[0]!.total).toBeLessThanOrEqual(page.rows[1]!.total as number)
  const marked = `?${withParameter(collection, '', 'cursor', 'a')}&gift=true`
  expect(withParameter(collection, marked, 'cursor', 'b')).toBe('gift=true&cursor=b')
})

test('facets with which a query passes a limit are refused, and the rest of the answer is there', () => {
  const answer = answerOf('customerName[contains]=a&customer.name[contains]=a&customer.email[contains]=@')
  const { count, facets } = partsFor(answer)
  expect(count).toBeGreaterThan(0)
  expect(facets).toEqual({ refusal: [expect.objectContaining({ code: 'limit_searches' })] })
})
test('rows are found by their number', () => {
  expect(rows.every(({ id }, at) => id === at + 1)).toBe(true)
})

test.each(['#row=0', '#row=1.5', '#row=x', '#dialect=toString', '#notation=toString', '#whole=1', '#?', '#%', ''])(
  'the address %s says nothing',
  (fragment) => {
    expect(stateOf([orderSubject], fragment)).toEqual({
      list: 'orders',
      query: '',
      notation: 'urlwhere',
      row: undefined,
      dialect: 'PostgreSQL',
      isWhole: false,
    })
  },
)
