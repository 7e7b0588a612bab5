/** What is wrong with the names, groups and operands of a query, as findings: their codes, their spans and what they are made of. */
import { namesOf, shownName, type Advice, type Facts, type Finding, type IssueCode, type Span } from '../issue/index.ts'
import {
  defaultOperator,
  operatorsFor,
  readerOf,
  valuesOf,
  type Collection,
  type Operand,
  type OperatorRow,
  type ResolvedField,
  type Schema,
  type Limits,
  noteUse,
  type Uses,
  entrySchema,
  isEntry,
  pathFrom,
  quantified,
  type GroupWords,
} from '../language/index.ts'
import {
  decode,
  decodeClear,
  keyOf,
  keyText,
  mayHoldSecret,
  startOfPair,
  type Condition,
  type Item,
  type PairAt,
  type Part,
  type Source,
} from '../asked/index.ts'
import type { Malformed, SyntaxFinding } from '../reading/index.ts'
import {
  duplicateAdvice,
  fieldAdvice,
  groupAdvice,
  malformedAdvice,
  notApplicableAdvice,
  operandAdvice,
  isOtherKey,
  operatorAdvice,
  renamedOperator,
  searchesAdvice,
  hasWildcard,
  suggestionFor,
} from '../hints/index.ts'
import { operatorCalled, type ResolvedKey } from './keys.ts'
import type { TextClock } from './clock.ts'
import { own } from '../own.ts'
import type { Budget } from '../suggest.ts'

/** Whether a path has more names than the limit. */
export const isTooDeep = ({ limits }: BindContext, names: number): boolean => names > limits.depth

/** What binding a pair needs besides the pair. */
export interface BindContext {
  /** In a group after the path of a list, the fields of its entries. */
  readonly schema: Schema
  readonly isInGroup: boolean
  readonly isInEntry: boolean
  readonly collection: Collection | undefined
  readonly source: Source
  readonly limits: Limits
  readonly reserved: readonly string[]
  readonly words: GroupWords
  /** For operands that depend on a zone or on the time. */
  readonly clock: TextClock
  /** For the suggestions of all hints together. */
  readonly budget: Budget
  /** Every function below adds what it finds. */
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
  /** How many values there are. */
  count: number
  isList: boolean
  /** Whether the limit of lists has a finding. */
  isLong: boolean
}

/** A condition for which the database reads a text, or a list, of every row. */
export interface Search {
  readonly pair: Span
  /** `undefined`: a group of conditions on one entry of a list. */
  readonly key: ResolvedKey | undefined
}

/** What is malformed, with what its key means in another API. */
export function withAdvice(context: BindContext, finding: SyntaxFinding): Finding {
  const pair = own(finding, 'pair')
  if (pair === undefined) return finding
  const facts = () => {
    const { parameters } = finding.facts() as Facts<'syntax_bracket'>
    const advice = adviceOf(context, pair)
    return { parameters: { ...parameters, advice }, suggestion: suggestionFor(context.source, finding.span, advice) }
  }
  return { ...finding, facts } as Finding
}

function adviceOf(context: BindContext, { key, value, isInGroup, lists }: Malformed): readonly Advice[] {
  let { schema } = context
  for (const list of lists) {
    const path = quantified(schema, decodeClear(context.source, list) ?? '').list
    const field = schema.paths.get(path)
    if (field === undefined || !isEntry(field)) return []
    schema = entrySchema(schema, path)
  }
  const { source } = context
  const place = { start: key.start, end: (value ?? key).end, value }
  const text = value && decode(source, value)
  return malformedAdvice({ ...context, schema, isInGroup }, decode(source, key), text, place)
}

/** What is wrong with a path before a group. */
export function findPathFaults(
  context: BindContext,
  path: Part,
  names: number,
  field: ResolvedField | undefined,
): void {
  const { findings } = context
  if (field === undefined) {
    findUnknownPath(context, path, names, () => groupAdvice(context, path.text))
    return
  }
  const facts = () => ({
    parameters: { field: field.name, operator: null, advice: notApplicableAdvice(context, field) },
    path: field.name,
  })
  findings.push({ code: 'operator_not_applicable', span: { start: path.start, end: path.end }, facts })
}

/**
 * A part of a key as issues have it; `null` where it, or what comes before it in its pair, may be a secret.
 *
 * @param known the path of a known field before the part, which may be shown.
 */
