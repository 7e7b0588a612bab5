import { describe, expect, test, vi } from 'vitest'
import { defineSchema, field, parseFilter, type Fields } from '../../src/index.ts'
import { holdsLiteral, type ScalarField } from '../../src/language/index.ts'
import { literalTypes } from '../../src/tree.ts'
import { orders } from '../orders.ts'

const scalars = {
  ...{ string: field.string, uuid: field.uuid, integer: field.integer, bigint: field.bigint, number: field.number },
  ...{ decimal: field.decimal, boolean: field.boolean, date: field.date, datetime: field.datetime },
} as Record<string, (options?: { readonly required?: boolean }) => ScalarField>
const define = (fields: unknown) => () => defineSchema(fields as Fields)

describe('defineSchema', () => {
  test('knows every path, and how it gets there', () => {
    expect([...orders.paths.keys()]).toEqual([
      ...['seller', 'arrival', 'customerName', 'status', 'total', 'guests', 'paidAt', 'gift', 'tags'],
      ...['customer', 'customer.name', 'customer.email', 'items', 'items.arrival', 'items.product', 'items.price'],
    ])
    for (const [name, lists, path, type] of [
      ['customer.name', [], ['customer', 'name'], 'string'],
      ['items.price', [['items']], ['price'], 'number'],
      ['tags', [['tags']], [], 'string'],
      ['items', [['items']], [], 'object'],
    ] as const) {
      expect(orders.paths.get(name)).toStrictEqual({ name, lists, path, type, literal: type })
    }
    expect(orders.paths.get('status')).toStrictEqual({
      name: 'status',
      lists: [],
      path: ['status'],
      type: 'enumeration',
      literal: 'string',
      values: ['paid', 'held', 'new'],
    })
  })

  test('is frozen, and does not follow changes of its definitions', () => {
    const fields: Record<string, ReturnType<typeof field.string>> = { a: field.string() }
    const schema = defineSchema(fields)
    fields.b = field.string()
    expect(Object.keys(schema.fields)).toEqual(['a'])
    expect([schema, schema.fields, schema.fields.a, schema.paths.get('a')].every(Object.isFrozen)).toBe(true)
    const values = ['x', 'y']
    const kind = field.enumeration(values)
    values.push('z')
    expect(kind.values).toEqual(['x', 'y'])
  })

  test.each([
    [{ '': field.string() }, /^the field name "" must be a non-empty string$/],
    [{ 'a.b': field.string() }, /^the field name "a\.b" must not contain/],
    [{ 'a[0]': field.string() }, /^the field name "a\[0\]" must not contain/],
    [{ 'a]': field.string() }, /^the field name "a\]" must not contain/],
    [{ 'a\0': field.string() }, /U\+0000/],
    [{ '\udc00': field.string() }, /lone surrogate/],
    [{ $where: field.string() }, /^the field name "\$where" must not begin with '\$'/],
    [{ ['__proto__']: field.string() }, /^the field name "__proto__" must not be __proto__$/],
    // This one sets the prototype: without a check the field would be lost.
    [{ __proto__: field.string(), a: field.string() }, /^fields must be a plain object$/],
    [[field.string()], /^fields must be a plain object$/],
    [undefined, /^fields must be a plain object$/],
    [null, /^fields must be a plain object$/],
    ['abc', /^fields must be a plain object$/],
    [new Map(), /^fields must be a plain object$/],
    [{ a: undefined }, /^fields\.a must be made with field/],
    [{ a: null }, /^fields\.a must be made with field/],
    [{ a: 'string' }, /^fields\.a must be made with field/],
    [{ a: { type: 'text' } }, /^fields\.a must be made with field/],
    [{ a: field.string }, /^fields\.a must be made with field/],
  ])('refuses %j', (fields, message) => {
    expect(define(fields)).toThrow(TypeError)
    expect(define(fields)).toThrow(message)
    expect(() => field.object(fields as Fields)).toThrow(message)
  })

  test('refuses the options that field.* refuse', () => {
    const call =
      (make: (...args: never[]) => unknown, ...args: unknown[]) =>
      () =>
        make(...(args as never[]))
    expect(call(field.list, field.list(field.string()))).toThrow(/^entry must be a scalar or an object/)
    expect(call(field.list, undefined)).toThrow(/^entry must be made with/)
    expect(call(field.enumeration, [])).toThrow(/at least one string/)
    expect(call(field.enumeration, 'paid')).toThrow(/at least one string/)
    expect(call(field.enumeration, ['a', 1])).toThrow(/must be text/)
    expect(call(field.enumeration, ['a\0'])).toThrow(/must be text/)
    expect(call(field.enumeration, ['a', 'b', 'a'])).toThrow(/must not repeat a$/)
    expect(call(field.enumeration, [''])).not.toThrow()

    // What a field promises.
    const required = { required: true }
    const unknown = 'options.requierd is unknown; did you mean required? (available: required)'
    for (const make of Object.values(scalars)) {
      for (const wrong of [1, 'yes', null])
        expect(call(make, { required: wrong })).toThrow(new TypeError('options.required must be a boolean'))
    }
    expect(call(field.string, { requierd: true })).toThrow(new TypeError(unknown))
    expect(call(field.enumeration, ['a'], { requierd: true })).toThrow(new TypeError(unknown))
    expect(call(field.object, {}, { required: 1 })).toThrow(new TypeError('options.required must be a boolean'))
    expect(call(field.date, { digits: 3 })).toThrow(new TypeError('options.digits is unknown (available: required)'))
    for (const digits of [6, 0, '3', null])
      expect(call(field.datetime, { digits })).toThrow(new TypeError('options.digits must be 3, or absent'))
    expect(call(field.datetime, { digit: 3 })).toThrow(/did you mean digits\? \(available: required, digits\)$/)
    for (const entry of [field.uuid(required), field.object({}, required), field.enumeration(['a'], required)])
      expect(call(field.list, entry)).toThrow(new TypeError('entry must be a scalar or an object and not required'))
    expect(call(field.list, field.string({ required: false }))).not.toThrow()
  })

  test('refuses nesting that filters could not follow', () => {
    const nested = (levels: number) => {
      let inner: Fields = { x: field.string() }
      for (let level = 1; level < levels; level++) inner = { x: field.list(field.object(inner)) }
      return inner
    }
    expect(define(nested(32))).not.toThrow()
    expect(define(nested(33))).toThrow(`the field ${'x.'.repeat(32)}x nests deeper than 32 levels`)
  })

  test('takes fields without a prototype', () => {
    const fields = Object.assign(Object.create(null) as Fields, { toString: field.string() })
    expect([...defineSchema(fields).paths.keys()]).toEqual(['toString'])
  })

  test('takes names that are only odd', () => {
    const names = ['a b', 'é', '1', 'constructor', 'toString', 'a=b&c', '%41', '?', 'x'.repeat(100), "it's", '"']
    const schema = defineSchema(Object.fromEntries(names.map((name) => [name, field.string()])))
    expect([...schema.paths.keys()].sort()).toEqual([...names].sort())
  })
})

