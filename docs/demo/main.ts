/** `npm start`: the demo on a port of this machine, until SIGINT or SIGTERM (`exec`: npm passes those to its shell only). */
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { getRequestListener } from '@hono/node-server'
import closeWithGrace from 'close-with-grace'
import { demoAccounts, makeAccounts } from './accounts.ts'
import { improperRequest, makeApp } from './app.ts'
import { changingOrders, orderChanges } from './changes.ts'
import { siteFolder } from './pages.ts'
import { openStore } from './stores.ts'

const host = '127.0.0.1'

function fail(reason: string): never {
  console.error(`urlwhere demo: ${reason}`)
  process.exit(1)
}

function portOf(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Infinity
  return port <= 65_535 ? port : fail('PORT must be a number from 0 to 65535')
}

const { PORT = '3000', STORE = 'sqlite' } = process.env
const port = portOf(PORT)

/** What to close at the end, the last first. Each has a time limit. */
const opened: (() => Promise<unknown>)[] = []
const signals = ['SIGINT', 'SIGTERM'] as const
const { close } = closeWithGrace(
  {
    delay: 4_000,
    logger: { error: (reason: unknown) => console.error(`urlwhere demo: ${String(reason)}`) },
    skip: [...signals],
  },
  async ({ err }) => {
    if (err) console.error('urlwhere demo:', err.name)
    for (const close of opened.toReversed()) await Promise.race([close(), sleep(1_500)])
  },
)
// One Ctrl-C is two signals: the terminal's, and the one that npm passes on. Only the first counts.
let isEnding = false
for (const signal of signals) {
  process.on(signal, () => {
    if (!isEnding) close()
    isEnding = true
  })
}

const store = await openStore(STORE).catch((error: Error) => fail(error.message))
opened.push(store.close)

// Errors of stores may quote statements and values: only their kind is printed.
const onError = (error: unknown) => console.error('urlwhere demo:', error instanceof Error ? error.name : typeof error)
const changing = changingOrders()
setInterval(orderChanges(changing, Date.now()), 400).unref()
const app = makeApp(store, await makeAccounts(), onError, existsSync(siteFolder) ? siteFolder : undefined, changing)

const listener = getRequestListener(app, {
  overrideGlobalObjects: false,
  // The app never rejects. This answers requests that are no Web requests, for example without a host.
  errorHandler: improperRequest,
})
// Room for the language's own limit on the length of a query to answer first.
const server = createServer({ maxHeaderSize: 64 * 1024 }, listener)

server.listen(port, host)
await once(server, 'listening').catch(async ({ code, message }: NodeJS.ErrnoException) => {
  await store.close()
  fail(code === 'EADDRINUSE' ? `port ${port} is taken: choose another, as in PORT=3001 npm start` : message)
})
opened.push(async () => {
  const closed = once(server, 'close')
  server.close()
  // Running answers may end. Connections that stay open are closed.
  await Promise.race([closed, sleep(1_000)])
  server.closeAllConnections()
})

const address = `http://${host}:${(server.address() as AddressInfo).port}`
const keys = demoAccounts.map(({ name, sellers, seesTotal }) => {
  const seen = (sellers === 'all' ? 'every seller' : sellers.join(', ')) + (seesTotal ? '' : ', no total')
  return `  ${name.padEnd(8)} ${`${name}-key`.padEnd(12)} ${`${name}-password`.padEnd(17)} ${seen}`
})
/** The page after the first, by the cursor that the service gives. */
const firstPage = '/api/orders?sort=-total,customerName&fields=id,total,customerName&limit=3'
const first = await app(new Request(address + firstPage, { headers: { 'X-API-KEY': 'north-key' } }))
const { page } = (await first.json()) as { readonly page?: { readonly next?: string } }

