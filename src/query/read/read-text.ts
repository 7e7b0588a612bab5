/** A text and the options that it is read with, before anything is known of a schema. */
import { report, textOf, type Finding, type Issues, type QueryText } from '../../issue/index.ts'
import { checkOptions } from '../../options.ts'
import { readOnly } from '../../read-only.ts'
import { ownOf } from '../../own.ts'
import {
  checkLimits,
  lengthFinding,
  pairsFinding,
  parseSyntax,
  sourceOf,
  type Limits,
  type Source,
  type Syntax,
} from '../../syntax/index.ts'
import { usualWords, noWords, type GroupWords, type Names } from '../group-words.ts'

/** The options of `parseQuery` and `parseQueryOrThrow`. */
export interface QueryOptions {
  /**
   * Names of pairs that are not conditions, such as those of paging, sorting and credentials. Their pairs are taken out of
   * the query, and their decoded values are returned. Nothing of these values gets into a filter, a message or a hint.
   *
   * A name is compared with the whole decoded key: `page[size]` is a name, too. Without this option no name is reserved.
   */
  readonly reserved?: readonly string[]
  /** Limits that differ from {@link defaultLimits}. `Infinity` removes a limit. */
  readonly limits?: Partial<Limits>
}

/** The options of `parseFilter`, `parseFilterOrThrow` and `readReserved`. */
export interface ParseOptions extends QueryOptions {
  /**
   * Allows groups: `or=(status=paid,total[gte]=100)`. A schema with a field `and`, `or` or `not` is a TypeError then. For
   * `parseQuery`, the collection allows them.
   */
  readonly groups?: boolean
}

export const noOptions: ParseOptions = /* @__PURE__ */ Object.freeze(/* @__PURE__ */ ownOf<ParseOptions>({}))

/** The decoded values of reserved pairs by name, in the order of the text. A name without a pair is not in it. */
export type Reserved = ReadonlyMap<string, readonly string[]>

/** Nothing reserved. Results share it, for a Map takes a tenth of the time of a short text. */
export const noReserved: Reserved = /* @__PURE__ */ readOnly([])

/** What is left of a text once its known pairs are read. */
export interface Rest {
  /** Where it begins; `undefined` where nothing is left. */
  rest: number | undefined
  /** The values of reserved pairs before it, if there are any. */
  reserved: Map<string, string[]> | undefined
}

/** A text before anything of a schema is known, and the options that it is read with. */
export type ReadText = {
  readonly limits: Limits
  readonly reservedNames: readonly string[]
} & Names &
  (
    | {
        readonly source: Source
        /** Reads the text by the grammar: all of it, once, or the rest, of which the reserved values are added to those before. */
        readonly syntax: (rest?: Rest) => Syntax
        readonly tooLong: undefined
      }
    | { readonly source: undefined; readonly syntax: undefined; readonly tooLong: Finding }
  )

/**
 * The first half of `parseFilter`: the part that needs no schema.
 *
 * @param start where the pairs begin: 0 for a text that was after the `?` of a URL, of which another `?` is a character.
 */
export function readText(text: QueryText, given: ParseOptions, names?: Names, start?: 0): ReadText {
  const options =
    given === noOptions ? given : checkOptions(given, 'options', ['reserved', 'limits', ...(names ? [] : ['groups'])])
  const limits = checkLimits(options.limits)
  const { parameters, words } = names ?? { parameters: noParameters, words: wordsOf(options.groups) }
  const reservedNames = checkNames(options.reserved)
  const query = textOf(text)
  const tooLong = lengthFinding(query, limits.length)
  if (tooLong !== undefined)
    return { limits, reservedNames, parameters, words, source: undefined, syntax: undefined, tooLong }
  const source = sourceOf(query, start)
  let read: Syntax | undefined
  // The number of pairs is checked later: a service authenticates by reserved pairs, even when there are too many pairs.
  const syntax = (rest?: Rest) =>
    rest === undefined
      ? (read ??= parseSyntax(source, reservedNames, parameters, words))
      : parseSyntax(source, reservedNames, parameters, words, rest.rest, rest.reserved)
  return { limits, reservedNames, parameters, words, source, syntax, tooLong }
}
const noParameters: Names['parameters'] = new Map()

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

/** A text that is refused as a whole: with one issue. */
interface Refusal {
  readonly ok: false
  readonly issues: Issues
  readonly reserved: Reserved
}

/** Whether a text was refused, where the syntax or a query would be. */
export const isRefusal = (value: object): value is Refusal => Object.hasOwn(value, 'ok')

/** Whether a text is too short for a filter of too many nodes. Neither groups nor schemas nest as deep as a filter may. */
export const isShort = ({ source }: ReadText): boolean => source !== undefined && source.text.length <= 1_000

/** What the grammar finds in the rest of a text; or the refusal of a text that is too long, or has too many pairs. */
export function syntaxOf({ limits, source, syntax: read, tooLong }: ReadText, rest: Rest): Syntax | Refusal {
  const syntax = read?.(rest)
  const finding = tooLong ?? pairsFinding(source, limits.pairs, syntax!.conditions)
  if (finding === undefined) return syntax!
  return { ok: false, issues: report([finding], 1), reserved: syntax?.reserved ?? new Map() }
}
