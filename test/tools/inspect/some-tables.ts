/** Random tables whose names contain quotes, commas and parentheses, and the facts that `inspect` must return. */
import fc from 'fast-check'
import type { TableFacts } from '../../../src/tools/inspect/index.ts'

/** The type of texts, the collations and the orders of indexes that an engine declares. */
export interface Declaring {
  readonly text: string
  /** The declaration of a collation, and its name in the description. */
  readonly collations: readonly (readonly [declared: string, name: string])[]
  readonly hasOrder: boolean
}

const someName = fc
  .array(
    fc.constantFrom('a', 'B', '"', "'", '`', ',', '(', ')', '[', ']', ' ', '--', '/*', '?', '$1', 'é', 'COLLATE x'),
    {
      minLength: 1,
      maxLength: 5,
    },
  )
  .map((parts) => parts.join(''))
  // An engine may cut off spaces at the ends of a name.
  .map((name) => `${name}n`)
/** Names that begin with a letter, which the names of the engine's own indexes do not begin with. */
const someNames = (letter: string, count: { minLength: number; maxLength: number }) =>
  fc.uniqueArray(
    someName.map((name) => letter + name),
    { ...count, selector: (name) => name.toLowerCase() },
  )

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

/** The facts that a law compares. */
export const factsOf = (tables: readonly TableFacts[]) =>
  tables.map(({ name, columns, keys, foreignKeys, indexes }) => ({
    name,
    columns: columns.map((column) => [column.name, column.notNull, column.collation?.name]),
    keys: keys.map((key) => [key.primary, ...key.columns]),
    parents: foreignKeys.map(({ columns, table, key }) => [columns, table[1], key]),
    indexes: indexes
      .filter((index) => index.name.startsWith('i'))
      .map((index) => [
        index.name,
        index.entries.map((entry) => [entry.column ?? entry.expression!.slice(0, 6), entry.descending]),
      ])
      .sort(),
  }))

/** Statements that create a parent table and a table, and their facts. */
export const someTables = ({ text, collations, hasOrder }: Declaring) =>
  fc
    .record({
      tables: someNames('t', { minLength: 2, maxLength: 2 }),
      columns: someNames('c', { minLength: 1, maxLength: 6 }),
      indexes: someNames('i', { minLength: 0, maxLength: 3 }),
      notNull: fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }),
      collation: fc.array(fc.constantFrom(...collations), { minLength: 6, maxLength: 6 }),
      entries: fc.array(
        fc.uniqueArray(fc.tuple(fc.nat(), fc.boolean(), fc.boolean()), {
          minLength: 1,
          maxLength: 3,
          selector: ([at]) => at % 6,
        }),
        { minLength: 3, maxLength: 3 },
      ),
      key: fc.nat(),
    })
    .map(({ tables: [parent, name], columns, indexes, notNull, collation, entries, key }) => {
      const keyed = columns[key % columns.length]!
      const declarations = columns.map(
        (column, at) => `${quoted(column)} ${text} ${collation[at]![0]} ${notNull[at] ? 'NOT NULL' : ''}`,
      )
      const foreign = `FOREIGN KEY (${quoted(keyed)}) REFERENCES ${quoted(parent!)} (${quoted(keyed)})`
      const created = indexes.map((index, at) => {
        const parts = entries[at]!.map(([column, isExpression, isDescending]) => ({
          column: columns[column % columns.length]!,
          isExpression,
          isDescending: isDescending && hasOrder,
        }))
        const texts = parts.map(
          ({ column, isExpression, isDescending }) =>
            `${isExpression ? `(lower(${quoted(column)}))` : quoted(column)}${isDescending ? ' DESC' : ''}`,
        )
        return {
          ddl: `CREATE INDEX ${quoted(index)} ON ${quoted(name!)} (${texts.join(', ')})`,
          facts: [
            index,
            parts.map(({ column, isExpression, isDescending }) => [isExpression ? 'lower(' : column, isDescending]),
          ],
        }
      })
      const facts = [
        {
          name: parent,
          columns: [[keyed, true, collations[0]![1]]],
          keys: [[true, keyed]],
          parents: [],
          indexes: [],
        },
        {
          name,
          columns: columns.map((column, at) => [column, notNull[at], collation[at]![1]]),
          keys: [],
          parents: [[[keyed], parent, [keyed]]],
          indexes: created.map(({ facts }) => facts).sort(),
        },
      ]
      return {
        ddl: [
          `CREATE TABLE ${quoted(parent!)} (${quoted(keyed)} ${text} NOT NULL PRIMARY KEY)`,
          `CREATE TABLE ${quoted(name!)} (${[...declarations, foreign].join(', ')})`,
          ...created.map(({ ddl }) => ddl),
        ],
        drop: [name!, parent!].map((table) => `DROP TABLE IF EXISTS ${quoted(table)}`),
        facts: facts.sort((a, b) => (a.name! < b.name! ? -1 : 1)),
      }
    })

/** Facts of tables in the order of their names. */
export const sortedFactsOf = (tables: readonly TableFacts[]) =>
  factsOf(tables).sort((a, b) => (a.name < b.name ? -1 : 1))