/** Each answer has few fields and rows, to be read in a terminal. `npm start` shows the first four. */
const examples: readonly (readonly [what: string, path: string])[] = [
  ['one day: `arrival` is the same in each row', '/api/orders?arrival=2024-06-01&fields=id,arrival'],
  [
    'a search in several texts: each word is in one of them',
    '/api/orders?search=smith+surf&fields=id,customerName,items.product&limit=2',
  ],
  ['in order, three on a page: `page.next` is the cursor (with -i you see the links to other pages)', firstPage],
  [
    'faults, all at once: three `issues`, each with its place and a hint',
    '/api/orders?arival=2024-06-01&total[contains]=5&status=piad',
  ],
  [
    'a span, said in three ways: the three answers are equal',
    '/api/orders?items.arrival[range]=2024-06-01,2024-06-03&fields=id,items.arrival&limit=2',
  ],
  ['', '/api/orders?items.arrival[gte]=2024-06-01&items.arrival[lte]=2024-06-03&fields=id,items.arrival&limit=2'],
  ['', '/api/orders?items.arrival[in]=2024-06-01,2024-06-02,2024-06-03&fields=id,items.arrival&limit=2'],
  [
    'several conditions: each row satisfies all',
    '/api/orders?status[in]=paid,held&total[gte]=500&gift=true&customer.email[exists]=true&fields=id,status,total,gift&limit=2',
  ],
  [
    'case ignored, any alphabet: names with J and j, and no row with the tags `sea` or `vip`',
    '/api/orders?customerName[startsWith]=j%C3%B6&tags[nin]=sea,vip&fields=id,customerName,tags&limit=2',
  ],
  [
    'case counts: `SURFBOARD`, and not `Surf lesson`',
    '/api/orders?items.product[containsExact]=SURF&fields=id,items.product&limit=2',
  ],
  [
    'a day in the time zone of the caller: in UTC, it begins at 15:00 of the day before',
    '/api/orders?paidAt=2024-06-01&timeZone=Asia/Tokyo&fields=id,paidAt',
  ],
  ['the orders of the last 1,000 days', '/api/orders?arrival[gte]=today-1000d&fields=id,arrival&limit=2'],
  [
    'the values of two fields, each with its number of orders: under `facets`',
    '/api/orders?total[gte]=500&facets=status,tags&fields=id&limit=1',
  ],
  [
    'one or the other, and an order with two items: a price below 20, and one above 250',
    '/api/orders?or=(gift=true,total[gte]=800)&and=(items(price[lt]=20),items(price[gt]=250))&fields=id,gift,total,items.price&limit=2',
  ],
  ['the next page, by the cursor of this one: `page` has a cursor to go back', `${firstPage}&cursor=${page?.next}`],
  [
    'some fields, and how many orders there are: `page.count`',
    '/api/orders?status=paid&fields=id,total,customer.name&count=true&limit=2',
  ],
  ['one order, by its key', '/api/orders/12?fields=id,status,total'],
  ['another collection', '/api/experiences?name[contains]=surf&price[lt]=100&limit=2'],
]

const asNorth = `curl -g -H 'X-API-KEY: north-key' '${address}`
const linesOf = (shown: typeof examples) =>
  shown.map(([comment, path]) => `${comment === '' ? '' : `\n  # ${comment}\n`}  ${asNorth}${path}'`).join('\n')
const others = `
  # a query that is too long for a URL
  curl -g -X QUERY -H 'X-API-KEY: north-key' --data 'total[gte]=500&sort=-total&fields=id,total&limit=3' '${address}/api/orders'

  # the desk knows no total: the same answer as for a field that does not exist, and a description without it
  curl -g -H 'X-API-KEY: desk-key' '${address}/api/orders?total[gte]=500'
  curl -g -H 'X-API-KEY: desk-key' '${address}/openapi.json?style=flat'

  # the key of an account
  curl -g -u north:north-password '${address}/api/apiKey'`

console.log(`accounts  key          password          sees
${keys.join('\n')}

try
${process.argv.includes('--examples') ? `${linesOf(examples)}\n${others}` : `${linesOf(examples.slice(0, 4))}\n\n  npm start -- --examples  shows ${examples.length} examples`}

pages
  ${address}/         the playground
  ${address}/docs/    the documentation
  ${address}/live     a list of orders that follows their changes
  ${address}/swagger  the API, and a form for requests

urlwhere demo: ${address}`)
