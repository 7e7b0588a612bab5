/** A text and the options that it is read with, before anything is known of a schema. */
import { textOf, type QueryText } from '../issue/index.ts'
import { zoneNamed, checkLimits, lengthFinding, usualWords, noWords } from '../language/index.ts'
import type { Limits, GroupWords, ParameterNames } from '../language/index.ts'
import { decode, decodeClear, keyOf, sourceOf, valueOf, type Source } from '../asked/index.ts'
import { faultOfNamed } from './parse.ts'
import { checkNotation, type Notation, type TextRequest, type Reserved } from './notation.ts'
import { checkOptions } from '../options.ts'
import { readOnly } from '../read-only.ts'
import { ownOf } from '../own.ts'
import { canonicalDateTime } from '../values/time.ts'

export type { TextRequest, Reserved }

/** The options of `parseQuery` and `parseQueryOrThrow`. */
export interface QueryOptions {
  /**
   * Names of pairs that are not conditions, for example for paging or credentials. The parser does not interpret these pairs, and returns
   * their decoded values. No filter, message or hint contains these values.
   *
   * A name is a whole decoded key, for example `page[size]`. Default: no names.
   */
  readonly reserved?: readonly string[]
  /** Limits that differ from {@link defaultLimits}. `Infinity` removes a limit. */
  readonly limits?: Partial<Limits>
  /**
   * The time zone of days of a datetime field, of `today` and of calendar steps: an IANA name such as `Europe/Berlin`, or an offset such as
   * `+01:00`. The parameter `timeZone` overrides it, if the collection allows the parameter. Default: UTC.
   */
  readonly timeZone?: string | undefined
  /** The moment that `now` and `today` mean. Default: the time of the first operand that needs it. */
  readonly now?: Date | undefined
  /**
   * The notation that the parser reads the text in, for example `jsonServer` of `urlwhere/notations`. Default: the language of this
   * library. Only `parseQuery` and `parseQueryOrThrow` accept it.
   */
  readonly notation?: Notation | undefined
}

/** The options of `parseFilter`, `parseFilterOrThrow` and `readReserved`. */
export interface ParseOptions extends Omit<QueryOptions, 'notation'> {
  /**
   * Allows groups: `or=(status=paid,total[gte]=100)`. A schema with a field `and`, `or` or `not` then causes a TypeError. For
   * `parseQuery`, this is an option of the collection.
   */
  readonly groups?: boolean
}

export const noOptions: ParseOptions & QueryOptions = /* @__PURE__ */ Object.freeze(
  /* @__PURE__ */ ownOf<ParseOptions & QueryOptions>({}),
)

/** No reserved values. Results share it: a Map for each would slow down short texts (docs/internals/performance.md). */
export const noReserved: Reserved = /* @__PURE__ */ readOnly([])

/** The first half of `parseFilter`, without a schema. `start` is 0 for a text after the `?` of a URL: another `?` is a character. */
export function readText(
  text: QueryText,
  textOptions: ParseOptions & QueryOptions,
  names?: ParameterNames,
  start?: 0,
): TextRequest {
  const options =
    textOptions === noOptions
      ? textOptions
      : checkOptions(textOptions, 'options', ['reserved', 'limits', 'timeZone', 'now', names ? 'notation' : 'groups'])
  const limits = checkLimits(options.limits)
  const { parameters, words } = names ?? { parameters: noParameters, words: wordsOf(options.groups) }
  const reservedNames = checkNames(options.reserved)
  const timeZone = checkZone(options.timeZone)
  const now = checkNow(options.now)
  const notation = checkNotation(options.notation)
  const query = textOf(text)
  const tooLong = lengthFinding(query.length, limits.length)
  if (tooLong !== undefined)
    return {
      limits,
      reservedNames,
      parameters,
      words,
      timeZone,
      now,
      notation,
      tooLong,
      source: undefined,
      reserved: noReserved,
    }
  const source = sourceOf(query, start)
  const reserved = reservedNames.length === 0 ? noReserved : readReservedPairs(source, reservedNames)
  return { limits, reservedNames, reserved, parameters, words, timeZone, now, notation, source, tooLong }
}
const noParameters: ParameterNames['parameters'] = new Map()

/** Reads the pairs of reserved names. No limit of pairs applies: a service authenticates by them before it refuses the query. */
function readReservedPairs(source: Source, names: readonly string[]): Reserved {
  let reserved: Map<string, string[]> | undefined
  for (const pair of source.pairs) {
    const name = decodeClear(source, keyOf(pair))
    if (name === undefined || !names.includes(name) || faultOfNamed(source, pair) !== undefined) continue
    const value = decode(source, valueOf(pair))
    const values = (reserved ??= new Map<string, string[]>()).get(name)
    if (values === undefined) reserved.set(name, [value])
    else values.push(value)
  }
  return reserved ?? noReserved
}

/** @throws TypeError for a zone that this runtime does not know. */
export function checkZone(timeZone: string | undefined, argument = 'options.timeZone'): string | undefined {
  if (timeZone === undefined || (typeof timeZone === 'string' && zoneNamed(timeZone) !== undefined)) return timeZone
  throw new TypeError(
    `${argument} must be a time zone: a name such as Europe/Berlin that Intl has data of, or an offset such as +01:00`,
  )
}

function checkNow(now: Date | undefined): number | undefined {
  if (now === undefined) return undefined
  const moment = now instanceof Date ? now.getTime() : NaN
  if (canonicalDateTime(moment) !== undefined) return moment
  throw new TypeError('options.now must be a Date of the years 0001 to 9999')
}

function wordsOf(groups: boolean | undefined): GroupWords {
  if (groups !== undefined && typeof groups !== 'boolean') throw new TypeError('options.groups must be a boolean')
  return groups === true ? usualWords : noWords
}

function checkNames(reserved: readonly string[] | undefined): readonly string[] {
  if (reserved === undefined) return []
  if (!Array.isArray(reserved) || reserved.some((name) => typeof name !== 'string' || name === '')) {
    throw new TypeError('options.reserved must be an array of non-empty strings')
  }
  return reserved
}

/** Whether a text is too short for a filter of too many nodes. Neither groups nor schemas nest as deep as a filter may. */
export const isShort = (source: Source): boolean => (source.pairs.at(-1)?.end ?? 0) <= 1_000
