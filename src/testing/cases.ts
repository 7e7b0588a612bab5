/**
 * What filters mean, as data: fixtures of rows, queries over them, and the ids that they must select, worked
 * out by hand from the language's rules, never by running a backend.
 */
import { and, comparison, match, membership, not, or, presence, some, type Filter, type Literal } from '../ast/index.ts'
import type { Feature } from '../backends/backend.ts'
import { defineSchema, field, type Fields, type Schema } from '../language/index.ts'

/** Rows to load into a backend's store. Each has an `id`, an integer of its own. */
export interface Fixture {
  readonly name: string
  readonly schema: Schema
  readonly rows: readonly FixtureRow[]
}
export interface FixtureRow {
  readonly id: number
  readonly [field: string]: unknown
}

/** A query, or a filter that no query says, and the rows that it selects. */
export interface Case {
  readonly name: string
  readonly fixture: Fixture
  /** A query string over the fixture's schema. */
  readonly query?: string
  /** A filter, where there is no query. */
  readonly filter?: Filter
  /** The ids that are selected, ascending. */
  readonly expected: readonly number[]
  /** What a backend must be able to tell apart for this case to concern it. */
  readonly requires: readonly Feature[]
  /** The rule that decides, in a line. */
  readonly why: string
}

type Line = readonly [query: string | Filter, expected: readonly number[], why: string]

function casesOf(fixture: Fixture, requires: readonly Feature[], lines: readonly Line[]): Case[] {
  return lines.map(([said, expected, why]) => ({
    name: `${fixture.name}: ${typeof said === 'string' ? said || '(empty)' : why}`,
    fixture,
    ...(typeof said === 'string' ? { query: said } : { filter: said }),
    expected,
    requires,
    why,
  }))
}

// --- Every operator on every type, in every place where a field can be.

const scalars: Fields = {
  text: field.string(),
  kind: field.enumeration(['red', 'green', 'blue']),
  count: field.integer(),
  amount: field.number(),
  flag: field.boolean(),
  day: field.date(),
  moment: field.datetime(),
}

/** Rows 1 to 4 have values. */
const valued: readonly Readonly<Record<string, unknown>>[] = [
  {
    text: 'alpha',
    kind: 'red',
    count: -5,
    amount: -1.5,
    flag: true,
    day: '2024-01-31',
    moment: '2024-01-31T10:00:00.000Z',
  },
  {
    text: 'beta',
    kind: 'green',
    count: 0,
    amount: 0,
    flag: false,
    day: '2024-02-29',
    moment: '2024-02-29T00:00:00.000Z',
  },
  {
    text: 'Beta',
    kind: 'blue',
    count: 7,
    amount: 0.1,
    flag: true,
    day: '2024-03-01',
    moment: '2024-02-29T23:59:59.999Z',
  },
  {
    text: 'gamma ray',
    kind: 'red',
    count: 7,
    amount: 1e21,
    flag: false,
    day: '2024-12-31',
    moment: '2024-03-01T00:00:00.000Z',
  },
]
interface Place {
  readonly name: string
  readonly fields: Fields
  readonly path: (field: string) => string
  readonly row: (values: Readonly<Record<string, unknown>>) => object
  /** Six ways of having no value. */
  readonly empty: readonly object[]
}

const listed = (values: (value: unknown) => unknown, of: object): object =>
  Object.fromEntries(Object.entries(of).map(([name, value]) => [name, values(value)]))
const nulls = listed(() => null, scalars)
const entries = field.list(field.object(scalars))

const places: readonly Place[] = [
  {
    name: 'a field',
    fields: scalars,
    path: (name) => name,
    row: (values) => values,
    empty: [nulls, {}, nulls, {}, nulls, {}],
  },
  {
    name: 'a field of an object',
    fields: { inner: field.object(scalars) },
    path: (name) => `inner.${name}`,
    row: (inner) => ({ inner }),
    empty: [{ inner: nulls }, { inner: {} }, { inner: null }, {}, { inner: nulls }, { inner: {} }],
  },
  {
    name: 'a list of scalars',
    fields: listed((definition) => field.list(definition as never), scalars) as Fields,
    path: (name) => name,
    row: (values) => listed((value) => [null, value], values),
    empty: [
      listed(() => [null], scalars),
      listed(() => [], scalars),
      nulls,
      {},
      listed(() => [null, null], scalars),
      listed(() => [], scalars),
    ],
  },
  {
    name: 'a list of objects',
    fields: { entries },
    path: (name) => `entries.${name}`,
    row: (values) => ({ entries: [nulls, values] }),
    empty: [{ entries: [nulls] }, { entries: [{}] }, { entries: null }, {}, { entries: [] }, { entries: [nulls, {}] }],
  },
  {
    name: 'a list in a list',
    fields: { groups: field.list(field.object({ entries })) },
    path: (name) => `groups.entries.${name}`,
    row: (values) => ({ groups: [{ entries: [] }, { entries: [nulls, values] }] }),
    empty: [
      { groups: [{ entries: [nulls] }] },
      { groups: [{ entries: [{}] }, { entries: [] }] },
      { groups: null },
      {},
      { groups: [] },
      { groups: [{ entries: null }, {}] },
    ],
  },
]

