/** Runs nestjs-paginate on a database in memory: each server reads the links of the other, and both select the same rows. */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { memoryBackend } from '../../src/backends/memory/index.ts'
import { nestPaginate } from '../../src/clients/notations/index.ts'
import { defineCollection, defineSchema, field, parseQueryOrThrow } from '../../src/index.ts'
import { byEffort } from '../effort.ts'
import { idsOf, isInstalled, checkLog, rows, startServer, type Order } from './orders.ts'

const load = createRequire(join(import.meta.dirname, 'package.json'))

interface Paginated {
  readonly data: readonly Order[]
  readonly meta: {
    readonly totalItems: number
    readonly totalPages: number
    readonly currentPage: number
    readonly itemsPerPage: number
    readonly sortBy: readonly (readonly [string, string])[]
  }
  readonly links: Readonly<Record<string, string | undefined>>
}
/** An answer of this library's service. */
interface Answer {
  readonly status: number
  readonly body: Paginated & { readonly issues: readonly { readonly code: string }[] }
}
type ParamFactory = (data: unknown, context: object) => object
interface NestPaginate {
  readonly Paginate: () => (target: object, name: string, index: number) => void
  readonly paginate: (query: object, repository: object, config: object) => Promise<Paginated>
}
interface TypeOrm {
  readonly DataSource: new (options: object) => {
    initialize(): Promise<unknown>
    getRepository(entity: object): { insert(all: readonly object[]): Promise<unknown> }
    destroy(): Promise<void>
  }
  readonly EntitySchema: new (options: object) => object
}

const columns = ['id', 'status', 'total', 'note', 'day', 'paidAt'] as const
const all = ['$eq', '$gt', '$gte', '$in', '$null', '$lt', '$lte', '$btw', '$ilike', '$sw', '$not']
const filterableColumns = Object.fromEntries(columns.map((name) => [name, all]))

