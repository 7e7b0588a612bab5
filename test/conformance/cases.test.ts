/** Every backend passes every case by hand, on every engine that is present; every operator, type, kind and place has one. */
import { afterAll, describe, expect, test } from 'vitest'
import { memoryBackend } from '../../src/backends/memory/index.ts'
import { and, FilterError, parseFilter, type Filter, type Query, type SortKey } from '../../src/index.ts'
import { own } from '../../src/own.ts'
import { fold, literalTypes, operators, positionFilter, type Backend } from '../../src/tree.ts'
import { cases, filterOf, queryCases, runBackend, runQueries } from '../../src/kit/index.ts'
import type { Case, CaseResult, QueryCase } from '../../src/kit/index.ts'
import { openContenders, plainEngines } from '../differential/contenders.ts'
import { idsOf } from '../differential/reference.ts'
import { opening as sqliteDrivers } from '../edge/engines.ts'
import { byCompleteness, isComplete, isFull } from '../effort.ts'
import { Departs, failures, queryResultsOf, resultsOf } from './cases.ts'
import { expectRow } from '../package/page.ts'
import { byHand } from '../by-hand.ts'

const load = ({ rows }: { rows: readonly { id: number }[] }) => rows
const select = (rows: readonly { id: number }[], matches: (row: unknown) => boolean) =>
  rows.filter(matches).map(({ id }) => id)

const turnedRound = ({ nulls, ...key }: SortKey): SortKey => ({
  ...key,
  direction: key.direction === 'ascending' ? 'descending' : 'ascending',
  ...(nulls && { nulls: nulls === 'first' ? 'last' : 'first' }),
})

// --- What stores rows: each engine in each layout

const asked = process.env.ENGINES?.split('; ')
const { contenders, close } = await openContenders(asked ?? byCompleteness(undefined, plainEngines))
afterAll(close)
/** The layouts that a quick run tries, by engine; every layout of the others. Layouts with arrays have child tables, too. */
const quickLayouts: Readonly<Record<string, readonly string[]>> = {
  sqlite: ['parents', 'json'],
  pglite: ['json'],
  duckdb: [],
  'prisma sqlite': ['relations'],
  mingo: ['texts'],
  sift: [],
}
/** Engines that differ from another in a driver or a setting alone, and their layouts: `parents` has the child tables of `tables`. */
const settings = ['sqlite, lower-casing whole', 'postgres 18, pg_c_utf8', 'postgres 18, partitioned']
const withoutTables = ['parents', 'json', 'arrays']
/** The layouts that a complete run tries, where it does not try all. Indexes do not change the documents that DocumentDB gets. */
const completeLayouts: typeof quickLayouts = {
  ...Object.fromEntries(
    [...settings, ...Object.keys(sqliteDrivers), 'duckdb'].map((engine) => [engine, withoutTables]),
  ),
  // Servers of PostgreSQL have the same in each layout.
  ...(process.env.POSTGRES18_URL !== undefined && { pglite: ['json'], 'pglite, pg_c_utf8': [] }),
  'duckdb, lower-casing whole': ['json'],
  'DocumentDB, indexed': [],
  'prisma postgresql': ['relations', 'scalar lists'],
  'prisma mariadb': ['relations'],
  'prisma mysql': ['relations, small letters'],
}
const layouts = isFull ? {} : isComplete ? completeLayouts : quickLayouts
const isAsked = ({ name, engine }: { readonly name: string; readonly engine: string }) =>
  (asked === undefined || engine === 'memory' || asked.includes(engine)) &&
  own(layouts, engine)?.some((layout) => name === `${engine}, ${layout}`) !== false
const fixed = contenders.flatMap(({ storeOf, ...contender }) =>
  storeOf === undefined || !isAsked(contender) ? [] : [{ storeOf, ...contender }],
)

/** How many of each. */
const count = (of: readonly string[]): string =>
  [...new Set(of)].map((one) => `${one} ${of.filter((other) => other === one).length}`).join(', ')

