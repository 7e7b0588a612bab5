/** Lists that are asked as a whole, worked out by hand: in JSON and in arrays, of every type, with an index and without. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  arrayColumn,
  jsonColumn,
  sqlBackend,
  table,
  type ColumnOptions,
  type SqlPiece,
} from '../../../src/backends/sql/index.ts'
import {
  and,
  defineCollection,
  defineSchema,
  field,
  not,
  parseQueryOrThrow,
  restrict,
  type EntryField,
  type Filter,
} from '../../../src/index.ts'
import { comparison, match, membership, some, type Literal, type LiteralType } from '../../../src/tree.ts'
import { jsonIn, openEngines, type Engine } from './engines.ts'
import { between, together } from './together.ts'

/** One of each that asks a list as a whole, and one that compares each entry. */
const engines = await openEngines((name) => ['sqlite', 'pglite', 'postgres', 'postgres 18', 'mysql'].includes(name))
afterAll(async () => {
  for (const { close } of engines) await close()
})

const text = (value: string): Literal => ({ type: 'string', value })

/** A type of entries, and what in JSON is equal to an operand. */
interface Entry {
  readonly name: string
  readonly field: EntryField
  readonly type: LiteralType
  readonly operand: Literal['value']
  /** Operands that no row has. */
  readonly others: readonly Literal['value'][]
  /** In JSON. */
  readonly equal: readonly string[]
  readonly different: readonly string[]
}
const entryOf = (
  name: string,
  field: EntryField,
  type: LiteralType,
  operand: Literal['value'],
  others: readonly Literal['value'][],
  equal: string,
  different: string,
): Entry => ({
  ...{ name, field, type, operand, others },
  equal: equal.split(' | '),
  different: different.split(' | '),
})

const upper = 'AAAAAAAA-BBBB-4CCC-8DDD-EEEEEEEEEEEE'
const uuid = upper.toLowerCase()
const moment = '2024-01-02T03:04:05.678Z'
const entries: readonly Entry[] = [
  entryOf(
    'string',
    field.string(),
    'string',
    'a',
    ['x', 'y'],
    '"a" | "\\u0061"',
    '"A" | "a " | " a" | "á" | "" | "null"',
  ),
  entryOf('digits', field.string(), 'string', '1', ['3', '4'], '"1"', '1 | 1.0 | true | "1.0" | "01"'),
  entryOf('quotes', field.string(), 'string', `"']\\`, ['{}', '%'], `"\\"']\\\\"`, '"\'" | "]" | "\\\\"'),
  entryOf('enumeration', field.enumeration(['a', 'b', 'c']), 'string', 'a', ['c'], '"a"', '"A" | "b"'),
  entryOf('integer', field.integer(), 'integer', 1, [7, 8], '1 | 1.0 | 1e0', '"1" | true | 2 | 1.5 | -1 | 0'),
  entryOf('zero', field.integer(), 'integer', 0, [7, 8], '0 | 0.0', '"0" | false | 1'),
  entryOf('number', field.number(), 'number', 0.1, [7, 1e300], '0.1 | 0.10 | 1e-1', '"0.1" | 0.01 | 1'),
  entryOf('large', field.number(), 'number', 2 ** 60 + 256, [7], '1152921504606847200', '1152921504606847000 | 1'),
  entryOf('boolean', field.boolean(), 'boolean', true, [], 'true', '"true" | 1 | false | "1"'),
  entryOf(
    'date',
    field.date(),
    'date',
    '2024-01-02',
    ['2024-05-05'],
    '"2024-01-02"',
    `"2024-01-03" | 20240102 | "${moment}"`,
  ),
  entryOf(
    'datetime',
    field.datetime(),
    'datetime',
    moment,
    ['2024-05-05T00:00:00.000Z'],
    `"${moment}"`,
    '"2024-01-02" | 1',
  ),
  entryOf('uuid', field.uuid(), 'uuid', uuid, [uuid.replace('a', 'f')], `"${uuid}" | "${upper}"`, '"a" | 1'),
  entryOf(
    'bigint',
    field.bigint(),
    'bigint',
    '5',
    ['7', '-8'],
    '"5" | 5 | 5.0',
    '"05" | "5.0" | 5.5 | true | "-5" | "5 "',
  ),
  entryOf('no bigint', field.bigint(), 'bigint', '0', ['7'], '"0" | "-0" | 0', '"" | false | "00"'),
  entryOf(
    'unsafe bigint',
    field.bigint(),
    'bigint',
    '9007199254740993',
    ['7'],
    '"9007199254740993"',
    '9007199254740992 | 1',
  ),
  entryOf(
    'decimal',
    field.decimal(),
    'decimal',
    '1.5',
    ['7', '0.25'],
    '"1.5" | 1.5 | "1.50"',
    '"1.51" | 15 | "a" | true',
  ),
]

