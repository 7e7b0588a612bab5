/** Sends requests of the unchanged clients of each notation over HTTP. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { isComplete } from '../effort.ts'
import { idsOf, idsWhere, isInstalled, checkLog, rows, startServer, type Order } from './orders.ts'

test('the clients are installed', ({ skip }) => {
  if (isInstalled) return
  expect(isComplete, 'npm --prefix test/notations ci').toBe(false)
  skip('No client sent a request: npm --prefix test/notations ci installs them')
})

const load = async (name: string): Promise<unknown> => {
  const file = import.meta.resolve(name, pathToFileURL(join(import.meta.dirname, 'package.json')).href)
  return import(file)
}

interface Listed {
  readonly data: readonly Order[]
  readonly total: number
}
/** The part of a react-admin data provider that the test calls. */
interface RaProvider {
  getList(resource: string, params: object): Promise<Listed>
  getOne(resource: string, params: { readonly id: number }): Promise<{ readonly data: Order }>
  getMany(resource: string, params: { readonly ids: readonly number[] }): Promise<Listed>
  getManyReference(resource: string, params: object): Promise<Listed>
}
/** The part of a Refine data provider that the test calls. */
interface RefineProvider {
  getOne(params: object): Promise<{ readonly data: Order }>
  getList(params: object): Promise<Listed>
  getMany(params: { readonly resource: string; readonly ids: readonly number[] }): Promise<Listed>
}
interface Kitsu {
  get(
    resource: string,
    config?: object,
  ): Promise<{
    readonly data: readonly Order[]
    readonly links: Readonly<Record<string, string>>
    readonly meta: { readonly page: { readonly total: number } }
  }>
}

let server: Awaited<ReturnType<typeof startServer>>
beforeAll(async () => void (server = await startServer()))
afterAll(() => server.stop())
const log: string[] = []
afterEach(() => {
  log.push(...server.requests.splice(0))
  expect(server.errors.splice(0)).toEqual([])
})
/** The last test of each client compares all of its requests with the log. */
const testLog = (client: string) =>
  test('its requests and their rows equal the log', () => checkLog(client, log.splice(0)))

const byTotal = (order: Order) => order.total ?? -Infinity
/** The order of the service: missing values first, equal values by key, and all of it reversed in descending order. */
const sorted = (isDescending: boolean): readonly number[] => {
  const all = rows.toSorted((a, b) => byTotal(a) - byTotal(b) || a.id - b.id)
  return idsOf(isDescending ? all.reverse() : all)
}
const without = { page: 1, perPage: 40 }

/** Reads all pages forward and back. */
async function walk(pageAt: (page: number) => Promise<Listed>, size: number): Promise<readonly number[]> {
  const last = Math.ceil(rows.length / size)
  const ahead: number[] = []
  for (let page = 1; page <= last; page++) {
    const { data, total } = await pageAt(page)
    expect(total).toBe(rows.length)
    ahead.push(...idsOf(data))
  }
  const back: number[] = []
  for (let page = last; page > 0; page--) back.unshift(...idsOf((await pageAt(page)).data))
  expect(back).toEqual(ahead)
  expect(idsOf((await pageAt(last + 1)).data)).toEqual([])
  return ahead
}

