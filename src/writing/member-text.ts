/** How pairs and groups are written in a query string. */
import {
  defaultOperator,
  type Operand,
  pathFrom,
  quantifiedPath,
  type GroupWord,
  type GroupWords,
} from '../language/index.ts'
import { isQuantifier, type BoundMember, type BoundPair } from '../query/index.ts'
import { encode, encodeItems, encodeKey, quoted } from '../values/encode.ts'

/** An operand without escapes and quotes. Days are those of UTC. */
export const textOfOperand = (operand: Operand): string =>
  operand.type === 'day' ? String(operand.from!.value).slice(0, 10) : String(operand.value)

/** An item in a group, where parentheses need quotes, too. */
const groupItemText = (text: string): string => (/^$|^["(]|[),]/.test(text) ? quoted(text) : text)

const keyText = ({ field, operator }: BoundPair): string => {
  const brackets = operator.name === defaultOperator.name && pathFrom(field) !== '' ? '' : `[${operator.name}]`
  return encodeKey(pathFrom(field) + brackets)
}

/** A pair as a query string has it. */
export function pairText(pair: BoundPair): string {
  const { operator, operands } = pair
  const texts = operands.map(textOfOperand)
  return `${keyText(pair)}=${operator.operands === 'one' ? encode(texts[0]!) : encodeItems(texts)}`
}

/** A pair or a group as a query string has it. */
export function memberText(member: BoundMember, words: GroupWords): string {
  return member.members === undefined ? pairText(member) : insideText(member, words, '=')
}

/**
 * A pair or a group as a group has it.
 *
 * @param equals the text before a parenthesis.
 */
export function insideText(member: BoundMember, words: GroupWords, equals = ''): string {
  if (member.members !== undefined) {
    const { word, lists, members } = member
    const name = isQuantifier(word) ? quantifiedPath(lists.flat().join('.'), word) : nameOf(words, word)
    return `${encodeKey(name)}${equals}(${members.map((one) => insideText(one, words)).join(',')})`
  }
  const { operator, operands } = member
  const items = operands.map((operand) => encode(groupItemText(textOfOperand(operand)))).join(',')
  return `${keyText(member)}=${operator.operands === 'one' ? items : `(${items})`}`
}

function nameOf(words: GroupWords, meant: GroupWord): string {
  for (const [name, word] of words) if (word === meant) return name
  throw new Error(`no word for ${meant}`)
}
