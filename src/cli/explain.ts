/** `urlwhere explain`: prints the sentence, the statement and the plan of a query. */
import type { SqlPiece } from '../backends/sql/index.ts'
import type { Database } from '../tools/inspect/index.ts'
import type { Command } from './arguments.ts'
import { connected, type Connection } from './connect.ts'
import { attempt, Failure } from './failure.ts'
import { dialectOf, library } from './library.ts'
import { pairsOf, type Pair } from './modules.ts'

/** The prefix that makes a statement return its plan, and the column of the plan's lines. */
const plans: Readonly<Record<Database['engine'], readonly [statement: string, column: string]>> = {
  postgres: ['EXPLAIN', 'QUERY PLAN'],
  mysql: ['EXPLAIN FORMAT=TREE', 'EXPLAIN'],
  mariadb: ['EXPLAIN FORMAT=JSON', 'EXPLAIN'],
  sqlite: ['EXPLAIN QUERY PLAN', 'detail'],
  duckdb: ['EXPLAIN', 'explain_value'],
}

async function planOf({ run, dialect: { engine } }: Connection, { text, parameters }: SqlPiece): Promise<string> {
  const [statement, column] = plans[engine!]
  const rows = (await run(`${statement} ${text}`, [...parameters])) as readonly Readonly<Record<string, unknown>>[]
  return rows.map((row) => `${String(row[column])}\n`).join('')
}

type Explained = Pair & { readonly collection: NonNullable<Pair['collection']> }

async function pairIn(file: string, name: string | undefined): Promise<Explained> {
  const pairs = (await pairsOf([file])).filter((pair): pair is Explained => pair.collection !== undefined)
  const chosen = pairs.filter(({ names }) => name === undefined || names.table === name || names.collection === name)
  if (chosen.length === 1) return chosen[0]!
  const names = pairs.map(({ names: { collection } }) => collection)
  if (pairs.length === 0) throw new Failure(2, `${file} exports no table and collection with the same schema`)
  throw new Failure(2, `explain needs one table. Choose it by --table: ${names.join(', ')}`)
}

export const explainCommand: Command = {
  takes: "MODULE 'QUERY'",
  summary: 'Print the sentence and the SQL of a query.',
  about: [
    'With --url or --driver, explain also prints the plan of the database.',
    'Without them, it asks no database, and the dialect is postgres.',
  ],
  options: ['table', 'dialect', 'url', 'driver'],
  run: async ({ values, positionals }) => {
    const [file, text, ...more] = positionals
    if (file === undefined || text === undefined || more.length > 0) {
      throw new Failure(2, 'explain takes a module and a query')
    }
    const { table, collection } = await pairIn(file, values.table)
    const [{ parseQuery, formatIssue }, { sqlBackend }, { describe }] = await Promise.all([
      library('.'),
      library('./sql'),
      library('./explain'),
    ])
    const result = parseQuery(collection, text)
    if (!result.ok) {
      process.stdout.write(result.issues.map((issue) => `${formatIssue(text, issue)}\n`).join('\n'))
      return 1
    }
    const print = async (dialect: Connection['dialect'], connection?: Connection): Promise<0> => {
      const piece = await attempt(2, file, () => sqlBackend({ dialect, table }).select(result.query))
      const parameters = piece.parameters.map((value, at) => `-- ${at + 1}: ${JSON.stringify(value)}\n`).join('')
      const plan = connection === undefined ? '' : `\n${await planOf(connection, piece)}`
      process.stdout.write(`${describe(result.query.filter)}\n\n${piece.text}\n${parameters}${plan}`)
      return 0
    }
    if ((values.url ?? values.driver) === undefined) return print(await dialectOf(values.dialect ?? 'postgres'))
    return connected(values, (connection) => print(connection.dialect, connection))
  },
}
