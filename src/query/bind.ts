/** Syntax + schema → conditions: names are resolved, operands read by their field's type. */
import { make } from '../ast/index.ts'
import type { Condition } from './combine.ts'
import { printable, quoteName, type Finding, type IssueCode, type Span, type Words } from '../issue/index.ts'
import type { Item, Limits, Pair, Syntax } from '../syntax/index.ts'
import {
  defaultOperator,
  operatorNamed,
  readerOf,
  type Operand,
  type OperatorName,
  type OperatorRow,
  type Reader,
  type ResolvedField,
  type Schema,
} from '../language/index.ts'
import { nearest, newBudget, type Budget } from '../suggest.ts'

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
    conditions.push({ field, operator, operands, span: make.span(pair.start, pair.end) })
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

/** What `price>=5` and the like mean elsewhere: here a field called `price>`. */
const signs: ReadonlyMap<string, OperatorName> = new Map([
  ['!', 'notEqual'],
  ['>', 'gte'],
  ['<', 'lte'],
  ['~', 'contains'],
])

/** First names of what other interfaces call order, pages and fields. */
const pagingNames = new Set(
  (
    'page pagesize page_size perpage per_page size limit offset skip take top cursor after before start ' +
    'sort sortby sort_by order orderby order_by fields select include expand count'
  ).split(' '),
)
const pagingHint = 'parameters of paging and sorting are no filters: a service names them in "reserved"'

function fieldHint(schema: Schema, name: string, budget: Budget): string | undefined {
  if (isEncoded(name)) return doublyEncoded
  if (/^(?:\/|https?:).*\?/i.test(name)) return 'give the query alone, without what comes before the "?" of its URL'
  const sign = signs.get(name.slice(-1))
  if (sign !== undefined) {
    const field = schema.paths.get(name.slice(0, -1))
    return field?.name && `operators stand in brackets: ${field.name}[${sign}]=`
  }
  const withoutPositions = name
    .split('.')
    .filter((part) => !/^\d+$/.test(part))
    .join('.')
  if (withoutPositions !== name && schema.paths.has(withoutPositions)) return noPositions(withoutPositions)

  // Of candidates that are equally near, one that is as deep; else a field of that name, wherever it is.
  const depth = depthOf(name)
  const near =
    nearest(name, schema.paths.keys(), budget, (path) => depthOf(path) === depth) ??
    pathEndingIn(schema, nearest(lastOf(name), lastNames(schema), budget))
  const paging = pagingNames.has(name.toLowerCase().split('.', 1)[0]!) ? pagingHint : undefined
  if (near === undefined) return paging
  return paging === undefined ? didYouMean(near) : `${didYouMean(near)} ${paging}`
}

const lastOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1)
function* lastNames({ paths }: Schema): Iterable<string> {
  for (const path of paths.keys()) yield lastOf(path)
}
function pathEndingIn({ paths }: Schema, name: string | undefined): string | undefined {
  if (name !== undefined) for (const path of paths.keys()) if (lastOf(path) === name) return path
  return undefined
}

function depthOf(path: string): number {
  let depth = 1
  for (let dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) depth++
  return depth
}

/** What others call our operators, in small letters without hyphens and underscores. */
const foreignOperators: ReadonlyMap<string, OperatorName> = new Map([
  ['eq', 'equals'],
  ['is', 'equals'],
  ['ne', 'notEqual'],
  ['neq', 'notEqual'],
  ['not', 'notEqual'],
  ['isnot', 'notEqual'],
  ['>', 'gt'],
  ['ge', 'gte'],
  ['<', 'lt'],
  ['le', 'lte'],
  ['between', 'range'],
  ['oneof', 'in'],
  ['notin', 'nin'],
  ['prefix', 'startsWith'],
  ['sw', 'startsWith'],
  ['suffix', 'endsWith'],
  ['ew', 'endsWith'],
  ['like', 'contains'],
  ['ilike', 'contains'],
  ['includes', 'contains'],
  ['regex', 'contains'],
  ['~', 'contains'],
  ['notlike', 'doesNotContain'],
  ['nlike', 'doesNotContain'],
  ['notcontains', 'doesNotContain'],
  ['null', 'exists'],
  ['isnull', 'exists'],
  ['notnull', 'exists'],
  ['exist', 'exists'],
])

function operatorHint(
  schema: Schema,
  field: ResolvedField | undefined,
  name: string,
  budget: Budget,
): string | undefined {
  if (isEncoded(name)) return doublyEncoded
  if (field !== undefined && /^\d+$/.test(name)) return noPositions(field.name)
  const taken = field === undefined ? [...operatorNamed.keys()] : operatorsOf(field)
  // Elsewhere brackets lead into objects.
  const inside = field && schema.paths.get(`${field.name}.${name}`)
  const foreign = foreignOperators.get(name.toLowerCase().replace(/[-_$]/g, ''))
  const meant =
    inside?.name ?? (foreign !== undefined && taken.includes(foreign) ? foreign : nearest(name, taken, budget))
  return didYouMean(meant) ?? (field && `${field.name} takes ${taken.join(', ')}`)
}

function notApplicableHint(schema: Schema, field: ResolvedField, budget: Budget): string {
  const inside: string[] = []
  if (field.type === 'object') {
    for (const name of schema.paths.keys()) {
      if (--budget.left < 0 || inside.length > mostNames) break
      if (name.startsWith(`${field.name}.`)) inside.push(name)
    }
  }
  const fields = inside.length > 0 ? `; fields in it are ${enumerate(inside)}` : ''
  return `it takes ${operatorsOf(field).join(', ')}${fields}`
}

const isEncoded = (name: string) => /%[\da-f]{2}/i.test(name)
const doublyEncoded = 'the key looks doubly encoded: encode it once'
const noPositions = (name: string) => `lists have no positions: ${printable(name)} looks at every entry`
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

function duplicateFinding(pair: Pair, field: ResolvedField, operator: OperatorRow): Finding {
  const [meant, operands, what] = repeated[operator.name] ?? []
  const takes = meant !== undefined && operatorNamed.get(meant)!.types.includes(field.type)
  const hint = takes
    ? `for ${what} write ${field.name}[${meant}]=${operands}`
    : 'a condition of a field has each operator once'
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

function operandHint(text: string, field: ResolvedField, operator: OperatorRow, budget: Budget): string | undefined {
  if (operator.reads === 'value' && field.values !== undefined) {
    const near = didYouMean(nearest(text, field.values, budget))
    return `${near === undefined ? '' : `${near} `}The values are ${enumerate(field.values)}`
  }
  const plus = readerOf(operator.reads, field).fromText(text.replaceAll(' ', '+'), field) !== undefined
  return plus ? 'a "+" in a query is a space: write %2B' : undefined
}

/** How many names a hint lists at most. */
const mostNames = 20

/** A list for a hint; a name that would not be seen as one entry is quoted. */
function enumerate(names: readonly string[]): string {
  const shown = names.slice(0, mostNames).map((name) => (/^$|[\s,"]/.test(name) ? quoteName(name) : printable(name)))
  return shown.join(', ') + (names.length > mostNames ? ', …' : '')
}