/** No case fails, and the table of the docs has how many pass, are skipped, depart and are refused. */
function expectNoFailure(name: string, kind: 'cases' | 'queries', results: readonly CaseResult<Case | QueryCase>[]) {
  const departing = results.filter(({ error }) => error instanceof Departs)
  const failed = failures(results).filter((result) => !departing.includes(result))
  expect(
    failed.map(({ case: { name, why, expected }, selected, error }) => ({ name, why, expected, selected, error })),
  ).toEqual([])
  const of = (outcome: CaseResult['outcome']) => results.filter((result) => result.outcome === outcome)
  const skipped = count(of('skipped').flatMap(({ missing }) => missing!))
  const refused = of('refused')
  const cells = [name, of('passed').length, skipped, departing.length || '', refused.length || '', failed.length]
  expectRow('internals/cases.md', kind, cells.map(String))
  return { refused }
}

test.each(fixed)(
  '$name: as worked out by hand, or skipped for what it does not declare',
  async ({ name, storeOf }) => void expectNoFailure(name, 'cases', await resultsOf(storeOf)),
)
test.each(fixed.filter(({ hasPages }) => hasPages))(
  '$name: reads pages as worked out by hand',
  async ({ name, storeOf, mayRefuse }) => {
    const { refused } = expectNoFailure(name, 'queries', await queryResultsOf(storeOf))
    expect(refused.filter(({ issues }) => mayRefuse?.(new FilterError(issues!)) !== true)).toEqual([])
  },
)

describe('the runner', () => {
  const broken = (change: (filter: Filter) => Filter): Backend<(row: unknown) => boolean> => ({
    ...memoryBackend(),
    compile: (filter) => memoryBackend().compile(change(filter)),
  })

  test('reports a backend that selects something else, with the ids', async () => {
    const results = await runBackend({ backend: broken((filter) => ({ kind: 'not', filter })), load, select })
    // A complement has no row in common with its twin, so none can pass.
    expect(failures(results)).toHaveLength(cases.length)
    expect(failures(results)[0]!.selected).toBeDefined()
  })

  test('reports a backend that throws, and goes on', async () => {
    const refuse = () => {
      throw new Error('no')
    }
    const results = await runBackend({ backend: broken(refuse), load, select })
    expect(failures(results)).toHaveLength(cases.length)
    expect(failures(results)[0]!.error).toEqual(new Error('no'))
  })

  test('tells what a backend refused from what it did wrong', async () => {
    const issue = { code: 'backend_unsupported', fault: 'server', message: 'no', parameters: {} } as const
    const refuse = () => {
      throw new FilterError([issue])
    }
    const results = await runBackend({ backend: broken(refuse), load, select })
    expect(results.map(({ outcome, issues }) => ({ outcome, issues }))).toEqual(
      cases.map(() => ({ outcome: 'refused', issues: [issue] })),
    )
    // Only what compile throws is a refusal.
    const late = await runBackend({ backend: memoryBackend(), load, select: refuse })
    expect(failures(late)).toHaveLength(cases.length)
  })

  test('skips by declared capability alone, and says what is missing', async () => {
    const limited = { ...memoryBackend(), capabilities: { ...memoryBackend().capabilities, features: [] } }
    const results = await runBackend({ backend: () => limited, load, select })
    const skipped = results.filter(({ outcome }) => outcome === 'skipped')
    expect(skipped.map(({ missing }) => missing)).toEqual(
      cases.filter(({ requires }) => requires.length > 0).map(({ requires }) => requires),
    )
  })

  test.each(['uuid', 'bigint', 'decimal', 'datetime', 'time'] as const)(
    'skips the cases of fixtures with a type that is not declared: %s',
    async (type) => {
      const { capabilities } = memoryBackend()
      const types = capabilities.types.filter((other) => other !== type)
      const loaded: string[] = []
      const results = await runBackend({
        backend: { ...memoryBackend(), capabilities: { ...capabilities, types } },
        load: ({ name, rows }) => (loaded.push(name), rows),
        select,
      })
      const has = ({ fixture: { schema } }: Case) =>
        Array.from(schema.paths.values()).some((one) => one.literal === type)
      const skipped = results.filter(({ outcome }) => outcome === 'skipped')
      expect(skipped.map((result) => result.case)).toEqual(cases.filter(has))
      expect(skipped.every(({ missing }) => String(missing) === type)).toBe(true)
      expect(failures(results)).toEqual([])
      expect(loaded.some((name) => cases.filter(has).some(({ fixture }) => fixture.name === name))).toBe(false)
    },
  )
})

