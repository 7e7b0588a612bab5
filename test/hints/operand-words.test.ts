/** What a query with a faulty operand is told, by hand: the exact message, the hint, and what the text is after its edit. */
import { expect, test } from 'vitest'
import { defineCollection, defineSchema, field, parseQuery, type Issue } from '../../src/index.ts'
import { applied } from '../issue/suggestions.ts'

const schema = defineSchema({
  id: field.integer(),
  total: field.number(),
  money: field.decimal(),
  status: field.enumeration(['new', 'paid', 'held']),
  seller: field.string(),
  arrival: field.date(),
  at: field.datetime(),
  gift: field.boolean(),
  tags: field.list(field.string()),
})
const options = {
  key: 'id',
  fields: true,
  count: true,
  search: ['seller'],
  facets: ['status'],
  timeZone: true,
} as const
const grouped = defineCollection(schema, { ...options, groups: true })
const plain = defineCollection(schema, options)

type Told = readonly [message: string, hint?: string, edited?: string]
const issuesOf = (collection: typeof grouped, text: string): readonly Issue[] => {
  const result = parseQuery(collection, text)
  return result.ok ? [] : result.issues
}
const toldOf = (collection: typeof grouped, text: string): readonly Told[] =>
  issuesOf(collection, text).map(({ message, hint, suggestion }) => {
    const edited = suggestion && applied(text, suggestion)
    return edited === undefined ? (hint === undefined ? [message] : [message, hint]) : [message, hint!, edited]
  })

const invalid = (path: string, expected: string) => `invalid value for ${path}: expected ${expected}`
const id = invalid('id', 'a whole number, such as 12')
const total = invalid('total', 'a number, such as 12.5')
const money = invalid('money', 'a decimal number, such as 12.5')
const arrival = invalid('arrival', 'a date, such as 2024-06-01 or today-7d')
const at = invalid('at', 'a date or a datetime, such as 2024-06-01, 2024-06-01T10:00:00Z or now-90m')
const status = invalid('status', 'one of new, paid, held')

const decimals = 'write a number without separators of thousands and with a point before decimals, such as 1000.5'
const whole = 'write a whole number without separators, such as 1000'
const spaces = 'leave out the spaces around the value: "+" is a space, too'
const twoDigits = 'write the month and the day with two digits each: YYYY-MM-DD'
const noDay = 'the calendar does not have this day'
const dashes = 'write year, month and day with dashes between them: YYYY-MM-DD'
const zone = 'add Z for UTC or an offset such as -05:00'
const wholeTime = 'write the time with T, the seconds, and Z or an offset, as in 2024-06-01T10:00:00Z'
const bracketed =
  'leave out the zone in brackets: a time ends with Z for UTC or an offset such as -05:00, and a day has no zone'
const leaveOut = 'leave it out if it has no value'
const inGroup =
  'in a group, write commas between conditions, write a list as path[in]=(a,b), and quote a value that has a comma or a parenthesis'
const oneGroup =
  'put all conditions between "(" and ")", with commas between them, or put a value with a parenthesis in it in quotes'
const otherField = 'a condition compares a field with a value, not with another field'
const withoutValue = 'a list cannot contain "no value": write '

