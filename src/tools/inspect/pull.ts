/** `pull`: the schemas, mappings and collections of a database, as TypeScript that a person keeps. */
import { duckdb, mariadb, mysql, postgres, sqlite, type Dialect } from '../../backends/sql/index.ts'
import { checkOptions } from '../../options.ts'
import { own } from '../../own.ts'
import type { ColumnFacts, Database, Engine, ForeignKeyFacts, IndexEntry, TableFacts } from './database.ts'
import { fieldOf, isOmission, type PulledField } from './field-of.ts'

/** Options of {@link pull}. */
export interface PullOptions {
  /** Patterns of tables, in which `*` stands for any text: `orders`, `sales.*`. Default: all tables and views. */
  readonly include?: readonly string[]
  /** The lists to write, as `table.list`. The comments of a file name those that are possible. Default: none. */
  readonly lists?: readonly string[]
  /** `camel`: `created_at` becomes `createdAt`. `same`: fields have the names of their columns. Default: `camel`. */
  readonly names?: 'camel' | 'same'
}

/** What {@link pull} makes. */
export interface Pulled {
  /** The text of a TypeScript file. */
  readonly source: string
  /** The tables in the file, with the name of the schema that it exports. */
  readonly tables: readonly { readonly schema: string; readonly name: string; readonly exported: string }[]
  /** What the file leaves out or guesses, as its comments say it. */
  readonly notes: readonly { readonly table: string; readonly column?: string; readonly note: string }[]
}

const dialects: Readonly<Record<Engine, readonly [name: string, Dialect]>> = /* @__PURE__ */ (() => ({
  postgres: ['postgres', postgres],
  mysql: ['mysql', mysql],
  mariadb: ['mariadb', mariadb],
  duckdb: ['duckdb', duckdb],
  sqlite: ['sqlite', sqlite],
}))()

/** A table, with what its parts are called in the file. */
interface Part {
  readonly table: TableFacts
  /** The name of the schema in the file. */
  readonly name: string
  readonly members: readonly Member[]
  readonly omitted: readonly (readonly [column: string, reason: string])[]
  /** The columns that identify a row, and their fields; empty where there is no key. */
  readonly key: readonly Member[]
}
interface Member {
  readonly property: string
  readonly column: ColumnFacts
  readonly field: PulledField
}
/** A foreign key, as an object of the table that has it, or as a list of the table that it refers to. */
interface Relation {
  readonly property: string
  readonly foreignKey: ForeignKeyFacts
  readonly part: Part
}

/**
 * Writes the schemas, mappings and collections of a database. A table with a key becomes a schema, a table and a collection; a view becomes a
 * schema and a table. Rows of other tables that a foreign key refers to become objects. A comment says what is left out, and why.
 *
 * @param database what `inspect` returns.
 * @throws TypeError if an option is wrong, or if a list is none of the possible ones.
 * @example
 * const described = await inspect((text, parameters) => file.prepare(text).all(...parameters), { dialect: sqlite })
 * pull(described).tables.map(({ exported }) => exported) // => ['items', 'orders']
 */
export function pull(database: Database, options: PullOptions = {}): Pulled {
  const { include, lists = [], names = 'camel' } = checkOptions(options, 'options', ['include', 'lists', 'names'])
  if (names !== 'camel' && names !== 'same') throw new TypeError(`options.names must be 'camel' or 'same'`)
  const isIncluded = filterOf(include)
  const chosen = database.tables.filter(
    (table) => table.readable && own(table, 'partitionOf') === undefined && isIncluded(table),
  )
  const parts = partsOf(database, chosen, names)
  const wanted = new Set(lists)
  const sections = parts.map((part) => {
    const objects = parentsOf(part, parts, names)
    const possible = childrenOf(part, parts, names)
    const shown = possible.filter(({ property }) => wanted.delete(`${part.table.name}.${property}`))
    return sectionOf(
      database,
      part,
      objects,
      shown,
      possible.filter((one) => !shown.includes(one)),
    )
  })
  if (wanted.size > 0)
    throw new TypeError(`options.lists has ${[...wanted].join(', ')}, which is no list of these tables`)
  const [dialect] = dialects[database.engine]
  return {
    source:
      [
        headOf(database, sections, dialect),
        ...sections.map(({ shared }) => shared),
        ...sections.map(({ own }) => own),
      ].join('\n\n') + '\n',
    tables: parts.map(({ table: { schema, name }, name: exported }) => ({ schema, name, exported })),
    notes: parts.flatMap(({ table: { name: table }, omitted, members, key }) => [
      ...omitted.map(([column, note]) => ({ table, column, note })),
      ...members.flatMap(({ column, field }) =>
        field.guess === undefined ? [] : [{ table, column: column.name, note: `a guess: ${field.guess}` }],
      ),
      ...(key.length === 0 ? [{ table, note: 'it has no key, so it has no collection' }] : []),
    ]),
  }
}

