/** Text → pairs with spans. Re-exports only. */
export { checkLimits, defaultLimits, lengthFinding, pairsFinding, type Limits } from './limits.ts'
export { parseSyntax } from './parse.ts'
export type { Item, Pair, Syntax } from './syntax.ts'
