/** What generated clients return, as rows of the schema, by hand: every type, both ends of what it holds, and how rows nest. */
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { prismaBackend } from '../../src/backends/prisma/index.ts'
import { defineCollection, defineSchema, field, parseQueryOrThrow } from '../../src/index.ts'
import { datamodelOf, generate, isInstalled, opening, type Database, type Generated } from './client.ts'
import { isComplete } from '../effort.ts'

const schema = defineSchema({
  id: field.bigint(),
  uid: field.uuid(),
  guests: field.integer(),
  total: field.number(),
  gift: field.boolean(),
  status: field.enumeration(['paid', 'held']),
  day: field.date(),
  at: field.datetime(),
  meta: field.object({ size: field.integer(), of: field.list(field.object({ no: field.bigint() })) }),
  customer: field.object({ name: field.string(), country: field.object({ code: field.string() }) }),
  tags: field.list(field.string()),
  items: field.list(field.object({ product: field.string(), parts: field.list(field.integer()) })),
})
const price = defineSchema({ ...schema.fields, price: field.decimal() })
/** Prisma has lists of scalars on PostgreSQL alone. */
const lists = defineSchema({
  ...price.fields,
  words: field.list(field.string()),
  numbers: field.list(field.bigint()),
  prices: field.list(field.decimal()),
})
const schemas = { sqlite: schema, mysql: price, postgresql: lists }

const modelsOf = (provider: Database['provider']) => {
  const on = (native: string, providers: readonly string[] = ['postgresql', 'mysql']) =>
    providers.includes(provider) ? native : ''
  return `
model Row {
  id         BigInt    @id
  uid        String?   ${on('@db.Uuid', ['postgresql'])} ${on('@db.Char(36)', ['mysql'])}
  guests     Int?
  total      Float?
  gift       Boolean?
  status     Status?
  day        DateTime? ${on('@db.Date')}
  at         DateTime?
  meta       Json?
  customerId Int?
  customer   Customer? @relation(fields: [customerId], references: [id])
  tags       Tag[]
  items      Item[]
  ${on('price Decimal? @db.Decimal(50, 20)')}
  ${on('words String[]\n numbers BigInt[]\n prices Decimal[]', ['postgresql'])}
}
model Customer {
  id        Int      @id
  name      String?
  countryId Int?
  country   Country? @relation(fields: [countryId], references: [id])
  rows      Row[]
}
model Country {
  id        Int        @id
  code      String
  customers Customer[]
}
model Tag {
  rowId BigInt
  place Int
  text  String?
  row   Row     @relation(fields: [rowId], references: [id])

  @@id([rowId, place])
}
model Item {
  id      Int     @id
  product String?
  rowId   BigInt
  row     Row     @relation(fields: [rowId], references: [id])
  parts   Part[]
}
model Part {
  id     Int  @id
  no     Int?
  itemId Int
  item   Item @relation(fields: [itemId], references: [id])
}
enum Status {
  paid
  held @map("on hold")
}
`
}
const many = 10_000
const whole = {
  id: '9223372036854775807',
  uid: '0a1b2c3d-4e5f-4789-8abc-def012345678',
  guests: -2_147_483_648,
  total: 5e-324,
  gift: true,
  status: 'held',
  day: '0100-02-28',
  at: '2024-01-31T23:59:59.999Z',
  meta: { size: 3, of: [{ no: '9007199254740993' }, null] },
  customer: { name: null, country: { code: 'DE' } },
  // Not in the order in which they are stored.
  tags: ['first', null, 'last'],
  items: [
    { product: 'bed', parts: [1, null] },
    { product: null, parts: [] },
  ],
}
const prices = { price: '-12345678901234567890123.12345678901' }
const wholeIn = {
  sqlite: whole,
  mysql: { ...whole, ...prices },
  postgresql: {
    ...whole,
    ...prices,
    words: ['a', ''],
    numbers: ['-9223372036854775808'],
    prices: ['0.00000000000000000001'],
  },
}
const none = (provider: Database['provider']) => ({
  ...Object.fromEntries(Object.keys(wholeIn[provider]).map((name) => [name, null])),
  ...{ id: '-9223372036854775808', tags: [], items: [] },
  ...(provider === 'postgresql' && { words: [], numbers: [], prices: [] }),
})

