/** A filter that does not fit the schema is refused by SQL and MongoDB alike. */
import { expect, test } from 'vitest'
import { and, comparison, type FilterError, not, presence, some, type Filter } from '../../src/filter.ts'
import { mongoBackend } from '../../src/backends/mongo/index.ts'
import { jsonColumn, postgres, sqlBackend, table } from '../../src/backends/sql/index.ts'
import { defineSchema, field } from '../../src/language/index.ts'

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
