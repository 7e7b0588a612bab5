/**
 * Reads a text that has nothing new in it: all its keys were accepted before, and its values are valid. That takes
 * half the time of the grammar (docs/internals/performance.md). The grammar reads every other text, and finds all that is
 * wrong: here there is no fault, only `undefined`.
 */
import { newSpan } from '../ast/index.ts'
import type { Finding, Span } from '../issue/index.ts'
import type { Collection, Operand, Schema } from '../language/index.ts'
import { decodeClear, decodeItem, parseList, type Limits, type NamedPair, type Source } from '../syntax/index.ts'
import type { BoundPair } from './combine.ts'
import { fewPairs, isNarrowedAway, keysOf, knownKeyAt, type Keys, type KnownKey } from './keys.ts'
import type { ReadText } from './read-text.ts'
import { isPlainText } from '../text.ts'

/** What the grammar and `bind` would find. */
export interface KnownText {
  readonly source: Source
  readonly members: readonly BoundPair[]
  readonly parameters: readonly NamedPair[]
  readonly findings: Finding[]
  readonly reserved: ReadonlyMap<string, readonly string[]>
}

/** What a text says that has nothing new in it; `undefined` for every other text. */
export function readKnown(
  schema: Schema,
  { source, limits, reservedNames, parameters: names, tooLong }: ReadText,
  collection?: Collection,
): KnownText | undefined {
  if (tooLong !== undefined || !isPlainText(source.text)) return undefined
  const { text } = source
  const hasMarks = source.hasEscapes || source.hasPluses
  const keys = keysOf(schema)
  const members: BoundPair[] = []
  const found: string[] = []
  const parameters: NamedPair[] = []
  const reserved = new Map<string, string[]>()

  let last: Keys | KnownKey = keys
  let count = 0
  for (let start = text.startsWith('?') ? 1 : 0, end; start <= text.length; start = end + 1) {
    if (++count > limits.pairs) return undefined
    const key = knownKeyAt(keys, last, text, start)
    const equals = key === undefined ? text.indexOf('=', start) : start + key.start.length - 1
    if (equals < 0) return undefined
    const next = text.indexOf('&', equals)
    end = next < 0 ? text.length : next
    const value = { start: equals + 1, end }
    if (key === undefined) {
      const name = text.slice(start, equals)
      // A name with a mark is spelt in another way, and a raw "&" ends a pair that has no "=".
      if (name.includes('&') || (hasMarks && /[%+]/.test(name))) return undefined
      const decoded = decodeClear(source, value)
      if (decoded === undefined) return undefined
      if (names.has(name)) parameters.push({ name, key: { start, end: equals }, value })
      else if (!reservedNames.includes(name)) return undefined
      else if (reserved.has(name)) reserved.get(name)!.push(decoded)
      else reserved.set(name, [decoded])
      continue
    }
    if (found.length === fewPairs || found.includes(key.name)) return undefined
    if (key.names > limits.depth || isNarrowedAway(collection, key)) return undefined
    const operands = operandsIn(source, value, key, limits)
    if (operands === undefined) return undefined
    members.push({ field: key.field, operator: key.operator, operands, span: newSpan(start, end) })
    found.push(key.name)
    last = key
  }
  return { source, members, parameters, findings: [], reserved }
}

/** The operands in a value; `undefined` where one is invalid. */
function operandsIn(source: Source, value: Span, key: KnownKey, limits: Limits): readonly Operand[] | undefined {
  const { operands: count } = key.operator
  const text = decodeClear(source, value)
  if (text === undefined) return undefined
  if (count === 'one') {
    const operand = operandOf(text, key, limits)
    return operand && [operand]
  }
  const isQuoted = text.includes('"')
  const items = isQuoted ? quotedItems(source, value) : itemsOf(text)
  if (items === undefined || items.length > limits.list || (count === 'two' && items.length !== 2)) return undefined
  const operands: Operand[] = []
  for (const item of items) {
    const operand = item === '' && !isQuoted ? undefined : operandOf(item, key, limits)
    if (operand === undefined) return undefined
    operands.push(operand)
  }
  return operands
}

/** The items of a list without quotes. `split` takes three times as long. */
function itemsOf(text: string): readonly string[] {
  const items: string[] = []
  let start = 0
  for (let comma = text.indexOf(','); comma >= 0; comma = text.indexOf(',', start)) {
    items.push(text.slice(start, comma))
    start = comma + 1
  }
  items.push(text.slice(start))
  return items
}

/** The items of a list with quotes, which the grammar reads; `undefined` where one is malformed or empty. */
function quotedItems(source: Source, value: Span): readonly string[] | undefined {
  const items = parseList(source, value)
  const isSound = items.every(({ quoteFault, start, end }) => quoteFault === undefined && start < end)
  return isSound ? items.map((item) => decodeItem(source, item)) : undefined
}

const operandOf = (text: string, { reader, field }: KnownKey, limits: Limits): Operand | undefined =>
  text.length > limits.operand ? undefined : reader.fromText(text, field)
