/** Conditions whose operator is a suffix of the path: `total_gte`. A field of that name comes first. */
import { cut, type Located, type Token } from './located.ts'
import type { Client, Told } from './tables.ts'

/** Cuts a key into a path and an operator. */
export function suffixed({ tables, paths }: Client, key: Located): readonly [path: Token, word: Token] {
  const { text } = key
  const { length } = text
  const at = (end: number) => [cut(key, 0, end), cut(key, end, length)] as const
  if (paths.has(text)) return at(length)
  const words = Object.keys(tables.operators).filter((word) => word !== '' && text.endsWith(word))
  // Of `_any` and `_eq_any`, the longer one is meant.
  words.sort((a, b) => b.length - a.length)
  const word = words.find((one) => paths.has(text.slice(0, length - one.length))) ?? words[0]
  if (word !== undefined) return at(length - word.length)
  // An unknown operator of a known path.
  for (let end = text.lastIndexOf('_'), left = 8; end > 0 && left > 0; end = text.lastIndexOf('_', end - 1), left--)
    if (paths.has(text.slice(0, end))) return at(end)
  return at(length)
}

/** Each pair is a condition. A pair that comes again has another value of the same condition. */
export function readSuffixed(client: Client): readonly Told[] {
  const told = new Map<string, Extract<Told, { readonly group: undefined }>>()
  for (const { key, value, start, end } of client.others) {
    const before = told.get(key.text)
    const [path, word] = suffixed(client, key)
    const whole = { start, end }
    told.set(
      key.text,
      before === undefined
        ? { group: undefined, path, word, values: [value], isList: false, whole }
        : { ...before, values: [...before.values, value] },
    )
  }
  return [...told.values()]
}
