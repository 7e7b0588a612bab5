/**
 * Describes the operands of each type. JSON Schema describes the items of a text by regular expressions alone. They use the part
 * that ECMAScript, Python, Java, .NET and RE2 share: no look-around, no `\d`, which means more digits elsewhere.
 */
import { jsonTypes, valuesOf, type ResolvedField, type ScalarType } from '../../language/index.ts'
import { own } from '../../own.ts'
import { itemText } from '../../values/encode.ts'
import { escapePattern } from '../../values/characters.ts'
import type { SchemaObject } from './objects.ts'

const day = '[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])'
const hour = '(?:[01][0-9]|2[0-3])'
const offset = `(?:[Zz]|[+-]${hour}:[0-5][0-9])`
const fraction = '(?:\\.[0-9]{1,6})?'
const time = `[Tt]${hour}(?::[0-5][0-9]){2}${fraction}${offset}`
const timeOfDay = `${hour}:[0-5][0-9](?::[0-5][0-9]${fraction})?`

/** Times relative to now. The patterns accept so few digits that each time is within the years 1 to 9999. */
const calendarStep = '[0-9]{1,5}[dw]|[0-9]{1,4}mo|[0-9]{1,3}y'
const today = `today(?:[+-](?:${calendarStep}))?`
const relative = `(?:now|today)(?:[+-](?:${calendarStep}))?|now[+-](?:[0-9]{1,9}[sm]|[0-9]{1,7}h)`

/** Days that the calendar lacks, anywhere in a list: the year 0000, the ends of short months, and February 29 of most years. */
const noDay = '(?:^|,)0000-|-02-3|-(?:0[469]|11)-31|(?:[02468][1235679]|[13579][01345789])(?:00)?-02-29'
const noMoment = `${noDay}|-00:00`

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

const timeZone = '(?:[A-Za-z][A-Za-z0-9_+/-]*|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])'
export const zoneSchema: SchemaObject = { type: 'string', pattern: `^${timeZone}$`, maxLength: 64 }

// A pattern limits the number of digits: a larger number does not fit its type.
const uuid = '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}'
const bigint = `(?:-?(?:0|${upTo('9223372036854775807')})|-9223372036854775808)`
/** An item of a list of texts: bare, or in quotes. */
const textItem = '(?:[^",\\x00][^,\\x00]*|"(?:[^"\\\\\\x00]|\\\\["\\\\])*")'

const matching = (pattern: string): SchemaObject => ({ type: 'string', pattern: `^${pattern}$` })

interface Scalar {
  /** The type in the names of components. */
  readonly name: string
  /** One operand, as the language reads it in a text. */
  readonly operand: SchemaObject
  /** One item of a list in a text. */
  readonly item: string
  /** Texts that the pattern of the item accepts and the language refuses. */
  readonly refused?: string
  /** One operand of a tool call. It is simpler: `parseObject` is stricter, and a schema cannot check the days of a month. */
  readonly tool: SchemaObject
}

