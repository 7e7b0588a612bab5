/** What a collection offers, tried on backends: what a query could never have is a TypeError when a program starts. */
import { describe, expect, test } from 'vitest'
import { memoryBackend } from '../../src/backends/memory/index.ts'
import { mongoBackend } from '../../src/backends/mongo/index.ts'
import { prismaBackend } from '../../src/backends/prisma/index.ts'
import {
  childTable,
  column,
  jsonColumn,
  d1,
  duckdb,
  mariadb,
  mysql,
  postgres,
  sqlBackend,
  sqlite,
  table,
  turso,
} from '../../src/backends/sql/index.ts'
import { checkReading } from '../../src/tools/check-backend.ts'
import { checkBackend, defineCollection, defineSchema, field, FilterError } from '../../src/index.ts'
import type { Collection, Filter, Issue, Query } from '../../src/index.ts'
import { checkSupport, kinds, type Backend } from '../../src/tree.ts'

const schema = defineSchema({
  id: field.string(),
  name: field.string(),
  status: field.enumeration(['"a", b', 'c&d']),
  total: field.number(),
  guests: field.integer(),
  gift: field.boolean(),
  day: field.date(),
  moment: field.datetime(),
  tags: field.list(field.string()),
  customer: field.object({ name: field.string() }),
  items: field.list(field.object({ price: field.number(), parts: field.list(field.date()) })),
})
const collection = defineCollection(schema, {
  key: 'id',
  sort: true,
  defaultSort: '-total,name',
  fields: true,
  offset: { max: 5 },
  count: true,
  groups: true,
  parameters: { sort: 'order by', fields: 'page[fields]' },
})
test('checkBackend refuses an order with nulls for a backend without the feature placed-nulls', () => {
  const placed = defineCollection(schema, { key: 'id', sort: { total: { nulls: 'last' }, name: { nulls: 'first' } } })
  const memory = memoryBackend()
  expect(lackOf(memory, placed)).toBeUndefined()
  const features = memory.capabilities.features.filter((feature) => feature !== 'placed-nulls')
  const other = { ...memory, name: 'other', capabilities: { ...memory.capabilities, features } }
  expect(lackOf(other, placed)).toBe(
    `${refuses('other', 2)}a backend without the feature placed-nulls has one place for rows without a value (sort=total, sort=-name)`,
  )
  expect(lackOf(other)).toBeUndefined()
})
test('checkBackend refuses the other options of an order for a backend without their features', () => {
  const states = defineSchema({ id: field.integer(), name: field.string(), state: field.enumeration(['new', 'held']) })
  const sort = { name: { ignoreCase: true }, state: { declared: true } } as const
  const placed = defineCollection(states, { key: 'id', sort })
  const memory = memoryBackend()
  expect(lackOf(memory, placed)).toBeUndefined()
  const other = { ...memory, name: 'other', capabilities: { ...memory.capabilities, features: ['queries' as const] } }
  expect(lackOf(other, placed)).toBe(
    `${refuses('other', 4)}a backend without the feature ignored-case orders texts by their case (sort=name, sort=-name); a backend without the feature declared-orders orders the values of an enumeration by code point (sort=state, sort=-state)`,
  )
})
/** What is lacking, as the message lists it. */
const lackOf = (backend: Backend<unknown>, of: Collection = collection) => {
  try {
    return checkBackend(of, backend)
  } catch (error) {
    expect(error).toBeInstanceOf(TypeError)
    return (error as TypeError).message
  }
}
const refuses = (name: string, count: number) =>
  `backend, ${name}, refuses ${count} of the operators, orders, fields and facets that the collection offers: `
const prismaOf = (provider: string, model = '', fields = {}) =>
  prismaBackend({
    schema,
    datamodel: `
datasource db {
  provider = "${provider}"
}
model Order {
  id String @id
  name String?
  small String?
  status String?
  total Float?
  guests Int?
  gift Boolean?
  day DateTime?
  moment DateTime?
  tags Tag[]
  customer Customer?
  items Item[]
  ${model}
}
model Tag {
  text String
  small String?
}
model Customer {
  name String?
  small String?
}
model Item {
  price Float?
  parts Part[]
}
model Part {
  day DateTime
}
enum Status {
  a
}
`,
    model: 'Order',
    ...(provider === 'mysql' && { collation: 'utf8mb4_0900_bin' }),
    fields: { tags: { value: 'text' }, 'items.parts': { value: 'day' }, ...fields },
  })
