/** Order and pages: several sort keys, keys of rows, positions, offsets, values of other forms, searches. */
import { defineCollection, defineSchema, field } from '../../language/index.ts'
import { rowsOf, type FixtureRow } from './case.ts'
import { promisedBy, promisedRows } from './promises.ts'
import { casesOf, fixtureOf, type Line, type QueryCase, type QueryFixture } from './query-case.ts'
import { exactInOrder, inOrder } from './sort-keys.ts'

// --- Several sort keys, positions, offsets.

const sales = fixtureOf(
  'sales',
  { seller: field.string(), total: field.number(), gift: field.boolean() },
  rowsOf(
    'id seller total gift',
    [1, 's-1', 10, true],
    [2, 's-1', 20, null],
    [3, 's-2', 10, false],
    [4, 's-2', null, true],
    [5, null, 10, true],
    [6, 's-1', 10, false],
    [7, 'S-1', 20, true],
    [8, 's-2', 20, false],
    [9],
    [10, 's-1', null, true],
  ) as FixtureRow[],
)
const severalKeys = casesOf([], sales, [
  ['', undefined, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 'without an order, by the key'],
  ['sort=seller,-id', undefined, [9, 5, 7, 10, 6, 2, 1, 8, 4, 3], 'the key in a direction of its own'],
  ['sort=-seller,id', undefined, [3, 4, 8, 1, 2, 6, 10, 7, 5, 9], 'the key in a direction of its own'],
  ['sort=-seller,id&limit=2', ['next', 's-1', 2], [6, 10, 7], 'the key in a direction of its own'],
  ['sort=-id&limit=2', undefined, [10, 9, 8], 'the key itself, descending; one row more than the page'],
  ['sort=seller,total', undefined, [9, 5, 7, 10, 1, 6, 2, 4, 3, 8], 'both ascending'],
  ['sort=seller,-total', undefined, [5, 9, 7, 2, 6, 1, 10, 8, 3, 4], 'mixed; the key goes with the last sort key'],
  ['sort=-seller,total', undefined, [4, 3, 8, 10, 1, 6, 2, 7, 9, 5], 'mixed; the key goes with the last sort key'],
  ['sort=-seller,-total', undefined, [8, 3, 4, 2, 6, 1, 10, 7, 5, 9], 'both descending'],
  ['sort=seller,-total,id', undefined, [5, 9, 7, 2, 1, 6, 10, 8, 3, 4], 'the key may have a direction of its own'],
  ['sort=gift,-seller,total', undefined, [2, 9, 3, 8, 6, 4, 10, 1, 7, 5], 'three sort keys of mixed directions'],
  ['sort=-gift,seller,-total', undefined, [5, 7, 1, 10, 4, 6, 8, 3, 9, 2], 'three sort keys of mixed directions'],
  ['seller=s-1&sort=total', undefined, [10, 1, 6, 2], 'the rows of a filter'],
  ['seller[notEqual]=s-1&sort=-total', undefined, [8, 7, 5, 3, 9, 4], 'the rows of a complement'],

  ['sort=seller,total&limit=1', undefined, [9, 5], 'a page of one row'],
  ['sort=seller,total&limit=10', undefined, [9, 5, 7, 10, 1, 6, 2, 4, 3, 8], 'no row more than there are'],
  ['sort=seller,total&limit=3&offset=4', undefined, [1, 6, 2, 4], 'an offset'],
  ['sort=seller,total&limit=3&offset=9', undefined, [8], 'an offset before the last row'],
  ['sort=seller,total&limit=3&offset=10', undefined, [], 'an offset beyond the last row'],
  ['sort=seller,total&limit=2&offset=0', undefined, [9, 5, 7], 'an offset of nothing'],
  ['seller=s-1&sort=-total&limit=1&offset=1', undefined, [6, 1], 'an offset among the rows of a filter'],

  ['sort=seller,total&limit=3', ['next', null, null, 9], [5, 7, 10, 1], 'after the first row'],
  ['sort=seller,total', ['next', 's-2', 20, 8], [], 'after the last row'],
  ['sort=seller,total', ['previous', null, null, 9], [], 'before the first row'],
  ['sort=seller,total&limit=2', ['previous', 's-2', 20, 8], [3, 4, 2], 'before the last row, read backwards'],
  ['sort=seller,total&limit=2', ['next', 's-1', null, 10], [1, 6, 2], 'after a null of the second key'],
  ['sort=seller,total&limit=9', ['previous', 's-1', null, 10], [7, 5, 9], 'before a null of the second key'],
  ['sort=seller,total&limit=2', ['next', 's-1', 10, 1], [6, 2, 4], 'between two rows with equal values'],
  ['sort=seller,total&limit=2', ['previous', 's-1', 10, 6], [1, 10, 7], 'between two rows with equal values'],
  ['sort=seller,total&limit=2', ['next', 's-1', 10, 3], [6, 2, 4], 'at a row that is gone, in a tie'],
  ['sort=seller,total&limit=2', ['previous', 's-1', 10, 3], [1, 10, 7], 'at a row that is gone, in a tie'],
  ['sort=seller,total', ['next', 's-1x', 5, 1], [4, 3, 8], 'at a row that is gone, with a value of its own'],
  ['sort=seller,total', ['next', 't', null, 1], [], 'at a row that is gone, beyond the last'],
  ['sort=seller,total&limit=1', ['previous', 't', null, 1], [8, 3], 'at a row that is gone, beyond the last'],
  ['sort=seller,total&limit=2', ['next', null, null, 0], [9, 5, 7], 'at a row that is gone, before the first'],
  ['sort=seller,total', ['previous', null, null, 0], [], 'at a row that is gone, before the first'],
  ['sort=seller,-total&limit=3', ['next', 's-1', 10, 6], [1, 10, 8, 3], 'a null of a descending second key comes last'],
  ['sort=seller,-total', ['previous', 's-1', 10, 6], [2, 7, 9, 5], 'backwards through mixed directions'],
  ['sort=seller,-total&limit=5', ['next', 's-1', null, 10], [8, 3, 4], 'after a null of a descending second key'],
  ['sort=seller,-total&limit=1', ['next', null, null, 9], [7, 2], 'after no value in both keys'],
  ['sort=seller,-total&limit=1', ['previous', 's-2', null, 4], [3, 8], 'before a null of a descending second key'],
  ['sort=-seller,total', ['next', 'S-1', 20, 7], [9, 5], 'no value comes last in descending order'],
  ['sort=-seller,total', ['next', null, null, 9], [5], 'after no value of a descending first key'],
  ['sort=-seller,total&limit=2', ['previous', null, null, 9], [7, 2, 6], 'before no value of a descending first key'],
  ['sort=gift,-seller,total&limit=2', ['next', null, null, null, 9], [3, 8, 6], 'after no value in three keys'],
  ['sort=gift,-seller,total&limit=2', ['next', false, 's-1', 10, 6], [4, 10, 1], 'from false to true'],
  ['sort=gift,-seller,total', ['next', true, null, 10, 5], [], 'after the last row'],
  ['sort=gift,-seller,total&limit=3', ['previous', true, 's-2', null, 4], [6, 8, 3, 9], 'from true back to false'],
  ['sort=gift,-seller,total&limit=2', ['next', false, 's-2', 15, 1], [8, 6, 4], 'at a row that is gone'],
  ['sort=-gift,seller,-total&limit=2', ['next', true, 's-2', null, 4], [6, 8, 3], 'from true to false'],
  ['sort=-gift,seller,-total', ['next', false, 's-2', 10, 3], [9, 2], 'from false to no value'],
  ['sort=-gift,seller,-total&limit=2', ['previous', null, null, null, 9], [3, 8, 6], 'from no value back to false'],
  ['seller=s-1&sort=total', ['next', 10, 1], [6, 2], 'among the rows of a filter'],
  ['seller=s-1&sort=total', ['next', 10, 3], [6, 2], 'at a row that the filter leaves out'],
  ['sort=-id', ['next', 3], [2, 1], 'the key alone, descending'],
  ['sort=id&limit=1', ['previous', 3], [2, 1], 'the key alone, backwards'],
])

