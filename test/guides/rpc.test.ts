/** The code of docs/guides/rpc.md, as it is written there: compiled, and run with tRPC and GraphQL. */
import { beforeAll, describe, expect, test } from 'vitest'
import { expectInstalled, isInstalled, loadGuide } from './guide.ts'

expectInstalled()

interface Guide {
  readonly client: { orders: { query(input: unknown): Promise<{ data: { id: number }[] }> } }
  readonly ask: (query: unknown) => Promise<{ data?: unknown; errors?: { extensions: { code?: string } }[] }>
}

describe.skipIf(!isInstalled)('the guide compiles, does what its comments say, and', () => {
  let guide: Guide
  beforeAll(async () => {
    guide = await loadGuide('rpc')
  })

  test('tRPC answers rows of the caller, and refuses each wrong query', async () => {
    const idsOf = async (input: unknown) => (await guide.client.orders.query(input)).data.map(({ id }) => id)
    expect(await idsOf({ sort: ['total'], limit: 1 })).toEqual([3])
    expect(await idsOf(null)).toEqual([1, 3])
    for (const filter of [{ seller: 's-2' }, { total: '5' }, { 'id[in]': [] }, 'id'])
      await expect(idsOf({ filter }), JSON.stringify(filter)).rejects.toMatchObject({ data: { code: 'BAD_REQUEST' } })
    for (const input of [{ limit: 0 }, { filtr: {} }, 'id'])
      await expect(idsOf(input), JSON.stringify(input)).rejects.toMatchObject({ data: { code: 'BAD_REQUEST' } })
  })
  test('GraphQL refuses each wrong query', async () => {
    for (const query of [{ seller: 's-2' }, { total: '5' }, { 'id[in]': [] }, { limit: 0 }]) {
      const { data, errors } = await guide.ask(query)
      expect([data, errors![0]!.extensions.code]).toEqual([null, 'BAD_USER_INPUT'])
    }
    for (const query of [null, 5, 'id', [{}]]) expect((await guide.ask(query)).errors).toHaveLength(1)
  })
})
