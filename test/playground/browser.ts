/** The built playground on a server of its own, and Chromium where there is one. */
import { existsSync } from 'node:fs'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createAdaptorServer } from '@hono/node-server'
import { serveStatic } from '@hono/node-server/serve-static'
import { Hono } from 'hono'
import { chromium, type Browser } from 'playwright-core'

const executable = '/usr/bin/chromium'
/** Debian's; `.ci/run` installs it. */
export const isInstalled = existsSync(executable)

/** What the demo service sends: no script, style or anything else but of the page's own host. */
const policy = "default-src 'self'"
/** Not the root: all names in the page are relative. */
const path = '/some/where/'

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: executable,
    // Containers have no user namespaces, and CI runs as root.
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })

export interface Stage {
  readonly browser: Browser
  readonly address: string
  readonly close: () => Promise<void>
}

export async function openStage(): Promise<Stage> {
  const app = new Hono()
  app.use(async (context, next) => {
    await next()
    context.res.headers.set('content-security-policy', policy)
  })
  const root = join(import.meta.dirname, '../../docs/playground/site')
  app.use(`${path}*`, serveStatic({ root, rewriteRequestPath: (asked) => asked.slice(path.length - 1) }))
  const server = createAdaptorServer(app)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const browser = await openBrowser()
  return {
    browser,
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    close: async () => {
      await browser.close()
      server.close()
    },
  }
}
