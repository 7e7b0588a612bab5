/** Describes the parameters and answers of a service in a notation. */
import { operatorWords, type Collection, type OperatorName } from '../../language/index.ts'
import type { Notation, NotedAnswer, NotedParameter } from '../../reading/index.ts'
import type { MediaType, SchemaObject } from './objects.ts'
import { newParameter, sentence, type DescribedParameter } from './parameters.ts'

const docOf = (meaning: string): string => {
  const isNot = meaning.startsWith('!')
  const doc = sentence(operatorWords[meaning.replace('!', '') as OperatorName].doc)
  return isNot ? `${doc} Negated: rows that have a value, for which this is false.` : doc
}

/** The description and the schema of a parameter by its role. */
const roles: Readonly<
  Record<string, (collection: Collection) => readonly [description: string, schema: SchemaObject]>
> = {
  sort: () => ['The order of the rows.', { type: 'string' }],
  order: () => ['The directions of the order.', { type: 'string' }],
  start: ({ maxOffset }) => [
    'The place of the first row, from 0.',
    { type: 'integer', minimum: 0, maximum: maxOffset! },
  ],
  end: () => ['The place after the last row.', { type: 'integer', minimum: 1 }],
  size: ({ limit }) => ['How many rows a page has at most.', { type: 'integer', minimum: 1, maximum: limit.max }],
  page: () => ['The number of the page, from 1.', { type: 'integer', minimum: 1 }],
  cursor: () => ['The cursor of a page, from a link of an earlier answer.', { type: 'string' }],
  search: () => ['Words, each of which is in a field that is searched.', { type: 'string', minLength: 1 }],
  fields: () => ['The fields that rows have in the answer.', { type: 'string', minLength: 1 }],
  range: () => ['The places of the first and the last row: [0,9].', { type: 'string' }],
  counted: () => ['Whether the answer has the number of rows.', { type: 'string', enum: ['true', 'false'] }],
  filter: () => ['Conditions: an object of JSON.', { type: 'string' }],
}

const parameterOf = (collection: Collection, { name, role, meanings }: NotedParameter): DescribedParameter => {
  const [description, schema] = role === undefined ? ['', { type: 'string' }] : roles[role]!(collection)
  const docs = Object.entries(meanings).map(([word, one]) => (word === '' ? docOf(one) : `\`${word}\`: ${docOf(one)}`))
  const text = [description, ...docs].filter((one) => one !== '').join(' ')
  return { parameter: newParameter(name, text, schema, false), shared: undefined }
}

export const notedParameters = (
  notation: Notation,
  collection: Collection,
  resource: string,
): readonly DescribedParameter[] => notation.parameters(collection, resource).map((one) => parameterOf(collection, one))

// --- Answers

type Schemas = Readonly<Record<string, SchemaObject>>

const text: SchemaObject = { type: 'string' }
const whole: SchemaObject = { type: 'integer' }
const object: SchemaObject = { type: 'object' }

/** Marks the place of a value: `schemaOf` fills the templates of a notation with marks, and replaces each mark by the schema of the value. */
const mark = (name: string): string => `\0${name}`
const marksOf = (schemas: Schemas): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.keys(schemas).map((name) => [name, mark(name)]))

function schemaOf(value: unknown, schemas: Schemas): SchemaObject {
  if (Array.isArray(value)) return { type: 'array', items: schemaOf(value[0], schemas) }
  if (typeof value === 'object' && value !== null) {
    const properties = Object.entries(value).map(([name, one]) => [name, schemaOf(one, schemas)])
    return { type: 'object', properties: Object.fromEntries(properties) }
  }
  return Object.entries(schemas).find(([name]) => mark(name) === value)?.[1] ?? (value === null ? {} : text)
}

/** An answer of a notation: its media type, its schema, and the names of its headers. */
export interface NotedContent {
  readonly content: Readonly<Record<string, MediaType>>
  readonly headers: readonly string[]
}

function contentOf({ body, headers }: NotedAnswer, type: string, schemas: Schemas): NotedContent {
  const { 'content-type': own = type, ...others } = headers
  return { content: { [own]: { schema: schemaOf(body, schemas) } }, headers: Object.keys(others) }
}

const links: Schemas = { self: text, first: text, previous: text, next: text, last: text }

/** Describes a page of rows, or one row, in the form of the client. */
export function notedContent(notation: Notation, of: 'answer' | 'row', row: SchemaObject): NotedContent {
  const items: Schemas = { row, id: text, attributes: object }
  const orNull: SchemaObject = { description: 'The number of the page, or null where there is none.' }
  const ofPages: Schemas = { pages: whole, number: whole, before: orNull, after: orNull, end: whole }
  const numbers: Schemas = { limit: whole, offset: whole, count: whole, ...ofPages }
  const order: SchemaObject = { type: 'array', items: { type: 'array', items: text } }
  const schemas: Schemas = { name: text, places: text, order, ...numbers, ...links, ...items }
  const [paged, unpaged] = [true, false].map((isPaged) =>
    contentOf(notation[of]({ ...marksOf(schemas), items: [marksOf(items)], isPaged }), 'application/json', schemas),
  )
  const [[type, { schema }]] = Object.entries(paged!.content) as [[string, MediaType]]
  const other = unpaged!.content[type]!.schema
  const isOne = JSON.stringify(schema) === JSON.stringify(other)
  return isOne ? paged! : { ...paged!, content: { [type]: { schema: { anyOf: [schema, other] } } } }
}

/** Describes a problem in the form of the client. */
export function notedFaultContent(notation: Notation): NotedContent {
  const items: Schemas = { problem: text, detail: text, source: object }
  const members: Schemas = { type: text, title: text, detail: text, status: whole }
  const issues: SchemaObject = { type: 'array', items: object }
  const schemas: Schemas = { ...members, code: text, message: text, issues, ...items }
  const problem = marksOf({ ...members, issues })
  const fault = notation.fault({ ...marksOf(schemas), problem, items: [marksOf(items)] })
  return contentOf(fault, 'application/problem+json', schemas)
}
