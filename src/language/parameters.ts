/** The parameters of a query that are not conditions: one row each. A front-end that only writes queries loads the first column alone. */
import type { Limits } from './limits.ts'
import { orderNames, orderRows, type OrderOption, type OrderOptions } from './orders.ts'
import { own } from '../own.ts'

/**
 * The form of each value, in a text and in JSON: a whole number of at least 1 or 0, a boolean, an array of paths, or a text. The grammar
 * reads groups. A text that this library writes has the parameters in this order.
 */
export const parameterForms = /* @__PURE__ */ Object.freeze({
  sort: 'paths',
  limit: 'positive',
  offset: 'natural',
  fields: 'paths',
  count: 'flag',
  search: 'words',
  facets: 'paths',
  timeZone: 'text',
  cursor: 'text',
  and: 'group',
  or: 'group',
  not: 'group',
} as const)

/** The parameters of a query that are not conditions, by the names that they have unless a collection renames them. */
export type ParameterName = keyof typeof parameterForms
export const parameterNames = /* @__PURE__ */ Object.keys(parameterForms) as readonly ParameterName[]

type Forms = typeof parameterForms
export type ParameterForm = Forms[ParameterName]
export type ParameterOf<Form extends ParameterForm> = {
  [P in ParameterName]: Forms[P] extends Form ? P : never
}[ParameterName]
export type GroupWord = ParameterOf<'group'>
/** The parameters whose value is not a group. */
export type ValueName = Exclude<ParameterName, GroupWord>
/** The parameters whose value a query has as a property of the same name. */
export type PlainName = ParameterOf<'positive' | 'natural' | 'flag'>

export const isOfForm = <Form extends ParameterForm>(
  name: ParameterName,
  ...forms: readonly Form[]
): name is ParameterOf<Form> => (forms as readonly ParameterForm[]).includes(parameterForms[name])

/** The parameters of some forms, in the order of the table. */
export const parametersOf = <Form extends ParameterForm>(...forms: readonly Form[]): readonly ParameterOf<Form>[] =>
  parameterNames.filter((name) => isOfForm(name, ...forms))
export const plainNames = /* @__PURE__ */ parametersOf('positive', 'natural', 'flag')
// `parametersOf` would make the bundle of `queryString` larger.
export const valueNames = /* @__PURE__ */ parameterNames.filter(
  (name): name is ValueName => parameterForms[name] !== 'group',
)

/** Each sort key nests the filter of a position two levels deeper, and a filter has 100 levels at most. */
export const mostSortKeys = 16
export const mostWords = 8

/** The options of a collection that the rows read. */
interface CollectionLimits {
  readonly limit: { readonly default: number; readonly max: number }
  readonly maxOffset: number | undefined
  readonly count: boolean | { readonly max: number }
  readonly search: readonly { readonly name: string }[]
  readonly orders: ReadonlyMap<string, OrderOptions>
  readonly parameters: ReadonlyMap<ParameterName, string>
}

interface ParameterRow {
  /** The option of a collection that allows it; `undefined` where every collection does. */
  readonly option: string | undefined
  /** Whether the value of the option is `true` or `false`. */
  readonly isSwitch?: true
}
interface NumberRow {
  readonly most: (collection: CollectionLimits) => number
}
/** The columns of a row, by the form of its values. */
interface RowsOfForms {
  readonly paths: unknown
  readonly positive: NumberRow
  readonly natural: NumberRow
  readonly words: unknown
  readonly text: unknown
  readonly flag: unknown
  readonly group: unknown
}

/** The option that allows each parameter, and the bound of its number. */
export const parameterRows = /* @__PURE__ */ Object.freeze({
  sort: { option: undefined },
  limit: { option: undefined, most: ({ limit }: CollectionLimits) => limit.max },
  offset: { option: 'offset', most: ({ maxOffset = 0 }: CollectionLimits) => maxOffset },
  fields: { option: 'fields' },
  count: { option: 'count' },
  search: { option: 'search' },
  facets: { option: 'facets' },
  timeZone: { option: 'timeZone', isSwitch: true },
  cursor: { option: undefined },
  and: { option: 'groups', isSwitch: true },
  or: { option: 'groups', isSwitch: true },
  not: { option: 'groups', isSwitch: true },
} as const satisfies { readonly [P in ParameterName]: ParameterRow & RowsOfForms[Forms[P]] })

/** The most items of each list. */
export const mostItems: { readonly [P in ParameterOf<'paths' | 'words'>]: (limits: Limits) => number } = {
  sort: ({ list }) => Math.min(mostSortKeys, list),
  fields: ({ list }) => list,
  search: ({ list }) => Math.min(mostWords, list),
  facets: ({ facets }) => facets,
}

