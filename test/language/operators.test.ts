import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { unchecked } from '../../src/tree/index.ts'
import { defineSchema, field, parseFilter, where, type Filter } from '../../src/index.ts'
import { operators, sameFilter } from '../../src/tree.ts'
import { operatorNamed, operatorRows } from '../../src/language/operators.ts'
import type { OperatorDefinition, OperatorRows } from '../../src/language/operators.ts'
import { operatorWords, type OperatorWords } from '../../src/language/operator-words.ts'
import type { Methods } from '../../src/writing/where.ts'

describe('the rows', () => {
  const words: readonly OperatorWords[] = Object.values(operatorWords)

  test('hints are about operators that there are, and no alias or sign belongs to two', () => {
    expect(Object.keys(operatorWords)).toEqual([...operatorNamed.keys()])
    const aliases = words.flatMap(({ aliases, opposites = [] }) => [...aliases, ...opposites])
    expect(aliases).toEqual([...new Set(aliases)])
    expect(aliases.filter((alias) => operatorNamed.has(alias) || alias !== alias.toLowerCase())).toEqual([])
    const signs = words.flatMap(({ sign }) => sign ?? [])
    expect(signs).toEqual([...new Set(signs)])
  })

  test('a name of another language gets a hint with our name', async () => {
    // Another copy of the module, because it reads the names of other languages while it loads.
    vi.resetModules()
    const { defineSchema, field, parseFilter } = await import('../../src/index.ts')
    const { operators } = await import('../../src/tree.ts')
    const schema = defineSchema({ name: field.string(), total: field.number(), tags: field.list(field.string()) })
    const hintOf = (text: string) => {
      const result = parseFilter(schema, text)
      return result.ok ? undefined : result.issues[0].hint
    }
    for (const [name, foreign] of Object.entries({
      equals: ['eq', 'is', '$eq', 'EQ'],
      notEqual: ['ne', 'neq', 'not', 'isnot', 'is-not', 'is_not'],
      gt: ['>', 'after', 'greater-than'],
      gte: ['ge', 'min'],
      lt: ['<', 'before'],
      lte: ['le', 'max'],
      range: ['between'],
      in: ['oneof', 'oneOf', 'isIn', 'anyOf', 'any', 'hasAny', 'hasSome', 'overlaps'],
      nin: ['notin', '$notIn'],
      startsWith: ['prefix', 'sw', 'starts', 'istartswith', 'startsWithi', 'beginsWith'],
      endsWith: ['suffix', 'ew', 'ends', 'iendswith', 'endsWithi'],
      contains: ['like', 'ilike', 'includes', 'regex', '~'],
      doesNotContain: ['notlike', 'nlike', 'notcontains'],
      equalsIgnoreCase: ['iexact', '$eqi', 'ieq', 'iEquals'],
      startsWithExact: ['startsWithCs'],
      endsWithExact: ['endsWithCs'],
      containsExact: ['containsCs'],
      exists: ['notnull', 'exist', 'is_not_null', 'isNotNull'],
      all: ['containsAll', 'contains-all', 'hasEvery', 'allOf', 'has_all', 'everyOf', '@>', 'cs'],
      atLeast: ['minSize', 'minCount', 'minLength', 'minItems', 'size_gte', 'length_gte', 'count_gte'],
      atMost: ['maxSize', 'maxCount', 'maxLength', 'maxItems', 'size_lte', 'length_lte', 'count_lte'],
    })) {
      for (const other of foreign) expect(hintOf(`tags[${other}]=x`), other).toBe(`did you mean ${name}?`)
    }
    for (const other of ['size', '$size', 'length', 'count'])
      expect(hintOf(`tags[${other}]=3`), other).toBe('write tags[atLeast]=…&tags[atMost]=…')
    for (const [sign, name] of ['!notEqual', '>gte', '<lte', '~contains'].map((one) => [one[0], one.slice(1)]))
      expect(hintOf(`name${sign}=x`)).toBe(`write name[${name}]=…`)
    for (const other of ['null', 'isNull', 'is_null', 'missing']) {
      expect(hintOf(`name[${other}]=true`), other).toBe('write name[exists]=false')
      expect(hintOf(`name[${other}]=0`), other).toBe('write name[exists]=true')
    }
    for (const [name, meant] of [
      ['equals', 'to match one of several values, write total[in]=…,…'],
      ['notEqual', 'to exclude several values, write total[nin]=…,…'],
      ['gte', 'to match values between two bounds, write total[range]=…,…'],
      ['lte', 'to match values between two bounds, write total[range]=…,…'],
      ['gt', 'use each operator once per field'],
    ])
      expect(hintOf(`total[${name}]=1&total[${name}]=2`)).toBe(meant)
    for (const name of ['in', 'nin', 'all'])
      expect(hintOf(`tags[${name}]=1&tags[${name}]=2`)).toMatch(`write tags[${name}]=…,…`)
    // docs.test.ts compares them with the table in the docs.
    const docs = Object.values(operators).map(({ doc }) => doc)
    expect(docs).toHaveLength(21)
    expect(new Set(docs.filter((doc) => doc !== '')).size).toBe(21)
  })

  test('the public table has them all, without internal columns', () => {
    expect(Object.keys(operators)).toEqual(Object.keys(operatorRows))
    expect(operators.range).toEqual({
      name: 'range',
      operands: 'two',
      types: ['string', 'uuid', 'integer', 'bigint', 'number', 'decimal', 'date', 'datetime', 'time'],
      fields: 'anywhere',
      complement: false,
      doc: 'fields from the first value to the second, both included',
    })
    expect(Object.isFrozen(operators.range) && Object.isFrozen(operators.range.types)).toBe(true)
    expect('toString' in operators).toBe(false)
  })

  // The keys of `queryString` have one row for these types.
  test('each operator applies to all types with an order, except text, or to none of them', () => {
    const ordered: readonly string[] = ['uuid', 'integer', 'bigint', 'number', 'decimal', 'date', 'datetime', 'time']
    for (const { name, types } of Object.values(operators))
      expect([0, ordered.length], name).toContain(types.filter((type) => ordered.includes(type)).length)
  })
})

