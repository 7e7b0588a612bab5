/** The zone of a service, and walks through its pages while time passes. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { memoryBackend } from '../../src/backends/memory/index.ts'
import type { EndpointOptions, Observed } from '../../src/service/index.ts'
import { and, defineCollection, defineSchema, field, where, type Query } from '../../src/index.ts'
import { createListService } from './form.ts'

interface Principal {
  readonly zone: string | undefined
}
const schema = defineSchema({ id: field.integer(), at: field.datetime() })
const open = defineCollection(schema, { key: 'id', timeZone: true })
const closed = defineCollection(schema, { key: 'id' })
/** The hours from 2024-01-01T00:00Z on. */
const stored = Array.from({ length: 72 }, (_, id) => ({ id, at: new Date(Date.UTC(2024, 0, 1, id)).toISOString() }))
const { compileQuery } = memoryBackend()

beforeEach(() => void vi.useFakeTimers({ now: new Date('2024-01-02T16:00:00Z'), toFake: ['Date'] }))
afterEach(() => void vi.useRealTimers())

function start(listed: Partial<EndpointOptions<Principal>> = {}) {
  const errors: unknown[] = []
  const observed: Observed<Principal>[] = []
  const service = createListService<Principal>({
    authenticate: () => undefined,
    collections: {
      hours: {
        collection: open,
        rows: { find: (query: Query) => compileQuery(query)(stored).rows },
        restriction: () => and(),
        ...listed,
      },
    },
    onError: (error) => errors.push(error),
    onRequest: (one) => void observed.push(one),
  })
  const ask = async (query: string, zone?: string) => {
    const response = await service(new Request(`http://x/hours${query}`), { principal: { zone } })
    const body = (await response.json()) as { data: { id: number }[]; page: { next?: string }; issues?: object[] }
    return { ...body, status: response.status, ids: body.data?.map(({ id }) => id), link: response.headers.get('link') }
  }
  return { ask, errors, observed }
}
const range = (from: number, until: number) => Array.from({ length: until - from }, (_, at) => from + at)

describe('the zone', () => {
  test('is that of the entry', async () => {
    // Tokyo is 9 hours ahead: its 2nd of January begins at 15:00.
    const { ask } = start({ timeZone: 'Asia/Tokyo', collection: closed })
    expect((await ask('?at=2024-01-02&limit=100')).ids).toEqual(range(15, 39))
    // It is the 3rd there.
    expect((await ask('?at[lt]=today&limit=100')).ids).toEqual(range(0, 39))
  })
  test('is that of the caller, and UTC without one', async () => {
    const { ask } = start({ timeZone: ({ zone }) => zone })
    expect((await ask('?at=2024-01-02&limit=100', '+01:00')).ids).toEqual(range(23, 47))
    expect((await ask('?at=2024-01-02&limit=100')).ids).toEqual(range(24, 48))
  })
  test('is that of the parameter, where the collection allows it', async () => {
    const { ask } = start({ timeZone: ({ zone }) => zone })
    expect((await ask('?at=2024-01-02&limit=100&timeZone=Asia/Tokyo', '+01:00')).ids).toEqual(range(15, 39))
    const { ask: askClosed } = start({ collection: closed })
    expect((await askClosed('?at=2024-01-02&timeZone=Asia/Tokyo')).status).toBe(400)
  })
  test('changes nothing about the restriction', async () => {
    const { ask } = start({ timeZone: 'Asia/Tokyo', restriction: () => where(schema).equals('at', '2024-01-02') })
    expect((await ask('?limit=100')).ids).toEqual(range(24, 48))
    expect((await ask('?limit=100&timeZone=America/New_York')).ids).toEqual(range(24, 48))
  })
  test('that is none is a TypeError at start, and of a caller a 500', async () => {
    for (const timeZone of ['Mars/Olympus', '', 5, null])
      expect(() => start({ timeZone: timeZone as string })).toThrow(/^collections\.hours\.timeZone must be a time zone/)
    const { ask, errors } = start({ timeZone: ({ zone }) => zone })
    expect((await ask('', 'Mars/Olympus')).status).toBe(500)
    expect(String(errors[0])).toMatch(/collections\.hours\.timeZone\(principal\) must be a time zone/)
  })
})

test('a walk is one filter, whatever the clock and the zone of the caller do between pages', async () => {
  const { ask } = start({ timeZone: ({ zone }) => zone })
  const text = '?at[gte]=today-1d&at[lt]=now-30m&limit=5'
  const found: number[] = []
  const zones = ['Asia/Tokyo', 'UTC', undefined, 'America/New_York']
  let link: string | null = text
  let count = 0
  for (; link !== null; count++) {
    const page = await ask(link, zones[count % zones.length])
    found.push(...page.ids)
    link = /<([^>]+)>; rel="next"/.exec(page.link ?? '')?.[1] ?? null
    vi.setSystemTime(Date.now() + 7 * 3_600_000)
  }
  // From the first moment of the 2nd in Tokyo to half an hour before the first request.
  expect(found).toEqual(range(15, 40))
  expect(count).toBe(5)
})
test('links repeat the parameter, and lead to the same zone', async () => {
  const { ask } = start()
  const { link } = await ask('?at[gte]=today&timeZone=Asia/Tokyo&limit=3')
  const next = /<([^>]+)>/.exec(link!)![1]!
  expect(next).toContain('timeZone=Asia/Tokyo')
  expect((await ask(next)).ids).toEqual([42, 43, 44])
})
test('the query of onRequest has absolute values, where these need no groups', async () => {
  const { ask, observed, errors } = start({ timeZone: 'Asia/Tokyo', collection: closed })
  await ask('?at[gte]=today-1d')
  await ask('?at[notEqual]=today')
  // A day of UTC is none of Tokyo.
  await ask('?at[gte]=2024-01-01T00:00:00Z&at[lt]=2024-01-02T00:00:00Z')
  expect(observed.map(({ query, status }) => [query, status])).toEqual([
    ['at[gte]=2024-01-01T15:00:00.000Z', 200],
    [undefined, 200],
    ['at[gte]=2024-01-01T00:00:00.000Z&at[lt]=2024-01-02T00:00:00.000Z', 200],
  ])
  expect(errors).toEqual([])
})
