/**
 * The emitter of query documents: one function for each kind of filter. The documents have sixteen operators alone: `$and`,
 * `$or`, `$nor`, `$not`, `$eq`, `$ne`, `$gt`, `$gte`, `$lt`, `$lte`, `$in`, `$nin`, `$regex`, `$options`, `$type` and
 * `$elemMatch`.
 *
 * @see https://www.mongodb.com/docs/manual/reference/mql/query-predicates/
 */
import {
  checkFilter,
  children,
  joined,
  kinds,
  literalTypes,
  type And,
  type Filter,
  type Or,
  type Some,
} from '../../ast/index.ts'
import type { Capabilities, QueryBackend } from '../backend.ts'
import { dotted, presencesOf, schemaIssues, throwIssues, tooLarge, withPosition, type Condition } from '../issues.ts'
import { partsOfPosition } from '../../query/page/order.ts'
import { wholeQuery, type Query } from '../../query/page/query.ts'
import { inPlaces, shapeCache } from '../shape.ts'
import { lowerOf, newFindings, operatorsOf, refuse, type Context, type Findings } from './condition.ts'
import { allOf, anyOf, finished, noneOf, on, type Draft, type MongoDocument } from './document.ts'
import {
  alternativesOf,
  asksForObject,
  entryOperators,
  isNoObject,
  isObject,
  isUnreadable,
  maxAlternatives,
} from './entries.ts'
import { fieldOf, nameOf, storageOf, type MongoOptions } from './options.ts'
import { readingOf, type MongoQuery } from './page.ts'
import { filled, planOf, type Plan, type Source } from './plan.ts'

const capabilities: Capabilities = /* @__PURE__ */ Object.freeze({
  kinds,
  types: literalTypes,
  features: /* @__PURE__ */ Object.freeze(['unicode-case', 'other-forms', 'empty-objects', 'queries'] as const),
  preconditions: /* @__PURE__ */ Object.freeze([
    'no field holds a list where the schema has a scalar or an object, nor does an entry of a list of objects',
    'dates and datetimes are stored in the form that the options say: BSON dates at midnight UTC, canonical UTC text',
    'the collection and the query compare by the simple collation',
    'fields of text hold no regular expressions and no symbols; numbers are Decimal128 only where encode makes them so',
    'an encoded field holds what encode makes, one value for each operand and in their order, and without a type nothing else',
    'a lower field holds what simpleLowerCase makes of the text, and nothing where there is none',
    'a field that rows are ordered by holds a value of its type, or nothing',
  ]),
})

/**
 * Emits filters as query documents: plain objects for `find`, `countDocuments`, `$match`, and Mongoose.
 *
 * Give it the `schema` unless all filters come from `parseFilter` or `where`: a filter revived from a client's JSON can ask
 * for every field of the documents.
 *
 * @returns a backend. Its `compile` throws a FilterError: `backend_unsupported` if the field does not store values of the
 *   condition, such as a text in a field that is not stored as text; `backend_refused` if MongoDB cannot run a condition because
 *   of its operand or its size, such as a text too long for a pattern, or a document beyond 100 levels. With a schema,
 *   `backend_unsupported` also if a value is not of the field's type, and `backend_unmapped` if the schema lacks the field.
 * @throws TypeError that names the wrong option; `compile` throws one when `encode` does not return a scalar.
 * @example
 * const fields = { id: { name: '_id', encode: (text: string) => new ObjectId(text) } }
 * const { compile } = mongoBackend({ schema: orders, fields })
 * const cursor = collection.find(compile(filter))
 */
export function mongoBackend(options: MongoOptions = {}): QueryBackend<MongoDocument, MongoQuery> {
  const storage = storageOf(options)
  const emitted = (filter: Filter, findings: Findings): Draft => emit({ storage, findings, list: '' }, filter, false, 1)
  const plans = shapeCache<Plan[]>(256)
  const documentOf = (filter: Filter): MongoDocument => {
    const conditions: Condition[] = []
    const known = plans.get(filter, conditions)
    return (known && filled(known, conditions)) ?? newDocumentOf(filter, known)
  }
  const newDocumentOf = (filter: Filter, known: Plan[] | undefined): MongoDocument => {
    if (storage.schema !== undefined) throwIssues(schemaIssues(filter, storage.schema))
    const findings = newFindings()
    const draft = emitted(filter, findings)
    if (isTooDeep(findings, draft)) {
      const message = `the filter makes a document of more than ${maxLevels} levels`
      findings.issues.push(tooLarge(message, filter, documentOf))
    }
    throwIssues(findings.issues)
    // A shape that is seen once needs no plan.
    if (known === undefined) plans.set(filter, [])
    else if (!findings.isByValue && known.length < mostForms) known.push(newPlanOf(filter))
    return documentFrom(draft)
  }
  const newPlanOf = (filter: Filter): Plan => {
    const sources: Source[] = []
    const findings = newFindings(sources)
    const draft = emitted(inPlaces(filter, { next: 0 }), findings)
    return planOf(documentFrom(draft), sources, findings.unequal)
  }
  const compile = (filter: Filter): MongoDocument => documentOf(checkFilter(filter))
  const compileQuery = (given: Query): MongoQuery => {
    const query = wholeQuery(given)
    const { schema } = storage
    if (schema !== undefined) throwIssues(schemaIssues(presencesOf(query), schema))
    const count = documentOf(query.filter)
    const filter =
      query.position === undefined
        ? documentOf(query.filter)
        : withPosition(() => documentOf(joined('and', [query.filter, ...partsOfPosition(query)])))
    return { filter, ...readingOf(storage, query), count }
  }
  return { name: 'mongo', capabilities, compile, compileQuery }
}

