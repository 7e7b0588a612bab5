/** Sentences of messages and hints that need no data, or one text: a row for each kind. The types of the kinds derive from the keys. */

/** The beginning of a list of names. */
export const choices = {
  groups: 'the words of groups are ',
  group_starts: 'a group begins with ',
  parameters: 'the parameters are ',
  sortable: 'sortable fields: ',
  selectable: 'selectable fields: ',
  facets: 'facets: ',
}
/** The kind of the names in an advice. */
export type Choice = keyof typeof choices

const nextCursor = 'each page has the cursor of the next page'
/** Advice to write a text. */
export const reasons = {
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
} satisfies Readonly<Record<string, (text: string) => string>>
/** The reason for the replacement. */
export type WriteReason = keyof typeof reasons

export const operandForms = {
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
/** The form in which to write an operand. */
export type OperandForm = keyof typeof operandForms

export const leaveOut = 'leave it out if it has no value'
export const plainAdvices = {
  no_value: leaveOut,
  every_field: 'leave out the parameter: rows then have every field',
  group_commas: 'write commas between the conditions of a group: (path=value,path=value)',
  query_only: 'pass only the query string: the part of the URL after "?"',
  no_groups: 'groups are not turned on here',
  no_parameters:
    'paging and sorting parameters are not filters: the service reads them with parseQuery, or names them in "reserved"',
  separate_pairs: 'each condition is a separate pair: path=value or path[operator]=value',
  bound_of_field: 'a bound is an operator of a field: path[gte]=…, path[gt]=…, path[lte]=… or path[lt]=…',
  record_key: "a record's key is one name, of at most 128 characters, without '.', '[' and ']'",
  leave_out: 'rows already contain their objects and lists: remove the parameter',
  escape_plus: '"+" means a space in a query string: write a plus sign as %2B',
  uuid_form: 'write a uuid with dashes, 8-4-4-4-12, and nothing around it',
  relative_time: 'write now-90m or now+2h, with s, m, h, d, w, mo or y; or a day as today-7d, with d, w, mo or y',
  relative_day: 'write a day as today-7d or today+1mo, with d, w, mo or y',
  day_left_out: 'the time zone left out this day: its clocks went from the day before to the day after',
  drop_cursor:
    'start again without it: it belongs to another order or time zone, or it is not a cursor of this service',
}
/** Advice without other data than its kind. */
export type PlainAdvice = keyof typeof plainAdvices

/** The code of each problem, and its message. */
export const syntaxProblems = {
  malformed_escape: ['syntax_encoding', 'malformed percent-escape: expected two hexadecimal digits after "%"'],
  invalid_utf8: ['syntax_encoding', 'percent-escapes are not valid UTF-8'],
  null_character: ['syntax_character', 'the character U+0000 is not allowed'],
  lone_surrogate: ['syntax_character', 'lone surrogate: half of a surrogate pair is not a character'],
  missing_name: ['syntax_name', 'missing field name'],
  /** An operator without a path, outside the entries of a list. */
  operator_alone: ['syntax_name', 'missing field name'],
  missing_equals: ['syntax_missing_equals', 'missing "=" in a condition'],
  unclosed_bracket: ['syntax_bracket', 'unclosed bracket: "[" without "]"'],
  empty_brackets: ['syntax_bracket', 'empty brackets: expected an operator'],
  stray_bracket: ['syntax_bracket', 'unexpected "]": there is no "[" before it'],
  second_brackets: ['syntax_bracket', 'unexpected second pair of brackets'],
  text_after_brackets: ['syntax_bracket', 'unexpected text after the brackets'],
  missing_group: ['syntax_group', 'expected a group in parentheses'],
  empty_group: ['syntax_group', 'empty group: expected a condition'],
  unclosed_group: ['syntax_group', 'unclosed group: "(" without ")"'],
  text_after_group: ['syntax_group', 'unexpected text after ")"'],
} satisfies Readonly<Record<string, readonly [code: `syntax_${string}`, message: string]>>
/** The kind of malformed syntax. */
export type SyntaxProblem = keyof typeof syntaxProblems

export const quoteProblems = {
  unterminated: 'unclosed quote',
  escape: 'invalid escape: expected a quote or a backslash after the backslash',
  text_after: 'unexpected text after the closing quote',
}
/** The fault of the quotes of an operand. */
export type QuoteProblem = keyof typeof quoteProblems
