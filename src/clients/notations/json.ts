/** Reads parameters in JSON: `filter={"total_gte":5}`, `range=[0,9]`, `sort=["total","DESC"]`. */
import { isPlainText } from '../../values/characters.ts'
import { deepestGroup } from '../../language/index.ts'
import { addParameter, find, findForm, findNoParameter, together } from './client.ts'
import { cut, locate, type Located, type Token } from './located.ts'
import { directionOf } from './parameters.ts'
import { suffixed } from './suffix.ts'
import type { Client, ClientPair, Sorted, ClientMember } from './tables.ts'

/** A JSON value with its span. */
interface Json {
  readonly kind: 'text' | 'number' | 'word' | '[' | '{'
  /** The span of the value, and the text of a scalar. */
  readonly token: Token
  readonly items: readonly Json[]
  readonly members: readonly (readonly [key: Located, value: Json])[]
}

/** The limit of nested arrays and objects: `parse` recurses once per level. */
const deepest = 20
/** The tokens of valid JSON. */
const pieces = /[{}[\]]|"[^"\\]*(?:\\.[^"\\]*)*"|[^\s,:{}[\]"]+/g

/** Parses JSON; returns `undefined` for invalid JSON, deeper nesting, and characters that no database stores. */
function parse(text: Located): Json | undefined {
  try {
    JSON.parse(text.text)
  } catch {
    return undefined
  }
  const marks = Array.from(text.text.matchAll(pieces))
  let depth = 0
  if (marks.some(({ 0: mark }) => (depth += depths[mark] ?? 0) > deepest)) return undefined
  let at = 0
  let isStorable = true
  const textOf = (from: number, mark: string): Located => {
    const decoded = JSON.parse(mark) as string
    isStorable &&= isPlainText(decoded)
    const to = from + mark.length
    // With escapes, the offsets of single characters are unknown: each character gets the offset of the whole string.
    const offsets =
      decoded === mark.slice(1, -1)
        ? text.offsets.slice(from + 1, to)
        : Array.from({ length: decoded.length + 1 }, (_, one) => text.offsets[one < decoded.length ? from : to]!)
    return { text: decoded, offsets }
  }
  const value = (): Json => {
    const { 0: mark, index: from } = marks[at++]!
    const items: Json[] = []
    const members: (readonly [Located, Json])[] = []
    if (mark === '[') while (marks[at]![0] !== ']') items.push(value())
    if (mark === '{')
      while (marks[at]![0] !== '}') {
        const key = marks[at++]!
        members.push([textOf(key.index, key[0]), value()])
      }
    const isOpened = mark === '[' || mark === '{'
    const to = isOpened ? marks[at++]!.index + 1 : from + mark.length
    const kind = isOpened ? mark : mark.startsWith('"') ? 'text' : /^[-\d]/.test(mark) ? 'number' : 'word'
    const written = kind === 'text' ? textOf(from, mark).text : mark
    const token = { ...cut(text, from, to), text: written, ...(mark === 'null' && { isNull: true as const }) }
    return { kind, token, items, members }
  }
  const whole = value()
  return isStorable ? whole : undefined
}
const depths: Readonly<Record<string, number>> = { '[': 1, '{': 1, ']': -1, '}': -1 }

/** Parses the JSON of a parameter. Records a fault for invalid JSON and for JSON in the wrong form. */
function jsonOf(client: Client, pair: ClientPair, form: string, isForm: (json: Json) => boolean): Json | undefined {
  const json = parse(locate(client.source, pair.value))
  if (json !== undefined && isForm(json)) return json
  findForm(client, pair.key.text, pair.value, form)
  return undefined
}

/** Reads conditions in JSON, and splits `range` into `start` and `end`. */
export function readJson(client: Client): readonly ClientMember[] {
  const { byRole, others } = client
  const range = byRole.get('range')?.[0]
  const isRange = ({ kind, items }: Json) =>
    kind === '[' && items.length === 2 && items.every((item) => item.kind === 'number')
  const places = range && jsonOf(client, range, 'the places of two rows, such as [0,9]', isRange)
  places?.items.forEach(({ token }, at) => byRole.set(at === 0 ? 'start' : 'end', [{ ...range!, value: token }]))
  for (const pair of others) findNoParameter(client, pair)
  const filter = byRole.get('filter')?.[0]
  const isFilter = ({ kind }: Json) => kind === '{'
  const json = filter && jsonOf(client, filter, 'an object of JSON, such as {"total":5}', isFilter)
  return json === undefined ? [] : conditionsOf(client, json, undefined, { left: client.read.limits!.pairs })
}

/** @param count the number of conditions that `limits.pairs` allows. One more refuses the text, and no further one is read. */
function conditionsOf(
  client: Client,
  json: Json,
  prefix: Located | undefined,
  count: { left: number },
): readonly ClientMember[] {
  const seen = new Set<string>()
  return json.members.flatMap(([name, value]): readonly ClientMember[] => {
    if (count.left < 0) return []
    const isTwice = seen.has(name.text)
    if (isTwice || value.members.length === 0) count.left--
    const key = prefix === undefined ? name : joined(prefix, name)
    const [path, word] = suffixed(client, key)
    const { kind, token, items, members } = value
    const whole = { start: path.start, end: token.end }
    // `JSON.parse` keeps only the last of two members with one name.
    if (isTwice) {
      find(client, 'duplicate_condition', whole, { name: key.text, of: 'condition', where: 'query', advice: [] })
      return []
    }
    seen.add(name.text)
    const isSearch = prefix === undefined && key.text === client.tables.search && !client.paths.has(key.text)
    if (isSearch && kind === 'text') {
      addParameter(client, 'search', { ...whole, key, keySpan: path, value: token })
      return []
    }
    if (members.length > 0 && !isSearch) return conditionsOf(client, value, key, count)
    const isList = kind === '['
    const all = isList ? items : [value]
    const nested = isSearch ? value : all.find((item) => item.kind === '[' || item.kind === '{')
    if (nested === undefined)
      return [{ group: undefined, path, word, values: all.map((item) => item.token), isList, whole }]
    findForm(client, path.text, nested.token, isSearch ? 'a text' : 'a text, a number, true or false')
    return []
  })
}

const joined = (outer: Located, inner: Located): Located => ({
  text: `${outer.text}.${inner.text}`,
  offsets: [...outer.offsets, ...inner.offsets],
})

/** Reads conditions in nested objects with operators as names: `{"or":[{"total":{"gt":5}},{"customer":{"name":{"eq":"a"}}}]}`. */
export function readWhere(client: Client): readonly ClientMember[] {
  const pair = client.byRole.get('filter')?.[0]
  const json = pair && jsonOf(client, pair, 'an object of JSON with a condition', isFull)
  // json-server ignores the other conditions.
  if (json !== undefined && client.others.length > 0)
    findForm(client, pair!.key.text, pair!.value, 'absent beside other conditions')
  return json === undefined ? [] : membersOf(client, json, undefined, 0)
}
const isFull = ({ kind, members }: Json): boolean => kind === '{' && members.length > 0

/** @param depth the number of groups around the object. */
function membersOf(client: Client, json: Json, prefix: Located | undefined, depth: number): readonly ClientMember[] {
  const { groups, operators } = client.tables
  const seen = new Set<string>()
  return json.members.flatMap(([name, value]): readonly ClientMember[] => {
    const key = prefix === undefined ? name : joined(prefix, name)
    const path = cut(key, 0, key.text.length)
    const whole = { start: path.start, end: value.token.end }
    // `JSON.parse` keeps only the last of two members with one name.
    if (seen.has(name.text))
      find(client, 'duplicate_condition', whole, { name: key.text, of: 'condition', where: 'query', advice: [] })
    seen.add(name.text)
    const group = Object.hasOwn(groups!, name.text) ? groups![name.text] : undefined
    if (group !== undefined) {
      const word = cut(name, 0, name.text.length)
      if (depth === deepestGroup) find(client, 'limit_depth', word, { of: 'groups', limit: deepestGroup })
      else if (value.items.length === 0 || !value.items.every(isFull))
        findForm(client, name.text, value.token, 'a list of objects with conditions')
      else
        return [
          { group, word, members: value.items.map((one) => together(word, membersOf(client, one, prefix, depth + 1))) },
        ]
      return []
    }
    if (!isFull(value)) {
      findForm(client, path.text, value.token, 'an object with an operator')
      return []
    }
    if (!value.members.some(([word]) => Object.hasOwn(operators, `:${word.text}`)))
      return membersOf(client, value, key, depth)
    return value.members.flatMap(([word, { kind, token, items }]): readonly ClientMember[] => {
      const text = `:${word.text}`
      const isList = kind === '['
      const values = isList ? items.map((item) => item.token) : [token]
      const isWrong = [...(isList ? items : []), { kind: isList ? 'text' : kind, token }].some(
        (one) => one.kind === '[' || one.kind === '{' || one.token.isNull,
      )
      if (isWrong || isList !== (operators[text] === 'in')) {
        findForm(
          client,
          path.text,
          token,
          operators[text] === 'in' ? 'a list of values' : 'a text, a number, true or false',
        )
        return []
      }
      return [
        {
          group: undefined,
          path,
          word: { ...cut(word, 0, word.text.length), text },
          values,
          isList,
          whole: { ...whole, end: token.end },
        },
      ]
    })
  })
}

/** Reads `sort`: an array of a path and a direction. */
export function readJsonSort(client: Client): readonly Sorted[] {
  const pair = client.byRole.get('sort')?.[0]
  const isOrder = ({ kind, items }: Json) =>
    kind === '[' && items.length === 2 && items.every((item) => item.kind === 'text')
  const json = pair && jsonOf(client, pair, 'a field and ASC or DESC, such as ["id","ASC"]', isOrder)
  if (json === undefined) return []
  const [path, direction] = json.items.map(({ token }) => token)
  return [{ ...path!, isDescending: directionOf(client, pair!.key.text, direction!) }]
}
