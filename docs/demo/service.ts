/** The list service of the demo: two collections, four accounts, whatever the store. It needs no framework. */
import { and, where } from '../../src/index.ts'
import { createListService, keysAndBasic, type Accounts } from '../../src/service/index.ts'
import { demoAccounts, type Principal } from './accounts.ts'
import { experienceCollection, experiences, orderCollection, orderCollectionWithoutTotal, orders } from './data.ts'
import type { Store } from './store.ts'

/** Where the demo serves the page that explains the codes of problems. */
export const problemTypes = '/docs/concepts/errors.md'

/** The time for an answer, in milliseconds. */
export const timeout = 10_000

/** The collection of orders for a caller, and the orders that the caller may see. */
export const collectionOfOrders = ({ seesTotal }: Principal) =>
  seesTotal ? orderCollection : orderCollectionWithoutTotal
const visibleOrders = where(orders)
export const restrictionOfOrders = ({ sellers }: Principal) =>
  sellers === 'all' ? and() : visibleOrders.in('seller', sellers)

/** `GET` and `QUERY` of `/api/orders` and `/api/experiences`, `GET` of one of them by its key, and `GET /api/apiKey`. */
export function makeService(store: Store, accounts: Accounts<Principal>, onError: (error: unknown) => void) {
  const visibleExperiences = where(experiences)
  const service = createListService<Principal>({
    authenticate: keysAndBasic(accounts),
    basePath: '/api',
    problemTypes,
    timeout,
    onError,
    collections: {
      orders: {
        collection: collectionOfOrders,
        rows: store.orders,
        restriction: restrictionOfOrders,
      },
      experiences: {
        collection: experienceCollection,
        rows: store.experiences,
        restriction: ({ sellers }) => (sellers === 'all' ? and() : visibleExperiences.in('seller', sellers)),
      },
    },
  })
  // Checks the collection of each role against its store when the demo starts.
  for (const principal of demoAccounts) service.described(principal)
  return service
}
