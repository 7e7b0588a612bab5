/**
 * `vi.resetModules` where Node imports the files of tests: Node keeps each module by its address, so a copy has another address.
 * A module of `src` that belongs to a copy imports from the same copy.
 */
import { registerHooks } from 'node:module'
import { vi } from 'vitest'

const src = new URL('../src/', import.meta.url).href
const copyIn = (address: string) => /\?copy=\d+$/.exec(address)?.[0] ?? ''

// Vitest runs this file before each file of tests, each of which begins with the first copy.
const state = globalThis as { copies?: { made: number; query: string } }
if (state.copies === undefined) {
  const copies = (state.copies = { made: 0, query: '' })
  registerHooks({
    resolve(specifier, context, next) {
      const resolved = next(specifier, context)
      if (!resolved.url.startsWith(src) || resolved.url.includes('?')) return resolved
      const importer = context.parentURL ?? ''
      return { ...resolved, url: resolved.url + (importer.startsWith(src) ? copyIn(importer) : copies.query) }
    },
  })
  vi.resetModules = () => {
    copies.query = `?copy=${++copies.made}`
    return vi
  }
}
state.copies.query = ''
