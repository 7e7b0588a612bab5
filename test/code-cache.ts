/**
 * Node keeps the code that it compiles in a process that runs one file of tests. Vitest adds the time to the address of such a file,
 * under which no later run finds the code.
 */
import { registerHooks } from 'node:module'

registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context)
    return { ...resolved, url: resolved.url.replace(/\?vitest=\d+$/, '') }
  },
})
