/** `mongoBackend({ schema })`: what a filter may ask for, and that nothing else changes. */
import { describe, expect, test } from 'vitest'
import { mongoBackend } from '../../../src/backends/mongo/index.ts'
import type { MongoDocument, MongoField, MongoOptions } from '../../../src/backends/mongo/index.ts'
import { and, defineSchema, field, FilterError, not, or, parseFilterOrThrow } from '../../../src/index.ts'
import type { Filter, Schema } from '../../../src/index.ts'
import { comparison, match, membership, presence, some, type Literal, type LiteralType } from '../../../src/tree.ts'
import { cases, filterOf } from '../../../src/kit/index.ts'
import { layouts, optionsOf } from './engines.ts'

const orders = defineSchema({
  seller: field.string(),
  status: field.enumeration(['paid', 'held']),
  total: field.number(),
  guests: field.integer(),
  gift: field.boolean(),
  day: field.date(),
  paidAt: field.datetime(),
  tags: field.list(field.string()),
  customer: field.object({ name: field.string() }),
  items: field.list(
    field.object({ price: field.number(), options: field.list(field.object({ code: field.string() })) }),
  ),
})
const literals: { readonly [T in LiteralType]: Literal } = {
  string: { type: 'string', value: 'x' },
  uuid: { type: 'uuid', value: '00000000-0000-4000-8000-00000000000a' },
  bigint: { type: 'bigint', value: '9007199254740993' },
  decimal: { type: 'decimal', value: '0.5' },
  integer: { type: 'integer', value: 1 },
  number: { type: 'number', value: 1.5 },
  boolean: { type: 'boolean', value: true },
  date: { type: 'date', value: '2024-02-29' },
  datetime: { type: 'datetime', value: '2024-02-29T12:00:00.000Z' },
  time: { type: 'time', value: '09:30:00' },
}
const is = (path: readonly string[], type: LiteralType) => comparison(path, 'eq', literals[type])

const open = mongoBackend()
const { compile } = mongoBackend({ schema: orders })
const issuesOf = (filter: Filter): FilterError['issues'] | undefined => {
  try {
    compile(filter)
    return undefined
  } catch (error) {
    if (error instanceof FilterError) return error.issues
    throw error
  }
}

describe('what a schema has means what it means without one', () => {
  const filters: readonly Filter[] = [
    and(),
    or(),
    not(or()),
    presence([], 'object'),
    presence(['customer'], 'object'),
    membership(['seller'], []),
    membership(['customer'], []),
    is(['total'], 'integer'),
    is(['guests'], 'number'),
    is(['status'], 'string'),
    match(['status'], 'prefix', 'p'),
    comparison(['status'], 'eq', { type: 'string', value: 'elsewhere' }),
    some(['tags'], and()),
    some(['tags'], not(is([], 'string'))),
    some(['items'], presence([], 'object')),
    some(
      ['items'],
      and(is(['price'], 'number'), some(['options'], or(is(['code'], 'string'), presence([], 'object')))),
    ),
  ]
  test.each(filters.map((filter) => [JSON.stringify(filter), filter] as const))('%s', (_, filter) => {
    expect(compile(filter)).toEqual(open.compile(filter))
  })

  /** What comes of a filter: a document, or a refusal. */
  const outcomeOf = (filter: Filter, options: MongoOptions): MongoDocument => {
    try {
      return mongoBackend(options).compile(filter)
    } catch (error) {
      if (error instanceof FilterError) return { refused: error.issues }
      throw error
    }
  }
  /** What a schema requires, as options without one have it. */
  const promised = ({ fields = {}, ...options }: MongoOptions, { paths }: Schema): MongoOptions => {
    const required = [...paths.values()].filter((resolved) => resolved.required === true && resolved.lists.length === 0)
    const notNull = required.map(({ name }): [string, MongoField] => [name, { ...fields[name], notNull: true }])
    return { ...options, fields: { ...fields, ...Object.fromEntries(notNull) } }
  }
  const both = (filter: Filter, options: MongoOptions, schema: Schema) => {
    for (const one of [filter, not(filter)]) {
      expect(outcomeOf(one, { ...options, schema })).toEqual(outcomeOf(one, promised(options, schema)))
    }
  }
  test.each(layouts)('every case by hand and its complement, stored as %s', (layout) => {
    for (const one of cases) both(filterOf(one), optionsOf(one.fixture.schema, layout), one.fixture.schema)
  })
  test('nor do the capabilities change', () => {
    // With a schema, it reads the rows of a page, too.
    const { features } = open.capabilities
    expect(mongoBackend({ schema: orders }).capabilities).toEqual({
      ...open.capabilities,
      features: [...features, 'select'],
    })
  })
})

test('all that is wrong is told, where it stands, in groups and under not', () => {
  const other = defineSchema({ total: field.string(), email: field.string() })
  const read = parseFilterOrThrow(other, 'total=x&email[notEqual]=y')
  expect(issuesOf(or(not(read), some(['items'], and(is(['cost'], 'number')))))).toEqual([
    {
      code: 'backend_unsupported',
      fault: 'server',
      message: 'total has type number in the schema, but the filter asks for type string',
      parameters: { problem: 'type', field: 'total', expected: 'number', found: 'string' },
      path: 'total',
      span: { start: 0, end: 7 },
    },
    {
      code: 'backend_unmapped',
      fault: 'server',
      message: 'the schema has no field "email"',
      parameters: { problem: 'no_field', field: 'email' },
      span: expect.anything() as unknown,
    },
    {
      code: 'backend_unmapped',
      fault: 'server',
      message: 'the schema has no field "items.cost"',
      parameters: { problem: 'no_field', field: 'items.cost' },
    },
  ])
})
