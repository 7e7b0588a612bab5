/** What the tests of pictures and of secrets share. */
import { formatIssue, parseFilter, type Issue } from '../../src/index.ts'
import { issuesIn } from '../issues.ts'
import { orders } from '../orders.ts'

export const reserved = ['apiKey']
/** The pictures of a text's issues. */
export const pictures = (text: string): readonly string[] =>
  issuesIn(parseFilter(orders, text, { reserved })).map((issue) => formatIssue(text, issue, { reserved }))
export const issue = (start: number, end: number): Issue => ({
  code: 'field_unknown',
  fault: 'client',
  message: 'm',
  parameters: { problem: 'name', name: null, advice: [] },
  span: { start, end },
})
