/** A dialect that is not ours: every case and random pairs, in every layout. */
import { afterAll, describe } from 'vitest'
import { describeLayouts, describeMixed, runCases, runRandom } from './differential.ts'
import { openDuckdb, wholeDuckdb } from './duckdb.ts'

const engines = [await openDuckdb(), await openDuckdb(wholeDuckdb)]
afterAll(async () => {
  for (const engine of engines) await engine.close()
})

describe('cases', () => describeLayouts(engines, runCases))
// 21,000 over two dialects and three layouts.
describe('random pairs', () => {
  describeLayouts(engines, (engine, layout) => runRandom(engine, layout, 3_500))
  describeMixed(engines)
})
