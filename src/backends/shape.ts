/**
 * Caches by the shape of filters and queries, for speed alone: a shape is a filter without its operands, or a query without them and its
 * limit. Of an offset, the shape has whether it is far. A service has few shapes and many operands, so a text that depends on the shape alone is made once. The shapes
 * are a trie, condition by condition: a filter is compared with it without a key, which would be made and hashed each time.
 */
import { isSamePath, unchecked } from '../tree/index.ts'
import type { Comparison, EntryCount, Filter, Literal, Membership, Path } from '../tree/index.ts'
import { isInclusive, isRequired, nameOfKey, type Query } from '../query/index.ts'
import { orderNames } from '../language/index.ts'
import { own } from '../own.ts'
import type { Leaf } from './issues.ts'

/** Values by shape: two filters, or two queries, have the same one only if they differ in nothing but their operands. */
export interface ShapeCache<V, Input = Filter> {
  /**
   * @param conditions an empty list. Where there is a value, it gets the conditions of the filter, in the order of the tree, and an
   *   equality for each value of the position.
   */
  get(input: Input, conditions: Leaf[]): V | undefined
  /** Keeps a value, unless the shape is so long that few inputs have it in common. */
  set(input: Input, value: V): void
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

/** Finds the part at the end of an input that begins after another part; `undefined` where there is none. */
type Follow<Input> = <V>(part: ShapePart<V>, input: Input, walk: Walk) => ShapePart<V> | undefined

/** A cache of at most `limit` shapes of filters. A full one starts over: nobody can occupy it for good. */
/* @__NO_SIDE_EFFECTS__ */ export const shapeCache = <V>(limit: number): ShapeCache<V> => cacheOf(limit, after)

/** The same for shapes of queries. */
/* @__NO_SIDE_EFFECTS__ */ export const queryShapeCache = <V>(limit: number): ShapeCache<V, Query> =>
  cacheOf(limit, afterQuery)

/* @__NO_SIDE_EFFECTS__ */ function cacheOf<V, Input>(limit: number, follow: Follow<Input>): ShapeCache<V, Input> {
  const root: ShapePart<V> = { word: '', type: '', path: noPath, count: 0, next: [], value: undefined }
  let kept = 0
  return {
    get: (input, conditions) => follow(root, input, { conditions, room: undefined })?.value,
    set: (input, value) => {
      if (kept === limit) {
        root.next.length = 0
        kept = 0
      }
      const end = follow(root, input, { conditions: [], room: mostLetters })
      if (end?.value === undefined) kept++
      if (end !== undefined) end.value = value
    },
  }
}

/** The part at the end of a query. Each list begins with the number of its members, so no two shapes have the same parts. */
function afterQuery<V>(part: ShapePart<V>, query: Query, walk: Walk): ShapePart<V> | undefined {
  const { filter, sort } = query
  const condition = after(part, filter, walk)
  let end = condition && step(condition, 'sort', '', noPath, sort.length, walk)
  for (let at = 0; end !== undefined && at < sort.length; at++) {
    const key = sort[at]!
    end = step(end, key.direction, key.type, key.path, isRequired(key) ? 1 : 0, walk)
    if (end !== undefined && orderNames.some((name) => Object.hasOwn(key, name)))
      end = step(end, JSON.stringify(nameOfKey(key)), '', noPath, 0, walk)
  }
  const position = own(query, 'position')
  if (end !== undefined && position !== undefined) {
    const { toward, values } = position
    end = step(end, toward, isInclusive(position) ? 'inclusive' : '', noPath, values.length, walk)
    for (let at = 0; end !== undefined && at < values.length; at++) {
      const value = values[at]!
      if (value !== null) walk.conditions.push(unchecked.comparison(sort[at]!.path, 'eq', value))
      end = step(end, wordOf(value), '', noPath, 0, walk)
    }
  }
  if (end !== undefined && own(query, 'offset') !== undefined)
    end = step(end, skipsMany(query) ? 'far' : 'offset', '', noPath, 0, walk)
  end = end && afterPaths(end, 'fields', own(query, 'fields'), walk)
  return end && afterPaths(end, 'hidden', own(query, 'hidden'), walk)
}

/** Whether a page skips so many rows that it costs less to read their keys alone, and the rows of the page again. */
export const skipsMany = (query: Query): boolean => (own(query, 'offset') ?? 0) >= 1_000

/** A boolean is a part of the shape: the rows after `true` are none. */
const wordOf = (value: Literal | null): string =>
  value === null ? 'null' : value.type === 'boolean' ? String(value.value) : 'value'

function afterPaths<V>(
  part: ShapePart<V>,
  word: string,
  paths: readonly Path[] | undefined,
  walk: Walk,
): ShapePart<V> | undefined {
  if (paths === undefined) return part
  let end = step(part, word, '', noPath, paths.length, walk)
  for (let at = 0; end !== undefined && at < paths.length; at++) end = step(end, '', '', paths[at]!, 0, walk)
  return end
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
      return step(node, filter.operator + Math.min(leastOf(filter), 2), filter.type, filter.path, 0, walk)
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

/** The number of entries that decides a count: `gte` selects the rows with at least so many, and `lte` the others. */
export const leastOf = ({ operator, operand }: EntryCount): number => operand + (operator === 'lte' ? 1 : 0)

/** Whether every row satisfies a count, also a row without the list. */
export const isAlways = (filter: EntryCount): boolean => leastOf(filter) === 0

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

/** A condition, or a value of a position, that knows its place among the conditions of a shape: an object may be in a tree twice. */
interface InPlace {
  readonly place?: number
}

const withPlace = <T extends Leaf | Literal>(part: T, places: { next: number }): T => ({
  ...part,
  place: places.next++,
})

/** A copy of a filter whose conditions know their places, in the order of the tree. */
function inPlaces(filter: Filter, places: { next: number }): Filter {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return { ...filter, filters: filter.filters.map((member) => inPlaces(member, places)) }
    case 'not':
    case 'some':
      return { ...filter, filter: inPlaces(filter.filter, places) }
    default:
      return withPlace(asEquality(filter), places)
  }
}

/** A copy of a filter whose conditions know their places. */
export const filterInPlaces = (filter: Filter): Filter => inPlaces(filter, { next: 0 })

/** A copy of a query whose conditions know their places, those of its position after those of its filter. */
export function queryInPlaces(query: Query): Query {
  const places = { next: 0 }
  const filter = inPlaces(query.filter, places)
  const position = own(query, 'position')
  if (position === undefined) return { ...query, filter }
  const values = position.values.map((value): typeof value => value && withPlace(value, places))
  return { ...query, filter, position: { ...position, values } }
}

/** Copies a condition, and gives the copy the place of another condition: its operand comes from that condition. */
export const inPlaceOf = <T extends Leaf>(part: T, condition: Leaf): T => ({ ...part, place: placeOf(condition) })

type OfOperands = Comparison | Membership

/** A symbol, because a filter of a caller may have any name. */
const parts = /* @__PURE__ */ Symbol('parts')
/** A condition that several conditions of a filter make together: its operands are all of theirs. */
interface Merged extends Membership {
  readonly [parts]?: readonly OfOperands[]
}

/** @param conditions on one path. */
export const mergedOf = (conditions: readonly OfOperands[]): Membership => {
  const [first] = conditions as [OfOperands]
  const operands = conditions.flatMap((one) => (one.kind === 'comparison' ? [one.operand] : one.operands))
  return { ...unchecked.membership(first.path, operands, own(first, 'span')), [parts]: conditions } as Merged
}

/** The conditions of a filter that make a condition: mostly itself. */
export const partsOf = <C extends Leaf>(condition: C): readonly (C | OfOperands)[] =>
  (condition as Partial<Merged>)[parts] ?? [condition]

/** The place of a condition; -1 where it has none. */
export function placeOf(condition: Leaf): number {
  const place = own<InPlace, 'place'>(condition as InPlace, 'place')
  if (place !== undefined || condition.kind !== 'comparison') return place ?? -1
  return own<InPlace, 'place'>(condition.operand as InPlace, 'place') ?? -1
}
