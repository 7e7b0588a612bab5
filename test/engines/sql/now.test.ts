/**
 * Rows of one `INSERT … SELECT now()` have one moment, to the microsecond, and a page walk has all of them, each once. Rows that are
 * selected as text have the moment that the engine stored. A `Date` has lost its last three digits, so no cursor is made of it.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { column, sqlBackend, table } from '../../../src/backends/sql/index.ts'
import { defineCollection, defineSchema, field, parseQueryOrThrow } from '../../../src/index.ts'
import { byCompleteness, isComplete } from '../../effort.ts'
import { openDuckdb } from './duckdb.ts'
import { openEngines, openSqlite, type Engine } from './engines.ts'

/** How an engine keeps microseconds. */
interface Moments {
  readonly declared: string
  /** The moment of the statement and so many microseconds, in SQL. Not every engine has a clock with microseconds. */
  readonly after: (micros: string) => string
  /** A column as text: RFC 3339, and as the engine writes it. */
  readonly texts: readonly ((column: string) => string)[]
  /** In a column of text, how many digits each value has. */
  readonly digits?: 6
}
const inPostgres: Moments = {
  declared: 'timestamptz',
  after: (micros) => `date_trunc('second', now()) + (123000 + ${micros}) * interval '1 microsecond'`,
  texts: [(column) => `to_json(${column})`, (column) => `${column}::text`],
}
/** By the type that a dialect stores datetimes as. */
const moments: Readonly<Record<string, Moments>> = {
  timestamptz: inPostgres,
  datetime: {
    declared: 'DATETIME(6)',
    after: (micros) => `DATE_ADD(UTC_TIMESTAMP(), INTERVAL (123000 + ${micros}) MICROSECOND)`,
    texts: [(column) => `DATE_FORMAT(${column}, '%Y-%m-%dT%H:%i:%s.%fZ')`, (column) => `CAST(${column} AS CHAR)`],
  },
  isoText: {
    declared: 'TEXT',
    after: (micros) => `strftime('%Y-%m-%dT%H:%M:%S', 'now') || printf('.%06dZ', 123000 + ${micros})`,
    texts: [(column) => column],
    digits: 6,
  },
}
/** Texts of three digits beside texts of six, without `digits`. */
const inBothForms: Moments = {
  declared: 'TEXT',
  after: (micros) => {
    const [second, number] = [`strftime('%Y-%m-%dT%H:%M:%S', 'now')`, `123000 + ${micros}`]
    return `${second} || iif((${number}) % 1000 = 0, printf('.%03dZ', (${number}) / 1000), printf('.%06dZ', ${number}))`
  },
  texts: [(column) => column],
}
const inDuckdb: Moments = {
  ...inPostgres,
  texts: [(column) => `strftime(${column} AT TIME ZONE 'UTC', '%Y-%m-%dT%H:%M:%S.%fZ')`, (column) => `${column}::text`],
}

const size = 50
/** How many microseconds row `n` is after a moment of whole milliseconds. */
const layouts = {
  'one moment': { sql: '456', of: () => 456 },
  'five moments of one millisecond': { sql: '(456 + (n * 31) % 5)', of: (n: number) => 456 + ((n * 31) % 5) },
  'a moment for each row': { sql: '((n * 31) % 50 * 250)', of: (n: number) => ((n * 31) % 50) * 250 },
}
const schema = defineSchema({ id: field.integer(), createdAt: field.datetime({ required: true }) })
const wholeMilliseconds = defineSchema({
  id: field.integer(),
  createdAt: field.datetime({ digits: 3, required: true }),
})
interface Row {
  readonly id: number
  readonly createdAt: string
}

const engines: { name: string; engine: Engine; moments: Moments }[] = [
  // Another lower-casing changes no moment.
  ...(await openEngines((name) => isComplete || !name.includes(','))).map((engine) => ({
    name: engine.name,
    engine,
    moments: moments[engine.dialect.columnTypes.datetime!]!,
  })),
  { name: 'sqlite, both forms', engine: openSqlite(), moments: inBothForms },
  { name: 'duckdb', engine: await openDuckdb(), moments: inDuckdb },
]
afterAll(async () => {
  for (const { engine } of engines) await engine.close()
})

