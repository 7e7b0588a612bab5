/** Writes the text of a file with schemas, mappings and collections. */
import { own } from '../../own.ts'
import type { ColumnFacts, Database, Engine, ForeignKeyFacts, IndexEntry, TableFacts } from './database.ts'
import type { PulledField } from './field-of.ts'
import { isKept } from './key-findings.ts'
import { isIdentifier, type Member, type Part, type Relation } from './parts.ts'

/** The text of a table in two parts. */
export interface Section {
  /** The constants of fields and columns. Parent and child mappings of other tables use them too. */
  readonly shared: string
  readonly own: string
}

const quoted = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
const member = (name: string): string => (isIdentifier(name) ? name : quoted(name))
/** Writes one line of a comment. It replaces line ends, because a name in a database can contain them. */
const comment = (text: string): string => `// ${text.replace(/[\n\r\u2028\u2029]+/g, ' ')}`
const listed = (names: readonly string[]): string =>
  names.length === 1 ? quoted(names[0]!) : `[${names.map(quoted).join(', ')}]`
const objectOf = (lines: readonly string[]): string =>
  lines.length === 0 ? '{}' : `{\n${lines.map((line) => `  ${line}`).join('\n')}\n}`
const indented = (lines: readonly string[]): string[] => lines.map((line) => line.replaceAll('\n', '\n  '))

function fieldText({ field: { literal, values, isArray }, column }: Member): string {
  const facts = [
    ...(literal === 'datetime' && own(column, 'digits') !== undefined && column.digits! <= 3 ? ['digits: 3'] : []),
    ...(column.notNull && !isArray && literal !== 'json' ? ['required: true'] : []),
  ]
  const options = facts.length === 0 ? '' : `{ ${facts.join(', ')} }`
  const made =
    values === undefined
      ? `field.${literal}(${options})`
      : `field.enumeration([${values.map(quoted).join(', ')}]${options && `, ${options}`})`
  return isArray ? `field.list(${made})` : made
}

/** Writes the mapping of a column. Returns `undefined` if the column has the name of the field and the default type. */
function columnText({ property, column: { name, notNull }, field }: Member): string | undefined {
  const { options, isArray, mapped } = field
  if (mapped !== undefined) return mapped
  const parts = Object.entries(options).map(
    ([option, value]) =>
      `${option}: ${typeof value === 'number' ? value : Array.isArray(value) ? listed(value) : quoted(value as string)}`,
  )
  if (isArray) return `arrayColumn(${quoted(name)}${parts.length === 0 ? '' : `, { ${parts.join(', ')} }`})`
  if (parts.length > 0)
    return `column(${quoted(name)}, { ${[...parts, ...(notNull ? ['notNull: true'] : [])].join(', ')} })`
  return name === property ? undefined : quoted(name)
}

