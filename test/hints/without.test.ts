/** `urlwhere/parse`: the issues of `urlwhere` without hints. Expected issues are worked out by hand. */
import { describe, expect, test } from 'vitest'
import * as parsers from '../../src/index.ts'
import * as plain from '../../src/parse.ts'
import { jsonServer } from '../../src/clients/notations/index.ts'
import { issuesIn } from '../issues.ts'
import { collection, schema } from './spellings.ts'

const unknown = (name: string) => ({
  ...{ code: 'field_unknown', fault: 'client', message: `unknown field "${name}"` },
  parameters: { problem: 'name', name, advice: [] },
})

test('an issue has the found and the expected value, and no hint', () => {
  expect(plain.parseFilter(schema, 'statsu=paid&gift=1&note[in]=a,&total[gte=5')).toEqual({
    ok: false,
    reserved: new Map(),
    issues: [
      { ...unknown('statsu'), span: { start: 0, end: 6 } },
      {
        code: 'operand_invalid',
        fault: 'client',
        message: 'invalid value for gift: expected true or false',
        span: { start: 17, end: 18 },
        path: 'gift',
        operator: 'equals',
        parameters: {
          subject: 'gift',
          expected: { kind: 'type', type: 'boolean', description: 'true or false' },
          advice: [],
        },
      },
      {
        code: 'operand_empty',
        fault: 'client',
        message: 'missing list item',
        span: { start: 30, end: 30 },
        path: 'note',
        operator: 'in',
        parameters: { of: 'list', isWhole: false, allowsEmptyText: true, parameter: null },
      },
      {
        code: 'syntax_bracket',
        fault: 'client',
        message: 'unclosed bracket: "[" without "]"',
        span: { start: 36, end: 37 },
        parameters: { problem: 'unclosed_bracket', isInGroup: false, advice: [] },
      },
    ],
  })
})

test('so has one of a parameter, a member of an object, and a text of another client', () => {
  const issuesOf = (result: plain.ObjectResult | plain.QueryResult) => (result.ok ? [] : result.issues)
  const limit = {
    ...{
      code: 'parameter_invalid',
      fault: 'client',
      message: 'invalid value for limit: expected a whole number from 1 to 100',
    },
    parameters: { parameter: 'limit', expected: { kind: 'whole_number', from: 1, to: 100 }, advice: [] },
  }
  expect(issuesOf(plain.parseQuery(collection, 'limit=all'))).toEqual([{ ...limit, span: { start: 6, end: 9 } }])
  expect(issuesOf(plain.parseObject(collection, { limit: 1000, totl: 5 }))).toEqual([
    { ...limit, member: 'limit', item: undefined },
    { ...unknown('totl'), member: 'totl' },
  ])
  const notation = jsonServer
  expect(issuesOf(plain.parseQuery(collection, 'totl_gte=5', { notation }))).toMatchObject([{ code: 'field_unknown' }])
  expect(issuesOf(plain.parseQuery(collection, 'totl_gte=5', { notation }))[0]).not.toHaveProperty('hint')
})

test('valid texts mean the same, and invalid ones throw the same issues', () => {
  const text = 'or=(status=paid,total[gte]=5)&sort=-total&limit=5'
  expect(plain.parseQuery(collection, text)).toEqual(parsers.parseQuery(collection, text))
  expect(plain.parseQueryOrThrow(collection, text)).toEqual(parsers.parseQueryOrThrow(collection, text))
  expect(plain.parseFilterOrThrow(schema, 'total=5')).toEqual(parsers.parseFilterOrThrow(schema, 'total=5'))
  expect(() => plain.parseFilterOrThrow(schema, 'totl=5')).toThrow(parsers.FilterError)
  expect(() => plain.parseQueryOrThrow(collection, 'sort=totl')).toThrow('unknown field "totl"')
})

// Without the words of other APIs, brackets are an operator, and another name of an operator is unknown, whatever its operand is.
describe('where a key has words of other APIs', () => {
  const codes = (parse: typeof plain.parseQuery, text: string) =>
    issuesIn(parse(collection, text)).map(({ code, message, span }) => [code, message, span!.start])
  test.each<readonly [text: string, advised: readonly unknown[], plain: readonly unknown[]]>([
    [
      'filter[total]=5',
      [['field_unknown', 'unknown field "filter"', 0]],
      [
        ['field_unknown', 'unknown field "filter"', 0],
        ['operator_unknown', 'unknown operator "total"', 7],
      ],
    ],
    [
      'total[ge]=x',
      [
        ['operator_unknown', 'unknown operator "ge"', 6],
        ['operand_invalid', 'invalid value for total: expected a number, such as 12.5', 10],
      ],
      [['operator_unknown', 'unknown operator "ge"', 6]],
    ],
    [
      'sort=+total',
      [['field_unknown', 'unexpected "+" or space before a path', 5]],
      [['field_unknown', 'unknown field " total"', 5]],
    ],
  ])('%s', (text, advised, unadvised) => {
    expect(codes(parsers.parseQuery, text)).toEqual(advised)
    expect(codes(plain.parseQuery, text)).toEqual(unadvised)
  })
})
