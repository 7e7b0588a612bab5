/** The resolver: from a path of a filter to its stored field, as SQL. The fields of the mapping and the schema are resolved in advance. */
import type { Path } from '../../tree/index.ts'
import { entryAt, isPromised, type Field, type Fields } from '../../language/index.ts'
import { own, ownOf } from '../../own.ts'
import type { Dialect, JsonRules, JsonValue } from './dialect/dialect.ts'
import { flatten, join, raw, sql, stringLiteral, type Sql } from './dialect/sql.ts'
import { isJoined, tiesTo, type ChildTable, type Column, type Columns, type Name, type ParentTable } from './mapping.ts'
import type { TableWhere, Stored, Table } from './mapping.ts'
import { columnTypes, type StoredTypes } from './stored-as.ts'

/** Where a path ends. Inside a list, paths start at the stored field of the entry. */
export type StoredField = StoredRow | StoredColumn | StoredJson | StoredArray | StoredRows | StoredParent | StoredObject

interface Members {
  readonly members: ReadonlyMap<string, StoredField>
}
/** A row of the table, or of one beside it. */
interface StoredRow extends Members {
  readonly kind: 'row'
  /** The name of the table in the statement, quoted. */
  readonly name: string
  /** Whether a field that is not mapped is a column of the same name. `false` with a schema, which names all fields. */
  readonly takesAnyName: boolean
  /** Of a parent table that is joined: a column that is NULL where there is no row. */
  readonly present?: Sql
}
/** A column, or an entry that is a scalar. */
export interface StoredColumn extends Members {
  readonly kind: 'column'
  /** One text, without parameters. */
  readonly column: Sql
  readonly types: StoredTypes
  /** The type that it is declared with, for messages. */
  readonly type: string | undefined
  /** Whether it is never NULL. */
  readonly isNotNull: boolean
}
/** A JSON column, a member of one, or an entry of a list in one. */
interface StoredJson {
  readonly kind: 'json'
  /** The column that contains the JSON, or the rows that contain the entries of a list. */
  readonly column: Sql
  readonly value: JsonValue
  /** Its definition in the schema. */
  readonly field: Field | undefined
  /** Whether every row has it. */
  readonly isRequired: boolean
}
/** A list, as an array. */
interface StoredArray {
  readonly kind: 'array'
  readonly column: Sql
  /** Those of its entries. */
  readonly types: StoredTypes
  readonly type: string | undefined
}
/** A list, as rows of a child table. */
export interface StoredRows {
  readonly kind: 'rows'
  readonly entries: Entries
}
/** An object, as the row of a parent table: its one entry, if the row is there. */
export interface StoredParent {
  readonly kind: 'parent'
  readonly entries: Entries
  /** The columns that refer to it. */
  readonly foreignKey: readonly Sql[]
  /** Its row in a statement that joins it under a quoted name; `isThere` by JOIN, otherwise by LEFT JOIN. */
  readonly joinedAs: (name: string, isThere: boolean) => StoredRow
  /** Its table under a quoted name, and the condition that ties the table to the row. */
  readonly chainAs: (name: string) => Chain
}
/** An object, spread over columns. */
export interface StoredObject extends Members {
  readonly kind: 'object'
  /** Its definition in the schema. */
  readonly fields: Fields | undefined
  /** Whether it exists wherever the object around it exists. */
  readonly isPromised: boolean
}

/** The joins from a row to the entries of a list, or to the row of a parent table. */
export interface Chain {
  /** The tables, quoted; none for entries of JSON and of arrays. */
  readonly tables: readonly string[]
  /** The first table, or the source of other entries, in `FROM`. */
  readonly from: Sql
  /** The condition that ties the first table to the row. Entries of JSON and of arrays need nothing: they are read from the row itself. */
  readonly correlation: Sql | undefined
  /** The columns of the first table in that condition; `undefined` for entries of JSON and of arrays. */
  readonly keys: Sql | undefined
  /** The conditions of `where` of the first table. The correlation contains them, too. */
  readonly tableConditions: readonly TableCondition[]
  /** The joins of the other tables, with a space before each. */
  readonly joins: Sql
}

