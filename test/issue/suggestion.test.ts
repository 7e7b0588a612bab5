/** Suggestions: each edit by hand, and the law of all of them. */
import { expect, test } from 'vitest'
import { applied } from './suggestions.ts'
import { issuesOf, key, edits } from './suggestion.fixture.ts'

test.each(edits)('%s', (text, [start, end], insert, edited) => {
  const [issue] = issuesOf(text)
  expect(issue!.suggestion).toEqual({ span: { start, end }, insert })
  expect(applied(text, issue!.suggestion!)).toBe(edited)
  expect(issuesOf(edited)).toEqual([])
})

test.each([
  'total=5..10',
  // The whole operand would be written again.
  `key={${key}}`,
  `key=${key.replaceAll('-', '')}`,
  `key=urn:uuid:${key.replaceAll('-', '')}`,
  `key=urn:uuid:${key}-`,
  'serial=1e3',
  'serial=007',
  'money=1e3',
  'money=.5',
  'seller[like]=%25jo%25',
  'seller~jo*',
  '$expand=items($filter=price gt 3)',
  'fields=id;bogus',
  'total=in.(5,6)',
  'or=(status=paid,status[]=held)',
  'tags[]=a,b',
  '$filter=total gt 5',
  'page=2',
  'seller=a&seller=b',
  'seller[contains]=%00',
  'cursor=abc',
  'total[contains]=5',
  'total=1+2+3',
  'total=gte.x',
  'total=in.5,x',
  'total=between:1,2,3',
  'sort=total:desc,nope:asc',
  '_fields=id,nope',
  '_sort=total&_order=desc',
  'apiKey=%',
  'apiKey',
])('%s: no one edit keeps its operands', (text) => {
  const issues = issuesOf(text)
  expect(issues).not.toEqual([])
  expect(issues.filter(({ suggestion }) => suggestion !== undefined)).toEqual([])
})
