/** The words of groups: what a query calls `and`, `or` and `not`. */
import { weakCache } from '../cache.ts'
import type { Collection, Schema } from '../language/index.ts'

/** A word of groups, unless it is renamed. */
export type GroupWord = 'and' | 'or' | 'not'
/** What the names in a query mean. */
export type GroupWords = ReadonlyMap<string, GroupWord>

const all: readonly GroupWord[] = ['and', 'or', 'not']

/** Without a collection that renames them. */
export const usualWords: GroupWords = /* @__PURE__ */ new Map(/* @__PURE__ */ all.map((word) => [word, word]))
/** Where groups are not turned on. */
export const noWords: GroupWords = new Map()

/** The words that a collection has: none unless it has groups. */
function wordsOfCollection({ parameters }: Collection): GroupWords {
  return new Map(all.flatMap((word) => (parameters.has(word) ? [[parameters.get(word)!, word]] : [])))
}

const namesOfCollections = /* @__PURE__ */ weakCache<Collection, { parameters: readonly string[]; words: GroupWords }>()

/** The words that a collection has, and the names of its other parameters. */
export function namesOf(collection: Collection): {
  readonly parameters: readonly string[]
  readonly words: GroupWords
} {
  const before = namesOfCollections.get(collection)
  if (before !== undefined) return before
  const words = wordsOfCollection(collection)
  const parameters = [...collection.parameters.values()].filter((name) => !words.has(name))
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
  for (const word of words.keys()) {
    if (paths.has(word))
      throw new TypeError(`the word ${word} of groups is a field of the schema: a collection can rename it`)
    if (reserved.includes(word)) throw new TypeError(`reserved name ${word} is a word of groups`)
  }
}
