/** Chooses the time zone and the moment for days and relative times. Most queries contain neither, so it makes the clock on demand. */
import { clockAt, wholeDay, zoneNamed, type Clock, type LazyClock, type Operand } from '../language/index.ts'
import { clockOfCursor, type QueryClock } from '../query/index.ts'
import type { TextRequest } from '../reading/index.ts'
import { own } from '../own.ts'
import { canonicalDateTime } from '../values/time.ts'

/** The parameters that choose a clock, decoded; empty where the query has none. */
export interface ClockParameters {
  readonly cursor: string
  readonly timeZone: string
}
/** The clock of a query. All queries share one function that makes it, because a closure for each would slow down short texts. */
export interface TextClock extends LazyClock {
  readonly read: TextRequest
  /** Reads the parameters of the clock. */
  readonly asked: (read: TextRequest) => ClockParameters
  made: Clock | undefined
  /** The zone and the moment, as far as operands needed them; `undefined` where none did. */
  used: QueryClock | undefined
}

export const textClock = (read: TextRequest, asked: TextClock['asked']): TextClock => {
  return { read, asked, get: clockOf, made: undefined, used: undefined }
}

function clockOf(this: TextClock): Clock {
  return (this.made ??= make(this))
}

function make(text: TextClock): Clock {
  const { read, asked } = text
  const { timeZone, now } = chosen(read, asked(read))
  const zone = timeZone ?? 'UTC'
  let clock: Clock | undefined
  // Only relative times need the moment: `Date.now()` is slow on some systems.
  let moment = now
  let isExact = false
  const inZone = () => (clock ??= clockAt(zoneNamed(zone)!, (moment ??= Date.now())))
  /** The first moment of the day: `today` means the same at it, and the cursors of equal pages stay equal all day. */
  const today = () => {
    const day = inZone().relative('today', 'datetime')
    return day?.type === 'day' ? (day.from?.value as string | undefined) : undefined
  }
  const isDayMoment = own(read, 'isDayMoment') === true
  const meant = (operand: Operand | undefined) => (isDayMoment && operand?.type === 'day' ? operand.from : operand)
  return {
    dayOf(day) {
      if (timeZone === undefined) return meant(wholeDay(day))
      text.used ??= Object.freeze({ timeZone: zone })
      return meant(inZone().dayOf(day))
    },
    relative(written, type) {
      moment ??= Date.now()
      isExact ||= !written.startsWith('today')
      text.used = Object.freeze({ timeZone: zone, now: (isExact ? undefined : today()) ?? canonicalDateTime(moment)! })
      return meant(inZone().relative(written, type))
    },
  }
}

type ClockOptions = Pick<TextRequest, 'timeZone' | 'now'>

/**
 * The first page of a walk decides for all: its clock is in the cursor. Else the parameter counts, and else the option. The readers of
 * both parameters report invalid values.
 */
function chosen({ timeZone, now }: ClockOptions, { cursor, timeZone: named }: ClockParameters): ClockOptions {
  // The readers refuse an empty value, or leave it out.
  const first = clockOfCursor(cursor)
  const ofFirst = first && own(first, 'now')
  const zone = [first?.timeZone, named].find((name) => name !== undefined && zoneNamed(name) !== undefined) ?? timeZone
  return { timeZone: zone, now: ofFirst === undefined ? now : Date.parse(ofFirst) }
}
