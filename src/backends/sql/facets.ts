/** `facets`: the statements that count the values of a field, each with the number of the rows that have it. */
import { unchecked, type LiteralType, type Path } from '../../tree/index.ts'
import {
  tallyOf,
  textOfPath,
  type FacetValue,
  nameOfFacet,
  presenceOfFacet,
  type Facet,
  checkRow,
} from '../../query/index.ts'
import { ownOf } from '../../own.ts'
import { throwIssues } from '../issues.ts'
import { join, raw, sql, type Sql } from './dialect/sql.ts'
import { emit } from './emit.ts'
import { allOf, term, whereClause, type Expression } from './expression.ts'
import { limitTo } from './order.ts'
import { pathsOfAll } from './parents.ts'
import { emitRow, rowScope, writeOnce, type Target } from './query-parts.ts'
import { cellsOf, countIn } from './read-row.ts'
import { joinOf } from './resolve.ts'
import { inEntry, inJoined, unmapped, type Scope } from './scope.ts'
import { readerOf, type Joins } from './selection.ts'
import type { SqlPiece } from './statement.ts'
import { asText, valueOf, type Value, inOrder } from './value.ts'

/** A whole statement for the values of a facet. */
export interface SqlFacet extends SqlPiece {
  /** The dotted path of the field. */
  readonly path: string
  /**
   * Reads the rows of the statement. Values with more rows come first; with equal numbers, in ascending order.
   *
   * @param rows as the driver returns them.
   * @throws TypeError when a row is not of the statement.
   */
  readonly read: (rows: readonly unknown[]) => FacetValue[]
}

/** The place of a facet's value: the joined tables and lists that lead to it, and its scope. */
interface Way {
  readonly scope: Scope
  readonly path: Path
  readonly joins: readonly Sql[]
}

/** Enters the parent tables on a path. */
function throughParents({ scope, path, joins }: Way): Way {
  const on = scope.resolver.parentOn(scope.start, path)
  if (on === undefined) return { scope, path, joins }
  const { parent, length } = on
  const [before, rest] = [path.slice(0, length), path.slice(length)]
  const joined = inJoined(scope, parent, before)
  if (joined !== undefined) return throughParents({ scope: joined, path: rest, joins })
  return throughParents({
    scope: inEntry(scope, parent.entries, before),
    path: rest,
    joins: [...joins, joinOf(parent.entries)],
  })
}

/** Enters the lists around a facet, and the parent tables on their paths. */
function wayTo(row: Scope, { lists, path, type }: Facet): Way | undefined {
  let way: Way = { scope: row, path, joins: [] }
  for (const list of lists) {
    const { scope, path: rest, joins } = throughParents({ ...way, path: list })
    const stored = scope.resolver.resolve(scope.start, rest)
    const entries = stored && scope.resolver.entriesOf(stored, scope.depth)
    if (entries === undefined) {
      unmapped(scope, unchecked.presence(rest, type))
      return undefined
    }
    way = { scope: inEntry(scope, entries, rest), path, joins: [...joins, joinOf(entries), entries.joins] }
  }
  return throughParents(way)
}

/** A value that groups rows. The engine puts two in one group exactly where they are equal. */
interface GroupedValue extends Value {
  readonly literal: LiteralType
  /** Converts the value of a group to the one that the facet has. */
  readonly ofGroup: (group: Sql) => Sql
}

function groupedValue({ scope, path }: Way, { type: literal }: Facet): GroupedValue | undefined {
  const stored = valueOf(scope, unchecked.presence(path, literal), literal)
  if (stored === undefined) return undefined
  const { dialect } = scope
  // Groups a string as text, in the collation that compares it exactly.
  const value = literal === 'string' ? asText(dialect, stored) : stored
  const { hasOneText, asText: ofGroup } = stored.type
  if (value !== stored && hasOneText === true) return { ...value, sql: stored.sql, ofGroup: ofGroup!, literal }
  return { ...value, sql: inOrder(dialect, value), ofGroup: (group) => group, literal }
}

/** The text of a label. */
function textAt({ scope, path }: Way): Value | undefined {
  const stored = valueOf(scope, unchecked.presence(path, 'string'), 'string')
  return stored && asText(scope.dialect, stored)
}

/**
 * The column of few values that a facet of all rows counts. An engine groups the rows by it in the order of an index. With a condition, it
 * may still do so, and then reads rows that the condition drops.
 */
function columnOfFew(
  { resolver, name, quote, tableConditions }: FacetTarget,
  { filter, lists, path, type }: Facet,
): Sql | undefined {
  if (filter.kind !== 'and' || filter.filters.length + lists.length + tableConditions.length > 0) return undefined
  const stored = resolver.resolve(resolver.row, path)
  if (stored?.kind !== 'column' || stored.types.get(type)?.isOfFew !== true) return undefined
  // A table in FROM cannot have a column twice.
  const isNamedN = stored.column.strings[0]!.toLowerCase() === `${name}.${quote('n')}`.toLowerCase()
  return isNamedN ? undefined : stored.column
}

const v = /* @__PURE__ */ raw('v')
const least = /* @__PURE__ */ raw('min(l)')
/** The rows that a facet with `max` counts, and one more if the filter selects more. */
const bounded = /* @__PURE__ */ raw('urlwhere_rows')

/** The parts that the facet statements of a backend share. */
export interface FacetTarget extends Target {
  /** The table as FROM has it, its quoted name in the statement, and its key. */
  readonly from: string
  readonly name: string
  readonly key: readonly string[]
  readonly quote: (name: string) => string
  /** The table with the parent tables on some paths joined to it. */
  readonly joinsFor: (paths: readonly Path[]) => Joins
}

