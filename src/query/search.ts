/** Searches: the words of a query, and the conditions that they mean. */
import { sameTree, type Filter } from '../tree/index.ts'
import type { Span } from '../issue/index.ts'
import { operatorNamed, type Collection } from '../language/index.ts'
import { combine, newPair, type BoundGroup } from './combine.ts'
import { unicodePattern } from '../values/characters.ts'
import { encode, quoted } from '../values/encode.ts'

/** A word of a search. */
export interface Word {
  readonly text: string
  readonly span: Span | undefined
}

const contains = /* @__PURE__ */ operatorNamed.get('contains')!

/**
 * A member of a query for each word: one of the fields has it. In a list, one entry has it, and another entry may have another word.
 * They come after all other members.
 */
export const searchMembers = ({ search }: Collection, words: readonly Word[]): readonly BoundGroup[] =>
  words.map(({ text, span }) => {
    const operands = [{ type: 'string', value: text }] as const
    return { word: 'or', lists: [], members: search.map((field) => newPair(field, contains, operands, span)), span }
  })

/** The filters of the `and` that a filter is. */
export const membersOf = (filter: Filter): readonly Filter[] => (filter.kind === 'and' ? filter.filters : [filter])

/** Finds the members of a search. Returns `undefined` if the filter does not end with their conditions. */
export function searchIn(
  collection: Collection,
  filter: Filter,
  words: readonly string[] = [],
): readonly BoundGroup[] | undefined {
  const members = searchMembers(collection, plainWords(words))
  const last = membersOf(filter).slice(-members.length)
  const isSame = last.length === members.length && members.every((one, at) => sameTree(combine([one]), last[at]!))
  return members.length === 0 || isSame ? members : undefined
}

/** Words without a place in a text. */
export const plainWords = (texts: readonly string[]): readonly Word[] =>
  texts.map((text) => ({ text, span: undefined }))

/** The words of a search, as a URL has them. */
export const encodeWords = (words: readonly string[]): string => words.map((word) => encode(wordText(word))).join('+')

/** A word of a search: quoted where a bare one would be cut, or be read as a quoted one. */
export const wordText = (word: string): string => (needsQuotes().test(word) ? quoted(word) : word)
const needsQuotes = /* @__PURE__ */ unicodePattern('^"|\\p{White_Space}')