// --- A key of two fields.

const numbered = fixtureOf(
  'key of two fields',
  { tenant: field.string(), number: field.integer(), x: field.integer() },
  [
    { id: 1, tenant: 'b', number: 1, x: 5 },
    { id: 2, tenant: 'a', number: 2, x: 5 },
    { id: 3, tenant: 'a', number: 1, x: 5 },
    { id: 4, tenant: 'b', number: 2, x: null },
    { id: 5, tenant: 'c', number: 1, x: 1 },
    { id: 6, tenant: 'A', number: 1, x: 5 },
  ],
  ['tenant', 'number'],
)
const ofTwoFields = casesOf([], numbered, [
  ['', undefined, [6, 3, 2, 1, 4, 5], 'by both fields of the key; case counts'],
  ['sort=x', undefined, [4, 5, 6, 3, 2, 1], 'the key follows, ascending'],
  ['sort=-x', undefined, [1, 2, 3, 6, 5, 4], 'the key follows, descending'],
  ['sort=-number', undefined, [4, 2, 5, 1, 3, 6], 'the rest of the key follows, descending'],
  ['sort=number,tenant', undefined, [6, 3, 1, 5, 2, 4], 'the fields of the key in another order'],
  ['sort=-x,tenant', undefined, [6, 3, 2, 1, 5, 4], 'the rest of the key goes with the last sort key'],
  ['sort=x', ['next', 5, 'a', 1], [2, 1], 'between two rows with the same first field of the key'],
  ['sort=x', ['previous', 5, 'a', 2], [3, 6, 5, 4], 'between two rows with the same first field of the key'],
  ['sort=-x&limit=1', ['next', 5, 'A', 1], [5, 4], 'after the last of equal values'],
  ['', ['next', 'a', 3], [1, 4, 5], 'at a row that is gone'],
])

