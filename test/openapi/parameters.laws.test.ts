/** The parameters that are described: what they allow is read, and means what they say; what they refuse is refused. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  and,
  defineCollection,
  defineSchema,
  field,
  parseFilter,
  parseQuery,
  parseQueryOrThrow,
  where,
} from '../../src/index.ts'
import { literalTypes, sameFilter } from '../../src/tree.ts'
import { defaultOperator, operatorNamed } from '../../src/language/index.ts'
import { parameters, type Parameter, type SchemaObject } from '../../src/tools/openapi/index.ts'
import { queryOf, someConditions, someSchemaOf, type ConditionParts } from '../../src/kit/arbitraries.ts'
import { byEffort } from '../effort.ts'
import { faultsOf, isValid, serialised, someValue } from './values.ts'
import { collection, named, compact, flat } from './parameters.fixture.ts'

test('a query sent by the rules of OpenAPI has the described meaning', () => {
  const sent = (all: readonly Parameter[], given: Readonly<Record<string, unknown>>) =>
    parseQueryOrThrow(
      collection,
      Object.entries(given)
        .flatMap(([name, value]) => {
          expect(faultsOf(named(all, name)!.schema, value), name).toBe('')
          return serialised(named(all, name)!, value)
        })
        .join('&'),
    )
  const w = where(collection.schema)
  const expected = and(
    w.range('total', -0.5, 1e21),
    w.in('status', ['paid', 'held']),
    w.in('seller', ['Smith, John', '']),
    w.notEqual('guests', 2),
    w.lte('paidAt', '2024-01-31'),
    w.some('items', (item) => and(item.gte('arrival', '2024-02-29'), item.contains('product', '100% + ü'))),
  )
  const ofCompact = sent(compact(), {
    total: { range: '-0.5,1e+21' },
    status: { in: 'paid,held' },
    seller: { in: '"Smith, John",""' },
    guests: { notEqual: 2 },
    paidAt: { lte: '2024-01-31' },
    'items.arrival': { gte: '2024-02-29' },
    'items.product': { contains: '100% + ü' },
    sort: ['-total', 'arrival'],
    limit: 7,
    fields: ['status', 'customer.name'],
    count: true,
  })
  const ofFlat = sent(flat(), {
    'total[range]': [-0.5, 1e21],
    'status[in]': ['paid', 'held'],
    'seller[in]': ['"Smith, John"', '""'],
    'guests[notEqual]': 2,
    'paidAt[lte]': '2024-01-31',
    'items.arrival[gte]': '2024-02-29',
    'items.product[contains]': '100% + ü',
    offset: 3,
  })
  expect(sameFilter(ofCompact.filter, expected)).toBe(true)
  expect(sameFilter(ofFlat.filter, expected)).toBe(true)
  expect(ofCompact).toMatchObject({ limit: 7, count: true, fields: [['status'], ['customer', 'name']] })
  expect(ofCompact.sort.map(({ path, direction }) => [path[0], direction])).toEqual([
    ['total', 'descending'],
    ['arrival', 'ascending'],
    ['id', 'ascending'],
  ])
  expect(ofFlat.offset).toBe(3)
})

/** A collection that allows everything, over a random schema and a record. */
const someCollection = fc
  .tuple(
    someSchemaOf(literalTypes),
    fc.constantFrom(field.string(), field.number(), field.date(), field.boolean(), field.enumeration(['a', 'b, c'])),
  )
  .map(([schema, entry]) =>
    defineCollection(
      defineSchema({ ...schema.fields, 'the key': field.integer(), 'a (record)': field.record(entry) }),
      {
        key: 'the key',
        sort: true,
        fields: true,
        count: true,
        offset: { max: 9 },
      },
    ),
  )
const isOfKeys = ({ name }: Parameter) => name.endsWith('.[key]')
/** The part of OpenAPI's limits that no schema can say: moments out of the years 0001 to 9999, by their offset. */
const isOnEdge = (text: string) => /(?:0001-01-01|9999-12-31)[Tt]/.test(text)

/** Some of the operators of a field: all of them take long to compile. */
const someOf = (schema: SchemaObject): fc.Arbitrary<SchemaObject> =>
  schema.properties === undefined
    ? fc.constant(schema)
    : fc
        .shuffledSubarray(Object.entries(schema.properties), { minLength: 1 })
        .map((some) => ({ ...schema, properties: Object.fromEntries(some.slice(0, 3)) }))

