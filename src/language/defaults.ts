/** The default conditions of a collection, such as `status=open`. Each is one pair, so no grammar is needed. */
import { clockAt } from './clock.ts'
import { accepts, defaultOperator, operatorNamed, type OperatorRow } from './operators.ts'
import { readerOf } from './operands.ts'
import type { ResolvedField } from './schema.ts'
import type { LazyClock, Operand } from './types.ts'
import { zoneNamed } from './zone.ts'

/** A condition of the queries that have none on its field. */
export interface DefaultCondition {
  readonly field: ResolvedField
  readonly operator: OperatorRow
  /** The texts of the operands, decoded. `today` has another value each day. */
  readonly items: readonly string[]
  /** The pair, as the option has it. */
  readonly pair: string
}

/** UTC and this moment, for a query that no text describes. */
export const utcClock: LazyClock = /* @__PURE__ */ Object.freeze({
  get: () => clockAt(zoneNamed('UTC')!, Date.now()),
})

/** @throws TypeError when a value is invalid. */
export const operandsOf = ({ field, operator, items, pair }: DefaultCondition, clock: LazyClock): readonly Operand[] =>
  items.map((item) => {
    const { fromText, expected } = readerOf(operator.operandKind, field)
    const operand = fromText(item, clock)
    if (operand === undefined) throw new TypeError(`defaults has ${pair}: expected ${expected}`)
    return operand
  })

/**
 * @param fieldOf returns the field of a path that callers know.
 * @throws TypeError that names the pair that no caller may write.
 */
export function defaultsOf(
  text: unknown,
  fieldOf: (path: string) => ResolvedField,
  operators: ReadonlyMap<string, readonly string[]>,
): readonly DefaultCondition[] {
  if (text === undefined) return []
  if (typeof text !== 'string') throw new TypeError("defaults must be conditions, such as 'status=open'")
  const keys = new Set<string>()
  return text.split('&').map((pair) => {
    const refuse = (problem: string): never => {
      throw new TypeError(`defaults has ${pair}: ${problem}`)
    }
    const [, path = '', name = defaultOperator.name, value = ''] =
      pairForm.exec(decoded(pair)) ?? refuse('expected path=value or path[operator]=value')
    const field = fieldOf(path)
    const operator = operatorNamed.get(name) ?? refuse(`${name} is not an operator`)
    if (!(operators.get(path)?.includes(name) ?? accepts(field, operator)))
      refuse(`callers may not use ${name} for ${path}`)
    if (keys.size === keys.add(`${path} ${name}`).size) refuse('the path and its operator come twice')
    const items = operator.operands === 'one' ? [value] : itemsOf(value)
    if (items.length === 0 || (operator.operands === 'two' && items.length !== 2))
      refuse(`expected ${operator.operands === 'two' ? 'two values' : 'values'} with commas between them`)
    const condition = Object.freeze({ field, operator, items, pair })
    operandsOf(condition, utcClock)
    return condition
  })
}
const pairForm = /^([^[\]=]+)(?:\[([^[\]=]+)\])?=([^]*)$/

function decoded(pair: string): string {
  try {
    return decodeURIComponent(pair.replaceAll('+', ' '))
  } catch {
    throw new TypeError(`defaults has ${pair}: a % begins no escape`)
  }
}

/** The items of a list, where quotes keep commas and empty texts. None of a malformed list. */
function itemsOf(text: string): readonly string[] {
  const found = Array.from(`${text},`.matchAll(/(?:"((?:[^"\\]|\\["\\])*)"|([^",][^,]*)),/gy))
  const isWhole = found.reduce((length, [{ length: one }]) => length + one, 0) === text.length + 1
  return isWhole ? found.map(([, quoted, bare]) => bare ?? quoted!.replaceAll(/\\(.)/g, '$1')) : []
}
