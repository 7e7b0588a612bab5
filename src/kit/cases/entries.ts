/** Entries without a value: an empty object is an entry, null is not. */
import { and, comparison, not, presence, some } from '../../tree/index.ts'
import { defineSchema, field } from '../../language/index.ts'
import { casesOf, type Fixture } from './case.ts'

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
export const inEmptyEntries = casesOf(['empty-objects'], emptyEntries, [
  ['visits[exists]=true', [1, 2, 3, 4], 'an entry is there, whatever is in it'],
  ['visits[exists]=false', [5, 6], 'no entry at all'],
  ['visits.guests[exists]=true', [1, 3], 'an entry of an entry is there, whatever is in it'],
  ['visits.guests[exists]=false', [2, 4, 5, 6], 'no entry of an entry'],
  ['visits.day[exists]=false', [2, 3, 5, 6], 'no entry with a day'],
  ['visits.day[notEqual]=2024-01-01', [2, 3, 4, 5, 6], 'no entry on that day'],
  ['visits[exists]=true&visits.day=2024-01-02', [4], 'the entry is there, and on that day'],
  ['visits.guests.name[notEqual]=Ann', [2, 3, 4, 5, 6], 'no guest of that name'],
  ['visits[atLeast]=1', [1, 2, 3, 4], 'an empty object is an entry'],
  ['visits[atLeast]=2', [4], 'two entries, one of which has no value in it'],
  ['visits[atMost]=1', [1, 2, 3, 5, 6], 'one entry, or none'],
  ['visits.guests[atLeast]=1', [1, 3], 'an empty object is an entry of an entry'],
  ['visits.guests[atMost]=0', [2, 4], 'an entry without entries of its own'],
  [some(['visits'], and()), [1, 2, 3, 4], 'any entry at all, objects without a value too'],
  [some(['visits'], not(isDay1)), [2, 3, 4], 'an entry without a value is not on that day'],
  [some(['visits'], not(presence([], 'object'))), [], 'no entry is none'],
  [some(['visits'], not(presence(['day'], 'date'))), [2, 3, 4], 'an entry without a day'],
  [not(some(['visits'], not(isDay1))), [1, 5, 6], 'every entry is on that day, or there is none'],
  [some(['visits'], some(['guests'], not(presence(['name'], 'string')))), [3], 'an entry of an entry without a name'],
])

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
export const inNullEntries = casesOf(['other-forms'], nullEntries, [
  ['visits[exists]=true', [2, 3], 'null is not an object'],
  ['visits[exists]=false', [1, 4], 'null is not an object'],
  ['visits.guests[exists]=true', [], 'null is not an object'],
  ['visits.day=2024-01-01', [2], 'beside null'],
  ['visits.day[exists]=false', [1, 3, 4], 'null has no day'],
  ['visits[atLeast]=1', [2, 3], 'null does not count'],
  ['visits[atLeast]=2', [], 'null does not count'],
  ['visits[atMost]=0', [1, 4], 'null does not count'],
  ['visits.guests[atLeast]=1', [], 'null does not count in an entry either'],
  ['visits.guests[atMost]=0', [1, 2, 3], 'a null entry has no list in it'],
  ['visits.day[all]=2024-01-01', [2], 'beside null'],
  [some(['visits'], and()), [1, 2, 3], 'null is an entry all the same'],
  [some(['visits'], not(isDay1)), [1, 2, 3], 'null is an entry that is not on that day'],
  [some(['visits'], not(presence([], 'object'))), [1, 2], 'an entry that is not an object'],
  [not(some(['visits'], not(isDay1))), [4], 'every entry is on that day, or there is none'],
])
