/**
 * Every document of the kit is one by the grammar of MongoDB's manual: of queries, facets, searches and counts. The stand-ins for
 * MongoDB take more than the manual allows.
 *
 * @see https://www.mongodb.com/docs/manual/reference/operator/query/
 */
import { describe, expect, test } from 'vitest'
import { mongoBackend, type MongoBackend } from '../../../src/backends/mongo/index.ts'
import { not } from '../../../src/index.ts'
import { defineCollection, defineSchema, field, FilterError, parseQueryOrThrow } from '../../../src/index.ts'
import type { Query } from '../../../src/index.ts'
import { cases, filterOf, queryCases } from '../../../src/kit/index.ts'
import { layouts, optionsOf } from '../../engines/mongo/engines.ts'

type Members = Readonly<Record<string, unknown>>
/** Where a rule is read: the keys that lead there. */
type At = readonly string[]

class Ungrammatical extends Error {}
function check(holds: boolean, at: At, rule: string): asserts holds {
  if (!holds) throw new Ungrammatical(`${at.join('.')}: ${rule}`)
}

const isPlain = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
const isOperators = (value: unknown): value is Members =>
  isPlain(value) && Object.keys(value).some((key) => key.startsWith('$'))
const isWhole = (value: unknown, least: number) => Number.isInteger(value) && (value as number) >= least

/** Checks a literal value: it contains no operator. */
function literal(value: unknown, at: At): void {
  check(value !== undefined, at, 'undefined is not a value of BSON')
  check(!isOperators(value), at, 'a value has no operators')
  check(!(value instanceof RegExp), at, 'a comparison does not accept a pattern')
  if (Array.isArray(value)) for (const [index, one] of value.entries()) literal(one, [...at, String(index)])
}

function listOf(value: unknown, at: At, one: (value: unknown, at: At) => void, least = 1): void {
  check(Array.isArray(value) && value.length >= least, at, `a list of at least ${least}`)
  for (const [index, item] of (value as unknown[]).entries()) one(item, [...at, String(index)])
}

const types = [
  'double',
  'string',
  'object',
  'array',
  'objectId',
  'bool',
  'date',
  'int',
  'long',
  'decimal',
  'number',
  'binData',
  'timestamp',
  'regex',
]
const named = (value: unknown, at: At) => check(types.includes(value as string), at, 'a name of a BSON type')

/** @see https://www.mongodb.com/docs/manual/reference/operator/query/in/ https://www.mongodb.com/docs/manual/reference/operator/query/not/ */
const operators: Readonly<Record<string, (value: unknown, at: At, inEntry: boolean) => void>> = {
  ...Object.fromEntries(['$eq', '$ne', '$gt', '$gte', '$lt', '$lte'].map((name) => [name, literal])),
  ...Object.fromEntries(
    ['$in', '$nin'].map((name) => [
      name,
      // Patterns as regular expressions alone, for $regex cannot be in it.
      (value: unknown, at: At) =>
        listOf(value, at, (one, here) => (one instanceof RegExp ? undefined : literal(one, here)), 0),
    ]),
  ),
  $exists: (value, at) => check(typeof value === 'boolean', at, 'a boolean'),
  $type: (value, at) => (Array.isArray(value) ? listOf(value, at, named) : named(value, at)),
  $regex: (value, at) => check(typeof value === 'string' || value instanceof RegExp, at, 'a pattern'),
  $options: (value, at) => check(typeof value === 'string' && /^[imsx]*$/.test(value), at, 'options of a pattern'),
  $not: (value, at, inEntry) => (value instanceof RegExp ? undefined : operatorsAt(value, at, inEntry)),
  $elemMatch: (value, at) => {
    check(isPlain(value), at, 'an object')
    const isOfOperators = Object.keys(value).some(
      (key) => key.startsWith('$') && !['$and', '$or', '$nor'].includes(key),
    )
    return isOfOperators ? operatorsAt(value, at, true) : queryAt(value, at, true)
  },
}

