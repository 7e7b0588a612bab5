/** Zones against Temporal, which reads the same data of the runtime by separate code. */
import fc from 'fast-check'
import { Temporal } from 'temporal-polyfill'
import { describe, expect, test, vi } from 'vitest'
import { clockAt, zoneNamed, zoneNames } from '../../src/language/index.ts'
import { dayAfter } from '../../src/values/time.ts'
import { dayIn, firstMomentIn, momentAt, momentsIn, wallTimeOf } from '../../src/values/zone.ts'
import { byEffort } from '../effort.ts'

/** Zones that left out a day, or midnight; that went back over midnight, or by a day; with odd offsets. */
const odd = [
  ...[
    'Pacific/Apia',
    'Pacific/Kwajalein',
    'Asia/Manila',
    'Pacific/Enderbury',
    'America/Sao_Paulo',
    'Africa/Cairo',
    'Asia/Beirut',
  ],
  ...[
    'America/St_Johns',
    'America/Juneau',
    'America/Havana',
    'Australia/Lord_Howe',
    'Africa/Monrovia',
    'Europe/Dublin',
    'Europe/Berlin',
  ],
  ...[
    'Antarctica/Troll',
    'Africa/Casablanca',
    'Asia/Kathmandu',
    'America/Scoresbysund',
    'America/Toronto',
    'Asia/Gaza',
    'UTC',
  ],
]
const zones = byEffort(zoneNames(), odd)

/** The offsets of Temporal change at these moments. */
function* transitionsOf(zone: string, from: string, to: string): Iterable<number> {
  let at: Temporal.ZonedDateTime | null = Temporal.Instant.from(from).toZonedDateTimeISO(zone)
  const end = Temporal.Instant.from(to).epochMilliseconds
  while ((at = at.getTimeZoneTransition('next')) !== null && at.epochMilliseconds < end) yield at.epochMilliseconds
}
const offsetOf = (zone: string, moment: number): number =>
  Temporal.Instant.fromEpochMilliseconds(moment).toZonedDateTimeISO(zone).offsetNanoseconds / 1e6
const firstOf = (zone: string, day: string): number =>
  Temporal.PlainDate.from(day).toZonedDateTime(zone).epochMilliseconds
const compatible = (zone: string, wall: number): number =>
  Temporal.PlainDateTime.from(new Date(wall).toISOString().slice(0, -1)).toZonedDateTime(zone, {
    disambiguation: 'compatible',
  }).epochMilliseconds

const minute = 60_000
/** Around the two wall times of a transition, and between them. */
const steps = [-1441, -721, -61, -60, -31, -30, -1, 0, 1, 30, 31, 60, 61, 721, 1441].map((count) => count * minute)

/** Compares offsets, moments and days of a zone around a moment. */
function compareAt(zone: string, moment: number): void {
  const offsetAt = zoneNamed(zone)!
  const where = `${zone} ${new Date(moment).toISOString()}`
  expect(
    [-1, 0, 1].map((step) => offsetAt(moment + step)),
    where,
  ).toEqual([-1, 0, 1].map((step) => offsetOf(zone, moment + step)))
  const walls = [wallTimeOf(offsetAt, moment - 1) + 1, wallTimeOf(offsetAt, moment)]
  for (const wall of walls.flatMap((one) => steps.map((step) => one + step)))
    expect(momentAt(offsetAt, wall), `${where} ${new Date(wall).toISOString()}`).toBe(compatible(zone, wall))
  const days = new Set([-2, -1, 0, 1, 2].map((count) => dayIn(offsetAt, moment + count * 1440 * minute)))
  for (const day of days) expect(firstMomentIn(offsetAt, day), `${where} ${day}`).toBe(firstOf(zone, day))
}

describe('every transition', () => {
  test.each(zones)('of %s from 1970 to 2037', { timeout: 120_000 }, (zone) => {
    for (const moment of transitionsOf(zone, '1970-01-01T00:00Z', '2038-01-01T00:00Z')) compareAt(zone, moment)
  })
  test.each(byEffort(zones, ['Pacific/Apia', 'Asia/Manila', 'America/Juneau', 'Europe/Warsaw', 'Africa/Monrovia']))(
    'of %s before 1970',
    { timeout: 120_000 },
    (zone) => {
      for (const moment of transitionsOf(zone, '1800-01-01T00:00Z', '1970-01-01T00:00Z')) compareAt(zone, moment)
    },
  )
  test('is found: some zones have many', () => {
    expect([...transitionsOf('Europe/Berlin', '1981-01-01T00:00Z', '2038-01-01T00:00Z')].length).toBe(2 * 57)
  })
})

const someZone = fc.constantFrom(...zoneNames(), '+14:00', '-23:59', '+23:59')
const someDay = fc
  .integer({ min: -719_162, max: 2_932_894 }) // 0001-01-01 to 9999-12-29
  .map((count) => new Date(count * 1440 * minute).toISOString().slice(0, 10))

