/** Compares `fromTanStackDb` with the evaluator of TanStack DB. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test, vi } from 'vitest'
import { fromTanStackDb } from '../../src/clients/grids/index.ts'
import { printQuery, type Query } from '../../src/index.ts'
import { collection, comparisonOf, packageOf, rowsOf, states, values, type Random, type Row } from './compare.ts'

const { folder, isInstalled } = packageOf('TanStack DB', '@tanstack/db')

const operandsOf: Readonly<Record<string, readonly unknown[]>> = {
  ...{ name: values.name, title: values.name, 'customer.city': values.name, tags: values.tags, sizes: values.integer },
  ...{
    status: values.status,
    code: [...values.code, ...values.code, ...values.code, values.code[1].toUpperCase()],
    gift: [true, false],
  },
  ...{
    guests: values.integer,
    total: values.number,
    rank: values.integer,
    price: values.number,
    serial: values.integer,
  },
  ...{ id: values.integer, arrival: values.date, paidAt: values.datetime.map((text) => new Date(text)) },
}
const paths = Object.keys(operandsOf)
const texts = ['name', 'title', 'customer.city', 'status']
const lists = ['tags', 'sizes']

const func = (name: string, ...args: readonly object[]) => ({ type: 'func', name, args })
const ref = (path: string) => ({ type: 'ref', path: path.split('.') })
const val = (value: unknown) => ({ type: 'val', value })

function expressionOf(random: Random, depth: number): object {
  const { pick, chance, some } = random
  if (depth < 3 && chance(0.35)) {
    const name = pick(['and', 'or', 'not'])
    const parts = Array.from({ length: name === 'not' ? 1 : pick([1, 2, 2, 3]) }, () => expressionOf(random, depth + 1))
    return func(name, ...parts)
  }
  const path = pick(paths)
  const operand = chance(0.02) ? pick([null, undefined, 'x', 5, {}, []]) : pick(operandsOf[path]!)
  if (lists.includes(path)) return func('in', val(operand), ref(path))
  if (path === 'gift')
    return chance(0.3) ? ref(path) : func(pick(['eq', 'eq', 'isNull', 'gt']), ref(path), val(operand))
  if (texts.includes(path) && path !== 'status' && chance(0.4)) {
    const text = String(operand)
    return func(
      pick(['like', 'ilike']),
      ref(path),
      val(pick([text, `%${text}`, `${text}%`, `%${text}%`, `%${text}%`, '%', `a${text}%b`])),
    )
  }
  const equal = ['eq', 'eq', 'eq', 'in', 'isNull']
  const isOrdered = !texts.includes(path) && path !== 'code'
  const name = chance(0.02)
    ? pick(['upper', 'gt', 'like'])
    : pick(isOrdered ? [...equal, 'gt', 'gte', 'lt', 'lte'] : equal)
  if (name === 'isNull') return func(name, ref(path))
  if (name !== 'in') return func(name, ref(path), val(operand))
  // `fromTanStackDb` refuses `in` with moments.
  if (path === 'paidAt' && chance(0.9)) return func('gt', ref(path), val(operand))
  return func(name, ref(path), val(chance(0.03) ? [] : [operand, ...some(operandsOf[path]!, 2)]))
}

describe.skipIf(!isInstalled)('random expressions', () => {
  test('select the rows that the evaluator selects, in its order', async () => {
    const load = async (file: string) =>
      (await import(pathToFileURL(join(folder, 'dist/esm', file)).href)) as Record<string, any>
    const { compileSingleRowExpression } = await load('query/compiler/evaluators.js')
    const { makeComparator } = await load('utils/comparison.js')
    const { random, compare, report } = comparisonOf('TanStack DB', 4)
    const { pick, chance, below } = random
    // Rows contain `null` for a missing value and, as in a live collection, a `Date` for a moment.
    const rowOf = (row: Row): Row => ({
      ...row,
      paidAt: row['paidAt'] === null ? null : new Date(row['paidAt'] as string),
    })
    for (let at = 0; at < states; at++) {
      const rows = rowsOf(random, 20, [null]).map(rowOf)
      const orderBy = chance(0.5)
        ? [pick(['rank', 'guests', 'total', 'arrival', 'paidAt', 'title', 'gift'])].map((path) => {
            const direction = pick(['asc', 'desc'])
            const isOdd = chance(0.05)
            return {
              expression: ref(path),
              compareOptions: {
                direction,
                nulls: (direction === 'asc') === isOdd ? 'last' : 'first',
                stringSort: isOdd ? 'locale' : 'lexical',
              },
            }
          })
        : []
      const state = {
        ...(chance(0.95) && { where: expressionOf(random, 0) }),
        orderBy,
        ...(chance(0.5) && { limit: 1 + below(50), offset: below(20) }),
      }
      const theirs = () => {
        const matches = state.where && compileSingleRowExpression(state.where)
        const left = rows.filter((row) => matches === undefined || matches(row) === true)
        for (const { expression, compareOptions } of orderBy) {
          const order = makeComparator(compareOptions)
          left.sort((a, b) => order(a[expression.path[0]!], b[expression.path[0]!]) as number)
        }
        return left.map(({ id }) => id)
      }
      compare(fromTanStackDb(collection, state), state, rows, theirs, (row) =>
        String(orderBy.map(({ expression }) => (row[expression.path[0]!] as Date | null)?.valueOf() ?? null)),
      )
    }
    report(states / 10)
  }, 3_600_000)
})

describe.skipIf(!isInstalled)('the options that live queries give', () => {
  test('are accepted unchanged', async () => {
    // TanStack DB logs a warning that recommends an index.
    vi.spyOn(console, 'warn').mockReturnValue()
    const name: string = '@tanstack/db'
    const db = (await import(name)) as Record<string, any>
    const asked: Parameters<typeof fromTanStackDb>[1][] = []
    const sync = ({ markReady }: { markReady: () => void }) => {
      markReady()
      return { loadSubset: (options: object) => (asked.push(options), true) }
    }
    const getKey = ({ id }: Row) => id
    const orders = db['createCollection']({ id: 'orders', getKey, syncMode: 'on-demand', sync: { sync } }) as object
    /** Returns the query string for the options of a live query. */
    const textOf = async (build: (query: any) => unknown): Promise<string> => {
      asked.length = 0
      const live = db['createLiveQueryCollection']({ query: build, startSync: true }) as { preload(): Promise<void> }
      await live.preload()
      const result = fromTanStackDb(collection, asked[0]!)
      if (!result.ok) throw new Error(result.issues.map(({ member, message }) => `${member}: ${message}`).join())
      return decodeURIComponent(printQuery(collection, { ...result.query, count: false } as Query))
    }
    const { eq, gt, ilike, inArray, isNull, not, and } = db as Record<string, (...parts: unknown[]) => unknown>
    expect(
      await textOf((query) =>
        query
          .from({ order: orders })
          .where(({ order }: any) => and!(gt!(order.total, 5), ilike!(order.customer.city, 'bo%')))
          .where(({ order }: any) => inArray!(order.status, ['paid', 'held']))
          .orderBy(({ order }: any) => order.rank, 'desc')
          .limit(5),
      ),
    ).toBe('total[gt]=5&customer.city[startsWith]=bo&status[in]=paid,held&sort=-rank&limit=5')
    expect(
      await textOf((query) =>
        query
          .from({ order: orders })
          .where(({ order }: any) => and!(eq!(order.gift, true), not!(isNull!(order.total)))),
      ),
    ).toBe('gift=true&total[exists]=true')
    expect(await textOf((query) => query.from({ order: orders }))).toBe('')
  })
})
