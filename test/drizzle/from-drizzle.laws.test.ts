/** What Drizzle's tables become, and what is listed. That it means the right thing on an engine, engines.test.ts shows. */
import { relations } from 'drizzle-orm'
import * as my from 'drizzle-orm/mysql-core'
import * as pg from 'drizzle-orm/pg-core'
import * as lite from 'drizzle-orm/sqlite-core'
import { describe, expect, test } from 'vitest'
import {
  arrayColumn,
  childTable,
  column,
  jsonColumn,
  parentTable,
  postgres,
  sqlBackend,
  table,
  type Table,
} from '../../src/backends/sql/index.ts'
import { fromDrizzle } from '../../src/tools/drizzle/index.ts'
import { defineCollection, defineSchema, field, parseQueryOrThrow, type Field, type Schema } from '../../src/index.ts'
import { mysqlTables, pgTables, sqliteTables } from './tables.ts'

/** A table as a hand would have written it. */
const expectSame = (made: Table, schema: Schema, name: Table['name'], key: string[], columns: object) => {
  expect(made.schema?.fields).toEqual(schema.fields)
  const { name: own, key: ownKey, columns: stored } = table(name, { schema, key, columns: columns as never })
  expect({ name: made.name, key: made.key, columns: made.columns }).toEqual({ name: own, key: ownKey, columns: stored })
}
const required = { notNull: true } as const
const must = { required: true } as const
const whole = { digits: 3 } as const

describe('tables with relations', () => {
  const fields = { meta: field.object({ source: field.string() }) }
  const shape = {
    columns: { customerId: false },
    with: {
      customer: { columns: { name: true, tier: true }, with: { country: true, profile: { columns: { bio: true } } } },
      items: { columns: { price: true }, with: { product: { columns: { name: true } } } },
    },
  } as const
  const schemaWith = (total: Field) =>
    defineSchema({
      id: field.integer(must),
      status: field.enumeration(['paid', 'held', 'new']),
      total,
      guests: field.integer(),
      gift: field.boolean(),
      arrival: field.date(),
      placedAt: field.datetime(whole),
      meta: field.object({ source: field.string() }),
      customer: field.object({
        name: field.string(must),
        tier: field.enumeration(['gold', 'silver']),
        country: field.object({ code: field.string(must), name: field.string(must) }),
        profile: field.object({ bio: field.string() }),
      }),
      items: field.list(field.object({ price: field.number(), product: field.object({ name: field.string() }) })),
    })
  const customer = (types: { text: string; tier: string }) =>
    parentTable('customers', {
      key: 'id',
      foreignKey: 'customer_id',
      columns: {
        name: column<string>('full_name', { type: types.text, ...required }),
        tier: column<string>('tier', { type: types.tier }),
        country: parentTable('countries', {
          key: 'code',
          foreignKey: 'country_code',
          columns: {
            code: column<string>('code', { type: types.text, ...required }),
            name: column<string>('name', { type: types.text, ...required }),
          },
        }),
        profile: parentTable('profiles', {
          key: 'customer_id',
          foreignKey: 'id',
          columns: { bio: column<string>('bio', { type: types.text }) },
        }),
      },
    })
  const items = (types: { text: string; double: string }) =>
    childTable('order_items', {
      foreignKey: 'order_id',
      orderBy: 'id',
      columns: {
        price: column<string>('price', { type: types.double }),
        product: parentTable('products', {
          key: 'id',
          foreignKey: 'product_id',
          columns: { name: column<string>('name', { type: types.text }) },
        }),
      },
    })

  test.each([
    [
      'PostgreSQL',
      fromDrizzle(pgTables, 'orders', { ...shape, fields }),
      field.decimal(),
      { name: 'order_status' },
      ...['bigint', 'orderedEnum', 'numeric', 'timestamptz', 'date', 'text', 'text', 'double precision'],
    ],
    [
      'MySQL',
      fromDrizzle(mysqlTables, 'orders', { ...shape, fields }),
      field.decimal(),
      {},
      ...['bigint', 'enum', 'decimal', 'datetime', 'date', 'text', 'enum', 'double'],
    ],
    [
      'SQLite',
      fromDrizzle(sqliteTables, 'orders', { ...shape, fields: { ...fields, arrival: field.date() } }),
      field.number(),
      {},
      ...['integer', 'text', 'real', 'epochMs', 'isoText', 'text', 'text', 'real'],
    ],
  ] as const)('of %s', (_, made, ofTotal, ofStatus, integer, status, total, placedAt, arrival, text, tier, double) => {
    expectSame(made, schemaWith(ofTotal), 'orders', ['id'], {
      id: column<string>('id', { type: integer, ...required }),
      status: column<string>('status', { type: status, ...ofStatus }),
      total: column<string>('total', { type: total }),
      guests: column<string>('guests', { type: integer }),
      gift: column('gift', { type: 'boolean' }),
      arrival: column<string>('arrival', { type: arrival }),
      placedAt: column<string>('placed_at', { type: placedAt }),
      meta: jsonColumn('meta'),
      customer: customer({ text, tier }),
      items: items({ text, double }),
    })
  })
})