describe('required', () => {
  const required = { required: true } as const
  test.each(Object.entries(scalars))('%s is, where its definition says so', (type, make) => {
    expect(make(required)).toStrictEqual({ type, required: true })
    // What says nothing is as before.
    for (const options of [undefined, {}, { required: false }, { required: undefined }])
      expect(make(options as object)).toStrictEqual({ type })
    const { paths } = defineSchema({ a: make(required), b: make(), c: make({ required: false }) })
    const resolved = { lists: [], type, literal: type }
    expect(paths.get('a')).toStrictEqual({ name: 'a', path: ['a'], ...resolved, required: true })
    expect(paths.get('b')).toStrictEqual({ name: 'b', path: ['b'], ...resolved })
    expect(paths.get('c')).toStrictEqual({ name: 'c', path: ['c'], ...resolved })
    expect([make(required), make()].every(Object.isFrozen)).toBe(true)
  })

  test('a path is, where all on it are; in a list, from the entry', () => {
    const leaf = { yes: field.string(required), no: field.string() }
    const { paths } = defineSchema({
      always: field.object({ ...leaf, deep: field.object(leaf, required), loose: field.object(leaf) }, required),
      sometimes: field.object({ ...leaf, deep: field.object(leaf, required) }),
      kind: field.enumeration(['a'], required),
      texts: field.list(field.string()),
      entries: field.list(
        field.object({
          ...leaf,
          deep: field.object({ ...leaf, inner: field.list(field.object(leaf)) }, required),
          loose: field.object(leaf),
        }),
      ),
    })
    expect(Array.from(paths.values()).flatMap((one) => (one.required === true ? [one.name] : []))).toEqual([
      ...['always', 'always.yes', 'always.deep', 'always.deep.yes', 'kind'],
      ...['entries.yes', 'entries.deep', 'entries.deep.yes', 'entries.deep.inner.yes'],
    ])
  })

  test('a datetime has digits where its definition says so', () => {
    expect(field.datetime({ digits: 3 })).toStrictEqual({ type: 'datetime', digits: 3 })
    expect(field.datetime({ digits: 3, required: true })).toStrictEqual({ type: 'datetime', required: true, digits: 3 })
    const { paths } = defineSchema({ a: field.list(field.datetime({ digits: 3 })), b: field.datetime({}) })
    expect(paths.get('a')).toMatchObject({ literal: 'datetime', digits: 3 })
    expect(paths.get('b')).not.toHaveProperty('digits')
  })

  test('an option that is inherited is none', () => {
    expect(field.string(Object.create({ required: true }) as object)).toStrictEqual({ type: 'string' })
    expect(field.datetime(Object.create({ digits: 3 }) as object)).toStrictEqual({ type: 'datetime' })
  })
})