describe('operators of lists', () => {
  const schema = defineSchema({
    id: field.integer(),
    at: field.list(field.datetime()),
    items: field.list(
      field.object({ price: field.number(), parts: field.list(field.object({ name: field.string() })) }),
    ),
  })
  const read = (text: string): unknown => {
    const result = parseFilter(schema, text)
    if (!result.ok) return result.issues.map(({ code }) => code)
    return JSON.parse(JSON.stringify(result.filter, (key, value: unknown) => (key === 'span' ? undefined : value)))
  }
  const moments = (operator: 'gte' | 'lt', value: string) => ({
    ...{ kind: 'comparison', path: [], operator, operand: { type: 'datetime', value } },
  })

  test('a count counts the innermost list of its path', () => {
    const parts = { kind: 'count', path: ['parts'], type: 'object', operator: 'lte', operand: 2 }
    expect(read('items.parts[atMost]=2')).toEqual({ kind: 'some', path: ['items'], filter: parts })
    expect(read('at[atLeast]=1')).toEqual({
      kind: 'count',
      path: ['at'],
      type: 'datetime',
      operator: 'gte',
      operand: 1,
    })
    for (const text of ['items.price[atLeast]=1', 'items.parts.name[atMost]=1', 'id[atLeast]=1'])
      expect(read(text), text).toEqual(['operator_not_applicable'])
  })
  test('counts are whole numbers from 0 to 2147483647', () => {
    const most = 2_147_483_647
    for (const operand of [0, 1, most]) {
      expect(read(`at[atLeast]=${operand}`)).toMatchObject({ operand })
      expect(where(schema).atLeast('at', operand)).toMatchObject({ operand })
    }
    for (const operand of [-1, 1.5, most + 1, 2 ** 53]) {
      expect(read(`at[atLeast]=${operand}`)).toEqual(['operand_invalid'])
      expect(() => where(schema).atLeast('at', operand)).toThrow(
        'operand of atLeast on at must be a whole number from 0 to 2147483647',
      )
    }
    for (const text of ['01', '+1', '1x', 'x', '']) expect(read(`at[atLeast]=${text}`)).not.toHaveProperty('kind')
  })
  test('all requires an entry for each operand, and one entry within both bounds of a day', () => {
    expect(read('at[all]=2024-01-01,2024-01-02T00:00:00Z')).toEqual({
      kind: 'and',
      filters: [
        {
          ...{ kind: 'some', path: ['at'] },
          filter: {
            kind: 'and',
            filters: [moments('gte', '2024-01-01T00:00:00.000Z'), moments('lt', '2024-01-02T00:00:00.000Z')],
          },
        },
        {
          ...{ kind: 'some', path: ['at'] },
          filter: {
            kind: 'comparison',
            path: [],
            operator: 'eq',
            operand: { type: 'datetime', value: '2024-01-02T00:00:00.000Z' },
          },
        },
      ],
    })
  })
})

