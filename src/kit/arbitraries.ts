/**
 * `urlwhere/testing/arbitraries`: random schemas, rows, query strings, filters and queries for property tests with
 * fast-check, a peer dependency. Counterexamples shrink.
 */
import * as fc from 'fast-check'
import {
  and,
  canonicalOf,
  isLiteralType,
  literalTypes,
  map,
  not,
  or,
  some,
  type Filter,
  type Literal,
  type LiteralType,
  type Path,
} from '../tree/index.ts'
import {
  defineSchema,
  digitsOf,
  field,
  isPromised,
  accepts,
  isOfForm,
  operatorNamed,
  parameterRows,
  plainNames,
  quantifiers,
  searchesOf,
  type Collection,
  type EntryField,
  type Field,
  type Fields,
  type Operator,
  type OperatorRow,
  type ParameterName,
  type PlainName,
  type FacetField,
  type RecordEntry,
  type ResolvedField,
  type Schema,
  fieldNamesOf,
  defaultLimits,
} from '../language/index.ts'
import {
  combine,
  plainWords,
  searchMembers,
  wordText,
  facetOf,
  cursorOf,
  sortKeyOf,
  totalOrder,
  valueAt,
  isRequired,
  type Position,
  type Query,
  type SortKey,
  filterBeside,
  newCondition,
  partsOfFilter,
} from '../query/index.ts'
import { groupItemText } from '../writing/index.ts'
import { parseFilterOrThrow, parseQueryOrThrow } from '../hints/index.ts'
import type { Feature } from '../backends/backend.ts'
import { itemText } from '../values/encode.ts'
import { decimalOf } from '../values/exact.ts'
import { ownOf } from '../own.ts'

/** Texts that engines compare wrongly: letter case, wildcards, quotes, code points beyond U+FFFF. */
const hardTexts =
  'a A b ab aB é É ß ẞ Σ σ ς İ i ı ſ s \u212a k % _ \\ " , a,b "a" it\'s & = + # [ . * ^$ \uff5e \u{1f600} \u{10400} null true 1 $ne __proto__ {}'
const someText = fc.oneof(
  fc.constantFrom('', 'a ', ...hardTexts.split(' ')),
  fc.string({ unit: 'grapheme', maxLength: 5 }).filter((text) => !text.includes('\0')),
)
const someDay = fc.constantFrom(
  ...['0001-01-01', '2023-12-31', '2024-01-01', '2024-01-02', '2024-02-29', '9999-12-31'],
  // Clocks change on these days, or on the day between the first two, somewhere in `zones`.
  ...['2011-12-29', '2011-12-31', '2018-11-04', '2024-03-31', '2024-11-03'],
)
/** Zones of half hours, without midnight, with midnight twice, and without a day (Apia's 2011-12-30), and offsets. */
const zones = [
  ...['Europe/Berlin', 'Asia/Kolkata', 'Australia/Lord_Howe', 'America/St_Johns', 'America/Sao_Paulo'],
  ...['America/Havana', 'Pacific/Apia', 'Asia/Tokyo', 'UTC', '+05:45', '-12:00'],
]
const someZone = fc.constantFrom(...zones)
/** Filters with relative times depend on this moment: the month before lacks its day, and Berlin's clocks change half an hour later. */
const fixedNow = new Date('2024-03-31T00:30:00.000Z')
const someWholeMoment = fc.oneof(
  someDay.map((day) => `${day}T00:00:00.000Z`),
  fc.constantFrom(
    '2024-01-01T23:59:59.999Z',
    '2024-01-02T00:00:00.001Z',
    '2024-02-29T12:00:00.000Z',
    '9999-12-31T23:59:59.999Z',
    fixedNow.toISOString(),
    // First and last moments of days in `zones`.
    ...['2024-03-30T22:59:59.999Z', '2024-03-30T23:00:00.000Z', '2024-03-31T21:59:59.999Z', '2024-03-31T22:00:00.000Z'],
    ...['2011-12-30T09:59:59.999Z', '2011-12-30T10:00:00.000Z', '2018-11-04T02:59:59.999Z', '2018-11-04T03:00:00.000Z'],
    ...['2024-03-30T18:30:00.000Z', '2024-11-03T04:00:00.000Z', '2024-11-04T05:00:00.000Z'],
  ),
)
/** Between and beside milliseconds, before 1970 and at the ends of days too. */
const someFineMoment = fc.constantFrom(
  '1969-12-31T23:59:59.999Z',
  '1969-12-31T23:59:59.999999Z',
  '2024-01-01T23:59:59.999999Z',
  '2024-01-02T00:00:00.000001Z',
  '2024-01-02T00:00:00.000999Z',
  '2024-01-02T00:00:00.001001Z',
  '9999-12-31T23:59:59.999999Z',
)
const someMoment = fc.oneof(someWholeMoment, someFineMoment)
/** Neighbours in microseconds, at both ends of the day too. */
const someTime = fc.constantFrom(
  ...['00:00:00', '00:00:00.000001', '09:30:00', '09:30:00.5', '09:30:00.25', '09:30:01', '10:00:00.000001'],
  ...['23:59:59', '23:59:59.999999'],
)
const someInteger = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.constantFrom(Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER),
)
/** JavaScript writes 2^60 + 256 with the digits of another integer. */
const someNumber = fc.oneof(
  someInteger,
  fc.constantFrom(0.1, 2 ** 60 + 256, -1.5, 1e21, 1e-7, 5e-324, Number.MAX_VALUE),
)
const someUuid = fc.constantFrom(
  '00000000-0000-4000-8000-000000000001',
  '00000000-0000-4000-8000-000000000002',
  '0a1b2c3d-4e5f-4789-8abc-def012345678',
  '7fffffff-ffff-7fff-bfff-ffffffffffff',
  '80000000-0000-1000-8000-000000000000',
  'ffffffff-ffff-4fff-bfff-fffffffffffe',
)
/** Neighbours at the limits of doubles and of 64 bits; numbers that texts order otherwise. */
const someBigint = fc.oneof(
  fc.integer({ min: -3, max: 3 }).map(String),
  fc.constantFrom('9', '10', '9007199254740991', '9007199254740992', '9007199254740993', '-9007199254740993'),
  fc.constantFrom('9223372036854775806', '9223372036854775807', '-9223372036854775807', '-9223372036854775808'),
)
/** Two digits after the point: 64 bits in hundredths. */
const someMoney = fc.oneof(
  fc.constantFrom('0', '0.01', '0.1', '0.11', '1.1', '1.09', '9.99', '10', '-0.5', '-0.51', '-10'),
  fc.constantFrom('90071992547409.92', '90071992547409.93', '92233720368547758.07', '-92233720368547758.08'),
)
/** Up to 34 digits, of which the last one differs. */
const someLongDecimal = fc.constantFrom(
  '0.00000000000000000001',
  '0.00000000000000000002',
  '-0.00000000000000000001',
  '1.100000000000000000000000000001',
  '0.333333333333333333333333333333',
  '0.333333333333333333333333333334',
  '12345678901234567890.12345678901234',
  '12345678901234567890.12345678901235',
  '1234567890123456789012345678901234',
  '1234567890123456789012345678901235',
  '-1234567890123456789012345678901234',
)
/** Values that no store has: finer or larger than its own. */
const someFarDecimal = fc.constantFrom(
  '1.105',
  '-0.505',
  '92233720368547758.08',
  '0.000000000000000000000000000000000000001',
  '-9999999999999999999999999999999999',
)
const someLiteral: { readonly [T in LiteralType]: fc.Arbitrary<Literal['value']> } = {
  string: someText,
  integer: someInteger,
  number: someNumber,
  uuid: someUuid,
  bigint: someBigint,
  decimal: fc.oneof(someMoney, someLongDecimal, someFarDecimal),
  boolean: fc.boolean(),
  date: someDay,
  datetime: someMoment,
  time: someTime,
}
const values = ['red', 'green', 'Blue,1']

