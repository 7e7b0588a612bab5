/**
 * What a query reads, by docs/guides/pages.md alone: a plain sort of all rows, and positions compared value by value. Nothing
 * of the package decides here but the predicate of the filter, which the differential of filters compares by itself.
 */
import { memoryBackend } from '../../src/backends/memory/index.ts'
import type { Facet, FacetValue, FacetValues, Field, Filter, Query, Schema, SortKey } from '../../src/index.ts'
import type { LiteralType } from '../../src/tree.ts'
import { simpleLowerCase } from '../../src/values/case.ts'

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
  time: (value) => (isText(value) ? value : null),
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

/** The values that a sort key compares, one after the other. */
function valuesOf({ type, ignoreCase, declared }: SortKey, stored: unknown): readonly Value[] {
  const value = comparable[type](stored)
  if (ignoreCase && isText(value)) return [simpleLowerCase(value), value]
  if (declared === undefined) return [value]
  return [declared.includes(value as string) ? declared.indexOf(value as string) : null]
}
const valueAt = (row: unknown, path: readonly string[], type: LiteralType): Value =>
  comparable[type](memberAt(row, path))

function memberAt(row: unknown, path: readonly string[]): unknown {
  let value = row
  for (const name of path) {
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value) && Object.hasOwn(value, name)
    value = isObject ? (value as Record<string, unknown>)[name] : null
  }
  return value
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

/** The values of a field in a row: those of all entries, where lists are around it. */
function valuesIn(row: unknown, { lists: [list, ...lists], ...facet }: Facet): readonly Value[] {
  if (list === undefined) return [valueAt(row, facet.path, facet.type)]
  const entries = memberAt(row, list)
  return Array.isArray(entries) ? entries.flatMap((entry) => valuesIn(entry, { ...facet, lists })) : []
}

/** The values of facets, by docs/guides/facets.md alone. */
export const facetsOf = ({ facets = [] }: Query, rows: Rows): FacetValues =>
  Object.fromEntries(
    facets.map((facet) => {
      const { max = Infinity, label } = facet
      const rowsOf = new Map<Value, unknown[]>()
      const selected = selectionOf(facet.filter, rows)
      for (const row of selected.slice(0, max)) {
        const values = new Set(valuesIn(row, facet).filter((value) => value !== null))
        for (const value of values.size === 0 ? [null] : values) rowsOf.set(value, [...(rowsOf.get(value) ?? []), row])
      }
      const labelOf = (counted: readonly unknown[]) =>
        counted
          .map((row) => valueAt(row, label!, 'string'))
          .sort(compareValues)
          .find((text) => text !== null) ?? null
      const sorted = [...rowsOf].sort(([a, many], [b, more]) => more.length - many.length || compareValues(a, b))
      const shown = sorted.map(
        ([value, counted]) =>
          ({
            value: writtenAs(facet.type, value),
            ...(label && { label: labelOf(counted) }),
            count: selected.length > max ? { atLeast: counted.length } : counted.length,
          }) as FacetValue,
      )
      return [[...facet.lists.flat(), ...facet.path].join('.'), shown.slice(0, facet.limit)]
    }),
  )

export const selectionOf = (filter: Filter, rows: Rows): Rows => rows.filter(memoryBackend().compile(filter))

/** The ids in the order of reading, at most `limit + 1`. */
export function idsOf({ filter, sort, limit, offset = 0, position }: Query, rows: Rows): readonly number[] {
  type Values = readonly (readonly Value[])[]
  const compareKeys = (a: Values, b: Values): number => {
    for (const [at, { direction, nulls }] of sort.entries()) {
      const [[one = null], [other = null]] = [a[at]!, b[at]!]
      const absent = Number(one === null) - Number(other === null)
      if (absent !== 0 && nulls !== undefined) return nulls === 'last' ? absent : -absent
      const differences = a[at]!.map((value, part) => compareValues(value, b[at]!.at(part) ?? null))
      const difference = differences.find((one) => one !== 0) ?? 0
      if (difference !== 0) return direction === 'ascending' ? difference : -difference
    }
    return 0
  }
  const sorted = selectionOf(filter, rows)
    .map(({ id, ...row }) => ({ id, values: sort.map((key) => valuesOf(key, memberAt({ ...row, id }, key.path))) }))
    .sort((a, b) => compareKeys(a.values, b.values))
  if (position === undefined) return sorted.slice(offset, offset + limit + 1).map(({ id }) => id)
  const place = position.values.map((literal, at) => valuesOf(sort[at]!, literal?.value))
  const after = sorted.filter(({ values }) => compareKeys(values, place) > 0)
  const before = sorted.filter(({ values }) => compareKeys(values, place) < 0)
  const read = position.toward === 'next' ? after : before.reverse()
  return read.slice(0, limit + 1).map(({ id }) => id)
}

// --- Rows, as an answer has them

