/** Hostile strings: in a key each is an issue, in an operand a text like others. And names that are hard to write, in mappings. */
import { afterAll, describe, expect, test } from 'vitest'
import {
  childTable,
  jsonColumn,
  duckdb,
  mariadb,
  mysql,
  postgres,
  sqlBackend,
  sqlite,
  table,
} from '../../../src/backends/sql/index.ts'
import { and, defineSchema, field, not, or, parseFilter, parseFilterOrThrow, type Filter } from '../../../src/index.ts'
import { comparison, match, membership, presence, some } from '../../../src/tree.ts'
import { attacks, holds, paths, query, schema, texting } from '../attacks.ts'
import { byCompleteness, isComplete, isFull } from '../../effort.ts'
import { openDuckdbIf } from './all-engines.ts'
import { jsonIn, layoutsOf, openEngines, openPglite, openPostgres, storeOf } from './engines.ts'
import type { Engine, Layout, Store } from './engines.ts'

// test/conformance/corpus.test.ts has the issues of keys from advisories.
describe('a key that nobody declared is an issue', () => {
  const inKeys = (text: string): string[] => [
    `${text}=x`,
    `inner.${text}=x`,
    `items.${text}[gte]=x`,
    `seller.${text}=x`,
    `seller[${text}]=x`,
    `items.text[${text}]=x`,
  ]
  const isRead = (query: string) => parseFilter(schema, query).ok
  test('as it stands, and encoded', () => {
    const read = attacks.flatMap((text) => [...inKeys(text), ...inKeys(encodeURIComponent(text))].filter(isRead))
    expect(read).toEqual([])
  })
})

// --- Operands

const servers = [
  ...(await openEngines((name) => isComplete || !name.includes(','))),
  ...(await openDuckdbIf(isComplete)),
]
afterAll(async () => {
  for (const engine of servers) await engine.close()
})
const engines = servers.filter(({ name }) => ['sqlite', 'pglite', 'duckdb'].includes(name))
const ours = engines.slice(0, 2)

describe('an operand is a text', () => {
  test('each is a row of its own', () => {
    expect(new Set(attacks).size).toBe(attacks.length)
    expect(texting.map(({ name }) => name)).toEqual(Object.keys(holds))
  })

  const mapped = table('t', {
    schema,
    key: 'id',
    columns: {
      inner: jsonColumn('inner'),
      tags: childTable('tags', { foreignKey: 'owner', value: 'value' }),
      items: jsonColumn('items'),
    },
  })
  test.each([postgres, mysql, mariadb, sqlite, duckdb])('that is in no statement: $name', (dialect) => {
    const backend = sqlBackend({ dialect, table: mapped })
    for (const path of paths) {
      for (const operator of texting) {
        const compile = (text: string) => backend.compile(parseFilterOrThrow(schema, query(path, operator, text)))
        // The statement is one that was made without the text: no escape and no change of case can be in it.
        const { text: statement, strings } = compile('zzz')
        for (const attack of attacks) {
          const condition = compile(attack)
          expect(condition.text).toBe(statement)
          expect(condition.strings).toEqual(strings)
          if (operator.operandKind === 'value') expect(isSent(attack, condition.parameters)).toBe(true)
        }
      }
    }
  })

  const isAsked = (engine: Engine, layout: Layout) => isComplete || engine.dialect === sqlite || layout === 'tables'
  const stored = ours.flatMap((engine) =>
    layoutsOf(engine)
      .filter((layout) => isAsked(engine, layout))
      .map((layout) => ({ engine, layout })),
  )
  describe.each(stored)('$engine.name, $layout', async ({ engine, layout }) => {
    const store = storeOf(engine, schema, layout)
    const rows = attacks.map((text, at) => ({
      id: at + 1,
      seller: text,
      inner: { text },
      tags: [text],
      items: [{ text }],
    }))
    await store.fill([...rows, { id: rows.length + 1 }])
    afterAll(() => store.drop())

    test.each(attacks)('%j', async (attack) => {
      for (const [at, operator] of texting.entries()) {
        const says = holds[operator.name as keyof typeof holds]
        const expected = attacks.flatMap((text, at) => (says(text, attack) ? [at + 1] : []))
        if (operator.complement) expected.push(rows.length + 1)
        // Only a full run tries each operator on each path.
        const turn = (attacks.indexOf(attack) + at) % paths.length
        for (const path of isFull ? paths : [paths[turn]!]) {
          const condition = store.backend.compile(parseFilterOrThrow(schema, query(path, operator, attack)))
          expect(await sorted(store, condition), `${path} ${operator.name}`).toEqual(expected)
        }
      }
    })

    test('and all of them are still there', async () => {
      const everything = store.backend.compile(parseFilterOrThrow(schema, ''))
      expect(await store.select(everything)).toHaveLength(rows.length + 1)
    })
  })
})

