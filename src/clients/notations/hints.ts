/** Translates hints into the words of a client. */
import type { Advice } from '../../issue/index.ts'
import { pairFor, wordText, write } from './client.ts'
import type { Client, Tables } from './tables.ts'

/** Returns the client's word for an operator of this library; the name of the operator where the client lacks a word. */
export function wordFor({ operators }: Tables, name: string): string {
  const word = Object.keys(operators).find((one) => operators[one]!.replace('!', '') === name)
  return word === undefined ? name : wordText(word)
}

/** Translates the condition `status[in]=paid,held` into the client's words. Returns `undefined` where the client lacks a word for the operator. */
function exampleFor(tables: Tables, text: string): string | undefined {
  const [, path, name = 'equals', value] = /^([^[\]=&()]+)(?:\[(\w+)\])?=([^&"()]*)$/.exec(text) ?? []
  if (path === undefined || value === undefined) return undefined
  const { operators, list } = tables
  const isList = name === 'in' || name === 'nin' || name === 'range'
  const meanings =
    name === 'exists' && value === 'false'
      ? ['!exists']
      : name === 'notEqual'
        ? [name, '!equals']
        : name === 'nin'
          ? [name, '!in']
          : [name]
  // In some clients, several values without an operator mean `in`.
  const spelling = Object.keys(operators).find((word) => meanings.includes(operators[word]!))
  const word = spelling ?? (name === 'in' && list !== ',' ? '' : undefined)
  if (word === undefined || (name === 'exists' && spelling === undefined)) return undefined
  const values = isList ? value.split(',') : [name === 'exists' ? 'true' : value]
  if (tables.list === ',' && name === 'exists' && operators[word] === '!exists')
    return pairFor(tables, path, word, '').replace(/:$/, '')
  const quote = (one: string) => (list === '[]' && !/^(?:-?\d+(?:\.\d+)?|true|false)$/.test(one) ? `"${one}"` : one)
  const pairOf = (one: string) => pairFor(tables, path, word, one)
  if (list === '[]') return pairOf(isList ? `[${values.map(quote).join(',')}]` : quote(values[0]!))
  return list === ',' ? pairOf(values.join(',')) : values.map(pairOf).join('&')
}

/** Translates advice into the words of a client; returns an empty list where the client cannot follow the advice. */
export function adviceFor({ tables }: Client, advice: Advice): readonly Advice[] {
  switch (advice.kind) {
    case 'write': {
      const example = exampleFor(tables, advice.text)
      return example === undefined ? [] : [{ ...write(example), reason: advice.reason }]
    }
    case 'operators':
      return [{ ...advice, operators: [...new Set(advice.operators.map((name) => wordFor(tables, name)))] }]
    case 'fewer_searches': {
      const words = (names: readonly string[]) => names.map((name) => wordFor(tables, name))
      return [{ ...advice, everywhere: words(advice.everywhere), inLists: words(advice.inLists) }]
    }
    case 'decode_once':
    case 'write_group':
    case 'no_parameters':
    case 'separate_pairs':
    case 'query_only':
      return []
    default:
      return [advice]
  }
}