/** The text of a whole number of 10^-100. */
function decimalText(value: bigint): string {
  const digits = String(value < 0n ? -value : value).padStart(101, '0')
  const fraction = digits.slice(-100).replace(/0+$/, '')
  return (value < 0n ? '-' : '') + digits.slice(0, -100) + (fraction === '' ? '' : `.${fraction}`)
}
function momentText(value: bigint): string {
  const rest = ((value % 1000n) + 1000n) % 1000n
  const text = new Date(Number((value - rest) / 1000n)).toISOString()
  return rest === 0n ? text : `${text.slice(0, -1)}${String(rest).padStart(3, '0')}Z`
}
/** The JSON of a scalar that is compared as a value. */
const scalarOf = (type: LiteralType, value: unknown): unknown => writtenAs(type, comparable[type](value))
function writtenAs(type: LiteralType, compared: Value): unknown {
  if (typeof compared !== 'bigint') return compared
  return type === 'bigint' ? String(compared) : type === 'decimal' ? decimalText(compared) : momentText(compared)
}

type Paths = readonly (readonly string[])[]
/** What paths name in a member; `undefined` where none names it. */
function pathsIn(paths: Paths, name: string): Paths | undefined {
  const inside = paths.flatMap((path) => (path.length === 0 ? [path] : path[0] === name ? [path.slice(1)] : []))
  return inside.length === 0 ? undefined : inside
}

/**
 * A value of a row as an answer has it: what has another form is null, and every field has a property. A table cannot tell no list
 * from one without entries, so both are `[]` here.
 *
 * @param isEmptyNull whether an object without any value is null: columns cannot tell the two.
 */
export function answerOf(definition: Field, value: unknown, paths: Paths, isEmptyNull: boolean): unknown {
  if (definition.type === 'list') {
    const entries: unknown[] = Array.isArray(value) ? value : []
    return entries.map((entry) => answerOf(definition.entry, entry, paths, isEmptyNull))
  }
  if (definition.type === 'json') return value ?? null
  if (definition.type === 'record') {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
    return sortedByKey(
      Object.entries(value).flatMap(([key, one]) => {
        const inside = pathsIn(paths, key)
        return inside === undefined ? [] : [[key, answerOf(definition.entry, one, inside, isEmptyNull)] as const]
      }),
    )
  }
  if (definition.type !== 'object')
    return scalarOf(definition.type === 'enumeration' ? 'string' : definition.type, value)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
  const members = Object.entries(definition.fields).flatMap(([name, member]) => {
    const inside = pathsIn(paths, name)
    if (inside === undefined) return []
    const own = Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined
    return [[name, answerOf(member, own, inside, isEmptyNull)] as const]
  })
  const isEmpty = members.every(
    ([, one]) => one === null || (Array.isArray(one) && one.every((entry) => entry === null)),
  )
  return isEmpty && isEmptyNull ? null : Object.fromEntries(members)
}

/** PostgreSQL's jsonb keeps no order of keys. */
const sortedByKey = (entries: readonly (readonly [key: string, value: unknown])[]) =>
  Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)))

/** The rows of the page of a query, as JSON texts. */
export function answersOf(schema: Schema, query: Query, rows: Rows, isEmptyNull: boolean): readonly string[] {
  const byId = new Map(rows.map((row) => [row.id, row]))
  const read = idsOf(query, rows).slice(0, query.limit)
  const inOrder = query.position?.toward === 'previous' ? read.toReversed() : read
  return inOrder.map((id) => textOf(schema, byId.get(id), query.fields ?? [[]], isEmptyNull))
}
const textOf = ({ fields }: Schema, row: unknown, paths: Paths, isEmptyNull: boolean): string =>
  // The row itself is never null.
  JSON.stringify(answerOf({ type: 'object', fields }, row, paths, isEmptyNull) ?? {})

/** A row that was read, where its lists and objects are told from none no better than in `answerOf`. Its values stay as they are. */
function evened(definition: Field, value: unknown, isEmptyNull: boolean): unknown {
  if (definition.type === 'list') {
    return value === null ? [] : (value as unknown[]).map((entry) => evened(definition.entry, entry, isEmptyNull))
  }
  if (definition.type === 'record' && value !== null) return sortedByKey(Object.entries(value as object))
  if (definition.type !== 'object' || value === null) return value
  const members = Object.entries(value as object).map(
    ([name, one]) => [name, evened(definition.fields[name]!, one, isEmptyNull)] as const,
  )
  return isEmptyNull && members.every(([, one]) => isNone(one)) ? null : Object.fromEntries(members)
}
const isNone = (value: unknown): boolean =>
  value === null || (Array.isArray(value) && value.every((entry) => entry === null))

/** The rows of a page that was read, as JSON texts. */
export const textsOf = ({ fields }: Schema, rows: readonly unknown[], isEmptyNull: boolean): readonly string[] =>
  rows.map((row) => JSON.stringify(evened({ type: 'object', fields }, row, isEmptyNull) ?? {}))
