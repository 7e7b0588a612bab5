import { describe, expect, test, vi } from 'vitest'
import { and, defineSchema, field, not, or, parseFilterOrThrow, type Filter } from '../../src/index.ts'
import {
  checkFilter,
  comparison,
  fold,
  map,
  match,
  maxFilterDepth,
  maxFilterNodes,
  maxPathLength,
  membership,
  operators,
  presence,
  sameFilter,
  some,
  type Comparison,
} from '../../src/tree.ts'
import { matchModes } from '../../src/tree/index.ts'
import { memoryBackend } from '../../src/backends/memory/index.ts'
import { orders } from '../orders.ts'

const a = comparison(['a'], 'eq', { type: 'string', value: 'x' })
/** Values that are no filter, and what the TypeError says of them. */
const literal = (value: unknown, type = 'string') => ({
  kind: 'comparison',
  path: ['a'],
  operator: 'eq',
  operand: { type, value },
})
const notFilters: readonly (readonly [value: unknown, message: string])[] = [
  [undefined, ' must be a filter'],
  [null, ' must be a filter'],
  ['and', ' must be a filter'],
  [[], '.kind must be the kind of a filter'],
  [{}, '.kind must be the kind of a filter'],
  [{ kind: 'nand', filters: [] }, '.kind must be the kind of a filter'],
  [{ kind: 'toString' }, '.kind must be the kind of a filter'],
  [{ kind: ['and'] }, '.kind must be the kind of a filter'],
  [{ kind: 'and' }, '.filters must be a list'],
  [{ kind: 'and', filters: {} }, '.filters must be a list'],
  [{ kind: 'or', filters: [a, undefined] }, '.filters[1] must be a filter'],
  [{ kind: 'or', filters: new Array(1) }, '.filters[0] must be a filter'],
  [{ kind: 'not' }, '.filter must be a filter'],
  [{ kind: 'some', path: ['a'] }, '.filter must be a filter'],
  [{ kind: 'some', path: [], filter: a }, '.path must not be empty'],
  [{ kind: 'some', path: ['a'], filter: { kind: 'not', filter: 1 } }, '.filter.filter must be a filter'],
  [{ ...a, path: 'a' }, '.path must be a list'],
  [{ ...a, path: [''] }, '.path[0] must be a non-empty string'],
  [{ ...a, path: ['a', 1] }, '.path[1] must be a non-empty string'],
  [{ ...a, path: ['a.b'] }, ".path[0] must not contain '.', '[' or ']', which have a meaning in queries"],
  [{ ...a, path: ['__proto__'] }, '.path[0] must not be __proto__'],
  [{ ...a, path: ['$where'] }, ".path[0] must not begin with '$', as MongoDB's operators do"],
  [{ ...a, path: ['a\0'] }, '.path[0] must not contain U+0000 or a lone surrogate'],
  [
    { ...a, operator: 'ne' },
    '.operator must be eq, gt, gte, lt, lte, gtIgnoreCase, gteIgnoreCase, ltIgnoreCase or lteIgnoreCase',
  ],
  [
    { ...a, operator: 'ltIgnoreCase', operand: { type: 'integer', value: 1 } },
    '.operator must compare values of type integer',
  ],
  [
    { ...a, operator: undefined },
    '.operator must be eq, gt, gte, lt, lte, gtIgnoreCase, gteIgnoreCase, ltIgnoreCase or lteIgnoreCase',
  ],
  [{ ...a, operand: 'x' }, '.operand must be a literal'],
  [{ ...a, operand: { value: 'x' } }, '.operand.type must be the type of a literal'],
  [{ ...a, operand: { type: 'enumeration', value: 'x' } }, '.operand.type must be the type of a literal'],
  [literal(undefined), '.operand.value must be text without U+0000 and lone surrogates'],
  [literal('a\0'), '.operand.value must be text without U+0000 and lone surrogates'],
  [literal('\ud800'), '.operand.value must be text without U+0000 and lone surrogates'],
  [literal(1.5, 'integer'), '.operand.value must be an integer within ±(2^53 − 1)'],
  [literal('1', 'integer'), '.operand.value must be an integer within ±(2^53 − 1)'],
  [literal(2 ** 53, 'integer'), '.operand.value must be an integer within ±(2^53 − 1)'],
  [literal(Infinity, 'number'), '.operand.value must be a finite number'],
  [literal(null, 'number'), '.operand.value must be a finite number'],
  [literal(1, 'boolean'), '.operand.value must be a boolean'],
  [literal('soon', 'date'), '.operand.value must be a real day, YYYY-MM-DD'],
  [literal('2024-02-30', 'date'), '.operand.value must be a real day, YYYY-MM-DD'],
  [
    literal('2024-01-01T00:00:00Z', 'datetime'),
    '.operand.value must be UTC text, YYYY-MM-DDTHH:mm:ss.sssZ, or with six digits where the last three are not zero',
  ],
  [
    literal('2024-02-30T00:00:00.000Z', 'datetime'),
    '.operand.value must be UTC text, YYYY-MM-DDTHH:mm:ss.sssZ, or with six digits where the last three are not zero',
  ],
  [
    literal('2024-01-01T00:00:00.123000Z', 'datetime'),
    '.operand.value must be UTC text, YYYY-MM-DDTHH:mm:ss.sssZ, or with six digits where the last three are not zero',
  ],
  [
    literal('2024-01-01T00:00:00.1234Z', 'datetime'),
    '.operand.value must be UTC text, YYYY-MM-DDTHH:mm:ss.sssZ, or with six digits where the last three are not zero',
  ],
  [literal('AD2B1C4E-0000-4000-8000-000000000000', 'uuid'), '.operand.value must be a uuid in lower case'],
  [literal('ad2b1c4e00004000800000000000000a', 'uuid'), '.operand.value must be a uuid in lower case'],
  [literal(5, 'uuid'), '.operand.value must be a uuid in lower case'],
  ...[5, '05', '-0', '1.0', '9223372036854775808', '-9223372036854775809', '5n', ''].map(
    (value) =>
      [
        literal(value as string, 'bigint'),
        '.operand.value must be a whole number from −2^63 to 2^63 − 1, as a text of digits',
      ] as const,
  ),
  ...[1.5, '1.50', '-0', '0.0', '1e3', '.5', '1.', '+1', 'NaN', ''].map(
    (value) =>
      [
        literal(value as string, 'decimal'),
        '.operand.value must be a decimal as a text, without an exponent, -0 and zeros at its end',
      ] as const,
  ),
  [
    literal('2024-01-01T00:00:00.000z', 'datetime'),
    '.operand.value must be UTC text, YYYY-MM-DDTHH:mm:ss.sssZ, or with six digits where the last three are not zero',
  ],
  [{ ...literal(true, 'boolean'), operator: 'gt' }, '.operator must compare values of type boolean'],
  [{ kind: 'membership', path: ['a'] }, '.operands must be a list'],
  [{ kind: 'membership', path: ['a'], operands: ['x'] }, '.operands[0] must be a literal'],
  [
    { ...membership(['a'], []), operands: [literal(1, 'integer').operand, literal('1').operand] },
    '.operands must all be of one type',
  ],
  [
    { kind: 'match', path: ['a'], mode: 'regex', text: 'x' },
    '.mode must be prefix, suffix, substring, whole, prefixExact, suffixExact or substringExact',
  ],
  [{ kind: 'match', path: ['a'], mode: 'prefix' }, '.text must be text without U+0000 and lone surrogates'],
  [{ kind: 'match', path: ['a'], mode: 'prefix', text: /x/ }, '.text must be text without U+0000 and lone surrogates'],
  [
    { kind: 'presence', path: ['a'] },
    '.type must be string, uuid, integer, bigint, number, decimal, boolean, date, datetime, time, object or json',
  ],
  [
    { kind: 'presence', path: ['a'], type: 'list' },
    '.type must be string, uuid, integer, bigint, number, decimal, boolean, date, datetime, time, object or json',
  ],
  [
    { kind: 'count', path: ['a'], type: 'list', operator: 'gte', operand: 1 },
    '.type must be string, uuid, integer, bigint, number, decimal, boolean, date, datetime, time, object or json',
  ],
  ...[undefined, 'eq', 'gt', ''].map(
    (operator) =>
      [{ kind: 'count', path: ['a'], type: 'string', operator, operand: 1 }, '.operator must be gte or lte'] as const,
  ),
  ...[undefined, -1, 1.5, NaN, '1', 1n, 2_147_483_648, 2 ** 53].map(
    (operand) =>
      [
        { kind: 'count', path: ['a'], type: 'string', operator: 'gte', operand },
        '.operand must be a whole number from 0 to 2147483647',
      ] as const,
  ),
]

