/**
 * The evaluator's other way: one generated function for each filter, which the engine optimises on its own.
 *
 * Nothing of a filter is in the generated text: names and predicates are constants that the function is given.
 */
import type { Filter, Path } from '../../ast/index.ts'
import { byPath, hasPrototypes, isOwn, pathOf, plain, type Predicate } from './rows.ts'
import { comparison, match, membership, presence } from './values.ts'

/** The text in the making. */
interface Program {
  /** Names of properties and predicates over values: `c0`, `c1` and so on in the text. */
  readonly constants: unknown[]
  /** A function for each list: `some0`, `some1` and so on. */
  readonly functions: string[]
  /** The variables of the function that is being written. */
  variables: string[]
  /** How many variables and functions have a name. */
  named: number
}

/** The predicate of a filter; `undefined` where the process forbids generated code. */
export function generate(filter: Filter): Predicate | undefined {
  const program: Program = { constants: [], functions: [], variables: [], named: 0 }
  const body = bodyOf(program, () => `return ${codeOf(program, filter, 'row')}`)
  const constants = program.constants.map((_, index) => `const c${index} = constants[${index}]`)
  const text = ["'use strict'", ...constants, ...program.functions, `return (row) => { ${body} }`].join('\n')
  try {
    const make = new Function('constants', 'plain', 'isOwn', 'isArray', text) as (...given: unknown[]) => Predicate
    return make(program.constants, plain, isOwn, Array.isArray)
  } catch (error) {
    // A Content Security Policy, or node --disallow-code-generation-from-strings.
    if (error instanceof EvalError) return undefined
    throw error
  }
}

/** An expression that asks a variable, which holds a row or an entry. */
const codeOf = (program: Program, filter: Filter, variable: string): string =>
  at(program, pathOf(filter), variable, (value) => valueCodeOf(program, filter, value))

/** An expression that asks a variable, which holds the value at the filter's path. */
function valueCodeOf(program: Program, filter: Filter, variable: string): string {
  const call = (predicate: Predicate) => `${constant(program, predicate)}(${variable})`
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
    case 'comparison':
      return call(comparison(filter))
    case 'membership':
      return call(membership(filter))
    case 'match':
      return call(match(filter))
    case 'presence':
      return call(presence(filter))
  }
}

/** Expressions in parentheses, with an operator between each two; `empty` where there is none. */
const joined = (expressions: readonly string[], operator: string, empty: string): string =>
  expressions.length > 1 ? `(${expressions.join(` ${operator} `)})` : (expressions[0] ?? empty)

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
  const key = constant(program, name)
  const value = `v${program.named++}`
  program.variables.push(value)
  const isPlain = hasPrototypes ? `${variable}.__proto__ === plain || ` : ''
  const asked = at(program, inner, value, ask)
  return (
    `(${variable} != null && (${isPlain}isOwn(${variable}, ${key}))` +
    ` && (${value} = ${variable}[${key}], ${asked}) && (plain[${key}] === undefined || isOwn(${variable}, ${key})))`
  )
}

/** The name of a constant. */
const constant = (program: Program, value: unknown): string => `c${program.constants.push(value) - 1}`

/** The body of a function, with the variables that it declares. */
function bodyOf(program: Program, write: () => string): string {
  const outer = program.variables
  program.variables = []
  const text = write()
  const declared = program.variables.length > 0 ? `let ${program.variables.join(', ')}; ` : ''
  program.variables = outer
  return declared + text
}
