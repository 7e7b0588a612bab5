/** Every backend passes every case by hand, on every engine that is present; every operator, type, kind and place has one. */
import { afterAll, describe, expect, test } from 'vitest'
import { memoryBackend } from '../../src/backends/memory/index.ts'
import { fold, FilterError, operators, parseFilter, type Backend, type Filter } from '../../src/index.ts'
import { cases, filterOf, runBackend, type CaseResult } from '../../src/testing/index.ts'
import { openContenders } from '../differential/contenders.ts'
import { isFull } from '../effort.ts'
import { Departs, failures, resultsOf } from './cases.ts'
import { expectRow } from '../package/page.ts'

const load = ({ rows }: { rows: readonly { id: number }[] }) => rows
const select = (rows: readonly { id: number }[], matches: (row: unknown) => boolean) =>
  rows.filter(matches).map(({ id }) => id)

// --- What stores rows: each engine in each layout

const { contenders, close } = await openContenders(process.env.ENGINES?.split('; '))
afterAll(close)
/** A quick run asks engines with another lower-casing in one layout only. */
const isAsked = ({ name, engine }: { readonly name: string; readonly engine: string }) =>
  isFull || !engine.includes(',') || name === `${engine}, tables`
const fixed = contenders.flatMap(({ storeOf, ...contender }) =>
  storeOf === undefined || !isAsked(contender) ? [] : [{ storeOf, ...contender }],
)

/** How many of each. */
const count = (of: readonly string[]): string =>
  [...new Set(of)].map((one) => `${one} ${of.filter((other) => other === one).length}`).join(', ')

test.each(fixed)(
  '$name: as worked out by hand, or skipped for what it does not declare',
  async ({ name, storeOf }) => {
    const results = await resultsOf(storeOf)
    const departing = results.filter(({ error }) => error instanceof Departs)
    const failed = failures(results).filter((result) => !departing.includes(result))
    const told = failed.map(({ case: { name, why, expected }, selected, error }) => ({
      name,
      why,
      expected,
      selected,
      error,
    }))
    expect(told).toEqual([])

    const of = (outcome: CaseResult['outcome']) => results.filter((result) => result.outcome === outcome)
    const skipped = count(of('skipped').flatMap(({ missing }) => missing!))
    const cells = [
      name,
      of('passed').length,
      skipped,
      departing.length || '',
      of('refused').length || '',
      failed.length,
    ]
    expectRow('internals/cases.md', 'cases', cells.map(String))
  },
  300_000,
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
    const issue = { code: 'backend_unsupported', message: 'no' } as const
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
    for (const { name, types } of Object.values(operators)) {
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
          for (const place of places) {
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
      })(false)
    }
    const ordered = ['string', 'integer', 'number', 'date', 'datetime']
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
        'membership in nothing',
        'presence object',
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
