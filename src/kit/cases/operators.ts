/** Every operator on every type, in every place where a field can be. */
import type { Feature } from '../../backends/backend.ts'
import { accepts, defineSchema, field, operatorNamed } from '../../language/index.ts'
import type { Fields, OperatorName, ResolvedField } from '../../language/index.ts'
import { casesOf, rowsOf, type Case, type Fixture, type Line, type Table } from './case.ts'
import { exactTables } from './exact.ts'

export const scalars: Fields = {
  text: field.string(),
  kind: field.enumeration(['red', 'green', 'blue']),
  count: field.integer(),
  amount: field.number(),
  flag: field.boolean(),
  day: field.date(),
  moment: field.datetime(),
}

/** Rows 1 to 4 have values. */
export const valued: readonly Readonly<Record<string, unknown>>[] = rowsOf(
  'text kind count amount flag day moment',
  ['alpha', 'red', -5, -1.5, true, '2024-01-31', '2024-01-31T10:00:00.000Z'],
  ['beta', 'green', 0, 0, false, '2024-02-29', '2024-02-29T00:00:00.000Z'],
  ['Beta', 'blue', 7, 0.1, true, '2024-03-01', '2024-02-29T23:59:59.999Z'],
  ['gamma ray', 'red', 7, 1e21, false, '2024-12-31', '2024-03-01T00:00:00.000Z'],
)
interface FieldPosition {
  readonly name: string
  readonly fields: Fields
  readonly path: (field: string) => string
  readonly row: (values: Readonly<Record<string, unknown>>) => object
  /** Six rows without a value, each for another reason. */
  readonly empty: readonly object[]
}

const inList = (values: (value: unknown) => unknown, of: object): object =>
  Object.fromEntries(Object.entries(of).map(([name, value]) => [name, values(value)]))

