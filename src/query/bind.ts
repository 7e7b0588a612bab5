/** Syntax + schema → conditions: names are resolved, operands read by their field's type. */
import { newSpan } from '../ast/index.ts'
import type { Condition } from './combine.ts'
import { quoteName, type Finding, type IssueCode, type Span, type Words } from '../issue/index.ts'
import type { Item, Limits, Pair, Syntax } from '../syntax/index.ts'
import {
  defaultOperator,
  operatorNamed,
  readerOf,
  type Operand,
  type OperatorRow,
  type Reader,
  type ResolvedField,
  type Schema,
} from '../language/index.ts'
import { duplicateHint, fieldHint, notApplicableHint, operandHint, operatorHint } from './hints.ts'
import { newBudget, type Budget } from '../suggest.ts'

/** What the well-formed pairs of a query say, and what is wrong with them, in the order of the pairs. */
export interface Binding {
  readonly conditions: readonly Condition[]
  readonly findings: readonly Finding[]
}

/** What a key asks for. */
interface Question {
  readonly field: ResolvedField
  readonly operator: OperatorRow
  readonly reader: Reader
  /** The call of {@link bind} that saw it last: a repetition is found without a set. */
  seenBy: number
}
let calls = 0

/** A key as it may stand in a text. */
interface Spelling {
  readonly text: string
  readonly question: Question
}

/** What was asked of a schema before. */
interface Asked {
  /** By decoded key. */
  readonly questions: Map<string, Question>
  /**
   * Keys that stood in a text as they are, or as URLSearchParams writes them: by a number that few share, of the lengths
   * of their names and some characters. (A Map of texts would compute a hash of each slice, which takes as long as all
   * the rest of reading a key.)
   */
  readonly bySign: Map<number, Spelling[]>
}
const askedOfSchemas = new WeakMap<Schema, Asked>()

function askedOf(schema: Schema): Asked {
  const known = askedOfSchemas.get(schema)
  if (known !== undefined) return known
  const asked: Asked = { questions: new Map(), bySign: new Map() }
  askedOfSchemas.set(schema, asked)
  return asked
}

/** The ends of names differ most; of operators, lengths and first letters tell all but a few apart. */
function signOf(text: string, { start, end }: Span, operator: Span | undefined): number {
  const path =
    ((end - start) << 20) ^
    (text.charCodeAt(start) << 13) ^
    (text.charCodeAt(Math.max(start, end - 3)) << 10) ^
    (text.charCodeAt(Math.max(start, end - 2)) << 5) ^
    text.charCodeAt(end - 1)
  return operator === undefined
    ? path
    : path ^ ((operator.end - operator.start) << 26) ^ (text.charCodeAt(operator.start) << 17)
}

/** What a pair asks for; `undefined` when that is nothing. */
function questionOf(schema: Schema, { questions, bySign }: Asked, syntax: Syntax, pair: Pair): Question | undefined {
  const { key, path, operator } = pair
  const sign = signOf(syntax.text, path, operator)
  const spellings = bySign.get(sign)
  const text = syntax.text.slice(key.start, key.end)
  if (spellings !== undefined) {
    for (let at = 0; at < spellings.length; at++) if (spellings[at]!.text === text) return spellings[at]!.question
  }

  const question = questions.get(syntax.readKey(pair)) ?? newQuestion(schema, questions, syntax, pair)
  // Many of one sign would be looked through longer than this takes.
  if (question === undefined || (spellings !== undefined && spellings.length >= 4)) return question
  // Names of the schema, for a slice would keep all of the query in memory; and no other spelling, of which there is no end.
  const name = operator === undefined ? question.field.name : keyOf(question)
  const own = /[%+]/.test(text) ? encodeURIComponent(name) : name
  if (own === text) bySign.set(sign, [...(spellings ?? []), { text: own, question }])
  return question
}

const keyOf = ({ field, operator }: Question): string => `${field.name}[${operator.name}]`

/** One for a field and an operator, however the operator is left out. */
function newQuestion(
  schema: Schema,
  questions: Asked['questions'],
  { read }: Syntax,
  { path, operator: inside }: Pair,
): Question | undefined {
  const field = schema.paths.get(read(path))
  const operator = inside === undefined ? defaultOperator : operatorNamed.get(read(inside))
  if (field === undefined || !operator?.types.includes(field.type)) return undefined
  const made = { field, operator, reader: readerOf(operator.reads, field), seenBy: 0 }
  const question = questions.get(keyOf(made)) ?? made
  questions.set(keyOf(made), question)
  if (inside === undefined) questions.set(field.name, question)
  return question
}

/** Finds out what each pair means. Every fault of every pair is a finding. */
export function bind(schema: Schema, syntax: Syntax, limits: Limits): Binding {
  const asked = askedOf(schema)
  const conditions: Condition[] = []
  const findings: Finding[] = []
  const budget = newBudget()
  const call = ++calls

  for (const pair of syntax.pairs) {
    const question = pair.names > limits.depth ? undefined : questionOf(schema, asked, syntax, pair)
    if (question === undefined) {
      nameFindings(schema, syntax, pair, limits, budget, findings)
      continue
    }
    const { field, operator } = question
    if (question.seenBy === call) findings.push(duplicateFinding(pair, field, operator))
    question.seenBy = call

    const operands = operandsOf(syntax, pair, { question, limits, budget, findings })
    if (operands === undefined) continue
    conditions.push({ field, operator, operands, span: newSpan(pair.start, pair.end) })
  }
  return { conditions, findings }
}

// --- Names

