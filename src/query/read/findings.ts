/** What is wrong with the names, groups and operands of a query, as findings: their codes, spans and words. */
import { quoteName, type Finding, type IssueCode, type Span, type Wording } from '../../issue/index.ts'
import {
  defaultOperator,
  operatorNamed,
  valuesOf,
  type Collection,
  type ResolvedField,
  type Schema,
} from '../../language/index.ts'
import { own } from '../../own.ts'
import type { Budget } from '../../suggest.ts'
import {
  decode,
  decodeClear,
  keyOf,
  mayHoldSecret,
  startOfPair,
  type Item,
  type Limits,
  type Malformed,
  type Pair,
  type Source,
  type SyntaxFinding,
} from '../../syntax/index.ts'
import type { RawPair } from '../../text/pairs.ts'
import { entrySchema, isEntry } from '../entries.ts'
import type { GroupWords } from '../group-words.ts'
import {
  duplicateHint,
  enumerate,
  fieldHint,
  groupHint,
  malformedHint,
  notApplicableHint,
  operandHint,
  operatorHint,
  searchHint,
} from './hints.ts'
import type { ResolvedKey } from './keys.ts'

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
  /** For the suggestions of all hints together. */
  readonly budget: Budget
  /** Every function below adds what it finds. */
  readonly findings: Finding[]
  /** The searches, in the order of the text. */
  readonly searches: Search[]
}

/** A condition for which the database compares the text of every row. */
export interface Search {
  readonly pair: Span
  readonly key: ResolvedKey
}

/** What is malformed, with what its key means in another API. */
export function withHint(context: BindContext, finding: SyntaxFinding): Finding {
  const pair = own(finding, 'pair')
  if (pair === undefined) return finding
  const tell = () => {
    const wording = finding.tell()
    return { ...wording, hint: hintOf(context, pair) ?? wording.hint }
  }
  return { ...finding, tell }
}

function hintOf(context: BindContext, { key, value, isInGroup, lists }: Malformed): string | undefined {
  let { schema } = context
  for (const list of lists) {
    const path = decodeClear(context.source, list) ?? ''
    const field = schema.paths.get(path)
    if (field === undefined || !isEntry(field)) return undefined
    schema = entrySchema(schema, path)
  }
  const { source } = context
  return malformedHint({ ...context, schema, isInGroup }, decode(source, key), value && decode(source, value))
}

/** What is wrong with a path before a group. */
export function findPathFaults(
  context: BindContext,
  path: Span,
  names: number,
  field: ResolvedField | undefined,
): void {
  const { source } = context
  if (field === undefined) {
    const hint = () => groupHint(context, decode(source, path))
    return findUnknownPath(context, path, names, hint)
  }
  context.findings.push({
    code: 'operator_not_applicable',
    span: { start: path.start, end: path.end },
    tell: () => ({
      message: `${field.name} is not a list: it takes no group`,
      hint: notApplicableHint(context, field),
      path: field.name,
    }),
  })
}

/**
 * A part of a key for a message, unless it may hold a secret: it, or what comes before it in its pair.
 *
 * @param known the path of a known field before the part, which may be shown.
 */
function quote({ source, reserved }: BindContext, { start, end }: Span, known?: Span): string {
  const first = startOfPair(source, start)
  const pieces = known
    ? [
        { start: first, end: known.start },
        { start: known.end, end },
      ]
    : [{ start: first, end }]
  const isSecret = pieces.some((piece) => mayHoldSecret(source, piece, reserved))
  return isSecret ? '' : ` ${quoteName(decode(source, { start, end }))}`
}

function findUnknownPath(context: BindContext, path: Span, names: number, hint: () => string | undefined): void {
  const { limits, findings } = context
  if (isTooDeep(context, names)) {
    const message = `path too deep: ${names} names, limit ${limits.depth}`
    findings.push({ code: 'limit_depth', span: path, tell: () => ({ message }) })
    return
  }
  // An operator alone is about an entry, where there is one.
  if (path.start === path.end) {
    const hint = 'an operator alone is about the entries of a list: list([operator]=value)'
    findings.push({ code: 'syntax_name', span: path, tell: () => ({ message: 'missing field name', hint }) })
    return
  }
  findings.push({
    code: 'field_unknown',
    span: path,
    tell: () => ({
      message: `unknown field${quote(context, path)}`,
      hint: hint(),
    }),
  })
}

