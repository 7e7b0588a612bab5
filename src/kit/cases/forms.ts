/** Stored values that do not have the type of their field, and rows with Date objects. */
import { defineSchema, field } from '../../language/index.ts'
import { casesOf, rowsOf, type Fixture, type FixtureRow } from './case.ts'
import { scalars, valued } from './operators.ts'

// --- A value in another form than that of its type counts as missing.

const formed = defineSchema({
  id: field.integer(),
  ...scalars,
  inner: field.object({ text: field.string() }),
  tags: field.list(field.string()),
  entries: field.list(field.object({ count: field.integer() })),
})
const rightForms = { ...valued[2], inner: { text: 'x' }, tags: ['x', 'y'], entries: [{ count: 1 }] }
const names = 'id text kind count amount flag day moment inner tags entries'
const forms: Fixture = {
  name: 'other forms',
  schema: formed,
  rows: [
    { id: 1, ...rightForms },
    ...rowsOf(
      names,
      [2, 7, 0, '7', '0.1', 'true', 20240301, 1709251199999, 'x', 'x', { count: 1 }],
      [3, true, true, true, true, 1, true, true, true, { 0: 'x', length: 1 }, 'x'],
      [4, { Beta: 1 }, {}, {}, {}, {}, {}, {}, { text: 7 }, [{}, null], [{ count: '1' }]],
    ),
  ] as FixtureRow[],
}
export const isOther = casesOf(['other-forms'], forms, [
  ['text=Beta', [1], 'text only'],
  ['text=7', [], 'a number is not a text'],
  ['text[contains]=true', [], 'a boolean is not a text'],
  ['text[equalsIgnoreCase]=beta', [1], 'text only'],
  ['text[containsExact]=true', [], 'a boolean is not a text'],
  ['text[startsWithExact]=', [1], 'text only'],
  ['text[exists]=true', [1], 'text only'],
  ['text[notEqual]=Beta', [2, 3, 4], 'no value: in the complement'],
  ['text[doesNotContain]=x', [1, 2, 3, 4], 'no value: in the complement'],
  ['kind[in]=red,green,blue', [1], 'text only'],
  ['count=7', [1], 'a text is not a number'],
  ['count[gt]=0', [1], 'nothing is converted'],
  ['count[exists]=false', [2, 3, 4], 'numbers only'],
  ['amount[gte]=0', [1], 'nothing is converted'],
  ['amount[nin]=0.1,1', [2, 3, 4], 'no value: in the complement'],
  ['flag=true', [1], '1 and "true" are no booleans'],
  ['flag[notEqual]=true', [2, 3, 4], 'no value: in the complement'],
  ['day=2024-03-01', [1], 'a number is not a date'],
  ['day[gt]=0001-01-01', [1], 'nothing is converted'],
  ['day[exists]=true', [1], 'dates only'],
  ['moment[lte]=9999-12-31', [1], 'dates only'],
  ['moment=2024-02-29', [1], 'milliseconds are no datetime'],
  ['moment[exists]=false', [2, 3, 4], 'dates only'],
  ['inner[exists]=true', [1, 4], 'an object only'],
  ['inner.text=x', [1], 'an object only'],
  ['inner.text[exists]=false', [2, 3, 4], 'no value at the end of the path'],
  ['tags=x', [1], 'a text is not a list; an object is not one either'],
  ['tags[exists]=true', [1], 'an entry that is text'],
  ['tags[notEqual]=x', [2, 3, 4], 'no entry is the text'],
  ['entries.count=1', [1], 'an object is not a list'],
  ['entries[exists]=true', [1, 4], 'an entry that is an object'],
  ['entries.count[exists]=false', [2, 3, 4], 'no entry has a number'],
  ['tags[atLeast]=1', [1], 'a text is not a list'],
  ['tags[atMost]=0', [2, 3, 4], 'a text is not a list, and has no entries'],
  ['entries[atLeast]=1', [1, 4], 'an entry that is an object'],
])

// --- A list counts as missing, too, where the schema has a scalar or an object.