describe('the runner of queries', () => {
  type Reader = (rows: readonly { id: number }[]) => readonly { id: number }[]
  const read = (rows: readonly { id: number }[], page: Reader) => page(rows).map(({ id }) => id)
  const compileQuery =
    (query: Query): Reader =>
    (rows) =>
      memoryBackend().compileQuery(query)(rows).rows as typeof rows
  const reader = { capabilities: memoryBackend().capabilities, compileQuery }

  test('passes a backend that reads the right rows', async () => {
    const results = await runQueries({ backend: reader, load, read })
    expect(results.map(({ case: one }) => one)).toEqual(queryCases)
    expect(results.filter(({ outcome }) => outcome !== 'passed')).toEqual([])
  })

  test('asks a backend that has `compile` alone, and an order of its own', async () => {
    const { compile, capabilities } = memoryBackend()
    const results = await runQueries({
      backend: {
        capabilities,
        compileQuery: (query) => ({ query, where: compile(and(query.filter, positionFilter(query))) }),
      },
      load,
      // What orders rows here is the reference of the differential.
      read: (rows, { query: { position, ...query }, where }) => {
        const sort = position?.toward === 'previous' ? query.sort.map(turnedRound) : query.sort
        return idsOf({ ...query, sort, filter: and() }, rows.filter(where))
      },
    })
    expect(results.filter(({ outcome }) => outcome !== 'passed')).toEqual([])
  })

  test('skips all cases of a backend that has no queries, and says so', async () => {
    const { compile, capabilities } = memoryBackend()
    const features = capabilities.features.filter((feature) => feature !== 'queries')
    const without = { name: 'without', compile, capabilities: { ...capabilities, features } }
    const results = await runQueries({ backend: without, load, read: () => [] })
    expect(results.map(({ outcome, missing }) => ({ outcome, missing }))).toEqual(
      queryCases.map(() => ({ outcome: 'skipped', missing: ['queries'] })),
    )
    // It still filters.
    expect(failures(await runBackend({ backend: without, load, select }))).toEqual([])
  })

  test('skips by declared capability alone', async () => {
    const limited = { ...reader, capabilities: { ...reader.capabilities, features: ['queries' as const] } }
    const results = await runQueries({ backend: limited, load, read })
    const requiring = queryCases.filter(({ requires }) => requires.length > 1)
    expect(results.filter(({ outcome }) => outcome === 'skipped').map(({ case: one }) => one)).toEqual(requiring)
    expect(failures(results)).toEqual([])
  })

  test('reports a backend that declares queries and has none', async () => {
    const { capabilities } = memoryBackend()
    const results = await runQueries({ backend: { capabilities }, load, read: () => [] })
    expect(failures(results)).toHaveLength(queryCases.length)
    expect(failures(results)[0]!.error).toEqual(new TypeError('backend declares queries, but has no compileQuery'))
  })

  test('tells what a backend refused from what it did wrong', async () => {
    const refuse = () => {
      throw new FilterError([{ code: 'backend_unsupported', fault: 'server', message: 'no', parameters: {} }])
    }
    const results = await runQueries({ backend: { ...reader, compileQuery: refuse }, load, read })
    expect(results.filter(({ outcome }) => outcome !== 'refused')).toEqual([])
    expect(failures(await runQueries({ backend: reader, load, read: refuse }))).toHaveLength(queryCases.length)
  })

  /** Backends that are wrong in one respect, and a case that finds it. */
  const wrong: Readonly<Record<string, (query: Query) => Reader>> = {
    'has no order': (query) => (rows) => rows.filter(memoryBackend().compile(query.filter)).slice(0, query.limit + 1),
    'reads no row more than the page has': (query) => (rows) => compileQuery(query)(rows).slice(0, query.limit),
    'turns pages round that are read backwards': (query) => (rows) =>
      query.position?.toward === 'previous' ? compileQuery(query)(rows).toReversed() : compileQuery(query)(rows),
    'has no value last': (query) => (rows) => {
      const page = compileQuery(query)(rows)
      const { path } = query.sort[0]!
      const has = (row: object) => path.length > 1 || (row as Record<string, unknown>)[path[0]!] != null
      return [...page.filter(has), ...page.filter((row) => !has(row))]
    },
    'begins at the position, and not after it': (query) => (rows) => {
      const at = query.position?.values.at(-1)?.value
      return query.position === undefined
        ? compileQuery(query)(rows)
        : [...rows.filter(({ id }) => id === at), ...compileQuery(query)(rows)].slice(0, query.limit + 1)
    },
    'leaves out the offset': ({ offset: _, ...query }) => compileQuery(query),
    'ignores the filter': (query) => compileQuery(byHand(query, { filter: and() })),
    'orders by the key alone': (query) => compileQuery({ ...query, sort: query.sort.slice(-1), position: undefined! }),
  }
  test.each(Object.entries(wrong))('a backend that %s fails', async (_, compileQuery) => {
    expect(failures(await runQueries({ backend: { ...reader, compileQuery }, load, read })).length).toBeGreaterThan(0)
  })
})

