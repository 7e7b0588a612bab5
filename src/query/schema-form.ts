/** Values of rows → the form of the schema, which JSON can have. A value in another form counts as missing (language.md, law 1). */
import { canonicalOf, type Literal, type LiteralType } from '../tree/index.ts'
import { literalTypeOf, type Field, type Fields } from '../language/index.ts'
import { own } from '../own.ts'
import { canonicalDateTime } from '../values/time.ts'

type Value = Literal['value'] | undefined
type Read = (value: unknown) => Value

/** Reads the other forms of each type: `docs/guides/sql-drivers.md` lists them. */
export const drivenFormOf: { readonly [T in LiteralType]?: Read } = {
  // A 64-bit id that the schema has as a string.
  string: (value) => (typeof value === 'bigint' || Number.isSafeInteger(value) ? String(value) : undefined),
  integer: (value) => canonicalOf.integer(numberOf(value)),
  number: numberOf,
  boolean: (value) => {
    const number = Number(value)
    return number === 0 || number === 1 ? number === 1 : undefined
  },
  // Milliseconds.
  datetime: (value) => canonicalDateTime(numberOf(value) ?? NaN),
}

/** A finite number, or the text or the bigint of one that a double has exactly: `pg` gives texts for bigint and numeric. */
function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value + 0 : undefined
  const text = typeof value === 'bigint' ? String(value) : value
  if (typeof text !== 'string' || !/^-?\d+(?:\.\d+)?$/.test(text)) return undefined
  const number = Number(text) + 0
  if (String(number) === text) return number
  return plainDigits(text) === plainDigits(inFull(number)) ? number : undefined
}
/** Without signs of zero, leading zeros and zeros at the end of a fraction. */
function plainDigits(text: string): string {
  const whole = text.replace(/^(-?)0+(?=\d)/, '$1')
  let end = whole.length
  // A loop: a regular expression would start again at every zero.
  if (whole.includes('.')) while (whole[end - 1] === '0') end--
  const digits = whole.slice(0, whole[end - 1] === '.' ? end - 1 : end)
  return digits === '-0' ? '0' : digits
}
/** The shortest digits of a double, without an exponent, which is -7 or less, or 21 or more: there are 17 digits at most. */
function inFull(number: number): string {
  const [, sign = '', whole = '', fraction = '', exponent] = /(-?)(\d)(?:\.(\d+))?e([+-]\d+)/.exec(String(number)) ?? []
  if (exponent === undefined) return String(number)
  const places = Number(exponent)
  const digits = whole + fraction
  return places < 0 ? `${sign}0.${'0'.repeat(-places - 1)}${digits}` : sign + digits.padEnd(places + 1, '0')
}

/** Reads a value of each type; `undefined` for no value. A number need not be whole, and a text may have every character. */
export const formOf: { readonly [T in LiteralType]: Read } = /* @__PURE__ */ (() => ({
  ...canonicalOf,
  string: (value) => (typeof value === 'string' ? value : undefined),
  integer: canonicalOf.number,
}))()

/** The fields of an object to read, by name: a whole field (`all`), or some of its members. */
export interface Chosen {
  readonly [name: string]: Chosen | 'all'
}

/**
 * Makes the reader of values of a definition: each field of an object becomes a property, `null` if it has no value. Members that the
 * definition lacks are left out.
 *
 * @param chosen the members that are read.
 */
export function formFor(definition: Field, chosen: Chosen | 'all' = 'all'): (value: unknown) => unknown {
  if (definition.type === 'list') {
    const formOfEntry = formFor(definition.entry, chosen)
    return (value) => (Array.isArray(value) ? value.map(formOfEntry) : null)
  }
  if (definition.type !== 'object') {
    const read = formOf[literalTypeOf(definition.type)]
    return (value) => read(value) ?? null
  }
  const members = chosenIn(definition.fields, chosen).map(
    ([name, member, inner]) => [name, formFor(member, inner)] as const,
  )
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
    const object = value as Readonly<Record<string, unknown>>
    return Object.fromEntries(members.map(([name, read]) => [name, read(own(object, name))]))
  }
}

/** The chosen fields, each with the members chosen in it. */
export const chosenIn = (fields: Fields, chosen: Chosen | 'all'): [string, Field, Chosen | 'all'][] =>
  Object.entries(fields).flatMap(([name, definition]): [string, Field, Chosen | 'all'][] => {
    const inner = chosen === 'all' ? chosen : own(chosen, name)
    return inner === undefined ? [] : [[name, definition, inner]]
  })
