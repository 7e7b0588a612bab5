/** Days in a zone and times relative to a moment, as a text has them → operands. */
import { canonicalDateTime, firstMoment, isDay, lastMoment, utcDay } from '../values/time.ts'
import { dayIn, firstMomentIn, momentAt, momentsIn, wallTimeOf, type OffsetAt } from '../values/zone.ts'
import { dayLiteral, momentLiteral, type Clock, type Day } from './types.ts'

const dayLength = 86_400_000

/** Units of exact time, in milliseconds; units of the calendar, in days or in months. */
const exact = { s: 1000, m: 60_000, h: 3_600_000 } as const
const days = { d: 1, w: 7 } as const
const months = { mo: 1, y: 12 } as const
type Unit = keyof typeof exact | keyof typeof days | keyof typeof months

/** Form decoding turns an unescaped plus sign into a space. */
const pattern = /^(now|today)(?:([+ -]\d{1,9})(s|mo?|h|d|w|y))?$/

/** Adds calendar units to a wall time. A month that lacks the day gives its last day. Returns `undefined` beyond the calendar. */
function stepped(wall: number, count: number, unit: Exclude<Unit, keyof typeof exact>): number | undefined {
  if (unit === 'd' || unit === 'w') return inCalendar(wall + count * days[unit] * dayLength)
  const date = new Date(wall)
  const month = date.getUTCFullYear() * 12 + date.getUTCMonth() + count * months[unit]
  const [year, inYear] = [Math.floor(month / 12), ((month % 12) + 12) % 12]
  const lastDay = new Date(new Date(0).setUTCFullYear(year, inYear + 1, 0)).getUTCDate()
  return inCalendar(date.setUTCFullYear(year, inYear, Math.min(date.getUTCDate(), lastDay)))
}
/** Every offset is shorter than a day. */
const inCalendar = (wall: number): number | undefined =>
  wall > firstMoment - dayLength && wall < lastMoment + dayLength ? wall : undefined

/** Reads days in a zone, and times relative to a moment. */
export function clockAt(offsetAt: OffsetAt, now: number): Clock {
  const dayOf = (text: string): Day | undefined => {
    const moments = momentsIn(offsetAt, text)
    return (
      moments &&
      Object.freeze({
        type: 'day',
        from: momentLiteral(canonicalDateTime(moments.from)),
        until: momentLiteral(canonicalDateTime(moments.until)),
      })
    )
  }
  return {
    dayOf,
    relative(text, type) {
      const [, word, step = 0, unit = 'd'] = (pattern.exec(text) ?? []) as readonly (string | undefined)[] &
        readonly [_?: string, word?: string, step?: string, unit?: Unit]
      const count = Number(step)
      const isExact = unit === 's' || unit === 'm' || unit === 'h'
      if (word === 'now') {
        if (type !== 'datetime') return undefined
        // Without a step, the moment stays as it is, also in an hour that occurs twice (as in Temporal).
        if (count === 0) return momentLiteral(canonicalDateTime(now))
        if (isExact) return momentLiteral(canonicalDateTime(now + count * exact[unit]))
        const wall = stepped(wallTimeOf(offsetAt, now), count, unit)
        return wall === undefined ? undefined : momentLiteral(canonicalDateTime(momentAt(offsetAt, wall)))
      }
      if (word === undefined || isExact) return undefined
      const wall = stepped(wallTimeOf(offsetAt, now), count, unit)
      if (wall === undefined) return undefined
      const asked = utcDay(wall)
      if (!isDay(asked)) return undefined
      // For a day that the zone skipped, the next day that exists.
      const day = dayIn(offsetAt, firstMomentIn(offsetAt, asked))
      return type === 'date' ? dayLiteral(day) : dayOf(day)
    },
  }
}
