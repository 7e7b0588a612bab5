/** Leaps over texts that a prefix excludes, and matches that contradict each other. */
import type { Match } from '../ast/index.ts'
import type { Condition } from '../backends/issues.ts'
import { casesOf, simpleLowerCase } from '../text/case.ts'
import { afterPrefix, compareCodePoints } from '../text/order.ts'
import { isSpent, testsOfCases, testsOfLetter, testsOfPairOfLetters, type Budget, type Demand } from './demand.ts'

/** The cases of each letter of a prefix, in their order. */
type Forms = readonly (readonly string[])[]

const formsOf = (prefix: string): Forms =>
  Array.from(simpleLowerCase(prefix), (letter) => casesOf(letter).toSorted(compareCodePoints))

/** The smallest text with a prefix that is not before another text; `undefined` where none exists. */
function firstWithPrefix(forms: Forms, from: string): string | undefined {
  const given = Array.from(from)
  const formAfter = (at: number) => forms[at]!.find((form) => compareCodePoints(form, given[at]!) > 0)
  const smallest = (start: number) => forms.slice(start).map(([form]) => form!)
  /** The last position so far where a larger letter can follow the common beginning. */
  let larger: number | undefined
  for (let at = 0; at < forms.length; at++) {
    if (at === given.length) return [...given, ...smallest(at)].join('')
    if (formAfter(at) !== undefined) larger = at
    if (forms[at]!.includes(given[at]!)) continue
    return larger === undefined
      ? undefined
      : [...given.slice(0, larger), formAfter(larger)!, ...smallest(larger + 1)].join('')
  }
  return from
}

const lettersOf = (texts: readonly { readonly length: number }[]): number =>
  texts.reduce((sum, { length }) => sum + length, 0)

/** Finds the next candidate that is not before a text, by the first prefix that excludes the text. */
export type Leap = (text: string) => string | undefined

export function leapOf({ wanted, unwanted }: Demand, budget: Budget): Leap {
  const all = textsOf(wanted, 'prefix').map(formsOf)
  const none = textsOf(unwanted, 'prefix').map((prefix) => simpleLowerCase(prefix))
  const letters = lettersOf(all)
  budget.tests -= testsOfCases * letters + testsOfLetter * lettersOf(none)
  return (text) => {
    budget.tests -= text.length + letters + none.length
    for (const forms of all) {
      const next = firstWithPrefix(forms, text)
      if (next !== text) return next
    }
    const small = simpleLowerCase(text)
    for (const prefix of none) if (small.startsWith(prefix)) return afterPrefix(text.slice(0, prefix.length))
    return text
  }
}

/** The texts of the matches in a mode. */
export const textsOf = (conditions: readonly Condition[], mode: Match['mode']): readonly string[] =>
  conditions.flatMap((one) => (one.kind === 'match' && one.mode === mode ? [one.text] : []))

/** A match in small letters, as matches compare texts. */
type SmallMatch = Pick<Match, 'mode' | 'text'>

const smallMatches = (conditions: readonly Condition[]): readonly SmallMatch[] =>
  conditions.flatMap((one) => (one.kind === 'match' ? [{ mode: one.mode, text: simpleLowerCase(one.text) }] : []))

/** Whether every text that meets a match meets another match. */
function implies(one: SmallMatch, other: SmallMatch): boolean {
  if (other.mode === 'substring') return one.text.includes(other.text)
  if (one.mode !== other.mode) return other.text === ''
  return other.mode === 'prefix' ? one.text.startsWith(other.text) : one.text.endsWith(other.text)
}

/** Whether a wanted match implies an unwanted one. */
export function isContradiction({ wanted, unwanted }: Demand, budget: Budget): boolean {
  const [all, none] = [smallMatches(wanted), smallMatches(unwanted)]
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
