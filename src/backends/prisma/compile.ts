/** The emitter of a `where`: one function for each kind of filter. */
import {
  and as conjoin,
  checkFilter,
  kinds,
  literalTypes,
  type And,
  type ComparisonOperator,
  type Filter,
  type Literal,
  type Match,
  type MatchMode,
  type Or,
  type Path,
  type Some,
} from '../../ast/index.ts'
import type { Issue } from '../../issue/index.ts'
import { own } from '../../own.ts'
import { positionFilter } from '../../query/page/order.ts'
import { wholeQuery, type Query } from '../../query/page/query.ts'
import { simpleLowerCase } from '../../text/case.ts'
import type { QueryBackend } from '../backend.ts'
import {
  dotted,
  nameOf,
  refusal,
  schemaIssues,
  spanOf,
  throwIssues,
  tooLarge,
  withPosition,
  type Condition,
} from '../issues.ts'
import {
  mappingOf,
  type Mapping,
  type PrismaOptions,
  type StoredList,
  type StoredMany,
  type StoredMember,
  type StoredOne,
  type StoredRow,
  type StoredScalar,
} from './mapping.ts'
import { readingOf, type PrismaQuery, type PrismaWhere } from './page.ts'
import type { Asked } from './provider.ts'

/** What a row must satisfy. Prisma has no constants inside of groups. */
type Draft = PrismaWhere | boolean

/** What is needed at every node. */
interface Context {
  readonly mapping: Mapping
  readonly issues: Issue[]
}

/**
 * Emits filters and queries as arguments of Prisma's client, version 7, on PostgreSQL, MySQL or SQLite: plain objects.
 * Nothing of Prisma is imported. The models are read from the text of Prisma's schema, so required fields, enums, column
 * types and relations are known.
 *
 * Objects of the schema are relations to one row, lists of objects relations to many, lists of scalars either scalar lists
 * or relations to rows with one field for the entry.
 *
 * @returns a backend. Its `compile` throws a FilterError: `backend_unmapped` if the schema does not have a field,
 *   `backend_unsupported` if it does not store the field so that Prisma can express a condition exactly, `backend_refused` if
 *   Prisma cannot run a condition or an order because of its operand, or the filter because of its size.
 * @throws TypeError that lists the fields which the models have not, or store in another form.
 * @example
 * const { compile } = prismaBackend({ schema: notes, datamodel, model: 'Note' })
 * const noteWhere = compile(parseFilterOrThrow(notes, 'total[gte]=5')) // prisma.note.findMany({ where: noteWhere })
 */
export function prismaBackend(options: PrismaOptions): QueryBackend<PrismaWhere, PrismaQuery> {
  const mapping = mappingOf(options)
  const { schema, provider, row } = mapping
  const compile = (filter: Filter): PrismaWhere => {
    const checked = checkFilter(filter)
    throwIssues(schemaIssues(checked, schema))
    const context: Context = { mapping, issues: [] }
    const draft = emit(context, checked, row, '', false)
    throwIssues(context.issues)
    const where = typeof draft === 'boolean' ? constant(draft) : draft
    throwIssues(sizeIssues(mapping, where, (message) => tooLarge(message, checked, compile)))
    return where
  }
  const compileQuery = (given: Query): PrismaQuery => {
    const query = wholeQuery(given)
    const reading = readingOf(mapping, query)
    const count = { where: compile(query.filter) }
    const where = withPosition(() => compile(conjoin(query.filter, positionFilter(query))))
    return { findMany: { where, ...reading }, count }
  }
  const { features, preconditions } = provider
  return {
    name: 'prisma',
    capabilities: Object.freeze({ kinds, types: literalTypes, features, preconditions }),
    compile,
    compileQuery,
  }
}

/** The path of what a filter is about; that of a group is empty. */
const pathOf = (filter: Filter): Path => own(filter as Condition, 'path') ?? []

/** `{}` is every row, and no row is one of none. */
const constant = (holds: boolean): PrismaWhere => (holds ? {} : { OR: [] })

/**
 * Refuses a condition that needs another mapping.
 *
 * @param list the dotted path of the list whose entries the filter's path starts at; '' is the row.
 */
function unsupported({ issues }: Context, filter: Filter, list: string, what: string): false {
  const path = pathOf(filter)
  const message = `${nameOf(list, path)} ${what}`
  issues.push({ code: 'backend_unsupported', fault: 'server', message, ...spanOf(filter), path: dotted(list, path) })
  return false
}

/** Refuses what Prisma cannot run because of its operand, or because of the group around it. */
function refused({ issues }: Context, filter: Filter, list: string, what: string): false {
  const path = pathOf(filter)
  issues.push(refusal(`${nameOf(list, path)} ${what}`, filter, dotted(list, path)))
  return false
}

/** Negation goes down to the conditions: Prisma's NOT leaves out the rows where a field is null. */
function emit(
  context: Context,
  filter: Filter,
  start: StoredRow | StoredScalar,
  list: string,
  negated: boolean,
): Draft {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return group(context, filter, start, list, negated)
    case 'not':
      return emit(context, filter.filter, start, list, !negated)
    case 'some':
      return some(context, filter, start, list, negated)
    default:
      return condition(context, filter, start, list, negated)
  }
}

