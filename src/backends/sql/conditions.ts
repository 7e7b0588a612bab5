/** Conditions on one value: comparison, membership, match, presence. */
import { compareOf, isExact, isFolded, isLiteralType } from '../../tree/index.ts'
import type {
  Comparison,
  ComparisonOperator,
  Literal,
  Match,
  MatchMode,
  Membership,
  Presence,
} from '../../tree/index.ts'
import { compare, prefixBounds, type Dialect, type TextRules } from './dialect/dialect.ts'
import { parameter, sql, type Sql } from './dialect/sql.ts'
import { boundOfValue } from './contains.ts'
import { allOf, term, type Expression } from './expression.ts'
import type { Scope } from './scope.ts'
import { asText, operandOf, operation, uncast, unencoded, valueBy, valueOf } from './value.ts'
import type { Operation, Value, ValueOrder } from './value.ts'

/** The property is a symbol, because a filter of a caller may contain any name. */
const by = /* @__PURE__ */ Symbol('by')
/** Compares a sort key with the value of a position, in the order of the key. */
interface OrderedComparison extends Comparison {
  readonly [by]?: ValueOrder
}
export const comparisonBy = (order: ValueOrder, condition: Comparison): OrderedComparison => ({
  ...condition,
  [by]: order,
})
const inLowerCase: ValueOrder = { ignoreCase: true }
const orderOf = (filter: OrderedComparison): ValueOrder | undefined =>
  isFolded(filter.operator) ? inLowerCase : filter[by]

export function comparison(scope: Scope, filter: Comparison, negated: boolean): Expression {
  const stored = valueOf(scope, filter, filter.operand.type)
  if (stored === undefined) return false
  const order = orderOf(filter)
  const value = order === undefined ? stored : valueBy(scope, stored, order)
  return filter.operator === 'eq'
    ? besideBound(scope, filter, negated, equality(scope, filter, value, negated))
    : inequality(scope, filter, value, negated, itself)
}

const besideBound = (
  scope: Scope,
  filter: Comparison | Membership,
  negated: boolean,
  tested: Expression,
): Expression => (negated || typeof tested === 'boolean' ? tested : allOf(scope, [boundOfValue(scope, filter), tested]))

function equality(scope: Scope, filter: Comparison, stored: Value, negated: boolean): Expression {
  const { dialect, write, isPosition } = scope
  // The order ignores the Z, so it places `…10:00:00` beside `…10:00:00Z`.
  const value = isPosition && stored.type.bound !== undefined ? asText(dialect, stored) : stored
  const nullIsFalse = scope.nullIsFalse && !negated
  const { isText, equal } = value.type
  const { differs } = isText === true ? dialect.textRules : dialect
  const tested = write(filter, ({ operand }) => {
    const fitted = operation(value.type, 'eq', operand)
    if (typeof fitted === 'boolean') return fitted
    if (equal !== undefined) return equal(value.sql, fitted.operand, fitted.value, nullIsFalse)
    return negated ? differs(value.sql, fitted.operand) : compared(dialect, value, fitted)
  })
  if (typeof tested === 'boolean') return constant(value, tested, negated)
  return negated && equal === undefined ? term(tested) : test(dialect, tested, value, negated)
}

function inequality<C extends Comparison | Membership>(
  { dialect, write, isPosition }: Scope,
  filter: C,
  stored: Value,
  negated: boolean,
  asked: (filter: C) => { readonly operator: ComparisonOperator; readonly operand: Literal },
): Expression {
  const value = asText(dialect, stored)
  // The bound lets an index serve the comparison, and no index contains a value in JSON. A position omits the bound, because the bound
  // excludes texts in another form, such as `2024-02-29T10Z`.
  const bound = stored.column === undefined || isPosition ? undefined : stored.type.bound
  const tested = write(filter, (condition) => {
    const { operator, operand } = asked(condition)
    const fitted = operation(value.type, operator, operand)
    if (typeof fitted === 'boolean') return fitted
    const comparison = compared(dialect, value, fitted)
    if (bound === undefined) return comparison
    const beside = bound(operator, operand.value)
    const besideIt = compared(dialect, stored, { ...beside, operand: operandOf(stored.type, beside.value) })
    return sql`(${besideIt} AND ${comparison})`
  })
  if (typeof tested === 'boolean') return constant(value, tested, negated)
  return test(dialect, tested, value, negated)
}

const itself = ({ operator, operand }: Comparison) => ({
  operator: operator.replace('IgnoreCase', '') as ComparisonOperator,
  operand,
})

/**
 * A comparison with the outermost of some bounds. Each row passes it that is within one of them, so it needs no test for NULL beside
 * the test of these.
 */
