/** Reads conditions with the operator at the end of the key: `total_gte`. A field with the name `total_gte` has precedence. */
import { declared } from '../../language/index.ts'
import { cut, locate, type Located, type Token } from './located.ts'
import { split, trimmed } from './parameters.ts'
import type { Client, ClientCondition, ClientMember } from './tables.ts'

/** Cuts a key into a path and an operator. */
export function suffixed(client: Client, key: Located): readonly [path: Token, word: Token] {
  const end = endOfPath(client, key.text)
  return [cut(key, 0, end), cut(key, end, key.text.length)]
}

function endOfPath({ tables, paths }: Client, text: string): number {
  const { length } = text
  if (declared({ paths }, text) !== undefined) return length
  // `_eq_any` ends with `_any`: the longer operator has precedence.
  let longest = 0
  let afterPath = 0
  for (const word of Object.keys(tables.operators)) {
    if (word.length <= afterPath || !text.endsWith(word)) continue
    longest = Math.max(longest, word.length)
    if (paths.has(text.slice(0, length - word.length))) afterPath = word.length
  }
  if (longest > 0) return length - (afterPath || longest)
  // A key of a record is the last reading: it may be any text.
  if (paths.has(text)) return length
  // The key ends with an unknown operator: the longest known path before a mark has a better message.
  const markBefore = (at: number) => Math.max(text.lastIndexOf('_', at), text.lastIndexOf(':', at))
  for (let end = markBefore(length), left = 8; end > 0 && left > 0; end = markBefore(end - 1), left--)
    if (paths.has(text.slice(0, end))) return end
  return length
}

/** Reads each pair as a condition. A repeated key adds a value to the condition, unless commas separate values. */
export function readSuffixed(client: Client): readonly ClientMember[] {
  const { source, tables, others } = client
  const conditions = new Map<unknown, ClientCondition & { readonly values: Token[] }>()
  for (const pair of others) {
    const { key, value, start, end } = pair
    const before = tables.list === ',' ? undefined : conditions.get(key.text)
    if (before !== undefined) {
      before.values.push(value)
      continue
    }
    const [path, word] = suffixed(client, key)
    const isList = tables.list === ',' && tables.operators[word.text] === 'in'
    const values = isList ? split(locate(source, value)).map(trimmed) : [value]
    const isMerged = tables.list !== ','
    conditions.set(isMerged ? key.text : pair, { group: undefined, path, word, values, isList, whole: { start, end } })
  }
  return [...conditions.values()]
}