function nameFindings(
  schema: Schema,
  { read, isSecret }: Syntax,
  pair: Pair,
  limits: Limits,
  budget: Budget,
  findings: Finding[],
): void {
  const field = pair.names > limits.depth ? undefined : schema.paths.get(read(pair.path))
  const operator = pair.operator === undefined ? defaultOperator : operatorNamed.get(read(pair.operator))
  // The key of a known field holds nothing secret, except perhaps in the place of an operator.
  const quoted = (part: Span) =>
    (field === undefined && isSecret(pair.key)) || isSecret(part) ? '' : ` ${quoteName(read(part))}`

  if (pair.names > limits.depth) {
    const message = `too many names in a path: ${pair.names}, the limit is ${limits.depth}`
    findings.push({ code: 'limit_depth', span: pair.path, tell: () => ({ message }) })
  } else if (field === undefined) {
    findings.push({
      code: 'field_unknown',
      span: pair.path,
      tell: () => ({
        message: `unknown field${quoted(pair.path)}`,
        hint: fieldHint(schema, read(pair.path), budget),
      }),
    })
  }
  if (operator === undefined) {
    const span = pair.operator!
    findings.push({
      code: 'operator_unknown',
      span,
      tell: () => ({
        message: `unknown operator${quoted(span)}`,
        hint: operatorHint(schema, field, read(span), budget),
        path: field?.name,
      }),
    })
  } else if (field !== undefined) {
    findings.push({
      code: 'operator_not_applicable',
      span: pair.operator ?? pair.path,
      tell: () => ({
        message: `${field.name} does not take ${operator.name}`,
        hint: notApplicableHint(schema, field, budget),
        path: field.name,
        operator: operator.name,
      }),
    })
  }
}

function duplicateFinding(pair: Pair, field: ResolvedField, operator: OperatorRow): Finding {
  const hint = duplicateHint(field, operator)
  const message = `${field.name}[${operator.name}] occurs a second time`
  return {
    code: 'duplicate_condition',
    span: pair.key,
    tell: () => ({ message, hint, path: field.name, operator: operator.name }),
  }
}

// --- Operands

/** What is needed to say what is wrong with an operand. */
interface Asking {
  readonly question: Question
  readonly limits: Limits
  readonly budget: Budget
  readonly findings: Finding[]
}

/** The operands of a pair; `undefined` when one of them, or their number, is wrong. */
function operandsOf(syntax: Syntax, pair: Pair, asking: Asking): readonly Operand[] | undefined {
  const { question, limits, findings } = asking
  const { operator } = question
  if (operator.operands === 'one') {
    const operand = operandOf(syntax.read(pair.value), pair.value, asking)
    return operand && [operand]
  }

  const before = findings.length
  const items = syntax.items(pair.value)
  const operands: Operand[] = []
  for (let at = 0; at < items.length && at < limits.list; at++) {
    const item = items[at]!
    const { quoteFault } = item
    if (quoteFault !== undefined) {
      find(asking, 'operand_quote', item, () => ({ message: quoteFaults[quoteFault], hint: quoteHint }))
    } else if (item.start === item.end) {
      find(asking, 'operand_empty', item, () => ({
        message: 'an item is missing here',
        hint:
          question.field.type === 'string'
            ? 'the empty text is written ""'
            : 'a list has at least one item, and one on each side of a comma',
      }))
    } else {
      const operand = operandOf(syntax.readItem(item), item, asking)
      if (operand !== undefined) operands.push(operand)
    }
  }
  const count = items.length
  if (count > limits.list) {
    const message = `too many items: ${count}, the limit is ${limits.list}`
    find(asking, 'limit_list', { start: items[limits.list]!.start, end: pair.value.end }, () => ({ message }))
  }
  // One open quote may have swallowed the comma.
  const open = items[0]!.quoteFault === 'unterminated'
  if (operator.operands === 'two' && count !== 2 && !open) {
    const message = `${operator.name} takes two operands, low,high; here ${count === 1 ? 'is 1' : `are ${count}`}`
    find(asking, 'operand_count', pair.value, () => ({ message }))
  }
  return findings.length > before ? undefined : operands
}

function find(
  { question: { field, operator }, findings }: Asking,
  code: IssueCode,
  span: Span,
  tell: () => Words,
): void {
  findings.push({ code, span, tell: () => ({ ...tell(), path: field.name, operator: operator.name }) })
}

/** The operand that a text is; `undefined`, and a finding, when it is none. */
function operandOf(text: string, part: Span, asking: Asking): Operand | undefined {
  const {
    question: { field, operator, reader },
    limits,
  } = asking
  const { length } = text
  const tooLong = length > limits.operand
  const operand = tooLong ? undefined : reader.fromText(text, field)
  if (operand !== undefined) return operand

  if (tooLong) {
    const message = `too long an operand: ${length} characters, the limit is ${limits.operand}`
    find(asking, 'limit_operand', part, () => ({ message }))
  } else {
    find(asking, 'operand_invalid', part, () => {
      const subject = operator.reads === 'flag' ? `${field.name}[${operator.name}]` : field.name
      const expected = reader.notation === undefined ? reader.expected : `${reader.expected}, ${reader.notation}`
      return {
        message: `not what ${subject} takes: ${expected}`,
        hint: operandHint(text, field, operator, asking.budget),
      }
    })
  }
  return undefined
}

const quoteFaults: { readonly [F in NonNullable<Item['quoteFault']>]: string } = {
  unterminated: 'a quoted item without its closing quote',
  escape: 'a backslash before something else than a quote or a backslash',
  'text after': 'text after the closing quote',
}
const quoteHint = 'in a quoted item, write \\" for a quote and \\\\ for a backslash'
