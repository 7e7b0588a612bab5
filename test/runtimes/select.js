/** Whole statements on `bun:sqlite`, in Bun, with every type in every place: row for row what memory has. */
import { Database } from 'bun:sqlite'
import { differences, selectingIn, sqlitePlace } from '../engines/sql/selecting.ts'

const byFile = (options) => {
  const database = new Database(':memory:', options)
  return async (text, parameters) => database.query(text).all(...parameters)
}

for (const [setting, run] of Object.entries({ numbers: byFile({}), bigints: byFile({ safeIntegers: true }) })) {
  const selecting = selectingIn(sqlitePlace)
  for (const statement of selecting.create) await run(statement, [])
  const found = await differences(selecting, run)
  if (found.length > 0) throw new Error(`${setting}: ${found.slice(0, 3).join('\n')}`)
  console.log(`bun:sqlite, ${setting}: every page is that of memory`)
}
