/** What docs/internals/prisma.md says that Prisma does otherwise: it still does, and the backend does not let it through. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { prismaBackend } from '../../src/backends/prisma/index.ts'
import { defineCollection, defineSchema, field, FilterError, not, parseQueryOrThrow } from '../../src/index.ts'
import type { Filter, Schema } from '../../src/index.ts'
import { comparison, match, membership, some, type LiteralType } from '../../src/tree.ts'
import { datamodelOf, generate, isInstalled, opening, type Database, type Generated } from './client.ts'

const schema = defineSchema({
  id: field.integer(),
  name: field.string(),
  code: field.string(),
  total: field.number(),
  moment: field.datetime(),
  status: field.enumeration(['paid', 'lost']),
  uid: field.string(),
})
const fineSchema = defineSchema({ micros: field.datetime(), price: field.decimal() })
/** Where a column has microseconds, and decimals are exact: in Prisma's schema, and in the database. */
const fineOf: Readonly<Partial<Record<Database['provider'], readonly [string, string]>>> = {
  postgresql: [
    'micros DateTime? @db.Timestamptz(6)\n price Decimal? @db.Decimal(40, 6)',
    'micros timestamptz(6), price decimal(40, 6)',
  ],
  mysql: [
    'micros DateTime? @db.DateTime(6)\n price Decimal? @db.Decimal(40, 6)',
    'micros datetime(6), price decimal(40, 6)',
  ],
}
/** Prisma has lists of scalars on PostgreSQL alone. */
const listSchema = defineSchema({ totals: field.list(field.number()) })
const fieldsOf = (provider: Database['provider']) => `
model Row {
  id     Int       @id
  name   String?
  code   String
  total  Float?
  moment DateTime?
  status Status?
  uid    String?   ${provider === 'postgresql' ? '@db.Uuid' : ''}
  ${provider === 'postgresql' ? 'totals Float[]' : ''}
  ${fineOf[provider]?.[0] ?? ''}
}
enum Status {
  paid
}
model Odd {
  id          BigInt    @id
  constructor String
  moment      DateTime?
}
`
const text = (value: string) => ({ type: 'string' as const, value })
const compared = (path: string, operator: 'eq' | 'gt' | 'lt', type: LiteralType, value: unknown) =>
  comparison([path], operator, { type, value } as never)

/** As the guide has it. */
const mostOperands: Readonly<Record<string, number>> = {
  sqlite: 997,
  postgresql: 32_764,
  mysql: 65_533,
  mariadb: 65_533,
}

