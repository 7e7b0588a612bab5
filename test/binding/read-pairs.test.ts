/** The loop over the pairs of a text: it reads the same whether keys are known or new, and counts pairs and conditions. */
import { describe, expect, test, vi } from 'vitest'
import * as library from '../../src/index.ts'
import { and, buildQuery, parseFilter, parseQuery, readReserved, type QueryOptions } from '../../src/index.ts'
import * as grammar from '../../src/reading/grammar.ts'
import { newSchema, newCollection } from './read-pairs.fixture.ts'

/** The keys and the quoted lists for which the grammar is used. */
function parsedIn(read: () => { ok: boolean }): readonly string[] {
  const parsers = [vi.spyOn(grammar, 'keyParser'), vi.spyOn(grammar, 'groupParser')]
  const { ok } = read()
  const calls = parsers.flatMap(({ mock }) => mock.calls.map(([[token]]) => token!.startOffset))
  for (const parser of parsers) parser.mockRestore()
  return [String(ok), ...calls.map(String)]
}

test('the grammar reads keys that are new, quotes and groups, wherever they are in a text, and nothing else', () => {
  const collection = newCollection(newSchema())
  const reserved = ['apiKey']
  const read = (text: string) => parsedIn(() => parseQuery(collection, text, { reserved }))
  const first = 'seller=a&total[gt]=1&status[in]=paid%2Cheld&items.arrival%5Bgte%5D=2024-01-01'
  expect(read(first)).toEqual(['true', '0', '9', '21', '44'])
  expect(read('total[gt]=2&seller=b&status[in]=new,paid')).toEqual(['true'])
  expect(read('%73eller=a&total[gt]=1&status=paid&seller[in]=a')).toEqual(['true', '0', '23', '35'])
  for (const text of ['', '?', '&&', 'apiKey=%20x&seller=a&&apiKey=y&', '?sort=-total&seller=+&page[size]=5', first])
    expect(read(text), text).toEqual(['true'])
  // What is wrong with the value of a known key is found without the grammar, too.
  for (const text of ['total[gt]=x', 'seller=%ff', 'seller[in]=a,', 'status[in]=', 'seller=a&seller=b', 'sort=x'])
    expect(read(text), text).toEqual(['false'])
  expect(read('seller[in]="a",%22b\\"&total[gt]=1')).toEqual(['false', '11'])
  expect(read('seller=a&or=(total[gt]=1,seller=b)')).toEqual(['true', '12'])
  expect(read('seller=a&sellr=b&total[gt]=1')).toEqual(['false', '9'])
  expect(read('seller=a&seller&total[gt]=1')).toEqual(['false', '9'])
})

test('a text without pairs has no conditions', () => {
  const schema = newSchema()
  const collection = newCollection(schema)
  for (const text of ['', '?', '&', '&&', '?&', '?&&&']) {
    for (const limits of [{}, { pairs: 0, length: 4 }]) {
      expect(parseFilter(schema, text, { limits }), text).toEqual({ ok: true, filter: and(), reserved: new Map() })
      const result = parseQuery(collection, text, { limits })
      expect(result.ok && result.query, text).toEqual(buildQuery(collection))
    }
  }
})

describe('limits.pairs', () => {
  test.each<[text: string, limit: number, start: number | undefined]>([
    ['a', 0, 0],
    ['?a', 0, 1],
    ['&&seller=1&&tags=2&&', 2, undefined],
    ['&&seller=1&&tags=2&&', 1, 12],
    ['a&b&c', 2, 4],
    ['apiKey=1&seller=a', 1, 9],
    ['seller=a&apiKey=1', 1, 9],
    // A group counts as its conditions, malformed ones included, and an empty one not at all.
    ['or=(seller=a,total=1)', 2, undefined],
    ['or=(seller=a,total=1)', 1, 13],
    ['seller=a&or=(total=1,and(tags=x,sellr=1),)', 2, 25],
    ['seller=a&or=(total=1,and(tags=x,sellr=1),)', 3, 32],
    ['or=()&or&seller=a', 1, 9],
    ['or=(a],total=1)&seller=a', 2, 16],
  ])('in %s, %i are allowed: too many begin at %s', (text, limit, start) => {
    const options = { limits: { pairs: limit }, groups: true, reserved: ['apiKey'] }
    const schema = newSchema()
    for (const _ of ['new', 'known']) {
      const { reserved, ...result } = parseFilter(schema, text, options)
      const codes = result.ok ? [] : result.issues.map(({ code }) => code)
      if (start === undefined) expect(codes).not.toContain('limit_pairs')
      else expect(result).toMatchObject({ issues: [{ code: 'limit_pairs', span: { start, end: text.length } }] })
      if (start !== undefined) expect(codes).toEqual(['limit_pairs'])
      expect([...reserved]).toEqual(text.includes('apiKey') ? [['apiKey', ['1']]] : [])
      parseFilter(schema, 'seller=a&tags=b&total=1')
    }
  })
})

