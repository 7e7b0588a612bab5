/** Selects the fields of a schema: columns, joins of parent tables, and lists as JSON. It also makes the shape of the rows. */
import type { LiteralType, Path } from '../../tree/index.ts'
import { isPromised, literalTypeOf } from '../../language/index.ts'
import type { EntryField, Field, Fields, ScalarType } from '../../language/index.ts'
import { chosenIn, formFor, formOf, drivenFormOf, type Chosen, type DriverForm } from '../../query/index.ts'
import { own } from '../../own.ts'
import type { Dialect, SelectRules, StoredType } from './dialect/dialect.ts'
import { flatten, join, raw, sql, type Sql } from './dialect/sql.ts'
import { isJoined, tiesTo, type ArrayColumn, type ChildTable, type Column, type Columns } from './mapping.ts'
import type { ParentTable, Stored, Table } from './mapping.ts'
import { objectOf, type Beside, type Member, type ObjectShape, type Shape, type ValueShape } from './read-row.ts'
import { chainOf, columnSql, otherThan, quotedName, quoterOf, type Chain } from './resolve.ts'
import { noPaths } from './scope.ts'
import { columnTypes } from './stored-as.ts'

/** The columns that a statement selects, and how they make a row. */
export interface Selection {
  /** The expressions that are selected as `c1`, `c2` and so on. */
  readonly columns: readonly string[]
  /** The text after FROM: the table, and the parent tables that are joined to it. */
  readonly from: string
  /** The text after the table. */
  readonly joins: string
  /** The aliases of those parent tables, quoted, by the dotted path of their objects. */
  readonly joined: ReadonlyMap<string, string>
  /** The dotted paths of the parents that each row has, because JOIN adds them. */
  readonly inner: ReadonlySet<string>
  readonly row: ObjectShape
  /** Whether an expression makes a list, by a subquery. */
  readonly hasLists: boolean
  /** The columns of the table that the expressions and the joins read, qualified. */
  readonly reads: readonly string[]
  /** The names and cells of columns that are read beside the fields, as the driver returns them. */
  readonly beside: Beside
}

/** Makes the names of a statement. */
export interface StatementNames {
  readonly dialect: Dialect
  quote(name: string): string
  /** Returns a new alias for a table, quoted. */
  nextAlias(): string
}

/** @param root the name of the table in the statement. */
export function namingOf(dialect: Dialect, root: string): StatementNames {
  const quote = quoterOf(dialect)
  let count = 0
  return { dialect, quote, nextAlias: () => quote(otherThan(root, `t${++count}`)) }
}

export const tableIn = (dialect: Dialect, table: Table, alias: string | undefined): string =>
  quotedName(quoterOf(dialect), table.name) + (alias === undefined ? '' : ` AS ${quoterOf(dialect)(alias)}`)

/** A row whose columns are selected: of the table, of a parent table, or of a child table. */
interface Owner {
  /** The name of its table in the statement, quoted. */
  readonly name: string
  readonly key: readonly string[]
  /** The columns that are selected beside each other. */
  readonly cells: Sql[]
  /** The columns of its table that cells and joins read, qualified. */
  readonly reads: Set<string>
  /** The joins of parent tables, and their aliases by dotted path. */
  readonly joins: Sql[]
  readonly joined: Map<string, string>
  /** The dotted path of its fields, for messages. */
  readonly at: string
  /** The dotted paths of the parents that JOIN adds, not LEFT JOIN: the statement then has no row without these parents. */
  readonly inner: ReadonlySet<string>
  /** Whether the row is an entry of a list. The list contains its JSON; a driver gets JSON as text. */
  readonly isEntry: boolean
  /** The name of the join table before the row, quoted. */
  readonly joinTable: string | undefined
}

const flat = (piece: Sql): string => flatten(piece).strings.join('')

/** The table of a statement. */
export interface From {
  /** The table, quoted, with its alias. */
  readonly from: string
  /** Its name in the statement, quoted. */
  readonly name: string
  readonly key: readonly string[]
  readonly columns: Columns
}

const newRow = (): Pick<Owner, 'cells' | 'reads' | 'joins' | 'joined'> => ({
  cells: [],
  reads: new Set<string>(),
  joins: [],
  joined: new Map<string, string>(),
})
const rootOf = ({ name, key }: From, inner: ReadonlySet<string>): Owner => ({
  name,
  key,
  at: '',
  isEntry: false,
  joinTable: undefined,
  inner,
  ...newRow(),
})

