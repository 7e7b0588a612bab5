/** Hostile strings as operands: values and literal patterns in a document of known keys, on every engine. */
import { afterAll, describe, expect, test } from 'vitest'
import { mongoBackend, type MongoDocument } from '../../../src/backends/mongo/index.ts'
import { and, not, or, parseFilterOrThrow, where, type Filter } from '../../../src/index.ts'
import { comparison, operators, some } from '../../../src/tree.ts'
import { attacks, holds, paths, query, schema, texting } from '../attacks.ts'
import { byCompleteness, isComplete, isFull } from '../../effort.ts'
import { departuresOf } from './departures.ts'
import { openEngines, storeOf } from './engines.ts'

/** All that a document may say. */
const known = [
  ...['$and', '$or', '$nor', '$not', '$eq', '$ne', '$gt', '$gte', '$lt', '$lte', '$in', '$nin'],
  ...['$regex', '$options', '$type', '$elemMatch'],
]
function keysOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null || value instanceof Date || value instanceof RegExp) return []
  const inner = Object.values(value).flatMap(keysOf)
  return Array.isArray(value) ? inner : [...Object.keys(value), ...inner]
}
const unknown = (document: MongoDocument): string[] =>
  keysOf(document).filter(
    (key) => !known.includes(key) && !['seller', 'inner.text', 'tags', 'items', 'text'].includes(key),
  )

const { compile } = mongoBackend()

test('the keys of a document are operators of the list and names of the schema', () => {
  const found = attacks.flatMap((attack) =>
    paths.flatMap((path) =>
      texting.flatMap((operator) => {
        const filter = parseFilterOrThrow(schema, query(path, operator, attack))
        return [filter, not(filter), or(filter, not(filter))].flatMap((one) => unknown(compile(one)))
      }),
    ),
  )
  expect(found).toEqual([])
})

describe('an operand is a text', async () => {
  const opened = await openEngines()
  const engines = byCompleteness(opened, opened.slice(0, 1))
  afterAll(async () => {
    for (const engine of opened) await engine.close()
  })
  const tried = attacks.filter((_, at) => isComplete || at % 3 === 0)
  const rows = attacks.map((text, at) => ({
    id: at + 1,
    seller: text,
    inner: { text },
    tags: [text],
    items: [{ text }],
  }))

  test.each(engines)('on $name', async (engine) => {
    const { backend, documentsOf, fill, select, drop } = storeOf(engine, schema, 'texts')
    const all = [...rows, { id: rows.length + 1 }]
    const documents = documentsOf(all)
    await fill(all)
    let asked = 0
    for (const attack of tried) {
      for (const operator of texting) {
        const says = holds[operator.name as keyof typeof holds]
        const expected = attacks.flatMap((text, at) => (says(text, attack) ? [at + 1] : []))
        if (operator.complement) expected.push(rows.length + 1)
        // A server gets one path after the other. In a full run an evaluator gets all.
        const isAskedByAll = isFull && ['mingo', 'sift'].includes(engine.name)
        const some = isAskedByAll ? paths : [paths[asked % paths.length]!]
        for (const path of some) {
          const document = backend.compile(parseFilterOrThrow(schema, query(path, operator, attack)))
          asked++
          if (departuresOf(engine, document, documents).length > 0) continue
          const selected = (await select(document)).sort((a, b) => a - b)
          expect(selected, `${path} ${operator.name} ${attack}`).toEqual(expected)
        }
      }
    }
    await drop()
    expect(asked).toBeGreaterThanOrEqual(tried.length * texting.length)
  })
})

// test/conformance/inherited.test.ts gives every other name that the source reads to all objects.
test('an object is no scalar of BSON, whatever it inherits', () => {
  const { compile } = mongoBackend({ fields: { seller: { encode: () => ({ $ne: '' }) } } })
  const prototype = Object.prototype as unknown as Record<string, unknown>
  try {
    prototype._bsontype = 'ObjectId'
    expect(() => compile(where(schema).equals('seller', 'x'))).toThrow(TypeError)
  } finally {
    delete prototype._bsontype
  }
})

