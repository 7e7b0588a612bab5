/** Compares `parseObject` with `parseQuery`, and the schema of a tool with both. */
import { describe, expect, test } from 'vitest'
import { orderCollection, orderOptions, orders } from '../../docs/demo/data.ts'
import { defineCollection, defineSchema, field, narrow, parseObject, parseQuery } from '../../src/index.ts'
import type { Collection, Issue, ObjectOptions, Query } from '../../src/index.ts'
import { toolSchema } from '../../src/tools/openapi/index.ts'
import { issuesIn } from '../issues.ts'

/** Removes spans from a query. */
const plain = (query: Query): unknown =>
  JSON.parse(JSON.stringify(query), (name, value: unknown) => (name === 'span' ? undefined : value))

describe('values of another JSON type are refused', () => {
  const every = defineCollection(
    defineSchema({
      ...{ string: field.string(), enumeration: field.enumeration(['a', 'b']), uuid: field.uuid() },
      ...{ integer: field.integer(), number: field.number(), bigint: field.bigint(), decimal: field.decimal() },
      ...{ boolean: field.boolean(), date: field.date(), datetime: field.datetime() },
    }),
    { key: 'integer' },
  )
  const id = '0190a5d2-0000-7000-8000-000000000000'
  const values = [
    'x',
    'a',
    id,
    '5',
    '2024-01-31',
    '2024-01-31T00:00:00Z',
    5,
    5.5,
    2 ** 53,
    1e21,
    123456789.1234567,
    true,
  ]
  /** The indexes of the values that each type accepts. */
  const taken: Readonly<Record<string, readonly number[]>> = {
    ...{ string: [0, 1, 2, 3, 4, 5], enumeration: [1], uuid: [2], boolean: [11], date: [4], datetime: [4, 5] },
    // Integers within ±(2^53 − 1): 5.5, 2^53 and 1e21 are outside.
    ...{ integer: [6], number: [6, 7, 8, 9, 10] },
    // JSON numbers lose digits beyond 2^53 − 1 (bigint) and beyond 15 digits (decimal: 2^53 and 123456789.1234567 have 16).
    ...{ bigint: [3, 6], decimal: [3, 6, 7] },
  }
  test.each(Object.keys(taken))('%s', (type) => {
    for (const [at, value] of values.entries()) {
      expect([value, parseObject(every, { [type]: value }).ok]).toEqual([value, taken[type]!.includes(at)])
      if (type === 'boolean') continue
      expect([value, parseObject(every, { [`${type}[in]`]: [value] }).ok]).toEqual([value, taken[type]!.includes(at)])
      expect(parseObject(every, { [type]: [value] }).ok).toBe(false)
      expect(parseObject(every, { [`${type}[in]`]: value }).ok).toBe(false)
    }
  })
  test('a boolean in quotes is refused', () => {
    for (const object of [{ boolean: 'true' }, { 'boolean[exists]': 'true' }])
      expect(parseObject(every, object).ok).toBe(false)
  })
  test('an inexact number is refused, and a text keeps every digit', () => {
    // It has 15 digits.
    expect(parseObject(every, { decimal: 123456789.123456 }).ok).toBe(true)
    expect(parseObject(every, JSON.parse('{"bigint":9007199254740993}') as object).ok).toBe(false)
    const result = parseObject(every, { bigint: '9007199254740993', decimal: '12345678901234567.89' })
    expect(result.ok && JSON.stringify(result.query.filter)).toMatch(/"9007199254740993".*"12345678901234567\.89"/)
  })
})

/** Returns the issues without `parameters` and `fault`. */
const told = (collection: Collection, object: object, options?: ObjectOptions) =>
  issuesIn(parseObject(collection, object, options)).map(({ parameters: _, fault: __, ...issue }: Issue) => issue)

