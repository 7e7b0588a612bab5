/** Checks the settings of a session that change the result of a statement. */
import type { Dialect } from '../../backends/sql/index.ts'
import { own } from '../../own.ts'
import type { Database, Session } from './database.ts'
import type { Finding, FindingCode } from './finding.ts'
import { tableNamed } from './names.ts'
import type { Uses } from './uses.ts'

/** A rule about a session. `wrong` returns the message of a finding, or `undefined`. */
interface SessionRule {
  readonly code: FindingCode
  readonly wrong: (session: Session, dialect: Dialect) => string | undefined
  readonly fix: string
}

const rules: Readonly<Record<Database['engine'], readonly SessionRule[]>> = /* @__PURE__ */ (() => {
  const encoding = (expected: RegExp, fix: string): SessionRule => ({
    code: 'encoding',
    wrong: ({ encoding }) =>
      encoding === undefined || expected.test(encoding) ? undefined : `the encoding is ${encoding}, not UTF-8`,
    fix,
  })
  const mysql: readonly SessionRule[] = [
    encoding(/^utf8mb4$/, 'SET NAMES utf8mb4'),
    {
      code: 'sql_mode',
      wrong: ({ sqlMode = '' }) =>
        sqlMode.split(',').includes('PAD_CHAR_TO_FULL_LENGTH')
          ? 'sql_mode has PAD_CHAR_TO_FULL_LENGTH: values of char(n) end in spaces'
          : undefined,
      fix: `SET sql_mode = REPLACE(@@sql_mode, 'PAD_CHAR_TO_FULL_LENGTH', '')`,
    },
  ]
  return {
    postgres: [
      encoding(/^utf-?8$/i, 'a database with the encoding UTF8'),
      {
        code: 'locale',
        wrong: ({ provider, locale }, { name }) =>
          name === 'postgres' && (provider === 'i' || locale === 'PG_UNICODE_FAST')
            ? `the database has the locale ${locale ?? ''} of ${provider === 'i' ? 'ICU' : 'PostgreSQL'}, whose lower() differs`
            : undefined,
        fix: 'use the dialect postgres17',
      },
      {
        code: 'float_digits',
        wrong: ({ extraFloatDigits = 1 }) =>
          extraFloatDigits > 0 ? undefined : `extra_float_digits is ${extraFloatDigits}: numbers are cut off as texts`,
        fix: 'SET extra_float_digits = 1',
      },
    ],
    mysql,
    mariadb: mysql,
    sqlite: [encoding(/^utf-?8$/i, `PRAGMA encoding = 'UTF-8' in a new database`)],
    duckdb: [
      {
        code: 'default_order',
        wrong: ({ defaultOrder = 'ascending', defaultNullOrder = 'nulls_last' }) =>
          defaultOrder === 'ascending' && defaultNullOrder.toLowerCase() === 'nulls_last'
            ? undefined
            : `default_order is ${defaultOrder} and default_null_order is ${defaultNullOrder}: pages lose rows`,
        fix: `SET default_order = 'ASC'; SET default_null_order = 'NULLS_LAST'`,
      },
    ],
  }
})()

export function sessionFindings(database: Database, dialect: Dialect, { columns }: Uses): Finding[] {
  const { engine, session } = database
  const offset = own(session, 'offset') ?? 0
  const isMysql = engine === 'mysql' || engine === 'mariadb'
  const moments = columns.filter(
    ({ table, stored }) =>
      isMysql &&
      offset !== 0 &&
      tableNamed(database, table)?.columns.find(({ name }) => name === stored.name)?.typeName === 'timestamp',
  )
  return [
    ...rules[engine].flatMap(({ code, wrong, fix }): Finding[] => {
      const message = wrong(session, dialect)
      return message === undefined ? [] : [{ level: 'error', code, path: '', message, fix }]
    }),
    ...moments.map(({ path, table, stored }): Finding => {
      const { schema, name } = tableNamed(database, table)!
      return {
        level: 'error',
        code: 'time_zone',
        path,
        message: `the session is ${offset / 3_600} hours from UTC, and ${name}.${stored.name} is a TIMESTAMP`,
        fix: `SET time_zone = '+00:00'`,
        column: { schema, table: name, name: stored.name },
      }
    }),
  ]
}
