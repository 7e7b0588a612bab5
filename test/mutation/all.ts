/** The tests of one area as one file: a mutant's run is mostly the start of files. */
import { describe } from 'vitest'
import { areas } from './areas.ts'

for (const name of areas[process.env.AREA!]!.tests) {
  describe(name, () => import(/* @vite-ignore */ `../${name}.test.ts`) as never)
}