const lowered = {
  name: { lower: 'small' },
  tags: { value: 'text', lower: 'small' },
  'customer.name': { lower: 'small' },
  id: { lower: 'small' },
}
const columns = { tags: jsonColumn('tags'), items: jsonColumn('items'), customer: jsonColumn('customer') }

describe('a backend that can do all of it', () => {
  test.each<[name: string, backend: Backend<unknown>]>([
    ['memory', memoryBackend()],
    ['SQL', sqlBackend({ dialect: postgres, table: table('t', { columns }) })],
    ['SQL, by its schema', sqlBackend({ dialect: sqlite, table: table('t', { schema, key: 'id', columns }) })],
    ['MongoDB', mongoBackend({ schema })],
    ['Prisma on PostgreSQL', prismaOf('postgresql')],
    ['Prisma on SQLite', prismaOf('sqlite')],
    ['Prisma on MySQL, with small letters', prismaOf('mysql', '', lowered)],
  ])('%s', (_, backend) => expect(lackOf(backend)).toBeUndefined())

  test('exact types, and promises', () => {
    const fields = { key: field.uuid({ required: true }), number: field.bigint(), at: field.datetime({ digits: 3 }) }
    const schema = defineSchema({ ...fields, price: field.decimal(), prices: field.list(field.decimal()) })
    const exact = defineCollection(schema, { key: 'key', sort: true, groups: true })
    const scaled = { type: 'scaled', digits: 2 } as const
    const prices = childTable('prices', { key: 'id', foreignKey: 'key', value: column('price', scaled) })
    const columns = { price: column('price', scaled), prices }
    expect(lackOf(memoryBackend(), exact)).toBeUndefined()
    for (const dialect of [postgres, mysql, mariadb, sqlite, duckdb])
      expect(lackOf(sqlBackend({ dialect, table: table('t', { schema, key: 'key', columns }) }), exact)).toBeUndefined()
  })

  test('whatever it refuses of the sample operands', () => {
    const encode = (text: string) => {
      if (text.length !== 24) throw new Error('no id')
      return text
    }
    const operators = { id: ['equals', 'gt', 'in', 'nin', 'range'] } as const
    const narrow = defineCollection(schema, { key: 'id', sort: ['total'], operators })
    expect(lackOf(mongoBackend({ fields: { id: { encode } } }), narrow)).toBeUndefined()
    // Order between identifiers that have no stored form is refused, and equality is not.
    expect(lackOf(mongoBackend({ fields: { id: { encode: () => undefined } } }), narrow)).toBeUndefined()
    const uuid = prismaOf('postgresql', 'uid String @db.Uuid', { id: { name: 'uid' } })
    expect(lackOf(uuid, narrow)).toBeUndefined()
    // A dialect that has no room for a parameter: every query is too large, and none is the mapping's fault.
    const small = { ...postgres, maxParameters: 1 }
    const oneByOne = defineCollection(defineSchema({ id: field.string() }), { key: 'id' })
    expect(lackOf(sqlBackend({ dialect: small, table: table('t', {}) }), oneByOne)).toBeUndefined()
  })

  test('a path of more names than a query may have by default', () => {
    const nested = (depth: number): Record<string, ReturnType<typeof field.object | typeof field.string>> =>
      depth === 0 ? { x: field.string() } : { o: field.object(nested(depth - 1)) }
    const deep = defineSchema({ id: field.integer(), o: field.object(nested(9)) })
    const backend = mongoBackend({ schema: deep })
    expect(lackOf(backend, defineCollection(deep, { key: 'id' }))).toBeUndefined()
  })
})

