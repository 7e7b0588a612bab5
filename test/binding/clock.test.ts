/** Days in a zone and times relative to now, as texts have them, and the clock of a walk through pages. */
import { describe, expect, test, vi } from 'vitest'
import {
  buildQuery,
  defineCollection,
  defineSchema,
  field,
  parseFilter,
  parseQuery,
  parseQueryOrThrow,
  printFilter,
  printQuery,
  queryString,
  restrict,
  toPage,
  where,
  type Filter,
  type QueryOptions,
} from '../../src/index.ts'
import { issuesIn } from '../issues.ts'
import { applied } from '../issue/suggestions.ts'
import { rowsIn } from '../rows.ts'

const schema = defineSchema({
  id: field.integer(),
  at: field.datetime(),
  millis: field.datetime({ digits: 3 }),
  day: field.date(),
  times: field.list(field.datetime()),
})
const collection = defineCollection(schema, { key: 'id', sort: ['at'], timeZone: true, groups: true })
const closed = defineCollection(schema, { key: 'id' })
/** A Sunday, an hour after the clocks of Berlin went forward. */
const now = new Date('2024-03-31T02:00:15.250Z')

/** A filter as short text. */
function shown(filter: Filter): string {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return `${filter.kind}(${filter.filters.map(shown).join(' ')})`
    case 'not':
      return `not(${shown(filter.filter)})`
    case 'some':
      return `some(${shown(filter.filter)})`
    case 'comparison':
      return `${filter.operator} ${String(filter.operand.value)}`
    case 'membership':
      return `in ${filter.operands.map(({ value }) => value).join()}`
    default:
      return filter.kind
  }
}
const read = (text: string, options: QueryOptions = {}): string => {
  const query = parseQueryOrThrow(collection, text, { now, ...options })
  return shown(query.filter)
}
const at = (timeZone: string, time = now.toISOString()): QueryOptions => ({ timeZone, now: new Date(time) })

const file = new URL('clock.txt', import.meta.url)
const days = rowsIn(file, 'days').map(({ cells: [timeZone, text, filter], place }) => ({
  ...{ text: text!, options: { timeZone: timeZone! }, filter: filter!, place },
}))
const relativeTimes = rowsIn(file, 'relative times').map(({ cells: [text, timeZone, filter, time], place }) => ({
  ...{ text: text!, options: at(timeZone!, time), filter: filter!, place },
}))

/** Texts with an invalid time. */
const noTimes: readonly string[] = [
  ...['at=today-90m', 'at=now-1', 'at=now-d', 'at=now-1M', 'at=now--1d', 'at=now-1d-1d', 'at=now- 1d', 'at=now-1.5h'],
  ...['at=NOW', 'at=nowhere', 'at=today ', 'at=now-1234567890s', 'at=now-1D', 'day=now', 'day=now-1d', 'day=today-1h'],
  // Times outside the years 0001 to 9999.
  ...[
    'at=today-2024y',
    'at=now+7976y',
    'day=today+999999999d',
    'at=now-999999999w',
    'at=now+999999999h',
    'at[in]=now,now+99999mo',
  ],
]

/** Accepted names of zones. */
const zones = [
  'Etc/GMT+5',
  'etc/gmt+5',
  'EST5EDT',
  // One that begins as a name that no zone has, and one that ends so.
  'CST6CDT',
  'Asia/Muscat',
  'est',
  'GB',
  'Asia/Kolkata',
  'America/Argentina/ComodRivadavia',
  'utc',
  '-00:01',
  '+23:59',
]

/** Refused names of zones. */
const noZones: readonly string[] = [
  '',
  'Mars/Olympus',
  'IST',
  'PST',
  'SystemV/PST8',
  'Z',
  'GMT+1',
  '+1:00',
  '+0100',
  '+24:00',
  '-00:00',
  '+01:60',
  'Etc/Unknown',
  'localtime',
  'Europe/Berlin ',
  ' Europe/Berlin',
  'xutc',
  'utcx',
  '+01:00x',
  'x+01:00',
  'x'.repeat(1000),
]

