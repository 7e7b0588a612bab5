/** What pages and problems give to a notation: values, links and parameters, worked out by hand. */
import { describe, expect, test } from 'vitest'
import { answerFault, notedPage, type PageAnswer } from '../../src/service/answers.ts'
import type { Problem } from '../../src/service/problem.ts'
import { defineCollection, parseQueryOrThrow, toPage, type Issue } from '../../src/index.ts'
import { jsonApi } from '../../src/clients/notations/index.ts'
import type { Notation } from '../../src/reading/index.ts'
import { sourceOf } from '../../src/asked/index.ts'
import { keyed as schema } from '../orders.ts'

const options = { sort: true, offset: { max: 50 }, count: true, limit: { default: 10, max: 40 } } as const
const collection = defineCollection(schema, { key: 'id', ...options })

/** A notation whose answers are the values themselves. */
const plain = (isNumbered = false): Notation => ({
  ...jsonApi,
  links: { ...jsonApi.links!, isNumbered },
  answer: (body) => ({ body, headers: { own: 'yes' } }),
  fault: (body) => ({ body, headers: { own: 'yes' } }),
})
const answered = (
  given: Partial<PageAnswer> & { readonly text?: string | undefined; readonly url?: string },
): PageAnswer => {
  const { text = '', url, ...rest } = given
  return {
    ...{
      name: 'orders',
      collection,
      isOne: false,
      body: undefined,
      query: parseQueryOrThrow(given.collection ?? collection, text),
    },
    ...{ source: url === undefined ? undefined : sourceOf(url), credentials: [], page: { next: undefined } as never },
    ...{ rows: [], data: [], facets: undefined, headers: { cors: 'all' } },
    ...rest,
  }
}
const valuesOf = async (given: Parameters<typeof answered>[0], notation = plain()) => {
  const answer = notedPage(notation, answered(given))
  expect([answer.status, answer.headers['own'], answer.headers['cors']]).toEqual([200, 'yes', 'all'])
  return JSON.parse(answer.body!) as Record<string, unknown>
}

describe('the values of a page', () => {
  test('are those of its query, and its rows', async () => {
    const row = { id: 7, seller: 'a', customer: { name: 'Jo' } }
    const text = 'sort=-customer.name,seller&limit=10&offset=20'
    expect(
      await valuesOf({ text, page: { count: 41 } as never, rows: [row, row], data: [row, { seller: 'a' }] }),
    ).toEqual({
      ...{ name: 'orders', limit: 10, offset: 20, count: 41, pages: 5, number: 3, places: '20-21' },
      ...{ before: 2, after: 4, end: 5, isPaged: true },
      order: [
        ['customer.name', 'DESC'],
        ['seller', 'ASC'],
        ['id', 'ASC'],
      ],
      items: [
        { row, id: '7', attributes: { seller: 'a', customer: { name: 'Jo' } } },
        { row: { seller: 'a' }, id: '7', attributes: { seller: 'a' } },
      ],
    })
  })
  test('without rows, a position or a whole count have none of these', async () => {
    const empty = await valuesOf({ page: { count: { atLeast: 9 } } as never })
    expect(empty).toMatchObject({ places: '*', number: 1, offset: 0, count: { atLeast: 9 }, items: [] })
    expect(empty).not.toHaveProperty('pages')
    const { next } = toPage(parseQueryOrThrow(collection, 'limit=1'), [{ id: 1 }, { id: 2 }])
    expect(await valuesOf({ text: `limit=1&cursor=${next}` })).not.toHaveProperty('number')
  })
  test('have the members beside the key only if the key is called id', async () => {
    const named = defineCollection(schema, { key: ['seller', 'customer.name'], ...options })
    const row = { id: 7, seller: 'a', customer: { name: 'Jo' } }
    const { items } = await valuesOf({ collection: named, rows: [row, row], data: [row, { seller: 'a' }] })
    expect(items).toMatchObject([
      { id: 'a,Jo', attributes: row },
      { id: 'a,Jo', attributes: { seller: 'a' } },
    ])
    const both = defineCollection(schema, { key: ['seller', 'id'], ...options })
    expect((await valuesOf({ collection: both, rows: [row], data: [row] }))['items']).toEqual([
      { row, id: 'a,7', attributes: { seller: 'a', customer: { name: 'Jo' } } },
    ])
  })
  test('have an id for each key of several fields', async () => {
    const pair = defineCollection(schema, { key: ['seller', 'customer.name'], ...options })
    const idOf = async (seller: string, name: string) => {
      const row = { seller, customer: { name } }
      const { items } = await valuesOf({ collection: pair, rows: [row], data: [row] })
      return (items as readonly { readonly id: string }[])[0]!.id
    }
    expect(await idOf('x,y', 'z')).toBe('x\\,y,z')
    expect(await idOf('x', 'y,z')).toBe('x,y\\,z')
    expect(await idOf('x\\', 'z')).toBe('x\\\\,z')
    expect(await idOf('x', ',z')).toBe('x,\\,z')
    // A key of one field is its value.
    const one = defineCollection(schema, { key: 'seller', ...options })
    const row = { seller: 'x,y' }
    expect((await valuesOf({ collection: one, rows: [row], data: [row] }))['items']).toMatchObject([{ id: 'x,y' }])
  })
  test.each([[{}], [{ id: null }], [{ id: { oid: 1 } }], [{ id: [1] }], [null]])(
    'refuse a row without a key: %j',
    (row) => {
      expect(() => notedPage(plain(), answered({ rows: [{ id: 1 }, row], data: [{}, {}] }))).toThrow(
        'rows[1] has no value in id, which the answer needs: return each row with its key',
      )
    },
  )
  test('keep rows that are scalars', async () => {
    const data = ['x', null, [1]]
    const { items } = await valuesOf({ data, rows: data.map((_, id) => ({ id })) })
    expect(items).toEqual(data.map((row, id) => ({ row, id: String(id), attributes: row })))
  })
})

