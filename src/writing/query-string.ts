/** Conditions and parameters of a front-end → query string. It knows the collection by its type alone: no schema, no table of operators. */
import { parameterForms, parameterNames, valueNames } from '../language/index.ts'
import type {
  Collection,
  CollectionOptions,
  EntryAt,
  Fields,
  ListPath,
  ParameterForm,
  PathInList,
  PlaceOf,
  OperatorName,
  OperatorRows,
  FieldType,
  PathThrough,
  Schema,
  Shown,
} from '../language/index.ts'
import type { Filter } from '../tree/index.ts'
import type { FacetOf, SelectableOf } from '../query/index.ts'
import type { OperandsOf } from './where.ts'
import { ownOf } from '../own.ts'
import { isPlainText } from '../values/characters.ts'
import { canonicalDateTime } from '../values/time.ts'
import { encode, encodeItems, encodeKey } from '../values/encode.ts'

/** The operators of fields in a place, as their rows name it. */
type OperatorsOf<Place> = { [N in OperatorName]: PlaceOf<N> extends Place ? N : never }[OperatorName]

type EntryType = Exclude<FieldType, 'list'>
/** Types that have the same operators. The compiler makes the keys of each row once, and not those of each type. */
interface Alike {
  readonly string: 'string'
  readonly enumeration: 'enumeration'
  readonly boolean: 'boolean'
  readonly object: 'object'
  readonly present: 'json' | 'record'
  readonly ordered: Exclude<EntryType, 'string' | 'enumeration' | 'boolean' | 'object' | 'json' | 'record'>
}

/** The text after a path in the key of a condition, by the type of the field or of the list's entries. */
type KeyEnds<Names extends OperatorName> = {
  [A in keyof Alike]: {
    [N in Names]: Alike[A] extends OperatorRows[N]['types'][number]
      ? `[${N}]` | (N extends 'equals' ? '' : never)
      : never
  }[Names]
}
type Ends = KeyEnds<OperatorsOf<'anywhere'>>
type EndsInLists = KeyEnds<OperatorsOf<'in lists'>>
type EndsOfLists = KeyEnds<OperatorsOf<'lists'>>

type KeyOf<F extends Fields> = {
  [A in keyof Alike]:
    | `${PathThrough<F, Alike[A]>}${Ends[A]}`
    | `${PathInList<F, Alike[A]>}${EndsInLists[A]}`
    | `${ListPath<F, Alike[A]>}${EndsOfLists[A]}`
}[keyof Alike]

/** The keys of conditions, where a collection hides some paths. Collections that hide none take the cheaper type. */
type ShownKeyOf<F extends Fields, Hidden extends string> = {
  [A in keyof Alike]:
    | `${Shown<PathThrough<F, Alike[A]>, Hidden>}${Ends[A]}`
    | `${Shown<PathInList<F, Alike[A]>, Hidden>}${EndsInLists[A]}`
    | `${Shown<ListPath<F, Alike[A]>, Hidden>}${EndsOfLists[A]}`
}[keyof Alike]

/** The operand of the condition with a key; of a key that the compiler does not know, an operand of any operator. */
type OperandAt<F extends Fields, K extends string> = string extends K
  ? ValueOf<OperandsOf<OperatorRows[OperatorName], EntryAt<F, K>>>
  : K extends `${infer P}[${infer N extends OperatorName}]`
    ? ValueOf<OperandsOf<OperatorRows[N], EntryAt<F, P>>>
    : ValueOf<OperandsOf<OperatorRows['equals'], EntryAt<F, K>>>

/** Operands as one value. */
type ValueOf<Operands> = Operands extends [infer Low, infer High]
  ? readonly [Low, High]
  : Operands extends [operand?: infer Operand]
    ? NonNullable<Operand>
    : never

/**
 * Conditions, joined by `and`: `path` for equality, or `path[operator]`, each with its operand; `range` with two, `in` and
 * `nin` with a list. Dots in a path lead into objects and lists.
 */
export type Conditions<F extends Fields> = { readonly [K in KeyOf<F>]?: OperandAt<F, K> } & KeyConditions<
  F,
  PathThrough<F, 'key'>
