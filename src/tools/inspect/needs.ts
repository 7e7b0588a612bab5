/** Lists the needs of the queries of a collection: the foreign keys of lists, orders, and conditions. */
import { isLiteralType, joined, unchecked, type Literal, type LiteralType } from '../../tree/index.ts'
import { listsAround, operatorsFor, scansOf, type OperatorRow, type ResolvedField } from '../../language/index.ts'
import { sortKeyOf, totalOrder, type SortKey } from '../../query/index.ts'
import { sqlBackend, type SqlBackend } from '../../backends/sql/index.ts'
import { own } from '../../own.ts'
import type { ColumnFacts, Database, Engine, TableFacts } from './database.ts'
import { columnNamed, nameOf, quotedBy, tableNamed } from './names.ts'
import { groupBy } from './run.ts'
import { comparedIn, orderedIn, type Compared, type Sought } from './sought.ts'
import { predicatesOf, usesOf, type Mapped, type TableUse, type Uses } from './uses.ts'

/** An entry that an index must have. */
export interface Key {
  /** SQL, without the name of the table. */
  readonly expression: string
  /** The column, if the expression is one. */
  readonly column: ColumnFacts | undefined
  /** The collation that the statement names. */
  readonly collation: string | undefined
  readonly descending: boolean
  readonly nullsFirst: boolean
}

/** What an index must be able to do. */
export interface Need {
  readonly table: TableFacts
  /** The part of a query, in words. */
  readonly serves: string
  /**
   * `order`: return rows in an order. `lookup`: find rows by values or ranges. `entries`: find lists by their entries. `parts`: find texts
   * by their parts.
   */
  readonly kind: 'order' | 'lookup' | 'entries' | 'parts'
  readonly keys: readonly Key[]
  /** The columns of the restriction. An index may begin with them. */
  readonly restriction: readonly Key[]
  /** The conditions of the option `where` of the table, which each statement has. */
  readonly where: readonly string[]
  /** The type of the values. It is `undefined` for a foreign key and for an order. */
  readonly literal?: LiteralType
  /** About how many rows a page reads without an index. */
  readonly reads: number
  /** Of an order: about how many rows a page reads in an index of the order without the restriction. */
  readonly readsInOrder?: number
  /** Why no index serves it. */
  readonly never?: string
}

interface Scope extends Mapped, Pick<Need, 'restriction' | 'where'> {
  readonly database: Database
  readonly root: TableFacts
  readonly uses: Uses
  /** The number of different values of the restriction. */
  readonly shares: number
  /** The rows of a page. */
  readonly limit: number
  readonly backend: SqlBackend
}

/** @throws TypeError if a path of the restriction is not a column of the table. */
export function needsOf(database: Database, mapped: Mapped, restriction: readonly string[]): readonly Need[] {
  const { table, collection } = mapped
  const scope = scopeOf(database, mapped)
  if (scope === undefined) return []
  const restricted = restriction.map((path) => restrictionKey(scope, path))
  const inRestriction: Scope = {
    ...scope,
    restriction: restricted,
    shares: restricted.reduce((count, { column }) => count * (column?.distinct ?? 1), 1),
  }
  const fields = Array.from((collection?.visible ?? own(table, 'schema'))?.paths.values() ?? [])
  const needs = [
    ...scope.uses.tables.flatMap((use) => referenceNeeds(inRestriction, use, fields)),
    ...promisedIn(scope).map(({ need }) => need),
    ...orderNeeds(inRestriction),
    ...fields.flatMap((field) => conditionNeeds(inRestriction, field)),
  ]
  return database.engine === 'duckdb' ? needs.map((need) => ({ ...need, never: inDuckdb })) : needs
}

/** Without a restriction. */
function scopeOf(database: Database, { dialect, table, collection }: Mapped): Scope | undefined {
  // First, because it checks the mapping.
  const backend = sqlBackend({ dialect, table })
  const root = tableNamed(database, table.name)
  if (root === undefined) return undefined
  const [uses, limit] = [usesOf(dialect, table), collection?.limit.default ?? 20]
  return {
    dialect,
    table,
    ...(collection && { collection }),
    database,
    root,
    uses,
    restriction: [],
    where: predicatesOf(dialect, table),
    shares: 1,
    limit,
    backend,
  }
}

const noConditions = { restriction: [], where: [] } as const

const inDuckdb = 'no index of DuckDB has an order, and DuckDB scans tables fast'

