/** The evaluator: a filter as a predicate over rows in memory. */
import { fold, kinds, literalTypes, type Algebra, type Filter, type Path } from '../../ast/index.ts'
import type { Backend, Capabilities } from '../backend.ts'
import { checkOptions } from '../../options.ts'
import { comparison, match, membership, presence, type Test } from './values.ts'

/** Whether a row is selected. Never throws, but for a getter of the row's own that does. */
export type Predicate = (row: unknown) => boolean

// --- Reading rows. Own properties only: what stands on a prototype is no data.

const plain = Object.prototype
/** What it has is what all plain objects inherit. (The engine asks it in two thirds of the time that the prototype takes.) */
const inherited: Readonly<Record<string, unknown>> = Object.freeze({})
const prototypeOf = (value: object): unknown => (value as { readonly __proto__: unknown }).__proto__

/** Node can be started without `__proto__`, or with one that throws: nothing is plain there. */
const hasPrototypes = ((): boolean => {
  try {
    return prototypeOf({}) === plain
  } catch {
    return false
  }
})()

const isOwn = (value: object, name: string): boolean =>
  typeof value === 'object' && !Array.isArray(value) && Object.hasOwn(value, name)

/**
 * Asks an object's own property. Most objects are plain, and what a plain object does not own it has of
 * `Object.prototype`. So that is asked, for `__proto__` is read as properties are, by the object's shape:
 * `Object.hasOwn` and `Object.getPrototypeOf` are calls, and take ten times as long; and once it is read, the shape is
 * known, which is sooner than to ask for the type first. (An object with a property of its own of that name is not
 * plain, unless a program gives it `Object.prototype` itself; nor does a primitive value have that prototype.)
 */
const property: Builder<Test>['property'] = hasPrototypes
  ? (name, test) => (value) =>
      value != null &&
      (prototypeOf(value) === plain || isOwn(value, name)) &&
      test((value as Readonly<Record<string, unknown>>)[name]) &&
      (inherited[name] === undefined || isOwn(value, name))
  : (name, test) => (value) =>
      value != null && isOwn(value, name) && test((value as Readonly<Record<string, unknown>>)[name])

// --- Two ways to build a predicate

/** How the parts of a predicate are made. */
interface Builder<T> {
  /** Asks a value. */
  leaf(test: Test): T
  and(tests: readonly T[]): T
  or(tests: readonly T[]): T
  not(test: T): T
  /** Asks whether an entry of a list passes. */
  some(test: T): T
  /** Asks what an own property of an object holds. */
  property(name: string, test: T): T
}

/** Up to so many tests call each other, which is faster than a loop; a chain of all may be longer than the stack. */
const chain = 8

/** Functions that call each other: made in a microsecond. */
const functions: Builder<Test> = {
  leaf: (test) => test,
  and: (tests) => {
    if (tests.length > chain) return (value) => tests.every((test) => test(value))
    return tests.reduceRight((rest, test) => (value) => test(value) && rest(value))
  },
  or: (tests) => {
    if (tests.length > chain) return (value) => tests.some((test) => test(value))
    return tests.reduceRight((rest, test) => (value) => test(value) || rest(value))
  },
  not: (test) => (value) => !test(value),
  some: (test) => (list) => {
    if (!Array.isArray(list)) return false
    for (let at = 0; at < list.length; at++) if (test(list[at])) return true
    return false
  },
  property,
}

/** The source of an expression that tests a variable. */
type Source = (variable: string) => string

/**
 * One function out of generated code, which the engine optimises for itself alone. Nothing of a filter is in the
 * source: names and tests are constants that it is given. `undefined` where the process forbids such code.
 */
function generate(filter: Filter): Test | undefined {
  const constants: unknown[] = []
  const declarations: string[] = []
  let variables: string[] = []
  let count = 0
  const constant = (value: unknown): string => `c${constants.push(value) - 1}`
  const joined = (tests: readonly Source[], operator: string): Source => {
    return (variable) => `(${tests.map((test) => test(variable)).join(operator)})`
  }
  /** A function's body, with the variables that it needs. */
  const body = (code: () => string): string => {
    const outer = variables
    variables = []
    const text = code()
    const own = variables.length > 0 ? `let ${variables.join(', ')}; ` : ''
    variables = outer
    return own + text
  }

  const builder: Builder<Source> = {
    leaf: (test) => {
      const name = constant(test)
      return (variable) => `${name}(${variable})`
    },
    and: (tests) => joined(tests, ' && '),
    or: (tests) => joined(tests, ' || '),
    not: (test) => (variable) => `!${test(variable)}`,
    some: (test) => (variable) => {
      const name = `some${count++}`
      const loop = body(
        () => `for (let at = 0; at < list.length; at++) { const entry = list[at]; if (${test('entry')}) return true }`,
      )
      declarations.push(`const ${name} = (list) => { if (!isArray(list)) return false; ${loop} return false }`)
      return `${name}(${variable})`
    },
    property: (name, test) => (variable) => {
      const key = constant(name)
      const held = `v${count++}`
      variables.push(held)
      const isPlain = hasPrototypes ? `${variable}.__proto__ === plain || ` : ''
      return (
        `(${variable} != null && (${isPlain}isOwn(${variable}, ${key}))` +
        ` && (${held} = ${variable}[${key}], ${test(held)}) && (plain[${key}] === undefined || isOwn(${variable}, ${key})))`
      )
    },
  }
  const source = reach(builder, fold(filter, algebraOf(builder)))
  const matches = body(() => `return ${source('row')}`)
  const named = constants.map((_, at) => `const c${at} = constants[${at}]`)
  const code = ["'use strict'", ...named, ...declarations, `return (row) => { ${matches} }`].join('\n')
  try {
    return (new Function('constants', 'plain', 'isOwn', 'isArray', code) as (...parts: unknown[]) => Test)(
      constants,
      plain,
      isOwn,
      Array.isArray,
    )
  } catch (error) {
    // A Content Security Policy, or node --disallow-code-generation-from-strings.
    if (error instanceof EvalError) return undefined
    throw error
  }
}