describe('issues', () => {
  test('contain the member, the item of an array and the span in a group', () => {
    expect(
      told(orderCollection, { 'status[in]': ['paid', 'hedl'], or: '(total[gte]=5,arival=2024-01-01)', limit: 1000 }),
    ).toEqual([
      {
        code: 'operand_invalid',
        message: 'invalid value for status: expected one of paid, held, new',
        member: 'status[in]',
        item: 1,
        hint: 'did you mean held?',
        path: 'status',
        operator: 'in',
      },
      {
        code: 'field_unknown',
        message: 'unknown field "arival"',
        member: 'or',
        span: { start: 14, end: 20 },
        hint: 'did you mean arrival?',
      },
      {
        code: 'parameter_invalid',
        message: 'invalid value for limit: expected a whole number from 1 to 200',
        member: 'limit',
        hint: 'for the largest page, write "limit": 200',
      },
    ])
  })
  test('have a span only in a group or a search', () => {
    const [group, search] = told(orderCollection, { or: '(customerName="50%, & more",total[gte]=x)', search: 'a+b "c' })
    const or = '(customerName="50%, & more",total[gte]=x)'
    expect(or.slice(group!.span!.start, group!.span!.end)).toBe('x')
    expect('a+b "c'.slice(search!.span!.start, search!.span!.end)).toBe('"c')
    for (const issue of told(orderCollection, { totl: 5, 'total[gte]': 'x', sort: ['x'], customerName: 'a\0' }))
      expect(issue).not.toHaveProperty('span')
  })
  test('have hints that show members of an object', () => {
    const hints = (object: object) => told(orderCollection, object).map(({ hint }) => hint)
    expect(hints({ status: null })).toEqual(['for rows without a value, write "status[exists]": false'])
    expect(hints({ 'total[gte]': 5, 'total.gte': 6 })).toEqual([
      'to match values between two bounds, write "total[range]": […, …]',
    ])
    expect(hints({ 'filter[status]': 'paid' }).join()).not.toContain('=')
    expect(hints({ 'paidAt[gte]': '2024-01-01T00:00:00 02:00' })).toEqual([undefined])
    expect(hints({ 'arrival[gte]': '' })).toEqual(['leave it out if it has no value'])
  })
  test('of an empty value or a value of another type', () => {
    for (const value of [null, undefined, {}, [], Symbol('x'), () => 1, new Date(0), 5n]) {
      for (const name of [
        'status',
        'total[gte]',
        'status[in]',
        'sort',
        'limit',
        'or',
        'search',
        'cursor',
        'count',
        'nope',
      ])
        expect([name, told(orderCollection, { [name]: value }).map(({ member }) => member)]).toEqual([name, [name]])
    }
  })
  test('never contain the secret of a reserved name', () => {
    const result = parseObject(orderCollection, { 'sellerapiKey=secret': 1, apiKey: 'mine' }, { reserved: ['apiKey'] })
    expect(JSON.stringify(result)).not.toContain('secret')
    expect(result.reserved).toEqual(new Map([['apiKey', ['mine']]]))
    expect(told(orderCollection, { apiKey: 5 }, { reserved: ['apiKey'] })).toEqual([
      { code: 'parameter_invalid', message: 'invalid value for apiKey: expected a text', member: 'apiKey' },
    ])
    expect(told(orderCollection, { ['x'.repeat(1000)]: 5 })[0]!.member).toHaveLength(257)
  })
})

