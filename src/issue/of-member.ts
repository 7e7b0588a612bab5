/** Issues of an object: each names the member at fault in place of a piece of a text. */
import { own, ownOf } from '../own.ts'
import type { Issue } from './issue.ts'
import type { Advice, Span } from './parameters.ts'
import { wordsOf } from './wording.ts'

/** The part of an object that an issue is about. */
export interface MemberPlace {
  readonly member: string
  /** The index in the value of the member. */
  readonly item: number | undefined
  /** The piece of the value, where that is a text with a grammar. */
  readonly span: Span | undefined
}

/** A hint without an advice that is about the marks of a query string, which an object lacks. */
const isOfMarks = ({ code }: Issue): boolean => code === 'operand_empty'

/**
 * Turns an issue of the text that stands for an object into an issue of the object.
 *
 * @param inObject the advice as an object needs it; nothing where the advice is about marks of a text.
 */
export function issueOfMember(
  issue: Issue,
  { member, item, span }: MemberPlace,
  inObject: (advice: Advice) => readonly Advice[],
): Issue {
  const { code, fault, path, operator, parameters } = ownOf(issue)
  const advice = own(parameters as { readonly advice?: readonly Advice[] }, 'advice')
  const told = advice === undefined ? parameters : { ...parameters, advice: Object.freeze(advice.flatMap(inObject)) }
  const [message, hint] = wordsOf(code, told as never)
  const isHinted = hint !== undefined && (span !== undefined || !isOfMarks(issue))
  return {
    ...{ code, fault, message, member },
    ...(item !== undefined && { item }),
    ...(span !== undefined && { span }),
    ...(isHinted && { hint }),
    ...(path !== undefined && { path }),
    ...(operator !== undefined && { operator }),
    parameters: Object.freeze(told),
  } as Issue
}
