/** What a key asks for: its field and its operator, found by name, and remembered by its spelling. */
import { boundedCache, weakCache, type Cache } from '../cache.ts'
import {
  defaultOperator,
  operatorNamed,
  readerOf,
  type OperatorRow,
  type Reader,
  type ResolvedField,
  type Schema,
} from '../language/index.ts'
import { decode, type Condition, type Pair, type Source } from '../syntax/index.ts'

/** A key with its names resolved. */
export interface ResolvedKey {
  /** The path and the operator, even where the text leaves out the operator. */
  readonly name: string
  readonly field: ResolvedField
  readonly operator: OperatorRow
  readonly reader: Reader
}

/** The keys of a schema. */
export interface Keys {
  readonly schema: Schema
  /** Keys that were asked for before, by their spelling in the text. */
  readonly known: Cache<string, ResolvedKey>
}

const keysOfSchemas = weakCache<Schema, Keys>()
const mostSpellings = 4_096

export function keysOf(schema: Schema): Keys {
  let keys = keysOfSchemas.get(schema)
  if (keys === undefined) keysOfSchemas.set(schema, (keys = { schema, known: boundedCache(mostSpellings) }))
  return keys
}

/** What the key of a pair asks for; `undefined` when it has no such field, no such operator, or does not fit together. */
export function resolveKey({ schema, known }: Keys, source: Source, pair: Pair | Condition): ResolvedKey | undefined {
  const { key, path, operator: inside } = pair
  const spelling = source.text.slice(key.start, key.end)
  const before = known.get(spelling)
  if (before !== undefined) return before

  const field = schema.paths.get(decode(source, path))
  const operator = inside === undefined ? defaultOperator : operatorNamed.get(decode(source, inside))
  if (field === undefined || !operator?.types.includes(field.type)) return undefined
  const name = `${field.name}[${operator.name}]`
  const resolved = { name, field, operator, reader: readerOf(operator.reads, field) }
  // Only the usual spellings are remembered, raw and encoded: there are too many others. The text is one of our own: a
  // slice would keep the query in memory.
  const plain = inside === undefined ? field.name : name
  const own = /[%+]/.test(spelling) ? encodeURIComponent(plain) : plain
  if (own === spelling) known.set(own, resolved)
  return resolved
}
