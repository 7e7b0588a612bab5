/** Conditions as operators on a stored field: one function for each kind. */
import {
  isExact,
  isFolded,
  type Comparison,
  type ComparisonOperator,
  type Literal,
  type LiteralType,
  type Match,
  type Membership,
  type Path,
  type Some,
} from '../../tree/index.ts'
import type { Issue } from '../../issue/index.ts'
import { fittedMoment, type Fitted } from '../fitting.ts'
import { ofServer, refusal, typeOf, type Condition } from '../issues.ts'
import { asEquality } from '../shape.ts'
import type { Operators } from './document.ts'
import { simpleLowerCase } from '../../values/case.ts'
import { checkEncoded, fieldOf, isDate, type BsonType, type Storage, type Stored } from './options.ts'
import { matchOf } from './pattern.ts'

/** The start of the paths of a filter, and its storage. */
export interface Scope {
  readonly storage: Storage
  /** The dotted path of the list whose entry paths start at; '' for the document. */
  readonly list: string
  /** The issues of the filter. A filter with an issue still becomes some operators, which no caller receives. */
  readonly issues: Issue[]
}

/** Adds an issue for a condition that MongoDB cannot run because of its operand. */
export function addRefusal({ issues }: Scope, filter: Condition | Some, why: string): undefined {
  issues.push(refusal(messageOf(filter, why), filter, subjectOf(filter)))
}
/** Adds an issue for a condition that the mapping of the field excludes. */
function addUnsupported({ issues }: Scope, filter: Condition, why: string): undefined {
  const parameters = { problem: 'storage', field: subjectOf(filter) }
  issues.push(ofServer('backend_unsupported', messageOf(filter, why), filter, parameters))
}
const subjectOf = ({ path }: Condition | Some): string => path.join('.') || 'an entry'
const messageOf = (filter: Condition | Some, why: string): string => `${subjectOf(filter)} ${why}`

