/** What rows may hold besides what the cases hold. */
import { runInNewContext } from 'node:vm'
import { describe, expect, test, vi } from 'vitest'
import { matchModes } from '../../../src/tree/index.ts'
import { memoryBackend } from '../../../src/backends/memory/index.ts'
import { and, defineSchema, field, not, or, parseFilterOrThrow, type Filter, type Schema } from '../../../src/index.ts'
import { checkSupport, comparison, kinds, match, membership, some } from '../../../src/tree.ts'
import { schema, predicatesOf, answer } from './evaluate.fixture.ts'

const selects = (query: string, row: unknown) => answer(parseFilterOrThrow(schema, query), row)

describe('never throws', () => {
  test('but for a getter of the row’s own', () => {
    const row = {
      get text(): string {
        throw new Error('of the row')
      },
    }
    expect(() => selects('text=x', row)).toThrow('of the row')
  })
})

describe('only own properties are read', () => {
  test('nothing that is on a prototype', () => {
    expect(selects('text=x', Object.create({ text: 'x' }))).toBe(false)
    expect(selects('constructor.name=Object', {})).toBe(false)
    expect(selects('constructor.name=x', { constructor: { name: 'x' } })).toBe(true)
    expect(selects('constructor[exists]=false', {})).toBe(true)
  })
  test('no getter of a class is called', () => {
    let calls = 0
    class Row {
      get text() {
        calls++
        return 'x'
      }
    }
    class Odd {
      get count() {
        return ++calls
      }
    }
    Object.defineProperty(Odd.prototype, 'constructor', { value: Object }) // as a plain object's
    for (const row of [new Row(), Object.create(new Row()), new Odd()]) {
      expect(selects('text=x', row)).toBe(false)
      expect(selects('count[exists]=true', row)).toBe(false)
    }
    expect(calls).toBe(0)
  })
  test('a name of Object.prototype is read where it is an own property', () => {
    const inherited = defineSchema({ toString: field.string(), valueOf: field.object({ name: field.string() }) })
    const asks = (query: string, row: unknown) => answer(parseFilterOrThrow(inherited, query), row)
    expect(asks('valueOf.name=valueOf', {})).toBe(false)
    expect(asks('valueOf[exists]=true', {})).toBe(false)
    expect(asks('toString=x', { toString: 'x' })).toBe(true)
    expect(asks('valueOf.name=x', { valueOf: { name: 'x' } })).toBe(true)
  })
  test('an own __proto__, as JSON may contain, does not change the prototype', () => {
    expect(selects('text=x', JSON.parse('{"__proto__":{"text":"x"}}'))).toBe(false)
    expect(selects('text=x', JSON.parse('{"__proto__":null,"text":"x"}'))).toBe(true)
  })
  test('nothing of a polluted Object.prototype', () => {
    const prototype = Object.prototype as unknown as Record<string, unknown>
    try {
      Object.assign(prototype, { text: 'x', tags: ['x'] })
      expect(selects('text=x', {})).toBe(false)
      expect(selects('tags=x', {})).toBe(false)
      expect(selects('text[exists]=false', {})).toBe(true)
    } finally {
      delete prototype.text
      delete prototype.tags
    }
  })
  test('no length of lists and texts', () => {
    expect(selects('length=1', ['x'])).toBe(false)
    expect(selects('inner.length=1', { inner: ['x'] })).toBe(false)
    expect(selects('inner.length=1', { inner: 'x' })).toBe(false)
    expect(selects('entries.length=1', { entries: [['x']] })).toBe(false)
    expect(selects('inner.length=1', { inner: { length: 1 } })).toBe(true)
  })
  test('own fields of class instances, and own getters', () => {
    class Row {
      text = 'x'
    }
    expect(selects('text=x', new Row())).toBe(true)
    expect(
      selects('text=x', {
        get text() {
          return 'x'
        },
      }),
    ).toBe(true)
    expect(selects('text=x', Object.assign(Object.create(null) as object, { text: 'x' }))).toBe(true)
  })
})

