/** Where an engine departs from MongoDB's manual: what meets that is not asked of that engine. */
import { Decimal128, UUID } from 'mongodb'
import type { MongoDocument } from '../../../src/backends/mongo/index.ts'
import { textOf, type Index } from './engines.ts'

type Row = Readonly<Record<string, unknown>>
export interface Departure {
  readonly engine: string
  /** What the engine does, what the manual (or the page that is named) has instead, and where the former stands. */
  readonly why: string
  readonly applies: (document: MongoDocument, rows: readonly Row[]) => boolean
  /** That with which the example is asked among thousands of other documents: without an index there is no departure. */
  readonly index?: Index
  /** A row, a document, and whether the one matches the other by the manual: the engine still says otherwise. */
  readonly example: readonly [row: Row, document: MongoDocument, matches: boolean]
}

/** Each property of objects and lists, however deep. */
function* propertiesOf(value: unknown): Generator<readonly [name: string, value: unknown, of: object]> {
  if (typeof value !== 'object' || value === null || value instanceof Date || value instanceof RegExp) return
  for (const [name, inner] of Object.entries(value)) {
    yield [name, inner, value]
    yield* propertiesOf(inner)
  }
}
const has = (where: unknown, test: (name: string, value: unknown, of: object) => boolean): boolean =>
  Array.from(propertiesOf(where)).some((property) => test(...property))

/** The conditions on fields of the document that hold together, or of which one holds. */
function* fieldsOf(document: MongoDocument): Generator<readonly [name: string, condition: unknown]> {
  for (const [name, value] of Object.entries(document)) {
    if (/^\$(and|or)$/.test(name)) for (const member of value as MongoDocument[]) yield* fieldsOf(member)
    else if (!name.startsWith('$')) yield [name, value]
  }
}
const isOperators = (condition: unknown): condition is Row =>
  Object.keys(Object(condition) as object).some((key) => key.startsWith('$'))
const hasPattern = (condition: unknown) => isOperators(condition) && Object.hasOwn(condition, '$regex')
const isEquality = (condition: unknown) =>
  !isOperators(condition) || Object.keys(condition).some((name) => /^\$(eq|in|gte|lte)$/.test(name))
const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.getPrototypeOf(value) === Object.prototype &&
  Object.keys(value).length === 0

const ordering = /^\$[gl]te?$/
const isGroup = (name: string): boolean => /^\$(and|or|nor)$/.test(name)
const isScalar = (value: unknown): boolean => value !== null && typeof value !== 'object'

/** Whether entries of lists that are no objects are asked for fields, in a way and of a kind. */
const othersAsked =
  (way: (condition: object) => boolean, kind: (entry: unknown) => boolean): Departure['applies'] =>
  (document, rows) =>
    has(document, (path, condition) => {
      const asks = has(condition, (name, of) => {
        const fields =
          name === '$elemMatch' && Object.keys(of as object).some((key) => !key.startsWith('$') || isGroup(key))
        return fields && way(of as object)
      })
      const list = path.slice(path.lastIndexOf('.') + 1)
      return asks && has(rows, (name, value) => name === list && Array.isArray(value) && value.some(kind))
    })
const scalarsAsked = othersAsked(() => true, isScalar)
/** Fields that entries without fields satisfy. No query says that inside an entry: it denies the entry. */
const denies = (condition: object) =>
  has(condition, (name, _, of) => /^\$(ne|nin|not|nor)$/.test(name) && !Object.hasOwn(of, '$regex'))
const nothingAsked = (engine: string): Departure => ({
  engine,
  why: 'treats entries that are not objects as objects without fields; $elemMatch with fields is for "array elements that are documents"',
  applies: othersAsked(denies, (entry) => entry === null || isScalar(entry)),
  example: [{ a: [null] }, { a: { $elemMatch: { b: { $ne: 1 } } } }, false],
})

const unitOrder = (engine: string): Departure => ({
  engine,
  why: 'orders texts by UTF-16 unit; the simple collation (Collation, "binary comparison") by the bytes of UTF-8, which is by code point',
  applies: (document, rows) =>
    has(document, (name, value) => ordering.test(name) && typeof value === 'string') &&
    // Only what is beyond U+FFFF has another place, and only among these.
    [/[\ud800-\udfff]/, /[\ue000-\uffff]/].every((units) => units.test(textOf([document, rows]))),
  example: [{ a: '\u{1f600}' }, { a: { $gt: '\uff5e' } }, true],
})

