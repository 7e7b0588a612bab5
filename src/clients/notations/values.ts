/** Reads conditions with the operator at the beginning of the value: `filter.total=$not:$gte:5`. */
import { isPlain } from './conditions.ts'
import { find, findForm, findNoParameter, findUnknownWord } from './client.ts'
import { cut, locate, type Token } from './located.ts'
import { split, trimmed } from './parameters.ts'
import type { Client, ClientCondition, ClientMember } from './tables.ts'

/** Reads each pair as a condition. Refuses an unknown operator: it never becomes part of the value. */
export function readWorded(client: Client): readonly ClientMember[] {
  const { tables, source } = client
  const members = client.others.flatMap((pair): readonly ClientCondition[] => {
    const { key, value, start, end } = pair
    const { length } = tables.prefix!
    if (!key.text.startsWith(tables.prefix!)) {
      findNoParameter(client, pair)
      return []
    }
    const path = cut(key, length, key.text.length)
    const text = locate(source, value)
    let from = 0
    let isNegated = false
    let quantifier: Token | undefined
    const nothing: Token = { text: '', start: path.end, end: path.end }
    let word = nothing
    let hasValue = true
    for (const { 0: found } of text.text.matchAll(/\$[a-z]+(?::|$)/giy)) {
      const one = cut(text, from, from + found.replace(':', '').length)
      from += found.length
      hasValue = found.endsWith(':')
      const isGroup = Object.hasOwn(tables.groups!, one.text)
      const isQuantifier = Object.hasOwn(tables.quantifiers!, one.text)
      const isKnown = isGroup || isQuantifier || Object.hasOwn(tables.operators, one.text)
      // nestjs-paginate ignores the first of two operators.
      if (isKnown && (isGroup ? isNegated : isQuantifier ? quantifier !== undefined : word !== nothing)) {
        findForm(client, path.text, one, 'one operator, and $not once')
        return []
      }
      if (isGroup) isNegated = true
      else if (isQuantifier) quantifier = one
      else if (isKnown) word = one
      else {
        const words = Object.keys(tables.operators).filter((name) => name !== '')
        findUnknownWord(client, one, path.text, words)
        return []
      }
    }
    const meaning = tables.operators[word.text]!
    if (!hasValue && meaning !== '!exists') {
      find(client, 'operand_empty', value, {
        of: 'value',
        isWhole: true,
        allowsEmptyText: false,
        parameter: null,
      })
      return []
    }
    const isList = ['in', 'range', 'all'].includes(meaning)
    const rest = cut(text, from, text.text.length)
    const inside = { text: text.text.slice(from), offsets: text.offsets.slice(from) }
    const values = isList
      ? split(inside).map(trimmed)
      : [meaning === '!exists' && rest.text === '' ? { ...word, text: 'true' } : rest]
    return [
      {
        group: undefined,
        path,
        word,
        values,
        isList,
        isNegated,
        ...(quantifier && { quantifier }),
        whole: { start, end },
      },
    ]
  })
  for (const one of members) {
    const list = client.paths.get(one.path.text)?.lists[0]
    const isShared = (other: ClientCondition) =>
      client.paths.get(other.path.text)?.lists[0]?.join('.') === list?.join('.')
    const { quantifier } = one
    if (quantifier !== undefined && list !== undefined && !isPlain(client, one) && members.filter(isShared).length > 1)
      findForm(client, one.path.text, quantifier, 'absent beside another condition on the list')
  }
  return members
}
