/** The findings of `check`. */

/**
 * The kind of a {@link Finding}:
 *
 * - `table_missing`, `column_missing`: the database does not have the name, or the user cannot read it.
 * - `column_type`: the mapping cannot read the type of the column.
 * - `stored_form`: SQLite, rows contain a form that the mapping cannot read.
 * - `values`: rows contain values that the type cannot read, such as NaN.
 * - `required_null`, `required_nullable`: the schema requires a field, and its column contains or can contain NULL.
 * - `not_required`: the column is NOT NULL, and the field lacks `required`.
 * - `not_null`: the mapping has `notNull`, and the column can be NULL.
 * - `collation`: the mapping requires the order of code points, and the collation of the column differs.
 * - `enum_values`: the values of a native enumeration and of the field differ.
 * - `key_not_unique`: two rows may have the same key.
 * - `key_type`: the type of a foreign key differs from the type of its key.
 * - `foreign_key_missing`: the mapping promises `enforced`, and the database does not enforce the foreign key.
 * - `foreign_key_index`: a list has no index on its foreign key.
 * - `order_index`: no index has an order of the option `orders`.
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
  | 'foreign_key_missing'
  | 'foreign_key_index'
  | 'order_index'
  | 'time_zone'
  | 'encoding'
  | 'locale'
  | 'sql_mode'
  | 'float_digits'
  | 'default_order'

/** A difference between a mapping and a database. */
export interface Finding {
  /** `error`: results are wrong, or statements fail. `warning`: results can become wrong, or statements are slow. `info`: an option that makes them faster. */
  readonly level: 'error' | 'warning' | 'info'
  readonly code: FindingCode
  /** The dotted path of the field; empty for the whole table or the session. */
  readonly path: string
  /** The table, the column and the problem, as one sentence. */
  readonly message: string
  /** The code to write in the mapping, or the SQL to run. */
  readonly fix?: string
  readonly column?: { readonly schema?: string; readonly table: string; readonly name: string }
}
