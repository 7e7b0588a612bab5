/** Days of a datetime field → moments, for a text whose reader has another time zone. */
import type { Filter } from '../tree/index.ts'
import { operatorNamed, wholeDay, type Operand, type OperatorName, type Target } from '../language/index.ts'
import { conditionsIn, isZoneForm, newCondition, newGroup } from '../query/index.ts'
import type { BoundCondition, BoundMember } from '../query/index.ts'

/** Whether the reader of a text parses the operand from its text. */
export type Readable = (operand: Operand) => boolean

const isDayOfUtc: Readable = (operand) => {
  if (operand.type !== 'day') return true
  const { from, until } = operand
  const day = from && wholeDay(String(from.value).slice(0, 10))
  return day !== undefined && day.from!.value === from!.value && day.until?.value === until?.value
}

/** @param timeZone the time zone of the reader of the text. Default: UTC. */
export function readableIn(timeZone: string | undefined): Readable {
  if (timeZone !== undefined && !isZoneForm(timeZone))
    throw new TypeError('options.timeZone must be the name of a time zone')
  return timeZone === undefined || /^(?:etc\/)?utc$/i.test(timeZone) ? isDayOfUtc : ({ type }) => type !== 'day'
}

/** Converts a condition on days to members with moments; `undefined` if a text cannot contain them, as before year 1. */
export function inMoments(condition: BoundCondition, isReadable: Readable): readonly BoundMember[] | undefined {
  const { complement, lower } = operatorNamed.get(condition.operator)!
  const members = membersFor(lower(condition, condition.operands), condition)
  if (members?.flatMap(conditionsIn).every(({ operands }) => operands.every(isReadable)) !== true) return undefined
  return complement ? [newGroup('not', members)] : members
}

/** The last day that a datetime can have. */
export const lastDay = /* @__PURE__ */ wholeDay('9999-12-31')

function membersFor(filters: readonly Filter[], target: Target): readonly BoundMember[] | undefined {
  const members = filters.map((filter) => memberFor(filter, target))
  return members.every((member) => member !== undefined) ? members : undefined
}

/** Converts a filter that operators lower to back to a member. No operator lowers to a comparison in lower case. */
function memberFor(filter: Filter, target: Target): BoundMember | undefined {
  const condition = (name: OperatorName, operands: readonly Operand[]) =>
    newCondition(target, operatorNamed.get(name)!, operands)
  switch (filter.kind) {
    case 'comparison':
      return condition(filter.operator === 'eq' ? 'equals' : (filter.operator as 'gt'), [filter.operand])
    case 'membership':
      return filter.operands.length === 0 ? condition('gt', [lastDay]) : condition('in', filter.operands)
    case 'presence':
      return condition('exists', [Object.freeze({ type: 'boolean', value: true })])
    case 'some':
      return inEntry(filter.filter, target)
    case 'and':
    case 'or': {
      if (target.lists.length > 0) return inEntry(filter, target)
      const members = membersFor(filter.filters, target)
      return members && newGroup(filter.kind, members)
    }
    default:
      return undefined
  }
}

/** Returns the group `some` of an entry of the innermost list that satisfies a filter. */
function inEntry(filter: Filter, { lists, path, literal }: Target): BoundMember | undefined {
  const members = membersFor(filter.kind === 'and' ? filter.filters : [filter], {
    lists: Object.freeze([]),
    path,
    literal,
  })
  return members && newGroup('some', members, lists)
}
