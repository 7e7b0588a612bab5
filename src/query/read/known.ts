/**
 * Reads the pairs at the start of a text that have nothing new in them: their keys were accepted before, and their values
 * are valid. That takes half the time of the grammar (docs/internals/performance.md). The grammar reads the rest of the
 * text, and finds all that is wrong: here there is no fault, only an end.
 */
import { newSpan } from '../../ast/index.ts'
import type { Span } from '../../issue/index.ts'
import { isSearch, type Collection, type Operand, type Schema } from '../../language/index.ts'
import { decodeClear, decodeItem, parseList, type Limits, type NamedPair, type Source } from '../../syntax/index.ts'
import { newPair, type BoundPair } from '../combine.ts'
import { fewPairs, isNarrowedAway, keysOf, knownKeyAt, type Keys, type KnownKey } from './keys.ts'
import type { ReadText, Rest } from './read-text.ts'
import { isPlainText } from '../../text/characters.ts'

/** What the grammar and `bind` would find in these pairs. */
export interface KnownPairs extends Rest {
  readonly members: BoundPair[]
  readonly parameters: NamedPair[]
  /** The names of the keys of the members. */
  readonly names: string[]
  /** How many of the members are searches. */
  searches: number
}

/** What a text says before there is anything new in it. */
export function readKnown(schema: Schema, read: ReadText, collection?: Collection): KnownPairs {
  const known: KnownPairs = {
    members: [],
    parameters: [],
    names: [],
    searches: 0,
    reserved: undefined,
    rest: undefined,
  }
  known.rest = restOf(schema, read, collection, known)
  return known
}

/** Adds what the known pairs say, and returns where the others begin, if there are any. */
function restOf(
  schema: Schema,
  { source, limits, reservedNames, parameters: named }: ReadText,
  collection: Collection | undefined,
  known: KnownPairs,
): number | undefined {
  if (source === undefined) return 0
  const { members, parameters, names } = known
  const { text } = source
  let { start } = source
  if (!isPlainText(text)) return start
  const keys = keysOf(schema)

  let last: Keys | KnownKey = keys
  for (let count = 1, end; start < text.length; start = end + 1, count++) {
    // The grammar skips empty pairs. The limit of pairs does not count them.
    while (text[start] === '&') start++
    if (start === text.length) break
    const key = knownKeyAt(keys, last, text, start)
    const equals = key === undefined ? text.indexOf('=', start) : start + key.start.length - 1
    if (equals < 0 || count > limits.pairs) return start
    const next = text.indexOf('&', equals)
    end = next < 0 ? text.length : next
    const value = { start: equals + 1, end }
    if (key === undefined) {
      const name = text.slice(start, equals)
      const isParameter = named.has(name)
      if (!isParameter && !reservedNames.includes(name)) return start
      const decoded = decodeClear(source, value)
      // A name with a mark is spelt in another way, and a raw "&" ends a pair that has no "=".
      if (decoded === undefined || /[&%+]/.test(name)) return start
      if (isParameter) parameters.push({ name, key: { start, end: equals }, value })
      else {
        known.reserved ??= new Map()
        const values = known.reserved.get(name)
        if (values === undefined) known.reserved.set(name, [decoded])
        else values.push(decoded)
      }
      continue
    }
    if (names.length === fewPairs || names.includes(key.name)) return start
    if (key.names > limits.depth || isNarrowedAway(collection, key)) return start
    const searches = known.searches + Number(isSearch(key.operator, key.field))
    if (searches > limits.searches) return start
    const operands = operandsIn(source, value, key, limits)
    if (operands === undefined) return start
    members.push(newPair(key.field, key.operator, operands, newSpan(start, end)))
    names.push(key.name)
    known.searches = searches
    last = key
  }
  return undefined
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

/** The items of a list without quotes. `split` takes twice as long. */
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
