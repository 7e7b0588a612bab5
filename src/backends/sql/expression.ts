/** Boolean expressions of SQL: where they need parentheses, where they can be NULL, and how deep they become. */
import type { JsonRules } from './dialect/dialect.ts'
import { flatten, join, raw, sql, type Sql } from './dialect/sql.ts'
import type { Scope } from './scope.ts'

/** A boolean expression, or the constant that it is: SQL is written for constants only where one is all that is left. */
export type Expression = boolean | BooleanSql

export interface BooleanSql extends Piece {
  /** `and`, `or`: a group without parentheses. `term`: needs none in a group. `closed`: needs none anywhere. */
  readonly form: 'closed' | 'term' | 'and' | 'or'
  /** Where it can be NULL, if that matters: where one of these columns is, or where nobody can tell. */
  readonly nullable: 'never' | readonly Sql[] | 'unknown'
}

interface Piece {
  readonly sql: Sql
  /** How many members its outermost group has, without parentheses. */
  readonly members: number
  /** How deep a parser nests it, at most: `a AND b AND c` is `(a AND b) AND c`. */
  readonly depth: number
}

/** An expression that needs no parentheses in a group. */
export const term = (expression: Sql, nullable: BooleanSql['nullable'] = 'never'): BooleanSql => ({
  sql: expression,
  form: 'term',
  nullable,
  members: 1,
  depth: 1,
})

const existsPlainly: NonNullable<JsonRules['exists']> = (rows, negated) =>
  negated ? sql`NOT EXISTS (SELECT 1 FROM ${rows})` : sql`EXISTS (SELECT 1 FROM ${rows})`

/** Whether rows exist where the expression is true; `existsIn` is the dialect's own test. */
export function exists(from: Sql, where: Expression, negated: boolean, existsIn = existsPlainly): Expression {
  if (where === false) return negated
  const rows = where === true ? from : sql`${from} WHERE ${where.sql}`
  return {
    sql: existsIn(rows, negated),
    form: existsIn === existsPlainly ? 'closed' : 'term',
    nullable: 'never',
    members: 1,
    // The subquery, its condition and what a dialect puts around them are a level each.
    depth: (where === true ? 1 : where.depth) + 4,
  }
}

/** The facts that decide whether NULL must become false. */
export type Guards = Pick<Scope, 'dialect' | 'nullIsFalse'>

/** True where all expressions are. Where NULL must become false, each column has one test for it. */
export function allOf(guards: Guards, expressions: readonly Expression[]): Expression {
  const { nullIsFalse } = guards
  const members: Piece[] = []
  let columns: Map<string, Sql> | undefined
  let last: Expression = true
  for (const expression of expressions) {
    if (expression === false) return false
    if (expression === true) continue
    last = expression
    const { nullable } = expression
    const member = nullable === 'unknown' ? guarded(guards, expression) : expression
    members.push(member.form === 'or' ? parenthesised(member) : member)
    if (nullIsFalse || typeof nullable === 'string') continue
    columns ??= new Map()
    for (const column of nullable) columns.set(flatten(column).strings.join(''), column)
  }
  if (members.length < 2) return last
  return grouped(guards, 'and', members, columns === undefined ? 'never' : Array.from(columns.values()))
}

export function anyOf(guards: Guards, expressions: readonly Expression[]): Expression {
  if (expressions.includes(true)) return true
  const members = expressions.filter((expression) => typeof expression !== 'boolean')
  if (members.length < 2) return members.at(0) ?? false
  const pieces = members
    .map((member) => guarded(guards, member))
    .map((member) => (member.form === 'and' ? parenthesised(member) : member))
  return grouped(guards, 'or', pieces, 'never')
}

const notNull = ['', ' IS NOT NULL']

