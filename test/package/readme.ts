/** The service of README.md on SQLite, and its statement on PGlite: README.md has what they answer, and the text of the statement. */
import { strict as assert } from 'node:assert'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { PGlite } from '@electric-sql/pglite'
import type { SqlPiece } from '../../src/backends/sql/index.ts'

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
const inOneLine = (text: string) => text.replace(/\s+/g, ' ').replaceAll('( ', '(').replaceAll(' )', ')').trim()

/** Makes the file that the program opens, in a folder of its own, which becomes the current one. */
export function makeShop(): void {
  process.chdir(mkdtempSync(join(tmpdir(), 'urlwhere-readme-')))
  const file = new DatabaseSync('shop.db')
  file.exec(`
    CREATE TABLE orders (id INTEGER PRIMARY KEY, seller TEXT, total REAL) STRICT;
    INSERT INTO orders VALUES (1, 's-1', 120.5), (2, 's-1', 12), (3, 's-2', 300), (4, 's-1', 9)`)
  file.close()
}

/** The answer to the request of README.md, with the text of its cursor left out. */
export async function checkService(service: (request: Request) => Promise<Response>): Promise<void> {
  const [, path] = /^GET (.*)$/m.exec(readme)!
  const [, answer] = /```json\n([^]*?)```/.exec(readme)!
  const headers = { authorization: 'Bearer token-1' }
  const response = await service(new Request(`http://localhost${path}`, { headers }))
  const body = (await response.json()) as { page: { next: string } }
  assert.match(body.page.next, /^\w+$/)
  assert.deepEqual({ ...body, page: { ...body.page, next: '…' } }, JSON.parse(answer!))
}

export async function checkStatement(
  statement: SqlPiece & { readonly page: (rows: readonly object[]) => { readonly rows: readonly object[] } },
): Promise<void> {
  const [, text] = /```sql\n([^]*?)```/.exec(readme)!
  assert.equal(inOneLine(text!), inOneLine(statement.text))
  const client = await PGlite.create()
  await client.exec(`
    CREATE TABLE trips (id bigint PRIMARY KEY, day date);
    CREATE TABLE trip_guests (id int PRIMARY KEY, trip_id bigint, name text);
    INSERT INTO trips VALUES (1, '2024-01-02'), (2, '2024-01-03');
    INSERT INTO trip_guests VALUES (1, 1, 'Ada'), (2, 1, 'Jo'), (3, 2, 'Ann')`)
  const { rows } = await client.query<object>(statement.text, [...statement.parameters])
  assert.deepEqual(statement.page(rows).rows, [{ id: 1, day: '2024-01-02' }])
  await client.close()
}
