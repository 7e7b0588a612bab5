/** Adds the option `defaults` of a collection to the members of a query. */
import { defaultsOf, operandsOf, pathFrom } from '../language/index.ts'
import type { Collection, DefaultPair, LazyClock, ResolvedField } from '../language/index.ts'
import { newCondition, type AskedPart, type BoundMember } from './conditions.ts'

/** The paths of the fields of a member, from the row on. */
const pathsIn = (part: AskedPart, before = ''): readonly string[] => {
  if (part.kind === 'filter') return []
  if (part.kind === 'condition') return [before + pathFrom(part)]
  const list = part.lists.flat().join('.')
  return part.members.flatMap((member) => pathsIn(member, list === '' ? before : `${before}${list}.`))
}

/**
 * Returns the pairs of `defaults` whose field no member names.
 *
 * @param leftOut the fields of the pairs without a value that a collection leaves out.
 */
export function unnamedDefaults(
  { defaults }: Collection,
  members: readonly AskedPart[],
  leftOut: readonly ResolvedField[] = [],
): readonly DefaultPair[] {
  if (defaults.length === 0) return defaults
  const named = new Set([...leftOut.map(({ name }) => name), ...members.flatMap((member) => pathsIn(member))])
  return defaults.filter(({ field }) => !named.has(field.name))
}

/** Adds the pairs of `defaults` whose field no member names. */
export function withDefaults(
  collection: Collection,
  members: readonly BoundMember[],
  clock: LazyClock,
  leftOut?: readonly ResolvedField[],
): readonly BoundMember[] {
  const unnamed = unnamedDefaults(collection, members, leftOut)
  if (unnamed.length === 0) return members
  const added = defaultsOf(collection).filter((_, at) => unnamed.includes(collection.defaults[at]!))
  return [...members, ...added.map((one) => newCondition(one.field, one.operator, operandsOf(one, clock)))]
}