test('days tile the line of time: each begins where the one before ends', () => {
  fc.assert(
    fc.property(someZone, someDay, (zone, day) => {
      const offsetAt = zoneNamed(zone)!
      const next = dayAfter(day)!
      const [one, two] = [momentsIn(offsetAt, day), momentsIn(offsetAt, next) ?? momentsIn(offsetAt, dayAfter(next)!)]
      if (one === undefined) return
      expect(two!.from).toBe(one.until)
      expect(one.from).toBeLessThan(one.until)
      expect(dayIn(offsetAt, one.from)).toBe(day)
    }),
    { numRuns: byEffort(20_000, 100) },
  )
})
test('days are left out where Temporal leaves them out', () => {
  for (const [zone, day] of [
    ['Pacific/Apia', '2011-12-30'],
    ['Pacific/Kwajalein', '1993-08-21'],
    ['Asia/Manila', '1844-12-31'],
    ['Pacific/Enderbury', '1994-12-31'],
  ] as const) {
    expect(momentsIn(zoneNamed(zone)!, day), zone).toBeUndefined()
    expect(firstMomentIn(zoneNamed(zone)!, day)).toBe(firstOf(zone, day))
  }
})

describe('a clock that skips midnight', () => {
  const until = (moment: number, before: number, after: number) => (at: number) =>
    (at < moment ? before : after) * minute
  /** The clocks go from 23:30 to 00:30. */
  const [leap, late] = [Date.UTC(2024, 2, 30, 20, 30), Date.UTC(2024, 2, 31, 3, 30)]
  test.each([
    ['America/Toronto', zoneNamed('America/Toronto')!, '1919-03-30', '1919-03-31', Date.UTC(1919, 2, 31, 4, 30)],
    ['180 minutes ahead', until(leap, 180, 240), '2024-03-30', '2024-03-31', leap],
    ['240 minutes behind', until(late, -240, -180), '2024-03-30', '2024-03-31', late],
  ])('begins the day with the leap: %s', (_, offsetAt, before, after, moment) => {
    expect(firstMomentIn(offsetAt, after)).toBe(moment)
    expect(momentsIn(offsetAt, before)).toEqual({ from: moment - 1410 * minute, until: moment })
    expect(momentsIn(offsetAt, after)!.until - moment).toBe(1410 * minute)
  })
})

describe('relative times', () => {
  const units = { s: 'seconds', m: 'minutes', h: 'hours', d: 'days', w: 'weeks', mo: 'months', y: 'years' } as const
  const someStep = fc.tuple(
    fc.constantFrom(...(Object.keys(units) as (keyof typeof units)[])),
    fc.integer({ min: -1000, max: 1000 }),
  )
  const someMoment = fc.integer({ min: Date.UTC(1960, 0), max: Date.UTC(2040, 0) })
  test('are those of Temporal', () => {
    fc.assert(
      fc.property(someZone, someMoment, someStep, (zone, now, [unit, count]) => {
        const clock = clockAt(zoneNamed(zone)!, now)
        const step = `${count < 0 ? '-' : '+'}${Math.abs(count)}${unit}`
        const start = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(zone)
        const moment = start.add({ [units[unit]]: count })
        const inYears = moment.withTimeZone('UTC').year >= 1
        expect(clock.relative(`now${step}`, 'datetime')).toEqual(
          inYears ? { type: 'datetime', value: new Date(moment.epochMilliseconds).toISOString() } : undefined,
        )
        if ('smh'.includes(unit)) {
          expect(clock.relative(`today${step}`, 'datetime')).toBeUndefined()
          return
        }
        const day = start.toPlainDate().add({ [units[unit]]: count })
        const first = day.toZonedDateTime(zone)
        expect(clock.relative(`today${step}`, 'date')).toEqual({ type: 'date', value: first.toPlainDate().toString() })
        expect(clock.relative(`today${step}`, 'datetime')).toMatchObject({
          from: { value: new Date(first.epochMilliseconds).toISOString() },
        })
      }),
      { numRuns: byEffort(20_000, 100) },
    )
  })
})

test('a second copy of the library, such as the CommonJS format, returns the same days', async () => {
  vi.resetModules()
  const copy = await import('../../src/values/zone.ts')
  const offsetAt = zoneNamed('Europe/Berlin')!
  // The clocks went from 02:00 to 03:00, and in autumn from 03:00 to 02:00.
  const [spring, autumn] = [Date.UTC(2024, 2, 31, 1), Date.UTC(2024, 9, 27, 1)]
  expect([spring - 1, spring].map((at) => copy.wallTimeOf(offsetAt, at))).toEqual([
    spring + 60 * minute - 1,
    spring + 120 * minute,
  ])
  expect(copy.dayIn(offsetAt, Date.UTC(2024, 2, 30, 23))).toBe('2024-03-31')
  expect(copy.dayIn(offsetAt, Date.UTC(2024, 2, 30, 23) - 1)).toBe('2024-03-30')
  expect(copy.momentAt(offsetAt, Date.UTC(2024, 2, 31, 2, 30))).toBe(spring + 30 * minute)
  expect(copy.momentAt(offsetAt, Date.UTC(2024, 9, 27, 2, 30))).toBe(autumn - 30 * minute)
  expect(copy.momentsIn(offsetAt, '2024-10-27')).toEqual({
    from: Date.UTC(2024, 9, 26, 22),
    until: Date.UTC(2024, 9, 27, 23),
  })
})
