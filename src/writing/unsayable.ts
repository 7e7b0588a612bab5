/** The issues of queries that a query string cannot express. */
import type { Filter } from '../tree/index.ts'
import type { Issue } from '../issue/index.ts'
import { deepestGroup, type GroupWords } from '../language/index.ts'
import { own } from '../own.ts'

/** @param problem the name of the problem, for programs. */
export const unsayable = (problem: string, message: string, parameters: object = {}): Issue => ({
  code: 'print_unsayable',
  fault: 'server',
  message,
  parameters: { problem, ...parameters },
})

export function inexpressible(filter: Filter, words: GroupWords): Issue {
  const { kind } = filter
  const span = own(filter, 'span')
  const hasGroups = words.size > 0
  return {
    ...unsayable('filter', `a query string cannot express this filter of kind ${kind} here`, { kind, hasGroups }),
    hint: hasGroups
      ? `a query string has no empty groups and no empty lists, only operators that its fields take, and groups at most ${deepestGroup} deep`
      : 'without groups, a query string joins conditions with "and", uses each operator once per field, negates single conditions, and filters one entry of each list',
    ...(span && { span }),
  }
}

/** The issue of an operator that a collection does not allow. */
export const noOperator = (field: string, operator: string): Issue =>
  unsayable('operator', `operator ${operator} is not available for ${field}`, { field, operator })

/** The issue of a query without a condition on a field of the option `defaults`. */
export const noCondition = (field: string): Issue => ({
  ...unsayable('defaults', `a text without a condition on ${field} has that of the option defaults`, { field }),
  hint: `the option empty: 'ignore' lets a text contain ${field}= for no condition`,
})