/** By field: what stands after the path, and the rows with values that it selects. */
const selected: Readonly<Record<string, readonly Line[]>> = {
  text: [
    ['=beta', [2], 'equality is exact: case counts'],
    ['[gt]=beta', [4], 'capitals come before small letters in code point order'],
    ['[gte]=beta', [2, 4], 'at least'],
    ['[lt]=beta', [1, 3], 'before'],
    ['[lte]=beta', [1, 2, 3], 'at most'],
    ['[range]=alpha,beta', [1, 2], 'both bounds are included'],
    ['[range]=beta,alpha', [], 'a reversed range selects nothing'],
    ['[in]=beta,gamma+ray', [2, 4], 'one of them'],
    ['[startsWith]=BE', [2, 3], 'case is ignored'],
    ['[endsWith]=A', [1, 2, 3], 'case is ignored'],
    ['[contains]=MM', [4], 'case is ignored'],
    ['[contains]=', [1, 2, 3, 4], 'every text contains the empty one; no value contains nothing'],
    ['[exists]=true', [1, 2, 3, 4], 'there is a value'],
  ],
  kind: [
    ['=red', [1, 4], 'equality'],
    ['[in]=red,blue', [1, 3, 4], 'one of them'],
    ['[exists]=true', [1, 2, 3, 4], 'there is a value'],
  ],
  count: [
    ['=7', [3, 4], 'equality'],
    ['=-0', [2], '-0 is 0'],
    ['[gt]=0', [3, 4], 'after'],
    ['[gte]=0', [2, 3, 4], 'at least'],
    ['[lt]=0', [1], 'before'],
    ['[lte]=0', [1, 2], 'at most'],
    ['[range]=-5,0', [1, 2], 'both bounds are included'],
    ['[in]=-5,7', [1, 3, 4], 'one of them'],
    ['[lt]=9007199254740991', [1, 2, 3, 4], 'the greatest integer'],
    ['[gte]=-9007199254740991', [1, 2, 3, 4], 'the least integer'],
    ['[exists]=true', [1, 2, 3, 4], '0 is a value'],
  ],
  amount: [
    ['=0.1', [3], 'equality of doubles'],
    ['=-0', [2], '-0 is 0'],
    ['[gt]=0', [3, 4], 'after'],
    ['[gte]=0.0', [2, 3, 4], 'at least'],
    ['[lt]=0.1', [1, 2], 'before'],
    ['[lte]=1e-1', [1, 2, 3], 'at most, in another notation'],
    ['[range]=-1.5,0.1', [1, 2, 3], 'both bounds are included'],
    ['[in]=0,1e21', [2, 4], 'one of them'],
    ['[lt]=1e300', [1, 2, 3, 4], 'beyond every 4-byte number'],
    ['[exists]=true', [1, 2, 3, 4], '0 is a value'],
  ],
  flag: [
    ['=true', [1, 3], 'equality'],
    ['=false', [2, 4], 'false is a value, and no value is not false'],
    ['[exists]=true', [1, 2, 3, 4], 'false is a value'],
  ],
  day: [
    ['=2024-02-29', [2], 'equality'],
    ['[gt]=2024-02-29', [3, 4], 'after'],
    ['[gte]=2024-02-29', [2, 3, 4], 'at least'],
    ['[lt]=2024-02-29', [1], 'before'],
    ['[lte]=2024-02-29', [1, 2], 'at most'],
    ['[range]=2024-01-31,2024-03-01', [1, 2, 3], 'both bounds are included'],
    ['[in]=2024-01-31,2024-12-31', [1, 4], 'one of them'],
    ['[gte]=0001-01-01', [1, 2, 3, 4], 'the first day'],
    ['[lte]=9999-12-31', [1, 2, 3, 4], 'the last day'],
    ['[exists]=true', [1, 2, 3, 4], 'there is a value'],
  ],
  moment: [
    ['=2024-02-29T00:00:00Z', [2], 'equality'],
    ['=2024-01-31t11:30:00.0%2B01:30', [1], 'an offset, a small t: the same moment'],
    ['[gt]=2024-02-29T00:00:00Z', [3, 4], 'after'],
    ['[gte]=2024-02-29T00:00:00Z', [2, 3, 4], 'at least'],
    ['[lt]=2024-02-29T23:59:59.999Z', [1, 2], 'before, to the millisecond'],
    ['[lte]=2024-02-29T23:59:59.999Z', [1, 2, 3], 'at most, to the millisecond'],
    ['[range]=2024-01-31T10:00:00Z,2024-02-29T00:00:00Z', [1, 2], 'both bounds are included'],
    ['[in]=2024-01-31T10:00:00Z,2024-03-01T00:00:00Z', [1, 4], 'one of them'],
    ['=2024-02-29', [2, 3], 'a day is all of it'],
    ['[gt]=2024-02-29', [4], 'after the day has ended'],
    ['[gte]=2024-02-29', [2, 3, 4], 'from the start of the day'],
    ['[lt]=2024-02-29', [1], 'before the start of the day'],
    ['[lte]=2024-02-29', [1, 2, 3], 'to the end of the day'],
    ['[range]=2024-01-31,2024-02-29', [1, 2, 3], 'from the start of the first day to the end of the last'],
    ['[range]=2024-02-29T12:00:00Z,2024-02-29', [3], 'a moment and a day'],
    ['[in]=2024-01-31,2024-03-01', [1, 4], 'one of the days'],
    ['[in]=2024-02-29,2024-01-31T10:00:00Z', [1, 2, 3], 'a day and a moment'],
    ['=9999-12-31', [], 'the last day has no next'],
    ['[gt]=9999-12-31', [], 'nothing comes after the last day'],
    ['[gte]=9999-12-31', [], 'on the last day'],
    ['[lt]=9999-12-31', [1, 2, 3, 4], 'before the last day'],
    ['[lte]=9999-12-31', [1, 2, 3, 4], 'to the end of the last day: every value'],
    ['[range]=2024-03-01,9999-12-31', [4], 'to the end of the last day: no upper bound'],
    ['[exists]=true', [1, 2, 3, 4], 'there is a value'],
  ],
}
/** Complements: what their twins do not select among the rows with values; those without are added. */
const excluded: typeof selected = {
  text: [
    ['[notEqual]=beta', [1, 3, 4], 'the complement of equals'],
    ['[nin]=beta,gamma+ray', [1, 3], 'the complement of in'],
    ['[doesNotContain]=ET', [1, 4], 'the complement of contains: case is ignored'],
    ['[doesNotContain]=', [], 'the complement of having a value'],
    ['[exists]=false', [], 'there is no value'],
  ],
  kind: [
    ['[notEqual]=red', [2, 3], 'the complement of equals'],
    ['[nin]=red,blue', [2], 'the complement of in'],
    ['[exists]=false', [], 'there is no value'],
  ],
  count: [
    ['[notEqual]=7', [1, 2], 'the complement of equals'],
    ['[nin]=-5,7', [2], 'the complement of in'],
    ['[exists]=false', [], 'there is no value'],
  ],
  amount: [
    ['[notEqual]=0.1', [1, 2, 4], 'the complement of equals'],
    ['[nin]=0,1e21', [1, 3], 'the complement of in'],
    ['[exists]=false', [], 'there is no value'],
  ],
  flag: [
    ['[notEqual]=true', [2, 4], 'the complement of equals'],
    ['[exists]=false', [], 'there is no value'],
  ],
  day: [
    ['[notEqual]=2024-02-29', [1, 3, 4], 'the complement of equals'],
    ['[nin]=2024-01-31,2024-12-31', [2, 3], 'the complement of in'],
    ['[exists]=false', [], 'there is no value'],
  ],
  moment: [
    ['[notEqual]=2024-02-29T00:00:00Z', [1, 3, 4], 'the complement of equals'],
    ['[notEqual]=2024-02-29', [1, 4], 'the complement of a whole day'],
    ['[nin]=2024-01-31T10:00:00Z,2024-03-01T00:00:00Z', [2, 3], 'the complement of in'],
    ['[nin]=2024-02-29,2024-01-31T10:00:00Z', [4], 'the complement of a day and a moment'],
    ['[notEqual]=9999-12-31', [1, 2, 3, 4], 'the complement of the last day'],
    ['[exists]=false', [], 'there is no value'],
  ],
}