function filterOf(include: readonly string[] | undefined): (table: TableFacts) => boolean {
  if (include === undefined) return () => true
  const patterns = include.map((glob) => new RegExp(`^${glob.split('*').map(escaped).join('.*')}$`, 'i'))
  return ({ schema, name }) => patterns.some((pattern) => pattern.test(name) || pattern.test(`${schema}.${name}`))
}
const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

// --- Names

/** `created_at`, `CreatedAt` and `created at` as `createdAt`; `customerID` as `customerId`. */
function camel(name: string): string {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
  return words
    .map((word, at) => (at === 0 ? word.toLowerCase() : word[0]!.toUpperCase() + word.slice(1).toLowerCase()))
    .join('')
}

/** A name that is free, and can be a constant of JavaScript. */
function freeName(wanted: string, taken: Set<string>): string {
  const base =
    /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(wanted) && !reserved.has(wanted)
      ? wanted
      : `${wanted.replace(/^\P{L}+/u, '')}Rows`
  let name = base
  for (let count = 2; taken.has(name); count++) name = `${base}${count}`
  taken.add(name)
  return name
}
const reserved = new Set(
  (
    'break case catch class const continue debugger default delete do else enum export extends false finally for function if import in ' +
    'instanceof new null return super switch this throw true try typeof var void while with yield let static await implements interface ' +
    'package private protected public arguments eval field table column defineSchema defineCollection parentTable childTable arrayColumn'
  ).split(' '),
)

function partsOf(database: Database, tables: readonly TableFacts[], names: 'camel' | 'same'): readonly Part[] {
  const taken = new Set<string>()
  const [, dialect] = dialects[database.engine]
  return tables.map((table) => {
    const used = new Set<string>()
    const members: Member[] = []
    const omitted: [string, string][] = []
    for (const column of table.columns) {
      const property = names === 'same' ? column.name : camel(column.name)
      const field = fieldOf(database, dialect, column)
      if (isOmission(field)) omitted.push([column.name, field.reason])
      else if (property === '' || /[.[\]$\0]/.test(property) || property === '__proto__')
        omitted.push([column.name, 'its name cannot be the name of a field'])
      else if (used.has(property)) omitted.push([column.name, `another column is called ${property}`])
      else {
        used.add(property)
        members.push({ property, column, field })
      }
    }
    return { table, name: freeName(camel(table.name) || 'rows', taken), members, omitted, key: keyOf(table, members) }
  })
}

/** The primary key, or the first other key without NULL, if all of its columns have fields. */
function keyOf({ keys }: TableFacts, members: readonly Member[]): readonly Member[] {
  const sorted = keys.toSorted((a, b) => Number(b.primary) - Number(a.primary))
  for (const { columns, primary } of sorted) {
    const key = columns.map((name) => members.find(({ column }) => column.name === name))
    if (key.every((one) => one !== undefined && !one.field.isArray && (primary || one.column.notNull)))
      return key as Member[]
  }
  return []
}

const isReference = ({ table: [schema, name] }: ForeignKeyFacts, { table }: Part): boolean =>
  table.name === name && table.schema === schema

/** The objects of a table: the rows that its foreign keys refer to. */
function parentsOf(part: Part, parts: readonly Part[], names: 'camel' | 'same'): readonly Relation[] {
  const used = new Set(part.members.map(({ property }) => property))
  return part.table.foreignKeys.flatMap((foreignKey) => {
    const parent = parts.find((one) => isReference(foreignKey, one))
    if (parent === undefined || !isKey(parent.table, foreignKey.key)) return []
    const [column] = foreignKey.columns
    const short = foreignKey.columns.length === 1 ? column!.replace(/_?id$/i, '') : ''
    const wanted = [short, parent.table.name].map((one) => (names === 'same' ? one : camel(one)))
    const property = wanted.find((one) => one !== '' && !used.has(one))
    if (property === undefined) return []
    used.add(property)
    return [{ property, foreignKey, part: parent }]
  })
}

const isKey = ({ keys }: TableFacts, columns: readonly string[]): boolean =>
  keys.some((key) => key.columns.length === columns.length && key.columns.every((one) => columns.includes(one)))

