/** What is wrong between a mapping and a database. */

/**
 * The kind of a {@link Finding}:
 *
 * - `table_missing`, `column_missing`: the database has none of this name, or the user may not read it.
 * - `column_type`: the type of the column is another one than the mapping reads.
 * - `stored_form`: SQLite, the rows hold another form than the mapping reads.
 * - `values`: rows hold values that the type cannot read, such as NaN.
 * - `required_null`, `required_nullable`: the schema requires a field, and its column has or may have NULL.
 * - `not_required`: the column is NOT NULL, and the schema does not say `required`.
 * - `not_null`: the mapping says `notNull`, and the column may be NULL.
 * - `collation`: the mapping says that the column has the order of code points, and its collation has another.
 * - `enum_values`: the values of a native enumeration and of the field differ.
 * - `key_not_unique`: two rows may have the same key.
 * - `key_type`: a foreign key has another type than the key that it refers to.
 * - `foreign_key_index`: no index finds the entries of a list.
 * - `time_zone`, `encoding`, `locale`, `sql_mode`, `float_digits`, `default_order`: a setting of the session.
 */
export type FindingCode =
  | 'table_missing'
  | 'column_missing'
  | 'column_type'
  | 'stored_form'
  | 'values'
  | 'required_null'
  | 'required_nullable'
  | 'not_required'
  | 'not_null'
  | 'collation'
  | 'enum_values'
  | 'key_not_unique'
  | 'key_type'
  | 'foreign_key_index'
  | 'time_zone'
  | 'encoding'
  | 'locale'
  | 'sql_mode'
  | 'float_digits'
  | 'default_order'

/** A difference between a mapping and a database. */
export interface Finding {
  /** `error`: rows are wrong or lost, or statements fail. `warning`: they may be, or they are slow. `info`: a chance. */
  readonly level: 'error' | 'warning' | 'info'
  readonly code: FindingCode
  /** The dotted path of the field; empty for the whole table or the session. */
  readonly path: string
  /** A sentence. */
  readonly message: string
  /** What to write: code of the mapping, or SQL. */
  readonly fix?: string
  readonly column?: { readonly schema?: string; readonly table: string; readonly name: string }
}
