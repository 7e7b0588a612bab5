/** Conditions on one value: comparison, membership, match, presence. */
import type { Comparison, Match, Membership, Presence } from '../../ast/index.ts'
import { compare, type Dialect } from './dialect/dialect.ts'
import { parameter, sql, type Sql } from './dialect/sql.ts'
import { term, type Expression } from './expression.ts'
import type { Scope } from './scope.ts'
import { asText, operandOf, uncast, unencoded, valueOf, type Value } from './value.ts'

export function comparison(scope: Scope, filter: Comparison, negated: boolean): Expression {
  const { dialect, write } = scope
  const { operator } = filter
  const stored = valueOf(scope, filter, filter.operand.type)
  if (stored === undefined) return false
  const value = operator === 'eq' ? stored : asText(dialect, stored)
  const { isText, equal } = value.type
  const operand = write(filter, ({ operand }) => operandOf(value.type, operand))
  // No stored value is equal to what cannot be encoded.
  if (operand === undefined) return negated
  if (operator === 'eq' && equal !== undefined) return test(dialect, equal(value.sql, operand), value, negated)
  if (negated && operator === 'eq') return term((isText ? dialect.textRules : dialect).differs(value.sql, operand))
  return test(dialect, (isText ? dialect.textRules.compare : compare)(value.sql, operator, operand), value, negated)
}

export function membership(scope: Scope, filter: Membership, negated: boolean): Expression {
  const { dialect, write } = scope
  if (filter.operands.length === 0) return negated
  const value = valueOf(scope, filter, filter.operands[0]!.type)
  if (value === undefined) return false
  const { encode = unencoded, among = dialect.among } = value.type
  const isAmong = write(filter, ({ operands }) => {
    const encoded = operands.map((operand) => encode(operand.value)).filter((one) => one !== undefined)
    return encoded.length === 0 ? undefined : among(value.sql, encoded, value.type)
  })
  return isAmong === undefined ? negated : test(dialect, isAmong, value, negated)
}

export function match(scope: Scope, filter: Match, negated: boolean): Expression {
  const { dialect, lowering, write } = scope
  const { mode } = filter
  const stored = valueOf(scope, filter, 'string')
  if (stored === undefined) return false
  const value = asText(dialect, stored)
  const { cast = uncast } = value.type
  const lowered = lowering.ofValue(value.sql)
  const asParameter = (operand: string) => cast(parameter(operand))
  const matches = write(filter, ({ text }) =>
    text === '' ? undefined : dialect.textRules[mode](lowered, lowering.ofText(text), asParameter),
  )
  // Every text contains the empty one.
  return matches === undefined ? isPresent(value, negated) : test(dialect, matches, value, negated)
}

/** Presence of a scalar. */
export function valuePresence(scope: Scope, filter: Presence, negated: boolean): Expression {
  const value = filter.type === 'object' ? undefined : valueOf(scope, filter, filter.type)
  return value === undefined ? false : isPresent(value, negated)
}

/** An expression that is NULL exactly where the value is; negated, it is true there. */
function test(dialect: Dialect, expression: Sql, value: Value, negated: boolean): Expression {
  const { sql: column, isColumn, isNeverNull } = value
  if (!negated) return term(expression, isNeverNull ? 'never' : isColumn ? [column] : 'unknown')
  return term(isNeverNull ? sql`NOT (${expression})` : dialect.isNotTrue(expression, isColumn ? column : undefined))
}

const isPresent = ({ sql: value, isNeverNull }: Value, negated: boolean): Expression =>
  isNeverNull ? !negated : term(negated ? sql`${value} IS NULL` : sql`${value} IS NOT NULL`)
