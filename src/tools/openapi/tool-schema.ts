/** Makes the schema of a tool call: it describes the objects that `parseObject` accepts. */
import { mostEntries } from '../../tree/index.ts'
import {
  checkCollection,
  defaultOperator,
  isOfForm,
  operators,
  operatorsFor,
  operatorWords,
  valuesOf,
  checkLimits,
} from '../../language/index.ts'
import type { Collection, GroupWord, OperatorRow, ResolvedField, ScalarType, Limits } from '../../language/index.ts'
import { checkOptions } from '../../options.ts'
import { own } from '../../own.ts'
import { escapePattern } from '../../values/characters.ts'
import type { SchemaObject } from './objects.ts'
import { fieldsOf, itemCount, outerOf, pathPattern, plainEnd } from './operands.ts'
import { parameterSchema, type Items } from './parameter-schema.ts'
import { sentence } from './parameters.ts'
import { scalars } from './scalars.ts'

const spellings = ['brackets', 'dots'] as const

/** The options of {@link toolSchema}. */
export interface ToolOptions {
  /**
   * The names of conditions: `total[gte]` with `brackets`, the default, or `total.gte` with `dots`. Anthropic's API accepts letters,
   * digits, `_`, `.` and `-` in names of members, and refuses the request for any other character. `parseObject` accepts both forms.
   */
  readonly keys?: 'brackets' | 'dots'
  /**
   * The form for OpenAI's strict tools: every member is required, with `null` for a condition that the model leaves out. The schema
   * contains only the keywords that this mode accepts. Parse the calls with the option `strict` of `parseObject`.
   */
  readonly strict?: boolean
  /** The option `limits` of the service or of `parseQuery`. */
  readonly limits?: Partial<Limits>
  /** Descriptions of fields by path: `{ total: 'The price in euros, with taxes.' }`. */
  readonly descriptions?: Readonly<Record<string, string>>
}

/** The schema of a tool call in JSON Schema, draft 2020-12. */
export interface ToolSchema {
  readonly type: 'object'
  readonly description: string
  readonly properties: Readonly<Record<string, SchemaObject>>
  /** The conditions on keys of records. Strict tools refuse the keyword, so their schema lacks these conditions. */
  readonly patternProperties?: Readonly<Record<string, SchemaObject>>
  readonly required?: readonly string[]
  readonly additionalProperties: false
  readonly $defs: Readonly<Record<string, SchemaObject>>
}

/**
 * Describes the objects that `parseObject` accepts in a closed JSON Schema, for the arguments of an agent's tool call. Conditions are
 * members with the name `path` or `path[operator]`. Order, page, fields and groups have the parameter names of the collection.
 *
 * @param collection made by `defineCollection`. `narrow` reduces the members.
 * @param options the names of conditions, the form for strict tools, limits, and descriptions of fields.
 * @returns the schema as plain JSON.
 * @throws TypeError when an argument has the wrong type, a description names an unknown field, or with `dots` a member has a name that
 *   those tools refuse.
 * @example
 * const tool = { name: 'list_orders', inputSchema: toolSchema(orderCollection) }
 * tool.inputSchema.properties['total[gte]'] // => { $ref: '#/$defs/gte_number' }
 */
export function toolSchema(collection: Collection, options: ToolOptions = {}): ToolSchema {
  checkCollection(collection)
  const checked = checkOptions(options, 'options', ['keys', 'strict', 'limits', 'descriptions'])
  const { keys = 'brackets', strict = false, descriptions = {} } = checked
  if (!spellings.includes(keys)) throw new TypeError(`options.keys must be ${spellings.join(' or ')}`)
  if (typeof strict !== 'boolean') throw new TypeError('options.strict must be a boolean')
  const texts = checkOptions(descriptions, 'options.descriptions', [...collection.visible.paths.keys()])
  for (const [path, text] of Object.entries(texts))
    if (typeof text !== 'string') throw new TypeError(`options.descriptions['${path}'] must be a text`)
  const $defs: Record<string, SchemaObject> = {}
  const { properties, patternProperties } = memberSchemas(collection, {
    limits: checkLimits(checked.limits),
    keys,
    strict,
    descriptionOf: (path) => own(texts, path),
    place: (name, schema) => {
      $defs[name] = schema
      return { $ref: `#/$defs/${name}` }
    },
  })
  const names = Object.keys(properties)
  const refused = keys === 'dots' ? names.find((name) => !/^[a-zA-Z0-9_.-]{1,64}$/.test(name)) : undefined
  if (refused !== undefined) {
    throw new TypeError(
      `the member ${refused} has other characters than letters, digits, "_", "." and "-", or more than 64, which tools with the option keys 'dots' refuse: narrow the collection, or rename the parameter`,
    )
  }
  return {
    type: 'object',
    description: explanationOf(collection, keys),
    properties,
    ...(Object.keys(patternProperties).length > 0 && { patternProperties }),
    ...(strict && { required: names }),
    additionalProperties: false,
    $defs,
  }
}

