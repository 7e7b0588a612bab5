/**
 * Counts the levels of a statement's expressions as SQLite does, which has a maximum for them. It reads what the dialect writes: a
 * difference of a level or two is on the safe side.
 *
 * @see https://www.sqlite.org/limits.html#max_expr_depth
 */

/** The whole text, a parenthesis or a CASE. Heights are those of the expression that is read now; 0 before its first part. */
interface Frame {
  /** How many levels it adds to what is in it. */
  readonly own: number
  readonly isExists: boolean
  /** The clause of the subquery that it is; `undefined` where it is none. */
  clause: string | undefined
  /** Whether the next AND is that of BETWEEN. */
  isBetween: boolean
  /** How many joins have a condition, which the engine adds to WHERE, and the height of the highest. */
  joins: number
  on: number
  /** How many EXISTS hold wherever the expression does: the engine makes joins of them, one after the other. */
  exists: number
  operators: number
  operand: number
  and: number
  or: number
  /** The levels of the deepest subquery in the expression. */
  inner: number
  /** The height of the highest expression that has ended. */
  height: number
  /** The levels of the deepest expression that has ended, with the subqueries in it. */
  levels: number
}

const frameOf = (own: number, isExists = false): Frame => ({
  ...{ own, isExists, clause: undefined, isBetween: false, joins: 0, on: 0, exists: 0, operators: 0 },
  ...{ operand: 0, and: 0, or: 0, inner: 0, height: 0, levels: 0 },
})

/** `a AND b AND c` is `(a AND b) AND c`. */
const joined = (left: number, right: number): number => (left === 0 ? right : Math.max(left, right) + 1)

function endTerm(frame: Frame): void {
  frame.and = joined(frame.and, frame.operand + frame.operators)
  frame.operand = frame.operators = 0
}

function endGroup(frame: Frame): void {
  endTerm(frame)
  if (frame.or !== 0) frame.exists = 0
  frame.or = joined(frame.or, frame.and)
  frame.and = 0
}

function endExpression(frame: Frame): void {
  endGroup(frame)
  const { clause } = frame
  if (clause === 'ON') frame.on = Math.max(frame.on, frame.or)
  const height = clause === 'WHERE' || clause === 'ON' ? Math.max(frame.on, frame.or) + frame.joins : frame.or
  // A subquery has no height of its FROM.
  if (clause !== 'FROM') frame.height = Math.max(frame.height, height)
  // To resolve names, the engine adds the levels of a subquery to the height of the expression around it.
  frame.levels = Math.max(frame.levels, height + frame.inner, height + frame.exists)
  frame.or = 0
  if (clause !== undefined) frame.inner = 0
}

/** Ends a frame as a part of the expression around it. */
function end(frame: Frame, outer: Frame): Frame {
  const { isExists } = frame
  endExpression(frame)
  const isSubquery = frame.clause !== undefined
  outer.inner = Math.max(outer.inner, isSubquery ? frame.levels : frame.inner)
  const own = isSubquery ? 1 : frame.own
  if (outer.operators === 0 && (isExists || own === 0)) outer.exists += frame.exists + Number(isExists)
  if (!isSubquery || outer.clause !== 'FROM') outer.operand = Math.max(outer.operand, frame.height + own)
  return outer
}

const clauses = /^(?:SELECT|FROM|JOIN|ON|WHERE|GROUP|ORDER|LIMIT|OFFSET|UNION)$/
const separators = /^(?:,|WHEN|THEN|ELSE|AS)$/
const operators = /^(?:NOT|IS|IN|BETWEEN|[<>=|*/+-]+)$/
const others = /^(?:AND|OR|BY|\(|\)|\?|)$/
const isName = (token: string): boolean => ![clauses, separators, operators, others].some((words) => words.test(token))
const tokens = /"(?:[^"]|"")*"(?:\."(?:[^"]|"")*")?|'(?:[^']|'')*'|[\w.]+|[(),?]|[<>=|*/+-]+/g

/** A number that the levels do not exceed: each level has a space or a parenthesis, and a call in FROM is two levels. */
function boundOf(text: string): number {
  let bound = 2
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (character === 0x20) bound += 1
    else if (character === 0x28) bound += 2
  }
  return bound
}

/** The levels of a statement, or a bound of them up to `max`: it costs a tenth of the count, and most statements have few. */
export function levelsWithin(text: string, max: number): number {
  const bound = text.length <= max ? text.length : boundOf(text)
  return bound <= max ? bound : levelsOf(text)
}

/** How many levels the expressions of a statement, or of a condition, have at most. */
export function levelsOf(text: string): number {
  const outer: Frame[] = []
  let frame = frameOf(0)
  let last = ''
  for (const [token] of text.matchAll(tokens)) {
    if (token === '(' || token === 'CASE') {
      outer.push(frame)
      // A function and a CASE are a level. The engine compares the arguments of a function in FROM with hidden columns.
      const isLevel = token === 'CASE' || isName(last)
      frame = frameOf(isLevel ? (frame.clause === 'FROM' ? 2 : 1) : 0, last === 'EXISTS')
    } else if (token === ')' || token === 'END') {
      frame = end(frame, outer.pop()!)
    } else if (clauses.test(token)) {
      endExpression(frame)
      if (token === 'ON') frame.joins++
      if (token === 'LIMIT') frame.operators++
      frame.clause = token === 'JOIN' ? 'FROM' : token
    } else if (separators.test(token)) {
      endExpression(frame)
    } else if (token === 'OR') {
      endGroup(frame)
    } else if (token === 'AND') {
      if (!frame.isBetween) endTerm(frame)
      frame.isBetween = false
    } else if (operators.test(token)) {
      // IS NOT is one.
      if (last !== 'IS') frame.operators++
      frame.isBetween = token === 'BETWEEN'
    } else {
      frame.operand = Math.max(frame.operand, token.includes('.') ? 2 : 1)
    }
    last = token
  }
  endExpression(frame)
  return frame.levels
}