describe.skipIf(!isInstalled).each(['ra-data-json-server', 'ra-data-simple-rest'])('%s', (client) => {
  const isJson = client === 'ra-data-simple-rest'
  let provider: RaProvider
  beforeAll(async () => {
    type Make = (url: string) => RaProvider
    const module = (await load(client)) as { readonly default: Make | { readonly default: Make } }
    const make = typeof module.default === 'function' ? module.default : module.default.default
    provider = make(`${server.url}/${isJson ? 'reactAdmin' : 'jsonServer'}`)
  })
  const list = (filter: object, pagination: object = without, sort: object = { field: 'id', order: 'ASC' }) =>
    provider.getList('orders', { pagination, sort, filter })

  const both: readonly (readonly [object, (order: Order) => boolean])[] = [
    [{}, () => true],
    [{ status: 'paid' }, ({ status }) => status === 'paid'],
    [{ status: ['paid', 'held'] }, ({ status }) => status !== 'new'],
    [{ total_lte: 20 }, ({ total }) => total !== undefined && total <= 20],
    // A field of the schema has precedence over a suffix.
    [{ total_gte: 7 }, ({ total_gte }) => total_gte === 7],
    [{ day_gte: '2024-01-20' }, ({ day }) => day >= '2024-01-20'],
    [{ gift: true }, ({ gift }) => gift],
    [{ customer: { name: 'Smith, John' } }, ({ customer }) => customer.name === 'Smith, John'],
    [{ q: 'surf' }, ({ note }) => note?.includes('Surf') === true],
    [{ status: 'paid', total_lte: 20 }, ({ status, total }) => status === 'paid' && total !== undefined && total <= 20],
  ]
  const ofServer: readonly (readonly [object, (order: Order) => boolean])[] = [
    [{ note_like: 'URF' }, ({ note }) => note?.includes('Surf') === true],
    [{ note_ne: 'Surf 2' }, ({ note }) => note !== undefined && note !== 'Surf 2'],
    [{ status_ne: ['paid', 'held'] }, ({ status }) => status === 'new'],
    [{ tags: ['sea', 'vip'] }, ({ tags }) => tags.length > 0],
  ]
  const ofJson: readonly (readonly [object, (order: Order) => boolean])[] = [
    [{ note_q: 'URF' }, ({ note }) => note?.includes('Surf') === true],
    [{ note_neq: 'Surf 2' }, ({ note }) => note !== 'Surf 2'],
    [{ note_eq: 'Surf 2' }, ({ note }) => note === 'Surf 2'],
    [{ note: null }, ({ note }) => note === undefined],
    [{ total_lt: 7 }, ({ total }) => total !== undefined && total < 7],
    [{ total_gt: 7 }, ({ total }) => total !== undefined && total > 7],
    [{ status_eq_any: ['paid', 'held'] }, ({ status }) => status !== 'new'],
    [{ note_neq_any: ['Surf 2', 'Surf 4'] }, ({ note }) => note !== 'Surf 2' && note !== 'Surf 4'],
    [{ tags: ['sea', 'vip'] }, ({ tags }) => tags.length === 2],
    [{ tags_inc: ['sea', 'vip'] }, ({ tags }) => tags.length === 2],
  ]
  test.each([...both, ...(isJson ? ofJson : ofServer)])('getList %j', async (filter, holds) => {
    const { data, total } = await list(filter)
    expect(idsOf(data)).toEqual(idsWhere(holds).slice(0, 40))
    expect(total).toBe(idsWhere(holds).length)
    expect(data[0]).toEqual(rows.find(({ id }) => id === data[0]?.id))
  })

  test.each(['ASC', 'DESC'])('getList in order, every page forward and back: %s', async (order) => {
    const pages = (page: number) => list({}, { page, perPage: 8 }, { field: 'total', order })
    expect(await walk(pages, 8)).toEqual(sorted(order === 'DESC'))
  })

  test('getMany', async () => {
    const { data } = await provider.getMany('orders', { ids: [3, 1, 52] })
    expect(idsOf(data)).toEqual([1, 3, 52])
    expect(idsOf((await provider.getMany('orders', { ids: [7] })).data)).toEqual([7])
    const ids = Array.from({ length: 40 }, (_, at) => at + 2)
    expect(idsOf((await provider.getMany('orders', { ids })).data)).toEqual(ids)
  })

  test('getOne', async () => {
    expect((await provider.getOne('orders', { id: 7 })).data).toEqual(rows[6])
    await expect(provider.getOne('orders', { id: 54 })).rejects.toMatchObject({
      name: 'HttpError',
      status: 404,
      message: 'no row that you may see has this key',
    })
  })

  test('getMany of more rows than the largest page is refused', async () => {
    const ids = Array.from({ length: 41 }, (_, at) => at + 1)
    await expect(provider.getMany('orders', { ids })).rejects.toMatchObject({
      ...{ status: 400, message: 'list too long: 41 items, limit 40' },
    })
  })

  test('getManyReference', async () => {
    const { data, total } = await provider.getManyReference('orders', {
      ...{ target: 'customer.name', id: 'Ann', pagination: { page: 2, perPage: 5 } },
      ...{ sort: { field: 'id', order: 'DESC' }, filter: { status: 'held' } },
    })
    const all = idsWhere(({ customer, status }) => customer.name === 'Ann' && status === 'held').toReversed()
    expect(total).toBe(all.length)
    expect(idsOf(data)).toEqual(all.slice(5, 10))
  })

  test('a fault has the message that react-admin shows', async () => {
    const filter = isJson ? { totl_lte: 5 } : { totl_lte: 5 }
    await expect(list(filter)).rejects.toMatchObject({
      ...{ name: 'HttpError', status: 400, message: 'unknown field "totl": did you mean total?' },
    })
    await expect(list({}, { page: 1, perPage: 500 })).rejects.toMatchObject({ status: 400 })
  })

  testLog(client)
})

