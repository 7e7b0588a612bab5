/**
 * The part of an order that a page can still be in, by the first sort key. One read tells that a row is outside, as most
 * rows of a long list are: docs/internals/performance.md, "Pages in memory", has the figures.
 */
import type { ComparisonOperator, Literal, LiteralType, Path } from '../../ast/index.ts'
import { canonicalDateTime, isDateTime } from '../../text/time.ts'
import type { Ordered } from './ordered.ts'
import { isPlain, isInherited, readerAt, type Predicate } from './rows.ts'
import { comparison } from './values.ts'

/** A window. It holds all values until something is cut off. */
export interface Window {
  /** Whether a row is outside for certain. Others are compared key by key. */
  readonly isOutside: Predicate
  /** Cuts off what is less than a value. */
  readonly cutBelow: (value: Ordered) => void
  /** Cuts off what is greater than a value. */
  readonly cutAbove: (value: Ordered) => void
}
type WindowOf = (name: string) => Window

export const never: Predicate = () => false
const nothing = (): void => {}
const open: Window = { isOutside: never, cutBelow: nothing, cutAbove: nothing }

// Each form reads the property itself, so that the engine sees one name and one type there.

const valueOf = (row: unknown, name: string): unknown => (row as Readonly<Record<string, unknown>>)[name]

const numbers: WindowOf = (name) => {
  let least = -Infinity
  let greatest = Infinity
  return {
    isOutside: (row) => {
      if (!isPlain(row)) return false
      const value = valueOf(row, name)
      return typeof value === 'number' && (value < least || value > greatest)
    },
    cutBelow: (value = -Infinity) => (least = value as number),
    cutAbove: (value = -Infinity) => (greatest = value as number),
  }
}

/** The order of UTF-16 units is that of code points where one of the texts has no unit from U+D800 up. */
export const isInUnits = (text: string): boolean => !/[\ud800-\uffff]/.test(text)

const texts: WindowOf = (name) => {
  let least = ''
  let greatest = ''
  let isCutBelow = false
  let isCutAbove = false
  return {
    isOutside: (row) => {
      if (!isPlain(row)) return false
      const value = valueOf(row, name)
      return typeof value === 'string' && ((isCutAbove && value > greatest) || (isCutBelow && value < least))
    },
    cutBelow: (value = '') => {
      isCutBelow = isInUnits(value as string)
      least = value as string
    },
    cutAbove: (value = '') => {
      isCutAbove = isInUnits(value as string)
      greatest = value as string
    },
  }
}

/**
 * The predicate for values that compare so for certain: of texts, those that have the form. It is always false for a value
 * without a literal, such as an invalid Date.
 */
export function beside(operator: ComparisonOperator, type: 'date' | 'datetime', ordered: Ordered): Predicate {
  const value = type === 'datetime' ? canonicalDateTime(ordered as number) : ordered
  if (value === undefined || value === '' || !isInUnits(value as string)) return never
  const isBeside = comparison({ kind: 'comparison', path: [], operator, operand: { type, value } as Literal })
  // A day counts as it is written.
  return type === 'date' ? isBeside : (given) => isBeside(given) && (typeof given !== 'string' || isDateTime(given))
}

const times =
  (type: 'date' | 'datetime'): WindowOf =>
  (name) => {
    let isBelow = never
    let isAbove = never
    return {
      isOutside: (row) => {
        if (!isPlain(row)) return false
        const value = valueOf(row, name)
        return isBelow(value) || isAbove(value)
      },
      cutBelow: (value) => (isBelow = beside('lt', type, value)),
      cutAbove: (value) => (isAbove = beside('gt', type, value)),
    }
  }

const windows: { readonly [T in LiteralType]: WindowOf } = {
  string: texts,
  integer: numbers,
  number: numbers,
  boolean: () => open,
  date: times('date'),
  datetime: times('datetime'),
}

/** The window of one reading of rows: what `Object.prototype` has is looked up once. */
export function windowOf(path: Path, type: LiteralType): Window {
  const name = path.at(-1)!
  if (isInherited(name)) return open
  const window = windows[type](name)
  if (path.length === 1) return window
  const holder = readerAt(path.slice(0, -1))
  return { ...window, isOutside: (row) => window.isOutside(holder(row)) }
}