describe('dates', () => {
  test('of another realm are dates', () => {
    const date: unknown = runInNewContext('new Date("2024-01-01T12:00:00Z")')
    expect(date).not.toBeInstanceOf(Date)
    expect(selects('day=2024-01-01', { day: date })).toBe(true)
    expect(selects('moment[exists]=true', { moment: date })).toBe(true)
    expect(selects('inner[exists]=true', { inner: date })).toBe(false)
  })
  test('of a class of dates are dates', () => {
    class Day extends Date {
      override getTime(): number {
        throw new Error('not asked')
      }
    }
    expect(selects('day=2024-01-01', { day: new Day('2024-01-01T12:00:00Z') })).toBe(true)
    expect(selects('moment[in]=2024-01-01', { moment: new Day('2024-01-01T12:00:00Z') })).toBe(true)
  })
  test('that are only dressed up are none', () => {
    const dressedUp = [
      Object.create(Date.prototype),
      { [Symbol.toStringTag]: 'Date' },
      { constructor: Date, getTime: () => 0 },
    ]
    for (const value of dressedUp) {
      expect(selects('day[gte]=0001-01-01', { day: value })).toBe(false)
      expect(selects('moment[lt]=9999-12-31', { moment: value })).toBe(false)
    }
  })
  test('invalid, or of years that no operand has, are neither equal nor an error', () => {
    expect(selects('day=2024-01-01', { day: new Date(NaN) })).toBe(false)
    expect(selects('day[in]=2024-01-01', { day: new Date(NaN) })).toBe(false)
    expect(selects('day[gt]=9999-12-30', { day: new Date('+010000-01-01T00:00:00Z') })).toBe(true)
    expect(selects('day[in]=2024-01-01', { day: new Date('+010000-01-01T00:00:00Z') })).toBe(false)
    expect(selects('moment[lt]=0001-01-01', { moment: new Date('-000001-01-01T00:00:00Z') })).toBe(true)
  })
  test('do not count as objects', () => {
    expect(selects('inner[exists]=true', { inner: new Date() })).toBe(false)
    expect(selects('entries[exists]=true', { entries: [new Date()] })).toBe(false)
  })
  test('datetimes in text: any offset, any fraction', () => {
    for (const moment of [
      '2024-01-01T00:00:00Z',
      '2024-01-01t00:00:00.000z',
      '2024-01-01t00:00:00.000Z',
      '2024-01-01T00:00:00.000z',
      '2023-12-31T19:00:00-05:00',
      '2024-01-01T00:00:00.000000999Z',
    ]) {
      expect(selects('moment=2024-01-01T00:00:00Z', { moment }), moment).toBe(true)
      expect(selects('moment[in]=2024-01-01T00:00:00Z,2024-02-01T00:00:00Z', { moment }), moment).toBe(true)
      expect(selects('moment[gt]=2024-01-01T00:00:00Z', { moment }), moment).toBe(false)
    }
  })
})

