/** The conditions that a value must meet, and the budget of a search for it. */
import type { Condition } from '../../backends/issues.ts'

/** The conditions that must be true of one value, and those that must be false. Their paths do not count. */
export interface Demand {
  readonly wanted: readonly Condition[]
  readonly unwanted: readonly Condition[]
}

/** The rest of a search's budget. */
export interface Budget {
  /** Rows, and entries of lists. */
  searches: number
  /** Tests of a value by a condition, and work of the same cost. */
  tests: number
}

/** Whether a search must give up. */
export const isSpent = ({ searches, tests }: Budget): boolean => searches <= 0 || tests <= 0

/** The cost of texts, in tests of a short value, rounded up: of a comparison of two letters, … */
export const testsOfLetter = 1 / 32
/** … of a search for a letter of one text at a letter of another one, … */
export const testsOfPairOfLetters = 1 / 256
/** … and of the cases of a letter. */
export const testsOfCases = 8