// --- Keys of exact types.

const keyedByUuid = fixtureOf(
  'key of type uuid',
  { key: field.uuid(), x: field.integer() },
  [
    { id: 1, key: 'ffffffff-0000-4000-8000-000000000000', x: 1 },
    { id: 2, key: '0fffffff-0000-4000-8000-000000000000', x: 1 },
    { id: 3, key: '80000000-0000-4000-8000-000000000000', x: null },
    { id: 4, key: '80000000-0000-4000-8000-000000000001', x: 1 },
  ],
  ['key'],
)
const byUuid = casesOf([], keyedByUuid, [
  ['', undefined, [2, 3, 4, 1], 'by the key'],
  ['sort=-x', undefined, [1, 4, 2, 3], 'the key follows, descending'],
  ['limit=1', ['next', '80000000-0000-4000-8000-000000000000'], [4, 1], 'to the last digit'],
  ['', ['previous', '80000000-0000-4000-8000-000000000001'], [3, 2], 'to the last digit'],
  ['sort=x', ['next', 1, '0fffffff-0000-4000-8000-000000000000'], [4, 1], 'in a tie'],
  ['sort=-key&limit=1', ['next', '80000000-0000-4000-8000-000000000001'], [3, 2], 'descending'],
])
const keyedByBigint = fixtureOf(
  'key of type bigint',
  { key: field.bigint(), x: field.integer() },
  [
    { id: 1, key: '9007199254740993', x: 1 },
    { id: 2, key: '9007199254740992', x: 1 },
    { id: 3, key: '-9223372036854775808', x: null },
    { id: 4, key: '9223372036854775807', x: 1 },
  ],
  ['key'],
)
const byBigint = casesOf([], keyedByBigint, [
  ['', undefined, [3, 2, 1, 4], 'by the key'],
  ['sort=-x', undefined, [4, 1, 2, 3], 'the key follows, descending'],
  ['limit=1', ['next', '9007199254740992'], [1, 4], 'to the unit'],
  ['', ['previous', '9007199254740993'], [2, 3], 'to the unit'],
  ['sort=x', ['next', 1, '9007199254740992'], [1, 4], 'in a tie'],
  ['sort=-key&limit=1', ['next', '9007199254740993'], [2, 3], 'descending'],
])

// --- Required sort keys: the same order with the promise and without.

