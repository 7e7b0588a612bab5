/**
 * Plans: the document of a shape of filters is made once, with slots in place of operands. Later ones are copies of it, with
 * operands in the slots: conditions are read again, but not grouped and merged.
 */
import type { Condition } from '../issues.ts'
import { placeOf } from '../shape.ts'
import type { MongoDocument } from './document.ts'

/** What is in place of a value: its number among those of all sources. */
interface Slot {
  readonly [number]: number
}
const number = /* @__PURE__ */ Symbol('number')

/** What a reader returns where a condition has other operators than the plan. */
export const otherForm = /* @__PURE__ */ Symbol('other form')
/** What a condition has of its operands in a document; `undefined` where no value satisfies it. */
export type Reader<C> = (condition: C) => unknown

/** The condition at a place of the tree. */
export interface Source {
  readonly place: number
  readonly isSatisfiable: boolean
  readonly read: Reader<Condition>
}

/** The slot for the operands of a condition, whose value is only asked whether it is `undefined`. */
export function slotFor<C extends Condition>(
  sources: Source[],
  condition: C,
  value: unknown,
  read: Reader<C>,
): unknown {
  const isSatisfiable = value !== undefined
  const at = sources.push({ place: placeOf(condition), isSatisfiable, read: read as Reader<Condition> }) - 1
  return isSatisfiable ? Object.freeze<Slot>({ [number]: at }) : undefined
}

/** What filters of a shape have in common. */
export interface Plan {
  readonly template: Template
  readonly sources: readonly Source[]
  /** Slots of bounds that would be an equality if they were the same. */
  readonly unequal: readonly (readonly [number, number])[]
}

/** An object or a list: what it has under each key. */
type Template = { readonly isList: boolean; readonly entries: readonly Entry[] }
interface Entry {
  readonly key: string
  /** The number of its slot; -1 where it has another part. */
  readonly slot: number
  readonly inner: Template | undefined
  readonly constant: unknown
}

/** The plan of a document that has slots. */
export function planOf(
  document: MongoDocument,
  sources: readonly Source[],
  unequal: readonly (readonly [unknown, unknown])[],
): Plan {
  return { template: templateOf(document), sources, unequal: unequal.map(([a, b]) => [slotIn(a), slotIn(b)]) }
}

const slotIn = (value: unknown): number =>
  typeof value === 'object' && value !== null && number in value ? (value as Slot)[number] : -1

const templateOf = (document: MongoDocument): Template => ({
  isList: Array.isArray(document),
  entries: Object.entries(document).map(([key, value]: [string, unknown]) => {
    const slot = slotIn(value)
    const isConstant = slot >= 0 || typeof value !== 'object' || value === null
    return { key, slot, inner: isConstant ? undefined : templateOf(value), constant: value }
  }),
})

function copyOf({ isList, entries }: Template, values: readonly unknown[]): MongoDocument {
  const copy: MongoDocument = isList ? [] : {}
  for (let at = 0; at < entries.length; at++) {
    const { key, slot, inner, constant } = entries[at]!
    copy[key] = slot >= 0 ? values[slot] : inner === undefined ? constant : copyOf(inner, values)
  }
  return copy
}

/** The document for other conditions of the shape; `undefined` where these make one that no plan has. */
export function filled(plans: readonly Plan[], conditions: readonly Condition[]): MongoDocument | undefined {
  for (let at = 0; at < plans.length; at++) {
    const { template, sources, unequal } = plans[at]!
    const values = valuesOf(sources, conditions)
    if (values !== undefined && unequal.every(([a, b]) => values[a] !== values[b])) return copyOf(template, values)
  }
  return undefined
}

/** What conditions have of their operands; `undefined` where one has another form than its source. */
function valuesOf(sources: readonly Source[], conditions: readonly Condition[]): unknown[] | undefined {
  const values: unknown[] = []
  for (let at = 0; at < sources.length; at++) {
    const { place, isSatisfiable, read } = sources[at]!
    const value = read(conditions[place]!)
    if (value === otherForm || (value !== undefined) !== isSatisfiable) return undefined
    values.push(value)
  }
  return values
}