/** Every condition on every field in a place, over rows with values and some without, for one reason or another. */
function casesIn(
  { fields, path, row }: Place,
  name: string,
  without: readonly object[],
  requires: readonly Feature[],
): Case[] {
  const rows = [...valued.map(row), ...without].map((values, index) => ({ id: index + 1, ...values }))
  const fixture: Fixture = { name, schema: defineSchema({ id: field.integer(), ...fields }), rows }
  const idsWithout = rows.slice(valued.length).map(({ id }) => id)
  const lines = (lines: typeof selected, more: readonly number[]) =>
    Object.entries(lines).flatMap(([name, of]) =>
      of.map(([said, ids, why]): Line => [`${path(name)}${said as string}`, [...ids, ...more], why]),
    )
  return casesOf(fixture, requires, [...lines(selected, []), ...lines(excluded, idsWithout)])
}
const everywhere = places.flatMap((place) => casesIn(place, place.name, place.empty, []))

/** What is in each field another form than its type's: near it, far from it, and an object. */
const otherForms: readonly Readonly<Record<string, unknown>>[] = [
  { text: 7, kind: 0, count: '7', amount: '0.1', flag: 'true', day: 20240229, moment: 1709164800000 },
  { text: true, kind: true, count: true, amount: true, flag: 1, day: true, moment: true },
  listed(() => ({}), scalars) as Readonly<Record<string, unknown>>,
]
const inOtherForms = places.flatMap((place) =>
  casesIn(place, `${place.name}, in other forms`, otherForms.map(place.row), ['other-forms']),
)