/** A column of the row, which a statement must have in its FROM. */
function columnIn(naming: StatementNames, owner: Owner, name: string): Sql {
  const column = columnSql(naming, owner, name)
  owner.reads.add(column.strings[0]!)
  return column
}

/** The table with the parent tables that are joined to it. */
export type Joins = Pick<Selection, 'from' | 'joins' | 'joined' | 'inner'>

function joinsTo({ from }: From, { joins: pieces, joined, inner }: Owner): Joins {
  const joins = flat(join([raw(''), ...pieces], ' '))
  return { from: from + joins, joins, joined, inner }
}

/**
 * Makes the selection of some fields.
 *
 * @param chosen the fields; `'all'` of the schema.
 * @param paths those of conditions: the parent tables on them are joined too.
 * @param inner the dotted paths of parents without which the statement needs no row.
 * @throws TypeError that names the field whose mapping cannot be read back.
 */
export function selectionOf(
  naming: StatementNames,
  table: From,
  fields: Fields,
  chosen: Chosen | 'all',
  extra: Readonly<Record<string, Column>>,
  paths: readonly Path[],
  inner = noPaths,
): Selection {
  const owner = rootOf(table, inner)
  // First, because PostgreSQL chooses the order of the first joins alone.
  for (const path of paths) joinOn(naming, owner, table.columns, path)
  const row = objectShape(naming, owner, table.columns, fields, chosen, 'always')
  const beside = Object.entries(extra).map(
    ([property, column]) => [property, addCell(owner, columnIn(naming, owner, column.name))] as const,
  )
  const reads = [...owner.reads]
  return { columns: owner.cells.map(flat), ...joinsTo(table, owner), row, hasLists: hasList(row), reads, beside }
}

const hasList = (shape: Shape): boolean =>
  shape.kind === 'list' || (shape.kind === 'object' && shape.members.some(([, member]) => hasList(member)))

/**
 * Joins the parent tables on the paths of conditions.
 *
 * @param inner the dotted paths of parents without which the statement needs no row.
 */
export function joinsOf(naming: StatementNames, table: From, paths: readonly Path[], inner = noPaths): Joins {
  const owner = rootOf(table, inner)
  for (const path of paths) joinOn(naming, owner, table.columns, path)
  return joinsTo(table, owner)
}

function joinOn(naming: StatementNames, owner: Owner, columns: Columns, [name, ...rest]: Path): void {
  const stored = name === undefined ? undefined : own(columns, name)
  if (stored?.kind === 'parent') joinOn(naming, joinParent(naming, owner, name!, stored), stored.columns, rest)
  if (stored?.kind === 'flattened') joinOn(naming, ownerIn(owner, name!), stored.columns, rest)
}

const addCell = ({ cells }: Owner, cell: Sql): number => cells.push(cell) - 1

/** Adds a cell of JSON. */
const addJson = (
  { text }: SelectRules,
  owner: Owner,
  json: Sql,
): { readonly at: number; readonly isText: boolean } => ({
  at: addCell(owner, owner.isEntry ? json : text(json)),
  isText: !owner.isEntry,
})

const ownerIn = (owner: Owner, name: string): Owner => ({ ...owner, at: `${owner.at}${name}.` })

function objectShape(
  naming: StatementNames,
  owner: Owner,
  columns: Columns,
  fields: Fields,
  chosen: Chosen | 'all',
  exists: 'always' | 'withValue' | number,
): ObjectShape {
  const members = chosenIn(fields, chosen).map(([name, definition, inner]): Member => {
    const stored: Stored = own(columns, name) ?? { kind: 'column', name }
    return [name, shapeOf(naming, owner, name, stored, definition, inner)]
  })
  return objectOf(members, exists === 'withValue' ? members : exists)
}

