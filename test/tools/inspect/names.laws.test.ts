/** `inspect` returns the facts that the statements of SQLite declare, for tables with random names. */
import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sqlite } from '../../../src/backends/sql/index.ts'
import { inspect } from '../../../src/tools/inspect/index.ts'
import { expressionOf, listOf } from '../../../src/tools/inspect/list-text.ts'
import { byEffort } from '../../effort.ts'
import { someTables, sortedFactsOf } from './some-tables.ts'

const declaring = {
  text: 'TEXT',
  collations: [
    ['', 'BINARY'],
    ['COLLATE NOCASE', 'NOCASE'],
    ['COLLATE rtrim', 'RTRIM'],
  ],
  hasOrder: true,
} as const

test('tables of SQLite', async () => {
  await fc.assert(
    fc.asyncProperty(someTables(declaring), async ({ ddl, facts }) => {
      const database = new DatabaseSync(':memory:')
      for (const statement of ddl) database.exec(statement)
      const { tables } = await inspect((text, parameters) => database.prepare(text).all(...(parameters as string[])), {
        dialect: sqlite,
      })
      database.close()
      expect(sortedFactsOf(tables)).toEqual(facts)
    }),
    { numRuns: byEffort(3_000, 200) },
  )
})

/** An expression with balanced parentheses, without a direction at its end. */
const { expression } = fc.letrec<{ expression: string }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom('a', '"b, ("', `'c), ''d'`, '`e(`', '[f)]', '"g""("', '1'),
    fc.array(tie('expression'), { minLength: 1, maxLength: 3 }).map((inner) => `f(${inner.join(', ')})`),
    fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => `(${a}) || (${b})`),
  ),
}))
const around = fc.constantFrom<(text: string) => string>(
  (text) => text,
  (text) => `(${text})`,
  (text) => `(( ${text}))`,
)
const someEnding = fc.constantFrom('', ' DESC', ' asc', ' COLLATE NOCASE', ' collate "x""y" DESC')
test('listOf splits the list of an index at the commas between its entries', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(expression, someEnding, around), { minLength: 1, maxLength: 4 }),
      fc.constantFrom('', `a > ',)'`),
      (entries, rest) => {
        const list = listOf(
          `CREATE INDEX "i(,""" ON t (${entries.map(([text, end, put]) => put(text) + end).join(' , ')}) ${rest}`,
        )
        expect([list.parts.map(expressionOf), list.rest]).toEqual([entries.map(([text]) => text), rest])
      },
    ),
    { numRuns: byEffort(20_000, 1_000) },
  )
})
