/** The components of a document: it contains each once, and references name it. */
import type { Components, Parts, Reference, SchemaObject } from './objects.ts'

/** Puts a part of a description in its place, or among the components with a reference in its place. */
export type AddPart = <K extends keyof Parts>(kind: K, name: string, part: Parts[K]) => Parts[K] | Reference

/** Leaves each part in its place: a description without a document has no components. */
export const keepInPlace: AddPart = (_, __, part) => part

/** The name of a schema, its number included, and a reference by it. */
export interface Claim {
  readonly name: string
  readonly reference: Reference
  readonly fill: (schema: SchemaObject) => void
}

/** The components of one document, while it is made. */
export interface Collector {
  readonly place: AddPart
  /** Takes a name for a schema that comes later: it may refer to itself. */
  readonly claim: (name: string) => Claim
  readonly components: () => Components
}

export function newCollector(): Collector {
  const kinds: { readonly [K in keyof Parts]: ComponentNames<Parts[K]> } = {
    schemas: newNames(),
    parameters: newNames(),
    responses: newNames(),
  }
  const referenceTo = (kind: keyof Parts, name: string): Reference => ({ $ref: `#/components/${kind}/${name}` })
  return {
    place: (kind, name, part) => referenceTo(kind, kinds[kind].add(name, part)),
    claim(name) {
      const claimed = kinds.schemas.claim(name)
      return { ...claimed, reference: referenceTo('schemas', claimed.name) }
    },
    components: () => ({
      schemas: kinds.schemas.all(),
      parameters: kinds.parameters.all(),
      responses: kinds.responses.all(),
    }),
  }
}

interface Part<T> {
  readonly text: string | undefined
  part: T | undefined
}
interface ComponentNames<T> {
  readonly add: (name: string, part: T) => string
  readonly claim: (name: string) => { readonly name: string; readonly fill: (part: T) => void }
  readonly all: () => Readonly<Record<string, T>>
}

/** Names of parts. Equal parts share a name. Another part of the same name has a number after it. */
function newNames<T>(): ComponentNames<T> {
  const parts = new Map<string, Part<T>>()
  const nameOf = (name: string, isIts: (text: string | undefined) => boolean): string => {
    for (let number = 1; ; number++) {
      const numbered = number === 1 ? name : `${name}${number}`
      const other = parts.get(numbered)
      if (other === undefined || isIts(other.text)) return numbered
    }
  }
  return {
    add(name, part) {
      const text = JSON.stringify(part)
      const own = nameOf(name, (other) => other === text)
      parts.set(own, { text, part })
      return own
    },
    claim(name) {
      const own = nameOf(name, () => false)
      const claimed: Part<T> = { text: undefined, part: undefined }
      parts.set(own, claimed)
      return { name: own, fill: (part) => void (claimed.part = part) }
    },
    // `fromEntries` makes own properties, of `__proto__` too.
    all: () =>
      Object.fromEntries(Array.from(parts).flatMap(([name, { part }]) => (part === undefined ? [] : [[name, part]]))),
  }
}

/** A text as part of a component's name, which has letters, digits, `.`, `-` and `_` alone: `items.arrival` is `ItemsArrival`. */
export const pascal = (text: string): string =>
  text
    .split(/[^a-zA-Z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')

/** The name of the component with the keywords of one field of a row. */
export const nameOfField = (row: string, path: string): string => row + pascal(path)
