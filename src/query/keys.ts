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
import { decode, type Pair, type Source } from '../syntax/index.ts'

/** A key with its names resolved. */
export interface ResolvedKey {
  /** The path and the operator, even where the text leaves out the operator. */
  readonly name: string
  readonly field: ResolvedField
  readonly operator: OperatorRow
  readonly reader: Reader
}

const spellingsOf = weakCache<Schema, Cache<string, ResolvedKey>>()
const mostSpellings = 4_096

export function resolveKey(schema: Schema, source: Source, pair: Pair): ResolvedKey | undefined {
  let spellings = spellingsOf.get(schema)
  if (spellings === undefined) spellingsOf.set(schema, (spellings = boundedCache(mostSpellings)))
  const spelling = source.text.slice(pair.key.start, pair.key.end)
  const known = spellings.get(spelling)
  if (known !== undefined) return known

  const { path, operator: inside } = pair
  const field = schema.paths.get(decode(source, path))
  const operator = inside === undefined ? defaultOperator : operatorNamed.get(decode(source, inside))
  if (field === undefined || !operator?.types.includes(field.type)) return undefined
  const name = `${field.name}[${operator.name}]`
  const key = { name, field, operator, reader: readerOf(operator.reads, field) }
  // No other spelling is remembered: there is no end of them. A text of our own: a slice would keep the query in memory.
  const plain = inside === undefined ? field.name : name
  const own = /[%+]/.test(spelling) ? encodeURIComponent(plain) : plain
  if (own === spelling) spellings.set(own, key)
  return key
}