/** The number of rows in a table, and infinity if nobody has counted them. */
export const rowsIn = (table: TableFacts): number =>
  own(table, 'rows') ?? (own(table, 'wholeTable') === true ? own(table, 'sampledRows') : undefined) ?? Infinity

/** The rows that a page reads in the order of its key, until a condition has selected enough of them. */
const readsWithout = ({ limit, shares }: Scope, table: TableFacts, distinct = Infinity): number =>
  Math.min(limit * distinct * shares, rowsIn(table))

/** Whether a field is in the table itself. */
const isOfRow = ({ uses }: Scope, path: string): boolean =>
  !uses.tables.some((use) => path === use.path || path.startsWith(`${use.path}.`))

function restrictionKey(scope: Scope, path: string): Key {
  const field = own(scope.table, 'schema')?.paths.get(path)
  const isColumn = field !== undefined && field.lists.length === 0 && isOfRow(scope, path)
  const equals = isColumn && operatorsFor(field).find(({ name }) => name === 'equals')
  const [sought] = isColumn && equals ? soughtBy(scope, field, equals) : []
  if (sought === undefined) {
    throw new TypeError(`options.restriction has ${path}, which is not a column of ${nameOf(scope.table.name)}`)
  }
  return keyOf(scope, scope.root, sought)
}

// --- Keys

export const isOfMysql = (engine: Engine): boolean => engine === 'mysql' || engine === 'mariadb'

/** PostgreSQL places NULL after all values, and the other engines place it before them. */
const placeIn = ({ engine }: Database) => ({ descending: false, nullsFirst: engine !== 'postgres' })

/** MySQL and MariaDB index only the start of such texts. */
export const isLong = ({ typeName, length = 0 }: ColumnFacts): boolean => /text|blob/.test(typeName) || length > 768

function keyOf({ dialect: { quote }, database }: Scope, table: TableFacts, { expression, collation }: Sought): Key {
  // PostgreSQL ignores a cast of a column to its own type.
  const [, name, cast] = /^("(?:[^"]|"")*"|`(?:[^`]|``)*`)(?:::(.*))?$/.exec(expression) ?? []
  const facts = name && columnNamed(table, name.slice(1, -1).replaceAll(quote + quote, quote))
  const isColumn = facts && (cast === undefined || [facts.type, `${facts.typeName}[]`].includes(cast))
  return isColumn
    ? { expression: name!, column: facts, collation, ...placeIn(database) }
    : { expression, column: undefined, collation, ...placeIn(database) }
}

const columnKey = ({ dialect: { quote }, database }: Scope, column: ColumnFacts): Key => ({
  expression: quotedBy(quote, column.name),
  column,
  collation: undefined,
  ...placeIn(database),
})

// --- Foreign keys

/** The foreign key of a list, by which each row of a page finds its entries, or that of a parent table with conditions. */
function referenceNeeds(scope: Scope, use: TableUse, fields: readonly ResolvedField[]): readonly Need[] {
  const table = tableNamed(scope.database, use.table)
  const columns = use.foreignKey.flatMap((name) => (table && columnNamed(table, name)) ?? [])
  if (table === undefined || columns.length < use.foreignKey.length) return []
  const keys = columns.map((column) => columnKey(scope, column))
  const need = { table, kind: 'lookup', keys } as const
  if (use.kind === 'child') {
    const ofList = { ...need, serves: `the list ${use.path}`, where: use.predicates }
    return [{ ...ofList, restriction: [], reads: scope.limit * rowsIn(table) }]
  }
  const isOfTable = ({ name, literal }: ResolvedField): boolean =>
    name.startsWith(`${use.path}.`) || (name === use.path && literal !== 'object')
  const isAsked = fields.some((field) => isOfTable(field) && operatorsFor(field, scope.collection).length > 0)
  const isBehind = scope.uses.tables.some(({ path, kind }) => path === use.path && kind === 'child')
  // SQLite finds the entries of each row by the first foreign key.
  if (!isAsked || (isBehind && scope.database.engine === 'sqlite')) return []
  const isRoot = !isBehind && !scope.uses.tables.some(({ path }) => use.path.startsWith(`${path}.`))
  const reads = readsWithout(scope, table, Math.max(...columns.map(({ distinct = Infinity }) => distinct)))
  const { restriction, where } = isRoot ? scope : noConditions
  return [{ ...need, restriction, where, serves: `conditions on ${use.path}`, reads }]
}

// --- Orders