describe.each(engines)(
  '$name',
  ({ engine: { run, dialect, declared, options }, moments: { after, texts, digits, ...moments } }) => {
    const name = `now_${Math.random().toString(36).slice(2)}`
    const collection = defineCollection(schema, { key: 'id', sort: ['createdAt'] })
    const columns = { createdAt: column('created_at', digits === undefined ? {} : { digits }) }
    const { compileQuery } = sqlBackend({ dialect, table: table(name, { schema, key: 'id', columns }) })
    const numbers = `(WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < ${size}) SELECT n FROM c) AS numbers`
    beforeAll(() =>
      run(`CREATE TABLE ${name} (id ${declared.integer} PRIMARY KEY, created_at ${moments.declared})${options}`),
    )
    afterAll(() => run(`DROP TABLE ${name}`))

    const read = async (text: Moments['texts'][number], sort: string, limit: number, cursor: string | undefined) => {
      const query = parseQueryOrThrow(
        collection,
        `sort=${sort}&limit=${limit}${cursor === undefined ? '' : `&cursor=${cursor}`}`,
      )
      const { text: rest, parameters, page } = compileQuery(query)
      const rows = await run(
        `SELECT id, ${text('created_at')} AS ${dialect.quote}createdAt${dialect.quote} FROM ${name} ${rest}`,
        parameters,
      )
      return page(rows as unknown as Row[])
    }
    const idsOf = (rows: readonly Row[]) => rows.map(({ id }) => Number(id))

    describe.each(Object.entries(layouts))('%s', (_, { sql, of }) => {
      beforeAll(async () => {
        await run(`DELETE FROM ${name}`)
        await run(`INSERT INTO ${name} SELECT n, ${after(sql)} FROM ${numbers}`)
      })
      const ascending = Array.from({ length: size }, (_, at) => at + 1).sort((a, b) => of(a) - of(b) || a - b)
      const orders: Readonly<Record<string, readonly number[]>> = {
        createdAt: ascending,
        '-createdAt': ascending.toReversed(),
        'createdAt,-id': ascending.toSorted((a, b) => of(a) - of(b) || b - a),
        '-createdAt,id': ascending.toSorted((a, b) => of(b) - of(a) || a - b),
      }
      const walks = Object.entries(orders).flatMap(([sort, expected]) =>
        texts.flatMap((text) =>
          byCompleteness([1, 7, 49, 50], [7, 49]).map((limit) => ({
            form: text('created_at'),
            text,
            sort,
            limit,
            expected,
          })),
        ),
      )

      test.each(walks)(
        '$form, sort=$sort&limit=$limit: fifty rows forwards, and fifty back',
        async ({ text, sort, limit, expected }) => {
          const forwards: number[] = []
          let page = await read(text, sort, limit, undefined)
          for (let pages = 1; ; pages++) {
            forwards.push(...idsOf(page.rows))
            if (page.next === undefined || pages > size) break
            page = await read(text, sort, limit, page.next)
          }
          expect(forwards).toEqual(expected)
          const back = idsOf(page.rows)
          for (let pages = 1; page.previous !== undefined && pages <= size; pages++) {
            page = await read(text, sort, limit, page.previous)
            back.unshift(...idsOf(page.rows))
          }
          expect(back).toEqual(expected)
        },
      )

      test('rows with Dates are refused, unless the schema says that they have whole milliseconds', async () => {
        const dated = (await read(texts[0]!, 'createdAt', 2, undefined)).rows.map((row) => ({
          ...row,
          createdAt: new Date(row.createdAt),
        }))
        const { page } = compileQuery(parseQueryOrThrow(collection, 'sort=createdAt&limit=1'))
        expect(() => page(dated)).toThrow(/createdAt.*text.*digits: 3/)
        const whole = defineCollection(wholeMilliseconds, { key: 'id', sort: ['createdAt'] })
        const mapped = table(name, { schema: wholeMilliseconds, key: 'id', columns: { createdAt: 'created_at' } })
        const inWhole = sqlBackend({ dialect, table: mapped }).compileQuery(
          parseQueryOrThrow(whole, 'sort=createdAt&limit=1'),
        )
        expect(inWhole.page(dated).rows).toEqual(dated.slice(0, 1))
      })

      test('one moment selects its rows, and those after it the others', async () => {
        const { rows } = await read(texts[0]!, 'createdAt', size, undefined)
        const { id, createdAt } = rows[20]!
        const count = async (operator: string) => {
          const { count } = compileQuery(
            parseQueryOrThrow(collection, `createdAt[${operator}]=${encodeURIComponent(createdAt)}`),
          )
          const [row] = await run(`SELECT COUNT(*) AS n FROM ${name} WHERE ${count.text}`, count.parameters)
          return Number(row!.n)
        }
        const counted = (is: (difference: number) => boolean) =>
          ascending.filter((n) => is(of(n) - of(Number(id)))).length
        expect(await count('equals')).toBe(counted((difference) => difference === 0))
        expect(await count('gt')).toBe(counted((difference) => difference > 0))
        expect(await count('lte')).toBe(counted((difference) => difference <= 0))
      })
    })
  },
)
