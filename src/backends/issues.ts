/** The issues that all backends report: a filter that does not fit the schema. */
import type { Comparison, EntryCount, Filter, Match, Membership, Path, Presence, Some } from '../tree/index.ts'
import { FilterError, quoteName, shownName, type Issue, type IssueParameters, type Issues } from '../issue/index.ts'
import { entryAt, holdsLiteral, type Field, type Schema } from '../language/index.ts'
import type { Query, SortKey } from '../query/index.ts'
import { own } from '../own.ts'

/** @throws FilterError with the issues; returns when there are none. */
export function throwIssues(issues: readonly Issue[]): void {
  if (isNotEmpty(issues)) throw new FilterError(issues)
}
const isNotEmpty = (issues: readonly Issue[]): issues is Issues => issues.length > 0

/** A condition: a filter about one value. */
export type Condition = Comparison | Membership | Match | Presence

/** A filter without filters in it. */
export type Leaf = Condition | EntryCount

/** The type that a condition requires; `undefined` for a membership without operands, which requires none. */
export function typeOf(condition: Condition): Presence['type'] | undefined {
  switch (condition.kind) {
    case 'comparison':
      return condition.operand.type
    case 'membership':
      return condition.operands.at(0)?.type
    case 'match':
      return 'string'
    case 'presence':
      return condition.type
  }
}

/** The dotted path of a field of the schema, where `list` is that of the list whose entries the path starts at. */
export function dotted(list: string, path: Path): string {
  const own = path.length === 1 ? path[0]! : path.join('.')
  return list === '' ? own : own === '' ? list : `${list}.${own}`
}

/** The name of a place in messages. */
export function nameOf(list: string, path: Path): string {
  if (path.length > 0) return dotted(list, path)
  return list === '' ? 'the root object' : `an entry of ${list}`
}

/** The span of an issue about a filter or a sort key. Own properties only: `Object.prototype` may have been given one of that name. */
export function spanOf(of: Filter | SortKey): Pick<Issue, 'span'> {
  const span = own(of, 'span')
  return span === undefined ? {} : { span }
}
/** Whether a filter or a sort key was read from a text. */
export const hasSpan = (of: Filter | SortKey): boolean => own(of, 'span') !== undefined

/** The codes of backends, which share the form of their parameters. */
type BackendCode = 'backend_unsupported' | 'backend_unmapped' | 'backend_refused'

/**
 * The issue of a condition that this program can never run: the mapping, the schema or a filter that the program built is at fault.
 *
 * @param parameters the parts of the message: `problem`, the `field`, and more.
 */
export const ofServer = (
  code: BackendCode,
  message: string,
  node: Filter | SortKey,
  parameters: IssueParameters[BackendCode],
  path?: string,
): Issue => ({ code, fault: 'server', message, parameters, ...spanOf(node), ...(path !== undefined && { path }) })

/**
 * The issue of a condition or an order that is valid, and that the engine cannot run because of what it contains: its operand,
 * or what is beside it. One with a span was read from the client's text; a restriction has none.
 */
export function refusal(message: string, node: Filter | SortKey, field: string, path?: string): Issue {
  const fault = hasSpan(node) ? 'client' : 'server'
  const problem = Object.hasOwn(node, 'direction') ? 'order' : 'operand'
  return { ...ofServer('backend_refused', message, node, { problem, field }, path), fault }
}

/**
 * The issue of a filter that is valid, and too large for the engine.
 *
 * @param compile compiles a part of the filter. It is the server's fault when the part without spans, such as a restriction, is
 *   refused alone.
 */
export const tooLarge = (message: string, filter: Filter, compile: (part: Filter) => unknown): Issue => ({
  ...ofServer('backend_refused', message, filter, { problem: 'size' }),
  fault: isRefusedWithoutText(filter, compile) ? 'server' : 'client',
  hint: 'ask for less at once: fewer conditions, shorter lists, fewer groups inside groups',
})

function isRefusedWithoutText(filter: Filter, compile: (part: Filter) => unknown): boolean {
  const parts = filter.kind === 'and' && !hasSpan(filter) ? filter.filters : [filter]
  const built = parts.filter((part) => !hasSpan(part))
  if (built.length === parts.length) return true
  try {
    compile({ kind: 'and', filters: built })
    return false
  } catch {
    return true
  }
}