/** The lists that a table may have: the rows whose foreign keys refer to it. */
function childrenOf(part: Part, parts: readonly Part[], names: 'camel' | 'same'): readonly Relation[] {
  if (part.key.length === 0) return []
  const used = new Set(part.members.map(({ property }) => property))
  return parts.flatMap((child) =>
    child.table.foreignKeys
      .filter(
        (foreignKey) =>
          isReference(foreignKey, part) && foreignKey.key.join() === part.key.map(({ column }) => column.name).join(),
      )
      .flatMap((foreignKey) => {
        const property = names === 'same' ? child.table.name : camel(child.table.name)
        if (child === part || used.has(property)) return []
        used.add(property)
        return [{ property, foreignKey, part: child }]
      }),
  )
}

// --- The text

interface Section {
  /** The fields and columns, which other tables share. */
  readonly shared: string
  readonly own: string
}

const quoted = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
const member = (name: string): string => (/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name) ? name : quoted(name))
const listed = (names: readonly string[]): string =>
  names.length === 1 ? quoted(names[0]!) : `[${names.map(quoted).join(', ')}]`
const objectOf = (lines: readonly string[]): string =>
  lines.length === 0 ? '{}' : `{\n${lines.map((line) => `  ${line}`).join('\n')}\n}`
const indented = (lines: readonly string[]): string[] => lines.map((line) => line.replaceAll('\n', '\n  '))

function fieldText({ field: { literal, values, isArray }, column }: Member): string {
  const facts = [
    ...(literal === 'datetime' && own(column, 'digits') !== undefined && column.digits! <= 3 ? ['digits: 3'] : []),
    ...(column.notNull && !isArray ? ['required: true'] : []),
  ]
  const options = facts.length === 0 ? '' : `{ ${facts.join(', ')} }`
  const made =
    values === undefined
      ? `field.${literal}(${options})`
      : `field.enumeration([${values.map(quoted).join(', ')}]${options && `, ${options}`})`
  return isArray ? `field.list(${made})` : made
}

/** The mapping of a column; `undefined` where the name of the field is enough. */
function columnText({ property, column: { name, notNull }, field: { options, isArray } }: Member): string | undefined {
  const parts = Object.entries(options).map(
    ([option, value]) =>
      `${option}: ${typeof value === 'number' ? value : Array.isArray(value) ? listed(value) : quoted(value as string)}`,
  )
  if (isArray) return `arrayColumn(${quoted(name)}${parts.length === 0 ? '' : `, { ${parts.join(', ')} }`})`
  if (parts.length > 0)
    return `column(${quoted(name)}, { ${[...parts, ...(notNull ? ['notNull: true'] : [])].join(', ')} })`
  return name === property ? undefined : quoted(name)
}

function sectionOf(
  database: Database,
  part: Part,
  objects: readonly Relation[],
  lists: readonly Relation[],
  possible: readonly Relation[],
): Section {
  const { table, name, members, omitted, key } = part
  const rows = own(table, 'rows')
  const title = `// --- ${table.name}: ${table.kind}${rows === undefined ? '' : `, about ${rows} rows`}`
  const fields = [
    ...members.map(
      (one) =>
        `${member(one.property)}: ${fieldText(one)},${one.field.guess === undefined ? '' : ` // a guess: ${one.field.guess}`}`,
    ),
    ...omitted.map(([column, reason]) => `// ${column}: ${reason}`),
  ]
  const columns = members.flatMap((one) => {
    const text = columnText(one)
    return text === undefined ? [] : [`${member(one.property)}: ${text},`]
  })
  const shared = `${title}\nconst ${name}Fields = ${objectOf(fields)}\nconst ${name}Columns = ${objectOf(columns)}`
  const ofParent = ({ property, foreignKey: { columns, key }, part: { name, table } }: Relation) =>
    `${member(property)}: parentTable(${tableName(database, table)}, { key: ${listed(key)}, foreignKey: ${listed(columns)}, columns: ${name}Columns }),`
  const ofChild = ({ property, foreignKey: { columns }, part: { name, table, key } }: Relation) =>
    `${member(property)}: childTable(${tableName(database, table)}, { ${key.length === 0 ? '' : `key: ${listed(key.map(({ column }) => column.name))}, `}foreignKey: ${listed(columns)}, columns: ${name}Columns }),`
  const schema = objectOf([
    `...${name}Fields,`,
    ...objects.map(({ property, part }) => `${member(property)}: field.object(${part.name}Fields),`),
    ...lists.map(({ property, part }) => `${member(property)}: field.list(field.object(${part.name}Fields)),`),
    ...possible.map(
      ({ property, part }) =>
        `// ${property}: rows of ${part.table.name}. pull(database, { lists: [${quoted(`${table.name}.${property}`)}] }) writes them.`,
    ),
  ])
  const mapped = objectOf([`...${name}Columns,`, ...objects.map(ofParent), ...lists.map(ofChild)])
  const keyColumns = key.map(({ column }) => column.name)
  const mapping = objectOf(
    indented([`schema: ${name},`, ...(key.length === 0 ? [] : [`key: ${listed(keyColumns)},`]), `columns: ${mapped},`]),
  )
  const own_ = [
    `export const ${name} = defineSchema(${schema})`,
    `export const ${name}Table = table(${tableName(database, table)}, ${mapping})`,
    key.length === 0
      ? `// ${table.name} has no key, so it has no collection. Name one: defineCollection(${name}, { key: … })`
      : `export const ${name}Collection = defineCollection(${name}, ${collectionOf(database, part, [...members, ...objects, ...lists])})`,
  ]
  return { shared, own: own_.join('\n') }
}

