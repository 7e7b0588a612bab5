/** What random material is made of: every kind of it, and nothing but what belongs to its schema. */
// cspell:ignore Bcursor Bequals
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { defineCollection, defineSchema, field, parseFilter, parseQuery } from '../../src/index.ts'
import type { Field, Filter, Query } from '../../src/index.ts'
import { checkQuery, children, literalTypes, operators } from '../../src/tree.ts'
import type { Comparison, Feature, Match, Membership, OperatorName, Presence } from '../../src/tree.ts'
import {
  queryOf,
  someCollectionQuery,
  someCollectionText,
  someConditions,
  someFilter,
  someQuery,
  someRow,
  someSchema,
  someSchemaOf,
} from '../../src/kit/arbitraries.ts'
import { accepts, operatorNamed } from '../../src/language/operators.ts'
import { byCompleteness, byEffort } from '../effort.ts'
import { literalOf } from '../../src/tree/index.ts'
import { isDay } from '../../src/values/time.ts'

const sample = <T>(arbitrary: fc.Arbitrary<T>, numRuns = 1_000) => fc.sample(arbitrary, { seed: 1, numRuns })
const seen = (texts: readonly string[]) => [...new Set(texts)].sort()
const inner = field.object({
  day: field.date(),
  list: field.list(field.integer()),
  deep: field.object({ n: field.integer() }),
})
const schema = defineSchema({
  string: field.string(),
  enumeration: field.enumeration(['x', 'y,1']),
  integer: field.integer(),
  number: field.number(),
  boolean: field.boolean(),
  date: field.date(),
  datetime: field.datetime(),
  list: field.list(field.integer()),
  object: inner,
  entries: field.list(inner),
})

describe('rows', () => {
  const formOf = (value: unknown): string => {
    if (value === undefined) return 'missing'
    if (value === null) return 'null'
    return value instanceof Date ? 'Date' : Array.isArray(value) ? 'list' : typeof value
  }
  const own = {
    ...{ string: 'string', enumeration: 'string', integer: 'number', number: 'number', boolean: 'boolean' },
    ...{ date: 'string', datetime: 'string', list: 'list', object: 'object', entries: 'list' },
  }
  const other = ['boolean', 'number', 'object', 'string']
  const all = ['other-forms', 'misplaced-lists', 'empty-objects', 'date-objects'] as const
  const values = (name: string, form: string, features?: readonly Feature[]) =>
    sample(someRow(schema, features)).flatMap((row) => (formOf(row[name]) === form ? [row[name]] : []))
  const isEmpty = (value: unknown): boolean =>
    formOf(value) === 'object' || formOf(value) === 'list'
      ? Object.values(value as object).every(isEmpty)
      : formOf(value) === 'null'

  test.each<[features: readonly Feature[] | undefined, otherForms: readonly string[]]>([
    [[], []],
    [['date-objects'], []],
    [['empty-objects'], []],
    [['other-forms'], other],
    [
      ['other-forms', 'misplaced-lists'],
      [...other, 'list'],
    ],
    [all, [...other, 'list']],
    [undefined, [...other, 'list']],
  ])('with the features %j have every form that these tell, and no other', (features, otherForms) => {
    const has = (feature: Feature) => features?.includes(feature) !== false
    const rows = sample(someRow(schema, features))
    expect(seen(rows.map(formOf))).toEqual(['object'])
    for (const [name, form] of Object.entries(own)) {
      const dates = name.startsWith('date') && has('date-objects') ? ['Date'] : []
      const expected = ['missing', 'null', form, ...otherForms, ...dates]
      expect(seen(rows.map((row) => formOf(row[name]))), name).toEqual(seen(expected))
    }
    // What is no object, null included, is an entry in a list of objects only where other forms are stored.
    const formsIn = (name: string) => seen((values(name, 'list', features) as unknown[][]).flat().map(formOf))
    expect(formsIn('list')).toEqual(seen(['null', 'number', ...otherForms]))
    expect(formsIn('entries')).toEqual(seen(['object', ...otherForms, ...(has('other-forms') ? ['null'] : [])]))
    const objects = values('object', 'object', features) as Record<string, unknown>[]
    expect(objects.some(isEmpty)).toBe(has('empty-objects'))
    if (has('other-forms')) return
    // One value is enough, whatever it is, beside others that are null.
    const alone = objects.flatMap((object) => {
      const [value, ...more] = Object.keys(object).filter((name) => !isEmpty(object[name]))
      const isAlone = value !== undefined && more.length === 0 && Object.values(object).includes(null)
      return isAlone ? [`${value}: ${formOf(object[value])}`] : []
    })
    const dates = has('date-objects') ? ['day: Date'] : []
    expect(seen(alone)).toEqual(seen(['day: string', 'deep: object', 'list: list', ...dates]))
  })

  // What has the right form and is bad nonetheless, such as a date that is `soon`, a backend may read or not.
  test.each([[[]], [all]])('with the features %j have no bad values in the form of their type', (features) => {
    expect(seen(values('enumeration', 'string', features) as string[])).toEqual(['x', 'y,1'])
    expect(values('integer', 'number', features).every(Number.isSafeInteger)).toBe(true)
    expect(values('number', 'number', features).every(Number.isSafeInteger)).toBe(false)
    expect((values('date', 'string', features) as string[]).every(isDay)).toBe(true)
    expect(
      (values('datetime', 'string', features) as string[]).every((text) => literalOf('datetime', text) !== undefined),
    ).toBe(true)
  })

  test('have dates of any hour, and lists of every length up to three', () => {
    const hours = (name: string) => (values(name, 'Date') as Date[]).map((date) => date.getUTCHours())
    expect([...new Set(hours('date'))]).toEqual([11])
    // Midnight of UTC, and the first and last moments of days in zones.
    const expected = [0, 2, 3, 4, 5, 9, 10, 12, 18, 21, 22, 23]
    expect([...new Set(hours('datetime'))].sort((a, b) => a - b)).toEqual(expected)
    expect(seen((values('list', 'list') as unknown[][]).map(({ length }) => String(length)))).toEqual([
      '0',
      '1',
      '2',
      '3',
    ])
    expect(seen(values('string', 'list').map((list) => JSON.stringify(list)))).toEqual(['["a"]', '[]'])
  })
})

