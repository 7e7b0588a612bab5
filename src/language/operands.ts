/** The reader of an operator's operands: by the type of the field, by the values of an enumeration, or of the operator's own kind. */
import { weakCache } from '../cache.ts'
import { own } from '../own.ts'
import { countExpected, mostEntries, type Literal } from '../tree/index.ts'
import type { OperatorRow } from './operators.ts'
import type { ResolvedField } from './schema.ts'
import { readers, type Operand, type Reader } from './types.ts'

const entryCount: Reader = {
  expected: countExpected,
  fromText: (text) => asCount(readers.integer.fromText(text)),
  fromValue: (value) => asCount(readers.integer.fromValue(value)),
}
const asCount = (operand: Operand | undefined): Operand | undefined =>
  operand !== undefined &&
  (operand as { value: number }).value >= 0 &&
  (operand as { value: number }).value <= mostEntries
    ? operand
    : undefined

/** How many names a message lists: values of an enumeration, or fields. */
export const mostNames = 20

/** A reader of an enumeration. It makes the literals once. */
function ofEnumeration(values: readonly string[]): Reader {
  const literals = values.map((value): Literal => Object.freeze({ type: 'string', value }))
  const names = values.slice(0, mostNames).join(', ') + (values.length > mostNames ? ', …' : '')
  // `indexOf` is faster than a Map: most enumerations have few values.
  const read = (value: unknown) => literals[values.indexOf(value as string)]
  return { expected: `one of ${names}`, fromText: read, fromValue: read }
}

/** Readers by the values of an enumeration. There may be thousands of values. */
const enumerations = /* @__PURE__ */ weakCache<readonly string[], Reader>()

/** The reader of an operator's operands on a field. */
export function readerOf(
  operandKind: OperatorRow['operandKind'],
  field: Pick<ResolvedField, 'type' | 'values'>,
): Reader {
  if (operandKind === 'flag') return readers.boolean
  if (operandKind === 'count') return entryCount
  const values = own(field, 'values')
  if (values === undefined) return readers[field.type as keyof typeof readers]
  let reader = enumerations.get(values)
  if (reader === undefined) enumerations.set(values, (reader = ofEnumeration(values)))
  return reader
}