test('a group is a group, whatever else it has', () => {
  const text: Filter = comparison(['text'], 'eq', { type: 'string', value: 'x' })
  const plain = { kind: 'some', path: ['items'], filter: { kind: 'and', filters: [text] } } as const
  for (const path of [[], ['x'], 'x', null]) {
    const filter = { ...plain, filter: { ...plain.filter, path } } as Filter
    expect(compile(filter)).toEqual(compile(plain))
    expect(compile({ kind: 'not', filter, path } as Filter)).toEqual(compile(not(plain)))
    const denied = { ...plain, filter: { kind: 'not', filter: text, path } } as unknown as Filter
    expect(compile(denied)).toEqual(compile(some(['items'], not(text))))
  }
})

describe('filters by hand', () => {
  const o = where(schema)
  test('a path with a step that begins with $, or that is __proto__, is none', () => {
    for (const name of ['$where', '__proto__', 'a.b', '']) {
      const filter = { kind: 'presence', path: [name], type: 'string' } as unknown as Filter
      expect(() => compile(filter), name).toThrow(TypeError)
    }
  })
  test('20,000 levels are told from a filter', () => {
    let filter: Filter = o.equals('seller', 'a')
    for (let level = 0; level < 20_000; level++) filter = { kind: 'not', filter }
    expect(() => compile(filter)).toThrow(TypeError)
  })
  test('100 levels are a document that is not too deep, or refused', () => {
    let filter: Filter = o.equals('seller', 'a')
    for (let level = 1; level < 60; level++) filter = { kind: 'or', filters: [o.equals('seller', 'b'), filter] }
    expect(() => compile(filter)).toThrow('more than 100 levels')
    let denied: Filter = o.equals('seller', 'a')
    for (let level = 1; level < 100; level++) denied = not(denied)
    expect(compile(denied)).toEqual({ seller: { $ne: 'a' } })
  })
  test('so are conditions on one entry that stand behind each other', () => {
    const entry = (count: number) =>
      o.some('tags', (tag) => and(...Array.from({ length: count }, (_, at) => tag.startsWith(`${at}`))))
    expect(compile(entry(40))).toEqual({ tags: { $elemMatch: expect.objectContaining({ $regex: '^0' }) as unknown } })
    expect(() => compile(entry(60))).toThrow('more than 100 levels')
  })
  test('nor are there more of them than the stack has room for', () => {
    const many = (count: number, member: Filter): Filter =>
      JSON.parse(JSON.stringify({ kind: 'and', filters: Array(count).fill(member) })) as Filter
    const tag: Filter = { kind: 'comparison', path: [], operator: 'eq', operand: { type: 'string', value: 'x' } }
    expect(() => compile({ kind: 'some', path: ['tags'], filter: many(2_000, tag) })).toThrow(
      'more than 1000 alternatives or conditions',
    )
    const seller = o.equals('seller', 'x')
    expect(compile(many(2, many(49_998, seller))).$and).toHaveLength(99_995)
    expect(compile(many(20_000, not(and(seller, o.exists('inner'))))).$and).toHaveLength(19_999)
    expect(() => not(many(99_998, seller))).not.toThrow()
  })
  test('alternatives do not multiply without end', () => {
    const either = (at: number) => or(...['x', 'y'].map((text) => not(o.some('tags', (t) => t.equals(`${text}${at}`)))))
    expect(compile(and(...Array.from({ length: 30 }, (_, at) => either(at)))).$and).toHaveLength(29)
    const tag = (at: number): Filter =>
      or(
        { kind: 'comparison', path: [], operator: 'eq', operand: { type: 'string', value: `${at}` } },
        {
          kind: 'match',
          path: [],
          mode: 'prefix',
          text: `${at}`,
        },
      )
    const entry = (count: number) => some(['tags'], and(...Array.from({ length: count }, (_, at) => tag(at))))
    expect(compile(entry(9)).$or).toHaveLength(512)
    expect(() => compile(entry(10))).toThrow('more than 1000 alternatives or conditions')
    expect(() => compile(entry(60))).toThrow('more than 1000 alternatives or conditions')
  })
})

test('every operator of the language has its documents looked at here', () => {
  const anywhere = Object.values(operators).filter(({ name, fields }) => name !== 'exists' && fields === 'anywhere')
  // Those of lists alone lower to equality of entries, and to counts.
  expect(texting.map(({ name }) => name)).toEqual(anywhere.map(({ name }) => name))
})