/** How many plans a shape may have. An `in` of one value needs another one than a longer list, for example. */
const mostForms = 4

/** MongoDB has no constants. Every document matches {}. */
function documentFrom(draft: Draft): MongoDocument {
  if (typeof draft === 'boolean') return draft ? {} : { $nor: [{}] }
  return finished(draft)
}

/** `level` counts the filters around, and this one. */
function emit(context: Context, filter: Filter, negated: boolean, level: number): Draft {
  const { findings } = context
  findings.deepest = Math.max(findings.deepest, level)
  switch (filter.kind) {
    case 'and':
      return and(context, filter, negated, level)
    case 'or':
      return or(context, filter, negated, level)
    case 'not':
      return emit(context, filter.filter, !negated, level + 1)
    case 'some':
      return some(context, filter, negated, level)
    default:
      return condition(context, filter, negated)
  }
}

function and(context: Context, { filters }: And, negated: boolean, level: number): Draft {
  const draft = allOf(
    filters.map((member) => emit(context, member, false, level + 1)),
    context.findings,
  )
  return negated ? noneOf(draft) : draft
}

function or(context: Context, { filters }: Or, negated: boolean, level: number): Draft {
  const drafts = filters.map((member) => emit(context, member, negated, level + 1))
  return negated ? allOf(drafts, context.findings) : anyOf(drafts)
}

/** A comparison, membership, match or presence: `condition.ts` has a function for each. */
function condition(context: Context, filter: Condition, negated: boolean): Draft {
  // The document, or the entry of a list that is asked for its fields: an object, and nothing else.
  if (filter.path.length === 0) return (filter.kind === 'presence' && filter.type === 'object') !== negated
  const operators = operatorsOf(context, filter)
  if (operators === undefined) return negated
  const isNotNull = context.list === '' && fieldOf(context.storage, '', filter.path)?.notNull === true
  if (filter.kind === 'presence' && isNotNull) return !negated
  const draft = on(nameOf(context.storage, context.list, filter.path, lowerOf(context, filter)), operators)
  return negated ? noneOf(draft) : draft
}

function some(context: Context, filter: Some, negated: boolean, level: number): Draft {
  const { storage, findings, list } = context
  const name = nameOf(storage, list, filter.path)
  const inside: Context = { storage, findings, list: dotted(list, filter.path) }
  const hasFields = asksForFields(filter.filter)
  const drafts = [
    ...(hasFields ? [objectEntry(inside, filter, name, level)] : []),
    ...scalarEntries(inside, filter, name, level, hasFields),
  ]
  return negated ? allOf(drafts.map(noneOf), findings) : anyOf(drafts)
}

/** An entry that is an object. */
function objectEntry(context: Context, { filter }: Some, name: string, level: number): Draft {
  const entry = emit(context, filter, false, level + 1)
  if (entry === false) return false
  return on(name, { $elemMatch: entry === true ? isObject : finished(entry) })
}

/** An entry that is a scalar, or is asked for no field: one document for each way in which it can pass. */
function scalarEntries(context: Context, filter: Some, name: string, level: number, hasFields: boolean): Draft[] {
  const { findings } = context
  const alternatives = alternativesOf(context, filter.filter, false)
  if (alternatives === 'too many') {
    refuse(context, filter, `is asked for an entry in more than ${maxAlternatives} ways`)
    return []
  }
  const drafts: Draft[] = []
  for (const alternative of alternatives) {
    findings.deepest = Math.max(findings.deepest, level + alternative.length)
    // Objects have their own document.
    if (hasFields && asksForObject(alternative)) continue
    const operators = entryOperators(hasFields ? [...alternative, isNoObject] : alternative, findings)
    if (isUnreadable(operators)) {
      refuse(context, filter, 'is asked for an entry without line separators, in two ways at once')
    }
    drafts.push(on(name, { $elemMatch: operators }))
  }
  return drafts
}

/** Whether a filter asks entries for their fields: then those that are objects are asked apart. */
function asksForFields(filter: Filter): boolean {
  switch (filter.kind) {
    case 'some':
      return true
    case 'and':
    case 'or':
    case 'not':
      return children(filter).some(asksForFields)
    default:
      return filter.path.length > 0
  }
}

// --- Depth

/** https://www.mongodb.com/docs/manual/reference/limits/#mongodb-limit-Nested-Depth-for-BSON-Documents */
const maxLevels = 100

/** A level of a filter makes five levels of a document at most. */
const isTooDeep = ({ deepest }: Findings, draft: Draft): boolean =>
  deepest * 5 > maxLevels && isDeeper(draft, maxLevels)

/** Whether objects and arrays nest deeper than so many levels. */
function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (Object.getPrototypeOf(value) !== Object.prototype && !Array.isArray(value)) return false
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1))
}
