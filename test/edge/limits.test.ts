/**
 * The limits of engines, as data of their dialects: the engine takes a statement at the limit, the dialect refuses the next one, and
 * without the limit the engine refuses it.
 */
import { afterAll, describe, expect, test } from 'vitest'
import { levelsOf } from '../../src/backends/sql/dialect/levels.ts'
import { column, d1, libsql, parentTable, sqlBackend, sqlite, table, turso } from '../../src/backends/sql/index.ts'
import type { Dialect, Table } from '../../src/backends/sql/index.ts'
import { and, defineSchema, field, FilterError, or, type Filter, type Query, type Schema } from '../../src/index.ts'
import { comparison, presence } from '../../src/tree.ts'
import { isInstalled, openD1 } from './engines.ts'
import { partsOfFilter } from '../../src/query/index.ts'

const numbers = (length: number) => Array.from({ length }, (_, at) => at)
const span = { start: 3, end: 7 }
const has = (name: string): Filter => presence([name], 'integer')
/** An OR of these has a parameter for each. An OR of equalities is one list of values. */
const above = (value: number): Filter => comparison(['a'], 'gt', { type: 'integer', value })
const byId: Query['sort'] = [{ path: ['id'], type: 'integer', direction: 'ascending', required: true }]
const whole = (filter: Filter, more: Partial<Query> = {}): Query => ({
  ...{ ...partsOfFilter(filter), sort: byId, limit: 20, count: false as const },
  ...more,
})

interface Asked {
  readonly schema: Schema
  readonly mapped: Table
  readonly query: Query
}
const fieldsOf = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, field.integer()]))
const askedOf = (names: readonly string[], filter: Filter, more: Partial<Query> = {}): Asked => {
  const schema = defineSchema({ ...fieldsOf(names), id: field.integer() })
  return { schema, mapped: table('t', { schema, key: 'id' }), query: whole(filter, { fields: [['id']], ...more }) }
}

/** As many levels as groups, and three for the condition in the last one. */
const nested = (groups: number): Filter =>
  numbers(groups).reduce<Filter>((inner, at) => (at % 2 === 0 ? or : and)(has('b'), inner), has('a'))

/** Builds a statement of a given number of bytes. Each letter of a name is two bytes in UTF-8. */
function askedOfBytes(bytes: number): Asked {
  const name = 'é'.repeat(1_000)
  const askedWith = (last: string) => {
    const names = [name, last]
    return askedOf(names, or(...numbers(48).map(() => has(name)), has(last)))
  }
  const { mapped, query } = askedWith('x')
  const { text } = sqlBackend({ dialect: unbounded, table: mapped }).select(query)
  return askedWith('x'.repeat(bytes - Buffer.byteLength(text) + 1))
}

/** A statement that selects so many columns: a table of D1 cannot have more, so that some are in a parent table. */
function askedOfColumns(columns: number, fields?: Query['fields']): Asked {
  const names = numbers(95).map((at) => `c${at}`)
  // The key of the table and that of the parent table are selected, too.
  const others = numbers(columns - 97).map((at) => `p${at}`)
  const parent = field.object({ ...fieldsOf(others) })
  const schema = defineSchema({ ...fieldsOf(names), parent, id: field.integer() })
  const mapped = table('t', {
    schema,
    key: 'id',
    columns: {
      id: column('id'),
      parent: parentTable('parents', { key: 'key', foreignKey: 'parent', columns: {} }),
    },
  })
  return { schema, mapped, query: whole(and(), fields === undefined ? {} : { fields }) }
}

const unbounded: Dialect = {
  ...d1,
  ...{ maxParameters: Infinity, maxBytes: Infinity, maxColumns: Infinity },
  depthOf: () => 0,
}

/** By what is bounded: a statement with a number of it, the limit, and the engine's message. */
const limits: Readonly<Record<string, readonly [of: (count: number) => Asked, most: number, message: RegExp]>> = {
  // LIMIT has one, and the position another one.
  'parameters of a filter': [
    (count) => askedOf(['a'], or(...numbers(count - 1).map(above))),
    100,
    /too many SQL variables/,
  ],
  'parameters of a filter, a position and an offset': [
    (count) =>
      askedOf(['a'], or(...numbers(count - 3).map(above)), {
        offset: 5,
        position: { toward: 'next', values: [{ type: 'integer', value: 1 }] },
      }),
    100,
    /too many SQL variables/,
  ],
  'levels of groups': [(count) => askedOf(['a', 'b'], nested(count - 3)), 100, /maximum depth 100/],
  bytes: [askedOfBytes, 100_000, /statement too long|SQLITE_TOOBIG/],
  'columns of all fields': [askedOfColumns, 100, /too many columns in result set/],
}

const create = ({ schema, mapped }: Asked): string[] => {
  const quoted = (name: string) => `"${name}" INTEGER`
  const parent = schema.fields.parent
  const names = Object.keys(schema.fields)
  return [
    'DROP TABLE IF EXISTS t',
    'DROP TABLE IF EXISTS parents',
    `CREATE TABLE t (${names.map(quoted).join(', ')}) STRICT`,
    ...(parent?.type === 'object'
      ? [`CREATE TABLE parents (${['key', ...Object.keys(parent.fields)].map(quoted).join(', ')}) STRICT`]
      : []),
    `INSERT INTO ${mapped.name as string} ("id") VALUES (1)`,
  ]
}

