/** Filters as a `where`, by hand. test/prisma asks generated clients what they select. */
import { describe, expect, test } from 'vitest'
import { prismaBackend, type PrismaOptions } from '../../../src/backends/prisma/index.ts'
import { and, defineSchema, field, not, or, parseFilterOrThrow } from '../../../src/index.ts'
import type { Field, Filter, FilterError, Issue } from '../../../src/index.ts'
import { comparison, count, match, membership, presence, some } from '../../../src/tree.ts'
import { documentOf, statements } from '../statements.ts'

const schema = defineSchema({
  id: field.integer(),
  seller: field.string(),
  nick: field.string(),
  status: field.enumeration(['paid', 'held', 'lost']),
  guests: field.integer(),
  count: field.integer(),
  total: field.number(),
  price: field.number(),
  gift: field.boolean(),
  day: field.date(),
  moment: field.datetime(),
  uid: field.string(),
  customer: field.object({ name: field.string(), city: field.string(), of: field.object({ code: field.string() }) }),
  owner: field.object({ name: field.string() }),
  tags: field.list(field.string()),
  marks: field.list(field.integer()),
  totals: field.list(field.number()),
  days: field.list(field.date()),
  labels: field.list(field.string()),
  items: field.list(field.object({ arrival: field.date(), price: field.number() })),
})
const models = `
model Order {
  id Int @id
  seller String
  nickname String?
  nickname_lower String?
  status Status?
  guests Int?
  count BigInt?
  total Float?
  price Decimal?
  gift Boolean?
  day DateTime? @db.Date
  moment DateTime?
  uid String? @db.Uuid
  customer Customer? @relation(fields: [customerId], references: [id])
  owner Person @relation(fields: [ownerId], references: [id])
  tags String[]
  marks Int[]
  totals Float[]
  days DateTime[] @db.Date
  labels Label[]
  items Item[]
}
model Customer {
  id Int @id
  name String?
  city String
  of Country @relation(fields: [ofId], references: [id])
}
model Country {
  code String?
}
model Person {
  name String?
}
model Label {
  text String?
}
model Item {
  arrival DateTime?
  price Float
}
enum Status {
  paid
  held
}`
const datamodel = `datasource db {\n  provider = "postgresql"\n}\n${models}`
const options: PrismaOptions = {
  schema,
  datamodel,
  model: 'Order',
  fields: { nick: { name: 'nickname' }, labels: { value: 'text' } },
}
const { compile, capabilities } = prismaBackend(options)
const read = (query: string) => parseFilterOrThrow(schema, query)

describe('a query becomes', () => {
  test.each(statements('prisma'))('%s', (query, document, _, place) => {
    expect(compile(read(query)), place).toEqual(documentOf(document))
  })

  test('booleans, for which Prisma has no `in`, are compared one by one', () => {
    const any = membership(
      ['gift'],
      [
        { type: 'boolean', value: true },
        { type: 'boolean', value: false },
      ],
    )
    expect(compile(any)).toEqual({ OR: [{ gift: { equals: true } }, { gift: { equals: false } }] })
    expect(compile(not(any))).toEqual({
      AND: [
        { OR: [{ NOT: { gift: { equals: true } } }, { gift: null }] },
        { OR: [{ NOT: { gift: { equals: false } } }, { gift: null }] },
      ],
    })
  })

  test('constants: `{}` selects all rows, `OR: []` none', () => {
    expect(compile(or())).toEqual({ OR: [] })
    expect(compile(and(read('seller=s-1'), not(or())))).toEqual({ seller: { equals: 's-1' } })
    expect(compile(and(read('seller=s-1'), or()))).toEqual({ OR: [] })
    expect(compile(or(read('seller=s-1'), and()))).toEqual({})
    expect(compile(some(['items'], and()))).toEqual({ items: { some: {} } })
    expect(compile(not(some(['items'], or())))).toEqual({})
    expect(compile(presence([], 'object'))).toEqual({})
    expect(compile(not(presence([], 'object')))).toEqual({ OR: [] })
    for (const path of [[], ['seller'], ['customer']]) {
      expect(compile(membership(path, []))).toEqual({ OR: [] })
      expect(compile(not(membership(path, [])))).toEqual({})
    }
    expect(compile(not(membership(['customer', 'name'], [])))).toEqual({})
    expect(compile(not(and(read('seller=a'), read('nick=b'))))).toEqual({
      OR: [{ NOT: { seller: { equals: 'a' } } }, { OR: [{ NOT: { nickname: { equals: 'b' } } }, { nickname: null }] }],
    })
  })
})

