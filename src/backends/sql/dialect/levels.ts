/**
 * Counts the levels of a statement's expressions as SQLite, its parser before 3.46, and Turso do. Each has a maximum. It reads the SQL
 * that the dialect writes.
 *
 * @see https://www.sqlite.org/limits.html#max_expr_depth
 */

import { own } from '../../../own.ts'

/**
 * The whole text, a parenthesis or a CASE. Heights are those of the expression that is read now; 0 before its first part.
 *
 * @param own how many levels it adds to its contents.
 * @param before the number of symbols on the parser's stack where the frame begins.
 */
const frameOf = (own: number, isExists: boolean, before: number) => ({
  own,
  isExists,
  before,
  /** The clause of the subquery that it is; `undefined` where it is none. */
  clause: undefined as string | undefined,
  isList: false,
  /** Whether the next AND is that of BETWEEN. */
  isBetween: false,
  /** How many joins have a condition, which the engine adds to WHERE, and the height of the highest. */
  joins: 0,
  on: 0,
  /** The number of EXISTS that must be true wherever the expression is true. The engine turns them into nested joins. */
  exists: 0,
  operators: 0,
  /** The number of symbols on the parser's stack that these operators and their left sides are. */
  held: 0,
  operand: 0,
  and: 0,
  or: 0,
  /** The levels of the deepest subquery in the expression. */
  inner: 0,
  /** The height of the highest expression that has ended. */
  height: 0,
  /** The levels of the deepest expression that has ended, with the subqueries in it. */
  levels: 0,
})
type Frame = ReturnType<typeof frameOf>

/** How an engine counts. */
interface Rules {
  /** The levels of a parenthesis. */
  readonly parenthesis: number
  /** The levels of a function in FROM. SQLite compares its arguments with hidden columns. */
  readonly tableFunction: number
  /** Counts the levels of an expression. `inner` is the levels of its subqueries, `exists` the number in {@link Frame.exists}. */
  readonly levels: (height: number, inner: number, exists: number) => number
  /** Whether a subquery has the height of its FROM. */
  readonly countsFrom: boolean
}
/** To resolve names, SQLite adds the levels of subqueries to the height of the expression around them. */
const inSqlite: Rules = {
  parenthesis: 0,
  tableFunction: 2,
  levels: (height, inner, exists) => height + Math.max(inner, exists),
  countsFrom: false,
}
const inTurso: Rules = { parenthesis: 1, tableFunction: 0, levels: Math.max, countsFrom: true }

/** `a AND b AND c` is `(a AND b) AND c`. */
const joined = (left: number, right: number): number => (left === 0 ? right : Math.max(left, right) + 1)

function endTerm(frame: Frame): void {
  frame.and = joined(frame.and, frame.operand + frame.operators)
  frame.operand = frame.operators = frame.held = 0
}

function endGroup(frame: Frame): void {
  endTerm(frame)
  if (frame.or !== 0) frame.exists = 0
  frame.or = joined(frame.or, frame.and)
  frame.and = 0
}

function endExpression(frame: Frame, rules: Rules): void {
  endGroup(frame)
  const { clause } = frame
  if (clause === 'ON') frame.on = Math.max(frame.on, frame.or)
  const height = clause === 'WHERE' || clause === 'ON' ? Math.max(frame.on, frame.or) + frame.joins : frame.or
  if (clause !== 'FROM' || rules.countsFrom) frame.height = Math.max(frame.height, height)
  frame.levels = Math.max(frame.levels, rules.levels(height, frame.inner, frame.exists))
  frame.or = 0
  if (clause !== undefined) frame.inner = 0
}

/** Ends a frame as a part of the expression around it. */
function end(frame: Frame, outer: Frame, rules: Rules): Frame {
  const { isExists } = frame
  endExpression(frame, rules)
  const isSubquery = frame.clause !== undefined
  outer.inner = Math.max(outer.inner, isSubquery ? frame.levels : frame.inner)
  const own = isSubquery ? 1 : frame.own
  if (outer.operators === 0 && (isExists || own === rules.parenthesis)) outer.exists += frame.exists + Number(isExists)
  const isTable = isSubquery && outer.clause === 'FROM'
  if (!isTable) outer.operand = Math.max(outer.operand, frame.height + own)
  else if (rules.countsFrom) outer.operand = Math.max(outer.operand, frame.height)
  return outer
}

