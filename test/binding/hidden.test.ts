/**
 * What callers find out about hidden fields: nothing. A collection that hides fields answers every text as a collection of a schema
 * without them does, in each issue, hint and suggestion.
 */
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  and,
  buildQuery,
  defineCollection,
  defineSchema,
  field,
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
  type Fields,
  type Query,
} from '../../src/index.ts'
import { memoryBackend } from '../../src/backends/memory/index.ts'
import { checkBackend } from '../../src/tools/check-backend.ts'
import { cursorOf } from '../../src/query/cursor.ts'
import { someCollectionQuery, someCollectionText } from '../../src/kit/arbitraries.ts'
import { checkQuery, comparison, presence, some } from '../../src/tree.ts'
import { byEffort } from '../effort.ts'

const shown: Fields = {
  id: field.integer(),
  seller: field.string(),
  total: field.number({ required: true }),
  customer: field.object({ name: field.string(), city: field.string() }),
  items: field.list(field.object({ price: field.number(), product: field.string() })),
  tags: field.list(field.string()),
}
const inItems = { price: field.number(), product: field.string(), cost: field.number() }
const all: Fields = {
  ...{ tenantId: field.integer({ required: true }), id: field.integer(), seller: field.string() },
  ...{ deletedAt: field.datetime(), total: field.number({ required: true }), tenant: field.string() },
  customer: field.object({ name: field.string(), city: field.string(), taxId: field.string() }),
  items: field.list(field.object({ ...inItems, audits: field.list(field.object({ by: field.string() })) })),
  audit: field.object({ by: field.string(), at: field.datetime() }),
  tags: field.list(field.string()),
  labels: field.list(field.string()),
}
const stored = defineSchema(all)
const plainSchema = defineSchema(shown)
const hidden = [
  ...['tenantId', 'deletedAt', 'tenant', 'customer.taxId', 'items.cost', 'items.audits.by'],
  ...['audit.by', 'audit.at', 'labels'],
]
const options: [name: string, options: object][] = [
  ['everything', { sort: true, fields: true, groups: true, count: true, offset: { max: 10 } }],
  ['least', {}],
  ['narrowed', { sort: ['total'], fields: ['customer', 'items'], operators: { customer: ['exists'], total: [] } }],
]
const pairs = options.map(([name, given]) => ({
  name,
  hiding: defineCollection(stored, { key: 'id', hidden, ...given } as unknown as CollectionOptions) as Collection,
  plain: defineCollection(plainSchema, { key: 'id', ...given } as unknown as CollectionOptions) as Collection,
}))

const asked = (collection: Collection, text: string) => {
  const { reserved: _, ...result } = parseQuery(collection, text, { limits: { issues: 1_000 } })
  if (!result.ok) return result
  const { hidden: __, ...query } = result.query
  return query
}

