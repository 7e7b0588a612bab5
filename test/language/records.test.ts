/** Records: keys of callers, in queries, collections, answers and statements. */
import { describe, expect, test } from 'vitest'
import { memoryBackend } from '../../src/backends/memory/index.ts'
import { mongoBackend } from '../../src/backends/mongo/index.ts'
import { jsonColumn, mariadb, mysql, postgres, sqlBackend, sqlite, table } from '../../src/backends/sql/index.ts'
import {
  and,
  defineCollection,
  narrow,
  defineSchema,
  field,
  FilterError,
  parseFilter,
  parseFilterOrThrow,
  parseObject,
  parseQuery,
  where,
} from '../../src/index.ts'
import { parseQueryOrThrow, printFilter, toAnswer, type Filter } from '../../src/index.ts'
import { sameFilter } from '../../src/tree.ts'
import * as notations from '../../src/clients/notations/index.ts'
import { checkBackend } from '../../src/tools/check-backend.ts'

const schema = defineSchema({
  id: field.integer({ required: true }),
  attributes: field.record(field.string()),
  metrics: field.record(field.number()),
  secret: field.record(field.string()),
})
const mapped = table('t', {
  schema,
  key: 'id',
  columns: { attributes: jsonColumn('attributes'), metrics: jsonColumn('metrics'), secret: jsonColumn('secret') },
})
const collection = defineCollection(schema, { key: 'id', fields: true, hidden: ['secret'] })
const codesOf = (text: string) => {
  const result = parseQuery(collection, text)
  return result.ok ? [] : result.issues.map(({ code }) => code)
}

test.each(['attributes.color=red', 'attributes.%24where=1', 'attributes.constructor=1', 'attributes.it%27s=x'])(
  '%s is a condition, and prints as it was written',
  (text) => {
    const filter = parseFilterOrThrow(schema, text)
    expect(parseFilterOrThrow(schema, printFilter(schema, filter))).toMatchObject({
      ...filter,
      span: expect.anything() as unknown,
    })
  },
)
test.each([
  ['attributes.__proto__=x', 'field_unknown'],
  ['attributes.=x', 'syntax_name'],
  ['attributes.a.b=x', 'field_unknown'],
  [`attributes.${'x'.repeat(129)}=x`, 'field_unknown'],
  ['attributes.%00=x', 'syntax_character'],
  ['metrics.cpu=much', 'operand_invalid'],
  ['secret.a=x', 'field_unknown'],
  ['sort=attributes.color', 'field_not_sortable'],
])('%s is an issue', (text, code) => expect(codesOf(text)).toEqual([code]))
test('conditions on one key are printed as they are read', () => {
  const inLists = defineSchema({ items: field.list(field.object({ text: field.record(field.string()) })) })
  for (const text of ['items.text.a[all]=x,y', 'items.text.a[all]=x,y&items.text.a=z']) {
    const filter = parseFilterOrThrow(inLists, text)
    expect(sameFilter(parseFilterOrThrow(inLists, printFilter(inLists, filter)), filter), text).toBe(true)
  }
  const groups = { groups: true }
  const both = and(where(schema).gte('metrics.cpu', 1), where(schema).gte('metrics.cpu', 2))
  expect(sameFilter(parseFilterOrThrow(schema, printFilter(schema, both, groups), groups), both)).toBe(true)
})
test.each(['<', '>', '!', '~'])('a key that ends in %s requires an operator in brackets', (sign) => {
  const key = `metrics.cpu${sign}`
  const filter = where(schema).equals(key as 'metrics.cpu', 5)
  for (const name of [
    key,
    `metrics.cpu${encodeURIComponent(sign)}`,
    `metrics.cpu%${sign.charCodeAt(0).toString(16)}`,
  ]) {
    expect(codesOf(`${name}=5`)).toEqual(['field_unknown'])
    expect(sameFilter(parseFilterOrThrow(schema, `${name}[equals]=5`), filter)).toBe(true)
    expect(codesOf(`${name}[gte]=5`)).toEqual([])
  }
  expect(printFilter(schema, filter)).toBe(`metrics.cpu${encodeURIComponent(sign)}[equals]=5`)
  expect(parseObject(collection, { [key]: 5 }).ok).toBe(false)
  expect(parseObject(collection, { [`${key}[equals]`]: 5 }).ok).toBe(true)
  const { jsonApi } = notations
  expect(parseQuery(collection, `filter[${key}]=5`, { notation: jsonApi }).ok).toBe(false)
  expect(parseQuery(collection, `filter[${key}][eq]=5`, { notation: jsonApi }).ok).toBe(true)
})
test('a key has at most 128 units', () => expect(codesOf(`attributes.${'x'.repeat(128)}=x`)).toEqual([]))

test.each(['', '__proto__', 'a.b', 'a[b', 'a]b', 'a\0b', '\ud800', 'x'.repeat(129)])(
  'a tree with the key %j is refused',
  (key) => {
    const filter = { kind: 'presence', path: ['attributes', key], type: 'string' } as const
    const compile = () => sqlBackend({ dialect: postgres, table: mapped }).compile(filter)
    expect(compile).toThrow(key.length > 128 ? FilterError : TypeError)
  },
)

