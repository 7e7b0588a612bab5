/** Filters of many members: engines bound how deep an expression is, and how many parameters a statement has. */
import { afterAll, describe, expect, test } from 'vitest'
import { duckdb, postgres, sqlBackend, sqlite, mariadb, mysql, table } from '../../../src/backends/sql/index.ts'
import { memoryBackend } from '../../../src/backends/memory/index.ts'
import { and, defineSchema, field, FilterError, not, or, parseFilterOrThrow, type Filter } from '../../../src/index.ts'
import { comparison, match, membership, presence, some } from '../../../src/tree.ts'
import { byCompleteness, byEffort, isComplete } from '../../effort.ts'
import { openDuckdbIf } from './all-engines.ts'
import { openEngines, storeOf, type Engine, type Layout } from './engines.ts'

const schema = defineSchema({
  id: field.integer(),
  name: field.string(),
  count: field.integer(),
  moment: field.datetime(),
  inner: field.object({ name: field.string() }),
  tags: field.list(field.string()),
})
const rows = [
  { id: 1, name: 'v0', count: 0, moment: '2001-01-01T12:00:00.000Z', inner: { name: 'v0' }, tags: ['v0'] },
  { id: 2, name: 'v997', count: 997, moment: '2004-01-01T00:00:00.000Z', inner: { name: 'v997' }, tags: ['x', 'v997'] },
  { id: 3, name: 'none', count: -1, moment: '1999-01-01T00:00:00.000Z', inner: { name: 'none' }, tags: [] },
  { id: 4, name: null, count: null, moment: null, inner: null, tags: null },
]

const numbers = (length: number) => Array.from({ length }, (_, at) => at)
const eq = (path: readonly string[], at: number) => comparison(path, 'eq', { type: 'string', value: `v${at}` })
const is = (count: number) => comparison(['count'], 'eq', { type: 'integer', value: count })
const manyOf = (make: (at: number) => Filter, length: number) => numbers(length).map(make)

/** Groups in groups, as deep as a filter may be, with the deeper one first, last or in the middle. */
const nested = (levels: number, width: number, at: number): Filter =>
  numbers(levels).reduce<Filter>((inner, level) => {
    const others = manyOf((count) => (level % 2 === 0 ? not(is(count + 10)) : is(count + 10_000)), width)
    return { kind: level % 2 === 0 ? 'and' : 'or', filters: others.toSpliced(at, 0, inner) }
  }, is(0))

const day = (at: number) => new Date(Date.UTC(2000, 0, 1 + at)).toISOString().slice(0, 10)
const limits = { list: 10_000, length: 1_000_000 }
const days = (length: number) => parseFilterOrThrow(schema, `moment[in]=${numbers(length).map(day).join()}`, { limits })

/** More members than the depth of an expression on SQLite, which is 1,000. */
const many = byCompleteness(2_000, 1_100)
const filters: readonly (readonly [name: string, filter: Filter])[] = [
  ...[998, many].flatMap((length): [string, Filter][] => [
    [`or of ${length}`, or(...manyOf((at) => eq(['name'], at), length))],
    [`and of ${length} complements`, and(...manyOf((at) => not(eq(['name'], at)), length))],
    [
      `and of ${length} of a column`,
      and(...manyOf((at) => comparison(['count'], 'gt', { type: 'integer', value: at - length }), length)),
    ],
    [`some of ${length}`, some(['tags'], or(...manyOf((at) => eq([], at), length)))],
  ]),
  ['or of 998 in JSON or in columns of an object', or(...manyOf((at) => eq(['inner', 'name'], at), 998))],
  [`or of ${many.toLocaleString('en')} matches`, or(...manyOf((at) => match(['name'], 'suffix', `v${at}`), many))],
  ['or of ands', or(...manyOf((at) => and(is(at), eq(['name'], at)), many))],
  ['and of ors', and(...manyOf((at) => or(is(at), presence(['name'], 'string')), many))],
  [
    'groups of one kind in each other',
    {
      kind: 'and',
      filters: manyOf((at) => ({ kind: 'and', filters: manyOf((more) => not(is(at * 50 + more + 1)), 50) }), 50),
    },
  ],
  [`a list of ${many.toLocaleString('en')} days`, days(many)],
  [`not in a list of ${many.toLocaleString('en')} days`, not(days(many))],
  ['98 levels of 20 members, the deeper one first', nested(98, 20, 0)],
  ['98 levels of 20 members, the deeper one last', nested(98, 20, 20)],
  ['98 levels of 20 members, the deeper one among them', nested(98, 20, 10)],
  ['98 levels of 60 members', nested(98, 60, 30)],
]

/** Engines take seconds for these. */
const longest: typeof filters = [
  ['or of 10,000', or(...manyOf((at) => eq(['name'], at), 10_000))],
  ['and of 10,000 complements', and(...manyOf((at) => not(eq(['name'], at)), 10_000))],
]

