/** Opens DuckDB, in process. @see https://duckdb.org/docs/stable/clients/node_neo/overview */
import {
  BIGINT,
  BOOLEAN,
  DOUBLE,
  DuckDBInstance,
  DuckDBScalarFunction,
  LIST,
  listValue,
  VARCHAR,
  type DuckDBType,
  type DuckDBValue,
} from '@duckdb/node-api'
import { duckdb, simpleLowerCase, type Dialect } from '../../../src/backends/sql/index.ts'
import type { Engine } from './engines.ts'

/** With the function that makes its lower-casing whole. */
export const wholeDuckdb: Dialect = { ...duckdb, lower: 'urlwhere_lower' }

const wholeLower = () =>
  DuckDBScalarFunction.create({
    name: 'urlwhere_lower',
    parameterTypes: [VARCHAR],
    returnType: VARCHAR,
    mainFunction: (_, input, output) => {
      for (const [at, text] of input.getColumnValues(0).entries()) {
        output.setItem(at, typeof text === 'string' ? simpleLowerCase(text) : null)
      }
      output.flush()
    },
  })

/** The type of a parameter: the driver takes whole numbers for 32 bits, and knows none for an empty list. */
const typeOf = (value: unknown): DuckDBType => {
  if (Array.isArray(value)) return LIST(typeOf((value as unknown[]).find((item) => item !== null)))
  if (typeof value === 'bigint') return BIGINT
  return typeof value === 'number' ? DOUBLE : typeof value === 'boolean' ? BOOLEAN : VARCHAR
}

export const duckdbColumns: Engine['declared'] = {
  string: 'VARCHAR',
  uuid: 'UUID',
  bigint: 'BIGINT',
  decimal: 'DECIMAL(38, 18)',
  integer: 'BIGINT',
  number: 'DOUBLE',
  boolean: 'BOOLEAN',
  date: 'DATE',
  datetime: 'TIMESTAMPTZ',
  time: 'TIME',
  json: 'JSON',
}

export async function openDuckdb(dialect: Dialect = duckdb): Promise<Engine> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' })
  const connection = await instance.connect()
  connection.registerScalarFunction(wholeLower())
  return {
    name: dialect === wholeDuckdb ? 'duckdb, lower-casing whole' : 'duckdb',
    dialect,
    declared: duckdbColumns,
    options: '',
    lacks: ['long-decimals'],
    stored: (type, value) => (type === 'json' ? JSON.stringify(value) : value),
    run: async (statement, parameters = []) => {
      const values = parameters.map((value) => (Array.isArray(value) ? listValue(value) : (value as DuckDBValue)))
      return (await connection.runAndReadAll(statement, values, parameters.map(typeOf))).getRowObjectsJS()
    },
    close: async () => {
      connection.closeSync()
      return Promise.resolve(instance.closeSync())
    },
    planning: { textIndexes: (column) => [`(${column})`], analyze: (table) => `ANALYZE ${table}` },
  }
}