/** What a comparison of `path` with a number is. */
const asked = (path: string, operator: 'eq' | 'gt' | 'gte' | 'lt' | 'lte', value: number) =>
  compile(comparison([path], operator, { type: 'number', value }))
const nothing = { OR: [] }

describe('numbers that the column lacks', () => {
  test.each([
    // Prisma would cut the fraction off, and find 1.
    ['guests', 'eq', 1.5, nothing],
    ['guests', 'gt', 1.5, { guests: { gt: 1 } }],
    ['guests', 'gte', 1.5, { guests: { gt: 1 } }],
    ['guests', 'lt', -1.5, { guests: { lte: -2 } }],
    ['guests', 'lte', -1.5, { guests: { lte: -2 } }],
    // Beyond 32 bits the database raises an error.
    ['guests', 'eq', 2 ** 31, nothing],
    ['guests', 'eq', 2 ** 31 - 1, { guests: { equals: 2 ** 31 - 1 } }],
    ['guests', 'gt', 2 ** 31, nothing],
    ['guests', 'lt', 2 ** 31, { guests: { not: null } }],
    ['guests', 'lte', 2 ** 31 - 0.5, { guests: { lte: 2 ** 31 - 1 } }],
    ['guests', 'gte', -(2 ** 31) - 0.5, { guests: { not: null } }],
    ['guests', 'gte', -(2 ** 31), { guests: { gte: -(2 ** 31) } }],
    ['guests', 'lt', -(2 ** 31) - 1, nothing],
    ['guests', 'eq', -(2 ** 31) - 1, nothing],
    ['count', 'gt', 2 ** 31, { count: { gt: 2 ** 31 } }],
    ['count', 'gt', 2 ** 60, { count: { gt: 2n ** 60n } }],
    ['count', 'gt', 2 ** 63, nothing],
    ['count', 'lte', 1e300, { count: { not: null } }],
    ['total', 'gt', 0.1, { total: { gt: 0.1 } }],
    ['total', 'gt', 1e300, { total: { gt: 1e300 } }],
    // Seventeen digits: Prisma rounds whole numbers alone.
    ['total', 'gt', 0.1 + 0.2, { total: { gt: 0.30000000000000004 } }],
    // 64 bits hold it.
    ['total', 'eq', 2 ** 60 + 256, { total: { equals: 2 ** 60 + 256 } }],
    ['price', 'eq', 1e21, { price: { equals: '1e+21' } }],
    ['price', 'eq', 0.1, { price: { equals: '0.1' } }],
  ] as const)('%s %s %s', (path, operator, value, expected) => {
    expect(asked(path, operator, value)).toEqual(expected)
  })
  test('Prisma rounds the list of a Float with a whole number beyond 32 bits, so that goes in another list', () => {
    const filter = read('total[in]=0.30000000000000004,1e22,-2147483648,2147483648,-2147483649,2147483647')
    const [small, large] = [
      [0.30000000000000004, -(2 ** 31), 2 ** 31 - 1],
      [1e22, 2 ** 31, -(2 ** 31) - 1],
    ]
    expect(compile(filter)).toEqual({ OR: [{ total: { in: small } }, { total: { in: large } }] })
    expect(compile(not(filter))).toEqual({
      AND: [
        { OR: [{ NOT: { total: { in: small } } }, { total: null }] },
        { OR: [{ NOT: { total: { in: large } } }, { total: null }] },
      ],
    })
    expect(compile(read('total[in]=1e22,1e23'))).toEqual({ total: { in: [1e22, 1e23] } })
    expect(compile(read('count[in]=1,4294967296'))).toEqual({ count: { in: [1, 2 ** 32] } })
    expect(compile(read('totals[in]=0.5,1e22,1'))).toEqual({
      OR: [{ totals: { hasSome: [0.5, 1] } }, { totals: { has: 1e22 } }],
    })
    expect(compile(read('totals[nin]=0.5,1e22'))).toEqual({
      AND: [0.5, 1e22].map((entry) => ({ OR: [{ NOT: { totals: { has: entry } } }, { totals: { equals: null } }] })),
    })
  })
  test('complements select the other rows', () => {
    const filter = comparison(['guests'], 'lt', { type: 'number', value: 1e10 })
    expect(compile(not(filter))).toEqual({ guests: null })
    expect(compile(not(comparison(['guests'], 'gt', { type: 'number', value: 1e10 })))).toEqual({})
  })
})

