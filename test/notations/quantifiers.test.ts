/** `$any`, `$none` and `$all` of nestjs-paginate, on the fields of a list of objects. */
import { describe, expect, test } from 'vitest'
import { memoryBackend } from '../../src/backends/memory/index.ts'
import { nestPaginate, printNotation } from '../../src/clients/notations/index.ts'
import { defineCollection, defineSchema, field, parseQuery, parseQueryOrThrow } from '../../src/index.ts'
import { sameFilter } from '../../src/tree.ts'
import { issuesIn } from '../issues.ts'

const schema = defineSchema({
  id: field.integer(),
  note: field.string(),
  tags: field.list(field.string()),
  items: field.list(field.object({ product: field.string(), price: field.number() })),
})
const options = { key: 'id', sort: true, offset: { max: 100 }, count: true } as const
const collection = defineCollection(schema, { ...options, groups: true })
const rows = [
  { id: 1, items: [{ product: 'a', price: 1 }] },
  { id: 2, items: [{ product: 'a', price: 9 }, { product: 'b' }] },
  { id: 3, items: [] },
  { id: 4, items: [{ product: 'b', price: 5 }, { price: 7 }] },
  { id: 5, items: [{ price: 5 }] },
]
const { compile } = memoryBackend()
const notation = nestPaginate

describe('select the rows by the entries of a list', () => {
  test.each<[text: string, ids: readonly number[], printed?: string]>([
    ['filter.items.product=$any:a', [1, 2], 'filter.items.product=$eq:a'],
    ['filter.items.product=$any:$not:$eq:a', [2, 4]],
    ['filter.items.product=$any:$null', [4, 5]],
    ['filter.items.product=$none:$eq:a', [3, 4, 5]],
    ['filter.items.product=$none:$not:$eq:a', [1, 3, 5]],
    ['filter.items.product=$none:$null', [1, 2, 3]],
    ['filter.items.product=$none:$in:a,b', [3, 5]],
    // Every entry: some entry, and none with another value. An entry without a value has no other value.
    ['filter.items.product=$all:$eq:a', [1]],
    ['filter.items.product=$all:$eq:b', [4]],
    ['filter.items.product=$all:$not:$eq:a', [4]],
    ['filter.items.product=$all:$null', [5]],
    ['filter.items.price=$all:$gte:5', [2, 4, 5]],
    ['filter.items.price=$all:$btw:1,5', [1, 5]],
    ['filter.items.price=$all:$gt:5&filter.id=$gt:2', []],
    ['filter.items.product=$not:$all:a', [4], 'filter.items.product=$all:$not:$eq:a'],
  ])('%s', (text, ids, printed = text) => {
    const query = parseQueryOrThrow(collection, text, { notation })
    expect(rows.filter(compile(query.filter)).map(({ id }) => id)).toEqual(ids)
    expect(decodeURIComponent(printNotation(collection, query, notation))).toBe(printed)
    const again = parseQueryOrThrow(collection, printed, { notation })
    expect(sameFilter(again.filter, query.filter)).toBe(true)
  })
})

test.each([
  ['filter.items.product=$none:$all:a', 'operand_invalid $all'],
  ['filter.items.product=$none', 'operand_empty $none'],
  ['filter.items.price=$all:$gt:x', 'operand_invalid x'],
  ['filter.items.price=$all:$sw:x', 'operator_not_applicable $sw'],
  ['filter.items.nope=$all:a', 'field_unknown items.nope'],
  // nestjs-paginate ignores a quantifier of a column, and joins the conditions on a relation.
  ['filter.note=$none:a', 'operand_invalid $none'],
  ['filter.tags=$all:a', 'operand_invalid $all'],
  ['filter.items.product=$none:a&filter.items.price=$gt:5', 'operand_invalid $none'],
])('%s is refused', (text, issue) => {
  const found = issuesIn(parseQuery(collection, text, { notation }))
  expect(found.map(({ code, span }) => `${code} ${text.slice(span!.start, span!.end)}`)).toEqual([issue])
})

test('$none and $all require groups in the collection, $any does not', () => {
  const flat = defineCollection(schema, options)
  const hints = (text: string) => issuesIn(parseQuery(flat, text, { notation })).map(({ hint }) => hint)
  expect(hints('filter.items.product=$any:a')).toEqual([])
  expect(hints('filter.items.product=$none:a')).toEqual(['groups are not turned on here'])
  expect(hints('filter.items.product=$all:a')).toEqual(['groups are not turned on here'])
})
