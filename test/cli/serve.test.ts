/** `urlwhere serve`: its lists, its description, its report, and the requests that it refuses. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { text } from 'node:stream/consumers'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isSecret } from '../../src/cli/secrets.ts'
import { newProject, root } from './project.ts'
import { serve, servingBy, type Serving } from './serving.ts'

const hostile = `<img src=x onerror=alert(1)>`
/** A name with the end of a comment, quotes, a line break, an escape of terminals, and a symbol that no constant can have. */
const hostileTable = `m² */ '"\`\n\u001b[2J`
const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

const project = newProject(
  {
    'module.ts': `
      import { defineCollection, defineSchema, field } from 'urlwhere'
      import { table } from 'urlwhere/sql'
      const schema = defineSchema({ id: field.integer({ required: true }), name: field.string(), token: field.string() })
      export const artists = defineCollection(schema, { key: 'id', sort: ['name'] })
      export const artistsTable = table('artists', { schema, key: 'id' })`,
    'keys.ts': `
      import { defineCollection, defineSchema, field } from 'urlwhere'
      import { table } from 'urlwhere/sql'
      const schema = defineSchema({ token: field.string({ required: true }), at: field.integer() })
      export const sessions = defineCollection(schema, { key: 'token' })
      export const sessionsTable = table('sessions', { schema, key: 'token' })`,
    'other.ts': `
      import { defineCollection, defineSchema, field } from 'urlwhere'
      import { table } from 'urlwhere/sql'
      const schema = defineSchema({ id: field.integer({ required: true }), name: field.string() })
      export const artists = defineCollection(schema, { key: 'id' })
      export const artistsTable = table('artists', { schema, key: 'id' })`,
    'wrong.ts': `
      import { defineCollection, defineSchema, field } from 'urlwhere'
      import { column, table } from 'urlwhere/sql'
      const schema = defineSchema({ id: field.integer({ required: true }), name: field.string() })
      export const artists = defineCollection(schema, { key: 'id' })
      const columns = { name: column('name', { type: 'latin1' }) }
      export const artistsTable = table('artists', { schema, key: 'id', columns })`,
    'table.ts': `import { table } from 'urlwhere/sql'; export const artists = table('artists', { key: 'id' })`,
    'pglite.ts': `
      import { PGlite } from '@electric-sql/pglite'
      const database = await PGlite.create()
      await database.exec(\`CREATE TABLE orders (id bigint PRIMARY KEY, status text NOT NULL, "limit" int, secret text);
        INSERT INTO orders VALUES (1, 'paid', 5, 'x'), (2, 'new', null, 'y')\`)
      export default async (text: string, parameters: any[]) => (await database.query(text, parameters)).rows`,
  },
  ['@duckdb/node-api', '@electric-sql/pglite'],
)
const fileOf = (name: string, ddl: string) => {
  const database = new DatabaseSync(join(project.folder, name))
  database.exec(ddl)
  database.close()
}

beforeAll(() => {
  fileOf(
    'app.db',
    `CREATE TABLE artists (id INTEGER NOT NULL PRIMARY KEY, name TEXT NOT NULL, token TEXT);
    CREATE TABLE albums (id INTEGER NOT NULL PRIMARY KEY, artist_id INTEGER NOT NULL REFERENCES artists (id), title TEXT);
    CREATE INDEX albums_artist ON albums (artist_id);
    CREATE TABLE sessions (token TEXT NOT NULL PRIMARY KEY, at INTEGER);
    CREATE TABLE "pl\u001b[2Jain" (a INTEGER);
    CREATE VIEW titles AS SELECT title FROM albums;
    CREATE TABLE ${quoted(hostileTable)} (id INTEGER NOT NULL PRIMARY KEY, ${quoted(hostile)} TEXT, "limit" INTEGER, x_y TEXT, xY TEXT);
    CREATE TABLE albums_table (id INTEGER NOT NULL PRIMARY KEY);
    INSERT INTO artists VALUES (1, 'AC/DC', 't-1'), (2, 'Accept', 't-2');
    INSERT INTO albums VALUES (1, 1, 'For Those About To Rock'), (2, 2, 'Balls to the Wall'), (3, 2, 'Restless and Wild');
    INSERT INTO ${quoted(hostileTable)} VALUES (1, '${hostile}', 7, 'a', 'b')`,
  )
  fileOf(
    'long.db',
    `CREATE TABLE genres (id INTEGER NOT NULL PRIMARY KEY, name TEXT);
    CREATE TABLE songs (id INTEGER NOT NULL PRIMARY KEY, genre_id INTEGER REFERENCES genres, mood TEXT, name TEXT);
    CREATE INDEX songs_genre ON songs (genre_id);
    INSERT INTO genres VALUES (1, 'Rock');
    INSERT INTO songs WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30)
      SELECT i, 1, CASE WHEN i < 9 THEN 'calm' ELSE 'loud' END, 'Song ' || i FROM n`,
  )
  fileOf('none.db', 'CREATE TABLE plain (a INTEGER)')
  fileOf('empty.db', '')
})
afterAll(() => project.remove())