// --- Lists: one and the same entry, and no entry at all.

const bookings: Fixture = {
  name: 'bookings',
  schema: defineSchema({
    id: field.integer(),
    seller: field.string(),
    tags: field.list(field.string()),
    items: field.list(
      field.object({
        arrival: field.date(),
        product: field.string(),
        price: field.number(),
        options: field.list(field.object({ code: field.string(), size: field.integer() })),
        guest: field.object({ name: field.string() }),
      }),
    ),
    customer: field.object({ name: field.string(), phones: field.list(field.string()) }),
  }),
  rows: [
    {
      id: 1,
      seller: 's-1',
      tags: ['sea', 'family'],
      items: [
        {
          arrival: '2024-01-01',
          product: 'surf',
          price: 10,
          options: [
            { code: 'a', size: 1 },
            { code: 'b', size: 2 },
          ],
        },
        {
          arrival: '2024-01-05',
          product: 'kayak',
          price: 30,
          options: [{ code: 'a', size: 3 }],
          guest: { name: 'Jo' },
        },
      ],
      customer: { name: 'Ann', phones: ['1', '2'] },
    },
    {
      id: 2,
      seller: 's-1',
      tags: ['Sea'],
      items: [{ arrival: '2024-01-03', product: 'surf', price: 20, options: [], guest: { name: 'Al' } }],
      customer: { name: null, phones: ['2'] },
    },
    {
      id: 3,
      seller: 's-2',
      tags: ['sea', null],
      items: [
        { arrival: '2024-01-01', product: 'kayak' },
        { arrival: null, price: 20 },
      ],
      customer: { phones: [] },
    },
    { id: 4, seller: 's-2', tags: [], items: [], customer: null },
    { id: 5, seller: null, tags: null, items: null },
    { id: 6 },
    { id: 7, tags: [null], items: [], customer: { phones: [null] } },
  ],
}

const lists = casesOf(
  bookings,
  [],
  [
    ['', [1, 2, 3, 4, 5, 6, 7], 'no condition: everything that the caller may see'],
    [
      'items.arrival[gte]=2024-01-02&items.arrival[lte]=2024-01-04',
      [2],
      'one before and one after the span is not inside it',
    ],
    ['items.arrival[range]=2024-01-02,2024-01-04', [2], 'a range is its two bounds'],
    ['items.arrival[in]=2024-01-02,2024-01-03,2024-01-04', [2], 'and its days'],
    ['items.arrival[lte]=2024-01-04&items.arrival[gte]=2024-01-01', [1, 2, 3], 'one entry between the bounds'],
    ['items.product=surf&items.price=30', [], 'two entries do not add up to one'],
    ['items.product=surf&items.price=10', [1], 'one entry has both'],
    ['items.product=surf&seller=s-1&items.price=20', [2], 'what stands between them does not part them'],
    ['items.product=surf&items.price[notEqual]=10', [2], 'a complement speaks of all entries on its own'],
    ['items.product[notEqual]=surf', [3, 4, 5, 6, 7], 'no entry is surf'],
    ['items.arrival[nin]=2024-01-01,2024-01-03', [4, 5, 6, 7], 'no entry is on one of the days'],
    ['items.price[gt]=10&items.arrival[gt]=2024-01-01', [1, 2], 'in 1 the second entry, in 2 the only one'],
    ['items.price[gt]=10&items.arrival[lt]=2024-01-02', [], 'no entry has both'],
    ['items[exists]=true', [1, 2, 3], 'an entry that has a value'],
    ['items[exists]=false', [4, 5, 6, 7], 'an empty list, null, and no list have none'],
    ['items[exists]=true&items.price=20', [2, 3], 'the entry is there, and its price is 20'],
    ['items.price[exists]=true', [1, 2, 3], 'an entry with a price'],
    ['items.price[exists]=false', [4, 5, 6, 7], 'no entry has a price'],
    ['items.product[exists]=true&items.price[exists]=true', [1, 2], 'one entry has both; in 3 they are apart'],
    ['items.guest[exists]=true', [1, 2], 'an object in an entry'],
    ['items.guest[exists]=false', [3, 4, 5, 6, 7], 'no entry has the object'],
    ['items.guest.name[startsWith]=j', [1], 'a field of an object in an entry'],
    ['items.guest.name[exists]=false', [3, 4, 5, 6, 7], 'no guest has a name'],
    ['tags=sea', [1, 3], 'an entry that is the text itself'],
    ['tags[contains]=SEA', [1, 2, 3], 'case is ignored in entries too'],
    ['tags[notEqual]=sea', [2, 4, 5, 6, 7], 'no entry is the text'],
    ['tags=sea&tags[startsWith]=fam', [], 'one entry cannot be both'],
    ['tags[startsWith]=s&tags[endsWith]=EA', [1, 2, 3], 'one entry can be both'],
    ['tags=sea&tags[notEqual]=family', [3], 'an entry is the one, and no entry the other'],
    ['tags[exists]=true', [1, 2, 3], 'an entry that has a value'],
    ['tags[exists]=false', [4, 5, 6, 7], 'a list of null has none'],
    ['tags=sea&items.product=kayak', [1, 3], 'two lists, two groups'],
    ['customer.phones=2', [1, 2], 'a list in an object'],
    ['customer.phones[exists]=false', [3, 4, 5, 6, 7], 'an empty list in an object'],
    ['customer.phones=2&customer.name=Ann', [1], 'beside it, a field of the object'],
    ['items.options.code=a&items.options.size=2', [], 'one and the same entry of the inner list'],
    ['items.options.code=a&items.options.size=3', [1], 'one and the same entry of the inner list'],
    ['items.options.size=3&items.product=surf', [], 'the inner entry in one and the same outer entry'],
    ['items.options.size=3&items.product=kayak', [1], 'the inner entry in one and the same outer entry'],
    ['items.options.code[notEqual]=a', [2, 3, 4, 5, 6, 7], 'no inner entry of any outer entry'],
    ['items.options[exists]=true', [1], 'an inner entry'],
    ['items.options[exists]=false', [2, 3, 4, 5, 6, 7], 'no inner entry'],
    ['items.options[exists]=false&items.price=20', [2, 3], 'no inner entry anywhere, and an outer one'],
  ],
)