type Promises = { readonly required?: true }
const promise: Promises = { required: true }

/** The functions that define a scalar field, by the type of its literals. A type that has more of them is there more often. */
const makers: { readonly [T in LiteralType]: readonly ((promises: Promises) => EntryField)[] } = {
  string: [field.string, field.string, (promises) => field.enumeration(values, promises)],
  uuid: [field.uuid],
  integer: [field.integer],
  bigint: [field.bigint],
  number: [field.number],
  decimal: [field.decimal],
  boolean: [field.boolean],
  date: [field.date],
  datetime: [field.datetime, field.datetime, (promises) => field.datetime({ ...promises, digits: 3 })],
  time: [field.time],
}
const someEntry = (types: readonly LiteralType[]): fc.Arbitrary<EntryField> =>
  fc.constantFrom(...types.flatMap((type) => makers[type])).map((make) => make({}))
const somePromise = fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: fc.constant(promise) })
const someScalar = (types: readonly LiteralType[]): fc.Arbitrary<EntryField> =>
  fc
    .tuple(fc.constantFrom(...types.flatMap((type) => makers[type])), somePromise)
    .map(([make, options]) => make(options))
/** Promises only an object that has a value for certain: rows for stores without `empty-objects` contain no other objects. */
const objectOf = (fields: Fields, promises: Promises): EntryField =>
  field.object(fields, Object.values(fields).some(isPromised) ? promises : {})

const names = ['a', 'b', 'c', 'd e', 'é', 'length', 'constructor', "it's", 'a"b', 'a\\b', 'a`b']

/**
 * Draws schemas as {@link someSchema} does, but only with fields of the given types. Use it for a backend that lacks the other types.
 *
 * @param types the types of the literals; the type of an enumeration is `string`.
 * @param features with the feature `records`, the schemas also have records. Default: none.
 * @throws TypeError when `types` is empty or contains an unknown type.
 *
 * @example someSchemaOf(backend.capabilities.types, backend.capabilities.features)
 */
export function someSchemaOf(types: readonly LiteralType[], features: readonly Feature[] = []): fc.Arbitrary<Schema> {
  if (!Array.isArray(types) || types.length === 0 || !types.every((type) => literalTypes.includes(type)))
    throw new TypeError(`types must be a list of some of ${literalTypes.join(', ')}`)
  const entry = someEntry(types)
  const scalar = someScalar(types)
  const { fields } = fc.letrec<{ fields: Fields; entry: EntryField; any: Field }>((tie) => ({
    fields: fc.dictionary(fc.constantFrom(...names), tie('any'), { minKeys: 1, maxKeys: 4, depthIdentifier: 'schema' }),
    entry: fc.oneof(
      { maxDepth: 5, depthSize: 'large', depthIdentifier: 'schema' },
      entry,
      tie('fields').map((inner) => field.object(inner)),
    ),
    any: fc.oneof(
      { maxDepth: 5, depthSize: 'large', depthIdentifier: 'schema' },
      scalar,
      scalar,
      fc.tuple(tie('fields'), somePromise).map(([inner, options]) => objectOf(inner, options)),
      tie('entry').map((entry) => field.list(entry)),
      ...(features.includes('records')
        ? [fc.tuple(entry, somePromise).map(([one, options]) => field.record(one as RecordEntry, options))]
        : []),
    ),
  }))
  return fields.map((inner) => defineSchema({ ...inner }))
}
/** Schemas with every type, objects, records, lists, lists in lists, required fields, and names that are hard to write. */
export const someSchema: fc.Arbitrary<Schema> = someSchemaOf(literalTypes, ['records'])