describe.skipIf(!isInstalled)('nestjs-paginate', () => {
  let server: Awaited<ReturnType<typeof startServer>>
  let theirs: (query: string) => Promise<Paginated>
  let end: () => Promise<void>
  beforeAll(async () => {
    server = await startServer()
    load('reflect-metadata')
    const { Paginate, paginate } = load('nestjs-paginate') as NestPaginate
    const { DataSource, EntitySchema } = load('typeorm') as TypeOrm
    class Target {
      list(): void {}
    }
    Paginate()(Target.prototype, 'list', 0)
    const { getMetadata } = Reflect as unknown as {
      getMetadata: (...given: unknown[]) => Record<string, { factory: ParamFactory }>
    }
    const [{ factory } = { factory: undefined }] = Object.values(getMetadata('__routeArguments__', Target, 'list'))
    const entity = new EntitySchema({
      name: 'Order',
      columns: {
        id: { type: 'integer', primary: true },
        status: { type: 'text' },
        total: { type: 'real', nullable: true },
        note: { type: 'text', nullable: true },
        day: { type: 'text' },
        paidAt: { type: 'datetime', nullable: true },
      },
    })
    const source = new DataSource({
      type: 'better-sqlite3',
      driver: Database,
      database: ':memory:',
      entities: [entity],
      synchronize: true,
    })
    await source.initialize()
    end = () => source.destroy()
    const repository = source.getRepository(entity)
    await repository.insert(
      rows.map(({ id, status, total = null, note = null, day, paidAt }) => ({
        ...{ id, status, total, note, day, paidAt: paidAt === undefined ? null : new Date(paidAt) },
      })),
    )
    const config = {
      ...{ sortableColumns: columns, searchableColumns: ['note'], filterableColumns, defaultSortBy: [['id', 'ASC']] },
      ...{ defaultLimit: 10, maxLimit: 40 },
    }
    theirs = (query) => {
      const { pathname, search, searchParams } = new URL(query, 'http://x/nestPaginate/orders')
      const names = [...new Set(searchParams.keys())]
      const given = names.map((name): [string, string | string[]] => {
        const values = searchParams.getAll(name)
        return [name, values.length === 1 ? values[0]! : values]
      })
      const request = {
        ...{ protocol: 'http', query: Object.fromEntries(given), originalUrl: pathname + search },
        get: () => 'x',
      }
      const context = { getType: () => 'http', switchToHttp: () => ({ getRequest: () => request }) }
      return paginate(factory!(undefined, context), repository, config)
    }
  })
  afterAll(async () => {
    await end()
    await server.stop()
  })

  const ours = async (query: string): Promise<Answer> => {
    const answer = await fetch(new URL(query, `${server.url}/nestPaginate/orders`))
    return { status: answer.status, body: (await answer.json()) as Answer['body'] }
  }
  /** Moves a link of nestjs-paginate to the origin of this library's service. */
  const toOurs = (link: string) => new URL(link).search

  test('the service reads the links of nestjs-paginate, forward and back', async () => {
    const start = '?filter.total=$not:$null&sortBy=total:DESC&sortBy=id:DESC&limit=8'
    const followed: string[] = []
    for (const way of ['next', 'previous'] as const) {
      let query: string | undefined = way === 'next' ? start : followed.at(-1)!
      while (query !== undefined) {
        if (way === 'next') followed.push(query)
        const [page, { status, body }]: [Paginated, Answer] = await Promise.all([theirs(query), ours(query)])
        expect(status).toBe(200)
        expect(idsOf(body.data)).toEqual(idsOf(page.data))
        for (const name of ['totalItems', 'totalPages', 'currentPage', 'itemsPerPage', 'sortBy'] as const)
          expect(body.meta[name]).toEqual(page.meta[name])
        const link: string | undefined = page.links[way]
        query = link === undefined ? undefined : toOurs(link)
      }
    }
    expect(followed.length).toBe(6)
  })

  test('nestjs-paginate reads the links of the service', async () => {
    let query: string | undefined = '?filter.status=$in:paid,held&sortBy=note:ASC&sortBy=id:ASC&limit=8&page=1'
    let pages = 0
    while (query !== undefined) {
      const [page, { body }]: [Paginated, Answer] = await Promise.all([theirs(query), ours(query)])
      expect(idsOf(page.data)).toEqual(idsOf(body.data))
      expect(page.data.length).toBeGreaterThan(0)
      pages++
      query = body.links['next']
    }
    expect(pages).toBe(5)
  })

  test('its requests and their rows equal the log', () => checkLog('nestjs-paginate', server.requests))

  const number = fc.integer({ min: 0, max: 50 }).map(String)
  const word = fc.constantFrom('Surf', 'surf', 'KAYAK', 'Surf 2', 'kayak 1', '4', 'urf', '1', 'K 2')
  const status = fc.constantFrom('paid', 'held', 'new')
  const day = fc.constantFrom('2024-01-05', '2024-01-20')
  // At the midnight of these days, nobody paid: SQLite compares a day with texts, and PostgreSQL and MySQL with moments.
  const payday = fc.constantFrom('2024-01-06', '2024-01-19')
  const listOf = (values: fc.Arbitrary<string>) =>
    fc.array(values, { minLength: 1, maxLength: 3 }).map((some) => `$in:${some.join(',')}`)
  const compared = (values: fc.Arbitrary<string>) =>
    fc.oneof(
      values,
      fc.tuple(fc.constantFrom('$eq', '$gt', '$gte', '$lt', '$lte'), values).map((both) => both.join(':')),
      listOf(values),
      fc.tuple(values, values).map(([a, b]) => `$btw:${a < b ? a : b},${a < b ? b : a}`),
      fc.constant('$null'),
    )
  const texts = fc.oneof(
    fc.tuple(fc.constantFrom('$eq', '$ilike', '$sw'), word).map((both) => both.join(':')),
    word,
    listOf(word),
    fc.constant('$null'),
  )
  const condition = fc
    .oneof(
      fc.tuple(fc.constant('status'), fc.oneof(status, listOf(status))),
      fc.tuple(fc.constant('total'), compared(number)),
      fc.tuple(fc.constant('note'), texts),
      fc.tuple(fc.constant('day'), compared(day)),
      fc.tuple(fc.constant('paidAt'), compared(payday)),
    )
    .chain(([name, value]) =>
      fc.constantFrom('', '$not:').map((not): [string, string] => [`filter.${name}`, not + value]),
    )
  test('both select the same rows in the same order', async () => {
    let same = 0
    const codes = new Set<string>()
    await fc.assert(
      fc.asyncProperty(
        fc.array(condition, { maxLength: 3 }),
        fc.constantFrom(...columns),
        fc.constantFrom('ASC', 'DESC'),
        fc.integer({ min: 1, max: 3 }),
        fc.option(word, { nil: undefined, freq: 4 }),
        async (conditions, sort, direction, page, search) => {
          const pairs: [string, string][] = [
            ...conditions,
            ...([
              ['sortBy', `${sort}:${direction}`],
              ...(sort === 'id' ? [] : [['sortBy', `id:${direction}`]]),
              ...(search === undefined || search.includes(' ') ? [] : [['search', search]]),
              ['page', String(page)],
              ['limit', '7'],
            ] as [string, string][]),
          ]
          const query = `?${new URLSearchParams(pairs)}`
          const { status: code, body } = await ours(query)
          if (code !== 200) {
            for (const issue of body.issues) codes.add(issue.code)
            return
          }
          const expected = await theirs(query)
          expect(idsOf(body.data), decodeURIComponent(query)).toEqual(idsOf(expected.data))
          expect(body.meta.totalItems).toBe(expected.meta.totalItems)
          same++
        },
      ),
      { numRuns: byEffort(3_000, 100) },
    )
    expect([...codes]).toEqual(['duplicate_condition'])
    expect(same).toBeGreaterThan(byEffort(2_000, 67))
  })
})

