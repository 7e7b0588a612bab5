/** An entry that no longer fails must go. */
import { afterAll, expect, test } from 'vitest'
import { departures } from './departures.ts'
import { openEngines } from './engines.ts'

const engines = await openEngines()
afterAll(async () => {
  for (const engine of engines) await engine.close()
})
const known = engines.flatMap((engine) =>
  departures.filter(({ engine: name }) => name === engine.name).map((departure) => ({ ...departure, engine })),
)

test.each(known)('$engine.name still $why', async ({ engine, applies, example: [row, document, matches] }) => {
  expect(applies(document, [row])).toBe(true)
  const found = engine.fill([row]).then(async ({ find, drop }) => {
    const rows = await find(document).finally(drop)
    return rows.length > 0
  })
  expect(await found.catch(() => 'an error')).not.toBe(matches)
})
