/** The emitter of SQL: one function for each kind of filter. Negation is pushed down to the conditions. */
import {
  checkFilter,
  joined,
  kinds,
  literalTypes,
  type And,
  type Comparison,
  type Filter,
  type Literal,
  type LiteralType,
  type Match,
  type Membership,
  type Or,
  type Path,
  type Presence,
  type Some,
} from '../../ast/index.ts'
import type { Capabilities, QueryBackend } from '../backend.ts'
import type { Issue } from '../../issue/index.ts'
import { dotted, nameOf, presencesOf, schemaIssues, spanOf, throwIssues, tooLarge, type Condition } from '../issues.ts'
import { inPlace, inPlaces, shapeCache } from '../shape.ts'
import { checkOptions } from '../../options.ts'
import { own } from '../../own.ts'
import { leadingValues, partsOfPosition } from '../../query/page/order.ts'
import { pageOf, type Page } from '../../query/page/page.ts'
import { wholeQuery, type Query, type SortKey } from '../../query/page/query.ts'
import type { Reading } from '../../query/page/sort-value.ts'
import type { Field, Fields } from '../../language/index.ts'
import { simpleLowerCase } from '../../text/case.ts'
import { checkMapping, featuresOf } from './check.ts'
import { checkedDialect, compare, type Dialect, type StoredType } from './dialect/dialect.ts'
import { flatten, parameter, sql, type Parameter, type Sql } from './dialect/sql.ts'
import { allOf, anyOf, exists, term, whole, type Expression } from './expression.ts'
import type { Table } from './mapping.ts'
import { limitAndOffset, orderBy, rowComparison, storedParts, type OrderedValue, type StoredParts } from './page.ts'
import {
  filled,
  newSlots,
  operandSlot,
  parametersOf,
  slotsIn,
  slotted,
  unwritten,
  type Plan,
  type Slots,
} from './plan.ts'
import {
  resolverOf,
  type Entries,
  type Resolver,
  type StoredColumn,
  type StoredField,
  type StoredParent,
} from './resolve.ts'

/** A piece of a statement, with its values. */
export interface SqlPiece {
  /** With the placeholders of the dialect, numbered as in the whole statement. */
  readonly text: string
  /**
   * The values of its placeholders, in order: texts, numbers, booleans, and arrays of these where the dialect sends lists as
   * arrays. It is `any[]` because drivers declare their parameters in types of their own: each takes it without a cast.
   */
  readonly parameters: any[]
  /** The text around the parameters, for tagged templates: one piece more than there are parameters. */
  readonly strings: TemplateStringsArray
}

/** The text of a piece. */
type SqlText = Pick<SqlPiece, 'text' | 'strings'>

/**
 * A condition for a `WHERE` clause: a boolean expression, true or false for every row and never NULL. It is safe behind AND,
 * OR and NOT.
 */
export interface SqlCondition extends SqlPiece {}

/** A query as SQL: the text follows `SELECT … FROM` the table. Query builders take its parts. */
export interface SqlQuery extends SqlPiece, StoredParts {
  /** What follows WHERE, the position included. */
  readonly where: SqlCondition
  /** What follows ORDER BY. */
  readonly orderBy: SqlPiece
  /** How many rows to read: one more than the page has. */
  readonly limit: number
  /** How many rows to skip before them. */
  readonly offset: number
  /** The condition without the position, for the number of all rows. */
  readonly count: SqlCondition
  /**
   * Makes the page of the rows that the statement read, as `toPage` does. It knows how the table stores each sort key, so it
   * reads the numbers of drivers, and refuses rows without a column that the order needs.
   *
   * @param rows objects in the form of the schema, as the driver gives their values.
   * @throws TypeError when a row is no object, or has no property for a sort key: the field is not selected, or not by its
   *   name in the schema.
   */
  readonly page: <Row>(rows: readonly Row[]) => Page<Row>
}

/** Options of {@link sqlBackend}. */
export interface SqlOptions {
  /** `postgres`, `postgres17`, `mysql`, `mariadb`, `sqlite`, or one of your own. */
  readonly dialect: Dialect
  /** Where the rows are stored; made by `table()`. */
  readonly table: Table
  /** The name that the statement gives to the table, if it gives one. */
  readonly alias?: string
  /** The number of the first placeholder, for statements with parameters before these; 1 unless given. */
  readonly firstParameter?: number
}