describe.skipIf(!isInstalled)('@refinedev/simple-rest', () => {
  let provider: RefineProvider
  beforeAll(async () => {
    const { default: make } = (await load('@refinedev/simple-rest')) as { default: (url: string) => RefineProvider }
    provider = make(`${server.url}/jsonServer`)
  })
  const list = (
    filters: readonly object[],
    pagination: object = { currentPage: 1, pageSize: 40 },
    sorters: object[] = [],
  ) => provider.getList({ resource: 'orders', pagination, filters, sorters })

  test.each<readonly [object, (order: Order) => boolean]>([
    [{ field: 'status', operator: 'eq', value: 'paid' }, ({ status }) => status === 'paid'],
    [{ field: 'note', operator: 'ne', value: 'Surf 2' }, ({ note }) => note !== undefined && note !== 'Surf 2'],
    [{ field: 'day', operator: 'gte', value: '2024-01-20' }, ({ day }) => day >= '2024-01-20'],
    [{ field: 'total', operator: 'lte', value: 20 }, ({ total }) => total !== undefined && total <= 20],
    [{ field: 'note', operator: 'contains', value: 'SURF' }, ({ note }) => note?.includes('Surf') === true],
    [{ field: 'q', operator: 'contains', value: 'surf' }, ({ note }) => note?.includes('Surf') === true],
    // The client sends these two operators as equality: the service receives no other word.
    [{ field: 'total', operator: 'lt', value: 7 }, ({ total }) => total === 7],
    [{ field: 'status', operator: 'in', value: ['paid', 'held'] }, ({ status }) => status !== 'new'],
  ])('getList %j', async (filter, holds) => {
    const { data, total } = await list([filter])
    expect(idsOf(data)).toEqual(idsWhere(holds).slice(0, 40))
    expect(total).toBe(idsWhere(holds).length)
  })

  test.each(['asc', 'desc'])('getList in order, every page forward and back: %s', async (order) => {
    const pages = async (currentPage: number): Promise<Listed> => {
      const page = await list([], { currentPage, pageSize: 8 }, [
        { field: 'total', order },
        { field: 'id', order },
      ])
      return page
    }
    expect(await walk(pages, 8)).toEqual(sorted(order === 'desc'))
  })

  test('getList without pagination returns the largest page', async () => {
    const { data, total } = await list([], { mode: 'off' })
    expect([data.length, total]).toEqual([40, 53])
  })

  test('getOne', async () => {
    expect((await provider.getOne({ resource: 'orders', id: 7 })).data).toEqual(rows[6])
    await expect(provider.getOne({ resource: 'orders', id: 54 })).rejects.toMatchObject({
      statusCode: 404,
      message: 'no row that you may see has this key',
    })
  })

  test('getMany', async () => {
    expect(idsOf((await provider.getMany({ resource: 'orders', ids: [3, 1, 52] })).data)).toEqual([1, 3, 52])
  })

  test('a fault has the message that Refine shows', async () => {
    await expect(list([{ field: 'staus', operator: 'eq', value: 'paid' }])).rejects.toMatchObject({
      ...{ statusCode: 400, message: 'unknown field "staus": did you mean status?' },
    })
  })

  testLog('@refinedev/simple-rest')
})

