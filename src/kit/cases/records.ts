/** Records: keys that no schema declares, with values of each scalar type. */
import { defineSchema, field } from '../../language/index.ts'
import { comparison, presence, type Literal } from '../../tree/index.ts'
import { casesOf, type Fixture, type Line } from './case.ts'

const uuid = '0a1b2c3d-4e5f-4789-8abc-def012345678'
const records: Fixture = {
  name: 'records',
  schema: defineSchema({
    id: field.integer(),
    text: field.record(field.string()),
    kind: field.record(field.enumeration(['red', 'blue'])),
    key: field.record(field.uuid()),
    count: field.record(field.integer()),
    large: field.record(field.bigint()),
    cpu: field.record(field.number()),
    flag: field.record(field.boolean()),
    day: field.record(field.date()),
    moment: field.record(field.datetime()),
    hour: field.record(field.time()),
    inner: field.object({ text: field.record(field.string()) }),
    items: field.list(
      field.object({
        at: field.integer(),
        text: field.record(field.string()),
        parts: field.list(field.object({ at: field.integer(), text: field.record(field.string()) })),
      }),
    ),
  }),
  rows: [
    {
      id: 1,
      ...{ text: { a: 'Red', b: 'x' }, kind: { a: 'red' }, key: { a: uuid }, count: { a: 1 }, large: { a: '7' } },
      ...{ cpu: { a: 0.5 }, flag: { a: true }, day: { a: '2024-01-01' }, moment: { a: '2024-01-01T00:00:00.000Z' } },
      ...{
        hour: { a: '08:30:00' },
        inner: { text: { a: 'Red' } },
        items: [{ at: 1, text: { a: 'Red' }, parts: [{ at: 1, text: { a: 'Red' } }] }],
      },
    },
    {
      id: 2,
      ...{ text: { a: 'blue' }, kind: { a: 'blue' }, key: { b: uuid }, count: { a: 2 }, large: { a: '8' } },
      ...{ cpu: { a: 2 }, flag: { a: false }, day: { a: '2024-01-02' }, moment: { a: '2024-01-02T00:00:00.000Z' } },
      ...{ hour: { a: '09:00:00' }, inner: { text: { b: 'Red' } } },
      items: [
        { at: 1, text: { b: 'Red' } },
        { at: 2, text: { a: 'Red' }, parts: [{ at: 1, text: null }] },
      ],
    },
    {
      id: 3,
      ...{
        text: { a: null, b: 'Red', 'a>': 'x' },
        count: { a: null },
        cpu: { b: 0.5 },
        flag: { a: null },
        inner: { text: {} },
      },
    },
    { id: 4, text: {}, items: [] },
    { id: 5, text: null },
    { id: 6 },
  ],
}
export const inRecords = casesOf(['records'], records, [
  ['text.a=Red', [1], 'a key'],
  ['text.b=Red', [3], 'another key'],
  ['text.c=Red', [], 'a key that no row has'],
  ['text.a[notEqual]=Red', [2, 3, 4, 5, 6], 'the complement'],
  ['text.a[gt]=Red', [2], 'the order of code points'],
  ['text.a[gte]=Red', [1, 2], 'the order of code points'],
  ['text.a[lt]=blue', [1], 'the order of code points'],
  ['text.a[lte]=blue', [1, 2], 'the order of code points'],
  ['text.a[range]=A,S', [1], 'between both'],
  ['text.a[in]=Red,blue', [1, 2], 'one of them'],
  ['text.a[nin]=Red', [2, 3, 4, 5, 6], 'the complement'],
  ['text.a[startsWith]=r', [1], 'it ignores case'],
  ['text.a[endsWith]=D', [1], 'it ignores case'],
  ['text.a[contains]=E', [1, 2], 'it ignores case'],
  ['text.a[doesNotContain]=E', [3, 4, 5, 6], 'the complement'],
  ['text.a[equalsIgnoreCase]=RED', [1], 'it ignores case'],
  ['text.a[startsWithExact]=R', [1], 'it compares case'],
  ['text.a[endsWithExact]=e', [2], 'it compares case'],
  ['text.a[containsExact]=u', [2], 'it compares case'],
  ['text.a[exists]=true', [1, 2], 'null counts as no value'],
  ['text.a[exists]=false', [3, 4, 5, 6], 'the complement'],
  ['text[exists]=true', [1, 2, 3, 4], 'an object without keys exists'],
  ['text[exists]=false', [5, 6], 'the complement'],
  ['text.a=Red&text.b=x', [1], 'two keys of one record'],
  ['text.a%3E[equals]=x', [3], 'an operator in brackets ends the key'],
  ['text.a>[notEqual]=x', [1, 2, 4, 5, 6], 'an operator in brackets ends the key'],
  ['kind.a=red', [1], 'a value of an enumeration'],
  ['kind.a[nin]=red', [2, 3, 4, 5, 6], 'the complement'],
  [`key.a=${uuid.toUpperCase()}`, [1], 'any case is the same uuid'],
  ['key.a[exists]=true', [1], 'another key is another value'],
  ['count.a=1', [1], 'a number'],
  ['count.a[gt]=1', [2], 'by value'],
  ['count.a[in]=1,2,3', [1, 2], 'one of them'],
  ['large.a=7', [1], 'digits'],
  ['large.a[gte]=8', [2], 'by value'],
  ['cpu.a=0.5', [1], 'a number'],
  ['cpu.a[gte]=0.9', [2], 'by value'],
  ['cpu.a[range]=0,1', [1], 'between both'],
  ['cpu.a[nin]=2', [1, 3, 4, 5, 6], 'the complement'],
  ['flag.a=true', [1], 'a boolean'],
  ['flag.a[notEqual]=true', [2, 3, 4, 5, 6], 'the complement'],
  ['flag.a[exists]=true', [1, 2], 'false is a value'],
  ['day.a=2024-01-01', [1], 'a day'],
  ['day.a[gt]=2024-01-01', [2], 'by time'],
  ['moment.a=2024-01-01', [1], 'the whole day'],
  ['moment.a[gte]=2024-01-01T12:00:00Z', [2], 'by time'],
  ['hour.a=08:30', [1], 'a time of day'],
  ['hour.a[gt]=08:30', [2], 'by time'],
  ['inner.text.a=Red', [1], 'in an object'],
  ['inner.text.a[notEqual]=Red', [2, 3, 4, 5, 6], 'in an object, the complement'],
  ['items.text.a=Red', [1, 2], 'in an entry'],
  ['items.at=1&items.text.a=Red', [1], 'of one entry'],
  ['items.text.a[notEqual]=Red', [3, 4, 5, 6], 'of no entry'],
  ['inner.text[exists]=true', [1, 2, 3], 'an object without keys exists'],
  ['inner.text[exists]=false', [4, 5, 6], 'the complement'],
  ['items.text[exists]=true', [1, 2], 'an entry has it'],
  ['items.text[exists]=false', [3, 4, 5, 6], 'no entry has it'],
  ['items.parts.text[exists]=true', [1], 'null counts as no value'],
  ['items.parts.text[exists]=false', [2, 3, 4, 5, 6], 'the complement'],
  ['items.parts.text.a=Red', [1], 'in an entry of an entry'],
])

