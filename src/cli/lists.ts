/** Makes the lists that `serve` serves: those of a module, or those of the file that `pull` writes for a database. */
import type { Name, Stored, Table } from '../backends/sql/index.ts'
import type { Collection, Fields, Schema } from '../index.ts'
import type { ColumnFacts, Database, PulledList, TableFacts } from '../tools/inspect/index.ts'
import { attempt, Failure, printable } from './failure.ts'
import { library, urlOfEntry } from './library.ts'
import { pairsIn, type Module, type Pair } from './modules.ts'
import { callPull } from './pull.ts'
import { isSecret } from './secrets.ts'

/** A list of the server. Its collection has no secret columns. */
export interface List {
  /** The last part of the path: `orders` of `/api/orders`. */
  readonly name: string
  readonly table: Table
  readonly collection: Collection
}

/** The lists of a server, its hidden columns and its omitted tables. */
export interface Lists {
  readonly lists: readonly List[]
  /** The hidden columns, as `--show` names them. */
  readonly hidden: readonly string[]
  /** The omitted tables, with the reasons. */
  readonly omitted: readonly (readonly [table: string, reason: string])[]
}

/** The column of a field. */
interface Use {
  readonly path: string
  readonly table: Name
  readonly column: string
}

const textOf = (name: Name): string => [name].flat().join('.')
const nameOfUse = ({ table, column }: Use): string => `${textOf(table)}.${column}`

/** Lists the columns of the scalar fields. */
function usesOf(table: Name, columns: Table['columns'], fields: Fields, at = ''): readonly Use[] {
  return Object.entries(fields).flatMap(([property, field]) => {
    const path = at + property
    const inner = field.type === 'list' ? field.entry : field
    const stored: Stored | undefined = Object.hasOwn(columns, property) ? columns[property] : undefined
    const innerFields = inner.type === 'object' ? inner.fields : undefined
    switch (stored?.kind) {
      case 'child':
      case 'parent': {
        const value = stored.kind === 'child' ? stored.value : undefined
        if (innerFields === undefined) return [{ path, table: stored.name, column: value?.name ?? property }]
        return usesOf(stored.name, stored.columns, innerFields, `${path}.`)
      }
      case 'flattened':
        return usesOf(table, stored.columns, innerFields ?? {}, `${path}.`)
      default: {
        const column = stored?.name ?? property
        // `isSecret` also reads the names of the members of a JSON column.
        const members = usesOf([textOf(table), column], {}, innerFields ?? {}, `${path}.`)
        return [{ path, table, column }, ...members]
      }
    }
  })
}

/** The entries of the library that the text of `pull` imports. */
const entryNames = [
  ['urlwhere', '.'],
  ['urlwhere/sql', './sql'],
] as const

/** Imports the text of `pull` by a `data:` URL. Such a module cannot resolve the name of a package, so it imports files. */
function moduleOf(source: string): Promise<Module> {
  const linked = entryNames.reduce(
    // `replace` changes the first match. The import lines are the first lines after the comment.
    (text, [name, subpath]) => text.replace(`'${name}'\n`, () => `'${urlOfEntry(subpath)}'\n`),
    source,
  )
  return import(`data:text/javascript;base64,${Buffer.from(linked).toString('base64')}`)
}

/** The largest average number of entries in a list. */
const mostEntries = 20
const smallTable = 1_000
/** A list of a larger table counts at most so many rows, because a full count is slow. */
const [largeTable, mostCounted] = [1_000_000, 100_000]
/** The largest number of different values in a facet. */
const mostValues = 30

const rowsOf = ({ rows, wholeTable, sampledRows }: TableFacts): number | undefined =>
  rows !== undefined && rows >= 0 ? rows : wholeTable === true ? sampledRows : undefined

/** The number of different values, of the table or of the sample. */
const valuesOf = ({ distinct, sample }: ColumnFacts): number | undefined => distinct ?? sample?.distinct

/** How many rows have the same value of a column, on average. */
function rowsPerValue(table: TableFacts, column: ColumnFacts): number | undefined {
  const [rows, values = 0] = [rowsOf(table) ?? table.sampledRows, valuesOf(column)]
  return rows === undefined || values === 0 ? undefined : rows / values
}

