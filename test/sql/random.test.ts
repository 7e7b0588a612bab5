/** Random pairs, on every engine, in every layout: `SQL_PAIRS` says how many, `SEED` which. */
import { afterAll } from 'vitest'
import { describeLayouts, describeMixed, runRandom } from './differential.ts'
import { openEngines } from './engines.ts'

const engines = await openEngines()
afterAll(async () => {
  for (const engine of engines) await engine.close()
})
describeLayouts(engines, (engine, layout) => runRandom(engine, layout))
describeMixed(engines)