const objects = casesOf(
  bookings,
  ['empty-objects'],
  [
    ['customer[exists]=true', [1, 2, 3, 7], 'an object is there, whatever is in it'],
    ['customer[exists]=false', [4, 5, 6], 'null and missing are not'],
  ],
)

// --- Filters that no query says.

const string = (value: string): Literal => ({ type: 'string', value })
const isSurf = comparison(['product'], 'eq', string('surf'))
const isSeller1 = comparison(['seller'], 'eq', string('s-1'))

const trees = casesOf(
  bookings,
  [],
  [
    [and(), [1, 2, 3, 4, 5, 6, 7], 'and() is true'],
    [or(), [], 'or() is false'],
    [not(and()), [], 'not true is false'],
    [not(or()), [1, 2, 3, 4, 5, 6, 7], 'not false is true'],
    [and(or(), isSeller1), [], 'false and anything is false'],
    [or(and(), isSeller1), [1, 2, 3, 4, 5, 6, 7], 'true or anything is true'],
    [membership(['seller'], []), [], 'membership in an empty list is false'],
    [not(membership(['seller'], [])), [1, 2, 3, 4, 5, 6, 7], 'and its complement true'],
    [or(isSeller1, comparison(['seller'], 'eq', string('s-2'))), [1, 2, 3, 4], 'one or the other'],
    [not(or(isSeller1, presence(['seller'], 'string'))), [5, 6, 7], 'neither'],
    [not(and(isSeller1, some(['items'], isSurf))), [3, 4, 5, 6, 7], 'not both'],
    [not(not(isSeller1)), [1, 2], 'twice not is not at all'],
    [
      not(comparison(['seller'], 'gt', string('s-1'))),
      [1, 2, 5, 6, 7],
      'the complement of an order: no value is in it',
    ],
    [not(match(['seller'], 'prefix', 'S-1')), [3, 4, 5, 6, 7], 'the complement of a prefix'],
    [not(match(['seller'], 'suffix', '1')), [3, 4, 5, 6, 7], 'the complement of a suffix'],
    [some(['items'], not(isSurf)), [1, 3], 'an entry that is not surf'],
    [not(some(['items'], not(isSurf))), [2, 4, 5, 6, 7], 'every entry is surf, or there is none'],
    [some(['items'], and()), [1, 2, 3], 'any entry at all'],
    [some(['items'], or()), [], 'no entry satisfies false'],
    [some(['items'], or(isSurf, presence(['price'], 'number'))), [1, 2, 3], 'one entry, the one or the other'],
    [
      some(['items'], and(isSurf, some(['options'], comparison(['code'], 'eq', string('b'))))),
      [1],
      'an entry with an entry of its own',
    ],
    [some(['items'], not(some(['options'], and()))), [2, 3], 'an entry without entries of its own'],
    [
      some(['tags'], or(comparison([], 'eq', string('family')), comparison([], 'eq', string('Sea')))),
      [1, 2],
      'an entry, the one or the other',
    ],
    [some(['tags'], not(presence([], 'string'))), [3, 7], 'an entry without a value'],
  ],
)