/** Writes the text of a table. */
export function sectionOf(
  database: Database,
  part: Part,
  objects: readonly Relation[],
  lists: readonly Relation[],
  possible: readonly Relation[],
): Section {
  const { table, name, members, omitted, key } = part
  const rows = own(table, 'rows')
  const title = comment(`--- ${table.name}: ${table.kind}${rows === undefined ? '' : `, about ${rows} rows`}`)
  const fields = [
    ...members.map(
      (one) =>
        `${member(one.property)}: ${fieldText(one)},${one.field.guess === undefined ? '' : ` ${comment(`a guess: ${one.field.guess}`)}`}`,
    ),
    ...omitted.map(([column, reason]) => comment(`${column}: ${reason}`)),
  ]
  const columns = members.flatMap((one) => {
    const text = columnText(one)
    return text === undefined ? [] : [`${member(one.property)}: ${text},`]
  })
  const shared = `${title}\nconst ${name}Fields = ${objectOf(fields)}\nconst ${name}Columns = ${objectOf(columns)}`
  // SQLite enforces foreign keys in the connections that ask for it.
  const keyText = (foreignKey: ForeignKeyFacts, parent: TableFacts) =>
    database.engine !== 'sqlite' && isKept(foreignKey, parent)
      ? `{ columns: ${listed(foreignKey.columns)}, enforced: true }`
      : listed(foreignKey.columns)
  const ofParent = ({ property, foreignKey, part: { name, table } }: Relation) =>
    `${member(property)}: parentTable(${tableName(database, table)}, { key: ${listed(foreignKey.key)}, foreignKey: ${keyText(foreignKey, table)}, columns: ${name}Columns }),`
  const ofChild = ({ property, foreignKey, part: { name, table: child, key }, through }: Relation) => {
    const ofKey = `foreignKey: ${keyText(foreignKey, table)}`
    const ofJoin =
      through &&
      `through: { table: ${tableName(database, through.table)}, ${ofKey}, otherKey: ${listed(through.otherKey.columns)} }`
    const joined = (through?.members ?? []).map(
      (one) => `${member(one.property)}: ${columnText(one) ?? quoted(one.column.name)}`,
    )
    const parts = [
      ...(key.length === 0 ? [] : [`key: ${listed(key.map(({ column }) => column.name))}`]),
      ofJoin ?? ofKey,
      ...(joined.length === 0 ? [] : [`joinColumns: { ${joined.join(', ')} }`]),
      `columns: ${name}Columns`,
    ]
    return `${member(property)}: childTable(${tableName(database, child)}, { ${parts.join(', ')} }),`
  }
  const entryText = ({ part: { name }, through }: Relation) => {
    const joined = (through?.members ?? []).map((one) => `${member(one.property)}: ${fieldText(one)}`)
    return joined.length === 0 ? `${name}Fields` : `{ ...${name}Fields, ${joined.join(', ')} }`
  }
  const schema = objectOf([
    `...${name}Fields,`,
    ...objects.map(({ property, part }) => `${member(property)}: field.object(${part.name}Fields),`),
    ...lists.map((list) => `${member(list.property)}: field.list(field.object(${entryText(list)})),`),
    ...possible.map(({ property, part }) =>
      comment(
        `${property}: rows of ${part.table.name}. pull(database, { lists: [${quoted(`${table.name}.${property}`)}] }) writes them.`,
      ),
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
      ? comment(
          `${table.name} has no key, so the file has no collection of it. Write one with a key: defineCollection(${name}, { key: … })`,
        )
      : `export const ${name}Collection = defineCollection(${name}, ${collectionOf(database, part, [...members, ...objects, ...lists])})`,
  ]
  return { shared, own: own_.join('\n') }
}

const tableName = ({ session: { searchPath }, tables }: Database, { schema, name }: TableFacts): string =>
  searchPath[0] === schema || (searchPath.includes(schema) && tables.filter((one) => one.name === name).length === 1)
    ? quoted(name)
    : `[${quoted(schema)}, ${quoted(name)}]`

/** Writes the options of a collection: the key, and the sort fields that an index serves. Newest rows come first if an index serves that. */
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

/** Renames the parameters that have the name of a field. `defineCollection` rejects equal names. */
function parametersOf(hasSort: boolean, properties: readonly string[]): readonly string[] {
  const used = ['limit', 'cursor', 'fields', ...(hasSort ? ['sort'] : [])].filter((name) => properties.includes(name))
  const free = (name: string): string => (properties.includes(name) ? free(`_${name}`) : name)
  return used.length === 0 ? [] : [`parameters: { ${used.map((name) => `${name}: ${quoted(free(name))}`).join(', ')} }`]
}

/** Whether the first entry of an index is a column, in the order of this library. */
function isSorted({ engine }: Database, { indexes }: TableFacts, { column, field }: Member): boolean {
  if (
    engine === 'duckdb' ||
    field.isArray ||
    field.literal === 'json' ||
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
  // This library places NULL before all values in ascending order. PostgreSQL places it after them.
  if (engine === 'postgres' && !column.notNull && nullsFirst === descending) return false
  if (literal !== 'string') return true
  const name = collation ?? own(column, 'collation')?.name ?? ''
  if (engine === 'postgres') return name === 'C'
  return engine === 'sqlite' ? ['', 'BINARY'].includes(name) : ['utf8mb4_0900_bin', 'utf8mb4_nopad_bin'].includes(name)
}

/** Writes the imports of a file and its first comment. */
export function headOf({ engine, session }: Database, sections: readonly Section[], dialect: string): string {
  const text = sections.map(({ shared, own }) => shared + own).join('\n')
  const used = (name: string) => text.includes(`${name}(`)
  const core = ['defineCollection', 'defineSchema', 'field'].filter((name) => name === 'field' || used(name))
  const sql = ['arrayColumn', 'childTable', 'column', 'jsonColumn', 'parentTable', 'table'].filter(used)
  const version = session.version === undefined ? '' : ` ${session.version}`
  return [
    comment(
      `Schemas, mappings and collections of a database of ${engine}${version}, for the dialect ${dialect}. Edit them: they are yours.`,
    ),
    `import { ${core.join(', ')} } from ${quoted('urlwhere')}`,
    `import { ${sql.join(', ')} } from ${quoted('urlwhere/sql')}`,
  ].join('\n')
}
