/**
 * The typed filter: eight kinds of plain, frozen, JSON-safe nodes, one kind per operand shape.
 * `docs/ast.md` is its specification.
 */
import type { Span } from './issue.ts'
import { isCanonicalDateTime, isDay, isPlainText } from './text.ts'

interface Located {
  /** Where the node stands in the text that it was read from; absent when it was generated. */
  readonly span?: Span
}

/** Names that lead to a field; `[]` is the entry itself, inside {@link Some} over a list of scalars. */
export type Path = readonly string[]

export type LiteralType = 'string' | 'integer' | 'number' | 'boolean' | 'date' | 'datetime'

/**
 * A typed constant. Dates are `YYYY-MM-DD`, datetimes canonical UTC text (`YYYY-MM-DDTHH:mm:ss.sssZ`);
 * the values of an enumeration are strings.
 */
export type Literal =
  | { readonly type: 'string' | 'date' | 'datetime'; readonly value: string }
  | { readonly type: 'integer' | 'number'; readonly value: number }
  | { readonly type: 'boolean'; readonly value: boolean }

export type ComparisonOperator = 'eq' | 'gt' | 'gte' | 'lt' | 'lte'
export type MatchMode = 'prefix' | 'suffix' | 'substring'

/** Every filter holds; `and([])` is true. */
export interface And extends Located {
  readonly kind: 'and'
  readonly filters: readonly Filter[]
}
/** At least one filter holds; `or([])` is false. */
export interface Or extends Located {
  readonly kind: 'or'
  readonly filters: readonly Filter[]
}
/** The exact complement: true wherever the filter is false, for fields without a value too. */
export interface Not extends Located {
  readonly kind: 'not'
  readonly filter: Filter
}
/** The field has a value, and it stands in that order to the operand. */
export interface Comparison extends Located {
  readonly kind: 'comparison'
  readonly path: Path
  readonly operator: ComparisonOperator
  readonly operand: Literal
}
/** The field's value is one of the operands, all of one type; none of them is false. */
export interface Membership extends Located {
  readonly kind: 'membership'
  readonly path: Path
  readonly operands: readonly Literal[]
}
/** The field's text begins with, ends with or contains the literal text; case is ignored. */
export interface Match extends Located {
  readonly kind: 'match'
  readonly path: Path
  readonly mode: MatchMode
  readonly text: string
}
/** The field has a value of its type. */
export interface Presence extends Located {
  readonly kind: 'presence'
  readonly path: Path
  readonly type: LiteralType | 'object'
}
/** At least one entry of the list satisfies the filter, whose paths start at the entry. */
export interface Some extends Located {
  readonly kind: 'some'
  readonly path: Path
  readonly filter: Filter
}

/** A condition or a group of conditions, true or false for every object. */
export type Filter = And | Or | Not | Comparison | Membership | Match | Presence | Some
export type Kind = Filter['kind']

/** How deep filters may nest: beyond what any schema needs, within every engine's and the call stack's limits. */
export const maxFilterDepth = 100

// --- What a node must hold. A fault is told from the outside in: '.filters[2].operand.value must be …'.

type Check = (value: unknown, depth: number) => string | undefined

const holds =
  (test: (value: unknown) => boolean, expected: string): Check =>
  (value) =>
    test(value) ? undefined : ` must be ${expected}`

const oneOf = (...values: readonly unknown[]): Check =>
  holds((value) => values.includes(value), `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`)

const list =
  (entry: Check): Check =>
  (value, depth) => {
    if (!Array.isArray(value)) return ' must be a list'
    for (let at = 0; at < value.length; at++) {
      const fault = entry(value[at], depth)
      if (fault !== undefined) return `[${at}]${fault}`
    }
    return undefined
  }

/** Own properties only: what somebody put on Object.prototype is no part of a filter. */
const own = (value: object, key: string): unknown =>
  Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined

const shape = (keys: Readonly<Record<string, Check>>): Check => {
  const names = Object.keys(keys)
  const checks = Object.values(keys)
  return (value, depth) => {
    for (let at = 0; at < names.length; at++) {
      const fault = checks[at]!(own(value as object, names[at]!), depth)
      if (fault !== undefined) return `.${names[at]}${fault}`
    }
    return undefined
  }
}

const select =
  (key: 'kind' | 'type', cases: ReadonlyMap<unknown, Check>, what: string): Check =>
  (value, depth) => {
    if (typeof value !== 'object' || value === null) return ` must be a ${what}`
    const check = cases.get(own(value, key))
    return check === undefined ? `.${key} must be the ${key} of a ${what}` : check(value, depth)
  }

const both =
  (first: Check, second: Check): Check =>
  (value, depth) =>
    first(value, depth) ?? second(value, depth)

const isText = (value: unknown): value is string => typeof value === 'string'
const text = holds((value) => isText(value) && isPlainText(value), 'text without U+0000 and lone surrogates')

const literalValues: { readonly [T in LiteralType]: Check } = {
  string: text,
  integer: holds(Number.isSafeInteger, 'an integer within ±(2^53 − 1)'),
  number: holds(Number.isFinite, 'a finite number'),
  boolean: holds((value) => typeof value === 'boolean', 'a boolean'),
  date: holds((value) => isText(value) && isDay(value), 'a real day, YYYY-MM-DD'),
  datetime: holds((value) => isText(value) && isCanonicalDateTime(value), 'UTC text, YYYY-MM-DDTHH:mm:ss.sssZ'),
}
export const literalTypes = Object.freeze(Object.keys(literalValues) as LiteralType[])

const literal = select(
  'type',
  new Map(literalTypes.map((type) => [type, shape({ value: literalValues[type] })])),
  'literal',
)

/** Why a name can be no name of a field, `undefined` when it can. */
export function nameFault(name: unknown): string | undefined {
  if (!isText(name) || name === '') return ' must be a text that is not empty'
  if (/[.[\]]/.test(name)) return " must not contain '.', '[' or ']', which are the language's own"
  if (!isPlainText(name)) return ' must not contain U+0000 or a lone surrogate'
  if (name.startsWith('$')) return " must not begin with '$', which marks MongoDB's operators"
  if (name === '__proto__') return ' must not be __proto__'
  return undefined
}
const names = list(nameFault)
/** Whether something cannot change: it is frozen, and all that it has is data, in sight. A getter may give another each time. */
const isFrozenData = (value: unknown): boolean =>
  Object.isFrozen(value) &&
  (typeof value !== 'object' ||
    value === null ||
    Reflect.ownKeys(value).every((key) => {
      const property = Reflect.getOwnPropertyDescriptor(value, key)!
      return 'value' in property && (property.enumerable === true || key === 'length')
    }))

/** Paths that were looked at and cannot change: those of a schema are in one filter after the other. */
const knownPaths = new WeakSet<Path>()
const path: Check = (value, depth) => {
  if (knownPaths.has(value as Path)) return undefined
  const fault = names(value, depth)
  if (fault === undefined && isFrozenData(value)) knownPaths.add(value as Path)
  return fault
}
const pathToList = both(path, (value) => ((value as Path).length === 0 ? ' must not be empty' : undefined))

const ordered: Check = (node) =>
  (node as Comparison).operand.type === 'boolean' && (node as Comparison).operator !== 'eq'
    ? '.operator must be eq: booleans have no order'
    : undefined
const ofOneType: Check = (node) =>
  (node as Membership).operands.some(({ type }, _, [first]) => type !== first!.type)
    ? '.operands must all be of one type'
    : undefined

const nested: Check = (value, depth) =>
  depth >= maxFilterDepth ? ` nests deeper than ${maxFilterDepth} levels` : filterFault(value, depth + 1)

/** Gives back what it is given, so that a class can add its private field to an object that is there already. */
const Given = function (object: object) {
  return object
} as unknown as new (object: object) => object

/**
 * A mark on filters that are known to be sound and frozen in every part, so that they are checked once: a private field,
 * which no copy has and nobody can see or set. (A WeakMap takes three times as long to remember.)
 */