// --- Entries without a value: an object is there without one, null is not.

const visits = defineSchema({
  id: field.integer(),
  visits: field.list(field.object({ day: field.date(), guests: field.list(field.object({ name: field.string() })) })),
})
const emptyEntries: Fixture = {
  name: 'entries without a value',
  schema: visits,
  rows: [
    { id: 1, visits: [{ day: '2024-01-01', guests: [{ name: 'Ann' }] }] },
    { id: 2, visits: [{}] },
    { id: 3, visits: [{ day: null, guests: [{}] }] },
    { id: 4, visits: [{ day: '2024-01-02', guests: [] }, { guests: null }] },
    { id: 5, visits: [] },
    { id: 6 },
  ],
}
const isDay1 = comparison(['day'], 'eq', { type: 'date', value: '2024-01-01' })
const inEmptyEntries = casesOf(
  emptyEntries,
  ['empty-objects'],
  [
    ['visits[exists]=true', [1, 2, 3, 4], 'an entry is there, whatever is in it'],
    ['visits[exists]=false', [5, 6], 'no entry at all'],
    ['visits.guests[exists]=true', [1, 3], 'an entry of an entry is there, whatever is in it'],
    ['visits.guests[exists]=false', [2, 4, 5, 6], 'no entry of an entry'],
    ['visits.day[exists]=false', [2, 3, 5, 6], 'no entry with a day'],
    ['visits.day[notEqual]=2024-01-01', [2, 3, 4, 5, 6], 'no entry on that day'],
    ['visits[exists]=true&visits.day=2024-01-02', [4], 'the entry is there, and on that day'],
    ['visits.guests.name[notEqual]=Ann', [2, 3, 4, 5, 6], 'no guest of that name'],
    [some(['visits'], and()), [1, 2, 3, 4], 'any entry at all, objects without a value too'],
    [some(['visits'], not(isDay1)), [2, 3, 4], 'an entry without a value is not on that day'],
    [some(['visits'], not(presence([], 'object'))), [], 'no entry is none'],
    [some(['visits'], not(presence(['day'], 'date'))), [2, 3, 4], 'an entry without a day'],
    [not(some(['visits'], not(isDay1))), [1, 5, 6], 'every entry is on that day, or there is none'],
    [some(['visits'], some(['guests'], not(presence(['name'], 'string')))), [3], 'an entry of an entry without a name'],
  ],
)

const nullEntries: Fixture = {
  name: 'null entries',
  schema: visits,
  rows: [
    { id: 1, visits: [null] },
    { id: 2, visits: [null, { day: '2024-01-01', guests: [null] }] },
    { id: 3, visits: [{}] },
    { id: 4, visits: [] },
  ],
}
const inNullEntries = casesOf(
  nullEntries,
  ['other-forms'],
  [
    ['visits[exists]=true', [2, 3], 'null is no object'],
    ['visits[exists]=false', [1, 4], 'null is no object'],
    ['visits.guests[exists]=true', [], 'null is no object'],
    ['visits.day=2024-01-01', [2], 'beside null'],
    ['visits.day[exists]=false', [1, 3, 4], 'null has no day'],
    [some(['visits'], and()), [1, 2, 3], 'null is an entry all the same'],
    [some(['visits'], not(isDay1)), [1, 2, 3], 'null is an entry that is not on that day'],
    [some(['visits'], not(presence([], 'object'))), [1, 2], 'an entry that is no object'],
    [not(some(['visits'], not(isDay1))), [4], 'every entry is on that day, or there is none'],
  ],
)

// --- Text: exact equality, code point order, simple lower-casing, literal operands.