describe('what a backend lacks', () => {
  test('operators: a field that is not stored, or as another type', () => {
    const mapped = table('t', {
      columns: { ...columns, tags: column('tags'), total: column('total', { type: 'text' }) },
    })
    const narrow = defineCollection(schema, { key: 'id', operators: { total: ['equals'], tags: ['equals', 'exists'] } })
    expect(lackOf(sqlBackend({ dialect: postgres, table: mapped }), narrow)).toBe(
      refuses('postgres', 3) +
        'total is stored as text, which holds no number (total[equals]); ' +
        'tags is not stored where postgres can reach it (tags[equals], tags[exists])',
    )
  })

  test('operators of what an engine cannot express: each of them, of which the first are listed', () => {
    const why = (name: string) => `${name} needs a field with its text in small letters: patterns tell cases apart`
    const ignoring = ['startsWith', 'endsWith', 'contains', 'doesNotContain', 'equalsIgnoreCase']
    const of = (name: string) => ignoring.map((operator) => `${name}[${operator}]`).join(', ')
    const names = ['id', 'name', 'tags', 'customer.name']
    const said = (name: string) => `${why(name === 'tags' ? 'an entry of tags' : name)} (${of(name)})`
    expect(lackOf(prismaOf('mysql'))).toBe(refuses('prisma', 20) + names.map(said).join('; '))
  })

  test('of many, the first', () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f']
    const many = defineSchema(Object.fromEntries(['id', ...names].map((name) => [name, field.number()])))
    const stored = Object.fromEntries(names.map((name) => [name, column(name, { type: 'text' })]))
    const message = lackOf(
      sqlBackend({ dialect: postgres, table: table('t', { columns: stored }) }),
      defineCollection(many, { key: 'id' as never }),
    )
    const said = (name: string) =>
      `${name} is stored as text, which holds no number (${['equals', 'notEqual', 'gt', 'gte', 'lt'].map((operator) => `${name}[${operator}]`).join(', ')}, …)`
    expect(message).toBe(refuses('postgres', 60) + names.slice(0, 5).map(said).join('; ') + '; …')
  })

  test('operators of a scalar list in Prisma', () => {
    const list = prismaBackend({
      schema: defineSchema({ id: field.string(), tags: field.list(field.string()) }),
      datamodel: 'datasource db {\n  provider = "postgresql"\n}\nmodel A {\n  id String @id\n  tags String[]\n}\n',
      model: 'A',
    })
    const tagged = defineCollection(defineSchema({ id: field.string(), tags: field.list(field.string()) }), {
      key: 'id',
      operators: { tags: ['equals', 'nin', 'gt', 'contains', 'exists'] },
    })
    const why = 'an entry of tags is in a scalar list: Prisma compares entries by equality alone'
    expect(lackOf(list, tagged)).toBe(`${refuses('prisma', 2)}${why} (tags[gt], tags[contains])`)
  })

  test('operators in MongoDB', () => {
    const narrow = defineCollection(schema, { key: 'id', operators: { id: ['equals', 'contains'] } })
    expect(lackOf(mongoBackend({ fields: { id: { encode: String } } }), narrow)).toBe(
      `${refuses('mongo', 1)}id is not stored as text (id[contains])`,
    )
  })

  test('orders: in each direction, and the default', () => {
    const ordered = defineCollection(schema, { key: 'id', sort: ['status', 'total'], defaultSort: '-status' })
    const why = 'status is stored as an enum, whose order is that of its declaration'
    expect(lackOf(prismaOf('sqlite', 'kind Status?', { status: { name: 'kind' } }), ordered)).toBe(
      `${refuses('prisma', 3)}${why} (the default order, sort=status, sort=-status)`,
    )
    const numbered = defineCollection(defineSchema({ 7: field.integer(), name: field.string() }), {
      key: '7' as never,
      sort: ['name'],
    })
    const moved = 'a field whose name is a whole number, 7, cannot be ordered by after another field'
    expect(lackOf(mongoBackend(), numbered)).toBe(`${refuses('mongo', 2)}${moved} (sort=name, sort=-name)`)
  })

  test('fields that callers may choose', () => {
    const more = defineSchema({ id: field.string(), secret: field.string() })
    const chosen = defineCollection(more, { key: 'id', fields: true, operators: { secret: [] } })
    expect(lackOf(prismaOf('sqlite'), chosen)).toBe(
      `${refuses('prisma', 1)}the schema has no field secret (fields=secret)`,
    )
  })
})

