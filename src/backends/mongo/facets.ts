/** Facets as aggregation pipelines, and the readers of their documents. */
import type { LiteralType, Path } from '../../tree/index.ts'
import { tallyOf, textOfPath, type FacetValue, nameOfFacet, type Facet } from '../../query/index.ts'
import { own, ownOf } from '../../own.ts'
import { dotted } from '../issues.ts'
import type { MongoDocument } from './document.ts'
import { nameOf, type BsonType, type Storage } from './options.ts'
import { scalarReader, storedAs, type Scalar } from './rows.ts'
import { isDocument, kindOf, numberOf } from './stored.ts'

/** The values of a facet, for `aggregate(pipeline)`. */
export interface MongoFacet {
  /** The dotted path of the field. */
  readonly path: string
  readonly pipeline: MongoDocument[]
  /**
   * Reads the documents of the pipeline. Values with more rows come first; with equal numbers, in ascending order.
   *
   * @param documents as the driver gives them.
   * @throws TypeError when a document is not of the pipeline.
   */
  readonly read: (documents: readonly object[]) => FacetValue[]
}

/** The type names that `$type` of an aggregation returns, by the name that a query uses. */
const subtypes: { readonly [T in BsonType]?: readonly BsonType[] } = { number: ['int', 'long', 'double', 'decimal'] }

/** Reads a stored value. A value of another type becomes null. */
function valueAt(field: string, type: BsonType | undefined): unknown {
  if (type === undefined) return { $ifNull: [field, null] }
  return { $cond: [{ $in: [{ $type: field }, own(subtypes, type) ?? [type]] }, field, null] }
}

const inField = (variable: string, name: string): string => (name === '' ? variable : `${variable}.${name}`)

/** Makes a document of each entry, and one document of a row without entries. A value of another form has zero entries. */
const unwound = (list: string): MongoDocument[] => [
  { $project: { v: { $cond: [{ $isArray: list }, list, []] } } },
  { $unwind: { path: '$v', preserveNullAndEmptyArrays: true } },
]

/** The values of a row without null. A row counts as null if this is empty. */
const present = { $setDifference: ['$v', [null]] }
const once: readonly MongoDocument[] = [
  { $project: { v: { $cond: [{ $eq: [present, []] }, [null], present] } } },
  { $unwind: '$v' },
]

/** Reads a document of the pipeline: a value, and the number of rows that have it. */
function countIn(document: unknown, at: number): { readonly stored: unknown; readonly count: number } {
  const counter = isDocument(document) ? own(document, 'count') : undefined
  const count = kindOf(counter) === 'number' ? Number(numberOf(counter)) : NaN
  if (Number.isSafeInteger(count) && count >= 0) return { stored: own(document as MongoDocument, '_id'), count }
  throw new TypeError(`documents[${at}] must be a document of the pipeline`)
}

const textAt = (storage: Storage, path: Path) =>
  valueAt(`$${nameOf(storage, '', path)}`, storedAs(storage, path, 'string').type)

/** Reads a part of the document of a pipeline with a bound on the rows. */
function partOf(document: unknown, name: 'values' | 'rows'): readonly unknown[] {
  const part = isDocument(document) ? own(document, name) : undefined
  if (Array.isArray(part)) return part
  throw new TypeError('documents[0] must be the document of the pipeline')
}

/** @param match the document of the facet's filter. */
export function facetOf(storage: Storage, facet: Facet, match: MongoDocument): MongoFacet {
  const { lists, path, type, limit, max, label } = ownOf(facet)
  const name = nameOfFacet(facet)
  const whole: Path = [...lists.flat(), ...path]
  const stages: MongoDocument[] = []
  let [list, at] = ['', '$']
  for (const one of lists) {
    const stored = nameOf(storage, list, one)
    stages.push(...unwound(at === '$' ? `$${stored}` : inField(at, stored)))
    list = dotted(list, one)
    at = '$v'
  }
  const stored = path.length === 0 ? '' : nameOf(storage, list, path)
  const value = valueAt(at === '$' ? `$${stored}` : inField(at, stored), storedAs(storage, whole, type).type)
  if (lists.length > 0) stages.push({ $group: { _id: '$_id', v: { $addToSet: value } } }, ...structuredClone(once))
  stages.push(
    {
      $group: {
        _id: lists.length > 0 ? '$v' : value,
        count: { $sum: 1 },
        ...(label && { label: { $min: textAt(storage, label) } }),
      },
    },
    { $sort: { count: -1, _id: 1 } },
    { $limit: limit },
  )
  const readAt = (at: Path, literal: LiteralType) =>
    scalarReader(storage, at, (storage.schema?.paths.get(textOfPath(at)) ?? { type: literal }) as Scalar)
  const [read, readText] = [readAt(whole, type), label && readAt(label, 'string')]
  const bounded = (most: number): MongoDocument[] => [
    { $limit: most + 1 },
    { $facet: { values: [{ $limit: most }, ...stages], rows: [{ $count: 'count' }] } },
  ]
  return {
    path: name,
    pipeline: [{ $match: match }, ...(max === undefined ? stages : bounded(max))],
    read: (documents) => {
      if (!Array.isArray(documents)) throw new TypeError('documents must be a list: await aggregate(…).toArray()')
      const tally = tallyOf(facet)
      const [values, rows] =
        max === undefined ? [documents, []] : [partOf(documents[0], 'values'), partOf(documents[0], 'rows')]
      for (const [at, document] of values.entries()) {
        const { stored, count } = countIn(document, at)
        const text = readText?.(own(document as MongoDocument, 'label')) as string | undefined
        tally.add((read(stored) ?? null) as FacetValue['value'], count, text)
      }
      return tally.values(rows.some((one) => countIn(one, 0).count > max!))
    },
  }
}