/** Sends a request with headers that `fetch` does not send. */
async function ask(address: string, options: { method?: string; headers?: Record<string, string>; path?: string }) {
  const { port } = new URL(address)
  const sent = request({ host: '127.0.0.1', port, path: '/api/artists', ...options }).end()
  const [response] = (await once(sent, 'response')) as [import('node:http').IncomingMessage]
  return { status: response.statusCode, headers: response.headers, body: await text(response) }
}
const read = async <T>(url: string, init?: RequestInit): Promise<T> => (await fetch(url, init)).json() as Promise<T>
interface Page {
  readonly data: readonly Readonly<Record<string, unknown>>[]
  readonly page: { readonly next?: string; readonly count?: number }
  readonly facets?: Readonly<Record<string, unknown>>
}

describe('a file of SQLite', () => {
  let serving: Serving
  beforeAll(async () => {
    serving = await serve(project, ['app.db'])
  })
  afterAll(async () => {
    expect(await serving.stop()).toMatchObject({ code: 0, stderr: '' })
  })

  test('prints the lists, the omitted tables and the lack of authentication', () => {
    expect(serving.report.replace(/SQLite [\d.]+/, 'SQLite VERSION')).toBe(`SQLite VERSION, main: 4 lists, read-only
  /api/albums
  /api/albumsTable2
  /api/artists
  /api/m2JRows
Not served, because there is no key: pl\\u001b[2Jain, titles
Not served, because the key is hidden: sessions
Hidden, because of their names: artists.token, sessions.token. --show adds one
This server has no authentication. It accepts connections from this machine only.
`)
  })

  test('answers a query with rows, a count and facets', async () => {
    const page = await read<Page>(`${serving.address}api/artists?name[startsWith]=acc&count=true`)
    expect(page).toEqual({
      data: [
        {
          id: 2,
          name: 'Accept',
          albums: [
            { id: 2, artistId: 2, title: 'Balls to the Wall' },
            { id: 3, artistId: 2, title: 'Restless and Wild' },
          ],
        },
      ],
      page: { count: 1 },
    })
    const albums = await read<Page>(`${serving.address}api/albums?facets=artist.name&limit=1`)
    expect(albums.facets).toEqual({
      'artist.name': [
        { value: 'Accept', count: 2 },
        { value: 'AC/DC', count: 1 },
      ],
    })
    const next = await read<Page>(`${serving.address}api/albums?limit=1&cursor=${albums.page.next}`)
    expect(next.data.map(({ id }) => id)).toEqual([2])
    const found = await read<Page>(`${serving.address}api/albums`, {
      method: 'QUERY',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'or=(title[contains]=rock,id=3)&search=e',
    })
    expect(found.data.map(({ id }) => id)).toEqual([1, 3])
  })

  test('answers HEAD without content, and refuses other methods', async () => {
    expect(await ask(serving.address, { method: 'HEAD' })).toMatchObject({ status: 200, body: '' })
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
      const { status, headers } = await ask(serving.address, { method })
      expect([status, headers.allow]).toEqual([405, 'GET, HEAD, QUERY'])
    }
  })

  test.each(['evil.example', 'evil.example:4000', '127.0.0.1.evil.example', 'localhost.', '[::1]'])(
    'refuses a request to the host %j',
    async (host) => {
      const { status, body } = await ask(serving.address, { headers: { host } })
      expect([status, body]).toEqual([421, 'this server is 127.0.0.1 and localhost only\n'])
    },
  )

  test('answers a request to localhost, and no other page may read or frame the answer', async () => {
    const { status, headers } = await ask(serving.address, { headers: { host: 'localhost:80' } })
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'cross-origin-resource-policy': 'same-origin',
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("default-src 'self'"),
    })
    expect(headers).not.toHaveProperty('access-control-allow-origin')
  })

  test.each([
    ['cross-site', '/api/artists', 403],
    ['same-site', '/openapi.json', 403],
    ['cross-site', '/', 200],
    ['same-origin', '/api/artists', 200],
    ['none', '/api/artists', 200],
  ])('a browser asks from a page that is %s for %s: %i', async (site, path, status) => {
    expect((await ask(serving.address, { path, headers: { 'sec-fetch-site': site } })).status).toBe(status)
  })

  test('hides the columns whose names suggest a secret', async () => {
    const answers = ['api/artists', 'api/albums', 'openapi.json', 'api/artists?token=t-1', 'api/artists?fields=token']
    const texts = await Promise.all(answers.map(async (path) => (await fetch(serving.address + path)).text()))
    expect(texts.map((one) => /t-1"|"t-2/.test(one))).toEqual(answers.map(() => false))
    expect(texts[2]).not.toContain('token')
    expect(JSON.parse(texts[3]!)).toMatchObject({ status: 400, issues: [{ code: 'field_unknown' }] })
    expect(JSON.parse(texts[4]!)).toMatchObject({ status: 400 })
  })

  test('serves tables and columns with names that are no names in JavaScript', async () => {
    const { data } = await read<Page>(`${serving.address}api/m2JRows`)
    expect(data).toEqual([{ id: 1, imgSrcXOnerrorAlert1: hostile, limit: 7, xY: 'a' }])
    const limited = await read<Page>(`${serving.address}api/m2JRows?limit=7&_limit=5`)
    expect(limited.data).toHaveLength(1)
    expect(await read<Page>(`${serving.address}api/albumsTable2`)).toEqual({ data: [], page: {} })
  })

  test('describes the lists', async () => {
    const document = await read<{ openapi: string; paths: object }>(`${serving.address}openapi.json`)
    expect(document.openapi).toBe('3.1.1')
    const lists = ['/api/albums', '/api/albumsTable2', '/api/artists', '/api/m2JRows']
    expect(Object.keys(document.paths)).toEqual(lists.flatMap((path) => [path, `${path}/{id}`]))
    expect(await read(`${serving.address}api/artists/1`)).toMatchObject({ data: { id: 1 } })
    const { status, headers } = await ask(serving.address, { method: 'QUERY', path: '/openapi.json' })
    expect([status, headers.allow]).toEqual([405, 'GET, HEAD'])
    expect(await ask(serving.address, { path: '/api/nothing' })).toMatchObject({ status: 404 })
    expect(await ask(serving.address, { path: '//evil.example/' })).toMatchObject({ status: 404 })
  })

  test('reads rows that another program has written', async () => {
    const before = await read<Page>(`${serving.address}api/artists?count=true`)
    fileOf('app.db', `INSERT INTO artists VALUES (9, 'New', 'n')`)
    const after = await read<Page>(`${serving.address}api/artists?count=true`)
    fileOf('app.db', 'DELETE FROM artists WHERE id = 9')
    expect(after.page.count).toBe(before.page.count! + 1)
  })
})