/** The documents of a list in which the operand is not. */
const listsWithout = ({ equal: [one], different }: Entry): (string | null)[] => [
  ...[null, 'null', '[]', '{}', '[null]', '[[]]', '[{}]', `${one}`, `[[${one}]]`, `{"v": ${one}}`, `[{"v": ${one}}]`],
  ...(one!.startsWith('"') ? [`{${one}: ${one}}`] : []),
  ...different.flatMap((other) => [other, `[${other}]`, `[${other}, null]`]),
]

/** What is asked, and whether a list with the operand passes; the other operands are in none. */
const askedOf = ({ type, operand, others }: Pick<Entry, 'type' | 'operand' | 'others'>): [Filter, boolean][] => {
  const literal = (value: Literal['value']): Literal => ({ type, value }) as Literal
  const [it, other] = [literal(operand), others.map(literal)]
  const is = comparison([], 'eq', it)
  const asked: [Filter, boolean][] = [
    [is, true],
    [membership([], [it]), true],
    [membership([], [...other, it]), true],
    [membership([], Array.from({ length: 9 }, () => [it, ...other]).flat()), true],
    [membership([], []), false],
    [and(is, membership([], [it, ...other])), true],
  ]
  if (type === 'string') asked.push([and(is, match([], 'prefix', String(operand))), true])
  if (other.length === 0) return asked
  return [
    ...asked,
    [comparison([], 'eq', other[0]!), false],
    [membership([], other), false],
    [and(is, membership([], other)), false],
  ]
}
/** A filter on the entry itself, on a member of the entry. */
const atPath = (path: readonly string[], filter: Filter): Filter =>
  filter.kind === 'and' ? and(...filter.filters.map((one) => atPath(path, one))) : ({ ...filter, path } as Filter)

let made = 0
/** A table whose rows have the ids 0, 1, 2 and so on. */
async function rowsIn(engine: Engine, columns: readonly string[], rows: readonly (readonly unknown[])[]) {
  const name = `contains_${process.pid}_${++made}`
  await engine.run(`CREATE TABLE ${name} (id INTEGER PRIMARY KEY, ${columns.join(', ')})${engine.options}`)
  let next = 0
  const tuples = rows.map(
    (values, at) => `(${[at, ...values.map(() => engine.dialect.placeholder(++next))].join(', ')})`,
  )
  if (rows.length > 0) await engine.run(`INSERT INTO ${name} VALUES ${tuples.join(', ')}`, rows.flat())
  return name
}

type Backend = ReturnType<typeof sqlBackend>
const idsOf = (rows: Record<string, unknown>[]) => rows.map(({ id }) => Number(id)).toSorted((a, b) => a - b)

