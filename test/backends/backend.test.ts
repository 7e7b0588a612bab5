/** What backends share: what they refuse by their capabilities, and the run of the cases against them. */
import { describe, expect, test } from 'vitest'
import { and, not, or, parseFilterOrThrow, type Filter } from '../../src/index.ts'
import {
  checkSupport,
  comparison,
  count,
  kinds,
  literalTypes,
  match,
  membership,
  presence,
  some,
  type Capabilities,
  type Literal,
} from '../../src/tree.ts'
import { orders } from '../orders.ts'

describe('checkSupport', () => {
  const whole: Capabilities = { kinds, types: literalTypes, features: [], preconditions: [] }
  const nothing: Capabilities = { ...whole, kinds: [], types: [] }
  const noTypes: Capabilities = { ...whole, types: [] }
  const number: Literal = { type: 'number', value: 1 }
  const text: Literal = { type: 'string', value: 'x' }
  const refused = (filter: Filter, capabilities: Capabilities) =>
    checkSupport(filter, capabilities).map(({ message }) => message.replace('this backend has no ', ''))

  test.each<[what: string, filter: Filter, ofKinds: readonly string[], ofTypes: readonly string[]]>([
    ['comparison', comparison(['a'], 'eq', number), ['comparison'], ['number']],
    ['membership', membership(['a'], [text, text]), ['membership'], ['string']],
    ['membership in nothing, which is of no type', membership(['a'], []), ['membership'], []],
    ['match', match(['a'], 'prefix', 'x'), ['match'], ['string']],
    ['presence', presence(['a'], 'date'), ['presence'], ['date']],
    ['presence of an object, which is no literal', presence(['a'], 'object'), ['presence'], []],
    ['count', count(['a'], 'date', 'gte', 1), ['count'], ['date']],
    ['count of objects', count(['a'], 'object', 'lte', 1), ['count'], []],
    ['true', and(), ['and'], []],
    ['false', or(), ['or'], []],
    ['not', not(or()), ['or', 'not'], []],
    ['some', some(['a'], presence([], 'object')), ['presence', 'some'], []],
    [
      'groups, after their members',
      and(or(comparison(['a'], 'eq', number), not(match(['a'], 'suffix', 'x'))), or()),
      ['comparison', 'match', 'not', 'or', 'or', 'and'],
      ['number', 'string'],
    ],
  ])('%s', (_, filter, ofKinds, ofTypes) => {
    const kindsRefused = ofKinds.map((kind) => `filters of kind ${kind}`)
    const typesRefused = ofTypes.map((type) => `${type} values`)
    expect(refused(filter, whole)).toEqual([])
    expect(refused(filter, noTypes)).toEqual(typesRefused)
    expect(refused(filter, { ...whole, kinds: [] })).toEqual(kindsRefused)
    expect(refused(filter, nothing).toSorted()).toEqual([...kindsRefused, ...typesRefused].toSorted())
  })

  test('an issue has the span of its node, where it has one', () => {
    const issue = (message: string) => ({
      code: 'backend_unsupported',
      fault: 'server',
      message: `this backend has no ${message}`,
      parameters: expect.anything() as unknown,
    })
    const noMatch = { ...whole, kinds: kinds.filter((kind) => kind !== 'match') }
    const read = parseFilterOrThrow(orders, 'total=1&seller[contains]=x')
    expect(checkSupport(read, noMatch)).toStrictEqual([
      { ...issue('filters of kind match'), span: { start: 8, end: 26 } },
    ])
    expect(checkSupport(match(['a'], 'prefix', 'x'), noMatch)).toStrictEqual([issue('filters of kind match')])
  })

  test('a value other than a filter is a TypeError', () => {
    expect(() => checkSupport(undefined as never, whole)).toThrow(new TypeError('filter must be a filter'))
  })
})
