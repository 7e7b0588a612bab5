/** Conditions of filters by their shape, for speed alone: filters that differ in operands share a text, if their operands allow it. */
import type { Filter } from '../../tree/index.ts'
import type { Leaf } from '../issues.ts'
import { inPlaces, placeOf, shapeCache } from '../shape.ts'
import { parameter, type Parameter, type Sql } from './dialect/sql.ts'
import type { Write } from './scope.ts'
import type { SqlCondition, SqlPiece } from './statement.ts'

/** The SQL of one condition, with slots for its parameters. */
interface Source {
  /** Where the condition is among those of the filter. */
  readonly place: number
  readonly writer: (condition: Leaf) => Sql | boolean
  readonly written: Sql | boolean
}

/** The SQL that filters of a shape share. Its parameters are slots, and those that a dialect adds. */
interface Template extends SqlPiece {
  readonly sources: readonly Source[]
}

/** A parameter's place among the values of all sources. */
class Slot {
  readonly at: number
  constructor(at: number) {
    this.at = at
  }
}

/**
 * Makes the function that writes the condition of a filter. It reuses the text of an earlier filter of the same shape.
 *
 * @param make writes a new condition; `write` receives each part that depends on operands.
 */
export function byShape(make: (filter: Filter, write: Write) => SqlPiece): (filter: Filter) => SqlCondition {
  const templates = shapeCache<Template>(256)
  return (filter) => {
    const conditions: Leaf[] = []
    const template = templates.get(filter, conditions)
    const slots = template && valuesOf(template, conditions)
    if (slots !== undefined) return filled(template!, slots)
    const sources: Source[] = []
    const values: unknown[] = []
    const write: Write = (condition, writer) => {
      const piece = writer(condition)
      const written = typeof piece === 'boolean' ? piece : withSlots(piece, values)
      sources.push({ place: placeOf(condition), writer: writer as Source['writer'], written })
      return written
    }
    const fresh: Template = { ...make(inPlaces(filter, { next: 0 }), write), sources }
    templates.set(filter, fresh)
    return filled(fresh, values)
  }
}

/** Moves the values of a piece to a list, and returns the piece with slots. A piece without parameters is returned as it is. */
function withSlots(piece: Sql, values: unknown[]): Sql {
  const before = values.length
  const slots = piece.values.map((value): Sql | Parameter =>
    value.strings === undefined ? parameter(new Slot(values.push(value.parameter) - 1)) : withSlots(value, values),
  )
  return values.length === before ? piece : { strings: piece.strings, values: slots }
}

// By index from here on: this is all that a filter of a known shape costs.

function filled({ text, strings, parameters }: Template, values: readonly unknown[]): SqlCondition {
  const all: unknown[] = []
  for (let at = 0; at < parameters.length; at++) {
    const value: unknown = parameters[at]
    all.push(value instanceof Slot ? values[value.at] : value)
  }
  return { text, strings, parameters: all, negatable: true }
}

/** The values of other conditions of the shape; `undefined` where these write another text. */
function valuesOf({ sources }: Template, conditions: readonly Leaf[]): unknown[] | undefined {
  const values: unknown[] = []
  for (let at = 0; at < sources.length; at++) {
    const { place, writer, written } = sources[at]!
    const piece = writer(conditions[place]!)
    const isConstant = typeof piece === 'boolean' || typeof written === 'boolean'
    if (isConstant ? piece !== written : !hasText(piece, written, values)) return undefined
  }
  return values
}

/** Whether a piece has the text of another one, which has slots; adds its values to a list. */
function hasText(piece: Sql, other: Sql, values: unknown[]): boolean {
  if (piece === other) return true
  if (!isSame(piece.strings, other.strings)) return false
  for (let at = 0; at < piece.values.length; at++) {
    const value = piece.values[at]!
    const there = other.values[at]!
    if (value.strings === undefined && there.strings === undefined) values.push(value.parameter)
    else if (value.strings === undefined || there.strings === undefined || !hasText(value, there, values)) return false
  }
  return true
}

const isSame = (a: readonly string[], b: readonly string[]): boolean =>
  a === b || (a.length === b.length && a.every((text, at) => text === b[at]))