const promisedFixture = (name: string, promises: { readonly required?: true }): QueryFixture => {
  const schema = promisedBy(promises)
  return { name, schema, rows: promisedRows, collection: defineCollection(schema, { key: 'id', sort: true }) }
}
const ofPromises = (
  [
    ['order of required fields', { required: true }],
    ['order of fields that are there', {}],
  ] as const
)
  .map(([name, promises]) => promisedFixture(name, promises))
  .flatMap((fixture) =>
    casesOf([], fixture, [
      ['sort=text', undefined, [3, 4, 1, 5, 2], 'every row has a value'],
      ['sort=-text', undefined, [2, 5, 1, 4, 3], 'every row has a value'],
      ['sort=text', ['next', 'a', 1], [5, 2], 'the key decides in a tie'],
      ['sort=text&limit=2', ['previous', 'a', 5], [1, 4, 3], 'the key decides in a tie'],
      ['sort=-text&limit=2', ['next', 'b', 2], [5, 1, 4], 'descending'],
      ['sort=kind,-moment', undefined, [4, 2, 5, 3, 1], 'two required keys'],
      ['sort=-count,owner.name', undefined, [5, 2, 1, 3, 4], 'a field of a required object'],
      ['sort=-count,owner.name', ['next', 2, 'O', 5], [2, 1, 3, 4], 'a field of a required object'],
      ['sort=owner.home.city&limit=2', ['next', 'M', 2], [1, 4, 5], 'in a required object of a required object'],
      ['sort=flag,-day', undefined, [5, 2, 3, 4, 1], 'mixed directions'],
      ['sort=flag,-day', ['previous', true, '2024-02-29', 4], [3, 2, 5], 'mixed directions, backwards'],
      ['sort=inner.text', undefined, [2, 4, 3, 1, 5], 'a row without the object counts as a row without a value'],
      ['sort=-inner.text', undefined, [5, 1, 3, 4, 2], 'a row without the object counts as a row without a value'],
      ['sort=inner.text', ['next', null, 2], [4, 3, 1, 5], 'from no object'],
      ['sort=inner.text', ['previous', '', 3], [4, 2], 'back to no object'],
      ['sort=-inner.text', ['next', '', 3], [4, 2], 'no object comes last in descending order'],
      ['sort=-inner.text', ['previous', null, 4], [3, 1, 5], 'from no object back, in descending order'],
      ['sort=inner.count,text', ['next', null, 'B', 4], [2, 3, 1, 5], 'a required key after one that may be missing'],
    ]),
  )

// --- Fields of objects.

const people = fixtureOf(
  'fields of an object',
  { customer: field.object({ name: field.string(), age: field.integer() }) },
  [
    { id: 1, customer: { name: 'b' } },
    { id: 2, customer: { name: 'a' } },
    { id: 3, customer: null },
    { id: 4 },
    { id: 5, customer: { name: null, age: 1 } },
    { id: 6, customer: { age: 2 } },
    { id: 7, customer: { name: 'a', age: 1 } },
  ],
)
const inObjects = casesOf([], people, [
  ['sort=customer.name', undefined, [3, 4, 5, 6, 2, 7, 1], 'a row without the object counts as a row without a value'],
  ['sort=-customer.name', undefined, [1, 7, 2, 6, 5, 4, 3], 'a row without the object counts as a row without a value'],
  ['sort=customer.age,-customer.name', undefined, [1, 2, 4, 3, 7, 5, 6], 'two fields of one object'],
  ['sort=customer.name&limit=1', ['next', null, 5], [6, 2], 'after an object without the field'],
  [
    'sort=-customer.name&limit=2',
    ['next', 'a', 2],
    [6, 5, 4],
    'a row without the object counts as a row without a value',
  ],
  ['sort=customer.name&offset=2', ['next', null, 4], [2, 7, 1], 'an offset counts from the position'],
  [
    'sort=customer.name&offset=1&limit=2',
    ['previous', 'a', 2],
    [5, 4, 3],
    'an offset counts backwards from the position',
  ],
  ['sort=customer.name', ['at next', 'a', 2], [2, 7, 1], 'the row of an inclusive position is on the page'],
  [
    'sort=-customer.name&limit=2',
    ['at previous', null, 4],
    [4, 5, 6],
    'the row of an inclusive position is on the page',
  ],
  ['sort=customer.name&offset=5', ['next'], [7, 1], 'a position without values is the beginning of the order'],
  ['sort=customer.name&offset=2&limit=1', ['previous'], [2, 6], 'a position without values is the end, read backwards'],
])

