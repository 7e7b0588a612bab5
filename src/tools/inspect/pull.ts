/** `pull`: writes the schemas, mappings and collections of a database as TypeScript. */
import { checkOptions } from '../../options.ts'
import { own } from '../../own.ts'
import { nearest } from '../../suggest.ts'
import type { Database, TableFacts } from './database.ts'
import { headOf, sectionOf } from './file-text.ts'
import { childrenOf, dialects, parentsOf, partsOf } from './parts.ts'

/** Options of {@link pull}. */
export interface PullOptions {
  /** The names of the tables to write. A `*` matches any text: `orders`, `sales.*`. Default: all tables and views. */
  readonly include?: readonly string[]
  /** The lists to write, as `table.list`. The comments of the file name all possible lists. Default: no lists. */
  readonly lists?: readonly string[]
  /** `camel`: `created_at` becomes `createdAt`. `same`: fields have the names of their columns. Default: `camel`. */
  readonly names?: 'camel' | 'same'
}

/** The result of {@link pull}. */
export interface Pulled {
  /** The text of a TypeScript file. */
  readonly source: string
  /** The tables in the file, with the name of the schema that it exports. */
  readonly tables: readonly { readonly schema: string; readonly name: string; readonly exported: string }[]
  /** The columns that the file leaves out or guesses, and the tables without a key. The comments of the file contain the same notes. */
  readonly notes: readonly { readonly table: string; readonly column?: string; readonly note: string }[]
  /** The names that the option `lists` accepts. Each has the table with the foreign key to the rows: that of the entries, or the join table. */
  readonly lists: readonly PulledList[]
}

/** A list that {@link pull} can write. */
export interface PulledList {
  /** The name for the option `lists`: `orders.items`. */
  readonly name: string
  readonly schema: string
  readonly table: string
  readonly foreignKey: readonly string[]
}

/**
 * Writes the schemas, mappings and collections of a database. A table with a key becomes a schema, a table and a collection; a view becomes a
 * schema and a table. Rows of other tables that a foreign key refers to become objects. Comments name the omitted columns and the reasons.
 *
 * @param database the result of `inspect`.
 * @throws TypeError if an option is wrong, or if `lists` contains an unknown list.
 * @example
 * const described = await inspect((text, parameters) => file.prepare(text).all(...parameters), { dialect: sqlite })
 * pull(described).tables.map(({ exported }) => exported) // => ['items', 'orders']
 */
export function pull(database: Database, options: PullOptions = {}): Pulled {
  const { include, lists = [], names = 'camel' } = checkOptions(options, 'options', ['include', 'lists', 'names'])
  if (names !== 'camel' && names !== 'same') throw new TypeError(`options.names must be 'camel' or 'same'`)
  const isIncluded = filterOf(include)
  const chosen = database.tables.filter(
    (table) => table.readable && own(table, 'partitionOf') === undefined && isIncluded(table),
  )
  const parts = partsOf(database, chosen, names)
  const wanted = new Set(lists)
  const all: PulledList[] = []
  const sections = parts.map((part) => {
    const objects = parentsOf(part, parts, names)
    const possible = childrenOf(part, parts, objects, names)
    for (const { property, part: child, foreignKey, through = child } of possible) {
      const { schema, name: table } = through.table
      all.push({ name: `${part.table.name}.${property}`, schema, table, foreignKey: foreignKey.columns })
    }
    const shown = possible.filter(({ property }) => wanted.delete(`${part.table.name}.${property}`))
    return sectionOf(
      database,
      part,
      objects,
      shown,
      possible.filter((one) => !shown.includes(one)),
    )
  })
  if (wanted.size > 0)
    throw new TypeError(
      unknownList(
        [...wanted][0]!,
        all.map(({ name }) => name),
      ),
    )
  const [dialect] = dialects[database.engine]
  return {
    source:
      [
        headOf(database, sections, dialect),
        ...sections.map(({ shared }) => shared),
        ...sections.map(({ own }) => own),
      ].join('\n\n') + '\n',
    tables: parts.map(({ table: { schema, name }, name: exported }) => ({ schema, name, exported })),
    notes: parts.flatMap(({ table: { name: table }, omitted, members, key }) => [
      ...omitted.map(([column, note]) => ({ table, column, note })),
      ...members.flatMap(({ column, field }) =>
        field.guess === undefined ? [] : [{ table, column: column.name, note: `a guess: ${field.guess}` }],
      ),
      ...(key.length === 0 ? [{ table, note: 'the table has no key, so the file has no collection of it' }] : []),
    ]),
    lists: all,
  }
}

function filterOf(include: readonly string[] | undefined): (table: TableFacts) => boolean {
  if (include === undefined) return () => true
  return ({ schema, name }) => include.some((glob) => isLike(name, glob) || isLike(`${schema}.${name}`, glob))
}

/** Whether a name matches a pattern. A `*` matches any text. It ignores case. */
function isLike(name: string, glob: string): boolean {
  const [text, pieces] = [name.toLowerCase(), glob.toLowerCase().split('*')]
  const [first, last] = [pieces[0]!, pieces.at(-1)!]
  if (pieces.length === 1) return text === first
  if (!text.startsWith(first) || !text.endsWith(last)) return false
  let at = first.length
  for (const piece of pieces.slice(1, -1)) {
    const place = text.indexOf(piece, at)
    if (place < 0) return false
    at = place + piece.length
  }
  return at <= text.length - last.length
}

function unknownList(name: string, names: readonly string[]): string {
  const near = nearest(name, names)
  const shown = near === undefined ? names.slice(0, 10) : [near]
  const more = names.length - shown.length
  const all = `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
  return `options.lists contains ${name}: ${names.length === 0 ? 'these tables have no list' : `the lists of these tables are ${all}`}`
}
