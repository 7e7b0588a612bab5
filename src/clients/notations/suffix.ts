/** Reads conditions with the operator at the end of the key: `total_gte`. A field with the name `total_gte` has precedence. */
import { cut, type Located, type Token } from './located.ts'
import type { Client, ClientCondition, ClientMember } from './tables.ts'

/** Cuts a key into a path and an operator. */
export function suffixed(client: Client, key: Located): readonly [path: Token, word: Token] {
  const end = endOfPath(client, key.text)
  return [cut(key, 0, end), cut(key, end, key.text.length)]
}

function endOfPath({ tables, paths }: Client, text: string): number {
  const { length } = text
  if (paths.has(text)) return length
  // `_eq_any` ends with `_any`: the longer operator has precedence.
  let longest = 0
  let afterPath = 0
  for (const word of Object.keys(tables.operators)) {
    if (word.length <= afterPath || !text.endsWith(word)) continue
    longest = Math.max(longest, word.length)
    if (paths.has(text.slice(0, length - word.length))) afterPath = word.length
  }
  if (longest > 0) return length - (afterPath || longest)
  // The key ends with an unknown operator: the longest known path before `_` has a better message.
  for (let end = text.lastIndexOf('_'), left = 8; end > 0 && left > 0; end = text.lastIndexOf('_', end - 1), left--)
    if (paths.has(text.slice(0, end))) return end
  return length
}

/** Reads each pair as a condition. A repeated key adds a value to the condition. */
export function readSuffixed(client: Client): readonly ClientMember[] {
  const conditions = new Map<string, ClientCondition & { readonly values: Token[] }>()
  for (const { key, value, start, end } of client.others) {
    const before = conditions.get(key.text)
    if (before !== undefined) {
      before.values.push(value)
      continue
    }
    const [path, word] = suffixed(client, key)
    conditions.set(key.text, { group: undefined, path, word, values: [value], isList: false, whole: { start, end } })
  }
  return [...conditions.values()]
}
