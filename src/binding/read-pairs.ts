/** Reads the pairs of a text in one loop: a known key is looked up, and the grammar reads every other one. */
import type { Finding } from '../issue/index.ts'
import {
  type Collection,
  parameterForms,
  type ParameterForm,
  type ResolvedField,
  type Schema,
  pairsFinding,
  type GroupWord,
  type FieldNames,
  type Uses,
} from '../language/index.ts'
import { decode, decodeClear, decodingFault, keyOf, valueOf } from '../asked/index.ts'
import type { Asked, Condition, Parameter, Source } from '../asked/index.ts'
import {
  faultFinding,
  faultOfNamed,
  newValue,
  parseGroup,
  parseList,
  parsePair,
  parseWords,
  reservedFinding,
} from '../reading/index.ts'
import type { TextRequest, Malformed, SyntaxFinding } from '../reading/index.ts'
import { addGroup, newRow, type BoundMember, type Conditions, type Word } from '../query/index.ts'
import { bindCondition, bindGroup, bindOperands, bindRepeated, isLeftOut, newNames, type Together } from './bind.ts'
import { textClock, type ClockParameters, type TextClock } from './clock.ts'
import type { TextAdviser } from './doubt.ts'
import { inContext, type BindContext, type Search } from './findings.ts'
import { isNarrowedAway, keysOf, knownKey, type Keys, type KnownKey } from './keys.ts'
import { readSearch } from './parameters.ts'
import { own } from '../own.ts'
import type { RawPair } from '../values/pairs.ts'

/** The conditions, groups and parameters of a text, in its order, and all of its faults. */
export interface BoundPairs {
  readonly members: readonly BoundMember[]
  readonly row: Conditions | undefined
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
  /** The fields of the pairs without a value that the collection leaves out. */
  readonly leftOut: readonly ResolvedField[]
}

export const refused = (finding: Finding): BoundPairs => ({
  members: [],
  row: undefined,
  parameters: [],
  findings: [finding],
  searches: [],
  search: undefined,
  uses: undefined,
  isRefused: true,
  clock: undefined,
  leftOut: [],
})

/** The result so far, to which each pair adds. */
export interface Progress extends BindContext, Together {
  readonly parameters: Parameter[]
  search: readonly Word[] | undefined
  readonly isRefused: false
  /** How many more pairs and conditions of groups there may be. */
  left: number
}

/** Reads all pairs of a text. The value of a known key goes through the same functions as that of a new one. */
export function readPairs(
  { schema, deprecated }: FieldNames,
  read: TextRequest,
  adviser: TextAdviser | undefined,
  collection?: Collection,
): BoundPairs {
  const { source, limits, words } = read
  if (source === undefined) return refused(read.tooLong)
  const { text, pairs } = source
  // Without groups, each pair counts: none is read where there are too many.
  if (words.size === 0 && pairs.length > limits.pairs)
    return refused(pairsFinding(text, limits.pairs, pairs[limits.pairs]!.start))
  const progress = start(schema, deprecated, read, source, collection, adviser)
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
    const value = newValue(pair)
    const fault = decodingFault(source, value)
    if (fault !== undefined) {
      progress.findings.push(faultFinding(fault))
      continue
    }
    if (key.operator.operands === 'one' || progress.repeated !== undefined) value.text = decode(source, value)
    if (key.operator.operands !== 'one') value.items = parseList(source, value)
    if (progress.repeated === undefined || /(?:\]|%5d)$/i.test(key.spelling)) {
      if (!isLeftOut(progress, value, key.field)) bindOperands(progress, progress, key, pair, value)
    } else bindRepeated(progress, progress, key, pair, value, false)
  }
  return progress
}

export function start(
  schema: Schema,
  deprecated: FieldNames['deprecated'],
  read: TextRequest,
  source: Source,
  collection: Collection | undefined,
  adviser: TextAdviser | undefined,
  asked = clockParameters,
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
    clock: textClock(read, asked),
    leftOut: [],
    adviser,
    findings: [],
    searches: [],
    prefix: '',
    uses: deprecated && { deprecated, found: new Map() },
    repeated: collection?.lists === 'repeated' ? new Map() : undefined,
    members: [],
    row: collection === undefined ? newRow() : undefined,
    names: newNames(source.pairs.length),
    parameters: [],
    search: undefined,
    isRefused: false,
    left: limits.pairs,
  }
}