class Sound extends Given {
  /** How many levels the filter has. */
  readonly #levels: number
  constructor(filter: Filter, levels: number) {
    super(filter)
    this.#levels = levels
  }
  /** Zero where the filter has no mark. */
  static levelsOf(filter: object): number {
    return #levels in filter ? filter.#levels : 0
  }
}

const shapes: { readonly [K in Kind]: Check } = {
  and: shape({ filters: list(nested) }),
  or: shape({ filters: list(nested) }),
  not: shape({ filter: nested }),
  comparison: both(shape({ path, operator: oneOf('eq', 'gt', 'gte', 'lt', 'lte'), operand: literal }), ordered),
  membership: both(shape({ path, operands: list(literal) }), ofOneType),
  match: shape({ path, mode: oneOf('prefix', 'suffix', 'substring'), text }),
  presence: shape({ path, type: oneOf(...literalTypes, 'object') }),
  some: shape({ path: pathToList, filter: nested }),
}
export const kinds = Object.freeze(Object.keys(shapes) as Kind[])

const anyFilterFault = select('kind', new Map(Object.entries(shapes)), 'filter')
const filterFault: Check = (value, depth) => {
  const levels = typeof value === 'object' && value !== null ? Sound.levelsOf(value) : 0
  return levels > 0 && depth + levels <= maxFilterDepth + 1 ? undefined : anyFilterFault(value, depth)
}

/**
 * Checks a filter in every part. A filter revived from JSON is input like any other, and one that is
 * `undefined` must never vanish; so builders, {@link fold} and backends begin with this.
 *
 * @throws TypeError that names the part at fault.
 */
export function checkFilter(filter: unknown, argument = 'filter'): asserts filter is Filter {
  const fault = filterFault(filter, 1)
  if (fault === undefined) return
  // The way to a fault may be as long as a filter is deep.
  throw new TypeError(argument + (fault.length > 240 ? `${fault.slice(0, 80)}…${fault.slice(-120)}` : fault))
}

// --- Building. What `make` takes it trusts, as the binder may; the public builders below check it.

function finished<N extends Filter>(node: N, levels = 0): N {
  if (levels > 0 && levels <= maxFilterDepth) new Sound(node, levels)
  return Object.freeze(node)
}

/**
 * Spans that were made before: to freeze an object takes five times as long as to make it, and the queries of a service
 * have their conditions in few places.
 */
const knownSpans = new Map<number, Span>()
const mostSpans = 4_096
const longestText = 2 ** 14

function spanOf(start: number, end: number): Span {
  if (end >= longestText) return Object.freeze({ start, end })
  const place = start * longestText + end
  const known = knownSpans.get(place)
  if (known !== undefined) return known
  const span = Object.freeze({ start, end })
  if (knownSpans.size < mostSpans) knownSpans.set(place, span)
  return span
}

const leaf = <N extends Comparison | Membership | Match | Presence>(node: N): N =>
  finished(node, node.span === undefined ? 0 : 1)

// A property that is added later takes as long as all others: so there is a literal with the span, and one without.
/**
 * Nodes from parts that are sound and frozen already. A leaf that was read is marked; a group by who knows how many
 * `levels` it has at most. (A leaf without a span may be of anything: an operator's `lower` is for everybody to call.)
 */
