/** Where the fields of a filter are stored: a table, its columns, the tables, JSON and arrays that hold lists. */
import type { Feature } from '../backend.ts'
import { checkOptions } from '../../options.ts'
import { checkSchema, type Fields, type Schema } from '../../language/index.ts'
import type { Dialect } from './dialect.ts'

/** A name, or one with the schema (of the database) that it stands in: `['booking', 'orders']`. */
export type Name = string | readonly string[]

export interface Column {
  readonly kind: 'column'
  readonly name: string
  /** One of the dialect's types; its default for the field unless given. */
  readonly type?: string
}
/** A list or an object, as JSON. */
export interface JsonColumn {
  readonly kind: 'json'
  readonly name: string
}
/** A list of scalars, as a native array. */
export interface ArrayColumn {
  readonly kind: 'array'
  readonly name: string
  /** Of the entries. */
  readonly type?: string
}
/** A list whose entries are rows of another table. */
export interface ChildTable {
  readonly kind: 'child'
  readonly name: Name
  readonly key: readonly string[]
  readonly foreignKey: readonly string[]
  readonly columns: Columns
  /** The column of the entry itself, in a list of scalars. */
  readonly value?: Column
}
/** An object, spread over columns. */
export interface Flattened {
  readonly kind: 'flattened'
  readonly columns: Columns
}
export type Stored = Column | JsonColumn | ArrayColumn | ChildTable | Flattened
export interface Columns {
  readonly [field: string]: Stored
}
/** What callers write: a name is a column, a plain object the columns of an object's fields. */
export interface ColumnOptions {
  readonly [field: string]: string | Stored | ColumnOptions
}

/** Where rows are; made by {@link table}. */
export interface Table {
  readonly name: Name
  readonly key: readonly string[]
  readonly columns: Columns
  readonly schema?: Schema
}

/**
 * A column whose type is not the dialect's default for its field.
 *
 * @throws TypeError that names the argument or the option which cannot be.
 * @example column('price', { type: 'numeric' })
 */
export function column(name: string, options: { readonly type?: string } = {}): Column {
  checkOptions(options, 'options', ['type'])
  const { type } = options
  return stored({ kind: 'column', name: checkName(name, 'name'), ...(type !== undefined && { type }) })
}

/** A list, an object or a scalar that a column holds as JSON. Datetimes in it are canonical UTC text. */
export function jsonColumn(name: string): JsonColumn {
  return stored({ kind: 'json', name: checkName(name, 'name') })
}

/**
 * A list of scalars that a column holds as a native array; `type` is that of the entries.
 *
 * @throws TypeError that names the argument or the option which cannot be.
 */
export function arrayColumn(name: string, options: { readonly type?: string } = {}): ArrayColumn {
  checkOptions(options, 'options', ['type'])
  const { type } = options
  return stored({ kind: 'array', name: checkName(name, 'name'), ...(type !== undefined && { type }) })
}

export interface ChildTableOptions {
  /** The columns that hold the key of the row that the entries belong to, in the order of its `key`. */
  readonly foreignKey: string | readonly string[]
  /** The entries' own key, for lists inside them. */
  readonly key?: string | readonly string[]
  readonly columns?: ColumnOptions
  /** The column that holds the entry, in a list of scalars. */
  readonly value?: string | Column
}

/**
 * A list whose entries are rows of a table: a list of objects, or with `value` one of scalars. Each row is an entry,
 * whatever its columns hold.
 *
 * @throws TypeError that names the argument or the option which cannot be.
 */
export function childTable(name: Name, options: ChildTableOptions): ChildTable {
  checkOptions(options, 'options', ['foreignKey', 'key', 'columns', 'value'])
  const { foreignKey, key, columns = {}, value } = options
  return stored({
    kind: 'child',
    name: checkQualified(name),
    key: keyOf(key, 'key'),
    foreignKey: keyOf(foreignKey, 'foreignKey'),
    columns: columnsOf(columns, 'columns'),
    ...(value !== undefined && { value: valueColumn(value) }),
  })
}

function valueColumn(value: string | Column): Column {
  if (typeof value === 'string') return column(value)
  if (!made.has(value) || value.kind !== 'column') throw new TypeError('value must be a name or made by column()')
  return value
}

export interface TableOptions {
  /** Checks the mapping when the backend is made, and says which fields an object has. */
  readonly schema?: Schema
  /** The columns that child tables refer to. */
  readonly key?: string | readonly string[]
  /** By field. A scalar field that is not here is a column of its own name. */
  readonly columns?: ColumnOptions
}

/**
 * Says where the rows of a resource are.
 *
 * @throws TypeError that names the part which cannot be.
 * @example
 * const orders = table('orders', {
 *   key: 'id',
 *   columns: { customerName: 'customer_name', items: childTable('order_items', { foreignKey: 'order_id' }) },
 * })
 */