describe('reserved pairs', () => {
  const reserved = (text: string, names: readonly string[]) =>
    Object.fromEntries(readReserved(text, { reserved: names }).reserved)
  test('are decoded, in order', () => {
    expect(reserved('k=1&a=x&%6B=%32&k=a%2Bb+c', ['k', 'l'])).toEqual({ k: ['1', '2', 'a+b c'] })
  })
  test('are recognized by their whole key', () => {
    expect(reserved('page[size]=1&page%5Bno%5D=2&sort..=3', ['page[size]', 'page[no]', 'sort..'])).toEqual({
      'page[size]': ['1'],
      'page[no]': ['2'],
      'sort..': ['3'],
    })
    expect(reserved('k[gte]=1&k.x=2&K=3', ['k'])).toEqual({})
  })
  test('whose names or values are not well-formed text are none', () => {
    expect(reserved('k%ff=1&%6b%00=2&k=%ff&k', ['k'])).toEqual({})
  })
  test('are not conditions, and have no spans but those of their names', () => {
    const schema = newSchema()
    for (const text of ['k=1&seller=x&k=2', 'seller=x&%6b=1&k=2']) {
      const result = parseFilter(schema, text, { reserved: ['k'] })
      expect(result).toMatchObject({ ok: true, filter: { path: ['seller'] }, reserved: new Map([['k', ['1', '2']]]) })
    }
    const result = parseFilter(schema, 'seller=x&k=1%ff&k', { reserved: ['k'] })
    expect(result).toMatchObject({
      issues: [
        { code: 'syntax_encoding', span: { start: 9, end: 10 } },
        { code: 'syntax_missing_equals', span: { start: 16, end: 17 } },
      ],
    })
  })
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

/** The issues of a known text, and its reserved values. */
const known: [text: string, options: QueryOptions, told: readonly string[]][] = [
  ['seller=a&?', {}, ['syntax_missing_equals']],
  ['items.arrival[gte]=2024-01-01', { limits: { depth: 1 } }, ['limit_depth']],
  ['items.arrival[gte]=2024-01-01', { limits: { depth: 2 } }, []],
  ['status[in]=paid,held', { limits: { list: 1 } }, ['limit_list']],
  ['seller=abc', { limits: { operand: 2 } }, ['limit_operand']],
  ['seller[contains]=a&tags[startsWith]=a&sellr=a', { limits: { searches: 1 } }, ['limit_searches', 'field_unknown']],
  ['seller[contains]=a&sellr=a&tags[startsWith]=a', { limits: { searches: 1 } }, ['field_unknown', 'limit_searches']],
  ['seller[startsWith]=a&sellr=a', { limits: { searches: 0 } }, ['field_unknown']],
  ['total[range]=1', {}, ['operand_count']],
  ['seller[in]=', {}, ['operand_empty']],
  ['seller=a&seller=b', {}, ['duplicate_condition']],
  ['status[notEqual]=paid', {}, ['operator_not_applicable']],
  ['sellerx', {}, ['syntax_missing_equals']],
  ['apiKeyx', { reserved: ['apiKey'] }, ['syntax_missing_equals']],
  ['seller=a&sortx', {}, ['syntax_missing_equals']],
  ['a+b=1&seller=a', { reserved: ['a+b'] }, ['field_unknown']],
  ['apiKey=1&seller=a&apiKey=2', { reserved: ['apiKey'] }, ['apiKey 1,2']],
  // No pair has a raw "&" in its name: such a text is two pairs.
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
  const good =
    'seller=a&total[gt]=1&total[range]=1,2&status[in]=paid&seller[in]=a&seller[contains]=a&seller[startsWith]=a'
  for (const warm of [good, 'tags[startsWith]=a&status[notEqual]=new&items.arrival[gte]=2024-01-01'])
    expect(copy.parseFilter(schema, warm).ok).toBe(true)
  const result = copy.parseQuery(collection, text, options)
  const reserved = Array.from(result.reserved, ([name, values]) => `${name} ${values.join(',')}`)
  return [...(result.ok ? [] : result.issues.map(({ code }) => code)), ...reserved]
}
test.each(known)('%s with %j', (text, options, expected) => expect(toldOf(text, options)).toEqual(expected))
test('a second copy of the library, such as that of the other format, gives the same issues', async () => {
  vi.resetModules()
  const copy = await import('../../src/index.ts')
  for (const [text, options, expected] of known) expect(toldOf(text, options, copy), text).toEqual(expected)
})
