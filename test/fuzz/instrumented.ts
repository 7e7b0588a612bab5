/**
 * Lets Jazzer.js see the branches of this project's own files: `node --import` this before it. Its loader knows JavaScript
 * alone, and runs before this one, whose files are without their types, in their places.
 */
import { register, stripTypeScriptTypes, type LoadHook } from 'node:module'
import { isMainThread } from 'node:worker_threads'

export const load: LoadHook = async (url, context, nextLoad) => {
  const loaded = await nextLoad(url, context)
  if (loaded.format !== 'module-typescript') return loaded
  return { ...loaded, format: 'module', source: stripTypeScriptTypes(String(loaded.source)) }
}

// Node loads this file a second time, in the thread of its loaders.
if (isMainThread) register(import.meta.url)
