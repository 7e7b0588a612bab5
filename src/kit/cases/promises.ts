/** Required fields: a condition means the same where the schema promises a value, and where it does not. */
import { comparison, not, presence, some, type Literal } from '../../tree/index.ts'
import { defineSchema, field, type Schema } from '../../language/index.ts'
import { casesOf, type FixtureRow, type Line } from './case.ts'

/** What every field of a schema promises, or nothing. */
type Promises = { readonly required?: true }

/** With promises, or the same without. In an object that is not required, and in an entry, a field is there when that is. */
export const promisedBy = (promises: Promises): Schema =>
  defineSchema({
    id: field.integer(promises),
    text: field.string(promises),
    kind: field.enumeration(['red', 'green'], promises),
    count: field.integer(promises),
    amount: field.number(promises),
    flag: field.boolean(promises),
    day: field.date(promises),
    moment: field.datetime(promises),
    inner: field.object({ text: field.string(promises), count: field.integer(promises), note: field.string() }),
    owner: field.object(
      {
        name: field.string(promises),
        age: field.integer(),
        home: field.object({ city: field.string(promises) }, promises),
      },
      promises,
    ),
    entries: field.list(
      field.object({
        code: field.string(promises),
        size: field.integer(),
        part: field.object({ name: field.string(promises) }),
      }),
    ),
  })

export const promisedRows: readonly FixtureRow[] = [
  {
    ...{ id: 1, text: 'a', kind: 'red', count: 1, amount: 0.5, flag: true },
    ...{ day: '2024-01-01', moment: '2024-01-01T00:00:00.000Z' },
    inner: { text: 'x', count: 1, note: 'n' },
    owner: { name: 'o', age: 1, home: { city: 'm' } },
    entries: [{ code: 'c', size: 1, part: { name: 'p' } }, { code: 'd' }],
  },
  {
    ...{ id: 2, text: 'b', kind: 'green', count: 2, amount: 0, flag: false },
    ...{ day: '2024-01-02', moment: '2024-01-01T23:59:59.999Z' },
    inner: null,
    owner: { name: 'q', home: { city: 'M' } },
    entries: [],
  },
  {
    ...{ id: 3, text: '', kind: 'red', count: 0, amount: -1.5, flag: false },
    ...{ day: '2024-01-01', moment: '2024-01-02T00:00:00.000Z' },
    inner: { text: '', count: 0 },
    owner: { name: 'o', age: null, home: { city: '' } },
    entries: [{ code: 'c', part: null }],
  },
  {
    ...{ id: 4, text: 'B', kind: 'green', count: -1, amount: 0.5, flag: true },
    ...{ day: '2024-02-29', moment: '2024-02-29T12:00:00.000Z' },
    owner: { name: '', home: { city: 'm' } },
    entries: null,
  },
  {
    ...{ id: 5, text: 'a', kind: 'red', count: 2, amount: 1, flag: false },
    ...{ day: '2024-01-02', moment: '2024-01-02T00:00:00.001Z' },
    inner: { text: 'y', count: 5 },
    owner: { name: 'O', home: { city: 'n' } },
    entries: [{ code: 'd', size: 2, part: { name: '' } }],
  },
]

const string = (value: string): Literal => ({ type: 'string', value })
const isCode = comparison(['code'], 'eq', string('c'))
const isPart = comparison(['part', 'name'], 'eq', string('p'))
const isMore = (path: readonly string[]) => comparison(path, 'gt', { type: 'integer', value: 1 })

