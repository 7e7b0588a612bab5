/** Schemas out of JSON Schema, worked out by hand, and out of the libraries that write it. */
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import { Type } from 'typebox'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { defineSchema, field, where, type Fields } from '../../src/index.ts'
import { fromJsonSchema, type JsonSchemaOptions } from '../../src/tools/json-schema/index.ts'
import { rowsIn } from '../rows.ts'

/** The fields of the property `a`. */
const fieldsOf = (a: unknown, document: object = {}): Fields =>
  fromJsonSchema({ ...document, type: 'object', properties: { a } }).fields as Fields
/** The same, by hand. */
const just = (a: Fields[string]): Fields => defineSchema({ a }).fields

describe('one property', () => {
  const paid = field.enumeration(['paid', 'held'])
  const item = field.object({ price: field.number() })
  const price = { type: 'object', properties: { price: { type: 'number' } } }
  test.each<[unknown, Fields[string]]>([
    [{ type: 'string' }, field.string()],
    [{ type: 'string', format: 'uuid', minLength: 1 }, field.uuid()],
    [{ type: 'string', format: 'int64' }, field.bigint()],
    [{ type: 'string', format: 'decimal' }, field.decimal()],
    [{ type: 'string', format: 'email' }, field.string()],
    [{ type: 'number', format: 'decimal' }, field.number()],
    [{ type: ['string', 'null'], format: 'uuid' }, field.uuid()],
    [{ type: 'array', items: { type: 'string', format: 'uuid' } }, field.list(field.uuid())],
    [
      { enum: ['f81d4fae-7dec-11d0-a765-00a0c91e6bf6'], format: 'uuid' },
      field.enumeration(['f81d4fae-7dec-11d0-a765-00a0c91e6bf6']),
    ],
    [
      {
        anyOf: [{ type: 'string', format: 'uuid' }, { const: '00000000-0000-0000-0000-000000000000' }],
        format: 'uuid',
      },
      field.uuid(),
    ],
    [{ anyOf: [{ const: 'a' }, { const: 'b' }], format: 'uuid' }, field.enumeration(['a', 'b'])],
    [{ type: 'string', format: 'date' }, field.date()],
    [{ type: 'string', format: 'date-time' }, field.datetime()],
    [{ type: 'integer', format: 'int64' }, field.integer()],
    [{ type: 'number' }, field.number()],
    [{ type: ['integer', 'number'] }, field.number()],
    [{ type: 'boolean' }, field.boolean()],
    [{}, field.json()],
    [{ type: 'object', additionalProperties: { type: 'integer' } }, field.record(field.integer())],
    [true, field.json()],
    [{ title: 'x', description: 'y' }, field.json()],
    [{ anyOf: [{ allOf: [{}] }, { type: 'null' }] }, field.json()],
    [{ type: 'array', items: {} }, field.json()],
    [{ type: 'array', items: { type: 'array', items: {} } }, field.json()],
    [{ type: 'string', enum: ['paid', 'held'] }, paid],
    [{ enum: ['paid', 'held'] }, paid],
    [{ enum: ['paid', 'held', 'paid'] }, paid],
    [{ const: 'paid' }, field.enumeration(['paid'])],
    [{ anyOf: [{ const: 'paid' }, { const: 'held' }] }, paid],
    [{ oneOf: [{ enum: ['paid'] }, { type: 'string', enum: ['held'] }] }, paid],
    [{ enum: [1, 2] }, field.integer()],
    [{ enum: [1, 2.5] }, field.number()],
    [{ enum: [true] }, field.boolean()],
    [{ type: ['null', 'string'], format: 'date' }, field.date()],
    [{ enum: ['paid', null, 'held'] }, paid],
    [{ anyOf: [{ type: 'null' }, { type: 'string', format: 'date' }] }, field.date()],
    [{ oneOf: [price, { const: null }] }, item],
    [{ type: 'integer', nullable: true }, field.integer()],
    [{ anyOf: [{ type: 'string', minLength: 1 }, { type: 'string' }] }, field.string()],
    [{ anyOf: [{ type: 'integer' }, { type: 'number' }] }, field.number()],
    [price, item],
    [{ properties: price.properties }, item],
    [{ type: 'array', items: { type: 'string' } }, field.list(field.string())],
    [{ items: { type: 'string' } }, field.list(field.string())],
    [{ type: 'array', items: price }, field.list(item)],
    [{ items: { properties: { l: { items: price } } } }, field.list(field.object({ l: field.list(item) }))],
    [
      { allOf: [price, { properties: { x: { type: 'string' } } }] },
      field.object({ price: field.number(), x: field.string() }),
    ],
    [
      { allOf: [{ properties: { x: { type: 'string' } } }, { properties: { x: { format: 'date' } } }] },
      field.object({ x: field.date() }),
    ],
    [{ allOf: [{ enum: ['x', 'paid', 'held'] }, { enum: ['paid', 'held', 'y'] }] }, paid],
    [{ allOf: [{ type: 'integer' }, { type: 'number' }] }, field.integer()],
    [{ allOf: [{ type: 'number' }, { type: 'integer' }] }, field.integer()],
    [{ allOf: [{ type: ['integer', 'number'] }, { type: 'integer' }] }, field.integer()],
    [{ anyOf: [{ enum: ['paid'] }, { enum: ['held'] }] }, paid],
    [{ anyOf: [{ items: { type: 'string' } }] }, field.list(field.string())],
    [{ anyOf: [{ allOf: [{ type: 'string' }] }] }, field.string()],
    [{ oneOf: [{ anyOf: [{ type: 'string' }] }] }, field.string()],
    [{ anyOf: [{ oneOf: [{ type: 'string' }] }] }, field.string()],
    [
      { anyOf: [{ oneOf: [{ const: 'paid' }, { type: 'null' }] }, { oneOf: [{ const: 'held' }, { type: 'null' }] }] },
      paid,
    ],
    [{ anyOf: [{ type: ['integer', 'number'] }, { type: 'integer' }] }, field.number()],
    [{ ...price, anyOf: [{ required: ['price'] }, { required: [] }] }, item],
    [{ type: 'string', oneOf: [{ const: 'paid' }, { const: 'held' }] }, paid],
    [{ allOf: [{ format: 'email' }, { type: 'string', format: 'date' }] }, field.date()],
    [{ allOf: [{ type: 'string', format: 'date' }, { format: 'date' }] }, field.date()],
    [{ format: 'date', anyOf: [{ type: 'string', format: 'date' }] }, field.date()],
    [{ type: 'integer', allOf: [{ format: 'date' }, { format: 'date-time' }] }, field.integer()],
    [{ const: 'paid', enum: ['held', 'paid'] }, field.enumeration(['paid'])],
    [{ format: 'date', anyOf: [{ type: 'string' }, { type: 'null' }] }, field.date()],
    [{ type: 'string', anyOf: [{ const: 'paid' }, { const: 'held' }] }, paid],
    [{ type: 'string', readOnly: true, not: { const: 'x' }, if: {}, then: {} }, field.string()],
  ])('%j', (schema, expected) => expect(fieldsOf(schema)).toEqual(just(expected)))

  test.each<[string, unknown, Fields[string]]>([
    ['$defs', '#/$defs/price', field.number()],
    ['definitions', '#/definitions/day', field.date()],
    ['escapes', '#/$defs/a~1b%20~0c', field.boolean()],
    ['a reference to a reference', '#/$defs/again', field.number()],
    ['what is no escape', '#/$defs/100%', field.integer()],
  ])('a reference: %s', (_, $ref, expected) => {
    const document = {
      $defs: {
        price: { type: 'number' },
        again: { $ref: '#/$defs/price' },
        'a/b ~c': { type: 'boolean' },
        '100%': { type: 'integer' },
      },
      definitions: { day: { type: 'string', format: 'date' } },
    }
    expect(fieldsOf({ $ref }, document)).toEqual(just(expected))
  })
  test('a reference and the keywords beside it', () => {
    const $defs = { text: { type: 'string' } }
    expect(fieldsOf({ $ref: '#/$defs/text', format: 'date' }, { $defs })).toEqual(just(field.date()))
  })
  test('a reference beside alternatives, and as one', () => {
    const $defs = { text: { type: 'string' }, day: { type: 'string', format: 'date' } }
    const paid = { $ref: '#/$defs/text', anyOf: [{ const: 'paid' }, { const: 'held' }] }
    expect(fieldsOf(paid, { $defs })).toEqual(just(field.enumeration(['paid', 'held'])))
    const inParts = { allOf: [{ $ref: '#/$defs/text' }], anyOf: [{ const: 'paid' }, { const: 'held' }] }
    expect(fieldsOf(inParts, { $defs })).toEqual(just(field.enumeration(['paid', 'held'])))
    expect(fieldsOf({ anyOf: [{ $ref: '#/$defs/day' }] }, { $defs })).toEqual(just(field.date()))
  })
  test('a reference of two parts, without recursion', () => {
    const $defs = {
      base: { properties: { price: { type: 'number' } } },
      left: { allOf: [{ $ref: '#/$defs/base' }] },
      right: { allOf: [{ $ref: '#/$defs/base' }, { properties: { x: { type: 'string' } } }] },
    }
    expect(fieldsOf({ allOf: [{ $ref: '#/$defs/left' }, { $ref: '#/$defs/right' }] }, { $defs })).toEqual(
      just(field.object({ price: field.number(), x: field.string() })),
    )
  })
  test('the components of an OpenAPI document', () => {
    const document = {
      components: {
        schemas: {
          Item: { type: 'object', properties: { price: { type: 'number', nullable: true } } },
          Order: {
            type: 'object',
            properties: { items: { type: 'array', items: { $ref: '#/components/schemas/Item' } } },
          },
        },
      },
    }
    expect(fromJsonSchema(document.components.schemas.Order, { document }).fields).toEqual(
      defineSchema({ items: field.list(item) }).fields,
    )
  })
})