describe.runIf(isInstalled)('D1', async () => {
  const engine = isInstalled ? await openD1() : undefined
  afterAll(() => engine?.close())

  test.each(Object.entries(limits))('%s', async (_, [of, most, message]) => {
    const [last, beyond] = [of(most), of(most + 1)]
    for (const statement of create(last)) await engine!.run(statement)
    const { text, parameters } = sqlBackend({ dialect: d1, table: last.mapped }).select(last.query)
    expect((await engine!.run(text, parameters)).length).toBeLessThan(2)

    expect(() => sqlBackend({ dialect: d1, table: beyond.mapped }).select(beyond.query)).toThrow(
      new RegExp(
        `the statement (?:has more .* than d1 takes: |selects ${most + 1} columns, but d1 takes )${most} at most`,
      ),
    )
    const more = sqlBackend({ dialect: unbounded, table: beyond.mapped }).select(beyond.query)
    for (const statement of create(beyond)) await engine!.run(statement)
    await expect(engine!.run(more.text, more.parameters)).rejects.toThrow(message)
  })
})

/** The issue of a query. */
const refusalOf = ({ mapped, query }: Asked) => {
  try {
    sqlBackend({ dialect: d1, table: mapped }).select(query)
  } catch (error) {
    if (error instanceof FilterError) return error.issues[0]
    throw error
  }
  return undefined
}

describe('a refusal', () => {
  const fromText = (filter: Filter): Filter => ({ ...filter, span })
  test.each([
    ['parameters', or(...numbers(101).map(above))],
    ['levels', nested(98)],
  ])('of %s is the fault of the client, whose text has them', (_, filter) => {
    expect(refusalOf(askedOf(['a', 'b'], fromText(filter)))).toMatchObject({
      ...{ code: 'backend_refused', fault: 'client', span },
      hint: 'ask for less at once: fewer conditions, shorter lists, fewer groups inside groups',
    })
    // A restriction that is too large alone is not.
    const restricted = and(filter, fromText(has('a')))
    expect(refusalOf(askedOf(['a', 'b'], restricted))).toMatchObject({ code: 'backend_refused', fault: 'server' })
  })

  test('of the parameters that a restriction leaves no room for is the fault of the client', () => {
    const restriction = or(...numbers(60).map(above))
    expect(refusalOf(askedOf(['a'], and(restriction, fromText(or(...numbers(30).map(above))))))).toBeUndefined()
    const both = and(restriction, fromText(or(...numbers(40).map(above))))
    expect(refusalOf(askedOf(['a'], both))).toMatchObject({ code: 'backend_refused', fault: 'client' })
  })

  test('of bytes counts those of UTF-8', () => {
    expect(refusalOf(askedOfBytes(100_000))).toBeUndefined()
    expect(refusalOf(askedOfBytes(100_001))).toMatchObject({
      ...{ code: 'backend_refused', fault: 'server', parameters: { problem: 'size' } },
      message: 'the statement has more bytes than d1 takes: 100000 at most',
    })
  })

  test('of columns is the fault of the client where it asks for these fields', () => {
    expect(refusalOf(askedOfColumns(100))).toBeUndefined()
    expect(refusalOf(askedOfColumns(101))).toMatchObject({
      ...{ code: 'backend_refused', fault: 'server', parameters: { problem: 'size' } },
      message: 'the statement selects 101 columns, but d1 takes 100 at most',
    })
    const { schema } = askedOfColumns(101)
    const fields = Object.keys(schema.fields).map((name) => [name])
    expect(refusalOf(askedOfColumns(101, fields))).toMatchObject({
      ...{ code: 'backend_refused', fault: 'client', hint: 'ask for fewer fields' },
    })
    expect(refusalOf(askedOfColumns(101, fields.slice(0, 9)))).toBeUndefined()
  })

  test.each([
    ['d1', d1],
    ['libsql', libsql],
    ['turso', turso],
  ])('of levels names the engine: %s', (name, dialect) => {
    const { compile } = sqlBackend({ dialect, table: table('t') })
    const message = new RegExp(`more levels of expressions than ${name} takes: 100 at most`)
    expect(() => compile(nested(98))).toThrow(message)
    expect(() => compile(nested(20))).not.toThrow()
  })

  test('is there for every statement of a query', () => {
    const { compileQuery, compile, facets } = sqlBackend({ dialect: d1, table: askedOf(['a', 'b'], has('a')).mapped })
    const deep = nested(98)
    expect(() => compile(deep)).toThrow(/levels of expressions/)
    expect(() => compileQuery(whole(deep))).toThrow(/levels of expressions/)
    const facet = { path: ['a'], type: 'integer', lists: [], limit: 5, filter: deep } as const
    expect(() => facets(whole(deep, { facets: [facet] }))).toThrow(/levels of expressions/)
  })
})

test('long groups become less deep than on SQLite', () => {
  const { compile } = sqlBackend({ dialect: d1, table: table('t') })
  expect(() => compile(and(...numbers(5_000).map(() => has('a'))))).toThrow(/bytes/)
  expect(() => compile(and(...numbers(3_000).map(() => has('a'))))).not.toThrow()
  const textOf = (dialect: Dialect, members: number) =>
    sqlBackend({ dialect, table: table('t') }).compile(or(...numbers(members).map(above))).text
  expect(textOf(d1, 5)).toBe(textOf(sqlite, 5))
  expect([levelsOf(textOf(d1, 64)), levelsOf(textOf(sqlite, 64))]).toEqual([10, 67])
})