/**
 * Emits filters as SQL: one boolean expression for `WHERE`, with all values in parameters.
 *
 * @returns a backend whose `compile` throws a FilterError for what the table or the dialect cannot say exactly
 *   (`backend_unmapped`, `backend_unsupported`), and for more parameters than it has (`backend_refused`).
 * @throws TypeError that names the wrong option.
 * @example
 * const { text, parameters } = sqlBackend({ dialect: postgres, table: orderTable }).compile(filter)
 * await client.query(`SELECT * FROM "orders" WHERE ${text}`, parameters)
 */
export function sqlBackend(options: SqlOptions): QueryBackend<SqlCondition, SqlQuery> {
  const given = checkOptions(options, 'options', ['dialect', 'table', 'alias', 'firstParameter'])
  const { table, alias, firstParameter = 1 } = given
  const dialect = checkedDialect(given.dialect)
  checkMapping(dialect, table, alias)
  if (!Number.isSafeInteger(firstParameter) || firstParameter < 1) {
    throw new TypeError('options.firstParameter must be a whole number from 1')
  }
  const resolver = resolverOf(dialect, table, alias)
  const lowering = loweringOf(dialect)

  const schema = own(table, 'schema')
  const contextOf = (filters: readonly Filter[]): Context => {
    if (schema !== undefined) throwIssues(filters.flatMap((filter) => schemaIssues(filter, schema)))
    return { dialect, resolver, lowering, issues: [], slots: newSlots(), start: resolver.row, list: '', depth: 0 }
  }
  const plans = shapeCache<Plan>(256)
  const conditionOf = (filter: Filter): SqlCondition => {
    const conditions: Condition[] = []
    const known = plans.get(filter, conditions)
    const parameters = known && parametersOf(known, conditions)
    if (parameters !== undefined) return pieceOf(known!, parameters)
    const context = contextOf([filter])
    const expression = emit(context, inPlaces(filter, { next: 0 }), false)
    throwIssues(context.issues)
    const plan = planOf(context, whole(dialect, expression), firstParameter, refusalOf(filter))
    plans.set(filter, plan)
    return pieceOf(plan, filled(plan, context.slots.values))
  }
  const refusalOf = (filter: Filter) => (message: string) => tooLarge(message, filter, conditionOf)
  const compile = (filter: Filter): SqlCondition => conditionOf(checkFilter(filter))
  const queryPlans = shapeCache<QueryPlan>(256)
  const compileQuery = (asked: Query): SqlQuery => {
    const query = wholeQuery(asked)
    const position = query.position === undefined ? [] : partsOfPosition(query)
    const leading = leadingValues(query)
    const conditions: Condition[] = []
    const known = queryPlans.get(query.filter, conditions, { query, position })
    for (const condition of leading) conditions.push(condition)
    const parameters = known && parametersOf(known.where, conditions)
    if (parameters !== undefined) return statementOf(query, known!, parameters)
    const context = contextOf([query.filter, presencesOf(query)])
    const plan = queryPlanOf(context, query, position, leading)
    queryPlans.set(query.filter, plan, { query, position })
    return statementOf(query, plan, filled(plan.where, context.slots.values))
  }
  const queryPlanOf = (
    context: Context,
    query: Query,
    position: readonly Filter[],
    leading: readonly Comparison[],
  ): QueryPlan => {
    const places = { next: 0 }
    const selected = emit(context, inPlaces(query.filter, places), false)
    const parts = position.map((part) => inPlaces(part, places))
    const values = leading.map((condition) => inPlace(places.next++, condition))
    const ordered = query.sort.flatMap((key) => orderedValue(context, key) ?? [])
    throwIssues(context.issues)
    const after = emitPosition(context, query, ordered, parts, values)
    const refused = refusalOf(query.filter)
    const where = planOf(context, whole(dialect, allOf(dialect, [selected, after])), firstParameter, refused)
    const keys = orderBy(dialect, query, ordered)
    const order = planOf(context, keys, firstParameter + where.parameters.length, refused)
    const head = inSequence(['WHERE ', ' ORDER BY '], [where, order])
    const readings = ordered.map(({ reading }) => reading)
    return { where, order, head, readings, stored: storedParts(resolver, query) }
  }
  const statementOf = (query: Query, plan: QueryPlan, parameters: unknown[]): SqlQuery => {
    const { where, order, head, readings, stored } = plan
    const before = parameters.concat(order.parameters)
    const start = { dialect, slots: newSlots() }
    const page = limitAndOffset(dialect, query)
    const rows = planOf(start, page, firstParameter + before.length, refusalOf(query.filter))
    const { text, strings } = inSequence(['', ' '], [head, rows])
    return {
      text,
      parameters: before.concat(rows.parameters),
      strings,
      where: pieceOf(where, parameters),
      orderBy: pieceOf(order, order.parameters.slice()),
      limit: query.limit + 1,
      offset: query.offset ?? 0,
      columns: stored.columns.slice(),
      tables: stored.tables.slice(),
      count: conditionOf(query.filter),
      page: (rows) => pageOf(query, rows, (at) => readings[at]!),
    }
  }
  const capabilities: Capabilities = Object.freeze({
    kinds,
    types: literalTypes,
    features: Object.freeze(featuresOf(table, lowering.isWhole)),
    preconditions: dialect.preconditions,
  })
  return { name: dialect.name, capabilities, compile, compileQuery }
}

