/** Rows with every type in every place, and the statements that store them: literals, which no driver changes. */
import {
  arrayColumn,
  childTable,
  column,
  jsonColumn,
  mariadb,
  mysql,
  parentTable,
  postgres,
  sqlBackend,
  sqlite,
  table,
  type Dialect,
} from '../../../src/backends/sql/index.ts'
import { memoryBackend } from '../../../src/backends/memory/index.ts'
import { defineCollection, defineSchema, field, parseQueryOrThrow, toPage } from '../../../src/index.ts'
import type { RowCount, Query } from '../../../src/index.ts'
import { shownBy } from '../../../src/query/to-answer.ts'

/** A server or a file: its dialect, and how it declares and writes what is stored. */
export interface Place {
  readonly name: string
  readonly dialect: Dialect
  readonly declared: Readonly<Record<Type | 'json' | 'key', string>>
  /** A value in SQL; `null` is NULL. */
  readonly literal: (type: Type | 'json', value: unknown) => string
  /** How a list is declared and written where it is no JSON. */
  readonly arrays?: {
    readonly declared: (type: Type) => string
    readonly literal: (type: Type, list: unknown) => string
  }
  readonly lacks: readonly Type[]
  readonly decimals: readonly [string, string, string]
  readonly options: string
}

export const types = [
  ...(['string', 'uuid', 'bigint', 'decimal', 'integer', 'number'] as const),
  ...(['boolean', 'date', 'datetime', 'enumeration'] as const),
] as const
export type Type = (typeof types)[number]

