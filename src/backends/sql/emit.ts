/** From a filter to an expression: groups, lists, parent tables, objects. Negation goes down to the conditions. */
import { isLiteralType } from '../../tree/index.ts'
import type { And, EntryCount, Filter, Or, Path, Presence, Some } from '../../tree/index.ts'
import { literalTypeOf, type Field } from '../../language/index.ts'
import { own } from '../../own.ts'
import { beyondOutermost, comparison, match, membership, valuePresence } from './conditions.ts'
import { boundsOf, containment } from './contains.ts'
import { atLeastByCount } from './dialect/dialect.ts'
import { raw, parameter, sql, type Sql } from './dialect/sql.ts'
import { allOf, anyOf, exists, term, whereClause, type Expression } from './expression.ts'
import { asEquality, isAlways, leastOf } from '../shape.ts'
import { envelopesOf, withMemberships, withOneSome } from './merged.ts'
import { byParent, parentOnPath, withoutNames, type ParentOnPath } from './parents.ts'
import type { Entries, StoredObject } from './resolve.ts'
import { inEntry, inJoined, unmapped, type Scope } from './scope.ts'

export function emit(scope: Scope, filter: Filter, negated: boolean): Expression {
  const on = parentOnPath(scope, filter)
  return on === undefined ? emitHere(scope, filter, negated) : inParent(scope, on, filter, negated)
}

function emitHere(scope: Scope, filter: Filter, negated: boolean): Expression {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return group(scope, filter, negated)
    case 'not':
      return emit(scope, filter.filter, !negated)
    case 'some':
      return some(scope, filter, negated)
    case 'count':
      return count(scope, filter, negated)
    case 'comparison':
      return comparison(scope, filter, negated)
    case 'membership': {
      const condition = asEquality(filter)
      return condition.kind === 'comparison'
        ? comparison(scope, condition, negated)
        : membership(scope, condition, negated)
    }
    case 'match':
      return match(scope, filter, negated)
    case 'presence':
      return (isLiteralType(filter.type) ? valuePresence : objectPresence)(scope, filter, negated)
  }
}

function group(scope: Scope, { kind, filters }: And | Or, negated: boolean): Expression {
  const isAny = kind === 'or' && !negated && !scope.isPosition
  const isChild = (path: Path) => scope.resolver.resolve(scope.start, path)?.kind === 'rows'
  const ofOneEntry = kind === 'or' && scope.dialect.beginsAtEntries === true ? withOneSome(filters, isChild) : filters
  // Engines without row operands make ranges from an OR themselves.
  const merged = isAny && scope.dialect.rowOperand !== undefined ? withMemberships(ofOneEntry) : ofOneEntry
  if (kind === 'or' && merged.length === 1) return emit(scope, merged[0]!, negated)
  const members = byParent(scope, merged).map(({ on, filters }) => {
    const member = filters.length === 1 ? filters[0]! : { kind, filters }
    return on === undefined ? emitHere(scope, member, negated) : inParent(scope, on, member, negated)
  })
  const any = ((kind === 'and') === negated ? anyOf : allOf)(scope, members)
  if (!isAny || scope.walked === undefined || typeof any === 'boolean') return any
  const envelopes = envelopesOf(merged, scope.walked)
  return allOf(scope, [...envelopes.map(({ bounds, operator }) => beyondOutermost(scope, bounds, operator)), any])
}

function some(scope: Scope, filter: Some, negated: boolean): Expression {
  const { dialect, resolver, start, depth } = scope
  const list = resolver.resolve(start, filter.path)
  const entries = list && resolver.entriesOf(list, depth)
  if (list === undefined || entries === undefined) return unmapped(scope, filter)
  const contained = containment(scope, list, filter.filter)
  if (contained?.isExact === true) {
    const { test, column } = contained
    return negated ? term(dialect.isNotTrue(test, column)) : term(test, [column])
  }
  const any = anyEntry(scope, entries, filter.path, filter.filter, negated)
  return negated ? any : allOf(scope, [...boundsOf(scope, list, filter.filter), any])
}

/** The child rows for which a filter holds, as the text after FROM, and their foreign key. */
export interface ChildRows {
  readonly rows: Sql
  readonly key: Sql
}

/** The child rows that a filter reads, if it has one condition on a list and the database enforces the foreign key. */
export function childRows(scope: Scope, filter: Filter): ChildRows | undefined {
  const list = filter.kind === 'some' ? scope.resolver.resolve(scope.start, filter.path) : undefined
  if (list?.kind !== 'rows' || !list.entries.isEnforced) return undefined
  const { path, filter: inner } = filter as Some
  const passes = emit(inEntry(scope, list.entries, path), inner, false)
  if (typeof passes === 'boolean') return undefined
  const { from, joins, keys, tableConditions } = list.entries
  const where = allOf(scope, [...tableConditions.map(({ sql }) => term(sql)), passes])
  return { rows: sql`${from}${joins}${whereClause(where, ' ', '')}`, key: keys! }
}