describe.skipIf(!isInstalled)('@refinedev/strapi-v4', () => {
  let provider: RefineProvider
  beforeAll(async () => {
    const { DataProvider } = (await load('@refinedev/strapi-v4')) as { DataProvider: (url: string) => RefineProvider }
    provider = DataProvider(`${server.url}/strapi`)
  })
  const list = (
    filters: readonly object[],
    pagination: object = { currentPage: 1, pageSize: 40 },
    sorters: object[] = [],
  ) => provider.getList({ resource: 'orders', pagination, filters, sorters })

  const has = ({ total }: Order) => total !== undefined
  test.each<readonly [object, (order: Order) => boolean]>([
    [{ field: 'status', operator: 'eq', value: 'paid' }, ({ status }) => status === 'paid'],
    [{ field: 'note', operator: 'ne', value: 'Surf 2' }, ({ note }) => note !== undefined && note !== 'Surf 2'],
    [{ field: 'total', operator: 'lt', value: 20 }, ({ total }) => total! < 20],
    [{ field: 'total', operator: 'lte', value: 20 }, ({ total }) => total! <= 20],
    [{ field: 'total', operator: 'gt', value: 20 }, ({ total }) => total! > 20],
    [{ field: 'total', operator: 'gte', value: 20 }, ({ total }) => total! >= 20],
    [{ field: 'status', operator: 'in', value: ['paid', 'held'] }, ({ status }) => status !== 'new'],
    [{ field: 'status', operator: 'nin', value: ['paid', 'held'] }, ({ status }) => status === 'new'],
    [{ field: 'note', operator: 'contains', value: 'surf' }, ({ note }) => note?.includes('Surf') === true],
    [{ field: 'note', operator: 'containss', value: 'surf' }, () => false],
    [{ field: 'note', operator: 'ncontains', value: 'surf' }, ({ note }) => note?.includes('kayak') === true],
    [{ field: 'note', operator: 'ncontainss', value: 'Surf' }, ({ note }) => note?.includes('kayak') === true],
    [{ field: 'total', operator: 'between', value: [10, 20] }, ({ total }) => total! >= 10 && total! <= 20],
    [{ field: 'total', operator: 'null', value: true }, (order) => !has(order)],
    [{ field: 'total', operator: 'nnull', value: true }, has],
    [{ field: 'note', operator: 'startswith', value: 'Surf' }, ({ note }) => note?.startsWith('Surf') === true],
    [{ field: 'note', operator: 'endswith', value: '2' }, ({ note }) => note?.endsWith('2') === true],
    [
      { field: 'customer.name', operator: 'eq', value: 'Smith, John' },
      ({ customer }) => customer.name === 'Smith, John',
    ],
    [
      {
        operator: 'or',
        value: [
          { field: 'status', operator: 'eq', value: 'paid' },
          {
            operator: 'and',
            value: [
              { field: 'total', operator: 'gt', value: 40 },
              { field: 'gift', operator: 'eq', value: true },
            ],
          },
        ],
      },
      ({ status, total, gift }) => status === 'paid' || (total! > 40 && gift),
    ],
  ])('getList %j', async (filter, holds) => {
    const { data, total } = await list([filter])
    expect(idsOf(data)).toEqual(idsWhere(holds).slice(0, 40))
    // For a total of 0, the client returns the number of rows.
    expect(total).toBe(idsWhere(holds).length)
  })

  test.each(['asc', 'desc'])('getList in order, every page forward and back: %s', async (order) => {
    const pages = (currentPage: number) =>
      list([], { currentPage, pageSize: 8 }, [
        { field: 'total', order },
        { field: 'id', order },
      ])
    expect(await walk(pages, 8)).toEqual(sorted(order === 'desc'))
  })

  test('getList without pagination returns the largest page', async () => {
    const { data, total } = await list([], { mode: 'off' })
    expect([data.length, total]).toEqual([40, 53])
  })

  test('getList of some fields', async () => {
    const { data } = await provider.getList({ resource: 'orders', meta: { fields: ['id', 'status'] } } as object)
    expect(data[0]).toEqual({ id: 1, status: 'paid' })
  })

  test('getOne, of some fields too', async () => {
    expect((await provider.getOne({ resource: 'orders', id: 7 })).data).toEqual(rows[6])
    const { data } = await provider.getOne({ resource: 'orders', id: 7, meta: { fields: ['id', 'status'] } })
    expect(data).toEqual({ id: 7, status: 'paid' })
    await expect(provider.getOne({ resource: 'orders', id: 54 })).rejects.toMatchObject({
      statusCode: 404,
      message: 'no row that you may see has this key',
    })
  })

  test('getMany', async () => {
    expect(idsOf((await provider.getMany({ resource: 'orders', ids: [3, 1, 52] })).data)).toEqual([1, 3, 52])
  })

  test.each([
    ...[
      'nbetween',
      'ina',
      'nina',
      'startswiths',
      'nstartswith',
      'nstartswiths',
      'endswiths',
      'nendswith',
      'nendswiths',
    ],
  ])('%s, which Strapi has no word for, is refused', async (operator) => {
    await expect(list([{ field: 'note', operator, value: 'a' }])).rejects.toMatchObject({
      ...{ statusCode: 400, message: expect.stringContaining(`unknown operator "$${operator}"`) as string },
    })
  })

  test('a fault has its message in both members that Refine reads', async () => {
    const refused = list([{ field: 'staus', operator: 'eq', value: 'paid' }])
    const error = {
      message: 'unknown field "staus": did you mean status?',
      status: 400,
      name: 'Bad Request',
      details: {},
    }
    const { message } = error
    await expect(refused).rejects.toMatchObject({ statusCode: 400, message, response: { data: { data: null, error } } })
  })

  testLog('@refinedev/strapi-v4')
})