describe.skipIf(!isInstalled).each(Object.entries(opening))('Prisma on %s', (_, open) => {
  let database: Database
  let generated: Generated
  beforeAll(async () => {
    database = await open()
    const { run, quote, declared, provider } = database
    const isPostgres = provider === 'postgresql'
    if (isPostgres) await run(`CREATE TYPE ${quote('Status')} AS ENUM ('paid', 'on hold')`)
    const [int, text] = [isPostgres ? 'int' : 'INTEGER', declared.string!]
    const json = { postgresql: 'jsonb', mysql: 'json', sqlite: 'JSONB' }[provider]
    const tables: Readonly<Record<string, Readonly<Record<string, string | undefined>>>> = {
      Row: {
        ...{ id: 'bigint PRIMARY KEY', uid: isPostgres ? 'uuid' : text, guests: int, total: declared.number },
        ...{ gift: declared.boolean, day: declared.date, at: declared.datetime, meta: json, customerId: int },
        status: { postgresql: quote('Status'), mysql: "ENUM('paid', 'on hold')", sqlite: 'TEXT' }[provider],
        ...(provider !== 'sqlite' && { price: 'decimal(50, 20)' }),
        ...(isPostgres && { words: 'text[]', numbers: 'bigint[]', prices: 'decimal[]' }),
      },
      Customer: { id: `${int} PRIMARY KEY`, name: text, countryId: int },
      Country: { id: `${int} PRIMARY KEY`, code: text },
      Tag: { rowId: 'bigint', place: int, text },
      Item: { id: `${int} PRIMARY KEY`, product: text, rowId: 'bigint' },
      Part: { id: `${int} PRIMARY KEY`, no: int, itemId: int },
    }
    for (const [table, columns] of Object.entries(tables)) {
      const declarations = Object.entries(columns).map(([name, declared]) => `${quote(name)} ${declared}`)
      await run(`CREATE TABLE ${quote(table)} (${declarations.join(', ')})`)
    }
    generated = await generate(database, datamodelOf(provider, modelsOf(provider)))
    const { row, tag, item } = generated.client
    const { tags: _, items: __, customer: ___, ...values } = wholeIn[provider]
    await row!.create({
      data: {
        ...values,
        id: 2n ** 63n - 1n,
        day: new Date(whole.day),
        meta: { size: 3, of: [{ no: '9007199254740993', more: 1 }, null], secret: 'x' },
        ...('numbers' in values && { numbers: [-(2n ** 63n)] }),
        customer: { create: { id: 1, country: { create: { id: 1, code: 'DE' } } } },
      },
    })
    const ofWhole = { rowId: 2n ** 63n - 1n }
    for (const place of [2, 0, 1]) await tag!.create({ data: { ...ofWhole, place, text: whole.tags[place] } })
    await item!.create({ data: { id: 2, ...ofWhole } })
    const parts = { create: [2, 1].map((id) => ({ id, no: id === 1 ? 1 : null })) }
    await item!.create({ data: { id: 1, product: 'bed', ...ofWhole, parts } })
    await row!.create({ data: { id: -(2n ** 63n) } })
  })
  afterAll(async () => {
    await generated?.remove()
    await database?.close()
  })

  const compiled = (text: string) => {
    const { provider, collation } = database
    const known = schemas[provider] as typeof schema
    const collection = defineCollection(known, { key: 'id', fields: true, sort: ['at', 'total', 'customer.name'] })
    const backend = prismaBackend({
      ...{ schema: known, datamodel: datamodelOf(provider, modelsOf(provider)), model: 'Row' },
      ...(collation !== undefined && { collation }),
      fields: { tags: { value: 'text' }, 'items.parts': { value: 'no' } },
    })
    return backend.compileQuery(parseQueryOrThrow(collection, text))
  }
  const pageOf = async (text: string) => {
    const { findMany, page } = compiled(text)
    return page(await generated.client.row!.findMany(findMany))
  }

  test('every type, missing rows, and lists in the order of their keys', async () => {
    const { rows, next } = await pageOf('')
    const expected = [none(database.provider), wholeIn[database.provider]]
    expect(rows).toEqual(expected)
    expect(JSON.stringify(rows)).toBe(JSON.stringify(expected))
    expect(next).toBeUndefined()
  })
  test('some fields, inside rows and lists too', async () => {
    const { rows } = await pageOf('fields=customer.country,items.parts,meta.of.no&sort=-id&limit=1')
    const { customer, items, meta } = whole
    expect(rows).toEqual([
      {
        meta: { of: meta.of },
        customer: { country: customer.country },
        items: items.map(({ parts }) => ({ parts })),
      },
    ])
  })
  test('pages by a moment, a double and a row beside', async () => {
    for (const sort of ['at', 'total', 'customer.name']) {
      const first = await pageOf(`sort=${sort}&limit=1&fields=id`)
      const second = await pageOf(`sort=${sort}&limit=1&fields=id&cursor=${first.next}`)
      expect([...first.rows, ...second.rows]).toEqual([{ id: '-9223372036854775808' }, { id: '9223372036854775807' }])
      expect(second.next).toBeUndefined()
      expect(await pageOf(`sort=${sort}&limit=1&fields=id&cursor=${second.previous}`)).toMatchObject({
        rows: first.rows,
      })
    }
  })
  test('ten thousand rows of a list', async () => {
    const { run, quote } = database
    const at = Array.from({ length: many }, (_, at) => many - at)
    for (let from = 0; from < many; from += 1_000) {
      const values = at.slice(from, from + 1_000).map((place) => `(-9223372036854775808, ${place}, 't${place}')`)
      await run(
        `INSERT INTO ${quote('Tag')} (${['rowId', 'place', 'text'].map(quote).join(', ')}) VALUES ${values.join(', ')}`,
      )
    }
    const { rows } = await pageOf('fields=tags&limit=1')
    await run(`DELETE FROM ${quote('Tag')} WHERE place > 2`)
    expect(rows).toEqual([{ tags: at.toReversed().map((place) => `t${place}`) }])
  })
  test.runIf(isComplete)("the client's own types take what is compiled, and give what is read", async () => {
    const file = join(generated.folder, 'types.ts')
    await writeFile(
      file,
      `import type { PrismaClient } from './client/client.ts'
import type { PrismaQuery } from '../../../../src/backends/prisma/index.ts'
export const pageOf = async ({ row }: PrismaClient, { findMany, count, page, read }: PrismaQuery) => {
  const found = await row.findMany(findMany)
  const total: number = await row.count(count)
  return { ...page(found), first: read(found[0]), total }
}
`,
    )
    const tsc = join(import.meta.dirname, '../../node_modules/typescript/bin/tsc')
    const options =
      '--ignoreConfig --noEmit --strict --target esnext --module nodenext --skipLibCheck --allowImportingTsExtensions'
    await promisify(execFile)(process.execPath, [tsc, ...options.split(' '), '--types', 'node', file]).catch(
      ({ stdout }: { readonly stdout: string }) => expect.fail(stdout),
    )
  })
})
