/**
 * The evaluator's other way: one generated function for each shape of filter, which the engine optimises on its own. A
 * shape is a filter without its operands, so that filters of one shape share a function, which is given their predicates.
 *
 * Nothing of a filter is in the generated text: names and predicates are values that the function is given.
 */
import type { Comparison, Filter, Literal, Membership, Path } from '../../ast/index.ts'
import type { Condition } from '../issues.ts'
import { conditionsOf, inPlaces, placeOf, shapeCache } from '../shape.ts'
import { byPath, hasPrototypes, isOwn, pathOf, plain, type Predicate } from './rows.ts'
import { belonging, comparing, comparison, interned, knownText, match, membership, presence } from './values.ts'

/** Makes the predicate of a filter out of its conditions, in the order of the tree. */
type Maker = (conditions: readonly Condition[]) => Predicate
/** What a condition asks of a value: a predicate, or the value to be equal to, which the text compares without a call. */
type Asked = Predicate | Literal['value']

/** By shape: what makes predicates; `undefined` where the shape was seen once. */
const makers = shapeCache<{ readonly make: Maker | undefined }>(256)
const seenOnce = { make: undefined }

let isForbidden = false

/**
 * The predicate of a filter; `undefined` where the process forbids generated code.
 *
 * @param isAtOnce whether a shape that is new is worth a function: else it is `undefined`, until the shape comes again.
 */
export function generate(filter: Filter, isAtOnce: boolean): Predicate | undefined {
  if (isForbidden) return undefined
  const conditions: Condition[] = []
  const known = makers.get(filter, conditions)
  if (known?.make !== undefined) return known.make(conditions)
  if (known === undefined && !isAtOnce) {
    makers.set(filter, seenOnce)
    return undefined
  }
  const make = makerOf(filter)
  makers.set(filter, { make })
  return make?.(conditionsOf(filter))
}

/** The predicate over the value of a condition. */
export function predicateOf(condition: Condition): Predicate {
  switch (condition.kind) {
    case 'comparison':
      return comparison(condition)
    case 'membership':
      return membership(condition)
    case 'match':
      return match(condition)
    case 'presence':
      return presence(condition)
  }
}

/** Whether a value is equal to the operand only if it is `===` to it. A call for that takes a tenth of the time of Q1. */
const isEquality = (condition: Filter): condition is Comparison =>
  condition.kind === 'comparison' && condition.operator === 'eq' && !condition.operand.type.startsWith('date')

const isTextEquality = (condition: Condition): boolean => isEquality(condition) && condition.operand.type === 'string'

/** Says what a condition asks that differs from another one in nothing but operands. */
type Asking = (condition: Condition) => Asked

/** Made once for a shape, since to look up kind, type and operator takes a tenth of the time of Q6. */
function askingOf(condition: Condition): Asking {
  switch (condition.kind) {
    case 'comparison': {
      if (isEquality(condition)) return (other) => (other as Comparison).operand.value
      const compare = comparing(condition)
      return (other) => compare((other as Comparison).operand.value)
    }
    case 'membership': {
      const among = belonging(condition)
      return (other) => among(other as Membership)
    }
    default:
      return predicateOf
  }
}

/** The text in the making. */
interface Program {
  /** Names of properties: `n0`, `n1` and so on in the text. */
  readonly names: string[]
  /** A function for each list: `some0`, `some1` and so on. */
  readonly functions: string[]
  /** The variables of the function that is being written. */
  variables: string[]
  /** How many variables and functions have a name. */
  named: number
}

function makerOf(given: Filter): Maker | undefined {
  const filter = inPlaces(given, { next: 0 })
  const conditions = conditionsOf(filter)
  const program: Program = { names: [], functions: [], variables: [], named: 0 }
  const body = bodyOf(program, () => `return ${codeOf(program, filter, 'row')}`)
  const constants = (letter: string, count: number, from: string) =>
    Array.from({ length: count }, (_, index) => `const ${letter}${index} = ${from}[${index}]`)
  const maker = [
    '(asked) => {',
    // Beside the predicates: from a function further out the engine reads them a quarter slower in a long filter.
    ...constants('n', program.names.length, 'names'),
    ...constants('p', conditions.length, 'asked'),
    ...program.functions,
    `return (row) => { ${body} }`,
    '}',
  ].join('\n')
  const places = conditions.filter(isTextEquality).map(placeOf)
  const made = makerFrom<Made>(
    { names: program.names, plain, isOwn, isArray: Array.isArray },
    `const later = ${maker}\nconst first = ${places.length > 0 ? maker : 'later'}\n${inTurn}`,
  )
  return made && interning(made, conditions.map(askingOf), places)
}

/** What the text of a shape makes. */
interface Made {
  readonly later: (asked: readonly Asked[]) => Predicate
  /** A predicate that asks other things after the first rows. */
  readonly inTurn: (asked: readonly Asked[], askedLater: () => readonly Asked[]) => Predicate
}