test('a day whose first moment comes before the year 1 begins before every value', () => {
  const schema = defineSchema({ at: field.datetime() })
  const read = (text: string) => {
    const result = parseFilter(schema, text, { timeZone: '+09:00' })
    return result.ok && result.filter
  }
  expect(read('at[gte]=0001-01-01')).toMatchObject({ kind: 'presence', path: ['at'], type: 'datetime' })
  expect(read('at[lt]=0001-01-01')).toMatchObject({ kind: 'membership', path: ['at'], operands: [] })
})

describe('a new operator is a new row', () => {
  const outside = {
    operands: 'two',
    types: ['number'],
    lower: ({ path }, [low, high], span) => [
      unchecked.or(
        [unchecked.comparison(path, 'lt', low as never, span), unchecked.comparison(path, 'gt', high as never, span)],
        span,
      ),
    ],
  } as const satisfies OperatorDefinition
  const words: OperatorWords = {
    doc: 'values before the first operand or after the second',
    aliases: ['notbetween'],
    sign: '^',
  }
  type Rows = OperatorRows & { readonly outside: typeof outside }

  const schema = defineSchema({ total: field.number(), name: field.string() })
  type Where = Methods<(typeof schema)['fields'], Rows>
  let core: typeof import('../../src/index.ts')
  let own: ReturnType<typeof defineSchema>
  let o: Where
  let matches: (filter: Filter, row: object) => boolean

  beforeAll(async () => {
    vi.resetModules()
    vi.doMock('../../src/language/operators.ts', async (original) => {
      const table = await original<typeof import('../../src/language/operators.ts')>()
      return { ...table, operatorNamed: table.operatorsOf({ ...operatorRows, outside }) }
    })
    vi.doMock('../../src/language/operator-words.ts', async (original) => {
      const table = await original<typeof import('../../src/language/operator-words.ts')>()
      return { ...table, operatorWords: { ...operatorWords, outside: words } }
    })
    core = await import('../../src/index.ts')
    const { memoryBackend } = await import('../../src/backends/memory/index.ts')
    own = core.defineSchema({ total: core.field.number(), name: core.field.string() })
    o = core.where(own) as never
    matches = (filter, row) => memoryBackend().compile(filter)(row)
  })
  afterAll(() => {
    vi.doUnmock('../../src/language/operators.ts')
    vi.doUnmock('../../src/language/operator-words.ts')
    vi.resetModules()
  })

  test('it is parsed, built and printed, and means the same in memory', () => {
    const built = o.outside('total', 10, 20)
    // @ts-expect-error The row says that only numbers take it.
    expect(() => o.outside('name', 10, 20)).toThrow(TypeError)
    // @ts-expect-error And that it takes two operands.
    expect(() => o.outside('total', 10)).toThrow(TypeError)
    const read = core.parseFilterOrThrow(own, 'total[outside]=10,20')
    expect(sameFilter(read, built)).toBe(true)
    expect([5, 10, 15, 20, 25].map((total) => matches(read, { total }))).toEqual([true, false, false, false, true])
    expect(matches(read, {})).toBe(false)
    expect(core.printFilter(own, core.and(o.equals('name', 'x'), built))).toBe('name=x&total[outside]=10,20')
  })

  test('hints know it', () => {
    const hintOf = (text: string) => {
      const result = core.parseFilter(own, text)
      return result.ok ? undefined : result.issues[0].hint
    }
    expect(hintOf('total[outsid]=1,2')).toBe('did you mean outside?')
    expect(hintOf('total[not-between]=1,2')).toBe('did you mean outside?')
    expect(hintOf('total^=1')).toContain('total[outside]=')
    expect(hintOf('total[contains]=1')).toMatch(/^available operators for total: .*, outside/)
    expect(hintOf('name[outside]=1,2')).not.toContain('outside')
  })
})
