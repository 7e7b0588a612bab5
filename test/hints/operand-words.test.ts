/** The message, the hint and the edited text of queries with a faulty operand, in operand-words.txt. */
import { expect, test } from 'vitest'
import { defineCollection, defineSchema, field, parseQuery, type Issue } from '../../src/index.ts'
import { issuesIn } from '../issues.ts'
import { applied } from '../issue/suggestions.ts'
import { casesIn } from '../rows.ts'

const schema = defineSchema({
  id: field.integer(),
  total: field.number(),
  money: field.decimal(),
  status: field.enumeration(['new', 'paid', 'held']),
  seller: field.string(),
  arrival: field.date(),
  at: field.datetime(),
  gift: field.boolean(),
  tags: field.list(field.string()),
})
const options = {
  key: 'id',
  fields: true,
  count: true,
  search: ['seller'],
  facets: ['status'],
  timeZone: true,
} as const
const grouped = defineCollection(schema, { ...options, groups: true })
const plain = defineCollection(schema, options)

type Told = readonly [message: string, hint?: string, edited?: string]
const issuesOf = (collection: typeof grouped, text: string): readonly Issue[] => issuesIn(parseQuery(collection, text))
const toldOf = (collection: typeof grouped, text: string): readonly Told[] =>
  issuesOf(collection, text).map(({ message, hint, suggestion }) => {
    const edited = suggestion && applied(text, suggestion)
    return edited === undefined ? (hint === undefined ? [message] : [message, hint]) : [message, hint!, edited]
  })

const rows = casesIn(new URL('operand-words.txt', import.meta.url), 'operands')

test.each(rows)('$text', ({ text, expected, place }) => expect(toldOf(grouped, text), place).toEqual(expected))

test('without groups, the hint has a condition on presence alone: status[in]=new,null', () => {
  const hint = 'for rows without a value, write status[exists]=false'
  expect(toldOf(plain, 'status[in]=new,null')).toEqual([
    ['invalid value for status: expected one of new, paid, held', hint],
  ])
})

test('the page size of another API does not become a count: _count=10', () => {
  const [issue] = issuesOf(grouped, '_count=10')
  expect(issue!.hint).toMatch(/for the size of a page, write limit=/)
  expect(applied('_count=10', issue!.suggestion!)).toBe('limit=10')
})

test('each edit leaves no issue', () => {
  const edits = rows.flatMap(({ expected: [told, ...more] }) => (more.length === 0 ? [told![2] ?? ''] : []))
  expect(edits.flatMap((edited) => issuesOf(grouped, edited).map(({ message }) => [edited, message]))).toEqual([])
})