describe('the links of a page', () => {
  const linksOf = async (given: Parameters<typeof answered>[0], isNumbered = false) => {
    const { self, first, next, previous, last } = await valuesOf(given, plain(isNumbered))
    return { self, first, next, previous, last }
  }
  const none = { next: undefined, previous: undefined, last: undefined }
  const numbered = (one: number) => `?sort=id&page%5Bnumber%5D=${one}`
  const url = 'sort=id&page[number]=2'
  const encoded = 'sort=id&page%5Bnumber%5D=2'

  test('have page numbers for a request with one', async () => {
    const page = { next: 'n', previous: 'p', count: 41 } as never
    expect(await linksOf({ url, text: 'limit=10&offset=10', page })).toEqual({
      ...{ self: '?sort=id&page%5Bnumber%5D=2', first: numbered(1), next: numbered(3), previous: numbered(1) },
      last: numbered(5),
    })
    expect(await linksOf({ url, text: 'limit=10', page: { count: 0 } as never })).toEqual({
      ...none,
      ...{ self: '?sort=id&page%5Bnumber%5D=2', first: numbered(1) },
    })
    // 51 is the first row of page 6: the largest offset is 50.
    expect(await linksOf({ url, text: 'limit=10&offset=40', page: { next: 'n', count: 61 } as never })).toMatchObject({
      ...{ next: numbered(6), last: undefined },
    })
    expect(await linksOf({ url, text: 'limit=10&offset=50', page: { next: 'n', count: 61 } as never })).toMatchObject({
      ...{ next: '?sort=id&page%5Bafter%5D=n', previous: numbered(5) },
    })
    expect(await linksOf({ url, text: 'limit=10', page: {} as never })).toEqual({
      ...none,
      ...{ self: '?sort=id&page%5Bnumber%5D=2', first: numbered(1) },
    })
  })
  test('have cursors for another request', async () => {
    const page = { next: 'n', previous: 'p', count: 41 } as never
    const cursors = {
      ...{ self: '?sort=id', first: '?sort=id', next: '?sort=id&page%5Bafter%5D=n' },
      ...{ previous: '?sort=id&page%5Bbefore%5D=p', last: undefined },
    }
    expect(await linksOf({ url: 'sort=id', page })).toEqual(cursors)
    expect(await linksOf({ url: 'sort=id', page: {} as never })).toEqual({
      ...none,
      self: '?sort=id',
      first: '?sort=id',
    })
    // A notation that numbers its pages does so, but not after a cursor.
    expect(await linksOf({ url: 'sort=id', page }, true)).toMatchObject({ next: numbered(2), first: numbered(1) })
    const after = { ...cursors, self: '?sort=id&page%5Bafter%5D=x' }
    expect(await linksOf({ url: 'sort=id&page[after]=x', page }, true)).toEqual(after)
    const { next } = toPage(parseQueryOrThrow(collection, 'limit=1'), [{ id: 1 }, { id: 2 }])
    expect(await linksOf({ url, text: `limit=1&cursor=${next}`, page })).toEqual({ ...cursors, self: `?${encoded}` })
  })
  test('leave out credentials, and a query in the content has none', async () => {
    const given = { credentials: ['apiKey'], page: { next: 'n' } as never }
    expect(await linksOf({ ...given, url: 'apiKey=k&sort=id' })).toMatchObject({ self: '?sort=id', first: '?sort=id' })
    const nothing = { ...none, self: undefined, first: undefined }
    expect(await linksOf({ ...given, url: 'sort=id&seller=x%26apiKey=k' })).toEqual(nothing)
    expect(await linksOf(given)).toEqual(nothing)
  })
})

