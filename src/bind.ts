/** Syntax + schema → conditions: names are resolved, operands read by their field's type. */
import { make } from './ast.ts'
import type { Condition } from './combine.ts'
import { printable, quoteName, type Issue, type IssueCode, type Span } from './issue.ts'
import type { Limits } from './limits.ts'
import { readerOf, type Reader } from './operands.ts'
import { operatorNamed, operators, type Operand, type Operator, type OperatorName } from './operators.ts'
import type { ResolvedField, Schema } from './schema.ts'
import { nearest } from './suggest.ts'
import type { Item, Pair, Syntax } from './syntax/syntax.ts'

/** What the well-formed pairs of a query say, and what is wrong with them, in the order of the pairs. */
export interface Binding {
  readonly conditions: readonly Condition[]
  readonly issues: readonly Issue[]
}

/** What a key asks for. */
interface Question {
  readonly field: ResolvedField
  readonly operator: Operator
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
  const operator = inside === undefined ? operators.equals : operatorNamed.get(read(inside))
  if (field === undefined || !operator?.types.includes(field.type)) return undefined
  const made = { field, operator, reader: readerOf(operator.reads, field), seenBy: 0 }
  const question = questions.get(keyOf(made)) ?? made
  questions.set(keyOf(made), question)
  if (inside === undefined) questions.set(field.name, question)
  return question
}

/** Finds out what each pair means. Every fault of every pair becomes an issue. */
export function bind(schema: Schema, syntax: Syntax, limits: Limits): Binding {
  const asked = askedOf(schema)
  const conditions: Condition[] = []
  const issues: Issue[] = []
  const call = ++calls

  for (const pair of syntax.pairs) {
    const question = pair.names > limits.depth ? undefined : questionOf(schema, asked, syntax, pair)
    if (question === undefined) {
      issues.push(...nameIssues(schema, syntax, pair, limits))
      continue
    }
    const { field, operator } = question
    if (question.seenBy === call) issues.push(duplicateIssue(pair, field, operator))
    question.seenBy = call

    const operands = operandsOf(syntax, pair, question, limits, issues)
    if (operands === undefined) continue
    conditions.push({ field, operator, operands, span: make.span(pair.start, pair.end) })
  }
  return { conditions, issues }
}

// --- Names

function nameIssues(schema: Schema, { read, isSecret }: Syntax, pair: Pair, limits: Limits): Issue[] {
  const issues: Issue[] = []
  const field = pair.names > limits.depth ? undefined : schema.paths.get(read(pair.path))
  const operator = pair.operator === undefined ? operators.equals : operatorNamed.get(read(pair.operator))
  // The key of a known field holds nothing secret but, perhaps, what stands for an operator.
  const secret = field === undefined && isSecret(pair.key)
  const quoted = (part: Span) => (secret || isSecret(part) ? '' : ` ${quoteName(read(part))}`)

  if (pair.names > limits.depth) {
    const message = `too many names in a path: ${pair.names}, the limit is ${limits.depth}`
    issues.push(issue('limit_depth', pair.path, message))
  } else if (field === undefined) {
    const hint = fieldHint(schema, read(pair.path))
    issues.push(issue('field_unknown', pair.path, `unknown field${quoted(pair.path)}`, { hint }))
  }
  if (operator === undefined) {
    const hint = operatorHint(schema, field, read(pair.operator!))
    const message = `unknown operator${quoted(pair.operator!)}`
    issues.push(issue('operator_unknown', pair.operator!, message, { hint, path: field?.name }))
  } else if (field !== undefined) {
    const message = `${field.name} does not take ${operator.name}`
    const inside = [...schema.paths.keys()].filter((name) => name.startsWith(`${field.name}.`))
    const hint =
      `it takes ${operatorsOf(field).join(', ')}` + (inside.length > 0 ? `; fields in it are ${enumerate(inside)}` : '')
    issues.push(
      issue('operator_not_applicable', pair.operator ?? pair.path, message, {
        hint,
        path: field.name,
        operator: operator.name,
      }),
    )
  }
  return issues
}

