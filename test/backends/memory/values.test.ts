/** Predicates over values do no more work than they need: what is compared, parsed and made, and how often. */
import { describe, expect, test, vi } from 'vitest'
import type { ComparisonOperator, Literal, Presence } from '../../../src/ast/index.ts'
import { comparison, match, membership } from '../../../src/backends/memory/values.ts'

const literal = (type: Literal['type'], value: Literal['value']) => ({ type, value }) as Literal
const compares = (operator: ComparisonOperator, operand: Literal) =>
  comparison({ kind: 'comparison', path: [], operator, operand })
const isOneOf = (type: Literal['type'], values: readonly Literal['value'][]) =>
  membership({ kind: 'membership', path: [], operands: values.map((value) => literal(type, value)) })

/** How often a function is called meanwhile. */
function callsOf<Owner extends object>(owner: Owner, name: keyof Owner & string, work: () => void): number {
  const spy = vi.spyOn(owner, name as never)
  try {
    work()
    return spy.mock.calls.length
  } finally {
    spy.mockRestore()
  }
}

describe('operands', () => {
  const made = (work: () => void) => callsOf(JSON, 'parse', work)
  const equals = (value: Literal['value']) => compares('eq', literal(typeof value as 'string', value))
  test('a short text is made once, a longer one each time', () => {
    const [ten, eleven] = ['ten units!', 'eleven unit']
    expect(made(() => equals(ten))).toBe(1)
    expect(made(() => equals(ten))).toBe(0)
    expect(made(() => equals(eleven))).toBe(1)
    expect(made(() => equals(eleven))).toBe(1)
    expect(made(() => isOneOf('string', ['this one', 'that one']))).toBe(2)
    expect(made(() => isOneOf('string', ['that one', 'this one']))).toBe(0)
  })
  test('longer texts take no short one’s place', () => {
    equals('short')
    for (let at = 0; at < 2_000; at++) equals(`a longer text, ${at}`)
    expect(made(() => equals('short'))).toBe(0)
  })
  test('numbers and booleans are taken as they are', () => {
    expect(made(() => isOneOf('number', [1, 2, 3]))).toBe(0)
    expect(made(() => isOneOf('integer', [1]))).toBe(0)
    expect(made(() => isOneOf('boolean', [true]))).toBe(0)
  })

  // One for each operand would be read by one comparison after the other; a Set is asked once.
  test.each([
    ['short texts', 10, (at: number) => `0123456${100 + at}`],
    ['texts', 4, (at: number) => `01234567${100 + at}`],
    ['numbers', 10, (at: number) => at],
  ])('up to some %s, %i, are compared one by one; more are a Set', (_, most, operandAt) => {
    for (const count of [1, 2, most, most + 1]) {
      const operands = Array.from({ length: count }, (_, at) => operandAt(at))
      const matches = isOneOf(typeof operands[0] as 'string', operands)
      const asked = callsOf(Set.prototype, 'has', () => expect(matches(operands.at(-1))).toBe(true))
      expect(asked).toBe(count > most ? 1 : 0)
      expect(matches(operandAt(count))).toBe(false)
    }
  })
  test('one longer text among short ones is compared as all longer ones', () => {
    const operands = ['a', 'b', 'c', 'd', 'a longer text']
    const matches = isOneOf('string', operands)
    expect(callsOf(Set.prototype, 'has', () => matches('d'))).toBe(1)
  })
})

describe('days', () => {
  test.each(['eq', 'gt', 'gte', 'lt', 'lte'] as const)('%s needs no start for text, and finds it once', (operator) => {
    const day = '2019-03-07'
    const matches = compares(operator, literal('date', day))
    const parsed = (...values: unknown[]) => callsOf(Date, 'parse', () => values.forEach(matches))
    const date = new Date('2019-03-07T12:00:00.000Z')
    expect([parsed(day, '2019-03-08'), parsed(date), parsed(date, null)]).toEqual([0, 1, 0])
    expect(matches(date)).toBe(operator === 'eq' || operator.endsWith('e'))
  })
  test('and is that of its own day, not of another', () => {
    const days = Array.from({ length: 3_000 }, (_, at) =>
      new Date(Date.UTC(2000, 0, 1 + at)).toISOString().slice(0, 10),
    )
    for (const day of [...days, ...days]) {
      const matches = compares('eq', literal('date', day))
      const start = Date.parse(day)
      expect([start - 1, start, start + 86_399_999, start + 86_400_000].map((at) => matches(new Date(at)))).toEqual([
        ...[false, true, true, false],
      ])
    }
  })
})

describe('moments', () => {
  const date = new Date('2024-01-02T00:00:00.000Z')
  const canonical = date.toISOString()
  const predicates = () => [
    ...(['eq', 'gt', 'gte', 'lt', 'lte'] as const).map((operator) =>
      compares(operator, literal('datetime', canonical)),
    ),
    isOneOf('datetime', [canonical, '2024-01-03T00:00:00.000Z']),
  ]
  test('canonical text is compared as it is; other forms are parsed', () => {
    const all = predicates()
    const parsed = (text: string) => callsOf(Date, 'parse', () => all.forEach((matches) => matches(text)))
    expect(parsed(canonical)).toBe(0)
    // The operands of the five comparisons too, once.
    expect(parsed('2024-01-02T00:00:00.00Z')).toBe(all.length + 5)
    for (const other of ['2024-01-02T00:00:00.000z', '2024-01-02t00:00:00.000Z', '2024-01-02T00:00:00Z'])
      expect(parsed(other)).toBe(all.length)
  })
  test('a Date is taken for one by its constructor, without a look at its prototypes', () => {
    const all = [...predicates(), compares('gte', literal('date', '2024-01-01'))]
    const looks = (value: unknown) => {
      let count = 0
      const look = (other: unknown): boolean => {
        count++
        return Date.prototype.isPrototypeOf(other as object)
      }
      Object.defineProperty(Date, Symbol.hasInstance, { value: look, configurable: true })
      try {
        all.forEach((matches) => matches(value))
      } finally {
        Reflect.deleteProperty(Date, Symbol.hasInstance)
      }
      return count
    }
    class Day extends Date {}
    expect(looks(date)).toBe(0)
    expect(looks(new Day(date))).toBe(all.length)
  })
})

