/** Compares the keys and foreign keys of a mapping with those of a description. */
import { own } from '../../own.ts'
import type { ColumnFacts, Database, ForeignKeyFacts, IndexFacts, TableFacts } from './database.ts'
import type { Finding } from './finding.ts'
import { columnNamed, nameOf, tableNamed } from './names.ts'
import { namesIn, newIndex, statementOf } from './new-index.ts'
import { promisedOrders } from './needs.ts'
import { hasRows, serves } from './serving.ts'
import type { Mapped, TableUse } from './uses.ts'

/** Whether the values of some columns identify a row. It returns true for a view, because a view declares no keys. */
function isUnique(table: TableFacts, columns: readonly string[]): boolean {
  if (!isTable(table)) return true
  return table.keys.some((key) => key.columns.every((column) => columns.includes(column)))
}

const listed = (columns: readonly string[]): string => columns.join(', ')

/** Requires a unique key in the database for the key of the collection, or of the table. */
export function keyFindings(database: Database, { table: { name, key, columns }, collection }: Mapped): Finding[] {
  const facts = tableNamed(database, name)
  const ofCollection = collection?.key.map((field) => {
    const stored = own(columns, field.name)
    if (stored === undefined) return field.name
    return stored.kind === 'column' ? stored.name : undefined
  })
  const names: readonly (string | undefined)[] = ofCollection ?? key
  if (facts === undefined || names.length === 0 || names.includes(undefined)) return []
  const known = names as readonly string[]
  if (!known.every((column) => columnNamed(facts, column) !== undefined) || isUnique(facts, known)) return []
  return [
    {
      level: 'error',
      code: 'key_not_unique',
      path: collection?.key.map(({ name }) => name).join() ?? '',
      message: `the key ${nameOf(name)} (${listed(known)}) is not unique in the database: a page may lose rows that share it`,
      fix: `CREATE UNIQUE INDEX ON ${nameOf(name)} (${listed(known)})`,
    },
  ]
}

/** Compares a foreign key with the key that it refers to. Requires an index for the entries of a list. */
export function referenceFindings(database: Database, use: TableUse): Finding[] {
  const [table, parent] = [tableNamed(database, use.table), tableNamed(database, use.parent)]
  if (table === undefined || parent === undefined) return []
  const findings: Finding[] = []
  const { path, foreignKey, key } = use
  if (key.length > 0 && use.kind === 'parent' && !isUnique(parent, key)) {
    findings.push({
      level: 'error',
      code: 'key_not_unique',
      path,
      message: `${nameOf(use.parent)} (${listed(key)}) is not unique in the database: select returns a row once for each row that it refers to`,
      fix: `CREATE UNIQUE INDEX ON ${nameOf(use.parent)} (${listed(key)})`,
    })
  }
  for (const [at, name] of foreignKey.entries()) {
    const [from, to] = [columnNamed(table, name), key[at] === undefined ? undefined : columnNamed(parent, key[at]!)]
    if (from === undefined || to === undefined || familyOf(from) === familyOf(to)) continue
    findings.push({
      level: 'warning',
      code: 'key_type',
      path,
      message: `${nameOf(use.table)}.${name} is ${from.type}, and ${nameOf(use.parent)}.${to.name} is ${to.type}`,
      column: { schema: table.schema, table: table.name, name },
    })
  }
  const declared = table.foreignKeys.filter(
    ({ columns, key: referred, table: of }) =>
      String(of) === String([parent.schema, parent.name]) && pairsOf(columns, referred) === pairsOf(foreignKey, key),
  )
  if (use.isEnforced && isTable(table) && isTable(parent) && !declared.some((one) => isKept(one, parent))) {
    const [from, to] = [`${nameOf(use.table)} (${listed(foreignKey)})`, `${nameOf(use.parent)} (${listed(key)})`]
    const [sql, name] = [`FOREIGN KEY (${listed(foreignKey)}) REFERENCES ${to}`, declared[0]?.name]
    findings.push({
      level: 'error',
      code: 'foreign_key_missing',
      path,
      ...(own(parent, 'rls') === true
        ? { message: `row-level security can hide rows of ${nameOf(use.parent)}, but the mapping promises enforced` }
        : declared.some(({ validated }) => validated)
          ? {
              message: `the foreign key of ${from} to ${to} is deferrable: a transaction can read rows before it is checked, but the mapping promises enforced`,
              fix: `ALTER TABLE ${nameOf(use.table)} ALTER CONSTRAINT ${name} NOT DEFERRABLE`,
            }
          : declared.length > 0
            ? {
                message: `the foreign key of ${from} to ${to} is not valid for all rows, but the mapping promises enforced`,
                fix: `ALTER TABLE ${nameOf(use.table)} VALIDATE CONSTRAINT ${name}`,
              }
            : {
                message: `${from} has no foreign key to ${to}, but the mapping promises enforced`,
                fix:
                  database.engine === 'sqlite'
                    ? `${sql} in CREATE TABLE, and PRAGMA foreign_keys = ON in each connection that writes`
                    : `ALTER TABLE ${nameOf(use.table)} ADD ${sql}`,
              }),
    })
  }
  if (
    use.kind === 'child' &&
    database.engine !== 'duckdb' &&
    table.kind === 'table' &&
    !isIndexed(table, foreignKey, use.predicates)
  ) {
    findings.push({
      level: 'warning',
      code: 'foreign_key_index',
      path,
      message: `${nameOf(use.table)} (${listed(foreignKey)}) has no index: each condition on ${path} reads all of ${nameOf(use.table)}`,
      fix: `CREATE INDEX ON ${nameOf(use.table)} (${listed(foreignKey)})`,
    })
  }
  return findings
}

