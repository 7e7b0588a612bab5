/** The words of an API that exists: aliases of fields and operators, deprecated names, and lists of repeated pairs. */
import { describe, expect, test } from 'vitest'
import {
  buildQuery,
  defineCollection,
  defineSchema,
  field,
  narrow,
  parseQuery,
  parseQueryOrThrow,
  printQuery,
  where,
  type Collection,
} from '../../src/index.ts'
import { map, sameFilter } from '../../src/tree.ts'
import { parameters } from '../../src/tools/openapi/index.ts'
import { issuesIn } from '../issues.ts'
import { casesIn, rowsIn } from '../rows.ts'

const schema = defineSchema({
  id: field.integer(),
  customerName: field.string(),
  status: field.enumeration(['paid', 'held', 'new, old']),
  total: field.number(),
  gift: field.boolean(),
  at: field.datetime(),
  customer: field.object({ name: field.string(), address: field.object({ city: field.string() }) }),
  items: field.list(field.object({ product: field.string(), price: field.number() })),
  tags: field.list(field.string()),
})
const base = { key: 'id', sort: true, fields: true, groups: true, facets: ['status', 'customerName'] } as const
const plain = defineCollection(schema, base)
const aliases = {
  fields: {
    customer_name: 'customerName',
    cust: 'customer',
    positions: 'items',
    'items.prod': 'items.product',
    label: 'tags',
    city: 'customer.address.city',
  },
  operators: { eq: 'equals', ne: 'notEqual', 'is not': 'notEqual', '>': 'gt' },
} as const
const aliased = defineCollection(schema, { ...base, aliases })

const readIn = (collection: Collection, text: string) => {
  const { filter, ...query } = parseQueryOrThrow(collection, text)
  return JSON.parse(
    JSON.stringify({ ...query, filter: map(filter, ({ span: _, ...node }) => node) }, (key, value: unknown) =>
      key === 'span' ? undefined : value,
    ),
  ) as unknown
}
const faultsIn = (collection: Collection, text: string) =>
  issuesIn(parseQuery(collection, text)).map(({ code, span, path }) => [code, text.slice(span!.start, span!.end), path])
const faults = (text: string) => faultsIn(aliased, text)
const file = new URL('aliases.txt', import.meta.url)
/** The texts of a section, and the same without aliases or repeated pairs. */
const canonicalTexts = (section: string) =>
  rowsIn(file, section).map(({ cells: [text, canonical], place }) => [text!, canonical!, place] as const)

test.each(canonicalTexts('aliases'))('%s is %s', (text, canonical, place) => {
  // Twice: the second time, keys are remembered.
  for (let time = 0; time < 2; time++) expect(readIn(aliased, text), place).toEqual(readIn(plain, canonical))
  expect(printQuery(aliased, parseQueryOrThrow(aliased, text))).toBe(
    printQuery(plain, parseQueryOrThrow(plain, canonical)),
  )
  expect(parseQuery(plain, text).ok).toBe(false)
})

test.each(rowsIn(file, 'faults'))('$cells.0 is $cells.1', ({ cells: [text, code, under, path], place }) =>
  expect(faults(text!), place).toEqual([[code, under, path]]),
)

test('messages and hints have canonical names', () => {
  const hint = (text: string) => issuesIn(parseQuery(aliased, text)).map((issue) => [issue.message, issue.hint])
  expect(hint('customer_name=a&customerName=b')[0]![0]).toBe(
    'duplicate condition: customerName[equals] is already in the query',
  )
  expect(hint('cust.nam=a')).toEqual([['unknown field "cust.nam"', 'did you mean customer.name?']])
  expect(hint('total[eqq]=5')[0]![1]).not.toContain(' eq,')
  const all = [
    'custo=a',
    'label[nope]=a',
    'positons(x=1)',
    'or=(nope(a=1))',
    'customer_name_gte=5',
    'lable=a',
    'sort=custmer_name',
  ]
  for (const text of all)
    for (const [, shown] of hint(text))
      expect(shown ?? '').not.toMatch(/customer_name|\bcust\b|positions|label|\beq\b|\bne\b/)
})

