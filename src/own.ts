/** Reads properties without those of `Object.prototype`, where a polluted program has more. Imports nothing. */

/** A property of the object itself; `undefined` where the object lacks it or inherits it. */
export const own = <T extends object, K extends keyof T>(object: T, name: K): T[K] | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined

/** A prototype without properties. V8 reads an object whose prototype is `null` from a dictionary, which is six times slower. */
const noProperties: object = /* @__PURE__ */ Object.freeze(/* @__PURE__ */ Object.create(null) as object)

/** A copy that inherits no property: an option object, or an answer, whose optional properties are read. */
export const ownOf = <T extends object>(object: T): T => Object.assign(Object.create(noProperties) as T, object)

/**
 * Whether an object keeps its contents in own members: it is a plain object, or it has own members. A `Promise`, a `Map` and a
 * `URLSearchParams` keep their contents elsewhere, and look like an empty object.
 */
export function holdsMembers(object: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(object)
  // `Object.prototype` of every realm has the prototype `null`.
  return prototype === null || Object.getPrototypeOf(prototype) === null || Object.keys(object).length > 0
}

/** A property of the object or of its class: callers implement interfaces by classes, and entities have getters. */
export function member<T extends object, K extends keyof T>(object: T, name: K): T[K] | undefined {
  let owner: unknown = object
  while (owner !== null && owner !== Object.prototype && !Object.hasOwn(owner as object, name)) {
    owner = Object.getPrototypeOf(owner)
  }
  return owner === null || owner === Object.prototype ? undefined : object[name]
}

/** Refuses an argument of a program. One function throws for the files that a front-end loads: its call is shorter than a `throw`. */
export function refuseArgument(problem: string): never {
  throw new TypeError(problem)
}