// --- A value of another type than its field sorts as a missing value.

const others = fixtureOf(
  'order of other forms',
  {
    text: field.string(),
    count: field.integer(),
    flag: field.boolean(),
    day: field.date(),
    moment: field.datetime(),
    inner: field.object({ text: field.string() }),
  },
  rowsOf(
    'id text count flag day moment inner',
    [1, 'b', 7, true, '2024-03-01', '2024-03-01T00:00:00.000Z', { text: 'b' }],
    [2, 7, '3', 'true', 20240201, 1709251199999, 'a'],
    [3, true, true, 1, true, true, true],
    [4, { a: 1 }, {}, {}, {}, {}, { text: 7 }],
    [5, 'a', 1, false, '2024-02-01', '2024-02-01T00:00:00.000Z', { text: 'a' }],
    [6, null, null, null, null, null, null],
  ) as FixtureRow[],
)
const ofOtherForms = casesOf(['sorted-other-forms'], others, [
  ...['text', 'count', 'flag', 'day', 'moment', 'inner.text'].flatMap((path): Line[] => [
    [`sort=${path}`, undefined, [2, 3, 4, 6, 5, 1], 'a value of another type counts as null'],
    [`sort=-${path}`, undefined, [1, 5, 6, 4, 3, 2], 'a value of another type counts as null'],
    [`sort=${path}&limit=2`, ['next', null, 3], [4, 6, 5], 'a value of another type counts as null'],
    [`sort=-${path}`, ['next', null, 6], [4, 3, 2], 'a value of another type counts as null'],
  ]),
  ['sort=text&limit=2', ['previous', 'a', 5], [6, 4, 3], 'a value of another type counts as null'],
  ['sort=-count', ['next', 1, 5], [6, 4, 3, 2], 'a value of another type counts as null'],
])

const misplaced = fixtureOf(
  'order of misplaced lists',
  { text: field.string(), count: field.integer(), inner: field.object({ text: field.string() }) },
  [
    { id: 1, text: 'b', count: 2, inner: { text: 'b' } },
    { id: 2, text: ['a'], count: [1], inner: [{ text: 'a' }] },
    { id: 3, text: [], count: [], inner: [] },
    { id: 4, text: 'a', count: 1, inner: { text: 'a' } },
  ],
)
const ofMisplacedLists = casesOf(
  ['sorted-other-forms', 'misplaced-lists'],
  misplaced,
  ['text', 'count', 'inner.text'].flatMap((path): Line[] => [
    [`sort=${path}`, undefined, [2, 3, 4, 1], 'a list counts as null'],
    [`sort=-${path}`, undefined, [1, 4, 3, 2], 'a list counts as null'],
  ]),
)

const dates = fixtureOf('order of Date objects', { day: field.date(), moment: field.datetime() }, [
  { id: 1, day: new Date('2024-02-29T23:59:59.999Z'), moment: new Date('2024-01-01T00:00:00.001Z') },
  { id: 2, day: '2024-02-28', moment: '2024-01-01T00:00:00.000Z' },
  { id: 3, day: '2024-02-29', moment: '2024-01-01T01:00:00.001+01:00' },
  { id: 4, day: new Date('2024-03-01T00:00:00Z'), moment: new Date(0) },
  { id: 5, day: null, moment: null },
])
const ofDateObjects = casesOf(['date-objects'], dates, [
  ['sort=day', undefined, [5, 2, 1, 3, 4], 'the UTC day of a Date counts'],
  ['sort=-day', undefined, [4, 3, 1, 2, 5], 'the UTC day of a Date counts'],
  ['sort=day', ['next', '2024-02-29', 1], [3, 4], 'the UTC day of a Date counts'],
  ['sort=moment', undefined, [5, 4, 2, 1, 3], 'one moment, in text and as a Date'],
  ['sort=-moment', undefined, [3, 1, 2, 4, 5], 'one moment, in text and as a Date'],
  ['sort=moment', ['previous', '2024-01-01T00:00:00.001Z', 3], [1, 2, 4, 5], 'one moment, in text and as a Date'],
])

