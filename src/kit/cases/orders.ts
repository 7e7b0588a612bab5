/** Orders that ignore case, and orders of declared values. */
import { defineCollection, defineSchema, field } from '../../language/index.ts'
import type { Fixture } from './case.ts'
import { casesOf, type QueryFixture } from './query-case.ts'

const schema = defineSchema({
  id: field.integer(),
  x: field.string(),
  inner: field.object({ text: field.string() }),
  state: field.enumeration(['new', 'Paid', 'held']),
})
const fixtureOf = (name: string, sort: object, rows: Fixture['rows']): QueryFixture => ({
  name,
  schema,
  collection: defineCollection(schema, { key: 'id', sort: sort as { x: true }, offset: { max: 100 } }),
  rows,
})

const ascii = fixtureOf('texts in lower case', { x: { ignoreCase: true }, 'inner.text': { ignoreCase: true } }, [
  { id: 1, x: 'b' },
  { id: 2, x: 'A', inner: { text: 'C' } },
  { id: 3, x: 'a', inner: { text: 'c' } },
  { id: 4, x: null },
  { id: 5, x: 'B', inner: null },
  { id: 6, x: 'a' },
  { id: 7, x: 'Z', inner: { text: null } },
  { id: 8 },
  { id: 9, x: '' },
  { id: 10, x: 'AB', inner: { text: 'B' } },
  { id: 11, x: 'a_' },
])
const unicode = fixtureOf(
  'texts in lower case beyond ASCII',
  { x: { ignoreCase: true } },
  [
    ...['İ', 'i', 'ı', 'I', '\u212a', 'k', 'K', 'ß', 'ẞ', 'ss', 'Z', 'a', 'é', 'É', '\u{10400}', '\u{10428}', '\uffee'],
  ].map((x, at) => ({ id: at + 1, x })),
)
const states = ['held', 'new', 'Paid', null, 'Paid', undefined, 'new']
const declared = fixtureOf(
  'declared values',
  { state: { declared: true } },
  states.map((state, at) => (state === undefined ? { id: at + 1 } : { id: at + 1, state })),
)
const placed = fixtureOf(
  'options of an order together',
  { x: { ignoreCase: true, nulls: 'last' }, state: { declared: true, nulls: 'last' } },
  [
    { id: 1, x: 'b', state: 'held' },
    { id: 2, x: 'B', state: 'new' },
    { id: 3, x: null, state: 'Paid' },
    { id: 4, x: 'a', state: null },
    { id: 5, state: 'held' },
  ],
)

