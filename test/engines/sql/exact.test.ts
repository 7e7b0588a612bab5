/**
 * Uuids, bigints, decimals and microseconds in every kind of column, by cases worked out by hand: each operator, its negation,
 * orders and positions, with and without an index, in tables of so many rows that planners use it.
 */
import { describe, expect, test } from 'vitest'
import { column, jsonColumn, sqlBackend, table, type ColumnOptions } from '../../../src/backends/sql/index.ts'
import {
  defineCollection,
  defineSchema,
  field,
  not,
  parseFilterOrThrow,
  parseQueryOrThrow,
  toPage,
  type EntryField,
} from '../../../src/index.ts'
import { checkColumns } from '../../../src/tools/inspect/index.ts'
import { dialectOf, openAllEngines } from './all-engines.ts'
import type { Engine } from './engines.ts'
import { between, together } from './together.ts'

const engines = await openAllEngines()

interface Kind {
  readonly field: EntryField
  /** In ascending order. A row without a value follows them. */
  readonly values: readonly (string | number | boolean)[]
  /** What is after `v`, and the values that it selects, by their place; `values.length` is the row without one. */
  readonly cases: readonly (readonly [query: string, selected: string])[]
}

const low = '018f3c2e-1111-7abc-8def-0123456789ab'
const version1 = '6ba7b810-9dad-11d1-80b4-00c04fd430c8'
const long = '12345678901234567890123456789012'
const kinds = {
  // A time-based order, as that of MariaDB, has version 1 in another place.
  uuid: {
    field: field.uuid(),
    values: [
      '00000000-0000-0000-0000-000000000000',
      low,
      '018f3c2e-1111-7abc-8def-0123456789ac',
      '10000000-0000-4000-8000-ffffffffffff',
      version1,
      '7ba7b810-9dad-11d0-80b4-00c04fd430c8',
      'ffffffff-ffff-ffff-ffff-ffffffffffff',
    ],
    cases: [
      [`=${version1}`, '4'],
      [`=${version1.toUpperCase()}`, '4'],
      ['=6ba7b810-9dad-11d1-80b4-00c04fd430c9', ''],
      [`[notEqual]=${low.toUpperCase()}`, '0 2 3 4 5 6 7'],
      [`[gt]=${low}`, '2 3 4 5 6'],
      [`[gte]=${version1}`, '4 5 6'],
      [`[lt]=${version1.toUpperCase()}`, '0 1 2 3'],
      [`[lte]=${low}`, '0 1'],
      [`[in]=${version1},${low},00000000-0000-0000-0000-000000000001`, '1 4'],
      [`[nin]=${version1},${low},00000000-0000-0000-0000-000000000000`, '2 3 5 6 7'],
      [`[range]=10000000-0000-0000-0000-000000000000,${version1}`, '3 4'],
      ['[exists]=true', '0 1 2 3 4 5 6'],
      ['[exists]=false', '7'],
    ],
  },
  bigint: {
    field: field.bigint(),
    values: [
      '-9223372036854775808',
      '-9223372036854775807',
      '0',
      '9007199254740992',
      '9007199254740993',
      '9223372036854775806',
      '9223372036854775807',
    ],
    cases: [
      ['=9007199254740993', '4'],
      ['=9007199254740992', '3'],
      ['=9007199254740994', ''],
      ['=-0', '2'],
      ['=-9223372036854775808', '0'],
      ['[notEqual]=9007199254740993', '0 1 2 3 5 6 7'],
      ['[gt]=9007199254740992', '4 5 6'],
      ['[gt]=9223372036854775807', ''],
      ['[gte]=9223372036854775807', '6'],
      ['[lt]=-9223372036854775807', '0'],
      ['[lte]=9007199254740993', '0 1 2 3 4'],
      ['[in]=9007199254740993,-9223372036854775808,5', '0 4'],
      ['[nin]=9007199254740993,9223372036854775807', '0 1 2 3 5 7'],
      ['[range]=9007199254740993,9223372036854775806', '4 5'],
      ['[exists]=false', '7'],
    ],
  },
  decimal: {
    field: field.decimal(),
    values: [`-${long}.34`, '-0.5', '0', '0.1', '1.1', '1.105', `${long}.34`, `${long}.35`],
    cases: [
      ['=1.1', '4'],
      ['=1.10', '4'],
      ['=-0.0', '2'],
      ['=0.1', '3'],
      [`=${long}.34`, '6'],
      ['=1.100000000000000000000000000000001', ''],
      ['[notEqual]=1.1', '0 1 2 3 5 6 7 8'],
      ['[notEqual]=1.100000000000000000000000000000001', '0 1 2 3 4 5 6 7 8'],
      ['[gt]=1.100000000000000000000000000000001', '5 6 7'],
      ['[gte]=1.099999999999999999999999999999999', '4 5 6 7'],
      ['[lt]=-0.5000000000000000000000000000000001', '0'],
      ['[lte]=-0.4999999999999999999999999999999999', '0 1'],
      [`[gt]=${long}.34`, '7'],
      [`[lt]=${long}.35`, '0 1 2 3 4 5 6'],
      ['[gt]=9999999999999999999999999999999999', ''],
      ['[lt]=9999999999999999999999999999999999', '0 1 2 3 4 5 6 7'],
      ['[gte]=-9999999999999999999999999999999999', '0 1 2 3 4 5 6 7'],
      [`[in]=0.1,${long}.35,1.105000000000000000000000000000001`, '3 7'],
      ['[in]=0.1000000000000000000000000000000001', ''],
      ['[nin]=1.10,-0.5,1.100000000000000000000000000000001', '0 2 3 5 6 7 8'],
      ['[range]=0.1,1.105', '3 4 5'],
      ['[exists]=false', '8'],
    ],
  },
  scaled: {
    field: field.decimal(),
    values: ['-92233720368547758.08', '-0.01', '0', '1.1', '1.11', '92233720368547758.06', '92233720368547758.07'],
    cases: [
      ['=1.10', '3'],
      ['=1.105', ''],
      ['=92233720368547758.06', '5'],
      ['=92233720368547758.08', ''],
      ['[notEqual]=1.11', '0 1 2 3 5 6 7'],
      ['[notEqual]=9999999999999999999999', '0 1 2 3 4 5 6 7'],
      ['[gt]=1.105', '4 5 6'],
      ['[gte]=1.105', '4 5 6'],
      ['[lt]=1.105', '0 1 2 3'],
      ['[lte]=1.105', '0 1 2 3'],
      ['[gt]=-0.005', '2 3 4 5 6'],
      ['[lt]=-0.005', '0 1'],
      ['[gt]=92233720368547758.07', ''],
      ['[gte]=92233720368547758.065', '6'],
      ['[gt]=92233720368547758.075', ''],
      ['[lte]=-92233720368547758.08', '0'],
      ['[lt]=-92233720368547758.085', ''],
      ['[lt]=9999999999999999999999', '0 1 2 3 4 5 6'],
      ['[gte]=-9999999999999999999999', '0 1 2 3 4 5 6'],
      ['[lt]=-9999999999999999999999', ''],
      ['[in]=1.11,1.115,92233720368547758.06,9999999999999999999999', '4 5'],
      ['[nin]=1.115,9999999999999999999999', '0 1 2 3 4 5 6 7'],
      ['[range]=-0.005,1.105', '2 3'],
      ['[exists]=false', '7'],
    ],
  },
  microseconds: {
    field: field.datetime(),
    values: [
      '1970-01-01T00:00:01.999999Z',
      '2024-02-29T23:59:59.123Z',
      '2024-02-29T23:59:59.123456Z',
      '2024-02-29T23:59:59.123457Z',
      '2024-02-29T23:59:59.124Z',
      '2024-03-01T00:00:00.000Z',
    ],
    cases: [
      ['=2024-02-29T23:59:59.123Z', '1'],
      ['=2024-02-29T23:59:59.123456Z', '2'],
      ['=2024-02-29T23:59:59.123458Z', ''],
      ['=2024-03-01T08:59:59.123456%2B09:00', '2'],
      ['=1970-01-01T00:00:01.999999Z', '0'],
      ['=2024-02-29', '1 2 3 4'],
      ['[notEqual]=2024-02-29T23:59:59.123456Z', '0 1 3 4 5 6'],
      ['[gt]=2024-02-29T23:59:59.123Z', '2 3 4 5'],
      ['[gt]=2024-02-29T23:59:59.123456Z', '3 4 5'],
      ['[gte]=2024-02-29T23:59:59.123456Z', '2 3 4 5'],
      ['[gte]=2024-02-29T23:59:59.1234565Z', 'refused'],
      ['[lt]=2024-02-29T23:59:59.123456Z', '0 1'],
      ['[lt]=2024-02-29T23:59:59.124Z', '0 1 2 3'],
      ['[lte]=2024-02-29T23:59:59.123456Z', '0 1 2'],
      ['[lte]=2024-02-29T23:59:59.123Z', '0 1'],
      ['[gt]=2024-02-29', '5'],
      ['[in]=2024-02-29T23:59:59.123Z,2024-02-29T23:59:59.123457Z', '1 3'],
      ['[in]=2024-02-29T23:59:59.123458Z', ''],
      ['[nin]=2024-02-29T23:59:59.123Z,2024-02-29T23:59:59.123456Z', '0 3 4 5 6'],
      ['[range]=2024-02-29T23:59:59.123001Z,2024-02-29T23:59:59.123456Z', '2'],
      ['[exists]=false', '6'],
    ],
  },
  milliseconds: {
    field: field.datetime(),
    values: [
      '1970-01-01T00:00:01.999Z',
      '2024-02-29T23:59:59.123Z',
      '2024-02-29T23:59:59.124Z',
      '2024-03-01T00:00:00.000Z',
    ],
    cases: [
      ['=2024-02-29T23:59:59.123Z', '1'],
      ['=2024-02-29T23:59:59.123456Z', ''],
      ['=2024-02-29T23:59:59.123999Z', ''],
      ['[notEqual]=2024-02-29T23:59:59.123456Z', '0 1 2 3 4'],
      ['[gt]=2024-02-29T23:59:59.123456Z', '2 3'],
      ['[gte]=2024-02-29T23:59:59.123999Z', '2 3'],
      ['[lt]=2024-02-29T23:59:59.123001Z', '0 1'],
      ['[lte]=2024-02-29T23:59:59.123999Z', '0 1'],
      ['[lt]=2024-02-29T23:59:59.123Z', '0'],
      ['[in]=2024-02-29T23:59:59.123456Z,2024-02-29T23:59:59.124Z', '2'],
      ['[in]=2024-02-29T23:59:59.123999Z', ''],
      ['[nin]=2024-02-29T23:59:59.123999Z', '0 1 2 3 4'],
      ['[range]=2024-02-29T23:59:59.122999Z,2024-02-29T23:59:59.123001Z', '1'],
      ['[exists]=false', '4'],
    ],
  },
  seconds: {
    field: field.datetime(),
    values: ['2024-02-29T23:59:58.000Z', '2024-02-29T23:59:59.000Z', '2024-03-01T00:00:00.000Z'],
    cases: [
      ['=2024-02-29T23:59:59Z', '1'],
      ['=2024-02-29T23:59:59.4Z', ''],
      ['=2024-02-29T23:59:58.6Z', ''],
      ['=2024-02-29T23:59:58.999999Z', ''],
      ['[notEqual]=2024-02-29T23:59:58.6Z', '0 1 2 3'],
      ['[gt]=2024-02-29T23:59:59.4Z', '2'],
      ['[gt]=2024-02-29T23:59:58.6Z', '1 2'],
      ['[gte]=2024-02-29T23:59:59.000001Z', '2'],
      ['[lt]=2024-02-29T23:59:59.6Z', '0 1'],
      ['[lte]=2024-02-29T23:59:58.999999Z', '0'],
      ['[in]=2024-02-29T23:59:58.6Z,2024-03-01T00:00:00Z', '2'],
      ['[nin]=2024-02-29T23:59:58.6Z', '0 1 2 3'],
      ['[exists]=false', '3'],
    ],
  },
  // Each value is the shortest decimal that parses to its float of 32 bits: 12.3 parses to 12.300000190734863, and 12.300001 to the next.
  real: {
    field: field.number(),
    values: [-3.4e38, -1_929_800.2, 0, 1e-37, 0.1, 12.3, 12.300001, 16_777_216],
    cases: [
      ['=12.3', '5'],
      ['=12.300000190734863', ''],
      ['=12.300001', '6'],
      ['=0.1', '4'],
      ['=0.10000000149011612', ''],
      ['=-1929800.2', '1'],
      ['=-1929800.25', ''],
      ['=16777217', ''],
      ['=1e300', ''],
      ['[notEqual]=12.3', '0 1 2 3 4 6 7 8'],
      ['[notEqual]=12.3000001', '0 1 2 3 4 5 6 7 8'],
      ['[gt]=12.3', '6 7'],
      ['[gt]=12.2999999', '5 6 7'],
      ['[gt]=12.3000001', '6 7'],
      ['[gte]=12.3000001', '6 7'],
      ['[gte]=12.3', '5 6 7'],
      ['[lt]=12.3', '0 1 2 3 4'],
      ['[lt]=12.3000001', '0 1 2 3 4 5'],
      ['[lte]=12.2999999', '0 1 2 3 4'],
      ['[lte]=12.3', '0 1 2 3 4 5'],
      ['[gt]=1e-45', '3 4 5 6 7'],
      ['[lt]=1e300', '0 1 2 3 4 5 6 7'],
      ['[gt]=1e300', ''],
      ['[gte]=-1e300', '0 1 2 3 4 5 6 7'],
      ['[lte]=-1e300', ''],
      ['[in]=12.3,0.1,12.3000001', '4 5'],
      ['[nin]=12.3,1e300', '0 1 2 3 4 6 7 8'],
      ['[range]=0.1,12.3', '4 5'],
      ['[exists]=false', '8'],
    ],
  },
  // PostgreSQL removes spaces at the end of char(n), so no value ends in one.
  char: {
    field: field.string(),
    values: ['', ' a', 'A', 'a', 'ab', 'é'],
    cases: [
      ['=a', '3'],
      ['=a%20', ''],
      ['=%20a', '1'],
      ['=', '0'],
      ['[notEqual]=a', '0 1 2 4 5 6'],
      ['[notEqual]=a%20', '0 1 2 3 4 5 6'],
      ['[gt]=a', '4 5'],
      ['[gte]=a%20', '4 5'],
      ['[lt]=A', '0 1'],
      ['[lte]=a', '0 1 2 3'],
      ['[in]=a,A,a%20', '2 3'],
      ['[in]=a%20', ''],
      ['[nin]=a%20,ab', '0 1 2 3 5 6'],
      ['[startsWith]=a', '2 3 4'],
      ['[endsWith]=a', '1 2 3'],
      ['[contains]=%20', '1'],
      ['[exists]=false', '6'],
    ],
  },
  latin: {
    field: field.string(),
    values: ['', '?', 'A', 'a', 'a ', 'é'],
    cases: [
      ['=a', '3'],
      ['=a%20', '4'],
      ['=%C3%A9', '5'],
      ['=%C4%80', ''],
      ['=?', '1'],
      ['[notEqual]=%C4%80', '0 1 2 3 4 5 6'],
      ['[gt]=a', '4 5'],
      ['[lt]=a', '0 1 2'],
      ['[lte]=%C3%A9', '0 1 2 3 4 5'],
      ['[gt]=%C4%80', ''],
      ['[in]=%C4%80,a,%C3%A9', '3 5'],
      ['[nin]=%C4%80,a', '0 1 2 4 5 6'],
      ['[startsWith]=a', '2 3 4'],
      ['[contains]=%C4%80', ''],
      ['[exists]=false', '6'],
    ],
  },
  timeOfDay: {
    field: field.string(),
    values: ['00:00:00', '09:30:00', '09:30:00.25', '23:59:59.999999', '24:00:00'],
    cases: [
      ['=09:30:00', '1'],
      ['=09:30', ''],
      ['=9:30:00', ''],
      ['=09:30:00.250', ''],
      ['=09:30:00.25', '2'],
      ['=24:00:00', '4'],
      ['=25:00:00', ''],
      ['=now', ''],
      ['[notEqual]=09:30', '0 1 2 3 4 5'],
      ['[gt]=09:30', '1 2 3 4'],
      ['[lt]=09:30:00.25', '0 1'],
      ['[in]=09:30:00,24:00:00', '1 4'],
      ['[in]=09:30:00,never', '1'],
      ['[nin]=09:30:00,never', '0 2 3 4 5'],
      ['[startsWith]=09:', '1 2'],
      ['[exists]=false', '5'],
    ],
  },
  truth: {
    field: field.boolean(),
    values: [false, true],
    cases: [
      ['=true', '1'],
      ['=false', '0'],
      ['[notEqual]=true', '0 2'],
      ['[exists]=false', '2'],
    ],
  },
  year: {
    field: field.integer(),
    values: [1901, 1999, 2020, 2155],
    cases: [
      ['=2020', '2'],
      ['=20', ''],
      ['=0', ''],
      ['=99', ''],
      ['[notEqual]=20', '0 1 2 3 4'],
      ['[gt]=20', '0 1 2 3'],
      ['[gte]=2020', '2 3'],
      ['[lt]=99', ''],
      ['[lte]=1999', '0 1'],
      ['[in]=20,1999', '1'],
      ['[nin]=20,99', '0 1 2 3 4'],
      ['[range]=0,2020', '0 1 2'],
      ['[exists]=false', '4'],
    ],
  },
  // The type declares its values in another order.
  named: {
    field: field.string(),
    values: ['', 'A', 'a', 'z'],
    cases: [
      ['=a', '2'],
      ['=b', ''],
      ['[notEqual]=b', '0 1 2 3 4'],
      ['[gt]=A', '2 3'],
      ['[lt]=b', '0 1 2'],
      ['[in]=z,b', '3'],
      ['[nin]=z,b', '0 1 2 4'],
      ['[startsWith]=a', '1 2'],
      ['[exists]=false', '4'],
    ],
  },
} as const satisfies Record<string, Kind>

