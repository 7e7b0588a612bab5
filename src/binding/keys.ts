/** Resolves a key to its field and its operator, and remembers it by its spelling. */
import { boundedCache, weakCache, type Cache } from '../cache.ts'
import { accepts, defaultOperator, operatorNamed, readerOf, pathFrom } from '../language/index.ts'
import type { Collection, OperatorRow, Reader, ResolvedField, Schema } from '../language/index.ts'
import { keyText, type Condition, type Source } from '../asked/index.ts'
import { own } from '../own.ts'
import type { RawPair } from '../values/pairs.ts'

/** A key with its names resolved. */
export interface ResolvedKey {
  readonly names: number
  /** The path and the operator, even where the text leaves out the operator. */
  readonly name: string
  readonly field: ResolvedField
  readonly operator: OperatorRow
  readonly reader: Reader
  /** The alias in place of the path; `undefined` for the path. */
  readonly alias: string | undefined
}

/** A key, or the start of a text. */
interface Followed {
  /** The key that followed the last time: one comparison may save a search. */
  next: KnownKey | undefined
}
/** A key that was accepted before. */
export interface KnownKey extends ResolvedKey, Followed {
  readonly spelling: string
}

/** The keys of a schema by their spellings, the usual ones only. */
export interface Keys extends Followed {
  readonly known: Cache<string, KnownKey>
}

const keysOfSchemas = /* @__PURE__ */ weakCache<Schema, Keys>()
const mostSpellings = 4_096

export function keysOf(schema: Schema): Keys {
  let keys = keysOfSchemas.get(schema)
  if (keys === undefined)
    keysOfSchemas.set(
      schema,
      (keys = { known: boundedCache(Math.max(mostSpellings, 2 * schema.paths.size)), next: undefined }),
    )
  return keys
}

/** The known key of a pair, which comes after another one, or first. A pair without an `=` has none. */
export function knownKey(
  { known }: Keys,
  before: Followed,
  text: string,
  { start, equals, end }: RawPair,
): KnownKey | undefined {
  if (equals === end) return undefined
  const { next } = before
  if (next !== undefined && next.spelling.length === equals - start && text.startsWith(next.spelling, start))
    return next
  const key = known.get(text.slice(start, equals))
  if (key !== undefined) before.next = key
  return key
}

interface ResolveContext {
  readonly schema: Schema
  readonly source: Source
  readonly collection: Collection | undefined
}

/**
 * Whether a key of a record requires an operator in brackets: `metrics.cpu>=5` has a bound of another language. Browsers encode its sign,
 * so an encoded one means the same.
 */
export const endsInSign = (field: ResolvedField): boolean =>
  own(field, 'isKey') !== undefined && /[<>!~]$/.test(field.name)

/** The field of a condition. */
export function fieldOf(schema: Schema, { path, operator }: Condition): ResolvedField | undefined {
  const field = schema.paths.get(path.text)
  const isBare = operator === undefined || operator.start === operator.end
  return isBare && field !== undefined && endsInSign(field) ? undefined : field
}

/** Resolves the names of a condition: `undefined` when the field or the operator is unknown, or the field does not accept the operator. */
export function resolveKey(
  { schema, source, collection }: ResolveContext,
  condition: Condition,
): ResolvedKey | undefined {
  const { at, path, names, row, operator: inside } = condition
  const { known: spellings } = keysOf(schema)
  const spelling = source.isWritten ? source.text.slice(at.start, at.equals) : keyText(condition)
  // A name in an object is not percent-encoded, so it is not decoded.
  const isText = row === undefined && source.isWritten
  const before = isText ? spellings.get(spelling) : undefined
  if (before !== undefined) return before
  const written = path.text
  const field = fieldOf(schema, condition)
  const word = inside?.text
  const operator = row ?? (word === undefined ? defaultOperator : operatorCalled(word, collection))
  if (field === undefined || operator === undefined || !accepts(field, operator)) return undefined
  const name = `${field.name}[${operator.name}]`
  const isAlias = written !== pathFrom(field)
  const alias = isAlias ? copyOf(written) : undefined
  const resolved = { name, names, field, operator, reader: readerOf(operator.operandKind, field), alias }
  // Only the raw and the encoded spelling are remembered: there are too many others. The text comes from the schema, because a
  // slice of the query would keep all of it in memory.
  const isOther = isAlias || (word !== undefined && word !== operator.name)
  const plain = isOther
    ? copyOf(word === undefined ? written : `${written}[${word}]`)
    : inside === undefined
      ? field.name
      : name
  const plainSpelling = /[%+]/.test(spelling) ? encodeURIComponent(plain) : plain
  // Callers have endlessly many keys of records.
  if (isText && plainSpelling === spelling && own(field, 'isKey') === undefined)
    spellings.set(plainSpelling, { ...resolved, spelling: plainSpelling, next: undefined })
  return resolved
}

/** A copy that keeps no longer text in memory. */
const copyOf = (text: string): string => decodeURIComponent(encodeURIComponent(text))

/** The operator with a name, or with an alias of a collection. */
export function operatorCalled(word: string, collection: Collection | undefined): OperatorRow | undefined {
  const alias = collection?.aliases.operators.get(word)
  return operatorNamed.get(alias ?? word)
}

/** Whether a collection leaves out an operator of a field. */
export const isNarrowedAway = (collection: Collection | undefined, { field, operator }: ResolvedKey): boolean =>
  collection?.operators.get(field.name)?.includes(operator.name) === false