describe('a scalar list is compared by whole entries', () => {
  const entry = (value: string) => comparison([], 'eq', { type: 'string', value })
  test.each<[filter: Filter, expected: object]>([
    [or(entry('a'), entry('b')), { tags: { hasSome: ['a', 'b'] } }],
    [or(entry('a'), presence([], 'string')), { tags: { isEmpty: false } }],
    [or(presence([], 'string'), entry('a')), { tags: { isEmpty: false } }],
    [and(presence([], 'string'), entry('a')), { tags: { has: 'a' } }],
    [and(entry('a'), presence([], 'string')), { tags: { has: 'a' } }],
    [and(or(entry('a'), entry('b')), or(entry('b'), entry('c'))), { tags: { has: 'b' } }],
    [and(entry('a'), entry('b')), nothing],
    [or(), nothing],
    [and(), { tags: { isEmpty: false } }],
  ])('%j', (filter, expected) => {
    expect(compile(some(['tags'], filter))).toEqual(expected)
  })
  test('no entry is a fraction where whole numbers are stored', () => {
    expect(compile(some(['marks'], comparison([], 'eq', { type: 'number', value: 1.5 })))).toEqual(nothing)
  })
  test('days are the same by their time', () => {
    const day = (value: string) => comparison([], 'eq', { type: 'date', value })
    const filter = and(or(day('2024-01-01'), day('2024-01-02')), day('2024-01-02'))
    expect(compile(some(['days'], filter))).toEqual({ days: { has: new Date('2024-01-02') } })
  })
})

const issuesOf = (filter: Filter, own = compile) => {
  try {
    return own(filter)
  } catch (error) {
    return (error as FilterError).issues
  }
}
const refusal = (message: string, more: Partial<Issue> = {}) => [
  { code: 'backend_refused', fault: 'server', message, parameters: expect.anything() as unknown, ...more },
]
const tooLarge = (message: string, more: Partial<Issue> = {}) =>
  refusal(message, {
    ...more,
    hint: 'ask for less at once: fewer conditions, shorter lists, fewer groups inside groups',
  })