describe('what select cannot read', () => {
  const small = defineSchema({
    id: field.integer(),
    name: field.string(),
    items: field.list(field.object({ price: field.number() })),
  })
  const listing = defineCollection(small, { key: 'id', sort: ['name'], fields: ['id', 'items'], groups: true })
  const items = childTable('items', { foreignKey: 'order_id' })
  const unordered = 'select cannot read items: its childTable needs orderBy or key, which give its entries an order'

  test('a list without an order, by the name of what is missing', () => {
    const backend = sqlBackend({
      dialect: postgres,
      table: table('t', { schema: small, key: 'id', columns: { items } }),
    })
    const examples = 'the default order, sort=name, sort=-name, sort=id, sort=-id, …'
    expect(lackOf(backend, listing)).toBe(`${refuses('postgres', 8)}${unordered} (${examples})`)
    // The error of the backend is the cause.
    expect(() => checkBackend(listing, backend)).toThrow(expect.objectContaining({ cause: new TypeError(unordered) }))
    // Filters and orders alone need no order of the entries.
    checkReading(listing, backend, 'backend', false)
    for (const more of [{ key: 'id' }, { orderBy: 'position' }]) {
      const ordered = { items: childTable('items', { foreignKey: 'order_id', ...more }) }
      const mapped = table('t', { schema: small, key: 'id', columns: ordered })
      expect(lackOf(sqlBackend({ dialect: postgres, table: mapped }), listing)).toBeUndefined()
    }
  })

  test('without a schema, a table has no select', () => {
    const backend = sqlBackend({ dialect: postgres, table: table('t', { key: 'id', columns: { items } }) })
    expect(backend.capabilities.features).not.toContain('select')
    expect(lackOf(backend, listing)).toBeUndefined()
  })

  test('what MongoDB stores encoded and nothing reads back', () => {
    const only = defineSchema({ id: field.integer(), name: field.string() })
    const of = defineCollection(only, { key: 'id', operators: { name: ['equals'] } })
    const name = { encode: (text: unknown) => `${text as string}!`, decode: (stored: string) => stored.slice(0, -1) }
    const why =
      'fields["name"] needs a decode, because the value that encode makes does not tell enough: of "a" it reads nothing'
    const toDate = { encode: () => new Date(0) }
    expect(lackOf(mongoBackend({ schema: only, fields: { name: toDate } }), of)).toBe(
      `${refuses('mongo', 3)}${why} (the default order, sort=id, sort=-id)`,
    )
    expect(lackOf(mongoBackend({ schema: only, fields: { name } }), of)).toBeUndefined()
    // Without a schema, programs read the documents themselves.
    expect(lackOf(mongoBackend({ fields: { name: toDate } }), of)).toBeUndefined()
  })

  test('more columns than the engine takes', () => {
    const names = Array.from({ length: 101 }, (_, at) => `c${at}`)
    const wide = defineSchema({
      id: field.integer(),
      ...Object.fromEntries(names.map((name) => [name, field.string()])),
    })
    const operators = Object.fromEntries(names.map((name) => [name, []]))
    const of = defineCollection(wide, { key: 'id' as never, operators: operators as never })
    const backend = sqlBackend({ dialect: d1, table: table('t', { schema: wide, key: 'id' }) })
    expect(lackOf(backend, of)).toBe(
      `${refuses('d1', 3)}the statement selects 102 columns, but d1 takes 100 at most (the default order, sort=id, sort=-id)`,
    )
  })

  test('facets that the engine or the table cannot count', () => {
    const tagged = defineSchema({ id: field.integer(), tags: field.list(field.string()) })
    const of = defineCollection(tagged, { key: 'id', facets: ['tags'] })
    const tags = jsonColumn('tags')
    const why = 'facets cannot count tags, which is in a list: '
    const lackOn = (dialect: typeof turso, key: object) =>
      lackOf(sqlBackend({ dialect, table: table('t', { columns: { tags }, ...key }) }), of)
    expect(lackOn(turso, { key: 'id' })).toBe(`${refuses('turso', 1)}${why}turso counts no lists (facets=tags)`)
    expect(lackOn(sqlite, {})).toBe(`${refuses('sqlite', 1)}${why}table(…) needs a key (facets=tags)`)
    expect(lackOn(sqlite, { key: 'id' })).toBeUndefined()
  })

  test('a label that the mapping lacks', () => {
    const labelled = defineSchema({
      id: field.integer(),
      owner: field.integer(),
      user: field.object({ name: field.string() }),
    })
    const of = defineCollection(labelled, {
      key: 'id',
      facets: { owner: { label: 'user.name', max: 5 } },
      operators: { user: [] },
    })
    const lackOn = (columns: object) =>
      lackOf(sqlBackend({ dialect: sqlite, table: table('t', { key: 'id', columns }) }), of)
    const why = 'user.name is not stored where sqlite can reach it (facets=owner)'
    expect(lackOn({})).toBe(`${refuses('sqlite', 1)}${why}`)
    expect(lackOn({ user: { name: 'user_name' } })).toBeUndefined()
  })

  test('groups that a backend does not compile', () => {
    const { capabilities, compile } = memoryBackend()
    const kindsOf = kinds.filter((kind) => !['or', 'not'].includes(kind))
    const flat: Backend<unknown> = {
      name: 'flat',
      capabilities: { ...capabilities, kinds: kindsOf },
      compile: (filter: Filter) => {
        const issues = checkSupport(filter, flat.capabilities)
        if (issues.length > 0) throw new FilterError(issues as never)
        return compile(filter)
      },
    }
    const only = { operators: { name: ['equals'], id: ['equals'], items: [] } } as const
    const grouping = defineCollection(small, { key: 'id', groups: true, parameters: { or: 'any' }, ...only })
    expect(lackOf(flat, grouping)).toMatch(
      /this backend has no filters of kind or \(any=\(…\)\); this backend has no filters of kind not \(not=\(…\)\)/,
    )
    expect(lackOf(flat, defineCollection(small, { key: 'id', ...only }))).toBeUndefined()
  })
})