const hiddenCursor = cursorOf(
  [
    { path: ['tenantId'], type: 'integer', direction: 'ascending' },
    { path: ['id'], type: 'integer', direction: 'ascending' },
  ],
  {
    toward: 'next',
    values: [
      { type: 'integer', value: 1 },
      { type: 'integer', value: 1 },
    ],
  },
)
const attacks = [
  ...['tenantId=5', 'tenantId[equals]=5', 'tenantId', 'tenantId=', 'tenantId[gte]=1&tenantId[lt]=2', 'tenantId=x'],
  ...['TenantId=5', 'tenantid=5', 'TENANTID=5', 'tenant_id=5', 'tenant-id=5', 'tenantI=5', 'tenantIdd=5', 'tenan=5'],
  ...['tenantId.x=5', 'x.tenantId=5', 'tenantId[x]=5', 'tenantId[in]=5,6', 'tenantId[exists]=true', '!tenantId=5'],
  ...['%74enantId=5', 'tenant%49d=5', 'tenantId%5Bgt%5D=1', 'tenantId%255Bgt%255D=1', 'tenantId>5', 'tenantId%3E=5'],
  ...['filter[tenantId]=5', 'filter[tenantId][gt]=5', 'tenantId__gte=5', 'tenantId_gte=5', 'tenantId.gte=5'],
  ...['tenantId:gt=5', 'tenantId[$gt]=5', '$filter=tenantId eq 5', 'filter=tenantId eq 5', 'where={"tenantId":5}'],
  ...['q=tenantId:5', 'tenantId==5', 'tenantId=gt:5', 'tenantId=5;tenantId=6', 'deletedAt[exists]=false'],
  ...['deletedAt[isnull]=true', 'deletedAt=null', 'deletedAt=not.is.null', 'deleted_at=2024-01-01', 'tenant=a'],
  ...['customer.taxId=1', 'customer.taxid=1', 'customer[taxId]=1', 'customer.tax=1', 'taxId=1', 'customer.taxId.x=1'],
  ...['customer[exists]=true', 'customer=1', 'items.cost=5', 'items[0].cost=5', 'items.cost[gt]=5&items.price=5'],
  ...['items__cost=5', 'cost=5', 'items.audits=1', 'items.audits.by=x', 'items.audits[exists]=true', 'by=x'],
  ...['audit=1', 'audit.by=x', 'audit[exists]=true', 'audits.by=x', 'labels=x', 'labels[in]=x,y', 'label=x'],
  ...['or=(tenantId=5,id=1)', 'not=(tenantId=5)', 'and=(tenantId=5,tenantId=6)', 'or=(items(cost=5))'],
  ...['or=(labels([startsWith]=x))', 'or=(audit(by=x))', 'or=(items(audits(by=x)))', 'or=(TenantId=5)', 'or=(labels=x'],
  ...['or=(items(price=1,coost=5))', 'or=(tenantId[gt]=1', 'not=(deletedAt[exists]=true)', 'or=(tenantId.x=1,id=1)'],
  ...['sort=tenantId', 'sort=-tenantId', 'sort=+tenantId', 'sort=tenantId desc', 'sort=tenantid', 'sort=id,tenantId'],
  ...[
    'sort=customer.taxId',
    'sort=deletedAt:desc',
    'sort=audit.at',
    'sort={"tenantId":-1}',
    'sort=tenant',
    'sort=items.cost',
  ],
  ...[
    'fields=tenantId',
    'fields=id,tenantId',
    'fields=customer.taxId',
    'fields=items.cost',
    'fields=audit',
    'fields=labels',
  ],
  ...['fields=TenantId', 'fields=tenantId id', 'fields=id;tenantId', 'fields=items.audits.by', 'fields=deleted_at'],
  ...['fields=customer(name,taxId)', 'fields=-tenantId', 'fields=*', 'fields=audit.by', 'fields=["tenantId"]'],
  `cursor=${hiddenCursor}`,
  `sort=tenantId&cursor=${hiddenCursor}`,
  `cursor=${hiddenCursor}&tenantId=5`,
  ...['limit=tenantId', 'count=tenantId', 'offset=tenantId', 'seller=tenantId', 'id=tenantId', 'nope=tenantId'],
]

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

  test('random texts over all fields are answered as without the hidden ones', () => {
    const open = defineCollection(stored, {
      ...{ key: 'id', sort: true, fields: true, groups: true, count: true, offset: { max: 10 } },
    } as unknown as CollectionOptions) as Collection
    const change = fc.constantFrom<(text: string) => string>(
      (text) => text,
      (text) => text.toUpperCase(),
      (text) => text.toLowerCase(),
      (text) => text.replaceAll('.', '__'),
      (text) => text.replace(/[a-z]/, ''),
      (text) => text.replace('=', ' '),
      (text) => text.replaceAll('[', '.'),
    )
    fc.assert(
      fc.property(someCollectionText(open), change, (text, changed) => {
        const sent = changed(text)
        const [answer, expected] = [asked(hiding, sent), asked(plain, sent)]
        // An assertion takes as long as both.
        if (!isDeepStrictEqual(answer, expected)) expect(answer).toEqual(expected)
      }),
      { numRuns: byEffort(4_000, 300) },
    )
  })

  test('random texts of the collection are queries of it', () => {
    fc.assert(
      fc.property(someCollectionText(hiding), (text) => {
        expect(parseQueryOrThrow(hiding, text).hidden).toEqual(hiding.hidden)
        expect(asked(hiding, text)).toEqual(asked(plain, text))
      }),
      { numRuns: byEffort(2_000, 200) },
    )
  })
})

const { hiding, plain } = pairs[0]!
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
    const query = restrict(parseQueryOrThrow(hiding, 'id=1&sort=-total'), filter)
    const refusal = (collection: Collection) => {
      try {
        return printQuery(collection, query)
      } catch (error) {
        return (error as FilterError).issues
      }
    }
    expect(() => printQuery(hiding, query)).toThrow(FilterError)
    expect(refusal(hiding)).toEqual(refusal(plain))
  })
})

test('a query is printed without what is hidden, and reads back as it was', () => {
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
test('a backend is checked for what callers may ask, and knows the hidden fields besides', () => {
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
test('random queries have what the collection hides, and filter by it', () => {
  const queries = fc.sample(someCollectionQuery(hiding), { seed: 1, numRuns: 500 })
  const bounded = defineCollection(stored, { key: 'id', count: { max: 5 } } as unknown as CollectionOptions)
  for (const query of queries) expect(checkQuery(query).hidden).toEqual(hiding.hidden)
  expect(JSON.stringify(queries.map(({ filter }) => filter))).toContain('"tenantId"')
  const counts = fc.sample(someCollectionQuery(bounded), { seed: 1, numRuns: 100 }).map(({ count }) => count)
  expect(new Set(counts.map((count) => JSON.stringify(count)))).toEqual(new Set(['false', '{"max":5}']))
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
  test('what is hidden is not shown where another form of its object is stored', () => {
    const odd = { id: 1, total: 1, customer: '{"taxId":"x"}', items: '[{"cost":1}]' }
    expect(pickFields(undefined, hiding.hidden)(odd)).toEqual({ id: 1, total: 1, customer: null, items: null })
  })
  test('rows stay as they are where nothing is asked or hidden', () => {
    expect(pickFields(undefined, [])(row)).toBe(row)
    expect(pickFields(undefined, undefined)(row)).toBe(row)
  })
})
