/** What rows may hold besides what the cases hold. */
import { describe, expect, test } from 'vitest'
import { byCompleteness } from '../../effort.ts'
import { matchModes } from '../../../src/tree/index.ts'
import { accepts, operatorNamed } from '../../../src/language/operators.ts'
import { memoryBackend } from '../../../src/backends/memory/index.ts'
import { and, not, or, parseFilterOrThrow, type Filter } from '../../../src/index.ts'
import { comparison, match } from '../../../src/tree.ts'
import { schema, predicatesOf, answer } from './evaluate.fixture.ts'

const inFunctions = (filter: Filter) => [memoryBackend({ codegen: false }).compile(filter)]

/** Every operator on every field, so that every test of a value is met. */
const everyQuery = [...schema.paths.values()].flatMap((field) =>
  [...operatorNamed.values()].flatMap((operator) => {
    const { name, type } = field
    if (!accepts(field, operator)) return []
    const operand = {
      json: 'true',
      record: 'true',
      string: 'x',
      enumeration: 'a',
      uuid: '00000000-0000-4000-8000-00000000000a',
      bigint: '9007199254740993',
      decimal: '0.5',
      integer: '1',
      number: '1',
      boolean: 'true',
      date: '2024-01-01',
      datetime: '2024-01-01T00:00:00Z',
      time: '09:30:00',
      object: '',
    }[type]
    const operands = {
      one: operator.operandKind === 'flag' ? 'true' : operator.operandKind === 'count' ? '2' : operand,
      two: `${operand},${operand}`,
      list: operand,
    }
    return [`${name}[${operator.name}]=${operands[operator.operands]}`]
  }),
)

describe('never throws', () => {
  class Order {
    text = 'x'
    #secret = 1
    get count() {
      return this.#secret
    }
  }
  const odd: unknown[] = [
    undefined,
    null,
    true,
    0,
    -0,
    NaN,
    Infinity,
    1n,
    '',
    'x',
    '\ud800',
    Symbol('x'),
    () => 1,
    [],
    [[]],
    [null],
    [undefined],
    new Array(3),
    {},
    Object.create(null),
    new Date(),
    new Date(NaN),
    new Date(8.64e15),
    new Order(),
    new Map([['text', 'x']]),
    new Set([1]),
    /x/,
    new Error('x'),
    new Uint8Array(2),
    new String('x'),
    new Number(1),
    new Boolean(true),
    new Proxy({}, {}),
    Object.create(Date.prototype),
    { [Symbol.toStringTag]: 'Date' },
    { length: 1, 0: 'x' },
    Promise.resolve(),
    new WeakMap(),
    globalThis,
    Object.freeze({ text: 'x' }),
    { toString: null, valueOf: null },
    { toJSON: () => 'x' },
    'a'.repeat(100_000),
  ]
  test('on any value, at any place', () => {
    const predicates = everyQuery.flatMap((query) => predicatesOf(parseFilterOrThrow(schema, query)))
    for (const value of odd) {
      const fields = [...schema.paths.keys()].filter((name) => !name.includes('.'))
      const rows = [
        value,
        Object.fromEntries(fields.map((name) => [name, value])),
        Object.fromEntries(fields.map((name) => [name, [value, [value]]])),
        {
          inner: { text: value, length: value },
          entries: [{ text: value, tags: value }, { tags: [value] }],
          constructor: { name: value },
        },
      ]
      for (const row of rows) for (const matches of predicates) expect(typeof matches(row)).toBe('boolean')
    }
  })
})

describe('groups', () => {
  const equals = (text: string) => comparison(['text'], 'eq', { type: 'string', value: text })
  test('of no member, of one, of few and of more than the stack has room for', () => {
    for (const count of [0, 1, 2, 8, 9, 20_000]) {
      const members = Array.from({ length: count }, (_, at) => equals(`t${at}`))
      const last = { text: `t${count - 1}` }
      // To compile code of so many members costs a second.
      const made = count < 100 ? predicatesOf : byCompleteness(predicatesOf, inFunctions)
      for (const matches of made(or(...members))) {
        expect([matches(last), matches({ text: 'x' })]).toEqual([count > 0, false])
      }
      for (const matches of made(and(...members.map((member) => not(member))))) {
        expect([matches(last), matches({ text: 'x' })]).toEqual([count === 0, true])
      }
    }
  })
})

describe('match', () => {
  test('a long text is looked for as a short one is: repeated beginnings, and all of a value', () => {
    const random = (length: number, letters: number) =>
      Array.from({ length }, () => 'abAB'.charAt(Math.floor(Math.random() * letters))).join('')
    for (let round = 0; round < 400; round++) {
      // Few letters: texts begin again within themselves, and values nearly have them.
      const text =
        random(1 + (round % 8), 2)
          .repeat(40)
          .slice(0, 63 + (round % 4)) + random(2, 4)
      const value = random(round % 9, 4) + text.slice(0, 60) + text + random(round % 5, 4)
      const cut = value.slice(round % 3, round % 2 === 0 ? undefined : -1)
      const [lowered, part] = [cut.toLowerCase(), text.toLowerCase()]
      expect(answer(match(['text'], 'substring', text), { text: cut })).toBe(lowered.includes(part))
      expect(answer(match(['text'], 'prefix', text), { text: cut })).toBe(lowered.startsWith(part))
      expect(answer(match(['text'], 'suffix', text), { text: cut })).toBe(lowered.endsWith(part))
      expect(answer(match(['text'], 'substringExact', text), { text: cut })).toBe(cut.includes(text))
      expect(answer(match(['text'], 'prefixExact', text), { text: cut })).toBe(cut.startsWith(text))
      expect(answer(match(['text'], 'suffixExact', text), { text: cut })).toBe(cut.endsWith(text))
    }
  })
  test.each([1_024, 1_025, 100_000])('texts of %i letters, more than a pattern may have', (length) => {
    const text = 'aK\u{10428}'.repeat((length - 1) / 4).padEnd(length, 'b')
    const capitals = text.replaceAll('aK\u{10428}', 'A\u212a\u{10400}')
    for (const mode of matchModes) {
      const filter = match(['text'], mode, text)
      const same = mode.endsWith('Exact') ? text : capitals
      const place = mode.replace('Exact', '')
      expect(answer(filter, { text: same })).toBe(true)
      expect(answer(filter, { text: same === text ? capitals : text })).toBe(same !== text)
      expect(answer(filter, { text: `x${same}` })).toBe(place === 'suffix' || place === 'substring')
      expect(answer(filter, { text: `${same}x` })).toBe(place === 'prefix' || place === 'substring')
      expect(answer(filter, { text: capitals.slice(1) })).toBe(false)
      expect(answer(filter, { text: 5 })).toBe(false)
    }
  })
})
