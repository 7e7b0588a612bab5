/**
 * Filter → query document, made of sixteen operators alone: `$and`, `$or`, `$nor`, `$not`, `$eq`, `$ne`, `$gt`, `$gte`,
 * `$lt`, `$lte`, `$in`, `$nin`, `$regex`, `$options`, `$type` and `$elemMatch`.
 * https://www.mongodb.com/docs/manual/reference/mql/query-predicates/
 */
import {
  checkFilter,
  children,
  kinds,
  literalTypes,
  type ComparisonOperator,
  type Filter,
  type Literal,
  type LiteralType,
  type Path,
  type Some,
} from '../../ast/index.ts'
import type { Backend, Capabilities } from '../backend.ts'
import type { Issue } from '../../issue/index.ts'
import { all, any, constant, FALSE, finished, none, on, TRUE } from './document.ts'
import type { Condition, Draft, MongoDocument } from './document.ts'
import {
  denied,
  entryCondition,
  isOfObject,
  isUnreadable,
  maxAlternatives,
  noObject,
  together,
  type Alternative,
} from './entries.ts'
import { dotted, schemaIssues, spanOf, throwIssues, typeOf, type Condition as Leaf } from '../issues.ts'
import {
  asOthers,
  checkEncoded,
  ownOf,
  storageOf,
  type BsonType,
  type MongoField,
  type MongoOptions,
} from './options.ts'
import { matchOf } from './pattern.ts'

/** https://www.mongodb.com/docs/manual/reference/limits/#mongodb-limit-Nested-Depth-for-BSON-Documents */
const maxLevels = 100
const noForm = 'has no stored form for the operand'
const tooLong = 'is asked for a text that is too long for a pattern'

/** Objects that are made with their keys are made faster than those that get them by name. */
const comparisons: { readonly [O in ComparisonOperator]: (value: unknown) => Condition } = {
  eq: ($eq) => ({ $eq }),
  gt: ($gt) => ({ $gt }),
  gte: ($gte) => ({ $gte }),
  lt: ($lt) => ({ $lt }),
  lte: ($lte) => ({ $lte }),
}

/** Whether a filter asks entries for their fields: those that are objects have some. */
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

/** What a compilation finds on its way. */
interface Run {
  readonly issues: Issue[]
  /** How many levels of the filter stand above each other. */
  deepest: number
}

const capabilities: Capabilities = Object.freeze({
  kinds,
  types: literalTypes,
  features: Object.freeze(['unicode-case', 'other-forms', 'empty-objects'] as const),
  preconditions: Object.freeze([
    'no field holds a list where the schema has a scalar or an object, nor does an entry of a list of objects',
    'dates and datetimes are stored in the form that the options say: BSON dates at midnight UTC, canonical UTC text',
    'the collection and the query compare by the simple collation',
    'fields of text hold no regular expressions and no symbols; numbers are Decimal128 only where encode makes them so',
    'an encoded field holds what encode makes, one value for each operand and in their order, and without a type nothing else',
    'a lower field holds what simpleLowerCase makes of the text, and nothing where there is none',
  ]),
})

/**
 * Filters as query documents: plain objects for `find`, `countDocuments`, `$match`, and Mongoose.
 *
 * Give it the `schema` where filters do not come from `parseFilter` or `where` alone: a filter revived from a client's
 * JSON can ask for every field that the documents have.
 *
 * @returns a backend whose `compile` throws a FilterError: `backend_unsupported` for what MongoDB cannot be asked (text
 *   in a field that is not stored as text, patterns beyond 32,764 bytes, documents beyond 100 levels) and, with a
 *   schema, for a value that the field's type cannot have; `backend_unmapped`, with a schema, for a field that it lacks.
 * @throws TypeError that names the option which is unknown or cannot be; `compile`, when `encode` makes what is no scalar.
 * @example
 * const fields = { id: { name: '_id', encode: (text: string) => new ObjectId(text) } }
 * const { compile } = mongoBackend({ schema: orders, fields })
 * await db.collection('orders').find(compile(filter)).toArray()
 */
