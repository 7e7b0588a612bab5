/** Converts plans of Cerbos to filters. */
import { checkFilter, isObject, joined, literalOf, readAs, readPart, refuse, unchecked } from '../tree/index.ts'
import type { Comparison, Filter, Literal, Read, ReadProgress } from '../tree/index.ts'
import { checkSchema, type Fields, type OperatorName, type Schema } from '../language/index.ts'
import { own } from '../own.ts'
import { canonicalDateTimeOf } from '../values/time.ts'
import { checkOperator, entryOf, fieldFrom, isList, isPresent, listIn, literalFor, nested, someOf } from './fields.ts'
import type { FieldFrom, Start } from './fields.ts'

/** The row, or the entry of a list, and its name in expressions. */
interface Scope extends Start {
  readonly variable: string
}

/**
 * Reads the filter of an expression of CEL: it selects the rows for which the value is `wanted`. An expression that is an error has
 * neither value, so each condition requires that its fields have values. `&&` and `||` have a value where one side decides.
 */
type Expression = (scope: Scope, wanted: boolean) => (operands: readonly unknown[], reading: ReadProgress) => Filter

/** An operand: a call, a variable or a constant. */
type Operand =
  | { readonly kind: 'call'; readonly operator: string; readonly operands: readonly unknown[] }
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'value'; readonly value: unknown }

/** An operand, in the form of the SDK or of the API. */
function operandOf(value: unknown, reading: ReadProgress): Operand {
  if (!isObject(value)) return refuse(reading, 'must be an operand')
  const parts = value as Readonly<Record<string, unknown>>
  if (Object.hasOwn(parts, 'value')) return { kind: 'value', value: parts.value }
  const name = own(parts, 'name') ?? own(parts, 'variable')
  if (typeof name === 'string') return { kind: 'variable', name }
  const expression = own(parts, 'expression')
  const call = isObject(expression) ? (expression as typeof parts) : parts
  const [operator, operands] = [own(call, 'operator'), own(call, 'operands')]
  if (typeof operator !== 'string' || !Array.isArray(operands)) return refuse(reading, 'must be an operand')
  return { kind: 'call', operator, operands }
}

/** The two operands of a call. */
function twoOf(operands: readonly unknown[], reading: ReadProgress): readonly [Operand, Operand] {
  if (operands.length !== 2) return refuse(reading, 'must have two operands')
  const [one, other] = [0, 1].map((at) => readPart(operandOf, operands, at, reading))
  return [one!, other!]
}

/** Finds the field of a variable. A path never enters a list, because CEL reads a list as one value. */
function fieldOf({ variable, ...start }: Scope, operand: Operand, reading: ReadProgress): FieldFrom {
  const name = operand.kind === 'variable' ? operand.name : ''
  if (name !== variable && !name.startsWith(`${variable}.`))
    return refuse(reading, `must compare a value with a variable that begins with ${variable}`)
  const path = name === variable ? start.prefix.slice(0, -1) : start.prefix + name.slice(variable.length + 1)
  const from = fieldFrom({ ...start, prefix: '' }, path, reading)
  return from.lists.length === 0 || (from.lists.length === 1 && isList(from))
    ? { ...from, start }
    : refuse(reading, `must not enter the list in ${name}`)
}
const scalarOf = (scope: Scope, operand: Operand, reading: ReadProgress): FieldFrom => {
  const from = fieldOf(scope, operand, reading)
  return from.lists.length === 0 ? from : refuse(reading, `must not compare the list ${from.field.name}`)
}
const listOf = (scope: Scope, operand: Operand, reading: ReadProgress): FieldFrom => {
  const from = fieldOf(scope, operand, reading)
  return from.lists.length > 0 ? from : refuse(reading, `must have a list, and ${from.field.name} is not a list`)
}
function valueOf(operand: Operand, reading: ReadProgress): unknown {
  return operand.kind === 'value' ? operand.value : refuse(reading, 'must have a constant beside the variable')
}

/** Selects the rows with a value for which a condition is true, or false. */
const either = (from: FieldFrom, condition: Filter, wanted: boolean): Filter =>
  wanted ? condition : joined('and', [isPresent(from), unchecked.not(condition)])

/** Selects the rows with an entry. It refuses a complement, which would contain rows without the list. CEL has an error for those. */
const anyEntry = ({ lists }: FieldFrom, condition: Filter, wanted: boolean, reading: ReadProgress): Filter =>
  wanted
    ? someOf(lists, condition)
    : refuse(reading, 'must not be negated: rows of SQL do not tell a missing list from an empty one')

// --- Comparisons

type Order = Exclude<Comparison['operator'], `${string}IgnoreCase`>
const mirrored: Readonly<Record<Order, Order>> = { eq: 'eq', gt: 'lt', gte: 'lte', lt: 'gt', lte: 'gte' }
const opposite = { gt: 'lte', gte: 'lt', lt: 'gte', lte: 'gt' } as const