function group(
  context: Context,
  { kind, filters }: And | Or,
  start: StoredRow | StoredScalar,
  list: string,
  negated: boolean,
): Draft {
  return joined(
    (kind === 'and') !== negated ? 'AND' : 'OR',
    filters.map((member) => emit(context, member, start, list, negated)),
  )
}

function joined(word: 'AND' | 'OR', drafts: readonly Draft[]): Draft {
  const neutral = word === 'AND'
  if (drafts.includes(!neutral)) return !neutral
  const rest = drafts.filter((draft) => draft !== neutral)
  return rest.length === 0 ? neutral : rest.length === 1 ? rest[0]! : { [word]: rest }
}

/** One of several conditions, or the complement of all. */
const oneOf = (whats: readonly PrismaWhere[], negated: boolean, say: (what: PrismaWhere) => Draft): Draft =>
  joined(negated ? 'AND' : 'OR', whats.map(say))

/** The lists in which operands are sent. None is empty. */
const listsOf = ({ storage }: StoredScalar, operands: readonly unknown[]): readonly (readonly unknown[])[] => [
  ...Map.groupBy(operands, storage.goesApart).values(),
]

/** A comparison, membership, match or presence. */
function condition(
  context: Context,
  filter: Condition,
  start: StoredRow | StoredScalar,
  list: string,
  negated: boolean,
): Draft {
  const { path } = filter
  if (start.kind === 'scalar') return onScalar(context, filter, start, list, negated)
  // The row itself, or an entry: it is there, and an object. Beside presence, a membership without operands may ask for it.
  if (path.length === 0) return (filter.kind === 'presence') !== negated
  return within(start, path, negated, (stored) => {
    if (stored.kind === 'scalar') return onScalar(context, filter, stored, list, negated)
    if (filter.kind !== 'presence') return negated
    // A list in its place is refused by the schema.
    return (negated ? isAbsent : isThere)(stored as StoredOne)
  })
}

/** What is said of the field at the end of a path. A complement holds where there is no row on the way, too. */
function within(
  { members }: StoredRow,
  [name, ...rest]: Path,
  negated: boolean,
  say: (stored: StoredMember) => Draft,
): Draft {
  const stored = members.get(name!)!
  if (rest.length === 0) return say(stored)
  // The schema refuses a path through anything else.
  const one = stored as StoredOne
  const inside = within(one.row, rest, negated, say)
  if (inside === true) return negated || isThere(one)
  return joined('OR', [inside && { [one.name]: { is: inside } }, negated && isAbsent(one)])
}
const isThere = ({ name, isOptional }: StoredOne): Draft => !isOptional || { [name]: { isNot: null } }
const isAbsent = ({ name, isOptional }: StoredOne): Draft => isOptional && { [name]: { is: null } }

function some(context: Context, filter: Some, start: StoredRow | StoredScalar, list: string, negated: boolean): Draft {
  // A list in an entry that is a scalar is refused by the schema.
  return within(start as StoredRow, filter.path, negated, (stored) => {
    const inside = dotted(list, filter.path)
    if (stored.kind === 'list') {
      const entries = entriesOf(context, filter.filter, stored.entry, inside)
      return someScalar(stored, entries, negated)
    }
    const { name, entry } = stored as StoredMany
    const draft = emit(context, filter.filter, entry, inside, false)
    if (draft === false) return negated
    return { [name]: { [negated ? 'none' : 'some']: draft === true ? {} : draft } }
  })
}

// --- Conditions on a scalar

const words: Readonly<Record<ComparisonOperator, string>> = { eq: 'equals', gt: 'gt', gte: 'gte', lt: 'lt', lte: 'lte' }
const modes: Readonly<Record<MatchMode, string>> = { prefix: 'startsWith', suffix: 'endsWith', substring: 'contains' }

/** What is said of a field that has a value, or its complement, which holds where it has none. */
function saidOf({ name, isOptional }: StoredScalar, what: PrismaWhere, negated: boolean): Draft {
  if (!negated) return { [name]: what }
  return joined('OR', [{ NOT: { [name]: what } }, isOptional && { [name]: null }])
}
const hasValue = ({ name, isOptional }: StoredScalar, negated: boolean): Draft =>
  isOptional ? { [name]: negated ? null : { not: null } } : !negated