const valueForms = fixtureOf(
  'order of values in several forms',
  { key: field.uuid(), number: field.bigint(), price: field.decimal(), at: field.datetime() },
  rowsOf(
    'id key number price at',
    [1, 'B0000000-0000-4000-8000-000000000000', 10, 1.1, '2024-01-01T00:00:00.123456Z'],
    [2, 'a0000000-0000-4000-8000-000000000000', '9', '1.09e0', new Date('2024-01-01T00:00:00.123Z')],
    [3, 'b0000000-0000-4000-8000-000000000000', 10n, '11e-1', '2024-01-01T01:00:00.123456+01:00'],
    [4, null, 2 ** 60, NaN, null],
  ) as FixtureRow[],
)
const ofValueForms = casesOf(
  ['value-forms', 'date-objects', 'microseconds'],
  valueForms,
  ['key', 'number', 'price', 'at'].flatMap((path): Line[] => [
    [`sort=${path}`, undefined, [4, 2, 1, 3], 'one value in several forms'],
    [`sort=-${path}`, undefined, [3, 1, 2, 4], 'one value in several forms'],
  ]),
)

// --- Searches

const searchedSchema = defineSchema({
  id: field.integer(),
  name: field.string(),
  note: field.string(),
  tags: field.list(field.string()),
  items: field.list(field.object({ product: field.string() })),
})
const searched: QueryFixture = {
  name: 'searches',
  schema: searchedSchema,
  collection: defineCollection(searchedSchema, {
    key: 'id',
    sort: ['name'],
    search: ['name', 'note', 'tags', 'items.product'],
  }),
  rows: [
    { id: 1, name: 'Jo Smith', note: 'wants a surf lesson', tags: ['sea'], items: [{ product: 'board' }] },
    { id: 2, name: 'JOANNA', note: null, tags: ['Surf', 'x'], items: [] },
    { id: 3, name: 'Ann', note: 'jo called', tags: [], items: [{ product: 'bed' }, { product: 'Surf board' }] },
    { id: 4, name: 'Ann', note: 'a "surf" lesson', tags: ['jo surf'], items: [{ product: null }] },
    { id: 5, name: '100%_', note: 'back\\slash', tags: ['y'], items: [{ product: 'ham' }, { product: 'jam' }] },
    { id: 6 },
  ],
}
const searches = casesOf([], searched, [
  ['search=jo', undefined, [1, 2, 3, 4], 'a word is in one of the texts, case ignored'],
  ['search=SURF+jo', undefined, [1, 2, 3, 4], 'each word is in one of the texts, in any order'],
  ['search=jo+smith', undefined, [1], 'each word counts'],
  ['search="jo+surf"', undefined, [4], 'a phrase is one word'],
  ['search=ham+jam', undefined, [5], 'two words in two entries of one list'],
  ['search="bed+board"', undefined, [], 'a phrase is in one entry'],
  ['search=%25_', undefined, [5], 'every character means itself'],
  ['search=k\\s', undefined, [5], 'a backslash in a bare word is itself'],
  ['search="\\"surf\\""', undefined, [4], 'a quote after a backslash is itself'],
  ['search=jo&name=Ann&sort=-name', undefined, [4, 3], 'beside a condition, in an order'],
  ['search=jo&sort=name&limit=1', ['next', 'Ann', 3], [4, 2], 'a page of a search'],
  ['search=zz', undefined, [], 'no text has the word'],
])

export const pageCases: readonly QueryCase[] = [
  ...inOrder,
  ...exactInOrder,
  ...severalKeys,
  ...ofTwoFields,
  ...byUuid,
  ...byBigint,
  ...ofPromises,
  ...inObjects,
  ...ofOtherForms,
  ...ofMisplacedLists,
  ...ofDateObjects,
  ...ofValueForms,
  ...searches,
]