/** Whether a text is a parameter, or in the list or the JSON that one is. */
const isSent = (text: string, parameters: readonly unknown[]): boolean =>
  parameters.some((value) => value === text || isIn(text, value) || isIn(text, jsonOf(value)))
const isIn = (text: string, value: unknown): boolean =>
  typeof value === 'object' && value !== null && isSent(text, Object.values(value))
/** The list or the object that a text is the JSON of. */
function jsonOf(value: unknown): unknown {
  try {
    return typeof value === 'string' && /^[[{]/.test(value) ? JSON.parse(value) : undefined
  } catch {
    return undefined
  }
}
const sorted = async (store: Store, condition: Parameters<Store['select']>[0]): Promise<number[]> =>
  (await store.select(condition)).sort((a, b) => a - b)

// --- Names

/** No two of them differ in case alone. */
const names: readonly string[] = [
  ...`it's a"b a\\b a\`b a$1 :x @x %s {0} constructor toString hasOwnProperty length null true select value type key e1 t`.split(
    ' ',
  ),
  ...'* ** a* # #-1 0 1 - -1 -- ~ ~1 / a/b /* */ last () a,b {} & = + < | || ! ? ??'.split(' '),
  ...`" "" ' '' \\ \\\\ \\" \\u0041 \` \`\``.split(' '),
  ...[' ', '  ', ' a', 'a ', 'd e', 'is it?', '; drop table', "'; drop table t; --", '") or (1=1'],
  ...['a\nb', '\t', '\x01', '\x7f', 'é', 'e\u0301', '\u2028', '\ufeff', '\u{1f600}'],
]
const texts = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, field.string()]))
const quoted = ({ dialect: { quote } }: Engine, name: string) => quote + name.replaceAll(quote, quote + quote) + quote
/** A `?` is a placeholder in some. */
const takenBy = ({ dialect }: Engine) => names.filter((name) => dialect.placeholder(1) !== '?' || !name.includes('?'))

