/** Issues of an object: each names a member in place of a span. */
import { own, ownOf } from '../own.ts'
import type { Adviser, Issue } from './issue.ts'
import type { Advice, Span } from './parameters.ts'

/** The part of an object with the fault. */
export interface MemberPlace {
  readonly member: string
  /** The index of the item, where the value of the member is an array. */
  readonly item: number | undefined
  /** The span in the value, where the value is a group or a search. */
  readonly span: Span | undefined
}

/** Whether the hint of an issue explains `&`, `=` or `,` of a query string: an object has none of these. */
const isOfMarks = ({ code }: Issue): boolean => code === 'operand_empty'

/** How advice about a text becomes advice about an object. */
interface MemberAdviser extends Pick<Adviser, 'hintOf'> {
  /** Returns none for advice about escapes and commas. */
  readonly inObject: (advice: Advice) => readonly Advice[]
}

/** Turns an issue of a text that is written for an object into an issue of the object. */
export function issueOfMember(issue: Issue, { member, item, span }: MemberPlace, adviser?: MemberAdviser): Issue {
  const { code, fault, message, path, operator, parameters } = ownOf(issue)
  const advice = adviser && own(parameters as { readonly advice?: readonly Advice[] }, 'advice')
  const whole =
    advice === undefined ? parameters : { ...parameters, advice: Object.freeze(advice.flatMap(adviser!.inObject)) }
  const hint = adviser?.hintOf(code, whole as never)
  const isHinted = hint !== undefined && (span !== undefined || !isOfMarks(issue))
  return {
    code,
    fault,
    message,
    member,
    ...(item !== undefined && { item }),
    ...(span !== undefined && { span }),
    ...(isHinted && { hint }),
    ...(path !== undefined && { path }),
    ...(operator !== undefined && { operator }),
    parameters: Object.freeze(whole),
  } as Issue
}
