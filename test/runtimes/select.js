/** Whole statements on drivers of SQLite that the tests do not install, with every type in every place: row for row what memory has. */
import { differences, selectingIn, sqlitePlace } from '../engines/sql/selecting.ts'

/** Each opens an empty database, and says how its driver reads it in each of its settings. */
const drivers = {
  'bun:sqlite': async () => {
    const { Database } = await import('bun:sqlite')
    const byFile = (options) => {
      const database = new Database(':memory:', options)
      return async (text, parameters) => database.query(text).all(...parameters)
    }
    return { numbers: byFile({}), bigints: byFile({ safeIntegers: true }) }
  },
  libsql: async () => {
    const { createClient } = await import('@libsql/client')
    const byFile = (intMode) => {
      const client = createClient({ url: ':memory:', intMode })
      return async (sql, args) => (await client.execute({ sql, args })).rows
    }
    return { numbers: byFile('number'), bigints: byFile('bigint'), texts: byFile('string') }
  },
  d1: async () => {
    const { Miniflare } = await import('miniflare')
    const script = 'export default { fetch: () => new Response() }'
    const worker = new Miniflare({ modules: true, script, d1Databases: ['DB'] })
    const database = await worker.getD1Database('DB')
    const run = async (text, parameters) =>
      (
        await database
          .prepare(text)
          .bind(...parameters)
          .all()
      ).results
    return { rows: run, close: () => worker.dispose() }
  },
}

const driver = process.argv[2]
const { close, ...settings } = await drivers[driver]()
for (const [setting, run] of Object.entries(settings)) {
  const selecting = selectingIn(sqlitePlace)
  for (const statement of selecting.create) await run(statement, [])
  const found = await differences(selecting, run)
  if (found.length > 0) throw new Error(`${driver}, ${setting}: ${found.slice(0, 3).join('\n')}`)
  console.log(`${driver}, ${setting}: every page is that of memory`)
}
await close?.()
