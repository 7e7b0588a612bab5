/** A role that a policy binds sees the rows that the restriction selects in memory, whatever settings the session has. */
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { memoryBackend } from '../../../src/backends/memory/index.ts'
import { arrayColumn, childTable, table } from '../../../src/backends/sql/index.ts'
import { and, defineSchema, field, FilterError, not, or, where, type Filter } from '../../../src/index.ts'
import { someFilter, someRow, someSchemaOf } from '../../../src/kit/arbitraries.ts'
import { policyOf } from '../../../src/policies/index.ts'
import { fold, type Literal } from '../../../src/tree.ts'
import { byEffort } from '../../effort.ts'
import { seed } from '../../seed.ts'
import { openPglite, openPglite17, openPostgres, storeOf, typesOf, type Engine, type Layout } from './engines.ts'

const { POSTGRES_URL } = process.env
const engines = await Promise.all([
  openPglite(),
  openPglite17(),
  ...(POSTGRES_URL === undefined ? [] : [openPostgres(POSTGRES_URL)]),
])
const role = `urlwhere_${randomUUID().slice(0, 8)}`
for (const { run } of engines) await run(`CREATE ROLE ${role}`)
afterAll(async () => {
  for (const { run, close } of engines) {
    await run(`DROP OWNED BY ${role}`)
    await run(`DROP ROLE ${role}`)
    await close()
  }
})

/** The ids that the role sees of a table under a policy. */
async function seen({ run }: Engine, name: string, policy: string, settings: Readonly<Record<string, string>>) {
  await run(policy)
  for (const [setting, value] of Object.entries(settings))
    await run('SELECT set_config($1, $2, false)', [setting, value])
  await run(`SET ROLE ${role}`)
  try {
    const rows = await run(`SELECT "id" FROM "${name}"`)
    return rows.map(({ id }) => Number(id)).toSorted((a, b) => a - b)
  } finally {
    await run('RESET ROLE')
    for (const setting of Object.keys(settings)) await run('SELECT set_config($1, $2, false)', [setting, ''])
    await run(`DROP POLICY "restriction" ON "${name}"`)
  }
}

/** Makes the tables bound. The role reads all of them. */
async function bind({ run }: Engine, name: string): Promise<void> {
  await run(`ALTER TABLE "${name}" ENABLE ROW LEVEL SECURITY`)
  await run(`GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${role}`)
}

const literalsIn = (filter: Filter): Literal[] =>
  fold<Literal[]>(filter, {
    and: (filters) => filters.flat(),
    or: (filters) => filters.flat(),
    not: (literals) => literals,
    some: (literals) => literals,
    comparison: ({ operand }) => [operand],
    membership: ({ operands }) => [...operands],
    match: () => [],
    presence: () => [],
    count: () => [],
  })

/** The filter without each condition that has one of the operands, and without its complement. */
function without(filter: Filter, values: readonly unknown[], isNegated = false): Filter {
  if (filter.kind === 'not') return without(filter.filter, values, !isNegated)
  if (filter.kind === 'and' || filter.kind === 'or') {
    const parts = filter.filters.map((one) => without(one, values, isNegated))
    return ((filter.kind === 'and') === isNegated ? or : and)(...parts)
  }
  if (literalsIn(filter).some(({ value }) => values.includes(value))) return or()
  return isNegated ? not(filter) : filter
}

const layouts: readonly Layout[] = ['tables', 'parents', 'json', 'arrays']