describe('required fields', () => {
  const must = { required: true } as const
  const text = { type: 'string' }
  /** The field of the property `a`, which is always there. */
  const always = (a: unknown, document: object = {}) => fieldsOf(a, { ...document, required: ['a', 5, 'toString'] })
  test.each<[unknown, Fields[string]]>([
    [text, field.string(must)],
    [{ type: 'string', format: 'uuid' }, field.uuid(must)],
    [{ type: 'string', format: 'int64' }, field.bigint(must)],
    [{ type: 'string', format: 'decimal' }, field.decimal(must)],
    [{ type: 'string', format: 'date-time' }, field.datetime(must)],
    [{ type: ['integer'] }, field.integer(must)],
    [{ enum: ['paid', 'held'] }, field.enumeration(['paid', 'held'], must)],
    [{ const: 'paid' }, field.enumeration(['paid'], must)],
    [{ anyOf: [{ const: 'paid' }, { const: 'held' }] }, field.enumeration(['paid', 'held'], must)],
    [{ anyOf: [{ anyOf: [text] }] }, field.string(must)],
    [{ type: 'string', anyOf: [{ type: ['string', 'null'] }] }, field.string(must)],
    [{ allOf: [{ type: ['string', 'null'] }, text] }, field.string(must)],
    [{ allOf: [{ enum: ['paid', null] }, { type: 'string' }] }, field.enumeration(['paid'], must)],
    [{ $ref: '#/$defs/text' }, field.string(must)],
    [{ type: 'object', properties: { x: text } }, field.object({ x: field.string() }, must)],
    [{ type: 'object', required: ['x'], properties: { x: text } }, field.object({ x: field.string(must) }, must)],
    [
      { allOf: [{ type: 'object', properties: { x: text } }, { required: ['x'] }] },
      field.object({ x: field.string(must) }, must),
    ],
    [
      { type: 'array', items: { type: 'object', required: ['x'], properties: { x: text } } },
      field.list(field.object({ x: field.string(must) })),
    ],
    // The next are those that null may be in, or nothing.
    [{ type: ['string', 'null'] }, field.string()],
    [{ anyOf: [text, { type: 'null' }] }, field.string()],
    [{ oneOf: [text, { const: null }] }, field.string()],
    [{ anyOf: [{ anyOf: [text, { type: 'null' }] }] }, field.string()],
    [{ anyOf: [{ type: 'string', nullable: true }] }, field.string()],
    [{ enum: ['paid', null] }, field.enumeration(['paid'])],
    [{ $ref: '#/$defs/maybe' }, field.string()],
    [{ type: 'string', nullable: true }, field.string()],
    [{ allOf: [{ $ref: '#/$defs/text' }], nullable: true }, field.string()],
    [{ properties: { x: text } }, field.object({ x: field.string() })],
    [{ type: ['object', 'null'], required: ['x'], properties: { x: text } }, field.object({ x: field.string(must) })],
    [{ type: 'object', required: 'x', properties: { x: text } }, field.object({ x: field.string() }, must)],
    [{ type: 'array', items: text }, field.list(field.string())],
  ])('%j', (schema, expected) => {
    const document = { $defs: { text, maybe: { type: ['string', 'null'] } } }
    expect(always(schema, document)).toEqual(just(expected))
  })
  test('a definition of the options says it for itself', () => {
    const source = { type: 'object', required: ['a', 'b'], properties: { a: {}, b: {} } } as object
    const fields = { a: field.bigint(must), b: field.uuid() }
    expect(fromJsonSchema(source, { fields }).fields).toEqual(defineSchema(fields).fields)
  })
  test('what is listed outside of an object, or in an alternative, is none of it', () => {
    const source = { required: ['x'], properties: { o: { type: 'object', properties: { x: text } } } } as object
    expect(fromJsonSchema(source).fields).toEqual(defineSchema({ o: field.object({ x: field.string() }) }).fields)
    const some = { properties: { x: text }, anyOf: [{ required: ['x'] }, { required: ['y'] }] } as object
    expect(fromJsonSchema(some).fields).toEqual(defineSchema({ x: field.string() }).fields)
  })
})

