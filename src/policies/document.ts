/** Converts documents of MongoDB's query language to filters, for the operators of policies. */
import {
  checkFilter,
  joined,
  mostEntries,
  readAs,
  readPart,
  refuse,
  unchecked,
  type Filter,
  type Literal,
  type Read,
  type ReadProgress,
} from '../tree/index.ts'
import { checkSchema, type Fields, type ResolvedField, type Schema } from '../language/index.ts'
import { own } from '../own.ts'
import {
  checkOperator,
  entryOf,
  fieldFrom,
  isList,
  isPlain,
  isPresent,
  listIn,
  literalFor,
  nested,
  someOf,
  type FieldFrom,
  type Start,
} from './fields.ts'

/** The evaluator whose laws of missing values apply. */
export type Laws = 'MongoDB' | 'CASL'

/** Tests whether each row has a value. It reads own properties, because a polluted prototype may have `required`. */
const isRequired = (field: ResolvedField): boolean => own(field, 'required') === true

interface Place extends Start {
  readonly laws: Laws
}
interface Target extends FieldFrom {
  readonly start: Place
}
type Reader = (target: Target) => Read<Filter>

const not = (filter: Filter): Filter => unchecked.not(filter)

/** Selects the rows in which the field is null or missing. A row of SQL does not distinguish them. */
function absent(target: Target, reading: ReadProgress): Filter {
  const { start, field, lists } = target
  if (lists.length > 0 || field.path.length === 0)
    return refuse(reading, 'must not be null in a list: rows of SQL do not tell a missing list from an empty one')
  const parent = field.name.slice(0, field.name.lastIndexOf('.'))
  // CASL does not compare null with a field inside a missing object.
  if (start.laws === 'CASL' && field.path.length > 1 && !isRequired(start.schema.paths.get(parent)!))
    return refuse(reading, `must not be null: CASL selects no row without ${parent}, and MongoDB selects them`)
  return not(isPresent(target))
}

const equality: Reader = (target) => (value, reading) => {
  if (value === null) return absent(target, reading)
  const { field, lists } = target
  return someOf(lists, unchecked.comparison(field.path, 'eq', literalFor(target, value, reading)))
}

const membership: Reader = (target) => (value, reading) => {
  if (!Array.isArray(value)) return refuse(reading, 'must be a list')
  const { field, lists, start } = target
  const literals: Literal[] = []
  const parts: Filter[] = []
  for (let at = 0; at < value.length; at++) {
    readPart(
      (one, inList) => {
        if (one !== null) literals.push(literalFor(target, one, inList))
        // In a list of operands, CASL's evaluator distinguishes null from a missing value.
        else if (start.laws === 'CASL') refuse(inList, 'must not be null: write { $eq: null }')
        else parts.push(absent(target, inList))
      },
      value,
      at,
      reading,
    )
  }
  return joined('or', [someOf(lists, unchecked.membership(field.path, literals)), ...parts])
}

const comparison =
  (operator: 'gt' | 'gte' | 'lt' | 'lte'): Reader =>
  (target) =>
  (value, reading) => {
    checkOperator(target, operator, reading)
    const { start, field, lists } = target
    if (start.laws === 'CASL' && typeof value === 'string' && /[\ud800-\uffff]/.test(value))
      return refuse(
        reading,
        'must not have letters from U+D800: CASL orders them by UTF-16, and databases by code point',
      )
    const compared = someOf(lists, unchecked.comparison(field.path, operator, literalFor(target, value, reading)))
    // CASL's evaluator orders a missing value before every other: `compare(undefined, value)` is -1.
    if (start.laws === 'MongoDB' || operator.startsWith('g')) return compared
    if (lists.length > 0)
      return refuse(reading, 'must not enter a list: CASL selects rows without the list, and MongoDB does not')
    return isRequired(field) || field.path.length === 0 ? compared : joined('or', [not(isPresent(target)), compared])
  }

const complementOf =
  (reader: Reader): Reader =>
  (target) =>
  (value, reading) =>
    not(reader(target)(value, reading))

const presence: Reader = (target) => (value, reading) => {
  const { start, field, lists } = target
  if (typeof value !== 'boolean') return refuse(reading, 'must be true or false')
  if (field.path.length === 0)
    return refuse(reading, 'must not test a list: rows of SQL do not tell a missing list from an empty one')
  if (!value && lists.length > 0 && start.laws === 'CASL')
    return refuse(reading, 'must not be false in a list: CASL selects rows with one such entry, and MongoDB with all')
  const exists = someOf(lists, isPresent(target))
  return value ? exists : not(exists)
}

const all: Reader = (target) => (value, reading) => {
  if (target.lists.length === 0) return refuse(reading, 'applies to lists')
  const values = listIn(value, reading)
  return joined(
    'and',
    values.map((_, at) => readPart(equality(target), values, at, reading)),
  )
}

