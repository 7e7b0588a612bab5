/** PGlite, opened from a copy of a cluster: to make a cluster takes it seconds, and a test run opens about twenty. */
import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { PGlite, type PGliteOptions } from '@electric-sql/pglite'

const modules = join(import.meta.dirname, '../../../node_modules')
const { version } = JSON.parse(await readFile(`${modules}/@electric-sql/pglite/package.json`, 'utf8')) as {
  version: string
}
/** Kept for the next run; `npm ci` removes it. */
const cluster = join(modules, `.cache/urlwhere/pglite-${version}.tar`)

/** The files of an empty cluster. */
export const clusterFiles = async (): Promise<Blob> => new Blob([await readFile(cluster).catch(makeCluster)])

/** A new, empty database. */
export const newPglite = async <Options extends PGliteOptions>(options = {} as Options) =>
  PGlite.create({ ...options, loadDataDir: await clusterFiles() })

async function makeCluster(): Promise<Uint8Array<ArrayBuffer>> {
  const database = await PGlite.create()
  const copy = new Uint8Array(await (await database.dumpDataDir('none')).arrayBuffer())
  await database.close()
  // Test files run side by side: each sees a whole file or none.
  const own = `${cluster}.${randomUUID()}`
  await mkdir(dirname(cluster), { recursive: true })
  await writeFile(own, copy)
  await rename(own, cluster)
  return copy
}
