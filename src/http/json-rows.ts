/** Rows → JSON: exact numbers are texts, as `urlwhere/openapi` describes them. */
import type { Field, Fields } from '../language/index.ts'
import { bigintOf, decimalOf } from '../text/exact.ts'

/** Writes a value of a type in canonical form; `undefined` for what is no value of it. */
const written: Readonly<Partial<Record<Field['type'], (value: unknown) => string | undefined>>> = {
  bigint: (value) => bigintOf(value)?.toString(),
  decimal: decimalOf,
}

/** Whether a definition contains a bigint or a decimal. Most schemas contain neither. */
function isExact(definition: Field): boolean {
  if (definition.type === 'list') return isExact(definition.entry)
  if (definition.type === 'object') return Object.values(definition.fields).some(isExact)
  return Object.hasOwn(written, definition.type)
}

function asJson(definition: Field, value: unknown): unknown {
  if (definition.type === 'list') {
    return Array.isArray(value) ? value.map((entry) => asJson(definition.entry, entry)) : value
  }
  if (definition.type !== 'object') {
    const write = written[definition.type]
    // JSON has no bigints: one that is beyond 64 bits is a text, too.
    return write === undefined ? value : (write(value) ?? (typeof value === 'bigint' ? String(value) : value))
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const { fields } = definition
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      Object.hasOwn(fields, name) ? asJson(fields[name]!, inner) : inner,
    ]),
  )
}

/** Makes a function from a row that was cut down to the fields of a schema to one that JSON can have. */
export function jsonRowOf(fields: Fields): (row: unknown) => unknown {
  const row = { type: 'object', fields } as const
  return isExact(row) ? (value) => asJson(row, value) : (value) => value
}
