/** The facets of a query: which values are counted, and of which rows. */
import type { Filter, LiteralType } from '../tree/index.ts'
import type { Collection, ResolvedField } from '../language/index.ts'
import { combineParsed, type BoundMember } from './combine.ts'
import type { Facet } from './query.ts'

/** Combines the members without the pairs on the field of a facet: a choice does not hide its alternatives. */
export function filterBeside(field: ResolvedField, members: readonly BoundMember[], filter: Filter): Filter {
  const left = members.filter((member) => member.members !== undefined || member.field.name !== field.name)
  return left.length === members.length ? filter : combineParsed(left, false)
}

/** Makes a facet of a field. Collections refuse facets of objects, so the field is a scalar. */
export const facetOf = ({ facetLimit }: Collection, { lists, path, literal }: ResolvedField, filter: Filter): Facet =>
  Object.freeze({ lists, path, type: literal as LiteralType, limit: facetLimit, filter })

/** Whether a facet is of a field: of its lists, and of its path in them. */
export const isFacetOf = (field: ResolvedField, { lists, path, type }: Facet): boolean =>
  field.literal === type && JSON.stringify([field.lists, field.path]) === JSON.stringify([lists, path])