/** What queries of a shape have in common. */
interface QueryPlan {
  readonly where: Plan
  readonly order: Plan
  /** Both of them, as the statement has them. */
  readonly head: SqlText
  readonly readings: readonly Reading[]
  readonly stored: StoredParts
}

/** What the functions of the kinds need to know. */
interface Context {
  readonly dialect: Dialect
  readonly resolver: Resolver
  readonly lowering: Lowering
  /** What is refused. */
  readonly issues: Issue[]
  /** The parameters of conditions. */
  readonly slots: Slots
  /** Where paths start: the row, an entry of a list, or the row of a parent table. */
  readonly start: StoredField
  /** The dotted path of that list or object; '' for the row. */
  readonly list: string
  /** How many lists and parent tables are around. */
  readonly depth: number
}

function emit(context: Context, filter: Filter, negated: boolean): Expression {
  const way = wayOf(context, filter)
  return way === undefined ? emitHere(context, filter, negated) : emitThere(context, way, filter, negated)
}

function emitHere(context: Context, filter: Filter, negated: boolean): Expression {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return group(context, filter, negated)
    case 'not':
      return emit(context, filter.filter, !negated)
    case 'some':
      return some(context, filter, negated)
    case 'comparison':
      return comparison(context, filter, negated)
    case 'membership':
      return membership(context, filter, negated)
    case 'match':
      return match(context, filter, negated)
    case 'presence':
      return presence(context, filter, negated)
  }
}

// --- One function for each kind

function group(context: Context, { kind, filters }: And | Or, negated: boolean): Expression {
  const { dialect, resolver, depth } = context
  const members =
    resolver.parentOn === undefined
      ? filters.map((member) => emitHere(context, member, negated))
      : together(context, filters).map(({ way, filters }) => {
          if (way === undefined) return emitHere(context, filters[0]!, negated)
          return emitThere(context, way, filters.length === 1 ? filters[0]! : { kind, filters }, negated)
        })
  // Inside EXISTS, NULL is as good as false.
  return (kind === 'and') === negated ? anyOf(dialect, members, depth > 0) : allOf(dialect, members)
}

function some(context: Context, filter: Some, negated: boolean): Expression {
  const { resolver, start, depth } = context
  const list = resolver.resolve(start, filter.path)
  const entries = list && resolver.entriesOf(list, depth)
  if (entries === undefined) return unmapped(context, filter)
  return anyEntry(context, entries, filter.path, filter.filter, negated)
}

/** Whether there is an entry, of a list or of a parent table at a path, for which a filter holds. */
function anyEntry(context: Context, entries: Entries, path: Path, filter: Filter, negated: boolean): Expression {
  const passes = emit(inEntry(context, entries, path), filter, false)
  const where = entries.correlation === undefined ? [passes] : [term(entries.correlation), passes]
  return exists(entries.from, allOf(context.dialect, where), negated, entries.exists)
}

const inEntry = (
  { dialect, resolver, lowering, issues, slots, list, depth }: Context,
  entries: Entries,
  path: Path,
): Context => ({
  dialect,
  resolver,
  lowering,
  issues,
  slots,
  start: entries.entry,
  list: dotted(list, path),
  depth: depth + 1,
})

