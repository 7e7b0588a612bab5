/**
 * Emits query documents: one function for each kind of filter. Filters that count entries become an `$expr`. All other filters use
 * sixteen operators: `$and`, `$or`, `$nor`, `$not`, `$eq`, `$ne`, `$gt`, `$gte`, `$lt`, `$lte`, `$in`, `$nin`, `$regex`, `$options`, `$type` and `$elemMatch`.
 *
 * @see https://www.mongodb.com/docs/manual/reference/mql/query-predicates/
 */
import {
  checkFilter,
  children,
  joined,
  kinds,
  literalTypes,
  unchecked,
  type And,
  type EntryCount,
  type Filter,
  type Or,
  type Some,
} from '../../tree/index.ts'
import type { Fields, ReadRow, RowOf } from '../../language/index.ts'
import { partsOfPosition, presenceOfFacet, withEveryProperty, withTieBreakers, type Query } from '../../query/index.ts'
import type { Capabilities, FacetBackend, Feature } from '../backend.ts'
import { own } from '../../own.ts'
import { dotted, presencesOf, schemaIssues, throwIssues, tooLarge, withPosition, type Condition } from '../issues.ts'
import { addRefusal, lowerOf, operatorsOf, type Scope } from './condition.ts'
import { allOf, anyOf, finished, noneOf, on, type Draft, type MongoDocument } from './document.ts'
import {
  alternativesOf,
  requiresObject,
  entryOperators,
  isNoObject,
  isObject,
  isUnreadable,
  maxAlternatives,
} from './entries.ts'
import { counts, expressionOf } from './expression.ts'
import { facetOf, type MongoFacet } from './facets.ts'
import { isAlwaysThere, nameOf, storageOf, type MongoOptions, type Storage } from './options.ts'
import { readingOf, type MongoQuery } from './page.ts'
import { rowsIn } from './rows.ts'

const capabilities: Capabilities = /* @__PURE__ */ Object.freeze({
  kinds,
  types: literalTypes,
  features: /* @__PURE__ */ Object.freeze([
    'unicode-case',
    'other-forms',
    'empty-objects',
    'long-decimals',
    'queries',
    'facets',
    'json',
    'records',
  ] as const),
  preconditions: /* @__PURE__ */ Object.freeze([
    'no field holds a list where the schema has a scalar or an object, nor does an entry of a list of objects',
    'dates and datetimes are stored in the form that the options say: BSON dates at midnight UTC, canonical UTC text of three digits',
    'uuids that are text are in lower case; numbers of 64 bits are int, long, or doubles that are safe integers, and decimals are finite',
    'the collection and the query compare by the simple collation',
    'fields of text hold no regular expressions and no symbols; numbers are Decimal128 only where encode makes them so',
    'an encoded field holds what encode makes, one value for each operand and in their order, and without a type nothing else',
    'a lower field holds what simpleLowerCase makes of the text, and nothing where there is none',
    'a field that rows are ordered by holds a value of its type, or nothing',
  ]),
})

const capabilitiesOf = ({ schema, fields }: Storage): Capabilities => {
  const more: readonly [Feature, boolean][] = [
    ['ignored-case', [...fields.values()].some(({ lower }) => lower !== undefined)],
    ['select', schema !== undefined],
  ]
  const features = more.flatMap(([feature, isDeclared]) => (isDeclared ? [feature] : []))
  return Object.freeze({ ...capabilities, features: Object.freeze([...capabilities.features, ...features]) })
}

/** A backend of MongoDB. Its queries read rows of the type `Row`. */
export interface MongoBackend<Row = unknown> extends FacetBackend<MongoDocument, MongoQuery, readonly MongoFacet[]> {
  /** {@link FacetBackend.compileQuery}, with the rows that the query reads. */
  readonly compileQuery: <Asked extends string | undefined, Hidden extends string>(
    query: Query<Asked, Hidden>,
  ) => MongoQuery<RowOf<Row, Asked, Hidden>>
}