describe('a backend of somebody else', () => {
  const { capabilities, compile, compileQuery } = memoryBackend()
  const small = defineCollection(defineSchema({ id: field.integer(), name: field.string() }), { key: 'id' })
  const refusing = (code: 'backend_refused' | 'backend_unsupported', more: object = {}) =>
    new FilterError([{ code, message: 'no', ...more } as never])

  test('without queries is tried with operators alone', () => {
    const lacking = { ...capabilities, kinds: kinds.filter((kind) => kind !== 'match') }
    const backend: Backend<unknown> = {
      name: 'mine',
      capabilities: lacking,
      compile: (filter: Filter) => {
        const [first, ...rest] = checkSupport(filter, lacking)
        if (first !== undefined) throw new FilterError([first, ...rest])
        return compile(filter)
      },
    }
    expect(lackOf(backend, small)).toBe(
      `${refuses('mine', 8)}this backend has no filters of kind match (name[startsWith], name[endsWith], name[contains], name[doesNotContain], name[equalsIgnoreCase], …)`,
    )
  })

  test('that has no orders after a position', () => {
    const firstPages = (query: Query) => {
      if (query.position !== undefined) throw refusing('backend_unsupported', { fault: 'server' })
      return compileQuery(query)
    }
    expect(lackOf({ name: 'mine', capabilities, compile, compileQuery: firstPages }, small)).toBe(
      `${refuses('mine', 3)}no (the default order after a cursor, sort=id after a cursor, sort=-id after a cursor)`,
    )
  })

  test('an issue without a fault counts, as one of the server does; one of the client does not', () => {
    const of = (error: FilterError) =>
      lackOf(
        {
          name: 'mine',
          capabilities,
          compile: () => {
            throw error
          },
        },
        small,
      )
    const all = refuses('mine', 28)
    expect(of(refusing('backend_unsupported'))).toContain(all)
    expect(of(refusing('backend_unsupported', { fault: 'server' }))).toContain(all)
    const issue = { code: 'backend_unsupported', message: 'no' } as const
    const inheriting = Object.assign(Object.create({ fault: 'client' }) as Issue, issue)
    expect(of(new FilterError([inheriting]))).toContain(all)
    expect(of(refusing('backend_unsupported', { fault: 'client' }))).toBeUndefined()
    expect(of(refusing('backend_refused', { fault: 'server' }))).toBeUndefined()
  })

  test('any other error is thrown as it is', () => {
    const error = new RangeError('broken')
    const broken = () => {
      throw error
    }
    expect(() => checkBackend(small, { name: 'mine', capabilities, compile: broken })).toThrow(error)
  })
})

test.each<[what: string, call: () => unknown, message: string]>([
  ['no collection', () => checkBackend({} as never, memoryBackend()), 'collection must be made by defineCollection'],
  ['no backend', () => checkBackend(collection, undefined as never), 'backend must be a backend'],
  ['a compiled one', () => checkBackend(collection, mysql as never, 'rows.backend'), 'rows.backend must be a backend'],
])('%s is a TypeError', (_, call, message) => expect(call).toThrow(new TypeError(message)))

test('the report lists a refused search and a refused facet by parameter', () => {
  const small = defineSchema({ id: field.string(), name: field.string(), tags: field.list(field.string()) })
  const of = defineCollection(small, {
    ...{ key: 'id', search: ['name'], facets: ['name', 'tags'], parameters: { search: 'q' } },
    operators: { id: ['equals'], name: ['contains'], tags: ['equals', 'atLeast'] },
  }) as Collection
  const memory = memoryBackend()
  const refusal = (message: string) =>
    new FilterError([{ code: 'backend_unmapped', fault: 'server', message, parameters: {} }])
  const compiled: Filter[] = []
  const backend = {
    ...memory,
    compile: (filter: Filter) => {
      compiled.push(filter)
      if (JSON.stringify(filter).includes('"substring"')) throw refusal('no part')
      return memory.compile(filter)
    },
    facets: (query: Query) => {
      if (query.facets!.some(({ lists }) => lists.length > 0)) throw refusal('no entries')
      return memory.facets(query)
    },
  }
  expect(lackOf(backend, of)).toBe(`${refuses('memory', 3)}no part (name[contains], q); no entries (facets=tags)`)
  expect(compiled).toContainEqual(expect.objectContaining({ kind: 'count', path: ['tags'], operand: 1 }))
})