describe('a collection', () => {
  test.each<[object, string]>([
    [{ sort: ['attributes'] }, 'sort has attributes, which has no order'],
    [{ sort: ['attributes.color'] }, 'sort has attributes.color, which is a key of a record: name the record'],
    [{ facets: ['attributes'] }, 'facets has attributes, which has type record'],
    [{ facets: ['attributes.color'] }, 'facets has attributes.color, which is a key of a record: name the record'],
    [{ hidden: ['attributes.color'] }, 'hidden has attributes.color, which is a key of a record: name the record'],
    [{ search: ['attributes.color'] }, 'search has attributes.color, which is a key of a record: name the record'],
  ])('%j is a TypeError', (options, message) =>
    expect(() => defineCollection(schema, { key: 'id', ...options } as never)).toThrow(message),
  )
  test('narrows the operators of all keys', () => {
    const narrowed = defineCollection(schema, { key: 'id', operators: { attributes: ['equals', 'exists'] as never } })
    expect(parseQuery(narrowed, 'attributes.color=red').ok).toBe(true)
    expect(parseQuery(narrowed, 'attributes.color[contains]=red').ok).toBe(false)
    const closed = narrow(narrowed, { operators: { attributes: [] } })
    expect(parseQuery(closed, 'attributes.color=red').ok).toBe(false)
    const same = narrow(narrowed, { count: false })
    expect(parseQuery(same, 'attributes.color=red').ok).toBe(true)
    const fewer = narrow(defineCollection(schema, { key: 'id' }), { operators: { attributes: ['in'] as never } })
    expect(parseQuery(fewer, 'attributes.color[in]=red').ok).toBe(true)
    expect(parseQuery(fewer, 'attributes.color=red').ok).toBe(false)
  })
  test.each<[string, object]>([
    ['', { id: 1, attributes: { color: 'red', size: null, n: null }, metrics: null }],
    ['fields=attributes', { attributes: { color: 'red', size: null, n: null } }],
    ['fields=attributes.color', { attributes: { color: 'red' } }],
    ['fields=id,attributes.gone', { id: 1, attributes: {} }],
  ])('an answer to %j', (text, row) => {
    const rows = [{ id: 1, attributes: { color: 'red', size: null, n: {} }, metrics: 'x', secret: { a: 'b' } }]
    expect(toAnswer(collection, parseQueryOrThrow(collection, text), rows).data).toEqual([row])
  })
  test('a hidden record is in no list of fields', () => expect(codesOf('fields=secret.a')).toEqual(['field_unknown']))
})

test('where knows keys', () => {
  const filter = where(schema).gte('metrics.cpu', 0.9)
  expect(filter).toEqual({
    kind: 'comparison',
    path: ['metrics', 'cpu'],
    operator: 'gte',
    operand: { type: 'number', value: 0.9 },
  })
  const matches = memoryBackend().compile(filter)
  expect([{ cpu: 1 }, { cpu: 0.5 }, { cpu: '1' }, null].map((metrics) => matches({ metrics }))).toEqual([
    ...[true, false, false, false],
  ])
  expect(matches(JSON.parse('{ "metrics": { "__proto__": { "cpu": 1 } } }'))).toBe(false)
})

test.each([postgres, sqlite, mysql, mariadb])('a statement has a key as a parameter: $name', (dialect) => {
  const { compile } = sqlBackend({ dialect, table: mapped })
  const of = (key: string) => compile(where(schema).contains(`attributes.${key}`, 'x'))
  const [one, other] = [of('color'), of(`it's "?" \\`)]
  expect(other.text).toBe(one.text)
  expect(one.text).not.toContain('color')
  expect(JSON.stringify(one.parameters)).toContain('color')
  expect(JSON.stringify(other.parameters)).not.toContain('color')
})
test('PostgreSQL compares the whole column, which GIN serves', () => {
  const { text, parameters } = sqlBackend({ dialect: postgres, table: mapped }).compile(
    where(schema).equals('attributes.color', 'red'),
  )
  expect(text).toContain('"t"."attributes" @> $1::text::jsonb')
  expect(parameters[0]).toBe('{"color":"red"}')
})

const codeOf = (compile: () => unknown): unknown => {
  try {
    compile()
  } catch (error) {
    return (error as FilterError).issues.map(({ code, fault }) => [code, fault])
  }
  return 'compiled'
}
test('an engine refuses a key that it cannot name', () => {
  const filter = (text: string): Filter => parseFilterOrThrow(schema, text)
  const compile = (text: string) => () => mongoBackend({ schema }).compile(filter(text))
  expect(codeOf(compile('attributes.%24where=x'))).toEqual([['backend_refused', 'client']])
  expect(compile('attributes.where=x')()).toEqual({ 'attributes.where': 'x' })
  const dash = filter('attributes.-x=x')
  const inMariadb = () => sqlBackend({ dialect: mariadb, table: mapped }).compile(dash)
  expect(codeOf(inMariadb)).toEqual([['backend_refused', 'client']])
  expect(codeOf(() => sqlBackend({ dialect: mysql, table: mapped }).compile(dash))).toBe('compiled')
})
test('a dialect that does not read keys refuses the mapping', () => {
  const { readsKeys: _, ...json } = postgres.json!
  expect(() => sqlBackend({ dialect: { ...postgres, name: 'own', json }, table: mapped })).toThrow(
    'columns.attributes: own reads no key of a record in JSON',
  )
})
test('checkBackend tries a key', () => {
  checkBackend(collection, sqlBackend({ dialect: postgres, table: mapped }))
  expect(() => parseFilter(schema, 'attributes.a=1')).not.toThrow()
})