/**
 * Compiles filters to query documents: plain objects for `find`, `countDocuments`, `$match`, and Mongoose.
 *
 * Pass the `schema` unless all filters come from `parseFilter` or `where`: a filter revived from a client's JSON may name every field of
 * the documents.
 *
 * @returns a backend. Its `compile` throws a FilterError. `backend_unsupported`: the field does not store values of the condition's type,
 *   for example texts. `backend_refused`: MongoDB cannot run the condition because of its operand or size, for example a text too long
 *   for a pattern, or a document beyond 100 levels. With a schema: also `backend_unsupported` for a value that is not of the field's
 *   type, and `backend_unmapped` for a field outside the schema.
 * @throws TypeError that names the wrong option; `compile` throws one when `encode` does not return a scalar.
 * @example
 * const fields = { id: { name: '_id', encode: (text: string) => new ObjectId(text) } }
 * const { compile } = mongoBackend({ schema: orders, fields })
 * const cursor = collection.find(compile(filter))
 */
export function mongoBackend<F extends Fields = Fields>(options: MongoOptions<F> = {}): MongoBackend<ReadRow<F>> {
  const storage = storageOf(options)
  const { schema } = storage
  const rowsOf = schema && rowsIn(storage, schema)
  const documentOf = (filter: Filter): MongoDocument => {
    if (schema !== undefined) throwIssues(schemaIssues(filter, schema))
    const scope: Scope = { storage, list: '', issues: [] }
    refuseOperators(scope, filter)
    const document = documentFrom(emit(scope, filter, false))
    if (isDeeper(document, maxLevels)) {
      const message = `the filter makes a document of more than ${maxLevels} levels`
      scope.issues.push(tooLarge(message, filter, documentOf))
    }
    throwIssues(scope.issues)
    return document
  }
  const compile = (filter: Filter): MongoDocument => documentOf(checkFilter(filter))
  const compileQuery = (input: Query): MongoQuery<never> => {
    const whole = withEveryProperty(input)
    const query = withTieBreakers(whole)
    if (schema !== undefined) throwIssues(schemaIssues(presencesOf(query), schema))
    const count = documentOf(query.filter)
    const filter =
      query.position === undefined
        ? documentOf(query.filter)
        : withPosition(() => documentOf(joined('and', [query.filter, ...partsOfPosition(query)])))
    // The schema has the fields that the compiler knows.
    const reading = readingOf(storage, query, rowsOf?.(whole)) as Omit<MongoQuery<never>, 'filter' | 'count'>
    return { filter, ...reading, count }
  }
  const facets = (input: Query): readonly MongoFacet[] =>
    (withEveryProperty(input).facets ?? []).map((facet) => {
      // A field that is not stored is refused.
      documentOf(presenceOfFacet(facet))
      const label = own(facet, 'label')
      if (label !== undefined) documentOf(unchecked.presence(label, 'string'))
      return facetOf(storage, facet, documentOf(facet.filter))
    })
  const backend = { name: 'mongo', capabilities: capabilitiesOf(storage), compile, compileQuery, facets }
  return schema === undefined ? backend : { ...backend, select: compileQuery }
}

/** Refuses each path with a name that MongoDB reads as an operator: a key of a record may begin with `$`. */
function refuseOperators(scope: Scope, filter: Filter): void {
  const path = own(filter as Condition, 'path') ?? []
  if (path.some((name) => name.startsWith('$'))) addRefusal(scope, filter as Condition, 'has a name that begins with $')
  for (const inner of children(filter)) refuseOperators(scope, inner)
}

/** MongoDB has no constants. Every document matches {}. */
const documentFrom = (draft: Draft): MongoDocument =>
  typeof draft === 'boolean' ? (draft ? {} : { $nor: [{}] }) : finished(draft)