describe('a refusal', () => {
  test('names every condition that Prisma cannot express, and its place', () => {
    expect(issuesOf(read('seller=s-1&tags[startsWith]=s&uid[contains]=1'))).toEqual([
      {
        code: 'backend_unsupported',
        fault: 'server',
        message: 'an entry of tags is in a scalar list: Prisma compares entries by equality alone',
        parameters: { problem: 'storage', field: 'an entry of tags' },
        span: { start: 11, end: 29 },
        path: 'tags',
      },
      {
        code: 'backend_unsupported',
        fault: 'server',
        message: 'uid is not stored as text',
        parameters: { problem: 'storage', field: 'uid' },
        span: { start: 30, end: 45 },
        path: 'uid',
      },
    ])
  })
  test.each<[why: string, filter: Filter, message: string, code?: string]>([
    [
      'order in an enum',
      comparison(['status'], 'gt', { type: 'string', value: 'held' }),
      'status cannot be compared',
      'backend_refused',
    ],
    ['text in an enum', match(['status'], 'prefix', 'h'), 'status is not stored as text'],
    [
      'a number that is rounded',
      comparison(['total'], 'eq', { type: 'number', value: Number.MAX_VALUE }),
      'total cannot',
      'backend_refused',
    ],
    [
      'a UUID that is none',
      comparison(['uid'], 'gt', { type: 'string', value: 'x' }),
      'uid cannot be compared',
      'backend_refused',
    ],
    ['an unknown field', presence(['nope'], 'string'), 'the schema has no field "nope"', 'backend_unmapped'],
    [
      'not, in a scalar list',
      some(['tags'], not(comparison([], 'eq', { type: 'string', value: 'a' }))),
      'an entry of tags is in',
      'backend_refused',
    ],
    [
      'an order in a scalar list',
      some(['marks'], comparison([], 'gt', { type: 'integer', value: 1 })),
      'an entry of marks is in',
    ],
    ['under not too', not(match(['status'], 'prefix', 'h')), 'status is not stored as text'],
    ['beside what is false', and(or(), match(['status'], 'prefix', 'h')), 'status is not stored as text'],
  ])('%s', (_, filter, message, code = 'backend_unsupported') => {
    expect(issuesOf(filter)).toEqual([
      expect.objectContaining({
        code,
        // A filter without spans is the program's.
        fault: 'server',
        message: expect.stringContaining(message) as string,
      }),
    ])
  })
  test('Prisma counts no entries, whatever the schema is', () => {
    const counted = (fault: Issue['fault'], more: object = {}) => ({
      ...{ code: 'backend_unsupported', fault, path: 'tags', ...more },
      message: 'tags is a list, whose entries Prisma does not count in a filter',
      parameters: { problem: 'kind', kind: 'count', field: 'tags' },
    })
    expect(issuesOf(read('seller=s-1&tags[atLeast]=2'))).toEqual([counted('client', { span: { start: 11, end: 26 } })])
    for (const filter of [count(['tags'], 'string', 'gte', 2), not(count(['tags'], 'string', 'lte', 0))])
      expect(issuesOf(filter)).toEqual([counted('server')])
    // It excludes no row by itself: the issue stays under an `or`.
    expect(issuesOf(or(read('seller=a'), count(['tags'], 'string', 'gte', 1)))).toEqual([counted('server')])
  })
  test('the start that no other text follows has no upper bound', () => {
    const last = '\u{10ffff}'
    expect(compile(match(['seller'], 'prefixExact', last))).toStrictEqual({ seller: { gte: last } })
    expect(compile(match(['seller'], 'prefixExact', 'a'))).toStrictEqual({ seller: { gte: 'a', lt: 'b' } })
  })
  test('a UUID that is none equals none', () => {
    expect(compile(read('uid=x'))).toEqual(nothing)
    expect(compile(read('uid=0D7E2A3C-0000-4000-8000-00000000000A'))).toEqual(nothing)
    const uuid = '0d7e2a3c-0000-4000-8000-00000000000a'
    expect(compile(read(`uid[gt]=${uuid}`))).toEqual({ uid: { gt: uuid } })
  })
  test('of a filter that Prisma would cut into several statements', () => {
    const operands = (many: number) =>
      membership(
        ['seller'],
        Array.from({ length: many }, (_, at) => ({ type: 'string', value: `s${at}` })),
      )
    expect(issuesOf(operands(32_764))).not.toBeInstanceOf(Array)
    expect(issuesOf(operands(32_765))).toEqual(tooLarge('Prisma sends at most 32764 operands in one statement'))
  })
  test('of a filter that nests deeper than Prisma reads', () => {
    // Four levels each: AND, its array, OR, its array.
    const nested = (levels: number, inside: Filter): Filter =>
      levels === 0 ? inside : and(read('nick=b'), or(read('nick=c'), nested(levels - 1, inside)))
    // { NOT: { seller: { equals: 'a' } } } has four levels, and a comparison in an array of AND has five.
    expect(issuesOf(nested(24, read('seller[notEqual]=a')))).not.toBeInstanceOf(Array)
    expect(issuesOf(nested(24, and(read('seller=b'), read('seller=a'))))).toEqual(
      // Without the conditions that were read from text, it does not.
      tooLarge('the filter nests deeper than the 100 levels that Prisma reads', { fault: 'client' }),
    )
  })
  test('a value other than a filter is a TypeError', () => {
    expect(() => compile(undefined as never)).toThrow(TypeError)
  })
})

