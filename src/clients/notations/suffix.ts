/** Reads conditions with the operator at the end of the key: `total_gte`. A field with the name `total_gte` has precedence. */
import { cut, type Located, type Token } from './located.ts'
import type { Client, ClientCondition, ClientMember } from './tables.ts'

/** Cuts a key into a path and an operator. */
export function suffixed({ tables, paths }: Client, key: Located): readonly [path: Token, word: Token] {
  const { text } = key
  const { length } = text
  const at = (end: number) => [cut(key, 0, end), cut(key, end, length)] as const
  if (paths.has(text)) return at(length)
  const words = Object.keys(tables.operators).filter((word) => word !== '' && text.endsWith(word))
  // `_eq_any` ends with `_any`: the longer operator has precedence.
  words.sort((a, b) => b.length - a.length)
  const word = words.find((one) => paths.has(text.slice(0, length - one.length))) ?? words[0]
  if (word !== undefined) return at(length - word.length)
  // The key ends with an unknown operator: the longest known path before `_` has a better message.
  for (let end = text.lastIndexOf('_'), left = 8; end > 0 && left > 0; end = text.lastIndexOf('_', end - 1), left--)
    if (paths.has(text.slice(0, end))) return at(end)
  return at(length)
}

/** Reads each pair as a condition. A repeated key adds a value to the condition. */
export function readSuffixed(client: Client): readonly ClientMember[] {
  const told = new Map<string, ClientCondition & { readonly values: Token[] }>()
  for (const { key, value, start, end } of client.others) {
    const before = told.get(key.text)
    if (before !== undefined) {
      before.values.push(value)
      continue
    }
    const [path, word] = suffixed(client, key)
    told.set(key.text, { group: undefined, path, word, values: [value], isList: false, whole: { start, end } })
  }
  return [...told.values()]
}
