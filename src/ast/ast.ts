/**
 * The typed filter: eight kinds of plain, frozen, JSON-safe nodes, one kind per operand shape.
 * `docs/concepts/tree.md` is its specification.
 */
import type { Span } from '../issue/index.ts'
import { isCanonicalDateTime, isDay, isPlainText } from '../text.ts'

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

/** How many groups and conditions a filter may have. A part that occurs several times counts each time. */
export const maxFilterNodes = 100_000

// --- What a node must hold. Reading makes a frozen copy of what is declared, each property read once: so nothing that
// was checked can change, and nothing else gets any further. Faults are told from the outside in:
// '.filters[2].operand.value must be …'.

class Fault {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** How many nodes of a filter are read already. */
interface Count {
  nodes: number
}
/** A copy of a value, or what is wrong with it. */
type Read<T> = (value: unknown, depth: number, count: Count) => T | Fault

const holding =
  <T>(test: (value: unknown) => boolean, expected: string): Read<T> =>
  (value) =>
    test(value) ? (value as T) : new Fault(` must be ${expected}`)

const oneOf = <T>(...values: readonly T[]): Read<T> =>
  holding((value) => values.includes(value as T), `${values.slice(0, -1).join(', ')} or ${String(values.at(-1))}`)

/** Own properties only: an inherited one, such as somebody's on Object.prototype, is no part of a filter. */
const own = (value: object, key: string | number): unknown =>
  Object.hasOwn(value, key) ? (value as Readonly<Record<string, unknown>>)[key] : undefined

const listOf =
  <T>(entry: Read<T>): Read<readonly T[]> =>
  (value, depth, count) => {
    if (!Array.isArray(value)) return new Fault(' must be a list')
    const copy: T[] = []
    for (let at = 0, { length } = value; at < length; at++) {
      const read = entry(own(value, at), depth, count)
      if (read instanceof Fault) return new Fault(`[${at}]${read.text}`)
      copy.push(read)
    }
    return Object.freeze(copy)
  }

const isText = (value: unknown): value is string => typeof value === 'string'
const text = holding<string>((value) => isText(value) && isPlainText(value), 'text without U+0000 and lone surrogates')

const literalValues: { readonly [T in LiteralType]: Read<Literal['value']> } = {
  string: text,
  integer: holding(Number.isSafeInteger, 'an integer within ±(2^53 − 1)'),
  number: holding(Number.isFinite, 'a finite number'),
  boolean: holding((value) => typeof value === 'boolean', 'a boolean'),
  date: holding((value) => isText(value) && isDay(value), 'a real day, YYYY-MM-DD'),
  datetime: holding((value) => isText(value) && isCanonicalDateTime(value), 'UTC text, YYYY-MM-DDTHH:mm:ss.sssZ'),
}
export const literalTypes = Object.freeze(Object.keys(literalValues) as LiteralType[])

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

const literal: Read<Literal> = (given, depth, count) => {
  if (!isObject(given)) return new Fault(' must be a literal')
  const type = own(given, 'type') as LiteralType
  if (!literalTypes.includes(type)) return new Fault('.type must be the type of a literal')
  const value = literalValues[type](own(given, 'value'), depth, count)
  return value instanceof Fault ? new Fault(`.value${value.text}`) : Object.freeze({ type, value } as Literal)
}

/** Why a name can be no name of a field, `undefined` when it can. */
export function nameFault(name: unknown): string | undefined {
  if (!isText(name) || name === '') return ' must be a text that is not empty'
  if (/[.[\]]/.test(name)) return " must not contain '.', '[' or ']', which are the language's own"
  if (!isPlainText(name)) return ' must not contain U+0000 or a lone surrogate'
  if (name.startsWith('$')) return " must not begin with '$', which marks MongoDB's operators"
  if (name === '__proto__') return ' must not be __proto__'
  return undefined
}
const path: Read<Path> = listOf((name) => {
  const fault = nameFault(name)
  return fault === undefined ? (name as string) : new Fault(fault)
})
const pathToList: Read<Path> = (value, depth, count) => {
  const read = path(value, depth, count)
  return !(read instanceof Fault) && read.length === 0 ? new Fault(' must not be empty') : read
}

const operands: Read<readonly Literal[]> = (value, depth, count) => {
  const read = listOf(literal)(value, depth, count)
  if (read instanceof Fault) return read
  return read.every(({ type }, _, [first]) => type === first!.type) ? read : new Fault(' must all be of one type')
}

const nested: Read<Filter> = (value, depth, count) => readFilter(value, depth + 1, count)
const tooDeep = new Fault(` nests deeper than ${maxFilterDepth} levels`)
const tooMany = new Fault(` has more than ${maxFilterNodes} groups and conditions`)

type Parts<N> = { readonly [K in Exclude<keyof N, 'kind' | 'span'>]: Read<N[K]> }

/** The parts of each kind, in the order in which a node has them. */
const parts: { readonly [K in Kind]: Parts<Extract<Filter, { kind: K }>> } = {
  and: { filters: listOf(nested) },
  or: { filters: listOf(nested) },
  not: { filter: nested },
  comparison: { path, operator: oneOf('eq', 'gt', 'gte', 'lt', 'lte'), operand: literal },
  membership: { path, operands },
  match: { path, mode: oneOf('prefix', 'suffix', 'substring'), text },
  presence: { path, type: oneOf(...literalTypes, 'object') },
  some: { path: pathToList, filter: nested },
}
export const kinds = Object.freeze(Object.keys(parts) as Kind[])
const partsOf = new Map(kinds.map((kind) => [kind, Object.entries(parts[kind]) as readonly [string, Read<unknown>][]]))

const isOffset = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0

function readSpan(value: unknown): Span | Fault {
  const start = isObject(value) ? own(value, 'start') : undefined
  const end = isObject(value) ? own(value, 'end') : undefined
  return isOffset(start) && isOffset(end) && start <= end
    ? spanOf(start, end)
    : new Fault(' must be the start and the end of a piece of text')
}

const readFilter: Read<Filter> = (given, depth, count) => {
  if (!isObject(given)) return new Fault(' must be a filter')
  const size = Mark.sizeOf(given)
  if (depth + (size?.levels ?? 1) - 1 > maxFilterDepth) return tooDeep
  count.nodes += size?.nodes ?? 1
  if (count.nodes > maxFilterNodes) return tooMany
  if (size !== undefined) return given as Filter

  const kind = own(given, 'kind') as Kind
  const declared = partsOf.get(kind)
  if (declared === undefined) return new Fault('.kind must be the kind of a filter')
  const node: Record<string, unknown> = { kind }
  for (const [name, read] of declared) {
    const part = read(own(given, name), depth, count)
    if (part instanceof Fault) return new Fault(`.${name}${part.text}`)
    node[name] = part
  }
  if (kind === 'comparison' && node.operator !== 'eq' && (node.operand as Literal).type === 'boolean')
    return new Fault('.operator must be eq: booleans have no order')
  const span = own(given, 'span')
  if (span !== undefined) {
    const read = readSpan(span)
    if (read instanceof Fault) return new Fault(`.span${read.text}`)
    node.span = read
  }
  return node as unknown as Filter
}

/**
 * Checks a filter in every part. A filter revived from JSON is input like any other, and one that is `undefined` must
 * never vanish; so builders, {@link fold} and backends begin with this, and go on with what it returns.
 *
 * @returns the filter itself where the library made it; else a copy, frozen in every part, of what a filter declares:
 *   what was checked cannot change afterwards, and other properties are left out.
 * @throws TypeError that names the part at fault, or when the filter is too deep or too large.
 */
export function checkFilter(filter: unknown, argument = 'filter'): Filter {
  const count: Count = { nodes: 0 }
  const read = readFilter(filter, 1, count)
  if (!(read instanceof Fault)) return read === filter ? read : markChecked(read)
  const fault = count.nodes > maxFilterNodes ? tooMany.text : read.text
  // The path to a fault may be as long as the filter is deep.
  throw new TypeError(argument + (fault.length > 240 ? `${fault.slice(0, 80)}…${fault.slice(-120)}` : fault))
}

// --- The mark of filters that are sound, and frozen in every part: they are not read again. Only the outermost node has
// it, with the size of all, which says whether there is room for it in another.

interface Size {
  readonly levels: number
  readonly nodes: number
}

/** Gives back what it is given, so that a class can add its private field to an object that is there already. */
const Given = function (object: object) {
  return object
} as unknown as new (object: object) => object

/**
 * A private field, which no copy has and nobody else can see or set. (A WeakMap takes half a microsecond for each filter,
 * as long as parsing a condition; this takes ten nanoseconds.)
 */
class Mark extends Given {
  readonly #size: Size
  constructor(filter: object, size: Size) {
    super(filter)
    this.#size = size
  }
  static sizeOf(filter: object): Size | undefined {
    return #size in filter ? filter.#size : undefined
  }
}

const sizeOfLeaf: Size = { levels: 1, nodes: 1 }

function freezeNodes(filter: Filter): Size {
  const known = Mark.sizeOf(filter)
  if (known !== undefined) return known
  const size = sizeOver(children(filter))
  Object.freeze(filter)
  return size
}

function sizeOver(filters: readonly Filter[]): Size {
  if (filters.length === 0) return sizeOfLeaf
  let levels = 0
  let nodes = 1
  for (let at = 0; at < filters.length; at++) {
    const size = freezeNodes(filters[at]!)
    levels = Math.max(levels, size.levels)
    nodes += size.nodes
  }
  return { levels: levels + 1, nodes }
}

/**
 * Freezes and marks what this library itself has built: nodes that nobody else has seen, by {@link make} or by reading,
 * whose other parts are frozen already.
 */
export function markChecked<F extends Filter>(filter: F): F {
  const size = sizeOver(children(filter))
  // Before it is frozen: engines may refuse private fields afterwards.
  if (size.levels <= maxFilterDepth && size.nodes <= maxFilterNodes) new Mark(filter, size)
  return Object.freeze(filter)
}

// --- Building. `make` trusts what it takes, as binding may; the public builders below check it.

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

// A property that is added later takes as long as all others: so there is a literal with the span, and one without.
/** Nodes from parts that are sound, to be frozen and marked all at once by {@link markChecked}. */
export const make = {
  span: spanOf,
  and: (filters: readonly Filter[], span?: Span): And => {
    Object.freeze(filters)
    return span === undefined ? { kind: 'and', filters } : { kind: 'and', filters, span }
  },
  or: (filters: readonly Filter[], span?: Span): Or => {
    Object.freeze(filters)
    return span === undefined ? { kind: 'or', filters } : { kind: 'or', filters, span }
  },
  not: (filter: Filter, span?: Span): Not =>
    span === undefined ? { kind: 'not', filter } : { kind: 'not', filter, span },
  comparison: (path: Path, operator: ComparisonOperator, operand: Literal, span?: Span): Comparison =>
    span === undefined
      ? { kind: 'comparison', path, operator, operand }
      : { kind: 'comparison', path, operator, operand, span },
  membership: (path: Path, operands: readonly Literal[], span?: Span): Membership => {
    Object.freeze(operands)
    return span === undefined ? { kind: 'membership', path, operands } : { kind: 'membership', path, operands, span }
  },
  match: (path: Path, mode: MatchMode, text: string, span?: Span): Match =>
    span === undefined ? { kind: 'match', path, mode, text } : { kind: 'match', path, mode, text, span },
  presence: (path: Path, type: Presence['type'], span?: Span): Presence =>
    span === undefined ? { kind: 'presence', path, type } : { kind: 'presence', path, type, span },
  some: (path: Path, filter: Filter, span?: Span): Some =>
    span === undefined ? { kind: 'some', path, filter } : { kind: 'some', path, filter, span },
}

/** A node that was made of anything, once it is found sound. */
const checked = <N extends Filter>(node: N): N => checkFilter(node, node.kind) as N

/** A group: members of the same kind are taken apart, and a single member stands for itself. */
function group(kind: 'and' | 'or', filters: readonly Filter[]): Filter {
  const whole = checked<And | Or>({ kind, filters })
  const flat = whole.filters.flatMap((filter) => (filter.kind === kind ? filter.filters : [filter]))
  return flat.length === 1 ? checkFilter(flat[0]) : markChecked(make[kind](flat))
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
  checked({ kind: 'comparison', path, operator, operand })

/** A {@link Membership}. @throws TypeError when a part is not what its kind holds. */
export const membership = (path: Path, operands: readonly Literal[]): Membership =>
  checked({ kind: 'membership', path, operands })

/** A {@link Match}. @throws TypeError when a part is not what its kind holds. */
export const match = (path: Path, mode: MatchMode, text: string): Match => checked({ kind: 'match', path, mode, text })

/** A {@link Presence}. @throws TypeError when a part is not what its kind holds. */
export const presence = (path: Path, type: Presence['type']): Presence => checked({ kind: 'presence', path, type })

/** A {@link Some}. @throws TypeError when a part is not what its kind holds. */
export const some = (path: Path, filter: Filter): Some => checked({ kind: 'some', path, filter })

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
  const checked = checkFilter(filter)
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
  return visit(checked)
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
      return none
  }
}
const none: readonly Filter[] = Object.freeze([])

/**
 * Builds a filter anew, from the leaves to the root: `change` gets each node with its members changed
 * already. Spans stay; `map(filter, (node) => node)` is an equal filter, frozen throughout.
 *
 * @throws TypeError when it is no filter, or `change` returns none.
 */
export function map(filter: Filter, change: (node: Filter) => Filter): Filter {
  const result = fold<Filter>(filter, {
    and: (filters, { span }) => change(make.and(filters, span)),
    or: (filters, { span }) => change(make.or(filters, span)),
    not: (inner, { span }) => change(make.not(inner, span)),
    some: (inner, { path, span }) => change(make.some(path, inner, span)),
    comparison: change,
    membership: change,
    match: change,
    presence: change,
  })
  return checkFilter(result)
}

/**
 * Whether two filters are the same tree. Spans do not count.
 *
 * @throws TypeError when one of them is no filter.
 */
export function sameFilter(a: Filter, b: Filter): boolean {
  return plainText(a) === plainText(b)
}

/** A filter as text, without its spans. Nodes that were checked have their parts in one order. */
function plainText(filter: Filter): string {
  return JSON.stringify(checkFilter(filter), (key, value: unknown) => (key === 'span' ? undefined : value))
}
