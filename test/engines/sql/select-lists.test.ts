/** Lists of `select`: the engine's order by columns of every type, ten thousand entries, and five hundred fields, on every engine. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { childTable, column, parentTable, sqlBackend, table, type Dialect } from '../../../src/backends/sql/index.ts'
import { defineCollection, defineSchema, field, parseQueryOrThrow } from '../../../src/index.ts'
import { openDuckdb } from './duckdb.ts'
import { openEngines, type Engine } from './engines.ts'

const own = `l${randomUUID().slice(0, 8)}`
const engines = [...(await openEngines((name) => !/lower-casing|pg_c_utf8/.test(name))), await openDuckdb()]
afterAll(() => Promise.all(engines.map(({ close }) => close())))
const isMysql = ({ dialect }: Engine) => dialect.quote === '`'
/** In a list of many kilobytes nothing may be cut off, and the rows are sorted, in a table of the engine where there is a join. */
const shortLists = 'SET SESSION group_concat_max_len = 4'

/** Types of columns that a list may be in the order of, and values in no order: `null` is NULL. The engine sorts them. */
const texts = `'b', 'B', 'a', '', 'é', 'e', 'z', 'Z1', 'ab', '10', '9', 'ß', 'ss', null`
const numbers = '10, 9, -3, 0, 100, null'
const everywhere: readonly (readonly [string, string])[] = [
  ['int', numbers],
  ['bigint', '9007199254740993, 9007199254740992, -9223372036854775808, 9223372036854775807, 10, 9, null'],
  ['decimal(20, 4)', '10.5, 9.25, -0.0001, 1000000000000000.0001, null'],
  ['double precision', '1e100, 1e-7, -1e100, 0.5, 12345678901234567890, 5, 1e15, -1e-300, null'],
  ['varchar(20)', texts],
  ['date', "'2024-01-02', '1999-12-31', '9999-12-31', '0001-01-01', null"],
]
const inMysql: readonly (readonly [string, string])[] = [
  ['bigint unsigned', '18446744073709551615, 9223372036854775808, 1, 20, null'],
  ['varchar(20) COLLATE utf8mb4_bin', texts],
  ['varchar(20) COLLATE utf8mb4_unicode_ci', texts],
  ['binary(2)', "x'00ff', x'0100', x'0041', x'ff00', null"],
  ['datetime(6)', "'2024-01-02 03:04:05.1', '2024-01-02 03:04:05.000001', '1000-01-01 00:00:00', null"],
  ['float', '1e30, 1.5, -1e30, 20, null'],
  ['year', '1999, 2024, 1901'],
  ['time', "'-10:00:00', '-100:00:00', '100:00:00', '09:00:00', null"],
]
/** MariaDB's weight of an enumeration is that of its text. */
const inMysqlAlone = [["enum('z', 'a', 'm')", "'a', 'm', 'z', null"]] as const
const inPostgres: readonly (readonly [string, string])[] = [
  ['uuid', "'ffffffff-0000-4000-8000-000000000000', '00000000-0000-4000-8000-000000000000', null"],
  ['text COLLATE "C"', texts],
  ['timestamptz', "'2024-01-02 03:04:05.1+02', 'infinity', '-infinity', '0044-03-15 BC', null"],
  ['boolean', 'true, false, null'],
]
/** DuckDB writes the era in parentheses. */
const inDuckdb = inPostgres.map(([type, values]) => [type, values.replace('BC', '(BC)')] as const)
const typesOf = (engine: Engine) => [
  ...everywhere,
  ...(engine.name === 'mysql' ? inMysqlAlone : []),
  ...(isMysql(engine) ? inMysql : engine.name === 'sqlite' ? [] : engine.name === 'duckdb' ? inDuckdb : inPostgres),
]

const listIn = (dialect: Dialect, name: string, orderBy: readonly string[]) => {
  const schema = defineSchema({ id: field.integer(), list: field.list(field.object({ at: field.integer() })) })
  const columns = { list: childTable(name, { foreignKey: 'owner', orderBy, columns: {} }) }
  const backend = sqlBackend({ dialect, table: table(`${own}_m`, { schema, key: 'id', columns }) })
  return backend.select(parseQueryOrThrow(defineCollection(schema, { key: 'id', sort: true }), 'sort=-id'))
}

