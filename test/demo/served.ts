/** The demo over memory, on a port of its own in this process. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { makeAccounts } from '../../docs/demo/accounts.ts'
import { makeApp } from '../../docs/demo/app.ts'
import { changingOrders } from '../../docs/demo/changes.ts'
import { memoryStore } from '../../docs/demo/store.ts'

/**
 * @param site the folder of the built documentation.
 * @param changing the orders whose changes `/live` shows.
 */
export async function serveDemo(
  site?: string,
  changing = changingOrders(),
): Promise<{ readonly address: string; readonly close: () => unknown }> {
  const fail = (error: unknown) => {
    throw error
  }
  const server = createAdaptorServer({ fetch: makeApp(memoryStore(), await makeAccounts(2), fail, site, changing) })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() }
}
