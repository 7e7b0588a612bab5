/** Issues as data, the error that carries them, and their picture. Re-exports only. */
export {
  FilterError,
  issueCodes,
  report,
  textOf,
  type Fault,
  type Finding,
  type Issue,
  type IssueCode,
  type Issues,
  type QueryText,
  type Span,
  type Wording,
} from './issue.ts'
export { formatIssue } from './picture.ts'
export { printable, quoteName, secretStart } from './secrets.ts'