describe('an invalid filter is a TypeError that names the part', () => {
  test.each(notFilters.map(([value, message]) => ({ value: value as Filter, message })))(
    '$message',
    ({ value, message }) => {
      expect(() => fold(value, {} as never)).toThrow(new TypeError('filter' + message))
      expect(() => memoryBackend().compile(value)).toThrow(new TypeError('filter' + message))
      expect(() => sameFilter(a, value)).toThrow(new TypeError('filter' + message))
      expect(() => not(value)).toThrow(new TypeError('not.filter' + message))
      expect(() => and(a, value)).toThrow(new TypeError('and.filters[1]' + message))
      expect(() => or(value)).toThrow(new TypeError('or.filters[0]' + message))
      expect(() => some(['a'], value)).toThrow(new TypeError('some.filter' + message))
      expect(() => map(a, () => value)).toThrow(new TypeError('filter' + message))
    },
  )
})

describe('depth', () => {
  const nested = (depth: number): Filter => {
    let filter: Filter = a
    for (let level = 1; level < depth; level++) filter = { kind: 'not', filter }
    return filter
  }
  test('is bounded, long before the call stack is', () => {
    expect(() => memoryBackend().compile(nested(maxFilterDepth))).not.toThrow()
    for (const depth of [maxFilterDepth + 1, 100_000]) {
      expect(() => memoryBackend().compile(nested(depth))).toThrow(/nests deeper than 100 levels/)
      expect(() => and(a, nested(depth))).toThrow(/nests deeper than 100 levels/)
      expect(() => fold(nested(depth), {} as never)).toThrow(TypeError)
    }
  })
  test('builders stop at it', () => {
    expect(() => not(nested(maxFilterDepth - 1))).not.toThrow()
    expect(() => not(nested(maxFilterDepth))).toThrow(/nests deeper than 100 levels/)
    expect(() => some(['x'], nested(maxFilterDepth))).toThrow(/nests deeper than 100 levels/)
  })
  test('the way to a fault is cut in the middle when it is long', () => {
    const faulty = (levels: number): unknown =>
      levels === 0 ? { kind: 'x' } : { kind: 'and', filters: [faulty(levels - 1)] }
    const messageOf = (levels: number) => {
      try {
        return checkFilter(faulty(levels))
      } catch (error) {
        return (error as Error).message
      }
    }
    const way = (levels: number) => `filter${'.filters[0]'.repeat(levels)}.kind must be the kind of a filter`
    // 18 times 11 and 35 are 233; one more is 244.
    expect(messageOf(18)).toBe(way(18))
    expect(messageOf(19)).toBe(`${way(19).slice(0, 86)}…${way(19).slice(-120)}`)
    expect(messageOf(90)).toBe(`${way(90).slice(0, 86)}…${way(90).slice(-120)}`)
  })
  test.each([
    [240, 6, 20],
    [241, 1, 28],
  ])('a way with what is wrong is whole up to 240 units: %i', (units, groups, complements) => {
    let faulty: unknown = { kind: 'x' }
    for (let level = 0; level < complements; level++) faulty = { kind: 'not', filter: faulty }
    for (let level = 0; level < groups; level++) faulty = { kind: 'and', filters: [faulty] }
    const way = `${'.filters[0]'.repeat(groups)}${'.filter'.repeat(complements)}.kind must be the kind of a filter`
    expect(way).toHaveLength(units)
    const told = units === 240 ? way : `${way.slice(0, 80)}…${way.slice(-120)}`
    expect(() => checkFilter(faulty)).toThrow(new TypeError(`filter${told}`))
  })
  test('a filter that holds itself is too deep', () => {
    const loop = { kind: 'not', filter: undefined as unknown }
    loop.filter = loop
    expect(() => memoryBackend().compile(loop as Filter)).toThrow(/nests deeper/)
  })
})

