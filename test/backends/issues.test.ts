/** A filter that does not fit the schema is refused by SQL and MongoDB alike. */
import { describe, expect, test } from 'vitest'
import {
  and,
  comparison,
  type FilterError,
  match,
  membership,
  not,
  presence,
  some,
  type Filter,
  type Issue,
} from '../../src/filter.ts'
import { presencesOf, schemaIssues } from '../../src/backends/issues.ts'
import { mongoBackend } from '../../src/backends/mongo/index.ts'
import { jsonColumn, postgres, sqlBackend, table } from '../../src/backends/sql/index.ts'
import { defineSchema, field } from '../../src/language/index.ts'
import { key, of } from '../query/queries.ts'

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
])('%#: %j', (filter, code, message) => {
  for (const { compile } of backends) {
    expect(issuesOf(compile, filter)).toEqual([[code, message]])
    expect(issuesOf(compile, not(filter))).toEqual([[code, message]])
  }
})

describe('what does not fit a schema', () => {
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
    message: `the schema has no field "${name}"`,
  })
  const unsupported = (message: string, path?: string): Issue => ({
    code: 'backend_unsupported',
    message,
    ...(path !== undefined && { path }),
  })
  const is = (name: string, type: string, asked: string, path = name) =>
    unsupported(`${name} has type ${type} in the schema, but the filter asks for type ${asked}`, path)
  const crossed = (list: string) =>
    unsupported(`${list} has type list in the schema, but only a 'some' reaches its entries`, list)

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
    // The root has no path.
    [
      'the root',
      comparison([], 'eq', text),
      unsupported('the root object has type object in the schema, but the filter asks for type string'),
    ],
    [
      'each of several',
      and(presence(['nope'], 'date'), not(some(['items'], presence(['price'], 'date')))),
      unmapped('nope'),
      is('items.price', 'integer', 'date'),
    ],
  ])('%s', (_, filter, ...issues) => expect(schemaIssues(filter, whole)).toStrictEqual(issues))

  test('an issue has the span of its filter, where that has one of its own', () => {
    const span = { start: 1, end: 2 }
    const nope = { kind: 'presence', path: ['nope'], type: 'string' } as const
    expect(schemaIssues({ ...nope, span }, whole)).toStrictEqual([{ ...unmapped('nope'), span }])
    expect(schemaIssues({ ...nope, span: undefined } as never, whole)).toStrictEqual([unmapped('nope')])
    const inherited = Object.assign(Object.create({ span }) as object, nope)
    expect(schemaIssues(inherited as Filter, whole)).toStrictEqual([unmapped('nope')])
  })

  test('sort keys are asked for as presences, each with its span', () => {
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
