/** A text for each code, each problem and each kind of advice, with the parameters of its first issue. */
import type { Advice, IssueCode, IssueParameters } from '../../src/index.ts'
import type { WriteReason } from '../../src/issue/index.ts'

/** What every operand that no schema knows has in it: no issue has it anywhere. */
export const operand = 'Qz7x'

export interface Row {
  readonly code: IssueCode
  readonly text: string
  readonly parameters: object
  readonly limits?: Readonly<Record<string, number>>
}
const row = <C extends IssueCode>(
  code: C,
  text: string,
  parameters: IssueParameters[C],
  limits: Row['limits'] = {},
): Row => ({ code, text, parameters, limits })

type Range = readonly [start: number, end: number]
const span = ([start, end]: Range) => ({ start, end })
/** Advice with made-up operands. */
const example = (text: string, replaces: Range | null, operands: readonly Range[], reason: WriteReason = 'spelling') =>
  ({
    advice: [
      {
        kind: 'write',
        text,
        reason,
        isExample: true,
        replaces: replaces && span(replaces),
        operands: operands.map(span),
      },
    ],
  }) as const
/** Advice whose text is what is meant. */
const exactly = (text: string, replaces: Range, reason: WriteReason = 'spelling') =>
  ({ advice: [{ kind: 'write', text, reason, isExample: false, replaces: span(replaces), operands: [] }] }) as const
const advised = (...advice: readonly Advice[]) => ({ advice })
const few = (...names: readonly string[]) => ({ names, isCut: false })
const malformed = <P extends IssueParameters['syntax_name']['problem']>(problem: P, isInGroup = false) =>
  ({ problem, isInGroup, advice: [] }) as const
const name = (name: string | null) => ({ problem: 'name', name }) as const

const number = { kind: 'type', type: 'number', description: 'a number, such as 12.5' } as const
const uuid = { kind: 'type', type: 'uuid', description: 'a uuid, 8-4-4-4-12 hexadecimal digits' } as const
const day = {
  kind: 'type',
  type: 'date',
  description: 'a date, such as 2024-06-01 or today-7d',
} as const
const moment = {
  kind: 'type',
  type: 'datetime',
  description: 'a date or a datetime, such as 2024-06-01, 2024-06-01T10:00:00Z or now-90m',
} as const
const flag = { kind: 'type', type: 'boolean', description: 'true or false' } as const
const status = { subject: 'status', expected: { kind: 'values', values: few('paid', 'held', 'new') } } as const
const sortable = { kind: 'choose', from: 'sortable', choices: few('id', 'total', 'arrival') } as const
const seller = { name: 'seller[equals]', of: 'condition' } as const

