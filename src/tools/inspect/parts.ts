/** Chooses the tables, fields, objects and lists of a file, and their names. */
import { duckdb, mariadb, mysql, postgres, sqlite, type Dialect } from '../../backends/sql/index.ts'
import type { ColumnFacts, Database, Engine, ForeignKeyFacts, TableFacts } from './database.ts'
import { fieldOf, isOmission, type PulledField } from './field-of.ts'

/** A table with the names of its parts in the file. */
export interface Part {
  readonly table: TableFacts
  /** The name of the schema in the file. */
  readonly name: string
  readonly members: readonly Member[]
  readonly omitted: readonly (readonly [column: string, reason: string])[]
  /** The members of the key. They are empty if the table has no key. */
  readonly key: readonly Member[]
}
export interface Member {
  readonly property: string
  readonly column: ColumnFacts
  readonly field: PulledField
}
/** A foreign key as a field: an object of its own table, or a list of the table that it refers to. */
export interface Relation {
  readonly property: string
  readonly foreignKey: ForeignKeyFacts
  readonly part: Part
  /** The join table, which has the foreign key of the list, and its foreign key to the table of the entries. */
  readonly through?: JoinTable
}

interface JoinTable {
  readonly table: TableFacts
  readonly otherKey: ForeignKeyFacts
  /** The columns that are in neither foreign key. */
  readonly members: readonly Member[]
}

/** The dialect of an engine, and its name in `urlwhere/sql`. */
export const dialects: Readonly<Record<Engine, readonly [name: string, Dialect]>> = /* @__PURE__ */ (() => ({
  postgres: ['postgres', postgres],
  mysql: ['mysql', mysql],
  mariadb: ['mariadb', mariadb],
  duckdb: ['duckdb', duckdb],
  sqlite: ['sqlite', sqlite],
}))()