describe.each(['compact', 'flat'] as const)('%s, random', (style) => {
  test('every described value is read, with the described meaning', () => {
    const one = someCollection.chain((collection) =>
      fc
        .constantFrom(...parameters(collection, { style }).filter(({ name }) => name !== 'cursor'))
        .chain((parameter) =>
          fc.tuple(fc.constant({ collection, parameter }), someOf(parameter.schema).chain(someValue)),
        ),
    )
    fc.assert(
      fc.property(one, ([{ collection, parameter }, value]) => {
        const text = serialised(parameter, value).join('&')
        fc.pre(!isOnEdge(text))
        const now = new Date('2024-02-29T12:00:00Z')
        const result = parseQuery(collection, text, { now })
        expect(result.ok ? [] : result.issues).toEqual([])
        if (!result.ok || collection.parameters.has(parameter.name as 'sort')) return
        // The same by the language's own writer, condition by condition.
        const inside =
          style === 'compact' || isOfKeys(parameter) ? Object.entries(value as object) : [['', value] as const]
        const conditions = inside.map(([key, operand]: readonly [string, unknown]): ConditionParts => {
          const written = isOfKeys(parameter) ? key : parameter.name + (key && `[${key}]`)
          const [, path, word] = /^(.*?)(?:\[(\w+)\])?$/s.exec(written)!
          const operator = operatorNamed.get(word ?? defaultOperator.name)!
          return { field: collection.schema.paths.get(path!)!, operator, value: String(operand as string | number) }
        })
        const expected = parseQueryOrThrow(collection, queryOf(conditions), { now })
        expect(sameFilter(result.query.filter, expected.filter)).toBe(true)
      }),
      { numRuns: byEffort(1_000, 14) },
    )
  })

  /** What a client may have in mind that sends such a text. */
  const meantBy = (schema: SchemaObject, text: string): unknown[] => {
    if (schema.type === 'array') {
      const items = Array.from(text.matchAll(/(?:^|,)("(?:[^"\\]|\\.)*"|[^,]*)/g), ([, item]) => item!)
      if (items.join(',') !== text) return []
      const meant = items.map((item) => meantBy(schema.items!, item))
      return meant.every((one) => one.length > 0) ? [meant.map(([one]) => one)] : []
    }
    if (schema.type === 'boolean') return text === 'true' || text === 'false' ? [text === 'true'] : []
    const isNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text)
    if (schema.type === 'number') return isNumber ? [Number(text)] : []
    if (schema.type === 'integer') return String(Number(text)) === text.replace(/^-0$/, '0') ? [Number(text)] : []
    return [text]
  }
  /** What is left out of the lists of a description, and is read: digits beyond what others count exactly, quotes round numbers. */
  const isRare = (said: ConditionParts) =>
    (said.operator.operands !== 'one' &&
      (/\d{16}|\.\d{15}|[eE]\+?0*(?:28|29|3\d)\d/.test(said.value) || /"/.test(said.value))) ||
    (said.field.type === 'decimal' && said.value.length > 35)

  test('a text is read where it is described, and nowhere else', () => {
    const both = [0, 0]
    const spoilt = (text: string) =>
      fc.oneof(
        { weight: 2, arbitrary: fc.constant(text) },
        fc.nat(text.length).map((at) => text.slice(0, at) + text.slice(at + 1)),
        fc
          .tuple(fc.nat(text.length), fc.constantFrom(',', '"', '0', '-', 'a', ' ', '.', 'T', '9', '\0'))
          .map(([at, more]) => text.slice(0, at) + more + text.slice(at)),
      )
    const one = someCollection.chain((collection) =>
      someConditions(collection.schema)
        .filter((all) => all.length > 0)
        .chain(([said]) => spoilt(said!.value).map((value) => ({ collection, said: { ...said!, value } }))),
    )
    fc.assert(
      fc.property(one, ({ collection, said }) => {
        fc.pre(!isOnEdge(said.value))
        const all = parameters(collection, { style })
        const { name } = said.operator
        const whole = `${said.field.name}[${name}]`
        const { isKey } = said.field
        const key = style === 'compact' || name === 'equals' ? said.field.name : whole
        const { schema } = named(
          all,
          isKey ? `${said.field.name.slice(0, said.field.name.lastIndexOf('.'))}.[key]` : key,
        )!
        const ofKeys = () =>
          Object.entries(schema.patternProperties!).filter(([pattern]) => new RegExp(pattern, 'u').test(whole))
        if (isKey) expect(ofKeys()).toHaveLength(1)
        const own = isKey ? ofKeys()[0]![1] : style === 'compact' ? schema.properties![name]! : schema
        const isDescribed = meantBy(own, said.value).some((value) => isValid(own, value))
        const isRead = parseFilter(collection.schema, queryOf([said])).ok
        both[Number(isRead)]!++
        if (isRead && !isDescribed && isRare(said) && said.field.type !== 'string') return
        expect(isDescribed).toBe(isRead)
      }),
      { numRuns: byEffort(3_000, 67) },
    )
    expect(Math.min(...both)).toBeGreaterThan(byEffort(300, 1))
  })
})
