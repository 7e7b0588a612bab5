/** Syntax + schema → bound pairs: names are resolved, and operands are read by their field's type. */
import { newSpan } from '../ast/index.ts'
import { quoteName, type Finding, type IssueCode, type Span, type Wording } from '../issue/index.ts'
import { defaultOperator, operatorNamed, type Collection, type Operand, type Schema } from '../language/index.ts'
import { newBudget, type Budget } from '../suggest.ts'
import {
  decode,
  decodeItem,
  mayHoldSecret,
  parseList,
  type Item,
  type Limits,
  type Pair,
  type Source,
  type Syntax,
} from '../syntax/index.ts'
import type { BoundPair } from './combine.ts'
import { duplicateHint, enumerate, fieldHint, notApplicableHint, operandHint, operatorHint } from './hints.ts'
import { keysOf, resolveKey, type ResolvedKey } from './keys.ts'

/** What the well-formed pairs of a query say, and what is wrong with them, in the order of the pairs. */
export interface Binding {
  readonly pairs: readonly BoundPair[]
  readonly findings: readonly Finding[]
}

/** What binding a pair needs besides the pair. */
interface Context {
  readonly schema: Schema
  readonly collection: Collection | undefined
  readonly source: Source
  readonly limits: Limits
  readonly reserved: readonly string[]
  /** For the suggestions of all hints together. */
  readonly budget: Budget
  /** Every function below adds what it finds. */
  readonly findings: Finding[]
}

/** Names of so few keys are compared one by one: a Set would take a tenth of a short query's time (docs/internals/performance.md). */
const fewPairs = 16

/**
 * Finds out what each pair means. Every fault of every pair is a finding.
 *
 * @param reserved names that no message quotes.
 * @param collection what narrows the operators of fields, and has parameters.
 */
export function bind(
  schema: Schema,
  syntax: Syntax,
  limits: Limits,
  reserved: readonly string[],
  collection?: Collection,
): Binding {
  const { source } = syntax
  const context: Context = { schema, collection, source, limits, reserved, budget: newBudget(), findings: [] }
  const keys = keysOf(schema)
  const pairs: BoundPair[] = []
  const few: string[] = []
  const many = syntax.pairs.length > fewPairs ? new Set<string>() : undefined

  for (const pair of syntax.pairs) {
    const key = pair.names > limits.depth ? undefined : resolveKey(keys, source, pair)
    if (key === undefined || isNarrowedAway(collection, key)) {
      findNameFaults(context, pair)
      continue
    }
    if (many === undefined ? few.includes(key.name) : many.has(key.name)) findDuplicate(context, pair, key)
    if (many === undefined) few.push(key.name)
    else many.add(key.name)

    const { field, operator } = key
    const operands = readOperands(context, pair, key)
    if (operands !== undefined) pairs.push({ field, operator, operands, span: newSpan(pair.start, pair.end) })
  }
  return { pairs, findings: context.findings }
}

// --- Names

const isNarrowedAway = (collection: Collection | undefined, { field, operator }: ResolvedKey): boolean =>
  collection?.operators.get(field.name)?.includes(operator.name) === false

/** What is wrong with a key that asks for nothing. */
function findNameFaults(context: Context, pair: Pair): void {
  const { schema, collection, source, limits, reserved, budget, findings } = context
  const tooDeep = pair.names > limits.depth
  const field = tooDeep ? undefined : schema.paths.get(decode(source, pair.path))
  const operator = pair.operator === undefined ? defaultOperator : operatorNamed.get(decode(source, pair.operator))
  const quote = (part: Span): string => {
    // The path of a known field is no secret, but what is in its brackets may be.
    const whole = field === undefined ? pair.key : part
    const secret = mayHoldSecret(source, whole, reserved) || mayHoldSecret(source, part, reserved)
    return secret ? '' : ` ${quoteName(decode(source, part))}`
  }

  if (tooDeep) {
    const message = `path too deep: ${pair.names} names, limit ${limits.depth}`
    findings.push({ code: 'limit_depth', span: pair.path, tell: () => ({ message }) })
  } else if (field === undefined) {
    findings.push({
      code: 'field_unknown',
      span: pair.path,
      tell: () => ({
        message: `unknown field${quote(pair.path)}`,
        hint: fieldHint(schema, decode(source, pair.path), budget, collection),
      }),
    })
  }
  if (operator === undefined) {
    const span = pair.operator!
    findings.push({
      code: 'operator_unknown',
      span,
      tell: () => ({
        message: `unknown operator${quote(span)}`,
        hint: operatorHint(schema, field, decode(source, span), budget, collection),
        path: field?.name,
      }),
    })
  } else if (field !== undefined) {
    findings.push({
      code: 'operator_not_applicable',
      span: pair.operator ?? pair.path,
      tell: () => ({
        message: `operator ${operator.name} is not available for ${field.name}`,
        hint: notApplicableHint(schema, field, budget, collection),
        path: field.name,
        operator: operator.name,
      }),
    })
  }
}

