/** Query documents in the making: operators on fields, and their groups. */

// Own properties only: tables are Maps, and `at` reads no index that a list inherits.

/** What `find`, `countDocuments` or `$match` take. Each is new, and the caller's own. */
export type MongoDocument = Record<string, any>

/** A document in the making, or the constant that it is. Every field has its operators, `$eq` too. */
export type Draft = boolean | MongoDocument

/** Operators on one field; all of them hold. */
export type Operators = Record<string, any>

/** How a document depends on operands, other than by what each condition becomes. */
export interface Dependence {
  /** Bounds that would be an equality if they were the same. */
  readonly unequal: (readonly [unknown, unknown])[]
  /** Whether operands were compared, tried or taken apart. */
  isByValue: boolean
}

export const has = (document: object, key: string): boolean => Object.hasOwn(document, key)
/** The key of an object that has one alone. */
function onlyKey(document: object): string | undefined {
  const keys = Object.keys(document)
  return keys.length === 1 ? keys[0] : undefined
}
const isOperator = (key: string): boolean => key.startsWith('$')

/** Operators on a field. */
export function on(name: string, operators: Operators): MongoDocument {
  const document: MongoDocument = {}
  document[name] = operators
  return document
}

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

/** Drafts that are joined: one of them may decide, and the opposite constant says nothing. */
function joined(drafts: readonly Draft[], decisive: boolean, join: (members: MongoDocument[]) => Draft): Draft {
  if (drafts.includes(decisive)) return decisive
  const members = drafts.filter((draft) => typeof draft !== 'boolean')
  return members.length < 2 ? (members.at(0) ?? !decisive) : join(members)
}

/** Where at least one of them holds. */
export const anyOf = (drafts: readonly Draft[]): Draft =>
  joined(drafts, true, (members) => ({ $or: members.map(finished) }))

/** Where all of them hold. */
export const allOf = (drafts: readonly Draft[], dependence: Dependence): Draft =>
  joined(drafts, false, (members) => merge(members, dependence))

/** One document, with the operators of a field side by side where they can be. */
function merge(members: readonly MongoDocument[], dependence: Dependence): Draft {
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
    const left = withoutPatterns(merged, others, key, dependence)
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
function withoutPatterns(
  merged: MongoDocument,
  others: MongoDocument[],
  key: string,
  dependence: Dependence,
): MongoDocument[] | undefined {
  const operators = withEquality(merged[key] as Operators, dependence)
  merged[key] = operators
  const values = valuesOf(operators)
  if (values === undefined) return others
  const hasPatternOnKey = (other: MongoDocument) => has(other, key) && hasPattern(other[key])
  const patterns = [operators, ...others.filter(hasPatternOnKey).map((other) => other[key] as Operators)]
    .filter(hasPattern)
    .map(expressionOf)
  if (patterns.length === 0) return others
  dependence.isByValue = true
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
function withEquality(operators: Operators, dependence: Dependence): Operators {
  if (!has(operators, '$gte') || !has(operators, '$lte') || has(operators, '$eq')) return operators
  dependence.unequal.push([operators.$gte, operators.$lte])
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

/** Where the draft does not hold. */
export function noneOf(draft: Draft): Draft {
  if (typeof draft === 'boolean') return !draft
  const key = onlyKey(draft)
  // DocumentDB 1.0 loses `{}` when an index serves a $not with an order, so an order has a $nor of its own. MongoDB reads
  // a $nor of one condition as its $not, and serves it by an index.
  if (key === undefined || isOperator(key) || isOrder(onlyKey(draft[key]))) return { $nor: [finished(draft)] }
  return { [key]: complementOf(draft[key]) }
}

/** The operators that say the opposite of a value; for orders, of a value of the same type alone. */
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

/** What holds for a field where the operators do not. */
export function complementOf(operators: Operators): Operators {
  const key = onlyKey(operators)
  if (key === '$not') return operators.$not as Operators
  if (key === undefined || isOrder(key) || !has(opposites, key)) return { $not: operators }
  return { [opposites[key]!]: operators[key] }
}