export const inOrders = [
  ...casesOf(['ignored-case'], ascii, [
    ['sort=x&limit=100', undefined, [4, 8, 9, 2, 3, 6, 11, 10, 5, 1, 7], 'in lower case, then by code point'],
    ['sort=-x&limit=100', undefined, [7, 1, 5, 10, 11, 6, 3, 2, 9, 8, 4], 'both descend'],
    ['sort=x,-id&limit=100', undefined, [8, 4, 9, 2, 6, 3, 11, 10, 5, 1, 7], 'the next key orders equal texts'],
    ['sort=x&limit=2&offset=3', undefined, [2, 3, 6], 'an offset counts in this order'],
    ['sort=x&limit=2', ['next', 'a', 3], [6, 11, 10], 'the key decides between equal texts'],
    ['sort=x&limit=2', ['next', 'A', 2], [3, 6, 11], 'a capital comes before its small letter'],
    ['sort=x&limit=1', ['next', 'A', 99], [3, 6], 'an id that no row has'],
    ['sort=x&limit=2', ['next', 'aa', 0], [10, 5, 1], 'an underscore comes before small letters'],
    ['sort=x&limit=2', ['next', 'Ab', 1], [5, 1, 7], 'a text that equals another one in lower case'],
    ['sort=x&limit=1', ['previous', 'Ab', 1], [10, 11], 'a text that equals another one in lower case, backwards'],
    ['sort=x&limit=2', ['previous', 'a', 3], [2, 9, 8], 'back over the capital to the empty text'],
    ['sort=x&limit=2', ['next', null, 4], [8, 9, 2], 'among the rows without a value'],
    ['sort=x', ['previous', '', 9], [8, 4], 'rows without a value come before the empty text'],
    ['sort=x', ['next', 'Z', 7], [], 'after the last row'],
    ['sort=-x&limit=2', ['next', 'a', 6], [3, 2, 9], 'the small letter comes first in descending order'],
    ['sort=-x&limit=2', ['next', 'b', 1], [5, 10, 11], 'the capital follows in descending order'],
    ['sort=-x&limit=1', ['previous', 'B', 5], [1, 7], 'backwards in descending order'],
    ['sort=-x', ['next', '', 9], [8, 4], 'rows without a value come last in descending order'],
    ['sort=-x', ['previous', null, 8], [9, 2, 3, 6, 11, 10, 5, 1, 7], 'back from a row without a value'],
    ['sort=x&limit=1', ['at next', 'a', 3], [3, 6], 'the row of an inclusive position is on the page'],
    ['sort=x&limit=1', ['at previous', 'a', 3], [3, 2], 'the row of an inclusive position is on the page'],
    ['sort=x,-id&limit=1', ['next', 'a', 6], [3, 11], 'two directions'],
    ['sort=inner.text&limit=100', undefined, [1, 4, 5, 6, 7, 8, 9, 11, 10, 2, 3], 'a field of an object'],
    ['sort=inner.text', ['next', 'B', 10], [2, 3], 'a field of an object'],
    ['sort=inner.text&limit=1', ['previous', 'C', 2], [10, 11], 'a field of an object, backwards'],
  ]),
  ...casesOf(['ignored-case', 'unicode-case'], unicode, [
    [
      'sort=x&limit=100',
      undefined,
      [12, 4, 2, 1, 7, 6, 5, 10, 11, 8, 9, 14, 13, 3, 17, 15, 16],
      'by simple lower-casing: İ is beside i, the Kelvin sign beside k, and ß is not ss',
    ],
    ['sort=x&limit=2', ['next', 'İ', 1], [7, 6, 5], 'İ comes after i, before k'],
    ['sort=x&limit=2', ['previous', '\u212a', 5], [6, 7, 1], 'the Kelvin sign comes after k'],
    ['sort=x&limit=1', ['next', 'ß', 8], [9, 14], 'ẞ lowers to ß'],
    ['sort=x&limit=1', ['next', 'Z', 11], [8, 9], 'Z comes after a and ss, before ß'],
    ['sort=-x&limit=2', ['next', 'ẞ', 9], [8, 11, 10], 'ß comes after ẞ in descending order'],
    ['sort=x', ['next', '\u{10400}', 15], [16], 'letters beyond U+FFFF'],
  ]),
  ...casesOf(['declared-orders'], declared, [
    ['sort=state', undefined, [4, 6, 2, 7, 3, 5, 1], 'in the order of the schema'],
    ['sort=-state', undefined, [1, 5, 3, 7, 2, 6, 4], 'in the order of the schema, descending'],
    ['sort=-state,id', undefined, [1, 3, 5, 2, 7, 4, 6], 'two directions'],
    ['sort=state&limit=1', ['next', 'new', 7], [3, 5], 'to the next value'],
    ['sort=state', ['next', 'Paid', 3], [5, 1], 'the key decides between equal values'],
    ['sort=state', ['next', 'held', 1], [], 'after the last value'],
    ['sort=state&limit=2', ['previous', 'Paid', 3], [7, 2, 6], 'back to the value before'],
    ['sort=state&limit=2', ['next', null, 6], [2, 7, 3], 'from no value'],
    ['sort=state', ['previous', 'new', 2], [6, 4], 'rows without a value come before the first value'],
    ['sort=-state', ['next', 'new', 2], [6, 4], 'rows without a value come last in descending order'],
    ['sort=-state&limit=1', ['next', 'held', 1], [5, 3], 'to the value before, in descending order'],
    ['sort=-state&limit=1', ['previous', 'new', 2], [7, 3], 'backwards in descending order'],
    ['sort=state', ['at next', 'Paid', 5], [5, 1], 'the row of an inclusive position is on the page'],
    ['sort=-state,id', ['next', 'Paid', 3], [5, 2, 7, 4, 6], 'two directions'],
  ]),
  ...casesOf(['ignored-case', 'declared-orders', 'placed-nulls'], placed, [
    ['sort=x', undefined, [4, 2, 1, 3, 5], 'rows without a value come last'],
    ['sort=-x', undefined, [1, 2, 4, 5, 3], 'rows without a value come last, also in descending order'],
    ['sort=x', ['next', 'b', 1], [3, 5], 'over the last text'],
    ['sort=x', ['next', null, 3], [5], 'among the rows without a value'],
    ['sort=x&limit=1', ['previous', null, 3], [1, 2], 'back to the texts'],
    ['sort=-x', ['next', 'a', 4], [5, 3], 'over the first text'],
    ['sort=-x&limit=1', ['previous', null, 5], [4, 2], 'back to the texts in descending order'],
    ['sort=state', undefined, [2, 3, 1, 5, 4], 'rows without a value come last'],
    ['sort=-state', undefined, [5, 1, 3, 2, 4], 'rows without a value come last, also in descending order'],
    ['sort=state&limit=1', ['next', 'held', 1], [5, 4], 'among the last value'],
    ['sort=-state', ['next', 'new', 2], [4], 'over the first value'],
    ['sort=state&limit=1', ['previous', null, 4], [5, 1], 'back to the values'],
    ['sort=state,-x', undefined, [2, 3, 1, 5, 4], 'a text orders the rows of one value'],
    ['sort=state,-x', ['next', 'held', 'b', 1], [5, 4], 'from a text to no text'],
    ['sort=-x,state', ['next', null, 'Paid', 3], [5], 'values order the rows without a text'],
  ]),
]
