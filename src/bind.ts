/** Syntax + schema → conditions → filter: names are resolved, operands read by their field's type, operators lowered. */
import { make, type Filter, type Path } from './ast.ts'
import { printable, quoteName, type Issue, type IssueCode, type Span } from './issue.ts'
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
export function bind(schema: Schema, syntax: Syntax, limits: Limits): Binding {
  const { read } = syntax
  const conditions: Condition[] = []
  const issues: Issue[] = []
  const seen = new Map<ResolvedField, Operator[]>()

  for (const pair of syntax.pairs) {
    const field = pair.names > limits.depth ? undefined : schema.paths.get(read(pair.path))
    const operator = pair.operator === undefined ? operators.equals : operatorNamed.get(read(pair.operator))
    if (field === undefined || operator === undefined || !operator.types.includes(field.type)) {
      issues.push(...nameIssues(schema, syntax, pair, field, operator, limits))
      continue
    }
    const used = seen.get(field)
    if (used === undefined) seen.set(field, [operator])
    else if (used.includes(operator)) issues.push(duplicateIssue(pair, field, operator))
    else used.push(operator)

    const operands = operandsOf(syntax, pair, field, operator, limits, issues)
    const span = Object.freeze({ start: pair.start, end: pair.end })
    if (operands !== undefined) conditions.push({ field, operator, operands, span })
  }
  return { conditions, issues }
}

// --- Names

function nameIssues(
  schema: Schema,
  { read, isSecret }: Syntax,
  pair: Pair,
  field: ResolvedField | undefined,
  operator: Operator | undefined,
  limits: Limits,
): Issue[] {
  const issues: Issue[] = []
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
  const depth = (path: string) => path.split('.').length
  const last = (path: string) => path.slice(path.lastIndexOf('.') + 1)
  // Of candidates that are equally near, one that is as deep; else a field of that name, wherever it is.
  const asDeep = paths.toSorted((a, b) => Number(depth(b) === depth(name)) - Number(depth(a) === depth(name)))
  const lastName = nearest(last(name), paths.map(last))
  return didYouMean(nearest(name, asDeep) ?? paths.find((path) => last(path) === lastName))
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

const operatorsOf = (field: ResolvedField): OperatorName[] =>
  Object.values(operators).flatMap(({ name, types }) => (types.includes(field.type) ? [name] : []))

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
      const message = `too long an operand: ${text.length} characters, the limit is ${limits.operand}`
      issues.push(issue('limit_operand', part, message, names))
      return undefined
    }
    const operand = reader.fromText(text, field)
    if (operand === undefined) {
      const subject = operator.reads === 'flag' ? `${field.name}[${operator.name}]` : field.name
      const hint = operandHint(text, field, operator)
      const expected = reader.notation === undefined ? reader.expected : `${reader.expected}, ${reader.notation}`
      issues.push(issue('operand_invalid', part, `not what ${subject} takes: ${expected}`, { hint, ...names }))
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
      const hint =
        field.type === 'string'
          ? 'the empty text is written ""'
          : 'a list has at least one item, and one on each side of a comma'
      issues.push(issue('operand_empty', item, 'an item is missing here', { hint, ...names }))
    } else {
      const operand = operandOf(item)
      if (operand !== undefined) operands.push(operand)
    }
  }
  if (items.length > limits.list) {
    const message = `too many items: ${items.length}, the limit is ${limits.list}`
    issues.push(issue('limit_list', { start: items[limits.list]!.start, end: pair.value.end }, message, names))
  }
  // One open quote may have swallowed the comma.
  const open = items.length === 1 && items[0]!.quoteFault === 'unterminated'
  if (operator.operands === 'two' && items.length !== 2 && !open) {
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
    const near = didYouMean(nearest(text, field.values))
    return `${near === undefined ? '' : `${near} `}The values are ${enumerate(field.values)}`
  }
  const plus =
    text.includes(' ') && readerOf(operator.reads, field).fromText(text.replaceAll(' ', '+'), field) !== undefined
  return plus ? 'a "+" in a query is a space: write %2B' : undefined
}

/** A list for a hint, cut at twenty; what would not be seen as one entry is quoted. */
function enumerate(names: readonly string[]): string {
  const shown = names.slice(0, 20).map((name) => (/^$|[\s,"]/.test(name) ? quoteName(name) : printable(name)))
  return shown.join(', ') + (names.length > 20 ? ', …' : '')
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
  let depth = 0
  for (const { field, operator, operands, span } of conditions) {
    const parts = operator.lower(field, operands, span)
    depth = Math.max(depth, field.lists.length)
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
  // Around the lists, with a group in each: and, not; and, or, and, and the condition.
  return filterOf(root, 6 + 2 * depth)
}

/** The group of a list within a group: one that is there, or a new one in its place. */
function enter({ members }: Group, list: Path): Group {
  let group = members.find((member): member is Group => member.kind === 'group' && member.list === list)
  if (group === undefined) members.push((group = { kind: 'group', list, members: [], span: undefined }))
  return group
}

function extend(group: Group, span: Span | undefined): void {
  group.span =
    group.span === undefined || span === undefined ? span : Object.freeze({ start: group.span.start, end: span.end })
}

function conjunction(filters: readonly Filter[], span: Span | undefined, levels?: number): Filter {
  return filters.length === 1 ? filters[0]! : make.and(filters, span, levels)
}

/** The filter of a group; `levels`, which it has at most, are given for the outermost. */
function filterOf({ members, span }: Group, levels?: number): Filter {
  const own = members.length === 1 ? levels : undefined
  const filters = members.map((member) =>
    member.kind === 'group' ? make.some(member.list!, filterOf(member), member.span, own) : member,
  )
  return conjunction(filters, span, levels)
}
