/** The text that a hint says to write: the printer's, with names of the schema, and operands of the schema or made up. */
import {
  operatorNamed,
  operatorsFor,
  readerOf,
  valuesOf,
  type Collection,
  type OperatorName,
  type OperatorRow,
  type ParameterName,
  type ResolvedField,
} from '../../language/index.ts'
import { own } from '../../own.ts'
import { newPair } from '../combine.ts'
import { encodeItems, encodeKey } from '../encode.ts'
import { insideText, pairText } from '../member-text.ts'
import type { GroupWords } from '../group-words.ts'

/** A condition that somebody meant. */
export interface Meant {
  readonly field: ResolvedField
  readonly operator: OperatorRow
  /** Texts of its operands, where they are known without repeating what the caller wrote: `true`, `false`. */
  readonly operands?: readonly string[]
}

/** Whether callers may ask for an operator of a field. */
export const isOffered = ({ field, operator }: Meant, collection: Collection | undefined): boolean =>
  operatorsFor(field, collection).some(({ name }) => name === operator.name)

/** The row of an operator that the table may leave out. */
export const rowOf = (name: OperatorName): OperatorRow => operatorNamed.get(name)!

/** Two operands of each type, for a place where the caller has others. The lesser comes first. */
const examples: Readonly<Record<Exclude<ResolvedField['type'], 'enumeration' | 'object'>, readonly string[]>> = {
  string: ['a', 'b'],
  integer: ['1', '2'],
  number: ['1', '2'],
  boolean: ['true', 'false'],
  date: ['2024-01-01', '2024-12-31'],
  datetime: ['2024-01-01', '2024-12-31'],
}

/** How many values of an enumeration a suggestion has at most. */
const mostValues = 5

/** Values of an enumeration: those that a text names, in its order, then the first ones. */
function valuesIn(
  values: readonly string[],
  text: string,
): { readonly named: number; readonly all: readonly string[] } {
  const words = text.split(/[\s,;:|.=&()[\]{}"']+/, 50)
  const named = [...new Set(words)].filter((word) => values.includes(word)).slice(0, mostValues)
  return { named: named.length, all: [...named, ...values.filter((value) => !named.includes(value)).slice(0, 2)] }
}

function operandsOf(meant: Meant, given: string): readonly string[] {
  const { field, operator } = meant
  const operands = own(meant, 'operands')
  const values = valuesOf(field)
  if (operands !== undefined) return operands
  if (operator.reads === 'flag') return ['true']
  if (operator.reads === 'text' || field.type === 'object') return examples.string.slice(0, 1)
  const { named, all } =
    values === undefined ? { named: 0, all: examples[field.type as keyof typeof examples] } : valuesIn(values, given)
  return all.slice(0, operator.operands === 'one' ? 1 : operator.operands === 'two' ? 2 : Math.max(named, 2))
}

/**
 * A condition as a query string has it, or as a group has it where there are words of groups.
 *
 * @param given what the caller wrote: a value of an enumeration that it names is kept.
 */
export function conditionText(meant: Meant, given: string, words?: GroupWords): string {
  const { field, operator } = meant
  const { fromText } = readerOf(operator.reads, field)
  const operands = operandsOf(meant, given).map((text) => fromText(text, field)!)
  const pair = newPair(field, operator, operands, undefined)
  return words === undefined ? pairText(pair) : insideText(pair, words)
}

/** A parameter as a query string has it. */
export const parameterText = ({ parameters }: Collection, parameter: ParameterName, items: readonly string[]): string =>
  `${encodeKey(parameters.get(parameter)!)}=${encodeItems(items)}`

/**
 * A path as `sort` has it. Its first `-` means descending order: a path that begins with one can be asked for in that order
 * only.
 */
export const sortText = (path: string, isDescending = false): string =>
  isDescending || path.startsWith('-') ? `-${path}` : path
