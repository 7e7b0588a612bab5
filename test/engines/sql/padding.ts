/**
 * Dialects for engines whose collations all pad, so that `'a'` equals `'a '`: they compare texts as bytes. OceanBase is such an engine;
 * the collation utf8mb4_bin of MariaDB is one, too. @see https://mariadb.com/docs/server/reference/data-types/string-data-types/character-sets
 */
import { mysql, type Dialect } from '../../../src/backends/sql/index.ts'
import { afterPrefix, compare, escapeLike, join, parameter, sql } from '../../../src/backends/sql/dialect/index.ts'
import type { Sql } from '../../../src/backends/sql/dialect/index.ts'
import { openMariadb, type Engine } from './engines.ts'

const bytes = (text: Sql): Sql => sql`CAST(${text} AS BINARY)`
const like = (pattern: (text: string) => string) => (value: Sql, operand: string, text: (text: string) => Sql) =>
  sql`${bytes(value)} LIKE ${bytes(text(pattern(escapeLike(operand, '!'))))} ESCAPE '!'`

/** Compares bytes where a dialect compares texts: those of UTF-8 have the order of code points, and are not padded. */
export const inBytes = (dialect: Dialect): Dialect => ({
  ...dialect,
  name: `${dialect.name}, padding`,
  // The groups of facets are bytes, and no column has the order of its bytes.
  types: {
    ...dialect.types,
    ...Object.fromEntries(
      Object.entries(dialect.types)
        .filter(([, { isText }]) => isText === true)
        .map(([type, text]) => [
          type,
          { ...text, isOrdered: false, selected: (bytes: Sql) => sql`CONVERT(${bytes} USING utf8mb4)` },
        ]),
    ),
  },
  among: (value, operands, type) =>
    type.isText === true
      ? sql`${bytes(value)} IN (${join(
          operands.map((text) => bytes(sql`${parameter(text)}`)),
          ', ',
        )})`
      : dialect.among(value, operands, type),
  textRules: {
    // The index of the column finds more rows, and the bytes are compared again.
    compare: (value, operator, text) =>
      operator === 'eq'
        ? sql`(${value} = ${text} AND ${bytes(value)} = ${bytes(text)})`
        : compare(bytes(value), operator, bytes(text)),
    differs: (value, text) => sql`NOT (${bytes(value)} <=> ${bytes(text)})`,
    ordered: bytes,
    cased: (value) => sql`CONVERT(${value} USING utf8mb4) COLLATE utf8mb4_bin`,
    prefix: (lowered, operand, text) => {
      const after = afterPrefix(operand)
      const from = compare(bytes(lowered), 'gte', bytes(text(operand)))
      return after === undefined ? from : sql`(${from} AND ${compare(bytes(lowered), 'lt', bytes(text(after)))})`
    },
    whole: (lowered, operand, text) => compare(bytes(lowered), 'eq', bytes(text(operand))),
    suffix: like((text) => `%${text}`),
    substring: like((text) => `%${text}%`),
  },
})

/** OceanBase's seekdb, whose one binary collation pads. */
export const oceanbase: Dialect = {
  ...inBytes(mysql),
  name: 'oceanbase',
  unlowered: {
    LOWER:
      /[\u0220\u023a-\u037f\u03cf-\u03d8\u03f4-\u03ff\u048a\u04c0\u04c5\u04c9\u04cd\u04f6\u04fa-\u052e\u10a0-\u1cbf\u1e9e\u1efa-\u1efe\u2132\u2183\u2c00-\ua7f5\u{10400}-\u{1e921}]/u,
  },
}

export async function openOceanbase(url: string): Promise<Engine> {
  const engine = await openMariadb(url, oceanbase)
  return { ...engine, weight: 4, declared: { ...engine.declared, string: 'TEXT COLLATE utf8mb4_bin' } }
}
