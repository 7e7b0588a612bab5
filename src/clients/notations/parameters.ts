/** Reads a client's parameters for order, page, fields and search. */
import { namesOf, type Span } from '../../issue/index.ts'
import { canonicalPath, type ValueName } from '../../language/index.ts'
import type { Parameter, Part } from '../../asked/index.ts'
import { find, findForm, findNoParameter, findUnknown, findValue, nameOfRole } from './client.ts'
import { cut, locate, type Located, type Token } from './located.ts'
import type { Client, ClientPair, Role, Sorted } from './tables.ts'

/** Returns the start and end of each piece between commas. */
function ranges({ text }: Located): readonly (readonly [from: number, to: number])[] {
  const all: [number, number][] = []
  let from = 0
  for (const { length } of text.split(',')) {
    all.push([from, from + length])
    from += length + 1
  }
  return all
}

/** Splits a text at commas. */
export function split(text: Located): readonly Token[] {
  const tokens: Token[] = []
  for (const [from, to] of ranges(text)) tokens.push(cut(text, from, to))
  return tokens
}

export const trimmed = (item: Token): Token =>
  item.text.trim() === item.text ? item : { ...item, text: item.text.trim() }

/** A parameter of this library, in the place of the client's. */
function parameterAt(parameter: ValueName, text: string, at: Span, items?: readonly Part[]): Parameter {
  const { start, end } = at
  return {
    parameter,
    at: { start, equals: end, end },
    value: { start, end, text, items: items?.map((item) => ({ ...item, quoteFault: undefined })), isList: undefined },
  }
}

// --- Page

/** Parses a whole number. Records a fault for another value. */
function number(client: Client, { key, value }: ClientPair, from: number, to: number): number | undefined {
  const read = /^(?:0|[1-9]\d{0,15})$/.test(value.text) ? Number(value.text) : NaN
  if (read >= from && read <= to) return read
  const expected = { kind: 'whole_number', from, to } as const
  find(client, 'parameter_invalid', value, { parameter: key.text, expected, advice: [] })
  return undefined
}

const pageRoles: readonly Role[] = ['size', 'page', 'start', 'end', 'cursor']

/** Whether the request contains a parameter for pages, and its page as `limit` with `offset` or `cursor`. Defaults replace invalid values. */
export function pageIn(client: Client): readonly [isPaged: boolean, parameters: readonly Parameter[]] {
  const { collection, tables, byRole } = client
  const { limit, maxOffset } = collection
  const pairs: ClientPair[] = []
  for (const [role, [pair]] of byRole) if (pageRoles.includes(role)) pairs.push(pair)
  const isPaged = pairs.length > 0
  const [size, page, start] = [byRole.get('size')?.[0], byRole.get('page')?.[0], byRole.get('start')?.[0]]
  const [end, cursor] = [byRole.get('end')?.[0], byRole.get('cursor')?.[0]]
  if (maxOffset === undefined)
    for (const pair of [page, start, end]) if (pair !== undefined) findNoParameter(client, pair)
  const second = pairs.slice(1).find((_, at) => {
    const names = pairs.slice(0, at + 2).map(({ key }) => key.text)
    return !tables.pages.some((together) => names.every((name) => together.includes(name)))
  })
  if (second !== undefined) {
    const expected = { kind: 'one_of', parameters: [pairs[0]!.key.text, second.key.text] } as const
    find(client, 'parameter_invalid', second.value, { parameter: second.key.text, expected, advice: [] })
  }
  if (tables.answer.unpaged !== undefined && size !== undefined && page === undefined)
    findForm(client, size.key.text, size.value, `absent without ${nameOfRole(tables, 'page')}`)
  const most = maxOffset ?? 0
  const rows = size && number(client, size, 1, limit.max)
  const begin = start && number(client, start, 0, most)
  const from = begin ?? 0
  const after = tables.endsAtLast ? 1 : 0
  // With an invalid `start`, no range of `end` is right.
  const isEnd = start === undefined || begin !== undefined
  const to = isEnd && end ? number(client, end, from + 1 - after, from + limit.max - after) : undefined
  const many =
    rows ??
    (to === undefined ? (isPaged || tables.unpaged === 'default' ? limit.default : limit.max) : to + after - from)
  const at = page && number(client, page, 1, Math.floor(most / many) + 1)
  const offset = at === undefined ? from : (at - 1) * many
  const nowhere = { start: 0, end: 0 }
  const rowsOnPage = parameterAt('limit', String(many), size?.value ?? end?.value ?? nowhere)
  if (cursor !== undefined) return [isPaged, [rowsOnPage, parameterAt('cursor', cursor.value.text, cursor.value)]]
  const skip = parameterAt('offset', String(offset), (page ?? start)?.value ?? nowhere)
  return [isPaged, offset > 0 ? [rowsOnPage, skip] : [rowsOnPage]]
}

// --- Order

const directions = /^(?:asc|desc)$/i

