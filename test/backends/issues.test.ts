/** A filter that does not fit the schema is refused by SQL and MongoDB alike. */
import { describe, expect, test } from 'vitest'
import { and, type FilterError, not, or, type Filter, type Issue } from '../../src/filter.ts'
import { comparison, count, literalTypes, map, match, membership, presence, some } from '../../src/tree.ts'
import type { Literal } from '../../src/tree.ts'
import { presencesOf, schemaIssues } from '../../src/backends/issues.ts'
import { mongoBackend } from '../../src/backends/mongo/index.ts'
import { prismaBackend } from '../../src/backends/prisma/index.ts'
import { jsonColumn, mysql, postgres, sqlBackend, table } from '../../src/backends/sql/index.ts'
import { defineSchema, field } from '../../src/language/index.ts'
import { at, key, of } from '../query/queries.ts'
import { partsOfFilter } from '../../src/query/index.ts'

const schema = defineSchema({ total: field.number(), tags: field.list(field.string()) })
const backends = [
  mongoBackend({ schema }),
  sqlBackend({ dialect: postgres, table: table('t', { schema, columns: { tags: jsonColumn('tags') } }) }),
]
const issuesOf = (compile: (filter: Filter) => unknown, filter: Filter) => {
  try {
    compile(filter)
    return []
  } catch (error) {
    return (error as FilterError).issues.map(({ code, message }) => [code, message])
  }
}

test.each<[filter: Filter, code: string, message: string]>([
  [presence(['nope'], 'string'), 'backend_unmapped', 'the schema has no field "nope"'],
  [
    comparison(['total'], 'eq', { type: 'string', value: 'x' }),
    'backend_unsupported',
    'total has type number in the schema, but the filter asks for type string',
  ],
  [
    some(['total'], and()),
    'backend_unsupported',
    'total has type number in the schema, but the filter asks for type list',
  ],
  [
    presence(['tags'], 'string'),
    'backend_unsupported',
    "tags has type list in the schema, but only a 'some' reaches its entries",
  ],
  [
    some(['tags'], presence([], 'object')),
    'backend_unsupported',
    'an entry of tags has type string in the schema, but the filter asks for type object',
  ],
  [count(['nope'], 'string', 'gte', 1), 'backend_unmapped', 'the schema has no field "nope"'],
  [
    count(['total'], 'number', 'gte', 1),
    'backend_unsupported',
    'total has type number in the schema, but the filter asks for type list',
  ],
  [
    count(['tags'], 'number', 'lte', 1),
    'backend_unsupported',
    'an entry of tags has type string in the schema, but the filter asks for type number',
  ],
])('%#: %j', (filter, code, message) => {
  for (const { compile } of backends) {
    expect(issuesOf(compile, filter)).toEqual([[code, message]])
    expect(issuesOf(compile, not(filter))).toEqual([[code, message]])
  }
})

test('a count accepts a list with entries of its type', () => {
  const nested = defineSchema({
    tags: field.list(field.string()),
    items: field.list(field.object({ n: field.integer() })),
  })
  for (const filter of [count(['tags'], 'string', 'gte', 1), count(['items'], 'object', 'lte', 1)])
    expect(schemaIssues(filter, nested)).toEqual([])
  for (const { compile } of backends) expect(issuesOf(compile, count(['tags'], 'string', 'gte', 1))).toEqual([])
})

