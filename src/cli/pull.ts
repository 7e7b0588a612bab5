/** `urlwhere pull`: writes the schemas, mappings and collections of a database. */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Command } from './arguments.ts'
import { connected } from './connect.ts'
import { Failure, messageOf } from './failure.ts'
import { checkReadable, databaseIn, describe } from './inspect.ts'
import { library } from './library.ts'

export const pullCommand: Command = {
  takes: '[FILE]',
  summary: 'Write the schemas, mappings and collections of a database.',
  about: [
    'FILE is the same as --url FILE. Without a database in the arguments, it is $DATABASE_URL.',
    'The comments of the result name what is left out, and the lists for --with.',
  ],
  options: ['url', 'driver', 'dialect', 'schema', 'include', 'with', 'out', 'force'],
  run: async (args) => {
    const { schema, include, with: lists, out, force = false } = args.values
    const database = await connected(databaseIn('pull', args), (connection) => describe(connection, 1_000, schema))
    checkReadable(database)
    const { pull } = await library('./inspect')
    const { source, tables, notes } = callPull(() =>
      pull(database, { ...(include && { include }), ...(lists && { lists }) }),
    )
    if (out === undefined) process.stdout.write(source)
    else await write(out, source, force).catch((error: unknown) => refuse(out, error))
    process.stderr.write(`${tables.length} tables and views, ${notes.length} notes in the comments\n`)
    return 0
  },
}

async function write(out: string, source: string, force: boolean): Promise<void> {
  await mkdir(dirname(out), { recursive: true })
  await writeFile(out, source, { flag: force ? 'w' : 'wx' })
}

/** Converts the TypeError for an unknown list to wrong use of `--with`. */
export function callPull<T>(make: () => T): T {
  try {
    return make()
  } catch (error) {
    throw new Failure(2, messageOf(error).replace('options.lists contains', '--with contains'))
  }
}

function refuse(out: string, error: unknown): never {
  const isThere = (error as { readonly code?: unknown }).code === 'EEXIST'
  throw new Failure(2, isThere ? `${out} exists. Use --force to replace it` : messageOf(error))
}