/** Whether a direction is `desc`. Records a fault for every word but `asc` and `desc`. */
export function directionOf(client: Client, name: string, token: Token): boolean {
  if (!directions.test(token.text)) findValue(client, name, token, ['asc', 'desc'])
  return /^desc$/i.test(token.text)
}

/** The readers of an order, by the place of the direction. */
const orders: { readonly [S in Client['tables']['sort']]: (client: Client) => readonly Sorted[] } = {
  signs: ({ byRole, source }) => {
    const sorted: Sorted[] = []
    for (const pair of byRole.get('sort') ?? []) {
      const text = locate(source, pair.value)
      for (const [from, to] of ranges(text)) {
        const isDescending = text.text[from] === '-'
        sorted.push({ ...cut(text, isDescending ? from + 1 : from, to), isDescending })
      }
    }
    return sorted
  },
  words: (client) =>
    (client.byRole.get('sort') ?? []).flatMap((pair) => {
      const text = locate(client.source, pair.value)
      return ranges(text).map(([from, to]) => {
        const colon = text.text.slice(from, to).lastIndexOf(':')
        if (colon < 0) return { ...cut(text, from, to), isDescending: false }
        const word = cut(text, from + colon + 1, to)
        return { ...cut(text, from, from + colon), isDescending: directionOf(client, pair.key.text, word) }
      })
    }),
  second: (client) => {
    const { byRole, source } = client
    const [sort, order] = [byRole.get('sort')?.[0], byRole.get('order')?.[0]]
    const words = order === undefined ? [] : split(locate(source, order.value))
    const paths = sort === undefined ? [] : split(locate(source, sort.value))
    if (order !== undefined && words.length > paths.length) findNoParameter(client, order)
    return paths.map((path, at) => {
      const word = words[at]
      return { ...path, isDescending: word !== undefined && directionOf(client, order!.key.text, word) }
    })
  },
  json: (client) => client.tables.readSort!(client),
}

/** Whether a list exceeds `limits.list`. Records a fault if so. */
function isLong(client: Client, items: readonly Token[]): boolean {
  const limit = client.read.limits!.list
  const first = items[limit]
  if (first === undefined) return false
  const span = { start: first.start, end: items.at(-1)!.end }
  find(client, 'limit_list', span, { of: 'parameter', found: items.length, limit })
  return true
}

/** The valid keys of the order as `sort`. */
export function orderIn(client: Client): readonly Parameter[] {
  const { collection } = client
  const { sortable, visible } = collection
  const items = orders[client.tables.sort](client)
  if (isLong(client, items)) return []
  const keys: Part[] = []
  for (const { text, start, end, isDescending } of items) {
    const name = canonicalPath(collection, text)
    // The parser reads a leading `-` as descending order: a path that begins with `-` cannot sort in ascending order.
    if (sortable.has(name) && (!name.startsWith('-') || isDescending)) {
      keys.push({ text: (isDescending ? '-' : '') + text, start, end })
      continue
    }
    const names = Array.from(sortable.keys())
    const choose = { kind: 'choose', from: 'sortable', choices: namesOf(names) } as const
    const path = { text, start, end }
    if (visible.paths.has(name)) find(client, 'field_not_sortable', path, { field: name, advice: [choose] })
    else findUnknown(client, path, names, [choose])
  }
  return keys.length === 0 ? [] : [parameterAt('sort', keys.map(({ text }) => text).join(), keys[0]!, keys)]
}

// --- Fields and search

export function fieldsIn(client: Client): readonly Parameter[] {
  const pairs = client.byRole.get('fields')
  if (pairs === undefined) return []
  const { resource } = client.read
  // JSON:API names a resource in the brackets: only the fields of this resource apply.
  const other = pairs.find(
    ({ key }) => client.tables.isTyped && resource !== undefined && key.text !== `fields[${resource}]`,
  )
  const refused = other ?? (client.collection.selectable === undefined ? pairs[0] : undefined)
  if (refused !== undefined) findNoParameter(client, refused)
  const items = refused === undefined ? pairs.flatMap(({ value }) => split(locate(client.source, value))) : []
  if (items.length === 0 || isLong(client, items)) return []
  const at = { start: items[0]!.start, end: items.at(-1)!.end }
  return [parameterAt('fields', items.map(({ text }) => text).join(), at, items)]
}

export function searchIn(client: Client): readonly Parameter[] {
  const pair = client.byRole.get('search')?.[0]
  if (pair === undefined) return []
  const { value } = pair
  if (client.collection.search.length === 0) findNoParameter(client, pair)
  if (client.collection.search.length === 0) return []
  const words = value.text.split(/\s+/).flatMap((text) => (text === '' ? [] : { ...value, text }))
  return [parameterAt('search', value.text, value, words)]
}

/** Whether the client requests the number of rows. */
export function wantsCount(client: Client): boolean {
  const pair = client.byRole.get('counted')?.[0]
  if (pair !== undefined && !/^(?:true|false)$/.test(pair.value.text))
    findValue(client, pair.key.text, pair.value, ['true', 'false'])
  return pair?.value.text !== 'false'
}
