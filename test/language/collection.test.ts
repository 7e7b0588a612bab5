/** Valid and invalid collections. */
import { describe, expect, test, vi } from 'vitest'
import { buildQuery, defineSchema, field, parseQueryOrThrow, type ScalarField } from '../../src/index.ts'
import { checkCollection, defineCollection, type CollectionOptions } from '../../src/language/collection.ts'

const schema = defineSchema({
  id: field.integer(),
  name: field.string(),
  limit: field.integer(),
  day: field.date(),
  customer: field.object({ name: field.string(), address: field.object({ city: field.string() }) }),
  items: field.list(field.object({ price: field.number() })),
})
/** `limit` is a field, so the parameter is called otherwise. */
const parameters = { limit: 'page[size]' }
const of = (options: object) => defineCollection(schema, { key: 'id', parameters, ...options } as CollectionOptions)

describe('defaults', () => {
  const collection = of({})
  test('the key is all that callers may sort by', () => {
    expect([...collection.sortable.keys()]).toEqual(['id'])
    expect(collection.key.map(({ name }) => name)).toEqual(['id'])
    expect(collection.defaultSort).toEqual([])
  })
  test('pages have 20 rows, and 100 at most', () => expect(collection.limit).toEqual({ default: 20, max: 100 }))
  test('offset, fields, count and groups are off', () => {
    expect(collection).toMatchObject({ maxOffset: undefined, selectable: undefined })
    expect([...collection.parameters]).toEqual([
      ['sort', 'sort'],
      ['limit', 'page[size]'],
      ['cursor', 'cursor'],
    ])
  })
})