describe('enrolment of queries', () => {
  test('names are unique, so a report names one case', () => {
    const names = queryCases.map(({ name }) => name)
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
  })

  test('every type in both directions, read both ways, from a value, and from no value', () => {
    const seen = new Set(
      queryCases.flatMap(({ query: { sort, position } }) => {
        const { type, direction } = sort[0]!
        const from = position === undefined ? 'the start' : position.values[0] === null ? 'no value' : 'a value'
        return [`${type} ${direction}, ${position?.toward ?? 'next'} from ${from}`]
      }),
    )
    const expected = literalTypes.flatMap((type) =>
      ['ascending', 'descending'].flatMap((direction) => [
        `${type} ${direction}, next from the start`,
        `${type} ${direction}, next from a value`,
        `${type} ${direction}, previous from a value`,
        `${type} ${direction}, next from no value`,
        `${type} ${direction}, previous from no value`,
      ]),
    )
    expect(expected.filter((name) => !seen.has(name))).toEqual([])
  })

  test('one to four sort keys, of equal and of mixed directions; limits of one, offsets, and empty pages', () => {
    const seen = new Set(
      queryCases.flatMap(({ query: { sort, limit, offset }, expected }) => [
        `${sort.length} keys, ${new Set(sort.map(({ direction }) => direction)).size} directions`,
        ...(limit === 1 ? ['limit 1'] : []),
        ...(offset === undefined ? [] : [offset === 0 ? 'offset 0' : 'offset']),
        ...(expected.length === 0 ? ['empty'] : []),
      ]),
    )
    const keys = ['1 keys, 1', '2 keys, 1', '2 keys, 2', '3 keys, 1', '3 keys, 2', '4 keys, 2']
    const expected = [...keys.map((name) => `${name} directions`), 'limit 1', 'offset', 'offset 0', 'empty']
    expect(expected.filter((name) => !seen.has(name))).toEqual([])
  })
})

