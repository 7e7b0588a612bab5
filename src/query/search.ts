/** Searches: the words of a query, and the conditions that they mean. */
import type { Literal } from '../tree/index.ts'
import type { Span } from '../issue/index.ts'
import { operatorNamed, type Collection } from '../language/index.ts'
import { newCondition, newGroup, type AskedPart, type BoundGroup } from './conditions.ts'
import { own } from '../own.ts'
import { unicodePattern } from '../values/characters.ts'
import { encode, quoted } from '../values/encode.ts'

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
    const operands = [Object.freeze({ type: 'string', value: text } as const)]
    const members = search.map((field) => newCondition(field, contains, operands, span))
    return newGroup('or', members, undefined, span)
  })

/** Whether the last members are the groups of a search for these words, in the fields of any collection. */
export const isSearch = (members: readonly AskedPart[], words: readonly string[]): boolean =>
  words.length <= members.length &&
  words.every((word, at) => {
    const group = members[members.length - words.length + at]!
    const isOfWord = (one: AskedPart) =>
      one.kind === 'condition' && one.operator === contains.name && own(one.operands[0] as Literal, 'value') === word
    return group.kind === 'or' && group.members.every(isOfWord)
  })

/** Words without a place in a text. */
export const plainWords = (texts: readonly string[]): readonly Word[] =>
  texts.map((text) => ({ text, span: undefined }))

/** The words of a search, as a URL has them. */
export const encodeWords = (words: readonly string[]): string => words.map((word) => encode(wordText(word))).join('+')

/** A word of a search: quoted where a bare one would be cut, or be read as a quoted one. */
export const wordText = (word: string): string => (needsQuotes().test(word) ? quoted(word) : word)
const needsQuotes = /* @__PURE__ */ unicodePattern('^"|\\p{White_Space}')
