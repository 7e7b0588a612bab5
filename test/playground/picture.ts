/** Draws the picture of README.md: `node test/playground/picture.ts`, after `npm run playground`. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openStage } from './browser.ts'

const query = 'status=paid&total[gte]=500&items.price[lt]=100&sort=-total&limit=5'
const stage = await openStage()
const page = await stage.browser.newPage({ viewport: { width: 1100, height: 760 } })
await page.goto(`${stage.address}#query=${encodeURIComponent(query)}`)
// The query, its meaning, its SQL and its rows: one screen.
await page.evaluate(() => {
  for (const one of document.querySelectorAll<HTMLElement>(
    'nav, .controls, .examples, .panel:has(#mongo, #tree, #facets, #trace)',
  ))
    one.hidden = true
})
const picture = (await page.screenshot()).toString('base64')
// WebP has a third of the bytes of PNG. The policy of the playground allows no image of data.
await page.goto('about:blank')
const webp = await page.evaluate(async (data) => {
  const image = new Image()
  image.src = `data:image/png;base64,${data}`
  await image.decode()
  const canvas = new OffscreenCanvas(image.width, image.height)
  canvas.getContext('2d')!.drawImage(image, 0, 0)
  const blob = await canvas.convertToBlob({ type: 'image/webp', quality: 0.75 })
  return Array.from(new Uint8Array(await blob.arrayBuffer()))
}, picture)
await writeFile(join(import.meta.dirname, '../../docs/guides/playground.webp'), Uint8Array.from(webp))
await stage.close()
