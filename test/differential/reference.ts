/**
 * What a query reads, by docs/guides/pages.md alone: a plain sort of all rows, and positions compared value by value. Nothing
 * of the package decides here but the predicate of the filter, which the differential of filters compares by itself.
 */
import { memoryBackend } from '../../src/backends/memory/index.ts'
import type { Filter, Query, SortKey } from '../../src/index.ts'

type Value = string | number | boolean | null
type Rows = readonly { readonly id: number }[]

function valueOf(row: unknown, { path, type }: SortKey): Value {
  let value = row
  for (const name of path) {
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value) && Object.hasOwn(value, name)
    value = isObject ? (value as Record<string, unknown>)[name] : null
  }
  const isTime = type === 'date' || type === 'datetime'
  if (isTime && value instanceof Date) return type === 'date' ? value.toISOString().slice(0, 10) : value.getTime()
  const form = { string: 'string', date: 'string', datetime: 'string', boolean: 'boolean' }[type as string] ?? 'number'
  if (typeof value !== form) return null
  return type === 'datetime' ? new Date(value as string).getTime() : (value as Value)
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
  const place = position.values.map((literal) =>
    literal?.type === 'datetime' ? Date.parse(literal.value as string) : (literal?.value ?? null),
  )
  const after = sorted.filter(({ values }) => compareKeys(values, place) > 0)
  const before = sorted.filter(({ values }) => compareKeys(values, place) < 0)
  const read = position.toward === 'next' ? after : before.reverse()
  return read.slice(0, limit + 1).map(({ id }) => id)
}