const formedRecords: Fixture = {
  name: 'records of other forms',
  schema: defineSchema({ id: field.integer(), text: field.record(field.string()), cpu: field.record(field.number()) }),
  rows: [
    { id: 1, text: { a: '7' }, cpu: { a: 7 } },
    { id: 2, text: { a: 7 }, cpu: { a: '7' } },
    { id: 3, text: { a: { a: '7' } }, cpu: { a: { a: 7 } } },
    { id: 4, text: 'a', cpu: 7 },
    { id: 5, text: { a: true }, cpu: { a: false } },
  ],
}
export const inOtherRecords = casesOf(['records', 'other-forms'], formedRecords, [
  ['text.a=7', [1], 'a number is not a text'],
  ['text.a[notEqual]=7', [2, 3, 4, 5], 'no value: in the complement'],
  ['text.a[exists]=true', [1], 'texts only'],
  ['text.a[contains]=7', [1], 'texts only'],
  ['cpu.a=7', [1], 'a text is not a number'],
  ['cpu.a[gte]=0', [1], 'numbers only'],
  ['cpu.a[exists]=false', [2, 3, 4, 5], 'numbers only'],
  ['text[exists]=true', [1, 2, 3, 5], 'an object only'],
])

/** Names of `Object.prototype`, marks of each language that a key passes through, and the longest key. */
const hostile = [
  ...['constructor', 'toString', 'hasOwnProperty', '__defineGetter__', 'length', 'prototype', 'then', 'toJSON'],
  ...["it's", "''", 'a"b', '"', 'a`b', 'a\\b', '\\', '\\u0061', '\\"', "\\'", '*', '?', '0', 'a-b', '$', '#', '@'],
  ...[
    'a b',
    ' a ',
    '\t',
    '\n',
    'a=b',
    'a&b',
    'a,b',
    '(a)',
    '{a}',
    '%',
    '%2e',
    '+',
    ';--',
    '/*',
    '~1',
    '/',
    'last',
    'a:b',
  ],
  ...['$1', ':a', 'é', 'e\u0301', '\u{1f600}', '\ufeff', '\u202e', 'NULL', 'Ä', 'ä', 'x'.repeat(127), 'x'.repeat(128)],
]
/** Names that MongoDB reads as operators. */
const operators = ['$where', '$gt', '$expr', '$or']
const hostileRows = (keys: readonly string[]) => [
  ...keys.map((key, at) => ({ id: at + 1, text: { [key]: 'x' } })),
  { id: keys.length + 1, text: {} },
]
const fixtureOf = (name: string, keys: readonly string[]): Fixture => ({
  name,
  schema: defineSchema({ id: field.integer(), text: field.record(field.string()) }),
  rows: hostileRows(keys),
})
const operand: Literal = { type: 'string', value: 'x' }
const linesOf = (keys: readonly string[]): Line[] =>
  keys.flatMap((key, at): Line[] => [
    [comparison(['text', key], 'eq', operand), [at + 1], `the key ${JSON.stringify(key)} is one row's alone`],
    [presence(['text', key], 'string'), [at + 1], `the key ${JSON.stringify(key)} has a value in one row`],
  ])
const withoutDollar = hostile.filter((key) => !key.startsWith('$'))
const beginsWithDollar = [...operators, ...hostile.filter((key) => key.startsWith('$'))]
export const hostileKeys = casesOf(['records'], fixtureOf('keys of records', withoutDollar), linesOf(withoutDollar))
/** MongoDB refuses them. */
export const dollarKeys = casesOf(
  ['records', 'other-forms', 'misplaced-lists'],
  fixtureOf('keys of records that begin with $', beginsWithDollar),
  linesOf(beginsWithDollar),
)
