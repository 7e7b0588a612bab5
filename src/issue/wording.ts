/** The English messages of issues. */
import { own, ownOf } from '../own.ts'
import type {
  Advice,
  Choice,
  IssueParameters,
  NameList,
  OperandForm,
  PlainAdvice,
  SyntaxProblem,
  WriteReason,
} from './parameters.ts'
import { printable, quoteName } from './secrets.ts'

/** How many names a sentence lists. */
const mostNames = 20

/** Names for an issue: the first of many. */
export const namesOf = (names: readonly string[]): NameList => ({
  names: names.slice(0, mostNames),
  isCut: names.length > mostNames,
})

/** A list of names. One that would not be read as a name is quoted. */
function listOf({ names, isCut }: NameList): string {
  const words = names.map((name) => (/^$|[\s,"]/.test(name) ? quoteName(name) : printable(name)))
  return words.join(', ') + (isCut ? ', …' : '')
}

// --- Advice

const choices: Readonly<Record<Choice, string>> = {
  groups: 'the words of groups are ',
  group_starts: 'a group begins with ',
  parameters: 'the parameters are ',
  sortable: 'sortable fields: ',
  selectable: 'selectable fields: ',
  facets: 'facets: ',
}

const nextCursor = 'each page has the cursor of the next page'
const reasons: Readonly<Record<WriteReason, (text: string) => string>> = {
  spelling: (text) => `write ${text}`,
  no_position: (text) => `list positions are not supported: write ${text}; it matches any entry of the list`,
  match_several: (text) => `to match one of several values, write ${text}`,
  exclude_several: (text) => `to exclude several values, write ${text}`,
  match_range: (text) => `to match values between two bounds, write ${text}`,
  present: (text) => `for rows with a value, write ${text}`,
  absent: (text) => `for rows without a value, write ${text}`,
  absent_in_list: (text) => `a list cannot contain "no value": write ${text}`,
  no_search: (text) => `there is no search in all fields: write ${text}`,
  whole_rows: (text) => `rows already contain their objects and lists: remove the parameter, or write ${text}`,
  cursor: (text) => `write ${text}; its value is the cursor of the page before`,
  no_offset: (text) => `there is no offset: write ${text}; ${nextCursor}`,
  no_page_numbers: (text) => `there are no page numbers: write ${text}; ${nextCursor}`,
  second_page: (text) => `for the second page, write ${text}`,
  largest_page: (text) => `for the largest page, write ${text}`,
  page_size: (text) => `for the size of a page, write ${text}`,
  no_sign: (text) => `ascending order has no sign: write ${text}`,
}

const operandForms: Readonly<Record<OperandForm, string>> = {
  spaces: 'leave out the spaces around the value: "+" is a space, too',
  quotes: 'leave out the quotes',
  field: 'a condition compares a field with a value, not with another field',
  whole_number: 'write a whole number without separators, such as 1000',
  largest_integer: 'the largest whole number is 2^53 − 1, and the smallest is its negative',
  largest_bigint: 'the largest whole number is 2^63 − 1, and the smallest is −2^63',
  decimal_point: 'write a number without separators of thousands and with a point before decimals, such as 1000.5',
  digit_beside_point: 'write a digit before and after the point',
  most_digits: 'write at most 34 digits',
  no_exponent: 'write all digits, without an exponent',
  no_plus: 'leave out the plus sign',
  no_zeros: 'leave out the zeros before the number',
  year_month_day: 'write year, month and day with dashes between them: YYYY-MM-DD',
  no_such_day: 'the calendar does not have this day',
  two_digits: 'write the month and the day with two digits each: YYYY-MM-DD',
  no_time: 'leave out the time: the field has days',
  since_1970: 'write a date and a time, not the seconds since 1970',
  time_mark: 'write T between the day and the time',
  seconds: 'add the seconds to the time',
  zone: 'add Z for UTC or an offset such as -05:00',
  whole_time: 'write the time with T, the seconds, and Z or an offset, as in 2024-06-01T10:00:00Z',
  no_zone_name:
    'leave out the zone in brackets: a time ends with Z for UTC or an offset such as -05:00, and a day has no zone',
  microseconds: 'write at most six digits after the seconds',
}

const advices: { readonly [K in Advice['kind']]: (advice: Extract<Advice, { readonly kind: K }>) => string } & {
  readonly [K in PlainAdvice]: () => string
} = {
  did_you_mean: ({ name }) => `did you mean ${printable(name)}?`,
  write: ({ text, reason }) => reasons[reason](text),
  write_group: ({ word, isInGroup, list }) => {
    const inside = list === null ? '…' : `${printable(list)}(…)`
    return `write a group as ${word}${isInGroup ? '' : '='}(${inside})`
  },
  choose: ({ from, choices: names }) => choices[from] + listOf(names),
  operators: ({ field, operators, inside }) =>
    (operators.length === 0
      ? `${field} cannot be filtered`
      : `available operators for ${field}: ${operators.join(', ')}`) +
    (inside.names.length > 0 ? `; fields of ${field}: ${listOf(inside)}` : ''),
  fewer_searches: ({ excess, everywhere, inLists, inGroups, facets }) => {
    const items = [
      ...(everywhere.length === 0 ? [] : [everywhere.join(', ')]),
      ...(inLists.length === 0 ? [] : [`${inLists.join(', ')} in a list`]),
    ]
    const conditions = [
      ...(items.length === 0 ? [] : [`with ${items.join(', or ')}`]),
      ...(inGroups ? ['on a list in a group'] : []),
    ]
    const outside =
      inLists.length === 0
        ? ''
        : `; outside lists, ${inLists.join(', ')} ${inLists.length === 1 ? 'does' : 'do'} not count`
    const most = facets === 0 ? 'no facets' : `at most ${facets} ${facets === 1 ? 'facet' : 'facets'}`
    const room = facets === null ? '' : `, or ask for ${most}: each facet counts them again`
    return `remove ${excess} of the conditions ${conditions.join(', or ')}${room}${outside}`
  },
  operator_once: ({ isInGroup }) =>
    `use each operator once per field${isInGroup ? ', or wrap one of the conditions in and(…)' : ''}`,
  join_paths: ({ parameter }) => `join the paths with commas: ${printable(parameter)}=…,…`,
  one_value: ({ operator }) => `${operator} takes one value`,
  form: ({ form }) => operandForms[form],
  no_value: () => leaveOut,
  every_field: () => 'leave out the parameter: rows then have every field',
  group_commas: () => 'write commas between the conditions of a group: (path=value,path=value)',
  decode_once: () => 'the key looks percent-encoded twice: encode it once',
  query_only: () => 'pass only the query string: the part of the URL after "?"',
  no_groups: () => 'groups are not turned on here',
  no_parameters: () =>
    'paging and sorting parameters are not filters: the service reads them with parseQuery, or names them in "reserved"',
  separate_pairs: () => 'each condition is a separate pair: path=value or path[operator]=value',
  bound_of_field: () => 'a bound is an operator of a field: path[gte]=…, path[gt]=…, path[lte]=… or path[lt]=…',
  leave_out: () => 'rows already contain their objects and lists: remove the parameter',
  escape_plus: () => '"+" means a space in a query string: write a plus sign as %2B',
  relative_time: () => 'write now-90m or now+2h, with s, m, h, d, w, mo or y; or a day as today-7d, with d, w, mo or y',
  relative_day: () => 'write a day as today-7d or today+1mo, with d, w, mo or y',
  day_left_out: () => 'the time zone left out this day: its clocks went from the day before to the day after',
  uuid_form: () => 'write a uuid with dashes, 8-4-4-4-12, and nothing around it',
  drop_cursor: () =>
    'start again without it: it belongs to another order or time zone, or it is not a cursor of this service',
}

// --- Messages

const malformed: Readonly<Record<SyntaxProblem, string>> = {
  malformed_escape: 'malformed percent-escape: expected two hexadecimal digits after "%"',
  invalid_utf8: 'percent-escapes are not valid UTF-8',
  null_character: 'the character U+0000 is not allowed',
  lone_surrogate: 'lone surrogate: half of a surrogate pair is not a character',
  missing_name: 'missing field name',
  operator_alone: 'missing field name',
  missing_equals: 'missing "=" in a condition',
  unclosed_bracket: 'unclosed bracket: "[" without "]"',
  empty_brackets: 'empty brackets: expected an operator',
  stray_bracket: 'unexpected "]": there is no "[" before it',
  second_brackets: 'unexpected second pair of brackets',
  text_after_brackets: 'unexpected text after the brackets',
  missing_group: 'expected a group in parentheses',
  empty_group: 'empty group: expected a condition',
  unclosed_group: 'unclosed group: "(" without ")"',
  text_after_group: 'unexpected text after ")"',
}
const malformation = ({ problem }: IssueParameters['syntax_group']): string => malformed[problem]

const quoted = (name: string | null): string => (name === null ? '' : ` "${name}"`)
const quoteProblems: Readonly<Record<IssueParameters['operand_quote']['problem'], string>> = {
  unterminated: 'unclosed quote',
  escape: 'invalid escape: expected a quote or a backslash after the backslash',
  text_after: 'unexpected text after the closing quote',
}

type IssueCode = keyof IssueParameters

/** Codes that backends and printing use have their sentences there. */
type TextCode = Exclude<IssueCode, 'print_unsayable' | `backend_${string}`>

const messages: { readonly [C in TextCode]: (parameters: IssueParameters[C]) => string } = {
  limit_length: ({ found, isExact, limit }) =>
    isExact ? `query too long: ${found} characters, limit ${limit}` : `query too long: more than ${limit} characters`,
  limit_pairs: ({ limit }) => `too many pairs: limit ${limit}`,
  syntax_encoding: malformation,
  syntax_character: malformation,
  syntax_name: malformation,
  syntax_bracket: malformation,
  syntax_missing_equals: malformation,
  syntax_group: malformation,
  field_unknown: ({ problem, name }) =>
    problem === 'sign' ? 'unexpected "+" or space before a path' : `unknown field${quoted(name)}`,
  limit_depth: (parameters) =>
    parameters.of === 'path'
      ? `path too deep: ${parameters.found} names, limit ${parameters.limit}`
      : `group too deep: limit ${parameters.limit}`,
  operator_unknown: ({ name }) => `unknown operator${quoted(name)}`,
  operator_not_applicable: ({ field, operator }) =>
    operator === null
      ? `${field} is not a list: it takes no group`
      : `operator ${operator} is not available for ${field}`,
  operand_invalid: ({ subject, expected }) =>
    `invalid value for ${subject}: expected ${expected.kind === 'type' ? expected.description : `one of ${listOf(expected.values)}`}`,
  limit_operand: ({ found, limit }) => `value too long: ${found} characters, limit ${limit}`,
  operand_empty: ({ of, isWhole, parameter }) => {
    if (of === 'search') return `empty ${printable(parameter!)}: expected a word`
    if (of === 'parameter') return `empty item in ${printable(parameter!)}: expected a path`
    return isWhole ? 'missing value' : 'missing list item'
  },
  operand_quote: ({ problem }) => quoteProblems[problem],
  operand_count: ({ operator, expected, found }) =>
    found !== null
      ? `operator ${operator} expects two values, low,high: found ${found}`
      : expected === 'one'
        ? `operator ${operator} expects one value, not a list`
        : `operator ${operator} expects a list in parentheses`,
  limit_list: ({ of, found, limit }) =>
    of === 'condition' ? `list too long: ${found} items, limit ${limit}` : `too many items: ${found}, limit ${limit}`,
  limit_searches: ({ found, limit }) => `too many searches: ${found}, limit ${limit}`,
  limit_facets: ({ found, limit }) => `too many facets: ${found}, limit ${limit}`,
  duplicate_condition: ({ name, of, where }) =>
    `duplicate ${of}: ${name} is already in ${where === 'fields' || where === 'facets' ? where : `the ${where}`}`,
  parameter_duplicate: ({ parameter }) => `duplicate parameter: ${printable(parameter)} is already in the query`,
  parameter_invalid: ({ parameter, expected }) => {
    const name = printable(parameter)
    if (expected.kind === 'one_of') return `${expected.parameters.map(printable).join(' and ')} cannot be used together`
    return (
      `invalid value for ${name}: expected ` +
      (expected.kind === 'whole_number'
        ? `a whole number from ${expected.from} to ${expected.to}`
        : expected.kind === 'boolean'
          ? 'true or false'
          : expected.kind === 'time_zone'
            ? 'a time zone, such as Europe/Berlin or +01:00'
            : expected.kind === 'form'
              ? expected.description
              : 'the cursor of a page in this order')
    )
  },
  field_not_sortable: ({ field }) => `${printable(field)} is not sortable`,
  field_not_selectable: ({ field }) => `${printable(field)} is not selectable`,
  field_not_counted: ({ field }) => `${printable(field)} has no facet`,
  limit_issues: ({ found, limit }) => `too many issues: ${found}, limit ${limit}`,
}

/** The message of an issue. */
export const messageOf = <C extends IssueCode>(code: C, parameters: IssueParameters[C]): string =>
  (messages[code as TextCode] as (parameters: unknown) => string)(parameters)

// --- Hints of issues that have no advice

const forms = 'write a condition as path=value or path[operator]=value'
const dottedForm = 'write nested fields with dots, and only an operator in brackets: path.path[operator]=value'
const leaveOut = 'leave it out if it has no value'
const groupForm = 'write a group as (condition,condition)'

/** The second sentence is the hint in a group. */
const forMalformed: Readonly<Record<SyntaxProblem, readonly [hint: string, hintInGroup?: string]>> = {
  malformed_escape: ['write a literal "%" as %25'],
  invalid_utf8: ['encode the text with encodeURIComponent'],
  null_character: ['remove the character'],
  lone_surrogate: ['do not cut a string inside a surrogate pair'],
  missing_name: [
    forms,
    'write a condition as path=value or path[operator]=value, and a group as and(…), or(…), not(…) or list(…)',
  ],
  operator_alone: ['an operator alone is about the entries of a list: list([operator]=value)'],
  missing_equals: [
    forms,
    // A comma ends a condition of a group, so the text after it has no "=".
    'in a group, write commas between conditions, write a list as path[in]=(a,b), and quote a value that has a comma or a parenthesis',
  ],
  unclosed_bracket: [forms],
  empty_brackets: [
    'write several values as one list: path[in]=a,b',
    'write several values as one list: path[in]=(a,b)',
  ],
  stray_bracket: [forms],
  second_brackets: [dottedForm],
  text_after_brackets: [dottedForm],
  missing_group: [groupForm],
  empty_group: [groupForm],
  unclosed_group: ['add the ")", or put a value with a parenthesis in it in quotes'],
  text_after_group: [
    'put all conditions between "(" and ")", with commas between them, or put a value with a parenthesis in it in quotes',
  ],
}
const hintOfMalformed = ({ problem, isInGroup }: IssueParameters['syntax_group']): string => {
  const [hint, hintInGroup = hint] = forMalformed[problem]
  return isInGroup ? hintInGroup : hint
}

const hints: { readonly [C in TextCode]?: (parameters: IssueParameters[C]) => string | undefined } = {
  syntax_encoding: hintOfMalformed,
  syntax_character: hintOfMalformed,
  syntax_name: hintOfMalformed,
  syntax_bracket: hintOfMalformed,
  syntax_missing_equals: hintOfMalformed,
  syntax_group: hintOfMalformed,
  limit_depth: ({ of }) => (of === 'groups' ? 'join conditions in one group where you can' : undefined),
  operand_empty: ({ of, isWhole, allowsEmptyText }) => {
    if (of === 'search' || of === 'parameter') return isWhole ? leaveOut : undefined
    const emptyText = 'write an empty string as ""'
    if (isWhole) return allowsEmptyText ? `${leaveOut}, or ${emptyText}` : leaveOut
    return allowsEmptyText ? emptyText : 'write one item on each side of a comma'
  },
  operand_quote: ({ problem }) =>
    problem === 'unterminated'
      ? 'write a quote at the end, too, or none at the start'
      : 'in a quoted item, write \\" for a quote and \\\\ for a backslash',
  operand_count: ({ expected, found }) => {
    if (found !== null) return undefined
    if (expected === 'one') return 'leave out the parentheses, or put a value that begins with a parenthesis in quotes'
    return `write ${expected === 'two' ? '(low,high)' : '(a,b)'}`
  },
}

const wordsOfAdvice = (advice: Advice): string => (advices[advice.kind] as (advice: Advice) => string)(ownOf(advice))

/** The hint of an issue: the words of its advice, or the hint of all issues with these parameters. */
export function hintOf<C extends IssueCode>(code: C, parameters: IssueParameters[C]): string | undefined {
  const advice = own(parameters as Partial<IssueParameters['field_unknown']>, 'advice')
  // A question ends a sentence.
  if (advice !== undefined && advice.length > 0) return advice.map(wordsOfAdvice).join('; ').replaceAll('?; ', '? ')
  return (own(hints, code as TextCode) as ((parameters: unknown) => string | undefined) | undefined)?.(parameters)
}

/** The message of an issue, and its hint. */
export const wordsOf = <C extends IssueCode>(code: C, parameters: IssueParameters[C]) =>
  [messageOf(code, parameters), hintOf(code, parameters)] as const