describe.skipIf(!isInstalled)('@strapi/client', () => {
  interface Found<Data> {
    readonly data: Data
    readonly meta: object
  }
  interface Manager {
    find(params: object): Promise<Found<readonly Order[]>>
    findOne(id: string, params?: object): Promise<Found<Order>>
  }
  let manager: Manager
  beforeAll(async () => {
    type Make = (options: object) => { collection(resource: string): Manager }
    const { strapi } = (await load('@strapi/client')) as { readonly strapi: Make }
    manager = strapi({ baseURL: `${server.url}/strapi` }).collection('orders')
  })

  test('find', async () => {
    const { data } = await manager.find({ filters: { status: { $eq: 'paid' } }, sort: 'id:desc', fields: ['id'] })
    expect(idsOf(data)).toEqual(idsWhere(({ status }) => status === 'paid').toReversed())
  })

  test('findOne', async () => {
    expect(await manager.findOne('7')).toEqual({ data: rows[6], meta: {} })
    expect((await manager.findOne('7', { fields: ['status'] })).data).toEqual({ id: 7, status: 'paid' })
    await expect(manager.findOne('54')).rejects.toMatchObject({ response: { status: 404 } })
  })

  testLog('@strapi/client')
})

describe.skipIf(!isInstalled)('kitsu', () => {
  let kitsu: Kitsu
  beforeAll(async () => {
    const module = (await load('kitsu')) as { readonly default: new (options: object) => Kitsu }
    kitsu = new module.default({ baseURL: `${server.url}/jsonApi`, pluralize: false, camelCaseTypes: false })
  })
  const list = (params: object) => kitsu.get('orders', { params })

  test.each<readonly [object, (order: Order) => boolean]>([
    [{ status: 'paid' }, ({ status }) => status === 'paid'],
    [{ status: 'paid,held' }, ({ status }) => status !== 'new'],
    [{ total: { gte: 20 } }, ({ total }) => total! >= 20],
    [{ total: { range: '10,20' } }, ({ total }) => total! >= 10 && total! <= 20],
    [{ note: { ne: 'Surf 2' } }, ({ note }) => note !== 'Surf 2'],
    [{ 'customer.name': { eq: 'Smith, John' } }, ({ customer }) => customer.name === 'Smith, John'],
    [{ note: { exists: false } }, ({ note }) => note === undefined],
    [{ tags: { all: 'sea,vip' } }, ({ tags }) => tags.length === 2],
  ])('filter %j', async (filter, holds) => {
    const { data, meta } = await list({ filter, page: { size: 40 } })
    expect(idsOf(data)).toEqual(idsWhere(holds).slice(0, 40))
    expect(meta.page.total).toBe(idsWhere(holds).length)
  })

  test('resources contain type, id and the other fields', async () => {
    const { data } = await list({ filter: { id: 4 } })
    expect(data).toEqual([{ ...rows[3], id: '4', type: 'orders' }])
  })

  test('one resource, of some fields too', async () => {
    expect((await kitsu.get('orders/7')).data).toEqual({ ...rows[6], id: '7', type: 'orders' })
    const { data } = await kitsu.get('orders/7', { params: { fields: { orders: 'status' } } })
    expect(data).toEqual({ id: '7', type: 'orders', status: 'paid' })
    await expect(kitsu.get('orders/54')).rejects.toMatchObject({ errors: [{ status: '404', code: 'row_unknown' }] })
    await expect(kitsu.get('orders/x')).rejects.toMatchObject({ errors: [{ status: '400', code: 'operand_invalid' }] })
  })

  test.each(['total', '-total'])('every page forward and back: %s', async (sort) => {
    const pages = async (number: number): Promise<Listed> => {
      const { data, meta } = await list({ sort, page: { number, size: 8 } })
      return { data, total: meta.page.total }
    }
    expect(await walk(pages, 8)).toEqual(sorted(sort === '-total'))
  })

  test('many ids', async () => {
    const ids = Array.from({ length: 40 }, (_, at) => at + 2)
    expect(idsOf((await list({ filter: { id: ids.join(',') }, page: { size: 40 } })).data)).toEqual(ids)
    // The client repeats a pair for an array: JSON:API defines no meaning for repeated pairs.
    await expect(list({ filter: { id: [1, 2] } })).rejects.toMatchObject({ errors: [{ code: 'duplicate_condition' }] })
  })

  test('fields, and pages by number', async () => {
    const { data, links } = await list({
      fields: { orders: 'status,total' },
      page: { number: 2, size: 5 },
      sort: '-id',
    })
    expect(data.map(({ id }) => id)).toEqual(['48', '47', '46', '45', '44'])
    expect(Object.keys(data[0]!).sort()).toEqual(['id', 'status', 'total', 'type'])
    expect(Object.keys(links).sort()).toEqual(['first', 'last', 'next', 'prev', 'self'])
    expect(links['last']).toContain('page%5Bnumber%5D=11')
  })

  test('links open the next and the previous page', async () => {
    const follow = async (link: string | undefined) => {
      const answer = await fetch(`${server.url}/jsonApi/orders${link}`)
      expect(answer.headers.get('content-type')).toBe('application/vnd.api+json')
      return (await answer.json()) as { data: { id: string }[]; links: Record<string, string> }
    }
    for (const start of ['?sort=-total&page[size]=8', '?sort=-total&page[size]=8&page[number]=1']) {
      const ahead: number[] = []
      let page = await follow(start)
      for (;;) {
        ahead.push(...page.data.map(({ id }) => Number(id)))
        if (page.links['next'] === undefined) break
        page = await follow(page.links['next'])
      }
      expect(ahead).toEqual(sorted(true))
      const back: number[] = []
      for (;;) {
        back.unshift(...page.data.map(({ id }) => Number(id)))
        if (page.links['prev'] === undefined) break
        page = await follow(page.links['prev'])
      }
      expect(back).toEqual(ahead)
    }
  })

  test('a fault is a list of errors with the parameter of each', async () => {
    await expect(list({ filter: { totl: { gte: 5 }, status: 'pad' } })).rejects.toMatchObject({
      errors: [
        {
          ...{ status: '400', code: 'field_unknown', title: 'Bad Request', source: { parameter: 'filter[totl][gte]' } },
          detail: 'unknown field "totl": did you mean total?',
        },
        { code: 'operand_invalid', source: { parameter: 'filter[status]' } },
      ],
    })
  })

  testLog('kitsu')
})

