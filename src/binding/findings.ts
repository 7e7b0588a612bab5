/** Findings: the faults of names, groups and operands of a query, with code, span and parameters. */
import { namesOf, shownName } from '../issue/index.ts'
import type { Facts, Finding, IssueCode, QuoteProblem, Span } from '../issue/index.ts'
import { defaultOperator, allows, readerOf, valuesOf, noteUse, pathFrom } from '../language/index.ts'
import type { FieldType, Operand, OperatorRow, ResolvedField, Limits, Uses } from '../language/index.ts'
import { keyOf, keyText, mayHoldSecret, startOfPair } from '../asked/index.ts'
import type { Condition, Item, PairAt, Part } from '../asked/index.ts'
import type { SyntaxFinding } from '../reading/index.ts'
import type { ConditionContext, Doubt, TextAdviser } from './doubt.ts'
import { fieldOf, operatorCalled, type ResolvedKey } from './keys.ts'
import type { TextClock } from './clock.ts'
import { own } from '../own.ts'

/** Whether a path has more names than the limit. */
export const isTooDeep = ({ limits }: BindContext, names: number): boolean => names > limits.depth

/** The options and the state of binding a text. */
export interface BindContext extends ConditionContext {
  readonly isInEntry: boolean
  readonly limits: Limits
  /** For operands that depend on a zone or on the time. */
  readonly clock: TextClock
  /** The fields of the pairs without a value that the collection leaves out. */
  readonly leftOut: ResolvedField[]
  /** Recognizes keys of other APIs. `urlwhere/parse` has none. */
  readonly adviser: TextAdviser | undefined
  /** Every function below adds to it. */
  readonly findings: Finding[]
  /** The searches, in the order of the text. */
  readonly searches: Search[]
  /** In a group after the path of a list, that path as the text has it, and a dot. */
  readonly prefix: string
  /** Collects the deprecated names; `undefined` where a collection has none. */
  readonly uses: Uses | undefined
  /** The paths without an operator, where these may be repeated. */
  readonly repeated: Map<string, Repeated> | undefined
}

/** A path that has occurred without an operator. */
export interface Repeated {
  /** The path, or its alias. */
  readonly written: string
  /** The place of its member; -1 where an operand was invalid. */
  at: number
  readonly operands: Operand[]
  count: number
  isList: boolean
  /** The parameters of the finding about a long list: their number grows with each value after it. */
  excess: { found: number } | undefined
}

/** A condition for which the database reads a text, or a list, of every row. */
export interface Search {
  readonly pair: Span
  /** `undefined`: a group of conditions on one entry of a list. */
  readonly key: ResolvedKey | undefined
}

/** Adds the context to a finding about a malformed pair, for its advice. */
export function inContext(context: BindContext, finding: SyntaxFinding): Finding {
  const pair = own(finding, 'pair')
  if (pair === undefined) return finding
  const doubt: Doubt = { kind: 'malformed', context, pair }
  return { ...finding, doubt }
}

/** The field and the operator of a finding; `undefined` if the text has an unknown name. */
type About = { readonly [P in 'field' | 'operator']: ResolvedKey[P] | undefined }

export function find<C extends IssueCode>(
  { findings }: Pick<BindContext, 'findings'>,
  code: C,
  { start, end }: Span,
  parameters: Facts<C>['parameters'],
  doubt?: Doubt,
  about?: About,
): void {
  const [path, operator] = [about?.field?.name, about?.operator?.name]
  findings.push({ code, span: { start, end }, parameters, path, operator, doubt } as unknown as Finding)
}

/** Adds the faults of a path before a group. */
export function findPathFaults(
  context: BindContext,
  path: Part,
  names: number,
  field: ResolvedField | undefined,
): void {
  if (field === undefined) {
    findUnknownPath(context, path, names, { kind: 'group', context, path })
    return
  }
  const parameters = { field: field.name, operator: null, advice: [] }
  const doubt: Doubt = { kind: 'not applicable', context, field }
  find(context, 'operator_not_applicable', path, parameters, doubt, { field, operator: undefined })
}

