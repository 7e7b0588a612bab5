/** Evaluates filters in memory: a filter becomes a predicate over rows. */
import { checkFilter, kinds, literalTypes, type Filter } from '../../tree/index.ts'
import { withEveryProperty, type Query, type FacetValues } from '../../query/index.ts'
import type { Capabilities, FacetBackend } from '../backend.ts'
import { isAlways } from '../shape.ts'
import { checkOptions } from '../../options.ts'
import { generate } from './codegen.ts'
import { predicateOfCondition } from './condition.ts'
import { facetsOf } from './facets.ts'
import { pageOf, type MemoryPage } from './page.ts'
import { at, type Predicate } from './rows.ts'

/** The predicate over a row, or over an entry of a list. */
function predicateOf(filter: Filter): Predicate {
  switch (filter.kind) {
    case 'and':
      return every(filter.filters.map(predicateOf))
    case 'or':
      return any(filter.filters.map(predicateOf))
    case 'not':
      return not(predicateOf(filter.filter))
    case 'some':
      return at(filter.path, some(predicateOf(filter.filter)))
    case 'count': {
      if (isAlways(filter)) return () => true
      const hasEnough = at(filter.path, predicateOfCondition(filter))
      return filter.operator === 'gte' ? hasEnough : not(hasEnough)
    }
    default:
      return at(filter.path, predicateOfCondition(filter))
  }
}

const not =
  (predicate: Predicate): Predicate =>
  (value) =>
    !predicate(value)

const some =
  (predicate: Predicate): Predicate =>
  (list) => {
    if (!Array.isArray(list)) return false
    for (let index = 0; index < list.length; index++) if (predicate(list[index])) return true
    return false
  }

/** Up to so many predicates call each other, which is faster than a loop. A chain of all may exceed the stack. */
const longestChain = 8

function every(predicates: readonly Predicate[]): Predicate {
  if (predicates.length < 2) return predicates.at(0) ?? (() => true)
  if (predicates.length > longestChain) return (value) => predicates.every((predicate) => predicate(value))
  return predicates.reduceRight((rest, predicate) => (value) => predicate(value) && rest(value))
}

function any(predicates: readonly Predicate[]): Predicate {
  if (predicates.length < 2) return predicates.at(0) ?? (() => false)
  if (predicates.length > longestChain) return (value) => predicates.some((predicate) => predicate(value))
  return predicates.reduceRight((rest, predicate) => (value) => predicate(value) || rest(value))
}

/** Options of {@link memoryBackend}. */
export interface MemoryOptions {
  /**
   * Whether `compile` generates JavaScript, which is as fast as code written by hand. Default: `compile` generates a function for the
   * second filter of the same shape (the filter without its operands). Filters of one shape share a function. `true` generates the
   * function for the first filter. Generating takes ten times as long as reusing: use `true` for filters over a hundred thousand rows.
   * `false` generates no code. If the process forbids generated code (a Content Security Policy,
   * `node --disallow-code-generation-from-strings`), the option has no effect.
   */
  readonly codegen?: boolean
}

const capabilities: Capabilities = /* @__PURE__ */ Object.freeze({
  kinds,
  types: literalTypes,
  features: /* @__PURE__ */ Object.freeze([
    'unicode-case',
    'other-forms',
    'misplaced-lists',
    'empty-objects',
    'date-objects',
    'value-forms',
    'microseconds',
    'long-decimals',
    'queries',
    'sorted-other-forms',
    'placed-nulls',
    'ignored-case',
    'declared-orders',
    'json',
    'records',
    'facets',
  ] as const),
  preconditions: /* @__PURE__ */ Object.freeze([]),
})

/**
 * Filters rows in memory: JSON values, with a `Date` or text for dates (the UTC day counts) and datetimes. The predicate
 * reads own properties only, and returns true or false for every row: a value that does not have the type of its field
 * counts as missing.
 *
 * @returns a backend that supports every kind, type and feature; its `compile` throws a TypeError for an invalid filter.
 * @throws TypeError for an unknown option, or one of the wrong type.
 * @example
 * const matches = memoryBackend().compile(filter)
 * rows.filter(matches)
 */
export function memoryBackend(
  options: MemoryOptions = {},
): FacetBackend<Predicate, <Row>(rows: readonly Row[]) => MemoryPage<Row>, (rows: readonly unknown[]) => FacetValues> {
  const { codegen } = checkOptions(options, 'options', ['codegen'])
  if (codegen !== undefined && typeof codegen !== 'boolean') throw new TypeError('options.codegen must be a boolean')
  const made = (filter: Filter): Predicate =>
    (codegen === false ? undefined : generate(filter, codegen === true)) ?? predicateOf(filter)
  const compile = (filter: Filter): Predicate => made(checkFilter(filter))
  const compileQuery = (input: Query) => {
    const query = withEveryProperty(input)
    return pageOf(query, made(query.filter))
  }
  const facets = (input: Query) => facetsOf(withEveryProperty(input), made)
  return { name: 'memory', capabilities, compile, compileQuery, facets }
}