/** How a column is declared and mapped, and what is inserted of a value; the value itself unless given. */
interface Place {
  readonly kind: keyof typeof kinds
  readonly declared: string
  readonly column?: { readonly type?: string; readonly digits?: number }
  readonly isJson?: boolean
  readonly stored?: (value: never, at: number) => unknown
  /** In SQL, of the parameter. */
  readonly inserted?: (parameter: string) => string
}
const upper = (value: string) => value.toUpperCase()
const everyOther = (value: string, at: number) => (at % 2 === 0 ? value : value.toUpperCase())
const withoutPoint = (value: string) => {
  const [whole, fraction = ''] = value.split('.')
  return BigInt(whole! + fraction.padEnd(2, '0'))
}
const integer = (value: string) => BigInt(value)
const inText = (value: string) => JSON.stringify(value)
const inSql = (value: string) => value.slice(0, -1).replace('T', ' ')
const epoch = (value: string) => Date.parse(value)
const epochSecond = (value: string) => Date.parse(value) / 1_000
const noFraction = (value: string) => `${value.slice(0, 19)}Z`
const inSqlSeconds = (value: string) => value.slice(0, 19).replace('T', ' ')
/** Writes moments in each form that `anyText` reads, one after the other. */
const inAnyForm = (value: string, at: number) =>
  [value, value.replace('T', ' '), `${inSqlSeconds(value)}.${value.slice(20, 23)}+00:00`, value.slice(0, -1)][at % 4]
