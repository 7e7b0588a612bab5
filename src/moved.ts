/** Names of `urlwhere/tree` that `urlwhere` had first, and keeps. */
import { fold as foldOfTree } from './ast/index.ts'
import { operators as operatorsOfTree } from './language/index.ts'

/**
 * The `fold` of `urlwhere/tree`.
 *
 * @deprecated Import it from `urlwhere/tree`.
 */
export const fold: typeof foldOfTree = foldOfTree

/**
 * The `operators` of `urlwhere/tree`.
 *
 * @deprecated Import it from `urlwhere/tree`.
 */
export const operators: typeof operatorsOfTree = operatorsOfTree