test('sort: true is every field that has an order', () => {
  expect([...of({ sort: true }).sortable.keys()]).toEqual([
    ...['id', 'name', 'limit', 'day', 'customer.name', 'customer.address.city'],
  ])
})
test.each(['string', 'uuid', 'integer', 'bigint', 'number', 'decimal', 'boolean', 'date', 'datetime'] as const)(
  'a %s is a key, is sorted by, and is required by being the key',
  (type) => {
    const make = field[type] as () => ScalarField
    const typed = defineSchema({ id: make(), other: make(), list: field.list(make()) })
    const collection = defineCollection(typed, { key: 'id', sort: true, defaultSort: '-other' })
    expect([...collection.sortable.keys()]).toEqual(['id', 'other'])
    const { sort } = parseQueryOrThrow(collection, '')
    expect(sort).toEqual([
      { path: ['other'], type, direction: 'descending' },
      { path: ['id'], type, direction: 'descending', required: true },
    ])
  },
)
test('a required field is required as a sort key, and a datetime keeps its digits', () => {
  const typed = defineSchema({
    id: field.uuid({ required: true }),
    total: field.decimal({ required: true }),
    at: field.datetime({ digits: 3 }),
    customer: field.object({ name: field.string({ required: true }) }),
    address: field.object({ city: field.string({ required: true }) }, { required: true }),
  })
  const collection = defineCollection(typed, { key: 'id', sort: true })
  const sort = ['total', 'at', 'customer.name', 'address.city'] as const
  expect(buildQuery(collection, { sort }).sort).toEqual([
    { path: ['total'], type: 'decimal', direction: 'ascending', required: true, inKey: false },
    { path: ['at'], type: 'datetime', direction: 'ascending', digits: 3 },
    { path: ['customer', 'name'], type: 'string', direction: 'ascending' },
    { path: ['address', 'city'], type: 'string', direction: 'ascending', required: true, inKey: false },
    { path: ['id'], type: 'uuid', direction: 'ascending', required: true },
  ])
})
describe('an object of orders', () => {
  const sort = { name: { nulls: 'last' }, day: true, 'customer.name': {} } as const
  test('has the paths, and the options of those that have some', () => {
    const collection = of({ sort })
    expect([...collection.sortable.keys()]).toEqual(['name', 'day', 'customer.name', 'id'])
    expect([...collection.orders]).toEqual([['name', { nulls: 'last' }]])
    expect([...of({ sort: ['name'] }).orders]).toEqual([])
  })
  test('a sort key contains nulls where it differs from the default', () => {
    const collection = defineCollection(schema, { key: 'id', parameters, sort })
    const sortOf = (text: string) => parseQueryOrThrow(collection, text).sort.map(({ path, nulls }) => [path[0], nulls])
    expect(sortOf('sort=name,day')).toEqual([
      ['name', 'last'],
      ['day', undefined],
      ['id', undefined],
    ])
    expect(sortOf('sort=-name')).toEqual([
      ['name', undefined],
      ['id', undefined],
    ])
    expect(buildQuery(collection, { sort: ['name'] })).toEqual({
      ...parseQueryOrThrow(collection, ''),
      sort: parseQueryOrThrow(collection, 'sort=name').sort.map(({ span: _, ...key }) => key),
    })
  })
  test('is the order of the collection without `sort`, too', () => {
    const usual = of({ sort: { name: { nulls: 'first' } }, defaultSort: '-name' })
    expect(parseQueryOrThrow(usual, '').sort[0]).toEqual({
      path: ['name'],
      type: 'string',
      direction: 'descending',
      nulls: 'first',
    })
  })
  test.each([
    [{ nane: true }, 'sort has nane, which is not a field of the schema'],
    [{ items: true }, 'sort has items, which has no order: it is an object, JSON, a list or in a list'],
    [{ name: false }, 'sort.name must be an object'],
    [{ name: undefined }, 'sort.name must be an object'],
    [{ name: 'last' }, 'sort.name must be an object'],
    [{ name: null }, 'sort.name must be an object'],
    [{ name: [] }, 'sort.name must be an object'],
    [{ name: { nulls: 'Last' } }, 'sort.name.nulls must be first or last'],
    [
      { name: { null: 'last' } },
      'sort.name.null is unknown; did you mean nulls? (available: nulls, ignoreCase, declared)',
    ],
    [{ id: { nulls: 'last' } }, 'sort.id.nulls has no effect: every row has a value'],
    [{ name: { ignoreCase: false } }, 'sort.name.ignoreCase must be true'],
    [{ day: { ignoreCase: true } }, 'sort.day.ignoreCase needs a field of type string'],
    [{ name: { declared: true } }, 'sort.name.declared needs a field of type enumeration'],
  ])('%o is refused', (wrong, message) => expect(() => of({ sort: wrong })).toThrow(new TypeError(message)))
  test('a required field has no nulls in its sort key', () => {
    const required = defineSchema({ id: field.integer(), at: field.date({ required: true }) })
    const make = (options: object) => defineCollection(required, { key: 'id', sort: options } as CollectionOptions)
    expect(() => make({ at: { nulls: 'first' } })).toThrow('sort.at.nulls has no effect: every row has a value')
    expect([...make({ at: {} }).sortable.keys()]).toEqual(['at', 'id'])
  })
})
test('a sort key contains ignoreCase, and the declared values of an enumeration', () => {
  const states = defineSchema({ id: field.integer(), name: field.string(), state: field.enumeration(['new', 'held']) })
  const sort = { name: { ignoreCase: true, nulls: 'last' }, state: { declared: true } } as const
  const keys = parseQueryOrThrow(defineCollection(states, { key: 'id', sort }), 'sort=name,-state').sort
  expect(keys.map(({ span: _, ...key }) => key)).toEqual([
    { path: ['name'], type: 'string', direction: 'ascending', nulls: 'last', ignoreCase: true },
    { path: ['state'], type: 'string', direction: 'descending', declared: ['new', 'held'] },
    { path: ['id'], type: 'integer', direction: 'descending', required: true },
  ])
  expect(() => defineCollection(states, { key: 'id', sort: { state: { ignoreCase: true } } })).toThrow(
    new TypeError('sort.state.ignoreCase needs a field of type string'),
  )
})
test('sort: true leaves out fields that callers cannot filter by, and keeps the key', () => {
  const narrowed = of({ sort: true, operators: { id: [], name: [], limit: ['equals'], 'customer.address': [] } })
  expect([...narrowed.sortable.keys()]).toEqual(['limit', 'day', 'customer.name', 'id'])
  expect([...of({ sort: ['name'], operators: { name: [] } }).sortable.keys()]).toEqual(['name', 'id'])
})
test('operators of an object narrow its members that have no other operators', () => {
  const operatorsOf = (operators: object) => Object.fromEntries(of({ operators }).operators)
  expect(operatorsOf({ customer: [] })).toEqual({
    ...{ customer: [], 'customer.name': [], 'customer.address': [], 'customer.address.city': [] },
  })
  expect(operatorsOf({ customer: ['exists'], 'customer.address': [], 'customer.address.city': ['equals'] })).toEqual({
    ...{ customer: ['exists'], 'customer.name': ['exists'] },
    ...{ 'customer.address': [], 'customer.address.city': ['equals'] },
  })
  expect(operatorsOf({ items: [] })).toEqual({ items: [], 'items.price': [] })
  expect(operatorsOf({ 'customer.name': ['equals'] })).toEqual({ 'customer.name': ['equals'] })
})
test('a small limit.max makes the default small', () => {
  expect(of({ limit: { max: 10 } }).limit).toEqual({ default: 10, max: 10 })
})
test('a page may have one row, and an offset be none', () => {
  expect(of({ limit: { default: 1, max: 1 }, offset: { max: 0 } })).toMatchObject({
    limit: { default: 1, max: 1 },
    maxOffset: 0,
  })
})
test('fields allow their members', () => {
  expect([...of({ fields: ['customer', 'items.price'] }).selectable!.keys()]).toEqual([
    ...['customer', 'customer.name', 'customer.address', 'customer.address.city', 'items.price'],
  ])
  expect(of({ fields: true }).selectable!.get('items.price')).toEqual(['items', 'price'])
})
test('defaultSort is written as sort is', () => {
  const { defaultSort } = of({ sort: ['name', 'day'], defaultSort: '-day,name' })
  expect(defaultSort.map(({ field, direction }) => [field.name, direction])).toEqual([
    ['day', 'descending'],
    ['name', 'ascending'],
  ])
})
test('groups, count and the like have their parameters', () => {
  const on = { groups: true, count: true, offset: { max: 5 }, fields: true, parameters: { ...parameters, or: 'any' } }
  expect([...of(on).parameters.values()]).toEqual([
    ...['sort', 'page[size]', 'offset', 'fields', 'count', 'cursor', 'and', 'any', 'not'],
  ])
})