function orderNeeds(scope: Scope): readonly Need[] {
  const { collection, database, root: table, restriction, shares } = scope
  if (collection === undefined) return []
  const orders = [
    collection.defaultSort,
    ...Array.from(collection.sortable.values(), (field) => [{ field, direction: 'ascending' } as const]),
  ]
  const named = groupBy(orders, (order) =>
    order.map(({ field, direction }) => (direction === 'descending' ? '-' : '') + field.name).join(),
  )
  return Array.from(named).flatMap(([text, [order]]): readonly Need[] => {
    if (text === '') return []
    const sort = totalOrder(
      collection,
      order!.map((one) => sortKeyOf(collection, one)),
    )
    const keys = orderKeys(scope, sort)
    const ofParent = order!.find(({ field }) => !isOfRow(scope, field.name))
    const parent = ofParent && walkedParent(scope, ofParent.field.name)
    if (parent !== undefined) return restriction.length > 0 ? [] : walkNeeds(scope, parent, keys, `sort=${text}`)
    const never =
      ofParent === undefined ? neverOrdered(database.engine, table, keys) : `${ofParent.field.name} is in another table`
    const need = { table, serves: `sort=${text}`, kind: 'order', keys, restriction, where: scope.where } as const
    return [{ ...need, reads: rowsIn(table) / shares, readsInOrder: scope.limit * shares, ...(never && { never }) }]
  })
}

/** The parent table whose index has the order of a field: the foreign key is enforced, and `select` reads parents in an order. */
function walkedParent({ dialect, uses }: Scope, path: string): TableUse | undefined {
  const [parent, ...others] = uses.tables.filter((use) => path.startsWith(`${use.path}.`))
  const isWalked = dialect.walksParents !== undefined && parent?.kind === 'parent' && parent.isEnforced
  return isWalked && others.length === 0 ? parent : undefined
}

/**
 * The index of the parent table that has the order, and that of the foreign key.
 *
 * @param ordered the sort keys. Those of the parent's field are subqueries.
 */
function walkNeeds(scope: Scope, use: TableUse, ordered: readonly Key[], serves: string): readonly Need[] {
  const { database, root } = scope
  const parent = tableNamed(database, use.parent)
  const columnsOf = (table: TableFacts, names: readonly string[]) =>
    names.flatMap((name) => columnNamed(table, name) ?? []).map((column) => columnKey(scope, column))
  const ofKey = { table: root, serves, kind: 'lookup', keys: columnsOf(root, use.foreignKey) } as const
  const lookup: Need = { ...ofKey, restriction: [], where: scope.where, reads: rowsIn(root) }
  if (parent === undefined) return [lookup]
  const { descending, nullsFirst } = ordered[0]!
  const inSubqueries = ordered.flatMap(({ expression: subquery, descending, nullsFirst, ...key }) => {
    const [, expression, collation = key.collation] = /^SELECT (.*?)(?: COLLATE "?(\w+)"?)? FROM /.exec(subquery) ?? []
    return expression === undefined
      ? []
      : [{ ...keyOf(scope, parent, { expression, collation }), descending, nullsFirst }]
  })
  const keys = [...inSubqueries, ...columnsOf(parent, use.key).map((one) => ({ ...one, descending, nullsFirst }))]
  const order: Need = { table: parent, serves, kind: 'order', keys, ...noConditions, reads: rowsIn(parent) }
  const never = neverOrdered(database.engine, parent, keys)
  return never === undefined ? [order, lookup] : [{ ...order, never }]
}

function orderKeys(scope: Scope, sort: readonly SortKey[]): readonly Key[] {
  const { backend, database, dialect, limit, restriction, root } = scope
  // The statement reads the rows with a value, and those without, each from an index in the engine's own order.
  const keys = dialect.splitsNulls ? sort.map(({ nulls: _, ...key }) => key) : sort
  const query = { filter: unchecked.and([]), asked: [], sort: keys, limit, count: false }
  // The columns of the restriction have one value each, so no order has to contain them.
  return orderedIn(backend.compileQuery(query).orderBy.text)
    .map((one) => ({
      ...keyOf(scope, root, one),
      descending: one.descending,
      nullsFirst: one.nullsFirst ?? placeIn(database).nullsFirst !== one.descending,
    }))
    .filter(({ expression }) => !restriction.some((one) => one.expression === expression))
}

/** An order that the mapping promises, as a need: rows of one value of the first field, in the order of the rest. */
interface PromisedOrder {
  /** The first field. */
  readonly path: string
  readonly need: Need
}