/** Compares the number of entries that have a value. The complement of `gte` is true of a row without the list, and without the parent row around it. */
function count(scope: Scope, filter: EntryCount, negated: boolean): Expression {
  const { dialect, resolver, start, depth, write } = scope
  if (filter.operator === 'lte') return emit(scope, { ...filter, operator: 'gte', operand: leastOf(filter) }, !negated)
  if (isAlways(filter)) return always(scope, filter, negated)
  const list = resolver.resolve(start, filter.path)
  const entries = list && resolver.entriesOf(list, depth)
  if (entries === undefined) return unmapped(scope, filter)
  const present: Filter = { kind: 'presence', path: [], type: filter.type }
  if (filter.operand === 1) return anyEntry(scope, entries, filter.path, present, negated)
  const rows = sql`${entries.from}${entries.joins}${whereClause(whereIn(scope, entries, filter.path, present), ' ', '')}`
  const { atLeast = atLeastByCount } = dialect
  // A condition from the cache may have the other operator.
  const counted = write(filter, (count) => atLeast(rows, entries.keys, parameter(leastOf(count)), negated))
  return term(counted as Sql)
}

/** The constant of a count that every row satisfies. It refuses a list that is not stored, as a count with another number does. */
function always(scope: Scope, filter: EntryCount, negated: boolean): Expression {
  emit({ ...scope, write: (condition, writer) => writer(condition) }, { ...filter, operand: 1 }, negated)
  return !negated
}

function inParent(scope: Scope, { parent, path }: ParentOnPath, filter: Filter, negated: boolean): Expression {
  if (parent.entries.isEnforced && filter.kind === 'presence' && filter.path.length === path.length) {
    const tests = parent.foreignKey.map((column) => term(sql`${column} ${raw(negated ? 'IS NULL' : 'IS NOT NULL')}`))
    return (negated ? anyOf : allOf)(scope, tests)
  }
  const joined = inJoined(scope, parent, path)
  if (joined !== undefined) return emit(joined, withoutNames(filter, path.length), negated)
  return anyEntry(scope, parent.entries, path, withoutNames(filter, path.length), negated)
}

/** Whether there is an entry, of a list or of a parent table at a path, for which a filter holds. */
const anyEntry = (scope: Scope, entries: Entries, path: Path, filter: Filter, negated: boolean): Expression =>
  exists(sql`${entries.from}${entries.joins}`, whereIn(scope, entries, path, filter), negated, entries.exists)

function whereIn(scope: Scope, entries: Entries, path: Path, filter: Filter): Expression {
  const inside = inEntry(scope, entries, path)
  const isOfRow = entries.correlation === undefined || term(entries.correlation)
  return allOf(inside, [isOfRow, emit(inside, filter, false)])
}

function objectPresence(scope: Scope, filter: Presence, negated: boolean): Expression {
  const { dialect, resolver, start } = scope
  const stored = resolver.resolve(start, filter.path)
  if (stored?.kind === 'json' && dialect.json !== undefined) {
    const { isObject, isPresent = isObject } = dialect.json
    const isThere = (filter.type === 'json' ? isPresent : isObject)(stored.value)
    return term(negated ? sql`NOT (${isThere})` : isThere)
  }
  // A row is an object, whatever its columns hold.
  if (stored?.kind === 'row') {
    const present = own(stored, 'present')
    return present === undefined ? !negated : term(negated ? sql`${present} IS NULL` : sql`${present} IS NOT NULL`)
  }
  if (stored?.kind !== 'object' || stored.fields === undefined) return unmapped(scope, filter)
  if (stored.isPromised) return objectPresence(scope, { ...filter, path: filter.path.slice(0, -1) }, negated)
  // Columns cannot tell an empty object from none: it is there when one of its fields has a value.
  return emit(scope, { kind: 'or', filters: fieldPresences(stored, filter.path) }, negated)
}

/** For each field of an object: whether it has a value, or a list an entry. A required object in it counts by its own fields. */
function fieldPresences({ fields = {}, members }: StoredObject, path: Path): Filter[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const [stored, at] = [members.get(name), [...path, name]]
    return stored?.kind === 'object' && stored.isPromised ? fieldPresences(stored, at) : [presenceOf(field, at)]
  })
}

const presenceOf = (field: Field, path: Path): Filter =>
  field.type === 'list'
    ? { kind: 'some', path, filter: { kind: 'and', filters: [] } }
    : { kind: 'presence', path, type: literalTypeOf(field.type) }