describe('columns', () => {
  const one = (columns: Record<string, unknown>) => ({ things: pg.pgTable('things', columns as never) })
  test.each([
    ['text', pg.text(), field.string(), 'text'],
    ['varchar', pg.varchar({ length: 9 }), field.string(), 'text'],
    ['uuid', pg.uuid(), field.uuid(), 'uuid'],
    ['smallint', pg.smallint(), field.integer(), 'bigint'],
    ['serial', pg.serial(), field.integer(must), 'bigint'],
    ['smallserial', pg.smallserial(), field.integer(must), 'bigint'],
    ['bigserial', pg.bigserial({ mode: 'number' }), field.integer(must), 'bigint'],
    ['bigint as bigint', pg.bigint({ mode: 'bigint' }), field.bigint(), 'bigint'],
    ['bigint as number', pg.bigint({ mode: 'number' }), field.integer(), 'bigint'],
    ['numeric', pg.numeric(), field.decimal(), 'numeric'],
    ['numeric as number', pg.numeric({ mode: 'number' }), field.number(), 'numeric'],
    ['numeric as bigint', pg.numeric({ mode: 'bigint' }), field.decimal(), 'numeric'],
    ['double', pg.doublePrecision(), field.number(), 'double precision'],
    ['date as Date', pg.date({ mode: 'date' }), field.date(), 'date'],
    ['timestamp', pg.timestamp({ precision: 0 }), field.datetime(whole), 'timestamp'],
    ['timestamp as text', pg.timestamp({ precision: 3, mode: 'string' }), field.datetime(whole), 'timestamp'],
    ['timestamp of microseconds', pg.timestamp(), field.datetime(), 'timestamp'],
    ['timestamp of microseconds, as text', pg.timestamp({ mode: 'string' }), field.datetime(), 'timestamp'],
    ['timestamptz', pg.timestamp({ withTimezone: true }), field.datetime(), 'timestamptz'],
    ['timestamptz of four digits', pg.timestamp({ withTimezone: true, precision: 4 }), field.datetime(), 'timestamptz'],
    [
      'timestamptz of milliseconds',
      pg.timestamp({ withTimezone: true, precision: 3 }),
      field.datetime(whole),
      'timestamptz',
    ],
    ['text with no values', pg.text({ enum: [] as never }), field.string(), 'text'],
    ['real', pg.real(), field.number(), 'real'],
    ['char', pg.char({ length: 3 }), field.string(), 'char'],
    ['char with values', pg.char({ length: 3, enum: ['AUT'] }), field.enumeration(['AUT']), 'char'],
    ['time', pg.time(), field.time(), 'time'],
  ])('of PostgreSQL: %s', (_, builder, definition, type) => {
    const { schema, columns } = fromDrizzle(one({ a: builder }), 'things')
    const notNull = /Serial/.test(String(builder.constructor.name))
    expect(schema.fields).toEqual({ a: definition })
    expect(columns.a).toEqual(column<string>('a', { type, notNull }))
  })
  test.each([
    ['tinyint', my.tinyint(), field.integer(), 'bigint'],
    ['int unsigned', my.int({ unsigned: true }), field.integer(), 'bigint'],
    ['bigint', my.bigint({ mode: 'bigint' }), field.bigint(), 'bigint'],
    ['serial', my.serial(), field.integer(), 'bigint'],
    ['char', my.char({ length: 3 }), field.string(), 'text'],
    ['text with values', my.text({ enum: ['a', 'b'] }), field.enumeration(['a', 'b']), 'text'],
    ['decimal', my.decimal(), field.decimal(), 'decimal'],
    ['decimal as bigint', my.decimal({ mode: 'bigint' }), field.decimal(), 'decimal'],
    ['bigint as number', my.bigint({ mode: 'number' }), field.integer(), 'bigint'],
    ['decimal as number', my.decimal({ mode: 'number' }), field.number(), 'decimal'],
    ['real', my.real(), field.number(), 'double'],
    ['float', my.float(), field.number(), 'real'],
    ['year', my.year(), field.integer(), 'year'],
    ['date as Date', my.date(), field.date(), 'date'],
    ['datetime', my.datetime(), field.datetime(whole), 'datetime'],
    ['timestamp', my.timestamp({ fsp: 3 }), field.datetime(whole), 'datetime'],
    ['time', my.time({ fsp: 6 }), field.time(), 'time'],
    ['datetime of microseconds', my.datetime({ fsp: 6 }), field.datetime(), 'datetime'],
    ['timestamp of microseconds, as text', my.timestamp({ fsp: 6, mode: 'string' }), field.datetime(), 'datetime'],
  ])('of MySQL: %s', (_, builder, definition, type) => {
    const { schema, columns } = fromDrizzle({ things: my.mysqlTable('things', { a: builder as never }) }, 'things')
    expect((schema as Schema).fields).toEqual({ a: definition })
    expect(columns.a).toMatchObject({ kind: 'column', name: 'a', type })
  })
  test.each([
    ['integer', lite.integer(), field.integer(), 'integer'],
    ['numeric', lite.numeric(), field.number(), 'real'],
    ['numeric as number', lite.numeric({ mode: 'number' }), field.number(), 'real'],
    ['boolean', lite.integer({ mode: 'boolean' }), field.boolean(), 'boolean'],
    ['seconds', lite.integer({ mode: 'timestamp' }), field.datetime(whole), 'epochS'],
    ['milliseconds', lite.integer({ mode: 'timestamp_ms' }), field.datetime(whole), 'epochMs'],
  ])('of SQLite: %s', (_, builder, definition, type) => {
    const { schema, columns } = fromDrizzle({ things: lite.sqliteTable('things', { a: builder as never }) }, 'things')
    expect((schema as Schema).fields).toEqual({ a: definition })
    expect(columns.a).toEqual(column<string>('a', { type }))
  })

  /** The field and the stored type of a custom type, or why it has none. */
  const customOf = (kit: typeof pg | typeof my | typeof lite, sqlType: string, given?: Field): unknown => {
    const { customType } = kit as typeof pg
    const a = customType<{ data: string }>({ dataType: () => sqlType, fromDriver: String, toDriver: String })()
    const made = 'pgTable' in kit ? kit.pgTable : 'mysqlTable' in kit ? kit.mysqlTable : kit.sqliteTable
    const things = (made as typeof pg.pgTable)('things', { a })
    try {
      const { schema, columns } = fromDrizzle({ things }, 'things', given && { fields: { a: given } })
      return [(schema as Schema).fields.a, columns.a]
    } catch (error) {
      return (error as Error).message.split('\n')[1]!.trim()
    }
  }
  const kits = { PostgreSQL: pg, MySQL: my, SQLite: lite }
  test.each<[sqlType: string, database: keyof typeof kits, definition: Field, type: string]>([
    ['varchar(15)', 'PostgreSQL', field.string(), 'text'],
    ['citext', 'PostgreSQL', field.string(), 'citext'],
    ['float4', 'PostgreSQL', field.number(), 'real'],
    ['bpchar(3)', 'PostgreSQL', field.string(), 'char'],
    ['CHARACTER VARYING (15)', 'PostgreSQL', field.string(), 'text'],
    ['text', 'PostgreSQL', field.string(), 'text'],
    ['uuid', 'PostgreSQL', field.uuid(), 'uuid'],
    ['numeric(10,2)', 'PostgreSQL', field.decimal(), 'numeric'],
    ['int8', 'PostgreSQL', field.bigint(), 'bigint'],
    ['int4', 'PostgreSQL', field.integer(), 'bigint'],
    ['float8', 'PostgreSQL', field.number(), 'double precision'],
    ['bool', 'PostgreSQL', field.boolean(), 'boolean'],
    ['timestamptz', 'PostgreSQL', field.datetime(), 'timestamptz'],
    ['timestamptz(3)', 'PostgreSQL', field.datetime(whole), 'timestamptz'],
    ['timestamp (0) without time zone', 'PostgreSQL', field.datetime(whole), 'timestamp'],
    ['timestamp(6) with time zone', 'PostgreSQL', field.datetime(), 'timestamptz'],
    ['varchar(15)', 'MySQL', field.string(), 'text'],
    ['decimal(10,2) unsigned', 'MySQL', field.decimal(), 'decimal'],
    ['bigint unsigned', 'MySQL', field.bigint(), 'bigint'],
    ['tinyint(1)', 'MySQL', field.integer(), 'bigint'],
    ['datetime(6)', 'MySQL', field.datetime(), 'datetime'],
    ['time(6)', 'MySQL', field.time(), 'time'],
    ['varchar(15)', 'SQLite', field.string(), 'text'],
    ['numeric(10,2)', 'SQLite', field.number(), 'real'],
    ['INTEGER', 'SQLite', field.integer(), 'integer'],
  ])('with a custom type: %s of %s', (sqlType, database, definition, type) => {
    expect(customOf(kits[database], sqlType)).toEqual([definition, column<string>('a', { type })])
  })
  test('with a custom type of an array or of JSON', () => {
    expect(customOf(pg, 'varchar(15)[]')).toEqual([field.list(field.string()), arrayColumn('a', { type: 'text' })])
    for (const [kit, type, stored] of [
      [pg, 'jsonb', jsonColumn('a')],
      [pg, 'json', jsonColumn('a', { type: 'json' })],
      [my, 'json', jsonColumn('a')],
    ] as const) {
      expect(customOf(kit, type)).toEqual([field.json(), stored])
      const object = field.object({ os: field.string() })
      expect(customOf(kit, type, object)).toEqual([object, stored])
    }
  })
  test.each<[sqlType: string, database: keyof typeof kits, reason: string]>([
    ['bytea[]', 'PostgreSQL', 'no field holds it'],
    ['timetz', 'PostgreSQL', 'no field holds it'],
    ['bytea', 'PostgreSQL', 'no field holds it'],
    ['tsvector', 'PostgreSQL', 'no field holds it'],
    ['vector(1536)', 'PostgreSQL', 'no field holds it'],
    ['inet', 'PostgreSQL', 'no field holds it'],
    ['binary(16)', 'MySQL', 'no field holds it'],
    ['blob', 'SQLite', 'no field holds it'],
  ])('with a custom type that no definition holds: %s of %s', (sqlType, database, reason) => {
    const kit = kits[database]
    const text = `a: ${sqlType.replace('[]', '')}: ${reason}`
    expect(customOf(kit, sqlType)).toBe(text)
    expect(customOf(kit, sqlType, sqlType.endsWith('[]') ? field.list(field.string()) : field.string())).toBe(text)
  })
  test('with a custom type that nobody knows are what the options say', () => {
    const advice = 'define it with the option fields if it compares and sorts as that field does'
    for (const kit of [pg, my, lite]) {
      expect(customOf(kit, 'email_domain')).toBe(`a: email_domain: Drizzle does not declare its values; ${advice}`)
      expect(customOf(kit, 'email_domain', field.string())).toEqual([field.string(), column('a')])
    }
  })

  test('that are arrays are lists', () => {
    const { schema, columns } = fromDrizzle(
      {
        things: pg.pgTable('things', {
          tags: pg.text().array(),
          days: pg.text().array(),
          kinds: pg.text({ enum: ['a'] }).array(),
          moments: pg.bigint({ mode: 'number' }).array(),
          fixed: pg.char({ length: 2 }).array(),
        }),
      },
      'things',
      {
        fields: {
          days: field.list(field.date()),
          moments: field.list(field.datetime()),
          fixed: field.list(field.string()),
        },
      },
    )
    expect(schema.fields).toEqual({
      tags: field.list(field.string()),
      days: field.list(field.date()),
      kinds: field.list(field.enumeration(['a'])),
      moments: field.list(field.datetime()),
      fixed: field.list(field.string()),
    })
    expect(columns).toEqual({
      tags: arrayColumn('tags', { type: 'text' }),
      days: arrayColumn('days', { type: 'text' }),
      kinds: arrayColumn('kinds', { type: 'text' }),
      moments: arrayColumn('moments', { type: 'epochMs' }),
      fixed: arrayColumn('fixed', { type: 'char' }),
    })
  })

  test('that are NOT NULL are required, but for lists; a definition of the options says it for itself', () => {
    const things = pg.pgTable('things', {
      id: pg.uuid().primaryKey(),
      views: pg.bigint({ mode: 'bigint' }).notNull(),
      // Drizzle does not mark it as NOT NULL.
      serial: pg.bigserial({ mode: 'bigint' }),
      at: pg.timestamp().notNull().defaultNow(),
      kind: pg.text({ enum: ['a', 'b'] }).notNull(),
      tags: pg.text().array().notNull(),
      meta: pg.jsonb().notNull(),
      note: pg.text().notNull(),
      day: pg.text().notNull(),
      maybe: pg.text(),
    })
    const meta = field.object({ os: field.string() })
    const { schema, columns } = fromDrizzle({ things }, 'things', {
      fields: { meta, note: field.string(), day: field.date(must) },
    })
    expect((schema as Schema).fields).toEqual(
      defineSchema({
        id: field.uuid(must),
        views: field.bigint(must),
        serial: field.bigint(),
        at: field.datetime(must),
        kind: field.enumeration(['a', 'b'], must),
        tags: field.list(field.string()),
        meta,
        note: field.string(),
        day: field.date(must),
        maybe: field.string(),
      }).fields,
    )
    expect(columns.note).toEqual(column('note', { type: 'text', ...required }))
    expect(columns.maybe).toEqual(column('maybe', { type: 'text' }))
  })

  test('with microseconds make pages of texts; with Dates they make some of milliseconds alone', () => {
    const things = pg.pgTable('things', {
      id: pg.integer().primaryKey(),
      date: pg.timestamp({ withTimezone: true }).notNull(),
      text: pg.timestamp({ withTimezone: true, mode: 'string' }).notNull(),
      whole: pg.timestamp({ withTimezone: true, precision: 3 }).notNull(),
    })
    const mapped = fromDrizzle({ things }, 'things')
    const collection = defineCollection(mapped.schema, { key: 'id', sort: true, limit: { default: 1 } })
    const pageBy = (sort: string, value: unknown) =>
      sqlBackend({ dialect: postgres, table: mapped })
        .compileQuery(parseQueryOrThrow(collection, `sort=${sort}`))
        .page([
          { id: 1, [sort]: value },
          { id: 2, [sort]: value },
        ])
    expect(() => pageBy('date', new Date(0))).toThrow(
      /^rows\[0\] has a Date in date, which has lost the microseconds: .*digits: 3/,
    )
    expect(pageBy('whole', new Date(0)).next).toBeDefined()
    const { next } = pageBy('text', '2024-05-30 12:00:00.123456+02')
    const { position } = parseQueryOrThrow(collection, `sort=text&cursor=${next}`)
    expect(position!.values[0]).toEqual({ type: 'datetime', value: '2024-05-30T10:00:00.123456Z' })
  })

  test('of a native enumeration have its name where it has the values of the field, and its order where both have one', () => {
    const shop = pg.pgSchema('shop')
    const kinds = { own: pg.pgEnum('kind', ['a', 'b']), ours: shop.enum('Kind', ['a', 'b']) }
    const typed = pg.pgEnum('typed', { A: 'a', B: 'b' })
    const things = pg.pgTable('things', {
      own: kinds.own(),
      ours: kinds.ours(),
      typed: typed(),
      some: kinds.own(),
      turned: kinds.own(),
      more: kinds.own(),
      text: kinds.own(),
      list: kinds.ours().array(),
    })
    const { columns } = fromDrizzle({ things }, 'things', {
      fields: {
        some: field.enumeration(['b']),
        turned: field.enumeration(['b', 'a']),
        more: field.enumeration(['a', 'c']),
        text: field.string(),
      },
    })
    expect(columns).toEqual({
      own: column('own', { type: 'orderedEnum', name: 'kind' }),
      ours: column('ours', { type: 'orderedEnum', name: ['shop', 'Kind'] }),
      typed: column('typed', { type: 'orderedEnum', name: 'typed' }),
      some: column('some', { type: 'enum', name: 'kind' }),
      turned: column('turned', { type: 'enum', name: 'kind' }),
      more: column('more', { type: 'enum' }),
      text: column('text', { type: 'enum' }),
      list: arrayColumn('list', { type: 'orderedEnum', name: ['shop', 'Kind'] }),
    })
  })

  test('without a name have that of the key, in the casing of drizzle()', () => {
    const things = { things: lite.sqliteTable('things', { longName: lite.integer(), own: lite.integer('OwnName') }) }
    const names = (casing?: 'snake_case' | 'camelCase') =>
      Object.values(fromDrizzle(things, 'things', casing && { casing }).columns).map(
        (stored) => 'name' in stored && stored.name,
      )
    expect(names()).toEqual(['longName', 'OwnName'])
    expect(names('snake_case')).toEqual(['long_name', 'OwnName'])
    expect(names('camelCase')).toEqual(['longName', 'OwnName'])
  })

  test('are taken as findMany takes them', () => {
    const things = { things: lite.sqliteTable('things', { a: lite.text(), b: lite.text(), c: lite.text() }) }
    const taken = (columns: { a?: boolean; b?: boolean; c?: boolean }) =>
      Object.keys(fromDrizzle(things, 'things', { columns }).schema.fields)
    expect(taken({ a: true })).toEqual(['a'])
    expect(taken({ a: true, b: false })).toEqual(['a'])
    expect(taken({ b: false })).toEqual(['a', 'c'])
    expect(taken({})).toEqual([])
    expect(taken({ a: undefined } as object)).toEqual([])
    expect(taken({ a: undefined, b: true } as object)).toEqual(['b'])
    expect(taken({ a: undefined, b: false } as object)).toEqual(['a', 'c'])
  })

  test('of a row beside are called by their path', () => {
    const made = fromDrizzle(pgTables, 'orders', {
      columns: { id: true },
      with: { customer: { columns: { tier: true } }, items: undefined } as { customer: { columns: { tier: true } } },
      fields: { 'customer.tier': field.string() },
    })
    expect((made.schema as Schema).fields).toEqual({
      id: field.integer(must),
      customer: field.object({ tier: field.string() }),
    })
  })

  test('keep the name of the table and its schema', () => {
    const shop = pg.pgSchema('shop')
    const things = shop.table('Things', { id: pg.integer().primaryKey() })
    const parts = shop.table('parts', { thingId: pg.integer('thing_id') })
    const tables = {
      things,
      parts,
      thingRelations: relations(things, ({ many }) => ({ parts: many(parts) })),
      partRelations: relations(parts, ({ one }) => ({
        thing: one(things, { fields: [parts.thingId], references: [things.id] }),
      })),
    }
    const { name, columns } = fromDrizzle(tables, 'things', { with: { parts: true } })
    expect(name).toEqual(['shop', 'Things'])
    expect(columns.parts).toMatchObject({ kind: 'child', name: ['shop', 'parts'], foreignKey: ['thing_id'] })
  })

  test('of several keys refer to each other in their order', () => {
    const boxes = my.mysqlTable('boxes', { shop: my.int(), number: my.int() })
    const slips = my.mysqlTable('slips', {
      boxNumber: my.int('box_number'),
      boxShop: my.int('box_shop'),
      text: my.text(),
    })
    const tables = {
      boxes,
      slips,
      boxRelations: relations(boxes, ({ many }) => ({ slips: many(slips) })),
      slipRelations: relations(slips, ({ one }) => ({
        box: one(boxes, { fields: [slips.boxShop, slips.boxNumber], references: [boxes.shop, boxes.number] }),
      })),
    }
    const made = fromDrizzle(tables, 'boxes', { with: { slips: { columns: { text: true } } } })
    expect(made.key).toEqual(['shop', 'number'])
    expect(made.columns.slips).toMatchObject({ foreignKey: ['box_shop', 'box_number'] })
    const box = { key: ['shop', 'number'], foreignKey: ['box_shop', 'box_number'] }
    expect(fromDrizzle(tables, 'slips', { with: { box: true } }).columns.box).toMatchObject(box)
    // The lists of the box refer to the key that the slip does.
    const around = fromDrizzle(tables, 'slips', { with: { box: { with: { slips: true } } } })
    expect(around.columns.box).toMatchObject({ ...box, columns: { slips: { foreignKey: ['box_shop', 'box_number'] } } })
  })
  test('of two lists may refer to one key', () => {
    const boxes = my.mysqlTable('boxes', { id: my.int() })
    const slips = my.mysqlTable('slips', { box: my.int(), from: my.int() })
    const tables = {
      boxes,
      slips,
      boxRelations: relations(boxes, ({ many }) => ({
        held: many(slips, { relationName: 'box' }),
        sent: many(slips, { relationName: 'from' }),
      })),
      slipRelations: relations(slips, ({ one }) => ({
        box: one(boxes, { fields: [slips.box], references: [boxes.id], relationName: 'box' }),
        from: one(boxes, { fields: [slips.from], references: [boxes.id], relationName: 'from' }),
      })),
    }
    const { key, columns } = fromDrizzle(tables, 'boxes', { with: { held: true, sent: true } })
    expect(key).toEqual(['id'])
    expect(columns).toMatchObject({ held: { foreignKey: ['box'] }, sent: { foreignKey: ['from'] } })
  })
})