>

/** Conditions on keys of records, whose operators the compiler does not tell from the keys. */
type KeyConditions<F extends Fields, P extends string> = {
  readonly [K in P]?: ValueOf<OperandsOf<OperatorRows[OperatorName], EntryAt<F, K>>>
}

/** None, where no collection is named. */
type ConditionsOf<C> =
  C extends Collection<Schema<infer F>, string, string, string, infer Hidden>
    ? [Hidden] extends [never]
      ? Conditions<F>
      : { readonly [K in ShownKeyOf<F, Hidden>]?: OperandAt<F, K> } & KeyConditions<
          F,
          Shown<PathThrough<F, 'key'>, Hidden>
        >
    : never
type SortableOf<C> = C extends Collection<Schema, infer P, string> ? P : never

/** The parts of {@link buildQuery}. An absent part means the same as an absent parameter in a text. */
export interface QueryParts<
  Sortable extends string = string,
  Selectable extends string = string,
  Facet extends string = string,
> {
  /** A filter, such as one that `where` builds. Default: every row. */
  readonly filter?: Filter
  /** Paths. `-` before a path means descending order. `[]` is the order of the key. */
  readonly sort?: readonly (Sortable | `-${Sortable}`)[]
  /** The largest number of rows in a page. */
  readonly limit?: number
  /** The cursor `next` or `previous` of a page in the same order. */
  readonly cursor?: string | undefined
  /** The number of rows to skip before the page. */
  readonly offset?: number
  readonly fields?: readonly Selectable[]
  readonly count?: boolean
  /** The words of a search. A phrase is one word. */
  readonly search?: readonly string[]
  /** The paths of the fields whose values are counted. */
  readonly facets?: readonly Facet[]
}

/** The parts of {@link queryString}, for the type of a collection. An absent part means the same as an absent parameter in a text. */
export interface QueryStringParts<C extends Collection> extends Omit<
  QueryParts<SortableOf<C>, SelectableOf<C>, FacetOf<C>>,
  'filter' | 'sort' | 'search'
> {
  readonly filter?: ConditionsOf<C>
  /** The time zone of days, of `today` and of calendar steps, for a collection that allows `timeZone`. */
  readonly timeZone?: string | undefined
  /** Paths, at least one, each with `-` before it for descending order. */
  readonly sort?: readonly (SortableOf<C> | `-${SortableOf<C>}`)[]
  /** The text of a search box as the user types it: words, and phrases in quotes. `undefined` for an empty box. */
  readonly search?: string | undefined
}

/**
 * Writes conditions and parameters as a query string, for front-ends. The front-end imports only the type of the collection: the compiler
 * checks paths, operators and operands with it. At run time the function checks only the form of values. The service refuses conditions
 * that its collection does not accept. Use `printQuery` for groups, for a `Filter`, for a parsed query, and to check a query before the client
 * sends it.
 *
 * @param parts conditions by `path` or `path[operator]`; `search` as the user types it; order, page, fields, count and facets as in
 *   `buildQuery`. Pass a bigint beyond ±(2^53 − 1) as a bigint or as text, because a number loses its last digits. Pass a decimal that
 *   JavaScript writes with an exponent (1e-7, 1e21) as text, because the service refuses exponents.
 * @param parameters the option `parameters` of the collection.
 * @returns the query string without `?`, percent-encoded where a URL requires it.
 * @throws TypeError that names the wrong part: `undefined`, `null`, an empty list, a number that is not finite, a `Date` outside the
 *   years 0001 to 9999, text with U+0000 or a lone surrogate, a condition with the name of a parameter.
 * @example
 * queryString<typeof orderCollection>({ filter: { 'total[gte]': 5 }, limit: 5 }) // => 'total[gte]=5&limit=5'
 */
