/** The file of `pull` is code made of the names in a database: whatever the names, it loads, and declares tables with these names alone. */
import { pathToFileURL } from 'node:url'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Table } from '../../../src/backends/sql/index.ts'
import { pull, type ColumnFacts, type Database, type TableFacts } from '../../../src/tools/inspect/index.ts'
import { byEffort } from '../../effort.ts'

const src = join(import.meta.dirname, '../../../src')
const files = [
  [`'urlwhere'\n`, 'index.ts'],
  [`'urlwhere/sql'\n`, 'backends/sql/index.ts'],
] as const
const load = (source: string): Promise<Readonly<Record<string, unknown>>> => {
  const linked = files.reduce(
    (text, [name, file]) => text.replace(name, () => `'${pathToFileURL(join(src, file)).href}'\n`),
    source,
  )
  return import(`data:text/javascript,${encodeURIComponent(linked)}`)
}

const evil = ';globalThis.evil=1;'
const pieces = [
  'a',
  'B',
  '_',
  ' ',
  '2',
  '²',
  'é',
  '"',
  "'",
  '`',
  '\\',
  '\n',
  '\r',
  '\u2028',
  '*/',
  '/*',
  '//',
  '${',
  '}',
  ')',
  evil,
]
const words = [
  'orders',
  'Table',
  'Collection',
  'Fields',
  'Columns',
  'child',
  'parent',
  'class',
  'constructor',
  '__proto__',
]
const someName = fc
  .array(fc.oneof(fc.constantFrom(...pieces), fc.constantFrom(...words), fc.string({ unit: 'binary', maxLength: 2 })), {
    minLength: 1,
    maxLength: 4,
  })
  .map((parts) => parts.join(''))
  // PostgreSQL has no empty names.
  .filter((name) => name !== '' && !name.includes('\0'))
const names = (least: number) => fc.uniqueArray(someName, { minLength: least, maxLength: 4 })

const columnOf = (name: string, type: string, more: Partial<ColumnFacts> = {}): ColumnFacts => ({
  name,
  type,
  typeName: type,
  notNull: true,
  readable: true,
  ...more,
})
const someTable = fc
  .record({ name: someName, columns: names(2), values: names(1), schema: someName })
  .map(({ name, columns: [key, ...others], values, schema }): TableFacts => ({
    schema,
    name,
    kind: 'table',
    readable: true,
    columns: [
      columnOf(key!, 'int8'),
      ...others.map((one, at) =>
        at % 2 === 0
          ? columnOf(one, 'text', { default: evil })
          : columnOf(one, one, { enum: values, typeSchema: schema }),
      ),
    ],
    keys: [{ columns: [key!], primary: true, nullsDistinct: true }],
    foreignKeys: [],
    indexes: [],
  }))
/** Each table refers to the one before it. */
const someDatabase = fc
  .uniqueArray(someTable, {
    minLength: 1,
    maxLength: 4,
    selector: ({ schema, name }) => JSON.stringify([schema, name]),
  })
  .map((tables): Database => ({
    engine: 'postgres',
    session: { version: evil, searchPath: [] },
    schemas: [],
    tables: tables.map((table, at) => {
      const other = tables[at - 1]
      if (other === undefined) return table
      const reference = { table: [other.schema, other.name] as const, key: other.keys[0]!.columns, validated: true }
      return { ...table, foreignKeys: [{ ...reference, columns: [table.columns[0]!.name] }] }
    }),
  }))

test('the file of random names', async () => {
  await fc.assert(
    fc.asyncProperty(someDatabase, fc.constantFrom('camel', 'same'), async (database, style) => {
      const { lists } = pull(database, { names: style })
      const { source, tables } = pull(database, { names: style, lists: lists.map(({ name }) => name) })
      const module = await load(source)
      expect(tables.map(({ exported }) => (module[`${exported}Table`] as Table).name)).toEqual(
        database.tables.map(({ schema, name }) => [schema, name]),
      )
      const ends = ['', 'Table', 'Collection']
      const expected = tables.flatMap(({ exported }) => ends.map((end) => exported + end))
      expect(Object.keys(module).filter((name) => !expected.includes(name))).toEqual([])
      expect(globalThis).not.toHaveProperty('evil')
    }),
    { numRuns: byEffort(2_000, 150) },
  )
})
