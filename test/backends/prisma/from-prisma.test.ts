/** `fromPrisma`: the schema of a model, and the options that choose its fields. */
import { describe, expect, test } from 'vitest'
import { fromPrisma, prismaBackend } from '../../../src/backends/prisma/index.ts'
import { defineCollection, parseFilterOrThrow, field as fields, parseQueryOrThrow } from '../../../src/index.ts'
import type { Field } from '../../../src/index.ts'

const datasource = (provider: string) => `datasource db {\n  provider = "${provider}"\n}\n`
const modelWith = (line: string) =>
  `model M {\n  id Int @id\n  ${line}\n}\nenum Status {\n  paid\n  held @map("h")\n}\n`
const milliseconds: Field = { type: 'datetime', digits: 3, required: true }

test.each<[provider: string, line: string, field: Field | string]>([
  ['postgresql', 'f String', { type: 'string', required: true }],
  ['postgresql', 'f String?', { type: 'string' }],
  ['postgresql', 'f String[]', { type: 'list', entry: { type: 'string' } }],
  ['postgresql', 'f String @db.VarChar(191)', { type: 'string', required: true }],
  ['postgresql', 'f String? @db.Uuid', { type: 'uuid' }],
  ['postgresql', 'f String @db.Char(2)', 'no field holds String @db.Char(2) exactly'],
  ['postgresql', 'f String? @db.Citext', 'no field holds String @db.Citext exactly'],
  ['postgresql', 'f Int?', { type: 'integer' }],
  ['postgresql', 'f Int? @db.SmallInt', { type: 'integer' }],
  ['postgresql', 'f BigInt?', { type: 'bigint' }],
  ['postgresql', 'f Float?', { type: 'number' }],
  ['postgresql', 'f Float? @db.Real', 'no field holds Float @db.Real exactly'],
  ['postgresql', 'f Decimal? @db.Decimal(10, 2)', { type: 'decimal' }],
  ['postgresql', 'f Boolean', { type: 'boolean', required: true }],
  ['postgresql', 'f DateTime', milliseconds],
  ['postgresql', 'f DateTime? @db.Timestamptz', { type: 'datetime' }],
  ['postgresql', 'f DateTime? @db.Timestamptz(6)', { type: 'datetime' }],
  ['postgresql', 'f DateTime @db.Timestamptz(3)', milliseconds],
  ['postgresql', 'f DateTime? @db.Date', { type: 'date' }],
  ['postgresql', 'f Status?', { type: 'enumeration', values: ['paid', 'held'] }],
  ['postgresql', 'f Status[]', { type: 'list', entry: { type: 'enumeration', values: ['paid', 'held'] } }],
  ['postgresql', 'f Json', 'no field holds Json exactly'],
  ['postgresql', 'f Bytes?', 'no field holds Bytes exactly'],
  ['postgresql', 'NOT String', 'the name is a group of Prisma'],
  ['mysql', 'f String? @db.Char(36)', { type: 'uuid' }],
  ['mysql', 'f String? @db.Char(10)', 'no field holds String @db.Char(10) exactly'],
  ['mysql', 'f DateTime @db.DateTime', milliseconds],
  ['mysql', 'f DateTime? @db.DateTime(6)', { type: 'datetime' }],
  ['sqlite', 'f Decimal?', { type: 'number' }],
  ['sqlite', 'f DateTime', milliseconds],
])('%s: %s', (provider, line, field) => {
  const { schema, omitted } = fromPrisma(datasource(provider) + modelWith(line), 'M')
  const [name] = line.split(' ', 1) as [string]
  expect(schema.fields[name] ?? omitted[name]).toEqual(field)
  expect(Object.keys({ ...schema.fields, ...omitted })).toEqual(['id', name])
})

const files = [
  datasource('postgresql'),
  `model Order {
  seller   String
  number   Int
  note     String?
  secret   String
  meta     Json?
  customer Customer @relation(fields: [customerId], references: [id])
  customerId Int
  lines    Line[]
  tags     Tag[]
  @@id([seller, number])
  @@map("orders")
}
model Customer {
  id     Int     @id
  name   String? @map("full_name")
  hash   Bytes
  orders Order[]
}
`,
  `model Line {
  id      Int   @id
  product String
  order   Order @relation(fields: [seller, number], references: [seller, number])
  seller  String
  number  Int
}
model Tag {
  text   String  @unique
  orders Order[]
}
view Sum {
  seller String
  total  Decimal
}
`,
]
const pathsOf = (options?: Parameters<typeof fromPrisma>[2]) => [
  ...fromPrisma(files, 'Order', options).schema.paths.keys(),
]

