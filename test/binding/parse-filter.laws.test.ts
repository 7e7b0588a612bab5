/** The tree that a query makes: lowering, grouping by list, order, spans. */
import { expect, test } from 'vitest'
import { type Filter } from '../../src/index.ts'
import { comparison, map } from '../../src/tree.ts'
import { defineSchema, field, parseFilterOrThrow } from '../../src/index.ts'

const strip = (filter: Filter): Filter => map(filter, ({ span: _, ...node }) => node)

test('of many names that are much alike, each is its own field', () => {
  const names = ['a', 'b', 'ab', 'ba', ...Array.from({ length: 1_200 }, (_, at) => `attribute-${at}`)]
  const schema = defineSchema(Object.fromEntries(names.map((name) => [name, field.integer()])))
  for (const name of names) {
    for (const key of [`${name}[lte]`, `${name}%5Blte%5D`]) {
      expect(strip(parseFilterOrThrow(schema, `${key}=1`))).toEqual(
        comparison([name], 'lte', { type: 'integer', value: 1 }),
      )
    }
  }
})