describe('the length of paths', () => {
  const names = (count: number) => Array.from({ length: count }, (_, at) => `n${at}`)
  const present = (count: number) => presence(names(count), 'string')
  const problem = 'must have at most 100 names, those of the lists around it included'
  const revived = (filter: Filter) => JSON.parse(JSON.stringify(filter)) as Filter

  test('is bounded', () => {
    expect(maxPathLength).toBe(100)
    expect(present(100).path).toHaveLength(100)
    for (const count of [101, 20_000]) {
      const path = names(count)
      expect(() => presence(path, 'string')).toThrow(new TypeError(`presence.path ${problem}`))
      expect(() => match(path, 'prefix', 'x')).toThrow(new TypeError(`match.path ${problem}`))
      expect(() => some(path, and())).toThrow(new TypeError(`some.path ${problem}`))
      for (const codegen of [true, false]) {
        const { compile } = memoryBackend({ codegen })
        expect(() => compile({ ...a, path })).toThrow(new TypeError(`filter.path ${problem}`))
      }
    }
  })
  test.each<[string, (filter: Filter) => Filter]>([
    ['was checked', (filter) => filter],
    ['comes from JSON', revived],
  ])('counts the names of the lists around: what is inside %s', (_, given) => {
    expect(() => some(names(60), given(present(40)))).not.toThrow()
    expect(() => some(names(60), given(present(41)))).toThrow(new TypeError(`some.filter.path ${problem}`))
    expect(() => some(names(60), given(some(names(40), and())))).not.toThrow()
    expect(() => some(names(60), given(some(names(41), and())))).toThrow(new TypeError(`some.filter.path ${problem}`))
    expect(() => some(names(60), given(and(a, not(present(41)))))).toThrow(
      new TypeError(`some.filter.filters[1].filter.path ${problem}`),
    )
    expect(() => some(names(30), given(some(names(30), or(a, present(41)))))).toThrow(
      new TypeError(`some.filter.filter.filters[1].path ${problem}`),
    )
  })
  test('counts each path for itself', () => {
    const each = and(present(100), some(names(50), present(50)), some(names(99), a), present(100))
    expect(() => checkFilter(revived(and(each, or(each, a))))).not.toThrow()
    expect(() => and(each, or(each, a))).not.toThrow()
  })
  test('lets the deepest filter be compiled, with generated code or without', () => {
    let filter: Filter = comparison(names(2), 'eq', { type: 'string', value: 'x' })
    for (let level = 0; level < 49; level++) filter = not(some(names(2), filter))
    const row = JSON.parse(`${'{"n0":{"n1":['.repeat(49)}{"n0":{"n1":"x"}}${']}}'.repeat(49)}`) as unknown
    const matched = [true, false].map((codegen) => memoryBackend({ codegen }).compile(filter)(row))
    expect(matched).toEqual([false, false])
  })
})

