/** The words of groups: the names that a query has for `and`, `or` and `not`. */
import { weakCache } from '../cache.ts'
import { checkQuantifiers, type Collection } from './collection.ts'
import { parametersOf, type GroupWord, type ValueName } from './parameters.ts'
import type { Schema } from './schema.ts'

/** The words of groups by their names. */
export type GroupWords = ReadonlyMap<string, GroupWord>

const all = /* @__PURE__ */ parametersOf('group')

/** Without a collection that renames them. */
export const usualWords: GroupWords = /* @__PURE__ */ new Map(/* @__PURE__ */ all.map((word) => [word, word]))
/** Without groups. */
export const noWords: GroupWords = new Map()

/** The names of pairs that are not conditions. */
export interface ParameterNames {
  readonly words: GroupWords
  /** The other parameters, by their names. */
  readonly parameters: ReadonlyMap<string, ValueName>
}

const namesOfCollections = /* @__PURE__ */ weakCache<Collection, ParameterNames>()

/** The names of a collection's parameters: words, if it has groups, and the others. */
export function parameterNamesOf(collection: Collection): ParameterNames {
  const before = namesOfCollections.get(collection)
  if (before !== undefined) return before
  const names = { parameters: new Map<string, ValueName>(), words: new Map<string, GroupWord>() }
  for (const [parameter, name] of collection.parameters) {
    const word = all.find((one) => one === parameter)
    if (word === undefined) names.parameters.set(name, parameter as ValueName)
    else names.words.set(name, word)
  }
  namesOfCollections.set(collection, names)
  return names
}

/** Schemas that passed the check of quantifiers. The check reads every path, so it runs once for a schema. */
const checked = /* @__PURE__ */ weakCache<Schema, true>()

/** Refuses a word that is a field or a reserved name, and a quantifier that is a field: the reader would ignore one of the two. */
export function checkWords(schema: Schema, words: GroupWords, reserved: readonly string[] = []): void {
  if (words.size === 0) return
  const { paths } = schema
  if (checked.get(schema) === undefined) {
    checkQuantifiers(paths)
    checked.set(schema, true)
  }
  for (const word of words.keys()) {
    if (paths.has(word))
      throw new TypeError(`the word ${word} of groups is a field of the schema: a collection can rename it`)
    if (reserved.includes(word)) throw new TypeError(`reserved name ${word} is a word of groups`)
  }
}
