/** The Worker of docs/guides/d1.md, as it is written there, on workerd with D1. */
import { build } from 'esbuild'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { isInstalled, startWorker, type Worker } from './engines.ts'

const root = join(import.meta.dirname, '../..')

async function bundle(): Promise<string> {
  const page = await readFile(join(root, 'docs/guides/d1.md'), 'utf8')
  const [, contents] = /<!-- file: worker\.ts -->\n\n```typescript\n([^]*?)^```$/m.exec(page)!
  const { outputFiles } = await build({
    stdin: { contents: contents!, resolveDir: root, loader: 'ts' },
    ...{ bundle: true, format: 'esm', write: false, conditions: ['worker'] },
    external: ['cloudflare:workers'],
    alias: {
      urlwhere: join(root, 'src/index.ts'),
      'urlwhere/drizzle': join(root, 'src/tools/drizzle/index.ts'),
      'urlwhere/http': join(root, 'src/service/index.ts'),
      'urlwhere/sql': join(root, 'src/backends/sql/index.ts'),
    },
  })
  return outputFiles[0]!.text
}

const rows = [
  'CREATE TABLE customers (id INTEGER PRIMARY KEY, full_name TEXT NOT NULL) STRICT',
  `CREATE TABLE orders (id INTEGER PRIMARY KEY, seller TEXT NOT NULL, customer_id INTEGER REFERENCES customers,
    status TEXT NOT NULL, total REAL NOT NULL) STRICT`,
  `INSERT INTO customers VALUES (1, 'Joan'), (2, 'ada')`,
  `INSERT INTO orders VALUES (1, 's-1', 1, 'paid', 20.5), (2, 's-1', 2, 'paid', 80), (3, 's-1', NULL, 'new', 5),
    (4, 's-2', 1, 'paid', 90), (5, 's-1', 1, 'paid', 40)`,
]

describe.runIf(isInstalled)('the Worker with D1', async () => {
  const worker: Worker | undefined = isInstalled ? await startWorker(await bundle()) : undefined
  afterAll(() => worker?.dispose())
  const database = await worker?.getD1Database('DB')
  await database?.batch(rows.map((text) => database.prepare(text)))
  const ask = async (query: string, token = 'Bearer token-1') => {
    const response = await worker!.dispatchFetch(`http://localhost/v1/orders${query}`, {
      headers: { Authorization: token },
    })
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
  interface Page {
    readonly data: readonly { readonly id: number }[]
    readonly page: { readonly next?: string }
  }
  const idsOf = async (query: string) => {
    const { status, body } = await ask(`?${query}`)
    expect(status).toBe(200)
    return (body as unknown as Page).data.map(({ id }) => id)
  }

  test('reads pages of what the caller may see', async () => {
    expect(await idsOf('sort=total')).toEqual([3, 1, 5, 2])
    expect(await idsOf('customer.name[startsWith]=jo')).toEqual([1, 5])
    const { body } = await ask('?status=paid&sort=-total&limit=2')
    const { data, page } = body as unknown as Page
    expect(data).toEqual([
      { id: 2, status: 'paid', total: 80, customer: { name: 'ada' } },
      { id: 5, status: 'paid', total: 40, customer: { name: 'Joan' } },
    ])
    expect(await idsOf(`status=paid&sort=-total&limit=2&cursor=${page.next!}`)).toEqual([1])
    expect((await ask('', 'Bearer token-2')).status).toBe(401)
    expect(await ask('/5')).toMatchObject({ status: 200, body: { data: { id: 5, customer: { name: 'Joan' } } } })
    expect((await ask('/4')).status).toBe(404)
  })

  test('answers a wrong query, and one that is too large for D1', async () => {
    const issues = [{ code: 'operand_invalid', path: 'total' }]
    expect(await ask('?total[gte]=many')).toMatchObject({ status: 400, body: { issues } })
    // The restriction and LIMIT have a parameter each.
    // An OR of equalities would be one list of values.
    const group = (count: number) =>
      `or=(${Array.from({ length: count }, (_, at) => `not(total[notEqual]=${at})`).join()})`
    expect(await idsOf(group(98))).toEqual([2, 3, 5])
    const message = expect.stringMatching(/d1 takes.* 100 at most/) as string
    expect(await ask(`?${group(99)}`)).toMatchObject({ status: 400, body: { issues: [{ message }] } })
  })
})
