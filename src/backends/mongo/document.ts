/** Query documents in the making: operators on fields, and their groups. */

/** A query document, for `find`, `countDocuments` or `$match`. Each is new: the caller may change it. */
export type MongoDocument = Record<string, any>

/** A document in the making, or the constant that it is. Every field has its operators, `$eq` too. */
export type Draft = boolean | MongoDocument

/** Operators on one field, joined by `and`. */
export type Operators = Record<string, any>

export const has = (document: object, key: string): boolean => Object.hasOwn(document, key)
/** The key of an object that has one alone. */
function onlyKey(document: object): string | undefined {
  const keys = Object.keys(document)
  return keys.length === 1 ? keys[0] : undefined
}
const isOperator = (key: string): boolean => key.startsWith('$')

/** Operators on a field. */
export const on = (name: string, operators: Operators): MongoDocument => ({ [name]: operators })

/** The document in its shortest form: `{ a: { $eq: 1 } }` is `{ a: 1 }`. Changes the one that it is given. */
export function finished(document: MongoDocument): MongoDocument {
  for (const key of Object.keys(document)) {
    if (isOperator(key)) continue
    const operators = document[key] as Operators
    if (onlyKey(operators) === '$eq') document[key] = operators.$eq
  }
  return document
}

// --- Groups

/** Joins drafts: one that is `decisive` decides, and the opposite constant changes nothing. */
function joined(drafts: readonly Draft[], decisive: boolean, join: (members: MongoDocument[]) => Draft): Draft {
  if (drafts.includes(decisive)) return decisive
  const members = drafts.filter((draft) => typeof draft !== 'boolean')
  return members.length < 2 ? (members.at(0) ?? !decisive) : join(members)
}

export const anyOf = (drafts: readonly Draft[]): Draft =>
  joined(drafts, true, (members) => ({ $or: members.map(finished) }))

export const allOf = (drafts: readonly Draft[]): Draft => joined(drafts, false, merge)

/** One document, with the operators of a field side by side where they can be. */
function merge(members: readonly MongoDocument[]): Draft {
  const merged: MongoDocument = {}
  const shared = new Set<string>()
  let others: MongoDocument[] = []
  for (const member of members) {
    for (const key of Object.keys(member)) {
      if (key === '$and') for (const inner of member.$and) others.push(inner)
      else if (!has(merged, key)) merged[key] = member[key]
      else {
        if (!isOperator(key)) shared.add(key)
        if (isOperator(key) || sharesKey(merged[key], member[key])) others.push(finished({ [key]: member[key] }))
        else Object.assign(merged[key], member[key])
      }
    }
  }
  for (const key of shared) {
    const left = withoutPatterns(merged, others, key)
    if (left === undefined) return false
    others = left
  }
  if (others.length > 0) merged.$and = others
  return merged
}

/** Whether two objects have a key in common. */
export const sharesKey = (a: object, b: object): boolean => Object.keys(b).some((key) => has(a, key))

/**
 * Tries the patterns on a field with the values that the field must equal, and keeps the values that match. The document
 * gets shorter; and DocumentDB 1.0 drops a pattern beside an equality that an index serves.
 *
 * @returns the other documents, without those patterns; `undefined` where no value is left.
 */
function withoutPatterns(merged: MongoDocument, others: MongoDocument[], key: string): MongoDocument[] | undefined {
  const operators = withEquality(merged[key] as Operators)
  merged[key] = operators
  const values = valuesOf(operators)
  if (values === undefined) return others
  const hasPatternOnKey = (other: MongoDocument) => has(other, key) && hasPattern(other[key])
  const patterns = [operators, ...others.filter(hasPatternOnKey).map((other) => other[key] as Operators)]
    .filter(hasPattern)
    .map(expressionOf)
  if (patterns.length === 0) return others
  const matching = values.filter(
    (value) => typeof value === 'string' && patterns.every((pattern) => pattern.test(value)),
  )
  if (matching.length === 0) return undefined
  const { $regex: _, $options: __, ...left } = operators
  if (!has(left, '$eq')) delete left.$in
  merged[key] = has(left, '$eq')
    ? left
    : matching.length === 1
      ? { $eq: matching[0], ...left }
      : { $in: matching, ...left }
  return others.filter((other) => !hasPatternOnKey(other))
}

/** Two equal bounds, as the equality that they are. */
function withEquality(operators: Operators): Operators {
  if (!has(operators, '$gte') || !has(operators, '$lte') || has(operators, '$eq')) return operators
  if (operators.$gte !== operators.$lte) return operators
  const { $gte: $eq, $lte: _, ...others } = operators
  return { $eq: $eq as unknown, ...others }
}

/** The values of which the field must equal one; `undefined` where it need not. */
function valuesOf(operators: Operators): readonly unknown[] | undefined {
  if (has(operators, '$eq')) return [operators.$eq]
  return has(operators, '$in') ? (operators.$in as unknown[]) : undefined
}

const hasPattern = (operators: unknown): operators is Operators =>
  typeof operators === 'object' && operators !== null && has(operators, '$regex')

/** A pattern as a regular expression. */
export const expressionOf = (operators: Operators): RegExp =>
  new RegExp(operators.$regex as string, has(operators, '$options') ? (operators.$options as string) : '')

// --- Complements

/** Every document that the draft does not select. */
export function noneOf(draft: Draft): Draft {
  if (typeof draft === 'boolean') return !draft
  const key = onlyKey(draft)
  // DocumentDB 1.0 loses `{}` when an index serves a $not with an order, so an order has a $nor of its own. MongoDB reads
  // a $nor of one condition as its $not, and serves it by an index.
  if (key === undefined || isOperator(key) || isOrder(onlyKey(draft[key]))) return { $nor: [finished(draft)] }
  return { [key]: complementOf(draft[key]) }
}

/** The complement of each operator; of an order, only among values of the operand's type. */
export const opposites: Readonly<Record<string, string>> = {
  $eq: '$ne',
  $ne: '$eq',
  $in: '$nin',
  $gt: '$lte',
  $gte: '$lt',
  $lt: '$gte',
  $lte: '$gt',
}
/** Whether it is `$gt`, `$gte`, `$lt` or `$lte`. */
export const isOrder = (operator = ''): boolean => /^\$[gl]/.test(operator)

/** The operators for every value that these do not select. */
export function complementOf(operators: Operators): Operators {
  const key = onlyKey(operators)
  if (key === '$not') return operators.$not as Operators
  if (key === undefined || isOrder(key) || !has(opposites, key)) return { $not: operators }
  return { [opposites[key]!]: operators[key] }
}