/** Reads the argument of `timestamp()`. It returns `undefined` for another operand. */
function momentIn(operand: Operand, reading: ReadProgress): Operand | undefined {
  if (operand.kind !== 'call' || operand.operator !== 'timestamp') return undefined
  const argument = operandOf(operand.operands[0], reading)
  return operand.operands.length === 1 ? argument : refuse(reading, 'must have one argument in timestamp()')
}

const compare =
  (asked: Order): Expression =>
  (scope, wanted) =>
  (operands, reading) => {
    const [left, right] = twoOf(operands, reading)
    const moments = [momentIn(left, reading), momentIn(right, reading)] as const
    const [one, other] = [moments[0] ?? left, moments[1] ?? right]
    const isSwapped = one.kind === 'value'
    const from = scalarOf(scope, isSwapped ? other : one, reading)
    const value = valueOf(isSwapped ? one : other, reading)
    const isMoment = from.field.type === 'datetime'
    if (isMoment !== (moments[0] !== undefined) || isMoment !== (moments[1] !== undefined))
      return refuse(
        reading,
        `must compare ${from.field.name}${isMoment ? ' and its operand in' : ' without'} timestamp()`,
      )
    let operator = isSwapped ? mirrored[asked] : asked
    if (operator !== 'eq') {
      checkOperator(from, operator, reading)
      if (!wanted) operator = opposite[operator]
    }
    const { path } = from.field
    const [literal, isBetween] = isMoment ? momentOf(value, reading) : [literalFor(from, value, reading), false]
    if (isBetween && operator !== 'eq') operator = operator.startsWith('l') ? 'lte' : 'gt'
    const condition =
      isBetween && operator === 'eq' ? unchecked.membership(path, []) : unchecked.comparison(path, operator, literal)
    return asked === 'eq' ? either(from, condition, wanted) : condition
  }

/** The moment of a constant, and whether it is between two moments that a row can have: `now()` has nanoseconds. */
function momentOf(value: unknown, reading: ReadProgress): readonly [moment: Literal, isBetween: boolean] {
  const text = typeof value === 'string' && value === value.toUpperCase() ? canonicalDateTimeOf(value) : undefined
  const literal = literalOf('datetime', text)
  if (literal === undefined) return refuse(reading, 'must have an RFC 3339 datetime in timestamp()')
  return [literal, /\.\d{6}0*[1-9]/.test(value as string)]
}

const isIn: Expression = (scope, wanted) => (operands, reading) => {
  const [one, list] = twoOf(operands, reading)
  if (one.kind === 'value') {
    const from = listOf(scope, list, reading)
    const { path } = from.field
    return anyEntry(from, unchecked.comparison(path, 'eq', textOrNumber(from, one.value, reading)), wanted, reading)
  }
  const from = scalarOf(scope, one, reading)
  return either(from, membershipOf(from, valueOf(list, reading), reading), wanted)
}

/** Reads a literal of any type but datetime. CEL compares datetimes by `timestamp()` alone. */
const textOrNumber = (from: FieldFrom, value: unknown, reading: ReadProgress): Literal =>
  from.field.type === 'datetime'
    ? refuse(reading, `must compare ${from.field.name} in timestamp()`)
    : literalFor(from, value, reading)

function membershipOf(from: FieldFrom, values: unknown, reading: ReadProgress): Filter {
  if (!Array.isArray(values)) return refuse(reading, 'must have a list of constants')
  const literals = values.map((value: unknown) => textOrNumber(from, value, reading))
  return unchecked.membership(from.field.path, literals)
}

const intersects: Expression = (scope, wanted) => (operands, reading) => {
  const [one, other] = twoOf(operands, reading)
  const [list, values] = one.kind === 'value' ? [other, one] : [one, other]
  const from = listOf(scope, list, reading)
  return anyEntry(from, membershipOf(from, valueOf(values, reading), reading), wanted, reading)
}

const match =
  (name: OperatorName, mode: 'prefixExact' | 'suffixExact' | 'substringExact'): Expression =>
  (scope, wanted) =>
  (operands, reading) => {
    const [one, other] = twoOf(operands, reading)
    const from = scalarOf(scope, one, reading)
    checkOperator(from, name, reading)
    const { value } = literalFor(from, valueOf(other, reading), reading)
    return either(from, unchecked.match(from.field.path, mode, value as string), wanted)
  }

// --- Groups

const negated: Expression = (scope, wanted) => (operands, reading) =>
  operands.length === 1
    ? readPart(readExpression(scope, !wanted), operands, 0, reading)
    : refuse(reading, 'must have one operand')

const grouped =
  (kind: 'and' | 'or'): Expression =>
  (scope, wanted) =>
  (operands, reading) => {
    const parts = listIn(operands, reading).map((_, at) =>
      readPart(readExpression(scope, wanted), operands, at, reading),
    )
    return joined(wanted === (kind === 'and') ? 'and' : 'or', parts)
  }

