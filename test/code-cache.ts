/**
 * Node caches the code that it compiles by the address of its file. Vitest appends the time to the address of a file of tests. This hook
 * removes the time, so that a later run finds the code.
 */
import { registerHooks } from 'node:module'

registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context)
    return { ...resolved, url: resolved.url.replace(/\?vitest=\d+$/, '') }
  },
})
