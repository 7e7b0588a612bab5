/**
 * Filters that count the entries of a list, as expressions for `$expr`. Query operators cannot count, and MongoDB refuses `$expr` in
 * `$elemMatch`. A count inside an entry therefore turns the whole filter of that entry into an expression.
 *
 * @see https://www.mongodb.com/docs/manual/reference/operator/query/expr/
 */
import { children, type EntryCount, type Filter, type Some } from '../../tree/index.ts'
import { dotted, type Condition } from '../issues.ts'
import { lowerOf, operatorsOf, type Scope } from './condition.ts'
import { has, type Operators } from './document.ts'
import { nameOf } from './options.ts'

/** An expression of the aggregation language. */
type Expression = boolean | object

/** The start of a path: the document, or the variable of an entry. */
interface Start {
  /** The text before the first name: `$`, or `$$e1.`. */
  readonly prefix: string
  /** The value itself. */
  readonly itself: string
  readonly depth: number
}
const document: Start = { prefix: '$', itself: '$$ROOT', depth: 0 }

/** Whether a filter counts entries. */
export const counts = (filter: Filter): boolean => filter.kind === 'count' || children(filter).some(counts)

/** A filter over the document as an expression. */
export const expressionOf = (scope: Scope, filter: Filter): Expression => emit(scope, document, filter)

function emit(scope: Scope, start: Start, filter: Filter): Expression {
  switch (filter.kind) {
    case 'and':
      return { $and: filter.filters.map((member) => emit(scope, start, member)) }
    case 'or':
      return { $or: filter.filters.map((member) => emit(scope, start, member)) }
    case 'not':
      return { $not: [emit(scope, start, filter.filter)] }
    case 'some': {
      const { entry, inside, input } = entriesOf(scope, start, filter)
      return {
        $anyElementTrue: [{ $map: { input, as: entry.itself.slice(2), in: emit(inside, entry, filter.filter) } }],
      }
    }
    case 'count': {
      const { entry, inside, input } = entriesOf(scope, start, filter)
      const cond = condition(inside, entry, { kind: 'presence', path: [], type: filter.type })
      const number = { $size: { $filter: { input, as: entry.itself.slice(2), cond } } }
      return { [`$${filter.operator}`]: [number, filter.operand] }
    }
    default:
      return condition(scope, start, filter)
  }
}

/** Reads the entries of a list. A value of another form has zero entries. `entry` is where paths in an entry start. */
function entriesOf(scope: Scope, { prefix, depth }: Start, { path }: Some | EntryCount) {
  const list = prefix + nameOf(scope.storage, scope.list, path)
  const name = `e${depth + 1}`
  const entry: Start = { prefix: `$$${name}.`, itself: `$$${name}`, depth: depth + 1 }
  const inside: Scope = { ...scope, list: dotted(scope.list, path) }
  return { entry, inside, input: { $cond: [{ $isArray: list }, list, []] } }
}

function condition(scope: Scope, { prefix, itself }: Start, filter: Condition): Expression {
  const operators = operatorsOf(scope, filter)
  if (operators === undefined) return false
  const { path } = filter
  const value = path.length === 0 ? itself : prefix + nameOf(scope.storage, scope.list, path, lowerOf(scope, filter))
  return tested(value, operators)
}

const numbers = ['int', 'long', 'double', 'decimal']

/** Operators of a query on a value: one alone, or a pattern with its options. */
function tested(value: string, operators: Operators): Expression {
  const type = { $type: value }
  if (has(operators, '$type')) {
    return operators.$type === 'number' ? { $in: [type, numbers] } : { $eq: [type, operators.$type as unknown] }
  }
  if (has(operators, '$regex')) {
    const match = {
      input: value,
      regex: operators.$regex as unknown,
      ...(has(operators, '$options') && { options: operators.$options as unknown }),
    }
    return { $cond: [{ $eq: [type, 'string'] }, { $regexMatch: match }, false] }
  }
  const [operator] = Object.keys(operators) as [string]
  const operand = { $literal: operators[operator] as unknown }
  // The operators have `$ne` with null alone: a value is present.
  if (operator === '$ne') return { $not: [{ $in: [type, ['null', 'missing', 'undefined']] }] }
  const compared = { [operator]: [value, operand] }
  if (operator === '$eq' || operator === '$in') return compared
  // A query compares the values of one type alone; an expression has an order of all types.
  const isSameType = {
    $or: [
      { $eq: [type, { $type: operand }] },
      { $and: [{ $in: [type, numbers] }, { $in: [{ $type: operand }, numbers] }] },
    ],
  }
  return { $and: [isSameType, compared] }
}
