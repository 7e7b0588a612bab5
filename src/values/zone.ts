/** Days and wall clocks of a time zone, which is known by its offsets alone. */
import { dayAfter, startOfDay, utcDay } from './time.ts'

/**
 * Returns how far the wall clock of a zone is ahead of UTC at a moment, in milliseconds. A wall time below is the sum of both: the wall
 * clock shows its UTC text.
 */
export type OffsetAt = (moment: number) => number

/** The largest distance of a wall clock from UTC: Manila was 15:56:08 behind until 1844. */
const widest = 57_600_000

export const wallTimeOf = (offsetAt: OffsetAt, moment: number): number => moment + offsetAt(moment)

/** The day that the wall clock shows at a moment, for the years 0000 to 9999. */
export const dayIn = (offsetAt: OffsetAt, moment: number): string => utcDay(wallTimeOf(offsetAt, moment))

/** The first moment with a wall time; `undefined` where the clock left it out. */
function momentWith(offsetAt: OffsetAt, wall: number): number | undefined {
  const before = wall - offsetAt(wall - widest)
  if (wallTimeOf(offsetAt, before) === wall) return before
  const after = wall - offsetAt(wall + widest)
  return wallTimeOf(offsetAt, after) === wall ? after : undefined
}

/** Finds the moment of a wall time, as `compatible` of Temporal: the earlier of two, and for a time in a gap, as much after the gap. */
export const momentAt = (offsetAt: OffsetAt, wall: number): number =>
  momentWith(offsetAt, wall) ?? wall - offsetAt(wall - widest)

/** The first moment of a day. For a day that the zone skipped, it is that of the next day. */
export function firstMomentIn(offsetAt: OffsetAt, day: string): number {
  const wall = startOfDay(day)
  const moment = momentWith(offsetAt, wall)
  if (moment !== undefined) return moment
  const before = offsetAt(wall - widest)
  // The clock leaps at a whole second between the moments that its two offsets give.
  let early = wall - offsetAt(wall + widest)
  let late = wall - before
  while (late - early > 1000) {
    const middle = early + Math.round((late - early) / 2000) * 1000
    if (offsetAt(middle) === before) early = middle
    else late = middle
  }
  return late
}

/** The moments of a day: from the first one to that of the next day that exists; `undefined` for a day that the zone skipped. */
export function momentsIn(
  offsetAt: OffsetAt,
  day: string,
): { readonly from: number; readonly until: number } | undefined {
  const from = firstMomentIn(offsetAt, day)
  const next = dayAfter(day)
  // The year 10000 begins where no operand reaches.
  const until = next === undefined ? momentAt(offsetAt, startOfDay(day) + 86_400_000) : firstMomentIn(offsetAt, next)
  return from === until ? undefined : { from, until }
}