function shapeOf(
  naming: StatementNames,
  row: Owner,
  name: string,
  stored: Stored,
  field: Field,
  chosen: Chosen | 'all',
): Shape {
  const owner = isJoined(stored) ? { ...row, name: row.joinTable! } : row
  const path = owner.at + name
  switch (stored.kind) {
    case 'column':
      return columnShape(naming, owner, path, stored, field as EntryField)
    case 'json': {
      const rules = rulesOf(naming, path)
      const column = columnIn(naming, owner, stored.name)
      const cell = addJson(rules, owner, rules.json(column))
      return { kind: 'json', ...cell, name: path, field, chosen, form: formFor(field, chosen) }
    }
    case 'array':
      return arrayShape(naming, owner, path, stored, field)
    case 'child':
      return listShape(naming, owner, path, stored, field, chosen)
    case 'parent':
      return parentShape(naming, owner, name, stored, field, chosen)
    case 'flattened': {
      // All of its columns tell whether the object exists.
      const [read, exists] = isPromised(field) ? [chosen, 'always' as const] : ['all' as const, 'withValue' as const]
      return objectShape(naming, ownerIn(owner, name), stored.columns, fieldsOf(field), read, exists)
    }
  }
}

const fieldsOf = (field: Field): Fields => (field.type === 'object' ? field.fields : {})

const rulesOf = ({ dialect }: StatementNames, path: string): SelectRules => {
  if (dialect.select !== undefined) return dialect.select
  throw new TypeError(
    `select cannot read ${path}: dialect.select of ${dialect.name} is absent, which writes lists and JSON as text`,
  )
}

/** Reads the value that a driver returns for a stored type, in the form of the schema; `undefined` for no value. */
export function readerOf({ decode, selected, returned = [] }: StoredType, literal: LiteralType): ValueShape['read'] {
  const forms: readonly DriverForm[] = selected === undefined ? returned : [...returned, 'text']
  // A row may have a fraction in an integer, which a cursor may not.
  const drivenForm = literal === 'integer' ? drivenFormOf.number : drivenFormOf[literal]
  const readForm = formOf[literal]
  const [takesText, takesNumber, takesBigint] = (['text', 'number', 'bigint'] as const).map((one) =>
    forms.includes(one),
  )
  const isDriven = (value: unknown): boolean | undefined =>
    typeof value === 'string'
      ? takesText
      : typeof value === 'number'
        ? takesNumber
        : typeof value === 'bigint' && takesBigint
  const readDriven = (value: unknown, decoded: unknown) =>
    isDriven(value) === true ? drivenForm?.(decoded) : undefined
  if (decode === undefined) return (value) => readForm(value) ?? readDriven(value, value)
  return (value) => {
    const decoded = decode(value)
    return readForm(decoded) ?? readDriven(value, decoded)
  }
}

const literalOf = (field: EntryField): LiteralType => literalTypeOf(field.type as ScalarType)

function typeOfColumn({ dialect, quote }: StatementNames, stored: Column | ArrayColumn, field: EntryField): StoredType {
  // `checkMapping` has refused a column whose type does not hold the field.
  return columnTypes(dialect, stored, field, quote).get(literalOf(field))!
}

function columnShape(
  naming: StatementNames,
  owner: Owner,
  path: string,
  stored: Column,
  field: EntryField,
): ValueShape {
  const type = typeOfColumn(naming, stored, field)
  const column = columnIn(naming, owner, stored.name)
  return {
    kind: 'value',
    at: addCell(owner, selectedAs(type, column, owner.isEntry)),
    name: path,
    column: stored.name,
    read: readerOf(type, literalOf(field)),
    isInDeclaredOrder: type.isInDeclaredOrder,
  }
}

function selectedAs({ read, selected, inJson }: StoredType, column: Sql, isEntry: boolean): Sql {
  const value = read?.(column) ?? column
  return ((isEntry ? inJson : undefined) ?? selected)?.(value) ?? value
}

const entryOf = (field: Field): EntryField => (field as Extract<Field, { type: 'list' }>).entry

function arrayShape(naming: StatementNames, owner: Owner, path: string, stored: ArrayColumn, field: Field): Shape {
  const rules = rulesOf(naming, path)
  const entry = entryOf(field)
  const type = typeOfColumn(naming, stored, entry)
  const alias = raw(naming.nextAlias())
  const list = naming.dialect.array!.list!(columnIn(naming, owner, stored.name), alias, (value) =>
    rules.array(selectedAs(type, value, true)),
  )
  const shape: Shape = { kind: 'value', at: 0, name: path, column: stored.name, read: readerOf(type, literalOf(entry)) }
  return {
    kind: 'list',
    ...addJson(rules, owner, list),
    isNullable: true,
    name: path,
    entry: shape,
    cells: 1,
    ...unordered,
  }
}

const unordered = { most: Infinity, sortedBy: 0 }