describe('a day of a datetime is the day of the zone', () => {
  test.each(days)('$options.timeZone $text', ({ text, options, filter, place }) => {
    expect(read(text, options), place).toBe(filter)
    if (!options.timeZone.startsWith('+'))
      expect(read(`${text}&timeZone=${options.timeZone}`, { timeZone: 'Asia/Kathmandu' }), place).toBe(filter)
  })

  test.each([
    ['+09:00', 'at=0001-01-01', 'lt 0001-01-01T15:00:00.000Z'],
    ['+09:00', 'at[gte]=0001-01-01', 'presence'],
    ['+09:00', 'at[lt]=0001-01-01', 'in '],
    ['+09:00', 'at[range]=0001-01-01,2024-01-01', 'lt 2024-01-01T15:00:00.000Z'],
    ['+09:00', 'at[lte]=9999-12-31', 'lt 9999-12-31T15:00:00.000Z'],
    ['-05:00', 'at[gte]=0001-01-01', 'gte 0001-01-01T05:00:00.000Z'],
    ['-05:00', 'at=9999-12-31', 'gte 9999-12-31T05:00:00.000Z'],
    ['-05:00', 'at[lte]=9999-12-31', 'presence'],
    ['-05:00', 'at[gt]=9999-12-31', 'in '],
    // Until 1867 it was 15 hours ahead.
    ['America/Juneau', 'at[range]=0001-01-01,9999-12-31', 'presence'],
  ])('a bound outside the years 1 to 9999 falls away: %s %s', (timeZone, text, expected) => {
    expect(read(text, { timeZone })).toBe(expected)
  })
})

describe('a relative time', () => {
  test.each(relativeTimes)('$text', ({ text, options, filter, place }) => {
    expect(read(text, options), place).toBe(filter)
  })
  test.each(noTimes)('refuses %s', (text) => {
    for (const timeZone of ['UTC', 'Europe/Berlin']) {
      const result = parseQuery(collection, text.replace('= ', '=%20'), { now, timeZone })
      expect(result.ok ? result.query : result.issues.map(({ code }) => code)).toEqual(['operand_invalid'])
    }
  })

  test('reads the clock once per query', () => {
    let time = now.getTime()
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => time++)
    try {
      const filter = parseQueryOrThrow(collection, 'at[gt]=now&at[lt]=now&or=(at=now,day=today)').filter
      expect(new Set(shown(filter).match(/02:00[^ )]+/g))).toEqual(new Set(['02:00:15.250Z']))
      expect(clock).toHaveBeenCalledTimes(1)
      parseQueryOrThrow(collection, 'at[gt]=2024-01-01T00:00:00Z&day=2024-01-01')
      expect(clock).toHaveBeenCalledTimes(1)
    } finally {
      clock.mockRestore()
    }
  })
  test('is refused by builders', () => {
    expect(() => where(schema).equals('day', 'today')).toThrow(
      'operand of equals on day must be a date of the years 0001 to 9999, YYYY-MM-DD',
    )
    expect(() => where(schema).gt('at', 'now')).toThrow(
      /^operand of gt on at must be a date, YYYY-MM-DD, or an RFC 3339/,
    )
  })
  test('appears in the message of an invalid operand', () => {
    const messageOf = (text: string) => {
      const result = parseQuery(collection, text)
      return result.ok ? '' : result.issues[0].message
    }
    expect(messageOf('day=x')).toBe('invalid value for day: expected a date, such as 2024-06-01 or today-7d')
    expect(messageOf('at=x')).toMatch(/or now-90m$/)
  })
  test('is a plain text in a field of text', () => {
    const names = defineSchema({ name: field.string(), kind: field.enumeration(['now', 'today']) })
    const result = parseFilter(names, 'name=now&kind=today')
    expect(result.ok && shown(result.filter)).toBe('and(eq now eq today)')
  })
})