/** The operators that a condition becomes; `undefined` where no value satisfies it, or it has an issue. */
export function operatorsOf(scope: Scope, filter: Condition): Operators | undefined {
  const condition = asEquality(filter)
  const type = typeOf(condition)
  if (type === 'object') return { $type: type }
  if (type === 'json') return { $type: valueTypes }
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

/** The types of BSON but null. A list matches as `array`, whatever it contains. */
const valueTypes = ['number', 'string', 'object', 'array', 'bool', 'date', 'objectId', 'binData', 'timestamp', 'regex']

function comparison(scope: Scope, condition: Comparison, stored: Stored): Operators | undefined {
  const { operator: asked, operand } = condition
  if (isFolded(asked)) {
    if (lowerOf(scope, condition) === undefined) return addUnsupported(scope, condition, 'is not stored in lower case')
    return { [`$${asked.replace('IgnoreCase', '')}`]: simpleLowerCase(operand.value as string) }
  }
  const fitted = fittedTo(stored, asked, operand)
  if (typeof fitted === 'boolean') return fitted ? present(stored.type) : undefined
  const { operator } = fitted
  const value = encoded(stored, fitted.value, condition.path)
  if (value !== undefined && value !== unencodable) return { [`$${operator}`]: value }
  // Nothing is equal to an operand without a stored form, but nobody can tell what comes before or after it.
  return operator === 'eq' && value === undefined ? undefined : addRefusal(scope, condition, noForm)
}

function membership(scope: Scope, condition: Membership, stored: Stored): Operators | undefined {
  const values = condition.operands
    .map((operand) => fittedTo(stored, 'eq', operand))
    .map((fitted) => (typeof fitted === 'boolean' ? undefined : encoded(stored, fitted.value, condition.path)))
    .filter((value) => value !== undefined)
  for (const value of values) if (value === unencodable) addRefusal(scope, condition, noForm)
  if (values.length === 0) return undefined
  return values.length > 1 ? { $in: values } : { $eq: values[0] }
}

function match(scope: Scope, condition: Match, stored: Stored): Operators | undefined {
  const isText = stored.encode === undefined && stored.type === 'string'
  const isLower = lowerOf(scope, condition) !== undefined
  const isAny = isAnyText(condition)
  if (!isText && !(isAny ? stored.lower !== undefined : isLower)) {
    return addUnsupported(scope, condition, 'is not stored as text')
  }
  if (isAny) return present(stored.type)
  return (
    matchOf(condition, isLower) ?? addRefusal(scope, condition, 'searches for a text that is too long for a pattern')
  )
}

/** A value is present. An encoded one may have any type. */
const present = (type: BsonType | undefined): Operators => (type === undefined ? { $ne: null } : { $type: type })

/** Every text contains the empty one: a field of lower-cased text is enough to show that there are texts. */
const isAnyText = ({ mode, text }: Match): boolean => text === '' && mode !== 'whole'

/** Whether a condition reads a text in lower case. The empty text, and matches that compare case, do not need it. */
const ignoresCase = (condition: Condition): boolean =>
  condition.kind === 'match'
    ? !isAnyText(condition) && !isExact(condition.mode)
    : condition.kind === 'comparison' && isFolded(condition.operator)

/** The name of the field with the lower-cased text that a condition reads. Entries lack it. */
export const lowerOf = ({ storage, list }: Scope, condition: Condition): string | undefined =>
  condition.path.length > 0 && ignoresCase(condition) ? fieldOf(storage, list, condition.path).lower : undefined

// --- Stored values

/** The literals that a field of texts or of dates stores without `encode`. */
const held: Readonly<Partial<Record<BsonType, readonly LiteralType[]>>> = {
  string: ['string', 'uuid', 'date', 'datetime', 'time'],
  date: ['date', 'datetime'],
}

/** How the field of a condition stores literals of this type; `undefined` where it stores none. */
function storedAs(scope: Scope, condition: Condition, literal: LiteralType): Stored | undefined {
  const { type, encode, lower } = fieldOf(scope.storage, scope.list, condition.path)
  if (encode !== undefined) return { type, encode, lower }
  if (type !== undefined && !held[type]!.includes(literal)) {
    return addUnsupported(scope, condition, `is stored as ${type}, which holds no ${literal}`)
  }
  // The driver's class for exact decimals is not imported here.
  if (literal === 'decimal') {
    return addUnsupported(
      scope,
      condition,
      "is a decimal: give its field an encode, such as Decimal128.fromString, and type: 'decimal'",
    )
  }
  return { type: type ?? scope.storage.types[literal], encode, lower }
}

const noForm = 'has no stored form for the operand'
/** In place of an operand for which `encode` throws. */
const unencodable = /* @__PURE__ */ Symbol('unencodable')

/** Dates are stored to the millisecond, and so are texts of moments that the options do not encode. */
const fittedTo = ({ encode, type }: Stored, operator: ComparisonOperator, operand: Literal): Fitted<Literal> => {
  if (operand.type !== 'datetime' || (encode !== undefined && type !== 'date')) return { operator, value: operand }
  const fitted = fittedMoment(operator, operand.value)
  return typeof fitted === 'boolean' ? fitted : { ...fitted, value: { ...operand, value: fitted.value } }
}

/** An operand as documents store it; `undefined` where no document can store it. */
export function encoded({ encode, type }: Stored, operand: Literal, path: Path): unknown {
  const { value } = operand
  if (encode === undefined) {
    if (type === 'date') return new Date(value as string)
    return operand.type === 'bigint' ? BigInt(operand.value) : value
  }
  let made: unknown
  try {
    made = encode(value)
  } catch {
    return unencodable
  }
  // A Date has lost the microseconds of its text, so no Date is that moment.
  return operand.type === 'datetime' && isDate(made) && !isWhole(operand.value) ? undefined : checkEncoded(made, path)
}
/** Whether a moment is one of whole milliseconds. */
const isWhole = (text: string): boolean => fittedMoment('eq', text) !== false
