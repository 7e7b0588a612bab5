/** Compares `parseObject` with `parseQuery`, and the schema of a tool with both. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { orderCollection } from '../../docs/demo/data.ts'
import {
  defineCollection,
  defineSchema,
  field,
  parseObject,
  parseQuery,
  type Collection,
  type Query,
} from '../../src/index.ts'
import { toolSchema } from '../../src/tools/openapi/index.ts'
import { literalTypes } from '../../src/tree.ts'
import { someCollectionText, someSchemaOf } from '../../src/kit/arbitraries.ts'
import { byEffort } from '../effort.ts'
import { objectOf, pairsOf } from './objects.ts'

const numRuns = byEffort(2_000, 35)
/** The texts for each collection: the schemas of a collection are compiled once. */
const texts = 5

/** Removes spans from a query. */
const plain = (query: Query): unknown =>
  JSON.parse(JSON.stringify(query), (name, value: unknown) => (name === 'span' ? undefined : value))
const encoded = (pairs: readonly (readonly [string, string])[]) =>
  new URLSearchParams(pairs.map((pair) => [...pair])).toString()
// A field can be called `constructor`, which objects inherit.
const ajv = () => new Ajv2020({ allowUnionTypes: true, ownProperties: true })

/** Collections with every option. The names of parameters differ from all names of fields. */
const renamed = Object.fromEntries(
  ['sort', 'limit', 'cursor', 'offset', 'fields', 'count', 'facets', 'search', 'timeZone', 'and', 'or', 'not'].map(
    (name) => [name, `${name}-`],
  ),
)
const everything = (schema: Parameters<typeof defineCollection>[0]): Collection => {
  const paths = [...schema.paths.values()]
  const texts = paths.filter(({ type }) => type === 'string').map(({ name }) => name)
  const key = paths.find(({ lists, type }) => lists.length === 0 && type !== 'object')
  const scalars = paths.filter(({ literal }) => literal !== 'object').map(({ name }) => name)
  const { search, ...names } = renamed
  return defineCollection(schema, {
    ...{ key: key!.name as never, sort: true, offset: { max: 100 }, fields: true, count: true, timeZone: true },
    ...{ groups: true, facets: scalars as never },
    ...(texts.length > 0 && { search: texts.slice(0, 2) as never }),
    parameters: texts.length > 0 ? { ...names, search: search! } : names,
  })
}
const canBeCollection = (schema: Parameters<typeof defineCollection>[0]): boolean => {
  try {
    everything(schema)
    return true
  } catch {
    return false
  }
}
const someCollection = fc.oneof(
  fc.constant<Collection>(orderCollection),
  fc
    .tuple(
      someSchemaOf(literalTypes),
      fc.constantFrom(field.string(), field.number(), field.boolean(), field.enumeration(['a', 'b'])),
    )
    .map(([{ fields }, entry]) => defineSchema({ ...fields, 'a (record)': field.record(entry) }))
    .filter(canBeCollection)
    .map(everything),
)

/** The validators of the two schemas of a tool. */
function schemasOf(collection: Collection) {
  const schema = toolSchema(collection, { strict: true })
  return {
    accepts: ajv().compile(toolSchema(collection)),
    strict: ajv().compile(schema),
    members: Object.keys(schema.properties),
  }
}
const ofOrders = schemasOf(orderCollection)

