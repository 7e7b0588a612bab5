/**
 * What a filter must hold. Reading makes a frozen copy of what each kind declares, and reads each property once: what
 * was checked cannot change, and nothing else gets any further.
 */
import { recentCache, weakCache } from '../cache.ts'
import type { Span } from '../issue/index.ts'
import { own } from '../own.ts'
import { isPlainText } from '../text/characters.ts'
import { isCanonicalDateTime, isDay } from '../text/time.ts'
import {
  kinds,
  literalTypes,
  maxFilterDepth,
  maxFilterNodes,
  maxPathLength,
  type Filter,
  type Kind,
  type Literal,
  type LiteralType,
  type Path,
  type Presence,
} from './ast.ts'
import { newSpan } from './span.ts'

/** One check: where it is, and how large the filter has been up to here. */
interface Check {
  /** What the caller calls what is read. */
  readonly argument: string
  /** The names and positions that lead from the argument to the part that is read. */
  readonly way: (string | number)[]
  levels: number
  nodes: number
  /** How many names lead from the row to the list whose entry is read. */
  names: number
}

/** Copies a value that holds what it must. @throws TypeError when it does not. */
export type Read<T> = (value: unknown, check: Check) => T

/** @throws TypeError such as `filter.filters[2].operand.value must be a finite number`. */
function refuse({ argument, way }: Check, problem: string): never {
  const place = way.map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`)).join('')
  const text = `${place} ${problem}`
  // The way may be as long as the filter is deep.
  throw new TypeError(argument + (text.length > 240 ? `${text.slice(0, 80)}…${text.slice(-120)}` : text))
}

/** Reads a part of what is being read. */
function readPart<T>(read: Read<T>, owner: object, name: string | number, check: Check): T {
  check.way.push(name)
  // An inherited property, such as somebody's on Object.prototype, is no part of a filter.
  const value = own(owner as Readonly<Record<string | number, unknown>>, name)
  const part = read(value, check)
  check.way.pop()
  return part
}

/** The object that was read, where it can never differ from the copy that was made of it; else the copy, frozen. */
const constantOf = <T extends object>(given: object, copy: T): T =>
  isConstant(given, copy) ? (given as T) : Object.freeze(copy)

/** Whether an object is frozen, and has the prototype and the parts of its copy, and nothing else. */
function isConstant(given: object, copy: object): boolean {
  if (!Object.isFrozen(given) || Object.getPrototypeOf(given) !== Object.getPrototypeOf(copy)) return false
  const names = Object.getOwnPropertyNames(given)
  return (
    names.length === Object.getOwnPropertyNames(copy).length &&
    Object.getOwnPropertySymbols(given).length === 0 &&
    // The descriptor of a getter has no value.
    names.every((name) => Object.getOwnPropertyDescriptor(given, name)!.value === Reflect.get(copy, name))
  )
}

// --- Values

/* @__NO_SIDE_EFFECTS__ */ export const holding =
  <T>(test: (value: unknown) => boolean, expected: string): Read<T> =>
  (value, check) =>
    test(value) ? (value as T) : refuse(check, `must be ${expected}`)

/* @__NO_SIDE_EFFECTS__ */ export const oneOf = <T>(values: readonly T[]): Read<T> =>
  holding((value) => values.includes(value as T), `${values.slice(0, -1).join(', ')} or ${String(values.at(-1))}`)

/* @__NO_SIDE_EFFECTS__ */ export const listOf =
  <T>(readEntry: Read<T>): Read<readonly T[]> =>
  (value, check) => {
    if (!Array.isArray(value)) refuse(check, 'must be a list')
    const copy: T[] = []
    for (let at = 0, { length } = value; at < length; at++) copy.push(readPart(readEntry, value, at, check))
    return constantOf(value, copy)
  }

/** Reads the parts of an object, in their order. One that is read as `undefined` is left out. */
/* @__NO_SIDE_EFFECTS__ */ export const objectOf =
  <T extends object>(readers: { readonly [K in keyof T]-?: Read<T[K]> }): Read<T> =>
  (given, check) => {
    if (!isObject(given)) refuse(check, 'must be an object')
    const copy: Partial<T> = {}
    for (const name of Object.keys(readers) as (keyof T & string)[]) {
      const part = readPart(readers[name], given, name, check)
      if (part !== undefined) copy[name] = part
    }
    return Object.freeze(copy) as T
  }

/* @__NO_SIDE_EFFECTS__ */ export const optional =
  <T>(read: Read<T>): Read<T | undefined> =>
  (value, check) =>
    value === undefined ? undefined : read(value, check)

/* @__NO_SIDE_EFFECTS__ */ export const wholeNumber = (least: number): Read<number> =>
  holding((value) => Number.isSafeInteger(value) && (value as number) >= least, `a whole number of at least ${least}`)

const isText = (value: unknown): value is string => typeof value === 'string'
export const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
const isPlain = (value: unknown): boolean => isText(value) && isPlainText(value)
const isInteger = (value: unknown): boolean => Number.isSafeInteger(value)
const isNumber = (value: unknown): boolean => Number.isFinite(value)
const isBoolean = (value: unknown): boolean => typeof value === 'boolean'
const isDate = (value: unknown): boolean => isText(value) && isDay(value)
const isDatetime = (value: unknown): boolean => isText(value) && isCanonicalDateTime(value)

/** What the value of a literal must be. */
const isValue: { readonly [T in LiteralType]: (value: unknown) => boolean } = {
  string: isPlain,
  integer: isInteger,
  number: isNumber,
  boolean: isBoolean,
  date: isDate,
  datetime: isDatetime,
}
const readText = holding<string>(isPlain, 'text without U+0000 and lone surrogates')

const valueReaders: { readonly [T in LiteralType]: Read<Literal['value']> } = {
  string: readText,
  integer: holding(isInteger, 'an integer within ±(2^53 − 1)'),
  number: holding(isNumber, 'a finite number'),
  boolean: holding(isBoolean, 'a boolean'),
  date: holding(isDate, 'a real day, YYYY-MM-DD'),
  datetime: holding(isDatetime, 'UTC text, YYYY-MM-DDTHH:mm:ss.sssZ'),
}

const readLiteralType: Read<LiteralType> = holding(
  (value) => literalTypes.includes(value as LiteralType),
  'the type of a literal',
)

export const readLiteral: Read<Literal> = (given, check) => {
  if (!isObject(given)) refuse(check, 'must be a literal')
  const type = readPart(readLiteralType, given, 'type', check)
  const value = readPart(valueReaders[type], given, 'value', check)
  return constantOf(given, { type, value } as Literal)
}

const readLiterals = listOf(readLiteral)
const readOperands: Read<readonly Literal[]> = (value, check) => {
  const operands = readLiterals(value, check)
  const isMixed = operands.some(({ type }) => type !== operands[0]!.type)
  return isMixed ? refuse(check, 'must all be of one type') : operands
}

/** Why a field cannot have a name; `undefined` when it can. */
export function nameDefect(name: unknown): string | undefined {
  if (!isText(name) || name === '') return 'must be a non-empty string'
  if (/[.[\]]/.test(name)) return "must not contain '.', '[' or ']', which have a meaning in queries"
  if (!isPlainText(name)) return 'must not contain U+0000 or a lone surrogate'
  if (name.startsWith('$')) return "must not begin with '$', as MongoDB's operators do"
  if (name === '__proto__') return 'must not be __proto__'
  return undefined
}
const readName: Read<string> = (name, check) => {
  const defect = nameDefect(name)
  return defect === undefined ? (name as string) : refuse(check, defect)
}
const readNames = listOf(readName)
/** Paths known to be sound and constant: those of a schema are in all filters that were read for it. */
const knownPaths = /* @__PURE__ */ weakCache<object, true>()
const readPath: Read<Path> = (value, check) => {
  if (Array.isArray(value) && check.names + value.length > maxPathLength)
    refuse(check, `must have at most ${maxPathLength} names, those of the lists around it included`)
  if (isObject(value) && knownPaths.get(value) === true) return value as Path
  const path = readNames(value, check)
  if (path === value) knownPaths.set(path, true)
  return path
}
export const readPathToList: Read<Path> = (value, check) => {
  const path = readPath(value, check)
  return path.length === 0 ? refuse(check, 'must not be empty') : path
}

const isOffset = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0
const readOffset: Read<unknown> = (value) => value
export const readSpan: Read<Span | undefined> = (given, check) => {
  if (given === undefined) return undefined
  const start = isObject(given) ? readPart(readOffset, given, 'start', check) : undefined
  const end = isObject(given) ? readPart(readOffset, given, 'end', check) : undefined
  return isOffset(start) && isOffset(end) && start <= end
    ? constantOf(given!, newSpan(start, end))
    : refuse(check, 'must be the start and the end of a piece of text')
}

// --- Nodes

type Parts<N> = { readonly [K in Exclude<keyof N, 'kind' | 'span'>]: Read<N[K]> }

const readMember: Read<Filter> = (value, check) => readFilter(value, check)
const readMembers = listOf(readMember)
/** Reads the path of a list. What is read next is an entry of it. */
const readPathAround: Read<Path> = (value, check) => {
  const path = readPathToList(value, check)
  check.names += path.length
  return path
}

/** The parts of each kind, in the order in which its nodes have them. */
const parts: { readonly [K in Kind]: Parts<Extract<Filter, { kind: K }>> } = {
  and: { filters: readMembers },
  or: { filters: readMembers },
  not: { filter: readMember },
  comparison: { path: readPath, operator: oneOf(['eq', 'gt', 'gte', 'lt', 'lte']), operand: readLiteral },
  membership: { path: readPath, operands: readOperands },
  match: { path: readPath, mode: oneOf(['prefix', 'suffix', 'substring']), text: readText },
  presence: { path: readPath, type: oneOf<Presence['type']>(/* @__PURE__ */ [literalTypes, 'object' as const].flat()) },
  some: { path: readPathAround, filter: readMember },
}
const partsOf = /* @__PURE__ */ new Map(
  /* @__PURE__ */ kinds.map((kind) => [kind, Object.entries(parts[kind]) as readonly [string, Read<unknown>][]]),
)

const readKind: Read<Kind> = holding((value) => partsOf.has(value as Kind), 'the kind of a filter')

function readFilter(given: unknown, check: Check): Filter {
  if (!isObject(given)) return refuse(check, 'must be a filter')
  const { names } = check
  check.levels++
  const size = isKnown(given) ? sizeOf(given, check.levels, names) : Infinity
  // A sound filter may be too deep in this place: to read it finds where.
  const isSound = size < Infinity
  check.nodes += isSound ? size : 1
  if (check.levels > maxFilterDepth) refuse(check, `nests deeper than ${maxFilterDepth} levels`)
  if (check.nodes > maxFilterNodes) {
    check.way.length = 0
    refuse(check, `has more than ${maxFilterNodes} groups and conditions`)
  }
  const filter = isSound ? (given as Filter) : readNode(given, check)
  check.levels--
  check.names = names
  return filter
}

function readNode(given: object, check: Check): Filter {
  const kind = readPart(readKind, given, 'kind', check)
  const node: Record<string, unknown> = { kind }
  for (const [name, read] of partsOf.get(kind)!) node[name] = readPart(read, given, name, check)
  if (kind === 'comparison' && node.operator !== 'eq' && (node.operand as Literal).type === 'boolean') {
    check.way.push('operator')
    refuse(check, 'must be eq: booleans have no order')
  }
  const span = readPart(readSpan, given, 'span', check)
  if (span !== undefined) node.span = span
  return constantOf(given, node) as unknown as Filter
}

/** How many nodes a filter has; `Infinity` when it nests too deep, or a path in it has too many names after those around it. */
function sizeOf(filter: Filter, level: number, names: number): number {
  if (level > maxFilterDepth || names > maxPathLength) return Infinity
  switch (filter.kind) {
    case 'and':
    case 'or': {
      const { filters } = filter
      let nodes = 1
      // By index: the engine does not inline the iterators of frozen arrays (docs/internals/performance.md).
      for (let at = 0; at < filters.length; at++) nodes += sizeOf(filters[at]!, level + 1, names)
      return nodes
    }
    case 'not':
      return 1 + sizeOf(filter.filter, level + 1, names)
    case 'some':
      return 1 + sizeOf(filter.filter, level + 1, names + filter.path.length)
    default:
      return names + filter.path.length > maxPathLength ? Infinity : 1
  }
}

/**
 * Filters known to be sound, constant and within the limits of nodes and levels: to read one again would find the same. Without
 * this cache, to compile a filter takes three times as long.
 */
const known = /* @__PURE__ */ weakCache<object, true>()

/**
 * The filters that were read from text last, with how often they were used. Most are compiled once or twice, at once. To enter
 * one into the weak cache takes a quarter of the time of parsing a condition: that is for those that are used more often.
 */
const parsed = /* @__PURE__ */ recentCache<object, { uses: number }>(256)

function isKnown(value: object): value is Filter {
  if (known.get(value) === true) return true
  const used = parsed.get(value)
  if (used === undefined) return false
  if (++used.uses > 2) known.set(value, true)
  return true
}

/**
 * Remembers a filter within the limits whose parts are sound and frozen: this library has checked them, or made them of what
 * it checked.
 */
export function markChecked<F extends Filter>(filter: F): F {
  known.set(filter, true)
  return filter
}

/**
 * As {@link markChecked}, for a filter that was read from text.
 *
 * @param isSmall whether it cannot be near the limits. Else its nodes are counted: what is not within them is checked in full,
 *   and refused, when it is compiled.
 */
export function markParsed(filter: Filter, isSmall: boolean): Filter {
  if (!isSmall && sizeOf(filter, 1, 0) > maxFilterNodes) return filter
  parsed.set(filter, { uses: 0 })
  return filter
}

/** Whether filters are known to be sound, and a group of them has neither too many nodes nor too many levels. */
export function areSound(filters: readonly unknown[]): filters is readonly Filter[] {
  let nodes = 1
  for (let at = 0; at < filters.length; at++) {
    const filter = filters[at]
    if (!isObject(filter) || !isKnown(filter)) return false
    nodes += sizeOf(filter, 2, 0)
  }
  return nodes <= maxFilterNodes
}

const newCheck = (argument: string): Check => ({ argument, way: [], levels: 0, nodes: 0, names: 0 })

/** The literal of a value; `undefined` for a value that its type does not have. */
export const literalOf = (type: LiteralType, value: unknown): Literal | undefined =>
  isValue[type](value) ? Object.freeze({ type, value } as Literal) : undefined

/** Reads what is no filter. @throws TypeError that names the wrong part. */
export const readAs = <T>(read: Read<T>, value: unknown, argument: string): T => read(value, newCheck(argument))

/**
 * Checks a filter in every part. A filter revived from JSON is input like any other, and one that is `undefined` must
 * never vanish: builders, {@link fold} and backends begin with this check, and go on with what it returns.
 *
 * @param argument what messages call the filter.
 * @returns the filter itself when it is frozen in every part and has nothing but what its kinds declare, as all filters
 *   of this library are; else such a copy of it, which does not change when `filter` does.
 * @throws TypeError that names the part which is wrong; or when the filter nests deeper than {@link maxFilterDepth}
 *   levels, has more than {@link maxFilterNodes} nodes, or a path of more than {@link maxPathLength} names.
 * @example
 * checkFilter(JSON.parse('{"kind":"and","filters":[{}]}')) // throws TypeError: filter.filters[0].kind must be the kind of a filter
 */
export function checkFilter(filter: unknown, argument = 'filter'): Filter {
  // A short way for known filters, which are within the limits: to count their nodes takes a quarter of the time of their SQL.
  if (isObject(filter) && isKnown(filter)) return filter
  const read = readFilter(filter, newCheck(argument))
  return isKnown(read) ? read : markChecked(read)
}
