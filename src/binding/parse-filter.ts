/** Text → filter: reads the syntax, then binds it to a schema. */
import type { Filter } from '../tree/index.ts'
import { report, type Issues, type QueryText } from '../issue/index.ts'
import { type Schema, checkWords } from '../language/index.ts'
import { isShort, readText, type ParseOptions, type TextRequest, type Reserved } from '../reading/index.ts'
import { filterOfRow } from '../query/index.ts'
import type { TextAdviser } from './doubt.ts'
import { findSearches } from './findings.ts'
import { readPairs } from './read-pairs.ts'

/** The result of `parseFilter`: a filter, or every issue of the text. Both have the reserved values. */
export type ParseResult =
  | { readonly ok: true; readonly filter: Filter; readonly reserved: Reserved }
  | { readonly ok: false; readonly issues: Issues; readonly reserved: Reserved }

/** The result of {@link readReserved}. */
export type ReservedResult =
  | { readonly ok: true; readonly reserved: Reserved }
  | { readonly ok: false; readonly issues: Issues; readonly reserved: Reserved }

/**
 * Reads only the reserved values of a query string. A service can authenticate with them before it reveals any field. The function uses
 * no schema, so its duration reveals nothing about the schema.
 *
 * @param text the query string with or without its `?`, a `URL`, or a `URLSearchParams`.
 * @param options the reserved names. Of the limits, only `length` applies.
 * @returns the decoded values by name, in the order of the text. A text longer than `limits.length` gives the issue `limit_length`.
 *   `parseFilter` finds all other issues.
 * @throws TypeError when an argument has a wrong type.
 * @example
 * const { reserved } = readReserved(url, { reserved: ['apiKey'] })
 * const [key] = reserved.get('apiKey') ?? []
 */
export function readReserved(text: QueryText, options: ParseOptions): ReservedResult {
  const { tooLong, reserved } = readText(text, options)
  return tooLong === undefined ? { ok: true, reserved } : { ok: false, issues: report([tooLong], 1), reserved }
}

/** The second half of `parseFilter`: reads the pairs for a schema. */
export function bindText(schema: Schema, read: TextRequest, adviser?: TextAdviser): ParseResult {
  checkReserved(schema, read.reservedNames)
  checkWords(schema, read.words, read.reservedNames)
  const { row, searches, findings } = readPairs({ schema, deprecated: undefined }, read, adviser)
  const { limits, reserved } = read
  findSearches({ limits, findings }, searches, 0)
  return findings.length > 0
    ? { ok: false, issues: report(findings, limits.issues, adviser), reserved }
    : { ok: true, filter: filterOfRow(row!, isShort(read.source!)), reserved }
}

/** Refuses a reserved name that is a field: its conditions would be missing from every filter. */
export function checkReserved({ paths }: Schema, reserved: readonly string[]): void {
  for (const name of reserved) {
    const path = name.endsWith(']') ? name.slice(0, name.indexOf('[')) : name
    if (paths.has(path)) throw new TypeError(`reserved name ${name} is a field of the schema`)
  }
}