// --- Places

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`
const written = (type: Type | 'json', value: unknown): string =>
  typeof value === 'number' || typeof value === 'boolean' || type === 'bigint' || type === 'decimal'
    ? String(value)
    : quoted(type === 'json' ? JSON.stringify(value) : (value as string))
const orNull =
  (write: Place['literal']): Place['literal'] =>
  (type, value) =>
    value === null ? 'NULL' : write(type, value)

const inPostgres = orNull(written)
export const postgresPlace: Place = {
  name: 'postgres',
  dialect: postgres,
  declared: {
    ...{ string: 'text', uuid: 'uuid', bigint: 'bigint', decimal: 'numeric', integer: 'bigint', date: 'date' },
    ...{ number: 'double precision', boolean: 'boolean', datetime: 'timestamptz', enumeration: 'text' },
    ...{ json: 'jsonb', key: 'int' },
  },
  literal: inPostgres,
  arrays: {
    declared: (type) => `${postgresPlace.declared[type]}[]`,
    literal: (type, list) =>
      list === null
        ? 'NULL'
        : `ARRAY[${(list as unknown[]).map((one) => inPostgres(type, one)).join(', ')}]::${postgresPlace.declared[type]}[]`,
  },
  lacks: [],
  decimals: [
    '12345678901234567890.1234',
    '-9999999999999999999999.999999999999',
    '0.0000000000000000000000000000000001234567890123456789012345678901234',
  ],
  options: '',
}

/** Bytes, for a backslash in quotes depends on the session. */
const hexadecimal = (text: string): string =>
  text === '' ? "''" : `_utf8mb4 0x${Buffer.from(text, 'utf8').toString('hex')}`
const inMysql = orNull((type, value) => {
  if (type === 'datetime') return quoted((value as string).slice(0, -1).replace('T', ' '))
  if (type === 'json') return hexadecimal(JSON.stringify(value))
  return typeof value === 'string' && type !== 'bigint' && type !== 'decimal'
    ? hexadecimal(value)
    : written(type, value)
})
export const mysqlPlace: Place = {
  name: 'mysql',
  dialect: mysql,
  declared: {
    ...{ string: 'text', uuid: 'char(36)', bigint: 'bigint', decimal: 'decimal(65, 30)', integer: 'bigint' },
    ...{ number: 'double', boolean: 'boolean', date: 'date', datetime: 'datetime(6)', enumeration: 'text' },
    ...{ json: 'json', key: 'int' },
  },
  literal: inMysql,
  lacks: [],
  decimals: ['12345678901234567890.1234', '-9999999999999999999999.999999999999', '0.000000000000000000000000000001'],
  options: ' CHARACTER SET utf8mb4',
}
export const mariadbPlace: Place = { ...mysqlPlace, name: 'mariadb', dialect: mariadb }

const scale = 5
export const sqlitePlace: Place = {
  name: 'sqlite',
  dialect: sqlite,
  declared: {
    ...{ string: 'TEXT', uuid: 'TEXT', bigint: 'INTEGER', decimal: 'INTEGER', integer: 'INTEGER', date: 'TEXT' },
    ...{ number: 'REAL', boolean: 'INTEGER', datetime: 'TEXT', enumeration: 'TEXT', json: 'TEXT', key: 'INTEGER' },
  },
  literal: orNull((type, value) => {
    if (type === 'boolean') return String(Number(value))
    // Some drivers end a statement at a line feed.
    if (type === 'json' || typeof value !== 'string' || type === 'bigint') return written(type, value)
    return type === 'decimal' ? scaledOf(value) : value.split('\n').map(quoted).join(' || char(10) || ')
  }),
  // JSON of SQLite has no decimals.
  lacks: ['decimal'],
  decimals: ['12345.67891', '-92233720368547.75808', '92233720368547.75807'],
  options: ' STRICT',
}
function scaledOf(decimal: string): string {
  const [whole, fraction = ''] = decimal.split('.')
  return BigInt(whole! + fraction.padEnd(scale, '0')).toString()
}

// --- What is stored

/** What every field of a type holds, in the form of the schema: an ordinary value, the least or the hardest, the greatest. */
const valuesOf = ({ decimals }: Place): Readonly<Record<Type, readonly unknown[]>> => ({
  string: [`O'Brien "said"\n\\n ?:a$1 é`, '', '😀\u2028\u2029\t\r\u0001\u007f\uffff`'],
  uuid: [
    'abcdef00-0000-4000-8000-00000000000f',
    '00000000-0000-0000-0000-000000000000',
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
  ],
  bigint: ['9007199254740993', '-9223372036854775808', '9223372036854775807'],
  decimal: decimals,
  integer: [7, -9_007_199_254_740_991, 9_007_199_254_740_991],
  number: [0.300_000_000_000_000_04, 5e-324, 1.797_693_134_862_315_7e308],
  boolean: [true, false, true],
  date: ['2024-02-29', '0001-01-01', '9999-12-31'],
  datetime: ['2024-02-29T23:59:59.123456Z', '0001-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999999Z'],
  enumeration: ['paid', 'new', "it's"],
})

const scalars = () => ({
  string: field.string(),
  uuid: field.uuid(),
  bigint: field.bigint(),
  decimal: field.decimal(),
  integer: field.integer(),
  number: field.number(),
  boolean: field.boolean(),
  date: field.date(),
  datetime: field.datetime(),
  enumeration: field.enumeration(['paid', 'new', "it's"]),
})
const of = <T>(made: (type: Type) => T, without: readonly Type[] = []): Record<string, T> =>
  Object.fromEntries(types.filter((type) => !without.includes(type)).map((type) => [type, made(type)]))

/** Values of one row: the place of each in {@link valuesOf}; 3 for NULL. */
type At = 0 | 1 | 2 | 3

/** All that tests need of a place. */
export interface Selecting {
  readonly backend: ReturnType<typeof sqlBackend>
  readonly collection: ReturnType<typeof defineCollection>
  /** In the form of the schema. */
  readonly rows: readonly Readonly<Record<string, unknown>>[]
  readonly create: readonly string[]
  readonly drop: readonly string[]
  /** The page that memory makes, cut down to the fields, and the number of all rows. */
  readonly inMemory: (query: Query) => { readonly page: object; readonly count: RowCount | undefined }
}

export function selectingIn(place: Place): Selecting {
  const { dialect, declared, literal, arrays, lacks, options } = place
  const values = valuesOf(place)
  const value = (type: Type, at: At): unknown => values[type][at] ?? null
  const inJson = of((type) => scalars()[type], lacks)
  const definitions = of((type) => scalars()[type])
  const listed = types.filter((type) => arrays !== undefined || !lacks.includes(type))
  const list = (prefix: string) =>
    Object.fromEntries(listed.map((type) => [`${prefix}${type}`, field.list(scalars()[type])]))
  const above = field.object(definitions)
  const up = field.object({ ...definitions, above, sons: field.list(field.string()) })
  const kid = field.object({
    ...definitions,
    flat: field.object(definitions),
    doc: field.object(inJson),
    up,
    notes: field.list(field.string()),
    parts: field.list(field.object({ name: field.string(), on: field.date() })),
  })
  const schema = defineSchema({
    id: field.integer({ required: true }),
    ...definitions,
    flat: field.object(definitions),
    kept: field.object(definitions, { required: true }),
    doc: field.object({ ...inJson, tags: field.list(field.string()), more: field.object({ n: field.number() }) }),
    docs: field.list(field.object(inJson)),
    ...list('list_'),
    ...Object.fromEntries(types.map((type) => [`rows_${type}`, field.list(scalars()[type])])),
    kids: field.list(kid),
    up,
    other: up,
  })

  // --- Mapping
  const typed = (type: Type, name: string) =>
    column<string>(
      name,
      type === 'decimal' && dialect.columnTypes.decimal === undefined ? { type: 'scaled', digits: scale } : {},
    )
  const columns = (prefix: string) => of((type) => typed(type, `${prefix}${type}`))
  const toUp = (foreignKey: string) =>
    parentTable('s_ups', {
      key: ['id', 'half'],
      foreignKey: [`${foreignKey}_id`, `${foreignKey}_half`],
      columns: {
        ...columns('v_'),
        above: parentTable('s_aboves', { key: 'id', foreignKey: 'above_id', columns: columns('v_') }),
        sons: childTable('s_sons', { foreignKey: ['up_id', 'up_half'], key: 'id', value: 'name' }),
      },
    })
  const mapped = table('s_mains', {
    schema,
    key: 'id',
    columns: {
      ...columns('v_'),
      flat: columns('f_'),
      kept: columns('k_'),
      doc: jsonColumn('doc'),
      docs: jsonColumn('docs'),
      ...Object.fromEntries(
        listed.map((type) => [
          `list_${type}`,
          arrays === undefined ? jsonColumn(`l_${type}`) : arrayColumn(`l_${type}`),
        ]),
      ),
      ...Object.fromEntries(
        types.map((type) => [
          `rows_${type}`,
          childTable(`s_rows_${type}`, { foreignKey: 'owner', key: 'id', value: typed(type, 'value') }),
        ]),
      ),
      kids: childTable('s_kids', {
        foreignKey: 'owner',
        key: ['id', 'half'],
        columns: {
          ...columns('v_'),
          flat: columns('f_'),
          doc: jsonColumn('doc'),
          up: toUp('up'),
          notes: childTable('s_notes', { foreignKey: ['kid_id', 'kid_half'], orderBy: ['at', 'id'], value: 'note' }),
          parts: childTable('s_parts', { foreignKey: ['kid_id', 'kid_half'], key: 'id', columns: { on: 'day' } }),
        },
      }),
      up: toUp('up'),
      other: toUp('other'),
    },
  })

  // --- Rows and statements
  const declarations = (prefix: string) => types.map((type) => `${prefix}${type} ${declared[type]}`)
  const cells = (at: At) => types.map((type) => literal(type, value(type, at)))
  const keys = (...names: readonly string[]) => names.map((name) => `${name} ${declared.key}`)
  const create = (name: string, ...columns: readonly string[]) =>
    `CREATE TABLE ${name} (${columns.join(', ')})${options}`
  const insert = (name: string, ...rows: readonly (readonly (string | number)[])[]) =>
    `INSERT INTO ${name} VALUES ${rows.map((row) => `(${row.join(', ')})`).join(', ')}`
  const object = (at: At) => of((type) => value(type, at))
  const jsonObject = (at: At) => of((type) => value(type, at), lacks)
  const text = (value: unknown) => literal('string', value)

  const upOf = (at: At, above: At | undefined, sons: readonly (string | null)[]) => ({
    ...object(at),
    above: above === undefined ? null : object(above),
    sons,
  })
  /** By the id of the row. */
  const ups = [upOf(0, 1, ["so'n", null, '']), upOf(3, undefined, []), upOf(2, 3, ['a'])] as const
  const kids = [
    {
      ...object(0),
      ...{ flat: object(1), doc: jsonObject(2), up: ups[0], notes: ['first', null, 'th"ird\n'] },
      parts: [
        { name: 'leg', on: '2024-01-01' },
        { name: null, on: null },
      ],
    },
    { ...object(3), flat: null, doc: null, up: null, notes: [], parts: [] },
    {
      ...object(2),
      flat: object((3 - 1) as At),
      doc: jsonObject(3),
      up: ups[1],
      notes: [''],
      parts: [{ name: 'arm', on: '9999-12-31' }],
    },
  ]
  const lists = (entries: readonly At[] | null) =>
    Object.fromEntries(
      listed.map((type) => [`list_${type}`, entries === null ? null : entries.map((at) => value(type, at))]),
    )
  const rowsOf = (entries: readonly At[]) =>
    Object.fromEntries(types.map((type) => [`rows_${type}`, entries.map((at) => value(type, at))]))
  const doc = (at: At) => ({ ...jsonObject(at), tags: ['a', null, '"'], more: { n: 1.5 } })
  const rows = [
    {
      id: 1,
      ...object(0),
      ...{ flat: object(0), kept: object(0), doc: doc(0), docs: [jsonObject(0), jsonObject(3), jsonObject(1)] },
      ...lists([0, 3, 1, 2]),
      ...rowsOf([0, 3, 1, 2, 0]),
      ...{ kids, up: ups[0], other: ups[2] },
    },
    {
      id: 2,
      ...object(3),
      ...{ flat: null, kept: object(3), doc: null, docs: null },
      ...lists(null),
      ...rowsOf([]),
      ...{ kids: [], up: null, other: null },
    },
    {
      id: 3,
      ...object(1),
      ...{ flat: object(1), kept: object(1), doc: { ...jsonObject(1), tags: [], more: null }, docs: [] },
      ...lists([]),
      ...rowsOf([3]),
      ...{ kids: [kids[1]], up: ups[1], other: ups[1] },
    },
    {
      id: 4,
      ...object(2),
      ...{ flat: object(2), kept: object(2), doc: doc(2), docs: [null, jsonObject(2)] },
      ...lists([2]),
      ...rowsOf([2, 2]),
      ...{ kids: [kids[2]], up: ups[2], other: null },
    },
  ]
  const listCells = (row: Readonly<Record<string, unknown>>) =>
    listed.map((type) => {
      const list = row[`list_${type}`]
      return arrays === undefined ? literal('json', list) : arrays.literal(type, list)
    })
  const main = (at: 0 | 1 | 2 | 3, v: At, up: readonly (string | number)[]) => {
    const row = rows[at]! as Readonly<Record<string, unknown>>
    const beyond = row.doc === null ? null : { ...(row.doc as object), beyond: 1 }
    return [
      ...[row.id as number, ...cells(v), ...cells(v), ...cells(v)],
      ...[literal('json', beyond), literal('json', row.docs), ...listCells(row), ...up],
    ]
  }
  const kidRow = (
    id: number,
    owner: number,
    [v, f, d]: readonly [At, At, At | undefined],
    up: readonly (string | number)[],
  ) => [
    ...[id, id % 2, owner, ...cells(v), ...cells(f)],
    ...[literal('json', d === undefined ? null : jsonObject(d)), ...up],
  ]
  const statements = [
    create('s_aboves', ...keys('id'), ...declarations('v_')),
    create('s_ups', ...keys('id', 'half'), ...declarations('v_'), ...keys('above_id')),
    create('s_sons', ...keys('id', 'up_id', 'up_half'), `name ${declared.string}`),
    create(
      's_mains',
      ...[...keys('id'), ...declarations('v_'), ...declarations('f_'), ...declarations('k_')],
      ...[`doc ${declared.json}`, `docs ${declared.json}`],
      ...listed.map((type) => `l_${type} ${arrays?.declared(type) ?? declared.json}`),
      ...keys('up_id', 'up_half', 'other_id', 'other_half'),
    ),
    ...types.map((type) => create(`s_rows_${type}`, ...keys('id', 'owner'), `value ${declared[type]}`)),
    create(
      's_kids',
      ...[...keys('id', 'half', 'owner'), ...declarations('v_'), ...declarations('f_')],
      ...[`doc ${declared.json}`, ...keys('up_id', 'up_half')],
    ),
    create('s_notes', ...keys('id', 'at', 'kid_id', 'kid_half'), `note ${declared.string}`),
    create('s_parts', ...keys('id', 'kid_id', 'kid_half'), `name ${declared.string}`, `day ${declared.date}`),
    insert('s_aboves', [1, ...cells(1)], [2, ...cells(3)]),
    insert(
      's_ups',
      [1, 1, ...cells(0), 1],
      [2, 0, ...cells(3), 'NULL'],
      [2, 1, ...cells(2), 2],
      [3, 9, ...cells(1), 77],
    ),
    insert(
      's_sons',
      [3, 1, 1, text('')],
      [1, 1, 1, text("so'n")],
      [2, 1, 1, 'NULL'],
      [4, 2, 1, text('a')],
      [5, 2, 7, text('b')],
    ),
    // Not in the order of the key.
    insert(
      's_mains',
      main(3, 2, [2, 1, -1, 0]),
      main(0, 0, [1, 1, 2, 1]),
      main(1, 3, ['NULL', 1, 1, 'NULL']),
      main(2, 1, [2, 0, 2, 0]),
    ),
    ...types.map((type) => {
      const cell = (at: At) => literal(type, value(type, at))
      return insert(
        `s_rows_${type}`,
        ...([
          [12, 1, cell(0)],
          [1, 1, cell(0)],
          [2, 1, cell(3)],
          [10, 1, cell(1)],
          [11, 1, cell(2)],
          [5, 3, cell(3)],
          [7, 4, cell(2)],
          [6, 4, cell(2)],
        ] as const),
      )
    }),
    insert(
      's_kids',
      kidRow(13, 1, [2, 2, 3], [2, 0]),
      kidRow(1, 1, [0, 1, 2], [1, 1]),
      kidRow(4, 1, [3, 3, undefined], ['NULL', 'NULL']),
      kidRow(5, 3, [3, 3, undefined], [-1, 0]),
      kidRow(6, 4, [2, 2, 3], [2, 0]),
    ),
    insert(
      's_notes',
      ...[
        [1, 3, 1, 1, text('th"ird\n')],
        [3, 2, 1, 1, 'NULL'],
        [2, 1, 1, 1, text('first')],
        [4, 1, 1, 0, text('of no kid')],
        [5, 1, 13, 1, text('')],
        [6, 1, 6, 0, text('')],
      ],
    ),
    insert(
      's_parts',
      ...[
        [2, 1, 1, 'NULL', 'NULL'],
        [1, 1, 1, text('leg'), literal('date', '2024-01-01')],
        [3, 13, 1, text('arm'), literal('date', '9999-12-31')],
        [4, 6, 0, text('arm'), literal('date', '9999-12-31')],
      ],
    ),
  ]
  const names = statements.flatMap((statement) => /^CREATE TABLE (\w+)/.exec(statement)?.[1] ?? [])

  const collection = defineCollection(schema, {
    key: 'id',
    sort: true,
    fields: true,
    count: true,
    limit: { max: 1000 },
  })
  const { compileQuery } = memoryBackend()
  const shown = shownBy(collection)
  return {
    backend: sqlBackend({ dialect, table: mapped }),
    collection,
    rows,
    create: statements,
    drop: names.map((name) => `DROP TABLE IF EXISTS ${name}`),
    inMemory: (query) => {
      const { rows: found, count } = compileQuery(query)(rows)
      const page = toPage(query, found)
      return { page: { ...page, rows: page.rows.map(shown(query)) }, count }
    },
  }
}

export type Run = (text: string, parameters: readonly unknown[]) => Promise<readonly unknown[]>

/** Texts of queries: all fields, some of every depth, every order, filters. */
export const queries = [
  '',
  'fields=id',
  'fields=flat.string,kept.date',
  'fields=flat.uuid,doc.more.n,docs.number,list_string',
  'fields=kids.string,kids.flat.datetime,kids.up.above.bigint,kids.notes',
  'fields=up.above.date,up.sons,other.string,rows_number',
  'fields=kids.parts.name,kids.up.sons,doc.tags&sort=up.above.integer',
  ...types.flatMap((type) => [`sort=${type}`, `sort=-${type}`]).filter((text) => !text.endsWith('boolean')),
  'sort=boolean,-number&fields=string',
  'sort=-flat.datetime&fields=flat.string',
  'sort=doc.number&fields=id',
  'sort=-doc.integer&fields=id',
  'sort=doc.integer&fields=doc.integer,docs.integer',
  'sort=up.string,-other.bigint&fields=kids.uuid',
  'kids.notes=first&fields=kids',
  'up.above[exists]=true',
  'flat[exists]=false',
  'string=&fields=flat',
]

/** Every page of every query, forwards and back, as JSON; and the count. Returns what differs from memory. */
export async function differences(
  { backend, collection, inMemory }: Selecting,
  run: Run,
  texts = queries,
): Promise<string[]> {
  const found: string[] = []
  const compare = (name: string, actual: unknown, expected: unknown) => {
    const [a, b] = [JSON.stringify(actual), JSON.stringify(expected)]
    if (a !== b) found.push(`${name}: ${firstDifference(a, b)}`)
  }
  for (const text of texts) {
    for (const limit of [1, 4]) {
      let cursor: string | undefined
      let toward: 'next' | 'previous' = 'next'
      for (let turn = 0; turn < 8; turn++) {
        const whole = [text, `limit=${limit}`, 'count=true', ...(cursor === undefined ? [] : [`cursor=${cursor}`])]
        const query = parseQueryOrThrow(collection, whole.filter((part) => part !== '').join('&'))
        const statement = backend.select(query)
        const page = statement.page(await run(statement.text, statement.parameters))
        const expected = inMemory(query)
        compare(whole.join('&'), page, expected.page)
        if (turn === 0) {
          const { count } = statement
          const [row] = await run(count.text, count.parameters)
          compare(`count of ${text}`, count.read(row), expected.count)
        }
        if (page[toward] === undefined) {
          if (toward === 'previous') break
          toward = 'previous'
        }
        if (page[toward] === undefined) break
        cursor = page[toward]
      }
    }
  }
  return found
}

function firstDifference(a: string, b: string): string {
  let at = 0
  while (a[at] === b[at] && at < a.length) at++
  const from = Math.max(0, at - 60)
  return `…${a.slice(from, at + 60)}… where memory has …${b.slice(from, at + 60)}…`
}
