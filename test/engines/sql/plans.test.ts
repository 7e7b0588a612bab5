/** Conditions on columns use the indexes that docs/reference/sql-indexes.md recommends, and those that it says cannot do not. */
import { readFileSync } from 'node:fs'
import { constants, DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { defineCollection, defineSchema, field, parseQueryOrThrow, toPage } from '../../../src/index.ts'
import { literalTypes, operators } from '../../../src/tree.ts'
import { column, parentTable, postgres, sqlBackend, sqlite, table } from '../../../src/backends/sql/index.ts'
import { byEffort, isComplete } from '../../effort.ts'
import { openDuckdb } from './duckdb.ts'
import { newPglite } from './pglite.ts'
import { sectionsOf, tableRows } from '../../package/page.ts'

const section = sectionsOf('reference/sql-indexes.md')
import {
  facets,
  facetsMarkdown,
  isKept,
  isPageKept,
  markdown,
  openOtherPlans,
  openPlans,
  pagesMarkdown,
  type PageLine,
} from './plans.ts'

const shown = await openPlans()
const engines = [...shown, ...(isComplete ? await openOtherPlans() : [])]
/** Only a full run reads pages in every order of a line. Other runs read them in its first order. */
const tried = (line: PageLine): PageLine => ({
  ...line,
  sorts: line.sorts.slice(0, byEffort(line.sorts.length, 1)),
})

/** `name: equals, in` is `name: equals` and `name: in`. */
const partsOf = (serves: string): readonly string[] => {
  const [name, operators] = serves.split(': ')
  return operators === undefined ? [serves] : operators.split(', ').map((operator) => `${name}: ${operator}`)
}

describe.each(engines)('$name', ({ lines, pages, columns, load, used, usedPages, usedFacets, advised, close }) => {
  beforeAll(load)
  afterAll(close)

  test.each(lines)('$asked $operators: $indexes', async (line) => {
    const plans = await used(line)
    expect(plans.length).toBeGreaterThan(0)
    expect(plans.filter((plan) => !isKept(line, plan))).toEqual([])
    // For a bound that it does not know, PostgreSQL expects a third of the rows, and may rather scan.
    const told = plans.filter(({ plan }) => plan.endsWith('told not to scan'))
    expect(told.filter(({ query }) => !/\[(gt|gte|lt|lte)\]=[^&]*$/.test(query))).toEqual([])
  })

  test.each(pages)('a page: $filter $sorts: $indexes', async (line) => {
    const plans = await usedPages(tried(line))
    expect(plans.length).toBeGreaterThan(0)
    expect(plans.filter((plan) => !isPageKept(line, plan))).toEqual([])
  })

  test.each(facets)('a facet: $asked: $index alone', async (line) => {
    const plans = await usedFacets(line)
    expect(plans.length).toBeGreaterThan(0)
    expect(plans.filter(({ covering }) => !covering.includes(line.index))).toEqual([])
  })

  test('advise misses no index for the conditions and orders that these serve', async () => {
    const advice = await advised()
    const missed = new Set(advice.flatMap(({ serves }) => serves.flatMap(partsOf)))
    const served = lines.flatMap(({ asked, operators = [], indexes }) =>
      indexes.length === 0 ? [] : operators.map((operator) => `${asked}: ${operator}`),
    )
    const sorts = pages.flatMap(({ key, filter, sorts }) => (key === 'id' && filter === '' ? sorts : []))
    expect([...served, ...sorts.map((sort) => `sort=${sort}`)].filter((part) => missed.has(part))).toEqual([])
    expect(advice.length).toBeGreaterThan(0)
  })

  test('every positive operator is asked of every type that takes it', () => {
    const asked = lines.flatMap(({ asked, operators = [] }) =>
      operators.map((name) => `${name} ${columns[asked]?.field.type}`),
    )
    // The columns hold scalars. Whole queries read lists.
    const expected = Object.values(operators)
      .filter(({ complement, fields }) => !complement && fields === 'anywhere')
      .flatMap(({ name, types }) =>
        literalTypes.filter((type) => types.includes(type)).map((type) => `${name} ${type}`),
      )
    expect(expected.filter((one) => !asked.includes(one))).toEqual([])
  })

  test('what has no index has a reason', () => {
    expect(lines.filter(({ indexes, note }) => indexes.length === 0 && note === undefined)).toEqual([])
  })
})

test.each(shown)('the table in the docs: $dialect', (plans) => {
  section(`table: plans: ${plans.dialect}`, tableRows, markdown(plans))
  section(`table: pages: ${plans.dialect}`, tableRows, pagesMarkdown(plans))
  section('table: facets', tableRows, facetsMarkdown(plans))
})

test('the guide to searches has the index that serves them', () => {
  const { indexes } = shown.find(({ dialect }) => dialect === 'postgres')!
  const guide = readFileSync(new URL('../../../docs/guides/search.md', import.meta.url), 'utf8')
  expect(guide).toContain(`CREATE INDEX ON ${indexes.orders_note_trigrams};`)
})

test('DuckDB has no index with an order: a page reads all rows, and sorts the columns that it goes by', async () => {
  const { run, dialect, close } = await openDuckdb()
  await run('CREATE TABLE t AS SELECT n AS id, (n * 7919) % 200000 AS score FROM generate_series(1, 200000) AS _(n)')
  await run('CREATE INDEX by_score ON t (score, id)')
  const schema = defineSchema({ id: field.integer(), score: field.integer() })
  const notNull = (name: string) => column(name, { notNull: true })
  const columns = { id: notNull('id'), score: notNull('score') }
  const { select } = sqlBackend({ dialect, table: table('t', { schema, columns }) })
  const collection = defineCollection(schema, { key: 'id', sort: true })
  const first = parseQueryOrThrow(collection, 'sort=score&limit=1')
  const { next } = toPage(first, [{ id: 5, score: 180_000 }, { id: 6 }])
  const { text, parameters } = select(parseQueryOrThrow(collection, `sort=score&cursor=${next}`))
  const [plan] = await run(`EXPLAIN ${text}`, parameters)
  expect(String(plan!.explain_value)).toMatch(/TOP_N[^]*(Sequential Scan|SEQ_SCAN)/i)
  expect(String(plan!.explain_value)).not.toMatch(/index scan/i)
  await close()
})

test('SQLite looks in the index of each member of an OR, where no member names a collation', () => {
  const database = new DatabaseSync(':memory:')
  database.exec(`
    CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, code TEXT, ref TEXT) STRICT;
    CREATE INDEX by_name ON t (name); CREATE INDEX by_code ON t (code); CREATE INDEX by_ref ON t (ref)`)
  const schema = defineSchema({ id: field.integer(), name: field.string(), code: field.string(), ref: field.uuid() })
  const planOf = (type: 'text' | 'orderedText') => {
    const columns = { name: column('name', { type }), code: column('code', { type }) }
    const { select } = sqlBackend({ dialect: sqlite, table: table('t', { schema, key: 'id', columns }) })
    const collection = defineCollection(schema, { key: 'id', groups: true })
    const asked = 'or=(name=a,code[in]=(b,c),ref=00000000-0000-4000-8000-000000000001)'
    const { text, parameters } = select(parseQueryOrThrow(collection, asked))
    return database.prepare(`EXPLAIN QUERY PLAN ${text}`).all(...(parameters as string[]))
  }
  const plan = JSON.stringify(planOf('orderedText'))
  expect(plan).toMatch(/MULTI-INDEX OR.*by_name \(name=.*by_code \(code=.*by_ref \(ref=/)
  expect(JSON.stringify(planOf('text'))).not.toContain('MULTI-INDEX')
  database.close()
})

test('SQLite begins at the parent table that a condition reads, and that the statement joins for it', () => {
  const database = new DatabaseSync(':memory:')
  database.exec(`
    CREATE TABLE t (id INTEGER PRIMARY KEY, owner_id INTEGER) STRICT;
    CREATE TABLE owners (id INTEGER PRIMARY KEY, name TEXT) STRICT;
    CREATE INDEX by_owner ON t (owner_id); CREATE INDEX by_name ON owners (name)`)
  const schema = defineSchema({ id: field.integer(), owner: field.object({ name: field.string() }) })
  const owner = parentTable('owners', { key: 'id', foreignKey: 'owner_id' })
  const { select } = sqlBackend({ dialect: sqlite, table: table('t', { schema, key: 'id', columns: { owner } }) })
  const collection = defineCollection(schema, { key: 'id', fields: true, count: true })
  const statement = select(parseQueryOrThrow(collection, 'owner.name=a&fields=id&count=true'))
  for (const { text, parameters } of [statement, statement.count]) {
    const plan = database.prepare(`EXPLAIN QUERY PLAN ${text}`).all(...(parameters as string[]))
    expect(JSON.stringify(plan)).toMatch(/by_name \(name=.*by_owner \(owner_id=/)
  }
  database.close()
})

test.each(['sqlite', 'pglite'] as const)('%s: select reads ranges of indexes', async (name) => {
  const schema = defineSchema({
    id: field.integer({ required: true }),
    area: field.integer({ required: true }),
    score: field.integer({ required: true }),
    stars: field.integer(),
    owner: field.object({ name: field.string({ required: true }) }),
  })
  const nulls = name === 'sqlite' ? '' : ' NULLS FIRST'
  const collated = name === 'sqlite' ? '' : ' COLLATE "C"'
  const numbers = (count: number) =>
    name === 'sqlite'
      ? `(WITH RECURSIVE _ (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM _ WHERE n < ${count}) SELECT n FROM _) AS _`
      : `generate_series(1, ${count}) AS _ (n)`
  const database = name === 'sqlite' ? new DatabaseSync(':memory:') : await newPglite()
  await database.exec(`
    CREATE TABLE owners (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
    CREATE TABLE t (id INTEGER PRIMARY KEY, area INTEGER NOT NULL, score INTEGER NOT NULL, stars INTEGER, owner_id INTEGER REFERENCES owners);
    INSERT INTO owners SELECT n, 'owner ' || n FROM ${numbers(4_000)};
    INSERT INTO t SELECT n, n % 3, n * 7919 % 20000, nullif(n % 2000, 0), 1 + n % 4000 FROM ${numbers(20_000)};
    CREATE INDEX by_area ON t (area, score DESC, id DESC);
    CREATE INDEX by_stars ON t (stars${nulls}, id);
    CREATE INDEX by_owner ON t (owner_id);
    CREATE INDEX by_name ON owners (name${collated}, id);
    CREATE INDEX by_lower ON owners (lower(name)${collated}, name${collated}, id);
    ANALYZE`)
  const columns = {
    owner: parentTable('owners', { key: 'id', foreignKey: { columns: 'owner_id', enforced: true } }),
  }
  const mapped = table('t', { schema, key: 'id', columns, orders: [['area', '-score']] })
  const { select } = sqlBackend({ dialect: name === 'sqlite' ? sqlite : postgres, table: mapped })
  const collection = defineCollection(schema, { key: 'id', sort: true, fields: true })
  const planOf = async ({ text, parameters }: { readonly text: string; readonly parameters: unknown[] }) => {
    const plan =
      database instanceof DatabaseSync
        ? database.prepare(`EXPLAIN QUERY PLAN ${text}`).all(...(parameters as string[]))
        : (await database.query(`EXPLAIN ${text}`, parameters)).rows
    return JSON.stringify(plan)
  }
  const reads = (plan: string, index: string) =>
    expect(plan).toMatch(new RegExp(`(?:SEARCH|Index (?:Only )?Scan)[^}]*${index}`))
  const folded = defineCollection(schema, { key: 'id', sort: { 'owner.name': { ignoreCase: true } }, fields: true })
  const query = (text: string, asked = collection) => parseQueryOrThrow(asked, `${text}&fields=id&limit=20`)
  const row = { id: 9, area: 0, score: 4, stars: 9, owner: { name: 'owner 8' } }
  const after = (text: string, asked = collection) => {
    const { next } = toPage({ ...query(text, asked), limit: 1 }, [row, row])
    return select(query(`${text}&cursor=${next}`, asked))
  }
  for (const [text, index, asked] of [
    ['sort=area,-score', 'by_area'],
    ['sort=-stars', 'by_stars'],
    ['sort=owner.name', 'by_name'],
    ['sort=owner.name', 'by_lower', folded],
    ['sort=-owner.name', 'by_lower', folded],
  ] as const) {
    const plan = await planOf(after(text, asked))
    reads(plan, index)
    expect(plan).not.toMatch(/SCAN t USING|Seq Scan on t\b/)
  }
  reads(await planOf(select(query('area[in]=0,1&sort=-score'))), 'by_area')
  await database.close()
})

test('SQLite prepares the statement of a page once, however often it is executed', () => {
  const database = new DatabaseSync(':memory:')
  database.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, score INTEGER NOT NULL)')
  const schema = defineSchema({ id: field.integer(), score: field.integer({ required: true }) })
  const { select } = sqlBackend({ dialect: sqlite, table: table('t', { schema, key: 'id' }) })
  const collection = defineCollection(schema, { key: 'id', sort: true, offset: { max: 9 } })
  const { text, parameters } = select(parseQueryOrThrow(collection, 'score[in]=1,2&sort=score&limit=2&offset=1'))
  // The authorizer is asked whenever a statement is prepared.
  let asked = 0
  database.setAuthorizer(() => {
    asked++
    return constants.SQLITE_OK
  })
  const statement = database.prepare(text)
  const prepared = asked
  expect(prepared).toBeGreaterThan(0)
  for (let time = 0; time < 3; time++) statement.all(...(parameters as (string | number)[]))
  expect(asked).toBe(prepared)
  database.close()
})
