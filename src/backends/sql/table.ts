/** Makes mappings: `table`, and the columns, rows and documents that it maps fields to. */
import { checkSchema, listOf } from '../../language/index.ts'
import type { Field, Fields, PathTo, ScalarType, Schema } from '../../language/index.ts'
import { checkOptions } from '../../options.ts'
import { own, ownOf } from '../../own.ts'
import { checkForms, checkKeys, checkName, checkOrdered } from './check-mapping.ts'
import {
  columnsIn,
  type ArrayColumn,
  type ChildTable,
  type Column,
  type ColumnOptions,
  type ColumnType,
  type Columns,
  type JsonColumn,
  type Name,
  type ParentTable,
  type TableWhere,
  type Stored,
  type Table,
} from './mapping.ts'

/** The names of columns; of those that are not known to the compiler, none. */
type NamesOf<C> = string extends keyof C ? never : Exclude<keyof C, symbol>

/** The options of a column, or of the entries of an array, for their type. */
interface TypeOf<Own extends string> {
  readonly type?: ColumnType | NoInfer<Own>
  readonly digits?: number
  readonly name?: Name
}

/**
 * Maps a scalar to a column with another type than the dialect's default, or with `NOT NULL`. Any other column needs only its name.
 *
 * @param name the name of the column.
 * @param options `type`: a type of the dialect, for example `'uuid'`, `'numeric'` or `'epochMs'`. For a type of a custom dialect, pass
 *   its name as type argument: `column<'hugeint'>('n', { type: 'hugeint' })`. `notNull`: whether the column is declared `NOT NULL`: an ordinary index then
 *   serves pages in its order. A required field does not need it. `digits`: the digits after the point, for types that depend on them: of
 *   a `scaled` decimal, and 0, 3 or 6 of datetimes. `name`: the name of a native enumeration, for the type `enum`, alone or with its schema
 *   in the database. `invalid`: `'null'` reads a value as NULL if the type cannot read the value. NaN, 2 for a boolean and `x` for a moment
 *   are such values. A condition on such a column reads all rows, because an index on the column does not contain the expression.
 * @throws TypeError that names the wrong argument or option. `sqlBackend` throws one for an option that the type does not allow.
 * @example column('price', { type: 'scaled', digits: 2 })
 */
export function column<Own extends string = never>(
  name: string,
  options: TypeOf<Own> & { readonly notNull?: boolean; readonly invalid?: 'null' } = {},
): Column {
  const { notNull = false, invalid, ...checked } = checkOptions(options, 'options', columnOptions)
  if (typeof notNull !== 'boolean') throw new TypeError('options.notNull must be a boolean')
  if (invalid !== undefined && invalid !== 'null') throw new TypeError("options.invalid must be 'null', or absent")
  if (notNull && invalid !== undefined) throw new TypeError('options must not have notNull and invalid')
  const made = { kind: 'column', name: checkName(name, 'name'), ...typeOf(checked) } as const
  return mark({ ...made, ...(notNull && { notNull }), ...(invalid && { invalid }) })
}

const columnOptions = ['type', 'notNull', 'digits', 'name', 'invalid']

function typeOf(options: TypeOf<string>): Pick<Column, 'type' | 'digits' | 'typeName'> {
  const { type, digits, name } = ownOf(options)
  if (digits !== undefined && !(Number.isSafeInteger(digits) && digits >= 0)) {
    throw new TypeError('options.digits must be a whole number from 0')
  }
  return {
    ...(type !== undefined && { type }),
    ...(digits !== undefined && { digits }),
    ...(name !== undefined && { typeName: nameOf(name, 'options.name') }),
  }
}

/**
 * Maps a list, an object or a scalar to a column with JSON. Datetimes inside are canonical UTC text.
 *
 * @param options `type`: `'json'` for a column of PostgreSQL's type `json`. The statement casts it to `jsonb`. The cast of a text with
 *   `\u0000` is an error of the database, so `ALTER TABLE … TYPE jsonb` is better.
 * @throws TypeError that names the wrong argument or option.
 * @example table('orders', { columns: { tags: jsonColumn('tags') } })
 */
export function jsonColumn(name: string, options: { readonly type?: 'json' } = {}): JsonColumn {
  const { type } = checkOptions(options, 'options', ['type'])
  if (type !== undefined && type !== 'json') throw new TypeError("options.type must be 'json', or absent")
  return mark({ kind: 'json', name: checkName(name, 'name'), ...(type && { type }) })
}