describe.each(engines)('$name', (engine) => {
  const schemas = byEffort(120, 4)

  test(`random restrictions in ${schemas} schemas`, async () => {
    let [pairs, withSettings, departures] = [0, 0, 0]
    const given = fc.sample(someSchemaOf(typesOf(engine, layouts)), { numRuns: schemas, seed })
    for (const [at, { fields }] of given.entries()) {
      const schema = defineSchema({ ...fields, id: field.integer() })
      const store = storeOf(engine, schema, at % 2 === 0 ? layouts : layouts[(at >> 1) % 4]!)
      const [name, { features }] = [store.table.name as string, store.backend.capabilities]
      const rows = fc
        .sample(someRow(schema, features), { numRuns: 12, seed: seed + at })
        .map((row, index) => ({ ...row, id: index + 1 }))
      await store.fill(rows)
      await bind(engine, name)
      const inMemory = (filter: Filter) => rows.filter(memoryBackend().compile(filter)).map(({ id }) => id)
      const filters = fc.sample(someFilter(schema), { numRuns: byEffort(40, 12), seed: seed + at })
      for (const [turn, filter] of filters.entries()) {
        // An empty setting selects no row.
        const literals = literalsIn(filter).filter(({ value }) => value !== '')
        const literal = literals.length > 0 && turn % 3 > 0 ? literals[turn % literals.length]! : undefined
        const standIn = literal?.value
        let policy: string
        let isSet = standIn !== undefined
        try {
          policy = policyOf(engine.dialect, store.table, filter, isSet ? { settings: { 'app.it': standIn! } } : {})
        } catch (error) {
          if (error instanceof FilterError) continue
          expect(String(error)).toMatch(/^TypeError: options.settings must not name/)
          policy = policyOf(engine.dialect, store.table, filter)
          isSet = false
        }
        const settings: Record<string, string> = isSet ? { 'app.it': String(standIn) } : {}
        if (isSet) withSettings++
        pairs += rows.length
        const selected = await seen(engine, name, policy, settings)
        if (JSON.stringify(selected) !== JSON.stringify(inMemory(filter))) {
          // Of letters that are newer than the engine's.
          expect(selected, policy).toEqual(
            (await store.select(store.backend.compile(filter))).toSorted((a, b) => a - b),
          )
          departures++
        } else if (isSet) {
          const unset = without(filter, [standIn])
          expect(await seen(engine, name, policy, {}), policy).toEqual(inMemory(unset))
        }
      }
      await store.drop()
    }
    expect(withSettings).toBeGreaterThan((schemas * 40) / 20)
    expect(departures).toBeLessThan(pairs / 100)
  })

  test('texts stay in their quotes, and settings are values', async () => {
    const schema = defineSchema({ id: field.integer(), tenant: field.string(), level: field.bigint() })
    const name = `p"o'l${role}`
    const q = `"${name.replaceAll('"', '""')}"`
    const attacks = [`'`, `''`, `\\'`, `\\`, `') OR true --`, `\\') OR true --`, `$1`, `$$`, `"`, `E'`, `x`, '', `;`]
    await engine.run(`CREATE TABLE ${q} ("id" bigint, "tenant" text, "level" bigint)`)
    for (const [id, tenant] of attacks.entries()) await engine.run(`INSERT INTO ${q} VALUES ($1, $2, $1)`, [id, tenant])
    await bind(engine, name.replaceAll('"', '""'))
    const mapped = table(name, { schema })
    const o = where(schema)
    for (const conforming of ['on', 'off']) {
      await engine.run(`SET standard_conforming_strings = ${conforming}`)
      for (const [id, tenant] of attacks.entries()) {
        const restriction = or(o.equals('tenant', tenant), o.in('tenant', [tenant, 'none']))
        const policy = policyOf(engine.dialect, mapped, restriction)
        expect(await seen(engine, name.replaceAll('"', '""'), policy, {}), policy).toEqual([id])
        const setting = `app.it`
        const bound = policyOf(engine.dialect, mapped, o.equals('tenant', 'T'), { settings: { [setting]: 'T' } })
        const own = tenant === '' ? [] : [id]
        expect(await seen(engine, name.replaceAll('"', '""'), bound, { [setting]: tenant })).toEqual(own)
      }
    }
    await engine.run('RESET standard_conforming_strings')
    const level = policyOf(engine.dialect, mapped, not(o.equals('level', 3)), { settings: { 'app.level': 3 } })
    expect(await seen(engine, name.replaceAll('"', '""'), level, { 'app.level': '2' })).toHaveLength(attacks.length - 1)
    expect(await seen(engine, name.replaceAll('"', '""'), level, {})).toEqual([])
    await expect(seen(engine, name.replaceAll('"', '""'), level, { 'app.level': '2 OR true' })).rejects.toThrow(
      /bigint/,
    )
    await engine.run(`DROP TABLE ${q}`)
  })

  test('lists', async () => {
    const schema = defineSchema({
      id: field.integer(),
      tags: field.list(field.string()),
      items: field.list(field.object({ owner: field.string() })),
    })
    const [name, items] = [`l_${role}`, `li_${role}`]
    const mapped = table(name, {
      schema,
      key: 'id',
      columns: { tags: arrayColumn('tags'), items: childTable(items, { foreignKey: 'row' }) },
    })
    await engine.run(`CREATE TABLE "${name}" ("id" bigint, "tags" text[])`)
    await engine.run(`CREATE TABLE "${items}" ("row" bigint, "owner" text)`)
    await engine.run(`INSERT INTO "${name}" VALUES (1, '{a,b}'), (2, '{}'), (3, NULL), (4, '{c}')`)
    await engine.run(`INSERT INTO "${items}" VALUES (1, 'a'), (4, 'c'), (4, NULL)`)
    await bind(engine, name)
    const o = where(schema)
    const settings = { 'app.it': 'T' }
    const ofTags = o.some('tags', (tag) => tag.equals('T'))
    const ofItems = o.some('items', (item) => item.equals('owner', 'T'))
    const rowsOf = async (restriction: Filter, it: string) =>
      seen(engine, name, policyOf(engine.dialect, mapped, restriction, { settings }), { 'app.it': it })
    for (const restriction of [ofTags, ofItems]) {
      expect(await rowsOf(restriction, 'a')).toEqual([1])
      expect(await rowsOf(not(restriction), 'a')).toEqual([2, 3, 4])
      expect(await rowsOf(restriction, '')).toEqual([])
      expect(await rowsOf(not(restriction), '')).toEqual([])
      expect(await rowsOf(or(not(restriction), o.equals('id', 4)), '')).toEqual([4])
    }
    await engine.run(`DROP TABLE "${name}", "${items}"`)
  })
})
