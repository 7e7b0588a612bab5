/** What a key asks for: its field and its operator, found by name, and remembered by its spelling. */
import { boundedCache, weakCache, type Cache } from '../../cache.ts'
import {
  defaultOperator,
  operatorNamed,
  readerOf,
  type Collection,
  type OperatorRow,
  type Reader,
  type ResolvedField,
  type Schema,
} from '../../language/index.ts'
import { decode, type Condition, type Pair, type Source } from '../../syntax/index.ts'

/** A key with its names resolved. */
export interface ResolvedKey {
  /** How many names its path has. */
  readonly names: number
  /** The path and the operator, even where the text leaves out the operator. */
  readonly name: string
  readonly field: ResolvedField
  readonly operator: OperatorRow
  readonly reader: Reader
}

/** What comes before a key: another one, or the start of a text. */
interface Followed {
  /** The key that came next the last time: to compare it with the text takes less time than to look one up. */
  next: KnownKey | undefined
}
/** A key that was asked for before. */
export interface KnownKey extends ResolvedKey, Followed {
  /** Its spelling in the text, and the `=`. */
  readonly start: string
}

/** The keys of a schema. */
export interface Keys extends Followed {
  readonly schema: Schema
  readonly known: Cache<string, KnownKey>
}

const keysOfSchemas = /* @__PURE__ */ weakCache<Schema, Keys>()
const mostSpellings = 4_096

export function keysOf(schema: Schema): Keys {
  let keys = keysOfSchemas.get(schema)
  if (keys === undefined)
    keysOfSchemas.set(schema, (keys = { schema, known: boundedCache(mostSpellings), next: undefined }))
  return keys
}

/** What the key of a pair asks for; `undefined` when it has no such field, no such operator, or does not fit together. */
export function resolveKey({ schema, known }: Keys, source: Source, pair: Pair | Condition): ResolvedKey | undefined {
  const { key, path, names, operator: inside } = pair
  const spelling = source.text.slice(key.start, key.end)
  const before = known.get(spelling)
  if (before !== undefined) return before

  const field = schema.paths.get(decode(source, path))
  const operator = inside === undefined ? defaultOperator : operatorNamed.get(decode(source, inside))
  if (field === undefined || !operator?.types.includes(field.type)) return undefined
  const name = `${field.name}[${operator.name}]`
  const resolved = { name, names, field, operator, reader: readerOf(operator.reads, field) }
  // Only the usual spellings are remembered, raw and encoded: there are too many others. The text is one of our own: a
  // slice would keep the query in memory.
  const plain = inside === undefined ? field.name : name
  const own = /[%+]/.test(spelling) ? encodeURIComponent(plain) : plain
  if (own === spelling) known.set(own, { ...resolved, start: `${own}=`, next: undefined })
  return resolved
}

/** The known key whose spelling and `=` are at a place of the text. */
export function knownKeyAt({ known }: Keys, before: Followed, text: string, at: number): KnownKey | undefined {
  const { next } = before
  if (next !== undefined && text.startsWith(next.start, at)) return next
  const equals = text.indexOf('=', at)
  const key = equals < 0 ? undefined : known.get(text.slice(at, equals))
  if (key !== undefined) before.next = key
  return key
}

export const isNarrowedAway = (collection: Collection | undefined, { field, operator }: ResolvedKey): boolean =>
  collection?.operators.get(field.name)?.includes(operator.name) === false

/** Names of so few keys are compared one by one: a Set would take a tenth of a short query's time (docs/internals/performance.md). */
export const fewPairs = 16