test('--show adds a hidden column, also one of a key', async () => {
  const serving = await serve(project, ['app.db', '--show', 'artists.token', '--show', 'sessions.token'])
  expect(serving.report).not.toMatch(/[Hh]idden/)
  const { data } = await read<Page>(`${serving.address}api/artists?token=t-1`)
  expect(data).toMatchObject([{ id: 1, token: 't-1' }])
  await serving.stop()
})

describe('a long list', () => {
  const note = 'Not in rows, because they can be long: genres.songs. --with adds one\n'
  const songsOf = async (args: readonly string[]) => {
    const serving = await serve(project, ['long.db', ...args])
    const [genre] = (await read<Page>(`${serving.address}api/genres`)).data
    const { facets } = await read<Page>(`${serving.address}api/songs?facets=mood,genre.name&id=1`)
    await serving.stop()
    return [serving.report.includes(note), (genre!.songs as unknown[] | undefined)?.length, facets]
  }
  const facets = { mood: [{ value: 'calm', count: 1 }], 'genre.name': [{ value: 'Rock', count: 1 }] }
  test('is not in rows', async () => expect(await songsOf([])).toEqual([true, undefined, facets]))
  test('is in rows by --with', async () => {
    expect(await songsOf(['--with', 'genres.songs'])).toEqual([false, 30, facets])
  })
})