function operatorsAt(value: unknown, at: At, inEntry: boolean): void {
  check(isPlain(value) && Object.keys(value).length > 0, at, 'an object of operators')
  check(!Object.hasOwn(value, '$options') || Object.hasOwn(value, '$regex'), at, '$options needs $regex')
  for (const [name, operand] of Object.entries(value)) {
    check(Object.hasOwn(operators, name), [...at, name], 'an operator of a field')
    operators[name]!(operand, [...at, name], inEntry)
  }
}

/** A query document. @see https://www.mongodb.com/docs/manual/tutorial/query-documents/ */
function queryAt(value: unknown, at: At = [], inEntry = false): void {
  check(isPlain(value), at, 'a document')
  for (const [name, operand] of Object.entries(value)) {
    const here = [...at, name]
    if (['$and', '$or', '$nor'].includes(name)) listOf(operand, here, (one, inner) => queryAt(one, inner, inEntry))
    else if (name === '$expr') {
      // https://www.mongodb.com/docs/manual/reference/operator/query/elemMatch/#restrictions
      check(!inEntry, here, '$expr is not in $elemMatch')
      expressionAt(operand, here)
    } else {
      check(name !== '' && !name.startsWith('$'), here, 'a name of a field')
      if (isOperators(operand)) operatorsAt(operand, here, inEntry)
      else literal(operand, here)
    }
  }
}

const several =
  (least: number, most = least) =>
  (value: unknown, at: At) => {
    listOf(value, at, expressionAt, least)
    check((value as unknown[]).length <= most, at, `${most} arguments at most`)
  }
/** An operator of one argument also accepts it without a list. */
const single = (value: unknown, at: At) => (Array.isArray(value) ? several(1)(value, at) : expressionAt(value, at))
const members =
  (required: readonly string[], optional: readonly string[] = []) =>
  (value: unknown, at: At) => {
    check(isPlain(value), at, 'an object of arguments')
    const keys = Object.keys(value)
    check(
      required.every((key) => keys.includes(key)),
      at,
      `needs ${required.join()}`,
    )
    check(
      keys.every((key) => required.includes(key) || optional.includes(key)),
      at,
      'no other argument',
    )
    for (const [key, one] of Object.entries(value)) {
      if (key === 'as') check(typeof one === 'string' && /^[a-z]\w*$/.test(one), [...at, key], 'a name of a variable')
      else expressionAt(one, [...at, key])
    }
  }
/** @see https://www.mongodb.com/docs/manual/reference/operator/aggregation/ */
const functions: Readonly<Record<string, (value: unknown, at: At) => void>> = {
  ...Object.fromEntries(['$eq', '$ne', '$gt', '$gte', '$lt', '$lte', '$in'].map((name) => [name, several(2)])),
  $and: several(0, Infinity),
  $or: several(0, Infinity),
  $not: several(1),
  $cond: several(3),
  $ifNull: several(2, Infinity),
  $setDifference: several(2),
  $anyElementTrue: several(1),
  ...Object.fromEntries(['$size', '$type', '$isArray'].map((name) => [name, single])),
  $map: members(['input', 'as', 'in']),
  $filter: members(['input', 'as', 'cond']),
  $regexMatch: members(['input', 'regex'], ['options']),
  $literal: () => undefined,
}

function expressionAt(value: unknown, at: At): void {
  check(value !== undefined, at, 'undefined is no expression')
  if (Array.isArray(value)) return listOf(value, at, expressionAt, 0)
  if (!isOperators(value)) return
  const [name, ...others] = Object.keys(value) as [string]
  check(others.length === 0 && Object.hasOwn(functions, name), [...at, name], 'one operator of expressions')
  functions[name]!(value[name], [...at, name])
}