describe('the parameter timeZone', () => {
  test.each(noZones)('refuses %j', (zone) => {
    const text = `at=now&timeZone=${encodeURIComponent(zone)}`
    expect(issuesIn(parseQuery(collection, text))).toMatchObject([
      {
        code: 'parameter_invalid',
        span: { start: 16, end: text.length },
        parameters: { expected: { kind: 'time_zone' } },
      },
    ])
    expect(() => parseFilter(schema, '', { timeZone: zone })).toThrow(TypeError)
  })
  test.each(zones)('accepts %s', (zone) => {
    expect(parseQuery(collection, `timeZone=${encodeURIComponent(zone)}`).ok).toBe(true)
    expect(parseFilter(schema, '', { timeZone: zone }).ok).toBe(true)
  })
  test('is an unknown field where the collection does not allow it', () => {
    expect(issuesIn(parseQuery(closed, 'timeZone=Europe/Berlin'))).toMatchObject([{ code: 'field_unknown' }])
  })
  test('applies from any position in the text, and is refused twice', () => {
    expect(read('timeZone=Asia/Tokyo&at[lt]=2024-01-01')).toBe('lt 2023-12-31T15:00:00.000Z')
    expect(read('at[lt]=2024-01-01&time%5Aone=Asia%2FTokyo')).toBe('lt 2023-12-31T15:00:00.000Z')
    expect(issuesIn(parseQuery(collection, 'timeZone=Asia/Tokyo&timeZone=Asia/Tokyo'))).toMatchObject([
      { code: 'parameter_duplicate' },
    ])
  })
  test('has a hint for a plus sign that is not escaped, and for a misspelt name', () => {
    const hintOf = (zone: string) =>
      issuesIn(parseQuery(collection, `timeZone=${zone}`)).map(({ hint, parameters }) => [hint, parameters])
    const expected = { parameter: 'timeZone', expected: { kind: 'time_zone' } }
    expect(hintOf('+01:00')).toEqual([
      [
        '"+" means a space in a query string: write a plus sign as %2B',
        { ...expected, advice: [{ kind: 'escape_plus' }] },
      ],
    ])
    expect(hintOf('Europe/Berlim')).toEqual([
      ['did you mean Europe/Berlin?', { ...expected, advice: [{ kind: 'did_you_mean', name: 'Europe/Berlin' }] }],
    ])
    expect(hintOf('Xx')).toEqual([[undefined, { ...expected, advice: [] }]])
  })
  test('may have another name', () => {
    const renamed = defineCollection(schema, { key: 'id', timeZone: true, parameters: { timeZone: 'tz' } })
    const { filter } = parseQueryOrThrow(renamed, 'at[lt]=2024-01-01&tz=Asia/Tokyo')
    expect(shown(filter)).toBe('lt 2023-12-31T15:00:00.000Z')
  })
})

test('options of a wrong type are a TypeError', () => {
  const call = (options: object) => () => parseFilter(schema, '', options)
  for (const timeZone of [null, 1, '', 'Nowhere', ['UTC']])
    expect(call({ timeZone })).toThrow(/^options\.timeZone must be a time zone/)
  for (const given of [null, 1, '2024-01-01', new Date(NaN), new Date(-1e15)])
    expect(call({ now: given })).toThrow(new TypeError('options.now must be a Date of the years 0001 to 9999'))
  expect(call({ timeZone: undefined, now: undefined })()).toMatchObject({ ok: true })
})