export function promisedOrders(database: Database, mapped: Mapped): readonly PromisedOrder[] {
  const scope = scopeOf(database, mapped)
  return scope === undefined ? [] : promisedIn(scope)
}

/** Without a schema, no field has a type. */
function promisedIn(scope: Scope): readonly PromisedOrder[] {
  const { collection, database, root, table } = scope
  const ordering = { key: collection?.key ?? [], orders: new Map() }
  const schema = own(table, 'schema')
  return (schema === undefined ? [] : table.orders).map((order): PromisedOrder => {
    const names = order.map(({ path }) => path.join('.'))
    const restriction = [restrictionKey(scope, names[0]!)]
    const sort = order.map(({ direction }, at) =>
      sortKeyOf(ordering, { field: schema!.paths.get(names[at]!)!, direction }),
    )
    const keys = orderKeys({ ...scope, restriction }, totalOrder(ordering, sort).slice(1))
    const never = neverOrdered(database.engine, root, keys)
    const text = order.map(({ direction }, at) => (direction === 'descending' ? '-' : '') + names[at]).join()
    const ofTable = { table: root, where: scope.where }
    const need = { ...ofTable, serves: `the order ${text}`, kind: 'order', keys, restriction } as const
    return { path: names[0]!, need: { ...need, reads: rowsIn(root), ...(never && { never }) } }
  })
}

/** Why no index has an order. MySQL and MariaDB use no index for a collation in ORDER BY. */
function neverOrdered(engine: Engine, table: TableFacts, keys: readonly Key[]): string | undefined {
  if (engine === 'duckdb') return inDuckdb
  if (keys.some(({ expression }) => isOfJson(expression))) return 'no index orders values in JSON'
  if (!isOfMysql(engine)) return neverContained(engine, table, keys)
  const long = keys.find(({ column }) => column !== undefined && isLong(column))?.column
  if (long !== undefined) return `an index contains only the start of ${long.name}, which is ${long.type}`
  return neverCollated(keys.find(({ collation }) => collation !== undefined)) ?? neverContained(engine, table, keys)
}

/** Whether an expression reads a value in JSON by CASE. Another CASE returns the place of a value in a list. */
const isOfJson = (expression: string): boolean => /^CASE (?:CASE |(?!.* THEN \d+ END$))/.test(expression)

/** An ENUM and a text of another character set cannot have the order of code points. */
function neverCollated(key: Key | undefined): string | undefined {
  if (key === undefined) return undefined
  const { column, collation, expression } = key
  if (column === undefined || !/char$/.test(column.typeName) || (own(column, 'charset') ?? 'utf8mb4') !== 'utf8mb4') {
    return `no index has the order of ${column?.name ?? expression}`
  }
  const { name } = column
  return `no index has the order of ${name}: declare it COLLATE ${collation}, and map it as column('${name}', { type: 'orderedText' })`
}

/** An index of PostgreSQL contains only expressions that nothing changes, and one of MySQL no expression of a long text. */
function neverContained(engine: Engine, { columns }: TableFacts, keys: readonly Key[]): string | undefined {
  const expressions = keys.filter(({ column }) => column === undefined).map(({ expression }) => expression)
  const contains = (some: readonly string[]) => some.some((text) => expressions.some((one) => one.includes(text)))
  if (engine === 'mariadb' && expressions.length > 0) return 'MariaDB has no index of an expression'
  const enums = columns.filter((one) => own(one, 'enum') !== undefined)
  if (contains(enums.map(({ name }) => `${quotedBy('"', name)}::text`)))
    return 'no index contains the text of an enumeration'
  const isLongText = engine === 'mysql' && contains(columns.filter(isLong).map(({ name }) => quotedBy('`', name)))
  return isLongText ? 'no index contains an expression of a long text: make the column VARCHAR' : undefined
}

// --- Conditions

/** The operators for which each field gets an index. For others, the collection must name the operators of the field. */
const usual: readonly string[] = ['equals', 'all', 'startsWith', 'contains']

/** Operands in the forms in which some types compare the column itself. */
const operands: Readonly<Record<LiteralType, readonly Literal['value'][]>> = {
  string: ['abc', '1', '12:00:00', '00000000-0000-4000-8000-000000000000'],
  uuid: ['00000000-0000-4000-8000-000000000000'],
  integer: [1],
  bigint: ['1'],
  number: [1],
  decimal: ['1'],
  boolean: [true],
  date: ['2024-01-01'],
  datetime: ['2024-01-01T00:00:00.000Z'],
  time: ['12:00:00'],
}