export function beyondOutermost(
  scope: Scope,
  bounds: Membership,
  operator: Exclude<ComparisonOperator, 'eq'>,
): Expression {
  const { type } = bounds.operands[0]!
  // What it refuses, the bounds refuse.
  const value = valueOf({ ...scope, issues: [] }, bounds, type)
  if (value?.column === undefined) return true
  const sign = operator.startsWith('g') ? 1 : -1
  const outermost = inequality(scope, bounds, value, false, ({ operands }) => ({
    operator,
    operand: operands.reduce((most, one) => (sign * compareOf[type](one.value, most.value) < 0 ? one : most)),
  }))
  return typeof outermost === 'boolean' || term(outermost.sql)
}

const compared = ({ textRules }: Dialect, { sql: value, type }: Value, { operator, operand }: Operation): Sql =>
  (type.isText === true ? textRules.compare : compare)(value, operator, operand)

export function membership(scope: Scope, filter: Membership, negated: boolean): Expression {
  const { dialect, write } = scope
  if (filter.operands.length === 0) return negated
  const value = valueOf(scope, filter, filter.operands[0]!.type)
  if (value === undefined) return false
  const { encode = unencoded, among = dialect.among } = value.type
  const isAmong = write(filter, ({ operands }) => {
    const fitted = operands.map((operand) => operation(value.type, 'eq', operand))
    if (fitted.includes(true)) return true
    const encoded = fitted.flatMap((one) => (typeof one === 'boolean' ? [] : [encode(one.value)]))
    return encoded.length === 0 ? false : among(value.sql, encoded, value.type)
  })
  if (typeof isAmong === 'boolean') return constant(value, isAmong, negated)
  return besideBound(scope, filter, negated, test(dialect, isAmong, value, negated))
}

const isEqual: TextRules['prefix'] = (value, operand, text) => compare(value, 'eq', text(operand))

/** Tests of a value, lower-cased where case is ignored. A lower-cased value has the collation of {@link TextRules}. */
const tests: {
  readonly [M in MatchMode]: (rules: TextRules, value: Sql, operand: string, text: (text: string) => Sql) => Sql
} = {
  prefix: (rules, value, operand, text) => rules.prefix(value, operand, text),
  suffix: (rules, value, operand, text) => rules.suffix(value, operand, text),
  substring: (rules, value, operand, text) => rules.substring(value, operand, text),
  whole: ({ whole = isEqual }, value, operand, text) => whole(value, operand, text),
  prefixExact: (rules, value, operand, text) => prefixBounds(rules.compare, value, operand, text),
  suffixExact: (rules, value, operand, text) => rules.suffix(value, operand, text),
  substringExact: (rules, value, operand, text) => rules.substring(value, operand, text),
}

export function match(scope: Scope, filter: Match, negated: boolean): Expression {
  const { dialect, lowering, write } = scope
  const { mode } = filter
  const stored = valueOf(scope, filter, 'string')
  if (stored === undefined) return false
  const value = asText(dialect, stored)
  const { cast = uncast } = value.type
  const compared = isExact(mode) ? value.sql : lowering.ofValue(value.sql)
  const ofText = isExact(mode) ? (text: string) => text : lowering.ofText
  const asParameter = (operand: string) => cast(parameter(operand))
  // Every text contains the empty one.
  const matches = write(
    filter,
    ({ text }) =>
      (text === '' && mode !== 'whole') || tests[mode](dialect.textRules, compared, ofText(text), asParameter),
  )
  return typeof matches === 'boolean' ? constant(value, matches, negated) : test(dialect, matches, value, negated)
}

/** Presence of a scalar. */
export function valuePresence(scope: Scope, filter: Presence, negated: boolean): Expression {
  const value = isLiteralType(filter.type) ? valueOf(scope, filter, filter.type) : undefined
  return value === undefined ? false : isPresent(value, negated)
}

/** An expression that is NULL exactly where the value is; negated, it is true there. */
function test(dialect: Dialect, expression: Sql, value: Value, negated: boolean): Expression {
  const { column, isNeverNull } = value
  if (!negated) return term(expression, isNeverNull ? 'never' : column === undefined ? 'unknown' : [column])
  return term(isNeverNull ? sql`NOT (${expression})` : dialect.isNotTrue(expression, column))
}

/** A condition that is true or false of every value; a row without a value does not pass. */
const constant = (value: Value, isTrue: boolean, negated: boolean): Expression =>
  isTrue ? isPresent(value, negated) : negated

const isPresent = ({ sql: value, isNeverNull }: Value, negated: boolean): Expression =>
  isNeverNull ? !negated : term(negated ? sql`${value} IS NULL` : sql`${value} IS NOT NULL`)