const collationOf = (provider: string) => (provider === 'mysql' ? { collation: 'utf8mb4_0900_bin' } : {})
/** The model with another provider, and with texts beside their small letters. */
const by = (provider: string, lower?: string) => {
  const text = defineSchema({ name: field.string(), seller: field.string() })
  const model = `datasource db {\n  provider = "${provider}"\n}\nmodel A {\n  name String?\n  small String?\n  seller String\n}\n`
  return prismaBackend({
    schema: text,
    datamodel: model,
    model: 'A',
    ...collationOf(provider),
    ...(lower && { fields: { name: { lower } } }),
  })
}
const contains = (text: string, path = 'name') => match([path], 'substring', text)

describe('text matches by provider', () => {
  test('SQLite: LIKE ignores the case of ASCII letters by itself, and takes no wildcard for itself', () => {
    expect(by('sqlite').compile(contains('aÉ\\'))).toEqual({ name: { contains: 'aÉ\\' } })
    for (const text of ['%', '_', 'x'.repeat(49_999)]) {
      expect(issuesOf(contains(text), by('sqlite').compile)).toEqual(
        refusal('name takes no pattern with this text', { path: 'name' }),
      )
    }
    // With the two wildcards, SQLite takes patterns of 50 000 bytes.
    expect(by('sqlite').compile(contains('x'.repeat(49_998)))).toEqual({ name: { contains: 'x'.repeat(49_998) } })
    expect(by('sqlite').capabilities.features).not.toContain('unicode-case')
  })
  test('MySQL: LIKE tells cases apart, so only a text without case is compared', () => {
    expect(by('mysql').compile(contains('100%'))).toEqual({ name: { contains: '100\\%' } })
    for (const text of ['a', 'A', 'é', 'σ', 'ǅ', '\u{10400}']) {
      expect(issuesOf(contains(text), by('mysql').compile)).toEqual(
        refusal('name needs a field with its text in small letters: patterns tell cases apart', {
          code: 'backend_unsupported',
          path: 'name',
        }),
      )
    }
    // No capital becomes a final sigma.
    expect(by('mysql').compile(contains('ς日本'))).toEqual({ name: { contains: 'ς日本' } })
  })
  const exactly = (mode: 'whole' | 'prefixExact' | 'suffixExact' | 'substringExact', text: string) =>
    match(['name'], mode, text)
  test('SQLite: a whole text of any case is one that begins with it, and on which nothing follows', () => {
    const { compile } = by('sqlite')
    const test = { startsWith: 'aB', not: { startsWith: 'aB_' } }
    expect(compile(exactly('whole', 'aB'))).toEqual({ name: test })
    expect(compile(not(exactly('whole', 'aB')))).toEqual({ OR: [{ NOT: { name: test } }, { name: null }] })
    // Without letters that have a case it is an equality, which accepts every text.
    expect(compile(exactly('whole', '10%'))).toEqual({ name: { equals: '10%' } })
    expect(compile(exactly('whole', ''))).toEqual({ name: { equals: '' } })
    expect(issuesOf(exactly('whole', 'a%'), compile)).toEqual(
      refusal('name takes no pattern with this text', { path: 'name' }),
    )
  })
  test('SQLite: no pattern minds the case of ASCII letters, so texts with one are refused; a beginning is a range', () => {
    const { compile } = by('sqlite')
    for (const mode of ['suffixExact', 'substringExact'] as const) {
      for (const text of ['a', 'éA1'])
        expect(issuesOf(exactly(mode, text), compile)).toEqual(
          refusal('name has letters to find by case, which patterns ignore here', { path: 'name' }),
        )
      expect(issuesOf(exactly(mode, '%'), compile)).toEqual(
        refusal('name takes no pattern with this text', { path: 'name' }),
      )
      expect(compile(exactly(mode, 'É1'))).toEqual({
        name: { [mode === 'suffixExact' ? 'endsWith' : 'contains']: 'É1' },
      })
    }
    expect(compile(exactly('prefixExact', 'a%'))).toEqual({ name: { gte: 'a%', lt: 'a&' } })
    expect(compile(not(exactly('prefixExact', 'a%')))).toEqual({
      OR: [{ NOT: { name: { gte: 'a%', lt: 'a&' } } }, { name: null }],
    })
  })
  test('MySQL: patterns tell cases apart, and a whole text of any case needs small letters', () => {
    expect(by('mysql').compile(exactly('substringExact', 'aÉ%'))).toEqual({ name: { contains: 'aÉ\\%' } })
    expect(by('mysql').compile(exactly('suffixExact', 'A'))).toEqual({ name: { endsWith: 'A' } })
    expect(by('mysql').compile(exactly('whole', '1%'))).toEqual({ name: { equals: '1%' } })
    expect(issuesOf(exactly('whole', 'a'), by('mysql').compile)).toEqual(
      refusal('name needs a field with its text in small letters: patterns tell cases apart', {
        code: 'backend_unsupported',
        path: 'name',
      }),
    )
  })
  test('a match that compares case reads the text itself, and a whole text the field with small letters', () => {
    for (const provider of ['mysql', 'sqlite', 'postgresql']) {
      const { compile } = by(provider, 'small')
      expect(compile(exactly('whole', 'aÉΣ%'))).toEqual({ small: { equals: 'aéσ%' } })
      expect(compile(not(exactly('whole', 'A')))).toEqual({
        OR: [{ NOT: { small: { equals: 'a' } } }, { small: null }],
      })
      expect(compile(exactly('prefixExact', 'A'))).toEqual({ name: { gte: 'A', lt: 'B' } })
    }
    expect(by('mysql', 'small').compile(exactly('substringExact', 'A'))).toEqual({ name: { contains: 'A' } })
  })
  test('a field that stores lower case is compared by it', () => {
    for (const provider of ['mysql', 'sqlite', 'postgresql']) {
      expect(by(provider, 'small').compile(contains('aÉΣ'))).toEqual({ small: { contains: 'aéσ' } })
      expect(by(provider, 'small').compile(not(contains('A')))).toEqual({
        OR: [{ NOT: { small: { contains: 'a' } } }, { small: null }],
      })
    }
  })
  test('SQLite sends fewer operands in one statement', () => {
    const operands = (many: number, path = 'seller') =>
      membership(
        [path],
        Array.from({ length: many }, (_, at) => ({ type: 'string', value: `s${at}` })),
      )
    expect(by('sqlite').compile(operands(997))).toEqual(expect.anything())
    // NULL is none of them.
    expect(by('sqlite').compile(not(operands(997, 'name')))).toMatchObject({ OR: [{}, { name: null }] })
    expect(issuesOf(operands(998), by('sqlite').compile)).toEqual(
      tooLarge('Prisma sends at most 997 operands in one statement'),
    )
  })
})