describe('a bound of count', () => {
  test('is in the queries that ask for a count', () => {
    expect([of({}).count, of({ count: true }).count, of({ count: { max: 1000 } }).count]).toEqual([
      false,
      true,
      { max: 1000 },
    ])
    const bounded = of({ count: { max: 1 } })
    expect(bounded.parameters.get('count')).toBe('count')
    expect(Object.isFrozen(bounded.count)).toBe(true)
    expect(parseQueryOrThrow(bounded, 'count=true').count).toEqual({ max: 1 })
    expect(parseQueryOrThrow(bounded, 'count=false').count).toBe(false)
    expect(parseQueryOrThrow(bounded, '').count).toBe(false)
    expect(buildQuery(bounded, { count: true })).toEqual({ ...buildQuery(bounded), count: { max: 1 } })
  })
})

describe('hidden fields', () => {
  const store = defineSchema({
    id: field.integer(),
    tenantId: field.integer({ required: true }),
    customer: field.object({ name: field.string(), email: field.string() }, { required: true }),
    owner: field.object({ team: field.object({ code: field.string() }), note: field.string() }),
    tags: field.list(field.string()),
    items: field.list(field.object({ price: field.number(), cost: field.number() })),
    audits: field.list(field.object({ by: field.string() })),
    empty: field.object({}),
  })
  const hiding = (hidden: readonly string[], options: object = {}) =>
    defineCollection(store, { key: 'id', hidden, ...options } as CollectionOptions)

  test('are not in the visible schema, which is the schema itself where none is hidden', () => {
    expect(hiding([]).visible).toBe(store)
    expect(hiding([]).hidden).toEqual([])
    const { schema, visible } = hiding(['tenantId', 'customer.email', 'items.cost', 'tags'])
    expect(schema).toBe(store)
    expect([...visible.paths.keys()]).toEqual([
      ...['id', 'customer', 'customer.name', 'owner', 'owner.team', 'owner.team.code', 'owner.note'],
      ...['items', 'items.price', 'audits', 'audits.by', 'empty'],
    ])
    for (const [name, resolved] of visible.paths) expect(resolved).toEqual(store.paths.get(name))
    expect(visible.fields['owner']).toBe(store.fields['owner'])
  })
  test.each([
    [['tenantId'], ['tenantId']],
    [['owner.team'], ['owner.team']],
    [['owner.team.code'], ['owner.team']],
    [['owner.team.code', 'owner.note'], ['owner']],
    [['owner', 'owner.note', 'owner.team.code'], ['owner']],
    [['customer.email', 'customer.name'], ['customer']],
    [['items.cost', 'items.price'], ['items']],
    [['audits.by'], ['audits']],
    [
      ['items.cost', 'tenantId', 'tags'],
      ['tenantId', 'tags', 'items.cost'],
    ],
  ])('%j hides %j', (hidden, paths) => {
    const collection = hiding(hidden)
    expect(collection.hidden.map((path) => path.join('.'))).toEqual(paths)
    const left = [...store.paths.keys()].filter((name) => !paths.some((path) => `${name}.`.startsWith(`${path}.`)))
    expect([...collection.visible.paths.keys()]).toEqual(left)
  })
  test('are in the queries, read or built', () => {
    const collection = hiding(['tenantId', 'items.cost'])
    const hidden = [['tenantId'], ['items', 'cost']]
    expect(parseQueryOrThrow(collection, 'id=1').hidden).toEqual(hidden)
    expect(buildQuery(collection).hidden).toEqual(hidden)
    expect(parseQueryOrThrow(hiding([]), 'id=1')).not.toHaveProperty('hidden')
    expect(buildQuery(hiding([]))).not.toHaveProperty('hidden')
  })
  test('are neither sorted by, nor chosen, where all others are', () => {
    const all = { sort: true, fields: true }
    const { sortable, selectable } = hiding(['tenantId', 'customer.email', 'items'], all)
    expect([...sortable.keys()]).toEqual(['id', 'customer.name', 'owner.team.code', 'owner.note'])
    expect([...selectable!.keys()]).toEqual([
      ...['id', 'customer', 'customer.name', 'owner', 'owner.team', 'owner.team.code', 'owner.note'],
      ...['tags', 'audits', 'audits.by', 'empty'],
    ])
    const some = hiding(['customer.email'], { fields: ['customer'], operators: { customer: ['exists'] } })
    expect([...some.selectable!.keys()]).toEqual(['customer', 'customer.name'])
    expect([...some.operators.keys()]).toEqual(['customer', 'customer.name'])
  })
  test('leave their names to parameters', () => {
    const collection = hiding(['tenantId'], { parameters: { limit: 'tenantId' } })
    expect(parseQueryOrThrow(collection, 'tenantId=7').limit).toBe(7)
  })
  const isHidden = 'is hidden: callers know nothing of it'
  test.each<[hidden: readonly string[], options: object, message: string]>([
    [['tenant'], {}, 'hidden has tenant, which is not a field of the schema'],
    [['tenantId', 'tenantId'], {}, 'hidden has tenantId twice'],
    [['id'], {}, `key has id, which ${isHidden}`],
    [['tenantId'], { key: ['tenantId', 'id'] }, `key has tenantId, which ${isHidden}`],
    [['tenantId'], { sort: ['tenantId'] }, `sort has tenantId, which ${isHidden}`],
    [['customer'], { sort: ['customer.name'] }, `sort has customer.name, which ${isHidden}`],
    [['tenantId'], { defaultSort: '-tenantId' }, 'defaultSort has tenantId, which callers may not sort by'],
    [['tenantId'], { sort: true, defaultSort: '-tenantId' }, 'defaultSort has tenantId'],
    [['tenantId'], { fields: ['tenantId'] }, `fields has tenantId, which ${isHidden}`],
    [['items.cost', 'items.price'], { fields: ['items'] }, `fields has items, which ${isHidden}`],
    [['tenantId'], { operators: { tenantId: ['equals'] } }, `operators has tenantId, which ${isHidden}`],
    [
      ['id', 'tenantId', 'customer', 'owner', 'tags', 'items', 'audits', 'empty'],
      {},
      'hidden must not have every field',
    ],
  ])('%j with %j cannot be', (hidden, options, message) => {
    expect(() => hiding(hidden, options)).toThrow(TypeError)
    expect(() => hiding(hidden, options)).toThrow(message)
  })
  test.each(['tenantId', [5], null])('%j is no list of paths', (hidden) => {
    expect(() => hiding(hidden as never)).toThrow('hidden must be a list of paths')
  })
})

