/** The parameters of a query that are not conditions: one row each. A front-end that only writes queries loads the first column alone. */

/**
 * The form of each value, in a text and in JSON: a whole number of at least 1 or 0, a boolean, an array of paths, or a text. The grammar
 * reads groups.
 */
export const parameterForms = /* @__PURE__ */ Object.freeze({
  sort: 'paths',
  limit: 'positive',
  cursor: 'text',
  offset: 'natural',
  fields: 'paths',
  count: 'flag',
  search: 'words',
  facets: 'paths',
  timeZone: 'text',
  and: 'group',
  or: 'group',
  not: 'group',
} as const)

/** The parameters of a query that are not conditions, by the names that they have unless a collection renames them. */
export type ParameterName = keyof typeof parameterForms
export const parameterNames = /* @__PURE__ */ Object.keys(parameterForms) as readonly ParameterName[]

type Forms = typeof parameterForms
export type ParameterForm = Forms[ParameterName]
/** The parameters of some forms. */
export type ParameterOf<Form extends ParameterForm> = {
  [P in ParameterName]: Forms[P] extends Form ? P : never
}[ParameterName]
/** The words of groups. */
export type GroupWord = ParameterOf<'group'>
/** The parameters whose value is not a group. */
export type ValueName = Exclude<ParameterName, GroupWord>
/** The parameters with one value, which a query has under the same name. */
export type PlainName = ParameterOf<'positive' | 'natural' | 'flag'>

/** The parameters of some forms, in the order of the table. */
export const parametersOf = <Form extends ParameterForm>(...forms: readonly Form[]): readonly ParameterOf<Form>[] =>
  parameterNames.filter((name): name is ParameterOf<Form> =>
    (forms as readonly ParameterForm[]).includes(parameterForms[name]),
  )

/** The options of a collection that the rows read. */
interface Offer {
  readonly limit: { readonly default: number; readonly max: number }
  readonly maxOffset: number | undefined
  readonly count: boolean | { readonly max: number }
  readonly search: readonly { readonly name: string }[]
  readonly parameters: ReadonlyMap<ParameterName, string>
}

interface ParameterRow {
  /** The option of a collection that allows it; `undefined` where every collection does. */
  readonly option: string | undefined
  /** Whether the value of the option is `true` or `false`. */
  readonly isSwitch?: true
}
/** A row, and the properties that its form requires. */
type RowOf<Form extends ParameterForm> = ParameterRow &
  (Form extends 'paths'
    ? {
        /** The part of a collection that has the paths. */
        readonly from: 'sortable' | 'selectable' | 'facets'
      }
    : Form extends 'positive' | 'natural'
      ? {
          /** The largest number. */
          readonly most: (collection: Offer) => number
        }
      : unknown)

/** The option that allows each parameter, and the bound of its values. */
export const parameterRows = /* @__PURE__ */ Object.freeze({
  sort: { option: undefined, from: 'sortable' },
  limit: { option: undefined, most: ({ limit }: Offer) => limit.max },
  cursor: { option: undefined },
  offset: { option: 'offset', most: ({ maxOffset = 0 }: Offer) => maxOffset },
  fields: { option: 'fields', from: 'selectable' },
  count: { option: 'count' },
  search: { option: 'search' },
  facets: { option: 'facets', from: 'facets' },
  timeZone: { option: 'timeZone', isSwitch: true },
  and: { option: 'groups', isSwitch: true },
  or: { option: 'groups', isSwitch: true },
  not: { option: 'groups', isSwitch: true },
} as const satisfies { readonly [P in ParameterName]: RowOf<Forms[P]> })

type Rows = typeof parameterRows
/** The options of a collection that allow parameters. */
type OptionName = NonNullable<Rows[ParameterName]['option']>
/** The options whose value is `true` or `false`. */
export type SwitchName = {
  [P in ParameterName]: Rows[P] extends { readonly isSwitch: true; readonly option: infer Option } ? Option : never
}[ParameterName]

const optionsOf = (isListed: (row: ParameterRow) => boolean): readonly string[] => [
  ...new Set(Object.values<ParameterRow>(parameterRows).flatMap((row) => (isListed(row) ? (row.option ?? []) : []))),
]
export const optionNames = /* @__PURE__ */ optionsOf(() => true) as readonly OptionName[]
export const switchNames = /* @__PURE__ */ optionsOf(({ isSwitch }) => isSwitch === true) as readonly SwitchName[]

/** Whether a collection with these options, which inherit nothing, has a parameter. An empty list of facets allows none. */
export function isAllowedBy(options: { readonly [O in OptionName]?: unknown }, name: ParameterName): boolean {
  const { option } = parameterRows[name]
  if (option === undefined) return true
  const value = options[option]
  return value !== undefined && value !== false && !(option === 'facets' && (value as readonly unknown[]).length === 0)
}

/** The texts of a parameter, for documentation and hints. */
interface ParameterWords {
  /** Its names in other languages, in lower case and without `-`, `_` and `$`. `.` is a bracket, too. */
  readonly aliases: string
}
/** The words for a text of this form. */
type WordsOf<Form extends ParameterForm> = ParameterWords &
  (Form extends 'text' | 'words' ? { readonly text: string } : unknown)

/** The texts of each parameter. */
export const parameterWords: { readonly [P in ValueName]: WordsOf<Forms[P]> } = {
  sort: { aliases: 'sort sortby order orderby ordering sortfield sortcolumn' },
  limit: {
    aliases:
      'limit end size pagesize perpage take top first rows maxresults max page.size page.limit pagination.pagesize pagination.limit',
  },
  cursor: {
    text: 'the cursor of a page',
    aliases: 'cursor after before pagetoken startingafter endingbefore page.cursor page.after page.before',
  },
  offset: { aliases: 'offset skip start page.offset pagination.start' },
  fields: { aliases: 'fields field select only columns attributes projection' },
  count: { aliases: 'count totalcount withcount includecount includetotal pagination.withcount' },
  search: {
    text: 'words separated by spaces',
    aliases: 'q search query term keyword keywords text fulltext',
  },
  facets: { aliases: 'facets facet facetfield facetfields aggs aggregations' },
  timeZone: { text: 'a time zone such as Europe/Berlin or +01:00', aliases: 'timezone tz zone' },
}
