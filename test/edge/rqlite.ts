/**
 * rqlite over several nodes: writes and reads go to each node in turn, as behind a load balancer. RQLITE_URL has the addresses of the
 * nodes, separated by spaces: `.ci/rqlite` starts three.
 *
 * @see https://rqlite.io/docs/api/api/
 */
import { sqlite } from '../../src/backends/sql/index.ts'
import type { Engine } from '../engines/sql/engines.ts'
import { engineOf } from './engines.ts'

// --- Statements: docs/guides/sqlite.md has this code

/** rqlite reads a text that begins and ends like x'41' as a BLOB. Go also trims U+0085, which `\s` leaves out. */
const isLikeBlob = (value: unknown): value is string => typeof value === 'string' && /^[\s\u0085]*x'/i.test(value)

/** An array of bytes is a BLOB. A number with an exponent is a double, and other digits are an integer of 64 bits. */
const jsonOf = (value: unknown): string =>
  typeof value === 'number' && !Number.isSafeInteger(value)
    ? value.toExponential()
    : JSON.stringify(isLikeBlob(value) ? Array.from(new TextEncoder().encode(value)) : value)

interface Statement {
  readonly strings: readonly string[]
  readonly parameters: readonly unknown[]
}
/** Writes a statement for the body of a request to rqlite. */
export function statementOf({ strings, parameters }: Statement): string {
  const text = strings.reduce(
    (text, next, at) => text + (isLikeBlob(parameters[at - 1]) ? 'CAST(? AS TEXT)' : '?') + next,
  )
  return `[${[JSON.stringify(text), ...parameters.map(jsonOf)].join()}]`
}

// --- Requests

type Rows = Record<string, unknown>[]
interface Result {
  readonly rows?: Rows
  readonly error?: string
}

/** Sends statements to a node. @throws Error for a statement that fails: a failed write undoes the others of its request. */
export async function send(node: string, path: string, statements: readonly string[]): Promise<readonly Result[]> {
  const response = await fetch(`${node}/db/${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: `[${statements.join()}]`,
  })
  const answer = await response.text()
  if (!response.ok) throw new Error(answer)
  const { results } = JSON.parse(answer) as { results: readonly Result[] }
  const error = results.find((result) => result.error !== undefined)?.error
  if (error !== undefined) throw new Error(error)
  return results
}
export const write = (node: string, statements: readonly string[]) => send(node, 'execute?transaction', statements)
export const read = async (node: string, level: 'weak' | 'none', statement: string): Promise<Rows> =>
  (await send(node, `query?level=${level}&associative`, [statement]))[0]!.rows!

/** The pieces of a text around its placeholders. The tests have a `?` in quotes only in statements without parameters. */
const piecesOf = (text: string, parameters: readonly unknown[]) => ({
  strings: parameters.length === 0 ? [text] : text.split('?'),
  parameters,
})

/** Sends writes together before the next SELECT, because a request costs more time than a statement. */
export function openRqlite(urls: string): Engine {
  const nodes = urls.split(' ')
  let turn = 0
  const next = () => nodes[turn++ % nodes.length]!
  let changes: string[] = []
  const flush = async () => {
    const statements = changes
    changes = []
    if (statements.length > 0) await write(next(), statements)
  }
  return engineOf(
    'rqlite',
    sqlite,
    async (text, parameters) => {
      const statement = statementOf(piecesOf(text, parameters))
      if (!text.startsWith('SELECT')) {
        changes.push(statement)
        return []
      }
      await flush()
      return read(next(), 'weak', statement)
    },
    flush,
    { weight: 4 },
  )
}
