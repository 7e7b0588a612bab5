/** Pieces of a text → syntax: a pair, a list, a group, and their malformed pieces. */
import type { Span } from '../issue/index.ts'
import { deepestGroup, type GroupWords } from '../language/index.ts'
import { faultFinding, leftmost, type MalformedPiece } from './faults.ts'
import { groupParser, keyParser, type MemberNode } from './grammar.ts'
import { codeAt, decode, decodingFault, valueOf, widthAt } from '../asked/index.ts'
import type { Condition, Item, Member, Part, Source, Value } from '../asked/index.ts'
import type { ItemNode, Malformed, OperandNode, SyntaxFinding } from './syntax.ts'
import { scanGroup, scanKey, scanList, scanWords, type Token } from './tokens.ts'
import type { RawPair } from '../values/pairs.ts'

type Mutable<T> = { -readonly [P in keyof T]: T[P] }

/** The value of a pair before decoding. A valid value gets its text and its items later. */
export const newValue = ({ equals, end }: RawPair): Mutable<Value> => ({
  start: equals === end ? end : equals + 1,
  end,
  text: '',
  items: undefined,
  isList: undefined,
})

/** Decodes a name in its token: another object for each name would slow down groups. */
function partOf(source: Source, token: Token): Part {
  token.text = decode(source, token)
  return token
}

/** The fault of a reserved pair or a parameter: its whole key is its name, so brackets in the key are none. */
export function faultOfNamed(source: Source, pair: RawPair): MalformedPiece | undefined {
  const { start, equals, end } = pair
  return equals === end ? { kind: 'missing_equals', start, end } : decodingFault(source, valueOf(pair))
}

/** Receives each malformed piece. */
type Find = (finding: SyntaxFinding) => void

/** Reads a pair. A malformed one is `undefined`, and its leftmost fault is found. The brackets of `status[]` come after `keyEnd`. */
export function parsePair(source: Source, raw: RawPair, find: Find, keyEnd = raw.equals): Condition | undefined {
  const { start, equals, end } = raw
  const { path, names, operator, faults } = keyParser(scanKey(source.text, start, keyEnd)).key()
  const key = { start, end: keyEnd }
  const value = newValue(raw)
  const malformed = decodingFault(source, raw)
  const hasEquals = equals < end
  const fault = leftmost(hasEquals ? faults : [...faults, { kind: 'missing_equals', start, end }], malformed)
  if (fault === undefined) {
    value.text = decode(source, value)
    // Another API's name of an operator may read a list, too.
    if (operator !== undefined) value.items = parseList(source, value)
    return {
      at: { start, equals, end },
      path: partOf(source, path),
      names,
      operator: operator && partOf(source, operator),
      row: undefined,
      value,
      members: undefined,
    }
  }
  const pair: Malformed = { key, value: hasEquals ? value : undefined, isInGroup: false, lists: [] }
  find(faultFinding(fault, malformed === undefined ? pair : undefined))
  return undefined
}

// --- Lists

/** The items of a value that is read as a list: at least one. */
export function parseList(source: Source, { start, end }: Span): readonly Item[] {
  const { text, hasEscapes } = source
  const piece = text.slice(start, end)
  const isEscaped = hasEscapes && piece.includes('%')
  if (piece.includes('"') || (isEscaped && piece.includes('%22')))
    return itemsOf(source, groupParser(scanList(text, start, end)).list())
  // Without quotes only commas are marks. To cut there is faster than the grammar (docs/internals/performance.md).
  const items: Item[] = []
  for (let from = start, to; from <= end; from = to + widthAt(text, to)) {
    const comma = nextComma(piece, from - start, isEscaped)
    to = comma < 0 ? end : start + comma
    const item = { start: from, end: to, text: '', quoteFault: undefined }
    item.text = decode(source, item)
    items.push(item)
  }
  return items
}

function nextComma(piece: string, from: number, isEscaped: boolean): number {
  if (!isEscaped) return piece.indexOf(',', from)
  for (let at = from; at < piece.length; at++) if (codeAt(piece, at) === 0x2c) return at
  return -1
}

