/** Exact numbers as texts, for every backend: whole numbers of 64 bits, and decimals of any length. Imports nothing. */

/** A whole number as JSON writes it (RFC 8259, section 6). */
const whole = /^-?(?:0|[1-9]\d*)$/

const longestBigint = 20

/**
 * The canonical text of a whole number from −2^63 to 2^63 − 1; `undefined` for every other text.
 *
 * @example canonicalBigint('-0') // => '0'
 */
export function canonicalBigint(text: string): string | undefined {
  if (text.length > longestBigint || !whole.test(text)) return undefined
  const number = BigInt(text)
  return BigInt.asIntN(64, number) === number ? String(number) : undefined
}

/** The whole number that a value in a row is: a bigint, a safe integer, or a text of digits; `undefined` for every other value. */
export function bigintOf(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return BigInt.asIntN(64, value) === value ? value : undefined
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : undefined
  const text = typeof value === 'string' ? canonicalBigint(value) : undefined
  return text === undefined ? undefined : BigInt(text)
}

// --- Decimals

/** The most significant digits of an operand: those of IEEE 754 decimal128, which MongoDB has. */
export const mostDigits = 34

const decimal = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/

/** Exponents beyond these are of no database: PostgreSQL's `numeric` has 131,072 digits before the point, decimal128 6,145. */
const largestExponent = 200_000

/** A text without the zeros at its end. A loop: a regular expression starts again at every zero. */
function withoutZeros(digits: string): string {
  let end = digits.length
  while (digits[end - 1] === '0') end--
  return digits.slice(0, end)
}

/**
 * The canonical text of a decimal that is written as JSON writes numbers: no exponent, no zeros at the end of the fraction, no
 * `-0`. `undefined` for every other text.
 *
 * @example canonicalDecimal('-1.50e1') // => '-15'
 */
export function canonicalDecimal(text: string): string | undefined {
  const [, sign = '', integer, fraction = '', exponent] = decimal.exec(text) ?? []
  if (integer === undefined) return undefined
  if (exponent === undefined) return signed(sign, integer, withoutZeros(fraction))
  if (/^0+$/.test(integer + fraction)) return '0'
  const shift = Number(exponent)
  if (Math.abs(shift) > largestExponent) return undefined
  // Zeros before the digits move the point to the left, zeros behind them to the right.
  const point = integer.length + Math.max(0, shift)
  const digits = ('0'.repeat(Math.max(0, -shift)) + integer + fraction).padEnd(point, '0')
  return signed(sign, digits.slice(0, point).replace(/^0+(?=\d)/, ''), withoutZeros(digits.slice(point)))
}

function signed(sign: string, integer: string, fraction: string): string {
  if (fraction !== '') return `${sign}${integer}.${fraction}`
  return integer === '0' ? integer : sign + integer
}

/** Reads the decimal of a row from a text, a bigint or a number, and writes its canonical text. Of a number, the shortest digits count. */
export function decimalOf(value: unknown): string | undefined {
  if (typeof value === 'string') return canonicalDecimal(value)
  // The texts of NaN and of infinities are not decimals.
  return typeof value === 'number' || typeof value === 'bigint' ? canonicalDecimal(String(value)) : undefined
}

/** How many digits a canonical decimal has from its first that is not zero to its last. */
export const significantDigits = (canonical: string): number =>
  canonical.replace(/^[-0.]+(?=\d)/, '').replace('.', '').length

/** Compares two canonical decimals by value. @returns a negative number, zero or a positive number. */
export function compareDecimals(a: string, b: string): number {
  if (a === b) return 0
  const isNegative = a.startsWith('-')
  if (isNegative !== b.startsWith('-')) return isNegative ? -1 : 1
  return isNegative ? compareMagnitudes(b, a) : compareMagnitudes(a, b)
}

/** Of two decimals of one sign. Digits have the order of their characters, and the end of a text comes before every digit. */
const compareMagnitudes = (a: string, b: string): number => pointOf(a) - pointOf(b) || (a < b ? -1 : 1)

function pointOf(decimal: string): number {
  const point = decimal.indexOf('.')
  return point < 0 ? decimal.length : point
}
