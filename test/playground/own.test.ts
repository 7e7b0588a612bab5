/** Schemas of visitors: texts that become lists, and texts that are refused. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hasOutput, answerTo } from '../../docs/playground/answer.ts'
import { fragmentOf, stateOf } from '../../docs/playground/address.ts'
import { readCreateTable, sqlTypes } from '../../docs/playground/create-table.ts'
import { orderSubject } from '../../docs/playground/orders.ts'
import { ownSubject } from '../../docs/playground/own.ts'
import type { StoreParts, Subject } from '../../docs/playground/subject.ts'
import { orders } from '../../docs/demo/data.ts'
import { isUnmapped, sqlTypes as ofPackage, type SqlType } from '../../src/tools/sql-types.ts'
import { byEffort } from '../effort.ts'

function subjectOf(text: string): Subject {
  const read = ownSubject(text)
  if (!hasOutput(read)) throw new Error(read.refusal[0].message)
  return read.output
}
const refusal = (text: string) => {
  const read = ownSubject(text)
  return hasOutput(read) ? undefined : read.refusal[0].message
}
const typesOf = ({ collection }: Subject) =>
  Object.fromEntries(Array.from(collection.visible.paths.values(), ({ name, type }) => [name, type]))

test.each<readonly [string, string, object]>([
  [
    'PostgreSQL',
    `-- Trips
    CREATE TABLE IF NOT EXISTS sales."Trips" (
      id bigserial PRIMARY KEY, -- its key
      title character varying(80) NOT NULL DEFAULT 'a, (b)',
      price numeric(10, 2) CHECK (price > 0),
      starts_at timestamp(3) with time zone,
      "day of week" date, tags text[] NOT NULL, meta jsonb, place point,
      CONSTRAINT one UNIQUE (title), FOREIGN KEY (title) REFERENCES titles (name)
    );`,
    {
      engine: 'postgres',
      name: 'Trips',
      key: ['id'],
      fields: {
        id: 'bigint',
        title: 'string',
        price: 'decimal',
        startsAt: 'datetime',
        dayOfWeek: 'date',
        tags: 'list',
        meta: 'json',
      },
      omitted: ['place (point)'],
    },
  ],
  [
    'MySQL',
    "CREATE TABLE `orders` (`order_id` int unsigned NOT NULL AUTO_INCREMENT, `line` smallint, kind enum('a','it''s') NOT NULL, paid tinyint(1), at datetime(3), PRIMARY KEY (`order_id`, line), KEY `x` (`kind`)) ENGINE=InnoDB",
    {
      engine: 'mysql',
      name: 'orders',
      key: ['orderId', 'line'],
      fields: { orderId: 'integer', line: 'integer', kind: 'enumeration', paid: 'integer', at: 'datetime' },
      omitted: [],
    },
  ],
  [
    'SQLite',
    'create table notes(id integer primary key autoincrement, body text, size real)',
    {
      engine: 'sqlite',
      name: 'notes',
      key: ['id'],
      fields: { id: 'integer', body: 'string', size: 'number' },
      omitted: [],
    },
  ],
])('reads a CREATE TABLE of %s', (_, sql, expected) => {
  const { engine, name, key, columns, omitted } = readCreateTable(sql)
  const fields = Object.fromEntries(Object.entries(columns).map(([one, { field }]) => [one, field.type]))
  expect({ engine, name, key, fields, omitted }).toEqual(expected)
  const subject = subjectOf(sql)
  const sort = key.map((one) => `-${one}`).join(',')
  const result = answerTo(subject, `sort=${sort}&limit=2`)
  expect(result.ok && Object.keys(subject.dialects).every((dialect) => hasOutput(result.answer.whole(dialect)))).toBe(
    true,
  )
})

test('a column of the key or with NOT NULL is required', () => {
  const { columns } = readCreateTable('CREATE TABLE t (id int, a text NOT NULL, b text NULL, c text, PRIMARY KEY (id))')
  expect(Object.entries(columns).map(([name, { field, notNull }]) => [name, 'required' in field, notNull])).toEqual([
    ['id', true, true],
    ['a', true, true],
    ['b', false, false],
    ['c', false, false],
  ])
})

test('the types are those of the package', () => {
  for (const engine of ['postgres', 'mysql', 'sqlite'] as const)
    for (const [literal, type, ...names] of sqlTypes[engine])
      for (const name of names) {
        const row = (ofPackage[engine] as Readonly<Record<string, SqlType>>)[name]!
        const [ofRow, typeOfRow] = isUnmapped(row) ? ['json', row.jsonType] : [row.literal, row.types[row.literal]]
        expect([engine, name, literal, type]).toEqual([engine, name, ofRow, typeOfRow])
      }
})

test('the statement has the names and the types of the table', () => {
  const subject = subjectOf('CREATE TABLE trips (id bigint PRIMARY KEY, paid_at timestamp(3), amount real NOT NULL)')
  const result = answerTo(subject, 'amount[gte]=5&paidAt=2024-01-01&fields=id&limit=1')
  expect(result.ok && result.answer.whole('PostgreSQL')).toEqual({
    output: expect.objectContaining({
      text: 'SELECT "trips"."id"::text AS c1 FROM "trips" WHERE "trips"."amount" >= $1::double precision AND "trips"."paid_at" >= $2::timestamp AND "trips"."paid_at" < $3::timestamp ORDER BY "trips"."id" ASC LIMIT $4::bigint',
    }) as object,
  })
})

test('reads the fields of the orders as the page writes them, and a JSON Schema', () => {
  expect(typesOf(subjectOf(JSON.stringify(orders.fields)))).toEqual(typesOf(orderSubject))
  const subject = subjectOf(
    '{ "type": "object", "properties": { "id": { "type": "integer" }, "limit": { "type": "string", "format": "date" } }, "required": ["id"] }',
  )
  expect(typesOf(subject)).toEqual({ id: 'integer', limit: 'date' })
  // A parameter gives its name to the field.
  expect(answerTo(subject, 'limit=2024-01-01&_limit=3').ok).toBe(true)
})

test('reads a record of unknown keys', () => {
  const subject = subjectOf(
    '{ "id": { "type": "integer" }, "labels": { "type": "record", "entry": { "type": "string" } } }',
  )
  const result = answerTo(subject, 'labels.color[startsWith]=a&count=true')
  let count: unknown
  if (result.ok) subject.store.read(result.answer, (part) => (count = part.count ?? count))
  // About 9 in 100 words begin with a: some rows, and not all.
  expect(count).toBeGreaterThan(0)
  expect(count).toBeLessThan(100)
})

test('makes the same rows each time, of the types of the fields', () => {
  const read = () => {
    let parts: StoreParts = {}
    const subject = subjectOf(JSON.stringify(orders.fields))
    const result = answerTo(subject, 'count=true&limit=20')
    if (result.ok) subject.store.read(result.answer, (part) => (parts = { ...parts, ...part }))
    return parts
  }
  expect(read()).toEqual(read())
  expect(read().count).toBe(200)
})

test.each([
  ['', 'the text has no CREATE TABLE with a list of columns'],
  ['CREATE TABLE t (a text)', 'the table has no PRIMARY KEY, which the order of a list needs'],
  ['CREATE TABLE t (id point PRIMARY KEY)', 'no field has the type of the key: id (point)'],
  ['CREATE TABLE t (id)', 'a column needs a name and a type: id'],
  ['z.object({ id: z.int() })', 'the page runs no code: paste the JSON that z.toJSONSchema(schema) writes'],
  [
    '{ "id": { "type": "money" } }',
    'id needs a type: string, uuid, integer, bigint, number, decimal, boolean, date, datetime, time, json, enumeration, list, object, record',
  ],
  ['{ "id": { "type": "constructor" } }', /^id needs a type: /],
  ['{ "id": { "type": "toString" } }', /^id needs a type: /],
  ['{ "id": null }', /^id needs a type: /],
  ['{ "a": { "type": "boolean" } }', 'the order of a list needs a key: a field id of the type integer, for example'],
  ['{ "__proto__": { "type": "string" } }', /__proto__/],
  ['{ "id": { "type": "enumeration" } }', 'values must be a list of at least one string'],
  ['{ "id": { "type": "string", "required": 1 } }', 'options.required must be a boolean'],
  ['{ "id": { "type": "string", "polluted": 1 } }', /polluted/],
  ['{ "id": { "type": "list", "entry": { "type": "list" } } }', /^id\[\]/],
  ['{', /JSON/],
  [`{ "id": "${'x'.repeat(6000)}" }`, 'the schema has 6012 characters: at most 6000 fit in a link'],
  ['{ "type": "object", "properties": { "a": { "type": ["string", "number"] } } }', /^.*a: .*union/s],
])('refuses text %#', (text, message) => expect(refusal(text)).toMatch(message))

describe('whatever the text', () => {
  const pieces = fc.constantFrom(
    ...[
      'CREATE TABLE t',
      '(',
      ')',
      ',',
      'id',
      'int',
      'primary key',
      '"a',
      '`',
      '--',
      '/*',
      "'",
      'text[]',
      'enum(',
      '{',
      '}',
      '"id":',
      '"type":',
    ],
    ...[
      '"string"',
      '"list"',
      '"entry":',
      '__proto__',
      'constructor',
      '\u0000',
      '\ud800',
      ':',
      '[',
      ']',
      'not null',
      '1e999',
      '$ref',
      '"#"',
    ],
  )
  test('the page shows a list or a refusal', () => {
    const text = fc.oneof(
      fc.array(pieces, { maxLength: 25 }).map((all) => all.join(' ')),
      fc.array(pieces, { maxLength: 25 }).map((all) => `CREATE TABLE t (${all.join(' ')}, id int PRIMARY KEY)`),
      fc.json(),
    )
    fc.assert(
      fc.property(text, (one) => {
        const read = ownSubject(one)
        if (hasOutput(read)) expect(answerTo(read.output, '').ok).toBe(true)
        else expect(read.refusal[0].message).not.toBe('')
      }),
      { numRuns: byEffort(2000, 200), seed: 7 },
    )
    expect(({} as Record<string, unknown>).type).toBe(undefined)
  })
  test('a link contains the schema, and gives it back', () => {
    const subject = subjectOf('CREATE TABLE "ä &=#+%" (id int PRIMARY KEY)')
    const all = [orderSubject, subject]
    const state = stateOf(all, `#${new URLSearchParams({ schema: subject.source!, query: 'id=1' }).toString()}`)
    expect(state).toMatchObject({ list: 'ä &=#+%', query: 'id=1' })
    expect(stateOf(all, new URL(`http://host/${fragmentOf(all, state)}`).hash)).toEqual(state)
    // Before the page has read the schema, the link is one of the orders.
    expect(stateOf([orderSubject], fragmentOf(all, state)).list).toBe('orders')
  })
})
