/**
 * The description of a database of PostgreSQL, 13 to 18, by its catalogue. `information_schema` hides the constraints of tables that the
 * user does not own, and lacks the keys of CREATE UNIQUE INDEX.
 *
 * @see https://www.postgresql.org/docs/current/catalogs.html
 */
import type { Database, IndexFacts, SchemaFacts, Session, TableFacts } from './database.ts'
import { keysOf, type UniqueIndex } from './keys.ts'
import { ask, groupBy, type Run } from './run.ts'

// `to_jsonb` returns NULL for columns that older versions do not have.
const sessionText = `SELECT json_strip_nulls(json_build_object(
  'version', current_setting('server_version'),
  'searchPath', current_schemas(false),
  'timeZone', current_setting('TimeZone'),
  'offset', extract(timezone FROM now())::int,
  'encoding', pg_encoding_to_char(d.encoding),
  'collation', d.datcollate,
  'ctype', d.datctype,
  'provider', coalesce(to_jsonb(d) ->> 'datlocprovider', 'c'),
  'locale', coalesce(to_jsonb(d) ->> 'datlocale', to_jsonb(d) ->> 'daticulocale'),
  'extraFloatDigits', current_setting('extra_float_digits')::int,
  'extensions', (SELECT json_object_agg(e.extname, e.extversion) FROM pg_extension AS e)
))::text AS c1
FROM pg_database AS d WHERE d.datname = current_database()`

/**
 * Lists the schemas of the parameter, or those of the search path that exist. `current_schemas` leaves out schemas without USAGE. A quoted
 * name in the path can contain commas. The statement contains its parameter only once, because some query builders replace each
 * occurrence.
 */
const schemasText = `WITH parameter AS (SELECT $1::text::json AS list), names AS (
  SELECT a.name, a.at, true AS asked FROM parameter, json_array_elements_text(list) WITH ORDINALITY AS a (name, at)
  UNION ALL
  SELECT CASE
      WHEN m.part[1] = '$user' OR m.part[3] = '$user' THEN current_user::text
      ELSE coalesce(replace(m.part[1], '""', '"'), lower(m.part[3]))
    END, m.at, false
  FROM parameter, regexp_matches(current_setting('search_path'), '"(([^"]|"")*)"|([^,"[:space:]]+)', 'g') WITH ORDINALITY AS m (part, at)
  WHERE json_array_length(list) = 0
)
SELECT json_build_object('name', s.name, 'access', CASE
    WHEN n.oid IS NULL THEN 'missing' WHEN has_schema_privilege(n.oid, 'USAGE') THEN 'readable' ELSE 'denied'
  END)::text AS c1
FROM names AS s LEFT JOIN pg_namespace AS n ON n.nspname = s.name WHERE s.asked OR n.oid IS NOT NULL ORDER BY s.at`

/**
 * Follows each chain of domains to its type. It returns the type, its modifier, and whether one of the domains is NOT NULL. Only one
 * domain of a chain has a modifier; the others have -1.
 */
const domainsText = `WITH RECURSIVE walk (domain, type, modifier, not_null, depth) AS (
  SELECT t.oid, t.typbasetype, t.typtypmod, t.typnotnull, 1 FROM pg_type AS t WHERE t.typtype = 'd'
  UNION ALL
  SELECT w.domain, t.typbasetype, greatest(w.modifier, t.typtypmod), w.not_null OR t.typnotnull, w.depth + 1
  FROM walk AS w JOIN pg_type AS t ON t.oid = w.type WHERE t.typtype = 'd'
), domains AS (SELECT DISTINCT ON (domain) * FROM walk ORDER BY domain, depth DESC)`