const texts: Fixture = {
  name: 'texts',
  schema: defineSchema({ id: field.integer(), text: field.string() }),
  rows: [
    'abc',
    'ABC',
    'abc ',
    '',
    '100%_sure\\',
    '100 sure',
    'it\'s a.c*[x]^$ "q" ?:@',
    'e\u0301', // e and a combining acute accent
    '\u00e9', // é in one
    '\uff5e', // ～, the last but few of the BMP
    '\u{1f600}', // an emoji, beyond the BMP
    'line\nbreak',
    null,
  ].map((text, index) => ({ id: index + 1, text })),
}
const plainText = casesOf(
  texts,
  [],
  [
    ['text=abc', [1], 'case and trailing spaces count'],
    ['text=abc+', [3], 'a trailing space counts'],
    ['text=', [4], 'the empty text is a value'],
    ['text[exists]=true', [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], 'the empty text is a value'],
    ['text[in]=abc,""', [1, 4], 'the empty text among others'],
    ['text[contains]=%25', [5], 'a percent sign is itself'],
    ['text[contains]=_', [5], 'an underscore is itself'],
    ['text[endsWith]=%5C', [5], 'a backslash is itself'],
    ['text[startsWith]=100%25', [5], 'a percent sign is itself'],
    ['text[startsWith]=1__', [], 'underscores are no wildcards'],
    ['text[contains]=a.c', [7], 'a dot is itself'],
    ['text[contains]=c*', [7], 'an asterisk is itself'],
    ['text[contains]=%5Bx%5D^$', [7], 'brackets, caret and dollar are themselves'],
    ["text[startsWith]=it's", [7], 'an apostrophe is itself'],
    ['text[endsWith]="q"+?:@', [7], 'quotes of a single operand are literal; so are marks of placeholders'],
    ['text[contains]=(a%2B)%2B', [], 'parentheses and plus signs are no pattern'],
    ['text[startsWith]=', [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], 'every text begins with the empty one'],
    ['text[startsWith]=aB', [1, 2, 3], 'case is ignored'],
    ['text[endsWith]=C', [1, 2], 'a trailing space is not cut'],
    ['text[endsWith]=break', [12], 'to the very end'],
    ['text[endsWith]=line', [], 'not to the end of a line'],
    ['text[contains]=%0AB', [12], 'a line break is itself'],
    ['text=%C3%A9', [9], 'no normalisation'],
    ['text[gt]=%EF%BD%9E', [11], 'code point order: beyond the BMP comes last'],
    ['text[lt]=%F0%9F%98%80', [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12], 'code point order'],
    ['text[gte]=abc&text[lt]=abd', [1, 3], 'a longer text comes after its beginning'],
    ['text[lt]=a', [2, 4, 5, 6], 'digits and capitals come before small letters'],
  ],
)

const letters: Fixture = {
  name: 'letters',
  schema: texts.schema,
  rows: [
    'ΟΔΟΣ',
    'οδος',
    'οδοσ',
    'İstanbul',
    'istanbul',
    'ISPARTA',
    'ısparta',
    'Straße',
    'STRASSE',
    'STRAẞE',
    '\u212aelvin', // the Kelvin sign
    'kelvin',
    'ſtop',
    'stop',
    'Éclair',
    'éclair',
    'ДАРЬЯ',
    '\u{10400}x', // a Deseret capital
    '\u{10428}X', // and its small letter
    'Ⴀ', // a Georgian capital
    'ǅ', // a title-case digraph
    'ﬁn', // a ligature
  ].map((text, index) => ({ id: index + 1, text })),
}
const foldedText = casesOf(
  letters,
  ['unicode-case'],
  [
    ['text[startsWith]=οδο', [1, 2, 3], 'Σ lowers to σ everywhere'],
    ['text[endsWith]=Σ', [1, 3], 'Σ lowers to σ; ς stays'],
    ['text[endsWith]=ς', [2], 'ς stays'],
    ['text[startsWith]=i', [4, 5, 6], 'İ lowers to i'],
    ['text[startsWith]=İs', [4, 5, 6], 'İ lowers to i'],
    ['text[startsWith]=ı', [7], 'ı stays'],
    ['text[contains]=ss', [9], 'ß does not become ss'],
    ['text[contains]=ß', [8, 10], 'ẞ lowers to ß'],
    ['text[startsWith]=k', [11, 12], 'the Kelvin sign lowers to k'],
    ['text[startsWith]=s', [8, 9, 10, 14], 'ſ stays'],
    ['text[startsWith]=é', [15, 16], 'accents stay'],
    ['text[contains]=дарь', [17], 'Cyrillic'],
    ['text[startsWith]=\u{10400}', [18, 19], 'beyond the BMP'],
    ['text[endsWith]=x', [18, 19], 'behind what lies beyond the BMP'],
    ['text[startsWith]=ⴀ', [20], 'Georgian'],
    ['text[startsWith]=ǆ', [21], 'title case lowers too'],
    ['text[startsWith]=fi', [], 'ligatures stay'],
    [
      'text[doesNotContain]=S',
      [1, 2, 3, 11, 12, 13, 15, 16, 17, 18, 19, 20, 21, 22],
      'the complement ignores case too',
    ],
  ],
)

// --- What is stored in another form than its type's is no value.