describe('the clock of a walk', () => {
  const rows = [{ id: 1 }, { id: 2 }]
  const first = (text: string, options: QueryOptions) => {
    const query = parseQueryOrThrow(collection, `${text}&limit=1`, options)
    return { query, next: toPage(query, rows).next! }
  }
  test.each([
    ['at[gte]=2024-01-01', {}, undefined],
    ['at[gte]=2024-01-01T00:00:00Z&day=2024-01-01', { timeZone: 'Asia/Tokyo' }, undefined],
    ['at[gte]=2024-01-01', { timeZone: 'Asia/Tokyo' }, { timeZone: 'Asia/Tokyo' }],
    ['at[gte]=2024-01-01&timeZone=asia/tokyo', {}, { timeZone: 'asia/tokyo' }],
    ['at[gte]=now-1s', {}, { timeZone: 'UTC', now: '2024-03-31T02:00:15.250Z' }],
    // Nothing but the day counts: all of it has one clock.
    ['day=today', { timeZone: '+01:00' }, { timeZone: '+01:00', now: '2024-03-30T23:00:00.000Z' }],
    ['at=today-1mo', { timeZone: 'Europe/Berlin' }, { timeZone: 'Europe/Berlin', now: '2024-03-30T23:00:00.000Z' }],
    ['day=today&at[lt]=now', {}, { timeZone: 'UTC', now: '2024-03-31T02:00:15.250Z' }],
    ['at[lt]=now&day=today', {}, { timeZone: 'UTC', now: '2024-03-31T02:00:15.250Z' }],
    // The day begins before the year 1 in UTC.
    [
      'day=today',
      { timeZone: '+09:00', now: new Date('0001-01-01T05:00:00Z') },
      { timeZone: '+09:00', now: '0001-01-01T05:00:00.000Z' },
    ],
  ])('is in the query where its filter depends on it: %s %j', (text, options, clock) => {
    const { query, next } = first(text, { now, ...options })
    expect(query.clock).toEqual(clock)
    expect(Object.hasOwn(query, 'clock')).toBe(clock !== undefined)
    const [version] = JSON.parse(atob(next.replaceAll('-', '+').replaceAll('_', '/'))) as [number]
    expect(version).toBe(clock === undefined ? 1 : 4)
  })
  test('reads the next pages as the first one, whatever the time and the zone are', () => {
    const text = 'at[gte]=today-1d&at[lt]=now&day[lte]=today&or=(at=2024-03-30,at[gt]=now-1h)'
    const { query, next } = first(text, { now, timeZone: 'Asia/Tokyo' })
    let cursor = next
    for (const timeZone of [undefined, 'UTC', 'America/New_York']) {
      const later = { now: new Date('2031-05-05T05:05:05Z'), timeZone }
      const page = parseQueryOrThrow(collection, `${text}&cursor=${cursor}`, later)
      expect(page.filter).toEqual(query.filter)
      expect(page.clock).toEqual(query.clock)
      cursor = toPage({ ...page, limit: 1 }, rows).next!
      expect(cursor).toBe(next)
    }
  })
  test('refuses the cursor of another zone than the parameter names', () => {
    const { next } = first('at[gte]=today', { timeZone: 'Asia/Tokyo' })
    const text = (zone: string) => `at[gte]=today&timeZone=${zone}&cursor=${next}`
    expect(parseQuery(collection, text('asia/tokyo')).ok).toBe(true)
    expect(issuesIn(parseQuery(collection, text('Europe/Berlin')))).toMatchObject([
      { code: 'parameter_invalid', parameters: { parameter: 'cursor', expected: { kind: 'cursor' } } },
    ])
  })
  test('is absent from a query without days, and a cursor without a zone fits every zone', () => {
    const { next } = first('at[gte]=today', { timeZone: 'Asia/Tokyo', now })
    for (const text of [`cursor=${next}`, `cursor=${next}&timeZone=asia/tokyo`]) {
      const query = parseQueryOrThrow(collection, text)
      expect(query.position?.values).toEqual([{ type: 'integer', value: 1 }])
      expect(Object.keys(query).sort()).toEqual(['asked', 'count', 'filter', 'limit', 'position', 'sort'])
    }
    const { next: plain } = first('at[gte]=2024-01-01', {})
    expect(parseQuery(collection, `cursor=${plain}&timeZone=Asia/Tokyo`).ok).toBe(true)
    expect(Object.keys(parseQueryOrThrow(collection, `cursor=${plain}`).position!)).toEqual(['toward', 'values'])
  })
  test('is in a query that code makes of a cursor', () => {
    const { query, next } = first('at[gte]=today', { timeZone: 'Asia/Tokyo', now })
    const built = buildQuery(collection, { cursor: next })
    expect(built.clock).toEqual(query.clock)
    expect(Object.keys(built).sort()).toEqual(['asked', 'clock', 'count', 'filter', 'limit', 'position', 'sort'])
    expect(Object.keys(built.position!)).toEqual(['toward', 'values'])
    const { next: plain } = first('at[gte]=2024-01-01', {})
    expect(Object.keys(buildQuery(collection, { cursor: plain }).position!)).toEqual(['toward', 'values'])
  })
  const cursorOf = (...parts: readonly unknown[]) =>
    btoa(JSON.stringify(parts)).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
  test.each([[['UTC']], [['UTC', '2024-03-31T02:00:15.250Z']], [['Asia/Tokyo', '0001-01-01T00:00:00.000Z']]])(
    'a cursor may be made by others: %j',
    (clock) => {
      expect(parseQuery(closed, `at=now&cursor=${cursorOf(4, 'next', ['+id'], [1], clock)}`).ok).toBe(true)
    },
  )
  test.each([
    ...[[], {}, null, 'UTC', 1, ['Mars/Olympus'], ['IST'], [1], [''], ['UTC', null], ['UTC', 'now'], ['UTC', 1]],
    ...[
      ['UTC', '2024-03-31'],
      ['UTC', '2024-03-31T02:00:15Z'],
      ['UTC', '0000-01-01T00:00:00.000Z'],
      ['UTC', '2024-03-31T02:00:15.250Z', 1],
    ],
    [['UTC'], '2024-03-31T02:00:15.250Z'],
  ])('a cursor with the clock %j is none', (clock) => {
    for (const version of [1, 4, 5, 7]) {
      expect(
        issuesIn(parseQuery(closed, `at=now&day=today&cursor=${cursorOf(version, 'next', ['+id'], [1], clock)}`)).map(
          ({ code }) => code,
        ),
      ).toEqual(['parameter_invalid'])
    }
  })
})