const misplaced: Fixture = {
  name: 'misplaced lists',
  schema: formed,
  rows: [
    { id: 1, ...rightForms },
    ...rowsOf(
      names,
      [
        ...[2, ['Beta'], ['blue'], [7], [0.1], [true], ['2024-03-01'], ['2024-02-29T23:59:59.999Z']],
        ...[[{ text: 'x' }], [['x'], 7], [[{ count: 1 }], 1]],
      ],
      [3, [], [], [], [], [], [], [], [], [[]], [[]]],
    ),
  ] as FixtureRow[],
}
export const isMisplaced = casesOf(['misplaced-lists'], misplaced, [
  ['text=Beta', [1], 'text only'],
  ['text[gte]=B', [1], 'text only'],
  ['text[startsWith]=b', [1], 'text only'],
  ['text[equalsIgnoreCase]=beta', [1], 'text only'],
  ['text[startsWithExact]=B', [1], 'text only'],
  ['text[endsWithExact]=', [1], 'text only'],
  ['text[notEqual]=Beta', [2, 3], 'no value: in the complement'],
  ['text[doesNotContain]=x', [1, 2, 3], 'no value: in the complement'],
  ['text[exists]=true', [1], 'text only'],
  ['kind[in]=red,green,blue', [1], 'text only'],
  ['count=7', [1], 'numbers only'],
  ['count[exists]=false', [2, 3], 'numbers only'],
  ['amount[range]=0,1', [1], 'numbers only'],
  ['flag=true', [1], 'booleans only'],
  ['day=2024-03-01', [1], 'dates only'],
  ['day[exists]=false', [2, 3], 'dates only'],
  ['moment=2024-02-29', [1], 'datetimes only'],
  ['moment[lte]=9999-12-31', [1], 'datetimes only'],
  ['inner[exists]=true', [1], 'an object, and not a list'],
  ['inner.text=x', [1], 'no path leads through a list that the schema has not'],
  ['inner.text[exists]=false', [2, 3], 'no value at the end of the path'],
  ['tags=x', [1], 'a list is not a text entry'],
  ['tags[exists]=true', [1], 'a list is not a text entry'],
  ['entries.count=1', [1], 'a list is not an object entry'],
  ['entries[exists]=true', [1], 'a list is not an object entry'],
  ['entries.count[exists]=false', [2, 3], 'no entry has a number'],
  ['tags[atLeast]=1', [1], 'a list is not a text entry'],
  ['tags[atMost]=0', [2, 3], 'a list is not a text entry'],
  ['entries[atLeast]=1', [1], 'a list is not an object entry'],
])

const misplacedExact: Fixture = {
  name: 'misplaced lists of exact values',
  schema: defineSchema({
    id: field.integer(),
    key: field.uuid(),
    number: field.bigint(),
    price: field.decimal(),
  }),
  rows: [
    { id: 1, key: '0a1b2c3d-4e5f-4789-8abc-def012345678', number: '9007199254740993', price: '1.1' },
    { id: 2, key: ['0a1b2c3d-4e5f-4789-8abc-def012345678'], number: ['9007199254740993'], price: ['1.1'] },
    { id: 3, key: [], number: [], price: [] },
  ],
}
export const isMisplacedExact = casesOf(['misplaced-lists'], misplacedExact, [
  ['key=0a1b2c3d-4e5f-4789-8abc-def012345678', [1], 'uuids only'],
  ['key[gte]=00000000-0000-0000-0000-000000000000', [1], 'uuids only'],
  ['key[exists]=false', [2, 3], 'uuids only'],
  ['number=9007199254740993', [1], 'whole numbers only'],
  ['number[gt]=0', [1], 'whole numbers only'],
  ['number[notEqual]=9007199254740993', [2, 3], 'no value: in the complement'],
  ['price=1.1', [1], 'decimals only'],
  ['price[lt]=2', [1], 'decimals only'],
  ['price[exists]=true', [1], 'decimals only'],
])

// --- Rows in memory may contain Date objects.

const dates: Fixture = {
  name: 'Date objects',
  schema: defineSchema({
    id: field.integer(),
    day: field.date(),
    moment: field.datetime(),
    days: field.list(field.date()),
  }),
  rows: [
    {
      id: 1,
      day: new Date('2024-02-29T23:59:59.999Z'),
      moment: new Date('2024-02-29T23:59:59.999Z'),
      days: [new Date('2024-01-01T00:00:00Z')],
    },
    { id: 2, day: '2024-02-29', moment: '2024-03-01T01:00:00+01:00', days: ['2024-01-01'] },
    { id: 3, day: new Date('2024-03-01T00:00:00Z'), moment: new Date('2024-03-01T00:00:00Z'), days: [] },
    { id: 4, day: null, moment: null },
  ],
}
export const dateObjects = casesOf(['date-objects'], dates, [
  ['day=2024-02-29', [1, 2], 'the UTC day of a Date counts'],
  ['day[gt]=2024-02-29', [3], 'the UTC day of a Date counts'],
  ['day[lte]=2024-02-29', [1, 2], 'to the end of the day'],
  ['day[in]=2024-03-01,2024-03-02', [3], 'the UTC day of a Date counts'],
  ['day[notEqual]=2024-02-29', [3, 4], 'the complement'],
  ['day[exists]=true', [1, 2, 3], 'a Date is a value'],
  ['moment=2024-03-01T00:00:00Z', [2, 3], 'one moment, in text and as a Date'],
  ['moment[lt]=2024-03-01', [1], 'before the day'],
  ['moment[in]=2024-02-29T23:59:59.999Z', [1], 'to the millisecond'],
  ['moment[exists]=false', [4], 'a Date is a value'],
  ['days=2024-01-01', [1, 2], 'in lists too'],
])

