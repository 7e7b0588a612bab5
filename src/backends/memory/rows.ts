/** Reads rows: the own properties that a path leads through. Names on a prototype are no data. */
import { isSamePath, type Filter, type Path } from '../../ast/index.ts'

/** Says whether a value is selected: a row, an entry of a list, or what a field of either holds. */
export type Predicate = (value: unknown) => boolean

/** The prototype of plain objects. */
export const plain = Object.prototype
/** The same for this module: the engine reads a variable that is exported anew for each row. */
const plainHere = plain
/** Has the properties that plain objects inherit. Reading them here takes two thirds of the time that `plain` takes. */
const inherited: Readonly<Record<string, unknown>> = /* @__PURE__ */ Object.freeze({})
const prototypeOf = (value: object): unknown => (value as { readonly __proto__: unknown }).__proto__

/** Whether `__proto__` can be read. Node may be started without it, or with one that throws. */
export const hasPrototypes = ((): boolean => {
  try {
    return prototypeOf({}) === plain
  } catch {
    return false
  }
})()

/** Whether the value is an object, not a list, with a property of its own of this name. */
export const isOwn = (value: object, name: string): boolean =>
  typeof value === 'object' && !Array.isArray(value) && Object.hasOwn(value, name)

type Reader = (name: string, predicate: Predicate) => Predicate

const readAnyObject: Reader = (name, predicate) => (value) =>
  value != null && isOwn(value, name) && predicate((value as Readonly<Record<string, unknown>>)[name])

/**
 * Reads plain objects without a call. A property of a plain object is its own unless `Object.prototype` has one of that
 * name, so `isOwn` is asked for the other objects, and for the few names that every object inherits. `__proto__` is a
 * property read, `Object.hasOwn` is a call: docs/internals/performance.md, "Rows in memory", has the figures. (Primitive values
 * have other prototypes, and so has an object with an own property called `__proto__`.)
 */
const readPlainObject: Reader = (name, predicate) => (value) =>
  value != null &&
  (prototypeOf(value) === plainHere || isOwn(value, name)) &&
  predicate((value as Readonly<Record<string, unknown>>)[name]) &&
  (inherited[name] === undefined || isOwn(value, name))

const readProperty = hasPrototypes ? readPlainObject : readAnyObject

/** Asks the value at the path, from the row or the entry on. */
export function at(path: Path, predicate: Predicate): Predicate {
  let inner = predicate
  for (let level = path.length - 1; level >= 0; level--) inner = readProperty(path[level]!, inner)
  return inner
}

/** Whether it is a plain object. Its properties are its own but for those that `isInherited` names. */
export const isPlain = (value: unknown): boolean => hasPrototypes && value != null && prototypeOf(value) === plain

/** Whether every object has a property of this name. */
export const isInherited = (name: string): boolean => inherited[name] !== undefined

type Read = (value: unknown) => unknown

const readOwn = (name: string): Read => {
  const canBePlain = !isInherited(name)
  return (value) =>
    value != null && ((canBePlain && isPlain(value)) || isOwn(value, name))
      ? (value as Readonly<Record<string, unknown>>)[name]
      : undefined
}

/** Reads the value at the path; `undefined` where there is none. Make it anew for each reading of rows. */
export const readerAt = (path: Path): Read => path.map(readOwn).reduce((outer, read) => (row) => read(outer(row)))

/** The row or the entry itself. */
const itself: Path = []

/** The path of the value that a filter is about. Groups are about the row or the entry itself. */
export function pathOf(filter: Filter): Path {
  switch (filter.kind) {
    case 'and':
    case 'or':
    case 'not':
      return itself
    default:
      return filter.path
  }
}

/** Filters about the value at one path. */
interface SamePath {
  readonly path: Path
  readonly filters: Filter[]
}

/** Longer groups are left as they are: to compare all paths with each other takes the square of their number. */
const mostCompared = 8

/** Brings the filters on one path together, so that the value is read once for all of them. */
export function byPath(filters: readonly Filter[]): readonly SamePath[] {
  if (filters.length > mostCompared) return filters.map((filter) => ({ path: pathOf(filter), filters: [filter] }))
  const groups: SamePath[] = []
  // By index: the engine does not inline the iterators of frozen arrays (docs/internals/performance.md).
  for (let at = 0; at < filters.length; at++) {
    const filter = filters[at]!
    const path = pathOf(filter)
    const group = groupAt(groups, path)
    if (group === undefined) groups.push({ path, filters: [filter] })
    else group.filters.push(filter)
  }
  return groups
}

function groupAt(groups: readonly SamePath[], path: Path): SamePath | undefined {
  for (const group of groups) if (isSamePath(group.path, path)) return group
  return undefined
}
