/** Keys of records, which no schema declares: in parameters, in the content of a QUERY, in the schema of a tool, and in answers. */
import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, test } from 'vitest'
import { defineCollection, defineSchema, field, parseObject, parseQuery } from '../../src/index.ts'
import { operation, parameters, rowSchema, toolSchema, type SchemaObject } from '../../src/tools/openapi/index.ts'
import { documentOf, documents } from './documents.ts'
import { named } from './parameters.fixture.ts'
import { isValid, serialised } from './values.ts'

const schema = defineSchema({
  id: field.integer({ required: true }),
  attributes: field.record(field.string()),
  metrics: field.record(field.number()),
  parts: field.list(field.object({ colors: field.record(field.enumeration(['red', 'blue'])) })),
})
const collection = defineCollection(schema, {
  key: 'id',
  operators: { attributes: ['equals', 'in'] },
  aliases: { fields: { old: 'metrics' } },
  deprecated: { old: { since: '2024-01-01' } },
})
const longest = 'x'.repeat(128)

describe.each(documents)('$version, $style', (options) => {
  const all = parameters(collection, options)
  test('a document is valid', async () => {
    const { valid, errors } = await new Validator().validate({ ...documentOf(options, { Products: collection }) })
    expect([valid, errors]).toEqual([true, undefined])
  })
  test('each record has one parameter for its keys, and a deprecated alias has one', () => {
    expect(
      all.flatMap(({ name, style, explode, deprecated }) =>
        name.endsWith('.[key]') ? [[name, style, explode, deprecated]] : [],
      ),
    ).toEqual([
      ['attributes.[key]', 'form', true, undefined],
      ['metrics.[key]', 'form', true, undefined],
      ['old.[key]', 'form', true, true],
      ['parts.colors.[key]', 'form', true, undefined],
    ])
    expect(named(all, 'attributes.[key]')!.description).toBe(
      'Conditions on keys of attributes, each a parameter attributes.key or attributes.key[operator], for any key of at most 128 characters: ' +
        'equals, in. Example: `attributes.key[in]=text,words`.',
    )
  })
  test('the service reads each example of the descriptions', () => {
    const examples = all.flatMap(({ name, description }) =>
      name === 'old.[key]' || !name.endsWith('.[key]') ? [] : [/Example: `(.*)`/.exec(description)![1]!],
    )
    expect(examples).toHaveLength(3)
    for (const example of examples) expect([example, parseQuery(collection, example).ok]).toEqual([example, true])
  })
  test('the service reads each property of a described object', () => {
    const given = [
      ['attributes.[key]', { 'attributes.color': 'red', 'attributes.größe[in]': 'S,M', [`attributes.${longest}`]: '' }],
      [
        'metrics.[key]',
        {
          'metrics.cpu[gte]': 0.9,
          'metrics.cpu[range]': '1,2',
          'metrics.>[equals]': 1,
          'metrics.$where[exists]': false,
        },
      ],
      ['old.[key]', { 'old.cpu[gte]': 0.9 }],
      ['parts.colors.[key]', { 'parts.colors.front': 'red', 'parts.colors.back[all]': 'red,blue' }],
    ] as const
    for (const [name, value] of given) {
      const parameter = named(all, name)!
      expect([name, isValid(parameter.schema, value)]).toEqual([name, true])
      expect(parseQuery(collection, serialised(parameter, value).join('&')).ok).toBe(true)
    }
  })
  test('the service refuses the name of the parameter, which clients with another serialisation send', () => {
    for (const name of ['attributes.[key]', 'attributes.[key][attributes.color]'])
      expect([name, parseQuery(collection, `${encodeURIComponent(name)}=red`).ok]).toEqual([name, false])
  })
  test('the service and the description refuse a value of another type', () => {
    const { schema } = named(all, 'parts.colors.[key]')!
    expect(isValid(schema, { 'parts.colors.front': 'green' })).toBe(false)
    expect(parseQuery(collection, 'parts.colors.front=green').ok).toBe(false)
  })
  test.skipIf(options.version === '3.0')('the service and the description refuse other names', () => {
    for (const name of [
      'attributes.color[gte]',
      'attributes.color[contains]',
      'attributes.a.b',
      'attributes.',
      'attributes.a[b',
      'attributes.a\0',
      'attributes.color!',
      `attributes.${longest}x`,
      'attributesxcolor',
    ]) {
      expect([name, isValid(named(all, 'attributes.[key]')!.schema, { [name]: 'red' })]).toEqual([name, false])
      expect([name, parseQuery(collection, `${encodeURIComponent(name)}=red`).ok]).toEqual([name, false])
    }
  })
})