function findDuplicate(context: Context, pair: Pair, key: ResolvedKey): void {
  add(context, key, 'duplicate_condition', pair.key, () => ({
    message: `duplicate condition: ${key.name} is already in the query`,
    hint: duplicateHint(key.field, key.operator),
  }))
}

/** Adds a finding about a key with its names resolved. */
function add(
  { findings }: Context,
  { field, operator }: ResolvedKey,
  code: IssueCode,
  span: Span,
  tell: () => Wording,
): void {
  findings.push({ code, span, tell: () => ({ ...tell(), path: field.name, operator: operator.name }) })
}

// --- Operands

/** The operands of a pair; `undefined` when one of them is invalid, or when there are too few or too many. */
function readOperands(context: Context, pair: Pair, key: ResolvedKey): readonly Operand[] | undefined {
  if (key.operator.operands !== 'one') return readList(context, pair, key)
  const operand = readOperand(context, decode(context.source, pair.value), pair.value, key)
  return operand && [operand]
}

function readList(context: Context, { value }: Pair, key: ResolvedKey): readonly Operand[] | undefined {
  const { source, limits, findings } = context
  const { operator } = key
  const before = findings.length
  const items = parseList(source, value)
  const operands: Operand[] = []
  for (let at = 0; at < items.length && at < limits.list; at++) {
    const operand = readItem(context, items[at]!, key)
    if (operand !== undefined) operands.push(operand)
  }

  const count = items.length
  if (count > limits.list) {
    const message = `list too long: ${count} items, limit ${limits.list}`
    add(context, key, 'limit_list', { start: items[limits.list]!.start, end: value.end }, () => ({ message }))
  }
  // An open quote may have swallowed the comma.
  const isOpen = items[0]!.quoteFault === 'unterminated'
  if (operator.operands === 'two' && count !== 2 && !isOpen) {
    const message = `operator ${operator.name} expects two values, low,high: found ${count}`
    add(context, key, 'operand_count', value, () => ({ message }))
  }
  return findings.length > before ? undefined : operands
}

function readItem(context: Context, item: Item, key: ResolvedKey): Operand | undefined {
  const { quoteFault } = item
  if (quoteFault !== undefined) {
    add(context, key, 'operand_quote', item, () => ({ message: quoteFaults[quoteFault], hint: quoteHint }))
    return undefined
  }
  if (item.start === item.end) {
    const hint = key.field.type === 'string' ? 'write an empty string as ""' : 'write one item on each side of a comma'
    add(context, key, 'operand_empty', item, () => ({ message: 'missing list item', hint }))
    return undefined
  }
  return readOperand(context, decodeItem(context.source, item), item, key)
}

const quoteFaults: { readonly [F in NonNullable<Item['quoteFault']>]: string } = {
  unterminated: 'unclosed quote',
  escape: 'invalid escape: expected a quote or a backslash after the backslash',
  'text after': 'unexpected text after the closing quote',
}
const quoteHint = 'in a quoted item, write \\" for a quote and \\\\ for a backslash'

/** The operand that a decoded text means; `undefined`, and a finding, when it is invalid. */
function readOperand(context: Context, text: string, span: Span, key: ResolvedKey): Operand | undefined {
  const { field, operator, reader } = key
  const { operand: limit } = context.limits
  if (text.length > limit) {
    const message = `value too long: ${text.length} characters, limit ${limit}`
    add(context, key, 'limit_operand', span, () => ({ message }))
    return undefined
  }
  const operand = reader.fromText(text, field)
  if (operand === undefined) {
    add(context, key, 'operand_invalid', span, () => {
      const subject = operator.reads === 'flag' ? key.name : field.name
      return {
        message: `invalid value for ${subject}: expected ${expectedOf(key)}`,
        hint: operandHint(text, field, operator, context.budget),
      }
    })
  }
  return operand
}

function expectedOf({ field, operator, reader: { expected, notation } }: ResolvedKey): string {
  if (operator.reads === 'value' && field.values !== undefined) return `one of ${enumerate(field.values)}`
  return notation === undefined ? expected : `${expected}, ${notation}`
}