export function table(name: Name, options: TableOptions = {}): Table {
  checkOptions(options, 'options', ['schema', 'key', 'columns'])
  const { schema, key, columns = {} } = options
  if (schema !== undefined) checkSchema(schema)
  const own: Table = {
    name: checkQualified(name),
    key: keyOf(key, 'key'),
    columns: columnsOf(columns, 'columns'),
    ...(schema !== undefined && { schema }),
  }
  checkKeys(own, '')
  if (schema !== undefined) checkFields(schema.fields, own.columns, '')
  made.add(own)
  return Object.freeze(own)
}

function checkName(name: unknown, argument: string): string {
  if (typeof name !== 'string' || name === '' || name.includes('\0') || !name.isWellFormed()) {
    throw new TypeError(`${argument} must be a text that is not empty`)
  }
  return name
}

function checkQualified(name: Name): Name {
  const names = typeof name === 'string' ? [name] : name
  if (!Array.isArray(names) || names.length === 0) throw new TypeError('name must be a name or a list of names')
  for (const part of names as readonly unknown[]) checkName(part, 'name')
  return typeof name === 'string' ? name : Object.freeze([...name])
}

function keyOf(key: string | readonly string[] | undefined, argument: string): readonly string[] {
  const names = key === undefined ? [] : typeof key === 'string' ? [key] : key
  if (!Array.isArray(names)) throw new TypeError(`${argument} must be a name or a list of names`)
  for (const name of names as readonly unknown[]) checkName(name, argument)
  return Object.freeze([...(names as readonly string[])])
}

/** What the functions of this file made: an object may have a field called `kind` that is stored in `column`. */
const made = new WeakSet<object>()
function stored<S extends Stored>(place: S): S {
  made.add(place)
  return Object.freeze(place)
}

function columnsOf(options: ColumnOptions, where: string): Columns {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw new TypeError(`${where} must be an object`)
  }
  const columns = Object.entries(options).map(([field, option]): [string, Stored] => {
    if (typeof option === 'string') return [field, column(option)]
    if (typeof option === 'object' && option !== null && made.has(option)) return [field, option as Stored]
    return [field, stored({ kind: 'flattened', columns: columnsOf(option as ColumnOptions, `${where}.${field}`) })]
  })
  // No prototype: a field may be called `constructor`.
  return Object.freeze(Object.assign(Object.create(null) as object, Object.fromEntries(columns)))
}

/** Each child table refers to the key of what it belongs to, column by column. */
function checkKeys({ key, columns }: { readonly key: readonly string[]; readonly columns: Columns }, at: string): void {
  for (const [field, stored] of Object.entries(columns)) {
    const name = at + field
    if (stored.kind === 'flattened') checkKeys({ key, columns: stored.columns }, `${name}.`)
    if (stored.kind !== 'child') continue
    if (key.length !== stored.foreignKey.length || key.length === 0) {
      const both = `${stored.foreignKey.length} columns, the key that it refers to ${key.length}`
      throw new TypeError(`columns.${name}.foreignKey has ${both}`)
    }
    checkKeys(stored, `${name}.`)
  }
}

/** Whether each field of a schema has a place that can hold it. */
function checkFields(fields: Fields, columns: Columns, at: string): void {
  for (const [field, definition] of Object.entries(fields)) {
    const stored = columns[field]
    const name = at + field
    if (stored?.kind === 'json') continue
    const fits = (expected: readonly (Stored['kind'] | undefined)[], how: string): void => {
      if (!expected.includes(stored?.kind)) throw new TypeError(`columns.${name}: ${how}`)
    }
    if (definition.type === 'object') {
      fits(['flattened'], 'an object is a jsonColumn, or its fields are columns')
      checkFields(definition.fields, (stored as Flattened).columns, `${name}.`)
    } else if (definition.type !== 'list') {
      fits([undefined, 'column'], `a ${definition.type} is a column, or JSON in a jsonColumn`)
    } else if (definition.entry.type === 'object') {
      fits(['child'], 'a list of objects is a childTable or a jsonColumn')
      checkFields(definition.entry.fields, (stored as ChildTable).columns, `${name}.`)
    } else {
      fits(['child', 'array'], 'a list is a childTable, a jsonColumn or an arrayColumn')
      if (stored!.kind === 'child' && stored!.value === undefined) {
        throw new TypeError(`columns.${name}: a childTable of scalars has a value, the column that holds the entry`)
      }
    }
  }
  for (const field of Object.keys(columns)) {
    if (!Object.hasOwn(fields, field)) throw new TypeError(`columns.${at}${field}: the schema has no such field`)
  }
}

/** Whether an object is spread over columns, in the table or in one of its child tables. */
const hasFlattened = (columns: Columns): boolean =>
  Object.values(columns).some(
    (stored) => stored.kind === 'flattened' || (stored.kind === 'child' && hasFlattened(stored.columns)),
  )

