/** `urlwhere advise`: prints the indexes that the queries of modules lack, as SQL. */
import type { Advice, Database } from '../tools/inspect/index.ts'
import type { Arguments, Command } from './arguments.ts'
import { descriptionIn, mappedOf, placeOf } from './check.ts'
import { connected } from './connect.ts'
import { attempt, Failure } from './failure.ts'
import { checkReadable, describe } from './inspect.ts'
import { dialectOf, library } from './library.ts'
import { pairsOf, type Pair } from './modules.ts'
import { plural } from './print-findings.ts'

/** Writes a line of a comment. A name in a database can contain a line end, or a control character of a terminal. */
const comment = (text: string): string =>
  `-- ${text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (one) => `\\u{${one.codePointAt(0)!.toString(16)}}`)}`

function linesOf({ serves, statement, never, reads }: Advice): string {
  const parts = serves.join('; ')
  if (statement === undefined) return comment(`never: ${parts}: ${never}`)
  const cost = reads === undefined ? '' : `: a page reads about ${plural(reads, 'row')} without it`
  // A client of a database can read a line of a quoted name as a command.
  const isPrintable = !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(statement)
  const sql = isPrintable
    ? `${statement};`
    : comment(`A name contains control characters. Write this yourself: ${statement}`)
  return `${comment(parts + cost)}\n${sql}`
}

interface Advised extends Pair {
  readonly place: string
  readonly advice: readonly Advice[]
}

/** Whether a schema declares a path: the keys of records are not among its paths. */
const hasField = ({ table: { schema } }: Pair, path: string): boolean =>
  schema !== undefined && Array.from(schema.paths.keys()).includes(path)

/** @throws Failure for a table that the description lacks, and for a restriction that no table has. */
async function adviseEach(
  pairs: readonly Pair[],
  database: Database,
  dialectName: string,
  { restriction = [], all = false }: Arguments['values'],
): Promise<readonly Advised[]> {
  const [{ advise, check }, dialect] = [await library('./inspect'), await dialectOf(dialectName)]
  const unknown = restriction.find((path) => !pairs.some((pair) => hasField(pair, path)))
  if (unknown !== undefined) throw new Failure(2, `--restriction names ${unknown}, which no table has`)
  const advised: Advised[] = []
  for (const pair of pairs) {
    const mapped = { dialect, ...mappedOf(pair) }
    const own = restriction.filter((path) => hasField(pair, path))
    await attempt(2, `${pair.file}, ${pair.names.table}`, () => {
      const missing = check(database, mapped).find(({ code }) => code === 'table_missing' || code === 'column_missing')
      if (missing !== undefined) throw new Failure(2, `${missing.message}. Name its schema by --schema, or run check`)
      advised.push({
        ...pair,
        place: placeOf(database, pair),
        advice: advise(database, { ...mapped, restriction: own, all }),
      })
    })
  }
  return advised
}

async function adviseModules(files: readonly string[], values: Arguments['values']): Promise<readonly Advised[]> {
  const pairs = await pairsOf(files)
  if (values.against !== undefined) {
    const database = await descriptionIn(values.against)
    return adviseEach(pairs, database, values.dialect ?? database.engine, values)
  }
  return connected(values, async (connection) => {
    const database = await describe(connection, 1_000, values.schema)
    checkReadable(database)
    return adviseEach(pairs, database, connection.dialect.name, values)
  })
}

const noRestriction =
  'No restriction is named. If each query compares a field by equality, such as a tenant, name it: --restriction tenant'

const textOf = ({ file, names: { table, collection }, place, advice }: Advised): string =>
  [
    comment(`${file}  ${collection ?? table} → ${place}`),
    ...(advice.length === 0 ? ['-- no index is missing'] : advice.map(linesOf)),
  ].join('\n')

export const adviseCommand: Command = {
  takes: 'MODULE…',
  summary: 'Print the indexes that the queries of modules lack, as SQL.',
  about: [
    'The reasons are comments, so a client of the database can read the output. No index is created.',
    'Without a database in the arguments, it is $DATABASE_URL.',
  ],
  options: ['url', 'driver', 'dialect', 'schema', 'against', 'restriction', 'all', 'strict'],
  run: async ({ values, positionals }) => {
    if (positionals.length === 0) throw new Failure(2, 'advise takes one module or more')
    if (values.against !== undefined && (values.url ?? values.driver) !== undefined) {
      throw new Failure(2, '--against takes the place of a database: leave out --url and --driver')
    }
    const all = await adviseModules(positionals, values)
    const head = values.restriction === undefined ? [comment(noRestriction)] : []
    process.stdout.write(`${[...head, ...all.map(textOf)].join('\n\n')}\n`)
    const isLacking = all.some(({ advice }) => advice.some(({ statement }) => statement !== undefined))
    return isLacking && values.strict === true ? 1 : 0
  },
}