describe('a problem in the form of a notation', () => {
  const issue = (start: number | undefined, hint?: string): Issue =>
    ({
      ...{ code: 'operand_invalid', fault: 'client', message: 'wrong', parameters: {} },
      ...(start !== undefined && { span: { start, end: start + 1 } }),
      ...(hint !== undefined && { hint }),
    }) as never
  const fault = async (problem: Partial<Problem>, text?: string, credentials: readonly string[] = []) => {
    const told = text === undefined ? undefined : { source: sourceOf(text), credentials }
    const answer = answerFault({ status: 400, detail: 'all', ...problem }, undefined, plain(), told)
    expect(answer.status).toBe(400)
    expect([answer.headers['content-type'], answer.headers['own']]).toEqual(['application/problem+json', 'yes'])
    return JSON.parse(answer.body!) as Record<string, unknown>
  }
  const item = { problem: 'operand_invalid', detail: 'wrong' }
  const of = (parameter: string) => ({ source: { parameter } })

  test('has an item for each issue, with the parameter that it is about', async () => {
    const issues = [issue(0), issue(4, 'write 5'), issue(9), issue(undefined)] as never
    const { items, ...rest } = await fault({ issues }, 'a=1&%62=2')
    expect(rest).toMatchObject({
      ...{ status: 400, code: '400', title: 'Bad Request', message: 'wrong; wrong: write 5; wrong; wrong' },
    })
    expect(items).toStrictEqual([
      { ...item, ...of('a') },
      { ...item, detail: 'wrong: write 5', ...of('b') },
      { ...item, ...of('b') },
      item,
    ])
  })
  test('has no parameter without a text, without pairs, and where a credential may be', async () => {
    const issues = [issue(0)] as never
    for (const text of [undefined, '', 'apiKey=secret']) {
      const { items } = await fault({ issues }, text, ['apiKey'])
      expect(items).toStrictEqual([item])
    }
    // A text that is too long has no pairs.
    const tooLong = answerFault({ status: 400, detail: 'all', issues }, undefined, plain(), {
      ...{ source: undefined, credentials: [] },
    })
    expect((JSON.parse(tooLong.body!) as Record<string, unknown>)['items']).toStrictEqual([item])
    // The mark before the pairs belongs to the first one.
    expect((await fault({ issues }, '?b=1'))['items']).toStrictEqual([{ ...item, ...of('b') }])
  })
  test('without issues has one item', async () => {
    expect(await fault({ code: 'content_not_json' as never })).toMatchObject({
      ...{ message: 'all', items: [{ problem: 'content_not_json', detail: 'all' }] },
    })
  })
})