const engines: readonly Engine[] = [
  ...(await openEngines((name) => (isComplete ? name !== 'sqlite, lower-casing whole' : name === 'sqlite'))),
  ...(await openDuckdbIf(isComplete)),
]
afterAll(async () => {
  for (const engine of engines) await engine.close()
})
/** Its planner takes a minute for 2,000 conditions on JSON. */
const layoutsFor = (engine: Engine): Layout[] => (engine.dialect === duckdb ? ['tables'] : ['tables', 'json'])
describe.each(engines.flatMap((engine) => layoutsFor(engine).map((layout) => ({ engine, layout }))))(
  '$engine.name, $layout',
  async ({ engine, layout }) => {
    const store = storeOf(engine, schema, layout)
    await store.fill(rows)
    afterAll(() => store.drop())

    test.each(layout === 'tables' && isComplete ? [...filters, ...longest] : filters)(
      '%s',
      async (_, filter) => {
        const expected = rows.filter(memoryBackend().compile(filter)).map(({ id }) => id)
        const selected = await store.select(store.backend.compile(filter))
        expect(selected.toSorted((a, b) => a - b)).toEqual(expected)
      },
      60_000,
    )
  },
)

describe('short groups have no more parentheses than they need', () => {
  test.each([postgres, mysql, mariadb, sqlite, duckdb])('$name', (dialect) => {
    const { compile } = sqlBackend({ dialect, table: table('t') })
    const { text } = compile(and(...manyOf((at) => not(is(at)), 90)))
    expect(text.match(/ AND /g)).toHaveLength(89)
    expect(text).not.toContain(') AND (')
    expect(compile(and(...manyOf((at) => not(is(at)), 200))).text).toContain('(')
  })
})

describe('parameters', () => {
  const bare = table('t')
  test.each([
    { dialect: sqlite, most: 32_766 },
    { dialect: postgres, most: 65_535 },
    { dialect: duckdb, most: 65_535 },
    { dialect: mysql, most: 65_535 },
    { dialect: mariadb, most: 65_535 },
  ])('beyond what $dialect.name takes are refused', ({ dialect, most }) => {
    const of = (length: number): Filter => ({
      kind: 'or',
      filters: numbers(length).map((value) => comparison(['a'], 'gt', { type: 'integer', value })),
      span: { start: 3, end: 7 },
    })
    // The parameters that a statement has before the condition count too. So a condition of ten shows the limit.
    for (const own of byEffort([10, most - 2, most], [10])) {
      const { compile } = sqlBackend({ dialect, table: bare, firstParameter: most - own + 1 })
      expect(compile(of(own)).parameters).toHaveLength(own)
      const refused = () => compile(of(own + 1))
      expect(refused).toThrow(FilterError)
      expect(refused).toThrow(`${dialect.name} takes: ${most} at most`)
      expect(refused).toThrow(
        expect.objectContaining({
          issues: [expect.objectContaining({ code: 'backend_refused', fault: 'client', span: { start: 3, end: 7 } })],
        }),
      )
    }
  })

  test('of a list are one where the dialect sends one, however many operands', () => {
    const operands = numbers(70_000).map((value) => ({ type: 'integer', value }) as const)
    for (const dialect of [sqlite, postgres, mysql, mariadb, duckdb]) {
      const { parameters } = sqlBackend({ dialect, table: bare }).compile(membership(['a'], operands))
      expect(parameters).toHaveLength(1)
    }
  })

  // DuckDB takes seconds for as many.
  test.each(engines.filter(({ dialect }) => isComplete || dialect !== duckdb))(
    'as many as the dialect says are taken: $name',
    async (engine) => {
      const { maxParameters: most } = engine.dialect
      const statement = numbers(most!)
        .map((at) => engine.dialect.placeholder(at + 1))
        .join(', ')
      const [row] = await engine.run(
        `SELECT 1 AS one WHERE 5 IN (${statement})`,
        numbers(most!).map(() => 5),
      )
      expect(Number(row!.one)).toBe(1)
    },
    60_000,
  )
})

test('what a long group is NULL for is gathered in time that grows as the group does', () => {
  const { compile } = sqlBackend({ dialect: postgres, table: table('t') })
  const members = manyOf(
    (at) => comparison([`c${at}`], 'gt', { type: 'integer', value: at }),
    byCompleteness(60_000, 10_000),
  )
  const took = (filter: Filter) => {
    const start = performance.now()
    compile(filter)
    return performance.now() - start
  }
  const least = (filter: Filter) => Math.min(took(filter), took(filter), took(filter))
  // In an or each member looks at its own column. Looking for each column among all others takes six times as long.
  expect(least(and(...members)) / least(or(...members))).toBeLessThan(4)
})
