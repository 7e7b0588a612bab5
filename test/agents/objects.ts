/** Turns query strings into objects without code of the library: the tests compare `parseObject` with the result. */
import type { Collection, ParameterName } from '../../src/language/index.ts'
import { operators } from '../../src/tree.ts'

/** Returns the decoded pairs of a query string. Joins repeated groups in one `and`: an object has each name once. */
export function pairsOf({ parameters }: Collection, text: string): readonly (readonly [string, string])[] {
  const pairs = [...new URLSearchParams(text)]
  const words = (['and', 'or', 'not'] as const).flatMap((word) => parameters.get(word) ?? [])
  const groups = pairs.filter(([name]) => words.includes(name))
  if (new Set(groups.map(([name]) => name)).size === groups.length) return pairs
  const at = pairs.indexOf(groups[0]!)
  const joined = `(${groups.map(([word, group]) => word + group).join(',')})`
  const others = (part: readonly (readonly [string, string])[]) => part.filter(([name]) => !words.includes(name))
  return [...others(pairs.slice(0, at)), [parameters.get('and')!, joined], ...others(pairs.slice(at))]
}

/** Splits a list with bare and quoted items. */
function itemsOf(text: string): string[] {
  const items = [...text.matchAll(/(?:^|,)(?:"((?:[^"\\]|\\["\\])*)"(?=,|$)|([^,]*))/g)]
  return items.map(([, quoted, bare]) => quoted?.replace(/\\(.)/gs, '$1') ?? bare!)
}

const numeric = ['limit', 'offset'] satisfies ParameterName[]
const listed = ['sort', 'fields', 'facets'] satisfies ParameterName[]
const isOneOf = (names: readonly string[], name: string) => names.includes(name)

/** Returns the JSON value of an operand. */
function valueOf(type: string, operator: string, text: string): unknown {
  if (operator === 'exists') return text === 'true'
  if (operator === 'atLeast' || operator === 'atMost') return Number(text)
  if (type === 'boolean') return text === 'true'
  if (type === 'integer' || type === 'number') return Number(text)
  return text
}

/** Turns pairs into an object. @param spell writes the key of a condition. */
export function objectOf(
  { visible, parameters }: Collection,
  pairs: readonly (readonly [string, string])[],
  spell = (path: string, operator: string) => (operator === 'equals' ? path : `${path}[${operator}]`),
): Record<string, unknown> {
  return Object.fromEntries(
    pairs.map(([name, text]): [string, unknown] => {
      const role = [...parameters].find(([, called]) => called === name)?.[0]
      if (role !== undefined) {
        if (isOneOf(numeric, role)) return [name, Number(text)]
        if (isOneOf(listed, role)) return [name, itemsOf(text)]
        return [name, role === 'count' ? text === 'true' : text]
      }
      const [, path, operator = 'equals'] = /^(.*?)(?:\[(\w+)\])?$/s.exec(name)!
      const { type } = visible.paths.get(path!)!
      const { operands } = operators[operator as 'equals']
      const value =
        operands === 'one' ? valueOf(type, operator, text) : itemsOf(text).map((item) => valueOf(type, operator, item))
      return [spell(path!, operator), value]
    }),
  )
}