export function mongoBackend(options: MongoOptions = {}): Backend<MongoDocument> {
  const { dates, datetimes, fields, schema } = storageOf(options)
  const declared = new Map(Object.entries(fields).map(([path, field]) => [path, ownOf(field)]))
  const types: Readonly<Record<LiteralType, BsonType>> = {
    string: 'string',
    integer: 'number',
    number: 'number',
    boolean: 'bool',
    date: dates,
    datetime: datetimes,
  }

  /** The name that documents have for a path, seen from the entry of a list that it starts at. */
  const nameOf = (list: string, path: Path, last?: string): string => {
    if (declared.size === 0) return dotted('', path)
    const names = path.map((name, at) => declared.get(dotted(list, path.slice(0, at + 1)))?.name ?? name)
    return (last === undefined ? names : [...names.slice(0, -1), last]).join('.')
  }
  const fieldOf = (list: string, path: Path): MongoField =>
    (declared.size === 0 ? undefined : declared.get(dotted(list, path))) ?? asOthers
  /** The field beside it that a match looks into. Entries have none, and there is none that every text has in it. */
  const lowerOf = (list: string, leaf: Leaf): string | undefined =>
    leaf.kind === 'match' && leaf.path.length > 0 && leaf.text !== '' ? fieldOf(list, leaf.path).lower : undefined

  const refuse = ({ issues }: Run, node: Leaf | Some, why: string): undefined => {
    issues.push({
      code: 'backend_unsupported',
      message: `${node.path.join('.') || 'an entry'} ${why}`,
      ...spanOf(node),
    })
  }

  /** What a leaf says of the value; nothing where no value satisfies it. */
  const testOf = (run: Run, leaf: Leaf, list: string): Condition | undefined => {
    const literal = typeOf(leaf)
    if (literal === undefined) return undefined
    if (literal === 'object') return { $type: 'object' }
    const { type, encode, lower } = fieldOf(list, leaf.path)
    if (type !== undefined && encode === undefined && !holds[type]!.includes(literal)) {
      return refuse(run, leaf, `is stored as ${type}, which holds no ${literal}`)
    }
    const stored = type ?? (encode === undefined ? types[literal] : undefined)
    const valueOf = ({ value }: Literal): unknown => {
      if (encode === undefined) return stored === 'date' ? new Date(value as string) : value
      let made: unknown
      try {
        made = encode(value)
      } catch {
        return refuse(run, leaf, noForm)
      }
      return checkEncoded(made, leaf.path)
    }

    switch (leaf.kind) {
      case 'comparison': {
        const value = valueOf(leaf.operand)
        if (value !== undefined) return comparisons[leaf.operator](value)
        // No value is equal to what has no stored form, but some come before it.
        return leaf.operator === 'eq' ? undefined : refuse(run, leaf, noForm)
      }
      case 'membership': {
        const values = leaf.operands.map(valueOf).filter((value) => value !== undefined)
        if (values.length === 0) return undefined
        return values.length === 1 ? { $eq: values[0] } : { $in: values }
      }
      case 'match': {
        const isText = encode === undefined && stored === 'string'
        if (!isText && lower === undefined) return refuse(run, leaf, 'is not stored as text')
        // Every text has the empty one in it.
        if (leaf.text === '') return present(stored)
        const isLower = lowerOf(list, leaf) !== undefined
        if (!isText && !isLower) return refuse(run, leaf, 'is not stored as text')
        return matchOf(leaf, isLower) ?? refuse(run, leaf, tooLong)
      }
      case 'presence':
        return present(stored)
    }
  }

  /** The ways in which an entry that is no object satisfies a filter, or does not. */
  const alternativesOf = (run: Run, node: Filter, list: string, negated: boolean): readonly Alternative[] => {
    switch (node.kind) {
      case 'not':
        return alternativesOf(run, node.filter, list, !negated)
      case 'and':
      case 'or': {
        const members = node.filters.map((member) => alternativesOf(run, member, list, negated))
        return (node.kind === 'or') !== negated ? members.flat() : members.reduce(together, [[]])
      }
      case 'some':
        return negated ? [[]] : []
      default: {
        const test = node.path.length === 0 ? testOf(run, node, list) : undefined
        if (test === undefined) return negated ? [[]] : []
        const type = typeOf(node)!
        return negated ? denied(test, testOf(run, { kind: 'presence', path: node.path, type }, list)!) : [[test]]
      }
    }
  }

  const someOf = (run: Run, node: Some, list: string, negated: boolean, depth: number): Draft => {
    const name = nameOf(list, node.path)
    const inner = dotted(list, node.path)
    const parts: Draft[] = []
    const ofObjects = asksForFields(node.filter)
    if (ofObjects) {
      const entry = visit(run, node.filter, inner, false, depth + 1)
      if (entry !== FALSE) parts.push(on(name, { $elemMatch: entry === TRUE ? { $type: 'object' } : finished(entry) }))
    }
    const alternatives = alternativesOf(run, node.filter, inner, false)
    if (alternatives.length > maxAlternatives) {
      refuse(run, node, `is asked for an entry in more than ${maxAlternatives} ways`)
      return FALSE
    }
    for (const alternative of alternatives) {
      run.deepest = Math.max(run.deepest, depth + alternative.length)
      if (ofObjects && alternative.some(isOfObject)) continue
      const condition = entryCondition(ofObjects ? [...alternative, noObject] : alternative)
      if (isUnreadable(condition))
        refuse(run, node, 'is asked for an entry without line separators, in two ways at once')
      parts.push(on(name, { $elemMatch: condition }))
    }
    return negated ? all(parts.map(none)) : any(parts)
  }

  const visit = (run: Run, node: Filter, list: string, negated: boolean, depth: number): Draft => {
    run.deepest = Math.max(run.deepest, depth)
    switch (node.kind) {
      case 'and': {
        const draft = all(node.filters.map((member) => visit(run, member, list, false, depth + 1)))
        return negated ? none(draft) : draft
      }
      case 'or': {
        const drafts = node.filters.map((member) => visit(run, member, list, negated, depth + 1))
        return negated ? all(drafts) : any(drafts)
      }
      case 'not':
        return visit(run, node.filter, list, !negated, depth + 1)
      case 'some':
        return someOf(run, node, list, negated, depth)
      default: {
        // What has fields is an object: the document, or an entry of a list.
        if (node.path.length === 0) return constant((typeOf(node) === 'object' && node.kind === 'presence') !== negated)
        const test = testOf(run, node, list)
        if (test === undefined) return constant(negated)
        const draft = on(nameOf(list, node.path, lowerOf(list, node)), test)
        return negated ? none(draft) : draft
      }
    }
  }

  const compile = (filter: Filter): MongoDocument => {
    const checked = checkFilter(filter)
    if (schema !== undefined) throwIssues(schemaIssues(checked, schema))
    const run: Run = { issues: [], deepest: 0 }
    const draft = visit(run, checked, '', false, 1)
    // A level of a filter makes five of a document at most.
    if (run.deepest * 5 > maxLevels && isDeeper(draft, maxLevels)) {
      const message = `the filter makes a document of more than ${maxLevels} levels`
      run.issues.push({ code: 'backend_unsupported', message })
    }
    throwIssues(run.issues)
    if (draft === TRUE) return {}
    // MongoDB has no constant for false. Every document matches {}.
    return draft === FALSE ? { $nor: [{}] } : finished(draft)
  }

  return { name: 'mongo', capabilities, compile }
}

/** Whether objects and arrays nest deeper than some levels. */
function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (Object.getPrototypeOf(value) !== Object.prototype && !Array.isArray(value)) return false
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1))
}

/** That there is a value; what is encoded has a type of its own. */
const present = (stored: BsonType | undefined): Condition => (stored === undefined ? { $ne: null } : { $type: stored })

/** Of what is stored as it is, without `encode`. */
const texts: readonly LiteralType[] = ['string', 'date', 'datetime']
const holds: Readonly<Partial<Record<BsonType, readonly LiteralType[]>>> = { string: texts, date: texts.slice(1) }
