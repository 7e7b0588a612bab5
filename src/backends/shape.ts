/**
 * What is made once for a shape: the structure of a filter or of a query, without its operands. A service sees few shapes,
 * and many operands. The shapes are in a trie, from condition to condition: to compare a filter with it takes half the time
 * of a list of its parts, which would be made and hashed each time.
 */
import { isSamePath, type Filter, type Path } from '../ast/index.ts'
import type { Query } from '../query/page/query.ts'
import type { Condition } from './issues.ts'

/** A query that orders and places rows, with the filters of its position. */
export interface Placed {
  readonly query: Query
  readonly position: readonly Filter[]
}

/** Values by shape: filters have the same one only if they differ in nothing but their operands. */
export interface ShapeCache<V> {
  /**
   * @param conditions an empty list. Where there is a value, it gets the conditions of the filter and of the position, in the
   *   order of the trees.
   */
  get(filter: Filter, conditions: Condition[], placed?: Placed): V | undefined
  /** Keeps a value, unless the shape is so long that few filters may have it in common. */
  set(filter: Filter, value: V, placed?: Placed): void
}

/** A part of shapes: the parts before it lead to it. */
interface Node<V> {
  /** The operator, or what a kind has in its place. */
  readonly word: string
  readonly type: string
  readonly path: Path
  /** How many members follow. */
  readonly count: number
  readonly next: Node<V>[]
  /** Of the shape that ends here. */
  value: V | undefined
}

/** A walk through the trie. */
interface Walk {
  readonly conditions: Condition[]
  /** How many letters the shape may have to be kept; `undefined` where it is only looked for. */
  room: number | undefined
}

const mostLetters = 1_000
const noPath: Path = []

function newNode<V>(word: string, type: string, path: Path, count: number): Node<V> {
  return { word, type, path, count, next: [], value: undefined }
}

/** A cache of at most `limit` shapes. A full one starts over: nobody can occupy it for good. */
/* @__NO_SIDE_EFFECTS__ */ export function shapeCache<V>(limit: number): ShapeCache<V> {
  const root = newNode<V>('', '', noPath, 0)
  let kept = 0
  return {
    get: (filter, conditions, placed) => endOf(root, filter, placed, { conditions, room: undefined })?.value,
    set: (filter, value, placed) => {
      if (kept === limit) {
        root.next.length = 0
        kept = 0
      }
      const end = endOf(root, filter, placed, { conditions: [], room: mostLetters })
      if (end?.value === undefined) kept++
      if (end !== undefined) end.value = value
    },
  }
}

/** The conditions of a filter, in the order of the tree. */
export function conditionsOf(filter: Filter): Condition[] {
  const conditions: Condition[] = []
  after(newNode('', '', noPath, 0), filter, { conditions, room: Infinity })
  return conditions
}

/** What knows its place among the conditions of a tree: an object may be in a tree twice. */
interface InPlace {
  readonly place?: number
}

/** A condition that knows its place among others. */
export const inPlace = <C extends Condition>(place: number, condition: C): C & InPlace => ({ ...condition, place })

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
      return inPlace(places.next++, filter)
  }
}

/** The place of a condition; -1 where it has none. */
export const placeOf = (condition: Condition): number =>
  Object.hasOwn(condition, 'place') ? (condition as InPlace).place! : -1

/** The node of a shape; `undefined` where there is none. */
function endOf<V>(root: Node<V>, filter: Filter, placed: Placed | undefined, walk: Walk): Node<V> | undefined {
  const end = after(root, filter, walk)
  return placed === undefined || end === undefined ? end : afterPlaced(end, placed, walk)
}

/** The node after a filter that begins after another node. */
function after<V>(node: Node<V>, filter: Filter, walk: Walk): Node<V> | undefined {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return afterAll(node, filter.kind, filter.filters, walk)
    case 'not': {
      const inner = step(node, 'not', '', noPath, 1, walk)
      return inner && after(inner, filter.filter, walk)
    }
    case 'some': {
      const inner = step(node, 'some', '', filter.path, 1, walk)
      return inner && after(inner, filter.filter, walk)
    }
    case 'comparison':
      walk.conditions.push(filter)
      return step(node, filter.operator, filter.operand.type, filter.path, 0, walk)
    case 'membership':
      walk.conditions.push(filter)
      return step(node, 'in', filter.operands.length === 0 ? '' : filter.operands[0]!.type, filter.path, 0, walk)
    case 'match':
      walk.conditions.push(filter)
      return step(node, filter.mode, '', filter.path, 0, walk)
    case 'presence':
      walk.conditions.push(filter)
      return step(node, 'exists', filter.type, filter.path, 0, walk)
  }
}

function afterAll<V>(node: Node<V>, word: string, filters: readonly Filter[], walk: Walk): Node<V> | undefined {
  let end = step(node, word, '', noPath, filters.length, walk)
  for (let at = 0; end !== undefined && at < filters.length; at++) end = after(end, filters[at]!, walk)
  return end
}

/** The node after the position, the order and the fields of a query. */
function afterPlaced<V>(node: Node<V>, { query, position }: Placed, walk: Walk): Node<V> | undefined {
  const { sort, fields } = query
  let end = afterAll(node, query.position === undefined ? 'first' : query.position.toward, position, walk)
  for (let at = 0; end !== undefined && at < sort.length; at++) {
    const { direction, type, path } = sort[at]!
    end = step(end, direction, type, path, 0, walk)
  }
  if (fields === undefined || end === undefined) return end
  end = step(end, 'fields', '', noPath, fields.length, walk)
  for (let at = 0; end !== undefined && at < fields.length; at++) end = step(end, 'field', '', fields[at]!, 0, walk)
  return end
}

/** The node after another one, with these parts. */
function step<V>(
  { next }: Node<V>,
  word: string,
  type: string,
  path: Path,
  count: number,
  walk: Walk,
): Node<V> | undefined {
  if (walk.room !== undefined) {
    walk.room -= path.reduce((letters, name) => letters + name.length, word.length + type.length)
    if (walk.room < 0) return undefined
  }
  for (let at = 0; at < next.length; at++) {
    const node = next[at]!
    if (node.word === word && node.type === type && node.count === count && isSamePath(node.path, path)) return node
  }
  if (walk.room === undefined) return undefined
  const node = newNode<V>(word, type, path, count)
  next.push(node)
  return node
}
