/** Reads conditions with names in brackets: `filters[total][$gte]=5`, `filter[total][gte]=5`. */
import { declared, offeredPaths, deepestGroup } from '../../language/index.ts'
import { find, findNoParameter, findUnknown, findWord, pairFor, together, write } from './client.ts'
import { cut, locate, type Located, type Token } from './located.ts'
import { split } from './parameters.ts'
import type { Client, ClientPair, ClientCondition, ClientGroup, ClientMember } from './tables.ts'

/** Returns the names in brackets after the prefix of conditions; `undefined` for another key. */
function namesIn({ tables }: Client, key: Located): readonly Token[] | undefined {
  const [, prefix = '', rest = ''] = /^([^[\]]*)((?:\[[^[\]]*\])+)$/.exec(key.text) ?? []
  if (prefix !== tables.prefix) return undefined
  const names: Token[] = []
  let from = prefix.length + 1
  for (const { length } of rest.slice(1, -1).split('][')) {
    names.push(cut(key, from, from + length))
    from += length + 2
  }
  return names
}

/** Joins names to a path with dots. */
function pathOf(names: readonly Token[]): Token {
  let text = names[0]!.text
  for (let at = 1; at < names.length; at++) text += `.${names[at]!.text}`
  return { text, start: names[0]!.start, end: names.at(-1)!.end }
}
const nothingAt = (end: number): Token => ({ text: '', start: end, end })

// --- Nested conditions

/** A tree of pairs by the names in their keys: keys with a common beginning share its nodes. */
interface Tree {
  readonly name: Token
  readonly inner: Map<string, Tree>
  readonly pairs: NamedPair[]
}
/** A pair and the names in its key. */
interface NamedPair {
  readonly pair: ClientPair
  readonly names: readonly Token[]
}

/** Reads nested conditions: a name is a part of a path, an operator or group if it begins with `$`, or an index of a list. */
export function readNested(client: Client): readonly ClientMember[] {
  const root: Tree = { name: nothingAt(0), inner: new Map(), pairs: [] }
  for (const pair of client.others) {
    const names = namesIn(client, pair.key)
    if (names === undefined) findNoParameter(client, pair)
    else if (isReadable(client, names)) {
      let tree = root
      for (const name of names) {
        const next = tree.inner.get(name.text) ?? { name, inner: new Map(), pairs: [] }
        tree.inner.set(name.text, next)
        tree = next
      }
      tree.pairs.push({ pair, names })
    }
  }
  return toldIn(client, root, [], 0)
}

const isGroup = ({ tables }: Client, { text }: Token): boolean => Object.hasOwn(tables.groups!, text)

/** Whether the names before an operator are a field in at most `deepestGroup` groups. `toldIn` recurses once per name. */
function isReadable(client: Client, names: readonly Token[]): boolean {
  const groups = names.filter((name) => isGroup(client, name))
  const beyond = groups[deepestGroup]
  if (beyond !== undefined) {
    find(client, 'limit_depth', beyond, { of: 'groups', limit: deepestGroup })
    return false
  }
  const word = names.findIndex((name) => name.text.startsWith('$') && !isGroup(client, name))
  const path = names
    .slice(0, word < 0 ? names.length : word)
    .filter(
      (name, at) => !isGroup(client, name) && !(at > 0 && isPosition(name.text) && isGroup(client, names[at - 1]!)),
    )
  if (path.length === 0 || client.paths.has(pathOf(path).text)) return true
  findUnknown(client, pathOf(path), offeredPaths(client.collection))
  return false
}

const isPosition = (name: string): boolean => /^\d*$/.test(name)

/**
 * Returns the conditions of a tree in the order of the text.
 *
 * @param path the indexes, among the names above the tree, of the names of the path.
 * @param depth the number of names above the tree.
 */
