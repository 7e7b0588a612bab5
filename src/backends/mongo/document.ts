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

/** Where all of them hold. */
export function all(drafts: readonly Draft[]): Draft {
  if (drafts.includes(FALSE)) return FALSE
  const members = drafts.filter((draft) => draft !== TRUE)
  if (members.length < 2) return members.at(0) ?? TRUE
  const merged: Draft = {}
  const rest: MongoDocument[] = []
  for (const draft of members) {
    for (const key of Object.keys(draft)) {
      if (key === '$and') for (const member of draft.$and) rest.push(member)
      else if (!Object.hasOwn(merged, key)) merged[key] = draft[key]
      else if (key === '$nor') for (const member of draft.$nor) merged.$nor.push(member)
      else if (key === '$or' || sharesKey(merged[key], draft[key])) rest.push(finished({ [key]: draft[key] }))
      else Object.assign(merged[key], draft[key])
    }
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

/** Where it does not hold. */
export function none(draft: Draft): Draft {
  if (draft === TRUE || draft === FALSE) return constant(draft === FALSE)
  const [key, second] = Object.keys(draft)
  return second === undefined && !key!.startsWith('$')
    ? { [key!]: complementOf(draft[key!]) }
    : { $nor: [finished(draft)] }
}
