/** Filter → query string: the inverse of reading one. */
import type { Filter } from '../tree/index.ts'
import { FilterError } from '../issue/index.ts'
import { checkSchema, type Schema, checkWords, noWords, usualWords } from '../language/index.ts'
import { memberText, readableIn } from '../writing/index.ts'
import { expressFilter } from './express.ts'
import { checkOptions } from '../options.ts'

/** The options of {@link printFilter}. */
export interface PrintOptions {
  /** Allows groups, `or=(status=paid,total[gte]=100)`, which `parseFilter` reads with the same option. */
  readonly groups?: boolean
  /**
   * The option `timeZone` of the `parseFilter` that reads the text. Unless it is UTC, the text has moments in place of days of datetimes,
   * because printed days are days in UTC.
   */
  readonly timeZone?: string | undefined
}

/**
 * Writes a filter as a query string, in canonical form: `parseFilter` with the same schema parses it to the same filter, unless the text
 * exceeds its limits. It returns a text only if the pairs of the text combine to the given filter.
 *
 * @param filter the filter, parsed or built.
 * @param options `groups`: uses groups where pairs do not suffice. It then refuses only an empty group, a membership without operands,
 *   and a condition that the fields of the schema do not accept.
 * @returns the query string without `?`, percent-encoded where a URL requires it.
 * @throws TypeError when `schema` is not a schema, `given` is not a filter, or a word of groups is a field of the schema.
 * @throws FilterError with `print_unsayable` issues when a query string cannot express the filter. Without groups, it cannot express: an
 *   `or` (unless it is an `in` with days), a `not` of anything but one condition with a complement, conditions on two entries of one
 *   list, one operator twice on a field, a field outside the schema.
 * @example
 * printFilter(orders, where(orders).range('total', 10, 20)) // => 'total[range]=10,20'
 * @example
 * const o = where(orders)
 * printFilter(orders, or(o.equals('status', 'paid'), o.gt('total', 100)), { groups: true })
 * // => 'or=(status=paid,total[gt]=100)'
 */
export function printFilter(schema: Schema, filter: Filter, options: PrintOptions = {}): string {
  checkSchema(schema)
  const { groups = false, timeZone } = checkOptions(options, 'options', ['groups', 'timeZone'])
  if (typeof groups !== 'boolean') throw new TypeError('options.groups must be a boolean')
  const words = groups ? usualWords : noWords
  checkWords(schema, words)
  const isReadable = readableIn(timeZone)
  const expressed = expressFilter(schema, filter, words, (_, __, operands) => operands.every(isReadable))
  if (expressed.members === undefined) throw new FilterError(expressed.issues)
  return expressed.members.map((member) => memberText(member, words)).join('&')
}
