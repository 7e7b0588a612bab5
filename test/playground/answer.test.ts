/** The page says what the library says, and its address says what it shows. */
import { expect, test } from 'vitest'
import { stateOf } from '../../docs/playground/address.ts'
import { answerTo, dialectNames, rows } from '../../docs/playground/answer.ts'
import { withParameter } from '../../docs/playground/pairs.ts'

test('a query in every form', () => {
  const result = answerTo('status=paid&total[gte]=890&sort=-total&limit=2&fields=id,total')
  if (!result.ok) throw new Error(result.issues[0].message)
  const { answer } = result
  expect(answer.sentence).toBe('status is "paid", and total is at least 890')
  expect(answer.texts['urlwhere']).toEqual({ output: 'status=paid&total[gte]=890&sort=-total&limit=2&fields=id,total' })
  expect(answer.count).toBe(
    rows.filter(({ status, total }) => status === 'paid' && total != null && total >= 890).length,
  )
  expect(answer.page.rows.length).toBe(2)
  expect(answer.cut(answer.page.rows[0]!)).toEqual({ id: answer.page.rows[0]!.id, total: answer.page.rows[0]!.total })
  expect(Object.keys(answer.sql)).toEqual(dialectNames)
  expect(answer.sql.PostgreSQL).toMatchObject({
    output: { text: expect.stringMatching(/^SELECT "o"\."id", "o"\."total" FROM "orders" AS "o" WHERE/) },
  })
  expect(answer.sql.MySQL).toMatchObject({ output: { text: expect.stringMatching(/^SELECT `o`/) } })

  expect(answer.whole('SQLite')).toMatchObject({
    output: {
      text: expect.stringMatching(
        /^SELECT CAST\("o"\."id" AS TEXT\) AS c1, "o"\."total" AS c2 FROM "orders" AS "o" WHERE/,
      ),
    },
  })

  const next = answerTo(withParameter(answer.text, 'cursor', answer.page.next!))
  if (!next.ok) throw new Error(next.issues[0].message)
  expect(next.answer.page.rows[0]!.total).toBeLessThanOrEqual(answer.page.rows[1]!.total!)
  expect(withParameter(`?${withParameter('', 'cursor', 'a')}&gift=true`, 'cursor', 'b')).toBe('gift=true&cursor=b')
})

test('facets with which a query passes a limit are refused, and the rest of the answer is there', () => {
  const result = answerTo('customerName[contains]=a&customer.name[contains]=a&customer.email[contains]=@')
  if (!result.ok) throw new Error(result.issues[0].message)
  const { count, facets } = result.answer
  expect(count).toBeGreaterThan(0)
  expect(facets).toEqual({ refusal: [expect.objectContaining({ code: 'limit_searches' })] })
})
test('rows are found by their number', () => {
  expect(rows.every(({ id }, at) => id === at + 1)).toBe(true)
})

test.each(['#row=0', '#row=1.5', '#row=x', '#dialect=toString', '#notation=toString', '#whole=1', '#?', '#%', ''])(
  'the address %s says nothing',
  (fragment) => {
    expect(stateOf(fragment)).toEqual({
      query: '',
      notation: 'urlwhere',
      row: undefined,
      dialect: 'PostgreSQL',
      isWhole: false,
    })
  },
)