// --- One value in several forms.

const valueForms: Fixture = {
  name: 'values in several forms',
  schema: defineSchema({
    id: field.integer(),
    key: field.uuid(),
    number: field.bigint(),
    price: field.decimal(),
  }),
  rows: [
    { id: 1, key: '0A1B2C3D-4E5F-4789-8ABC-DEF012345678', number: 7, price: 1.1 },
    { id: 2, key: '0a1b2c3d-4e5f-4789-8abc-def012345678', number: 7n, price: '1.10' },
    { id: 3, key: '0a1B2c3D-4e5f-4789-8abc-def012345678', number: '7', price: '11e-1' },
    { id: 4, key: 'FFFFFFFF-FFFF-4FFF-BFFF-FFFFFFFFFFFF', number: 9007199254740993n, price: 9007199254740993n },
    { id: 5, key: '7fffffff-ffff-4fff-bfff-ffffffffffff', number: 9007199254740991, price: 1e21 },
    { id: 6, key: null, number: 9007199254740992, price: NaN },
    { id: 7, number: 9223372036854775808n, price: Infinity },
  ],
}
export const inValueForms = casesOf(['value-forms'], valueForms, [
  ['key=0a1b2c3d-4e5f-4789-8abc-def012345678', [1, 2, 3], 'any case is the same uuid'],
  ['key[in]=ffffffff-ffff-4fff-bfff-ffffffffffff', [4], 'any case is the same uuid'],
  ['key[gt]=7fffffff-ffff-4fff-bfff-ffffffffffff', [4], 'upper case has the order of lower case'],
  ['key[lt]=7fffffff-ffff-4fff-bfff-ffffffffffff', [1, 2, 3], 'upper case has the order of lower case'],
  ['key[notEqual]=0a1b2c3d-4e5f-4789-8abc-def012345678', [4, 5, 6, 7], 'the complement'],
  ['number=7', [1, 2, 3], 'a number, a bigint and a text are one value'],
  ['number[in]=7,9007199254740993', [1, 2, 3, 4], 'one of them'],
  ['number[gt]=7', [4, 5], 'by value'],
  ['number[gt]=9007199254740991', [4], 'a number beyond the safe integers counts as null'],
  ['number[exists]=false', [6, 7], 'a number beyond the safe integers, or a text beyond 64 bits, counts as null'],
  ['price=1.1', [1, 2, 3], 'a number, and texts with zeros or an exponent, are one value'],
  ['price[nin]=1.1', [4, 5, 6, 7], 'the complement'],
  ['price=9007199254740993', [4], 'a bigint is exact'],
  ['price[gte]=1000000000000000000000', [5], 'a number is its shortest text'],
  ['price[lt]=9007199254740993', [1, 2, 3], 'by value'],
  ['price[exists]=false', [6, 7], 'NaN and infinities count as null'],
])

const finerDates: Fixture = {
  name: 'Date objects beside microseconds',
  schema: defineSchema({ id: field.integer(), at: field.datetime() }),
  rows: [
    { id: 1, at: new Date('2024-01-01T00:00:00.123Z') },
    { id: 2, at: '2024-01-01T00:00:00.123456Z' },
    { id: 3, at: '2024-01-01T01:00:00.1234569+01:00' },
    { id: 4, at: '2024-01-01T00:00:00.123457Z' },
    { id: 5, at: new Date('2024-01-01T00:00:00.124Z') },
    { id: 6, at: null },
  ],
}
export const inFinerDates = casesOf(['date-objects', 'microseconds'], finerDates, [
  ['at=2024-01-01T00:00:00.123Z', [1], 'a Date has whole milliseconds'],
  ['at=2024-01-01T00:00:00.123456Z', [2, 3], 'finer digits are cut off'],
  ['at[gt]=2024-01-01T00:00:00.123Z', [2, 3, 4, 5], 'microseconds come after their millisecond'],
  ['at[lt]=2024-01-01T00:00:00.123457Z', [1, 2, 3], 'before, to the microsecond'],
  ['at[lt]=2024-01-01T00:00:00.124Z', [1, 2, 3, 4], 'before the next millisecond'],
  ['at[in]=2024-01-01T00:00:00.124000Z,2024-01-01T00:00:00.123457Z', [4, 5], 'one of them'],
  ['at[notEqual]=2024-01-01T00:00:00.123456Z', [1, 4, 5, 6], 'the complement'],
  ['at=2024-01-01', [1, 2, 3, 4, 5], 'a day is all of it'],
])