const reasonsOf = (make: () => unknown): Record<string, string> => {
  try {
    make()
  } catch (error) {
    expect(error).toBeInstanceOf(TypeError)
    return Object.fromEntries(
      (error as TypeError).message
        .split('\n')
        .slice(1, -1)
        .map((line) => line.trim().split(/: (.*)/, 2) as [string, string]),
    )
  }
  return {}
}

describe('a column that cannot be a field', () => {
  const all = pg.pgTable('all', {
    id: pg.integer(),
    json: pg.json(),
    jsonb: pg.jsonb(),
    code: pg.char({ length: 3 }),
    time: pg.time({ withTimezone: true }),
    span: pg.interval(),
    ip: pg.inet(),
    place: pg.point(),
    created: pg.timestamp({ withTimezone: true }),
    changed: pg.timestamp({ precision: 6 }),
    grid: pg.integer().array().array(),
    'a.b': pg.text(),
  })
  test('is listed, all of it, with the reason', () => {
    expect(() => fromDrizzle({ all }, 'all')).toThrow(
      new TypeError(`these columns of all cannot be fields:
  time: time with time zone: no field holds it
  span: interval: no field holds it
  ip: inet: no field holds it
  place: point: no field holds it
  grid: integer[]: no field holds it
  a.b: the name must not contain '.', '[' or ']', which have a meaning in queries
Leave them out with the option columns, or do what their lines say`),
    )
  })
  test('is left out with columns', () => {
    expect(fromDrizzle({ all }, 'all', { columns: { id: true } }).schema.fields).toEqual({ id: field.integer() })
  })
  test('is JSON where a column has JSON, and promises no value', () => {
    const json = pg.pgTable('json', { id: pg.integer(), a: pg.json(), b: pg.jsonb().notNull() })
    const { schema, columns } = fromDrizzle({ json }, 'json')
    expect(schema.fields).toEqual({ id: field.integer(), a: field.json(), b: field.json() })
    expect(columns).toMatchObject({ a: jsonColumn('a', { type: 'json' }), b: jsonColumn('b') })
    const text = lite.sqliteTable('t', { json: lite.text({ mode: 'json' }) })
    expect(fromDrizzle({ text }, 'text').columns).toEqual({ json: jsonColumn('json') })
  })
  test('is what the options say, where the database can hold it', () => {
    const fields = {
      json: field.object({ os: field.string() }),
      jsonb: field.list(field.string()),
      code: field.enumeration(['AUT', 'DEU']),
      created: field.datetime(),
      changed: field.datetime(),
    }
    const made = fromDrizzle({ all }, 'all', {
      columns: { json: true, jsonb: true, code: true, created: true, changed: true },
      fields,
    })
    expect(made.schema.fields).toEqual(fields)
    expect(made.columns).toEqual({
      json: jsonColumn('json', { type: 'json' }),
      jsonb: jsonColumn('jsonb'),
      code: column('code', { type: 'char' }),
      created: column('created', { type: 'timestamptz' }),
      changed: column('changed', { type: 'timestamp' }),
    })
    const not = {
      id: field.string(),
      time: field.string(),
      ip: field.string(),
      grid: field.list(field.integer()),
      created: field.integer(),
    }
    expect(
      reasonsOf(() =>
        fromDrizzle({ all }, 'all', {
          columns: { id: true, time: true, ip: true, grid: true, created: true },
          fields: not,
        }),
      ),
    ).toEqual({
      id: 'integer: it holds no string',
      time: 'time with time zone: no field holds it',
      ip: 'inet: no field holds it',
      grid: 'integer[]: no field holds it',
      created: 'timestamp with time zone: it holds no integer',
    })
    const lists = { lists: pg.pgTable('lists', { tags: pg.text().array(), days: pg.text().array() }) }
    expect(
      reasonsOf(() =>
        fromDrizzle(lists, 'lists', { fields: { tags: field.string(), days: field.list(field.integer()) } }),
      ),
    ).toEqual({ tags: 'text[]: an array is a list, not a string', days: 'text: it holds no integer' })
  })
  test('on MySQL and SQLite', () => {
    const mysql = my.mysqlTable('t', {
      binary: my.varbinary({ length: 9 }),
      json: my.json(),
    })
    expect(Object.keys(reasonsOf(() => fromDrizzle({ mysql }, 'mysql')))).toEqual(['binary'])
    const sqlite = lite.sqliteTable('t', {
      blob: lite.blob(),
      json: lite.text({ mode: 'json' }),
    })
    expect(Object.keys(reasonsOf(() => fromDrizzle({ sqlite }, 'sqlite')))).toEqual(['blob'])
  })
  test('is a relation that Drizzle cannot follow, and two that do not fit', () => {
    const a = lite.sqliteTable('a', { id: lite.integer(), other: lite.integer() })
    const b = lite.sqliteTable('b', { a: lite.integer(), o: lite.integer() })
    const c = lite.sqliteTable('c', { a: lite.integer() })
    const tables = {
      a,
      b,
      c,
      aRelations: relations(a, ({ many }) => ({
        byId: many(b, { relationName: 'id' }),
        byOther: many(b, { relationName: 'other' }),
        lost: many(c),
        other: many(b, { relationName: 'id' }),
      })),
      bRelations: relations(b, ({ one }) => ({
        id: one(a, { fields: [b.a], references: [a.id], relationName: 'id' }),
        other: one(a, { fields: [b.o], references: [a.other], relationName: 'other' }),
      })),
    }
    expect(() => fromDrizzle(tables, 'a', { with: { byId: true, byOther: true, lost: true, other: true } })).toThrow(
      new TypeError(`these columns of a cannot be fields:
  byOther: it refers to other, but another list to id
  lost: There is not enough information to infer relation "a.lost"
  other: a relation has the name of a column
Leave them out with the option columns, or do what their lines say`),
    )
    // The lists of an object belong to the row that its key names.
    expect(() => fromDrizzle(tables, 'b', { with: { other: { with: { byId: true } } } })).toThrow(
      /\n {2}other: its lists refer to id, but the relation to other\n/,
    )
  })
  test('is one of two relations with several keys that do not fit', () => {
    const boxes = lite.sqliteTable('boxes', { shop: lite.int(), nr: lite.int(), row: lite.int(), place: lite.int() })
    const slips = lite.sqliteTable('slips', { a: lite.int(), b: lite.int() })
    const tables = {
      boxes,
      slips,
      boxRelations: relations(boxes, ({ many }) => ({
        slips: many(slips, { relationName: 'box' }),
        marks: many(slips, { relationName: 'spot' }),
      })),
      slipRelations: relations(slips, ({ one }) => ({
        box: one(boxes, { fields: [slips.a, slips.b], references: [boxes.shop, boxes.nr], relationName: 'box' }),
        spot: one(boxes, { fields: [slips.a, slips.b], references: [boxes.row, boxes.place], relationName: 'spot' }),
      })),
    }
    expect(reasonsOf(() => fromDrizzle(tables, 'boxes', { with: { slips: true, marks: true } }))).toEqual({
      marks: 'it refers to row, place, but another list to shop, nr',
    })
    expect(reasonsOf(() => fromDrizzle(tables, 'slips', { with: { spot: { with: { slips: true } } } }))).toEqual({
      spot: 'its lists refer to shop, nr, but the relation to row, place',
    })
  })
})

