/** Conditions as operators: what a filter says of one value, by how the value is stored. One function for each kind. */
import type {
  Comparison,
  ComparisonOperator,
  Literal,
  LiteralType,
  Match,
  Membership,
  Path,
  Presence,
  Some,
} from '../../ast/index.ts'
import type { Issue } from '../../issue/index.ts'
import { spanOf, typeOf, type Condition } from '../issues.ts'
import type { Dependence, Operators } from './document.ts'
import { checkEncoded, fieldOf, type BsonType, type Storage, type Stored } from './options.ts'
import { matchOf } from './pattern.ts'
import { otherForm, slotFor, type Reader, type Source } from './plan.ts'

/** What the functions of the kinds need to know. */
export interface Context {
  readonly storage: Storage
  readonly findings: Findings
  /** The dotted path of the list whose entry paths start at; '' for the document. */
  readonly list: string
}

/** What is found on the way. */
export interface Findings extends Dependence {
  /** What is refused. */
  readonly issues: Issue[]
  /** How many levels of the filter nest. */
  deepest: number
  /** Given where a plan is made: the document has slots in place of operands. */
  readonly sources: Source[] | undefined
}
export const newFindings = (sources?: Source[]): Findings => ({
  issues: [],
  deepest: 0,
  unequal: [],
  isByValue: false,
  sources,
})

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

/** An operand as the document has it: a value, or a slot for it where a plan is made. */
const written = <C extends Condition>(context: Context, condition: C, value: unknown, read: Reader<C>): unknown =>
  context.findings.sources === undefined ? value : slotFor(context.findings.sources, condition, value, read)

function comparison(context: Context, condition: Comparison): Operators | undefined {
  const { operator, operand } = condition
  const stored = storedAs(context, condition, operand.type)
  if (stored === undefined) return undefined
  const read = ({ operand, path }: Comparison) => encoded(stored, operand, path)
  const value = read(condition)
  if (value === otherForm) return refuse(context, condition, noForm)
  const given = written(context, condition, value, read)
  if (given !== undefined) return comparisons[operator](given)
  // Nothing is equal to an operand without a stored form, but nobody can tell what comes before or after it.
  return operator === 'eq' ? undefined : refuse(context, condition, noForm)
}

function membership(context: Context, condition: Membership): Operators | undefined {
  const type = typeOf(condition)
  const stored = type && storedAs(context, condition, type as LiteralType)
  if (stored === undefined) return undefined
  const valuesOf = ({ operands, path }: Membership) =>
    operands.map((operand) => encoded(stored, operand, path)).filter((value) => value !== undefined)
  const values = valuesOf(condition)
  for (const value of values) if (value === otherForm) refuse(context, condition, noForm)
  if (values.length > 1) {
    const read = (other: Membership) => {
      const all = valuesOf(other)
      return all.length > 1 && !all.includes(otherForm) ? all : otherForm
    }
    return { $in: written(context, condition, values, read) }
  }
  const $eq = written(context, condition, values.at(0), (other) => {
    const all = valuesOf(other)
    return all.length < 2 ? all.at(0) : otherForm
  })
  return $eq === undefined ? undefined : { $eq }
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
  if (isEmpty) {
    written(context, condition, '', ({ text }) => (text === '' ? text : otherForm))
    return present(stored.type)
  }
  const operators = matchOf(condition, isLower)
  if (operators === undefined) return refuse(context, condition, 'is asked for a text that is too long for a pattern')
  const hasOptions = Object.hasOwn(operators, '$options')
  const $regex = written(context, condition, operators.$regex, (other) => {
    const others = other.text === '' ? undefined : matchOf(other, isLower)
    return others !== undefined && Object.hasOwn(others, '$options') === hasOptions ? others.$regex : otherForm
  })
  return { ...operators, $regex }
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

/** An operand as it is stored; `undefined` where no document has such a value, `otherForm` where `encode` throws. */
function encoded({ encode, type }: Stored, { value }: Literal, path: Path): unknown {
  if (encode === undefined) return type === 'date' ? new Date(value as string) : value
  let made: unknown
  try {
    made = encode(value)
  } catch {
    return otherForm
  }
  return checkEncoded(made, path)
}