describe.each(engines)('names: $name', (engine) => {
  const names = takenBy(engine)
  /** Row n says `x` in field n and `y` in all others. */
  const valuesOf = (name: string, of: readonly string[]) =>
    Object.fromEntries(of.map((other) => [other, other === name ? 'x' : 'y']))

  test('of members of JSON', async () => {
    const schema = defineSchema({
      id: field.integer(),
      inner: field.object({ ...texts(names), deeper: field.object(texts(names)) }),
      items: field.list(field.object(texts(names))),
    })
    const store = storeOf(engine, schema, 'json')
    await store.fill(
      names.map((name, at) => {
        const own = valuesOf(name, names)
        return { id: at + 1, inner: { ...own, deeper: own }, items: [own, {}] }
      }),
    )
    for (const [at, name] of names.entries()) {
      for (const path of ['inner', 'inner.deeper', 'items']) {
        const condition = store.backend.compile(parseFilterOrThrow(schema, `${path}.${encodeURIComponent(name)}=x`))
        expect(await store.select(condition), `${path}.${name}`).toEqual([at + 1])
      }
    }
    await store.drop()
  })

  test('of members are of objects, not of lists', async () => {
    const schema = defineSchema({ id: field.integer(), inner: field.object(texts(['0', '*', 'length', '-1'])) })
    const store = storeOf(engine, schema, 'json')
    await store.fill([
      { id: 1, inner: ['x', 'x'] },
      { id: 2, inner: { a: 'x' } },
      { id: 3, inner: '{"0":"x"}' },
    ])
    for (const name of ['0', '*', 'length', '-1']) {
      const condition = store.backend.compile(parseFilterOrThrow(schema, `inner.${encodeURIComponent(name)}=x`))
      expect(await store.select(condition), name).toEqual([])
    }
    await store.drop()
  })

  test.each(['columns of another name', 'columns of the fields'])('of tables and %s', async (way) => {
    const isMapped = way === 'columns of another name'
    const columns = isMapped ? [...names, '__proto__', '$1', '$2'] : names
    const q = (name: string) => quoted(engine, name)
    const root = `r"o'w\`s;\\`
    const child = `e"n'tries`
    const [key, owner] = [`k"e'y`, `o"w'ner`]
    const fields = isMapped ? columns.map((_, at) => `f${at}`) : columns
    const schema = defineSchema({ ...texts(fields), list: field.list(field.object(texts(fields))) })
    const stored = isMapped ? Object.fromEntries(fields.map((name, at) => [name, columns[at]!])) : {}
    const mapped = table(root, {
      schema,
      key,
      columns: { ...stored, list: childTable(child, { foreignKey: owner, columns: stored }) },
    })

    const declared = columns.map((name) => `${q(name)} ${engine.declared.string}`).join(', ')
    await engine.run(`CREATE TABLE ${q(root)} (${q(key)} ${engine.declared.integer}, ${declared})`)
    await engine.run(`CREATE TABLE ${q(child)} (${q(owner)} ${engine.declared.integer}, ${declared})`)
    for (const [at, name] of columns.entries()) {
      const values = [at + 1, ...columns.map((other) => (other === name ? 'x' : 'y'))]
      const marks = values.map((_, at) => engine.dialect.placeholder(at + 1)).join(', ')
      await engine.run(`INSERT INTO ${q(root)} VALUES (${marks})`, values)
      await engine.run(`INSERT INTO ${q(child)} VALUES (${marks})`, values)
    }

    for (const alias of byCompleteness([undefined, `a"l'i\\as`, 'e1'], [`a"l'i\\as`])) {
      const backend = sqlBackend({ dialect: engine.dialect, table: mapped, ...(alias !== undefined && { alias }) })
      const from = alias === undefined ? q(root) : `${q(root)} AS ${q(alias)}`
      for (const [at, name] of fields.entries()) {
        for (const path of ['', 'list.']) {
          const filter = parseFilterOrThrow(schema, `${path}${encodeURIComponent(name)}=x`)
          const { text, parameters } = backend.compile(filter)
          const rows = await engine.run(`SELECT ${q(key)} AS id FROM ${from} WHERE ${text}`, parameters)
          expect(
            rows.map(({ id }) => Number(id)),
            columns[at],
          ).toEqual([at + 1])
        }
      }
    }
    for (const name of [root, child]) await engine.run(`DROP TABLE ${q(name)}`)
  })
})