/** What `price>=5` and the like mean elsewhere: here a field called `price>`. */
const signs: Readonly<Record<string, OperatorName>> = { '!': 'notEqual', '>': 'gte', '<': 'lte', '~': 'contains' }

function fieldHint(schema: Schema, name: string): string | undefined {
  if (isEncoded(name)) return doublyEncoded
  const sign = signs[name.slice(-1)]
  if (sign !== undefined) {
    const field = schema.paths.get(name.slice(0, -1))
    return field?.name && `operators stand in brackets: ${field.name}[${sign}]=`
  }
  const paths = [...schema.paths.keys()]
  // Of candidates that are equally near, one that is as deep; else a field of that name, wherever it is.
  const depth = depthOf(name)
  const asDeep: string[] = []
  const others: string[] = []
  for (const path of paths) (depthOf(path) === depth ? asDeep : others).push(path)
  const near = nearest(name, [...asDeep, ...others])
  if (near !== undefined) return didYouMean(near)
  const lastName = nearest(lastOf(name), paths.map(lastOf))
  return didYouMean(paths.find((path) => lastOf(path) === lastName))
}

const lastOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1)

function depthOf(path: string): number {
  let depth = 1
  for (let dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) depth++
  return depth
}

function operatorHint(schema: Schema, field: ResolvedField | undefined, name: string): string | undefined {
  if (isEncoded(name)) return doublyEncoded
  const taken = field === undefined ? [...operatorNamed.keys()] : operatorsOf(field)
  // Elsewhere brackets lead into objects.
  const inside = field && schema.paths.get(`${field.name}.${name}`)
  return didYouMean(inside?.name ?? nearest(name, taken)) ?? (field && `${field.name} takes ${taken.join(', ')}`)
}

const isEncoded = (name: string) => /%[\da-f]{2}/i.test(name)
const doublyEncoded = 'the key looks doubly encoded: encode it once'
const didYouMean = (name: string | undefined) => (name === undefined ? undefined : `did you mean ${printable(name)}?`)

function operatorsOf({ type }: ResolvedField): OperatorName[] {
  const names: OperatorName[] = []
  for (const { name, types } of operatorNamed.values()) if (types.includes(type)) names.push(name)
  return names
}

/** What somebody may have meant who repeated an operator. */
const repeated: Partial<Record<OperatorName, readonly [operator: OperatorName, operands: string, what: string]>> = {
  equals: ['in', 'a,b,c', 'one of several values'],
  notEqual: ['nin', 'a,b,c', 'none of several values'],
  gte: ['range', 'low,high', 'values between two bounds'],
  lte: ['range', 'low,high', 'values between two bounds'],
  in: ['in', 'a,b,c', 'one of several values'],
  nin: ['nin', 'a,b,c', 'none of several values'],
}

function duplicateIssue(pair: Pair, field: ResolvedField, operator: Operator): Issue {
  const [meant, operands, what] = repeated[operator.name] ?? []
  const hint =
    meant !== undefined && operators[meant].types.includes(field.type)
      ? `for ${what} write ${field.name}[${meant}]=${operands}`
      : 'an operator stands once for a field'
  const message = `${field.name}[${operator.name}] stands here for a second time`
  return issue('duplicate_condition', pair.key, message, { hint, path: field.name, operator: operator.name })
}

// --- Operands

