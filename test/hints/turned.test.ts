/** The hints and edits of turned.txt, with groups and without them. */
import { expect, test } from 'vitest'
import { defineCollection, defineSchema, field, parseQuery } from '../../src/index.ts'
import type { Collection, CollectionOptions, Issue } from '../../src/index.ts'
import { issuesIn } from '../issues.ts'
import { applied } from '../issue/suggestions.ts'
import { keyed } from '../orders.ts'
import { rowsIn } from '../rows.ts'

const schema = defineSchema({
  ...keyed.fields,
  price: field.number(),
  createdAt: field.datetime(),
  city: field.string(),
})
const options: CollectionOptions<typeof schema.fields> = {
  ...{ key: 'id', sort: ['id', 'total'], fields: ['id', 'total', 'status'], facets: ['status', 'city'] },
  ...{ search: ['note'], offset: { max: 1_000 } },
}
const withGroups = defineCollection(schema, { ...options, groups: true })
const without = defineCollection(schema, options)

const issuesOf = (of: Collection, text: string): readonly Issue[] => issuesIn(parseQuery(of, text))
/** The first hint, and the text with the edit of the first issue. */
const said = (of: Collection, text: string) => {
  const [first] = issuesOf(of, text)
  return [first?.hint, first?.suggestion && applied(text, first.suggestion)]
}

const rows = rowsIn(new URL('turned.txt', import.meta.url), 'turned').map(({ cells, place }) => {
  const [text, hint, edited, other] = cells.map((cell) => (cell === '-' ? undefined : cell))
  return { text: text!, hint, edited, other, place }
})
test.each(rows)('$text', ({ text, hint, edited, other, place }) => {
  expect(said(withGroups, text), place).toEqual([hint, edited])
  expect(said(without, text), place).toEqual([other ?? hint, other === undefined ? edited : undefined])
  if (edited !== undefined && !edited.includes('.gt.')) expect(issuesOf(withGroups, edited), place).toEqual([])
})