describe('whose fault a refusal is', () => {
  const span = { start: 0, end: 1 }
  /** As a text gives it. */
  const read = (filter: Filter): Filter => map(filter, (node) => ({ ...node, span }))
  const equal = (name: string, value = 'x') => comparison([name], 'eq', { type: 'string', value })
  const many = (count: number) =>
    membership(
      ['name'],
      Array.from({ length: count }, (_, at) => ({ type: 'string', value: `${at}` })),
    )
  const deep = Array.from({ length: 49 }).reduce<Filter>((inner) => not(and(equal('name'), inner)), equal('name'))
  const texts = defineSchema({ id: field.string(), name: field.string() })
  const inPrisma = prismaBackend({
    schema: texts,
    datamodel: `datasource db {
  provider = "postgresql"
}
model Text {
  id String @id @db.Uuid
  name String
}
`,
    model: 'Text',
  })
  const inMongo = mongoBackend({
    schema: texts,
    fields: {
      id: {
        encode: () => {
          throw new Error('no id')
        },
      },
    },
  })
  const narrow = sqlBackend({ dialect: { ...mysql, maxParameters: 5 }, table: table('t', { schema: texts }) })
  const faults = (compile: () => unknown) => {
    try {
      return void compile()
    } catch (error) {
      return (error as FilterError).issues.map(({ code, fault }) => [code, fault])
    }
  }

  const ofClient = [['backend_refused', 'client']]
  const ofServer = [['backend_refused', 'server']]
  describe.each<[name: string, compile: (filter: Filter) => unknown, large: Filter]>([
    ['SQL', narrow.compile, many(6)],
    ['MongoDB', inMongo.compile, deep],
    ['Prisma', inPrisma.compile, many(32_765)],
  ])('%s, of a filter that is too large', (_, compile, large) => {
    const small = equal('name')
    test.each<[what: string, filter: Filter, expected: string[][] | undefined]>([
      ['a small one', and(read(small), small), undefined],
      ['read from text', read(large), ofClient],
      ['built', large, ofServer],
      ['read, with a small restriction', and(read(large), small), ofClient],
      ['read, with a restriction that is too large alone', and(read(large), large), ofServer],
      ['a restriction, with a small one that was read', and(read(small), large), ofServer],
    ])('%s', (_, filter, expected) => expect(faults(() => compile(filter))).toEqual(expected))
  })
  test('of a group that a program made, it is the program', () => {
    expect(faults(() => narrow.compile(or(read(many(6)), read(equal('name')))))).toEqual(ofServer)
  })
  test('of both together, it is the part that was read', () => {
    expect(faults(() => narrow.compile(and(read(many(3)), many(3))))).toEqual(ofClient)
    const query = of([key('id', 'string')], { filter: and(read(many(2)), many(2)) })
    expect(faults(() => narrow.compileQuery(query))).toBeUndefined()
    const place = at('next', { type: 'string', value: 'x' })
    expect(
      faults(() => narrow.compileQuery({ ...query, ...place, ...partsOfFilter(and(read(many(3)), many(2))) })),
    ).toEqual(ofClient)
  })

  // Neither has a stored form for such an id.
  describe.each([
    ['MongoDB', inMongo],
    ['Prisma', inPrisma],
  ])('%s, of an operand', (_, { compile, compileQuery }) => {
    const after = comparison(['id'], 'gt', { type: 'string', value: 'x' })
    test('that was read from text', () => expect(faults(() => compile(read(after)))).toEqual(ofClient))
    test('of a restriction', () => expect(faults(() => compile(and(after, read(equal('name')))))).toEqual(ofServer))
    test('of a position, which a client sends as a cursor', () => {
      const query = of([key('id', 'string')], at('next', { type: 'string', value: 'x' }))
      expect(faults(() => compileQuery(query))).toEqual(ofClient)
      expect(faults(() => compileQuery({ ...query, ...partsOfFilter(after) }))).toEqual(ofServer)
    })
  })

  test('a position does not make the mapping the fault of the client', () => {
    const { compileQuery } = mongoBackend({ schema: texts, fields: { name: { type: 'date' } } })
    const query = of([key('name', 'string')], at('next', { type: 'string', value: 'x' }))
    expect(faults(() => compileQuery(query))).toEqual([['backend_unsupported', 'server']])
  })
})