describe('properties that are only written', () => {
  const text = { type: 'string' }
  const source = {
    type: 'object',
    required: ['id', 'password'],
    properties: {
      id: text,
      password: { type: 'string', writeOnly: true },
      token: { $ref: '#/$defs/token' },
      pin: { anyOf: [{ type: 'integer', writeOnly: true }, { type: 'null' }] },
      codes: { type: 'array', items: { type: 'string', writeOnly: true } },
      record: { type: 'object', writeOnly: true },
      card: { allOf: [{ properties: { number: text, cvc: { $ref: '#/$defs/token' } } }, { writeOnly: true }] },
      user: { properties: { name: text, secret: { type: 'string', writeOnly: true } } },
    },
    $defs: { token: { type: 'string', writeOnly: true } },
  } as const
  test.each<[JsonSchemaOptions, string[]]>([
    [{}, ['id', 'user', 'user.name']],
    [{ omit: ['user.secret'] }, ['id', 'user', 'user.name']],
    [{ pick: ['user'] }, ['user', 'user.name']],
    [{ pick: ['id', 'password', 'token', 'pin', 'codes'] }, ['id', 'password', 'token', 'pin', 'codes']],
    [{ pick: ['card'] }, ['card', 'card.number']],
    [{ pick: ['card.number', 'card.cvc', 'user.secret'] }, ['card', 'card.number', 'card.cvc', 'user', 'user.secret']],
    [
      { fields: { token: field.uuid(), 'user.secret': field.date() } },
      ['id', 'token', 'user', 'user.name', 'user.secret'],
    ],
    [{ pick: ['password'], omit: ['password'], fields: { id: field.string() } }, []],
  ])('is left out unless it is named: %o', (options, paths) => {
    expect([...fromJsonSchema(source as object, options).paths.keys()]).toEqual(paths)
  })
  test('a picked one is not required, and one that cannot be a field is refused', () => {
    const { fields } = fromJsonSchema(source, { pick: ['id', 'password'] })
    expect(fields).toEqual(defineSchema({ id: field.string({ required: true }), password: field.string() }).fields)
    expect(() => fromJsonSchema(source, { pick: ['record'] })).toThrow('\n  record: a record')
  })
})