const wrong: [options: object, message: string][] = [
  [{ kee: 'id' }, 'options.kee is unknown; did you mean key?'],
  [{ key: undefined }, 'key must be a path or a list of paths'],
  [{ key: [] }, 'key must have a field'],
  [{ key: ['id', 'id'] }, 'key has id twice'],
  [{ key: 'nope' }, 'key has nope, which is not a field of the schema'],
  [{ key: 'items.price' }, 'key has items.price, which has no order: it is an object, JSON, a list or in a list'],
  [{ sort: ['customer'] }, 'sort has customer, which has no order'],
  [{ sort: 'name' }, 'sort must be a list of paths'],
  [{ sort: ['name', 5] }, 'sort must be a list of paths'],
  [{ defaultSort: '-name' }, 'defaultSort has name, which callers may not sort by'],
  [{ defaultSort: '' }, 'defaultSort must be text'],
  [{ defaultSort: ['name'] }, 'defaultSort must be text'],
  [{ defaultSort: 'id,-id' }, 'defaultSort has id twice'],
  [{ limit: { max: 0 } }, 'limit.max must be a whole number of at least 1'],
  [{ limit: { default: 1.5 } }, 'limit.default must be a whole number of at least 1'],
  [{ limit: { default: 200 } }, 'limit.max is 100, below limit.default, 200'],
  [{ limit: { most: 1 } }, 'limit.most is unknown'],
  [{ offset: {} }, 'offset.max must be a whole number of at least 0'],
  [{ offset: { max: 5, most: 5 } }, 'offset.most is unknown'],
  [{ fields: 'name' }, 'fields must be a list of paths'],
  [{ fields: ['nope'] }, 'fields has nope, which is not a field of the schema'],
  [{ count: 'yes' }, 'count must be a boolean or { max: … }'],
  [{ count: null }, 'count must be an object'],
  [{ count: {} }, 'count.max must be a whole number of at least 1'],
  [{ count: { max: 0 } }, 'count.max must be a whole number of at least 1'],
  [{ count: { max: 1.5 } }, 'count.max must be a whole number of at least 1'],
  [{ count: { max: 5, most: 5 } }, 'count.most is unknown'],
  [{ groups: 1 }, 'groups must be a boolean'],
  [{ operators: { nam: ['equals'] } }, 'operators.nam is unknown; did you mean name?'],
  [{ operators: { name: ['equls'] } }, 'operators.name has equls, which is not an operator'],
  [{ operators: { limit: ['contains'] } }, 'operators.limit has contains, which integer does not take'],
  [{ parameters: {} }, 'the parameter limit is a field of the schema: rename it by parameters.limit'],
  [{ parameters: { limit: 'name[x]' } }, 'the parameter name[x] is a field of the schema'],
  [{ parameters: { ...parameters, size: 'x' } }, 'parameters.size is unknown'],
  [{ parameters: { ...parameters, cursor: 'sort' } }, 'two parameters are called sort'],
  [{ parameters: { ...parameters, sort: '' } }, 'parameters.sort must be a name'],
  [{ parameters: { ...parameters, sort: 5 } }, 'parameters.sort must be a name'],
  ...['and', 'or', 'not'].map((word): [object, string] => [
    { groups: true, parameters: { ...parameters, [word]: 'a(b' } },
    `parameters.${word} is a(b, but a word of groups must not have ( ) [ ] , or = in it`,
  ]),
  ...['.or', 'or.', 'x..or'].map((or): [object, string] => [
    { groups: true, parameters: { ...parameters, or } },
    `parameters.or is ${or}, but names between dots must not be empty`,
  ]),
  [{ timeZone: 'UTC' }, 'timeZone must be a boolean'],
  [
    { parameters: { ...parameters, offset: 'skip' } },
    'parameters.offset has a name, but the collection does not allow it',
  ],
]
test.each(wrong)('%o cannot be', (options, message) => {
  expect(() => of(options)).toThrow(TypeError)
  expect(() => of(options)).toThrow(message)
})

