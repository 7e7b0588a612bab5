/** Parameters of JSON: `filter={"total_gte":5}`, `range=[0,9]`, `sort=["total","DESC"]`. */
import { isPlainText } from '../text/characters.ts'
import { find, findNoParameter, findValue } from './client.ts'
import { cut, locate, type Located, type Token } from './located.ts'
import { oneOf } from './parameters.ts'
import { suffixed } from './suffix.ts'
import type { Client, ClientPair, Told } from './tables.ts'

/** A value of JSON with its place. */
type Json =
  | { readonly kind: 'scalar'; readonly token: Token; readonly type: 'text' | 'number' | 'word' }
  | { readonly kind: 'list'; readonly items: readonly Json[]; readonly token: Token }
  | {
      readonly kind: 'object'
      readonly members: readonly (readonly [key: Located, value: Json])[]
      readonly token: Token
    }

/** How many lists and objects may be inside one another. */
const deepest = 20
const mark =
  /[ \t\n\r]*(?:([{}[\],:])|("(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)|(true|false|null))[ \t\n\r]*/y

/** Reads JSON. Where the text is none, the offset of its fault is returned. */
function parse(text: Located): Json | number {
  let at = 0
  let last = 0
  /** The next mark, with the place of what is between the spaces around it. */
  const next = (): { readonly found: string; readonly group: number; readonly from: number } | undefined => {
    mark.lastIndex = at
    const match = mark.exec(text.text)
    if (match === null) return undefined
    const group = match.slice(1).findIndex((one) => one !== undefined)
    const found = match[group + 1]!
    last = at
    const from = at + match[0].indexOf(found)
    at = mark.lastIndex
    return { found, group, from }
  }
  const located = (from: number, found: string): Located => {
    const inside = found.slice(1, -1)
    return inside.includes('\\')
      ? { text: JSON.parse(found) as string, offsets: [] }
      : { text: inside, offsets: text.offsets.slice(from + 1, from + found.length) }
  }
  const value = (depth: number): Json | undefined => {
    const one = next()
    if (one === undefined || depth > deepest) return undefined
    const { found, group, from } = one
    if (group === 1) {
      if (!isPlainText(located(from, found).text)) return undefined
      const whole = cut(text, from, from + found.length, false)
      return { kind: 'scalar', type: 'text', token: { ...whole, text: located(from, found).text } }
    }
    if (group > 1) {
      const token = cut(text, from, from + found.length, false)
      const type = group === 2 ? 'number' : 'word'
      return { kind: 'scalar', type, token: found === 'null' ? { ...token, isNull: true } : token }
    }
    if (found !== '[' && found !== '{') return undefined
    const close = found === '[' ? ']' : '}'
    const items: Json[] = []
    const members: (readonly [Located, Json])[] = []
    for (let isFirst = true; ; isFirst = false) {
      const before = at
      const mark = next()
      if (mark?.found === close && mark.group === 0 && isFirst) break
      if (isFirst) at = before
      else if (mark?.found === close && mark.group === 0) break
      else if (mark?.found !== ',' || mark.group !== 0) return undefined
      if (found === '[') {
        const item = value(depth + 1)
        if (item === undefined) return undefined
        items.push(item)
        continue
      }
      const key = next()
      if (key?.group !== 1 || next()?.found !== ':') return undefined
      const member = value(depth + 1)
      if (member === undefined) return undefined
      const name = located(key.from, key.found)
      if (!isPlainText(name.text)) return undefined
      const whole = [text.offsets[key.from]!, text.offsets[key.from + key.found.length]!] as const
      members.push([name.offsets.length > 0 ? name : around(name.text, ...whole), member])
    }
    const token = cut(text, from, at, false)
    return found === '[' ? { kind: 'list', items, token } : { kind: 'object', members, token }
  }
  const whole = value(0)
  return whole === undefined || at < text.text.length ? last : whole
}

/** A text whose characters have no places of their own. */
const around = (text: string, start: number, end: number): Located => ({
  text,
  offsets: Array.from({ length: text.length + 1 }, (_, at) => (at < text.length ? start : end)),
})

/** Reads the JSON of a parameter. A text that is none is found. */
function jsonOf(client: Client, pair: ClientPair, form: string, kind: Json['kind']): Json | undefined {
  const text = locate(client.source, pair.value)
  const json = parse(text)
  if (typeof json !== 'number' && json.kind === kind) return json
  const at = typeof json === 'number' ? json : 0
  const expected = { kind: 'type', type: 'json', description: form } as const
  const span = { start: text.offsets[at]!, end: pair.value.end }
  find(client, 'operand_invalid', span, { subject: pair.key.text, expected, advice: [] })
  return undefined
}

/** Reads conditions of JSON. `range` becomes the places of the first and the last row. */
export function readJson(client: Client): readonly Told[] {
  const { given, others } = client
  const range = oneOf(client, 'range')
  if (range !== undefined) {
    const form = 'the places of two rows, such as [0,9]'
    const json = jsonOf(client, range, form, 'list')
    const items = json?.kind === 'list' ? json.items : []
    const places = items.flatMap((item) => (item.kind === 'scalar' && item.type === 'number' ? [item.token] : []))
    if (places.length === 2 && items.length === 2) {
      given.set('start', [{ ...range, value: places[0]! }])
      given.set('end', [{ ...range, value: places[1]! }])
    } else if (json !== undefined)
      find(client, 'operand_invalid', json.token, {
        ...{ subject: range.key.text, expected: { kind: 'type', type: 'json', description: form }, advice: [] },
      })
  }
  for (const pair of others) findNoParameter(client, pair)
  const filter = oneOf(client, 'filter')
  const json = filter && jsonOf(client, filter, 'an object of JSON, such as {"total":5}', 'object')
  return json === undefined ? [] : conditionsOf(client, json, undefined)
}

function conditionsOf(client: Client, json: Json, prefix: Located | undefined): readonly Told[] {
  if (json.kind !== 'object') return []
  const seen = new Set<string>()
  return json.members.flatMap(([name, value]): readonly Told[] => {
    const key = prefix === undefined ? name : joined(prefix, name)
    const [path, word] = suffixed(client, key)
    const whole = { start: path.start, end: value.token.end }
    // A program reads the second of two members alone.
    if (seen.has(name.text)) {
      find(client, 'duplicate_condition', whole, { name: key.text, of: 'condition', where: 'query', advice: [] })
      return []
    }
    seen.add(name.text)
    const isSearch = prefix === undefined && key.text === client.tables.search && !client.paths.has(key.text)
    if (isSearch && value.kind === 'scalar' && value.type === 'text') {
      const pair = { start: whole.start, end: whole.end, key, keySpan: path, value: value.token }
      client.given.set('search', [pair])
      return []
    }
    if (value.kind === 'object' && value.members.length > 0) return conditionsOf(client, value, key)
    const items = value.kind === 'list' ? value.items : [value]
    const values = items.flatMap((item) => (item.kind === 'scalar' ? [item.token] : []))
    const nested = isSearch ? value : items.find((item) => item.kind !== 'scalar')
    if (nested !== undefined) {
      const expected = {
        kind: 'type',
        type: 'json',
        description: isSearch ? 'a text' : 'a text, a number, true or false',
      } as const
      find(client, 'operand_invalid', nested.token, { subject: path.text, expected, advice: [] })
      return []
    }
    return [{ group: undefined, path, word, values, isList: value.kind === 'list', whole }]
  })
}

const joined = (outer: Located, inner: Located): Located => ({
  text: `${outer.text}.${inner.text}`,
  offsets: [...outer.offsets, ...inner.offsets],
})

/** Reads an order: a path and a direction. */
export function readJsonSort(client: Client): readonly { readonly path: Token; readonly isDescending: boolean }[] {
  const pair = oneOf(client, 'sort')
  const form = 'a field and ASC or DESC, such as ["id","ASC"]'
  const json = pair && jsonOf(client, pair, form, 'list')
  if (json?.kind !== 'list') return []
  const [path, direction, ...more] = json.items.map((item) =>
    item.kind === 'scalar' && item.type === 'text' ? item.token : undefined,
  )
  if (path === undefined || direction === undefined || more.length > 0) {
    const expected = { kind: 'type', type: 'json', description: form } as const
    find(client, 'operand_invalid', json.token, { subject: pair!.key.text, expected, advice: [] })
    return []
  }
  if (!/^(?:asc|desc)$/i.test(direction.text)) findValue(client, pair!.key.text, direction, ['ASC', 'DESC'])
  return [{ path, isDescending: /^desc$/i.test(direction.text) }]
}
