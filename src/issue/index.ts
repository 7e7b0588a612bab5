/** Issues as data, the error that carries them, and their picture. Re-exports only. */
export { FilterError, freeze, issueAt, issueCodes, report, textOf } from './issue.ts'
export type { Adviser, Facts, Finding, Issue, IssueCode, IssueOf, Issues, QueryText, Suggestion } from './issue.ts'
export type { Advice, ExpectedParameter, IssueParameters, Span, WriteAdvice } from './parameters.ts'
export { formatIssue } from './picture.ts'
export { printable, quoteName, secretStart, shownName } from './secrets.ts'
export { hintOf, namesOf } from './wording.ts'
export { syntaxProblems } from './words.ts'
export type { OperandForm, PlainAdvice, QuoteProblem, SyntaxProblem, WriteReason } from './words.ts'
