/** Imports the copy of the library that the project installed, so that tables and `check` have the same version. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type * as Core from '../index.ts'
import type * as Sql from '../backends/sql/index.ts'
import type * as Explain from '../tools/explain/index.ts'
import type * as Inspect from '../tools/inspect/index.ts'
import type * as OpenApi from '../tools/openapi/index.ts'
import type * as Service from '../service/index.ts'
import { Failure } from './failure.ts'

interface Library {
  readonly '.': typeof Core
  readonly './sql': typeof Sql
  readonly './explain': typeof Explain
  readonly './inspect': typeof Inspect
  readonly './http': typeof Service
  readonly './openapi': typeof OpenApi
}
interface Manifest {
  readonly version: string
  readonly exports: Readonly<Record<keyof Library, { readonly import: { readonly default: string } }>>
}

/** Resolves modules from the folder of the project. */
export const inProject = (): NodeJS.Require => createRequire(join(process.cwd(), 'package.json'))

const readManifest = (file: string | URL): Manifest => JSON.parse(readFileSync(file, 'utf8')) as Manifest
const ownManifest = new URL('../package.json', import.meta.url)
export const version = (): string => readManifest(ownManifest).version

function manifestUrl(): URL {
  try {
    return pathToFileURL(inProject().resolve('urlwhere/package.json'))
  } catch {
    return ownManifest
  }
}

/** The URL of the file of an entry. */
export function urlOfEntry(subpath: keyof Library): string {
  const manifest = manifestUrl()
  return new URL(readManifest(manifest).exports[subpath].import.default, manifest).href
}

/** Imports an entry of the library. */
export const library = async <S extends keyof Library>(subpath: S): Promise<Library[S]> =>
  (await import(urlOfEntry(subpath))) as Library[S]

/** Finds a dialect by its name. @throws Failure for an unknown name. */
export async function dialectOf(name: string): Promise<Sql.Dialect> {
  const dialects = Object.entries(await library('./sql')).flatMap(([key, value]) =>
    typeof value === 'object' && value.name === key ? [value] : [],
  )
  const dialect = dialects.find((one) => one.name === name)
  if (dialect !== undefined) return dialect
  throw new Failure(2, `there is no dialect ${name}. Dialects: ${dialects.map((one) => one.name).join(', ')}`)
}
