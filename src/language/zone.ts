/** The zones of the runtime, by name: their data is that of `Intl`. */
import { boundedCache } from '../cache.ts'
import type { OffsetAt } from '../values/zone.ts'

/** Formatters by zone name: to make one is slower than to read a query with it. */
const formatters = /* @__PURE__ */ boundedCache<string, Intl.DateTimeFormat>(64)

/** Only UTC has a name that needs no data. */
const utc: OffsetAt = () => 0

/** Names have ASCII letters, and the longest of IANA has 32 characters. */
const namePattern = /^[a-z][\w+/-]{0,63}$/i
/** Names that IANA does not have, which runtimes read in their own sense: `IST` is India's there, and neither Ireland's nor Israel's. */
const foreignName =
  /^(?:SystemV\/.*|act|aet|agt|art|ast|bet|bst|cat|cnt|cst|ctt|eat|ect|iet|ist|jst|mit|net|nst|plt|pnt|prt|pst|sst|vst)$/i

/** The year 1800. Every zone keeps its first offset before it, and `Intl` writes the years before 1 with eras. */
const earliest = -5_364_662_400_000
const minute = 60_000

/**
 * The offsets of a zone.
 *
 * @param name a name of IANA in any case, or an offset such as `+01:00`.
 * @returns `undefined` for any other text, and where the runtime has no data of the zone.
 */
export function zoneNamed(name: string): OffsetAt | undefined {
  if (/^utc$/i.test(name)) return utc
  const parts = /^(?!-00:00)([+-])([01]\d|2[0-3]):([0-5]\d)$/.exec(name)
  if (parts !== null) {
    const [, sign, hours, minutes] = parts
    const offset = (Number(hours) * 60 + Number(minutes)) * minute
    return () => (sign === '-' ? -offset : offset)
  }
  const formatter = formatterOf(name)
  return formatter && ((moment) => offsetBy(formatter, Math.max(moment, earliest)))
}

function formatterOf(name: string): Intl.DateTimeFormat | undefined {
  if (!namePattern.test(name) || foreignName.test(name)) return undefined
  const key = name.toLowerCase()
  const before = formatters.get(key)
  if (before !== undefined) return before
  try {
    const numeric = 'numeric'
    const formatter = new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      hourCycle: 'h23',
      calendar: 'gregory',
      numberingSystem: 'latn',
      year: numeric,
      month: numeric,
      day: numeric,
      hour: numeric,
      minute: numeric,
      second: numeric,
    })
    // A runtime with another format gives no numbers here.
    if (Number.isNaN(offsetBy(formatter, 0))) return undefined
    formatters.set(key, formatter)
    return formatter
  } catch {
    return undefined
  }
}

/** The parts in the order of `en-US`: month, day, year, hour, minute, second. */
function offsetBy(formatter: Intl.DateTimeFormat, moment: number): number {
  const [month, day, year, hours, minutes, seconds] = formatter.format(moment).split(/\D+/, 6).map(Number)
  return Date.UTC(year!, month! - 1, day, hours, minutes, seconds) - Math.floor(moment / 1000) * 1000
}

export const zoneNames = (): readonly string[] =>
  typeof Intl.supportedValuesOf === 'function' ? Intl.supportedValuesOf('timeZone') : []
