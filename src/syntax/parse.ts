/** Text → syntax: pairs, what is malformed, and the values of reserved pairs. */
import type { Span } from '../issue/index.ts'
import { faultFinding, leftmost, reservedFinding, type Fault } from './faults.ts'
import { groupParser, parser, type GroupValueNode, type MemberNode, type PairNode } from './grammar.ts'
import { deepestGroup } from './limits.ts'
import { decode, decodingFault, isDoubtful, type Source } from './source.ts'
import type { Group, GroupWords, Item, Malformed, Member, NamedPair, Pair, Syntax, SyntaxFinding } from './syntax.ts'
import { scan, scanGroup, scanList } from './tokens.ts'

/**
 * Reads a query's text. Never throws: what is malformed becomes a finding, and the other pairs are still read.
 *
 * @param reserved names of pairs that are not conditions: they are taken out, and nothing of them is shown.
 * @param named names of parameters: their pairs are not conditions either.
 * @param words the names of groups: the values of their pairs are read.
 * @param start where to begin: after the `?`, or later at the start of a pair.
 * @param values the values of reserved pairs before that.
 */
export function parseSyntax(
  source: Source,
  reserved: readonly string[],
  named: ReadonlyMap<string, unknown> = noNames,
  words: GroupWords = noWords,
  start = source.start,
  values = new Map<string, string[]>(),
): Syntax {
  const doubtful = isDoubtful(source)
  const pairs: Pair[] = []
  const findings: SyntaxFinding[] = []
  const hasNames = reserved.length > 0 || named.size > 0 || words.size > 0
  const parameters: NamedPair[] = []
  // Most queries have no groups.
  let groups: Group[] | undefined
  let conditions: Map<number, readonly number[]> | undefined

  for (const node of parsePairs(source.text, start)) {
    const keyFault = doubtful ? decodingFault(source, node.key) : undefined
    const valueFault = doubtful ? decodingFault(source, node.value) : undefined
    // A key that cannot be decoded is nobody's name.
    const name = hasNames && keyFault === undefined ? decode(source, node.key) : undefined
    if (name !== undefined && reserved.includes(name)) {
      const fault = missingEquals(node) ?? valueFault
      if (fault !== undefined) findings.push(reservedFinding(fault, node.key))
      else if (values.has(name)) values.get(name)!.push(decode(source, node.value))
      else values.set(name, [decode(source, node.value)])
      continue
    }
    const word = name === undefined || words.size === 0 ? undefined : words.get(name)
    if (word !== undefined && missingEquals(node) === undefined) {
      const context: GroupContext = { source, doubtful, words, findings, starts: [] }
      const members = readGroup(context, node.value)
      groups ??= []
      groups.push({ start: node.start, end: node.end, word, path: node.key, names: node.names, members })
      conditions ??= new Map()
      conditions.set(node.start, context.starts)
      continue
    }
    const isParameter = name !== undefined && (word !== undefined || named.has(name))
    const fault = isParameter ? (missingEquals(node) ?? valueFault) : leftmost(node.faults, keyFault ?? valueFault)
    if (fault === undefined && isParameter) parameters.push({ name, key: node.key, value: node.value })
    else if (fault === undefined) pairs.push(node)
    else {
      const isClear = keyFault === undefined && valueFault === undefined
      const value = missingEquals(node) === undefined ? node.value : undefined
      findings.push(faultFinding(fault, isClear ? { key: node.key, value, isInGroup: false, lists: [] } : undefined))
    }
  }
  return { source, pairs, findings, parameters, words, groups, conditions, reserved: values }
}
const noNames: ReadonlyMap<string, unknown> = new Map()

const noWords: GroupWords = new Map()

function parsePairs(text: string, start: number): readonly PairNode[] {
  return parser(scan(text, start)).query()
}

/** What reading a group needs besides its value. */
interface GroupContext {
  readonly source: Source
  readonly doubtful: boolean
  readonly words: GroupWords
  readonly findings: SyntaxFinding[]
  /** Where its conditions begin. */
  readonly starts: number[]
}

/** The members of a value that is a group. */
function readGroup(context: GroupContext, value: Span): readonly Member[] {
  const { source, findings } = context
  const { group, faults } = parseGroup(source, value)
  const add = (fault: Fault) => findings.push(faultFinding(fault))
  // Where a group is malformed, all that follows is in doubt: its first fault reaches to the end.
  const malformed = faults.filter(({ kind }) => kind !== 'too deep')
  if (malformed.length > 0) add({ ...malformed.reduce((a, b) => (b.start < a.start ? b : a)), end: value.end })
  for (const fault of faults) if (fault.kind === 'too deep') add(fault)
  return group === undefined ? [] : readMembers(context, group.members, [])
}

function parseGroup({ text }: Source, { start, end }: Span): GroupValueNode {
  return groupParser(scanGroup(text, start, end, deepestGroup)).groupValue()
}

function readMembers(context: GroupContext, nodes: readonly MemberNode[], lists: readonly Span[]): readonly Member[] {
  return nodes.flatMap((node) => readMember(context, node, lists) ?? [])
}

/** A member; `undefined`, and a finding, when it is malformed. What is inside a group is read either way. */
function readMember(context: GroupContext, node: MemberNode, lists: readonly Span[]): Member | undefined {
  const { source, doubtful, words, findings, starts } = context
  const { start, end, key, path, names, operator, body, faults } = node
  const isGroup = body?.members !== undefined
  if (!isGroup && end > start) starts.push(start)

  const keyFault = doubtful ? decodingFault(source, key) : undefined
  const valueFault = doubtful && !isGroup && body !== undefined ? decodingFault(source, body) : undefined
  const fault = leftmost(faults, keyFault ?? valueFault)
  if (fault !== undefined) {
    const pair: Malformed = { key, value: isGroup ? undefined : body, isInGroup: true, lists }
    findings.push(faultFinding(fault, keyFault === undefined && valueFault === undefined ? pair : undefined, true))
  }
  if (isGroup) {
    const isOfWord = path.start === path.end || (keyFault === undefined && words.has(decode(source, path)))
    const members = readMembers(context, body.members, isOfWord ? lists : [...lists, path])
    // Parentheses without a name are no group, but what is wrong in them is found.
    if (fault !== undefined)
      return path.start < path.end ? undefined : { start, end, word: 'and', path, names, members }
    return { start, end, word: words.get(decode(source, path)), path, names, members }
  }
  if (fault !== undefined || body === undefined) return undefined
  const { items, isList, members } = body
  return { start, end, key, path, names, operator, value: body, items, isList, members }
}

/** A value as a list: at least one item. */
export function parseList({ text }: Source, { start, end }: Span): readonly Item[] {
  return parser(scanList(text, start, end)).list()
}

/** The text of an item of a list, decoded. */
export function decodeItem(source: Source, item: Item): string {
  return item.parts === undefined ? decode(source, item) : item.parts.map((part) => decode(source, part)).join('')
}

/** Brackets in a reserved name are no fault: `page[size]` is told by its whole key. */
function missingEquals({ faults }: PairNode): Fault | undefined {
  return faults?.find(({ kind }) => kind === 'missing equals')
}
