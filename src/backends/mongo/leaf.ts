/** Leaves of a filter: the type that they ask for, and how issues name them. */
import type { Comparison, Filter, Match, Membership, Path, Presence } from '../../ast/index.ts'
import type { Issue } from '../../issue/index.ts'

/** A filter about one value. */
export type Leaf = Comparison | Membership | Match | Presence

/** Of its literals; a membership without any has none. */
export function typeOf(leaf: Leaf): Presence['type'] | undefined {
  switch (leaf.kind) {
    case 'comparison':
      return leaf.operand.type
    case 'membership':
      return leaf.operands.at(0)?.type
    case 'match':
      return 'string'
    case 'presence':
      return leaf.type
  }
}

/** A path of the schema, from the entry of a list on, as `fields` of the options names it. */
export function dotted(list: string, path: Path): string {
  const own = path.length === 1 ? path[0]! : path.join('.')
  return list === '' ? own : own === '' ? list : `${list}.${own}`
}

/** Where a filter stands, as its issue has it. */
export const spanOf = (node: Filter): Pick<Issue, 'span'> =>
  Object.hasOwn(node, 'span') && node.span !== undefined ? { span: node.span } : {}
