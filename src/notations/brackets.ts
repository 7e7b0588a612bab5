/** Conditions whose names are in brackets: `filters[total][$gte]=5`, `filter[total][gte]=5`. */
import { find, findNoParameter, findUnknown } from './client.ts'
import { offeredPaths } from './conditions.ts'
import { cut, locate, type Located, type Token } from './located.ts'
import { split } from './parameters.ts'
import type { Client, ClientPair, Condition, Joined, Told } from './tables.ts'

/** The names in brackets after the prefix of conditions; `undefined` for another key. */
function namesIn({ tables }: Client, key: Located): readonly Token[] | undefined {
  const [, prefix = '', rest = ''] = /^([^[\]]*)((?:\[[^[\]]*\])+)$/.exec(key.text) ?? []
  if (prefix !== tables.prefix) return undefined
  return Array.from(rest.matchAll(/\[([^\]]*)\]/g), ({ 1: name, index }) => {
    const from = prefix.length + index + 1
    return cut(key, from, from + name!.length)
  })
}

/** A path out of its names. */
const pathOf = (names: readonly Token[]): Token => ({
  text: names.map(({ text }) => text).join('.'),
  start: names[0]!.start,
  end: names.at(-1)!.end,
  isRaw: false,
})
const nothingAt = (end: number): Token => ({ text: '', start: end, end, isRaw: false })

// --- Nested conditions

/** What keys have in common, by their names. */
interface Tree {
  readonly name: Token
  readonly inner: Map<string, Tree>
  readonly pairs: ClientPair[]
}

/** Reads nested conditions: names are a path, words begin with `$`, and positions are those of lists. */
export function readNested(client: Client): readonly Told[] {
  const root: Tree = { name: nothingAt(0), inner: new Map(), pairs: [] }
  for (const pair of client.others) {
    const names = namesIn(client, pair.key)
    if (names === undefined) findNoParameter(client, pair)
    else {
      let tree = root
      for (const name of names) {
        const next = tree.inner.get(name.text) ?? { name, inner: new Map(), pairs: [] }
        tree.inner.set(name.text, next)
        tree = next
      }
      tree.pairs.push(pair)
    }
  }
  return toldIn(client, root, [])
}

const isPosition = (name: string): boolean => /^\d*$/.test(name)

/** What is in a tree, in the order of the text. */
function toldIn(client: Client, tree: Tree, path: readonly Token[]): readonly Told[] {
  const { pairs, inner } = tree
  const own = pairs.map((pair) => conditionOf(path, nothingAt(path.at(-1)!.end), [pair], false))
  const rest = Array.from(inner.values()).flatMap((one): readonly Told[] => {
    const { name } = one
    if (!name.text.startsWith('$')) return toldIn(client, one, [...path, name])
    const group = Object.hasOwn(client.tables.groups!, name.text) ? client.tables.groups![name.text]! : undefined
    if (group !== undefined) return groupOf(client, one, group, path)
    const values = Array.from(one.inner.values())
    const other = values.find((value) => !isPosition(value.name.text) || value.inner.size > 0)
    if (other !== undefined || path.length === 0) {
      findUnknown(client, other?.name ?? name, offeredPaths(client))
      return []
    }
    values.sort((a, b) => Number(a.name.text) - Number(b.name.text))
    const all = [...one.pairs, ...values.flatMap((value) => value.pairs)]
    return [conditionOf(path, name, all, values.length > 0 || all.length > 1)]
  })
  return [...own, ...rest]
}

function conditionOf(names: readonly Token[], word: Token, pairs: readonly ClientPair[], isList: boolean): Condition {
  const start = Math.min(...pairs.map((pair) => pair.start))
  const end = Math.max(...pairs.map((pair) => pair.end))
  const values = pairs.map(({ value }) => value)
  return { group: undefined, path: pathOf(names), word, values, isList, whole: { start, end } }
}

function groupOf(client: Client, tree: Tree, group: Joined['group'], path: readonly Token[]): readonly Told[] {
  const { name, pairs, inner } = tree
  for (const { start, end } of pairs)
    find(client, 'syntax_group', { start, end }, { problem: 'missing_group', isInGroup: true, advice: [] })
  const members = Array.from(inner.values())
  const areListed = group !== 'not' && members.length > 0 && members.every((one) => isPosition(one.name.text))
  const told = areListed
    ? members.map((one): Told => together(name, toldIn(client, one, path)))
    : toldIn(client, { name, inner, pairs: [] }, path)
  const [only] = told
  if (group === 'not' && told.length === 1 && only!.group === undefined)
    return [{ ...only!, isNegated: only!.isNegated !== true }]
  return told.length === 0 ? [] : [{ group, word: name, members: told }]
}

/** Several conditions of one member hold together. */
const together = (word: Token, told: readonly Told[]): Told =>
  told.length === 1 ? told[0]! : { group: 'and', word, members: told }

// --- Flat conditions

/** Reads conditions with a path, and an operator after it. Commas separate several values. */
export function readBracketed(client: Client): readonly Told[] {
  const { paths, tables } = client
  return client.others.flatMap((pair): readonly Told[] => {
    const names = namesIn(client, pair.key)
    if (names === undefined) {
      findNoParameter(client, pair)
      return []
    }
    const isWhole = names.length === 1 || paths.has(pathOf(names).text)
    const path = pathOf(isWhole ? names : names.slice(0, -1))
    const word = isWhole ? nothingAt(path.end) : names.at(-1)!
    const meaning = Object.hasOwn(tables.operators, word.text) ? tables.operators[word.text]! : ''
    const isList = ['in', 'nin', 'range', 'all'].includes(meaning)
    const values = isList || word.text === '' ? split(locate(client.source, pair.value), /,/g) : [pair.value]
    return [{ group: undefined, path, word, values, isList, whole: { start: pair.start, end: pair.end } }]
  })
}