describe.each(engines)('$name', (engine) => {
  const { run, dialect } = engine
  const made: string[] = []
  const create = async (name: string, columns: string) => {
    made.push(name)
    await run(`CREATE TABLE ${name} (${columns})${isMysql(engine) ? ' CHARACTER SET utf8mb4' : ''}`)
  }
  beforeAll(async () => {
    if (isMysql(engine)) await run(shortLists)
    await create(`${own}_m`, 'id int')
    await run(`INSERT INTO ${own}_m VALUES (1), (2)`)
  })
  afterAll(async () => {
    for (const name of made) await run(`DROP TABLE ${name}`)
  })

  test.each(typesOf(engine).map(([type, values], at) => ({ type, values, at })))(
    'a list by $type is in the order of the engine',
    async ({ type, values, at }) => {
      const name = `${own}_${at}`
      await create(name, `${dialect.quote}at${dialect.quote} int, owner int, k ${type}`)
      const stored = values.split(/, (?![^']*'(?:,|$))/)
      // Twice: ties are in the order of the second column.
      const rows = [...stored, ...stored].map((value, at) => `(${at}, 1, ${value})`)
      await run(`INSERT INTO ${name} VALUES ${rows.join(', ')}`)
      const at_ = `${dialect.quote}at${dialect.quote}`
      const nulls = dialect.nulls?.ascending ?? ''
      const expected = await run(`SELECT ${at_} AS n FROM ${name} ORDER BY k${nulls}, ${at_}`)
      const statement = listIn(dialect, name, ['k', 'at'])
      const page = statement.page(await run(statement.text, statement.parameters))
      expect(page.rows).toEqual([
        { id: 2, list: [] },
        { id: 1, list: expected.map(({ n }) => ({ at: Number(n) })) },
      ])
    },
  )

  test('ten thousand entries of one row, below a join and a sort', async () => {
    const name = `${own}_many`
    await create(name, `at_ int, owner int, body varchar(99)`)
    const count = 10_000
    for (let from = 0; from < count; from += 1000) {
      const rows = Array.from({ length: 1000 }, (_, at) => `(${((from + at) * 7919) % count}, 1, 'entry ${from + at}')`)
      await run(`INSERT INTO ${name} VALUES ${rows.join(', ')}`)
    }
    const schema = defineSchema({
      id: field.integer(),
      list: field.list(field.object({ at: field.integer(), body: field.string() })),
      up: field.object({ id: field.integer() }),
    })
    const up = parentTable(`${own}_m`, { key: 'id', foreignKey: 'id' })
    const list = childTable(name, { foreignKey: 'owner', key: 'at_', columns: { at: 'at_' } })
    const backend = sqlBackend({ dialect, table: table(`${own}_m`, { schema, key: 'id', columns: { list, up } }) })
    const { text, parameters, page } = backend.select(
      parseQueryOrThrow(defineCollection(schema, { key: 'id', sort: true }), 'sort=-up.id'),
    )
    const [, row] = page(await run(text, parameters)).rows as unknown as { list: { at: number; body: string }[] }[]
    expect(row!.list).toHaveLength(count)
    expect(row!.list.map(({ at }) => at)).toEqual(Array.from({ length: count }, (_, at) => at))
    expect(row!.list[7919 % count]!.body).toBe('entry 1')
  })

  test('five hundred fields, and five hundred of each entry of a list', async () => {
    const names = Array.from({ length: 500 }, (_, at) => `f${at}`)
    const fields = Object.fromEntries(names.map((name) => [name, field.integer()]))
    const schema = defineSchema({ id: field.integer(), ...fields, list: field.list(field.object(fields)) })
    const [wide, entries] = [`${own}_wide`, `${own}_entries`]
    const columns = names.map((name) => `${name} int`).join(', ')
    await create(wide, `id int, ${columns}`)
    await create(entries, `id int, owner int, ${columns}`)
    const values = names.map((_, at) => at).join(', ')
    await run(`INSERT INTO ${wide} VALUES (1, ${values})`)
    await run(`INSERT INTO ${entries} VALUES (2, 1, ${values}), (1, 1, ${values})`)
    const list = childTable(entries, { foreignKey: 'owner', key: 'id' })
    const backend = sqlBackend({ dialect, table: table(wide, { schema, key: 'id', columns: { list } }) })
    const { text, parameters, page } = backend.select(parseQueryOrThrow(defineCollection(schema, { key: 'id' }), ''))
    const values_ = Object.fromEntries(names.map((name, at) => [name, at]))
    expect(page(await run(text, parameters)).rows).toEqual([{ id: 1, ...values_, list: [values_, values_] }])
  })

  test('names with quotes, spaces, dots, capitals, and those that the statement gives itself', async () => {
    const q = (name: string) => dialect.quote + name.replaceAll(dialect.quote, dialect.quote.repeat(2)) + dialect.quote
    const long = 'long'.repeat(17)
    const odd = [`a"b`, 'c d', 'UPPER', 'c1', 't1', 'constructor', 'toString', `e'f`, 'g`h', `${long}1`, `${long}2`]
    const stored = (at: number) => (at < 9 ? `${odd[at]!}` : `x${at}`)
    const fields = Object.fromEntries(odd.map((name) => [name, field.string()]))
    const schema = defineSchema({
      id: field.integer(),
      ...fields,
      t2: field.list(field.object(fields)),
      c2: field.object(fields),
    })
    const columns = Object.fromEntries(odd.map((name, at) => [name, column(stored(at))]))
    const declared = odd.map((_, at) => `${q(stored(at))} varchar(20)`).join(', ')
    const [main, child, parent] = ['t1', 'c1', 'e1'].map((name) => `${own} ${name}"\`.`)
    for (const [name, keys] of [
      [main, 'id int, c2 int'],
      [child, 'id int, t1 int'],
      [parent, 'id int'],
    ] as const)
      await create(
        q(name!),
        `${keys}, ${declared}`.replaceAll(/\b(id|t1|c2) int/g, (_, key: string) => `${q(`${key}.`)} int`),
      )
    const cells = odd.map((_, at) => `'v${at}'`).join(', ')
    await run(`INSERT INTO ${q(main!)} VALUES (1, 3, ${cells})`)
    await run(`INSERT INTO ${q(child!)} VALUES (7, 1, ${cells})`)
    await run(`INSERT INTO ${q(parent!)} VALUES (3, ${cells})`)
    const mapped = table(main!, {
      schema,
      key: 'id.',
      columns: {
        id: 'id.',
        ...columns,
        t2: childTable(child!, { foreignKey: 't1.', key: 'id.', columns }),
        c2: parentTable(parent!, { key: 'id.', foreignKey: 'c2.', columns }),
      },
    })
    const values = Object.fromEntries(odd.map((name, at) => [name, `v${at}`]))
    for (const alias of [undefined, 't1', 'c 1']) {
      const backend = sqlBackend({ dialect, table: mapped, ...(alias !== undefined && { alias }) })
      const { text, parameters, page } = backend.select(parseQueryOrThrow(defineCollection(schema, { key: 'id' }), ''))
      expect(page(await run(text, parameters)).rows).toEqual([{ id: 1, ...values, t2: [values], c2: values }])
    }
  })
})