const size: Reader = (target) => (value, reading) => {
  const { field, lists } = target
  if (!isList(target)) return refuse(reading, 'applies to lists')
  if (!Number.isInteger(value) || (value as number) < 1 || (value as number) > mostEntries)
    return refuse(reading, 'must be a whole number from 1: rows of SQL do not tell a missing list from an empty one')
  const bound = (operator: 'gte' | 'lte') => unchecked.count(lists.at(-1)!, field.literal, operator, value as number)
  return someOf(lists.slice(0, -1), joined('and', [bound('gte'), bound('lte')]))
}

const anyEntry: Reader = (target) => (value, reading) => {
  if (!isList(target)) return refuse(reading, 'applies to lists')
  const { start, field, lists } = target
  const entry: Place = { ...entryOf(target), laws: start.laws }
  const read = field.type === 'object' ? readDocument(entry) : readOperators({ start: entry, field, lists: [] })
  return someOf(lists, read(value, reading))
}

const readers: Readonly<Record<string, Reader>> = {
  $eq: equality,
  $ne: /* @__PURE__ */ complementOf(equality),
  $in: membership,
  $nin: /* @__PURE__ */ complementOf(membership),
  $gt: /* @__PURE__ */ comparison('gt'),
  $gte: /* @__PURE__ */ comparison('gte'),
  $lt: /* @__PURE__ */ comparison('lt'),
  $lte: /* @__PURE__ */ comparison('lte'),
  $not: /* @__PURE__ */ complementOf((target) => readOperators(target)),
  $exists: presence,
  $all: all,
  $size: size,
  $elemMatch: anyEntry,
}

/** Reads each own member of an object. */
const readMembers = (
  value: unknown,
  reading: ReadProgress,
  readerOf: (name: string) => Read<Filter>,
): readonly Filter[] =>
  isPlain(value)
    ? nested(reading, () => Object.keys(value).map((name) => readPart(readerOf(name), value, name, reading)))
    : refuse(reading, 'must be an object')

const noOperator: Read<never> = (_, reading) => refuse(reading, `must be one of ${Object.keys(readers).join(', ')}`)

/** Reads the operators of a field. */
const readOperators =
  (target: Target): Read<Filter> =>
  (value, reading) => {
    const parts = readMembers(value, reading, (name) => own(readers, name)?.(target) ?? noOperator)
    return parts.length > 0 ? joined('and', parts) : refuse(reading, 'must have an operator')
  }

/** Reads the condition on a field. A value without operators requires equality. */
const readField =
  (start: Place, path: string): Read<Filter> =>
  (value, reading) => {
    const target = { ...fieldFrom(start, path, reading), start }
    return (isPlain(value) ? readOperators : equality)(target)(value, reading)
  }

const readGroup =
  (kind: 'and' | 'or', start: Place): Read<Filter> =>
  (value, reading) => {
    const documents = listIn(value, reading)
    return joined(
      kind,
      documents.map((_, at) => readPart(readDocument(start), documents, at, reading)),
    )
  }

const noGroup: Read<never> = (_, reading) => refuse(reading, 'must be $and, $or or a field')

export const readDocument =
  (start: Place): Read<Filter> =>
  (value, reading) =>
    joined(
      'and',
      readMembers(value, reading, (name) => {
        if (name === '$and' || name === '$or') return readGroup(name.slice(1) as 'and' | 'or', start)
        return name.startsWith('$') ? noGroup : readField(start, name)
      }),
    )

/** Converts a document by the laws of an evaluator. */
export const filterOf = (schema: Schema, document: unknown, laws: Laws, argument: string): Filter =>
  readAs(readDocument({ schema, prefix: '', depth: 0, laws }), document, argument)

/**
 * Makes a filter out of a query of MongoDB, which selects the same documents. Each operator has MongoDB's law of missing values, and a
 * document's `null` is a missing value, because rows of SQL know no other.
 *
 * Accepts `$eq`, `$ne`, `$in`, `$nin`, `$gt`, `$gte`, `$lt`, `$lte`, `$and`, `$or`, `$not`, `$elemMatch`, `$exists`, `$all` and `$size`.
 * Operands have the form that rows have: a uuid is in lower case, a datetime is a `Date` or canonical text in UTC.
 *
 * @param document its own properties are read.
 * @returns `and()` for an empty document.
 * @throws TypeError that names the part of the document that a filter cannot express exactly: another operator, a field that the schema
 *   lacks, an operand of another type or `undefined`, equality of objects and lists, a decimal, and each test that tells a missing list
 *   from an empty one.
 * @see https://www.mongodb.com/docs/manual/reference/operator/query/
 * @example
 * fromMongoQuery(orders, { seller: 's-1', total: { $gte: 10 }, status: { $ne: 'held' } })
 */
export function fromMongoQuery<F extends Fields>(schema: Schema<F>, document: object): Filter {
  checkSchema(schema)
  return checkFilter(filterOf(schema, document, 'MongoDB', 'document'), 'document')
}
