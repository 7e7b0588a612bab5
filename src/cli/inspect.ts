/** `urlwhere inspect`: prints the description of a database as JSON. */
import type { Database } from '../tools/inspect/index.ts'
import { numberOf, type Arguments, type Command } from './arguments.ts'
import { connected, type Connection } from './connect.ts'
import { Failure } from './failure.ts'
import { library } from './library.ts'

/** Reads `--sample`. For `all`, it returns a number of rows that no memory can contain. */
export const sampleOf = ({ sample = '1000' }: Arguments['values']): number =>
  sample === 'all' ? 2 ** 31 - 2 : numberOf('sample', sample)

/** Describes a database. */
export async function describe(
  { dialect, run }: Connection,
  sample: number,
  schema?: readonly string[],
): Promise<Database> {
  const { inspect } = await library('./inspect')
  return inspect(run, { dialect, sample, ...(schema && { schema }) })
}

/** @throws Failure if the user cannot read any of the schemas, because the description then contains no table. */
export function checkReadable({ schemas }: Database): void {
  if (schemas.some(({ access }) => access === 'readable')) return
  const reasons = schemas.map(({ name, access }) => `${name} is ${access}`)
  throw new Failure(3, `this user can read no schema: ${reasons.join(', ') || 'the search path is empty'}`)
}

/** Reads the database from FILE or from the options. @throws Failure for two databases. */
export function databaseIn(name: string, { values, positionals }: Arguments): Arguments['values'] {
  const [file, ...more] = positionals
  if (more.length > 0 || (file !== undefined && values.url !== undefined)) {
    throw new Failure(2, `${name} takes one database: a FILE or --url`)
  }
  return { ...values, ...(file !== undefined && { url: file }) }
}

export const inspectCommand: Command = {
  takes: '[FILE]',
  summary: 'Print the description of a database as JSON.',
  about: ['FILE is the same as --url FILE. Without a database in the arguments, it is $DATABASE_URL.'],
  options: ['url', 'driver', 'dialect', 'schema', 'sample'],
  run: async (args) => {
    const sample = sampleOf(args.values)
    const database = await connected(databaseIn('inspect', args), (connection) =>
      describe(connection, sample, args.values.schema),
    )
    checkReadable(database)
    process.stdout.write(`${JSON.stringify(database, null, 2)}\n`)
    return 0
  },
}