describe('printing', () => {
  const readIn = (timeZone: string, text: string) => parseQueryOrThrow(closed, text, { timeZone, now })
  test('writes moments for days of a zone and for relative times', () => {
    expect(printQuery(closed, readIn('Europe/Berlin', 'at=2024-03-31'))).toBe(
      'at[gte]=2024-03-30T23:00:00.000Z&at[lt]=2024-03-31T22:00:00.000Z',
    )
    expect(printQuery(closed, readIn('UTC', 'at[gt]=now-15250s&day=today'))).toBe(
      'at[gt]=2024-03-30T21:46:05.250Z&day=2024-03-31',
    )
  })
  test('writes a day of UTC where it is read as one', () => {
    const query = parseQueryOrThrow(closed, 'at=2024-01-01')
    expect(printQuery(closed, query)).toBe('at=2024-01-01')
    expect(printQuery(closed, query, { timeZone: 'etc/utc' })).toBe('at=2024-01-01')
    expect(printQuery(closed, query, { timeZone: 'Asia/Tokyo' })).toBe(
      'at[gte]=2024-01-01T00:00:00.000Z&at[lt]=2024-01-02T00:00:00.000Z',
    )
    expect(printFilter(schema, query.filter, { timeZone: '+01:00' })).toBe(
      'at[gte]=2024-01-01T00:00:00.000Z&at[lt]=2024-01-02T00:00:00.000Z',
    )
    expect(() => printFilter(schema, query.filter, { timeZone: 'not a zone' })).toThrow(TypeError)
    expect(printQuery(collection, query)).toBe('at=2024-01-01&timeZone=UTC')
    expect(printQuery(collection, parseQueryOrThrow(collection, 'id=1&at=2024-01-01'))).toBe(
      'id=1&at=2024-01-01&timeZone=UTC',
    )
    expect(() => printQuery(collection, query, { zone: 'UTC' } as never)).toThrow('options.zone is unknown')
    expect(printQuery(collection, parseQueryOrThrow(collection, 'day=2024-01-01'))).toBe('day=2024-01-01')
  })
  test('refuses a filter that only days express in a zone', () => {
    const query = parseQueryOrThrow(closed, 'at[notEqual]=2024-01-01', { timeZone: 'Asia/Tokyo' })
    expect(() => printQuery(closed, query)).toThrow('cannot express')
    expect(printQuery(collection, query)).toBe('not=(at[gte]=2023-12-31T15:00:00.000Z,at[lt]=2024-01-01T15:00:00.000Z)')
  })
  test('writes a cursor without the clock, for its text does not depend on one', () => {
    const query = parseQueryOrThrow(collection, 'at[gte]=today&timeZone=Asia/Tokyo', { now })
    const next = parseQueryOrThrow(
      collection,
      `at[gte]=today&cursor=${toPage({ ...query, limit: 1 }, [{ id: 1 }, { id: 2 }]).next}`,
    )
    const again = parseQueryOrThrow(collection, printQuery(collection, next), { timeZone: 'Europe/Berlin' })
    expect(again.clock).toBeUndefined()
    expect(shown(again.filter)).toBe(shown(query.filter))
    expect(again.position).toEqual(next.position)
  })
})

test('a restriction does not depend on the zone, and keeps the clock', () => {
  const query = parseQueryOrThrow(collection, 'at[gte]=2024-01-01&timeZone=Asia/Tokyo')
  const restricted = restrict(query, where(schema).gte('at', '2024-01-01'))
  expect(shown(restricted.filter)).toBe('and(gte 2023-12-31T15:00:00.000Z gte 2024-01-01T00:00:00.000Z)')
  expect(restricted.clock).toEqual({ timeZone: 'Asia/Tokyo' })
  expect(JSON.parse(JSON.stringify(restricted.clock))).toEqual(restricted.clock)
})

test('front-ends write zones and relative times', () => {
  const text = queryString<typeof collection>({ filter: { 'at[gte]': 'now-1d', day: 'today+1mo' }, timeZone: '+01:00' })
  expect(text).toBe('at[gte]=now-1d&day=today%2B1mo&timeZone=%2B01:00')
  expect(parseQuery(collection, text).ok).toBe(true)
  expect(queryString<typeof collection>({ timeZone: undefined })).toBe('')
})