describe('a wrong argument is a TypeError', () => {
  test.each([
    [() => fromDrizzle(pgTables, 'order' as never), /^name must be a table: countries, .*; found "order"$/],
    [() => fromDrizzle(pgTables, 'ordersRelations' as never), /^name must be a table/],
    [() => fromDrizzle(pgTables, 'constructor' as never), /^name must be a table/],
    [
      () => fromDrizzle(pgTables, 'countries', { colums: {} } as never),
      /^options\.colums is unknown; did you mean columns/,
    ],
    [() => fromDrizzle(pgTables, 'countries', { columns: { nam: true } as never }), /has no column nam$/],
    [
      () => fromDrizzle(pgTables, 'orders', { with: { customer: { columns: { nam: true } as never } } }),
      /has no column customer\.nam$/,
    ],
    [() => fromDrizzle(pgTables, 'orders', { with: { item: true } as never }), /has no relation item$/],
    [
      () => fromDrizzle(pgTables, 'orders', { columns: { id: true }, with: { items: { limit: 1 } as never } }),
      /^options\.with\.items\.limit is unknown/,
    ],
    [
      () => fromDrizzle(pgTables, 'countries', { fields: { nam: field.date(), cod: field.date() } }),
      /no columns here: nam, cod$/,
    ],
    [() => fromDrizzle(pgTables, 'countries', { casing: 'kebab' as never }), /snake_case or camelCase/],
  ])('%s', (call, message) => {
    expect(call).toThrow(TypeError)
    expect(call).toThrow(message)
  })
})
