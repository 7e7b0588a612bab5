/** Reads and checks the options: how documents are stored. */
import { nameDefect, type LiteralType, type Path } from '../../tree/index.ts'
import { checkSchema, declared, type Fields, type Schema } from '../../language/index.ts'
import { dotted } from '../issues.ts'
import { checkOptions } from '../../options.ts'
import { own, ownOf } from '../../own.ts'
import { nearest } from '../../suggest.ts'
import { isPlainText } from '../../values/characters.ts'

/** The stored form of one field, if it differs from the default. */
export interface MongoField {
  /** The name in the documents, dotted if it is in an object that the schema does not have. */
  readonly name?: string
  /** The BSON type, by its alias in `$type`: `'string'` or `'date'`, or with `encode` the type of any scalar. */
  readonly type?: BsonType
  /**
   * Converts an operand to its stored value. A date, a datetime, a uuid, a bigint and a decimal are canonical text. Stored values must
   * have the order of the operands. Decimals need it: `Decimal128.fromString`. `undefined` means that no document has the value: the
   * condition is false. If it throws, the backend refuses the operand.
   */
  // `any`: the caller knows the type of its field's operands, and a constructor has a parameter of one.
  readonly encode?: (operand: any) => unknown
  /**
   * Converts a stored value back to the form of the schema. It receives the value as the driver returns it; a number that a double cannot
   * represent is a bigint. It returns `undefined` for no value. A field needs it if its `encode` changes the value, for example to a
   * number of cents.
   */
  readonly decode?: (stored: any) => unknown
  /**
   * The name of a second field with the same text in lower case, by `simpleLowerCase`. Operators and orders that ignore case read it. An
   * index of it serves prefixes.
   */
  readonly lower?: string
  /**
   * Whether every document has a value of the field's type. A page in descending order then starts at its first document in an index.
   * Inside lists it has no effect. A required field does not need it.
   */
  readonly notNull?: boolean
}
/** The options of {@link mongoBackend}: how the documents are stored. */
export interface MongoOptions<F extends Fields = Fields> {
  /**
   * The fields that filters may use, and their types. `compile` refuses every other path, and every value that the field's type cannot
   * have. `fields` may name no other path. Without a schema, every path is allowed, and `read` and `page` throw.
   */
  readonly schema?: Schema<F>
  /** How dates are stored: as `YYYY-MM-DD`, or as BSON dates at midnight UTC. Default: `'string'`. */
  readonly dates?: 'string' | 'date'
  /** How datetimes are stored: as BSON dates, or as canonical UTC text with three fractional digits. Default: `'date'`. */
  readonly datetimes?: 'string' | 'date'
  /** By dotted path of the schema. For a list of scalars, they apply to its entries. */
  readonly fields?: Readonly<Record<string, MongoField>>
}

const bsonTypes = [
  'string',
  'date',
  'number',
  'double',
  'int',
  'long',
  'decimal',
  'bool',
  'objectId',
  'binData',
] as const
/** The name of a BSON type, for `$type`. */
export type BsonType = (typeof bsonTypes)[number]

const scalars: readonly unknown[] = ['ObjectId', 'Decimal128', 'Double', 'Int32', 'Long', 'Binary']

/** Dates, bytes, and the driver's classes for scalars. `null`, lists and patterns would match more than equal values. */
const isScalarObject = (value: object): boolean =>
  isDate(value) || ArrayBuffer.isView(value) || scalars.includes(bsonTypeOf(value))

/** Whether a value is a `Date`, of any realm. */
export const isDate = (value: unknown): boolean => Object.prototype.toString.call(value) === '[object Date]'

/** Reads `_bsontype`, which objects inherit from the driver's classes. One on `Object.prototype` does not count. */
export function bsonTypeOf(value: object): unknown {
  let owner: object | null = value
  while (owner !== null && !Object.hasOwn(owner, '_bsontype')) owner = Object.getPrototypeOf(owner) as object | null
  return owner === Object.prototype ? undefined : (value as { _bsontype?: unknown })._bsontype
}

/** @throws TypeError when `encode` does not return a scalar. */
export function checkEncoded(value: unknown, path: Path): unknown {
  const isScalar =
    typeof value === 'object' && value !== null
      ? isScalarObject(value)
      : value !== null && typeof value !== 'function' && typeof value !== 'symbol'
  if (isScalar) return value
  throw new TypeError(`encode of ${path.join('.')} must make a scalar of BSON, or undefined where there is none`)
}

