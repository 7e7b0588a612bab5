/**
 * Counts the forms of values in the rows of a SQLite table. A column can contain values of every type, and stores times as numbers or
 * texts.
 */
import { ask, type Run } from './run.ts'

const integers = `typeof(v) = 'integer'`
const reals = `typeof(v) = 'real'`
const isDay = `substr(v, 1, 10) = date(substr(v, 1, 10))`
/** GLOB of D1 accepts at most 50 bytes, so a form has two patterns. */
const time = '[0-2][0-9]:[0-5][0-9]:[0-5][0-9]'
const uuid = `v LIKE '________-____-____-____-____________'`

/** The condition of each form. A value has the first form whose condition is true. */
const forms = {
  null: `v IS NULL`,
  blob: `typeof(v) = 'blob'`,
  bit: `${integers} AND v IN (0, 1)`,
  minusOne: `${integers} AND v = -1`,
  seconds: `${integers} AND v BETWEEN 300000000 AND 5000000000`,
  milliseconds: `${integers} AND v BETWEEN 300000000000 AND 5000000000000`,
  large: `${integers} AND v NOT BETWEEN -9007199254740991 AND 9007199254740991`,
  integer: integers,
  infinite: `${reals} AND v IN (9e999, -9e999)`,
  // From 1900 to 2100.
  julianDay: `${reals} AND v BETWEEN 2415020.5 AND 2488069.5`,
  whole: `${reals} AND v = round(v)`,
  real: reals,
  date: `length(v) = 10 AND ${isDay}`,
  time: `substr(v, 1, 8) GLOB '${time}' AND time(substr(v, 1, 8)) = substr(v, 1, 8) AND (length(v) = 8 OR (length(v) BETWEEN 10 AND 15 AND substr(v, 9) GLOB '.*[1-9]' AND substr(v, 10) NOT GLOB '*[^0-9]*'))`,
  isoText0: `${isDay} AND substr(v, 11) GLOB 'T${time}Z'`,
  isoText3: `${isDay} AND length(v) = 24 AND substr(v, 11, 9) GLOB 'T${time}' AND substr(v, 20) GLOB '.[0-9][0-9][0-9]Z'`,
  isoText6: `${isDay} AND length(v) = 27 AND substr(v, 11, 9) GLOB 'T${time}' AND substr(v, 20) GLOB '.[0-9][0-9][0-9][0-9][0-9][0-9]Z'`,
  sqlText: `${isDay} AND substr(v, 11) GLOB ' ${time}'`,
  anyText: `length(v) > 10 AND v GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]*' AND julianday(v) IS NOT NULL`,
  uuid: `${uuid} AND v NOT GLOB '*[^0-9a-f-]*'`,
  upperUuid: `${uuid} AND v NOT GLOB '*[^0-9a-fA-F-]*'`,
  digits: `v GLOB '[0-9]*' AND v NOT GLOB '*[^0-9]*'`,
  json: `substr(v, 1, 1) IN ('{', '[') AND json_valid(v)`,
  text: `1`,
}

/**
 * The form of a value of SQLite. Each value has one.
 *
 * - Integers: `bit` is 0 or 1; `minusOne`; `seconds` and `milliseconds` are those of a moment between 1979 and 2128; `large` is more than a
 *   double holds exactly; any other is `integer`.
 * - Reals: `julianDay` is a day between 1900 and 2100; `whole` has no fraction; `infinite`; any other is `real`.
 * - Texts: `date` is `YYYY-MM-DD`; `time` is `HH:MM:SS`, or with a fraction that does not end in 0; `isoText0`, `isoText3` and `isoText6` are `…T…Z` with as many digits of a second; `sqlText` is
 *   `YYYY-MM-DD HH:MM:SS`; `anyText` is another moment that SQLite reads; `uuid` is in lower case, `upperUuid` is not; `digits` are a whole
 *   number; `json` is an object or list; any other is `text`.
 */
export type SampleForm = keyof typeof forms

/** The forms of the values in a column. */
export interface Sample {
  /** The number of different values, without NULL. */
  readonly distinct: number
  /** The number of values of each form. Forms without values are absent. */
  readonly forms: { readonly [F in SampleForm]?: number }
}

/** The samples of columns, in their order, and the number of rows. */
export interface TableSample {
  readonly rows: number
  readonly columns: readonly Sample[]
}

const formOf = Object.entries(forms)
  .map(([form, condition]) => `WHEN ${condition} THEN '${form}'`)
  .join(' ')

/**
 * Writes one statement for a table. It makes a row of each value, so that it contains the conditions only once.
 *
 * @param table quoted.
 * @param columns quoted.
 */
export function sampleOf(table: string, columns: readonly string[], rows: number | 'all'): string {
  const limit = rows === 'all' ? '' : ` LIMIT ${rows}`
  const indexes = JSON.stringify(columns.map((_, at) => at))
  // `json_each` also has columns, such as `id`.
  const value = columns.map((column, at) => `WHEN ${at} THEN r.${column}`).join(' ')
  // Without a LIMIT, SQLite writes an inner expression wherever an outer one reads it: too many operations for D1.
  const inner = `SELECT n.value AS at, CASE n.value ${value} END AS v FROM (SELECT * FROM ${table}${limit}) AS r CROSS JOIN json_each('${indexes}') AS n LIMIT -1`
  const classified = `SELECT at, v, CASE ${formOf} END AS form FROM (${inner}) LIMIT -1`
  return `SELECT json_array(at, form, count(*), count(DISTINCT v)) AS c1 FROM (${classified}) GROUP BY at, form ORDER BY at, form`
}

type Count = readonly [at: number, form: SampleForm, values: number, distinct: number]

/** Reads the rows of {@link sampleOf}. */
export function readSample(counts: readonly Count[], columns: number): TableSample {
  const ofColumn = (at: number) => counts.filter(([column]) => column === at)
  return {
    rows: ofColumn(0).reduce((sum, [, , values]) => sum + values, 0),
    columns: Array.from({ length: columns }, (_, at) => ({
      distinct: ofColumn(at).reduce((sum, [, , , distinct]) => sum + distinct, 0),
      forms: Object.fromEntries(ofColumn(at).map(([, form, values]) => [form, values])),
    })),
  }
}

/** Counts the forms of values in a table. */
export async function sample(
  run: Run,
  table: string,
  columns: readonly string[],
  rows: number | 'all',
): Promise<TableSample> {
  return readSample(await ask<Count>(run, sampleOf(table, columns, rows)), columns.length)
}