/** Writes a condition for each operand, and lists the compared expressions, columns first. */
function soughtBy({ backend }: Scope, field: ResolvedField, operator: OperatorRow): readonly Compared[] {
  const isText = operator.operandKind === 'text'
  const values = isText ? ['abc'] : (field.values?.slice(0, 1) ?? operands[field.literal as LiteralType])
  const compared = values.flatMap((value) => {
    const operand = { type: isText ? 'string' : field.literal, value } as Literal
    const lowered = operator.lower(field, operator.operands === 'one' ? [operand] : [operand, operand])
    const filter = listsAround(field, operator).reduceRight(
      (inner, list) => unchecked.some(list, inner),
      joined('and', lowered),
    )
    return comparedIn(backend.compile(filter).text)
  })
  return compared.toSorted((a, b) => Number(/[(:]/.test(a.expression)) - Number(/[(:]/.test(b.expression)))
}

const kinds: Readonly<Record<string, Need['kind']>> = {
  LIKE: 'parts',
  '@>': 'entries',
  '&&': 'entries',
  JSON_OVERLAPS: 'entries',
}

function conditionNeeds(scope: Scope, field: ResolvedField): readonly Need[] {
  const { collection, database, uses, restriction, where } = scope
  const { engine } = database
  const { name, literal, lists } = field
  const use = uses.columns.find(({ path }) => path === name || name.startsWith(`${path}.`))
  const table = use && tableNamed(database, use.table)
  if (use === undefined || table === undefined || !isLiteralType(literal)) return []
  const isInTable = isOfRow(scope, name)
  // SQLite finds the entries of each row by their foreign key.
  if (engine === 'sqlite' && lists.length > 0 && !isInTable) return []
  const conditions = operatorsFor(field, collection)
    .filter(({ complement, operandKind }) => !complement && ['value', 'text'].includes(operandKind))
    .map((operator) => ({ operator, sought: soughtBy(scope, field, operator)[0] }))
  const groups = groupBy(conditions, ({ operator, sought }) =>
    sought === undefined
      ? scansOf(operator.name)
      : JSON.stringify([sought.expression, collationOf(engine, sought), kinds[sought.sign]]),
  )
  // In a list or in JSON, the different values of the column are whole documents.
  const facts = use.stored.kind === 'column' ? columnNamed(table, use.stored.name) : undefined
  const distinct = facts && (facts.distinct ?? (literal === 'boolean' ? 2 : field.values?.length))
  return Array.from(groups.values()).flatMap((group): readonly Need[] => {
    const names = group.map(({ operator }) => operator.name)
    if (!names.some((one) => usual.includes(one)) && collection?.operators.has(name) !== true) return []
    const { sought } = group[0]!
    const kind = (sought && own(kinds, sought.sign)) ?? 'lookup'
    const keys =
      sought === undefined ? [] : [keyOf(scope, table, { ...sought, collation: collationOf(engine, sought) })]
    const never = neverFound(engine, table, kind, keys, use.stored.kind, literal)
    return [
      {
        table,
        serves: `${name}: ${names.join(', ')}`,
        kind,
        keys,
        ...(isInTable ? { restriction, where } : noConditions),
        literal,
        reads: readsWithout(scope, table, distinct),
        ...(never && { never }),
      },
    ]
  })
}

/** MySQL and MariaDB find equal values in an index of any collation. */
const collationOf = (engine: Engine, { collation, sign }: Compared): string | undefined =>
  isOfMysql(engine) && ['=', 'IN'].includes(sign) ? undefined : collation

function neverFound(
  engine: Engine,
  table: TableFacts,
  kind: Need['kind'],
  keys: readonly Key[],
  stored: 'column' | 'json' | 'array',
  literal: LiteralType,
): string | undefined {
  if (keys.length === 0 && stored !== 'column')
    return 'its values are read from each row: a column or a child table has an index'
  if (keys.length === 0 || (kind === 'parts' && engine !== 'postgres')) return 'no index finds a part of a text'
  const isListable = ['string', 'integer', 'bigint'].includes(literal)
  if (kind === 'entries' && engine === 'mysql' && !isListable)
    return `no multi-valued index compares a ${literal} exactly`
  // PostgreSQL and SQLite accept another collation in an index.
  const other = ({ column, collation }: Key) => collation !== undefined && collation !== column?.collation?.name
  return (isOfMysql(engine) ? neverCollated(keys.find(other)) : undefined) ?? neverContained(engine, table, keys)
}