/** The options of a schema, and the place of its definitions. */
interface MembersDescribed {
  readonly limits: Limits
  readonly keys: NonNullable<ToolOptions['keys']>
  readonly strict: boolean
  readonly descriptionOf: (path: string) => string | undefined
  /** Adds a shared schema to `$defs`, and returns a reference to it. */
  readonly place: (name: string, schema: SchemaObject) => SchemaObject
}

/** Returns the schemas of all members by name, and those of the keys of records by the pattern of their names. */
function memberSchemas(
  collection: Collection,
  described: MembersDescribed,
): Required<Pick<ToolSchema, 'properties' | 'patternProperties'>> {
  const { keys, strict, place, descriptionOf } = described
  const { paths } = collection.visible
  const names = [...collection.parameters.values()]
  const isKeyOf = (field: ResolvedField) => own(field, 'isKey') !== undefined
  const membersOf = (field: ResolvedField) =>
    operatorsFor(field, collection).flatMap((operator, at): readonly (readonly [string, SchemaObject])[] => {
      const isDefault = operator === defaultOperator
      const end = isDefault ? '' : keys === 'dots' ? `.${operator.name}` : `[${operator.name}]`
      const isKey = isKeyOf(field)
      const last = isDefault ? plainEnd : ''
      const name = isKey ? `^${pathPattern(field, field.name, last)}${escapePattern(end)}$` : field.name + end
      // `parseObject` reads this name as the field or the parameter, which has precedence.
      if (!isKey && !isDefault && (paths.has(name) || names.includes(name))) return []
      const schema = conditionSchema(field, operator, described)
      const meaning = at === 0 ? descriptionOf(isKey ? outerOf(field.name) : field.name) : undefined
      if (meaning === undefined) return [[name, place(nameOf(operator, field), schema)]]
      return [[name, { ...schema, description: `${meaning} ${own(schema, 'description')}` }]]
    })
  const [conditions, patterns] = [false, true].map((isKey) =>
    fieldsOf(collection).flatMap((field) => (isKeyOf(field) === isKey && !(isKey && strict) ? membersOf(field) : [])),
  )
  const parameters = Object.entries(parameterMembers(collection, described.limits, (_, items) => items))
  return {
    properties: Object.fromEntries([
      ...conditions!,
      ...parameters.map(([name, schema]): [string, SchemaObject] => [name, fitted(schema, described)]),
    ]),
    patternProperties: Object.fromEntries(patterns!),
  }
}

/**
 * Returns the schemas of order, page, fields and groups by the names of their members.
 *
 * @param items places the schema of the items of a list, and returns a reference.
 */
export const parameterMembers = (
  collection: Collection,
  limits: Limits,
  items: Items,
): Readonly<Record<string, SchemaObject>> =>
  Object.fromEntries(
    Array.from(collection.parameters, ([role, name]) => [
      name,
      isOfForm(role, 'group') ? groupSchemas[role](collection) : parameterSchema(role, collection, limits, items),
    ]),
  )

/** Returns the name of the definition of a condition. Fields of one type share a definition. */
const nameOf = ({ name, operandKind }: OperatorRow, field: ResolvedField): string =>
  operandKind === 'value' ? `${name}_${valuesOf(field) ? partOf(field.name) : field.type}` : name

/** Escapes a path for the name of a definition. Each path has a different result, because characters become their codes. */
const partOf = (text: string): string =>
  text.replace(/[^a-zA-Z0-9]/g, (character) =>
    character === '.' ? '_' : `_${character.codePointAt(0)!.toString(16)}_`,
  )

