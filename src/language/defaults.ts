/** Reads the option `defaults` of a collection, for example `status=open`. A pair has no group, so this file does not load the grammar. */
import { weakCache } from '../cache.ts'
import { clockAt } from './clock.ts'
import { allows, type Collection, type DefaultPair } from './collection.ts'
import { defaultOperator, operatorNamed, type OperatorRow } from './operators.ts'
import { readerOf } from './operands.ts'
import type { LazyClock, Operand } from './types.ts'
import { zoneNamed } from './zone.ts'

/** A pair of `defaults`, with its operator and the texts of its operands. */
interface DefaultCondition extends DefaultPair {
  readonly operator: OperatorRow
  /** The texts of the operands, decoded. `today` has another value each day. */
  readonly items: readonly string[]
}

/** The clock of a query without a time zone and without a cursor: UTC and the present moment. */
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

/** Reads the pairs of a collection once. A front-end that only writes queries does not load this function. */
export function defaultsOf(collection: Collection): readonly DefaultCondition[] {
  const before = readDefaults.get(collection)
  if (before !== undefined) return before
  const keys = new Set<string>()
  const conditions = collection.defaults.map((one) => conditionOf(collection, one, keys))
  readDefaults.set(collection, conditions)
  return conditions
}
const readDefaults = /* @__PURE__ */ weakCache<Collection, readonly DefaultCondition[]>()

/** Reads one pair. @throws TypeError when a caller may not write it. */
function conditionOf(collection: Collection, { field, pair }: DefaultPair, keys: Set<string>): DefaultCondition {
  const refuse = (problem: string): never => {
    throw new TypeError(`defaults has ${pair}: ${problem}`)
  }
  const [, name = defaultOperator.name, value = ''] =
    pairForm.exec(decoded(pair)) ?? refuse('expected path=value or path[operator]=value')
  const operator = operatorNamed.get(name) ?? refuse(`${name} is not an operator`)
  if (!allows(field, operator, collection)) refuse(`callers may not use ${name} for ${field.name}`)
  if (keys.size === keys.add(`${field.name} ${name}`).size) refuse('the path and its operator come twice')
  const items = operator.operands === 'one' ? [value] : itemsOf(value)
  if (items.length === 0 || (operator.operands === 'two' && items.length !== 2))
    refuse(`expected ${operator.operands === 'two' ? 'two values' : 'values'} with commas between them`)
  const condition = Object.freeze({ field, operator, items, pair })
  operandsOf(condition, utcClock)
  return condition
}
const pairForm = /^[^[\]=]+(?:\[([^[\]=]+)\])?=([^]*)$/

function decoded(pair: string): string {
  try {
    return decodeURIComponent(pair.replaceAll('+', ' '))
  } catch {
    throw new TypeError(`defaults has ${pair}: a % begins no escape`)
  }
}

/** Cuts a list at its commas. Quotes keep commas and empty texts. A malformed list has no items. */
function itemsOf(text: string): readonly string[] {
  const found = Array.from(`${text},`.matchAll(/(?:"((?:[^"\\]|\\["\\])*)"|([^",][^,]*)),/gy))
  const isWhole = found.reduce((length, [{ length: one }]) => length + one, 0) === text.length + 1
  return isWhole ? found.map(([, quoted, bare]) => bare ?? quoted!.replaceAll(/\\(.)/g, '$1')) : []
}