describe('long texts', () => {
  const long = `ab${'c'.repeat(70)}`
  const modes = ['prefix', 'suffix', 'substring'] as const
  test.each(modes)('%s: no other value has one', (mode) => {
    const matches = match({ kind: 'match', path: [], mode, text: long })
    for (const value of [undefined, null, 5, true, {}, [], [long], new Date()]) expect(matches(value)).toBe(false)
  })
  // A pattern knows the capitals of its letters.
  test.each(modes)('%s: up to 64 units are a pattern, for more the value is lower-cased', (mode) => {
    for (const [count, lowered] of [
      [64, 0],
      [65, 1],
    ] as const) {
      const text = 'x'.repeat(count)
      const matches = match({ kind: 'match', path: [], mode, text })
      matches(text)
      expect(callsOf(String.prototype, 'toLowerCase', () => matches(text))).toBe(lowered)
    }
  })
  test.each(modes)('%s: each letter counts, from the first to the last', (mode) => {
    const matches = match({ kind: 'match', path: [], mode, text: long })
    expect(matches(long)).toBe(true)
    for (const at of [0, 1, 2, 40, long.length - 1])
      expect(matches(`${long.slice(0, at)}x${long.slice(at + 1)}`)).toBe(false)
  })
})

type Values = typeof import('../../../src/backends/memory/values.ts')
let loads = 0
test('a second copy of the library, such as that of the other format, answers the same', async () => {
  const copy = (await import(/* @vite-ignore */ `../../../src/backends/memory/values.ts?${loads++}`)) as Values
  const date = new Date('2024-01-02T00:00:00.000Z')
  const moment = date.toISOString()
  const rows: Readonly<Record<Literal['type'], readonly unknown[]>> = {
    // Below, equal, above; and what is none.
    string: ['a', 'b', 'c', 1],
    integer: [1, 2, 3, '2'],
    number: [1.5, 2.5, 3.5, '2.5'],
    boolean: [true, false, true, 0],
    date: ['2024-01-01', '2024-01-02', '2024-01-03', 2],
    datetime: ['2024-01-01T00:00:00.000Z', moment, '2024-01-03T00:00:00.000Z', 2],
  }
  const path: readonly string[] = []
  const selected = { eq: [1], gt: [2], gte: [1, 2], lt: [0], lte: [0, 1] }
  const of = (matches: (value: unknown) => boolean, values: readonly unknown[]) =>
    values.flatMap((value, at) => (matches(value) ? [at] : []))
  for (const [type, values] of Object.entries(rows)) {
    const operand = literal(type as 'string', values[1] as string)
    for (const [operator, expected] of Object.entries(selected)) {
      if (type === 'boolean' && operator !== 'eq') continue
      const matches = copy.comparison({ kind: 'comparison', path, operator: operator as 'eq', operand })
      expect(of(matches, values), `${type} ${operator}`).toEqual(expected)
      if (type.startsWith('date')) expect(matches(date), `Date ${operator}`).toBe(expected.includes(1))
    }
    const isOne = copy.membership({ kind: 'membership', path, operands: [operand, operand] })
    expect(of(isOne, values)).toEqual([1])
    if (type.startsWith('date')) expect([isOne(date), isOne(new Date(0))]).toEqual([true, false])
    const isThere = copy.presence({ kind: 'presence', path, type: type as Presence['type'] })
    expect(of(isThere, [...values, null, {}])).toEqual([0, 1, 2])
    expect(isThere(date)).toBe(type.startsWith('date'))
  }
  // By code point U+E000 comes before U+1F600, by UTF-16 unit after it.
  for (const [operator, expected] of Object.entries({ ...selected, eq: [0], gt: [1], gte: [0, 1], lt: [], lte: [0] })) {
    const operand = literal('string', '\ue000')
    const matches = copy.comparison({ kind: 'comparison', path, operator: operator as 'eq', operand })
    expect(of(matches, ['\ue000', '\u{1f600}', 5]), operator).toEqual(expected)
  }
  // Longer than a pattern may be, and shorter.
  for (const text of ['ab', 'ab'.repeat(50)]) {
    const values = [`${text}c`, `c${text}`, `c${text}c`, 5]
    const modes = { prefix: [0], suffix: [1], substring: [0, 1, 2] }
    for (const [mode, expected] of Object.entries(modes))
      expect(of(copy.match({ kind: 'match', path, mode: mode as 'prefix', text }), values), mode).toEqual(expected)
  }
  const isObject = copy.presence({ kind: 'presence', path, type: 'object' })
  expect(of(isObject, [{}, [], date, null, 'x'])).toEqual([0])
  const five = Array.from({ length: 5 }, (_, at) => literal('number', at))
  expect(callsOf(Set.prototype, 'has', () => copy.membership({ kind: 'membership', path, operands: five })(4))).toBe(0)
})