const tableNamed = ({ tables, session: { searchPath } }: Database, name: Name): TableFacts | undefined => {
  const [table, schema = searchPath[0]] = [name].flat().toReversed()
  const named = tables.filter((one) => one.name === table)
  return named.find((one) => one.schema === schema) ?? named[0]
}

/** Whether a row has few entries in a list, and an index finds them or the whole table is small. */
function isShort(database: Database, { schema, table: name, foreignKey: [first] }: PulledList): boolean {
  const table = tableNamed(database, [schema, name])
  const column = table?.columns.find((one) => one.name === first)
  if (table === undefined || column === undefined) return false
  const isIndexed = table.indexes.some(
    ({ invalid, predicate, entries }) => !invalid && predicate === undefined && entries[0]?.column === first,
  )
  const isSmall = (rowsOf(table) ?? Infinity) <= smallTable
  return (isIndexed || isSmall) && (rowsPerValue(table, column) ?? (isSmall ? 0 : Infinity)) <= mostEntries
}

/** Adds counts, facets, a search, groups and page numbers to a collection of `pull`. */
function widen(
  { defineCollection }: Awaited<ReturnType<typeof library<'.'>>>,
  database: Database,
  { name, columns }: Table,
  { schema, key, sortable, defaultSort }: Collection,
): Collection {
  const facetPaths = usesOf(name, columns, schema.fields).filter((use) => isFacet(database, schema, use))
  const texts = Object.entries(schema.fields).filter(([, { type }]) => type === 'string')
  const free = (wanted: string): string => (Object.hasOwn(schema.fields, wanted) ? free(`_${wanted}`) : wanted)
  const order = defaultSort.map(({ field, direction }) => (direction === 'descending' ? '-' : '') + field.name)
  const facts = tableNamed(database, name)
  const isLarge = facts !== undefined && (rowsOf(facts) ?? 0) > largeTable
  const hasDays = Array.from(schema.paths.values()).some(({ type }) => type === 'datetime')
  const searched = texts.map(([path]) => path).slice(0, 5)
  const facets = facetPaths.map(({ path }) => path).slice(0, 5)
  const allowed = [
    ...['sort', 'limit', 'offset', 'fields', 'count', 'cursor', 'and', 'or', 'not'],
    ...(hasDays ? ['timeZone'] : []),
    ...(searched.length > 0 ? ['search'] : []),
    ...(facets.length > 0 ? ['facets'] : []),
  ]
  // A parameter cannot have the name of a field.
  const renamed = allowed.filter((one) => free(one) !== one)
  return defineCollection(schema, {
    key: key.map((field) => field.name),
    sort: [...sortable.keys()],
    ...(order.length > 0 && { defaultSort: order.join(',') }),
    offset: { max: 10_000 },
    fields: true,
    count: isLarge ? { max: mostCounted } : true,
    groups: true,
    ...(hasDays && { timeZone: true }),
    ...(searched.length > 0 && { search: searched }),
    ...(facets.length > 0 && {
      facets: Object.fromEntries(facets.map((path) => [path, isLarge ? { max: mostCounted } : true])),
      facetLimit: mostValues,
    }),
    parameters: Object.fromEntries(renamed.map((one) => [one, free(one)])),
  })
}

/** Whether a field has few values. */
function isFacet(database: Database, { paths }: Schema, { path, table: name, column }: Use): boolean {
  const field = paths.get(path)
  if (field === undefined || field.lists.length > 0 || isSecret(column)) return false
  if (field.type === 'boolean' || field.type === 'enumeration') return true
  const table = tableNamed(database, name)
  const facts = table?.columns.find((one) => one.name === column)
  if (table === undefined || facts === undefined || field.type !== 'string') return false
  const isParent = path.includes('.')
  if (isParent) return (rowsOf(table) ?? Infinity) <= mostValues
  const values = valuesOf(facts) ?? Infinity
  return values >= 2 && values <= mostValues && (rowsPerValue(table, facts) ?? 0) >= 2
}

