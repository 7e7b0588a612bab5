/**
 * Documents in the making: conditions on fields, and their groups. Only own properties count: look-ups are Maps, and
 * `at` reads no index that a list inherits.
 */

/** What `find`, `countDocuments` or `$match` take. Each is new, and the caller's own. */
export type MongoDocument = Record<string, any>

/** A document in the making: every field has its operators, `$eq` too. */
export type Draft = Record<string, any>
/** Operators on one field; all of them hold. */
export type Condition = Record<string, any>

/** By identity: they never get into a document. */
export const TRUE: Draft = Object.freeze({})
export const FALSE: Draft = Object.freeze({})
export const constant = (value: boolean): Draft => (value ? TRUE : FALSE)

const complements: ReadonlyMap<string, string> = new Map([
  ['$eq', '$ne'],
  ['$ne', '$eq'],
  ['$in', '$nin'],
])

/** Where a condition does not hold. */
export function complementOf(condition: Condition): Condition {
  const [first, second] = Object.keys(condition)
  if (first === '$not' && second === undefined) return condition.$not as Condition
  const complement = complements.get(first!)
  return second === undefined && complement !== undefined ? { [complement]: condition[first!] } : { $not: condition }
}

/** A condition on a field. */
export function on(name: string, condition: Condition): Draft {
  const draft: Draft = {}
  draft[name] = condition
  return draft
}

/** Brings a draft into its shortest form: `{ a: { $eq: 1 } }` is `{ a: 1 }`. */
export function finished(draft: Draft): MongoDocument {
  for (const key of Object.keys(draft)) {
    if (key.startsWith('$')) continue
    const condition = draft[key] as Condition
    if (Object.hasOwn(condition, '$eq') && Object.keys(condition).length === 1) draft[key] = condition.$eq
  }
  return draft
}

export const sharesKey = (a: object, b: object): boolean => Object.keys(b).some((key) => Object.hasOwn(a, key))

/** Two equal bounds, as the equality that they are. */
function withEquality(condition: Condition): Condition {
  const own = (operator: string) => Object.hasOwn(condition, operator)
  if (own('$eq') || !own('$gte') || !own('$lte') || condition.$gte !== condition.$lte) return condition
  const { $gte: $eq, $lte: _, ...others } = condition
  return { $eq: $eq as unknown, ...others }
}

const hasPattern = (condition: unknown): condition is Condition =>
  typeof condition === 'object' && condition !== null && Object.hasOwn(condition, '$regex')
const patternOf = (condition: Condition): RegExp =>
  new RegExp(condition.$regex as string, Object.hasOwn(condition, '$options') ? (condition.$options as string) : '')

/** The condition without patterns, for the values alone that match them; nothing where no value does. */
function tried(condition: Condition, values: readonly unknown[], patterns: readonly RegExp[]): Condition | undefined {
  const left = values.filter((value) => typeof value === 'string' && patterns.every((pattern) => pattern.test(value)))
  if (left.length === 0) return undefined
  const { $regex: _, $options: __, ...others } = condition
  if (Object.hasOwn(others, '$eq')) return others
  delete others.$in
  return left.length === 1 ? { $eq: left[0], ...others } : { $in: left, ...others }
}

/**
 * Tries the patterns of a field on the values that the field must equal. The document gets shorter, and DocumentDB 1.0 drops
 * a pattern beside an equality that an index serves.
 */
function settle(merged: Draft, rest: MongoDocument[], key: string): MongoDocument[] | undefined {
  const condition = withEquality(merged[key] as Condition)
  merged[key] = condition
  const own = (operator: string) => Object.hasOwn(condition, operator)
  const values = own('$eq') ? [condition.$eq as unknown] : own('$in') ? (condition.$in as unknown[]) : undefined
  if (values === undefined) return rest
  const isAside = (draft: MongoDocument) => Object.hasOwn(draft, key) && hasPattern(draft[key])
  const patterns = [condition, ...rest.filter(isAside).map((draft) => draft[key] as Condition)].filter(hasPattern)
  if (patterns.length === 0) return rest
  merged[key] = tried(condition, values, patterns.map(patternOf))
  return merged[key] === undefined ? undefined : rest.filter((draft) => !isAside(draft))
}

/** Where all of them hold. */
export function all(drafts: readonly Draft[]): Draft {
  if (drafts.includes(FALSE)) return FALSE
  const members = drafts.filter((draft) => draft !== TRUE)
  if (members.length < 2) return members.at(0) ?? TRUE
  const merged: Draft = {}
  const shared = new Set<string>()
  let rest: MongoDocument[] = []
  for (const draft of members) {
    for (const key of Object.keys(draft)) {
      if (key === '$and') for (const member of draft.$and) rest.push(member)
      else if (!Object.hasOwn(merged, key)) merged[key] = draft[key]
      else {
        if (!key.startsWith('$')) shared.add(key)
        if (key.startsWith('$') || sharesKey(merged[key], draft[key])) rest.push(finished({ [key]: draft[key] }))
        else Object.assign(merged[key], draft[key])
      }
    }
  }
  for (const key of shared) {
    const others = settle(merged, rest, key)
    if (others === undefined) return FALSE
    rest = others
  }
  if (rest.length > 0) merged.$and = rest
  return merged
}

/** Where at least one of them holds. */
export function any(drafts: readonly Draft[]): Draft {
  if (drafts.includes(TRUE)) return TRUE
  const members = drafts.filter((draft) => draft !== FALSE)
  return members.length < 2 ? (members.at(0) ?? FALSE) : { $or: members.map(finished) }
}

const orders: ReadonlySet<string> = new Set(['$gt', '$gte', '$lt', '$lte'])
const isOrder = (condition: Condition): boolean => {
  const [first, second] = Object.keys(condition)
  return second === undefined && orders.has(first!)
}

/**
 * Where it does not hold. MongoDB reads `$nor` of one condition as its `$not` and serves it by an index, so `all` keeps each
 * apart; DocumentDB 1.0 loses `{}` when an index serves `$not` with an order.
 */
export function none(draft: Draft): Draft {
  if (draft === TRUE || draft === FALSE) return constant(draft === FALSE)
  const [key, second] = Object.keys(draft)
  return second === undefined && !key!.startsWith('$') && !isOrder(draft[key!] as Condition)
    ? { [key!]: complementOf(draft[key!]) }
    : { $nor: [finished(draft)] }
}