function parentShape(
  naming: StatementNames,
  owner: Owner,
  name: string,
  stored: ParentTable,
  field: Field,
  chosen: Chosen | 'all',
): Shape {
  const parent = joinParent(naming, owner, name, stored)
  const exists = addCell(owner, sql`CASE WHEN ${columnIn(naming, parent, stored.key[0]!)} IS NOT NULL THEN 1 END`)
  return objectShape(naming, parent, stored.columns, fieldsOf(field), chosen, exists)
}

/** The row of a parent table, which is joined once. */
function joinParent(naming: StatementNames, owner: Owner, name: string, stored: ParentTable): Owner {
  const path = owner.at + name
  const alias = owner.joined.get(path)
  const its = { name: alias ?? naming.nextAlias(), key: stored.key, reads: new Set<string>() }
  const parent: Owner = { ...ownerIn(owner, name), ...its }
  if (alias !== undefined) return parent
  const { from, correlation } = chainFrom(naming, owner, stored, [parent.name])
  const kind = raw(owner.inner.has(path) ? 'JOIN' : 'LEFT JOIN')
  owner.joins.push(sql`${kind} ${from} ON ${correlation!}`)
  owner.joined.set(path, parent.name)
  return parent
}

/** Writes the joins from a row to another table. The statement also reads the columns of the row that the first join compares. */
function chainFrom(
  naming: StatementNames,
  owner: Owner,
  stored: ChildTable | ParentTable,
  aliases: readonly string[],
): Chain {
  const ties = tiesTo(stored, owner.key)
  for (const column of ties[0].before) columnIn(naming, owner, column)
  return chainOf(naming, ties, owner.name, aliases)
}

function listShape(
  naming: StatementNames,
  owner: Owner,
  path: string,
  stored: ChildTable,
  field: Field,
  chosen: Chosen | 'all',
): Shape {
  const rules = rulesOf(naming, path)
  const { list, nested, orderKey } = rules
  if (owner.isEntry && nested === false) {
    throw new TypeError(`select cannot read ${path}: ${naming.dialect.name} selects no list in a list`)
  }
  const inList = { ...newRow(), at: `${path}.`, isEntry: true, inner: noPaths }
  const name = naming.nextAlias()
  const joinTable = own(stored, 'through') && naming.nextAlias()
  const entries: Owner = { name, key: stored.key, joinTable, ...inList }
  const order = orderOf(stored, path).map((column) => columnIn(naming, entries, column))
  if (orderKey !== undefined) entries.cells.push(...order.map(orderKey))
  const value = own(stored, 'value')
  const entry = entryOf(field)
  const shape =
    value === undefined
      ? objectShape(naming, entries, stored.columns, fieldsOf(entry), chosen, 'always')
      : columnShape(naming, entries, path, value, entry)
  const { from, joins, correlation } = chainFrom(naming, owner, stored, joinTable ? [joinTable, name] : [name])
  const rows = sql`${join([sql`${from}${joins}`, ...entries.joins], ' ')} WHERE ${correlation!}`
  // A key is never NULL.
  const nulls = raw(own(stored, 'orderBy') === undefined ? '' : (naming.dialect.nulls?.ascending ?? ''))
  const keys = order.map((column) => sql`${column}${nulls}`)
  const lists = list(arrayOf(rules, entries.cells), rows, join(keys, ', '))
  return {
    kind: 'list',
    ...addJson(rules, owner, owner.isEntry && nested ? nested(lists) : lists),
    isNullable: false,
    name: path,
    entry: shape,
    cells: entries.cells.length,
    most: rules.mostArguments,
    sortedBy: orderKey === undefined ? 0 : order.length,
  }
}

/** Writes cells as one JSON array. It nests arrays where the engine limits the arguments of a function. */
function arrayOf({ array, mostArguments }: SelectRules, cells: readonly Sql[]): Sql {
  if (cells.length <= mostArguments) return array(join(cells, ', '))
  const pieces = Array.from({ length: Math.ceil(cells.length / mostArguments) }, (_, at) =>
    array(join(cells.slice(at * mostArguments, (at + 1) * mostArguments), ', ')),
  )
  return array(join(pieces, ', '))
}

/** The columns that a list is in the order of. */
function orderOf(stored: ChildTable, path: string): readonly string[] {
  const order = own(stored, 'orderBy') ?? stored.key
  if (order.length > 0) return order
  throw new TypeError(
    `select cannot read ${path}: its childTable needs orderBy or key, which give its entries an order`,
  )
}