function toldIn(client: Client, tree: Tree, path: readonly number[], depth: number): readonly ClientMember[] {
  const { pairs, inner } = tree
  if (path.length === 0) for (const { pair } of pairs) findNoParameter(client, pair)
  const own = path.length === 0 ? [] : pairs.map((one) => conditionOf(path, undefined, [one], false))
  const rest = Array.from(inner.values()).flatMap((one): readonly ClientMember[] => {
    const { name } = one
    if (!name.text.startsWith('$')) return toldIn(client, one, [...path, depth], depth + 1)
    const group = isGroup(client, name) ? client.tables.groups![name.text]! : undefined
    if (group !== undefined) return groupOf(client, one, group, path, depth + 1)
    const values = Array.from(one.inner.values())
    const other = values.find((value) => !isPosition(value.name.text) || value.inner.size > 0)
    if (other !== undefined || path.length === 0) {
      findUnknown(client, other?.name ?? name, offeredPaths(client.collection))
      return []
    }
    values.sort((a, b) => Number(a.name.text) - Number(b.name.text))
    const all = [...one.pairs, ...values.flatMap((value) => value.pairs)]
    return [conditionOf(path, depth, all, values.length > 0 || all.length > 1)]
  })
  return [...own, ...rest]
}

/** @param word the index of the operator among the names. */
function conditionOf(
  at: readonly number[],
  word: number | undefined,
  all: readonly NamedPair[],
  isList: boolean,
): ClientCondition {
  const { names } = all[0]!
  const path = pathOf(at.map((one) => names[one]!))
  const values = all.map(({ pair }) => pair.value)
  const start = all.reduce((least, { pair }) => Math.min(least, pair.start), Infinity)
  const end = all.reduce((most, { pair }) => Math.max(most, pair.end), 0)
  return {
    group: undefined,
    path,
    word: word === undefined ? nothingAt(path.end) : names[word]!,
    values,
    isList,
    whole: { start, end },
  }
}

function groupOf(
  client: Client,
  tree: Tree,
  group: ClientGroup['group'],
  path: readonly number[],
  depth: number,
): readonly ClientMember[] {
  const { name, pairs, inner } = tree
  const members = Array.from(inner.values())
  // Without indexes, two conditions in `$or` are ambiguous: one member of the list or two.
  if (pairs.length > 0 || (group !== 'not' && !members.every((one) => isPosition(one.name.text)))) {
    const example = pairFor(client.tables, `${name.text}.0.path`, '$eq', 'value')
    findWord(client, name, write(group === 'not' ? example.replace('[0]', '') : example))
    return []
  }
  const conditions =
    group === 'not'
      ? toldIn(client, tree, path, depth)
      : members.map((one): ClientMember => together(name, toldIn(client, one, path, depth + 1)))
  const [only] = conditions
  if (group === 'not' && conditions.length === 1 && only!.group === undefined)
    return [{ ...only!, isNegated: only!.isNegated !== true }]
  return conditions.length === 0 ? [] : [{ group, word: name, members: conditions }]
}

// --- Flat conditions

/** Reads conditions with an operator after the path. Commas separate values. */
export function readBracketed(client: Client): readonly ClientMember[] {
  const { paths, tables } = client
  const conditions: ClientCondition[] = []
  for (const pair of client.others) {
    const names = namesIn(client, pair.key)
    if (names === undefined || names.at(-1)!.text === '') {
      findNoParameter(client, pair)
      continue
    }
    const whole = pathOf(names)
    const isWhole =
      names.length === 1 ||
      (Object.hasOwn(tables.operators, names.at(-1)!.text)
        ? declared({ paths }, whole.text)
        : paths.get(whole.text)) !== undefined
    const path = isWhole ? whole : pathOf(names.slice(0, -1))
    const word = isWhole ? nothingAt(path.end) : names.at(-1)!
    const meaning = Object.hasOwn(tables.operators, word.text) ? tables.operators[word.text]! : ''
    const isList = ['in', 'nin', 'range', 'all'].includes(meaning)
    const values = isList || word.text === '' ? split(locate(client.source, pair.value)) : [pair.value]
    conditions.push({ group: undefined, path, word, values, isList, whole: { start: pair.start, end: pair.end } })
  }
  return conditions
}