// --- Rows

/** Other forms of the values of a type that are the same values. */
const alike: { readonly [T in LiteralType]?: (text: string) => readonly unknown[] } = {
  uuid: (text) => [text.toUpperCase()],
  bigint: (text) => [BigInt(text), ...(Number.isSafeInteger(Number(text)) ? [Number(text)] : [])],
  decimal: (text) => [
    `${text}e0`,
    text.includes('.') ? `${text}0` : BigInt(text),
    ...(decimalOf(Number(text)) === text ? [Number(text)] : []),
  ],
}

/** The texts of a scalar's values, as a store with these features may have them. */
function textsOf(definition: Field, features: readonly Feature[]): fc.Arbitrary<unknown> {
  if (definition.type === 'decimal')
    return features.includes('long-decimals') ? fc.oneof(someMoney, someLongDecimal) : someMoney
  if (definition.type === 'datetime' && digitsOf(definition) === undefined && features.includes('microseconds'))
    return someMoment
  return definition.type === 'datetime' ? someWholeMoment : someLiteral[definition.type as LiteralType]
}

/** Keys of records that are hard to write: in SQL, in JSON paths, in query strings, in JavaScript and for MongoDB. */
const hardKeys = [
  ...names,
  ...'0 -1 * ? $1 % %2e _ " \\ \\u0061 $where toString hasOwnProperty NULL last + & \u{1f600} e\u0301'.split(' '),
  ...['ä ', '\n', 'x'.repeat(128)],
]
/** Half of the keys are of two, so that rows and conditions often have the same. */
const someKey = fc.oneof(fc.constantFrom('a', 'b'), fc.constantFrom(...hardKeys))
/** Rows also contain keys that no path can have. */
const someStoredKey = fc.oneof({ weight: 9, arbitrary: someKey }, fc.constantFrom('', 'a.b', '[', '__proto__'))
/** A field, or a key of it if it is a record. */
const itselfOrKey = <T>(type: Field['type'], itself: T, at: (key: string) => T): fc.Arbitrary<T> =>
  type === 'record' ? fc.oneof(fc.constant(itself), { weight: 5, arbitrary: someKey.map(at) }) : fc.constant(itself)

const someJsonScalar = fc.oneof(fc.boolean(), fc.constantFrom(0, -1.5, 1e21, '', 'null', '[]', '{"a":1}', "it's"))
/** JSON other than null. */
const someJson: fc.Arbitrary<unknown> = fc.oneof(
  someJsonScalar,
  fc.array(fc.option(someJsonScalar), { maxLength: 2 }),
  fc.dictionary(fc.constantFrom('a', '__proto__', 'null', 'a.b'), fc.option(someJsonScalar), { maxKeys: 2 }),
)

/** A value with the type of its field. */
function formed(definition: Field, features: readonly Feature[]): fc.Arbitrary<unknown> {
  switch (definition.type) {
    case 'enumeration':
      return fc.constantFrom(...definition.values)
    case 'date':
    case 'datetime': {
      const texts = textsOf(definition, features) as fc.Arbitrary<string>
      const time = definition.type === 'date' ? 'T11:00:00Z' : ''
      return features.includes('date-objects')
        ? fc.oneof(
            texts,
            texts.map((text) => new Date(text + time)),
          )
        : texts
    }
    case 'list':
      return fc
        .array(value(definition.entry, features), { maxLength: 3 })
        .map((entries) => (mayBeNull(definition.entry, features) ? entries : entries.filter((one) => one !== null)))
    case 'object':
      return rowOf(definition.fields, features)
    case 'json':
      return someJson
    case 'record':
      return fc
        .dictionary(someStoredKey, value(definition.entry, features), { maxKeys: 3 })
        .filter((record) => features.includes('empty-objects') || hasValue(record))
    default: {
      const texts = textsOf(definition, features)
      const others = alike[definition.type]
      if (others === undefined || !features.includes('value-forms')) return texts
      return texts.chain((text) => fc.constantFrom(text, ...others(text as string)))
    }
  }
}
/** A row of a child table is an object: it stores no null. */
const mayBeNull = (entry: EntryField, features: readonly Feature[]): boolean =>
  entry.type !== 'object' || features.includes('other-forms')
const formOf = (value: unknown): string => (Array.isArray(value) ? 'list' : typeof value)
/** The forms of each type's values. The other types have texts. */
const forms: { readonly [T in Field['type']]?: readonly string[] } = {
  integer: ['number'],
  number: ['number'],
  boolean: ['boolean'],
  list: ['list'],
  object: ['object'],
  record: ['object'],
  bigint: ['string', 'number', 'bigint'],
  decimal: ['string', 'number', 'bigint'],
}
const hasForm = (value: unknown, type: Field['type']): boolean =>
  type === 'json' || (forms[type] ?? ['string']).includes(formOf(value))