/**
 * Maps a list of scalars to a column with a native array (PostgreSQL).
 *
 * @param options `type`, `digits` and `name` of the entries: see {@link column}.
 * @throws TypeError that names the wrong argument or option.
 * @example table('orders', { columns: { tags: arrayColumn('tags') } })
 */
export function arrayColumn<Own extends string = never>(name: string, options: TypeOf<Own> = {}): ArrayColumn {
  const checked = checkOptions(options, 'options', ['type', 'digits', 'name'])
  return mark({ kind: 'array', name: checkName(name, 'name'), ...typeOf(checked) })
}

/**
 * The arguments of an overload that nothing calls. The compiler infers a call that may give a function after its neighbours:
 * `table` knows the fields of `schema` by then, and an editor completes the `columns` of other tables.
 *
 * @see https://github.com/microsoft/TypeScript/pull/30215
 */
type Deferred = [never, never, never]

/**
 * The columns of a foreign key, in the order of the key that they refer to.
 *
 * `enforced: true` promises that a row refers to no missing row: each row whose columns are not NULL has its other row, and the statement
 * may read that row (row-level security hides none). A foreign key of the database keeps this promise, if it is not deferrable; on
 * SQLite it needs `PRAGMA foreign_keys = ON`. Statements then read fewer rows. `check` compares the promise with the database.
 *
 * @example childTable('order_items', { foreignKey: { columns: 'order_id', enforced: true } })
 */
export type ForeignKey =
  string | readonly string[] | { readonly columns: string | readonly string[]; readonly enforced?: true }

/** Options of {@link childTable}: `foreignKey`, or `through`. */
export type ChildTableOptions<C = ColumnOptions> = EntryOptions<C> & (OneToMany | ManyToMany)

/** The table of the entries refers to the rows. */
interface OneToMany {
  /** The columns that refer to the `key` of an entry's row, in the order of that `key`, and whether the database enforces this. */
  readonly foreignKey: ForeignKey
  readonly through?: never
  readonly joinColumns?: never
}

/** A join table refers to the rows and to the entries. */
interface ManyToMany {
  /**
   * The join table of a many-to-many relation. Each of its rows that finds its entry is an entry of the list. `foreignKey` has its columns
   * that refer to the `key` of the row, and `otherKey` those that refer to the option `key`. `where` selects its rows: see {@link table}.
   */
  readonly through: {
    readonly table: Name
    readonly foreignKey: ForeignKey
    readonly otherKey: string | readonly string[]
    readonly where?: TableWhere
  }
  readonly foreignKey?: never
  /** Fields of an entry that are columns of the join table. */
  readonly joinColumns?: Readonly<Record<string, string | Column | JsonColumn | ArrayColumn>>
}

interface EntryOptions<C> {
  /** The key of the entries, for `through`, and for child tables inside this one. */
  readonly key?: string | readonly string[]
  /** How the fields of an entry are stored. A scalar field that is absent here is a column of the same name. */
  readonly columns?: C
  /** In a list of scalars: the column with the entry. */
  readonly value?: string | Column
  /** The columns that order the entries of a list, ascending, for `select`. Default: the `key`. */
  readonly orderBy?: string | readonly string[]
  /** Selects the entries of the list: see `where` of {@link table}. */
  readonly where?: TableWhere
}

/**
 * Maps a list to the rows of another table: a list of objects, or with `value` a list of scalars. Each row is an entry, even if all of
 * its columns are NULL.
 *
 * @throws TypeError that names the wrong argument or option.
 * @example childTable('order_items', { foreignKey: 'order_id', columns: { product: 'product_code' } })
 * @example
 * childTable('labels', {
 *   key: 'id',
 *   through: { table: 'ticket_labels', foreignKey: 'ticket_id', otherKey: 'label_id' },
 *   joinColumns: { since: 'created_at' },
 * })
 */
