/** `mongoBackend({ schema })`: what a filter may ask for, and that nothing else changes. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mongoBackend, type MongoDocument, type MongoOptions } from '../../../src/backends/mongo/index.ts'
import {
  and,
  defineSchema,
  field,
  FilterError,
  not,
  or,
  parseFilterOrThrow,
  type Filter,
  type Schema,
} from '../../../src/index.ts'
import { comparison, match, membership, presence, some, type Literal, type LiteralType } from '../../../src/tree.ts'
import { cases, filterOf } from '../../../src/testing/index.ts'
import { someFilter, someSchema } from '../../../src/testing/arbitraries.ts'
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
  integer: { type: 'integer', value: 1 },
  number: { type: 'number', value: 1.5 },
  boolean: { type: 'boolean', value: true },
  date: { type: 'date', value: '2024-02-29' },
  datetime: { type: 'datetime', value: '2024-02-29T12:00:00.000Z' },
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
  const both = (filter: Filter, options: MongoOptions, schema: Schema) => {
    for (const one of [filter, not(filter)]) {
      expect(outcomeOf(one, { ...options, schema })).toEqual(outcomeOf(one, options))
    }
  }
  test.each(layouts)('every case by hand and its complement, stored as %s', (layout) => {
    for (const one of cases) both(filterOf(one), optionsOf(one.fixture.schema, layout), one.fixture.schema)
  })
  test('random filters over random schemas', () => {
    const situation = someSchema.chain((schema) => fc.tuple(fc.constant(schema), someFilter(schema)))
    fc.assert(
      fc.property(situation, ([schema, filter]) => both(filter, {}, schema)),
      { numRuns: 500 },
    )
  })
  test('nor do the capabilities change', () => {
    expect(mongoBackend({ schema: orders }).capabilities).toEqual(open.capabilities)
  })
})

describe('what a schema lacks is backend_unmapped', () => {
  test.each<[what: string, filter: Filter, name: string]>([
    ['a field', is(['password'], 'string'), '"password"'],
    ['its absence', not(presence(['password'], 'string')), '"password"'],
    ['membership in nothing', membership(['password'], []), '"password"'],
    ['a list', some(['secrets'], and()), '"secrets"'],
    ['a field of an object', is(['customer', 'email'], 'string'), '"customer.email"'],
    ['a field of a scalar', is(['seller', 'x'], 'string'), '"seller.x"'],
    ['a field of an entry', some(['items'], is(['cost'], 'number')), '"items.cost"'],
    ['a field of an entry that is a scalar', some(['tags'], is(['x'], 'string')), '"tags.x"'],
    ['a field of the document, asked of an entry', some(['items'], is(['seller'], 'string')), '"items.seller"'],
    ['what objects inherit', is(['constructor'], 'string'), '"constructor"'],
    ['what lists have', is(['tags', 'length'].slice(1), 'integer'), '"length"'],
    ['control characters', is(['a\u001bb'], 'string'), '"a\\u{1b}b"'],
  ])('%s', (_, filter, name) => {
    expect(issuesOf(filter)).toEqual([
      { code: 'backend_unmapped', fault: 'server', message: `the schema has no field ${name}` },
    ])
    expect(() => open.compile(filter)).not.toThrow()
  })
})

describe('what a field cannot have is backend_unsupported', () => {
  const scalars = ['seller', 'status', 'total', 'guests', 'gift', 'day', 'paidAt'] as const
  const held: { readonly [S in (typeof scalars)[number]]: readonly LiteralType[] } = {
    seller: ['string'],
    status: ['string'],
    total: ['integer', 'number'],
    guests: ['integer', 'number'],
    gift: ['boolean'],
    day: ['date'],
    paidAt: ['datetime'],
  }
  const types = Object.keys(literals) as LiteralType[]
  test.each(scalars.flatMap((name) => types.map((type) => [name, type] as const)))('%s: %s', (name, type) => {
    const asked: Filter[] = [
      is([name], type),
      membership([name], [literals[type]]),
      presence([name], type),
      not(presence([name], type)),
    ]
    if (type === 'string') asked.push(match([name], 'substring', 'x'), match([name], 'substring', ''))
    const own = orders.paths.get(name)!.type
    const message = `${name} has type ${own} in the schema, but the filter asks for type ${type}`
    for (const filter of asked) {
      expect(issuesOf(filter)).toEqual(
        held[name].includes(type) ? undefined : [{ code: 'backend_unsupported', fault: 'server', message, path: name }],
      )
    }
  })

  test.each<[what: string, filter: Filter, path: string, message: string]>([
    [
      'an object where a scalar is',
      presence(['total'], 'object'),
      'total',
      'total has type number in the schema, but the filter asks for type object',
    ],
    [
      'a scalar where an object is',
      presence(['customer'], 'string'),
      'customer',
      'customer has type object in the schema, but the filter asks for type string',
    ],
    [
      'a text in an object',
      match(['customer'], 'prefix', 'x'),
      'customer',
      'customer has type object in the schema, but the filter asks for type string',
    ],
    [
      'an object where a scalar entry is',
      some(['tags'], presence([], 'object')),
      'tags',
      'an entry of tags has type string in the schema, but the filter asks for type object',
    ],
    [
      'a scalar where an object entry is',
      some(['items'], is([], 'string')),
      'items',
      'an entry of items has type object in the schema, but the filter asks for type string',
    ],
    [
      'another scalar in an entry',
      some(['tags'], not(is([], 'integer'))),
      'tags',
      'an entry of tags has type string in the schema, but the filter asks for type integer',
    ],
    [
      'another scalar in a field of an entry',
      some(['items'], is(['price'], 'string')),
      'items.price',
      'items.price has type number in the schema, but the filter asks for type string',
    ],
    [
      'some in a scalar',
      some(['seller'], and()),
      'seller',
      'seller has type string in the schema, but the filter asks for type list',
    ],
    [
      'some in an object',
      some(['customer'], is(['name'], 'string')),
      'customer',
      'customer has type object in the schema, but the filter asks for type list',
    ],
    [
      'a list that no some enters',
      is(['tags'], 'string'),
      'tags',
      "tags has type list in the schema, but only a 'some' reaches its entries",
    ],
    [
      'membership in nothing of it',
      membership(['tags'], []),
      'tags',
      "tags has type list in the schema, but only a 'some' reaches its entries",
    ],
    [
      'presence of a list',
      presence(['items'], 'object'),
      'items',
      "items has type list in the schema, but only a 'some' reaches its entries",
    ],
    [
      'a path through a list',
      is(['items', 'price'], 'number'),
      'items',
      "items has type list in the schema, but only a 'some' reaches its entries",
    ],
    [
      'some through a list',
      some(['items', 'options'], and()),
      'items',
      "items has type list in the schema, but only a 'some' reaches its entries",
    ],
    [
      'a list in an entry',
      some(['items'], is(['options', 'code'], 'string')),
      'items.options',
      "items.options has type list in the schema, but only a 'some' reaches its entries",
    ],
  ])('%s', (_, filter, path, message) => {
    expect(issuesOf(filter)).toEqual([{ code: 'backend_unsupported', fault: 'server', message, path }])
    expect(() => open.compile(filter)).not.toThrow()
  })

  test('the document itself is an object', () => {
    const message = 'the root object has type object in the schema, but the filter asks for type string'
    expect(issuesOf(presence([], 'string'))).toEqual([{ code: 'backend_unsupported', fault: 'server', message }])
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
      path: 'total',
      span: { start: 0, end: 7 },
    },
    {
      code: 'backend_unmapped',
      fault: 'server',
      message: 'the schema has no field "email"',
      span: expect.anything() as unknown,
    },
    { code: 'backend_unmapped', fault: 'server', message: 'the schema has no field "items.cost"' },
  ])
})