describe('the parameters of an issue', () => {
  const detailsOf = (object: object, collection: Collection = orderCollection) =>
    issuesIn(parseObject(collection, object)).map(({ member, item, span, parameters }) => ({
      member,
      item,
      span,
      parameters,
    }))
  const [two, list] = ['an array of two values, [low, high]', 'an array of at least one value']
  const [text, number, flag] = ['a text', 'a number, without quotes', 'true or false, without quotes']
  const whole = 'a whole number, without quotes'
  const status = { kind: 'values', values: { names: ['paid', 'held', 'new'], isCut: false } }
  test.each<[object: object, subject: string, expected: object, item?: number]>([
    [{ 'status[in]': [] }, 'status[in]', { type: 'enumeration', description: list }],
    [{ 'status[in]': 'paid' }, 'status[in]', { type: 'enumeration', description: list }],
    ...[[], [1], [1, 2, 3], 1].map((value): [object, string, object] => [
      { 'total[range]': value },
      'total[range]',
      { type: 'number', description: two },
    ]),
    [{ 'total[in]': ['5'] }, 'total[in]', { type: 'number', description: number }, 0],
    [{ 'total[in]': ['5', 5] }, 'total[in]', { type: 'number', description: number }, 0],
    [{ 'total[in]': [5, '5', 5] }, 'total[in]', { type: 'number', description: number }, 1],
    [{ 'total[range]': [5, '5'] }, 'total[range]', { type: 'number', description: number }, 1],
    [{ 'status[in]': ['paid', 5] }, 'status[in]', status, 1],
    [{ status: 5 }, 'status', status],
    [{ 'status[exists]': 5 }, 'status[exists]', { type: 'flag', description: flag }],
    [{ 'total[gte]': '5' }, 'total', { type: 'number', description: number }],
    [{ 'seller[contains]': 5 }, 'seller[contains]', { type: 'text', description: text }],
    [{ 'tags[atLeast]': '5' }, 'tags[atLeast]', { type: 'count', description: whole }],
  ])('%j: a condition', (object, subject, expected, item) => {
    expect(detailsOf(object)).toEqual([
      {
        ...{ member: Object.keys(object)[0], item, span: undefined },
        parameters: { subject, expected: { kind: 'type', ...expected }, advice: [] },
      },
    ])
  })
  test.each<[object: object, description: string]>([
    [{ limit: '5' }, whole],
    [{ sort: [] }, 'an array of at least one path'],
    [{ sort: ['total', 5] }, 'an array of at least one path'],
    [{ fields: 'id' }, 'an array of at least one path'],
    [{ count: 'true' }, flag],
    [{ cursor: 5 }, 'a text, the cursor of a page'],
    [{ search: ['jo'] }, 'a text, words separated by spaces'],
    [{ timeZone: 1 }, 'a text, a time zone such as Europe/Berlin or +01:00'],
    [{ not: {} }, 'a text, a group in parentheses'],
  ])('%j: a parameter', (object, description) => {
    const member = Object.keys(object)[0]
    expect(detailsOf(object)).toEqual([
      {
        ...{ member, item: undefined, span: undefined },
        parameters: { parameter: member, expected: { kind: 'form', description }, advice: [] },
      },
    ])
  })
  test('of null have the condition that means it, where the collection allows it', () => {
    const absent = { kind: 'write', reason: 'absent', isExample: false, replaces: null, operands: [] }
    expect(detailsOf({ 'status[in]': null })[0]!.parameters).toMatchObject({
      advice: [{ ...absent, text: '"status[exists]": false' }],
    })
    const narrowed = narrow(orderCollection, { operators: { status: ['equals'] } })
    expect(detailsOf({ status: null }, narrowed)[0]!.parameters).toMatchObject({ advice: [] })
  })
  test('of an example have no operands', () => {
    expect(detailsOf({ guests_gte: 5 })[0]!.parameters).toMatchObject({
      advice: [{ kind: 'write', text: '"guests[gte]": …', isExample: true, replaces: null, operands: [] }],
    })
  })
  test('an issue has a span in a group and a search alone, and no item where it is about all items', () => {
    const spansOf = (object: object) => detailsOf(object).map(({ span }) => span)
    for (const word of ['and', 'or', 'not']) expect(spansOf({ [word]: '(nope=1)' })).toEqual([{ start: 1, end: 5 }])
    expect(spansOf({ cursor: 'x' })).toEqual([undefined])
    // The issue is about the whole member.
    const [beyond] = told(orderCollection, { total: 1, search: 'a b' }, { limits: { pairs: 1 } })
    expect(beyond).toEqual({ code: 'limit_pairs', member: 'search', message: 'too many pairs: limit 1' })
    expect(told(orderCollection, { 'id[in]': [1, 2, 3] }, { limits: { list: 2 } })[0]).toHaveProperty('item', 2)
    expect(told(orderCollection, { 'id[in]': [1, 2, 3] }, { limits: { list: 0 } })[0]).not.toHaveProperty('item')
  })
  test.each<[object: object, hint: string | undefined]>([
    [{ 'or[gte]': 5 }, 'write "or": "(…)"'],
    [{ 'total%5Bgte%5D': 5 }, 'did you mean total[gte]?'],
    [{ orderBy: 'total' }, 'write "sort": ["total"]'],
    [{ skip: 5 }, 'write "offset": …'],
    [{ withCount: true }, 'write "count": true'],
    [{ page: 2 }, 'for the second page, write "limit": 20, "offset": 20'],
    [{ 'tags.length': 3 }, 'write "tags[atLeast]": …, "tags[atMost]": …'],
    [{ gift_eq: true }, 'write "gift": true'],
    [{ seller_gte: 'x' }, 'write "seller[gte]": "…"'],
    // In a group, the plus sign of an offset is escaped.
    [{ or: '(paidAt=2024-01-01T00:00:00 02:00)' }, '"+" means a space in a query string: write a plus sign as %2B'],
  ])('the hint of %j', (object, hint) => {
    const paged = defineCollection(orders, { ...orderOptions, offset: { max: 100 } })
    expect(told(paged, object).map((issue) => issue.hint)).toEqual([hint])
  })
})