const lines: readonly Line[] = [
  ['text=a', [1, 5], 'equality'],
  ['text[notEqual]=a', [2, 3, 4], 'the complement of equals'],
  ['text[exists]=true', [1, 2, 3, 4, 5], 'every row has a value'],
  ['text[exists]=false', [], 'every row has a value'],
  ['text[gt]=a', [2], 'after'],
  ['text[lte]=a', [1, 3, 4, 5], 'at most'],
  ['text[in]=a,b', [1, 2, 5], 'one of them'],
  ['text[nin]=a,b', [3, 4], 'the complement of in'],
  ['text[contains]=b', [2, 4], 'case is ignored'],
  ['text[doesNotContain]=b', [1, 3, 5], 'the complement of contains'],
  ['text[equalsIgnoreCase]=A', [1, 5], 'case is ignored'],
  ['text[equalsIgnoreCase]=', [3], 'the empty text is a value'],
  ['text[startsWithExact]=b', [2], 'case counts'],
  ['text[endsWithExact]=B', [4], 'case counts'],
  ['text[containsExact]=', [1, 2, 3, 4, 5], 'every text contains the empty one'],
  ['text[startsWith]=', [1, 2, 3, 4, 5], 'every text begins with the empty one'],
  ['text[doesNotContain]=', [], 'the complement of having a value'],
  ['kind[notEqual]=red', [2, 4], 'the complement of equals'],
  ['kind[nin]=red,green', [], 'the complement of in'],
  ['kind[exists]=true', [1, 2, 3, 4, 5], 'every row has a value'],
  ['count=2', [2, 5], 'equality'],
  ['count[notEqual]=2', [1, 3, 4], 'the complement of equals'],
  ['count[lt]=0', [4], 'before'],
  ['count[nin]=1,2', [3, 4], 'the complement of in'],
  ['count[exists]=false', [], 'every row has a value'],
  ['amount[notEqual]=0.5', [2, 3, 5], 'the complement of equals'],
  ['amount[gte]=0', [1, 2, 4, 5], 'at least'],
  ['amount[exists]=true', [1, 2, 3, 4, 5], 'every row has a value'],
  ['flag=false', [2, 3, 5], 'equality'],
  ['flag[notEqual]=true', [2, 3, 5], 'the complement of equals'],
  ['flag[exists]=false', [], 'every row has a value'],
  ['day[notEqual]=2024-01-01', [2, 4, 5], 'the complement of equals'],
  ['day[nin]=2024-01-01,2024-01-02', [4], 'the complement of in'],
  ['day[exists]=true', [1, 2, 3, 4, 5], 'every row has a value'],
  ['moment=2024-01-01', [1, 2], 'a day is all of it'],
  ['moment[notEqual]=2024-01-01', [3, 4, 5], 'the complement of a whole day'],
  ['moment[nin]=2024-01-01,2024-01-02T00:00:00.001Z', [3, 4], 'the complement of a day and a moment'],
  ['moment[exists]=false', [], 'every row has a value'],

  ['inner.text=x', [1], 'equality'],
  ['inner.text[notEqual]=x', [2, 3, 4, 5], 'no object is in the complement'],
  ['inner.text[exists]=true', [1, 3, 5], 'where the object is'],
  ['inner.text[exists]=false', [2, 4], 'where no object is'],
  ['inner.text[lt]=x', [3], 'before'],
  ['inner.text[contains]=', [1, 3, 5], 'where the object is'],
  ['inner.text[equalsIgnoreCase]=X', [1], 'case is ignored'],
  ['inner.text[startsWithExact]=', [1, 3, 5], 'where the object is'],
  ['inner.text[doesNotContain]=x', [2, 3, 4, 5], 'no object is in the complement'],
  ['inner.count[lte]=0', [3], 'no object is not 0'],
  ['inner.count[nin]=0,1', [2, 4, 5], 'no object is in the complement'],
  ['inner.note[exists]=false', [2, 3, 4, 5], 'beside promises, a field without one'],
  ['inner[exists]=true', [1, 3, 5], 'the object is not required'],
  ['inner[exists]=false', [2, 4], 'the object is not required'],

  ['owner.name=o', [1, 3], 'equality'],
  ['owner.name[notEqual]=o', [2, 4, 5], 'the complement of equals'],
  ['owner.name[contains]=O', [1, 3, 5], 'case is ignored'],
  ['owner.name[equalsIgnoreCase]=O', [1, 3, 5], 'case is ignored'],
  ['owner.name[containsExact]=O', [5], 'case counts'],
  ['owner.name[doesNotContain]=O', [2, 4], 'the complement of contains'],
  ['owner.name[exists]=false', [], 'every row has a value'],
  ['owner.age[exists]=false', [2, 3, 4, 5], 'beside promises, a field without one'],
  ['owner.age[notEqual]=1', [2, 3, 4, 5], 'beside promises, a field without one'],
  ['owner.home.city[in]=m,n', [1, 4, 5], 'in a required object of a required object'],
  ['owner.home.city[nin]=m,n', [2, 3], 'in a required object of a required object'],
  ['owner.home[exists]=true', [1, 2, 3, 4, 5], 'every row has the object'],
  ['owner[exists]=false', [], 'every row has the object'],

  ['entries.code=c', [1, 3], 'an entry has it'],
  ['entries.code[notEqual]=c', [2, 4, 5], 'no entry has it'],
  ['entries.code[exists]=true', [1, 3, 5], 'an entry is there'],
  ['entries.code[exists]=false', [2, 4], 'no entry is there'],
  ['entries.code[contains]=', [1, 3, 5], 'an entry is there'],
  ['entries.size[exists]=false', [2, 3, 4], 'beside promises, a field without one'],
  ['entries.code=d&entries.size=1', [], 'one entry has both'],
  ['entries.code=d&entries.size[exists]=true', [5], 'one entry has both'],
  ['entries.part.name=p', [1], 'in an object of an entry'],
  ['entries.part.name[notEqual]=p', [2, 3, 4, 5], 'no entry has it'],
  ['entries.part.name[exists]=true', [1, 5], 'in an object of an entry'],
  ['entries.part.name[exists]=false', [2, 3, 4], 'no entry has the object'],
  ['entries.part[exists]=false', [2, 3, 4], 'no entry has the object'],

  [not(isMore(['count'])), [1, 3, 4], 'the complement of an order'],
  [not(isMore(['inner', 'count'])), [1, 2, 3, 4], 'no object is in the complement of an order'],
  [some(['entries'], not(isCode)), [1, 5], 'an entry that has another value'],
  [not(some(['entries'], not(isCode))), [2, 3, 4], 'every entry has the value, or there is none'],
  [some(['entries'], not(presence(['code'], 'string'))), [], 'every entry has a value'],
  [some(['entries'], not(isPart)), [1, 3, 5], 'an entry without the object, or with another value'],
  [some(['entries'], not(presence(['part', 'name'], 'string'))), [1, 3], 'an entry without the object'],
]

export const promised = [
  ...casesOf({ name: 'required', schema: promisedBy({ required: true }), rows: promisedRows }, [], lines),
  ...casesOf({ name: 'not required, and there', schema: promisedBy({}), rows: promisedRows }, [], lines),
]