const counted = (value: boolean, at: number) => (value ? [-1, 2, 7][at % 3] : 0)
const sixDigits = (value: string) => `${value.slice(0, -1).padEnd(26, '0')}Z`
/** Zeros at the end of the fraction, and exponents, are no other value. */
const withZero = (value: string) => (value.includes('.') ? `${value}0` : value)
const scaled = { type: 'scaled', digits: 2 }
const jsonOf = (declared: string): Place[] => [
  { kind: 'uuid', declared, isJson: true, stored: (value, at) => inText(everyOther(value, at)) },
  { kind: 'bigint', declared, isJson: true, stored: inText },
  { kind: 'microseconds', declared, isJson: true, stored: inText },
]
const decimalInJson = (declared: string): Place => ({
  kind: 'decimal',
  declared,
  isJson: true,
  stored: (value) => inText(withZero(value)),
})
const ofBoth: readonly Place[] = [
  ...['utf8mb4', 'ascii', 'latin1', 'utf8mb4 COLLATE utf8mb4_general_ci', 'utf8mb4 COLLATE utf8mb4_unicode_ci'].map(
    (set): Place => ({ kind: 'uuid', declared: `CHAR(36) CHARACTER SET ${set}`, stored: everyOther }),
  ),
  { kind: 'uuid', declared: 'VARCHAR(40) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin' },
  { kind: 'uuid', declared: 'CHAR(36) CHARACTER SET ascii COLLATE ascii_bin' },
  {
    kind: 'uuid',
    declared: 'BINARY(16)',
    column: { type: 'uuidBytes' },
    stored: (value: string) => value.replaceAll('-', ''),
    inserted: (parameter) => `UNHEX(${parameter})`,
  },
  { kind: 'bigint', declared: 'BIGINT' },
  { kind: 'decimal', declared: 'DECIMAL(65, 30)' },
  { kind: 'decimal', declared: 'DECIMAL(38, 3)' },
  { kind: 'scaled', declared: 'DECIMAL(20, 2)' },
  { kind: 'scaled', declared: 'BIGINT', column: scaled, stored: withoutPoint },
  { kind: 'microseconds', declared: 'DATETIME(6)', stored: inSql },
  { kind: 'microseconds', declared: 'TIMESTAMP(6) NULL', stored: inSql },
  { kind: 'microseconds', declared: 'VARCHAR(30)', column: { type: 'text' } },
  { kind: 'microseconds', declared: 'VARCHAR(30)', column: { type: 'text', digits: 6 }, stored: sixDigits },
  { kind: 'milliseconds', declared: 'DATETIME(6)', column: { digits: 3 }, stored: inSql },
  { kind: 'milliseconds', declared: 'DATETIME(3)', stored: inSql },
  { kind: 'milliseconds', declared: 'TIMESTAMP(3) NULL', stored: inSql },
  { kind: 'milliseconds', declared: 'VARCHAR(30)', column: { type: 'text', digits: 3 } },
  { kind: 'milliseconds', declared: 'BIGINT', column: { type: 'epochMs' }, stored: epoch },
  { kind: 'real', declared: 'FLOAT', column: { type: 'real' } },
  { kind: 'truth', declared: 'INT', column: { type: 'nonzero' }, stored: counted },
  { kind: 'year', declared: 'YEAR', column: { type: 'year' } },
  ...['latin1', 'latin1 COLLATE latin1_bin', 'utf8mb3', 'utf8mb3 COLLATE utf8mb3_general_ci'].map((set): Place => ({
    kind: 'latin',
    declared: `VARCHAR(9) CHARACTER SET ${set}`,
    column: { type: set.split(' ', 1)[0]! },
  })),
  { kind: 'seconds', declared: 'BIGINT', column: { type: 'epochS' }, stored: epochSecond },
  { kind: 'seconds', declared: 'VARCHAR(30)', column: { type: 'text', digits: 0 }, stored: noFraction },
  { kind: 'seconds', declared: 'DATETIME', stored: inSql },
  { kind: 'seconds', declared: 'TIMESTAMP NULL', stored: inSql },
  ...jsonOf('JSON'),
  decimalInJson('JSON'),
]
const ofPostgres: readonly Place[] = [
  { kind: 'uuid', declared: 'uuid', stored: everyOther },
  { kind: 'bigint', declared: 'bigint' },
  { kind: 'bigint', declared: 'numeric', column: { type: 'numeric' } },
  { kind: 'decimal', declared: 'numeric' },
  { kind: 'decimal', declared: 'numeric(38, 3)' },
  { kind: 'scaled', declared: 'numeric(20, 2)' },
  { kind: 'scaled', declared: 'bigint', column: scaled, stored: (value) => String(withoutPoint(value)) },
  { kind: 'microseconds', declared: 'timestamptz' },
  { kind: 'microseconds', declared: 'timestamp', column: { type: 'timestamp' }, stored: inSql },
  { kind: 'microseconds', declared: 'text', column: { type: 'text' } },
  { kind: 'microseconds', declared: 'text', column: { type: 'text', digits: 6 }, stored: sixDigits },
  { kind: 'milliseconds', declared: 'timestamptz(3)', column: { digits: 3 } },
  { kind: 'milliseconds', declared: 'timestamp(3)', column: { type: 'timestamp' }, stored: inSql },
  { kind: 'milliseconds', declared: 'text', column: { type: 'text', digits: 3 } },
  { kind: 'milliseconds', declared: 'bigint', column: { type: 'epochMs' }, stored: epoch },
  { kind: 'seconds', declared: 'timestamptz(0)' },
  { kind: 'seconds', declared: 'bigint', column: { type: 'epochS' }, stored: epochSecond },
  { kind: 'seconds', declared: 'text', column: { type: 'text', digits: 0 }, stored: noFraction },
  { kind: 'real', declared: 'real', column: { type: 'real' } },
  { kind: 'char', declared: 'char(5)', column: { type: 'char' } },
  { kind: 'timeOfDay', declared: 'time', column: { type: 'time' } },
  ...jsonOf('jsonb'),
  decimalInJson('jsonb'),
]
const places: Readonly<Record<string, readonly Place[]>> = {
  sqlite: [
    { kind: 'uuid', declared: 'TEXT' },
    { kind: 'bigint', declared: 'INTEGER', stored: integer },
    { kind: 'scaled', declared: 'INTEGER', column: scaled, stored: withoutPoint },
    { kind: 'microseconds', declared: 'TEXT' },
    { kind: 'microseconds', declared: 'TEXT', column: { digits: 6 }, stored: sixDigits },
    { kind: 'milliseconds', declared: 'TEXT', column: { digits: 3 } },
    { kind: 'milliseconds', declared: 'INTEGER', column: { type: 'epochMs' }, stored: epoch },
    { kind: 'milliseconds', declared: 'TEXT', column: { type: 'anyText' }, stored: inAnyForm },
    { kind: 'seconds', declared: 'INTEGER', column: { type: 'epochS' }, stored: epochSecond },
    { kind: 'seconds', declared: 'TEXT', column: { type: 'sqlText' }, stored: inSqlSeconds },
    { kind: 'seconds', declared: 'TEXT', column: { digits: 0 }, stored: noFraction },
    { kind: 'truth', declared: 'INTEGER', column: { type: 'nonzero' }, stored: counted },
    ...jsonOf('TEXT'),
  ],
  postgres: [
    ...ofPostgres,
    { kind: 'uuid', declared: 'text', column: { type: 'text' } },
    { kind: 'uuid', declared: 'text COLLATE "C"', column: { type: 'text' } },
  ],
  duckdb: [
    { kind: 'uuid', declared: 'UUID', stored: upper },
    { kind: 'bigint', declared: 'BIGINT' },
    { kind: 'decimal', declared: 'DECIMAL(38, 3)', column: { digits: 3 } },
    { kind: 'scaled', declared: 'DECIMAL(20, 2)' },
    { kind: 'scaled', declared: 'DECIMAL(20, 2)', column: { digits: 2 } },
    { kind: 'scaled', declared: 'BIGINT', column: scaled, stored: (value) => String(withoutPoint(value)) },
    { kind: 'microseconds', declared: 'TIMESTAMPTZ' },
    { kind: 'microseconds', declared: 'VARCHAR', column: { type: 'text' } },
    { kind: 'milliseconds', declared: 'BIGINT', column: { type: 'epochMs' }, stored: epoch },
    { kind: 'milliseconds', declared: 'TIMESTAMP_MS', column: { type: 'timestampOther' } },
    { kind: 'microseconds', declared: 'TIMESTAMP_NS', column: { type: 'timestampOther' } },
    { kind: 'seconds', declared: 'TIMESTAMP_S', column: { type: 'timestampOther' } },
    { kind: 'seconds', declared: 'BIGINT', column: { type: 'epochS' }, stored: epochSecond },
    { kind: 'real', declared: 'FLOAT', column: { type: 'real' } },
    { kind: 'named', declared: "ENUM('z', 'a', '', 'A')", column: { type: 'enum' } },
    ...jsonOf('JSON'),
  ],
  mysql: ofBoth,
  mariadb: [...ofBoth, { kind: 'uuid', declared: 'UUID', column: { type: 'uuid' }, stored: everyOther }],
}

