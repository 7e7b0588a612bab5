/** Days of time zones, and times relative to a moment: texts over moments around changes of clocks, read with a zone. */
import { defineSchema, field } from '../../language/index.ts'
import { parseFilterOrThrow } from '../../hints/index.ts'
import type { Case, Fixture } from './case.ts'

const at = [
  ...['2024-03-30T22:59:59.999Z', '2024-03-30T23:00:00.000Z', '2024-03-31T21:59:59.999Z', '2024-03-31T22:00:00.000Z'],
  ...['2024-10-26T22:00:00.000Z', '2024-10-27T22:59:59.999Z', '2024-10-27T23:00:00.000Z'],
  ...['2011-12-30T09:59:59.999Z', '2011-12-30T10:00:00.000Z', '2011-12-31T10:00:00.000Z'],
]
const fixture: Fixture = {
  name: 'days of zones',
  schema: defineSchema({ id: field.integer(), at: field.datetime(), times: field.list(field.datetime()) }),
  rows: [
    ...at.map((moment, index) => ({ id: index + 1, at: moment })),
    { id: 11, at: null, times: [at[0], at[3]] },
    { id: 12, times: [null, at[2]] },
  ],
}

type Line = readonly [text: string, timeZone: string, now: string, expected: readonly number[], why: string]

const berlin = 'Europe/Berlin'
const apia = 'Pacific/Apia'
const noon = '2024-03-31T12:00:00.000Z'
const lines: readonly Line[] = [
  ['at=2024-03-31', berlin, noon, [2, 3], 'a day of 23 hours: clocks go forward'],
  ['at=2024-10-27', berlin, noon, [5, 6], 'a day of 25 hours: clocks go back'],
  ['at[notEqual]=2024-03-31', berlin, noon, [1, 4, 5, 6, 7, 8, 9, 10, 11, 12], 'every other moment, and no value'],
  ['at[gt]=2024-03-31', berlin, noon, [4, 5, 6, 7], 'from the first moment of the next day on'],
  ['at[gte]=2024-03-31', berlin, noon, [2, 3, 4, 5, 6, 7], 'from the first moment of the day on'],
  ['at[lt]=2024-03-31', berlin, noon, [1, 8, 9, 10], 'before the first moment of the day'],
  ['at[lte]=2024-03-31', berlin, noon, [1, 2, 3, 8, 9, 10], 'before the first moment of the next day'],
  [
    'at[range]=2024-03-31,2024-10-26',
    berlin,
    noon,
    [2, 3, 4],
    'from the first moment of one day to the last of another',
  ],
  ['at[in]=2024-03-31,2024-10-27', berlin, noon, [2, 3, 5, 6], 'on one of the days'],
  ['at[nin]=2024-03-31,2024-10-27', berlin, noon, [1, 4, 7, 8, 9, 10, 11, 12], 'on none of the days'],
  ['at=2011-12-29', apia, noon, [8], 'the last day before the one that the zone left out'],
  ['at=2011-12-31', apia, noon, [9], 'the first day after the one that the zone left out'],
  ['at[gt]=2011-12-29', apia, noon, [1, 2, 3, 4, 5, 6, 7, 9, 10], 'the next day is the first one that exists'],
  ['at[range]=2011-12-29,2011-12-31', apia, noon, [8, 9], 'two days of the calendar that follow each other'],
  ['at=2024-03-31', '+05:30', noon, [1, 2], 'a day of an offset'],
  ['at=2024-03-31', 'UTC', noon, [3, 4], 'a day of UTC'],
  ['at=today', berlin, noon, [2, 3], 'the day of the moment'],
  ['at=today-1d', berlin, noon, [1], 'the day before'],
  ['at[gt]=now-13h', berlin, noon, [3, 4, 5, 6, 7], 'units of hours are exact time'],
  ['at[lt]=now-1d', berlin, '2024-03-31T22:00:00.000Z', [1, 8, 9, 10], 'a day is a step of the calendar: 23 hours'],
  ['at[gte]=today+7mo', berlin, '2024-03-27T12:00:00.000Z', [5, 6, 7], 'a month is a step of the calendar'],
  ['times=2024-03-31', berlin, noon, [12], 'one entry on the day: one before it and one after it are none'],
  ['times[notEqual]=2024-03-31', berlin, noon, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11], 'no entry on the day'],
  ['times[all]=2024-03-30,2024-04-01', berlin, noon, [11], 'an entry on each of the days'],
]

/** Their filters contain moments alone: a backend needs to know nothing of zones. */
export const zones: readonly Case[] = lines.map(([text, timeZone, now, expected, why]) => ({
  name: `${fixture.name}: ${text} in ${timeZone} at ${now}`,
  fixture,
  filter: parseFilterOrThrow(fixture.schema, text, { timeZone, now: new Date(now) }),
  expected,
  requires: [],
  why,
}))
