import { expect, test, vi } from 'vitest'
import { FilterError, issueCodes, type Issue } from '../../src/index.ts'
import { report, textOf, type Finding } from '../../src/issue/issue.ts'
import { hintOf } from '../../src/issue/wording.ts'

const unknown = { problem: 'name', name: 'x', advice: [] } as const
const issue = (start: number, end: number): Issue => ({
  code: 'field_unknown',
  fault: 'client',
  message: 'm',
  parameters: unknown,
  span: { start, end },
})

test('FilterError carries its issues, the first in its message', () => {
  const one = new FilterError([issue(0, 1)])
  expect(one.message).toBe('m')
  expect(one.issues).toHaveLength(1)
  expect(Object.prototype.toString.call(one)).toBe('[object Error]')
})

test('FilterError counts the issues that its message leaves out', () => {
  expect(new FilterError([issue(0, 1), issue(1, 2), issue(2, 3)]).message).toBe('m (and 2 more)')
})

const finding = (code: Finding['code'], start: number, end: number): Finding =>
  ({
    code,
    span: { start, end },
    parameters: { ...unknown, subject: 'x', expected: { kind: 'type' } },
  }) as never

test('findings are reported by start, end and the order of codes', () => {
  const findings = [
    finding('operand_invalid', 5, 6),
    finding('field_unknown', 0, 9),
    finding('operator_unknown', 0, 4),
    finding('field_unknown', 0, 4),
  ]
  expect(report(findings, 4).map(({ code, span }) => [code, span!.start, span!.end])).toEqual([
    ['field_unknown', 0, 4],
    ['operator_unknown', 0, 4],
    ['field_unknown', 0, 9],
    ['operand_invalid', 5, 6],
  ])
  expect(issueCodes.indexOf('field_unknown')).toBeLessThan(issueCodes.indexOf('operator_unknown'))
})

test('of too many findings only those get advice that are reported', () => {
  const advised: unknown[] = []
  const findings = Array.from({ length: 5 }, (_, at): Finding => ({
    code: 'field_unknown',
    span: { start: at, end: at + 1 },
    parameters: unknown,
  }))
  const issues = report(findings, 3, {
    begin: () => (finding) => (advised.push([finding.code, finding.span.start]), finding),
    hintOf,
  })
  expect(issues.map(({ code }) => code)).toEqual(['field_unknown', 'field_unknown', 'limit_issues'])
  expect(issues[2]).toEqual({
    code: 'limit_issues',
    fault: 'client',
    message: expect.stringContaining('5'),
    parameters: { found: 5, limit: 3 },
    span: { start: 2, end: 3 },
  })
  expect(advised).toEqual([
    ['field_unknown', 0],
    ['field_unknown', 1],
    ['limit_issues', 2],
  ])
})

test('the text of a query is a string, a URL or URLSearchParams', () => {
  expect(textOf('?a=1')).toBe('?a=1')
  expect(textOf(new URL('http://h/p?a=%zz#x'))).toBe('?a=%zz')
  expect(textOf(new URLSearchParams({ 'a[in]': '1,2' }))).toBe('a%5Bin%5D=1%2C2')
  expect(() => textOf(5 as never)).toThrow(
    new TypeError(
      'text must be a query string, a URL or a URLSearchParams, not the object that a framework makes of it',
    ),
  )
})

test('FilterError is one class, also of a second copy of the library, such as that of the other format', async () => {
  vi.resetModules()
  const copy = await import('../../src/issue/issue.ts')
  expect(copy.FilterError).toBe(FilterError)
  expect(Reflect.get(globalThis, Symbol.for('urlwhere.FilterError'))).toBe(FilterError)
  expect(copy.issueCodes).toEqual(issueCodes)
})
