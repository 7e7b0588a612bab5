/** Converts documents of the driver to rows in the form of the schema, and makes the projection that they need. */
import { canonicalOf, type Literal, type LiteralType, type Path } from '../../tree/index.ts'
import { literalTypeOf, type Field, type Fields, type ReadRow, type Schema } from '../../language/index.ts'
import { pageWith, isRequired, textOfPath, chosenIn, formOf, readIn, shownIn } from '../../query/index.ts'
import type { Page, Query, SortKey, Chosen, SortValue } from '../../query/index.ts'
import { boundedCache } from '../../cache.ts'
import { own } from '../../own.ts'
import { encoded } from './condition.ts'
import { fieldOf, nameOf, type BsonType, type MongoField, type Storage, type Stored } from './options.ts'
import { isDocument, isSameScalar, kindOf, numberOf, readings, type Kind } from './stored.ts'

/** A row in the form of the schema, which JSON can have. The backend knows its fields. */
type Row = ReadRow<Fields>

/** Reads a stored value in the form of the schema; `undefined` for no value. */
type Read = (stored: unknown) => unknown

// --- Scalars

/** The types that `$type` finds for a name of one. */
const kindsOf: { readonly [T in BsonType]: readonly Kind[] } = {
  string: ['string'],
  date: ['date'],
  number: ['number', 'decimal'],
  double: ['number'],
  int: ['number'],
  long: ['number'],
  decimal: ['decimal'],
  bool: ['bool'],
  objectId: ['objectId'],
  binData: ['binData'],
}

/** Operands that an `encode` stores as different values, if it stores them at all. */
const samples: { readonly [T in LiteralType]: readonly Literal['value'][] } = {
  string: ['a', '1234567890', '65f000000000000000000001', '00112233-4455-4677-8899-aabbccddeeff'],
  uuid: ['00112233-4455-4677-8899-aabbccddeeff'],
  integer: [0, 7, -7],
  bigint: ['0', '-7', '9007199254740993'],
  number: [0, 0.5, -12.25],
  decimal: ['0', '0.5', '-12.25', '12345678901234567.25'],
  boolean: [true, false],
  date: ['2024-02-29', '1969-12-31'],
  datetime: ['2024-02-29T12:34:56.789Z', '1969-12-31T23:59:59.999Z'],
  time: ['12:34:56.5', '00:00:00'],
}

/** How a field stores values, and the function that reads them back. */
interface StoredBack extends Stored {
  readonly decode: MongoField['decode'] | undefined
}
export type Scalar = Exclude<Field, { readonly type: 'list' | 'object' | 'record' | 'json' }>

/** How a field stores the values of a type, without a look at whether it can. */
export function storedAs(storage: Storage, path: Path, literal: LiteralType): StoredBack {
  const { type, encode, decode, lower } = fieldOf(storage, '', path)
  return { type: type ?? (encode === undefined ? storage.types[literal] : undefined), encode, decode, lower }
}

/**
 * Makes the function that reads a scalar.
 *
 * @throws TypeError that names the field, where an operand is stored and read back as another value.
 */
export function scalarReader(storage: Storage, path: Path, definition: Scalar): Read {
  const literal = literalTypeOf(definition.type)
  const { type, encode, decode } = storedAs(storage, path, literal)
  const reading = readings[literal]
  const read: Read = (stored) => {
    const kind = kindOf(stored)
    if (kind === undefined || (type !== undefined && !kindsOf[type].includes(kind))) return undefined
    if (decode === undefined) return reading[kind]?.(stored)
    return formOf[literal](decode(kind === 'number' ? numberOf(stored) : stored))
  }
  const refuse = (problem: string): never => {
    throw new TypeError(`fields[${JSON.stringify(textOfPath(path))}]${problem}`)
  }
  if (encode === undefined) {
    const isRead = kindsOf[type!].some((kind) => reading[kind] !== undefined)
    return isRead ? read : refuse(`.type is ${type}, of which no ${literal} can be read`)
  }
  for (const sample of definition.type === 'enumeration' ? definition.values : samples[literal]) {
    const stored = storedFormOf(encode, sample)
    if (stored === undefined || stored === null) continue
    const value = read(stored)
    if (value === sample) continue
    const finding = `of ${JSON.stringify(sample)} it reads ${value === undefined ? 'nothing' : JSON.stringify(value)}`
    refuse(
      decode === undefined
        ? ` needs a decode, because the value that encode makes does not tell enough: ${finding}`
        : `.decode must read back what encode makes: ${finding}`,
    )
  }
  return read
}

