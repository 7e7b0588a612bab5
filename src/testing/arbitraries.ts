/**
 * `urlwhere/testing/arbitraries`: random schemas, rows, queries and filters for property tests with fast-check, a peer
 * dependency. Counterexamples shrink.
 */
import * as fc from 'fast-check'
import { and, map, not, or, some, type Filter, type Path } from '../ast/index.ts'
import type { Feature } from '../backends/backend.ts'
import {
  defineSchema,
  field,
  operatorNamed,
  type EntryField,
  type Field,
  type Fields,
  type Operator,
  type ResolvedField,
  type Schema,
} from '../language/index.ts'
import { parseFilterOrThrow } from '../query/index.ts'

/** Texts that differ in little, and that engines find hard: letter case, wildcards, quotes, code points beyond U+FFFF. */
const someText = fc.oneof(
  fc.constantFrom(
    '',
    'a',
    'A',
    'b',
    'ab',
    'aB',
    'a ',
    'é',
    'É',
    'ß',
    'ẞ',
    'Σ',
    'σ',
    'ς',
    'İ',
    'i',
    'ı',
    'ſ',
    's',
    '\u212a',
    'k',
    '%',
    '_',
    '\\',
    '"',
    ',',
    'a,b',
    '"a"',
    "it's",
    '&',
    '=',
    '+',
    '#',
    '[',
    '.',
    '*',
    '^$',
    '\uff5e',
    '\u{1f600}',
    '\u{10400}',
    'null',
    'true',
    '1',
    '$ne',
    '__proto__',
    '{}',
  ),
  fc.string({ unit: 'grapheme', maxLength: 5 }).filter((text) => !text.includes('\0')),
)
const someDay = fc.constantFrom('0001-01-01', '2023-12-31', '2024-01-01', '2024-01-02', '2024-02-29', '9999-12-31')
const someMoment = fc.oneof(
  someDay.map((day) => `${day}T00:00:00.000Z`),
  fc.constantFrom(
    '2024-01-01T23:59:59.999Z',
    '2024-01-02T00:00:00.001Z',
    '2024-02-29T12:00:00.000Z',
    '9999-12-31T23:59:59.999Z',
  ),
)
const someInteger = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.constantFrom(Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER),
)
const someNumber = fc.oneof(someInteger, fc.constantFrom(0.1, 0.2, -1.5, 1e21, 1e-7, 5e-324, Number.MAX_VALUE))
const values = ['red', 'green', 'Blue,1']

const scalar: fc.Arbitrary<EntryField> = fc.constantFrom<EntryField>(
  field.string(),
  field.string(),
  field.enumeration(values),
  field.integer(),
  field.number(),
  field.boolean(),
  field.date(),
  field.datetime(),
  field.datetime(),
)
const names = ['a', 'b', 'c', 'd e', 'é', 'length', 'constructor', "it's", 'a"b', 'a\\b', 'a`b']

const { fields } = fc.letrec<{ fields: Fields; entry: EntryField; any: Field }>((tie) => ({
  fields: fc.dictionary(fc.constantFrom(...names), tie('any'), { minKeys: 1, maxKeys: 4, depthIdentifier: 'schema' }),
  entry: fc.oneof(
    { maxDepth: 5, depthSize: 'large', depthIdentifier: 'schema' },
    scalar,
    tie('fields').map((inner) => field.object(inner)),
  ),
  any: fc.oneof(
    { maxDepth: 5, depthSize: 'large', depthIdentifier: 'schema' },
    scalar,
    scalar,
    tie('fields').map((inner) => field.object(inner)),
    tie('entry').map((entry) => field.list(entry)),
  ),
}))
/** Schemas with every type, objects, lists, lists in lists, and names that are hard to write. */
export const someSchema: fc.Arbitrary<Schema> = fields.map((inner) => defineSchema({ ...inner }))

