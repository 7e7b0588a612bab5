/** Keys of records, written: each key that a text can express is read back, and the others are refused. */
import { describe, expect, test } from 'vitest'
import { describe as sentenceOf } from '../../src/tools/explain/index.ts'
import {
  buildQuery,
  defineCollection,
  defineSchema,
  field,
  or,
  parseFilterOrThrow,
  parseQueryOrThrow,
  printFilter,
  printQuery,
  queryString,
  where,
  type Filter,
} from '../../src/index.ts'

const schema = defineSchema({ id: field.integer({ required: true }), labels: field.record(field.string()) })
const collection = defineCollection(schema, { key: 'id', groups: true })
const withoutSpans = (filter: Filter): unknown =>
  JSON.parse(JSON.stringify(filter, (name, value: unknown) => (name === 'span' ? undefined : value)))

const keys: readonly (readonly [key: string, written: string])[] = [
  ["it's", "it's"],
  ['a "b"', 'a%20%22b%22'],
  [' a  b ', '%20a%20%20b%20'],
  ['$where', '%24where'],
  ['größe', 'gr%C3%B6%C3%9Fe'],
  ['👍', '%F0%9F%91%8D'],
  ['a&b', 'a%26b'],
  ['100%', '100%25'],
  ['%41', '%2541'],
  ['a+b', 'a%2Bb'],
  ['a#b', 'a%23b'],
  ['a\\b', 'a%5Cb'],
  ['a\nb', 'a%0Ab'],
  ['42', '42'],
  ['-1', '-1'],
  ['constructor', 'constructor'],
  ['toString', 'toString'],
  ['>', '%3E'],
  ['a!', 'a!'],
  ['x'.repeat(128), 'x'.repeat(128)],
]
/** A group ends a path at these. */
const alone = [
  ['a=b', 'a%3Db'],
  ['a,b', 'a%2Cb'],
  ['(a)', '(a)'],
] as const

describe.each([...keys, ...alone])('the key %j', (key, written) => {
  const filter = where(schema).contains(`labels.${key}`, 'x')
  const text = `labels.${written}[contains]=x`
  test('is read back as it was written', () => {
    expect(printFilter(schema, filter)).toBe(text)
    expect(withoutSpans(parseFilterOrThrow(schema, text))).toEqual(withoutSpans(filter))
    expect(printQuery(collection, buildQuery(collection, { filter }))).toBe(text)
    expect(queryString<typeof collection>({ filter: { [`labels.${key}[contains]`]: 'x' } as object })).toBe(text)
  })
})

test.each(keys)('the key %j is in a group', (key, written) => {
  const filter = or(where(schema).contains(`labels.${key}`, 'x'), where(schema).equals('id', 1))
  const text = printQuery(collection, buildQuery(collection, { filter }))
  expect(text).toBe(`or=(labels.${written}[contains]=x,id=1)`)
  expect(withoutSpans(parseQueryOrThrow(collection, text).filter)).toEqual(withoutSpans(filter))
})
test.each(alone)('no group has the key %j', (key) => {
  const filter = or(where(schema).contains(`labels.${key}`, 'x'), where(schema).equals('id', 1))
  expect(() => printQuery(collection, buildQuery(collection, { filter }))).toThrow(/cannot express this filter/)
})

test.each(['', '.', 'a.b', '[', ']', 'a[b]', '\0', '\ud800', '__proto__', 'x'.repeat(129)])(
  'no text has the key %j',
  (key) => {
    expect(() => where(schema).contains(`labels.${key}`, 'x')).toThrow(
      new TypeError(`path labels.${key} is not in the schema`),
    )
    const tree = { kind: 'presence', path: ['labels', key], type: 'string' } as const
    expect(() => printFilter(schema, tree)).toThrow(
      key.length > 128 ? /^a query string cannot express/ : /^filter\.path\[1\] must /,
    )
  },
)

test.each([Symbol('color'), 5, null, ['color'], { toString: () => 'color' }])('no path has the name %s', (name) => {
  const tree = { kind: 'presence', path: ['labels', name], type: 'string' } as unknown as Filter
  expect(() => printFilter(schema, tree)).toThrow(new TypeError('filter.path[1] must be a non-empty string'))
  expect(() => where(schema).equals(name as never, 'x' as never)).toThrow(
    new TypeError('path must be a string, the names joined by dots'),
  )
})
test.each([Symbol('labels.a'), 5, null, undefined, ['labels.a'], { toString: () => 'labels.a' }])(
  'the paths of a schema lack %s',
  (path) => {
    expect(schema.paths.get(path as never)).toBeUndefined()
    expect(schema.paths.has(path as never)).toBe(false)
  },
)

test('a sentence names the key', () => {
  const sentence = (key: string) => sentenceOf(where(schema).equals(`labels.${key}`, 'x'))
  expect(sentence('color')).toBe('labels.color is "x"')
  expect(sentence('a\nb')).toBe('labels.a\\u{a}b is "x"')
})
