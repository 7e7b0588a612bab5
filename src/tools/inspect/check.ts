/** `check`: compares a mapping with the description of a database. */
import { sqlBackend, type Table } from '../../backends/sql/index.ts'
import { checkOptions } from '../../options.ts'
import { columnFindings, described } from './column-findings.ts'
import { own } from '../../own.ts'
import type { Database } from './database.ts'
import type { Finding } from './finding.ts'
import { keyFindings, orderFindings, referenceFindings } from './key-findings.ts'
import { columnNamed, nameOf, tableNamed } from './names.ts'
import { sessionFindings } from './session.ts'
import { usesOf, type Mapped, type Uses } from './uses.ts'

/**
 * Compares a mapping with the description of a database. It reads no database, so it can run in a test against a stored description.
 *
 * @returns the differences, errors first. `check` reads no rows: `checkColumns` does.
 * @throws TypeError if an option is wrong, or if `sqlBackend` refuses the mapping.
 * @example
 * const described = await inspect((text, parameters) => file.prepare(text).all(...parameters), { dialect: sqlite })
 * const schema = defineSchema({ id: field.integer(), paid: field.boolean() })
 * const [finding] = check(described, { dialect: sqlite, table: table('orders', { schema, key: 'id' }) })
 * finding?.message // => 'orders has no column paid, or this user may not read it'
 */
export function check(database: Database, mapped: Mapped): readonly Finding[] {
  const { dialect, table } = checkOptions(mapped, 'options', ['dialect', 'table', 'collection'])
  // It throws for a mapping that the dialect cannot store.
  sqlBackend({ dialect, table })
  const uses = usesOf(dialect, table)
  const findings = [
    ...missing(database, table, uses),
    ...described(database, uses).flatMap((one) => columnFindings(database, mapped, one)),
    ...keyFindings(database, mapped),
    ...uses.tables.flatMap((use) => referenceFindings(database, use)),
    ...orderFindings(database, mapped),
    ...sessionFindings(database, dialect, uses),
  ]
  return findings.toSorted((a, b) => levels.indexOf(a.level) - levels.indexOf(b.level))
}
const levels: readonly Finding['level'][] = ['error', 'warning', 'info']

function missing(database: Database, table: Table, { columns, tables }: Uses): Finding[] {
  const names = [table.name, ...tables.flatMap(({ table, parent }) => [table, parent])]
  const distinct = new Map(names.map((name) => [nameOf(name), name]))
  const absent = Array.from(distinct.values()).filter((name) => tableNamed(database, name) === undefined)
  const used = [
    ...columns.map(({ path, table, stored }) => [path, table, stored.name] as const),
    ...tables.flatMap(({ path, table, foreignKey, parent, key }) => [
      ...foreignKey.map((name) => [path, table, name] as const),
      ...key.map((name) => [path, parent, name] as const),
    ]),
    ...table.key.map((name) => ['', table.name, name] as const),
    ...Object.keys(own(table, 'where') ?? {}).map((name) => ['', table.name, name] as const),
    ...tables.flatMap(({ path, joined, conditions }) => conditions.map((name) => [path, joined, name] as const)),
  ]
  const seen = new Set<string>()
  return [
    ...absent.map((name): Finding => {
      const message = `the database has no table ${nameOf(name)}, or this user may not read it`
      return { level: 'error', code: 'table_missing', path: '', message }
    }),
    ...used.flatMap(([path, name, column]): Finding[] => {
      const facts = tableNamed(database, name)
      const place = `${nameOf(name)}.${column}`
      if (facts === undefined || columnNamed(facts, column) !== undefined || seen.has(place)) return []
      seen.add(place)
      const like = facts.columns.find((one) => bare(one.name) === bare(column))
      return [
        {
          level: 'error',
          code: 'column_missing',
          path,
          message: `${nameOf(name)} has no column ${column}, or this user may not read it`,
          ...(like && { fix: `map it to '${like.name}'` }),
        },
      ]
    }),
  ]
}
const bare = (name: string): string => name.toLowerCase().replaceAll('_', '')
