/**
 * Operands as regular expressions: JSON Schema has no other words for the items of a text. They are in the part that
 * ECMAScript, Python, Java, .NET and RE2 share: no look-around, no `\d`, which means more digits elsewhere.
 */
import { valuesOf, type ResolvedField } from '../language/index.ts'
import { own } from '../own.ts'
import { itemText } from '../query/encode.ts'
import { escapePattern } from '../text/characters.ts'

const year = '(?:[1-9][0-9]{3}|0[1-9][0-9]{2}|00[1-9][0-9]|000[1-9])'
const leapYear = '(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:0[48]|[2468][048]|[13579][26])00)'
const dayOfYear =
  '(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))'
const day = `(?:${year}-${dayOfYear}|${leapYear}-02-29)`
const offset = '(?:[Zz]|(?:[+-](?:0[1-9]|1[0-9]|2[0-3])|[+]00):[0-5][0-9]|-00:(?:0[1-9]|[1-5][0-9]))'
const time = `(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\\.[0-9]{1,6})?`

/** The whole numbers from 1 to the one with these digits. */
function upTo(digits: string): string {
  const shorter = `[1-9][0-9]{0,${digits.length - 2}}`
  const below = Array.from(digits, (digit, at) => {
    const least = at === 0 ? 1 : 0
    const rest = digits.length - at - 1
    return Number(digit) > least ? [`${digits.slice(0, at)}[${least}-${Number(digit) - 1}][0-9]{${rest}}`] : []
  })
  return [shorter, ...below.flat(), digits].join('|')
}

/** The texts of the types. Digits are so many that every text is in the bounds of its type. */
export const patterns = {
  string: '[^\\x00]*',
  uuid: '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}',
  bigint: `(?:-?(?:0|${upTo('9223372036854775807')})|-9223372036854775808)`,
  decimal: '-?(?:0|[1-9][0-9]{0,33}|(?:0|[1-9][0-9]{0,19})\\.[0-9]{1,14})',
  integer: '-?(?:0|[1-9][0-9]{0,14})',
  number: '-?(?:0|[1-9][0-9]{0,21})(?:\\.[0-9]+)?(?:[eE](?:-[0-9]+|[+]?0*(?:[01]?[0-9]{1,2}|2[0-7][0-9])))?',
  date: day,
  moment: `${day}[Tt]${time}${offset}`,
} as const

/** An item of a list of texts: bare, or in quotes. */
const textItem = '(?:[^",\\x00][^,\\x00]*|"(?:[^"\\\\\\x00]|\\\\["\\\\])*")'

/** One item of a list, by the type of the field. Booleans stand in no list. */
const items: Readonly<Partial<Record<ResolvedField['type'], string>>> = {
  ...patterns,
  string: textItem,
  datetime: `(?:${patterns.moment}|${patterns.date})`,
}

/** One item of a list, as the language reads it. */
export function itemPattern(field: ResolvedField): string {
  const values = valuesOf(field)
  if (values === undefined) return own(items, field.type)!
  return `(?:${values.map((value) => escapePattern(itemText(value))).join('|')})`
}

/** The items of an operator with two operands, or with a list of them. */
export function listPattern(field: ResolvedField, count: 'two' | 'list'): string {
  const item = itemPattern(field)
  return count === 'two' ? `^${item},${item}$` : `^${item}(?:,${item})*$`
}