describe('a filter that does not fit a schema', () => {
  const whole = defineSchema({
    total: field.number(),
    status: field.enumeration(['paid']),
    tags: field.list(field.string()),
    customer: field.object({ name: field.string() }),
    items: field.list(field.object({ price: field.integer(), parts: field.list(field.date()) })),
  })
  const text = { type: 'string', value: 'x' } as const
  const one = { type: 'integer', value: 1 } as const
  const day = { type: 'date', value: '2024-01-01' } as const
  const unmapped = (name: string): Issue => ({
    code: 'backend_unmapped',
    fault: 'server',
    message: `the schema has no field "${name}"`,
    parameters: { problem: 'no_field', field: name },
  })
  const unsupported = (message: string, parameters: Issue['parameters'], path?: string): Issue => ({
    code: 'backend_unsupported',
    fault: 'server',
    message,
    parameters: parameters as never,
    ...(path !== undefined && { path }),
  })
  const is = (name: string, type: string, asked: string, path = name) =>
    unsupported(
      `${name} has type ${type} in the schema, but the filter asks for type ${asked}`,
      { problem: 'type', field: name, expected: type, found: asked },
      path,
    )
  const crossed = (list: string) =>
    unsupported(
      `${list} has type list in the schema, but only a 'some' reaches its entries`,
      { problem: 'no_some', field: list, expected: 'list' },
      list,
    )

  test.each<[what: string, filter: Filter, ...issues: Issue[]]>([
    ['nothing', and(membership(['total'], [one]), match(['customer', 'name'], 'prefix', 'x'))],
    ['nothing, of an enumeration', and(presence(['status'], 'string'), match(['status'], 'prefix', 'x'))],
    ['nothing, of entries', some(['items'], and(presence([], 'object'), some(['parts'], comparison([], 'eq', day))))],
    ['a membership without operands, which asks for no type', membership(['total'], [])],
    ['a membership in texts', membership(['total'], [text]), is('total', 'number', 'string')],
    ['a membership in numbers', membership(['customer', 'name'], [one]), is('customer.name', 'string', 'integer')],
    ['a match', match(['total'], 'prefix', 'x'), is('total', 'number', 'string')],
    ['a list that is not there', some(['nope'], and()), unmapped('nope')],
    ['a list in an entry that is not there', some(['items'], some(['nope'], and())), unmapped('items.nope')],
    ['a field of a scalar', presence(['total', 'x'], 'string'), unmapped('total.x')],
    ['a field of an entry that is a scalar', some(['tags'], presence(['x'], 'string')), unmapped('tags.x')],
    ['a path through a list', comparison(['items', 'price'], 'eq', one), crossed('items')],
    ['a path through a list of an entry', some(['items'], presence(['parts', 'x'], 'date')), crossed('items.parts')],
    ['an object where a scalar is', presence(['total'], 'object'), is('total', 'number', 'object')],
    ['a scalar where an object is', presence(['customer'], 'string'), is('customer', 'object', 'string')],
    ['a text in an object', match(['customer'], 'prefix', 'x'), is('customer', 'object', 'string')],
    [
      'an object where a scalar entry is',
      some(['tags'], not(presence([], 'object'))),
      unsupported(
        'an entry of tags has type string in the schema, but the filter asks for type object',
        { problem: 'type', field: 'an entry of tags', expected: 'string', found: 'object' },
        'tags',
      ),
    ],
    ['an entry of a scalar', some(['total'], and()), is('total', 'number', 'list')],
    ['an entry of an object', some(['customer'], presence(['name'], 'string')), is('customer', 'object', 'list')],
    ['a list that no some enters', comparison(['tags'], 'eq', text), crossed('tags')],
    ['membership in nothing of it', membership(['tags'], []), crossed('tags')],
    ['presence of a list', presence(['items'], 'object'), crossed('items')],
    ['a list through a list', some(['items', 'parts'], and()), crossed('items')],
    ['what objects inherit', presence(['constructor'], 'string'), unmapped('constructor')],
    ['control characters', presence(['a\u001bb'], 'string'), unmapped('a\\u{1b}b')],
    // The root has no path.
    [
      'the root',
      comparison([], 'eq', text),
      unsupported('the root object has type object in the schema, but the filter asks for type string', {
        problem: 'type',
        field: 'the root object',
        expected: 'object',
        found: 'string',
      }),
    ],
    [
      'each of several',
      and(presence(['nope'], 'date'), not(some(['items'], presence(['price'], 'date')))),
      unmapped('nope'),
      is('items.price', 'integer', 'date'),
    ],
  ])('%s', (_, filter, ...issues) => expect(schemaIssues(filter, whole)).toStrictEqual(issues))

  test.each([
    ['text', field.string(), ['string']],
    ['status', field.enumeration(['paid']), ['string']],
    ['total', field.number(), ['integer', 'number']],
    ['guests', field.integer(), ['integer', 'number']],
    ['gift', field.boolean(), ['boolean']],
    ['day', field.date(), ['date']],
    ['paidAt', field.datetime(), ['datetime']],
  ] as const)('a value that %s cannot have', (name, definition, types) => {
    const schema = defineSchema({ [name]: definition })
    for (const type of literalTypes) {
      const literal = { type, value: 'x' } as Literal
      for (const filter of [
        { kind: 'comparison', path: [name], operator: 'eq', operand: literal },
        { kind: 'membership', path: [name], operands: [literal] },
        not(presence([name], type)),
      ] as const) {
        const expected = (types as readonly string[]).includes(type)
          ? []
          : [is(name, schema.paths.get(name)!.type, type)]
        expect(schemaIssues(filter, schema)).toStrictEqual(expected)
      }
    }
  })

  test('an issue has the span of its filter, where that has an own property span', () => {
    const span = { start: 1, end: 2 }
    const nope = { kind: 'presence', path: ['nope'], type: 'string' } as const
    expect(schemaIssues({ ...nope, span }, whole)).toStrictEqual([{ ...unmapped('nope'), span }])
    expect(schemaIssues({ ...nope, span: undefined } as never, whole)).toStrictEqual([unmapped('nope')])
    const inherited = Object.assign(Object.create({ span }) as object, nope)
    expect(schemaIssues(inherited as Filter, whole)).toStrictEqual([unmapped('nope')])
  })

  test('sort keys are checked as presences, each with its span', () => {
    const span = { start: 1, end: 2 }
    expect(presencesOf(of([{ ...key('customer.name', 'string'), span }, key('id', 'integer')]))).toStrictEqual({
      kind: 'and',
      filters: [
        { kind: 'presence', path: ['customer', 'name'], type: 'string', span },
        { kind: 'presence', path: ['id'], type: 'integer' },
      ],
    })
  })
})