type Row = readonly [text: string, ...told: readonly Told[]]
const rows: readonly Row[] = [
  // Numbers.
  ['id=abc', [id]],
  ['id=1.5', [id]],
  ['id=007', [id, 'leave out the zeros before the number']],
  ['id=%2B5', [id, 'leave out the plus sign']],
  ['id=+5', [id, spaces, 'id=5']],
  ['id=1e3', [id, 'write all digits, without an exponent']],
  ['id="5"', [id, 'leave out the quotes']],
  ['id=9007199254740992', [id, 'the largest whole number is 2^53 − 1, and the smallest is its negative']],
  ['id[lt]=1,2', [id, 'lt takes one value']],
  ['id[gte]=1,2,3', [id, 'gte takes one value']],
  ['id=1,000', [id, whole]],
  ['id[gt]=1 000', [id, whole]],
  ["id=1'000'000", [id, whole]],
  ['total[gt]=1,000', [total, decimals]],
  ['total[gt]=1,500', [total, `gt takes one value; ${decimals}`]],
  ['total[gt]=1.000,50', [total, `gt takes one value; ${decimals}`]],
  // One number, or two: no edit.
  ['total=1,5', [total, `${decimals}; to match one of several values, write total[in]=…,…`]],
  ['money=1,5', [money, `${decimals}; to match one of several values, write money[in]=…,…`]],
  ['total=abc', [total]],
  ['total=NaN', [total]],
  ['total=.5', [total, 'write a digit before and after the point']],
  ['money=1e3', [money, 'write all digits, without an exponent']],
  [`money=${'1'.repeat(35)}`, [money, 'write at most 34 digits']],
  ['total[gt]=field:id', [total, otherField]],
  ['total[gt]=$id', [total, otherField]],
  ['total[gt]=F(id)', [total, otherField]],
  ['total[gt]=id', [total, otherField]],
  ['tags[atLeast]=x', [invalid('tags[atLeast]', 'a whole number from 0 to 2147483647')]],

  // Days.
  ['arrival=2024-6-1', [arrival, twoDigits]],
  ['arrival=2024-6-01', [arrival, twoDigits, 'arrival=2024-06-01']],
  ['arrival[in]=2024-06-01,2024-06-2', [arrival, twoDigits, 'arrival[in]=2024-06-01,2024-06-02']],
  ['arrival=2024-02-30', [arrival, noDay]],
  ['arrival=2024-2-30', [arrival, noDay]],
  ['arrival=2024-13-01', [arrival, noDay]],
  ['arrival=01/06/2024', [arrival, dashes]],
  ['arrival=1.6.2024', [arrival, dashes]],
  ['arrival=2024/06/01', [arrival, dashes]],
  ['arrival=20240601', [arrival, dashes]],
  ['arrival=1717236000', [arrival, dashes]],
  ['arrival[gte]=2024-06-01T10:00:00Z', [arrival, 'leave out the time: the field has days']],
  ['arrival[gte]=2024-06-01,2024-06-02', [arrival, 'gte takes one value']],
  ['arrival=soon', [arrival]],

  // Moments.
  ['at[gte]=2024-06-01T10:00', [at, wholeTime]],
  ['at[gte]=2024-06-01T10:00:00', [at, zone]],
  ['at[gte]=2024-06-01T10:00:00-00:00', [at, zone]],
  ['at[gte]=2024-06-01T10:00:00%2B0200', [at, zone]],
  ['at[gte]=2024-06-01T10:00Z', [at, 'add the seconds to the time', 'at[gte]=2024-06-01T10:00:00Z']],
  [
    'at[gte]=2024-06-01T10%3A00%2B02%3A00',
    [at, 'add the seconds to the time', 'at[gte]=2024-06-01T10%3A00:00%2B02%3A00'],
  ],
  ['at=2024-06-01+10:00:00Z', [at, 'write T between the day and the time', 'at=2024-06-01T10:00:00Z']],
  ['at=2024-06-01 10:00:00', [at, wholeTime]],
  ['at=2024-6-1', [at, twoDigits]],
  ['at=2024-02-30T10:00:00Z', [at, noDay]],
  ['at=2024-06-01T10:00:00.123456789Z', [at, 'write at most six digits after the seconds']],
  ['at[gte]=1717236000', [at, 'write a date and a time, not the seconds since 1970']],
  ['at[gte]=1717236000000', [at, 'write a date and a time, not the seconds since 1970']],
  ['at=2024-01-02[Europe/Berlin]', [at, bracketed]],
  ['at=2024-01-02T10:00:00%2B01:00[Europe/Berlin]', [at, bracketed]],

  // Lists and spaces.
  ['id[in]=1, 2', [id, spaces, 'id[in]=1,2']],
  ['id[in]=1,+2', [id, spaces, 'id[in]=1,2']],
  ['id[in]=1%2C%202', [id, spaces, 'id[in]=1%2C2']],
  ['id[in]=1 ,2', [id, spaces, 'id[in]=1,2']],
  ['id[in]=1, 2 ,3', [id, spaces]],
  ['status[in]=new, paid', [status, spaces, 'status[in]=new,paid']],
  ['total[range]=1, 5', [total, spaces, 'total[range]=1,5']],
  ['total[range]=1-5', ['operator range expects two values, low,high: found 1']],
  ['total[range]=1..5', ['operator range expects two values, low,high: found 1']],
  ['status[in]=new,null', [status, `${withoutValue}or=(status[in]=(…,…),status[exists]=false)`]],
  ['status=paid,null', [status, `${withoutValue}or=(status[in]=(paid),status[exists]=false)`]],
  ['status[nin]=new,null', [status, `${withoutValue}status[nin]=…,…&status[exists]=true`]],
  ['or=(status[in]=(new,null))', [status, `${withoutValue}or(status[in]=(…,…),status[exists]=false)`]],

  // No value.
  ['status=', [status, `${leaveOut}; for rows without a value, write status[exists]=false`]],
  ['total[gte]=', [total, leaveOut]],
  ['gift[exists]=', [invalid('gift[exists]', 'true or false'), leaveOut]],
  ['status[in]=', ['missing value', leaveOut]],
  ['seller[in]=', ['missing value', `${leaveOut}, or write an empty string as ""`]],
  ['status[in]=new,', ['missing list item', 'write one item on each side of a comma']],
  ['search=', ['empty search: expected a word', leaveOut]],
  ['search=++', ['empty search: expected a word', leaveOut]],
  ['sort=', ['empty item in sort: expected a path', leaveOut]],
  ['fields=', ['empty item in fields: expected a path', leaveOut]],
  ['limit=', [invalid('limit', 'a whole number from 1 to 100'), leaveOut]],
  ['count=', [invalid('count', 'true or false'), leaveOut]],
  ['cursor=', [invalid('cursor', 'the cursor of a page in this order'), leaveOut]],
  ['timeZone=', [invalid('timeZone', 'a time zone, such as Europe/Berlin or +01:00'), leaveOut]],

  // Quotes and groups.
  ['search="surf', ['unclosed quote', 'write a quote at the end, too, or none at the start']],
  ['seller[in]="a', ['unclosed quote', 'write a quote at the end, too, or none at the start']],
  ['or=(a)(b)', ['missing "=" in a condition', inGroup], ['unexpected text after ")"', oneGroup]],
  ['or=(status=new)(gift=true)', ['unexpected text after ")"', oneGroup]],
  ['or=(a|b)', ['missing "=" in a condition', inGroup]],
  ['or=(status=new|gift=true)', [status, 'write commas between the conditions of a group: (path=value,path=value)']],
  ['or=(status[in]=new,paid)', ['operator in expects a list in parentheses', 'write (a,b)']],
  [
    'or=(id[gt]=(1,2))',
    [
      'operator gt expects one value, not a list',
      'leave out the parentheses, or put a value that begins with a parenthesis in quotes',
    ],
  ],

  // Names that are operands in other languages.
  ['fields=*', ['unknown field "*"', 'leave out the parameter: rows then have every field']],
  ['tags[has]=vip', ['unknown operator "has"', 'did you mean equals?', 'tags[equals]=vip']],
  ['seller[search]=x', ['unknown operator "search"', 'did you mean contains?', 'seller[contains]=x']],
  ['count=10', [invalid('count', 'true or false'), 'for the size of a page, write limit=…']],

  // One mistake is one issue, and two are two.
  [
    'filter[name]=x',
    ['unknown field "filter"', 'each condition is a separate pair: path=value or path[operator]=value'],
  ],
  [
    'status[ne]=piad',
    ['unknown operator "ne"', 'did you mean notEqual?', 'status[notEqual]=piad'],
    [status, 'did you mean paid?', 'status[ne]=paid'],
  ],
  ['total[ge]=abc', ['unknown operator "ge"', 'did you mean gte?', 'total[gte]=abc'], [total]],
  ['nope[foo]=x', ['unknown field "nope"'], ['unknown operator "foo"']],
]

test.each(rows.map((row) => ({ text: row[0], row })))('$text', ({ text, row: [, ...told] }) => {
  expect(toldOf(grouped, text)).toEqual(told)
})

test('where there are no groups, presence is a condition of its own: status[in]=new,null', () => {
  const hint = 'for rows without a value, write status[exists]=false'
  expect(toldOf(plain, 'status[in]=new,null')).toEqual([[status, hint]])
})

test('the page size of another API is no request for a count: _count=10', () => {
  const [issue] = issuesOf(grouped, '_count=10')
  expect(issue!.hint).toMatch(/for the size of a page, write limit=/)
  expect(applied('_count=10', issue!.suggestion!)).toBe('limit=10')
})

test('each edit leaves no issue', () => {
  const edits = rows.flatMap(([, ...told]) => (told.length === 1 ? [told[0]![2] ?? ''] : []))
  expect(edits.flatMap((edited) => issuesOf(grouped, edited).map(({ message }) => [edited, message]))).toEqual([])
})