test('a collection without the aliases does not know the keys that one with them has read', () => {
  const open = defineCollection(schema, base)
  for (const text of ['customer_name=a', 'status[eq]=paid', 'cust.name=a']) {
    expect(parseQuery(aliased, text).ok).toBe(true)
    expect(parseQuery(open, text).ok).toBe(false)
    expect(parseQuery(aliased, text).ok).toBe(true)
  }
  const own = defineSchema({ id: field.integer() })
  const [named, unnamed] = [{ operators: { eq: 'equals' } } as const, undefined].map((given) =>
    defineCollection(own, { key: 'id', ...(given && { aliases: given }) }),
  )
  expect(parseQuery(named!, 'id[eq]=5').ok).toBe(true)
  expect(parseQuery(unnamed!, 'id[eq]=5').ok).toBe(false)
})

describe('defineCollection refuses', () => {
  test.each([
    [{ fields: { total: 'status' } }, 'aliases.fields.total: total is a field of the schema'],
    [{ fields: { x: 'nope' } }, 'aliases.fields.x is nope, which is not a field of the schema'],
    [{ fields: { 'customer.name': 'total' } }, 'aliases.fields.customer.name: customer.name is a field of the schema'],
    [{ fields: { '': 'total' } }, 'aliases.fields.: a name must be a non-empty string'],
    [{ fields: { 'a[b]': 'total' } }, /^aliases\.fields\.a\[b\]: a name must not contain/],
    [
      { fields: { c: 'customer', 'c.name': 'total' } },
      'aliases.fields.c.name and aliases.fields.c have c.name in common',
    ],
    [{ fields: { 'a.b[c]': 'total' } }, /^aliases\.fields\.a\.b\[c\]: a name must not contain/],
    [{ fields: { x: 5 } }, 'aliases.fields.x must be a text'],
    [{ operators: { x: 5 } }, 'aliases.operators.x must be a text'],
    [{ fields: { sort: 'total' } }, 'the parameter sort is an alias of total: rename it by parameters.sort'],
    [{ fields: { or: 'total' } }, 'the parameter or is an alias of total: rename it by parameters.or'],
    [{ operators: { in: 'nin' } }, 'aliases.operators.in is an operator'],
    [{ operators: { eq: 'is' } }, 'aliases.operators.eq is is, which is not an operator'],
    [{ operators: { '': 'equals' } }, 'aliases.operators. must be a name without ( ) [ ] , and ='],
    [{ operators: { '>=': 'gte' } }, 'aliases.operators.>= must be a name without ( ) [ ] , and ='],
    [{ operators: { 'a]': 'equals' } }, 'aliases.operators.a] must be a name without ( ) [ ] , and ='],
    [{ field: {} }, /^aliases\.field is unknown/],
    [[], 'aliases must be an object'],
  ])('aliases: %j', (given, message) => {
    expect(() => defineCollection(schema, { ...base, aliases: given as never })).toThrow(message)
  })
  test.each([
    ['items.none', 'items'],
    ['items.every', 'total'],
    ['tags.none', 'total'],
    ['rows.every', 'items.price'],
  ])('%s as an alias where groups read it as a quantifier', (name, target) => {
    const fields = { rows: 'items', [name]: target } as Readonly<Record<string, 'items'>>
    expect(() => defineCollection(schema, { ...base, aliases: { fields } })).toThrow(
      `groups read ${name}( as a quantifier: rename the field or the alias, or turn groups off`,
    )
    expect(defineCollection(schema, { ...base, groups: false, aliases: { fields } }).aliases.fields.size).toBe(2)
  })
  test('a renamed parameter with the name of an alias, and a reserved name', () => {
    const own = { ...base, aliases: { fields: { c: 'customer' } } } as const
    expect(() => defineCollection(schema, { ...own, parameters: { limit: 'c[name]' } })).toThrow(
      'the parameter c[name] is an alias of customer: rename it by parameters.limit',
    )
    expect(() => parseQuery(defineCollection(schema, own), '', { reserved: ['c.name'] })).toThrow(
      'reserved name c.name is a field of the schema',
    )
  })
  test.each([
    [{ nope: { since: '2024-01-01' } }, 'deprecated.nope is neither a field of the schema nor an alias of one'],
    [{ total: {} }, 'deprecated.total.since must be a date, YYYY-MM-DD, an RFC 3339 datetime or a Date'],
    [{ total: { since: 'soon' } }, 'deprecated.total.since must be a date, YYYY-MM-DD, an RFC 3339 datetime or a Date'],
    [
      { total: { since: '2024-01-02', sunset: '2024-01-01' } },
      'deprecated.total.sunset must not be before deprecated.total.since',
    ],
    [
      { total: { since: '2024-01-02', sunset: 'soon' } },
      'deprecated.total.sunset must be a date, YYYY-MM-DD, an RFC 3339 datetime or a Date',
    ],
    [{ total: { since: '2024-01-02', until: 1 } }, /^deprecated\.total\.until is unknown/],
    [[], 'deprecated must be an object'],
  ])('deprecated: %j', (given, message) => {
    expect(() => defineCollection(schema, { ...base, deprecated: given as never })).toThrow(message)
  })
  test.each([true, 'comma', null])('lists: %j', (lists) => {
    expect(() => defineCollection(schema, { ...base, lists: lists as never })).toThrow(
      "lists must be 'repeated', or absent",
    )
  })
})