/** Reads the words of a value, quoted or bare. A value of spaces has zero words. */
export const parseWords = (source: Source, { start, end }: Span): readonly Item[] =>
  itemsOf(source, groupParser(scanWords(source.text, start, end)).list()).filter((item) => item.start < item.end)

function itemsOf(source: Source, nodes: readonly ItemNode[]): readonly Item[] {
  for (const node of nodes)
    node.text =
      node.parts === undefined ? decode(source, node) : node.parts.map((part) => decode(source, part)).join('')
  return nodes
}

// --- Groups

/** The parsed value of a word, such as `or=(…)`. */
export interface GroupValue {
  readonly members: readonly Member[]
  /** Where its conditions begin, malformed ones included. */
  readonly starts: readonly number[]
}

interface GroupContext {
  readonly source: Source
  readonly words: GroupWords
  readonly find: Find
  readonly starts: number[]
}

/** Reads the value of a word. Members that are malformed are found and left out. */
export function parseGroup(source: Source, value: Span, words: GroupWords, find: Find): GroupValue {
  const { group, faults } = groupParser(scanGroup(source.text, value.start, value.end, deepestGroup)).groupValue()
  const add = (fault: MalformedPiece) => find(faultFinding(fault))
  // Where a group is malformed, all that follows is in doubt: its first fault reaches to the end.
  const malformed = faults.filter(({ kind }) => kind !== 'too deep')
  if (malformed.length > 0) add({ ...malformed.reduce((a, b) => (b.start < a.start ? b : a)), end: value.end })
  for (const fault of faults) if (fault.kind === 'too deep') add(fault)
  const context: GroupContext = { source, words, find, starts: [] }
  return { members: group === undefined ? [] : readMembers(context, group.members, []), starts: context.starts }
}

function readMembers(context: GroupContext, nodes: readonly MemberNode[], lists: readonly Span[]): readonly Member[] {
  const members: Member[] = []
  for (const node of nodes) {
    const member = readMember(context, node, lists)
    if (member !== undefined) members.push(member)
  }
  return members
}

/** Reads a member. A malformed one is `undefined`, and found. The members of a malformed group are read, too: they may have faults. */
function readMember(context: GroupContext, node: MemberNode, lists: readonly Span[]): Member | undefined {
  const { source, words, find, starts } = context
  const { start, end, key, body, faults } = node
  const { path, names, operator } = key
  const isGroup = body?.members !== undefined
  if (!isGroup && end > start) starts.push(start)

  const keyFault = decodingFault(source, key)
  const valueFault = isGroup || body === undefined ? undefined : decodingFault(source, body)
  const fault = leftmost(faults, keyFault ?? valueFault)
  if (fault !== undefined) {
    const pair: Malformed = { key, value: isGroup ? undefined : body, isInGroup: true, lists }
    find(faultFinding(fault, keyFault === undefined && valueFault === undefined ? pair : undefined, true))
  }
  if (isGroup) {
    const isOfWord = path.start === path.end || (keyFault === undefined && words.has(decode(source, path)))
    const members = readMembers(context, body.members, isOfWord ? lists : [...lists, path])
    // Parentheses without a name do not make a group, but their faults are found.
    if (fault !== undefined)
      return path.start < path.end ? undefined : { at: { start, end }, word: 'and', path, names, members }
    const part = partOf(source, path)
    return { at: { start, end }, word: words.get(part.text), path: part, names, members }
  }
  if (fault !== undefined || body === undefined) return undefined
  return {
    at: { start, equals: key.end, end },
    path: partOf(source, path),
    names,
    operator: operator && partOf(source, operator),
    row: undefined,
    value: valueOfNode(source, body),
    members: undefined,
  }
}

function valueOfNode(source: Source, node: OperandNode): Value {
  itemsOf(source, node.items)
  const [first] = node.items
  node.text = !node.isList && first!.parts === undefined ? first!.text : decode(source, node)
  return node
}