/** `exists` is the `||` of all entries, and `all` the `&&`. */
const quantified =
  (quantifier: boolean): Expression =>
  (scope, wanted) =>
  (operands, reading) => {
    const [list, lambda] = twoOf(operands, reading)
    const from = listOf(scope, list, reading)
    if (lambda.kind !== 'call' || lambda.operator !== 'lambda') return refuse(reading, 'must have a lambda')
    const [body, variable] = [lambda.operands[0], operandOf(lambda.operands[1], reading)]
    if (variable.kind !== 'variable') return refuse(reading, 'must have a variable in its lambda')
    const entry: Scope = { ...entryOf(from), variable: variable.name }
    return anyEntry(from, readExpression(entry, quantifier)(body, reading), wanted === quantifier, reading)
  }

const operators: Readonly<Record<string, Expression>> = {
  and: /* @__PURE__ */ grouped('and'),
  or: /* @__PURE__ */ grouped('or'),
  not: negated,
  eq: /* @__PURE__ */ compare('eq'),
  ne: (scope, wanted) => compare('eq')(scope, !wanted),
  lt: /* @__PURE__ */ compare('lt'),
  le: /* @__PURE__ */ compare('lte'),
  gt: /* @__PURE__ */ compare('gt'),
  ge: /* @__PURE__ */ compare('gte'),
  in: isIn,
  contains: /* @__PURE__ */ match('containsExact', 'substringExact'),
  startsWith: /* @__PURE__ */ match('startsWithExact', 'prefixExact'),
  endsWith: /* @__PURE__ */ match('endsWithExact', 'suffixExact'),
  hasIntersection: intersects,
  exists: /* @__PURE__ */ quantified(true),
  all: /* @__PURE__ */ quantified(false),
}

const readExpression =
  (scope: Scope, wanted: boolean): Read<Filter> =>
  (expression, reading) =>
    nested(reading, () => {
      const operand = operandOf(expression, reading)
      if (operand.kind === 'value') {
        const { value } = operand
        if (typeof value !== 'boolean') return refuse(reading, 'must be true or false')
        return unchecked[value === wanted ? 'and' : 'or']([])
      }
      if (operand.kind === 'call') {
        const read = own(operators, operand.operator)
        if (read === undefined) return refuse(reading, `has an operator that is refused: ${operand.operator}`)
        reading.route.push(operand.operator)
        const filter = read(scope, wanted)(operand.operands, reading)
        reading.route.pop()
        return filter
      }
      const from = scalarOf(scope, operand, reading)
      if (from.field.type !== 'boolean') return refuse(reading, `must be a condition, and ${operand.name} is not one`)
      return unchecked.comparison(from.field.path, 'eq', literalFor(from, wanted, reading))
    })

/**
 * Makes a filter out of a plan of Cerbos: the response of `planResources` of its SDK, or the JSON of its API.
 *
 * A row that lacks a value is a resource without the attribute. An expression that reads a missing attribute is an error to CEL, also below
 * `!`, and selects no row. `&&` and `||` have a value where one side decides.
 *
 * Accepts `and`, `or`, `not`, `eq`, `ne`, `lt`, `le`, `gt`, `ge`, `in`, `contains`, `startsWith`, `endsWith`, `hasIntersection`, `exists`,
 * `all`, and `timestamp()` around datetimes.
 *
 * @param plan `request.resource.attr.customer.name` in it is the field `customer.name`.
 * @returns `or()` when the plan denies all rows, and `and()` when it allows all.
 * @throws TypeError that names the part of the plan that a filter cannot express exactly: another operator or variable, a comparison with
 *   `null` or of two variables, and each test that tells a missing list from an empty one.
 * @see https://docs.cerbos.dev/cerbos/latest/api/index.html#resources-query-plan
 * @example
 * const eq = { operator: 'eq', operands: [{ name: 'request.resource.attr.seller' }, { value: 's-1' }] }
 * fromCerbos(orders, { kind: 'KIND_CONDITIONAL', condition: eq })
 */
export function fromCerbos<F extends Fields>(schema: Schema<F>, plan: object): Filter {
  checkSchema(schema)
  const parts = isObject(plan) ? (own(plan as { filter?: unknown }, 'filter') ?? plan) : undefined
  if (!isObject(parts)) throw new TypeError('plan must be a response of Cerbos')
  const kind = own(parts as { kind?: unknown }, 'kind')
  if (kind === 'KIND_ALWAYS_ALLOWED') return checkFilter(unchecked.and([]))
  if (kind === 'KIND_ALWAYS_DENIED') return checkFilter(unchecked.or([]))
  if (kind !== 'KIND_CONDITIONAL')
    throw new TypeError('plan.kind must be KIND_ALWAYS_ALLOWED, KIND_ALWAYS_DENIED or KIND_CONDITIONAL')
  const scope: Scope = { schema, prefix: '', depth: 0, variable: 'request.resource.attr' }
  const condition = own(parts as { condition?: unknown }, 'condition')
  return checkFilter(readAs(readExpression(scope, true), condition, 'plan.condition'), 'plan')
}
