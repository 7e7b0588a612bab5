/** Conditions as operators on a stored field: one function for each kind. */
import type { Comparison, Literal, LiteralType, Match, Membership, Path, Some } from '../../ast/index.ts'
import type { Issue } from '../../issue/index.ts'
import { ofServer, refusal, typeOf, type Condition } from '../issues.ts'
import type { Operators } from './document.ts'
import { checkEncoded, fieldOf, type BsonType, type Storage, type Stored } from './options.ts'
import { matchOf } from './pattern.ts'

/** Where the paths of a filter start, and what is found there. */
export interface Scope {
  readonly storage: Storage
  /** The dotted path of the list whose entry paths start at; '' for the document. */
  readonly list: string
  /** What cannot be emitted. A filter with an issue still becomes some operators, which nobody sees. */
  readonly issues: Issue[]
}

/** Adds an issue for what MongoDB cannot run because of an operand. */
export function addRefusal({ issues }: Scope, filter: Condition | Some, why: string): undefined {
  issues.push(refusal(messageOf(filter, why), filter, subjectOf(filter)))
}
/** Adds an issue for what no condition on the field can have: the mapping is at fault. */
function addUnsupported({ issues }: Scope, filter: Condition, why: string): undefined {
  const parameters = { problem: 'storage', field: subjectOf(filter) }
  issues.push(ofServer('backend_unsupported', messageOf(filter, why), filter, parameters))
}
const subjectOf = ({ path }: Condition | Some): string => path.join('.') || 'an entry'
const messageOf = (filter: Condition | Some, why: string): string => `${subjectOf(filter)} ${why}`

/** The operators that a condition becomes; `undefined` where no value satisfies it, or it has an issue. */
export function operatorsOf(scope: Scope, condition: Condition): Operators | undefined {
  const type = typeOf(condition)
  if (type === 'object') return { $type: type }
  const stored = type && storedAs(scope, condition, type)
  if (stored === undefined) return undefined
  switch (condition.kind) {
    case 'comparison':
      return comparison(scope, condition, stored)
    case 'membership':
      return membership(scope, condition, stored)
    case 'match':
      return match(scope, condition, stored)
    case 'presence':
      return present(stored.type)
  }
}

function comparison(scope: Scope, condition: Comparison, stored: Stored): Operators | undefined {
  const { operator, operand, path } = condition
  const value = encoded(stored, operand, path)
  if (value !== undefined && value !== unencodable) return { [`$${operator}`]: value }
  // Nothing is equal to an operand without a stored form, but nobody can tell what comes before or after it.
  return operator === 'eq' && value === undefined ? undefined : addRefusal(scope, condition, noForm)
}

function membership(scope: Scope, condition: Membership, stored: Stored): Operators | undefined {
  const values = condition.operands
    .map((operand) => encoded(stored, operand, condition.path))
    .filter((value) => value !== undefined)
  for (const value of values) if (value === unencodable) addRefusal(scope, condition, noForm)
  if (values.length === 0) return undefined
  return values.length > 1 ? { $in: values } : { $eq: values[0] }
}

function match(scope: Scope, condition: Match, stored: Stored): Operators | undefined {
  const isText = stored.encode === undefined && stored.type === 'string'
  const isLower = lowerOf(scope, condition) !== undefined
  // Every text contains the empty one: a field of lower-cased text is enough to show that there are texts.
  const isEmpty = condition.text === ''
  if (!isText && !(isEmpty ? stored.lower !== undefined : isLower)) {
    return addUnsupported(scope, condition, 'is not stored as text')
  }
  if (isEmpty) return present(stored.type)
  return (
    matchOf(condition, isLower) ?? addRefusal(scope, condition, 'is asked for a text that is too long for a pattern')
  )
}

/** A value is present. An encoded one may have any type. */
const present = (type: BsonType | undefined): Operators => (type === undefined ? { $ne: null } : { $type: type })

/** The field beside a text that has it lower-cased. Entries have none, and the empty text needs none. */
export function lowerOf({ storage, list }: Scope, condition: Condition): string | undefined {
  if (condition.kind !== 'match' || condition.path.length === 0 || condition.text === '') return undefined
  return fieldOf(storage, list, condition.path).lower
}

// --- Stored values

/** How the field of a condition stores literals of this type; `undefined` where it stores none. */
function storedAs(scope: Scope, condition: Condition, literal: LiteralType): Stored | undefined {
  const { type, encode, lower } = fieldOf(scope.storage, scope.list, condition.path)
  // Without `encode`, a field of texts or of dates also stores days and moments.
  if (type !== undefined && encode === undefined && type !== literal && !literal.startsWith('date')) {
    return addUnsupported(scope, condition, `is stored as ${type}, which holds no ${literal}`)
  }
  return { type: type ?? (encode === undefined ? scope.storage.types[literal] : undefined), encode, lower }
}

const noForm = 'has no stored form for the operand'
/** In place of an operand for which `encode` throws. */
const unencodable = /* @__PURE__ */ Symbol('unencodable')

/** An operand as documents store it; `undefined` where no document can store it. */
function encoded({ encode, type }: Stored, { value }: Literal, path: Path): unknown {
  if (encode === undefined) return type === 'date' ? new Date(value as string) : value
  let made: unknown
  try {
    made = encode(value)
  } catch {
    return unencodable
  }
  return checkEncoded(made, path)
}