test('a second copy of the library, such as that of the other format, makes the same collections', async () => {
  vi.resetModules()
  const copy = await import('../../src/language/collection.ts')
  const made = copy.defineCollection(schema, { key: 'id', sort: true, groups: true, parameters })
  expect([...made.sortable.keys()]).toEqual([...of({ sort: true }).sortable.keys()])
  expect(() => checkCollection(made)).not.toThrow()
  for (const [options, message] of wrong)
    expect(() => copy.defineCollection(schema, { key: 'id', parameters, ...options } as CollectionOptions)).toThrow(
      message,
    )
})

test('the option operators on a list of objects also restricts the fields of its entries', () => {
  expect(Object.fromEntries(of({ operators: { items: ['atLeast', 'exists'] } }).operators)).toEqual({
    items: ['atLeast', 'exists'],
    'items.price': ['exists'],
  })
})

test('with groups, only a field of entries cannot have the name of a quantifier', () => {
  const flag = field.boolean()
  const define = (fields: Parameters<typeof defineSchema>[0], options: object = { groups: true }) =>
    defineCollection(defineSchema({ id: field.integer(), ...fields }), { key: 'id', ...options } as never)
  for (const name of ['none', 'every']) {
    const message = `groups read items.${name}( as a quantifier: rename the field or the alias, or turn groups off`
    const items = field.list(field.object({ [name]: flag }))
    expect(() => define({ items })).toThrow(new TypeError(message))
    expect(() => define({ items }, {})).not.toThrow()
    expect(() => define({ [name]: flag, box: field.object({ [name]: flag }) })).not.toThrow()
    expect(() => define({ items: field.list(field.object({ box: field.object({ [name]: flag }) })) })).not.toThrow()
  }
})

test('an object that is not a schema or a collection is refused', () => {
  expect(() => defineCollection({ ...schema }, { key: 'id', parameters })).toThrow(
    'schema must be made by defineSchema',
  )
  expect(() => checkCollection(of({}))).not.toThrow()
  expect(() => checkCollection({ ...of({}) })).toThrow('collection must be made by defineCollection')
})
