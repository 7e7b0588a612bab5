/** Rewrites advice about the text of an object as advice about its members. */
import type { Advice } from '../issue/index.ts'
import { isOfForm, jsonTypes, type Collection, type ScalarType } from '../language/index.ts'
import { decode, keyOf, sourceOf, valueOf } from '../asked/index.ts'
import { parseList } from '../reading/index.ts'
import { keyOfPair, ownTypes, parameterOf, type ResolvedKey } from '../binding/index.ts'

/** Turns advice into advice about members. Drops advice about escapes. In a group, advice stays a text. */
export function inObject(collection: Collection, advice: Advice, isInText: boolean): readonly Advice[] {
  if (advice.kind === 'write') {
    const text = isInText ? advice.text : (membersText(collection, advice.text) ?? advice.text)
    return [{ ...advice, text, replaces: null, operands: [] }]
  }
  if (isInText) return [advice]
  if (advice.kind === 'write_group') {
    const text = `"${advice.word}": "(…)"`
    return [{ kind: 'write', text, reason: 'spelling', isExample: true, replaces: null, operands: [] }]
  }
  if (advice.kind === 'escape_plus') return []
  if (advice.kind === 'decode_once') return advice.key === null ? [] : [{ kind: 'did_you_mean', name: advice.key }]
  return [advice]
}

/** Writes the pairs of a query string as members of an object; returns `undefined` for an invalid pair. */
function membersText(collection: Collection, text: string): string | undefined {
  const source = sourceOf(text, 0)
  const members = source.pairs.map((pair) => {
    const name = decode(source, keyOf(pair))
    const value = valueOf(pair)
    const parameter = parameterOf(collection, name)
    const key = parameter === undefined ? keyOfPair(collection, { source }, pair) : undefined
    if (parameter === undefined && key === undefined) return undefined
    const isList = key === undefined ? isOfForm(parameter!, 'paths') : key.operator.operands !== 'one'
    const isBare = key === undefined ? isOfForm(parameter!, 'positive', 'natural', 'flag') : isOfNoText(key)
    const one = (item: string) => (isBare ? item : JSON.stringify(item))
    const written = isList
      ? `[${parseList(source, value)
          .map((item) => one(item.text))
          .join(', ')}]`
      : one(decode(source, value))
    return `${JSON.stringify(name)}: ${written}`
  })
  return members.includes(undefined) ? undefined : members.join(', ')
}

/** Whether an operand is a JSON number or boolean. */
const isOfNoText = ({ operator: { operandKind }, field }: ResolvedKey): boolean =>
  jsonTypes[operandKind === 'value' ? (field.type as ScalarType) : ownTypes[operandKind]].type !== 'string'
