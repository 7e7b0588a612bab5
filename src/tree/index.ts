/** The tree: its kinds, how filters are built, checked and worked through. Re-exports only. */
export * from './ast.ts'
export * from './build.ts'
export { checkFilter, readPresentType } from './check.ts'
export * from './fold.ts'
export { canonicalOf, compareOf, hasForm, literalOf, readLiteral, readText } from './literal.ts'
export { keyDefect, nameDefect, readPath, readPathAround, readPathToList } from './path.ts'
export {
  isObject,
  listOf,
  objectOf,
  oneOf,
  optional,
  passing,
  readAs,
  readPart,
  refuse,
  wholeNumber,
  type Read,
  type ReadProgress,
} from './read.ts'
export { trust, trustParsed } from './sound.ts'
export { newSpan, readSpan } from './span.ts'
