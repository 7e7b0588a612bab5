/** The statements of README.md on PGlite: they are those that the library writes, and README.md has what they answer. */
import { strict as assert } from 'node:assert'
import { readFileSync } from 'node:fs'
import { PGlite } from '@electric-sql/pglite'
import type { SqlPiece } from '../../src/backends/sql/index.ts'

interface Readme {
  readonly find: (client: PGlite) => Promise<object>
  readonly statement: SqlPiece
  readonly answerOf: (
    query: string,
  ) => SqlPiece & { readonly page: (rows: readonly object[]) => { readonly rows: object[] } }
}

const inOneLine = (text: string) => text.replace(/\s+/g, ' ').replaceAll('( ', '(').replaceAll(' )', ')').trim()

/** Called by the program of README.md, whose functions these are. PGlite has the `query` of pg. */
export async function check({ find, statement, answerOf }: Readme): Promise<void> {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
  const [first, second] = Array.from(readme.matchAll(/```sql\n([^]*?)```/g), ([, sql]) => sql!)
  const [, query] = /^GET \/api\/orders\?(.*)$/m.exec(readme)!
  const [, answer] = /```json\n([^]*?)```/.exec(readme)!
  const client = await PGlite.create()
  await client.exec(`
    CREATE TABLE orders (id bigint PRIMARY KEY, seller text NOT NULL, customer_name text, total numeric NOT NULL);
    CREATE TABLE order_items (id int PRIMARY KEY, order_id bigint, arrival date, product text);
    INSERT INTO orders VALUES (1, 's-1', 'Jo', 120.5), (2, 's-1', 'Jörg', 12), (3, 's-2', NULL, 300);
    INSERT INTO order_items VALUES (1, 1, '2024-01-02', 'surf lesson'), (2, 2, '2023-12-31', NULL)`)
  const items = [{ arrival: '2024-01-02', product: 'surf lesson' }]
  assert.deepEqual(await find(client), { rows: [{ id: 1, customerName: 'Jo', items }] })
  assert.equal(inOneLine(second!), inOneLine(statement.text))

  const asked = answerOf(query!)
  assert.equal(inOneLine(first!), inOneLine(asked.text))
  assert.equal(asked.parameters.at(-1), 2)
  const { rows: data, ...page } = asked.page((await client.query<object>(asked.text, [...asked.parameters])).rows)
  assert.deepEqual({ data, page }, JSON.parse(answer!))
  await client.close()
}
