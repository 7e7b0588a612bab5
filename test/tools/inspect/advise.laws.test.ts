/** For all names, SQLite executes the statements of `advise`, and no index is missing then. */
import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { childTable, parentTable, sqlite, table } from '../../../src/backends/sql/index.ts'
import { defineCollection, defineSchema, field } from '../../../src/index.ts'
import { advise, inspect } from '../../../src/tools/inspect/index.ts'
import { byEffort } from '../../effort.ts'

const schema = defineSchema({
  id: field.integer({ required: true }),
  tenant: field.integer({ required: true }),
  total: field.integer(),
  name: field.string(),
  owner: field.object({ name: field.string() }),
  items: field.list(field.object({ product: field.string() })),
})
const collection = defineCollection(schema, {
  key: 'id',
  sort: ['total', 'name'],
  defaultSort: '-total,name',
  hidden: ['tenant'],
})

/** Names with the words and signs by which `advise` reads statements. No name has a question mark, because the backend refuses it. */
const someName = fc
  .array(
    fc.constantFrom(
      '"',
      "'",
      '`',
      '(',
      ')',
      '.',
      ',',
      '[',
      ']',
      '$1',
      '--',
      '/*',
      ' AND ',
      ' WHERE ',
      ' = ',
      ' COLLATE "C"',
      ' ASC',
      'EXISTS',
      'a',
      'B',
      'ß',
    ),
    { minLength: 1, maxLength: 5 },
  )
  .map((parts) => parts.join(''))
const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

test('statements for random names', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(someName, { minLength: 11, maxLength: 11, selector: (name) => name.toLowerCase() }),
      async ([orders, owners, items, id, tenant, total, name, ownerId, ownerName, orderId, product]) => {
        const database = new DatabaseSync(':memory:')
        const create = (of: string, ...columns: readonly string[]) =>
          database.exec(`CREATE TABLE ${quoted(of)} (${quoted(id!)} INTEGER PRIMARY KEY, ${columns.join(', ')})`)
        create(
          orders!,
          ...[tenant, total, ownerId].map((one) => `${quoted(one!)} INTEGER`),
          `${quoted(name!)} TEXT COLLATE NOCASE`,
        )
        create(owners!, `${quoted(ownerName!)} TEXT`)
        create(items!, `${quoted(orderId!)} INTEGER`, `${quoted(product!)} TEXT`)
        const mapped = table(orders!, {
          schema,
          key: id!,
          columns: {
            id: id!,
            tenant: tenant!,
            total: total!,
            name: name!,
            owner: parentTable(owners!, { key: id!, foreignKey: ownerId!, columns: { name: ownerName! } }),
            items: childTable(items!, { key: id!, foreignKey: orderId!, columns: { product: product! } }),
          },
        })
        const missing = async () => {
          const described = await inspect(
            (text, parameters) => database.prepare(text).all(...(parameters as string[])),
            { dialect: sqlite },
          )
          const advice = advise(described, {
            dialect: sqlite,
            table: mapped,
            collection,
            restriction: ['tenant'],
            all: true,
          })
          return advice.flatMap(({ statement }) => statement ?? [])
        }
        const statements = await missing()
        expect(statements).toHaveLength(9)
        for (const statement of statements) database.exec(statement)
        expect(await missing()).toEqual([])
        database.close()
      },
    ),
    { numRuns: byEffort(500, 50) },
  )
})
