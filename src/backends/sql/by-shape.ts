/** SQL by the shape of filters and queries, for speed alone: those that differ in operands share texts, if their operands allow it. */
import type { Comparison, Membership } from '../../tree/index.ts'
import type { Leaf } from '../issues.ts'
import { mergedOf, partsOf, placeOf, type ShapeCache } from '../shape.ts'
import { parameter, type Parameter, type Sql } from './dialect/sql.ts'
import type { Write } from './scope.ts'

/** The SQL of one condition, with slots for its parameters. */
interface Source {
  /** Where the conditions that make it are among those of the shape. */
  readonly places: readonly number[]
  readonly condition: Leaf
  readonly writer: (condition: Leaf) => Sql | boolean
  readonly written: Sql | boolean
}

/** The parts that inputs of a shape share. The parameters of their pieces are slots, and those that a dialect adds. */
interface Template<T> {
  readonly shared: T
  readonly sources: readonly Source[]
}

/** The cache of {@link byShape}. */
export type Templates<T, Input> = ShapeCache<Template<T>, Input>

/** The shared parts, and the values of one input for their slots. */
export interface Filled<T> {
  readonly shared: T
  readonly values: readonly unknown[]
}

/** A parameter's place among the values of all sources. */
class Slot {
  readonly at: number
  constructor(at: number) {
    this.at = at
  }
}

/**
 * Makes the function that finds the shared parts of an input: those of an earlier input of the same shape, or new ones.
 *
 * @param inPlaces copies an input, so that its conditions know their places.
 * @param make makes new parts; `write` receives each piece that depends on operands.
 */
export function byShape<T, Input>(
  templates: Templates<T, Input>,
  inPlaces: (input: Input) => Input,
  make: (input: Input, write: Write) => T,
): (input: Input) => Filled<T> {
  return (input) => {
    const conditions: Leaf[] = []
    const template = templates.get(input, conditions)
    const known = template && valuesOf(template.sources, conditions)
    if (known !== undefined) return { shared: template!.shared, values: known }
    const sources: Source[] = []
    const values: unknown[] = []
    const write: Write = (condition, writer) => {
      const piece = writer(condition)
      const written = typeof piece === 'boolean' ? piece : withSlots(piece, values)
      sources.push({ places: partsOf(condition).map(placeOf), condition, writer: writer as Source['writer'], written })
      return written
    }
    const shared = make(inPlaces(input), write)
    // A condition without a place would keep the operand of this input.
    if (sources.every(({ places }) => places.every((place) => place >= 0))) templates.set(input, { shared, sources })
    return { shared, values }
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

// An input of a known shape runs only the functions below, so they read lists by index.

/** The parameters of a shared piece, with the values of an input in their slots. */
export function parametersOf(parameters: readonly unknown[], values: readonly unknown[]): unknown[] {
  const all: unknown[] = []
  for (let at = 0; at < parameters.length; at++) all.push(valueIn(parameters[at], values))
  return all
}

/** The value of an input for a parameter of a shared piece. */
export const valueIn = (parameter: unknown, values: readonly unknown[]): unknown =>
  parameter instanceof Slot ? values[parameter.at] : parameter

/** The values of other conditions of the shape; `undefined` where these write another text. */
function valuesOf(sources: readonly Source[], conditions: readonly Leaf[]): unknown[] | undefined {
  const values: unknown[] = []
  for (let at = 0; at < sources.length; at++) {
    const { places, condition, writer, written } = sources[at]!
    const piece = writer(
      places.length === 1
        ? withOperatorOf(condition, conditions[places[0]!]!)
        : mergedOf(places.map((place) => conditions[place] as Comparison | Membership)),
    )
    const isConstant = typeof piece === 'boolean' || typeof written === 'boolean'
    if (isConstant ? piece !== written : !hasText(piece, written, values)) return undefined
  }
  return values
}

/** The condition of another input, with the operator of the source. The shape gives each value of a position as an equality. */
function withOperatorOf(condition: Leaf, other: Leaf): Leaf {
  if (condition.kind !== 'comparison' || other.kind !== 'comparison') return other
  return condition.operator === other.operator ? other : { ...condition, operand: other.operand }
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