/** Makes a unique name of ASCII letters, digits, `_` and `-` for a path. */
function pathName(wanted: string, taken: Set<string>): string {
  const plain = wanted.normalize('NFKD').replaceAll(/[^\w-]+/g, '') || 'list'
  let name = plain
  for (let count = 2; taken.has(name); count++) name = `${plain}${count}`
  taken.add(name)
  return name
}

/** Names the lists, and hides their secret columns. @throws Failure if `shown` names a column that is not hidden. */
async function listsOf(pairs: readonly (Pair & { readonly collection: Collection })[], shown: readonly string[]) {
  const { narrow } = await library('.')
  const [taken, secrets] = [new Set<string>(), new Set<string>()]
  const omitted: [string, string][] = []
  const lists = pairs.flatMap(({ table, collection, names }): readonly List[] => {
    const uses = usesOf(table.name, table.columns, collection.visible.fields)
    const secret = uses.filter(
      ({ path, column }) => isSecret(column) || isSecret(path.slice(path.lastIndexOf('.') + 1)),
    )
    for (const use of secret) secrets.add(nameOfUse(use))
    const hide = secret.filter((use) => !shown.includes(nameOfUse(use)))
    const isHidden = ({ name }: { readonly name: string }) => hide.some(({ path }) => path === name)
    if (collection.key.some(isHidden)) {
      omitted.push([textOf(table.name), 'the key is hidden'])
      return []
    }
    const name = pathName(names.table.replace(/(?<=.)Table$/, ''), taken)
    const narrowed =
      hide.length === 0 ? collection : narrow(collection, { fields: { hide: hide.map(({ path }) => path) } })
    return [{ name, table, collection: narrowed }]
  })
  const unknown = shown.find((one) => !secrets.has(one))
  if (unknown !== undefined) {
    const all = secrets.size === 0 ? 'no column is hidden' : `hidden columns: ${[...secrets].join(', ')}`
    throw new Failure(2, printable(`--show contains ${unknown}, which is not hidden: ${all}`))
  }
  return { lists, omitted, hidden: [...secrets].filter((one) => !shown.includes(one)) }
}

const isPaired = (pair: Pair): pair is Pair & { readonly collection: Collection } => pair.collection !== undefined

/** The lists of the pairs that modules export. */
export async function listsOfPairs(pairs: readonly Pair[], shown: readonly string[]): Promise<Lists> {
  const paired = pairs.filter(isPaired)
  if (paired.length > 0) return listsOf(paired, shown)
  const files = [...new Set(pairs.map(({ file }) => file))]
  throw new Failure(2, `${files.join(', ')} exports no table and collection with the same schema`)
}

/** Options of {@link listsOfDatabase}: the values of the arguments with these names. */
interface Choice {
  readonly include: readonly string[] | undefined
  readonly with: readonly string[]
  readonly show: readonly string[]
}

/** The lists of a database, and the lists in rows that are too long to show. */
export async function listsOfDatabase(
  database: Database,
  choice: Choice,
): Promise<Lists & { readonly long: readonly string[] }> {
  const [{ pull }, core] = await Promise.all([library('./inspect'), library('.')])
  const options = choice.include === undefined ? {} : { include: choice.include }
  const { lists: possible } = pull(database, options)
  const short = possible.filter((one) => isShort(database, one)).map(({ name }) => name)
  const lists = [...new Set([...short, ...choice.with])]
  const { source, tables } = callPull(() => pull(database, { ...options, lists }))
  const module = await attempt(2, 'the mapping of the database does not load', () => moduleOf(source))
  const pairs = pairsIn([['the database', module]]).filter(isPaired)
  const wide = pairs.map((pair) => ({ ...pair, collection: widen(core, database, pair.table, pair.collection) }))
  const made = await listsOf(wide, choice.show)
  const withoutKey = tables.filter(({ exported }) => !pairs.some(({ names }) => names.table === `${exported}Table`))
  return {
    ...made,
    omitted: [...withoutKey.map(({ name }) => [name, 'there is no key'] as const), ...made.omitted],
    long: possible.map(({ name }) => name).filter((name) => !lists.includes(name)),
  }
}
