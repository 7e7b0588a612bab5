/**
 * Vitess 24 over MySQL: keyspaces of several shards. A keyspace of one shard passes statements on, so it has the dialect of MySQL.
 *
 * @see https://vitess.io/docs/24.0/reference/compatibility/mysql-compatibility/
 */
import { amongEach, frozen, type Dialect } from './dialect.ts'
import { mysql } from './mysql.ts'
import { raw, sql, type Parameter, type Sql } from './sql.ts'

/**
 * A prepared statement of some drivers sends a number as a double, and `hash` finds no row for a negative one.
 *
 * @see https://github.com/vitessio/vitess/blob/v24.0.0/go/vt/vtgate/vindexes/hash.go
 */
const castToInteger = (operand: Parameter): Sql => sql`CAST(${operand} AS SIGNED)`

/**
 * Vitess 24 with several shards, tested on two of them over MySQL 9.7. It is {@link mysql} without JSON_TABLE, which Vitess refuses:
 * `in` has a placeholder for each operand, and a mapping has no lists in JSON.
 */
export const vitess: Dialect = /* @__PURE__ */ frozen(() => {
  // A part of a UNION would have its own limit on each shard.
  const {
    types,
    json,
    select,
    splitsPositions: ____,
    splitsNulls: _______,
    lateColumns: _____,
    walksParents: ______,
    ...rest
  } = mysql
  const { entries: _, exists: __, contains: ___, readsKeys: ________, ...scalars } = json!
  const [bigint, datetime] = [types.bigint!, types.datetime!]
  const { integer } = bigint.as!
  return {
    ...rest,
    name: 'vitess',
    types: {
      ...types,
      enum: { holds: ['string'], isText: true },
      bigint: {
        ...bigint,
        as: { ...bigint.as, integer: { of: (options) => ({ ...integer!.of!(options), cast: castToInteger }) } },
      },
      datetime: {
        ...datetime,
        // The index of a column of whole seconds finds the operand rounded; the other looks again.
        among: (column, operands) =>
          sql`(${amongEach(column, operands, datetime.cast)} AND ${amongEach(sql`CAST(${column} AS DATETIME(6))`, operands, datetime.cast)})`,
      },
    },
    among: (value, operands, type) =>
      type.isText === true ? mysql.among(value, operands, type) : amongEach(value, operands, type.cast),
    needsListed: false,
    // It puts a subquery into the statement of a shard where this groups by the column that the tables are sharded by. It has no lists in JSON, so there are keys.
    atLeast: (rows, keys, count, negated) =>
      sql`${raw(negated ? 'NOT EXISTS' : 'EXISTS')} (SELECT 1 FROM ${rows} GROUP BY ${keys!} HAVING count(*) >= ${count})`,
    // It loses groups of a UNION whose parts it does not send to the shards as one.
    countsLists: false,
    mostRanges: 1,
    // Its planner refuses an aggregate in the subquery of another.
    select: { ...select!, nested: false },
    json: scalars,
    preconditions: [
      ...mysql.preconditions,
      'rows of related tables are on the shard of their row: key and foreignKey have the columns that both tables are sharded by',
    ],
  }
})
