/** A text is read the same whether its keys are known or new: what is known only saves time. */
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import * as library from '../../../src/index.ts'
import {
  and,
  buildQuery,
  defineCollection,
  defineSchema,
  field,
  parseFilter,
  parseQuery,
  type QueryOptions,
} from '../../../src/index.ts'
import * as parse from '../../../src/syntax/parse.ts'
import { byEffort } from '../../effort.ts'

const newSchema = () =>
  defineSchema({
    id: field.integer(),
    seller: field.string(),
    status: field.enumeration(['paid', 'held', 'new']),
    total: field.number(),
    'page(1)': field.number(),
    tags: field.list(field.string()),
    items: field.list(field.object({ arrival: field.date(), at: field.object({ moment: field.datetime() }) })),
  })
type OurSchema = ReturnType<typeof newSchema>
const newCollection = (schema: OurSchema) =>
  defineCollection(schema, {
    key: 'id',
    sort: ['total'],
    offset: { max: 10 },
    count: true,
    groups: true,
    operators: { status: ['in', 'equals'] },
    parameters: { limit: 'page[size]', cursor: 'a+b' },
  })

const keys = [
  'seller',
  'seller[equals]',
  'seller[in]',
  'status',
  'status[notEqual]',
  'status[in]',
  'total[gt]',
  'total[range]',
  'page(1)',
  'tags[contains]',
  'tags[startsWith]',
  'seller[startsWith]',
  'seller[endsWith]',
  'items.arrival[gte]',
  'items.arrival[lte]',
  'items.at.moment[in]',
  'items.at.moment',
  'items.at[exists]',
  'or',
  'sort',
  'page[size]',
  'a+b',
  'a b',
  'count',
  'apiKey',
  'key[1]',
  'nobody',
]
const spellings: readonly ((key: string) => string)[] = [
  (key) => key,
  (key) => key,
  (key) => key,
  encodeURIComponent,
  (key) => encodeURIComponent(key).toLowerCase(),
  (key) => key.replace(/^./, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
]
const values = [
  ...[
    '',
    'x',
    'x,y',
    ',',
    'x,',
    '"x,y"',
    '"x',
    'a\\b',
    'a=b',
    'a?b',
    'a+b',
    '%22x%22',
    'x%2Cy',
    'x%5Cy',
    '%',
    '%f',
    '%00',
  ],
  ...['%ff', '%c3%a9', '\u00e9', '\ud800', '\0', '1', '-1', '1,2', '1%2c2', '1,2,3', '01', '1e3', 'x'.repeat(12)],
  ...[
    'paid',
    'paid,held',
    'pai%64',
    'paid,nope',
    '2024-01-01',
    '2024-02-30',
    '2024-01-01T00:00:00Z,2024-01-02',
    'true',
  ],
  ...['total', '-total', 'totl', '(seller=a,total[gt]=1)', '(seller=a', 'eyJ'],
]
const somePair = fc
  .record({ key: fc.constantFrom(...keys), spell: fc.constantFrom(...spellings), value: fc.constantFrom(...values) })
  .map(({ key, spell, value }) => `${spell(key)}=${value}`)
/** Pairs that the grammar accepts, in words or escaped. */
const goodPair = fc.constantFrom(
  ...[
    'seller=x',
    'seller=+',
    'seller[equals]=x',
    'seller%5Bequals%5D=y',
    `seller=${'x'.repeat(12)}`,
    'seller[in]=x%2Cy',
  ],
  ...[
    'status=paid',
    'status[notEqual]=paid',
    'seller[in]="x"',
    'status[in]=paid,held',
    'status[in]="paid",held,new',
    'seller[in]="x,\\"y",""',
    'total[gt]=1',
    'total[range]=1,2',
  ],
  ...['items.arrival[gte]=2024-01-01', 'items.at.moment=2024-01-01', 'items.at[exists]=true', 'tags[contains]=a'],
  ...['tags[startsWith]=a', 'seller[startsWith]=a', 'seller[endsWith]=a'],
  ...['sort=-total', 'page[size]=5', 'apiKey=x', 'apiKey=y', 'key[1]=%20', 'count=true'],
)
const someMark = fc.constantFrom('&', '=', '[', ']', '%', '+', '"', '?', '.', '&&', '', 'x', ',', '\\')
/** Mostly pairs that are accepted; some have a character more, or less. */
const someText = fc
  .record({
    begin: fc.constantFrom('', '', '?', '??'),
    pairs: fc.oneof(
      { weight: 5, arbitrary: fc.array(goodPair, { maxLength: 4 }) },
      { weight: 3, arbitrary: fc.tuple(somePair, goodPair) },
      { weight: 1, arbitrary: fc.array(somePair, { maxLength: 20 }) },
    ),
    spoilt: fc.option(fc.record({ at: fc.nat(50), mark: someMark, drop: fc.nat(2) }), { freq: 3 }),
  })
  .map(({ begin, pairs, spoilt }) => {
    const text = begin + pairs.join('&')
    return spoilt === null ? text : text.slice(0, spoilt.at) + spoilt.mark + text.slice(spoilt.at + spoilt.drop)
  })

const optionSets: readonly QueryOptions[] = [
  {},
  { reserved: ['apiKey', 'key[1]', 'nobody'] },
  { limits: { pairs: 3 } },
  { limits: { length: 40 } },
  { limits: { depth: 2 } },
  { limits: { list: 2, operand: 10 } },
  { limits: { searches: 1 } },
]
/** What is read of a text, with each set of options; the collection is made, or taken, for each of them. */
const told = (collectionOf: () => ReturnType<typeof newCollection>, text: string) =>
  optionSets.flatMap((options) =>
    [
      parseFilter(collectionOf().schema, text, options),
      parseFilter(collectionOf().schema, text, { ...options, groups: true }),
      parseQuery(collectionOf(), text, options),
    ].map((result) => JSON.stringify({ ...result, reserved: [...result.reserved] })),
  )
const cold = (text: string) => told(() => newCollection(newSchema()), text)

test('every text is read the same by a schema that has seen many others', () => {
  const collection = newCollection(newSchema())
  const warm = (text: string) => told(() => collection, text)
  for (const key of keys) for (const value of values) warm(`${key}=${value}`)
  fc.assert(
    fc.property(someText, (text) => {
      const expected = cold(text)
      expect(warm(text)).toEqual(expected)
      expect(warm(text)).toEqual(expected)
    }),
    // Each text is read 63 times.
    { numRuns: byEffort(4_000, 60) },
  )
})

test('a known text never meets the grammar; one with anything new does', () => {
  const collection = newCollection(newSchema())
  const texts = [
    'seller=a',
    '?seller=a&total[gt]=1&status[in]=paid%2Cheld&items.arrival%5Bgte%5D=2024-01-01',
    'apiKey=%20x&seller=a&apiKey=y',
    'sort=-total&seller=+&page[size]=5',
    'seller="a"&seller[in]=a\\b,c"',
    'seller[in]="a,b",%22c\\"%22,""&status[in]="paid",held',
    'seller=a&',
    '?&&seller=a&&total[gt]=2&&&apiKey=x&sort=total&',
  ]
  const options = { reserved: ['apiKey'] }
  const parsed = vi.spyOn(parse, 'parseSyntax')
  for (const text of texts) parseQuery(collection, text, options)
  // The keys of the third and the fourth text are known by then.
  expect(parsed).toHaveBeenCalledTimes(3)
  parsed.mockClear()
  for (const text of texts) expect(parseQuery(collection, text, options).ok, text).toBe(true)
  expect(parsed).not.toHaveBeenCalled()
  for (const text of [
    'seller[in]=a,',
    'seller[in]=',
    'seller[in]="a",',
    'seller[in]="a',
    'seller[in]="a"b',
    'seller[in]="a\\b"',
    '%73eller=a',
    'seller=a&&total[gt]=x&',
    'total[gt]=x',
  ]) {
    parsed.mockClear()
    parseQuery(collection, text)
    expect(parsed, text).toHaveBeenCalledTimes(1)
  }
  parsed.mockRestore()
})

test('an empty text never meets the grammar', () => {
  const schema = newSchema()
  const collection = newCollection(schema)
  const parsed = vi.spyOn(parse, 'parseSyntax')
  for (const text of ['', '?', '&', '&&', '?&', '?&&&']) {
    for (const limits of [{}, { pairs: 0, length: 4 }]) {
      expect(parseFilter(schema, text, { limits }), text).toEqual({ ok: true, filter: and(), reserved: new Map() })
      const result = parseQuery(collection, text, { limits })
      expect(result.ok && result.query, text).toEqual(buildQuery(collection))
    }
  }
  expect(parsed).not.toHaveBeenCalled()
  parsed.mockRestore()
})

test('a known text at the limits, or without parameters, never meets the grammar', () => {
  const schema = newSchema()
  const texts: readonly (readonly [text: string, limits: NonNullable<QueryOptions['limits']>])[] = [
    ['seller=abc', { length: 10, operand: 3, pairs: 1, depth: 1 }],
    ['seller=abc&total[gt]=1', { pairs: 2 }],
    ['&seller=abc&&total[gt]=1&', { pairs: 2 }],
    ['items.arrival[gte]=2024-01-01', { depth: 2 }],
    ['status[in]=paid,held,new', { list: 3 }],
    ['total[range]=1,2', { list: 2 }],
    ['seller[contains]=a&tags[startsWith]=a&seller[startsWith]=a', { searches: 2 }],
  ]
  for (const [text] of texts) parseFilter(schema, text)
  const parsed = vi.spyOn(parse, 'parseSyntax')
  for (const [text, limits] of texts) expect(parseFilter(schema, text, { limits }).ok, text).toBe(true)
  expect(parsed).not.toHaveBeenCalled()
  parsed.mockRestore()
})

test('parameters of a known text are read', () => {
  const result = parseQuery(newCollection(newSchema()), 'sort=-total&page[size]=5&count=true')
  expect(result.ok && result.query).toMatchObject({
    sort: [{ path: ['total'], direction: 'descending' }, { path: ['id'] }],
    limit: 5,
    count: true,
  })
})

test('a parameter of a known text is pointed at by its key', () => {
  const result = parseQuery(newCollection(newSchema()), 'sort=total&sort=-total')
  expect(result.ok || result.issues).toMatchObject([{ code: 'parameter_duplicate', span: { start: 11, end: 15 } }])
})

test('the reserved values of one result are not those of another', () => {
  const schema = newSchema()
  const results = ['seller=a', 'seller=b', 'apiKey=x&seller=c', 'seller=d'].map((text) =>
    parseFilter(schema, text, { reserved: ['apiKey'] }),
  )
  const empty = new Map<string, readonly string[]>()
  expect(results.map(({ reserved }) => reserved)).toEqual([empty, empty, new Map([['apiKey', ['x']]]), empty])
  for (const at of [1, 3]) {
    const reserved = results[at]!.reserved as Map<string, readonly string[]>
    expect(() => reserved.set('apiKey', ['y'])).toThrow(new TypeError('this Map is read-only'))
    Map.prototype.set.call(reserved, 'apiKey', ['y'])
  }
  expect(parseFilter(schema, 'seller=e').reserved.size).toBe(0)
})

test('the grammar reads only what follows the known pairs', () => {
  const collection = newCollection(newSchema())
  const options = { reserved: ['apiKey'] }
  parseQuery(collection, 'seller=a&total[gt]=1', options)
  const parsed = vi.spyOn(parse, 'parseSyntax')
  const text = '?apiKey=x&seller=b&sort=total&total[gt]=x&status=paid&apiKey=y&seller=c&count=true'
  const result = parseQuery(collection, text, options)
  expect(parsed.mock.calls.map(([, , , , start]) => text.slice(start))).toEqual([
    'total[gt]=x&status=paid&apiKey=y&seller=c&count=true',
  ])
  parsed.mockRestore()
  expect(result).toMatchObject({ issues: [{ code: 'operand_invalid' }, { code: 'duplicate_condition' }] })
  expect([...result.reserved]).toEqual([['apiKey', ['x', 'y']]])
  const good = parseQuery(collection, text.replace('=x&status', '=2&status').replace('seller=c&', ''), options)
  expect(good).toMatchObject({ ok: true, query: { count: true, sort: [{ path: ['total'] }, { path: ['id'] }] } })
  expect(good.ok && good.query.filter).toMatchObject({
    filters: [{ path: ['seller'] }, { path: ['total'] }, { path: ['status'] }],
  })
})

/** What is wrong with a known text, and what its reserved pairs say. */
const known: [text: string, options: QueryOptions, told: readonly string[]][] = [
  ['seller=abc', { limits: { length: 9 } }, ['limit_length']],
  ['seller=abc', { limits: { length: 10 } }, []],
  ['seller=a&total[gt]=1', { limits: { pairs: 1 } }, ['limit_pairs']],
  ['seller=a&total[gt]=1', { limits: { pairs: 2 } }, []],
  ['&&seller=a&&total[gt]=1&', { limits: { pairs: 1 } }, ['limit_pairs']],
  ['&&seller=a&&total[gt]=1&', { limits: { pairs: 2 } }, []],
  ['seller=a&?', {}, ['syntax_missing_equals']],
  ['items.arrival[gte]=2024-01-01', { limits: { depth: 1 } }, ['limit_depth']],
  ['items.arrival[gte]=2024-01-01', { limits: { depth: 2 } }, []],
  ['status[in]=paid,held', { limits: { list: 1 } }, ['limit_list']],
  ['status[in]=paid,held', { limits: { list: 2 } }, []],
  ['seller=abc', { limits: { operand: 2 } }, ['limit_operand']],
  ['seller=abc', { limits: { operand: 3 } }, []],
  ['seller[contains]=a&tags[startsWith]=a', { limits: { searches: 1 } }, ['limit_searches']],
  ['seller[contains]=a&tags[startsWith]=a', { limits: { searches: 2 } }, []],
  ['seller[contains]=a&tags[startsWith]=a&sellr=a', { limits: { searches: 1 } }, ['limit_searches', 'field_unknown']],
  ['seller[contains]=a&sellr=a&tags[startsWith]=a', { limits: { searches: 1 } }, ['field_unknown', 'limit_searches']],
  ['seller[startsWith]=a&sellr=a', { limits: { searches: 0 } }, ['field_unknown']],
  ['status[in]=paid,held,new', {}, []],
  ['total[range]=1,2,3', {}, ['operand_count']],
  ['total[range]=1', {}, ['operand_count']],
  ['seller[in]=a,', {}, ['operand_empty']],
  ['seller[in]=,a', {}, ['operand_empty']],
  ['seller[in]=a,,b', {}, ['operand_empty']],
  ['seller[in]=', {}, ['operand_empty']],
  ['seller=a&seller=b', {}, ['duplicate_condition']],
  ['status[notEqual]=paid', {}, ['operator_not_applicable']],
  ['sellerx', {}, ['syntax_missing_equals']],
  ['apiKeyx', { reserved: ['apiKey'] }, ['syntax_missing_equals']],
  ['seller=a&sortx', {}, ['syntax_missing_equals']],
  ['a+b=1&seller=a', { reserved: ['a+b'] }, ['field_unknown']],
  ['apiKey=1&seller=a&apiKey=2', { reserved: ['apiKey'] }, ['apiKey 1,2']],
  // No pair has a raw "&" in its name: what looks like one is the end of a pair, and another.
  ['seller=a&x&total[gt]=x', { reserved: ['x&total[gt]'] }, ['syntax_missing_equals', 'operand_invalid']],
  ['seller=a&&total[gt]=x', { reserved: ['&total[gt]'] }, ['operand_invalid']],
  ['sort&total=x', {}, ['syntax_missing_equals', 'operand_invalid']],
  ['sort%26total=10', {}, []],
]
function toldOf(
  text: string,
  options: QueryOptions,
  copy: Pick<typeof library, 'defineCollection' | 'parseFilter' | 'parseQuery'> = library,
) {
  const schema = newSchema()
  // The other collection renames other parameters.
  const collection = copy.defineCollection(schema, {
    key: 'id',
    sort: ['total'],
    operators: { status: ['in', 'equals'] },
    parameters: { limit: 'sort&total' },
  })
  for (const warm of [
    'seller=a',
    'total[gt]=1',
    'total[range]=1,2',
    'status[in]=paid',
    'seller[in]=a',
    'seller[contains]=a',
    'seller[startsWith]=a',
    'tags[startsWith]=a',
    'status[notEqual]=new',
  ]) {
    expect(copy.parseFilter(schema, warm).ok).toBe(true)
  }
  expect(copy.parseFilter(schema, 'items.arrival[gte]=2024-01-01').ok).toBe(true)
  const result = copy.parseQuery(collection, text, options)
  const reserved = Array.from(result.reserved, ([name, values]) => `${name} ${values.join(',')}`)
  return [...(result.ok ? [] : result.issues.map(({ code }) => code)), ...reserved]
}
test.each(known)('%s with %j', (text, options, expected) => expect(toldOf(text, options)).toEqual(expected))
test('a second copy of the library, such as that of the other format, tells the same', async () => {
  vi.resetModules()
  const copy = await import('../../../src/index.ts')
  for (const [text, options, expected] of known) expect(toldOf(text, options, copy), text).toEqual(expected)
})
