/** Runs each file of its arguments, and prints what they print and their errors, as JSON. */
import { pathToFileURL } from 'node:url'
import { format, inspect } from 'node:util'
import { PGlite, type PGliteOptions } from '@electric-sql/pglite'
import { clusterFiles } from '../engines/sql/pglite.ts'
import type { Ran } from './code.ts'

// PGlite opens a copy of a cluster, which is five times faster than to make one.
const create = PGlite.create.bind(PGlite)
const loadDataDir = await clusterFiles()
Object.assign(PGlite, {
  create: (options?: PGliteOptions): unknown => Reflect.apply(create, PGlite, [{ ...options, loadDataDir }]),
})

const ran: Ran[] = []
const { log } = console
const { fetch } = globalThis
for (const file of process.argv.slice(2)) {
  const lines: string[] = []
  console.log = (...values) => void lines.push(format(...values))
  const error = await import(pathToFileURL(file).href).then(
    () => undefined,
    (error: unknown) => inspect(error),
  )
  Object.assign(globalThis, { fetch })
  ran.push({ printed: lines.join('\n'), ...(error !== undefined && { error }) })
}
log(JSON.stringify(ran))
// A database that is left open keeps its process running.
process.exit()
