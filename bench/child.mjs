/** One case of one group, in a process of its own. */
import { settingsOf } from './timing.mjs'

const { file, group, at, quick } = JSON.parse(process.argv[2])
const { groups } = await import(file)
const { cases, run } = groups[group]
process.send(await run(cases[at], settingsOf(quick)))
process.disconnect()
