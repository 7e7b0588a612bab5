/** The stages that `parseFilter` goes through, by what `src/` exports: what is not there is not measured. */
import { orders } from './queries.mjs'

const load = (path) => import(path).catch(() => ({}))
const [{ cutPairs }, { readText, noOptions }, { readPairs }] = await Promise.all(
  ['../src/values/pairs.ts', '../src/reading/read-text.ts', '../src/binding/read-pairs.ts'].map(load),
)

const read = (text) => readPairs({ schema: orders, deprecated: undefined }, readText(text, noOptions))
const all = {
  cut: cutPairs && ((text) => cutPairs(text, 0)),
  'cut, read': readPairs && read,
}

/** Name → function of a text; each does what the one before does, and more. */
export const stages = Object.fromEntries(
  Object.entries(all).filter(([, stage]) => {
    try {
      return stage?.('seller=s-1') !== undefined
    } catch {
      return false // It has come to take something else.
    }
  }),
)
