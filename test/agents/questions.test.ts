/** The hundred questions of docs/questions.json: the schema accepts each object, which selects the rows found by hand. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { memoryBackend } from '../../src/backends/memory/index.ts'
import { orderCollection } from '../../docs/demo/data.ts'
import { parseObject } from '../../src/index.ts'
import { operation, toolSchema } from '../../src/tools/openapi/index.ts'
import { operators } from '../../src/tree.ts'
import { now, questions, rows } from './questions.ts'

const accepts = new Ajv2020({ allowUnionTypes: true }).compile(toolSchema(orderCollection))
const { requestBody } = operation(orderCollection, { version: '3.2', method: 'query' })
/** The validator of the content of QUERY in the OpenAPI document. */
const documented = new Ajv2020({ strict: false, validateFormats: false }).compile(
  requestBody!.content['application/json']!.schema,
)
const backend = memoryBackend()

test('all hundred questions and objects differ', () => {
  expect(new Set(questions.map(({ question }) => question)).size).toBe(100)
  expect(new Set(questions.map(({ object }) => JSON.stringify(object))).size).toBe(100)
})
test('every operator and parameter occurs, except startsWithExact, endsWithExact and cursor', () => {
  const members = questions.flatMap(({ object }) => Object.keys(object))
  const used = new Set(
    members.map((name) => /\[(\w+)\]$/.exec(name)?.[1] ?? (orderCollection.visible.paths.has(name) ? 'equals' : name)),
  )
  const rare = ['startsWithExact', 'endsWithExact', 'cursor']
  const all = [...Object.keys(operators), ...orderCollection.parameters.values()].filter((name) => !rare.includes(name))
  expect([...used].sort()).toEqual(all.sort())
})

test('the OpenAPI document refuses unknown members and values of the wrong type', () => {
  for (const object of [
    { nope: 1 },
    { 'total[contains]': 'x' },
    { 'status[]': 'paid' },
    { 'id[gte]': '5' },
    { 'status[in]': 'paid' },
    { totalx: 5 },
  ])
    expect([object, documented(object), accepts(object)]).toEqual([object, false, false])
})

describe('the object selects the rows', () => {
  test.each(questions)('$question', ({ object, ids, count, facets }) => {
    expect(accepts(object), JSON.stringify(accepts.errors)).toBe(true)
    expect(documented(object), JSON.stringify(documented.errors)).toBe(true)
    const result = parseObject(orderCollection, object, { now })
    if (!result.ok) throw new Error(result.issues[0].message)
    const { query } = result
    const found = backend.compileQuery(query)(rows)
    expect(found.rows.slice(0, query.limit).map(({ id }) => id)).toEqual(ids)
    if (count !== undefined) expect(found.count).toBe(count)
    if (facets !== undefined) expect(backend.facets(query)(rows)).toEqual(facets)
  })
})
