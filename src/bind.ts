/** Syntax + schema → conditions → filter: names are resolved, operands read by their field's type, operators lowered. */
import { make, type Filter, type Path } from './ast.ts'
import { printable, quoteName, reservedLength, type Issue, type IssueCode, type Span } from './issue.ts'
import type { Limits } from './limits.ts'
import { readerOf } from './operands.ts'
import { isComplement, operatorNamed, operators, type Operand, type Operator, type OperatorName } from './operators.ts'
import type { ResolvedField, Schema } from './schema.ts'
import { nearest } from './suggest.ts'
import type { Item, Pair, Syntax } from './syntax/syntax.ts'

/** One condition, its names resolved and its operands read. */
export interface Condition {
  readonly field: ResolvedField
  readonly operator: Operator
  readonly operands: readonly Operand[]
  readonly span?: Span
}

/** What the well-formed pairs of a query say, and what is wrong with them, in the order of the pairs. */
export interface Binding {
  readonly conditions: readonly Condition[]
  readonly issues: readonly Issue[]
}

/** Finds out what each pair means. Every fault of every pair becomes an issue. */
export function bind(schema: Schema, syntax: Syntax, limits: Limits, reserved: readonly string[]): Binding {
  const { read } = syntax
  const conditions: Condition[] = []
  const issues: Issue[] = []
  const seen = new Map<ResolvedField, Operator[]>()

  for (const pair of syntax.pairs) {
    const field = pair.names > limits.depth ? undefined : schema.paths.get(read(pair.path))
    const operator = pair.operator === undefined ? operators.equals : operatorNamed.get(read(pair.operator))
    if (field === undefined || operator === undefined || !operator.types.includes(field.type)) {
      issues.push(...nameIssues(schema, syntax, pair, field, operator, limits, reserved))
      continue
    }
    const used = seen.get(field)
    if (used === undefined) seen.set(field, [operator])
    else if (used.includes(operator)) issues.push(duplicateIssue(pair, field, operator))
    else used.push(operator)

    const operands = operandsOf(syntax, pair, field, operator, limits, issues)
    if (operands !== undefined)
      conditions.push({ field, operator, operands, span: { start: pair.start, end: pair.end } })
  }
  return { conditions, issues }
}

// --- Names

