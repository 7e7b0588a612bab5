/** The messages of issues, from a new copy of the module: the module makes its tables at load time. */
import { expect, test, vi } from 'vitest'
import type { Advice, IssueParameters } from '../../src/index.ts'

async function wordsOf<C extends keyof IssueParameters>(code: C, parameters: IssueParameters[C]) {
  vi.resetModules()
  return (await import('../../src/issue/wording.ts')).wordsOf(code, parameters)
}
const few = (...names: readonly string[]) => ({ names, isCut: false })

test.each<readonly [Advice, string]>([
  [{ kind: 'choose', from: 'facets', choices: few('status', 'tags') }, 'facets: status, tags'],
  [
    { kind: 'fewer_searches', excess: 3, everywhere: ['contains'], inLists: [], inGroups: false, facets: null },
    'remove 3 of the conditions with contains',
  ],
  [
    {
      ...{ kind: 'fewer_searches', excess: 1, everywhere: ['contains', 'endsWith'], inLists: ['equals'] },
      ...{ inGroups: true, facets: 1 },
    },
    'remove 1 of the conditions with contains, endsWith, or equals in a list, or on a list in a group, or ask for at most 1 facet: each facet counts them again; outside lists, equals does not count',
  ],
  [
    { kind: 'fewer_searches', excess: 2, everywhere: [], inLists: ['equals', 'in'], inGroups: false, facets: 0 },
    'remove 2 of the conditions with equals, in in a list, or ask for no facets: each facet counts them again; outside lists, equals, in do not count',
  ],
  [
    { kind: 'fewer_searches', excess: 9, everywhere: [], inLists: [], inGroups: true, facets: 3 },
    'remove 9 of the conditions on a list in a group, or ask for at most 3 facets: each facet counts them again',
  ],
  [
    { kind: 'relative_time' },
    'write now-90m or now+2h, with s, m, h, d, w, mo or y; or a day as today-7d, with d, w, mo or y',
  ],
  [{ kind: 'relative_day' }, 'write a day as today-7d or today+1mo, with d, w, mo or y'],
  [{ kind: 'day_left_out' }, 'the time zone left out this day: its clocks went from the day before to the day after'],
  [
    { kind: 'drop_cursor' },
    'start again without it: it belongs to another order or time zone, or it is not a cursor of this service',
  ],
  [
    { kind: 'write_group', word: 'and', isInGroup: false, list: 'items.every' },
    'write a group as and=(items.every(…))',
  ],
  [{ kind: 'write_group', word: 'or', isInGroup: true, list: null }, 'write a group as or(…)'],
])('%j: %s', async (advice, hint) => {
  const [, found] = await wordsOf('field_unknown', { problem: 'name', name: 'x', advice: [advice] })
  expect(found).toBe(hint)
})

const invalid = (expected: IssueParameters['parameter_invalid']['expected']) =>
  wordsOf('parameter_invalid', { parameter: 'tz', expected, advice: [] })

test('the message of a parameter lists the values that it accepts', async () => {
  expect(await invalid({ kind: 'time_zone' })).toEqual([
    'invalid value for tz: expected a time zone, such as Europe/Berlin or +01:00',
    undefined,
  ])
  expect(await invalid({ kind: 'boolean' })).toEqual(['invalid value for tz: expected true or false', undefined])
  expect(await invalid({ kind: 'cursor' })).toEqual([
    'invalid value for tz: expected the cursor of a page in this order',
    undefined,
  ])
})

test('an empty search, an empty item and an empty value have different messages', async () => {
  const empty = (
    of: IssueParameters['operand_empty']['of'],
    parameter: string | null,
    isWhole: boolean,
    allowsEmptyText = false,
  ) => wordsOf('operand_empty', { of, isWhole, allowsEmptyText, parameter })
  const leaveOut = 'leave it out if it has no value'
  expect(await empty('search', 'q', true)).toEqual(['empty q: expected a word', leaveOut])
  expect(await empty('search', 'q', false)).toEqual(['empty q: expected a word', undefined])
  expect(await empty('parameter', 'sort', true)).toEqual(['empty item in sort: expected a path', leaveOut])
  expect(await empty('parameter', 'sort', false)).toEqual(['empty item in sort: expected a path', undefined])
  expect(await empty('value', null, true)).toEqual(['missing value', leaveOut])
  expect(await empty('list', null, true)).toEqual(['missing value', leaveOut])
  expect(await empty('list', null, true, true)).toEqual([
    'missing value',
    `${leaveOut}, or write an empty string as ""`,
  ])
  expect(await empty('list', null, false)).toEqual(['missing list item', 'write one item on each side of a comma'])
  expect(await empty('list', null, false, true)).toEqual(['missing list item', 'write an empty string as ""'])
})

test.each([
  ['fields', 'duplicate path: total is already in fields'],
  ['facets', 'duplicate path: total is already in facets'],
  ['query', 'duplicate path: total is already in the query'],
] as const)('a duplicate names its place: %s', async (where, message) => {
  expect(await wordsOf('duplicate_condition', { name: 'total', of: 'path', where, advice: [] })).toEqual([
    message,
    undefined,
  ])
})

test('a field without a sort key, a selection or a facet has a message', async () => {
  const parameters = { field: 'total', advice: [] }
  expect(await wordsOf('field_not_sortable', parameters)).toEqual(['total is not sortable', undefined])
  expect(await wordsOf('field_not_selectable', parameters)).toEqual(['total is not selectable', undefined])
  expect(await wordsOf('field_not_counted', parameters)).toEqual(['total has no facet', undefined])
})
