/** The parameters that are described: what they allow is read, and means what they say; what they refuse is refused. */
import { describe, expect, test } from 'vitest'
import {
  defineCollection,
  defineSchema,
  field,
  parseFilter,
  parseQuery,
  type Collection,
  type CollectionOptions,
} from '../../src/index.ts'
import { operatorNamed, operatorsFor } from '../../src/language/index.ts'
import { operation, parameters } from '../../src/tools/openapi/index.ts'
import { orders } from '../orders.ts'
import { isValid } from './values.ts'
import { collection, named, compact, flat } from './parameters.fixture.ts'

test('a collection that ignores pairs without a value says so of each parameter', () => {
  const options = { key: 'id', groups: true, count: true } as const
  const schema = defineSchema({ id: field.integer(), status: field.enumeration(['paid']) })
  const lenient = defineCollection(schema, { ...options, empty: 'ignore' })
  for (const style of ['compact', 'flat'] as const) {
    expect(parameters(lenient, { style }).filter(({ allowEmptyValue }) => allowEmptyValue !== true)).toEqual([])
    expect(parameters(defineCollection(schema, options), { style }).some((one) => 'allowEmptyValue' in one)).toBe(false)
  }
  expect(operation(lenient).description).toMatch(/ A parameter without a value has no effect\.$/)
})

test('OpenAPI describes the options of orders', () => {
  const schema = defineSchema({
    id: field.integer(),
    a: field.date(),
    b: field.date(),
    c: field.date(),
    d: field.string(),
    e: field.enumeration(['x']),
  })
  const descriptionOf = (sort: CollectionOptions['sort']) => {
    const described = parameters(defineCollection(schema, { key: 'id', sort } as CollectionOptions))
    return described.find(({ name }) => name === 'sort')!.description!.split(' Example')[0]
  }
  const plain = 'The order: paths, each once, with "-" before one for descending order.'
  expect(descriptionOf({ a: true })).toBe(plain)
  expect(descriptionOf({ a: { nulls: 'last' }, b: { nulls: 'first' }, c: { nulls: 'last' } })).toBe(
    `${plain} Rows without a value come first by b. Rows without a value come last by a, c.`,
  )
  expect(descriptionOf({ d: { ignoreCase: true, nulls: 'last' }, e: { declared: true } })).toBe(
    `${plain} Rows without a value come last by d. Texts are in lower case, then by code point, by d. Values are in the order of their list by e.`,
  )
})

