/** Conditions as operators: what a filter says of one value, by how the value is stored. One function for each kind. */
import type {
  Comparison,
  ComparisonOperator,
  Literal,
  LiteralType,
  Match,
  Membership,
  Path,
  Some,
} from '../../ast/index.ts'
import type { Issue } from '../../issue/index.ts'
import { refusal, spanOf, typeOf, type Condition } from '../issues.ts'
import type { Dependence, Operators } from './document.ts'
import { checkEncoded, fieldOf, noOptions, type BsonType, type Storage, type Stored } from './options.ts'
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
  findings.issues.push(refusal(messageOf(filter, why), filter))
}
/** The same for what no condition on the field can have: the mapping is at fault. */
function unsupported({ findings }: Context, filter: Condition, why: string): undefined {
  findings.issues.push({
    code: 'backend_unsupported',
    fault: 'server',
    message: messageOf(filter, why),
    ...spanOf(filter),
  })
}
const messageOf = ({ path }: Condition | Some, why: string): string => `${path.join('.') || 'an entry'} ${why}`

/** The operators that a condition becomes; `undefined` where no value satisfies it, or it is refused. */
export function operatorsOf(context: Context, condition: Condition): Operators | undefined {
  const type = typeOf(condition)
  if (type === 'object') return { $type: type }
  const stored = type && storedAs(context, condition, type)
  if (stored === undefined) return undefined
  switch (condition.kind) {
    case 'comparison':
      return comparison(context, condition, stored)
    case 'membership':
      return membership(context, condition, stored)
    case 'match':
      return match(context, condition, stored)
    case 'presence':
      return present(stored.type)
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

function comparison(context: Context, condition: Comparison, stored: Stored): Operators | undefined {
  const read = ({ operand, path }: Comparison) => encoded(stored, operand, path)
  const value = read(condition)
  if (value === otherForm) return refuse(context, condition, noForm)
  const given = written(context, condition, value, read)
  if (given !== undefined) return comparisons[condition.operator](given)
  // Nothing is equal to an operand without a stored form, but nobody can tell what comes before or after it.
  return condition.operator === 'eq' ? undefined : refuse(context, condition, noForm)
}

function membership(context: Context, condition: Membership, stored: Stored): Operators | undefined {
  const valuesOf = ({ operands, path }: Membership) =>
    operands.map((operand) => encoded(stored, operand, path)).filter((value) => value !== undefined)
  const values = valuesOf(condition)
  for (const value of values) if (value === otherForm) refuse(context, condition, noForm)
  const isList = values.length > 1
  const operand = (all: unknown[]): unknown => (isList ? all : all.at(0))
  const given = written(context, condition, operand(values), (other) => {
    const all = valuesOf(other)
    return all.length > 1 === isList && !all.includes(otherForm) ? operand(all) : otherForm
  })
  return given === undefined ? undefined : isList ? { $in: given } : { $eq: given }
}

function match(context: Context, condition: Match, stored: Stored): Operators | undefined {
  const isText = stored.encode === undefined && stored.type === 'string'
  const isLower = lowerOf(context, condition) !== undefined
  // Every text contains the empty one: a field of lower-cased text is enough to say that there are texts.
  const isEmpty = condition.text === ''
  if (!isText && !(isEmpty ? stored.lower !== undefined : isLower)) {
    return unsupported(context, condition, 'is not stored as text')
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

/** That there is a value. What is encoded may have any type. */
const present = (type: BsonType | undefined): Operators => (type === undefined ? { $ne: null } : { $type: type })

/** The field beside a text that has it lower-cased. Entries have none, and the empty text needs none. */
export function lowerOf({ storage, list }: Context, condition: Condition): string | undefined {
  if (condition.kind !== 'match' || condition.path.length === 0 || condition.text === '') return undefined
  return fieldOf(storage, list, condition.path)?.lower
}

// --- Stored values

/** How the field of a condition stores such literals; `undefined` where it is refused. */
function storedAs(context: Context, condition: Condition, literal: LiteralType): Stored | undefined {
  const { type, encode, lower } = fieldOf(context.storage, context.list, condition.path) ?? noOptions
  // Without `encode`, a field of texts or of dates also holds days and moments.
  if (type !== undefined && encode === undefined && type !== literal && !literal.startsWith('date')) {
    return unsupported(context, condition, `is stored as ${type}, which holds no ${literal}`)
  }
  return { type: type ?? (encode === undefined ? context.storage.types[literal] : undefined), encode, lower }
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
