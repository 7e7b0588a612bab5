/** Checks of mappings: against their schema when a table is mapped, and against a dialect when a backend is made. */
import type { EntryField, Field, Fields } from '../../language/index.ts'
import { own } from '../../own.ts'
import type { Dialect } from './dialect/dialect.ts'
import type { ChildTable, Columns, Flattened, ParentTable, Stored, Table } from './mapping.ts'
import { hasPlaceholder } from './resolve.ts'

export function checkName(name: unknown, argument: string): string {
  if (typeof name !== 'string' || name === '' || name.includes('\0') || !name.isWellFormed()) {
    throw new TypeError(`${argument} must be a text that is not empty`)
  }
  return name
}

// --- When a table is mapped

/** A child table refers to the whole key of the table that it belongs to, and a table to the whole key of its parent table. */
export function checkKeys({ key, columns }: Pick<Table, 'key' | 'columns'>, at: string): void {
  for (const [field, stored] of Object.entries(columns)) {
    const name = at + field
    if (stored.kind === 'flattened') checkKeys({ key, columns: stored.columns }, `${name}.`)
    if (stored.kind !== 'child' && stored.kind !== 'parent') continue
    const referred = stored.kind === 'parent' ? stored.key : key
    if (referred.length !== stored.foreignKey.length || referred.length === 0) {
      const both = `${stored.foreignKey.length} columns, the key that it refers to ${referred.length}`
      throw new TypeError(`columns.${name}.foreignKey has ${both}`)
    }
    checkKeys(stored, `${name}.`)
  }
}

/** Each field of the schema is stored in a form that can hold it, and nothing else is mapped. */
export function checkForms(fields: Fields, columns: Columns, at: string): void {
  for (const [field, definition] of Object.entries(fields)) {
    const stored = columns[field]
    const name = at + field
    if (stored?.kind === 'json') continue
    const fits = (expected: readonly (Stored['kind'] | undefined)[], how: string): void => {
      if (!expected.includes(stored?.kind)) throw new TypeError(`columns.${name}: ${how}`)
    }
    if (definition.type === 'object') {
      fits(['flattened', 'parent'], 'an object is a jsonColumn or a parentTable, or its fields are columns')
      checkForms(definition.fields, (stored as Flattened | ParentTable).columns, `${name}.`)
    } else if (definition.type !== 'list') {
      fits([undefined, 'column'], `a ${definition.type} is a column, or JSON in a jsonColumn`)
    } else if (definition.entry.type === 'object') {
      fits(['child'], 'a list of objects is a childTable or a jsonColumn')
      checkForms(definition.entry.fields, (stored as ChildTable).columns, `${name}.`)
    } else {
      fits(['child', 'array'], 'a list is a childTable, a jsonColumn or an arrayColumn')
      if (stored!.kind === 'child' && own(stored as ChildTable, 'value') === undefined) {
        throw new TypeError(`columns.${name}: a childTable of scalars has a value, the column that holds the entry`)
      }
    }
  }
  for (const field of Object.keys(columns)) {
    if (!Object.hasOwn(fields, field)) throw new TypeError(`columns.${at}${field}: the schema has no such field`)
  }
}

// --- When a backend is made

/** @throws TypeError that names the part which the dialect cannot store. */
export function checkMapping(dialect: Dialect, table: Table, alias: string | undefined): void {
  if (alias !== undefined) checkName(alias, 'options.alias')
  checkNames(dialect, [alias ?? [], table.name, table.key].flat())
  checkColumns(dialect, table.columns, own(table, 'schema')?.fields, '')
}

function checkNames(dialect: Dialect, names: readonly string[]): void {
  for (const name of names) {
    if (!hasPlaceholder(dialect, name)) continue
    throw new TypeError(`the name ${JSON.stringify(name)} has a ?, which is a placeholder in ${dialect.name}`)
  }
}

/** Checks the columns of an object or a row, and the fields that have columns of their own names. */
function checkColumns(dialect: Dialect, columns: Columns, fields: Fields | undefined, at: string): void {
  for (const [name, stored] of Object.entries(columns)) {
    checkStored(dialect, stored, fields && own(fields, name), at + name)
  }
  for (const name of Object.keys(fields ?? {})) if (columns[name] === undefined) checkNames(dialect, [name])
}

function checkStored(dialect: Dialect, stored: Stored, field: Field | undefined, path: string): void {
  const held: EntryField | undefined = field?.type === 'list' ? field.entry : field
  const fields = held?.type === 'object' ? held.fields : undefined
  switch (stored.kind) {
    case 'flattened':
      return checkColumns(dialect, stored.columns, fields, `${path}.`)
    case 'child':
    case 'parent': {
      checkNames(dialect, [stored.name, stored.key, stored.foreignKey].flat())
      const value = stored.kind === 'child' ? own(stored, 'value') : undefined
      if (value !== undefined) checkStored(dialect, value, held, path)
      return checkColumns(dialect, stored.columns, fields, `${path}.`)
    }
    case 'json':
      checkNames(dialect, [stored.name])
      if (dialect.json === undefined) throw new TypeError(`columns.${path}: ${dialect.name} has no JSON`)
      return checkMembers(dialect, fields)
    case 'array':
      checkNames(dialect, [stored.name])
      checkType(dialect, own(stored, 'type'), held, path)
      if (dialect.array === undefined) {
        throw new TypeError(`columns.${path}: ${dialect.name} has no arrays; use a jsonColumn or a childTable`)
      }
      return
    case 'column':
      checkNames(dialect, [stored.name])
      return checkType(dialect, own(stored, 'type'), held, path)
  }
}

/** The names of fields in JSON are in paths of the engine. */
function checkMembers(dialect: Dialect, fields: Fields = {}): void {
  for (const [name, field] of Object.entries(fields)) {
    checkNames(dialect, [name])
    if (dialect.json?.isOutOfReach?.(name) === true) {
      throw new TypeError(`the name ${JSON.stringify(name)} cannot be in a JSON path of ${dialect.name}`)
    }
    const held = field.type === 'list' ? field.entry : field
    if (held.type === 'object') checkMembers(dialect, held.fields)
  }
}

function checkType(dialect: Dialect, type: string | undefined, field: EntryField | undefined, path: string): void {
  const { name, types, refusedTypes = {} } = dialect
  if (type === undefined) return
  if (Object.hasOwn(types, type)) {
    const literal = field?.type === 'enumeration' ? 'string' : field?.type
    if (literal === undefined || (types[type]!.holds as readonly string[]).includes(literal)) return
    throw new TypeError(`columns.${path}: ${type} holds no ${literal}`)
  }
  if (Object.hasOwn(refusedTypes, type)) {
    throw new TypeError(`columns.${path}: ${name} has the type ${type}, but it cannot be mapped: ${refusedTypes[type]}`)
  }
  throw new TypeError(`columns.${path}: ${name} has no type ${type}; it has ${Object.keys(types).join(', ')}`)
}
