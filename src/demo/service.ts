/** The booking service of the demo: two collections, three accounts, whatever the store. */
import { and, where } from '../index.ts'
import { createListService, type Accounts } from '../http/index.ts'
import type { Principal } from './accounts.ts'
import { experienceCollection, experiences, orderCollection, orders } from './data.ts'
import type { Store } from './store.ts'

/** `GET` and `QUERY` of `/api/orders` and `/api/experiences`, and `GET /api/apiKey`. */
export function makeService(store: Store, accounts: Accounts<Principal>, onError: (error: unknown) => void) {
  const visibleOrders = where(orders)
  const visibleExperiences = where(experiences)
  return createListService<Principal>({
    accounts,
    onError,
    collections: {
      orders: {
        collection: orderCollection,
        rows: store.orders,
        restriction: ({ sellers }) => (sellers === 'all' ? and() : visibleOrders.in('seller', sellers)),
      },
      experiences: {
        collection: experienceCollection,
        rows: store.experiences,
        restriction: ({ sellers }) => (sellers === 'all' ? and() : visibleExperiences.in('seller', sellers)),
      },
    },
  })
}

/** The answer where the server hands on no Web request. */
export function improperRequest(): Response {
  const problem = { type: 'about:blank', title: 'Bad Request', status: 400, detail: 'malformed HTTP request' }
  const body = new TextEncoder().encode(JSON.stringify(problem))
  const headers = {
    'content-type': 'application/problem+json',
    'content-length': String(body.byteLength),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  }
  return new Response(body, { status: 400, headers })
}