/** So many that planners use indexes. */
const least = 2000
/** Of each value many rows, which have its place as their id. */
async function withRows(engine: Engine, place: Place, use: (name: string) => Promise<void>): Promise<void> {
  const name = `exact_${Math.random().toString(36).slice(2)}`
  const { placeholder } = engine.dialect
  const { stored = (value: unknown) => value, inserted = (parameter: string) => parameter } = place
  await engine.run(`CREATE TABLE ${name} (id INTEGER, v ${place.declared})`)
  try {
    const values = kinds[place.kind].values.map((value, at) => stored(value as never, at))
    for (const [id, value] of [...values, null].entries()) {
      await engine.run(`INSERT INTO ${name} (id, v) VALUES (${placeholder(1)}, ${inserted(placeholder(2))})`, [
        id,
        value,
      ])
    }
    await use(name)
  } finally {
    await engine.run(`DROP TABLE ${name}`)
  }
}
async function multiply(engine: Engine, name: string, rows: number): Promise<number> {
  let copies = 1
  for (; rows * copies < least; copies *= 2) await engine.run(`INSERT INTO ${name} (id, v) SELECT id, v FROM ${name}`)
  return copies
}

const mappingOf = (name: string, { kind, column: options, isJson = false }: Place) => {
  const schema = defineSchema({ id: field.integer(), v: kinds[kind].field })
  const columns: ColumnOptions = { v: isJson ? jsonColumn('v') : column<string>('v', options) }
  return { schema, table: table(name, { schema, key: 'id', columns }) }
}

