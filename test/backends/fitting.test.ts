/** Operands between two values of a store. Each line is worked out by hand. */
import { expect, test } from 'vitest'
import {
  fittedBigint,
  fittedDecimal,
  fittedMoment,
  fittedReal,
  fittedScaled,
  fittedSecond,
  type Fitted,
} from '../../src/backends/fitting.ts'

const operators = ['eq', 'gt', 'gte', 'lt', 'lte'] as const
const all = (fitted: (operator: (typeof operators)[number]) => Fitted<string | number>) =>
  operators.map((operator) => {
    const made = fitted(operator)
    return typeof made === 'boolean' ? made : `${made.operator} ${made.value}`
  })
const same = (value: string | number) => operators.map((operator) => `${operator} ${value}`)
const above = (value: string | number) => [false, `gt ${value}`, `gt ${value}`, `lte ${value}`, `lte ${value}`]
const below = (value: string | number) => [false, `gte ${value}`, `gte ${value}`, `lt ${value}`, `lt ${value}`]

test('moments in a store of whole milliseconds', () => {
  const at = (rest: string) => `2024-01-31T10:00:00${rest}`
  expect(all((operator) => fittedMoment(operator, at('.123Z')))).toEqual(same(at('.123Z')))
  expect(all((operator) => fittedMoment(operator, at('.123456Z')))).toEqual(above(at('.123Z')))
})
test('moments in a store of whole seconds', () => {
  const at = (rest: string) => `2024-01-31T10:00:00${rest}`
  expect(all((operator) => fittedSecond(operator, at('.000Z')))).toEqual(same(at('.000Z')))
  expect(all((operator) => fittedSecond(operator, at('.001Z')))).toEqual(above(at('.000Z')))
  expect(all((operator) => fittedSecond(operator, at('.000001Z')))).toEqual(above(at('.000Z')))
})
const [float, greatest] = [12.300000190734863, 3.4028234663852886e38]
test.each([
  [0.5, same(0.5)],
  [12.3, same(float)],
  // The float is read as 12.3: the longer decimal of its double equals no value.
  [float, above(float)],
  [12.3000001, above(float)],
  [12.2999999, below(float)],
  [-12.3000001, below(-float)],
  [3.4028235e38, same(greatest)],
  [1e300, [false, false, false, true, true]],
  [-1e300, [false, true, true, false, false]],
  [1e-60, above(0)],
  [-1e-60, below(0)],
])('the number %f in a store of floats', (number, expected) =>
  expect(all((operator) => fittedReal(operator, number))).toEqual(expected),
)
test.each([
  ['1.5', 2, same('1.5')],
  ['1.25', 2, same('1.25')],
  ['1.255', 2, above('1.25')],
  ['-1.255', 2, below('-1.25')],
  ['1.005', 2, above('1')],
  ['0.001', 2, above('0')],
  ['-0.001', 2, below('0')],
  ['1.5', 0, above('1')],
  ['-1.5', 0, below('-1')],
  ['7', 0, same('7')],
])('the decimal %s in a store of %i digits', (text, digits, expected) =>
  expect(all((operator) => fittedDecimal(operator, text, digits))).toEqual(expected),
)
const beyond = (isAbove: boolean) => [false, !isAbove, !isAbove, isAbove, isAbove]
test.each([
  ['1.5', 2, same('150')],
  ['0.05', 2, same('5')],
  ['-0.5', 2, same('-50')],
  ['0', 2, same('0')],
  ['1.255', 2, above('125')],
  ['-1.255', 2, below('-125')],
  ['92233720368547758.07', 2, same('9223372036854775807')],
  ['92233720368547758.08', 2, beyond(true)],
  ['-92233720368547758.08', 2, same('-9223372036854775808')],
  ['-92233720368547758.09', 2, beyond(false)],
  ['1', 18, same('1000000000000000000')],
  ['10', 18, beyond(true)],
])('the decimal %s as an integer with %i digits of it', (text, digits, expected) =>
  expect(all((operator) => fittedScaled(operator, text, digits))).toEqual(expected),
)
test('whole numbers in a store of 64 bits', () => {
  expect(all((operator) => fittedBigint(operator, '9223372036854775807'))).toEqual(same('9223372036854775807'))
  expect(all((operator) => fittedBigint(operator, '9223372036854775808'))).toEqual(beyond(true))
  expect(all((operator) => fittedBigint(operator, '-9223372036854775809'))).toEqual(beyond(false))
})
