/** The stages that `parseFilter` goes through, by what `src/` exports: what is not there is not measured. */
import { defaultLimits } from '../src/index.ts'
import { orders } from './queries.mjs'

const load = (path) => import(path).catch(() => ({}))
const [{ scan }, { sourceOf }, { parseSyntax }, { bind }, { combine }] = await Promise.all(
  [
    '../src/syntax/tokens.ts',
    '../src/syntax/source.ts',
    '../src/syntax/parse.ts',
    '../src/query/read/bind.ts',
    '../src/query/combine.ts',
  ].map(load),
)

const bound = (text) => bind(orders, parseSyntax(sourceOf(text), []), defaultLimits, { names: [], searches: 0 })
const all = {
  scan: scan && ((text) => scan(text, 0)),
  'scan, grammar': parseSyntax && ((text) => parseSyntax(sourceOf(text), [])),
  'scan, grammar, bind': parseSyntax && bind && bound,
  'scan, grammar, bind, combine': parseSyntax && bind && combine && ((text) => combine(bound(text).members)),
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