/** A value of a field; where none is promised, null or a value of another type too. */
function value(definition: Field, features: readonly Feature[]): fc.Arbitrary<unknown> {
  if (isPromised(definition)) return formed(definition, features)
  const lists = features.includes('misplaced-lists') ? [fc.constant([]), fc.constant(['a'])] : []
  const other = fc
    .oneof(someText, someNumber, fc.boolean(), fc.constant({}), ...lists)
    .filter((value) => !hasForm(value, definition.type))
  return fc.oneof(
    { weight: 8, arbitrary: formed(definition, features) },
    { weight: 1, arbitrary: fc.constant(null) },
    ...(features.includes('other-forms') && definition.type !== 'json' ? [{ weight: 1, arbitrary: other }] : []),
  )
}
function rowOf(fields: Fields, features: readonly Feature[]): fc.Arbitrary<Record<string, unknown> | null> {
  const record = fc.record(
    Object.fromEntries(Object.entries(fields).map(([name, definition]) => [name, value(definition, features)])),
    { requiredKeys: Object.keys(fields).filter((name) => isPromised(fields[name]!)) },
  )
  return features.includes('empty-objects') ? record : record.map((object) => (hasValue(object) ? object : null))
}
const hasValue = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !(value instanceof Date)
    ? Object.values(value).some(hasValue)
    : value !== null

/** Rows in memory may contain all of these. */
const everything: readonly Feature[] = [
  ...(['other-forms', 'misplaced-lists', 'empty-objects', 'date-objects'] as const),
  ...(['value-forms', 'microseconds', 'long-decimals'] as const),
]

/**
 * Rows of a schema, with missing fields, nulls, empty lists and values of other types. Required fields have a value.
 *
 * @param features the features of the backend that stores the rows. Default: those of the memory backend.
 *
 * @example someRow(orders, backend.capabilities.features)
 */
export const someRow = (schema: Schema, features = everything): fc.Arbitrary<Record<string, unknown>> =>
  rowOf(schema.fields, features).map((row) => row ?? {})

/** Form decoding turns an unescaped plus sign into a space. */
const someRelativeDay = fc.constantFrom(
  ...['today', 'today-1d', 'today+1d', 'today-1mo', 'today 1mo', 'today-30d', 'today+2w', 'today-1y'],
)
const someRelativeMoment = fc.constantFrom(
  ...['now', 'now-90m', 'now+90m', 'now-1800s', 'now 2h', 'now-1d', 'now+1mo', 'now-1mo', 'now-3w', 'now-1y'],
)

/** Whether operands include times relative to the moment of the parse. */
interface Writing {
  readonly relativeTimes?: boolean
}

/** The text of an operand before a query encodes it. */
function operandText(field: ResolvedField, { relativeTimes = false }: Writing): fc.Arbitrary<string> {
  const absolute = absoluteText(field)
  if (!relativeTimes || (field.literal !== 'date' && field.literal !== 'datetime')) return absolute
  const relative = field.literal === 'date' ? [someRelativeDay] : [someRelativeDay, someRelativeMoment]
  return fc.oneof({ weight: 2, arbitrary: absolute }, ...relative)
}
function absoluteText({ literal, values }: ResolvedField): fc.Arbitrary<string> {
  if (values !== undefined) return fc.constantFrom(...values)
  if (!isLiteralType(literal)) return someText
  if (literal === 'uuid')
    return fc.oneof(
      someUuid,
      someUuid.map((text) => text.toUpperCase()),
    )
  if (literal !== 'datetime') return someLiteral[literal].map(String)
  return fc.oneof(
    ...[someDay, someMoment],
    someMoment.map((moment) => moment.replace('.000Z', '+00:00').replace('T', 't')),
  )
}

/** The parts of a condition. The value is not encoded. */
export interface ConditionParts {
  readonly field: ResolvedField
  readonly operator: Omit<Operator, 'doc'>
  readonly value: string
}

/** A condition, and the text of each operand. */
interface TextCondition extends ConditionParts {
  readonly operands: readonly string[]
}

/** The operands of an operator on a field, as texts. */
function operandsOf(
  field: ResolvedField,
  { operands, operandKind }: OperatorRow,
  writing: Writing,
): fc.Arbitrary<readonly string[]> {
  const operand =
    operandKind === 'flag'
      ? fc.constantFrom('true', 'false')
      : operandKind === 'count'
        ? fc.constantFrom('0', '1', '2', '3')
        : operandText(field, writing)
  return {
    one: fc.tuple(operand),
    two: fc.tuple(operand, operand),
    list: fc.array(operand, { minLength: 1, maxLength: 4 }),
  }[operands]
}
const operatorsOf = (field: ResolvedField): readonly OperatorRow[] =>
  [...operatorNamed.values()].filter((operator) => accepts(field, operator))

const someCondition = (field: ResolvedField, writing: Writing): fc.Arbitrary<TextCondition> =>
  fc.constantFrom(...operatorsOf(field)).chain((operator) =>
    operandsOf(field, operator, writing).map((operands) => ({
      field,
      operator,
      operands,
      value: operator.operands === 'one' ? operands[0]! : operands.map(itemText).join(','),
    })),
  )

const someTextConditions = (schema: Schema, writing: Writing): fc.Arbitrary<TextCondition[]> =>
  fc.uniqueArray(
    fc
      .constantFrom(...schema.paths.values())
      .chain((field) => itselfOrKey(field.type, field, (key) => schema.paths.get(`${field.name}.${key}`)!))
      .chain((field) => someCondition(field, writing)),
    { maxLength: 5, selector: ({ field, operator }) => `${field.name} ${operator.name}` },
  )
/** Conditions over a schema that one query may contain. */
export const someConditions = (schema: Schema): fc.Arbitrary<ConditionParts[]> =>
  someTextConditions(schema, {}).map((all) => all.map(({ operands: _, ...parts }) => parts))

/** Writes conditions as a query string, with the encoding of a form. */
export function queryOf(conditions: readonly ConditionParts[]): string {
  return new URLSearchParams(
    conditions.map(({ field, operator, value }) => [`${field.name}[${operator.name}]`, value]),
  ).toString()
}