export const rows: readonly Row[] = [
  row('limit_length', 'seller=Qz7x', { found: 11, isExact: true, limit: 8 }, { length: 8 }),
  row('limit_pairs', 'seller=Qz7x&total=1', { limit: 1 }, { pairs: 1 }),
  row('syntax_encoding', 'seller=Qz7x%', malformed('malformed_escape')),
  row('syntax_encoding', 'seller=Qz7x%ff', malformed('invalid_utf8')),
  row('syntax_character', 'seller=Qz7x%00', malformed('null_character')),
  row('syntax_character', 'seller=Qz7x\ud800', malformed('lone_surrogate')),
  row('syntax_name', 'a..b=Qz7x', malformed('missing_name')),
  row('syntax_name', 'or=(=Qz7x)', malformed('missing_name', true)),
  row('syntax_name', 'and=([gte]=Qz7x)', malformed('operator_alone', true)),
  row('syntax_bracket', 'total[gte=Qz7x', {
    ...malformed('unclosed_bracket'),
    ...example('total[gte]=…', [0, 14], [[10, 14]]),
  }),
  row('syntax_bracket', 'tags[]=Qz7x', {
    ...malformed('empty_brackets'),
    ...example('tags[in]=…,…', [0, 11], [[7, 11]]),
  }),
  row('syntax_bracket', 'total]=Qz7x', { ...malformed('stray_bracket'), ...example('total=…', [0, 11], [[7, 11]]) }),
  row('syntax_bracket', 'items[price][gte]=Qz7x', {
    ...malformed('second_brackets'),
    ...example('items.price[gte]=…', [0, 22], [[18, 22]]),
  }),
  row('syntax_bracket', 'items[0][price]=Qz7x', {
    ...malformed('second_brackets'),
    ...example('items.price=…', [0, 20], [[16, 20]], 'no_position'),
  }),
  row('syntax_bracket', 'or[0][seller]=Qz7x', {
    ...malformed('second_brackets'),
    ...example('or=(seller=…)', [0, 18], []),
  }),
  row('syntax_bracket', 'nope[a]b=Qz7x', malformed('text_after_brackets')),
  row('syntax_missing_equals', 'gift', { ...malformed('missing_equals'), ...exactly('gift=true', [0, 4]) }),
  row('syntax_missing_equals', 'total>Qz7x', {
    ...malformed('missing_equals'),
    ...example('total[gt]=…', [0, 10], [[6, 10]]),
  }),
  row('syntax_group', 'or=Qz7x', malformed('missing_group')),
  row('syntax_group', 'or=()', malformed('empty_group')),
  row('syntax_group', 'or=(seller=Qz7x', malformed('unclosed_group')),
  row('syntax_group', 'or=(seller=Qz7x)Qz7x', malformed('text_after_group')),
  row('field_unknown', 'totl=Qz7x', { ...name('totl'), ...advised({ kind: 'did_you_mean', name: 'total' }) }),
  row('field_unknown', 'apiKeys=Qz7x', { ...name(null), advice: [] }),
  row('field_unknown', 'sort= total', {
    problem: 'sign',
    name: null,
    ...exactly('sort=total', [0, 11], 'no_sign'),
  }),
  row('field_unknown', 'or=(zzzzzzz(seller=Qz7x))', {
    ...name('zzzzzzz'),
    ...advised({ kind: 'choose', from: 'group_starts', choices: few('and', 'or', 'not', 'tags', 'items') }),
  }),
  row('field_unknown', 'or=(and=(seller=Qz7x))', {
    ...name('and'),
    ...advised({ kind: 'write_group', word: 'and', isInGroup: true, list: null }),
  }),
  row('field_unknown', 'items.all(price=Qz7x)', {
    ...name('items.all(price'),
    ...advised({ kind: 'write_group', word: 'and', isInGroup: false, list: 'items.every' }),
  }),
  row('field_unknown', 'items.length=Qz7x', {
    ...name('items.length'),
    ...example('items[atLeast]=…&items[atMost]=…', [0, 17], []),
  }),
  row('field_unknown', '/orders?seller=Qz7x', { ...name('/orders?seller'), ...advised({ kind: 'query_only' }) }),
  row('field_unknown', 'seller%255Bgte%255D=Qz7x', {
    ...name('seller%5Bgte%5D'),
    ...advised({ kind: 'decode_once', key: 'seller[gte]' }),
  }),
  row('field_unknown', 'filter=Qz7x', { ...name('filter'), ...advised({ kind: 'separate_pairs' }) }),
  row('field_unknown', 'include=Qz7x', { ...name('include'), ...advised({ kind: 'leave_out' }) }),
  row('field_unknown', 'include=items', { ...name('include'), ...exactly('fields=items', [0, 13], 'whole_rows') }),
  row('field_unknown', 'q=Qz7x', {
    ...name('q'),
    ...example('seller[contains]=…', [0, 6], [[2, 6]], 'no_search'),
  }),
  row('field_unknown', 'page=Qz7x', {
    ...name('page'),
    ...example('limit=20&offset=20', [0, 9], [], 'second_page'),
  }),
  row('field_unknown', '_limit=Qz7x', { ...name('_limit'), ...example('limit=…', [0, 11], [[7, 11]]) }),
  row('field_unknown', 'after=Qz7x', { ...name('after'), ...example('cursor=…', [0, 10], [], 'cursor') }),
  row('field_unknown', 'since=Qz7x', { ...name('since'), ...advised({ kind: 'bound_of_field' }) }),
  row('field_unknown', '_fields=id,Qz7x', { ...name('_fields'), ...example('fields=id', [0, 15], []) }),
  row('field_unknown', '_sort=total:desc,Qz7x', {
    ...name('_sort'),
    ...advised(...example('sort=-…', [0, 21], []).advice, sortable),
  }),
  // The value of a reserved pair is in no list of values or order.
  row('field_unknown', '_sort=total&apiKey=Qz7x', { ...name('_sort'), ...exactly('sort=total', [0, 11]) }),
  row('field_unknown', 'order=Qz7x,total&order[id]=desc', {
    ...name('order'),
    ...advised(...example('sort=…', [0, 16], []).advice, sortable),
  }),
  row('syntax_bracket', 'apiKey=held&status[]=new', {
    ...malformed('empty_brackets'),
    ...example('status[in]=new', [12, 24], [[21, 24]]),
  }),
  row('field_unknown', 'fields=*', { ...name('*'), ...advised({ kind: 'every_field' }) }),
  row('limit_depth', 'or=(or(or(or(or(or(or(or(or(or(seller=Qz7x))))))))))', { of: 'groups', limit: 8 }),
  row('limit_depth', 'a.b.c=Qz7x', { of: 'path', found: 3, limit: 2 }, { depth: 2 }),
  row('operator_unknown', 'seller[cntains]=Qz7x', {
    name: 'cntains',
    ...advised({ kind: 'did_you_mean', name: 'contains' }),
  }),
  row('operator_not_applicable', 'items=Qz7x', {
    field: 'items',
    operator: 'equals',
    ...advised({
      kind: 'operators',
      field: 'items',
      operators: ['exists', 'atLeast', 'atMost'],
      inside: few('items.arrival', 'items.product', 'items.price'),
    }),
  }),
  row('operator_not_applicable', 'or=(seller(total=Qz7x))', {
    field: 'seller',
    operator: null,
    ...advised({
      kind: 'operators',
      field: 'seller',
      operators: [
        ...['equals', 'notEqual', 'gt', 'gte', 'lt', 'lte', 'range', 'in', 'nin'],
        ...['startsWith', 'endsWith', 'contains', 'doesNotContain', 'exists'],
      ],
      inside: few(),
    }),
  }),
  row('operand_invalid', 'total=Qz7x', { subject: 'total', expected: number, advice: [] }),
  row('operand_invalid', 'total=gte.5', {
    subject: 'total',
    expected: number,
    ...example('total[gte]=…', [0, 11], [[10, 11]]),
  }),
  row('operand_invalid', 'total=gte.5Qz7x', {
    subject: 'total',
    expected: number,
    ...example('total[gte]=…', [0, 15], []),
  }),
  row('operand_invalid', 'total=null', {
    subject: 'total',
    expected: number,
    ...exactly('total[exists]=false', [0, 10], 'absent'),
  }),
  row('operand_invalid', 'total[notEqual]=null', {
    subject: 'total',
    expected: number,
    ...exactly('total[exists]=true', [0, 20], 'present'),
  }),
  row('operand_invalid', 'paidAt=now-2fortnights', {
    subject: 'paidAt',
    expected: moment,
    ...advised({ kind: 'relative_time' }),
  }),
  row('operand_invalid', 'arrival=now-1d', {
    subject: 'arrival',
    expected: day,
    ...advised({ kind: 'relative_day' }),
  }),
  row('operand_invalid', 'paidAt=2011-12-30', {
    subject: 'paidAt',
    expected: moment,
    ...advised({ kind: 'day_left_out' }),
  }),
  row('operand_invalid', 'total=1e+3', { subject: 'total', expected: number, ...advised({ kind: 'escape_plus' }) }),
  row('operand_invalid', 'key=Qz7x', { subject: 'key', expected: uuid, advice: [] }),
  row('operand_invalid', 'key=01890a5dac96774bbcceb302099a8057', {
    subject: 'key',
    expected: uuid,
    ...advised({ kind: 'uuid_form' }),
  }),
  row('operand_invalid', 'serial=9223372036854775808', {
    subject: 'serial',
    expected: {
      kind: 'type',
      type: 'bigint',
      description: 'a whole number, such as 12',
    },
    ...advised({ kind: 'form', form: 'largest_bigint' }),
  }),
  row('operand_invalid', 'money=1e3', {
    subject: 'money',
    expected: {
      kind: 'type',
      type: 'decimal',
      description: 'a decimal number, such as 12.5',
    },
    ...advised({ kind: 'form', form: 'no_exponent' }),
  }),
  row('operand_invalid', 'total[gt]=5,6', {
    subject: 'total',
    expected: number,
    ...advised({ kind: 'one_value', operator: 'gt' }, { kind: 'form', form: 'decimal_point' }),
  }),
  row('operand_invalid', 'total[gt]=', { subject: 'total', expected: number, ...advised({ kind: 'no_value' }) }),
  row('operand_invalid', 'or=(status=paid|total=Qz7x)', { ...status, ...advised({ kind: 'group_commas' }) }),
  row('operand_invalid', 'status[in]=new,null', {
    ...status,
    ...example('or=(status[in]=(…,…),status[exists]=false)', null, [], 'absent_in_list'),
  }),
  row('operand_invalid', 'seller[exists]=Qz7x', { subject: 'seller[exists]', expected: flag, advice: [] }),
  row('operand_invalid', 'status=Qz7x', { ...status, advice: [] }),
  row('operand_invalid', 'status=piad', { ...status, ...advised({ kind: 'did_you_mean', name: 'paid' }) }),
  row('limit_operand', 'seller=Qz7x', { found: 4, limit: 3 }, { operand: 3 }),
  row('operand_empty', 'seller[in]=Qz7x,', { of: 'list', isWhole: false, allowsEmptyText: true, parameter: null }),
  row('operand_empty', 'seller[in]=', { of: 'list', isWhole: true, allowsEmptyText: true, parameter: null }),
  row('operand_empty', 'or=(total=,seller=Qz7x)', {
    of: 'value',
    isWhole: true,
    allowsEmptyText: false,
    parameter: null,
  }),
  row('operand_empty', 'sort=total,', { of: 'parameter', isWhole: false, allowsEmptyText: false, parameter: 'sort' }),
  row('operand_quote', 'seller[in]="Qz7x', { problem: 'unterminated' }),
  row('operand_quote', 'seller[in]="\\Qz7x"', { problem: 'escape' }),
  row('operand_quote', 'seller[in]=""Qz7x', { problem: 'text_after' }),
  row('operand_count', 'seller[range]=Qz7x', { operator: 'range', expected: 'two', found: 1 }),
  row('operand_count', 'or=(seller=(Qz7x,b))', { operator: 'equals', expected: 'one', found: null }),
  row('operand_count', 'or=(seller[in]=Qz7x)', { operator: 'in', expected: 'list', found: null }),
  row('limit_list', 'seller[in]=Qz7x,b,c', { of: 'condition', found: 3, limit: 2 }, { list: 2 }),
  row('limit_list', 'sort=id,total,arrival', { of: 'parameter', found: 3, limit: 2 }, { list: 2 }),
  row(
    'limit_searches',
    'seller[contains]=Qz7x',
    {
      found: 1,
      limit: 0,
      ...advised({
        kind: 'fewer_searches',
        excess: 1,
        everywhere: ['contains'],
        inLists: [],
        inGroups: false,
        facets: null,
      }),
    },
    { searches: 0 },
  ),
  row('duplicate_condition', 'seller=Qz7x&seller=Qz7xy', {
    ...seller,
    where: 'query',
    ...example('seller[in]=…,…', null, [], 'match_several'),
  }),
  row('duplicate_condition', 'and=(seller=Qz7x,seller=Qz7xy)', {
    ...seller,
    where: 'group',
    ...example('seller[in]=(…,…)', null, [], 'match_several'),
  }),
  row('duplicate_condition', 'apiKey=held&status=paid&status=new', {
    name: 'status[equals]',
    of: 'condition',
    where: 'query',
    ...example('status[in]=paid,new', null, [], 'match_several'),
  }),
  row('duplicate_condition', 'seller[nin]=Qz7x&seller[nin]=b', {
    name: 'seller[nin]',
    of: 'condition',
    where: 'query',
    ...example('seller[nin]=…,…', null, [], 'exclude_several'),
  }),
  row('duplicate_condition', 'seller[gt]=Qz7x&seller[gt]=b', {
    name: 'seller[gt]',
    of: 'condition',
    where: 'query',
    ...advised({ kind: 'operator_once', isInGroup: false }),
  }),
  row('duplicate_condition', 'sort=id,-id', { name: 'id', of: 'path', where: 'order', advice: [] }),
  row('duplicate_condition', 'fields=id,id', { name: 'id', of: 'path', where: 'fields', advice: [] }),
  row('parameter_duplicate', 'sort=id&sort=Qz7x', {
    parameter: 'sort',
    ...advised({ kind: 'join_paths', parameter: 'sort' }),
  }),
  row('parameter_duplicate', 'limit=1&limit=Qz7x', { parameter: 'limit', advice: [] }),
  row('parameter_invalid', 'limit=Qz7x', {
    parameter: 'limit',
    expected: { kind: 'whole_number', from: 1, to: 100 },
    advice: [],
  }),
  row('parameter_invalid', 'limit=900', {
    parameter: 'limit',
    expected: { kind: 'whole_number', from: 1, to: 100 },
    ...exactly('limit=100', [0, 9], 'largest_page'),
  }),
  row('parameter_invalid', 'count=Qz7x', { parameter: 'count', expected: { kind: 'boolean' }, advice: [] }),
  row('parameter_invalid', 'cursor=Qz7x', {
    parameter: 'cursor',
    expected: { kind: 'cursor' },
    ...advised({ kind: 'drop_cursor' }),
  }),
  row('field_not_sortable', 'sort=guests', { field: 'guests', ...advised(sortable) }),
  row('limit_issues', 'a=Qz7x&b=Qz7x', { found: 2, limit: 1 }, { issues: 1 }),
]
