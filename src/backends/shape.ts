/** The shape of a filter or a query: its structure without its operands. A service sees few shapes, and many operands. */
import type { Filter, Path } from '../ast/index.ts'
import type { Query } from '../query/query.ts'
import type { Condition } from './issues.ts'

/** A shape, as a list: filters have the same one only if they differ in nothing but their operands. */
export type Shape = (string | number)[]

/** Whether many filters may have a shape in common: nothing is kept for longer ones. */
export function isCommon(shape: Shape): boolean {
  let length = 0
  for (let at = 0; at < shape.length; at++) length += String(shape[at]).length
  return length <= 1_000
}

/** Adds the shape of a filter to a list, and its conditions to another, in the order of the tree. */
export function addShape(filter: Filter, shape: Shape, conditions: Condition[]): void {
  switch (filter.kind) {
    case 'and':
    case 'or': {
      const { filters } = filter
      shape.push(filter.kind, filters.length)
      for (let at = 0; at < filters.length; at++) addShape(filters[at]!, shape, conditions)
      return
    }
    case 'not':
      shape.push('not')
      return addShape(filter.filter, shape, conditions)
    case 'some':
      shape.push('some')
      addPath(filter.path, shape)
      return addShape(filter.filter, shape, conditions)
    case 'comparison':
      shape.push(filter.operator, filter.operand.type)
      break
    case 'membership':
      shape.push('in', filter.operands.length === 0 ? 0 : filter.operands[0]!.type)
      break
    case 'match':
      shape.push(filter.mode)
      break
    case 'presence':
      shape.push('exists', filter.type)
  }
  conditions.push(filter)
  addPath(filter.path, shape)
}

/** Adds the order of a query, the direction of its page, and its fields. */
export function addOrder({ sort, position, fields }: Query, shape: Shape): void {
  shape.push(position === undefined ? 'first' : position.toward, sort.length)
  for (let at = 0; at < sort.length; at++) {
    const { path, type, direction } = sort[at]!
    shape.push(direction, type)
    addPath(path, shape)
  }
  if (fields === undefined) return
  shape.push(fields.length)
  for (let at = 0; at < fields.length; at++) addPath(fields[at]!, shape)
}

/** A number says how many names there are, unless there is one. */
function addPath(path: Path, shape: Shape): void {
  if (path.length !== 1) shape.push(path.length)
  for (let at = 0; at < path.length; at++) shape.push(path[at]!)
}