export const make = {
  span: spanOf,
  and: (filters: readonly Filter[], span?: Span, levels?: number): And => {
    Object.freeze(filters)
    return finished(span === undefined ? { kind: 'and', filters } : { kind: 'and', filters, span }, levels)
  },
  or: (filters: readonly Filter[], span?: Span): Or => {
    Object.freeze(filters)
    return finished(span === undefined ? { kind: 'or', filters } : { kind: 'or', filters, span })
  },
  not: (filter: Filter, span?: Span): Not =>
    finished(span === undefined ? { kind: 'not', filter } : { kind: 'not', filter, span }),
  comparison: (path: Path, operator: ComparisonOperator, operand: Literal, span?: Span): Comparison =>
    leaf(
      span === undefined
        ? { kind: 'comparison', path, operator, operand }
        : { kind: 'comparison', path, operator, operand, span },
    ),
  membership: (path: Path, operands: readonly Literal[], span?: Span): Membership => {
    Object.freeze(operands)
    return leaf(
      span === undefined ? { kind: 'membership', path, operands } : { kind: 'membership', path, operands, span },
    )
  },
  match: (path: Path, mode: MatchMode, text: string, span?: Span): Match =>
    leaf(span === undefined ? { kind: 'match', path, mode, text } : { kind: 'match', path, mode, text, span }),
  presence: (path: Path, type: Presence['type'], span?: Span): Presence =>
    leaf(span === undefined ? { kind: 'presence', path, type } : { kind: 'presence', path, type, span }),
  some: (path: Path, filter: Filter, span?: Span, levels?: number): Some =>
    finished(span === undefined ? { kind: 'some', path, filter } : { kind: 'some', path, filter, span }, levels),
}

/** How many levels a filter that was checked has; infinitely many when a part of it may change. */
function frozenLevels(filter: Filter): number {
  const marked = Sound.levelsOf(filter)
  if (marked > 0) return marked
  const parts = Object.values(filter) as unknown[]
  return [filter, ...parts].every(isFrozenData) && parts.flat().every(isFrozenData)
    ? levelsOver(children(filter))
    : Infinity
}
const levelsOver = (filters: readonly Filter[]): number =>
  filters.reduce((deepest, filter) => Math.max(deepest, 1 + frozenLevels(filter)), 1)

/** A node that was made of anything, once it is found sound. */
function checked<N extends Filter>(node: N): N {
  checkFilter(node, node.kind)
  return finished(node, levelsOver(children(node)))
}

const frozenList = <T>(values: readonly T[], copy: (value: T) => T): readonly T[] =>
  Array.isArray(values) ? Object.freeze(values.map(copy)) : values
const same = <T>(value: T): T => value
const frozenLiteral = ({ type, value }: Literal): Literal => Object.freeze({ type, value } as Literal)

/** A group: members of the same kind are taken apart, and a single member stands for itself. */
function group(kind: 'and' | 'or', filters: readonly Filter[]): Filter {
  checkFilter({ kind, filters }, kind)
  const flat = filters.flatMap((filter) => (filter.kind === kind ? filter.filters : [filter]))
  return flat.length === 1 ? flat[0]! : finished({ kind, filters: Object.freeze(flat) }, levelsOver(filters))
}

/**
 * True where every filter is; `and()` is true for every object. Nested `and`s are flattened, one filter
 * stands for itself.
 *
 * @example and(restriction, filter) // the way to add what a caller may see: at the root
 * @throws TypeError when one of them is no filter, `undefined` above all.
 */
export const and = (...filters: readonly Filter[]): Filter => group('and', filters)

/**
 * True where at least one filter is; `or()` is false for every object. Nested `or`s are flattened, one
 * filter stands for itself.
 *
 * @throws TypeError when one of them is no filter.
 */
export const or = (...filters: readonly Filter[]): Filter => group('or', filters)

/**
 * True exactly where the filter is false: for objects without a value too.
 *
 * @throws TypeError when it is no filter.
 */
export const not = (filter: Filter): Not => checked({ kind: 'not', filter })

/**
 * A {@link Comparison}, on the path as given: for fields of a schema `where` is safer.
 *
 * @throws TypeError when a part is not what its kind holds.
 */
export const comparison = (path: Path, operator: ComparisonOperator, operand: Literal): Comparison =>
  checked({ kind: 'comparison', path: frozenList(path, same), operator, operand: frozenLiteral(operand) })

/** A {@link Membership}. @throws TypeError when a part is not what its kind holds. */
export const membership = (path: Path, operands: readonly Literal[]): Membership =>
  checked({ kind: 'membership', path: frozenList(path, same), operands: frozenList(operands, frozenLiteral) })

/** A {@link Match}. @throws TypeError when a part is not what its kind holds. */
export const match = (path: Path, mode: MatchMode, text: string): Match =>
  checked({ kind: 'match', path: frozenList(path, same), mode, text })

