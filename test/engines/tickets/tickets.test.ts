/** The ticket service: its answers are those of SQL by hand, and its server has no plumbing. */
import { readFileSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { digestOf, type Accounts } from '../../../src/service/index.ts'
import { openapi } from '../../../src/tools/openapi/index.ts'
import { generateTypes, isInstalled } from '../../openapi/tools.ts'
import { complaintsAbout, strictProject } from '../../package/code.ts'
import { openDatabase } from './database.ts'
import { serve, type Principal } from './server.ts'

const principals: Readonly<Record<string, Principal>> = {
  agent: { tenant: 1, role: 'agent', zone: 'Europe/Berlin' },
  reader: { tenant: 1, role: 'reader' },
  other: { tenant: 2, role: 'agent' },
}
let database: PGlite
let service: ReturnType<typeof serve>
beforeAll(async () => {
  database = await openDatabase()
  const digests = new Map<string, Principal>()
  for (const [key, principal] of Object.entries(principals)) digests.set(await digestOf(key), principal)
  const accounts: Accounts<Principal> = {
    byKeyDigest: (keyDigest) => {
      const principal = digests.get(keyDigest)
      return principal && { keyDigest, principal }
    },
    byPassword: () => undefined,
  }
  service = serve(accounts, database)
}, 60_000)
afterAll(() => database.close())

const ask = async (path: string, key = 'agent') => {
  const response = await service(new Request(`http://x/api/tickets${path}`, { headers: { 'X-API-KEY': key } }))
  return { status: response.status, body: (await response.json()) as any }
}
const select = async (sql: string) => (await database.query<any>(sql)).rows
const idsOf = (rows: readonly { readonly id: number }[]) => rows.map(({ id }) => id)

/** The rows that an agent of the tenant 1 may see. */
const mine = 'tenant_id = 1 AND deleted_at IS NULL'
const active = "status IN ('open', 'waiting')"

describe('lists, by SQL by hand', () => {
  test.each([
    ['', `${active}`, 'created_at DESC, id'],
    ['?status=closed', `status = 'closed'`, 'created_at DESC, id'],
    ['?or=(status=closed,priority=3)', `(status = 'closed' OR priority = 3)`, 'created_at DESC, id'],
    ['?priority[gte]=2&sort=priority,-createdAt', `priority >= 2 AND ${active}`, 'priority, created_at DESC, id'],
    ['?sort=-title', active, 'title COLLATE "C" DESC, id DESC'],
    ['?sort=closedAt&status[exists]=true', 'true', 'closed_at NULLS FIRST, id'],
    ['?sort=-closedAt&status[exists]=true', 'true', 'closed_at DESC NULLS LAST, id DESC'],
    // Days of the caller's zone.
    [
      '?createdAt=2024-06-01',
      `${active} AND created_at >= '2024-05-31T22:00Z' AND created_at < '2024-06-01T22:00Z'`,
      'created_at DESC, id',
    ],
    [
      '?createdAt=2024-06-01&timeZone=Asia/Tokyo',
      `${active} AND created_at >= '2024-05-31T15:00Z' AND created_at < '2024-06-01T15:00Z'`,
      'created_at DESC, id',
    ],
    ['?search=fire', `${active} AND (title ILIKE '%fire%' OR description ILIKE '%fire%')`, 'created_at DESC, id'],
    [
      '?search=burns+100%25',
      `${active} AND description ILIKE '%burns%' AND (title LIKE '%100\\%%' OR description LIKE '%100\\%%')`,
      'created_at DESC, id',
    ],
    ['?description[exists]=false', `${active} AND description IS NULL`, 'created_at DESC, id'],
    ['?assigneeId[notEqual]=2', `${active} AND assignee_id IS DISTINCT FROM 2`, 'created_at DESC, id'],
    ['?assignee.name=Ada', `${active} AND assignee_id = 1`, 'created_at DESC, id'],
    ['?assignee.name[equalsIgnoreCase]=ADA', `${active} AND assignee_id IN (1, 4)`, 'created_at DESC, id'],
    ['?assignee[exists]=false', `${active} AND assignee_id IS NULL`, 'created_at DESC, id'],
    ['?project.name=Shop&sort=project.name', `${active} AND project_id = 2`, 'id'],
    [
      '?labels.label.name=bug',
      `${active} AND EXISTS (SELECT 1 FROM ticket_labels WHERE ticket_id = t.id AND label_id = 1)`,
      'created_at DESC, id',
    ],
    [
      '?labels.label.name[all]=bug,urgent',
      `${active} AND EXISTS (SELECT 1 FROM ticket_labels WHERE ticket_id = t.id AND label_id = 1) AND EXISTS (SELECT 1 FROM ticket_labels WHERE ticket_id = t.id AND label_id = 2)`,
      'created_at DESC, id',
    ],
    [
      '?labels.label.name[notEqual]=bug',
      `${active} AND NOT EXISTS (SELECT 1 FROM ticket_labels WHERE ticket_id = t.id AND label_id = 1)`,
      'created_at DESC, id',
    ],
    [
      '?labels[exists]=false',
      `${active} AND NOT EXISTS (SELECT 1 FROM ticket_labels WHERE ticket_id = t.id)`,
      'created_at DESC, id',
    ],
    [
      '?comments.author.name=Bo&comments.body[endsWith]=7',
      `${active} AND EXISTS (SELECT 1 FROM comments WHERE ticket_id = t.id AND author_id = 2 AND body LIKE '%7')`,
      'created_at DESC, id',
    ],
    [
      '?comments[atLeast]=2',
      `${active} AND (SELECT count(*) FROM comments WHERE ticket_id = t.id) >= 2`,
      'created_at DESC, id',
    ],
  ])('%s', async (path, where, order) => {
    const all = idsOf(await select(`SELECT id FROM tickets t WHERE ${mine} AND ${where} ORDER BY ${order}`))
    expect(all.length).toBeGreaterThan(3)
    const page = `${path}${path === '' ? '?' : '&'}limit=20`
    const first = await ask(`${page}&count=true`)
    expect(idsOf(first.body.data)).toEqual(all.slice(0, 20))
    expect(first.body.page.count).toEqual(all.length > 1000 ? { atLeast: 1000 } : all.length)
    if (all.length <= 20) return
    const second = await ask(`${page}&cursor=${first.body.page.next}`)
    expect(idsOf(second.body.data)).toEqual(all.slice(20, 40))
  })

  test('a count has a bound', async () => {
    const [{ count }] = await select(`SELECT count(*)::int FROM tickets WHERE ${mine}`)
    expect(count).toBeGreaterThan(1000)
    expect((await ask('?status[exists]=true&count=true')).body.page.count).toEqual({ atLeast: 1000 })
  })
})

test('facets by status, by assignee with names, and by label', async () => {
  const { body } = await ask('?facets=status,assigneeId,labels.label.name&priority=3')
  const status = await select(
    `SELECT status AS value, count(*)::int FROM tickets WHERE ${mine} AND priority = 3 GROUP BY 1 ORDER BY 2 DESC, status::text COLLATE "C"`,
  )
  expect(body.facets.status).toEqual(status)
  const assignees =
    await select(`SELECT assignee_id AS value, name AS label, count(*)::int FROM tickets t LEFT JOIN users u ON u.id = assignee_id
    WHERE ${mine} AND priority = 3 AND ${active} GROUP BY 1, 2 ORDER BY 3 DESC, 1 NULLS FIRST`)
  expect(body.facets.assigneeId).toEqual(assignees)
  expect(assignees).toHaveLength(5)
  const labels = await select(`SELECT name AS value, count(*)::int FROM tickets t
    LEFT JOIN ticket_labels ON ticket_id = t.id LEFT JOIN labels l ON l.id = label_id
    WHERE ${mine} AND priority = 3 AND ${active} GROUP BY 1 ORDER BY 2 DESC, name COLLATE "C" NULLS FIRST`)
  expect(body.facets['labels.label.name']).toEqual(labels)
})

describe('one row', () => {
  test('has every field that the caller sees', async () => {
    const { status, body } = await ask('/12')
    expect([status, body.data]).toEqual([
      200,
      {
        ...{ id: 12, title: 'Login fails #12', description: null, status: 'open', priority: 0, closedAt: null },
        ...{ createdAt: '2024-05-30T01:24:00.000Z', assigneeId: 2, assignee: { name: 'Bo', email: 'u2@example.org' } },
        ...{ project: { name: 'Website' } },
        labels: [{ label: { name: 'bug' } }, { label: { name: 'urgent' } }],
        comments: [
          {
            body: 'Comment 1073',
            author: { name: 'Cy', email: 'u3@example.org' },
            createdAt: '2024-07-15T17:00:00.000Z',
          },
        ],
      },
    ])
  })
  test('that is closed is read: a key query has no defaults', async () =>
    expect((await ask('/9')).body.data.status).toBe('closed'))
  test.each([
    ['of another tenant', '/12', 'other'],
    ['that is deleted', '/11', 'agent'],
    ['that does not exist', '/15000', 'agent'],
  ])('%s is a 404', async (_, path, key) => expect((await ask(path, key)).status).toBe(404))
})

describe('a reader', () => {
  test.each([
    '?description[exists]=true',
    '?assignee.email=a',
    '?comments.body=a',
    '?fields=description',
    '?tenantId=1',
  ])('%s is a 400', async (query) => expect((await ask(query, 'reader')).status).toBe(400))
  test('gets no hidden field', async () =>
    expect(Object.keys((await ask('/12', 'reader')).body.data)).toEqual([
      'id',
      'title',
      'status',
      'priority',
      'createdAt',
      'closedAt',
      'assigneeId',
      'assignee',
      'project',
      'labels',
    ]))
  test('searches the titles alone', async () => {
    const all = idsOf(await select(`SELECT id FROM tickets WHERE ${mine} AND ${active} AND title ILIKE '%burns%'`))
    expect((await ask('?search=burns', 'reader')).body.data).toEqual(all)
  })
})

test('no caller sees a row of another tenant, or a deleted one', async () => {
  for (const [key, { tenant }] of Object.entries(principals)) {
    let path = '?status[exists]=true&fields=id&limit=100'
    const ids: number[] = []
    for (let cursor = ''; ;) {
      const { body } = await ask(path + cursor, key)
      ids.push(...idsOf(body.data))
      if (body.page.next === undefined) break
      cursor = `&cursor=${body.page.next}`
    }
    const all = await select(
      `SELECT id FROM tickets WHERE tenant_id = ${tenant} AND deleted_at IS NULL ORDER BY created_at DESC, id`,
    )
    expect(ids).toEqual(idsOf(all))
  }
})

test('the server has at most 85 lines', () => {
  const source = readFileSync(join(import.meta.dirname, 'server.ts'), 'utf8')
  expect(
    source.split('\n').filter((line) => line.trim() !== '' && !/^\s*(?:\/\/|\/\*\*|\*)/.test(line)).length,
  ).toBeLessThanOrEqual(85)
})

test.skipIf(!isInstalled)('a generated client compiles, and reads the rows', async () => {
  const folder = join(import.meta.dirname, '.generated')
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const document = {
    ...openapi(service, principals['agent']!, { rows: { tickets: { name: 'Ticket' } } }),
    info: { title: 'Tickets', version: '1.0.0' },
  }
  await writeFile(join(folder, 'openapi.json'), JSON.stringify(document))
  await generateTypes(join(folder, 'openapi.json'), join(folder, 'api.ts'))
  const program = `
    import createClient from 'openapi-fetch'
    import type { paths } from './api.ts'
    export async function read(fetch: (request: Request) => Promise<Response>) {
      const client = createClient<paths>({ baseUrl: 'http://x', fetch, headers: { 'X-API-KEY': 'agent' } })
      const { data } = await client.GET('/api/tickets', { params: { query: { priority: { gte: 2 }, limit: 2 } } })
      const { data: one } = await client.GET('/api/tickets/{id}', { params: { path: { id: 12 } } })
      const names: (string | undefined)[] = data?.data.map(({ assignee }) => assignee?.name) ?? []
      return [names, one?.data.title]
    }`
  await writeFile(join(folder, 'program.ts'), program)
  const options = {
    ...strictProject,
    module: 'preserve',
    lib: ['es2023', 'dom', 'dom.iterable'],
    allowImportingTsExtensions: true,
  }
  expect(await complaintsAbout([join(folder, 'program.ts')], options)).toBe('')
  const { read } = (await import(join(folder, 'program.ts'))) as {
    readonly read: (fetch: (request: Request) => Promise<Response>) => Promise<unknown>
  }
  const names = await select(`SELECT u.name FROM tickets LEFT JOIN users u ON u.id = assignee_id
    WHERE ${mine} AND ${active} AND priority >= 2 ORDER BY created_at DESC, tickets.id LIMIT 2`)
  const expected = names.map(({ name }: { readonly name: string | null }) => name ?? undefined)
  expect(await read((request) => service(request))).toEqual([expected, 'Login fails #12'])
})