describe.each(
  engines.flatMap((engine) =>
    places[dialectOf(engine)]!.map((place) => ({
      ...{ engine, place, kind: place.kind },
      declared: `${place.declared}${place.column === undefined ? '' : ` as ${JSON.stringify(place.column)}`}`,
    })),
  ),
)('$engine.name: $kind in $declared', ({ engine, place }) => {
  const { values, cases }: Kind = kinds[place.kind]
  const all = Array.from({ length: values.length + 1 }, (_, id) => id)
  const ways = Object.entries({ 'by itself': engine.run, ...engine.protocols }).map(
    ([way, run]) => [way, together(engine, run)] as const,
  )

  test('selects what a hand would, with an index and without', async () => {
    await withRows(engine, place, async (name) => {
      const copies = await multiply(engine, name, all.length)
      const { schema, table } = mappingOf(name, place)
      const { compile } = sqlBackend({ dialect: engine.dialect, table })
      const wrong: unknown[] = []
      const check = async (has: string) => {
        const checks: Promise<void>[] = []
        for (const [query, selected] of cases) {
          if (selected === 'refused') {
            expect(() => parseFilterOrThrow(schema, `v${query}`)).toThrow()
            continue
          }
          const filter = parseFilterOrThrow(schema, `v${query}`)
          const ids = selected.split(' ').filter((id) => id !== '')
          const others = all.map(String).filter((id) => !ids.includes(id))
          for (const [negation, condition, expected] of [
            ['', compile(filter), ids],
            ['not ', compile(not(filter)), others],
          ] as const) {
            const statement = between(`SELECT id, COUNT(*) AS n FROM ${name} WHERE `, condition, ' GROUP BY id')
            const checkBy = async ([way, send]: (typeof ways)[number]) => {
              const rows = await send(statement).catch((error: unknown) => [{ id: String(error), n: copies }])
              const found = rows.map(({ id, n }) =>
                Number(n) === copies ? String(id) : `${Number(n)} of ${String(id)}`,
              )
              if (String(found.sort()) !== String([...expected].sort()))
                wrong.push({ query: `${negation}v${query}`, has, way, found, expected, ...condition })
            }
            checks.push(...ways.map(checkBy))
          }
        }
        await Promise.all(checks)
      }
      await check('no index')
      if (place.isJson !== true) {
        await engine.run(`CREATE INDEX ${name}_v ON ${name} (v)`)
        await engine.run(engine.planning.analyze(name))
        await check('an index')
      }
      expect(wrong.slice(0, 5)).toEqual([])
    })
  })

  test('has a mapping for which checkColumns returns no error', async () => {
    await withRows(engine, place, async (name) => {
      const { schema, table } = mappingOf(name, place)
      const collection = defineCollection(schema, { key: 'id', sort: ['v'] })
      const findings = await checkColumns(engine.run, { dialect: engine.dialect, table, collection })
      // The tables of these tests have no key.
      expect(findings.filter(({ level, code }) => level === 'error' && code !== 'key_not_unique')).toEqual([])
    })
  })

  test.each([
    ['v', [values.length, ...values.keys()]],
    ['-v', [...[...values.keys()].toReversed(), values.length]],
  ] as const)('is ordered by %s, and goes on after each position', async (sort, expected) => {
    await withRows(engine, place, async (name) => {
      const { schema, table } = mappingOf(name, place)
      const collection = defineCollection(schema, { key: 'id', sort: ['v'], limit: { default: 1, max: 99 } })
      const { compileQuery } = sqlBackend({ dialect: engine.dialect, table })
      const read = async (more: string) => {
        const query = parseQueryOrThrow(collection, `sort=${sort}${more}`)
        const { text, parameters } = compileQuery(query)
        const rows = await engine.run(`SELECT id FROM ${name} ${text}`, parameters)
        return { query, ids: rows.map(({ id }) => Number(id)) }
      }
      expect((await read('&limit=99')).ids).toEqual(expected)
      for (const [at, id] of expected.entries()) {
        const { query } = await read('')
        const rows = [id, id].map((id) => ({ id, v: values[id] }))
        const { next } = toPage(query, rows)
        expect((await read(`&limit=99&cursor=${next}`)).ids, String(values[id])).toEqual(expected.slice(at + 1))
      }
    })
  })
})
