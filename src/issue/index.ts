/** Issues as data, the error that carries them, and their picture. Re-exports only. */
export {
  FilterError,
  freeze,
  issueAt,
  issueCodes,
  report,
  textOf,
  type Adviser,
  type Facts,
  type Finding,
  type Issue,
  type IssueCode,
  type IssueOf,
  type Issues,
  type QueryText,
  type Suggestion,
} from './issue.ts'
export type { Advice, ExpectedParameter, IssueParameters, Span, WriteAdvice } from './parameters.ts'
export { formatIssue } from './picture.ts'
export { printable, quoteName, secretStart, shownName } from './secrets.ts'
export { hintOf, namesOf } from './wording.ts'
export {
  syntaxProblems,
  type OperandForm,
  type PlainAdvice,
  type QuoteProblem,
  type SyntaxProblem,
  type WriteReason,
} from './words.ts'