/** How the values of a field are stored. */
export interface Stored {
  /** Their BSON type; `undefined` where `encode` makes them and the options name none. */
  readonly type: BsonType | undefined
  readonly encode: MongoField['encode'] | undefined
  readonly lower: string | undefined
}

/** How documents are stored, ready to be looked up. */
export interface Storage {
  readonly schema: Schema | undefined
  /** The BSON type of each literal, in a field for which the options name no other. */
  readonly types: Readonly<Record<LiteralType, BsonType>>
  /** The fields that the options name, by their dotted path. */
  readonly fields: ReadonlyMap<string, MongoField>
}

const noOptions = /* @__PURE__ */ ownOf<MongoField>({})

/** The options of a field; paths start at an entry of the list of that dotted path, or at the document. */
export const fieldOf = ({ fields }: Storage, list: string, path: Path): MongoField =>
  (fields.size === 0 ? undefined : fields.get(dotted(list, path))) ?? noOptions

/** Whether every document has a value at a path, by the options or by the schema. */
export const isAlwaysThere = (storage: Storage, path: Path): boolean => {
  const resolved = storage.schema?.paths.get(dotted('', path))
  return fieldOf(storage, '', path).notNull === true || (resolved !== undefined && own(resolved, 'required') === true)
}

/** The name of a field in the documents, from the start of its path; `last` replaces its last part. */
export function nameOf({ fields }: Storage, list: string, path: Path, last?: string): string {
  if (fields.size === 0) return dotted('', path)
  const names = path.map((name, at) => fields.get(dotted(list, path.slice(0, at + 1)))?.name ?? name)
  return (last === undefined ? names : [...names.slice(0, -1), last]).join('.')
}

const optionNames = ['schema', 'dates', 'datetimes', 'fields']
const fieldNames = ['name', 'type', 'encode', 'decode', 'lower', 'notNull']

/** @throws TypeError that names the option which is unknown or cannot be. */
export function storageOf(options: MongoOptions): Storage {
  const { schema, dates = 'string', datetimes = 'date', fields = {} } = checkOptions(options, 'options', optionNames)
  if (schema !== undefined) checkSchema(schema)
  const forms: readonly unknown[] = ['string', 'date']
  for (const [name, form] of Object.entries({ dates, datetimes })) {
    if (!forms.includes(form)) throw new TypeError(`${name} must be 'string' or 'date'`)
  }
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) {
    throw new TypeError('fields must be an object of fields by their path')
  }
  for (const [path, field] of Object.entries(fields)) {
    const where = `fields[${JSON.stringify(path)}]`
    if (path.split('.').some((name) => nameDefect(name) !== undefined))
      throw new TypeError(`${where} is of no possible path`)
    if (schema !== undefined && declared(schema, path) === undefined) {
      const near = nearest(path, schema.paths.keys())
      throw new TypeError(`${where} is not a path of the schema${near === undefined ? '' : `; did you mean ${near}?`}`)
    }
    const { name, type, encode, decode, lower, notNull = false } = checkOptions(field, where, fieldNames)
    for (const [option, stored] of Object.entries({ name, lower })) {
      if (stored === undefined || isStoredName(stored)) continue
      throw new TypeError(`${where}.${option} must be a name that MongoDB's documents can have, and not begin with '$'`)
    }
    if (typeof notNull !== 'boolean') throw new TypeError(`${where}.notNull must be a boolean`)
    for (const [option, made] of Object.entries({ encode, decode })) {
      if (made !== undefined && typeof made !== 'function') throw new TypeError(`${where}.${option} must be a function`)
    }
    if (decode !== undefined && encode === undefined) {
      throw new TypeError(`${where}.decode reads back what encode makes: give encode, too`)
    }
    const possible: readonly unknown[] = encode === undefined ? forms : bsonTypes
    if (type !== undefined && !possible.includes(type)) {
      throw new TypeError(`${where}.type must be one of ${possible.join(', ')}${encode ? '' : ', or have an encode'}`)
    }
  }
  return {
    schema,
    types: {
      string: 'string',
      uuid: 'string',
      integer: 'number',
      bigint: 'number',
      number: 'number',
      decimal: 'decimal',
      boolean: 'bool',
      date: dates,
      datetime: datetimes,
      time: 'string',
    },
    fields: new Map(Object.entries(fields).map(([path, field]) => [path, ownOf(field)])),
  }
}

const isStoredName = (name: unknown): boolean =>
  typeof name === 'string' &&
  isPlainText(name) &&
  name.split('.').every((part) => part !== '' && !part.startsWith('$') && part !== '__proto__')