/** The entries of a list, or the row of a parent table. */
export interface Entries extends Chain {
  /** Whether each foreign key without a NULL has its other row. */
  readonly isEnforced: boolean
  readonly entry: StoredField
  /** The dialect's test for entries, where it is not EXISTS. */
  readonly exists: JsonRules['exists'] | undefined
}

export interface Resolver {
  /** Where the paths of a filter start. */
  readonly row: StoredRow
  /** The stored field at a path that starts at another one; `undefined` when nothing is stored there. */
  resolve(start: StoredField, path: Path): StoredField | undefined
  /** The first parent table on a path, and how many names lead to it. */
  parentOn(start: StoredField, path: Path): { readonly parent: StoredParent; readonly length: number } | undefined
  /** The entries of a list, `undefined` when the stored field is none; `depth` counts the lists around it. */
  entriesOf(list: StoredField, depth: number): Entries | undefined
}

/** Names as the statement has them. */
interface ColumnNames {
  readonly dialect: Dialect
  /** Inside the dialect's quotes, which are doubled in the name. */
  quote(name: string): string
  /** Returns the alias of the entries at a depth of lists, quoted. The letter `j` makes the alias of their join table. */
  entry(depth: number, letter?: 'e' | 'j'): string
  /** The types of a column that nothing is declared of. */
  readonly types: StoredTypes
}

/** The row that stored fields belong to. */
interface Owner {
  /** Its name in the statement, quoted. */
  readonly name: string
  readonly key: readonly string[]
  /** How many tables are around it. */
  readonly depth: number
  /** Whether a LEFT JOIN may lack its row: then each of its columns may be NULL. */
  readonly mayBeAbsent: boolean
  /** The name of the join table before it, quoted. */
  readonly joinTable?: string
}

/** Drivers count every `?` of a statement, those in names and in JSON paths too. */
export const hasPlaceholder = (dialect: Dialect, name: string): boolean =>
  name.includes('?') && dialect.placeholder(1) === '?'

export function resolverOf(dialect: Dialect, table: Table, alias: string | undefined): Resolver {
  const name = nameOfTable(table, alias)
  const names = namesOf(dialect, name)
  const fields = own(table, 'schema')?.fields
  const schema: Field | undefined = fields && { type: 'object', fields }
  return {
    row: rowOf(names, { name: names.quote(name), key: table.key, depth: 0, mayBeAbsent: false }, table.columns, schema),
    resolve: (start, path) => resolve(names, start, path),
    parentOn,
    entriesOf: (list, depth) => entriesOf(names, list, depth),
  }
}

/** Makes the function that quotes names. */
export const quoterOf =
  ({ quote: mark }: Dialect) =>
  (name: string): string =>
    mark + (name.includes(mark) ? name.replaceAll(mark, mark + mark) : name) + mark

/** The name of a table or a type, with its schema in the database, quoted. */
export const quotedName = (quote: (name: string) => string, name: Name): string => [name].flat().map(quote).join('.')

/** The name of the table in the statement, unquoted. */
export const nameOfTable = ({ name }: Table, alias: string | undefined): string =>
  alias ?? (typeof name === 'string' ? name : name.at(-1)!)

/** A name of another length than the table has: engines may ignore case and accents, but then it is another name. */
export const otherThan = (root: string, name: string): string => (name.length === root.length ? `${name}_` : name)

function namesOf(dialect: Dialect, root: string): ColumnNames {
  const quote = quoterOf(dialect)
  return {
    dialect,
    quote,
    types: columnTypes(dialect, {}, undefined, quote),
    // It must not hide the row's own name.
    entry: (depth, letter = 'e') => quote(otherThan(root, `${letter}${depth + 1}`)),
  }
}