/** The operands of a pair; `undefined` when one of them, or their number, is wrong. */
function operandsOf(
  syntax: Syntax,
  pair: Pair,
  question: Question,
  limits: Limits,
  issues: Issue[],
): readonly Operand[] | undefined {
  const { field, operator } = question
  if (operator.operands === 'one') {
    const operand = operandOf(syntax.read(pair.value), pair.value, question, limits, issues)
    return operand && [operand]
  }

  const before = issues.length
  const names = { path: field.name, operator: operator.name }
  const items = syntax.items(pair.value)
  const operands: Operand[] = []
  for (let at = 0; at < items.length && at < limits.list; at++) {
    const item = items[at]!
    if (item.quoteFault !== undefined) {
      issues.push(issue('operand_quote', item, quoteFaults[item.quoteFault], { hint: quoteHint, ...names }))
    } else if (item.start === item.end) {
      const hint =
        field.type === 'string'
          ? 'the empty text is written ""'
          : 'a list has at least one item, and one on each side of a comma'
      issues.push(issue('operand_empty', item, 'an item is missing here', { hint, ...names }))
    } else {
      const operand = operandOf(syntax.readItem(item), item, question, limits, issues)
      if (operand !== undefined) operands.push(operand)
    }
  }
  if (items.length > limits.list) {
    const message = `too many items: ${items.length}, the limit is ${limits.list}`
    issues.push(issue('limit_list', { start: items[limits.list]!.start, end: pair.value.end }, message, names))
  }
  // One open quote may have swallowed the comma.
  const open = items[0]!.quoteFault === 'unterminated'
  if (operator.operands === 'two' && items.length !== 2 && !open) {
    const message = `${operator.name} takes two operands, low,high; here ${items.length === 1 ? 'is 1' : `are ${items.length}`}`
    issues.push(issue('operand_count', pair.value, message, names))
  }
  return issues.length > before ? undefined : operands
}

/** The operand that a text is; `undefined`, and an issue, when it is none. */
function operandOf(
  text: string,
  part: Span,
  { field, operator, reader }: Question,
  limits: Limits,
  issues: Issue[],
): Operand | undefined {
  const tooLong = text.length > limits.operand
  const operand = tooLong ? undefined : reader.fromText(text, field)
  if (operand !== undefined) return operand

  const names = { path: field.name, operator: operator.name }
  if (tooLong) {
    const message = `too long an operand: ${text.length} characters, the limit is ${limits.operand}`
    issues.push(issue('limit_operand', part, message, names))
  } else {
    const subject = operator.reads === 'flag' ? `${field.name}[${operator.name}]` : field.name
    const hint = operandHint(text, field, operator)
    const expected = reader.notation === undefined ? reader.expected : `${reader.expected}, ${reader.notation}`
    issues.push(issue('operand_invalid', part, `not what ${subject} takes: ${expected}`, { hint, ...names }))
  }
  return undefined
}

const quoteFaults: { readonly [F in NonNullable<Item['quoteFault']>]: string } = {
  unterminated: 'a quoted item without its closing quote',
  escape: 'a backslash before something else than a quote or a backslash',
  'text after': 'text after the closing quote',
}
const quoteHint = 'in a quoted item, write \\" for a quote and \\\\ for a backslash'

function operandHint(text: string, field: ResolvedField, operator: Operator): string | undefined {
  if (operator.reads === 'value' && field.values !== undefined) {
    const near = didYouMean(nearest(text, field.values))
    return `${near === undefined ? '' : `${near} `}The values are ${enumerate(field.values)}`
  }
  const plus = readerOf(operator.reads, field).fromText(text.replaceAll(' ', '+'), field) !== undefined
  return plus ? 'a "+" in a query is a space: write %2B' : undefined
}

/** A list for a hint, cut at twenty; what would not be seen as one entry is quoted. */
function enumerate(names: readonly string[]): string {
  const shown = names.slice(0, 20).map((name) => (/^$|[\s,"]/.test(name) ? quoteName(name) : printable(name)))
  return shown.join(', ') + (names.length > 20 ? ', …' : '')
}

type Details = { readonly [K in 'hint' | 'path' | 'operator']?: string | undefined }

function issue(code: IssueCode, { start, end }: Span, message: string, details: Details = {}): Issue {
  const issue: { -readonly [K in keyof Issue]: Issue[K] } = { code, message, span: { start, end } }
  if (details.hint !== undefined) issue.hint = details.hint
  if (details.path !== undefined) issue.path = details.path
  if (details.operator !== undefined) issue.operator = details.operator
  return issue
}
