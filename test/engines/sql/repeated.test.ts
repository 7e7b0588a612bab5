/**
 * One condition in several places of a filter. A planner replaces what is equal to a constant by the constant in the other places;
 * MariaDB forgets its collation there, and raises error 1267 where an operand has one and the value has none.
 */
import { afterAll, describe, expect, test } from 'vitest'
import { column, jsonColumn, sqlBackend, table, type ColumnOptions } from '../../../src/backends/sql/index.ts'
import { and, buildQuery, defineCollection, defineSchema, field, not, or, where } from '../../../src/index.ts'
import { openDuckdb } from './duckdb.ts'
import { openEngines } from './engines.ts'

const engines = [...(await openEngines((name) => !name.includes(','))), await openDuckdb()]
afterAll(async () => {
  for (const engine of engines) await engine.close()
})

const [upper, lower] = ['A1B2C3D4-0000-4000-8000-00000000000A', 'a1b2c3d4-0000-4000-8000-00000000000a']
const texts = ['red', 'RED', 'red ', null]
const uuids = [upper, '00000000-0000-4000-8000-000000000000', null, lower]
const schema = defineSchema({ id: field.integer(), text: field.string(), uuid: field.uuid() })
const collection = defineCollection(schema, { key: 'id', limit: { default: 10, max: 10 } })
const is = where(schema)
const kinds = [
  {
    eq: is.equals('text', 'red'),
    oneOf: is.in('text', ['red']),
    other: is.equals('text', 'red '),
    ids: [0],
    otherIds: [2],
  },
  {
    eq: is.equals('uuid', lower),
    oneOf: is.in('uuid', [lower]),
    other: is.equals('uuid', uuids[1]!),
    ids: [0, 3],
    otherIds: [1],
  },
]
const all = [...texts.keys()]

describe.each(engines)('$name', (engine) => {
  test.each(['json', 'columns'])('in %s', async (stored) => {
    const { dialect, declared } = engine
    const name = `repeated_${Math.random().toString(36).slice(2)}`
    const isJson = stored === 'json'
    const write = (value: string | null) => (isJson ? JSON.stringify(value) : value)
    const [textType, uuidType] = isJson ? [declared.json, declared.json] : [declared.string, declared.uuid]
    await engine.run(`CREATE TABLE ${name} (id ${declared.integer}, t ${textType}, u ${uuidType})`)
    for (const id of all) {
      const marks = [1, 2, 3].map(dialect.placeholder).join(', ')
      const values = [write(texts[id]!), write(isJson ? uuids[id]! : (uuids[id]?.toLowerCase() ?? null))]
      await engine.run(`INSERT INTO ${name} (id, t, u) VALUES (${marks})`, [id, ...values])
    }
    const columns: ColumnOptions = isJson
      ? { text: jsonColumn('t'), uuid: jsonColumn('u') }
      : { text: column<string>('t'), uuid: column<string>('u') }
    const { compileQuery } = sqlBackend({ dialect, table: table(name, { schema, key: 'id', columns }) })
    for (const { eq, oneOf, other, ids, otherIds } of kinds) {
      const none = and(not(and(or(eq, not(oneOf)), eq)), not(not(eq)))
      for (const [filter, expected] of [
        [none, []],
        [not(none), all],
        [or(none, other), otherIds],
        [and(or(eq, other), oneOf, not(and(not(eq), oneOf))), ids],
      ] as const) {
        const { text, parameters } = compileQuery(buildQuery(collection, { filter }))
        const rows = await engine.run(`SELECT id FROM ${name} ${text}`, parameters)
        expect(
          rows.map(({ id }) => Number(id)),
          text,
        ).toEqual(expected)
      }
    }
    await engine.run(`DROP TABLE ${name}`)
  })
})