function comparison(context: Context, filter: Comparison, negated: boolean): Expression {
  const { dialect, slots } = context
  const { operator, operand } = filter
  const stored = valueOf(context, filter, operand.type)
  if (stored === undefined) return false
  const value = operator === 'eq' ? stored : asText(dialect, stored)
  const { encode, cast = uncast, isText, equal } = value.type
  const slot = operandSlot(slots, filter, encode)
  // No stored value is equal to what cannot be encoded.
  if (slot === undefined) return negated
  const other = cast(slot)
  if (operator === 'eq' && equal !== undefined) return test(dialect, equal(value.sql, other), value, negated)
  if (negated && operator === 'eq') return term((isText ? dialect.textRules : dialect).differs(value.sql, other))
  return test(dialect, (isText ? dialect.textRules.compare : compare)(value.sql, operator, other), value, negated)
}

function membership(context: Context, filter: Membership, negated: boolean): Expression {
  const { dialect, slots } = context
  if (filter.operands.length === 0) return negated
  const value = valueOf(context, filter, filter.operands[0]!.type)
  if (value === undefined) return false
  const { encode = unencoded, among = dialect.among } = value.type
  const isAmong = slotted(slots, filter, ({ operands }) => {
    const encoded = operands.map((operand) => encode(operand.value)).filter((one) => one !== undefined)
    return encoded.length === 0 ? unwritten : among(value.sql, encoded, value.type)
  })
  return isAmong === unwritten ? negated : test(dialect, isAmong, value, negated)
}

function match(context: Context, filter: Match, negated: boolean): Expression {
  const { dialect, lowering, slots } = context
  const { mode } = filter
  const stored = valueOf(context, filter, 'string')
  if (stored === undefined) return false
  const value = asText(dialect, stored)
  const { cast = uncast } = value.type
  const lowered = lowering.ofValue(value.sql)
  const matches = slotted(slots, filter, ({ text }) => {
    if (text === '') return unwritten
    const asParameter = (operand: string) => cast(parameter(operand))
    return dialect.textRules[mode](lowered, lowering.ofText(text), asParameter)
  })
  // Every text contains the empty one.
  return matches === unwritten ? isPresent(value, negated) : test(dialect, matches, value, negated)
}

function presence(context: Context, filter: Presence, negated: boolean): Expression {
  if (filter.type === 'object') return objectPresence(context, filter, negated)
  const value = valueOf(context, filter, filter.type)
  return value === undefined ? false : isPresent(value, negated)
}

function objectPresence(context: Context, filter: Presence, negated: boolean): Expression {
  const { dialect, resolver, start } = context
  const stored = resolver.resolve(start, filter.path)
  if (stored?.kind === 'json' && dialect.json !== undefined) {
    const isObject = dialect.json.isObject(stored.value)
    return term(negated ? sql`NOT (${isObject})` : isObject)
  }
  // A row is an object, whatever its columns hold.
  if (stored?.kind === 'row') return !negated
  // Columns cannot tell an empty object from none: it is there when one of its fields has a value.
  if (stored?.kind !== 'object' || stored.fields === undefined) return unmapped(context, filter)
  return emit(context, { kind: 'or', filters: fieldPresences(stored.fields, filter.path) }, negated)
}

/** For each field of an object: whether it has a value. */
function fieldPresences(fields: Fields, path: Path): Filter[] {
  const presenceOf = (field: Field, at: Path): Filter =>
    field.type === 'list'
      ? { kind: 'some', path: at, filter: presenceOf(field.entry, []) }
      : { kind: 'presence', path: at, type: field.type === 'enumeration' ? 'string' : field.type }
  return Object.entries(fields).map(([name, field]) => presenceOf(field, [...path, name]))
}

// --- Parent tables

/** The way to a parent table: from there on a path starts anew. */
interface Way {
  readonly parent: StoredParent
  readonly path: Path
}

/** The way to the first parent table that a filter asks. */
function wayOf({ resolver, start }: Context, filter: Filter): Way | undefined {
  if (resolver.parentOn === undefined || !hasPath(filter)) return undefined
  const on = resolver.parentOn(start, filter.path)
  const isInside = on && (on.length < filter.path.length || (filter.kind === 'presence' && filter.type === 'object'))
  return isInside ? { parent: on.parent, path: filter.path.slice(0, on.length) } : undefined
}

const hasPath = (filter: Filter): filter is Condition | Some => Object.hasOwn(filter, 'path')
const isGroup = (filter: Filter): filter is And | Or => Object.hasOwn(filter, 'filters')

function emitThere(context: Context, { parent, path }: Way, filter: Filter, negated: boolean): Expression {
  return anyEntry(context, parent.entries, path, fromThere(filter, path.length), negated)
}