export function childTable<const C extends ColumnOptions = {}>(
  name: Name,
  options: ChildTableOptions<C>,
): ChildTable<NamesOf<C>, C>
/** Nothing calls it: {@link Deferred}. @hidden */
export function childTable<C>(...nothing: Deferred): () => C
export function childTable(name: Name, options: ChildTableOptions): object {
  const names = ['foreignKey', 'through', 'joinColumns', 'key', 'columns', 'value', 'orderBy', 'where']
  const {
    foreignKey,
    through,
    joinColumns = {},
    key,
    columns = {},
    value,
    orderBy,
    where,
  } = checkOptions(options, 'options', names)
  const parts = partsOf(name, key, columns, where)
  const joined = Object.entries(columnsOf(joinColumns, 'joinColumns')).map(([field, stored]): [string, Stored] => {
    if (through === undefined || own(parts.columns, field) !== undefined || columnsIn(stored) !== undefined)
      throw new TypeError(`joinColumns.${field} must be a column of through that columns lacks`)
    return [field, mark({ ...stored, isJoined: true })]
  })
  if (through !== undefined && foreignKey !== undefined) throw new TypeError('foreignKey is an option of through')
  return mark({
    kind: 'child',
    ...parts,
    columns: columnsByName([...Object.entries(parts.columns), ...joined]),
    ...(through === undefined ? foreignKeyOf(foreignKey!) : throughOf(through)),
    ...(value !== undefined && { value: columnFor(value, 'value') }),
    ...(orderBy !== undefined && { orderBy: keyOf(orderBy, 'orderBy') }),
  })
}

/** Options of {@link parentTable}. */
export interface ParentTableOptions<C = ColumnOptions> {
  /**
   * The columns of the other table that `foreignKey` refers to. Together they must be unique: `select` joins the table, and a second
   * match would duplicate the row of this table.
   */
  readonly key: string | readonly string[]
  /** The columns of this table that refer to `key`, in its order, and whether the database enforces this. */
  readonly foreignKey: ForeignKey
  /** How the fields of the object are stored. A scalar field that is absent here is a column of the same name. */
  readonly columns?: C
  /** Selects the rows that are an object: see `where` of {@link table}. A row that it does not select counts as missing. */
  readonly where?: TableWhere
}

/**
 * Maps an object to the row of another table that this row refers to. The object exists if that row exists. Objects and lists inside it
 * may be in further tables.
 *
 * @throws TypeError that names the wrong argument or option.
 * @example parentTable('customers', { key: 'id', foreignKey: 'customer_id', columns: { name: 'full_name' } })
 */
export function parentTable<const C extends ColumnOptions = {}>(
  name: Name,
  options: ParentTableOptions<C>,
): ParentTable<NamesOf<C>, C>
/** Nothing calls it: {@link Deferred}. @hidden */
export function parentTable<C>(...nothing: Deferred): () => C
export function parentTable(name: Name, options: ParentTableOptions): object {
  const names = ['key', 'foreignKey', 'columns', 'where']
  const { key, foreignKey, columns = {}, where } = checkOptions(options, 'options', names)
  return mark({ kind: 'parent', ...partsOf(name, key, columns, where), ...foreignKeyOf(foreignKey) })
}

function throughOf(through: ManyToMany['through']): Pick<ChildTable, 'foreignKey' | 'enforced' | 'through'> {
  const checked = checkOptions(through, 'through', ['table', 'foreignKey', 'otherKey', 'where'])
  const { table: name, foreignKey, otherKey, where } = checked
  const join = { name: nameOf(name, 'through.table'), otherKey: keyOf(otherKey, 'through.otherKey') }
  return {
    ...foreignKeyOf(foreignKey),
    through: Object.freeze({ ...join, ...(where !== undefined && { where: checkedWhere(where) }) }),
  }
}

function foreignKeyOf(option: ForeignKey): Pick<ParentTable, 'foreignKey' | 'enforced'> {
  const isName = typeof option !== 'object' || option === null || Array.isArray(option)
  const { columns, enforced } = isName
    ? { columns: option as string | readonly string[], enforced: undefined }
    : checkOptions(option as Exclude<ForeignKey, string | readonly string[]>, 'foreignKey', ['columns', 'enforced'])
  if (enforced !== undefined && enforced !== true) throw new TypeError('foreignKey.enforced must be true, or absent')
  return { foreignKey: keyOf(columns, isName ? 'foreignKey' : 'foreignKey.columns'), ...(enforced && { enforced }) }
}

function columnFor(value: string | Column, argument: string): Column {
  if (typeof value === 'string') return column(value)
  if (!isMade(value) || value.kind !== 'column') throw new TypeError(`${argument} must be a name or made by column()`)
  return value
}

/**
 * Checks the columns that are read beside the fields of a schema.
 *
 * @throws TypeError that names the one which is no column, or has the name of a field.
 */
export function columnsBeside(
  columns: Readonly<Record<string, string | Column>>,
  schema: Schema | undefined,
): Readonly<Record<string, Column>> {
  if (typeof columns !== 'object' || columns === null || Array.isArray(columns)) {
    throw new TypeError('options.columns must be an object of columns by name')
  }
  return Object.fromEntries(
    Object.entries(columns).map(([name, value]) => {
      const argument = `options.columns.${name}`
      if (schema !== undefined && Object.hasOwn(schema.fields, name)) {
        throw new TypeError(`${argument} has the name of a field: a row has one value of each name`)
      }
      return [name, columnFor(value, argument)]
    }),
  )
}

