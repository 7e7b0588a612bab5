/** The text of a schema that a visitor writes → a list. Nothing runs the text: it is read as SQL or as JSON. */
import {
  column,
  jsonColumn,
  arrayColumn,
  mariadb,
  mysql,
  postgres,
  postgres17,
  sqlite,
  table,
  type ColumnOptions,
  type Dialect,
} from '../../src/backends/sql/index.ts'
import {
  defineCollection,
  defineSchema,
  field,
  type CollectionOptions,
  type Field,
  type Fields,
} from '../../src/index.ts'
import { fromJsonSchema } from '../../src/tools/json-schema/index.ts'
import type { Compiled } from './answer.ts'
import { codes } from './code.ts'
import { readCreateTable, type Engine, type ReadTable } from './create-table.ts'
import { memoryStore } from './memory-store.ts'
import { rowsFor } from './own-rows.ts'
import { examplesOf } from './some-examples.ts'
import { subjectOf, type Subject } from './subject.ts'

const own = <T>(object: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined

/** The most characters of a text: links contain it. */
const most = 6000

const dialectsOf: Readonly<Record<Engine, Readonly<Record<string, Dialect>>>> = {
  postgres: { PostgreSQL: postgres, 'PostgreSQL 17+': postgres17 },
  mysql: { MySQL: mysql, MariaDB: mariadb },
  sqlite: { SQLite: sqlite },
}

interface Definition {
  readonly name: string
  readonly fields: Fields
  readonly key: readonly string[]
  readonly columns: ColumnOptions
  readonly dialects: Readonly<Record<string, Dialect>>
  readonly note: string
}

/** The list of a text, or the reason why it has none. */
export function ownSubject(text: string): Compiled<Subject> & { readonly note?: string } {
  try {
    const definition = definitionOf(text)
    return { output: subjectFor(definition, text), note: definition.note }
  } catch (error) {
    // The library and the readers of this page throw a TypeError that names the fault. JSON.parse throws a SyntaxError.
    if (error instanceof TypeError || error instanceof SyntaxError) return { refusal: [{ message: error.message }] }
    throw error
  }
}

function definitionOf(text: string): Definition {
  if (text.length > most) throw new TypeError(`the schema has ${text.length} characters: at most ${most} fit in a link`)
  if (/^\s*(?:import\b|export\b|const\b|z\.|[\w.]*z\.object)/.test(text))
    throw new TypeError('the page runs no code: paste the JSON that z.toJSONSchema(schema) writes')
  if (!/^\s*\{/.test(text)) return ofTable(readCreateTable(text))
  const json = JSON.parse(text) as object
  const isJsonSchema = ['type', '$schema', '$ref'].some(
    (name) => typeof own(json as Record<string, unknown>, name) === 'string',
  )
  const { fields } = isJsonSchema ? fromJsonSchema(json) : defineSchema(fieldsFrom(json, ''))
  const key = keyOf(fields)
  const isNested = ({ type }: Field) => ['list', 'object', 'record', 'json'].includes(type)
  const nested = Object.entries(fields).filter(([, one]) => isNested(one))
  return {
    ...{ name: 'rows', fields, key: [key] },
    columns: Object.fromEntries(nested.map(([name]) => [name, jsonColumn(name)])),
    dialects: { ...dialectsOf.postgres, ...dialectsOf.mysql, ...dialectsOf.sqlite },
    note: `The key is ${key}. Lists and objects are columns with JSON.`,
  }
}

/** The field that tells rows apart: `id`, or else the first one that can. */
function keyOf(fields: Fields): string {
  const can = (name: string) => /^(?:string|uuid|integer|bigint)$/.test(own(fields, name)?.type ?? '')
  const key = can('id') ? 'id' : Object.keys(fields).find(can)
  if (key === undefined)
    throw new TypeError('the order of a list needs a key: a field id of the type integer, for example')
  return key
}

/** Makes the fields again with the makers of the library, which check each option. */
const fieldsFrom = (json: unknown, path: string): Fields => {
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw new TypeError(`${path || 'the schema'} must be an object of fields by name: { "id": { "type": "integer" } }`)
  return Object.fromEntries(Object.entries(json).map(([name, one]) => [name, fieldFrom(one, path + name)]))
}
function fieldFrom(json: unknown, path: string): Field {
  const given: Partial<Record<string, unknown>> = (typeof json === 'object' ? json : null) ?? {}
  const { type, values, entry, fields, ...options } = given
  const make = typeof type === 'string' ? own(field as unknown as Record<string, Maker>, type) : undefined
  if (make === undefined) throw new TypeError(`${path} needs a type: ${Object.keys(field).join(', ')}`)
  if (type === 'list') return field.list(fieldFrom(entry, `${path}[]`) as never)
  const more = Object.keys(options).length === 0 ? [] : [options]
  if (type === 'record') return field.record(fieldFrom(entry, `${path}.…`) as never, ...more)
  if (type === 'object') return field.object(fieldsFrom(fields, `${path}.`), ...more)
  return type === 'enumeration' ? make(values, ...more) : make(...more)
}
type Maker = (...options: readonly unknown[]) => Field

function ofTable({ name, engine, columns, key, omitted }: ReadTable): Definition {
  const entries = Object.entries(columns)
  const fields = Object.fromEntries(entries.map(([property, { field: json }]) => [property, fieldFrom(json, property)]))
  const stored = entries.map(
    ([
      property,
      {
        column: inTable,
        field: { type: kind },
        type,
        notNull,
      },
    ]) => {
      const typed = type === undefined ? {} : { type: type as never }
      if (kind === 'json') return [property, jsonColumn(inTable, type === 'json' ? { type } : {})] as const
      if (kind === 'list') return [property, arrayColumn(inTable, typed)] as const
      const isPlain = type === undefined && !notNull
      return [property, isPlain ? inTable : column(inTable, { ...typed, notNull })] as const
    },
  )
  const rest = omitted.length === 0 ? '' : ` No field has the type of ${omitted.join(', ')}.`
  return {
    ...{ name, fields, key, columns: Object.fromEntries(stored), dialects: dialectsOf[engine] },
    note: `Read as a table of ${Object.keys(dialectsOf[engine])[0]}.${rest}`,
  }
}

const parameters = [
  'sort',
  'limit',
  'offset',
  'cursor',
  'fields',
  'count',
  'search',
  'facets',
  'timeZone',
  'and',
  'or',
  'not',
]

/** What queries may ask: everything, by names that no field has. */
function optionsFor({ fields, key }: Definition): CollectionOptions {
  const isFree = (name: string) => !Object.hasOwn(fields, name)
  const taken = parameters.filter((name) => !isFree(name))
  const named = (isWanted: (one: Field) => boolean) => Object.keys(fields).filter((name) => isWanted(fields[name]!))
  const facets = named(({ type }) => type === 'enumeration' || type === 'boolean').slice(0, 4)
  const search = named(({ type }) => type === 'string').slice(0, 4)
  return {
    ...{ key: key.length === 1 ? key[0]! : key, sort: true, offset: { max: 1000 }, fields: true, count: true },
    ...{ groups: true, timeZone: true },
    ...(facets.length > 0 && { facets }),
    ...(search.length > 0 && { search }),
    ...(taken.length > 0 && { parameters: Object.fromEntries(taken.map((name) => [name, `_${name}`])) }),
  }
}

function subjectFor(definition: Definition, source: string): Subject {
  const { name, fields, key, columns, dialects } = definition
  const schema = defineSchema(fields)
  const options = optionsFor(definition)
  const collection = defineCollection(schema, options)
  const columnOfKey = (one: string) => {
    const stored = own(columns, one)
    return typeof stored === 'object' && 'name' in stored ? String(stored.name) : String(stored ?? one)
  }
  const rows = rowsFor(fields, key, 200)
  return subjectOf({
    ...{ name, words: ['row', 'rows'], collection, options, dialects, source },
    table: table(name, { schema, key: key.map(columnOfKey), columns }),
    examples: () => examplesOf(collection, rows),
    store: memoryStore(collection, rows),
    codes: () => Promise.resolve(codes),
    isKey: (text) => text !== '',
    urlOf: (text, rowKey) => {
      const url = new URL(
        `https://api.example.com/${encodeURIComponent(name)}${rowKey === undefined ? '' : `/${rowKey}`}`,
      )
      url.search = text
      return url
    },
  })
}