describe('exact types', () => {
  const exact = defineSchema({
    ref: field.uuid(),
    big: field.bigint(),
    money: field.decimal(),
    moment: field.datetime(),
  })
  const has = (query: string, row: object) => answer(parseFilterOrThrow(exact, query), row)
  /** Which of the values a query selects. */
  const among = (query: string, values: readonly unknown[]) => {
    const name = /^\w+/.exec(query)![0]
    return values.filter((value) => has(query, { [name]: value }))
  }
  const low = 'ad2b1c4e-0000-4000-8000-00000000000a'
  const high = 'ad2b1c4e-0000-4000-8000-00000000000b'
  const uuids = [low, low.toUpperCase(), high, 5, null, undefined, {}]
  test.each<[query: string, expected: readonly unknown[]]>([
    [`ref=${low.toUpperCase()}`, [low, low.toUpperCase()]],
    [`ref[in]=${low},${high.toUpperCase()}`, [low, low.toUpperCase(), high]],
    [`ref[in]=${low}`, [low, low.toUpperCase()]],
    [`ref[gt]=${low}`, [high]],
    [`ref[gte]=${low}`, [low, low.toUpperCase(), high]],
    [`ref[lt]=${high}`, [low, low.toUpperCase()]],
    [`ref[lte]=${high}`, [low, low.toUpperCase(), high]],
    [`ref[range]=${high},${high}`, [high]],
    ['ref[exists]=true', [low, low.toUpperCase(), high]],
    [`ref[notEqual]=${low}`, [high, 5, null, undefined, {}]],
    [`ref[nin]=${low},${high}`, [5, null, undefined, {}]],
  ])('%s', (query, expected) => expect(among(query, uuids)).toEqual(expected))

  // An unsafe number is no value, and so is what is not in 64 bits.
  const bigs = [
    2 ** 53 - 1,
    '9007199254740992',
    9007199254740993n,
    2 ** 53,
    1.5,
    2n ** 63n,
    '1.0',
    true,
    null,
    undefined,
  ]
  test.each<[query: string, expected: readonly unknown[]]>([
    ['big=9007199254740991', [2 ** 53 - 1]],
    ['big=9007199254740992', ['9007199254740992']],
    ['big=9007199254740993', [9007199254740993n]],
    ['big[in]=9007199254740991,9007199254740993', [2 ** 53 - 1, 9007199254740993n]],
    ['big[gt]=9007199254740992', [9007199254740993n]],
    ['big[gte]=9007199254740992', ['9007199254740992', 9007199254740993n]],
    ['big[lt]=9007199254740993', [2 ** 53 - 1, '9007199254740992']],
    ['big[lte]=9223372036854775807', [2 ** 53 - 1, '9007199254740992', 9007199254740993n]],
    ['big[range]=-9223372036854775808,9007199254740991', [2 ** 53 - 1]],
    ['big[exists]=true', [2 ** 53 - 1, '9007199254740992', 9007199254740993n]],
    ['big[notEqual]=9007199254740993', bigs.filter((one) => one !== 9007199254740993n)],
    ['big[nin]=9007199254740991,9007199254740992,9007199254740993', bigs.slice(3)],
  ])('%s', (query, expected) => expect(among(query, bigs)).toEqual(expected))
  test('the ends of 64 bits', () => {
    const ends = [-(2n ** 63n), '9223372036854775807', 0]
    expect(among('big=-9223372036854775808', ends)).toEqual([ends[0]])
    expect(among('big=9223372036854775807', ends)).toEqual([ends[1]])
    expect(among('big[gt]=-9223372036854775808', ends)).toEqual(ends.slice(1))
    expect(among('big=-0', ends)).toEqual([0])
  })

  const wide = '1234567890.123456789012345678901234'
  const next = '1234567890.123456789012345678901235'
  const moneys = ['1.10', 1.1, '11e-1', '-0.00', 0n, wide, next, NaN, Infinity, 'x', '1,1', {}, null, undefined]
  test.each<[query: string, expected: readonly unknown[]]>([
    ['money=1.1', ['1.10', 1.1, '11e-1']],
    ['money=1.100', ['1.10', 1.1, '11e-1']],
    ['money=0', ['-0.00', 0n]],
    [`money=${wide}`, [wide]],
    [`money[in]=${next},-0.0`, ['-0.00', 0n, next]],
    [`money[gt]=${wide}`, [next]],
    [`money[lt]=${next}`, ['1.10', 1.1, '11e-1', '-0.00', 0n, wide]],
    ['money[lt]=1.1', ['-0.00', 0n]],
    ['money[lte]=1.1', ['1.10', 1.1, '11e-1', '-0.00', 0n]],
    [`money[range]=1.2,${wide}`, [wide]],
    ['money[gte]=-0.5', moneys.slice(0, 7)],
    ['money[exists]=true', moneys.slice(0, 7)],
    ['money[notEqual]=1.1', moneys.slice(3)],
    [`money[nin]=1.1,0,${wide},${next}`, moneys.slice(7)],
  ])('%s', (query, expected) => expect(among(query, moneys)).toEqual(expected))

  const at = (fraction: string) => `2024-01-01T00:00:00${fraction}`
  const whole = [at('.123Z'), at('.123000Z'), new Date(at('.123Z')), '2024-01-01T02:00:00.123+02:00']
  const fine = [at('.123456Z'), at('.1234560Z'), '2023-12-31T23:00:00.123456999-01:00']
  const moments = [...whole, ...fine, at('.124Z'), new Date(NaN), 'soon', 5, null]
  test.each<[query: string, expected: readonly unknown[]]>([
    [`moment=${at('.123Z')}`, whole],
    [`moment=${at('.123456Z')}`, fine],
    [`moment[in]=${at('.123456Z')},${at('.124Z')}`, [...fine, at('.124Z')]],
    [`moment[in]=${at('.123Z')},${at('.124Z')}`, [...whole, at('.124Z')]],
    [`moment[gt]=${at('.123Z')}`, [...fine, at('.124Z')]],
    [`moment[gt]=${at('.123456Z')}`, [at('.124Z')]],
    [`moment[gte]=${at('.123456Z')}`, [...fine, at('.124Z')]],
    [`moment[gte]=${at('.1234Z')}`, [...fine, at('.124Z')]],
    [`moment[lt]=${at('.123456Z')}`, whole],
    [`moment[lt]=${at('.124Z')}`, [...whole, ...fine]],
    [`moment[lte]=${at('.123456Z')}`, [...whole, ...fine]],
    [`moment[lte]=${at('.123Z')}`, whole],
    [`moment[range]=${at('.123001Z')},${at('.123999Z')}`, fine],
    [`moment[notEqual]=${at('.123456Z')}`, moments.filter((one) => !fine.includes(one as string))],
  ])('%s', (query, expected) => expect(among(query, moments)).toEqual(expected))
  test('finer digits are cut off towards the past, before 1970 too', () => {
    expect(among('moment=1969-12-31T23:59:59.999999Z', ['1969-12-31T23:59:59.9999999Z'])).toHaveLength(1)
    expect(among('moment[lt]=1970-01-01', ['1969-12-31T23:59:59.9999999Z'])).toHaveLength(1)
    expect(among('moment=0001-01-01T00:00:00.000001Z', ['0001-01-01T00:00:00.0000019Z'])).toHaveLength(1)
  })
})