/** Reads a pair whose key is new, reserved, a parameter, a word or refused. @returns the offset of the first pair or condition beyond the limit. */
function readOther(
  progress: Progress,
  { words, parameters, reservedNames }: TextRequest,
  pair: RawPair,
): number | undefined {
  const { source, findings } = progress
  const { start, equals, end } = pair
  const key = { start, end: equals }
  const hasNames = reservedNames.length > 0 || parameters.size > 0 || words.size > 0
  const name = hasNames ? decodeClear(source, key) : undefined
  const word = name === undefined ? undefined : words.get(name)
  const parameter = name === undefined ? undefined : parameters.get(name)
  if (word !== undefined && equals < end) return readGroup(progress, pair, word)
  if (progress.left-- === 0) return start
  if (name !== undefined && reservedNames.includes(name)) {
    const fault = faultOfNamed(source, pair)
    if (fault !== undefined) findings.push(reservedFinding(fault, key))
  } else if (parameter !== undefined) {
    const fault = faultOfNamed(source, pair)
    if (fault === undefined) {
      const value = newValue(pair)
      value.text = decode(source, value)
      value.items = own(itemsOf, parameterForms[parameter])?.(source, value)
      if (!isLeftOut(progress, value)) addParameter(progress, { parameter, at: pair, value })
    } else {
      const malformed: Malformed = { key, value: undefined, isInGroup: false, lists: [] }
      findings.push(inContext(progress, faultFinding(fault, malformed)))
    }
  } else {
    const [condition, isList] = readCondition(progress, pair)
    if (condition !== undefined) bindCondition(progress, progress, condition, isList)
  }
  return undefined
}

/** Reads a group, which counts as the conditions in it. @returns the offset of the first one beyond the limit. */
export function readGroup(progress: Progress, pair: RawPair, word: GroupWord): number | undefined {
  const { source, words, findings } = progress
  const find = (finding: SyntaxFinding): void => void findings.push(inContext(progress, finding))
  const { members, starts } = parseGroup(source, valueOf(pair), words, find)
  if (starts.length > progress.left) return starts[progress.left]
  progress.left -= starts.length
  const path = { start: pair.start, end: pair.equals, text: '' }
  const group = bindGroup(progress, { at: pair, word, path, names: 1, members })
  if (group === undefined) return undefined
  if (progress.row === undefined) progress.members.push(group)
  else addGroup(progress.row, group)
  return undefined
}

/** Reads a condition with an unknown key. `isList`: brackets without an operator follow its path. */
export function readCondition(
  progress: Progress,
  pair: RawPair,
): readonly [condition: Condition | undefined, isList: boolean] {
  const { source, findings } = progress
  const { start, equals } = pair
  const find = (finding: SyntaxFinding): void => void findings.push(inContext(progress, finding))
  const list = progress.repeated === undefined ? null : listKey.exec(source.text.slice(start, equals))
  return [parsePair(source, pair, find, start + (list?.index ?? equals - start)), list !== null]
}

/** The reader of each form with several items. */
const itemsOf: { readonly [F in ParameterForm]?: typeof parseList } = { paths: parseList, words: parseWords }

/** The parameters that choose the clock. They may come after an operand that needs it. */
function clockParameters({ parameters, source }: TextRequest): ClockParameters {
  const asked = { cursor: '', timeZone: '' }
  if (source !== undefined && parameters.size > 0) {
    for (const pair of source.pairs) {
      const parameter = parameters.get(decodeClear(source, keyOf(pair)) ?? '')
      if (parameter === 'cursor' || parameter === 'timeZone')
        asked[parameter] ||= decodeClear(source, valueOf(pair)) ?? ''
    }
  }
  return asked
}

/** Brackets without an operator, raw or encoded. */
const listKey = /(?:\[|%5b)(?:\]|%5d)$/i

export function addParameter(progress: Progress, one: Parameter): void {
  const { collection, parameters } = progress
  const isRead = one.parameter === 'search' && !parameters.some(({ parameter }) => parameter === one.parameter)
  parameters.push(one)
  if (isRead && collection !== undefined) progress.search = readSearch({ ...progress, collection }, one)
}

/** Binds the conditions and parameters that a notation read from a text. */
export function bindAsked(
  { schema, deprecated }: FieldNames,
  read: TextRequest & { readonly source: Source },
  { conditions, parameters }: Asked,
  adviser: TextAdviser | undefined,
  collection: Collection,
): BoundPairs {
  const textFor = (name: 'cursor' | 'timeZone') =>
    parameters.find(({ parameter }) => parameter === name)?.value.text ?? ''
  const progress: Progress = {
    ...start(schema, deprecated, read, read.source, collection, adviser, () => ({
      cursor: textFor('cursor'),
      timeZone: textFor('timeZone'),
    })),
    names: newNames(conditions.length),
    repeated: undefined,
  }
  for (const parameter of parameters) addParameter(progress, parameter)
  for (const member of conditions) {
    const group = member.members === undefined ? bindCondition(progress, progress, member) : bindGroup(progress, member)
    if (group) progress.members.push(group)
  }
  return progress
}
