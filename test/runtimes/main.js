/** Every case by hand on the built package, in memory, whatever run-time runs this: Bun, Deno, and workerd as a test. */
import { memoryBackend } from '../../dist/memory.js'
import { runBackend, runQueries } from '../../dist/testing.js'

const load = ({ rows }) => rows
const ids = (rows) => rows.map(({ id }) => id)

async function test() {
  for (const codegen of [undefined, true, false]) {
    const backend = memoryBackend({ codegen })
    const select = (rows, matches) => ids(rows.filter(matches))
    const read = (rows, page) => ids(page(rows).rows)
    const results = [...(await runBackend({ backend, load, select })), ...(await runQueries({ backend, load, read }))]
    const failed = results.filter(({ outcome }) => outcome !== 'passed')
    if (failed.length > 0) throw new Error(`codegen ${codegen}: ${failed.map((result) => result.case.name).join('; ')}`)
    console.log(`codegen ${codegen}: ${results.length} cases passed`)
  }
}

/** workerd calls the test of a worker; the others run the file. */
export default { test }
if (globalThis.navigator?.userAgent !== 'Cloudflare-Workers') await test()
