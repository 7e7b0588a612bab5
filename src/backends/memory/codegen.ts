/**
 * Predicates as generated code: one function for each shape of filter, which the engine optimises on its own. A shape is a
 * filter without its operands. The generated text contains no name and no value of a filter: the function gets these.
 */
import type { And, Comparison, Filter, LiteralType, Or, Path } from '../../tree/index.ts'
import type { Leaf } from '../issues.ts'
import { generated, isGenerationForbidden } from '../../generated.ts'
import { asEquality, isAlways, shapeCache } from '../shape.ts'
import { predicateOfCondition } from './condition.ts'
import { interned } from './interned.ts'
import { hasPrototypes, isOwn, plain, type Predicate } from './rows.ts'

/** Makes the predicate of a filter out of its conditions, in the order of the tree. */
type Maker = (conditions: readonly Leaf[], isAtOnce: boolean) => Predicate

const makers = shapeCache<Maker | 'seen once'>(256)

/**
 * The predicate of a filter; `undefined` where the process forbids generated code.
 *
 * @param isAtOnce whether to generate code for a new shape: otherwise that is done when the shape comes again.
 */
export function generate(filter: Filter, isAtOnce: boolean): Predicate | undefined {
  if (isGenerationForbidden()) return undefined
  const conditions: Leaf[] = []
  const maker = makers.get(filter, conditions)
  if (typeof maker === 'function') return maker(conditions, isAtOnce)
  if (maker === undefined && !isAtOnce) {
    makers.set(filter, 'seen once')
    return undefined
  }
  const program: Program = { conditions: [], names: [], functions: [], variables: [], named: 0 }
  const make = makerOf(program, filter)
  if (make === undefined) return undefined
  makers.set(filter, make)
  return make(program.conditions, isAtOnce)
}

/** The types whose values are equal to an operand only if they are `===` to it. */
const identical: readonly LiteralType[] = ['string', 'integer', 'number', 'boolean']
/** Whether the text compares without a call. */
const isEquality = (condition: Leaf): condition is Comparison =>
  condition.kind === 'comparison' && condition.operator === 'eq' && identical.includes(condition.operand.type)

/** The text in the making. */
interface Program {
  /** In the order of the tree: `p0`, `p1` and so on in the text. */
  readonly conditions: Leaf[]
  /** Names of properties: `n0`, `n1` and so on in the text. */
  readonly names: string[]
  /** A function for each list: `some0`, `some1` and so on. */
  readonly functions: string[]
  /** The variables of the function that is being written. */
  variables: string[]
  /** How many variables and functions have a name. */
  named: number
}

function makerOf(program: Program, filter: Filter): Maker | undefined {
  const body = bodyOf(program, () => `return ${codeOf(program, filter, 'row')}`)
  const constants = (letter: string, { length }: readonly unknown[], from: string) =>
    Array.from({ length }, (_, index) => `const ${letter}${index} = ${from}[${index}]`)
  const text = [
    'return (operands) => {',
    // Beside the operands: the engine reads constants of an outer function more slowly.
    ...constants('n', program.names, 'names'),
    ...constants('p', program.conditions, 'operands'),
    ...program.functions,
    `return (row) => { ${body} }`,
    '}',
  ].join('\n')
  type Make = (operands: readonly unknown[]) => Predicate
  const make = generated({ names: program.names, plain, isOwn }, text) as Make | undefined
  if (make === undefined) return undefined
  const operandOf = (condition: Leaf, isAtOnce: boolean): unknown =>
    isEquality(condition) ? interned(condition.operand.value, isAtOnce) : predicateOfCondition(condition)
  return (conditions, isAtOnce) => make(conditions.map((condition) => operandOf(condition, isAtOnce)))
}

/** An expression over a variable, which contains a row or an entry. */
function codeOf(program: Program, filter: Filter, variable: string): string {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return joined(program, filter, variable)
    case 'not':
      return `!${codeOf(program, filter.filter, variable)}`
    case 'some':
      return at(program, filter.path, variable, (value) => some(program, filter.filter, value))
    case 'count': {
      const code = leaf(program, filter, variable)
      return isAlways(filter) ? 'true' : filter.operator === 'gte' ? code : `!${code}`
    }
    default:
      return leaf(program, filter, variable)
  }
}

function leaf(program: Program, condition: Leaf, variable: string): string {
  const filter = asEquality(condition)
  const operand = `p${program.conditions.push(filter) - 1}`
  return at(program, filter.path, variable, (value) =>
    isEquality(filter) ? `(${value} === ${operand})` : `${operand}(${value})`,
  )
}

/** Expressions in parentheses, with an operator between each two; a constant where there is none. */
function joined(program: Program, { kind, filters }: And | Or, variable: string): string {
  const expressions = filters.map((filter) => codeOf(program, filter, variable))
  if (expressions.length < 2) return expressions.at(0) ?? String(kind === 'and')
  return `(${expressions.join(kind === 'and' ? ' && ' : ' || ')})`
}

/** A call of a new function, which looks for an entry that passes. */
function some(program: Program, filter: Filter, variable: string): string {
  const name = `some${program.named++}`
  const loop = bodyOf(
    program,
    () =>
      `for (let at = 0; at < list.length; at++) { const entry = list[at]; if (${codeOf(program, filter, 'entry')}) return true }`,
  )
  program.functions.push(`const ${name} = (list) => { if (!Array.isArray(list)) return false; ${loop} return false }`)
  return `${name}(${variable})`
}

/** An expression over the value at the path; `readPlainObject` in rows.ts tells how properties are read. */
function at(program: Program, path: Path, variable: string, codeOfValue: (value: string) => string): string {
  const [name, ...inner] = path
  if (name === undefined) return codeOfValue(variable)
  const key = `n${program.names.push(name) - 1}`
  const value = `v${program.named++}`
  program.variables.push(value)
  const isPlain = hasPrototypes ? `${variable}.__proto__ === plain || ` : ''
  const code = at(program, inner, value, codeOfValue)
  return (
    `(${variable} != null && (${isPlain}isOwn(${variable}, ${key}))` +
    ` && (${value} = ${variable}[${key}], ${code}) && (plain[${key}] === undefined || isOwn(${variable}, ${key})))`
  )
}

/** The body of a function, with the variables that it declares. */
function bodyOf(program: Program, write: () => string): string {
  const outer = program.variables
  program.variables = []
  const text = write()
  const declared = program.variables.length > 0 ? `let ${program.variables.join(', ')}; ` : ''
  program.variables = outer
  return declared + text
}