describe('exact types and promises', () => {
  const promised = { required: true } as const
  const exact = defineSchema({
    ...{ key: field.uuid(), number: field.bigint(), price: field.decimal(), at: field.datetime() },
    whole: field.datetime({ digits: 3 }),
    there: field.string(promised),
    inner: field.object({ there: field.integer(promised), other: field.integer() }, promised),
    maybe: field.object({ there: field.integer(promised), other: field.integer() }),
  })
  type Row = Readonly<Record<string, unknown>>
  const valuesOf = (name: string, features: readonly Feature[]) =>
    sample(someRow(exact, features)).flatMap((row) => row[name] ?? [])
  const isLong = (text: unknown) => /\.\d{3}/.test(String(text)) || String(text).length > 21
  const isFine = (text: unknown) => String(text).length === 27

  test('rows are as coarse as the store', () => {
    for (const [features, expected] of [
      [[], false],
      [['microseconds', 'long-decimals'], true],
    ] as const) {
      expect(valuesOf('price', features).some(isLong)).toBe(expected)
      expect(valuesOf('at', features).some(isFine)).toBe(expected)
      expect(valuesOf('whole', features).some(isFine)).toBe(false)
    }
  })
  test('rows have several forms of one value only where the store has them', () => {
    const formsOf = (name: string, features: readonly Feature[]) =>
      seen(valuesOf(name, features).map((value) => typeof value))
    for (const name of ['number', 'price']) {
      expect(formsOf(name, [])).toEqual(['string'])
      expect(formsOf(name, ['value-forms'])).toEqual(['bigint', 'number', 'string'])
    }
    expect(valuesOf('key', []).some((key) => /[A-F]/.test(String(key)))).toBe(false)
    expect(valuesOf('key', ['value-forms']).some((key) => /[A-F]/.test(String(key)))).toBe(true)
  })
  test.each([[undefined], [[]]])('rows have values in required fields, with the features %j', (features) => {
    const rows = sample(someRow(exact, features)) as Row[]
    const isKept = ({ there, inner, maybe }: Row) =>
      typeof there === 'string' &&
      typeof (inner as Row).there === 'number' &&
      (typeof maybe !== 'object' || maybe === null || Array.isArray(maybe) || isObjectKept(maybe as Row))
    // An object of another form than its own has no such field.
    const isObjectKept = (object: Row) => features === undefined || typeof object.there === 'number'
    expect(rows.filter((row) => !isKept(row))).toEqual([])
    expect(rows.some((row) => row.maybe === undefined)).toBe(true)
  })
  test('schemas have required fields, digits, and only the given types', () => {
    const all = sample(someSchema).flatMap((one) => [...one.paths.values()])
    expect(all.some((one) => one.required === true && one.path.length > 1)).toBe(true)
    expect(all.some((one) => one.digits === 3)).toBe(true)
    expect(seen(all.map((one) => one.literal))).toEqual([...literalTypes, 'object'].sort())
    for (const types of [['uuid'], ['bigint', 'decimal']] as const) {
      const own = sample(someSchemaOf(types)).flatMap((one) => [...one.paths.values()])
      expect(seen(own.map((one) => one.literal))).toEqual([...types, 'object'].sort())
    }
    for (const types of [[], ['text'], undefined])
      expect(() => someSchemaOf(types as never)).toThrow(/^types must be a list of some of string, uuid, /)
  })
  test('operands are near the values of rows, and beyond them', () => {
    const queries = sample(someConditions(exact), 3_000).flat()
    const operands = queries.flatMap(({ field: { name }, value }) => value.split(',').map((one) => `${name} ${one}`))
    expect(operands).toEqual(
      expect.arrayContaining([
        ...['number 9007199254740992', 'number 9007199254740993', 'number -9223372036854775808', 'price 1.105'],
        ...['price 1234567890123456789012345678901235', 'at 2024-01-02T00:00:00.000001Z'],
        'key 0A1B2C3D-4E5F-4789-8ABC-DEF012345678',
      ]),
    )
  })
})