function emit(scope: Scope, filter: Filter, negated: boolean): Draft {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return group(scope, filter, negated)
    case 'not':
      return emit(scope, filter.filter, !negated)
    case 'some':
      return counts(filter) ? counted(scope, filter, negated) : some(scope, filter, negated)
    case 'count':
      return counted(scope, filter, negated)
    default:
      return condition(scope, filter, negated)
  }
}

function group(scope: Scope, { kind, filters }: And | Or, negated: boolean): Draft {
  const drafts = filters.map((member) => emit(scope, member, negated && kind === 'or'))
  if (kind === 'or') return negated ? allOf(drafts) : anyOf(drafts)
  return negated ? noneOf(allOf(drafts)) : allOf(drafts)
}

/** A comparison, membership, match or presence: `condition.ts` has a function for each. */
function condition(scope: Scope, filter: Condition, negated: boolean): Draft {
  // The empty path is the document itself, or an entry whose fields are read: an object.
  if (filter.path.length === 0) return (filter.kind === 'presence' && filter.type === 'object') !== negated
  const operators = operatorsOf(scope, filter)
  if (operators === undefined) return negated
  if (filter.kind === 'presence' && scope.list === '' && isAlwaysThere(scope.storage, filter.path)) return !negated
  const draft = on(nameOf(scope.storage, scope.list, filter.path, lowerOf(scope, filter)), operators)
  return negated ? noneOf(draft) : draft
}

function counted(scope: Scope, filter: Some | EntryCount, negated: boolean): Draft {
  const expression = expressionOf(scope, filter)
  return { $expr: negated ? { $not: [expression] } : expression }
}

function some(scope: Scope, filter: Some, negated: boolean): Draft {
  const { storage, list } = scope
  const name = nameOf(storage, list, filter.path)
  const inside: Scope = { ...scope, list: dotted(list, filter.path) }
  const hasFields = readsFields(filter.filter)
  const drafts = [
    ...(hasFields ? [objectEntry(inside, filter, name)] : []),
    ...scalarEntries(inside, filter, name, hasFields),
  ]
  return negated ? allOf(drafts.map(noneOf)) : anyOf(drafts)
}

function objectEntry(scope: Scope, { filter }: Some, name: string): Draft {
  const entry = emit(scope, filter, false)
  if (entry === false) return false
  return on(name, { $elemMatch: entry === true ? isObject : finished(entry) })
}

/** A scalar entry, or one of which no field is read: one document for each alternative. */
function scalarEntries(scope: Scope, filter: Some, name: string, hasFields: boolean): Draft[] {
  const alternatives = alternativesOf(scope, filter.filter, false)
  if (alternatives === 'too many') {
    addRefusal(scope, filter, `compares one entry by more than ${maxAlternatives} alternatives or conditions`)
    return []
  }
  const drafts: Draft[] = []
  for (const alternative of alternatives) {
    // Objects have their own document.
    if (hasFields && requiresObject(alternative)) continue
    const operators = entryOperators(hasFields ? [...alternative, isNoObject] : alternative)
    if (isUnreadable(operators)) {
      addRefusal(scope, filter, 'excludes several patterns of one entry, and one of them contains a line separator')
    }
    drafts.push(on(name, { $elemMatch: operators }))
  }
  return drafts
}

/** Whether a filter reads fields of entries: then objects get a separate document. */
const readsFields = (filter: Filter): boolean =>
  filter.kind === 'some' || isOnField(filter) || children(filter).some(readsFields)
const isOnField = (filter: Filter): boolean => (own(filter as Condition, 'path') ?? []).length > 0

// --- Depth

/** https://www.mongodb.com/docs/manual/reference/limits/#mongodb-limit-Nested-Depth-for-BSON-Documents */
const maxLevels = 100

/** Whether objects and arrays nest deeper than so many levels. */
function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (Object.getPrototypeOf(value) !== Object.prototype && !Array.isArray(value)) return false
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1))
}