/** Options of {@link table}. */
export interface TableOptions<F extends Fields = Fields> {
  /** The fields that filters may name. `table` checks the mapping with it, and `compile` each filter. */
  readonly schema?: Schema<F>
  /** The columns that the foreign keys of child tables refer to. */
  readonly key?: string | readonly string[]
  /** How the fields are stored. A scalar field that is absent here is a column of the same name, or of that which `naming` makes. */
  readonly columns?: ColumnOptions<NoInfer<F>>
  /**
   * `'snake_case'`: the columns that `columns` does not name have the names of their fields in snake case, in parent and child tables too:
   * `customerName` is `customer_name`, and `vatID` is `vat_id`. It needs `schema`. Names of tables, keys and foreign keys stay.
   */
  readonly naming?: 'snake_case'
  /**
   * Orders that indexes of the table have. Each is at least two paths of fields, `-` before a descending one; the `key` of the collection
   * follows by itself. An index begins with the columns of these fields, in this order. A filter by a few values of the first field,
   * `seller[in]=a,b` or an `or` of them, in the order of the rest then reads one window of the index for each value. Without the index,
   * such a statement can read more rows.
   *
   * @example table('orders', { key: 'id', orders: [['seller', '-createdAt']] })
   */
  readonly orders?: readonly OrderPaths<NoInfer<F>>[]
  /**
   * Selects the rows that every statement reads, for example those that are not deleted: `{ deleted_at: null, entity_type: 'post' }`. No
   * query can read another row. The columns have the names of the database. `null` selects NULL. `{ not: null }` selects every value. The
   * database compares every other value by `=`: SQLite and MySQL store a boolean as 0 or 1.
   */
  readonly where?: TableWhere
}

/** The paths of an order: scalars outside lists, with `-` before a descending one. */
export type OrderPaths<F extends Fields = Fields> = readonly `${'' | '-'}${PathTo<F, ScalarType>}`[]

/**
 * Maps the fields of a schema to a table. With the option `schema`, `table` checks the mapping, and `compile` checks each filter. Pass it
 * unless all filters come from `parseFilter`, `parseQuery` or `where`.
 *
 * @throws TypeError that names the wrong argument, option or column.
 * @example
 * const orderTable = table('orders', {
 *   schema: orders,
 *   key: 'id',
 *   columns: { paidAt: 'paid_at', tags: jsonColumn('tags'), items: childTable('order_items', { foreignKey: 'order_id' }) },
 * })
 */
export function table<F extends Fields>(name: Name, options: TableOptions<F> = {}): Table<F> {
  const names = ['schema', 'key', 'columns', 'naming', 'orders', 'where']
  const { schema, key, columns = {}, naming, orders, where } = checkOptions(options, 'options', names)
  if (schema !== undefined) checkSchema(schema)
  if (naming !== undefined && naming !== 'snake_case') throw new TypeError("options.naming must be 'snake_case'")
  if (naming !== undefined && schema === undefined) throw new TypeError('options.naming needs options.schema')
  const parts = { ...partsOf(name, key, columns, where), ...(schema !== undefined && { schema }) }
  checkKeys(parts, '')
  if (schema !== undefined) checkForms(schema.fields, parts.columns, '')
  const mapped = naming === undefined ? parts : { ...parts, columns: inSnakeCase(schema!.fields, parts.columns) }
  return mark({ ...mapped, orders: ordersOf(mapped.columns, schema, orders) })
}

/** The columns of a table, with those that the mapping does not name: in snake case, in other tables too. */
function inSnakeCase(fields: Fields, columns: Columns): Columns {
  const all = Object.entries(fields).map(([name, field]): [string, Stored] => {
    // The forms are checked: each field that is not mapped is a scalar.
    const stored = own(columns, name) ?? column(snakeCaseOf(name))
    const inside = fieldsOf(field.type === 'list' ? field.entry : field)
    const inner = columnsIn(stored)
    if (inside === undefined || inner === undefined) return [name, stored]
    // An object over columns names each of its own.
    return [name, mark({ ...stored, columns: inSnakeCase(inside, inner) } as Stored)]
  })
  return columnsByName(all)
}

const fieldsOf = (field: Field): Fields | undefined => (field.type === 'object' ? field.fields : undefined)