test('3.0, which has no patterns of names, describes the values of keys', () => {
  const { schema } = named(parameters(collection, { version: '3.0' }), 'parts.colors.[key]')!
  expect(schema).toEqual({
    type: 'object',
    additionalProperties: {
      anyOf: [
        { type: 'string', enum: ['red', 'blue'] },
        {
          type: 'string',
          pattern: '^(?:red|blue)(?:,(?:red|blue))*$',
          description: 'Separate the values with commas.',
        },
        { type: 'boolean' },
      ],
    },
    example: {},
  })
})

/** Objects by whether the schemas accept them. Those of the second list are refused by the parser, too. */
const accepted = [
  { 'attributes.color': 'red', 'metrics.cpu[gte]': 0.9 },
  { 'attributes.color[in]': ['red', 'a,b'], 'attributes.in': 'a key' },
  { [`attributes.${longest}`]: '', 'parts.colors.front[all]': ['red'] },
  { 'metrics[exists]': true, 'metrics.cpu[exists]': false },
  { 'attributes.<b': 'red', 'metrics.>[gte]': 5 },
  { [`attributes.${longest.slice(1)}>[in]`]: ['red'] },
]
const refused = [
  { 'attributes.color[gte]': 'red' },
  { 'attributes.color': 5 },
  { 'metrics.cpu': '5' },
  { 'parts.colors.front': 'green' },
  { 'attributes.a.b': 'red' },
  { 'attributes.color!': 'red' },
  { 'metrics.cpu>': 5 },
  { [`attributes.${longest}>[in]`]: ['red'] },
  { [`attributes.${longest}x`]: 'red' },
  { attributes: 'red' },
  { other: 'red' },
]
describe.each([
  ['the schema of a tool', (): SchemaObject => toolSchema(collection) as SchemaObject],
  [
    'the content of a QUERY',
    () => operation(collection, { version: '3.2', method: 'query' }).requestBody!.content['application/json']!.schema,
  ],
])('%s', (_, make) => {
  test.each(accepted)('accepts %j', (object) => {
    expect([isValid(make(), object), parseObject(collection, object).ok]).toEqual([true, true])
  })
  test.each(refused)('refuses %j', (object) => {
    expect([isValid(make(), object), parseObject(collection, object).ok]).toEqual([false, false])
  })
})

describe('the schema of a tool', () => {
  const one = defineCollection(schema, {
    key: 'id',
    operators: { id: [], metrics: ['equals', 'gte'], attributes: [], parts: [] },
  })
  test('names the keys by patterns, and the field describes them', () => {
    const { patternProperties, $defs } = toolSchema(one, { descriptions: { metrics: 'Loads from 0 to 1.' } })
    expect(patternProperties).toEqual({
      '^metrics\\.[^.\\[\\]\\x00]{0,127}[^.\\[\\]\\x00<>!~]$': {
        type: 'number',
        description: 'Loads from 0 to 1. Fields equal to the value; the default.',
      },
      '^metrics\\.[^.\\[\\]\\x00]{1,128}\\[gte\\]$': { $ref: '#/$defs/gte_number' },
    })
    expect($defs.gte_number).toMatchObject({ type: 'number' })
  })
  test('has dots before operators with the option keys', () => {
    const dotted = toolSchema(one, { keys: 'dots' }) as SchemaObject
    const objects = [{ 'metrics.cpu.gte': 0.9 }, { 'metrics.gte': 1 }]
    for (const object of objects) expect([isValid(dotted, object), parseObject(one, object).ok]).toEqual([true, true])
    expect(isValid(dotted, { 'metrics.cpu[gte]': 0.9 })).toBe(false)
  })
  test('of strict tools, which refuse patterns, has no keys; a schema without records has no patterns', () => {
    const strict = toolSchema(one, { strict: true })
    expect(strict).not.toHaveProperty('patternProperties')
    expect(strict.$defs).not.toHaveProperty('gte_number')
    const plain = defineCollection(defineSchema({ id: field.integer() }), { key: 'id' })
    expect(toolSchema(plain)).not.toHaveProperty('patternProperties')
  })
})

test.each([
  ['3.0', { type: 'number', format: 'double', nullable: true }],
  ['3.1', { type: ['number', 'null'], format: 'double' }],
  ['3.2', { type: ['number', 'null'], format: 'double' }],
] as const)('%s: a row has any keys, with values of the record or null', (version, value) => {
  const { additionalProperties, properties } = rowSchema(schema, { version }).properties!.metrics!
  expect([additionalProperties, properties]).toEqual([value, undefined])
})
