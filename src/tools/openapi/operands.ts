/** Schemas of operands and conditions in queries. */
import { mostEntries } from '../../tree/index.ts'
import {
  defaultOperator,
  fieldAndKey,
  longestKey,
  operatorsFor,
  operatorWords,
  valuesOf,
} from '../../language/index.ts'
import type { Collection, OperatorRow, ResolvedField, ScalarType, Limits } from '../../language/index.ts'
import { itemText } from '../../values/encode.ts'
import { own } from '../../own.ts'
import { escapePattern } from '../../values/characters.ts'
import { keepInPlace, nameOfField } from './components.ts'
import type { SchemaObject } from './objects.ts'
import type { Described, ParameterStyle } from './options.ts'
import { itemPattern, listText, scalars } from './scalars.ts'

const maxLength = ({ operand }: Limits): SchemaObject => (operand === Infinity ? {} : { maxLength: operand })

const typeName = ({ name, type }: ResolvedField, { row }: Described) =>
  type === 'object' || type === 'record' || type === 'json' ? 'Object' : scalars[type].name || nameOfField(row, name)

/** A number of entries. */
const entryCount: SchemaObject = { type: 'integer', minimum: 0, maximum: mostEntries }

/** The schema of an operand: a value of the field, a text, a flag, or a number of entries. */
function operandSchema({ operandKind }: OperatorRow, field: ResolvedField, described: Described): SchemaObject {
  if (operandKind === 'flag') return scalars.boolean.operand
  if (operandKind === 'count') return described.place('schemas', 'EntryCount', entryCount)
  const schema = valueSchema(field, described)
  const end = field.type === 'enumeration' ? '' : 'Operand'
  return isShort(schema) ? schema : described.place('schemas', typeName(field, described) + end, schema)
}
function valueSchema(field: ResolvedField, { limits }: Described): SchemaObject {
  const { type } = field
  const values = valuesOf(field)
  return {
    ...scalars[type as ScalarType].operand,
    ...(values && { enum: values }),
    ...(type === 'string' && maxLength(limits)),
  }
}

/** Whether a schema is at most as long as a reference to it. */
const isShort = (schema: SchemaObject): boolean =>
  !['pattern', 'minimum', 'anyOf', 'enum'].some((keyword) => Object.hasOwn(schema, keyword))

const howToQuote =
  'Write an item that is empty or contains a comma in double quotes, with \\" for a quote and \\\\ for a backslash.'

/** The number of operands in an array. */
export const itemCount = (count: 'two' | 'list', { list }: Limits): Pick<SchemaObject, 'minItems' | 'maxItems'> =>
  count === 'two' ? { minItems: 2, maxItems: 2 } : { minItems: 1, ...(list !== Infinity && { maxItems: list }) }

const listNames = { two: 'Range', list: 'List' } as const

/** The operand, or the operands, of an operator in a style. */
const operandsIn: {
  readonly [S in ParameterStyle]: (operator: OperatorRow, field: ResolvedField, described: Described) => SchemaObject
} = {
  /** Lists are texts: a deepObject has no arrays in it. */
  compact(operator, field, described) {
    const { operands: count } = operator
    if (count === 'one') return operandSchema(operator, field, described)
    const description = `Separate the values with commas.${field.type === 'string' ? ` ${howToQuote}` : ''}`
    const schema = { type: 'string', description, ...listText(field, count) }
    return described.place('schemas', typeName(field, described) + listNames[count], schema)
  },
  /** Lists are arrays. */
  flat(operator, field, described) {
    const { operands: count } = operator
    if (count === 'one') return operandSchema(operator, field, described)
    const values = valuesOf(field)
    const isQuoted = values?.some((value) => value !== itemText(value))
    const items: SchemaObject = isQuoted
      ? { ...scalars.enumeration.operand, enum: values!.map(itemText) }
      : field.type === 'string'
        ? { ...valueSchema(field, described), pattern: `^${itemPattern(field)}$`, description: howToQuote }
        : operandSchema(operator, field, described)
    const schema = { type: 'array', items, ...itemCount(count, described.limits) }
    return described.place('schemas', typeName(field, described) + listNames[count], schema)
  },
}

/** The operand of one condition, as a parameter of the style `flat` has it. */
export const flatSchema = operandsIn.flat

/** The schema of the operand, or of the array of operands, of a condition in JSON. */
function jsonSchema(operator: OperatorRow, field: ResolvedField, described: Described): SchemaObject {
  const { operands: count } = operator
  if (count === 'one') return operandSchema(operator, field, described)
  const items = operandSchema(operator, field, described)
  const schema = { type: 'array', items, ...itemCount(count, described.limits) }
  return described.place('schemas', `Json${typeName(field, described)}${listNames[count]}`, schema)
}

/** The path around the last name of a path. */
export const outerOf = (name: string): string => name.slice(0, name.lastIndexOf('.'))

const keyCharacter = '[^.\\[\\]\\x00]'
/** The last character of a key of a record that needs no operator in brackets. */
export const plainEnd = '[^.\\[\\]\\x00<>!~]'

