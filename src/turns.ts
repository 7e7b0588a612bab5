/** Words that turn a name round: negations, bounds and directions. Two names that differ by one of them mean different rows. */
import { unicodePattern } from './values/characters.ts'

/** The meaning of a word in a name. A bound is the sign of its comparison. */
type Turn = 'not' | '>' | '>=' | '<' | '<=' | 'range' | 'asc' | 'desc'

const turns: ReadonlyMap<string, Turn> = /* @__PURE__ */ (() => {
  const words = [
    [
      'not',
      'not no non none nor never neither without except isnt doesnt ne neq nin exclude excludes excluded excluding',
    ],
    ['>', 'gt after over above greater more'],
    ['>=', 'gte ge min minimum from since'],
    ['<', 'lt before under below less fewer'],
    ['<=', 'lte le max maximum to until till upto'],
    ['range', 'range between btw'],
    ['asc', 'asc ascending'],
    ['desc', 'desc descending reverse'],
  ] as const
  return new Map(words.flatMap(([turn, all]) => all.split(' ').map((word) => [word, turn] as const)))
})()

/** The parts of words that turn a word, too: `unpaid`, `inactive`, `ngt`. */
const prefixes: readonly string[] = ['n', 'un', 'in', 'im', 'dis', 'anti']
/** A shorter word is often a part of another one: `photo` does not end in `to`. */
const longTurns = /* @__PURE__ */ Array.from(/* @__PURE__ */ turns.keys()).filter((word) => word.length >= 5)

/** The words of a name, in lower case: `createdAt_gte` has three. */
export const wordsIn = (name: string): readonly string[] =>
  // Most names are one word, which this test finds faster than categories do.
  /^[a-z]+$/.test(name) ? [name] : (name.match(wordOfName()) ?? []).map((word) => word.toLowerCase())
const wordOfName = /* @__PURE__ */ unicodePattern('\\p{Lu}?[\\p{Ll}\\p{M}]+|\\p{Lu}+|\\p{N}+', 'g')

const isLetters = (word: string): boolean => firstLetter().test(word)
const firstLetter = /* @__PURE__ */ unicodePattern('^\\p{L}')

const turnsOf = (words: readonly string[]): readonly Turn[] => words.flatMap((word) => turns.get(word) ?? []).sort()

/** Whether a name has a negation, a bound or a direction. */
export const hasTurn = (name: string): boolean => signsOf(name) !== '' || turnsOf(wordsIn(name)).length > 0

/** Whether two names have other bounds, negations or directions: `gt` and `lt`. */
export const areOpposed = (one: string, other: string): boolean =>
  turnsOf(wordsIn(one)).join() !== turnsOf(wordsIn(other)).join()

/** Whether one name is the other one with a word that turns it, where nothing parts the two: `maxtotal` and `total`. */
function addsTurn(longer: string, shorter: string): boolean {
  if (shorter === '' || longer.length <= shorter.length) return false
  const before = longer.endsWith(shorter) ? longer.slice(0, -shorter.length) : undefined
  if (before !== undefined && (turns.has(before) || prefixes.includes(before))) return true
  return longer.startsWith(shorter) && turns.has(longer.slice(shorter.length))
}

/** The signs around a name: `!status`, `total>`. */
const signsOf = (name: string): string => (/[!<>^~*=+-]/.test(name) ? name.replaceAll(notSigns(), '') : '')
const notSigns = /* @__PURE__ */ unicodePattern('[\\p{L}\\p{M}\\p{N}].*[\\p{L}\\p{M}\\p{N}]|[^!<>^~*=+-]', 'gs')

/** Whether two words begin or end alike, but for a slip: the last word of `itemsprice:nto` is no `price`. */
const areAlike = (word: string, other: string): boolean =>
  word.slice(0, 2).includes(other[0]!) || word.slice(-2).includes(other.at(-1)!)

/** Whether a name has a negation, a bound or a direction that a candidate lacks: then it is no misspelling of the candidate. */
export function isTurned(name: string, candidate: string): boolean {
  if (signsOf(name) !== signsOf(candidate)) return true
  const [words, others] = [wordsIn(name), wordsIn(candidate)]
  const [plain, plainOther] = [words.join(''), others.join('')]
  if (plain === plainOther) return false
  // A word too many is none that is misspelt.
  const [first, ...more] = words.filter(isLetters)
  const [firstOther, ...moreOthers] = others.filter(isLetters)
  if (more.length > moreOthers.length) return true
  const isCut = more.length > 0 && more.length === moreOthers.length && first !== firstOther
  if (isCut && !areAlike(more.at(-1)!, moreOthers.at(-1)!)) return true
  const kept = [...turnsOf(others)]
  for (const turn of turnsOf(words)) {
    const at = kept.indexOf(turn)
    if (at < 0) return true
    kept.splice(at, 1)
  }
  const pairs: (readonly [string, string])[] = [[plain, plainOther]]
  if (words.length === others.length) for (const [at, word] of words.entries()) pairs.push([word, others[at]!])
  if (pairs.some(([one, other]) => addsTurn(one, other) || addsTurn(other, one))) return true
  // A first `n` may be one, whatever comes after it: `nange`.
  if (plain.startsWith('n') && !plainOther.startsWith('n')) return true
  // `nstartsith`: the text after the first letters is the candidate, misspelt.
  for (let at = 1; at <= plain.length; at++) {
    if (plain[at] !== plainOther[0]) continue
    const word = plain.slice(0, at)
    if ((prefixes.includes(word) || turns.has(word)) && !plainOther.startsWith(word)) return true
  }
  const hasInside = (text: string, word: string) => text.startsWith(word) || text.endsWith(word)
  return longTurns.some((word) => hasInside(plain, word) && !hasInside(plainOther, word))
}