function nameIssues(
  schema: Schema,
  { read }: Syntax,
  pair: Pair,
  field: ResolvedField | undefined,
  operator: Operator | undefined,
  limits: Limits,
  reserved: readonly string[],
): Issue[] {
  const issues: Issue[] = []
  // A key that begins with a reserved name may hold what belongs to it: nothing of it is quoted.
  const secret = reservedLength(read(pair.key), reserved) > 0
  const quoted = (part: Span) => (secret ? '' : ` ${quoteName(read(part))}`)

  if (pair.names > limits.depth) {
    const message = `a path of ${pair.names} names, at most ${limits.depth} are followed`
    issues.push(issue('limit_depth', pair.path, message))
  } else if (field === undefined) {
    const hint = secret ? undefined : fieldHint(schema, read(pair.path))
    issues.push(issue('field_unknown', pair.path, `unknown field${quoted(pair.path)}`, { hint }))
  }
  if (operator === undefined) {
    const taken = field === undefined ? Object.keys(operators) : operatorsOf(field)
    const near = secret ? undefined : nearest(read(pair.operator!), taken)
    const hint = near !== undefined ? `did you mean ${near}?` : field && `${field.name} takes ${taken.join(', ')}`
    issues.push(
      issue('operator_unknown', pair.operator!, `unknown operator${quoted(pair.operator!)}`, {
        hint,
        path: field?.name,
      }),
    )
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

function fieldHint(schema: Schema, name: string): string | undefined {
  if (/%[\da-f]{2}/i.test(name)) return 'the key looks doubly encoded: encode it once'
  const names = [...schema.paths.keys()]
  const near = nearest(name, names) ?? names.find((path) => path.endsWith(`.${name}`))
  return near === undefined ? undefined : `did you mean ${near}?`
}

const operatorsOf = (field: ResolvedField): OperatorName[] =>
  Object.values(operators).flatMap(({ name, types }) => (types.includes(field.type) ? [name] : []))

/** What somebody may have meant who repeated an operator. */
const repeatedFor: Partial<Record<OperatorName, OperatorName>> = {
  equals: 'in',
  notEqual: 'nin',
  gt: 'range',
  gte: 'range',
  lt: 'range',
  lte: 'range',
  range: 'range',
  in: 'in',
  nin: 'nin',
}

function duplicateIssue(pair: Pair, field: ResolvedField, operator: Operator): Issue {
  const meant = repeatedFor[operator.name]
  const hint =
    meant === undefined || !operators[meant].types.includes(field.type)
      ? 'an operator stands once for a field'
      : `all operands go into one list: ${field.name}[${meant}]=${meant === 'range' ? 'low,high' : 'a,b,c'}`
  const message = `${field.name}[${operator.name}] stands here for a second time`
  return issue('duplicate_condition', pair.key, message, { hint, path: field.name, operator: operator.name })
}

// --- Operands

/** The operands of a pair; `undefined` when one of them, or their number, is wrong. */
function operandsOf(
  { read }: Syntax,
  pair: Pair,
  field: ResolvedField,
  operator: Operator,
  limits: Limits,
  issues: Issue[],
): readonly Operand[] | undefined {
  const before = issues.length
  const names = { path: field.name, operator: operator.name }
  const reader = readerOf(operator.reads, field)

  const operandOf = (part: Span | Item): Operand | undefined => {
    const text = read(part)
    if (text.length > limits.operand) {
      const message = `an operand of ${text.length} characters, at most ${limits.operand} are read`
      issues.push(issue('limit_operand', part, message, names))
      return undefined
    }
    const operand = reader.fromText(text, field)
    if (operand === undefined) {
      const subject = operator.reads === 'flag' ? `${field.name}[${operator.name}]` : field.name
      const hint = operandHint(text, field, operator)
      issues.push(issue('operand_invalid', part, `not what ${subject} takes: ${reader.expected}`, { hint, ...names }))
    }
    return operand
  }

  if (operator.operands === 'one') {
    const operand = operandOf(pair.value)
    return operand && [operand]
  }

  const items: readonly Item[] = pair.items ?? [pair.value]
  const operands: Operand[] = []
  for (const item of items.slice(0, limits.list)) {
    if (item.quoteFault !== undefined) {
      issues.push(issue('operand_quote', item, quoteFaults[item.quoteFault], { hint: quoteHint, ...names }))
    } else if (item.parts === undefined && item.start === item.end) {
      const hint = field.type === 'string' ? 'the empty text is written ""' : undefined
      issues.push(issue('operand_empty', item, 'an item is missing here', { hint, ...names }))
    } else {
      const operand = operandOf(item)
      if (operand !== undefined) operands.push(operand)
    }
  }
  if (items.length > limits.list) {
    const message = `a list of ${items.length} items, at most ${limits.list} are read`
    issues.push(issue('limit_list', { start: items[limits.list]!.start, end: pair.value.end }, message, names))
  }
  // After an open quote nobody knows how many items there were to be.
  if (operator.operands === 'two' && items.length !== 2 && items.at(-1)!.quoteFault !== 'unterminated') {
    const message = `${operator.name} takes two operands, low,high; here ${items.length === 1 ? 'is 1' : `are ${items.length}`}`
    issues.push(issue('operand_count', pair.value, message, names))
  }
  return issues.length > before ? undefined : operands
}

const quoteFaults: { readonly [F in NonNullable<Item['quoteFault']>]: string } = {
  unterminated: 'a quoted item without its closing quote',
  escape: 'a backslash before something else than a quote or a backslash',
  'text after': 'text after the closing quote',
}
const quoteHint = 'in a quoted item, write \\" for a quote and \\\\ for a backslash'

function operandHint(text: string, field: ResolvedField, operator: Operator): string | undefined {
  if (operator.reads === 'value' && field.values !== undefined) {
    const near = nearest(text, field.values)
    return (near === undefined ? '' : `did you mean ${printable(near)}? `) + `The values are ${enumerate(field.values)}`
  }
  const plus =
    text.includes(' ') && readerOf(operator.reads, field).fromText(text.replaceAll(' ', '+'), field) !== undefined
  return plus ? 'a "+" in a query is a space: write %2B' : undefined
}

/** A list for a hint, cut at twenty. */
function enumerate(names: readonly string[]): string {
  return names.slice(0, 20).map(printable).join(', ') + (names.length > 20 ? ', …' : '')
}

type Details = { readonly [K in 'hint' | 'path' | 'operator']?: string | undefined }

function issue(code: IssueCode, { start, end }: Span, message: string, details: Details = {}): Issue {
  const known = Object.entries(details).filter(([, value]) => value !== undefined)
  return { code, message, span: { start, end }, ...Object.fromEntries(known) }
}

// --- The filter

/** Conditions that hold together for one entry of a list, or for the object itself. */
interface Group {
  readonly kind: 'group'
  /** The list; absent for the object itself. */
  readonly list?: Path
  readonly members: (Filter | Group)[]
  span: Span | undefined
}

/**
 * The filter that some conditions make: positive ones that enter the same list speak of one and the same
 * entry, each complement of no entry at all.
 */
export function combine(conditions: readonly Condition[]): Filter {
  const root: Group = { kind: 'group', members: [], span: undefined }
  for (const { field, operator, operands, span } of conditions) {
    const parts = operator.lower(field, operands, span)
    if (isComplement(operator, operands)) {
      const positive = field.lists.reduceRight((inner, list) => make.some(list, inner, span), conjunction(parts, span))
      root.members.push(make.not(positive, span))
      extend(root, span)
      continue
    }
    let group = root
    extend(group, span)
    for (const list of field.lists) {
      group = enter(group, list)
      extend(group, span)
    }
    group.members.push(...parts)
  }
  return filterOf(root)
}

/** The group of a list within a group: one that is there, or a new one in its place. */
function enter({ members }: Group, list: Path): Group {
  let group = members.find((member): member is Group => member.kind === 'group' && member.list === list)
  if (group === undefined) members.push((group = { kind: 'group', list, members: [], span: undefined }))
  return group
}

function extend(group: Group, span: Span | undefined): void {
  group.span = group.span === undefined || span === undefined ? span : { start: group.span.start, end: span.end }
}

function conjunction(filters: readonly Filter[], span: Span | undefined): Filter {
  return filters.length === 1 ? filters[0]! : make.and(filters, span)
}

function filterOf({ members, span }: Group): Filter {
  const filters = members.map((member) =>
    member.kind === 'group' ? make.some(member.list!, filterOf(member), member.span) : member,
  )
  return conjunction(filters, span)
}