/** Asks a filter under no NOT, one and two, in a condition and in a query, and each in every way of the drivers. */
async function check(
  ways: ReturnType<typeof waysOf>,
  backend: Backend,
  name: string,
  filter: Filter,
  ids: readonly number[],
  count: number,
) {
  const others = Array.from({ length: count }, (_, at) => at).filter((at) => !ids.includes(at))
  const conditions: [string, SqlPiece, readonly number[]][] = []
  for (const [nots, asked, expected] of [
    ['', filter, ids],
    ['not ', not(filter), others],
    ['not not ', not(not(filter)), ids],
  ] as const) {
    const condition = backend.compile(asked)
    const query: SqlPiece = backend.compileQuery(restrict(everything, asked))
    const all = `SELECT id FROM ${name}`
    conditions.push([nots, between(`${all} WHERE `, condition), expected])
    conditions.push([`NOT of ${nots}`, between(`${all} WHERE NOT `, condition), expected === ids ? others : ids])
    conditions.push([`query ${nots}`, between(`SELECT id FROM (${all} `, query, ') AS page'), expected])
  }
  await Promise.all(
    conditions.flatMap(([how, piece, expected]) =>
      ways
        .filter(([way]) => how === '' || way === 'driver')
        .map(async ([way, send]) => {
          const { text } = piece
          const selected = idsOf(await send(piece))
          expect({ how, way, text, selected }).toEqual({ how, way, text, selected: expected })
        }),
    ),
  )
}
const waysOf = (engine: Engine) =>
  Object.entries({ driver: engine.run, ...engine.protocols }).map(([way, run]) => [way, together(engine, run)] as const)
const everything = parseQueryOrThrow(
  defineCollection(defineSchema({ id: field.integer() }), { key: 'id', limit: { default: 1000, max: 1000 } }),
  '',
)

/** Asks without an index, and with some at a time, which PostgreSQL must use. */
async function withIndexes(
  { run }: Engine,
  name: string,
  groups: readonly (readonly string[])[],
  ask: () => Promise<void>,
) {
  await ask()
  for (const on of groups) {
    for (const [at, one] of on.entries()) await run(`CREATE INDEX ${name}_${at} ON ${name} USING gin (${one})`)
    await run('SET enable_seqscan = off')
    await ask().finally(() => run('RESET enable_seqscan'))
    for (const at of on.keys()) await run(`DROP INDEX ${name}_${at}`)
  }
}

describe.each(engines)('JSON: $name', (engine) => {
  const { dialect, declared, run } = engine
  const known = entries.filter(({ type }) => dialect.json!.types[type] !== undefined)
  const hasGin = dialect.array !== undefined
  test.each(known)(
    '$name',
    async (entry) => {
      const nested = field.object({ tags: field.list(entry.field), v: entry.field })
      const schema = defineSchema({
        id: field.integer(),
        l: field.list(entry.field),
        o: nested,
        r: field.list(nested),
        s: field.list(nested),
      })
      const placed = (list: string | null) =>
        list === null
          ? [null, null, null]
          : [list, `{"w": null, "tags": ${list}}`, `[{"w": 1}, null, {"tags": ${list}}]`]
      const inEntries = (value: string) => `[null, 1, {"w": 1}, {"v": ${value}}, {"v": null}]`
      const rows = [
        ...entry.equal.flatMap((one) => [
          [...placed(`[${one}]`), inEntries(one)],
          [...placed(`[${one}, ${one}]`), inEntries(one)],
          [...placed(`[${entry.different[0]!}, null, ${one}]`), inEntries(one)],
          [...placed(`[{"v": 1}, [], ${one}]`), inEntries(one)],
        ]),
        ...listsWithout(entry).map((list) => [...placed(list), null]),
        ...[...entry.different, 'null', `[${entry.equal[0]!}]`, `{"v": ${entry.equal[0]!}}`].flatMap((other) => [
          [null, null, null, inEntries(other)],
          [null, null, null, `{"v": ${other}}`],
          [null, null, null, `[[${inEntries(entry.equal[0]!)}]]`],
        ]),
        [null, null, null, `{"v": ${entry.equal[0]!}}`],
      ]
      const all = Array.from({ length: 4 * entry.equal.length }, (_, at) => at)
      const name = await rowsIn(
        engine,
        ['l', 'o', 'r', 's'].map((one) => `${one} ${declared.json}`),
        rows,
      )
      const json = jsonIn(engine)
      const columns: ColumnOptions = { l: json('l'), o: json('o'), r: json('r'), s: json('s') }
      const backend = sqlBackend({ dialect, table: table(name, { schema, key: 'id', columns }) })
      const classes = hasGin ? ['', ' jsonb_path_ops'] : []
      const groups = classes.map((one) => ['l', 'o', 'r', 's'].map((column) => column + one))
      const ways = waysOf(engine)
      await withIndexes(engine, name, groups, async () => {
        const checks: Promise<void>[] = []
        for (const [filter, isThere] of askedOf(entry)) {
          const asked = [
            some(['l'], filter),
            some(['o', 'tags'], filter),
            some(['r'], some(['tags'], filter)),
            some(['s'], atPath(['v'], filter)),
          ]
          for (const one of asked) checks.push(check(ways, backend, name, one, isThere ? all : [], rows.length))
        }
        await Promise.all(checks)
      })
      await run(`DROP TABLE ${name}`)
    },
    300_000,
  )
})