// --- In advance: from the mapping

function rowOf(names: ColumnNames, owner: Owner, columns: Columns, field: Field | undefined): StoredRow {
  const fields = fieldsIn(field)
  const members = membersOf(names, owner, columns, fields, true)
  for (const [name, definition] of Object.entries(fields ?? {})) {
    if (!members.has(name)) members.set(name, columnOf(names, owner, { name }, definition, isPromised(definition)))
  }
  return { kind: 'row', name: owner.name, members, takesAnyName: field === undefined }
}

/** @param isThere whether every row has the object that they are the members of. */
function membersOf(
  names: ColumnNames,
  owner: Owner,
  columns: Columns,
  fields: Fields = {},
  isThere: boolean,
): Map<string, StoredField> {
  const members = new Map<string, StoredField>()
  for (const [name, stored] of Object.entries(columns)) {
    const field = own(fields, name)
    const isRequired = isThere && field !== undefined && isPromised(field)
    members.set(name, storedFieldOf(names, owner, stored, field, isRequired))
  }
  return members
}

function storedFieldOf(
  names: ColumnNames,
  row: Owner,
  stored: Stored,
  field: Field | undefined,
  isRequired: boolean,
): StoredField {
  const owner = isJoined(stored) ? { ...row, name: row.joinTable! } : row
  switch (stored.kind) {
    case 'column':
      return columnOf(names, owner, stored, field, isRequired)
    case 'json': {
      const column = columnSql(names, owner, stored.name)
      const type = own(stored, 'type')
      const source = type === undefined ? column : names.dialect.json!.sources![type](column)
      const value: JsonValue = { source, isEntry: false, names: [], isKey: false }
      return { kind: 'json', column, value, field, isRequired: isRequired && !owner.mayBeAbsent }
    }
    case 'array': {
      const types = columnTypes(names.dialect, stored, entryIn(field), names.quote)
      return { kind: 'array', column: columnSql(names, owner, stored.name), types, type: own(stored, 'type') }
    }
    case 'child':
      return { kind: 'rows', entries: rowsBeside(names, owner, stored, entryIn(field)) }
    case 'parent': {
      const foreignKey = stored.foreignKey.map((name) => columnSql(names, owner, name))
      const joinedAs = (name: string, isThere: boolean) => joinedRow(names, owner, stored, field, name, isThere)
      const chainAs = (name: string) => chainOf(names, tiesTo(stored, owner.key), owner.name, [name])
      return { kind: 'parent', entries: rowsBeside(names, owner, stored, field), foreignKey, joinedAs, chainAs }
    }
    case 'flattened': {
      const fields = fieldsIn(field)
      const members = membersOf(names, owner, stored.columns, fields, isRequired)
      return { kind: 'object', fields, members, isPromised: field !== undefined && isPromised(field) }
    }
  }
}

/** The rows of another table that refer to a row, or that it refers to. A list of scalars has its entries in a column, `value`. */
function rowsBeside(
  names: ColumnNames,
  row: Owner,
  other: ChildTable | ParentTable,
  field: Field | undefined,
): Entries {
  const [name, joinTable] = [names.entry(row.depth), names.entry(row.depth, 'j')]
  const owner: Owner = { name, key: other.key, depth: row.depth + 1, mayBeAbsent: false, joinTable }
  const ties = tiesTo(other, row.key)
  const chain = chainOf(names, ties, row.name, ties.length === 1 ? [name] : [joinTable, name])
  const value = other.kind === 'parent' ? undefined : own(other, 'value')
  const entry =
    value === undefined
      ? rowOf(names, owner, other.columns, field)
      : { ...columnOf(names, owner, value, field, false), members: membersOf(names, owner, other.columns, {}, false) }
  // A row that `where` leaves out counts as missing, so a foreign key can refer to a missing row.
  const isEnforced = own(other, 'enforced') === true && (other.kind === 'child' || chain.tableConditions.length === 0)
  return { ...chain, isEnforced, entry, exists: undefined }
}