describe('the options of findMany choose the fields', () => {
  const own = ['seller', 'number', 'note', 'secret', 'customerId']
  test.each<[options: Parameters<typeof fromPrisma>[2], paths: readonly string[]]>([
    [undefined, own],
    [{}, own],
    [{ omit: { secret: true, customerId: true, note: false } }, ['seller', 'number', 'note']],
    [{ include: { tags: true, lines: false } }, [...own, 'tags', 'tags.text']],
    [{ select: { number: true, note: false, customer: true } }, ['number', 'customer', 'customer.id', 'customer.name']],
    [
      { select: { number: true, customer: { select: { orders: { select: { note: true } } } } } },
      ['number', 'customer', 'customer.orders', 'customer.orders.note'],
    ],
    [
      { omit: { secret: true }, include: { customer: { omit: { id: true }, include: { orders: { select: {} } } } } },
      ['seller', 'number', 'note', 'customer', 'customer.name', 'customer.orders', 'customerId'],
    ],
  ])('%j', (options, paths) => {
    expect(pathsOf(options)).toEqual(paths)
  })

  test('a Json that an option names has any JSON', () => {
    const { schema } = fromPrisma(files, 'Order', { select: { number: true, meta: true } })
    expect(schema.fields).toMatchObject({ meta: fields.json() })
  })

  test('omitted has the path and the reason of each field that is not in the schema', () => {
    const { omitted } = fromPrisma(files, 'Order', { include: { customer: true } })
    expect(omitted).toEqual({
      meta: 'no field holds Json exactly',
      'customer.hash': 'no field holds Bytes exactly',
    })
  })

  test.each<[options: object, message: string]>([
    [{ select: { nota: true } }, 'options.select: Order has no field nota; did you mean note?'],
    [{ omit: { x: true } }, 'options.omit: Order has no field x'],
    [{ include: { customer: { select: { y: true } } } }, 'options of customer.select: Customer has no field y'],
    [{ select: { note: true }, omit: { secret: true } }, 'options must not have select beside include or omit'],
    [{ selct: {} }, 'options.selct is unknown; did you mean select? (available: select, include, omit)'],
    [{ select: null }, 'options.select must be an object'],
    [{ include: null }, 'options.include must be an object'],
    [{ omit: ['secret'] }, 'options.omit must be an object'],
    [{ omit: { secret: 'yes' } }, 'options.omit.secret must be true or false'],
    [{ omit: { customer: {} } }, 'options.omit.customer must be true or false'],
    [{ select: { note: { select: {} } } }, 'options.select.note must be true or false'],
    [{ include: { customer: 1 } }, 'options.include.customer must be true or false, or an object'],
    [{ include: { customer: null } }, 'options.include.customer must be true or false, or an object'],
    [{ include: { customer: [] } }, 'options of customer must be an object'],
    [{ include: { customer: { with: {} } } }, 'options of customer.with is unknown (available: select, include, omit)'],
  ])('%j is a TypeError', (options, message) => {
    expect(() => fromPrisma(files, 'Order', options)).toThrow(new TypeError(message))
  })
})

test.each<[model: string, options: Parameters<typeof fromPrisma>[2], key: readonly string[]]>([
  ['Order', {}, ['seller', 'number']],
  ['Order', { omit: { number: true } }, []],
  ['Tag', {}, ['text']],
  ['Sum', {}, []],
])('the key of %s with %j', (model, options, key) => {
  expect(fromPrisma(files, model, options).key).toEqual(key)
})

test('prismaBackend takes the result, and Prisma gets the names of the client', () => {
  const order = fromPrisma(files, 'Order', { omit: { secret: true }, include: { customer: true, tags: true } })
  const { compile, compileQuery } = prismaBackend(order)
  expect(compile(parseFilterOrThrow(order.schema, 'customer.name=Jo&tags.text=sea'))).toEqual({
    AND: [{ customer: { is: { name: { equals: 'Jo' } } } }, { tags: { some: { text: { equals: 'sea' } } } }],
  })
  const collection = defineCollection(order.schema, { key: order.key })
  expect(compileQuery(parseQueryOrThrow(collection, 'limit=1')).findMany).toEqual({
    where: {},
    orderBy: [{ seller: 'asc' }, { number: 'asc' }],
    take: 2,
    select: {
      seller: true,
      number: true,
      note: true,
      customer: { select: { id: true, name: true } },
      customerId: true,
      tags: { select: { text: true }, orderBy: [{ text: 'asc' }] },
    },
  })
})

test('a datamodel or a model that is wrong is a TypeError', () => {
  expect(() => fromPrisma(files, 'Ordr')).toThrow(
    new TypeError('model is not a model of datamodel; did you mean Order?'),
  )
  const message = 'datamodel must have a datasource whose provider is one of postgresql, mysql, sqlite'
  for (const wrong of [7, null, [], '', modelWith('f Int')]) {
    expect(() => fromPrisma(wrong as never, 'M')).toThrow(new TypeError(message))
  }
})

test('many-to-many relations are lists of Prisma: implicit ones of the other rows, explicit ones of the rows between', () => {
  const text = `
datasource db {
  provider = "postgresql"
}
model Ticket {
  id           Int           @id
  labels       Label[]
  ticketLabels TicketLabel[]
}
model Label {
  id           Int           @id
  name         String
  tickets      Ticket[]
  ticketLabels TicketLabel[]
}
model TicketLabel {
  ticketId Int
  labelId  Int
  rank     Int
  ticket   Ticket @relation(fields: [ticketId], references: [id])
  label    Label  @relation(fields: [labelId], references: [id])
  @@id([ticketId, labelId])
}
`
  const ticket = fromPrisma(text, 'Ticket', { include: { labels: true, ticketLabels: { include: { label: true } } } })
  const collection = defineCollection(ticket.schema, { key: ticket.key })
  const where = (query: string) =>
    prismaBackend(ticket).compileQuery(parseQueryOrThrow(collection, query)).findMany.where
  expect(where('labels.name=bug')).toEqual({ labels: { some: { name: { equals: 'bug' } } } })
  expect(where('labels.name[notEqual]=bug')).toEqual({ labels: { none: { name: { equals: 'bug' } } } })
  expect(where('ticketLabels.label.name=bug&ticketLabels.rank[lt]=3')).toEqual({
    ticketLabels: { some: { AND: [{ label: { is: { name: { equals: 'bug' } } } }, { rank: { lt: 3 } }] } },
  })
})