/** The features of a mapping. Only JSON keeps other forms. An object over columns cannot be empty. */
export function featuresOf({ key, columns, schema }: Table, unicode: boolean): Feature[] {
  // Fields that nothing names are columns too; without a schema they are not known.
  const inJson = Object.keys(schema?.fields ?? {}).filter((field) => !key.includes(field))
  const features: Feature[] = unicode ? ['unicode-case'] : []
  if (inJson.length > 0 && inJson.every((field) => columns[field]?.kind === 'json'))
    features.push('other-forms', 'misplaced-lists')
  if (!hasFlattened(columns)) features.push('empty-objects')
  return features
}

/** Names and types that the dialect cannot have. */
export function checkMapping(dialect: Dialect, table: Table, alias: string | undefined): void {
  checkDialect(dialect)
  if (!made.has(table)) throw new TypeError('table must be made by table()')
  if (alias !== undefined) checkName(alias, 'alias')
  const check = (name: string): void => {
    if (hasPlaceholder(dialect, name))
      throw new TypeError(`the name ${JSON.stringify(name)} has a ?, which is a placeholder in ${dialect.name}`)
  }
  const checkType = (field: string, type: string | undefined): void => {
    if (type === undefined || Object.hasOwn(dialect.types, type)) return
    throw new TypeError(
      `columns.${field}: ${dialect.name} has no type ${type}; it has ${Object.keys(dialect.types).join(', ')}`,
    )
  }
  const visit = (columns: Columns, at: string): void => {
    for (const [field, stored] of Object.entries(columns)) {
      const where = at + field
      if (stored.kind === 'flattened') {
        visit(stored.columns, `${where}.`)
        continue
      }
      ;[stored.name].flat().forEach(check)
      if (stored.kind === 'child') {
        ;[...stored.key, ...stored.foreignKey].forEach(check)
        if (stored.value !== undefined) {
          check(stored.value.name)
          checkType(where, stored.value.type)
        }
        visit(stored.columns, `${where}.`)
      } else if (stored.kind === 'json') {
        if (dialect.json === undefined) throw new TypeError(`columns.${where}: ${dialect.name} has no JSON`)
      } else {
        checkType(where, stored.type)
        if (stored.kind === 'array' && dialect.array === undefined) {
          throw new TypeError(`columns.${where}: ${dialect.name} has no arrays; lists are JSON or child tables`)
        }
      }
    }
  }
  /** Fields that no column is named for: they are columns of their own name, or members of JSON. */
  const visitNames = (fields: Fields, columns: Columns | undefined, at: string): void => {
    for (const [name, definition] of Object.entries(fields)) {
      const stored = columns?.[name]
      if (stored === undefined) check(name)
      if (columns === undefined && dialect.json?.isOutOfReach?.(name) === true) {
        throw new TypeError(`the name ${JSON.stringify(name)} is one that ${dialect.name} cannot say in JSON`)
      }
      const inner = definition.type === 'list' ? definition.entry : definition
      if (inner.type !== 'object') {
        const column: Partial<Column> | undefined =
          stored?.kind === 'child' ? stored.value : (stored as Column | undefined)
        const type = column?.type
        const literal = inner.type === 'enumeration' ? 'string' : inner.type
        if (type === undefined || dialect.types[type]!.holds.includes(literal)) continue
        throw new TypeError(`columns.${at}${name}: ${type} holds no ${literal}`)
      }
      const inside = stored?.kind === 'child' || stored?.kind === 'flattened' ? stored.columns : undefined
      visitNames(inner.fields, inside, `${at}${name}.`)
    }
  }
  ;[...(alias === undefined ? [] : [alias]), ...[table.name].flat(), ...table.key].forEach(check)
  visit(table.columns, '')
  if (table.schema !== undefined) visitNames(table.schema.fields, table.columns, '')
}

/** Drivers count every `?` of a statement, those in names and in JSON paths too. */
export function hasPlaceholder(dialect: Dialect, name: string): boolean {
  return name.includes('?') && dialect.placeholder(1) === '?'
}

/** A dialect that somebody put together may miss a part. */
function checkDialect(dialect: Dialect): void {
  if (typeof dialect?.placeholder !== 'function') throw new TypeError('dialect must be one, such as postgres')
  const { columnTypes, json, needsListed = false, types, unlowered } = dialect
  for (const name of ['text', ...Object.values(columnTypes), ...Object.values(json?.types ?? {})]) {
    if (!Object.hasOwn(types, name)) throw new TypeError(`dialect.types has no ${name}, which the dialect goes by`)
  }
  for (const [name, { isText, listed }] of Object.entries(types)) {
    if (!needsListed || isText === true || (typeof listed === 'string' && listed !== '')) continue
    throw new TypeError(`dialect.types.${name} must have listed, the type that JSON_TABLE reads it as`)
  }
  for (const { flags } of Object.values(unlowered)) {
    // Such an expression remembers where it was.
    if (/[gy]/.test(flags) || !/[uv]/.test(flags)) {
      throw new TypeError('dialect.unlowered must have expressions with the flag u, and without g and y')
    }
  }
}
