/** Conditions and groups → text. */
import { defaultOperator, operatorNamed, pathFrom, quantifiedPath } from '../language/index.ts'
import type { Operand, GroupWord, GroupWords } from '../language/index.ts'
import { isQuantifier, type BoundCondition, type BoundMember } from '../query/index.ts'
import { encode, encodeItems, encodeKey, quoted } from '../values/encode.ts'

/** An operand without escapes and quotes. Days are those of UTC. */
export const textOfOperand = (operand: Operand): string =>
  operand.type === 'day' ? String(operand.from!.value).slice(0, 10) : String(operand.value)

/** An item in a group, where parentheses need quotes, too. */
export const groupItemText = (text: string): string => (/^$|^["(]|[),]/.test(text) ? quoted(text) : text)

function keyText(condition: BoundCondition): string {
  const path = pathFrom(condition)
  const { operator } = condition
  // No key of a record that ends in a sign is a condition alone.
  return encodeKey(operator === defaultOperator.name && /[^<>!~]$/.test(path) ? path : `${path}[${operator}]`)
}

const hasList = ({ operator }: BoundCondition): boolean => operatorNamed.get(operator)!.operands !== 'one'

/** Writes a condition as a pair, `total[gte]=5`. */
export function pairText(condition: BoundCondition): string {
  const texts = condition.operands.map(textOfOperand)
  return `${keyText(condition)}=${hasList(condition) ? encodeItems(texts) : encode(texts[0]!)}`
}

/** Writes a condition or a group as a pair, `or=(…)`. */
export function memberText(member: BoundMember, words: GroupWords): string {
  return member.kind === 'condition' ? pairText(member) : insideText(member, words, '=')
}

/** Writes a condition or a group as a member of a group, `or(…)`. `equals` is the text before a parenthesis. */
export function insideText(member: BoundMember, words: GroupWords, equals = ''): string {
  if (member.kind !== 'condition') {
    const { kind, lists, members } = member
    const name = isQuantifier(kind) ? quantifiedPath(lists.flat().join('.'), kind) : nameOf(words, kind)
    return `${encodeKey(name)}${equals}(${members.map((one) => insideText(one, words)).join(',')})`
  }
  const items = member.operands.map((operand) => encode(groupItemText(textOfOperand(operand)))).join(',')
  return `${keyText(member)}=${hasList(member) ? `(${items})` : items}`
}

function nameOf(words: GroupWords, meant: GroupWord): string {
  for (const [name, word] of words) if (word === meant) return name
  throw new Error(`no word for ${meant}`)
}