describe.skipIf(!isInstalled)('coloquent', () => {
  interface Found {
    getData(): readonly { getApiId(): string; getAttribute(name: string): unknown }[]
  }
  interface Builder {
    where(path: string, value: string | number): Builder
    orderBy(path: string, direction: 'asc' | 'desc'): Builder
    option(name: string, value: string): Builder
    get(page?: number): Promise<Found>
    find(id: string): Promise<{ getData(): ReturnType<Found['getData']>[number] }>
  }
  let Orders: { query(): Builder }
  beforeAll(async () => {
    type Base = (new () => object) & { query(): Builder }
    const { Model, PaginationStrategy } = (await load('coloquent')) as {
      readonly Model: Base
      readonly PaginationStrategy: { readonly PageBased: number }
    }
    Orders = class extends Model {
      static readonly pageSize = 8
      static readonly paginationStrategy = PaginationStrategy.PageBased
      readonly jsonApiType = 'orders'
      getJsonApiBaseUrl(): string {
        return `${server.url}/jsonApi`
      }
    }
  })
  const idsIn = (found: Found) => found.getData().map((one) => Number(one.getApiId()))

  test.each<readonly [string, string | number, (order: Order) => boolean]>([
    ['status', 'paid', ({ status }) => status === 'paid'],
    ['status', 'paid,held', ({ status }) => status !== 'new'],
    ['id', '3,1,52', ({ id }) => [1, 3, 52].includes(id)],
    ['total', 7, ({ total }) => total === 7],
    ['customer.name', 'Ann', ({ customer }) => customer.name === 'Ann'],
  ])('where %s is %s', async (path, value, holds) => {
    expect(idsIn(await Orders.query().where(path, value).get())).toEqual(idsWhere(holds).slice(0, 8))
  })

  test('options of the client choose an operator', async () => {
    const found = await Orders.query().option('filter[total][gte]', '20').option('filter[note][exists]', 'true').get()
    const holds = ({ total, note }: Order) => total! >= 20 && note !== undefined
    expect(idsIn(found)).toEqual(idsWhere(holds).slice(0, 8))
    expect(found.getData()[0]!.getAttribute('status')).toBe(rows.find(holds)!.status)
  })

  test.each(['asc', 'desc'] as const)('every page forward and back: %s', async (direction) => {
    const pages = async (page: number): Promise<Listed> => {
      const found = await Orders.query().orderBy('total', direction).get(page)
      return { data: idsIn(found).map((id) => rows[id - 1]!), total: rows.length }
    }
    expect(await walk(pages, 8)).toEqual(sorted(direction === 'desc'))
  })

  test('find', async () => {
    const one = (await Orders.query().find('7')).getData()
    expect([one.getApiId(), one.getAttribute('status')]).toEqual(['7', 'paid'])
    await expect(Orders.query().find('54')).rejects.toThrow('Request failed with status code 404')
  })

  test('a fault', async () => {
    await expect(Orders.query().where('staus', 'paid').get()).rejects.toThrow('Request failed with status code 400')
  })

  testLog('coloquent')
})

