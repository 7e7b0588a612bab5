/**
 * Reads data of unknown form. A reader makes a frozen copy of the declared parts, and reads each property once: a getter cannot
 * change what was checked, and undeclared parts do not pass.
 */
import { own } from '../own.ts'

/** The place of a reader in the data, and its counts. */
export interface ReadProgress {
  /** The name of the data in messages. */
  readonly argument: string
  /** The names and positions from the argument to the part. */
  readonly route: (string | number)[]
  levels: number
  nodes: number
  /** How many names lead from the row to the list whose entry is read. */
  names: number
}

/** Copies a valid value. @throws TypeError for any other. */
export type Read<T> = (value: unknown, reading: ReadProgress) => T

/** @throws TypeError, for example `filter.filters[2].operand.value must be a finite number`. */
export function refuse({ argument, route }: ReadProgress, problem: string): never {
  const place = route.map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`)).join('')
  const text = `${place} ${problem}`
  // The route is as long as the filter is deep.
  throw new TypeError(argument + (text.length > 240 ? `${text.slice(0, 80)}…${text.slice(-120)}` : text))
}

/** @throws TypeError that names the wrong part. */
export const readAs = <T>(read: Read<T>, value: unknown, argument: string): T =>
  read(value, { argument, route: [], levels: 0, nodes: 0, names: 0 })

export function readPart<T>(read: Read<T>, owner: object, name: string | number, reading: ReadProgress): T {
  reading.route.push(name)
  const part = read(own(owner as Readonly<Record<string | number, unknown>>, name), reading)
  reading.route.pop()
  return part
}

/** The given object where it can never differ from its copy; else the copy, frozen. */
export const constantOf = <T extends object>(value: object, copy: T): T =>
  isConstant(value, copy) ? (value as T) : Object.freeze(copy)

/** Whether an object is frozen, and has the prototype and the parts of its copy, and nothing else. */
function isConstant(value: object, copy: object): boolean {
  if (!Object.isFrozen(value) || Object.getPrototypeOf(value) !== Object.getPrototypeOf(copy)) return false
  const names = Object.getOwnPropertyNames(value)
  return (
    names.length === Object.getOwnPropertyNames(copy).length &&
    Object.getOwnPropertySymbols(value).length === 0 &&
    // The descriptor of a getter has no value.
    names.every((name) => Object.getOwnPropertyDescriptor(value, name)!.value === Reflect.get(copy, name))
  )
}

export const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/* @__NO_SIDE_EFFECTS__ */ export const passing =
  <T>(test: (value: unknown) => boolean, expected: string): Read<T> =>
  (value, reading) =>
    test(value) ? (value as T) : refuse(reading, `must be ${expected}`)

/* @__NO_SIDE_EFFECTS__ */ export const oneOf = <T>(values: readonly T[]): Read<T> =>
  passing((value) => values.includes(value as T), choices(values.map(String)))

const choices = (words: readonly string[]): string =>
  words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} or ${words.at(-1)!}`

/* @__NO_SIDE_EFFECTS__ */ export const listOf =
  <T>(readEntry: Read<T>): Read<readonly T[]> =>
  (value, reading) => {
    if (!Array.isArray(value)) refuse(reading, 'must be a list')
    const copy: T[] = []
    for (let at = 0, { length } = value; at < length; at++) copy.push(readPart(readEntry, value, at, reading))
    return constantOf(value, copy)
  }

/** Reads the parts of an object in their order. The copy has no part for `undefined`. */
/* @__NO_SIDE_EFFECTS__ */ export const objectOf =
  <T extends object>(readers: { readonly [K in keyof T]-?: Read<T[K]> }): Read<T> =>
  (value, reading) => {
    if (!isObject(value)) refuse(reading, 'must be an object')
    const copy: Partial<T> = {}
    for (const name of Object.keys(readers) as (keyof T & string)[]) {
      const part = readPart(readers[name], value, name, reading)
      if (part !== undefined) copy[name] = part
    }
    return Object.freeze(copy) as T
  }

/* @__NO_SIDE_EFFECTS__ */ export const optional =
  <T>(read: Read<T>): Read<T | undefined> =>
  (value, reading) =>
    value === undefined ? undefined : read(value, reading)

/* @__NO_SIDE_EFFECTS__ */ export const wholeNumber = (least: number): Read<number> =>
  passing((value) => Number.isSafeInteger(value) && (value as number) >= least, `a whole number of at least ${least}`)