/** @see https://www.mongodb.com/docs/manual/reference/operator/aggregation-pipeline/ */
const stages: Readonly<Record<string, (value: unknown, at: At) => void>> = {
  $match: (value, at) => queryAt(value, at),
  $project: (value, at) => {
    check(isPlain(value) && Object.keys(value).length > 0, at, 'fields')
    for (const [name, one] of Object.entries(value)) expressionAt(one, [...at, name])
  },
  $unwind: (value, at) => {
    const path = isPlain(value) ? value.path : value
    check(typeof path === 'string' && path.startsWith('$'), at, 'a path that begins with $')
    if (isPlain(value)) members(['path'], ['preserveNullAndEmptyArrays'])(value, at)
  },
  $group: (value, at) => {
    check(isPlain(value) && Object.hasOwn(value, '_id'), at, 'an _id')
    for (const [name, one] of Object.entries(value)) {
      if (name === '_id') expressionAt(one, [...at, name])
      else {
        const [accumulator, ...others] = Object.keys(one as object)
        check(others.length === 0 && ['$sum', '$addToSet'].includes(accumulator!), [...at, name], 'an accumulator')
        expressionAt((one as Members)[accumulator!], [...at, name, accumulator!])
      }
    }
  },
  $sort: sortAt,
  $limit: (value, at) => check(isWhole(value, 1), at, 'a positive whole number'),
}

/** @see https://www.mongodb.com/docs/manual/reference/method/cursor.sort/ */
function sortAt(value: unknown, at: At): void {
  check(isPlain(value) && Object.keys(value).length > 0 && Object.keys(value).length <= 32, at, 'up to 32 keys')
  for (const [name, one] of Object.entries(value)) check(one === 1 || one === -1, [...at, name], '1 or -1')
}

function pipelineAt(value: unknown): void {
  listOf(value, [], (stage, at) => {
    const [name, ...others] = Object.keys(stage as object) as [string]
    check(others.length === 0 && Object.hasOwn(stages, name), at, 'one stage')
    stages[name]!((stage as Members)[name], [...at, name])
  })
}

function projectionAt(value: unknown): void {
  check(isPlain(value), ['projection'], 'an object')
  const kept = new Set(Object.entries(value).flatMap(([name, one]) => (name === '_id' ? [] : [one])))
  check(kept.size <= 1, ['projection'], 'all are kept, or all are left out')
  for (const one of Object.values(value)) check(one === 0 || one === 1, ['projection'], '0 or 1')
  // https://www.mongodb.com/docs/manual/reference/method/db.collection.find/#path-collision
  const names = Object.keys(value)
  check(
    !names.some((name) => names.some((other) => other.startsWith(`${name}.`))),
    ['projection'],
    'no path in another',
  )
}

/** How many levels a document has. BSON has 100 at most. */
const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null && (Array.isArray(value) || isPlain(value))
    ? 1 + Math.max(0, ...Object.values(value).map(depthOf))
    : 0

function readingAt(backend: MongoBackend, query: Query): void {
  const { filter, sort, limit, skip, projection, count, countOptions } = backend.compileQuery(query)
  queryAt(filter)
  queryAt(count)
  sortAt(sort, ['sort'])
  check(isWhole(limit, 1), ['limit'], 'a positive whole number')
  check(skip === undefined || isWhole(skip, 0), ['skip'], 'a whole number')
  if (projection !== undefined) projectionAt(projection)
  for (const [name, one] of Object.entries(countOptions ?? {}))
    check(['limit', 'skip'].includes(name) && isWhole(one, 1), ['countOptions', name], 'an option of countDocuments')
}

