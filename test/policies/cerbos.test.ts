/** Plans of Cerbos: the rows that each operator selects, with and without `!`, and the plans that are refused. */
import { describe, expect, test } from 'vitest'
import { memoryBackend } from '../../src/backends/memory/index.ts'
import { and, or } from '../../src/index.ts'
import { fromCerbos } from '../../src/policies/index.ts'
import { orders } from './orders.ts'

const rows = [
  {
    id: 1,
    tenant: 'a',
    name: 'x',
    total: 1,
    open: true,
    tags: ['p', 'q'],
    at: '2024-01-01T00:00:00.000Z',
    items: [{ price: 1 }],
  },
  {
    id: 2,
    tenant: 'a',
    name: 'xy',
    total: 5,
    open: false,
    tags: ['p'],
    at: '2024-01-01T00:00:00.001Z',
    items: [{ price: 5 }, {}],
  },
  { id: 3, tenant: 'b', name: null, total: null, open: null, tags: null, at: null, items: null },
  { id: 4, tenant: 'b', tags: [], items: [] },
]

const call = (operator: string, ...operands: object[]) => ({ operator, operands })
const attr = (path: string) => ({ name: `request.resource.attr.${path}` })
const variable = (name: string) => ({ name })
const value = (constant: unknown) => ({ value: constant })
const not = (operand: object) => call('not', operand)
const at = (operand: object) => call('timestamp', operand)
const lambda = (body: object) => call('lambda', body, variable('e'))
const planOf = (condition: unknown) => ({ kind: 'KIND_CONDITIONAL', condition })
const idsOf = (plan: object) => rows.filter(memoryBackend().compile(fromCerbos(orders, plan))).map(({ id }) => id)

const isX = call('eq', attr('name'), value('x'))
const moment = (text: string) => at(value(text))

test.each<[condition: object, is: number[], isNot: number[]]>([
  [isX, [1], [2]],
  [call('eq', value('x'), attr('name')), [1], [2]],
  [call('ne', attr('name'), value('x')), [2], [1]],
  [call('lt', attr('total'), value(5)), [1], [2]],
  [call('lt', value(1), attr('total')), [2], [1]],
  [call('le', attr('total'), value(1)), [1], [2]],
  [call('gt', attr('total'), value(1)), [2], [1]],
  [call('ge', value(1), attr('total')), [1], [2]],
  [call('in', attr('name'), value(['x', 'z'])), [1], [2]],
  [call('in', attr('name'), value([])), [], [1, 2]],
  [call('contains', attr('name'), value('y')), [2], [1]],
  [call('startsWith', attr('name'), value('x')), [1, 2], []],
  [call('endsWith', attr('name'), value('')), [1, 2], []],
  [attr('open'), [1], [2]],
  [call('ne', attr('open'), value(true)), [2], [1]],
  [value(true), [1, 2, 3, 4], []],
  [value(false), [], [1, 2, 3, 4]],
  [call('gt', at(attr('at')), moment('2024-01-01T00:00:00Z')), [2], [1]],
  [call('le', at(attr('at')), moment('2024-01-01T01:00:00+01:00')), [1], [2]],
  // Between two microseconds.
  [call('lt', at(attr('at')), moment('2024-01-01T00:00:00.000000001Z')), [1], [2]],
  [call('ge', at(attr('at')), moment('2024-01-01T00:00:00.000000001Z')), [2], [1]],
  [call('eq', at(attr('at')), moment('2024-01-01T00:00:00.000000001Z')), [], [1, 2]],
  // One side decides, whatever the other one is.
  [call('or', isX, call('eq', attr('tenant'), value('b'))), [1, 3, 4], [2]],
  [call('and', isX, call('eq', attr('tenant'), value('a'))), [1], [2, 3, 4]],
])('%j selects %j, and its negation %j', (condition, is, isNot) => {
  expect(idsOf(planOf(condition))).toEqual(is)
  expect(idsOf(planOf(not(condition)))).toEqual(isNot)
  expect(idsOf(planOf(not(not(condition))))).toEqual(is)
})

test.each<[condition: object, is: number[]]>([
  [call('in', value('q'), attr('tags')), [1]],
  [call('hasIntersection', attr('tags'), value(['q', 'z'])), [1]],
  [call('hasIntersection', value(['p']), attr('tags')), [1, 2]],
  [call('exists', attr('tags'), lambda(call('gt', variable('e'), value('p')))), [1]],
  [call('exists', attr('items'), lambda(call('gt', variable('e.price'), value(1)))), [2]],
  [call('exists', attr('items'), lambda(not(call('gt', variable('e.price'), value(1))))), [1]],
  [not(call('all', attr('tags'), lambda(call('eq', variable('e'), value('p'))))), [1]],
  [not(call('all', attr('items'), lambda(call('gt', variable('e.price'), value(1))))), [1]],
])('%j selects %j', (condition, is) => {
  expect(idsOf(planOf(condition))).toEqual(is)
})