describe('a property that cannot be a field', () => {
  /** A text, inside of so many others. */
  const levels = (count: number, around: (inner: object) => object): object =>
    Array.from({ length: count }).reduce<object>(around, { type: 'string' })

  const reasons = rowsIn(new URL('refused.txt', import.meta.url), 'refused').map(
    ({ cells: [schema, reason], place }): [unknown, string, string] => [JSON.parse(schema!), reason!, place],
  )
  test.each([
    ...reasons,
    [levels(5_000, (items) => ({ items })), 'it nests deeper than 200 levels', 'levels'],
    [{ enum: ['\ud800'] }, 'values must be text without U+0000 and lone surrogates', 'half'],
  ] as [unknown, string, string][])('%o', (schema, reason, place) =>
    expect(() => fieldsOf(schema), place).toThrow(`\n  a: ${reason}\n`),
  )

  const broken = {
    type: 'object',
    properties: {
      id: { type: 'integer' },
      'a.b': { type: 'string' },
      meta: { type: 'object' },
      items: { items: { properties: { price: { type: 'number' }, shape: { type: ['string', 'boolean'] } } } },
      node: { $ref: '#/$defs/node' },
    },
    $defs: { node: { properties: { name: { type: 'string' }, next: { $ref: '#/$defs/node' } } } },
  } as const
  const list = `these paths of the schema cannot be fields:
  a.b: the name must not contain '.', '[' or ']', which have a meaning in queries
  meta: a record: the schema has no names of properties
  items.shape: a union of several types: string, boolean
  node.next: recursion: it refers to what it is in
Name them in the options omit or fields, or leave all of them out with unsupported: 'omit'`
  test('all of it is listed', () => {
    expect(() => fromJsonSchema(broken)).toThrow(TypeError)
    expect(() => fromJsonSchema(broken)).toThrow(list)
  })
  test.each<[JsonSchemaOptions, string[]]>([
    [{ unsupported: 'omit' }, ['id', 'items', 'items.price', 'node', 'node.name']],
    [{ omit: ['a.b', 'meta', 'items.shape', 'node'] }, ['id', 'items', 'items.price']],
    [{ pick: ['id', 'items.price'] }, ['id', 'items', 'items.price']],
    [{ pick: ['node'], omit: ['node.next'] }, ['node', 'node.name']],
    [
      {
        pick: ['id', 'meta', 'items'],
        fields: { meta: field.object({ x: field.date() }), 'items.shape': field.string() },
      },
      ['id', 'meta', 'meta.x', 'items', 'items.price', 'items.shape'],
    ],
  ])('%o', (options, paths) => expect([...fromJsonSchema(broken, options).paths.keys()]).toEqual(paths))

  test('a schema that contains itself without a reference, as in a document whose references are resolved', () => {
    const node: Record<string, unknown> = { type: 'object' }
    const kind = { type: 'string' }
    const value: Record<string, unknown> = { type: 'string' }
    value.anyOf = [value, { type: 'null' }]
    const whole: Record<string, unknown> = {}
    whole.allOf = [whole, { type: 'string' }]
    node.properties = { next: node, nodes: { items: node }, kind, other: { properties: { kind } }, value, whole }
    const recursive = 'recursion: it refers to what it is in'
    expect(() => fromJsonSchema(node)).toThrow(
      `:\n  next: ${recursive}\n  nodes: ${recursive}\n  value: ${recursive}\nName them in the options`,
    )
    const paths = fromJsonSchema(node, { unsupported: 'omit' }).paths.keys()
    expect([...paths]).toEqual(['kind', 'other', 'other.kind', 'whole'])
  })

  test('a property inside more than 32 objects', () => {
    const nested = (count: number) => levels(count, (x) => ({ properties: { x } }))
    expect(fromJsonSchema(nested(32)).paths.size).toBe(32)
    for (const count of [33, 5_000]) {
      const deepest = 'x.'.repeat(32) + 'x'
      expect(() => fromJsonSchema(nested(count))).toThrow(`:\n  ${deepest}: it nests deeper than 32 levels\nName`)
      expect(fromJsonSchema(nested(count), { unsupported: 'omit' }).paths.size).toBe(32)
    }
  })

  test('alternatives of alternatives are looked at up to a number', () => {
    const a = levels(30, (inner) => ({ anyOf: [inner, inner] }))
    expect(() => fieldsOf(a)).toThrow(
      new TypeError('the schema has more than 20000 alternatives: name the paths that queries need with pick'),
    )
    const values = Array.from({ length: 20_000 }, (_, at) => ({ const: `v${at}` }))
    expect(fieldsOf({ oneOf: values })).toEqual(just(field.enumeration(values.map((one) => one.const))))
  })

  test('a name of Object.prototype is a field, beside definitions by path', () => {
    const source = { properties: { constructor: { type: 'string' }, at: {} } } as object
    expect(fromJsonSchema(source, { fields: { at: field.date() } }).fields).toEqual(
      defineSchema({ constructor: field.string(), at: field.date() }).fields,
    )
  })

  test.each<[object, string]>([
    [{ pick: ['idd'] }, 'options name paths that the schema does not have: idd'],
    [{ omit: ['items.x'], fields: { y: field.string() } }, 'paths that the schema does not have: items.x, y'],
    [{ unsupported: 'ignore' }, "options.unsupported must be 'omit'"],
    [{ picks: [] }, 'options.picks is unknown; did you mean pick?'],
    [{ pick: 'id' }, 'options.pick must be a list of paths'],
    [{ pick: [5] }, 'options.pick must be a list of paths'],
    [{ omit: null }, 'options.omit must be a list of paths'],
    [{ fields: null }, 'options.fields must be an object'],
    [{ fields: [] }, 'options.fields must be an object'],
    [{ fields: 'id' }, 'options.fields must be an object'],
    [{ document: '{}' }, 'options.document must be an object'],
    [{ document: null }, 'options.document must be an object'],
  ])('options %o', (options, message) => expect(() => fromJsonSchema(broken, options)).toThrow(message))

  test('a name that begins like another is another', () => {
    const source = { properties: { at: {}, attic: { type: 'string' } } } as object
    expect([...fromJsonSchema(source, { omit: ['at'] }).paths.keys()]).toEqual(['attic'])
  })

  test('more than 5000 paths are refused, wherever they are', () => {
    const many = (count: number) => ({
      properties: Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, { type: 'string' }])),
    })
    expect(fromJsonSchema(many(5000) as object).paths.size).toBe(5000)
    const refusal = new TypeError('the schema has more than 5000 paths: name those that queries need with pick')
    expect(() => fromJsonSchema(many(5001))).toThrow(refusal)
    expect(() => fromJsonSchema({ properties: { inside: many(5000) } })).toThrow(refusal)
  })

  test.each<[object, string]>([
    [{}, 'not an object with properties'],
    [{ $ref: 'other.json' }, 'a reference to another document: other.json'],
  ])('the source %o, with the reason', (source, reason) => {
    expect(() => fromJsonSchema(source)).toThrow(
      new TypeError(`source must be the schema of an object with properties: ${reason}`),
    )
  })

  test.each<[unknown]>([[{ type: 'string' }], [{}], [{ type: 'array', items: {} }], [null], [5]])(
    'the source %o',
    (source) => {
      expect(() => fromJsonSchema(source as object)).toThrow('source must be the schema of an object with properties')
    },
  )
})

