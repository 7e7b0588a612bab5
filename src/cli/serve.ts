/** `urlwhere serve`: serves the lists of a database or of a module on this machine. */
import type { RowsContext } from '../service/index.ts'
import { numberOf, type Arguments, type Command } from './arguments.ts'
import { connected, type Connection } from './connect.ts'
import { engineOf } from './check.ts'
import { attempt, Failure, messageOf, printable } from './failure.ts'
import { checkReadable, databaseIn, describe } from './inspect.ts'
import { library } from './library.ts'
import { dataOf } from './list-data.ts'
import { listsOfDatabase, listsOfPairs, type Lists } from './lists.ts'
import { pairsOf } from './modules.ts'
import { readPages } from './pages.ts'
import { plural } from './print-findings.ts'
import { listen, type Answer } from './server.ts'

const defaultPort = '4000'

/** Runs one statement at a time, because all requests share one session; none of a request that has ended. */
function inTurn(run: Connection['runAgain']) {
  let last: Promise<unknown> = Promise.resolve()
  return (text: string, parameters: any[], { signal }: RowsContext): Promise<readonly unknown[]> => {
    const rows = last.then(() => {
      signal.throwIfAborted()
      return run(text, parameters)
    })
    last = rows.catch(() => undefined)
    return rows
  }
}

const print = (error: unknown): void => void process.stderr.write(`urlwhere: ${printable(messageOf(error))}\n`)

/** The lists of the module or of the database in the arguments. */
interface ListsOfSource extends Lists {
  readonly source: string
  /** Whether `pull` wrote the mappings. */
  readonly isPulled: boolean
  readonly long?: readonly string[]
}

/** Answers `/api/…` with the lists, `/openapi.json`, and the page with its data. */
async function answerOf({ dialect, runAgain }: Connection, { lists, isPulled }: ListsOfSource): Promise<Answer> {
  const [{ and }, { sqlBackend }, { createListService, problemResponse, sqlRows }, { openapi }] = await Promise.all([
    library('.'),
    library('./sql'),
    library('./http'),
    library('./openapi'),
  ])
  const caller = {}
  const ask = inTurn(runAgain)
  const collections = lists.map(({ name, table, collection }) => {
    const backend = sqlBackend({ dialect, table })
    // The service compiles each condition and order of a list at its start, in 46 ms for 20 columns. The mappings of `pull` pass this check.
    const { read } = sqlRows(backend, ask)
    const rows = { read, ...(!isPulled && { backend }) }
    return [name, { collection, rows, restriction: () => and() }] as const
  })
  const service = createListService({
    authenticate: () => caller,
    basePath: '/api',
    timeout: 30_000,
    onError: print,
    collections: Object.fromEntries(collections),
  })
  const document = () => ({
    ...openapi(service, caller),
    info: { title: 'urlwhere serve', version: '1.0.0' },
    servers: [{ url: '/' }],
  })
  const pages = new Map<string, () => Response | Promise<Response>>([
    ...(await readPages()),
    ['/openapi.json', () => Response.json(document())],
    ['/playground.json', () => Response.json(lists.map((list) => dataOf(dialect, list)))],
  ])
  return (request) => {
    const { pathname } = new URL(request.url)
    if (pathname.startsWith('/api/')) return service(request)
    const page = pages.get(pathname)
    if (page === undefined) return problemResponse({ status: 404, detail: 'nothing is found at this path' })
    if (request.method !== 'QUERY') return page()
    const headers = { allow: 'GET, HEAD' }
    return problemResponse({ status: 405, detail: 'method not allowed: use GET or HEAD', headers })
  }
}

async function listsIn(connection: Connection, { values, positionals }: Arguments): Promise<ListsOfSource> {
  const { include, schema, show = [], with: chosen = [] } = values
  const modules = positionals.filter(isModule)
  if (modules.length > 0) {
    if (include ?? schema ?? values.with)
      throw new Failure(2, 'a module has its lists: leave out --include, --schema and --with')
    return { ...(await listsOfPairs(await pairsOf(modules), show)), source: modules.join(', '), isPulled: false }
  }
  const database = await describe(connection, 1_000, schema)
  checkReadable(database)
  const source = `${engineOf(database)}, ${database.schemas.map(({ name }) => name).join(', ')}`
  return { ...(await listsOfDatabase(database, { include, with: chosen, show })), source, isPulled: true }
}

const isModule = (text: string): boolean => /\.[cm]?[jt]s$/.test(text)

function reportOf({ source, lists, hidden, omitted, long = [] }: ListsOfSource): string {
  const some = (names: readonly string[]) =>
    names.length > 10 ? `${names.slice(0, 10).join(', ')} and ${names.length - 10} more` : names.join(', ')
  const lines = [
    `${source}: ${plural(lists.length, 'list')}, read-only`,
    ...lists.map(({ name }) => `  /api/${name}`),
    ...(long.length === 0 ? [] : [`Not in rows, because they can be long: ${some(long)}. --with adds one`]),
    ...Object.entries(Object.groupBy(omitted, ([, reason]) => reason)).map(
      ([reason, tables = []]) => `Not served, because ${reason}: ${some(tables.map(([table]) => table))}`,
    ),
    ...(hidden.length === 0 ? [] : [`Hidden, because of their names: ${hidden.join(', ')}. --show adds one`]),
    'This server has no authentication. It accepts connections from this machine only.',
  ]
  return lines.map((line) => `${printable(line)}\n`).join('')
}

export const serveCommand: Command = {
  takes: '[FILE|URL|MODULE…]',
  summary: 'Serve a playground and an API of a database on this machine.',
  about: [
    'It serves the playground at /, each list at /api/, and the description of the API at /openapi.json.',
    'FILE and URL are the same as --url. Without a database in the arguments, it is $DATABASE_URL.',
    'A MODULE exports tables and collections. Without a module, serve makes them from the database, as pull does.',
    'A row has the lists of small tables and those with an index on the foreign key, up to 20 entries on average.',
    'Columns with names such as password, token and secret are hidden.',
  ],
  options: ['url', 'driver', 'dialect', 'schema', 'include', 'with', 'show', 'port'],
  run: async (args) => {
    const { values, positionals } = args
    const port = numberOf('port', values.port ?? defaultPort)
    if (port > 65_535) throw new Failure(2, `--port takes a number up to 65535, not ${port}`)
    const rest = positionals.filter((one) => !isModule(one))
    const target = databaseIn('serve', { values, positionals: rest })
    return connected(
      target,
      async (connection) => {
        const read = await listsIn(connection, args)
        if (read.lists.length === 0)
          throw new Failure(2, printable(`${read.source}: there is no table with a key to serve`))
        const answer = await attempt(2, read.source, () => answerOf(connection, read))
        const address = await listen(answer, port, print)
        process.stdout.write(`${reportOf(read)}${address}\n`)
        // A signal ends the command.
        return new Promise<never>(() => undefined)
      },
      { signals: ['SIGINT', 'SIGTERM'], exitCode: 0 },
    )
  },
}