test('a large table has bounded counts and facets', async () => {
  fileOf(
    'large.db',
    `CREATE TABLE notes (id INTEGER NOT NULL PRIMARY KEY, mood TEXT);
    CREATE INDEX moods ON notes (mood);
    INSERT INTO notes VALUES (1, 'calm'), (2, 'calm'), (3, 'wild'), (4, 'wild');
    ANALYZE;
    UPDATE sqlite_stat1 SET stat = '2000000 1000000'`,
  )
  const serving = await serve(project, ['large.db'])
  const { components } = await read<any>(`${serving.address}openapi.json`)
  const bounds = [{ maximum: 100_000 }, { required: ['atLeast'] }]
  expect(components.schemas).toMatchObject({
    NotesPage: {
      properties: {
        page: { properties: { count: { anyOf: bounds } } },
        facets: { properties: { mood: { items: { properties: { count: { anyOf: bounds } } } } } },
      },
    },
  })
  expect((await read<Page>(`${serving.address}api/notes?facets=mood`)).facets).toEqual({
    mood: [
      { value: 'calm', count: 2 },
      { value: 'wild', count: 2 },
    ],
  })
  await serving.stop()
})

test('--include chooses tables', async () => {
  const serving = await serve(project, ['app.db', '--include', 'a*'])
  expect(serving.report).toContain(': 3 lists,')
  await serving.stop()
})

test('serves a database of 150 tables that refer to each other', async () => {
  const columns = Array.from({ length: 18 }, (_, at) => `c${at} TEXT`).join()
  const tableOf = (at: number) =>
    `CREATE TABLE t${at} (id INTEGER NOT NULL PRIMARY KEY, ${columns}, next INTEGER REFERENCES t${(at + 1) % 150});
    CREATE INDEX i${at} ON t${at} (next);`
  fileOf('many.db', `BEGIN; ${Array.from({ length: 150 }, (_, at) => tableOf(at)).join('')} COMMIT`)
  const serving = await serve(project, ['many.db'])
  expect(await read(`${serving.address}api/t149`)).toEqual({ data: [], page: {} })
  await serving.stop()
})

test.each(['SIGINT', 'SIGTERM'] as const)('%s ends the command with exit code 0', async (signal) => {
  const serving = await serve(project, [], { DATABASE_URL: 'file:./app.db' })
  const open = fetch(`${serving.address}api/artists`)
  await open
  expect(await serving.stop(signal)).toMatchObject({ code: 0, stderr: '' })
})

test('a module has its own collections, without their hidden columns', async () => {
  const serving = await serve(project, ['module.ts', '--url', 'app.db'])
  expect(serving.report).toBe(`module.ts: 1 list, read-only
  /api/artists
Hidden, because of their names: artists.token. --show adds one
This server has no authentication. It accepts connections from this machine only.
`)
  expect(await read<Page>(`${serving.address}api/artists?sort=-name&limit=1`)).toMatchObject({
    data: [{ id: 2, name: 'Accept' }],
  })
  expect(await (await fetch(`${serving.address}api/artists?count=true`)).text()).toContain('parameter')
  await serving.stop()
})

test('two modules', async () => {
  const serving = await serve(project, ['module.ts', 'other.ts', '--url', 'app.db'])
  expect(serving.report).toMatch(/^module\.ts, other\.ts: 2 lists, read-only\n  \/api\/artists\n  \/api\/artists2\n/)
  await serving.stop()
})

test('DuckDB', async () => {
  const instance = await DuckDBInstance.create(join(project.folder, 'app.duckdb'))
  const connection = await instance.connect()
  await connection.run(`CREATE TABLE orders (id INTEGER PRIMARY KEY, name VARCHAR, gift BOOLEAN)`)
  await connection.run(`INSERT INTO orders VALUES (1, 'Ada', true), (2, 'Bob', NULL)`)
  connection.closeSync()
  instance.closeSync()
  const serving = await serve(project, ['app.duckdb'])
  const asked = ['name[in]=Ada,Bob&count=true&facets=gift', 'search=ad', 'gift=true'].map((query) =>
    read<Page>(`${serving.address}api/orders?${query}`),
  )
  const [all, ...some] = await Promise.all(asked)
  expect(all).toMatchObject({ page: { count: 2 }, facets: { gift: [{ value: null }, { value: true }] } })
  expect(some.map(({ data }) => data)).toEqual([
    [{ id: 1, name: 'Ada', gift: true }],
    [{ id: 1, name: 'Ada', gift: true }],
  ])
  expect(await serving.stop('SIGINT')).toMatchObject({ code: 0, stderr: '' })
})