describe.skipIf(!isInstalled)('nestjs-paginate, a relation to many', () => {
  const schema = defineSchema({
    id: field.integer(),
    items: field.list(field.object({ product: field.string(), price: field.number() })),
  })
  const listed = defineCollection(schema, { key: 'id', offset: { max: 100 }, count: true, groups: true })
  const products = ['a', 'b', 'ab', null]
  const prices = [1, 5, 9, null]
  /** Every combination of up to two of six items. */
  const items = Array.from({ length: 6 }, (_, at) => ({ product: products[at % 4]!, price: prices[(at * 3) % 4]! }))
  const lists = [[], ...items.map((one) => [one]), ...items.flatMap((one) => items.map((other) => [one, other]))]
  const stored = lists.map((list, at) => ({ id: at + 1, items: list }))
  let theirs: (filter: Readonly<Record<string, string>>) => Promise<readonly number[]>
  let end: () => Promise<void>
  beforeAll(async () => {
    const { paginate } = load('nestjs-paginate') as NestPaginate
    const { DataSource, EntitySchema } = load('typeorm') as TypeOrm
    const order = new EntitySchema({
      name: 'Parent',
      columns: { id: { type: 'integer', primary: true } },
      relations: { items: { type: 'one-to-many', target: 'Item', inverseSide: 'parent' } },
    })
    const item = new EntitySchema({
      name: 'Item',
      columns: {
        id: { type: 'integer', primary: true },
        product: { type: 'text', nullable: true },
        price: { type: 'real', nullable: true },
      },
      relations: { parent: { type: 'many-to-one', target: 'Parent', inverseSide: 'items' } },
    })
    const source = new DataSource({
      ...{ type: 'better-sqlite3', driver: Database, database: ':memory:', entities: [order, item], synchronize: true },
    })
    await source.initialize()
    end = () => source.destroy()
    const repository = source.getRepository(order)
    await repository.insert(stored.map(({ id }) => ({ id })))
    let id = 0
    await source
      .getRepository(item)
      .insert(
        stored.flatMap(({ id: parent, items }) => items.map((one) => ({ ...one, id: ++id, parent: { id: parent } }))),
      )
    const names = ['items.product', 'items.price']
    const filterableColumns = Object.fromEntries(names.map((name) => [name, [...all, '$any', '$none', '$all']]))
    const config = { sortableColumns: ['id'], defaultSortBy: [['id', 'ASC']], filterableColumns, maxLimit: 100 }
    theirs = async (filter) => idsOf((await paginate({ filter, limit: 100, path: 'x' }, repository, config)).data)
  })
  afterAll(() => end())

  const operators: Readonly<Record<string, readonly string[]>> = {
    product: ['$eq:a', '$in:a,b', '$ilike:b', '$sw:a', '$null'],
    price: ['$eq:5', '$gt:1', '$gte:5', '$lt:9', '$lte:5', '$btw:1,5', '$in:1,9', '$null'],
  }
  const texts = Object.entries(operators).flatMap(([name, words]) =>
    words.flatMap((word) =>
      ['$any:', '$none:', '$all:'].flatMap((quantifier) => [
        [`items.${name}`, quantifier + word] as const,
        [`items.${name}`, `${quantifier}$not:${word}`] as const,
      ]),
    ),
  )
  /**
   * Its documentation defines `$all`: some entry satisfies the condition, and none its negation. Its code negates the join, too, so an item
   * of another order makes it select nothing.
   */
  const expected = async (path: string, value: string) => {
    if (!value.startsWith('$all:')) return theirs({ [path]: value })
    const one = value.replace('$all:', '')
    const other = one.startsWith('$not:') ? one.replace('$not:', '') : `$not:${one}`
    const none = await theirs({ [path]: `$none:${other}` })
    return (await theirs({ [path]: `$any:${one}` })).filter((id) => none.includes(id))
  }
  test.each(texts)('both select the same rows: %s=%s', async (path, value) => {
    const { filter } = parseQueryOrThrow(listed, `filter.${path}=${value}`, { notation: nestPaginate })
    const ours = idsOf(stored.filter(memoryBackend().compile(filter)))
    expect(ours).toEqual(await expected(path, value))
  })
})
