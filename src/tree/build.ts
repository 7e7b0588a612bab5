/** Builds filters. The public builders check their arguments; {@link unchecked} trusts them. */
import type { Span } from '../issue/index.ts'
import type {
  And,
  Comparison,
  EntryCount,
  Filter,
  Literal,
  Match,
  MatchMode,
  Membership,
  Not,
  Or,
  Path,
  Presence,
  Some,
} from './ast.ts'
import { checkFilter } from './check.ts'
import { areTrusted, trust } from './sound.ts'

const freeze = Object.freeze

/**
 * Frozen nodes from parts that are sound, as binding and lowering have them. Paths, literals and spans must be frozen;
 * lists of filters and operands are frozen here. Pass the root to {@link trust}.
 */
// A literal with a span and one without: a property that is added later costs as much as the node.
export const unchecked = {
  and(filters: readonly Filter[], span?: Span): And {
    freeze(filters)
    return freeze(span === undefined ? { kind: 'and', filters } : { kind: 'and', filters, span })
  },
  or(filters: readonly Filter[], span?: Span): Or {
    freeze(filters)
    return freeze(span === undefined ? { kind: 'or', filters } : { kind: 'or', filters, span })
  },
  not(filter: Filter, span?: Span): Not {
    return freeze(span === undefined ? { kind: 'not', filter } : { kind: 'not', filter, span })
  },
  comparison(path: Path, operator: Comparison['operator'], operand: Literal, span?: Span): Comparison {
    return freeze(
      span === undefined
        ? { kind: 'comparison', path, operator, operand }
        : { kind: 'comparison', path, operator, operand, span },
    )
  },
  membership(path: Path, operands: readonly Literal[], span?: Span): Membership {
    freeze(operands)
    return freeze(
      span === undefined ? { kind: 'membership', path, operands } : { kind: 'membership', path, operands, span },
    )
  },
  match(path: Path, mode: MatchMode, text: string, span?: Span): Match {
    return freeze(span === undefined ? { kind: 'match', path, mode, text } : { kind: 'match', path, mode, text, span })
  },
  presence(path: Path, type: Presence['type'], span?: Span): Presence {
    return freeze(span === undefined ? { kind: 'presence', path, type } : { kind: 'presence', path, type, span })
  },
  some(path: Path, filter: Filter, span?: Span): Some {
    return freeze(span === undefined ? { kind: 'some', path, filter } : { kind: 'some', path, filter, span })
  },
  count(
    path: Path,
    type: EntryCount['type'],
    operator: EntryCount['operator'],
    operand: number,
    span?: Span,
  ): EntryCount {
    return freeze(
      span === undefined
        ? { kind: 'count', path, type, operator, operand }
        : { kind: 'count', path, type, operator, operand, span },
    )
  },
}

const checkNode = <N extends Filter>(node: N): N => checkFilter(node, node.kind) as N

/** A group of sound filters: those of its own kind are replaced by their members, and a group of one member is that member. */
export function joined(kind: 'and' | 'or', filters: readonly Filter[]): Filter {
  const flat: Filter[] = []
  // By index: `flatMap` allocates a list for each filter.
  for (let at = 0; at < filters.length; at++) {
    const filter = filters[at]!
    if (filter.kind !== kind) flat.push(filter)
    else for (let inner = 0; inner < filter.filters.length; inner++) flat.push(filter.filters[inner]!)
  }
  return flat.length === 1 ? flat[0]! : unchecked[kind](flat)
}

const group = (kind: 'and' | 'or', filters: readonly Filter[]): Filter =>
  trust(joined(kind, areTrusted(filters) ? filters : checkNode<And | Or>({ kind, filters: filters }).filters))

/**
 * Joins filters: the result selects the rows that every filter selects.
 *
 * @param filters any number. Without filters the result selects every row.
 * @returns one flat `and`: an `and` among the filters is replaced by its members. A single filter is returned itself.
 * @throws TypeError when an argument is not a filter, for example `undefined`.
 * @example and(restriction, filter) // adds what a caller may see, at the root
 */
export const and = (...filters: readonly Filter[]): Filter => group('and', filters)

/**
 * Joins filters: the result selects the rows that at least one filter selects.
 *
 * @param filters any number. Without filters the result selects no row.
 * @returns one flat `or`: an `or` among the filters is replaced by its members. A single filter is returned itself.
 * @throws TypeError when an argument is not a filter, for example `undefined`.
 * @example
 * const o = where(orders)
 * or(o.equals('status', 'paid'), o.gt('total', 100))
 */
export const or = (...filters: readonly Filter[]): Filter => group('or', filters)

/**
 * Negates a filter: the result selects the rows that the filter does not select, also rows without a value.
 *
 * @throws TypeError when it is not a filter.
 * @example not(where(orders).in('status', ['paid', 'held']))
 */
export const not = (filter: Filter): Not => checkNode({ kind: 'not', filter })

/**
 * Builds a {@link Comparison}. `where(schema)` builds it with paths and operands that the compiler checks.
 *
 * @throws TypeError that names the wrong part.
 * @example comparison(['total'], 'gte', { type: 'number', value: 5 })
 */
export const comparison = (path: Path, operator: Comparison['operator'], operand: Literal): Comparison =>
  checkNode({ kind: 'comparison', path, operator, operand })

/**
 * Builds a {@link Membership}.
 *
 * @param operands literals of one type. Without operands the filter selects no row.
 * @throws TypeError that names the wrong part.
 * @example membership(['status'], [{ type: 'string', value: 'paid' }, { type: 'string', value: 'held' }])
 */
export const membership = (path: Path, operands: readonly Literal[]): Membership =>
  checkNode({ kind: 'membership', path, operands })

/**
 * Builds a {@link Match}.
 *
 * @param text has no wildcards: each character is literal.
 * @throws TypeError that names the wrong part.
 * @example match(['name'], 'prefix', 'jo')
 */
export const match = (path: Path, mode: MatchMode, text: string): Match =>
  checkNode({ kind: 'match', path, mode, text })

/**
 * Builds a {@link Presence}.
 *
 * @param type the type that the field's value must have.
 * @throws TypeError that names the wrong part.
 * @example presence(['paidAt'], 'datetime')
 */
export const presence = (path: Path, type: Presence['type']): Presence => checkNode({ kind: 'presence', path, type })

/**
 * Builds a {@link Some}.
 *
 * @param path leads to a list; it has at least one name.
 * @param filter what one entry must satisfy; its paths start at the entry.
 * @throws TypeError that names the wrong part.
 * @example some(['items'], comparison(['price'], 'lt', { type: 'number', value: 9 }))
 */
export const some = (path: Path, filter: Filter): Some => checkNode({ kind: 'some', path, filter })

/**
 * Builds a {@link EntryCount}.
 *
 * @param path leads to a list; it has at least one name.
 * @param type the type of the entries to count.
 * @param operand a whole number from 0 to 2^31 − 1.
 * @throws TypeError that names the wrong part.
 * @example count(['items'], 'object', 'gte', 3)
 */
export const count = (
  path: Path,
  type: EntryCount['type'],
  operator: EntryCount['operator'],
  operand: number,
): EntryCount => checkNode({ kind: 'count', path, type, operator, operand })