function operandSchema(
  { operandKind }: OperatorRow,
  field: ResolvedField,
  { limits, place }: MembersDescribed,
): SchemaObject {
  if (operandKind === 'flag') return scalars.boolean.tool
  if (operandKind === 'count') return { type: 'integer', minimum: 0, maximum: mostEntries }
  const values = valuesOf(field)
  if (values !== undefined) return place(`values_${partOf(field.name)}`, { type: 'string', enum: values })
  const schema = scalars[field.type as ScalarType].tool
  return field.type === 'string' && limits.operand !== Infinity ? { ...schema, maxLength: limits.operand } : schema
}

/** Makes the schema of a condition. */
function conditionSchema(field: ResolvedField, operator: OperatorRow, described: MembersDescribed): SchemaObject {
  const { description: form, ...operand } = operandSchema(operator, field, described)
  const { doc } = operatorWords[operator.name]
  const description = sentence(form === undefined ? doc : `${doc}; ${form}`)
  if (operator.operands === 'one') {
    // Strict tools refuse a keyword beside `$ref`.
    return fitted({ description, ...(Object.hasOwn(operand, '$ref') ? { anyOf: [operand] } : operand) }, described)
  }
  const count = itemCount(operator.operands, described.limits)
  return fitted({ description, type: 'array', items: operand, ...count }, described)
}

/** The keywords of these schemas that strict tools accept. */
const strictKeywords = ['type', 'description', 'enum', 'items', 'anyOf', '$ref']

/** Fits a schema to strict tools: adds `null` and removes the keywords that they refuse. */
function fitted(schema: SchemaObject, { strict }: MembersDescribed): SchemaObject {
  if (!strict) return schema
  const plain = (one: SchemaObject): SchemaObject =>
    Object.fromEntries(
      Object.entries(one).flatMap(([keyword, value]) =>
        strictKeywords.includes(keyword) ? [[keyword, keyword === 'items' ? plain(value as SchemaObject) : value]] : [],
      ),
    )
  const { type, anyOf, ...rest } = plain(schema)
  if (anyOf !== undefined) return { ...rest, anyOf: [...anyOf, { type: 'null' }] }
  return { ...rest, type: [type!, 'null'].flat() }
}

const groupPattern = '^\\([\\s\\S]+\\)$'
const group = (description: string): SchemaObject => ({ description, type: 'string', pattern: groupPattern })

const groupSchemas: { readonly [W in GroupWord]: (collection: Collection) => SchemaObject } = {
  or: ({ parameters }) =>
    group(
      `Conditions of which at least one holds, as a text: (a=1,b[gte]=2). In it, conditions are path=value or path[operator]=value, ` +
        `lists are in parentheses, a[in]=(1,2), and a value with a comma or a parenthesis is in double quotes. Groups may be in it: ` +
        `${parameters.get('and')}(…), ${parameters.get('or')}(…), ${parameters.get('not')}(…), and list(…), list.none(…), list.every(…) for the entries of a list.`,
    ),
  and: ({ parameters }) =>
    group(
      `Conditions that all hold, in the form of ${parameters.get('or')}: for two entries of one list, (items(a=1),items(a=2)).`,
    ),
  not: ({ parameters }) => group(`Conditions that do not all hold, in the form of ${parameters.get('or')}.`),
}

/** The operators that select rows without a value, too. */
export const complements: readonly string[] = Object.values(operators).flatMap(({ name, complement }) =>
  complement ? [name] : [],
)

/** Whether a collection has a field in a list. */
export const isThroughList = ({ visible }: Collection): boolean =>
  Array.from(visible.paths.values()).some(({ lists }) => lists.length > 0)

/** Describes the default conditions of a collection. */
export const ofDefaults = ({ defaults }: Collection): readonly string[] =>
  defaults.map(({ field, pair }) => `Without a condition on ${field.name}, \`${pair}\` applies.`)

/** Writes the description of the whole schema: the rules about more than one member. */
function explanationOf(collection: Collection, keys: MembersDescribed['keys']): string {
  const form = keys === 'dots' ? 'path.operator' : 'path[operator]'
  return [
    `Lists the rows that meet every condition. A condition is a member: the path of a field for equality, or ${form}.`,
    `${complements.join(', ')}, and exists with false, select rows without a value, too.`,
    ...(isThroughList(collection) ? ['Conditions on one list apply to the same entry of it.'] : []),
    ...ofDefaults(collection),
    'Leave out members that are not needed.',
  ].join(' ')
}