// On an idle machine each takes a fifth of a second. To look each value up in a list, or to read again what is beside a union
// for each of its alternatives, would take seven seconds and more.
describe('a long schema is read in time', { timeout: 5_000 }, () => {
  const names = (count: number) => Array.from({ length: count }, (_, at) => `v${at}`)
  const enumeration = (values: readonly string[]) => just(field.enumeration(values as [string]))
  test('all of two enumerations', () => {
    const values = names(100_000)
    const schema = { allOf: [{ enum: values }, { enum: [...names(100_010)].reverse() }] }
    expect(fieldsOf(schema)).toEqual(enumeration(values))
  })
  test('alternatives beside an enumeration', () => {
    const values = names(20_000)
    const schema = { enum: values, anyOf: [...values].reverse().map((value) => ({ const: value })) }
    expect(fieldsOf(schema)).toEqual(enumeration([...values].reverse()))
  })
  test('parts with one property', () => {
    const parts = names(50_000).map((title) => ({ properties: { x: { type: 'string', title } } }))
    expect(fieldsOf({ type: 'object', allOf: parts })).toEqual(just(field.object({ x: field.string() })))
  })
  test('a graph of unions', () => {
    const graph = (depth: number) => {
      const unions = Array.from({ length: depth }, (_, at) => {
        const $ref = `#/$defs/u${at + 1}`
        return [`u${at}`, { type: 'string', title: `u${at}`, anyOf: [{ $ref }, { $ref }] }]
      })
      return { $defs: { ...(Object.fromEntries(unions) as object), [`u${depth}`]: { format: 'date' } } }
    }
    expect(fieldsOf({ $ref: '#/$defs/u0' }, graph(12))).toEqual(just(field.date()))
    expect(() => fieldsOf({ $ref: '#/$defs/u0' }, graph(90))).toThrow('the schema has more than 20000 alternatives')
  })
})

