/** Checks a dialect, and a mapping against it, when a backend is made: what it cannot store is refused before any filter. */
import type { Feature } from '../backend.ts'
import type { Field, Fields } from '../../language/index.ts'
import { own } from '../../own.ts'
import type { Dialect } from './dialect/dialect.ts'
import { checkName, checkTable, columnsIn, type ChildTable, type Columns, type Stored, type Table } from './mapping.ts'
import { hasPlaceholder } from './resolve.ts'

/** @throws TypeError that names the part which the dialect cannot have. */
export function checkMapping(dialect: Dialect, table: Table, alias: string | undefined): void {
  checkTable(table)
  if (alias !== undefined) checkName(alias, 'options.alias')
  checkNames(dialect, [...(alias === undefined ? [] : [alias]), ...[table.name].flat(), ...table.key])
  checkColumns(dialect, table.columns, '')
  const schema = own(table, 'schema')
  if (schema !== undefined) checkFields(dialect, schema.fields, table.columns, '')
}

function checkNames(dialect: Dialect, names: readonly string[]): void {
  for (const name of names) {
    if (!hasPlaceholder(dialect, name)) continue
    throw new TypeError(`the name ${JSON.stringify(name)} has a ?, which is a placeholder in ${dialect.name}`)
  }
}

/** Checks what the mapping names: `at` is the dotted path of the object that the columns are for, with a dot behind it. */
function checkColumns(dialect: Dialect, columns: Columns, at: string): void {
  for (const [field, stored] of Object.entries(columns)) checkStored(dialect, stored, at + field)
}

function checkStored(dialect: Dialect, stored: Stored, path: string): void {
  switch (stored.kind) {
    case 'flattened':
      return checkColumns(dialect, stored.columns, `${path}.`)
    case 'child':
    case 'parent':
      checkNames(dialect, [...[stored.name].flat(), ...stored.key, ...stored.foreignKey])
      if (stored.kind === 'child') checkValue(dialect, stored, path)
      return checkColumns(dialect, stored.columns, `${path}.`)
    case 'json':
      checkNames(dialect, [stored.name])
      if (dialect.json === undefined) throw new TypeError(`columns.${path}: ${dialect.name} has no JSON`)
      return
    case 'array':
      checkNames(dialect, [stored.name])
      checkType(dialect, own(stored, 'type'), path)
      if (dialect.array === undefined) {
        throw new TypeError(`columns.${path}: ${dialect.name} has no arrays; use a jsonColumn or a childTable`)
      }
      return
    case 'column':
      checkNames(dialect, [stored.name])
      return checkType(dialect, own(stored, 'type'), path)
  }
}

function checkValue(dialect: Dialect, stored: ChildTable, path: string): void {
  const value = own(stored, 'value')
  if (value !== undefined) checkStored(dialect, value, path)
}

function checkType({ name, types, refusedTypes = {} }: Dialect, type: string | undefined, path: string): void {
  if (type === undefined || Object.hasOwn(types, type)) return
  if (Object.hasOwn(refusedTypes, type)) {
    throw new TypeError(`columns.${path}: ${name} has the type ${type}, but it cannot be mapped: ${refusedTypes[type]}`)
  }
  throw new TypeError(`columns.${path}: ${name} has no type ${type}; it has ${Object.keys(types).join(', ')}`)
}

/** Checks what the schema adds: names that no column has, and types that do not hold their field. */
function checkFields(dialect: Dialect, fields: Fields, columns: Columns | undefined, at: string): void {
  for (const [name, field] of Object.entries(fields)) {
    const stored = columns?.[name]
    if (stored === undefined) checkNames(dialect, [name])
    // Without columns, the fields are members of JSON.
    if (columns === undefined && dialect.json?.isOutOfReach?.(name) === true) {
      throw new TypeError(`the name ${JSON.stringify(name)} cannot be in a JSON path of ${dialect.name}`)
    }
    const inner = field.type === 'list' ? field.entry : field
    if (inner.type === 'object') {
      const inside = stored && columnsIn(stored)
      checkFields(dialect, inner.fields, inside, `${at}${name}.`)
    } else checkHolds(dialect, inner, stored, at + name)
  }
}

function checkHolds(dialect: Dialect, field: Field, stored: Stored | undefined, path: string): void {
  const column = stored?.kind === 'child' ? own(stored, 'value') : stored
  const type = column?.kind === 'column' || column?.kind === 'array' ? own(column, 'type') : undefined
  const literal = field.type === 'enumeration' ? 'string' : field.type
  if (type === undefined || (dialect.types[type]!.holds as readonly string[]).includes(literal)) return
  throw new TypeError(`columns.${path}: ${type} holds no ${literal}`)
}

// --- Features

/** The features of a backend over the table. Only JSON can hold other forms; an object over columns cannot be empty. */
export function featuresOf(table: Table, lowersAll: boolean): Feature[] {
  // A field that is not mapped is a column; without a schema, nobody knows which these are.
  const { key, columns } = table
  const fields = Object.keys(own(table, 'schema')?.fields ?? {}).filter((field) => !key.includes(field))
  const isAllJson = fields.length > 0 && fields.every((field) => columns[field]?.kind === 'json')
  return [
    'queries',
    ...(lowersAll ? (['unicode-case'] as const) : []),
    ...(isAllJson ? (['other-forms', 'misplaced-lists', 'sorted-other-forms'] as const) : []),
    ...(hasFlattened(columns) ? [] : (['empty-objects'] as const)),
  ]
}

/** Whether an object is spread over columns, in the table or in one beside it. */
const hasFlattened = (columns: Columns): boolean =>
  Object.values(columns).some((stored) => stored.kind === 'flattened' || hasFlattened(columnsIn(stored) ?? {}))