/** A field, by its path from a row or from an entry. */
interface LocatedField {
  readonly path: Path
  readonly definition: Field
}
const fieldsIn = (path: Path, fields: Fields): LocatedField[] =>
  Object.entries(fields).flatMap(([name, definition]) => {
    const own = { path: [...path, name], definition }
    return definition.type === 'object' ? [own, ...fieldsIn(own.path, definition.fields)] : [own]
  })

/** The zone and the moment of a parse. */
const someClock = fc.record({ timeZone: fc.option(someZone, { nil: undefined }), now: fc.constant(fixedNow) })

/** Conditions on one field, with one of its operators. */
const conditionOn = ({ path, definition }: LocatedField): fc.Arbitrary<Filter> => {
  const schema = defineSchema({ x: definition })
  return fc
    .tuple(someCondition(schema.paths.get('x')!, { relativeTimes: true }), someClock)
    .map(([one, clock]) =>
      map(parseFilterOrThrow(schema, queryOf([one]), clock), (node) =>
        Object.hasOwn(node, 'path') ? { ...node, path } : node,
      ),
    )
}
const treeOver = (located: readonly LocatedField[], depth: number): fc.Arbitrary<Filter> => {
  const leaf = fc.constantFrom(...located).chain((one): fc.Arbitrary<Filter> => {
    const { path, definition } = one
    if (definition.type === 'record') {
      const at = (key: string): LocatedField => ({ path: [...path, key], definition: definition.entry })
      return itselfOrKey('record', one, at).chain(conditionOn)
    }
    if (definition.type !== 'list') return conditionOn(one)
    const { entry } = definition
    const itself = { path: [], definition: entry }
    const entries = entry.type === 'object' ? [itself, ...fieldsIn([], entry.fields)] : [itself]
    return treeOver(entries, depth - 1).map((filter) => some(path, filter))
  })
  if (depth <= 0) return leaf
  const inner = treeOver(located, depth - 1)
  return fc.oneof(
    { weight: 3, arbitrary: leaf },
    { weight: 1, arbitrary: inner.map(not) },
    { weight: 1, arbitrary: fc.array(inner, { maxLength: 3 }).map((members) => and(...members)) },
    { weight: 1, arbitrary: fc.array(inner, { maxLength: 3 }).map((members) => or(...members)) },
  )
}
// --- Groups

/** The fields of a group: those of a row, or of an entry of a list. */
interface GroupScope {
  readonly isInEntry: boolean
  /** The fields with operators, and the text before an operator: a path, or nothing for an entry itself. */
  readonly fields: readonly {
    readonly written: string
    readonly field: ResolvedField
    readonly operators: readonly OperatorRow[]
  }[]
  readonly lists: readonly { readonly written: string; readonly entry: GroupScope }[]
}
/** Lists the names that the parser accepts for a path of rows, and for an operator. */
interface Spelling {
  readonly pathsOf: (path: string) => readonly string[]
  readonly operatorsOf: (operator: string) => readonly string[]
}

/** The words of groups, and the operators that a group may have. */
interface Grouping extends Spelling, Writing {
  readonly words: readonly string[]
  readonly allows: (path: string, operator: ConditionParts['operator']) => boolean
}
const usualGrouping: Grouping = {
  pathsOf: (path) => [path],
  operatorsOf: (operator) => [operator],
  words: ['and', 'or', 'not'],
  allows: () => true,
}

/** A group reads these characters as its own marks, escaped or not. */
const hasMark = (path: string): boolean => /[()[\],=]/.test(path)

/** The fields of a schema, and keys of each record. */
const withSomeKeys = ({ paths }: Schema): readonly ResolvedField[] =>
  Array.from(paths.values()).flatMap((field) =>
    field.type === 'record' ? [field, ...['a', '$where'].map((key) => paths.get(`${field.name}.${key}`)!)] : [field],
  )

/** @param before the path of the list whose entries these are, with a dot; nothing for rows. */
function placeOf(fields: Fields, grouping: Grouping, before = ''): GroupScope {
  const { words, allows } = grouping
  const namesOf = (path: string) =>
    (before === '' ? grouping.pathsOf(path) : [path]).filter((name) => !hasMark(name) && !words.includes(name))
  const placeOfEntry = (entry: EntryField, path: string): GroupScope => {
    if (entry.type === 'object') return placeOf(entry.fields, grouping, `${path}.`)
    const itself = fieldNamed('', defineSchema({ entry }).paths.get('entry')!, path)
    return { isInEntry: true, fields: itself, lists: [] }
  }
  const fieldNamed = (written: string, field: ResolvedField, path: string) => {
    const operators = operatorsOf(field).filter((operator) => allows(path, operator))
    return operators.length === 0 ? [] : [{ written, field, operators }]
  }
  return {
    isInEntry: before !== '',
    fields: withSomeKeys(defineSchema(fields)).flatMap((field) =>
      namesOf(field.name).flatMap((written) => fieldNamed(written, field, before + field.name)),
    ),
    lists: fieldsIn([], fields).flatMap(({ path, definition }) => {
      if (definition.type !== 'list') return []
      const name = path.join('.')
      const entry = placeOfEntry(definition.entry, before + name)
      return entry.fields.length === 0 ? [] : namesOf(name).map((written) => ({ written, entry }))
    }),
  }
}

/** A group, and how many searches it is. */
interface SearchingText {
  readonly text: string
  readonly searches: number
}
/** A member of a group, and the key that no other member of the group has. */
interface Member extends SearchingText {
  readonly key: string
}
const conditionIn = ({ fields, isInEntry }: GroupScope, grouping: Grouping): fc.Arbitrary<Member> =>
  fc.constantFrom(...fields).chain(({ written, field, operators }) =>
    fc.constantFrom(...operators).chain((operator) =>
      fc
        .tuple(fc.constantFrom(...grouping.operatorsOf(operator.name)), operandsOf(field, operator, grouping))
        .map(([name, operands]) => {
          const texts = operands.map(groupItemText).join(',')
          const value = operator.operands === 'one' ? texts : `(${texts})`
          const searches = searchesOf(operator, field, operands.length, { isInGroup: true, isInEntry })
          return { key: `${field.name}[${operator.name}]`, text: `${written}[${name}]=${value}`, searches }
        }),
    ),
  )
