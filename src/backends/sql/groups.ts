/** Tests in groups: which need parentheses, which can be NULL, and how deep the expression becomes. */
import type { Dialect, JsonRules } from './dialect.ts'
import { join, sql, type Sql } from './sql.ts'

/** A test, and what it needs around it: a `unit` needs no parentheses in a group, a `closed` one needs none anywhere. */
export interface Test extends Part {
  readonly form: 'closed' | 'unit' | 'and' | 'or'
  /** When the test can be NULL: where one of these columns is, or `wrap` where no column says so. */
  readonly unless?: readonly Sql[] | 'wrap'
}
/** A piece of an expression. */
interface Part {
  readonly sql: Sql
  /** How many members its outermost group has, without parentheses. */
  readonly members: number
  /** How deep the expression is, at most. A parser reads `a AND b AND c` as `(a AND b) AND c`. */
  readonly depth: number
}

const single = { members: 1, depth: 1 } as const
export const unit = (test: Sql): Test => ({ sql: test, form: 'unit', ...single })
export const maybeNull = (test: Sql, unless: readonly Sql[] | 'wrap'): Test => ({
  sql: test,
  form: 'unit',
  unless,
  ...single,
})
const existsPlainly: NonNullable<JsonRules['exists']> = (rows, negated) =>
  negated ? sql`NOT EXISTS (SELECT 1 FROM ${rows})` : sql`EXISTS (SELECT 1 FROM ${rows})`
/** That entries have a row; the subquery, its condition and what a dialect puts around them are one level each. */
export const exists = (from: Sql, where: Test, negated: boolean, test = existsPlainly): Test => {
  const rows = where === TRUE ? from : sql`${from} WHERE ${where.sql}`
  const form = test === existsPlainly ? 'closed' : 'unit'
  return { sql: test(rows, negated), form, members: 1, depth: where.depth + 4 }
}

// Where a table has a column called TRUE, SQLite takes the word for the column.
export const TRUE = unit(sql`1 = 1`)
export const FALSE = unit(sql`1 = 0`)
export const constant = (value: boolean): Test => (value ? TRUE : FALSE)

/**
 * A group that is no deeper than this has no parentheses of its own. SQLite takes expressions of 1,000 levels; a filter has
 * 100 levels of groups at most, each of which adds two levels or the logarithm of its members.
 */
const flatDepth = 100

const parenthesised = ({ sql: own, depth }: Part): Part => ({ sql: sql`(${own})`, members: 1, depth })

/** Members with a word between each two: in pairs, the least deep first, where the expression becomes too deep otherwise. */
function joined(members: readonly Part[], word: 'AND' | 'OR'): Part {
  const between = ` ${word} `
  const count = members.reduce((sum, part) => sum + part.members, 0)
  const deepest = members.reduce((depth, part) => Math.max(depth, part.depth), 0)
  const flat = (parts: readonly Part[], depth: number): Part => ({
    sql: join(
      parts.map((part) => part.sql),
      between,
    ),
    members: parts.length,
    depth,
  })
  if (deepest + count <= flatDepth) return { ...flat(members, deepest + count), members: count }

  let parts = members.map((part) => (part.members > 1 ? parenthesised(part) : part))
  while (parts.length > 2) {
    const least = parts.reduce(
      (depth, part, at) => (at === 0 ? depth : Math.min(depth, Math.max(part.depth, parts[at - 1]!.depth))),
      Infinity,
    )
    const pairs: Part[] = []
    for (let at = 0; at < parts.length; at++) {
      const pair = parts.slice(at, at + 2)
      const depth = pair.reduce((most, part) => Math.max(most, part.depth), 0)
      if (pair.length < 2 || depth > least) {
        pairs.push(parts[at]!)
        continue
      }
      pairs.push(parenthesised(flat(pair, depth + 1)))
      at++
    }
    parts = pairs
  }
  return flat(parts, parts.reduce((depth, part) => Math.max(depth, part.depth), 0) + 1)
}

const notNull = ['', ' IS NOT NULL']

/** What groups are made of in a dialect. */
export interface Groups {
  /** True where all tests are. What they may be NULL for is looked at once. */
  all(tests: readonly Test[]): Test
  /** True where one of the tests is. `inside` EXISTS, NULL is as good as false. */
  any(tests: readonly Test[], inside: boolean): Test
  /** A test that is never NULL. */
  settled(test: Test): Test
}

export function groupsOf({ isTrue }: Dialect): Groups {
  const all = (tests: readonly Test[]): Test => {
    const members: Part[] = []
    const unless = new Set<Sql>()
    let last = TRUE
    for (const test of tests) {
      if (test === FALSE) return FALSE
      if (test === TRUE) continue
      last = test
      const one = test.unless === 'wrap' && tests.length > 1 ? settled(test) : test
      members.push(one.form === 'or' ? parenthesised(one) : one)
      if (one.unless !== undefined) for (const column of one.unless as readonly Sql[]) unless.add(column)
    }
    if (members.length < 2) return last
    const group = joined(members, 'AND')
    return unless.size === 0 ? { ...group, form: 'and' } : { ...group, form: 'and', unless: [...unless] }
  }

  const any = (tests: readonly Test[], inside: boolean): Test => {
    const members = tests.filter((test) => test !== FALSE)
    if (members.includes(TRUE)) return TRUE
    if (members.length === 0) return FALSE
    if (members.length === 1) return members[0]!
    const each = (inside ? members : members.map(settled)).map((one) => (one.form === 'and' ? parenthesised(one) : one))
    return { ...joined(each, 'OR'), form: 'or' }
  }

  const settled = (test: Test): Test => {
    const { unless } = test
    if (unless === undefined) return test
    if (unless === 'wrap') return unit(isTrue(test.sql))
    const columns = unless.map((value): Part => ({ sql: { strings: notNull, values: [value] }, ...single }))
    return { ...joined([test, ...columns], 'AND'), form: 'and' }
  }

  return { all, any, settled }
}