const tableName = ({ session: { searchPath }, tables }: Database, { schema, name }: TableFacts): string =>
  searchPath[0] === schema || (searchPath.includes(schema) && tables.filter((one) => one.name === name).length === 1)
    ? quoted(name)
    : `[${quoted(schema)}, ${quoted(name)}]`

/** The key, the orders that an index serves, and the newest rows first where an index serves that. */
function collectionOf(
  database: Database,
  { table, members, key }: Part,
  all: readonly { readonly property: string }[],
): string {
  const sorts = members.filter((one) => isSorted(database, table, one))
  const newest = sorts.find(({ field, column }) => field.literal === 'datetime' && column.notNull)
  const keyText = listed(key.map(({ property }) => property))
  const parts = [`key: ${keyText}`, `sort: [${sorts.map(({ property }) => quoted(property)).join(', ')}]`]
  if (newest !== undefined) parts.push(`defaultSort: ${quoted(`-${newest.property}`)}`)
  const renamed = parametersOf(
    sorts.length > 0,
    all.map(({ property }) => property),
  )
  return `{ ${[...parts, 'fields: true', ...renamed].join(', ')} }`
}

/** A parameter and a field must not have the same name. */
function parametersOf(hasSort: boolean, properties: readonly string[]): readonly string[] {
  const used = ['limit', 'cursor', 'fields', ...(hasSort ? ['sort'] : [])].filter((name) => properties.includes(name))
  const free = (name: string): string => (properties.includes(name) ? free(`_${name}`) : name)
  return used.length === 0 ? [] : [`parameters: { ${used.map((name) => `${name}: ${quoted(free(name))}`).join(', ')} }`]
}

/** Whether an index begins with a column, in the order of this library. */
function isSorted({ engine }: Database, { indexes }: TableFacts, { column, field }: Member): boolean {
  if (
    engine === 'duckdb' ||
    field.isArray ||
    ['char', 'enum', 'citext', 'time', 'latin1', 'ascii', 'utf8mb3'].includes(field.options.type ?? '')
  )
    return false
  return indexes.some(({ method, invalid, predicate, entries }) => {
    const [first] = entries
    return (
      first?.column === column.name &&
      !invalid &&
      predicate === undefined &&
      ['btree', 'rowid'].includes(method) &&
      isInOrder(engine, column, field, first)
    )
  })
}

function isInOrder(
  engine: Engine,
  column: ColumnFacts,
  { literal }: PulledField,
  { collation, descending, nullsFirst, prefix }: IndexEntry,
): boolean {
  if (prefix !== undefined) return false
  // NULL is less than every value to this library, and greater to PostgreSQL.
  if (engine === 'postgres' && !column.notNull && nullsFirst === descending) return false
  if (literal !== 'string') return true
  const name = collation ?? own(column, 'collation')?.name ?? ''
  if (engine === 'postgres') return name === 'C'
  return engine === 'sqlite' ? ['', 'BINARY'].includes(name) : ['utf8mb4_0900_bin', 'utf8mb4_nopad_bin'].includes(name)
}

function headOf({ engine, session }: Database, sections: readonly Section[], dialect: string): string {
  const text = sections.map(({ shared, own }) => shared + own).join('\n')
  const used = (name: string) => new RegExp(`\\b${name}\\(`).test(text)
  const core = ['defineCollection', 'defineSchema', 'field'].filter((name) => name === 'field' || used(name))
  const sql = ['arrayColumn', 'childTable', 'column', 'parentTable', 'table'].filter(used)
  const version = session.version === undefined ? '' : ` ${session.version}`
  return [
    `// Schemas, mappings and collections of a database of ${engine}${version}, for the dialect ${dialect}. Edit them: they are yours.`,
    `import { ${core.join(', ')} } from ${quoted('urlwhere')}`,
    `import { ${sql.join(', ')} } from ${quoted('urlwhere/sql')}`,
  ].join('\n')
}