/** The members of a group, in parentheses. Groups nest `depth` levels deep in it. */
function someGroup(place: GroupScope, grouping: Grouping, depth: number): fc.Arbitrary<SearchingText> {
  const { words } = grouping
  const begun = (begin: string, of: GroupScope, least: 0 | 1): fc.Arbitrary<Member> =>
    someGroup(of, grouping, depth - 1).map(({ text, searches }) => ({
      key: begin + text,
      text: begin + text,
      searches: Math.max(searches, least),
    }))
  const groups = [
    fc.constantFrom(...words).chain((word) => begun(word, place, 0)),
    ...(place.lists.length === 0
      ? []
      : [
          fc
            .tuple(fc.constantFrom(...place.lists), fc.constantFrom('', ...quantifiers.map((word) => `.${word}`)))
            .chain(([{ written, entry }, end]) => begun(written + end, entry, 1)),
        ]),
  ]
  const condition = conditionIn(place, grouping)
  const member = depth === 0 ? condition : fc.oneof(condition, ...groups)
  return fc
    .uniqueArray(member, { minLength: 1, maxLength: 3, selector: ({ key }) => key })
    .map((members) => ({ text: `(${members.map(({ text }) => text).join(',')})`, searches: searchesIn(members) }))
}
const searchesIn = (texts: readonly SearchingText[]): number => texts.reduce((sum, { searches }) => sum + searches, 0)

/**
 * Pairs of a word and its group, encoded as a form encodes them. They are at most five searches: with five conditions beside them, a text
 * stays within the default limit.
 */
function someGroups({ fields }: Schema, grouping: Grouping): fc.Arbitrary<readonly SearchingText[]> {
  const place = placeOf(fields, grouping)
  if (place.fields.length === 0) return fc.constant([])
  const pair = fc
    .tuple(fc.constantFrom(...grouping.words), someGroup(place, grouping, 2))
    .map(([word, { text, searches }]) => ({ text: new URLSearchParams([[word, text]]).toString(), searches }))
  return fc.array(pair, { minLength: 1, maxLength: 2 }).filter((pairs) => searchesIn(pairs) <= 5)
}

/**
 * Query strings over a schema, with up to five conditions.
 *
 * @param options `groups` adds one or two groups, `or=(status=paid,total[gte]=100)`, for `parseFilter` with the same option. For a schema
 *   with a field `and`, `or` or `not`, it adds no groups. `relativeTimes` adds times for example `now-90m` and `today+1mo`. Parse these texts
 *   with a fixed `now` if you compare two parses.
 *
 * @example someQuery(orders, { groups: true })
 */
export function someQuery(
  schema: Schema,
  { groups = false, relativeTimes = false }: { readonly groups?: boolean; readonly relativeTimes?: boolean } = {},
): fc.Arbitrary<string> {
  const conditions = someTextConditions(schema, { relativeTimes }).map(queryOf)
  if (!groups) return conditions
  return fc
    .tuple(conditions, someGroups(schema, { ...usualGrouping, relativeTimes }))
    .map(([query, groups]) => [...(query === '' ? [] : [query]), ...groups.map(({ text }) => text)].join('&'))
}

/**
 * Filters over a schema: those of queries, and those that no query can express, for example `or` and `not` inside `some`. Some filters
 * contain bounds of days in a zone, and times relative to a fixed moment.
 */
export const someFilter = (schema: Schema): fc.Arbitrary<Filter> => {
  const read = fc
    .tuple(someQuery(schema, { relativeTimes: true }), someClock)
    .map(([query, clock]) => parseFilterOrThrow(schema, query, clock))
  return fc.oneof(
    { weight: 3, arbitrary: read },
    { weight: 1, arbitrary: fc.tuple(read, read).map(([a, b]) => or(a, not(b))) },
    { weight: 2, arbitrary: treeOver(fieldsIn([], schema.fields), 3) },
    { weight: 1, arbitrary: fc.tuple(read, read, read).map(([a, b, c]) => not(and(a, or(b, c)))) },
  )
}

// --- Order and pages

/** An order without the rest of the key: up to three fields. */
const someOrder = (collection: Collection): fc.Arbitrary<readonly SortKey[]> =>
  fc
    .shuffledSubarray([...collection.sortable.values()], { maxLength: Math.min(3, collection.sortable.size) })
    .chain((fields) =>
      fc.tuple(
        ...fields.map((field) =>
          fc
            .constantFrom('ascending' as const, 'descending' as const)
            .map((direction) => sortKeyOf(collection, { field, direction })),
        ),
      ),
    )

/** Positions in an order. Most values are those of rows, so that positions are at rows, and in ties. */
function somePosition(sort: readonly SortKey[], rows: readonly Record<string, unknown>[]): fc.Arbitrary<Position> {
  const values = sort.map((one): fc.Arbitrary<Literal | null> => {
    const { path, type } = one
    const stored = rows.flatMap((row) => canonicalOf[type](valueAt(row, path)) ?? [])
    const value = fc.oneof(
      { weight: 1, arbitrary: someLiteral[type] },
      ...(stored.length === 0 ? [] : [{ weight: 3, arbitrary: fc.constantFrom(...stored) }]),
    )
    const { declared } = ownOf(one)
    const literal = (declared === undefined ? value : fc.constantFrom(...declared)).map(
      (value) => ({ type, value }) as Literal,
    )
    return isRequired(one)
      ? literal
      : fc.oneof({ weight: 4, arbitrary: literal }, { weight: 1, arbitrary: fc.constant(null) })
  })
  return fc.record({ toward: fc.constantFrom('next' as const, 'previous' as const), values: fc.tuple(...values) })
}