test('fromCerbos reads the JSON of the API', () => {
  const inJson = {
    expression: { operator: 'eq', operands: [{ variable: 'request.resource.attr.name' }, { value: 'x' }] },
  }
  const plan = { requestId: 'r', filter: { kind: 'KIND_CONDITIONAL', condition: inJson } }
  expect(fromCerbos(orders, plan)).toEqual(fromCerbos(orders, planOf(isX)))
  expect(fromCerbos(orders, { filter: { kind: 'KIND_ALWAYS_ALLOWED' } })).toEqual(and())
  expect(fromCerbos(orders, { kind: 'KIND_ALWAYS_DENIED' })).toEqual(or())
})

describe('fromCerbos refuses', () => {
  const cyclic: { operator: string; operands: object[] } = { operator: 'not', operands: [] }
  cyclic.operands.push(cyclic)
  const empty = 'rows of SQL do not tell a missing list from an empty one'

  test.each<[message: string, condition: unknown]>([
    ['plan.condition must be an operand', undefined],
    ['plan.condition must be an operand', {}],
    ['plan.condition has an operator that is refused: toString', call('toString', attr('name'))],
    ['plan.condition has an operator that is refused: matches', call('matches', attr('name'), value('x'))],
    ['plan.condition.eq must have two operands', call('eq', attr('name'))],
    ['plan.condition.not must have one operand', call('not', isX, isX)],
    ['plan.condition.and must be a list of at least one value', call('and')],
    ['plan.condition.or[1] must be true or false', call('or', isX, value(1))],
    ['must be a condition', attr('name')],
    ['begins with request.resource.attr', call('eq', variable('request.resource.id'), value('x'))],
    ['begins with request.resource.attr', call('eq', variable('request.resource.attributes'), value('x'))],
    ['begins with request.resource.attr', call('eq', value('x'), value('x'))],
    ['is not a field of the schema', call('eq', attr('other'), value('x'))],
    ['is not a field of the schema', call('eq', variable('request.resource.attr'), value('x'))],
    ['must have a constant beside the variable', call('eq', attr('name'), attr('tenant'))],
    ['must be a value of name', call('eq', attr('name'), value(null))],
    ['must be a value of name', call('ne', attr('name'), value(5))],
    ['must be a value of total', call('in', attr('total'), value(['5']))],
    ['must have a list of constants', call('in', attr('name'), value('x'))],
    ['compares price, a decimal', call('gt', attr('price'), value(5))],
    ['does not apply to customer', call('eq', attr('customer'), value('x'))],
    ['does not apply to open', call('gt', attr('open'), value(true))],
    ['does not apply to total', call('contains', attr('total'), value('x'))],
    ['must compare at and its operand in timestamp()', call('eq', attr('at'), value('2024-01-01T00:00:00.000Z'))],
    ['must compare at and its operand in timestamp()', call('gt', at(attr('at')), value('2024-01-01T00:00:00Z'))],
    ['must compare at in timestamp()', call('in', attr('at'), value(['2024-01-01T00:00:00.000Z']))],
    ['must compare day without timestamp()', call('gt', at(attr('day')), moment('2024-01-01T00:00:00Z'))],
    ['must have an RFC 3339 datetime', call('gt', at(attr('at')), moment('2024-01-01'))],
    ['must have an RFC 3339 datetime', call('gt', at(attr('at')), moment('2024-01-01t00:00:00z'))],
    ['must not compare the list tags', call('eq', attr('tags'), value('p'))],
    ['must have a list, and name is not a list', call('in', value('x'), attr('name'))],
    ['must not enter the list in request.resource.attr.items.price', call('gt', attr('items.price'), value(1))],
    ['must have a lambda', call('exists', attr('tags'), isX)],
    ['must compare a value with a variable that begins with e', call('exists', attr('tags'), lambda(isX))],
    [empty, not(call('in', value('p'), attr('tags')))],
    [empty, not(call('hasIntersection', attr('tags'), value(['p'])))],
    [empty, not(call('exists', attr('tags'), lambda(call('eq', variable('e'), value('p')))))],
    [empty, call('all', attr('tags'), lambda(call('eq', variable('e'), value('p'))))],
    ['nests deeper than 100 levels', cyclic],
  ])('%s', (message, condition) => {
    expect(() => fromCerbos(orders, planOf(condition))).toThrow(
      expect.objectContaining({ name: 'TypeError', message: expect.stringContaining(message) }),
    )
  })

  test('another kind', () => {
    expect(() => fromCerbos(orders, { kind: 'KIND_UNSPECIFIED' })).toThrow('plan.kind must be')
    expect(() => fromCerbos(orders, {})).toThrow('plan.kind must be')
    expect(() => fromCerbos(orders, undefined as never)).toThrow('plan must be a response of Cerbos')
  })
})