describe('parseObject', () => {
  test('has the facets of the query string', () => {
    const object = parseObject(orderCollection, { status: 'paid', seller: 'x', facets: ['status', 'tags'] })
    const asked = parseQuery(orderCollection, 'status=paid&seller=x&facets=status,tags')
    expect(object.ok && object.query.facets).toEqual(asked.ok && (plain(asked.query) as Query).facets)
    expect(object.ok && Object.isFrozen(object.query.facets![0])).toBe(true)
  })
  test('reads days in the zone of its options', () => {
    const result = parseObject(orderCollection, { 'paidAt[gte]': '2024-01-01' }, { timeZone: 'Asia/Tokyo' })
    expect(result.ok && result.query.filter).toMatchObject({ operand: { value: '2023-12-31T15:00:00.000Z' } })
  })
  test('reads no value but scalars and lists of scalars, and no operator of a name without a dot', () => {
    const bare = Object.create(null) as object
    expect(told(orderCollection, { nope: bare, 'total[in]': [bare] }).map(({ code }) => code)).toEqual([
      'field_unknown',
      'operand_invalid',
    ])
    const short = defineCollection(defineSchema({ id: field.integer(), i: field.integer() }), { key: 'id' })
    expect(told(short, { in: [5] }).map(({ code }) => code)).toEqual(['field_unknown'])
  })
  test('leaves a reserved name with a dot as it is', () => {
    const { reserved, ok } = parseObject(orderCollection, { 'total.gte': 'x' }, { reserved: ['total.gte'] })
    expect([ok, reserved]).toEqual([true, new Map([['total.gte', ['x']]])])
  })
  test('ignores inherited members', () => {
    const inherited = Object.assign(Object.create({ nope: 1 }) as object, { status: 'paid' })
    expect(parseObject(orderCollection, inherited)).toEqual(parseObject(orderCollection, { status: 'paid' }))
    const polluted = JSON.parse('{"__proto__":{"status":"paid"}}') as object
    expect(told(orderCollection, polluted).map(({ code, member }) => [code, member])).toEqual([
      ['field_unknown', '__proto__'],
    ])
  })
  test('applies the limits of texts', () => {
    const codes = (object: object, limits: object) =>
      told(orderCollection, object, { limits }).map(({ code, member }) => [code, member])
    const ids = { 'id[in]': [1, 2, 3] }
    expect(codes({ total: 1, ...ids }, { list: 2 })).toEqual([['limit_list', 'id[in]']])
    expect(codes({ total: 1, gift: true, status: 'paid' }, { pairs: 2 })).toEqual([['limit_pairs', 'status']])
    // A limit that ends the reading is the only issue: `total` has another one, and counts.
    expect(codes({ total: 'x', gift: true, status: 'paid', seller: 'a' }, { pairs: 2 })).toEqual([
      ['limit_pairs', 'status'],
    ])
    expect(codes({ or: '(total=1,total=2,gift=true)' }, { pairs: 2 })).toEqual([['limit_pairs', 'or']])
    expect(codes({ seller: 'abcd' }, { operand: 3 })).toEqual([['limit_operand', 'seller']])
    // total=1&seller=abcd has 19 characters.
    expect(codes({ total: 1, seller: 'abcd' }, { length: 18 })).toEqual([['limit_length', 'seller']])
    expect(codes({ total: 1, seller: 'abcd' }, { length: 19 })).toEqual([])
    expect(codes({ 'tags[contains]': 'a', 'seller[contains]': 'b' }, { searches: 1 })).toEqual([
      ['limit_searches', 'seller[contains]'],
    ])
    expect(codes({ a: 1, b: 1, c: 1 }, { issues: 2 })).toEqual([
      ['field_unknown', 'a'],
      ['limit_issues', 'b'],
    ])
  })
  test('refuses hidden fields as unknown', () => {
    const schema = defineSchema({ id: field.integer(), tenant: field.string(), name: field.string() })
    const collection = defineCollection(schema, {
      key: 'id',
      hidden: ['tenant'],
      sort: true,
      fields: true,
      groups: true,
    })
    for (const object of [
      { tenant: 'x' },
      { 'tenant.in': ['x'] },
      { sort: ['tenant'] },
      { fields: ['tenant'] },
      { or: '(tenant=x)' },
    ])
      expect(told(collection, object).map(({ code }) => code)).toEqual(['field_unknown'])
    expect(JSON.stringify(toolSchema(collection))).not.toContain('tenant')
  })
  test('reports deprecated names and aliases as in texts', () => {
    const schema = defineSchema({ id: field.integer(), customerName: field.string() })
    const collection = defineCollection(schema, {
      key: 'id',
      aliases: { fields: { customer_name: 'customerName' }, operators: { eq: 'equals' } },
      deprecated: { customer_name: { since: '2024-01-01' } },
    })
    const result = parseObject(collection, { 'customer_name.eq': 'Jo' })
    expect(result.deprecated).toEqual([expect.objectContaining({ name: 'customer_name', member: 'customer_name.eq' })])
    expect(Object.keys(toolSchema(collection).properties).join()).not.toContain('customer_name')
  })
  test('prefers a field to an operator after a dot', () => {
    const schema = defineSchema({ id: field.integer(), items: field.list(field.object({ exists: field.string() })) })
    const collection = defineCollection(schema, { key: 'id' })
    const result = parseObject(collection, { 'items.exists': 'yes' })
    expect(result.ok && result.query.filter).toMatchObject({
      kind: 'some',
      filter: { kind: 'comparison', path: ['exists'] },
    })
    const names = Object.keys(toolSchema(collection, { keys: 'dots' }).properties)
    expect(names.filter((name) => name === 'items.exists')).toHaveLength(1)
  })
  test('ignores members with null if the option strict is true', () => {
    expect(told(orderCollection, { status: null, limit: null }, { strict: true })).toEqual([])
    expect(parseObject(orderCollection, { status: null, total: 5 }, { strict: true })).toEqual(
      parseObject(orderCollection, { total: 5 }),
    )
    expect(told(orderCollection, { status: null, nope: null }).map(({ code }) => code)).toEqual([
      'operand_invalid',
      'field_unknown',
    ])
  })
  test('throws a TypeError for wrong arguments', () => {
    // These objects have no own members: as empty objects they would select every row.
    const elsewhere = [
      new Map([['status', 'paid']]),
      new URLSearchParams('status=paid'),
      Promise.resolve({ status: 'paid' }),
      new FormData(),
      new Date(),
      Object.create({ status: 'paid' }) as object,
    ]
    for (const object of [null, undefined, 'x', [], 5, ...elsewhere])
      expect(() => parseObject(orderCollection, object as never)).toThrow(
        new TypeError('object must be an object of members: { "path[operator]": value }'),
      )
    expect(() => parseObject({} as never, {})).toThrow('collection must be made by defineCollection')
    expect(() => parseObject(orderCollection, {}, { strict: 1 as never })).toThrow('options.strict must be a boolean')
    expect(() => parseObject(orderCollection, {}, { strikt: true } as never)).toThrow('options.strikt is unknown')
    expect(() => parseObject(orderCollection, {}, { reserved: ['limit'] })).toThrow('reserved has limit')
    expect(() => toolSchema(orderCollection, { keys: 'dot' as never })).toThrow('options.keys must be brackets or dots')
    expect(() => toolSchema(orderCollection, { descriptions: { totl: 'x' } })).toThrow('did you mean total?')
    expect(() => toolSchema(orderCollection, { descriptions: { total: 5 as never } })).toThrow(
      "options.descriptions['total'] must be a text",
    )
    const brackets = defineCollection(defineSchema({ id: field.integer() }), {
      key: 'id',
      parameters: { limit: 'page[size]' },
    })
    expect(() => toolSchema(brackets, { keys: 'dots' })).toThrow('the member page[size]')
  })
})

