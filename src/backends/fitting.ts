/** Compares exactly with operands between two values of a store, for every backend whose values are coarser than operands. */
import type { ComparisonOperator } from '../tree/index.ts'
import { canonicalBigint, canonicalDecimal } from '../values/exact.ts'
import { shortestOfFloat } from '../values/float.ts'

/**
 * An equivalent comparison with a value that the store can have, or a constant that is right for every row with a value.
 *
 * @example fittedDecimal('gte', '12.505', 2) // => { operator: 'gt', value: '12.5' }
 */
export type Fitted<V = string> = { readonly operator: ComparisonOperator; readonly value: V } | boolean

/** A comparison with an operand that is between two values of the store, as one with the value below it. */
function aboveValue<V>(operator: ComparisonOperator, value: V): Fitted<V> {
  if (operator === 'eq') return false
  return { operator: operator === 'gt' || operator === 'gte' ? 'gt' : 'lte', value }
}

/** A comparison with an operand that is between two values of the store, as one with the value above it. */
function belowValue<V>(operator: ComparisonOperator, value: V): Fitted<V> {
  if (operator === 'eq') return false
  return { operator: operator === 'gt' || operator === 'gte' ? 'gte' : 'lt', value }
}

/** With a moment of a store of whole milliseconds. @param text canonical UTC text. */
export function fittedMoment(operator: ComparisonOperator, text: string): Fitted {
  // Text with three digits has 24 characters.
  return text.length === 24 ? { operator, value: text } : aboveValue(operator, `${text.slice(0, 23)}Z`)
}

/** With a moment of a store of whole seconds. @param text canonical UTC text. */
export function fittedSecond(operator: ComparisonOperator, text: string): Fitted {
  const value = `${text.slice(0, 19)}.000Z`
  return text === value ? { operator, value } : aboveValue(operator, value)
}

/**
 * Fits a comparison to a store of 32-bit floats. The value of a float is its shortest decimal.
 *
 * @returns the comparison with the double that equals a float.
 */
export function fittedReal(operator: ComparisonOperator, number: number): Fitted<number> {
  const float = Math.fround(number)
  if (!Number.isFinite(float)) return operator !== 'eq' && operator.startsWith('lt') === number > 0
  const value = shortestOfFloat(float)
  if (value === number) return { operator, value: float }
  return value < number ? aboveValue(operator, float) : belowValue(operator, float)
}

/** Fits a comparison to a store that keeps `digits` digits after the point of a decimal. @param text a canonical decimal. */
export function fittedDecimal(operator: ComparisonOperator, text: string, digits: number): Fitted {
  const point = text.indexOf('.')
  if (point < 0 || text.length - point - 1 <= digits) return { operator, value: text }
  const value = canonicalDecimal(text.slice(0, digits === 0 ? point : point + 1 + digits))!
  return text.startsWith('-') ? belowValue(operator, value) : aboveValue(operator, value)
}

/** With a decimal of a store of integers of 64 bits, which have so many digits of it after the point. @returns the integer. */
export function fittedScaled(operator: ComparisonOperator, text: string, digits: number): Fitted {
  const fitted = fittedDecimal(operator, text, digits)
  if (typeof fitted === 'boolean') return fitted
  const [integer = '', fraction = ''] = fitted.value.split('.')
  return fittedBigint(fitted.operator, withoutLeadingZeros(integer + fraction.padEnd(digits, '0')))
}

const withoutLeadingZeros = (digits: string): string => digits.replace(/^(-?)0+(?=\d)/, '$1')

/** With a whole number of a store of 64 bits. @param text digits, as JSON writes a whole number. */
export function fittedBigint(operator: ComparisonOperator, text: string): Fitted {
  const value = canonicalBigint(text)
  if (value !== undefined) return { operator, value }
  return operator !== 'eq' && (operator === 'lt' || operator === 'lte') !== text.startsWith('-')
}
