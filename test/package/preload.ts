/** Code of the docs runs after it: PGlite opens a copy of a cluster, which is five times faster than to make one. */
import { PGlite, type PGliteOptions } from '@electric-sql/pglite'
import { clusterFiles } from '../engines/sql/pglite.ts'

const create = PGlite.create.bind(PGlite)
const loadDataDir = await clusterFiles()
Object.assign(PGlite, {
  create: (options?: PGliteOptions): unknown => Reflect.apply(create, PGlite, [{ ...options, loadDataDir }]),
})