/** A filter, or a group of filters, whose paths start after so many names. */
function fromThere(filter: Filter, length: number): Filter {
  if (hasPath(filter)) return { ...filter, path: filter.path.slice(length) }
  if (isGroup(filter)) return { ...filter, filters: filter.filters.map((member) => fromThere(member, length)) }
  return filter
}

/**
 * The members of a group, those that ask the same parent table together: it has one row at most, so that one EXISTS says the
 * same as one for each.
 */
function together(context: Context, filters: readonly Filter[]): { way: Way | undefined; filters: Filter[] }[] {
  const parts: { way: Way | undefined; filters: Filter[] }[] = []
  const asked = new Map<StoredParent, Filter[]>()
  for (const filter of filters) {
    const way = wayOf(context, filter)
    const others = way && asked.get(way.parent)
    if (others !== undefined) others.push(filter)
    else {
      const part = [filter]
      parts.push({ way, filters: part })
      if (way !== undefined) asked.set(way.parent, part)
    }
  }
  return parts
}

// --- Values

/** A value in SQL that is NULL exactly where the field has none. */
interface Value {
  readonly sql: Sql
  readonly type: StoredType
  /** Whether it is a plain column, which indexes serve. */
  readonly isColumn: boolean
  /** Whether it is never NULL. */
  readonly isNotNull: boolean
  /** How many names at the end of its path lead into JSON. */
  readonly inJson: number
}

/** The value that a condition is about, to be compared with literals of the type; `undefined` where it is refused. */
function valueOf(context: Context, condition: Condition, type: LiteralType): Value | undefined {
  const { dialect, resolver, start } = context
  const stored = resolver.resolve(start, condition.path)
  if (stored?.kind === 'json' && dialect.json !== undefined) {
    const { types, [readers[type]]: read } = dialect.json
    const inJson = stored.value.names.length
    return { sql: read(stored.value), type: dialect.types[types[type]]!, isColumn: false, isNotNull: false, inJson }
  }
  if (stored?.kind !== 'column') {
    unmapped(context, condition)
    return undefined
  }
  const storedType = dialect.types[stored.type ?? defaultType(dialect, stored, type)]!
  if (storedType.holds.includes(type))
    return { sql: stored.column, type: storedType, isColumn: true, isNotNull: stored.isNotNull, inJson: 0 }
  refuse(context, 'backend_unsupported', condition, `is stored as ${stored.type}, which holds no ${type}`)
  return undefined
}

const readers: Readonly<Record<LiteralType, 'text' | 'number' | 'boolean'>> = {
  string: 'text',
  date: 'text',
  datetime: 'text',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
}

/**
 * The type of a column that is declared without one: by the type of the literal. A number goes by the type of the field
 * where that holds it, so that one column is not compared as two types.
 */
function defaultType({ columnTypes, types }: Dialect, { field }: StoredColumn, type: LiteralType): string {
  const own = field?.type === 'integer' || field?.type === 'number' ? columnTypes[field.type] : undefined
  return own !== undefined && types[own]!.holds.includes(type) ? own : columnTypes[type]
}

/** The value as text, where its type has another order than its text. */
const asText = (dialect: Dialect, value: Value): Value =>
  value.type.asText === undefined
    ? value
    : { ...value, sql: value.type.asText(value.sql), type: dialect.types.text!, isColumn: false }

/** What a sort key orders by; `undefined` where it is refused. */
function orderedValue(context: Context, key: SortKey): OrderedValue | undefined {
  const { path, type } = key
  const asked: Condition = { kind: 'presence', path, type, ...spanOf(key) }
  const way = wayOf(context, asked)
  if (way !== undefined) {
    const { from, correlation } = way.parent.entries
    const inside = inEntry(context, way.parent.entries, way.path)
    const value = orderedValue(inside, { ...key, path: path.slice(way.path.length) })
    if (value === undefined) return undefined
    const { forms, selected } = value.reading
    return {
      ...value,
      sql: sql`(SELECT ${value.sql} FROM ${from} WHERE ${correlation!})`,
      // Where there is no row, it is NULL.
      isNotNull: false,
      reading: { forms, selected: way.path.length + selected },
    }
  }
  const stored = valueOf(context, asked, type)
  if (stored === undefined) return undefined
  const { sql: value, type: storedType, isNotNull } = asText(context.dialect, stored)
  // What is in JSON is as JSON has it, or absent.
  const forms = stored.isColumn ? (stored.type.returned ?? []) : []
  return { sql: value, type: storedType, isNotNull, reading: { forms, selected: path.length - stored.inJson } }
}