const someFields = ({ selectable }: Collection): fc.Arbitrary<readonly Path[] | undefined> =>
  selectable === undefined || selectable.size === 0
    ? fc.constant(undefined)
    : fc.option(fc.subarray([...selectable.values()], { minLength: 1 }), { nil: undefined, freq: 2 })

const someFacets = ({ facets }: Collection): fc.Arbitrary<readonly FacetField[] | undefined> =>
  facets.size === 0
    ? fc.constant(undefined)
    : fc.option(fc.subarray([...facets.values()], { minLength: 1, maxLength: Math.min(4, facets.size) }), {
        nil: undefined,
      })

/** Most numbers are at most four: small pages have more edges. */
const mostlySmall = (min: number, max: number): fc.Arbitrary<number> =>
  fc.oneof(
    { weight: 3, arbitrary: fc.integer({ min, max: Math.min(4, max) }) },
    { weight: 1, arbitrary: fc.integer({ min, max }) },
  )

/** Words of a search, up to three: engines compare each with each field. */
function someWords({ search }: Collection): fc.Arbitrary<readonly string[] | undefined> {
  const word = someText.filter((text) => text !== '')
  return search.length === 0
    ? fc.constant(undefined)
    : fc.option(fc.array(word, { minLength: 1, maxLength: 3 }), { nil: undefined })
}

/** Numbers and flags, of the parameters that a collection allows. */
const somePlain = (
  collection: Collection,
): fc.Arbitrary<{ readonly [P in PlainName]?: number | boolean | undefined }> =>
  fc.record(
    Object.fromEntries(
      plainNames.map((name) => {
        if (!collection.parameters.has(name)) return [name, fc.constant(undefined)]
        const values: fc.Arbitrary<number | boolean> = isOfForm(name, 'flag')
          ? fc.boolean()
          : mostlySmall(isOfForm(name, 'positive') ? 1 : 0, parameterRows[name].most(collection))
        return [name, fc.option(values, { nil: undefined })]
      }),
    ),
  )

/** The parameters of a query of a collection. The text omits those that are `undefined`. */
function someParts(collection: Collection, rows: readonly Record<string, unknown>[]) {
  const { defaultSort } = collection
  return fc.option(someOrder(collection), { nil: undefined }).chain((asked) => {
    const order = asked?.length === 0 ? undefined : asked
    const sort = totalOrder(collection, order ?? defaultSort.map((key) => sortKeyOf(collection, key)))
    return fc
      .record({
        order: fc.constant(order),
        sort: fc.constant(sort),
        start: fc.constantFrom('first', 'position', 'offset'),
        position: somePosition(sort, rows),
        plain: somePlain(collection),
        fields: someFields(collection),
        search: someWords(collection),
        facets: someFacets(collection),
      })
      .map(({ start, position, plain, ...parts }) => ({
        ...parts,
        position: start === 'position' ? position : undefined,
        plain: start === 'offset' ? plain : { ...plain, offset: undefined },
      }))
  })
}

/** Filters that are read from groups, where a collection has them. */
function filtersInGroups(collection: Collection): readonly fc.Arbitrary<Filter>[] {
  const grouping = groupingOf(collection)
  if (grouping === undefined) return []
  return [
    someGroups(collection.visible, grouping).map(
      (groups) => parseQueryOrThrow(collection, groups.map(({ text }) => text).join('&')).filter,
    ),
  ]
}

/** The words of a collection, and the operators of its fields; `undefined` without groups. */
function groupingOf(collection: Collection, writing: Writing = {}): Grouping | undefined {
  const { parameters, operators } = collection
  const words = (['and', 'or', 'not'] as const).flatMap((word) => parameters.get(word) ?? [])
  const allows: Grouping['allows'] = (path, { name }) => operators.get(path)?.includes(name) !== false
  return words.length === 0 ? undefined : { ...spellingOf(collection), ...writing, words, allows }
}

/** The names of a collection, and their aliases. */
function spellingOf(collection: Collection): Spelling {
  const { paths } = fieldNamesOf(collection).schema
  return {
    pathsOf: (path) =>
      Array.from(paths).flatMap(([written, { name, type }]) => {
        if (name === path) return [written]
        const isRecord = type === 'record' && path.startsWith(`${name}.`)
        return isRecord ? [written + path.slice(name.length)] : []
      }),
    operatorsOf: (operator) => [
      operator,
      ...[...collection.aliases.operators].flatMap(([alias, name]) => (name === operator ? [alias] : [])),
    ],
  }
}

/** Makes the pairs of conditions, with any names of their fields and operators. Some lists become repeated pairs, if the collection allows these. */
function somePairs(collection: Collection, conditions: readonly TextCondition[]): fc.Arbitrary<string[]> {
  const { pathsOf, operatorsOf } = spellingOf(collection)
  const isCompared = ({ name }: ResolvedField) =>
    conditions.some(({ field, operator }) => field.name === name && operator.name === 'equals')
  const pairs = conditions.map(({ field, operator, operands, value }): fc.Arbitrary<string[][]> => {
    const pair = fc
      .tuple(fc.constantFrom(...pathsOf(field.name)), fc.constantFrom(...operatorsOf(operator.name)))
      .map(([path, name]) => [[`${path}[${name}]`, value]])
    if (collection.lists === undefined || operator.name !== 'in') return pair
    const [first, ...others] = isCompared(field) || operands.length === 1 ? ['[]'] : ['[]', '']
    const repeated = fc
      .tuple(fc.constantFrom(...pathsOf(field.name)), ...operands.map(() => fc.constantFrom(first, ...others)))
      .map(([path, ...ends]) => operands.map((operand, at) => [path + ends[at]!, operand]))
    return fc.oneof(pair, repeated)
  })
  return fc.tuple(...pairs).map((all) => all.flat().map((pair) => new URLSearchParams([pair]).toString()))
}