/** A value that is in no list: the document itself, in an object, and in an object with names that are hard to write. */
describe.each(engines)('a value in JSON: $name', (engine) => {
  const { dialect, declared, run } = engine
  const known = entries.filter(({ type }) => dialect.json!.types[type] !== undefined)
  const odd = ['a b', `"'\\`]
  test.each(known)(
    '$name',
    async (entry) => {
      const schema = defineSchema({
        id: field.integer(),
        v: entry.field,
        o: field.object({ v: entry.field }),
        p: field.object({ [odd[0]!]: field.object({ [odd[1]!]: entry.field }) }),
      })
      const inOdd = (value: string) => `{"a b": {${JSON.stringify(odd[1])}: ${value}}}`
      const [equal] = entry.equal as [string]
      const without = [...entry.different, 'null', '[]', '{}', `[${equal}]`, `{"v": ${equal}}`, `[[${equal}]]`]
      const documents = [
        null,
        'null',
        '1',
        `[${equal}]`,
        `{"w": ${equal}}`,
        `[{"v": ${equal}}]`,
        `{"o": {"v": ${equal}}}`,
      ]
      const rows = [
        ...entry.equal.flatMap((one) => [[one, `{"w": null, "v": ${one}}`, inOdd(one)]]),
        ...without.map((one) => [one, `{"w": ${equal}, "v": ${one}}`, inOdd(one)]),
        ...documents.map((one) => [null, one, one]),
      ]
      const all = [...entry.equal.keys()]
      const name = await rowsIn(
        engine,
        ['v', 'o', 'p'].map((one) => `${one} ${declared.json}`),
        rows,
      )
      const json = jsonIn(engine)
      const columns: ColumnOptions = { v: json('v'), o: json('o'), p: json('p') }
      const backend = sqlBackend({ dialect, table: table(name, { schema, key: 'id', columns }) })
      const classes = dialect.array === undefined ? [] : ['', ' jsonb_path_ops']
      const ways = waysOf(engine)
      await withIndexes(
        engine,
        name,
        classes.map((one) => ['v', 'o', 'p'].map((column) => column + one)),
        async () => {
          for (const [filter, isThere] of askedOf(entry))
            for (const path of [['v'], ['o', 'v'], ['p', ...odd]])
              await check(ways, backend, name, atPath(path, filter), isThere ? all : [], rows.length)
        },
      )
      await run(`DROP TABLE ${name}`)
    },
    300_000,
  )
})