function onScalar(context: Context, filter: Condition, stored: StoredScalar, list: string, negated: boolean): Draft {
  switch (filter.kind) {
    case 'presence':
      return hasValue(stored, negated)
    case 'comparison': {
      const asked = ask(context, filter, stored, list, filter.operator, filter.operand)
      if (typeof asked === 'boolean') return asked ? hasValue(stored, negated) : negated
      return saidOf(stored, { [words[asked.operator]]: asked.operand }, negated)
    }
    case 'membership': {
      const operands = filter.operands.flatMap((operand) => {
        const asked = ask(context, filter, stored, list, 'eq', operand)
        return typeof asked === 'boolean' ? [] : [asked.operand]
      })
      // Booleans have no `in`.
      const whats =
        typeof operands[0] === 'boolean'
          ? operands.map((operand) => ({ equals: operand }))
          : listsOf(stored, operands).map((list) => ({ in: list }))
      return oneOf(whats, negated, (what) => saidOf(stored, what, negated))
    }
    case 'match':
      return match(context, filter, stored, list, negated)
  }
}

/** A constant when the field's type lacks the operand, or when the context has an issue more. */
function ask(
  context: Context,
  filter: Condition,
  { storage }: StoredScalar,
  list: string,
  operator: ComparisonOperator,
  { value }: Literal,
): Exclude<Asked, undefined> {
  const asked = storage.ask(operator, value as never)
  if (asked !== undefined) return asked
  return refused(context, filter, list, 'cannot be compared with this operand as Prisma sends it')
}

function match(context: Context, filter: Match, stored: StoredScalar, list: string, negated: boolean): Draft {
  const { provider } = context.mapping
  const { mode, text } = filter
  if (!stored.storage.isText) return unsupported(context, filter, list, 'is not stored as text')
  const { lower } = stored
  if (lower === undefined && !provider.ignoresCase(text)) {
    return unsupported(context, filter, list, 'needs a field with its text in small letters: patterns tell cases apart')
  }
  const pattern = provider.patternOf(lower === undefined ? text : simpleLowerCase(text))
  if (pattern === undefined) return refused(context, filter, list, 'takes no pattern with this text')
  const said = { [modes[mode]]: pattern }
  return lower === undefined
    ? saidOf(stored, { ...said, ...provider.ignoringCase }, negated)
    : saidOf(lower, said, negated)
}

// --- Entries of a scalar list

/** What an entry may be: one of some operands, or any. */
type Entries = readonly unknown[] | 'any'

/** Prisma asks a scalar list for whole entries alone. */
function entriesOf(context: Context, filter: Filter, entry: StoredScalar, list: string): Entries {
  const among = (literals: readonly Literal[], condition: Condition): Entries =>
    literals.flatMap((literal) => {
      const asked = ask(context, condition, entry, list, 'eq', literal)
      return typeof asked === 'boolean' ? [] : [asked.operand]
    })
  const inEach = ({ filters }: And | Or): Entries[] => filters.map((member) => entriesOf(context, member, entry, list))
  if (filter.kind === 'presence') return 'any'
  if (filter.kind === 'membership') return among(filter.operands, filter)
  if (filter.kind === 'and') return inEach(filter).reduce(both, 'any')
  if (filter.kind === 'or') return inEach(filter).reduce(either, [])
  if (filter.kind === 'comparison' && filter.operator === 'eq') return among([filter.operand], filter)
  // Another operator fails in every query: the mapping is at fault. A complement fails only inside a group on the entry.
  const refuse = filter.kind === 'not' ? refused : unsupported
  refuse(context, filter, list, 'is in a scalar list: Prisma compares entries by equality alone')
  return []
}
const either = (some: Entries, others: Entries): Entries =>
  some === 'any' || others === 'any' ? 'any' : [...some, ...others]
function both(some: Entries, others: Entries): Entries {
  if (some === 'any') return others
  if (others === 'any') return some
  const values = new Set(others.map(valueOf))
  return some.filter((one) => values.has(valueOf(one)))
}
const valueOf = (operand: unknown): unknown => (operand instanceof Date ? operand.getTime() : operand)

function someScalar({ name, entry }: StoredList, entries: Entries, negated: boolean): Draft {
  const whats =
    entries === 'any'
      ? [{ isEmpty: false }]
      : listsOf(entry, entries).map((list) => (list.length === 1 ? { has: list[0] } : { hasSome: list }))
  return oneOf(whats, negated, (what) =>
    negated ? { OR: [{ NOT: { [name]: what } }, { [name]: { equals: null } }] } : { [name]: what },
  )
}

// --- Size

/** Prisma reads JSON of 128 levels; where, its arguments and the types of operands are some of them. */
const mostLevels = 100

function sizeIssues(
  { provider: { mostOperands } }: Mapping,
  where: PrismaWhere,
  refusal: (message: string) => Issue,
): readonly Issue[] {
  let operands = 0
  let deepest = 0
  const count = (value: unknown, level: number): void => {
    deepest = Math.max(deepest, level)
    const isGroup = typeof value === 'object' && value !== null && !(value instanceof Date)
    if (isGroup) for (const part of Object.values(value)) count(part, level + 1)
    // NULL is written, not sent.
    else if (value !== null) operands++
  }
  count(where, 1)
  return [
    ...(operands > mostOperands ? [refusal(`Prisma sends at most ${mostOperands} operands in one statement`)] : []),
    ...(deepest > mostLevels
      ? [refusal(`the filter nests deeper than the ${mostLevels} levels that Prisma reads`)]
      : []),
  ]
}
