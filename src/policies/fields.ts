/** Finds the fields that a policy names, and reads the values that it compares with them. */
import { isObject, maxFilterDepth, maxFilterNodes, refuse, unchecked } from '../tree/index.ts'
import type { Filter, Literal, Path, ReadProgress } from '../tree/index.ts'
import {
  accepts,
  operatorNamed,
  readerOf,
  type OperatorName,
  type ResolvedField,
  type Schema,
} from '../language/index.ts'

/** The row, or the entry of a list, at which paths start. */
export interface Start {
  readonly schema: Schema
  /** The dotted path of the list, with a dot behind it; '' for the row. */
  readonly prefix: string
  /** The number of lists around the start. */
  readonly depth: number
}

/** A field, and the lists between the start and the field. */
export interface FieldFrom {
  readonly start: Start
  readonly field: ResolvedField
  readonly lists: readonly Path[]
}

/** Finds the field at a dotted path from the start. */
export function fieldFrom(start: Start, path: string, reading: ReadProgress): FieldFrom {
  const field = start.schema.paths.get(start.prefix + path)
  if (field === undefined) return refuse(reading, 'is not a field of the schema')
  return { start, field, lists: field.lists.slice(start.depth) }
}

/** Tests whether a field is a list, and not a field of the entries of a list. */
export const isList = ({ field, lists }: FieldFrom): boolean => lists.length > 0 && field.path.length === 0

/** Returns the start at the entries of a list. */
export const entryOf = ({ start: { schema }, field }: FieldFrom): Start => ({
  schema,
  prefix: `${field.name}.`,
  depth: field.lists.length,
})

/** Requires one entry of each list for a condition. */
export const someOf = (lists: readonly Path[], condition: Filter): Filter =>
  lists.reduceRight((filter, list) => unchecked.some(list, filter), condition)

export const isPresent = ({ field }: FieldFrom): Filter => unchecked.presence(field.path, field.literal)

/** @throws TypeError when the language has no such operator for the type of the field. */
export function checkOperator({ field }: FieldFrom, name: OperatorName, reading: ReadProgress): void {
  if (!accepts(field, operatorNamed.get(name)!))
    refuse(reading, `does not apply to ${field.name} of type ${field.type}`)
}

/**
 * The literal of a value in the form that rows have: evaluators compare values as they are. Of a decimal there are several forms, and no
 * evaluator compares all of them by value.
 */
export function literalFor(from: FieldFrom, value: unknown, reading: ReadProgress): Literal {
  checkOperator(from, 'equals', reading)
  const { field } = from
  if (field.type === 'decimal')
    return refuse(reading, `compares ${field.name}, a decimal, which policies compare as text or as double`)
  const { expected, fromValue } = readerOf('value', field)
  const operand = fromValue(value)
  if (operand === undefined || operand.type === 'day' || (typeof value === 'string' && operand.value !== value))
    return refuse(reading, `must be a value of ${field.name} as rows contain it: ${expected}`)
  return operand
}

/** Reads a part that contains parts, within the limits of filters. An object may contain itself. */
export function nested<T>(reading: ReadProgress, read: () => T): T {
  if (++reading.levels > maxFilterDepth) refuse(reading, `nests deeper than ${maxFilterDepth} levels`)
  if (++reading.nodes > maxFilterNodes) refuse(reading, `is beyond ${maxFilterNodes} conditions`)
  const part = read()
  reading.levels--
  return part
}

/** Reads a list with at least one member. */
export function listIn(value: unknown, reading: ReadProgress): readonly unknown[] {
  return Array.isArray(value) && value.length > 0 ? value : refuse(reading, 'must be a list of at least one value')
}

/** Tests whether a value is an object without a class. A `Date`, an `ObjectId` and a list have one. */
export function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (!isObject(value) || Array.isArray(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  // `Object.prototype` of every realm has the prototype `null`.
  return prototype === null || Object.getPrototypeOf(prototype) === null
}
