/** Draws the picture of README.md: `node test/playground/picture.ts`, after `npm run playground`. */
import { join } from 'node:path'
import { openStage } from './browser.ts'

const query = 'status=paid&total[gte]=500&items.price[lt]=100&sort=-total&limit=5'
const stage = await openStage()
const page = await stage.browser.newPage({ viewport: { width: 1440, height: 810 } })
await page.goto(`${stage.address}#query=${encodeURIComponent(query)}`)
await page.screenshot({ path: join(import.meta.dirname, '../../docs/guides/playground.png') })
await stage.close()