/**
 * Compiles a query with its position, when its filter compiles alone: what the engine refuses now is an operand of the position,
 * and a client sent it in a cursor.
 */
export function withPosition<T>(compile: () => T): T {
  try {
    return compile()
  } catch (error) {
    if (!(error instanceof FilterError)) throw error
    const issues = error.issues.map((issue): Issue =>
      issue.code === 'backend_refused' ? { ...issue, fault: 'client' } : issue,
    )
    throw new FilterError(issues as readonly Issue[] as Issues)
  }
}

/**
 * One issue for each condition or list that the schema has no field for (`backend_unmapped`), or whose field has another
 * type (`backend_unsupported`). A filter out of a client's JSON may have any condition.
 */
export function schemaIssues(filter: Filter, { fields }: Schema): readonly Issue[] {
  const issues: Issue[] = []
  checkFields(issues, filter, '', { type: 'object', fields })
  return issues
}

/** Paths start at `start`: the row, or an entry of the list of that dotted path. */
function checkFields(issues: Issue[], filter: Filter, list: string, start: Field): void {
  switch (filter.kind) {
    case 'and':
    case 'or':
      for (const member of filter.filters) checkFields(issues, member, list, start)
      return
    case 'not':
      return checkFields(issues, filter.filter, list, start)
    case 'some': {
      const field = fieldOf(issues, filter, list, start)
      if (field === undefined) return
      if (field.type === 'list') return checkFields(issues, filter.filter, dotted(list, filter.path), field.entry)
      return otherType(issues, filter, list, filter.path, field, 'list')
    }
    case 'count': {
      const field = fieldOf(issues, filter, list, start)
      if (field === undefined) return
      if (field.type !== 'list') return otherType(issues, filter, list, filter.path, field, 'list')
      if (!holdsLiteral(field.entry, filter.type))
        otherType(issues, filter, dotted(list, filter.path), [], field.entry, filter.type)
      return
    }
    default: {
      const field = fieldOf(issues, filter, list, start)
      if (field === undefined) return
      if (field.type === 'list') return otherType(issues, filter, list, filter.path, field)
      const type = typeOf(filter)
      if (type === undefined || holdsLiteral(field, type)) return
      return otherType(issues, filter, list, filter.path, field, type)
    }
  }
}

/** The field that the path of a filter ends in, or `undefined` and an issue. */
function fieldOf(issues: Issue[], filter: Leaf | Some, list: string, start: Field): Field | undefined {
  const { path } = filter
  let field = start
  for (let level = 0; level < path.length; level++) {
    if (field.type === 'list') {
      otherType(issues, filter, list, path.slice(0, level), field)
      return undefined
    }
    const name = path[level]!
    const inside: Field | undefined = field.type === 'object' ? own(field.fields, name) : entryAt(field, name)
    if (inside === undefined) {
      issues.push(noField(filter, dotted(list, path)))
      return undefined
    }
    field = inside
  }
  return field
}

export const noField = (node: Filter | SortKey, name: string): Issue =>
  ofServer('backend_unmapped', `the schema has no field ${quoteName(name)}`, node, {
    problem: 'no_field',
    field: shownName(name),
  })

/** @param type the type that the filter requires; `undefined` for a condition on a list, whose entries only a `some` reaches. */
function otherType(issues: Issue[], filter: Filter, list: string, path: Path, field: Field, type?: string): void {
  const name = dotted(list, path)
  const required = type === undefined ? "only a 'some' reaches its entries" : `the filter asks for type ${type}`
  const message = `${nameOf(list, path)} has type ${field.type} in the schema, but ${required}`
  const parameters = { field: nameOf(list, path), expected: field.type }
  const problem = type === undefined ? { problem: 'no_some' } : { problem: 'type', found: type }
  issues.push(
    ofServer('backend_unsupported', message, filter, { ...problem, ...parameters }, name === '' ? undefined : name),
  )
}

/** The sort keys as conditions: a schema checks these. */
export const presencesOf = ({ sort }: Query): Filter => ({
  kind: 'and',
  filters: sort.map((key) => ({ kind: 'presence', path: key.path, type: key.type, ...spanOf(key) })),
})