/** A part of a key for issues; `null` if it, or the text before it, may be a secret. The path of a `known` field is none. */
function shown({ source, reserved }: BindContext, { start, end, text }: Part, known?: Span): string | null {
  if (reserved.length === 0) return shownName(text)
  const first = startOfPair(source, start)
  const pieces = known
    ? [
        { start: first, end: known.start },
        { start: known.end, end },
      ]
    : [{ start: first, end }]
  const isSecret = pieces.some((piece) => mayHoldSecret(source, piece, reserved))
  return isSecret ? null : shownName(text)
}

function findUnknownPath(context: BindContext, path: Part, names: number, doubt: Doubt): void {
  const { limits, isInGroup } = context
  if (isTooDeep(context, names)) find(context, 'limit_depth', path, { of: 'path', found: names, limit: limits.depth })
  else if (path.start === path.end) {
    // An operator alone is about an entry, where there is one.
    find(context, 'syntax_name', path, { problem: 'operator_alone', isInGroup, advice: [] })
  } else find(context, 'field_unknown', path, { problem: 'name', name: shown(context, path), advice: [] }, doubt)
}

/** Adds the faults of a key that names no condition. */
export function findNameFaults(context: BindContext, condition: Condition): void {
  const { schema, adviser } = context
  const { at, path, names } = condition
  const field = isTooDeep(context, names) ? undefined : fieldOf(schema, condition)
  const operator =
    condition.operator === undefined ? defaultOperator : operatorCalled(condition.operator.text, context.collection)
  if (context.uses !== undefined && field !== undefined) {
    const name = path.text === pathFrom(field) ? field.name : context.prefix + path.text
    noteUse(context.uses, name, keyOf(at))
  }

  if (field === undefined) {
    findUnknownPath(context, path, names, { kind: 'field', context, condition })
    if (path.text === '') return
  }
  if (operator === undefined) {
    // The brackets of `filter[name]` do not contain an operator: the unknown field is the only fault.
    const isOther = field === undefined && isReported(context) && adviser?.isOtherKey(schema, keyText(condition))
    if (isOther === true) return
    const span = condition.operator!
    const parameters = { name: shown(context, span, field && path), advice: [] }
    const doubt: Doubt = { kind: 'operator', context, condition, field }
    find(context, 'operator_unknown', span, parameters, doubt, { field, operator: undefined })
  } else if (field !== undefined) {
    findNotApplicable(context, { field, operator }, condition.operator ?? path)
  }
}

/** Whether one more finding is reported: only then is it worth the time to read a key as other languages write keys. */
const isReported = ({ findings, limits }: BindContext): boolean => findings.length < limits.issues

/** Resolves a key whose operator has its name in another language: `total[ge]`. */
export function renamedKey(context: BindContext, condition: Condition): ResolvedKey | undefined {
  const { schema, collection, adviser } = context
  if (adviser === undefined || !isReported(context)) return undefined
  const { path, names, value } = condition
  const field = schema.paths.get(path.text)
  if (field === undefined || condition.operator === undefined) return undefined
  if (operatorCalled(condition.operator.text, collection) !== undefined) return undefined
  const operator = adviser.renamedOperator(schema, field, keyText(condition), value.text)
  if (operator === undefined || !allows(field, operator, collection)) return undefined
  const name = `${field.name}[${operator.name}]`
  return { names, name, field, operator, reader: readerOf(operator.operandKind, field), alias: undefined }
}

export function findNotApplicable(
  context: BindContext,
  { field, operator }: Pick<ResolvedKey, 'field' | 'operator'>,
  span: Span,
): void {
  const parameters = { field: field.name, operator: operator.name, advice: [] }
  const doubt: Doubt = { kind: 'not applicable', context, field }
  find(context, 'operator_not_applicable', span, parameters, doubt, { field, operator })
}

export function findDuplicate(context: BindContext, pair: PairAt, key: ResolvedKey): void {
  const where = context.isInGroup ? 'group' : 'query'
  const parameters = { name: key.name, of: 'condition', where, advice: [] } as const
  find(context, 'duplicate_condition', keyOf(pair), parameters, { kind: 'duplicate', context, key }, key)
}