describe('by hand', () => {
  test('compact: a parameter for each field, then those that the collection allows', () => {
    expect(compact().map(({ name }) => name)).toEqual([
      ...['id', 'seller', 'arrival', 'customerName', 'status', 'total', 'guests', 'paidAt', 'tags', 'customer'],
      ...['customer.name', 'customer.email', 'items', 'items.arrival', 'items.product', 'items.price'],
      ...['sort', 'limit', 'offset', 'fields', 'count', 'cursor'],
    ])
  })
  test('compact: the operators of a field are the properties of an object', () => {
    expect(named(compact(), 'status')).toEqual({
      name: 'status',
      in: 'query',
      description: 'Conditions on status: equals, notEqual, in, nin, exists. Example: `status[in]=paid,held`.',
      style: 'deepObject',
      explode: true,
      schema: {
        type: 'object',
        additionalProperties: false,
        examples: [{}],
        properties: {
          equals: {
            type: 'string',
            enum: ['paid', 'held', 'new'],
            description: 'fields equal to the value; the default',
          },
          notEqual: {
            type: 'string',
            enum: ['paid', 'held', 'new'],
            description: 'the opposite of equals: other values, and no value',
          },
          in: {
            type: 'string',
            pattern: '^(?:paid|held|new)(?:,(?:paid|held|new))*$',
            description: 'fields equal to one of the values. Separate the values with commas.',
          },
          nin: {
            type: 'string',
            pattern: '^(?:paid|held|new)(?:,(?:paid|held|new))*$',
            description:
              'the opposite of in: fields equal to none of the values, and no value. Separate the values with commas.',
          },
          exists: { type: 'boolean', description: 'true: fields that have a value; false: fields that have none' },
        },
      },
    })
  })
  test('flat: a parameter for each field and operator', () => {
    expect(
      flat()
        .map(({ name }) => name)
        .filter((name) => /^(?:status|customerName|gift|items\b(?!\.))/.test(name)),
    ).toEqual([
      ...['customerName[startsWith]', 'customerName'],
      ...['status', 'status[notEqual]', 'status[in]', 'status[nin]', 'status[exists]', 'items[exists]'],
      ...['items[atLeast]', 'items[atMost]'],
    ])
    expect(named(flat(), 'status[in]')).toEqual({
      name: 'status[in]',
      in: 'query',
      description: 'Fields equal to one of the values. Example: `status[in]=paid,held`.',
      style: 'form',
      explode: false,
      schema: {
        type: 'array',
        items: { type: 'string', enum: ['paid', 'held', 'new'] },
        minItems: 1,
        maxItems: 500,
      },
    })
    expect(named(flat(), 'guests[range]')!.schema).toMatchObject({
      items: { type: 'integer' },
      minItems: 2,
      maxItems: 2,
    })
  })
  test('the parameters that the collection allows', () => {
    for (const { name, description } of compact()) expect(description, name).toMatch(/^\w.*\.$/)
    const schemaOf = (name: string) => named(compact(), name)!.schema
    expect(schemaOf('sort')).toMatchObject({
      items: { enum: ['arrival', '-arrival', 'total', '-total', 'id', '-id'] },
      maxItems: 3,
      default: ['-arrival'],
    })
    expect(schemaOf('limit')).toEqual({ type: 'integer', minimum: 1, maximum: 50, default: 10 })
    expect(schemaOf('cursor')).toEqual({ type: 'string', pattern: '^[A-Za-z0-9_-]+$' })
    expect(schemaOf('count')).toEqual({ type: 'boolean', default: false })
    expect(schemaOf('offset')).toEqual({ type: 'integer', minimum: 0, maximum: 1000, default: 0 })
    expect(schemaOf('fields')).toMatchObject({
      items: { enum: ['status', 'customer', 'customer.name', 'customer.email'] },
      uniqueItems: true,
    })
    const bare = parameters(defineCollection(defineSchema({ id: field.integer() }), { key: 'id' }))
    expect(bare.map(({ name }) => name)).toEqual(['id', 'sort', 'limit', 'cursor'])
    expect(named(bare, 'sort')!.schema).toMatchObject({ default: ['id'], maxItems: 1 })
  })
  const wide = defineCollection(
    defineSchema({
      id: field.integer(),
      name: field.string(),
      status: field.enumeration(['paid', 'held']),
      tags: field.list(field.string()),
      items: field.list(field.object({ product: field.string() })),
    }),
    {
      ...{ key: 'id', search: ['name', 'tags'], timeZone: true, facets: ['status', 'tags'] },
      aliases: { fields: { title: 'name', label: 'tags' } },
      deprecated: { title: { since: '2024-01-01' }, items: { since: '2024-02-01' } },
    },
  )
  test('words, facets and zones', () => {
    const described = parameters(wide)
    expect(named(described, 'search')).toEqual({
      name: 'search',
      in: 'query',
      description:
        'At most 8 words, separated by spaces; a phrase in double quotes is one word. Each is in at least one of name, tags, case ignored. Example: `search=jo+%22two+words%22`.',
      schema: { type: 'string', minLength: 1 },
    })
    expect(named(described, 'timeZone')).toEqual({
      name: 'timeZone',
      in: 'query',
      description:
        'The time zone of days and of times relative to now: a name such as Europe/Berlin, or an offset such as +01:00. UTC unless given. Example: `timeZone=Europe/Berlin`.',
      schema: {
        type: 'string',
        pattern: '^(?:[A-Za-z][A-Za-z0-9_+/-]*|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])$',
        maxLength: 64,
      },
    })
    expect(named(described, 'facets')).toEqual({
      ...{ name: 'facets', in: 'query', style: 'form', explode: false },
      description:
        'The fields whose values are counted over all pages. A count leaves out the conditions on its own field. Example: `facets=status,tags`.',
      schema: {
        type: 'array',
        items: { type: 'string', enum: ['status', 'tags'] },
        ...{ minItems: 1, maxItems: 2, uniqueItems: true },
      },
    })
  })
  test('a number of entries, and forms that readers fill', () => {
    const atLeast = { type: 'integer', minimum: 0, maximum: 2147483647 }
    expect(named(parameters(wide, { style: 'flat' }), 'tags[atLeast]')).toEqual({
      name: 'tags[atLeast]',
      in: 'query',
      description: 'Lists with at least so many entries that have a value. Example: `tags[atLeast]=1`.',
      schema: atLeast,
    })
    const tagsIn = (version: '3.0' | '3.1') => named(parameters(wide, { version }), 'tags')!.schema
    expect(tagsIn('3.1').properties!.atLeast).toMatchObject(atLeast)
    expect(tagsIn('3.1').examples).toEqual([{}])
    expect(tagsIn('3.1')).not.toHaveProperty('example')
    expect(tagsIn('3.0').example).toEqual({})
    expect(tagsIn('3.0')).not.toHaveProperty('examples')
  })
  test('deprecated names: an alias, a field and its members', () => {
    const described = parameters(wide)
    expect(described.filter(({ deprecated }) => deprecated === true).map(({ name }) => name)).toEqual([
      ...['title', 'items', 'items.product'],
    ])
    expect(named(described, 'title')).toEqual({
      ...named(described, 'name'),
      ...{ name: 'title', description: 'Deprecated: use name.', deprecated: true },
    })
    expect(named(parameters(wide, { style: 'flat' }), 'title[notEqual]')!.description).toBe(
      'Deprecated: use name[notEqual].',
    )
  })
  test('lists have their items in quotes where these hold a comma', () => {
    const kinds = defineCollection(defineSchema({ kind: field.enumeration(['a', 'b,c']), name: field.string() }), {
      key: 'name',
    })
    const inCompact = parameters(kinds)
    const { kind, name } = Object.fromEntries(
      inCompact.map((parameter) => [parameter.name, parameter.schema.properties ?? {}]),
    )
    expect(kind!.in!.pattern).toBe('^(?:a|"b,c")(?:,(?:a|"b,c"))*$')
    expect(kind!.in!.description).toBe('fields equal to one of the values. Separate the values with commas.')
    const quoted =
      'Write an item that is empty or contains a comma in double quotes, with \\" for a quote and \\\\ for a backslash.'
    expect(name!.in!.description).toBe(`fields equal to one of the values. Separate the values with commas. ${quoted}`)
    const inFlat = parameters(kinds, { style: 'flat' })
    expect(named(inFlat, 'kind')!.schema).toEqual({ type: 'string', enum: ['a', 'b,c'] })
    expect(named(inFlat, 'kind[in]')!.schema.items).toEqual({ type: 'string', enum: ['a', '"b,c"'] })
    expect(named(inFlat, 'name[in]')!.schema.items).toMatchObject({ type: 'string', description: quoted })
    expect(named(inFlat, 'name')!.schema).not.toHaveProperty('description')
  })
  test('a renamed parameter has its name', () => {
    const renamed = defineCollection(orders, {
      key: 'seller',
      parameters: { limit: 'page[size]', sort: 'order by' },
    })
    const names = parameters(renamed).map(({ name }) => name)
    expect(names.slice(-3)).toEqual(['order by', 'page[size]', 'cursor'])
  })
  test('the limits of the service are in the description', () => {
    const limited = parameters(collection, { style: 'flat', limits: { list: 2, operand: 7 } })
    expect(named(limited, 'seller')!.schema.maxLength).toBe(7)
    expect(named(limited, 'arrival')!.schema).toMatchObject({ type: 'string', anyOf: [{ format: 'date' }, {}] })
    expect(named(limited, 'seller[in]')!.schema).toMatchObject({ maxItems: 2, items: { maxLength: 7 } })
    expect(named(limited, 'sort')!.schema.maxItems).toBe(2)
    const boundless = parameters(collection, { style: 'flat', limits: { list: Infinity, operand: Infinity } })
    expect(named(boundless, 'seller')!.schema).not.toHaveProperty('maxLength')
    expect(named(boundless, 'seller[in]')!.schema).not.toHaveProperty('maxItems')
  })
  test.each<[path: string, operator: string, described: readonly string[], not: readonly string[]]>([
    ['guests', 'in', ['1', '-1,0,2'], ['', '1.5', '1,', '01', 'a']],
    ['total', 'range', ['-0.5,1e21', '1,1'], ['1', '1,2,3', '1,', '.5,1']],
    [
      'arrival',
      'in',
      ['2024-02-29,2024-03-01', 'today,2024-03-01,today+1mo'],
      ['now', 'today-1h', '2024-02-30', '2024-01-31T00:00:00Z'],
    ],
    [
      'paidAt',
      'in',
      ['2024-01-31,2024-01-31T00:00:00.5+01:00', 'now,now-90m,today-2w'],
      ['now-1', 'today-1s', '2024-01-31T00:00:00', '2024'],
    ],
    ['seller', 'in', ['a', 'a,"b,c",""'], ['', 'a,', '"a', ',']],
  ])('%s[%s] is described as it is read', (path, operator, described, not) => {
    const schema = named(compact(), path)!.schema.properties![operator]!
    for (const [isRight, texts] of [
      [true, described],
      [false, not],
    ] as const) {
      for (const text of texts) {
        expect(isValid(schema, text), text).toBe(isRight)
        expect(parseFilter(collection.schema, `${path}[${operator}]=${encodeURIComponent(text)}`).ok, text).toBe(
          isRight,
        )
      }
    }
  })
  const exact = defineCollection(
    defineSchema({ id: field.uuid(), views: field.bigint(), price: field.decimal(), at: field.datetime() }),
    { key: 'id' },
  )
  const digits = (count: number) => '1234567890'.repeat(9).slice(0, count)
  test.each<[path: string, described: readonly string[], not: readonly string[]]>([
    [
      'id',
      ['f81d4fae-7dec-11d0-a765-00a0c91e6bf6', 'F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6'],
      [
        'f81d4fae7dec11d0a76500a0c91e6bf6',
        'urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6',
        '{f81d4fae-7dec-11d0-a765-00a0c91e6bf6}',
        'g81d4fae-7dec-11d0-a765-00a0c91e6bf6',
      ],
    ],
    [
      'views',
      ['0', '-0', '7', '999999999999999999', '9007199254740993', '9223372036854775807', '-9223372036854775808'],
      [
        '00',
        '1.0',
        '1e3',
        '+1',
        '9223372036854775808',
        '-9223372036854775809',
        '10000000000000000000',
        '9223372036854776000',
      ],
    ],
    [
      'price',
      ['0', '-0.0', '1.10', digits(34), `-${digits(34)}`, `${digits(20)}.12345678901234`, '0.00000000000001'],
      ['1.', '.5', '1e3', '+1', '01', digits(35), `1.${digits(34)}`, `-1.${digits(34)}`],
    ],
    [
      'at',
      ['2024-01-31T00:00:00.1+01:00', '2024-01-31T00:00:00.123456Z', '2024-01-31T00:00:00.1234Z', '2024-01-31'],
      ['2024-01-31T00:00:00.1234567Z', '2024-01-31T00:00:00.Z'],
    ],
  ])('%s is described as it is read, alone and in lists', (path, described, not) => {
    const { equals, in: list } = named(parameters(exact), path)!.schema.properties!
    const { items } = named(parameters(exact, { style: 'flat' }), `${path}[in]`)!.schema
    for (const [isRight, texts] of [
      [true, described],
      [false, not],
    ] as const) {
      for (const text of texts) {
        for (const schema of [equals!, list!, items!]) expect(isValid(schema, text), text).toBe(isRight)
        expect(isValid(list!, `${described[0]},${text}`), text).toBe(isRight)
        const pair = `${path}[in]=${encodeURIComponent(`${described[0]},${text}`)}`
        expect(parseFilter(exact.schema, `${path}=${encodeURIComponent(text)}`).ok, text).toBe(isRight)
        if (text !== described[0]) expect(parseFilter(exact.schema, pair).ok, text).toBe(isRight)
      }
    }
  })
  test('a list has items as they are read', () => {
    const texts = named(flat(), 'seller[in]')!.schema
    expect(isValid(texts, ['a', '"b,c"', '""'])).toBe(true)
    for (const wrong of [['b,c'], [''], ['"a'], []]) expect(isValid(texts, wrong)).toBe(false)
    const numbers = named(flat(), 'total[range]')!.schema
    expect(isValid(numbers, [1, 2.5])).toBe(true)
    expect(numbers.items).not.toHaveProperty('pattern')
    for (const wrong of [[1], [1, 2, 3], ['1', '2'], 1]) expect(isValid(numbers, wrong)).toBe(false)
  })
  test('sort: a path occurs once, in one direction', () => {
    const { schema } = named(compact(), 'sort')!
    expect(isValid(schema, ['-total', 'arrival', 'id'])).toBe(true)
    expect(isValid(schema, ['-total', 'total'])).toBe(false)
    expect(isValid(schema, ['total', 'total'])).toBe(false)
    expect(isValid(schema, [])).toBe(false)
  })
  test.each([
    [{ version: '2.0' }, 'options.version must be 3.0, 3.1 or 3.2'],
    [{ style: 'deep' }, 'options.style must be compact or flat'],
    [{ styl: 'flat' }, 'options.styl is unknown; did you mean style? (available: version, style, limits)'],
    [{ limits: { list: -1 } }, 'limits.list must be a whole number of at least 0, or Infinity'],
    [null, 'options must be an object'],
  ])('options %j are refused', (options, message) => {
    expect(() => parameters(collection, options as never)).toThrow(new TypeError(message))
  })
  test('a value other than a collection is refused', () => {
    expect(() => parameters({ ...collection })).toThrow(new TypeError('collection must be made by defineCollection'))
  })
})

test('the operators of a field are those that the parser takes', () => {
  const isTaken = (collection: Collection, name: string, operator: string) => {
    const result = parseQuery(collection, `${name}[${operator}]=?`)
    return result.ok || result.issues.every(({ code }) => !code.startsWith('operator_'))
  }
  for (const field of collection.schema.paths.values()) {
    const taken = [...operatorNamed.keys()].filter((operator) => isTaken(collection, field.name, operator))
    expect(
      operatorsFor(field, collection)
        .map(({ name }) => name)
        .sort(),
    ).toEqual(taken.sort())
  }
})