describe('queries', () => {
  test('are read without an issue', () => {
    const issues = sample(someQuery(schema)).flatMap((query) => {
      const result = parseFilter(schema, query)
      return result.ok ? [] : [query]
    })
    expect(issues).toEqual([])
  })
  test('have up to five conditions, and between them every operator on every field that takes it', () => {
    const queries = sample(someConditions(schema))
    expect(seen(queries.map(({ length }) => String(length)))).toEqual(['0', '1', '2', '3', '4', '5'])
    const said = queries.flat().map(({ field: { name }, operator }) => `${name}[${operator.name}]`)
    const sayable = [...schema.paths.values()].flatMap((field) =>
      [...operatorNamed.values()].flatMap((operator) =>
        accepts(field, operator) ? [`${field.name}[${operator.name}]`] : [],
      ),
    )
    expect(seen(said)).toEqual(seen(sayable))
  })
  test.each<[name: string, operator: OperatorName, forms: readonly RegExp[]]>([
    ['boolean', 'equals', [/^true$/, /^false$/]],
    ['string', 'exists', [/^true$/, /^false$/]],
    ['object', 'exists', [/^true$/, /^false$/]],
    ['datetime', 'gt', [/^[^T]+$/, /T.*Z$/, /t.*\+00:00$/]],
    // A single text is itself; an item may be quoted, and must be where there is a comma or a quote at its start.
    ['string', 'equals', [/^[^",]+$/, /^"a"$/, /^a,b$/, /^$/]],
    ['string', 'in', [/^[^",]+$/, /^""/, /^"\\"a\\""/, /^"a,b"/, /^[^",]+(,[^",]+){3}$/]],
  ])('write operands of %s[%s] in every way there is', (name, operator, forms) => {
    const queries = sample(someConditions(defineSchema({ [name]: schema.fields[name as 'string'] })), 3_000)
    const values = queries.flat().flatMap((said) => (said.operator.name === operator ? [said.value] : []))
    expect(forms.filter((form) => !values.some((value) => form.test(value)))).toEqual([])
  })
  test('are written by queryOf', () => {
    const said = { field: schema.paths.get('string')!, operator: operators.in, value: 'a b,"&"' }
    expect(queryOf([said, { ...said, operator: operators.equals, value: '' }])).toBe(
      'string%5Bin%5D=a+b%2C%22%26%22&string%5Bequals%5D=',
    )
  })
})

describe('groups', () => {
  const sampled = sample(someQuery(schema, { groups: true }), byEffort(5_000, 1_500))

  test('are read without an issue', () => {
    const limits = { pairs: 1_000, length: 100_000 }
    const issues = sampled.flatMap((text) => {
      const result = parseFilter(schema, text, { groups: true, limits })
      return result.ok ? [] : [text, ...result.issues]
    })
    expect(issues).toEqual([])
  })
  test('stand one or two in a query, beside conditions and alone', () => {
    const counts = sampled.map((text) => [...new URLSearchParams(text).keys()].filter((key) => key.length < 4).length)
    expect(seen(counts.map(String))).toEqual(['1', '2'])
    expect(sampled.some((text) => text.startsWith('or=') && !text.includes('&'))).toBe(true)
    expect(sampled.some((text) => /^string.*&not=/.test(text))).toBe(true)
  })
  const forms: readonly (readonly [what: string, form: RegExp])[] = [
    ['each word, in each', /^\((?:.*,)?and\(/],
    ['each word, in each', /^\((?:.*,)?or\(/],
    ['each word, in each', /^\((?:.*,)?not\(/],
    ['three levels', /^\((?:.*,)?or\((?:.*,)?not\([^()]*\)/],
    ['one entry', /entries\(/],
    ['one entry of a list of scalars', /list\(\[\w+\]=/],
    ['a list in an object', /object\.list\(/],
    ['a list in an entry', /entries\((?:[^()]*,)?list\(/],
    ["the presence of an entry's object", /entries\((?:[^()]*,)?deep\[exists\]=/],
    ['a path through a list', /entries\.deep\.n\[/],
    ['a list of operands', /string\[in\]=\([^()]+,[^()]+\)/],
    ['an empty operand', /string\[\w+\]=""/],
    ['an operand with a comma', /enumeration\[equals\]="y,1"/],
    ['an operand with a quote', /[=(,]"\\"a/],
    ['an operand without quotes', /string\[equals\]=[^"()[\],]+[,)]/],
    ['two conditions', /^\(\w+\[\w+\]=[^(),"]+,\w+\[\w+\]=[^(),"]+\)$/],
    ['two groups', /^\((?:and|or|not)\([^()]*\),(?:and|or|not)\([^()]*\)\)$/],
    ['two groups of one list', /entries\([^()]*\),entries\(/],
    ['no entry', /entries\.none\(/],
    ['every entry', /entries\.every\(/],
    ['no entry that is a scalar', /list\.none\(\[\w+\]=/],
    ['each of several entries', /list\[all\]=\(/],
    ['a number of entries', /(?:list|entries)\[at(?:Least|Most)\]=[0-3]/],
    ['text in any case', /string\[equalsIgnoreCase\]=/],
    ['text in its own case', /string\[(?:startsWith|endsWith|contains)Exact\]=/],
  ]
  test('have every form there is', () => {
    const values = sampled
      .flatMap((text) => [...new URLSearchParams(text)])
      .filter(([key]) => /^(?:and|or|not)$/.test(key))
    expect(forms.filter(([, form]) => !values.some(([, value]) => form.test(value)))).toEqual([])
  })
  test('have no relative times unless these are wanted', () => {
    const isRelative = (text: string) => /now|today/.test(text)
    expect(sampled.some(isRelative)).toBe(false)
    const texts = sample(someQuery(schema, { groups: true, relativeTimes: true }), 400)
    const now = new Date('2011-12-29T12:00:00Z')
    const limits = { pairs: 1_000, length: 100_000 }
    const read = (text: string) => parseFilter(schema, text, { groups: true, limits, now, timeZone: 'Pacific/Apia' })
    expect(texts.filter((text) => !read(text).ok)).toEqual([])
    const values = texts.flatMap((text) => [...new URLSearchParams(text)])
    for (const form of [/\bnow-90m/, /\bnow 2h/, /\btoday\+1d/, /\btoday 1mo/])
      for (const isGroup of [true, false]) {
        const of = values.filter(([key]) => /^(?:and|or|not)$/.test(key) === isGroup)
        expect(
          of.some(([, value]) => form.test(value)),
          String(form),
        ).toBe(true)
      }
    const days = values.filter(([key]) => key.startsWith('date['))
    expect(days.some(([, value]) => value.includes('today'))).toBe(true)
    expect(days.some(([, value]) => value.includes('now'))).toBe(false)
  })
  test('contain only names that a group can contain', () => {
    const odd = defineSchema({
      'a,b': field.integer(),
      'c(d': field.list(field.integer()),
      l: field.list(field.object({ or: field.integer() })),
      x: field.integer(),
    })
    const said = sample(someQuery(odd, { groups: true }))
    expect(said.every((text) => parseFilter(odd, text, { groups: true }).ok)).toBe(true)
    const groups = said.flatMap((text) =>
      [...new URLSearchParams(text)].flatMap(([key, value]) => (/^\w+$/.test(key) ? value : [])),
    )
    const named = groups.flatMap((group) => [...group.matchAll(/[(,]([a-z.]+)(?=[[(])/g)].map(([, name]) => name!))
    expect(seen(named)).toEqual(['and', 'l', 'l.or', 'not', 'or', 'x'])
    expect(groups.filter((group) => /l\(|b\[|d\[/.test(group))).toEqual([])
    const unnamed = defineSchema({ 'a,b': field.integer() })
    const outside = sample(someQuery(unnamed, { groups: true }))
    expect(outside.join('')).not.toContain('(')
    expect(outside.every((text) => parseFilter(unnamed, text, { groups: true }).ok)).toBe(true)
  })
})

describe('filters', () => {
  const n = field.integer()
  const entry = field.object({ n, object: field.object({ n }), list: field.list(n) })
  const root = field.object({ n, object: field.object({ n }), list: field.list(n), entries: field.list(entry) })
  const at = (definition: Field, path: readonly string[]) =>
    path.reduce<Field | undefined>((of, name) => (of?.type === 'object' ? of.fields[name] : undefined), definition)
  const typeOf = (leaf: Comparison | Membership | Match | Presence): string => {
    if (leaf.kind === 'match') return 'string'
    if (leaf.kind === 'presence') return leaf.type
    return (leaf.kind === 'comparison' ? leaf.operand : leaf.operands[0]!).type
  }
  /** What a filter says of which field, and what is around it. */
  function statements(node: Filter, of: Field, place: string): string[] {
    switch (node.kind) {
      case 'and':
      case 'or':
        return [`${place}${node.kind}`, ...node.filters.flatMap((one) => statements(one, of, `${place}${node.kind} `))]
      case 'not':
        return [`${place}not`, ...statements(node.filter, of, `${place}not `)]
      case 'some': {
        const list = at(of, node.path)
        if (list?.type !== 'list') return [`no list: ${node.path.join('.')}`]
        return statements(node.filter, list.entry, `${place}some ${node.path.join('.')} `)
      }
      case 'count': {
        const list = at(of, node.path)
        const isOfType = list?.type === 'list' && list.entry.type === node.type
        return [`${isOfType ? place : 'no '}count ${node.path.join('.')}`]
      }
      default: {
        const type = at(of, node.path)?.type
        return [`${typeOf(node) === type ? place : 'no '}${node.kind} ${node.path.join('.')}`]
      }
    }
  }
  // What a query says.
  const sayable = ['and comparison n', 'and not comparison n', 'and some entries and comparison object.n']
  const unsayable = [
    'or',
    'or not comparison n',
    'not and or',
    'or and',
    'not not',
    'not comparison object.n',
    'or presence object',
    'or some list comparison ',
    'some list not comparison ',
    'some entries or',
    'some entries and not',
    'some entries not comparison object.n',
    'some entries not presence ',
    'some entries not presence object',
    'some entries not some list comparison ',
  ]
  test('have fields of the schema, in forms that queries can express and in others', () => {
    const filters = sample(someFilter(defineSchema(root.fields)), 4_000)
    const said = new Set(filters.flatMap((filter) => statements(filter, root, '')))
    expect([...said].filter((statement) => statement.startsWith('no '))).toEqual([])
    expect([...sayable, ...unsayable].filter((statement) => !said.has(statement))).toEqual([])
  })
})

describe('queries of a collection', () => {
  const collection = defineCollection(
    defineSchema({
      id: field.integer(),
      part: field.string(),
      text: field.string(),
      'odd, name': field.number(),
      flag: field.boolean(),
      day: field.date(),
      moment: field.datetime(),
      tags: field.list(field.string()),
    }),
    {
      ...{ key: ['part', 'id'], sort: true, defaultSort: '-text', limit: { max: 9 }, offset: { max: 7 } },
      ...{ fields: true, count: true, operators: { text: ['equals'] }, parameters: { cursor: 'page[cursor]' } },
    },
  )
  const rows = [
    { id: 1, part: 'one of the rows', text: 'another', 'odd, name': 0.5, day: '2020-02-02' },
    { id: 2, part: 'one of the rows', text: 7, day: new Date(0) },
  ]
  const found = (all: readonly Query[]) => ({
    keys: seen(
      all.flatMap(({ sort }) => sort.slice(0, -1).map(({ path, direction }) => `${direction} ${path.join()}`)),
    ),
    lengths: seen(all.map(({ sort }) => String(sort.length))),
    limits: seen(all.map(({ limit }) => String(limit))),
    offsets: seen(all.flatMap(({ offset }) => (offset === undefined ? [] : [String(offset)]))),
    counts: seen(all.map(({ count }) => String(count))),
    fields: seen(all.flatMap(({ fields }) => (fields ?? []).map((path) => path.join()))),
    places: seen(
      all.map(({ position, offset }) => position?.toward ?? (offset === undefined ? 'the start' : 'an offset')),
    ),
    empty: all.flatMap(({ sort, position }) =>
      sort.flatMap(({ path }, at) => (position?.values[at] === null ? [path.join()] : [])),
    ),
    stored: all.flatMap(({ position }) => (position?.values ?? []).flatMap((literal) => literal?.value ?? [])),
  })
  const names = ['day', 'flag', 'id', 'moment', 'odd, name', 'part', 'text']
  const expectAll = (all: readonly Query[]): void => {
    const { keys, lengths, limits, offsets, counts, fields, places, empty, stored } = found(all)
    const both = ['ascending', 'descending'].flatMap((direction) => names.map((name) => `${direction} ${name}`))
    expect(both.filter((key) => !keys.includes(key))).toEqual([])
    expect(lengths).toEqual(['2', '3', '4', '5'])
    expect(limits).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9'])
    expect(offsets).toEqual(['0', '1', '2', '3', '4', '5', '6', '7'])
    expect(counts).toEqual(['false', 'true'])
    expect(fields).toEqual([...names, 'tags'].sort())
    expect(places).toEqual(['an offset', 'next', 'previous', 'the start'])
    // A key is never without a value.
    expect(seen(empty)).toEqual(['day', 'flag', 'moment', 'odd, name', 'text'])
    expect(stored).toEqual(expect.arrayContaining(['one of the rows', 'another', 0.5, '2020-02-02', 2]))
    // What is not of its type is no value.
    expect(stored.filter((value) => value === 7 || (value as unknown) instanceof Date)).toEqual([])
  }

  test('are checked queries of every order, place, limit and choice of fields', () => {
    const all = sample(someCollectionQuery(collection, rows), byEffort(5_000, byCompleteness(1_500, 600)))
    expectAll(all.map((query) => checkQuery(query)))
    expect(seen(all.map(({ filter }) => filter.kind))).toEqual(
      expect.arrayContaining(['and', 'comparison', 'match', 'not', 'or', 'some']),
    )
  })
  test('are read without an issue from their texts, with the parameters in any place', () => {
    const texts = sample(someCollectionText(collection, rows), byEffort(5_000, byCompleteness(1_000, 400)))
    const results = texts.map((text) => parseQuery(collection, text))
    expect(results.flatMap((result) => (result.ok ? [] : result.issues))).toEqual([])
    expectAll(results.flatMap((result) => (result.ok ? [result.query] : [])))
    expect(texts.some((text) => /page%5Bcursor%5D=[\w-]+&/.test(text))).toBe(true)
    const operatorsOf = (name: string) => {
      const keys = texts.flatMap((text) => [...new URLSearchParams(text).keys()])
      return seen(keys.flatMap((key) => (key.startsWith(`${name}[`) ? [key.slice(name.length + 1, -1)] : [])))
    }
    expect(operatorsOf('text')).toEqual(['equals'])
    expect(operatorsOf('flag')).toEqual(['equals', 'exists', 'notEqual'])
    expect(seen(texts.flatMap((text) => /^[a-z]+(?==)/.exec(text) ?? []))).toEqual(
      expect.arrayContaining(['count', 'fields', 'limit', 'offset', 'sort']),
    )
  })
  test('with groups use the words and operators of their collection', () => {
    const entry = field.object({ n: field.integer(), m: field.integer() })
    const grouped = defineCollection(
      defineSchema({ id: field.integer(), text: field.string(), l: field.list(entry) }),
      {
        ...{ key: 'id', groups: true, parameters: { or: 'any' } },
        ...{ operators: { text: ['equals'], 'l.n': ['gt'], 'l.m': [] } },
      },
    )
    const texts = sample(someCollectionText(grouped), byEffort(5_000, 400))
    const results = texts.map((text) => parseQuery(grouped, text, { limits: { pairs: 1_000, length: 100_000 } }))
    expect(results.flatMap((result) => (result.ok ? [] : result.issues))).toEqual([])
    const words = texts
      .flatMap((text) => [...new URLSearchParams(text).keys()])
      .filter((key) => /^[a-z]{2,3}$/.test(key))
    expect(seen(words.filter((word) => word !== 'id'))).toEqual(['and', 'any', 'not'])
    const decoded = texts.map((text) => decodeURIComponent(text))
    expect(decoded.some((text) => /l\(n\[gt\]=/.test(text))).toBe(true)
    expect(decoded.filter((text) => /[(,](?:l\.)?(?:m\[|n\[(?!gt)|text\[(?!equals))/.test(text))).toEqual([])
    // Only groups are texts that say this, and only what is read from a text has spans.
    const saysOr = (filter: Filter): boolean =>
      (filter.kind === 'some' && filter.filter.kind === 'or' && filter.filter.span !== undefined) ||
      children(filter).some(saysOr)
    const filters = sample(someCollectionQuery(grouped), byEffort(500, 200)).map((query) => checkQuery(query).filter)
    expect(filters.some(saysOr)).toBe(true)
  })
  test('have the words of an API that exists, repeated pairs, searches, facets and zones', () => {
    const entry = field.object({ n: field.integer(), at: field.datetime() })
    const wordy = defineCollection(
      defineSchema({ id: field.integer(), text: field.string(), at: field.datetime(), l: field.list(entry) }),
      {
        ...{ key: 'id', sort: true, fields: true, groups: true, lists: 'repeated', timeZone: true },
        ...{ search: ['text'], facets: ['text', 'l.n'], parameters: { timeZone: 'zone' } },
        aliases: {
          fields: { word: 'text', lines: 'l' },
          operators: { eq: 'equals', 'is not': 'notEqual', has: 'contains' },
        },
      },
    )
    const texts = sample(
      someCollectionText(wordy, [], { relativeTimes: true }),
      byEffort(5_000, byCompleteness(1_500, 600)),
    )
    const limits = { pairs: 1_000, length: 100_000 }
    const results = texts.map((text) => parseQuery(wordy, text, { limits }))
    expect(results.flatMap((result, at) => (result.ok ? [] : [texts[at], ...result.issues]))).toEqual([])
    const pairs = texts.map((text) => [...new URLSearchParams(text)])
    const written = pairs.flat().map(([key, value]) => `${key}=${value}`)
    const forms: readonly RegExp[] = [
      ...[/^word\[eq\]=/, /^text\[eq\]=/, /^word\[equals\]=/, /^text\[is not\]=/, /^lines\[exists\]=/, /^lines\.n\[/],
      ...[/^(?:and|or|not)=\(.*lines\(/, /^(?:and|or|not)=\(.*word\[has\]=/, /^and=.*lines\.(?:none|every)\(/],
      ...[/^text\[\]=/, /^word\[\]=/, /^lines\.n=/, /^sort=-?(?:.*,-?)?word/, /^fields=.*lines\.at/],
      ...[/^facets=word/, /^facets=.*lines\.n/, /^search=[^ "]/, /^search=.* /, /^search=.*"/, /^at\[\w+\]=.*now-90m/],
      ...[/^zone=Pacific\/Apia$/, /^zone=\+05:45$/, /^zone=Europe\/Berlin$/],
    ]
    expect(forms.filter((form) => !written.some((one) => form.test(one)))).toEqual([])
    // Other pairs separate the pairs of one list.
    const isApart = pairs.some((all) => {
      const places = all.flatMap(([key], at) => (key === 'l.n' ? [at] : []))
      return places.length > 1 && places.at(-1)! - places[0]! >= places.length
    })
    expect(isApart).toBe(true)
  })
  test('ask for nothing that a collection does not allow', () => {
    const small = defineCollection(defineSchema({ id: field.integer(), text: field.string() }), { key: 'id' })
    for (const query of sample(someCollectionQuery(small), 300)) {
      expect(Object.keys(query)).not.toContain('offset')
      expect(Object.keys(query)).not.toContain('fields')
      expect(query.count).toBe(false)
      expect(query.sort.map(({ path }) => path)).toEqual([['id']])
      expect(query.limit).toBeLessThanOrEqual(100)
    }
    for (const text of sample(someCollectionText(small), 300)) expect(text).not.toMatch(/(^|&)(offset|fields|count)=/)
  })
  test('ask for few rows where more are not allowed, and for no fields where there are none to choose', () => {
    const narrow = defineCollection(defineSchema({ id: field.integer() }), {
      ...{ key: 'id', sort: true, limit: { max: 2 }, offset: { max: 3 }, fields: [] },
    })
    const { limits, offsets, fields } = found(sample(someCollectionQuery(narrow), 300))
    expect([limits, offsets, fields]).toEqual([['1', '2'], ['0', '1', '2', '3'], []])
    const texts = sample(someCollectionText(narrow), 300)
    expect(texts.every((text) => parseQuery(narrow, text).ok)).toBe(true)
    expect(texts.join('&')).not.toContain('fields')
  })
  test('have positions in the form of cursors, whatever the form of the rows', () => {
    const events = defineCollection(defineSchema({ id: field.integer(), at: field.datetime(), day: field.date() }), {
      key: 'id',
      sort: ['at', 'day'],
      defaultSort: 'at,day',
    })
    const rows = [
      { id: 1, at: '2024-01-01T11:00:00+01:00', day: new Date('2024-01-02T00:00:00Z') },
      { id: 2, at: new Date('2024-01-01T10:00:00Z'), day: '2024-01-02' },
    ]
    const values = new Set<unknown>()
    fc.assert(
      fc.property(someCollectionQuery(events, rows), (query) => {
        checkQuery(query)
        for (const literal of query.position?.values ?? []) values.add(literal?.value)
      }),
      { numRuns: 200 },
    )
    expect(values).toContain('2024-01-01T10:00:00.000Z')
    expect(values).toContain('2024-01-02')
  })
  test('name fields inside objects', () => {
    const owner = field.object({ id: field.integer(), name: field.string() })
    const nested = defineCollection(defineSchema({ owner, id: field.integer() }), {
      ...{ key: 'owner.id', sort: true, fields: true },
    })
    const all = sample(someCollectionQuery(nested), 300).map((query) => checkQuery(query))
    expect(seen(found(all).empty)).toEqual(['id', 'owner,name'])
    const results = sample(someCollectionText(nested), 300).map((text) => parseQuery(nested, text))
    expect(results.flatMap((result) => (result.ok ? [] : result.issues))).toEqual([])
    const { keys, fields } = found(results.flatMap((result) => (result.ok ? [result.query] : [])))
    expect(keys).toEqual(expect.arrayContaining(['ascending owner,name', 'descending owner,name']))
    expect(fields).toEqual(expect.arrayContaining(['owner', 'owner,id', 'owner,name']))
  })
})