/** Converts `created_at`, `CreatedAt` and `created at` to `createdAt`, and `customerID` to `customerId`. */
function camel(name: string): string {
  const words = name
    .replace(/(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, ' ')
    .split(/[^\p{L}\p{N}]/u)
    .filter((word) => word !== '')
  return words
    .map((word, at) => (at === 0 ? word.toLowerCase() : word[0]!.toUpperCase() + word.slice(1).toLowerCase()))
    .join('')
}

/** The names of the constants of a table. */
const constantsOf = (name: string): readonly string[] =>
  ['', 'Table', 'Collection', 'Fields', 'Columns'].map((end) => name + end)

/** Finds a name that JavaScript accepts for a constant, whose constants are unused. */
function freeName(wanted: string, taken: Set<string>): string {
  const base =
    isIdentifier(wanted) && !reserved.has(wanted)
      ? wanted
      : `${wanted.replaceAll(/^\P{ID_Start}+|\P{ID_Continue}+/gu, '')}Rows`
  let name = base
  for (let count = 2; constantsOf(name).some((one) => taken.has(one)); count++) name = `${base}${count}`
  for (const one of constantsOf(name)) taken.add(one)
  return name
}

/** Whether JavaScript accepts a name, apart from reserved words. */
export const isIdentifier = (name: string): boolean => /^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u.test(name)

const reserved = new Set(
  (
    'break case catch class const continue debugger default delete do else enum export extends false finally for function if import in ' +
    'instanceof new null return super switch this throw true try typeof var void while with yield let static await implements interface ' +
    'package private protected public arguments eval field table column defineSchema defineCollection parentTable childTable arrayColumn jsonColumn'
  ).split(' '),
)

/** Whether `defineSchema` accepts the name of a field. */
const isFieldName = (name: string): boolean =>
  name !== '' && name !== '__proto__' && !/[.[\]\0]|^\$/.test(name) && name.isWellFormed()

export function partsOf(database: Database, tables: readonly TableFacts[], names: 'camel' | 'same'): readonly Part[] {
  const taken = new Set(reserved)
  const [, dialect] = dialects[database.engine]
  return tables.map((table) => {
    const used = new Set<string>()
    const members: Member[] = []
    const omitted: [string, string][] = []
    for (const column of table.columns) {
      const property = names === 'same' ? column.name : camel(column.name)
      const field = fieldOf(database, dialect, column)
      if (isOmission(field)) omitted.push([column.name, field.reason])
      else if (!isFieldName(property)) omitted.push([column.name, 'its name cannot be the name of a field'])
      else if (used.has(property)) omitted.push([column.name, `another column is called ${property}`])
      else {
        used.add(property)
        members.push({ property, column, field })
      }
    }
    return { table, name: freeName(camel(table.name) || 'rows', taken), members, omitted, key: keyOf(table, members) }
  })
}

/** Finds the primary key, or the first key without nullable columns. All of its columns need fields. */
function keyOf({ keys }: TableFacts, members: readonly Member[]): readonly Member[] {
  const sorted = keys.toSorted((a, b) => Number(b.primary) - Number(a.primary))
  for (const { columns, primary } of sorted) {
    const key = columns.map((name) => members.find(({ column }) => column.name === name))
    if (
      key.every(
        (one) =>
          one !== undefined && !one.field.isArray && one.field.literal !== 'json' && (primary || one.column.notNull),
      )
    )
      return key as Member[]
  }
  return []
}

const isReference = ({ table: [schema, name] }: ForeignKeyFacts, { table }: Part): boolean =>
  table.name === name && table.schema === schema

/** Lists the objects of a table. Each is a row that a foreign key refers to. */
export function parentsOf(part: Part, parts: readonly Part[], names: 'camel' | 'same'): readonly Relation[] {
  const used = new Set(part.members.map(({ property }) => property))
  return part.table.foreignKeys.flatMap((foreignKey) => {
    const parent = parts.find((one) => isReference(foreignKey, one))
    if (parent === undefined || !isKey(parent.table, foreignKey.key)) return []
    const [column] = foreignKey.columns
    const short = foreignKey.columns.length === 1 ? column!.replace(/_?id$/i, '') : ''
    const wanted = [short, parent.table.name].map((one) => (names === 'same' ? one : camel(one)))
    const property = wanted.find((one) => isFieldName(one) && !used.has(one))
    if (property === undefined) return []
    used.add(property)
    return [{ property, foreignKey, part: parent }]
  })
}

const isKey = ({ keys }: TableFacts, columns: readonly string[]): boolean =>
  keys.some((key) => key.columns.length === columns.length && key.columns.every((one) => columns.includes(one)))

/** Lists the possible lists of a table. Each contains the rows whose foreign key refers to the table. */
export function childrenOf(
  part: Part,
  parts: readonly Part[],
  objects: readonly Relation[],
  names: 'camel' | 'same',
): readonly Relation[] {
  if (part.key.length === 0) return []
  const used = new Set([...part.members, ...objects].map(({ property }) => property))
  const named = (entries: Part, foreignKey: ForeignKeyFacts, through?: JoinTable): readonly Relation[] => {
    const property = names === 'same' ? entries.table.name : camel(entries.table.name)
    if (entries === part || !isFieldName(property) || used.has(property)) return []
    used.add(property)
    return [{ property, foreignKey, part: entries, ...(through && { through }) }]
  }
  const referring = parts.flatMap((child) =>
    child.table.foreignKeys
      .filter((foreignKey) => isReference(foreignKey, part) && isKeyOf(part, foreignKey))
      .map((foreignKey) => ({ child, foreignKey })),
  )
  return [
    ...referring.flatMap(({ child, foreignKey }) => named(child, foreignKey)),
    ...referring.flatMap(({ child, foreignKey }) => {
      const found = joinedBy(child, foreignKey, parts)
      return found === undefined ? [] : named(found.entries, foreignKey, found)
    }),
  ]
}

const isKeyOf = ({ key }: Part, foreignKey: ForeignKeyFacts): boolean =>
  foreignKey.key.join() === key.map(({ column }) => column.name).join()

/** The table behind a join table: the primary key of this one is two foreign keys. */
function joinedBy(
  { table, key, members }: Part,
  foreignKey: ForeignKeyFacts,
  parts: readonly Part[],
): (JoinTable & { readonly entries: Part }) | undefined {
  for (const otherKey of table.foreignKeys) {
    const columns = [...foreignKey.columns, ...otherKey.columns]
    const isPrimary =
      columns.length === key.length && key.every(({ column }) => columns.includes(column.name)) && key.length > 1
    const entries = isPrimary ? parts.find((one) => isReference(otherKey, one) && isKeyOf(one, otherKey)) : undefined
    if (entries === undefined) continue
    const others = entries.members.map(({ property }) => property)
    const isOwn = ({ column, property }: Member) => !columns.includes(column.name) && !others.includes(property)
    return { table, otherKey, entries, members: members.filter(isOwn) }
  }
  return undefined
}
