/**
 * Operands as regular expressions: JSON Schema has no other words for the items of a text. They are in the part that
 * ECMAScript, Python, Java, .NET and RE2 share: no look-around, no `\d`, which means more digits elsewhere.
 */
import { valuesOf, type ResolvedField } from '../language/index.ts'
import { itemText } from '../query/encode.ts'
import { escapePattern } from '../text/characters.ts'

const year = '(?:[1-9][0-9]{3}|0[1-9][0-9]{2}|00[1-9][0-9]|000[1-9])'
const leapYear = '(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:0[48]|[2468][048]|[13579][26])00)'
const dayOfYear =
  '(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))'
const day = `(?:${year}-${dayOfYear}|${leapYear}-02-29)`
const offset = '(?:[Zz]|(?:[+-](?:0[1-9]|1[0-9]|2[0-3])|[+]00):[0-5][0-9]|-00:(?:0[1-9]|[1-5][0-9]))'
const time = `(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\\.[0-9]{1,3})?`

/** The texts of the types. Digits are so many that every text is in the bounds of its type. */
export const patterns = {
  string: '[^\\x00]*',
  integer: '-?(?:0|[1-9][0-9]{0,14})',
  number: '-?(?:0|[1-9][0-9]{0,21})(?:\\.[0-9]+)?(?:[eE](?:-[0-9]+|[+]?0*(?:[01]?[0-9]{1,2}|2[0-7][0-9])))?',
  date: day,
  moment: `${day}[Tt]${time}${offset}`,
} as const

/** An item of a list of texts: bare, or in quotes. */
const textItem = '(?:[^",\\x00][^,\\x00]*|"(?:[^"\\\\\\x00]|\\\\["\\\\])*")'

/** One item of a list, as the language reads it. */
export function itemPattern(field: ResolvedField): string {
  const { type } = field
  const values = valuesOf(field)
  if (values !== undefined) return `(?:${values.map((value) => escapePattern(itemText(value))).join('|')})`
  switch (type) {
    case 'integer':
    case 'number':
      return patterns[type]
    case 'date':
      return patterns.date
    case 'datetime':
      return `(?:${patterns.moment}|${patterns.date})`
    default:
      return textItem
  }
}

/** The items of an operator with two operands, or with a list of them. */
export function listPattern(field: ResolvedField, count: 'two' | 'list'): string {
  const item = itemPattern(field)
  return count === 'two' ? `^${item},${item}$` : `^${item}(?:,${item})*$`
}
