/** Conditions as operators: what a filter says of one value, by how the value is stored. One function for each kind. */
import type {
  Comparison,
  ComparisonOperator,
  Literal,
  LiteralType,
  Match,
  Membership,
  Presence,
  Some,
} from '../../ast/index.ts'
import type { Issue } from '../../issue/index.ts'
import { spanOf, typeOf, type Condition } from '../issues.ts'
import type { Operators } from './document.ts'
import { checkEncoded, fieldOf, type BsonType, type Storage, type Stored } from './options.ts'
import { matchOf } from './pattern.ts'

/** What the functions of the kinds need to know. */
export interface Context {
  readonly storage: Storage
  readonly findings: Findings
  /** The dotted path of the list whose entry paths start at; '' for the document. */
  readonly list: string
}

/** What is found on the way. */
export interface Findings {
  /** What is refused. */
  readonly issues: Issue[]
  /** How many levels of the filter nest. */
  deepest: number
}

/** What is emitted in place of a refused filter is never seen. */
export function refuse({ findings }: Context, filter: Condition | Some, why: string): undefined {
  findings.issues.push({
    code: 'backend_unsupported',
    message: `${filter.path.join('.') || 'an entry'} ${why}`,
    ...spanOf(filter),
  })
}

/** The operators that a condition becomes; `undefined` where no value satisfies it, or it is refused. */
export function operatorsOf(context: Context, condition: Condition): Operators | undefined {
  switch (condition.kind) {
    case 'comparison':
      return comparison(context, condition)
    case 'membership':
      return membership(context, condition)
    case 'match':
      return match(context, condition)
    case 'presence':
      return presence(context, condition)
  }
}

/** An object with its key is made faster than one that gets the key by name. */
const comparisons: { readonly [O in ComparisonOperator]: (value: unknown) => Operators } = {
  eq: ($eq) => ({ $eq }),
  gt: ($gt) => ({ $gt }),
  gte: ($gte) => ({ $gte }),
  lt: ($lt) => ({ $lt }),
  lte: ($lte) => ({ $lte }),
}

function comparison(context: Context, condition: Comparison): Operators | undefined {
  const { operator, operand } = condition
  const stored = storedAs(context, condition, operand.type)
  if (stored === undefined) return undefined
  const value = encoded(context, condition, stored, operand)
  if (value !== undefined) return comparisons[operator](value)
  // Nothing is equal to an operand without a stored form, but nobody can tell what comes before or after it.
  return operator === 'eq' ? undefined : refuse(context, condition, noForm)
}

function membership(context: Context, condition: Membership): Operators | undefined {
  const type = typeOf(condition)
  const stored = type && storedAs(context, condition, type as LiteralType)
  if (stored === undefined) return undefined
  const values = condition.operands
    .map((operand) => encoded(context, condition, stored, operand))
    .filter((value) => value !== undefined)
  if (values.length === 0) return undefined
  return values.length === 1 ? { $eq: values[0] } : { $in: values }
}

function match(context: Context, condition: Match): Operators | undefined {
  const stored = storedAs(context, condition, 'string')
  if (stored === undefined) return undefined
  const isText = stored.encode === undefined && stored.type === 'string'
  const isLower = lowerOf(context, condition) !== undefined
  // Every text contains the empty one: a field of lower-cased text is enough to say that there are texts.
  const isEmpty = condition.text === ''
  if (!isText && !(isEmpty ? stored.lower !== undefined : isLower)) {
    return refuse(context, condition, 'is not stored as text')
  }
  if (isEmpty) return present(stored.type)
  return matchOf(condition, isLower) ?? refuse(context, condition, 'is asked for a text that is too long for a pattern')
}

function presence(context: Context, condition: Presence): Operators | undefined {
  if (condition.type === 'object') return { $type: 'object' }
  const stored = storedAs(context, condition, condition.type)
  return stored && present(stored.type)
}

/** That there is a value. What is encoded may have any type. */
const present = (type: BsonType | undefined): Operators => (type === undefined ? { $ne: null } : { $type: type })

/** The field beside a text that has it lower-cased. Entries have none, and the empty text needs none. */
export function lowerOf({ storage, list }: Context, condition: Condition): string | undefined {
  if (condition.kind !== 'match' || condition.path.length === 0 || condition.text === '') return undefined
  return fieldOf(storage, list, condition.path)?.lower
}

// --- Stored values

const texts: readonly LiteralType[] = ['string', 'date', 'datetime']
/** The literals that a declared type holds without `encode`. */
const holds: Readonly<Partial<Record<BsonType, readonly LiteralType[]>>> = {
  string: texts,
  date: ['date', 'datetime'],
}

/** How the field of a condition stores such literals; `undefined` where it is refused. */
function storedAs(context: Context, condition: Condition, literal: LiteralType): Stored | undefined {
  const { storage, list } = context
  const unnamed = storage.unnamed[literal]
  const field = fieldOf(storage, list, condition.path)
  if (field === undefined) return unnamed
  const { type, encode, lower } = field
  if (type !== undefined && encode === undefined && !holds[type]!.includes(literal)) {
    return refuse(context, condition, `is stored as ${type}, which holds no ${literal}`)
  }
  return { type: type ?? (encode === undefined ? unnamed.type : undefined), encode, lower }
}

const noForm = 'has no stored form for the operand'

/** The operand as it is stored; `undefined` where no document has such a value, or it is refused. */
function encoded(context: Context, condition: Condition, stored: Stored, { value }: Literal): unknown {
  if (stored.encode === undefined) return stored.type === 'date' ? new Date(value as string) : value
  let made: unknown
  try {
    made = stored.encode(value)
  } catch {
    return refuse(context, condition, noForm)
  }
  return checkEncoded(made, condition.path)
}