describe('a filter that was checked once', () => {
  const broken = (filter: unknown) => expect(() => checkFilter(filter)).toThrow(TypeError)
  const b = presence(['b'], 'string')
  const frozen = <T>(value: T): T => {
    if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(frozen)
    return value
  }

  const leaf = { kind: 'presence', path: ['a'], type: 'string' }
  const [kind, path, type] = ['comparison', ['a'], 'string']
  const members = { kind: 'membership', path }
  const text = () => ({ type, value: 'x' })
  test.each<[what: string, inner: any, change: (inner: any) => void]>([
    ['a kind', { ...leaf }, (inner) => (inner.kind = 'nothing')],
    ['a type', { ...leaf }, (inner) => (inner.type = 'nothing')],
    ['a path', { ...leaf, path: ['a'] }, ({ path }) => (path[0] = '$where')],
    ['an operand', { kind, path, operator: 'eq', operand: text() }, ({ operand }) => (operand.value = { $ne: null })],
    ['one of its operands', { ...members, operands: [text()] }, ({ operands }) => (operands[0].value = 5)],
    ['the list of its operands', { ...members, operands: [] }, ({ operands }) => operands.push(5)],
    ['its members', { kind: 'or', filters: [] }, ({ filters }) => filters.push(5)],
    ['a member', { kind: 'or', filters: [{ kind: 'and', filters: [] }] }, ({ filters }) => (filters[0].kind = 'x')],
    ['a span', { ...leaf, span: { start: 0, end: 1 } }, ({ span }) => (span.end = 'x')],
  ])('does not change with what it was made of: %s', (_, inner, change) => {
    const makers: ((inner: Filter) => Filter)[] = [
      checkFilter,
      (inner) => and(inner),
      (inner) => and(inner, b),
      (inner) => and(or(inner, b), and()),
      not,
      (inner) => some(['l'], not(inner)),
      (inner) => map(inner, (node) => node),
      (inner) => map(b, () => inner),
    ]
    const made = makers.map((make) => make(inner as Filter))
    const before = structuredClone(made)
    change(inner)
    expect(made).toEqual(before)
    made.forEach((filter) => expect(() => checkFilter(structuredClone(filter))).not.toThrow())
    broken(inner)
  })
  test('is read once: a getter cannot give one value to the check and another to the backend', () => {
    const turns = (values: unknown[]) => () => (values.length > 1 ? values.shift() : values[0])
    const getter = (target: object, name: string | number, ...values: unknown[]) =>
      Object.defineProperty(target, name, { get: turns(values), enumerable: true })
    const evil = { $ne: null }
    const node = (changes: object) => ({
      kind: 'comparison',
      path: ['password'],
      operator: 'eq',
      operand: { type: 'string', value: 'x' },
      span: { start: 0, end: 1 },
      ...changes,
    })
    const filters = [
      node({ operand: getter({ type: 'string' }, 'value', 'x', evil) }),
      node({ operand: Object.freeze(getter({ type: 'string' }, 'value', 'x', evil)) }),
      node({ path: getter([], 0, 'password', '$where') }),
      getter(node({}), 'operand', { type: 'string', value: 'x' }, { type: 'string', value: evil }),
      node({ span: getter({ start: 0 }, 'end', 1, evil) }),
    ] as unknown as Filter[]
    for (const filter of filters) {
      const same = map(filter, (node) => node)
      expect(same).toEqual(node({}))
    }
  })
  test('has what its kind declares, and nothing else', () => {
    const group = { kind: 'and', filters: [b], path: ['x'], filter: 5, toJSON: () => 'x', [Symbol('x')]: 1 }
    expect(Reflect.ownKeys(checkFilter(group))).toEqual(['kind', 'filters'])
    const leaf = { ...b, operand: 5, operands: [], filters: [], text: 'x' }
    expect(Reflect.ownKeys(checkFilter(leaf))).toEqual(['kind', 'path', 'type'])
    const literal = { type: 'string', value: 'x', kind: 'and' }
    expect(comparison(['a'], 'eq', literal as never).operand).toEqual({ type: 'string', value: 'x' })
  })
  test('has nothing that is inherited', () => {
    const inherited = {
      path: [],
      kind: 'and',
      filters: [],
      type: 'string',
      value: 'x',
      span: { start: 0, end: 0 },
      0: b,
    }
    const query = parseFilterOrThrow(orders, 'seller=x&items.price=1')
    const before = JSON.stringify([query, and(), or(b, a)])
    try {
      for (const [name, value] of Object.entries(inherited)) {
        Object.defineProperty(Object.prototype, name, { value, configurable: true, writable: true })
      }
      expect(JSON.stringify([checkFilter({ ...query }), and(), or(b, a)])).toBe(before)
      broken({})
      broken({ kind: 'and' })
      broken({ kind: 'and', filters: Array(1) })
      broken({ kind: 'presence', path: Array(1), type: 'string' })
      broken({ kind: 'comparison', path: ['a'], operator: 'eq', operand: {} })
    } finally {
      for (const name of Object.keys(inherited)) Reflect.deleteProperty(Object.prototype, name)
    }
  })
  const [negative, turned, half] = [
    { start: -1, end: 0 },
    { start: 1, end: 0 },
    { start: 0.5, end: 1 },
  ]
  test.each([null, 5, {}, { start: 0 }, negative, turned, half])('has a span of the text, not %j', (span) => {
    expect(() => checkFilter({ ...b, span })).toThrow(
      new TypeError('filter.span must be the start and the end of a piece of text'),
    )
  })
  test('was not made by an operator: the public table does not have the functions that lower operators', () => {
    for (const operator of Object.values(operators)) {
      expect(Object.keys(operator).sort()).toEqual(['complement', 'doc', 'fields', 'name', 'operands', 'types'])
    }
  })
  test('has its depth remembered', () => {
    const deep = (levels: number, filter: Filter) => {
      for (let level = 0; level < levels; level++) filter = not(filter)
      return filter
    }
    const half = deep(49, presence(['a'], 'string'))
    expect(() => deep(50, half)).not.toThrow()
    expect(() => deep(51, half)).toThrow('nests deeper than 100 levels')
    // What was read is marked with the most levels that its lists may take.
    const date = field.datetime()
    const schema = defineSchema({
      a: date,
      l: field.list(field.object({ b: date, l: field.list(field.object({ c: date })) })),
    })
    for (const [text, levels] of [
      ['a=2024-01-01', 2], // and, comparison
      ['a[nin]=2024-01-01,2024-01-02&l.b=2024-01-01', 5], // and, not, or, and, comparison
      ['l.b[in]=2024-01-01,2024-01-02', 4], // some, or, and, comparison
      ['a=2024-01-01&l.b=2024-01-01&l.l.c[in]=2024-01-01,2024-01-02&l.l.c[lt]=2025-01-01', 8], // and, twice some and and, or, and, comparison
    ] as const) {
      const read = parseFilterOrThrow(schema, text)
      expect(() => deep(100 - levels, read), text).not.toThrow()
      expect(() => deep(101 - levels, read), text).toThrow('nests deeper than 100 levels')
    }
  })
  describe('is not looked at again', () => {
    /** How many properties are read. */
    const readsOf = (build: () => Filter): number => {
      const reads = vi.spyOn(Object, 'hasOwn')
      try {
        build()
        return reads.mock.calls.length
      } finally {
        reads.mockRestore()
      }
    }
    const work = (filter: Filter): number => readsOf(() => checkFilter(filter))
    const operand = { type: 'string', value: 'x' } as const
    const deep = (levels: number, filter: Filter): Filter => (levels === 0 ? filter : not(deep(levels - 1, filter)))

    // Made in each test: a filter that another test has checked is not checked again.
    const leaf = () => comparison(['a'], 'eq', operand)
    test.each<[what: string, make: () => Filter]>([
      ['and', () => and(leaf(), presence(['b'], 'string'))],
      ['and of one', () => and(leaf())],
      ['no and', () => and()],
      ['or', () => or(leaf(), and(presence(['b'], 'string'), leaf()))],
      ['not', () => not(leaf())],
      ['some', () => some(['l'], leaf())],
      ['comparison', leaf],
      ['membership', () => membership(['a'], [operand, operand])],
      ['membership of none', () => membership(['a'], [])],
      ['match', () => match(['a'], 'prefix', 'x')],
      ['presence', () => presence([], 'object')],
      ['what froze elsewhere', () => and(leaf(), frozen({ kind: 'match', path: ['a'], mode: 'prefix', text: 'x' }))],
      ['a hundred levels', () => deep(maxFilterDepth - 1, leaf())],
    ])('%s', (_, make) => {
      const filter = make()
      expect(work(filter)).toBe(0)
      expect(work({ ...filter })).toBeGreaterThan(0)
    })

    test.each<[what: string, make: (one: Filter) => readonly Filter[]]>([
      ['none', () => []],
      ['one', (one) => [one]],
      ['groups', (one) => [and(one, one), or(one, not(one))]],
      ['a hundred levels', (one) => [one, deep(maxFilterDepth - 2, one)]],
      ['as many as there may be', (one) => Array.from({ length: maxFilterNodes - 1 }, () => one)],
    ])('what a group is built of: %s', (_, make) => {
      const members = make(leaf())
      expect(readsOf(() => and(...members))).toBe(0)
      expect(readsOf(() => or(...members))).toBe(0)
    })
    test('except for new filters in a group', () => {
      const one = leaf()
      expect(readsOf(() => and(one, { ...one }))).toBeGreaterThan(0)
      expect(() => and(one, deep(maxFilterDepth - 1, one))).toThrow('nests deeper than 100 levels')
    })
    // Parsed here, for only the last ones are remembered.
    test.each(['seller=x&items.price[range]=1,2&items.arrival[nin]=2024-01-01', 'items.price=1'])(
      'what was parsed: %s',
      (text) => {
        const filter = parseFilterOrThrow(orders, text)
        expect(work(filter)).toBe(0)
        expect(work({ ...filter })).toBeGreaterThan(0)
        for (let others = 0; others < 256; others++) parseFilterOrThrow(orders, `total=${others}`)
        expect(work(filter)).toBeGreaterThan(0)
        expect(work(filter)).toBe(0)
      },
    )

    test('a parsed filter that is checked three times before 256 others is remembered for good', () => {
      const others = () => Array.from({ length: 200 }, (_, at) => parseFilterOrThrow(orders, `total=${at}`))
      const filter = parseFilterOrThrow(orders, 'seller=x&items.price=2')
      others()
      for (let time = 0; time < 3; time++) expect(work(filter)).toBe(0)
      others()
      others()
      expect(work(filter)).toBe(0)
    })

    test('nor are its parts, down to the deepest level', () => {
      const one = leaf()
      const filter = deep(maxFilterDepth - 2, one)
      // What is new: a filter and its kind.
      expect(work({ kind: 'not', filter })).toBe(work({ kind: 'not', filter: one }))
      expect(() => checkFilter({ kind: 'not', filter: deep(maxFilterDepth - 1, a) })).toThrow('nests deeper than 100')
    })
  })
  test('is taken as it is when it is frozen in every part and has nothing else', () => {
    const node = (): any => ({
      kind: 'and',
      filters: [
        { kind: 'membership', path: ['a'], operands: [{ type: 'string', value: 'x' }], span: { start: 0, end: 1 } },
      ],
    })
    const constant = frozen(node())
    expect(checkFilter(constant)).toBe(constant)
    expect(checkFilter(constant.filters[0])).toBe(constant.filters[0])
    const copied = (filter: any) => {
      const copy = checkFilter(filter)
      expect(copy).not.toBe(filter)
      expect(copy).toStrictEqual(node())
    }
    copied(node())
    copied(Object.freeze(node()))
    copied(frozen({ ...node(), toJSON: () => 'x' }))
    copied(frozen({ ...node(), [Symbol('x')]: 1 }))
    copied(
      Object.freeze(Object.defineProperty({ kind: 'and' }, 'filters', { get: () => node().filters, enumerable: true })),
    )
    copied(Object.freeze(Object.assign(Object.create({ toJSON: () => 'x' }), constant)))
    copied(new Proxy(node(), {}))
  })
  test('leaves no mark on the filter or its copies', () => {
    const filter = and(presence(['a'], 'string'), presence(['b'], 'string'))
    expect(Reflect.ownKeys(filter)).toEqual(['kind', 'filters'])
    broken({ ...filter, filters: [5] })
    broken(Object.assign(structuredClone(filter), { filters: [5] }))
    broken(Object.create(filter, { filters: { value: [5] } }))
  })
})