/** A value with the type of its field. */
function formed(definition: Field, features: readonly Feature[]): fc.Arbitrary<unknown> {
  const dates = (texts: fc.Arbitrary<string>, time: string) =>
    features.includes('date-objects')
      ? fc.oneof(
          texts,
          texts.map((text) => new Date(text + time)),
        )
      : texts
  switch (definition.type) {
    case 'string':
      return someText
    case 'enumeration':
      return fc.constantFrom(...definition.values)
    case 'integer':
      return someInteger
    case 'number':
      return someNumber
    case 'boolean':
      return fc.boolean()
    case 'date':
      return dates(someDay, 'T11:00:00Z')
    case 'datetime':
      return dates(someMoment, '')
    case 'list':
      return fc
        .array(value(definition.entry, features), { maxLength: 3 })
        .map((entries) => (mayBeNull(definition.entry, features) ? entries : entries.filter((one) => one !== null)))
    case 'object':
      return rowOf(definition.fields, features)
  }
}
/** A row of a child table is an object: it stores no null. */
const mayBeNull = (entry: EntryField, features: readonly Feature[]): boolean =>
  entry.type !== 'object' || features.includes('other-forms')
const formOf = (value: unknown): string => (Array.isArray(value) ? 'list' : typeof value)
const formOfField: { readonly [T in Field['type']]: string } = {
  string: 'string',
  enumeration: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  date: 'string',
  datetime: 'string',
  list: 'list',
  object: 'object',
}
/** A value of a field, null, or a value of another type. */
function value(definition: Field, features: readonly Feature[]): fc.Arbitrary<unknown> {
  const lists = features.includes('misplaced-lists') ? [fc.constant([]), fc.constant(['a'])] : []
  const other = fc
    .oneof(someText, someNumber, fc.boolean(), fc.constant({}), ...lists)
    .filter((value) => formOf(value) !== formOfField[definition.type])
  return fc.oneof(
    { weight: 8, arbitrary: formed(definition, features) },
    { weight: 1, arbitrary: fc.constant(null) },
    ...(features.includes('other-forms') ? [{ weight: 1, arbitrary: other }] : []),
  )
}
function rowOf(fields: Fields, features: readonly Feature[]): fc.Arbitrary<Record<string, unknown> | null> {
  const record = fc.record(
    Object.fromEntries(Object.entries(fields).map(([name, definition]) => [name, value(definition, features)])),
    { requiredKeys: [] },
  )
  return features.includes('empty-objects') ? record : record.map((object) => (hasValue(object) ? object : null))
}
const hasValue = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !(value instanceof Date)
    ? Object.values(value).some(hasValue)
    : value !== null && value !== undefined

/** Everything that rows in memory may hold. */
const everything: readonly Feature[] = ['other-forms', 'misplaced-lists', 'empty-objects', 'date-objects']

/**
 * Rows of a schema, with missing fields, nulls, empty lists and values of other types.
 *
 * @param features the features of the backend that stores the rows. Default: those of the memory backend.
 *
 * @example someRow(orders, backend.capabilities.features)
 */
export const someRow = (schema: Schema, features = everything): fc.Arbitrary<Record<string, unknown>> =>
  rowOf(schema.fields, features).map((row) => row ?? {})

/** The text of an operand, as a query has it before it is encoded. */
function operandText({ type, values }: ResolvedField): fc.Arbitrary<string> {
  switch (type) {
    case 'string':
    case 'object':
      return someText
    case 'enumeration':
      return fc.constantFrom(...values!)
    case 'integer':
      return someInteger.map(String)
    case 'number':
      return someNumber.map(String)
    case 'boolean':
      return fc.constantFrom('true', 'false')
    case 'date':
      return someDay
    case 'datetime':
      return fc.oneof(
        someDay,
        someMoment,
        someMoment.map((moment) => moment.replace('.000Z', '+00:00').replace('T', 't')),
      )
  }
}

/** A condition as its parts; the value is not encoded yet. */
export interface Said {
  readonly field: ResolvedField
  readonly operator: Operator
  readonly value: string
}
const quoted = (text: string) => `"${text.replace(/["\\]/g, '\\$&')}"`

