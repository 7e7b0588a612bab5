/** An entry that no longer fails must go. */
import { afterAll, expect, test } from 'vitest'
import { departures } from './departures.ts'
import { openEngines, productOf, type Server } from './engines.ts'

const engines = await openEngines()
afterAll(async () => {
  for (const engine of engines) await engine.close()
})
const known = engines.flatMap((engine) =>
  departures.filter(({ engine: name }) => name === engine.name).map((departure) => ({ ...departure, engine })),
)

/** What asks for nothing that an example has. */
const others = Array.from({ length: 3_000 }, (_, at) => ({ a: `other ${at}` }))

test.each(known)('$engine.name still $why', async ({ engine, applies, index, example: [row, document, matches] }) => {
  expect(applies(document, [row])).toBe(true)
  const own = { ...row, isExample: true }
  const fill = index === undefined ? engine.fill([own]) : (engine as Server).fillIndexed([own, ...others], [index])
  const found = fill.then(async ({ find, drop }) => {
    const rows = await find(document).finally(drop)
    return rows.some(({ isExample }) => isExample)
  })
  expect(await found.catch(() => 'an error')).not.toBe(matches)
  if (index === undefined) return
  const { find, drop } = await engine.fill([own])
  expect(await find(document).finally(drop), 'without an index').toHaveLength(matches ? 1 : 0)
})

test.each([
  ['DocumentDB', { version: '7.0.77', gitVersion: 'unknown', ferretdb: { version: 'v2.7.0', package: 'unknown' } }],
  ['FerretDB 1', { version: '7.0.42', gitVersion: '1f0b', ferretdbVersion: 'v1.24.2' }],
  ['MongoDB', { version: '8.0.4', gitVersion: 'bc35', modules: [] }],
])('%s is known by its buildInfo', (name, buildInfo) => {
  expect(productOf(buildInfo)).toBe(name)
})