test('a remembered key with an alias is one of its collection alone', () => {
  for (const given of [
    { operators: { over: 'gt' } },
    { fields: { sum: 'total' } },
    { fields: { sum: 'total' }, operators: { over: 'gt' } },
  ]) {
    const own = defineCollection(schema, { ...base, aliases: given } as never) as Collection
    const key = `${'fields' in given ? 'sum' : 'total'}[${'operators' in given ? 'over' : 'gt'}]`
    for (let time = 0; time < 2; time++) {
      expect(readIn(own, `${key}=5`)).toEqual(readIn(plain, 'total[gt]=5'))
      expect(faultsIn(plain, `${key}=5`)).not.toEqual([])
    }
  }
})

describe('hidden fields', () => {
  const hidden = defineCollection(schema, {
    ...{ key: 'id', fields: true, sort: ['total'], groups: true, hidden: ['customer', 'items.product'] },
    aliases,
  })
  const narrowed = narrow(aliased, { fields: { hide: ['customer', 'items.product'] } })
  const without = defineCollection(
    defineSchema({
      ...{ id: field.integer(), customerName: field.string() },
      status: field.enumeration(['paid', 'held', 'new, old']),
      ...{ total: field.number(), gift: field.boolean(), at: field.datetime() },
      items: field.list(field.object({ price: field.number() })),
      tags: field.list(field.string()),
    }),
    {
      ...base,
      aliases: {
        fields: { customer_name: 'customerName', positions: 'items', label: 'tags' },
        operators: aliases.operators,
      },
    },
  )
  const texts = [
    'cust.name=a',
    'city=a',
    'items.prod=a',
    'positions.product=a',
    'cust[exists]=true',
    'sort=city',
    'fields=cust',
    'or=(city=a,id=1)',
    'and=(items(prod=a))',
  ]
  test.each(texts)('is unknown by its alias: %s', (text) => {
    const { issues } = parseQuery(narrowed, text) as { issues?: unknown }
    expect(issues).toBeDefined()
    expect(issues).toEqual((parseQuery(without, text) as { issues?: unknown }).issues)
    expect(parseQuery(hidden, text).ok).toBe(false)
  })
  test('and the other aliases stay, also for a second narrowing', () => {
    for (const one of [narrowed, narrow(narrowed, { limit: { max: 5 } })]) {
      expect(readIn(one as never, 'customer_name[ne]=a&positions.price=5')).toMatchObject({ filter: { kind: 'and' } })
      expect([...one.aliases.fields.keys()]).toEqual(['customer_name', 'positions', 'label'])
    }
  })
  test('an operator that is narrowed away is so by its alias', () => {
    const fewer = narrow(aliased, { operators: { customerName: ['equals'] } })
    expect(faultsIn(fewer, 'customer_name[ne]=a')).toEqual([['operator_not_applicable', 'ne', 'customerName']])
    expect(faultsIn(fewer, 'customer_name[eq]=a')).toEqual([])
  })
})