/** Writes the joins from a row to another table. @param aliases one for each table, quoted. */
export function chainOf(
  names: Pick<ColumnNames, 'quote'>,
  ties: ReturnType<typeof tiesTo>,
  row: string,
  aliases: readonly string[],
): Chain {
  const tables = ties.map((tie) => quotedName(names.quote, tie.name))
  const [first, ...others] = ties.map((tie, at) => {
    const { columns, before, where } = tie
    const [name, other] = [aliases[at]!, aliases[at - 1] ?? row]
    const keys = columns.map((column) => columnSql(names, { name }, column))
    const tableConditions = conditionsOfWhere(names, name, where)
    const equal = keys.map((key, one) => sql`${key} = ${columnSql(names, { name: other }, before[one]!)}`)
    const correlation = flat(join([...equal, ...tableConditions.map(({ sql }) => sql)], ' AND '))
    return { from: raw(`${tables[at]} AS ${name}`), correlation, keys: flat(join(keys, ', ')), tableConditions }
  })
  return { tables, ...first!, joins: flat(join(others.map(joinOf), '')) }
}

/** Writes a JOIN, with a space before it. */
export const joinOf = ({ from, correlation = raw('1 = 1') }: Pick<Chain, 'from' | 'correlation'>): Sql =>
  sql` JOIN ${from} ON ${correlation}`

/** A condition of `where` on one column. If `isNullable`, the condition is NULL where the column is NULL. */
interface TableCondition {
  readonly sql: Sql
  readonly column: Sql
  readonly isNullable: boolean
}

/** Writes the conditions of `where`. The values are constants of the text, because a partial index needs them there. */
export const conditionsOfWhere = (
  names: Pick<ColumnNames, 'quote'>,
  name: string,
  where: TableWhere | undefined = {},
): readonly TableCondition[] =>
  Object.entries(where).map(([columnName, value]) => {
    const column = columnSql(names, { name }, columnName)
    const isNullable = typeof value !== 'object'
    if (!isNullable)
      return { sql: sql`${column} ${raw(value === null ? 'IS NULL' : 'IS NOT NULL')}`, column, isNullable }
    // SQLite reads TRUE as a column if a table has a column of that name.
    const constant =
      typeof value === 'string'
        ? stringLiteral(value)
        : raw(value === true ? '(1 = 1)' : value === false ? '(1 = 0)' : String(value))
    return { sql: sql`${column} = ${constant}`, column, isNullable }
  })

function joinedRow(
  names: ColumnNames,
  row: Owner,
  other: ParentTable,
  field: Field | undefined,
  name: string,
  isThere: boolean,
): StoredRow {
  const owner: Owner = { name, key: other.key, depth: row.depth, mayBeAbsent: !isThere }
  return { ...rowOf(names, owner, other.columns, field), present: columnSql(names, owner, other.key[0]!) }
}

const entryIn = (field: Field | undefined): Field | undefined => (field?.type === 'list' ? field.entry : undefined)
const fieldsIn = (field: Field | undefined): Fields | undefined => (field?.type === 'object' ? field.fields : undefined)

const noMembers: StoredColumn['members'] = new Map()

type NamedOwner = Pick<Owner, 'name' | 'mayBeAbsent'>

function columnOf(
  names: ColumnNames,
  owner: NamedOwner,
  stored: Omit<Column, 'kind'>,
  field: Field | undefined,
  isRequired: boolean,
): StoredColumn {
  const { name, type, notNull = false } = ownOf(stored)
  const types = columnTypes(names.dialect, stored, field, names.quote)
  const isNotNull = !owner.mayBeAbsent && (notNull || isRequired)
  return { kind: 'column', column: columnSql(names, owner, name), types, type, isNotNull, members: noMembers }
}