/** Servers are shared. */
const mood = `mood_${process.pid}`
/** A type of arrays, with the operand of {@link entries}, as PostgreSQL writes them. */
const arrays: readonly (readonly [
  declared: string,
  of: string,
  stored: Parameters<typeof arrayColumn>[1],
  it: string,
  other: string,
])[] = [
  ['text[]', 'string', undefined, 'a', 'A'],
  ['text[]', 'quotes', undefined, `"\\"']\\\\"`, "'"],
  ['text[]', 'date', { type: 'text' }, '2024-01-02', '2024-01-03'],
  ['text[]', 'datetime', { type: 'text' }, moment, '2024-01-02'],
  ['text[]', 'uuid', { type: 'text' }, uuid, 'a'],
  ['varchar(50)[]', 'string', undefined, 'a', '"a "'],
  ['text[]', 'enumeration', undefined, 'a', 'b'],
  ['citext[]', 'string', { type: 'citext' }, 'a', 'A'],
  [`${mood}[]`, 'enumeration', { type: 'enum' }, 'a', 'b'],
  [`${mood}[]`, 'enumeration', { type: 'enum', name: mood }, 'a', 'b'],
  ['bigint[]', 'digits', { type: 'bigintText' }, '1', '10'],
  ['smallint[]', 'integer', undefined, '1', '2'],
  ['integer[]', 'integer', undefined, '1', '-1'],
  ['bigint[]', 'integer', undefined, '1', '9007199254740993'],
  ['numeric[]', 'integer', { type: 'numeric' }, '1.0', '1.5'],
  ['double precision[]', 'number', undefined, '0.1', '0.01'],
  ['numeric[]', 'number', undefined, '0.10', '0.1001'],
  ['numeric[]', 'number', { type: 'numeric' }, '0.10', '0.1001'],
  ['boolean[]', 'boolean', undefined, 't', 'f'],
  ['date[]', 'date', undefined, '2024-01-02', '2024-01-03'],
  ['timestamptz[]', 'datetime', undefined, moment, '2024-01-02 03:04:05.678001Z'],
  ['timestamp[]', 'datetime', { type: 'timestamp' }, '2024-01-02 03:04:05.678', '2024-01-02 03:04:05.678001'],
  ['timestamptz[]', 'microseconds', undefined, '2024-01-02 03:04:05.678001Z', moment],
  ['bigint[]', 'datetime', { type: 'epochMs' }, String(Date.parse(moment)), '0'],
  ['uuid[]', 'uuid', undefined, upper, uuid.replace('a', 'b')],
  ['uuid[]', 'uuid as a text', { type: 'uuid' }, upper, uuid.replace('a', 'b')],
  ['bigint[]', 'unsafe bigint', undefined, '9007199254740993', '9007199254740992'],
  ['numeric[]', 'decimal', undefined, '1.50', '1.51'],
  ['bigint[]', 'decimal', { type: 'scaled', digits: 2 }, '150', '151'],
]
const inArrays = [
  ...entries,
  entryOf(
    'microseconds',
    field.datetime(),
    'datetime',
    '2024-01-02T03:04:05.678001Z',
    ['2024-05-05T00:00:00.000001Z'],
    '',
    '',
  ),
  entryOf('uuid as a text', field.string(), 'string', uuid, [upper, 'a'], '', ''),
]