function shown({ source, reserved }: BindContext, { start, end, text }: Part, known?: Span): string | null {
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

function findUnknownPath(context: BindContext, path: Part, names: number, advise: () => readonly Advice[]): void {
  const { limits, findings, isInGroup } = context
  if (isTooDeep(context, names)) {
    const parameters = { of: 'path', found: names, limit: limits.depth } as const
    findings.push({ code: 'limit_depth', span: path, facts: () => ({ parameters }) })
  } else if (path.start === path.end) {
    // An operator alone is about an entry, where there is one.
    const parameters = { problem: 'operator_alone', isInGroup, advice: [] } as const
    findings.push({ code: 'syntax_name', span: path, facts: () => ({ parameters }) })
  } else {
    const facts = () => {
      const advice = advise()
      const parameters = { problem: 'name', name: shown(context, path), advice } as const
      return { parameters, suggestion: suggestionFor(context.source, path, advice) }
    }
    findings.push({ code: 'field_unknown', span: path, facts })
  }
}

/** What is wrong with a key that names no condition. */
export function findNameFaults(context: BindContext, condition: Condition): void {
  const { schema, source, findings } = context
  const { at, path, names, value } = condition
  const field = isTooDeep(context, names) ? undefined : schema.paths.get(path.text)
  const operator =
    condition.operator === undefined ? defaultOperator : operatorCalled(condition.operator.text, context.collection)
  if (context.uses !== undefined && field !== undefined) {
    const name = path.text === pathFrom(field) ? field.name : context.prefix + path.text
    noteUse(context.uses, name, keyOf(at))
  }
  const place = { start: at.start, end: at.end, value }

  if (field === undefined) {
    findUnknownPath(context, path, names, () => fieldAdvice(context, keyText(condition), path.text, value.text, place))
    if (path.text === '') return
  }
  if (operator === undefined) {
    // The brackets of `filter[name]` are no operator: the unknown field is the only fault.
    if (field === undefined && isReported(context) && isOtherKey(schema, keyText(condition))) return
    const span = condition.operator!
    const facts = () => {
      const advice = operatorAdvice(context, field, keyText(condition), span.text, value.text, place)
      const parameters = { name: shown(context, span, field && path), advice }
      const isKept = !hasWildcard(source.text.slice(value.start, value.end))
      return { parameters, path: field?.name, suggestion: isKept ? suggestionFor(source, span, advice) : undefined }
    }
    findings.push({ code: 'operator_unknown', span, facts })
  } else if (field !== undefined) {
    findNotApplicable(context, { field, operator }, condition.operator ?? path)
  }
}

/** Whether one more finding is reported: only then is it worth the time to read a key as other languages write keys. */
const isReported = ({ findings, limits }: BindContext): boolean => findings.length < limits.issues

/** The key that is meant by an operator's name in another language: `total[ge]`. */
export function renamedKey(context: BindContext, condition: Condition): ResolvedKey | undefined {
  const { schema, collection } = context
  if (!isReported(context)) return undefined
  const { path, names, value } = condition
  const field = schema.paths.get(path.text)
  if (field === undefined || condition.operator === undefined) return undefined
  if (operatorCalled(condition.operator.text, collection) !== undefined) return undefined
  const operator = renamedOperator(schema, field, keyText(condition), value.text)
  if (operator === undefined || !operatorsFor(field, collection).includes(operator)) return undefined
  const name = `${field.name}[${operator.name}]`
  return { names, name, field, operator, reader: readerOf(operator.reads, field), alias: undefined }
}

export function findNotApplicable(
  context: BindContext,
  { field, operator: { name } }: Pick<ResolvedKey, 'field' | 'operator'>,
  span: Span,
): void {
  const facts = () => ({
    parameters: { field: field.name, operator: name, advice: notApplicableAdvice(context, field) },
    path: field.name,
    operator: name,
  })
  context.findings.push({ code: 'operator_not_applicable', span, facts })
}

export function findDuplicate(context: BindContext, pair: PairAt, key: ResolvedKey): void {
  const where = context.isInGroup ? 'group' : 'query'
  add(context, key, 'duplicate_condition', keyOf(pair), () => ({
    parameters: { name: key.name, of: 'condition', where, advice: duplicateAdvice(context, key.field, key.operator) },
  }))
}

/** @param facets how many facets the query asks for: each of them reads the rows again. */
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
  const facts = () => {
    const operators = searches.map((search) => search.key?.operator)
    const room = facets > 0 && searches.length <= limit ? Math.floor(limit / searches.length) - 1 : null
    const advice = [searchesAdvice(searches.length - most, room, operators)]
    return { parameters: { found, limit, advice }, path: key?.field.name, operator: key?.operator.name }
  }
  findings.push({ code: 'limit_searches', span: { start: pair.start, end: pair.end }, facts })
}