function saidOf(field: ResolvedField): fc.Arbitrary<Said> {
  const taken = [...operatorNamed.values()].filter(({ types }) => types.includes(field.type))
  return fc.constantFrom(...taken).chain((operator) => {
    const operand = operator.reads === 'flag' ? fc.constantFrom('true', 'false') : operandText(field)
    const item = operand.map((text) =>
      text === '' || text.startsWith('"') || text.includes(',') ? quoted(text) : text,
    )
    const value = {
      one: operand,
      two: fc.tuple(item, item).map((items) => items.join(',')),
      list: fc.array(item, { minLength: 1, maxLength: 4 }).map((items) => items.join(',')),
    }[operator.operands]
    return value.map((value) => ({ field, operator, value }))
  })
}
/** Conditions over a schema that one query may contain. */
export const someConditions = (schema: Schema): fc.Arbitrary<Said[]> =>
  fc.uniqueArray(fc.constantFrom(...schema.paths.values()).chain(saidOf), {
    maxLength: 5,
    selector: ({ field, operator }) => `${field.name} ${operator.name}`,
  })

/** Conditions as a query string, encoded as a form encodes it. */
export function queryOf(conditions: readonly Said[]): string {
  return new URLSearchParams(
    conditions.map(({ field, operator, value }) => [`${field.name}[${operator.name}]`, value]),
  ).toString()
}

/** A field as the entry of a list sees it, or as the row does. */
interface Seen {
  readonly path: Path
  readonly definition: Field
}
const seenIn = (path: Path, fields: Fields): Seen[] =>
  Object.entries(fields).flatMap(([name, definition]) => {
    const own = { path: [...path, name], definition }
    return definition.type === 'object' ? [own, ...seenIn(own.path, definition.fields)] : [own]
  })

/** Conditions about one field, as its operators have them. */
const conditionOn = ({ path, definition }: Seen): fc.Arbitrary<Filter> => {
  const schema = defineSchema({ x: definition })
  return saidOf(schema.paths.get('x')!).map((said) =>
    map(parseFilterOrThrow(schema, queryOf([said])), (node) => ('path' in node ? { ...node, path } : node)),
  )
}
const treeOver = (seen: readonly Seen[], depth: number): fc.Arbitrary<Filter> => {
  const leaf = fc.constantFrom(...seen).chain((one): fc.Arbitrary<Filter> => {
    const { path, definition } = one
    if (definition.type !== 'list') return conditionOn(one)
    const { entry } = definition
    const itself = { path: [], definition: entry }
    const entries = entry.type === 'object' ? [itself, ...seenIn([], entry.fields)] : [itself]
    return treeOver(entries, depth - 1).map((filter) => some(path, filter))
  })
  if (depth <= 0) return leaf
  const inner = treeOver(seen, depth - 1)
  return fc.oneof(
    { weight: 3, arbitrary: leaf },
    { weight: 1, arbitrary: inner.map(not) },
    { weight: 1, arbitrary: fc.array(inner, { maxLength: 3 }).map((members) => and(...members)) },
    { weight: 1, arbitrary: fc.array(inner, { maxLength: 3 }).map((members) => or(...members)) },
  )
}
/** Query strings over a schema, with up to five conditions. */
export const someQuery = (schema: Schema): fc.Arbitrary<string> => someConditions(schema).map(queryOf)

/** Filters over a schema: those of queries, and those that no query can express, such as `or` and `not` inside `some`. */
export const someFilter = (schema: Schema): fc.Arbitrary<Filter> => {
  const said = someQuery(schema).map((query) => parseFilterOrThrow(schema, query))
  return fc.oneof(
    { weight: 3, arbitrary: said },
    { weight: 1, arbitrary: fc.tuple(said, said).map(([a, b]) => or(a, not(b))) },
    { weight: 2, arbitrary: treeOver(seenIn([], schema.fields), 3) },
    { weight: 1, arbitrary: fc.tuple(said, said, said).map(([a, b, c]) => not(and(a, or(b, c)))) },
  )
}