const clauses = /^(?:SELECT|FROM|JOIN|ON|WHERE|GROUP|ORDER|LIMIT|OFFSET|UNION)$/
const separators = /^(?:,|WHEN|THEN|ELSE|AS)$/
const operators = /^(?:NOT|IS|IN|BETWEEN|[<>=|*/+-]+)$/
const others = /^(?:AND|OR|BY|\(|\)|\?|)$/
const isName = (token: string): boolean => ![clauses, separators, operators, others].some((words) => words.test(token))
const tokens = /"(?:[^"]|"")*"|'(?:[^']|'')*'|[\w.]+|[(),?]|[<>=|*/+-]+/g

/** The symbols of a SELECT before an expression in a clause. */
const symbols: Readonly<Record<string, number>> = {
  SELECT: 3,
  FROM: 6,
  ON: 9,
  WHERE: 5,
  GROUP: 8,
  ORDER: 10,
  LIMIT: 9,
  OFFSET: 11,
}

/** Counts the symbols that a frame adds to the parser's stack: two for a list before an item, and for AND and OR with their left sides. */
const heldIn = ({ clause = '', isList, and, or, held }: Frame): number =>
  (own(symbols, clause) ?? 0) + 2 * (Number(isList) + Number(and > 0) + Number(or > 0)) + held

interface Counted {
  readonly levels: number
  /** The largest number of symbols on the parser's stack. */
  readonly held: number
}

function count(text: string, rules: Rules): Counted {
  const outer: Frame[] = []
  let frame = frameOf(0, false, 0)
  let held = 0
  let last = ''
  for (const [token] of text.matchAll(tokens)) {
    const isQualified = token.includes('.')
    if (token === '(' || token === 'CASE') {
      outer.push(frame)
      const isCase = token === 'CASE'
      const isCall = isName(last)
      // A function and a CASE are a level, as is the sign that SQLite writes before the only item of a list.
      const isLevel = isCase || isCall || last === 'IN'
      const own = isLevel ? (frame.clause === 'FROM' ? rules.tableFunction : 1) : rules.parenthesis
      const before = frame.before + heldIn(frame) + (isCase ? 6 : isCall ? 3 : 1)
      frame = frameOf(own, last === 'EXISTS', before)
    } else if (token === ')' || token === 'END') {
      frame = end(frame, outer.pop()!, rules)
    } else if (clauses.test(token)) {
      endExpression(frame, rules)
      if (token === 'ON') frame.joins++
      if (token === 'LIMIT') frame.operators++
      if (token === 'UNION') frame.before += 2
      frame.clause = token === 'JOIN' ? 'FROM' : token
      frame.isList = false
    } else if (separators.test(token)) {
      endExpression(frame, rules)
      frame.isList ||= token === ','
      if (token === 'AS') frame.held = 2
    } else if (token === 'OR') {
      endGroup(frame)
    } else if (token === 'AND') {
      if (frame.isBetween) frame.held += 2
      else endTerm(frame)
      frame.isBetween = false
    } else if (operators.test(token)) {
      // IS NOT is one.
      if (last !== 'IS') frame.operators++
      frame.held += token === 'NOT' ? 1 : 2
      frame.isBetween ||= token === 'BETWEEN'
    } else {
      frame.operand = Math.max(frame.operand, isQualified ? 2 : 1)
    }
    held = Math.max(held, frame.before + heldIn(frame) + (isQualified ? 2 : 1))
    last = token
  }
  endExpression(frame, rules)
  return { levels: frame.levels, held }
}

/** How many levels SQLite counts in a statement, or in a condition. */
export const levelsOf = (text: string): number => count(text, inSqlite).levels

/** The most levels that a text can have: one for each space, two for each parenthesis, and those of a subquery for each around it. */
function boundOf(text: string): number {
  let bound = 2
  let subqueries = 1
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (character === 0x20) bound += 1
    else if (character === 0x28) {
      bound += 2
      if (text.startsWith('SELECT', at + 1)) subqueries++
    }
  }
  return bound * subqueries
}

/** The levels of a statement, or a bound of them up to `max`: it costs a tenth of the count, and most statements have few. */
const within =
  (levels: (text: string) => number) =>
  (text: string, max: number): number => {
    const bound = text.length <= max ? text.length : boundOf(text)
    return bound <= max ? bound : levels(text)
  }
export const levelsWithin = /* @__PURE__ */ within(levelsOf)

/** As {@link levelsWithin}, by the rules of Turso. */
export const levelsInTurso = /* @__PURE__ */ within((text) => count(text, inTurso).levels)

/** Counts the largest number of symbols on the stack of SQLite's parser before 3.46. A statement around the condition adds eight. */
export const symbolsOf = (text: string): number => count(text, inSqlite).held + 8
