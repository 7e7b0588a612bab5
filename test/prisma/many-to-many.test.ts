/** Lists behind a join table, read by generated clients: the implicit relation of Prisma, and the explicit one with a model between. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { memoryBackend } from '../../src/backends/memory/index.ts'
import { fromPrisma, prismaBackend } from '../../src/backends/prisma/index.ts'
import { defineCollection, parseQueryOrThrow } from '../../src/index.ts'
import { datamodelOf, generate, isInstalled, opening, type Database, type Generated } from './client.ts'

const models = `
model Ticket {
  id           Int           @id
  title        String?
  labels       Label[]
  ticketLabels TicketLabel[]
}
model Label {
  id           Int           @id
  name         String?
  weight       Int?
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
const labels = [
  { id: 1, name: 'bug', weight: 5 },
  { id: 2, name: 'Bug', weight: null },
  { id: 3, name: 'sea', weight: 1 },
  { id: 4, name: null, weight: 9 },
]
/** The labels of each ticket. Ticket 4 has none. */
const links: readonly (readonly [ticket: number, label: number])[] = [
  ...([1, 3] as const).map((label) => [1, label] as const),
  ...([2, 3, 4] as const).map((label) => [2, label] as const),
  ...([1, 4] as const).map((label) => [3, label] as const),
]
const titles = ['first', null, 'third', 'fourth']
const rows = titles.map((title, at) => {
  const own = links.filter(([ticket]) => ticket === at + 1).map(([, label]) => labels[label - 1]!)
  const between = own.map((label) => ({ ticketId: at + 1, labelId: label.id, rank: label.id * 10, label }))
  return { id: at + 1, title, labels: own, ticketLabels: between }
})

/** The ids that each query selects, worked out by hand. */
const cases: Readonly<Record<string, readonly number[]>> = {
  'labels.name=bug': [1, 3],
  'labels.name[notEqual]=bug': [2, 4],
  'labels.name[in]=Bug,sea': [1, 2],
  'labels.name[nin]=Bug,sea': [3, 4],
  'labels.name[equalsIgnoreCase]=BUG': [1, 2, 3],
  'labels.name[exists]=false': [4],
  'labels[exists]=true': [1, 2, 3],
  'labels[exists]=false': [4],
  'labels.name[all]=bug,sea': [1],
  'labels.weight[gt]=4': [1, 2, 3],
  'labels.name=sea&labels.weight=1': [1, 2],
  'labels.name=sea&labels.weight[gt]=1': [],
  'and=(labels.name=sea)&and=(labels.weight[gt]=1)': [1, 2],
  'and=(labels(name=bug,weight=5))&sort=-id': [3, 1],
  'not=(labels(name=sea,weight=1))': [3, 4],
  'ticketLabels.label.name=bug': [1, 3],
  'ticketLabels.label.name[notEqual]=bug': [2, 4],
  'ticketLabels.label.name=sea&ticketLabels.rank=30': [1, 2],
  'ticketLabels.label.name=sea&ticketLabels.rank[lt]=30': [],
  'ticketLabels.rank[gte]=40': [2, 3],
  'ticketLabels[exists]=false': [4],
}

describe.skipIf(!isInstalled).each(Object.entries(opening))('Prisma on %s', (name, open) => {
  let database: Database
  let generated: Generated
  beforeAll(async () => {
    database = await open()
    const { run, quote, declared, provider } = database
    const text = declared.string!
    const columns = {
      Ticket: `id INTEGER PRIMARY KEY, title ${text}`,
      Label: `id INTEGER PRIMARY KEY, name ${text}, weight INTEGER`,
      TicketLabel: `${quote('ticketId')} INTEGER, ${quote('labelId')} INTEGER, ${quote('rank')} INTEGER`,
      _LabelToTicket: `${quote('A')} INTEGER, ${quote('B')} INTEGER`,
    }
    for (const [table, list] of Object.entries(columns)) await run(`CREATE TABLE ${quote(table)} (${list})`)
    generated = await generate(database, datamodelOf(provider, models))
    const { ticket, label, ticketLabel } = generated.client
    for (const data of labels) await label!.create({ data })
    for (const { id, title, labels, ticketLabels } of rows) {
      await ticket!.create({ data: { id, title, labels: { connect: labels.map((one) => ({ id: one.id })) } } })
      for (const { label: __, ...data } of ticketLabels) await ticketLabel!.create({ data })
    }
  })
  afterAll(async () => {
    await generated?.remove()
    await database?.close()
  })

  const compiled = (text: string) => {
    const { provider, collation } = database
    const mapped = fromPrisma(datamodelOf(provider, models), 'Ticket', {
      include: { labels: true, ticketLabels: { include: { label: true } } },
    })
    const collection = defineCollection(mapped.schema, {
      key: mapped.key,
      ...{ sort: true, fields: true, count: true, groups: true },
    })
    const backend = prismaBackend({ ...mapped, ...(collation !== undefined && { collation }) })
    const query = parseQueryOrThrow(collection, text)
    return { query, ...backend.compileQuery(query) }
  }

  // A collation of MySQL that ignores no case finds no other spelling of a letter.
  const asked = Object.entries(cases).filter(([text]) => !(/^m/.test(name) && text.includes('IgnoreCase')))
  test.each(asked)('%s selects and counts the rows that memory does', async (text, ids) => {
    const { query, findMany, count, page } = compiled(text)
    const { ticket } = generated.client
    const found = page(await ticket!.findMany(findMany))
    expect(found.rows.map((row) => (row as { readonly id: number }).id)).toEqual(ids)
    expect(await ticket!.count(count)).toBe(ids.length)
    const inMemory = rows.filter(memoryBackend().compile(query.filter)).map(({ id }) => id)
    expect(inMemory.toSorted()).toEqual(ids.toSorted())
  })

  test('a page contains the entries of both lists, in the order of their keys', async () => {
    const { findMany, page } = compiled('fields=id,labels,ticketLabels.rank,ticketLabels.label.name&limit=2')
    const [first, second] = page(await generated.client.ticket!.findMany(findMany)).rows
    expect(first).toEqual({
      id: 1,
      labels: [labels[0], labels[2]],
      ticketLabels: [
        { rank: 10, label: { name: 'bug' } },
        { rank: 30, label: { name: 'sea' } },
      ],
    })
    expect(second).toMatchObject({ id: 2, labels: [labels[1], labels[2], labels[3]] })
  })

  test('a condition on the number of entries is refused', () => {
    expect(() => compiled('labels[atLeast]=2')).toThrow(
      'labels is a list, whose entries Prisma does not count in a filter',
    )
  })
})