describe('nestjs-paginate', () => {
  interface Paginated {
    readonly data: readonly Order[]
    readonly meta: object
    readonly links: Readonly<Record<string, string>>
  }
  const ask = async (query: string) =>
    (await fetch(`${server.url}/nestPaginate/orders${query}`)).json() as Promise<Paginated>

  test('a page has the body of nestjs-paginate', async () => {
    const { data, meta, links } = await ask('?filter.status=$in:paid,held&sortBy=id:DESC&page=2&limit=5')
    expect(idsOf(data)).toEqual(
      idsWhere(({ status }) => status !== 'new')
        .toReversed()
        .slice(5, 10),
    )
    expect(meta).toEqual({ itemsPerPage: 5, totalItems: 36, currentPage: 2, totalPages: 8, sortBy: [['id', 'DESC']] })
    const rest = '?filter.status=$in:paid,held&sortBy=id:DESC&limit=5'
    expect(links).toEqual({
      first: `${rest}&page=1`,
      previous: `${rest}&page=1`,
      current: '?filter.status=$in:paid,held&sortBy=id:DESC&page=2&limit=5',
      next: `${rest}&page=3`,
      last: `${rest}&page=8`,
    })
  })

  test('links open the next and the previous page', async () => {
    const ahead: number[] = []
    let page = await ask('?sortBy=total:ASC&limit=8')
    for (;;) {
      ahead.push(...idsOf(page.data))
      if (page.links['next'] === undefined) break
      page = await ask(page.links['next'])
    }
    expect(ahead).toEqual(sorted(false))
    const back: number[] = []
    for (;;) {
      back.unshift(...idsOf(page.data))
      if (page.links['previous'] === undefined) break
      page = await ask(page.links['previous'])
    }
    expect(back).toEqual(ahead)
  })

  test('one row is the entity itself', async () => {
    const ofKey = async (key: number) => (await fetch(`${server.url}/nestPaginate/orders/${key}`)).json()
    expect(await ofKey(7)).toEqual(rows[6])
    expect(await ofKey(54)).toMatchObject({ statusCode: 404, error: 'Not Found' })
  })

  test('a fault has the members of an exception of NestJS', async () => {
    expect(await ask('?filter.totl=$gte:5')).toMatchObject({
      ...{ statusCode: 400, error: 'Bad Request', message: 'unknown field "totl": did you mean total?' },
    })
  })
})