/** @param facets the number of facets of the query: each of them reads the rows again. */
export function findSearches(
  { limits, findings }: Pick<BindContext, 'limits' | 'findings'>,
  searches: readonly Search[],
  facets: number,
): void {
  const limit = limits.searches
  const found = searches.length * (1 + facets)
  if (found <= limit) return
  const most = Math.floor(limit / (1 + facets))
  const { pair, key } = searches[most]!
  const operators = searches.map((search) => search.key?.operator)
  const room = facets > 0 && searches.length <= limit ? Math.floor(limit / searches.length) - 1 : null
  const doubt: Doubt = { kind: 'searches', excess: searches.length - most, facets: room, operators }
  find({ findings }, 'limit_searches', pair, { found, limit, advice: [] }, doubt, key)
}

/** @param found how many operands there are; `null` where a group lacks the parentheses of a list, or has some around one operand. */
export function findCount(context: BindContext, key: ResolvedKey, value: Span, found: number | null): void {
  const { name, operands } = key.operator
  find(context, 'operand_count', value, { operator: name, expected: operands, found }, undefined, key)
}

/** Takes out the faults of items after a list without parentheses: they look like conditions without an `=`. */
export function leaveOutItems({ findings }: BindContext, { end }: Span): void {
  let last = end
  const find = () =>
    findings.findIndex(({ code, span }) => code === 'syntax_missing_equals' && [1, 3].includes(span.start - last))
  for (let at = find(); at >= 0; at = find()) last = findings.splice(at, 1)[0]!.span.end
}

/** @returns the number of items in the finding. A later item increases it. */
export function findLongList(context: BindContext, key: ResolvedKey, span: Span, found: number): { found: number } {
  const parameters = { of: 'condition', found, limit: context.limits.list } as const
  find(context, 'limit_list', span, parameters, undefined, key)
  return parameters
}

export function findQuoteFault(context: BindContext, key: ResolvedKey, item: Item, problem: QuoteProblem): void {
  find(context, 'operand_quote', item, { problem }, undefined, key)
}

/** @param isWhole whether the value has no other item. */
export function findMissingItem(context: BindContext, key: ResolvedKey, item: Item, isWhole: boolean): void {
  const { field, operator } = key
  const allowsEmptyText =
    field.type === 'string' && (operator.operandKind === 'value' || operator.operandKind === 'text')
  const of = operator.operands === 'one' ? 'value' : 'list'
  // In a form, an empty list means no condition.
  const doubt: Doubt | undefined = allowsEmptyText && (of === 'value' || !isWhole) ? { kind: 'empty text' } : undefined
  find(context, 'operand_empty', item, { of, isWhole, allowsEmptyText, parameter: null }, doubt, key)
}

export function findLongOperand(context: BindContext, key: ResolvedKey, span: Span, found: number): void {
  find(context, 'limit_operand', span, { found, limit: context.limits.operand }, undefined, key)
}

/** The types of operands that are not of the field's. */
const ownTypes: { readonly [R in OperatorRow['operandKind']]?: string } = { flag: 'boolean', count: 'integer' }

const wholeNumber = 'a whole number, such as 12'
/** The words for a valid text, for the author of a query. Default: those of the reader. A front-end does not load them. */
const expectedTexts: { readonly [T in FieldType]?: string } = {
  integer: wholeNumber,
  bigint: wholeNumber,
  number: 'a number, such as 12.5',
  decimal: 'a decimal number, such as 12.5',
  date: 'a date, such as 2024-06-01 or today-7d',
  datetime: 'a date or a datetime, such as 2024-06-01, 2024-06-01T10:00:00Z or now-90m',
}

export function findInvalidOperand(context: BindContext, key: ResolvedKey, part: Part): void {
  const { name, field, operator, reader } = key
  const values = operator.operandKind === 'value' ? valuesOf(field) : undefined
  const ownType = own(ownTypes, operator.operandKind)
  const type = ownType ?? field.type
  const description = (ownType === undefined ? own(expectedTexts, field.type) : undefined) ?? reader.expected
  const parameters: Facts<'operand_invalid'>['parameters'] = {
    subject: ownType === undefined ? field.name : name,
    expected: values === undefined ? { kind: 'type', type, description } : { kind: 'values', values: namesOf(values) },
    advice: [],
  }
  find(context, 'operand_invalid', part, parameters, { kind: 'operand', context, key, text: part.text }, key)
}
