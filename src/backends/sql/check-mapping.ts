/** Checks of mappings: against their schema when a table is mapped, and against a dialect when a backend is made. */
import { literalTypes, type LiteralType, type Path } from '../../tree/index.ts'
import { isPromised, literalTypeOf } from '../../language/index.ts'
import type { EntryField, Field, Fields, Schema } from '../../language/index.ts'
import { own, ownOf } from '../../own.ts'
import type { Dialect, StoredVariant } from './dialect/dialect.ts'
import { tiesTo, type ChildTable, type Columns, type Flattened, type Name, type ParentTable } from './mapping.ts'
import type { Stored, Table, TableWhere } from './mapping.ts'
import { hasPlaceholder } from './resolve.ts'
import { columnTypes, defaultType, jsonType, variantFor, type Declared } from './stored-as.ts'
import { readers } from './value.ts'

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
    tiesTo(stored, key).forEach((tie, at) => {
      const [of, referred] = tie.kind === 'child' ? [tie.columns, tie.before] : [tie.before, tie.columns]
      if (referred.length === of.length && referred.length > 0) return
      const both = `${of.length} columns, the key that it refers to ${referred.length}`
      throw new TypeError(`columns.${name}.${at === 0 ? 'foreignKey' : 'through.otherKey'} has ${both}`)
    })
    checkKeys(stored, `${name}.`)
  }
}

/**
 * Each field of the schema is stored in a form that can hold it, and nothing else is mapped.
 *
 * @param ownNames whether a scalar field that is not mapped is a column of the same name, as in a table.
 */
