// cspell:ignore bigserial bpchar longtext mediumint mediumtext smallserial tinytext
/** `CREATE TABLE` → the fields and columns of its table. */
import { mysql, postgres, sqlite, type Dialect } from '../../src/backends/sql/index.ts'

/** The engine of a statement. */
export type Engine = 'postgres' | 'mysql' | 'sqlite'

/** A column: its field as JSON, and its type if the dialect has another one for the field. */
export interface ReadColumn {
  readonly column: string
  readonly field: { readonly type: string; readonly values?: readonly string[]; readonly entry?: object }
  readonly type?: string
  readonly notNull: boolean
}
export interface ReadTable {
  readonly name: string
  readonly engine: Engine
  /** By the names of their fields. */
  readonly columns: Readonly<Record<string, ReadColumn>>
  /** The names of the fields of the primary key. */
  readonly key: readonly string[]
  /** The columns without a field, with the reasons. */
  readonly omitted: readonly string[]
}

/** The type of the field, the type of the column, and the names in SQL. A test compares the rows with the types of `pull`. */
type TypeRow = readonly [literal: string, type: string, ...names: string[]]
export const sqlTypes: Readonly<Record<Engine, readonly TypeRow[]>> = {
  postgres: [
    ['string', 'text', 'text', 'varchar', 'character varying', 'name'],
    ['string', 'char', 'char', 'character', 'bpchar'],
    ['string', 'citext', 'citext'],
    ['uuid', 'uuid', 'uuid'],
    ['integer', 'bigint', 'integer', 'int', 'smallint', 'serial', 'int2', 'int4', 'smallserial'],
    ['bigint', 'bigint', 'bigint', 'bigserial', 'int8'],
    ['decimal', 'numeric', 'numeric', 'decimal'],
    ['number', 'double precision', 'double precision', 'float8'],
    ['number', 'real', 'real', 'float4'],
    ['boolean', 'boolean', 'boolean', 'bool'],
    ['date', 'date', 'date'],
    ['time', 'time', 'time', 'time without time zone'],
    ['datetime', 'timestamp', 'timestamp', 'timestamp without time zone'],
    ['datetime', 'timestamptz', 'timestamptz', 'timestamp with time zone'],
    ['json', 'usual', 'jsonb'],
    ['json', 'json', 'json'],
  ],
  mysql: [
    ['string', 'text', 'varchar', 'text', 'char', 'tinytext', 'mediumtext', 'longtext'],
    ['string', 'enum', 'enum'],
    ['uuid', 'uuid', 'uuid'],
    ['integer', 'bigint', 'int', 'integer', 'tinyint', 'smallint', 'mediumint'],
    ['bigint', 'bigint', 'bigint', 'serial'],
    ['decimal', 'decimal', 'decimal', 'numeric'],
    ['number', 'double', 'double', 'double precision', 'real'],
    ['number', 'real', 'float'],
    ['integer', 'year', 'year'],
    ['boolean', 'boolean', 'boolean', 'bool'],
    ['date', 'date', 'date'],
    ['time', 'time', 'time'],
    ['datetime', 'datetime', 'datetime', 'timestamp'],
    ['json', 'usual', 'json'],
  ],
  sqlite: [
    ['string', 'text', 'text', 'varchar', 'char'],
    ['integer', 'integer', 'integer', 'int', 'bigint'],
    ['number', 'real', 'real', 'double', 'numeric', 'decimal'],
  ],
}
const engines = ['postgres', 'mysql', 'sqlite'] as const
const dialects: Readonly<Record<Engine, Dialect>> = { postgres, mysql, sqlite }
/** The fractional digits of a second without a precision. */
const digits: Readonly<Record<Engine, number>> = { postgres: 6, mysql: 0, sqlite: 3 }

const rowOf = (engine: Engine, name: string) => sqlTypes[engine].find(([, , ...names]) => names.includes(name))

// --- Tokens

const token =
  /'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|--[^\n]*|\/\*[^]*?\*\/|\[\d*\]|\[[^\]]*\]|[\p{L}\p{N}_$]+|\S/gu
const tokensOf = (text: string): readonly string[] =>
  (text.match(token) ?? []).filter((one) => !/^(?:--|\/\*)/.test(one))