/** The rows after the position of a query; all of them where it has none. */
function emitPosition(
  context: Context,
  query: Query,
  ordered: readonly OrderedValue[],
  position: readonly Filter[],
  leading: readonly Comparison[],
): Expression {
  const { dialect, slots } = context
  const rows = rowComparison(dialect, query, ordered, leading, slots)
  if (rows === undefined) return emit(context, joined('and', position), false)
  return rows.isWhole ? rows.expression : allOf(dialect, [rows.expression, emit(context, position.at(-1)!, false)])
}

const uncast = (value: Parameter): Sql => sql`${value}`
const unencoded = (value: Literal['value']): unknown => value

/** An expression that is NULL exactly where the value is; negated, it is true there. */
function test(
  dialect: Dialect,
  expression: Sql,
  { sql: value, isColumn, isNotNull }: Value,
  negated: boolean,
): Expression {
  if (negated)
    return term(isNotNull ? sql`NOT (${expression})` : dialect.isNotTrue(expression, isColumn ? value : undefined))
  return term(expression, isNotNull ? 'never' : isColumn ? [value] : 'unknown')
}

const isPresent = ({ sql: value, isNotNull }: Value, negated: boolean): Expression =>
  isNotNull ? !negated : term(negated ? sql`${value} IS NULL` : sql`${value} IS NOT NULL`)

/** How texts are lower-cased, in the engine and for it, so that case is ignored alike on both sides. */
interface Lowering {
  ofValue(value: Sql): Sql
  ofText(text: string): string
  /** Whether every letter is lower-cased. */
  readonly isWhole: boolean
}

function loweringOf({ lower, unlowered, textRules: { cased = (value) => value } }: Dialect): Lowering {
  const call = [`${lower}(`, ')']
  const left = own(unlowered, lower)
  const lowerCase = (character: string) => (left!.test(character) ? character : simpleLowerCase(character))
  return {
    ofValue: (value) => sql(call, cased(value)),
    ofText: left === undefined ? simpleLowerCase : (text) => Array.from(text, lowerCase).join(''),
    isWhole: left === undefined,
  }
}

// --- Refusals. What is emitted in place of a refused filter is never seen.

function refuse({ issues, list }: Context, code: Issue['code'], filter: Condition | Some, why: string): Expression {
  issues.push({ code, fault: 'server', message: `${nameOf(list, filter.path)} ${why}`, ...spanOf(filter) })
  return false
}

const unmapped = (context: Context, filter: Condition | Some): Expression =>
  refuse(context, 'backend_unmapped', filter, `is not stored where ${context.dialect.name} can reach it`)

// --- The statement

/** @throws FilterError when there are more parameters than a statement takes. */
function planOf(
  { dialect, slots }: Pick<Context, 'dialect' | 'slots'>,
  expression: Sql,
  firstParameter: number,
  refusal: (message: string) => Issue,
): Plan {
  const { maxParameters = Infinity, name } = dialect
  const { strings, parameters } = flatten(expression)
  const count = firstParameter - 1 + parameters.length
  if (count > maxParameters) {
    throwIssues([refusal(`the statement has ${count} parameters, but ${name} takes ${maxParameters} at most`)])
  }
  let text = strings[0]!
  for (let at = 1; at < strings.length; at++) text += dialect.placeholder(firstParameter + at - 1) + strings[at]!
  return { text, strings: templateOf(strings), parameters, slots: slotsIn(parameters), sources: slots.sources }
}

const pieceOf = ({ text, strings }: Plan, parameters: unknown[]): SqlPiece => ({ text, parameters, strings })

/** The texts of pieces one after the other, with a word before each. */
function inSequence(words: readonly string[], pieces: readonly SqlText[]): SqlText {
  const strings: string[] = ['']
  let text = ''
  for (let at = 0; at < pieces.length; at++) {
    const piece = pieces[at]!
    text += words[at]! + piece.text
    strings[strings.length - 1] += words[at]! + piece.strings[0]!
    for (let after = 1; after < piece.strings.length; after++) strings.push(piece.strings[after]!)
  }
  return { text, strings: templateOf(strings) }
}

function templateOf(strings: string[]): TemplateStringsArray {
  const template = strings as string[] & { raw: readonly string[] }
  template.raw = Object.freeze(strings.slice())
  return Object.freeze(template)
}
