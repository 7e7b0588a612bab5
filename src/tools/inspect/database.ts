/** The description of a database: plain JSON, to store, compare and read. */
import type { Dialect } from '../../backends/sql/index.ts'
import type { Sample } from './sample.ts'

/** An engine with a catalogue that {@link inspect} reads. */
export type Engine = NonNullable<Dialect['engine']>

/**
 * The description of a database. It is plain JSON: `JSON.parse(JSON.stringify(database))` returns an equal description. An absent member
 * means that the engine has no such fact.
 *
 * @example
 * const database = await inspect((text, parameters) => file.prepare(text).all(...parameters), { dialect: sqlite })
 * database.tables.map(({ name }) => name) // => ['items', 'orders']
 */
export interface Database {
  /** The engine that answered: for the dialect `mysql`, it may be MariaDB. */
  readonly engine: Engine
  readonly session: Session
  /** The schemas that {@link inspect} looked for. */
  readonly schemas: readonly SchemaFacts[]
  /** By schema and name. */
  readonly tables: readonly TableFacts[]
}

/** A schema that {@link inspect} looked for. An absent table can be in a schema that the user cannot read. */
export interface SchemaFacts {
  readonly name: string
  /**
   * `denied`: the user lacks the privilege USAGE. `missing`: no schema has this name. MySQL and MariaDB also report `missing` for a
   * schema that the user cannot read.
   */
  readonly access: 'readable' | 'denied' | 'missing'
}

/** The settings of the session that change the result of a statement. */
export interface Session {
  /** The version, as the engine prints it. D1 does not print one. */
  readonly version?: string
  /** The schemas in which the engine looks for a table without a schema, in order. */
  readonly searchPath: readonly string[]
  /** The time zone of the session. On MySQL and MariaDB, it is mostly `SYSTEM`: see {@link offset}. */
  readonly timeZone?: string
  /** Seconds of the session's zone east of UTC, at this moment. */
  readonly offset?: number
  /** PostgreSQL and SQLite: of the database. MySQL and MariaDB: of the connection. */
  readonly encoding?: string
  /** PostgreSQL: of the database. MySQL and MariaDB: of the connection. */
  readonly collation?: string
  /** PostgreSQL: the locale of `lower`. */
  readonly ctype?: string
  /** PostgreSQL: the provider of the database's locale: `c` is libc, `i` is ICU, `b` is built in. */
  readonly provider?: 'c' | 'i' | 'b'
  /** PostgreSQL: the locale of the providers ICU and built in. */
  readonly locale?: string
  /** MySQL and MariaDB. */
  readonly sqlMode?: string
  /** PostgreSQL. With 0 or less, the text of a double has fewer digits than the double. */
  readonly extraFloatDigits?: number
  /** PostgreSQL: the versions of the extensions, by name. */
  readonly extensions?: Readonly<Record<string, string>>
  /** DuckDB: the collation of a column without one. */
  readonly defaultCollation?: string
  /** DuckDB: the direction of an ORDER BY without one. */
  readonly defaultOrder?: 'ascending' | 'descending'
  /** DuckDB: where an ORDER BY puts NULL: `nulls_last`, `nulls_first` and others. */
  readonly defaultNullOrder?: string
}

/** A table or view. */
export interface TableFacts {
  readonly schema: string
  readonly name: string
  readonly kind: 'table' | 'view' | 'materialized view' | 'partitioned' | 'foreign table' | 'virtual'
  /** The schema and name of the table that this one is a partition of. */
  readonly partitionOf?: readonly [schema: string, name: string]
  /** The number of rows, estimated, where the engine has counted. */
  readonly rows?: number
  /** Whether the user can read at least one column. On SQLite, it is false for a view or virtual table that raises an error. */
  readonly readable: boolean
  /** PostgreSQL: whether the table has row-level security. */
  readonly rls?: boolean
  /** SQLite: whether the table has the option STRICT. */
  readonly strict?: boolean
  /** SQLite: whether the table has the option WITHOUT ROWID. */
  readonly withoutRowid?: boolean
  /** The number of rows in {@link ColumnFacts.sample}. */
  readonly sampledRows?: number
  /** Whether the sample contains all rows. */
  readonly wholeTable?: boolean
  /** In the order of the table. */
  readonly columns: readonly ColumnFacts[]
  /** The unique keys. Partial indexes, indexes of expressions and invalid indexes are left out. */
  readonly keys: readonly KeyFacts[]
  readonly foreignKeys: readonly ForeignKeyFacts[]
  readonly indexes: readonly IndexFacts[]
}

