/** Each parameter in each front-end. The compiler finds a parameter of the table that has no row here. */
import { describe, expect, test } from 'vitest'
import {
  buildQuery,
  defineCollection,
  defineSchema,
  field,
  narrow,
  parseObject,
  parseQuery,
  parseQueryOrThrow,
  printQuery,
  queryString,
  type Query,
} from '../../src/index.ts'
import { parameterRows, type ValueName } from '../../src/language/index.ts'
import { parameters, toolSchema } from '../../src/tools/openapi/index.ts'

const schema = defineSchema({ id: field.integer(), name: field.string(), at: field.datetime() })
const collection = defineCollection(schema, {
  ...{ key: 'id', sort: ['name'], offset: { max: 50 }, fields: true, count: true },
  ...{ search: ['name'], facets: ['name'], timeZone: true },
})
const plain = defineCollection(schema, { key: 'id' })

interface Row {
  readonly text: string
  /** The member of an object, and the part of `queryString`. */
  readonly json: unknown
  /** The part of `buildQuery`. Default: `json`. It has no `timeZone`, because its queries are absolute. */
  readonly part?: unknown
  /** The part of the query. */
  readonly query: Partial<Query>
  /** A pair of another API, and the hint for it. */
  readonly foreign: readonly [pair: string, hint: string]
}

const name = ['name'] as const
/** `[1,"next",["+id"],[3]]` in base64url. */
const cursor = 'WzEsIm5leHQiLFsiK2lkIl0sWzNdXQ'
const everyRow = { kind: 'and', filters: [] } as const
const rows: { readonly [P in ValueName]: Row } = {
  sort: {
    text: '-name',
    json: ['-name'],
    query: {
      sort: [
        { path: name, type: 'string', direction: 'descending' },
        { path: ['id'], type: 'integer', direction: 'descending', required: true },
      ],
    },
    foreign: ['orderBy=name', 'write sort=name'],
  },
  limit: { text: '7', json: 7, query: { limit: 7 }, foreign: ['pageSize=7', 'write limit=…'] },
  offset: { text: '5', json: 5, query: { offset: 5 }, foreign: ['skip=5', 'write offset=…'] },
  fields: {
    text: 'name,id',
    json: ['name', 'id'],
    query: { fields: [name, ['id']] },
    foreign: ['select=name', 'write fields=name'],
  },
  count: { text: 'true', json: true, query: { count: true }, foreign: ['withCount=1', 'write count=true'] },
  search: {
    text: 'jo',
    json: 'jo',
    part: ['jo'],
    query: {
      search: ['jo'],
      filter: { kind: 'or', filters: [{ kind: 'match', path: name, mode: 'substring', text: 'jo' }] },
    },
    foreign: ['q=jo', 'write search=…'],
  },
  facets: {
    text: 'name',
    json: ['name'],
    query: { facets: [{ lists: [], path: name, type: 'string', limit: 50, filter: everyRow }] },
    foreign: ['aggs=name', 'write facets=name'],
  },
  timeZone: {
    text: 'Europe/Berlin',
    json: 'Europe/Berlin',
    query: {},
    foreign: ['tz=Europe/Berlin', 'write timeZone=…'],
  },
  cursor: {
    text: cursor,
    json: cursor,
    query: { position: { toward: 'next', values: [{ type: 'integer', value: 3 }] } },
    foreign: ['pageToken=x', 'write cursor=…; its value is the cursor of the page before'],
  },
}

/** A query as JSON, without spans and without `asked`, whose conditions `filter` has, too. */
const plainOf = (query: Query): unknown =>
  JSON.parse(JSON.stringify(query, (key, value: unknown) => (key === 'span' || key === 'asked' ? undefined : value)))

describe.each(Object.entries(rows) as readonly (readonly [ValueName, Row])[])('%s', (parameter, row) => {
  const { text, json, part = json, query, foreign } = row
  const pair = `${parameter}=${text}`
  const whole = { ...(plainOf(buildQuery(collection)) as Query), ...query }
  test('a text and an object mean the same query', () => {
    expect(plainOf(parseQueryOrThrow(collection, pair))).toEqual(whole)
    const result = parseObject(collection, { [parameter]: json })
    expect(result.ok && plainOf(result.query)).toEqual(whole)
  })
  test('a front-end and a printer write it', () => {
    expect(queryString({ [parameter]: json } as object)).toBe(pair)
    if (parameter === 'timeZone') return
    const query = parseQueryOrThrow(collection, pair)
    expect(printQuery(collection, query)).toBe(pair)
    expect(printQuery(collection, JSON.parse(JSON.stringify(query)) as Query)).toBe(pair)
    expect(plainOf(buildQuery(collection, { [parameter]: part }))).toEqual(whole)
  })
  test('schemas have it', () => {
    expect(parameters(collection).map((one) => one.name)).toContain(parameter)
    expect(toolSchema(collection).properties).toHaveProperty(parameter)
  })
  test('other names of it have a hint', () => {
    const result = parseQuery(collection, foreign[0])
    expect(result.ok ? undefined : result.issues[0].hint).toBe(foreign[1])
  })
  test('a collection without its option refuses it', () => {
    const { option } = parameterRows[parameter]
    if (option === undefined) return
    expect(parseQuery(plain, pair).ok).toBe(false)
    // `narrow` does not accept `fields: false`.
    if (parameter !== 'fields') expect(parseQuery(narrow(collection, { [option]: false }), pair).ok).toBe(false)
  })
})