/** The expression, false in place of NULL where these are not one. */
function guarded(guards: Guards, expression: BooleanSql): BooleanSql {
  const { dialect, nullIsFalse } = guards
  const { nullable } = expression
  if (nullIsFalse || nullable === 'never') return expression
  if (nullable === 'unknown') return term(dialect.isTrue(expression.sql))
  const columns = nullable.map((column) => term({ strings: notNull, values: [column] }))
  return grouped(guards, 'and', [expression, ...columns], 'never')
}

const grouped = (
  guards: Guards,
  form: 'and' | 'or',
  pieces: readonly Piece[],
  nullable: BooleanSql['nullable'],
): BooleanSql => ({
  ...joined(pieces, form === 'and' ? ' AND ' : ' OR ', flatDepthOf(guards)),
  form,
  nullable,
})

// Not TRUE and FALSE: SQLite reads the words as columns where there are columns of these names.
const constantOf = (isTrue: boolean): Sql => raw(isTrue ? '1 = 1' : '1 = 0')

/**
 * `WHERE …`; nothing where all rows pass.
 *
 * @param before what separates it from the text before it, and `after` from the text after it.
 */
export const whereClause = (expression: Expression, before: '' | ' ', after: '' | ' '): Sql =>
  expression === true
    ? raw('')
    : sql`${raw(before)}WHERE ${expression === false ? constantOf(false) : expression.sql}${raw(after)}`

/** Writes a condition that AND and OR may join with others. An OR gets parentheses, because AND binds closer. */
export function besideOthers(expression: Expression): Sql {
  if (typeof expression === 'boolean') return constantOf(expression)
  return expression.form === 'or' ? sql`(${expression.sql})` : expression.sql
}

/** Writes a condition for every place, behind NOT too. */
export function closed(guards: Guards, expression: Expression): Sql {
  if (typeof expression === 'boolean') return sql`(${constantOf(expression)})`
  const { form, sql: text } = guarded(guards, expression)
  return form === 'closed' ? text : sql`(${text})`
}

/** A deeper group gets parentheses. SQLite reads 1,000 levels, and each of the 100 groups of a filter adds two or a logarithm. */
const flatDepthOf = ({ dialect: { maxDepth = 1_000 } }: Guards): number => Math.min(100, maxDepth / 10)

const sqlOf = (piece: Piece): Sql => piece.sql
const deepestOf = (pieces: readonly Piece[]): number => pieces.reduce((most, { depth }) => Math.max(most, depth), 0)

const parenthesised = ({ sql: inner, depth }: Piece): Piece => ({ sql: sql`(${inner})`, members: 1, depth })

/** Pieces with a word between each two; where that is too deep for a parser, as a tree of pairs. */
function joined(pieces: readonly Piece[], between: string, flatDepth: number): Piece {
  const members = pieces.reduce((sum, piece) => sum + piece.members, 0)
  const depth = deepestOf(pieces) + members
  if (depth <= flatDepth) return { sql: join(pieces.map(sqlOf), between), members, depth }
  let paired = pieces.map((piece) => (piece.members > 1 ? parenthesised(piece) : piece))
  while (paired.length > 2) paired = withPairs(paired, between)
  return { sql: join(paired.map(sqlOf), between), members: paired.length, depth: deepestOf(paired) + 1 }
}

/** Joins neighbours: those pairs that are the least deep, so that the deepest pieces are joined last. */
function withPairs(pieces: readonly Piece[], between: string): Piece[] {
  let least = Infinity
  for (let at = 1; at < pieces.length; at++) {
    least = Math.min(least, Math.max(pieces[at - 1]!.depth, pieces[at]!.depth))
  }
  const paired: Piece[] = []
  for (let at = 0; at < pieces.length; at++) {
    const piece = pieces[at]!
    const next = pieces.at(at + 1)
    if (next === undefined || Math.max(piece.depth, next.depth) > least) {
      paired.push(piece)
      continue
    }
    paired.push(parenthesised({ sql: join([piece.sql, next.sql], between), members: 2, depth: least + 1 }))
    at++
  }
  return paired
}
