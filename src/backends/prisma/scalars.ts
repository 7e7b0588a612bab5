/** Conditions on scalars and on lists of scalars. */
import { isExact, isFolded } from '../../tree/index.ts'
import type { And, ComparisonOperator, Filter, Literal, Match, MatchMode, Or } from '../../tree/index.ts'
import type { Issue } from '../../issue/index.ts'
import { own } from '../../own.ts'
import { simpleLowerCase } from '../../values/case.ts'
import { afterPrefix } from '../../values/order.ts'
import { dotted, nameOf, ofServer, refusal, type Condition } from '../issues.ts'
import { asEquality } from '../shape.ts'
import type { StoredList, StoredRow, StoredScalar } from './mapping.ts'
import { hasOneCase, type Operation, type PrismaWhere, type Provider } from './provider.ts'

/** The condition of a row. A constant stays a boolean, because Prisma has no constants inside groups. */
export type Draft = PrismaWhere | boolean

/** The start of the paths of a filter, and the issues of its conditions. */
export interface Scope {
  readonly provider: Provider
  readonly issues: Issue[]
  readonly start: StoredRow | StoredScalar
  /** The dotted path of the list whose entry is the start; '' for the row. */
  readonly list: string
}

/** Refuses a filter whose field needs another mapping. Its constant is in no `where`, because the issues are thrown. */
export function unsupported({ issues, list }: Scope, filter: Filter, what: string): false {
  const path = own(filter as Condition, 'path') ?? []
  const message = `${nameOf(list, path)} ${what}`
  const parameters = { problem: 'storage', field: nameOf(list, path) }
  issues.push(ofServer('backend_unsupported', message, filter, parameters, dotted(list, path)))
  return false
}

/** Refuses a filter that Prisma cannot run because of its operand, or because of the group around it. */
function refused({ issues, list }: Scope, filter: Filter, what: string): false {
  const path = own(filter as Condition, 'path') ?? []
  const field = nameOf(list, path)
  issues.push(refusal(`${field} ${what}`, filter, field, dotted(list, path)))
  return false
}

export function joined(word: 'AND' | 'OR', drafts: readonly Draft[]): Draft {
  const neutral = word === 'AND'
  if (drafts.includes(!neutral)) return !neutral
  const rest = drafts.filter((draft) => draft !== neutral)
  return rest.length === 0 ? neutral : rest.length === 1 ? rest[0]! : { [word]: rest }
}

/** One of several conditions, or the complement of all. */
const oneOf = (tests: readonly PrismaWhere[], negated: boolean, draftOf: (test: PrismaWhere) => Draft): Draft =>
  joined(negated ? 'AND' : 'OR', tests.map(draftOf))

/** The lists in which operands are sent. None is empty. */
const listsOf = ({ storage }: StoredScalar, operands: readonly unknown[]): readonly (readonly unknown[])[] => [
  ...Map.groupBy(operands, storage.goesApart).values(),
]

const words: Readonly<Record<ComparisonOperator, string>> = { eq: 'equals', gt: 'gt', gte: 'gte', lt: 'lt', lte: 'lte' }
const modes: Readonly<Record<Exclude<MatchMode, 'prefixExact' | 'whole'>, string>> = {
  prefix: 'startsWith',
  suffix: 'endsWith',
  substring: 'contains',
  suffixExact: 'endsWith',
  substringExact: 'contains',
}

/** A test of a field that has a value; or its complement, which is true where the field has none. */
function tested({ name, isOptional }: StoredScalar, test: PrismaWhere, negated: boolean): Draft {
  if (!negated) return { [name]: test }
  return joined('OR', [{ NOT: { [name]: test } }, isOptional && { [name]: null }])
}
const hasValue = ({ name, isOptional }: StoredScalar, negated: boolean): Draft =>
  isOptional ? { [name]: negated ? null : { not: null } } : !negated

export function onScalar(scope: Scope, condition: Condition, stored: StoredScalar, negated: boolean): Draft {
  const filter = asEquality(condition)
  switch (filter.kind) {
    case 'presence':
      return hasValue(stored, negated)
    case 'comparison': {
      if (isFolded(filter.operator)) return unsupported(scope, filter, 'is not compared in lower case by Prisma')
      const operation = operationOf(scope, filter, stored, filter.operator, filter.operand)
      if (typeof operation === 'boolean') return operation ? hasValue(stored, negated) : negated
      return tested(stored, { [words[operation.operator]]: operation.operand }, negated)
    }
    case 'membership': {
      const operands = operandsOf(scope, filter, stored, filter.operands)
      // Booleans have no `in`.
      const tests =
        typeof operands[0] === 'boolean'
          ? operands.map((operand) => ({ equals: operand }))
          : listsOf(stored, operands).map((list) => ({ in: list }))
      return oneOf(tests, negated, (test) => tested(stored, test, negated))
    }
    case 'match':
      return match(scope, filter, stored, negated)
  }
}