/** A column of a table, by the quoted name of the table in the statement. */
export const columnSql = ({ quote }: Pick<ColumnNames, 'quote'>, owner: Pick<Owner, 'name'>, name: string): Sql =>
  raw(`${owner.name}.${quote(name)}`)

/** Joins nested pieces without parameters to one text. */
const flat = (piece: Sql): Sql => raw(flatten(piece).strings.join(''))

// --- For each filter

function resolve(names: ColumnNames, start: StoredField, path: Path): StoredField | undefined {
  let at: StoredField | undefined = start
  for (let level = 0; level < path.length; level++) {
    if (at.kind === 'json') return jsonMember(names, at, level === 0 ? path : path.slice(level))
    if (!hasMembers(at)) return undefined
    const member: StoredField | undefined = at.members.get(path[level]!)
    if (member === undefined) return at.kind === 'row' && path.length === 1 ? unmapped(names, at, path[0]!) : undefined
    at = member
  }
  return at
}

const hasMembers = (stored: StoredField): stored is StoredField & Members => Object.hasOwn(stored, 'members')

const parentOn: Resolver['parentOn'] = (start, path) => {
  let at: StoredField | undefined = start
  for (let level = 0; level < path.length && at !== undefined && hasMembers(at); level++) {
    at = at.members.get(path[level]!)
    if (at?.kind === 'parent') return { parent: at, length: level + 1 }
  }
  return undefined
}

/** Without a schema, a field that is not mapped counts as a scalar: a column of the same name. */
function unmapped(names: ColumnNames, row: StoredRow, name: string): StoredColumn | undefined {
  if (!row.takesAnyName || hasPlaceholder(names.dialect, name)) return undefined
  const column = columnSql(names, row, name)
  return { kind: 'column', column, types: names.types, type: undefined, isNotNull: false, members: noMembers }
}

function jsonMember(
  { dialect }: ColumnNames,
  { column, value, ...at }: StoredJson,
  path: Path,
): StoredJson | undefined {
  const isOutOfReach = (name: string) => hasPlaceholder(dialect, name) || dialect.json?.isOutOfReach?.(name) === true
  let { field, isRequired } = at
  let { isKey } = value
  for (const name of path) {
    const entry = entryAt(field, name)
    if (entry === undefined && (isKey || isOutOfReach(name))) return undefined
    isKey = entry !== undefined
    field = entry ?? own(fieldsIn(field) ?? {}, name)
    isRequired &&= field !== undefined && isPromised(field)
  }
  const inside: JsonValue = { ...value, names: [...value.names, ...path], isKey }
  return { kind: 'json', column, value: inside, field, isRequired }
}

/** Entries of JSON and of arrays are in no other table. */
const ofRow = {
  tables: [],
  correlation: undefined,
  keys: undefined,
  tableConditions: [],
  isEnforced: false,
  joins: /* @__PURE__ */ raw(''),
}

function entriesOf(names: ColumnNames, list: StoredField, depth: number): Entries | undefined {
  const { json, array } = names.dialect
  if (list.kind === 'rows') return list.entries
  if (list.kind === 'json' && json?.entries !== undefined) {
    const name = raw(names.entry(depth))
    // An entry may be null.
    const [field, isRequired] = [entryIn(list.field), false]
    const entry: StoredJson = {
      kind: 'json',
      column: name,
      value: { source: name, isEntry: true, names: [], isKey: false },
      field,
      isRequired,
    }
    return { ...ofRow, from: json.entries(list.value, name), entry, exists: json.exists }
  }
  if (list.kind === 'array' && array !== undefined) {
    const name = raw(names.entry(depth))
    const { types, type } = list
    const column = flat(array.entry(name))
    const entry: StoredColumn = { kind: 'column', column, types, type, isNotNull: false, members: noMembers }
    return { ...ofRow, from: array.entries(list.column, name), entry, exists: undefined }
  }
  return undefined
}
