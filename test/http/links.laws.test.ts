/** No header and no body of an answer has a secret of the query. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Authenticator } from '../../src/service/index.ts'
import { and, defineCollection } from '../../src/index.ts'
import { byEffort } from '../effort.ts'
import { misplaced, secret } from '../issue/misplaced.ts'
import { orders } from '../orders.ts'
import { createListService } from './form.ts'

test('no answer has a secret that follows the name of a pair with credentials, however that is written', async () => {
  const authenticate: Authenticator<object> = {
    authenticate: () => ({ principal: {} }),
    queryCredentials: { apiKey: 'no' },
  }
  const service = createListService({
    authenticate,
    collections: {
      orders: {
        collection: defineCollection(orders, {
          key: 'seller',
          sort: true,
          fields: true,
          groups: true,
          limit: { max: 2 },
        }),
        rows: { find: () => ['a', 'b', 'c'].map((seller) => ({ seller })) },
        restriction: () => and(),
      },
    },
  })
  const statuses = new Set<number>()
  await fc.assert(
    fc.asyncProperty(misplaced, async (text) => {
      const url = new URL('http://x/api/orders')
      url.search = text
      const answer = await service(new Request(url))
      statuses.add(answer.status)
      expect(JSON.stringify([...answer.headers]) + (await answer.text())).not.toContain(secret)
    }),
    { numRuns: byEffort(4_000, 340) },
  )
  expect(statuses).toEqual(new Set([200, 400]))
})