/** Matches the path of a field, or with the path of a record's key, the paths of all keys of the record that end in a character. */
export function pathPattern(field: ResolvedField, name = field.name, last = ''): string {
  if (!own(field, 'isKey')) return escapePattern(name)
  const lengths = last === '' ? `1,${longestKey}` : `0,${longestKey - 1}`
  return `${escapePattern(outerOf(name))}\\.${keyCharacter}{${lengths}}${last}`
}

/** All fields of a collection, each record with a key. */
export const fieldsOf = ({ visible }: Collection): readonly ResolvedField[] =>
  Array.from(visible.paths.values()).flatMap((field) => fieldAndKey(visible, field))

/**
 * Describes the conditions of a JSON object by patterns of their names: a list of all names doubles the length of the document. Fields and
 * operators with the same schema share a pattern.
 */
export const jsonPatterns = (collection: Collection, described: Described): Readonly<Record<string, SchemaObject>> =>
  patternsOf(
    fieldsOf(collection).map((field) => [field, field.name]),
    collection,
    (operator, field) => jsonSchema(operator, field, described),
  )

/** Describes the conditions on all keys of a record, as pairs of a query. */
export const keyPatterns = (
  field: ResolvedField,
  name: string,
  collection: Collection,
  described: Described,
): Readonly<Record<string, SchemaObject>> =>
  patternsOf([[field, name]], collection, (operator) => operandsIn.compact(operator, field, described))

/** A field, and its path or an alias of it. */
type Named = readonly [field: ResolvedField, name: string]

function patternsOf(
  fields: readonly Named[],
  collection: Collection,
  schemaOf: (operator: OperatorRow, field: ResolvedField) => SchemaObject,
): Readonly<Record<string, SchemaObject>> {
  const bySchema = new Map<string, { readonly schema: SchemaObject; readonly operators: Map<string, Named[]> }>()
  for (const named of fields) {
    const [field] = named
    const own = Map.groupBy(operatorsFor(field, collection), (operator) => JSON.stringify(schemaOf(operator, field)))
    for (const [text, operators] of own) {
      const one = bySchema.get(text) ?? { schema: JSON.parse(text) as SchemaObject, operators: new Map() }
      bySchema.set(text, one)
      const names = operators.map(({ name }) => name).join('|')
      one.operators.set(names, [...(one.operators.get(names) ?? []), named])
    }
  }
  return Object.fromEntries(
    Array.from(bySchema.values()).flatMap(({ schema, operators }) =>
      Array.from(operators, ([names, fields]) => {
        const brackets = `(?:\\[(?:${names})\\])`
        const isBare = names.split('|').includes(defaultOperator.name)
        const pathsOf = (all: readonly Named[], last?: string) =>
          `(?:${all.map(([field, name]) => pathPattern(field, name, last)).join('|')})`
        const keys = isBare ? fields.filter(([field]) => own(field, 'isKey')) : []
        const signed = keys.length === 0 ? '' : `|${pathsOf(keys, '[<>!~]')}${brackets}`
        const pattern = isBare ? `${pathsOf(fields, plainEnd)}${brackets}?` : pathsOf(fields) + brackets
        return [`^${signed === '' ? pattern : `(?:${pattern}${signed})`}$`, schema]
      }),
    ),
  )
}

/** In and after lists, a field has more operators. */
const placeName = ({ lists, path }: ResolvedField): string =>
  lists.length === 0 ? '' : path.length === 0 ? 'Entries' : 'InList'

/** The conditions on a field as one object, as a parameter of the style `compact` has it. */
export function conditionsSchema(field: ResolvedField, collection: Collection, described: Described): SchemaObject {
  const { place, row } = described
  const [all, offered] = [operatorsFor(field), operatorsFor(field, collection)]
  const isNarrowed = offered.length < all.length
  const name = isNarrowed ? nameOfField(row, field.name) : typeName(field, described) + placeName(field)
  return place('schemas', `${name}Conditions`, {
    type: 'object',
    properties: Object.fromEntries(
      (isNarrowed ? offered : all).map((operator) => [
        operator.name,
        withWords(operandsIn.compact(operator, field, described), operator, described),
      ]),
    ),
    additionalProperties: false,
    ...unfilled(described),
  })
}

/** Readers fill forms with examples. Without one they make their own out of the schema, and send every operator. */
export const unfilled = ({ version }: Described): SchemaObject =>
  // 3.0 lacks `examples` in schemas (https://spec.openapis.org/oas/v3.0.4.html#schema-object).
  version === '3.0' ? { example: {} } : { examples: [{}] }

/** Adds the meaning of its operator to a schema. In a document, many operators share a schema, and the operation describes them. */
function withWords(schema: SchemaObject, { name }: OperatorRow, { place }: Described): SchemaObject {
  if (place !== keepInPlace) return schema
  const { doc } = operatorWords[name]
  const description = own(schema, 'description')
  return { ...schema, description: description === undefined ? doc : `${doc}. ${description}` }
}