test('numbers: NaN equals nothing, -0 is 0', () => {
  expect(selects('amount[notEqual]=1', { amount: NaN })).toBe(true)
  expect(selects('amount=0', { amount: -0 })).toBe(true)
  expect(selects('amount[in]=0', { amount: -0 })).toBe(true)
})

test('booleans may stand in a membership that a program builds, though the language has none', () => {
  const filter = membership(['flag'], [{ type: 'boolean', value: false }])
  const rows = [{ flag: false }, { flag: true }, { flag: 0 }, {}]
  expect(rows.map((row) => answer(filter, row))).toEqual([true, false, false, false])
})

test.each([1, 2, 3, 4, 5, 6, 9, 10, 11, 17])('a membership of %i finds each of them, and nothing else', (count) => {
  for (const prefix of ['t', 'a-text-of-some-length-']) {
    const texts = Array.from({ length: count }, (_, at) => `${prefix}${at}`)
    const numbers = texts.map((_, at) => at)
    const asked = `text[in]=${texts.join()}&count[in]=${numbers.join()}`
    texts.forEach((text, at) => expect(selects(asked, { text, count: at })).toBe(true))
    const text = texts[0]
    for (const other of [`${prefix}${count}`, prefix, '', undefined, null, 0]) {
      expect(selects(asked, { text: other, count: 0 })).toBe(false)
    }
    for (const other of [count, -1, '0', NaN, undefined]) expect(selects(asked, { text, count: other })).toBe(false)
  }
})