describe('random queries', () => {
  const someText = someCollection.chain((collection) =>
    fc.tuple(fc.constant(collection), fc.array(someCollectionText(collection), { minLength: texts, maxLength: texts })),
  )

  test('of an object and its query string are equal, and every schema accepts the object', () => {
    const used = new Map<string, number>()
    const check = (collection: Collection, text: string, schemas: ReturnType<typeof schemasOf>) => {
      const pairs = pairsOf(collection, text)
      const now = new Date('2024-05-05T05:05:05Z')
      const asked = parseQuery(collection, encoded(pairs), { now })
      const object = objectOf(collection, pairs)
      const told = parseObject(collection, object, { now })
      expect(told.ok ? 'query' : told.issues.map(({ code }) => code)).toEqual(
        asked.ok ? 'query' : asked.issues.map(({ code }) => code),
      )
      if (!asked.ok || !told.ok) return
      for (const name of Object.keys(object)) {
        const role =
          [...collection.parameters].find(([, called]) => called === name)?.[0] ?? /\[(\w+)\]$/.exec(name)?.[1]
        used.set(role ?? 'equals', (used.get(role ?? 'equals') ?? 0) + 1)
      }
      expect(plain(told.query)).toEqual(plain(asked.query))
      expect(JSON.stringify(told.query)).not.toContain('"span"')
      expect(parseObject(collection, JSON.parse(JSON.stringify(object)) as object, { now })).toEqual(told)

      const { accepts, strict, members } = schemas
      expect(accepts(object), JSON.stringify([object, accepts.errors])).toBe(true)
      expect(accepts({ ...object, 'no such member': 1 })).toBe(false)
      expect(accepts({ ...object, [`${[...collection.visible.paths.keys()][0]!}[eq]`]: 1 })).toBe(false)

      const whole = Object.fromEntries(members.map((name) => [name, Object.hasOwn(object, name) ? object[name] : null]))
      expect(strict(whole), JSON.stringify([whole, strict.errors])).toBe(true)
      expect(strict(object)).toBe(false)
      // Its members have the order of the schema, which can change the order of conditions.
      expect(parseObject(collection, whole, { now, strict: true }).ok).toBe(true)
    }
    fc.assert(
      fc.property(someText, ([collection, all]) => {
        const schemas = collection === orderCollection ? ofOrders : schemasOf(collection)
        for (const text of all) check(collection, text, schemas)
      }),
      { numRuns: numRuns / texts },
    )
    for (const name of [
      ...Object.keys(renamed).filter((name) => name !== 'timeZone'),
      'equals',
      'in',
      'range',
      'exists',
    ])
      expect(used.get(name), name).toBeGreaterThan(0)
  })

  test('with dots equal queries with brackets', () => {
    const texts = someCollectionText(orderCollection)
    const accepts = ajv().compile(toolSchema(orderCollection, { keys: 'dots' }))
    fc.assert(
      fc.property(texts, (text) => {
        const pairs = pairsOf(orderCollection, text)
        const now = new Date('2024-05-05T05:05:05Z')
        const dotted = objectOf(orderCollection, pairs, (path, name) => (name === 'equals' ? path : `${path}.${name}`))
        const told = parseObject(orderCollection, dotted, { now })
        const asked = parseObject(orderCollection, objectOf(orderCollection, pairs), { now })
        expect(told.ok).toBe(asked.ok)
        if (!told.ok || !asked.ok) return
        expect(told.query).toEqual(asked.query)
        expect(accepts(dotted), JSON.stringify(accepts.errors)).toBe(true)
      }),
      { numRuns },
    )
  })
})

describe('random objects', () => {
  const schema = toolSchema(orderCollection)
  const accepts = ajv().compile(schema)
  const someValue = fc.oneof(
    ...[fc.string(), fc.integer(), fc.double(), fc.boolean(), fc.constant(null), fc.constant(undefined)],
    ...[fc.constantFrom('paid', 'held', '2024-01-31', 'today', 'now-1h', 's-1', '(status=paid)', '-total', 'status')],
    fc.array(fc.oneof(fc.string(), fc.integer(), fc.constantFrom('paid', '2024-01-31', '-total', 'id')), {
      maxLength: 3,
    }),
    fc.jsonValue(),
  )
  const someName = fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom(...Object.keys(schema.properties)) },
    { weight: 1, arbitrary: fc.string() },
  )

  test('never throw, and the schema accepts each object that parseObject accepts', () => {
    let accepted = 0
    fc.assert(
      fc.property(fc.dictionary(someName, someValue, { maxKeys: 3, noNullPrototype: true }), (object) => {
        const result = parseObject(orderCollection, object)
        if (!result.ok) {
          for (const issue of result.issues) expect(Object.keys(object)).toContain(issue.member)
          return
        }
        accepted++
        expect(accepts(object), JSON.stringify([object, accepts.errors])).toBe(true)
      }),
      { numRuns: numRuns * 10 },
    )
    expect(accepted).toBeGreaterThan(numRuns / 4)
  })
})