// --- From a filter to its parts

/** A question about what stands at a path. */
interface Question<T> {
  readonly path: Path
  readonly test: T
}

/** The row, or the entry, itself. */
const here: Path = []

/** Reads what stands at the path, from the row or the entry on. */
function reach<T>({ property }: Builder<T>, { path, test }: Question<T>): T {
  let asked = test
  for (let level = path.length - 1; level >= 0; level--) asked = property(path[level]!, asked)
  return asked
}

function algebraOf<T>(builder: Builder<T>): Algebra<Question<T>> {
  const { leaf } = builder
  const ask = (question: Question<T>): T => reach(builder, question)
  const and = (tests: readonly T[]): T => (tests.length > 1 ? builder.and(tests) : (tests[0] ?? leaf(() => true)))
  const or = (tests: readonly T[]): T => (tests.length > 1 ? builder.or(tests) : (tests[0] ?? leaf(() => false)))

  return {
    and: (questions) => {
      const joined = questions.length > chain ? questions : joinedByPath(questions, and)
      return joined.length === 1 ? joined[0]! : { path: here, test: and(joined.map(ask)) }
    },
    or: (questions) => ({ path: here, test: or(questions.map(ask)) }),
    not: (question) => ({ path: here, test: builder.not(ask(question)) }),
    some: (question, { path }) => ({ path, test: builder.some(ask(question)) }),
    comparison: (node) => ({ path: node.path, test: leaf(comparison(node)) }),
    membership: (node) => ({ path: node.path, test: leaf(membership(node)) }),
    match: (node) => ({ path: node.path, test: leaf(match(node)) }),
    presence: (node) => ({ path: node.path, test: leaf(presence(node)) }),
  }
}

/** What stands at a path is read once for all that is asked about it. A field's path is one object. */
function joinedByPath<T>(questions: readonly Question<T>[], and: (tests: readonly T[]) => T): readonly Question<T>[] {
  const joined: Question<T>[] = []
  for (const { path, test } of questions) {
    const at = joined.findIndex((other) => other.path === path)
    if (at < 0) joined.push({ path, test })
    else joined[at] = { path, test: and([joined[at]!.test, test]) }
  }
  return joined
}

/** Made once: it takes as long as a small filter. */
const ofFunctions = algebraOf(functions)

export interface MemoryOptions {
  /**
   * Predicates out of generated code: as fast as if they were written by hand, but each takes ten times as long to
   * make. For filters that meet a hundred thousand rows. Where the process forbids such code, it changes nothing.
   */
  readonly codegen?: boolean
}

const capabilities: Capabilities = Object.freeze({
  kinds,
  types: literalTypes,
  features: Object.freeze(['unicode-case', 'other-forms', 'misplaced-lists', 'empty-objects', 'date-objects'] as const),
  preconditions: Object.freeze([]),
})

/**
 * Filters rows in memory: JSON values, and `Date`s where the schema has dates (their UTC day) or datetimes.
 * Only own properties of plain or class objects are read. Whatever a row holds, the predicate answers; what
 * has another form than its field's type is no value.
 *
 * @returns a backend that knows every kind and type; `compile` throws a TypeError when it is given no filter.
 * @throws TypeError when an option is unknown or not of its type.
 * @example
 * const matches = memoryBackend().compile(filter)
 * rows.filter(matches)
 */
export function memoryBackend(options: MemoryOptions = {}): Backend<Predicate> {
  checkOptions(options, 'options', ['codegen'])
  const { codegen = false } = options
  if (typeof codegen !== 'boolean') throw new TypeError('options.codegen must be a boolean')
  const compile = (filter: Filter): Predicate =>
    (codegen ? generate(filter) : undefined) ?? reach(functions, fold(filter, ofFunctions))
  return { name: 'memory', capabilities, compile }
}
