/**
 * Plans: the SQL of a shape of filters is made once. The emitter sees no operand, only slots for parameters: what it writes
 * depends on operands only through writers, which are asked again for each filter of the shape.
 */
import type { Comparison, Literal } from '../../ast/index.ts'
import type { Condition } from '../issues.ts'
import { placeOf } from '../shape.ts'
import { parameter, type Parameter, type Sql } from './dialect/sql.ts'

/** What a condition has of its operands in the statement. */
type Writer<C> = (condition: C) => Sql

/** Where the statement has none of them: no other piece is without texts. */
export const unwritten: Sql = { strings: [], values: [] }
const alone = ['', '']

/** The condition at a place of the tree. What it wrote has slots for parameters. */
interface Source {
  readonly place: number
  readonly written: Sql
  readonly write: Writer<Condition> | undefined
  /** In place of `write`, where all that it writes is one value, or nothing. */
  readonly read: ((condition: Condition) => unknown) | undefined
}

/** What is in place of a value: its number among those of all sources. */
interface Slot {
  readonly [number]: number
}
const number = /* @__PURE__ */ Symbol('number')
const newSlot = (at: number): Parameter => parameter(Object.freeze<Slot>({ [number]: at }))
/** Made once: to make them takes a tenth of the time of a statement. */
const firstSlots = /* @__PURE__ */ newSlotsTo(64)

/** The sources that an emitter has met, and their values. */
export interface Slots {
  readonly sources: Source[]
  readonly values: unknown[]
}
export const newSlots = (): Slots => ({ sources: [], values: [] })

/** What a condition writes, with slots for its parameters. */
export function slotted<C extends Condition>({ sources, values }: Slots, condition: C, write: Writer<C>): Sql {
  const written = withSlots(write(condition), values)
  sources.push({ place: placeOf(condition), written, write: write as Writer<Condition>, read: undefined })
  return written
}

/** The slot for the operand of a comparison, in the form that is stored; `undefined` where no value can be. */
export function operandSlot(
  { sources, values }: Slots,
  condition: Comparison,
  encode: ((value: Literal['value']) => unknown) | undefined,
): Parameter | undefined {
  const encoded = ({ operand: { value } }: Comparison): unknown => (encode === undefined ? value : encode(value))
  const value = encoded(condition)
  const slot = value === undefined ? undefined : slotFor(value, values)
  const written = slot === undefined ? unwritten : { strings: alone, values: [slot] }
  const read = encoded as (condition: Condition) => unknown
  sources.push({ place: placeOf(condition), written, write: undefined, read })
  return slot
}

function newSlotsTo(count: number): readonly Parameter[] {
  return Array.from({ length: count }, (_, at) => Object.freeze(newSlot(at)))
}

function slotFor(value: unknown, values: unknown[]): Parameter {
  const at = values.push(value) - 1
  return at < firstSlots.length ? firstSlots[at]! : newSlot(at)
}

/** A piece with slots, and its values moved to a list. What has no parameters stays itself. */
function withSlots(piece: Sql, values: unknown[]): Sql {
  const before = values.length
  const slots: (Sql | Parameter)[] = []
  for (let at = 0; at < piece.values.length; at++) {
    const value = piece.values[at]!
    slots.push(value.strings === undefined ? slotFor(value.parameter, values) : withSlots(value, values))
  }
  return values.length === before ? piece : { strings: piece.strings, values: slots }
}

/** Whether a piece has the text of another one, which has slots; adds its values to a list. */
function isLike(piece: Sql, other: Sql, values: unknown[]): boolean {
  if (piece === other) return true
  if (!isSame(piece.strings, other.strings)) return false
  for (let at = 0; at < piece.values.length; at++) {
    const value = piece.values[at]!
    const there = other.values[at]!
    if (value.strings !== undefined && there.strings !== undefined) {
      if (!isLike(value, there, values)) return false
    } else if (value.strings === undefined && there.strings === undefined) values.push(value.parameter)
    else return false
  }
  return true
}

const isSame = (a: readonly string[], b: readonly string[]): boolean =>
  a === b || (a.length === b.length && a.every((text, at) => text === b[at]))

/** What filters of a shape have in common. */
export interface Plan {
  readonly text: string
  readonly strings: TemplateStringsArray
  /** Slots, and what a dialect adds of its own. */
  readonly parameters: readonly unknown[]
  /** For each parameter, the number of its slot; -1 for what a dialect adds. `undefined` where the values are the parameters. */
  readonly slots: readonly number[] | undefined
  readonly sources: readonly Source[]
}

/** For each parameter, the number of its slot; `undefined` where they are all slots, in order. */
export function slotsIn(parameters: readonly unknown[]): readonly number[] | undefined {
  const slots = parameters.map((given) =>
    typeof given === 'object' && given !== null && number in given ? (given as Slot)[number] : -1,
  )
  return slots.every((slot, at) => slot === at) ? undefined : slots
}

/** Parameters, with values in place of the slots. */
export function filled({ parameters, slots }: Plan, values: unknown[]): unknown[] {
  if (slots !== undefined) return slots.map((slot, at) => (slot < 0 ? parameters[at] : values[slot]))
  // The statement may leave out the last values, those of a condition that changes nothing.
  return values.length === parameters.length ? values : values.slice(0, parameters.length)
}

/** The parameters for other conditions of the shape; `undefined` where these write another text. */
export function parametersOf(plan: Plan, conditions: readonly Condition[]): unknown[] | undefined {
  const values: unknown[] = []
  const { sources } = plan
  for (let at = 0; at < sources.length; at++) {
    const { place, read, write, written } = sources[at]!
    const condition = conditions[place]!
    if (read === undefined) {
      if (!isLike(write!(condition), written, values)) return undefined
      continue
    }
    const value = read(condition)
    if ((value === undefined) !== (written === unwritten)) return undefined
    if (value !== undefined) values.push(value)
  }
  return filled(plan, values)
}
