/** Text → every form of one query, made by the library. */
import type { MongoQuery } from '../../src/backends/mongo/index.ts'
import type { SqlQuery } from '../../src/backends/sql/index.ts'
import { describe } from '../../src/tools/explain/index.ts'
import {
  defaultLimits,
  FilterError,
  parseQuery,
  printQuery,
  pickFields,
  type Collection,
  type Issue,
  type Issues,
  type Query,
} from '../../src/index.ts'
import {
  jsonApi,
  jsonServer,
  jsonServer1,
  nestPaginate,
  printNotation,
  reactAdmin,
  strapi,
  type Notation,
} from '../../src/clients/notations/index.ts'
import { withParameter } from './pairs.ts'
import type { Row, Subject } from './subject.ts'

/** The notations by the names that the page shows. `urlwhere` is the language of this library. */
const notations: Readonly<Record<string, Notation | undefined>> = {
  ...{ urlwhere: undefined, 'JSON:API': jsonApi, 'react-admin': reactAdmin, 'json-server': jsonServer },
  'json-server 1': jsonServer1,
  ...{ Strapi: strapi, 'nestjs-paginate': nestPaginate },
}
/** The name of the language of this library. */
export const ownNotation = 'urlwhere'

/** Names the notations that can express the queries of a collection. Some notations require an option such as `offset`. */
export const notationsFor = (collection: Collection): readonly string[] =>
  Object.keys(notations).filter((name) => {
    try {
      return parseQuery(collection, '', { notation: notations[name] }).ok
    } catch {
      return false
    }
  })

/** The reasons of a refusal. */
export type Reasons = readonly [Reason, ...Reason[]]
type Reason = Pick<Issue, 'message' | 'hint'>

/** What a backend gives for a query, or why it refuses it. */
export type Compiled<Output> = { readonly output: Output } | { readonly refusal: Reasons }

export const hasOutput = <Output>(compiled: Compiled<Output>): compiled is { readonly output: Output } =>
  Object.hasOwn(compiled, 'output')

export interface Statement {
  readonly text: string
  readonly parameters: readonly unknown[]
}

/** A query in every form. */
export interface Answer {
  readonly text: string
  /** The text in the library's language. */
  readonly own: Compiled<string>
  readonly query: Query
  readonly sentence: string
  /** The text of the query in each notation. The text of `urlwhere` is canonical. */
  readonly texts: Readonly<Record<string, Compiled<string>>>
  /** The condition, the order and the page, within a short statement. */
  readonly sql: (dialect: string) => Compiled<Statement>
  /** The statement of `select`, which reads nested rows and names every column. */
  readonly whole: (dialect: string) => Compiled<Statement>
  readonly mongo: Compiled<Omit<MongoQuery, 'read' | 'page'>>
  /** Keeps the selected fields of a row. */
  readonly cut: (row: Row) => Row
}

export type Result = { readonly ok: true; readonly answer: Answer } | { readonly ok: false; readonly issues: Issues }

/** @throws whatever is no FilterError: that would be a fault of the library. */
export function compiled<Output>(make: () => Output): Compiled<Output> {
  try {
    return { output: make() }
  } catch (error) {
    if (error instanceof FilterError) return { refusal: error.issues }
    throw error
  }
}

/** Writes a query in a notation. Quotes stay unescaped, because every parser accepts them. */
function textIn(name: string, { collection, name: list }: Subject, query: Query): string {
  const notation = notations[name]
  if (notation === undefined) return printQuery(collection, query)
  return printNotation(collection, query, notation, { name: list }).replaceAll('%22', '"')
}

/** Parses a text in the library's language, and writes the query in a notation. */
export function translated(subject: Subject, text: string, name: string): Compiled<string> {
  const result = parseQuery(subject.collection, text)
  if (!result.ok) return { refusal: result.issues }
  return name === ownNotation ? { output: text } : compiled(() => textIn(name, subject, result.query))
}

/** Parses a text in a notation, and compiles the query with every backend. */
export function answerTo(subject: Subject, text: string, name = ownNotation): Result {
  const result = parseQuery(subject.collection, text, { notation: notations[name] })
  if (!result.ok) return result
  const { query } = result
  const { sql, mongo } = subject
  const texts = Object.fromEntries(subject.notations.map((one) => [one, compiled(() => textIn(one, subject, query))]))
  return {
    ok: true,
    answer: {
      text,
      own: name === ownNotation ? { output: text } : texts[ownNotation]!,
      query,
      sentence: describe(query.filter),
      texts,
      sql: (dialect) => compiled(() => statementOf(subject, sql[dialect]!.compileQuery(query), query)),
      whole: (dialect) => compiled(() => sql[dialect]!.select(query)),
      mongo: compiled(() => {
        const { read: _, page: __, ...shown } = mongo.compileQuery(query)
        return shown
      }),
      cut: query.fields === undefined ? (row) => row : (pickFields(query.fields) as (row: Row) => Row),
    },
  }
}

/** The query with the facets that it names; with those of the collection where it names none. Then it may pass a limit. */
export function withFacets(
  collection: Collection,
  { own, query }: Pick<Answer, 'own' | 'query'>,
): Compiled<{ readonly text: string; readonly query: Query }> {
  if (!hasOutput(own)) return own
  if (query.facets !== undefined) return { output: { text: own.output, query } }
  const names = [...collection.facets.keys()].slice(0, defaultLimits.facets)
  const text = withParameter(collection, own.output, 'facets', names.join(','))
  const result = parseQuery(collection, text)
  return result.ok ? { output: { text, query: result.query } } : { refusal: result.issues }
}

/** The statement around what the backend gives: it names columns where the query selects fields. */
function statementOf({ name }: Subject, { text, parameters, columns }: SqlQuery, { fields }: Query): Statement {
  // The first column is `"o"."id"`, in the quotes of the dialect.
  const [alias] = columns[0]!.split('.')
  const quote = alias!.at(-1)!
  const selected = fields === undefined ? `${alias}.*` : columns.join(', ')
  return { text: `SELECT ${selected} FROM ${quote}${name}${quote} AS ${alias} ${text}`, parameters }
}