const formed = defineSchema({
  id: field.integer(),
  ...scalars,
  inner: field.object({ text: field.string() }),
  tags: field.list(field.string()),
  entries: field.list(field.object({ count: field.integer() })),
})
const rightForms = { ...valued[2], inner: { text: 'x' }, tags: ['x', 'y'], entries: [{ count: 1 }] }
const forms: Fixture = {
  name: 'other forms',
  schema: formed,
  rows: [
    { id: 1, ...rightForms },
    {
      id: 2,
      text: 7,
      kind: 0,
      count: '7',
      amount: '0.1',
      flag: 'true',
      day: 20240301,
      moment: 1709251199999,
      inner: 'x',
      tags: 'x',
      entries: { count: 1 },
    },
    {
      id: 3,
      text: true,
      kind: true,
      count: true,
      amount: true,
      flag: 1,
      day: true,
      moment: true,
      inner: true,
      tags: { 0: 'x', length: 1 },
      entries: 'x',
    },
    {
      id: 4,
      text: { Beta: 1 },
      kind: {},
      count: {},
      amount: {},
      flag: {},
      day: {},
      moment: {},
      inner: { text: 7 },
      tags: [{}, null],
      entries: [{ count: '1' }],
    },
  ],
}
const isOther = casesOf(
  forms,
  ['other-forms'],
  [
    ['text=Beta', [1], 'text only'],
    ['text=7', [], 'a number is no text'],
    ['text[contains]=true', [], 'a boolean is no text'],
    ['text[exists]=true', [1], 'text only'],
    ['text[notEqual]=Beta', [2, 3, 4], 'no value: in the complement'],
    ['text[doesNotContain]=x', [1, 2, 3, 4], 'no value: in the complement'],
    ['kind[in]=red,green,blue', [1], 'text only'],
    ['count=7', [1], 'a text is no number'],
    ['count[gt]=0', [1], 'nothing is converted'],
    ['count[exists]=false', [2, 3, 4], 'numbers only'],
    ['amount[gte]=0', [1], 'nothing is converted'],
    ['amount[nin]=0.1,1', [2, 3, 4], 'no value: in the complement'],
    ['flag=true', [1], '1 and "true" are no booleans'],
    ['flag[notEqual]=true', [2, 3, 4], 'no value: in the complement'],
    ['day=2024-03-01', [1], 'a number is no date'],
    ['day[gt]=0001-01-01', [1], 'nothing is converted'],
    ['day[exists]=true', [1], 'dates only'],
    ['moment[lte]=9999-12-31', [1], 'dates only'],
    ['moment=2024-02-29', [1], 'milliseconds are no datetime'],
    ['moment[exists]=false', [2, 3, 4], 'dates only'],
    ['inner[exists]=true', [1, 4], 'an object only'],
    ['inner.text=x', [1], 'an object only'],
    ['inner.text[exists]=false', [2, 3, 4], 'no value at the end of the path'],
    ['tags=x', [1], 'a text is no list, nor is an object'],
    ['tags[exists]=true', [1], 'an entry that is text'],
    ['tags[notEqual]=x', [2, 3, 4], 'no entry is the text'],
    ['entries.count=1', [1], 'an object is no list'],
    ['entries[exists]=true', [1, 4], 'an entry that is an object'],
    ['entries.count[exists]=false', [2, 3, 4], 'no entry has a number'],
  ],
)

// --- A list is no value either, where the schema has a scalar or an object.

const misplaced: Fixture = {
  name: 'misplaced lists',
  schema: formed,
  rows: [
    { id: 1, ...rightForms },
    {
      id: 2,
      text: ['Beta'],
      kind: ['blue'],
      count: [7],
      amount: [0.1],
      flag: [true],
      day: ['2024-03-01'],
      moment: ['2024-02-29T23:59:59.999Z'],
      inner: [{ text: 'x' }],
      tags: [['x'], 7],
      entries: [[{ count: 1 }], 1],
    },
    {
      id: 3,
      text: [],
      kind: [],
      count: [],
      amount: [],
      flag: [],
      day: [],
      moment: [],
      inner: [],
      tags: [[]],
      entries: [[]],
    },
  ],
}
const isMisplaced = casesOf(
  misplaced,
  ['misplaced-lists'],
  [
    ['text=Beta', [1], 'text only'],
    ['text[gte]=B', [1], 'text only'],
    ['text[startsWith]=b', [1], 'text only'],
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
    ['tags=x', [1], 'a list is no entry that is text'],
    ['tags[exists]=true', [1], 'a list is no entry that is text'],
    ['entries.count=1', [1], 'a list is no entry that is an object'],
    ['entries[exists]=true', [1], 'a list is no entry that is an object'],
    ['entries.count[exists]=false', [2, 3], 'no entry has a number'],
  ],
)

// --- Rows in memory may hold Date objects.

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
const dateObjects = casesOf(
  dates,
  ['date-objects'],
  [
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
  ],
)

/** Every case. */
export const cases: readonly Case[] = Object.freeze([
  ...everywhere,
  ...lists,
  ...objects,
  ...trees,
  ...inEmptyEntries,
  ...inNullEntries,
  ...plainText,
  ...foldedText,
  ...inOtherForms,
  ...isOther,
  ...isMisplaced,
  ...dateObjects,
])
