/** Chooses the time zone and the moment for days and relative times. Most texts contain neither, so it makes the clock on demand. */
import { clockAt, wholeDay, zoneNamed, type Clock } from '../../language/index.ts'
import { own, ownOf } from '../../own.ts'
import { decodeClear, keyOf, valueOf } from '../../syntax/index.ts'
import { canonicalDateTime } from '../../text/time.ts'
import { clockOfCursor } from '../page/cursor.ts'
import type { QueryClock } from '../page/query.ts'
import type { ReadText } from './read-text.ts'

/** The clock of a text, made when the first operand needs it. */
export interface TextClock {
  readonly clock: () => Clock
  /** The zone and the moment, as far as operands needed them; `undefined` where none did. */
  readonly used: () => QueryClock | undefined
}

export function textClockOf(read: ReadText): TextClock {
  let made: Made | undefined
  return { clock: () => (made ??= make(read)), used: () => made?.used() }
}

interface Made extends Clock {
  readonly used: TextClock['used']
}

function make(read: ReadText): Made {
  const { timeZone, now } = chosen(read)
  const zone = timeZone ?? 'UTC'
  let clock: Clock | undefined
  let used: QueryClock | undefined
  const inZone = () => (clock ??= clockAt(zoneNamed(zone)!, now))
  return {
    used: () => used,
    dayOf(day) {
      if (timeZone === undefined) return wholeDay(day)
      used ??= Object.freeze({ timeZone: zone })
      return inZone().dayOf(day)
    },
    relative(text, type) {
      used = Object.freeze({ timeZone: zone, now: canonicalDateTime(now)! })
      return inZone().relative(text, type)
    },
  }
}

/**
 * The first page of a walk decides for all: its clock is in the cursor. Else the parameter counts, and else the option. The readers of
 * both parameters report invalid values.
 */
function chosen({ source, parameters, timeZone, now }: ReadText): { timeZone: string | undefined; now: number } {
  const values = ownOf<{ cursor?: string; timeZone?: string }>({})
  if (source !== undefined && parameters.size > 0) {
    for (const pair of source.pairs) {
      const parameter = parameters.get(decodeClear(source, keyOf(pair)) ?? '')
      if (parameter !== 'cursor' && parameter !== 'timeZone') continue
      values[parameter] ??= decodeClear(source, valueOf(pair)) ?? ''
    }
  }
  const { cursor, timeZone: named } = values
  const first = cursor === undefined ? undefined : clockOfCursor(cursor)
  const ofFirst = first && own(first, 'now')
  const zone = [first?.timeZone, named].find((name) => name !== undefined && zoneNamed(name) !== undefined) ?? timeZone
  return { timeZone: zone, now: ofFirst === undefined ? (now ?? Date.now()) : Date.parse(ofFirst) }
}
