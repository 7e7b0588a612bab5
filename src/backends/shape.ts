/**
 * Caches by the shape of filters, for speed alone: a shape is a filter without its operands. A service has few shapes and
 * many operands, so a text that depends on the shape alone is made once. The shapes are a trie, condition by condition: a filter is
 * compared with it without a key, which would be made and hashed each time.
 */
import { isSamePath, unchecked, type Comparison, type EntryCount, type Filter, type Path } from '../tree/index.ts'
import { own } from '../own.ts'
import type { Leaf } from './issues.ts'

/** Values by shape: two filters have the same one only if they differ in nothing but their operands. */
export interface ShapeCache<V> {
  /** @param conditions an empty list. Where there is a value, it gets the conditions of the filter, in the order of the tree. */
  get(filter: Filter, conditions: Leaf[]): V | undefined
  /** Keeps a value, unless the shape is so long that few filters have it in common. */
  set(filter: Filter, value: V): void
}

/** A part of shapes: the parts before it lead to it. */
interface ShapePart<V> {
  /** The operator, or the kind of a node without one. */
  readonly word: string
  readonly type: string
  readonly path: Path
  /** How many members follow. */
  readonly count: number
  readonly next: ShapePart<V>[]
  /** Of the shape that ends here. */
  value: V | undefined
}

/** A walk through the trie. */
interface Walk {
  readonly conditions: Leaf[]
  /** How many letters of a shape to keep are left; `undefined` where a shape is only looked for. */
  room: number | undefined
}

const mostLetters = 1_000
const noPath: Path = []

/** A cache of at most `limit` shapes. A full one starts over: nobody can occupy it for good. */
/* @__NO_SIDE_EFFECTS__ */ export function shapeCache<V>(limit: number): ShapeCache<V> {
  const root: ShapePart<V> = { word: '', type: '', path: noPath, count: 0, next: [], value: undefined }
  let kept = 0
  return {
    get: (filter, conditions) => after(root, filter, { conditions, room: undefined })?.value,
    set: (filter, value) => {
      if (kept === limit) {
        root.next.length = 0
        kept = 0
      }
      const end = after(root, filter, { conditions: [], room: mostLetters })
      if (end?.value === undefined) kept++
      if (end !== undefined) end.value = value
    },
  }
}

/** The node at the end of a filter that begins after another node; `undefined` where there is none. */
function after<V>(node: ShapePart<V>, filter: Filter, walk: Walk): ShapePart<V> | undefined {
  switch (filter.kind) {
    case 'and':
    case 'or': {
      const { kind, filters } = filter
      let end = step(node, kind, '', noPath, filters.length, walk)
      for (let at = 0; end !== undefined && at < filters.length; at++) end = after(end, filters[at]!, walk)
      return end
    }
    case 'not':
    case 'some': {
      const inner = step(node, filter.kind, '', filter.kind === 'some' ? filter.path : noPath, 1, walk)
      return inner && after(inner, filter.filter, walk)
    }
    case 'comparison':
      walk.conditions.push(filter)
      return step(node, filter.operator, filter.operand.type, filter.path, 0, walk)
    case 'membership': {
      const condition = asEquality(filter)
      if (condition.kind === 'comparison') return after(node, condition, walk)
      walk.conditions.push(condition)
      return step(node, 'in', condition.operands.length === 0 ? '' : condition.operands[0]!.type, filter.path, 0, walk)
    }
    case 'match':
      walk.conditions.push(filter)
      return step(node, filter.mode, '', filter.path, 0, walk)
    case 'presence':
      walk.conditions.push(filter)
      return step(node, 'exists', filter.type, filter.path, 0, walk)
    case 'count':
      walk.conditions.push(filter)
      return step(
        node,
        isAlways(filter) ? 'at least none' : countWords[filter.operator],
        filter.type,
        filter.path,
        0,
        walk,
      )
  }
}

/**
 * A membership of one value as the equality that it is: for that, an index also serves the order of the page. PostgreSQL reads no order
 * from `= ANY` of one value.
 */
export function asEquality<C extends Filter>(condition: C): C | Comparison {
  if (condition.kind !== 'membership') return condition
  const { path, operands } = condition
  const first = operands.at(0)
  if (first === undefined || operands.some(({ value }) => value !== first.value)) return condition
  return unchecked.comparison(path, 'eq', first, own(condition, 'span'))
}

const countWords = { gte: 'at least', lte: 'at most' } as const

/** Whether every row satisfies a count, also a row without the list. */
export const isAlways = ({ operator, operand }: EntryCount): boolean => operator === 'gte' && operand === 0

/** The node after another one, with these parts. */
function step<V>(
  { next }: ShapePart<V>,
  word: string,
  type: string,
  path: Path,
  count: number,
  walk: Walk,
): ShapePart<V> | undefined {
  if (walk.room !== undefined) {
    walk.room -= path.reduce((letters, name) => letters + name.length, word.length + type.length)
    if (walk.room < 0) return undefined
  }
  for (let at = 0; at < next.length; at++) {
    const node = next[at]!
    if (node.word === word && node.type === type && node.count === count && isSamePath(node.path, path)) return node
  }
  if (walk.room === undefined) return undefined
  const node: ShapePart<V> = { word, type, path, count, next: [], value: undefined }
  next.push(node)
  return node
}

// --- The places of conditions

/** A condition that knows its place: an object may be in a tree twice. */
type InPlace = Leaf & { readonly place?: number }

/** A copy of a filter whose conditions know their places, in the order of the tree. */
export function inPlaces(filter: Filter, places: { next: number }): Filter {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return { ...filter, filters: filter.filters.map((member) => inPlaces(member, places)) }
    case 'not':
    case 'some':
      return { ...filter, filter: inPlaces(filter.filter, places) }
    default:
      return { ...asEquality(filter), place: places.next++ } as InPlace
  }
}

/** The place of a condition; -1 where it has none. */
export const placeOf = (condition: Leaf): number =>
  Object.hasOwn(condition, 'place') ? (condition as InPlace).place! : -1
