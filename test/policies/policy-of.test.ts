/** Policies of row-level security: their texts, and the options that are refused. */
import { describe, expect, test } from 'vitest'
import {
  childTable,
  column,
  jsonColumn,
  mysql,
  postgres,
  postgres17,
  sqlite,
  table,
} from '../../src/backends/sql/index.ts'
import { and, defineSchema, field, not, or, where, type Filter } from '../../src/index.ts'
import { policyOf, type PolicyOptions } from '../../src/policies/index.ts'

const schema = defineSchema({
  id: field.integer({ required: true }),
  tenant: field.string({ required: true }),
  level: field.bigint(),
  name: field.string(),
  items: field.list(field.object({ owner: field.string() })),
  meta: field.object({ region: field.string() }),
})
const orders = table(['booking', 'orders'], {
  schema,
  key: 'id',
  columns: { items: childTable('items', { foreignKey: 'order_id' }), meta: jsonColumn('meta') },
})
const o = where(schema)
const settings = { 'app.tenant': 'T' }
const setting = `NULLIF(current_setting('app.tenant', true), '')`
const text = (restriction: Filter, options?: PolicyOptions) => policyOf(postgres, orders, restriction, options)
const head = 'CREATE POLICY "restriction" ON "booking"."orders" USING '
const [tenant, level] = ['"orders"."tenant"', '"orders"."level"']

test.each<[restriction: Filter, options: PolicyOptions, using: string]>([
  [and(), {}, '((1 = 1))'],
  [or(), {}, '((1 = 0))'],
  [o.equals('tenant', "it's"), {}, `((${tenant} = 'it''s'::text))`],
  [o.equals('tenant', "\\'"), {}, `((${tenant} = E'\\\\'''::text))`],
  [o.in('level', [1, 2]), {}, `((${level} = ANY(ARRAY['1', '2']::bigint[]) AND ${level} IS NOT NULL))`],
  [o.equals('tenant', 'T'), { settings }, `((${tenant} = ${setting}::text))`],
  [
    not(o.equals('tenant', 'T')),
    { settings },
    `((${setting} IS NOT NULL AND (${tenant} IS DISTINCT FROM ${setting}::text)))`,
  ],
])('%j %j', (restriction, options, using) => {
  expect(text(restriction, options)).toBe(head + using)
})

test('policyOf guards each condition that has a setting, and no other', () => {
  const restriction = or(o.equals('level', 7), not(o.some('items', (item) => item.equals('owner', 'T'))))
  const written = text(restriction, { settings: { 'app.tenant': 'T', 'app.level': 7 } })
  expect(written.match(/IS NOT NULL AND NOT EXISTS/g)).toHaveLength(1)
  expect(written).toContain(`= NULLIF(current_setting('app.level', true), '')::bigint`)
})

test('policyOf quotes names', () => {
  expect(text(and(), { name: 'a"b' })).toContain('CREATE POLICY "a""b" ON "booking"."orders"')
  const written = text(o.equals('tenant', 'T'), { settings: { "a'b": 'T' } })
  expect(written).toContain(`current_setting('a''b', true)`)
})

test('policyOf accepts dialects of PostgreSQL alone', () => {
  expect(policyOf({ ...postgres, name: 'mine' }, orders, and())).toBe(text(and()))
  expect(policyOf(postgres17, orders, and())).toBe(text(and()))
  for (const dialect of [sqlite, mysql, undefined, {}])
    expect(() => policyOf(dialect as never, orders, and())).toThrow('dialect must be of PostgreSQL')
})

describe('policyOf refuses', () => {
  const isT = o.equals('tenant', 'T')
  test.each<[message: string, restriction: unknown, options: unknown]>([
    ['restriction must be a filter', undefined, {}],
    ['options.setings is unknown', and(), { setings: {} }],
    ['options.name must be a non-empty string', and(), { name: '' }],
    ['options.settings must be an object', and(), { settings: 'x' }],
    ['options.settings["app.tenant"] must be an operand', o.equals('tenant', 'U'), { settings }],
    ['options.settings["b"] must not be the operand of another setting', isT, { settings: { a: 'T', b: 'T' } }],
    ['options.settings["a"] must be an operand', isT, { settings: { a: 7 } }],
    ['a part of a text', o.startsWith('name', 'T'), { settings }],
    ['a part of a text', and(isT, not(o.equalsIgnoreCase('name', 'T'))), { settings }],
    ['does not store as it is', o.equals('meta.region', 'T'), { settings }],
    ['must not contain U+0000', and(), { name: 'a\0' }],
    ['must not contain U+0000', isT, { settings: { 'a\0': 'T' } }],
  ])('%s', (message, restriction, options) => {
    expect(() => text(restriction as Filter, options as PolicyOptions)).toThrow(TypeError)
    expect(() => text(restriction as Filter, options as PolicyOptions)).toThrow(message)
  })

  test.each([
    ['time', '09:30:00', '10:00:00'],
    ['uuid', 'T', 'x'],
    ['bigintText', 'T', 'x'],
  ] as const)('a setting for a text in a column of the type %s', (type, standIn, other) => {
    const ofTexts = defineSchema({ code: field.string(), codes: field.list(field.object({ code: field.string() })) })
    const codes = childTable('codes', { foreignKey: 'shop', columns: { code: column('code', { type }) } })
    const shops = table('shops', { schema: ofTexts, key: 'id', columns: { code: column('code', { type }), codes } })
    const s = where(ofTexts)
    for (const restriction of [
      not(s.equals('code', standIn)),
      s.in('code', [standIn, other]),
      s.none('codes', (entry) => entry.equals('code', standIn)),
    ])
      expect(() => policyOf(postgres, shops, restriction, { settings: { 'app.code': standIn } })).toThrow(
        'does not store as it is',
      )
  })

  test('a filter that the table cannot express', () => {
    const other = where(defineSchema({ other: field.string() })).equals('other', 'x')
    expect(() => text(other)).toThrow('the schema has no field "other"')
  })
})