// In PostgreSQL 18, a NOT NULL constraint can be NOT VALID. Older rows then can contain NULL.
// @see src/backend/utils/adt/numeric.c of PostgreSQL: the scale of a modifier has eleven bits, the first of which is its sign.
const columnsText = `SELECT json_agg(json_build_object(
    'name', a.attname,
    'type', format_type(a.atttypid, a.atttypmod),
    'base', CASE WHEN d.domain IS NOT NULL THEN format_type(b.oid, m.own) END,
    'entry', CASE WHEN t.oid <> b.oid THEN format_type(t.oid, m.entry) END,
    'typeName', t.typname,
    'typeSchema', tn.nspname,
    'enum', (SELECT json_agg(v.enumlabel ORDER BY v.enumsortorder) FROM pg_enum AS v WHERE v.enumtypid = t.oid),
    'notNull', coalesce(d.not_null, false) OR a.attnotnull AND NOT EXISTS (
      SELECT FROM pg_constraint AS k
      WHERE k.conrelid = a.attrelid AND k.contype = 'n' AND k.conkey = ARRAY[a.attnum] AND NOT k.convalidated
    ),
    'readable', has_column_privilege(c.oid, a.attnum, 'SELECT'),
    'default', CASE WHEN a.attgenerated = '' THEN pg_get_expr(f.adbin, f.adrelid) END,
    'generated', CASE a.attgenerated WHEN 's' THEN 'stored' WHEN 'v' THEN 'virtual' END,
    'identity', CASE a.attidentity WHEN 'a' THEN 'always' WHEN 'd' THEN 'by default' END,
    'collation', (
      SELECT json_build_object('name', o.collname, 'deterministic', o.collisdeterministic)
      FROM pg_collation AS o WHERE o.oid = a.attcollation
    ),
    'length', CASE WHEN t.typname IN ('varchar', 'bpchar') AND m.entry >= 4 THEN m.entry - 4 END,
    'digits', CASE WHEN t.typname IN ('time', 'timetz', 'timestamp', 'timestamptz') THEN
      CASE WHEN m.entry >= 0 THEN m.entry ELSE 6 END
    END,
    'precision', CASE WHEN t.typname = 'numeric' AND m.entry >= 4 THEN (m.entry - 4) >> 16 & 65535 END,
    'scale', CASE WHEN t.typname = 'numeric' AND m.entry >= 4 THEN ((m.entry - 4) & 2047 # 1024) - 1024 END
  ) ORDER BY a.attnum)
  FROM pg_attribute AS a
  LEFT JOIN domains AS d ON d.domain = a.atttypid
  JOIN pg_type AS b ON b.oid = coalesce(d.type, a.atttypid)
  LEFT JOIN domains AS e ON b.typcategory = 'A' AND e.domain = b.typelem
  JOIN pg_type AS t ON t.oid = CASE WHEN b.typcategory = 'A' AND b.typelem <> 0 THEN coalesce(e.type, b.typelem) ELSE b.oid END
  CROSS JOIN LATERAL (SELECT coalesce(d.modifier, a.atttypmod) AS own, coalesce(e.modifier, d.modifier, a.atttypmod) AS entry) AS m
  JOIN pg_namespace AS tn ON tn.oid = t.typnamespace
  LEFT JOIN pg_attrdef AS f ON f.adrelid = a.attrelid AND f.adnum = a.attnum
  WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped`

const namesOf = (table: string, numbers: string) => `(
    SELECT json_agg(x.attname ORDER BY k.at) FROM unnest(${numbers}) WITH ORDINALITY AS k (number, at)
    JOIN pg_attribute AS x ON x.attrelid = ${table} AND x.attnum = k.number
  )`

// A table that inherits has no foreign key of its own, and its rows are rows of the other table too.
// A foreign key to a partitioned table has further constraints, one for each partition. They have the first one as parent.
const foreignKeysText = `SELECT json_agg(json_build_object(
    'name', f.conname,
    'columns', ${namesOf('f.conrelid', 'f.conkey')},
    'table', json_build_array(pn.nspname, p.relname),
    'key', ${namesOf('f.confrelid', 'f.confkey')},
    'validated', f.convalidated AND NOT (c.relkind = 'r' AND c.relhassubclass),
    'deferrable', nullif(f.condeferrable, false)
  ) ORDER BY f.conname)
  FROM pg_constraint AS f JOIN pg_class AS p ON p.oid = f.confrelid JOIN pg_namespace AS pn ON pn.oid = p.relnamespace
  WHERE f.conrelid = c.oid AND f.contype = 'f'
  AND NOT EXISTS (SELECT FROM pg_constraint AS g WHERE g.oid = f.conparentid AND g.conrelid = f.conrelid)`

// The columns after the key columns are INCLUDE columns. Of `indoption`, bit 0 is DESC and bit 1 NULLS FIRST.
const indexesText = `SELECT json_agg(json_build_object(
    'name', x.relname,
    'method', m.amname,
    'unique', i.indisunique,
    'primary', i.indisprimary,
    'invalid', NOT i.indisvalid,
    'nullsDistinct', NOT coalesce((to_jsonb(i) ->> 'indnullsnotdistinct')::boolean, false),
    'predicate', pg_get_expr(i.indpred, i.indrelid, true),
    'include', coalesce(${namesOf('i.indrelid', '(i.indkey::int2[])[i.indnkeyatts:]')}, '[]'),
    'entries', (
      SELECT json_agg(json_build_object(
        'column', a.attname,
        'expression', CASE WHEN k.number = 0 THEN pg_get_indexdef(i.indexrelid, k.at::int, true) END,
        'descending', k.flags & 1 = 1,
        'nullsFirst', k.flags & 2 = 2,
        'class', CASE WHEN NOT p.opcdefault THEN p.opcname END,
        'collation', o.collname
      ) ORDER BY k.at)
      FROM unnest(i.indkey::int2[], i.indoption::int2[], i.indclass::oid[], i.indcollation::oid[])
        WITH ORDINALITY AS k (number, flags, operators, ordering, at)
      JOIN pg_opclass AS p ON p.oid = k.operators
      LEFT JOIN pg_attribute AS a ON a.attrelid = i.indrelid AND a.attnum = k.number
      LEFT JOIN pg_collation AS o ON o.oid = k.ordering
    )
  ) ORDER BY i.indisprimary DESC, x.relname)
  FROM pg_index AS i JOIN pg_class AS x ON x.oid = i.indexrelid JOIN pg_am AS m ON m.oid = x.relam
  WHERE i.indrelid = c.oid`