describe.each(layouts)('stored as %s', (layout) => {
  test('the filter of every case, and its complement', () => {
    let written = 0
    for (const one of cases) {
      const { schema } = one.fixture
      const { compile } = mongoBackend({ schema, ...optionsOf(schema, layout) })
      for (const filter of [filterOf(one), not(filterOf(one))]) {
        try {
          const document = compile(filter)
          queryAt(document)
          expect(depthOf(document)).toBeLessThanOrEqual(100)
          written++
        } catch (error) {
          if (error instanceof FilterError) continue
          throw new Error(one.name, { cause: error })
        }
      }
    }
    expect(written).toBeGreaterThan(4_000)
  })

  test('every query with its order, its page, its count and its searches', () => {
    let written = 0
    for (const { name, fixture, query } of queryCases) {
      const backend = mongoBackend({ schema: fixture.schema, ...optionsOf(fixture.schema, layout) })
      try {
        for (const count of [query.count, { max: 3 }])
          readingAt(backend, { ...query, ...(count !== undefined && { count }) })
        written++
      } catch (error) {
        if (!(error instanceof FilterError)) throw new Error(name, { cause: error })
      }
    }
    expect(written).toBeGreaterThan(250)
  })

  test('the pipelines of facets, in lists too', () => {
    const schema = defineSchema({
      id: field.integer(),
      status: field.string(),
      total: field.number(),
      gift: field.boolean(),
      paidAt: field.datetime(),
      tags: field.list(field.string()),
      customer: field.object({ country: field.string(), groups: field.list(field.integer()) }),
      items: field.list(field.object({ product: field.string(), codes: field.list(field.string()) })),
    })
    const facets = [
      'status',
      'total',
      'gift',
      'paidAt',
      'tags',
      'customer.country',
      'customer.groups',
      'items.product',
      'items.codes',
    ] as const
    const collection = defineCollection(schema, { key: 'id', facets })
    const backend = mongoBackend({ schema, ...optionsOf(schema, layout) })
    const limits = { facets: facets.length, searches: 1 + facets.length }
    const asked = `facets=${facets.join()}&status=a&items.product[contains]=x&tags[nin]=a,b&paidAt[exists]=true`
    const pipelines = backend.facets(parseQueryOrThrow(collection, asked, { limits })).map(({ pipeline }) => pipeline)
    expect(pipelines).toHaveLength(facets.length)
    for (const pipeline of pipelines) pipelineAt(pipeline)
  })
})

test.each<[document: unknown, at: string]>([
  [{ a: {}, $and: [] }, '$and'],
  [{ a: { $gt: 5, b: 1 } }, 'a.b'],
  [{ a: { $options: 'i' } }, 'a'],
  [{ a: { $in: [{ $regex: 'x' }] } }, 'a.$in.0'],
  [{ a: { $ne: /x/ } }, 'a.$ne'],
  [{ a: { $not: {} } }, 'a.$not'],
  [{ a: { $not: 5 } }, 'a.$not'],
  [{ a: { $exists: 1 } }, 'a.$exists'],
  [{ a: { $type: 'text' } }, 'a.$type'],
  [{ a: { $elemMatch: { $expr: true } } }, 'a.$elemMatch.$expr'],
  [{ a: { $elemMatch: { b: 1, $or: [{ $expr: true }] } } }, 'a.$elemMatch.$or.0.$expr'],
  [{ $expr: { $gt: ['$a'] } }, '$expr.$gt'],
  [{ $expr: { $eq: ['$a', 1], $gt: ['$a', 1] } }, '$expr.$eq'],
  [{ $where: 'true' }, '$where'],
  [{ a: undefined }, 'a'],
])('%o is no query document', (document, at) => {
  expect(() => queryAt(document)).toThrow(Ungrammatical)
  expect(() => queryAt(document)).toThrow(new RegExp(`^${at.replace(/[$.]/g, '\\$&')}: `))
})
test.each<[unknown]>([
  [[{ $match: {}, $limit: 1 }]],
  [[{ $limit: 0 }]],
  [[{ $group: { count: { $sum: 1 } } }]],
  [[{ $group: { _id: null, count: { $max: 1 } } }]],
  [[{ $unwind: 'v' }]],
  [[{ $sort: { a: 0 } }]],
  [[]],
])('%o is no pipeline', (pipeline) => expect(() => pipelineAt(pipeline)).toThrow(Ungrammatical))