describe('groups', () => {
  const equals = (text: string) => comparison(['text'], 'eq', { type: 'string', value: text })
  test('of several conditions on one place', () => {
    const row = { count: 5, text: 'x' }
    expect(selects('count[gt]=1&text=x&count[lt]=9&count[notEqual]=7&count[in]=4,5', row)).toBe(true)
    expect(selects('count[gt]=1&text=x&count[lt]=5', row)).toBe(false)
    expect(selects('count[gt]=5&text=x&count[lt]=9', row)).toBe(false)
    expect(selects('count[gt]=1&text=y&count[lt]=9', row)).toBe(false)
  })
  test('over entries: one of them passes all, or a complement all of them', () => {
    const filter = some(['entries'], and(comparison(['length'], 'gt', { type: 'integer', value: 1 }), not(equals('x'))))
    expect(answer(filter, { entries: [{ length: 2, text: 'x' }, { length: 1 }] })).toBe(false)
    expect(answer(filter, { entries: [{ length: 1 }, { length: 2, text: 'y' }] })).toBe(true)
    expect(answer(some(['tags'], not(comparison([], 'eq', { type: 'string', value: 'x' }))), { tags: ['x'] })).toBe(
      false,
    )
  })
})

describe('match', () => {
  test.each(['^', '$', '.*', '(', '[a]', '\\d', 'a|b', '{1}', '/', '-', '\n', '\t', ' ', '"', '\u2028'])(
    'literally: %j',
    (text) => {
      for (const value of [`a${text}`, `${text}b`, `a${text}b`, text]) {
        const expected = {
          ...{ prefix: value.startsWith(text), suffix: value.endsWith(text), substring: true, whole: value === text },
          ...{ prefixExact: value.startsWith(text), suffixExact: value.endsWith(text), substringExact: true },
        }
        const found = matchModes.map((mode) => [mode, answer(match(['text'], mode, text), { text: value })])
        expect(Object.fromEntries(found)).toEqual(expected)
      }
      expect(matchModes.filter((mode) => answer(match(['text'], mode, text), { text: 'a1' }))).toEqual([])
    },
  )
  test('a line feed at the end is part of the text', () => {
    expect(answer(match(['text'], 'suffix', 'b'), { text: 'ab\n' })).toBe(false)
    expect(answer(match(['text'], 'prefix', 'b'), { text: 'a\nb' })).toBe(false)
    for (const text of ['b\n', '\nb', 'a\nb']) expect(answer(match(['text'], 'whole', 'B'), { text })).toBe(false)
  })
  test('each letter of a long text counts', () => {
    const long = `ab${'c'.repeat(70)}`
    for (const mode of matchModes) {
      expect(answer(match(['text'], mode, long), { text: long })).toBe(true)
      for (const at of [0, 1, 2, 40, long.length - 1])
        expect(answer(match(['text'], mode, long), { text: `${long.slice(0, at)}x${long.slice(at + 1)}` })).toBe(false)
    }
  })
  test.each(['substring', 'substringExact'] as const)(
    '%s of a long text takes a time that does not grow with its length: units of the value are read a few times',
    (mode) => {
      const text = `${'a'.repeat(500)}b${'a'.repeat(500)}`
      const matches = memoryBackend().compile(match(['text'], mode, text))
      const reads = vi.spyOn(String.prototype, 'charCodeAt')
      try {
        expect(matches({ text: 'a'.repeat(10_000) })).toBe(false)
        expect(reads.mock.calls.length).toBeLessThan(5 * 10_000)
      } finally {
        reads.mockRestore()
      }
    },
  )
})

