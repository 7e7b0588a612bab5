/** `urlwhere check`: compares the mappings of modules with a database or with a stored description. */
import { readFile } from 'node:fs/promises'
import type { Database } from '../tools/inspect/index.ts'
import { numberOf, type Arguments, type Command } from './arguments.ts'
import { connected } from './connect.ts'
import { attempt, Failure } from './failure.ts'
import { checkReadable, describe, sampleOf } from './inspect.ts'
import { dialectOf, library } from './library.ts'
import { pairsOf, type Pair } from './modules.ts'
import { countOf, formats, isFormat, plural, type Checked } from './print-findings.ts'

const engines: Readonly<Record<Database['engine'], string>> = {
  postgres: 'PostgreSQL',
  mysql: 'MySQL',
  mariadb: 'MariaDB',
  sqlite: 'SQLite',
  duckdb: 'DuckDB',
}

/** `PostgreSQL 15.18` */
export const engineOf = ({ engine, session }: Database): string =>
  [engines[engine], session.version?.split(/[\s-]/)[0]].filter((part) => part !== undefined).join(' ')

/** `orders (PostgreSQL 15.18, about 830 rows)` */
export function placeOf(database: Database, { table }: Pair): string {
  const [name, schema] = [table.name].flat().toReversed()
  const facts = database.tables.find((one) => one.name === name && (schema === undefined || one.schema === schema))
  const rows = facts?.rows === undefined || facts.rows < 0 ? [] : [`about ${plural(facts.rows, 'row')}`]
  return `${[facts?.schema ?? schema ?? [], name].flat().join('.')} (${[engineOf(database), ...rows].join(', ')})`
}

export async function descriptionIn(file: string): Promise<Database> {
  const database = await attempt(2, `${file} does not load`, async () => JSON.parse(await readFile(file, 'utf8')))
  if (Object.hasOwn(engines, database?.engine) && Array.isArray(database.tables)) return database as Database
  throw new Failure(2, `${file} is not a description from inspect`)
}

/** Checks each pair. A `TypeError` of the library means that the mapping of the module is wrong. */
async function checkEach(
  pairs: readonly Pair[],
  database: Database,
  findingsOf: (pair: Pair) => Checked['findings'] | Promise<Checked['findings']>,
): Promise<readonly Checked[]> {
  const all: Checked[] = []
  for (const pair of pairs) {
    const { file, names } = pair
    const findings = await attempt(2, `${file}, ${names.table}`, () => findingsOf(pair))
    all.push({ file, names, place: placeOf(database, pair), findings })
  }
  return all
}

export const mappedOf = ({ table, collection }: Pair) => ({ table, ...(collection && { collection }) })

async function checkModules(files: readonly string[], values: Arguments['values']): Promise<readonly Checked[]> {
  const { against } = values
  const sample = sampleOf(values)
  if (sample === 0) throw new Failure(2, '--sample of check takes a number from 1 on')
  const pairs = await pairsOf(files)
  const { check, checkColumns } = await library('./inspect')
  if (against !== undefined) {
    const database = await descriptionIn(against)
    const dialect = await dialectOf(values.dialect ?? database.engine)
    return checkEach(pairs, database, (pair) => check(database, { dialect, ...mappedOf(pair) }))
  }
  return connected(values, async (connection) => {
    const { run, dialect } = connection
    const database = await describe(connection, sample)
    if (pairs.some(({ table }) => typeof table.name === 'string')) checkReadable(database)
    return checkEach(pairs, database, (pair) => checkColumns(run, { dialect, sample, ...mappedOf(pair) }))
  })
}

export const checkCommand: Command = {
  takes: 'MODULE…',
  summary: 'Compare the tables and collections of modules with a database.',
  about: [
    'A module exports tables and collections. A table and a collection with the same schema are a pair.',
    'If no collection has the schema of a table, check compares the tables alone.',
    'Without a database in the arguments, it is $DATABASE_URL.',
  ],
  options: ['url', 'driver', 'dialect', 'sample', 'against', 'format', 'max-warnings'],
  run: async ({ values, positionals }) => {
    const { format = 'text', against } = values
    if (positionals.length === 0) throw new Failure(2, 'check takes one module or more')
    if (!isFormat(format)) throw new Failure(2, `--format takes ${Object.keys(formats).join(', ')}, not ${format}`)
    if (against !== undefined && (values.url ?? values.driver) !== undefined) {
      throw new Failure(2, '--against takes the place of a database: leave out --url and --driver')
    }
    const most = values['max-warnings'] === undefined ? Infinity : numberOf('max-warnings', values['max-warnings'])
    const all = await checkModules(positionals, values)
    process.stdout.write(formats[format](all))
    return countOf(all, 'error') > 0 || countOf(all, 'warning') > most ? 1 : 0
  },
}