describe('deprecated names', () => {
  const old = defineCollection(schema, {
    ...{ ...base, aliases },
    deprecated: {
      customer_name: { since: '2024-01-01', sunset: '2025-06-30' },
      customer: { since: new Date('2024-02-01T12:00:00Z') },
      positions: { since: '2024-03-01T00:00:00+01:00' },
      'items.prod': { since: '2024-04-01' },
      total: { since: '2024-05-01' },
    },
  })
  const uses = (text: string) =>
    parseQuery(old, text).deprecated.map(({ name, span }) => [name, text.slice(span.start, span.end)])
  test.each(casesIn(file, 'deprecated names'))('$text', ({ text, expected, place }) => {
    for (let time = 0; time < 2; time++)
      expect(uses(text === '-' ? '' : text), place).toEqual(expected.filter(([name]) => name !== '-'))
  })
  test('a program can refuse a deprecated name', () => {
    const at = { since: '2024-01-01', sunset: '2024-01-01' }
    expect(defineCollection(schema, { ...base, deprecated: { total: at } }).deprecated.get('total')).toEqual({
      ...{ name: 'total', since: '2024-01-01T00:00:00.000Z', sunset: '2024-01-01T00:00:00.000Z' },
    })
  })
  test('the cache keeps the uses of an alias and of its path apart', () => {
    for (const text of [
      'customer_name=a',
      'customerName=a',
      'customer_name[eq]=a',
      'customerName[eq]=a',
      'customer_name=a',
    ])
      expect(uses(text)).toEqual(text.startsWith('customer_') ? [['customer_name', text.slice(0, -2)]] : [])
  })
  test('are data', () => {
    expect(parseQuery(old, 'positions.product=a&customer_name=a').deprecated).toEqual([
      { name: 'positions', since: '2024-02-29T23:00:00.000Z', span: { start: 0, end: 17 } },
      {
        ...{ name: 'customer_name', since: '2024-01-01T00:00:00.000Z', sunset: '2025-06-30T00:00:00.000Z' },
        span: { start: 20, end: 33 },
      },
    ])
    expect(parseQuery(aliased, 'customer_name=a').deprecated).toEqual([])
    const hiding = narrow(old, { fields: { hide: ['customer', 'total'] } })
    expect([...hiding.deprecated.keys()]).toEqual(['customer_name', 'positions', 'items.prod'])
    expect(parseQuery(hiding, 'customer.name=a&total=5').deprecated).toEqual([])
  })
  test('are so in OpenAPI', () => {
    for (const style of ['compact', 'flat'] as const) {
      const described = parameters(old, { style })
      const deprecatedNames = described
        .filter(({ deprecated }) => deprecated)
        .map(({ name }) => name.replace(/\[.*/, ''))
      expect([...new Set(deprecatedNames)].sort()).toEqual([
        ...['customer', 'customer.address', 'customer.address.city', 'customer.name', 'customer_name', 'items.prod'],
        ...['positions', 'positions.price', 'positions.product', 'total'],
      ])
      expect(new Set(described.map(({ name }) => name)).size).toBe(described.length)
      expect(described.find(({ name }) => name.startsWith('customer_name'))!.description).toBe(
        'Deprecated: use customerName.',
      )
      expect(parameters(plain, { style }).some(({ deprecated }) => deprecated === true)).toBe(false)
    }
  })
})

describe('lists of repeated pairs', () => {
  const repeated = defineCollection(schema, { ...base, aliases, lists: 'repeated' })
  test.each(canonicalTexts('lists of repeated pairs'))('%s is %s', (text, canonical, place) => {
    for (let time = 0; time < 2; time++) expect(readIn(repeated, text), place).toEqual(readIn(plain, canonical))
  })
  test.each(rowsIn(file, 'faults of repeated pairs'))('$cells.0 is $cells.1', ({ cells, place }) => {
    const [text, code, under = ''] = cells
    expect(
      faultsIn(repeated, text!).map((fault) => fault.slice(0, 2)),
      place,
    ).toEqual([[code, under]])
  })
  test('the limits of lists, pairs and operands bind them', () => {
    const at = (text: string, limits: object) =>
      issuesIn(parseQuery(repeated, text, { limits })).map(({ code, span, message }) => [
        code,
        text.slice(span!.start, span!.end),
        message,
      ])
    expect(at('total=1&total=2', { list: 2 })).toEqual([])
    expect(at('total=1&total=2&total=x&total=4', { list: 2 })).toEqual([
      ['limit_list', 'total=x', 'list too long: 4 items, limit 2'],
    ])
    expect(at('total[]=1&total[]=2&total[]=3', { pairs: 2 })).toMatchObject([
      ['limit_pairs', 'total[]=3', 'too many pairs: limit 2'],
    ])
    expect(at('tags[]=abc&tags[]=b', { operand: 2 })).toMatchObject([
      ['limit_operand', 'abc', 'value too long: 3 characters, limit 2'],
    ])
    const depth = (text: string, depth: number) => at(text, { depth }).map(([code]) => code)
    expect([1, 2, 3].map((most) => depth('items.product[]=a', most))).toEqual([['limit_depth'], [], []])
    expect(parseQuery(repeated, 'items.product[]=a', { limits: { depth: 2 } })).toMatchObject({
      query: { filter: { filter: { kind: 'membership' } } },
    })
    // One value without brackets is not a list.
    expect(at('total=1', { list: 0 })).toEqual([])
    for (const text of ['total[]=1', 'total[]=1&total[]=2&total=3'])
      expect(at(text, { list: 0 })).toEqual([
        ['limit_list', 'total[]=1', `list too long: ${text.split('&').length} items, limit 0`],
      ])
    expect(at('total=1&total=2&total=3', { list: 0 })).toEqual([
      ['limit_list', 'total=2', 'list too long: 3 items, limit 0'],
    ])
  })
  test('deprecated names with brackets are noted, too', () => {
    const old = defineCollection(schema, {
      ...{ ...base, aliases, lists: 'repeated' },
      deprecated: { label: { since: '2024-01-01' }, gift: { since: '2024-02-01' } },
    })
    const uses = (text: string) =>
      parseQuery(old, text).deprecated.map(({ name, span }) => [name, text.slice(span.start, span.end)])
    expect(uses('label[]=a&label[]=b')).toEqual([['label', 'label[]']])
    expect(uses('id=1&label%5B%5D=a')).toEqual([['label', 'label%5B%5D']])
    expect(uses('label=a&label[]=b')).toEqual([['label', 'label']])
    expect(uses('gift[]=true')).toEqual([['gift', 'gift[]']])
  })
  test('a field whose collection leaves out in accepts no list', () => {
    const fewer = narrow(repeated, { operators: { status: ['equals'], total: ['in'] } })
    expect(faultsIn(fewer, 'status=paid&status=held')).toEqual([['duplicate_condition', 'status', 'status']])
    expect(faultsIn(fewer, 'status[]=paid')).toEqual([['operator_not_applicable', 'status[]', 'status']])
    expect(faultsIn(fewer, 'total[]=5&total[]=6')).toEqual([])
    expect(faultsIn(fewer, 'total=5')).toEqual([['operator_not_applicable', 'total', 'total']])
  })
  test('without the option they keep their meaning', () => {
    expect(faultsIn(plain, 'status=paid&status=held')).toEqual([['duplicate_condition', 'status', 'status']])
    expect(faultsIn(plain, 'status[]=paid')).toEqual([['syntax_bracket', '[', undefined]])
  })
  test('span and printing are those of a list', () => {
    const query = parseQueryOrThrow(repeated, 'status=paid&total=5&status=held')
    expect(query.filter).toMatchObject({ filters: [{ kind: 'membership', span: { start: 0, end: 31 } }, {}] })
    expect(printQuery(repeated, query)).toBe('status[in]=paid,held&total=5')
    const built = buildQuery(repeated, { filter: where(schema).in('status', ['paid', 'held']) })
    expect(sameFilter(parseQueryOrThrow(repeated, printQuery(repeated, built)).filter, built.filter)).toBe(true)
  })
})
