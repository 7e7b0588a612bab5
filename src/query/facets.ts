/** The facets of a query: which values are counted, and of which rows. */
import { isSamePath, unchecked, type Filter, type LiteralType, type Path } from '../tree/index.ts'
import type { Collection, FacetField } from '../language/index.ts'
import { own } from '../own.ts'
import { combineParsed } from './combine.ts'
import type { AskedPart } from './conditions.ts'

/** Counts the rows of a query by the values of one field. */
export interface Facet {
  /** The lists around the field, outermost first. The path of each starts at an entry of the list before it. */
  readonly lists: readonly Path[]
  /** The path of the field from an entry of the innermost list. `[]` is the entry itself. */
  readonly path: Path
  readonly type: LiteralType
  /** The largest number of values: those with the most rows. */
  readonly limit: number
  /** The most rows to count. */
  readonly max?: number
  /** The path of the label. */
  readonly label?: Path
  /**
   * Selects the rows to count: the filter of the query without the conditions on the field itself, so that a chosen value does not hide
   * the others.
   */
  readonly filter: Filter
}

/** The dotted path of a facet. */
export const nameOfFacet = ({ lists, path }: Facet): string => [...lists.flat(), ...path].join('.')

/** The filter of the rows that have a value in the field of a facet. */
export const presenceOfFacet = ({ lists, path, type }: Facet): Filter =>
  lists.reduceRight<Filter>((inner, list) => unchecked.some(list, inner), unchecked.presence(path, type))

/** Compares the names of paths one by one, because a name may contain a dot. */
export const isSameField = (a: Pick<Facet, 'lists' | 'path'>, b: Pick<Facet, 'lists' | 'path'>): boolean =>
  isSamePath(a.path, b.path) &&
  a.lists.length === b.lists.length &&
  a.lists.every((list, at) => isSamePath(list, b.lists[at]!))

/** Combines the members without the conditions on the field of a facet, so that a chosen value does not hide the others. */
export function filterBeside(
  field: Pick<Facet, 'lists' | 'path'>,
  members: readonly AskedPart[],
  filter: Filter,
): Filter {
  const left = members.filter((member) => member.kind !== 'condition' || !isSameField(member, field))
  return left.length === members.length ? filter : combineParsed(left, false)
}

/** Makes a facet of a field. Collections refuse facets of objects, so the field is a scalar. */
export const facetOf = (
  { facetLimit }: Collection,
  { lists, path, literal, max, label }: FacetField,
  filter: Filter,
): Facet =>
  Object.freeze({
    ...{ lists, path, type: literal as LiteralType, limit: facetLimit, filter },
    ...(max !== undefined && { max }),
    ...(label && { label: label.path }),
  })

/** Compares a facet with a field of the option `facets`: path, type, `max` and label are equal. */
export const isFacetOf = (field: FacetField, facet: Facet): boolean =>
  field.literal === facet.type &&
  isSameField(field, facet) &&
  field.max === own(facet, 'max') &&
  isSamePath(field.label?.path ?? [], own(facet, 'label') ?? [])