test.each([
  ['yesterday', 'did you mean today-1d?', 'at=today-1d'],
  ['TOMORROW', 'did you mean today+1d?', 'at=today%2B1d'],
  ['now()', 'did you mean now?', 'at=now'],
  ['today-90m', 'write now-90m or now+2h', 'at=now-90m'],
  ['now-1D', 'write now-90m or now+2h', 'at=now-1d'],
  ['NOW-1d', 'write now-90m or now+2h', 'at=now-1d'],
  ['now-3M', 'write now-90m or now+2h', 'at=now-3mo'],
  ['now-15min', 'write now-90m or now+2h', 'at=now-15m'],
  ['now-7d/d', 'write now-90m or now+2h', undefined],
  ['now-1xh', 'write now-90m or now+2h', undefined],
  ['-7d', 'write now-90m or now+2h', undefined],
  ['NOW-1DAY', 'write now-90m or now+2h', undefined],
  ['-P7D', 'write now-90m or now+2h', undefined],
  ['last7days', 'write now-90m or now+2h', undefined],
  ['CURDATE()', 'did you mean today?', 'at=today'],
])('a near miss has a hint: %s', (operand, hint, mended) => {
  const text = `at=${operand}`
  const [issue] = issuesIn(parseQuery(collection, text))
  expect(issue?.hint).toContain(hint)
  const edit = issue?.suggestion
  expect(edit && applied(text, edit)).toBe(mended)
  if (mended !== undefined) expect(parseQuery(collection, mended).ok).toBe(true)
})
test.each([
  ['now', 'did you mean today?'],
  ['now-7d', 'write a day as today-7d'],
])('a date refuses a moment: %s', (operand, hint) => {
  const result = parseQuery(collection, `day=${operand}`)
  expect(result.ok ? '' : result.issues[0].hint).toContain(hint)
})
test('a day that the zone left out has a hint, where it is the value of a datetime', () => {
  const hintsOf = (text: string) =>
    issuesIn(parseQuery(collection, `${text}=2011-12-30`, { timeZone: 'Pacific/Apia' })).map(({ hint }) => hint)
  const leftOut = 'the time zone left out this day: its clocks went from the day before to the day after'
  for (const key of ['at', 'at[gte]', 'times', 'times[all]']) expect(hintsOf(key), key).toEqual([leftOut])
  for (const key of ['times[atLeast]', 'at[exists]', 'id']) expect(hintsOf(key), key).toEqual([undefined])
  // A date has no zone.
  expect(hintsOf('day')).toEqual([])
})
test('an edit turns a moment into a day', () => {
  const result = parseQuery(collection, 'day=now-7d')
  expect(result.ok ? '' : applied('day=now-7d', result.issues[0].suggestion!)).toBe('day=today-7d')
})
test('other names of the parameter have a hint', () => {
  const result = parseQuery(collection, 'tz=Asia/Tokyo')
  expect(result.ok ? '' : result.issues[0].hint).toBe('write timeZone=…')
})

test('a second copy of the library, such as the CommonJS format, parses to equal filters', async () => {
  vi.resetModules()
  const copy = await import('../../src/index.ts')
  const own = copy.defineCollection(copy.defineSchema(schema.fields as never), {
    ...{ key: 'id', timeZone: true, groups: true },
  } as never)
  const readIn = (text: string, options: QueryOptions) => {
    const result = copy.parseQuery(own, text, { now, ...options })
    return result.ok ? shown(result.query.filter) : result.issues.map(({ code }) => code)
  }
  for (const { text, options, filter, place } of [...days, ...relativeTimes])
    expect(readIn(text, options), place).toBe(filter)
  for (const text of noTimes) {
    expect(readIn(text.replace('= ', '=%20'), { timeZone: 'Europe/Berlin' }), text).toEqual(['operand_invalid'])
    expect(readIn(text.replace('= ', '=%20'), {}), text).toEqual(['operand_invalid'])
  }
  for (const zone of noZones)
    expect(readIn(`timeZone=${encodeURIComponent(zone)}`, {}), zone).toEqual(['parameter_invalid'])
  for (const zone of zones) expect(readIn(`timeZone=${encodeURIComponent(zone)}`, {}), zone).toBe('and()')
})