export function checkForms(fields: Fields, columns: Columns, at: string, ownNames = true): void {
  for (const [field, definition] of Object.entries(fields)) {
    const stored = columns[field]
    const name = at + field
    if (stored?.kind === 'json') continue
    const fits = (expected: readonly (Stored['kind'] | undefined)[], how: string): void => {
      if (!expected.includes(stored?.kind)) throw new TypeError(`columns.${name}: ${how}`)
    }
    if (definition.type === 'object') {
      fits(['flattened', 'parent'], 'an object is a jsonColumn or a parentTable, or its fields are columns')
      const { kind, columns: inside } = stored as Flattened | ParentTable
      checkForms(definition.fields, inside, `${name}.`, kind === 'parent')
    } else if (definition.type === 'json' || definition.type === 'record') {
      fits([], `${definition.type === 'json' ? 'JSON' : 'a record'} is a jsonColumn`)
    } else if (definition.type !== 'list') {
      if (stored === undefined && !ownNames)
        throw new TypeError(`columns.${name}: name the column, because an object over columns names each of its own`)
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

/** The reasons for which an index contains no value of a field, by how the mapping stores the field. */
const unordered = {
  flattened: 'is an object',
  json: 'is in JSON',
  array: 'is a list',
  child: 'is a list, or in one',
  parent: 'is in another table',
} as const

/** @throws TypeError when a field of an order is no column of the table. */
export function checkOrdered(columns: Columns, schema: Schema | undefined, name: string, argument: string): void {
  const problem =
    name === '' || (schema !== undefined && !schema.paths.has(name))
      ? 'is not a field'
      : problemOf({ kind: 'flattened', columns }, name.split('.'), true)
  if (problem !== undefined) throw new TypeError(`${argument} has ${name || "''"}, which ${problem}`)
}

/** @param ownNames whether a scalar field that is not mapped is a column of the same name. */
function problemOf(stored: Stored | undefined, [name, ...rest]: Path, ownNames: boolean): string | undefined {
  if (name === undefined) return stored === undefined || stored.kind === 'column' ? undefined : unordered[stored.kind]
  if (stored?.kind !== 'flattened')
    return stored === undefined || stored.kind === 'column' ? 'is not mapped' : unordered[stored.kind]
  const member = stored.columns[name]
  return member === undefined && !ownNames ? 'is not mapped' : problemOf(member, rest, false)
}

// --- When a backend is made

/** @throws TypeError that names the part which the dialect cannot store. */
export function checkMapping(dialect: Dialect, table: Table, alias: string | undefined): void {
  if (alias !== undefined) checkName(alias, 'options.alias')
  checkNames(dialect, [alias ?? [], table.name, table.key].flat())
  checkWhere(dialect, own(table, 'where'))
  checkColumns(dialect, table.columns, own(table, 'schema')?.fields, '')
}

export function checkNames(dialect: Dialect, names: readonly string[]): void {
  for (const name of names) {
    if (!hasPlaceholder(dialect, name)) continue
    throw new TypeError(`the name ${JSON.stringify(name)} has a ?, which is a placeholder in ${dialect.name}`)
  }
}

/** Refuses the option `where` with a placeholder in a name or a value: the statement contains both as text. */
function checkWhere(dialect: Dialect, where: TableWhere | undefined): void {
  for (const [name, value] of Object.entries(where ?? {})) checkNames(dialect, [name, String(value)])
}

/** Checks that each column can store its field. A field that is not mapped has a column of the same name. */
function checkColumns(dialect: Dialect, columns: Columns, fields: Fields | undefined, at: string): void {
  for (const [name, stored] of Object.entries(columns)) {
    checkStored(dialect, stored, fields && own(fields, name), at + name)
  }
  for (const [name, field] of Object.entries(fields ?? {})) {
    if (columns[name] !== undefined) continue
    checkNames(dialect, [name])
    // Every other field is mapped.
    checkType(dialect, {}, field as EntryField, at + name)
  }
}

function checkStored(dialect: Dialect, stored: Stored, field: Field | undefined, path: string): void {
  const held = (field?.type === 'list' ? field.entry : field) as EntryField | undefined
  const fields = held?.type === 'object' ? held.fields : undefined
  switch (stored.kind) {
    case 'flattened':
      return checkColumns(dialect, stored.columns, fields, `${path}.`)
    case 'child':
    case 'parent': {
      const orderBy = stored.kind === 'child' ? (own(stored, 'orderBy') ?? []) : []
      for (const tie of tiesTo(stored, orderBy)) {
        checkNames(dialect, [tie.name, tie.columns, tie.before, stored.key].flat())
        checkWhere(dialect, tie.where)
      }
      const value = stored.kind === 'child' ? own(stored, 'value') : undefined
      if (value !== undefined) checkStored(dialect, value, held, path)
      return checkColumns(dialect, stored.columns, fields, `${path}.`)
    }
    case 'json':
      checkNames(dialect, [stored.name])
      if (dialect.json === undefined) throw new TypeError(`columns.${path}: ${dialect.name} has no JSON`)
      if (own(stored, 'type') !== undefined && own(dialect.json, 'sources') === undefined) {
        throw new TypeError(`columns.${path}: ${dialect.name} has no second type of JSON; leave out the type`)
      }
      return checkInJson(dialect, field, path)
    case 'array':
      checkNames(dialect, [stored.name])
      checkType(dialect, stored, held, path)
      if (dialect.array === undefined) {
        throw new TypeError(`columns.${path}: ${dialect.name} has no arrays; use a jsonColumn or a childTable`)
      }
      return
    case 'column':
      checkNames(dialect, [stored.name])
      return checkType(dialect, stored, held, path)
  }
}

/** Checks that fields in JSON can be read, and that paths of the engine can have their names. */
function checkInJson(dialect: Dialect, field: Field | undefined, path: string): void {
  if (field === undefined) return
  if (field.type === 'list') {
    if (dialect.json?.entries !== undefined) return checkInJson(dialect, field.entry, path)
    throw new TypeError(`columns.${path}: ${dialect.name} reads no list in JSON; store it in a childTable`)
  }
  if (field.type === 'record') {
    if (dialect.json?.readsKeys === true) return checkInJson(dialect, field.entry, path)
    throw new TypeError(`columns.${path}: ${dialect.name} reads no key of a record in JSON`)
  }
  if (field.type === 'json') {
    if (dialect.json?.isPresent !== undefined) return
    throw new TypeError(`columns.${path}: ${dialect.name} has no test for a value of JSON`)
  }
  if (field.type !== 'object') {
    const literal = literalTypeOf(field.type)
    if (jsonType(dialect, literal, field) !== undefined && dialect.json?.[readers[literal]] !== undefined) return
    throw new TypeError(`columns.${path}: ${dialect.name} reads no ${literal} in JSON; ${instead(dialect, literal)}`)
  }
  for (const [name, member] of Object.entries(field.fields)) {
    checkNames(dialect, [name])
    if (dialect.json?.isOutOfReach?.(name) === true) {
      throw new TypeError(`the name ${JSON.stringify(name)} cannot be in a JSON path of ${dialect.name}`)
    }
    checkInJson(dialect, member, `${path}.${name}`)
  }
}

/** The stored types that a field of a type can have. */
function instead({ types }: Dialect, literal: LiteralType): string {
  const names = Object.keys(types).filter((name) => types[name]!.holds.includes(literal))
  return names.length === 0 ? 'it has no type for one' : `store it in a column of the type ${names.join(' or ')}`
}

/** Checks that the dialect has the type of a column, and that the type stores the field and accepts the column's options. */
function checkType(dialect: Dialect, declared: Declared, field: EntryField | undefined, path: string): void {
  const { name, types, refusedTypes = {} } = dialect
  const { type, digits, typeName, invalid } = ownOf(declared)
  const refuse = (problem: string): never => {
    throw new TypeError(`columns.${path}: ${problem}`)
  }
  const literal = field === undefined || field.type === 'object' ? undefined : literalTypeOf(field.type)
  if (type !== undefined && !Object.hasOwn(types, type)) {
    if (!Object.hasOwn(refusedTypes, type))
      refuse(`${name} has no type ${type}; it has ${Object.keys(types).join(', ')}`)
    refuse(`${name} has the type ${type}, but it cannot be mapped: ${refusedTypes[type]}`)
  }
  if (literal !== undefined && type !== undefined && !types[type]!.holds.includes(literal)) {
    refuse(`${type} holds no ${literal}`)
  }
  const variants: StoredVariant[] = []
  const literals = literal !== undefined ? [literal] : type !== undefined ? types[type]!.holds : literalTypes
  for (const one of literals) {
    const stored = type ?? defaultType(dialect, field, one)
    if (stored !== undefined) variants.push(variantFor(types[stored]!, one))
    else if (literal !== undefined) refuse(`${name} has no ${literal} by default; ${instead(dialect, literal)}`)
  }
  const what = type ?? literal ?? 'a column'
  checkOptionsOfType(variants, { digits, typeName }, (problem) => refuse(`${what} ${problem}`))
  if (typeName !== undefined) checkNames(dialect, [typeName].flat())
  if (invalid === undefined) return
  if (field !== undefined && isPromised(field)) refuse('a required field cannot have invalid')
  const stored = columnTypes(dialect, declared, field, (name) => name)
  if (!Array.from(stored.values()).every((one) => own(one, 'valid') !== undefined)) {
    refuse(`${what} of ${name} has no test for invalid values; leave out invalid`)
  }
}

/** @param variants those of the types that the column may have. */
function checkOptionsOfType(
  variants: readonly StoredVariant[],
  { digits, typeName }: { readonly digits: number | undefined; readonly typeName: Name | undefined },
  refuse: (problem: string) => never,
): void {
  const allowed = [...new Set(variants.flatMap((variant) => variant.digits ?? []))]
  const isNeeded = variants.length > 0 && variants.every(({ needsDigits }) => needsDigits === true)
  if (digits === undefined ? isNeeded : !allowed.includes(digits)) {
    refuse(allowed.length === 0 ? 'has no option digits' : `needs digits, one of ${allowed.join(', ')}`)
  }
  if (typeName !== undefined && !variants.some(({ isNamed }) => isNamed === true)) refuse('has no option name')
  if (typeName === undefined && variants.some(({ needsName }) => needsName === true)) refuse('needs name')
}