describe('order', () => {
  // By UTF-16 unit the first comes after the second, by code point before.
  const texts = ['\ue000', '\u{1f600}']
  const holds = { gt: [false, true], gte: [true, true], lt: [false, false], lte: [true, false] }
  test.each(Object.entries(holds))('%s of texts is by code point, and nothing else has one', (operator, expected) => {
    expect(texts.map((text) => selects(`text[${operator}]=\ue000`, { text }))).toEqual(expected)
    expect(texts.map((text) => selects(`text[${operator}]=${text}`, { text }))).toEqual(
      texts.map(() => operator.endsWith('e')),
    )
    for (const text of [undefined, null, 0, NaN, true, [], {}, ['\u{1f600}'], new Date()]) {
      expect(selects(`text[${operator}]=\ue000`, { text })).toBe(false)
      expect(selects(`text[${operator}]=b`, { text })).toBe(false)
    }
    expect(selects(`text[${operator}]=b`, { text: 'b\u{1f600}' })).toBe(operator.startsWith('g'))
  })

  const forms = (day: string): unknown[] => [
    `${day}T00:00:00.000Z`,
    `${day}T01:00:00+01:00`,
    `${day}T00:00:00Z`,
    new Date(`${day}T00:00:00.000Z`),
  ]
  test.each(Object.entries({ eq: [0, 1, 0], gt: [0, 0, 1], gte: [0, 1, 1], lt: [1, 0, 0], lte: [1, 1, 0] }))(
    '%s of moments in every form',
    (operator, expected) => {
      const operand = { type: 'datetime', value: '2024-01-02T00:00:00.000Z' } as const
      const filter = comparison(['moment'], operator as 'eq', operand)
      const seen = ['2024-01-01', '2024-01-02', '2024-01-03'].map((day) =>
        forms(day).map((moment) => Number(answer(filter, { moment }))),
      )
      expect(seen).toEqual(expected.map((one) => forms('2024-01-01').map(() => one)))
    },
  )
})