describe('a wrong program is a TypeError', () => {
  const inMysql = (collation: string | undefined) => ({
    datamodel: datamodel.replace('postgresql', 'mysql'),
    collation,
  })
  const wrong = (change: object) => () => prismaBackend({ ...options, ...change } as never)
  test.each<[why: string, change: object, message: string]>([
    ['an unknown option', { models: '' }, 'options.models is unknown; did you mean model?'],
    ['no text', { datamodel: undefined }, "datamodel must be the text of Prisma's schema"],
    ['no schema', { schema: {} }, 'schema must be made by defineSchema'],
    ['no provider', { datamodel: models }, 'whose provider is one of postgresql, mysql, sqlite'],
    ['another provider', { datamodel: datamodel.replace('postgresql', 'mongodb') }, 'whose provider is one of'],
    ['a provider of every object', { datamodel: datamodel.replace('postgresql', 'constructor') }, 'whose provider is'],
    ['no such model', { model: 'Ordr' }, 'model is not a model of datamodel; did you mean Order?'],
    ['a collation that ignores case', inMysql('utf8mb4_unicode_ci'), 'one of utf8mb4_0900_bin, utf8mb4_nopad_bin'],
    ['no collation', inMysql(undefined), 'collation must be that of the columns of text'],
    ['a collation elsewhere', { collation: 'C' }, 'collation is not for postgresql'],
    ['a list of fields', { fields: [] }, 'fields must be an object'],
    ['no fields', { fields: null }, 'fields must be an object'],
    ['a text for fields', { fields: 'nick' }, 'fields must be an object'],
    ['no such path', { fields: { nik: {} } }, 'fields["nik"] is not a path of the schema; did you mean nick?'],
    [
      'no such option of a field',
      { fields: { nick: { nam: 'x' } } },
      'fields["nick"].nam is unknown; did you mean name?',
    ],
    ['no name', { fields: { nick: { name: 1 } } }, 'fields["nick"].name must be the name of a field'],
  ])('%s', (_, change, message) => {
    expect(wrong(change)).toThrow(TypeError)
    expect(wrong(change)).toThrow(message)
  })

  test('all fields that do not fit are named at once', () => {
    const text = field.string()
    const texts = field.list(text)
    const one = field.enumeration(['a'])
    const object = field.object({ nam: text })
    /** A field, its type in the model, its type in the schema, what is wrong, and the options of the field. */
    const misfits: [name: string, type: string, field: Field, problem?: string, told?: object][] = [
      ['one', 'String', object, 'one cannot be A.one: an object is a relation to one row'],
      ['two', 'Float', text, 'two cannot be A.two: Float does not store string exactly'],
      ['three', 'String @db.Citext', text, 'three cannot be A.three: String @db.Citext does not store string exactly'],
      [
        'four',
        'DateTime @db.Date',
        field.datetime(),
        'four cannot be A.four: DateTime @db.Date does not store datetime exactly',
      ],
      ['five', 'B', text, 'five cannot be A.five: a field of type string is one value'],
      ['six', 'String[]', field.list(object), 'six cannot be A.six: a list of objects is a relation to many rows'],
      ['seven', 'String', texts, 'seven cannot be A.seven: a list is a relation to many rows, or a list of scalars'],
      [
        'eight',
        'B[]',
        texts,
        'eight cannot be A.eight: fields["eight"].value must name the field of B that holds an entry',
      ],
      ['nine', 'B[]', field.list(field.object({ name: text })), 'nine.name: B has no field name; did you mean nam?'],
      ['tem', '', text, 'tem: A has no field tem; did you mean ten?'],
      [
        'eleven',
        'String',
        text,
        'eleven cannot be A.eleven_lower: Int does not store string exactly',
        { lower: 'eleven_lower' },
      ],
      ['OR', 'String', text, 'OR: Prisma takes OR for a group'],
      ['quite', '', text, 'quite: A has no field quite'],
      ['thirteen', 'B[]', object, 'thirteen cannot be A.thirteen: an object is a relation to one row'],
      ['fourteen', 'String[]', text, 'fourteen cannot be A.fourteen: a field of type string is one value'],
      ['fifteen', 'B[]', texts, 'fifteen: B has no field text', { value: 'text' }],
      ['sixteen', 'String', text, 'sixteen: A has no field small', { lower: 'small' }],
      ['seventeen', 'Kind', one, 'seventeen: lower is of texts alone', { lower: 'kind' }],
      ['eighteen', 'Kind', one, 'eighteen: lower is of texts alone', { lower: 'ten' }],
      // These fit.
      ['tags', 'String[]', texts],
      ['day', 'DateTime @db.Date', field.date()],
      ['state', 'Kind', one],
    ]
    const of = <T>(value: (misfit: (typeof misfits)[number]) => T) =>
      Object.fromEntries(
        misfits.flatMap((misfit) => (value(misfit) === undefined ? [] : [[misfit[0], value(misfit)!]])),
      )
    const lines = misfits.map(([name, type]) => (type === '' ? '' : `  ${name} ${type}\n`)).join('')
    const more = '  ten String\n  eleven_lower Int\n  kind Kind\n'
    const make = () =>
      prismaBackend({
        schema: defineSchema(of(([, , field]) => field)),
        datamodel: `datasource db {\n  provider = "postgresql"\n}
model A {\n${lines}${more}}\nmodel B {\n  nam String\n}\nenum Kind {\n  a\n}\n`,
        model: 'A',
        fields: of(([, , , , told]) => told),
      })
    expect(make).toThrow(new TypeError(misfits.flatMap(([, , , problem]) => problem ?? []).join('; ')))
  })
})

test('its capabilities', () => {
  expect(prismaBackend(options).name).toBe('prisma')
  expect(capabilities.features).toEqual(['unicode-case', 'empty-objects', 'queries', 'placed-nulls'])
  expect(capabilities.preconditions.length).toBeGreaterThan(2)
})
