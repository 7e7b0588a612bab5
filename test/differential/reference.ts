/**
 * What a query reads, by docs/guides/pages.md alone: a plain sort of all rows, and positions compared value by value. Nothing
 * of the package decides here but the predicate of the filter, which the differential of filters compares by itself.
 */
import { memoryBackend } from '../../src/backends/memory/index.ts'
import type { Filter, Query, SortKey } from '../../src/index.ts'
import type { LiteralType } from '../../src/tree.ts'

type Value = string | number | bigint | boolean | null
type Rows = readonly { readonly id: number }[]

const isText = (value: unknown): value is string => typeof value === 'string'
/** How a value of each type is compared; `null` for what is none. */
const comparable: { readonly [T in LiteralType]: (value: unknown) => Value } = {
  string: (value) => (isText(value) ? value : null),
  uuid: (value) => (isText(value) ? value.toLowerCase() : null),
  integer: (value) => (typeof value === 'number' ? value : null),
  number: (value) => (typeof value === 'number' ? value : null),
  bigint: (value) => {
    if (typeof value === 'number' && !Number.isSafeInteger(value)) return null
    return isText(value) || typeof value === 'number' || typeof value === 'bigint' ? BigInt(value) : null
  },
  decimal: (value) => (isText(value) || typeof value === 'number' || typeof value === 'bigint' ? scaled(value) : null),
  boolean: (value) => (typeof value === 'boolean' ? value : null),
  date: (value) => (value instanceof Date ? value.toISOString().slice(0, 10) : isText(value) ? value : null),
  datetime: (value) => (value instanceof Date ? micros(value.toISOString()) : isText(value) ? micros(value) : null),
}
/** A decimal as a whole number: all are moved by the same number of digits. */
function scaled(value: string | number | bigint): bigint | null {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(String(value)) ?? []
  return whole === '' ? null : BigInt(sign + whole + fraction + '0'.repeat(100 - fraction.length + Number(exponent)))
}
/** The microseconds since 1970 of a text with `Z` or an offset. */
function micros(text: string): bigint {
  const [, second = '', fraction = '', zone = ''] = /^([^.+Z]{19})(?:\.(\d+))?(.+)$/i.exec(text) ?? []
  return BigInt(Date.parse(second + zone)) * 1000n + BigInt(fraction.padEnd(6, '0').slice(0, 6))
}

function valueOf(row: unknown, { path, type }: SortKey): Value {
  let value = row
  for (const name of path) {
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value) && Object.hasOwn(value, name)
    value = isObject ? (value as Record<string, unknown>)[name] : null
  }
  return comparable[type](value)
}

function compareValues(a: Value, b: Value): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null)
  if (typeof a !== 'string') return a < b ? -1 : Number(a > b)
  const [left, right] = [a, b as string].map((text) => Array.from(text, (letter) => letter.codePointAt(0)!))
  for (let at = 0; ; at++) {
    const [one, other] = [left![at], right![at]]
    if (one === undefined || other === undefined) return left!.length - right!.length
    if (one !== other) return one - other
  }
}

export const selectionOf = (filter: Filter, rows: Rows): Rows => rows.filter(memoryBackend().compile(filter))

/** The ids in the order of reading, at most `limit + 1`. */
export function idsOf({ filter, sort, limit, offset = 0, position }: Query, rows: Rows): readonly number[] {
  const compareKeys = (a: readonly Value[], b: readonly Value[]): number => {
    for (const [at, { direction }] of sort.entries()) {
      const difference = compareValues(a[at]!, b[at]!)
      if (difference !== 0) return direction === 'ascending' ? difference : -difference
    }
    return 0
  }
  const sorted = selectionOf(filter, rows)
    .map(({ id, ...row }) => ({ id, values: sort.map((key) => valueOf({ ...row, id }, key)) }))
    .sort((a, b) => compareKeys(a.values, b.values))
  if (position === undefined) return sorted.slice(offset, offset + limit + 1).map(({ id }) => id)
  const place = position.values.map((literal) => (literal === null ? null : comparable[literal.type](literal.value)))
  const after = sorted.filter(({ values }) => compareKeys(values, place) > 0)
  const before = sorted.filter(({ values }) => compareKeys(values, place) < 0)
  const read = position.toward === 'next' ? after : before.reverse()
  return read.slice(0, limit + 1).map(({ id }) => id)
}