/** Adds a finding about a key with its names resolved. */
function add<C extends IssueCode>(
  { findings }: BindContext,
  { field, operator }: ResolvedKey,
  code: C,
  span: Span,
  facts: () => Facts<C>,
): void {
  const all = () => ({ ...facts(), path: field.name, operator: operator.name })
  findings.push({ code, span, facts: all } as unknown as Finding)
}

/** @param found how many operands there are; `null` where a group lacks the parentheses of a list, or has some around one operand. */
export function findCount(context: BindContext, key: ResolvedKey, value: Span, found: number | null): void {
  const { name, operands } = key.operator
  add(context, key, 'operand_count', value, () => ({ parameters: { operator: name, expected: operands, found } }))
}

/** Takes out the faults of items after a list without parentheses: they look like conditions without an `=`. */
export function leaveOutItems({ findings }: BindContext, { end }: Span): void {
  let last = end
  const find = () =>
    findings.findIndex(({ code, span }) => code === 'syntax_missing_equals' && [1, 3].includes(span.start - last))
  for (let at = find(); at >= 0; at = find()) last = findings.splice(at, 1)[0]!.span.end
}

/** @param found how many items the list has. */
export function findLongList(context: BindContext, key: ResolvedKey, span: Span, found: () => number): void {
  add(context, key, 'limit_list', span, () => ({
    parameters: { of: 'condition', found: found(), limit: context.limits.list },
  }))
}

export const quoteProblems = { unterminated: 'unterminated', escape: 'escape', 'text after': 'text_after' } as const

export function findQuoteFault(
  context: BindContext,
  key: ResolvedKey,
  item: Item,
  fault: NonNullable<Item['quoteFault']>,
): void {
  add(context, key, 'operand_quote', item, () => ({ parameters: { problem: quoteProblems[fault] } }))
}

/** @param isWhole whether the value has no other item. */
export function findMissingItem(context: BindContext, key: ResolvedKey, item: Item, isWhole: boolean): void {
  const { field, operator } = key
  const allowsEmptyText = field.type === 'string' && (operator.reads === 'value' || operator.reads === 'text')
  const of = operator.operands === 'one' ? 'value' : 'list'
  add(context, key, 'operand_empty', item, () => ({
    parameters: { of, isWhole, allowsEmptyText, parameter: null },
    // In a form, an empty list means no condition.
    suggestion:
      allowsEmptyText && (of === 'value' || !isWhole)
        ? { span: { start: item.start, end: item.end }, insert: '""' }
        : undefined,
  }))
}

export function findLongOperand(context: BindContext, key: ResolvedKey, span: Span, found: number): void {
  add(context, key, 'limit_operand', span, () => ({ parameters: { found, limit: context.limits.operand } }))
}

/** The types of operands that are not of the field's. */
const ownTypes: { readonly [R in OperatorRow['reads']]?: string } = { flag: 'boolean', count: 'integer' }

export function findInvalidOperand(context: BindContext, key: ResolvedKey, part: Part): void {
  const { name, field, operator, reader } = key
  add(context, key, 'operand_invalid', part, () => {
    const values = operator.reads === 'value' ? valuesOf(field) : undefined
    const description = own(reader, 'inText') ?? reader.expected
    const ownType = own(ownTypes, operator.reads)
    const type = ownType ?? field.type
    const advice = operandAdvice(context, part.text, field, operator, part)
    return {
      parameters: {
        subject: ownType === undefined ? field.name : name,
        expected:
          values === undefined ? { kind: 'type', type, description } : { kind: 'values', values: namesOf(values) },
        advice,
      },
      suggestion: suggestionFor(context.source, part, advice),
    }
  })
}
