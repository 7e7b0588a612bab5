/** Imports the modules of the user, and pairs each table with the collection of the same schema. */
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Table } from '../backends/sql/index.ts'
import type { Collection } from '../index.ts'
import { attempt, Failure } from './failure.ts'

/** A table of a module, and a collection with the same schema. */
export interface Pair {
  readonly file: string
  /** The names of the exports. */
  readonly names: { readonly table: string; readonly collection?: string }
  readonly table: Table
  readonly collection?: Collection
}

/** The exports of a module. */
export type Module = Readonly<Record<string, unknown>>

/** Imports a file of the user. */
export const importFile = (file: string): Promise<Module> =>
  attempt(2, `${file} does not load`, async () => {
    try {
      return (await import(pathToFileURL(resolve(file)).href)) as Module
    } catch (error) {
      throw isOfCommonJs(error)
        ? new Error('its package.json makes it CommonJS: end its name with .mts or .mjs')
        : error
    }
  })

/** `npm init` writes the type commonjs. */
const isOfCommonJs = (error: unknown): boolean =>
  error instanceof SyntaxError && /outside a module|Unexpected token 'export'/.test(error.message)

interface Export<T> {
  readonly file: string
  readonly name: string
  readonly value: T
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null
const has = (value: object, ...names: string[]): boolean => names.every((name) => Object.hasOwn(value, name))

// It compares the shape. `check` then rejects an object that `table` did not make.
const isTable = (value: unknown): value is Table =>
  isObject(value) && !has(value, 'kind') && has(value, 'name', 'key', 'columns') && Array.isArray(value.key)
const isCollection = (value: unknown): value is Collection =>
  isObject(value) && has(value, 'schema', 'sortable', 'defaultSort', 'parameters')

/** Keeps the first export of each value. */
const those = <T>(exports: readonly Export<unknown>[], is: (value: unknown) => value is T): Export<T>[] => {
  const values = new Map<unknown, Export<T>>()
  for (const one of exports) if (is(one.value) && !values.has(one.value)) values.set(one.value, one as Export<T>)
  return [...values.values()]
}

/** Imports modules, and pairs their exports. @throws Failure if a module does not load, or no module has a table. */
export async function pairsOf(files: readonly string[]): Promise<readonly Pair[]> {
  const modules: [string, Module][] = []
  for (const file of files) modules.push([file, await importFile(file)])
  const pairs = pairsIn(modules)
  if (pairs.length > 0) return pairs
  throw new Failure(2, `no table in the exports of ${files.join(', ')}`)
}

/** Pairs the exports of modules, by the name of each module. */
export function pairsIn(modules: readonly (readonly [file: string, module: Module])[]): readonly Pair[] {
  const exports: Export<unknown>[] = []
  for (const [file, module] of modules) {
    // The default export of a CommonJS module contains its named exports again.
    const all = { ...(isObject(module.default) && !isTable(module.default) ? module.default : {}), ...module }
    for (const [name, value] of Object.entries(all)) exports.push({ file, name, value })
  }
  const collections = those(exports, isCollection)
  const tables = those(exports, isTable)
  const pairs = tables.map(({ file, name, value: table }): readonly Pair[] => {
    const ofSchema = collections.filter(({ value }) => table.schema !== undefined && value.schema === table.schema)
    return ofSchema.map((one) => ({
      ...{ file, table, collection: one.value },
      names: { table: name, collection: one.name },
    }))
  })
  if (pairs.some((some) => some.length > 0)) return pairs.flat()
  return tables.map(({ file, name, value: table }) => ({ file, table, names: { table: name } }))
}
