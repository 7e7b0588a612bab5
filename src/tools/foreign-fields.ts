/** Collects fields from a schema of another library: the paths of it, and why some of them cannot be fields. */
import { nameDefect } from '../tree/index.ts'
import type { EntryField, Field, Fields, JsonField, ListField, RequiredField } from '../language/index.ts'

/** The reason why something cannot be a field. */
export class Unsupported extends Error {}

/** @throws Unsupported with the reason. */
export const unsupported = (reason: string): never => {
  throw new Unsupported(reason)
}

export interface Collector {
  /** Every path of the schema, to find the options that name another. */
  readonly paths: Set<string>
  /** The reasons by path. */
  readonly reasons: Map<string, string>
}

export const newCollector = (): Collector => ({ paths: new Set(), reasons: new Map() })

/** Makes the field at a path. Where it cannot be a field, the collector gets the reason. */
export function collectField({ reasons }: Collector, name: string, path: string, make: () => void): void {
  try {
    const defect = nameDefect(name)
    if (defect !== undefined) unsupported(`the name ${defect}`)
    make()
  } catch (error) {
    if (!(error instanceof Unsupported)) throw error
    reasons.set(path, error.message)
  }
}

/** The definition with the promise that every row has a value. A list promises nothing, and JSON may be `null`. */
export const promised = (definition: Field): Field =>
  definition.type === 'list' || definition.type === 'json'
    ? definition
    : Object.freeze({ ...definition, required: true })

// --- The same for the compiler

export type Fit<F> = F extends Fields ? F : Fields
export type ListOf<F> = [F] extends [never]
  ? never
  : F extends EntryField
    ? ListField<F>
    : F extends JsonField
      ? F
      : never
/** Adds `required` to a definition if every row has a value: see {@link promised}. */
export type Promised<F extends Field, IsPromised> = F extends { readonly type: 'list' | 'json' }
  ? F
  : IsPromised extends true
    ? F & RequiredField
    : F

// --- Errors

/** @throws TypeError that lists the paths that the schema lacks. */
export function checkPaths({ paths }: Collector, names: readonly string[], problem: string): void {
  const unknown = names.filter((path) => !paths.has(path))
  if (unknown.length > 0) throw new TypeError(`${problem}: ${unknown.join(', ')}`)
}

/** @throws TypeError that lists each path that cannot be a field, with its reason. */
export function checkReasons({ reasons }: Collector, subject: string, advice: string): void {
  if (reasons.size === 0) return
  const list = Array.from(reasons, ([path, reason]) => `\n  ${path}: ${reason}`).join('')
  throw new TypeError(`these ${subject} cannot be fields:${list}\n${advice}`)
}