describe('a field holds literals of its type', () => {
  test.each<[definition: Parameters<typeof holdsLiteral>[0], types: readonly string[]]>([
    [field.string(), ['string']],
    [field.enumeration(['a']), ['string']],
    // One type: 1 is 1.0.
    [field.integer(), ['integer', 'number']],
    [field.number(), ['integer', 'number']],
    // Exact types are types of their own: their literals are texts.
    [field.uuid(), ['uuid']],
    [field.bigint({ required: true }), ['bigint']],
    [field.decimal(), ['decimal']],
    [field.boolean(), ['boolean']],
    [field.date(), ['date']],
    [field.datetime(), ['datetime']],
    [field.time(), ['time']],
    [field.object({}), ['object']],
    [field.list(field.string()), []],
  ])('%j', (definition, types) => {
    const all = [...literalTypes, 'object'] as const
    expect(all.filter((type) => holdsLiteral(definition, type))).toEqual(types)
  })
})

test('a second copy of the library, such as that of the other format, makes schemas that the first one takes', async () => {
  vi.resetModules()
  const copy = await import('../../src/language/index.ts')
  const of = copy.field
  const schema = copy.defineSchema({
    text: of.string(),
    whole: of.integer(),
    real: of.number(),
    flag: of.boolean(),
    day: of.date(),
    moment: of.datetime(),
    key: of.uuid(),
    big: of.bigint(),
    exact: of.decimal(),
    kind: of.enumeration(['x']),
    list: of.list(of.object({ inner: of.string() })),
  })
  expect(Array.from(schema.paths.values(), ({ name, type, literal }) => `${name}: ${type}, ${literal}`)).toEqual([
    'text: string, string',
    'whole: integer, integer',
    'real: number, number',
    'flag: boolean, boolean',
    'day: date, date',
    'moment: datetime, datetime',
    'key: uuid, uuid',
    'big: bigint, bigint',
    'exact: decimal, decimal',
    'kind: enumeration, string',
    'list: object, object',
    'list.inner: string, string',
  ])
  expect(parseFilter(schema, 'whole=1')).toMatchObject({ filter: { path: ['whole'] } })
  expect(copy.holdsLiteral(of.integer(), 'number') && copy.holdsLiteral(of.number(), 'integer')).toBe(true)
})