function storedFormOf(encode: NonNullable<MongoField['encode']>, operand: Literal['value']): unknown {
  try {
    return encode(operand)
  } catch {
    return undefined
  }
}

// --- Objects and lists

function readerOf(storage: Storage, definition: Field, chosen: Chosen | 'all', path: Path): Read {
  if (definition.type === 'list') {
    const readEntry = readerOf(storage, definition.entry, chosen, path)
    return (stored) => (Array.isArray(stored) ? stored.map((entry) => readEntry(entry) ?? null) : undefined)
  }
  if (definition.type === 'json') return (stored) => stored
  if (definition.type === 'record') {
    const read = scalarReader(storage, [...path, ''], definition.entry)
    return (stored) => {
      if (!isDocument(stored)) return undefined
      const keys = Object.entries(stored).filter(([key]) => chosen === 'all' || Object.hasOwn(chosen, key))
      return Object.fromEntries(keys.map(([key, one]) => [key, read(one) ?? null]))
    }
  }
  if (definition.type !== 'object') return scalarReader(storage, path, definition)
  const members = chosenIn(definition.fields, chosen).map(([name, member, inner]) => {
    const at = [...path, name]
    const names = (storage.fields.get(textOfPath(at))?.name ?? name).split('.')
    return { name, names, read: readerOf(storage, member, inner, at) }
  })
  // The copy owns each name, so an assignment never calls a setter of `Object.prototype`. `Object.fromEntries` makes a page 1.3 times as slow.
  const blank = Object.fromEntries(members.map(({ name }) => [name, null])) as Readonly<Record<string, unknown>>
  return (stored) => {
    if (!isDocument(stored)) return undefined
    const object = { ...blank }
    for (const { name, names, read } of members) {
      object[name] = read(names.length === 1 ? own(stored, names[0]!) : storedAt(stored, names)) ?? null
    }
    return object
  }
}

/** The values of a document at stored names. */
function storedAt(document: unknown, names: readonly string[]): unknown {
  let stored = document
  for (const name of names) stored = isDocument(stored) ? own(stored, name) : undefined
  return stored
}

/** The stored names that rows are read from. A list is read as a whole, because MongoDB's projections leave out its scalars. */
const storedNames = (storage: Storage, fields: Fields, chosen: Chosen | 'all', before: Path): readonly string[] =>
  chosenIn(fields, chosen).flatMap(([name, definition, inner]) => {
    const path = [...before, name]
    const names = definition.type === 'object' ? storedNames(storage, definition.fields, inner, path) : []
    return names.length > 0 ? names : [nameOf(storage, '', path)]
  })

/** MongoDB gives `_id` unless it is told not to, and it refuses a name beside one that it is in. */
export function projectionOf(names: Iterable<string>): Readonly<Record<string, 1>> {
  const all = new Set(names)
  const isInside = (name: string): boolean => {
    for (let at = name.indexOf('.'); at >= 0; at = name.indexOf('.', at + 1))
      if (all.has(name.slice(0, at))) return true
    return false
  }
  return Object.fromEntries(Array.from(all).flatMap((name) => (isInside(name) ? [] : [[name, 1 as const]])))
}

// --- Queries

/** The parts of a compiled query that read rows. */
export interface RowReading {
  readonly projection: Readonly<Record<string, 0 | 1>>
  readonly read: (document: object) => Row
  readonly page: (documents: readonly object[]) => Page<Row>
}

/** Reads a document; `undefined` for another value. */
type RowReader = (document: unknown) => Row | undefined

/** The parts that all queries with the same fields share. */
interface RowReaders {
  readonly projection: Readonly<Record<string, 0 | 1>>
  /** Reads the chosen fields and the sort keys. */
  readonly read: () => RowReader
  /** Reads the chosen fields alone. */
  readonly cut: () => RowReader
}

const mostPlans = 64

