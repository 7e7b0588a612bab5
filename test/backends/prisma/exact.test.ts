/** The types that JSON has no value for, and moments to the microsecond: what is sent to Prisma, and what is refused. */
import { describe, expect, test } from 'vitest'
import { prismaBackend } from '../../../src/backends/prisma/index.ts'
import { defineSchema, field, FilterError, parseFilterOrThrow } from '../../../src/index.ts'

const schema = defineSchema({
  key: field.uuid(),
  number: field.bigint(),
  price: field.decimal(),
  day: field.datetime(),
  millis: field.datetime(),
  micros: field.datetime(),
  text: field.datetime(),
})
const datamodel = (provider: string, uuid: string, type: string) => `
datasource db {
  provider = "${provider}"
}
model Row {
  id     Int @id
  key    String? ${uuid}
  number BigInt?
  price  Decimal?
  day    DateTime?
  millis DateTime? @db.${type}(3)
  micros DateTime? @db.${type}(6)
  text   String?
}`
const backends = {
  postgresql: prismaBackend({ schema, model: 'Row', datamodel: datamodel('postgresql', '@db.Uuid', 'Timestamptz') }),
  mysql: prismaBackend({
    ...{ schema, model: 'Row', collation: 'utf8mb4_0900_bin' },
    datamodel: datamodel('mysql', '@db.Char(36)', 'DateTime'),
  }),
}
const uuid = '0A1B2C3D-4E5F-4789-8ABC-DEF012345678'
const whole = '2024-01-31T10:00:00.123Z'
const fine = '2024-01-31T10:00:00.123456Z'
const at = new Date(whole)

describe.each(Object.entries(backends))('on %s', (_, { compile }) => {
  const whereOf = (query: string) => compile(parseFilterOrThrow(schema, query))
  test.each<[query: string, where: object]>([
    [`key=${uuid}`, { key: { equals: uuid.toLowerCase() } }],
    [`key[gt]=${uuid}`, { key: { gt: uuid.toLowerCase() } }],
    ['number=9007199254740993', { number: { equals: 2n ** 53n + 1n } }],
    ['number[gte]=-9223372036854775808', { number: { gte: -(2n ** 63n) } }],
    ['number[in]=-0,9223372036854775807', { number: { in: [0n, 2n ** 63n - 1n] } }],
    ['price=1.10', { price: { equals: '1.1' } }],
    ['price[lt]=1234567890123456789012345678901234', { price: { lt: '1234567890123456789012345678901234' } }],
    // MariaDB compares a longer list as doubles.
    ['price[in]=1.10,2', { OR: [{ price: { in: ['1.1'] } }, { price: { in: ['2'] } }] }],
    ['number[exists]=true', { number: { not: null } }],
    [`micros=${whole}`, { micros: { equals: at } }],
    [`micros[gt]=${whole}`, { micros: { gt: at } }],
    ...['day', 'millis'].flatMap((name): [string, object][] => [
      [`${name}=${fine}`, { OR: [] }],
      [`${name}[notEqual]=${fine}`, {}],
      [`${name}[gt]=${fine}`, { [name]: { gt: at } }],
      [`${name}[gte]=${fine}`, { [name]: { gt: at } }],
      [`${name}[lt]=${fine}`, { [name]: { lte: at } }],
      [`${name}[lte]=${fine}`, { [name]: { lte: at } }],
      [`${name}[in]=${whole},${fine}`, { [name]: { in: [at] } }],
    ]),
    [`text=${fine}`, { OR: [] }],
    [`text[gte]=${fine}`, { text: { gt: whole } }],
    [`text[lt]=${fine}`, { text: { lte: whole } }],
  ])('%s', (query, where) => {
    expect(whereOf(query)).toEqual(where)
  })
  test.each([`micros=${fine}`, `micros[gt]=${fine}`, `micros[in]=${whole},${fine}`, `micros[notEqual]=${fine}`])(
    'Prisma would cut the microseconds off: %s',
    (query) => {
      expect(() => whereOf(query)).toThrow(FilterError)
    },
  )
})

test('without digits, a timestamptz has six', () => {
  const model = datamodel('postgresql', '@db.Uuid', 'Timestamptz').replace('Timestamptz(6)', 'Timestamptz')
  const { compile } = prismaBackend({ schema, model: 'Row', datamodel: model })
  expect(() => compile(parseFilterOrThrow(schema, `micros=${fine}`))).toThrow(FilterError)
})
test('SQLite has doubles for decimals', () => {
  const priced = defineSchema({ price: field.decimal() })
  const sqlite = datamodel('sqlite', '', 'X').replace(/@db\.X\(\d\)/g, '')
  const why = 'price cannot be Row.price: Decimal does not store decimal exactly'
  expect(() => prismaBackend({ schema: priced, model: 'Row', datamodel: sqlite })).toThrow(why)
})