describe.each(servers)('names that statements have of their own: $name', (engine) => {
  const { dialect, declared, run, options } = engine
  const q = (name: string) => quoted(engine, name)
  const text = (value: string) => ({ type: 'string', value }) as const
  const is = (path: readonly string[], value: string) => comparison(path, 'eq', text(value))
  /** Runs filters on a table and one of children, both of which have a column for each name, and a document. */
  async function idsOf(names: readonly string[], cells: readonly unknown[], alias: string, filters: readonly Filter[]) {
    const [root, child] = ['a', 'b'].map((end) => `own_${Math.random().toString(36).slice(2)}_${end}`) as [
      string,
      string,
    ]
    const columns = ['id', 'owner', 'tag', 'j', ...names]
    const types = [
      declared.integer,
      declared.integer,
      declared.string,
      declared.json,
      ...names.map(() => declared.integer),
    ]
    const inside = columns.map((name, at) => `${q(name)} ${types[at]}`).join(', ')
    const marks = columns.map((_, at) => dialect.placeholder(at + 1)).join(', ')
    const { compile } = sqlBackend({
      dialect,
      alias,
      table: table(root, {
        key: 'id',
        columns: { j: jsonIn(engine)('j'), items: childTable(child, { foreignKey: 'owner' }) },
      }),
    })
    try {
      for (const name of [root, child]) await run(`CREATE TABLE ${q(name)} (${inside})${options}`)
      for (const id of [1, 2]) {
        const j = JSON.stringify({ tag: `t${id}`, list: [`t${id}`] })
        // The child's own id is that of the other row.
        await run(`INSERT INTO ${q(root)} VALUES (${marks})`, [id, id, `t${id}`, j, ...cells])
        await run(`INSERT INTO ${q(child)} VALUES (${marks})`, [3 - id, id, `t${id}`, j, ...cells])
      }
      const found: unknown[] = []
      for (const filter of filters) {
        const condition = compile(filter)
        const from = `${q(root)} AS ${q(alias)}`
        const rows = await run(
          `SELECT ${q(alias)}.${q('id')} AS id FROM ${from} WHERE ${condition.text}`,
          condition.parameters,
        )
        found.push(rows.map(({ id }) => Number(id)).sort())
      }
      return found
    } finally {
      for (const name of [root, child]) await run(`DROP TABLE ${q(name)}`)
    }
  }

  test.each([
    ['TRUE', 'FALSE', 0, 1],
    ['true', 'false', 0, 1],
    ['true', 'false', null, null],
    ['True', 'False', 7, 7],
  ])('columns called %s and %s that hold %s and %s', async (yes, no, ofYes, ofNo) => {
    const constants: [Filter, number[]][] = [
      [and(), [1, 2]],
      [or(), []],
      [not(or()), [1, 2]],
      [membership(['tag'], []), []],
      [not(membership(['tag'], [])), [1, 2]],
      [is(['j', 'tag'], 't1'), [1]],
      [and(is(['j', 'tag'], 't1'), presence(['tag'], 'string')), [1]],
      [or(is(['j', 'tag'], 't1'), is(['j', 'tag'], 't2')), [1, 2]],
      [not(comparison(['tag'], 'gt', text('t1'))), [1]],
      [not(match(['tag'], 'suffix', '1')), [2]],
      [not(membership(['tag'], [text('t1')])), [2]],
      [some(['items'], not(comparison(['tag'], 'gt', text('t1')))), [1]],
      [some(['j', 'list'], not(comparison([], 'gt', text('t1')))), [1]],
    ]
    const found = await idsOf(
      [yes, no],
      [ofYes, ofNo],
      't',
      constants.map(([filter]) => filter),
    )
    expect(found).toEqual(constants.map(([, ids]) => ids))
  })

  test.each(['e1', 'E1', 'e1_', 'l', 'L', '\u00e91', 'v', 'value'])('the row as %s', async (alias) => {
    const filters: [Filter, number[]][] = [
      [some(['items'], is(['tag'], 't1')), [1]],
      [not(some(['items'], is(['tag'], 't1'))), [2]],
      [some(['j', 'list'], is([], 't2')), [2]],
      [membership(['id'], [{ type: 'integer', value: 2 }]), [2]],
      [some(['items'], membership(['id'], [{ type: 'integer', value: 1 }])), [2]],
    ]
    const found = await idsOf(
      [],
      [],
      alias,
      filters.map(([filter]) => filter),
    )
    expect(found).toEqual(filters.map(([, ids]) => ids))
  })
})

describe('names of members with a backslash, where it escapes in plain literals', async () => {
  const { POSTGRES_URL } = process.env
  const engines = [await openPglite(), ...(POSTGRES_URL === undefined ? [] : [await openPostgres(POSTGRES_URL)])]
  afterAll(async () => {
    for (const engine of engines) await engine.close()
  })
  test.each(engines)('$name', async (engine) => {
    await engine.run('SET standard_conforming_strings = off')
    await engine.run('SET escape_string_warning = off')
    const schema = defineSchema({ id: field.integer(), inner: field.object(texts(names)) })
    const store = storeOf(engine, schema, 'json')
    await store.fill(
      names.map((name, at) => ({
        id: at + 1,
        inner: Object.fromEntries(names.map((one) => [one, one === name ? 'x' : 'y'])),
      })),
    )
    for (const [at, name] of names.entries()) {
      const condition = store.backend.compile(parseFilterOrThrow(schema, `inner.${encodeURIComponent(name)}=x`))
      expect(await store.select(condition).catch(String), name).toEqual([at + 1])
    }
    await store.drop()
  })
})
