/** The words of groups: what a query calls `and`, `or` and `not`. */
import { weakCache } from '../cache.ts'
import type { Collection, ParameterName, Schema } from '../language/index.ts'
import type { GroupWord, GroupWords } from '../syntax/index.ts'

export type { GroupWord, GroupWords }

const all: readonly GroupWord[] = ['and', 'or', 'not']

/** Without a collection that renames them. */
export const usualWords: GroupWords = /* @__PURE__ */ new Map(/* @__PURE__ */ all.map((word) => [word, word]))
/** Where groups are not turned on. */
export const noWords: GroupWords = new Map()

/** The words that a collection has: none unless it has groups. */
function wordsOfCollection({ parameters }: Collection): GroupWords {
  return new Map(all.flatMap((word) => (parameters.has(word) ? [[parameters.get(word)!, word]] : [])))
}

/** The names that are no field's. */
export interface Names {
  readonly words: GroupWords
  /** The other parameters, by their names. */
  readonly parameters: ReadonlyMap<string, ParameterName>
}

const namesOfCollections = /* @__PURE__ */ weakCache<Collection, Names>()

/** The words that a collection has, and its other parameters. */
export function namesOf(collection: Collection): Names {
  const before = namesOfCollections.get(collection)
  if (before !== undefined) return before
  const words = wordsOfCollection(collection)
  const parameters = new Map(
    Array.from(collection.parameters, ([parameter, name]) => [name, parameter] as const).filter(
      ([name]) => !words.has(name),
    ),
  )
  const names = { parameters, words }
  namesOfCollections.set(collection, names)
  return names
}

/**
 * Refuses a word that is a field or a reserved name: one of them would never be read.
 *
 * @throws TypeError that names it.
 */
export function checkWords({ paths }: Schema, words: GroupWords, reserved: readonly string[] = []): void {
  if (words.size === 0) return
  for (const word of words.keys()) {
    if (paths.has(word))
      throw new TypeError(`the word ${word} of groups is a field of the schema: a collection can rename it`)
    if (reserved.includes(word)) throw new TypeError(`reserved name ${word} is a word of groups`)
  }
}
