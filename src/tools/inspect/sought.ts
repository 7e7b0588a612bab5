/** Finds in the text of a statement which expressions it compares and orders. An index serves it only if it contains the same expressions. */
import { listOf } from './list-text.ts'

/** An expression of the columns of one table. */
export interface Sought {
  /** SQL without the name of the table. */
  readonly expression: string
  /** The collation that the statement names. */
  readonly collation: string | undefined
}
/** An expression that a condition compares with a parameter. */
export interface Compared extends Sought {
  readonly sign: string
}
/** An expression of ORDER BY. */
export interface Ordered extends Sought {
  readonly descending: boolean
  /** Whether NULL comes first. It is `undefined` where the statement leaves the place of NULL to the engine. */
  readonly nullsFirst: boolean | undefined
}

const quoted = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`/g

/** Replaces each character in quotes and in parentheses, so that positions stay the same and only the outermost words remain. */
function outline(sql: string): string {
  let depth = 0
  return sql
    .replace(quoted, (text) => '_'.repeat(text.length))
    .replace(/[^]/g, (character) => {
      if (character === ')') depth--
      const shown = depth === 0 ? character : '_'
      if (character === '(') depth++
      return shown
    })
}

function split(sql: string, separator: string): readonly string[] {
  const lengths = outline(sql)
    .split(separator)
    .map(({ length }) => length)
  let at = 0
  return lengths.map((length) => {
    const part = sql.slice(at, at + length)
    at += length + separator.length
    return part
  })
}

/** The conditions that `AND` joins, also those in EXISTS on another table. The entries of JSON and of arrays have no index. */
function conditionsIn(sql: string): readonly string[] {
  const words = outline(sql)
  if (/^\(_*\)$/.test(words)) return conditionsIn(sql.slice(1, -1))
  const parts = split(sql, ' AND ')
  if (parts.length > 1) return parts.flatMap(conditionsIn)
  if (!/^EXISTS \(_*\)$/.test(words)) return [sql]
  const rows = sql.slice('EXISTS ('.length, -1)
  const [from, where] = split(rows, ' WHERE ')
  return /^SELECT 1 FROM ["`]/.test(from!) && where !== undefined ? conditionsIn(where) : []
}

/** The conditions that `AND` joins, without the name of a table before each column. */
export const conjunctsIn = (sql: string): readonly string[] => conditionsIn(sql).map(withoutTable)

const signs = / (=|>=|<=|>|<|IN|LIKE|@>|&&) /
const hasParameter = (sql: string): boolean => /\$\d|\?/.test(sql.replace(quoted, ''))

/** Removes the name of a table before each column. */
const withoutTable = (sql: string): string =>
  sql.replace(/'(?:[^']|'')*'|(?:"(?:[^"]|"")*"|`(?:[^`]|``)*`)\.?/g, (text) => (text.endsWith('.') ? '' : text))

const collationAtEnd = / COLLATE (?:"((?:[^"]|"")*)"|(\w+))$/

function soughtOf(text: string): Sought {
  const sql = withoutTable(text)
  const found = collationAtEnd.exec(sql)
  const expression = found === null ? sql : sql.slice(0, found.index)
  return {
    expression: /^\(_*\)$/.test(outline(expression)) ? expression.slice(1, -1) : expression,
    collation: found?.[1] ?? found?.[2],
  }
}

/** Lists the expressions that a condition compares with parameters. An index of one of them serves the condition. */
export function comparedIn(where: string): readonly Compared[] {
  return conditionsIn(where).flatMap((condition): readonly Compared[] => {
    if (condition.startsWith('JSON_OVERLAPS(')) {
      return [{ ...soughtOf(listOf(condition).parts[0]!), sign: 'JSON_OVERLAPS' }]
    }
    const sign = signs.exec(outline(condition))
    if (sign === null) return []
    const [left, right] = [condition.slice(0, sign.index), condition.slice(sign.index + sign[0].length)]
    // CASE reads a value in JSON.
    if (hasParameter(left) || !hasParameter(right) || left.startsWith('CASE ')) return []
    const sought = soughtOf(left)
    // MySQL and MariaDB have the collation at the parameter.
    return [{ ...sought, collation: sought.collation ?? soughtOf(right).collation, sign: sign[1]! }]
  })
}

/** Lists the expressions of ORDER BY. */
export const orderedIn = (orderBy: string): readonly Ordered[] =>
  split(orderBy, ', ').map((key) => {
    const [end, direction, nulls] = / (ASC|DESC)(?: NULLS (FIRST|LAST))?$/.exec(key)!
    return {
      ...soughtOf(key.slice(0, -end.length)),
      descending: direction === 'DESC',
      nullsFirst: nulls === undefined ? undefined : nulls === 'FIRST',
    }
  })