/** Makes the function that reads the rows of queries over a schema. */
export function rowsIn(storage: Storage, schema: Schema): (query: Query) => RowReading {
  const plans = boundedCache<string, RowReaders>(mostPlans)
  const planOf = (query: Query): RowReaders => {
    const { fields, hidden, sort } = query
    const parts = [fields && [...fields, [], ...sort.map(({ path }) => path)], hidden]
    const key = JSON.stringify(parts.map((paths) => paths?.map(textOfPath).join('\0')))
    const before = plans.get(key)
    if (before !== undefined) return before
    const plan = newPlan(query)
    plans.set(key, plan)
    return plan
  }
  const newPlan = (query: Query): RowReaders => {
    const shown = shownIn(schema.fields, query)
    const chosen = readIn(shown, query)
    const root: Field = { type: 'object', fields: schema.fields }
    const names = storedNames(storage, schema.fields, chosen, [])
    const projection = projectionOf(names.map((name) => (name.startsWith('_id.') ? '_id' : name)))
    const read = whenAsked(() => readerOf(storage, root, chosen, []))
    return {
      projection: Object.hasOwn(projection, '_id') ? projection : { ...projection, _id: 0 },
      read,
      cut: shown === chosen ? read : whenAsked(() => readerOf(storage, root, shown, [])),
    }
  }
  const sortReaders = new Map<string, Read>()
  const readerOfKey = ({ path }: SortKey): Read => {
    const name = textOfPath(path)
    const before = sortReaders.get(name)
    if (before !== undefined) return before
    const read = readerOf(storage, fieldAt(schema.fields, path), 'all', path)
    sortReaders.set(name, read)
    return read
  }
  return (query) => {
    const plan = planOf(query)
    return {
      projection: { ...plan.projection },
      read: (document) => plan.read()(document) ?? refuseDocument('document'),
      page: (documents) => {
        if (!Array.isArray(documents)) throw new TypeError('documents must be a list: await find(…).toArray()')
        const list = documents as readonly unknown[]
        const cut = plan.cut()
        const valueOf = (at: number, one: number) =>
          sortValueOf(storage, list[at], at, query.sort[one]!, readerOfKey(query.sort[one]!))
        const required = query.sort.flatMap((key, one) => (isRequired(key) ? [one] : []))
        for (let at = 0; at < list.length; at++) {
          if (!isDocument(list[at])) refuseDocument(`documents[${at}]`)
          // A page that needs no cursor shows the mistake too.
          for (const one of required) valueOf(at, one)
        }
        const { rows, ...cursors } = pageWith(query, list, valueOf)
        return { rows: rows.map((document) => cut(document)!), ...cursors }
      },
    }
  }
}

/** The definition of a sort key, which is in no list. */
function fieldAt(fields: Fields, [name, ...rest]: Path): Field {
  const definition = own(fields, name!)!
  return rest.length === 0 ? definition : fieldAt((definition as Extract<Field, { type: 'object' }>).fields, rest)
}

/** Makes a reader once, when a row or a page is first read. */
function whenAsked(make: () => Read): () => RowReader {
  let read: Read | undefined
  return () => (read ??= make()) as RowReader
}

const refuseDocument = (argument: string): never => {
  throw new TypeError(`${argument} must be a plain object, as the driver gives it; with Mongoose, use lean()`)
}

/**
 * Reads a sort value: `undefined` for one that MongoDB may order elsewhere than the value of a cursor, which then counts rows.
 *
 * @throws TypeError when a required key has no value.
 */
function sortValueOf(storage: Storage, document: unknown, at: number, key: SortKey, read: Read): SortValue {
  const { path, type } = key
  const name = nameOf(storage, '', path)
  const names = name.split('.')
  const stored = storedAt(document, names)
  const content = read(stored)
  if (isRequired(key) && (content === undefined || content === null)) {
    const field = textOfPath(path)
    const fieldText = `${field}${name === field ? '' : `, stored as ${name}`}`
    const isThere = stored !== undefined && stored !== null
    throw new TypeError(
      isThere
        ? `documents[${at}] has another form than the options say in ${fieldText}: give the field its type, or an encode`
        : `documents[${at}] has no value in ${fieldText}: give find the projection`,
    )
  }
  if (stored === undefined || stored === null) {
    // MongoDB's order looks into lists.
    const isInList = names.some((_, length) => Array.isArray(storedAt(document, names.slice(0, length))))
    return isInList ? undefined : null
  }
  const value = canonicalOf[type](content)
  if (value === undefined) return undefined
  const literal = { type, value } as Literal
  return isSameScalar(encoded(storedAs(storage, path, type), literal, path), stored) ? literal : undefined
}