describe('libraries', () => {
  const must = { required: true } as const
  const expected = defineSchema({
    id: field.integer(must),
    seller: field.string(must),
    arrival: field.date(must),
    paidAt: field.datetime(must),
    status: field.enumeration(['paid', 'held'], must),
    kind: field.enumeration(['a', 'b'], must),
    total: field.number(),
    gift: field.boolean(must),
    customer: field.object({ name: field.string() }),
    items: field.list(field.object({ price: field.number(must) })),
  }).fields
  /** The types that formats make. */
  const exact = defineSchema({ id: field.uuid(must), views: field.bigint(must), price: field.decimal(must) }).fields

  const aDate = 'a Date: write field.datetime() in the option fields, or field.date() where it is a day'
  const dates = aDate.replaceAll(/field\.\w+\(\)/g, 'field.list($&)')
  const aBigint = 'a bigint: write field.bigint() in the option fields'
  const aTransform = 'the result of a transform: no schema says its type'
  const isoDates =
    'dates as texts of several forms, which sort in another order: write field.datetime(), field.date() or field.string() in the option fields, as the rows are'
  const mapOf = (name: string) => `a type that JSON Schema does not have: ${name}`
  const zodAt = z.date()
  test.each<[library: string, source: object, reasons: Readonly<Record<string, string>>]>([
    [
      'zod',
      z.object({
        at: zodAt,
        maybe: zodAt.nullish(),
        dated: zodAt.default(new Date(0)).meta({ id: 'dated' }),
        later: z.lazy(() => zodAt),
        codec: z.codec(z.iso.datetime(), zodAt, { decode: (text) => new Date(text), encode: String }),
        list: z.array(zodAt),
        either: z.union([zodAt, z.string()]),
        views: z.bigint(),
        made: z.string().transform(Number),
        makes: z.string().transform(Number).pipe(z.number()),
        map: z.map(z.string(), z.string()),
        any: z.any(),
        described: zodAt.meta({ type: 'string', format: 'date-time' }),
        one: z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]),
        day: z.iso.date(),
      }),
      {
        ...{ at: aDate, maybe: aDate, dated: aDate, later: aDate, codec: aDate, list: dates },
        ...{ either: 'a union of several types: date, string', views: aBigint, made: aTransform, map: mapOf('map') },
        one: 'a union of several objects',
      },
    ],
    [
      'valibot',
      toStandardJsonSchema(
        v.object({
          at: v.date(),
          maybe: v.nullish(v.date()),
          read: v.pipe(v.string(), v.isoTimestamp(), v.toDate()),
          list: v.array(v.date()),
          views: v.bigint(),
          made: v.pipe(v.string(), v.transform(Number)),
          inside: v.optional(v.pipe(v.string(), v.transform(Number), v.minValue(1))),
          raw: v.pipe(
            v.string(),
            v.rawTransform(({ dataset }) => dataset.value.length),
          ),
          mapped: v.pipe(v.array(v.string()), v.mapItems(Number)),
          makes: v.pipe(v.string(), v.transform(Number), v.number()),
          number: v.pipe(v.string(), v.toNumber()),
          text: v.pipe(v.string(), v.trim(), v.toLowerCase(), v.brand('text'), v.readonly()),
          map: v.map(v.string(), v.string()),
          any: v.any(),
        }),
      ),
      {
        ...{ at: aDate, maybe: aDate, read: aDate, list: dates, views: aBigint, made: aTransform, inside: aTransform },
        ...{ raw: aTransform, mapped: aTransform, map: mapOf('map') },
      },
    ],
    [
      'ArkType',
      type({
        at: 'Date',
        'maybe?': 'Date | null',
        after: "Date > d'2020-01-01'",
        list: 'Date[]',
        parsed: 'string.date.parse',
        iso: 'string.date.iso',
        isos: 'string.date.iso[]',
        any: 'string.date',
        epoch: 'string.date.epoch',
        views: 'bigint',
        map: 'Map',
        url: 'string.url',
        checked: type('string').narrow((_, ctx) => ctx.reject('never')),
      }),
      {
        ...{ after: aDate, any: isoDates, at: aDate, iso: isoDates },
        ...{ isos: isoDates.replaceAll(/field\.\w+\(\)/g, 'field.list($&)'), list: dates, map: mapOf('Map') },
        ...{ parsed: aDate, views: aBigint, maybe: aDate },
      },
    ],
  ])('%s: what its types have and JSON Schema lacks is named', (_, source, reasons) => {
    const list = Object.entries(reasons).map(([path, reason]) => `\n  ${path}: ${reason}`)
    expect(() => fromJsonSchema(source)).toThrow(`these paths of the schema cannot be fields:${list.join('')}\nName`)
  })
  test('patterns of several forms of texts other than dates', () => {
    const patterns = ['^\\d{4}-\\d{2}-\\d{2}$', '^\\d{4}-', '-', '(', '^\\w+$', '']
    for (const pattern of patterns) expect(fieldsOf({ type: 'string', pattern })).toEqual(just(field.string()))
    expect(fieldsOf({ type: 'string', format: 'date', pattern: '^20\\d\\d-0[1-9]-' })).toEqual(just(field.date()))
  })
  test('zod: the options of z.toJSONSchema hold', () => {
    const schema = z.object({
      at: z.date(),
      count: z.string().transform(Number).pipe(z.number()),
      name: z.string().default('none'),
    })
    const made = z.toJSONSchema(schema, {
      io: 'input',
      unrepresentable: 'any',
      override: ({ zodSchema, jsonSchema }) => {
        if (zodSchema._zod.def.type === 'date') Object.assign(jsonSchema, { type: 'string', format: 'date-time' })
      },
    })
    expect(fromJsonSchema(made).fields).toEqual(
      defineSchema({ at: field.datetime(must), count: field.string(must), name: field.string() }).fields,
    )
    const component = z.toJSONSchema(schema.pick({ name: true }), { target: 'openapi-3.0', io: 'input' })
    expect(fromJsonSchema(component).fields).toEqual(defineSchema({ name: field.string() }).fields)
  })
  test('zod', () => {
    const schema = fromJsonSchema(
      z.object({
        id: z.int(),
        seller: z.string().min(1),
        arrival: z.iso.date(),
        paidAt: z.date(),
        status: z.enum(['paid', 'held']),
        kind: z.union([z.literal('a'), z.literal('b')]),
        total: z.number().nullable().optional(),
        gift: z.boolean().default(false),
        customer: z.object({ name: z.string().nullish() }).optional(),
        items: z.array(z.object({ price: z.number() })),
      }),
      { fields: { paidAt: field.datetime(must) } },
    )
    expect(schema.fields).toEqual(expected)
    const o = where(schema)
    o.in('status', ['paid'])
    o.gt('paidAt', new Date(0))
    o.equals('customer.name', 'x')
    o.some('items', (item) => item.gte('price', 1))
    // @ts-expect-error outside the enumeration
    expect(() => o.equals('kind', 'c')).toThrow(TypeError)
    // @ts-expect-error no such path
    expect(() => o.equals('sellr', 'c')).toThrow(TypeError)
  })
  test('zod: optional, nullable and nullish are not required, nor what has a default only at the input', () => {
    const text = z.string()
    const given = { optional: text.optional(), nullable: text.nullable(), nullish: text.nullish() }
    const made = {
      withDefault: text.default('a'),
      caught: text.catch('a'),
      piped: text.nullable().transform(String).pipe(text),
    }
    expect(fromJsonSchema(z.object({ ...given, ...made })).fields).toEqual(
      defineSchema({
        ...{ optional: field.string(), nullable: field.string(), nullish: field.string() },
        ...{ withDefault: field.string(must), caught: field.string(must), piped: field.string(must) },
      }).fields,
    )
  })
  test('zod: uuids, bigints, decimals and moments', () => {
    const schema = z.object({
      id: z.uuid(),
      views: z.bigint(),
      price: z.string().meta({ format: 'decimal' }),
    })
    expect(() => fromJsonSchema(schema)).toThrow(
      '\n  views: a bigint: write field.bigint() in the option fields\nName them in the options',
    )
    const made = fromJsonSchema(schema, { fields: { views: field.bigint(must) } })
    expect(made.fields).toEqual(exact)
    where(made).equals('views', 2n ** 53n + 1n)
    where(made).gt('price', '1.10')
    const ids = z.object({
      v4: z.uuidv4(),
      any: z.guid(),
      at: z.iso.datetime({ precision: 3 }),
      fine: z.iso.datetime(),
    })
    expect(fromJsonSchema(ids).fields).toEqual(
      defineSchema({
        ...{ v4: field.uuid(must), any: field.uuid(must) },
        ...{ at: field.datetime(must), fine: field.datetime(must) },
      }).fields,
    )
  })
  test('zod: the output counts', () => {
    const schema = z.object({ n: z.string().transform(Number).pipe(z.number()), d: z.coerce.date() })
    expect(() => fromJsonSchema(schema)).toThrow(`\n  d: ${aDate}\n`)
    expect(fromJsonSchema(schema, { omit: ['d'] }).fields).toEqual(defineSchema({ n: field.number(must) }).fields)
  })
  test('valibot', () => {
    const schema = v.object({
      id: v.pipe(v.number(), v.integer()),
      seller: v.string(),
      arrival: v.pipe(v.string(), v.isoDate()),
      paidAt: v.pipe(v.string(), v.isoTimestamp()),
      status: v.picklist(['paid', 'held']),
      kind: v.union([v.literal('a'), v.literal('b')]),
      total: v.optional(v.nullable(v.number())),
      gift: v.boolean(),
      customer: v.optional(v.object({ name: v.nullish(v.string()) })),
      items: v.array(v.object({ price: v.number() })),
    })
    const made = fromJsonSchema(toStandardJsonSchema(schema))
    expect(made.fields).toEqual(expected)
    where(made).some('items', (item) => item.gte('price', 1))
    // @ts-expect-error outside the enumeration
    expect(() => where(made).equals('status', 'new')).toThrow(TypeError)
    expect(() => fromJsonSchema(schema)).toThrow('pass toStandardJsonSchema(schema)')
    const ids = v.object({
      id: v.pipe(v.string(), v.uuid()),
      name: v.nullish(v.string(), 'a'),
      day: v.exactOptional(v.string()),
    })
    expect(fromJsonSchema(toStandardJsonSchema(ids)).fields).toEqual(
      defineSchema({ id: field.uuid(must), name: field.string(), day: field.string() }).fields,
    )
  })
  test('ArkType', () => {
    const schema = fromJsonSchema(
      type({
        id: 'number.integer',
        seller: 'string',
        paidAt: 'Date',
        status: "'paid' | 'held'",
        total: 'number | null',
        gift: 'boolean',
        items: type({ price: 'number' }).array(),
      }),
      { fields: { paidAt: field.datetime(must) } },
    )
    const { arrival: _, kind: __, customer: ___, ...rest } = expected
    // ArkType has alternatives in an order of its own.
    expect(schema.fields).toEqual({ ...rest, status: field.enumeration(['held', 'paid'], must) })
    where(schema).equals('status', 'held')
    const ids = type({ id: 'string.uuid', 'name?': 'string', day: 'string | null', at: 'string = "a"' })
    expect(fromJsonSchema(ids).fields).toEqual(
      defineSchema({ at: field.string(must), day: field.string(), id: field.uuid(must), name: field.string() }).fields,
    )
    // @ts-expect-error outside the enumeration
    expect(() => where(schema).equals('status', 'new')).toThrow(TypeError)
  })
  test('TypeBox', () => {
    const schema = fromJsonSchema(
      Type.Object({
        id: Type.Integer(),
        seller: Type.String(),
        arrival: Type.String({ format: 'date' }),
        paidAt: Type.String({ format: 'date-time' }),
        status: Type.Union([Type.Literal('paid'), Type.Literal('held')]),
        kind: Type.Enum(['a', 'b']),
        total: Type.Union([Type.Number(), Type.Null()]),
        gift: Type.Boolean(),
        customer: Type.Optional(Type.Object({ name: Type.Optional(Type.String()) })),
        items: Type.Array(Type.Object({ price: Type.Number() })),
      }),
    )
    expect(schema.fields).toEqual(expected)
    where(schema).gt('total', 1)
    where(schema).some('items', (item) => item.gte('price', 1))
    // @ts-expect-error outside the enumeration
    expect(() => where(schema).equals('status', 'new')).toThrow(TypeError)
  })
  test('a literal JSON Schema', () => {
    const schema = fromJsonSchema({
      type: 'object',
      $defs: { item: { properties: { arrival: { type: 'string', format: 'date' } } } },
      properties: {
        total: { type: ['number', 'null'] },
        status: { enum: ['paid', null] },
        at: { anyOf: [{ type: 'null' }, { type: 'string', format: 'date-time' }] },
        items: { type: 'array', items: { $ref: '#/$defs/item' } },
      },
    })
    const o = where(schema)
    o.equals('status', 'paid')
    o.gt('total', 1)
    o.lt('at', new Date(0))
    o.some('items', (item) => item.equals('arrival', '2024-01-01'))
    // @ts-expect-error outside the enumeration
    expect(() => o.equals('status', 'held')).toThrow(TypeError)
    // @ts-expect-error a text for a number
    expect(() => o.equals('total', '1')).toThrow(TypeError)
  })
})
