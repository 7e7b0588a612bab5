/** Reads the pairs of a text in one loop: a known key is looked up, and the grammar reads every other one. */
import type { Finding } from '../issue/index.ts'
import { type Collection, type Schema, pairsFinding, type Naming, type Uses } from '../language/index.ts'
import {
  decodeClear,
  decodingFault,
  faultFinding,
  faultOfNamed,
  keyOf,
  parseGroup,
  parsePair,
  reservedFinding,
  valueOf,
  type Source,
  type SyntaxFinding,
  type ReadText,
} from '../reading/index.ts'
import type { BoundMember, Word } from '../query/index.ts'
import { bindGroup, bindOperands, bindPair, bindRepeated, isLeftOut, newNames, type Together } from './bind.ts'
import type { TextClock } from './clock.ts'
import { withAdvice, type BindContext, type Search } from './findings.ts'
import { isNarrowedAway, keysOf, knownKey, resolveKey, type Keys, type KnownKey } from './keys.ts'
import { readSearch, type Parameter } from './parameters.ts'
import { newBudget } from '../suggest.ts'
import type { RawPair } from '../values/pairs.ts'

/** What the pairs of a text mean, in its order, and every fault of them. */
export interface Reading {
  readonly members: readonly BoundMember[]
  readonly parameters: readonly Parameter[]
  readonly findings: Finding[]
  /** `findSearches` compares their number with the limit. */
  readonly searches: readonly Search[]
  /** The words of the search. `undefined` without a search, and for a search with a fault. */
  readonly search: readonly Word[] | undefined
  /** The deprecated names that were found. */
  readonly uses: Uses | undefined
  /** Whether a limit ended the reading: it is the only finding. */
  readonly isRefused: boolean
  readonly clock: TextClock | undefined
}

const refused = (finding: Finding): Reading => ({
  ...{ members: [], parameters: [], findings: [finding], searches: [], search: undefined, uses: undefined },
  isRefused: true,
  clock: undefined,
})

/** What the loop adds to. */
interface Progress extends BindContext, Together {
  readonly parameters: Parameter[]
  search: readonly Word[] | undefined
  readonly isRefused: false
  /** How many more pairs and conditions of groups there may be. */
  left: number
}

/**
 * Reads all pairs of a text. The value of a known key goes through the same functions as that of a new one.
 *
 * @param collection narrows the operators of fields.
 */
export function readPairs({ schema, deprecated }: Naming, read: ReadText, collection?: Collection): Reading {
  const { source, limits } = read
  if (source === undefined) return refused(read.tooLong)
  const { text, pairs } = source
  const progress = start(schema, deprecated, read, source, collection)
  const keys = keysOf(schema)

  let last: Keys | KnownKey = keys
  for (const pair of pairs) {
    const key = knownKey(keys, last, text, pair)
    if (key === undefined || key.names > limits.depth || isNarrowedAway(collection, key)) {
      const tooMany = readOther(progress, read, pair)
      if (tooMany !== undefined) return refused(pairsFinding(source.text, limits.pairs, tooMany))
      continue
    }
    if (progress.left-- === 0) return refused(pairsFinding(source.text, limits.pairs, pair.start))
    last = key
    const value = valueOf(pair)
    const fault = decodingFault(source, value)
    if (fault === undefined) bindOperands(progress, progress, key, pair, value)
    else progress.findings.push(faultFinding(fault))
  }
  return progress
}

function start(
  schema: Schema,
  deprecated: Naming['deprecated'],
  read: ReadText,
  source: Source,
  collection: Collection | undefined,
): Progress {
  const { limits, reservedNames: reserved, words } = read
  return {
    schema,
    isInGroup: false,
    isInEntry: false,
    collection,
    source,
    limits,
    reserved,
    words,
    clock: { read, made: undefined, used: undefined },
    budget: newBudget(),
    findings: [],
    searches: [],
    prefix: '',
    uses: deprecated && { deprecated, found: new Map() },
    repeated: collection?.lists === 'repeated' ? new Map() : undefined,
    members: [],
    names: newNames(source.pairs.length),
    parameters: [],
    search: undefined,
    isRefused: false,
    left: limits.pairs,
  }
}

/**
 * Reads a pair whose key is new, reserved, a parameter, a word of groups, or refused.
 *
 * @returns the offset of the first pair or condition beyond the limit; `undefined` within it.
 */
function readOther(
  progress: Progress,
  { words, parameters, reservedNames, isWritten }: ReadText,
  pair: RawPair,
): number | undefined {
  const { source, findings } = progress
  const { start, equals, end } = pair
  const find = (finding: SyntaxFinding): void => void findings.push(withAdvice(progress, finding))
  const hasNames = reservedNames.length > 0 || parameters.size > 0 || words.size > 0
  const name = hasNames ? decodeClear(source, keyOf(pair)) : undefined
  const word = name === undefined ? undefined : words.get(name)
  const parameter = name === undefined ? undefined : parameters.get(name)
  if (word !== undefined && equals < end) {
    // A group counts as the conditions in it.
    const { members, starts } = parseGroup(source, valueOf(pair), words, find)
    if (starts.length > progress.left) return starts[progress.left]
    progress.left -= starts.length
    const group = bindGroup(progress, { start, end, word, path: keyOf(pair), names: 1, members })
    if (group !== undefined) progress.members.push(group)
    return undefined
  }
  if (progress.left-- === 0) return start
  if (name !== undefined && !isWritten && reservedNames.includes(name)) {
    const fault = faultOfNamed(source, pair)
    if (fault !== undefined) findings.push(reservedFinding(fault, keyOf(pair)))
  } else if (parameter !== undefined) {
    const fault = faultOfNamed(source, pair)
    if (fault === undefined) addParameter(progress, { parameter, key: keyOf(pair), value: valueOf(pair) })
    else find(faultFinding(fault, { key: keyOf(pair), value: undefined, isInGroup: false, lists: [] }))
  } else {
    const list = progress.repeated === undefined ? null : listKey.exec(source.text.slice(start, equals))
    const parsed = parsePair(source, pair, find, start + (list?.index ?? equals - start))
    if (parsed === undefined) return undefined
    const key = list === null ? undefined : resolveKey(progress.schema, source, parsed, progress.collection)
    if (key === undefined || key.names > progress.limits.depth) bindPair(progress, progress, parsed)
    else bindRepeated(progress, progress, key, pair, parsed.value, true)
  }
  return undefined
}

/** Brackets without an operator, raw or encoded. */
const listKey = /(?:\[|%5b)(?:\]|%5d)$/i

/** Adds a parameter. */
function addParameter(progress: Progress, one: Parameter): void {
  if (isLeftOut(progress, one.value)) return
  const { collection, parameters } = progress
  const isRead = one.parameter === 'search' && !parameters.some(({ parameter }) => parameter === one.parameter)
  parameters.push(one)
  if (isRead && collection !== undefined) progress.search = readSearch({ ...progress, collection }, one)
}