/**
 * `first` and `later` have the same text. Each is a function of its own, since the engine learns for each comparison whether
 * all its texts are interned. `then` is an object because a property that an object gains is constant to the engine. A
 * variable that changes is read for each row, which takes a third of the time of Q1.
 */
const inTurn = `return { later, inTurn: (asked, askedLater) => {
  const early = first(asked)
  const then = {}
  let left = 100
  return (row) => {
    if (then.predicate !== undefined) return then.predicate(row)
    if (--left === 0) then.predicate = later(askedLater())
    return early(row)
  }
} }`

/**
 * Makes predicates with interned texts. To intern a text that was never seen takes as long as it saves in two hundred rows,
 * so a predicate does it after its first rows: docs/internals/performance.md, "Known and unknown queries". Once a predicate of
 * the shape has met so many rows, the next ones do it at once.
 *
 * @param askings one for each condition.
 * @param places of the conditions that compare with a text.
 */
function interning({ later, inTurn }: Made, askings: readonly Asking[], places: readonly number[]): Maker {
  let areRowsMany = false
  return (conditions) => {
    const asked = conditions.map((condition, at) => askings[at]!(condition))
    let areInterned = true
    for (const place of places) {
      const text = asked[place] as string
      const known = areRowsMany ? interned(text) : knownText(text)
      asked[place] = known ?? text
      areInterned &&= known !== undefined
    }
    if (areInterned) return later(asked)
    return inTurn(asked, () => {
      areRowsMany = true
      for (const place of places) asked[place] = interned(asked[place]!)
      return asked
    })
  }
}

/** What a text makes, which may name what it is given; `undefined` where the process forbids generated code. */
export function makerFrom<Made>(given: Readonly<Record<string, unknown>>, text: string): Made | undefined {
  if (isForbidden) return undefined
  try {
    const make = new Function(...Object.keys(given), `'use strict'\n${text}`) as (...values: unknown[]) => Made
    return make(...Object.values(given))
  } catch (error) {
    // A Content Security Policy, or node --disallow-code-generation-from-strings.
    if (!(error instanceof EvalError)) throw error
    isForbidden = true
    return undefined
  }
}

/** An expression that asks a variable, which holds a row or an entry. */
const codeOf = (program: Program, filter: Filter, variable: string): string =>
  at(program, pathOf(filter), variable, (value) => valueCodeOf(program, filter, value))

/** An expression that asks a variable, which holds the value at the filter's path. */
function valueCodeOf(program: Program, filter: Filter, variable: string): string {
  switch (filter.kind) {
    case 'and': {
      const groups = byPath(filter.filters).map(({ path, filters }) =>
        at(program, path, variable, (value) =>
          joined(
            filters.map((member) => valueCodeOf(program, member, value)),
            '&&',
            'true',
          ),
        ),
      )
      return joined(groups, '&&', 'true')
    }
    case 'or':
      return joined(
        filter.filters.map((member) => codeOf(program, member, variable)),
        '||',
        'false',
      )
    case 'not':
      return `!${codeOf(program, filter.filter, variable)}`
    case 'some':
      return some(program, filter.filter, variable)
    default:
      return isEquality(filter) ? `(${variable} === p${placeOf(filter)})` : `p${placeOf(filter)}(${variable})`
  }
}

/** Expressions in parentheses, with an operator between each two; `empty` where there is none. */
const joined = (expressions: readonly string[], operator: string, empty: string): string =>
  expressions.length > 1 ? `(${expressions.join(` ${operator} `)})` : (expressions.at(0) ?? empty)

/** A call of a new function, which looks for an entry that passes. */
function some(program: Program, filter: Filter, variable: string): string {
  const name = `some${program.named++}`
  const loop = bodyOf(
    program,
    () =>
      `for (let at = 0; at < list.length; at++) { const entry = list[at]; if (${codeOf(program, filter, 'entry')}) return true }`,
  )
  program.functions.push(`const ${name} = (list) => { if (!isArray(list)) return false; ${loop} return false }`)
  return `${name}(${variable})`
}

/** An expression that reads the value at the path and asks it; `readPlainObject` in rows.ts says how properties are read. */
function at(program: Program, path: Path, variable: string, ask: (value: string) => string): string {
  const [name, ...inner] = path
  if (name === undefined) return ask(variable)
  const key = `n${program.names.push(name) - 1}`
  const value = `v${program.named++}`
  program.variables.push(value)
  const isPlain = hasPrototypes ? `${variable}.__proto__ === plain || ` : ''
  const asked = at(program, inner, value, ask)
  return (
    `(${variable} != null && (${isPlain}isOwn(${variable}, ${key}))` +
    ` && (${value} = ${variable}[${key}], ${asked}) && (plain[${key}] === undefined || isOwn(${variable}, ${key})))`
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