/** A column. */
export interface ColumnFacts {
  readonly name: string
  /** The type as the engine prints it: `varchar(20)`, `numeric(10,2)[]`, `enum('a','b')`; empty for a column of SQLite without one. */
  readonly type: string
  /** The type below a domain, as the engine prints it. */
  readonly base?: string
  /** The type of the entries of an array or list, below domains, as the engine prints it. */
  readonly entry?: string
  /**
   * The name of the type without its options: `varchar`, `numeric`, `enum`. It is the name below a domain, and of an array the name of an
   * entry's type. MariaDB: `json` for a text with a JSON_VALID check. SQLite: the affinity.
   */
  readonly typeName: string
  /** PostgreSQL: the schema of the type, for types of extensions and programs. */
  readonly typeSchema?: string
  /** The values of an enumeration, in the order of the type. */
  readonly enum?: readonly string[]
  /** Whether no row can have NULL. */
  readonly notNull: boolean
  /** Whether the user may read it. MySQL and MariaDB hide the columns that the user may not read. */
  readonly readable: boolean
  /** The default as SQL. */
  readonly default?: string
  /** Whether the engine stores a generated value or computes it when it reads a row. */
  readonly generated?: 'stored' | 'virtual'
  /** How the engine numbers new rows: `always`, `by default`, or `auto_increment` of MySQL and MariaDB. */
  readonly identity?: 'always' | 'by default' | 'auto_increment'
  /** MySQL and MariaDB: the character set. */
  readonly charset?: string
  /**
   * `default` is that of the database or, of DuckDB, of the session. `deterministic` is false if texts with different bytes can be equal.
   * DuckDB has no collations of views.
   */
  readonly collation?: { readonly name: string; readonly deterministic?: boolean }
  /** The maximum number of characters or bytes. */
  readonly length?: number
  /** The fractional digits of seconds. */
  readonly digits?: number
  /** The digits of a decimal. */
  readonly precision?: number
  /** The digits of a decimal after the point. */
  readonly scale?: number
  /** The number of different values, estimated from statistics or, on SQLite, MySQL and MariaDB, from the sampled rows. */
  readonly distinct?: number
  /** SQLite: the forms of the values in the sampled rows. */
  readonly sample?: Sample
}

/** The columns of a primary key or of a unique index. Two rows differ in these columns, unless one of the columns is NULL. */
export interface KeyFacts {
  readonly columns: readonly string[]
  readonly primary: boolean
  /** Whether two NULLs are two values: false for NULLS NOT DISTINCT of PostgreSQL. */
  readonly nullsDistinct: boolean
}

/** A foreign key: columns that have the values of a key in another table. */
export interface ForeignKeyFacts {
  /** Absent on SQLite. */
  readonly name?: string
  readonly columns: readonly string[]
  readonly table: readonly [schema: string, name: string]
  /** The columns of the other table. */
  readonly key: readonly string[]
  /** Whether all rows keep it. It is false for NOT VALID and NOT ENFORCED of PostgreSQL, and for a table with tables that inherit from it. */
  readonly validated: boolean
  /** Of PostgreSQL: whether a transaction can read rows before the database checks them. */
  readonly deferrable?: true
}

/** An index. */
export interface IndexFacts {
  readonly name: string
  /** In lower case: `btree`, `gin`, `hash`, `fulltext`; `art` of DuckDB; `rowid` for the order of an INTEGER PRIMARY KEY of SQLite. */
  readonly method: string
  readonly unique: boolean
  readonly primary: boolean
  /** Whether the planner ignores the index: PostgreSQL did not finish it, or MySQL or MariaDB declares it invisible or ignored. */
  readonly invalid: boolean
  /** The condition of a partial index. */
  readonly predicate?: string
  /** The INCLUDE columns. */
  readonly include: readonly string[]
  readonly entries: readonly IndexEntry[]
}

/** An entry of an index: a column or an expression. */
export interface IndexEntry {
  readonly column?: string
  readonly expression?: string
  readonly descending: boolean
  /** Whether NULL comes before the values. Indexes of DuckDB have no order. */
  readonly nullsFirst: boolean
  /** PostgreSQL: the class of operators, if it is not the default of the type. */
  readonly class?: string
  readonly collation?: string
  /** MySQL and MariaDB: the number of characters that the index contains of each text. Such an index serves no order and is not a key. */
  readonly prefix?: number
}