/** Whether a foreign key finds its row, also inside a transaction, and for a reader whom row-level security hides rows from. */
export const isKept = ({ validated, ...key }: ForeignKeyFacts, parent: TableFacts): boolean =>
  validated && own(key, 'deferrable') !== true && own(parent, 'rls') !== true

/** A view declares no keys. */
const isTable = ({ kind }: TableFacts): boolean => ['table', 'partitioned'].includes(kind)

const pairsOf = (columns: readonly string[], key: readonly string[]): string =>
  JSON.stringify(columns.map((column, at) => [column, key[at]]).sort())

/** Requires an index for each order that the mapping promises. */
export function orderFindings(database: Database, mapped: Mapped): Finding[] {
  const { engine } = database
  return promisedOrders(database, mapped).flatMap(({ path, need }): Finding[] => {
    // Of a table with many rows, the index has each key of the order.
    const whole = { ...need, table: { ...need.table, rows: Infinity } }
    const never = own(need, 'never')
    if (never === undefined && need.table.indexes.some((index) => serves(engine, index, whole))) return []
    const message = `${need.table.name} has no index for ${need.serves}: ${never ?? 'a filter by a few values can read more rows'}`
    const fix =
      never === undefined &&
      statementOf(database, mapped.dialect, need.table, newIndex(database, need), namesIn(database))
    return [{ level: 'warning', code: 'order_index', path, message, ...(fix && { fix }) }]
  })
}

/** The family of a type: integers of every width have one family, and texts have one. */
const familyOf = ({ typeName }: ColumnFacts): string => {
  const name = typeName.toLowerCase()
  if (/int|serial/.test(name)) return 'integer'
  return /char|text/.test(name) ? 'text' : name
}

/** Whether an index begins with some columns, in any order. */
const isIndexed = ({ indexes }: TableFacts, columns: readonly string[], where: readonly string[]): boolean =>
  indexes.some(
    (index: IndexFacts) =>
      !index.invalid &&
      hasRows(index, where) &&
      columns.every((column) =>
        index.entries.slice(0, columns.length).some((entry) => entry.column === column && entry.prefix === undefined),
      ),
  )