describe('generated code', () => {
  test('has nothing of a filter in it', () => {
    const odd = '`"\'+exit(1)//\n\\'
    const strange = defineSchema({ [odd]: field.string(), list: field.list(field.object({ [odd]: field.string() })) })
    const textOf = (of: Schema, query: string): unknown => {
      const made = vi.spyOn(globalThis, 'Function')
      memoryBackend({ codegen: true }).compile(parseFilterOrThrow(of, query))
      const texts = made.mock.calls.map((given) => given.at(-1))
      made.mockRestore()
      return texts
    }
    const asked = (name: string, text: string) => `${name}=${text}&list.${name}[in]=${text},b`.replaceAll('\n', '%0A')
    const query = asked(encodeURIComponent(odd), encodeURIComponent(odd))
    const common = defineSchema({ odd: field.string(), list: field.list(field.object({ odd: field.string() })) })
    expect(textOf(strange, query)).toEqual(textOf(common, asked('odd', 'x')))
    expect(textOf(strange, `list.${encodeURIComponent(odd)}=x`)).toEqual([expect.stringContaining('(row) =>')])
    expect(answer(parseFilterOrThrow(strange, query), { [odd]: odd, list: [{ [odd]: odd }] })).toBe(true)
    expect(answer(parseFilterOrThrow(strange, query), { [odd]: odd, list: [{ a: odd }] })).toBe(false)
  })
  test('is another function than those that call each other', () => {
    const filter = parseFilterOrThrow(schema, 'text=x&count=1')
    const [ofFunctions, generated] = predicatesOf(filter)
    expect(String(generated)).not.toBe(String(ofFunctions))
  })
  test('is for shapes that come a second time, unless an option is set', () => {
    const fresh = defineSchema({ once: field.string(), twice: field.string() })
    const parse = (text: string) => parseFilterOrThrow(fresh, text)
    const isGenerated = (filter: Filter, codegen?: boolean) =>
      String(memoryBackend(codegen === undefined ? {} : { codegen }).compile(filter)).startsWith('(row) =>')
    expect(isGenerated(parse('once=a'))).toBe(false)
    expect(isGenerated(parse('once=a'), false)).toBe(false)
    expect(isGenerated(parse('once=b'))).toBe(true)
    expect(isGenerated(parse('once=b'), false)).toBe(false)
    expect(isGenerated(parse('once[gt]=b'))).toBe(false)
    expect(isGenerated(parse('twice=b'))).toBe(false)
    expect(isGenerated(parse('once[contains]=a'), true)).toBe(true)
    expect(isGenerated(parse('once[contains]=b'))).toBe(true)
    const long = or(...Array.from({ length: 200 }, (_, at) => parse(`once=${at}`)))
    expect([isGenerated(long), isGenerated(long), isGenerated(long, true)]).toEqual([false, false, true])
  })
  test('of one shape goes by the operands of its own filter, even where conditions are one object', () => {
    const fresh = defineSchema({ a: field.string(), b: field.list(field.string()) })
    const [x, y, z] = ['x', 'y', 'z'].map((text) => parseFilterOrThrow(fresh, `a=${text}`)) as [Filter, Filter, Filter]
    // The second one is what the function is made of.
    const filters = [or(x, y), or(x, x), or(z, y), or(y, y), or(x, x)]
    const rows = [{ a: 'x' }, { a: 'y' }, { a: 'z' }]
    const { compile } = memoryBackend()
    expect(
      filters.map((filter) =>
        rows
          .filter(compile(filter))
          .map(({ a }) => a)
          .join(''),
      ),
    ).toEqual(['xy', 'x', 'yz', 'y', 'x'])
    // Paths of one text when they are joined without a mark.
    const equals = (path: string[]): Filter => ({
      ...{ kind: 'comparison', path, operator: 'eq' },
      operand: { type: 'string', value: 'x' },
    })
    const some = (path: string[], inner: string[]): Filter => ({ kind: 'some', path, filter: equals(inner) })
    const rowsOfLists = [{ a: [{ b: 'x' }] }, { a: { b: ['x'] } }, { a: { b: 'x' } }, { ab: 'x' }]
    const alike = [some(['a'], ['b']), some(['a', 'b'], []), equals(['a', 'b']), equals(['ab'])]
    for (const filter of [...alike, ...alike]) {
      expect(rowsOfLists.map(compile(filter))).toEqual(
        rowsOfLists.map(memoryBackend({ codegen: false }).compile(filter)),
      )
    }
  })
})

test.each([
  [{ generate: true }, 'options.generate is unknown (available: codegen)'],
  [{ codegen: 'yes' }, 'options.codegen must be a boolean'],
  [null, 'options must be an object'],
])('options %j', (options, message) => {
  expect(() => memoryBackend(options as never)).toThrow(new TypeError(message))
})

test('a long list of operands, and of entries', () => {
  const counts = Array.from({ length: 10_000 }, (_, at) => at * 2)
  const query = { limits: { length: Infinity, list: Infinity } }
  const filter = parseFilterOrThrow(schema, `counts[in]=${counts.join(',')}`, query)
  const matches = (row: unknown) => answer(filter, row)
  expect(matches({ counts: Array.from({ length: 10_000 }, (_, at) => at * 2 + 1) })).toBe(false)
  expect(matches({ counts: [1, 3, 19_998] })).toBe(true)
})

test('the predicate does not change the filter, nor the rows', () => {
  const row = Object.freeze({ text: 'x', tags: Object.freeze(['x']) })
  expect(selects('text=x&tags=x', row)).toBe(true)
})