/** The words of a name: `vatID2` has `vat`, `ID` and `2` after it, `HTTPServer` has `HTTP` and `Server`. */
const snakeCaseOf = (name: string): string =>
  name
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1_$2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1_$2')
    .toLowerCase()

function ordersOf(columns: Columns, schema: Schema | undefined, orders: unknown = []): Table['orders'] {
  if (!Array.isArray(orders)) throw new TypeError('options.orders must be a list of orders')
  return Object.freeze(
    orders.map((order: unknown, at) => {
      const argument = `options.orders[${at}]`
      const texts = listOf(order, argument, 'a list of paths, - before a descending one')
      if (texts.length < 2) throw new TypeError(`${argument} must have two fields or more`)
      const names = texts.map((text) => (text.startsWith('-') ? text.slice(1) : text))
      for (const name of listOf(names, argument)) checkOrdered(columns, schema, name, argument)
      return Object.freeze(
        names.map((name, index) => {
          const direction = name === texts[index] ? 'ascending' : 'descending'
          return Object.freeze({ path: Object.freeze(name.split('.')), direction })
        }),
      )
    }),
  )
}

/** The members of every table. */
const partsOf = (
  name: Name,
  key: Name | undefined,
  columns: object,
  where: unknown,
): Pick<Table, 'name' | 'key' | 'columns' | 'where'> => ({
  name: nameOf(name, 'name'),
  key: keyOf(key, 'key'),
  columns: columnsOf(columns, 'columns'),
  ...(where !== undefined && { where: checkedWhere(where as TableWhere) }),
})

/** @returns a frozen copy with own properties only. @throws TypeError that names the column with a wrong value. */
function checkedWhere(where: TableWhere): TableWhere {
  const entries = typeof where === 'object' && where !== null ? Object.entries(where) : []
  if (entries.length === 0 || Array.isArray(where)) throw new TypeError('where must be an object with a column or more')
  const isRight = (value: unknown): boolean => {
    if (typeof value === 'object' && value !== null)
      return Object.keys(value).join() === 'not' && (value as { readonly not: unknown }).not === null
    // An engine may read a backslash as the start of an escape.
    if (typeof value === 'string') return value.isWellFormed() && !/[\0\\]/.test(value)
    return value === null || typeof value === 'boolean' || Number.isFinite(value)
  }
  for (const [name, value] of entries) {
    checkName(name, 'a column of where')
    if (!isRight(value))
      throw new TypeError(
        `where.${name} must be a text without a backslash, a number, a boolean, null or { not: null }`,
      )
  }
  return Object.freeze(Object.assign(Object.create(null) as object, Object.fromEntries(entries)))
}

const nameOf = (name: Name, argument: string): Name =>
  typeof name === 'string' ? checkName(name, argument) : namesOf(name, argument, 1)

const keyOf = (key: Name = [], argument: string): readonly string[] =>
  namesOf(typeof key === 'string' ? [key] : key, argument, 0)

function namesOf(names: readonly string[], argument: string, least: number): readonly string[] {
  if (!Array.isArray(names) || names.length < least)
    throw new TypeError(`${argument} must be a name or a list of names`)
  for (const name of names as readonly unknown[]) checkName(name, argument)
  return Object.freeze([...names])
}

/** Marks the objects that these functions made: an object of the schema may look like one, with a field `kind`. */
// A registered symbol lets the ESM and the CommonJS build share the set.
const shared = Symbol.for('urlwhere.tables')
const marks = /* @__PURE__ */ (() => ((globalThis as { [shared]?: WeakSet<object> })[shared] ??= new WeakSet()))()
const isMade = (value: object): boolean => marks.has(value)
function mark<T extends object>(value: T): T {
  marks.add(value)
  return Object.freeze(value)
}

/** @throws TypeError when the value was not made by {@link table}. */
export function checkTable(value: Table): void {
  if (!isMade(value)) throw new TypeError('options.table must be made by table()')
}

function columnsOf(options: object, where: string): Columns {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw new TypeError(`${where} must be an object`)
  }
  const columns = Object.entries(options).map(([field, option]): [string, Stored] => {
    if (typeof option === 'string') return [field, column(option)]
    if (isMade(option as object)) return [field, option as Stored]
    return [field, mark({ kind: 'flattened', columns: columnsOf(option as object, `${where}.${field}`) })]
  })
  return columnsByName(columns)
}

/** No prototype: a field may be called `constructor`. */
const columnsByName = (columns: readonly (readonly [string, Stored])[]): Columns =>
  Object.freeze(Object.assign(Object.create(null) as object, Object.fromEntries(columns)))
