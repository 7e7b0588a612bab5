/** Where an engine departs from MongoDB's manual: what meets that is not asked of that engine. */
import type { MongoDocument } from '../../src/backends/mongo/index.ts'

type Row = Readonly<Record<string, unknown>>
export interface Departure {
  readonly engine: string
  /** What the engine does, what the manual (or the page that is named) has instead, and where the former stands. */
  readonly why: string
  readonly applies: (document: MongoDocument, rows: readonly Row[]) => boolean
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
  why: 'asks entries that are no objects for fields, and finds none; $elemMatch asks "array elements that are documents"',
  applies: othersAsked(denies, (entry) => entry === null || isScalar(entry)),
  example: [{ a: [null] }, { a: { $elemMatch: { b: { $ne: 1 } } } }, false],
})

const unitOrder = (engine: string): Departure => ({
  engine,
  why: 'orders texts by UTF-16 unit; the simple collation (Collation, "binary comparison") by the bytes of UTF-8, which is by code point',
  applies: (document, rows) =>
    has(document, (name, value) => ordering.test(name) && typeof value === 'string') &&
    /[\ud800-\uffff]/.test(JSON.stringify([document, rows])),
  example: [{ a: '\u{1f600}' }, { a: { $gt: '\uff5e' } }, true],
})

export const departures: readonly Departure[] = [
  unitOrder('mingo'),
  unitOrder('sift'),
  unitOrder('mongo-java-server'),
  nothingAsked('mingo'),
  nothingAsked('sift'),
  nothingAsked('mongo-java-server'),
  {
    engine: 'mingo',
    why: 'asked for a field, takes an entry that is a scalar for its value; $elemMatch ("array elements that are documents") asks objects',
    applies: scalarsAsked,
    example: [{ a: [0, { b: 2 }] }, { a: { $elemMatch: { b: 0 } } }, false],
  },
  {
    engine: 'sift',
    why: 'has not all aliases of $type, nor lists of them: lib/index.js, typeAliases',
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
    why: 'reads what objects and texts have beside fields, constructor and length, of documents too: lib/index.js, isVanillaObject',
    applies: (document) => has(document, (name) => /(^|\.)(constructor|length)(\.|$)/.test(name)),
    example: [{ constructor: 1 }, { constructor: { $gt: 0 } }, true],
  },
  {
    engine: 'mongo-java-server',
    why: 'looks at nothing but $regex where a field has one; of a field all operators hold (Query Documents, "AND")',
    applies: (document) =>
      has(
        document,
        (name, _, of) => name === '$regex' && Object.keys(of).some((key) => !/^\$(regex|options)$/.test(key)),
      ),
    example: [{ a: 'b' }, { a: { $regex: 'b', $ne: 'b' } }, false],
  },
  {
    engine: 'mongo-java-server',
    why: 'matches patterns with numbers and booleans; $regex is for "pattern matching strings"',
    applies: (document, rows) =>
      has(document, (name) => name === '$regex') &&
      has(rows, (_, value) => typeof value === 'number' || typeof value === 'boolean'),
    example: [{ a: true }, { a: { $regex: 'true' } }, false],
  },
  {
    engine: 'mongo-java-server',
    why: 'fails where a group asks an entry that is a scalar for its fields; $elemMatch asks objects',
    applies: scalarsAsked,
    example: [{ a: ['b'] }, { a: { $elemMatch: { $or: [{ b: 1 }, { b: 2 }] } } }, false],
  },
  {
    engine: 'FerretDB',
    why:
      '$elemMatch asks the list as a whole, operator by operator, and knows neither the fields of its entries nor $and, $or, ' +
      '$nor, $ne and $not: internal/handler/common/filter.go, filterFieldExprElemMatch; FerretDB/FerretDB#730 and #731',
    applies: (document) =>
      has(document, (name, value) => {
        if (name !== '$elemMatch') return false
        const [first, ...others] = Object.keys(value as object).filter((key) => key !== '$options')
        return others.length > 0 || !/^\$(eq|[gl]te?|in|regex|type)$/.test(first!)
      }),
    example: [{ a: [1, 5] }, { a: { $elemMatch: { $gt: 2, $lt: 4 } } }, false],
  },
  {
    engine: 'FerretDB',
    why: "compiles patterns with Go's RE2, which has no lookahead; $regex has PCRE2's",
    applies: (document) =>
      has(document, (_, value) => /\(\?!/.test(value instanceof RegExp ? value.source : String(value))),
    example: [{ a: 'b' }, { a: { $regex: 'b(?![\\s\\S])' } }, true],
  },
  {
    engine: 'FerretDB',
    why: 'stores no field whose name JSON escapes: internal/backends/sqlite, sjson; Documents ("Field Names") has no such limit',
    applies: (_, rows) => has(rows, (name) => /["\\]/.test(name)),
    example: [{ 'a"b': 1 }, { 'a"b': 1 }, true],
  },
]

/** What of the engine's departures a document meets. */
export const departuresOf = ({ name }: { readonly name: string }, ...asked: Parameters<Departure['applies']>) =>
  departures.filter(({ engine, applies }) => engine === name && applies(...asked))