describe('checkSupport', () => {
  const { capabilities } = memoryBackend()
  const text = 'text=x&day[in]=2024-01-01&flag[exists]=true&text[contains]=y&tags=z'
  const filter = parseFilterOrThrow(schema, text)
  const refused = (limited: Partial<typeof capabilities>) =>
    checkSupport(filter, { ...capabilities, ...limited }).map(({ code, message, span }) => [
      code,
      message,
      span && text.slice(span.start, span.end),
    ])

  test('finds nothing where all is declared', () => expect(refused({})).toEqual([]))
  test('names kinds, in the place where they stand', () => {
    expect(refused({ kinds: kinds.filter((kind) => kind !== 'match' && kind !== 'some') })).toEqual([
      ['backend_unsupported', 'this backend has no filters of kind match', 'text[contains]=y'],
      ['backend_unsupported', 'this backend has no filters of kind some', 'tags=z'],
    ])
  })
  test('names types', () => {
    expect(refused({ types: ['string', 'boolean'] })).toEqual([
      ['backend_unsupported', 'this backend has no date values', 'day[in]=2024-01-01'],
    ])
    expect(refused({ types: ['date', 'string'] })).toEqual([
      ['backend_unsupported', 'this backend has no boolean values', 'flag[exists]=true'],
    ])
  })
  test('names groups', () => {
    const groups = or(not(filter), filter)
    const limited = { ...capabilities, kinds: kinds.filter((kind) => kind !== 'or' && kind !== 'not') }
    expect(checkSupport(groups, limited).map(({ message }) => message)).toEqual([
      'this backend has no filters of kind not',
      'this backend has no filters of kind or',
    ])
  })
  test('a filter that was generated has no span', () => {
    expect(checkSupport({ kind: 'and', filters: [] }, { ...capabilities, kinds: [] })).toEqual([
      {
        code: 'backend_unsupported',
        fault: 'server',
        message: 'this backend has no filters of kind and',
        parameters: { problem: 'kind', kind: 'and' },
      },
    ])
  })
})

test('its name', () => {
  expect(memoryBackend().name).toBe('memory')
})
test('nothing is one of none', () => {
  expect(memoryBackend().compile(membership(['text'], []))({ text: 'x' })).toBe(false)
})
test.each<[query: string, selected: string[]]>([
  ['day=2024-02-29', ['start', 'end']],
  ['day[gt]=2024-02-29', ['after']],
  ['day[gte]=2024-02-29', ['start', 'end', 'after']],
  ['day[lt]=2024-02-29', ['before']],
  ['day[lte]=2024-02-29', ['before', 'start', 'end']],
])('a Date is in a day from its first moment to its last: %s', (query, expected) => {
  const moments = {
    before: '2024-02-28T23:59:59.999Z',
    start: '2024-02-29T00:00:00.000Z',
    end: '2024-02-29T23:59:59.999Z',
    after: '2024-03-01T00:00:00.000Z',
  }
  const selected = Object.entries(moments).filter(([, moment]) => selects(query, { day: new Date(moment) }))
  expect(selected.map(([name]) => name)).toEqual(expected)
})
test.each<[query: string, selected: string[]]>([
  ['text[gt]=\uff5e', ['\u{1f600}']],
  ['text[gte]=\uff5e', ['\uff5e', '\u{1f600}']],
  ['text[lt]=\u{1f600}', ['a', '\ue000', '\uff5e']],
  ['text[lte]=\u{1f600}', ['a', '\ue000', '\uff5e', '\u{1f600}']],
])('text is ordered by code point, not by UTF-16 unit: %s', (query, expected) => {
  const texts = ['a', '\ue000', '\uff5e', '\u{1f600}']
  expect(texts.filter((text) => selects(query, { text }))).toEqual(expected)
})
test('a canonical datetime with more text behind it counts as missing', () => {
  for (const moment of ['2024-02-29T00:00:00.000Zx', '2024-02-29T00:00:00.000Z\n']) {
    expect(selects('moment[gt]=2024-01-01', { moment })).toBe(false)
  }
})
