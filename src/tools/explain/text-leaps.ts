/** Leaps over texts that a prefix excludes, and matches that contradict each other. */
import { isExact, matchModes, type Match, type MatchMode } from '../../tree/index.ts'
import type { Condition } from '../../backends/issues.ts'
import { casesOf, simpleLowerCase } from '../../values/case.ts'
import { afterPrefix, compareCodePoints } from '../../values/order.ts'
import { isSpent, testsOfCases, testsOfLetter, testsOfPairOfLetters, type Budget, type Demand } from './demand.ts'

/** The cases of each letter of a prefix, in their order. */
type Forms = readonly (readonly string[])[]

/** A match of the start of a text, or of the whole. */
interface Start {
  readonly forms: Forms
  readonly isWhole: boolean
}

const startModes: readonly MatchMode[] = ['prefix', 'prefixExact', 'whole']
function startOf({ mode, text }: Match): Start {
  const forms =
    mode === 'prefixExact'
      ? Array.from(text, (letter) => [letter])
      : Array.from(simpleLowerCase(text), (letter) => casesOf(letter).toSorted(compareCodePoints))
  return { forms, isWhole: mode === 'whole' }
}

/** Finds the smallest text that meets the match and is not before another text; `undefined` where none exists. */
function firstOf({ forms, isWhole }: Start, from: string): string | undefined {
  const characters = Array.from(from)
  const formAfter = (at: number) => forms[at]!.find((form) => compareCodePoints(form, characters[at]!) > 0)
  const smallest = (start: number) => forms.slice(start).map(([form]) => form!)
  /** The last position so far where a larger letter can follow the common beginning. */
  let larger: number | undefined
  const next = () =>
    larger === undefined
      ? undefined
      : [...characters.slice(0, larger), formAfter(larger)!, ...smallest(larger + 1)].join('')
  for (let at = 0; at < forms.length; at++) {
    if (at === characters.length) return [...characters, ...smallest(at)].join('')
    if (formAfter(at) !== undefined) larger = at
    if (!forms[at]!.includes(characters[at]!)) return next()
  }
  return isWhole && characters.length > forms.length ? next() : from
}

const lettersOf = (texts: readonly { readonly length: number }[]): number =>
  texts.reduce((sum, { length }) => sum + length, 0)

/** Finds the next candidate that is not before a text, by the first prefix that excludes the text. */
export type Leap = (text: string) => string | undefined

export function leapOf({ wanted, unwanted }: Demand, budget: Budget): Leap {
  const all = matchesOf(wanted, startModes).map(startOf)
  const none = matchesOf(unwanted, ['prefix', 'prefixExact']).map(compared)
  const letters = lettersOf(all.map(({ forms }) => forms))
  budget.tests -= testsOfCases * letters + testsOfLetter * lettersOf(none.map(({ text }) => text))
  return (text) => {
    budget.tests -= text.length + letters + none.length
    for (const start of all) {
      const next = firstOf(start, text)
      if (next !== text) return next
    }
    const small = simpleLowerCase(text)
    for (const { mode, text: prefix } of none)
      if ((isExact(mode) ? text : small).startsWith(prefix)) return afterPrefix(text.slice(0, prefix.length))
    return text
  }
}

/** The matches in some modes. */
export const matchesOf = (conditions: readonly Condition[], modes: readonly MatchMode[]): readonly Match[] =>
  conditions.filter((one): one is Match => one.kind === 'match' && modes.includes(one.mode))

/** A match with the text that it compares: in small letters where it ignores case. */
type Compared = Pick<Match, 'mode' | 'text'>

const compared = ({ mode, text }: Match): Compared => ({ mode, text: isExact(mode) ? text : simpleLowerCase(text) })

/** Where a match looks, without regard to case. */
const placeOf = (mode: MatchMode): string => mode.replace('Exact', '')

/** Whether a match implies another one. `false` can also mean that this function does not find out. */
function implies(one: Compared, other: Compared): boolean {
  if (other.text === '' && other.mode !== 'whole') return true
  if (isExact(other.mode) && !isExact(one.mode)) return false
  const text = isExact(other.mode) ? one.text : simpleLowerCase(one.text)
  const [from, place] = [placeOf(one.mode), placeOf(other.mode)]
  if (place === 'substring') return text.includes(other.text)
  if (from !== place && from !== 'whole') return false
  if (place === 'whole') return text === other.text
  return place === 'prefix' ? text.startsWith(other.text) : text.endsWith(other.text)
}

/** Whether a wanted match implies an unwanted one. */
export function isContradiction({ wanted, unwanted }: Demand, budget: Budget): boolean {
  const [all, none] = [wanted, unwanted].map((some) => matchesOf(some, matchModes).map(compared)) as [
    Compared[],
    Compared[],
  ]
  budget.tests -= testsOfLetter * lettersOf([...all, ...none].map(({ text }) => text))
  for (const one of all) {
    for (const other of none) {
      if (isSpent(budget)) return false
      // The engine may compare each letter of one text with each letter of the other.
      budget.tests -= 1 + one.text.length * other.text.length * testsOfPairOfLetters
      if (implies(one, other)) return true
    }
  }
  return false
}
