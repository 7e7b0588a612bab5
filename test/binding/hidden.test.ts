/**
 * What callers find out about hidden fields: nothing. A collection that hides fields answers every text as a collection of a schema
 * without them does, in each issue, hint and suggestion.
 */
import { describe, expect, test } from 'vitest'
import {
  and,
  buildQuery,
  defineCollection,
  FilterError,
  parseFilter,
  parseQuery,
  parseQueryOrThrow,
  pickFields,
  printQuery,
  restrict,
  toPage,
  where,
  type Collection,
  type CollectionOptions,
  type Filter,
  type Query,
} from '../../src/index.ts'
import { memoryBackend } from '../../src/backends/memory/index.ts'
import { checkBackend } from '../../src/tools/check-backend.ts'
import { checkQuery, comparison, presence, some } from '../../src/tree.ts'
import { stored, pairs, asked, attacks, hiding, plain } from './hidden.fixture.ts'
import { byHand } from '../by-hand.ts'

describe.each(pairs)('$name', ({ hiding, plain }) => {
  // What programs read with the whole schema is remembered for it alone.
  for (const text of attacks) parseFilter(stored, text, { groups: true })

  test.each(attacks)('%s is answered as without the fields', (text) => {
    const answer = asked(hiding, text)
    expect(answer).toEqual(asked(plain, text))
    // A message repeats a name that the caller wrote, and no other.
    const told = JSON.stringify(answer)
    for (const name of ['taxId', 'labels', 'audits', 'deletedAt', 'cost', 'tenantId'])
      if (!decodeURIComponent(text).includes(name)) expect(told).not.toContain(name)
  })
})
const w = where(stored)
const restrictions: [name: string, filter: Filter][] = [
  ['tenantId', w.equals('tenantId', 1)],
  ['deletedAt', w.exists('deletedAt', false)],
  ['customer.taxId', and(w.equals('seller', 's'), w.startsWith('customer.taxId', 'x'))],
  ['items.cost', some(['items'], comparison(['cost'], 'lt', { type: 'number', value: 1 }))],
  ['items.audits', some(['items'], some(['audits'], presence([], 'object')))],
  ['audit', presence(['audit'], 'object')],
  ['labels', some(['labels'], comparison([], 'eq', { type: 'string', value: 'x' }))],
]
describe.each(restrictions)('a filter on %s', (name, filter) => {
  test('restricts a query', () => {
    const query = restrict(parseQueryOrThrow(hiding, 'id=1'), filter)
    expect(checkQuery(JSON.parse(JSON.stringify(query)))).toEqual(query)
    expect(() => memoryBackend().compileQuery(query)([])).not.toThrow()
  })
  test('is part of no query that code builds for callers', () => {
    const build = () => buildQuery(hiding, { filter: and(w.equals('id', 1), filter) })
    expect(build).toThrow(TypeError)
    expect(build).toThrow(`${name} is hidden from callers: only a restriction can name it`)
  })
  test('is printed in no link', () => {
    const query = parseQueryOrThrow(hiding, 'id=1&sort=-total')
    expect(printQuery(hiding, restrict(query, filter))).toBe('id=1&sort=-total')
    const refusal = (collection: Collection) => {
      try {
        return printQuery(collection, byHand(query, { filter }))
      } catch (error) {
        return (error as FilterError).issues
      }
    }
    expect(() => printQuery(hiding, byHand(query, { filter }))).toThrow(FilterError)
    expect(refusal(hiding)).toEqual(refusal(plain))
  })
})

test('a query is printed without hidden fields, and reads back unchanged', () => {
  const query = parseQueryOrThrow(hiding, 'or=(id=1,items(price=2))&sort=-total&fields=customer&count=true')
  const text = printQuery(hiding, query)
  expect(text).toBe(printQuery(plain, parseQueryOrThrow(plain, text)))
  const read = parseQueryOrThrow(hiding, text)
  expect({ ...read, filter: undefined, sort: undefined }).toEqual({ ...query, filter: undefined, sort: undefined })
  expect(read.hidden).toBe(hiding.hidden)
})
test('where the collection bounds the count, the bound is not printed', () => {
  const bounded = defineCollection(stored, { key: 'id', count: { max: 5 } } as unknown as CollectionOptions)
  const query = parseQueryOrThrow(bounded, 'count=true')
  expect(printQuery(bounded, query)).toBe('count=true')
  expect(printQuery(bounded, { ...query, count: true })).toBe('count=true')
  expect(printQuery(bounded, { ...query, count: false })).toBe('')
})
test('reserved names may be those of hidden fields', () => {
  const { ok, reserved } = parseQuery(hiding, 'tenantId=7', { reserved: ['tenantId'] })
  expect([ok, reserved.get('tenantId')]).toEqual([true, ['7']])
})
test('a backend is checked for the filters of callers, and knows the hidden fields besides', () => {
  const asked: Filter[] = []
  const { name, capabilities, ...memory } = memoryBackend()
  const backend = {
    ...{ name, capabilities, compileQuery: memory.compileQuery },
    compile: (filter: Filter) => (asked.push(filter), memory.compile(filter)),
  }
  checkBackend(hiding, backend)
  expect(asked.length).toBeGreaterThan(20)
  expect(JSON.stringify(asked)).not.toMatch(/tenant|deletedAt|taxId|cost|audit|labels/)
})

describe('rows of a page, cut down', () => {
  const row = {
    ...{ tenantId: 1, id: 2, seller: 's', total: 5, deletedAt: null, more: 'undeclared' },
    customer: { name: 'Jo', taxId: 'x', more: 1 },
    items: [{ price: 1, cost: 2, audits: [{ by: 'a' }] }, null, 'odd', [{ cost: 3 }]],
    ...{ audit: { by: 'a' }, labels: ['x'], tags: ['t', null] },
  }
  const cut = (query: Query) => toPage(query, [row]).rows.map(pickFields(query.fields, query.hidden))
  test.each([
    [
      '',
      {
        ...{ id: 2, seller: 's', total: 5, more: 'undeclared', customer: { name: 'Jo', more: 1 } },
        ...{ items: [{ price: 1 }, null, null, [{}]], tags: ['t', null] },
      },
    ],
    ['fields=customer,items', { customer: { name: 'Jo', more: 1 }, items: [{ price: 1 }, null, null, [{}]] }],
    ['fields=items.price,id', { items: [{ price: 1 }, null, null, [{}]], id: 2 }],
  ])('%s', (text, expected) => expect(cut(parseQueryOrThrow(hiding, text))).toEqual([expected]))
  test('a hidden field stays hidden if its object is stored in another form', () => {
    const odd = { id: 1, total: 1, customer: '{"taxId":"x"}', items: '[{"cost":1}]' }
    expect(pickFields(undefined, hiding.hidden)(odd)).toEqual({ id: 1, total: 1, customer: null, items: null })
  })
  test('rows stay unchanged without fields and hidden fields', () => {
    expect(pickFields(undefined, [])(row)).toBe(row)
    expect(pickFields(undefined, undefined)(row)).toBe(row)
  })
})