/** The property of a collection that has the paths of each list. */
export const pathsFrom = { sort: 'sortable', fields: 'selectable', facets: 'facets' } as const satisfies {
  readonly [P in ParameterOf<'paths'>]: string
}

/** The expected text, for the message about a value of another JSON type. */
export const parameterTexts: { readonly [P in ParameterOf<'text' | 'words'>]: string } = {
  search: 'words separated by spaces',
  timeZone: 'a time zone such as Europe/Berlin or +01:00',
  cursor: 'the cursor of a page',
}

type Rows = typeof parameterRows
/** The options of a collection that allow parameters. */
type OptionName = NonNullable<Rows[ParameterName]['option']>
/** The options whose value is `true` or `false`. */
export type SwitchName = {
  [P in ParameterName]: Rows[P] extends { readonly isSwitch: true; readonly option: infer Option } ? Option : never
}[ParameterName]

/** The numbers that an option of the same name bounds with `{ max }`. */
export type BoundName = {
  [P in PlainName]: Rows[P] extends { readonly most: unknown; readonly option: P } ? P : never
}[PlainName]
export const boundNames = /* @__PURE__ */ plainNames.filter(
  (name): name is BoundName => isOfForm(name, 'positive', 'natural') && parameterRows[name].option !== undefined,
)

const optionsOf = (isListed: (row: ParameterRow) => boolean): readonly string[] => [
  ...new Set(Object.values<ParameterRow>(parameterRows).flatMap((row) => (isListed(row) ? (row.option ?? []) : []))),
]
export const optionNames = /* @__PURE__ */ optionsOf(() => true) as readonly OptionName[]
export const switchNames = /* @__PURE__ */ optionsOf(({ isSwitch }) => isSwitch === true) as readonly SwitchName[]

/** Whether own options allow a parameter. No facets do not allow `facets`. */
export function isAllowedBy(options: { readonly [O in OptionName]?: unknown }, name: ParameterName): boolean {
  const { option } = parameterRows[name]
  if (option === undefined) return true
  const value = options[option]
  return value !== undefined && value !== false && !(option === 'facets' && Object.keys(value as object).length === 0)
}

/** The names of each parameter in other languages, in lower case and without `-`, `_` and `$`. `.` is a bracket, too. */
export const parameterAliases: { readonly [P in ValueName]: string } = {
  sort: 'sort sortby order orderby ordering sortfield sortcolumn',
  limit:
    'limit end size pagesize perpage take top first rows maxresults max page.size page.limit pagination.pagesize pagination.limit',
  offset: 'offset skip start page.offset pagination.start',
  fields: 'fields field select only columns attributes projection',
  count: 'count totalcount withcount includecount includetotal pagination.withcount',
  search: 'q search query term keyword keywords text fulltext',
  facets: 'facets facet facetfield facetfields aggs aggregations',
  timeZone: 'timezone tz zone',
  cursor: 'cursor after before pagetoken startingafter endingbefore page.cursor page.after page.before',
}

/** The first words of the description of each option. The paths follow them. */
const orderDocs: { readonly [O in OrderOption]: (value: string) => string } = {
  nulls: (place) => `Rows without a value come ${place} by`,
  ignoreCase: () => 'Texts are in lower case, then by code point, by',
  declared: () => 'Values are in the order of their list by',
}

/** The descriptions for OpenAPI and for tools. */
export const parameterDocs: { readonly [P in ValueName]: (collection: CollectionLimits) => string } = {
  sort: ({ orders }) =>
    `The order: paths, each once, with "-" before one for descending order.${orderNames
      .flatMap((option) =>
        orderRows[option].slice(1).map((value) => {
          const names = Array.from(orders).flatMap(([name, options]) => (own(options, option) === value ? name : []))
          return names.length === 0 ? '' : ` ${orderDocs[option](String(value))} ${names.join(', ')}.`
        }),
      )
      .join('')}`,
  limit: ({ limit }) => `Rows of a page: 1 to ${limit.max}, ${limit.default} unless given.`,
  offset: ({ maxOffset = 0 }) => `Rows before the page: 0 to ${maxOffset}. Not with a cursor.`,
  fields: () => 'The fields of the rows in the answer, each with all that is in it: all unless given.',
  count: ({ count }) =>
    `Whether the answer has the number of rows on all pages${typeof count === 'object' ? `, counted up to ${count.max}` : ''}.`,
  search: ({ search }) =>
    `At most ${mostWords} words, separated by spaces; a phrase in double quotes is one word. Each is in at least one of ${search.map(({ name }) => name).join(', ')}, case ignored.`,
  facets: () =>
    'The fields whose values are counted over all pages. A count leaves out the conditions on its own field.',
  timeZone: () =>
    'The time zone of days and of times relative to now: a name such as Europe/Berlin, or an offset such as +01:00. UTC unless given.',
  cursor: () => 'The cursor of another page: "next" or "previous" of an answer to the same order.',
}
