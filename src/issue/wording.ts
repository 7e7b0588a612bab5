/** The English messages of issues. */
import { own, ownOf } from '../own.ts'
import type { Advice, IssueParameters, NameList } from './parameters.ts'
import { printable, quoteName } from './secrets.ts'
import { choices, leaveOut, operandForms, plainAdvices, quoteProblems, reasons, syntaxProblems } from './words.ts'
import type { PlainAdvice, SyntaxProblem } from './words.ts'

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

const advices: {
  readonly [K in Exclude<Advice['kind'], PlainAdvice>]: (advice: Extract<Advice, { readonly kind: K }>) => string
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
    (inside.names.length > 0
      ? `; ${inside.names[0]!.endsWith('.…') ? 'a key' : 'fields'} of ${field}: ${listOf(inside)}`
      : ''),
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
  decode_once: () => 'the key looks percent-encoded twice: encode it once',
}

// --- Messages

const malformation = ({ problem }: IssueParameters['syntax_group']): string => syntaxProblems[problem][1]

const quoted = (name: string | null): string => (name === null ? '' : ` "${name}"`)
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

export const messageOf = <C extends IssueCode>(code: C, parameters: IssueParameters[C]): string =>
  (messages[code as TextCode] as (parameters: unknown) => string)(parameters)

// --- Hints of issues that have no advice

const forms = 'write a condition as path=value or path[operator]=value'
const dottedForm = 'write nested fields with dots, and only an operator in brackets: path.path[operator]=value'
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

const wordsOfAdvice = (advice: Advice): string =>
  own(plainAdvices, advice.kind as PlainAdvice) ??
  (advices[advice.kind as keyof typeof advices] as (advice: Advice) => string)(ownOf(advice))

/** The hint of an issue: the words of its advice, or the hint of all issues with these parameters. */
export function hintOf<C extends IssueCode>(code: C, parameters: IssueParameters[C]): string | undefined {
  const advice = own(parameters as Partial<IssueParameters['field_unknown']>, 'advice')
  // A question ends a sentence.
  if (advice !== undefined && advice.length > 0) return advice.map(wordsOfAdvice).join('; ').replaceAll('?; ', '? ')
  return (own(hints, code as TextCode) as ((parameters: unknown) => string | undefined) | undefined)?.(parameters)
}

export const wordsOf = <C extends IssueCode>(code: C, parameters: IssueParameters[C]) =>
  [messageOf(code, parameters), hintOf(code, parameters)] as const
