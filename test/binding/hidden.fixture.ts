/** What the tests of hidden and its laws share. */
import { defineCollection, defineSchema, field, parseQuery } from '../../src/index.ts'
import type { Collection, CollectionOptions, Fields } from '../../src/index.ts'
import { cursorOf } from '../../src/query/cursor.ts'

export const shown: Fields = {
  id: field.integer(),
  seller: field.string(),
  total: field.number({ required: true }),
  customer: field.object({ name: field.string(), city: field.string() }),
  items: field.list(field.object({ price: field.number(), product: field.string() })),
  tags: field.list(field.string()),
}
export const inItems = { price: field.number(), product: field.string(), cost: field.number() }
export const all: Fields = {
  ...{ tenantId: field.integer({ required: true }), id: field.integer(), seller: field.string() },
  ...{ deletedAt: field.datetime(), total: field.number({ required: true }), tenant: field.string() },
  customer: field.object({ name: field.string(), city: field.string(), taxId: field.string() }),
  items: field.list(field.object({ ...inItems, audits: field.list(field.object({ by: field.string() })) })),
  audit: field.object({ by: field.string(), at: field.datetime() }),
  tags: field.list(field.string()),
  labels: field.list(field.string()),
}
export const stored = defineSchema(all)
export const plainSchema = defineSchema(shown)
export const hidden = [
  ...['tenantId', 'deletedAt', 'tenant', 'customer.taxId', 'items.cost', 'items.audits.by'],
  ...['audit.by', 'audit.at', 'labels'],
]
export const options: [name: string, options: object][] = [
  ['everything', { sort: true, fields: true, groups: true, count: true, offset: { max: 10 } }],
  ['least', {}],
  ['narrowed', { sort: ['total'], fields: ['customer', 'items'], operators: { customer: ['exists'], total: [] } }],
]
export const pairs = options.map(([name, given]) => ({
  name,
  hiding: defineCollection(stored, { key: 'id', hidden, ...given } as unknown as CollectionOptions) as Collection,
  plain: defineCollection(plainSchema, { key: 'id', ...given } as unknown as CollectionOptions) as Collection,
}))

export const asked = (collection: Collection, text: string) => {
  const { reserved: _, ...result } = parseQuery(collection, text, { limits: { issues: 1_000 } })
  if (!result.ok) return result
  const { hidden: __, ...query } = result.query
  return query
}

export const hiddenCursor = cursorOf(
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
export const attacks = [
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

export const { hiding, plain } = pairs[0]!
