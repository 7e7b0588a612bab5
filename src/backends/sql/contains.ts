/** Compares a whole list with operands by one operator, such as `&&` or `@>`, which an index on the column serves. */
import type { Comparison, Filter, Membership, Path } from '../../tree/index.ts'
import { own } from '../../own.ts'
import { typeOf } from '../issues.ts'
import { asEquality } from '../shape.ts'
import type { StoredType } from './dialect/dialect.ts'
import { parameter, type Sql } from './dialect/sql.ts'
import { term, type Expression } from './expression.ts'
import type { StoredField } from './resolve.ts'
import { notKept, type Scope } from './scope.ts'
import { jsonType } from './stored-as.ts'
import { readers, unencoded } from './value.ts'

/** The comparison of a list with the operands of a condition. */
interface Containment {
  readonly test: Sql
  readonly column: Sql
  /**
   * Whether it selects exactly the rows with a matching entry, and is NULL only where the column is. Otherwise it also selects others,
   * and each entry is compared again.
   */
  readonly isExact: boolean
}

/** The comparison for a filter; `undefined` where the filter is not one equality or membership, or the dialect compares each entry. */
export function containment(scope: Scope, list: StoredField, filter: Filter): Containment | undefined {
  const target = equalityIn(filter)
  if (target === undefined) return undefined
  return list.kind === 'array'
    ? inArray(scope, list, target)
    : list.kind === 'json'
      ? inJson(scope, list, target)
      : undefined
}

/** Comparisons of a list that every row with an entry for the filter passes. They narrow the rows that EXISTS looks at. */
export function boundsOf(scope: Scope, list: StoredField, filter: Filter): Expression[] {
  if (filter.kind === 'and') return filter.filters.flatMap((member) => boundsOf(scope, list, member))
  const contained = containment(scope, list, filter)
  return contained === undefined ? [] : [term(contained.test)]
}

/**
 * A comparison that every row with an equal value in JSON passes, for an index on the column. It is not exact for a document that is the
 * value itself: to PostgreSQL, a list contains its entries.
 */
export function boundOfValue(scope: Scope, condition: Equality): Expression {
  const { dialect, resolver, start, isPosition } = scope
  const stored = resolver.resolve(start, condition.path)
  if (isPosition || stored?.kind !== 'json' || dialect.json?.contains?.isExact !== true) return true
  const contained = inJson(scope, stored, { condition, paths: [] })
  return contained === undefined || term(contained.test)
}

type Equality = Comparison | Membership
/** A condition, and the paths to it: from an entry to a list in it, from an entry of that to another, and to the value. */
interface EqualityAt {
  readonly condition: Equality
  readonly paths: readonly Path[]
}

function equalityIn(filter: Filter): EqualityAt | undefined {
  if (filter.kind === 'some') {
    const inner = equalityIn(filter.filter)
    return inner && { ...inner, paths: [filter.path, ...inner.paths] }
  }
  const isEquality =
    filter.kind === 'comparison' ? filter.operator === 'eq' : filter.kind === 'membership' && filter.operands.length > 0
  return isEquality ? { condition: asEquality(filter as Equality), paths: [(filter as Equality).path] } : undefined
}

/** The operands that a stored value can be equal to, as it is stored; `undefined` where they do not decide alone. */
function operandsOf({ fit, encode = unencoded }: StoredType, condition: Equality): readonly unknown[] | undefined {
  const literals = condition.kind === 'comparison' ? [condition.operand] : condition.operands
  const fitted = literals.map(({ value }) => fit?.('eq', value) ?? { value })
  const values = fitted.flatMap((one) => (typeof one === 'boolean' ? [] : [encode(one.value)]))
  return fitted.includes(true) || values.length === 0 ? undefined : values
}

type Stored<K> = Extract<StoredField, { kind: K }>

function inArray({ dialect, write }: Scope, { column, types }: Stored<'array'>, { condition, paths }: EqualityAt) {
  const type = types.get(typeOf(condition) as Parameters<typeof types.get>[0])
  const contains = dialect.array?.contains
  const array = type?.array?.(column)
  if (type?.array === undefined || array === undefined || contains === undefined || paths.flat().length > 0) return
  return containmentOf(
    column,
    true,
    write(condition, (condition) => {
      const operands = operandsOf(type, condition)
      const cast = operands && type.array!(parameter(operands))
      return cast !== undefined && contains(array, cast)
    }),
  )
}

function inJson(scope: Scope, list: Stored<'json'>, { condition, paths }: EqualityAt): Containment | undefined {
  const { dialect, resolver, write } = scope
  const contains = dialect.json?.contains
  if (contains === undefined || list.value.isEntry) return undefined
  let stored: StoredField | undefined = list
  for (const path of paths) {
    const entries: ReturnType<typeof resolver.entriesOf> = stored && resolver.entriesOf(stored, 0)
    stored = entries && resolver.resolve(entries.entry, path)
  }
  if (stored?.kind !== 'json') return undefined
  // The path of another comparison is a part of the text.
  if (stored.value.isKey && !contains.isExact) return undefined
  if (stored.value.isKey) notKept(scope, condition)
  const literal = typeOf(condition) as keyof typeof readers
  const type = jsonType(dialect, literal, stored.field)
  const forms = own(contains.forms, readers[literal])
  if (type === undefined || type.equal !== undefined || type.among !== undefined || forms === undefined)
    return undefined
  const { source, names } = list.value
  return containmentOf(
    source,
    contains.isExact,
    write(condition, (condition) => {
      const all = operandsOf(type, condition)?.map(forms)
      if (all === undefined || all.includes(undefined)) return false
      const texts = all.flatMap((some) => some ?? [])
      return contains.test(
        source,
        [names, ...paths],
        condition.kind === 'comparison' && texts.length === 1 ? texts[0]! : texts,
      )
    }),
  )
}

const containmentOf = (column: Sql, isExact: boolean, test: Sql | boolean): Containment | undefined =>
  typeof test === 'boolean' ? undefined : { test, column, isExact }