test('PGlite by --driver', async () => {
  const serving = await serve(project, ['--driver', 'pglite.ts', '--dialect', 'postgres'])
  const { data, page } = await read<Page>(`${serving.address}api/orders?status=paid&_limit=5&count=true`)
  expect([data, page.count]).toEqual([[{ id: '1', status: 'paid', limit: 5 }], 1])
  await serving.stop()
})

test('npm start of a clone serves a file of the folder of the caller', async () => {
  const args = ['--prefix', root, 'start', '--silent', '--', 'app.db', '--port', '0']
  const serving = await servingBy(spawn('npm', args, { cwd: project.folder }))
  expect(await read<Page>(`${serving.address}api/artists?id=1`)).toMatchObject({ data: [{ name: 'AC/DC' }] })
  expect((await serving.stop('SIGINT')).code).toBe(0)
})

describe('without a server', () => {
  test.each<readonly [string, readonly string[], number, string | RegExp]>([
    [
      'a module with a table to include',
      ['module.ts', '--url', 'app.db', '--include', 'a*'],
      2,
      'a module has its lists: leave out --include, --schema and --with',
    ],
    ['a mapping that the dialect refuses', ['wrong.ts', '--url', 'app.db'], 2, /^wrong\.ts: .*latin1/],
    ['a database without tables', ['empty.db'], 3, 'empty.db is not a database of SQLite or DuckDB'],
    ['tables without keys', ['none.db'], 2, /^SQLite [\d.]+, main: there is no table with a key to serve$/],
    [
      'a module without a collection',
      ['table.ts', '--url', 'app.db'],
      2,
      'table.ts exports no table and collection with the same schema',
    ],
    ['a module with a hidden key', ['keys.ts', '--url', 'app.db'], 2, 'keys.ts: there is no table with a key to serve'],
    [
      'a module without a database',
      ['module.ts'],
      2,
      'no database: write --url URL or --url FILE, or set DATABASE_URL',
    ],
    [
      'an unknown column to show',
      ['app.db', '--show', 'artists.name'],
      2,
      '--show contains artists.name, which is not hidden: hidden columns: artists.token, sessions.token',
    ],
    [
      'an unknown list',
      ['app.db', '--with', 'artists.songs'],
      2,
      '--with contains artists.songs: the lists of these tables are artists.albums',
    ],
    ['a port that is too large', ['app.db', '--port', '65536'], 2, '--port takes a number up to 65535, not 65536'],
    ['two databases', ['app.db', 'none.db'], 2, 'serve takes one database: a FILE or --url'],
  ])('%s', async (_, args, code, stderr) => {
    const result = await project.urlwhere(['serve', ...args])
    expect([result.code, result.stdout]).toEqual([code, ''])
    const sentence = result.stderr.replace(/^urlwhere: /, '').trimEnd()
    if (typeof stderr === 'string') expect(sentence).toBe(stderr)
    else expect(sentence).toMatch(stderr)
  })

  test('a port that is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    const { code, stderr } = await project.urlwhere(['serve', 'app.db', '--port', String(port)])
    other.close()
    expect([code, stderr]).toEqual([2, `urlwhere: port ${port} is taken. Choose another with --port\n`])
  })
})

test('names that suggest a secret', () => {
  const secret =
    'password PasswordHash user_pass userPassword userpassword api_key apiKey APIKey apikey accesstoken access_token refreshToken ' +
    'token_hash salt client_secret privateKey session_key pin_code otp csrf-token password2 JWT clientsecret privatekey secretkeys'
  const open =
    'tokenizer secretary keyboard monkey saltwater pinned name passenger hashtag compass keyboard api key primary_key public_key status passed author pinned salty id'
  expect(secret.split(' ').filter((name) => !isSecret(name))).toEqual([])
  expect(open.split(' ').filter(isSecret)).toEqual([])
})
