/**
 * Operands as regular expressions: JSON Schema has no other words for the items of a text. They are in the part that
 * ECMAScript, Python, Java, .NET and RE2 share: no look-around, no `\d`, which means more digits elsewhere.
 */
import { valuesOf, type ResolvedField } from '../../language/index.ts'
import { own } from '../../own.ts'
import { itemText } from '../../values/encode.ts'
import { escapePattern } from '../../values/characters.ts'
import type { SchemaObject } from './objects.ts'

const day = '[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])'
const offset = '(?:[Zz]|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])'
const time = `[Tt](?:[01][0-9]|2[0-3])(?::[0-5][0-9]){2}(?:\\.[0-9]{1,6})?${offset}`

/** Times relative to now. The patterns accept so few digits that each time is within the years 1 to 9999. */
const calendarStep = '[0-9]{1,5}[dw]|[0-9]{1,4}mo|[0-9]{1,3}y'
const today = `today(?:[+-](?:${calendarStep}))?`
const relative = `(?:now|today)(?:[+-](?:${calendarStep}))?|now[+-](?:[0-9]{1,9}[sm]|[0-9]{1,7}h)`

/** Days that the calendar lacks, anywhere in a list: the year 0000, the ends of short months, and February 29 of most years. */
const noDay = '(?:^|,)0000-|-02-3|-(?:0[469]|11)-31|(?:[02468][1235679]|[13579][01345789])(?:00)?-02-29'
/** Days and moments that the patterns accept and the language refuses. An offset of `-00:00` is unknown. */
const refused: Readonly<Partial<Record<ResolvedField['type'], string>>> = {
  date: noDay,
  datetime: `${noDay}|-00:00`,
}

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
  moment: day + time,
  today,
  relative: `(?:${relative})`,
  timeZone: '(?:[A-Za-z][A-Za-z0-9_+/-]*|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])',
} as const

/** An item of a list of texts: bare, or in quotes. */
const textItem = '(?:[^",\\x00][^,\\x00]*|"(?:[^"\\\\\\x00]|\\\\["\\\\])*")'

/** One item of a list, by the type of the field. Booleans stand in no list. */
const items: Readonly<Partial<Record<ResolvedField['type'], string>>> = {
  ...patterns,
  string: textItem,
  date: `(?:${day}|${today})`,
  datetime: `(?:${day}(?:${time})?|${relative})`,
}

/** One item of a list, as the language reads it. */
export function itemPattern(field: ResolvedField): string {
  const values = valuesOf(field)
  if (values === undefined) return own(items, field.type)!
  return `(?:${values.map((value) => escapePattern(itemText(value))).join('|')})`
}

/** A text with these patterns, and without what the language refuses of its type. */
export const textOf = (type: ResolvedField['type'], pattern: string): Pick<SchemaObject, 'pattern' | 'not'> => {
  const without = own(refused, type)
  return { pattern: `^${pattern}$`, ...(without !== undefined && { not: { pattern: without } }) }
}

/** The items of an operator with two operands, or with a list of them. */
export function listText(field: ResolvedField, count: 'two' | 'list'): Pick<SchemaObject, 'pattern' | 'not'> {
  const item = itemPattern(field)
  return textOf(field.type, count === 'two' ? `${item},${item}` : `${item}(?:,${item})*`)
}