/** A {@link Presence}. @throws TypeError when a part is not what its kind holds. */
export const presence = (path: Path, type: Presence['type']): Presence =>
  checked({ kind: 'presence', path: frozenList(path, same), type })

/** A {@link Some}. @throws TypeError when a part is not what its kind holds. */
export const some = (path: Path, filter: Filter): Some =>
  checked({ kind: 'some', path: frozenList(path, same), filter })

// --- Taking apart.

/** One function per kind; those of groups get the results of their members first. */
export interface Algebra<R> {
  and(filters: readonly R[], node: And): R
  or(filters: readonly R[], node: Or): R
  not(filter: R, node: Not): R
  some(filter: R, node: Some): R
  comparison(node: Comparison): R
  membership(node: Membership): R
  match(node: Match): R
  presence(node: Presence): R
}

/**
 * Turns a filter into something else, from the leaves to the root: the tool of emitters. Where a member
 * needs to know what stands around it, let `R` be a function of that.
 *
 * @example
 * const leaves = { comparison: () => 1, membership: () => 1, match: () => 1, presence: () => 1 }
 * const sum = (counts: readonly number[]) => counts.reduce((a, b) => a + b, 0)
 * fold(filter, { ...leaves, and: sum, or: sum, not: (count) => count, some: (count) => count }) // conditions in it
 * @throws TypeError when it is no filter.
 */
export function fold<R>(filter: Filter, algebra: Algebra<R>): R {
  checkFilter(filter)
  const visit = (node: Filter): R => {
    switch (node.kind) {
      case 'and':
        return algebra.and(node.filters.map(visit), node)
      case 'or':
        return algebra.or(node.filters.map(visit), node)
      case 'not':
        return algebra.not(visit(node.filter), node)
      case 'some':
        return algebra.some(visit(node.filter), node)
      case 'comparison':
        return algebra.comparison(node)
      case 'membership':
        return algebra.membership(node)
      case 'match':
        return algebra.match(node)
      case 'presence':
        return algebra.presence(node)
    }
  }
  return visit(filter)
}

/** The filters right inside a filter; none in a condition. */
export function children(filter: Filter): readonly Filter[] {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.filters
    case 'not':
    case 'some':
      return [filter.filter]
    default:
      return []
  }
}

/**
 * Builds a filter anew, from the leaves to the root: `change` gets each node with its members changed
 * already. Spans stay; `map(filter, (node) => node)` is an equal filter, frozen throughout.
 *
 * @throws TypeError when it is no filter, or `change` returns none.
 */
export function map(filter: Filter, change: (node: Filter) => Filter): Filter {
  const path = (names: Path) => frozenList(names, same)
  const changed = (node: Filter) => Object.freeze(change(node))
  const result = fold<Filter>(filter, {
    and: (filters, { span }) => changed(make.and(filters, span)),
    or: (filters, { span }) => changed(make.or(filters, span)),
    not: (inner, { span }) => changed(make.not(inner, span)),
    some: (inner, node) => changed(make.some(path(node.path), inner, node.span)),
    comparison: (node) =>
      changed(make.comparison(path(node.path), node.operator, frozenLiteral(node.operand), node.span)),
    membership: (node) =>
      changed(make.membership(path(node.path), frozenList(node.operands, frozenLiteral), node.span)),
    match: (node) => changed(make.match(path(node.path), node.mode, node.text, node.span)),
    presence: (node) => changed(make.presence(path(node.path), node.type, node.span)),
  })
  checkFilter(result)
  return result
}

/**
 * Whether two filters are the same tree. Spans do not count.
 *
 * @throws TypeError when one of them is no filter.
 */
export function sameFilter(a: Filter, b: Filter): boolean {
  return plainText(a) === plainText(b)
}

/** A filter as text: its parts in one order, its spans left out. */
function plainText(filter: Filter): string {
  return JSON.stringify(
    map(filter, (node) => node),
    (key, value: unknown) => (key === 'span' ? undefined : value),
  )
}