/** A constant where the field's type lacks the operand, or where the scope gets an issue. */
function operationOf(
  scope: Scope,
  filter: Condition,
  { storage }: StoredScalar,
  operator: ComparisonOperator,
  { value }: Literal,
): Exclude<Operation, undefined> {
  const operation = storage.operationOf(operator, value as never)
  return operation ?? refused(scope, filter, 'cannot be compared with this operand as Prisma sends it')
}

/** Those of the literals that the field's type has. */
const operandsOf = (scope: Scope, filter: Condition, stored: StoredScalar, literals: readonly Literal[]): unknown[] =>
  literals.flatMap((literal) => {
    const operation = operationOf(scope, filter, stored, 'eq', literal)
    return typeof operation === 'boolean' ? [] : [operation.operand]
  })

function match(scope: Scope, filter: Match, stored: StoredScalar, negated: boolean): Draft {
  const { provider } = scope
  const { mode, text } = filter
  if (!stored.storage.isText) return unsupported(scope, filter, 'is not stored as text')
  if (isExact(mode)) return exactMatch(scope, filter, mode, stored, negated)
  const { lower } = stored
  if (lower === undefined && !provider.ignoresCase(text)) {
    return unsupported(scope, filter, 'needs a field with its text in small letters: patterns tell cases apart')
  }
  const needle = lower === undefined ? text : simpleLowerCase(text)
  if (mode === 'whole' && (lower !== undefined || hasOneCase(text)))
    return tested(lower ?? stored, { equals: needle }, negated)
  const pattern = provider.patternOf(needle)
  if (pattern === undefined) return refused(scope, filter, noPattern)
  const test = mode === 'whole' ? provider.whole(pattern) : { [modes[mode]]: pattern }
  return lower === undefined
    ? tested(stored, { ...test, ...provider.ignoringCase }, negated)
    : tested(lower, test, negated)
}

const noPattern = 'takes no pattern with this text'

/** A match that compares case. A range is exact where a pattern ignores case, and an index serves it. */
function exactMatch(
  scope: Scope,
  filter: Match,
  mode: Extract<MatchMode, `${string}Exact`>,
  stored: StoredScalar,
  negated: boolean,
): Draft {
  const { provider } = scope
  const { text } = filter
  if (text === '') return hasValue(stored, negated)
  if (mode === 'prefixExact') {
    const after = afterPrefix(text)
    return tested(stored, { gte: text, ...(after !== undefined && { lt: after }) }, negated)
  }
  if (!provider.mindsCase(text))
    return refused(scope, filter, 'has letters to find by case, which patterns ignore here')
  const pattern = provider.patternOf(text)
  if (pattern === undefined) return refused(scope, filter, noPattern)
  return tested(stored, { [modes[mode]]: pattern }, negated)
}

// --- Lists of scalars

/** The values of an entry that satisfy a filter: some operands, or all. */
type Entries = readonly unknown[] | 'any'

/** Whether a list has an entry for which a filter holds. */
export function onScalarList(scope: Scope, filter: Filter, { name, entry }: StoredList, negated: boolean): Draft {
  const entries = entriesOf(scope, filter, entry)
  const tests =
    entries === 'any'
      ? [{ isEmpty: false }]
      : listsOf(entry, entries).map((list) => (list.length === 1 ? { has: list[0] } : { hasSome: list }))
  return oneOf(tests, negated, (test) =>
    negated ? { OR: [{ NOT: { [name]: test } }, { [name]: { equals: null } }] } : { [name]: test },
  )
}

/** Prisma compares whole entries of a scalar list alone. */
function entriesOf(scope: Scope, filter: Filter, entry: StoredScalar): Entries {
  const inEach = ({ filters }: And | Or): Entries[] => filters.map((member) => entriesOf(scope, member, entry))
  if (filter.kind === 'presence') return 'any'
  if (filter.kind === 'membership') return operandsOf(scope, filter, entry, filter.operands)
  if (filter.kind === 'and') return inEach(filter).reduce(both, 'any')
  if (filter.kind === 'or') return inEach(filter).reduce(either, [])
  if (filter.kind === 'comparison' && filter.operator === 'eq')
    return operandsOf(scope, filter, entry, [filter.operand])
  // Another operator fails in every query: the mapping is at fault. A complement fails only inside a group on the entry.
  const refuse = filter.kind === 'not' ? refused : unsupported
  refuse(scope, filter, 'is in a scalar list: Prisma compares entries by equality alone')
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