describe.skipIf(!isInstalled).each(Object.entries(opening))('Prisma on %s', (name, open) => {
  let database: Database
  let generated: Generated
  const datamodel = () => datamodelOf(database.provider, fieldsOf(database.provider))
  beforeAll(async () => {
    database = await open()
    const { quote, declared, run, provider } = database
    if (provider === 'postgresql') await run(`CREATE TYPE ${quote('Status')} AS ENUM ('paid')`)
    const status = { postgresql: quote('Status'), mysql: "ENUM('paid')", sqlite: 'TEXT' }[provider]
    const columns = [
      `id ${provider === 'postgresql' ? 'int' : 'INTEGER'} PRIMARY KEY`,
      `name ${declared.string}`,
      `code ${declared.string} NOT NULL`,
      `total ${declared.number}`,
      `moment ${declared.datetime}`,
      `status ${status}`,
      `uid ${provider === 'postgresql' ? 'uuid' : declared.string}`,
      ...(provider === 'postgresql' ? ['totals double precision[]'] : []),
      ...(fineOf[provider] === undefined ? [] : [fineOf[provider][1]]),
    ]
    await run(`CREATE TABLE ${quote('Row')} (${columns.join(', ')})`)
    const odd = `id bigint PRIMARY KEY, ${quote('constructor')} ${declared.string}, moment ${declared.datetime}`
    await run(`CREATE TABLE ${quote('Odd')} (${odd})`)
    const values = ["1, 'a_b', 'x', 4.1574463438717595e165", "2, NULL, 'x', NULL", "3, 'ab', 'y', 0.1"]
    for (const row of values) await run(`INSERT INTO ${quote('Row')} (id, name, code, total) VALUES (${row})`)
    generated = await generate(database, datamodel())
  })
  afterAll(async () => {
    await generated?.remove()
    await database?.close()
  })

  const ids = async (where: object) => {
    const rows = await generated.client.row!.findMany({ where, select: { id: true } })
    return rows.map(({ id }) => id as number).sort((a, b) => a - b)
  }
  const whereOf = (filter: Filter, fields: Schema = schema) => {
    const { collation } = database
    const options = {
      schema: fields,
      datamodel: datamodel(),
      model: 'Row',
      ...(collation !== undefined && { collation }),
    }
    return prismaBackend(options).compile(filter)
  }
  const selected = (filter: Filter) => ids(whereOf(filter))
  const refuses = (filter: Filter) => expect(() => whereOf(filter)).toThrow(FilterError)

  test('NOT leaves out null', async () => {
    expect(await ids({ NOT: { name: { equals: 'ab' } } })).toEqual([1])
    expect(await selected(not(compared('name', 'eq', 'string', 'ab')))).toEqual([1, 2])
  })
  test('wildcards are not escaped', async () => {
    expect(await ids({ name: { contains: '_' } })).toEqual([1, 3])
    if (name === 'sqlite') {
      expect(await ids({ name: { contains: '\\_' } })).toEqual([])
      refuses(match(['name'], 'substring', '_'))
    } else expect(await selected(match(['name'], 'substring', '_'))).toEqual([1])
  })
  test('fractions are cut off for an Int', async () => {
    expect(await ids({ id: { equals: 1.5 } })).toEqual([1])
    expect(await selected(compared('id', 'eq', 'number', 1.5))).toEqual([])
  })
  test('an Int is compared within 32 bits', async () => {
    const asked = ids({ id: { lt: 3_000_000_000 } })
    if (name === 'postgresql') await expect(asked).rejects.toThrow('out of range')
    else expect(await asked).toEqual([1, 2, 3])
    expect(await selected(compared('id', 'lt', 'integer', 3_000_000_000))).toEqual([1, 2, 3])
  })
  test('large numbers are rounded to sixteen digits', async () => {
    expect(await ids({ total: { equals: 4.1574463438717595e165 } })).toEqual([])
    expect(await ids({ total: { gt: 4.15744634387175e165 } })).toEqual([1])
    refuses(compared('total', 'eq', 'number', 4.1574463438717595e165))
    expect(await selected(compared('total', 'gt', 'number', 4.15744634387175e165))).toEqual([1])
  })
  describe('one whole number beyond 32 bits in a list', () => {
    // The first is rounded to the second.
    const [long, short] = [0.30000000000000004, 0.3]
    const large = [2 ** 31, -(2 ** 31) - 1, 2 ** 53, 1e22]
    const numbers = (values: readonly number[]) => values.map((value) => ({ type: 'number' as const, value }))
    const all = [long, short, 2, 12345678901234568, ...large]
    const rows = new Map(all.map((total, at) => [total, at + 10]))
    const isOwn = (id: number) => id >= 10
    beforeAll(async () => {
      const { run, quote, placeholder, provider } = database
      const hasLists = provider === 'postgresql'
      for (const [total, id] of rows) {
        const columns = `id, code, total${hasLists ? ', totals' : ''}`
        const values = `${id}, 'l', ${placeholder(1)}${hasLists ? `, ARRAY[${total}]` : ''}`
        await run(`INSERT INTO ${quote('Row')} (${columns}) VALUES (${values})`, [total])
      }
    })
    afterAll(async () => {
      await database.run(`DELETE FROM ${database.quote('Row')} WHERE id >= 10`)
    })

    test('rounds the other entries to sixteen digits', async () => {
      const asked = await ids({ total: { in: [long, 1e22] } })
      expect(asked).toEqual([rows.get(short), rows.get(1e22)])
      if (name !== 'postgresql') return
      expect(await ids({ totals: { hasSome: [long, 1e22] } })).toEqual(asked)
    })
    test.each(large)('%d', async (whole) => {
      // 17 digits that 64 bits hold.
      const filter = membership(['total'], numbers([long, 12345678901234568, 2, whole]))
      const expected = [long, 2, 12345678901234568, whole].map((total) => rows.get(total)!)
      const left = [...rows.values()].filter((id) => !expected.includes(id))
      expect(await selected(filter)).toEqual(expected)
      expect((await selected(not(filter))).filter(isOwn)).toEqual(left)
      if (name !== 'postgresql') return
      const inList = some(['totals'], membership([], numbers([long, 12345678901234568, 2, whole])))
      expect(await ids(whereOf(inList, listSchema))).toEqual(expected)
      expect((await ids(whereOf(not(inList), listSchema))).filter(isOwn)).toEqual(left)
    })
  })
  test('a statement with too many operands is cut into several, each with some of the list', async () => {
    const many = mostOperands[name]! + 1
    const names = ['ab', ...Array.from({ length: many - 1 }, (_, at) => `n${at}`)]
    const cut = await ids({ NOT: { name: { in: [...names, ...names.map((one) => `${one}'`)] } } })
    expect(cut.filter((id) => id === 3).length).toBeGreaterThan(0)
    expect(cut.filter((id) => id === 1).length).toBeGreaterThan(1)
    refuses(membership(['name'], names.map(text)))
    expect(await selected(not(membership(['name'], names.slice(1).map(text))))).toEqual([1, 2, 3])
  })
  test('the most operands go in one statement, with take and skip', async () => {
    const most = mostOperands[name]!
    const names = ['ab', ...Array.from({ length: most - 1 }, (_, at) => `n${at}`)].map(text)
    const where = whereOf(not(membership(['name'], names)))
    const rows = await generated.client.row!.findMany({ where, orderBy: { id: 'asc' }, take: 2, skip: 1 })
    expect(rows.map(({ id }) => id)).toEqual([2])
  })
  test('the deepest where is read', async () => {
    const nested = (levels: number): Filter => {
      const one = compared('moment', 'gt', 'datetime', '2024-01-01T00:00:00.000Z')
      return levels === 0
        ? one
        : {
            kind: 'and',
            filters: [one, { kind: 'or', filters: [compared('id', 'eq', 'integer', 1), nested(levels - 1)] }],
          }
    }
    expect(await selected(nested(24))).toEqual([])
    refuses(nested(25))
    let where: object = { id: 1 }
    for (let level = 0; level < 70; level++) where = { AND: [where, { id: 1 }] }
    await expect(ids(where)).rejects.toThrow('recursion limit')
  })
  test('an enum has its own values alone', async () => {
    await expect(ids({ status: { equals: 'lost' } })).rejects.toThrow('Expected Status')
    expect(await selected(compared('status', 'eq', 'string', 'lost'))).toEqual([])
  })
  test('null is an error for a required field', async () => {
    await expect(ids({ code: null })).rejects.toThrow('must not be null')
    expect(await selected(not(compared('code', 'eq', 'string', 'x')))).toEqual([3])
  })
  test('a UUID is compared with UUIDs alone', async () => {
    const asked = ids({ uid: { equals: 'x' } })
    if (name === 'postgresql') {
      await expect(asked).rejects.toThrow('uuid')
      refuses(compared('uid', 'gt', 'string', 'x'))
    } else expect(await asked).toEqual([])
    expect(await selected(compared('uid', 'eq', 'string', 'x'))).toEqual([])
  })
  test('microseconds are cut off operands, and decimals of a list are doubles on MariaDB', async () => {
    const { run, quote, provider } = database
    if (fineOf[provider] === undefined) return
    const long = '1234567890123456789012345678901234'
    const zone = provider === 'postgresql' ? '+00' : ''
    for (const [id, micros, price] of [
      [30, '.123', '1.1'],
      [31, '.123456', `${long}.000001`],
      [32, '.123457', `${long}.000002`],
    ]) {
      const values = `${id}, 'm', '2024-01-31 10:00:00${micros}${zone}', ${price}`
      await run(`INSERT INTO ${quote('Row')} (id, code, micros, price) VALUES (${values})`)
    }
    const fine = '2024-01-31T10:00:00.123456Z'
    expect(await ids({ micros: { equals: fine } })).toEqual([30])
    expect(() => whereOf(compared('micros', 'eq', 'datetime', fine), fineSchema)).toThrow(FilterError)
    const whole = '2024-01-31T10:00:00.123Z'
    expect(await ids(whereOf(compared('micros', 'gt', 'datetime', whole), fineSchema))).toEqual([31, 32])
    const listed = await ids({ price: { in: ['1.1', `${long}.000001`] } })
    expect(listed).toEqual(name === 'mariadb' ? [30, 31, 32] : [30, 31])
    const decimals = ['1.1', `${long}.000001`].map((value) => ({ type: 'decimal' as const, value }))
    expect(await ids(whereOf(membership(['price'], decimals), fineSchema))).toEqual([30, 31])
    await run(`DELETE FROM ${quote('Row')} WHERE id >= 30`)
  })
  test('undefined makes a condition vanish', async () => {
    expect(await ids({ name: { equals: undefined } })).toEqual([1, 2, 3])
  })
  test('a field named constructor keeps the client from reading the others', async () => {
    const id = 2n ** 63n - 1n
    const moment = '2024-01-31T10:00:00.123Z'
    const model = generated.client.odd!
    await model.create({ data: { id, constructor: 'x', moment: new Date(moment) }, select: { id: true } })
    const odd = defineSchema({ id: field.bigint(), constructor: field.string(), moment: field.datetime() })
    const { collation } = database
    const { compileQuery } = prismaBackend({
      ...{ schema: odd, datamodel: datamodel(), model: 'Odd' },
      ...(collation !== undefined && { collation }),
    })
    const query = parseQueryOrThrow(defineCollection(odd, { key: 'id' }), '')
    const { findMany, page } = compileQuery(query)
    const found = await model.findMany(findMany)
    expect(found).toMatchObject([{ id: { $type: 'BigInt', value: String(id) }, moment: { $type: 'DateTime' } }])
    expect(page(found).rows).toEqual([{ id: String(id), constructor: 'x', moment }])
  })
  test('early years are read as others on MySQL', async () => {
    const { run, quote, stored } = database
    const early = '0049-01-01T00:00:00.000Z'
    const moment = String(stored('datetime', early))
    await run(`INSERT INTO ${quote('Row')} (id, code, moment) VALUES (4, 'z', '${moment}')`)
    const filter = compared('moment', 'eq', 'datetime', early)
    const [row] = await generated.client.row!.findMany({ where: whereOf(filter) })
    const read = (row!.moment as Date).toISOString()
    expect(read).toBe(database.provider === 'mysql' ? '2049-01-01T00:00:00.000Z' : early)
    await run(`DELETE FROM ${quote('Row')} WHERE id = 4`)
  })
})