describe.each(engines.filter(({ dialect }) => dialect.array?.contains !== undefined))('arrays: $name', (engine) => {
  const { run, dialect } = engine
  beforeAll(async () => {
    await run('CREATE EXTENSION IF NOT EXISTS citext')
    await run(`CREATE TYPE ${mood} AS ENUM ('a', 'b', 'c')`)
  })
  afterAll(() => run(`DROP TYPE ${mood} CASCADE`))

  test.each(arrays)('%s as %s, %j', async (declared, of, stored, it, other) => {
    const entry = inArrays.find(({ name }) => name === of)!
    const wider = declared.startsWith('varchar')
      ? 'text[]'
      : /^(small)?int(eger)?\[/.test(declared)
        ? 'bigint[]'
        : undefined
    const rows = [
      ...[`{${it}}`, `{${it},${it}}`, `{${other},NULL,${it}}`, `{{${other}},{${it}}}`],
      ...[null, '{}', '{NULL}', `{${other}}`, `{${other},NULL}`, `{{${other}},{${other}}}`],
    ].map((list) => [list])
    const name = await rowsIn(engine, [`l ${declared}`], [])
    for (const [at, [list]] of rows.entries())
      await run(`INSERT INTO ${name} VALUES (${at}, $1::text::${declared})`, [list])
    const schema = defineSchema({ id: field.integer(), l: field.list(entry.field) })
    const mapped = table(name, { schema, key: 'id', columns: { l: arrayColumn('l', stored) } })
    const backend = sqlBackend({ dialect, table: mapped })
    const groups = declared.startsWith('citext') ? [] : [[wider === undefined ? 'l' : `(l::${wider})`]]
    const ways = waysOf(engine)
    await withIndexes(engine, name, groups, async () => {
      await Promise.all(
        askedOf(entry).map(([filter, isThere]) =>
          check(ways, backend, name, some(['l'], filter), isThere ? [0, 1, 2, 3] : [], rows.length),
        ),
      )
    })
    await run(`DROP TABLE ${name}`)
  })
})

/** What a multi-valued index makes of each entry, it makes of operands: 1 and "1" are one text, 1.5 and 2 one whole number. */
describe.each(engines.filter(({ name }) => name === 'mysql'))('multi-valued indexes: $name', (engine) => {
  const { run, dialect, protocols } = engine
  const ofTexts = [
    '["1"]',
    '["1", "1"]',
    '["1 "]',
    '["a"]',
    '["A"]',
    '[1]',
    '[1.0]',
    '"1"',
    '[]',
    '[true]',
    null,
    '["á", "x"]',
  ]
  const ofNumbers = ['[1]', '[1, 2]', '[1.0]', '[1.5]', '[2]', '["1"]', '1', '[]', '[true]', null, '[9007199254740993]']
  test.each<[string, EntryField, readonly (string | null)[], readonly [Filter, readonly number[], uses: boolean][]]>([
    [
      'CHAR(4)',
      field.string(),
      ofTexts,
      [
        [comparison([], 'eq', text('1')), [0, 1], true],
        [comparison([], 'eq', text('1 ')), [2], true],
        [membership([], [text('a'), text('x')]), [3, 11], true],
        [and(comparison([], 'eq', text('x')), match([], 'prefix', 'X')), [11], true],
        // It is longer than an entry of the index can be.
        [comparison([], 'eq', text('aaaaa')), [], false],
      ],
    ],
    [
      'UNSIGNED',
      field.number(),
      ofNumbers,
      [
        [comparison([], 'eq', { type: 'number', value: 1 }), [0, 1, 2], true],
        [comparison([], 'eq', { type: 'number', value: 2 }), [1, 4], true],
        [
          membership(
            [],
            [7, 2].map((value) => ({ type: 'number', value })),
          ),
          [1, 4],
          true,
        ],
        [comparison([], 'eq', { type: 'number', value: 1.5 }), [3], false],
        [comparison([], 'eq', { type: 'number', value: -1 }), [], false],
        [comparison([], 'eq', { type: 'number', value: 1e30 }), [], false],
      ],
    ],
  ])('%s', async (type, entry, lists, asked) => {
    const name = await rowsIn(
      engine,
      ['l JSON'],
      lists.map((list) => [list]),
    )
    await run(`CREATE INDEX ${name}_l ON ${name} ((CAST(l AS ${type} ARRAY)))`)
    const schema = defineSchema({ id: field.integer(), l: field.list(entry) })
    const mapped = table(name, { schema, key: 'id', columns: { l: jsonColumn('l') } })
    for (const [filter, ids, isUsed] of asked) {
      const { text, parameters } = sqlBackend({ dialect, table: mapped }).compile(some(['l'], filter))
      for (const way of [run, ...Object.values(protocols!)]) {
        const selected = idsOf(await way(`SELECT id FROM ${name} FORCE INDEX (${name}_l) WHERE ${text}`, parameters))
        expect({ filter, selected }).toEqual({ filter, selected: ids })
      }
      const [plan] = await run(
        `EXPLAIN FORMAT=TREE SELECT id FROM ${name} FORCE INDEX (${name}_l) WHERE ${text}`,
        parameters,
      )
      expect(String(plan!.EXPLAIN).includes(`using ${name}_l`), JSON.stringify(filter)).toBe(isUsed)
    }
    await run(`DROP TABLE ${name}`)
  })
})