function placesOf(fields: Fields): readonly FieldPosition[] {
  const nulls = inList(() => null, fields)
  const entries = field.list(field.object(fields))
  return [
    {
      name: 'a field',
      fields,
      path: (name) => name,
      row: (values) => values,
      empty: [nulls, {}, nulls, {}, nulls, {}],
    },
    {
      name: 'a field of an object',
      fields: { inner: field.object(fields) },
      path: (name) => `inner.${name}`,
      row: (inner) => ({ inner }),
      empty: [{ inner: nulls }, { inner: {} }, { inner: null }, {}, { inner: nulls }, { inner: {} }],
    },
    {
      name: 'a list of scalars',
      fields: inList((definition) => field.list(definition as never), fields) as Fields,
      path: (name) => name,
      row: (values) => inList((value) => [null, value], values),
      empty: [[null], [], null, undefined, [null, null], []].map((value) =>
        value === undefined ? {} : inList(() => value, fields),
      ),
    },
    {
      name: 'a list of objects',
      fields: { entries },
      path: (name) => `entries.${name}`,
      row: (values) => ({ entries: [nulls, values] }),
      empty: [
        { entries: [nulls] },
        { entries: [{}] },
        { entries: null },
        {},
        { entries: [] },
        { entries: [nulls, {}] },
      ],
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
}

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
    ['[equalsIgnoreCase]=BETA', [2, 3], 'case is ignored'],
    ['[equalsIgnoreCase]=bet', [], 'the whole text'],
    ['[startsWithExact]=be', [2], 'case counts'],
    ['[startsWithExact]=', [1, 2, 3, 4], 'every text begins with the empty one; no value does not'],
    ['[endsWithExact]=eta', [2, 3], 'to the end'],
    ['[endsWithExact]=ETA', [], 'case counts'],
    ['[containsExact]=Be', [3], 'case counts'],
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
const excluded: typeof selected = {
  text: [
    ['[notEqual]=beta', [1, 3, 4], 'the complement of equals'],
    ['[nin]=beta,gamma+ray', [1, 3], 'the complement of in'],
    ['[doesNotContain]=ET', [1, 4], 'the complement of contains: case is ignored'],
    ['[doesNotContain]=', [], 'the complement of having a value'],
  ],
  kind: [
    ['[notEqual]=red', [2, 3], 'the complement of equals'],
    ['[nin]=red,blue', [2], 'the complement of in'],
  ],
  count: [
    ['[notEqual]=7', [1, 2], 'the complement of equals'],
    ['[nin]=-5,7', [2], 'the complement of in'],
  ],
  amount: [
    ['[notEqual]=0.1', [1, 2, 4], 'the complement of equals'],
    ['[nin]=0,1e21', [1, 3], 'the complement of in'],
  ],
  flag: [['[notEqual]=true', [2, 4], 'the complement of equals']],
  day: [
    ['[notEqual]=2024-02-29', [1, 3, 4], 'the complement of equals'],
    ['[nin]=2024-01-31,2024-12-31', [2, 3], 'the complement of in'],
  ],
  moment: [
    ['[notEqual]=2024-02-29T00:00:00Z', [1, 3, 4], 'the complement of equals'],
    ['[notEqual]=2024-02-29', [1, 4], 'the complement of a whole day'],
    ['[nin]=2024-01-31T10:00:00Z,2024-03-01T00:00:00Z', [2, 3], 'the complement of in'],
    ['[nin]=2024-02-29,2024-01-31T10:00:00Z', [4], 'the complement of a day and a moment'],
    ['[notEqual]=9999-12-31', [1, 2, 3, 4], 'the complement of the last day'],
  ],
}

const today: Table = {
  name: '',
  fields: scalars,
  requires: [],
  valued,
  selected,
  excluded,
  otherForms: [
    { text: 7, kind: 0, count: '7', amount: '0.1', flag: 'true', day: 20240229, moment: 1709164800000 },
    { text: true, kind: true, count: true, amount: true, flag: 1, day: true, moment: true },
    inList(() => ({}), scalars) as Readonly<Record<string, unknown>>,
  ],
}

/** Conditions on a list as a whole. A list has one value here beside null; `without` is the ids of the rows that have none. */
function linesOfList(
  field: ResolvedField,
  path: string,
  lines: readonly Line[],
  ids: readonly number[],
  without: readonly number[],
): Line[] {
  const lineOf = (condition: string) =>
    lines.find(([text, expected]) => String(text).startsWith(condition) && expected.length > 0)!
  const takes = (operator: OperatorName) => accepts(field, operatorNamed.get(operator)!)
  const operandsOf = (condition: string) => (lineOf(condition)[0] as string).slice(condition.length)
  const all = (): readonly Line[] => [
    [`${path}[all]=${operandsOf('=')}`, lineOf('=')[1], 'of one operand it is equality'],
    [`${path}[all]=${operandsOf('[in]=')}`, [], 'no list has two values'],
  ]
  const counts: readonly Line[] = [
    [`${path}[atLeast]=1`, ids, 'an entry that has a value'],
    [`${path}[atLeast]=2`, [], 'null does not count as a value'],
    [`${path}[atMost]=0`, without, 'no entry that has a value'],
  ]
  return [...(takes('all') ? all() : []), ...(takes('atLeast') ? counts : [])]
}

/** The complement of `exists`, of every field. */
const missing: Line = ['[exists]=false', [], 'the value is missing']

/** Every condition on every field in a place, over rows with values and some without, for one reason or another. */
function casesIn(
  { fields, path, row }: FieldPosition,
  name: string,
  { valued, selected, excluded, requires }: Table,
  without: readonly object[],
  more: readonly Feature[] = [],
): Case[] {
  const rows = [...valued.map(row), ...without].map((values, index) => ({ id: index + 1, ...values }))
  const schema = defineSchema({ id: field.integer(), ...fields })
  const fixture: Fixture = { name, schema, rows }
  const ids = valued.map((_, at) => at + 1)
  const idsWithout = rows.slice(valued.length).map(({ id }) => id)
  const lines = (lines: Table['selected'], added: readonly number[], more: readonly Line[] = []) =>
    Object.entries(lines).flatMap(([name, of]) =>
      [...of, ...more].map(([text, ids, why]): Line => [`${path(name)}${text as string}`, [...ids, ...added], why]),
    )
  const ofLists = Object.entries(selected).flatMap(([name, of]) =>
    linesOfList(schema.paths.get(path(name))!, path(name), of, ids, idsWithout),
  )
  return casesOf([...requires, ...more], fixture, [
    ...lines(selected, []),
    ...lines(excluded, idsWithout, [missing]),
    ...ofLists,
  ])
}
const tables = [today, ...exactTables]
const inEach = (casesOfPlace: (place: FieldPosition, name: string, table: Table) => Case[]): Case[] =>
  tables.flatMap((table) =>
    placesOf(table.fields).flatMap((place) => casesOfPlace(place, `${place.name}${table.name}`, table)),
  )
export const everywhere = inEach((place, name, table) => casesIn(place, name, table, place.empty))
export const inOtherForms = inEach((place, name, table) =>
  casesIn(place, `${name}, in other forms`, table, table.otherForms.map(place.row), ['other-forms']),
)