const isName = (text = ''): boolean => /^["`[\p{L}_]/u.test(text)
const nameOf = (text: string): string => {
  const quote = text[0]!
  return /["`[]/.test(quote) ? text.slice(1, -1).replaceAll(quote + quote, quote) : text
}
const word = (text = ''): string => text.toLowerCase()

/** The tokens in the parentheses that begin at a place, split at the commas, and the place after them. */
function listAt(
  tokens: readonly string[],
  start: number,
): { readonly parts: readonly string[][]; readonly end: number } {
  const parts: string[][] = [[]]
  let depth = 0
  for (let at = start; at < tokens.length; at++) {
    const one = tokens[at]!
    if (one === ')' && --depth === 0) return { parts: parts.filter(({ length }) => length > 0), end: at + 1 }
    if (one === ',' && depth === 1) parts.push([])
    else if (depth > 0) parts.at(-1)!.push(one)
    if (one === '(') depth += 1
  }
  throw new TypeError('a parenthesis is open at the end')
}

// --- The statement

/** The words before a constraint of the table. One of a key has a list of columns. */
const constraints = ['constraint', 'primary', 'unique', 'foreign', 'check', 'exclude', 'key', 'index', 'like']
/** The words that end the type of a column. */
const afterType = new Set(
  'not null default primary unique references check collate constraint generated auto_increment autoincrement identity comment on as unsigned key'.split(
    ' ',
  ),
)

/** @throws TypeError for a text without such a statement, and for a table without a primary key. */
export function readCreateTable(text: string): ReadTable {
  const tokens = tokensOf(text)
  const { name, start } = headOf(tokens)
  const { parts, end } = listAt(tokens, start)
  const keyColumns: string[] = []
  const columns: { readonly name: string; readonly rest: readonly string[] }[] = []
  for (const part of parts) {
    const primary = part.findIndex((one, at) => word(one) === 'primary' && word(part[at + 1]) === 'key')
    if (constraints.includes(word(part[0])) && (part.includes('(') || part.length > 3)) {
      if (primary >= 0) keyColumns.push(...listAt(part, part.indexOf('(')).parts.map(([one]) => nameOf(one!)))
      continue
    }
    if (!isName(part[0]) || part.length < 2)
      throw new TypeError(`a column needs a name and a type: ${part.join(' ').slice(0, 40)}`)
    if (primary >= 0) keyColumns.push(nameOf(part[0]!))
    columns.push({ name: nameOf(part[0]!), rest: part.slice(1) })
  }
  const words = tokens.map(word)
  const engine = engineOf(
    text,
    words.slice(end),
    words,
    columns.map(({ rest }) => typeOf(rest).name),
  )
  const read: [string, ReadColumn][] = []
  const omitted: string[] = []
  for (const { name: column, rest } of columns) {
    const property = camel(column)
    const made = columnOf(engine, column, rest, keyColumns.includes(column))
    if (made === undefined) omitted.push(`${column} (${typeOf(rest).name})`)
    else if (read.some(([other]) => other === property)) omitted.push(`${column} (another column is ${property})`)
    else read.push([property, made])
  }
  const key = keyColumns.map((column) => read.find(([, one]) => one.column === column)?.[0])
  if (key.length === 0) throw new TypeError('the table has no PRIMARY KEY, which the order of a list needs')
  if (key.includes(undefined)) throw new TypeError(`no field has the type of the key: ${omitted.join(', ')}`)
  return { name, engine, columns: Object.fromEntries(read), key: key as string[], omitted }
}

/** The name after `CREATE TABLE`, without its schema, and the place of its columns. */
function headOf(tokens: readonly string[]): { readonly name: string; readonly start: number } {
  const words = tokens.map(word)
  const create = words.indexOf('create')
  const at = words.indexOf('table', create)
  const start = words.indexOf('(', at)
  const name = tokens[start - 1]
  if (create < 0 || at < 0 || start < 0 || !isName(name) || start - 1 <= at)
    throw new TypeError('the text has no CREATE TABLE with a list of columns')
  return { name: nameOf(name!), start }
}

/** The name of a type in lower case, its values in parentheses, and whether it is an array. */
function typeOf(rest: readonly string[]) {
  const names: string[] = []
  let inside: readonly string[] = []
  let isArray = false
  for (let at = 0; at < rest.length; at++) {
    const one = rest[at]!
    if (one === '(') {
      const { parts, end } = listAt(rest, at)
      inside = parts.map((part) => part.join(''))
      at = end - 1
    } else if (/^\[\d*\]$/.test(one) || word(one) === 'array') isArray = true
    else if (afterType.has(word(one)) || !isName(one)) break
    else names.push(word(one))
  }
  return { name: names.join(' '), inside, isArray }
}

/** The engine whose words the statement has, or the first one that has all its types. */
function engineOf(text: string, after: readonly string[], words: readonly string[], types: readonly string[]): Engine {
  if (text.includes('`') || words.includes('auto_increment') || after.includes('engine')) return 'mysql'
  if (words.includes('autoincrement') || after.includes('strict') || after.includes('rowid')) return 'sqlite'
  return engines.find((engine) => types.every((type) => rowOf(engine, type) !== undefined)) ?? 'postgres'
}

/** The column; `undefined` if no field has its type. */
function columnOf(engine: Engine, column: string, rest: readonly string[], isKey: boolean): ReadColumn | undefined {
  const { name, inside, isArray } = typeOf(rest)
  const [literal, type] = rowOf(engine, name) ?? []
  if (literal === undefined) return undefined
  const notNull = isKey || rest.some((one, at) => word(one) === 'not' && word(rest[at + 1]) === 'null')
  const precision = inside.length > 0 ? Number(inside[0]) : digits[engine]
  const scalar =
    name === 'enum'
      ? { type: 'enumeration', values: inside.map((one) => one.slice(1, -1).replaceAll("''", "'")) }
      : { type: literal, ...(literal === 'datetime' && precision <= 3 && { digits: 3 }) }
  if (isArray) return { column, notNull, field: { type: 'list', entry: scalar }, type: type! }
  const usual = literal === 'json' ? 'usual' : dialects[engine].columnTypes[literal as 'string']
  const field = notNull ? { ...scalar, required: true } : scalar
  return { column, notNull, field, ...(type !== usual && { type: type! }) }
}

/** `created_at` → `createdAt` */
function camel(name: string): string {
  const [first = name, ...more] = name.split(/[^\p{L}\p{N}]+/u).filter((one) => one !== '')
  return first[0]!.toLowerCase() + first.slice(1) + more.map((one) => one[0]!.toUpperCase() + one.slice(1)).join('')
}