/** What JavaScript has no plain value for: bigints, and the driver's classes. */
const isOfDriver = (value: unknown): boolean =>
  typeof value === 'bigint' || value instanceof Decimal128 || value instanceof UUID
const ofDriver = (engine: string, why: string, example: Departure['example']): Departure => ({
  engine,
  why,
  applies: (...asked) => has(asked, (_, value) => isOfDriver(value)),
  example,
})

export const departures: readonly Departure[] = [
  ofDriver(
    'mingo',
    'compares bigints and the classes of the driver as objects; "MongoDB treats some types as equivalent", all numbers (Comparison/Sort Order)',
    [{ a: Decimal128.fromString('1.10') }, { a: Decimal128.fromString('1.1') }, true],
  ),
  ofDriver(
    'sift',
    'takes a bigint for another value than its number; "MongoDB treats some types as equivalent", all numbers (Comparison/Sort Order)',
    [{ a: 5 }, { a: 5n }, true],
  ),
  unitOrder('mingo'),
  unitOrder('sift'),
  nothingAsked('mingo'),
  nothingAsked('sift'),
  {
    engine: 'mingo',
    why: 'takes a scalar entry for the value of a field; $elemMatch with fields is for "array elements that are documents"',
    applies: scalarsAsked,
    example: [{ a: [0, { b: 2 }] }, { a: { $elemMatch: { b: 0 } } }, false],
  },
  {
    engine: 'sift',
    why: 'lacks some aliases of $type, and lists of them: lib/index.js, typeAliases',
    applies: (document) =>
      has(document, (name, value) => name === '$type' && !['string', 'number', 'bool'].includes(value as string)),
    example: [{ a: {} }, { a: { $type: 'object' } }, true],
  },
  {
    engine: 'sift',
    why: 'compares numbers with the milliseconds of dates; by type bracketing (Comparison/Sort Order) they do not compare',
    applies: (document, rows) =>
      has(document, (_, value) => value instanceof Date) && has(rows, (_, value) => typeof value === 'number'),
    example: [{ a: 1 }, { a: { $gt: new Date(0) } }, false],
  },
  {
    engine: 'sift',
    why: 'reads properties that are not fields, such as constructor and length: lib/index.js, isVanillaObject',
    applies: (document) => has(document, (name) => /(^|\.)(constructor|length)(\.|$)/.test(name)),
    example: [{ constructor: 1 }, { constructor: { $gt: 0 } }, true],
  },
  {
    engine: 'DocumentDB',
    why: 'drops a pattern beside an equality, $in or equal bounds that an index serves; all operators of a field apply (Query Documents, "AND")',
    index: { a: 1 },
    applies: (document) => {
      const asked = [...fieldsOf(document)]
      return asked.some(
        ([name, condition]) => hasPattern(condition) && asked.some(([own, of]) => own === name && isEquality(of)),
      )
    },
    example: [{ a: 'x' }, { $or: [{ a: 'x' }, { a: 'y' }], a: { $regex: 'j' } }, false],
  },
  {
    engine: 'DocumentDB',
    why: 'misses the empty object where an index serves $not of $gt or $gte with a text; $not "selects the documents that do not match"',
    index: { a: 1 },
    applies: (document, rows) =>
      has(
        document,
        (name, condition) => name === '$not' && /^\$gte?$/.test(String(Object.keys(condition as object))),
      ) && has(rows, (_, value) => isEmpty(value)),
    example: [{ a: {} }, { a: { $not: { $gt: 'b' } } }, true],
  },
  {
    engine: 'DocumentDB',
    why: 'loses lists where a wildcard index serves $elemMatch with several operators; "an array element matches all" of them',
    index: { '$**': 1 },
    applies: (document) => has(document, (name) => name === '$elemMatch'),
    example: [{ a: ['zz'] }, { a: { $elemMatch: { $gt: 'x', $not: { $regex: 'j' } } } }, true],
  },
]

/** What of the engine's departures a document meets, without indexes or with those of single fields and several. */
export const departuresOf = (
  { name, indexed = false }: { readonly name: string; readonly indexed?: boolean },
  ...asked: Parameters<Departure['applies']>
) =>
  departures.filter(
    ({ engine, index, applies }) =>
      engine === name && (index === undefined || (indexed && index['$**'] === undefined)) && applies(...asked),
  )