/** What is wrong with a key that asks for nothing. */
export function findNameFaults(context: BindContext, pair: Pair): void {
  const { schema, source, findings } = context
  const field = isTooDeep(context, pair.names) ? undefined : schema.paths.get(decode(source, pair.path))
  const operator = pair.operator === undefined ? defaultOperator : operatorNamed.get(decode(source, pair.operator))

  if (field === undefined) {
    const hint = () =>
      fieldHint(context, decode(source, pair.key), decode(source, pair.path), decode(source, pair.value))
    findUnknownPath(context, pair.path, pair.names, hint)
    if (pair.path.start === pair.path.end) return
  }
  if (operator === undefined) {
    const span = pair.operator!
    findings.push({
      code: 'operator_unknown',
      span,
      tell: () => ({
        message: `unknown operator${quote(context, span, field && pair.path)}`,
        hint: operatorHint(context, field, decode(source, pair.key), decode(source, span), decode(source, pair.value)),
        path: field?.name,
      }),
    })
  } else if (field !== undefined) {
    findings.push({
      code: 'operator_not_applicable',
      span: pair.operator ?? pair.path,
      tell: () => ({
        message: `operator ${operator.name} is not available for ${field.name}`,
        hint: notApplicableHint(context, field),
        path: field.name,
        operator: operator.name,
      }),
    })
  }
}

export function findDuplicate(context: BindContext, pair: RawPair, key: ResolvedKey): void {
  const { isInGroup } = context
  add(context, key, 'duplicate_condition', keyOf(pair), () => ({
    message: `duplicate condition: ${key.name} is already in the ${isInGroup ? 'group' : 'query'}`,
    hint: duplicateHint(context, key.field, key.operator),
  }))
}

export function findSearches(context: BindContext): void {
  const { limits, searches } = context
  const count = searches.length
  if (count <= limits.searches) return
  const { pair, key } = searches[limits.searches]!
  add(context, key, 'limit_searches', { start: pair.start, end: pair.end }, () => ({
    message: `too many searches: ${count}, limit ${limits.searches}`,
    hint: searchHint(count - limits.searches),
  }))
}

/** Adds a finding about a key with its names resolved. */
function add(
  { findings }: BindContext,
  { field, operator }: ResolvedKey,
  code: IssueCode,
  span: Span,
  tell: () => Wording,
): void {
  findings.push({ code, span, tell: () => ({ ...tell(), path: field.name, operator: operator.name }) })
}

/** In a group, parentheses tell a list from a single operand. */
export function findMisplacedList(context: BindContext, value: Span, key: ResolvedKey): void {
  const { name, operands } = key.operator
  const [message, hint] =
    operands === 'one'
      ? [`operator ${name} expects one value, not a list`, 'put a value that begins with a parenthesis in quotes']
      : [`operator ${name} expects a list in parentheses`, `write ${operands === 'two' ? '(low,high)' : '(a,b)'}`]
  add(context, key, 'operand_count', value, () => ({ message, hint }))
}

function expectedOf({ field, operator, reader }: ResolvedKey): string {
  const values = valuesOf(field)
  if (operator.reads === 'value' && values !== undefined) return `one of ${enumerate(values)}`
  const notation = own(reader, 'notation')
  return notation === undefined ? reader.expected : `${reader.expected}, ${notation}`
}

/** @param count how many items the list has. */
export function findLongList(context: BindContext, key: ResolvedKey, span: Span, count: number): void {
  const message = `list too long: ${count} items, limit ${context.limits.list}`
  add(context, key, 'limit_list', span, () => ({ message }))
}

export function findCount(context: BindContext, key: ResolvedKey, value: Span, count: number): void {
  const message = `operator ${key.operator.name} expects two values, low,high: found ${count}`
  add(context, key, 'operand_count', value, () => ({ message }))
}

const quoteFaults: { readonly [F in NonNullable<Item['quoteFault']>]: string } = {
  unterminated: 'unclosed quote',
  escape: 'invalid escape: expected a quote or a backslash after the backslash',
  'text after': 'unexpected text after the closing quote',
}
const quoteHint = 'in a quoted item, write \\" for a quote and \\\\ for a backslash'

export function findQuoteFault(
  context: BindContext,
  key: ResolvedKey,
  item: Item,
  fault: NonNullable<Item['quoteFault']>,
): void {
  add(context, key, 'operand_quote', item, () => ({ message: quoteFaults[fault], hint: quoteHint }))
}

export function findMissingItem(context: BindContext, key: ResolvedKey, item: Item): void {
  const isOne = key.operator.operands === 'one'
  const hint =
    key.field.type === 'string' && key.operator.reads !== 'flag'
      ? 'write an empty string as ""'
      : isOne
        ? 'write a value after the "="'
        : 'write one item on each side of a comma'
  const message = isOne ? 'missing value' : 'missing list item'
  add(context, key, 'operand_empty', item, () => ({ message, hint }))
}

export function findLongOperand(context: BindContext, key: ResolvedKey, span: Span, length: number): void {
  const message = `value too long: ${length} characters, limit ${context.limits.operand}`
  add(context, key, 'limit_operand', span, () => ({ message }))
}

export function findInvalidOperand(context: BindContext, key: ResolvedKey, span: Span, text: string): void {
  const { field, operator } = key
  add(context, key, 'operand_invalid', span, () => {
    const subject = operator.reads === 'flag' ? key.name : field.name
    return {
      message: `invalid value for ${subject}: expected ${expectedOf(key)}`,
      hint: operandHint(context, text, field, operator),
    }
  })
}
