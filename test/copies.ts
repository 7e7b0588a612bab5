/**
 * `vi.resetModules` where Node imports the files of tests: Node keeps each module by its address, so a copy has another address.
 * A module of `src` that belongs to a copy imports from the same copy.
 */
import { readFileSync } from 'node:fs'
import { registerHooks, stripTypeScriptTypes } from 'node:module'
import { vi } from 'vitest'

const src = new URL('../src/', import.meta.url).href
const copyIn = (address: string) => /\?copy=\d+$/.exec(address)?.[0] ?? ''
const isOfCopy = (address: string) => address.startsWith(src) && copyIn(address) !== ''

// Vitest runs this file before each file of tests, each of which begins with the first copy.
const state = globalThis as { copies?: { made: number; query: string } }
if (state.copies === undefined) {
  const copies = (state.copies = { made: 0, query: '' })
  /** The code of files without their types, which all copies share, so that a copy takes a fifth of the time. */
  const codeOf = new Map<string, string>()
  registerHooks({
    resolve(specifier, context, next) {
      const { parentURL: importer = '' } = context
      if (isOfCopy(importer) && specifier.startsWith('.'))
        return { url: new URL(specifier, importer).href + copyIn(importer), shortCircuit: true }
      const resolved = next(specifier, context)
      if (importer.startsWith(src) || !resolved.url.startsWith(src) || resolved.url.includes('?')) return resolved
      return { ...resolved, url: resolved.url + copies.query }
    },
    load(address, context, next) {
      if (!isOfCopy(address)) return next(address, context)
      const [file] = address.split('?') as [string]
      const source = codeOf.get(file) ?? stripTypeScriptTypes(readFileSync(new URL(file), 'utf8'))
      codeOf.set(file, source)
      return { format: 'module', source, shortCircuit: true }
    },
  })
  vi.resetModules = () => {
    copies.query = `?copy=${++copies.made}`
    return vi
  }
}
state.copies.query = ''