describe('enrolment', () => {
  const filters = cases.map(filterOf)
  const enrolled = (queries: readonly (string | undefined)[]) => new Set(queries)

  test('every operator on every type that takes it, in every place', () => {
    const missing: string[] = []
    const done = enrolled(
      cases.flatMap(({ fixture, query }) => {
        const [, path, operator = 'equals'] = /^([\w.]+)(?:\[(\w+)\])?=[^&]*$/.exec(query ?? '') ?? []
        const field = path === undefined ? undefined : fixture.schema.paths.get(path)
        if (field === undefined) return []
        const flag = operator === 'exists' ? query!.slice(query!.indexOf('=')) : ''
        return [`${operator}${flag} on ${field.type}, ${field.lists.length} lists, ${field.path.length} names`]
      }),
    )
    const isIn = {
      anywhere: () => true,
      'in lists': (place: string) => !place.startsWith('0 lists'),
      lists: (place: string) => place.endsWith('lists, 0 names') && !place.startsWith('0 lists'),
    }
    for (const { name, types, fields } of Object.values(operators)) {
      for (const type of types) {
        for (const flag of name === 'exists' ? ['=true', '=false'] : ['']) {
          const places =
            type === 'object'
              ? ['0 lists, 1 names', '1 lists, 0 names', '1 lists, 1 names']
              : [
                  '0 lists, 1 names', // a field
                  '0 lists, 2 names', // a field of an object
                  '1 lists, 0 names', // an entry of a list
                  '1 lists, 1 names', // a field of an entry
                  '2 lists, 1 names', // a field of an entry of a list in an entry
                ]
          // No list has JSON as its entries.
          const possible = places.filter((place) => !['json', 'record'].includes(type) || place !== '1 lists, 0 names')
          for (const place of possible.filter(isIn[fields])) {
            if (!done.has(`${name}${flag} on ${type}, ${place}`)) missing.push(`${name}${flag} on ${type}, ${place}`)
          }
        }
      }
    }
    expect(missing).toEqual([])
  })

  test('every kind, on its own and under not, with every comparison, mode and type', () => {
    const seen = new Set<string>()
    const leaf = (name: string) => (negated: boolean) => void seen.add(negated ? `not ${name}` : name)
    for (const filter of filters) {
      fold<(negated: boolean) => void>(filter, {
        and: (members) => (negated) => (leaf('and')(negated), members.forEach((member) => member(negated))),
        or: (members) => (negated) => (leaf('or')(negated), members.forEach((member) => member(negated))),
        not: (member) => (negated) => (leaf('not')(negated), member(!negated)),
        some: (member) => (negated) => (leaf('some')(negated), member(negated)),
        comparison: ({ operator, operand }) => leaf(`${operator} ${operand.type}`),
        membership: ({ operands }) => leaf(`membership ${operands[0]?.type ?? 'in nothing'}`),
        match: ({ mode }) => leaf(mode),
        presence: ({ type }) => leaf(`presence ${type}`),
        count: ({ operator }) => leaf(`count ${operator}`),
      })(false)
    }
    const ordered = literalTypes.filter((type) => type !== 'boolean')
    const types = [...ordered, 'boolean']
    const both = (names: readonly string[]) => names.flatMap((name) => [name, `not ${name}`])
    const expected = [
      ...both([
        'and',
        'or',
        'not',
        'some',
        'prefix',
        'suffix',
        'substring',
        'whole',
        'prefixExact',
        'suffixExact',
        'substringExact',
        'membership in nothing',
        'presence object',
        'count gte',
        'count lte',
      ]),
      ...both(types.flatMap((type) => [`eq ${type}`, `presence ${type}`])),
      ...both(ordered.map((type) => `membership ${type}`)),
      ...ordered.flatMap((type) => ['gt', 'gte', 'lt', 'lte'].map((operator) => `${operator} ${type}`)),
    ]
    expect(expected.filter((name) => !seen.has(name))).toEqual([])
  })

  test('names are unique, so a report names one case', () => {
    const names = cases.map(({ name }) => name)
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
  })

  test('queries are read without a fault', () => {
    for (const { fixture, query } of cases) {
      if (query !== undefined) expect(parseFilter(fixture.schema, query).ok, query).toBe(true)
    }
  })
})
