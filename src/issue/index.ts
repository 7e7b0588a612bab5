/** Problems as data, their picture, and the error that carries them. Re-exports only. */
export {
  FilterError,
  formatIssue,
  issueCodes,
  printable,
  quoteName,
  report,
  secretStart,
  textOf,
  type Finding,
  type Issue,
  type IssueCode,
  type Issues,
  type QueryText,
  type Span,
  type Words,
} from './issue.ts'