// Before version 14, the estimate of a table without ANALYZE is 0. A partitioned table often has no estimate.
const rowsText = `coalesce(
    CASE WHEN c.reltuples > 0 OR c.reltuples = 0 AND current_setting('server_version_num')::int >= 140000 THEN c.reltuples END,
    CASE c.relkind WHEN 'p' THEN (
      SELECT sum(l.reltuples) FROM pg_partition_tree(c.oid) AS s JOIN pg_class AS l ON l.oid = s.relid WHERE s.isleaf AND l.reltuples > 0
    ) END
  )::bigint`

// `e` marks a table of an extension. Tables that only inherit are not partitions.
const tablesText = `${domainsText}
SELECT json_strip_nulls(json_build_object(
  'schema', n.nspname,
  'name', c.relname,
  'kind', CASE c.relkind
    WHEN 'r' THEN 'table' WHEN 'p' THEN 'partitioned' WHEN 'v' THEN 'view' WHEN 'm' THEN 'materialized view'
    ELSE 'foreign table'
  END,
  'partitionOf', CASE WHEN c.relispartition THEN (
    SELECT json_build_array(pn.nspname, p.relname)
    FROM pg_inherits AS h JOIN pg_class AS p ON p.oid = h.inhparent JOIN pg_namespace AS pn ON pn.oid = p.relnamespace
    WHERE h.inhrelid = c.oid
  ) END,
  'rows', ${rowsText},
  'readable', has_any_column_privilege(c.oid, 'SELECT'),
  'rls', c.relrowsecurity,
  'columns', coalesce((${columnsText}), '[]'),
  'foreignKeys', coalesce((${foreignKeysText}), '[]'),
  'indexes', coalesce((${indexesText}), '[]')
))::text AS c1
FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND n.nspname IN (SELECT json_array_elements_text($1::text::json))
AND (SELECT json_array_length(o.list) = 0 OR c.relname IN (SELECT json_array_elements_text(o.list)) FROM (SELECT $2::text::json AS list) AS o)
AND NOT EXISTS (SELECT FROM pg_depend AS d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
ORDER BY n.nspname, c.relname`

// A negative number is a fraction of the rows. A partitioned table needs the statistics that include its partitions.
const statisticsText = `SELECT json_build_object(
  'table', json_build_array(s.schemaname, s.tablename), 'column', s.attname, 'distinct', max(s.n_distinct)
)::text AS c1
FROM pg_stats AS s WHERE s.schemaname IN (SELECT json_array_elements_text($1::text::json)) AND s.n_distinct <> 0
GROUP BY s.schemaname, s.tablename, s.attname`

interface TableRow extends Omit<TableFacts, 'keys' | 'indexes'> {
  readonly indexes: readonly UniqueIndex[]
}
interface StatisticsRow {
  readonly table: readonly [schema: string, name: string]
  readonly column: string
  readonly distinct: number
}

export async function inspectPostgres(
  run: Run,
  asked: readonly string[] = [],
  _sample?: number | 'all',
  only: readonly string[] = [],
): Promise<Database> {
  const [session] = await ask<Session>(run, sessionText)
  const schemas = await ask<SchemaFacts>(run, schemasText, [JSON.stringify(asked)])
  const names = JSON.stringify(schemas.filter(({ access }) => access === 'readable').map(({ name }) => name))
  const parameters = [names, JSON.stringify(only)]
  const tables = await ask<TableRow>(run, tablesText, parameters)
  const statistics = groupBy(await ask<StatisticsRow>(run, statisticsText, [names]), ({ table }) => String(table))
  return {
    engine: 'postgres',
    session: session!,
    schemas,
    tables: tables.map((table) => tableFacts(table, statistics.get(String([table.schema, table.name])) ?? [])),
  }
}

/** Converts a row of the statement to the facts of a table. */
export function tableFacts(
  { columns, foreignKeys, indexes, ...table }: TableRow,
  statistics: readonly StatisticsRow[],
): TableFacts {
  const distinctOf = (column: string) => {
    const distinct = statistics.find((one) => one.column === column)?.distinct
    if (distinct === undefined || distinct > 0) return distinct
    return table.rows === undefined ? undefined : Math.round(-distinct * table.rows)
  }
  return {
    ...table,
    columns: columns.map((column) => {
      const distinct = distinctOf(column.name)
      return distinct === undefined ? column : { ...column, distinct }
    }),
    keys: keysOf(indexes.filter(({ invalid }) => !invalid)),
    foreignKeys,
    indexes: indexes.map(({ nullsDistinct: _, ...index }): IndexFacts => index),
  }
}