test('a second copy of the library, such as that of the other format, checks and builds the same', async () => {
  vi.resetModules()
  const copy = await import('../../src/tree/index.ts')
  for (const [value, message] of notFilters)
    expect(() => copy.checkFilter(value)).toThrow(new TypeError(`filter${message}`))

  const [path, text, type] = [['a'], 'x', 'string'] as const
  const values = {
    ...{ string: text, integer: -3, number: 0.5, boolean: false },
    ...{ uuid: '00000000-0000-4000-8000-00000000000a', bigint: '9007199254740993', decimal: '0.5' },
    ...{ date: '2024-02-29', datetime: '2024-02-29T12:00:00.000Z', time: '09:30:00.5' },
  }
  const literals = copy.literalTypes.map((type) => ({ type, value: values[type] }) as Comparison['operand'])
  const operators = ['eq', 'gt', 'gte', 'lt', 'lte'] as const
  const leaves: readonly Filter[] = [
    ...literals.map((operand) => ({ kind: 'comparison', path, operator: 'eq', operand }) as const),
    ...operators.map((operator) => ({ kind: 'comparison', path, operator, operand: literals[2]! }) as const),
    ...literals.map((operand) => ({ kind: 'membership', path, operands: [operand, operand] }) as const),
    ...matchModes.map((mode) => ({ kind: 'match', path, mode, text }) as const),
    ...([...copy.literalTypes, 'object'] as const).map((type) => ({ kind: 'presence', path, type }) as const),
    ...([...copy.literalTypes, 'object'] as const).map(
      (type) => ({ kind: 'count', path, type, operator: 'gte', operand: 0 }) as const,
    ),
    ...[1, 2_147_483_647].map((operand) => ({ kind: 'count', path, type, operator: 'lte', operand }) as const),
  ]
  const tree: Filter = {
    kind: 'and',
    filters: [
      { kind: 'or', filters: leaves },
      { kind: 'not', filter: { kind: 'some', path, filter: leaves[0]! } },
      { ...leaves[0]!, span: { start: 1, end: 3 } },
    ],
  }
  expect(copy.checkFilter(tree)).toStrictEqual(tree)
  expect(copy.map(tree, (node) => node)).toStrictEqual(tree)
  expect(copy.sameFilter(tree, structuredClone(tree))).toBe(true)
  expect(leaves.map((leaf) => leaves.filter((other) => copy.sameTree(leaf, other)).length)).toEqual(
    // The comparison with -3, the integer, by eq is in two of the lists.
    leaves.map((leaf) => (leaf.kind === 'comparison' && leaf.operator === 'eq' && leaf.operand.value === -3 ? 2 : 1)),
  )
  const [span, counting] = [
    { start: 1, end: 3 },
    { kind: 'count', path, type, operator: 'gte', operand: 2 },
  ]
  expect(copy.unchecked.count(path, type, 'gte', 2, span)).toStrictEqual({ ...counting, span })
  expect(copy.unchecked.count(path, type, 'gte', 2)).toStrictEqual(counting)
  expect(copy.matchModes.filter(copy.isExact)).toEqual(['prefixExact', 'suffixExact', 'substringExact'])
  expect(() => copy.checkFilter({ ...leaves[0]!, span: { start: 3, end: 1 } })).toThrow('filter.span must be the start')
  expect([copy.children(tree), copy.children(leaves[0]!)]).toStrictEqual([tree.filters, []])

  const [one, other] = [leaves[0]!, leaves[1]!]
  const built = [
    copy.comparison(path, 'eq', literals[0]!),
    copy.membership(path, [literals[0]!]),
    copy.match(path, 'prefix', text),
    copy.presence(path, type),
    copy.count(path, type, 'lte', 5),
    copy.some(path, one),
    ...[copy.not(one), copy.and(one, other), copy.or(one, other)],
  ]
  expect(built).toStrictEqual([
    ...[one, { kind: 'membership', path, operands: [literals[0]] }, { kind: 'match', path, mode: 'prefix', text }],
    ...[
      { kind: 'presence', path, type },
      { kind: 'count', path, type, operator: 'lte', operand: 5 },
      { kind: 'some', path, filter: one },
      { kind: 'not', filter: one },
    ],
    ...[
      { kind: 'and', filters: [one, other] },
      { kind: 'or', filters: [one, other] },
    ],
  ])
  expect(copy.literalTypes.map((type) => copy.literalOf(type, values[type]))).toStrictEqual(literals)
  expect(copy.literalTypes.map((type) => copy.literalOf(type, null))).toEqual(literals.map(() => undefined))

  const { objectOf, optional, readAs, wholeNumber } = copy
  const read = objectOf<{ a: number; b?: number | undefined }>({ a: wholeNumber(1), b: optional(wholeNumber(0)) })
  expect([{ a: 1 }, { a: 1, b: 0 }].map((given) => readAs(read, given, 'x'))).toStrictEqual([{ a: 1 }, { a: 1, b: 0 }])
  expect(() => readAs(read, { a: 0 }, 'x')).toThrow(new TypeError('x.a must be a whole number of at least 1'))
})