describe('the schema', () => {
  test('with dots has only names that Anthropic accepts', () => {
    for (const name of Object.keys(toolSchema(orderCollection, { keys: 'dots' }).properties))
      expect(name).toMatch(/^[a-zA-Z0-9_.-]{1,64}$/)
  })
  test('with strict has the form of OpenAI for strict tools', () => {
    const { properties, required, $defs } = toolSchema(orderCollection, { strict: true })
    expect(required).toEqual(Object.keys(properties))
    const keywords = new Set<string>()
    const visit = (schema: object): void => {
      for (const [keyword, value] of Object.entries(schema)) {
        keywords.add(keyword)
        if (keyword === '$ref') expect(Object.keys(schema)).toEqual(['$ref'])
        if (keyword === 'items') visit(value as object)
        if (keyword === 'anyOf') for (const one of value as object[]) visit(one)
      }
    }
    for (const schema of [...Object.values(properties), ...Object.values($defs)]) visit(schema)
    expect([...keywords].sort()).toEqual(['$ref', 'anyOf', 'description', 'enum', 'items', 'type'])
  })
  test('describes fields, operators and values', () => {
    const { properties, $defs } = toolSchema(orderCollection, { descriptions: { total: 'The price in euros.' } })
    expect(properties['total']).toEqual({
      type: 'number',
      description: 'The price in euros. Fields equal to the value; the default.',
    })
    expect(properties['total[gte]']).toEqual({ $ref: '#/$defs/gte_number' })
    expect($defs['gte_number']!.description).toMatch(/^Fields /)
    expect($defs['values_status']).toEqual({ type: 'string', enum: ['paid', 'held', 'new'] })
    expect($defs['range_date']).toMatchObject({ type: 'array', minItems: 2, maxItems: 2, items: { type: 'string' } })
  })
  test('is shorter than 25,600 bytes of JSON', () => {
    const size = (options?: Parameters<typeof toolSchema>[1]) =>
      JSON.stringify(toolSchema(orderCollection, options)).length
    expect([size(), size({ keys: 'dots' }), size({ strict: true })].every((one) => one < 25_600)).toBe(true)
  })
})