/** The statement of a facet, and the reader of its rows. */
export function facetStatement(
  target: FacetTarget,
  facet: Facet,
): Pick<SqlFacet, 'path' | 'read'> & { statement: Sql } {
  const { dialect, name, quote, key } = target
  const { filter, lists, path, limit, max, label } = ownOf(facet)
  const presence = presenceOfFacet(facet)
  const ofValues = [lists[0] ?? path, ...(label ? [label] : [])]
  // In a list, a row has several values: `max` bounds the rows before the list is joined to them.
  const isNested = max !== undefined && lists.length > 0
  const whole = target.joinsFor([...pathsOfAll(filter), ...(isNested ? [] : ofValues)])
  const outer = isNested ? target.joinsFor(ofValues) : whole
  const filterScope = rowScope(target, [filter, presence], true, writeOnce, whole)
  const selected = emitRow(target, filterScope, filter)
  const scope: Scope = { ...filterScope, joined: outer.joined, inner: outer.inner }
  const way = wayTo(scope, facet)
  const value = way && groupedValue(way, facet)
  const text = label && textAt(throughParents({ scope, path: label, joins: [] }))
  // An undefined value has already added its issue: the rows without the value would add the issue again.
  const absent = value !== undefined && emit(scope, presence, true)
  throwIssues(scope.issues)
  const dotted = nameOfFacet(facet)
  const { sql: grouped, type, ofGroup, literal } = value!
  const few = max === undefined && text === undefined ? columnOfFew(target, facet) : undefined
  const select = (columns: Sql, from: Sql, conditions: readonly Expression[]): Sql =>
    sql`SELECT ${columns} FROM ${from}${whereClause(allOf(scope, conditions), ' ', '')}`
  const first = max === undefined ? raw('') : sql`SELECT * FROM ${bounded} ${limitTo(dialect, max)}`
  const source = isNested ? sql`(${first}) AS ${raw(name + outer.joins)}` : raw(whole.from)
  const labelled = text ? sql`, ${inOrder(dialect, text)} AS l` : raw('')
  const single = (): Sql => select(sql`${grouped} AS v${labelled}`, sql`${source}${join(way!.joins, '')}`, [selected])
  const values = (): Sql => {
    if (few !== undefined) {
      const groups = sql`SELECT ${few}, count(*) AS n FROM ${raw(target.from)} GROUP BY ${few}`
      return sql`SELECT ${grouped} AS v, n FROM (${groups}) AS ${raw(name)}`
    }
    if (lists.length === 0) return max === undefined ? single() : first
    if (dialect.countsLists === false)
      throw new TypeError(`facets cannot count ${dotted}, which is in a list: ${dialect.name} counts no lists`)
    if (key.length === 0) throw new TypeError(`facets cannot count ${dotted}, which is in a list: table(…) needs a key`)
    const rows = (columns: Sql, joins: readonly Sql[], condition: Expression) =>
      select(columns, sql`${source}${join(joins, '')}`, [isNested || selected, condition])
    // A row counts once for each of its values.
    const keys = raw(key.map((column, at) => `${name}.${quote(column)} AS k${at + 1}, `).join(''))
    const present = term(sql`${grouped} IS NOT NULL`)
    const distinct = rows(sql`DISTINCT ${keys}${grouped} AS v`, way!.joins, present)
    return sql`SELECT v FROM (${distinct}) AS d UNION ALL ${rows(raw('NULL'), [], absent)}`
  }
  const read = readerOf(type, literal)
  const group = ofGroup(v)
  const order = asText(dialect, { ...value!, sql: group })
  const nulls = raw(dialect.nulls?.ascending ?? '')
  const columns = [type.selected?.(group) ?? group, raw(few === undefined ? 'count(*)' : 'sum(n)')]
  if (text !== undefined) columns.push(text.type.selected?.(least) ?? least)
  if (max !== undefined) columns.push(sql`(SELECT count(*) FROM ${bounded})`)
  const inner = (): Sql => (isNested ? select(raw(`${name}.*`), raw(whole.from), [selected]) : single())
  const named = columns.map((column, at) => sql`${column} AS ${raw(`c${at + 1}`)}`)
  const ordered = sql`ORDER BY c2 DESC, ${inOrder(dialect, order)}${nulls} ${limitTo(dialect, limit)}`
  const counted = sql`SELECT ${join(named, ', ')} FROM (${values()}) AS f GROUP BY v ${ordered}`
  // Some drivers find by the first word whether a statement has rows.
  const statement =
    max === undefined
      ? counted
      : sql`SELECT * FROM (WITH ${bounded} AS (${inner()} ${limitTo(dialect, max + 1)}) ${counted}) AS b`
  const readText = text && readerOf(text.type, 'string')
  return {
    path: dotted,
    statement,
    read: (rows) => {
      if (!Array.isArray(rows)) throw new TypeError('rows must be a list')
      const tally = tallyOf(facet)
      let isMore = false
      // `read` returns undefined for a cell of another type: it counts as null.
      const valueOf = (cell: unknown, reader: typeof read) => (cell === null ? undefined : reader(cell)) ?? null
      for (const [at, row] of (rows as readonly unknown[]).entries()) {
        checkRow(row, at)
        const cells = cellsOf(row as object)
        const found = valueOf(cells(0, dotted), read) as FacetValue['value']
        tally.add(
          found,
          countIn(cells, 1),
          readText && (valueOf(cells(2, textOfPath(label!)), readText) as string | null),
        )
        isMore ||= max !== undefined && countIn(cells, columns.length - 1) > max
      }
      return tally.values(isMore)
    },
  }
}