const exists = /* @__PURE__ */ operatorNamed.get('exists')!

/**
 * Queries of a collection: orders, positions, offsets, limits, fields, facets, and filters of any shape. Like restrictions, the filters
 * may name hidden fields. If the collection has groups, some filters come from a text with groups.
 *
 * @param rows the stored rows: most positions are made of their values.
 *
 * @example someCollectionQuery(orderCollection, rows)
 */
export const someCollectionQuery = (
  collection: Collection,
  rows: readonly Record<string, unknown>[] = [],
): fc.Arbitrary<Query> => {
  const filters = fc.oneof(fc.constant(and()), someFilter(collection.schema), ...filtersInGroups(collection))
  return fc
    .tuple(filters, someParts(collection, rows), fc.boolean())
    .map(([selection, { sort, position, plain, fields, search, facets }, value]) => {
      const { limit = collection.limit.default, count = false } = plain
      // The filter of the first facet differs from the filters of the others.
      const chosen = facets?.slice(0, 1).filter((field) => accepts(field, exists)) ?? []
      const asked = [
        ...partsOfFilter(selection).asked,
        ...chosen.map((field) => newCondition(field, exists, [{ type: 'boolean', value }])),
        ...searchMembers(collection, plainWords(search ?? [])),
      ]
      const filter = combine(asked)
      return {
        ...Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined && value !== false)),
        filter,
        asked,
        sort,
        limit: limit as number,
        count: count === true && collection.count,
        ...(position && { position }),
        ...(fields && { fields }),
        ...(search && { search }),
        ...(facets && {
          facets: facets.map((field) => facetOf(collection, field, filterBeside(field, asked, filter))),
        }),
        ...(collection.hidden.length > 0 && { hidden: collection.hidden }),
      }
    })
}

/**
 * Query strings of a collection, for `parseQuery`: conditions, groups and parameters in any order, with names of the schema and aliases.
 * They have lists as repeated pairs, and time zones, if the collection allows these.
 *
 * @param rows the stored rows: most cursors are made of their values.
 * @param options `relativeTimes` adds times such as `now-90m`, as in `someQuery`.
 *
 * @example someCollectionText(orderCollection)
 */
export const someCollectionText = (
  collection: Collection,
  rows: readonly Record<string, unknown>[] = [],
  { relativeTimes = false }: { readonly relativeTimes?: boolean } = {},
): fc.Arbitrary<string> => {
  const { visible, operators, parameters } = collection
  const { pathsOf } = spellingOf(collection)
  const named = (path: string) => fc.constantFrom(...pathsOf(path))
  const conditions = someTextConditions(visible, { relativeTimes }).map((all) =>
    all.filter(({ field, operator }) => operators.get(field.name)?.includes(operator.name) !== false),
  )
  const grouping = groupingOf(collection, { relativeTimes })
  const zone = parameters.has('timeZone') ? fc.option(someZone, { nil: undefined }) : fc.constant(undefined)
  const none = fc.constant<readonly SearchingText[]>([])
  const groups = grouping === undefined ? none : fc.oneof(none, someGroups(visible, grouping))
  return fc
    .tuple(conditions, groups, zone, someParts(collection, rows))
    .chain(([conditions, groups, zone, { order, sort, position, plain, fields, search, facets }]) => {
      const items = (names: readonly string[] | undefined) =>
        names === undefined ? fc.constant(undefined) : fc.tuple(...names.map(named))
      const alone = conditions.map(({ operator, field }) =>
        searchesOf(operatorNamed.get(operator.name)!, field, 1, { isInGroup: false, isInEntry: false }),
      )
      const searches = alone.reduce((sum, count) => sum + count, searchesIn(groups))
      // Each facet counts the searches again.
      const room = Math.floor(defaultLimits.searches / searches) - 1
      const within = facets !== undefined && room > 0 ? facets.slice(0, room) : undefined
      return fc
        .tuple(
          somePairs(collection, conditions),
          items(order?.map(({ path }) => path.join('.'))),
          items(fields?.map((path) => path.join('.'))),
          items(within?.map(({ name }) => name)),
        )
        .chain(([conditions, sorted, shown, counted]) => {
          const written: readonly (readonly [ParameterName, string | undefined])[] = [
            ['sort', sorted?.map((name, at) => itemText(signOf[order![at]!.direction] + name)).join(',')],
            ...plainNames.map((name) => [name, plain[name]?.toString()] as const),
            ['cursor', position && cursorOf(sort, position)],
            ['fields', shown?.map(itemText).join(',')],
            ['search', search?.map(wordText).join(' ')],
            ['facets', counted?.map(itemText).join(',')],
            ['timeZone', zone],
          ]
          const pairs = [
            ...conditions,
            ...groups.map(({ text }) => text),
            ...written.flatMap(([name, value]) =>
              value === undefined ? [] : [new URLSearchParams([[parameters.get(name)!, value]]).toString()],
            ),
          ]
          return fc.shuffledSubarray(pairs, { minLength: pairs.length }).map((all) => all.join('&'))
        })
    })
}
const signOf = { ascending: '', descending: '-' } as const