/** The description of each type. */
export const scalars: { readonly [T in ScalarType]: Scalar } = {
  string: {
    name: 'String',
    operand: matching('[^\\x00]*'),
    item: textItem,
    tool: { type: 'string' },
  },
  // Its values replace the pattern. The name of its field is the name of its component.
  enumeration: { name: '', operand: jsonTypes.enumeration, item: '', tool: { type: 'string' } },
  // Formats that others know allow more: `urn:uuid:`, numbers of any length.
  uuid: {
    name: 'Uuid',
    operand: { ...jsonTypes.uuid, ...matching(uuid) },
    item: uuid,
    tool: { ...matching('[0-9a-fA-F-]{36}'), description: 'a uuid' },
  },
  integer: {
    name: 'Integer',
    operand: { ...jsonTypes.integer, minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
    item: '-?(?:0|[1-9][0-9]{0,14})',
    tool: { type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
  },
  bigint: {
    name: 'Bigint',
    operand: { ...jsonTypes.bigint, ...matching(bigint) },
    item: bigint,
    tool: {
      type: ['string', 'integer'],
      pattern: '^-?[0-9]{1,19}$',
      description: 'a whole number, as text beyond 2^53',
    },
  },
  number: {
    name: 'Number',
    operand: { ...jsonTypes.number, minimum: -Number.MAX_VALUE, maximum: Number.MAX_VALUE },
    item: '-?(?:0|[1-9][0-9]{0,21})(?:\\.[0-9]+)?(?:[eE](?:-[0-9]+|[+]?0*(?:[01]?[0-9]{1,2}|2[0-7][0-9])))?',
    tool: { type: 'number' },
  },
  decimal: {
    name: 'Decimal',
    // At most 34 digits: in 35 characters there are a point or a sign, or both.
    operand: {
      ...jsonTypes.decimal,
      ...matching('-?(?:0|[1-9][0-9]{0,33}|(?:0|[1-9][0-9]*)\\.[0-9]+)'),
      maxLength: 35,
    },
    item: '-?(?:0|[1-9][0-9]{0,33}|(?:0|[1-9][0-9]{0,19})\\.[0-9]{1,14})',
    tool: {
      type: ['string', 'number'],
      pattern: '^-?[0-9]+(?:\\.[0-9]+)?$',
      description: 'a decimal, as text to keep every digit',
    },
  },
  // Conditions in a list cannot read it.
  boolean: { name: 'Boolean', operand: jsonTypes.boolean, item: '', tool: { type: 'boolean' } },
  date: {
    name: 'Date',
    operand: { type: 'string', anyOf: [jsonTypes.date, matching(today)] },
    item: `(?:${day}|${today})`,
    refused: noDay,
    tool: {
      ...matching('(?:[0-9]{4}-[0-9]{2}-[0-9]{2}|today[ +-]?[0-9a-z]*)'),
      description: 'a date YYYY-MM-DD, or today, today-7d, today+1mo (d, w, mo, y)',
    },
  },
  datetime: {
    name: 'DateTime',
    operand: {
      type: 'string',
      // RFC 3339 allows what the language refuses: finer fractions, leap seconds, an unknown offset, the year 0000.
      // Generators of clients read the type of each alternative.
      anyOf: [
        { ...jsonTypes.datetime, ...matching(day + time), not: { pattern: noMoment } },
        jsonTypes.date,
        matching(`(?:${relative})`),
      ],
    },
    item: `(?:${day}(?:${time})?|${relative})`,
    refused: noMoment,
    tool: {
      ...matching('(?:[0-9]{4}-[0-9]{2}-[0-9]{2}.*|(?:now|today)[ +-]?[0-9a-z]*)'),
      description: 'an RFC 3339 datetime, a whole day YYYY-MM-DD, or now, now-90m, today-7d (s, m, h, d, w, mo, y)',
    },
  },
  time: {
    name: 'Time',
    operand: matching(timeOfDay),
    item: timeOfDay,
    tool: { ...matching('[0-9]{2}:[0-9]{2}[0-9:.]*'), description: 'a time of day, HH:MM or HH:MM:SS' },
  },
}

/** One item of a list, as the language reads it. */
export function itemPattern(field: ResolvedField): string {
  const values = valuesOf(field)
  if (values === undefined) return scalars[field.type as ScalarType].item
  return `(?:${values.map((value) => escapePattern(itemText(value))).join('|')})`
}

/** The items of an operator with two operands, or with a list of them. */
export function listText(field: ResolvedField, count: 'two' | 'list'): Pick<SchemaObject, 'pattern' | 'not'> {
  const item = itemPattern(field)
  const refused = own(scalars[field.type as ScalarType], 'refused')
  const pattern = count === 'two' ? `^${item},${item}$` : `^${item}(?:,${item})*$`
  return { pattern, ...(refused !== undefined && { not: { pattern: refused } }) }
}