export function queryString<C extends Collection = never>(
  parts: QueryStringParts<C>,
  parameters: NonNullable<CollectionOptions['parameters']> = {},
): string {
  const checked = checkObject(parts, 'parts', ['filter', ...valueNames])
  const renamed = checkObject(parameters, 'parameters', parameterNames)
  const names = parameterNames.map((parameter) => textOf(renamed[parameter] ?? parameter, `parameters.${parameter}`))
  // A filter that is `undefined` is a mistake, and does not select every row.
  const filter: object | undefined = Object.hasOwn(parts, 'filter') ? checked.filter : {}
  const conditions = Object.entries(checkObject(filter!, 'filter') as Readonly<Record<string, unknown>>).map(
    ([key, operand]) => {
      const argument = `filter['${key}']`
      if (names.includes(key)) {
        throw new TypeError(`${argument} is a parameter: for a field of that name, write ${key}[equals]`)
      }
      const value = Array.isArray(operand) ? operandsText(operand, argument) : encode(operandText(operand, argument))
      return `${encodeKey(textOf(key, argument))}=${value}`
    },
  )
  const others = valueNames.flatMap((part) => {
    const value = Object.hasOwn(parts, part) ? texts[parameterForms[part]](checked[part], part) : undefined
    return value === undefined ? [] : [`${encodeURIComponent(names[parameterNames.indexOf(part)]!)}=${value}`]
  })
  return [...conditions, ...others].join('&')
}

/** Checks a value, and writes it. */
type Write<Text = string> = (value: unknown, argument: string) => Text

const mustBe = (argument: string, expected: string): TypeError => new TypeError(`${argument} must be ${expected}`)

const textOf: Write = (value, argument) => {
  if (typeof value === 'string' && isPlainText(value)) return value
  throw mustBe(argument, 'text without U+0000 and lone surrogates')
}

const operandText: Write = (value, argument) => {
  if (typeof value === 'string') return textOf(value, argument)
  // -0 is written as 0.
  if (typeof value === 'boolean' || typeof value === 'bigint' || Number.isFinite(value)) return String(value)
  const moment = value instanceof Date ? canonicalDateTime(value.getTime()) : undefined
  if (moment !== undefined) return moment
  throw mustBe(argument, 'text, a finite number, a bigint, a boolean or a Date of the years 0001 to 9999')
}

/* @__NO_SIDE_EFFECTS__ */ const listOf =
  (write: Write): Write =>
  (value, argument) => {
    if (!Array.isArray(value) || value.length === 0) throw mustBe(argument, 'a list of at least one item')
    // Array.from reads the holes of a list, which map skips.
    return encodeItems(Array.from(value, (item: unknown, at) => write(item, `${argument}[${at}]`)))
  }
const operandsText = listOf(operandText)

/* @__NO_SIDE_EFFECTS__ */ const wholeFrom =
  (least: number): Write =>
  (value, argument) => {
    if (Number.isSafeInteger(value) && (value as number) >= least) return String(value)
    throw mustBe(argument, `a whole number of at least ${least}`)
  }

/** Writes the value of a parameter of each form. The text omits a parameter whose value becomes `undefined`. */
const texts: { readonly [F in Exclude<ParameterForm, 'group'>]: Write<string | undefined> } = {
  paths: listOf(textOf),
  positive: wholeFrom(1),
  natural: wholeFrom(0),
  flag: (value, argument) => {
    if (typeof value === 'boolean') return value ? 'true' : undefined
    throw mustBe(argument, 'true or false')
  },
  words: (value, argument) => {
    if (value === '') throw mustBe(argument, 'text with a word or more: leave it out for none')
    return texts.text(value, argument)
  },
  text: (value, argument) => (value === undefined ? undefined : encode(textOf(value, argument))),
}

/** Refuses objects whose members the text would omit, such as a Map, and misspelt names. */
function checkObject<T extends object>(value: T, argument: string, known?: readonly string[]): T {
  const prototype: unknown = typeof value === 'object' && value !== null ? Object.getPrototypeOf(value) : undefined
  if (prototype !== Object.prototype && prototype !== null) throw mustBe(argument, 'a plain object')
  const unknown = known && Object.keys(value).find((name) => !known.includes(name))
  if (unknown !== undefined) throw new TypeError(`${argument}.${unknown} is unknown (available: ${known!.join(', ')})`)
  return ownOf(value)
}
