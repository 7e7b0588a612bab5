/** The list that the page shows: a collection, its mapping, and the store of its rows. */
import { mongoBackend } from '../../src/backends/mongo/index.ts'
import { sqlBackend, type Dialect, type SqlBackend, type Table } from '../../src/backends/sql/index.ts'
import type { Collection, CollectionOptions, FacetValues, Page, RowCount } from '../../src/index.ts'
import { notationsFor, type Answer, type Compiled } from './answer.ts'

export type Row = Readonly<Record<string, unknown>>

/** The parts of an answer that a store reads. */
export interface StoreParts {
  readonly page?: Compiled<Page<Row>>
  readonly count?: RowCount
  readonly facets?: Compiled<FacetValues>
}

export interface Store {
  /** The number of all rows, if the page knows it. */
  readonly total?: number
  /** Calls `show` with each part as soon as it has the part. */
  readonly read: (answer: Answer, show: (part: StoreParts) => void) => void
  /** Finds a row by the text of its key. */
  readonly rowOf: (key: string) => Row | undefined | Promise<Row | undefined>
}

export interface SubjectOptions {
  /** The name of the list in its path. */
  readonly name: string
  /** The words for a row and for several rows. */
  readonly words: readonly [one: string, many: string]
  readonly collection: Collection
  /** The options of `defineCollection`. */
  readonly options: CollectionOptions
  readonly table: Table
  /** The alias of the table in short statements. Without it, the page shows only the statement of `select`. */
  readonly alias?: string
  readonly dialects: Readonly<Record<string, Dialect>>
  /** The example queries of the page. */
  readonly examples: () => readonly Example[] | Promise<readonly Example[]>
  readonly store: Store
  /** Whether a text can be the key of a row. */
  readonly isKey: (text: string) => boolean
  /** The address of a query of the list; with a key, of a query for one row. */
  readonly urlOf: (text: string, key?: string) => URL
  /** Loads the texts of the tabs with code. */
  readonly codes: () => Promise<Codes>
  /** The text of the schema, if a visitor wrote it. */
  readonly source?: string
  /** The options of `curl` for each request. */
  readonly curlOptions?: string
}
/** Writes the code of each tab, by the name of the tab. @param dialect its name on the page. */
export type Codes = Readonly<Record<string, (subject: Subject, answer: Answer, dialect: string) => Compiled<string>>>
export type Example = readonly [what: string, query: string]

/** A list with the backends that compile its queries. */
export interface Subject extends SubjectOptions {
  readonly sql: Readonly<Record<string, SqlBackend>>
  readonly mongo: ReturnType<typeof mongoBackend>
  /** The names of the notations that the collection has. */
  readonly notations: readonly string[]
}

export function subjectOf(options: SubjectOptions): Subject {
  const { collection, table, alias, dialects } = options
  const sql = Object.entries(dialects).map(
    ([name, dialect]) => [name, sqlBackend({ dialect, table, ...(alias !== undefined && { alias }) })] as const,
  )
  return {
    ...options,
    sql: Object.fromEntries(sql),
    mongo: mongoBackend({ schema: collection.visible }),
    notations: notationsFor(collection),
  }
}

/** A shell command that sends a request. Quotes of the shell are encoded. */
export const curlOf = ({ curlOptions = '' }: Subject, { href }: URL): string =>
  `curl -g ${curlOptions}'${href.replaceAll("'", '%27')}'`

/** The key of a row, as the path of its address has it. */
export const pathOfKey = ({ collection }: Subject, row: Row): string =>
  keyTexts({ collection }, row).map(encodeURIComponent).join(',')

/** The text of a row's key: it names the row in the address of the page. */
export const keyOf = ({ collection }: Pick<Subject, 'collection'>, row: Row): string =>
  keyTexts({ collection }, row).join(',')

const keyTexts = ({ collection }: Pick<Subject, 'collection'>, row: Row): readonly string[] =>
  collection.key.map(({ path }) => String(path.reduce<unknown>((value, name) => (value as Row)[name], row)))
