/** Every case by hand, on every engine, in every layout. */
import { afterAll } from 'vitest'
import { describeLayouts, runCases } from './differential.ts'
import { openEngines } from './engines.ts'

const engines = await openEngines()
afterAll(async () => {
  for (const engine of engines) await engine.close()
})
describeLayouts(engines, runCases)
